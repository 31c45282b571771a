//! Plays the games of rule files in the search: the one place where rules and states implement [`search::Game`].
//!
//! A [`Bridge`] is a [`Session`] with an [`Evaluation`]. Nothing is known of a game but its rules, so states are judged
//! by what the rules tell: pieces by how far they move (`bridge/values.rs`), and sides by their pieces and their mobility.
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

mod values;

use std::sync::Arc;

use crate::model::goal::{GoalCondition, GoalKind};
use crate::model::{CellId, GameModel, Occupant, PlayerId};
use crate::play::outcome::{Outcome, PlayerResult};
use crate::play::{Decision, Session};
use crate::rules::Rules;
use crate::search::{self, Actor, Ending, MAX_PLAYERS, MoveValue, Step};
use crate::state::{Effect, MoveList, State};
use crate::vm::Fault;

/// What all mobility of a state is worth, in score points.
const MOBILITY_WEIGHT: i64 = 80;
/// Moves that both sides are taken to have besides, so that the first few do not count for everything.
const MOBILITY_BASE: i64 = 8;
/// The part of a capturing piece's value that orders captures of equal gain: the least valuable piece first.
const CAPTURER_PART: i32 = 32;

/// The game has more sides than the search can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game has {sides} sides; the engine plays games of up to {most}", most = MAX_PLAYERS)]
pub struct TooManySides {
    /// The number of sides.
    pub sides: usize,
}

/// What a game's rules tell about the worth of its states; made once for a game and shared by all searches.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The side of each player, by player.
    sides: Vec<Option<u8>>,
    n_sides: usize,
    /// The value of each piece to its owner, by occupant; never negative.
    values: Vec<i32>,
    /// For each side 1, or -1 where fewer pieces are better.
    signs: Vec<i32>,
    /// The pieces of all sides that have a value: what is counted at a leaf.
    counted: Vec<Counted>,
    /// Whether a position that occurs again can be scored as a draw.
    repetition_draws: bool,
}

#[derive(Clone, Copy, Debug)]
struct Counted {
    piece: Occupant,
    side: u8,
    value: i32,
    /// Whether pieces in hand count as well: those that can be dropped.
    in_hand: bool,
}

impl Evaluation {
    /// Derives the evaluation from the rules of a game.
    ///
    /// # Errors
    /// When there are too many sides.
    pub fn new(rules: &Rules) -> Result<Evaluation, TooManySides> {
        let model = &rules.model;
        let (sides, n_sides) = find_sides(model);
        if n_sides > MAX_PLAYERS {
            return Err(TooManySides { sides: n_sides });
        }
        let values = values::derive(rules);
        let mut signs = vec![1; n_sides];
        for player in model.player_ids() {
            if let Some(side) = sides[player.index()].filter(|_| fewer_is_better(rules, player)) {
                signs[usize::from(side)] = -1;
            }
        }
        let counted = (rules.occupants.pieces())
            .filter_map(|piece| {
                let side = sides[rules.owner(piece).index()]?;
                let in_hand = !model.kinds[rules.kind(piece).index()].drops.is_empty();
                let value = values[piece.index()] * signs[usize::from(side)];
                (value != 0).then_some(Counted {
                    piece,
                    side,
                    value,
                    in_hand,
                })
            })
            .collect();
        Ok(Evaluation {
            sides,
            n_sides,
            values,
            signs,
            counted,
            repetition_draws: repetition_draws(rules),
        })
    }

    /// Returns the side that `player`'s pieces are on, by index from 0, if any.
    pub fn side(&self, player: PlayerId) -> Option<u8> {
        self.sides[player.index()]
    }

    /// Returns the value of a piece to its owner in score points.
    pub fn value(&self, piece: Occupant) -> i32 {
        self.values[piece.index()]
    }

    fn outcome(&self, outcome: Outcome) -> search::Outcome {
        // A side wins with the player it decides for.
        let side_of = |player: PlayerId| self.sides[player.index()];
        let mut result = search::Outcome::DRAW;
        match outcome.decision {
            Decision::Draw => return result,
            Decision::Win(player) | Decision::Loss(player) => {
                if let Some(side) = side_of(player) {
                    let won = outcome.result(player) == PlayerResult::Win;
                    return match won {
                        true => search::Outcome::won_by(side, self.n_sides),
                        false => search::Outcome::lost_by(side, self.n_sides),
                    };
                }
            }
        }
        // Someone on no side won or lost: the sides got the opposite.
        let ending = if matches!(outcome.decision, Decision::Win(_)) {
            Ending::Loss
        } else {
            Ending::Win
        };
        for side in 0..self.n_sides as u8 {
            result = result.with(side, ending);
        }
        result
    }
}

