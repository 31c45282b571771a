//! The specialised code of a game.

use std::sync::Arc;

use super::danger::Dangers;
use super::goals::Goals;
use super::lines::LineSweep;
use super::sweep::Sweep;
use super::universe::Mask;
use crate::model::{CellId, Occupant};
use crate::program::{ContinuationId, EntryId};
use crate::state::{Effect, MoveEntry};

/// An address of [`Fast::steps`].
pub(super) type StepId = u32;

/// No code: nothing can be done from there.
pub(super) const NO_CODE: StepId = StepId::MAX;

/// One operation of specialised code. All cells, sets and moves in it are fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Nothing more to do.
    End,
    /// Goes on elsewhere.
    Jump { target: StepId },
    /// Goes on if the occupant of the cell belongs to the set; otherwise at `no`.
    Test { cell: u16, no: StepId, set: Mask },
    /// Lists the move if the occupant of the cell belongs to the set, and goes on in any case. Only while code is made:
    /// those in a row become one `Singles`.
    Single { cell: u16, template: u32, set: Mask },
    /// Does so for `n` entries of `Fast::singles`; there may be nothing more to do then.
    Singles { n: u16, is_last: bool, first: u32 },
    /// Lists `n` moves.
    Emit { n: u16, template: u32 },
    /// Goes on if the attribute in the slot is not 0; otherwise at `no`.
    Attribute { slot: u32, no: StepId },
    /// Goes on if the previous move started at the cell; otherwise at `no`.
    LastFrom { cell: u16, no: StepId },
    /// Goes on if the previous move ended at the cell; otherwise at `no`.
    LastTo { cell: u16, no: StepId },
    /// Goes on if the attack test is true; otherwise at `no`.
    Attack { index: u32, no: StepId },
    /// Collects effects.
    Collect { n: u16, first: u32 },
    /// Collects a capture.
    Capture { cell: u16 },
    /// Walks along a line; goes on if it encloses something, with that collected, otherwise at `no`.
    Line { index: u32, no: StepId },
    /// Forgets what is collected.
    Clear,
    /// Lists a move with what is collected.
    EmitCollected { index: u32 },
    /// Runs a block by the interpreter.
    Interpret { entry: EntryId },
}

/// A move that depends on one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Single {
    pub set: Mask,
    pub template: u32,
    pub cell: u16,
}

/// An attack test within a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AttackTest {
    pub cell: CellId,
    /// The piece that stands there for the test.
    pub pretended: Occupant,
    /// Whether the mover's own pieces attack rather than the enemies.
    pub is_defence: bool,
    pub mover: crate::model::PlayerId,
    pub by: crate::program::TypeFilter,
    /// Whether the tables of attacks know who is asked about.
    pub is_answered: bool,
}

/// The fixed parts of a move whose effects are collected while running.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub movements: Vec<Effect>,
    pub promotion: Option<Effect>,
    pub from: CellId,
    pub to: CellId,
    pub arrival: CellId,
    pub continuation: ContinuationId,
}

/// What a prepared move changes, as far as the check rule is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// One piece of the mover goes from the first cell of the move to the second; other cells keep their occupants.
    Relocates,
    /// A piece of the mover appears on the second cell of the move; other cells keep their occupants.
    Appears,
    /// Anything else.
    Other,
}

/// A line of cells of which some are walked over up to one that ends it: what lies between is affected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// A range of `Fast::line_cells`.
    pub cells: (u32, u32),
    /// The occupants walked over, at least one.
    pub over: Mask,
    /// The occupants that end it.
    pub end: Mask,
    /// Past the last of the effects in the arena: with `n` cells walked over the `n` before it are collected.
    pub effects_end: u32,
}

/// The code of the drops of one block.
#[derive(Clone, Debug)]
pub(super) struct DropCode {
    pub piece: Occupant,
    /// By start cell.
    pub starts: Vec<StepId>,
    /// The start cells with code, as bits.
    pub cells: Vec<u64>,
    /// Whether only empty cells come into question.
    pub only_empty: bool,
    /// What must hold around a start cell.
    pub sweep: Option<Sweep>,
    /// By start cell, in the words of a board, the one move there, for those where the sweep decides all.
    pub direct: Option<Vec<[MoveEntry; 64]>>,
    /// What encloses something, if every move does.
    pub lines: Option<LineSweep>,
}

/// The code of one tier.
#[derive(Clone, Debug, Default)]
pub(super) struct TierCode {
    /// By player whether it has pieces with moves.
    pub movers: Vec<bool>,
    /// By `occupant * n_cells + start`.
    pub moves: Vec<StepId>,
    /// By player, in the order of the tier's drops.
    pub drops: Vec<Vec<DropCode>>,
}

/// The specialised code of a game.
#[derive(Debug)]
pub struct Fast {
    pub(super) steps: Vec<Step>,
    /// The prepared moves; their effects lie in `effects`.
    pub(super) templates: Vec<MoveEntry>,
    /// By effect, for the one that a prepared move begins with, what that move changes.
    pub(super) touches: Vec<Touch>,
    pub(super) effects: Arc<[Effect]>,
    pub(super) frames: Vec<Frame>,
    pub(super) singles: Vec<Single>,
    pub(super) lines: Vec<Line>,
    pub(super) line_cells: Vec<u16>,
    pub(super) attacks: Vec<AttackTest>,
    /// By tier number.
    pub(super) tiers: Vec<TierCode>,
    /// By player whether equal moves may be listed, which must then be merged; beyond the classic language whether
    /// prepared ones may be.
    pub(super) merges: Vec<bool>,
    pub(super) dangers: Option<Dangers>,
    pub(crate) goals: Goals,
}

impl Fast {
    /// Returns the number of steps, prepared moves and their effects: a measure of the memory taken.
    pub fn size(&self) -> (usize, usize, usize) {
        (self.steps.len(), self.templates.len(), self.effects.len())
    }

    /// Returns the number of places where the interpreter takes over.
    pub fn n_interpreted(&self) -> usize {
        let interpreted = |step: &&Step| matches!(step, Step::Interpret { .. });
        self.steps.iter().filter(interpreted).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_small() {
        assert!(size_of::<Step>() <= 16);
    }
}
