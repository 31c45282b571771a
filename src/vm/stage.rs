//! Stages of a move: what has been collected is made on the board, for the rest of the run.

use super::frame::{Frame, Progress, Registers};
use super::run::Run;
use crate::model::{CellId, Occupant, PieceKindId};
use crate::program::AddTable;
use crate::rules::Rules;
use crate::state::key::spread;
use crate::state::{Effect, LogMark, State, UndoLog};

/// What ends a stage.
#[derive(Clone, Copy, Debug)]
pub(super) enum StageEnd<'a> {
    /// `then`, or the end of a consequence.
    Then,
    /// An `add`, with the kind that the piece becomes.
    Add {
        add: &'a AddTable,
        kind: Option<PieceKindId>,
    },
}

/// Ends a stage: what was collected is made. Returns false if that is not possible.
///
/// # Language
/// `docs/language.md`: then. Where nothing was collected nothing happens.
pub(super) fn end(run: &Run<'_>, state: &mut State, frame: &mut Frame, r: &mut Registers, end: StageEnd<'_>) -> bool {
    let rules = run.rules;
    let mut effects = std::mem::take(&mut frame.stage);
    effects.clear();
    let mut promotion = match end {
        StageEnd::Then => None,
        StageEnd::Add { kind, .. } => kind,
    };
    let is_copy = matches!(end, StageEnd::Add { add, .. } if add.copy);
    for &(from, to) in &frame.collected.movements {
        if from.is_some() {
            push_movement(state, &mut effects, from, to);
        } else if frame.progress.is_dropping {
            frame.progress.is_dropping = false;
            effects.push(Effect::Drop { piece: run.dropped, to });
        }
    }
    for &(from, to) in &frame.collected.further {
        push_movement(state, &mut effects, from, to);
    }
    let (from, to) = (r.from, r.destination());
    let n_before = effects.len();
    let mut has_moved = false;
    if from.is_some() {
        if from != to && to.is_some() {
            has_moved = true;
            effects.push(if is_copy {
                let kind = promotion.take().unwrap_or_else(|| moved_kind(run, state, from));
                Effect::Copy {
                    piece: rules.occupant(run.player, kind),
                    to,
                }
            } else {
                Effect::Move { from, to }
            });
        }
        // Nothing moves from where nothing stands.
        if state.occupant(from).is_none() && effects.last() == Some(&Effect::Move { from, to }) {
            effects.pop();
        }
    } else if frame.progress.is_dropping {
        has_moved = true;
        frame.progress.is_dropping = false;
        if let Some((&first, rest)) = run.placement.split_first() {
            // One piece leaves the stock and covers all cells.
            effects.push(Effect::Drop {
                piece: run.dropped,
                to: first,
            });
            effects.extend(rest.iter().map(|&to| Effect::Copy { piece: run.dropped, to }));
        } else if is_copy {
            let kind = promotion.take().unwrap_or(run.kind);
            effects.push(Effect::Copy {
                piece: rules.occupant(run.player, kind),
                to,
            });
        } else {
            effects.push(Effect::Drop { piece: run.dropped, to });
        }
    }
    let arrival = match (has_moved, run.placement.first()) {
        (true, Some(&first)) => first,
        (true, None) => to,
        (false, _) => frame.progress.arrival,
    };
    if frame.progress.first.is_none() && !frame.progress.in_tail {
        // The block's own movement, unless it cascaded before.
        let own = effects.get(n_before).filter(|_| frame.collected.movements.is_empty());
        frame.progress.first = match own.or(effects.first()) {
            Some(&Effect::Move { from, to }) => Some((from, to)),
            Some(&Effect::Drop { to, .. }) => Some((CellId::NONE, to)),
            Some(&Effect::Copy { to, .. }) => Some((from, to)),
            _ => None,
        };
    }
    effects.extend_from_slice(&frame.collected.effects);
    effects.extend(frame.collected.captures.iter().map(|&at| Effect::Capture { at }));
    if let Some(kind) = promotion.filter(|_| arrival.is_some()) {
        if rules.model.options.recycle_promotions && !can_recycle(run, state, from, kind) {
            frame.stage = effects;
            return false;
        }
        effects.push(Effect::Promote { at: arrival, kind });
    }
    if !effects.is_empty() {
        make(run, state, frame, &effects);
        if has_moved {
            r.current = arrival;
            frame.progress.arrival = arrival;
        }
        (r.from, r.to) = (CellId::NONE, CellId::NONE);
        r.has_cascaded = false;
        frame.collected.clear_stage();
    }
    frame.stage = effects;
    true
}

