//! What went wrong, and the exit code that says so.

use std::io::{self, Write};
use std::process::ExitCode;

/// The result of a command or a part of it.
pub type Result<T> = std::result::Result<T, Failure>;

/// The sorts of failure, by exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The rules, a test, a replay or a move is wrong.
    Wrong = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A file could not be read or written.
    File = 3,
    /// A limit of time, memory, steps or size was hit.
    Limit = 4,
}

/// Why a command could not be carried out.
#[derive(Debug)]
pub enum Failure {
    /// Something to tell on standard error.
    Message(Exit, String),
    /// A diagnostic that is drawn already.
    Drawn(Exit, String),
    /// The output of the command has told it.
    Told(Exit),
    /// Nobody reads the output any more.
    ClosedPipe,
}

impl Failure {
    /// The rules, a test, a replay or a move is wrong.
    pub fn wrong(message: impl Into<String>) -> Failure {
        Failure::Message(Exit::Wrong, message.into())
    }

    /// The command line is wrong.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Message(Exit::Usage, message.into())
    }

    /// A file could not be read or written.
    pub fn file(message: impl Into<String>) -> Failure {
        Failure::Message(Exit::File, message.into())
    }

    /// Tells the failure on standard error and returns its exit code.
    pub fn tell(self) -> ExitCode {
        // Where nobody reads standard error either, the code must do.
        let (exit, _told) = match self {
            Failure::Message(exit, message) => (exit, writeln!(anstream::stderr(), "error: {message}")),
            Failure::Drawn(exit, text) => (exit, writeln!(anstream::stderr(), "{text}")),
            Failure::Told(exit) => (exit, Ok(())),
            Failure::ClosedPipe => return ExitCode::SUCCESS,
        };
        ExitCode::from(exit as u8)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Message(_, text) => f.write_str(text),
            Failure::Drawn(_, text) => f.write_str(&anstream::adapter::strip_str(text).to_string()),
            Failure::Told(_) => f.write_str("see standard error"),
            Failure::ClosedPipe => f.write_str("nobody reads the output"),
        }
    }
}

/// For what is written to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::file(format!("the output cannot be written: {error}")),
        }
    }
}
