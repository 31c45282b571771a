//! Compares the machine with a slow reference, and checks what must hold of every state, over random games.
//!
//! The reference walks the typed tree of the model and copies the whole situation for every move; it shares no code with
//! the compiler, the machine or the state, so that a mistake would have to be made twice. `LUDEX_CORPUS` may name a
//! folder of further rule files, and `LUDEX_DAMAGES` a number of ways in which each file is damaged; neither is required.

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
use ludex::model::quirk::QUIRKS;
use ludex::play::position::read_position;
use ludex::{RuleFile, Rules, State};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use compare::{Summary, compare_game};
use corpus::mutate;

/// Plies of a game from a position that a test speaks of.
const PLIES_FROM_POSITION: usize = 8;

/// The reference does not know what pieces are worth.
const WORTH_OF_CHAINS: (&str, &str) = ("longest-chains", "length");

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

/// Words exchanged for others make games that nobody would think of.
#[test]
fn machine_and_reference_agree_on_damaged_files() {
    let extent = Extent {
        n_games: 1,
        max_plies: 12,
        time_per_variant: Duration::from_millis(300),
    };
    let n_damages = std::env::var("LUDEX_DAMAGES")
        .ok()
        .and_then(|number| number.parse().ok());
    let n_damages = n_damages.unwrap_or(8);
    let mut comparison = Comparison::default();
    for path in corpus::rule_files() {
        let bytes = std::fs::read(&path).expect("the rule file can be read");
        for seed in 0..n_damages {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let damaged = match seed % 3 {
                0 => mutate::shuffle_tokens(&bytes, &mut random),
                _ => mutate::replace_words(&bytes, &mut random),
            };
            let name = format!("{}, damage {seed}", path.display());
            comparison.compare_rules(&name, &damaged, &positions_in(&bytes), extent);
        }
    }
    comparison.finish();
}

/// The readings of disputed points that are not the default.
#[test]
fn machine_and_reference_agree_on_every_quirk() {
    let extent = Extent {
        n_games: 2,
        max_plies: 40,
        time_per_variant: Duration::from_millis(100),
    };
    let mut comparison = Comparison::default();
    for &(quirk, _, values) in QUIRKS.iter().filter(|(quirk, ..)| *quirk != WORTH_OF_CHAINS.0) {
        for &value in &values[1..] {
            comparison.quirk = Some((quirk, value));
            comparison.compare_files(&corpus::rule_files(), extent);
        }
    }
    comparison.finish();
}

fn compare_files(files: &[PathBuf], extent: Extent) -> Summary {
    let mut comparison = Comparison::default();
    comparison.compare_files(files, extent);
    comparison.finish()
}

/// What was compared, and where machine and reference disagree.
#[derive(Default)]
struct Comparison {
    total: Summary,
    disagreements: Vec<String>,
    /// A reading that files are compiled with.
    quirk: Option<(&'static str, &'static str)>,
}

impl Comparison {
    fn compare_files(&mut self, files: &[PathBuf], extent: Extent) {
        for path in files {
            let bytes = std::fs::read(path).expect("the rule file can be read");
            let name = match self.quirk {
                None => path.display().to_string(),
                Some((quirk, value)) => format!("{}, {quirk} {value}", path.display()),
            };
            self.compare_rules(&name, &bytes, &positions_in(&bytes), extent);
        }
    }

    /// Compares random games of every variant in a rule file; one disagreement is enough for each.
    fn compare_rules(&mut self, name: &str, bytes: &[u8], positions: &[String], extent: Extent) {
        let mut file = RuleFile::read(name, bytes, &mut FolderLoader::default());
        for (quirk, value) in self.quirk.into_iter().chain([WORTH_OF_CHAINS]) {
            file.set_quirk(quirk, value).expect("there is such a quirk");
        }
        for entry in 0..file.entries().len() {
            let title = file.entries()[entry].title.clone();
            let Some(rules) = file
                .compile(entry)
                .rules
                .filter(|rules| rules.model.plugin.is_none() && rules.model.is_classic())
            else {
                continue;
            };
            let (summary, disagreement) = compare_variant(&Arc::new(rules), positions, extent);
            println!("{name} ({title}): {summary:?}");
            self.total.add(&summary);
            self.disagreements
                .extend(disagreement.map(|text| format!("{name} ({title}): {text}")));
        }
    }

    /// Fails with all disagreements.
    fn finish(self) -> Summary {
        println!("in all: {:?}", self.total);
        assert!(self.disagreements.is_empty(), "\n{}", self.disagreements.join("\n"));
        self.total
    }
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
