//! Attack tests turned round: the ways in which a piece on a cell could be taken, as decisions about the cells around.
//!
//! A block takes on a cell if, along some path, certain cells hold certain occupants: its own start the piece that runs
//! it, and the cells that it tests. All these conditions for one target, from all blocks and starts of all enemies, are
//! sorted into groups that share no cell (the rays and leaps of chess), and each group becomes a small tree of
//! decisions, a cell at a time. A position in which all trees say no is safe; and since each tree has read only a few
//! cells, it stays safe after a move that does not touch these: see [`Dangers::critical`].

use rustc_hash::FxHashMap;

use super::paths::{Literal, Taking, takings};
use super::situation::{GivesUp, Symbolic};
use super::universe::{EMPTY, Mask, Universe, bit};
use crate::cellset;
use crate::model::{CellId, Occupant, PlayerId};
use crate::program::reach;
use crate::rules::Rules;
use crate::state::State;

/// A node of a tree of decisions.
#[derive(Clone, Copy, Debug)]
struct Decision {
    /// The occupants with which the answer is yes.
    hit: Mask,
    /// The occupants with which `then` decides; otherwise `or`.
    go: Mask,
    then: u32,
    or: u32,
    cell: CellId,
}

/// The tree that says no.
const SAFE: u32 = 0;

/// The greatest number of nodes for one target.
const TREE_LIMIT: usize = 2_000;
/// The greatest number of ways to take a piece on one target.
const WAYS_LIMIT: usize = 4_000;
/// The greatest number of nodes and conditions for a game.
const GAME_LIMIT: usize = 400_000;
/// The number of operations followed for a game.
const GAME_FUEL: usize = 1_000_000;

/// The ways in which one piece on one cell could be taken.
#[derive(Clone, Debug, Default)]
struct Plan {
    /// Whether the ways are too many or too tangled: then the plan says nothing. Such is a cell beside the board through
    /// which all that is taken goes, where no royal piece ever stands.
    is_unknown: bool,
    /// The trees: a range of `roots`.
    trees: (u32, u32),
    /// Conditions that speak of more than occupants: a range of `specials`.
    specials: (u32, u32),
    /// Whether in every tree a piece of the owner blocks: where one stands the answer is no.
    is_blocked_by_own: bool,
    /// Whether some condition speaks of attributes.
    reads_attributes: bool,
}

/// The attack tests of a game.
#[derive(Debug, Default)]
pub(crate) struct Dangers {
    /// By occupant the first plan of its cells, if there are plans for it.
    firsts: Vec<Option<u32>>,
    plans: Vec<Plan>,
    nodes: Vec<Decision>,
    roots: Vec<u32>,
    specials: Vec<Vec<Literal>>,
    /// By occupant all pieces of its owner.
    own: Vec<Mask>,
    reads_attributes: bool,
}

impl Dangers {
    /// Analyses the attacks on the pieces asked about; nothing if some block cannot be analysed.
    pub(super) fn new(rules: &Rules, universe: &Universe<'_>, pieces: &[Occupant]) -> Option<Dangers> {
        let mut takings_of: Vec<Vec<(Occupant, CellId, Taking)>> = vec![Vec::new(); rules.n_players];
        let (mut n_found, mut fuel) = (0, GAME_FUEL);
        for entry in &rules.program.entries {
            if !reach::attacks(&rules.model, entry) {
                continue;
            }
            let piece = rules.occupant(entry.player, entry.kind);
            let mut found = Vec::new();
            for start in rules.model.board.cell_ids() {
                let run = Symbolic {
                    rules,
                    universe,
                    entry,
                    start,
                    dropped: Occupant::NONE,
                    is_attack: true,
                };
                takings(&run, &mut found, &mut fuel).ok()?;
                n_found += found.len();
                if n_found > GAME_LIMIT {
                    return None;
                }
                let of_player = &mut takings_of[entry.player.index()];
                of_player.extend(found.drain(..).map(|taking| (piece, start, taking)));
            }
        }
        let mut dangers = Dangers {
            firsts: vec![None; rules.n_occupants],
            own: (0..rules.n_occupants)
                .map(|index| universe.of_player(rules.owner(Occupant(index as u16))))
                .collect(),
            // The tree that says no.
            nodes: vec![Decision {
                hit: 0,
                go: 0,
                then: SAFE,
                or: SAFE,
                cell: CellId(0),
            }],
            ..Dangers::default()
        };
        for &piece in pieces {
            if dangers.firsts[piece.index()].is_none() {
                dangers.analyse(rules, universe, piece, &takings_of).ok()?;
            }
        }
        dangers.reads_attributes = dangers.plans.iter().any(|plan| plan.reads_attributes);
        Some(dangers)
    }

