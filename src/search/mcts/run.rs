//! One thread's simulations.

use super::super::game::{Actor, Ending, Game, MAX_PLAYERS, Outcome};
use super::super::limits::{Budget, Limits};
use super::super::report::{Line, Report, Step};
use super::super::score::{self, MAX_PLY};
use super::tree::{Node, Tree};
use super::{MctsOptions, Played, Stop, Visit};

/// How many score points make a win e times as likely as it was against a loss.
const POINTS: f32 = 250.0;
/// How many visits the first estimate of a move weighs as much as.
const PRIOR_VISITS: f32 = 2.0;
/// How many simulations in which a move was made later make these statistics half as good as they can be.
const RAVE_DOUBT: f32 = 20.0;
/// The most moves of a node whose replies are looked at when it gets children.
const MOST_LOOKED_AT: usize = 40;
/// The plies after which a game that is played out is judged all the same.
const LONGEST_PLAYOUT: u32 = 600;

/// What a simulation has brought, by player: 1 for a win, 0 for a loss.
type Values = [f32; MAX_PLAYERS];

/// The state where a search begins.
#[derive(Clone, Copy)]
pub(super) struct Root {
    /// The player to move, any where chance is.
    hero: u8,
    is_choice: bool,
    n_moves: usize,
}

/// A running search.
pub(super) struct Run<'a, G: Game> {
    pub(super) game: &'a mut G,
    pub(super) budget: Budget,
    pub(super) random: u64,
    pub(super) options: MctsOptions,
    pub(super) tree: &'a mut Tree,
    pub(super) moves: &'a mut G::Moves,
    /// Another list, for a look ahead or back.
    pub(super) spare: &'a mut G::Moves,
    pub(super) path: &'a mut Vec<Visit>,
    pub(super) played: &'a mut Played,
    pub(super) simulations: u64,
}

