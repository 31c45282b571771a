//! Which macro uses a form came out of.

use crate::diagnostic::Label;
use crate::source::Span;
use crate::symbol::{Interner, Symbol};

/// The most uses of macros that are named for one form.
const MAX_LABELS: usize = 6;

/// Names a chain of macro uses in [`Origins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OriginId(u32);

impl OriginId {
    /// The origin of text that stands in a file and not in a macro.
    pub const NONE: OriginId = OriginId(0);

    pub(super) fn new(number: u32) -> OriginId {
        OriginId(number)
    }
}

/// One use of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The macro's name.
    pub name: Symbol,
    /// The text of the use.
    pub span: Span,
    /// The uses that the text of this use came out of.
    pub parent: OriginId,
}

/// The table of macro uses, one entry per use in the order of expansion.
#[derive(Clone, Debug)]
pub struct Origins {
    /// By number; text outside macros has empty entries here, the first among them.
    uses: Vec<Option<Use>>,
}

impl Origins {
    pub(super) fn new() -> Origins {
        Origins { uses: vec![None] }
    }

    /// Returns the innermost use of a chain, or `None` at its end.
    pub fn get(&self, origin: OriginId) -> Option<&Use> {
        self.uses.get(origin.0 as usize)?.as_ref()
    }

    /// Returns the uses of a chain, innermost first.
    pub fn chain(&self, origin: OriginId) -> impl Iterator<Item = &Use> {
        std::iter::successors(self.get(origin), |used| self.get(used.parent))
    }

    /// Returns a label for each use of a chain, innermost first; long chains are cut.
    pub fn labels(&self, origin: OriginId, interner: &Interner) -> Vec<Label> {
        let label = |used: &Use| Label {
            span: used.span,
            message: format!("in this use of `{}`", interner.text(used.name)),
        };
        self.chain(origin).take(MAX_LABELS).map(label).collect()
    }

    pub(super) fn push(&mut self, used: Option<Use>) {
        self.uses.push(used);
    }
}

impl Default for Origins {
    fn default() -> Origins {
        Origins::new()
    }
}
