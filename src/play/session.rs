//! A game in progress.

use std::sync::Arc;

use super::legal::Workspace;
use super::outcome::{Decision, Outcome, Reason};
use crate::model::goal::GoalKind;
use crate::model::quirk::{GoalsInChain, NoMove, Repetition};
use crate::model::{CellId, PlayerId, TurnItem};
use crate::program::goal::GoalProgram;
use crate::rules::Rules;
use crate::state::{Keys, MoveList, State};
use crate::vm::Fault;
use crate::vm::goal::{self, GoalContext};

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
    /// The cells that the last ply changed; kept for its memory.
    changed: Vec<CellId>,
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
    /// Whether the goals about the board were tested then, so that those of them that hold later have come about since.
    tested: bool,
    /// Who made that ply.
    moved: Option<PlayerId>,
}

impl Session {
    /// Begins a game at its start.
    pub fn new(rules: Arc<Rules>) -> Session {
        let state = State::start(&rules);
        Session::from_state(rules, state)
    }

    /// Begins a game in a given state, whose earlier positions are not known.
    pub fn from_state(rules: Arc<Rules>, state: State) -> Session {
        let repetition_key = state.keys().repetition;
        let record = Record {
            occurrences: 1,
            comparable_from: 0,
            decided: None,
            tested: false,
            moved: None,
        };
        let workspace = Workspace::new(&rules, state);
        Session {
            rules,
            workspace,
            records: vec![record],
            past_keys: vec![repetition_key],
            changed: Vec::new(),
            kept: None,
        }
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

    /// Tells whether the player to move is random.
    pub fn is_chance(&self) -> bool {
        self.rules.model.players[self.to_move().index()].random
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
        self.workspace.mobility(&self.rules, player)
    }

    /// Lists the legal moves. If the game is over the list is empty and the outcome is returned.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn legal_moves(&mut self, list: &mut MoveList) -> Result<Option<Outcome>, Fault> {
        list.clear();
        let record = self.record();
        if record.decided.is_some() {
            return Ok(record.decided);
        }
        self.workspace.legal_moves(&self.rules, list)?;
        let outcome = self.turn_outcome(list)?;
        if outcome.is_some() {
            list.clear();
        }
        Ok(outcome)
    }

    /// Returns the outcome that is known without looking at the legal moves: of the goals about the board.
    pub fn decided(&self) -> Option<Outcome> {
        self.record().decided
    }

