//! How good a state is for each side, from what the rules tell.
//!
//! Some things are added up. *Material*: what the pieces are worth. *Places*: what it is worth that a piece stands where
//! it does, by the goals that name places, by promotion, and by safety from changing its owner. *Lines*: rows that a
//! goal asks for and that can still be filled. *Mobility*: the moves there are, which costs most and comes last, or the
//! *room* for them where they are too many. Play may have found more: what pieces in *hand* are worth, *pairs* of pieces
//! close to each other, *runners* that nothing can stop, the *activity* of moves by what they are, what it is worth to have
//! the *turn*, and the *prospects* of a lead to win.

use std::sync::Arc;

use super::activity::{self, Activity};
use super::aspects::Aspects;
use super::hands::Hands;
use super::hunt::Hunt;
use super::lines::Lines;
use super::pairs::Pairs;
use super::prospects::Prospects;
use super::room::{Room, Survey};
use super::runners::Runners;
use super::sides::Sides;
use super::tally::Tally;
use super::weights::{Layout, Part, Stage, Subject, Weights};
use super::{Candidates, Moves, TooManySides, places, tactics, values};
use crate::model::goal::{GoalCondition, GoalKind};
use crate::model::option::{MaximalCaptures, PassTurn};
use crate::model::quirk::NoMove;
use crate::model::{CellId, Occupant, PieceKindId, PlayerId};
use crate::play::legal::Workspace;
use crate::play::outcome::{Outcome, PlayerResult};
use crate::play::{Decision, Session};
use crate::program::Op;
use crate::rules::Rules;
use crate::search::{self, Ending, MAX_PLAYERS};
use crate::state::{MoveList, State};
use crate::vm::Fault;

/// What all mobility of a state is worth, in score points.
const MOBILITY_WEIGHT: i32 = 80;
/// The same in games of fickle pieces.
const FICKLE_MOBILITY_WEIGHT: i32 = 600;
/// Moves that both sides are taken to have besides, so that the first few do not count for everything.
const MOBILITY_BASE: i32 = 8;
/// The plies after which simulations are judged.
const PLAYOUT_CUT: u32 = 4;
/// If the sides have more moves than this at the start, mobility is not looked at: it would cost more than it tells.
const MANY_MOVES: usize = 1_000;

/// What a game's rules tell about the worth of its states; made once for a game and shared by all searches.
#[derive(Clone, Debug)]
pub struct Evaluation {
    sides: Sides,
    /// The players of each side.
    players: Vec<Vec<PlayerId>>,
    /// The value of each piece to its owner, by occupant; negative where it is better not to have it.
    values: Vec<i32>,
    /// For each side 1, or -1 where fewer pieces, and fewer moves, are better.
    signs: Vec<i32>,
    hands: Hands,
    /// What each piece is worth on each cell, by [`places::slot`].
    worths: Vec<Worth>,
    /// Whether anything comes to be worth more in the course of the game.
    changes_late: bool,
    /// The pieces of value at the start, and by how many they can come to differ from that.
    course: (i64, i64),
    lines: Lines,
    pairs: Pairs,
    runners: Runners,
    activity: Activity,
    aspects: Aspects,
    /// What it is worth to have the turn, in score points.
    turn: i32,
    prospects: Prospects,
    hunt: Option<Hunt>,
    room: Option<Room>,
    /// Whether pieces change owner and are counted in the end, so that having many early means little.
    is_fickle: bool,
    mobility: Mobility,
    /// What all mobility of a state is worth, in score points.
    mobility_weight: i32,
    /// Whether simulations have turned out stronger, or weaker.
    simulations: Option<bool>,
    /// Whether a position that occurs again can be scored as a draw.
    repetition_draws: bool,
    /// Whether nothing tells who stands better: pieces are dropped and stay, and neither places nor rows nor moves count.
    is_blind: bool,
    /// Whether the board is only ever filled.
    only_fills: bool,
    /// Whether there are pieces that must not be left attacked.
    has_check: bool,
    /// Whether it is hardly ever a burden to have the turn.
    passes_are_harmless: bool,
    /// Whether states can be judged without their moves.
    allows_glances: bool,
    /// Whether tactical moves can be listed alone.
    allows_tactics: bool,
    /// Whether it tells anything that a move is tactical.
    tactics_stand_out: bool,
    stated: Stated,
}

