//! From the bytes of a rule file to games that can be played.

use crate::diagnostic::{Code, Diagnostic, RenderOptions, Severity, Sink, render};
use crate::expand::{Entry, Expander, Loader, NoIncludes, expand};
use crate::lint::lint;
use crate::model;
use crate::model::quirk::{QuirkError, Quirks};
use crate::rules::Rules;
use crate::source::{SourceId, SourceMap};
use crate::vm::Fault;

/// A rule file that has been read: its games and variants can be compiled one by one.
#[derive(Debug)]
pub struct RuleFile {
    sources: SourceMap,
    root: SourceId,
    expander: Expander,
    diagnostics: Vec<Diagnostic>,
    /// Names and values of quirks that count more than those of the file.
    quirks: Vec<(String, String)>,
}

/// What became of one game of a rule file.
#[derive(Debug)]
pub struct Compiled {
    /// The game, unless there are errors.
    pub rules: Option<Rules>,
    /// What was found while it was built.
    pub diagnostics: Vec<Diagnostic>,
}

/// No game of a file goes by the name asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// Nothing fits.
    #[error("no game or variant is called `{wanted}`; there are: {}", titles.join("; "))]
    Unknown {
        /// What was asked for.
        wanted: String,
        /// The titles there are.
        titles: Vec<String>,
    },
    /// Several titles contain the text.
    #[error("`{wanted}` fits several: {}", titles.join("; "))]
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// The titles that it fits.
        titles: Vec<String>,
    },
    /// The file has no game at all.
    #[error("the file has no game")]
    Empty,
}

impl RuleFile {
    /// Reads a rule file with everything it includes. Never fails: what is wrong is in [`RuleFile::diagnostics`].
    pub fn read(name: &str, bytes: &[u8], loader: &mut dyn Loader) -> RuleFile {
        let mut sources = SourceMap::new();
        let mut sink = Sink::new();
        let root = sources.add(name, bytes);
        let expander = expand(&mut sources, root, loader, &mut sink);
        RuleFile {
            sources,
            root,
            expander,
            diagnostics: sink.into_vec(),
            quirks: Vec::new(),
        }
    }

