//! Opens games: from files, from standard input, and those inside the program.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ludex::bridge::{Evaluation, Weights};
use ludex::builtin::{self, BuiltInLoader};
use ludex::diagnostic::{Code, Diagnostic, RenderOptions, Severity, render};
use ludex::expand::FolderLoader;
use ludex::keyword::nearest_of;
use ludex::load::SelectError;
use ludex::play::notation::{MoveError, Notation, split_moves};
use ludex::play::position::read_session;
use ludex::source::{SourceMap, Span};
use ludex::syntax::MAX_LENGTH;
use ludex::{Fault, MoveList, RuleFile, Rules, Session};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::failure::{Exit, Failure, Result};
use super::options::{GameOptions, PositionOptions, QuirkOptions, SeedOption};
use super::output::remark;

/// The ending of rule files.
const EXTENSION: &str = "zrf";
/// The ending of files with weights.
const WEIGHTS_EXTENSION: &str = "weights";

/// A game that has been compiled.
#[derive(Debug)]
pub struct Opened {
    /// The file it is in.
    pub file: RuleFile,
    /// What the file is called: a path, or the name of a built-in file.
    pub name: String,
    /// The number of the game in the file.
    pub entry: usize,
    /// The game.
    pub rules: Arc<Rules>,
}

impl GameOptions {
    /// Opens the game; what is wrong with its rules is told.
    pub fn open(&self) -> Result<Opened> {
        let (name, mut file) = read_rules(&self.game, &self.include.folders)?;
        self.quirks.apply(&mut file)?;
        let entry = self.choose(&file)?;
        let compiled = file.compile(entry);
        let diagnostics: Vec<Diagnostic> = file
            .diagnostics()
            .iter()
            .chain(&compiled.diagnostics)
            .cloned()
            .collect();
        match compiled.rules.filter(|_| !has_errors(&diagnostics)) {
            Some(rules) => Ok(Opened {
                file,
                name,
                entry,
                rules: Arc::new(rules),
            }),
            None => Err(faulty_rules(&file, &diagnostics)),
        }
    }

    /// Opens the game, which must have its moves in its rules.
    pub fn open_playable(&self) -> Result<Opened> {
        let opened = self.open()?;
        match &opened.rules.model.plugin {
            Some(plugin) => Err(Failure::wrong(format!(
                "the moves of `{}` are in the plug-in {plugin}, which Ludex does not run",
                opened.rules.model.title
            ))),
            None => Ok(opened),
        }
    }

    /// Returns the number of the game in its file.
    pub fn choose(&self, file: &RuleFile) -> Result<usize> {
        let chosen = match &self.variant {
            Some(wanted) => file.find_entry(wanted),
            None => file.default_entry(),
        };
        chosen.map_err(|error| match error {
            SelectError::Empty => faulty_rules(file, file.diagnostics()),
            SelectError::Unknown { .. } | SelectError::Ambiguous { .. } => Failure::usage(error.to_string()),
        })
    }
}

impl QuirkOptions {
    /// Takes the readings for all games of a file.
    pub fn apply(&self, file: &mut RuleFile) -> Result<()> {
        for quirk in &self.quirks {
            let (name, value) = quirk.split_once('=').ok_or_else(|| {
                Failure::usage(format!(
                    "`{quirk}` is no quirk with a value; write `--quirk NAME=VALUE`"
                ))
            })?;
            file.set_quirk(name.trim(), value.trim())
                .map_err(|error| Failure::usage(error.to_string()))?;
        }
        Ok(())
    }
}

impl Opened {
    /// Begins a game where the options say. Where chance sets up the board the seed decides; one that was not given is
    /// told.
    pub fn session(&self, options: &PositionOptions, seed: SeedOption) -> Result<Session> {
        let mut session = match (&options.position, &options.position_file) {
            (Some(text), _) => self.session_at("--position", text)?,
            (None, Some(path)) => {
                let name = path.display().to_string();
                let bytes = read_file(path)?;
                let mut sources = SourceMap::new();
                let source = sources.add(name.as_str(), &bytes);
                self.session_at(&name, sources.text(source))?
            }
            (None, None) if self.has_random_setup() => {
                let number = seed.get();
                if seed.seed.is_none() {
                    remark(&format!("seed {number}"));
                }
                self.drawn_session(number)
            }
            (None, None) => Session::new(Arc::clone(&self.rules)),
        };
        if let Some(moves) = &options.play {
            self.play(&mut session, "--play", moves)?;
        }
        Ok(session)
    }

