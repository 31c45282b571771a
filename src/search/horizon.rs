//! What happens at the horizon: tactical moves are followed a little further, and what is clear is not looked at. Who is
//! threatened must answer, and for the first few plies all answers are tried.

use super::alphabeta::{Halt, Role, Searched, Side, Spot, Tree, Window};
use super::game::{Actor, Game, Gist};
use super::ordering::{self, Ranked};
use super::root::Parts;
use super::score::{self, INFINITE, MAX_PLY};
use super::table::Known;

/// How many plies of tactical moves are followed beyond the horizon.
const QUIESCENCE_PLIES: u32 = 8;
/// How many nodes beyond the horizon one state there may take. Where all moves are tactical there is no end to them.
const QUIESCENCE_NODES: u64 = 1_000;
/// How many they may take on the average. In some games the search would else see nothing but captures.
const MEAN_NODES: u64 = 16;
/// The states that are taken to have used up that many before there is an average.
const FIRST_STATES: u64 = 64;
/// How many plies are followed while they take more. Shorter lines are better there than lines that break off at a number of
/// nodes, since those end in the middle of an exchange.
const FEW_PLIES: u32 = 3;
/// What a capture can bring beyond the worth of what it takes.
const CAPTURE_MARGIN: i32 = 100;
/// While more plies than this are left, all answers to a threat are tried, and scores are remembered.
const LAST_PLIES: u32 = 4;

/// How far tactical moves have been followed in a search so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pursuit {
    /// The states at the horizon from which they were.
    n_states: u64,
    /// The nodes that this has taken.
    n_nodes: u64,
}

impl Pursuit {
    /// Returns how many of `plies` may be followed from the next state.
    fn plies(self, plies: u32) -> u32 {
        match self.n_nodes > MEAN_NODES * (self.n_states + FIRST_STATES) {
            true => plies.min(FEW_PLIES),
            false => plies,
        }
    }

    /// Notes how many nodes a state at the horizon has taken.
    fn note(&mut self, nodes: u64) {
        self.n_states += 1;
        self.n_nodes += nodes;
    }
}

