//! Random games: every legal move equally likely, until the game ends.
//!
//! Game `i` of a seed is always the same game, whichever games were played before it. With [`Checks`] on, every ply
//! also tests the machinery below: that moves are taken back exactly, that both keys are kept rightly, and that what is
//! printed can be read.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::notation::Notation;
use super::position::{print_session, read_session};
use super::{Outcome, Session};
use crate::rules::Rules;
use crate::state::{MoveList, key};
use crate::vm::Fault;

/// Whether a random game also tests undo, keys and texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checks {
    /// Just play.
    #[default]
    Off,
    /// Test at every ply the move that is played, and on every [`FULL_CHECK`]th ply all moves and all texts.
    On,
}

/// So many plies lie between two states whose moves are all tested.
pub const FULL_CHECK: usize = 7;

/// The most moves of one list whose texts are read back.
const SAMPLES: usize = 32;

/// How to play random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutOptions {
    /// What every choice follows from.
    pub seed: u64,
    /// The number of plies after which a game is cut.
    pub max_plies: usize,
    /// What is tested on the way.
    pub checks: Checks,
}

/// How a random game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It came to its end.
    Over(Outcome),
    /// It was cut after the greatest number of plies.
    Cut,
    /// The rules faulted.
    Fault(Fault),
}

/// One random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How it ended.
    pub ending: Ending,
    /// The number of plies played.
    pub plies: usize,
    /// The numbers of legal moves of all states with a move, added up.
    pub choices: u64,
}

/// A check that failed: a defect of the program, not of the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("after {plies} plies of game {game}: {what}")]
pub struct CheckError {
    /// The number of the random game.
    pub game: u64,
    /// The plies played before.
    pub plies: usize,
    /// What does not hold.
    pub what: String,
}

/// Plays random game number `game` from the present state of `session`, which is left as it was.
///
/// # Errors
/// When a check fails; faults of the rules are an ending.
pub fn playout(
    session: &mut Session,
    list: &mut MoveList,
    game: u64,
    options: &PlayoutOptions,
) -> Result<Playout, CheckError> {
    let mut random = chance(options.seed, game);
    run(session, list, game, options, &mut random)
}

/// Plays random game number `game` from the start, which chance sets up anew for it where the rules say so.
///
/// # Errors
/// When a check fails; faults of the rules are an ending.
pub fn playout_from_setup(
    rules: &Arc<Rules>,
    list: &mut MoveList,
    game: u64,
    options: &PlayoutOptions,
) -> Result<Playout, CheckError> {
    let mut random = chance(options.seed, game);
    let mut session = Session::with_chance(Arc::clone(rules), &mut random);
    if options.checks == Checks::On {
        let again = Session::with_chance(Arc::clone(rules), &mut chance(options.seed, game));
        if again.state() != session.state() {
            return Err(CheckError {
                game,
                plies: 0,
                what: "the same chance sets up the board in two ways".to_owned(),
            });
        }
    }
    run(&mut session, list, game, options, &mut random)
}

/// Returns the chance of a game.
fn chance(seed: u64, game: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(game);
    random
}

fn run(
    session: &mut Session,
    list: &mut MoveList,
    game: u64,
    options: &PlayoutOptions,
    random: &mut ChaCha8Rng,
) -> Result<Playout, CheckError> {
    let base = session.n_plies();
    session.keep_state();
    let start = (options.checks == Checks::On).then(|| session.state().clone());
    let mut result = Playout {
        ending: Ending::Cut,
        plies: 0,
        choices: 0,
    };
    let checked = play(session, list, random, options, &mut result);
    if options.checks == Checks::Off {
        session.go_back(base);
    }
    while session.n_plies() > base {
        session.unmake();
    }
    let checked = checked.and_then(|()| match start {
        Some(start) if start != *session.state() => Err("taking back the whole game does not restore its start".into()),
        _ => Ok(()),
    });
    checked.map(|()| result).map_err(|what| CheckError {
        game,
        plies: result.plies,
        what,
    })
}

fn play(
    session: &mut Session,
    list: &mut MoveList,
    random: &mut ChaCha8Rng,
    options: &PlayoutOptions,
    result: &mut Playout,
) -> Result<(), String> {
    loop {
        match session.legal_moves(list) {
            Err(fault) => {
                result.ending = Ending::Fault(fault);
                return Ok(());
            }
            Ok(Some(outcome)) => {
                result.ending = Ending::Over(outcome);
                return Ok(());
            }
            Ok(None) => {}
        }
        if result.plies == options.max_plies {
            return Ok(());
        }
        let chosen = below(random, list.len());
        result.choices += list.len() as u64;
        if options.checks == Checks::On {
            check::keys(session)?;
            if result.plies.is_multiple_of(FULL_CHECK) {
                check::texts(session, list)?;
                (0..list.len()).try_for_each(|index| check::undo(session, list, index))?;
            } else {
                check::undo(session, list, chosen)?;
            }
        }
        if let Err(fault) = session.make(list, chosen) {
            result.ending = Ending::Fault(fault);
            return Ok(());
        }
        result.plies += 1;
    }
}

/// Draws a number below `n`, which is not 0; so near to uniform that no number of games shows a difference.
pub fn below(random: &mut ChaCha8Rng, n: usize) -> usize {
    ((u128::from(random.next_u64()) * n as u128) >> 64) as usize
}

/// What is tested in a state.
mod check {
    use super::*;

    /// Both keys are what computing them anew gives.
    pub fn keys(session: &Session) -> Result<(), String> {
        let state = session.state();
        if state.keys() != key::recompute(session.rules(), state) {
            return Err("the keys kept from move to move differ from those computed anew".to_owned());
        }
        Ok(())
    }

    /// Making and taking back a move restores the state.
    pub fn undo(session: &mut Session, list: &MoveList, index: usize) -> Result<(), String> {
        let before = session.state().clone();
        if session.make(list, index).is_ok() {
            keys(session).map_err(|what| format!("{what}, after move {index} of the list"))?;
            session.unmake();
        }
        if before != *session.state() {
            return Err(format!(
                "making and taking back move {index} of the list changes the state"
            ));
        }
        Ok(())
    }

    /// Printed moves and positions are read back as themselves.
    pub fn texts(session: &Session, list: &MoveList) -> Result<(), String> {
        let (rules, state) = (session.rules(), session.state());
        let notation = Notation::new(rules);
        let finder = notation.finder(state, list);
        // Reading compares with the whole list, so long lists are sampled.
        for index in (0..list.len()).step_by(list.len().div_ceil(SAMPLES).max(1)) {
            for text in [&finder.full_texts()[index], &finder.short_texts()[index]] {
                match finder.find(text) {
                    Ok(found) if found == index => {}
                    Ok(found) => return Err(format!("`{text}`, move {index} of the list, is read as move {found}")),
                    Err(error) => return Err(format!("move {index} of the list is not read back: {error}")),
                }
            }
        }
        position(session)
    }

    /// The printed position is read back as itself, as far as a text can tell it.
    pub fn position(session: &Session) -> Result<(), String> {
        let rules = session.rules();
        let text = print_session(session);
        let read = read_session(Arc::clone(rules), "position", &text).map_err(|errors| errors.to_string())?;
        let (mut found, mut expected) = (read.state().clone(), session.state().clone());
        found.forget_untold(rules);
        expected.forget_untold(rules);
        if found != expected || read.contest() != session.contest() {
            return Err(format!("the position is not read back as itself: {text}"));
        }
        Ok(())
    }
}
