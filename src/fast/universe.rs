//! Sets of occupants as single words.

use crate::model::{Occupant, PieceKindId, PlayerId};
use crate::program::ClassMask;
use crate::rules::Rules;

/// A set of occupants, the empty cell as its lowest bit.
pub(super) type Mask = u64;

/// Only the empty cell.
pub(super) const EMPTY: Mask = 1;

/// Returns the bit of an occupant. Only games whose occupants all fit are specialised.
#[inline(always)]
pub(super) fn bit(occupant: Occupant) -> Mask {
    1u64 << (occupant.index() & 63)
}

/// The occupants of a game, if they fit in a word.
#[derive(Clone, Debug)]
pub(super) struct Universe<'a> {
    rules: &'a Rules,
    /// By player and set of classes.
    classes: Vec<[Mask; 16]>,
    /// By kind.
    kinds: Vec<Mask>,
}

impl<'a> Universe<'a> {
    pub fn new(rules: &'a Rules) -> Option<Universe<'a>> {
        if rules.n_occupants > 64 {
            return None;
        }
        let mut universe = Universe {
            rules,
            classes: vec![[0; 16]; rules.n_players],
            kinds: vec![0; rules.model.kinds.len()],
        };
        for player in rules.model.player_ids() {
            let table = rules.classes(player);
            for classes in 0..16 {
                universe.classes[player.index()][usize::from(classes)] =
                    universe.filter(|occupant| table[occupant.index()].meets(ClassMask(classes)));
            }
        }
        for kind in rules.model.kind_ids() {
            universe.kinds[kind.index()] =
                universe.filter(|occupant| occupant.is_some() && rules.kind(occupant) == kind);
        }
        Some(universe)
    }

    /// Returns all occupants.
    pub fn all(&self) -> Mask {
        match self.rules.n_occupants {
            64 => u64::MAX,
            n => (1 << n) - 1,
        }
    }

    /// Returns those for which `belongs` is true.
    pub fn filter(&self, mut belongs: impl FnMut(Occupant) -> bool) -> Mask {
        (0..self.rules.n_occupants)
            .map(|index| Occupant(index as u16))
            .filter(|&occupant| belongs(occupant))
            .fold(0, |mask, occupant| mask | bit(occupant))
    }

    /// Returns those of the classes, seen from `player`.
    pub fn of_classes(&self, player: PlayerId, classes: ClassMask) -> Mask {
        self.classes[player.index()][usize::from(classes.0 & 15)]
    }

    /// Returns the pieces of a kind, whoever owns them.
    pub fn of_kind(&self, kind: PieceKindId) -> Mask {
        self.kinds[kind.index()]
    }

    /// Returns the pieces of a player.
    pub fn of_player(&self, player: PlayerId) -> Mask {
        self.filter(|occupant| occupant.is_some() && self.rules.owner(occupant) == player)
    }
}
