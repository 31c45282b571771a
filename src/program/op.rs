//! The operations of the move generators: one table, from which names, listing and reference follow.
//!
//! A run has these registers: `current`, `from`, `to`, `mark` and `look` (all cells), flags, and three lists that an
//! `Add` turns into a move: movements, effects and captures. A test or effect that concerns a place other than the
//! current cell is preceded by a `Look…` operation, which sets `look`; it then reads `look` instead of `current`.
//!
//! Beyond the classic language there are a stack of numbers (cells stand on it as their numbers), numbered lists of
//! cells in which sets are laid out and gone through, `let`s, and *choices*: at a choice the run is remembered as it
//! stands, and when it ends, it goes on from the last choice with the next alternative.
//!
//! Those called *joined* are never compiled: the interpreter finds them instead of others that follow each other (see
//! [`join`](super::join)).

use super::{AddId, NeighborhoodId, PieceListId, TextId, VariableSlot};
use crate::model::expression::{Arithmetic, Comparison, Pointer};
use crate::model::{
    AttributeId, CellId, ConstantId, DirectionId, FlagId, LetId, MoveTypeId, PieceKindId, PlayerId, PositionFlagId,
    ZoneId,
};

/// A list of cells of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ListId(pub u8);

impl ListId {
    /// Returns the index of the list.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A count that belongs to the game as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Plies played.
    Ply,
    /// Plies since the last capture.
    QuietPlies,
    /// Passes in a row.
    Passes,
    /// How often the position has been there before.
    Repetitions,
    /// How often what stands on the board has been there before.
    BoardRepetitions,
}

/// The cell that a test or effect concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum At {
    /// The current cell.
    Here,
    /// The cell that the `Look…` operation before found, possibly none.
    Look,
}

/// The cell that a test concerns, and the answer on which it jumps; one byte, so that operations stay small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// Jumps if it is true of the current cell.
    Here,
    /// Jumps if it is false of the current cell.
    NotHere,
    /// Jumps if it is true of the cell looked at.
    Look,
    /// Jumps if it is false of the cell looked at.
    NotLook,
}

impl Ask {
    /// Makes the question about a cell with the answer on which to jump.
    pub fn new(at: At, wanted: bool) -> Ask {
        match (at, wanted) {
            (At::Here, true) => Ask::Here,
            (At::Here, false) => Ask::NotHere,
            (At::Look, true) => Ask::Look,
            (At::Look, false) => Ask::NotLook,
        }
    }

    /// Returns the cell asked about.
    #[inline(always)]
    pub fn at(self) -> At {
        match self {
            Ask::Here | Ask::NotHere => At::Here,
            Ask::Look | Ask::NotLook => At::Look,
        }
    }

    /// Returns the answer on which to jump.
    #[inline(always)]
    pub fn wanted(self) -> bool {
        matches!(self, Ask::Here | Ask::Look)
    }
}

/// The address of an operation in its program.
pub type Address = u32;

/// A set of occupant classes, seen from the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassMask(pub u8);

impl ClassMask {
    /// No piece.
    pub const EMPTY: ClassMask = ClassMask(1);
    /// A piece of the mover.
    pub const FRIEND: ClassMask = ClassMask(2);
    /// A piece of another player who takes turns.
    pub const ENEMY: ClassMask = ClassMask(4);
    /// A piece of a player who takes no turns.
    pub const NEUTRAL: ClassMask = ClassMask(8);
    /// A piece, where there is no mover, of a player who takes turns.
    pub const OTHER: ClassMask = ClassMask(16);

    /// Any piece.
    pub const OCCUPIED: ClassMask = ClassMask(2 | 4 | 8 | 16);

    /// Every class: just one of them holds of each cell.
    pub const ALL: ClassMask = ClassMask(31);

    /// Tells whether the two sets share a class.
    #[inline(always)]
    pub fn meets(self, other: ClassMask) -> bool {
        self.0 & other.0 != 0
    }
}

