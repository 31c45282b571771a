//! Attack tests turned round: the ways in which a piece on a cell could be taken, as decisions about the cells around.
//!
//! A block takes on a cell if, along some path, certain cells hold certain occupants: its own start the piece that runs
//! it, and the cells that it tests. All these conditions for one target, from all blocks and starts of all enemies, are
//! sorted into groups that share no cell (the rays and leaps of chess), and each group becomes a small tree of
//! decisions, a cell at a time. A position in which all trees say no is safe; and since each tree has read only a few
//! cells, it stays safe after most moves: see [`Dangers::guard`].

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
/// The tree of a cell that none speaks of.
const NO_GROUP: u16 = u16::MAX;

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
    /// Where a piece of the owner does not always block (a cannon leaps over it): the first of its cells in `group_of`.
    groups: Option<u32>,
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
    /// The tree that speaks of each cell, or [`NO_GROUP`].
    group_of: Vec<u16>,
    specials: Vec<Vec<Literal>>,
    /// By occupant all pieces of its owner.
    own: Vec<Mask>,
    reads_attributes: bool,
}

/// Which moves of a player may expose pieces that are safe as they stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guard {
    /// The cells that are not to be left: bits.
    stay: Vec<u64>,
    /// The cells that nothing is to be put on: bits.
    keep_off: Vec<u64>,
    /// For each plan in which own pieces do not always block the first of its cells in `Dangers::group_of`.
    groups: Vec<u32>,
}

impl Guard {
    /// Makes every move harmless, on a board of so many words of bits.
    pub fn clear(&mut self, n_words: usize) {
        for cells in [&mut self.stay, &mut self.keep_off] {
            cells.clear();
            cells.resize(n_words, 0);
        }
        self.groups.clear();
    }

    /// Makes moves from a cell suspect.
    pub fn stay(&mut self, cell: CellId) {
        cellset::insert(&mut self.stay, cell);
    }
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
            let before = (
                self.nodes.len(),
                self.roots.len(),
                self.specials.len(),
                self.group_of.len(),
            );
            let plan = self.plan(rules, universe, owner, ways).unwrap_or_else(|GivesUp| {
                self.nodes.truncate(before.0);
                self.roots.truncate(before.1);
                self.specials.truncate(before.2);
                self.group_of.truncate(before.3);
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
        let mut plan = Plan::default();
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
        let groups = groups(conditions, rules.n_cells);
        if groups.iter().flatten().flatten().any(|&(_, set)| set & own != 0) {
            plan.groups = Some(self.group_of.len() as u32);
            self.group_of.extend(groups_by_cell(&groups, rules.n_cells)?);
        }
        plan.trees.0 = self.roots.len() as u32;
        let first_node = self.nodes.len();
        for group in groups {
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

    /// For a piece that is not attacked: notes in `guard` which moves of its owner may expose it. Returns false if no such
    /// thing can be said.
    pub fn guard(&self, state: &State, piece: Occupant, cell: CellId, guard: &mut Guard) -> bool {
        let Some(plan) = self.plan_for(piece, cell) else {
            return false;
        };
        for special in &self.specials[plan.specials.0 as usize..plan.specials.1 as usize] {
            // What asks where the previous move began concerns moves from there only.
            let start = special.iter().find_map(|literal| match *literal {
                Literal::LastFrom(cell, true) => Some(cell),
                _ => None,
            });
            match start {
                Some(start) => guard.stay(start),
                None => return false,
            }
        }
        guard.groups.extend(plan.groups);
        let occupants = state.occupants();
        let own = self.own[piece.index()];
        for &root in &self.roots[plan.trees.0 as usize..plan.trees.1 as usize] {
            let mut node = root;
            while node != SAFE {
                let cell = self.nodes[node as usize].cell;
                let occupant = bit(occupants[cell.index()]);
                if occupant & own != 0 && self.may_decide(occupants, node, EMPTY) {
                    guard.stay(cell);
                }
                if plan.groups.is_some() && self.may_decide(occupants, node, own) {
                    cellset::insert(&mut guard.keep_off, cell);
                }
                node = self.past(node, cell, occupant).unwrap_or(SAFE);
            }
        }
        true
    }

    /// Tells whether nothing that is guarded is exposed when a piece of the owner goes from one cell to another, or is put
    /// there from beside the board. If not, it may be or not.
    #[inline]
    pub fn is_harmless(&self, guard: &Guard, from: Option<CellId>, to: CellId) -> bool {
        if cellset::contains(&guard.keep_off, to) {
            return false;
        }
        let Some(from) = from else { return true };
        // Two cells of one tree act together.
        let are_apart = |&first: &u32| {
            let group = |cell: CellId| self.group_of[first as usize + cell.index()];
            group(from) == NO_GROUP || group(from) != group(to)
        };
        !cellset::contains(&guard.stay, from) && guard.groups.iter().all(are_apart)
    }

    /// Tells whether a tree may say yes, from the decisions about a cell on, with one of the given occupants there.
    fn may_decide(&self, occupants: &[Occupant], mut node: u32, there: Mask) -> bool {
        let cell = self.nodes[node as usize].cell;
        let mut left = there;
        while left != 0 {
            let decision = &self.nodes[node as usize];
            if node == SAFE || decision.cell != cell {
                return self.decide(occupants, node);
            }
            if decision.hit & left != 0 || decision.go & left != 0 && self.decide(occupants, decision.then) {
                return true;
            }
            left &= !decision.go;
            node = decision.or;
        }
        false
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

/// Returns for each cell which of the groups speaks of it.
fn groups_by_cell(groups: &[Vec<Condition>], n_cells: usize) -> Result<Vec<u16>, GivesUp> {
    let mut group_of = vec![NO_GROUP; n_cells];
    for (group, conditions) in groups.iter().enumerate() {
        let number = u16::try_from(group).ok().filter(|number| *number != NO_GROUP);
        for (cell, _) in conditions.iter().flatten() {
            group_of[cell.index()] = number.ok_or(GivesUp)?;
        }
    }
    Ok(group_of)
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
