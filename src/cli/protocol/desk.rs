//! What both protocols work on: a game, settings, and a search that may be running.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ludex::bridge::Evaluation;
use ludex::play::notation::Notation;
use ludex::play::position::read_position;
use ludex::search::{Level, Limits, Line, Options, Report, Step};
use ludex::state::Effect;
use ludex::{Fault, MoveList, Rules, Session};

use super::super::engine::{self, Engine, EngineName, Interrupt, Setup};
use super::super::failure::Result;
use super::super::game::Opened;
use super::super::options::{GameOptions, IncludeOptions, QuirkOptions};

/// What can be set.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub hash: usize,
    pub threads: usize,
    pub multipv: usize,
    pub level: Option<Level>,
    pub engine: EngineName,
    /// What is kept of each time for whatever lies between the engine and the clock.
    pub overhead: Duration,
}

/// A game and whoever thinks about it.
pub struct Desk {
    include: IncludeOptions,
    quirks: QuirkOptions,
    /// The rule file.
    pub file: String,
    pub opened: Opened,
    pub session: Session,
    pub settings: Settings,
    evaluation: Arc<Evaluation>,
    /// The engine, unless it is thinking or has to be made anew.
    engine: Option<Engine>,
    running: Option<Running>,
    stop: Arc<AtomicBool>,
}

struct Running {
    thread: JoinHandle<Engine>,
    /// Raised as soon as the search may end by itself.
    may_end: Arc<AtomicBool>,
    is_pondering: bool,
}

/// What a search is to do.
pub struct Task {
    pub limits: Limits,
    pub end: End,
    /// Whether nothing may be left out because it does not look promising.
    pub is_exact: bool,
}

/// When a search may end without being stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At its limits.
    ByItself,
    /// When it is told that the move it ponders on has been made, and has reached its limits.
    AfterPondering,
    /// Never.
    WhenStopped,
}

/// What a search tells while and when it is done.
pub trait Listener: Send + 'static {
    /// A line was found.
    fn line(&mut self, position: &Position, line: &Line);
    /// The search has ended with a choice, if there was one.
    fn done(&mut self, position: &Position, report: &Report<Fault>, choice: Option<usize>);
}

/// The position that is thought about.
pub struct Position {
    pub session: Session,
    evaluation: Arc<Evaluation>,
}

impl Position {
    /// Writes the moves of a line as UCI does.
    pub fn uci_line(&self, line: &[Step]) -> Vec<String> {
        let mut bridge = ludex::bridge::Bridge::with(self.session.clone(), Arc::clone(&self.evaluation));
        bridge.write_line(line, |session, list, index| {
            uci_texts(session.rules(), list).swap_remove(index)
        })
    }

    /// Writes the moves of a line in full.
    pub fn full_line(&self, line: &[Step]) -> Vec<String> {
        engine::write_line(&self.evaluation, &self.session, line, false)
    }

    /// Returns the legal moves.
    pub fn moves(&self) -> MoveList {
        let mut list = MoveList::new();
        // A fault has been reported by the search.
        let _ = self.session.clone().legal_moves(&mut list);
        list
    }
}

impl Desk {
    pub fn new(game: &str, variant: Option<&str>, include: IncludeOptions, quirks: QuirkOptions) -> Result<Desk> {
        let opened = open(game, variant, &include, &quirks)?;
        let evaluation = Arc::new(opened.evaluation()?);
        Ok(Desk {
            session: Session::new(Arc::clone(&opened.rules)),
            evaluation,
            file: game.to_owned(),
            opened,
            include,
            quirks,
            settings: Settings {
                hash: 64,
                threads: 1,
                multipv: 1,
                level: None,
                engine: EngineName::Auto,
                overhead: Duration::from_millis(20),
            },
            engine: None,
            running: None,
            stop: Arc::new(AtomicBool::new(false)),
        })
    }

    /// Takes another game or variant.
    pub fn open(&mut self, game: &str, variant: Option<&str>) -> Result<()> {
        self.stop();
        let opened = open(game, variant, &self.include, &self.quirks)?;
        self.evaluation = Arc::new(opened.evaluation()?);
        self.session = Session::new(Arc::clone(&opened.rules));
        self.file = game.to_owned();
        self.opened = opened;
        self.engine = None;
        Ok(())
    }

    /// Begins at a position, or at the start.
    pub fn set_position(&mut self, text: Option<&str>) -> std::result::Result<(), String> {
        self.stop();
        let rules = &self.opened.rules;
        self.session = match text {
            Some(text) => {
                let state = read_position(rules, "position", text).map_err(|errors| errors.to_string())?;
                Session::from_state(Arc::clone(rules), state)
            }
            None => Session::new(Arc::clone(rules)),
        };
        Ok(())
    }

    /// Makes a move, written as UCI or people do.
    pub fn make(&mut self, text: &str) -> std::result::Result<(), String> {
        self.stop();
        let rules = Arc::clone(&self.opened.rules);
        let mut list = MoveList::new();
        let listed = self.session.legal_moves(&mut list);
        listed.map_err(|fault| fault.to_string())?;
        let known = uci_texts(&rules, &list);
        let found = known.iter().position(|known| known.eq_ignore_ascii_case(text));
        let index = match found {
            Some(index) => index,
            None => (Notation::new(&rules).find_move(self.session.state(), &list, text))
                .map_err(|error| error.to_string())?,
        };
        self.session.make(&list, index).map_err(|fault| fault.to_string())
    }

    /// Begins a new game: what was learnt is forgotten.
    pub fn begin_game(&mut self) {
        self.stop();
        self.engine = None;
        self.session = Session::new(Arc::clone(&self.opened.rules));
    }

