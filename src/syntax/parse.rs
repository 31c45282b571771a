//! The reader: tokens by grammar, nesting by a stack.

use pest::Parser;
use pest_derive::Parser;

use super::{NodeId, NodeKind, SyntaxTree};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::source::{SourceId, SourceMap, Span};
use crate::symbol::Interner;

/// The greatest depth of lists in lists; the deepest public rule file has 64.
pub const MAX_DEPTH: usize = 250;

/// The greatest length of a text in bytes; the longest public rule files have a few hundred thousand.
pub const MAX_LENGTH: usize = 16 << 20;

// The derive makes an undocumented enum of the grammar's rules; the module keeps it apart.
mod grammar {
    #![allow(missing_docs)]

    #[derive(super::Parser)]
    #[grammar = "../grammar/zrf.pest"]
    pub(super) struct Reader;
}

use grammar::{Reader, Rule};

/// Reads a text into a new tree; what is wrong is reported and mended.
pub fn parse(sources: &SourceMap, id: SourceId, interner: &mut Interner, sink: &mut Sink) -> SyntaxTree {
    let mut tree = SyntaxTree::new();
    parse_into(&mut tree, sources, id, interner, sink);
    tree
}

/// Reads a text into `tree` beside what is there, and returns what stands outside all lists of this text.
pub fn parse_into(
    tree: &mut SyntaxTree,
    sources: &SourceMap,
    id: SourceId,
    interner: &mut Interner,
    sink: &mut Sink,
) -> Vec<NodeId> {
    let text = sources.text(id);
    if text.len() > MAX_LENGTH {
        sink.push(
            Diagnostic::error(
                Code::TooLarge,
                format!("the file has {} bytes, more than {MAX_LENGTH}", text.len()),
            )
            .at(Span::new(id, 0, 0)),
        );
        return Vec::new();
    }
    let tokens = match Reader::parse(Rule::file, text) {
        Ok(tokens) => tokens,
        // The grammar accepts every text: whatever is not white space, bracket, quote or comment is a word.
        Err(error) => {
            sink.push(Diagnostic::error(Code::StrayWord, error.variant.message()).at(Span::new(id, 0, 0)));
            return Vec::new();
        }
    };
    let mut nest = Nest {
        tree,
        id,
        text,
        open: Vec::new(),
        pending: Vec::new(),
        too_deep: 0,
    };
    for token in tokens {
        let span = Span::new(id, token.as_span().start() as u32, token.as_span().end() as u32);
        match token.as_rule() {
            Rule::open => nest.open(span, sink),
            Rule::close => nest.close(span, sink),
            Rule::atom => nest.leaf(NodeKind::Atom(interner.intern(token.as_str())), span),
            Rule::string => {
                let quoted = token.as_str();
                nest.leaf(NodeKind::Str(interner.intern(&quoted[1..quoted.len() - 1])), span);
            }
            Rule::open_string => {
                nest.leaf(NodeKind::Str(interner.intern(token.as_str()[1..].trim_end())), span);
                sink.push(
                    Diagnostic::warning(Code::UnclosedString, "this string runs to the end of the file")
                        .at(Span::new(id, span.start, span.start + 1))
                        .help("close it with `\"`"),
                );
            }
            Rule::comment => nest.tree.add_comment(span),
            Rule::file | Rule::token | Rule::WHITESPACE | Rule::EOI => {}
        }
    }
    nest.finish(sink)
}

/// The lists that are open while tokens come in.
struct Nest<'a> {
    tree: &'a mut SyntaxTree,
    id: SourceId,
    text: &'a str,
    /// Each open list with the number of pending nodes that stand before its elements.
    open: Vec<(NodeId, usize)>,
    /// Nodes whose list is still open, the elements of the innermost list last.
    pending: Vec<NodeId>,
    /// The number of open lists beyond the limit of depth; they and what is in them are left out.
    too_deep: usize,
}

