//! From the checked model to bytecode.
//!
//! [`compile`] emits one entry per player, piece kind and move block, with the player's symmetry applied
//! (`moves.rs`, `condition.rs`, `effects.rs`; `number.rs` and `set.rs` beyond the classic language), resolves the goals for
//! each player (`goal.rs`), and emits code for everything else that runs (`routine.rs`). It knows the model and the table of
//! operations, and nothing of text or of running states.

mod condition;
mod effects;
mod goal;
mod moves;
mod number;
mod routine;
mod set;
mod tables;

pub(crate) use moves::NO_KIND;

use crate::model::{GameModel, Occupants};
use crate::program::goal::GoalProgram;
use crate::program::{Counter, Op, Program, Reads};

/// Compiles every move, drop and action block of `model` for every player who moves, its goals, and everything else that
/// runs.
pub fn compile(model: &GameModel, occupants: &Occupants) -> (Program, Vec<GoalProgram>) {
    let mut compiler = moves::Compiler::new(model, occupants);
    for player in model.player_ids() {
        if model.turn_order.items.iter().any(|item| item.acts_as == player) {
            for kind in model.kind_ids() {
                compiler.emit_kind(player, kind);
            }
            compiler.emit_actions(player);
        }
    }
    let goals = compiler.compile_goals();
    let routines = compiler.emit_routines();
    let mut program = compiler.finish();
    program.routines = routines;
    program.has_stages = program.entries.iter().any(|entry| entry.is_extended)
        || program.routines.after_move.iter().any(Option::is_some);
    program.reads = reads(&program.ops);
    (program, goals)
}

/// Finds out what code reads.
fn reads(ops: &[Op]) -> Reads {
    use crate::model::expression::Pointer;
    let mut reads = Reads::default();
    for op in ops {
        match op {
            Op::IfLastFrom { .. } | Op::IfLastTo { .. } | Op::GoLastFrom | Op::GoLastTo => reads.last_move = true,
            Op::LookPointer {
                pointer: Pointer::LastFrom | Pointer::LastTo,
            } => reads.last_move = true,
            Op::IfAttacked { .. } | Op::IfDefended { .. } => reads.attacks = true,
            Op::PushCounter { counter } => match counter {
                Counter::Ply => reads.ply = true,
                Counter::QuietPlies => reads.quiet_plies = true,
                Counter::Passes => reads.passes = true,
                Counter::Repetitions | Counter::BoardRepetitions => reads.repetitions = true,
            },
            _ => {}
        }
    }
    reads
}
