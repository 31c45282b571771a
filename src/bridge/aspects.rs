//! What states of a game can have in common, for the search to learn where the evaluation errs.
//!
//! Where there are several kinds of pieces, the aspects are where those of the most numerous kind stand, where the first
//! side's others and the second side's others do, and how many there are of each kind. Where all pieces are of one kind,
//! they are what stands on the left and the right half of the board, and on the upper and the lower.

use crate::model::{CellId, GameModel, Occupant};
use crate::rules::Rules;
use crate::search::N_ASPECTS;

/// Of which aspects each piece on each cell is.
#[derive(Clone, Debug, Default)]
pub struct Aspects {
    n_cells: usize,
    /// By piece and cell, a bit for each aspect.
    of: Vec<u8>,
    /// Whether the last aspect is how many there are of each kind.
    counts_kinds: bool,
}

/// The aspects of a state, each a hash.
pub type Hashes = [u64; N_ASPECTS];

/// If there are more pieces times cells than this, none are looked at.
const MOST_PLACES: usize = 1 << 17;

impl Aspects {
    /// Finds the aspects of the states of a game.
    pub fn find(rules: &Rules, owners: &[Option<u8>]) -> Aspects {
        let (n_cells, n_occupants) = (rules.n_cells, rules.occupants.len());
        if n_cells * n_occupants > MOST_PLACES {
            return Aspects::default();
        }
        let many = most_numerous(&rules.model);
        let counts_kinds = rules.model.kinds.iter().filter(|kind| !kind.dummy).count() > 1;
        let middle = middle(&rules.model);
        let mut of = vec![0; n_cells * n_occupants];
        for piece in rules.occupants.pieces() {
            let of_piece = &mut of[piece.index() * n_cells..][..n_cells];
            let Some(side) = owners[piece.index()] else { continue };
            for (cell, bits) in rules.model.board.cell_ids().zip(of_piece) {
                *bits = match counts_kinds {
                    true if rules.kind(piece).index() == many => 1,
                    true if side == 0 => 2,
                    true => 4,
                    false => {
                        let place = rules.model.board.cells[cell.index()].rectangle.unwrap_or_default();
                        let column = if place.left < middle.0 { 1 } else { 2 };
                        let row = if place.top < middle.1 { 4 } else { 8 };
                        column | row
                    }
                };
            }
        }
        Aspects {
            n_cells,
            of,
            counts_kinds,
        }
    }

    /// Lets the aspects follow a cell on which `new` has taken the place of `old`.
    #[inline]
    pub fn follow(&self, hashes: &mut Hashes, cell: CellId, (old, new): (Occupant, Occupant)) {
        if self.of.is_empty() {
            return;
        }
        for (piece, is_new) in [(old, false), (new, true)] {
            let bits = self.of[piece.index() * self.n_cells + cell.index()];
            if bits == 0 {
                continue;
            }
            let hash = spread((piece.index() * self.n_cells + cell.index()) as u64);
            for (number, aspect) in hashes.iter_mut().enumerate() {
                if bits & 1 << number != 0 {
                    *aspect ^= hash;
                }
            }
            if self.counts_kinds {
                let weight = spread(!(piece.index() as u64));
                let counts = &mut hashes[N_ASPECTS - 1];
                *counts = if is_new {
                    counts.wrapping_add(weight)
                } else {
                    counts.wrapping_sub(weight)
                };
            }
        }
    }
}

/// Returns the kind of which most pieces stand on the board at the start.
fn most_numerous(model: &GameModel) -> usize {
    let count = |kind: usize| {
        (model.setup.pieces.iter())
            .filter(|(_, _, other)| other.index() == kind)
            .count()
    };
    // Of several the first.
    (0..model.kinds.len())
        .rev()
        .max_by_key(|&kind| count(kind))
        .unwrap_or(0)
}

/// Returns the middle of the picture of the board.
fn middle(model: &GameModel) -> (i32, i32) {
    let places = || model.board.cells.iter().filter_map(|cell| cell.rectangle);
    let middle = |least: Option<i32>, most: Option<i32>| (least.unwrap_or(0) + most.unwrap_or(0) + 1) / 2;
    (
        middle(
            places().map(|place| place.left).min(),
            places().map(|place| place.left).max(),
        ),
        middle(
            places().map(|place| place.top).min(),
            places().map(|place| place.top).max(),
        ),
    )
}

/// Spreads the bits of a number (a multiplication by the golden ratio, and a shift).
#[inline]
fn spread(number: u64) -> u64 {
    let product = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ product >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
