//! Where stages leave their diagnostics.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::{FxHashSet, FxHasher};

use super::{Diagnostic, Severity};

/// Collects diagnostics: each once, and no more than a bounded number.
///
/// Expanded rules show the same text again and again, so the same finding often comes many times. A diagnostic equal to
/// an earlier one is dropped; beyond [`Sink::LIMIT`] different ones the rest is only counted.
#[derive(Clone, Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    seen: FxHashSet<u64>,
    n_errors: usize,
    n_dropped: usize,
}

impl Sink {
    /// The number of diagnostics that are kept.
    pub const LIMIT: usize = 400;

    /// Creates an empty sink.
    pub fn new() -> Sink {
        Sink::default()
    }

    /// Takes a diagnostic.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let is_error = diagnostic.severity == Severity::Error;
        if self.diagnostics.len() >= Sink::LIMIT {
            self.n_dropped += 1;
            self.n_errors += usize::from(is_error);
            return;
        }
        if self
            .seen
            .insert(BuildHasherDefault::<FxHasher>::default().hash_one(&diagnostic))
        {
            self.n_errors += usize::from(is_error);
            self.diagnostics.push(diagnostic);
        }
    }

    /// Tells whether an error came, be it kept or only counted.
    pub fn has_errors(&self) -> bool {
        self.n_errors > 0
    }

    /// Returns the diagnostics kept, in the order in which they came.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the number of diagnostics that came after the limit and were not kept.
    pub fn dropped(&self) -> usize {
        self.n_dropped
    }

    /// Returns the diagnostics kept.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn equal_diagnostics_are_kept_once() {
        let mut sink = Sink::new();
        sink.push(Diagnostic::warning(Code::StrayWord, "a"));
        sink.push(Diagnostic::warning(Code::StrayWord, "a"));
        sink.push(Diagnostic::warning(Code::StrayWord, "b"));
        assert_eq!(sink.diagnostics().len(), 2);
        assert!(!sink.has_errors());
    }

    #[test]
    fn errors_beyond_the_limit_still_count() {
        let mut sink = Sink::new();
        for n in 0..Sink::LIMIT {
            sink.push(Diagnostic::warning(Code::StrayWord, n.to_string()));
        }
        sink.push(Diagnostic::error(Code::NoGame, "late"));
        assert_eq!((sink.diagnostics().len(), sink.dropped()), (Sink::LIMIT, 1));
        assert!(sink.has_errors());
    }
}
