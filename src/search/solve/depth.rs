//! Depth-first, without a bound or with one that grows (IDA*).
//!
//! A table remembers for each state with how many plies left it was searched in vain, so that it is not searched again
//! with as few.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::super::report::Step;
use super::{End, MOST_STATES, Sight, Solvable, Work};

/// How long lines may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// As long as they get.
    None,
    /// First as long as is certainly needed, then longer.
    Growing,
}

/// The longest line.
const LONGEST: u32 = 4_000;

/// The buffers of one ply.
struct Ply<M> {
    moves: M,
    order: Vec<u32>,
    next: usize,
}

/// What became of a line that was followed.
enum Turn<F> {
    Found,
    Nothing,
    Spent,
    Fault(F),
}

struct Depth<M> {
    bound: Bound,
    stack: Vec<Ply<M>>,
    /// By key: the plies left when the state was searched in vain, or is being searched.
    tried: FxHashMap<u64, u32>,
    /// The least bound by which a line that was cut would have gone on.
    next_bound: u32,
    pruned: bool,
}

pub(super) fn search<G: Solvable>(work: &mut Work<'_, G>, bound: Bound) -> End<G::Fault> {
    let mut depth = Depth {
        bound,
        stack: Vec::new(),
        tried: FxHashMap::default(),
        next_bound: u32::MAX,
        pruned: false,
    };
    let mut most = match bound {
        Bound::None => LONGEST,
        Bound::Growing => work.outlook().at_least.min(LONGEST),
    };
    loop {
        depth.next_bound = u32::MAX;
        depth.tried.clear();
        match depth.run(work, most) {
            Turn::Found => {
                let line = depth.line::<G>();
                let is_shortest = bound == Bound::Growing;
                return End::Line { line, is_shortest };
            }
            Turn::Spent => return End::Spent,
            Turn::Fault(fault) => return End::Fault(fault),
            Turn::Nothing if depth.next_bound == u32::MAX => return End::Exhausted { pruned: depth.pruned },
            Turn::Nothing if most >= LONGEST => return End::Spent,
            Turn::Nothing => most = depth.next_bound.clamp(most + 1, LONGEST),
        }
    }
}

impl<M: Default> Depth<M> {
    fn line<G: Solvable<Moves = M>>(&self) -> Vec<Step> {
        let steps = self.stack.iter().filter_map(|ply| {
            let &index = ply.order.get(ply.next.checked_sub(1)?)?;
            Some(Step {
                index,
                fingerprint: G::fingerprint(&ply.moves, index as usize),
            })
        });
        steps.collect()
    }

    /// Returns the plies that are left after some; without a bound always the same, so that nothing is searched twice.
    fn left(&self, most: u32, plies: u32) -> u32 {
        match self.bound {
            Bound::None => LONGEST,
            Bound::Growing => most.saturating_sub(plies),
        }
    }

    /// Follows all lines of up to `most` plies from the present state, to which it comes back if nothing is found.
    fn run<G: Solvable<Moves = M>>(&mut self, work: &mut Work<'_, G>, most: u32) -> Turn<G::Fault> {
        let mut used = 0;
        let mut entering = true;
        loop {
            if entering {
                if self.stack.len() <= used {
                    self.stack.push(Ply {
                        moves: M::default(),
                        order: Vec::new(),
                        next: 0,
                    });
                }
                let ply = &mut self.stack[used];
                ply.order.clear();
                ply.next = 0;
                match work.look(&mut ply.moves) {
                    Err(fault) => return Turn::Fault(fault),
                    Ok(Sight::Won) => {
                        self.stack.truncate(used);
                        return Turn::Found;
                    }
                    Ok(Sight::Over) => {}
                    Ok(Sight::Open) => {
                        if let Err(turn) = self.order(work, used, most) {
                            return turn;
                        }
                    }
                }
                entering = false;
            }
            let ply = &mut self.stack[used];
            match ply.order.get(ply.next) {
                Some(&index) => {
                    ply.next += 1;
                    if let Err(fault) = work.game.make(&ply.moves, index as usize) {
                        return Turn::Fault(fault);
                    }
                    // Another line may have come here since the moves were put in order.
                    let left = self.left(most, used as u32 + 1);
                    match self.tried.entry(work.game.key()) {
                        Entry::Occupied(entry) if *entry.get() >= left => work.game.unmake(),
                        entry => {
                            entry.insert_entry(left);
                            used += 1;
                            entering = true;
                        }
                    }
                }
                None if used == 0 => return Turn::Nothing,
                None => {
                    used -= 1;
                    work.game.unmake();
                }
            }
        }
    }

    /// Puts the moves in order that are worth following, the most promising first.
    fn order<G: Solvable<Moves = M>>(
        &mut self,
        work: &mut Work<'_, G>,
        used: usize,
        most: u32,
    ) -> Result<(), Turn<G::Fault>> {
        let mut ranked: Vec<(u32, u32)> = Vec::new();
        let plies = used as u32 + 1;
        for index in 0..G::len(&self.stack[used].moves) {
            if !work.spend() || self.tried.len() >= MOST_STATES {
                return Err(Turn::Spent);
            }
            work.game.make(&self.stack[used].moves, index).map_err(Turn::Fault)?;
            let is_won = match work.is_won() {
                Ok(is_won) => is_won,
                Err(fault) => return Err(Turn::Fault(fault)),
            };
            let outlook = if is_won { Default::default() } else { work.outlook() };
            let needed = plies.saturating_add(outlook.at_least);
            let left = self.left(most, plies);
            let is_tried = (self.tried.get(&work.game.key())).is_some_and(|&tried| tried >= left);
            if outlook.is_dead {
                self.pruned = true;
            } else if needed > most || plies >= LONGEST {
                self.next_bound = self.next_bound.min(needed);
            } else if !is_tried {
                ranked.push((
                    if is_won { 0 } else { outlook.distance.saturating_add(1) },
                    index as u32,
                ));
            }
            work.game.unmake();
        }
        ranked.sort_unstable();
        self.stack[used].order.extend(ranked.iter().map(|&(_, index)| index));
        Ok(())
    }
}
