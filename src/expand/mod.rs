//! Macros, includes and variants: from trees to the games of a file, on demand.
//!
//! [`expand`] reads a text with everything it includes, collects its macros and gives an [`Expander`] with one [`Entry`]
//! for each game and variant; a variant is already merged with its base game, section by section. The forms of an entry
//! are *not* expanded yet: real files expand to millions of forms, so a list is expanded only when
//! [`Expander::children`] asks for what is in it, and nothing of the result is kept but the chain of uses.
//!
//! A [`Form`] is a node of the syntax tree together with the environment it is read in: the arguments of the macro use
//! that it came out of, and those of the uses around it. To ask for the elements of a list means to
//! - put arguments for `$1`, `$2`, …, also inside longer words and strings (`paste.rs`);
//! - replace each list headed by a macro's name by the macro's body, and so on until no use is left (`call.rs`);
//! - leave everything deeper as it is, to be asked for later.
//!
//! Which body a use means depends on where it stands: the latest `define` above it, or else the first below
//! (`define.rs`). A use that gives too few arguments takes the others from the uses around it.
//!
//! This stage knows `define`, `include`, `version`, `translate`, `game`, `variant` and `foreach`, and of the sections of
//! a game what merging must know (`variant.rs`). It does not know what boards or pieces are.
//!
//! ```
//! use ludex::diagnostic::Sink;
//! use ludex::expand::{FormKind, NoIncludes, expand};
//! use ludex::source::SourceMap;
//!
//! let rules = b"(define side (players $1 $2)) (game (title \"Duel\") (side White Black))";
//! let mut sources = SourceMap::new();
//! let root = sources.add("duel.zrf", rules);
//! let mut sink = Sink::new();
//! let mut rules = expand(&mut sources, root, &mut NoIncludes, &mut sink);
//! assert_eq!(rules.entries()[0].title, "Duel");
//! let players = rules.entries()[0].sections[1];
//! let mut text = String::new();
//! rules.print(players, &mut text, &mut sink);
//! assert_eq!(text, "(players White Black)");
//! ```

mod call;
mod define;
mod display;
mod foreach;
mod form;
mod include;
mod limit;
mod origin;
mod paste;
mod print;
mod top;
mod variant;

pub use define::MacroFacts;
pub use display::display_text;
pub use form::{Form, FormKind};
pub use include::{FolderLoader, LoadError, Loader, NoIncludes};
pub use limit::{MAX_CALL_DEPTH, MAX_NESTING, MAX_WORD};
pub use origin::{OriginId, Origins, Use};
pub use top::expand;
pub use variant::Entry;

use indexmap::IndexSet;

use crate::diagnostic::{Label, Sink};
use crate::source::Span;
use crate::symbol::{Interner, Symbol};
use crate::syntax::{NodeKind, SyntaxTree};
use define::Macros;
use form::{Env, EnvId};
use limit::Budget;

/// The rules of one file and its includes, expanded on demand.
#[derive(Debug)]
pub struct Expander {
    /// The words of the rules. Pasted words are added as forms are expanded.
    pub interner: Interner,
    tree: SyntaxTree,
    /// What expansion must know of each node, by node.
    facts: Vec<u8>,
    macros: Macros,
    /// Environments, by [`EnvId`]; the first stands for none.
    envs: Vec<Env>,
    /// The arguments of all environments, one after the other.
    args: Vec<Form>,
    /// The names of arguments, for environments that have names.
    names: IndexSet<Vec<Symbol>>,
    origins: Origins,
    budget: Budget,
    entries: Vec<Entry>,
    translations: Vec<Form>,
}

impl Expander {
    /// Returns the games and variants of the file in the order of the file, which is that of a menu.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the `(translate …)` lists of the file.
    pub fn translations(&self) -> &[Form] {
        &self.translations
    }

    /// Returns what a form is.
    pub fn kind(&self, form: Form) -> FormKind {
        match self.tree.kind(form.node()) {
            NodeKind::List => FormKind::List,
            NodeKind::Atom(_) => FormKind::Atom(form.word()),
            NodeKind::Str(_) => FormKind::Str(form.word()),
        }
    }

    /// Returns the elements of a list, expanded; words and strings have none.
    pub fn children(&mut self, form: Form, sink: &mut Sink) -> Vec<Form> {
        let mut children = Vec::new();
        self.children_into(form, &mut children, sink);
        children
    }

    /// Tells whether the file has a macro of this name.
    pub fn is_macro(&self, name: Symbol) -> bool {
        self.macros.has(name)
    }

    /// Returns the text of a word or string.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.interner.text(symbol)
    }

    /// Returns the text that a form was written as: of an argument the argument, else a piece of the file or of the
    /// macro body.
    pub fn span(&self, form: Form) -> Span {
        self.tree.span(form.node())
    }

    /// Returns the chain of macro uses that a form came out of.
    pub fn origin(&self, form: Form) -> OriginId {
        self.env_origin(form.env())
    }

    /// Returns the table of macro uses, which grows as forms are expanded.
    pub fn origins(&self) -> &Origins {
        &self.origins
    }

    /// Takes out the words and the table of macro uses, to be kept when nothing more is expanded.
    pub fn into_parts(self) -> (Interner, Origins) {
        (self.interner, self.origins)
    }

    /// Returns a label for each macro use that a form came out of, innermost first; long chains are cut.
    pub fn labels(&self, form: Form) -> Vec<Label> {
        self.origins.labels(self.origin(form), &self.interner)
    }

    /// Returns the text of the rules as a tree, before expansion.
    pub fn tree(&self) -> &SyntaxTree {
        &self.tree
    }

    /// Returns how much was expanded: forms, uses of macros, and pasted text.
    pub fn spent(&self) -> u64 {
        self.budget.spent()
    }

    /// Sets how much may be expanded in all; see [`Expander::spent`].
    pub fn set_limit(&mut self, limit: u64) {
        self.budget.set_limit(limit);
    }

    fn new() -> Expander {
        Expander {
            interner: Interner::new(),
            tree: SyntaxTree::new(),
            facts: Vec::new(),
            macros: Macros::default(),
            envs: vec![Env::ROOT],
            args: Vec::new(),
            names: IndexSet::from([Vec::new()]),
            origins: Origins::new(),
            budget: Budget::default(),
            entries: Vec::new(),
            translations: Vec::new(),
        }
    }

    fn env_origin(&self, env: EnvId) -> OriginId {
        if self.envs[env.index()].is_root() {
            OriginId::NONE
        } else {
            OriginId::new(env.number())
        }
    }
}
