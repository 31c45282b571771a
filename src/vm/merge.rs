//! Finds equal candidates while they are generated.

use super::stage::happens;
use crate::model::{CellId, Occupant};
use crate::rules::Rules;
use crate::state::key::spread;
use crate::state::{Effect, MoveList, State, UndoLog, same_move};

const N_SLOTS: usize = 1024;

/// Candidates by their first movement, so that only those with the same one are compared.
#[derive(Clone, Debug)]
pub(crate) struct Merger {
    /// For each slot the stamp of the generation that wrote it and its newest candidate.
    slots: Box<[(u32, u32)]>,
    /// For each candidate the one before it in its slot.
    previous: Vec<u32>,
    /// For each candidate what it changes, if that has been asked for.
    signatures: Vec<(u64, u64)>,
    /// For each candidate what is alike in equal ones.
    sums: Vec<u64>,
    stamp: u32,
}

impl Default for Merger {
    fn default() -> Merger {
        Merger {
            slots: vec![(0, 0); N_SLOTS].into(),
            previous: Vec::new(),
            signatures: Vec::new(),
            sums: Vec::new(),
            stamp: 0,
        }
    }
}

const NO_CANDIDATE: u32 = u32::MAX;

/// The signature of a move that has not been made to find it out.
const NO_SIGNATURE: (u64, u64) = (0, 0);

impl Merger {
    /// Forgets all candidates; the list starts with `n_moves`.
    pub fn begin(&mut self, n_moves: usize) {
        self.previous.clear();
        self.previous.resize(n_moves, NO_CANDIDATE);
        self.signatures.clear();
        self.sums.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill((0, 0));
            self.stamp = 1;
        }
    }

    /// Tells whether move `index` of `list` is new; then it is remembered. All moves before it have been.
    #[inline]
    pub fn is_new(&mut self, list: &MoveList, index: usize) -> bool {
        let entry = list.get(index);
        let slot = &mut self.slots[slot_of(entry.from, entry.to)];
        let mut candidate = if slot.0 == self.stamp { slot.1 } else { NO_CANDIDATE };
        let newest = candidate;
        while candidate != NO_CANDIDATE {
            if same_move(list, list.get(candidate as usize), entry) {
                return false;
            }
            candidate = self.previous[candidate as usize];
        }
        *slot = (self.stamp, index as u32);
        self.previous.push(newest);
        true
    }
}

/// Keeps of the moves that have not been looked at one of those that change the same: the first, but with the highest
/// rating. Moves before those that [`Merger::begin`] was told of are left alone.
///
/// Moves change the same if in each stage the same pieces move, appear and are taken, in whatever order, and the same
/// state comes of it. Only those of which as much is alike as can be told
/// without making them are made; these are few.
pub(crate) fn merge_changes(
    rules: &Rules,
    state: &mut State,
    log: &mut UndoLog,
    merger: &mut Merger,
    list: &mut MoveList,
) {
    let first = merger.previous.len();
    merger.signatures.resize(first, NO_SIGNATURE);
    merger.sums.resize(first, 0);
    let mut kept = first;
    for index in first..list.len() {
        list.moves.copy(index, kept);
        let entry = *list.get(kept);
        let sum = sum_of_events(state, list.effects(&entry));
        let slot = sum as usize % N_SLOTS;
        let (stamp, newest) = merger.slots[slot];
        let newest = if stamp == merger.stamp { newest } else { NO_CANDIDATE };
        let mut signature = NO_SIGNATURE;
        let mut candidate = newest;
        while candidate != NO_CANDIDATE {
            let known = candidate as usize;
            if merger.sums[known] != sum {
                candidate = merger.previous[known];
                continue;
            }
            if merger.signatures[known] == NO_SIGNATURE {
                merger.signatures[known] = signature_of(rules, state, log, list, known);
            }
            if signature == NO_SIGNATURE {
                signature = signature_of(rules, state, log, list, kept);
            }
            if merger.signatures[known] == signature {
                break;
            }
            candidate = merger.previous[known];
        }
        if candidate == NO_CANDIDATE {
            merger.slots[slot] = (merger.stamp, kept as u32);
            merger.previous.push(newest);
            merger.signatures.push(signature);
            merger.sums.push(sum);
            kept += 1;
        } else if list.rating(&entry) > list.rating(list.get(candidate as usize)) {
            list.moves.copy(kept, candidate as usize);
        }
    }
    list.moves.truncate(kept);
}

