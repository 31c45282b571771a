//! How to hunt down a lonely king: towards where it has little room, and by coming near.
//!
//! Counted only while one side has nothing left but a piece that must not be left attacked. Other terms then hardly
//! change, and a mate can lie beyond what the search sees.

use super::places;
use crate::model::{CellId, Occupant, PlayerId};
use crate::rules::Rules;
use crate::state::State;

/// What it is worth to the hunter that the lonely piece can reach one cell less within three moves, in score points.
const ROOM: i64 = 3;
/// What it is worth that the hunter's own royal piece is a move nearer.
const NEARNESS: i64 = 8;
/// The moves within which room is counted.
const STEPS: u8 = 3;
/// The largest board that is looked at.
const MOST_CELLS: usize = 256;

/// The royal pieces of two sides, and how they walk.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// By side.
    royals: [Royal; 2],
    n_cells: usize,
}

#[derive(Clone, Debug)]
struct Royal {
    player: PlayerId,
    piece: Occupant,
    /// The moves from one cell to another on an empty board, by `from * n_cells + to`; 255 for never.
    distances: Vec<u8>,
    /// By cell, how many others are within a few moves.
    room: Vec<i64>,
}

impl Hunt {
    /// Finds the royal pieces, if each of two sides has one.
    pub fn find(rules: &Rules, sides: &[Vec<PlayerId>]) -> Option<Hunt> {
        let [first, second] = sides else { return None };
        if rules.n_cells > MOST_CELLS {
            return None;
        }
        let royal = |players: &[PlayerId]| {
            let &[player] = players else { return None };
            let &[piece] = rules.royal(player) else { return None };
            Some(Royal::new(rules, player, piece))
        };
        Some(Hunt {
            royals: [royal(first)?, royal(second)?],
            n_cells: rules.n_cells,
        })
    }

    /// Adds to the sum of a side what its hunt is worth, if it is on one.
    pub fn sum(&self, state: &State, sums: &mut [i64]) {
        for (side, prey) in self.royals.iter().enumerate() {
            let mut cells = state.cells_of(prey.player);
            let (Some(cell), None) = (cells.next(), cells.next()) else {
                continue;
            };
            let hunter = &self.royals[1 - side];
            let is_hunter = |cell: &CellId| state.occupant(*cell) == hunter.piece;
            let Some(from) = state.cells_of(hunter.player).find(is_hunter) else {
                continue;
            };
            let distance = i64::from(hunter.distances[from.index() * self.n_cells + cell.index()]);
            sums[1 - side] -= ROOM * prey.room[cell.index()] + NEARNESS * distance;
        }
    }
}

impl Royal {
    fn new(rules: &Rules, player: PlayerId, piece: Occupant) -> Royal {
        let n_cells = rules.n_cells;
        let arcs = places::arcs(rules, piece);
        let mut distances = vec![u8::MAX; n_cells * n_cells];
        for from in 0..n_cells {
            let reached = &mut distances[from * n_cells..][..n_cells];
            reached[from] = 0;
            let mut changes = true;
            while changes {
                changes = false;
                for &(start, end) in &arcs {
                    let through = reached[start.index()].saturating_add(1);
                    if through < reached[end.index()] {
                        reached[end.index()] = through;
                        changes = true;
                    }
                }
            }
        }
        let near = |from: usize| {
            distances[from * n_cells..][..n_cells]
                .iter()
                .filter(|&&steps| steps <= STEPS)
        };
        Royal {
            player,
            piece,
            room: (0..n_cells).map(|from| near(from).count() as i64).collect(),
            distances,
        }
    }
}
