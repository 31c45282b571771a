//! The compiled move generators: flat bytecode with its tables.
//!
//! A [`Program`] is immutable and shared between threads. There is one entry point per piece kind, player and move
//! block, the player's symmetry already applied. The table of operations is [`op`]; [`assembler`] builds code with
//! labels, [`listing`] prints it. Of the text only a map from address to [`Site`] is kept.

pub mod assembler;
pub mod goal;
pub mod join;
pub mod listing;
pub mod op;
pub mod reach;

use crate::model::{CellId, MoveTypeId, Occupant, PieceKindId, PlayerId, Site};

pub use op::{Address, Ask, At, ClassMask, Counter, ListId, Op, TestId, TypeFilter};

/// Defines indices into tables of a program.
macro_rules! table_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u16);

        impl $name {
            /// Returns the index in the table.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}

table_ids! {
    /// Where the value of a variable is kept: those of the game first, then for each player's variable one per player.
    VariableSlot;
    /// Names an entry of [`Program::neighborhoods`].
    NeighborhoodId;
    /// Names an entry of [`Program::piece_lists`].
    PieceListId;
    /// Names an entry of [`Program::texts`].
    TextId;
}

/// Names an entry of [`Program::adds`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddId(pub(crate) u32);

impl AddId {
    /// Returns the index in the table.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// For each cell its neighbours along some directions.
#[derive(Clone, Debug, Default)]
pub struct Neighborhood {
    /// By cell the start of its part of `cells`; one more at the end.
    pub(crate) starts: Vec<u32>,
    pub(crate) cells: Vec<CellId>,
}

impl Neighborhood {
    /// Returns the neighbours of a cell, in the order of the directions, each once; none of no cell.
    #[inline]
    pub fn of(&self, cell: CellId) -> &[CellId] {
        match self.starts.get(cell.index()..cell.index() + 2) {
            Some(&[start, end]) => &self.cells[start as usize..end as usize],
            _ => &[],
        }
    }
}

/// Some pieces: those of some players and kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceList {
    /// Their owners, in order.
    pub owners: Vec<PlayerId>,
    /// The pieces.
    pub pieces: Vec<Occupant>,
    /// The same pieces, by occupant.
    pub contains: Vec<bool>,
    /// Whether these are all pieces of their owners.
    pub is_whole: bool,
}

/// A test of single cells that depends on nothing but the cell, the mover and the position.
#[derive(Clone, Debug)]
pub struct CellTest {
    /// The mover.
    pub player: PlayerId,
    /// Where its code starts; it returns 1 or 0.
    pub address: Address,
}

/// Code that is no move block, by what it serves. Where there is no code, there is no such rule.
#[derive(Clone, Debug, Default)]
pub struct Routines {
    /// By player the tail of every ply.
    pub after_move: Vec<Option<Address>>,
    /// Whose turns are passed over, and when.
    pub skips: Vec<(PlayerId, Address)>,
    /// The piece that acts next, as the number of its cell.
    pub actor: Option<Address>,
    /// What begins a new round when no piece can act.
    pub new_round: Option<Address>,
    /// By player what its turns make greatest.
    pub maximize_turn: Vec<Address>,
    /// By player its score.
    pub scores: Vec<Option<Address>>,
    /// By player the evaluation for search.
    pub evaluations: Vec<Option<Address>>,
    /// By player when the choice of its policy is law.
    pub forced: Vec<Option<Address>>,
    /// The setup by chance.
    pub random_setup: Vec<SetupStep>,
}

/// A step of a setup by chance.
#[derive(Clone, Debug)]
pub enum SetupStep {
    /// Puts pieces on random empty cells.
    Pieces {
        /// The piece.
        piece: Occupant,
        /// How many: code that returns the number.
        count: Address,
        /// Where: code that leaves the cells in the first list.
        set: Address,
        /// Where it is written.
        site: Site,
    },
    /// Runs instructions; ends without returning if the draw must begin again.
    Run {
        /// The code.
        address: Address,
        /// Where it is written.
        site: Site,
    },
}

/// Names a list of move types that may follow a partial move; entry of [`Program::continuations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContinuationId(pub(crate) u16);

impl ContinuationId {
    /// The turn does not go on.
    pub const NONE: ContinuationId = ContinuationId(u16::MAX);

    /// The move is a pass; the turn does not go on.
    pub const PASS: ContinuationId = ContinuationId(u16::MAX - 1);

    /// Tells whether the turn goes on.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self.0 < ContinuationId::PASS.0
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
    /// What the block is.
    pub role: Role,
    /// The move type in force.
    pub move_type: Option<MoveTypeId>,
    /// Whether it reads or writes flags, which must then be cleared before a run.
    pub uses_flags: bool,
    /// Whether it goes beyond the classic language: it can branch and change the board while it runs.
    pub is_extended: bool,
    /// Whether it ends at once on an occupied cell, so that a drop need not be tried there.
    pub only_empty: bool,
    /// For the drop of a shape the tests of its cells that the block begins with: it ends at once where one holds.
    pub shape_tests: Vec<(op::ShapeQuestion, TestId)>,
    /// For a limited drop block the cells it is tried on, sorted.
    pub only_at: Option<Vec<crate::model::CellId>>,
}

/// What a block does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It moves a piece.
    Move,
    /// It drops a piece from the stock.
    Drop,
    /// It makes moves that belong to no piece.
    Action,
}

/// Things that the code as a whole reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// The squares of the previous move: they are then part of the search key.
    pub last_move: bool,
    /// Attack tests within blocks.
    pub attacks: bool,
    /// The number of plies played.
    pub ply: bool,
    /// The number of plies since the last capture.
    pub quiet_plies: bool,
    /// The number of passes in a row.
    pub passes: bool,
    /// How often a position has been there before.
    pub repetitions: bool,
}

/// Bytecode of a whole game.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The operations of all blocks, one block after another, each closed by [`Op::End`].
    pub ops: Vec<Op>,
    /// The same for the interpreter.
    pub joined: join::Joined,
    /// Where each stretch of operations is written: start address and site, by ascending address.
    pub sites: Vec<(Address, Site)>,
    /// The entry points, by player, kind, moves before drops, block.
    pub entries: Vec<Entry>,
    /// What `Add` operations emit.
    pub adds: Vec<AddTable>,
    /// The lists of move types that may follow a partial move; empty for all types.
    pub continuations: Vec<Vec<MoveTypeId>>,
    /// The neighbourhoods that sets and distances go by, the player's symmetry applied.
    pub neighborhoods: Vec<Neighborhood>,
    /// The pieces that sets and counts ask for.
    pub piece_lists: Vec<PieceList>,
    /// The texts of labels.
    pub texts: Vec<String>,
    /// Tests of the cells of shapes.
    pub tests: Vec<CellTest>,
    /// Code that is no move block.
    pub routines: Routines,
    /// The number of `let`s that a run needs at most.
    pub n_lets: usize,
    /// The number of lists of cells that a run needs at most.
    pub n_lists: usize,
    /// Whether moves can have several stages.
    pub has_stages: bool,
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
