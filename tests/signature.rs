//! The nodes of a fixed search over positions of all built-in games: a change of the search shows itself here.
//!
//! If the numbers change on purpose, or a game is new, run the test with `LUDEX_UPDATE=1` in the environment, which writes
//! them to `tests/data/signature.txt`, and say in the commit why. A change that only makes the search faster changes none.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ludex::bridge::{Bridge, Evaluation};
use ludex::builtin::{self, BuiltInLoader};
use ludex::play::playout::below;
use ludex::search::{Limits, Options, Searcher};
use ludex::{MoveList, RuleFile, Rules, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The plies after which a position of a random game is searched.
const PLIES: [usize; 4] = [0, 5, 12, 25];

/// The search of each position; the second bound is for games of many moves.
fn limits() -> Limits {
    Limits {
        depth: Some(4),
        nodes: Some(8_000),
        ..Limits::default()
    }
}

fn nodes(rules: &Arc<Rules>) -> u64 {
    let evaluation = Arc::new(Evaluation::new(rules).expect("few sides"));
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut session = Session::new(Arc::clone(rules));
    let mut moves = MoveList::new();
    let mut total = 0;
    for ply in 0..=PLIES[PLIES.len() - 1] {
        if session
            .legal_moves(&mut moves)
            .expect("the rules do not fault")
            .is_some()
        {
            break;
        }
        if PLIES.contains(&ply) {
            let mut bridge = Bridge::with(session.clone(), Arc::clone(&evaluation));
            let mut searcher = Searcher::new(Options::default());
            total += searcher.search(&mut bridge, &limits(), &mut |_| {}).nodes;
        }
        session
            .make(&moves, below(&mut random, moves.len()))
            .expect("the rules do not fault");
    }
    total
}

#[test]
fn the_search_takes_the_nodes_on_record() {
    let mut lines = Vec::new();
    let mut sum = 0;
    for game in builtin::games() {
        let mut file = RuleFile::read(game.file, game.bytes, &mut BuiltInLoader);
        let rules: Arc<Rules> = file.compile(0).rules.expect("its rules compile").into();
        let nodes = nodes(&rules);
        sum += nodes;
        lines.push(format!("{} {nodes}\n", game.name));
    }
    lines.push(format!("total {sum}\n"));
    let found = lines.concat();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/signature.txt");
    if std::env::var_os("LUDEX_UPDATE").is_some() {
        fs::write(&path, &found).expect("the file can be written");
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        found, recorded,
        "if this is meant to be, run the test with LUDEX_UPDATE=1"
    );
}
