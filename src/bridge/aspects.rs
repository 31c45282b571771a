//! What states of a game can have in common, for the search to learn where the evaluation errs.
//!
//! The aspects are where the pieces of the most numerous kind stand, where the first side's others and the second side's
//! others do, and how many there are of each kind. Where all pieces are of one kind there is nothing to tell apart, and
//! nothing is learnt.

use crate::model::{CellId, GameModel, Occupant};
use crate::rules::Rules;
use crate::search::N_ASPECTS;

/// Of which aspect each piece is.
#[derive(Clone, Debug, Default)]
pub struct Aspects {
    /// By piece; none for one that is on no side. Empty if nothing is told apart.
    of: Vec<Option<u8>>,
}

/// The aspects of a state, each a hash.
pub type Hashes = [u64; N_ASPECTS];

/// The aspect of all numbers of pieces.
const COUNTS: usize = N_ASPECTS - 1;

impl Aspects {
    /// Finds the aspects of the states of a game, given the side of each piece, if it is on one.
    pub fn find(rules: &Rules, side_of: impl Fn(Occupant) -> Option<u8>) -> Aspects {
        let kinds = &rules.model.kinds;
        if kinds.iter().filter(|kind| !kind.dummy).count() < 2 {
            return Aspects::default();
        }
        let many = most_numerous(&rules.model);
        let mut of = vec![None; rules.occupants.len()];
        for piece in rules.occupants.pieces() {
            of[piece.index()] = side_of(piece).map(|side| match rules.kind(piece).index() == many {
                true => 0,
                false => 1 + side.min(1),
            });
        }
        Aspects { of }
    }

    /// Tells whether nothing is told apart.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Lets the aspects follow a cell on which `new` has taken the place of `old`.
    #[inline]
    pub fn follow(&self, rules: &Rules, hashes: &mut Hashes, cell: CellId, (old, new): (Occupant, Occupant)) {
        if self.of.is_empty() {
            return;
        }
        for (piece, is_new) in [(old, false), (new, true)] {
            if let Some(aspect) = self.of[piece.index()] {
                hashes[usize::from(aspect)] ^= rules.keys.occupant(cell, piece);
                let (counts, weight) = (hashes[COUNTS], rules.keys.stock(piece, 1));
                hashes[COUNTS] = match is_new {
                    true => counts.wrapping_add(weight),
                    false => counts.wrapping_sub(weight),
                };
            }
        }
    }
}

/// Returns the kind of which most pieces stand on the board at the start, of several the first.
fn most_numerous(model: &GameModel) -> usize {
    let pieces = || model.setup.pieces.iter();
    let count = |kind: &usize| pieces().filter(|(_, _, other)| other.index() == *kind).count();
    (0..model.kinds.len()).rev().max_by_key(count).unwrap_or(0)
}
