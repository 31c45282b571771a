//! The transposition table: what is known of states met before.
//!
//! An entry is two atomic words: the packed data, and the key combined with the data by exclusive or.
//! If two threads write one entry at once, its words no longer fit each other and it reads as unknown, so the table can be
//! shared without locks.

use std::sync::atomic::{AtomicU64, Ordering};

/// Entries that one state may be stored in; together they fill a cache line.
const BUCKET: usize = CACHE_LINE / size_of::<Entry>();
/// The bytes that the processor fetches at once.
const CACHE_LINE: usize = 64;

/// A bound that was found with more plies less than this does not take the place of what is known of the same state.
const MUCH_DEEPER: u8 = 3;
/// How many plies of depth an entry loses in worth with each search that has begun since it was stored.
const AGE_WEIGHT: i32 = 4;

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The best move, squeezed by [`squeeze`]; it must be found again among the legal moves before it is used.
    pub best: Option<u32>,
    /// The score for the one who is to act, wins counted from this state on.
    pub score: i32,
    /// How the score is meant.
    pub bound: Bound,
    /// The depth of the search below this state, in plies; at most [`Known::DEEPEST`] is stored.
    pub depth: u8,
    /// Whether all lines below were followed to the end of the game or cut by scores that were, so that no deeper search
    /// could find another score.
    pub is_complete: bool,
}

impl Known {
    /// The greatest depth that an entry can hold.
    pub const DEEPEST: u8 = Packed::DEPTH_MASK;
}

/// A cache from state keys to [`Known`], of fixed size.
#[derive(Debug, Default)]
pub struct Table {
    /// The entries that are used begin at a multiple of [`CACHE_LINE`]: each bucket is one line.
    entries: Box<[Entry]>,
    /// The first that is used.
    first: usize,
    n_buckets: usize,
    generation: u8,
}

#[derive(Debug, Default)]
#[repr(align(16))]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

impl Table {
    /// Creates an empty table of about `megabytes` (2^20 bytes each); 0 makes one that remembers nothing.
    pub fn new(megabytes: usize) -> Table {
        let n_buckets = megabytes.saturating_mul(1 << 20) / CACHE_LINE;
        // Memory begins anywhere; one bucket more leaves room to begin at a line.
        let n_entries = if n_buckets == 0 { 0 } else { (n_buckets + 1) * BUCKET };
        let entries: Box<[Entry]> = (0..n_entries).map(|_| Entry::default()).collect();
        Table {
            first: entries.as_ptr().align_offset(CACHE_LINE).min(BUCKET),
            entries,
            n_buckets,
            generation: 0,
        }
    }

    /// Creates one that several threads are to share.
    ///
    /// Its memory is written to once: otherwise the system gives each page when a thread first writes in it, and stops all
    /// the others meanwhile.
    pub fn shared(megabytes: usize) -> Table {
        const ENTRIES_OF_PAGE: usize = 4096 / size_of::<Entry>();
        let table = Table::new(megabytes);
        for entry in table.entries.iter().step_by(ENTRIES_OF_PAGE) {
            entry.data.store(0, Ordering::Relaxed);
        }
        table
    }

    /// Begins another search: what is stored stays, but is worth less.
    pub fn begin_search(&mut self) {
        self.generation = (self.generation + 1) & Packed::GENERATION_MASK;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| *entry = Entry::default());
        self.generation = 0;
    }

    /// Returns what is known of the state with this key.
    pub fn get(&self, key: u64) -> Option<Known> {
        self.bucket(key)
            .iter()
            .find_map(|entry| entry.read(key))
            .and_then(Packed::known)
    }

    /// Lets the processor fetch what is known of a state that will be asked for soon. It goes on meanwhile, as nothing is
    /// done with what is read; a relaxed load is not left out by the compiler.
    #[inline]
    pub fn announce(&self, key: u64) {
        if let Some(entry) = self.bucket(key).first() {
            let _ = entry.check.load(Ordering::Relaxed);
        }
    }

    /// Stores what is known of a state, in place of what seems least useful.
    pub fn put(&self, key: u64, known: Known) {
        let bucket = self.bucket(key);
        let same = bucket.iter().find(|entry| entry.read(key).is_some());
        let Some(entry) = same.or_else(|| bucket.iter().min_by_key(|entry| self.worth(entry))) else {
            return;
        };
        let mut known = known;
        if let Some(old) = same.and_then(|same| same.read(key)).and_then(Packed::known) {
            // A bound found with much less effort says little beside the one there is.
            if known.bound != Bound::Exact && old.depth > known.depth + MUCH_DEEPER {
                known = Known {
                    best: known.best,
                    ..old
                };
            }
            known.best = known.best.or(old.best);
        }
        entry.write(key, Packed::new(known, self.generation));
    }

    fn worth(&self, entry: &Entry) -> i32 {
        let data = Packed(entry.data.load(Ordering::Relaxed));
        let age = self.generation.wrapping_sub(data.generation()) & Packed::GENERATION_MASK;
        if data.is_empty() {
            i32::MIN
        } else {
            i32::from(data.depth()) - AGE_WEIGHT * i32::from(age)
        }
    }

    fn bucket(&self, key: u64) -> &[Entry] {
        // The high half of a wide product spreads any number of buckets evenly, without a division.
        let number = ((u128::from(key) * self.n_buckets as u128) >> 64) as usize;
        let first = self.first + number * BUCKET;
        self.entries.get(first..first + BUCKET).unwrap_or(&[])
    }
}

