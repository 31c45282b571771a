//! The machine that runs move generators: rules and a state in, candidate moves out.
//!
//! [`generate()`] runs the blocks of a tier for a player and lists the candidates, equal ones merged; [`attack`] asks
//! whether a piece could be taken. Candidates are not filtered: check, priorities between tiers and passing belong to
//! `play`. The machine changes nothing: while a block runs the board is frozen, as the language wants it. All memory is
//! in a [`Scratch`] that its owner reuses, so that a warm machine allocates nothing.

pub mod attack;
mod evaluate;
mod extended;
mod fault;
mod frame;
mod generate;
pub mod goal;
mod list;
mod memo;
mod merge;
mod mobility;
mod run;
mod scratch;
pub mod setup;
mod shape;
mod stage;
mod walk;

pub(crate) use attack::would_be_taken;
pub use evaluate::{Evaluation, consequence, evaluate};
pub use extended::numbered_cell;
pub use fault::Fault;
pub(crate) use frame::Frame;
pub use generate::{Generation, generate, generate_pass};
pub(crate) use generate::{Spot, interpret};
pub(crate) use merge::{Merger, merge_changes};
pub use mobility::count_moves;
pub use scratch::Scratch;
