//! Small numbers in place of names: after the model is built, no name decides anything.

use std::fmt;

/// Defines index newtypes over the smallest sufficient integer.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($int:ty);)*) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) $int);

        impl $name {
            /// The number of different ids that can be made; the last value of the integer is kept free for "none".
            pub const LIMIT: usize = <$int>::MAX as usize;

            /// Makes the id of table entry `index`, or `None` past [`Self::LIMIT`].
            pub fn new(index: usize) -> Option<$name> {
                if index < Self::LIMIT { Some($name(index as $int)) } else { None }
            }

            /// Returns the position in the table that the id belongs to.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }
    )* };
}

ids! {
    /// A cell of the board (a ZRF *position*), in the order in which the board creates them.
    CellId(u16);
    /// A direction name; links from cell to cell carry it.
    DirectionId(u16);
    /// A piece kind, in the order of the `piece` sections.
    PieceKindId(u16);
    /// A player, in the order of the `players` section.
    PlayerId(u8);
    /// A zone name.
    ZoneId(u16);
    /// An attribute name; every piece has every attribute.
    AttributeId(u16);
    /// A flag of one run of a move block.
    FlagId(u16);
    /// A flag of one cell during one run of a move block.
    PositionFlagId(u16);
    /// A move type.
    MoveTypeId(u16);
    /// A constant of piece kinds.
    ConstantId(u16);
    /// A variable of the game.
    VariableId(u16);
    /// A variable that every player has.
    PlayerVariableId(u16);
    /// A `let` of one block.
    LetId(u16);
}

impl CellId {
    /// No cell: off the board, a pointer that is not set, the origin of a drop.
    pub const NONE: CellId = CellId(u16::MAX);

    /// Tells whether this is a cell of the board.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self != CellId::NONE
    }

    /// Tells whether this is [`CellId::NONE`].
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self == CellId::NONE
    }
}
