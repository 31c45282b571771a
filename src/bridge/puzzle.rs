//! Games of rule files as puzzles: states put aside, and how far the goal seems.
//!
//! Without knowing any puzzle, two things are told from the rules. What a goal *lacks* is the number of its parts that do
//! not hold yet. And if a goal is about a number of pieces that must all get somewhere, or must all be gone, a smaller
//! puzzle is made of the position by leaving only one of these pieces on the board, or two, with everything else: it is
//! searched whole, and tells from where a piece, or a pair, can still be brought to its goal and by how many plies
//! (*projection*). If even alone they cannot, neither can they among the others, provided that the others do not help;
//! the solver therefore does not take it for certain.

use rustc_hash::FxHashMap;

use super::Bridge;
use crate::model::goal::GoalKind;
use crate::model::{CellId, Occupant, PlayerId};
use crate::play::legal::Workspace;
use crate::program::goal::{GoalTest, OccupantSet};
use crate::rules::Rules;
use crate::search::solve::{Outlook, Solvable};
use crate::state::key::spread;
use crate::state::{Effect, MoveList, State};

/// The greatest number of states of one smaller puzzle.
const MOST_STATES: usize = 400_000;
/// The greatest number of pieces that have to get somewhere.
const MOST_TOKENS: usize = 40;
/// A distance that cannot be gone.
const NEVER: u32 = u32::MAX;

/// What a bridge knows once it has been asked to solve.
#[derive(Clone, Debug)]
pub(super) struct Puzzle {
    /// The state that others are packed against.
    base: State,
    projection: Option<Projection>,
}

/// What the smaller puzzles have told.
#[derive(Clone, Debug)]
struct Projection {
    n_cells: usize,
    /// By occupant and cell: the plies by which one piece at least has to be moved to its goal, if it is of those that
    /// have one.
    distances: Vec<Option<u32>>,
    /// By two slots, the smaller first: whether the pair can be brought to its goals.
    pairs: FxHashMap<(u32, u32), bool>,
}

impl Solvable for Bridge {
    fn pack(&self, bytes: &mut Vec<u8>) {
        match &self.puzzle {
            Some(puzzle) => self.session.state().pack(&puzzle.base, bytes),
            None => self.session.state().pack(&State::start(self.session.rules()), bytes),
        }
    }

    fn unpack(&mut self, bytes: &[u8]) {
        match &self.puzzle {
            Some(puzzle) => (self.session).take_up(|rules, state| state.unpack(rules, &puzzle.base, bytes)),
            None => (self.session).take_up(|rules, state| state.unpack(rules, &State::start(rules), bytes)),
        }
        self.tally.forget();
        self.root = 0;
    }

    fn never_repeats(&self) -> bool {
        self.evaluation.only_fills()
    }

    fn promise(&mut self, player: u8) -> i32 {
        let side = usize::from(player);
        match side < self.evaluation.n_sides() {
            true => self.standing(side),
            false => 0,
        }
    }

    fn outlook(&mut self, player: u8) -> Outlook {
        let rules = self.session.rules();
        let state = self.session.state();
        let lacks = lack(rules, state, self.evaluation.players_of(player));
        let projected = self.puzzle.as_ref().and_then(|puzzle| puzzle.projection.as_ref());
        let Some(projection) = projected else {
            return Outlook {
                at_least: u32::from(lacks > 0),
                distance: lacks,
                is_dead: false,
                essence: self.session.keys().search,
            };
        };
        match projection.distance(state) {
            Some((distance, essence)) => Outlook {
                at_least: distance.max(u32::from(lacks > 0)),
                distance: distance.saturating_add(lacks),
                is_dead: false,
                essence,
            },
            None => Outlook {
                at_least: 0,
                distance: NEVER,
                is_dead: true,
                essence: 0,
            },
        }
    }
}

impl Bridge {
    /// Finds out what helps to solve the game from where it stands; without this the solver has less to go by.
    pub fn prepare_to_solve(&mut self) {
        let base = self.session.state().clone();
        let projection = match self.evaluation.n_sides() {
            1 => Projection::find(self.session.rules(), &base, self.evaluation.players_of(0)),
            _ => None,
        };
        self.puzzle = Some(Puzzle { base, projection });
    }
}

