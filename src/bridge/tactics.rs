//! Whether it tells anything of a move that it takes something.
//!
//! Where nearly every move of nearly every state does, as in games whose rules note something by exchanging pieces, or in
//! which all moves are jumps, following such moves beyond the horizon only makes the tree deeper.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::appraisal::Appraisal;
use super::evaluation::Evaluation;
use crate::play::Session;
use crate::play::playout::below;
use crate::rules::Rules;
use crate::state::MoveList;

/// The random games that are looked at, and the plies of each.
const GAMES: u64 = 3;
const PLIES: usize = 16;
/// The fewest states with a choice that say anything.
const ENOUGH: usize = 8;

/// Tells whether tactical moves stand out: in a quarter of the states of a few random games, or more, there are others.
pub fn stand_out(rules: &Arc<Rules>, evaluation: &Evaluation) -> bool {
    if evaluation.n_sides() < 2 {
        // Nobody takes anything from who plays alone, and none is followed.
        return true;
    }
    let (mut n_states, mut n_others) = (0, 0);
    let mut list = MoveList::new();
    for game in 0..GAMES {
        let mut random = ChaCha8Rng::seed_from_u64(game);
        let mut session = Session::new(Arc::clone(rules));
        for _ in 0..PLIES {
            // Rules that fault say nothing, here and later.
            let Ok(None) = session.legal_moves(&mut list) else {
                break;
            };
            let item = session.turn_item();
            if list.len() > 1 && !rules.model.players[item.player.index()].random {
                let appraisal = Appraisal {
                    rules,
                    state: session.state(),
                    evaluation,
                    mover: item.player,
                };
                let is_quiet = |entry| !appraisal.value(list.effects(entry)).tactical;
                n_states += 1;
                n_others += usize::from(list.iter().any(is_quiet));
            }
            if session.make(&list, below(&mut random, list.len())).is_err() {
                break;
            }
        }
    }
    n_states < ENOUGH || n_others * 4 >= n_states
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{builtin, load};

    #[test]
    fn captures_stand_out_where_there_are_quiet_moves() {
        for name in ["chess", "english-draughts", "breakthrough", "kalah", "xiangqi"] {
            let rules = Arc::new(builtin::rules(name));
            assert!(stand_out(&rules, &Evaluation::new(&rules).unwrap()), "{name}");
        }
    }

    #[test]
    fn captures_do_not_stand_out_where_every_move_is_one() {
        // Each stone steps onto an enemy: clobber.
        let text = b"(game (title \"Clobber\") (players White Black) (turn-order White Black)
            (board (grid (dimensions (\"a/b/c/d/e/f\" (1 0)) (\"1/2/3/4/5/6\" (0 1)))
                (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))
            (board-setup
                (White (Stone a1 a3 a5 b2 b4 b6 c1 c3 c5 d2 d4 d6 e1 e3 e5 f2 f4 f6))
                (Black (Stone a2 a4 a6 b1 b3 b5 c2 c4 c6 d1 d3 d5 e2 e4 e6 f1 f3 f5)))
            (piece (name Stone) (moves
                (n (verify enemy?) add) (s (verify enemy?) add) (e (verify enemy?) add) (w (verify enemy?) add)))
            (loss-condition (White Black) stalemated))";
        let rules: Arc<Rules> = load("clobber.zrf", text).unwrap().remove(0).into();
        let evaluation = Evaluation::new(&rules).unwrap();
        assert!(!stand_out(&rules, &evaluation));
        assert!(!evaluation.tactics_stand_out());
    }
}
