//! Diagnostics as text for people: the only formatter.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::source::{SourceId, SourceMap, Span};

/// The longest piece of one line that is shown, in characters.
const EXCERPT: usize = 110;

/// How diagnostics are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whether terminal colours are used.
    pub color: bool,
}

/// Draws a diagnostic with file, line, column, excerpt, labels and help; no line end follows the last line.
///
/// Of a span over several lines the first line is marked. Of long lines only a piece is shown. Spans that lie outside
/// their text are drawn at its end.
pub fn render(sources: &SourceMap, diagnostic: &Diagnostic, options: RenderOptions) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(&diagnostic.message).id(diagnostic.code.number()));
    for excerpt in excerpts(sources, diagnostic) {
        // A piece from the middle of a line would be counted from its own first column, so the place is written apart.
        if excerpt.cut {
            group = group.element(
                Origin::path(sources.name(excerpt.source))
                    .line(excerpt.line)
                    .char_column(excerpt.column),
            );
        }
        let mut snippet = Snippet::source(excerpt.text).line_start(excerpt.line).fold(true);
        if !excerpt.cut {
            snippet = snippet.path(sources.name(excerpt.source));
        }
        group = group.element(snippet.annotations(excerpt.marks.into_iter().map(|mark| {
            let kind = if mark.primary {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let annotation: Annotation<'_> = kind.span(mark.range);
            if mark.message.is_empty() {
                annotation
            } else {
                annotation.label(mark.message)
            }
        })));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = if options.color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    renderer.render(&[group])
}

/// A piece of one text with what is marked in it.
struct Excerpt {
    source: SourceId,
    text: String,
    /// Whether the text begins or ends within a line.
    cut: bool,
    /// The line of the first character, and the line and column of the first mark.
    line: usize,
    column: usize,
    marks: Vec<Mark>,
}

struct Mark {
    /// Bytes within the excerpt.
    range: Range<usize>,
    primary: bool,
    message: String,
}

/// Gathers the marked lines, one excerpt per source unless a line is too long to be shown whole.
fn excerpts(sources: &SourceMap, diagnostic: &Diagnostic) -> Vec<Excerpt> {
    let primary = diagnostic.span.map(|span| (span, true, String::new()));
    let labels = diagnostic
        .labels
        .iter()
        .map(|label| (label.span, false, label.message.clone()));
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for (span, primary, message) in primary.into_iter().chain(labels) {
        if span.source.0 as usize >= sources.ids().count() {
            continue;
        }
        let whole = whole_line(sources, span);
        if whole.text.chars().count() > EXCERPT {
            excerpts.push(with_mark(piece_of_line(&whole), primary, message));
        } else if let Some(excerpt) = excerpts.iter_mut().find(|e| e.source == span.source && !e.cut) {
            join(sources, excerpt, whole, primary, message);
        } else {
            excerpts.push(with_mark(whole, primary, message));
        }
    }
    excerpts
}

fn with_mark(mut excerpt: Excerpt, primary: bool, message: String) -> Excerpt {
    for mark in &mut excerpt.marks {
        mark.primary = primary;
        mark.message.clone_from(&message);
    }
    excerpt
}

/// Returns the first line of `span` with the part of the span in it marked.
fn whole_line(sources: &SourceMap, span: Span) -> Excerpt {
    let place = sources.start(span);
    let line = sources.line_range(span.source, place.line);
    let text = sources.text(span.source);
    let start = boundary(text, span.start as usize).clamp(line.start, line.end);
    let end = boundary(text, span.end as usize).clamp(start, line.end);
    Excerpt {
        source: span.source,
        text: text[line.clone()].to_string(),
        cut: false,
        line: place.line,
        column: place.column,
        marks: vec![Mark {
            range: start - line.start..end - line.start,
            primary: false,
            message: String::new(),
        }],
    }
}

/// Returns the piece of a long line around what is marked in it.
fn piece_of_line(whole: &Excerpt) -> Excerpt {
    let marked = whole.marks[0].range.clone();
    let before = whole.text[..marked.start]
        .chars()
        .rev()
        .take(EXCERPT / 3)
        .map(char::len_utf8)
        .sum::<usize>();
    let after = whole.text[marked.start..]
        .chars()
        .take(EXCERPT * 2 / 3)
        .map(char::len_utf8)
        .sum::<usize>();
    let (from, to) = (marked.start - before, marked.start + after);
    let (head, tail) = (
        if from > 0 { "..." } else { "" },
        if to < whole.text.len() { "..." } else { "" },
    );
    let shift = |offset: usize| offset.min(to) - from + head.len();
    Excerpt {
        source: whole.source,
        text: format!("{head}{}{tail}", &whole.text[from..to]),
        cut: true,
        line: whole.line,
        column: whole.column,
        marks: vec![Mark {
            range: shift(marked.start)..shift(marked.end),
            primary: false,
            message: String::new(),
        }],
    }
}

/// Adds the marked line `whole` to an excerpt of the same text, with the lines between.
fn join(sources: &SourceMap, excerpt: &mut Excerpt, whole: Excerpt, primary: bool, message: String) {
    let first = excerpt.line.min(whole.line);
    let last = (excerpt.line + excerpt.text.matches('\n').count()).max(whole.line);
    // Lines between marks are folded away when drawn; they keep the line numbers right, so their text does not matter.
    let marked_at = |offset_line: usize| sources.line_range(excerpt.source, offset_line);
    let mut offsets = Vec::with_capacity(last - first + 1);
    let mut text = String::new();
    for line in first..=last {
        if line > first {
            text.push('\n');
        }
        offsets.push(text.len());
        let range = marked_at(line);
        let content = &sources.text(excerpt.source)[range];
        if content.chars().nth(EXCERPT).is_none() {
            text.push_str(content);
        }
    }
    let old_first = excerpt.line;
    let old_text = std::mem::take(&mut excerpt.text);
    for mark in &mut excerpt.marks {
        let line = old_text[..mark.range.start].matches('\n').count();
        let line_start = old_text[..mark.range.start].rfind('\n').map_or(0, |at| at + 1);
        let base = offsets[old_first + line - first];
        mark.range = base + mark.range.start - line_start..base + mark.range.end - line_start;
    }
    let base = offsets[whole.line - first];
    excerpt.marks.extend(whole.marks.into_iter().map(|mark| Mark {
        range: base + mark.range.start..base + mark.range.end,
        primary,
        message: message.clone(),
    }));
    excerpt.text = text;
    excerpt.line = first;
}

fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
