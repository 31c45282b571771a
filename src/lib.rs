//! Plays any board game from a text file of rules.
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

pub mod play;

pub mod search;

pub mod load;

pub mod bridge;

pub mod builtin;

pub mod rulecheck;

pub use load::{RuleFile, load};
pub use play::{Outcome, Session};
pub use rules::Rules;
pub use state::{MoveEntry, MoveList, State};
pub use vm::Fault;
