//! A playable game: the model, its bytecode, and the tables that running it needs.
//!
//! [`Rules`] are built once, never change, and are shared by everything that plays the game, on any number of threads.

mod shape;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::cellset::CellSet;
use crate::compile;
use crate::fast::Fast;
use crate::model::goal::{GoalCondition, GoalPlace};
use crate::model::option::{MaximalCaptures, PassTurn};
use crate::model::quirk::{FlipOrder, UnlistedTypes};
use crate::model::{
    AttributeId, CellId, ConstantId, GameModel, MoveTypeId, Occupant, Occupants, PieceKindId, PlayerId, TurnItem,
};
use crate::program::goal::{GoalProgram, GoalTest};
use crate::program::reach::Reach;
use crate::program::{ClassMask, ContinuationId, EntryId, NeighborhoodId, Op, Program, Role};
use crate::state::UndoLog;
use crate::state::key::KeyTable;
pub use shape::Placements;

/// Move blocks that are offered together: those of one priority, of one type, or all.
#[derive(Clone, Debug, Default)]
pub struct Tier {
    /// Its place in the list of tiers.
    pub(crate) number: usize,
    /// For each occupant the entries of its moves in this tier.
    moves: Vec<Vec<EntryId>>,
    /// The entries of drops in this tier, with the piece dropped.
    drops: Vec<(Occupant, EntryId)>,
    /// The entries of moves of no piece in this tier, with their player.
    actions: Vec<(PlayerId, EntryId)>,
}

impl Tier {
    /// Returns the entries of the moves of a piece.
    #[inline]
    pub fn moves_of(&self, piece: Occupant) -> &[EntryId] {
        &self.moves[piece.index()]
    }

    /// Returns the pieces that can be dropped and the entries of their drops, by player, kind and block.
    pub fn drops(&self) -> &[(Occupant, EntryId)] {
        &self.drops
    }

    /// Returns the entries of the moves of a player that belong to no piece, by block.
    pub fn actions_of(&self, player: PlayerId) -> impl Iterator<Item = EntryId> + '_ {
        let own = self.actions.iter().filter(move |(owner, _)| *owner == player);
        own.map(|&(_, entry)| entry)
    }

    /// Returns the number of blocks of a player.
    fn n_blocks(&self, player: PlayerId, occupants: &Occupants) -> usize {
        let own = |piece: &Occupant| occupants.owner(*piece) == player;
        let n_moves: usize = (occupants.pieces().filter(own))
            .map(|piece| self.moves_of(piece).len())
            .sum();
        n_moves + self.drops.iter().filter(|(piece, _)| own(piece)).count() + self.actions_of(player).count()
    }
}

/// How often specialised code must be asked for before it is made: a list of moves or two do without.
const PATIENCE: u32 = 1_000;

