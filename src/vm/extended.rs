//! The operations beyond the classic language.
//!
//! They are kept out of the interpreter's loop, which classic games live in, so that it stays small.

use std::ops::ControlFlow;

use super::fault::Fault;
use super::frame::{Frame, Registers};
use super::mobility;
use super::run::{Ended, NoMoves, Receiver, Run, Stop, class_meets, interpret};
use super::stage::{self, StageEnd};
use crate::cellset::{self, Cells, CellsOfWord};
use crate::model::expression::{Arithmetic, Comparison, Pointer};
use crate::model::{CellId, UNLIMITED};
use crate::program::op::ShapeQuestion;
use crate::program::{Address, At, Counter, Op, PieceListId, TestId};
use crate::rules::Rules;
use crate::state::{Effect, Label, State};

/// Where a run goes after an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// To the next operation.
    On,
    /// To an address.
    Jump(Address),
    /// Nowhere: it is over.
    Over,
    /// Nowhere: the receiver has found what it looked for.
    Found,
    /// Nowhere: the code has returned a number.
    Return,
}

/// A cell as a number: 0 for none.
#[inline(always)]
pub(super) fn cell_number(cell: CellId) -> i32 {
    if cell.is_some() { i32::from(cell.0) + 1 } else { 0 }
}

/// Returns the cell of a number on the stack: 0 is no cell.
#[inline(always)]
pub fn numbered_cell(number: i32) -> CellId {
    match u16::try_from(number) {
        Ok(number) if number > 0 => CellId(number - 1),
        _ => CellId::NONE,
    }
}

