//! Alpha-beta search of the tree below the root.
//!
//! Every score is seen by one of two *sides*: the hero, for whom the root is searched, and the others, who are taken to want
//! the opposite.
//! With two players that is the game; with one there are no others; with more it is the *paranoid* assumption, which can be
//! too dark but keeps the cutoffs.
//! A node's score is that of the side that acts there, and larger is better for it.
//! Who acts after a move is for the game to say, so a score may only cross from one node to the next in
//! `Tree::visit`, the one place that knows when the sign turns.
//!
//! The search is a principal variation search: the first move gets the whole window, the others must prove with an empty
//! window that they are better before they are searched in earnest.
//! At the horizon tactical moves are followed a little further (`horizon.rs`), and chance counts as the mean of its
//! moves (`chance.rs`).
//!
//! Unless it is asked to be exact, it spends less on what looks hopeless:
//! - late quiet moves are searched less deep until one surprises (*late-move reductions*);
//! - near the horizon a state that is far too good is left at that, and quiet moves that cannot make up for what is lacking
//!   are passed over (*futility*);
//! - near the horizon quiet moves that come after many others are passed over (*skips*, or late-move pruning);
//! - where the game says that the turn is never a burden, a state in which even passing is too good is left at that, after
//!   a second look where little is left (*null move*).
//!
//! Threats are answered one ply deeper, and so are states with a single move.
//! Evaluations are corrected by what searches of like states found (`correction.rs`).

use super::busy::Busy;
use super::chance::Sampling;
use super::correction::Corrections;
use super::game::{Actor, Ending, Game, Gist, N_ASPECTS, Outcome};
use super::horizon::Pursuit;
use super::limits::Budget;
use super::ordering::{self, Hints, History, Killers, Ranked};
use super::report::Step;
use super::root::Parts;
use super::score::{self, INFINITE, MAX_PLY};
use super::table::{Bound, Known, Table, squeeze};

/// The greatest depth at which evaluations decide that a state is good enough, or a move not.
const FUTILITY_DEPTH: u32 = 3;
/// By how many score points a ply can surprise.
const FUTILITY_MARGIN: i32 = 120;
/// The least depth at which passing is tried.
const PASS_DEPTH: u32 = 3;
/// How many plies less deep is searched after a pass, at least.
const PASS_LESS: u32 = 3;
/// For each time that a state is so many score points too good, it is one ply less.
const PASS_SURPLUS: i32 = 200;
/// The least depth at which a pass that is too good is looked at again.
const VERIFICATION_DEPTH: u32 = 6;
/// The least depth at which late moves are searched less deep.
pub(crate) const REDUCTION_DEPTH: u32 = 3;
/// The plies of a win within which no sooner one is missed.
const SHORT_WIN: usize = 7;
/// The moves that come before the late ones.
const EARLY_MOVES: usize = 4;
/// The greatest depth at which late quiet moves are passed over.
const SKIP_DEPTH: u32 = 3;
/// The moves that are looked at before, and the square of the depth.
const SKIP_BASE: usize = 4;
/// The least depth that is made less where the table knows no move.
const UNKNOWN_DEPTH: u32 = 5;

/// Why the search of a node was given up.
#[derive(Debug)]
pub(crate) enum Halt<F> {
    /// A limit was reached.
    Spent,
    /// A rule faulted.
    Fault(F),
}

impl<F> From<F> for Halt<F> {
    fn from(fault: F) -> Halt<F> {
        Halt::Fault(fault)
    }
}

/// For whom a score is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The player that the root is searched for. Chance sees scores with its eyes.
    Hero,
    /// All other players.
    Others,
}

impl Side {
    /// Returns a score for the hero as this side sees it.
    pub(crate) fn sees(self, score_of_hero: i32) -> i32 {
        match self {
            Side::Hero => score_of_hero,
            Side::Others => -score_of_hero,
        }
    }
}

/// The scores of interest: only what lies above `alpha` and below `beta` need be exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Window {
    /// All scores.
    pub(crate) const FULL: Window = Window {
        alpha: -INFINITE,
        beta: INFINITE,
    };

    /// Returns the window that only tells whether a score is above `alpha`.
    pub(crate) fn above(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// Returns how a score that was found with this window relates to the true one.
    pub(super) fn bound(self, score: i32) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    fn opposite(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

/// Whether a node may lie on the principal variation, which then is noted; elsewhere the table may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It may.
    Principal,
    /// It does not, or it lies below a chance node.
    Aside,
}

/// Where a node lies in the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// The plies from the root.
    pub(crate) ply: usize,
    /// The plies still to be searched.
    pub(crate) depth: u32,
    /// The side that acts, and sees the score.
    pub(crate) side: Side,
    /// What the node is searched for.
    pub(crate) role: Role,
}