/// A playable game; see the module.
#[derive(Debug)]
pub struct Rules {
    /// The checked game.
    pub model: GameModel,
    /// Its bytecode.
    pub program: Program,
    /// Its goals, in file order.
    pub goals: Vec<GoalProgram>,
    /// The numbering of its pieces.
    pub occupants: Occupants,
    /// Which blocks could take a piece where; found out when it is first asked for.
    reach: OnceLock<Reach>,
    /// The specialised code, likewise; nothing for games that are only interpreted.
    fast: OnceLock<Option<Box<Fast>>>,
    /// How often specialised code was asked for and not there.
    n_asked: AtomicU32,
    /// Ready-made constants of the keys.
    pub(crate) keys: KeyTable,
    /// Whether no goal about the turn or the past can hold while the player to move can move and nothing is repeated.
    pub(crate) turn_goals_need_trouble: bool,
    /// Whether whatever is generated and leaves no royal piece attacked is legal, unless a chain is open: no turns are
    /// passed over or belong to pieces, nothing is compared afterwards, and nobody may pass.
    pub(crate) has_plain_turns: bool,
    pub(crate) n_cells: usize,
    pub(crate) n_players: usize,
    pub(crate) n_attributes: usize,
    pub(crate) n_occupants: usize,
    pub(crate) n_tracked: usize,
    /// By `player * n_occupants + occupant`; the last player is nobody.
    classes: Vec<ClassMask>,
    /// By `occupant * n_attributes + attribute`.
    initial_attributes: Vec<i32>,
    /// By `zone * (n_players + 1) + player`; the last player is nobody.
    zones: Vec<CellSet>,
    /// By [`VariableSlot`](crate::program::VariableSlot).
    initial_variables: Vec<i32>,
    /// By `constant * n_occupants + occupant`.
    constants: Vec<i32>,
    /// By cell its indices in the first grid that has it.
    coordinates: Vec<Vec<u16>>,
    /// By kind where a shape can lie.
    placements: Vec<Placements>,
    /// By neighbourhood and cell the distances from there; found out when first asked for.
    distances: Vec<OnceLock<Vec<OnceLock<Vec<u16>>>>>,
    goal_cells: CellSet,
    stock_only_falls: bool,
    board_only_empties: bool,
    /// For each cell the cells that links lead to.
    neighbors: Vec<Vec<CellId>>,
    flipped: Vec<PlayerId>,
    enemies: Vec<Vec<PlayerId>>,
    royal: Vec<Vec<Occupant>>,
    tracked: Vec<Option<usize>>,
    tiers: Vec<Tier>,
    /// For each turn item the tiers to try in turn.
    turn_tiers: Vec<Vec<usize>>,
    /// By player the turn item that stands for all of its turns.
    usual_turns: Vec<Option<usize>>,
    /// By `continuation * n_items + item`.
    continuation_tiers: Vec<Vec<usize>>,
}

impl Rules {
    /// Compiles a checked game.
    pub fn new(model: GameModel) -> Rules {
        let occupants = Occupants::new(model.players.len(), model.kinds.len());
        let (program, goals) = compile::compile(&model, &occupants);
        let royal = royal_pieces(&model, &occupants);
        let mut tracked = vec![None; occupants.len()];
        let mut n_tracked = 0;
        for piece in royal.iter().flatten() {
            if tracked[piece.index()].is_none() {
                tracked[piece.index()] = Some(n_tracked);
                n_tracked += 1;
            }
        }
        let mut tiers = TierTable::new(&program, &occupants, &model);
        let turn_tiers: Vec<Vec<usize>> = (model.turn_order.items.iter())
            .map(|item| tiers.for_turn(item))
            .collect();
        let continuation_tiers = (program.continuations.iter())
            .flat_map(|types| model.turn_order.items.iter().map(move |item| (types, item)))
            .map(|(types, item)| tiers.for_continuation(types, item))
            .collect();
        let tiers: Vec<Tier> = tiers.tiers.into_iter().map(|(_, tier)| tier).collect();
        let n_blocks = |item: usize, player: PlayerId| -> usize {
            let tiers = turn_tiers[item].iter().map(|&tier| &tiers[tier]);
            tiers.map(|tier| tier.n_blocks(player, &occupants)).sum()
        };
        let usual_turns = (model.player_ids())
            .map(|player| usual_turn(&model, player, |item| n_blocks(item, player)))
            .collect();
        let n_cells = model.board.cells.len();
        Rules {
            keys: KeyTable::new(n_cells, occupants.len(), model.turn_order.items.len()),
            turn_goals_need_trouble: (goals.iter())
                .filter(|goal| goal.speaks_of_the_turn)
                .all(|goal| goal.tests.iter().all(|(_, test)| needs_trouble(test))),
            has_plain_turns: has_plain_turns(&model, &program),
            n_cells,
            n_players: model.players.len(),
            n_attributes: model.attributes.len(),
            n_occupants: occupants.len(),
            n_tracked,
            classes: class_table(&model, &occupants),
            initial_attributes: initial_attributes(&model, &occupants),
            zones: (model.board.zones.iter())
                .flat_map(|zone| {
                    let sets = zone.cells.iter().chain([&zone.everyones]);
                    sets.map(|cells| CellSet::from_cells(n_cells, cells.iter().copied()))
                })
                .collect(),
            initial_variables: initial_variables(&model),
            constants: constants(&model, &occupants),
            coordinates: coordinates(&model),
            placements: model.kinds.iter().map(|kind| Placements::of(&model, kind)).collect(),
            distances: program.neighborhoods.iter().map(|_| OnceLock::new()).collect(),
            goal_cells: goal_cells(&model),
            stock_only_falls: !model.options.recycle_captures && !model.options.recycle_promotions,
            board_only_empties: !adds_pieces(&program),
            neighbors: model.board.cell_ids().map(|cell| neighbors(&model, cell)).collect(),
            flipped: model.player_ids().map(|player| next_player(&model, player)).collect(),
            enemies: model
                .player_ids()
                .map(|player| {
                    model
                        .player_ids()
                        .filter(|&p| p != player && model.is_hostile(p))
                        .collect()
                })
                .collect(),
            royal,
            tracked,
            tiers,
            turn_tiers,
            usual_turns,
            continuation_tiers,
            reach: OnceLock::new(),
            fast: OnceLock::new(),
            n_asked: AtomicU32::new(0),
            goals,
            occupants,
            program,
            model,
        }
    }

