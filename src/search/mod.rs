//! Chooses moves in any game that implements [`Game`].

pub mod game;
pub mod limits;
pub mod report;
pub mod score;

pub use game::{Actor, Ending, Game, MAX_PLAYERS, MoveValue, Outcome};
pub use limits::Limits;
pub use report::{Line, Report, Step};
