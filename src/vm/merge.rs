//! Finds equal candidates while they are generated.

use super::frame::Progress;
use super::stage::make_signed;
use crate::model::CellId;
use crate::rules::Rules;
use crate::state::key::spread;
use crate::state::{Effect, MoveList, State, UndoLog, same_move};

const N_SLOTS: usize = 1024;

/// Candidates by their first movement, so that only those with the same one are compared.
#[derive(Clone, Debug)]
pub(crate) struct Merger {
    /// For each slot the stamp of the generation that wrote it and its newest candidate.
    slots: Box<[(u32, u32)]>,
    /// For each candidate the one before it in its slot.
    previous: Vec<u32>,
    /// For each candidate what it changes, if it was told; else 0.
    signatures: Vec<(u64, u64)>,
    stamp: u32,
}

impl Default for Merger {
    fn default() -> Merger {
        Merger {
            slots: vec![(0, 0); N_SLOTS].into(),
            previous: Vec::new(),
            signatures: Vec::new(),
            stamp: 0,
        }
    }
}

const NO_CANDIDATE: u32 = u32::MAX;

impl Merger {
    /// Forgets all candidates; the list starts with `n_moves`.
    pub fn begin(&mut self, n_moves: usize) {
        self.previous.clear();
        self.previous.resize(n_moves, NO_CANDIDATE);
        self.signatures.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill((0, 0));
            self.stamp = 1;
        }
    }

    /// Tells whether move `index` of `list` is new; then it is remembered. All moves before it have been.
    #[inline]
    pub fn is_new(&mut self, list: &MoveList, index: usize) -> bool {
        let entry = list.get(index);
        let slot = &mut self.slots[slot_of(entry.from, entry.to)];
        let mut candidate = if slot.0 == self.stamp { slot.1 } else { NO_CANDIDATE };
        let newest = candidate;
        while candidate != NO_CANDIDATE {
            if same_move(list, list.get(candidate as usize), entry) {
                return false;
            }
            candidate = self.previous[candidate as usize];
        }
        *slot = (self.stamp, index as u32);
        self.previous.push(newest);
        true
    }

    /// Returns the candidate that changes the same as the last move of `list`, which `signature` tells; if there is none
    /// the move is remembered.
    pub fn find_signed(&mut self, list: &MoveList, signature: (u64, u64)) -> Option<usize> {
        let index = list.len() - 1;
        let slot = &mut self.slots[signature.0 as usize % N_SLOTS];
        let mut candidate = if slot.0 == self.stamp { slot.1 } else { NO_CANDIDATE };
        let newest = candidate;
        while candidate != NO_CANDIDATE {
            if self.signatures.get(candidate as usize) == Some(&signature) {
                return Some(candidate as usize);
            }
            candidate = self.previous[candidate as usize];
        }
        *slot = (self.stamp, index as u32);
        self.previous.resize(index, NO_CANDIDATE);
        self.previous.push(newest);
        self.signatures.resize(index, (0, 0));
        self.signatures.push(signature);
        None
    }
}

/// Keeps of the moves from number `first` on one of those that change the same, by the definition of
/// [`Merger::find_signed`]: the first, but with the highest rating.
///
/// Moves with equal movements are made to see what they change; few moves have those.
pub(crate) fn merge_changes(
    rules: &Rules,
    state: &mut State,
    log: &mut UndoLog,
    merger: &mut Merger,
    list: &mut MoveList,
    first: usize,
) {
    merger.begin(first);
    merger.signatures.resize(first, (0, 0));
    let mut kept = first;
    for index in first..list.len() {
        list.moves.copy(index, kept);
        let entry = *list.get(kept);
        let slot = movements_sum(list.effects(&entry)) as usize % N_SLOTS;
        let (stamp, newest) = merger.slots[slot];
        let newest = if stamp == merger.stamp { newest } else { NO_CANDIDATE };
        let mut signature = (0, 0);
        let mut candidate = newest;
        while candidate != NO_CANDIDATE {
            let known = candidate as usize;
            if merger.signatures[known] == (0, 0) {
                merger.signatures[known] = signature_of(rules, state, log, list, known);
            }
            if signature == (0, 0) {
                signature = signature_of(rules, state, log, list, kept);
            }
            if merger.signatures[known] == signature {
                break;
            }
            candidate = merger.previous[known];
        }
        if candidate == NO_CANDIDATE {
            merger.slots[slot] = (merger.stamp, kept as u32);
            merger.previous.push(newest);
            merger.signatures.push(signature);
            kept += 1;
        } else if list.rating(&entry) > list.rating(list.get(candidate as usize)) {
            list.moves.copy(kept, candidate as usize);
        }
    }
    list.moves.truncate(kept);
}

/// Returns a number that is the same for all moves with the same movements, in whatever order.
fn movements_sum(effects: &[Effect]) -> u64 {
    let numbers = effects.iter().map(|effect| match *effect {
        Effect::Move { from, to } => spread(1 << 60 | u64::from(from.0) << 16 | u64::from(to.0)),
        Effect::Drop { piece, to } => spread(2 << 60 | u64::from(piece.0) << 16 | u64::from(to.0)),
        Effect::Copy { piece, to } => spread(3 << 60 | u64::from(piece.0) << 16 | u64::from(to.0)),
        _ => 0,
    });
    numbers.fold(0, u64::wrapping_add)
}

/// Returns what a move changes, as a run of its block would tell it.
fn signature_of(rules: &Rules, state: &mut State, log: &mut UndoLog, list: &MoveList, index: usize) -> (u64, u64) {
    let entry = list.get(index);
    let mut progress = Progress {
        arrival: entry.arrival,
        continuation: entry.continuation,
        ..Progress::default()
    };
    let (mark, keys) = (log.mark(), state.keys());
    for stage in list.effects(entry).split(|effect| *effect == Effect::Then) {
        make_signed(rules, state, log, &mut progress, stage);
    }
    state.roll_back(rules, log, mark, keys);
    progress.full_signature()
}

#[inline(always)]
fn slot_of(from: CellId, to: CellId) -> usize {
    (from.index().wrapping_mul(0x9e5) ^ to.index().wrapping_mul(0x3d)) % N_SLOTS
}
