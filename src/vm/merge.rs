//! Finds equal candidates while they are generated.

use crate::model::CellId;
use crate::state::{MoveList, same_move};

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
        self.previous.push(newest);
        self.signatures.resize(index, (0, 0));
        self.signatures.push(signature);
        None
    }
}

#[inline(always)]
fn slot_of(from: CellId, to: CellId) -> usize {
    (from.index().wrapping_mul(0x9e5) ^ to.index().wrapping_mul(0x3d)) % N_SLOTS
}