    /// Returns which blocks could take a piece where.
    ///
    /// Only games with check or attack tests ask for it, and working it out takes a while on large boards: the first
    /// call does it.
    pub fn reach(&self) -> &Reach {
        self.reach
            .get_or_init(|| Reach::analyse(&self.model, &self.program, &self.occupants))
    }

    /// Returns the specialised code, which is made when it has been asked for often enough to be worth it. Nothing until
    /// then, and for a game that is only interpreted.
    #[inline]
    pub fn fast(&self) -> Option<&Fast> {
        match self.fast.get() {
            Some(fast) => fast.as_deref(),
            None => self.fast_if_worth_it(),
        }
    }

    #[cold]
    #[inline(never)]
    fn fast_if_worth_it(&self) -> Option<&Fast> {
        if self.n_asked.fetch_add(1, Ordering::Relaxed) < PATIENCE {
            return None;
        }
        self.specialise()
    }

    /// Returns the specialised code, which is made now if it is not there. Nothing for a game that is only interpreted.
    pub fn specialise(&self) -> Option<&Fast> {
        self.fast.get_or_init(|| Fast::new(self).map(Box::new)).as_deref()
    }

    /// Returns all tiers.
    pub(crate) fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    /// Returns the piece of a kind of a player.
    #[inline(always)]
    pub fn occupant(&self, player: PlayerId, kind: PieceKindId) -> Occupant {
        self.occupants.of(player, kind)
    }

    /// Returns the owner of a piece; any player for nothing.
    #[inline(always)]
    pub fn owner(&self, piece: Occupant) -> PlayerId {
        self.occupants.owner(piece)
    }

    /// Returns the kind of a piece; any kind for nothing.
    #[inline(always)]
    pub fn kind(&self, piece: Occupant) -> PieceKindId {
        self.occupants.kind(piece)
    }

    /// Returns for each occupant, nothing included, what it is to `player`: empty, friend, enemy or neutral.
    #[inline]
    pub fn classes(&self, player: PlayerId) -> &[ClassMask] {
        &self.classes[player.index() * self.n_occupants..][..self.n_occupants]
    }

    /// Returns the attribute values of a new piece, in `AttributeId` order.
    #[inline]
    pub fn initial_attributes(&self, piece: Occupant) -> &[i32] {
        &self.initial_attributes[piece.index() * self.n_attributes..][..self.n_attributes]
    }

    /// Tells whether a kind declares an attribute itself.
    pub fn declares(&self, kind: PieceKindId, attribute: AttributeId) -> bool {
        self.model.kinds[kind.index()]
            .attributes
            .iter()
            .any(|&(declared, _)| declared == attribute)
    }

