//! Candidate moves of a player.

use std::ops::ControlFlow;

use super::fault::Fault;
use super::frame::{Collected, Frame, Progress, Registers};
use super::merge::{Merger, merge_changes};
use super::run::{Receiver, Run, Stop, run, run_choices};
use super::scratch::Scratch;
use super::shape;
use super::stage::{can_recycle, moved_kind};
use crate::fast;
use crate::model::{CellId, Occupant, PieceKindId, PlayerId};
use crate::program::{AddTable, ContinuationId, EntryId};
use crate::rules::{Rules, Tier};
use crate::state::{Effect, MoveEntry, MoveList, State, UndoLog};

/// What is generated.
#[derive(Clone, Copy, Debug)]
pub struct Generation<'a> {
    /// The player on whose behalf the moves are made.
    pub player: PlayerId,
    /// The blocks that are run.
    pub tier: &'a Tier,
    /// The only piece that may move, if a chain goes on or turns belong to pieces; there is nothing else to do then.
    pub only: Option<CellId>,
    /// The number of moves that is enough: no more blocks are run then.
    pub limit: usize,
}

/// Appends the candidates to `list`, equal ones merged: moves of pieces in cell order, then drops, then moves of no
/// piece.
///
/// # Errors
/// When the rules fault while they run; the list then holds some of the candidates.
#[inline]
pub fn generate(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    generation: Generation<'_>,
    list: &mut MoveList,
) -> Result<(), Fault> {
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
            n_interpreted: 0,
            limit: generation.limit,
        };
        work.generate(generation.player, generation.tier, generation.only)?;
        if list.len() <= Fault::MOVE_LIMIT {
            return Ok(());
        }
        // Too many moves: the interpreter tells which operation listed them.
        list.moves.truncate(before.0);
        list.effects.truncate(before.1);
    }
    generate_by_interpreter(rules, state, scratch, generation, list)
}

/// Does so without specialised code; kept out of the short way of those who have it.
#[inline(never)]
fn generate_by_interpreter(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    generation: Generation<'_>,
    list: &mut MoveList,
) -> Result<(), Fault> {
    let Generation {
        player,
        tier,
        only,
        limit,
    } = generation;
    let Scratch {
        frame,
        attack_frame,
        merger,
        cells,
        fitting,
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
            let moving = Run::of_block(rules, entry, start, Occupant::NONE);
            run(&moving, state, frame, Some(attack_frame), &mut receiver)?;
        }
        if receiver.is_enough(rules, state, &mut frame.log, limit) {
            return Ok(());
        }
    }
    if only.is_some() {
        receiver.merge(rules, state, &mut frame.log);
        return Ok(());
    }
    for &(piece, entry) in tier.drops() {
        if rules.owner(piece) != player || state.stock(piece) == 0 {
            continue;
        }
        let entry = &rules.program.entries[entry as usize];
        if rules.model.kinds[entry.kind.index()].shape.is_some() {
            shape::find_fitting(rules, state, frame, entry, fitting)?;
            for &number in fitting.numbers() {
                if receiver.is_enough(rules, state, &mut frame.log, limit) {
                    return Ok(());
                }
                let placement = &rules.placements(entry.kind).all[number];
                let laying = Run {
                    placement,
                    ..Run::of_block(rules, entry, placement[0], piece)
                };
                run(&laying, state, frame, Some(&mut *attack_frame), &mut receiver)?;
            }
            continue;
        }
        let mut try_at = |start: CellId| {
            if entry.only_empty && state.occupant(start).is_some()
                || receiver.is_enough(rules, state, &mut frame.log, limit)
            {
                return Ok(());
            }
            let dropping = Run::of_block(rules, entry, start, piece);
            run(&dropping, state, frame, Some(&mut *attack_frame), &mut receiver).map(|_| ())
        };
        match &entry.only_at {
            Some(cells) => cells.iter().try_for_each(|&cell| try_at(cell))?,
            None => rules.model.board.cell_ids().try_for_each(try_at)?,
        }
    }
    for entry in tier.actions_of(player) {
        if receiver.is_enough(rules, state, &mut frame.log, limit) {
            break;
        }
        let entry = &rules.program.entries[entry as usize];
        let acting = Run::of_block(rules, entry, CellId::NONE, Occupant::NONE);
        run(&acting, state, frame, Some(&mut *attack_frame), &mut receiver)?;
    }
    receiver.merge(rules, state, &mut frame.log);
    Ok(())
}

