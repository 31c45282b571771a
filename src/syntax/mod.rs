//! Text to trees of lists, words and strings.
//!
//! [`parse`] takes one text of a [`SourceMap`](crate::source::SourceMap) and gives a [`SyntaxTree`]. It never fails: an
//! open bracket or string is closed at the end of the text, a surplus bracket is skipped, and both are reported. The
//! tree is faithful and knows no meaning: numbers are words, macros and keywords are unknown here.
//!
//! The grammar (`grammar/zrf.pest`) only splits text into brackets, words, strings and comments. Lists are nested by a
//! stack in [`parse`], so neither the depth nor the length of a text can exhaust the call stack.
//!
//! ```
//! use ludex::diagnostic::Sink;
//! use ludex::source::SourceMap;
//! use ludex::symbol::Interner;
//! use ludex::syntax::{NodeKind, parse};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("a.zrf", b"(players White Black) ; two");
//! let (mut interner, mut sink) = (Interner::new(), Sink::new());
//! let tree = parse(&sources, file, &mut interner, &mut sink);
//! let players = tree.children(tree.roots()[0]);
//! assert_eq!(tree.kind(players[1]), NodeKind::Atom(interner.get("White").unwrap()));
//! ```

mod parse;
mod print;
mod tree;

pub use parse::{MAX_DEPTH, MAX_LENGTH, parse, parse_into};
pub use print::print;
pub use tree::{NodeId, NodeKind, SyntaxTree};