/// Carries out one operation beyond the classic language.
#[inline(never)]
#[allow(clippy::too_many_arguments)] // the whole state of the machine
pub(super) fn execute<R: Receiver>(
    op: Op,
    address: usize,
    run: &Run<'_>,
    state: &mut State,
    frame: &mut Frame,
    receiver: &mut R,
    r: &mut Registers,
) -> Result<Flow, Fault> {
    let rules = run.rules;
    let cell = |r: &Registers, at: At| match at {
        At::Here => r.current,
        At::Look => r.look,
    };
    let jump_if = |holds: bool, target: Address| if holds { Flow::Jump(target) } else { Flow::On };
    match op {
        Op::Push { value } => frame.values.push(value),
        Op::PushCell { at } => frame.values.push(cell_number(cell(r, at))),
        Op::PushLet { slot } => frame.values.push(frame.lets[slot.index()]),
        Op::PushAttribute { at, attribute } => {
            let at = cell(r, at);
            let value = if at.is_some() {
                state.attribute(rules, at, attribute)
            } else {
                0
            };
            frame.values.push(value);
        }
        Op::PushConstant { at, constant } => {
            let at = cell(r, at);
            let value = if at.is_some() {
                rules.constant(constant, state.occupant(at))
            } else {
                0
            };
            frame.values.push(value);
        }
        Op::PushVariable { slot } => frame.values.push(state.variable(slot)),
        Op::PushOwner { at } => {
            let at = cell(r, at);
            let piece = if at.is_some() {
                state.occupant(at)
            } else {
                crate::model::Occupant::NONE
            };
            frame.values.push(if piece.is_some() {
                rules.owner(piece).index() as i32 + 1
            } else {
                0
            });
        }
        Op::PushCoordinate { at, axis } => frame.values.push(rules.coordinate(cell(r, at), axis.into())),
        Op::PushDistance { table } => {
            let to = numbered_cell(frame.pop());
            let from = numbered_cell(frame.pop());
            frame.values.push(rules.distance(table, from, to));
        }
        Op::PushInHand { pieces } => frame.values.push(in_hand(rules, state, pieces)),
        Op::PushOnBoard { pieces } => {
            let list = &rules.program.piece_lists[pieces.index()];
            let count: u32 = list.pieces.iter().map(|&piece| state.count(piece)).sum();
            frame.values.push(count as i32);
        }
        Op::PushMobility { player, limit } => {
            let count = mobility::count_within(rules, state, frame, player, limit.into())?;
            frame.values.push(count as i32);
        }
        Op::PushCounter { counter } => {
            let counters = state.counters();
            let value = match counter {
                Counter::Ply => counters.ply as usize,
                Counter::QuietPlies => counters.quiet_plies as usize,
                Counter::Passes => counters.passes as usize,
                Counter::Repetitions => state.repetitions(false),
                Counter::BoardRepetitions => state.repetitions(true),
            };
            frame.values.push(i32::try_from(value).unwrap_or(i32::MAX));
        }
        Op::PushSize { list } => frame.values.push(frame.lists[list.index()].cells.len() as i32),
        Op::Calculate { operation } => {
            let b = frame.pop();
            let a = frame.pop();
            let Some(result) = calculate(operation, a, b) else {
                return Err(Fault::DivisionByZero {
                    address: address as Address,
                });
            };
            frame.values.push(result);
        }
        Op::Negate => with_top(frame, i32::saturating_neg),
        Op::Absolute => with_top(frame, i32::saturating_abs),
        Op::Sign => with_top(frame, i32::signum),
        Op::Increment => with_top(frame, |value| value.saturating_add(1)),
        Op::ZeroIfEmpty { list } => {
            let is_empty = frame.lists[list.index()].cells.is_empty();
            with_top(frame, |value| if is_empty { 0 } else { value });
        }

        Op::IfCompare {
            comparison,
            wanted,
            target,
        } => {
            let b = frame.pop();
            let a = frame.pop();
            return Ok(jump_if(comparison.holds(a, b) == wanted, target));
        }
        Op::IfCompareCells {
            comparison,
            wanted,
            target,
        } => {
            let b = frame.pop();
            let a = frame.pop();
            let holds = match (a, b) {
                (0, _) | (_, 0) => comparison == Comparison::Different,
                _ => comparison.holds(a, b),
            };
            return Ok(jump_if(holds == wanted, target));
        }
        Op::IfOwner { ask, player, target } => {
            let at = cell(r, ask.at());
            let holds = at.is_some() && {
                let piece = state.occupant(at);
                piece.is_some() && rules.owner(piece) == player
            };
            return Ok(jump_if(holds == ask.wanted(), target));
        }
        Op::IfAutomatic { wanted, target } => return Ok(jump_if(frame.is_automatic == wanted, target)),
        Op::IfSomeNeighbor {
            question,
            table,
            target,
        } => {
            let classes = rules.classes(run.player);
            let mut neighbors = rules.program.neighborhoods[table.index()].of(r.current).iter();
            let holds = neighbors.any(|&next| class_meets(classes, state, next, question.mask()));
            return Ok(jump_if(holds == question.wanted(), target));
        }
        Op::IfShape { question, test, target } => {
            know(rules, state, frame, test)?;
            let words = frame.memo.get(state.keys().search, test).unwrap_or_default();
            return Ok(jump_if(answer(question, run.placement, words), target));
        }
        Op::PushShape { test } => {
            know(rules, state, frame, test)?;
            let words = frame.memo.get(state.keys().search, test).unwrap_or_default();
            let count = (run.placement.iter())
                .filter(|&&cell| cellset::contains(words, cell))
                .count();
            frame.values.push(count as i32);
        }

        Op::LookPointer { pointer } => {
            r.look = match pointer {
                Pointer::From => r.from,
                Pointer::To => r.to,
                Pointer::Mark => r.mark,
                Pointer::LastFrom => state.last_from(),
                Pointer::LastTo => state.last_to(),
            };
        }
        Op::LookLet { slot } => r.look = numbered_cell(frame.lets[slot.index()]),
        Op::LookGrid { dimensions } => r.look = grid_cell(rules, frame, dimensions.into()),
        Op::LookFirst { list } => {
            r.look = frame.lists[list.index()].cells.first().copied().unwrap_or(CellId::NONE);
        }
        Op::LookStep { direction } => {
            let board = &rules.model.board;
            r.look = match r.current.is_some() {
                true => board.step(r.current, direction).unwrap_or(CellId::NONE),
                false => CellId::NONE,
            };
        }
        Op::GoLook => {
            if r.look.is_none() {
                return Ok(Flow::Over);
            }
            r.current = r.look;
        }
        Op::GoArrival => r.current = frame.progress.arrival,
        Op::StepOr { direction, target } => {
            let next = r
                .current
                .is_some()
                .then(|| rules.model.board.step(r.current, direction));
            match next.flatten() {
                Some(next) => r.current = next,
                None => return Ok(Flow::Jump(target)),
            }
        }

        Op::Clear { list } => frame.lists[list.index()].clear(),
        Op::ListBoard { list } => frame.lists[list.index()].fill(rules.model.board.cell_ids()),
        Op::ListZone { list, zone } => {
            let cells = rules.model.board.zones[zone.index()].of(run.player);
            frame.lists[list.index()].fill(cells.iter().copied());
        }
        Op::ListPieces { list, pieces } => list_pieces(rules, state, &mut frame.lists[list.index()].cells, pieces),
        Op::ListNeighbors { list, at, table } => {
            let neighbors = rules.program.neighborhoods[table.index()].of(cell(r, at));
            frame.lists[list.index()].fill(neighbors.iter().copied());
        }
        Op::ListRay {
            list,
            at,
            direction,
            mask,
        } => {
            let classes = rules.classes(run.player);
            let links = rules.model.board.links_along(direction);
            let list = &mut frame.lists[list.index()];
            let mut next = cell(r, at);
            while next.is_some() {
                next = links[next.index()];
                if !class_meets(classes, state, next, mask) || !list.add(next) {
                    break;
                }
            }
        }
        Op::ListGroup { list, table, mask } => {
            let classes = rules.classes(run.player);
            let neighborhood = &rules.program.neighborhoods[table.index()];
            let list = &mut frame.lists[list.index()];
            let mut next = 0;
            while let Some(&member) = list.cells.get(next) {
                next += 1;
                for &neighbor in neighborhood.of(member) {
                    if class_meets(classes, state, neighbor, mask) {
                        list.add(neighbor);
                    }
                }
            }
        }
        Op::ListShape { list } => frame.lists[list.index()].fill(run.placement.iter().copied()),
        Op::ListCell { list, at } => {
            let at = cell(r, at);
            if at.is_some() {
                frame.lists[list.index()].add(at);
            }
        }
        Op::ListNew { list, target } => {
            let is_new = r.current.is_some() && frame.lists[list.index()].add(r.current);
            return Ok(jump_if(!is_new, target));
        }
        Op::Begin { list } => {
            let list = &mut frame.lists[list.index()];
            (list.next, list.origin) = (0, r.current);
        }
        Op::Next { list, target } => {
            let list = &mut frame.lists[list.index()];
            match list.cells.get(list.next) {
                Some(&next) => {
                    list.next += 1;
                    r.current = next;
                }
                None => {
                    r.current = list.origin;
                    return Ok(Flow::Jump(target));
                }
            }
        }
        Op::NextOf { list, mask, target } => {
            let classes = rules.classes(run.player);
            let list = &mut frame.lists[list.index()];
            let rest = list.cells.get(list.next..).unwrap_or_default();
            match rest.iter().position(|&next| class_meets(classes, state, next, mask)) {
                Some(offset) => {
                    r.current = rest[offset];
                    list.next += offset + 1;
                }
                None => {
                    r.current = list.origin;
                    return Ok(Flow::Jump(target));
                }
            }
        }
        Op::Resume { list } => r.current = frame.lists[list.index()].origin,
        Op::Best { list, numbers } => {
            let start = frame.values.len().saturating_sub(numbers.into());
            frame.lists[list.index()].keep_best(r.current, &frame.values[start..]);
            frame.values.truncate(start);
        }

        Op::SetLet { slot } => frame.lets[slot.index()] = frame.pop(),
        Op::SetAttributeTo { at, attribute } => {
            let (at, value) = (cell(r, at), frame.pop());
            if at.is_some() {
                frame.push_effect(Effect::SetAttribute { at, attribute, value });
            }
        }
        Op::IncreaseAttribute { at, attribute } => {
            let (at, by) = (cell(r, at), frame.pop());
            if at.is_some() {
                frame.push_effect(Effect::IncreaseAttribute { at, attribute, by });
            }
        }
        Op::SetVariable { slot } => {
            let value = frame.pop();
            frame.push_effect(Effect::SetVariable { slot, value });
        }
        Op::IncreaseVariable { slot } => {
            let by = frame.pop();
            frame.push_effect(Effect::IncreaseVariable { slot, by });
        }
        Op::MovePiece { at } => {
            let (from, to) = (numbered_cell(frame.pop()), cell(r, at));
            if from.is_some() && to.is_some() && from != to {
                frame.collected.further.push((from, to));
            }
        }
        Op::LabelText { text } => frame.collected.labels.push(Label::Text(text)),
        Op::LabelNumber => {
            let number = frame.pop();
            frame.collected.labels.push(Label::Number(number));
        }
        Op::LabelCell { at } => {
            let at = cell(r, at);
            if at.is_some() {
                frame.collected.labels.push(Label::Cell(at));
            }
        }
        Op::LabelKind { kind } => frame.collected.labels.push(Label::Kind(kind)),
        Op::Again => frame.push_effect(Effect::Again),
        Op::Rate { numbers } => {
            let start = frame.values.len().saturating_sub(numbers.into());
            frame.collected.rating.clear();
            frame.collected.rating.extend(frame.values.drain(start..));
        }

        Op::Then => {
            stage::end(run, state, frame, r, StageEnd::Then);
        }
        Op::Choose { lists, target } => {
            frame.choose(state, r, target as usize, lists.into());
        }
        Op::PickNext { list } => {
            let Some(&first) = frame.lists[list.index()].cells.first() else {
                return Ok(Flow::Over);
            };
            if frame.lists[list.index()].cells.len() > 1 {
                frame.choose_each(state, r, address + 1, list.index());
            }
            r.current = first;
        }
        Op::Subsets { list } => {
            let high = frame.pop();
            let low = frame.pop();
            if !frame.lists[list.index()].begin_subsets(low, high) {
                return Ok(Flow::Over);
            }
        }
        Op::NextSubset { list } => {
            let (before, from_list) = frame.lists.split_at_mut(list.index());
            if let (Some(chosen), Some(list)) = (before.last_mut(), from_list.first_mut())
                && list.next_subset(&mut chosen.cells)
            {
                let n_lists = before.len() + 1;
                frame.choose(state, r, address, n_lists);
            }
        }
        Op::BeginRepeat { slot } => {
            let high = frame.pop();
            let low = frame.pop().max(0);
            if high < low {
                return Ok(Flow::Over);
            }
            let index = slot.index();
            frame.lets[index..index + 3].copy_from_slice(&[0, low, high]);
        }
        Op::NextRepeat { slot, lists, target } => {
            let index = slot.index();
            let (count, low, high) = (frame.lets[index], frame.lets[index + 1], frame.lets[index + 2]);
            if count >= high {
                return Ok(Flow::Jump(target));
            }
            frame.lets[index] = count + 1;
            if count >= low {
                frame.choose(state, r, address + 1, lists.into());
                return Ok(Flow::Jump(target));
            }
        }
        Op::Complete { index, lists } => {
            return complete(index.index(), address, lists.into(), run, state, frame, receiver, r);
        }
        Op::Fresh => {
            frame.lets.fill(0);
            frame.lower_flags();
            r.mark = CellId::NONE;
        }
        Op::Finish => {
            stage::end(run, state, frame, r, StageEnd::Then);
            return Ok(match receiver.complete(run, frame) {
                ControlFlow::Continue(()) => Flow::Over,
                ControlFlow::Break(Stop::Found) => Flow::Found,
                ControlFlow::Break(Stop::MoveLimit) => return Err(move_limit(address)),
            });
        }
        Op::Return => return Ok(Flow::Return),
        // The classic operations are carried out by the loop.
        _ => {}
    }
    Ok(Flow::On)
}