/// Appends what passing can be to `list`: with a tail of plies it can be several moves, or none.
///
/// # Errors
/// When the rules fault while they run.
pub fn generate_pass(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    player: PlayerId,
    list: &mut MoveList,
) -> Result<(), Fault> {
    let Some(tail) = rules.program.routines.after_move.get(player.index()).copied().flatten() else {
        list.push_pass();
        return Ok(());
    };
    let Scratch {
        frame,
        attack_frame,
        merger,
        ..
    } = scratch;
    merger.begin(list.len());
    let mut receiver = Collecting { list, merger };
    let passing = Run::of_routine(rules, player, tail, CellId::NONE);
    frame.begin(true);
    frame.begin_extended(Progress {
        in_tail: true,
        continuation: ContinuationId::PASS,
        ..Progress::default()
    });
    let registers = Registers::at(CellId::NONE, CellId::NONE);
    let nested = Some(attack_frame);
    run_choices(&passing, state, frame, nested, &mut receiver, registers, tail as usize)?;
    receiver.merge(rules, state, &mut frame.log);
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
    let entry = &rules.program.entries[spot.entry as usize];
    let moving = Run::of_block(rules, entry, spot.start, spot.dropped);
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
        self.check_limit()
    }

    fn complete(&mut self, run: &Run<'_>, frame: &Frame) -> ControlFlow<Stop> {
        let Progress {
            first,
            arrival,
            continuation,
            has_changed,
            ..
        } = frame.progress;
        let Collected { labels, rating, .. } = &frame.collected;
        if !has_changed && labels.is_empty() && continuation != ContinuationId::PASS {
            return ControlFlow::Continue(());
        }
        let effects = &mut self.list.effects;
        let start = effects.len();
        effects.extend_from_slice(&frame.staged);
        effects.extend(labels.iter().map(|&label| Effect::Label(label)));
        effects.extend(rating.iter().map(|&value| Effect::Rate { value }));
        let nowhere = if run.is_move { run.start } else { CellId::NONE };
        let (from, to) = first.unwrap_or((nowhere, nowhere));
        self.list.moves.push(MoveEntry {
            start: start as u32,
            len: (self.list.effects.len() - start) as u32,
            from,
            to,
            arrival,
            continuation,
        });
        self.check_limit()
    }
}

impl Collecting<'_> {
    /// Tells whether there are so many moves that no more blocks need to be run.
    fn is_enough(&mut self, rules: &Rules, state: &mut State, log: &mut UndoLog, limit: usize) -> bool {
        if self.list.len() >= limit {
            self.merge(rules, state, log);
        }
        self.list.len() >= limit
    }

    /// Merges equal moves of blocks beyond the classic language.
    fn merge(&mut self, rules: &Rules, state: &mut State, log: &mut UndoLog) {
        if rules.program.has_stages {
            merge_changes(rules, state, log, self.merger, self.list);
        }
    }

    fn check_limit(&self) -> ControlFlow<Stop> {
        if self.list.len() > Fault::MOVE_LIMIT {
            ControlFlow::Break(Stop::MoveLimit)
        } else {
            ControlFlow::Continue(())
        }
    }

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
        for &(from, to) in &frame.collected.movements {
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
                let kind = promotion.take().unwrap_or_else(|| moved_kind(run, state, from));
                effects.push(Effect::Copy {
                    piece: run.rules.occupant(run.player, kind),
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
        effects.extend_from_slice(&frame.collected.effects);
        effects.extend(frame.collected.captures.iter().map(|&at| Effect::Capture { at }));
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