impl Nest<'_> {
    fn open(&mut self, span: Span, sink: &mut Sink) {
        if self.too_deep > 0 || self.open.len() >= MAX_DEPTH {
            if self.too_deep == 0 {
                sink.push(
                    Diagnostic::error(Code::TooDeep, format!("lists are nested more than {MAX_DEPTH} deep")).at(span),
                );
            }
            self.too_deep += 1;
            return;
        }
        let list = self.tree.add(NodeKind::List, span);
        self.pending.push(list);
        self.open.push((list, self.pending.len()));
    }

    fn close(&mut self, span: Span, sink: &mut Sink) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if let Some((list, first)) = self.open.pop() {
            self.tree.close(list, &self.pending[first..], span.end);
            self.pending.truncate(first);
        } else {
            sink.push(
                Diagnostic::warning(Code::SurplusBracket, "this `)` closes nothing")
                    .at(span)
                    .help("remove it, or look for a missing `(` above"),
            );
        }
    }

    fn leaf(&mut self, kind: NodeKind, span: Span) {
        if self.too_deep == 0 {
            let leaf = self.tree.add(kind, span);
            self.pending.push(leaf);
        }
    }

    /// Closes what is still open, and returns the nodes outside all lists.
    fn finish(mut self, sink: &mut Sink) -> Vec<NodeId> {
        if let Some(&(outermost, _)) = self.open.first() {
            self.report_open(outermost, sink);
        }
        let end = self.text.len() as u32;
        while let Some((list, first)) = self.open.pop() {
            self.tree.close(list, &self.pending[first..], end);
            self.pending.truncate(first);
        }
        self.tree.add_roots(&self.pending);
        self.pending
    }

    fn report_open(&self, outermost: NodeId, sink: &mut Sink) {
        let missing = self.open.len() + self.too_deep;
        let plural = if missing == 1 { "bracket is" } else { "brackets are" };
        let bracket = |node: NodeId| {
            let start = self.tree.span(node).start;
            Span::new(self.id, start, start + 1)
        };
        let mut diagnostic = Diagnostic::warning(
            Code::UnclosedList,
            format!("{missing} closing {plural} missing at the end of the file"),
        )
        .at(bracket(outermost));
        // Lists outside all lists usually start in the first column: the first one inside tells where the bracket lacks.
        let in_first_column = |&node: &NodeId| {
            let start = self.tree.span(node).start as usize;
            self.tree.kind(node) == NodeKind::List && self.text[..start].ends_with('\n')
        };
        let inside = self.tree.nodes().skip(outermost.index() + 1).find(in_first_column);
        if let Some(node) = inside {
            diagnostic = diagnostic.label(bracket(node), "still inside the open list here");
        }
        sink.push(diagnostic.help("add the missing `)`; the rules are read as if it stood at the end"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::print;

    fn read(text: &str) -> (String, Vec<&'static str>) {
        let mut sources = SourceMap::new();
        let id = sources.add("a", text.as_bytes());
        let (mut interner, mut sink) = (Interner::new(), Sink::new());
        let tree = parse(&sources, id, &mut interner, &mut sink);
        let codes = sink
            .diagnostics()
            .iter()
            .map(|diagnostic| diagnostic.code.number())
            .collect();
        (print(&tree, &interner).trim_end().to_string(), codes)
    }

    #[test]
    fn words_need_no_space_around_brackets_and_strings() {
        assert_eq!(read("a(b\"c d\"e)f").0, "a\n(b \"c d\" e)\nf");
    }

    #[test]
    fn comments_end_with_the_line_and_are_not_seen_in_strings() {
        assert_eq!(read("(a ; b\r c) \"d ; e\"").0, "(a c)\n\"d ; e\"");
    }

    #[test]
    fn old_control_characters_are_white_space() {
        assert_eq!(read("(a\0b\x0Cc\x0Bd\u{A0}e)\x1A").0, "(a b c d e)");
    }

    #[test]
    fn unbalanced_text_is_mended() {
        assert_eq!(read("(a (b"), ("(a (b))".to_string(), vec!["Z0101"]));
        assert_eq!(read("a) b"), ("a\nb".to_string(), vec!["Z0102"]));
        assert_eq!(read("(a \"b)"), ("(a \"b)\")".to_string(), vec!["Z0103", "Z0101"]));
    }

    #[test]
    fn deep_nesting_is_cut() {
        let n = 100_000;
        let (text, codes) = read(&format!("{}a{} b", "(".repeat(n), ")".repeat(n)));
        assert_eq!(codes, ["Z0104"]);
        assert!(text.ends_with('b') && !text.contains('a'));
        assert_eq!(read(&"(".repeat(n)).1, ["Z0104", "Z0101"]);
    }

    #[test]
    fn a_list_comes_before_its_elements() {
        let mut sources = SourceMap::new();
        let id = sources.add("a", b"(a (b) c)");
        let tree = parse(&sources, id, &mut Interner::new(), &mut Sink::new());
        for node in tree.nodes() {
            assert!(tree.children(node).iter().all(|&child| child > node));
        }
        assert_eq!(sources.slice(tree.span(tree.children(tree.roots()[0])[1])), "(b)");
    }
}
