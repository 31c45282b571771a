//! Proof numbers (df-pn): where the least remains to be proved.
//!
//! Each state has two numbers: how many states at least must still be won to prove that the hero wins, and how many must
//! be shown not to be, to disprove it.
//! Where the hero acts one won move is enough, so that the least proof number of the moves counts and their disproof
//! numbers add up; where others or chance act it is the other way round.
//! The search goes down to the state that decides most and stays below it as long as its numbers lie under thresholds that
//! the alternatives set.
//!
//! A state that occurs again on a line counts as not won there. So proofs hold in any case, but a disproof that may rest
//! on that is not believed.

use rustc_hash::FxHashMap;

use super::super::game::Actor;
use super::super::report::Step;
use super::{End, Sight, Solvable, Work};

/// Nothing can prove, or disprove, this any more.
const NEVER: u32 = 1 << 28;
/// The states that are remembered.
const MOST_ENTRIES: usize = 24_000_000;
/// The longest line.
const LONGEST: usize = 400;

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    proof: u32,
    disproof: u32,
    /// The plies to the end, if it is proved.
    plies: u32,
}

const UNKNOWN: Entry = Entry {
    proof: 1,
    disproof: 1,
    plies: 0,
};
const WON: Entry = Entry {
    proof: 0,
    disproof: NEVER,
    plies: 0,
};
const NOT_WON: Entry = Entry {
    proof: NEVER,
    disproof: 0,
    plies: 0,
};

/// A move of a state: the key of what follows, or what is known of it for certain.
#[derive(Clone, Copy)]
struct Child {
    key: u64,
    certain: Option<Entry>,
}

#[derive(Default)]
struct Ply<M> {
    moves: M,
    children: Vec<Child>,
}

enum Stop<F> {
    Spent,
    Fault(F),
}

impl<F> From<F> for Stop<F> {
    fn from(fault: F) -> Stop<F> {
        Stop::Fault(fault)
    }
}

struct Proof<M> {
    stack: Vec<Ply<M>>,
    known: FxHashMap<u64, Entry>,
    /// Whether something counted as not won that may be on another line.
    doubts: bool,
}

pub(super) fn search<G: Solvable>(work: &mut Work<'_, G>) -> End<G::Fault> {
    let mut proof = Proof {
        stack: Vec::new(),
        known: FxHashMap::default(),
        doubts: false,
    };
    match proof.visit(work, 0, NEVER, NEVER) {
        Ok(Entry { proof: 0, .. }) => match proof.line(work) {
            Ok(line) => End::Line {
                line,
                is_shortest: false,
            },
            Err(fault) => End::Fault(fault),
        },
        Ok(_) if proof.doubts => End::Spent,
        Ok(_) => End::Exhausted { pruned: false },
        Err(Stop::Spent) => End::Spent,
        Err(Stop::Fault(fault)) => End::Fault(fault),
    }
}

impl<M: Default> Proof<M> {
    /// Works below the present state until one of its numbers reaches its threshold.
    fn visit<G: Solvable<Moves = M>>(
        &mut self,
        work: &mut Work<'_, G>,
        ply: usize,
        most_proof: u32,
        most_disproof: u32,
    ) -> Result<Entry, Stop<G::Fault>> {
        if self.stack.len() <= ply {
            self.stack.push(Ply::default());
        }
        let key = work.game.key();
        let is_hero = work.game.actor() == Actor::Player(work.hero);
        let sight = work.look(&mut self.stack[ply].moves)?;
        let end = match sight {
            Sight::Won => Some(WON),
            Sight::Over => {
                self.doubts |= work.game.depends_on_past();
                Some(NOT_WON)
            }
            Sight::Open if ply >= LONGEST => {
                self.doubts = true;
                return Ok(NOT_WON);
            }
            Sight::Open => None,
        };
        if let Some(entry) = end {
            self.known.insert(key, entry);
            return Ok(entry);
        }
        self.list(work, ply)?;
        loop {
            let (entry, best, second) = self.sum_up(ply, is_hero);
            if entry.proof >= most_proof || entry.disproof >= most_disproof || entry.proof == 0 || entry.disproof == 0 {
                self.known.insert(key, entry);
                return Ok(entry);
            }
            if self.known.len() >= MOST_ENTRIES {
                return Err(Stop::Spent);
            }
            let child = self.read(self.stack[ply].children[best]);
            // A little more than the alternative, so that the search does not go to and fro between two equal ones.
            let enough = second.saturating_add(second / 4).saturating_add(1);
            let (proof, disproof) = if is_hero {
                let disproof = most_disproof - entry.disproof + child.disproof;
                (most_proof.min(enough), disproof)
            } else {
                (most_proof - entry.proof + child.proof, most_disproof.min(enough))
            };
            work.game.make(&self.stack[ply].moves, best)?;
            let visited = self.visit(work, ply + 1, proof.min(NEVER), disproof.min(NEVER));
            work.game.unmake();
            let visited = visited?;
            let child = &mut self.stack[ply].children[best];
            if visited.proof == 0 || visited.disproof == 0 {
                child.certain = Some(visited);
            }
        }
    }

