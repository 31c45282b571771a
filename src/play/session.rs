//! A game in progress.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::contest::Contest;
use super::legal::{Workspace, best_rated};
use super::outcome::{Decision, Outcome, Reason};
use crate::model::goal::GoalKind;
use crate::model::quirk::{GoalsInChain, NoMove, Repetition};
use crate::model::{CellId, PlayerId, TurnItem};
use crate::program::goal::GoalProgram;
use crate::rules::Rules;
use crate::state::{Effect, Keys, LogMark, MoveEntry, MoveList, State, UndoLog};
use crate::vm::goal::GoalContext;
use crate::vm::{self, Fault};

/// A game in progress: rules, the present state, and the past as far as it matters.
///
/// # Examples
/// ```
/// use ludex::{MoveList, Session, load};
///
/// let text = b"(game (title \"Race\") (players A B) (turn-order A B)
///     (board (grid (dimensions (\"a/b/c\" (1 0)) (\"1\" (0 1))) (directions (e 1 0))))
///     (board-setup (A (Man a1)))
///     (piece (name Man) (moves (e add)))
///     (loss-condition (B) (and stalemated (pieces-remaining 0))))";
/// let game = load("race.zrf", text).expect("the rules are right").remove(0);
/// let mut session = Session::new(game.into());
/// let mut moves = MoveList::new();
/// assert_eq!(session.legal_moves(&mut moves), Ok(None));
/// session.make(&moves, 0).expect("the rules do not fault");
/// assert!(session.legal_moves(&mut moves).expect("the rules do not fault").is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Session {
    rules: Arc<Rules>,
    workspace: Workspace,
    /// One record for the start and for each ply.
    records: Vec<Record>,
    /// The repetition key of each record.
    past_keys: Vec<u64>,
    /// What the rules did wrong when the game began, if they did.
    fault: Option<Fault>,
    /// The round of a match that this game is.
    contest: Contest,
    is_automatic: bool,
    /// A state to go back to; kept for its memory.
    kept: Option<State>,
}

/// What is remembered of a position that has occurred.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// How often the position has occurred up to now, itself included.
    occurrences: u32,
    /// The first record whose position a later one can be equal to.
    comparable_from: usize,
    /// What the goals about the board decided after the ply that led here.
    decided: Option<Outcome>,
    /// Whether none of the goals about the board held then, so that those that hold after the next ply have come about by
    /// it; false if that is not known.
    held_no_goal: bool,
    /// Who made that ply.
    moved: Option<PlayerId>,
    /// Whether the choice of a policy is law now.
    is_forced: bool,
}

impl Session {
    /// Begins a game at its start. Where chance sets up the board, it is always the same chance; see
    /// [`Session::with_chance`].
    ///
    /// What the rules do wrong then is told by [`Session::legal_moves`].
    pub fn new(rules: Arc<Rules>) -> Session {
        Session::with_chance(rules, &mut ChaCha8Rng::seed_from_u64(0))
    }

    /// Begins a game at its start; where chance sets up the board, `random` decides.
    ///
    /// What the rules do wrong then is told by [`Session::legal_moves`].
    pub fn with_chance(rules: Arc<Rules>, random: &mut impl RngExt) -> Session {
        let mut state = State::start(&rules);
        let drawn = vm::setup::draw(&rules, &mut state, random);
        let mut session = Session::from_state(rules, state);
        session.fault = session.fault.or(drawn.err());
        session
    }

    /// Begins a game in a given state, whose earlier positions are not known.
    ///
    /// What the rules do wrong then is told by [`Session::legal_moves`].
    pub fn from_state(rules: Arc<Rules>, state: State) -> Session {
        let mut workspace = Workspace::new(&rules, state);
        let (mut record, fault) = first_record(&rules, &mut workspace);
        // Then the first ply only needs to ask what it has brought about.
        record.held_no_goal = workspace.holds_no_board_goal(&rules);
        let repetition_key = workspace.state.keys().repetition;
        Session {
            rules,
            workspace,
            records: vec![record],
            past_keys: vec![repetition_key],
            fault,
            contest: Contest::default(),
            is_automatic: true,
            kept: None,
        }
    }

    /// Returns where the match stands that this game is a round of.
    pub fn contest(&self) -> &Contest {
        &self.contest
    }

    /// Makes this game a round of a match. The last round is decided by the totals.
    pub fn set_contest(&mut self, contest: Contest) {
        self.contest = contest;
    }