/// The buffers of one ply.
#[derive(Debug, Default)]
pub(crate) struct Ply<M> {
    pub(crate) moves: M,
    pub(crate) order: Vec<Ranked>,
    pub(crate) pv: Vec<Step>,
    pub(crate) killers: Killers,
    /// The places of the moves that were left for later because other threads are at them.
    pub(crate) put_off: Vec<usize>,
}

/// What is passed over near the horizon.
#[derive(Clone, Copy, Debug, Default)]
struct Haste {
    /// Quiet moves cannot bring more than this, if so.
    futile_below: Option<i32>,
    /// So many moves are looked at before ordinary ones are passed over, if they are.
    n_ordinary: Option<usize>,
}

/// One running search: the game at the root or below, and all memory.
pub(crate) struct Tree<'a, G: Game> {
    pub(crate) game: &'a mut G,
    pub(crate) hero: u8,
    pub(crate) budget: Budget,
    pub(crate) stack: &'a mut Vec<Ply<G::Moves>>,
    pub(crate) history: &'a mut History,
    pub(crate) corrections: &'a mut Corrections,
    pub(crate) table: &'a Table,
    /// What other threads are at, if there are some.
    pub(crate) busy: Option<&'a Busy>,
    pub(crate) sampling: Sampling,
    /// Whether nothing is reduced or passed over.
    pub(crate) is_exact: bool,
    pub(crate) without: Parts,
    /// The fingerprint of the move made at each ply above the present one.
    pub(crate) trail: &'a mut Vec<Option<u32>>,
    /// The depth of the iteration: lines are not extended beyond twice as many plies.
    pub(crate) horizon: u32,
    /// The ply up to which nobody may pass.
    pub(crate) no_pass_until: usize,
    /// The number of nodes at which tactical moves are no longer followed.
    pub(crate) quiescence_end: u64,
    /// How far they have been followed.
    pub(crate) pursuit: Pursuit,
    /// Whether the best move of the node that was left last takes something, or promotes.
    pub(crate) best_is_tactical: bool,
    /// How often a score was used that a deeper search might change: an evaluation, an entry of the table that rests on
    /// one, or an outcome that depends on the way here.
    pub(crate) n_guesses: u64,
}

pub(super) type Searched<G> = Result<i32, Halt<<G as Game>::Fault>>;

