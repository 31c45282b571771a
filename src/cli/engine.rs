//! The engine as commands use it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludex::bridge::{Bridge, Evaluation};
use ludex::play::notation::Notation;
use ludex::search::{Level, Limits, Options, Report, Searcher, Step, plies_to_end};
use ludex::{Fault, Rules, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::failure::{Failure, Result};

/// Chooses moves; keeps what it has learnt between them.
#[derive(Debug)]
pub struct Engine {
    searcher: Searcher<Bridge>,
    evaluation: Arc<Evaluation>,
    random: ChaCha8Rng,
    interrupt: Interrupt,
}

impl Engine {
    /// Makes an engine for a game. `interrupt` ends a search at once, which keeps its best move.
    pub fn new(rules: &Rules, options: Options, interrupt: Interrupt) -> Result<Engine> {
        let evaluation = evaluation(rules)?;
        let random = ChaCha8Rng::seed_from_u64(options.seed);
        Ok(Engine {
            searcher: Searcher::new(options),
            evaluation: Arc::new(evaluation),
            random,
            interrupt,
        })
    }

    /// Searches from where `session` stands and calls `tell` with each line that is found.
    pub fn search(
        &mut self,
        session: &Session,
        mut limits: Limits,
        tell: &mut dyn FnMut(&ludex::search::Line),
    ) -> Report<Fault> {
        limits.stop = Some(Arc::clone(&self.interrupt.stop));
        self.interrupt.begin_search();
        let report = self.searcher.search(&mut self.bridge(session), &limits, tell);
        self.interrupt.end_search();
        report
    }

    /// Begins a new game: nothing that was learnt or drawn before matters any more. Engines of one seed draw differently
    /// for each number of a `stream`.
    pub fn begin_game(&mut self, stream: u64) {
        self.searcher.forget();
        self.random.set_stream(stream);
        self.random.set_word_pos(0);
    }

    /// Chooses a move as a player of some level would; `time` replaces the time of the level.
    pub fn choose(
        &mut self,
        session: &Session,
        level: Level,
        time: Option<Duration>,
    ) -> (Option<usize>, Report<Fault>) {
        let mut limits = level.limits();
        limits.time = time.or(limits.time);
        self.choose_within(session, Some(level), limits)
    }

    /// Chooses a move within some limits, as loosely as a level does, or the best one without a level.
    pub fn choose_within(
        &mut self,
        session: &Session,
        level: Option<Level>,
        limits: Limits,
    ) -> (Option<usize>, Report<Fault>) {
        let report = self.search(session, limits, &mut |_| {});
        let choice = match level {
            Some(level) => level.choose(&report, &mut self.random),
            None => report.best,
        };
        (choice, report)
    }

    /// Writes a line that a search from `session` found.
    pub fn write_line(&self, session: &Session, line: &[Step], short: bool) -> Vec<String> {
        let notation = Notation::new(session.rules());
        self.bridge(session).write_line(line, |session, list, index| {
            if short {
                notation.short_text(session.state(), list, index)
            } else {
                notation.unique_texts(session.state(), list).swap_remove(index)
            }
        })
    }

    fn bridge(&self, session: &Session) -> Bridge {
        Bridge::with(session.clone(), Arc::clone(&self.evaluation))
    }
}

/// Derives the evaluation of a game.
pub fn evaluation(rules: &Rules) -> Result<Evaluation> {
    Evaluation::new(rules).map_err(|error| Failure::wrong(error.to_string()))
}

/// What the interrupt key ends: work that keeps what it has so far, and the program where none is going on.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    is_working: Arc<AtomicBool>,
    extent: Extent,
}

/// What counts as work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Extent {
    /// One search after the other, each for itself.
    #[default]
    Search,
    /// Everything that the command does.
    Command,
}

impl Interrupt {
    /// Listens to the key, which ends a search; for one engine of the program.
    pub fn listen() -> Interrupt {
        Interrupt::default().heard()
    }

    /// Listens to the key, which ends all that the command does, with the search that is running.
    pub fn listen_throughout() -> Interrupt {
        let interrupt = Interrupt {
            extent: Extent::Command,
            ..Interrupt::default()
        };
        interrupt.is_working.store(true, Ordering::Relaxed);
        interrupt.heard()
    }

    /// Tells whether the work is to end.
    pub fn is_pressed(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the flag that the key raises.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    fn heard(self) -> Interrupt {
        let heard = self.clone();
        // Where that cannot be had, the key ends the program as usual.
        let _ = ctrlc::set_handler(move || {
            // A second press means it.
            if !heard.is_working.load(Ordering::Relaxed) || heard.stop.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        self
    }

    fn begin_search(&self) {
        if self.extent == Extent::Search {
            self.stop.store(false, Ordering::Relaxed);
            self.is_working.store(true, Ordering::Relaxed);
        }
    }

    fn end_search(&self) {
        if self.extent == Extent::Search {
            self.is_working.store(false, Ordering::Relaxed);
        }
    }
}

/// Writes a score for people: in pieces, or how soon the game is decided.
pub fn score_text(score: i32) -> String {
    match plies_to_end(score) {
        Some(plies) if score > 0 => format!("win in {plies}"),
        Some(plies) => format!("loss in {plies}"),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}
