//! Rule text and places in it.
//!
//! Bytes go in, decoded text and [`Span`]s come out. This module knows encodings and line ends, and nothing of
//! brackets or keywords.
//!
//! Rule files were written on Windows over two decades, so they come in code pages as well as in UTF-8. Text that is
//! valid UTF-8 is taken as such; other text is Windows-1251 if its letters beyond ASCII stand side by side, as in
//! Cyrillic words, and Windows-1252 if they stand alone among plain letters, as accents do. CRLF and lone CR become LF,
//! so every later stage sees one kind of line end. Decoding never fails.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1251, WINDOWS_1252};

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

impl Span {
    /// Creates the span of the bytes from `start` up to `end` of `source`.
    pub fn new(source: SourceId, start: u32, end: u32) -> Span {
        Span { source, start, end }
    }
}

/// A place in a text as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// How the bytes of a text were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextEncoding {
    /// UTF-8, plain ASCII included.
    Utf8,
    /// UTF-16 of either byte order, told by its byte order mark.
    Utf16,
    /// The Cyrillic code page of Windows.
    Windows1251,
    /// The Western code page of Windows.
    Windows1252,
}

impl TextEncoding {
    /// Returns the usual name of the encoding.
    pub fn name(self) -> &'static str {
        match self {
            TextEncoding::Utf8 => "UTF-8",
            TextEncoding::Utf16 => "UTF-16",
            TextEncoding::Windows1251 => "windows-1251",
            TextEncoding::Windows1252 => "windows-1252",
        }
    }
}

/// Owns every text that was read, by [`SourceId`].
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

#[derive(Clone, Debug)]
struct Source {
    name: String,
    text: String,
    /// Byte offset of the first character of each line, in line order.
    line_starts: Vec<u32>,
    encoding: TextEncoding,
}

impl SourceMap {
    /// Creates a map without texts.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Decodes `bytes` and keeps the text under `name`, which is what diagnostics show.
    pub fn add(&mut self, name: impl Into<String>, bytes: &[u8]) -> SourceId {
        let (text, encoding) = decode(bytes);
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .zip(1u32..)
                .filter(|&(byte, _)| byte == b'\n')
                .map(|(_, next)| next),
        );
        let id = SourceId(self.sources.len() as u32);
        self.sources.push(Source {
            name: name.into(),
            text,
            line_starts,
            encoding,
        });
        id
    }

    /// Returns the name of a text.
    pub fn name(&self, id: SourceId) -> &str {
        self.sources.get(id.0 as usize).map_or("", |source| &source.name)
    }

    /// Returns the decoded text, with LF as its only line end.
    pub fn text(&self, id: SourceId) -> &str {
        self.sources.get(id.0 as usize).map_or("", |source| &source.text)
    }

    /// Returns the encoding in which the text was found.
    pub fn encoding(&self, id: SourceId) -> TextEncoding {
        self.sources
            .get(id.0 as usize)
            .map_or(TextEncoding::Utf8, |source| source.encoding)
    }

    /// Returns the ids of all texts, in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = SourceId> + use<> {
        (0..self.sources.len() as u32).map(SourceId)
    }

    /// Returns the text of `span`; parts of it outside its source are left out.
    pub fn slice(&self, span: Span) -> &str {
        let text = self.text(span.source);
        let start = floor_char(text, span.start as usize);
        let end = floor_char(text, span.end as usize);
        text.get(start..end).unwrap_or("")
    }

    /// Returns the line and column of the first character of `span`.
    pub fn start(&self, span: Span) -> LineColumn {
        self.line_column(span.source, span.start)
    }

    /// Returns the line and column just past the last character of `span`.
    pub fn end(&self, span: Span) -> LineColumn {
        self.line_column(span.source, span.end)
    }

    /// Returns the byte range of line `line` (from 1) without its line end, empty if there is no such line.
    pub fn line_range(&self, id: SourceId, line: usize) -> std::ops::Range<usize> {
        let Some(source) = self.sources.get(id.0 as usize) else {
            return 0..0;
        };
        let Some(&start) = line.checked_sub(1).and_then(|index| source.line_starts.get(index)) else {
            return 0..0;
        };
        let end = source
            .line_starts
            .get(line)
            .map_or(source.text.len(), |&next| next as usize - 1);
        start as usize..end
    }

    fn line_column(&self, id: SourceId, offset: u32) -> LineColumn {
        let Some(source) = self.sources.get(id.0 as usize) else {
            return LineColumn { line: 1, column: 1 };
        };
        let offset = floor_char(&source.text, offset as usize);
        let line = source.line_starts.partition_point(|&start| start as usize <= offset);
        let start = line
            .checked_sub(1)
            .map_or(0, |index| source.line_starts[index] as usize);
        let column = source
            .text
            .get(start..offset)
            .map_or(0, |before| before.chars().count())
            + 1;
        LineColumn { line, column }
    }
}