    /// Makes the plans for a piece on each cell.
    fn analyse(
        &mut self,
        rules: &Rules,
        universe: &Universe<'_>,
        piece: Occupant,
        takings_of: &[Vec<(Occupant, CellId, Taking)>],
    ) -> Result<(), GivesUp> {
        self.firsts[piece.index()] = Some(self.plans.len() as u32);
        let owner = rules.owner(piece);
        let mut ways: Vec<Vec<Vec<Literal>>> = vec![Vec::new(); rules.n_cells];
        for &enemy in rules.enemies(owner) {
            for (attacker, start, (target, literals)) in &takings_of[enemy.index()] {
                // What stands on the target is known, and what runs the block stands on its start.
                let is_met = |literal: &Literal| match *literal {
                    Literal::Occupant(cell, set) if cell == *target => set & bit(piece) != 0,
                    _ => true,
                };
                if !literals.iter().all(is_met) {
                    continue;
                }
                let mut sets: FxHashMap<CellId, Mask> = FxHashMap::default();
                sets.insert(*start, bit(*attacker));
                let mut way = Vec::new();
                for literal in literals {
                    match *literal {
                        Literal::Occupant(cell, _) if cell == *target => {}
                        Literal::Occupant(cell, set) => *sets.entry(cell).or_insert(universe.all()) &= set,
                        special => way.push(special),
                    }
                }
                way.extend(sets.into_iter().map(|(cell, set)| Literal::Occupant(cell, set)));
                way.sort_unstable();
                way.dedup();
                ways[target.index()].push(way);
            }
        }
        let known_before = self.plans.len();
        for ways in ways {
            let before = (self.nodes.len(), self.roots.len(), self.specials.len());
            let plan = self.plan(rules, universe, owner, ways).unwrap_or_else(|GivesUp| {
                self.nodes.truncate(before.0);
                self.roots.truncate(before.1);
                self.specials.truncate(before.2);
                Plan {
                    is_unknown: true,
                    ..Plan::default()
                }
            });
            self.plans.push(plan);
        }
        match self.plans[known_before..].iter().all(|plan| plan.is_unknown) {
            true => Err(GivesUp),
            false => Ok(()),
        }
    }

    fn plan(
        &mut self,
        rules: &Rules,
        universe: &Universe<'_>,
        owner: PlayerId,
        mut ways: Vec<Vec<Literal>>,
    ) -> Result<Plan, GivesUp> {
        ways.sort_unstable();
        ways.dedup();
        if ways.len() > WAYS_LIMIT {
            return Err(GivesUp);
        }
        let mut plan = Plan {
            is_blocked_by_own: true,
            ..Plan::default()
        };
        let (plain, special): (Vec<_>, Vec<_>) =
            (ways.into_iter()).partition(|way| way.iter().all(|literal| matches!(literal, Literal::Occupant(..))));
        plan.specials.0 = self.specials.len() as u32;
        plan.reads_attributes = special
            .iter()
            .flatten()
            .any(|literal| matches!(literal, Literal::Attribute(..)));
        self.specials.extend(special);
        plan.specials.1 = self.specials.len() as u32;

        let conditions: Vec<Condition> = (plain.iter())
            .map(|way| {
                let cells = way.iter().map(|literal| match *literal {
                    Literal::Occupant(cell, set) => (cell, set),
                    // Sorted out above.
                    _ => (CellId(0), universe.all()),
                });
                cells.collect()
            })
            .collect();
        let own = universe.of_player(owner);
        plan.is_blocked_by_own = conditions.iter().flatten().all(|&(_, set)| set & own == 0);
        plan.trees.0 = self.roots.len() as u32;
        let first_node = self.nodes.len();
        for group in groups(conditions, rules.n_cells) {
            let root = self.tree(universe, group, first_node)?;
            self.roots.push(root);
        }
        plan.trees.1 = self.roots.len() as u32;
        Ok(plan)
    }

