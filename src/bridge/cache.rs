//! A small cache of evaluations: quiet moves in another order lead to the same leaves, and each iteration comes back to
//! those of the one before.

/// The number of entries; a key has one place among them.
const N_ENTRIES: usize = 1 << 14;

/// A cache from state keys to evaluations that forgets the older of two that meet in one place.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    /// Empty until something is stored.
    entries: Vec<(u64, i32)>,
}

impl Cache {
    /// Returns what is stored under a key.
    pub fn get(&self, key: u64) -> Option<i32> {
        let &(stored, score) = self.entries.get(place(key))?;
        (stored == key && key != 0).then_some(score)
    }

    /// Stores an evaluation.
    pub fn put(&mut self, key: u64, score: i32) {
        if self.entries.is_empty() {
            self.entries.resize(N_ENTRIES, (0, 0));
        }
        self.entries[place(key)] = (key, score);
    }
}

fn place(key: u64) -> usize {
    (key >> 32) as usize % N_ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_of_one_place_is_kept() {
        let mut cache = Cache::default();
        assert_eq!(cache.get(7), None);
        cache.put(7, -5);
        assert_eq!((cache.get(7), cache.get(8)), (Some(-5), None));
        cache.put(8, 3);
        assert_eq!((cache.get(7), cache.get(8)), (None, Some(3)));
    }
}
