//! Zobrist keys: 64-bit hashes of a state, kept incrementally.
//!
//! Three keys are kept. The *repetition key* covers what makes two positions the same for the rules: occupants,
//! attributes, stocks, variables, turn item and open chain. The *board key* covers only what stands on the board. The
//! *search key* covers in addition to the first the squares of the last move, the counts of plies and the positions
//! before, where the rules read them: everything that a generator or goal can read. Constants come from a fixed mixing function, so keys are
//! the same on every machine.

use super::{Chain, Counters, State};
use crate::model::{CellId, Occupant};
use crate::program::Reads;
use crate::rules::Rules;

/// The keys of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Covers what makes two positions the same for the rules.
    pub repetition: u64,
    /// Covers what stands on the board.
    pub board: u64,
    /// Covers everything that a generator or goal can read.
    pub search: u64,
}

/// The finalizer of the SplitMix64 generator (Steele, Lea and Flood 2014): a bijection that spreads all bits.
#[inline(always)]
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the constant for an occupant on a cell; 0 for an empty cell.
#[inline(always)]
pub(super) fn occupant_key(cell: CellId, occupant: Occupant) -> u64 {
    if occupant.is_none() {
        0
    } else {
        mix(1 << 56 | (cell.0 as u64) << 16 | occupant.0 as u64)
    }
}

/// Returns the constant for an attribute slot (`cell * n_attributes + attribute`) with a value; 0 for the value 0.
#[inline(always)]
pub(super) fn attribute_key(slot: usize, value: i32) -> u64 {
    if value == 0 {
        0
    } else {
        mix(mix(2 << 56 | slot as u64) ^ value as u32 as u64)
    }
}

/// Returns the constant for a number of pieces in stock; 0 for none.
#[inline(always)]
pub(super) fn stock_key(occupant: Occupant, count: u32) -> u64 {
    if count == 0 {
        0
    } else {
        mix(3 << 56 | (occupant.0 as u64) << 32 | count as u64)
    }
}

/// Returns the constant for a turn item.
#[inline(always)]
pub(super) fn turn_key(turn: u16) -> u64 {
    mix(4 << 56 | turn as u64)
}

/// Returns the constant for an open chain; 0 for none.
#[inline(always)]
pub(super) fn chain_key(chain: Option<Chain>) -> u64 {
    chain.map_or(0, |chain| {
        mix(5 << 56 | (chain.cell.0 as u64) << 16 | chain.continuation.0 as u64)
    })
}

/// Returns the constant for the squares of the last move.
#[inline(always)]
pub(super) fn last_move_key(from: CellId, to: CellId) -> u64 {
    mix(6 << 56 | (from.0 as u64) << 16 | to.0 as u64)
}

/// Returns the constant for a variable with a value; 0 for the value 0.
#[inline(always)]
pub(super) fn variable_key(slot: usize, value: i32) -> u64 {
    if value == 0 {
        0
    } else {
        mix(mix(7 << 56 | slot as u64) ^ value as u32 as u64)
    }
}

/// Returns the constant for those counts of plies that the rules read.
#[inline]
pub(super) fn counters_key(reads: &Reads, counters: Counters) -> u64 {
    let part = |is_read: bool, number: u64, value: u32| {
        if is_read {
            mix(8 << 56 | number << 32 | u64::from(value))
        } else {
            0
        }
    };
    part(reads.ply, 0, counters.ply)
        ^ part(reads.quiet_plies, 1, counters.quiet_plies)
        ^ part(reads.passes, 2, counters.passes)
}

/// Returns the constant for a position before this one.
#[inline]
pub(super) fn past_key(keys: &Keys) -> u64 {
    mix(mix(9 << 56) ^ keys.repetition)
}

/// Returns the constant for all positions before this one, by the sum of their constants; 0 for none.
#[inline]
pub(super) fn past_sum_key(sum: u64) -> u64 {
    if sum == 0 { 0 } else { mix(sum) }
}

/// Spreads the bits of a number; a bijection.
#[inline(always)]
pub(crate) fn spread(value: u64) -> u64 {
    mix(value)
}

/// The constants that moves change most, ready made.
#[derive(Clone, Debug)]
pub(crate) struct KeyTable {
    n_occupants: usize,
    /// By `cell * n_occupants + occupant`.
    occupants: Vec<u64>,
    /// By turn item.
    turns: Vec<u64>,
    /// By `occupant * COUNTS + count`.
    stocks: Vec<u64>,
}

/// So many different numbers of pieces in hand have their constants in the table.
const COUNTS: usize = 64;

impl KeyTable {
    pub fn new(n_cells: usize, n_occupants: usize, n_turns: usize) -> KeyTable {
        let occupants = || (0..n_occupants).map(|index| Occupant(index as u16));
        let cells = (0..n_cells).map(|index| CellId(index as u16));
        KeyTable {
            n_occupants,
            occupants: cells
                .flat_map(|cell| occupants().map(move |occupant| occupant_key(cell, occupant)))
                .collect(),
            turns: (0..n_turns).map(|turn| turn_key(turn as u16)).collect(),
            stocks: occupants()
                .flat_map(|occupant| (0..COUNTS).map(move |count| stock_key(occupant, count as u32)))
                .collect(),
        }
    }

    /// Returns the constant for an occupant on a cell.
    #[inline(always)]
    pub fn occupant(&self, cell: CellId, occupant: Occupant) -> u64 {
        self.occupants[cell.index() * self.n_occupants + occupant.index()]
    }

    /// Returns the constant for a turn item.
    #[inline(always)]
    pub fn turn(&self, turn: u16) -> u64 {
        self.turns[turn as usize]
    }

    /// Returns the constant for a number of pieces in stock.
    #[inline(always)]
    pub fn stock(&self, occupant: Occupant, count: u32) -> u64 {
        if (count as usize) < COUNTS {
            self.stocks[occupant.index() * COUNTS + count as usize]
        } else {
            stock_key(occupant, count)
        }
    }
}

/// Computes the keys from scratch: the slow truth that the incremental keys must equal.
pub fn recompute(rules: &Rules, state: &State) -> Keys {
    let mut repetition = turn_key(state.turn) ^ chain_key(state.chain);
    for cell in rules.model.board.cell_ids() {
        repetition ^= occupant_key(cell, state.occupant(cell));
    }
    for (slot, &value) in state.attributes.iter().enumerate() {
        repetition ^= attribute_key(slot, value);
    }
    let board = repetition ^ turn_key(state.turn) ^ chain_key(state.chain);
    for (index, &count) in state.stock.iter().enumerate() {
        repetition ^= stock_key(Occupant(index as u16), count);
    }
    for (slot, &value) in state.variables.iter().enumerate() {
        repetition ^= variable_key(slot, value);
    }
    let reads = &rules.program.reads;
    let mut search = repetition ^ counters_key(reads, state.counters);
    if reads.last_move {
        search ^= last_move_key(state.last_from, state.last_to);
    }
    search ^= past_sum_key(state.past.iter().fold(0, |sum, keys| sum.wrapping_add(past_key(keys))));
    Keys {
        repetition,
        board,
        search,
    }
}
