//! Who plays with whom: the side of each player, and of each piece.
//!
//! A piece is on the side of its owner. Pieces that several sides move, or none, are on no side by that; but a goal may tell
//! whom they serve, as where a side loses when none of some kind are left.

use super::values::walk_goals;
use crate::model::goal::{GoalCondition, GoalKind};
use crate::model::{GameModel, Occupant, PieceKindId, PlayerId};
use crate::rules::Rules;

/// The sides of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    of_player: Vec<Option<u8>>,
    of_piece: Vec<Option<u8>>,
    count: usize,
}

impl Sides {
    /// Finds the sides of a game, numbered in the order in which they first decide.
    pub fn find(rules: &Rules) -> Sides {
        let (of_player, count) = of_players(&rules.model);
        let mut of_piece = vec![None; rules.occupants.len()];
        for piece in rules.occupants.pieces() {
            let of_owner = of_player[rules.owner(piece).index()];
            let by_goals = || {
                (count == 2)
                    .then(|| served(rules, &of_player, rules.kind(piece)))
                    .flatten()
            };
            of_piece[piece.index()] = of_owner.or_else(by_goals);
        }
        Sides {
            of_player,
            of_piece,
            count,
        }
    }

    /// Returns the number of sides.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the side of a player, if any.
    pub fn of(&self, player: PlayerId) -> Option<u8> {
        self.of_player[player.index()]
    }

    /// Returns the side that a piece serves, if any.
    pub fn of_piece(&self, piece: Occupant) -> Option<u8> {
        self.of_piece[piece.index()]
    }
}

/// Returns the side of each player, and the number of sides: those who decide, each with all whose pieces move at its word
/// alone.
fn of_players(model: &GameModel) -> (Vec<Option<u8>>, usize) {
    let is_random = |player: PlayerId| model.players[player.index()].random;
    let items = || (model.turn_order.items.iter()).filter(|item| !is_random(item.player));
    let mut sides = vec![None; model.players.len()];
    let mut count = 0usize;
    for item in items() {
        if sides[item.player.index()].is_none() {
            sides[item.player.index()] = Some(count.min(usize::from(u8::MAX)) as u8);
            count += 1;
        }
    }
    let deciders = sides.clone();
    let mut are_shared = vec![false; sides.len()];
    for item in items() {
        let (mover, side) = (item.acts_as.index(), deciders[item.player.index()]);
        if deciders[mover].is_none() {
            are_shared[mover] |= sides[mover].is_some() && sides[mover] != side;
            sides[mover] = side;
        }
    }
    for (side, is_shared) in sides.iter_mut().zip(are_shared) {
        *side = side.filter(|_| !is_shared);
    }
    (sides, count)
}

/// Returns the side that pieces of a kind serve whoever moves them, of two: the one that loses with a number of them, or whose
/// enemy wins.
fn served(rules: &Rules, sides: &[Option<u8>], kind: PieceKindId) -> Option<u8> {
    let mut serves = [false; 2];
    for (goals, is_loss) in [(GoalKind::Loss, true), (GoalKind::Win, false)] {
        walk_goals(rules, goals, &mut |player, condition| {
            if let (Some(side), GoalCondition::TotalPieceCount(_, Some(counted))) = (sides[player.index()], condition) {
                serves[usize::from(if is_loss { side } else { 1 - side })] |= *counted == kind;
            }
        });
    }
    match serves {
        [true, false] => Some(0),
        [false, true] => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sides of the players A, B and N, and those that N's men and wolves serve.
    fn sides(turn_order: &str, goals: &str) -> (Vec<Option<u8>>, [Option<u8>; 2]) {
        let text = format!(
            "(game (title \"Herd\") (players A B N) (turn-order {turn_order})
            (board (grid (dimensions (\"a/b/c\" (1 0)) (\"1/2\" (0 1))) (directions (e 1 0))))
            (board-setup (N (Man a1) (Wolf a2)))
            (piece (name Man) (moves (e add))) (piece (name Wolf) (moves (e add))) {goals})"
        );
        let rules: Rules = crate::load("herd.zrf", text.as_bytes()).unwrap().remove(0);
        let sides = Sides::find(&rules);
        assert_eq!(sides.count(), 2);
        let shepherd = PlayerId::new(2).unwrap();
        let of_kind = |kind: usize| sides.of_piece(rules.occupant(shepherd, PieceKindId::new(kind).unwrap()));
        let of_players = rules.model.player_ids().map(|player| sides.of(player)).collect();
        (of_players, [of_kind(0), of_kind(1)])
    }

    #[test]
    fn pieces_of_a_third_player_are_on_the_side_that_alone_moves_them() {
        let (players, pieces) = sides("A (A N) B", "(loss-condition (A B) stalemated)");
        assert_eq!(players, [Some(0), Some(1), Some(0)]);
        assert_eq!(pieces, [Some(0); 2]);
    }

    #[test]
    fn pieces_that_both_sides_move_serve_whom_the_goals_say() {
        let shared = "(A N) (B N)";
        let goals = "(loss-condition (A) (total-piece-count 0 Wolf)) (win-condition (A) (total-piece-count 0 Man))";
        let (players, pieces) = sides(shared, goals);
        assert_eq!(players, [Some(0), Some(1), None]);
        assert_eq!(pieces, [Some(1), Some(0)]);
        // Both lose with them, or nobody.
        let both = "(loss-condition (A B) (total-piece-count 0 Man)) (draw-condition (A) (total-piece-count 0 Wolf))";
        assert_eq!(sides(shared, both).1, [None, None]);
    }
}
