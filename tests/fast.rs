//! Specialised code and its checked twin, the interpreter, play the same random games: the same moves in the same order,
//! the same states, the same ends. `LUDEX_CORPUS` may name a folder of further rule files.

mod corpus;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use corpus::mutate::{self, below};
use ludex::expand::FolderLoader;
use ludex::model::quirk::QUIRKS;
use ludex::play::notation::move_text;
use ludex::play::position::{print_position, read_position};
use ludex::{MoveList, RuleFile, Rules, Session, State};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

#[derive(Clone, Copy)]
struct Extent {
    /// The games and variants of a file.
    entries: usize,
    games: u64,
    plies: usize,
    time: Duration,
}

/// Plays one game on both; the error says where they part.
fn compare_game(
    rules: &Arc<Rules>,
    start: Option<&State>,
    seed: u64,
    extent: Extent,
    deadline: Instant,
) -> Result<usize, String> {
    let session = || match start {
        None => Session::new(Arc::clone(rules)),
        Some(state) => Session::from_state(Arc::clone(rules), state.clone()),
    };
    let (mut fast, mut slow) = (session(), session());
    slow.interpret_only(true);
    let (mut list, mut expected) = (MoveList::new(), MoveList::new());
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for ply in 0..extent.plies {
        let outcome = fast.legal_moves(&mut list);
        let expected_outcome = slow.legal_moves(&mut expected);
        let before = slow.state().clone();
        let at = || format!("ply {ply} of game {seed}, {}", print_position(rules, &before));
        if outcome != expected_outcome {
            return Err(format!("{}: {outcome:?}, interpreted {expected_outcome:?}", at()));
        }
        let texts = |list: &MoveList| -> Vec<String> {
            list.iter()
                .map(|entry| move_text(rules, &before, list, entry))
                .collect()
        };
        let is_same = list.len() == expected.len()
            && list.iter().zip(expected.iter()).all(|(a, b)| {
                (a.from, a.to, a.arrival, a.continuation) == (b.from, b.to, b.arrival, b.continuation)
                    && list.effects(a) == expected.effects(b)
            });
        if !is_same {
            return Err(format!(
                "{}:\n  {:?}\n  interpreted\n  {:?}",
                at(),
                texts(&list),
                texts(&expected)
            ));
        }
        let players = rules.model.turn_order.items.iter().map(|item| item.acts_as);
        for player in players {
            if fast.mobility(player) != slow.mobility(player) {
                return Err(format!("{}: mobility of {player:?}", at()));
            }
        }
        if fast.in_check() != slow.in_check() {
            return Err(format!("{}: check", at()));
        }
        if outcome != Ok(None) || Instant::now() > deadline {
            return Ok(ply);
        }
        let index = below(&mut random, list.len());
        if fast.make(&list, index) != slow.make(&expected, index) {
            return Err(format!("{}: faults differ", at()));
        }
        if fast.state() != slow.state() || fast.decided() != slow.decided() {
            return Err(format!(
                "ply {ply} of game {seed}: move {} differs, {}",
                index,
                print_position(rules, slow.state())
            ));
        }
        if fast.n_plies() == ply {
            return Ok(ply);
        }
        // Taking back restores what was.
        if ply % 5 == 0 {
            let after = fast.state().clone();
            fast.unmake();
            slow.unmake();
            if fast.state() != slow.state() {
                return Err(format!(
                    "ply {ply} of game {seed}: move {index} is taken back otherwise"
                ));
            }
            let made = (fast.make(&list, index), slow.make(&expected, index));
            if made.0 != made.1 || *fast.state() != after {
                return Err(format!(
                    "ply {ply} of game {seed}: move {index} differs the second time"
                ));
            }
        }
    }
    Ok(extent.plies)
}

