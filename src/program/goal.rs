//! Goals with everything resolved for the player they are tested for.

use super::Address;
use crate::model::goal::GoalKind;
use crate::model::{CellId, DirectionId, Occupant, PlayerId};

/// One goal section, resolved for each of its players.
#[derive(Clone, Debug)]
pub struct GoalProgram {
    /// What it decides.
    pub kind: GoalKind,
    /// The tests, one per player in the order written.
    pub tests: Vec<(PlayerId, GoalTest)>,
    /// Whether it speaks of the player to move or of earlier positions, and is therefore tested last.
    pub speaks_of_the_turn: bool,
    /// Whether `repetition` occurs in it.
    pub speaks_of_repetition: bool,
}

/// A set of occupants, the empty cell possibly among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OccupantSet {
    members: Box<[bool]>,
}

impl OccupantSet {
    /// Makes the set of the occupants, out of `n_occupants`, for which `belongs` is true.
    pub fn new(n_occupants: usize, belongs: impl Fn(Occupant) -> bool) -> OccupantSet {
        OccupantSet {
            members: (0..n_occupants).map(|index| belongs(Occupant(index as u16))).collect(),
        }
    }

    /// Tells whether the occupant is in the set.
    #[inline(always)]
    pub fn contains(&self, occupant: Occupant) -> bool {
        self.members[occupant.index()]
    }

    /// Returns the members in order.
    pub fn iter(&self) -> impl Iterator<Item = Occupant> + '_ {
        self.members
            .iter()
            .enumerate()
            .filter(|&(_, &member)| member)
            .map(|(index, _)| Occupant(index as u16))
    }
}

/// An occupant looked for at a place of an absolute configuration.
#[derive(Clone, Debug)]
pub struct PlaceTest {
    /// The pieces looked for.
    pub pieces: OccupantSet,
    /// Whether none of the cells may have one, rather than one of them must.
    pub none: bool,
}

/// When a goal holds.
#[derive(Clone, Debug)]
pub enum GoalTest {
    /// The player is to move and cannot.
    Stalemated,
    /// The position has occurred for the third time.
    Repetition,
    /// The player is to move and cannot, and one of these pieces is attacked.
    Checkmated(Vec<Occupant>),
    /// The last move captured one of these.
    Captured(OccupantSet),
    /// At each place (a list of cells), or at one of them, one of the tests holds.
    AbsoluteConfig {
        /// The tests.
        tests: Vec<PlaceTest>,
        /// The places.
        places: Vec<Vec<CellId>>,
        /// Whether one place is enough.
        any: bool,
    },
    /// A chain of occupants, each one step from the one before; it may start at any cell.
    RelativeConfig {
        /// The player whose pieces alone can start the chain, if there is one.
        starts_with: Option<PlayerId>,
        /// The occupants at the start.
        first: OccupantSet,
        /// Each step and the occupants after it.
        steps: Vec<(DirectionId, OccupantSet)>,
        /// For each cell the starts of the chains that lead over it.
        through: Vec<Vec<CellId>>,
    },
    /// The number of these pieces, the stock included if said.
    PieceCount {
        /// The pieces counted.
        pieces: Vec<Occupant>,
        /// The number that makes the test true.
        equals: u32,
        /// Whether pieces in hand count too.
        with_stock: bool,
    },
    /// Code that returns 1 if a condition holds, else 0.
    Code(Address),
    /// All hold.
    And(Vec<GoalTest>),
    /// One holds.
    Or(Vec<GoalTest>),
    /// It does not hold.
    Not(Box<GoalTest>),
}