    /// Lists what the moves of `ply` lead to.
    fn list<G: Solvable<Moves = M>>(&mut self, work: &mut Work<'_, G>, ply: usize) -> Result<(), Stop<G::Fault>> {
        let Ply { moves, children } = &mut self.stack[ply];
        children.clear();
        for index in 0..G::len(moves) {
            if !work.spend() {
                return Err(Stop::Spent);
            }
            work.game.make(moves, index)?;
            let outcome = work.game.board_outcome();
            let doubtful = work.game.depends_on_past();
            let key = work.game.key();
            work.game.unmake();
            let certain = outcome?.map(|outcome| match outcome.ending(work.hero) {
                super::Ending::Win => WON,
                _ => {
                    self.doubts |= doubtful;
                    NOT_WON
                }
            });
            children.push(Child { key, certain });
        }
        Ok(())
    }

    fn read(&self, child: Child) -> Entry {
        child
            .certain
            .or_else(|| self.known.get(&child.key).copied())
            .unwrap_or(UNKNOWN)
    }

    /// Returns what the moves of `ply` say of it, the one to go on with, and the number that its best alternative has.
    fn sum_up(&self, ply: usize, is_hero: bool) -> (Entry, usize, u32) {
        let (mut least, mut second, mut best, mut sum) = (NEVER, NEVER, 0, 0u32);
        let (mut shortest, mut longest) = (u32::MAX, 0);
        for (index, &child) in self.stack[ply].children.iter().enumerate() {
            let entry = self.read(child);
            let (number, other) = if is_hero {
                (entry.proof, entry.disproof)
            } else {
                (entry.disproof, entry.proof)
            };
            sum = sum.saturating_add(other).min(NEVER);
            if number < least {
                (second, least, best) = (least, number, index);
            } else {
                second = second.min(number);
            }
            if entry.proof == 0 {
                shortest = shortest.min(entry.plies);
                longest = longest.max(entry.plies);
            }
        }
        let entry = if is_hero {
            Entry {
                proof: least,
                disproof: if least == 0 { NEVER } else { sum },
                plies: shortest.saturating_add(1),
            }
        } else {
            Entry {
                proof: if least == 0 { NEVER } else { sum },
                disproof: least,
                plies: longest + 1,
            }
        };
        (entry, best, second)
    }

    /// Returns the line of the proof, against the replies that hold out longest.
    fn line<G: Solvable<Moves = M>>(&mut self, work: &mut Work<'_, G>) -> Result<Vec<Step>, G::Fault> {
        let mut line = Vec::new();
        let mut moves = M::default();
        while line.len() < LONGEST {
            if !matches!(work.look(&mut moves)?, Sight::Open) {
                break;
            }
            let is_hero = work.game.actor() == Actor::Player(work.hero);
            let mut chosen: Option<(u32, usize)> = None;
            for index in 0..G::len(&moves) {
                work.game.make(&moves, index)?;
                let outcome = work.game.board_outcome();
                let key = work.game.key();
                work.game.unmake();
                let entry = match outcome? {
                    Some(outcome) if outcome.ending(work.hero) == super::Ending::Win => WON,
                    Some(_) => NOT_WON,
                    None => self.known.get(&key).copied().unwrap_or(UNKNOWN),
                };
                let is_better = chosen.is_none_or(|(plies, _)| {
                    if is_hero {
                        entry.plies < plies
                    } else {
                        entry.plies > plies
                    }
                });
                if entry.proof == 0 && is_better {
                    chosen = Some((entry.plies, index));
                }
            }
            let Some((_, index)) = chosen else { break };
            line.push(Step {
                index: index as u32,
                fingerprint: G::fingerprint(&moves, index),
            });
            work.game.make(&moves, index)?;
        }
        for _ in &line {
            work.game.unmake();
        }
        Ok(line)
    }
}
