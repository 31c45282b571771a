//! Max^n: each player wants the most for itself, whoever else gains or loses by it.
//!
//! Where three or more play, alpha-beta takes all others to be against the one it plays for, which lets it cut and look
//! far, but fears alliances that are in nobody's interest.
//! Here a state has one score for each player, and whoever acts takes the move with the most for itself.
//! Little can be cut: only what cannot become better than a win at once.
//! With one player and with two the scores are those of the other search, only found more slowly.

use super::alphabeta::Halt;
use super::game::{Actor, Game, MAX_PLAYERS, Outcome};
use super::limits::{Budget, Limits};
use super::ordering::{self, Hints, History, Killers, Ranked};
use super::report::{Line, Report, Step};
use super::score::{self, INFINITE, MAX_PLY, Mean};

/// The scores of a state, by player.
type Scores = [i32; MAX_PLAYERS];

/// The buffers of one ply.
#[derive(Default)]
struct Ply<M> {
    moves: M,
    order: Vec<Ranked>,
    pv: Vec<Step>,
}

struct Tree<'a, G: Game> {
    game: &'a mut G,
    budget: Budget,
    stack: Vec<Ply<G::Moves>>,
    history: History,
    n_guesses: u64,
}

/// Searches the present state of `game`, in which any number of players may take part, as [`Searcher::search`] does, but
/// with each player out for itself. Always one line is reported for each depth.
///
/// [`Searcher::search`]: super::Searcher::search
pub fn search_max_n<G: Game>(game: &mut G, limits: &Limits, on_line: &mut dyn FnMut(&Line)) -> Report<G::Fault> {
    let mut tree = Tree {
        game,
        budget: Budget::start(limits),
        stack: Vec::new(),
        history: History::new(),
        n_guesses: 0,
    };
    let mut report = Report::empty();
    if let Err(Halt::Fault(fault)) = tree.deepen(limits, &mut report, on_line) {
        report.fault = Some(fault);
    }
    report.nodes = tree.budget.nodes();
    report.seconds = tree.budget.seconds();
    report
}

