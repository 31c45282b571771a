//! What stands where, as plainly as it can be written down.

use std::collections::BTreeMap;

use ludex::model::quirk::RandomPieces;
use ludex::model::{AttributeId, CellId, GameModel, MoveTypeId, PieceKindId, PlayerId, TurnItem};

/// One piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    pub player: PlayerId,
    pub kind: PieceKindId,
    /// One value per attribute of the game.
    pub attributes: Vec<i32>,
}

/// The piece that must go on, and the move types it may use; none listed means all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    pub cell: CellId,
    pub move_types: Vec<MoveTypeId>,
}

/// Everything that makes two positions the same for the rules (the squares of the last move do not).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub pieces: BTreeMap<CellId, Piece>,
    /// Pieces in hand; no entry for none.
    pub stock: BTreeMap<(PlayerId, PieceKindId), u32>,
    pub turn: usize,
    pub chain: Option<Chain>,
}

/// The whole situation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Situation {
    pub position: Position,
    pub last_from: Option<CellId>,
    pub last_to: Option<CellId>,
}

impl Situation {
    /// The start of a game.
    pub fn start(model: &GameModel) -> Situation {
        let mut situation = Situation {
            position: Position {
                pieces: BTreeMap::new(),
                stock: BTreeMap::new(),
                turn: 0,
                chain: None,
            },
            last_from: None,
            last_to: None,
        };
        for &(cell, player, kind) in &model.setup.pieces {
            situation.position.pieces.insert(cell, new_piece(model, player, kind));
        }
        for &(player, kind, count) in &model.setup.stock {
            situation.add_stock(player, kind, i64::from(count));
        }
        situation
    }

    pub fn piece(&self, cell: CellId) -> Option<&Piece> {
        self.position.pieces.get(&cell)
    }

    pub fn stock(&self, player: PlayerId, kind: PieceKindId) -> u32 {
        self.position.stock.get(&(player, kind)).copied().unwrap_or(0)
    }

    /// Adds to or takes from the pieces in hand; there are never fewer than none.
    pub fn add_stock(&mut self, player: PlayerId, kind: PieceKindId, change: i64) {
        let count = (i64::from(self.stock(player, kind)) + change).max(0);
        if count == 0 {
            self.position.stock.remove(&(player, kind));
        } else {
            let count = u32::try_from(count).expect("few pieces");
            self.position.stock.insert((player, kind), count);
        }
    }

    pub fn turn_item(&self, model: &GameModel) -> TurnItem {
        model.turn_order.items[self.position.turn]
    }
}

/// A piece as setup, drops and `create` make it.
pub fn new_piece(model: &GameModel, player: PlayerId, kind: PieceKindId) -> Piece {
    let mut attributes = vec![0; model.attributes.len()];
    for &(attribute, value) in &model.kinds[kind.index()].attributes {
        attributes[attribute.index()] = value;
    }
    Piece {
        player,
        kind,
        attributes,
    }
}

/// Tells whether a kind declares an attribute itself.
pub fn declares(model: &GameModel, kind: PieceKindId, attribute: AttributeId) -> bool {
    let declared = &model.kinds[kind.index()].attributes;
    declared.iter().any(|&(other, _)| other == attribute)
}

/// Tells whether one player's pieces are enemies to another: pieces of another player that takes turns.
pub fn is_enemy(model: &GameModel, player: PlayerId, other: PlayerId) -> bool {
    let is_left_alone =
        model.players[other.index()].random && model.options.quirks.random_pieces == RandomPieces::Neutral;
    other != player && model.players[other.index()].takes_turns && !is_left_alone
}
