//! The compiled move generators: flat bytecode with its tables.
//!
//! A [`Program`] is immutable and shared between threads. There is one entry point per piece kind, player and move
//! block, the player's symmetry already applied. The table of operations is [`op`]; [`assembler`] builds code with
//! labels, [`listing`] prints it. Of the text only a map from address to [`Site`] is kept.

pub mod assembler;
pub mod goal;
pub mod listing;
pub mod op;
pub mod reach;

use crate::model::{MoveTypeId, PieceKindId, PlayerId, Site};

pub use op::{Address, Ask, At, ClassMask, Op, TypeFilter};

/// Names a list of move types that may follow a partial move; entry of [`Program::continuations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContinuationId(pub(crate) u16);

impl ContinuationId {
    /// The turn does not go on.
    pub const NONE: ContinuationId = ContinuationId(u16::MAX);

    /// Tells whether the turn goes on.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self != ContinuationId::NONE
    }

    /// Returns the index in [`Program::continuations`].
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an `Add` operation emits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AddTable {
    /// The kinds to choose from; empty for one move without change.
    pub kinds: Vec<PieceKindId>,
    /// Whether the piece stays and a new one appears at the destination.
    pub copy: bool,
    /// For a partial move the types that may follow.
    pub continuation: Option<ContinuationId>,
}

/// The number of an entry in [`Program::entries`].
pub type EntryId = u32;

/// The entry point of one move block for one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Where its code starts.
    pub address: Address,
    /// Whose pieces it moves.
    pub player: PlayerId,
    /// The kind it moves or drops.
    pub kind: PieceKindId,
    /// The number of the block within the kind's `moves` or `drops`.
    pub block: u32,
    /// Whether it is a drop block.
    pub is_drop: bool,
    /// The move type in force.
    pub move_type: Option<MoveTypeId>,
    /// Whether it reads or writes flags, which must then be cleared before a run.
    pub uses_flags: bool,
    /// Whether it ends at once on an occupied cell, so that a drop need not be tried there.
    pub only_empty: bool,
    /// For a limited drop block the cells it is tried on, sorted.
    pub only_at: Option<Vec<crate::model::CellId>>,
}

/// Things that the code as a whole reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// The squares of the previous move: they are then part of the search key.
    pub last_move: bool,
    /// Attack tests within blocks.
    pub attacks: bool,
}

/// Bytecode of a whole game.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The operations of all blocks, one block after another, each closed by [`Op::End`].
    pub ops: Vec<Op>,
    /// Where each stretch of operations is written: start address and site, by ascending address.
    pub sites: Vec<(Address, Site)>,
    /// The entry points, by player, kind, moves before drops, block.
    pub entries: Vec<Entry>,
    /// What `Add` operations emit.
    pub adds: Vec<AddTable>,
    /// The lists of move types that may follow a partial move; empty for all types.
    pub continuations: Vec<Vec<MoveTypeId>>,
    /// What the code reads.
    pub reads: Reads,
}

impl Program {
    /// Returns where the operation at `address` is written.
    pub fn site(&self, address: Address) -> Option<Site> {
        let after = self.sites.partition_point(|&(start, _)| start <= address);
        after.checked_sub(1).map(|index| self.sites[index].1)
    }

    /// Returns the address just past the block that starts at `address`.
    pub fn block_end(&self, address: Address) -> Address {
        let length = self.ops[address as usize..]
            .iter()
            .position(|op| *op == Op::End)
            .map_or(0, |n| n + 1);
        address + length as Address
    }
}
