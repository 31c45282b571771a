//! Which moves other threads are searching at the moment, so that threads that share a table share the work as well.
//!
//! A thread that comes to a move that another one is searching from the same state to the same depth does the other moves
//! first; when it comes back, the table mostly has the answer. (Simplified ABDADA: T. Kerrigan, "Simplified ABDADA",
//! 2017; after J.-C. Weill, "The ABDADA distributed minimax-search algorithm", ICCA Journal 19, 1996.)

use std::sync::atomic::{AtomicU64, Ordering};

/// The least depth at which a move is worth looking up here.
pub(crate) const BUSY_DEPTH: u32 = 3;

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
