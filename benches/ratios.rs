//! Rules beside hand-written generators of the same games: plies of flat random play and leaves of perft a second.
//!
//! `cargo bench --bench ratios` prints a table; `cargo bench --bench ratios -- chess` some rows. Both sides of a row run
//! in turn, round after round, and the median of the rounds' ratios counts: the noise of the machine then meets both.
//! Every answer is asserted: the yardsticks give the published numbers of perft, and our games are the same each round.

mod yardsticks;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludex::builtin;
use ludex::expand::NoIncludes;
use ludex::play::perft::{PerftOptions, perft};
use ludex::play::playout::{Checks, PlayoutOptions, playout};
use ludex::{MoveList, RuleFile, Rules, Session};
use yardsticks::{MAX_PLIES, Random};

/// One game on both sides.
struct Row {
    game: &'static str,
    playouts: fn(u64, &mut Random) -> u64,
    perft: fn(u32) -> u64,
    /// Depth and leaves that both sides must find.
    known: (u32, u64),
    /// What the yardstick must reach against that of chess to be valid.
    valid_from: f64,
    aim: (f64, f64),
}

const ROWS: [Row; 5] = [
    Row {
        game: "chess",
        playouts: yardsticks::chess::playouts,
        perft: yardsticks::chess::perft,
        known: (4, 197_281),
        valid_from: 0.0,
        aim: (0.03, 0.06),
    },
    Row {
        game: "reversi",
        playouts: yardsticks::reversi::playouts,
        perft: yardsticks::reversi::perft,
        known: (6, 8_200),
        valid_from: 0.0,
        aim: (0.04, 0.08),
    },
    Row {
        game: "breakthrough",
        playouts: yardsticks::breakthrough::playouts,
        perft: yardsticks::breakthrough::perft,
        known: (4, 256_036),
        valid_from: 1.4,
        aim: (0.12, 0.25),
    },
    Row {
        game: "english-draughts",
        playouts: yardsticks::draughts::playouts,
        perft: yardsticks::draughts::perft,
        known: (6, 36_768),
        valid_from: 2.7,
        aim: (0.08, 0.18),
    },
    Row {
        game: "connect-four",
        playouts: yardsticks::connect_four::playouts,
        perft: yardsticks::connect_four::perft,
        known: (6, 117_649),
        valid_from: 17.0,
        aim: (0.06, 0.12),
    },
];

const ROUNDS: usize = 5;
const TIME_PER_SIDE: Duration = Duration::from_millis(400);

fn rules(name: &str) -> Arc<Rules> {
    let game = builtin::find(name).expect("a built-in game");
    let mut file = RuleFile::read(game.file, game.bytes, &mut NoIncludes);
    Arc::new(file.compile(0).rules.expect("the built-in rules compile"))
}

/// Calls `run`, which returns how much it did, until the time is over; returns the rate per second.
fn rate(mut run: impl FnMut(u64) -> u64) -> f64 {
    let (started, mut done, mut round) = (Instant::now(), 0, 0);
    while started.elapsed() < TIME_PER_SIDE {
        done += run(round);
        round += 1;
    }
    done as f64 / started.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!("| game | ours, plies/s | hand-written | ratio | target | aim | yardstick : chess |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for row in ROWS {
        if !wanted.is_empty() && !wanted.iter().any(|word| row.game.contains(word.as_str())) {
            continue;
        }
        let mut session = Session::new(rules(row.game));
        let options = PerftOptions {
            turns: row.game == "english-draughts",
            bulk: true,
        };
        assert_eq!((row.perft)(row.known.0), row.known.1, "{}: yardstick", row.game);
        assert_eq!(
            perft(&mut session, row.known.0, options),
            Ok(row.known.1),
            "{}: rules",
            row.game
        );

        let mut list = MoveList::new();
        let play = PlayoutOptions {
            seed: 1,
            max_plies: MAX_PLIES,
            checks: Checks::Off,
        };
        let mut sides = Vec::new();
        for _ in 0..ROUNDS {
            let ours = rate(|game| {
                playout(&mut session, &mut list, game, &play)
                    .expect("no checks are made")
                    .plies as u64
            });
            let mut random = Random::new(7);
            let theirs = rate(|_| black_box((row.playouts)(16, &mut random)));
            let chess = rate(|_| black_box(yardsticks::chess::playouts(1, &mut random)));
            sides.push((ours, theirs, theirs / chess));
        }
        let of = |side: fn(&(f64, f64, f64)) -> f64| median(sides.iter().map(side).collect());
        let validity = of(|side| side.2);
        println!(
            "| {} | {:.3} M | {:.1} M | {:.3} | {:.2} | {:.2} | {validity:.1}{} |",
            row.game,
            of(|side| side.0) / 1e6,
            of(|side| side.1) / 1e6,
            of(|side| side.0 / side.1),
            row.aim.0,
            row.aim.1,
            if validity < row.valid_from {
                " (too slow to count)"
            } else {
                ""
            },
        );
    }
    if wanted.is_empty() || wanted.iter().any(|word| word == "perft") {
        perft_of_chess();
    }
}

/// Perft with bulk counting against `cozy-chess`.
fn perft_of_chess() {
    let mut session = Session::new(rules("chess"));
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let mut count = |bulk| {
            let options = PerftOptions { turns: false, bulk };
            rate(|_| {
                assert_eq!(perft(&mut session, 4, options), Ok(197_281));
                197_281
            })
        };
        let (ours, every_leaf) = (count(true), count(false));
        let theirs = rate(|_| {
            assert_eq!(yardsticks::chess::perft(4), 197_281);
            197_281
        });
        ratios.push((ours, theirs, ours / theirs, every_leaf));
    }
    let of = |side: fn(&(f64, f64, f64, f64)) -> f64| median(ratios.iter().map(side).collect());
    println!(
        "\nperft of chess, leaves a second: ours {:.2} M (every leaf made: {:.2} M), cozy-chess {:.0} M, ratio {:.4}",
        of(|side| side.0) / 1e6,
        of(|side| side.3) / 1e6,
        of(|side| side.1) / 1e6,
        of(|side| side.2),
    );
}
