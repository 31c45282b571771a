//! Arguments: `$1` alone, and `$1` inside longer words and strings.

use super::form::{EnvId, Form, FormKind};
use super::{Expander, MAX_WORD};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::symbol::Symbol;
use crate::syntax::{NodeId, NodeKind};

/// What a word with `$` in it becomes.
pub(super) enum Pasted {
    /// The word is one argument and nothing else.
    Argument(Form),
    /// The word is `$n`, and no use around has an n-th argument; or it is pasted of nothing.
    Nothing,
    /// The word has arguments put into it.
    Word(Symbol),
}

/// Tells whether a word may have an argument in it.
pub(super) fn has_argument(text: &str) -> bool {
    text.as_bytes()
        .windows(2)
        .any(|pair| pair[0] == b'$' && pair[1] != b'$')
}

/// One `$…` at the head of a text: how long it is with the `$`, and the argument, if any use around gives it.
struct Reference {
    len: usize,
    argument: Option<Form>,
}

impl Expander {
    /// Puts arguments into a word or string that may have some.
    pub(super) fn paste(&mut self, node: NodeId, env: EnvId, sink: &mut Sink) -> Pasted {
        let (symbol, is_atom) = match self.tree.kind(node) {
            NodeKind::Atom(symbol) => (symbol, true),
            NodeKind::Str(symbol) => (symbol, false),
            NodeKind::List => return Pasted::Nothing,
        };
        let text = self.interner.text(symbol);
        if is_atom
            && let Some(reference) = self.reference(text, env)
            && reference.len == text.len()
        {
            return reference.argument.map_or(Pasted::Nothing, Pasted::Argument);
        }
        let mut word = String::with_capacity(text.len() + 16);
        let mut fault = None;
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            word.push_str(&rest[..at]);
            rest = &rest[at..];
            let Some(reference) = self.reference(rest, env) else {
                word.push('$');
                rest = &rest[1..];
                continue;
            };
            match reference.argument.map(|argument| (argument, self.kind(argument))) {
                Some((_, FormKind::Atom(part) | FormKind::Str(part))) => word.push_str(self.interner.text(part)),
                Some((argument, FormKind::List)) => fault = Some((argument, rest[..reference.len].to_string())),
                None => {}
            }
            rest = &rest[reference.len..];
            if word.len() > MAX_WORD {
                break;
            }
        }
        word.push_str(rest);
        let form = Form::leaf(node, env, symbol);
        if let Some((argument, name)) = fault {
            sink.push(
                Diagnostic::error(
                    Code::PastedList,
                    format!("`{name}` is a list here and cannot be joined with other text"),
                )
                .at(self.span(form))
                .label(self.span(argument), "this argument")
                .labels(self.labels(form)),
            );
        }
        if word.len() > MAX_WORD {
            let mut end = MAX_WORD;
            while !word.is_char_boundary(end) {
                end -= 1;
            }
            word.truncate(end);
            sink.push(
                Diagnostic::error(Code::WordTooLong, format!("this becomes longer than {MAX_WORD} bytes"))
                    .at(self.span(form))
                    .labels(self.labels(form)),
            );
        }
        // Long pasted text costs memory, as forms do.
        self.spend(word.len() as u64 / 8, form, sink);
        if is_atom && word.is_empty() {
            return Pasted::Nothing;
        }
        Pasted::Word(self.interner.intern(&word))
    }

    /// Reads the argument that `text` begins with; `None` if it is a plain `$`.
    fn reference(&self, text: &str, env: EnvId) -> Option<Reference> {
        let after = text.strip_prefix('$')?;
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            // All digits count: files use up to `$17`. `$0` and numbers beyond all sense are never given.
            let number = after[..digits].parse().unwrap_or(0);
            return Some(Reference {
                len: 1 + digits,
                argument: self.numbered(number, env),
            });
        }
        self.named(after, env).map(|(len, argument)| Reference {
            len: 1 + len,
            argument: Some(argument),
        })
    }

    /// Finds the n-th argument in the innermost use around that gives it.
    fn numbered(&self, number: usize, mut env: EnvId) -> Option<Form> {
        let index = number.checked_sub(1)?;
        while env != EnvId::NONE {
            let found = &self.envs[env.index()];
            if found.closure != EnvId::NONE
                && let Some(argument) = self.numbered(number, found.closure)
            {
                return Some(argument);
            }
            if found.numbered && index < found.len as usize {
                return Some(self.args[found.first as usize + index]);
            }
            env = found.outer;
        }
        None
    }

    /// Finds the argument with the longest name that `text` begins with, of equally long ones the innermost.
    fn named(&self, text: &str, mut env: EnvId) -> Option<(usize, Form)> {
        let mut best: Option<(usize, Form)> = None;
        while env != EnvId::NONE {
            let found = &self.envs[env.index()];
            let names = &self.names[found.names as usize];
            for (name, index) in names.iter().zip(0..found.len) {
                let name = self.interner.text(*name);
                if text.starts_with(name) && best.is_none_or(|(len, _)| name.len() > len) {
                    best = Some((name.len(), self.args[(found.first + index) as usize]));
                }
            }
            if found.closure != EnvId::NONE
                && let Some((len, argument)) = self.named(text, found.closure)
                && best.is_none_or(|(best_len, _)| len > best_len)
            {
                best = Some((len, argument));
            }
            env = found.outer;
        }
        best
    }
}
