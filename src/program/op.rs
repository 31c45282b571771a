//! The operations of the move generators: one table, from which names, listing and reference follow.
//!
//! A run has these registers: `current`, `from`, `to`, `mark` and `look` (all cells), flags, and three lists that an
//! `Add` turns into a move: movements, effects and captures. A test or effect that concerns a place other than the
//! current cell is preceded by a `Look…` operation, which sets `look`; it then reads `look` instead of `current`.

use crate::model::{
    AttributeId, CellId, DirectionId, FlagId, MoveTypeId, PieceKindId, PlayerId, PositionFlagId, ZoneId,
};

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

    /// Any piece.
    pub const OCCUPIED: ClassMask = ClassMask(2 | 4 | 8);

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
    Add { index: u32 } "add";
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
    Number(i16),
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
    AttributeId => Attribute, TypeFilter => Type, i16 => Number,
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
