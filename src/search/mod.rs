//! Chooses moves in any game that implements [`Game`].
//!
//! # What goes in and out
//! In go a game at some state, [`Limits`] that say when to stop, and [`Options`]; out comes a [`Report`]: the number of the
//! best move among the legal ones, its score, the line expected after it, and how much was searched.
//! The search knows nothing of rules, boards or files; it could be published alone.
//!
//! # How it decides
//! Iterative deepening ([`root`]) over an alpha-beta search (`alphabeta`) with a transposition table ([`table`]) and
//! ordered moves (`ordering`).
//! A player may move several times in a row, chance may move, and there may be one, two or many players: with one, it
//! looks for the best of all lines; with two, each wants the opposite of the other; with more, all others are taken to be
//! against the player it plays for (*paranoid*).
//! [`search_max_n`] lets each player be out for itself instead.
//! Chance counts as the mean of its moves.
//! [`Mcts`] decides in another way, by simulations, and [`solve`] looks for what is certain.
//! An iteration that never had to guess, because all lines ended before its horizon, is the last.
//! The unit of scores is said in [`score`]; [`level`] makes it play worse on purpose.
//!
//! # What can be relied on
//! - The same game, seed and limits in depth or nodes give the same moves, scores and nodes on every machine.
//! - If there is a legal move, one is reported, however small the limits.
//! - Nothing is allocated for a node once the buffers have grown; a report and its lines are, once for each iteration.
//! - Rule faults end the search, are reported, and leave the game as it was.
//!
//! # Example
//! Ten matches lie on the table; each player in turn takes one to three, and who takes the last one wins.
//!
//! ```
//! use ludex::search::{Actor, Game, Limits, MoveValue, Outcome, search};
//!
//! struct Matches { left: u8, taken: Vec<u8> }
//!
//! impl Game for Matches {
//!     type Moves = Vec<u8>;
//!     type Fault = ();
//!     fn players(&self) -> usize { 2 }
//!     fn actor(&self) -> Actor { Actor::Player((self.taken.len() % 2) as u8) }
//!     fn key(&self) -> u64 { u64::from(self.left) * 2 + self.taken.len() as u64 % 2 }
//!     fn board_outcome(&mut self) -> Result<Option<Outcome>, ()> {
//!         let winner = (self.taken.len() + 1) % 2;
//!         Ok((self.left == 0).then(|| Outcome::won_by(winner as u8, 2)))
//!     }
//!     fn moves(&mut self, moves: &mut Vec<u8>) -> Result<(), ()> {
//!         moves.clear();
//!         moves.extend(1..=self.left.min(3));
//!         Ok(())
//!     }
//!     fn outcome(&mut self, _: &Vec<u8>) -> Result<Option<Outcome>, ()> { Ok(None) }
//!     fn len(moves: &Vec<u8>) -> usize { moves.len() }
//!     fn fingerprint(moves: &Vec<u8>, index: usize) -> u32 { moves[index].into() }
//!     fn value(&self, _: &Vec<u8>, _: usize) -> MoveValue { MoveValue::default() }
//!     fn make(&mut self, moves: &Vec<u8>, index: usize) -> Result<(), ()> {
//!         self.left -= moves[index];
//!         self.taken.push(moves[index]);
//!         Ok(())
//!     }
//!     fn unmake(&mut self) {
//!         self.left += self.taken.pop().unwrap_or(0);
//!     }
//!     fn evaluate(&mut self, _: u8, _: &Vec<u8>, _: std::ops::Range<i32>) -> Result<i32, ()> { Ok(0) }
//! }
//!
//! let report = search(&mut Matches { left: 10, taken: Vec::new() }, &Limits::depth(10));
//! assert_eq!(report.best, Some(1)); // Takes two and leaves eight, a multiple of four.
//! ```

pub mod game;
pub mod limits;
pub mod score;

mod alphabeta;
mod busy;
mod chance;
mod correction;
mod horizon;
mod maxn;
mod ordering;
pub mod root;
pub mod table;

pub mod level;
pub mod report;

pub mod mcts;

pub mod solve;

pub use game::{Actor, Ending, Game, Gist, MAX_PLAYERS, MoveValue, N_ASPECTS, Outcome};
pub use level::Level;
pub use limits::{Clock, Limits};
pub use maxn::search_max_n;
pub use mcts::{Mcts, MctsOptions};
pub use report::{Line, Report, Step};
pub use root::{Options, Parts, Searcher, search};
pub use score::{CHANCE_WIN, MAX_PLY, WIN, plies_to_end};
