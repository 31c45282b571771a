//! The numbers in `tests/perft/`, counted in every way in which moves are made.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludex::expand::FolderLoader;
use ludex::play::perft::{PerftOptions, perft};
use ludex::play::position::read_position;
use ludex::{Fault, MoveList, RuleFile, Rules, Session};

/// Greater numbers are not counted here; `ludex perft` counts them.
const NODE_LIMIT: u64 = if cfg!(debug_assertions) { 60_000 } else { 6_000_000 };
/// Greater numbers are not counted in the slower ways.
const SLOW_LIMIT: u64 = NODE_LIMIT / 20;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The lines of one record that say where to start.
#[derive(Clone, Default)]
struct Record {
    rules: String,
    variant: Option<String>,
    position: Option<String>,
}

impl Record {
    fn session(&self) -> Session {
        let path = root().join("rules").join(format!("{}.zrf", self.rules));
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut file = RuleFile::read(&path.display().to_string(), &bytes, &mut FolderLoader::default());
        let entry = match &self.variant {
            Some(title) => file.find_entry(title),
            None => file.default_entry(),
        };
        let rules: Arc<Rules> = Arc::new(file.compile(entry.unwrap()).rules.unwrap());
        match &self.position {
            Some(text) => {
                let state = read_position(&rules, "position", text).unwrap_or_else(|errors| panic!("{errors}"));
                Session::from_state(rules, state)
            }
            None => Session::new(rules),
        }
    }
}

/// Counts without a list for each ply, by copies instead of taking back.
fn perft_by_copies(session: &Session, depth: u32, turns: bool) -> Result<u64, Fault> {
    let mut list = MoveList::new();
    session.clone().legal_moves(&mut list)?;
    let mut nodes = 0;
    for index in 0..list.len() {
        let mut next = session.clone();
        next.make(&list, index)?;
        let goes_on = turns && next.state().chain().is_some() && next.decided().is_none();
        let left = if goes_on { depth } else { depth - 1 };
        nodes += if left == 0 {
            1
        } else {
            perft_by_copies(&next, left, turns)?
        };
    }
    Ok(nodes)
}

fn check(place: &str, record: &Record, depth: u32, turns: bool, nodes: u64) {
    if nodes > NODE_LIMIT {
        return;
    }
    let mut session = record.session();
    let before = session.state().clone();
    for bulk in [true, false] {
        let counted = perft(&mut session, depth, PerftOptions { turns, bulk });
        assert_eq!(counted, Ok(nodes), "{place}: depth {depth}, turns {turns}, bulk {bulk}");
        assert_eq!(*session.state(), before, "{place}: the state is not restored");
    }
    if nodes <= SLOW_LIMIT {
        assert_eq!(
            perft_by_copies(&session, depth, turns),
            Ok(nodes),
            "{place}: depth {depth}, by copies"
        );
    }
}

fn run(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let mut record = Record::default();
    let mut n_counted = 0;
    for (index, line) in text.lines().enumerate() {
        let place = format!("{}:{}", path.display(), index + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "rules" => {
                record = Record {
                    rules: rest.to_owned(),
                    ..Record::default()
                }
            }
            "variant" => record.variant = Some(rest.to_owned()),
            "position" => record.position = Some(rest.to_owned()),
            "fen" => record.position = Some(line.to_owned()),
            "perft" | "turns" => {
                let (depth, nodes) = rest.split_once(' ').unwrap_or_else(|| panic!("{place}: two numbers"));
                let number = |text: &str| text.trim().parse().unwrap_or_else(|_| panic!("{place}: {text}"));
                check(&place, &record, number(depth) as u32, word == "turns", number(nodes));
                n_counted += 1;
            }
            _ => panic!("{place}: unknown word {word}"),
        }
    }
    n_counted
}

#[test]
fn all_numbers_are_counted_again() {
    let mut files: Vec<PathBuf> = (fs::read_dir(root().join("tests/perft")).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "perft"))
        .collect();
    files.sort();
    let n_counted: usize = files.iter().map(|path| run(path)).sum();
    assert!(n_counted > 50, "{n_counted} numbers in {} files", files.len());
}
