//! What can be said of a move before it is made: what it takes, gives up and promotes.
//!
//! A piece that takes a lesser one is taken to be lost where the enemy guards the cell (*better, or lower if not defended*).
//! That is asked where pieces can be in check, since then there are tables of attacks (`fast/danger.rs`).

use super::evaluation::Evaluation;
use crate::fast::Fast;
use crate::model::{CellId, Occupant, PlayerId};
use crate::rules::Rules;
use crate::search::MoveValue;
use crate::state::{Effect, State};

/// The part of a capturing piece's value that orders captures of equal gain: the least valuable piece first.
const CAPTURER_PART: i32 = 32;
/// Pieces whose values differ by less, in score points, are exchanged for each other.
const EVEN: i32 = 60;

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
            let capturer = self.evaluation.value(arriving).abs();
            gain -= match gain + EVEN < capturer && self.is_guarded(effects) {
                true => capturer,
                false => capturer / CAPTURER_PART,
            };
        }
        MoveValue {
            gain,
            tactical,
            promise,
        }
    }

    /// Tells whether the enemy is known to guard the cell where a move ends: whether it could take a royal piece there. Moves
    /// of several pieces, and those that leave another kind of piece there, are not looked at.
    fn is_guarded(&self, effects: &[Effect]) -> bool {
        let ([Effect::Move { to, .. }, rest @ ..], [royal, ..]) = (effects, self.rules.royal(self.mover)) else {
            return false;
        };
        let is_by_the_way = |effect: &Effect| {
            matches!(
                effect,
                Effect::SetAttribute { .. }
                    | Effect::IncreaseAttribute { .. }
                    | Effect::SetVariable { .. }
                    | Effect::IncreaseVariable { .. }
                    | Effect::Label(_)
                    | Effect::Rate { .. }
            )
        };
        let is_plain = rest.iter().all(is_by_the_way);
        let answer = |fast: &Fast| fast.is_attacked(self.state, *royal, *to);
        is_plain && self.rules.fast().and_then(answer) == Some(true)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::play::position::read_session;
    use crate::state::MoveList;
    use std::sync::Arc;

    #[test]
    fn a_greater_piece_takes_a_lesser_one_only_if_it_is_not_guarded() {
        let rules = Arc::new(builtin::rules("chess"));
        // The tables of attacks are part of that.
        rules.specialise();
        let evaluation = Evaluation::new(&rules).unwrap();
        let gain = |fen: &str, wanted: &str| {
            let mut session = read_session(Arc::clone(&rules), "test", &format!("fen {fen}")).unwrap();
            let mut list = MoveList::new();
            session.legal_moves(&mut list).unwrap();
            let appraisal = Appraisal {
                rules: &rules,
                state: session.state(),
                evaluation: &evaluation,
                mover: session.to_move(),
            };
            let to = rules.model.board.find(wanted).unwrap();
            let mut entries = list.iter().filter(|entry| entry.to == to);
            let value = appraisal.value(list.effects(entries.next().unwrap()));
            assert!(value.tactical);
            value.gain
        };
        // The rook takes a pawn: alone, guarded by another, and by nothing but a pawn that goes the other way.
        let pawn = gain("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d5");
        assert!(pawn > 0);
        assert!(gain("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d5") < 0);
        assert_eq!(gain("4k3/8/8/3pp3/8/8/8/3RK3 w - - 0 1", "d5"), pawn);
        // A pawn may take what it likes, and equal pieces are exchanged.
        assert!(gain("4k3/8/4p3/3n4/4P3/8/8/4K3 w - - 0 1", "d5") > pawn);
        assert!(gain("4k3/8/4p3/3n4/8/2N5/8/4K3 w - - 0 1", "d5") > pawn);
    }
}