    /// Takes a reading of a disputed point for all games compiled from now on, whatever the file says.
    ///
    /// # Errors
    /// When there is no such quirk or value.
    pub fn set_quirk(&mut self, name: &str, value: &str) -> Result<(), QuirkError> {
        Quirks::default().set(name, value)?;
        self.quirks.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Returns the games and variants, in the order of the menu.
    pub fn entries(&self) -> &[Entry] {
        self.expander.entries()
    }

    /// Returns what was found while reading: brackets, macros, includes.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the texts that spans refer to.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Returns the file itself among the texts, the others being included.
    pub fn root(&self) -> SourceId {
        self.root
    }

    /// Gives access to the expansion, to print it.
    pub fn expander_mut(&mut self) -> &mut Expander {
        &mut self.expander
    }

    /// Compiles the game `entry`, an index of [`RuleFile::entries`].
    ///
    /// # Panics
    /// When there is no such entry.
    pub fn compile(&mut self, entry: usize) -> Compiled {
        let mut sink = Sink::new();
        let model = model::build(&mut self.expander, entry, &self.quirks, &mut sink);
        let rules = model.filter(|_| !sink.has_errors()).map(Rules::new);
        Compiled {
            rules,
            diagnostics: sink.into_vec(),
        }
    }

    /// Looks for rules that are doubtful in all games of the file; returns what is found besides what is wrong with them.
    /// With `classic` it names every word beyond the classic language.
    pub fn lint(&mut self, classic: bool) -> Vec<Diagnostic> {
        lint(&mut self.expander, self.root, &self.quirks, classic)
    }

    /// Returns the entry that is chosen when none is asked for.
    ///
    /// # Errors
    /// [`SelectError::Empty`] when the file has no game.
    pub fn default_entry(&self) -> Result<usize, SelectError> {
        let entries = self.entries();
        let marked = entries.iter().position(|entry| entry.is_default);
        marked.or((!entries.is_empty()).then_some(0)).ok_or(SelectError::Empty)
    }

    /// Finds an entry by its number from 1, its title, or a part of its title that no other has; case does not matter.
    ///
    /// # Errors
    /// When none or several fit.
    pub fn find_entry(&self, wanted: &str) -> Result<usize, SelectError> {
        let entries = self.entries();
        let titles = |fits: &dyn Fn(&Entry) -> bool| -> Vec<String> {
            entries
                .iter()
                .filter(|entry| fits(entry))
                .map(|entry| entry.title.clone())
                .collect()
        };
        if let Some(exact) = entries.iter().position(|entry| entry.title == wanted) {
            return Ok(exact);
        }
        let lower = wanted.to_lowercase();
        if let Some(same) = entries.iter().position(|entry| entry.title.to_lowercase() == lower) {
            return Ok(same);
        }
        if let Some(number) = wanted
            .parse::<usize>()
            .ok()
            .filter(|&number| 1 <= number && number <= entries.len())
        {
            return Ok(number - 1);
        }
        let contains = |entry: &Entry| entry.title.to_lowercase().contains(&lower);
        let fitting: Vec<usize> = (0..entries.len()).filter(|&index| contains(&entries[index])).collect();
        match fitting[..] {
            [only] => Ok(only),
            [] => Err(SelectError::Unknown {
                wanted: wanted.to_owned(),
                titles: titles(&|_| true),
            }),
            _ => Err(SelectError::Ambiguous {
                wanted: wanted.to_owned(),
                titles: titles(&contains),
            }),
        }
    }

    /// Turns a fault met while playing `rules` into a diagnostic that names the line.
    pub fn explain_fault(&self, rules: &Rules, fault: Fault) -> Diagnostic {
        let (code, help) = match fault {
            Fault::LoopLimit { .. } => (
                Code::LoopLimit,
                "let something in the loop change what its condition tests",
            ),
            Fault::MoveLimit { .. } => (
                Code::MoveLimit,
                "look for a loop that adds the same moves again and again",
            ),
            Fault::DivisionByZero { .. } => (
                Code::DivisionByZero,
                "test the divisor first, as in `(select (= N 0) 0 (/ M N))`",
            ),
            Fault::NewRound { .. } => (Code::NewRound, "let `new-round` hold instructions that cannot fail"),
            Fault::RandomSetup { .. } => (
                Code::RandomSetup,
                "this is what failed most: ask less, or put fewer pieces on the board",
            ),
            Fault::ChainLimit => (Code::ChainLimit, "let a chain of partial moves come to an end"),
        };
        let mut diagnostic = Diagnostic::error(code, fault.to_string()).help(help);
        if let Some(site) = fault.address().and_then(|address| rules.program.site(address)) {
            let labels = self.expander.origins().labels(site.origin, &self.expander.interner);
            diagnostic = diagnostic.at(site.span).labels(labels);
        }
        diagnostic
    }

    /// Draws a diagnostic of this file without colour.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        render(&self.sources, diagnostic, RenderOptions { color: false })
    }
}

/// Reads and compiles every game and variant of a rule file that includes no other.
///
/// # Errors
/// The diagnostics, drawn as text, if there is an error among them.
pub fn load(name: &str, bytes: &[u8]) -> Result<Vec<Rules>, String> {
    let mut file = RuleFile::read(name, bytes, &mut NoIncludes);
    let mut diagnostics = file.diagnostics().to_vec();
    let mut games = Vec::new();
    for entry in 0..file.entries().len() {
        let compiled = file.compile(entry);
        games.extend(compiled.rules);
        diagnostics.extend(compiled.diagnostics);
    }
    if diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error)
    {
        return Err(diagnostics
            .iter()
            .map(|diagnostic| file.render(diagnostic))
            .collect::<Vec<_>>()
            .join("\n"));
    }
    Ok(games)
}
