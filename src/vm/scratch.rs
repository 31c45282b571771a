//! Reusable memory of the machine.

use super::frame::{Frame, Progress};
use super::merge::Merger;
use super::shape::Fitting;
use crate::model::CellId;
use crate::rules::Rules;

/// The memory that generation and attack tests work in; one per thread.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// For blocks that generate moves.
    pub(super) frame: Frame,
    /// For attack tests, which may be asked within a generating block.
    pub(super) attack_frame: Frame,
    pub(super) merger: Merger,
    pub(super) cells: Vec<CellId>,
    pub(super) fitting: Fitting,
    /// Specialised code to run, with its start cell.
    pub(super) queue: Vec<(u32, CellId)>,
    /// Whether specialised code is run where there is some, rather than its checked twin, the interpreter.
    pub is_fast: bool,
}

impl Scratch {
    /// Makes the memory for playing `rules`.
    pub fn new(rules: &Rules) -> Scratch {
        Scratch {
            frame: Frame::new(rules),
            attack_frame: Frame::new(rules),
            merger: Merger::default(),
            cells: Vec::with_capacity(rules.n_cells),
            fitting: Fitting::default(),
            queue: Vec::with_capacity(rules.n_cells),
            is_fast: true,
        }
    }

    /// Says whether no person is playing, which goals can ask.
    pub fn set_automatic(&mut self, is_automatic: bool) {
        self.frame.is_automatic = is_automatic;
    }

    /// Forgets what `let`s hold.
    pub(super) fn forget_lets(&mut self) {
        self.frame.begin_extended(Progress::default());
    }

    /// Returns the cells of the first list.
    pub(super) fn first_list(&self) -> &[CellId] {
        self.frame.lists.first().map_or(&[], |list| &list.cells)
    }
}
