//! Breadth-first: all states, the nearest first.
//!
//! Only the states of the distance that is being looked at are kept, packed; of those before them remains how they were
//! reached.

use rustc_hash::FxHashSet;

use super::super::report::Step;
use super::{End, MOST_STATES, Sight, Solvable, Work};

/// How a state was reached.
#[derive(Clone, Copy)]
struct Origin {
    parent: u32,
    step: Step,
}

/// States packed one after another, each with the number of its origin.
#[derive(Default)]
struct Frontier {
    bytes: Vec<u8>,
    ends: Vec<(usize, u32)>,
}

impl Frontier {
    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    fn get(&self, index: usize) -> (&[u8], u32) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
        let (end, origin) = self.ends[index];
        (&self.bytes[start..end], origin)
    }
}

pub(super) fn search<G: Solvable>(work: &mut Work<'_, G>) -> End<G::Fault> {
    match run(work) {
        Ok(end) => end,
        Err(fault) => End::Fault(fault),
    }
}

fn run<G: Solvable>(work: &mut Work<'_, G>) -> Result<End<G::Fault>, G::Fault> {
    const ROOT: u32 = u32::MAX;
    let mut origins: Vec<Origin> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut moves = G::Moves::default();
    let (mut here, mut next) = (Frontier::default(), Frontier::default());
    let mut pruned = false;
    seen.insert(work.game.key());
    work.game.pack(&mut here.bytes);
    here.ends.push((here.bytes.len(), ROOT));
    while !here.ends.is_empty() {
        next.clear();
        for index in 0..here.ends.len() {
            let (bytes, parent) = here.get(index);
            work.game.unpack(bytes);
            match work.look(&mut moves)? {
                Sight::Open => {}
                Sight::Won => {
                    let line = line_to(&origins, parent);
                    return Ok(End::Line {
                        line,
                        is_shortest: true,
                    });
                }
                Sight::Over => continue,
            }
            for index in 0..G::len(&moves) {
                if !work.spend() || origins.len() >= MOST_STATES {
                    return Ok(End::Spent);
                }
                work.game.make(&moves, index)?;
                if seen.insert(work.game.key()) {
                    let step = Step {
                        index: index as u32,
                        fingerprint: G::fingerprint(&moves, index),
                    };
                    if work.is_won()? {
                        let mut line = line_to(&origins, parent);
                        line.push(step);
                        return Ok(End::Line {
                            line,
                            is_shortest: true,
                        });
                    }
                    if work.outlook().is_dead {
                        pruned = true;
                    } else {
                        work.game.pack(&mut next.bytes);
                        next.ends.push((next.bytes.len(), origins.len() as u32));
                        origins.push(Origin { parent, step });
                    }
                }
                work.game.unmake();
            }
        }
        std::mem::swap(&mut here, &mut next);
    }
    return Ok(End::Exhausted { pruned });

    fn line_to(origins: &[Origin], mut at: u32) -> Vec<Step> {
        let mut line = Vec::new();
        while at != ROOT {
            let origin = origins[at as usize];
            line.push(origin.step);
            at = origin.parent;
        }
        line.reverse();
        line
    }
}
