//! Loops that walk along the board, each as a whole.

use super::fault::Fault;
use super::frame::Frame;
use super::run::{Run, class_meets, kind_at};
use crate::model::CellId;
use crate::program::Address;
use crate::program::join::{Walk, WalkTest};
use crate::state::State;

/// Walks from a cell; returns where the walk ends and what is run next, nothing if the run is over.
///
/// # Errors
/// When it goes round for ever.
#[inline(never)]
pub(super) fn walk(
    run: &Run<'_>,
    state: &State,
    frame: &mut Frame,
    walk: &Walk,
    start: CellId,
) -> Result<(CellId, Option<Address>), Fault> {
    let (rules, player) = (run.rules, run.player);
    match walk.test {
        WalkTest::Class(mask) => {
            let classes = rules.classes(player);
            go(run, frame, walk, start, |_, cell| {
                class_meets(classes, state, cell, mask)
            })
        }
        WalkTest::Kind(kind) => go(run, frame, walk, start, |_, cell| {
            kind_at(rules, state, cell) == Some(kind)
        }),
        WalkTest::Kinds(set) => {
            let set = &rules.program.joined.kind_sets[usize::from(set)];
            go(run, frame, walk, start, |_, cell| set.has(kind_at(rules, state, cell)))
        }
        WalkTest::Attribute(attribute) => go(run, frame, walk, start, |_, cell| {
            state.attribute(rules, cell, attribute) != 0
        }),
        WalkTest::PositionFlag(flag) => go(run, frame, walk, start, |frame, cell| {
            run.uses_flags && frame.position_flag(flag, cell)
        }),
        WalkTest::Cell(wanted) => go(run, frame, walk, start, |_, cell| cell == wanted),
        WalkTest::Zone(zone) => go(run, frame, walk, start, |_, cell| rules.in_zone(zone, player, cell)),
    }
}

#[inline(always)]
fn go(
    run: &Run<'_>,
    frame: &mut Frame,
    walk: &Walk,
    start: CellId,
    test: impl Fn(&Frame, CellId) -> bool,
) -> Result<(CellId, Option<Address>), Fault> {
    let n_cells = run.rules.n_cells;
    let links = &run.rules.model.board.links[walk.direction.index() * n_cells..][..n_cells];
    let mut current = start;
    loop {
        let next = links[current.index()];
        let has_ended = |frame: &Frame, cell| test(frame, cell) != walk.goes_on;
        if walk.edge.is_none() {
            // Only a place from which the walk goes on can be at the edge.
            if has_ended(frame, current) {
                return Ok((current, Some(walk.then)));
            }
            if next.is_none() {
                return Ok((current, None));
            }
            current = next;
        } else {
            if next.is_none() {
                return Ok((current, walk.edge));
            }
            if walk.steps_first {
                current = next;
            }
            if has_ended(frame, current) {
                return Ok((current, Some(walk.then)));
            }
            current = next;
        }
        frame.rounds += 1;
        if frame.rounds > Fault::LOOP_LIMIT {
            return Err(Fault::LoopLimit { address: walk.counter });
        }
    }
}
