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
use ludex::{RuleFile, Rules};

use compare::{Ending, Summary, compare_game};

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
            let (summary, disagreement) = compare_variant(&Arc::new(rules), extent);
            println!("{} ({title}): {summary:?}", path.display());
            total.add(&summary);
            disagreements.extend(disagreement.map(|text| format!("{} ({title}): {text}", path.display())));
        }
    }
    println!("in all: {total:?}");
    assert!(disagreements.is_empty(), "\n{}", disagreements.join("\n"));
    total
}

fn compare_variant(rules: &Arc<Rules>, extent: Extent) -> (Summary, Option<String>) {
    let deadline = Instant::now() + extent.time_per_variant;
    let mut total = Summary::default();
    for seed in 0..extent.n_games {
        if seed > 0 && Instant::now() >= deadline {
            break;
        }
        let mut summary = Summary::default();
        let result = compare_game(rules, seed, extent.max_plies, deadline, &mut summary);
        total.add(&summary);
        match result {
            Ok(Ending::Over | Ending::Cut) => {}
            // Another game would give up in the same way.
            Ok(Ending::Fault | Ending::TooSlow) => break,
            Err(disagreement) => return (total, Some(format!("game {seed}: {disagreement}"))),
        }
    }
    (total, None)
}
