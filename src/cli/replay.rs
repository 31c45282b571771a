//! `ludex replay`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use ludex::builtin;
use ludex::play::notation::{Notation, PASS};
use ludex::{MoveList, Session};
use serde::Serialize;

use super::failure::{Exit, Failure, Result};
use super::game::{Opened, read_file};
use super::options::{GameOptions, IncludeOptions, JsonOption, QuirkOptions};
use super::output;
use super::saved::{Saved, SavedMove};

/// Play a saved game through, checking that each move is legal.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex replay game.zsg --rules rules/")]
pub struct Command {
    /// The saved game, by Zillions of Games or by `ludex play`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// A folder with the rule file, or the rule file itself
    #[arg(long, value_name = "DIR")]
    rules: Option<PathBuf>,
    /// The game or variant, instead of the one that the saved game names
    #[arg(long, value_name = "NAME|NUMBER")]
    variant: Option<String>,
    /// Go on where the game was played by other rules: a chain that ends early, a pass that is not allowed
    #[arg(long)]
    tolerant: bool,
    #[command(flatten)]
    include: IncludeOptions,
    #[command(flatten)]
    quirks: QuirkOptions,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Replayed {
    file: String,
    rules: String,
    variant: String,
    plies: usize,
    ok: bool,
    /// The line of the saved game at which it fails.
    failed_at: Option<usize>,
    message: Option<String>,
    /// What `--tolerant` let pass.
    tolerated: Vec<Tolerated>,
}

/// A line of a saved game that the rules do not allow.
#[derive(Debug, Serialize)]
struct Tolerated {
    line: usize,
    message: String,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let name = self.file.display().to_string();
        let saved = Saved::read(&read_file(&self.file)?).map_err(|error| Failure::wrong(format!("{name}: {error}")))?;
        let game = find_rules(&saved.rules_file, &self.file, self.rules.as_deref())?;
        let wanted = self.variant.clone().unwrap_or_else(|| saved.variant.clone());
        let variant = Some(wanted).filter(|title| !title.is_empty());
        let opened = GameOptions {
            game,
            variant,
            include: self.include.clone(),
            quirks: self.quirks.clone(),
        }
        .open_playable()?;
        let mut session = begin(&opened, &saved).map_err(|error| Failure::wrong(format!("{name}: {error}")))?;
        let mut replayed = Replayed {
            file: name,
            rules: opened.name.clone(),
            variant: opened.rules.model.title.clone(),
            plies: 0,
            ok: true,
            failed_at: None,
            message: None,
            tolerated: Vec::new(),
        };
        for saved_move in &saved.moves {
            match make(&opened, &mut session, saved_move)? {
                Ok(()) => replayed.plies += 1,
                Err(_) if self.tolerant && make_tolerantly(&opened, &mut session, saved_move, &mut replayed)? => {
                    replayed.plies += 1;
                }
                Err(message) => {
                    replayed.ok = false;
                    replayed.failed_at = Some(saved_move.line);
                    replayed.message = Some(message);
                    break;
                }
            }
        }
        if replayed.ok {
            let outcome = session
                .legal_moves(&mut MoveList::new())
                .map_err(|fault| opened.fault(fault))?;
            replayed.message = outcome.map(|outcome| outcome.describe(&opened.rules));
        }
        if self.json.json {
            output::json(&replayed)?;
        } else {
            replayed.write(saved.moves.len())?;
        }
        if replayed.ok {
            Ok(())
        } else {
            Err(Failure::Told(Exit::Wrong))
        }
    }
}

