//! The whole momentary situation of a game, and the moves that change it.
//!
//! [`State`] holds everything that can differ between two moments of a game, in flat arrays indexed by id. It changes
//! through a handful of private mutators in `apply.rs`; each changes the field and the keys and appends the old value to
//! the [`UndoLog`], so that every move can be taken back exactly. This module does not know how moves are found.

mod apply;
pub mod key;
mod moves;
mod pack;
mod undo;

use crate::cellset::{self, Cells};
use crate::model::{AttributeId, CellId, Occupant, PieceKindId, PlayerId};
use crate::program::{ContinuationId, VariableSlot};
use crate::rules::Rules;

pub use key::Keys;
pub(crate) use moves::own_length;
pub use moves::{Effect, Label, MoveEntry, MoveList, Rating, same_move};
pub(crate) use undo::LogMark;
pub use undo::UndoLog;

/// A chain of partial moves that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Where the piece that must go on stands.
    pub cell: CellId,
    /// The move types it may use.
    pub continuation: ContinuationId,
}

/// Everything that can differ between two moments of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// By cell.
    occupants: Vec<Occupant>,
    /// By `cell * n_attributes + attribute`; 0 where no piece stands.
    attributes: Vec<i32>,
    /// Pieces in hand, by occupant.
    stock: Vec<u32>,
    /// Pieces on the board, by occupant. Follows from `occupants`.
    counts: Vec<u32>,
    /// The cells of each player, `player * words`. Follows from `occupants`.
    player_cells: Vec<u64>,
    /// The cells of each tracked occupant, `slot * words`; see [`Rules::tracked_slot`]. Follows from `occupants`.
    tracked_cells: Vec<u64>,
    words: usize,
    turn: u16,
    chain: Option<Chain>,
    last_from: CellId,
    last_to: CellId,
    /// By [`VariableSlot`].
    variables: Vec<i32>,
    counters: Counters,
    /// The keys of the positions before, the latest last; kept only where the rules can ask for them.
    past: Vec<Keys>,
    /// The constants of these positions, added up. Follows from `past`.
    past_sum: u64,
    /// The piece whose turn it is, where turns belong to pieces. Follows from the rest.
    actor: CellId,
    keys: Keys,
}

/// How the plies up to now are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Plies played.
    pub ply: u32,
    /// Plies since the last capture.
    pub quiet_plies: u32,
    /// Passes in a row, up to now.
    pub passes: u32,
}

impl State {
    /// Makes the state of an empty board with empty stocks, at the first turn item.
    pub fn empty(rules: &Rules) -> State {
        let words = cellset::words_for(rules.n_cells);
        let mut state = State {
            occupants: vec![Occupant::NONE; rules.n_cells],
            attributes: vec![0; rules.n_cells * rules.n_attributes],
            stock: vec![0; rules.n_occupants],
            counts: vec![0; rules.n_occupants],
            player_cells: vec![0; rules.n_players * words],
            tracked_cells: vec![0; rules.n_tracked * words],
            words,
            turn: 0,
            chain: None,
            last_from: CellId::NONE,
            last_to: CellId::NONE,
            variables: rules.initial_variables().to_vec(),
            counters: Counters::default(),
            past: Vec::new(),
            past_sum: 0,
            actor: CellId::NONE,
            keys: Keys::default(),
        };
        state.keys = key::recompute(rules, &state);
        state
    }

    /// Makes the state in which the game starts, but for what chance puts on the board.
    pub fn start(rules: &Rules) -> State {
        let mut state = State::empty(rules);
        for &(cell, player, kind) in &rules.model.setup.pieces {
            state.put(rules, cell, player, kind);
        }
        for &(player, kind, count) in &rules.model.setup.stock {
            let piece = rules.occupant(player, kind);
            state.set_stock(rules, piece, state.stock(piece).saturating_add(count));
        }
        for &(cell, attribute, value) in &rules.model.extensions.setup_attributes {
            state.put_attribute(rules, cell, attribute, value);
        }
        state
    }

    /// Returns what stands on `cell`.
    ///
    /// # Panics
    /// When `cell` is not on the board.
    #[inline(always)]
    pub fn occupant(&self, cell: CellId) -> Occupant {
        self.occupants[cell.index()]
    }

