//! In which order moves are tried: the sooner the best one, the fewer the rest cost.
//!
//! First the move the table remembers, then tactical moves by gain, then killers (quiet moves that refuted a sibling),
//! then the quiet move that last refuted the same move of the enemy (*counter-move*), then quiet moves by history (how often
//! they refuted anything, and how often they were tried in vain) and by what the rules recommend.
//! Moves that are equal in all this keep the order in which the game lists them.

use super::game::{Game, MoveValue};
use super::table::squeeze;

const REMEMBERED: i32 = i32::MAX;
const TACTICAL: i32 = 1 << 29;
const GAIN_LIMIT: i32 = (1 << 28) - 1;
const KILLER: i32 = 1 << 27;
const COUNTER: i32 = (1 << 27) - 4;
const ORDINARY: i32 = 1 << 26;
const PROMISE_LIMIT: i32 = 1 << 25;
/// The most that a move's merit can be, or its demerit.
const HISTORY_LIMIT: i32 = 1 << 14;
/// What one refutation adds for each square of its depth, and at most.
const BONUS: i32 = 16;
const BONUS_LIMIT: i32 = 2_048;

/// Slots of the history table for each side; fingerprints that share one share their merits.
const HISTORY_SLOTS: usize = 1 << 12;

/// A move and its urgency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ranked {
    /// The number of the move in the list of legal moves.
    pub(crate) index: u32,
    /// What is known of the move without making it.
    pub(crate) value: MoveValue,
    urgency: i32,
}

impl Ranked {
    /// Tells whether nothing speaks for the move but that it is legal.
    pub(crate) fn is_ordinary(&self) -> bool {
        self.urgency <= ORDINARY
    }

    /// Returns by how much a move that is ordinary has shown itself useful, from -2 to 2.
    pub(crate) fn repute(&self) -> i32 {
        (self.urgency / (HISTORY_LIMIT / 3)).clamp(-2, 2)
    }

    #[inline]
    fn precedes(&self, other: &Ranked) -> bool {
        (self.urgency, other.index) > (other.urgency, self.index)
    }
}

/// The two quiet moves that were last found to be refutations at one ply.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Killers([Option<u32>; 2]);

impl Killers {
    /// Notes a refutation.
    pub(crate) fn note(&mut self, fingerprint: u32) {
        if self.0[0] != Some(fingerprint) {
            self.0 = [Some(fingerprint), self.0[0]];
        }
    }
}

/// How often quiet moves have been refutations, for each of the two sides.
#[derive(Debug)]
pub(crate) struct History {
    merits: Box<[i32]>,
    /// By side and the move before: the squeezed move that refuted it, 0 for none.
    counters: Box<[u32]>,
}

impl History {
    /// Creates an empty history.
    pub(crate) fn new() -> History {
        History {
            merits: vec![0; 2 * HISTORY_SLOTS].into(),
            counters: vec![0; 2 * HISTORY_SLOTS].into(),
        }
    }

    /// Notes that a move has refuted a state from which `depth` plies were searched.
    pub(crate) fn note(&mut self, side: usize, fingerprint: u32, depth: u32) {
        self.change(side, fingerprint, bonus(depth));
    }

    /// Notes that a move has been tried in vain where another has refuted the state.
    pub(crate) fn note_failure(&mut self, side: usize, fingerprint: u32, depth: u32) {
        self.change(side, fingerprint, -bonus(depth));
    }

    /// Changes a merit, the less the nearer it is to its limit already.
    fn change(&mut self, side: usize, fingerprint: u32, by: i32) {
        let merit = &mut self.merits[slot(side, fingerprint)];
        *merit += by - *merit * by.abs() / HISTORY_LIMIT;
    }

    /// Notes that a move has refuted `before`.
    pub(crate) fn note_counter(&mut self, side: usize, before: u32, fingerprint: u32) {
        self.counters[slot(side, before)] = squeeze(fingerprint);
    }

    fn counter(&self, side: usize, before: u32) -> u32 {
        self.counters[slot(side, before)]
    }

    /// Lets old merits count less.
    pub(crate) fn fade(&mut self) {
        self.merits.iter_mut().for_each(|merit| *merit /= 4);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.merits.fill(0);
        self.counters.fill(0);
    }

    fn merit(&self, side: usize, fingerprint: u32) -> i32 {
        self.merits[slot(side, fingerprint)]
    }
}

fn bonus(depth: u32) -> i32 {
    (BONUS * (depth * depth) as i32).min(BONUS_LIMIT)
}

fn slot(side: usize, fingerprint: u32) -> usize {
    (side & 1) * HISTORY_SLOTS + squeeze(fingerprint) as usize % HISTORY_SLOTS
}

/// What is known that may put a move first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hints<'a> {
    /// The squeezed move of the table.
    pub(crate) remembered: Option<u32>,
    pub(crate) killers: Killers,
    pub(crate) history: &'a History,
    pub(crate) side: usize,
    /// The fingerprint of the move before.
    pub(crate) before: Option<u32>,
}

/// Fills `order` with all of `moves`, in the order in which the game lists them: see [`pick`].
pub(crate) fn rank<G: Game>(game: &G, moves: &G::Moves, order: &mut Vec<Ranked>, hints: Hints<'_>) {
    let Hints {
        remembered,
        killers,
        history,
        side,
        before,
    } = hints;
    let counter = before.map_or(0, |before| history.counter(side, before));
    order.clear();
    order.extend((0..G::len(moves)).map(|index| {
        let fingerprint = G::fingerprint(moves, index);
        let value = game.value(moves, index);
        let urgency = if remembered == Some(squeeze(fingerprint)) {
            REMEMBERED
        } else if value.tactical {
            TACTICAL + value.gain.clamp(-GAIN_LIMIT, GAIN_LIMIT)
        } else if let Some(place) = killers.0.iter().position(|&killer| killer == Some(fingerprint)) {
            KILLER - place as i32
        } else if counter == squeeze(fingerprint) {
            COUNTER
        } else {
            history.merit(side, fingerprint) + value.promise.clamp(-PROMISE_LIMIT, PROMISE_LIMIT)
        };
        Ranked {
            index: index as u32,
            value,
            urgency,
        }
    }));
}

/// Fills `order` with the tactical moves alone, in the order in which the game lists them; returns whether there are no
/// others.
pub(crate) fn rank_tactical<G: Game>(game: &G, moves: &G::Moves, order: &mut Vec<Ranked>) -> bool {
    order.clear();
    order.extend((0..G::len(moves)).filter_map(|index| {
        let value = game.value(moves, index);
        value.tactical.then_some(Ranked {
            index: index as u32,
            value,
            urgency: value.gain,
        })
    }));
    order.len() == G::len(moves)
}

/// The moves that are picked one by one; whoever wants more of a list had better sort it.
const PICKS: usize = 6;

/// Brings the most urgent of the moves from `place` on to `place`, and returns it; the moves before have been picked so.
/// Often one of the first is good enough, and the order of the rest does not matter.
#[inline]
pub(crate) fn pick(order: &mut [Ranked], place: usize) -> Ranked {
    if place < PICKS {
        let mut best = place;
        for other in place + 1..order.len() {
            if order[other].precedes(&order[best]) {
                best = other;
            }
        }
        order.swap(place, best);
    } else if place == PICKS {
        sort(&mut order[place..]);
    }
    order[place]
}

/// Sorts by urgency, then by number: total, and so the same as a stable sort, but without its buffer.
pub(crate) fn sort(order: &mut [Ranked]) {
    order.sort_unstable_by_key(|ranked| (std::cmp::Reverse(ranked.urgency), ranked.index));
}
