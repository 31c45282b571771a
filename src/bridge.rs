//! Plays the games of rule files in the search: the one place where rules and states implement [`search::Game`].
//!
//! A [`Bridge`] is a [`Session`] with an [`Evaluation`]. Nothing is known of a game but its rules, so states are judged
//! by what the rules tell (`bridge/evaluation.rs`): pieces by how far they move (`bridge/values.rs`) and by how near they
//! are to their goals (`bridge/places.rs`), rows by how full they are (`bridge/lines.rs`), sides by all this and by their
//! mobility. Moves are valued before they are made by what they take (`bridge/appraisal.rs`).
//!
//! A *side* is who decides, with all pieces that move at its word: where the turn order says `(P Q)`, Q's pieces are on
//! P's side. Random players and those that never move are on no side.
//!
//! ```
//! use ludex::bridge::Bridge;
//! use ludex::search::{Limits, search};
//! use ludex::{Session, load};
//!
//! let text = b"(game (title \"Race\") (players A B) (turn-order A B)
//!     (board (grid (dimensions (\"a/b/c\" (1 0)) (\"1/2\" (0 1))) (directions (e 1 0))))
//!     (board-setup (A (Man a1)) (B (Man a2)))
//!     (piece (name Man) (moves (e add) (e e add)))
//!     (win-condition (A B) (absolute-config Man (c1)))
//!     (win-condition (A B) (absolute-config Man (c2))))";
//! let game = load("race.zrf", text).expect("the rules are right").remove(0);
//! let mut bridge = Bridge::new(Session::new(game.into())).expect("two sides");
//! let report = search(&mut bridge, &Limits::depth(4));
//! assert_eq!(report.best, Some(1)); // Two steps at once win.
//! ```

mod appraisal;
mod cache;
mod evaluation;
mod hunt;
mod lines;
mod places;
mod puzzle;
mod values;
pub mod weights;

use std::ops::Range;
use std::sync::Arc;

use crate::play::{Outcome, Session};
use crate::search::{self, Actor, MAX_PLAYERS, MoveValue, Step};
use crate::state::{Effect, MoveList};
use crate::vm::Fault;
use appraisal::Appraisal;
use cache::Cache;

pub use evaluation::Evaluation;
use evaluation::Said;
pub use weights::Weights;

/// With so many pieces or fewer on the board, a player is not taken to be glad of every turn.
const FEW_PIECES: usize = 3;

/// The game has more sides than the search can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game has {sides} sides; the engine plays games of up to {most}", most = MAX_PLAYERS)]
pub struct TooManySides {
    /// The number of sides.
    pub sides: usize,
}

/// A game in progress as the search sees it.
#[derive(Clone, Debug)]
pub struct Bridge {
    session: Session,
    evaluation: Arc<Evaluation>,
    /// The plies of the session where the search begins.
    root: usize,
    /// The sums of each side, kept for their memory.
    sums: Vec<i64>,
    cache: Cache,
    /// A list of nothing but a pass.
    passing: MoveList,
    /// What helps to solve, once it was asked for.
    puzzle: Option<puzzle::Puzzle>,
}

/// The legal moves of a state, and its outcome if that depends on them.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    list: MoveList,
    outcome: Option<Outcome>,
}

impl Bridge {
    /// Lets the search begin where `session` stands.
    ///
    /// # Errors
    /// When the game has too many sides.
    pub fn new(session: Session) -> Result<Bridge, TooManySides> {
        let evaluation = Evaluation::new(session.rules())?;
        Ok(Bridge::with(session, Arc::new(evaluation)))
    }

    /// Lets the search begin where `session` stands, with the evaluation made earlier for the same rules.
    pub fn with(session: Session, evaluation: Arc<Evaluation>) -> Bridge {
        let n_sides = evaluation.n_sides();
        let root = session.n_plies();
        Bridge {
            session,
            evaluation,
            root,
            sums: vec![0; n_sides],
            cache: Cache::default(),
            passing: MoveList::new(),
            puzzle: None,
        }
    }