    /// Tells whether a cell lies in a zone for a player; none never does.
    #[inline]
    pub fn in_zone(&self, zone: crate::model::ZoneId, player: PlayerId, cell: CellId) -> bool {
        self.zones[zone.index() * (self.n_players + 1) + player.index()].contains(cell)
    }

    /// Returns the values of the variables at the start.
    pub fn initial_variables(&self) -> &[i32] {
        &self.initial_variables
    }

    /// Returns a constant of the kind of a piece; 0 for nothing.
    #[inline]
    pub(crate) fn constant(&self, constant: ConstantId, piece: Occupant) -> i32 {
        self.constants[constant.index() * self.n_occupants + piece.index()]
    }

    /// Returns an index of a cell in the first grid that has it; 0 off the grids and for dimensions it does not have.
    #[inline]
    pub(crate) fn coordinate(&self, cell: CellId, axis: usize) -> i32 {
        let indices = self.coordinates.get(cell.index());
        indices
            .and_then(|indices| indices.get(axis))
            .map_or(0, |&index| index.into())
    }

    /// Returns the sets of cells that a piece of a kind can cover; none unless it is a shape.
    pub fn placements(&self, kind: PieceKindId) -> &Placements {
        &self.placements[kind.index()]
    }

    /// Returns how many links lead from one cell to another; the number of cells if there is no way or a cell is none.
    pub(crate) fn distance(&self, table: NeighborhoodId, from: CellId, to: CellId) -> i32 {
        if from.is_none() || to.is_none() {
            return self.n_cells as i32;
        }
        let rows = self.distances[table.index()].get_or_init(|| vec![OnceLock::new(); self.n_cells]);
        let row = rows[from.index()].get_or_init(|| self.distances_from(table, from));
        row[to.index()].into()
    }

    fn distances_from(&self, table: NeighborhoodId, from: CellId) -> Vec<u16> {
        let mut distances = vec![self.n_cells as u16; self.n_cells];
        let mut reached = vec![from];
        distances[from.index()] = 0;
        let mut next = 0;
        while let Some(&cell) = reached.get(next) {
            next += 1;
            for &neighbor in self.program.neighborhoods[table.index()].of(cell) {
                if neighbor != from && distances[neighbor.index()] == self.n_cells as u16 {
                    distances[neighbor.index()] = distances[cell.index()] + 1;
                    reached.push(neighbor);
                }
            }
        }
        distances
    }

    /// Tells whether a cell occurs in an `absolute-config` goal.
    pub fn is_goal_cell(&self, cell: CellId) -> bool {
        self.goal_cells.contains(cell)
    }

    /// Returns the cells that a link leads to from `cell`.
    pub fn neighbors(&self, cell: CellId) -> &[CellId] {
        &self.neighbors[cell.index()]
    }

    /// Returns the player to whom `flip` gives a piece of `owner`.
    ///
    /// # Language
    /// `docs/language.md`: flip; neutral and random players are left out.
    pub fn flipped(&self, owner: PlayerId) -> PlayerId {
        self.flipped[owner.index()]
    }

    /// Returns the other players who take turns; none where there is no mover.
    pub fn enemies(&self, player: PlayerId) -> &[PlayerId] {
        self.enemies.get(player.index()).map_or(&[], Vec::as_slice)
    }

    /// Returns the pieces of `player` that must not be left attacked (`checkmated`).
    pub fn royal(&self, player: PlayerId) -> &[Occupant] {
        &self.royal[player.index()]
    }

    /// Returns the number under which a state keeps the cells of this piece, if it does.
    #[inline(always)]
    pub fn tracked_slot(&self, piece: Occupant) -> Option<usize> {
        self.tracked[piece.index()]
    }

    /// Tells whether no later position can be equal to one before the last ply of `log`: a piece has left the hand in a
    /// game where none comes back, or the board in a game where none is added.
    pub fn cannot_return(&self, log: &UndoLog) -> bool {
        (self.stock_only_falls && log.changed_stock()) || (self.board_only_empties && !log.captured().is_empty())
    }

