//! What can be said of a move before it is made: what it takes, gives up and promotes.

use super::evaluation::Evaluation;
use crate::model::{CellId, Occupant, PlayerId};
use crate::rules::Rules;
use crate::search::MoveValue;
use crate::state::{Effect, State};

/// The part of a capturing piece's value that orders captures of equal gain: the least valuable piece first.
const CAPTURER_PART: i32 = 32;

/// What is looked at to value a move before it is made.
pub struct Appraisal<'a> {
    pub rules: &'a Rules,
    pub state: &'a State,
    pub evaluation: &'a Evaluation,
    pub mover: PlayerId,
}

impl Appraisal<'_> {
    /// Values a move of the mover by its effects.
    pub fn value(&self, effects: &[Effect]) -> MoveValue {
        let (mut gain, mut promise) = (0, 0i32);
        let mut tactical = false;
        let mut arriving = Occupant::NONE;
        for effect in effects {
            match *effect {
                Effect::Move { from, to } => {
                    arriving = self.state.occupant(from);
                    if !leaves(effects, to) {
                        tactical |= self.take(to, &mut gain);
                    }
                }
                Effect::Drop { piece, to } | Effect::Copy { piece, to } | Effect::Create { piece, at: to } => {
                    arriving = piece;
                    if !leaves(effects, to) {
                        tactical |= self.take(to, &mut gain);
                    }
                }
                Effect::Capture { at } => tactical |= self.take(at, &mut gain),
                Effect::ChangeOwner { at, .. } | Effect::Flip { at } => {
                    // Its value changes sides. It is no reason to look further: some games turn pieces with every move.
                    let mut lost = 0;
                    self.take(at, &mut lost);
                    gain += 2 * lost;
                }
                Effect::ChangeKind { kind, .. } | Effect::Promote { kind, .. } if arriving.is_some() => {
                    let promoted = self.rules.occupant(self.rules.owner(arriving), kind);
                    let more = self.evaluation.value(promoted) - self.evaluation.value(arriving);
                    gain += more;
                    tactical |= more > 0;
                }
                Effect::ChangeKind { .. }
                | Effect::Promote { .. }
                | Effect::SetAttribute { .. }
                | Effect::IncreaseAttribute { .. }
                | Effect::SetVariable { .. }
                | Effect::IncreaseVariable { .. }
                | Effect::Then
                | Effect::Again
                | Effect::Label(_) => {}
                // The first number counts most.
                Effect::Rate { value } if promise == 0 => promise = value,
                Effect::Rate { .. } => {}
            }
        }
        if tactical && arriving.is_some() {
            gain -= self.evaluation.value(arriving).abs() / CAPTURER_PART;
        }
        MoveValue {
            gain,
            tactical,
            promise,
        }
    }

    /// Adds what the mover's side gains when the piece on `cell` is taken; tells whether there is one of value.
    fn take(&self, cell: CellId, gain: &mut i32) -> bool {
        let piece = self.state.occupant(cell);
        if piece.is_none() {
            return false;
        }
        let value = self.evaluation.value(piece);
        let owner = self.rules.owner(piece);
        match self.evaluation.side(owner) {
            Some(side) if Some(side) == self.evaluation.side(self.mover) => *gain -= value,
            Some(_) => *gain += value,
            None => {}
        }
        value != 0
    }
}

/// Tells whether a movement starts on `cell`.
fn leaves(effects: &[Effect], cell: CellId) -> bool {
    effects
        .iter()
        .take_while(|effect| effect.is_movement())
        .any(|effect| match *effect {
            Effect::Move { from, .. } => from == cell,
            _ => false,
        })
}