    /// Makes the tree that says whether one of the conditions holds; there is one that asks something.
    fn tree(&mut self, universe: &Universe<'_>, conditions: Vec<Condition>, first_node: usize) -> Result<u32, GivesUp> {
        if self.nodes.len() - first_node > TREE_LIMIT || self.nodes.len() > GAME_LIMIT {
            return Err(GivesUp);
        }
        // The cell that most conditions speak of decides most.
        let mut counts: FxHashMap<CellId, usize> = FxHashMap::default();
        for &(cell, _) in conditions.iter().flatten() {
            *counts.entry(cell).or_default() += 1;
        }
        let Some((&cell, _)) = counts
            .iter()
            .max_by_key(|&(cell, count)| (*count, std::cmp::Reverse(*cell)))
        else {
            return Ok(SAFE);
        };
        let set_of = |condition: &Condition| {
            let about = condition.iter().find(|(other, _)| *other == cell);
            about.map_or(universe.all(), |&(_, set)| set)
        };
        // Occupants that all conditions treat alike are decided together.
        let mut hit: Mask = 0;
        let mut kinds_of_occupant: Vec<(Vec<bool>, Mask)> = Vec::new();
        for occupant in 0..64 {
            let occupant = universe.all() & (1u64 << occupant);
            if occupant == 0 {
                continue;
            }
            let met: Vec<bool> = conditions
                .iter()
                .map(|condition| set_of(condition) & occupant != 0)
                .collect();
            let decides =
                |(condition, is_met): (&Condition, &bool)| *is_met && condition.iter().all(|(other, _)| *other == cell);
            if conditions.iter().zip(&met).any(decides) {
                hit |= occupant;
                continue;
            }
            match kinds_of_occupant.iter_mut().find(|(known, _)| *known == met) {
                Some((_, set)) => *set |= occupant,
                None => kinds_of_occupant.push((met, occupant)),
            }
        }
        let mut branches = Vec::new();
        for (met, set) in kinds_of_occupant {
            let rest: Vec<Condition> = (conditions.iter().zip(&met))
                .filter(|(_, is_met)| **is_met)
                .map(|(condition, _)| condition.iter().copied().filter(|(other, _)| *other != cell).collect())
                .collect();
            let child = if rest.is_empty() {
                SAFE
            } else {
                self.tree(universe, rest, first_node)?
            };
            branches.push((set, child));
        }
        // The last branch needs no test; it is best the one that says no.
        branches.sort_unstable_by_key(|&(_, child)| std::cmp::Reverse(child));
        let mut or = branches.pop().map_or(SAFE, |(_, child)| child);
        let mut node = None;
        while let Some((go, then)) = branches.pop() {
            self.nodes.push(Decision {
                hit,
                go,
                then,
                or,
                cell,
            });
            or = self.nodes.len() as u32 - 1;
            node = Some(or);
        }
        match node {
            Some(node) => Ok(node),
            None => {
                self.nodes.push(Decision {
                    hit,
                    go: 0,
                    then: SAFE,
                    or,
                    cell,
                });
                Ok(self.nodes.len() as u32 - 1)
            }
        }
    }

    fn plan_for(&self, piece: Occupant, cell: CellId) -> Option<&Plan> {
        let first = self.firsts[piece.index()]?;
        let plan = self.plans.get(first as usize + cell.index());
        plan.filter(|plan| !plan.is_unknown)
    }

    /// Tells whether `piece`, if it stood on `cell`, could be taken by an enemy of its owner, with everything else as on
    /// the board and the previous move as given; nothing if that is not known for this piece.
    #[inline]
    pub fn is_attacked(&self, state: &State, piece: Occupant, cell: CellId, last: (CellId, CellId)) -> Option<bool> {
        let plan = self.plan_for(piece, cell)?;
        let occupants = state.occupants();
        if plan.reads_attributes && occupants[cell.index()] != piece {
            // The attributes there are not those of the piece.
            return None;
        }
        let roots = &self.roots[plan.trees.0 as usize..plan.trees.1 as usize];
        if roots.iter().any(|&root| self.decide(occupants, root)) {
            return Some(true);
        }
        let specials = &self.specials[plan.specials.0 as usize..plan.specials.1 as usize];
        let holds = |literal: &Literal| match *literal {
            Literal::Occupant(cell, set) => set & bit(occupants[cell.index()]) != 0,
            Literal::LastFrom(cell, wanted) => (last.0 == cell) == wanted,
            Literal::LastTo(cell, wanted) => (last.1 == cell) == wanted,
            Literal::Attribute(slot, wanted) => (state.attribute_in(slot) != 0) == wanted,
        };
        Some(specials.iter().any(|way| way.iter().all(holds)))
    }

