//! The memory of one run of one block.

use crate::model::{CellId, FlagId, PositionFlagId};
use crate::rules::Rules;
use crate::state::Effect;

/// The pointers of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Registers {
    pub current: CellId,
    pub from: CellId,
    pub to: CellId,
    pub mark: CellId,
    pub look: CellId,
}

impl Registers {
    /// Returns where the current movement ends.
    #[inline(always)]
    pub fn destination(&self) -> CellId {
        if self.to.is_some() { self.to } else { self.current }
    }
}

/// What a run collects, and its flags.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Finished movements, from and to; from is none for a drop.
    pub movements: Vec<(CellId, CellId)>,
    pub effects: Vec<Effect>,
    pub captures: Vec<CellId>,
    /// By flag; a flag is up if its entry is the number of the run, so that no run has to clear them.
    flags: Vec<u32>,
    /// By `flag * n_cells + cell`, likewise.
    position_flags: Vec<u32>,
    n_cells: usize,
    run: u32,
    /// For an attack test the attributes of the piece that another one stands in for.
    pub kept_attributes: Vec<i32>,
}

impl Frame {
    pub fn new(rules: &Rules) -> Frame {
        Frame {
            flags: vec![0; rules.model.flags.len()],
            position_flags: vec![0; rules.model.position_flags.len() * rules.n_cells],
            n_cells: rules.n_cells,
            ..Frame::default()
        }
    }

    /// Begins a run: nothing collected, all flags down.
    #[inline]
    pub fn begin(&mut self, uses_flags: bool) {
        self.clear_collected();
        if uses_flags {
            self.run = self.run.wrapping_add(1);
            if self.run == 0 {
                self.flags.fill(0);
                self.position_flags.fill(0);
                self.run = 1;
            }
        }
    }

    #[inline(always)]
    pub fn clear_collected(&mut self) {
        self.movements.clear();
        self.effects.clear();
        self.captures.clear();
    }

    /// Collects an effect. One that comes while captures wait sends the first of these to their end: so the original
    /// program records such moves.
    #[inline]
    pub fn push_effect(&mut self, effect: Effect) {
        self.effects.push(effect);
        if self.captures.len() > 1 {
            self.captures.rotate_left(1);
        }
    }

    #[inline]
    pub fn flag(&self, flag: FlagId) -> bool {
        self.run != 0 && self.flags[flag.index()] == self.run
    }

    #[inline]
    pub fn set_flag(&mut self, flag: FlagId, value: bool) {
        self.flags[flag.index()] = if value { self.run } else { 0 };
    }

    #[inline]
    pub fn position_flag(&self, flag: PositionFlagId, cell: CellId) -> bool {
        self.run != 0 && cell.is_some() && self.position_flags[flag.index() * self.n_cells + cell.index()] == self.run
    }

    #[inline]
    pub fn set_position_flag(&mut self, flag: PositionFlagId, cell: CellId, value: bool) {
        if cell.is_some() {
            self.position_flags[flag.index() * self.n_cells + cell.index()] = if value { self.run } else { 0 };
        }
    }
}
