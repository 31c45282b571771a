//! Players and the order of their turns.

use super::ids::{MoveTypeId, PlayerId};

/// One player of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name, with its `?` for a random player.
    pub name: String,
    /// Whether the player chooses uniformly among its legal moves (a name that begins with `?`).
    pub random: bool,
    /// Whether the turn order names the player, as who decides or as whose pieces move; otherwise it is neutral.
    pub takes_turns: bool,
}

/// One item of the turn order.
///
/// # Language
/// `docs/language.md`: turn-order. `(P Q mt)`: P decides, as if it were Q, and only moves of type mt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnItem {
    /// Who decides.
    pub player: PlayerId,
    /// Whose pieces move, with that player's symmetry, zones and friends.
    pub acts_as: PlayerId,
    /// The only move type allowed, if one is named.
    pub move_type: Option<MoveTypeId>,
}

/// The turn order: items played one after another, then again from the repeat mark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnOrder {
    /// The items in file order; at least one in a checked model.
    pub items: Vec<TurnItem>,
    /// The index of the item that follows the last one.
    pub repeat_from: usize,
}

impl TurnOrder {
    /// Returns the index of the item after item `index`.
    pub fn next(&self, index: usize) -> usize {
        if index + 1 < self.items.len() {
            index + 1
        } else {
            self.repeat_from
        }
    }
}