    /// Tells whether chance sets up the board.
    pub fn has_random_setup(&self) -> bool {
        let setup = &self.rules.model.extensions.random_setup;
        setup.as_ref().is_some_and(|setup| !setup.items.is_empty())
    }

    /// Begins a game at the start that a seed gives.
    fn drawn_session(&self, seed: u64) -> Session {
        Session::with_chance(Arc::clone(&self.rules), &mut ChaCha8Rng::seed_from_u64(seed))
    }

    fn session_at(&self, name: &str, text: &str) -> Result<Session> {
        read_session(Arc::clone(&self.rules), name, text)
            .map_err(|errors| Failure::Drawn(Exit::Wrong, errors.render(COLORED)))
    }

    /// Makes the moves of a text, which is called `name` where it is wrong.
    fn play(&self, session: &mut Session, name: &str, text: &str) -> Result<()> {
        let notation = Notation::new(&self.rules);
        let mut list = MoveList::new();
        for written in split_moves(text) {
            let outcome = session.legal_moves(&mut list).map_err(|fault| self.fault(fault))?;
            let index = notation.find_move(session.state(), &list, written).map_err(|error| {
                let ended = outcome.map(|outcome| outcome.describe(&self.rules));
                // The move is a piece of the text, so its place is the distance between them.
                let offset = written.as_ptr() as usize - text.as_ptr() as usize;
                wrong_move(name, text, offset, written, &error, ended)
            })?;
            session.make(&list, index).map_err(|fault| self.fault(fault))?;
        }
        Ok(())
    }

    /// Derives the evaluation of the game from its rules and the weights that are beside them, if any.
    pub fn evaluation(&self) -> Result<Evaluation> {
        self.evaluation_with(&self.weights()?)
    }

    /// Derives the evaluation of the game from its rules and some weights.
    pub fn evaluation_with(&self, weights: &Weights) -> Result<Evaluation> {
        Evaluation::with_weights(&self.rules, weights).map_err(|error| Failure::wrong(error.to_string()))
    }

    /// Returns the weights that are beside the rules.
    pub fn weights(&self) -> Result<Weights> {
        let title = &self.rules.model.title;
        let path = self.weights_path();
        let read = |text: &str| Weights::read(text, title).map(Option::unwrap_or_default);
        match (&path, builtin::weights(&self.name_of_built_in())) {
            (Some(path), _) if path.exists() => read_weights(path, title),
            (None, Some(text)) => read(text).map_err(|error| Failure::wrong(error.to_string())),
            _ => Ok(Weights::default()),
        }
    }

    /// Returns where the weights of the game are, or would be; nothing for a built-in game and for standard input.
    pub fn weights_path(&self) -> Option<PathBuf> {
        let path = Path::new(&self.name);
        path.exists().then(|| path.with_extension(WEIGHTS_EXTENSION))
    }

    /// Returns the name of the built-in game that this is, if it is one.
    pub fn name_of_built_in(&self) -> String {
        let stem = Path::new(&self.name).file_stem().and_then(|stem| stem.to_str());
        stem.unwrap_or("").to_owned()
    }

    /// Tells a fault of the rules, with the line at fault.
    pub fn fault(&self, fault: Fault) -> Failure {
        Failure::Drawn(
            Exit::Limit,
            draw(&self.file, &self.file.explain_fault(&self.rules, fault)),
        )
    }
}

/// Reads the weights of a game from a file.
pub fn read_weights(path: &Path, title: &str) -> Result<Weights> {
    let bytes = read_file(path)?;
    let read = Weights::read(&String::from_utf8_lossy(&bytes), title);
    read.map(Option::unwrap_or_default)
        .map_err(|error| Failure::wrong(format!("`{}`, {error}", path.display())))
}

