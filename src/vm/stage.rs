//! Stages of a move: what has been collected is made on the board, for the rest of the run.

use super::frame::{Frame, Registers};
use super::run::Run;
use crate::model::{CellId, Occupant, PieceKindId};
use crate::program::AddTable;
use crate::state::{Effect, LogMark, State};

/// What ends a stage.
#[derive(Clone, Copy, Debug)]
pub(super) enum StageEnd<'a> {
    /// `then`, or the end of a consequence.
    Then,
    /// An `add`, with the kind that the piece becomes.
    Add {
        add: &'a AddTable,
        kind: Option<PieceKindId>,
        /// Whether no tail of the ply follows.
        is_last: bool,
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
        // Nobody looks at the board after the last stage; whether a movement changes anything is no question.
        let is_last = matches!(end, StageEnd::Add { is_last: true, .. });
        if is_last && (frame.progress.has_changed || effects[0].is_movement()) {
            frame.progress.has_changed = true;
            note(frame, &effects);
        } else {
            make(run, state, frame, &effects);
        }
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

/// Makes the effects of a stage and notes whether they have changed anything.
fn make(run: &Run<'_>, state: &mut State, frame: &mut Frame, effects: &[Effect]) {
    if frame.log.mark() == LogMark::default() {
        frame.base_keys = state.keys();
    }
    let before = state.keys().search;
    let happens = effects.iter().any(|effect| happens(state, effect));
    state.make_stage(run.rules, &mut frame.log, effects);
    frame.progress.has_changed |= happens || before != state.keys().search;
    note(frame, effects);
}

/// Tells whether an effect counts as something that happens, even if all is as before in the end.
pub(super) fn happens(state: &State, effect: &Effect) -> bool {
    match *effect {
        Effect::Create { piece, at } => state.occupant(at) != piece,
        effect => effect.is_movement() || effect == Effect::Again,
    }
}

/// Adds the effects of a stage to those of the move.
fn note(frame: &mut Frame, effects: &[Effect]) {
    if !frame.staged.is_empty() {
        frame.staged.push(Effect::Then);
    }
    // An empty stage parts what the block did from the tail of the ply.
    if frame.progress.in_tail && !std::mem::replace(&mut frame.progress.has_tail, true) {
        frame.staged.push(Effect::Then);
    }
    frame.staged.extend_from_slice(effects);
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
