//! Lists of cells in which sets are laid out.

use crate::model::CellId;

/// A list of cells and how far it has been gone through.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub cells: Vec<CellId>,
    /// The index of the cell that comes next.
    pub next: usize,
    /// The cell that was current when going through the list began.
    pub origin: CellId,
    /// By cell; a cell is in the list if its entry is the stamp. Kept while cells are added one by one.
    marks: Vec<u32>,
    stamp: u32,
    /// The numbers of the best cell.
    best: Vec<i32>,
    /// The indices of the sub-set that comes next, ascending.
    subset: Vec<usize>,
    /// The greatest size of sub-sets.
    most: usize,
}

impl Default for List {
    fn default() -> List {
        List::new(0)
    }
}

impl List {
    pub fn new(n_cells: usize) -> List {
        List {
            cells: Vec::new(),
            next: 0,
            origin: CellId::NONE,
            marks: vec![0; n_cells],
            stamp: 0,
            best: Vec::new(),
            subset: Vec::new(),
            most: 0,
        }
    }

    /// Empties the list.
    #[inline]
    pub fn clear(&mut self) {
        self.cells.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.marks.fill(0);
            self.stamp = 1;
        }
    }

    /// Makes the list anew.
    #[inline]
    pub fn fill(&mut self, cells: impl IntoIterator<Item = CellId>) {
        self.cells.clear();
        self.cells.extend(cells);
    }

    /// Adds a cell; returns false if it is in the list. The list must have been made by adding.
    #[inline]
    pub fn add(&mut self, cell: CellId) -> bool {
        let mark = &mut self.marks[cell.index()];
        let is_new = *mark != self.stamp;
        if is_new {
            *mark = self.stamp;
            self.cells.push(cell);
        }
        is_new
    }

    /// Makes a cell the only one if its numbers are less than those of the one in the list.
    pub fn keep_best(&mut self, cell: CellId, numbers: &[i32]) {
        if self.cells.is_empty() || numbers < &self.best[..] {
            self.cells.clear();
            self.cells.push(cell);
            self.best.clear();
            self.best.extend_from_slice(numbers);
        }
    }

    /// Begins to choose sub-sets of the sizes from `low` to `high`; returns false if there is none.
    pub fn begin_subsets(&mut self, low: i32, high: i32) -> bool {
        let low = usize::try_from(low).unwrap_or(0);
        let Ok(high) = usize::try_from(high) else { return false };
        self.most = high.min(self.cells.len());
        self.subset.clear();
        self.subset.extend(0..low.min(self.cells.len()));
        low <= self.most
    }

    /// Puts the sub-set that comes next into `chosen`; returns false if it is the last.
    pub fn next_subset(&mut self, chosen: &mut Vec<CellId>) -> bool {
        chosen.clear();
        chosen.extend(self.subset.iter().map(|&index| self.cells[index]));
        let (n, size) = (self.cells.len(), self.subset.len());
        // The last index that can grow, with all after it close behind.
        if let Some(grows) = (0..size).rev().find(|&at| self.subset[at] < n - size + at) {
            let first = self.subset[grows] + 1;
            for (offset, index) in self.subset[grows..].iter_mut().enumerate() {
                *index = first + offset;
            }
            return true;
        }
        if size < self.most {
            self.subset.clear();
            self.subset.extend(0..=size);
            return true;
        }
        false
    }

    /// Copies what a choice must remember; not what is needed only while cells are added.
    pub fn copy_from(&mut self, other: &List) {
        self.cells.clone_from(&other.cells);
        self.next = other.next;
        self.origin = other.origin;
        self.subset.clone_from(&other.subset);
        self.most = other.most;
    }

    /// Exchanges what [`List::copy_from`] copies.
    pub fn swap_with(&mut self, other: &mut List) {
        std::mem::swap(&mut self.cells, &mut other.cells);
        std::mem::swap(&mut self.subset, &mut other.subset);
        self.next = other.next;
        self.origin = other.origin;
        self.most = other.most;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_sets_come_small_ones_first() {
        let mut list = List::new(4);
        list.fill((0..3).map(CellId));
        assert!(list.begin_subsets(0, 2));
        let mut all = Vec::new();
        let mut chosen = Vec::new();
        loop {
            let goes_on = list.next_subset(&mut chosen);
            all.push(chosen.iter().map(|cell| cell.0).collect::<Vec<_>>());
            if !goes_on {
                break;
            }
        }
        let expected: Vec<Vec<u16>> = vec![vec![], vec![0], vec![1], vec![2], vec![0, 1], vec![0, 2], vec![1, 2]];
        assert_eq!(all, expected);
        assert!(!list.begin_subsets(4, i32::MAX));
        assert!(!list.begin_subsets(0, -1));
    }
}
