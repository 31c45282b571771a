//! Best-first: always on from the state that seems nearest to the goal.
//!
//! Of equally near ones the one reached in fewer plies comes first. States that are alike in what matters count as farther
//! away the more of them there are, so that the search does not stay for ever where it cannot come nearer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::report::Step;
use super::{End, MOST_STATES, Sight, Solvable, Work};

/// How much a step towards the goal weighs against a ply already made.
const HASTE: u32 = 16;
/// How many states that are alike weigh as much as a ply.
const ALIKE: u32 = 4;

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    step: Step,
    plies: u32,
    start: usize,
    end: usize,
}

pub(super) fn search<G: Solvable>(work: &mut Work<'_, G>) -> End<G::Fault> {
    match run(work) {
        Ok(end) => end,
        Err(fault) => End::Fault(fault),
    }
}

fn run<G: Solvable>(work: &mut Work<'_, G>) -> Result<End<G::Fault>, G::Fault> {
    let mut bytes = Vec::new();
    let mut seen = FxHashSet::default();
    let mut moves = G::Moves::default();
    let mut pruned = false;
    let mut alike: FxHashMap<u64, u32> = FxHashMap::default();
    seen.insert(work.game.key());
    work.game.pack(&mut bytes);
    let none = Step {
        index: 0,
        fingerprint: 0,
    };
    let mut nodes = vec![Node {
        parent: 0,
        step: none,
        plies: 0,
        start: 0,
        end: bytes.len(),
    }];
    let mut open = BinaryHeap::from([Reverse((0u32, 0u32, 0u32))]);
    while let Some(Reverse((_, _, at))) = open.pop() {
        let node = nodes[at as usize];
        work.game.unpack(&bytes[node.start..node.end]);
        match work.look(&mut moves)? {
            Sight::Open => {}
            Sight::Won => return Ok(found(&nodes, at, None)),
            Sight::Over => continue,
        }
        for index in 0..G::len(&moves) {
            if !work.spend() || nodes.len() >= MOST_STATES {
                return Ok(End::Spent);
            }
            work.game.make(&moves, index)?;
            if seen.insert(work.game.key()) {
                let step = Step {
                    index: index as u32,
                    fingerprint: G::fingerprint(&moves, index),
                };
                if work.is_won()? {
                    return Ok(found(&nodes, at, Some(step)));
                }
                let outlook = work.outlook();
                pruned |= outlook.is_dead;
                if !outlook.is_dead {
                    let start = bytes.len();
                    work.game.pack(&mut bytes);
                    let plies = node.plies + 1;
                    let n_alike = alike.entry(outlook.essence).or_insert(0);
                    *n_alike += 1;
                    let nearness = outlook.distance.saturating_mul(HASTE);
                    let urgency = nearness.saturating_add(plies + *n_alike / ALIKE);
                    open.push(Reverse((urgency, outlook.distance, nodes.len() as u32)));
                    nodes.push(Node {
                        parent: at,
                        step,
                        plies,
                        start,
                        end: bytes.len(),
                    });
                }
            }
            work.game.unmake();
        }
    }
    Ok(End::Exhausted { pruned })
}

fn found<F>(nodes: &[Node], mut at: u32, last: Option<Step>) -> End<F> {
    let mut line: Vec<Step> = last.into_iter().collect();
    while at != 0 {
        line.push(nodes[at as usize].step);
        at = nodes[at as usize].parent;
    }
    line.reverse();
    End::Line {
        line,
        is_shortest: false,
    }
}
