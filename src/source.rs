//! Rule text and places in it.
//!
//! Bytes go in, decoded text and [`Span`]s come out. This module knows encodings and line ends, and nothing of
//! brackets or keywords.

/// Names one text of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub(crate) u32);

/// A stretch of one source: byte offsets into its decoded text, `start` included, `end` excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The text that the span lies in.
    pub source: SourceId,
    /// Byte offset of the first character.
    pub start: u32,
    /// Byte offset just past the last character.
    pub end: u32,
}
