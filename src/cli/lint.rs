//! `ludex lint`

use clap::Args;
use ludex::diagnostic::Code;

use super::check::{check, inspect};
use super::failure::Result;
use super::game::has_errors;
use super::options::{IncludeOptions, JsonOption};

/// Check rule files, and tell besides what is doubtful in them.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex lint my-game.zrf --classic")]
pub struct Command {
    /// Rule files, folders with rule files, names of built-in games, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Tell every word beyond the classic language; a file with such a word is not ok
    #[arg(long)]
    classic: bool,
    #[command(flatten)]
    include: IncludeOptions,
    #[command(flatten)]
    json: JsonOption,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        inspect(&self.files, &self.include, self.json, |file| {
            let (games, mut diagnostics) = check(file);
            for doubt in file.lint(self.classic) {
                if !diagnostics.contains(&doubt) {
                    diagnostics.push(doubt);
                }
            }
            let is_beyond = diagnostics
                .iter()
                .any(|diagnostic| diagnostic.code == Code::ExtensionWord);
            let ok = !has_errors(&diagnostics) && !games.is_empty() && !is_beyond;
            (ok, games, diagnostics)
        })
    }
}
