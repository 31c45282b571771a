//! The fast tier: move blocks specialised for each piece and start cell.
//!
//! The bytecode of a block names directions and asks about places. But a block always starts from some cell with some
//! piece, and along any path of it every pointer (current, from, to, mark) is then known before play. So each block is
//! run symbolically from each start (`specialise`): links, zones and flags vanish, dead paths with them; what remains is a
//! small graph of tests of fixed cells against fixed sets of occupants, with whole moves, effects and all, made
//! beforehand at its leaves. `code` holds these graphs as straight code, all blocks of a piece one after the other;
//! `generate` runs it. Moves in a list then point to the prepared effects, and adding one to the list is one copy.
//!
//! Drops are found for all cells at once: what must hold beside a cell for a drop there is tested with whole bit boards
//! (`sweep`), and so are lines of enclosed pieces (`lines`). Attack tests are turned round (`danger`): for each cell and piece on it, the ways in which an enemy
//! could take it, as decisions about the cells around.
//!
//! Goals about the board are tested only where the last move can have brought them about (`goals`).
//!
//! None of this is needed to play. A block that the specialiser cannot follow (operations that it does not know, loops
//! that do not end, too many paths) is run by the interpreter in [`crate::vm`], which is the checked twin of this
//! module: tests compare both over random games.

mod code;
mod danger;
mod draft;
mod drafts;
pub(crate) mod generate;
mod goals;
mod lines;
mod paths;
mod situation;
mod specialise;
mod sweep;
mod universe;

pub use code::Fast;
pub(crate) use code::Touch;
pub(crate) use danger::{Dangers, Guard};
