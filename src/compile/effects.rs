//! Loops and choices that only change things: an attack test may pass them over.
//!
//! Whether a move takes a piece depends on its movements and captures. Many rule files end their moves with a walk over
//! the whole board that clears marks: it cannot change what is taken, and an attack test, which runs the blocks of all
//! enemies after every candidate move, would spend nearly all its time there. Choices among effects, as by what kind of
//! piece is taken, would be as many ways to take a piece.

use crate::model::expression::{Condition, Place, Pointer, Test};
use crate::model::piece::{Instruction, InstructionKind, Value};

/// Tells whether an instruction is a loop that takes nothing, sets no flag and pointer, cannot end the run, and is
/// followed by an instruction that goes somewhere whatever the current cell.
pub(super) fn is_effect_loop(instruction: &Instruction, next: &Instruction) -> bool {
    let InstructionKind::While(condition, body) = &instruction.kind else {
        return false;
    };
    let goes_elsewhere = matches!(
        next.kind,
        InstructionKind::Go(Pointer::Mark | Pointer::From) | InstructionKind::Step(Place::Cell(_))
    );
    let Some((first, rest)) = body.split_first() else {
        return false;
    };
    goes_elsewhere && is_guarded_step(condition, &first.kind) && rest.iter().all(is_effect)
}

/// Tells whether an instruction is a choice that takes nothing, sets no flag and pointer, and cannot end the run.
pub(super) fn is_effect_choice(instruction: &Instruction) -> bool {
    matches!(instruction.kind, InstructionKind::If(..)) && is_effect(instruction)
}

/// Tells whether the condition of the loop makes sure that its first instruction, a step, stays on the board.
fn is_guarded_step(condition: &Condition, step: &InstructionKind) -> bool {
    let InstructionKind::Step(place) = step else {
        return false;
    };
    match condition {
        Condition::Test(Test::OnBoard, tested) => tested == place,
        Condition::And(parts) => parts.iter().any(|part| is_guarded_step(part, step)),
        _ => false,
    }
}

fn is_effect(instruction: &Instruction) -> bool {
    match &instruction.kind {
        InstructionKind::Flip(_)
        | InstructionKind::ChangeOwner(_)
        | InstructionKind::ChangeType(..)
        | InstructionKind::Create(..)
        | InstructionKind::SetAttribute(..) => true,
        InstructionKind::If(_, then, otherwise) => then.iter().chain(otherwise).all(is_effect),
        InstructionKind::Step(_)
        | InstructionKind::Go(_)
        | InstructionKind::From
        | InstructionKind::To
        | InstructionKind::Mark(_)
        | InstructionKind::Cascade
        | InstructionKind::Add(_)
        | InstructionKind::Capture(_)
        | InstructionKind::SetFlag(..)
        | InstructionKind::SetPositionFlag(..)
        | InstructionKind::Verify(_)
        | InstructionKind::While(..)
        | InstructionKind::LetNumber(..)
        | InstructionKind::LetPlace(..)
        | InstructionKind::Set(..)
        | InstructionKind::IncreaseAttribute(..)
        | InstructionKind::IncreaseVariable(..)
        | InstructionKind::Choose(_)
        | InstructionKind::Pick(_)
        | InstructionKind::PickSome(..)
        | InstructionKind::Repeat(..)
        | InstructionKind::ForEach(..)
        | InstructionKind::Then
        | InstructionKind::MovePiece(..)
        | InstructionKind::Label(_)
        | InstructionKind::Again
        | InstructionKind::Rate(_) => false,
    }
}

/// Tells whether an instruction, or one within it, goes beyond the classic language: whether its block may branch, make
/// stages or collect what classic moves do not have.
pub(super) fn is_beyond_classic(instruction: &Instruction) -> bool {
    match &instruction.kind {
        InstructionKind::Step(_)
        | InstructionKind::Go(_)
        | InstructionKind::From
        | InstructionKind::To
        | InstructionKind::Mark(_)
        | InstructionKind::Cascade
        | InstructionKind::Add(_)
        | InstructionKind::Capture(_)
        | InstructionKind::Flip(_)
        | InstructionKind::ChangeOwner(_)
        | InstructionKind::ChangeType(..)
        | InstructionKind::Create(..)
        | InstructionKind::SetFlag(..)
        | InstructionKind::SetPositionFlag(..)
        | InstructionKind::Verify(_)
        | InstructionKind::SetAttribute(_, Value::Condition(_), _) => false,
        InstructionKind::If(_, then, otherwise) => then.iter().chain(otherwise).any(is_beyond_classic),
        InstructionKind::While(_, body) => body.iter().any(is_beyond_classic),
        InstructionKind::SetAttribute(_, Value::Number(_), _)
        | InstructionKind::LetNumber(..)
        | InstructionKind::LetPlace(..)
        | InstructionKind::Set(..)
        | InstructionKind::IncreaseAttribute(..)
        | InstructionKind::IncreaseVariable(..)
        | InstructionKind::Choose(_)
        | InstructionKind::Pick(_)
        | InstructionKind::PickSome(..)
        | InstructionKind::Repeat(..)
        | InstructionKind::ForEach(..)
        | InstructionKind::Then
        | InstructionKind::MovePiece(..)
        | InstructionKind::Label(_)
        | InstructionKind::Again
        | InstructionKind::Rate(_) => true,
    }
}
