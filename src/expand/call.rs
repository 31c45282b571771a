//! Uses of macros: the elements of a list, with every use among them replaced by the macro's body.
//!
//! Most lists have no use and no argument among their elements. Facts about each node, found once all macros are known,
//! let [`Expander::children_into`] hand such lists on without a look at any word.

use super::define::MacroId;
use super::form::{Env, EnvId, Form};
use super::limit::COST_OF_USE;
use super::paste::{Pasted, has_argument};
use super::{Expander, FormKind, MAX_CALL_DEPTH, MAX_NESTING, Use};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::symbol::Symbol;
use crate::syntax::{NodeId, NodeKind};

/// The node is a word or string that may have an argument in it.
const ARGUMENT: u8 = 1;
/// The node is a list whose first element may be the name of a macro.
const HEADED: u8 = 2;
/// The node is a list with an element that is not handed on as it is.
const MIXED: u8 = 4;

/// What a list begins with.
struct Head {
    word: Symbol,
    /// The index of the element after the head.
    next: usize,
}

impl Expander {
    /// Appends the elements of a list to `out`, expanded; words and strings have none.
    pub fn children_into(&mut self, form: Form, out: &mut Vec<Form>, sink: &mut Sink) {
        let node = form.node();
        if self.tree.kind(node) != NodeKind::List || self.is_too_deep(form, sink) {
            return;
        }
        let (env, nesting) = (form.env(), form.nesting() + 1);
        let n_children = self.tree.children(node).len();
        if self.facts[node.index()] & MIXED == 0 {
            let tree = &self.tree;
            out.extend(tree.children(node).iter().map(|&child| match tree.kind(child) {
                NodeKind::List => Form::list(child, env, nesting),
                NodeKind::Atom(word) | NodeKind::Str(word) => Form::leaf(child, env, word),
            }));
        } else {
            for index in 0..n_children {
                let child = self.tree.children(node)[index];
                self.push_node(child, env, nesting, out, sink);
            }
        }
        self.spend(n_children as u64, form, sink);
    }

    /// Appends what one element of a list becomes.
    pub(super) fn push_node(&mut self, node: NodeId, env: EnvId, nesting: u32, out: &mut Vec<Form>, sink: &mut Sink) {
        let facts = self.facts[node.index()];
        match self.tree.kind(node) {
            NodeKind::List if facts & HEADED != 0 => self.push_headed(node, env, nesting, out, sink),
            NodeKind::List => out.push(Form::list(node, env, nesting)),
            NodeKind::Atom(_) | NodeKind::Str(_) if facts & ARGUMENT != 0 => match self.paste(node, env, sink) {
                Pasted::Argument(argument) if self.kind(argument) == FormKind::List => {
                    self.push_node(argument.node(), argument.env(), nesting, out, sink);
                }
                Pasted::Argument(argument) => out.push(argument),
                Pasted::Word(word) => out.push(Form::leaf(node, env, word)),
                Pasted::Nothing => {}
            },
            NodeKind::Atom(word) | NodeKind::Str(word) => out.push(Form::leaf(node, env, word)),
        }
    }

    /// Returns the word that a list begins with once arguments are put in; `None` if that is no word.
    pub(super) fn head_word(&mut self, node: NodeId, env: EnvId, sink: &mut Sink) -> Option<Symbol> {
        self.head(node, env, sink).map(|head| head.word)
    }

    /// Finds what expansion must know of the nodes from index `from` on.
    pub(super) fn learn_facts(&mut self, from: usize) {
        self.facts.resize(self.tree.len(), 0);
        // What is in a list comes after it, so it is known before the list when going backwards.
        for node in self.tree.nodes().skip(from).rev() {
            self.facts[node.index()] = match self.tree.kind(node) {
                NodeKind::Atom(word) | NodeKind::Str(word) => {
                    u8::from(has_argument(self.interner.text(word))) * ARGUMENT
                }
                NodeKind::List => {
                    let children = self.tree.children(node);
                    let mixed = children
                        .iter()
                        .any(|&child| self.facts[child.index()] & (ARGUMENT | HEADED) != 0);
                    let headed = children.first().is_some_and(|&first| match self.tree.kind(first) {
                        NodeKind::Atom(word) => {
                            self.facts[first.index()] & ARGUMENT != 0
                                || self.macros.has(word)
                                || self.macros.is_foreach(word)
                        }
                        NodeKind::Str(_) | NodeKind::List => false,
                    });
                    (u8::from(mixed) * MIXED) | (u8::from(headed) * HEADED)
                }
            };
        }
    }

    /// Adds an environment for `use_node`, with the arguments from `first` to the end of `args`.
    pub(super) fn add_env(&mut self, env: Env, name: Symbol, use_node: NodeId) -> EnvId {
        let id = EnvId::new(self.envs.len() as u32);
        let parent = self.env_origin(env.outer);
        self.origins.push(Some(Use {
            name,
            span: self.tree.span(use_node),
            parent,
        }));
        self.envs.push(env);
        id
    }

