//! The text of states, which people call positions.
//!
//! ```text
//! (position (turn White) (White (King e1) (Rook a1 (h1 (never-moved? false))) (Man off 5)) (Black (King e8))
//!   (continue e5 jump) (last e2 e4))
//! ```
//!
//! `(turn P)` names who decides; `(turn P 3)` the third item of the turn order, written where P has several. A player's
//! list holds for each kind the cells of its pieces, `(CELL (ATTRIBUTE VALUE) …)` where attributes differ from those of
//! a new piece, and `off N` for N pieces in hand. `(continue CELL TYPE …)` names the piece whose chain of partial moves
//! goes on and the move types it may use. `(last FROM TO)` are the squares of the previous move, `-` for none; they are
//! written where the rules can ask for them. What is left out is as in an empty position: nothing in hand, the first
//! turn item, no chain, no previous move.
//!
//! [`read_position`] reads what [`print_position`] prints back to an equal state, and FEN too; see
//! [`fen`](super::fen).

mod error;
mod print;
mod read;
#[cfg(test)]
pub(super) mod tests;

pub use error::PositionErrors;
pub use print::print_position;
pub use read::read_position;