impl Entry {
    fn read(&self, key: u64) -> Option<Packed> {
        let data = Packed(self.data.load(Ordering::Relaxed));
        let fits = self.check.load(Ordering::Relaxed) ^ data.0 == key;
        (fits && !data.is_empty()).then_some(data)
    }

    fn write(&self, key: u64, data: Packed) {
        self.check.store(key ^ data.0, Ordering::Relaxed);
        self.data.store(data.0, Ordering::Relaxed);
    }
}

/// The data of an entry in one word, from the low end: move 24 bits, score 24, depth 7, complete 1, bound 2,
/// generation 6.
#[derive(Clone, Copy, Debug)]
struct Packed(u64);

impl Packed {
    const MOVE_MASK: u64 = (1 << 24) - 1;
    const DEPTH_MASK: u8 = (1 << 7) - 1;
    const GENERATION_MASK: u8 = (1 << 6) - 1;

    fn new(known: Known, generation: u8) -> Packed {
        let bound = match known.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        Packed(
            u64::from(known.best.unwrap_or(0)) & Packed::MOVE_MASK
                | (known.score as u64 & 0xFF_FFFF) << 24
                | u64::from(known.depth.min(Packed::DEPTH_MASK)) << 48
                | u64::from(known.is_complete) << 55
                | bound << 56
                | u64::from(generation) << 58,
        )
    }

    fn known(self) -> Option<Known> {
        let bound = match self.0 >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let best = (self.0 & Packed::MOVE_MASK) as u32;
        // Shifting the 24 bits to the top and back extends their sign.
        let score = ((self.0 >> 24) as u32) << 8;
        Some(Known {
            best: (best != 0).then_some(best),
            score: score as i32 >> 8,
            bound,
            depth: self.depth(),
            is_complete: self.0 >> 55 & 1 != 0,
        })
    }

    fn is_empty(self) -> bool {
        self.0 >> 56 & 3 == 0
    }

    fn depth(self) -> u8 {
        (self.0 >> 48) as u8 & Packed::DEPTH_MASK
    }

    fn generation(self) -> u8 {
        (self.0 >> 58) as u8
    }
}

/// Squeezes a move's fingerprint into the 24 bits that an entry has for it, never 0.
pub fn squeeze(fingerprint: u32) -> u32 {
    (fingerprint.wrapping_mul(0x9E37_79B1) >> 8).max(1)
}

#[cfg(test)]
mod tests {
    use super::super::score::WIN;
    use super::*;

    #[test]
    fn everything_comes_back_as_it_was_stored() {
        everything_comes_back(&Table::new(1));
        everything_comes_back(&Table::shared(1));
    }

    fn everything_comes_back(table: &Table) {
        for (key, score) in [(1, 0), (2, -1), (u64::MAX, WIN), (77, -WIN), (0, 12_345)] {
            let known = Known {
                best: Some(squeeze(9)),
                score,
                bound: Bound::Lower,
                depth: 100,
                is_complete: score % 2 == 0,
            };
            table.put(key, known);
            assert_eq!(table.get(key), Some(known));
        }
        assert_eq!(table.get(3), None);
    }

    #[test]
    fn a_deep_entry_outlives_shallow_ones_until_it_ages() {
        let mut table = Table::new(1);
        let known = |depth| Known {
            best: None,
            score: 0,
            bound: Bound::Exact,
            depth,
            is_complete: false,
        };
        table.put(5, known(9));
        (100..110).for_each(|key| table.put(key, known(1)));
        assert!(table.get(5).is_some());
        for _ in 0..3 {
            table.begin_search();
        }
        (100..110).for_each(|key| table.put(key, known(1)));
        assert!(table.get(5).is_none());
    }

    #[test]
    fn a_hasty_bound_does_not_take_the_place_of_a_deep_one() {
        let table = Table::new(1);
        let deep = Known {
            best: None,
            score: 5,
            bound: Bound::Upper,
            depth: 9,
            is_complete: false,
        };
        let hasty = Known {
            best: Some(squeeze(7)),
            score: 8,
            bound: Bound::Lower,
            depth: 2,
            is_complete: false,
        };
        table.put(1, deep);
        table.put(1, hasty);
        // Its move is better than none.
        let both = Known {
            best: hasty.best,
            ..deep
        };
        assert_eq!(table.get(1), Some(both));
        for sound in [
            Known { depth: 8, ..hasty },
            Known {
                bound: Bound::Exact,
                ..hasty
            },
        ] {
            table.put(1, deep);
            table.put(1, sound);
            assert_eq!(table.get(1), Some(sound));
        }
    }

    #[test]
    fn each_bucket_is_a_cache_line() {
        let table = Table::new(1);
        for key in [0, u64::MAX / 3, u64::MAX] {
            let bucket = table.bucket(key);
            assert_eq!(size_of_val(bucket), CACHE_LINE);
            assert_eq!(bucket.as_ptr().addr() % CACHE_LINE, 0);
        }
    }

    #[test]
    fn an_empty_table_forgets() {
        let table = Table::new(0);
        table.put(
            5,
            Known {
                best: None,
                score: 0,
                bound: Bound::Exact,
                depth: 1,
                is_complete: false,
            },
        );
        assert_eq!(table.get(5), None);
    }
}
