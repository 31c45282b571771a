//! Places, numbers, sets of cells and conditions: everything that rules can ask.
//!
//! # Language
//! `docs/language.md`: places, conditions, numbers, sets.

use super::ids::{
    AttributeId, CellId, ConstantId, DirectionId, FlagId, LetId, MoveTypeId, PieceKindId, PlayerId, PlayerVariableId,
    PositionFlagId, VariableId, ZoneId,
};

/// A place, relative to the current cell or absolute. Any place can be nowhere but `Here` and `Cell`.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// The current cell; within the condition of a set the member looked at.
    Here,
    /// One step in a direction, mirrored for the mover.
    Direction(DirectionId),
    /// One step in the opposite direction.
    Opposite(DirectionId),
    /// A cell by name.
    Cell(CellId),
    /// Where a pointer points.
    Pointer(Pointer),
    /// A `let` that holds a place.
    Let(LetId),
    /// `(cell I J …)`: the cell of the first grid with these indices.
    Grid(Vec<Number>),
    /// The first member of a set.
    First(Box<Set>),
}

impl Place {
    /// Tells whether this is the current cell.
    pub fn is_here(&self) -> bool {
        *self == Place::Here
    }
}

/// A pointer of a run or of the previous move.
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

/// A direction as it stands in a list of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heading {
    /// Along the direction, mirrored for the mover.
    Along(DirectionId),
    /// The opposite way.
    Against(DirectionId),
}

/// Whose pieces are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Those of the mover.
    Friend,
    /// Those of the other players who take turns.
    Enemy,
    /// Those of players who take no turns.
    Neutral,
    /// Everybody's.
    Any,
    /// Those of one player.
    Player(PlayerId),
}

/// One player, seen from the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhichPlayer {
    /// The mover, or the player a goal or score speaks of.
    Friend,
    /// A player by name.
    Player(PlayerId),
}

/// What two numbers or places are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    Different,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Compares two values.
    #[inline(always)]
    pub fn holds<T: Ord>(self, a: T, b: T) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Different => a != b,
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::Greater => a > b,
            Comparison::AtLeast => a >= b,
        }
    }
}

/// What is done with two numbers. Results saturate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`: truncates toward zero; by zero it is a fault.
    Divide,
    /// `mod`: what is left by `/`.
    Remainder,
    /// `min`
    Least,
    /// `max`
    Greatest,
}

/// A number of 32 bits.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// Written as it is, or fixed by a type's constant.
    Literal(i32),
    /// An attribute of the piece on a place; 0 if there is none.
    Attribute(AttributeId, Place),
    /// A constant of the type of the piece on a place; 0 if there is none.
    Constant(ConstantId, Place),
    /// A variable of the game.
    Variable(VariableId),
    /// A variable of a player.
    PlayerVariable(PlayerVariableId, WhichPlayer),
    /// A `let` that holds a number.
    Let(LetId),
    /// Two numbers put together.
    Arithmetic(Arithmetic, Box<Number>, Box<Number>),
    /// `(- N)`
    Negate(Box<Number>),
    /// `(abs N)`
    Absolute(Box<Number>),
    /// `(sign N)`: -1, 0 or 1.
    Sign(Box<Number>),
    /// `(select CONDITION N N)`
    Select(Box<Condition>, Box<Number>, Box<Number>),
    /// `(count SET)`
    Count(Box<Set>),
    /// `(sum SET N)`, the number computed at each member.
    Sum(Box<Set>, Box<Number>),
    /// `(least SET N)`; 0 if the set is empty.
    Least(Box<Set>, Box<Number>),
    /// `(greatest SET N)`; 0 if the set is empty.
    Greatest(Box<Set>, Box<Number>),
    /// `(coordinate K [PLACE])`, `(column [PLACE])` for 0, `(row [PLACE])` for 1; 0 nowhere and off the grids.
    Coordinate(u16, Place),
    /// `(distance A B [DIRS])`: the fewest links from A to B, along any direction if none is given.
    Distance(Place, Place, Option<Vec<Heading>>),
    /// `(owner [PLACE])`: the number of the player, from 1; 0 if the place is empty.
    Owner(Place),
    /// `(in-hand WHO TYPE …)`, of all types if none is given.
    InHand(Who, Vec<PieceKindId>),
    /// `(mobility PLAYER)`
    Mobility(WhichPlayer),
    /// `ply`
    Ply,
    /// `quiet-plies`
    QuietPlies,
    /// `passes`
    Passes,
    /// `(repetitions)`, or `(repetitions board)` if only what stands on the board counts.
    Repetitions {
        /// Whether only what stands on the board counts.
        board_only: bool,
    },
}

/// A set of cells in a fixed order, each once.
#[derive(Clone, Debug, PartialEq)]
pub enum Set {
    /// All cells.
    Board,
    /// Those of a zone for the mover.
    Zone(ZoneId),
    /// One cell, or none if the place is nowhere.
    Place(Box<Place>),
    /// One step away, in the order of the directions; along any direction if none is given.
    Neighbors(Option<Vec<Heading>>, Box<Place>),
    /// Going out in each direction as long as the condition holds.
    Ray(Vec<Heading>, Box<Condition>, Box<Place>),
    /// Where such pieces stand; of any kind if none is given.
    Pieces(Who, Vec<PieceKindId>),
    /// Reached from members of a set where the condition holds, over cells where it holds.
    Group(Box<Set>, Box<Condition>, Option<Vec<Heading>>),
    /// The members at which the condition holds.
    Where(Box<Set>, Box<Condition>),
    /// The members of all.
    Join(Vec<Set>),
    /// The one member with the least numbers, compared from left to right.
    MinBy(Box<Set>, Vec<Number>),
    /// One of two.
    Select(Box<Condition>, Box<Set>, Box<Set>),
    /// What the shape covers.
    Cells,
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// `true` and `false`.
    Constant(bool),
    /// A test of a place; nowhere it is false.
    Test(Test, Place),
    /// `flag?`.
    Flag(FlagId),
    /// The negation, also of the `not-` forms.
    Not(Box<Condition>),
    /// All hold, tested from left to right.
    And(Vec<Condition>),
    /// One holds, tested from left to right.
    Or(Vec<Condition>),
    /// Two numbers compared.
    Compare(Comparison, Box<Number>, Box<Number>),
    /// Two places compared, by cell order; if one is nowhere only `<>` holds.
    ComparePlaces(Comparison, Box<Place>, Box<Place>),
    /// `(some SET [CONDITION])`
    Some(Box<Set>, Option<Box<Condition>>),
    /// `(every SET CONDITION)`
    Every(Box<Set>, Box<Condition>),
    /// `automatic?`: no person is playing.
    Automatic,
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
    /// `(owner? WHO)`
    Owner(Who),
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
    /// An attribute by its name: whether it is not 0.
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
