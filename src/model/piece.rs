//! Piece kinds and the typed tree of their move blocks.

use super::Site;
use super::ids::{AttributeId, CellId, DirectionId, FlagId, MoveTypeId, PieceKindId, PlayerId, PositionFlagId, ZoneId};

/// A piece kind (a ZRF `piece` section).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PieceKind {
    /// The name used in rules and moves.
    pub name: String,
    /// The short text for move lists, if the file gives one.
    pub notation: Option<String>,
    /// One line of help.
    pub help: Option<String>,
    /// A longer text.
    pub description: Option<String>,
    /// A document to open from the piece's help.
    pub open: Option<String>,
    /// Pictures per player name, in file order.
    pub images: Vec<(String, Vec<String>)>,
    /// Whether the kind is marked `(dummy)`: not counted, not valued.
    pub dummy: bool,
    /// The attributes that this kind declares, with the value that a new piece has.
    pub attributes: Vec<(AttributeId, i32)>,
    /// The move types in the order in which its blocks mention them, each once; saved games number types by it.
    pub mentioned_types: Vec<MoveTypeId>,
    /// The blocks of its `moves`, in file order.
    pub moves: Vec<Block>,
    /// The blocks of its `drops`, in file order.
    pub drops: Vec<Block>,
}

/// A move block: instructions that generate moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The move type in force where the block stands.
    pub move_type: Option<MoveTypeId>,
    /// What is executed.
    pub instructions: Vec<Instruction>,
    /// For a drop block: the cells it is tried on, if it is limited to some.
    pub only_at: Option<DropLimit>,
    /// Where the block is written.
    pub site: Site,
}

/// Where a drop block is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropLimit {
    /// On one cell.
    Cell(CellId),
    /// On the cells of a zone, as it is for the mover.
    Zone(ZoneId),
}

/// An instruction with the place where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// What it does.
    pub kind: InstructionKind,
    /// Where it is written.
    pub site: Site,
}

/// A place named relative to the current cell, or absolutely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The current cell.
    Here,
    /// One step in a direction, mirrored for the mover.
    Direction(DirectionId),
    /// One step in the opposite direction.
    Opposite(DirectionId),
    /// A cell by name.
    Cell(CellId),
}

/// The pointer that `(go …)` moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// The start of the current movement.
    From,
    /// Its destination, if set.
    To,
    /// The marked cell.
    Mark,
    /// Where the previous move started.
    LastFrom,
    /// Where the previous move ended.
    LastTo,
}

/// What an instruction does. One variant per word of the language, named after it.
#[derive(Clone, Debug, PartialEq)]
pub enum InstructionKind {
    /// Steps to a place; the run ends if there is none.
    Step(Place),
    /// `(go …)` and `back`.
    Go(Pointer),
    /// `from`: the current movement starts here.
    From,
    /// `to`: the current movement ends here.
    To,
    /// `mark`.
    Mark(Place),
    /// `cascade`: finishes a movement and begins the next.
    Cascade,
    /// The `add` family.
    Add(Add),
    /// `capture`.
    Capture(Place),
    /// `flip`.
    Flip(Place),
    /// `change-owner`.
    ChangeOwner(Place),
    /// `change-type`.
    ChangeType(PieceKindId, Place),
    /// `create`: the player is the mover unless given, the kind the one that runs the block unless given.
    Create(Option<PlayerId>, Option<PieceKindId>, Place),
    /// `set-attribute`.
    SetAttribute(AttributeId, Condition, Place),
    /// `set-flag`.
    SetFlag(FlagId, Condition),
    /// `set-position-flag`.
    SetPositionFlag(PositionFlagId, Condition, Place),
    /// `verify`.
    Verify(Condition),
    /// `if … else …`.
    If(Condition, Vec<Instruction>, Vec<Instruction>),
    /// `while`.
    While(Condition, Vec<Instruction>),
}

/// An `add`, `add-partial`, `add-copy` or `add-copy-partial`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Add {
    /// The kinds to choose from for the piece; empty for no change.
    pub kinds: Vec<PieceKindId>,
    /// Whether the piece stays and a new one appears at the destination.
    pub copy: bool,
    /// Whether the turn may go on with the piece.
    pub partial: bool,
    /// For a partial move the types that may follow; empty for all.
    pub move_types: Vec<MoveTypeId>,
}

/// A condition inside a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// `true` and `false`.
    Constant(bool),
    /// A test of a place; off the board it is false.
    Test(Test, Place),
    /// `flag?`.
    Flag(FlagId),
    /// The negation, also of the `not-` forms.
    Not(Box<Condition>),
    /// All hold, tested from left to right.
    And(Vec<Condition>),
    /// One holds, tested from left to right.
    Or(Vec<Condition>),
}

/// What is asked about a place. One variant per word, named after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// `empty?`
    Empty,
    /// `friend?`
    Friend,
    /// `enemy?`
    Enemy,
    /// `neutral?`
    Neutral,
    /// `piece?`: of any owner.
    Piece(PieceKindId),
    /// `on-board?`
    OnBoard,
    /// `in-zone?`
    InZone(ZoneId),
    /// `position?`
    Position(CellId),
    /// `marked?`
    Marked,
    /// `last-from?`
    LastFrom,
    /// `last-to?`
    LastTo,
    /// `position-flag?`
    PositionFlag(PositionFlagId),
    /// An attribute by its name.
    Attribute(AttributeId),
    /// `attacked?`, with moves of the type if one is given.
    Attacked(Option<MoveTypeId>),
    /// `defended?`, with moves of the type if one is given.
    Defended(Option<MoveTypeId>),
    /// `adjacent-to-enemy?`
    AdjacentToEnemy,
    /// `goal-position?`
    GoalPosition,
}
