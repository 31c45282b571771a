//! What is wrong with the text of a position.

use std::fmt;

use crate::diagnostic::{Diagnostic, RenderOptions, render};
use crate::source::SourceMap;

/// Everything that was found wrong with a text, with the text itself, so that it can be drawn.
#[derive(Clone, Debug)]
pub struct PositionErrors {
    /// The text.
    pub sources: SourceMap,
    /// What is wrong, in the order of the text; at least one error.
    pub diagnostics: Vec<Diagnostic>,
}

impl PositionErrors {
    /// Draws all diagnostics, one after another.
    pub fn render(&self, options: RenderOptions) -> String {
        let drawn: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| render(&self.sources, diagnostic, options))
            .collect();
        drawn.join("\n")
    }
}

impl fmt::Display for PositionErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(RenderOptions::default()))
    }
}

impl std::error::Error for PositionErrors {}