/// Declares the operations. Each row: meaning in one sentence, operands, and the form in a listing.
macro_rules! ops {
    ($($(#[doc = $doc:literal])* $name:ident $({ $($field:ident: $type:ty),* $(,)? })? $mnemonic:literal;)*) => {
        /// One operation of a move generator; 8 bytes or less.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Op { $($(#[doc = $doc])* $name $({
            $(#[doc = concat!("The operand `", stringify!($field), "`.")] $field: $type),*
        })?),* }

        impl Op {
            /// Returns the name of the operation in listings.
            pub fn mnemonic(&self) -> &'static str {
                match self { $(Op::$name $({ $($field: _),* })? => $mnemonic),* }
            }

            /// Returns the address that the operation can jump to, if it has one.
            pub fn target_mut(&mut self) -> Option<&mut Address> {
                match self { $(Op::$name $({ $($field),* })? => {
                    let target: Option<&mut Address> = None;
                    $($(let target = target.or(TargetOf::target_of($field));)*)?
                    target
                })* }
            }

            /// Lists the operands with their names, in declaration order.
            pub fn operands(&self) -> Vec<(&'static str, Operand)> {
                match *self { $(Op::$name $({ $($field),* })? => vec![$($((stringify!($field), Operand::from($field))),*)?]),* }
            }
        }

        /// Every operation: its name in listings and its meaning, in declaration order.
        pub const OP_REFERENCE: &[(&str, &str)] = &[$(($mnemonic, concat!($($doc),*))),*];
    };
}

