//! Plays any board game from a text file of rules.
//!
//! Ludex reads ZRF, the rule language of Zillions of Games: a Lisp-like text of boards, pieces, goals and small programs
//! that generate moves. It expands the macros, checks the game, compiles the moves to bytecode, and runs them: to list
//! legal moves, to count move paths, to play at random, to search for a good move.
//!
//! [`RuleFile`] reads a file and compiles its games to [`Rules`]; a [`Session`] is a game in progress; [`bridge::Bridge`]
//! hands it to the [`search`]. The stages in between are public modules for editors and converters; they may change more
//! often than these.
//!
//! ```
//! use ludex::bridge::Bridge;
//! use ludex::expand::NoIncludes;
//! use ludex::play::notation::move_text;
//! use ludex::search::{Limits, search};
//! use ludex::{MoveList, RuleFile, Session};
//!
//! let game = ludex::builtin::find("tic-tac-toe").expect("it is built in");
//! let mut file = RuleFile::read(game.file, game.bytes, &mut NoIncludes);
//! let rules = file.compile(0).rules.expect("the rules are right");
//! let mut session = Session::new(rules.into());
//!
//! let mut moves = MoveList::new();
//! session.legal_moves(&mut moves).expect("the rules do not fault");
//! assert_eq!(moves.len(), 9);
//!
//! let report = search(&mut Bridge::new(session.clone()).expect("two sides"), &Limits::depth(9));
//! let best = report.best.expect("there is a move");
//! assert_eq!(report.score, 0, "well played, tic-tac-toe is a draw");
//! assert!(move_text(session.rules(), session.state(), &moves, moves.get(best)).starts_with("X Sign"));
//! ```
#![deny(missing_docs, rustdoc::broken_intra_doc_links)]
#![warn(missing_debug_implementations)]

// In reading order, from text to moves; the blank lines keep it.

pub mod source;

pub mod symbol;

pub mod diagnostic;

pub mod syntax;

pub mod expand;

pub mod keyword;

pub mod model;

pub mod cellset;

pub mod program;

pub mod compile;

pub mod rules;

pub mod state;

pub mod vm;

pub mod fast;

pub mod play;

pub mod search;

pub mod lint;

pub mod load;

pub mod bridge;

pub mod builtin;

pub mod rulecheck;

pub use load::{RuleFile, load};
pub use play::{Outcome, Session};
pub use rules::Rules;
pub use state::{MoveEntry, MoveList, State};
pub use vm::Fault;
