//! Code that is no move block: it returns a number, or changes the state outside moves.

use super::fault::Fault;
use super::frame::{Frame, Progress, Registers};
use super::run::{Ended, NoMoves, Run, interpret};
use super::scratch::Scratch;
use crate::model::{CellId, PlayerId};
use crate::program::Address;
use crate::rules::Rules;
use crate::state::{State, UndoLog};

/// Code and on whose behalf it runs.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// `friend`.
    pub player: PlayerId,
    /// Where the code starts.
    pub address: Address,
}

/// Runs code and returns its number; none if it ended without one.
///
/// # Errors
/// When the rules fault while they run.
pub fn evaluate(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    evaluation: Evaluation,
) -> Result<Option<i32>, Fault> {
    scratch.frame.begin_extended(Progress::default());
    go_on(rules, state, scratch, evaluation)
}

/// Runs code as [`evaluate`] does, with the `let`s as they were left.
pub(super) fn go_on(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    evaluation: Evaluation,
) -> Result<Option<i32>, Fault> {
    let Scratch {
        frame, attack_frame, ..
    } = scratch;
    let Evaluation { player, address } = evaluation;
    frame.begin(true);
    frame.values.clear();
    let run = Run::of_routine(rules, player, address, CellId::NONE);
    let mut registers = Registers::at(CellId::NONE, CellId::NONE);
    let nested = Some(attack_frame);
    let ended = interpret(
        &run,
        state,
        frame,
        nested,
        &mut NoMoves,
        &mut registers,
        address as usize,
    );
    // What runs outside moves changes nothing by itself.
    frame.abandon(rules, state);
    Ok((ended? == Ended::Returned).then(|| frame.pop()))
}

/// Runs a consequence that belongs to no move and keeps what it changes; `log` gets the old values. Returns false if it
/// failed, and nothing has changed.
///
/// # Errors
/// When the rules fault while they run.
pub fn consequence(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    log: &mut UndoLog,
    evaluation: Evaluation,
) -> Result<bool, Fault> {
    let Scratch {
        frame, attack_frame, ..
    } = scratch;
    let Evaluation { player, address } = evaluation;
    frame.begin(true);
    frame.begin_extended(Progress::default());
    let run = Run::of_routine(rules, player, address, CellId::NONE);
    let mut registers = Registers::at(CellId::NONE, CellId::NONE);
    let mut receiver = Finishing { is_finished: false };
    let nested = Some(attack_frame);
    let ended = interpret(
        &run,
        state,
        frame,
        nested,
        &mut receiver,
        &mut registers,
        address as usize,
    );
    if let Err(fault) = ended {
        frame.abandon(rules, state);
        return Err(fault);
    }
    if receiver.is_finished {
        frame.keep(log);
    } else {
        frame.abandon(rules, state);
    }
    Ok(receiver.is_finished)
}

/// Notes that a consequence has come to its end.
struct Finishing {
    is_finished: bool,
}

impl super::run::Receiver for Finishing {
    const PASSES_EFFECTS: bool = false;

    fn add(
        &mut self,
        _: &Run<'_>,
        _: &State,
        _: &Frame,
        _: &Registers,
        _: &crate::program::AddTable,
    ) -> std::ops::ControlFlow<super::run::Stop> {
        std::ops::ControlFlow::Continue(())
    }

    fn complete(&mut self, _: &Run<'_>, _: &Frame) -> std::ops::ControlFlow<super::run::Stop> {
        self.is_finished = true;
        std::ops::ControlFlow::Continue(())
    }
}
