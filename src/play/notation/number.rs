//! The numbers by which saved games call attributes and move types.

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
    order.extend(model.kinds.iter().rev().flat_map(|kind| &kind.mentioned_types));
    number_in_order(model.move_types.len(), 1, order.into_iter().map(MoveTypeId::index))
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
