//! All blocks of a game drafted from every start, as far as that is worth its work: those that take little come first, so
//! that a few that take very much leave enough for the rest.

use rustc_hash::{FxHashMap, FxHashSet};

use super::draft::{Draft, Forge, Node, NodeId};
use super::situation::Symbolic;
use super::universe::{Mask, Universe};
use crate::model::{CellId, Occupant};
use crate::program::{Entry, EntryId};
use crate::rules::Rules;

/// The greatest number of nodes and prepared moves; what is left over is interpreted.
const NODE_LIMIT: usize = 500_000;
const TEMPLATE_LIMIT: usize = 400_000;
/// The work for a game, in the units of a draft.
const GAME_FUEL: usize = 12_000_000;
/// The work for one block and start: at first, and for those blocks for which that is too little.
const LITTLE_FUEL: usize = 6_000;
const MUCH_FUEL: usize = 40_000;

/// The graph of one block from one start.
pub(super) struct Drafted {
    pub nodes: Vec<Node>,
    pub root: NodeId,
    /// Whether effects are collected while it runs.
    pub collects: bool,
    /// What must hold near the start, if so much is known: one of these.
    pub needs: Option<Vec<(CellId, Mask)>>,
    /// Whether some path lists two equal moves, or may.
    pub repeats: bool,
}

/// What could be drafted of a game.
pub(super) struct Drafts {
    by_start: FxHashMap<(EntryId, CellId), Drafted>,
    /// The blocks that must be interpreted from some start.
    left_over: Vec<EntryId>,
}

/// A block, the piece dropped by it if it is a drop, and where it starts.
struct Job {
    entry: EntryId,
    dropped: Occupant,
    starts: Vec<CellId>,
}

impl Drafts {
    /// Drafts the blocks of a game; their moves go into the forge.
    pub fn new(rules: &Rules, universe: &Universe<'_>, forge: &mut Forge) -> Drafts {
        let mut office = Office {
            rules,
            universe,
            forge,
            fuel: GAME_FUEL,
            n_nodes: 0,
            drafts: FxHashMap::default(),
        };
        let mut jobs = jobs(rules);
        jobs.retain(|job| !office.draft(job, LITTLE_FUEL, &[false]));
        jobs.retain(|job| !office.draft(job, MUCH_FUEL, &[false, true]));
        Drafts {
            by_start: office.drafts,
            left_over: jobs.iter().map(|job| job.entry).collect(),
        }
    }

    /// Returns the draft of a block from a start; nothing if it must be interpreted.
    pub fn get(&self, entry: EntryId, start: CellId) -> Option<&Drafted> {
        self.by_start.get(&(entry, start))
    }

    /// Returns the blocks that must be interpreted from some start.
    pub fn left_over(&self) -> &[EntryId] {
        &self.left_over
    }
}

/// Lists the blocks of a game, each once.
fn jobs(rules: &Rules) -> Vec<Job> {
    let (mut jobs, mut seen) = (Vec::new(), FxHashSet::default());
    let all: Vec<CellId> = rules.model.board.cell_ids().collect();
    for tier in rules.tiers() {
        for piece in rules.occupants.pieces() {
            let new = tier.moves_of(piece).iter().filter(|&&entry| seen.insert(entry));
            jobs.extend(new.map(|&entry| Job {
                entry,
                dropped: Occupant::NONE,
                starts: all.clone(),
            }));
        }
        let new = tier.drops().iter().filter(|(_, entry)| seen.insert(*entry));
        jobs.extend(new.map(|&(piece, entry)| Job {
            entry,
            dropped: piece,
            starts: starts_of_drop(rules, &rules.program.entries[entry as usize]),
        }));
    }
    jobs
}

/// Returns the cells where a drop can be tried.
pub(super) fn starts_of_drop(rules: &Rules, entry: &Entry) -> Vec<CellId> {
    match &entry.only_at {
        Some(cells) => cells.clone(),
        None => rules.model.board.cell_ids().collect(),
    }
}

