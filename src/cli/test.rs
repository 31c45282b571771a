//! `ludex test`

use std::io::Write;

use clap::{Args, ValueEnum};
use ludex::rulecheck::{self, Format, TestOptions};

use super::failure::{Exit, Failure, Result};
use super::game::{read_rules, rule_files};
use super::options::{IncludeOptions, JsonOption};
use super::output::{self, Progress};

/// Run the tests that rule files carry in their comments.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex test rules/ --format tap")]
pub struct Command {
    /// Rule files, folders with rule files, or names of built-in games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// How to write the results
    #[arg(long, value_enum, default_value_t = FormatName::Human, conflicts_with = "json")]
    format: FormatName,
    /// Leave out `perft` lines that expect more ways than this
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    #[command(flatten)]
    include: IncludeOptions,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// For people.
    Human,
    /// The Test Anything Protocol, version 13.
    Tap,
    /// JUnit's XML.
    Junit,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let options = TestOptions {
            node_limit: self.max_nodes,
        };
        let mut results = Vec::new();
        let mut progress = Progress::new();
        for argument in &self.files {
            for path in rule_files(argument)? {
                progress.show(|| format!("testing {path}"));
                let (_, mut file) = read_rules(&path, &self.include.folders)?;
                results.push(rulecheck::run(&mut file, &options));
            }
        }
        drop(progress);
        let format = match self.format {
            _ if self.json.json => Format::Json,
            FormatName::Human => Format::Human,
            FormatName::Tap => Format::Tap,
            FormatName::Junit => Format::JUnit,
        };
        let report = rulecheck::write(&results, format).map_err(|error| Failure::wrong(error.to_string()))?;
        output::stdout().write_all(report.as_bytes())?;
        if results.iter().any(|file| file.failed() > 0) {
            Err(Failure::Told(Exit::Wrong))
        } else {
            Ok(())
        }
    }
}