    #[inline(always)]
    fn decide(&self, occupants: &[Occupant], mut node: u32) -> bool {
        while node != SAFE {
            let decision = &self.nodes[node as usize];
            let occupant = bit(occupants[decision.cell.index()]);
            if decision.hit & occupant != 0 {
                return true;
            }
            node = if decision.go & occupant != 0 {
                decision.then
            } else {
                decision.or
            };
        }
        false
    }

    /// For a piece that is not attacked: marks in `critical` the cells of the owner's pieces that keep it so. A move that
    /// relocates one piece of the owner from a cell that is not marked, or puts a new one on the board, leaves the piece
    /// safe. Returns false if no such thing can be said.
    pub fn critical(&self, state: &State, piece: Occupant, cell: CellId, critical: &mut [u64]) -> bool {
        let Some(plan) = self.plan_for(piece, cell).filter(|plan| plan.is_blocked_by_own) else {
            return false;
        };
        for special in &self.specials[plan.specials.0 as usize..plan.specials.1 as usize] {
            // What asks where the previous move began concerns moves from there only.
            let start = special.iter().find_map(|literal| match *literal {
                Literal::LastFrom(cell, true) => Some(cell),
                _ => None,
            });
            match start {
                Some(start) => cellset::insert(critical, start),
                None => return false,
            }
        }
        let occupants = state.occupants();
        let own = self.own[piece.index()];
        for &root in &self.roots[plan.trees.0 as usize..plan.trees.1 as usize] {
            let mut node = root;
            while node != SAFE {
                let cell = self.nodes[node as usize].cell;
                let occupant = bit(occupants[cell.index()]);
                // Would it be attacked if this cell were vacated?
                if occupant & own != 0 {
                    let is_exposed = match self.past(node, cell, EMPTY) {
                        None => true,
                        Some(next) => self.decide(occupants, next),
                    };
                    if is_exposed {
                        cellset::insert(critical, cell);
                    }
                }
                node = self.past(node, cell, occupant).unwrap_or(SAFE);
            }
        }
        true
    }

    /// Goes past the decisions about a cell with an occupant; nothing if that is a hit.
    #[inline(always)]
    fn past(&self, mut node: u32, cell: CellId, occupant: Mask) -> Option<u32> {
        while node != SAFE {
            let decision = &self.nodes[node as usize];
            if decision.cell != cell {
                break;
            }
            if decision.hit & occupant != 0 {
                return None;
            }
            node = if decision.go & occupant != 0 {
                decision.then
            } else {
                decision.or
            };
        }
        Some(node)
    }

    /// Tells whether some condition speaks of attributes, so that moves must be made in full to try them.
    pub fn reads_attributes(&self) -> bool {
        self.reads_attributes
    }
}

/// Cells with the occupants that they must hold.
type Condition = Vec<(CellId, Mask)>;

/// Parts the conditions into groups that share no cell.
fn groups(conditions: Vec<Condition>, n_cells: usize) -> Vec<Vec<Condition>> {
    // By cell the group that speaks of it; groups that meet are joined.
    let mut group_of: Vec<Option<usize>> = vec![None; n_cells];
    let mut groups: Vec<Vec<Condition>> = Vec::new();
    for condition in conditions {
        let mut joined = vec![condition];
        let mut met: Vec<usize> = joined[0]
            .iter()
            .filter_map(|(cell, _)| group_of[cell.index()])
            .collect();
        met.sort_unstable();
        met.dedup();
        let home = met.first().copied().unwrap_or(groups.len());
        if home == groups.len() {
            groups.push(Vec::new());
        }
        for other in met.into_iter().skip(1) {
            joined.append(&mut groups[other]);
        }
        for (cell, _) in joined.iter().flatten() {
            group_of[cell.index()] = Some(home);
        }
        groups[home].append(&mut joined);
    }
    groups.retain(|group| !group.is_empty());
    groups
}
