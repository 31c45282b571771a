//! `ludex explain`

use std::io::Write;

use clap::Args;
use ludex::diagnostic::Code;
use serde::Serialize;

use super::failure::{Failure, Result};
use super::options::JsonOption;
use super::output;

/// Tell more about a diagnostic.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex explain Z0304")]
pub struct Command {
    /// The code that the diagnostic shows; all codes are listed without it
    code: Option<String>,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Explained {
    code: &'static str,
    summary: &'static str,
    explanation: &'static str,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let codes = match &self.code {
            Some(number) => vec![Code::from_number(number).ok_or_else(|| {
                Failure::usage(format!(
                    "`{number}` is no code of a diagnostic; `ludex explain` lists all"
                ))
            })?],
            None => Code::ALL.to_vec(),
        };
        if self.json.json {
            let explained = codes.iter().map(|code| Explained {
                code: code.number(),
                summary: code.summary(),
                explanation: code.explanation(),
            });
            return output::json(&explained.collect::<Vec<_>>());
        }
        let mut out = output::stdout();
        for code in &codes {
            writeln!(out, "{code}: {}", code.summary())?;
        }
        if self.code.is_some() {
            for code in &codes {
                writeln!(out, "\n{}", wrapped(code.explanation(), 100))?;
            }
        }
        Ok(())
    }
}

/// Breaks a paragraph into lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let full = lines
            .last()
            .is_some_and(|line| !line.is_empty() && line.len() + word.len() >= width);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
