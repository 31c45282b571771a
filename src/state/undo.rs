//! What is needed to take moves back: old values, never reasoning about inverses.

use super::{Chain, Counters, Keys};
use crate::model::{CellId, Occupant};
use crate::program::VariableSlot;

/// An old value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// What stood on a cell.
    Occupant { cell: CellId, old: Occupant },
    /// The value of an attribute slot.
    Attribute { slot: u32, old: i32 },
    /// The number of pieces in hand.
    Stock { piece: Occupant, old: u32 },
    /// The value of a variable.
    Variable { slot: VariableSlot, old: i32 },
}

/// What a ply changed besides the logged values, and where its part of the log begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    pub changes: usize,
    pub captured: usize,
    pub turn: u16,
    pub chain: Option<Chain>,
    pub last_from: CellId,
    pub last_to: CellId,
    pub counters: Counters,
    pub actor: CellId,
    pub keys: Keys,
}

/// A length of an [`UndoLog`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LogMark {
    pub(super) changes: usize,
    pub(super) captured: usize,
}

/// The log of the plies made on a state, for [`State::unmake`](super::State::unmake).
#[derive(Clone, Debug, Default)]
pub struct UndoLog {
    pub(super) changes: Vec<Change>,
    pub(super) plies: Vec<Ply>,
    pub(super) captured: Vec<(CellId, Occupant)>,
    /// Pieces in the air while several move at once, with their attributes; empty between moves.
    pub(super) lifted: Vec<Occupant>,
    pub(super) lifted_attributes: Vec<i32>,
}

impl UndoLog {
    /// Makes an empty log.
    pub fn new() -> UndoLog {
        UndoLog::default()
    }

    /// Forgets all plies, which cannot be taken back any more.
    pub fn clear(&mut self) {
        self.changes.clear();
        self.plies.clear();
        self.captured.clear();
    }

    /// Returns the number of plies that can be taken back.
    pub fn len(&self) -> usize {
        self.plies.len()
    }

    /// Tells whether no ply can be taken back.
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// Forgets the last `n_plies` plies.
    pub(crate) fn forget(&mut self, n_plies: usize) {
        let kept = self.plies.len().saturating_sub(n_plies);
        if let Some(&Ply { changes, captured, .. }) = self.plies.get(kept) {
            self.changes.truncate(changes);
            self.captured.truncate(captured);
        }
        self.plies.truncate(kept);
    }

    /// Returns the cells whose occupants the last ply changed, possibly with repetitions.
    pub fn changed_cells(&self) -> impl Iterator<Item = CellId> + '_ {
        let start = self.plies.last().map_or(0, |ply| ply.changes);
        self.changes[start..].iter().filter_map(|change| match *change {
            Change::Occupant { cell, .. } => Some(cell),
            Change::Attribute { .. } | Change::Stock { .. } | Change::Variable { .. } => None,
        })
    }

    /// Returns the cells whose occupants the last ply changed with what stood there before; possibly with repetitions, of
    /// which the first tells what stood there before the ply.
    pub(crate) fn changed_occupants(&self) -> impl Iterator<Item = (CellId, Occupant)> + '_ {
        let start = self.plies.last().map_or(0, |ply| ply.changes);
        self.changes[start..].iter().filter_map(|change| match *change {
            Change::Occupant { cell, old } => Some((cell, old)),
            Change::Attribute { .. } | Change::Stock { .. } | Change::Variable { .. } => None,
        })
    }

    /// Tells whether the last ply changed a number of pieces in hand.
    pub fn changed_stock(&self) -> bool {
        let start = self.plies.last().map_or(0, |ply| ply.changes);
        self.changes[start..]
            .iter()
            .any(|change| matches!(change, Change::Stock { .. }))
    }

    /// Returns the length of the log, to come back to.
    pub(crate) fn mark(&self) -> LogMark {
        LogMark {
            changes: self.changes.len(),
            captured: self.captured.len(),
        }
    }

    /// Returns what has been captured since `mark`.
    pub(crate) fn captured_since(&self, mark: LogMark) -> &[(CellId, Occupant)] {
        &self.captured[mark.captured..]
    }

    /// Moves all of this log to the end of another one.
    pub(crate) fn append_to(&mut self, other: &mut UndoLog) {
        other.changes.append(&mut self.changes);
        other.captured.append(&mut self.captured);
    }

    /// Returns what the last ply captured and where, in the order in which it did.
    pub fn captured(&self) -> &[(CellId, Occupant)] {
        let start = self.plies.last().map_or(0, |ply| ply.captured);
        &self.captured[start..]
    }
}
