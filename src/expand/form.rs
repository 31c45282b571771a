//! Forms and the environments they are read in.

use crate::symbol::Symbol;
use crate::syntax::NodeId;

/// A piece of expanded rules: 12 bytes, cheap to copy, meaningful to the `Expander` that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    node: NodeId,
    env: EnvId,
    /// Of a word or string its text with arguments put in; of a list how deep it is nested.
    word: u32,
}

/// What a form is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FormKind {
    /// `( … )`.
    List,
    /// A word or number.
    Atom(Symbol),
    /// `" … "`.
    Str(Symbol),
}

impl Form {
    pub(super) fn list(node: NodeId, env: EnvId, nesting: u32) -> Form {
        Form {
            node,
            env,
            word: nesting,
        }
    }

    pub(super) fn leaf(node: NodeId, env: EnvId, word: Symbol) -> Form {
        Form {
            node,
            env,
            word: word.index() as u32,
        }
    }

    pub(super) fn node(self) -> NodeId {
        self.node
    }

    pub(super) fn env(self) -> EnvId {
        self.env
    }

    pub(super) fn nesting(self) -> u32 {
        self.word
    }

    pub(super) fn word(self) -> Symbol {
        Symbol::from_index(self.word)
    }

    pub(super) fn with_env(self, env: EnvId) -> Form {
        Form { env, ..self }
    }
}

/// Names one environment of an `Expander`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EnvId(u32);

impl EnvId {
    pub(super) const NONE: EnvId = EnvId(0);

    pub(super) fn new(number: u32) -> EnvId {
        EnvId(number)
    }

    pub(super) fn number(self) -> u32 {
        self.0
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The arguments of one use of a macro, or of one round of a repetition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Env {
    /// Where the arguments stand in `Expander::args`, and how many there are.
    pub(super) first: u32,
    pub(super) len: u32,
    /// The environment of the use itself, asked for arguments that were not given.
    pub(super) outer: EnvId,
    /// Of a macro that was defined by another macro: the environment of the `define`.
    pub(super) closure: EnvId,
    /// The list in `Expander::names` that names the arguments; 0 if they have none.
    pub(super) names: u32,
    /// The place in the file, which decides between several macros of one name.
    pub(super) place: u32,
    /// The number of uses around this one, itself included; 0 for text outside macros.
    pub(super) depth: u16,
    /// Whether `$1` may mean an argument of this environment.
    pub(super) numbered: bool,
}

impl Env {
    /// The environment of text that stands in a file.
    pub(super) const ROOT: Env = Env {
        first: 0,
        len: 0,
        outer: EnvId::NONE,
        closure: EnvId::NONE,
        names: 0,
        place: 0,
        depth: 0,
        numbered: false,
    };

    pub(super) fn is_root(&self) -> bool {
        self.depth == 0
    }
}
