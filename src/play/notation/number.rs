//! The numbers by which saved games call attributes and move types.

use crate::model::piece::{Block, Instruction, InstructionKind};
use crate::model::{GameModel, MoveTypeId};
use crate::program::Program;

/// Returns the number of each attribute, in `AttributeId` order.
///
/// # Language
/// `docs/language.md`, saved games: from 0, going through the pieces from the last to the first, in each through its
/// attributes from the last to the first.
pub(super) fn attribute_numbers(model: &GameModel) -> Vec<usize> {
    let declared = model
        .kinds
        .iter()
        .rev()
        .flat_map(|kind| kind.attributes.iter().rev())
        .map(|&(id, _)| id.index());
    number_in_order(model.attributes.len(), 0, declared)
}

/// Returns for each continuation of the program the number written after `partial`: that of the first move type it
/// names, 0 if it names none.
pub(super) fn continuation_numbers(model: &GameModel, program: &Program) -> Vec<usize> {
    if program.continuations.is_empty() {
        return Vec::new();
    }
    let numbers = move_type_numbers(model);
    program
        .continuations
        .iter()
        .map(|types| types.first().map_or(0, |first| numbers[first.index()]))
        .collect()
}

/// Returns the number of each move type, in `MoveTypeId` order.
///
/// # Language
/// `docs/language.md`, saved games: from 1; first the priorities in reverse, then the types that the turn order names,
/// then the others by first mention, as `move-type` or in `add-partial`, from the last piece to the first.
fn move_type_numbers(model: &GameModel) -> Vec<usize> {
    let mut order: Vec<MoveTypeId> = model.priorities.iter().rev().copied().collect();
    order.extend(model.turn_order.items.iter().filter_map(|item| item.move_type));
    for kind in model.kinds.iter().rev() {
        for block in kind.moves.iter().chain(&kind.drops) {
            mentioned_in_block(block, &mut order);
        }
    }
    number_in_order(model.move_types.len(), 1, order.into_iter().map(MoveTypeId::index))
}

fn mentioned_in_block(block: &Block, order: &mut Vec<MoveTypeId>) {
    order.extend(block.move_type);
    mentioned_in(&block.instructions, order);
}

/// Appends the move types named by `add-partial`. The depth of nesting is limited where rules are read.
fn mentioned_in(instructions: &[Instruction], order: &mut Vec<MoveTypeId>) {
    for instruction in instructions {
        match &instruction.kind {
            InstructionKind::Add(add) => order.extend(&add.move_types),
            InstructionKind::If(_, then, otherwise) => {
                mentioned_in(then, order);
                mentioned_in(otherwise, order);
            }
            InstructionKind::While(_, body) => mentioned_in(body, order),
            _ => {}
        }
    }
}

/// Numbers `n_ids` ids from `first` on as they are met; those that are never met come last.
fn number_in_order(n_ids: usize, first: usize, met: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut numbers = vec![None; n_ids];
    let mut next = first;
    for index in met.chain(0..n_ids) {
        if numbers[index].is_none() {
            numbers[index] = Some(next);
            next += 1;
        }
    }
    numbers.into_iter().map(|number| number.unwrap_or(first)).collect()
}