    /// Tells whether the present position has occurred before in this session.
    pub fn is_repeated(&self) -> bool {
        self.record().occurrences > 1
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
        let repetition_key = self.keys().repetition;
        let comparable_from = match self.rules.cannot_return(&self.workspace.log) {
            true => self.records.len(),
            false => self.record().comparable_from,
        };
        let comparable = &self.past_keys[comparable_from..];
        let earlier = comparable.iter().filter(|&&key| key == repetition_key).count();
        let is_tested = self.tests_board_goals();
        self.changed.clear();
        self.changed.extend(self.workspace.log.changed_cells());
        self.past_keys.push(repetition_key);
        self.records.push(Record {
            occurrences: earlier as u32 + 1,
            comparable_from,
            decided: if is_tested { self.board_outcome() } else { None },
            tested: is_tested,
            moved: Some(player),
        });
        Ok(())
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
    pub(super) fn keep_state(&mut self) {
        match &mut self.kept {
            Some(kept) => kept.copy_from(&self.workspace.state),
            None => self.kept = Some(self.workspace.state.clone()),
        }
    }

    /// Takes back all plies after the first `n_plies`, where the state was kept: faster than one by one.
    pub(super) fn go_back(&mut self, n_plies: usize) {
        let n_back = self.n_plies().saturating_sub(n_plies);
        if let Some(kept) = &self.kept {
            self.records.truncate(n_plies + 1);
            self.past_keys.truncate(n_plies + 1);
            self.workspace.return_to(n_back, kept);
        }
    }

    /// Returns the cells whose pieces a move from the list of legal moves removes, in cell order.
    pub fn captures(&mut self, list: &MoveList, index: usize) -> Vec<CellId> {
        use crate::state::Effect;
        let entry = list.get(index);
        let effects = list.effects(entry);
        let leaves = |cell| {
            effects
                .iter()
                .any(|effect| matches!(effect, Effect::Move { from, .. } if *from == cell))
        };
        let mut cells: Vec<_> = (effects.iter())
            .filter_map(|effect| match *effect {
                Effect::Create { at, .. } if self.state().occupant(at).is_some() && !leaves(at) => Some(at),
                _ => None,
            })
            .collect();
        let Workspace { state, log, .. } = &mut self.workspace;
        state.make(&self.rules, log, list, entry);
        cells.extend(log.captured().iter().map(|&(cell, _)| cell));
        state.unmake(&self.rules, log);
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    fn record(&self) -> Record {
        self.records[self.records.len() - 1]
    }

    /// Tells whether the goals about the board are tested after the last ply.
    fn tests_board_goals(&self) -> bool {
        self.state().chain().is_none() || self.rules.model.options.quirks.goals_in_chain == GoalsInChain::EachStep
    }

    /// Tests the goals about the board after a ply, which is not on record yet: the first that holds decides.
    fn board_outcome(&self) -> Option<Outcome> {
        let before = self.record();
        let is_undecided = before.tested && before.decided.is_none();
        if is_undecided && let Some(fast) = self.workspace.fast(&self.rules) {
            let Workspace { state, log, .. } = &self.workspace;
            let (goal, player) = fast.first_goal(&self.rules, state, log, &self.changed)?;
            return Some(self.goal_outcome(goal, player));
        }
        let context = GoalContext {
            changed: is_undecided.then_some(self.changed.as_slice()),
            ..GoalContext::default()
        };
        let goals = self
            .rules
            .goals
            .iter()
            .enumerate()
            .filter(|(_, goal)| !goal.speaks_of_the_turn);
        goals
            .filter_map(|(index, goal)| self.test_goal(index, goal, goal.players(), &context))
            .next()
    }

    /// Tests the goals about the turn and the past, once the legal moves are known.
    fn turn_outcome(&mut self, moves: &MoveList) -> Result<Option<Outcome>, Fault> {
        if self.state().chain().is_some() {
            return Ok(None);
        }
        let player = self.to_move();
        let record = self.record();
        let stuck = moves.is_empty();
        let repeated = record.occurrences >= 3;
        if !stuck && !repeated && self.rules.turn_goals_need_trouble {
            return Ok(None);
        }
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
            changed: None,
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
                let first = record.moved.into_iter();
                let others = goal.players().filter(|player| Some(*player) != record.moved);
                self.test_goal(index, goal, first.chain(others), &context)
            } else {
                self.test_goal(index, goal, std::iter::once(player), &context)
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
        let draws_by_repetition = repeated && !repetition_has_goal && quirks.repetition == Repetition::Draw;
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
        &self,
        index: usize,
        goal: &GoalProgram,
        players: impl Iterator<Item = PlayerId>,
        context: &GoalContext<'_>,
    ) -> Option<Outcome> {
        let (state, log) = (&self.workspace.state, &self.workspace.log);
        for player in players {
            let Some((_, test)) = goal.tests.iter().find(|(listed, _)| *listed == player) else {
                continue;
            };
            if goal::holds(&self.rules, state, log, player, test, context) {
                return Some(self.goal_outcome(index, player));
            }
        }
        None
    }

    /// Returns what it means that a goal holds for a player.
    fn goal_outcome(&self, goal: usize, player: PlayerId) -> Outcome {
        let decision = match self.rules.goals[goal].kind {
            GoalKind::Win => Decision::Win(player),
            GoalKind::Loss => Decision::Loss(player),
            GoalKind::Draw => Decision::Draw,
            GoalKind::Count => self.count_decision(),
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

impl GoalProgram {
    /// Returns the players the goal is tested for, in the order written.
    pub fn players(&self) -> impl Iterator<Item = PlayerId> + '_ {
        self.tests.iter().map(|&(player, _)| player)
    }
}