/// A game in progress as the search sees it.
#[derive(Clone, Debug)]
pub struct Bridge {
    session: Session,
    evaluation: Arc<Evaluation>,
    /// The plies of the session where the search begins.
    root: usize,
    /// The sums of each side, kept for their memory.
    material: Vec<i64>,
    mobility: Vec<i64>,
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
        let n_sides = evaluation.n_sides;
        let root = session.n_plies();
        Bridge {
            session,
            evaluation,
            root,
            material: vec![0; n_sides],
            mobility: vec![0; n_sides],
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

    /// Judges the pieces of each side.
    fn weigh_material(&mut self) {
        let Bridge {
            session,
            evaluation,
            material,
            ..
        } = self;
        let state = session.state();
        material.fill(0);
        for counted in &evaluation.counted {
            let in_hand = if counted.in_hand { state.stock(counted.piece) } else { 0 };
            let count = i64::from(state.count(counted.piece)) + i64::from(in_hand);
            material[usize::from(counted.side)] += count * i64::from(counted.value);
        }
    }

    /// Counts the moves of each side.
    fn weigh_mobility(&mut self) -> Result<(), Fault> {
        self.mobility.fill(0);
        for index in 0..self.evaluation.sides.len() {
            if let (Some(side), Some(player)) = (self.evaluation.sides[index], PlayerId::new(index)) {
                self.mobility[usize::from(side)] += self.session.mobility(player)? as i64;
            }
        }
        Ok(())
    }
}

impl search::Game for Bridge {
    type Moves = Moves;
    type Fault = Fault;

    fn players(&self) -> usize {
        self.evaluation.n_sides.max(1)
    }

    fn actor(&self) -> Actor {
        if self.session.is_chance() {
            return Actor::Chance;
        }
        // Whoever decides is on a side, if not random.
        Actor::Player(self.evaluation.sides[self.session.to_move().index()].unwrap_or(0))
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
            self.evaluation.repetition_draws && self.session.n_plies() > self.root && self.session.is_repeated();
        Ok(is_repeated.then_some(search::Outcome::DRAW))
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

    fn evaluate(&mut self, player: u8) -> Result<i32, Fault> {
        let side = usize::from(player);
        if side >= self.evaluation.n_sides {
            return Ok(0);
        }
        self.weigh_material();
        self.weigh_mobility()?;
        let n_others = self.evaluation.n_sides as i64 - 1;
        let others = |sums: &[i64]| {
            let all: i64 = sums.iter().sum();
            if n_others == 0 {
                0
            } else {
                (all - sums[side]) / n_others
            }
        };
        let material = self.material[side] - others(&self.material);
        let (own, their) = (self.mobility[side], others(&self.mobility));
        let mobility = MOBILITY_WEIGHT * (own - their) / (own + their + 2 * MOBILITY_BASE);
        let score = material + mobility * i64::from(self.evaluation.signs[side]);
        Ok(score.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
    }
}

/// What is looked at to value a move before it is made.
struct Appraisal<'a> {
    rules: &'a Rules,
    state: &'a State,
    evaluation: &'a Evaluation,
    mover: PlayerId,
}

impl Appraisal<'_> {
    fn value(&self, effects: &[Effect]) -> MoveValue {
        let mut gain = 0;
        let mut tactical = false;
        let mut arriving = Occupant::NONE;
        for effect in effects {
            match *effect {
                Effect::Move { from, to } => {
                    arriving = self.state.occupant(from);
                    if !leaves(effects, to) {
                        tactical |= self.take(to, &mut gain);
                    }
                }
                Effect::Drop { piece, to } | Effect::Copy { piece, to } | Effect::Create { piece, at: to } => {
                    arriving = piece;
                    if !leaves(effects, to) {
                        tactical |= self.take(to, &mut gain);
                    }
                }
                Effect::Capture { at } => tactical |= self.take(at, &mut gain),
                Effect::ChangeOwner { at, .. } | Effect::Flip { at } => {
                    // Its value changes sides. It is no reason to look further: some games turn pieces with every move.
                    let mut lost = 0;
                    self.take(at, &mut lost);
                    gain += 2 * lost;
                }
                Effect::ChangeKind { kind, .. } | Effect::Promote { kind, .. } if arriving.is_some() => {
                    let promoted = self.rules.occupant(self.rules.owner(arriving), kind);
                    let more = self.evaluation.value(promoted) - self.evaluation.value(arriving);
                    gain += more;
                    tactical |= more > 0;
                }
                Effect::ChangeKind { .. } | Effect::Promote { .. } | Effect::SetAttribute { .. } => {}
            }
        }
        if tactical && arriving.is_some() {
            gain -= self.evaluation.value(arriving) / CAPTURER_PART;
        }
        let sign = self
            .evaluation
            .side(self.mover)
            .map_or(1, |side| self.evaluation.signs[usize::from(side)]);
        MoveValue {
            gain: gain * sign,
            tactical,
        }
    }

