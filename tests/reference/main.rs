//! Compares the machine with a slow reference, and checks what must hold of every state, over random games.
//!
//! The reference walks the typed tree of the model and copies the whole situation for every move; it shares no code with
//! the compiler, the machine or the state, so that a mistake would have to be made twice. `LUDEX_CORPUS` may name a
//! folder of further rule files; none is required.

mod attack;
mod compare;
#[path = "../corpus/mod.rs"]
mod corpus;
mod goals;
mod legal;
mod moves;
mod run;
mod situation;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludex::expand::FolderLoader;
use ludex::play::position::read_position;
use ludex::{RuleFile, Rules, State};

use compare::{Summary, compare_game};

/// Plies of a game from a position that a test speaks of.
const PLIES_FROM_POSITION: usize = 8;

/// How far a comparison goes.
#[derive(Clone, Copy)]
struct Extent {
    n_games: u64,
    max_plies: usize,
    /// After this time no further game of a variant begins, and a game under way is cut.
    time_per_variant: Duration,
}

#[test]
fn machine_and_reference_agree() {
    let extent = Extent {
        n_games: 4,
        max_plies: 120,
        time_per_variant: Duration::from_secs(2),
    };
    let summary = compare_files(&corpus::rule_files(), extent);
    assert_eq!(summary.n_faults, 0, "rules of this project do not fault");
}

#[test]
fn machine_and_reference_agree_on_further_files() {
    let Some(folder) = std::env::var_os("LUDEX_CORPUS") else {
        return;
    };
    let extent = Extent {
        n_games: 3,
        max_plies: 60,
        time_per_variant: Duration::from_secs(6),
    };
    compare_files(&corpus::rule_files_in(Path::new(&folder)), extent);
}

/// Compares random games of every variant of the files; fails with all disagreements, one for each variant.
fn compare_files(files: &[PathBuf], extent: Extent) -> Summary {
    let mut total = Summary::default();
    let mut disagreements = Vec::new();
    for path in files {
        let bytes = std::fs::read(path).expect("the rule file can be read");
        let mut file = RuleFile::read(&path.display().to_string(), &bytes, &mut FolderLoader::default());
        for entry in 0..file.entries().len() {
            let title = file.entries()[entry].title.clone();
            let Some(rules) = file.compile(entry).rules.filter(|rules| rules.model.plugin.is_none()) else {
                continue;
            };
            let (summary, disagreement) = compare_variant(&Arc::new(rules), &positions_in(&bytes), extent);
            println!("{} ({title}): {summary:?}", path.display());
            total.add(&summary);
            disagreements.extend(disagreement.map(|text| format!("{} ({title}): {text}", path.display())));
        }
    }
    println!("in all: {total:?}");
    assert!(disagreements.is_empty(), "\n{}", disagreements.join("\n"));
    total
}

/// Returns the positions that the tests in a rule file speak of.
fn positions_in(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let positions = text.lines().filter_map(|line| line.strip_prefix(";! position:"));
    positions.map(str::to_owned).collect()
}

/// Compares games from the start, and short ones from those of the positions that fit the variant.
fn compare_variant(rules: &Arc<Rules>, positions: &[String], extent: Extent) -> (Summary, Option<String>) {
    let deadline = Instant::now() + extent.time_per_variant;
    let mut total = Summary::default();
    let mut play = |given: Option<&State>, seed: u64, max_plies: usize| {
        if Instant::now() >= deadline {
            return Ok(());
        }
        let mut summary = Summary::default();
        let result = compare_game(rules, given, seed, max_plies, deadline, &mut summary);
        total.add(&summary);
        result.map_err(|disagreement| format!("game {seed}: {disagreement}"))
    };
    let states: Vec<State> = (positions.iter())
        .filter_map(|text| read_position(rules, "test", text).ok())
        .collect();
    let result = (0..extent.n_games)
        .try_for_each(|seed| play(None, seed, extent.max_plies))
        .and_then(|()| {
            states
                .iter()
                .try_for_each(|state| play(Some(state), 0, PLIES_FROM_POSITION))
        });
    (total, result.err())
}