/// Returns how many parts of the nearest winning goal of `players` do not hold; 1 where that cannot be told.
fn lack(rules: &Rules, state: &State, players: &[PlayerId]) -> u32 {
    let goals = rules.goals.iter().filter(|goal| goal.kind == GoalKind::Win);
    let tests = goals.flat_map(|goal| goal.tests.iter().filter(|(player, _)| players.contains(player)));
    tests.map(|(_, test)| lack_of(state, test)).min().unwrap_or(1)
}

fn lack_of(state: &State, test: &GoalTest) -> u32 {
    match test {
        GoalTest::And(parts) => parts.iter().map(|part| lack_of(state, part)).sum(),
        GoalTest::Or(parts) => parts.iter().map(|part| lack_of(state, part)).min().unwrap_or(0),
        GoalTest::PieceCount {
            pieces,
            equals,
            with_stock,
        } => {
            let stock = |piece| if *with_stock { state.stock(piece) } else { 0 };
            let count: u32 = pieces.iter().map(|&piece| state.count(piece) + stock(piece)).sum();
            count.abs_diff(*equals)
        }
        GoalTest::AbsoluteConfig { tests, places, any } => {
            let holds_at = |cells: &Vec<CellId>| {
                tests.iter().any(|test| {
                    let stands = cells.iter().any(|&cell| test.pieces.contains(state.occupant(cell)));
                    stands != test.none
                })
            };
            let held = places.iter().filter(|cells| holds_at(cells)).count();
            match any {
                true => u32::from(held == 0),
                false => (places.len() - held) as u32,
            }
        }
        _ => 1,
    }
}

/// What one of the pieces must come to.
#[derive(Clone, Debug)]
enum Wish {
    /// Not to be one of these any more.
    Gone(Vec<Occupant>),
    /// To stand on one of some cells.
    At(OccupantSet, Vec<CellId>),
}

