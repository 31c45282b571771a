//! The numbers in `tests/perft/`, counted in every way in which moves are made.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ludex::expand::FolderLoader;
use ludex::play::perft::{PerftOptions, perft};
use ludex::play::position::read_position;
use ludex::{Fault, MoveList, RuleFile, Rules, Session};

/// Greater numbers are not counted here; `ludex perft` counts them.
const NODE_LIMIT: u64 = 15_000_000;
/// Greater numbers are not counted without bulk counting, and not for positions given as FEN, which the files give in
/// both forms.
const LEAF_LIMIT: u64 = 500_000;
/// Greater numbers are not counted by copies.
const COPY_LIMIT: u64 = 50_000;

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

/// The rules that records have named, by file and variant: they are compiled once.
type Library = Mutex<HashMap<(String, Option<String>), Arc<Rules>>>;

impl Record {
    fn rules(&self) -> Arc<Rules> {
        let path = root().join("rules").join(format!("{}.zrf", self.rules));
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut file = RuleFile::read(&path.display().to_string(), &bytes, &mut FolderLoader::default());
        let entry = match &self.variant {
            Some(title) => file.find_entry(title),
            None => file.default_entry(),
        };
        Arc::new(file.compile(entry.unwrap()).rules.unwrap())
    }

    fn session(&self, library: &Library) -> Session {
        let name = (self.rules.clone(), self.variant.clone());
        let mut known = library.lock().unwrap();
        let rules = Arc::clone(known.entry(name).or_insert_with(|| self.rules()));
        drop(known);
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

/// One number of a file.
struct Count {
    place: String,
    record: Record,
    depth: u32,
    turns: bool,
    nodes: u64,
}

fn check(count: &Count, library: &Library) {
    let &Count {
        ref place,
        ref record,
        depth,
        turns,
        nodes,
    } = count;
    let is_fen = record.position.as_deref().is_some_and(|text| text.starts_with("fen"));
    if nodes > if is_fen { LEAF_LIMIT } else { NODE_LIMIT } {
        return;
    }
    let mut session = record.session(library);
    let before = session.state().clone();
    let ways: &[bool] = if nodes <= LEAF_LIMIT { &[true, false] } else { &[true] };
    for &bulk in ways {
        let counted = perft(&mut session, depth, PerftOptions { turns, bulk });
        assert_eq!(counted, Ok(nodes), "{place}: depth {depth}, turns {turns}, bulk {bulk}");
        assert_eq!(*session.state(), before, "{place}: the state is not restored");
    }
    if nodes <= COPY_LIMIT {
        assert_eq!(
            perft_by_copies(&session, depth, turns),
            Ok(nodes),
            "{place}: depth {depth}, by copies"
        );
    }
}

fn read(path: &Path) -> Vec<Count> {
    let text = fs::read_to_string(path).unwrap();
    let mut record = Record::default();
    let mut counts = Vec::new();
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
                let (depth, turns, nodes) = (number(depth) as u32, word == "turns", number(nodes));
                counts.push(Count {
                    place,
                    record: record.clone(),
                    depth,
                    turns,
                    nodes,
                });
            }
            _ => panic!("{place}: unknown word {word}"),
        }
    }
    counts
}

#[test]
fn all_numbers_are_counted_again() {
    let mut files: Vec<PathBuf> = (fs::read_dir(root().join("tests/perft")).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "perft"))
        .collect();
    files.sort();
    let counts: Vec<Count> = files.iter().flat_map(|path| read(path)).collect();
    assert!(counts.len() > 50, "{} numbers in {} files", counts.len(), files.len());
    let library = Library::default();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(count) = counts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(count, &library);
                }
            });
        }
    });
}
