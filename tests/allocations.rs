//! A warm session allocates nothing per ply, a warm search nothing per node.

mod counting;

use std::sync::Arc;

use counting::n_allocations;
use ludex::bridge::Bridge;
use ludex::expand::NoIncludes;
use ludex::play::playout::{Checks, PlayoutOptions, playout};
use ludex::search::{Limits, Options, Searcher};
use ludex::{MoveList, RuleFile, Session, builtin};

#[test]
fn warm_games_allocate_nothing_per_ply() {
    const GAMES: u64 = 20;
    let options = PlayoutOptions {
        seed: 5,
        max_plies: 300,
        checks: Checks::Off,
    };
    for name in [
        "chess",
        "breakthrough",
        "english-draughts",
        "connect-four",
        "reversi",
        "tic-tac-toe",
        "xiangqi",
        "gomoku",
        "international-draughts",
        "hex",
        "amazons",
        "nine-mens-morris",
        "go",
        "thud",
    ] {
        let game = builtin::find(name).expect("a built-in game");
        let mut file = RuleFile::read(game.file, game.bytes, &mut NoIncludes);
        let rules = Arc::new(file.compile(0).rules.expect("the built-in rules compile"));
        let mut session = Session::new(rules);
        let mut list = MoveList::new();
        let mut play = || -> usize {
            let games = (0..GAMES).map(|game| playout(&mut session, &mut list, game, &options));
            games.map(|game| game.expect("no checks are made").plies).sum()
        };
        // Specialised code is made on the way.
        play();
        let plies = play();
        let before = n_allocations();
        assert_eq!(play(), plies);
        let n_allocations = n_allocations() - before;
        // The end of a game may name the pieces that are mated, or the scores.
        assert!(
            n_allocations <= 3 * GAMES as usize,
            "{name}: {n_allocations} allocations in {plies} plies of {GAMES} games"
        );
    }
}

#[test]
fn a_warm_search_allocates_nothing_per_node() {
    const NODES: u64 = 4_000;
    for name in ["chess", "breakthrough", "connect-four", "reversi"] {
        let game = builtin::find(name).expect("a built-in game");
        let mut file = RuleFile::read(game.file, game.bytes, &mut NoIncludes);
        let rules = Arc::new(file.compile(0).rules.expect("the built-in rules compile"));
        let mut bridge = Bridge::new(Session::new(rules)).expect("two sides");
        let mut searcher = Searcher::new(Options::default());
        let mut search = || searcher.search(&mut bridge, &Limits::nodes(NODES), &mut |_| {}).nodes;
        search();
        let before = n_allocations();
        assert_eq!(search(), NODES, "{name}");
        let n_allocations = n_allocations() - before;
        // Lines are reported, and mates name the pieces that are mated.
        assert!(
            n_allocations <= NODES as usize / 20,
            "{name}: {n_allocations} allocations in {NODES} nodes"
        );
    }
}