    /// Begins the next round of the match with the scores of this one, however it ended; where chance sets up the board,
    /// `random` decides. Returns none if this is the last round, or the only one.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn next_round(&mut self, random: &mut impl RngExt) -> Result<Option<Session>, Fault> {
        let scores = self.scores()?;
        let Some(contest) = self.contest.after(&self.rules, &scores) else {
            return Ok(None);
        };
        let mut next = Session::with_chance(Arc::clone(&self.rules), random);
        next.set_contest(contest);
        next.set_automatic(self.is_automatic);
        Ok(Some(next))
    }

    /// Says whether no person is playing, which rules can ask (`automatic?`); nobody is at first.
    pub fn set_automatic(&mut self, is_automatic: bool) {
        self.is_automatic = is_automatic;
        self.workspace.set_automatic(is_automatic);
    }

    /// Tells whether no person is playing, as far as the rules are told.
    pub fn is_automatic(&self) -> bool {
        self.is_automatic
    }

    /// Tells whether the choice of a policy is law for the player to move, who is then not asked.
    pub fn is_forced(&self) -> bool {
        self.record().is_forced
    }

    /// Returns the indices of the moves that the policy of the player to move would choose among, of the legal moves;
    /// none if it has no policy.
    pub fn policy_moves(&self, list: &MoveList) -> Option<Vec<usize>> {
        let player = self.to_move();
        let has_policy = (self.rules.model.extensions.policies.iter()).any(|policy| policy.players.contains(&player));
        has_policy.then(|| best_rated(&self.rules, player, list))
    }

    /// Returns the scores of the players that have one.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn scores(&mut self) -> Result<Vec<(PlayerId, i32)>, Fault> {
        let rules = Arc::clone(&self.rules);
        let mut scores = Vec::new();
        for (player, address) in rules.model.player_ids().zip(&rules.program.routines.scores) {
            if let Some(address) = *address {
                scores.push((player, self.workspace.evaluate(&rules, player, address)?));
            }
        }
        Ok(scores)
    }

    /// Returns the scores with what the players bring from earlier rounds of the match.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn totals(&mut self) -> Result<Vec<(PlayerId, i64)>, Fault> {
        let scores = self.scores()?;
        let total = |(player, score)| (player, self.contest.carried(player) + i64::from(score));
        Ok(scores.into_iter().map(total).collect())
    }

    /// Returns the evaluation that the rules give for a player, if they give one.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn evaluation(&mut self, player: PlayerId) -> Result<Option<i32>, Fault> {
        let rules = Arc::clone(&self.rules);
        match rules
            .program
            .routines
            .evaluations
            .get(player.index())
            .copied()
            .flatten()
        {
            Some(address) => self.workspace.evaluate(&rules, player, address).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the outcome of ending the round now by agreement: the scores decide.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn agreed_outcome(&mut self) -> Result<Outcome, Fault> {
        Ok(Outcome {
            decision: self.score_decision()?,
            reason: Reason::Agreement,
        })
    }

    /// Takes up another state of the game, whose earlier positions are not known, by letting `change` make it of the
    /// present one.
    pub(crate) fn take_up(&mut self, change: impl FnOnce(&Rules, &mut State)) {
        change(&self.rules, &mut self.workspace.state);
        let (record, fault) = first_record(&self.rules, &mut self.workspace);
        self.records.clear();
        self.records.push(record);
        self.past_keys.clear();
        self.past_keys.push(self.workspace.state.keys().repetition);
        self.fault = fault;
    }

    /// Chooses whether only the interpreter runs the rules, rather than specialised code where there is some. Both give
    /// the same moves in the same order; tests compare them.
    pub fn interpret_only(&mut self, only: bool) {
        self.workspace.interpret_only(only);
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns the present state.
    pub fn state(&self) -> &State {
        &self.workspace.state
    }

    /// Returns the keys of the present state.
    pub fn keys(&self) -> Keys {
        self.workspace.state.keys()
    }

    /// Returns the number of plies made since the session began.
    pub fn n_plies(&self) -> usize {
        self.records.len() - 1
    }

    /// Returns the turn item in force: who decides, and on whose behalf.
    pub fn turn_item(&self) -> TurnItem {
        self.workspace.turn_item(&self.rules)
    }

    /// Returns the player to move.
    pub fn to_move(&self) -> PlayerId {
        self.turn_item().player
    }

    /// Tells whether chance moves: the player to move is random, or a policy that is law chooses.
    pub fn is_chance(&self) -> bool {
        self.rules.model.players[self.to_move().index()].random || self.record().is_forced
    }

    /// Tells whether a royal piece of the player to move is attacked.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn in_check(&mut self) -> Result<bool, Fault> {
        let player = self.turn_item().acts_as;
        self.workspace.in_check(&self.rules, player)
    }

    /// Counts the candidate moves of a player, whose turn it need not be.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn mobility(&mut self, player: PlayerId) -> Result<usize, Fault> {
        self.look_at_candidates(player, |_, _, list| list.len())
    }

    /// Lists the candidate moves of a player, whose turn it need not be, and returns what `look` makes of them.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub(crate) fn look_at_candidates<T>(
        &mut self,
        player: PlayerId,
        look: impl FnOnce(&Rules, &State, &MoveList) -> T,
    ) -> Result<T, Fault> {
        self.workspace.look_at_candidates(&self.rules, player, look)
    }

    /// Lists the legal moves. If the game is over the list is empty and the outcome is returned.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn legal_moves(&mut self, list: &mut MoveList) -> Result<Option<Outcome>, Fault> {
        list.clear();
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let record = self.record();
        if record.decided.is_some() {
            return Ok(record.decided);
        }
        let repeated = record.occurrences >= 3;
        self.workspace.legal_moves(&self.rules, list)?;
        if !list.is_empty() && !repeated && self.rules.turn_goals_need_trouble {
            return Ok(None);
        }
        let outcome = self.turn_outcome(list)?;
        if outcome.is_some() {
            list.clear();
        }
        Ok(outcome)
    }

    /// Lists the legal moves among the candidates at which `keep` is true, and returns the number of all candidates; only
    /// where all moves are of the same urgency, nothing compares them, no chain is open and no goal has decided.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub(crate) fn legal_moves_among(
        &mut self,
        list: &mut MoveList,
        keep: impl FnMut(&Rules, &State, &MoveList, &MoveEntry) -> bool,
    ) -> Result<usize, Fault> {
        list.clear();
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        self.workspace.legal_moves_among(&self.rules, list, keep)
    }

    /// Returns the cells whose occupants the last ply changed, possibly with repetitions.
    pub(crate) fn changed_cells(&self) -> impl Iterator<Item = CellId> + '_ {
        self.workspace.log.changed_cells()
    }

    /// Returns the outcome that is known without looking at the legal moves: of the goals about the board.
    pub fn decided(&self) -> Option<Outcome> {
        self.record().decided
    }

    /// Tells whether the present position has occurred before in this session.
    pub fn is_repeated(&self) -> bool {
        self.record().occurrences > 1
    }

    /// Returns the outcome that the board would tell after a move from the list of legal moves, which is then inside; the
    /// outer none where that is not told without making the move.
    pub(crate) fn foresee(&self, list: &MoveList, index: usize) -> Option<Option<Outcome>> {
        let record = self.record();
        let entry = list.get(index);
        let is_plain = record.held_no_goal
            && !entry.is_partial()
            && self.state().chain().is_none()
            && self.rules.program.routines.new_round.is_none();
        let (true, &[Effect::Drop { piece, to }]) = (is_plain, list.effects(entry)) else {
            return None;
        };
        if self.state().occupant(to).is_some() {
            return None;
        }
        let found = self
            .workspace
            .fast(&self.rules)?
            .goals
            .first_after_drop(self.state(), piece, to)?;
        match found {
            Some((goal, _)) if self.rules.goals[goal].kind == GoalKind::End => None,
            found => Some(found.map(|(goal, player)| self.goal_outcome(goal, player))),
        }
    }

    /// Tells whether a quiet move from the list of legal moves may well end the game at once, as far as that is told easily.
    pub(crate) fn may_decide(&self, list: &MoveList, index: usize) -> bool {
        self.workspace.may_decide(&self.rules, list, list.get(index))
    }

    /// Tells whether a move from the list of legal moves leaves a royal piece of whoever acts next attacked; nothing where
    /// that is not told without making it.
    pub(crate) fn gives_check(&mut self, list: &MoveList, index: usize) -> Option<bool> {
        self.workspace.gives_check(&self.rules, list, list.get(index))
    }

    /// Makes a move from the list of legal moves.
    ///
    /// # Errors
    /// When the rules fault while they run; nothing has changed then.
    ///
    /// # Panics
    /// When the list has no such move.
    pub fn make(&mut self, list: &MoveList, index: usize) -> Result<(), Fault> {
        let player = self.to_move();
        self.workspace.make(&self.rules, list, list.get(index))?;
        let comparable_from = match self.rules.cannot_return(&self.workspace.log) {
            true => self.records.len(),
            false => self.record().comparable_from,
        };
        let is_tested = self.tests_board_goals();
        let settled = self.settle(is_tested);
        let (decided, is_forced) = match settled {
            Ok(settled) => settled,
            Err(fault) => {
                self.workspace.unmake(&self.rules);
                return Err(fault);
            }
        };
        // What begins a new round belongs to the ply.
        let repetition_key = self.keys().repetition;
        let comparable = &self.past_keys[comparable_from..];
        let earlier = comparable.iter().filter(|&&key| key == repetition_key).count();
        self.past_keys.push(repetition_key);
        self.records.push(Record {
            occurrences: earlier as u32 + 1,
            comparable_from,
            decided: None,
            held_no_goal: is_tested && decided.is_none(),
            moved: Some(player),
            is_forced,
        });
        // Rare, and wide: the common ply does without copying it.
        if decided.is_some()
            && let Some(record) = self.records.last_mut()
        {
            record.decided = decided;
        }
        Ok(())
    }

    /// Tests the goals about the board after a ply, finds who acts next if they decide nothing, and whether that is
    /// forced.
    #[inline]
    fn settle(&mut self, tests_goals: bool) -> Result<(Option<Outcome>, bool), Fault> {
        let decided = if tests_goals { self.board_outcome()? } else { None };
        if decided.is_some() {
            return Ok((decided, false));
        }
        if self.rules.has_plain_turns {
            return Ok((None, false));
        }
        if self.state().chain().is_none() {
            self.workspace.find_actor(&self.rules)?;
        }
        Ok((None, self.workspace.is_forced(&self.rules)?))
    }

    /// Takes back the last ply. Returns false if there is none.
    pub fn unmake(&mut self) -> bool {
        if self.n_plies() == 0 {
            return false;
        }
        self.records.pop();
        self.past_keys.pop();
        self.workspace.unmake(&self.rules);
        true
    }

    /// Keeps a copy of the present state, for [`Session::go_back`].
    pub(crate) fn keep_state(&mut self) {
        match &mut self.kept {
            Some(kept) => kept.copy_from(&self.workspace.state),
            None => self.kept = Some(self.workspace.state.clone()),
        }
    }

    /// Takes back all plies after the first `n_plies`, where the state was kept: faster than one by one.
    pub(crate) fn go_back(&mut self, n_plies: usize) {
        let n_back = self.n_plies().saturating_sub(n_plies);
        if let Some(kept) = &self.kept {
            self.records.truncate(n_plies + 1);
            self.past_keys.truncate(n_plies + 1);
            self.workspace.return_to(n_back, kept);
        }
    }

    /// Returns the cells whose pieces a move from the list of legal moves removes, in cell order; what the tail of the ply
    /// removes (`after-move`) is not counted.
    pub fn captures(&self, list: &MoveList, index: usize) -> Vec<CellId> {
        let entry = list.get(index);
        let mut state = self.state().clone();
        let mut log = UndoLog::new();
        let mut cells: Vec<CellId> = Vec::new();
        for stage in list.own_effects(entry).split(|effect| *effect == Effect::Then) {
            let leaves = |cell| {
                stage
                    .iter()
                    .any(|effect| matches!(effect, Effect::Move { from, .. } if *from == cell))
            };
            cells.extend(stage.iter().filter_map(|effect| match *effect {
                Effect::Create { at, .. } if state.occupant(at).is_some() && !leaves(at) => Some(at),
                _ => None,
            }));
            state.make_stage(&self.rules, &mut log, stage);
        }
        let captured = log.captured_since(LogMark::default());
        cells.extend(captured.iter().map(|&(cell, _)| cell));
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    #[inline]
    fn record(&self) -> &Record {
        &self.records[self.records.len() - 1]
    }

    /// Tells whether the goals about the board are tested after the last ply.
    fn tests_board_goals(&self) -> bool {
        self.state().chain().is_none() || self.rules.model.options.quirks.goals_in_chain == GoalsInChain::EachStep
    }

    /// Tests the goals about the board after a ply, which is not on record yet: the first that holds decides.
    #[inline]
    fn board_outcome(&mut self) -> Result<Option<Outcome>, Fault> {
        // What a new round has changed came after the last test.
        let is_undecided = self.record().held_no_goal && self.rules.program.routines.new_round.is_none();
        if is_undecided && let Some(fast) = self.workspace.fast(&self.rules) {
            return match self.workspace.first_goal(&self.rules, fast)? {
                Some((goal, player)) => self.decide_by_goal(goal, player),
                None => Ok(None),
            };
        }
        self.test_board_goals(is_undecided)
    }

    /// Lets a goal that holds decide.
    #[inline(never)]
    fn decide_by_goal(&mut self, goal: usize, player: PlayerId) -> Result<Option<Outcome>, Fault> {
        let mut outcome = self.goal_outcome(goal, player);
        if self.rules.goals[goal].kind == GoalKind::End {
            outcome.decision = self.score_decision()?;
        }
        self.decide_match(Some(outcome))
    }

    /// Tests the goals about the board by the interpreter. With `is_undecided` none held
    /// before the last ply.
    #[inline(never)]
    fn test_board_goals(&mut self, is_undecided: bool) -> Result<Option<Outcome>, Fault> {
        let rules = Arc::clone(&self.rules);
        let context = GoalContext {
            is_new: is_undecided,
            ..GoalContext::default()
        };
        let mut result = Ok(None);
        let goals = rules.goals.iter().enumerate();
        for (index, goal) in goals.filter(|(_, goal)| !goal.speaks_of_the_turn) {
            result = match goal.kind {
                // It speaks of who moves next, whom it may never have been asked for before.
                GoalKind::End => {
                    let next = std::iter::once(self.turn_item().acts_as);
                    self.test_goal(index, goal, next, &GoalContext::default())
                }
                _ => self.test_goal(index, goal, goal.players(), &context),
            };
            if result != Ok(None) {
                break;
            }
        }
        self.decide_match(result?)
    }

    /// Tests the goals about the turn and the past, once the legal moves are known.
    fn turn_outcome(&mut self, moves: &MoveList) -> Result<Option<Outcome>, Fault> {
        let outcome = self.round_outcome(moves)?;
        self.decide_match(outcome)
    }

    /// Lets the totals decide where the last round of a match has ended, however it did.
    ///
    /// # Language
    /// `docs/language.md`: match.
    fn decide_match(&mut self, outcome: Option<Outcome>) -> Result<Option<Outcome>, Fault> {
        match outcome {
            Some(outcome)
                if self.contest.is_last_of_several(&self.rules) && !self.rules.model.extensions.scores.is_empty() =>
            {
                let decision = self.score_decision()?;
                Ok(Some(Outcome { decision, ..outcome }))
            }
            outcome => Ok(outcome),
        }
    }

    /// As [`Session::turn_outcome`], but of the round alone.
    fn round_outcome(&mut self, moves: &MoveList) -> Result<Option<Outcome>, Fault> {
        if self.state().chain().is_some() {
            return Ok(None);
        }
        let player = self.to_move();
        let record = self.record();
        let moved = record.moved;
        let stuck = moves.is_empty();
        let repeated = record.occurrences >= 3;
        let acts_as = self.turn_item().acts_as;
        let attacked = if stuck {
            self.workspace.attacked_royals(&self.rules, acts_as)?
        } else {
            Vec::new()
        };
        let context = GoalContext {
            stuck: stuck.then_some(player),
            attacked: &attacked,
            repeated,
            is_new: false,
        };
        let rules = Arc::clone(&self.rules);
        let mut repetition_has_goal = false;
        for (index, goal) in rules
            .goals
            .iter()
            .enumerate()
            .filter(|(_, goal)| goal.speaks_of_the_turn)
        {
            let outcome = if goal.speaks_of_repetition {
                repetition_has_goal = true;
                // Meant for who brought the repetition about; the other players come after.
                let first = moved.into_iter();
                let others = goal.players().filter(|player| Some(*player) != moved);
                self.test_goal(index, goal, first.chain(others), &context)?
            } else {
                self.test_goal(index, goal, std::iter::once(player), &context)?
            };
            if outcome.is_some() {
                return Ok(outcome);
            }
        }
        let draw = |reason| {
            Some(Outcome {
                decision: Decision::Draw,
                reason,
            })
        };
        let quirks = &rules.model.options.quirks;
        let repetition_draws = quirks.repetition == Repetition::Draw && rules.model.options.repetition_draw;
        let draws_by_repetition = repeated && !repetition_has_goal && repetition_draws;
        Ok(match (stuck, draws_by_repetition) {
            (true, _) if quirks.no_move == NoMove::Loss => Some(Outcome {
                decision: Decision::Loss(player),
                reason: Reason::NoMove,
            }),
            (true, _) => draw(Reason::NoMove),
            (false, true) => draw(Reason::Repetition),
            (false, false) => None,
        })
    }

    /// Tests a goal for some players; those it is not meant for are passed over.
    fn test_goal(
        &mut self,
        index: usize,
        goal: &GoalProgram,
        players: impl Iterator<Item = PlayerId>,
        context: &GoalContext<'_>,
    ) -> Result<Option<Outcome>, Fault> {
        for player in players {
            let Some((_, test)) = goal.tests.iter().find(|(listed, _)| *listed == player) else {
                continue;
            };
            if self.workspace.goal_holds(&self.rules, player, test, context)? {
                let outcome = self.goal_outcome(index, player);
                return Ok(Some(match goal.kind {
                    GoalKind::End => Outcome {
                        decision: self.score_decision()?,
                        ..outcome
                    },
                    _ => outcome,
                }));
            }
        }
        Ok(None)
    }

    /// Decides by the scores, in the last round of a match by the totals: the highest wins; the players who share it draw.
    ///
    /// # Language
    /// `docs/language.md`: score, end-condition, match.
    fn score_decision(&mut self) -> Result<Decision, Fault> {
        let scores = if self.contest.is_last_of_several(&self.rules) {
            self.totals()?
        } else {
            let scores = self.scores()?.into_iter();
            scores.map(|(player, score)| (player, i64::from(score))).collect()
        };
        let best = scores.iter().map(|&(_, score)| score).max();
        let leaders: Vec<PlayerId> = (scores.iter())
            .filter(|&&(_, score)| Some(score) == best)
            .map(|&(player, _)| player)
            .collect();
        Ok(Decision::of_leaders(&leaders, scores.len()))
    }

    /// Returns what it means that a goal holds for a player.
    fn goal_outcome(&self, goal: usize, player: PlayerId) -> Outcome {
        let decision = match self.rules.goals[goal].kind {
            GoalKind::Win => Decision::Win(player),
            GoalKind::Loss => Decision::Loss(player),
            GoalKind::Draw => Decision::Draw,
            GoalKind::Count => self.count_decision(),
            // The scores decide; they are asked for by who asks for the outcome.
            GoalKind::End => Decision::Draw,
        };
        Outcome {
            decision,
            reason: Reason::Goal { goal, player },
        }
    }

    /// Decides by the number of pieces: the one player with the most wins.
    ///
    /// # Language
    /// `docs/language.md`: count-condition; dummy kinds are not counted.
    fn count_decision(&self) -> Decision {
        let model = &self.rules.model;
        let state = self.state();
        let count = |player: PlayerId| -> u64 {
            (model.kind_ids())
                .filter(|kind| !model.kinds[kind.index()].dummy)
                .map(|kind| {
                    let piece = self.rules.occupant(player, kind);
                    let stock = if model.options.include_off_pieces {
                        state.stock(piece)
                    } else {
                        0
                    };
                    u64::from(state.count(piece)) + u64::from(stock)
                })
                .sum()
        };
        let playing = model.player_ids().filter(|player| {
            let player = &model.players[player.index()];
            player.takes_turns && !player.random
        });
        let mut counts: Vec<(u64, PlayerId)> = playing.map(|player| (count(player), player)).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        match counts[..] {
            [(most, winner), (second, _), ..] if most > second => Decision::Win(winner),
            [(_, winner)] => Decision::Win(winner),
            _ => Decision::Draw,
        }
    }
}

/// Returns the record of a state whose past is not known, once it is clear who acts in it, and what the rules do wrong
/// on the way.
fn first_record(rules: &Rules, workspace: &mut Workspace) -> (Record, Option<Fault>) {
    let begun = workspace
        .find_actor(rules)
        .and_then(|()| match workspace.state.chain() {
            Some(_) => Ok(()),
            None => workspace.pass_over_turns(rules),
        })
        .and_then(|()| workspace.is_forced(rules));
    // What a new round has changed is part of the start.
    workspace.log.clear();
    let record = Record {
        occurrences: 1,
        comparable_from: 0,
        decided: None,
        held_no_goal: false,
        moved: None,
        is_forced: begun == Ok(true),
    };
    (record, begun.err())
}

impl GoalProgram {
    /// Returns the players the goal is tested for, in the order written.
    pub fn players(&self) -> impl Iterator<Item = PlayerId> + '_ {
        self.tests.iter().map(|&(player, _)| player)
    }
}