/// Finishes a move, or the part of it before the tail of the ply.
///
/// # Language
/// `docs/language.md`: add, then, after-move.
#[allow(clippy::too_many_arguments)] // the whole state of the machine
fn complete<R: Receiver>(
    index: usize,
    address: usize,
    lists: usize,
    run: &Run<'_>,
    state: &mut State,
    frame: &mut Frame,
    receiver: &mut R,
    r: &mut Registers,
) -> Result<Flow, Fault> {
    let rules = run.rules;
    if frame.progress.in_tail {
        return Ok(Flow::Over);
    }
    let add = &rules.program.adds[index];
    let kind = add.kinds.get(frame.progress.next_kind).copied();
    if frame.progress.next_kind + 1 < add.kinds.len() {
        frame.choose(state, r, address, lists).next_kind += 1;
    } else if frame.staged.is_empty() && rules.program.ops[address + 1] != Op::End {
        // An `add` after a `then` ends the run; another one goes on as in classic moves.
        let mut after = *r;
        if std::mem::take(&mut after.has_cascaded) {
            after.from = if run.is_move { run.start } else { CellId::NONE };
        }
        after.to = CellId::NONE;
        frame.choose_after_add(state, &after, address + 1, lists);
    }
    if R::PASSES_EFFECTS {
        // Only what the move takes is asked.
        return Ok(match receiver.add(run, state, frame, r, add) {
            ControlFlow::Break(Stop::Found) => Flow::Found,
            _ => Flow::Over,
        });
    }
    let tails = &rules.program.routines.after_move;
    let tail = tails.get(run.player.index()).copied().flatten();
    let end = StageEnd::Add {
        add,
        kind,
        is_last: tail.is_none(),
    };
    if !stage::end(run, state, frame, r, end) {
        return Ok(Flow::Over);
    }
    if let Some(continuation) = add.continuation {
        frame.progress.continuation = continuation;
    }
    if let Some(tail) = tail {
        frame.progress.in_tail = true;
        return Ok(Flow::Jump(tail));
    }
    Ok(match receiver.complete(run, frame) {
        ControlFlow::Continue(()) => Flow::Over,
        ControlFlow::Break(Stop::Found) => Flow::Found,
        ControlFlow::Break(Stop::MoveLimit) => return Err(move_limit(address)),
    })
}

