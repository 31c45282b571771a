//! Candidate moves of a player.

use std::ops::ControlFlow;

use super::fault::Fault;
use super::frame::{Frame, Registers};
use super::merge::Merger;
use super::run::{Receiver, Run, Stop, run};
use super::scratch::Scratch;
use crate::fast;
use crate::model::{CellId, Occupant, PieceKindId, PlayerId};
use crate::program::{AddTable, ContinuationId, EntryId};
use crate::rules::{Rules, Tier};
use crate::state::{Effect, MoveEntry, MoveList, State};

/// What is generated.
#[derive(Clone, Copy, Debug)]
pub struct Generation<'a> {
    /// The player on whose behalf the moves are made.
    pub player: PlayerId,
    /// The blocks that are run.
    pub tier: &'a Tier,
    /// The only piece that may move, if a chain goes on; there are no drops then.
    pub only: Option<CellId>,
}

/// Appends the candidates to `list`, equal ones merged: moves of pieces in cell order, then drops.
///
/// # Errors
/// When the rules fault while they run; the list then holds some of the candidates.
pub fn generate(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    generation: Generation<'_>,
    list: &mut MoveList,
) -> Result<(), Fault> {
    let Generation { player, tier, only } = generation;
    let before = (list.moves.len(), list.effects.len());
    if let Some(fast) = rules.fast().filter(|_| scratch.is_fast) {
        let mut work = fast::generate::Work {
            rules,
            fast,
            state,
            frame: &mut scratch.frame,
            attack_frame: &mut scratch.attack_frame,
            merger: &mut scratch.merger,
            queue: &mut scratch.queue,
            list,
        };
        work.generate(player, tier.number, only)?;
        if list.len() <= Fault::MOVE_LIMIT {
            return Ok(());
        }
        // Too many moves: the interpreter tells which operation listed them.
        list.moves.truncate(before.0);
        list.effects.truncate(before.1);
    }
    let Scratch {
        frame,
        attack_frame,
        merger,
        cells,
        ..
    } = scratch;
    merger.begin(list.len());
    let mut receiver = Collecting { list, merger };
    cells.clear();
    match only {
        Some(cell) => cells.push(cell),
        None => cells.extend(state.cells_of(player)),
    }
    for &start in cells.iter() {
        for &entry in tier.moves_of(state.occupant(start)) {
            let entry = &rules.program.entries[entry as usize];
            let moving = Run {
                rules,
                entry,
                start,
                dropped: Occupant::NONE,
            };
            run(&moving, state, frame, Some(attack_frame), &mut receiver)?;
        }
    }
    if only.is_some() {
        return Ok(());
    }
    for &(piece, entry) in tier.drops() {
        if rules.owner(piece) != player || state.stock(piece) == 0 {
            continue;
        }
        let entry = &rules.program.entries[entry as usize];
        let mut try_at = |start: CellId| {
            if entry.only_empty && state.occupant(start).is_some() {
                return Ok(());
            }
            let dropping = Run {
                rules,
                entry,
                start,
                dropped: piece,
            };
            run(&dropping, state, frame, Some(&mut *attack_frame), &mut receiver).map(|_| ())
        };
        match &entry.only_at {
            Some(cells) => cells.iter().try_for_each(|&cell| try_at(cell))?,
            None => rules.model.board.cell_ids().try_for_each(try_at)?,
        }
    }
    Ok(())
}

/// Where the interpreter is to run a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub entry: EntryId,
    /// The piece that moves, or the cell where a drop is tried.
    pub start: CellId,
    /// The piece dropped, or nothing for a move.
    pub dropped: Occupant,
}

/// Appends the candidates of one block from one start.
///
/// # Errors
/// When the rules fault while they run.
pub(crate) fn interpret(
    rules: &Rules,
    state: &mut State,
    frame: &mut Frame,
    attack_frame: &mut Frame,
    merger: &mut Merger,
    list: &mut MoveList,
    spot: Spot,
) -> Result<(), Fault> {
    let moving = Run {
        rules,
        entry: &rules.program.entries[spot.entry as usize],
        start: spot.start,
        dropped: spot.dropped,
    };
    let mut receiver = Collecting { list, merger };
    run(&moving, state, frame, Some(attack_frame), &mut receiver).map(|_| ())
}