impl Wish {
    /// Finds a wish that many pieces share in the only winning goal.
    fn find(rules: &Rules, players: &[PlayerId]) -> Option<Wish> {
        let goals = rules.goals.iter().filter(|goal| goal.kind == GoalKind::Win);
        let mut tests = goals.flat_map(|goal| goal.tests.iter().filter(|(player, _)| players.contains(player)));
        let (only, None) = (tests.next()?, tests.next()) else {
            return None;
        };
        let parts = match &only.1 {
            GoalTest::And(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        parts.iter().find_map(|part| match part {
            GoalTest::PieceCount { pieces, equals: 0, .. } => Some(Wish::Gone(pieces.clone())),
            GoalTest::AbsoluteConfig {
                tests,
                places,
                any: false,
            } => {
                let [test] = tests.as_slice() else { return None };
                (!test.none && places.len() > 1).then(|| Wish::At(test.pieces.clone(), places.concat()))
            }
            _ => None,
        })
    }

    /// Tells whether a piece is one of those that have the wish.
    fn concerns(&self, piece: Occupant) -> bool {
        match self {
            Wish::Gone(pieces) => pieces.contains(&piece),
            Wish::At(pieces, _) => piece.is_some() && pieces.contains(piece),
        }
    }

    /// Tells whether the piece that stands on a cell, if it does still stand there, has what it wishes.
    fn is_fulfilled(&self, piece: Occupant, cell: CellId) -> bool {
        match self {
            Wish::Gone(pieces) => !pieces.contains(&piece),
            Wish::At(pieces, cells) => pieces.contains(piece) && cells.contains(&cell),
        }
    }
}

impl Projection {
    fn find(rules: &Rules, start: &State, players: &[PlayerId]) -> Option<Projection> {
        let wish = Wish::find(rules, players)?;
        let tokens: Vec<CellId> = (rules.model.board.cell_ids())
            .filter(|&cell| wish.concerns(start.occupant(cell)))
            .collect();
        if tokens.is_empty() || tokens.len() > MOST_TOKENS {
            return None;
        }
        let mut projection = Projection {
            n_cells: rules.n_cells,
            distances: vec![None; rules.n_occupants * rules.n_cells],
            pairs: FxHashMap::default(),
        };
        let mut single = Graph::new(rules, start, &wish);
        for &token in &tokens {
            single.grow(&tokens, &[token])?;
        }
        let distances = single.distances();
        for (node, &distance) in single.nodes.iter().zip(&distances) {
            for &(piece, cell) in node.tokens.iter().flatten() {
                let known = &mut projection.distances[piece.index() * rules.n_cells + cell.index()];
                *known = Some(known.map_or(distance, |known| known.min(distance)));
            }
        }
        // A piece that cannot even alone be brought to its goal needs the help of others.
        let is_fit = |&cell: &CellId| projection.slot_distance(start.occupant(cell), cell) != Some(NEVER);
        if !tokens.iter().all(is_fit) {
            return None;
        }
        let mut double = Graph::new(rules, start, &wish);
        let mut is_whole = true;
        for (index, &first) in tokens.iter().enumerate() {
            for &second in &tokens[index + 1..] {
                is_whole = is_whole && double.grow(&tokens, &[first, second]).is_some();
            }
        }
        if is_whole {
            let distances = double.distances();
            for (node, distance) in double.nodes.iter().zip(distances) {
                if let [Some(first), Some(second)] = node.tokens[..] {
                    let key = projection.pair(first, second);
                    *projection.pairs.entry(key).or_insert(false) |= distance != NEVER;
                }
            }
        }
        Some(projection)
    }

    fn slot(&self, piece: Occupant, cell: CellId) -> usize {
        piece.index() * self.n_cells + cell.index()
    }

    fn slot_distance(&self, piece: Occupant, cell: CellId) -> Option<u32> {
        self.distances[self.slot(piece, cell)]
    }

    fn pair(&self, first: (Occupant, CellId), second: (Occupant, CellId)) -> (u32, u32) {
        let (first, second) = (self.slot(first.0, first.1) as u32, self.slot(second.0, second.1) as u32);
        (first.min(second), first.max(second))
    }

    /// Returns the plies that the pieces need at least, with a name for where those stand that need some, or `None` if
    /// one or two of them never get to their goals.
    fn distance(&self, state: &State) -> Option<(u32, u64)> {
        let mut sum = 0u32;
        let mut essence = 0;
        let mut slots = [0u32; MOST_TOKENS];
        let mut n_slots = 0;
        for cell in (0..self.n_cells).filter_map(CellId::new) {
            let piece = state.occupant(cell);
            if piece.is_none() {
                continue;
            }
            match self.slot_distance(piece, cell) {
                None => {}
                Some(NEVER) => return None,
                Some(distance) => {
                    sum += distance;
                    if distance > 0 {
                        essence ^= spread(self.slot(piece, cell) as u64 + 1);
                    }
                    if n_slots < MOST_TOKENS {
                        slots[n_slots] = self.slot(piece, cell) as u32;
                        n_slots += 1;
                    }
                }
            }
        }
        for (index, &first) in slots[..n_slots].iter().enumerate() {
            for &second in &slots[index + 1..n_slots] {
                let key = (first.min(second), first.max(second));
                if self.pairs.get(&key) == Some(&false) {
                    return None;
                }
            }
        }
        Some((sum, essence))
    }
}

/// A smaller puzzle: its states, and how they follow from each other.
struct Graph<'a> {
    rules: &'a Rules,
    start: &'a State,
    wish: &'a Wish,
    workspace: Workspace,
    ids: FxHashMap<u64, u32>,
    nodes: Vec<Node>,
    bytes: Vec<u8>,
    /// Pairs of a state and the one before it; whether a piece with a wish was moved in between.
    arcs: Vec<(u32, u32, bool)>,
    list: MoveList,
}

struct Node {
    /// Where the pieces stand, if they still do.
    tokens: Vec<Option<(Occupant, CellId)>>,
    packed: std::ops::Range<usize>,
}

impl<'a> Graph<'a> {
    fn new(rules: &'a Rules, start: &'a State, wish: &'a Wish) -> Graph<'a> {
        Graph {
            rules,
            start,
            wish,
            workspace: Workspace::new(rules, start.clone()),
            ids: FxHashMap::default(),
            nodes: Vec::new(),
            bytes: Vec::new(),
            arcs: Vec::new(),
            list: MoveList::new(),
        }
    }

    /// Adds all states that can be reached from the start if of all `tokens` only those `kept` stand on the board.
    /// Returns nothing if there are too many, or a rule faults.
    fn grow(&mut self, tokens: &[CellId], kept: &[CellId]) -> Option<()> {
        let rules = self.rules;
        let mut state = self.start.clone();
        for &cell in tokens.iter().filter(|cell| !kept.contains(cell)) {
            state.clear(rules, cell);
        }
        let tokens = kept.iter().map(|&cell| Some((state.occupant(cell), cell))).collect();
        self.workspace.state = state;
        let mut next = self.nodes.len();
        self.add(tokens);
        while next < self.nodes.len() {
            if self.nodes.len() > MOST_STATES {
                return None;
            }
            if self.is_gone(&self.nodes[next]) {
                next += 1;
                continue;
            }
            let packed = self.nodes[next].packed.clone();
            self.workspace.state.unpack(rules, self.start, &self.bytes[packed]);
            self.workspace.log.clear();
            let mut list = std::mem::take(&mut self.list);
            let listed = self.workspace.legal_moves(rules, &mut list);
            for entry in list.iter().filter(|_| listed.is_ok()) {
                let effects = list.effects(entry);
                let before = self.nodes[next].tokens.clone();
                self.workspace.make(rules, &list, entry).ok()?;
                let state = &self.workspace.state;
                let after: Vec<_> = (before.iter())
                    .map(|&token| {
                        let cell = follow(effects, token?.1)?;
                        let piece = state.occupant(cell);
                        piece.is_some().then_some((piece, cell))
                    })
                    .collect();
                let is_moved = before != after;
                let id = self.add(after);
                self.arcs.push((id, next as u32, is_moved));
                self.workspace.unmake(rules);
            }
            self.list = list;
            listed.ok()?;
            next += 1;
        }
        Some(())
    }

    /// Tells whether the wish was not to be there any more, and is fulfilled for one of the pieces: what becomes of it
    /// then does not matter, and the other is alone.
    fn is_gone(&self, node: &Node) -> bool {
        matches!(self.wish, Wish::Gone(_)) && node.tokens.iter().any(|token| self.is_done(token))
    }

    fn is_done(&self, token: &Option<(Occupant, CellId)>) -> bool {
        match token {
            Some((piece, cell)) => self.wish.is_fulfilled(*piece, *cell),
            None => matches!(self.wish, Wish::Gone(_)),
        }
    }

    fn add(&mut self, tokens: Vec<Option<(Occupant, CellId)>>) -> u32 {
        // Two pieces that look alike may have changed places, which makes no difference.
        let id = self.nodes.len() as u32;
        let id = *self.ids.entry(self.workspace.state.keys().search).or_insert(id);
        if id as usize == self.nodes.len() {
            let start = self.bytes.len();
            self.workspace.state.pack(self.start, &mut self.bytes);
            self.nodes.push(Node {
                tokens,
                packed: start..self.bytes.len(),
            });
        }
        id
    }

    /// Returns for each state by how many plies at least its pieces must be moved until their wishes are fulfilled.
    fn distances(&self) -> Vec<u32> {
        let mut distances = vec![NEVER; self.nodes.len()];
        let mut before: Vec<Vec<(u32, bool)>> = vec![Vec::new(); self.nodes.len()];
        for &(after, earlier, is_moved) in &self.arcs {
            before[after as usize].push((earlier, is_moved));
        }
        let mut queue = std::collections::VecDeque::new();
        for (id, node) in self.nodes.iter().enumerate() {
            if self.is_gone(node) || node.tokens.iter().all(|token| self.is_done(token)) {
                distances[id] = 0;
                queue.push_back(id as u32);
            }
        }
        // Plies that move none of the pieces cost nothing, so the queue is kept in order by where they are put.
        while let Some(id) = queue.pop_front() {
            let here = distances[id as usize];
            for &(earlier, is_moved) in &before[id as usize] {
                let through = here + u32::from(is_moved);
                if through < distances[earlier as usize] {
                    distances[earlier as usize] = through;
                    match is_moved {
                        true => queue.push_back(earlier),
                        false => queue.push_front(earlier),
                    }
                }
            }
        }
        distances
    }
}

/// Returns where a move takes the piece that stood on a cell, or `None` if it removes it.
fn follow(effects: &[Effect], mut cell: CellId) -> Option<CellId> {
    for effect in effects {
        match *effect {
            Effect::Move { from, to } if from == cell => {
                cell = to;
                break;
            }
            Effect::Move { to, .. } if to == cell => {
                let leaves = |effect: &Effect| matches!(effect, Effect::Move { from, .. } if *from == cell);
                if !effects.iter().any(leaves) {
                    return None;
                }
            }
            _ => {}
        }
    }
    let removes = |effect: &Effect| matches!(effect, Effect::Capture { at } if *at == cell);
    (!effects.iter().any(removes)).then_some(cell)
}