fn move_limit(address: usize) -> Fault {
    Fault::MoveLimit {
        address: address as Address,
    }
}

fn with_top(frame: &mut Frame, change: impl FnOnce(i32) -> i32) {
    if let Some(value) = frame.values.last_mut() {
        *value = change(*value);
    }
}

/// Returns the result of two numbers; none for a division by zero.
fn calculate(operation: Arithmetic, a: i32, b: i32) -> Option<i32> {
    Some(match operation {
        Arithmetic::Add => a.saturating_add(b),
        Arithmetic::Subtract => a.saturating_sub(b),
        Arithmetic::Multiply => a.saturating_mul(b),
        Arithmetic::Divide if b == 0 => return None,
        Arithmetic::Divide => a.saturating_div(b),
        Arithmetic::Remainder if b == 0 => return None,
        Arithmetic::Remainder => a.wrapping_rem(b),
        Arithmetic::Least => a.min(b),
        Arithmetic::Greatest => a.max(b),
    })
}

fn in_hand(rules: &Rules, state: &State, pieces: PieceListId) -> i32 {
    let counts = rules.program.piece_lists[pieces.index()]
        .pieces
        .iter()
        .map(|&piece| state.stock(piece));
    let sum: u64 = counts
        .map(|count| {
            if count == UNLIMITED {
                u64::from(u32::MAX)
            } else {
                count.into()
            }
        })
        .sum();
    i32::try_from(sum).unwrap_or(i32::MAX)
}

