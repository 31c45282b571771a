//! Repetition: `(foreach $x (a b c) form …)` stands for the forms once per item.
//!
//! This is a word beyond the classic language, so a list counts only if it has the shape: a `$name`, or a list of them,
//! comes second. No classic file has that.

use super::form::{Env, EnvId, Form, FormKind};
use super::limit::COST_OF_USE;
use super::{Expander, MAX_CALL_DEPTH};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::symbol::Symbol;
use crate::syntax::{NodeId, NodeKind};

/// The greatest number of items of a range.
const MAX_RANGE: i64 = 100_000;

impl Expander {
    /// Tells whether a list headed by `foreach` has the shape of a repetition.
    pub(super) fn is_foreach(&mut self, node: NodeId) -> bool {
        let Some(&variables) = self.tree.children(node).get(1) else {
            return false;
        };
        self.name(variables).is_some() || self.name_list(variables).is_some()
    }

    /// Appends the forms of a repetition once per item.
    pub(super) fn push_foreach(
        &mut self,
        node: NodeId,
        env: EnvId,
        nesting: u32,
        out: &mut Vec<Form>,
        sink: &mut Sink,
    ) {
        let variables = self.tree.children(node)[1];
        let (names, takes_apart) = match self.name(variables) {
            Some(name) => (vec![name], false),
            None => (self.name_list(variables).unwrap_or_default(), true),
        };
        let n_names = names.len();
        let names = self.add_names(names);
        let form = Form::list(node, env, nesting);
        let Some(items) = self.foreach_items(form, sink) else {
            return;
        };
        let outer = self.envs[env.index()];
        if outer.depth >= MAX_CALL_DEPTH {
            self.report_foreach(form, form, "repetitions and macros nest too deeply here", sink);
            return;
        }
        let NodeKind::Atom(word) = self.tree.kind(self.tree.children(node)[0]) else {
            return;
        };
        for item in items {
            let first = self.args.len();
            if takes_apart {
                let mut parts = Vec::new();
                self.children_into(item, &mut parts, sink);
                if parts.len() != n_names {
                    let message = format!("this item has {} parts, but there are {n_names} names", parts.len());
                    self.report_foreach(form, item, &message, sink);
                }
                self.args.extend(parts);
            } else {
                self.args.push(item);
            }
            let inner = Env {
                first: first as u32,
                len: (self.args.len() - first) as u32,
                outer: env,
                closure: EnvId::NONE,
                names,
                place: outer.place,
                depth: outer.depth + 1,
                numbered: false,
            };
            let inner = self.add_env(inner, word, node);
            let n_forms = self.tree.children(node).len();
            self.spend(COST_OF_USE + n_forms as u64, Form::list(node, inner, nesting), sink);
            if self.budget.is_exhausted() {
                return;
            }
            for index in 3..n_forms {
                let form = self.tree.children(node)[index];
                self.push_node(form, inner, nesting, out, sink);
            }
        }
    }

    /// Returns the items of a repetition: the elements of its list, or the numbers of a range.
    fn foreach_items(&mut self, form: Form, sink: &mut Sink) -> Option<Vec<Form>> {
        let mut list = Vec::new();
        if let Some(&node) = self.tree.children(form.node()).get(2) {
            self.push_node(node, form.env(), form.nesting() + 1, &mut list, sink);
        }
        let &[list] = list.as_slice() else {
            self.report_foreach(form, form, "this `foreach` has no list of items", sink);
            return None;
        };
        if self.kind(list) != FormKind::List {
            self.report_foreach(
                form,
                list,
                "a word was found where `foreach` has its list of items",
                sink,
            );
            return None;
        }
        let mut items = Vec::new();
        self.children_into(list, &mut items, sink);
        let &[low, dots, high] = items.as_slice() else {
            return Some(items);
        };
        if self.atom_text(dots) != Some("..") {
            return Some(items);
        }
        let (Some(from), Some(to)) = (self.number(low), self.number(high)) else {
            self.report_foreach(form, list, "a range has whole numbers at both ends", sink);
            return None;
        };
        if to.saturating_sub(from) >= MAX_RANGE {
            self.report_foreach(
                form,
                list,
                &format!("this range has more than {MAX_RANGE} numbers"),
                sink,
            );
            return None;
        }
        let mut number = |value: i64| Form::leaf(low.node(), low.env(), self.interner.intern(&value.to_string()));
        Some((from..=to).map(&mut number).collect())
    }

    fn atom_text(&self, form: Form) -> Option<&str> {
        match self.kind(form) {
            FormKind::Atom(word) => Some(self.word_text(word)),
            FormKind::Str(_) | FormKind::List => None,
        }
    }

    fn word_text(&self, word: Symbol) -> &str {
        self.interner.text(word)
    }

    fn number(&self, form: Form) -> Option<i64> {
        self.atom_text(form)?.parse().ok()
    }

    fn report_foreach(&self, form: Form, place: Form, message: &str, sink: &mut Sink) {
        sink.push(
            Diagnostic::error(Code::BadForeach, message)
                .at(self.span(place))
                .labels(self.labels(form))
                .help("a repetition is written `(foreach $x (item ...) form ...)`"),
        );
    }
}
