//! Every rule file of the collection: its own tests hold, and random games of all its variants hold together.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludex::expand::FolderLoader;
use ludex::play::playout::{Checks, Ending, PlayoutOptions, playout};
use ludex::rulecheck::{self, Format, TestOptions};
use ludex::{MoveList, RuleFile, Session};

/// Ways that a `perft` line may expect; debug builds count a hundred thousand or so a second.
const NODE_LIMIT: u64 = if cfg!(debug_assertions) { 50_000 } else { 1_000_000 };
/// Random games of each variant.
const GAMES: u64 = if cfg!(debug_assertions) { 20 } else { 100 };
/// Plies after which a random game is cut.
const MAX_PLIES: usize = 400;

fn rule_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut files: Vec<PathBuf> = (fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "zrf"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn read(path: &Path) -> RuleFile {
    RuleFile::read(
        &path.display().to_string(),
        &fs::read(path).unwrap(),
        &mut FolderLoader::default(),
    )
}

#[test]
fn all_tests_of_all_rule_files_hold() {
    let options = TestOptions {
        node_limit: Some(NODE_LIMIT),
    };
    let results: Vec<_> = rule_files()
        .iter()
        .map(|path| rulecheck::run(&mut read(path), &options))
        .collect();
    let report = rulecheck::write(&results, Format::Human).unwrap();
    assert!(results.iter().all(|file| file.failed() == 0), "\n{report}");
    for file in &results {
        assert!(file.passed() > 0, "{} has no tests", file.name);
    }
}

#[test]
fn random_games_of_all_variants_hold_together() {
    let options = PlayoutOptions {
        seed: 1,
        max_plies: MAX_PLIES,
        checks: Checks::On,
    };
    for path in rule_files() {
        let mut file = read(&path);
        for entry in 0..file.entries().len() {
            let title = file.entries()[entry].title.clone();
            let compiled = file.compile(entry);
            let rules = Arc::new(
                compiled
                    .rules
                    .unwrap_or_else(|| panic!("{title}: {:#?}", compiled.diagnostics)),
            );
            if rules.model.plugin.is_some() {
                continue;
            }
            let mut session = Session::new(Arc::clone(&rules));
            let mut list = MoveList::new();
            for game in 0..GAMES {
                let result =
                    playout(&mut session, &mut list, game, &options).unwrap_or_else(|e| panic!("{title}: {e}"));
                if let Ending::Fault(fault) = result.ending {
                    panic!("{title}: {}", file.render(&file.explain_fault(&rules, fault)));
                }
            }
        }
    }
}

#[test]
fn random_games_can_be_played_again_by_number() {
    let path = rule_files()
        .into_iter()
        .find(|path| path.ends_with("chess.zrf"))
        .unwrap();
    let rules = Arc::new(read(&path).compile(0).rules.unwrap());
    let options = PlayoutOptions {
        seed: 7,
        max_plies: 60,
        checks: Checks::Off,
    };
    let mut session = Session::new(rules);
    let mut list = MoveList::new();
    let mut play = |game| playout(&mut session, &mut list, game, &options).unwrap();
    let games: Vec<_> = (0..5).map(&mut play).collect();
    let backwards: Vec<_> = (0..5).rev().map(&mut play).collect();
    assert_eq!(games, backwards.into_iter().rev().collect::<Vec<_>>());
    assert!(games.windows(2).any(|pair| pair[0] != pair[1]));
}
