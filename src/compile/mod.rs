//! From the checked model to bytecode.
//!
//! [`compile`] emits one entry per player, piece kind and move block, with the player's symmetry applied
//! (`moves.rs`, `condition.rs`, `effects.rs`), and resolves the goals for each player (`goal.rs`). It knows the model and the table of
//! operations, and nothing of text or of running states.

mod condition;
mod effects;
mod goal;
mod moves;

use crate::model::GameModel;
use crate::program::{Op, Program};

pub use goal::compile_goals;

/// Compiles every move and drop block of `model` for every player who moves pieces.
pub fn compile(model: &GameModel) -> Program {
    let mut compiler = moves::Compiler::new(model);
    for player in model.player_ids() {
        if model.turn_order.items.iter().any(|item| item.acts_as == player) {
            for kind in model.kind_ids() {
                compiler.emit_kind(player, kind);
            }
        }
    }
    let mut program = compiler.finish();
    for op in &program.ops {
        match op {
            Op::IfLastFrom { .. } | Op::IfLastTo { .. } | Op::GoLastFrom | Op::GoLastTo => {
                program.reads.last_move = true;
            }
            Op::IfAttacked { .. } | Op::IfDefended { .. } => program.reads.attacks = true,
            _ => {}
        }
    }
    program
}
