//! Moves, and what they do to the board.

use std::collections::BTreeSet;

use ludex::model::quirk::{FlipOrder, LastAfterPass, LastMove, PromotedAttributes};
use ludex::model::{AttributeId, CellId, GameModel, MoveTypeId, PieceKindId, PlayerId};

use crate::situation::{Piece, Situation, declares, new_piece};

/// One movement of a move.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Movement {
    Move {
        from: CellId,
        to: CellId,
    },
    Drop {
        player: PlayerId,
        kind: PieceKindId,
        to: CellId,
    },
    Copy {
        player: PlayerId,
        kind: PieceKindId,
        to: CellId,
    },
}

/// One effect that is neither a movement nor a capture.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    Create {
        player: PlayerId,
        kind: PieceKindId,
        at: CellId,
    },
    SetAttribute {
        at: CellId,
        attribute: AttributeId,
        value: i32,
    },
    ChangeOwner {
        at: CellId,
        player: PlayerId,
    },
    Flip {
        at: CellId,
    },
    ChangeType {
        at: CellId,
        kind: PieceKindId,
    },
}

/// A move: two are the same if all this is the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Move {
    pub movements: Vec<Movement>,
    pub effects: Vec<Effect>,
    pub captures: BTreeSet<CellId>,
    /// The promotion made by `add`.
    pub promotion: Option<(CellId, PieceKindId)>,
    /// The move types that may follow a partial move; none listed means all.
    pub continuation: Option<Vec<MoveTypeId>>,
    /// For a partial move where the piece stands that it goes on with.
    pub arrival: Option<CellId>,
    /// What `last-from?` and `last-to?` will see: the squares of the first movement; a drop has no start.
    pub last_from: Option<CellId>,
    pub last_to: Option<CellId>,
}

impl Move {
    /// Tells whether the move takes what stands on a cell, wherever that goes.
    pub fn takes(&self, cell: CellId) -> bool {
        let arrives = |movement: &Movement| match *movement {
            Movement::Move { from, to } => to == cell && from != cell,
            Movement::Drop { to, .. } | Movement::Copy { to, .. } => to == cell,
        };
        self.captures.contains(&cell) || self.movements.iter().any(arrives)
    }
}

/// Makes the effects of a move and returns what it captured. Whose turn it is then is for others to say.
pub fn apply(model: &GameModel, situation: &mut Situation, made: &Move) -> Vec<Piece> {
    let mut captured = Vec::new();
    // All moving pieces are lifted together.
    let mut lifted: Vec<Option<Piece>> = Vec::new();
    for movement in &made.movements {
        lifted.push(match movement {
            Movement::Move { from, .. } => situation.position.pieces.remove(from),
            Movement::Drop { player, kind, .. } | Movement::Copy { player, kind, .. } => {
                Some(new_piece(model, *player, *kind))
            }
        });
    }
    for (movement, piece) in made.movements.iter().zip(lifted) {
        let Some(piece) = piece else { continue };
        let (Movement::Move { to, .. } | Movement::Drop { to, .. } | Movement::Copy { to, .. }) = *movement;
        capture(model, situation, to, &mut captured);
        if let Movement::Drop { player, kind, .. } = *movement {
            situation.add_stock(player, kind, -1);
        }
        situation.position.pieces.insert(to, piece);
    }
    for effect in &made.effects {
        make_effect(model, situation, effect);
    }
    for &cell in &made.captures {
        capture(model, situation, cell, &mut captured);
    }
    if let Some((cell, kind)) = made.promotion {
        promote(model, situation, cell, kind);
    }
    let quirks = &model.options.quirks;
    if *made == Move::default() && quirks.last_after_pass == LastAfterPass::Kept {
        return captured;
    }
    (situation.last_from, situation.last_to) = match made.movements.last() {
        Some(&Movement::Move { from, to }) if quirks.last_move == LastMove::Last => (Some(from), Some(to)),
        _ => (made.last_from, made.last_to),
    };
    captured
}

fn capture(model: &GameModel, situation: &mut Situation, cell: CellId, captured: &mut Vec<Piece>) {
    if let Some(piece) = situation.position.pieces.remove(&cell) {
        recycle(model, situation, &piece);
        captured.push(piece);
    }
}

fn recycle(model: &GameModel, situation: &mut Situation, piece: &Piece) {
    if model.options.recycle_captures {
        situation.add_stock(piece.player, piece.kind, 1);
    }
}

fn make_effect(model: &GameModel, situation: &mut Situation, effect: &Effect) {
    match *effect {
        Effect::Create { player, kind, at } => {
            let replaced = situation.position.pieces.insert(at, new_piece(model, player, kind));
            // Not a capture for goals, but the stock gets it back: games with counters on dummy cells need it.
            if let Some(replaced) = replaced {
                recycle(model, situation, &replaced);
            }
        }
        Effect::SetAttribute { at, attribute, value } => {
            if let Some(piece) = situation.position.pieces.get_mut(&at) {
                piece.attributes[attribute.index()] = value;
            }
        }
        Effect::ChangeOwner { at, player } => {
            if let Some(piece) = situation.position.pieces.get_mut(&at) {
                piece.player = player;
            }
        }
        Effect::Flip { at } => {
            if let Some(piece) = situation.position.pieces.get_mut(&at) {
                piece.player = flipped(model, piece.player);
            }
        }
        Effect::ChangeType { at, kind } => change_type(model, situation, at, kind),
    }
}

/// The next player in the order of the `players` section who takes turns and is not random.
fn flipped(model: &GameModel, player: PlayerId) -> PlayerId {
    let all: Vec<PlayerId> = model.player_ids().collect();
    let after = all[player.index() + 1..].iter().chain(&all[..=player.index()]);
    let plays = |id: &&PlayerId| {
        let player = &model.players[id.index()];
        model.options.quirks.flip_order == FlipOrder::Named || (player.takes_turns && !player.random)
    };
    after.copied().find(|id| plays(&id)).unwrap_or(player)
}

/// All attributes keep their values, but those that only the new type declares.
fn change_type(model: &GameModel, situation: &mut Situation, at: CellId, kind: PieceKindId) {
    let Some(piece) = situation.position.pieces.get_mut(&at) else {
        return;
    };
    match model.options.quirks.promoted_attributes {
        PromotedAttributes::Keep => {}
        PromotedAttributes::Reset => piece.attributes = new_piece(model, piece.player, kind).attributes,
        PromotedAttributes::KeepShared => {
            for &(attribute, value) in &model.kinds[kind.index()].attributes {
                if !declares(model, piece.kind, attribute) {
                    piece.attributes[attribute.index()] = value;
                }
            }
        }
    }
    piece.kind = kind;
}

fn promote(model: &GameModel, situation: &mut Situation, at: CellId, kind: PieceKindId) {
    let Some(old) = situation.piece(at).cloned() else {
        return;
    };
    change_type(model, situation, at, kind);
    if model.options.recycle_promotions && old.kind != kind {
        situation.add_stock(old.player, old.kind, 1);
        situation.add_stock(old.player, kind, -1);
    }
}