    /// Returns the tiers of a fresh turn: the first that has a legal move is the one offered.
    pub fn turn_tiers(&self, item: usize) -> impl Iterator<Item = &Tier> {
        self.turn_tiers[item].iter().map(|&tier| &self.tiers[tier])
    }

    /// Returns the turn item that stands for all turns of a player where none is the present one: of those that come again
    /// and again the first with the most blocks. Nothing is returned for a player who never moves.
    pub fn usual_turn(&self, player: PlayerId) -> Option<usize> {
        self.usual_turns[player.index()]
    }

    /// Returns the tiers of a chain that goes on during a turn item.
    pub fn continuation_tiers(&self, continuation: ContinuationId, item: usize) -> impl Iterator<Item = &Tier> {
        let n_items = self.model.turn_order.items.len();
        self.continuation_tiers[continuation.index() * n_items + item]
            .iter()
            .map(|&tier| &self.tiers[tier])
    }
}

/// Collects the tiers that turn items and continuations need, each once.
struct TierTable<'a> {
    program: &'a Program,
    occupants: &'a Occupants,
    model: &'a GameModel,
    tiers: Vec<(TypeSet, Tier)>,
}

/// A set of move types and, as its last member, the blocks without a type.
type TypeSet = Vec<bool>;

impl<'a> TierTable<'a> {
    fn new(program: &'a Program, occupants: &'a Occupants, model: &'a GameModel) -> TierTable<'a> {
        TierTable {
            program,
            occupants,
            model,
            tiers: Vec::new(),
        }
    }

    /// A turn item that names a type offers just its blocks; otherwise the priorities rank all.
    fn for_turn(&mut self, item: &TurnItem) -> Vec<usize> {
        match item.move_type {
            Some(only) => vec![self.tier(self.only(&[only]))],
            None => self.ranked(vec![true; self.model.move_types.len() + 1], true),
        }
    }

    /// A continuation offers the types it names; without any, all that the turn item allows.
    fn for_continuation(&mut self, types: &[MoveTypeId], item: &TurnItem) -> Vec<usize> {
        match (types, item.move_type) {
            ([], None) => self.ranked(vec![true; self.model.move_types.len() + 1], false),
            ([], Some(only)) => self.ranked(self.only(&[only]), false),
            (types, _) => self.ranked(self.only(types), false),
        }
    }

    fn only(&self, types: &[MoveTypeId]) -> TypeSet {
        let mut set = vec![false; self.model.move_types.len() + 1];
        types.iter().for_each(|t| set[t.index()] = true);
        set
    }

    /// Splits the allowed types by priority: each listed type by itself, then all others together.
    fn ranked(&mut self, allowed: TypeSet, is_fresh: bool) -> Vec<usize> {
        let mut rest = allowed;
        let mut ranked = Vec::new();
        for &listed in &self.model.priorities {
            if std::mem::replace(&mut rest[listed.index()], false) {
                ranked.push(self.tier(self.only(&[listed])));
            }
        }
        let hides_rest =
            !self.model.priorities.is_empty() && self.model.options.quirks.unlisted_types == UnlistedTypes::Never;
        if rest.contains(&true) && !(is_fresh && hides_rest) {
            ranked.push(self.tier(rest));
        }
        ranked
    }

    fn tier(&mut self, types: TypeSet) -> usize {
        if let Some(known) = self.tiers.iter().position(|(set, _)| *set == types) {
            return known;
        }
        let mut tier = Tier {
            number: self.tiers.len(),
            moves: vec![Vec::new(); self.occupants.len()],
            drops: Vec::new(),
            actions: Vec::new(),
        };
        for (index, entry) in self.program.entries.iter().enumerate() {
            let type_index = entry.move_type.map_or(types.len() - 1, MoveTypeId::index);
            if types[type_index] {
                let piece = match entry.role {
                    Role::Action => Occupant::NONE,
                    Role::Move | Role::Drop => self.occupants.of(entry.player, entry.kind),
                };
                let index = index as EntryId;
                match entry.role {
                    Role::Move => tier.moves[piece.index()].push(index),
                    Role::Drop => tier.drops.push((piece, index)),
                    Role::Action => tier.actions.push((entry.player, index)),
                }
            }
        }
        self.tiers.push((types, tier));
        self.tiers.len() - 1
    }
}

fn class_table(model: &GameModel, occupants: &Occupants) -> Vec<ClassMask> {
    let class = |player: PlayerId, occupant: Occupant| {
        let owner = occupants.owner(occupant);
        if occupant.is_none() {
            ClassMask::EMPTY
        } else if owner == player {
            ClassMask::FRIEND
        } else if model.is_hostile(owner) && player == model.nobody() {
            ClassMask::OTHER
        } else if model.is_hostile(owner) {
            ClassMask::ENEMY
        } else {
            ClassMask::NEUTRAL
        }
    };
    let all = || std::iter::once(Occupant::NONE).chain(occupants.pieces());
    model
        .player_ids()
        .chain([model.nobody()])
        .flat_map(|player| all().map(move |occupant| class(player, occupant)))
        .collect()
}

fn initial_attributes(model: &GameModel, occupants: &Occupants) -> Vec<i32> {
    let mut values = vec![0; occupants.len() * model.attributes.len()];
    for piece in occupants.pieces() {
        for &(attribute, value) in &model.kinds[occupants.kind(piece).index()].attributes {
            values[piece.index() * model.attributes.len() + attribute.index()] = value;
        }
    }
    values
}

/// By slot: the variables of the game, then for each player's variable one per player.
fn initial_variables(model: &GameModel) -> Vec<i32> {
    let extensions = &model.extensions;
    let of_players = extensions.player_variables.iter();
    let of_players = of_players.flat_map(|variable| std::iter::repeat_n(variable.initial, model.players.len()));
    let of_game = extensions.variables.iter().map(|variable| variable.initial);
    of_game.chain(of_players).collect()
}

fn constants(model: &GameModel, occupants: &Occupants) -> Vec<i32> {
    let n_occupants = occupants.len();
    let mut values = vec![0; n_occupants * model.extensions.constants.len()];
    for piece in occupants.pieces() {
        for &(constant, value) in &model.kinds[occupants.kind(piece).index()].constants {
            values[constant.index() * n_occupants + piece.index()] = value;
        }
    }
    values
}

fn coordinates(model: &GameModel) -> Vec<Vec<u16>> {
    let mut coordinates = vec![Vec::new(); model.board.cells.len()];
    for grid in model.board.grids.iter().rev() {
        for (index, cell) in grid.cells.iter().enumerate() {
            if let Some(cell) = cell {
                coordinates[cell.index()] = grid.coordinates(index).into_iter().map(|index| index as u16).collect();
            }
        }
    }
    coordinates
}

/// Returns the turn item that stands for all turns of a player: the first with the most blocks in the part of the turn order
/// that comes again, since what comes before is often a setup with moves of its own.
fn usual_turn(model: &GameModel, player: PlayerId, n_blocks: impl Fn(usize) -> usize) -> Option<usize> {
    let order = &model.turn_order;
    let turns = |items: std::ops::Range<usize>| {
        let own = items.filter(|&item| order.items[item].acts_as == player);
        // Of equal ones the last counts, so they are taken from the last to the first.
        own.rev().max_by_key(|&item| n_blocks(item))
    };
    turns(order.repeat_from..order.items.len()).or_else(|| turns(0..order.repeat_from))
}

fn has_plain_turns(model: &GameModel, program: &Program) -> bool {
    let routines = &program.routines;
    routines.skips.is_empty()
        && routines.actor.is_none()
        && routines.maximize_turn.is_empty()
        && routines.forced.iter().all(Option::is_none)
        && model.options.maximal_captures == MaximalCaptures::Off
        && model.options.pass_turn == PassTurn::Never
}

/// Tells whether a test cannot hold while the player to move can move and nothing is repeated.
fn needs_trouble(test: &GoalTest) -> bool {
    match test {
        GoalTest::Stalemated | GoalTest::Checkmated(_) | GoalTest::Repetition => true,
        GoalTest::And(parts) => parts.iter().any(needs_trouble),
        GoalTest::Or(parts) => parts.iter().all(needs_trouble),
        _ => false,
    }
}

/// Tells whether some block can bring a piece to the board.
fn adds_pieces(program: &Program) -> bool {
    program
        .entries
        .iter()
        .any(|entry| entry.role == Role::Drop || entry.is_extended)
        || program.adds.iter().any(|add| add.copy)
        || program.ops.iter().any(|op| matches!(op, Op::Create { .. }))
}

fn goal_cells(model: &GameModel) -> CellSet {
    let mut cells = CellSet::new(model.board.cells.len());
    for goal in &model.goals {
        goal.condition.walk(&mut |condition| {
            let GoalCondition::AbsoluteConfig(_, places) = condition else {
                return;
            };
            for place in places {
                match place {
                    GoalPlace::Cell(cell) => cells.insert(*cell),
                    GoalPlace::Zone(zone) => {
                        for player in &goal.players {
                            let zone = &model.board.zones[zone.index()].cells[player.index()];
                            zone.iter().for_each(|&cell| cells.insert(cell));
                        }
                    }
                }
            }
        });
    }
    cells
}

fn neighbors(model: &GameModel, cell: CellId) -> Vec<CellId> {
    let directions = (0..model.board.directions.len()).filter_map(crate::model::DirectionId::new);
    let mut cells: Vec<CellId> = directions
        .filter_map(|direction| model.board.step(cell, direction))
        .collect();
    cells.sort();
    cells.dedup();
    cells
}

fn next_player(model: &GameModel, owner: PlayerId) -> PlayerId {
    let n_players = model.players.len();
    (1..=n_players)
        .map(|distance| (owner.index() + distance) % n_players)
        .find(|&index| match model.options.quirks.flip_order {
            FlipOrder::Playing => model.players[index].takes_turns && !model.players[index].random,
            FlipOrder::Named => true,
        })
        .and_then(PlayerId::new)
        .unwrap_or(owner)
}

fn royal_pieces(model: &GameModel, occupants: &Occupants) -> Vec<Vec<Occupant>> {
    let mut royal = vec![Vec::new(); model.players.len()];
    for goal in &model.goals {
        goal.condition.walk(&mut |condition| {
            if let GoalCondition::Checkmated(kinds) = condition {
                for player in &goal.players {
                    for &kind in kinds {
                        let piece = occupants.of(*player, kind);
                        if !royal[player.index()].contains(&piece) {
                            royal[player.index()].push(piece);
                        }
                    }
                }
            }
        });
    }
    royal
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_usual_turn_is_no_turn_of_the_setup() {
        let text = b"(game (title \"Phases\") (players White Black Green)
            (turn-order (White put) (Black put) repeat (White roll) (White go) (Black go) (Black go))
            (board (grid (dimensions (\"a/b\" (1 0)) (\"1/2\" (0 1))) (directions (e 1 0) (w -1 0))))
            (board-setup (White (Man off 3)) (Black (Man off 3)))
            (piece (name Man) (drops (move-type put) ((verify empty?) add)) (moves (move-type go) (e add) (w add)))
            (piece (name Die) (drops (move-type roll) (add)))
            (loss-condition (White Black) stalemated))";
        let rules = crate::load("phases.zrf", text).unwrap().remove(0);
        let usual: Vec<_> = (rules.model.player_ids())
            .map(|player| rules.usual_turn(player))
            .collect();
        // Of turns that come again the first with the most blocks.
        assert_eq!(usual, [Some(3), Some(4), None]);
    }
}