    /// Returns an attribute of the piece on `cell`; 0 if none stands there.
    #[inline]
    pub fn attribute(&self, rules: &Rules, cell: CellId, attribute: AttributeId) -> i32 {
        self.attributes[cell.index() * rules.n_attributes + attribute.index()]
    }

    /// Returns the number of such pieces in hand.
    #[inline]
    pub fn stock(&self, piece: Occupant) -> u32 {
        self.stock[piece.index()]
    }

    /// Returns the number of such pieces on the board.
    #[inline]
    pub fn count(&self, piece: Occupant) -> u32 {
        self.counts[piece.index()]
    }

    /// Returns the cells on which `player` has pieces, in order.
    #[inline]
    pub fn cells_of(&self, player: PlayerId) -> Cells<'_> {
        Cells::new(&self.player_cells[player.index() * self.words..][..self.words])
    }

    /// Returns the cells on which a tracked occupant stands; see [`Rules::tracked_slot`].
    #[inline]
    pub(crate) fn tracked_cells(&self, slot: usize) -> Cells<'_> {
        Cells::new(&self.tracked_cells[slot * self.words..][..self.words])
    }

    /// Returns the number of 64-bit words that hold one bit per cell.
    #[inline]
    pub(crate) fn n_words(&self) -> usize {
        self.words
    }

    /// Returns the bits of the cells on which `player` has pieces.
    #[inline]
    pub(crate) fn player_cells(&self, player: PlayerId) -> &[u64] {
        &self.player_cells[player.index() * self.words..][..self.words]
    }

    /// Returns word `index` of the bits of the cells on which `player` has pieces.
    #[inline]
    pub(crate) fn player_word(&self, player: PlayerId, index: usize) -> u64 {
        self.player_cells[player.index() * self.words + index]
    }

    /// Returns word `index` of the bits of the cells on which anything stands.
    #[inline]
    pub(crate) fn occupied_word(&self, index: usize) -> u64 {
        let words = &self.player_cells[index..];
        match self.words {
            // Without steps between the words of the players the compiler does better.
            1 => words.iter().fold(0, |union, word| union | word),
            step => words.iter().step_by(step).fold(0, |union, word| union | word),
        }
    }

    /// Returns what stands on each cell, in order.
    #[inline(always)]
    pub(crate) fn occupants(&self) -> &[Occupant] {
        &self.occupants
    }

    /// Returns the attribute in a slot, `cell * n_attributes + attribute`.
    #[inline(always)]
    pub(crate) fn attribute_in(&self, slot: u32) -> i32 {
        self.attributes[slot as usize]
    }

    /// Returns the index of the turn item.
    #[inline]
    pub fn turn(&self) -> usize {
        self.turn as usize
    }

    /// Returns the chain of partial moves that goes on, if one does.
    #[inline]
    pub fn chain(&self) -> Option<Chain> {
        self.chain
    }

    /// Returns where the previous move started, or [`CellId::NONE`].
    #[inline]
    pub fn last_from(&self) -> CellId {
        self.last_from
    }

    /// Returns where the previous move ended, or [`CellId::NONE`].
    #[inline]
    pub fn last_to(&self) -> CellId {
        self.last_to
    }

    /// Returns the value of a variable.
    #[inline]
    pub fn variable(&self, slot: VariableSlot) -> i32 {
        self.variables[slot.index()]
    }

    /// Returns the value of the variable of the game with this index in the order of the rules.
    ///
    /// # Panics
    /// When there is no such variable.
    pub fn game_variable(&self, index: usize) -> i32 {
        self.variables[index]
    }

    /// Returns how the plies up to now are counted.
    #[inline]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Returns the piece whose turn it is, where turns belong to pieces; [`CellId::NONE`] if none can act.
    #[inline]
    pub fn actor(&self) -> CellId {
        self.actor
    }

    /// Returns how often the present position, or only what stands on the board, has been there before, as far as that
    /// is known.
    pub fn repetitions(&self, board_only: bool) -> usize {
        let key = |keys: &Keys| if board_only { keys.board } else { keys.repetition };
        let present = key(&self.keys);
        self.past.iter().filter(|keys| key(keys) == present).count()
    }

    /// Returns all keys.
    #[inline]
    pub fn keys(&self) -> Keys {
        self.keys
    }

    /// Becomes equal to a state of the same game, keeping its memory.
    pub(crate) fn copy_from(&mut self, other: &State) {
        let State {
            occupants,
            attributes,
            stock,
            counts,
            player_cells,
            tracked_cells,
            words,
            turn,
            chain,
            last_from,
            last_to,
            variables,
            counters,
            past,
            past_sum,
            actor,
            keys,
        } = other;
        self.occupants.clone_from(occupants);
        self.attributes.clone_from(attributes);
        self.stock.clone_from(stock);
        self.counts.clone_from(counts);
        self.player_cells.clone_from(player_cells);
        self.tracked_cells.clone_from(tracked_cells);
        (self.words, self.turn, self.chain) = (*words, *turn, *chain);
        (self.last_from, self.last_to, self.keys) = (*last_from, *last_to, *keys);
        self.variables.clone_from(variables);
        self.past.clone_from(past);
        (self.counters, self.actor, self.past_sum) = (*counters, *actor, *past_sum);
    }

    // Changes from outside a game, for setups and positions given by hand.

    /// Puts a piece with its initial attributes on `cell`, in place of what is there.
    pub fn put(&mut self, rules: &Rules, cell: CellId, player: PlayerId, kind: PieceKindId) {
        let mut log = UndoLog::new();
        self.put_new(rules, &mut log, cell, rules.occupant(player, kind));
    }

    /// Empties `cell`.
    pub fn clear(&mut self, rules: &Rules, cell: CellId) {
        self.remove(rules, &mut UndoLog::new(), cell);
    }

    /// Gives an attribute of the piece on `cell` a value; nothing happens on an empty cell.
    pub fn put_attribute(&mut self, rules: &Rules, cell: CellId, attribute: AttributeId, value: i32) {
        if self.occupant(cell).is_some() {
            self.set_attribute(rules, &mut UndoLog::new(), cell, attribute, value);
        }
    }

    /// Sets the number of pieces in hand.
    pub fn set_stock(&mut self, rules: &Rules, piece: Occupant, count: u32) {
        self.change_stock(rules, &mut UndoLog::new(), piece, count);
    }

    /// Sets the turn item and ends an open chain.
    ///
    /// # Panics
    /// When there is no such item.
    pub fn set_turn(&mut self, rules: &Rules, turn: usize) {
        assert!(
            turn < rules.model.turn_order.items.len(),
            "invariant: a turn item of the rules"
        );
        self.change_turn(rules, turn as u16, None);
    }

    /// Opens a chain of partial moves.
    pub fn set_chain(&mut self, rules: &Rules, chain: Option<Chain>) {
        self.change_turn(rules, self.turn, chain);
    }

    /// Gives a variable a value.
    pub fn put_variable(&mut self, slot: VariableSlot, value: i32) {
        self.set_variable(&mut UndoLog::new(), slot, value);
    }

    /// Sets how the plies up to now are counted.
    pub fn set_counters(&mut self, rules: &Rules, counters: Counters) {
        self.change_counters(rules, counters);
    }

    /// Forgets what no text of a position tells: the positions before, and the last move and the counts of plies where
    /// the rules cannot ask for them.
    pub fn forget_untold(&mut self, rules: &Rules) {
        let reads = &rules.program.reads;
        let told = |is_read: bool, value: u32| if is_read { value } else { 0 };
        let counters = Counters {
            ply: told(reads.ply, self.counters.ply),
            quiet_plies: told(reads.quiet_plies, self.counters.quiet_plies),
            passes: told(reads.passes, self.counters.passes),
        };
        self.change_counters(rules, counters);
        if !reads.last_move {
            self.change_last_move(rules, CellId::NONE, CellId::NONE);
        }
        self.keys.search ^= key::past_sum_key(std::mem::take(&mut self.past_sum));
        self.past.clear();
    }

    /// Sets the piece whose turn it is.
    pub(crate) fn set_actor(&mut self, actor: CellId) {
        self.actor = actor;
    }

    /// Sets the squares of the previous move.
    pub fn set_last_move(&mut self, rules: &Rules, from: CellId, to: CellId) {
        self.change_last_move(rules, from, to);
    }
}
