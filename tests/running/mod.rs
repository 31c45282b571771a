//! Running the program: what it says, and how it ends.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// What a run has said, and its exit code, -1 if it was killed.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Reads the output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }

    /// Asserts the exit code, and that nothing has panicked.
    #[track_caller]
    pub fn exits(self, code: i32) -> Run {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// Asserts that the output contains a text.
    #[track_caller]
    pub fn says(self, text: &str) -> Run {
        assert!(
            self.stdout.contains(text),
            "no `{text}` in\n{}\nstderr: {}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// Asserts that the error output contains a text.
    #[track_caller]
    pub fn complains(self, text: &str) -> Run {
        assert!(self.stderr.contains(text), "no `{text}` in\n{}", self.stderr);
        self
    }
}

/// Begins a command line of the program, with nothing to read unless the test gives it something.
pub fn ludex() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::null());
    command
}

/// Returns what a run has said.
pub fn finish(output: Output) -> Run {
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