impl Replayed {
    fn write(&self, n_moves: usize) -> Result<()> {
        let mut out = output::stdout();
        let Replayed {
            file,
            rules,
            variant,
            plies,
            message,
            ..
        } = self;
        for Tolerated { line, message } in &self.tolerated {
            writeln!(out, "{file}:{line}: {message}")?;
        }
        match (self.failed_at, message) {
            (Some(line), message) => {
                let message = message.as_deref().unwrap_or("");
                writeln!(out, "{file}: {plies} of {n_moves} plies of {variant} ({rules})")?;
                writeln!(out, "{file}:{line}: {message}")?;
            }
            (None, Some(message)) => writeln!(out, "{file}: ok, {plies} plies of {variant} ({rules}); {message}")?,
            (None, None) => writeln!(out, "{file}: ok, {plies} plies of {variant} ({rules})")?,
        }
        Ok(())
    }
}

/// Makes a move that the rules do not allow, if they would allow it after the open chain ended, or if it is a pass.
/// Returns false if neither is so; nothing has changed then.
fn make_tolerantly(opened: &Opened, session: &mut Session, saved: &SavedMove, replayed: &mut Replayed) -> Result<bool> {
    let mut pass = MoveList::new();
    pass.push_pass();
    let is_pass = saved.text.eq_ignore_ascii_case(PASS);
    if !is_pass && session.state().chain().is_none() {
        return Ok(false);
    }
    session.make(&pass, 0).map_err(|fault| opened.fault(fault))?;
    let message = if is_pass {
        "a pass, which the rules do not allow"
    } else if make(opened, session, saved)?.is_ok() {
        "the chain before this line ends although it could go on"
    } else {
        session.unmake();
        return Ok(false);
    };
    replayed.tolerated.push(Tolerated {
        line: saved.line,
        message: message.to_owned(),
    });
    Ok(true)
}

/// Begins a saved game.
pub fn begin(opened: &Opened, saved: &Saved) -> std::result::Result<Session, super::saved::SavedError> {
    let state = saved.start(&opened.rules)?;
    Ok(Session::from_state(Arc::clone(&opened.rules), state))
}

/// Makes a move of a saved game; the inner error tells why it is none.
pub fn make(opened: &Opened, session: &mut Session, saved: &SavedMove) -> Result<std::result::Result<(), String>> {
    let mut list = MoveList::new();
    let outcome = session.legal_moves(&mut list).map_err(|fault| opened.fault(fault))?;
    if let Some(outcome) = outcome {
        let ended = outcome.describe(&opened.rules);
        return Ok(Err(format!(
            "`{}` comes after the end of the game: {ended}",
            saved.text
        )));
    }
    match Notation::new(&opened.rules).find_move(session.state(), &list, &saved.text) {
        Ok(index) => {
            session.make(&list, index).map_err(|fault| opened.fault(fault))?;
            Ok(Ok(()))
        }
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// Finds the rule file that a saved game names, which was often saved on another machine.
pub fn find_rules(named: &str, saved: &Path, rules: Option<&Path>) -> Result<String> {
    if let Some(path) = rules.filter(|path| !path.is_dir()) {
        return Ok(path.display().to_string());
    }
    let file = named.rsplit(['/', '\\']).next().unwrap_or(named);
    let own_folder = saved.parent().unwrap_or(Path::new(""));
    let places = [
        rules.map(|folder| folder.join(file)),
        Some(own_folder.join(file)),
        Some(PathBuf::from(named)),
    ];
    if let Some(found) = places.into_iter().flatten().find_map(|path| existing(&path)) {
        return Ok(found.display().to_string());
    }
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    match builtin::find(stem) {
        Some(game) => Ok(game.name.to_owned()),
        None => Err(Failure::file(format!(
            "the rule file `{named}` of the saved game was not found; `--rules` names its folder"
        ))),
    }
}

/// Returns the file at a path, whatever the case of its name.
fn existing(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_path_buf());
    }
    let wanted = path.file_name()?.to_str()?.to_lowercase();
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let entries = folder
        .read_dir()
        .ok()?
        .filter_map(std::result::Result::ok)
        .map(|entry| entry.path());
    entries
        .filter(|entry| {
            entry
                .file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| name.to_lowercase() == wanted)
        })
        .find(|entry| entry.is_file())
}
