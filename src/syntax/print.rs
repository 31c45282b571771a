//! Trees back to text.

use super::{NodeId, NodeKind, SyntaxTree};
use crate::symbol::Interner;

/// Prints a tree as text that reads back to an equal tree: one line for each node outside all lists, comments left out.
pub fn print(tree: &SyntaxTree, interner: &Interner) -> String {
    let mut out = String::new();
    for &root in tree.roots() {
        print_node(tree, interner, root, &mut out);
        out.push('\n');
    }
    out
}

fn print_node(tree: &SyntaxTree, interner: &Interner, node: NodeId, out: &mut String) {
    match tree.kind(node) {
        NodeKind::Atom(word) => out.push_str(interner.text(word)),
        NodeKind::Str(text) => {
            out.push('"');
            out.push_str(interner.text(text));
            out.push('"');
        }
        NodeKind::List => {
            out.push('(');
            for (n, &child) in tree.children(node).iter().enumerate() {
                if n > 0 {
                    out.push(' ');
                }
                print_node(tree, interner, child, out);
            }
            out.push(')');
        }
    }
}
