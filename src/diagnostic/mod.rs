//! What is wrong with the rules, and where.
//!
//! Every stage that reads rules makes [`Diagnostic`]s where it knows the fact and pushes them into a [`Sink`], so that
//! it can go on and report all it finds; [`render`] is the only place that turns one into text for people. A diagnostic
//! knows spans and a [`Code`]; it knows nothing of the stage that made it.
//!
//! Messages are lower case without a final stop, name what was found before what was expected, and put words of the
//! rules in backticks. An error means that the rules cannot be played, a warning that they are played with an
//! assumption that the message states, a note is neither.
//!
//! ```
//! use ludex::diagnostic::{Code, Diagnostic, RenderOptions, Sink, render};
//! use ludex::source::{SourceMap, Span};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("a.zrf", b"(game))");
//! let mut sink = Sink::new();
//! sink.push(
//!     Diagnostic::warning(Code::SurplusBracket, "this `)` closes nothing")
//!         .at(Span::new(file, 6, 7))
//!         .help("remove it, or look for a missing `(` above"),
//! );
//! let text = render(&sources, &sink.diagnostics()[0], RenderOptions { color: false });
//! assert!(text.starts_with("warning[Z0102]: this `)` closes nothing"));
//! ```

mod code;
mod render;
mod sink;

pub use code::Code;
pub use render::{RenderOptions, render};
pub use sink::Sink;

use crate::source::Span;

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The rules cannot be played.
    Error,
    /// The rules are played with a stated assumption.
    Warning,
    /// Something worth knowing.
    Note,
}

impl Severity {
    /// Returns `error`, `warning` or `note`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A remark on a further place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is said about it; may be empty.
    pub message: String,
}

/// One finding about the rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What was found, lower case and without a final stop.
    pub message: String,
    /// The smallest wrong piece of text, if the finding has a place.
    pub span: Option<Span>,
    /// Further places that explain it, in the order in which they are told.
    pub labels: Vec<Label>,
    /// One thing to try.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Creates an error without a place.
    pub fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Error, message.into())
    }

    /// Creates a warning without a place.
    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Warning, message.into())
    }

    /// Creates a note without a place.
    pub fn note(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Note, message.into())
    }

    /// Sets the place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.span = Some(span);
        self
    }

    /// Adds a remark on a further place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.labels.push(Label {
            span,
            message: message.into(),
        });
        self
    }

    /// Adds several remarks, such as those that `Expander::labels` gives for a form out of macros.
    #[must_use]
    pub fn labels(mut self, labels: impl IntoIterator<Item = Label>) -> Diagnostic {
        self.labels.extend(labels);
        self
    }

    /// Sets the one thing to try.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    fn new(code: Code, severity: Severity, message: String) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            message,
            span: None,
            labels: Vec::new(),
            help: None,
        }
    }
}
