//! Piece kinds and the typed tree of their move blocks.

use super::Site;
use super::expression::{Condition, Number, Place, Pointer, Set, WhichPlayer};
use super::ids::{
    AttributeId, CellId, ConstantId, FlagId, LetId, MoveTypeId, PieceKindId, PlayerId, PlayerVariableId,
    PositionFlagId, VariableId, ZoneId,
};

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
    /// The numbers that go with the kind and never change.
    pub constants: Vec<(ConstantId, i32)>,
    /// The cells that a piece covers when it is dropped, if it is a shape.
    pub shape: Option<Shape>,
    /// The move types in the order in which its blocks mention them, each once; saved games number types by it.
    pub mentioned_types: Vec<MoveTypeId>,
    /// The blocks of its `moves`, in file order.
    pub moves: Vec<Block>,
    /// The blocks of its `drops`, in file order.
    pub drops: Vec<Block>,
}

/// A shape (`shape`): squares of a grid that a piece covers all at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Column and row of each square as drawn, from the left and from the top.
    pub squares: Vec<(i64, i64)>,
    /// How it may be laid.
    pub turning: Turning,
}

/// How a shape may be laid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turning {
    /// Turned by quarter turns and flipped.
    #[default]
    Free,
    /// Turned, not flipped.
    TurnsOnly,
    /// As it is drawn.
    Fixed,
}

/// What a `let` of a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetKind {
    /// A number.
    Number,
    /// A place.
    Place,
}

/// Instructions with what they need: a move block, an action, a consequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The move type in force where the block stands.
    pub move_type: Option<MoveTypeId>,
    /// What is executed.
    pub instructions: Vec<Instruction>,
    /// What its `let`s hold, by [`LetId`].
    pub lets: Vec<LetKind>,
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

/// What an instruction does. One variant per word of the language, named after it. Large parts are boxed: real files have
/// hundreds of thousands of the small ones.
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
    SetAttribute(AttributeId, Value, Place),
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
    /// `let` with a number.
    LetNumber(LetId, Box<Number>),
    /// `let` with a place.
    LetPlace(LetId, Place),
    /// `set`.
    Set(VariableRef, Box<Number>),
    /// `increase` of an attribute.
    IncreaseAttribute(AttributeId, Box<Number>, Place),
    /// `increase` of a variable.
    IncreaseVariable(VariableRef, Box<Number>),
    /// `choose`: one of several.
    Choose(Vec<Vec<Instruction>>),
    /// `(pick SET)`: the current cell becomes one of them.
    Pick(Box<Set>),
    /// `(pick RANGE SET …)`: the instructions run at each member of a sub-set.
    PickSome(Box<Range>, Box<Set>, Vec<Instruction>),
    /// `repeat`.
    Repeat(Box<Range>, Vec<Instruction>),
    /// `for-each`.
    ForEach(Box<Set>, Vec<Instruction>),
    /// `then`: ends a stage.
    Then,
    /// `move-piece`: from, to.
    MovePiece(Place, Place),
    /// `label`.
    Label(Vec<LabelItem>),
    /// `again`.
    Again,
    /// `rate`.
    Rate(Vec<Number>),
}

/// The value that `set-attribute` gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// 1 if it holds, else 0.
    Condition(Condition),
    /// A number.
    Number(Box<Number>),
}

/// A variable that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableRef {
    /// Of the game.
    Game(VariableId),
    /// Of a player.
    Player(PlayerVariableId, WhichPlayer),
}

/// A number of times: from the least to the greatest, both included.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub low: Number,
    /// The greatest; none for no limit.
    pub high: Option<Number>,
}

/// An item of a `label`.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelItem {
    /// A text.
    Text(String),
    /// A number.
    Number(Number),
    /// The name of the cell.
    Place(Place),
    /// The name of the kind.
    Kind(PieceKindId),
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