ops! {
    /// Ends the run.
    End "end";
    /// Steps the current cell along a direction; the run ends at the edge.
    Step { direction: DirectionId } "step";
    /// Makes a cell the current one.
    Goto { cell: CellId } "goto";
    /// Makes the start of the current movement the current cell; the run ends if there is none.
    GoFrom "go-from";
    /// Makes the destination the current cell, if it is set.
    GoTo "go-to";
    /// Makes the marked cell the current one; the run ends if there is none.
    GoMark "go-mark";
    /// Makes the start of the previous move the current cell; the run ends if there is none.
    GoLastFrom "go-last-from";
    /// Makes the end of the previous move the current cell; the run ends if there is none.
    GoLastTo "go-last-to";
    /// Starts the current movement at the current cell.
    SetFrom "set-from";
    /// Ends the current movement at the current cell.
    SetTo "set-to";
    /// Marks a cell.
    SetMark { at: At } "set-mark";
    /// Looks one step along a direction.
    LookDirection { direction: DirectionId } "look";
    /// Looks at a cell by name.
    LookCell { cell: CellId } "look-cell";

    /// Goes on at another address.
    Jump { target: Address } "jump";
    /// Goes back to the head of a loop and counts the round against the step limit.
    Loop { target: Address } "loop";
    /// In an attack test goes on at another address: what lies between are effects that take nothing.
    PassEffects { target: Address } "pass-effects";
    /// Jumps if the class of the occupant being one of the mask is as wanted.
    IfClass { ask: Ask, mask: ClassMask, target: Address } "if-class";
    /// Jumps if the occupant being of the kind, whoever owns it, is as wanted.
    IfKind { ask: Ask, kind: PieceKindId, target: Address } "if-kind";
    /// Jumps if the place being on the board is as wanted.
    IfOnBoard { ask: Ask, target: Address } "if-on-board";
    /// Jumps if the place being in the zone of the mover is as wanted.
    IfZone { ask: Ask, zone: ZoneId, target: Address } "if-zone";
    /// Jumps if the place being the cell is as wanted.
    IfCell { ask: Ask, cell: CellId, target: Address } "if-cell";
    /// Jumps if the place being the marked cell is as wanted.
    IfMarked { ask: Ask, target: Address } "if-marked";
    /// Jumps if the place being the start of the previous move is as wanted.
    IfLastFrom { ask: Ask, target: Address } "if-last-from";
    /// Jumps if the place being the end of the previous move is as wanted.
    IfLastTo { ask: Ask, target: Address } "if-last-to";
    /// Jumps if the flag is as wanted.
    IfFlag { wanted: bool, flag: FlagId, target: Address } "if-flag";
    /// Jumps if the flag of the place is as wanted.
    IfPositionFlag { ask: Ask, flag: PositionFlagId, target: Address } "if-position-flag";
    /// Jumps if the attribute of the piece there being other than 0 is as wanted.
    IfAttribute { ask: Ask, attribute: AttributeId, target: Address } "if-attribute";
    /// Jumps if the place being attacked by an enemy of the mover, with moves of the type, is as wanted.
    IfAttacked { ask: Ask, by: TypeFilter, target: Address } "if-attacked";
    /// Jumps if the place being defended by the mover, with moves of the type, is as wanted.
    IfDefended { ask: Ask, by: TypeFilter, target: Address } "if-defended";
    /// Jumps if some link from the place leading to an enemy is as wanted.
    IfAdjacentToEnemy { ask: Ask, target: Address } "if-adjacent-to-enemy";
    /// Jumps if the place occurring in an absolute-config goal is as wanted.
    IfGoalPosition { ask: Ask, target: Address } "if-goal-position";

    /// Collects a capture.
    Capture { at: At } "capture";
    /// Collects a change of owner to the next player.
    Flip { at: At } "flip";
    /// Collects a change of owner to the mover.
    ChangeOwner { at: At } "change-owner";
    /// Collects a change of kind.
    ChangeKind { at: At, kind: PieceKindId } "change-kind";
    /// Collects the creation of a piece.
    Create { at: At, player: PlayerId, kind: PieceKindId } "create";
    /// Collects a change of an attribute.
    SetAttribute { at: At, attribute: AttributeId, value: i16 } "set-attribute";
    /// Sets a flag of this run, at once.
    SetFlag { value: bool, flag: FlagId } "set-flag";
    /// Sets a flag of a cell for this run, at once.
    SetPositionFlag { at: At, value: bool, flag: PositionFlagId } "set-position-flag";
    /// Finishes a movement and starts the next at the current cell.
    Cascade "cascade";
    /// Emits the moves of entry `index` of the table of adds.
    Add { index: AddId } "add";

    /// Puts a number on the stack.
    Push { value: i32 } "push";
    /// Puts the number of a cell on the stack; that of no cell is greater than any other.
    PushCell { at: At } "push-cell";
    /// Puts what a `let` holds on the stack.
    PushLet { slot: LetId } "push-let";
    /// Puts an attribute on the stack; 0 where no piece stands.
    PushAttribute { at: At, attribute: AttributeId } "push-attribute";
    /// Puts a constant of the kind of the piece on the stack; 0 where no piece stands.
    PushConstant { at: At, constant: ConstantId } "push-constant";
    /// Puts a variable on the stack.
    PushVariable { slot: VariableSlot } "push-variable";
    /// Puts the number of the owner on the stack, from 1; 0 where no piece stands.
    PushOwner { at: At } "push-owner";
    /// Puts an index of the cell in its grid on the stack.
    PushCoordinate { at: At, axis: u16 } "push-coordinate";
    /// Takes two cells off the stack and puts on it how many links lead from the first to the second.
    PushDistance { table: NeighborhoodId } "push-distance";
    /// Puts the number of such pieces in hand on the stack.
    PushInHand { pieces: PieceListId } "push-in-hand";
    /// Puts the number of such pieces on the board on the stack.
    PushOnBoard { pieces: PieceListId } "push-on-board";
    /// Puts the number of moves of a player on the stack, counted no further than `limit`.
    PushMobility { player: PlayerId, limit: u16 } "push-mobility";
    /// Puts a count of the game on the stack.
    PushCounter { counter: Counter } "push-counter";
    /// Puts the number of cells of a list on the stack.
    PushSize { list: ListId } "push-size";
    /// Takes two numbers off the stack and puts their result on it.
    Calculate { operation: Arithmetic } "calculate";
    /// Turns the sign of the number on the stack.
    Negate "negate";
    /// Takes the sign off the number on the stack.
    Absolute "absolute";
    /// Makes -1, 0 or 1 of the number on the stack.
    Sign "sign";
    /// Adds 1 to the number on the stack.
    Increment "increment";
    /// Makes the number on the stack 0 if the list is empty.
    ZeroIfEmpty { list: ListId } "zero-if-empty";

    /// Takes two numbers off the stack and jumps if comparing them gives the answer wanted.
    IfCompare { comparison: Comparison, wanted: bool, target: Address } "if-compare";
    /// Takes two cells off the stack and jumps if comparing them gives the answer wanted; without one of them only
    /// `<>` holds.
    IfCompareCells { comparison: Comparison, wanted: bool, target: Address } "if-compare-cells";
    /// Jumps on the answer: does a piece of this player stand there.
    IfOwner { ask: Ask, player: PlayerId, target: Address } "if-owner";
    /// Jumps on the answer: is no person playing.
    IfAutomatic { wanted: bool, target: Address } "if-automatic";
    /// Jumps on the answer: does one neighbour of the current cell have an occupant of one of the classes.
    IfSomeNeighbor { question: ClassQuestion, table: NeighborhoodId, target: Address } "if-some-neighbor";
    /// Jumps on the answer about the cells of the shape and a test of cells.
    IfShape { question: ShapeQuestion, test: TestId, target: Address } "if-shape";
    /// Puts the number of cells of the shape where a test holds on the stack.
    PushShape { test: TestId } "push-shape";

    /// Looks where a pointer points.
    LookPointer { pointer: Pointer } "look-pointer";
    /// Looks where a `let` is.
    LookLet { slot: LetId } "look-let";
    /// Takes grid indices off the stack and looks at the cell of the first grid that has them.
    LookGrid { dimensions: u16 } "look-grid";
    /// Looks at the first cell of a list, if it has one.
    LookFirst { list: ListId } "look-first";
    /// Looks one step along a direction; at nothing if there is no current cell.
    LookStep { direction: DirectionId } "look-step";
    /// Makes the cell looked at the current one; the run ends if there is none.
    GoLook "go-look";
    /// Makes the cell where the last movement arrived the current one, or none.
    GoArrival "go-arrival";
    /// Steps the current cell along a direction; jumps at the edge.
    StepOr { direction: DirectionId, target: Address } "step-or";

    /// Empties a list.
    Clear { list: ListId } "clear";
    /// Puts all cells into a list.
    ListBoard { list: ListId } "list-board";
    /// Puts the cells of a zone into a list.
    ListZone { list: ListId, zone: ZoneId } "list-zone";
    /// Puts the cells where such pieces stand into a list.
    ListPieces { list: ListId, pieces: PieceListId } "list-pieces";
    /// Puts the neighbours of a cell into a list.
    ListNeighbors { list: ListId, at: At, table: NeighborhoodId } "list-neighbors";
    /// Adds to a list the cells along a direction from a cell as long as what stands there is of the classes, up to one
    /// that is in the list.
    ListRay { list: ListId, at: At, direction: DirectionId, mask: ClassMask } "list-ray";
    /// Adds to a list what links lead to from its members, the first members first, as long as what stands there is of
    /// the classes.
    ListGroup { list: ListId, table: NeighborhoodId, mask: ClassMask } "list-group";
    /// Puts the cells of the shape into a list.
    ListShape { list: ListId } "list-shape";
    /// Adds a cell, if there is one, to a list, unless it is in it.
    ListCell { list: ListId, at: At } "list-cell";
    /// Adds the current cell to a list; jumps if it is in it.
    ListNew { list: ListId, target: Address } "list-new";
    /// Begins to go through a list, whose end comes back to the current cell.
    Begin { list: ListId } "begin";
    /// Makes the next cell of a list the current one; at its end comes back and jumps.
    Next { list: ListId, target: Address } "next";
    /// Makes the next cell of a list on which stands what is of the classes the current one; at its end comes back and
    /// jumps.
    NextOf { list: ListId, mask: ClassMask, target: Address } "next-of";
    /// Comes back to the cell that was current at the begin.
    Resume { list: ListId } "resume";
    /// Takes `numbers` numbers off the stack and makes the current cell the only one of the list, if they are less than
    /// those of the cell in it.
    Best { list: ListId, numbers: u8 } "best";

    /// Sets a `let` to the number on the stack.
    SetLet { slot: LetId } "set-let";
    /// Collects a change of an attribute to the number on the stack.
    SetAttributeTo { at: At, attribute: AttributeId } "set-attribute-to";
    /// Collects an addition of the number on the stack to an attribute.
    IncreaseAttribute { at: At, attribute: AttributeId } "increase-attribute";
    /// Collects a change of a variable to the number on the stack.
    SetVariable { slot: VariableSlot } "set-variable";
    /// Collects an addition of the number on the stack to a variable.
    IncreaseVariable { slot: VariableSlot } "increase-variable";
    /// Collects a movement from the cell on the stack.
    MovePiece { at: At } "move-piece";
    /// Adds a text to the label.
    LabelText { text: TextId } "label-text";
    /// Adds the number on the stack to the label.
    LabelNumber "label-number";
    /// Adds the name of a cell to the label.
    LabelCell { at: At } "label-cell";
    /// Adds the name of a kind to the label.
    LabelKind { kind: PieceKindId } "label-kind";
    /// Collects that the same turn item comes once more.
    Again "again";
    /// Takes numbers off the stack: the rating of the next move.
    Rate { numbers: u16 } "rate";

    /// Ends a stage: what was collected is made on the board for the rest of the run.
    Then "then";
    /// Remembers the run: when it ends, it goes on at `target`. The lists below `lists` are remembered too.
    Choose { lists: u8, target: Address } "choose";
    /// Makes the next cell of a list the current one, each in a run of its own; ends the run if there is none.
    PickNext { list: ListId } "pick-next";
    /// Takes the greatest and the least size off the stack and begins to choose sub-sets of a list; ends the run if
    /// there is none.
    Subsets { list: ListId } "subsets";
    /// Puts the next sub-set of a list into the one before it, each in a run of its own.
    NextSubset { list: ListId } "next-subset";
    /// Begins to count: takes the greatest and the least number of times off the stack and keeps them in three `let`s;
    /// ends the run if the range is empty.
    BeginRepeat { slot: LetId } "begin-repeat";
    /// Counts: goes on with the next time, or jumps when it is enough; where both are allowed each in a run of its own.
    NextRepeat { slot: LetId, lists: u8, target: Address } "next-repeat";
    /// Finishes a move of several stages: that of entry `index` of the table of adds.
    Complete { index: AddId, lists: u8 } "complete";
    /// Puts down all flags and `let`s, for a consequence with its own.
    Fresh "fresh";
    /// Finishes a consequence and with it the move.
    Finish "finish";
    /// Ends an evaluation with the number on the stack.
    Return "return";

    /// Joined: looks one step along a direction; jumps if there being a place is as wanted.
    LookIfOnBoard { direction: DirectionId, wanted: bool, target: Address } "look-if-on-board";
    /// Joined: looks one step along a direction; jumps on the answer: is the class of the occupant one of these.
    LookIfClass { question: ClassQuestion, direction: DirectionId, target: Address } "look-if-class";
    /// Joined: looks one step along a direction and does what the `if-kind` says that follows.
    LookIfKind { direction: DirectionId } "look-if-kind";
    /// Joined: looks at a cell by name; jumps on the answer: is the class of the occupant one of these.
    LookCellIfClass { question: ClassQuestion, cell: CellId, target: Address } "look-cell-if-class";
    /// Joined: steps along a direction; jumps on the answer: is the class of the occupant there one of these.
    StepIfClass { question: ClassQuestion, direction: DirectionId, target: Address } "step-if-class";
    /// Joined: steps along a direction and does what the `if-kind` says that follows.
    StepIfKind { direction: DirectionId } "step-if-kind";
    /// Joined: steps along a direction and goes back to the head of a loop.
    StepLoop { direction: DirectionId, target: Address } "step-loop";
    /// Joined: jumps if the occupant being of one of the kinds of a set is as wanted; otherwise goes on behind all that is
    /// joined.
    IfKinds { ask: Ask, set: u16, target: Address } "if-kinds";
    /// Joined: walks along the board until a test says otherwise: entry `walk` of [`Joined::walks`](super::join::Joined).
    Walk { walk: u16 } "walk";
}