    /// Adds what the mover's side gains when the piece on `cell` is taken; tells whether there is one of value.
    fn take(&self, cell: CellId, gain: &mut i32) -> bool {
        let piece = self.state.occupant(cell);
        if piece.is_none() {
            return false;
        }
        let value = self.evaluation.value(piece);
        let owner = self.rules.owner(piece);
        match self.evaluation.side(owner) {
            Some(side) if Some(side) == self.evaluation.side(self.mover) => *gain -= value,
            Some(_) => *gain += value,
            None => {}
        }
        value != 0
    }
}

/// Tells whether a movement starts on `cell`.
fn leaves(effects: &[Effect], cell: CellId) -> bool {
    effects
        .iter()
        .take_while(|effect| effect.is_movement())
        .any(|effect| match *effect {
            Effect::Move { from, .. } => from == cell,
            _ => false,
        })
}

/// Numbers the sides in the order in which they first decide.
fn find_sides(model: &GameModel) -> (Vec<Option<u8>>, usize) {
    let mut sides = vec![None; model.players.len()];
    let mut n_sides = 0usize;
    let decides = |player: PlayerId| !model.players[player.index()].random;
    for item in model.turn_order.items.iter().filter(|item| decides(item.player)) {
        if sides[item.player.index()].is_none() {
            sides[item.player.index()] = Some(n_sides.min(usize::from(u8::MAX)) as u8);
            n_sides += 1;
        }
    }
    for item in model.turn_order.items.iter().filter(|item| decides(item.player)) {
        if sides[item.acts_as.index()].is_none() {
            sides[item.acts_as.index()] = sides[item.player.index()];
        }
    }
    (sides, n_sides)
}

/// Tells whether a player wins by being without moves, or by having fewer pieces than at the start.
fn fewer_is_better(rules: &Rules, player: PlayerId) -> bool {
    let model = &rules.model;
    let at_start = model
        .setup
        .pieces
        .iter()
        .filter(|&&(_, owner, _)| owner == player)
        .count();
    model
        .goals
        .iter()
        .filter(|goal| goal.kind == GoalKind::Win && goal.players.contains(&player))
        .any(|goal| {
            let is_small = |condition: &GoalCondition| match condition {
                GoalCondition::Stalemated => true,
                GoalCondition::PiecesRemaining(count, _) => (*count as usize) < at_start,
                _ => false,
            };
            match &goal.condition {
                GoalCondition::Or(parts) => parts.iter().any(is_small),
                condition => is_small(condition),
            }
        })
}

/// Tells whether a repeated position may be scored as a draw: chance decides nothing in between, and no goal gives
/// repetition another meaning.
fn repetition_draws(rules: &Rules) -> bool {
    let is_random = |player: PlayerId| rules.model.players[player.index()].random;
    let has_chance = rules.model.turn_order.items.iter().any(|item| is_random(item.player));
    let goals = &rules.goals;
    !has_chance
        && goals
            .iter()
            .all(|goal| !goal.speaks_of_repetition || goal.kind == GoalKind::Draw)
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
    }
}

/// The finalizer of SplitMix64: spreads all bits.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
