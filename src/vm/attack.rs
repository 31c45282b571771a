//! Whether a piece could be taken.
//!
//! A cell is attacked if some generated move of an enemy takes what stands there: a movement that starts elsewhere ends
//! there, or the cell is captured. Move types, priorities and the enemy's own check do not matter. Only blocks that
//! could reach the cell at all are run; see [`crate::program::reach`].

use std::ops::ControlFlow;

use super::fault::Fault;
use super::frame::{Frame, Registers};
use super::run::{Receiver, Run, Stop, run};
use super::scratch::Scratch;
use crate::cellset::CellsOfWord;
use crate::model::{CellId, MoveTypeId, Occupant, PlayerId};
use crate::program::{AddTable, EntryId};
use crate::rules::Rules;
use crate::state::{Effect, State};

/// Tells whether one of the enemies of `player` could take what stands on `cell`.
///
/// # Errors
/// When the rules fault while they run.
pub fn is_attacked(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    cell: CellId,
    player: PlayerId,
) -> Result<bool, Fault> {
    let piece = state.occupant(cell);
    if scratch.is_fast
        && rules.owner(piece) == player
        && let Some(answer) = rules.fast().and_then(|fast| fast.is_attacked(state, piece, cell))
    {
        return Ok(answer);
    }
    is_taken_by(
        rules,
        state,
        &mut scratch.attack_frame,
        cell,
        rules.enemies(player),
        None,
    )
}

/// Tells whether a royal piece of `player` is attacked.
///
/// # Errors
/// When the rules fault while they run.
pub fn in_check(rules: &Rules, state: &mut State, scratch: &mut Scratch, player: PlayerId) -> Result<bool, Fault> {
    for &piece in rules.royal(player) {
        if is_piece_attacked(rules, state, scratch, player, piece)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether one of the royal pieces of this sort, which `player` owns, is attacked.
///
/// # Errors
/// When the rules fault while they run.
pub fn is_piece_attacked(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    player: PlayerId,
    piece: Occupant,
) -> Result<bool, Fault> {
    let Some(slot) = rules.tracked_slot(piece).filter(|_| state.count(piece) > 0) else {
        return Ok(false);
    };
    scratch.cells.clear();
    scratch.cells.extend(state.tracked_cells(slot));
    for index in 0..scratch.cells.len() {
        let cell = scratch.cells[index];
        if is_attacked(rules, state, scratch, cell, player)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Tells whether a piece put on `cell` in place of what is there would be taken by one of `players`.
pub(crate) fn would_be_taken(
    rules: &Rules,
    state: &mut State,
    frame: &mut Frame,
    cell: CellId,
    pretended: Occupant,
    players: &[PlayerId],
    by: Option<MoveTypeId>,
) -> Result<bool, Fault> {
    let mut kept = std::mem::take(&mut frame.kept_attributes);
    let old = state.pretend(rules, cell, pretended, &mut kept);
    let taken = is_taken_by(rules, state, frame, cell, players, by);
    state.end_pretence(rules, cell, old, &kept);
    frame.kept_attributes = kept;
    taken
}

fn is_taken_by(
    rules: &Rules,
    state: &mut State,
    frame: &mut Frame,
    cell: CellId,
    players: &[PlayerId],
    by: Option<MoveTypeId>,
) -> Result<bool, Fault> {
    let reach = rules.reach();
    for &player in players {
        for attacker in reach.attackers(player, cell) {
            if state.occupant(attacker.from) == attacker.piece
                && takes(rules, state, frame, attacker.entry, attacker.from, cell, by)?
            {
                return Ok(true);
            }
        }
        let anywhere = reach.anywhere(player);
        if anywhere.is_empty() {
            continue;
        }
        // The board is as before after each run, so the words may be read one by one in between.
        for index in 0..state.n_words() {
            for from in CellsOfWord::new(index, state.player_word(player, index)) {
                let piece = state.occupant(from);
                let start = anywhere.partition_point(|&(other, _)| other < piece);
                for &(_, entry) in anywhere[start..].iter().take_while(|&&(other, _)| other == piece) {
                    if takes(rules, state, frame, entry, from, cell, by)? {
                        return Ok(true);
                    }
                }
            }
        }
    }
    Ok(false)
}

/// Runs one block of the piece on `from` to see whether one of its moves takes `target`.
fn takes(
    rules: &Rules,
    state: &mut State,
    frame: &mut Frame,
    entry: EntryId,
    from: CellId,
    target: CellId,
    by: Option<MoveTypeId>,
) -> Result<bool, Fault> {
    let entry = &rules.program.entries[entry as usize];
    if from == target || (by.is_some() && entry.move_type != by) {
        return Ok(false);
    }
    let attack = Run::of_block(rules, entry, from, Occupant::NONE);
    run(&attack, state, frame, None, &mut Taking { target })
}

/// Looks for a move that takes the target.
struct Taking {
    target: CellId,
}

impl Receiver for Taking {
    const PASSES_EFFECTS: bool = true;

    fn add(&mut self, _: &Run<'_>, _: &State, frame: &Frame, r: &Registers, _: &AddTable) -> ControlFlow<Stop> {
        let arrives = |from: CellId, to: CellId| to == self.target && from != self.target;
        let takes_in_stage = |effect: &Effect| match *effect {
            Effect::Move { from, to } => arrives(from, to),
            Effect::Capture { at } => at == self.target,
            _ => false,
        };
        let takes = (r.from.is_some() && arrives(r.from, r.destination()))
            || frame.collected.captures.contains(&self.target)
            || frame.collected.movements.iter().any(|&(from, to)| arrives(from, to))
            || frame.collected.further.iter().any(|&(from, to)| arrives(from, to))
            || frame.staged.iter().any(takes_in_stage);
        if takes {
            ControlFlow::Break(Stop::Found)
        } else {
            ControlFlow::Continue(())
        }
    }
}