    /// Returns the game in progress.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the evaluation.
    pub fn evaluation(&self) -> &Arc<Evaluation> {
        &self.evaluation
    }

    /// Returns the moves of a line that a search from here reported, each written by `write`, which is given the session
    /// before the move and its legal moves. The line ends early where it does not fit.
    pub fn write_line(
        &mut self,
        line: &[Step],
        mut write: impl FnMut(&Session, &MoveList, usize) -> String,
    ) -> Vec<String> {
        let base = self.session.n_plies();
        let mut moves = Moves::default();
        let mut texts = Vec::with_capacity(line.len());
        for step in line {
            let index = step.index as usize;
            let listed = search::Game::moves(self, &mut moves).is_ok() && index < moves.list.len();
            if !listed || <Bridge as search::Game>::fingerprint(&moves, index) != step.fingerprint {
                break;
            }
            texts.push(write(&self.session, &moves.list, index));
            if self.session.make(&moves.list, index).is_err() {
                break;
            }
        }
        while self.session.n_plies() > base {
            self.session.unmake();
        }
        texts
    }
}

impl search::Game for Bridge {
    type Moves = Moves;
    type Fault = Fault;

    fn players(&self) -> usize {
        self.evaluation.n_sides().max(1)
    }

    fn actor(&self) -> Actor {
        if self.session.is_chance() {
            return Actor::Chance;
        }
        // Whoever decides is on a side, if not random.
        Actor::Player(self.evaluation.side(self.session.to_move()).unwrap_or(0))
    }

    fn key(&self) -> u64 {
        self.session.keys().search
    }

    fn board_outcome(&mut self) -> Result<Option<search::Outcome>, Fault> {
        if let Some(outcome) = self.session.decided() {
            return Ok(Some(self.evaluation.outcome(outcome)));
        }
        // Who could do better the second time could have done so the first time.
        let is_repeated =
            self.evaluation.repetition_draws() && self.session.n_plies() > self.root && self.session.is_repeated();
        Ok(is_repeated.then_some(search::Outcome::DRAW))
    }

    fn depends_on_past(&self) -> bool {
        self.session.is_repeated()
    }

    fn moves(&mut self, moves: &mut Moves) -> Result<(), Fault> {
        moves.outcome = self.session.legal_moves(&mut moves.list)?;
        Ok(())
    }

    fn outcome(&mut self, moves: &Moves) -> Result<Option<search::Outcome>, Fault> {
        Ok(moves.outcome.map(|outcome| self.evaluation.outcome(outcome)))
    }

    fn len(moves: &Moves) -> usize {
        moves.list.len()
    }

    fn fingerprint(moves: &Moves, index: usize) -> u32 {
        let entry = moves.list.get(index);
        let start = mix(u64::from(entry.is_partial()));
        let hash = (moves.list.effects(entry).iter()).fold(start, |hash, effect| mix(hash ^ effect_bits(effect)));
        (hash >> 32) as u32
    }

    fn value(&self, moves: &Moves, index: usize) -> MoveValue {
        let mover = self.session.turn_item().acts_as;
        let effects = moves.list.effects(moves.list.get(index));
        Appraisal {
            rules: self.session.rules(),
            state: self.session.state(),
            evaluation: &self.evaluation,
            mover,
        }
        .value(effects)
    }

    fn make(&mut self, moves: &Moves, index: usize) -> Result<(), Fault> {
        self.session.make(&moves.list, index)
    }

    fn unmake(&mut self) {
        self.session.unmake();
    }

    fn is_threatened(&mut self) -> Result<bool, Fault> {
        match self.evaluation.has_check() {
            true => self.session.in_check(),
            false => Ok(false),
        }
    }

    fn pass(&mut self) -> Result<bool, Fault> {
        if !self.evaluation.passes_are_harmless() || self.session.state().chain().is_some() {
            return Ok(false);
        }
        // With few pieces it can be a burden to have to move.
        let mover = self.session.turn_item().acts_as;
        if self.session.state().cells_of(mover).count() <= FEW_PIECES {
            return Ok(false);
        }
        self.passing.clear();
        self.passing.push_pass();
        self.session.make(&self.passing, 0)?;
        Ok(true)
    }

