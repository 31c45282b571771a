//! The speed of each stage, from text to search, on three games of different kinds: pieces that slide and give check
//! (chess), chains of partial moves (English draughts), drops (connect four). Each bench asserts its answer.
//!
//! `cargo bench` runs all; `cargo bench -- perft/chess` some. Figures are recorded in `benches/RESULTS.md`.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ludex::bridge::Bridge;
use ludex::builtin;
use ludex::expand::NoIncludes;
use ludex::play::perft::{PerftOptions, perft};
use ludex::play::playout::{Checks, Ending, PlayoutOptions, playout};
use ludex::search::{Limits, search};
use ludex::{MoveList, RuleFile, Rules, Session};

fn read(name: &str) -> RuleFile {
    let game = builtin::find(name).expect("a built-in game");
    RuleFile::read(game.file, game.bytes, &mut NoIncludes)
}

fn rules(name: &str) -> Arc<Rules> {
    Arc::new(read(name).compile(0).rules.expect("the built-in rules compile"))
}

fn loading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    for name in ["chess", "thud-zrf"] {
        group.throughput(Throughput::Bytes(
            builtin::find(name).expect("a built-in game").bytes.len() as u64,
        ));
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert!(!black_box(read(name)).entries().is_empty()))
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("compile");
    for name in ["chess", "thud-zrf"] {
        group.bench_function(name, |bencher| {
            let compile = |mut file: RuleFile| assert!(file.compile(0).rules.is_some());
            bencher.iter_batched(|| read(name), compile, BatchSize::SmallInput);
        });
    }
    group.finish();
}

/// Leaves per game and depth; the tests name where the numbers come from.
const PERFT: [(&str, u32, u64); 4] = [
    ("chess", 4, 197_281),
    ("breakthrough", 4, 256_036),
    ("english-draughts", 6, 36_768),
    ("connect-four", 6, 117_649),
];

fn movegen(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    for (name, depth, leaves) in PERFT {
        let mut session = Session::new(rules(name));
        group.throughput(Throughput::Elements(leaves));
        for (kind, bulk) in [("bulk", true), ("leaves", false)] {
            let options = PerftOptions {
                turns: name == "english-draughts",
                bulk,
            };
            group.bench_function(BenchmarkId::new(name, kind), |bencher| {
                bencher.iter(|| assert_eq!(perft(&mut session, depth, options), Ok(leaves)));
            });
        }
    }
    group.finish();
}

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playout");
    for name in ["chess", "breakthrough", "english-draughts", "connect-four", "reversi"] {
        let mut session = Session::new(rules(name));
        let mut list = MoveList::new();
        let options = PlayoutOptions {
            seed: 1,
            max_plies: 300,
            checks: Checks::Off,
        };
        let mut play = |game| playout(&mut session, &mut list, game, &options).expect("no checks are made");
        let plies: usize = (0..10).map(|game| play(game).plies).sum();
        group.throughput(Throughput::Elements(plies as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let games: Vec<_> = (0..10).map(&mut play).collect();
                assert_eq!(games.iter().map(|game| game.plies).sum::<usize>(), plies);
                assert!(games.iter().all(|game| !matches!(game.ending, Ending::Fault(_))));
            });
        });
    }
    group.finish();
}

fn searching(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    for name in ["chess", "english-draughts", "connect-four"] {
        let rules = rules(name);
        const NODES: u64 = 5_000;
        group.throughput(Throughput::Elements(NODES));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut bridge = Bridge::new(Session::new(Arc::clone(&rules))).expect("two sides");
                let report = search(&mut bridge, &Limits::nodes(NODES));
                assert!(report.best.is_some() && report.nodes <= NODES + 1);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, loading, movegen, playouts, searching);
criterion_main!(benches);
