//! What can stand on a cell, as one small number.

use super::ids::{PieceKindId, PlayerId};

/// What stands on a cell: nothing, or a piece of some kind and owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Occupant(pub(crate) u16);

impl Occupant {
    /// Nothing.
    pub const NONE: Occupant = Occupant(0);

    /// Tells whether nothing is there.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Tells whether a piece is there.
    #[inline(always)]
    pub fn is_some(self) -> bool {
        self.0 != 0
    }

    /// Returns the index in tables by occupant; 0 is nothing.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The numbering of pieces by owner and kind.
#[derive(Clone, Debug)]
pub struct Occupants {
    n_kinds: usize,
    owners: Vec<PlayerId>,
    kinds: Vec<PieceKindId>,
}

impl Occupants {
    /// Numbers the pieces of a game, from 1; 0 is nothing.
    pub fn new(n_players: usize, n_kinds: usize) -> Occupants {
        let mut owners = vec![PlayerId(0)];
        let mut kinds = vec![PieceKindId(0)];
        for player in (0..n_players).filter_map(PlayerId::new) {
            for kind in (0..n_kinds).filter_map(PieceKindId::new) {
                owners.push(player);
                kinds.push(kind);
            }
        }
        Occupants { n_kinds, owners, kinds }
    }

    /// Returns the length of tables by occupant.
    #[allow(clippy::len_without_is_empty)] // nothing is always one of the occupants
    pub fn len(&self) -> usize {
        self.owners.len()
    }

    /// Returns the piece of a kind of a player.
    #[inline(always)]
    pub fn of(&self, player: PlayerId, kind: PieceKindId) -> Occupant {
        Occupant((1 + player.index() * self.n_kinds + kind.index()) as u16)
    }

    /// Returns the owner of a piece; any player for nothing.
    #[inline(always)]
    pub fn owner(&self, piece: Occupant) -> PlayerId {
        self.owners[piece.index()]
    }

    /// Returns the kind of a piece; any kind for nothing.
    #[inline(always)]
    pub fn kind(&self, piece: Occupant) -> PieceKindId {
        self.kinds[piece.index()]
    }

    /// Returns all pieces in order.
    pub fn pieces(&self) -> impl Iterator<Item = Occupant> + use<> {
        (1..self.owners.len()).map(|index| Occupant(index as u16))
    }
}
