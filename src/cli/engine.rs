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
        let evaluation = Evaluation::new(rules).map_err(|error| Failure::wrong(error.to_string()))?;
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
        self.interrupt.stop.store(false, Ordering::Relaxed);
        self.interrupt.is_searching.store(true, Ordering::Relaxed);
        let report = self.searcher.search(&mut self.bridge(session), &limits, tell);
        self.interrupt.is_searching.store(false, Ordering::Relaxed);
        report
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
        let report = self.search(session, limits, &mut |_| {});
        (level.choose(&report, &mut self.random), report)
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

/// What the interrupt key does: it ends a search, and the program where none is running.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    is_searching: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to the key; for one engine of the program.
    pub fn listen() -> Interrupt {
        let interrupt = Interrupt::default();
        let heard = interrupt.clone();
        // Where that cannot be had, the key ends the program as usual.
        let _ = ctrlc::set_handler(move || {
            // A second press means it.
            if !heard.is_searching.load(Ordering::Relaxed) || heard.stop.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        interrupt
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
