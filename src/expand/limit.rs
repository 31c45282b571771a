//! Bounds on expansion: a few lines of macros could ask for more text than any machine holds.

use super::Expander;
use super::form::Form;
use crate::diagnostic::{Code, Diagnostic, Sink};

/// The greatest number of macro uses in macro uses.
pub const MAX_CALL_DEPTH: u16 = 200;

/// The greatest depth of expanded lists in lists.
pub const MAX_NESTING: u32 = 250;

/// The greatest length of a pasted word in bytes.
pub const MAX_WORD: usize = 16 << 10;

/// How much may be expanded in all. The largest public rule files need a fifth of it.
const LIMIT: u64 = 100_000_000;

/// The cost of a macro use, counted in forms: what is remembered of a use takes the memory of several forms.
pub(super) const COST_OF_USE: u64 = 16;

#[derive(Clone, Debug)]
pub(super) struct Budget {
    spent: u64,
    limit: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { spent: 0, limit: LIMIT }
    }
}

impl Budget {
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.spent > self.limit
    }

    /// Adds to what was spent, and tells whether that passed the limit just now.
    pub(super) fn spend(&mut self, cost: u64) -> bool {
        let was_exhausted = self.is_exhausted();
        self.spent = self.spent.saturating_add(cost);
        !was_exhausted && self.is_exhausted()
    }
}

impl Expander {
    /// Pays for expansion at `form`, and reports when the limit is passed.
    pub(super) fn spend(&mut self, cost: u64, form: Form, sink: &mut Sink) {
        if self.budget.spend(cost) {
            let origin = self.origin(form);
            let message = match self.origins.chain(origin).last() {
                Some(used) => {
                    format!(
                        "the use of `{}` takes the expansion beyond its limit",
                        self.interner.text(used.name)
                    )
                }
                None => "the expansion is larger than its limit".to_string(),
            };
            sink.push(
                Diagnostic::error(
                    Code::ExpansionTooLarge,
                    format!("{message} of {} forms", self.budget.limit),
                )
                .at(self.span(form))
                .labels(self.labels(form))
                .help("look for a macro that uses another several times, and so on"),
            );
        }
    }
}