impl<G: Game> Tree<'_, G> {
    /// Scores a state at the horizon, and remembers the score.
    pub(super) fn score_at_horizon(&mut self, at: Spot, window: Window) -> Searched<G> {
        let Spot { ply, side, .. } = at;
        // What is too good at once is so more cheaply than by a look into the table.
        let gist = self.gist();
        if let Some(score) = self.glance(gist, side, window)? {
            return Ok(score);
        }
        // Nobody takes anything from who plays alone.
        let is_out = self.without.has(Parts::QUIESCENCE) || self.game.players() < 2;
        let is_quiet = is_out || !self.game.tactics_stand_out();
        let plies = if is_quiet { 0 } else { QUIESCENCE_PLIES };
        self.ask_table(at, window, true, |tree| {
            let start = tree.budget.nodes();
            tree.quiescence_end = start + QUIESCENCE_NODES;
            let plies = tree.pursuit.plies(plies);
            let score = tree.quiesce(ply, plies, window, side, (gist, None))?;
            tree.pursuit.note(tree.budget.nodes() - start);
            Ok(score)
        })
    }

    /// Lets the table score a state at the horizon or beyond, or else `search`; what that finds is remembered if
    /// `is_worthy`.
    fn ask_table(
        &mut self,
        at: Spot,
        window: Window,
        is_worthy: bool,
        search: impl FnOnce(&mut Self) -> Searched<G>,
    ) -> Searched<G> {
        let key = self.key();
        // An exact score is one of as many plies as were asked for.
        let known = if self.is_exact { None } else { self.table.get(key) };
        if let Some(score) = known.and_then(|known| self.recall(known, at, window)) {
            return Ok(score);
        }
        let before = self.n_guesses;
        let score = search(self)?;
        if is_worthy {
            let known = Known {
                best: None,
                score,
                bound: window.bound(score),
                depth: 0,
                is_complete: self.n_guesses == before,
            };
            self.remember(key, at.ply, known);
        }
        Ok(score)
    }

    /// Returns the gist of the present state, where it may be gone by.
    fn gist(&mut self) -> Option<Gist> {
        let is_out = self.is_exact || self.without.has(Parts::GLANCES) || self.game.actor() == Actor::Chance;
        if is_out { None } else { self.corrected_gist() }
    }

    /// Returns a score for a state at the horizon if it is too good even without its moves.
    fn glance(&mut self, gist: Option<Gist>, side: Side, window: Window) -> Result<Option<i32>, Halt<G::Fault>> {
        let Some(gist) = gist else { return Ok(None) };
        let surely = match gist.whole {
            Some(whole) => side.sees(whole),
            None => side.sees(gist.base) - self.game.leeway(),
        };
        if surely < window.beta || self.game.is_threatened()? {
            return Ok(None);
        }
        self.n_guesses += 1;
        Ok(Some(score::of_evaluation(surely)))
    }

    /// Scores a state whose outcome the board does not tell by its evaluation, or better by tactical moves, of which up to
    /// `left` plies are followed.
    ///
    /// The evaluation is a lower bound only where a quiet move could be played instead; if all moves are tactical, as
    /// where capture is compulsory, one of them must be.
    ///
    /// Where there is a gist, what the evaluation adds to it is looked at on the horizon only: it is `drift`, as the hero
    /// sees it, beyond. Moves that take something change the gist far more.
    fn quiesce(
        &mut self,
        ply: usize,
        left: u32,
        window: Window,
        side: Side,
        (gist, drift): (Option<Gist>, Option<i32>),
    ) -> Searched<G> {
        self.reach(ply);
        let is_chance = self.game.actor() == Actor::Chance;
        let left = match self.budget.nodes() {
            nodes if nodes < self.quiescence_end => left,
            _ => 0,
        };
        let mut is_partial = false;
        let mut standing = None;
        if let Some(gist) = gist {
            let known = (gist.whole).or(drift.map(|drift| gist.base + drift));
            let surely = side.sees(known.unwrap_or(gist.base)) - known.map_or(self.game.leeway(), |_| 0);
            if !self.game.is_threatened()? {
                if surely >= window.beta || known.is_some() && (left == 0 || gist.is_final) {
                    // What is too good already needs no moves.
                    self.n_guesses += 1;
                    return Ok(score::of_evaluation(surely));
                }
                is_partial = left > 0 && ply + 1 < MAX_PLY && self.game.tactics(&mut self.stack[ply].moves)?;
                standing = known.map(|_| score::of_evaluation(surely));
            }
        }
        if !is_partial && let Some(outcome) = self.generate(ply)? {
            return Ok(self.end(outcome, side, ply));
        }
        if left == 0 || ply + 1 >= MAX_PLY || is_chance {
            return self.evaluate(ply, window, side);
        }
        let is_answer = left > LAST_PLIES && gist.is_some() && self.game.is_threatened()?;
        let is_forced = if is_answer {
            self.rank(ply, None, side);
            true
        } else {
            let here = &mut self.stack[ply];
            ordering::rank_tactical(&*self.game, &here.moves, &mut here.order) && !is_partial
        };
        let mut drift = drift;
        let mut best = match standing {
            _ if is_forced => -INFINITE,
            Some(standing) => {
                self.n_guesses += 1;
                drift = gist.map(|gist| side.sees(standing) - gist.base);
                standing
            }
            None => {
                let found = self.evaluate(ply, window, side)?;
                // Only what lies inside the window was looked at exactly.
                let exact = gist.filter(|_| found > window.alpha && found < window.beta);
                drift = exact.map(|gist| side.sees(found) - gist.base);
                found
            }
        };
        let standing = best;
        for place in 0..self.stack[ply].order.len() {
            if best >= window.beta {
                break;
            }
            let Ranked { index, value, .. } = ordering::pick(&mut self.stack[ply].order, place);
            if !is_forced && value.gain < 0 {
                break; // Sorted by gain: the rest only gives something up, too.
            }
            let hope = standing.saturating_add(value.gain).saturating_add(CAPTURE_MARGIN);
            if !is_forced && !self.is_exact && hope <= window.alpha && score::plies_to_end(window.alpha).is_none() {
                best = best.max(hope);
                break; // Nor do the others bring enough.
            }
            let open = Window {
                alpha: window.alpha.max(best),
                beta: window.beta,
            };
            let score = self.visit(ply, index, side, open, |tree, window, below| {
                tree.table.announce(tree.key());
                match tree.game.board_outcome()? {
                    Some(outcome) => Ok(tree.end(outcome, below, ply + 1)),
                    None => {
                        let gist = tree.gist();
                        let at = Spot {
                            ply: ply + 1,
                            depth: 0,
                            side: below,
                            role: Role::Aside,
                        };
                        let is_worthy = left > LAST_PLIES && !tree.is_exact;
                        tree.ask_table(at, window, is_worthy, |tree| {
                            tree.quiesce(ply + 1, left - 1, window, below, (gist, drift))
                        })
                    }
                }
            })?;
            best = best.max(score);
        }
        Ok(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_plies_are_followed_only_while_they_take_too_many_nodes() {
        let mut pursuit = Pursuit::default();
        assert_eq!(pursuit.plies(QUIESCENCE_PLIES), QUIESCENCE_PLIES);
        pursuit.note(QUIESCENCE_NODES);
        assert_eq!(pursuit.plies(QUIESCENCE_PLIES), QUIESCENCE_PLIES);
        pursuit.note(QUIESCENCE_NODES);
        assert_eq!(pursuit.plies(QUIESCENCE_PLIES), FEW_PLIES);
        assert_eq!(pursuit.plies(0), 0);
        (0..100).for_each(|_| pursuit.note(1));
        assert_eq!(pursuit.plies(QUIESCENCE_PLIES), QUIESCENCE_PLIES);
    }
}
