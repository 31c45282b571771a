//! Why a text is not a move.

use crate::diagnostic::Code;

/// The most candidates that a message lists.
const LISTED: usize = 12;

/// No move, or more than one, is meant by a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// No legal move fits.
    #[error("{}{}", told(text), near(suggestions))]
    Unknown {
        /// What was given; only its beginning if it is long.
        text: String,
        /// The legal moves that look most like it, the nearest first; empty if none does.
        suggestions: Vec<String>,
    },
    /// Several legal moves fit.
    #[error("`{text}` fits several legal moves: {}", listed(candidates))]
    Ambiguous {
        /// What was given; only its beginning if it is long.
        text: String,
        /// The moves that fit, in full and in list order.
        candidates: Vec<String>,
    },
}

impl MoveError {
    /// Returns the code under which the error is explained.
    pub fn code(&self) -> Code {
        match self {
            MoveError::Unknown { .. } => Code::UnknownMove,
            MoveError::Ambiguous { .. } => Code::AmbiguousMove,
        }
    }
}

fn told(text: &str) -> String {
    if text.is_empty() {
        "no move is given".to_owned()
    } else {
        format!("`{text}` is no legal move")
    }
}

fn near(suggestions: &[String]) -> String {
    match suggestions {
        [] => String::new(),
        some => format!("; near it are: {}", listed(some)),
    }
}

fn listed(texts: &[String]) -> String {
    let mut line = texts
        .iter()
        .take(LISTED)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("; ");
    if texts.len() > LISTED {
        line.push_str(&format!("; and {} more", texts.len() - LISTED));
    }
    line
}