fn list_pieces(rules: &Rules, state: &State, cells: &mut Vec<CellId>, pieces: PieceListId) {
    let list = &rules.program.piece_lists[pieces.index()];
    cells.clear();
    if let [owner] = list.owners[..] {
        let found = Cells::new(state.player_cells(owner));
        if list.is_whole {
            cells.extend(found);
        } else {
            cells.extend(found.filter(|&cell| list.contains[state.occupant(cell).index()]));
        }
        return;
    }
    for index in 0..state.n_words() {
        let word = (list.owners.iter()).fold(0, |word, &owner| word | state.player_word(owner, index));
        let found = CellsOfWord::new(index, word);
        cells.extend(found.filter(|&cell| list.is_whole || list.contains[state.occupant(cell).index()]));
    }
}

/// Takes grid indices off the stack and returns the cell of the first grid that has them.
fn grid_cell(rules: &Rules, frame: &mut Frame, dimensions: usize) -> CellId {
    let start = frame.values.len().saturating_sub(dimensions);
    let cell = rules.model.board.grids.first().and_then(|grid| {
        let mut index = 0;
        if grid.dimensions.len() != dimensions {
            return None;
        }
        for (dimension, &value) in grid.dimensions.iter().zip(&frame.values[start..]) {
            let value = usize::try_from(value)
                .ok()
                .filter(|&value| value < dimension.labels.len())?;
            index = index * dimension.labels.len() + value;
        }
        grid.cells[index]
    });
    frame.values.truncate(start);
    cell.unwrap_or(CellId::NONE)
}

