//! Tests of goals against a state.

use super::evaluate::{Evaluation, evaluate};
use super::fault::Fault;
use super::scratch::Scratch;
use crate::model::{CellId, Occupant, PlayerId};
use crate::program::goal::{GoalTest, PlaceTest};
use crate::rules::Rules;
use crate::state::{State, UndoLog};

/// What a goal can ask beyond the board: of the turn and of the past.
#[derive(Clone, Copy, Debug, Default)]
pub struct GoalContext<'a> {
    /// The player who is to move and has no legal move, if so.
    pub stuck: Option<PlayerId>,
    /// The royal pieces of that player that are attacked.
    pub attacked: &'a [Occupant],
    /// Whether the position has occurred for the third time.
    pub repeated: bool,
    /// Whether the goal was tested before the last ply and did not hold.
    pub is_new: bool,
}

impl<'a> GoalContext<'a> {
    /// Returns the context of a part of the goal: what holds now may have held before.
    fn of_part(&self) -> GoalContext<'a> {
        GoalContext { is_new: false, ..*self }
    }
}

/// Tells whether a goal test holds for `player`.
///
/// The board must be as the last ply of `log` left it.
///
/// # Errors
/// When the rules fault while they run.
pub fn holds(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    log: &UndoLog,
    player: PlayerId,
    test: &GoalTest,
    context: &GoalContext<'_>,
) -> Result<bool, Fault> {
    match test {
        &GoalTest::Code(address) => {
            let answer = evaluate(rules, state, scratch, Evaluation { player, address })?;
            Ok(answer.is_some_and(|value| value != 0))
        }
        GoalTest::Or(parts) => {
            for part in parts {
                if holds(rules, state, scratch, log, player, part, context)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        GoalTest::And(parts) => {
            let context = context.of_part();
            for part in parts {
                if !holds(rules, state, scratch, log, player, part, &context)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        GoalTest::Not(part) => {
            let context = context.of_part();
            Ok(!holds(rules, state, scratch, log, player, part, &context)?)
        }
        _ => Ok(board_holds(rules, state, log, player, test, context)),
    }
}

/// Tells whether a goal test without code holds for `player`: one of the classic language.
///
/// The board must be as the last ply of `log` left it.
pub(crate) fn board_holds(
    rules: &Rules,
    state: &State,
    log: &UndoLog,
    player: PlayerId,
    test: &GoalTest,
    context: &GoalContext<'_>,
) -> bool {
    match test {
        // Asked by `holds`; see there.
        GoalTest::Code(_) => false,
        GoalTest::Stalemated => context.stuck == Some(player),
        GoalTest::Repetition => context.repeated,
        GoalTest::Checkmated(pieces) => {
            context.stuck == Some(player) && pieces.iter().any(|piece| context.attacked.contains(piece))
        }
        GoalTest::Captured(pieces) => log.captured().iter().any(|&(_, piece)| pieces.contains(piece)),
        GoalTest::AbsoluteConfig { tests, places, any } => {
            let is_held = |cells: &Vec<CellId>| place_holds(state, tests, cells);
            if *any {
                places.iter().any(is_held)
            } else {
                places.iter().all(is_held)
            }
        }
        GoalTest::RelativeConfig {
            starts_with,
            first,
            steps,
            through,
        } => {
            let from_here = |cell: CellId| {
                let mut current = cell;
                first.contains(state.occupant(cell))
                    && steps.iter().all(
                        |(direction, occupants)| match rules.model.board.step(current, *direction) {
                            Some(next) => {
                                current = next;
                                occupants.contains(state.occupant(next))
                            }
                            None => false,
                        },
                    )
            };
            if context.is_new {
                // A chain that was not there before leads over a cell that has changed.
                let mut changed = log.changed_cells();
                return changed.any(|cell| through[cell.index()].iter().any(|&start| from_here(start)));
            }
            match starts_with {
                Some(player) => state.cells_of(*player).any(from_here),
                None => rules.model.board.cell_ids().any(from_here),
            }
        }
        GoalTest::PieceCount {
            pieces,
            equals,
            with_stock,
        } => {
            let count: u64 = (pieces.iter())
                .map(|&piece| {
                    let stock = if *with_stock { state.stock(piece) } else { 0 };
                    u64::from(state.count(piece)) + u64::from(stock)
                })
                .sum();
            count == u64::from(*equals)
        }
        // All of a disjunction did not hold before; of other connections some part may have.
        GoalTest::Or(parts) => parts
            .iter()
            .any(|part| board_holds(rules, state, log, player, part, context)),
        GoalTest::And(parts) => {
            let context = context.of_part();
            (parts.iter()).all(|part| board_holds(rules, state, log, player, part, &context))
        }
        GoalTest::Not(part) => !board_holds(rules, state, log, player, part, &context.of_part()),
    }
}

fn place_holds(state: &State, tests: &[PlaceTest], cells: &[CellId]) -> bool {
    tests
        .iter()
        .any(|test| cells.iter().any(|&cell| test.pieces.contains(state.occupant(cell))) != test.none)
}