impl<G: Game> Tree<'_, G> {
    /// Returns the side that sees the scores of the present state.
    pub(crate) fn side(&self) -> Side {
        match self.game.actor() {
            Actor::Player(player) if player != self.hero => Side::Others,
            Actor::Player(_) | Actor::Chance => Side::Hero,
        }
    }

    /// Makes sure that the buffers of `ply` are there.
    pub(crate) fn reach(&mut self, ply: usize) {
        while self.stack.len() <= ply {
            self.stack.push(Ply {
                pv: Vec::with_capacity(MAX_PLY),
                ..Ply::default()
            });
        }
    }

    /// Searches the present state.
    fn node(&mut self, at: Spot, window: Window) -> Searched<G> {
        let Spot { ply, depth, side, role } = at;
        self.reach(ply);
        self.stack[ply].pv.clear();
        if let Some(outcome) = self.game.board_outcome()? {
            return Ok(self.end(outcome, side, ply));
        }
        // What can still happen decides nothing (*mate distance pruning*).
        let worst = score::of_ending(Ending::Loss, ply);
        if worst >= window.beta {
            return Ok(worst);
        }
        let best = score::of_ending(Ending::Win, ply + 1);
        if best <= window.alpha {
            // Only who wins by being without moves wins sooner.
            return Ok(match self.generate(ply)? {
                Some(outcome) => self.end(outcome, side, ply),
                None => best,
            });
        }
        if depth == 0 || ply + 1 >= MAX_PLY {
            return self.score_at_horizon(at, window);
        }
        let key = self.key();
        let known = self.table.get(key);
        if let Some(score) = known.and_then(|known| self.recall(known, at, window)) {
            return Ok(score);
        }
        let is_chance = self.game.actor() == Actor::Chance;
        let is_open = score::plies_to_end(window.alpha).is_none() && score::plies_to_end(window.beta).is_none();
        let is_hasty = role == Role::Aside && !self.is_exact && !is_chance && is_open && self.game.players() <= 2;
        let gist = match is_hasty {
            true => self.corrected_gist(),
            false => None,
        };
        let is_whole = gist.is_some_and(|gist| gist.whole.is_some());
        let gist = gist.map(|gist| side.sees(gist.whole.unwrap_or(gist.base)));
        let margin = FUTILITY_MARGIN * depth as i32;
        let is_shallow = depth <= FUTILITY_DEPTH && !self.without.has(Parts::FUTILITY);
        if let Some(gist) = gist
            && !self.game.is_threatened()?
        {
            // What is said without the moves is often enough, and they need not be listed.
            if is_shallow && gist - margin >= window.beta {
                self.n_guesses += 1;
                return Ok(gist - margin);
            }
            if depth < VERIFICATION_DEPTH
                && let Some(score) = self.try_pass(at, window, gist)?
            {
                return Ok(score);
            }
        }
        if let Some(outcome) = self.generate(ply)? {
            return Ok(self.end(outcome, side, ply));
        }
        if is_chance {
            let before = self.n_guesses;
            let score = self.expectimax(ply, depth, window)?;
            let known = Known {
                best: None,
                score,
                bound: window.bound(score),
                depth: depth as u8,
                is_complete: self.n_guesses == before,
            };
            self.remember(key, ply, known);
            return Ok(score);
        }
        let remembered = known.and_then(|known| known.best);
        let is_threatened = self.game.is_threatened()?;
        let mut at = at;
        if self.is_exact {
            self.rank(ply, remembered, side);
            return self.choose(at, window, key, depth, Haste::default());
        }
        let extends = !self.without.has(Parts::EXTENSIONS);
        let is_extended = is_threatened || G::len(&self.stack[ply].moves) == 1;
        if extends && is_extended && ply < 2 * self.horizon as usize {
            at.depth += 1;
        } else if remembered.is_none() && depth >= UNKNOWN_DEPTH {
            at.depth -= 1;
        }
        let mut haste = Haste::default();
        let mut foretold = None;
        if is_hasty && !is_threatened {
            let standing = match gist {
                Some(gist) => gist,
                None => self.standing(ply, window, side, FUTILITY_MARGIN * depth.min(8) as i32)?,
            };
            foretold = Some(standing).filter(|_| is_whole || gist.is_none());
            if is_shallow {
                if standing - margin >= window.beta {
                    self.n_guesses += 1;
                    return Ok(standing - margin);
                }
                haste.futile_below = Some(standing + margin);
            }
            if depth <= SKIP_DEPTH && !self.without.has(Parts::SKIPS) {
                haste.n_ordinary = Some(SKIP_BASE + (depth * depth) as usize);
            }
            if (gist.is_none() || depth >= VERIFICATION_DEPTH)
                && let Some(score) = self.try_pass(at, window, standing)?
            {
                return Ok(score);
            }
        }
        self.rank(ply, remembered, side);
        let found = self.choose(at, window, key, depth, haste)?;
        if let Some(foretold) = foretold {
            self.learn(at, window, foretold, found);
        }
        Ok(found)
    }

    /// Learns from what was found in a state that was foretold another score, unless that is due to its moves at hand.
    fn learn(&mut self, at: Spot, window: Window, foretold: i32, found: i32) {
        let is_open = score::plies_to_end(found).is_none();
        let says_nothing = found >= window.beta && found <= foretold || found <= window.alpha && found >= foretold;
        if is_open && !says_nothing && !self.best_is_tactical {
            let aspects = self.game.aspects();
            self.corrections
                .learn(at.side as usize, &aspects, found - foretold, at.depth);
        }
    }

    /// Returns the gist of the present state, corrected by what was learnt.
    pub(super) fn corrected_gist(&mut self) -> Option<Gist> {
        let gist = self.game.gist(self.hero)?;
        let correction = self.correction();
        Some(Gist {
            base: gist.base + correction,
            whole: gist.whole.map(|whole| whole + correction),
            ..gist
        })
    }

    /// Returns by how much the evaluation of the present state should be greater, as the hero sees it.
    fn correction(&mut self) -> i32 {
        if self.is_exact || self.without.has(Parts::CORRECTIONS) {
            return 0;
        }
        let aspects = self.game.aspects();
        if aspects == [0; N_ASPECTS] {
            return 0;
        }
        let side = self.side();
        side.sees(self.corrections.of(side as usize, &aspects))
    }

    /// Returns the score that what is known gives a node, if that is all that is asked.
    pub(super) fn recall(&mut self, known: Known, at: Spot, window: Window) -> Option<i32> {
        let score = decisive(known, at, window).filter(|_| at.role == Role::Aside)?;
        self.n_guesses += u64::from(!known.is_complete);
        Some(score)
    }

    /// Lets whoever acts pass, if that is harmless in this game; returns a score if even so it is too good.
    fn try_pass(&mut self, at: Spot, window: Window, standing: i32) -> Result<Option<i32>, Halt<G::Fault>> {
        let Spot { ply, depth, side, .. } = at;
        let is_allowed = !self.without.has(Parts::PASSING)
            && depth >= PASS_DEPTH
            && standing >= window.beta
            && ply >= self.no_pass_until;
        // After a pass the other passes not.
        let is_second = ply > 0 && self.trail.get(ply - 1) == Some(&None);
        if !is_allowed || is_second || !self.game.pass()? {
            return Ok(None);
        }
        self.note_trail(ply, None);
        let surplus = (standing - window.beta) / PASS_SURPLUS;
        let less = (PASS_LESS + depth / 4 + surplus.clamp(0, 3) as u32).min(depth - 1);
        let below = self.side();
        let null = Window::above(window.beta - 1);
        let searched = if below == side || self.game.actor() == Actor::Chance {
            Ok(-INFINITE)
        } else {
            let spot = Spot {
                ply: ply + 1,
                // A threat must be answered before the evaluation counts.
                depth: depth.saturating_sub(1 + less).max(1),
                side: below,
                role: Role::Aside,
            };
            self.node(spot, null.opposite()).map(|score| -score)
        };
        self.game.unmake();
        let mut score = searched?;
        if score < window.beta {
            return Ok(None);
        }
        if score::plies_to_end(score).is_some() {
            // A win after a pass is none yet.
            score = window.beta;
        }
        self.n_guesses += 1;
        if depth < VERIFICATION_DEPTH {
            return Ok(Some(score));
        }
        // In doubt the moves decide, without passing for a while.
        let kept = self.no_pass_until;
        self.no_pass_until = ply + depth as usize;
        let spot = Spot {
            depth: depth - less,
            role: Role::Aside,
            ..at
        };
        self.rank(ply, None, side);
        let key = self.key();
        let verified = self.choose(spot, null, key, spot.depth, Haste::default());
        self.no_pass_until = kept;
        Ok(Some(verified?)
            .filter(|&verified| verified >= window.beta)
            .map(|_| score))
    }

    /// Returns the evaluation of the state at `ply` as `side` sees it, exact within `margin` of the window.
    fn standing(&mut self, ply: usize, window: Window, side: Side, margin: i32) -> Searched<G> {
        let wide = Window {
            alpha: window.alpha - margin - 1,
            beta: window.beta + margin + 1,
        };
        let before = self.n_guesses;
        let score = self.evaluate(ply, wide, side);
        // Nothing rests on it yet.
        self.n_guesses = before;
        score
    }

    /// Returns the most that a move is taken to bring if it is passed over. Near the horizon this befalls quiet moves that
    /// cannot make up for what is lacking to `alpha`, and those that come after many others, unless they are
    /// forceful.
    fn pass_over(
        &mut self,
        (ply, place): (usize, usize),
        ranked: Ranked,
        haste: Haste,
        alpha: i32,
    ) -> Result<Option<i32>, Halt<G::Fault>> {
        if place == 0 || ranked.value.tactical {
            return Ok(None);
        }
        let most = match (haste.futile_below, haste.n_ordinary) {
            (Some(most), _) if most <= alpha => most,
            (_, Some(n_ordinary)) if place >= n_ordinary && ranked.is_ordinary() => -INFINITE,
            _ => return Ok(None),
        };
        let moves = &self.stack[ply].moves;
        Ok((!self.game.is_forceful(moves, ranked.index as usize)?).then_some(most))
    }

    /// Finds the best of the ranked moves of a node, which is stored as searched to `depth`; some are passed over if there
    /// is `haste`.
    fn choose(&mut self, at: Spot, window: Window, key: u64, depth: u32, haste: Haste) -> Searched<G> {
        let Spot { ply, side, role, .. } = at;
        let before = self.n_guesses;
        let mut alpha = window.alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut best_is_tactical = false;
        let came_by = ply
            .checked_sub(1)
            .and_then(|above| self.trail.get(above).copied().flatten());
        let mut agenda = self.agenda(ply, 0);
        while let Some(turn) = self.next_turn(ply, &mut agenda) {
            let place = turn.place;
            let ranked = match turn.is_put_off {
                true => self.stack[ply].order[place],
                false => ordering::pick(&mut self.stack[ply].order, place),
            };
            let Ranked { index, value, .. } = ranked;
            if best > -score::DECIDED
                && let Some(most) = self.pass_over((ply, place), ranked, haste, alpha)?
            {
                self.n_guesses += 1;
                best = best.max(most);
                continue;
            }
            let less = self.reduction(at, place, ranked, alpha);
            let Some(score) = self.try_in_turn(at, turn, index, Window { alpha, ..window }, less)? else {
                continue;
            };
            best = best.max(score);
            if score <= alpha {
                continue;
            }
            alpha = score;
            let fingerprint = G::fingerprint(&self.stack[ply].moves, index as usize);
            best_move = Some(squeeze(fingerprint));
            best_is_tactical = value.tactical;
            if role == Role::Principal {
                self.note_pv(ply, index);
            }
            if score >= window.beta {
                if !value.tactical {
                    self.stack[ply].killers.note(fingerprint);
                    self.history.note(side as usize, fingerprint, depth);
                    for tried in self.stack[ply].order[..place]
                        .iter()
                        .filter(|tried| !tried.value.tactical)
                    {
                        let failed = G::fingerprint(&self.stack[ply].moves, tried.index as usize);
                        self.history.note_failure(side as usize, failed, depth);
                    }
                    if let Some(came_by) = came_by.filter(|_| !self.without.has(Parts::COUNTERS)) {
                        self.history.note_counter(side as usize, came_by, fingerprint);
                    }
                }
                break;
            }
        }
        let known = Known {
            best: best_move,
            score: best,
            bound: window.bound(best),
            depth: depth.min(u32::from(Known::DEEPEST)) as u8,
            is_complete: self.n_guesses == before,
        };
        self.remember(key, ply, known);
        self.best_is_tactical = best_is_tactical;
        Ok(best)
    }

    /// Returns by how many plies a move is searched less deep at first.
    ///
    /// Where a short win is found already, one that comes sooner must not hide.
    pub(crate) fn reduction(&self, at: Spot, place: usize, ranked: Ranked, alpha: i32) -> u32 {
        let is_late = !self.without.has(Parts::REDUCTIONS) && place >= EARLY_MOVES && at.depth >= REDUCTION_DEPTH;
        let is_won = alpha >= score::of_ending(Ending::Win, SHORT_WIN);
        if self.is_exact || !is_late || is_won || ranked.value.tactical || !ranked.is_ordinary() {
            return 0;
        }
        let less = 1 + at.depth.ilog2() * (place as u32).ilog2() / 3;
        let less = if at.role == Role::Principal { less - 1 } else { less };
        less.saturating_add_signed(-ranked.repute()).min(at.depth - 2)
    }

    /// Searches one move of a node: in earnest if it is the first or has shown that it is better.
    ///
    /// At first it is searched `less` plies less deep, and if it then seems better, again.
    pub(crate) fn try_move(&mut self, at: Spot, index: u32, window: Window, is_first: bool, less: u32) -> Searched<G> {
        if !is_first {
            let aside = Spot {
                role: Role::Aside,
                ..at
            };
            let reduced = Spot {
                depth: at.depth - less,
                ..aside
            };
            let narrow = Window::above(window.alpha);
            let mut score = self.child(reduced, index, narrow)?;
            if less > 0 && score > window.alpha {
                score = self.child(aside, index, narrow)?;
            }
            if score <= window.alpha || score >= window.beta {
                return Ok(score);
            }
        }
        self.child(at, index, window)
    }

    /// Searches the state after a move, one ply less deep and in the same role; the score is as the side of `at` sees it.
    pub(super) fn child(&mut self, at: Spot, index: u32, window: Window) -> Searched<G> {
        self.visit(at.ply, index, at.side, window, |tree, window, side| {
            // At the horizon most states are settled without the table.
            if at.depth > 1 {
                tree.table.announce(tree.key());
            }
            tree.node(
                Spot {
                    ply: at.ply + 1,
                    depth: at.depth - 1,
                    side,
                    ..at
                },
                window,
            )
        })
    }

    /// Makes move `index` of `ply`, lets `search` score what follows, takes the move back, and returns the score as `side`
    /// sees it. This alone decides whether the sign turns between two nodes.
    pub(super) fn visit(
        &mut self,
        ply: usize,
        index: u32,
        side: Side,
        window: Window,
        search: impl FnOnce(&mut Self, Window, Side) -> Searched<G>,
    ) -> Searched<G> {
        if !self.budget.spend() {
            return Err(Halt::Spent);
        }
        let fingerprint = G::fingerprint(&self.stack[ply].moves, index as usize);
        self.game.make(&self.stack[ply].moves, index as usize)?;
        self.note_trail(ply, Some(fingerprint));
        let below = self.side();
        let searched = if below == side {
            search(self, window, below)
        } else {
            search(self, window.opposite(), below).map(|score| -score)
        };
        self.game.unmake();
        searched
    }

    /// Generates the moves of `ply`; returns the outcome if the game turns out to be over.
    pub(crate) fn generate(&mut self, ply: usize) -> Result<Option<Outcome>, Halt<G::Fault>> {
        let moves = &mut self.stack[ply].moves;
        self.game.moves(moves)?;
        let outcome = self.game.outcome(moves)?;
        Ok(outcome.or((G::len(moves) == 0).then_some(Outcome::DRAW)))
    }

    /// Ranks the moves of `ply`.
    pub(crate) fn rank(&mut self, ply: usize, remembered: Option<u32>, side: Side) {
        let Ply {
            moves, order, killers, ..
        } = &mut self.stack[ply];
        let hints = Hints {
            remembered,
            killers: *killers,
            history: self.history,
            side: side as usize,
            before: ply
                .checked_sub(1)
                .and_then(|above| self.trail.get(above).copied().flatten()),
        };
        ordering::rank(&*self.game, moves, order, hints);
    }

    /// Notes the move made at `ply`; none for a pass that the rules do not list.
    fn note_trail(&mut self, ply: usize, fingerprint: Option<u32>) {
        if self.trail.len() <= ply {
            self.trail.resize(MAX_PLY + 1, None);
        }
        self.trail[ply] = fingerprint;
    }

    /// Makes move `index`, followed by the principal variation below it, the principal variation of `ply`.
    pub(crate) fn note_pv(&mut self, ply: usize, index: u32) {
        let (upper, lower) = self.stack.split_at_mut(ply + 1);
        let here = &mut upper[ply];
        here.pv.clear();
        here.pv.push(Step {
            index,
            fingerprint: G::fingerprint(&here.moves, index as usize),
        });
        here.pv.extend(lower.first().into_iter().flat_map(|below| &below.pv));
    }

    /// Returns the evaluation of the state at `ply`, whose moves are listed, exact only within the window.
    pub(super) fn evaluate(&mut self, ply: usize, window: Window, side: Side) -> Searched<G> {
        self.n_guesses += 1;
        let Window { alpha, beta } = match side {
            Side::Hero => window,
            Side::Others => window.opposite(),
        };
        let correction = self.correction();
        let interest = match self.is_exact {
            true => i32::MIN..i32::MAX,
            false => alpha.saturating_sub(correction)..beta.saturating_sub(correction),
        };
        let moves = &self.stack[ply].moves;
        let worth = self.game.evaluate(self.hero, moves, interest)? + correction;
        Ok(side.sees(score::of_evaluation(worth)))
    }

    /// Scores the end of the game, reached at `ply`.
    pub(super) fn end(&mut self, outcome: Outcome, side: Side, ply: usize) -> i32 {
        self.n_guesses += u64::from(self.game.depends_on_past());
        side.sees(score::of_ending(outcome.ending(self.hero), ply))
    }

    /// Returns the key under which scores of the present state are stored: they are meant for one hero only.
    pub(super) fn key(&self) -> u64 {
        self.game.key() ^ scramble(u64::from(self.hero))
    }

    /// Stores what is known of the state at `ply`, its score counted from the root.
    pub(super) fn remember(&self, key: u64, ply: usize, known: Known) {
        let score = score::from_root(known.score, ply);
        self.table.put(key, Known { score, ..known });
    }
}

/// Returns the score that what is known gives a node, if it was searched deep enough and settles the window.
fn decisive(known: Known, at: Spot, window: Window) -> Option<i32> {
    let score = score::to_root(known.score, at.ply);
    let is_settled = match known.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    (is_settled && u32::from(known.depth) >= at.depth).then_some(score)
}

/// Mixes the bits of a number (the finaliser of SplitMix64).
pub(super) fn scramble(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
