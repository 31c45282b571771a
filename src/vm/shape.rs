//! Which placements of a shape the tests that its block begins with leave.
//!
//! Most blocks ask that a shape touch something. Then only the placements that cover one of a few cells come into
//! question, and the others, thousands of them, need not be looked at.

use super::extended::{answer, know};
use super::fault::Fault;
use super::frame::Frame;
use crate::cellset::{Bits, Cells};
use crate::program::Entry;
use crate::program::op::ShapeQuestion;
use crate::rules::Rules;
use crate::state::State;

/// Placements by number, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Fitting {
    numbers: Vec<usize>,
    /// Those that cover one of the cells wanted, as bits; kept for its memory.
    touching: Vec<u64>,
}

impl Fitting {
    /// Returns the numbers.
    pub fn numbers(&self) -> &[usize] {
        &self.numbers
    }
}

/// Finds the placements of the shape of a drop block that are left after the tests that it begins with.
///
/// # Errors
/// When the rules fault while they run.
pub(super) fn find_fitting(
    rules: &Rules,
    state: &mut State,
    frame: &mut Frame,
    entry: &Entry,
    fitting: &mut Fitting,
) -> Result<(), Fault> {
    for &(_, test) in &entry.shape_tests {
        know(rules, state, frame, test)?;
    }
    let key = state.keys().search;
    let holds = |test| frame.memo.get(key, test).unwrap_or_default();
    let placements = rules.placements(entry.kind);
    let fits = |number: &usize| {
        let cells = &placements.all[*number];
        let mut tests = entry.shape_tests.iter();
        !tests.any(|&(question, test)| answer(question, cells, holds(test)))
    };
    let Fitting { numbers, touching } = fitting;
    numbers.clear();
    // Where the block ends if a test holds on no cell of the shape, the shape must cover one on which it does.
    let wanted = (entry.shape_tests.iter()).find(|(question, _)| *question == ShapeQuestion::None);
    let Some(&(_, wanted)) = wanted else {
        numbers.extend((0..placements.all.len()).filter(fits));
        return Ok(());
    };
    touching.clear();
    touching.resize(placements.all.len().div_ceil(64), 0);
    for cell in Cells::new(holds(wanted)) {
        for &number in placements.of_cell.get(cell.index()).into_iter().flatten() {
            touching[number as usize / 64] |= 1 << (number % 64);
        }
    }
    for (index, &word) in touching.iter().enumerate() {
        numbers.extend(Bits(word).map(|bit| index * 64 + bit).filter(fits));
    }
    Ok(())
}
