//! The sums of the evaluation that follow from what stands on the board, kept up to date cell by cell.
//!
//! Cells that a ply has changed, or its taking back, are noted; when the sums are wanted, only these are looked at again.
//! What a sibling has changed and put back thus costs next to nothing.

use super::aspects::Hashes;
use super::evaluation::Evaluation;
use super::lines::Filling;
use super::runners::Run;
use crate::model::{CellId, Occupant};
use crate::rules::Rules;
use crate::state::State;

/// What the pieces on the board are worth to one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    pub material: i64,
    pub places: i64,
    pub late: i64,
    pub lines: i64,
}

/// The sums of all sides, and the board that they are about.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// What stood on each cell when the sums were right; empty while they are not known.
    seen: Vec<Occupant>,
    /// The cells that may have changed since, possibly with repetitions.
    stale: Vec<CellId>,
    sums: Vec<Sums>,
    /// The pieces of value on the board.
    n_counted: i64,
    /// By line, what stands on it.
    fillings: Vec<Filling>,
    run: Run,
    aspects: Hashes,
}

impl Tally {
    /// Forgets everything, since the board has changed in other ways than by plies.
    pub fn forget(&mut self) {
        self.seen.clear();
        self.stale.clear();
    }

    /// Tells whether sums are known that have to follow the board.
    pub fn is_known(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Notes cells that may have changed.
    #[inline]
    pub fn note(&mut self, cells: impl Iterator<Item = CellId>) {
        if !self.seen.is_empty() {
            self.stale.extend(cells);
            if self.stale.len() > 2 * self.seen.len() {
                self.forget();
            }
        }
    }

    /// Brings the sums up to date, and returns those of each side, the number of pieces of value, and what the pieces that
    /// run are worth to the first side, now and late.
    pub fn sums(&mut self, rules: &Rules, evaluation: &Evaluation, state: &State) -> (&[Sums], i64, (i64, i64)) {
        self.catch_up(rules, evaluation, state);
        let run = evaluation.runners().sum(&mut self.run);
        (&self.sums, self.n_counted, run)
    }

    /// Brings the aspects up to date, and returns them.
    pub fn aspects(&mut self, rules: &Rules, evaluation: &Evaluation, state: &State) -> Hashes {
        if !evaluation.aspects().is_empty() {
            self.catch_up(rules, evaluation, state);
        }
        self.aspects
    }

    /// Brings everything up to date.
    #[inline]
    fn catch_up(&mut self, rules: &Rules, evaluation: &Evaluation, state: &State) {
        if self.seen.is_empty() {
            self.begin(rules, evaluation);
            for cell in rules.model.board.cell_ids() {
                self.look(rules, evaluation, cell, state.occupant(cell));
            }
        }
        while let Some(cell) = self.stale.pop() {
            self.look(rules, evaluation, cell, state.occupant(cell));
        }
    }

    /// Returns the number of pieces of value on the board when the sums were last asked for.
    pub fn n_counted(&self) -> i64 {
        self.n_counted
    }

    /// Begins with an empty board.
    fn begin(&mut self, rules: &Rules, evaluation: &Evaluation) {
        self.stale.clear();
        self.seen.clear();
        self.seen.resize(rules.n_cells, Occupant::NONE);
        self.sums.clear();
        self.sums.resize(evaluation.n_sides(), Sums::default());
        self.n_counted = 0;
        evaluation.runners().begin(&mut self.run);
        self.aspects = Hashes::default();
        evaluation.lines().begin(&mut self.fillings);
    }

    /// Lets the sums follow what stands on a cell now.
    #[inline]
    fn look(&mut self, rules: &Rules, evaluation: &Evaluation, cell: CellId, new: Occupant) {
        let old = std::mem::replace(&mut self.seen[cell.index()], new);
        if old == new {
            return;
        }
        for (piece, sign) in [(old, -1), (new, 1)] {
            if let Some((side, value, place, late)) = evaluation.worth(rules, piece, cell) {
                let sums = &mut self.sums[usize::from(side)];
                sums.material += sign * i64::from(value);
                sums.places += sign * i64::from(place);
                sums.late += sign * i64::from(late);
                self.n_counted += sign * i64::from(value != 0);
                evaluation.runners().turn(rules, &mut self.run, cell, piece);
            }
        }
        let (always, late) = evaluation.pairs().change(&self.seen, cell, (old, new));
        if let Some(first) = self.sums.first_mut() {
            first.places += always;
            first.late += late;
        }
        (evaluation.aspects()).follow(rules, &mut self.aspects, cell, (old, new));
        let sums = &mut self.sums;
        (evaluation.lines()).refill(&mut self.fillings, cell, (old, new), |side, change| {
            sums[usize::from(side)].lines += change;
        });
    }
}