/// Answers a question about the cells of a shape, where `holds` has a bit for each cell at which the test holds.
#[inline]
pub(super) fn answer(question: ShapeQuestion, placement: &[CellId], holds: &[u64]) -> bool {
    let is_in = |&cell: &CellId| cellset::contains(holds, cell);
    match question {
        ShapeQuestion::Some => placement.iter().any(is_in),
        ShapeQuestion::None => !placement.iter().any(is_in),
        ShapeQuestion::Every => placement.iter().all(is_in),
        ShapeQuestion::NotEvery => !placement.iter().all(is_in),
    }
}

/// Makes sure that the answers of a test are known for the present position.
pub(super) fn know(rules: &Rules, state: &mut State, frame: &mut Frame, test: TestId) -> Result<(), Fault> {
    let key = state.keys().search;
    if frame.memo.get(key, test).is_some() {
        return Ok(());
    }
    let mut inner = frame.inner.take().unwrap_or_else(|| Box::new(Frame::new(rules)));
    let mut holds = std::mem::take(&mut inner.kept_cells);
    holds.clear();
    let asked = &rules.program.tests[usize::from(test.0)];
    let mut result = Ok(());
    for cell in rules.model.board.cell_ids() {
        inner.rounds = 0;
        inner.values.clear();
        let run = Run::of_routine(rules, asked.player, asked.address, cell);
        let mut registers = Registers::at(cell, CellId::NONE);
        let address = asked.address as usize;
        match interpret(&run, state, &mut inner, None, &mut NoMoves, &mut registers, address) {
            Ok(Ended::Returned) if inner.pop() != 0 => holds.push(cell),
            Ok(_) => {}
            Err(fault) => result = Err(fault),
        }
    }
    frame.memo.set(key, test, rules.n_cells, holds.iter().copied());
    inner.kept_cells = holds;
    frame.inner = Some(inner);
    result
}