/// A test of single cells, entry of [`Program::tests`](super::Program::tests).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TestId(pub u16);

/// Classes to look for, and the answer on which to jump; one byte, so that operations stay small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassQuestion(u8);

impl ClassQuestion {
    const WANTED: u8 = 0x80;

    /// Makes the question with the answer on which to jump.
    pub fn new(mask: ClassMask, wanted: bool) -> ClassQuestion {
        ClassQuestion(mask.0 | if wanted { ClassQuestion::WANTED } else { 0 })
    }

    /// Returns the classes.
    #[inline(always)]
    pub fn mask(self) -> ClassMask {
        ClassMask(self.0 & !ClassQuestion::WANTED)
    }

    /// Returns the answer on which to jump.
    #[inline(always)]
    pub fn wanted(self) -> bool {
        self.0 & ClassQuestion::WANTED != 0
    }
}

/// On what to jump, of the cells of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapeQuestion {
    /// The test holds on one of them.
    Some,
    /// It holds on none.
    None,
    /// It holds on all of them.
    Every,
    /// It does not hold on one of them.
    NotEvery,
}

impl Op {
    /// Tells whether this is an operation of the classic language.
    pub fn is_classic(&self) -> bool {
        // `Add` is the last of them in the table.
        let place = |mnemonic: &str| OP_REFERENCE.iter().position(|(name, _)| *name == mnemonic);
        place(self.mnemonic()) <= place("add")
    }
}

