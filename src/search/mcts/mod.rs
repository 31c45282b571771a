//! Monte-Carlo tree search: a tree that grows where play is most promising, judged by games played out from its leaves.
//!
//! Each simulation goes down the tree by the moves with the best mixture of what they have brought so far and how little
//! is known of them, adds a node, plays on at random for a while, and tells all nodes on its way what came of it.
//! What is not known from visits is first taken from the moves' own worth ([`MoveValue`](super::MoveValue)) and from the
//! games in which the same move was made later (*RAVE*).
//! Games need not be played out: after [`MctsOptions::cut`] plies the evaluation says how likely each player is to win.
//!
//! A node whose outcome is certain says so, and so does its parent if that settles it (*solved nodes*): a proven win is
//! played, a proven loss avoided, and if the root is solved the search ends.
//! Each value is kept for whoever chose the move, so any number of players may take part; where chance acts, its moves
//! are drawn.

mod tree;

use std::fmt;

use super::game::{Actor, Ending, Game, MAX_PLAYERS, Outcome};
use super::limits::{Budget, Limits};
use super::report::{Line, Report, Step};
use super::score::{self, MAX_PLY};
use tree::{Node, Tree};

/// How to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsOptions {
    /// The size of the tree, in units of 2^20 bytes.
    pub tree_megabytes: usize,
    /// The plies after which a simulation is judged by the evaluation; 0 judges the leaf itself, and without a number
    /// games are played out.
    pub cut: Option<u32>,
    /// How much moves that little is known of are preferred.
    pub exploration: f32,
    /// How long the statistics of moves made later weigh more than those of visits, in visits; 0 to leave them out.
    pub rave: f32,
    /// The number of moves to give a line and a score for, at least 1.
    pub multipv: usize,
    /// What the draws follow from.
    pub seed: u64,
}

impl Default for MctsOptions {
    fn default() -> MctsOptions {
        MctsOptions {
            tree_megabytes: 128,
            cut: Some(4),
            exploration: 0.7,
            rave: 300.0,
            multipv: 1,
            seed: 0,
        }
    }
}

/// How many score points make a win e times as likely as it was against a loss.
const POINTS: f32 = 250.0;
/// How many visits the first estimate of a move weighs as much as.
const PRIOR_VISITS: f32 = 2.0;
/// The plies after which a game that is played out is judged all the same.
const LONGEST_PLAYOUT: u32 = 600;

/// What a simulation has brought, by player: 1 for a win, 0 for a loss.
type Values = [f32; MAX_PLAYERS];

/// Searches by simulations; its tree is made anew for each search.
pub struct Mcts<G: Game> {
    options: MctsOptions,
    tree: Tree,
    moves: G::Moves,
    path: Vec<Visit>,
    played: Played,
}

/// A node on the way down and who acted there.
#[derive(Clone, Copy)]
struct Visit {
    node: u32,
    actor: Actor,
}

/// Which moves were made in the present simulation, by player and fingerprint.
#[derive(Default)]
struct Played {
    stamps: Vec<u32>,
    now: u32,
}

impl Played {
    const SLOTS: usize = 1 << 14;

    fn begin(&mut self) {
        if self.stamps.is_empty() {
            self.stamps.resize(Played::SLOTS, 0);
        }
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    fn slot(player: u8, fingerprint: u32) -> usize {
        let mixed = (fingerprint ^ u32::from(player).wrapping_mul(0x85EB_CA6B)).wrapping_mul(0x9E37_79B1);
        (mixed >> 18) as usize % Played::SLOTS
    }

    fn note(&mut self, player: u8, fingerprint: u32) {
        self.stamps[Played::slot(player, fingerprint)] = self.now;
    }

    fn has(&self, player: u8, fingerprint: u32) -> bool {
        self.stamps[Played::slot(player, fingerprint)] == self.now
    }
}

/// Why simulating ended.
enum Stop<F> {
    Spent,
    Fault(F),
}

impl<F> From<F> for Stop<F> {
    fn from(fault: F) -> Stop<F> {
        Stop::Fault(fault)
    }
}

impl<G: Game> fmt::Debug for Mcts<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<G: Game> Mcts<G> {
    /// Creates a searcher.
    pub fn new(options: MctsOptions) -> Mcts<G> {
        Mcts {
            options,
            tree: Tree::new(options.tree_megabytes),
            moves: G::Moves::default(),
            path: Vec::new(),
            played: Played::default(),
        }
    }

