//! Sets of cells as bits, for boards of any size.

use crate::model::CellId;

/// A set of cells; iterates in cell order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellSet {
    words: Box<[u64]>,
}

impl CellSet {
    /// Makes an empty set for a board of `n_cells` cells.
    pub fn new(n_cells: usize) -> CellSet {
        CellSet {
            words: vec![0; words_for(n_cells)].into(),
        }
    }

    /// Makes a set of the given cells.
    pub fn from_cells(n_cells: usize, cells: impl IntoIterator<Item = CellId>) -> CellSet {
        let mut set = CellSet::new(n_cells);
        for cell in cells {
            set.insert(cell);
        }
        set
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: CellId) {
        insert(&mut self.words, cell);
    }

    /// Tells whether the cell is in the set; [`CellId::NONE`] never is.
    #[inline(always)]
    pub fn contains(&self, cell: CellId) -> bool {
        contains(&self.words, cell)
    }

    /// Returns the cells in order.
    pub fn iter(&self) -> Cells<'_> {
        Cells::new(&self.words)
    }
}

/// Returns the number of 64-bit words that hold one bit per cell.
pub fn words_for(n_cells: usize) -> usize {
    n_cells.div_ceil(64)
}

/// Sets the bit of `cell`.
#[inline(always)]
pub fn insert(words: &mut [u64], cell: CellId) {
    words[cell.index() / 64] |= 1 << (cell.index() % 64);
}

/// Tells whether the bit of `cell` is set.
#[inline(always)]
pub fn contains(words: &[u64], cell: CellId) -> bool {
    words
        .get(cell.index() / 64)
        .is_some_and(|word| word >> (cell.index() % 64) & 1 != 0)
}

/// Clears the bit of `cell`.
#[inline(always)]
pub fn remove(words: &mut [u64], cell: CellId) {
    words[cell.index() / 64] &= !(1 << (cell.index() % 64));
}

/// The cells of a set, in order.
#[derive(Clone, Debug)]
pub struct Cells<'a> {
    words: &'a [u64],
    current: CellsOfWord,
}

impl<'a> Cells<'a> {
    /// Iterates over the set bits of `words`.
    pub fn new(words: &'a [u64]) -> Cells<'a> {
        Cells {
            words,
            current: CellsOfWord::new(0, words.first().copied().unwrap_or(0)),
        }
    }
}

impl Iterator for Cells<'_> {
    type Item = CellId;

    #[inline]
    fn next(&mut self) -> Option<CellId> {
        loop {
            if let Some(cell) = self.current.next() {
                return Some(cell);
            }
            let index = self.current.index + 1;
            self.current = CellsOfWord::new(index, *self.words.get(index)?);
        }
    }
}

/// The numbers of the set bits of a word, the lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Bits(pub u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// The cells of one word of a set, in order.
#[derive(Clone, Copy, Debug)]
pub struct CellsOfWord {
    index: usize,
    rest: Bits,
}

impl CellsOfWord {
    /// Iterates over the set bits of word `index` of a set.
    pub fn new(index: usize, word: u64) -> CellsOfWord {
        CellsOfWord {
            index,
            rest: Bits(word),
        }
    }
}

impl Iterator for CellsOfWord {
    type Item = CellId;

    #[inline]
    fn next(&mut self) -> Option<CellId> {
        self.rest.next().map(|bit| CellId((self.index * 64 + bit) as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterates_in_order_over_word_borders() {
        let cells = [CellId(0), CellId(63), CellId(64), CellId(200)];
        let set = CellSet::from_cells(201, cells);
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        assert!(set.contains(CellId(200)) && !set.contains(CellId(199)) && !set.contains(CellId::NONE));
        assert_eq!(CellSet::new(0).iter().count(), 0);
    }
}
