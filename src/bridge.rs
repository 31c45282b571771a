//! Plays the games of rule files in the search: the one place where rules and states implement [`search::Game`].
//!
//! A [`Bridge`] is a [`Session`] with an [`Evaluation`]. Nothing is known of a game but its rules, so states are judged
//! by what the rules tell (`bridge/evaluation.rs`): pieces by how far they move (`bridge/values.rs`) and by how near they
//! are to their goals (`bridge/places.rs`), rows by how full they are (`bridge/lines.rs`), sides by all this and by their
//! mobility. What play has found comes to it (`bridge/weights.rs`): places by tables (`bridge/tables.rs`), pieces close to
//! each other (`bridge/pairs.rs`), pieces that cannot be stopped (`bridge/runners.rs`), moves by what they are
//! (`bridge/activity.rs`). What states have in common, for the search to learn from, tells `bridge/aspects.rs`. Moves are
//! valued before they are made by what they take (`bridge/appraisal.rs`), which need not tell anything
//! (`bridge/tactics.rs`).
//!
//! A *side* is who decides, with all pieces that move at its word (`bridge/sides.rs`): where the turn order says `(P Q)`, Q's
//! pieces are on P's side. Random players and those that never move are on no side, nor are those that several sides move.
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

mod activity;
mod appraisal;
mod aspects;
mod cache;
mod evaluation;
mod hands;
mod hunt;
mod leeway;
mod lines;
mod pairs;
mod places;
mod prospects;
mod puzzle;
mod room;
mod runners;
mod sides;
mod tables;
mod tactics;
mod tally;
mod values;
pub mod weights;

use std::ops::Range;
use std::sync::Arc;

use crate::play::{Outcome, Session};
use crate::search::{self, Actor, Gist, MAX_PLAYERS, MoveValue, N_ASPECTS, Step};
use crate::state::key::spread;
use crate::state::{Effect, MoveEntry, MoveList};
use crate::vm::Fault;
use appraisal::Appraisal;
use cache::Cache;

pub use evaluation::Evaluation;
use evaluation::Said;
use leeway::Leeway;
use room::Survey;
use tally::Tally;
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
    tally: Tally,
    survey: Survey,
    cache: Cache,
    leeway: Leeway,
    /// The search key of a state, and whether whoever acts there is in check.
    checked: Option<(u64, bool)>,
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
    /// What there is to say of all candidates, where only those of interest are listed.
    candidates: Option<Candidates>,
}

