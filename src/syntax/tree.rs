//! The tree of lists, words and strings, kept in one arena.

use crate::source::Span;
use crate::symbol::Symbol;

/// Names one node of a [`SyntaxTree`]. A list has a smaller id than everything in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Returns the position of the node in its tree, counted from 0 in the order of the text.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// `( … )`.
    List,
    /// A word or number.
    Atom(Symbol),
    /// `" … "`; the symbol is the text between the quotes, as written.
    Str(Symbol),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: NodeKind,
    span: Span,
    /// Of a list: where its elements begin in `SyntaxTree::elements`, and how many there are.
    first: u32,
    len: u32,
}

/// Lists, words and strings with their spans. Several texts may share one tree.
#[derive(Clone, Debug, Default)]
pub struct SyntaxTree {
    nodes: Vec<Node>,
    /// The elements of each list, list by list.
    elements: Vec<NodeId>,
    roots: Vec<NodeId>,
    comments: Vec<Span>,
}

impl SyntaxTree {
    /// Creates a tree without nodes.
    pub fn new() -> SyntaxTree {
        SyntaxTree::default()
    }

    /// Returns what a node is.
    pub fn kind(&self, node: NodeId) -> NodeKind {
        self.nodes[node.index()].kind
    }

    /// Returns the text of a node, brackets and quotes included.
    pub fn span(&self, node: NodeId) -> Span {
        self.nodes[node.index()].span
    }

    /// Returns the elements of a list in order; words and strings have none.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        let node = &self.nodes[node.index()];
        &self.elements[node.first as usize..(node.first + node.len) as usize]
    }

    /// Returns what stands outside all lists, in order, text by text.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// Returns the comments in order, from the `;` to the end of the line, text by text.
    pub fn comments(&self) -> &[Span] {
        &self.comments
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Tells whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns all nodes; every list comes before what is in it.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len()).map(|index| NodeId(index as u32))
    }

    pub(super) fn add(&mut self, kind: NodeKind, span: Span) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            kind,
            span,
            first: 0,
            len: 0,
        });
        id
    }

    /// Gives a list its elements and the place where it ends.
    pub(super) fn close(&mut self, list: NodeId, elements: &[NodeId], end: u32) {
        let node = &mut self.nodes[list.index()];
        node.first = self.elements.len() as u32;
        node.len = elements.len() as u32;
        node.span.end = end;
        self.elements.extend_from_slice(elements);
    }

    pub(super) fn add_roots(&mut self, roots: &[NodeId]) {
        self.roots.extend_from_slice(roots);
    }

    pub(super) fn add_comment(&mut self, span: Span) {
        self.comments.push(span);
    }
}
