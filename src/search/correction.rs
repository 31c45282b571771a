//! Where the evaluation was found wrong, and by how much: the search learns it while it goes on.
//!
//! A state has aspects ([`Game::aspects`](super::Game::aspects)). Whenever the search of a state ends with another score than
//! its evaluation foretold, each aspect is charged with a share of the difference, for whoever acts; states that have an
//! aspect in common with it are then judged accordingly (*correction history*).

use super::game::N_ASPECTS;

/// The entries of each aspect for each side.
const N_SLOTS: usize = 1 << 13;
/// In these parts of a score point corrections are kept.
const GRAIN: i32 = 256;
/// The greatest correction that an aspect can ask for, in score points.
const LIMIT: i32 = 64;
/// The share of what was missed that each aspect is charged with, as a divisor: all aspects together learn it.
const SHARE: i32 = N_ASPECTS as i32;
/// A search to depth `d` counts `d + 1` of so many parts, what was learnt before the rest.
const INERTIA: i32 = 256;
/// The most parts that one search counts.
const MOST_PARTS: i32 = 16;

/// What was learnt.
#[derive(Debug)]
pub(crate) struct Corrections {
    /// By side, aspect and slot.
    entries: Box<[i16]>,
}

impl Corrections {
    /// Creates corrections of nothing.
    pub(crate) fn new() -> Corrections {
        Corrections {
            entries: vec![0; 2 * N_ASPECTS * N_SLOTS].into(),
        }
    }

    /// Returns by how much the evaluation of a state of these aspects should be greater, as whoever acts sees it.
    pub(crate) fn of(&self, side: usize, aspects: &[u64; N_ASPECTS]) -> i32 {
        let asked = slots(side, aspects).map(|slot| i32::from(self.entries[slot]));
        asked.sum::<i32>() / GRAIN
    }

    /// Learns that the evaluation should have been greater by `missed` score points, as found by a search to `depth`.
    pub(crate) fn learn(&mut self, side: usize, aspects: &[u64; N_ASPECTS], missed: i32, depth: u32) {
        let parts = (depth as i32 + 1).min(MOST_PARTS);
        let target = missed.clamp(-SHARE * LIMIT, SHARE * LIMIT) * GRAIN / SHARE;
        for slot in slots(side, aspects) {
            let entry = &mut self.entries[slot];
            *entry = ((i32::from(*entry) * (INERTIA - parts) + target * parts) / INERTIA) as i16;
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(0);
    }
}

/// Returns the slots of the aspects of a state, but for those of which nothing is learnt.
fn slots(side: usize, aspects: &[u64; N_ASPECTS]) -> impl Iterator<Item = usize> + '_ {
    let numbered = aspects.iter().enumerate().filter(|(_, aspect)| **aspect != 0);
    numbered.map(move |(number, aspect)| ((side & 1) * N_ASPECTS + number) * N_SLOTS + *aspect as usize % N_SLOTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_missed_is_learnt_by_and_by() {
        let mut corrections = Corrections::new();
        let aspects = [11, 22, 33, 44];
        let mut before = 0;
        for _ in 0..20 {
            corrections.learn(0, &aspects, 80, 3);
            let now = corrections.of(0, &aspects);
            assert!(now >= before);
            before = now;
        }
        assert!((15..25).contains(&before), "{before}");
        (0..2_000).for_each(|_| corrections.learn(0, &aspects, 80, 15));
        assert!((76..=80).contains(&corrections.of(0, &aspects)));
        // Half of the aspects, half of it; nothing for the other side.
        let half = corrections.of(0, &[11, 22, 55, 0]);
        assert!((38..=40).contains(&half), "{half}");
        assert_eq!(corrections.of(1, &aspects), 0);
        (0..2_000).for_each(|_| corrections.learn(0, &aspects, -1_000_000, 99));
        assert!(corrections.of(0, &aspects) >= -SHARE * LIMIT);
        corrections.clear();
        assert_eq!(corrections.of(0, &aspects), 0);
    }

    #[test]
    fn nothing_is_learnt_of_no_aspect() {
        let mut corrections = Corrections::new();
        corrections.learn(0, &[0; N_ASPECTS], 80, 9);
        assert_eq!(corrections.of(0, &[0; N_ASPECTS]), 0);
    }
}
