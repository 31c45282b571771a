//! Positions in FEN (Forsyth-Edwards notation).

use std::ops::Range;

use crate::rules::Rules;
use crate::state::State;

/// Why a FEN cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FenError {
    /// What was found and what was expected.
    pub message: String,
    /// The bytes of the text that are wrong.
    pub range: Range<usize>,
    /// One thing to try.
    pub help: Option<String>,
}

/// Reads a FEN.
///
/// # Errors
/// The first thing that is wrong.
pub fn read_fen(_rules: &Rules, text: &str) -> Result<State, FenError> {
    Err(FenError {
        message: "FEN is not read yet".to_owned(),
        range: 0..text.len(),
        help: None,
    })
}
