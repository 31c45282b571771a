//! Plays any board game from a text file of rules.
#![deny(missing_docs, rustdoc::broken_intra_doc_links)]
#![warn(missing_debug_implementations)]

// In reading order: from text to moves.
pub mod bridge;
pub mod builtin;
pub mod cellset;
pub mod compile;
pub mod diagnostic;
pub mod expand;
pub mod keyword;
pub mod load;
pub mod model;
pub mod play;
pub mod program;
pub mod rulecheck;
pub mod rules;
pub mod search;
pub mod source;
pub mod state;
pub mod symbol;
pub mod syntax;
pub mod vm;

pub use load::{RuleFile, load};
pub use play::{Outcome, Session};
pub use rules::Rules;
pub use state::{MoveEntry, MoveList, State};
pub use vm::Fault;