/// What a piece is worth on a cell to its side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    /// The value of the piece.
    pub value: i32,
    /// What its place comes to.
    pub place: i32,
    /// What comes to that in the course of the game.
    pub late: i32,
    /// Its side, or [`NO_SIDE`].
    pub side: u8,
}

/// The side of a piece that is on none.
pub(super) const NO_SIDE: u8 = u8::MAX;

/// How moves are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mobility {
    /// Not at all.
    Off,
    /// By generating the candidates of all sides.
    Candidates,
    /// The same, but the legal moves of the side to move, known anyway, stand for its candidates.
    Listed,
}

impl Evaluation {
    /// Derives the evaluation from the rules of a game.
    ///
    /// # Errors
    /// When there are too many sides.
    pub fn new(rules: &Arc<Rules>) -> Result<Evaluation, TooManySides> {
        Evaluation::with_weights(rules, &Weights::default())
    }

    /// Derives the evaluation from the rules of a game, and lets its parts count as found by play.
    ///
    /// # Errors
    /// When there are too many sides.
    pub fn with_weights(rules: &Arc<Rules>, weights: &Weights) -> Result<Evaluation, TooManySides> {
        let model = &rules.model;
        let sides = Sides::find(rules);
        let n_sides = sides.count();
        if n_sides > MAX_PLAYERS {
            return Err(TooManySides { sides: n_sides });
        }
        let mut signs = vec![1; n_sides];
        for player in model.player_ids() {
            if let Some(side) = sides.of(player).filter(|_| fewer_is_better(rules, player)) {
                signs[usize::from(side)] = -1;
            }
        }
        let mut values = values::derive(rules);
        let prospects = Prospects::new(rules, &values, weights);
        for piece in rules.occupants.pieces() {
            let sign = sides.of_piece(piece).map_or(1, |side| signs[usize::from(side)]);
            let name = model.kinds[rules.kind(piece).index()].name.clone();
            values[piece.index()] = sign * values[piece.index()] * weights.get(&Part::Piece(name)) / 100;
        }
        let stated = Stated::of(rules);
        let is_fickle = is_fickle(rules);
        let mobility = choose_mobility(rules);
        let counts_moves = counts_moves(rules) || signs.contains(&-1);
        let side_of = |player: PlayerId| sides.of(player);
        let scales = places::Scales {
            places: weights.get(&Part::Places),
            center: weights.get(&Part::Center),
        };
        let mut places = places::derive(rules, &values, &sides, is_fickle, scales);
        let knows_places = !places.is_empty();
        let (mut late_places, mut pairs, mut runners) = (Vec::new(), Pairs::default(), Runners::default());
        let needs_layout = weights.has_tables() || weights.has_actions();
        let layout = needs_layout.then(|| Layout::find(rules)).flatten();
        if let Some(layout) = &layout {
            add_tables(rules, layout, weights, Stage::Always, &mut places);
            add_tables(rules, layout, weights, Stage::Late, &mut late_places);
            pairs = Pairs::new(rules, layout, weights);
            runners = Runners::new(rules, layout, weights);
        }
        let activity = Activity::new(rules, layout.as_ref(), weights);
        let aspects = match n_sides {
            2 => Aspects::find(rules, |piece| sides.of_piece(piece)),
            _ => Aspects::default(),
        };
        let hands = Hands::new(rules, &values, weights, side_of);
        let lines = Lines::find(rules, &side_of, weights.get(&Part::Lines));
        let players: Vec<Vec<PlayerId>> = (0..n_sides)
            .map(|side| {
                (model.player_ids())
                    .filter(|player| side_of(*player) == Some(side as u8))
                    .collect()
            })
            .collect();
        let room = match mobility {
            Mobility::Off if counts_moves && stated == Stated::Nothing => Room::new(rules, &players, &signs),
            _ => None,
        };
        let counts_room = room.is_some();
        let mut evaluation = Evaluation {
            is_blind: stated == Stated::Nothing
                && only_drops(rules)
                && !is_fickle
                && !knows_places
                && lines.is_empty()
                && mobility == Mobility::Off
                && !counts_room,
            worths: worths(rules, &sides, &values, &places, &late_places),
            changes_late: !late_places.is_empty() || !pairs.is_empty() || !runners.is_empty(),
            course: course(rules, &sides, &values),
            lines,
            pairs,
            runners,
            activity,
            aspects,
            turn: weights.turn,
            prospects,
            hunt: Hunt::find(rules, &players),
            room,
            players,
            sides,
            values,
            signs,
            hands,
            is_fickle,
            mobility,
            mobility_weight: if is_fickle {
                FICKLE_MOBILITY_WEIGHT
            } else {
                MOBILITY_WEIGHT
            } * weights.get(&Part::Mobility)
                / 100,
            simulations: weights.simulations,
            repetition_draws: repetition_draws(rules),
            only_fills: only_fills(rules),
            has_check: model.player_ids().any(|player| !rules.royal(player).is_empty()),
            // A pass that the rules do not list has no tail of the ply.
            passes_are_harmless: model.is_classic()
                && n_sides == 2
                && !is_fickle
                && !counts_moves
                && !only_drops(rules)
                && !has_urgency(rules),
            allows_glances: (!counts_moves && !has_urgency(rules) && !is_fickle && stated == Stated::Nothing)
                || counts_room,
            allows_tactics: model.is_classic() && !has_urgency(rules),
            tactics_stand_out: true,
            stated,
        };
        evaluation.tactics_stand_out = tactics::stand_out(rules, &evaluation);
        Ok(evaluation)
    }

