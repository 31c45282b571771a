//! The rules of play above candidates: what is legal, whose turn it is, when the game is over.
//!
//! A [`Session`] is a game in progress. It lists the legal moves, makes them and takes them back, and tells the outcome:
//!
//! candidates of the machine → check ([`legal`]) → priorities → longest chains → passing → goals ([`outcome`]).
//!
//! A [`Contest`] tells where a match of several rounds stands.
//! Around it stand the count of move paths ([`perft`]), random games ([`playout`]), and the text of moves ([`notation`])
//! and positions ([`position`], [`fen`]).

pub mod contest;
pub mod fen;
pub mod legal;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod playout;
pub mod position;
mod session;

pub use contest::Contest;
pub use outcome::{Decision, Outcome, Reason};
pub use session::Session;
