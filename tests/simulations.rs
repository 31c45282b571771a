//! Simulations with the games that come with the program.

mod counting;

use std::sync::Arc;

use counting::n_allocations;
use ludex::bridge::{Bridge, Moves};
use ludex::builtin::{self, BuiltInLoader};
use ludex::play::playout::below;
use ludex::search::{Game, Limits, Mcts, MctsOptions};
use ludex::{RuleFile, Rules, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn rules(name: &str) -> Arc<Rules> {
    let game = builtin::find(name).expect("a built-in game");
    let mut file = RuleFile::read(game.file, game.bytes, &mut BuiltInLoader);
    file.compile(0).rules.expect("its rules compile").into()
}

fn bridge(name: &str) -> Bridge {
    Bridge::new(Session::new(rules(name))).expect("few sides")
}

const PLAYED_OUT: MctsOptions = MctsOptions {
    tree_megabytes: 16,
    cut: None,
    decisive: true,
    exploration: 0.7,
    rave: 0.0,
    multipv: 1,
    seed: 3,
    threads: 1,
};

#[test]
fn what_is_foreseen_of_a_move_is_what_comes_of_it() {
    for (name, foresees) in [("connect-four", true), ("breakthrough", false)] {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut moves, mut n_foreseen, mut n_ends) = (Moves::default(), 0, 0);
        for _ in 0..60 {
            let mut game = bridge(name);
            while game.board_outcome() == Ok(None) {
                game.moves(&mut moves).expect("no fault");
                if Bridge::len(&moves) == 0 || game.outcome(&moves).expect("no fault").is_some() {
                    break;
                }
                for index in 0..Bridge::len(&moves) {
                    if let Some(foreseen) = game.foresee(&moves, index) {
                        game.make(&moves, index).expect("no fault");
                        assert_eq!(game.board_outcome(), Ok(foreseen), "{name}");
                        game.unmake();
                        n_foreseen += 1;
                        n_ends += usize::from(foreseen.is_some());
                    }
                }
                let index = below(&mut random, Bridge::len(&moves));
                game.make(&moves, index).expect("no fault");
            }
        }
        assert_eq!((n_foreseen > 0, n_ends > 0), (foresees, foresees), "{name}");
    }
}

#[test]
fn what_was_found_below_the_state_reached_is_kept() {
    let mut game = bridge("connect-four");
    let mut mcts = Mcts::new(PLAYED_OUT);
    let mut moves = Moves::default();
    let first = mcts.search(&mut game, &Limits::nodes(100_000), &mut |_| {});
    let line: Vec<usize> = first.pv.iter().map(|step| step.index as usize).collect();
    assert!(line.len() >= 2, "{line:?}");
    for &index in &line[..2] {
        game.moves(&mut moves).expect("no fault");
        game.make(&moves, index).expect("no fault");
    }
    // One more simulation hardly changes what is already known; a fresh tree knows nothing but it.
    let kept = mcts.search(&mut game, &Limits::nodes(60), &mut |_| {});
    let fresh = Mcts::new(PLAYED_OUT).search(&mut game, &Limits::nodes(60), &mut |_| {});
    assert!(
        kept.pv.len() > fresh.pv.len() && fresh.pv.len() <= 2,
        "{} {}",
        kept.pv.len(),
        fresh.pv.len()
    );
    assert_eq!(
        kept.pv[0].index as usize,
        line.get(2).copied().unwrap_or(kept.pv[0].index as usize)
    );
    mcts.forget();
    let forgotten = mcts.search(&mut game, &Limits::nodes(60), &mut |_| {});
    assert_eq!((forgotten.pv, forgotten.score), (fresh.pv, fresh.score));
}

#[test]
fn several_threads_add_up_what_they_find() {
    let options = MctsOptions {
        threads: 2,
        ..PLAYED_OUT
    };
    let mut game = bridge("breakthrough");
    let key = game.key();
    let report = Mcts::new(options).search_in_threads(&mut game, &Limits::nodes(40_000), &mut |_| {});
    assert!(report.best.is_some() && report.nodes <= 40_002);
    let alone = Mcts::new(PLAYED_OUT).search(&mut game, &Limits::nodes(20_000), &mut |_| {});
    // The first thread does what it would do alone.
    assert!(report.simulations >= alone.simulations && report.nodes >= alone.nodes);
    assert_eq!(game.key(), key);
}

#[test]
fn a_simulation_allocates_nothing_but_at_the_end_of_a_game() {
    for name in ["connect-four", "breakthrough", "reversi", "chess"] {
        for cut in [None, Some(4)] {
            let mut game = bridge(name);
            let mut mcts = Mcts::new(MctsOptions { cut, ..PLAYED_OUT });
            mcts.search(&mut game, &Limits::nodes(20_000), &mut |_| {});
            mcts.forget();
            let before = n_allocations();
            let report = mcts.search(&mut game, &Limits::nodes(20_000), &mut |_| {});
            let n_allocations = n_allocations() - before;
            // Each line that is reported does; and the end of a game may count pieces, or name those that are mated.
            let n_allowed = report.lines.len() * 4 + 40 + report.simulations as usize;
            let n_simulations = report.simulations;
            assert!(
                n_allocations < n_allowed,
                "{name}: {n_allocations} in {n_simulations} simulations"
            );
        }
    }
}