/// Reads rules from a path, from standard input, or from inside the program.
pub fn read_rules(game: &str, include: &[PathBuf]) -> Result<(String, RuleFile)> {
    let mut loader = FolderLoader::new(include.to_vec());
    if game == "-" {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(MAX_LENGTH as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|error| Failure::file(format!("standard input cannot be read: {error}")))?;
        return Ok(("-".to_owned(), RuleFile::read("standard input", &bytes, &mut loader)));
    }
    let path = Path::new(game);
    if path.is_dir() {
        return Err(Failure::file(format!(
            "`{game}` is a folder where a rule file was expected"
        )));
    }
    if path.exists() {
        return Ok((game.to_owned(), RuleFile::read(game, &read_file(path)?, &mut loader)));
    }
    match builtin::find(game) {
        Some(built_in) => Ok((
            built_in.file.to_owned(),
            RuleFile::read(built_in.file, built_in.bytes, &mut BuiltInLoader),
        )),
        None => {
            let games = builtin::games();
            let near = nearest_of(game, games.iter().map(|game| game.name));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`ludex games` lists the built-in games".to_owned(),
            };
            Err(Failure::file(format!(
                "there is no file and no built-in game `{game}`; {help}"
            )))
        }
    }
}

/// Reads a file, though not much more of it than the reader of rules accepts.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_LENGTH as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| Failure::file(format!("`{}` cannot be read: {error}", path.display())))?;
    Ok(bytes)
}

/// Returns the rule files that an argument names: itself, or all in the folder and those within it, sorted.
pub fn rule_files(argument: &str) -> Result<Vec<String>> {
    let path = Path::new(argument);
    if !path.is_dir() {
        return Ok(vec![argument.to_owned()]);
    }
    let mut files = Vec::new();
    collect(path, &mut files)?;
    files.sort();
    if files.is_empty() {
        return Err(Failure::file(format!("there is no rule file in `{argument}`")));
    }
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<String>) -> Result<()> {
    let unreadable =
        |error: io::Error| Failure::file(format!("the folder `{}` cannot be read: {error}", folder.display()));
    for entry in folder.read_dir().map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        // Links are followed to files only, so that no circle of folders is walked.
        if entry.file_type().is_ok_and(|file_type| file_type.is_dir()) {
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|found| found.eq_ignore_ascii_case(EXTENSION))
        {
            files.push(path.display().to_string());
        }
    }
    Ok(())
}

/// Drawn with colours, which the output drops where they are not wanted.
const COLORED: RenderOptions = RenderOptions { color: true };

/// Draws a diagnostic about a rule file.
pub fn draw(file: &RuleFile, diagnostic: &Diagnostic) -> String {
    render(file.sources(), diagnostic, COLORED)
}

/// Tells whether there is an error among diagnostics.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// Returns the exit code for rules with errors: limits of size have their own.
pub fn exit_of(diagnostics: &[Diagnostic]) -> Exit {
    let is_limit = |code| matches!(code, Code::TooLarge | Code::ExpansionTooLarge | Code::TooMany);
    let mut errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error);
    if errors.any(|error| is_limit(error.code)) {
        Exit::Limit
    } else {
        Exit::Wrong
    }
}

/// Tells the errors of a file.
fn faulty_rules(file: &RuleFile, diagnostics: &[Diagnostic]) -> Failure {
    let errors = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error);
    let drawn: Vec<String> = errors.map(|error| draw(file, error)).collect();
    if drawn.is_empty() {
        return Failure::wrong("the file has no game");
    }
    remark(&drawn.join("\n\n"));
    Failure::Told(exit_of(diagnostics))
}

/// Draws what is wrong with a move that stands at `offset` of a text.
fn wrong_move(
    name: &str,
    text: &str,
    offset: usize,
    written: &str,
    error: &MoveError,
    ended: Option<String>,
) -> Failure {
    let mut sources = SourceMap::new();
    let source = sources.add(name, text.as_bytes());
    let span = Span::new(source, offset as u32, (offset + written.len()) as u32);
    Failure::Drawn(
        Exit::Wrong,
        render(&sources, &move_diagnostic(error, ended).at(span), COLORED),
    )
}

/// Returns what is wrong with a move, with the nearest moves as help.
pub fn move_diagnostic(error: &MoveError, ended: Option<String>) -> Diagnostic {
    let (message, help) = match (error, ended) {
        (MoveError::Unknown { text, .. }, Some(ended)) => (
            format!("`{text}` cannot be played, for the game is over: {ended}"),
            None,
        ),
        (MoveError::Unknown { text, suggestions }, None) => {
            let help = (!suggestions.is_empty()).then(|| format!("near it are: {}", suggestions.join("; ")));
            (format!("`{text}` is no legal move"), help)
        }
        (MoveError::Ambiguous { .. }, _) => (error.to_string(), Some("write the move in full".to_owned())),
    };
    let diagnostic = Diagnostic::error(error.code(), message);
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}