/// Adds a movement, unless nothing stands at its start.
fn push_movement(state: &State, effects: &mut Vec<Effect>, from: CellId, to: CellId) {
    if state.occupant(from).is_some() {
        effects.push(Effect::Move { from, to });
    }
}

/// Makes the effects of a stage and notes what they have changed.
fn make(run: &Run<'_>, state: &mut State, frame: &mut Frame, effects: &[Effect]) {
    if frame.log.mark() == LogMark::default() {
        frame.base_keys = state.keys();
    }
    make_signed(run.rules, state, &mut frame.log, &mut frame.progress, effects);
    if !frame.staged.is_empty() {
        frame.staged.push(Effect::Then);
    }
    // An empty stage parts what the block did from the tail of the ply.
    if frame.progress.in_tail && !std::mem::replace(&mut frame.progress.has_tail, true) {
        frame.staged.push(Effect::Then);
    }
    frame.staged.extend_from_slice(effects);
}

/// Makes the effects of a stage and adds to the signature of the move what they have changed.
pub(super) fn make_signed(
    rules: &Rules,
    state: &mut State,
    log: &mut UndoLog,
    progress: &mut Progress,
    effects: &[Effect],
) {
    let mark = log.mark();
    let before = state.keys().search;
    let mut happened = 0u64;
    for effect in effects {
        let event = match *effect {
            Effect::Move { from, to } => 1 << 60 | u64::from(from.0) << 16 | u64::from(to.0),
            Effect::Drop { piece, to } => 2 << 60 | u64::from(piece.0) << 16 | u64::from(to.0),
            Effect::Copy { piece, to } => 3 << 60 | u64::from(piece.0) << 16 | u64::from(to.0),
            Effect::Create { piece, at } if state.occupant(at) != piece => {
                4 << 60 | u64::from(piece.0) << 16 | u64::from(at.0)
            }
            Effect::Again => 5 << 60,
            _ => continue,
        };
        happened = happened.wrapping_add(spread(event));
    }
    state.make_stage(rules, log, effects);
    for &(cell, piece) in log.captured_since(mark) {
        happened = happened.wrapping_add(spread(6 << 60 | u64::from(piece.0) << 16 | u64::from(cell.0)));
    }
    progress.sign(before ^ state.keys().search, happened);
}

/// Returns the kind of the piece that a movement takes along, the one running the block if none stands there.
pub(super) fn moved_kind(run: &Run<'_>, state: &State, from: CellId) -> PieceKindId {
    let piece = if from.is_some() {
        state.occupant(from)
    } else {
        run.dropped
    };
    if piece.is_some() {
        run.rules.kind(piece)
    } else {
        run.kind
    }
}

/// Tells whether the stock holds the piece that a promotion needs.
///
/// # Language
/// `docs/language.md`: option "recycle promotions".
pub(super) fn can_recycle(run: &Run<'_>, state: &State, from: CellId, kind: PieceKindId) -> bool {
    let piece = if from.is_some() {
        state.occupant(from)
    } else {
        Occupant::NONE
    };
    let (owner, old) = match piece.is_some() {
        true => (run.rules.owner(piece), run.rules.kind(piece)),
        false => (run.player, run.kind),
    };
    kind == old || state.stock(run.rules.occupant(owner, kind)) > 0
}
