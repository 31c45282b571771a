//! Errors that only running a rule can show.

use thiserror::Error;

use crate::program::Address;

/// A fault of the rules met while running them; it stops the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// A loop does not end.
    #[error("a loop went round more than {limit} times", limit = Fault::LOOP_LIMIT)]
    LoopLimit {
        /// The loop, as an address of the program.
        address: Address,
    },
    /// A position has too many moves.
    #[error("a position has more than {limit} moves", limit = Fault::MOVE_LIMIT)]
    MoveLimit {
        /// The `add` that went over the limit.
        address: Address,
    },
    /// A number was divided by zero.
    #[error("a number is divided by zero")]
    DivisionByZero {
        /// The division.
        address: Address,
    },
    /// The instructions that begin a new round cannot be carried out.
    #[error("the new round cannot begin: a `verify` fails, or there is nowhere to go")]
    NewRound {
        /// The code.
        address: Address,
    },
    /// No setup by chance meets its conditions.
    #[error("no random setup was found in {limit} draws", limit = Fault::DRAW_LIMIT)]
    RandomSetup {
        /// The code of what failed most.
        address: Address,
    },
    /// Chains of partial moves, looked through for the longest, do not end.
    #[error("chains of partial moves are longer than {limit} steps or too many", limit = Fault::CHAIN_LIMIT)]
    ChainLimit,
}

impl Fault {
    /// The number of rounds that the loops of one run may make together.
    pub const LOOP_LIMIT: u32 = 1_000_000;
    /// The number of candidates of one position.
    pub const MOVE_LIMIT: usize = 1_000_000;
    /// The number of draws of a setup by chance.
    pub const DRAW_LIMIT: u32 = 100_000;
    /// The length of a chain that is looked through.
    pub const CHAIN_LIMIT: usize = 1_000;
    /// The number of partial moves that are looked through to compare the chains of one position.
    pub const CHAIN_WORK_LIMIT: u64 = 20_000_000;

    /// Returns the operation at fault, if it is one.
    pub fn address(self) -> Option<Address> {
        match self {
            Fault::LoopLimit { address }
            | Fault::MoveLimit { address }
            | Fault::DivisionByZero { address }
            | Fault::NewRound { address }
            | Fault::RandomSetup { address } => Some(address),
            Fault::ChainLimit => None,
        }
    }
}
