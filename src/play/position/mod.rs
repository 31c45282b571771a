//! The text of states, which people call positions.
//!
//! ```text
//! (position (turn White) (White (King e1) (Rook a1 (h1 (never-moved? false))) (Man off 5)) (Black (King e8))
//!   (set round 4) (set stays White 2) (continue e5 jump) (last e2 e4) (ply 31) (quiet-plies 7) (passes 1)
//!   (match 2 (White 9) (Black 12)))
//! ```
//!
//! `(turn P)` names who decides; `(turn P 3)` the third item of the turn order, written where P has several; it is left
//! out where turns belong to pieces. A player's list holds for each kind the cells of its pieces,
//! `(CELL (ATTRIBUTE VALUE) …)` where attributes differ from those of a new piece, and `off N` for N pieces in hand, `off *`
//! for as many as wanted. `(set VARIABLE VALUE)` and `(set VARIABLE PLAYER VALUE)` are the variables that have changed.
//! `(continue CELL TYPE …)` names the piece whose chain of partial moves goes on and the move types it may use.
//! `(last FROM TO)` are the squares of the previous move, `-` for none; they and the counts of plies are written where the
//! rules can ask for them. `(match ROUND (PLAYER SUM) …)` tells what the players bring from earlier rounds. What is left
//! out is as in an empty position: nothing in hand, the first turn item, no chain, no previous move.
//!
//! [`read_position`] reads what [`print_position`] prints back to an equal state, but for the positions before, and FEN
//! too; see [`fen`](super::fen). A match is no part of a state: [`print_session`] and [`read_session`] deal with it.

mod error;
mod print;
mod read;
#[cfg(test)]
pub(super) mod tests;

pub use error::PositionErrors;
pub use print::{print_position, print_session};
pub use read::{read_position, read_session};
