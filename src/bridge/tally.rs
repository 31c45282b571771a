//! The sums of the evaluation that follow from what stands on the board, kept up to date cell by cell.
//!
//! Cells that a ply has changed are noted; when the sums are wanted, only these are looked at again, and what was there
//! before is kept until the ply is taken back.

use super::aspects::Hashes;
use super::evaluation::{Evaluation, NO_SIDE};
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
    sums: Vec<Sums>,
    totals: Totals,
    /// By line, what stands on it.
    fillings: Vec<Filling>,
    run: Run,
    /// The cells that plies have changed since the sums were begun, ply by ply, possibly with repetitions.
    noted: Vec<CellId>,
    /// How many of them have been looked at.
    n_looked: usize,
    /// The plies since the sums were begun.
    plies: Vec<Ply>,
    /// What stood on the cells that were looked at after a ply, ply by ply.
    replaced: Vec<(CellId, Occupant)>,
    /// The sums before that, ply by ply.
    sums_before: Vec<Sums>,
}

/// What is not added up by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    /// The pieces of value on the board.
    n_counted: i64,
    aspects: Hashes,
}

/// A ply that may be taken back.
#[derive(Clone, Copy, Debug)]
struct Ply {
    /// Where the cells that it has changed begin.
    noted: usize,
    /// What was so before cells were looked at after it, if they were.
    before: Option<Before>,
}

/// What was so before cells were looked at.
#[derive(Clone, Copy, Debug)]
struct Before {
    n_looked: usize,
    n_replaced: usize,
    totals: Totals,
}

impl Tally {
    /// Forgets everything, since the board has changed in other ways than by plies.
    pub fn forget(&mut self) {
        self.seen.clear();
        self.sums.clear();
        self.totals = Totals::default();
        self.noted.clear();
        self.n_looked = 0;
        self.plies.clear();
        self.replaced.clear();
        self.sums_before.clear();
    }

