//! The interpreter loop.

use std::ops::ControlFlow;

use super::attack;
use super::extended::{self, Flow};
use super::fault::Fault;
use super::frame::{Frame, Progress, Registers};
use super::walk;
use crate::compile::NO_KIND;
use crate::model::quirk::FromAfterCascade;
use crate::model::{CellId, Occupant, PieceKindId, PlayerId};
use crate::program::{AddTable, Address, At, ClassMask, Entry, Op, Role};
use crate::rules::Rules;
use crate::state::{Effect, State};

/// What is done with each `add` of a run.
pub(super) trait Receiver {
    /// Whether only what a move takes matters, so that effects which take nothing may be passed over.
    const PASSES_EFFECTS: bool;

    /// Takes what the run has collected; breaking ends the run.
    fn add(
        &mut self,
        run: &Run<'_>,
        state: &State,
        frame: &Frame,
        registers: &Registers,
        add: &AddTable,
    ) -> ControlFlow<Stop>;

    /// Takes a move whose stages have all been made; breaking ends the run.
    fn complete(&mut self, _run: &Run<'_>, _frame: &Frame) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

/// A receiver for code that makes no moves.
pub(super) struct NoMoves;

impl Receiver for NoMoves {
    const PASSES_EFFECTS: bool = false;

    fn add(&mut self, _: &Run<'_>, _: &State, _: &Frame, _: &Registers, _: &AddTable) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

/// Why a receiver ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It has found what it looked for.
    Found,
    /// Too many moves.
    MoveLimit,
}

/// What stays the same during one run.
pub(super) struct Run<'a> {
    pub rules: &'a Rules,
    /// On whose behalf the block runs.
    pub player: PlayerId,
    /// The kind that runs it.
    pub kind: PieceKindId,
    pub address: Address,
    pub uses_flags: bool,
    pub is_extended: bool,
    /// Whether a piece moves.
    pub is_move: bool,
    /// The piece that moves, or the cell where a drop is tried.
    pub start: CellId,
    /// The piece dropped, or nothing for a move.
    pub dropped: Occupant,
    /// The cells that the dropped piece covers, if it is a shape.
    pub placement: &'a [CellId],
}

impl<'a> Run<'a> {
    /// Returns the run of a block by the piece on `start`, or of the drop of `dropped` there.
    #[inline]
    pub fn of_block(rules: &'a Rules, entry: &'a Entry, start: CellId, dropped: Occupant) -> Run<'a> {
        Run {
            rules,
            player: entry.player,
            kind: entry.kind,
            address: entry.address,
            uses_flags: entry.uses_flags || entry.is_extended,
            is_extended: entry.is_extended,
            is_move: entry.role == Role::Move,
            start,
            dropped,
            placement: &[],
        }
    }

    /// Returns the run of code that no piece runs.
    pub fn of_routine(rules: &'a Rules, player: PlayerId, address: Address, start: CellId) -> Run<'a> {
        Run {
            rules,
            player,
            kind: NO_KIND,
            address,
            uses_flags: true,
            is_extended: true,
            is_move: false,
            start,
            dropped: Occupant::NONE,
            placement: &[],
        }
    }

    /// Returns the piece that stands in on `cell` for an attack test of `owner`: one of the kind that runs the block,
    /// or what stands there.
    fn pretended(&self, state: &State, owner: PlayerId, cell: CellId) -> Occupant {
        if self.kind == NO_KIND {
            state.occupant(cell)
        } else {
            self.rules.occupant(owner, self.kind)
        }
    }
}

/// How a stretch of code came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The run is over.
    Over,
    /// The receiver has found what it looked for.
    Found,
    /// The code has returned a number.
    Returned,
}

/// Runs a block from its start. Returns true if the receiver found what it looked for.
///
/// `nested` is the frame for attack tests within the block; without it such a test is false, so that attack tests do not
/// recurse. The state is changed only during such a test and put back.
pub(super) fn run<R: Receiver>(
    run: &Run<'_>,
    state: &mut State,
    frame: &mut Frame,
    nested: Option<&mut Frame>,
    receiver: &mut R,
) -> Result<bool, Fault> {
    let start_from = if run.is_move { run.start } else { CellId::NONE };
    let mut registers = Registers::at(run.start, start_from);
    frame.begin(run.uses_flags);
    let address = run.address as usize;
    if !run.is_extended {
        return Ok(interpret(run, state, frame, nested, receiver, &mut registers, address)? == Ended::Found);
    }
    let is_dropping = run.dropped.is_some();
    frame.begin_extended(Progress {
        arrival: if is_dropping { CellId::NONE } else { run.start },
        is_dropping,
        ..Progress::default()
    });
    run_choices(run, state, frame, nested, receiver, registers, address)
}

/// Runs code to its end and on from every choice.
pub(super) fn run_choices<R: Receiver>(
    run: &Run<'_>,
    state: &mut State,
    frame: &mut Frame,
    mut nested: Option<&mut Frame>,
    receiver: &mut R,
    mut registers: Registers,
    mut address: usize,
) -> Result<bool, Fault> {
    loop {
        match interpret(
            run,
            state,
            frame,
            nested.as_deref_mut(),
            receiver,
            &mut registers,
            address,
        ) {
            Ok(Ended::Over | Ended::Returned) => {}
            Ok(Ended::Found) => {
                frame.abandon(run.rules, state);
                return Ok(true);
            }
            Err(fault) => {
                frame.abandon(run.rules, state);
                return Err(fault);
            }
        }
        if frame.rounds > Fault::LOOP_LIMIT {
            frame.abandon(run.rules, state);
            return Err(Fault::LoopLimit { address: run.address });
        }
        match frame.resume(run.rules, state) {
            Some((next, remembered)) => (address, registers) = (next, remembered),
            None => return Ok(false),
        }
    }
}

/// Runs code from `address` until it ends.
pub(super) fn interpret<R: Receiver>(
    run: &Run<'_>,
    state: &mut State,
    frame: &mut Frame,
    mut nested: Option<&mut Frame>,
    receiver: &mut R,
    registers: &mut Registers,
    address: usize,
) -> Result<Ended, Fault> {
    let rules = run.rules;
    let player = run.player;
    let classes = rules.classes(player);
    let links = &rules.model.board.links[..];
    let ops = &rules.program.joined.ops[..];
    let kind_sets = &rules.program.joined.kind_sets[..];
    let n_cells = rules.n_cells;
    let mut r = *registers;
    // Those that nearly every operation reads stay out of memory.
    let Registers {
        mut current, mut look, ..
    } = r;
    let mut pc = address;
    let keeps_from = rules.model.options.quirks.from_after_cascade == FromAfterCascade::Stays;

    macro_rules! cell {
        ($at:expr) => {
            match $at {
                At::Here => current,
                At::Look => look,
            }
        };
    }
    macro_rules! jump_if {
        ($ask:expr, $target:expr, |$cell:ident| $test:expr) => {{
            let $cell = cell!($ask.at());
            let holds = $test;
            if holds == $ask.wanted() {
                pc = $target as usize;
            }
        }};
    }
    macro_rules! destination {
        () => {
            if r.to.is_some() { r.to } else { current }
        };
    }
    // Moves the current cell; the run ends if there is none.
    macro_rules! go {
        ($cell:expr) => {{
            let cell = $cell;
            if cell.is_none() {
                return Ok(Ended::Over);
            }
            current = cell;
        }};
    }
    macro_rules! count_round {
        ($loop:expr) => {
            frame.rounds += 1;
            if frame.rounds > Fault::LOOP_LIMIT {
                return Err(Fault::LoopLimit {
                    address: $loop as Address,
                });
            }
        };
    }
    // The tests of joined operations; what is joined stands behind them.
    macro_rules! ask_class {
        ($cell:expr, $question:expr, $target:expr) => {
            if class_meets(classes, state, $cell, $question.mask()) == $question.wanted() {
                pc = $target as usize;
            } else {
                pc += 1;
            }
        };
    }
    macro_rules! ask_kind {
        ($cell:expr) => {
            if let Op::IfKind { ask, kind, target } = ops[pc] {
                let cell = $cell;
                if (kind_at(rules, state, cell) == Some(kind)) == ask.wanted() {
                    pc = target as usize;
                } else {
                    pc += 1;
                }
            }
        };
    }
    // Effects on no cell are skipped.
    macro_rules! effect {
        ($at:expr, |$cell:ident| $effect:expr) => {{
            let $cell = cell!($at);
            if $cell.is_some() {
                frame.push_effect($effect);
            }
        }};
    }

    loop {
        let op = ops[pc];
        pc += 1;
        match op {
            Op::End => return Ok(Ended::Over),
            Op::Step { direction } => go!(links[direction.index() * n_cells + current.index()]),
            Op::Goto { cell } => current = cell,
            Op::GoFrom => go!(r.from),
            Op::GoTo => {
                if r.to.is_some() {
                    current = r.to;
                }
            }
            Op::GoMark => go!(r.mark),
            Op::GoLastFrom => go!(state.last_from()),
            Op::GoLastTo => go!(state.last_to()),
            Op::SetFrom => r.from = current,
            Op::SetTo => r.to = current,
            Op::SetMark { at } => r.mark = cell!(at),
            Op::LookDirection { direction } => look = links[direction.index() * n_cells + current.index()],
            Op::LookCell { cell } => look = cell,

            Op::Jump { target } => pc = target as usize,
            Op::PassEffects { target } => {
                if R::PASSES_EFFECTS {
                    pc = target as usize;
                }
            }
            Op::Loop { target } => {
                count_round!(pc - 1);
                pc = target as usize;
            }
            Op::IfClass { ask, mask, target } => {
                jump_if!(ask, target, |cell| class_meets(classes, state, cell, mask));
            }
            Op::IfKind { ask, kind, target } => {
                jump_if!(ask, target, |cell| kind_at(rules, state, cell) == Some(kind));
            }
            Op::IfOnBoard { ask, target } => jump_if!(ask, target, |cell| cell.is_some()),
            Op::IfZone { ask, zone, target } => jump_if!(ask, target, |cell| rules.in_zone(zone, player, cell)),
            Op::IfCell {
                ask,
                cell: wanted,
                target,
            } => jump_if!(ask, target, |cell| cell.is_some() && cell == wanted),
            Op::IfMarked { ask, target } => jump_if!(ask, target, |cell| cell.is_some() && cell == r.mark),
            Op::IfLastFrom { ask, target } => {
                jump_if!(ask, target, |cell| cell.is_some() && cell == state.last_from());
            }
            Op::IfLastTo { ask, target } => jump_if!(ask, target, |cell| cell.is_some() && cell == state.last_to()),
            Op::IfFlag { wanted, flag, target } => {
                if (run.uses_flags && frame.flag(flag)) == wanted {
                    pc = target as usize;
                }
            }
            Op::IfPositionFlag { ask, flag, target } => {
                jump_if!(ask, target, |cell| run.uses_flags && frame.position_flag(flag, cell));
            }
            Op::IfAttribute { ask, attribute, target } => {
                jump_if!(ask, target, |cell| cell.is_some()
                    && state.attribute(rules, cell, attribute) != 0);
            }
            Op::IfAttacked { ask, by, target } => {
                let cell = cell!(ask.at());
                let attacked = match nested.as_deref_mut() {
                    Some(nested) if cell.is_some() => {
                        let pretended = run.pretended(state, player, cell);
                        attack::would_be_taken(rules, state, nested, cell, pretended, rules.enemies(player), by.get())?
                    }
                    _ => false,
                };
                if attacked == ask.wanted() {
                    pc = target as usize;
                }
            }
            Op::IfDefended { ask, by, target } => {
                let cell = cell!(ask.at());
                let defended = match (nested.as_deref_mut(), rules.enemies(player).first()) {
                    (Some(nested), Some(&enemy)) if cell.is_some() => {
                        let pretended = run.pretended(state, enemy, cell);
                        attack::would_be_taken(rules, state, nested, cell, pretended, &[player], by.get())?
                    }
                    _ => false,
                };
                if defended == ask.wanted() {
                    pc = target as usize;
                }
            }
            Op::IfAdjacentToEnemy { ask, target } => jump_if!(ask, target, |cell| cell.is_some()
                && rules
                    .neighbors(cell)
                    .iter()
                    .any(|&next| class_meets(classes, state, next, ClassMask::ENEMY))),
            Op::IfGoalPosition { ask, target } => jump_if!(ask, target, |cell| rules.is_goal_cell(cell)),

            Op::Capture { at } => {
                let cell = cell!(at);
                if cell.is_some() {
                    frame.collected.captures.push(cell);
                }
            }
            Op::Flip { at } => effect!(at, |at| Effect::Flip { at }),
            Op::ChangeOwner { at } => effect!(at, |at| Effect::ChangeOwner { at, player }),
            Op::ChangeKind { at, kind } => effect!(at, |at| Effect::ChangeKind { at, kind }),
            Op::Create { at, player, kind } => {
                effect!(at, |at| Effect::Create {
                    piece: rules.occupant(player, kind),
                    at
                });
            }
            Op::SetAttribute { at, attribute, value } => {
                effect!(at, |at| Effect::SetAttribute {
                    at,
                    attribute,
                    value: i32::from(value)
                });
            }
            Op::SetFlag { value, flag } => frame.set_flag(flag, value),
            Op::SetPositionFlag { at, value, flag } => {
                let cell = cell!(at);
                frame.set_position_flag(flag, cell, value);
            }
            Op::Cascade => {
                if r.from != destination!() {
                    frame.collected.movements.push((r.from, destination!()));
                }
                r.from = current;
                r.to = CellId::NONE;
                r.has_cascaded = true;
            }
            Op::Add { index } => {
                (r.current, r.look) = (current, look);
                match receiver.add(run, state, frame, &r, &rules.program.adds[index.index()]) {
                    ControlFlow::Continue(()) => {}
                    ControlFlow::Break(Stop::Found) => return Ok(Ended::Found),
                    ControlFlow::Break(Stop::MoveLimit) => {
                        return Err(Fault::MoveLimit {
                            address: pc as Address - 1,
                        });
                    }
                }
                if std::mem::take(&mut r.has_cascaded) && !keeps_from {
                    r.from = if run.is_move { run.start } else { CellId::NONE };
                }
                r.to = CellId::NONE;
                frame.collected.clear_stage();
            }
            Op::LookIfOnBoard {
                direction,
                wanted,
                target,
            } => {
                if links[direction.index() * n_cells + current.index()].is_some() == wanted {
                    pc = target as usize;
                } else {
                    pc += 1;
                }
            }
            Op::LookIfClass {
                question,
                direction,
                target,
            } => {
                let cell = links[direction.index() * n_cells + current.index()];
                ask_class!(cell, question, target);
            }
            Op::LookCellIfClass { question, cell, target } => ask_class!(cell, question, target),
            Op::StepIfClass {
                question,
                direction,
                target,
            } => {
                go!(links[direction.index() * n_cells + current.index()]);
                ask_class!(current, question, target);
            }
            Op::LookIfKind { direction } => {
                let cell = links[direction.index() * n_cells + current.index()];
                ask_kind!(cell);
            }
            Op::StepIfKind { direction } => {
                go!(links[direction.index() * n_cells + current.index()]);
                ask_kind!(current);
            }
            Op::StepLoop { direction, target } => {
                go!(links[direction.index() * n_cells + current.index()]);
                count_round!(pc);
                pc = target as usize;
            }
            Op::IfKinds { ask, set, target } => {
                let cell = cell!(ask.at());
                let set = &kind_sets[usize::from(set)];
                if set.has(kind_at(rules, state, cell)) == ask.wanted() {
                    pc = target as usize;
                } else {
                    pc += set.n_joined - 1;
                }
            }
            Op::Walk { walk } => {
                let walk = &rules.program.joined.walks[usize::from(walk)];
                let (cell, next) = walk::walk(run, state, frame, walk, current)?;
                match next {
                    Some(next) => (current, pc) = (cell, next as usize),
                    None => return Ok(Ended::Over),
                }
            }
            op => {
                (r.current, r.look) = (current, look);
                match extended::execute(op, pc - 1, run, state, frame, receiver, &mut r)? {
                    Flow::On => {}
                    Flow::Jump(target) => pc = target as usize,
                    Flow::Over => return Ok(Ended::Over),
                    Flow::Found => return Ok(Ended::Found),
                    Flow::Return => {
                        *registers = r;
                        return Ok(Ended::Returned);
                    }
                }
                (current, look) = (r.current, r.look);
            }
        }
    }
}

/// Returns the kind of the piece on a cell, if there is one.
#[inline(always)]
pub(super) fn kind_at(rules: &Rules, state: &State, cell: CellId) -> Option<PieceKindId> {
    let piece = if cell.is_some() {
        state.occupant(cell)
    } else {
        Occupant::NONE
    };
    piece.is_some().then(|| rules.kind(piece))
}

#[inline(always)]
pub(super) fn class_meets(classes: &[ClassMask], state: &State, cell: CellId, mask: ClassMask) -> bool {
    cell.is_some() && classes[state.occupant(cell).index()].meets(mask)
}