impl<G: Game> Tree<'_, G> {
    fn deepen(
        &mut self,
        limits: &Limits,
        report: &mut Report<G::Fault>,
        on_line: &mut dyn FnMut(&Line),
    ) -> Result<(), Halt<G::Fault>> {
        let hero = match self.game.actor() {
            Actor::Player(player) => usize::from(player).min(MAX_PLAYERS - 1),
            Actor::Chance => 0,
        };
        self.reach(0);
        report.outcome = match self.game.board_outcome()? {
            Some(outcome) => Some(outcome),
            None => self.generate(0)?,
        };
        if let Some(outcome) = report.outcome {
            report.score = self.end(outcome, 0)[hero];
            return Ok(());
        }
        let is_choice = self.game.actor() != Actor::Chance;
        if is_choice {
            self.rank(0);
            let first = self.stack[0].order[0].index;
            self.note_pv(0, first);
            report.settle(&self.stack[0].pv, 0);
        }
        let n_moves = self.stack[0].order.len();
        let deepest = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1);
        for depth in 1..=deepest {
            let before = self.n_guesses;
            let score = if is_choice {
                self.choose(0, depth)?[hero]
            } else {
                self.expectimax(0, depth)?[hero]
            };
            let pv = if is_choice {
                self.stack[0].pv.clone()
            } else {
                Vec::new()
            };
            let line = Line {
                rank: 0,
                depth,
                score,
                nodes: self.budget.nodes(),
                seconds: self.budget.seconds(),
                pv,
            };
            report.depth = depth;
            report.settle(&line.pv, score);
            on_line(&line);
            report.lines.push(line);
            let is_decided = score::plies_to_end(score).is_some_and(|plies| plies <= depth);
            if is_decided || self.n_guesses == before || is_choice && n_moves == 1 && limits.depth.is_none() {
                break;
            }
            // The best move of this iteration comes first in the next, so that a broken one can only do better.
            if let Some(place) = (report.pv.first())
                .and_then(|step| self.stack[0].order.iter().position(|ranked| ranked.index == step.index))
            {
                self.stack[0].order[..=place].rotate_right(1);
            }
        }
        Ok(())
    }

    fn node(&mut self, ply: usize, depth: u32) -> Result<Scores, Halt<G::Fault>> {
        self.reach(ply);
        self.stack[ply].pv.clear();
        if let Some(outcome) = self.game.board_outcome()? {
            return Ok(self.end(outcome, ply));
        }
        if let Some(outcome) = self.generate(ply)? {
            return Ok(self.end(outcome, ply));
        }
        if depth == 0 || ply + 1 >= MAX_PLY {
            return self.evaluate(ply);
        }
        if self.game.actor() == Actor::Chance {
            return self.expectimax(ply, depth);
        }
        self.rank(ply);
        self.choose(ply, depth)
    }

    /// Finds the ranked move with the most for whoever acts; of equal ones the first.
    fn choose(&mut self, ply: usize, depth: u32) -> Result<Scores, Halt<G::Fault>> {
        let actor = match self.game.actor() {
            Actor::Player(player) => usize::from(player).min(MAX_PLAYERS - 1),
            Actor::Chance => 0,
        };
        let mut best = [-INFINITE; MAX_PLAYERS];
        for place in 0..self.stack[ply].order.len() {
            let Ranked { index, value, .. } = self.stack[ply].order[place];
            let scores = self.child(ply, index, depth)?;
            if scores[actor] <= best[actor] {
                continue;
            }
            best = scores;
            self.note_pv(ply, index);
            if best[actor] >= score::WIN - (ply as i32 + 1) {
                if !value.tactical {
                    let fingerprint = G::fingerprint(&self.stack[ply].moves, index as usize);
                    self.history.note(actor, fingerprint, depth);
                }
                break;
            }
        }
        Ok(best)
    }

    fn expectimax(&mut self, ply: usize, depth: u32) -> Result<Scores, Halt<G::Fault>> {
        let mut means = [Mean::default(); MAX_PLAYERS];
        for index in 0..G::len(&self.stack[ply].moves) {
            let scores = self.child(ply, index as u32, depth)?;
            means.iter_mut().zip(scores).for_each(|(mean, score)| mean.add(score));
        }
        Ok(means.map(Mean::score))
    }

    fn child(&mut self, ply: usize, index: u32, depth: u32) -> Result<Scores, Halt<G::Fault>> {
        if !self.budget.spend() {
            return Err(Halt::Spent);
        }
        self.game.make(&self.stack[ply].moves, index as usize)?;
        let searched = self.node(ply + 1, depth - 1);
        self.game.unmake();
        searched
    }

    fn evaluate(&mut self, ply: usize) -> Result<Scores, Halt<G::Fault>> {
        self.n_guesses += 1;
        let mut scores = [0; MAX_PLAYERS];
        let n_players = self.game.players().min(MAX_PLAYERS);
        for (player, score) in scores.iter_mut().enumerate().take(n_players) {
            let moves = &self.stack[ply].moves;
            let worth = self.game.evaluate(player as u8, moves, -INFINITE..INFINITE)?;
            *score = score::of_evaluation(worth);
        }
        Ok(scores)
    }

    fn end(&mut self, outcome: Outcome, ply: usize) -> Scores {
        self.n_guesses += u64::from(self.game.depends_on_past());
        std::array::from_fn(|player| score::of_ending(outcome.ending(player as u8), ply))
    }

    fn generate(&mut self, ply: usize) -> Result<Option<Outcome>, G::Fault> {
        let moves = &mut self.stack[ply].moves;
        self.game.moves(moves)?;
        let outcome = self.game.outcome(moves)?;
        Ok(outcome.or((G::len(moves) == 0).then_some(Outcome::DRAW)))
    }

    fn rank(&mut self, ply: usize) {
        let side = match self.game.actor() {
            Actor::Player(player) => usize::from(player),
            Actor::Chance => 0,
        };
        let Ply { moves, order, .. } = &mut self.stack[ply];
        let hints = Hints {
            remembered: None,
            killers: Killers::default(),
            history: &self.history,
            side,
            before: None,
        };
        ordering::rank(&*self.game, moves, order, hints);
        ordering::sort(order);
    }

    fn reach(&mut self, ply: usize) {
        while self.stack.len() <= ply {
            self.stack.push(Ply::default());
        }
    }

    fn note_pv(&mut self, ply: usize, index: u32) {
        let (upper, lower) = self.stack.split_at_mut(ply + 1);
        let here = &mut upper[ply];
        here.pv.clear();
        here.pv.push(Step {
            index,
            fingerprint: G::fingerprint(&here.moves, index as usize),
        });
        here.pv.extend(lower.first().into_iter().flat_map(|below| &below.pv));
    }
}