/// Returns the greatest character boundary of `text` that is not above `offset`.
fn floor_char(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

fn decode(bytes: &[u8]) -> (String, TextEncoding) {
    let (text, encoding) = match Encoding::for_bom(bytes) {
        Some((encoding, _)) if encoding == UTF_16LE || encoding == UTF_16BE => {
            (encoding.decode(bytes).0, TextEncoding::Utf16)
        }
        _ => {
            let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
            match UTF_8.decode_without_bom_handling_and_without_replacement(bytes) {
                Some(text) => (text, TextEncoding::Utf8),
                None if looks_cyrillic(bytes) => (
                    WINDOWS_1251.decode_without_bom_handling(bytes).0,
                    TextEncoding::Windows1251,
                ),
                None => (
                    WINDOWS_1252.decode_without_bom_handling(bytes).0,
                    TextEncoding::Windows1252,
                ),
            }
        }
    };
    let text = if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.into_owned()
    };
    (text, encoding)
}

/// Tells whether the bytes that are letters in both code pages stand side by side more often than beside plain letters.
fn looks_cyrillic(bytes: &[u8]) -> bool {
    let high = |byte: u8| byte >= 0xC0;
    let (mut beside_high, mut beside_plain) = (0usize, 0usize);
    for pair in bytes.windows(2) {
        match (high(pair[0]), high(pair[1])) {
            (true, true) => beside_high += 1,
            (true, false) if pair[1].is_ascii_alphabetic() => beside_plain += 1,
            (false, true) if pair[0].is_ascii_alphabetic() => beside_plain += 1,
            _ => {}
        }
    }
    beside_high > beside_plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> (String, TextEncoding) {
        let mut sources = SourceMap::new();
        let id = sources.add("a", bytes);
        (sources.text(id).to_string(), sources.encoding(id))
    }

    #[test]
    fn utf8_is_kept_and_its_mark_dropped() {
        assert_eq!(read("\u{FEFF}é".as_bytes()), ("é".to_string(), TextEncoding::Utf8));
    }

    #[test]
    fn code_pages_are_told_apart() {
        // "Шашки" and "Échecs à l'étoile" as Windows writes them.
        assert_eq!(
            read(b"\xD8\xE0\xF8\xEA\xE8"),
            ("Шашки".to_string(), TextEncoding::Windows1251)
        );
        assert_eq!(
            read(b"\xC9checs \xE0 l'\xE9toile"),
            ("Échecs à l'étoile".to_string(), TextEncoding::Windows1252)
        );
        assert_eq!(read(b"a\xA0b").1, TextEncoding::Windows1252);
    }

    #[test]
    fn utf16_is_read_by_its_mark() {
        assert_eq!(read(b"\xFF\xFEa\0(\0"), ("a(".to_string(), TextEncoding::Utf16));
    }

    #[test]
    fn all_line_ends_become_one() {
        assert_eq!(read(b"a\r\nb\rc\nd\r").0, "a\nb\nc\nd\n");
    }

    #[test]
    fn columns_count_characters() {
        let mut sources = SourceMap::new();
        let id = sources.add("a", "é b\r\nc".as_bytes());
        let b = Span::new(id, 3, 4);
        assert_eq!(sources.slice(b), "b");
        assert_eq!(sources.start(b), LineColumn { line: 1, column: 3 });
        assert_eq!(sources.end(b), LineColumn { line: 1, column: 4 });
        assert_eq!(sources.start(Span::new(id, 5, 6)), LineColumn { line: 2, column: 1 });
        assert_eq!(sources.line_range(id, 1), 0..4);
        assert_eq!(sources.line_range(id, 2), 5..6);
        assert_eq!(sources.line_range(id, 3), 0..0);
    }

    #[test]
    fn places_outside_a_text_are_harmless() {
        let mut sources = SourceMap::new();
        let id = sources.add("a", "é".as_bytes());
        assert_eq!(sources.slice(Span::new(id, 1, 99)), "é");
        assert_eq!(sources.slice(Span::new(id, 9, 3)), "");
        assert_eq!(sources.slice(Span::new(SourceId(7), 0, 3)), "");
        assert_eq!(
            sources.end(Span::new(SourceId(7), 0, 3)),
            LineColumn { line: 1, column: 1 }
        );
    }
}
