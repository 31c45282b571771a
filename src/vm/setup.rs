//! Setups by chance.

use rand::RngExt;

use super::evaluate::{Evaluation, go_on};
use super::fault::Fault;
use super::scratch::Scratch;
use crate::program::{Address, SetupStep};
use crate::rules::Rules;
use crate::state::State;

/// Puts on the board what chance decides, as the rules want it.
///
/// # Language
/// `docs/language.md`: random-setup. A draw that fails begins again, so that every setup that meets the conditions is
/// equally likely.
///
/// # Errors
/// When no setup is found, or the rules fault while they run.
pub fn draw(rules: &Rules, state: &mut State, rng: &mut impl RngExt) -> Result<(), Fault> {
    let steps = &rules.program.routines.random_setup;
    if steps.is_empty() {
        return Ok(());
    }
    let mut scratch = Scratch::new(rules);
    let start = state.clone();
    // How often each step has failed.
    let mut failures = vec![0u32; steps.len()];
    for _ in 0..Fault::DRAW_LIMIT {
        match draw_once(rules, state, &mut scratch, rng)? {
            None => return Ok(()),
            Some(failed) => failures[failed] += 1,
        }
        state.clone_from(&start);
    }
    let worst = (0..steps.len()).max_by_key(|&index| failures[index]).unwrap_or(0);
    Err(Fault::RandomSetup {
        address: step_address(&steps[worst]),
    })
}

fn step_address(step: &SetupStep) -> Address {
    match step {
        SetupStep::Pieces { set, .. } => *set,
        SetupStep::Run { address, .. } => *address,
    }
}

/// Carries out all steps; returns the step that failed, if one did.
fn draw_once(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    rng: &mut impl RngExt,
) -> Result<Option<usize>, Fault> {
    let player = rules.model.nobody();
    scratch.forget_lets();
    for (index, step) in rules.program.routines.random_setup.iter().enumerate() {
        match *step {
            SetupStep::Run { address, .. } => {
                if go_on(rules, state, scratch, Evaluation { player, address })?.is_none() {
                    return Ok(Some(index));
                }
            }
            SetupStep::Pieces { piece, count, set, .. } => {
                let address = count;
                let count = go_on(rules, state, scratch, Evaluation { player, address })?.unwrap_or(0);
                let address = set;
                for _ in 0..count {
                    go_on(rules, state, scratch, Evaluation { player, address })?;
                    let cells = scratch.first_list();
                    let n_empty = cells.iter().filter(|&&cell| state.occupant(cell).is_none()).count();
                    if n_empty == 0 {
                        return Ok(Some(index));
                    }
                    let chosen = rng.random_range(0..n_empty);
                    let mut empty = cells.iter().filter(|&&cell| state.occupant(cell).is_none());
                    if let Some(&cell) = empty.nth(chosen) {
                        state.put(rules, cell, rules.owner(piece), rules.kind(piece));
                    }
                }
            }
        }
    }
    Ok(None)
}
