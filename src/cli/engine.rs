//! The engine as commands use it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::ValueEnum;
use ludex::bridge::{Bridge, Evaluation};
use ludex::play::notation::Notation;
use ludex::play::playout::below;
use ludex::search::{Level, Limits, Mcts, MctsOptions, Options, Report, Searcher, Step, plies_to_end, search_max_n};
use ludex::{Fault, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::failure::Result;
use super::game::Opened;

/// How much larger than a table a tree of simulations may be.
const TREE_SHARE: usize = 8;

/// The engines there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The one that suits the game, by what its rules or its weights say
    #[default]
    Auto,
    /// Iterative deepening with alpha-beta search
    Alphabeta,
    /// Monte-Carlo tree search
    Mcts,
    /// Each player out for itself, for three and more
    Maxn,
}

/// How an engine is set up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup {
    pub engine: EngineName,
    /// Table, lines, threads and seed.
    pub options: Options,
    /// How simulations go on, if that is not left to the evaluation.
    pub playout: Option<Playout>,
}

/// How simulations go on beyond the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playout {
    /// The evaluation judges after so many plies.
    Cut(u32),
    /// To the end of the game, with wins that are seen.
    End,
    /// To the end of the game, every move being equally likely.
    Random,
}

/// Chooses moves; keeps what it has learnt between them.
#[derive(Debug)]
pub struct Engine {
    mind: Mind,
    evaluation: Arc<Evaluation>,
    random: ChaCha8Rng,
    interrupt: Interrupt,
    is_exact: bool,
}

/// How it decides.
#[derive(Debug)]
enum Mind {
    Alphabeta(Searcher<Bridge>),
    Mcts(Box<Mcts<Bridge>>),
    Maxn,
}

impl Engine {
    /// Makes an engine for a game. `interrupt` ends a search at once, which keeps its best move.
    pub fn new(opened: &Opened, setup: Setup, interrupt: Interrupt) -> Result<Engine> {
        Ok(Engine::with_evaluation(opened.evaluation()?, setup, interrupt))
    }

    /// Makes an engine with an evaluation made elsewhere.
    pub fn with_evaluation(evaluation: impl Into<Arc<Evaluation>>, setup: Setup, interrupt: Interrupt) -> Engine {
        let evaluation = evaluation.into();
        let options = setup.options;
        let usual = MctsOptions::default();
        let mind = match (setup.engine, evaluation.prefers_simulations()) {
            (EngineName::Alphabeta, _) | (EngineName::Auto, false) => Mind::Alphabeta(Searcher::new(options)),
            (EngineName::Mcts, _) | (EngineName::Auto, true) => Mind::Mcts(Box::new(Mcts::new(MctsOptions {
                tree_megabytes: options.table_megabytes.max(1) * TREE_SHARE,
                multipv: options.multipv,
                cut: match setup.playout {
                    None => evaluation.playout_cut(),
                    Some(Playout::Cut(plies)) => Some(plies),
                    Some(Playout::End | Playout::Random) => None,
                },
                decisive: setup.playout != Some(Playout::Random),
                rave: if evaluation.suits_rave() { usual.rave } else { 0.0 },
                seed: options.seed,
                threads: options.threads,
                ..usual
            }))),
            (EngineName::Maxn, _) => Mind::Maxn,
        };
        Engine {
            mind,
            evaluation,
            random: ChaCha8Rng::seed_from_u64(options.seed),
            interrupt,
            is_exact: options.is_exact,
        }
    }

    /// Tells whether nothing is left out because it does not look promising.
    pub fn is_exact(&self) -> bool {
        self.is_exact
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
        let mut bridge = self.bridge(session);
        let report = match &mut self.mind {
            Mind::Alphabeta(searcher) => searcher.search_in_threads(&mut bridge, &limits, tell),
            Mind::Mcts(mcts) => mcts.search_in_threads(&mut bridge, &limits, tell),
            Mind::Maxn => search_max_n(&mut bridge, &limits, tell),
        };
        self.interrupt.end_search();
        report
    }

    /// Begins a new game: nothing that was learnt or drawn before matters any more. Engines of one seed draw differently
    /// for each number of a `stream`.
    pub fn begin_game(&mut self, stream: u64) {
        match &mut self.mind {
            Mind::Alphabeta(searcher) => searcher.forget(),
            Mind::Mcts(mcts) => mcts.forget(),
            Mind::Maxn => {}
        }
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
        let choice = self.choice(level, &report);
        (choice, report)
    }

    /// Returns one of so many legal moves, if a level wants any of them without looking.
    pub fn plays_at_random(&mut self, level: Option<Level>, n_moves: usize) -> Option<usize> {
        let plays = n_moves > 0 && level.is_some_and(|level| level.plays_at_random(&mut self.random));
        plays.then(|| below(&mut self.random, n_moves))
    }

    /// Chooses after a search, as loosely as a level does, or the best move without one.
    pub fn choice(&mut self, level: Option<Level>, report: &Report<Fault>) -> Option<usize> {
        match level {
            Some(level) => level.choose(report, &mut self.random),
            None => report.best,
        }
    }

    /// Writes a line that a search from `session` found.
    pub fn write_line(&self, session: &Session, line: &[Step], short: bool) -> Vec<String> {
        write_line(&self.evaluation, session, line, short)
    }

    fn bridge(&self, session: &Session) -> Bridge {
        Bridge::with(session.clone(), Arc::clone(&self.evaluation))
    }
}

/// Writes a line that a search from `session` found.
pub fn write_line(evaluation: &Arc<Evaluation>, session: &Session, line: &[Step], short: bool) -> Vec<String> {
    let notation = Notation::new(session.rules());
    let mut bridge = Bridge::with(session.clone(), Arc::clone(evaluation));
    bridge.write_line(line, |session, list, index| {
        if short {
            notation.short_text(session.state(), list, index)
        } else {
            notation.unique_texts(session.state(), list).swap_remove(index)
        }
    })
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

    /// Listens to nothing but a flag, which the caller raises and lowers.
    pub fn by_flag(stop: Arc<AtomicBool>) -> Interrupt {
        Interrupt {
            stop,
            extent: Extent::Command,
            ..Interrupt::default()
        }
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