    /// Appends a list whose first element may be the name of a macro.
    fn push_headed(&mut self, node: NodeId, env: EnvId, nesting: u32, out: &mut Vec<Form>, sink: &mut Sink) {
        let head = self.head(node, env, sink);
        let place = self.envs[env.index()].place;
        match head {
            Some(Head { word, next }) if self.macros.has(word) => {
                if let Some(id) = self.macros.find(word, place) {
                    self.push_body(id, node, env, next, nesting, out, sink);
                }
            }
            Some(Head { word, .. }) if self.macros.is_foreach(word) && self.is_foreach(node) => {
                self.push_foreach(node, env, nesting, out, sink);
            }
            _ => out.push(Form::list(node, env, nesting)),
        }
    }

    /// Appends the body of a macro for the use `node`, whose arguments begin at element `first_arg`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one use, which is never stored")]
    fn push_body(
        &mut self,
        id: MacroId,
        node: NodeId,
        env: EnvId,
        first_arg: usize,
        nesting: u32,
        out: &mut Vec<Form>,
        sink: &mut Sink,
    ) {
        self.macros.set_used(id);
        if self.budget.is_exhausted() || self.macros.is_broken(id) {
            return;
        }
        let outer = self.envs[env.index()];
        if outer.depth >= MAX_CALL_DEPTH {
            self.macros.set_broken(id);
            self.report_recursion(id, node, env, sink);
            return;
        }
        let first = self.args.len() as u32;
        for index in first_arg..self.tree.children(node).len() {
            let child = self.tree.children(node)[index];
            if let Some(argument) = self.argument(child, env, sink) {
                self.args.push(argument);
            }
        }
        let called = self.macros.get(id);
        let inner = Env {
            first,
            len: self.args.len() as u32 - first,
            outer: env,
            closure: called.closure,
            names: called.names,
            place: outer.place,
            depth: outer.depth + 1,
            numbered: true,
        };
        let (define, body, name) = (called.define, called.body, called.name);
        let inner = self.add_env(inner, name, node);
        let n_forms = self.tree.children(define).len();
        let cost = COST_OF_USE + (self.args.len() as u64 - u64::from(first)) + n_forms as u64;
        self.spend(cost, Form::list(node, inner, nesting), sink);
        for index in body as usize..n_forms {
            let form = self.tree.children(define)[index];
            self.push_node(form, inner, nesting, out, sink);
        }
    }

    /// Returns what an element of a use gives as argument: words with arguments put in, lists as they are.
    fn argument(&mut self, node: NodeId, env: EnvId, sink: &mut Sink) -> Option<Form> {
        match self.tree.kind(node) {
            NodeKind::List => Some(Form::list(node, env, 0)),
            NodeKind::Atom(word) | NodeKind::Str(word) if self.facts[node.index()] & ARGUMENT == 0 => {
                Some(Form::leaf(node, env, word))
            }
            NodeKind::Atom(_) | NodeKind::Str(_) => match self.paste(node, env, sink) {
                Pasted::Argument(argument) => Some(argument),
                Pasted::Word(word) => Some(Form::leaf(node, env, word)),
                Pasted::Nothing => None,
            },
        }
    }

    fn head(&mut self, node: NodeId, env: EnvId, sink: &mut Sink) -> Option<Head> {
        for index in 0..self.tree.children(node).len() {
            let child = self.tree.children(node)[index];
            let NodeKind::Atom(word) = self.tree.kind(child) else {
                return None;
            };
            let next = index + 1;
            if self.facts[child.index()] & ARGUMENT == 0 {
                return Some(Head { word, next });
            }
            // An argument that nobody gives is not there: what follows it is the head.
            match self.paste(child, env, sink) {
                Pasted::Word(word) => return Some(Head { word, next }),
                Pasted::Argument(argument) => {
                    return match self.kind(argument) {
                        FormKind::Atom(word) => Some(Head { word, next }),
                        FormKind::Str(_) | FormKind::List => None,
                    };
                }
                Pasted::Nothing => {}
            }
        }
        None
    }

    fn is_too_deep(&self, form: Form, sink: &mut Sink) -> bool {
        let is_too_deep = form.nesting() >= MAX_NESTING;
        if is_too_deep {
            sink.push(
                Diagnostic::error(
                    Code::TooDeep,
                    format!("macros nest lists more than {MAX_NESTING} deep here"),
                )
                .at(self.span(form))
                .labels(self.labels(form)),
            );
        }
        is_too_deep
    }

    fn report_recursion(&self, id: MacroId, node: NodeId, env: EnvId, sink: &mut Sink) {
        let called = self.macros.get(id);
        let name = self.interner.text(called.name);
        let origin = self.env_origin(env);
        let calls_itself = self.origins.chain(origin).any(|used| used.name == called.name);
        let message = if calls_itself {
            format!("the macro `{name}` calls itself")
        } else {
            format!("macros call each other more than {MAX_CALL_DEPTH} deep at `{name}`")
        };
        let mut diagnostic = Diagnostic::error(Code::MacroTooDeep, message).at(self.tree.span(node));
        if let Some(first) = self.origins.chain(origin).last() {
            let name = self.interner.text(first.name);
            diagnostic = diagnostic.label(first.span, format!("the expansion begins with this use of `{name}`"));
        }
        sink.push(diagnostic.help("macros have no conditions, so a macro that calls itself never ends"));
    }
}
