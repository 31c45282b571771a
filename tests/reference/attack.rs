//! Attack tests, done the slow way: all blocks of all pieces of the other side are run.

use ludex::model::quirk::AttackMoves;
use ludex::model::{CellId, GameModel, MoveTypeId, PieceKindId, PlayerId};

use crate::run::{Endless, Runner, run};
use crate::situation::{Situation, is_enemy, new_piece};

/// `attacked?`: an enemy could take a piece of the mover, of the type that runs the block, on the cell.
pub fn is_attacked(runner: Runner<'_>, cell: CellId, move_type: Option<MoveTypeId>) -> Result<bool, Endless> {
    let Runner {
        model,
        situation,
        player,
        kind,
        ..
    } = runner;
    let mut pretended = situation.clone();
    pretended.position.pieces.insert(cell, new_piece(model, player, kind));
    enemy_takes(model, &pretended, player, cell, move_type)
}

/// `defended?`: a friend could take an enemy piece on the cell, whatever stands there now.
pub fn is_defended(runner: Runner<'_>, cell: CellId, move_type: Option<MoveTypeId>) -> Result<bool, Endless> {
    let Runner {
        model,
        situation,
        player,
        kind,
        ..
    } = runner;
    let Some(enemy) = model.player_ids().find(|&other| is_enemy(model, player, other)) else {
        return Ok(false);
    };
    let mut pretended = situation.clone();
    pretended.position.pieces.insert(cell, new_piece(model, enemy, kind));
    takes(model, &pretended, player, cell, move_type)
}

/// Tells whether a piece of one of these types of `player` is attacked.
pub fn is_in_check(
    model: &GameModel,
    situation: &Situation,
    player: PlayerId,
    kinds: &[PieceKindId],
) -> Result<bool, Endless> {
    for (&cell, piece) in &situation.position.pieces {
        let is_royal = piece.player == player && kinds.contains(&piece.kind);
        if is_royal && enemy_takes(model, situation, player, cell, None)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn enemy_takes(
    model: &GameModel,
    situation: &Situation,
    player: PlayerId,
    cell: CellId,
    move_type: Option<MoveTypeId>,
) -> Result<bool, Endless> {
    for enemy in model.player_ids().filter(|&other| is_enemy(model, player, other)) {
        if takes(model, situation, enemy, cell, move_type)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether some piece of `player` could take what stands on `target`.
fn takes(
    model: &GameModel,
    situation: &Situation,
    player: PlayerId,
    target: CellId,
    move_type: Option<MoveTypeId>,
) -> Result<bool, Endless> {
    for (&cell, piece) in &situation.position.pieces {
        if piece.player != player {
            continue;
        }
        let runner = Runner {
            model,
            situation,
            player,
            kind: piece.kind,
            in_attack_test: true,
        };
        for block in &model.kinds[piece.kind.index()].moves {
            let is_open =
                model.turn_order.items.iter().any(|item| {
                    item.acts_as == player && (item.move_type.is_none() || item.move_type == block.move_type)
                });
            let is_left_out = model.options.quirks.attack_moves == AttackMoves::Offered && !is_open;
            if is_left_out || (move_type.is_some() && block.move_type != move_type) {
                continue;
            }
            if run(runner, block, cell, false)?.iter().any(|made| made.takes(target)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