    /// Searches the present state of `game` within `limits`, calls `on_line` now and then with the best line so far, and
    /// reports. `game` is left as it was.
    ///
    /// A depth limits nothing but how many lines are told: the one of number `n` comes after 2^(n-1) simulations.
    pub fn search(&mut self, game: &mut G, limits: &Limits, on_line: &mut dyn FnMut(&Line)) -> Report<G::Fault> {
        let budget = Budget::start(limits);
        let mut report = Report::empty();
        self.tree.clear();
        let mut run = Run {
            game,
            budget,
            random: self.options.seed ^ 0x5851_F42D_4C95_7F2D,
            options: self.options,
            tree: &mut self.tree,
            moves: &mut self.moves,
            path: &mut self.path,
            played: &mut self.played,
            simulations: 0,
        };
        match run.all(limits, &mut report, on_line) {
            Ok(()) | Err(Stop::Spent) => {}
            Err(Stop::Fault(fault)) => report.fault = Some(fault),
        }
        report.nodes = run.budget.nodes();
        report.seconds = run.budget.seconds();
        report.simulations = run.simulations;
        report
    }
}

/// A running search.
struct Run<'a, G: Game> {
    game: &'a mut G,
    budget: Budget,
    random: u64,
    options: MctsOptions,
    tree: &'a mut Tree,
    moves: &'a mut G::Moves,
    path: &'a mut Vec<Visit>,
    played: &'a mut Played,
    simulations: u64,
}

