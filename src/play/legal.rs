//! Which candidates are legal.
//!
//! The filters are applied in this order, which is the one the language reference recommends: within each tier of
//! priority the moves that leave a royal piece attacked are dropped (`drop_exposed`); the first tier with a
//! legal move is the one offered; of its moves only those that begin a longest chain remain
//! (`keep_longest_chains`); passing is added; then only the ways to play the turn that make a number greatest
//! remain (`keep_best_turns`), and at last what a policy that is law leaves (`keep_best_rated`).

use rustc_hash::FxHashMap;

use crate::fast::{Dangers, Fast, Guard, Touch};
use crate::model::option::{MaximalCaptures, PassTurn};
use crate::model::quirk::{LongestChains, Priorities};
use crate::model::{CellId, Occupant, PlayerId, TurnItem};
use crate::program::Address;
use crate::program::goal::GoalTest;
use crate::rules::{Rules, Tier};
use crate::state::{Chain, Effect, MoveEntry, MoveList, State, UndoLog};
use crate::vm::goal::{self, GoalContext};
use crate::vm::{self, Evaluation, Fault, Generation, Scratch, attack, generate};

/// What makes one chain of partial moves better than another, the more important first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct ChainWorth {
    steps: usize,
    /// The weights of the captured pieces, added up; 0 if they do not count.
    captured: u64,
}

/// What is remembered while the chains of one position are compared.
#[derive(Clone, Debug, Default)]
struct ChainWork {
    /// Whether the pieces captured count.
    by_value: bool,
    n_steps: u64,
    /// By search key of an open chain what can still follow: the same men are often jumped in another order.
    known: FxHashMap<u64, ChainWorth>,
    /// By move the steps of the longest chain, the weight of the piece that makes it, and of those it takes.
    worths: Vec<(usize, u64, u64)>,
}

/// What is remembered while the ways to play one turn are compared.
#[derive(Clone, Debug)]
struct TurnWork {
    player: PlayerId,
    /// The code of the number.
    address: Address,
    n_steps: u64,
    /// By search key what the turn can still end with.
    known: FxHashMap<u64, i32>,
    /// By move the greatest number.
    worths: Vec<i32>,
}

impl Default for TurnWork {
    fn default() -> TurnWork {
        TurnWork {
            player: PlayerId(0),
            address: 0,
            n_steps: 0,
            known: FxHashMap::default(),
            worths: Vec::new(),
        }
    }
}

/// Returns the indices of the moves that a policy of `player` would choose among: of those with the highest rating the
/// first, or all if ties are broken at random.
pub fn best_rated(rules: &Rules, player: PlayerId, list: &MoveList) -> Vec<usize> {
    let policies = rules.model.extensions.policies.iter().rev();
    let random_ties = (policies.filter(|policy| policy.players.contains(&player)))
        .map(|policy| policy.random_ties)
        .next()
        .unwrap_or(false);
    let best = list.iter().map(|entry| list.rating(entry)).max().flatten();
    let mut indices: Vec<usize> = (0..list.len())
        .filter(|&index| list.rating(list.get(index)) == best)
        .collect();
    if !random_ties {
        indices.truncate(1);
    }
    indices
}

/// Keeps the moves with the greatest worth, of which there is one for each move.
fn keep_best<W: Copy + Ord>(list: &mut MoveList, worths: &[W]) {
    let best = worths.iter().copied().max();
    let mut of_moves = worths.iter();
    list.retain(|_| of_moves.next().copied() == best);
}

/// A state with all the memory that moving in it needs.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The state.
    pub state: State,
    /// The plies that led to it.
    pub log: UndoLog,
    scratch: Scratch,
    /// Lists for looking ahead, lent and given back.
    spare_lists: Vec<MoveList>,
    /// The royal pieces of the mover and where they stand; kept for its memory.
    royals: Vec<(Occupant, CellId)>,
    /// What keeps royal pieces safe; kept for its memory.
    guard: Guard,
    /// For the comparison of chains and of turns; kept for their memory.
    chain_work: ChainWork,
    turn_work: TurnWork,
}

