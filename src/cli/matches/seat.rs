//! Who chooses the moves of a player in a match.

use std::path::Path;
use std::time::{Duration, Instant};

use ludex::bridge::Weights;
use ludex::play::playout::below;
use ludex::search::{Clock, Level, Limits, Options};
use ludex::{Fault, MoveList, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::super::engine::{Engine, Interrupt, Setup};
use super::super::failure::Result;
use super::super::game::{Opened, read_weights};
use super::super::levels;
use super::spec::{Spec, Way};

/// What random numbers are for; each use has its own, so that none depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The plies that a game begins with.
    Opening,
    /// The moves of random players.
    Dice,
    /// The choices in a seat.
    Seat(usize),
}

impl Purpose {
    /// Returns the number of the random stream for one game.
    pub fn stream(self, game: u64) -> u64 {
        let number = match self {
            Purpose::Opening => 0,
            Purpose::Dice => 1,
            Purpose::Seat(seat) => 2 + seat as u64,
        };
        // No match has so many games that these meet.
        number << 40 | game
    }

    /// Returns the random numbers for one game.
    pub fn random(self, seed: u64, game: u64) -> ChaCha8Rng {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(self.stream(game));
        random
    }
}

/// Someone who plays, as one player or, in turn, as each.
#[derive(Debug)]
pub struct Seat {
    pub spec: Spec,
    number: usize,
    chooser: Chooser,
}

#[derive(Debug)]
enum Chooser {
    Random(Box<ChaCha8Rng>),
    Policy(Box<ChaCha8Rng>),
    Engine {
        engine: Box<Engine>,
        level: Option<Level>,
        limits: Limits,
        clock: Option<Watch>,
    },
}

/// A clock for the whole game.
#[derive(Clone, Copy, Debug)]
struct Watch {
    whole: Duration,
    clock: Clock,
}

impl Watch {
    fn new((whole, increment): (Duration, Duration)) -> Watch {
        let clock = Clock {
            remaining: whole,
            increment,
            moves_to_go: None,
        };
        Watch { whole, clock }
    }
}

/// A move that was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its number among the legal ones.
    pub index: usize,
    /// What went wrong further on.
    pub fault: Option<Fault>,
}

impl Seat {
    /// Takes a seat at a game.
    pub fn new(opened: &Opened, spec: Spec, number: usize, seed: u64, interrupt: Interrupt) -> Result<Seat> {
        let chooser = match &spec.way {
            Way::Random => Chooser::Random(Box::new(ChaCha8Rng::seed_from_u64(seed))),
            Way::Policy => Chooser::Policy(Box::new(ChaCha8Rng::seed_from_u64(seed))),
            Way::Engine {
                engine,
                threads,
                without,
                weights,
                clock,
                level,
                named,
                limits,
            } => {
                let named = (named.as_deref())
                    .map(|name| levels::find(&opened.rules, name))
                    .transpose()?;
                let level = &named.or(*level);
                // What was written counts more than the level that the rules describe.
                let usual = named.map_or(Limits::default(), Level::limits);
                let limits = &Limits {
                    depth: limits.depth.or(usual.depth),
                    nodes: limits.nodes,
                    time: limits.time.or(usual.time),
                    width: usual.width,
                    stop: None,
                };
                let options = Options {
                    multipv: level.map_or(1, Level::multipv),
                    seed,
                    threads: *threads,
                    without: *without,
                    ..Options::default()
                };
                let evaluation = match weights.as_deref() {
                    None => opened.evaluation()?,
                    Some("none") => opened.evaluation_with(&Weights::default())?,
                    Some(file) => {
                        let weights = read_weights(Path::new(file), &opened.rules.model.title)?;
                        opened.evaluation_with(&weights)?
                    }
                };
                let setup = Setup {
                    engine: *engine,
                    options,
                    playout: None,
                };
                Chooser::Engine {
                    engine: Box::new(Engine::with_evaluation(evaluation, setup, interrupt)),
                    level: *level,
                    limits: limits.clone(),
                    clock: clock.map(Watch::new),
                }
            }
        };
        Ok(Seat { spec, number, chooser })
    }

    /// Begins a game, of which nothing depends on those before.
    pub fn begin_game(&mut self, game: u64) {
        let stream = Purpose::Seat(self.number).stream(game);
        match &mut self.chooser {
            Chooser::Random(random) | Chooser::Policy(random) => {
                random.set_stream(stream);
                random.set_word_pos(0);
            }
            Chooser::Engine { engine, clock, .. } => {
                engine.begin_game(stream);
                if let Some(watch) = clock {
                    watch.clock.remaining = watch.whole;
                }
            }
        }
    }

    /// Chooses one of the legal moves, if there is one and no fault of the rules hides it.
    pub fn choose(&mut self, session: &Session, moves: &MoveList) -> std::result::Result<Option<Choice>, Fault> {
        match &mut self.chooser {
            Chooser::Random(random) => {
                let index = (!moves.is_empty()).then(|| below(random, moves.len()));
                Ok(index.map(|index| Choice { index, fault: None }))
            }
            Chooser::Policy(random) => {
                // A side without a policy moves at random.
                let all = || (0..moves.len()).collect();
                let among: Vec<usize> = session.policy_moves(moves).unwrap_or_else(all);
                let index = (!among.is_empty()).then(|| among[below(random, among.len())]);
                Ok(index.map(|index| Choice { index, fault: None }))
            }
            Chooser::Engine {
                engine,
                level,
                limits,
                clock,
            } => {
                if let Some(index) = engine.plays_at_random(*level, moves.len()) {
                    return Ok(Some(Choice { index, fault: None }));
                }
                let mut limits = limits.clone();
                let began = Instant::now();
                if let Some(watch) = clock {
                    let share = watch.clock.allotment();
                    limits.time = Some(limits.time.map_or(share, |time| time.min(share)));
                }
                let (choice, report) = engine.choose_within(session, *level, limits);
                if let Some(watch) = clock {
                    let left = watch.clock.remaining.saturating_sub(began.elapsed());
                    watch.clock.remaining = left + watch.clock.increment;
                }
                match (choice, report.fault) {
                    (None, Some(fault)) => Err(fault),
                    (None, None) => Ok(None),
                    (Some(index), fault) => Ok(Some(Choice { index, fault })),
                }
            }
        }
    }
}