struct Office<'a> {
    rules: &'a Rules,
    universe: &'a Universe<'a>,
    forge: &'a mut Forge,
    /// The work that may still be done.
    fuel: usize,
    n_nodes: usize,
    drafts: FxHashMap<(EntryId, CellId), Drafted>,
}

impl Office<'_> {
    /// Drafts a block from those starts from which it has not been; returns whether it could be followed from all.
    /// Where it cannot be, effects are perhaps collected from there on.
    fn draft(&mut self, job: &Job, fuel: usize, ways_to_collect: &[bool]) -> bool {
        let mut ways = ways_to_collect;
        for &start in &job.starts {
            if self.drafts.contains_key(&(job.entry, start)) {
                continue;
            }
            loop {
                let Some((&collects, others)) = ways.split_first() else {
                    return false;
                };
                if self.draft_one(job, start, collects, fuel) {
                    break;
                }
                ways = others;
            }
        }
        true
    }

    fn draft_one(&mut self, job: &Job, start: CellId, collects: bool, fuel: usize) -> bool {
        if self.n_nodes > NODE_LIMIT || self.forge.templates.len() > TEMPLATE_LIMIT {
            return false;
        }
        let run = Symbolic {
            rules: self.rules,
            universe: self.universe,
            entry: &self.rules.program.entries[job.entry as usize],
            start,
            dropped: job.dropped,
            is_attack: false,
        };
        let allowed = fuel.min(self.fuel);
        let mut left = allowed;
        let drafted = Draft::new(run, self.forge, collects, &mut left).map(|(draft, root)| Drafted {
            needs: draft.needs(root),
            repeats: draft.may_repeat(),
            nodes: draft.nodes,
            root,
            collects,
        });
        self.fuel -= allowed - left;
        let Ok(drafted) = drafted else { return false };
        self.n_nodes += drafted.nodes.len();
        self.drafts.insert((job.entry, start), drafted);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// A game in which some kinds of pieces find out which of many cells are empty before they move, more than can be
    /// foreseen, and the last just steps or is dropped.
    fn rules(n_hard: usize) -> Rules {
        let asked: String = (0..14).fold(String::new(), |mut text, number| {
            let _ = write!(text, "(if (empty? c{number}) (set-flag f{number} true)) ");
            text
        });
        let wanted: String = (0..14).fold(String::new(), |mut text, number| {
            let _ = write!(text, "(flag? f{number}) ");
            text
        });
        let hard: String = (0..n_hard).fold(String::new(), |mut text, number| {
            let moves = format!("({asked} (verify (or {wanted})) e add)");
            let _ = write!(text, "(piece (name Hard{number}) (moves {moves}))");
            text
        });
        let mut cells = String::new();
        for number in 0..15 {
            let left = 10 * number;
            let _ = write!(cells, "(c{number} {left} 0 {} 9) ", left + 9);
        }
        let links: String = (0..14).fold(String::new(), |mut text, number| {
            let _ = write!(text, "(c{number} c{}) ", number + 1);
            text
        });
        let text = format!(
            "(game (title \"Hard\") (players White Black) (turn-order White Black)
               (board (positions {cells}) (links e {links}))
               {hard}
               (piece (name Easy) (moves (e (verify empty?) add)) (drops ((verify empty?) add)))
               (board-setup (White (Hard0 c0) (Easy c1 off 2)) (Black (Hard0 c5) (Easy c6)))
               (loss-condition (White Black) stalemated))"
        );
        crate::load("hard.zrf", text.as_bytes()).unwrap().remove(0)
    }

    #[test]
    fn what_takes_little_is_drafted_whatever_else_there_is() {
        let rules = rules(3);
        let universe = Universe::new(&rules).unwrap();
        let drafts = Drafts::new(&rules, &universe, &mut Forge::default());
        for (index, entry) in rules.program.entries.iter().enumerate() {
            let kind = &rules.model.kinds[entry.kind.index()].name;
            let is_left_over = drafts.left_over().contains(&(index as EntryId));
            assert_eq!(is_left_over, kind.starts_with("Hard"), "{kind}");
            let is_drafted = drafts.get(index as EntryId, CellId(3)).is_some();
            assert_eq!(is_drafted, !is_left_over, "{kind}");
        }
    }
}