/// A move type to which an attack test is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeFilter(u16);

impl TypeFilter {
    /// Makes the filter for one type, or for all types.
    pub fn new(move_type: Option<MoveTypeId>) -> TypeFilter {
        TypeFilter(move_type.map_or(u16::MAX, |t| t.0))
    }

    /// Returns the type, or `None` for all.
    #[inline(always)]
    pub fn get(self) -> Option<MoveTypeId> {
        (self.0 != u16::MAX).then_some(MoveTypeId(self.0))
    }
}

/// An operand of any operation, for listings.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // one variant per operand type, named after it
pub enum Operand {
    At(At),
    Ask(Ask),
    Wanted(bool),
    Target(Address),
    Mask(ClassMask),
    Direction(DirectionId),
    Cell(CellId),
    Kind(PieceKindId),
    Player(PlayerId),
    Zone(ZoneId),
    Flag(FlagId),
    PositionFlag(PositionFlagId),
    Attribute(AttributeId),
    Type(TypeFilter),
    Number(i32),
    Let(LetId),
    Constant(ConstantId),
    Variable(VariableSlot),
    Neighborhood(NeighborhoodId),
    Pieces(PieceListId),
    Text(TextId),
    List(ListId),
    Counter(Counter),
    Comparison(Comparison),
    Arithmetic(Arithmetic),
    Pointer(Pointer),
    Test(TestId),
    Question(ClassQuestion),
    Shape(ShapeQuestion),
    Add(AddId),
}