/// Returns a number that is the same for moves that change the same: of what surely happens, in whatever order.
fn sum_of_events(state: &State, effects: &[Effect]) -> u64 {
    let mut sum = 0u64;
    for (index, effect) in effects.iter().enumerate() {
        let is_untouched = |cell: CellId| !effects[..index].iter().any(|before| touches(before, cell));
        let number = match *effect {
            Effect::Move { .. } | Effect::Drop { .. } | Effect::Copy { .. } => event(effect),
            Effect::Create { piece, at } if state.occupant(at) != piece && is_untouched(at) => event(effect),
            Effect::Capture { at } if state.occupant(at).is_some() && is_untouched(at) => {
                captured(state.occupant(at), at)
            }
            _ => continue,
        };
        sum = sum.wrapping_add(spread(number));
    }
    sum
}

/// Tells whether an effect can change what stands on a cell.
fn touches(effect: &Effect, cell: CellId) -> bool {
    match *effect {
        Effect::Move { from, to } => from == cell || to == cell,
        Effect::Drop { to, .. } | Effect::Copy { to, .. } => to == cell,
        Effect::Create { at, .. }
        | Effect::Capture { at }
        | Effect::ChangeOwner { at, .. }
        | Effect::Flip { at }
        | Effect::ChangeKind { at, .. }
        | Effect::Promote { at, .. } => at == cell,
        Effect::SetAttribute { .. }
        | Effect::IncreaseAttribute { .. }
        | Effect::SetVariable { .. }
        | Effect::IncreaseVariable { .. }
        | Effect::Then
        | Effect::Again
        | Effect::Label(_)
        | Effect::Rate { .. } => false,
    }
}

/// Returns a number for a piece that is taken.
fn captured(piece: Occupant, cell: CellId) -> u64 {
    6 << 60 | u64::from(piece.0) << 16 | u64::from(cell.0)
}

/// Returns a number for what happens in a stage besides what it changes.
fn event(effect: &Effect) -> u64 {
    let of = |kind: u64, what: u16, cell: CellId| kind << 60 | u64::from(what) << 16 | u64::from(cell.0);
    match *effect {
        Effect::Move { from, to } => of(1, from.0, to),
        Effect::Drop { piece, to } => of(2, piece.0, to),
        Effect::Copy { piece, to } => of(3, piece.0, to),
        Effect::Create { piece, at } => of(4, piece.0, at),
        Effect::Again => of(5, 0, CellId(0)),
        _ => 0,
    }
}

/// Returns what a move changes: the same for moves that change the same, and never 0.
fn signature_of(rules: &Rules, state: &mut State, log: &mut UndoLog, list: &MoveList, index: usize) -> (u64, u64) {
    let entry = list.get(index);
    let (start, keys) = (log.mark(), state.keys());
    let mut signature = NO_SIGNATURE;
    for stage in list.effects(entry).split(|effect| *effect == Effect::Then) {
        let (mark, before) = (log.mark(), state.keys().search);
        let events = stage.iter().filter(|effect| happens(state, effect));
        let mut happened = events.fold(0, |sum: u64, effect| sum.wrapping_add(spread(event(effect))));
        state.make_stage(rules, log, stage);
        for &(cell, piece) in log.captured_since(mark) {
            happened = happened.wrapping_add(spread(captured(piece, cell)));
        }
        let difference = before ^ state.keys().search;
        // Stages that do nothing leave no trace.
        if difference != 0 || happened != 0 {
            signature.0 = spread(signature.0 ^ difference ^ 1);
            signature.1 = spread(signature.1.wrapping_add(happened).wrapping_add(1));
        }
    }
    state.roll_back(rules, log, start, keys);
    // A partial move goes on with the piece that moved last.
    let goes_on = match entry.continuation.is_some() {
        true => (u64::from(entry.continuation.0) << 32) | (u64::from(entry.arrival.0) + 1),
        false => 0,
    };
    (signature.0 ^ spread(goes_on), signature.1 | 1)
}

#[inline(always)]
fn slot_of(from: CellId, to: CellId) -> usize {
    (from.index().wrapping_mul(0x9e5) ^ to.index().wrapping_mul(0x3d)) % N_SLOTS
}