fn compare(name: &str, bytes: &[u8], quirk: Option<(&str, &str)>, extent: Extent, errors: &mut Vec<String>) -> usize {
    let mut file = RuleFile::read(name, bytes, &mut FolderLoader::default());
    if let Some((quirk, value)) = quirk {
        file.set_quirk(quirk, value).expect("there is such a quirk");
    }
    let text = String::from_utf8_lossy(bytes);
    let positions: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix(";! position:"))
        .collect();
    let mut plies = 0;
    for entry in 0..file.entries().len().min(extent.entries) {
        let title = file.entries()[entry].title.clone();
        let Some(rules) = file.compile(entry).rules.filter(|rules| rules.model.plugin.is_none()) else {
            continue;
        };
        let rules = Arc::new(rules);
        let started = Instant::now();
        let fast = rules.specialise();
        let prepared = started.elapsed();
        println!(
            "{name} ({title}): prepared in {prepared:.1?}, {:?}, {:?} interpreted",
            fast.map(|fast| fast.size()),
            fast.map(|fast| fast.n_interpreted())
        );
        let deadline = Instant::now() + extent.time;
        let states: Vec<State> = positions
            .iter()
            .filter_map(|text| read_position(&rules, "test", text).ok())
            .collect();
        let starts = (0..extent.games).map(|seed| (None, seed, extent));
        let short = Extent { plies: 12, ..extent };
        let starts = starts.chain(states.iter().map(|state| (Some(state), 0, short)));
        for (start, seed, extent) in starts.take_while(|_| Instant::now() < deadline) {
            match compare_game(&rules, start, seed, extent, deadline) {
                Ok(played) => plies += played,
                Err(error) => {
                    errors.push(format!("{name} ({title}): {error}"));
                    break;
                }
            }
        }
    }
    plies
}

fn report(errors: &[String]) {
    assert!(errors.is_empty(), "{} games part:\n{}", errors.len(), errors.join("\n"));
}

#[test]
fn games_of_every_rule_file_agree() {
    let extent = Extent {
        entries: usize::MAX,
        games: 4,
        plies: 120,
        time: Duration::from_secs(1),
    };
    let mut errors = Vec::new();
    for path in corpus::rule_files() {
        let bytes = std::fs::read(&path).expect("the rule file can be read");
        compare(&path.display().to_string(), &bytes, None, extent, &mut errors);
    }
    report(&errors);
}

#[test]
fn games_of_further_files_agree() {
    let Some(folder) = std::env::var_os("LUDEX_CORPUS") else {
        return;
    };
    let extent = Extent {
        entries: usize::MAX,
        games: 5,
        plies: 100,
        time: Duration::from_secs(4),
    };
    let mut errors = Vec::new();
    for path in corpus::rule_files_in(Path::new(&folder)) {
        let bytes = std::fs::read(&path).expect("the rule file can be read");
        compare(&path.display().to_string(), &bytes, None, extent, &mut errors);
    }
    report(&errors);
}

/// Words exchanged for others make games that nobody would think of.
#[test]
fn games_of_damaged_files_agree() {
    let extent = Extent {
        entries: usize::MAX,
        games: 1,
        plies: 12,
        time: Duration::from_millis(150),
    };
    let mut errors = Vec::new();
    for path in corpus::rule_files() {
        let bytes = std::fs::read(&path).expect("the rule file can be read");
        for seed in 0..2 {
            let mut random = ChaCha8Rng::seed_from_u64(100 + seed);
            let damaged = match seed % 2 {
                0 => mutate::shuffle_tokens(&bytes, &mut random),
                _ => mutate::replace_words(&bytes, &mut random),
            };
            let name = format!("{}, damage {seed}", path.display());
            compare(&name, &damaged, None, extent, &mut errors);
        }
    }
    report(&errors);
}

#[test]
fn games_with_every_quirk_agree() {
    let mut errors = Vec::new();
    for path in corpus::rule_files() {
        // Variants of whole games differ in boards and goals, those of tests in the words that quirks are about.
        let is_test = path.components().any(|part| part.as_os_str() == "language");
        let extent = Extent {
            entries: if is_test { usize::MAX } else { 1 },
            games: 1,
            plies: 10,
            time: Duration::from_millis(20),
        };
        let bytes = std::fs::read(&path).expect("the rule file can be read");
        for &(quirk, _, values) in QUIRKS {
            for &value in &values[1..] {
                let name = format!("{}, {quirk} {value}", path.display());
                compare(&name, &bytes, Some((quirk, value)), extent, &mut errors);
            }
        }
    }
    report(&errors);
}