impl<G: Game> Run<'_, G> {
    /// Looks at the root, and takes up what is known of it; returns it unless the game is over.
    pub(super) fn begin(&mut self, report: &mut Report<G::Fault>) -> Result<Option<Root>, G::Fault> {
        report.outcome = self.look()?;
        let root = Root {
            hero: match self.game.actor() {
                Actor::Player(player) => player,
                Actor::Chance => 0,
            },
            is_choice: self.game.actor() != Actor::Chance,
            n_moves: G::len(self.moves),
        };
        if let Some(outcome) = report.outcome {
            report.score = score::of_ending(outcome.ending(root.hero), 0);
            return Ok(None);
        }
        self.tree.begin(self.game.key());
        let children = self.tree.below(0);
        let is_known = children.len() == root.n_moves
            && (children.iter().enumerate())
                .all(|(index, child)| child.fingerprint == G::fingerprint(self.moves, index));
        if !is_known {
            self.tree.clear();
            self.tree.begin(self.game.key());
            match self.expand(0) {
                Err(Stop::Fault(fault)) => return Err(fault),
                Ok(_) | Err(Stop::Spent) => {}
            }
        }
        if root.is_choice {
            report.settle(&[self.tree.below(0)[0].step()], 0);
        }
        self.game.keep();
        Ok(Some(root))
    }

    /// Simulates until a limit is reached or the outcome is certain.
    pub(super) fn go_on(
        &mut self,
        root: Root,
        limits: &Limits,
        report: &mut Report<G::Fault>,
        on_line: &mut dyn FnMut(&Line),
    ) -> Result<(), Stop<G::Fault>> {
        let deepest = limits.depth.unwrap_or(u32::MAX);
        let mut next_line = 1;
        loop {
            self.simulate()?;
            self.simulations += 1;
            let is_solved = self.tree.node(0).outcome().is_some();
            let is_forced = root.is_choice && root.n_moves == 1 && limits.depth.is_none();
            let is_over = is_solved || is_forced;
            if self.simulations >= next_line || is_over {
                next_line *= 2;
                let line = self.line(report.depth + 1, root);
                report.depth += 1;
                report.settle(&line.pv, line.score);
                on_line(&line);
                report.lines.push(line);
            }
            if is_over || report.depth >= deepest {
                return Ok(());
            }
        }
    }

    /// Reports the best lines at the end.
    pub(super) fn conclude(&self, root: Root, report: &mut Report<G::Fault>) {
        if self.tree.node(0).visits > 0 {
            let line = self.line(report.depth, root);
            report.settle(&line.pv, line.score);
            self.rank_lines(report, line, root);
        }
    }

    /// Lists the moves of the present state; returns its outcome if it has one.
    fn look(&mut self) -> Result<Option<Outcome>, G::Fault> {
        if let Some(outcome) = self.game.board_outcome()? {
            return Ok(Some(outcome));
        }
        self.game.moves(self.moves)?;
        let outcome = self.game.outcome(self.moves)?;
        Ok(outcome.or((G::len(self.moves) == 0).then_some(Outcome::DRAW)))
    }

    /// Carries out one simulation. The game is where it was, whatever happens.
    fn simulate(&mut self) -> Result<(), Stop<G::Fault>> {
        self.played.begin();
        self.path.clear();
        let mut made = 0;
        let result = self.descend(&mut made);
        self.game.go_back(made);
        let values = result?;
        self.learn(&values);
        Ok(())
    }

    /// Goes down to a leaf and plays on from there.
    fn descend(&mut self, made: &mut u32) -> Result<Values, Stop<G::Fault>> {
        let mut at = 0;
        loop {
            let outcome = self.look()?;
            let actor = self.game.actor();
            self.path.push(Visit { node: at, actor });
            if let Some(outcome) = outcome {
                if !self.game.depends_on_past() {
                    self.tree.node_mut(at).settle(outcome);
                }
                return Ok(values_of(outcome));
            }
            if self.tree.children(at).is_empty() {
                let is_fresh = self.tree.node(at).visits == 0;
                if is_fresh || *made as usize >= MAX_PLY || !self.expand(at)? {
                    return self.play_out(made);
                }
            }
            let child = self.select(at, actor);
            if let Some(outcome) = self.tree.node(child).outcome() {
                self.path.push(Visit { node: child, actor });
                return Ok(values_of(outcome));
            }
            let index = self.tree.node(child).step().index as usize;
            self.make(index, made)?;
            self.note(actor, index, false);
            at = child;
        }
    }

    /// Plays on at random from the present state, whose moves are listed.
    fn play_out(&mut self, made: &mut u32) -> Result<Values, Stop<G::Fault>> {
        if let Some(outcome) = self.foreseen_win() {
            return Ok(values_of(outcome));
        }
        let most = self.options.cut.unwrap_or(LONGEST_PLAYOUT);
        for _ in 0..most {
            let actor = self.game.actor();
            if let Some(outcome) = self.play_on(actor, made)? {
                return Ok(values_of(outcome));
            }
        }
        let mut values = [0.0; MAX_PLAYERS];
        let n_players = self.game.players().min(MAX_PLAYERS);
        match n_players {
            2 => {
                let worth = self.game.evaluate(0, self.moves, i32::MIN..i32::MAX)?;
                values[0] = likelihood(worth);
                values[1] = 1.0 - values[0];
            }
            _ => {
                for (player, value) in values.iter_mut().enumerate().take(n_players) {
                    *value = likelihood(self.game.evaluate(player as u8, self.moves, i32::MIN..i32::MAX)?);
                }
            }
        }
        Ok(values)
    }

    /// Makes a move that is drawn, another one as long as the next player is foreseen to win at once; lists what follows.
    /// Returns the outcome if there is one, or no way round it.
    fn play_on(&mut self, actor: Actor, made: &mut u32) -> Result<Option<Outcome>, Stop<G::Fault>> {
        let n_moves = G::len(self.moves);
        let first = self.pick(actor);
        for offset in 0..n_moves {
            let index = (first + offset) % n_moves;
            self.make(index, made)?;
            std::mem::swap(self.moves, self.spare);
            let outcome = self.look()?;
            let lost = match outcome {
                None => self.foreseen_win(),
                Some(_) => None,
            };
            let is_last = offset + 1 == n_moves || actor == Actor::Chance || self.game.actor() == actor;
            if lost.is_none() || is_last {
                self.note(actor, index, true);
                return Ok(outcome.or(lost));
            }
            self.game.unmake();
            *made -= 1;
            std::mem::swap(self.moves, self.spare);
        }
        Ok(None)
    }

    /// Returns the outcome of a move that the game foresees to win at once for whoever acts.
    fn foreseen_win(&self) -> Option<Outcome> {
        let Actor::Player(player) = self.game.actor() else {
            return None;
        };
        if !self.options.decisive {
            return None;
        }
        for index in 0..G::len(self.moves) {
            let outcome = self.game.foresee(self.moves, index)?;
            if outcome.is_some_and(|outcome| outcome.ending(player) == Ending::Win) {
                return outcome;
            }
        }
        None
    }

    /// Draws a move; where games are not played out, of two the one that gains more at once.
    fn pick(&mut self, actor: Actor) -> usize {
        let n_moves = G::len(self.moves);
        let first = self.below(n_moves);
        if self.options.cut.is_none() || actor == Actor::Chance || n_moves == 1 {
            return first;
        }
        let second = self.below(n_moves);
        let gain = |index| self.game.value(self.moves, index).gain;
        if gain(second) > gain(first) { second } else { first }
    }

    fn make(&mut self, index: usize, made: &mut u32) -> Result<(), Stop<G::Fault>> {
        if !self.budget.spend() {
            return Err(Stop::Spent);
        }
        self.game.make(self.moves, index)?;
        *made += 1;
        Ok(())
    }

    /// Notes a move that was made in this simulation, from the list before if that was put aside.
    fn note(&mut self, actor: Actor, index: usize, is_aside: bool) {
        if let Actor::Player(player) = actor
            && self.options.rave > 0.0
        {
            let moves = if is_aside { &*self.spare } else { &*self.moves };
            self.played.note(player, G::fingerprint(moves, index));
        }
    }

    /// Adds the moves of the present state below node `at`, which are settled where the game foresees what comes of them or
    /// of a reply. Returns false if there is no room.
    fn expand(&mut self, at: u32) -> Result<bool, Stop<G::Fault>> {
        let n_moves = G::len(self.moves);
        let (game, moves) = (&*self.game, &*self.moves);
        let foresees = self.options.decisive && game.foresee(moves, 0).is_some();
        let has_room = self.tree.expand(at, self.game.key(), n_moves, |index| {
            let step = Step {
                index: index as u32,
                fingerprint: G::fingerprint(moves, index),
            };
            let mut node = Node::new(step, likelihood(game.value(moves, index).gain));
            if let Some(outcome) = game.foresee(moves, index).flatten().filter(|_| foresees) {
                node.settle(outcome);
            }
            node
        });
        if has_room && foresees && n_moves <= MOST_LOOKED_AT {
            self.look_ahead(at)?;
        }
        Ok(has_room)
    }

    /// Settles the children of a node after which whoever acts next is foreseen to win at once.
    fn look_ahead(&mut self, at: u32) -> Result<(), Stop<G::Fault>> {
        if self.tree.below(at).iter().any(|child| child.outcome().is_some()) {
            return Ok(());
        }
        for index in 0..G::len(self.moves) {
            let mut made = 0;
            self.make(index, &mut made)?;
            std::mem::swap(self.moves, self.spare);
            let looked = self.look();
            let lost = match looked {
                Ok(None) => self.foreseen_win(),
                _ => None,
            };
            self.game.unmake();
            std::mem::swap(self.moves, self.spare);
            looked?;
            if let Some(outcome) = lost {
                self.tree.below_mut(at)[index].settle(outcome);
            }
        }
        Ok(())
    }

    /// Chooses the child to go on with.
    fn select(&mut self, at: u32, actor: Actor) -> u32 {
        let children = self.tree.children(at);
        let Actor::Player(player) = actor else {
            let n_children = children.len();
            return children.start + self.below(n_children) as u32;
        };
        // Even where every move has been tried, none is given up for good.
        let reach = self.options.exploration * logarithm(self.tree.node(at).visits).max(0.2).sqrt();
        let rave = self.options.rave;
        let mut best = (f32::NEG_INFINITY, children.start);
        for (number, child) in self.tree.below(at).iter().enumerate() {
            let urgency = match child.outcome().map(|outcome| outcome.ending(player)) {
                Some(Ending::Win) => f32::INFINITY,
                Some(Ending::Loss) => -1.0,
                Some(Ending::Draw) | None => {
                    let visits = child.visits as f32;
                    let mut value = (child.sum + child.prior * PRIOR_VISITS) / (visits + PRIOR_VISITS);
                    if child.rave_visits > 0 && rave > 0.0 {
                        let later_visits = child.rave_visits as f32;
                        let weight =
                            (rave / (3.0 * visits + rave)).sqrt() * (later_visits / (later_visits + RAVE_DOUBT));
                        value += weight * (child.rave_sum / later_visits - value);
                    }
                    value + reach / (visits + 1.0).sqrt()
                }
            };
            if urgency > best.0 {
                best = (urgency, children.start + number as u32);
            }
        }
        best.1
    }

    /// Tells the nodes of the path what a simulation has brought.
    fn learn(&mut self, values: &Values) {
        for place in (0..self.path.len()).rev() {
            let Visit { node, actor } = self.path[place];
            // The value of a node is kept for whoever moved there.
            let mover = place.checked_sub(1).map_or(actor, |before| self.path[before].actor);
            let value = match mover {
                Actor::Player(player) => values[usize::from(player).min(MAX_PLAYERS - 1)],
                Actor::Chance => values[0],
            };
            let here = self.tree.node_mut(node);
            here.visits += 1;
            here.sum += value;
            if let Actor::Player(player) = actor
                && self.options.rave > 0.0
            {
                let value = values[usize::from(player).min(MAX_PLAYERS - 1)];
                for child in self.tree.below_mut(node) {
                    if self.played.has(player, child.fingerprint) {
                        child.rave_visits += 1;
                        child.rave_sum += value;
                    }
                }
            }
            // Only a child that has been settled can settle its parent.
            let below = self.path.get(place + 1).map(|below| below.node);
            if below.is_some_and(|below| self.tree.node(below).outcome().is_some()) {
                self.settle(node, actor);
            }
        }
    }

    /// Settles a node if its children do.
    fn settle(&mut self, at: u32, actor: Actor) {
        if self.tree.node(at).outcome().is_some() || self.tree.children(at).is_empty() {
            return;
        }
        let mut best: Option<Outcome> = None;
        let mut is_open = false;
        for child in self.tree.below(at) {
            match (child.outcome(), actor) {
                (Some(outcome), Actor::Player(player)) => {
                    let rank = |outcome: Outcome| match outcome.ending(player) {
                        Ending::Win => 2,
                        Ending::Draw => 1,
                        Ending::Loss => 0,
                    };
                    if rank(outcome) == 2 {
                        return self.tree.node_mut(at).settle(outcome);
                    }
                    if best.is_none_or(|best| rank(outcome) > rank(best)) {
                        best = Some(outcome);
                    }
                }
                (Some(outcome), Actor::Chance) if best.is_none_or(|best| best == outcome) => best = Some(outcome),
                (None, _) | (_, Actor::Chance) => is_open = true,
            }
        }
        if let (Some(outcome), false) = (best, is_open) {
            self.tree.node_mut(at).settle(outcome);
        }
    }

    /// Returns the best line, and how good it is for who is to move at the root.
    fn line(&self, depth: u32, root: Root) -> Line {
        let Root { hero, is_choice, .. } = root;
        let mut pv = Vec::new();
        let mut at = 0;
        let mut player = Some(hero);
        // Whoever acts further down is not known any more; the most visited child is what was thought best there.
        while let Some(child) = self.best_child(at, player).filter(|_| is_choice) {
            pv.push(self.tree.node(child).step());
            at = child;
            player = None;
        }
        let score = match self.tree.node(0).outcome() {
            Some(outcome) => score::of_ending(outcome.ending(hero), pv.len()),
            None => {
                let judged = match pv.first().and(self.best_child(0, Some(hero))) {
                    Some(child) => self.tree.node(child),
                    None => self.tree.node(0),
                };
                points(judged.sum / (judged.visits as f32).max(1.0))
            }
        };
        Line {
            rank: 0,
            depth,
            score,
            nodes: self.budget.nodes_of_all(),
            seconds: self.budget.seconds(),
            pv,
        }
    }

    /// Replaces the last line of the report by the best lines of the end.
    fn rank_lines(&self, report: &mut Report<G::Fault>, best: Line, root: Root) {
        let Root { hero, is_choice, .. } = root;
        let first = best.pv.first().map(|step| step.index);
        let depth = best.depth;
        report.lines.retain(|line| line.depth < depth);
        report.lines.push(best);
        if !is_choice {
            return;
        }
        let mut others: Vec<&Node> = (self.tree.below(0).iter())
            .filter(|node| node.visits > 0 && Some(node.step().index) != first)
            .collect();
        others.sort_by_key(|node| (std::cmp::Reverse(node.visits), node.step().index));
        let n_others = self.options.multipv.saturating_sub(1);
        for (rank, node) in others.into_iter().take(n_others).enumerate() {
            let score = match node.outcome() {
                Some(outcome) => score::of_ending(outcome.ending(hero), 1),
                None => points(node.sum / node.visits as f32),
            };
            report.lines.push(Line {
                rank: rank as u32 + 1,
                depth,
                score: score.min(report.score),
                nodes: self.budget.nodes_of_all(),
                seconds: self.budget.seconds(),
                pv: vec![node.step()],
            });
        }
    }

    fn best_child(&self, at: u32, player: Option<u8>) -> Option<u32> {
        let worth = |&child: &u32| {
            let node = self.tree.node(child);
            let ending = player.and_then(|player| node.outcome().map(|outcome| outcome.ending(player)));
            let certain = match ending {
                Some(Ending::Win) => 2,
                Some(Ending::Loss) => 0,
                Some(Ending::Draw) | None => 1,
            };
            (certain, node.visits, std::cmp::Reverse(child))
        };
        let children = self.tree.children(at).filter(|&child| self.tree.node(child).visits > 0);
        children.max_by_key(worth)
    }

    fn below(&mut self, n: usize) -> usize {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * n as u128) >> 64) as usize
    }
}

/// Returns what an outcome is worth to each player.
fn values_of(outcome: Outcome) -> Values {
    std::array::from_fn(|player| match outcome.ending(player as u8) {
        Ending::Win => 1.0,
        Ending::Draw => 0.5,
        Ending::Loss => 0.0,
    })
}

/// Returns about the natural logarithm of a number; by few operations, so that it is the same on every machine.
fn logarithm(number: u32) -> f32 {
    let number = number.max(1);
    let whole = number.ilog2();
    let rest = number as f32 / (1u32 << whole) as f32 - 1.0;
    std::f32::consts::LN_2 * (whole as f32 + rest)
}

/// Returns how likely a win is that is so many score points ahead. Coarse and by division only, so that it is the same on
/// every machine.
fn likelihood(points: i32) -> f32 {
    let x = points as f32 / POINTS;
    0.5 + 0.5 * x / (1.0 + x.abs())
}

/// Returns the score points that make a win so likely.
fn points(likelihood: f32) -> i32 {
    let x = (likelihood * 2.0 - 1.0).clamp(-0.995, 0.995);
    (POINTS * x / (1.0 - x.abs())) as i32
}
