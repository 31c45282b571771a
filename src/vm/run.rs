//! The interpreter loop.

use std::ops::ControlFlow;

use super::attack;
use super::fault::Fault;
use super::frame::{Frame, Registers};
use crate::model::quirk::FromAfterCascade;
use crate::model::{CellId, Occupant, PlayerId};
use crate::program::{AddTable, Address, At, ClassMask, Entry, Op};
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
    pub entry: &'a Entry,
    /// The piece that moves, or the cell where a drop is tried.
    pub start: CellId,
    /// The piece dropped, or nothing for a move.
    pub dropped: Occupant,
}

impl Run<'_> {
    /// Returns on whose behalf the block runs.
    #[inline(always)]
    pub fn player(&self) -> PlayerId {
        self.entry.player
    }
}

/// Runs a block from its start. Returns true if the receiver found what it looked for.
///
/// `nested` is the frame for attack tests within the block; without it such a test is false, so that attack tests do not
/// recurse. The state is changed only during such a test and put back.
pub(super) fn run<R: Receiver>(
    run: &Run<'_>,
    state: &mut State,
    frame: &mut Frame,
    mut nested: Option<&mut Frame>,
    receiver: &mut R,
) -> Result<bool, Fault> {
    let rules = run.rules;
    let player = run.player();
    let classes = rules.classes(player);
    let links = &rules.model.board.links[..];
    let ops = &rules.program.ops[..];
    let n_cells = rules.n_cells;
    let start_from = if run.dropped.is_some() { CellId::NONE } else { run.start };

    frame.begin(run.entry.uses_flags);
    let mut r = Registers {
        current: run.start,
        from: start_from,
        to: CellId::NONE,
        mark: run.start,
        look: CellId::NONE,
    };
    let mut pc = run.entry.address as usize;
    let mut rounds = 0u32;
    let mut has_cascaded = false;
    let keeps_from = rules.model.options.quirks.from_after_cascade == FromAfterCascade::Stays;

    macro_rules! cell {
        ($at:expr) => {
            match $at {
                At::Here => r.current,
                At::Look => r.look,
            }
        };
    }
    macro_rules! jump_if {
        ($ask:expr, $target:expr, |$cell:ident| $test:expr) => {{
            let $cell = cell!($ask.at());
            if $test == $ask.wanted() {
                pc = $target as usize;
            }
        }};
    }
    // Moves the current cell; the run ends if there is none.
    macro_rules! go {
        ($cell:expr) => {{
            let cell = $cell;
            if cell.is_none() {
                return Ok(false);
            }
            r.current = cell;
        }};
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
            Op::End => return Ok(false),
            Op::Step { direction } => go!(links[direction.index() * n_cells + r.current.index()]),
            Op::Goto { cell } => r.current = cell,
            Op::GoFrom => go!(r.from),
            Op::GoTo => {
                if r.to.is_some() {
                    r.current = r.to;
                }
            }
            Op::GoMark => go!(r.mark),
            Op::GoLastFrom => go!(state.last_from()),
            Op::GoLastTo => go!(state.last_to()),
            Op::SetFrom => r.from = r.current,
            Op::SetTo => r.to = r.current,
            Op::SetMark { at } => r.mark = cell!(at),
            Op::LookDirection { direction } => r.look = links[direction.index() * n_cells + r.current.index()],
            Op::LookCell { cell } => r.look = cell,

            Op::Jump { target } => pc = target as usize,
            Op::PassEffects { target } => {
                if R::PASSES_EFFECTS {
                    pc = target as usize;
                }
            }
            Op::Loop { target } => {
                rounds += 1;
                if rounds > Fault::LOOP_LIMIT {
                    return Err(Fault::LoopLimit {
                        address: pc as Address - 1,
                    });
                }
                pc = target as usize;
            }
            Op::IfClass { ask, mask, target } => {
                jump_if!(ask, target, |cell| class_meets(classes, state, cell, mask));
            }
            Op::IfKind { ask, kind, target } => jump_if!(ask, target, |cell| cell.is_some() && {
                let piece = state.occupant(cell);
                piece.is_some() && rules.kind(piece) == kind
            }),
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
                if (run.entry.uses_flags && frame.flag(flag)) == wanted {
                    pc = target as usize;
                }
            }
            Op::IfPositionFlag { ask, flag, target } => {
                jump_if!(ask, target, |cell| run.entry.uses_flags
                    && frame.position_flag(flag, cell));
            }
            Op::IfAttribute { ask, attribute, target } => {
                jump_if!(ask, target, |cell| cell.is_some()
                    && state.attribute(rules, cell, attribute) != 0);
            }
            Op::IfAttacked { ask, by, target } => {
                let cell = cell!(ask.at());
                let attacked = match nested.as_deref_mut() {
                    Some(nested) if cell.is_some() => {
                        let pretended = rules.occupant(player, run.entry.kind);
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
                        let pretended = rules.occupant(enemy, run.entry.kind);
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
                    frame.captures.push(cell);
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
                if r.from != r.destination() {
                    frame.movements.push((r.from, r.destination()));
                }
                r.from = r.current;
                r.to = CellId::NONE;
                has_cascaded = true;
            }
            Op::Add { index } => {
                match receiver.add(run, state, frame, &r, &rules.program.adds[index as usize]) {
                    ControlFlow::Continue(()) => {}
                    ControlFlow::Break(Stop::Found) => return Ok(true),
                    ControlFlow::Break(Stop::MoveLimit) => {
                        return Err(Fault::MoveLimit {
                            address: pc as Address - 1,
                        });
                    }
                }
                if std::mem::take(&mut has_cascaded) && !keeps_from {
                    r.from = start_from;
                }
                r.to = CellId::NONE;
                frame.clear_collected();
            }
        }
    }
}

#[inline(always)]
fn class_meets(classes: &[ClassMask], state: &State, cell: CellId, mask: ClassMask) -> bool {
    cell.is_some() && classes[state.occupant(cell).index()].meets(mask)
}
