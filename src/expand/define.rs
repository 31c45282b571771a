//! The macros of a file, and which of them a use means.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Expander;
use super::form::{EnvId, Form, FormKind};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{NodeId, NodeKind};

/// Names one macro of [`Macros`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MacroId(u32);

/// One `define`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Macro {
    pub(super) name: Symbol,
    /// The `(define …)` list, and the index of the first element of the body in it.
    pub(super) define: NodeId,
    pub(super) body: u32,
    /// The environment of a `define` that came out of a macro.
    pub(super) closure: EnvId,
    /// The list in `Expander::names` of its arguments' names; 0 if they have none.
    pub(super) names: u32,
    /// The place of the `define` in the file.
    place: u32,
}

/// All macros, by name and place.
#[derive(Clone, Debug, Default)]
pub(super) struct Macros {
    macros: Vec<Macro>,
    /// The macros of each name in the order of the file.
    by_name: FxHashMap<Symbol, Vec<MacroId>>,
    /// Macros, by their `define`, found to call themselves: they expand to nothing from then on.
    broken: FxHashSet<NodeId>,
    foreach: Option<Symbol>,
    /// By macro, whether a use of it has been expanded.
    used: Vec<bool>,
}

/// A macro as its author sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacroFacts {
    /// Its name.
    pub name: Symbol,
    /// The `(define …)`.
    pub span: Span,
    /// Whether its arguments have names, which goes beyond the classic language.
    pub has_named_arguments: bool,
    /// Whether a use of it has been expanded so far.
    pub is_used: bool,
}

impl Macros {
    /// Tells whether a list headed by `name` is a use of a macro.
    pub(super) fn has(&self, name: Symbol) -> bool {
        self.by_name.contains_key(&name)
    }

    /// Returns the macro that a use at `place` means: the latest above, else the first below.
    pub(super) fn find(&self, name: Symbol, place: u32) -> Option<MacroId> {
        let same_name = self.by_name.get(&name)?;
        let n_above = same_name.partition_point(|&id| self.get(id).place < place);
        same_name.get(n_above.saturating_sub(1)).copied()
    }

    pub(super) fn get(&self, id: MacroId) -> &Macro {
        &self.macros[id.0 as usize]
    }

    pub(super) fn is_broken(&self, id: MacroId) -> bool {
        !self.broken.is_empty() && self.broken.contains(&self.get(id).define)
    }

    pub(super) fn set_broken(&mut self, id: MacroId) {
        self.broken.insert(self.get(id).define);
    }

    pub(super) fn is_foreach(&self, word: Symbol) -> bool {
        self.foreach == Some(word)
    }

    pub(super) fn set_foreach(&mut self, word: Symbol) {
        self.foreach = Some(word);
    }

    /// Notes that a use of a macro is expanded.
    pub(super) fn set_used(&mut self, id: MacroId) {
        self.used[id.0 as usize] = true;
    }

    /// Returns the names of all macros, in no order.
    pub(super) fn names(&self) -> impl Iterator<Item = Symbol> {
        self.by_name.keys().copied()
    }

    /// Forgets all macros, to collect them anew.
    pub(super) fn clear(&mut self) {
        self.macros.clear();
        self.by_name.clear();
        self.used.clear();
    }

    /// Adds a macro; macros come in the order of the file.
    fn add(&mut self, new: Macro) {
        let id = MacroId(self.macros.len() as u32);
        self.macros.push(new);
        self.used.push(false);
        self.by_name.entry(new.name).or_default().push(id);
    }
}

impl Expander {
    /// Returns all macros in the order of the file; one that a macro defines comes as often as it is defined.
    pub fn macros(&self) -> impl Iterator<Item = MacroFacts> {
        let used = self.macros.used.iter();
        self.macros.macros.iter().zip(used).map(|(known, &is_used)| MacroFacts {
            name: known.name,
            span: self.tree.span(known.define),
            has_named_arguments: known.names != 0,
            is_used,
        })
    }

    /// Returns the places of all repetitions (`foreach`) of the text, before expansion.
    pub fn repetitions(&mut self) -> Vec<Span> {
        let is_headed = |expander: &Expander, node: NodeId| {
            let head = expander.tree.children(node).first();
            head.is_some_and(|&head| match expander.tree.kind(head) {
                NodeKind::Atom(word) => expander.macros.is_foreach(word) && !expander.macros.has(word),
                NodeKind::Str(_) | NodeKind::List => false,
            })
        };
        let headed: Vec<NodeId> = self.tree.nodes().filter(|&node| is_headed(self, node)).collect();
        let repetitions = headed.into_iter().filter(|&node| self.is_foreach(node));
        let nodes: Vec<NodeId> = repetitions.collect();
        nodes.into_iter().map(|node| self.tree.span(node)).collect()
    }

    /// Adds the macro of a `(define name form …)`.
    pub(super) fn collect_define(&mut self, form: Form, place: u32, sink: &mut Sink) {
        let (define, env) = (form.node(), form.env());
        // The elements are taken as they are: the body is expanded where the macro is used.
        let name = self.tree.children(define).get(1).copied();
        let name = name.and_then(|node| self.define_name(node, env, sink));
        let Some(name) = name else {
            sink.push(
                Diagnostic::error(Code::BadDefine, "this `define` has no name")
                    .at(self.span(form))
                    .labels(self.labels(form))
                    .help("a macro is written `(define name form ...)`"),
            );
            return;
        };
        let names = self.parameter_names(define);
        let body = if names == 0 { 2 } else { 3 };
        let closure = if self.envs[env.index()].is_root() {
            EnvId::NONE
        } else {
            env
        };
        self.macros.add(Macro {
            name,
            define,
            body,
            closure,
            names,
            place,
        });
    }

    fn define_name(&mut self, node: NodeId, env: EnvId, sink: &mut Sink) -> Option<Symbol> {
        let NodeKind::Atom(_) = self.tree.kind(node) else {
            return None;
        };
        let mut name = Vec::new();
        self.push_node(node, env, 0, &mut name, sink);
        match name.first().map(|&form| self.kind(form)) {
            Some(FormKind::Atom(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns the list of names if the first form of a body is a list of nothing but `$name`s, else 0.
    fn parameter_names(&mut self, define: NodeId) -> u32 {
        let names = self
            .tree
            .children(define)
            .get(2)
            .copied()
            .and_then(|first| self.name_list(first));
        names.map_or(0, |names| self.add_names(names))
    }

    /// Keeps a list of argument names and returns its number.
    pub(super) fn add_names(&mut self, names: Vec<Symbol>) -> u32 {
        self.names.insert_full(names).0 as u32
    }

    /// Reads a list of `$name`s; `None` if anything else is in it, or nothing.
    pub(super) fn name_list(&mut self, list: NodeId) -> Option<Vec<Symbol>> {
        if self.tree.kind(list) != NodeKind::List || self.tree.children(list).is_empty() {
            return None;
        }
        (0..self.tree.children(list).len())
            .map(|index| self.name(self.tree.children(list)[index]))
            .collect()
    }

    /// Reads a `$name`, which begins with a letter, and returns it without the `$`.
    pub(super) fn name(&mut self, node: NodeId) -> Option<Symbol> {
        let NodeKind::Atom(word) = self.tree.kind(node) else {
            return None;
        };
        let name = self.interner.text(word).strip_prefix('$')?;
        if !name.starts_with(char::is_alphabetic) || name.contains('$') {
            return None;
        }
        let name = name.to_string();
        Some(self.interner.intern(&name))
    }
}
