//! Goals that can never hold, as far as it is easily seen.

use crate::model::expression::{Condition, Number, Set, Test};
use crate::model::goal::{Goal, GoalCondition, GoalPlace, OccupantTest};
use crate::model::{GameModel, PieceKindId, PlayerId};

/// Tells whether a goal can hold for none of its players; `present` says which kinds can come into the game.
pub(super) fn never_holds(model: &GameModel, present: &[bool], goal: &Goal) -> bool {
    let eye = |player| Eye { model, present, player };
    goal.players.iter().all(|&player| eye(player).never(&goal.condition))
}

/// Looks at a goal for one player.
struct Eye<'a> {
    model: &'a GameModel,
    present: &'a [bool],
    player: PlayerId,
}

impl Eye<'_> {
    fn is_absent(&self, kind: PieceKindId) -> bool {
        !self.present[kind.index()]
    }

    fn are_absent(&self, kinds: &[PieceKindId]) -> bool {
        !kinds.is_empty() && kinds.iter().all(|&kind| self.is_absent(kind))
    }

    fn is_nowhere(&self, occupant: &OccupantTest) -> bool {
        !occupant.negated && self.is_absent(occupant.kind)
    }

    fn never(&self, condition: &GoalCondition) -> bool {
        match condition {
            GoalCondition::Stalemated | GoalCondition::Repetition => false,
            GoalCondition::Checkmated(kinds) | GoalCondition::Captured(kinds) => self.are_absent(kinds),
            GoalCondition::AbsoluteConfig(occupants, places) => {
                let is_empty = |place: &GoalPlace| match place {
                    GoalPlace::Cell(_) => false,
                    GoalPlace::Zone(zone) => self.model.board.zones[zone.index()].of(self.player).is_empty(),
                };
                occupants.iter().all(|occupant| self.is_nowhere(occupant)) || places.iter().any(is_empty)
            }
            GoalCondition::RelativeConfig(first, steps) => {
                let mut occupants = std::iter::once(first).chain(steps.iter().map(|(_, occupant)| occupant));
                occupants.any(|occupant| self.is_nowhere(occupant))
            }
            GoalCondition::PiecesRemaining(count, kind) | GoalCondition::TotalPieceCount(count, kind) => {
                let is_too_many = *count as usize > self.model.board.cells.len();
                let off_board = self.model.options.include_off_pieces;
                (is_too_many && !off_board) || (*count > 0 && kind.is_some_and(|kind| self.is_absent(kind)))
            }
            GoalCondition::Holds(condition) => self.is_false(condition),
            GoalCondition::And(parts) => parts.iter().any(|part| self.never(part)),
            GoalCondition::Or(parts) => parts.iter().all(|part| self.never(part)),
            GoalCondition::Not(_) => false,
        }
    }

    fn is_false(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Constant(holds) => !holds,
            Condition::Test(Test::Piece(kind), _) => self.is_absent(*kind),
            Condition::And(parts) => parts.iter().any(|part| self.is_false(part)),
            Condition::Or(parts) => parts.iter().all(|part| self.is_false(part)),
            Condition::Compare(comparison, a, b) => match (&**a, &**b) {
                (Number::Literal(a), Number::Literal(b)) => !comparison.holds(a, b),
                _ => false,
            },
            Condition::Some(set, inner) => {
                let is_empty = matches!(&**set, Set::Pieces(_, kinds) if self.are_absent(kinds));
                is_empty || inner.as_ref().is_some_and(|inner| self.is_false(inner))
            }
            _ => false,
        }
    }
}