    fn glance(&mut self, player: u8, interest: Range<i32>) -> Result<Option<i32>, Fault> {
        let side = usize::from(player);
        if !self.evaluation.allows_glances() || side >= self.evaluation.n_sides() {
            return Ok(None);
        }
        let Bridge {
            session,
            evaluation,
            sums,
            ..
        } = self;
        if session.state().chain().is_some() {
            return Ok(None);
        }
        let standing = evaluation.standing(session.rules(), session.state(), side, sums);
        let margin = evaluation.mobility_margin();
        let sure = if standing - margin >= interest.end {
            standing - margin
        } else if standing + margin < interest.start {
            standing + margin
        } else {
            return Ok(None);
        };
        // Whoever is in check may be mated.
        Ok(Some(sure).filter(|_| !evaluation.has_check() || matches!(session.in_check(), Ok(false))))
    }

    fn evaluate(&mut self, player: u8, moves: &Moves, interest: Range<i32>) -> Result<i32, Fault> {
        let Bridge {
            session,
            evaluation,
            sums,
            cache,
            ..
        } = self;
        let side = usize::from(player);
        if side >= evaluation.n_sides() {
            return Ok(0);
        }
        let key = session.keys().search ^ mix(u64::from(player));
        if let Some(score) = cache.get(key) {
            return Ok(score);
        }
        let said = match evaluation.stated(session, side, sums)? {
            Some(Said::All(score)) => {
                cache.put(key, score);
                return Ok(score);
            }
            Some(Said::Besides(score)) => score,
            None => 0,
        };
        let standing = evaluation
            .standing(session.rules(), session.state(), side, sums)
            .saturating_add(said);
        // Mobility costs most, and often cannot change what the search makes of the state.
        let margin = evaluation.mobility_margin();
        if standing + margin <= interest.start {
            return Ok(standing + margin);
        }
        if standing - margin >= interest.end {
            return Ok(standing - margin);
        }
        let mobility = match margin {
            0 => 0,
            _ => evaluation.mobility(session, moves, side, sums)?,
        };
        let score = standing + mobility;
        cache.put(key, score);
        Ok(score)
    }
}

/// Packs an effect into a number, equal for equal effects.
fn effect_bits(effect: &Effect) -> u64 {
    let bits = |tag: u64, a: usize, b: usize, c: usize| tag << 56 | (a as u64) << 40 | (b as u64) << 20 | c as u64;
    match *effect {
        Effect::Move { from, to } => bits(1, from.index(), to.index(), 0),
        Effect::Drop { piece, to } => bits(2, piece.index(), to.index(), 0),
        Effect::Copy { piece, to } => bits(3, piece.index(), to.index(), 0),
        Effect::Create { piece, at } => bits(4, piece.index(), at.index(), 0),
        Effect::SetAttribute { at, attribute, value } => {
            bits(5, at.index(), attribute.index(), 0) ^ u64::from(value as u32)
        }
        Effect::ChangeOwner { at, player } => bits(6, at.index(), player.index(), 0),
        Effect::Flip { at } => bits(7, at.index(), 0, 0),
        Effect::ChangeKind { at, kind } => bits(8, at.index(), kind.index(), 0),
        Effect::Capture { at } => bits(9, at.index(), 0, 0),
        Effect::Promote { at, kind } => bits(10, at.index(), kind.index(), 0),
        Effect::IncreaseAttribute { at, attribute, by } => {
            bits(11, at.index(), attribute.index(), 0) ^ u64::from(by as u32)
        }
        Effect::SetVariable { slot, value } => bits(12, slot.index(), 0, 0) ^ u64::from(value as u32),
        Effect::IncreaseVariable { slot, by } => bits(13, slot.index(), 0, 0) ^ u64::from(by as u32),
        Effect::Then => bits(14, 0, 0, 0),
        Effect::Again => bits(15, 0, 0, 0),
        Effect::Label(_) | Effect::Rate { .. } => bits(16, 0, 0, 0),
    }
}

/// The finalizer of SplitMix64: spreads all bits.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
