//! Whose the empty cells are: what room each side has, where its moves are too many to be counted.
//!
//! An empty cell belongs to the side whose pieces can be there first, going from cell to cell over empty ones. Counted only
//! where whoever cannot move loses, or wins.

use std::collections::VecDeque;

use crate::model::{CellId, PlayerId};
use crate::rules::Rules;
use crate::state::State;

/// What an empty cell is worth to whom it belongs, in score points.
const CELL: i64 = 20;
/// What an empty cell next to a piece is worth to the owner of the piece besides.
const NEXT: i64 = 4;

/// How to find the room of the two sides.
#[derive(Clone, Debug)]
pub struct Room {
    /// The players of each side.
    sides: [Vec<PlayerId>; 2],
    /// Whether a piece can move, by occupant.
    moves: Vec<bool>,
    /// For each side 1, or -1 where it wants to be without moves.
    signs: [i64; 2],
}

/// Memory for finding it.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// By cell, who can be there first and in how many steps.
    claims: Vec<Claim>,
    queue: VecDeque<CellId>,
}

#[derive(Clone, Copy, Debug)]
struct Claim {
    steps: u16,
    owner: Owner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Nobody,
    Side(u8),
    Both,
}

const UNCLAIMED: Claim = Claim {
    steps: u16::MAX,
    owner: Owner::Nobody,
};

impl Room {
    /// Prepares to find the room of two sides.
    pub fn new(rules: &Rules, sides: &[Vec<PlayerId>], signs: &[i32]) -> Option<Room> {
        let ([first, second], &[one, other]) = (sides, signs) else {
            return None;
        };
        let mut moves = vec![false; rules.occupants.len()];
        for piece in rules.occupants.pieces() {
            moves[piece.index()] = !rules.model.kinds[rules.kind(piece).index()].moves.is_empty();
        }
        Some(Room {
            sides: [first.clone(), second.clone()],
            moves,
            signs: [i64::from(one), i64::from(other)],
        })
    }

    /// Adds to the sum of each side what its room is worth.
    pub fn sum(&self, rules: &Rules, state: &State, survey: &mut Survey, sums: &mut [i64]) {
        let Survey { claims, queue } = survey;
        claims.clear();
        claims.resize(rules.n_cells, UNCLAIMED);
        queue.clear();
        for (side, players) in self.sides.iter().enumerate() {
            for cell in players.iter().flat_map(|&player| state.cells_of(player)) {
                if self.moves[state.occupant(cell).index()] {
                    let owner = Owner::Side(side as u8);
                    claims[cell.index()] = Claim { steps: 0, owner };
                    queue.push_back(cell);
                    let next = rules.neighbors(cell).iter();
                    let n_free = next.filter(|&&cell| state.occupant(cell).is_none()).count();
                    sums[side] += self.signs[side] * NEXT * n_free as i64;
                }
            }
        }
        while let Some(cell) = queue.pop_front() {
            let Claim { steps, owner } = claims[cell.index()];
            if let (Owner::Side(side), true) = (owner, steps > 0) {
                sums[usize::from(side)] += self.signs[usize::from(side)] * CELL;
            }
            for &next in rules.neighbors(cell) {
                let claim = &mut claims[next.index()];
                if claim.owner == Owner::Nobody && state.occupant(next).is_none() {
                    *claim = Claim {
                        steps: steps + 1,
                        owner,
                    };
                    queue.push_back(next);
                } else if claim.steps == steps + 1 && claim.owner != owner {
                    claim.owner = Owner::Both;
                }
            }
        }
    }
}
