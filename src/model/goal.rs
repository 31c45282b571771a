//! Conditions that end the game.

use super::Site;
use super::expression::Condition;
use super::ids::{CellId, DirectionId, PieceKindId, PlayerId, ZoneId};

/// What a goal decides for the player it holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GoalKind {
    /// The player wins.
    Win,
    /// The player loses.
    Loss,
    /// The game is drawn.
    Draw,
    /// The player with the most pieces wins; equal numbers draw.
    Count,
    /// The game ends, and the scores decide (`end-condition`).
    End,
}

/// A goal section of the rules.
///
/// # Language
/// `docs/language.md`: win-condition, loss-condition, draw-condition, count-condition, end-condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// What it decides.
    pub kind: GoalKind,
    /// The players it is tested for, in the order written.
    pub players: Vec<PlayerId>,
    /// When it holds.
    pub condition: GoalCondition,
    /// Where it is written.
    pub site: Site,
}

/// When a goal holds for a player.
#[derive(Clone, Debug, PartialEq)]
pub enum GoalCondition {
    /// The player is to move and has no legal move.
    Stalemated,
    /// The position has occurred for the third time.
    Repetition,
    /// The player is to move, has a piece of these kinds attacked, and no legal move. Moves that leave such a piece
    /// attacked are illegal.
    Checkmated(Vec<PieceKindId>),
    /// A piece of these kinds of the player was captured by the last move.
    Captured(Vec<PieceKindId>),
    /// Every place holds one of the occupants.
    AbsoluteConfig(Vec<OccupantTest>, Vec<GoalPlace>),
    /// Some cell starts a chain of occupants one step apart: `first`, then for each pair a step and the next occupant.
    RelativeConfig(OccupantTest, Vec<(DirectionId, OccupantTest)>),
    /// The player has exactly so many pieces (of the kind) on the board.
    PiecesRemaining(u32, Option<PieceKindId>),
    /// All players together have exactly so many pieces (of the kind) on the board.
    TotalPieceCount(u32, Option<PieceKindId>),
    /// A condition about the board, the numbers and the past holds; `friend` is the player the goal speaks of.
    Holds(Condition),
    /// All hold.
    And(Vec<GoalCondition>),
    /// One holds.
    Or(Vec<GoalCondition>),
    /// It does not hold.
    Not(Box<GoalCondition>),
}

impl GoalCondition {
    /// Tells whether the condition speaks of the player who is to move next or of earlier positions (`stalemated`,
    /// `checkmated`, `repetition`), so that it is tested last.
    pub fn speaks_of_the_turn(&self) -> bool {
        match self {
            GoalCondition::Stalemated | GoalCondition::Repetition | GoalCondition::Checkmated(_) => true,
            GoalCondition::Captured(_)
            | GoalCondition::AbsoluteConfig(..)
            | GoalCondition::RelativeConfig(..)
            | GoalCondition::PiecesRemaining(..)
            | GoalCondition::Holds(_)
            | GoalCondition::TotalPieceCount(..) => false,
            GoalCondition::And(parts) | GoalCondition::Or(parts) => parts.iter().any(Self::speaks_of_the_turn),
            GoalCondition::Not(part) => part.speaks_of_the_turn(),
        }
    }

    /// Calls `visit` for this condition and all within it.
    pub fn walk(&self, visit: &mut impl FnMut(&GoalCondition)) {
        visit(self);
        match self {
            GoalCondition::And(parts) | GoalCondition::Or(parts) => parts.iter().for_each(|part| part.walk(visit)),
            GoalCondition::Not(part) => part.walk(visit),
            _ => {}
        }
    }
}

/// What may stand on a place of a configuration, seen from the goal's player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OccupantTest {
    /// The kind of piece.
    pub kind: PieceKindId,
    /// Whose piece.
    pub owner: OccupantOwner,
    /// Whether the test is turned round: no such piece there (an empty cell will do).
    pub negated: bool,
}

/// Whose piece an [`OccupantTest`] looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OccupantOwner {
    /// The goal's player.
    Friend,
    /// An enemy of the goal's player.
    Enemy,
    /// Anybody.
    Any,
}

/// A place of an absolute configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalPlace {
    /// One cell.
    Cell(CellId),
    /// Any cell of the zone, as it is for the goal's player.
    Zone(ZoneId),
}
