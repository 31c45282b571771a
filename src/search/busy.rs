//! Which moves other threads are searching at the moment, so that threads that share a table share the work as well.
//!
//! A thread that comes to a move that another one is searching from the same state to the same depth does the other moves
//! first; when it comes back, the table mostly has the answer. (Simplified ABDADA: T. Kerrigan, "Simplified ABDADA",
//! 2017; after J.-C. Weill, "The ABDADA distributed minimax-search algorithm", ICCA Journal 19, 1996.)

use std::sync::atomic::{AtomicU64, Ordering};

use super::alphabeta::{Halt, Spot, Tree, Window};
use super::game::Game;

/// The least depth at which a move is worth looking up here.
const BUSY_DEPTH: u32 = 3;

const SLOTS: usize = 1 << 12;

/// The moves being searched: by slot the one noted last. One that is overwritten is only searched twice.
#[derive(Debug)]
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Busy {
    pub(crate) fn new() -> Busy {
        Busy((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// Names the search of a move from the state of a key to a depth.
    pub(crate) fn name(key: u64, fingerprint: u32, depth: u32) -> u64 {
        let mixed = (u64::from(fingerprint) << 8 | u64::from(depth)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (key ^ mixed ^ mixed >> 32).max(1)
    }

    fn slot(&self, name: u64) -> &AtomicU64 {
        &self.0[name as usize % SLOTS]
    }

    /// Tells whether another thread is at it.
    pub(crate) fn has(&self, name: u64) -> bool {
        self.slot(name).load(Ordering::Relaxed) == name
    }

    /// Notes that a thread begins.
    pub(crate) fn begin(&self, name: u64) {
        self.slot(name).store(name, Ordering::Relaxed);
    }

    /// Notes that a thread ends.
    pub(crate) fn end(&self, name: u64) {
        let slot = self.slot(name);
        if slot.load(Ordering::Relaxed) == name {
            slot.store(0, Ordering::Relaxed);
        }
    }
}

/// In which order the places of a ply are gone to: first all in turn, then those that were put off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agenda {
    first: usize,
    /// The next place, or past the end as many of those that were put off as have had their turn.
    next: usize,
    end: usize,
}

/// A place of a ply whose turn it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) place: usize,
    is_first: bool,
    /// Whether it was left for later before.
    pub(crate) is_put_off: bool,
}

impl<G: Game> Tree<'_, G> {
    /// Begins to go through the moves of `ply` from place `first` on.
    pub(crate) fn agenda(&mut self, ply: usize, first: usize) -> Agenda {
        self.stack[ply].put_off.clear();
        let n_moves = self.stack[ply].order.len();
        Agenda {
            first,
            next: first,
            end: n_moves.min(self.budget.width().saturating_add(first)),
        }
    }

    /// Returns the next place to go to.
    pub(crate) fn next_turn(&self, ply: usize, agenda: &mut Agenda) -> Option<Turn> {
        let is_put_off = agenda.next >= agenda.end;
        let place = match is_put_off {
            false => agenda.next,
            true => *self.stack[ply].put_off.get(agenda.next - agenda.end)?,
        };
        agenda.next += 1;
        Some(Turn {
            place,
            is_first: place == agenda.first,
            is_put_off,
        })
    }

    /// Searches the move at a place, as [`Tree::try_move`] does; or puts it off, once, if another thread is at it.
    pub(crate) fn try_in_turn(
        &mut self,
        at: Spot,
        turn: Turn,
        index: u32,
        window: Window,
        less: u32,
    ) -> Result<Option<i32>, Halt<G::Fault>> {
        let busy = self.busy.filter(|_| !turn.is_first && at.depth >= BUSY_DEPTH);
        let Some(busy) = busy else {
            return self.try_move(at, index, window, turn.is_first, less).map(Some);
        };
        let fingerprint = G::fingerprint(&self.stack[at.ply].moves, index as usize);
        let name = Busy::name(self.key(), fingerprint, at.depth);
        if !turn.is_put_off && busy.has(name) {
            self.stack[at.ply].put_off.push(turn.place);
            return Ok(None);
        }
        busy.begin(name);
        let score = self.try_move(at, index, window, false, less);
        busy.end(name);
        score.map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_begun_is_busy_until_it_ends() {
        let busy = Busy::new();
        let name = Busy::name(7, 8, 9);
        assert!(!busy.has(name));
        busy.begin(name);
        assert!(busy.has(name));
        assert!(!busy.has(Busy::name(7, 8, 10)));
        busy.end(name);
        assert!(!busy.has(name));
    }
}