    /// Tells whether sums are known that have to follow the board.
    pub fn is_known(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Looks at what has changed where the sums were begun later, before plies follow that may be taken back.
    #[inline]
    pub fn settle(&mut self, rules: &Rules, evaluation: &Evaluation, state: &State) {
        if self.plies.is_empty() && !self.noted.is_empty() {
            self.look_at_noted(rules, evaluation, state);
        }
    }

    /// Follows a ply that has changed `cells`.
    #[inline]
    pub fn step(&mut self, cells: impl Iterator<Item = CellId>) {
        if self.is_known() {
            self.plies.push(Ply {
                noted: self.noted.len(),
                before: None,
            });
            self.noted.extend(cells);
        }
    }

    /// Follows the taking back of the last ply, which had changed `cells`.
    #[inline]
    pub fn step_back(&mut self, rules: &Rules, evaluation: &Evaluation, cells: impl Iterator<Item = CellId>) {
        let Some(ply) = self.plies.pop() else {
            // The sums were begun later.
            if self.is_known() {
                self.noted.extend(cells);
            }
            return;
        };
        self.noted.truncate(ply.noted);
        let Some(before) = ply.before else { return };
        while self.replaced.len() > before.n_replaced
            && let Some((cell, old)) = self.replaced.pop()
        {
            let new = std::mem::replace(&mut self.seen[cell.index()], old);
            for piece in [new, old] {
                if evaluation.worth(rules, piece, cell).side != NO_SIDE {
                    evaluation.runners().turn(rules, &mut self.run, cell, piece);
                }
            }
            (evaluation.lines()).refill(&mut self.fillings, cell, (new, old), |_, _| {});
        }
        self.n_looked = before.n_looked;
        self.totals = before.totals;
        let start = self.sums_before.len() - self.sums.len();
        self.sums.copy_from_slice(&self.sums_before[start..]);
        self.sums_before.truncate(start);
    }

    /// Brings the sums up to date, and returns those of each side, the number of pieces of value, and what the pieces that
    /// run are worth to the first side, now and late.
    pub fn sums(&mut self, rules: &Rules, evaluation: &Evaluation, state: &State) -> (&[Sums], i64, (i64, i64)) {
        self.catch_up(rules, evaluation, state);
        let run = evaluation.runners().sum(&mut self.run);
        (&self.sums, self.totals.n_counted, run)
    }

    /// Brings the aspects up to date, and returns them.
    pub fn aspects(&mut self, rules: &Rules, evaluation: &Evaluation, state: &State) -> Hashes {
        if !evaluation.aspects().is_empty() {
            self.catch_up(rules, evaluation, state);
        }
        self.totals.aspects
    }

    /// Returns the number of pieces of value on the board when the sums were last asked for.
    pub fn n_counted(&self) -> i64 {
        self.totals.n_counted
    }

    /// Brings everything up to date.
    #[inline]
    fn catch_up(&mut self, rules: &Rules, evaluation: &Evaluation, state: &State) {
        if self.seen.is_empty() {
            self.begin(rules, evaluation);
            for cell in rules.model.board.cell_ids() {
                self.look(rules, evaluation, cell, state.occupant(cell));
            }
        } else if self.n_looked < self.noted.len() {
            self.look_at_noted(rules, evaluation, state);
        }
    }

    /// Looks at the cells that have been noted, and remembers what was so before.
    fn look_at_noted(&mut self, rules: &Rules, evaluation: &Evaluation, state: &State) {
        if let Some(ply) = self.plies.last_mut() {
            ply.before = Some(Before {
                n_looked: self.n_looked,
                n_replaced: self.replaced.len(),
                totals: self.totals,
            });
            self.sums_before.extend_from_slice(&self.sums);
        }
        for index in self.n_looked..self.noted.len() {
            let cell = self.noted[index];
            if let Some(old) = self.look(rules, evaluation, cell, state.occupant(cell)) {
                self.replaced.push((cell, old));
            }
        }
        self.n_looked = self.noted.len();
        if self.plies.is_empty() {
            // Nothing will be taken back.
            self.noted.clear();
            self.n_looked = 0;
            self.replaced.clear();
        }
    }

    /// Begins with an empty board.
    fn begin(&mut self, rules: &Rules, evaluation: &Evaluation) {
        self.seen.resize(rules.n_cells, Occupant::NONE);
        self.sums.resize(evaluation.n_sides(), Sums::default());
        evaluation.runners().begin(&mut self.run);
        evaluation.lines().begin(&mut self.fillings);
    }

    /// Lets the sums follow what stands on a cell now; returns what stood there, if that is something else.
    #[inline]
    fn look(&mut self, rules: &Rules, evaluation: &Evaluation, cell: CellId, new: Occupant) -> Option<Occupant> {
        let old = std::mem::replace(&mut self.seen[cell.index()], new);
        if old == new {
            return None;
        }
        for (piece, sign) in [(old, -1), (new, 1)] {
            let worth = evaluation.worth(rules, piece, cell);
            if worth.side != NO_SIDE {
                let sums = &mut self.sums[usize::from(worth.side)];
                sums.material += sign * i64::from(worth.value);
                sums.places += sign * i64::from(worth.place);
                sums.late += sign * i64::from(worth.late);
                self.totals.n_counted += sign * i64::from(worth.value != 0);
                evaluation.runners().turn(rules, &mut self.run, cell, piece);
            }
        }
        let (always, late) = evaluation.pairs().change(&self.seen, cell, (old, new));
        if let Some(first) = self.sums.first_mut() {
            first.places += always;
            first.late += late;
        }
        (evaluation.aspects()).follow(rules, &mut self.totals.aspects, cell, (old, new));
        let sums = &mut self.sums;
        (evaluation.lines()).refill(&mut self.fillings, cell, (old, new), |side, change| {
            sums[usize::from(side)].lines += change;
        });
        Some(old)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::play::Session;
    use crate::play::playout::below;
    use crate::state::MoveList;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use std::sync::Arc;

    /// Walks to and fro, asks now and then, and compares with sums that were begun anew.
    #[test]
    fn sums_follow_plies_and_their_taking_back() {
        for name in [
            "chess",
            "breakthrough",
            "reversi",
            "gomoku",
            "english-draughts",
            "shogi",
        ] {
            let session = Session::new(Arc::new(builtin::rules(name)));
            let weights = builtin::weights(name).map(|text| {
                let read = super::super::Weights::read(text, &session.rules().model.title);
                read.unwrap().unwrap()
            });
            let evaluation = Evaluation::with_weights(session.rules(), &weights.unwrap_or_default()).unwrap();
            walk(session, &evaluation, name);
        }
    }

    fn walk(mut session: Session, evaluation: &Evaluation, name: &str) {
        let (mut tally, mut list, mut random) = (Tally::default(), MoveList::new(), ChaCha8Rng::seed_from_u64(1));
        let rules = Arc::clone(session.rules());
        for round in 0..3_000 {
            let goes_on = session.legal_moves(&mut list).unwrap().is_none() && !list.is_empty();
            if goes_on && below(&mut random, 5) < 3 {
                let index = below(&mut random, list.len());
                tally.settle(&rules, evaluation, session.state());
                session.make(&list, index).unwrap();
                tally.step(session.changed_cells());
            } else if session.n_plies() > 0 {
                tally.step_back(&rules, evaluation, session.changed_cells());
                session.unmake();
            }
            if round % 7 < 3 {
                let mut fresh = Tally::default();
                let expected = fresh.sums(&rules, evaluation, session.state());
                assert_eq!(
                    tally.sums(&rules, evaluation, session.state()),
                    expected,
                    "{name}, round {round}"
                );
                let expected = fresh.aspects(&rules, evaluation, session.state());
                assert_eq!(
                    tally.aspects(&rules, evaluation, session.state()),
                    expected,
                    "{name}, round {round}"
                );
            }
        }
    }
}
