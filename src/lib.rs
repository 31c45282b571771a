//! Plays any board game from a text file of rules.
#![deny(missing_docs, rustdoc::broken_intra_doc_links)]
#![warn(missing_debug_implementations)]

pub mod diagnostic;
pub mod expand;
pub mod source;
pub mod symbol;
pub mod syntax;