    /// Returns the side that `player`'s pieces are on, by index from 0, if any.
    pub fn side(&self, player: PlayerId) -> Option<u8> {
        self.sides.of(player)
    }

    /// Returns the side that a piece serves, if any.
    pub fn side_of_piece(&self, piece: Occupant) -> Option<u8> {
        self.sides.of_piece(piece)
    }

    /// Returns the players whose pieces are on a side.
    pub fn players_of(&self, side: u8) -> &[PlayerId] {
        self.players.get(usize::from(side)).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of sides.
    pub fn n_sides(&self) -> usize {
        self.sides.count()
    }

    /// Returns the value of a piece to its owner in score points; negative where it is better not to have it.
    pub fn value(&self, piece: Occupant) -> i32 {
        self.values[piece.index()]
    }

    /// Tells whether a position that occurs again can be scored as a draw.
    pub fn repetition_draws(&self) -> bool {
        self.repetition_draws
    }

    /// Tells whether simulations can be expected to judge this game better than the evaluation: it knows next to nothing
    /// of who stands better, or more than two play, unless play has shown otherwise.
    pub fn prefers_simulations(&self) -> bool {
        self.simulations.unwrap_or(self.n_sides() > 2 || self.is_blind)
    }

    /// Returns the plies after which the evaluation should judge a simulation; none where it had better be played out.
    pub fn playout_cut(&self) -> Option<u32> {
        (!self.is_blind).then_some(PLAYOUT_CUT)
    }

    /// Tells whether a move is about as good later as now, so that simulations can learn from games in which it was made
    /// later: pieces are dropped and stay, and nothing else is known of who stands better.
    pub fn suits_rave(&self) -> bool {
        self.is_blind
    }

    /// Tells whether the board is only ever filled: each ply drops a piece, and none leaves its cell.
    pub fn only_fills(&self) -> bool {
        self.only_fills
    }

    /// Tells whether there are pieces that must not be left attacked.
    pub fn has_check(&self) -> bool {
        self.has_check
    }

    /// Tells whether it is hardly ever a burden to have the turn, so that what is good after a pass is good: two sides
    /// move pieces of their choice, and nothing is decided by who is without moves.
    pub fn passes_are_harmless(&self) -> bool {
        self.passes_are_harmless
    }

    /// Tells whether states can be judged without their moves: nobody must capture, and nobody wins or loses by being
    /// without moves, other than by mate, unless the room that sides have tells as much.
    pub fn allows_glances(&self) -> bool {
        self.allows_glances
    }

    /// Tells whether the room that sides have is looked at, for want of anything better: then there are so many moves that
    /// none are followed beyond the horizon.
    pub fn counts_room(&self) -> bool {
        self.room.is_some()
    }

    /// Tells whether it tells anything that a move is tactical: not nearly all moves are.
    pub fn tactics_stand_out(&self) -> bool {
        self.tactics_stand_out
    }

    /// Tells whether the tactical moves of a state can be listed without the others: all moves are of the same urgency,
    /// and nothing compares them.
    pub fn allows_tactics(&self) -> bool {
        self.allows_tactics
    }

    /// Returns the outcome of a game as its sides see it.
    pub fn outcome(&self, outcome: Outcome) -> search::Outcome {
        // A side wins with the player it decides for.
        let side_of = |player: PlayerId| self.side(player);
        let mut result = search::Outcome::DRAW;
        match outcome.decision {
            Decision::Draw | Decision::Level(_) => return result,
            Decision::Win(player) | Decision::Loss(player) => {
                if let Some(side) = side_of(player) {
                    let won = outcome.result(player) == PlayerResult::Win;
                    return match won {
                        true => search::Outcome::won_by(side, self.n_sides()),
                        false => search::Outcome::lost_by(side, self.n_sides()),
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
        for side in 0..self.n_sides() as u8 {
            result = result.with(side, ending);
        }
        result
    }

    /// Returns how far the game has come, from 0 to about 1, by the number of pieces on the board.
    pub fn lateness(&self, rules: &Rules, state: &State) -> f64 {
        let pieces = rules.occupants.pieces();
        let counts = |piece: &Occupant| self.side_of_piece(*piece).is_some() && self.values[piece.index()] != 0;
        let count: i64 = pieces.filter(counts).map(|piece| i64::from(state.count(piece))).sum();
        let (at_start, most) = self.course;
        (count - at_start).abs() as f64 / most as f64
    }

    /// Returns the rows that goals ask for.
    pub(super) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Returns what pairs of pieces are worth.
    pub(super) fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// Returns what running is worth.
    pub(super) fn runners(&self) -> &Runners {
        &self.runners
    }

    /// Returns what a piece is worth on a cell, or that it is on no side.
    #[inline]
    pub(super) fn worth(&self, rules: &Rules, piece: Occupant, cell: CellId) -> Worth {
        self.worths[places::slot(rules, piece, cell)]
    }

    /// Returns how much better `side` stands than the others on the average, mobility left aside. `sums` has an entry
    /// for each side, of any content.
    pub(super) fn standing(
        &self,
        rules: &Rules,
        state: &State,
        (tally, survey): (&mut Tally, &mut Survey),
        side: usize,
        sums: &mut [i64],
    ) -> i32 {
        let (found, n_counted, run) = tally.sums(rules, self, state);
        for (sum, found) in sums.iter_mut().zip(found) {
            *sum = found.material;
        }
        self.hands.add_values(state, sums);
        if self.is_fickle {
            // The fuller the board, the fewer pieces will still change their owner.
            let n_cells = rules.n_cells as i64;
            let (part, whole) = (n_counted * n_counted * n_counted, n_cells * n_cells * n_cells);
            sums.iter_mut().for_each(|sum| *sum = *sum * part / whole);
        }
        for (sum, found) in sums.iter_mut().zip(found) {
            *sum += found.places + found.lines;
        }
        if let Some(sum) = sums.first_mut() {
            *sum += run.0;
        }
        let (at_start, most) = self.course;
        let part = (n_counted - at_start).abs();
        self.hands.add_more(state, (part, most), sums);
        if self.changes_late {
            for (sum, found) in sums.iter_mut().zip(found) {
                *sum += found.late * part / most;
            }
            if let Some(sum) = sums.first_mut() {
                *sum += run.1 * part / most;
            }
        }
        if let Some(hunt) = &self.hunt {
            hunt.sum(state, sums);
        }
        if let Some(room) = &self.room {
            room.sum(rules, state, survey, sums);
        }
        clamped(self.prospects.weigh(state, side, lead(side, sums)))
    }

    /// Returns what it is worth to a side that it is a player's turn.
    pub(super) fn worth_of_turn(&self, player: PlayerId, side: usize) -> i32 {
        match self.side(player) {
            Some(mover) if usize::from(mover) == side => self.turn,
            Some(_) => -self.turn,
            None => 0,
        }
    }

    /// Returns what the rules themselves say of how much better `side` stands than the others on the average, if they
    /// say something. `sums` has an entry for each side, of any content.
    ///
    /// # Language
    /// `docs/language.md`: evaluate, score.
    ///
    /// # Errors
    /// When a rule faults.
    pub fn stated(&self, session: &mut Session, side: usize, sums: &mut [i64]) -> Result<Option<Said>, Fault> {
        if self.stated == Stated::Nothing {
            return Ok(None);
        }
        sums.fill(0);
        if self.stated == Stated::Scores {
            for (player, score) in session.scores()? {
                if let Some(side) = self.side(player) {
                    sums[usize::from(side)] += i64::from(score) * SCORE_WEIGHT;
                }
            }
            return Ok(Some(Said::Besides(clamped(lead(side, sums)))));
        }
        for (side, players) in self.players.iter().enumerate() {
            for &player in players {
                sums[side] += i64::from(session.evaluation(player)?.unwrap_or(0));
            }
        }
        Ok(Some(Said::All(clamped(lead(side, sums)))))
    }

    /// Returns the most that the moves of both sides can be worth to one of them, in score points.
    pub fn mobility_margin(&self) -> i32 {
        match self.mobility {
            Mobility::Off => 0,
            Mobility::Candidates | Mobility::Listed => {
                let activity = if self.activity.is_empty() { 0 } else { activity::LIMIT };
                self.mobility_weight.abs() + activity
            }
        }
    }

    /// Returns how much better `side` can move than the others on the average, by the number of moves and by what they are.
    /// `n_counted` is the number of pieces of value on the board, `sums` has an entry for each side, of any content, and
    /// `moves` are the legal moves of the session's state.
    ///
    /// # Errors
    /// When a rule faults.
    pub(super) fn mobility(
        &self,
        session: &mut Session,
        moves: &Moves,
        (side, n_counted): (usize, i64),
        sums: &mut [i64],
    ) -> Result<i32, Fault> {
        sums.fill(0);
        let (mut always, mut late) = (0, 0);
        self.look_at_moves(session, moves, |rules, state, player, seen| {
            let (count, activity) = match seen {
                Seen::Listed(list) => (list.len(), self.activity.sum(rules, state, list, player)),
                Seen::Known(candidates) => (candidates.count, candidates.activity),
            };
            let mover = self.side(player).map_or(side, usize::from);
            sums[mover] += count as i64;
            let sign = if mover == side { 1 } else { -1 };
            always += i64::from(sign * activity.0);
            late += i64::from(sign * activity.1);
        })?;
        let own = sums[side];
        let their = own - lead(side, sums);
        let part = i64::from(self.mobility_weight * self.signs[side]) * (own - their);
        let (at_start, most) = self.course;
        let activity = always + late * (n_counted - at_start).abs() / most;
        let limit = i64::from(activity::LIMIT);
        Ok(clamped(
            part / (own + their + 2 * i64::from(MOBILITY_BASE)) + activity.clamp(-limit, limit),
        ))
    }

    /// Calls `visit` with the number of each action that a move of either side is, and 1 if it is the first side's, else -1;
    /// not at all where moves are not looked at. `moves` are the legal moves of the session's state.
    ///
    /// # Errors
    /// When a rule faults.
    pub(super) fn visit_actions(
        &self,
        session: &mut Session,
        activity: &Activity,
        moves: &Moves,
        mut visit: impl FnMut(usize, i32),
    ) -> Result<(), Fault> {
        if self.mobility == Mobility::Off {
            return Ok(());
        }
        self.look_at_moves(session, moves, |rules, state, player, seen| {
            let sign = if self.side(player) == Some(0) { 1 } else { -1 };
            let view = activity.view(rules, state, player);
            if let Seen::Listed(list) = seen {
                for entry in list.iter() {
                    view.visit(rules, state, entry, |action| visit(action, sign));
                }
            }
        })
    }

    /// Calls `look` with each player on a side and its moves: the legal ones that are known already, where they are looked
    /// at, or else its candidates.
    fn look_at_moves(
        &self,
        session: &mut Session,
        moves: &Moves,
        mut look: impl FnMut(&Rules, &State, PlayerId, Seen<'_>),
    ) -> Result<(), Fault> {
        let listed = match self.mobility {
            Mobility::Listed => Some(session.turn_item().acts_as),
            Mobility::Off | Mobility::Candidates => None,
        };
        for player in session
            .rules()
            .model
            .player_ids()
            .filter(|player| self.side(*player).is_some())
        {
            if listed != Some(player) {
                session.look_at_candidates(player, |rules, state, list| {
                    look(rules, state, player, Seen::Listed(list))
                })?;
                continue;
            }
            let seen = match moves.candidates {
                Some(candidates) => Seen::Known(candidates),
                None => Seen::Listed(&moves.list),
            };
            look(session.rules(), session.state(), player, seen);
        }
        Ok(())
    }

    /// Returns what states can have in common.
    pub(super) fn aspects(&self) -> &Aspects {
        &self.aspects
    }

    /// Returns what moves are worth by what they are.
    pub(super) fn activity(&self) -> &Activity {
        &self.activity
    }
}

/// The moves of a player, or what there is to say of them.
enum Seen<'a> {
    Listed(&'a MoveList),
    Known(Candidates),
}

/// What the rules say themselves of how good a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stated {
    Nothing,
    /// The scores, which decide in the end.
    Scores,
    /// Everything.
    Evaluations,
}

impl Stated {
    fn of(rules: &Rules) -> Stated {
        let extensions = &rules.model.extensions;
        match (extensions.evaluations.is_empty(), extensions.scores.is_empty()) {
            (false, _) => Stated::Evaluations,
            (true, false) => Stated::Scores,
            (true, true) => Stated::Nothing,
        }
    }
}

/// What the rules say of a state, in points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// This counts besides what is derived.
    Besides(i32),
    /// This is all that counts.
    All(i32),
}

/// What one point of a score is worth.
const SCORE_WEIGHT: i64 = 60;

/// Returns by how much the sum of `side` exceeds the mean of the other sums.
fn lead(side: usize, sums: &[i64]) -> i64 {
    let others = sums.iter().sum::<i64>() - sums[side];
    let mean = others.checked_div(sums.len() as i64 - 1).unwrap_or(0);
    sums[side] - mean
}

fn clamped(score: i64) -> i32 {
    score.clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32
}

/// Adds to `places`, laid out as in the evaluation, what play has found.
fn add_tables(rules: &Rules, layout: &Layout, weights: &Weights, stage: Stage, places: &mut Vec<i32>) {
    for piece in rules.occupants.pieces() {
        let kind = rules.model.kinds[rules.kind(piece).index()].name.clone();
        if let Some(table) = weights.table(&Subject::Places(kind), stage) {
            places.resize(rules.occupants.len() * rules.n_cells, 0);
            let own = &mut places[places::slot(rules, piece, CellId(0))..][..rules.n_cells];
            let values = layout.values(table, rules.owner(piece));
            own.iter_mut().zip(values).for_each(|(place, value)| *place += value);
        }
    }
}

/// Puts together what each piece is worth on each cell, by [`places::slot`], as are the tables of places, which may be
/// empty. Of a piece on no side its place counts alone, for the first side of two.
fn worths(rules: &Rules, sides: &Sides, values: &[i32], places: &[i32], late_places: &[i32]) -> Vec<Worth> {
    let at = |table: &[i32], slot: usize| table.get(slot).copied().unwrap_or(0);
    let nothing = Worth {
        value: 0,
        place: 0,
        late: 0,
        side: NO_SIDE,
    };
    let mut worths = vec![nothing; rules.occupants.len() * rules.n_cells];
    for piece in rules.occupants.pieces() {
        let side = sides.of_piece(piece);
        for cell in rules.model.board.cell_ids() {
            let slot = places::slot(rules, piece, cell);
            let (place, late) = (at(places, slot), at(late_places, slot));
            let is_stray = side.is_none() && sides.count() == 2 && place != 0;
            worths[slot] = Worth {
                value: if is_stray { 0 } else { values[piece.index()] },
                place,
                late,
                side: if is_stray {
                    places::FIRST_SIDE
                } else {
                    side.unwrap_or(NO_SIDE)
                },
            };
        }
    }
    worths
}

/// Returns how many pieces of value stand on the board at the start, and by how many more or fewer there can come to be.
fn course(rules: &Rules, sides: &Sides, values: &[i32]) -> (i64, i64) {
    let counts = |&&(_, player, kind): &&(CellId, PlayerId, PieceKindId)| {
        let piece = rules.occupant(player, kind);
        sides.of_piece(piece).is_some() && values[piece.index()] != 0
    };
    let at_start = rules.model.setup.pieces.iter().filter(counts).count() as i64;
    (at_start, at_start.max(rules.n_cells as i64 - at_start).max(1))
}

/// Tells whether a player wins by being without moves, or by having fewer pieces than at the start.
fn fewer_is_better(rules: &Rules, player: PlayerId) -> bool {
    let model = &rules.model;
    let at_start = |kind: Option<PieceKindId>| {
        let counts = |other: PieceKindId| kind.is_none_or(|kind| kind == other);
        let pieces = model.setup.pieces.iter();
        pieces
            .filter(|&&(_, owner, kind)| owner == player && counts(kind))
            .count()
    };
    let is_small = |condition: &GoalCondition| match condition {
        GoalCondition::Stalemated => true,
        GoalCondition::PiecesRemaining(count, kind) => (*count as usize) < at_start(*kind),
        _ => false,
    };
    let mut wins = (model.goals.iter()).filter(|goal| goal.kind == GoalKind::Win && goal.players.contains(&player));
    wins.any(|goal| match &goal.condition {
        GoalCondition::Or(parts) => parts.iter().any(is_small),
        condition => is_small(condition),
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

/// Tells whether pieces change owner by moves and are counted in the end.
fn is_fickle(rules: &Rules) -> bool {
    let changes_owner = |op: &Op| matches!(op, Op::Flip { .. } | Op::ChangeOwner { .. });
    rules.goals.iter().any(|goal| goal.kind == GoalKind::Count) && rules.program.ops.iter().any(changes_owner)
}

/// Chooses how moves are counted in a game.
fn choose_mobility(rules: &Rules) -> Mobility {
    let model = &rules.model;
    let mut workspace = Workspace::new(rules, State::start(rules));
    let mut count = 0;
    for player in model.player_ids() {
        match workspace.mobility(rules, player) {
            Ok(moves) => count += moves,
            Err(_) => return Mobility::Off,
        }
    }
    match count {
        MANY_MOVES.. => Mobility::Off,
        _ if has_even_moves(rules) => Mobility::Off,
        // Their number does not tell how free a side is.
        _ if has_urgency(rules) => Mobility::Candidates,
        _ => Mobility::Listed,
    }
}

/// Tells whether only the moves of the most urgent sort are legal, such as captures.
fn has_urgency(rules: &Rules) -> bool {
    let model = &rules.model;
    (0..model.turn_order.items.len()).any(|item| rules.turn_tiers(item).count() > 1)
        || model.options.maximal_captures != MaximalCaptures::Off
}

/// Tells whether pieces are dropped and stay as they are.
fn only_drops(rules: &Rules) -> bool {
    rules.model.kinds.iter().all(|kind| kind.moves.is_empty())
}

/// Tells whether the board is only ever filled: pieces are dropped, and no block takes one up.
fn only_fills(rules: &Rules) -> bool {
    let takes_up = |op: &Op| matches!(op, Op::Capture { .. } | Op::Cascade | Op::SetFrom);
    only_drops(rules) && rules.model.options.pass_turn == PassTurn::Never && !rules.program.ops.iter().any(takes_up)
}

/// Tells whether being without moves wins or loses, other than by mate.
fn counts_moves(rules: &Rules) -> bool {
    let mut counts_moves = rules.model.options.quirks.no_move == NoMove::Loss;
    for goal in &rules.model.goals {
        let decides = matches!(goal.kind, GoalKind::Win | GoalKind::Loss);
        (goal.condition).walk(&mut |part| counts_moves |= decides && *part == GoalCondition::Stalemated);
    }
    counts_moves
}

/// Tells whether it does not matter who has more moves, because all share the cells that are left: pieces are dropped and
/// stay as they are, and being without moves neither wins nor loses.
fn has_even_moves(rules: &Rules) -> bool {
    only_drops(rules) && !counts_moves(rules) && !is_fickle(rules)
}

#[cfg(test)]
mod tests {
    use super::super::values::tests::scouts;
    use super::*;

    /// Tells of the first player whether fewer is better with a goal.
    fn is_fewer_better(goal: &str) -> bool {
        let rules = scouts(&format!("(win-condition (White Black) {goal})"));
        let white = rules.model.player_ids().next().unwrap();
        fewer_is_better(&rules, white)
    }

    #[test]
    fn fewer_is_better_where_pieces_must_go_of_their_own_kind() {
        assert!(is_fewer_better("(pieces-remaining 0)"));
        assert!(is_fewer_better("(pieces-remaining 1 Man)"));
        assert!(is_fewer_better("(or stalemated (pieces-remaining 5 Man))"));
        // These must be gathered.
        assert!(!is_fewer_better("(pieces-remaining 2 Token)"));
        assert!(!is_fewer_better("(pieces-remaining 2 Scout)"));
        assert!(!is_fewer_better(
            "(and (pieces-remaining 1 Man) (pieces-remaining 2 Token))"
        ));
    }
}