/// Finds the address among the operands of an operation.
trait TargetOf {
    fn target_of(&mut self) -> Option<&mut Address> {
        None
    }
}

impl TargetOf for Address {
    fn target_of(&mut self) -> Option<&mut Address> {
        Some(self)
    }
}

macro_rules! no_targets {
    ($($type:ty),* $(,)?) => { $(impl TargetOf for $type {})* };
}

no_targets! {
    At, Ask, bool, ClassMask, DirectionId, CellId, PieceKindId, PlayerId, ZoneId, FlagId, PositionFlagId, AttributeId,
    TypeFilter, i32, i16, u16, u8, LetId, ConstantId, VariableSlot, NeighborhoodId, PieceListId, TextId, ListId, Counter,
    Comparison, Arithmetic, Pointer, TestId, ClassQuestion, ShapeQuestion, AddId,
}

macro_rules! operand_from {
    ($($type:ty => $variant:ident),* $(,)?) => { $(
        impl From<$type> for Operand {
            fn from(value: $type) -> Operand { Operand::$variant(value) }
        }
    )* };
}

operand_from! {
    At => At, Ask => Ask, bool => Wanted, Address => Target, ClassMask => Mask, DirectionId => Direction, CellId => Cell,
    PieceKindId => Kind, PlayerId => Player, ZoneId => Zone, FlagId => Flag, PositionFlagId => PositionFlag,
    AttributeId => Attribute, TypeFilter => Type, i32 => Number, LetId => Let, ConstantId => Constant,
    VariableSlot => Variable, NeighborhoodId => Neighborhood, PieceListId => Pieces, TextId => Text, ListId => List,
    Counter => Counter, Comparison => Comparison, Arithmetic => Arithmetic, Pointer => Pointer, TestId => Test, ClassQuestion => Question,
    ShapeQuestion => Shape, AddId => Add,
}

impl From<i16> for Operand {
    fn from(value: i16) -> Operand {
        Operand::Number(value.into())
    }
}

impl From<u16> for Operand {
    fn from(value: u16) -> Operand {
        Operand::Number(value.into())
    }
}

impl From<u8> for Operand {
    fn from(value: u8) -> Operand {
        Operand::Number(value.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_stay_small() {
        assert!(size_of::<Op>() <= 8, "an operation takes {} bytes", size_of::<Op>());
    }

    #[test]
    fn every_operation_has_a_meaning() {
        for (name, meaning) in OP_REFERENCE {
            assert!(meaning.trim().ends_with('.'), "`{name}` has no sentence");
        }
    }
}
