//! Answers about single cells that are remembered as long as the position stays.

use crate::cellset;
use crate::model::CellId;
use crate::program::TestId;

/// For each test the cells where it holds, all for one position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    /// The search key of the position.
    key: u64,
    /// For each test whether the answers are those of the position.
    is_known: Vec<bool>,
    /// For each test one bit per cell.
    cells: Vec<Vec<u64>>,
}

impl Memo {
    /// Returns the cells where a test holds, if that is known for a position.
    #[inline]
    pub fn get(&self, key: u64, test: TestId) -> Option<&[u64]> {
        let index = usize::from(test.0);
        (self.key == key && self.is_known.get(index) == Some(&true)).then(|| self.cells[index].as_slice())
    }

    /// Remembers the cells where a test holds.
    pub fn set(&mut self, key: u64, test: TestId, n_cells: usize, holds: impl IntoIterator<Item = CellId>) {
        let index = usize::from(test.0);
        if self.key != key {
            self.is_known.fill(false);
            self.key = key;
        }
        if self.cells.len() <= index {
            self.cells.resize(index + 1, Vec::new());
            self.is_known.resize(index + 1, false);
        }
        let words = &mut self.cells[index];
        words.clear();
        words.resize(cellset::words_for(n_cells), 0);
        holds.into_iter().for_each(|cell| cellset::insert(words, cell));
        self.is_known[index] = true;
    }
}