    /// Changes a setting; the engine is made anew.
    pub fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        self.stop();
        change(&mut self.settings);
        self.engine = None;
    }

    /// Ends the search, if one is running, and waits until it has told its choice.
    pub fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(running) = self.running.take() {
            self.engine = running.thread.join().ok();
        }
    }

    /// The move that the search ponders on has been made.
    pub fn end_pondering(&mut self) {
        if let Some(running) = self.running.as_ref().filter(|running| running.is_pondering) {
            running.may_end.store(true, Ordering::Relaxed);
        }
    }

    /// Makes ready what the next search needs, so that it does not cost time of the clock.
    pub fn prepare(&mut self) {
        if self.running.is_none() {
            // A fault is told by the search.
            let _ = self.session.legal_moves(&mut MoveList::new());
            let engine = self.take_engine(false);
            self.engine = Some(engine);
        }
    }

    /// Returns the engine that there is, if it is as exact as asked for, or a new one.
    fn take_engine(&mut self, is_exact: bool) -> Engine {
        let Settings {
            hash,
            threads,
            multipv,
            level,
            engine,
            ..
        } = self.settings;
        let usable = self.engine.take().filter(|engine| engine.is_exact() == is_exact);
        usable.unwrap_or_else(|| {
            let setup = Setup {
                engine,
                options: Options {
                    table_megabytes: hash,
                    threads,
                    multipv: level.map_or(1, Level::multipv).max(multipv),
                    is_exact,
                    ..Options::default()
                },
                playout: None,
            };
            let interrupt = Interrupt::by_flag(Arc::clone(&self.stop));
            Engine::with_evaluation(Arc::clone(&self.evaluation), setup, interrupt)
        })
    }

    /// Begins to search in a thread of its own. Where it may not end yet, it waits at its limits.
    pub fn go(&mut self, task: Task, mut listener: impl Listener) {
        let Task {
            mut limits,
            end,
            is_exact,
        } = task;
        let begin = Instant::now();
        self.stop();
        self.stop.store(false, Ordering::Relaxed);
        let level = self.settings.level;
        let mut engine = self.take_engine(is_exact);
        let position = Position {
            session: self.session.clone(),
            evaluation: Arc::clone(&self.evaluation),
        };
        let stop = Arc::clone(&self.stop);
        let may_end = Arc::new(AtomicBool::new(end == End::ByItself));
        let watched = Arc::clone(&may_end);
        let thread = std::thread::spawn(move || {
            let session = position.session.clone();
            // The clock runs since the search was asked for.
            limits.time = limits.time.map(|time| time.saturating_sub(begin.elapsed()));
            let report = engine.search(&session, limits, &mut |line| listener.line(&position, line));
            while !watched.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
            }
            let choice = engine.choice(level, &report);
            listener.done(&position, &report, choice);
            engine
        });
        self.running = Some(Running {
            thread,
            may_end,
            is_pondering: end == End::AfterPondering,
        });
    }
}

fn open(game: &str, variant: Option<&str>, include: &IncludeOptions, quirks: &QuirkOptions) -> Result<Opened> {
    let options = GameOptions {
        game: game.to_owned(),
        variant: variant.map(str::to_owned),
        include: include.clone(),
        quirks: quirks.clone(),
    };
    options.open_playable()
}

/// Writes a line at once.
pub fn write_line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Writes moves as UCI does, each differently: `e2e4`, `e7e8q`, `P@e5` for a drop, `0000` for a pass. Where that does not tell
/// moves apart, the captures are added, as in `a3c3xb3`, and a number as the last resort.
pub fn uci_texts(rules: &Rules, list: &MoveList) -> Vec<String> {
    let name = |cell| rules.model.board.name(cell);
    let letter = |kind: ludex::model::PieceKindId| {
        let kind = &rules.model.kinds[kind.index()];
        let word = kind
            .notation
            .as_deref()
            .filter(|word| !word.is_empty())
            .unwrap_or(&kind.name);
        word.chars().next().unwrap_or('?')
    };
    let mut texts: Vec<String> = Vec::with_capacity(list.len());
    for entry in list.iter() {
        let effects = list.effects(entry);
        let mut text = match (entry.from.is_some(), entry.to.is_some()) {
            (true, true) => format!("{}{}", name(entry.from), name(entry.to)),
            (false, true) => {
                let dropped = effects.iter().find_map(|effect| match *effect {
                    Effect::Drop { piece, .. } | Effect::Copy { piece, .. } | Effect::Create { piece, .. } => {
                        Some(piece)
                    }
                    _ => None,
                });
                let letter = dropped.map(|piece| letter(rules.kind(piece)).to_ascii_uppercase());
                format!("{}@{}", letter.unwrap_or('?'), name(entry.to))
            }
            _ => "0000".to_owned(),
        };
        for effect in effects {
            if let Effect::Promote { at, kind } | Effect::ChangeKind { at, kind } = *effect
                && at == entry.to
            {
                text.push(letter(kind).to_ascii_lowercase());
            }
        }
        texts.push(text);
    }
    let is_double = |texts: &[String], text: &str| texts.iter().filter(|other| other.as_str() == text).count() > 1;
    let short = texts.clone();
    for (index, entry) in list.iter().enumerate() {
        if is_double(&short, &short[index]) {
            for effect in list.effects(entry) {
                if let Effect::Capture { at } = *effect {
                    texts[index].push('x');
                    texts[index].push_str(name(at));
                }
            }
        }
    }
    let longer = texts.clone();
    for index in 0..longer.len() {
        let before = longer[..index].iter().filter(|other| **other == longer[index]).count();
        if before > 0 {
            texts[index].push_str(&format!("#{}", before + 1));
        }
    }
    texts
}