impl<G: Game> Run<'_, G> {
    fn all(
        &mut self,
        limits: &Limits,
        report: &mut Report<G::Fault>,
        on_line: &mut dyn FnMut(&Line),
    ) -> Result<(), Stop<G::Fault>> {
        report.outcome = self.look()?;
        let hero = match self.game.actor() {
            Actor::Player(player) => player,
            Actor::Chance => 0,
        };
        if let Some(outcome) = report.outcome {
            report.score = score::of_ending(outcome.ending(hero), 0);
            return Ok(());
        }
        self.tree.add_root();
        self.expand(0);
        let is_choice = self.game.actor() != Actor::Chance;
        let n_moves = G::len(self.moves);
        if is_choice {
            let first = self.tree.children(0).start;
            report.settle(&[self.tree.node(first).step()], 0);
        }
        let deepest = limits.depth.unwrap_or(u32::MAX);
        let mut next_line = 1;
        let result = loop {
            if let Err(stop) = self.simulate() {
                break Err(stop);
            }
            self.simulations += 1;
            let is_solved = self.tree.node(0).outcome().is_some();
            let is_forced = is_choice && n_moves == 1 && limits.depth.is_none();
            let is_over = is_solved || is_forced;
            if self.simulations >= next_line || is_over {
                next_line *= 2;
                let line = self.line(report.depth + 1, hero, is_choice);
                report.depth += 1;
                report.settle(&line.pv, line.score);
                on_line(&line);
                report.lines.push(line);
            }
            if is_over || report.depth >= deepest {
                break Ok(());
            }
        };
        if self.simulations > 0 {
            let line = self.line(report.depth, hero, is_choice);
            report.settle(&line.pv, line.score);
            self.rank_lines(report, line, hero, is_choice);
        }
        result
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
        for _ in 0..made {
            self.game.unmake();
        }
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
                if is_fresh || *made as usize >= MAX_PLY || !self.expand(at) {
                    return self.play_out(made);
                }
            }
            let child = self.select(at, actor);
            let step = self.tree.node(child).step();
            self.make(step.index as usize, actor, made)?;
            at = child;
        }
    }

    /// Plays on at random from the present state, whose moves are listed.
    fn play_out(&mut self, made: &mut u32) -> Result<Values, Stop<G::Fault>> {
        let most = self.options.cut.unwrap_or(LONGEST_PLAYOUT);
        for _ in 0..most {
            let actor = self.game.actor();
            let index = self.pick(actor);
            self.make(index, actor, made)?;
            if let Some(outcome) = self.look()? {
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

    /// Draws a move: of two the one that gains more at once.
    fn pick(&mut self, actor: Actor) -> usize {
        let n_moves = G::len(self.moves);
        let first = self.below(n_moves);
        if actor == Actor::Chance || n_moves == 1 {
            return first;
        }
        let second = self.below(n_moves);
        let gain = |index| self.game.value(self.moves, index).gain;
        if gain(second) > gain(first) { second } else { first }
    }

    fn make(&mut self, index: usize, actor: Actor, made: &mut u32) -> Result<(), Stop<G::Fault>> {
        if !self.budget.spend() {
            return Err(Stop::Spent);
        }
        if let Actor::Player(player) = actor
            && self.options.rave > 0.0
        {
            self.played.note(player, G::fingerprint(self.moves, index));
        }
        self.game.make(self.moves, index)?;
        *made += 1;
        Ok(())
    }

    /// Adds the moves of the present state below node `at`. Returns false if there is no room.
    fn expand(&mut self, at: u32) -> bool {
        let n_moves = G::len(self.moves);
        let (game, moves) = (&*self.game, &*self.moves);
        self.tree.expand(at, n_moves, |index| {
            let step = Step {
                index: index as u32,
                fingerprint: G::fingerprint(moves, index),
            };
            Node::new(step, likelihood(game.value(moves, index).gain))
        })
    }

    /// Chooses the child to go on with.
    fn select(&mut self, at: u32, actor: Actor) -> u32 {
        let children = self.tree.children(at);
        let Actor::Player(player) = actor else {
            let n_children = children.len();
            return children.start + self.below(n_children) as u32;
        };
        let parent = self.tree.node(at);
        let reach = self.options.exploration * (parent.visits.max(1) as f32).ln().max(0.2).sqrt();
        let rave = self.options.rave;
        let urgency = |child: &Node| {
            match child.outcome().map(|outcome| outcome.ending(player)) {
                Some(Ending::Win) => return f32::INFINITY,
                Some(Ending::Loss) => return -1.0,
                Some(Ending::Draw) | None => {}
            }
            let visits = child.visits as f32;
            let mut value = (child.sum + child.prior * PRIOR_VISITS) / (visits + PRIOR_VISITS);
            if child.rave_visits > 0 && rave > 0.0 {
                let weight = (rave / (3.0 * visits + rave)).sqrt()
                    * (child.rave_visits as f32 / (child.rave_visits as f32 + 20.0));
                let later = child.rave_sum / child.rave_visits as f32;
                value += weight * (later - value);
            }
            value + reach / (visits + 1.0).sqrt()
        };
        let mut best = (f32::NEG_INFINITY, children.start);
        for child in children {
            let urgency = urgency(self.tree.node(child));
            if urgency > best.0 {
                best = (urgency, child);
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
                for child in self.tree.children(node) {
                    let child = self.tree.node_mut(child);
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
        for child in self.tree.children(at) {
            let outcome = self.tree.node(child).outcome();
            match (outcome, actor) {
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

    /// Returns the best line, and how good it is for `hero`.
    fn line(&self, depth: u32, hero: u8, is_choice: bool) -> Line {
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
            nodes: self.budget.nodes(),
            seconds: self.budget.seconds(),
            pv,
        }
    }

    /// Replaces the last line of the report by the best lines of the end.
    fn rank_lines(&self, report: &mut Report<G::Fault>, best: Line, hero: u8, is_choice: bool) {
        let first = best.pv.first().map(|step| step.index);
        let depth = best.depth;
        report.lines.retain(|line| line.depth < depth);
        report.lines.push(best);
        if !is_choice {
            return;
        }
        let mut others: Vec<&Node> = (self.tree.children(0))
            .map(|child| self.tree.node(child))
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
                nodes: self.budget.nodes(),
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
