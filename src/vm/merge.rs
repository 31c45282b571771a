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
    stamp: u32,
}

impl Default for Merger {
    fn default() -> Merger {
        Merger {
            slots: vec![(0, 0); N_SLOTS].into(),
            previous: Vec::new(),
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
}

#[inline(always)]
fn slot_of(from: CellId, to: CellId) -> usize {
    (from.index().wrapping_mul(0x9e5) ^ to.index().wrapping_mul(0x3d)) % N_SLOTS
}