impl Workspace {
    /// Makes the workspace for a state.
    pub fn new(rules: &Rules, state: State) -> Workspace {
        Workspace {
            state,
            log: UndoLog::new(),
            scratch: Scratch::new(rules),
            spare_lists: Vec::new(),
            royals: Vec::new(),
            guard: Guard::default(),
            chain_work: ChainWork::default(),
            turn_work: TurnWork::default(),
        }
    }

    /// Chooses whether only the interpreter runs the rules.
    pub(super) fn interpret_only(&mut self, only: bool) {
        self.scratch.is_fast = !only;
    }

    /// Returns the specialised code, unless only the interpreter is to run.
    #[inline]
    pub(super) fn fast<'a>(&self, rules: &'a Rules) -> Option<&'a Fast> {
        rules.fast().filter(|_| self.scratch.is_fast)
    }

    /// Takes back the last `n_plies` plies at once; the state was then `state`.
    pub(super) fn return_to(&mut self, n_plies: usize, state: &State) {
        self.log.forget(n_plies);
        self.state.copy_from(state);
    }

    /// Returns the turn item in force.
    pub fn turn_item(&self, rules: &Rules) -> TurnItem {
        rules.model.turn_order.items[self.state.turn()]
    }

    /// Lists the legal moves, whether or not a goal has ended the game.
    ///
    /// # Errors
    /// When the rules fault while they run.
    #[inline]
    pub fn legal_moves(&mut self, rules: &Rules, list: &mut MoveList) -> Result<(), Fault> {
        list.clear();
        if rules.has_plain_turns && self.state.chain().is_none() {
            let item = self.turn_item(rules);
            return self.first_legal_tier(rules, rules.turn_tiers(self.state.turn()), item, None, list);
        }
        self.compared_moves(rules, list)
    }

    /// Lists the legal moves where whole turns may be compared, and policies be law.
    #[inline(never)]
    fn compared_moves(&mut self, rules: &Rules, list: &mut MoveList) -> Result<(), Fault> {
        self.unforced_moves(rules, list)?;
        if let Some(&address) = rules
            .program
            .routines
            .maximize_turn
            .get(self.turn_item(rules).acts_as.index())
        {
            self.keep_best_turns(rules, address, list)?;
        }
        if self.is_forced(rules)? {
            self.keep_best_rated(rules, list);
        }
        Ok(())
    }

    /// Lists the moves that are legal before whole turns are compared and policies asked.
    fn unforced_moves(&mut self, rules: &Rules, list: &mut MoveList) -> Result<(), Fault> {
        let item = self.turn_item(rules);
        if self.state.chain().is_none() && self.nobody_can_move(rules)? {
            return Ok(());
        }
        match self.state.chain() {
            Some(chain) => {
                let tiers = rules.continuation_tiers(chain.continuation, self.state.turn());
                self.first_legal_tier(rules, tiers, item, Some(chain), list)?;
            }
            None => self.first_legal_tier(rules, rules.turn_tiers(self.state.turn()), item, None, list)?,
        }
        if rules.model.options.maximal_captures != MaximalCaptures::Off {
            self.keep_longest_chains(rules, list)?;
        }
        self.add_pass(rules, item, list)
    }

    /// Lists the legal moves among the candidates of the turn at which `keep` is true, and returns the number of all
    /// candidates.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn legal_moves_among(
        &mut self,
        rules: &Rules,
        list: &mut MoveList,
        mut keep: impl FnMut(&Rules, &State, &MoveList, &MoveEntry) -> bool,
    ) -> Result<usize, Fault> {
        let player = self.turn_item(rules).acts_as;
        for tier in rules.turn_tiers(self.state.turn()) {
            let generation = Generation {
                player,
                tier,
                only: None,
                limit: usize::MAX,
            };
            generate(rules, &mut self.state, &mut self.scratch, generation, list)?;
        }
        let n_candidates = list.len();
        let state = &self.state;
        list.try_retain(|list, index| Ok(keep(rules, state, list, list.get(index))))?;
        self.drop_exposed(rules, player, list)?;
        Ok(n_candidates)
    }

    /// Tells whether a royal piece of `player` is attacked.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn in_check(&mut self, rules: &Rules, player: PlayerId) -> Result<bool, Fault> {
        attack::in_check(rules, &mut self.state, &mut self.scratch, player)
    }

    /// Returns the royal pieces of `player` of which one is attacked.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn attacked_royals(&mut self, rules: &Rules, player: PlayerId) -> Result<Vec<Occupant>, Fault> {
        let mut attacked = Vec::new();
        for &piece in rules.royal(player) {
            if attack::is_piece_attacked(rules, &mut self.state, &mut self.scratch, player, piece)? {
                attacked.push(piece);
            }
        }
        Ok(attacked)
    }

    /// Counts the candidates of `player`, whose turn it need not be: a measure of mobility.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn mobility(&mut self, rules: &Rules, player: PlayerId) -> Result<usize, Fault> {
        self.look_at_candidates(rules, player, |_, _, list| list.len())
    }

    /// Lists the candidates of `player`, whose turn it need not be, and returns what `look` makes of them.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn look_at_candidates<T>(
        &mut self,
        rules: &Rules,
        player: PlayerId,
        look: impl FnOnce(&Rules, &State, &MoveList) -> T,
    ) -> Result<T, Fault> {
        let mut list = self.lend_list();
        let listed = self.candidates(rules, player, &mut list);
        let seen = look(rules, &self.state, &list);
        self.give_back(list);
        listed.map(|()| seen)
    }

    /// Appends the candidates of `player`, whose turn it need not be, to `list`: whatever their priority, and whether or
    /// not they leave a royal piece attacked.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn candidates(&mut self, rules: &Rules, player: PlayerId, list: &mut MoveList) -> Result<(), Fault> {
        let Some(turn) = rules.usual_turn(player) else {
            return Ok(());
        };
        rules.turn_tiers(turn).try_for_each(|tier| {
            let generation = Generation {
                player,
                tier,
                only: None,
                limit: usize::MAX,
            };
            generate(rules, &mut self.state, &mut self.scratch, generation, list)
        })
    }

    /// Makes a legal move: its effects, then the next step of its chain or the next turn.
    ///
    /// # Errors
    /// When the rules fault while they run; the state is then as before.
    #[inline]
    pub fn make(&mut self, rules: &Rules, list: &MoveList, entry: &MoveEntry) -> Result<(), Fault> {
        let acts_as = self.turn_item(rules).acts_as;
        self.state.make(rules, &mut self.log, list, entry);
        if rules.has_plain_turns && !entry.is_partial() && !rules.program.has_stages {
            self.state.advance_turn(rules);
            return Ok(());
        }
        self.end_ply(rules, list, entry, acts_as)
    }

    /// Opens the next step of the chain of a move that was made, or the next turn.
    #[inline(never)]
    fn end_ply(&mut self, rules: &Rules, list: &MoveList, entry: &MoveEntry, acts_as: PlayerId) -> Result<(), Fault> {
        if entry.is_partial() {
            match self.opens_chain(rules, entry, acts_as) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(fault) => {
                    self.unmake(rules);
                    return Err(fault);
                }
            }
        }
        if rules.program.has_stages && list.comes_again(entry) {
            self.state.repeat_turn(rules);
        } else {
            self.state.advance_turn(rules);
        }
        if rules.has_plain_turns {
            return Ok(());
        }
        let settled = self.pass_over_turns(rules);
        if settled.is_err() {
            self.unmake(rules);
        }
        settled
    }

    /// Passes over the turns that the rules skip. If all are, the last one that comes stays.
    ///
    /// # Language
    /// `docs/language.md`: skip-when.
    ///
    /// # Errors
    /// When the rules fault while they run.
    #[inline]
    pub fn pass_over_turns(&mut self, rules: &Rules) -> Result<(), Fault> {
        if rules.program.routines.skips.is_empty() {
            return Ok(());
        }
        for _ in 0..rules.model.turn_order.items.len() {
            if !self.is_skipped(rules)? {
                break;
            }
            self.state.advance_turn(rules);
        }
        Ok(())
    }

    /// Finds the piece whose turn it is, where turns belong to pieces, beginning a new round where needed.
    ///
    /// # Language
    /// `docs/language.md`: actor.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn find_actor(&mut self, rules: &Rules) -> Result<(), Fault> {
        let Some(address) = rules.program.routines.actor else {
            return Ok(());
        };
        let player = rules.model.nobody();
        let mut begins_round = rules.program.routines.new_round;
        loop {
            let found = self.evaluate(rules, player, address)?;
            let cell = vm::numbered_cell(found);
            let items = &rules.model.turn_order.items;
            let owner = cell.is_some().then(|| rules.owner(self.state.occupant(cell)));
            let turn = owner.and_then(|owner| items.iter().position(|item| item.acts_as == owner));
            match (turn, begins_round.take()) {
                (Some(turn), _) => {
                    self.state.set_actor(cell);
                    self.state.set_turn(rules, turn);
                    return Ok(());
                }
                (None, Some(address)) => {
                    let evaluation = Evaluation { player, address };
                    let Workspace {
                        state, scratch, log, ..
                    } = self;
                    if !vm::consequence(rules, state, scratch, log, evaluation)? {
                        return Err(Fault::NewRound { address });
                    }
                }
                (None, None) => {
                    self.state.set_actor(CellId::NONE);
                    return Ok(());
                }
            }
        }
    }

    /// Tells whether the turn that has come is passed over.
    fn is_skipped(&mut self, rules: &Rules) -> Result<bool, Fault> {
        let player = self.turn_item(rules).player;
        for &(skipped, address) in &rules.program.routines.skips {
            if skipped == player && self.evaluate(rules, player, address)? != 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells whether nobody's turn is left: all are passed over, or no piece can act.
    fn nobody_can_move(&mut self, rules: &Rules) -> Result<bool, Fault> {
        if rules.program.routines.actor.is_some() {
            return Ok(self.state.actor().is_none());
        }
        self.is_skipped(rules)
    }

    /// Runs code that returns a number; 0 if it returns none.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn evaluate(&mut self, rules: &Rules, player: PlayerId, address: Address) -> Result<i32, Fault> {
        let evaluation = Evaluation { player, address };
        let number = vm::evaluate(rules, &mut self.state, &mut self.scratch, evaluation)?;
        Ok(number.unwrap_or(0))
    }

    /// Tells whether a goal holds for a player.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn goal_holds(
        &mut self,
        rules: &Rules,
        player: PlayerId,
        test: &GoalTest,
        context: &GoalContext<'_>,
    ) -> Result<bool, Fault> {
        let Workspace {
            state, scratch, log, ..
        } = self;
        goal::holds(rules, state, scratch, log, player, test, context)
    }

    /// Tells whether no goal about the board holds for anybody.
    pub(super) fn holds_no_board_goal(&mut self, rules: &Rules) -> bool {
        let goals = rules.goals.iter().filter(|goal| !goal.speaks_of_the_turn);
        let mut tests = goals.flat_map(|goal| &goal.tests);
        let context = GoalContext::default();
        tests.all(|(player, test)| self.goal_holds(rules, *player, test, &context) == Ok(false))
    }

    /// Returns the first goal about the board that holds, with its player; none held before the last ply.
    ///
    /// # Errors
    /// When the rules fault while they run.
    #[inline]
    pub(super) fn first_goal(&mut self, rules: &Rules, fast: &Fast) -> Result<Option<(usize, PlayerId)>, Fault> {
        let Workspace {
            state, scratch, log, ..
        } = self;
        fast.goals.first(rules, state, scratch, log)
    }

    /// Says whether no person is playing, which goals can ask.
    pub fn set_automatic(&mut self, is_automatic: bool) {
        self.scratch.set_automatic(is_automatic);
    }

    /// Tells whether the choice of a policy is law for the player to move.
    ///
    /// # Language
    /// `docs/language.md`: policy.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn is_forced(&mut self, rules: &Rules) -> Result<bool, Fault> {
        let player = self.turn_item(rules).player;
        match rules.program.routines.forced.get(player.index()).copied().flatten() {
            Some(address) => Ok(self.evaluate(rules, player, address)? != 0),
            None => Ok(false),
        }
    }

    /// Keeps the moves with the highest rating: the first of them, or all if ties are broken at random.
    fn keep_best_rated(&mut self, rules: &Rules, list: &mut MoveList) {
        let best = best_rated(rules, self.turn_item(rules).player, list);
        let mut index = 0;
        list.retain(|_| {
            index += 1;
            best.contains(&(index - 1))
        });
    }

    /// Keeps the moves that begin a way to play the turn to its end that makes a number greatest.
    ///
    /// # Language
    /// `docs/language.md`: maximize-turn.
    fn keep_best_turns(&mut self, rules: &Rules, address: Address, list: &mut MoveList) -> Result<(), Fault> {
        if list.len() < 2 {
            return Ok(());
        }
        let mut work = std::mem::take(&mut self.turn_work);
        (work.player, work.address, work.n_steps) = (self.turn_item(rules).acts_as, address, 0);
        work.known.clear();
        work.worths.clear();
        let compared = self.compare_turns(rules, list, &mut work);
        if compared.is_ok() {
            keep_best(list, &work.worths);
        }
        self.turn_work = work;
        compared
    }

    fn compare_turns(&mut self, rules: &Rules, list: &MoveList, work: &mut TurnWork) -> Result<(), Fault> {
        for index in 0..list.len() {
            let entry = *list.get(index);
            let worth = self.turn_worth(rules, list, &entry, 1, work)?;
            work.worths.push(worth);
        }
        Ok(())
    }

    /// Returns the greatest number that a turn which goes on with a move can end with.
    fn turn_worth(
        &mut self,
        rules: &Rules,
        list: &MoveList,
        entry: &MoveEntry,
        depth: usize,
        work: &mut TurnWork,
    ) -> Result<i32, Fault> {
        work.n_steps += 1;
        if depth > Fault::CHAIN_LIMIT || work.n_steps > Fault::CHAIN_WORK_LIMIT {
            return Err(Fault::ChainLimit);
        }
        let comes_again = list.comes_again(entry);
        self.make(rules, list, entry)?;
        let goes_on = comes_again || self.state.chain().is_some();
        let worth = if goes_on {
            self.best_turn_rest(rules, depth, work)
        } else {
            self.evaluate(rules, work.player, work.address)
        };
        self.unmake(rules);
        worth
    }

    /// Returns the greatest number that the turn which goes on can end with.
    fn best_turn_rest(&mut self, rules: &Rules, depth: usize, work: &mut TurnWork) -> Result<i32, Fault> {
        let key = self.state.keys().search;
        if let Some(&known) = work.known.get(&key) {
            return Ok(known);
        }
        let mut list = self.lend_list();
        let mut result = self.unforced_moves(rules, &mut list);
        let mut best = None;
        for index in 0..list.len() {
            if result.is_err() {
                break;
            }
            let entry = *list.get(index);
            result = self
                .turn_worth(rules, &list, &entry, depth + 1, work)
                .map(|worth| best = best.max(Some(worth)));
        }
        self.give_back(list);
        result?;
        // Where nothing can be done the turn ends as it is.
        let best = match best {
            Some(best) => best,
            None => self.evaluate(rules, work.player, work.address)?,
        };
        work.known.insert(key, best);
        Ok(best)
    }

    /// Takes back the last ply.
    pub fn unmake(&mut self, rules: &Rules) {
        self.state.unmake(rules, &mut self.log);
    }

    /// Opens the chain after a partial move, if the piece is still there and can go on.
    fn opens_chain(&mut self, rules: &Rules, entry: &MoveEntry, acts_as: PlayerId) -> Result<bool, Fault> {
        let piece = self.state.occupant(entry.arrival);
        if piece.is_none() || rules.owner(piece) != acts_as {
            return Ok(false);
        }
        let chain = Chain {
            cell: entry.arrival,
            continuation: entry.continuation,
        };
        self.state.set_chain(rules, Some(chain));
        let mut list = self.lend_list();
        let tiers = rules.continuation_tiers(chain.continuation, self.state.turn());
        let generated = self.first_legal_tier(rules, tiers, self.turn_item(rules), Some(chain), &mut list);
        let goes_on = !list.is_empty();
        self.give_back(list);
        generated?;
        if !goes_on {
            self.state.set_chain(rules, None);
        }
        Ok(goes_on)
    }

    /// Lists the legal moves of the first tier that has any.
    #[inline]
    fn first_legal_tier<'a>(
        &mut self,
        rules: &Rules,
        tiers: impl Iterator<Item = &'a Tier>,
        item: TurnItem,
        chain: Option<Chain>,
        list: &mut MoveList,
    ) -> Result<(), Fault> {
        let actor = Some(self.state.actor()).filter(|actor| actor.is_some());
        for tier in tiers {
            let generation = Generation {
                player: item.acts_as,
                tier,
                only: chain.map(|chain| chain.cell).or(actor),
                limit: usize::MAX,
            };
            generate(rules, &mut self.state, &mut self.scratch, generation, list)?;
            let is_decisive = !list.is_empty() && rules.model.options.quirks.priorities == Priorities::BeforeCheck;
            self.drop_exposed(rules, item.acts_as, list)?;
            if is_decisive || !list.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Drops the moves after which a royal piece of `player` is attacked.
    ///
    /// # Language
    /// `docs/language.md`: checkmated. Each step of a chain is tested by itself.
    #[inline]
    fn drop_exposed(&mut self, rules: &Rules, player: PlayerId, list: &mut MoveList) -> Result<(), Fault> {
        if rules.royal(player).is_empty() || list.is_empty() {
            return Ok(());
        }
        self.drop_those_exposed(rules, player, list)
    }

    fn drop_those_exposed(&mut self, rules: &Rules, player: PlayerId, list: &mut MoveList) -> Result<(), Fault> {
        if let Some(fast) = self.fast(rules)
            && let Some(dangers) = fast.dangers()
            && let Some(result) = self.drop_exposed_by_tables(rules, (fast, dangers), player, list)
        {
            return result;
        }
        list.try_retain(|list, index| {
            self.state.make(rules, &mut self.log, list, list.get(index));
            let exposed = self.in_check(rules, player);
            self.unmake(rules);
            exposed.map(|exposed| !exposed)
        })
    }

    /// Drops the moves after which a royal piece of `player` is attacked, most of them without making them: nothing if the
    /// tables of attacks do not say enough.
    fn drop_exposed_by_tables(
        &mut self,
        rules: &Rules,
        (fast, dangers): (&Fast, &Dangers),
        player: PlayerId,
        list: &mut MoveList,
    ) -> Option<Result<(), Fault>> {
        let last = (self.state.last_from(), self.state.last_to());
        self.royals.clear();
        self.guard.clear(self.state.n_words());
        // Whether moves that the guard calls harmless are legal.
        let mut is_quiet = true;
        for &piece in rules.royal(player) {
            let slot = rules.tracked_slot(piece)?;
            for cell in self.state.tracked_cells(slot) {
                self.royals.push((piece, cell));
                is_quiet = is_quiet
                    && !dangers.is_attacked(&self.state, piece, cell, last)?
                    && dangers.guard(&self.state, piece, cell, &mut self.guard);
            }
        }
        for &(_, cell) in &self.royals {
            self.guard.stay(cell);
        }
        let in_full = dangers.reads_attributes();
        Some(list.try_retain(|list, index| {
            let entry = list.get(index);
            let touch = fast.touch(entry);
            let (from, to) = (entry.from, entry.to);
            // A royal piece that is taken by its own side cannot be told apart from one that is attacked.
            let takes_royal = touch != Touch::Other && self.royals.iter().any(|&(_, cell)| cell == to);
            match touch {
                Touch::Relocates if is_quiet && !takes_royal && dangers.is_harmless(&self.guard, Some(from), to) => {
                    return Ok(true);
                }
                Touch::Appears if is_quiet && !takes_royal && dangers.is_harmless(&self.guard, None, to) => {
                    return Ok(true);
                }
                Touch::Relocates if !in_full && !takes_royal => {
                    let (moved, royals) = (self.state.occupant(from), &self.royals);
                    let is_exposed = self.state.suppose_move((from, to), moved, |state| {
                        royals.iter().any(|&(piece, cell)| {
                            let cell = if cell == from { to } else { cell };
                            dangers.is_attacked(state, piece, cell, (from, to)) != Some(false)
                        })
                    });
                    return Ok(!is_exposed);
                }
                _ => {}
            }
            self.state.make(rules, &mut self.log, list, entry);
            let exposed = self.in_check(rules, player);
            self.unmake(rules);
            exposed.map(|exposed| !exposed)
        }))
    }

    /// Tells whether a quiet move may well bring a goal about the board about, as far as that is told easily.
    pub(super) fn may_decide(&self, rules: &Rules, list: &MoveList, entry: &MoveEntry) -> bool {
        let Some(fast) = self.fast(rules) else { return false };
        let piece = match *list.effects(entry) {
            [Effect::Move { from, .. }] => self.state.occupant(from),
            [Effect::Drop { piece, .. }] => piece,
            _ => return false,
        };
        let goals = &fast.goals;
        self.state.occupant(entry.to).is_none() && goals.may_hold_after(&self.state, piece, entry.from, entry.to)
    }

    /// Tells whether a move leaves a royal piece of whoever acts next attacked; nothing where that is not told without
    /// making it.
    pub(super) fn gives_check(&mut self, rules: &Rules, list: &MoveList, entry: &MoveEntry) -> Option<bool> {
        let items = &rules.model.turn_order.items;
        let next = items[rules.model.turn_order.next(self.state.turn())].acts_as;
        let fast = self.fast(rules)?;
        let dangers = fast.dangers().filter(|dangers| !dangers.reads_attributes())?;
        if entry.is_partial() {
            return None;
        }
        let (from, to) = (entry.from, entry.to);
        let piece = match (fast.touch(entry), list.effects(entry)) {
            (Touch::Relocates, _) => self.state.occupant(from),
            (Touch::Appears, &[Effect::Drop { piece, .. }]) => piece,
            _ => return None,
        };
        self.state.suppose_move((from, to), piece, |state| {
            let attacks = |&royal: &Occupant| {
                let slot = rules.tracked_slot(royal)?;
                let mut cells = state.tracked_cells(slot).filter(|&cell| cell != to);
                cells.try_fold(false, |found, cell| {
                    Some(found || dangers.is_attacked(state, royal, cell, (from, to))?)
                })
            };
            let mut royals = rules.royal(next).iter();
            royals.try_fold(false, |found, royal| Some(found || attacks(royal)?))
        })
    }

    /// Keeps the moves that begin a chain with the most steps, or the most worthy ones of these.
    ///
    /// # Language
    /// `docs/language.md`: option "maximal captures".
    fn keep_longest_chains(&mut self, rules: &Rules, list: &mut MoveList) -> Result<(), Fault> {
        let options = &rules.model.options;
        let by_value = options.maximal_captures == MaximalCaptures::LongestThenValue
            && options.quirks.longest_chains == LongestChains::Value;
        if list.len() < 2 || (!by_value && !list.iter().any(MoveEntry::is_partial)) {
            return Ok(());
        }
        let mut work = std::mem::take(&mut self.chain_work);
        (work.by_value, work.n_steps) = (by_value, 0);
        work.known.clear();
        work.worths.clear();
        let compared = self.compare_chains(rules, list, &mut work);
        if compared.is_ok() {
            keep_best(list, &work.worths);
        }
        self.chain_work = work;
        compared
    }

    fn compare_chains(&mut self, rules: &Rules, list: &MoveList, work: &mut ChainWork) -> Result<(), Fault> {
        for entry in list.iter() {
            // Of equally long chains those made by a worthier piece come first.
            let mover = entry.from.is_some().then(|| self.state.occupant(entry.from));
            let mover = mover
                .filter(|_| work.by_value)
                .map_or(0, |piece| rules.reach().weight(piece));
            let worth = self.chain_worth(rules, list, entry, 1, work)?;
            work.worths.push((worth.steps, mover, worth.captured));
        }
        Ok(())
    }

    /// Returns the worth of the best chain that begins with a move; `depth` is the number of this step.
    fn chain_worth(
        &mut self,
        rules: &Rules,
        list: &MoveList,
        entry: &MoveEntry,
        depth: usize,
        work: &mut ChainWork,
    ) -> Result<ChainWorth, Fault> {
        work.n_steps += 1;
        if depth > Fault::CHAIN_LIMIT || work.n_steps > Fault::CHAIN_WORK_LIMIT {
            return Err(Fault::ChainLimit);
        }
        if !entry.is_partial() && !work.by_value {
            return Ok(ChainWorth { steps: 1, captured: 0 });
        }
        self.make(rules, list, entry)?;
        let captured = self.log.captured().iter().map(|&(_, piece)| piece);
        let captured = if work.by_value {
            captured.map(|piece| rules.reach().weight(piece)).sum()
        } else {
            0
        };
        let result = if entry.is_partial() {
            self.best_continuation(rules, depth, work)
        } else {
            Ok(ChainWorth::default())
        };
        self.unmake(rules);
        result.map(|rest| ChainWorth {
            steps: rest.steps + 1,
            captured: rest.captured + captured,
        })
    }

    /// Returns the worth of the best way to go on with an open chain.
    fn best_continuation(&mut self, rules: &Rules, depth: usize, work: &mut ChainWork) -> Result<ChainWorth, Fault> {
        let Some(chain) = self.state.chain() else {
            return Ok(ChainWorth::default());
        };
        let key = self.state.keys().search;
        if let Some(&known) = work.known.get(&key) {
            return Ok(known);
        }
        // A chain that comes back to where it was goes on for ever; it counts no further.
        work.known.insert(key, ChainWorth::default());
        let mut list = self.lend_list();
        let tiers = rules.continuation_tiers(chain.continuation, self.state.turn());
        let mut best = ChainWorth::default();
        let mut result = self.first_legal_tier(rules, tiers, self.turn_item(rules), Some(chain), &mut list);
        for index in 0..list.len() {
            if result.is_err() {
                break;
            }
            let entry = *list.get(index);
            result = self
                .chain_worth(rules, &list, &entry, depth + 1, work)
                .map(|worth| best = best.max(worth));
        }
        self.give_back(list);
        result?;
        work.known.insert(key, best);
        Ok(best)
    }

    /// Adds a pass where the options allow one and it leaves no royal piece attacked.
    ///
    /// # Language
    /// `docs/language.md`: options "pass turn" and "pass partial".
    fn add_pass(&mut self, rules: &Rules, item: TurnItem, list: &mut MoveList) -> Result<(), Fault> {
        let options = &rules.model.options;
        let allowed = match (self.state.chain(), options.pass_turn) {
            (Some(_), _) => options.pass_partial,
            (None, PassTurn::Never) => false,
            (None, PassTurn::Always) => true,
            (None, PassTurn::Forced) => list.is_empty(),
        };
        if allowed && !self.in_check(rules, item.acts_as)? {
            vm::generate_pass(rules, &mut self.state, &mut self.scratch, item.acts_as, list)?;
        }
        Ok(())
    }

    fn lend_list(&mut self) -> MoveList {
        self.spare_lists.pop().unwrap_or_default()
    }

    fn give_back(&mut self, mut list: MoveList) {
        list.clear();
        self.spare_lists.push(list);
    }
}
