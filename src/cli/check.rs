//! `ludex check`

use std::io::Write;

use clap::Args;
use ludex::RuleFile;
use ludex::diagnostic::{Diagnostic, Severity};
use serde::Serialize;

use super::failure::{Exit, Failure, Result};
use super::game::{draw, exit_of, has_errors, read_rules, rule_files};
use super::options::{IncludeOptions, JsonOption};
use super::output::{self, Progress};

/// Read, expand and compile every game and variant of rule files.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex check my-game.zrf rules/")]
pub struct Command {
    /// Rule files, folders with rule files, names of built-in games, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    include: IncludeOptions,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Checked {
    file: String,
    ok: bool,
    games: Vec<CheckedGame>,
    diagnostics: Vec<Found>,
}

#[derive(Debug, Serialize)]
pub struct CheckedGame {
    title: String,
    ok: bool,
}

#[derive(Debug, Serialize)]
struct Found {
    severity: &'static str,
    code: &'static str,
    message: String,
    /// The file that the place is in, if it is an included one.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    help: Option<String>,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        inspect(&self.files, &self.include, self.json, |file| {
            let (games, diagnostics) = check(file);
            let ok = !has_errors(&diagnostics) && !games.is_empty();
            (ok, games, diagnostics)
        })
    }
}

/// What is found in a rule file, and whether it is ok.
pub type Findings = (bool, Vec<CheckedGame>, Vec<Diagnostic>);

/// Reads rule files and tells what `look` finds in them.
pub fn inspect(
    files: &[String],
    include: &IncludeOptions,
    json: JsonOption,
    look: impl Fn(&mut RuleFile) -> Findings,
) -> Result<()> {
    let mut checked = Vec::new();
    let mut failed: Option<Exit> = None;
    let mut out = output::stdout();
    let mut progress = Progress::new();
    for argument in files {
        for path in rule_files(argument)? {
            progress.show(|| format!("checking {path}"));
            let (name, mut file) = read_rules(&path, &include.folders)?;
            let (ok, games, diagnostics) = look(&mut file);
            if !ok {
                failed = failed.max_exit(exit_of(&diagnostics));
            }
            if json.json {
                let diagnostics = diagnostics.iter().map(|diagnostic| found(&file, diagnostic)).collect();
                checked.push(Checked {
                    file: name,
                    ok,
                    games,
                    diagnostics,
                });
                continue;
            }
            for diagnostic in &diagnostics {
                output::remark(&(draw(&file, diagnostic) + "\n"));
            }
            writeln!(out, "{name}: {}", summary(ok, &games, &diagnostics))?;
        }
    }
    if json.json {
        output::json(&checked)?;
    }
    failed.map_or(Ok(()), |exit| Err(Failure::Told(exit)))
}

/// Adds a failure to those so far.
trait MaxExit {
    fn max_exit(self, exit: Exit) -> Option<Exit>;
}

impl MaxExit for Option<Exit> {
    /// What is wrong counts more than what is too large.
    fn max_exit(self, exit: Exit) -> Option<Exit> {
        if self == Some(Exit::Wrong) { self } else { Some(exit) }
    }
}

/// Compiles every game of a file; returns them with all that was found, each finding once.
pub fn check(file: &mut RuleFile) -> (Vec<CheckedGame>, Vec<Diagnostic>) {
    let mut diagnostics = file.diagnostics().to_vec();
    let mut games = Vec::new();
    for entry in 0..file.entries().len() {
        let title = file.entries()[entry].title.clone();
        let compiled = file.compile(entry);
        for diagnostic in compiled.diagnostics {
            if !diagnostics.contains(&diagnostic) {
                diagnostics.push(diagnostic);
            }
        }
        games.push(CheckedGame {
            title,
            ok: compiled.rules.is_some(),
        });
    }
    (games, diagnostics)
}

fn summary(ok: bool, games: &[CheckedGame], diagnostics: &[Diagnostic]) -> String {
    let count = |severity| {
        diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    };
    let counted = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    };
    let mut parts = vec![
        if ok { "ok".to_owned() } else { "not ok".to_owned() },
        counted(games.len(), "game"),
    ];
    for (severity, what) in [
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Note, "note"),
    ] {
        if count(severity) > 0 {
            parts.push(counted(count(severity), what));
        }
    }
    parts.join(", ")
}

fn found(file: &RuleFile, diagnostic: &Diagnostic) -> Found {
    let sources = file.sources();
    let (start, end) = (
        diagnostic.span.map(|span| sources.start(span)),
        diagnostic.span.map(|span| sources.end(span)),
    );
    let included = diagnostic.span.filter(|span| span.source != file.root());
    Found {
        severity: diagnostic.severity.name(),
        code: diagnostic.code.number(),
        message: diagnostic.message.clone(),
        file: included.map(|span| sources.name(span.source).to_owned()),
        line: start.map(|place| place.line),
        column: start.map(|place| place.column),
        end_line: end.map(|place| place.line),
        end_column: end.map(|place| place.column),
        help: diagnostic.help.clone(),
    }
}
