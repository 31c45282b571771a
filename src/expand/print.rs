//! Expanded rules as text.

use super::{Expander, Form, FormKind};
use crate::diagnostic::Sink;

/// A list that fits into so many characters is printed on one line.
const WIDTH: usize = 100;

impl Expander {
    /// Appends a form to `out`, expanded to the last, with long lists over several indented lines.
    pub fn print(&mut self, form: Form, out: &mut String, sink: &mut Sink) {
        self.print_at(form, 0, out, sink);
    }

    fn print_at(&mut self, form: Form, indent: usize, out: &mut String, sink: &mut Sink) {
        match self.kind(form) {
            FormKind::Atom(word) => out.push_str(self.interner.text(word)),
            FormKind::Str(text) => {
                out.push('"');
                out.push_str(self.interner.text(text));
                out.push('"');
            }
            FormKind::List => {
                let children = self.children(form, sink);
                let start = out.len();
                out.push('(');
                // Elements are printed one per line first, each with where it begins; joined if that fits one line.
                let mut starts = Vec::with_capacity(children.len());
                for &child in &children {
                    starts.push(out.len());
                    self.print_at(child, indent + 2, out, sink);
                }
                out.push(')');
                let text = out.split_off(start);
                let ends: Vec<usize> = starts
                    .iter()
                    .skip(1)
                    .map(|at| at - start)
                    .chain([text.len() - 1])
                    .collect();
                let starts: Vec<usize> = starts.iter().map(|at| at - start).collect();
                let fits = indent + text.len() + starts.len() <= WIDTH && !text.contains('\n');
                let elements = starts.iter().zip(&ends);
                out.push('(');
                let mut words_only = true;
                for (n, (&from, &to)) in elements.enumerate() {
                    let is_list = self.kind(children[n]) == FormKind::List;
                    if n > 0 {
                        // Words directly after the head stay on its line.
                        if fits || (words_only && !is_list) {
                            out.push(' ');
                        } else {
                            out.push('\n');
                            out.extend(std::iter::repeat_n(' ', indent + 2));
                        }
                    }
                    words_only &= !is_list;
                    out.push_str(&text[from..to]);
                }
                out.push(')');
            }
        }
    }
}