/// Puts the moves of a run into a list.
struct Collecting<'a> {
    list: &'a mut MoveList,
    merger: &'a mut Merger,
}

impl Receiver for Collecting<'_> {
    const PASSES_EFFECTS: bool = false;

    fn add(&mut self, run: &Run<'_>, state: &State, frame: &Frame, r: &Registers, add: &AddTable) -> ControlFlow<Stop> {
        if add.kinds.is_empty() {
            self.emit(run, state, frame, r, add, None);
        }
        for &kind in &add.kinds {
            self.emit(run, state, frame, r, add, Some(kind));
        }
        if self.list.len() > Fault::MOVE_LIMIT {
            ControlFlow::Break(Stop::MoveLimit)
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Collecting<'_> {
    /// Appends one move, unless it would change nothing or is known already.
    #[inline]
    fn emit(
        &mut self,
        run: &Run<'_>,
        state: &State,
        frame: &Frame,
        r: &Registers,
        add: &AddTable,
        kind: Option<PieceKindId>,
    ) {
        let start = self.list.effects.len();
        let effects = &mut self.list.effects;
        for &(from, to) in &frame.movements {
            effects.push(if from.is_none() {
                Effect::Drop { piece: run.dropped, to }
            } else {
                Effect::Move { from, to }
            });
        }
        let (from, to) = (r.from, r.destination());
        let mut promotion = kind;
        if from.is_none() && !add.copy {
            effects.push(Effect::Drop { piece: run.dropped, to });
        } else if from != to {
            if add.copy {
                // A copy costs no stock, in a drop neither.
                let kind = promotion.take().unwrap_or_else(|| rules_kind(run, state, from));
                effects.push(Effect::Copy {
                    piece: run.rules.occupant(run.player(), kind),
                    to,
                });
            } else {
                effects.push(Effect::Move { from, to });
            }
        }
        let (first_from, first_to) = match effects.get(start) {
            Some(&Effect::Move { from, to }) => (from, to),
            Some(&Effect::Drop { to, .. }) => (CellId::NONE, to),
            Some(&Effect::Copy { to, .. }) => (from, to),
            _ => (CellId::NONE, CellId::NONE),
        };
        effects.extend_from_slice(&frame.effects);
        effects.extend(frame.captures.iter().map(|&at| Effect::Capture { at }));
        if let Some(kind) = promotion {
            if run.rules.model.options.recycle_promotions && !can_recycle(run, state, from, kind) {
                effects.truncate(start);
                return;
            }
            effects.push(Effect::Promote { at: to, kind });
        }
        if effects.len() == start {
            return;
        }
        self.list.moves.push(MoveEntry {
            start: start as u32,
            len: (self.list.effects.len() - start) as u32,
            from: first_from,
            to: first_to,
            arrival: to,
            continuation: add.continuation.unwrap_or(ContinuationId::NONE),
        });
        if !self.merger.is_new(self.list, self.list.len() - 1) {
            self.list.moves.truncate(self.list.len() - 1);
            self.list.effects.truncate(start);
        }
    }
}

/// Returns the kind of the piece that a movement takes along, the one running the block if none stands there.
fn rules_kind(run: &Run<'_>, state: &State, from: CellId) -> PieceKindId {
    let piece = if from.is_some() {
        state.occupant(from)
    } else {
        run.dropped
    };
    if piece.is_some() {
        run.rules.kind(piece)
    } else {
        run.entry.kind
    }
}

/// Tells whether the stock holds the piece that a promotion needs.
///
/// # Language
/// `docs/language.md`: option "recycle promotions".
fn can_recycle(run: &Run<'_>, state: &State, from: CellId, kind: PieceKindId) -> bool {
    let (owner, old) = match from.is_some().then(|| state.occupant(from)) {
        Some(piece) if piece.is_some() => (run.rules.owner(piece), run.rules.kind(piece)),
        _ => (run.player(), run.entry.kind),
    };
    kind == old || state.stock(run.rules.occupant(owner, kind)) > 0
}
