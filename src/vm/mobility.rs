//! How many moves a player has.

use super::attack;
use super::fault::Fault;
use super::frame::{Counting, Frame};
use super::generate::{Generation, generate};
use super::scratch::Scratch;
use crate::model::PlayerId;
use crate::rules::Rules;
use crate::state::{MoveList, State, UndoLog};

/// Counts the legal moves that `player` would have if a fresh turn of it came now, passes left out, no further than
/// `limit`.
///
/// # Language
/// `docs/language.md`: mobility.
///
/// # Errors
/// When the rules fault while they run.
pub fn count_moves(
    rules: &Rules,
    state: &mut State,
    scratch: &mut Scratch,
    list: &mut MoveList,
    log: &mut UndoLog,
    player: PlayerId,
    limit: usize,
) -> Result<usize, Fault> {
    let items = &rules.model.turn_order.items;
    let Some(turn) = items.iter().position(|item| item.acts_as == player) else {
        return Ok(0);
    };
    let has_royals = !rules.royal(player).is_empty();
    for tier in rules.turn_tiers(turn) {
        list.clear();
        let generation = Generation {
            player,
            tier,
            only: None,
            limit: if has_royals { usize::MAX } else { limit },
        };
        generate(rules, state, scratch, generation, list)?;
        if has_royals {
            list.try_retain(|list, index| {
                state.make(rules, log, list, list.get(index));
                let exposed = attack::in_check(rules, state, scratch, player);
                state.unmake(rules, log);
                exposed.map(|exposed| !exposed)
            })?;
        }
        if !list.is_empty() {
            return Ok(list.len().min(limit));
        }
    }
    Ok(0)
}

/// Counts moves from within a run, whose frame is in use.
pub(super) fn count_within(
    rules: &Rules,
    state: &mut State,
    frame: &mut Frame,
    player: PlayerId,
    limit: usize,
) -> Result<usize, Fault> {
    let mut counting = frame.counting.take().unwrap_or_else(|| {
        Box::new(Counting {
            scratch: Scratch::new(rules),
            list: MoveList::new(),
            log: UndoLog::new(),
        })
    });
    let Counting { scratch, list, log } = &mut *counting;
    let count = count_moves(rules, state, scratch, list, log, player, limit);
    frame.counting = Some(counting);
    count
}
