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
        // The piece that comes first takes the others.
        let mut capturer = Occupant::NONE;
        // Where a piece has changed sides.
        let mut turned = CellId::NONE;
        for effect in effects {
            match *effect {
                Effect::Move { from, to } => {
                    if capturer.is_none() {
                        capturer = self.state.occupant(from);
                    }
                    if !leaves(effects, to) {
                        tactical |= self.take(self.state.occupant(to), &mut gain);
                    }
                }
                Effect::Drop { piece, to } | Effect::Copy { piece, to } | Effect::Create { piece, at: to } => {
                    if capturer.is_none() {
                        capturer = piece;
                    }
                    if !leaves(effects, to) {
                        tactical |= self.take(self.state.occupant(to), &mut gain);
                    }
                }
                Effect::Capture { at } if at == turned => {
                    // It is the mover's already: it goes into the mover's stock, or nowhere.
                    tactical = true;
                    if !self.rules.model.options.recycle_captures {
                        gain -= self.evaluation.value(self.after_arrival(effects, at));
                    }
                }
                Effect::Capture { at } => tactical |= self.take(self.after_arrival(effects, at), &mut gain),
                Effect::ChangeOwner { at, .. } | Effect::Flip { at } => {
                    // Its value changes sides. It is no reason to look further: some games turn pieces with every move.
                    let mut lost = 0;
                    self.take(self.after_arrival(effects, at), &mut lost);
                    gain += 2 * lost;
                    turned = at;
                }
                Effect::ChangeKind { at, kind } | Effect::Promote { at, kind } => {
                    let piece = self.after_arrival(effects, at);
                    if piece.is_some() && self.is_own(piece) {
                        let promoted = self.rules.occupant(self.rules.owner(piece), kind);
                        let more = self.evaluation.value(promoted) - self.evaluation.value(piece);
                        gain += more;
                        tactical |= more > 0;
                    }
                }
                Effect::SetAttribute { .. }
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
        if tactical && capturer.is_some() {
            let value = self.evaluation.value(capturer).abs();
            // Where what is taken changes sides, so would the capturer.
            let lost = if turned.is_some() { 2 * value } else { value };
            gain -= match gain + EVEN < lost && self.is_guarded(effects) {
                true => lost,
                false => value / CAPTURER_PART,
            };
        }
        MoveValue {
            gain,
            tactical,
            promise,
        }
    }

    /// Returns what stands on a cell when the pieces of a move have arrived, but before anything else has changed.
    fn after_arrival(&self, effects: &[Effect], cell: CellId) -> Occupant {
        let arriving = (effects.iter().take_while(|effect| effect.is_movement())).filter_map(|effect| match *effect {
            Effect::Move { from, to } if to == cell => Some(self.state.occupant(from)),
            Effect::Drop { piece, to } | Effect::Copy { piece, to } if to == cell => Some(piece),
            _ => None,
        });
        arriving.last().unwrap_or_else(|| self.state.occupant(cell))
    }

    /// Tells whether the enemy is known to guard the cell where a move ends: whether it could take a royal piece there. Moves
    /// of several of the mover's pieces, and those that leave another kind of piece there, are not looked at.
    fn is_guarded(&self, effects: &[Effect]) -> bool {
        let ([Effect::Move { to, .. }, rest @ ..], [royal, ..]) = (effects, self.rules.royal(self.mover)) else {
            return false;
        };
        let is_by_the_way = |effect: &Effect| match *effect {
            // What is taken may go elsewhere.
            Effect::Move { from, .. } => !self.is_own(self.state.occupant(from)),
            Effect::Drop { .. } | Effect::Copy { .. } | Effect::Create { .. } => false,
            Effect::ChangeKind { at, .. } | Effect::Promote { at, .. } => at != *to,
            _ => true,
        };
        let is_plain = rest.iter().all(is_by_the_way);
        let answer = |fast: &Fast| fast.is_attacked(self.state, *royal, *to);
        is_plain && self.rules.fast().and_then(answer) == Some(true)
    }

    /// Tells whether a piece is on the mover's side.
    fn is_own(&self, piece: Occupant) -> bool {
        self.evaluation.side_of_piece(piece) == self.evaluation.side(self.mover)
    }

    /// Adds what the mover's side gains when a piece is taken; tells whether that may be why it is: it is an enemy's piece of
    /// value, or one that is better got rid of.
    fn take(&self, piece: Occupant, gain: &mut i32) -> bool {
        if piece.is_none() {
            return false;
        }
        let value = self.evaluation.value(piece);
        match self.evaluation.side_of_piece(piece) {
            Some(_) if self.is_own(piece) => {
                *gain -= value;
                return value < 0;
            }
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
    use crate::play::Session;
    use crate::play::position::read_session;
    use crate::state::MoveList;
    use std::sync::Arc;

    fn appraisal<'a>(session: &'a Session, evaluation: &'a Evaluation) -> Appraisal<'a> {
        Appraisal {
            rules: session.rules(),
            state: session.state(),
            evaluation,
            mover: session.to_move(),
        }
    }

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
            let appraisal = appraisal(&session, &evaluation);
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

    #[test]
    fn a_piece_that_is_taken_to_hand_counts_for_both_sides() {
        let rules = Arc::new(builtin::rules("shogi"));
        rules.specialise();
        let evaluation = Evaluation::new(&rules).unwrap();
        let mut session = Session::new(Arc::clone(&rules));
        let mut list = MoveList::new();
        let cell = |name: &str| rules.model.board.find(name).unwrap();
        for (from, to) in [("7g", "7f"), ("3c", "3d")] {
            session.legal_moves(&mut list).unwrap();
            let index = list
                .iter()
                .position(|entry| (entry.from, entry.to) == (cell(from), cell(to)));
            session.make(&list, index.unwrap()).unwrap();
        }
        session.legal_moves(&mut list).unwrap();
        let appraisal = appraisal(&session, &evaluation);
        // The bishop takes the other, which is guarded, and may promote.
        let exchanges = list.iter().filter(|entry| entry.to == cell("2b"));
        let gains: Vec<i32> = (exchanges.map(|entry| appraisal.value(list.effects(entry))))
            .inspect(|value| assert!(value.tactical))
            .map(|value| value.gain)
            .collect();
        let bishop = evaluation.value(session.state().occupant(cell("8h")));
        assert_eq!(gains.len(), 2, "{gains:?}");
        assert!(gains.iter().all(|&gain| gain > bishop), "{gains:?} {bishop}");
        // Quiet moves take nothing.
        let mut quiet = list.iter().filter(|entry| entry.to == cell("1f"));
        assert!(!appraisal.value(list.effects(quiet.next().unwrap())).tactical);
    }

    #[test]
    fn it_is_no_tactics_to_give_up_a_piece() {
        let text = b"(game (title \"Gift\") (players White Black) (turn-order White Black)
            (board (grid (dimensions (\"a/b/c\" (1 0)) (\"1/2\" (0 1))) (directions (e 1 0) (s 0 1))))
            (board-setup (White (Man a1 b1)) (Black (Man a2)))
            (piece (name Man) (moves (e (verify friend?) add) (s (verify enemy?) add)))
            (loss-condition (White Black) stalemated))";
        let rules: Arc<Rules> = crate::load("gift.zrf", text).unwrap().remove(0).into();
        let evaluation = Evaluation::new(&rules).unwrap();
        let session = Session::new(Arc::clone(&rules));
        let cell = |name: &str| rules.model.board.find(name).unwrap();
        let appraisal = appraisal(&session, &evaluation);
        let value = |to: &str| {
            let (from, to) = (cell("a1"), cell(to));
            appraisal.value(&[Effect::Move { from, to }])
        };
        let (gift, capture) = (value("b1"), value("a2"));
        assert!(!gift.tactical && gift.gain < 0, "{gift:?}");
        assert!(capture.tactical && capture.gain > 0, "{capture:?}");
    }
}