/// What there is to say of moves that are not listed.
#[derive(Clone, Copy, Debug)]
struct Candidates {
    count: usize,
    /// What they are worth to whoever acts, and what comes to that late.
    activity: (i32, i32),
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
        // What a search foresees must not depend on what was asked before it.
        session.rules().specialise();
        Bridge {
            session,
            evaluation,
            root,
            sums: vec![0; n_sides],
            tally: Tally::default(),
            survey: Survey::default(),
            cache: Cache::default(),
            leeway: Leeway::default(),
            checked: None,
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
            if self.step(&moves.list, index).is_err() {
                break;
            }
        }
        while self.session.n_plies() > base {
            self.step_back();
        }
        texts
    }

    /// Makes a move.
    fn step(&mut self, list: &MoveList, index: usize) -> Result<(), Fault> {
        let session = &mut self.session;
        self.tally.settle(session.rules(), &self.evaluation, session.state());
        session.make(list, index)?;
        self.tally.step(session.changed_cells());
        Ok(())
    }

    /// Takes back the last ply.
    fn step_back(&mut self) {
        let session = &mut self.session;
        (self.tally).step_back(session.rules(), &self.evaluation, session.changed_cells());
        session.unmake();
    }

    /// Calls `visit` with the number of each action that a move of either side is, in the order of [`Action::all`], and 1 if
    /// it is the first side's, else -1; not at all where moves are not looked at.
    ///
    /// # Errors
    /// When a rule faults.
    ///
    /// [`Action::all`]: weights::Action::all
    pub fn visit_actions(
        &mut self,
        activity: &weights::Activity,
        moves: &Moves,
        visit: impl FnMut(usize, i32),
    ) -> Result<(), Fault> {
        self.evaluation.visit_actions(&mut self.session, activity, moves, visit)
    }

    /// Returns how good the present state is for a side, mobility and what the rules say left aside.
    fn standing(&mut self, side: usize) -> i32 {
        let Bridge {
            session,
            evaluation,
            sums,
            tally,
            survey,
            ..
        } = self;
        let standing = evaluation.standing(session.rules(), session.state(), (tally, survey), side, sums);
        standing + evaluation.worth_of_turn(session.to_move(), side)
    }

    /// Returns the key under which the evaluation of the present state for a player is kept.
    fn evaluation_key(&self, player: u8) -> u64 {
        self.session.keys().search ^ (u64::from(player) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Tells whether whoever acts is in check.
    fn in_check(&mut self) -> Result<bool, Fault> {
        let key = self.session.keys().search;
        if let Some((checked, is_check)) = self.checked
            && checked == key
        {
            return Ok(is_check);
        }
        let is_check = self.session.in_check()?;
        self.checked = Some((key, is_check));
        Ok(is_check)
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
        moves.candidates = None;
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
        // By far the commonest kinds of moves: one piece moves or is dropped.
        if let Some(origin) = origin(&moves.list, entry) {
            let cells = origin << 16 ^ entry.to.index() as u32;
            return (cells ^ u32::from(entry.is_partial()) << 31).wrapping_mul(0x9E37_79B1);
        }
        let start = spread(u64::from(entry.is_partial()));
        let hash = (moves.list.effects(entry).iter()).fold(start, |hash, effect| spread(hash ^ effect_bits(effect)));
        (hash >> 32) as u32
    }

    fn value(&self, moves: &Moves, index: usize) -> MoveValue {
        let session = &self.session;
        let entry = moves.list.get(index);
        if is_single(entry) && session.state().occupant(entry.to).is_none() {
            return MoveValue::default();
        }
        Appraisal {
            rules: session.rules(),
            state: session.state(),
            evaluation: &self.evaluation,
            mover: session.to_move(),
        }
        .value(moves.list.effects(entry))
    }

    fn foresee(&self, moves: &Moves, index: usize) -> Option<Option<search::Outcome>> {
        let outcome = self.session.foresee(&moves.list, index)?;
        Some(outcome.map(|outcome| self.evaluation.outcome(outcome)))
    }

    fn make(&mut self, moves: &Moves, index: usize) -> Result<(), Fault> {
        self.step(&moves.list, index)
    }

    fn unmake(&mut self) {
        self.step_back();
    }

    fn keep(&mut self) {
        self.session.keep_state();
    }

    fn go_back(&mut self, plies: u32) {
        if self.tally.is_known() {
            // The sums follow ply by ply.
            (0..plies).for_each(|_| self.step_back());
        } else {
            let n_plies = self.session.n_plies().saturating_sub(plies as usize);
            self.session.go_back(n_plies);
        }
    }

    fn is_threatened(&mut self) -> Result<bool, Fault> {
        match self.evaluation.has_check() {
            true => self.in_check(),
            false => Ok(false),
        }
    }

    fn is_forceful(&mut self, moves: &Moves, index: usize) -> Result<bool, Fault> {
        let session = &mut self.session;
        Ok(session.may_decide(&moves.list, index)
            || self.evaluation.has_check() && session.gives_check(&moves.list, index).unwrap_or(true))
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
        let mut passing = std::mem::take(&mut self.passing);
        passing.clear();
        passing.push_pass();
        let made = self.step(&passing, 0);
        self.passing = passing;
        made.map(|()| true)
    }

    fn gist(&mut self, player: u8) -> Option<Gist> {
        let side = usize::from(player);
        let is_told = self.evaluation.allows_glances()
            && side < self.evaluation.n_sides()
            && self.session.state().chain().is_none();
        is_told.then(|| {
            let base = self.standing(side);
            let whole = match self.evaluation.mobility_margin() {
                0 => Some(base),
                _ => self.cache.get(self.evaluation_key(player)),
            };
            let is_final = self.evaluation.counts_room();
            Gist { base, whole, is_final }
        })
    }

    fn aspects(&mut self) -> [u64; N_ASPECTS] {
        let Bridge {
            session,
            evaluation,
            tally,
            ..
        } = self;
        tally.aspects(session.rules(), evaluation, session.state())
    }

    fn leeway(&self) -> i32 {
        self.leeway.get(self.evaluation.mobility_margin())
    }

    fn tactics_stand_out(&self) -> bool {
        self.evaluation.tactics_stand_out()
    }

    fn tactics(&mut self, moves: &mut Moves) -> Result<bool, Fault> {
        if !self.evaluation.allows_tactics() {
            return Ok(false);
        }
        let item = self.session.turn_item();
        let mover = item.player;
        let evaluation = &self.evaluation;
        let activity = evaluation.activity();
        let view =
            (!activity.is_empty()).then(|| activity.view(self.session.rules(), self.session.state(), item.acts_as));
        let mut sum = (0, 0);
        let count = (self.session).legal_moves_among(&mut moves.list, |rules, state, list, entry| {
            if let Some(view) = &view {
                view.add(state, entry, &mut sum);
            }
            if is_single(entry) && state.occupant(entry.to).is_none() {
                return false;
            }
            let appraisal = Appraisal {
                rules,
                state,
                evaluation,
                mover,
            };
            appraisal.value(list.effects(entry)).tactical
        })?;
        moves.outcome = None;
        moves.candidates = Some(Candidates { count, activity: sum });
        Ok(true)
    }

    fn evaluate(&mut self, player: u8, moves: &Moves, interest: Range<i32>) -> Result<i32, Fault> {
        let side = usize::from(player);
        if side >= self.evaluation.n_sides() {
            return Ok(0);
        }
        let key = self.evaluation_key(player);
        if let Some(score) = self.cache.get(key) {
            return Ok(score);
        }
        let said = match self.evaluation.stated(&mut self.session, side, &mut self.sums)? {
            Some(Said::All(score)) => {
                self.cache.put(key, score);
                return Ok(score);
            }
            Some(Said::Besides(score)) => score,
            None => 0,
        };
        let standing = self.standing(side).saturating_add(said);
        let Bridge {
            session,
            evaluation,
            sums,
            cache,
            tally,
            leeway,
            ..
        } = self;
        // Mobility costs most, and often cannot change what the search makes of the state.
        let most = evaluation.mobility_margin();
        let margin = leeway.get(most);
        if standing + margin <= interest.start {
            return Ok(standing + margin);
        }
        if standing - margin >= interest.end {
            return Ok(standing - margin);
        }
        let mut score = standing;
        if most > 0 {
            let mobility = evaluation.mobility(session, moves, (side, tally.n_counted()), sums)?;
            leeway.note(mobility, most);
            score += mobility;
        }
        cache.put(key, score);
        Ok(score)
    }
}

/// Tells whether a move has no effect but that a piece arrives on its second cell.
#[inline]
fn is_single(entry: &MoveEntry) -> bool {
    entry.len == 1 && entry.to.is_some()
}

/// Tells where the piece of a move with a single effect comes from, or which is dropped; nothing for other moves.
#[inline]
fn origin(list: &MoveList, entry: &MoveEntry) -> Option<u32> {
    if !is_single(entry) {
        return None;
    }
    // Whatever goes from cell to cell needs no look at its effect.
    if entry.from.is_some() {
        return Some(entry.from.index() as u32);
    }
    match list.effects(entry) {
        [Effect::Drop { piece, .. }] => Some(!(piece.index() as u32)),
        _ => None,
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
