//! Making and taking back moves.

use super::key::{attribute_key, chain_key, counters_key, last_move_key, past_key, past_sum_key, variable_key};
use super::undo::{Change, LogMark, Ply};
use super::{Chain, Counters, Effect, Keys, MoveEntry, MoveList, State, UndoLog};
use crate::cellset;
use crate::model::quirk::{LastAfterPass, LastMove, PromotedAttributes};
use crate::model::{AttributeId, CellId, Occupant, PieceKindId, UNLIMITED};
use crate::program::VariableSlot;
use crate::rules::Rules;

impl State {
    /// Makes the effects of a move of `list` and notes its squares as those of the previous move. The turn stays: see
    /// [`State::advance_turn`].
    ///
    /// # Language
    /// `docs/language.md`, what a move does: movements at once, then effects, captures and promotion in order.
    pub fn make(&mut self, rules: &Rules, log: &mut UndoLog, list: &MoveList, entry: &MoveEntry) {
        log.plies.push(Ply {
            changes: log.changes.len(),
            captured: log.captured.len(),
            turn: self.turn,
            chain: self.chain,
            last_from: self.last_from,
            last_to: self.last_to,
            counters: self.counters,
            actor: self.actor,
            keys: self.keys,
        });
        let reads = &rules.program.reads;
        if reads.repetitions {
            let sum = self.past_sum.wrapping_add(past_key(&self.keys));
            self.past.push(self.keys);
            self.keys.search ^= past_sum_key(self.past_sum) ^ past_sum_key(sum);
            self.past_sum = sum;
        }
        let effects = list.effects(entry);
        let first_stage = if rules.program.has_stages {
            let mut stages = effects.split(|effect| *effect == Effect::Then);
            let first = stages.next().unwrap_or_default();
            self.make_stage(rules, log, first);
            stages.for_each(|stage| self.make_stage(rules, log, stage));
            first
        } else {
            self.make_stage(rules, log, effects);
            effects
        };
        let (from, to) = self.last_squares(rules, first_stage, entry);
        self.change_last_move(rules, from, to);
        if reads.ply || reads.quiet_plies || reads.passes {
            let is_quiet = log.captured().is_empty();
            self.change_counters(
                rules,
                Counters {
                    ply: self.counters.ply + 1,
                    quiet_plies: if is_quiet { self.counters.quiet_plies + 1 } else { 0 },
                    passes: if entry.is_pass() { self.counters.passes + 1 } else { 0 },
                },
            );
        }
    }

    /// Makes the effects of one stage: movements all at once, then the others in order.
    #[inline(always)]
    pub(crate) fn make_stage(&mut self, rules: &Rules, log: &mut UndoLog, effects: &[Effect]) {
        let (movements, others) = movements(effects);
        match *movements {
            [] => {}
            [Effect::Move { from, to }] => self.relocate(rules, log, from, to),
            [Effect::Drop { piece, to }] => self.drop_piece(rules, log, piece, to),
            _ => self.move_together(rules, log, movements),
        }
        for effect in others {
            self.make_effect(rules, log, effect);
        }
    }

    /// Takes back everything since `mark`; `keys` are those of that moment.
    pub(crate) fn roll_back(&mut self, rules: &Rules, log: &mut UndoLog, mark: LogMark, keys: Keys) {
        for change in log.changes.drain(mark.changes..).rev() {
            match change {
                Change::Occupant { cell, old } => self.replace(rules, cell, old),
                Change::Attribute { slot, old } => self.attributes[slot as usize] = old,
                Change::Stock { piece, old } => self.stock[piece.index()] = old,
                Change::Variable { slot, old } => self.variables[slot.index()] = old,
            }
        }
        log.captured.truncate(mark.captured);
        self.keys = keys;
    }

    /// Returns the squares of a move for `last-from?` and `last-to?`.
    #[inline]
    fn last_squares(&self, rules: &Rules, first_stage: &[Effect], entry: &MoveEntry) -> (CellId, CellId) {
        let quirks = &rules.model.options.quirks;
        if quirks.last_move == LastMove::Last
            && let Some(&Effect::Move { from, to }) = movements(first_stage).0.last()
        {
            return (from, to);
        }
        match entry.is_pass() && quirks.last_after_pass == LastAfterPass::Kept {
            true => (self.last_from, self.last_to),
            false => (entry.from, entry.to),
        }
    }

    /// Ends the turn: the next turn item begins, and no chain is open.
    #[inline]
    pub fn advance_turn(&mut self, rules: &Rules) {
        let next = rules.model.turn_order.next(self.turn as usize);
        self.change_turn(rules, next as u16, None);
    }

    /// Begins the same turn item once more; no chain is open.
    pub fn repeat_turn(&mut self, rules: &Rules) {
        self.change_turn(rules, self.turn, None);
    }

    /// Takes back the last ply of the log.
    ///
    /// # Panics
    /// When the log is empty.
    pub fn unmake(&mut self, rules: &Rules, log: &mut UndoLog) {
        let ply = log
            .plies
            .pop()
            .expect("invariant: a ply was made before it is taken back"); // invariant: callers pair make and unmake
        let mark = LogMark {
            changes: ply.changes,
            captured: ply.captured,
        };
        self.roll_back(rules, log, mark, ply.keys);
        self.turn = ply.turn;
        self.chain = ply.chain;
        self.last_from = ply.last_from;
        self.last_to = ply.last_to;
        self.counters = ply.counters;
        self.actor = ply.actor;
        if rules.program.reads.repetitions
            && let Some(keys) = self.past.pop()
        {
            self.past_sum = self.past_sum.wrapping_sub(past_key(&keys));
        }
    }

    /// Puts `piece` with its initial attributes on `cell` for an attack test; `kept` takes the attributes of what was
    /// there, which is returned. Keys and log are left alone, so the caller must put it back with
    /// [`State::end_pretence`].
    pub(crate) fn pretend(&mut self, rules: &Rules, cell: CellId, piece: Occupant, kept: &mut Vec<i32>) -> Occupant {
        let old = self.occupants[cell.index()];
        let slots = cell.index() * rules.n_attributes..(cell.index() + 1) * rules.n_attributes;
        kept.clear();
        kept.extend_from_slice(&self.attributes[slots.clone()]);
        self.attributes[slots].copy_from_slice(rules.initial_attributes(piece));
        self.replace(rules, cell, piece);
        old
    }

    /// Puts back what [`State::pretend`] replaced.
    pub(crate) fn end_pretence(&mut self, rules: &Rules, cell: CellId, old: Occupant, kept: &[i32]) {
        let slots = cell.index() * rules.n_attributes..(cell.index() + 1) * rules.n_attributes;
        self.attributes[slots].copy_from_slice(kept);
        self.replace(rules, cell, old);
    }

    /// Writes what stands on some cells for an attack test, and nothing that follows from it; returns what stood there.
    /// The caller must put that back with the same function, in opposite order.
    #[inline]
    pub(crate) fn suppose(&mut self, cell: CellId, piece: Occupant) -> Occupant {
        std::mem::replace(&mut self.occupants[cell.index()], piece)
    }

    /// Asks something with a piece taken from a cell, if from one, and put on another in place of what is there; nothing
    /// else follows the change, and the board is then as before.
    #[inline]
    pub(crate) fn suppose_move<T>(
        &mut self,
        (from, to): (CellId, CellId),
        piece: Occupant,
        ask: impl FnOnce(&State) -> T,
    ) -> T {
        let left = from.is_some().then(|| self.suppose(from, Occupant::NONE));
        let taken = self.suppose(to, piece);
        let answer = ask(self);
        self.suppose(to, taken);
        if let Some(left) = left {
            self.suppose(from, left);
        }
        answer
    }

    fn move_together(&mut self, rules: &Rules, log: &mut UndoLog, movements: &[Effect]) {
        for effect in movements {
            let mut piece = Occupant::NONE;
            if let Effect::Move { from, .. } = *effect {
                piece = self.occupant(from);
                let slot = from.index() * rules.n_attributes;
                log.lifted_attributes
                    .extend_from_slice(&self.attributes[slot..slot + rules.n_attributes]);
                self.remove(rules, log, from);
            }
            log.lifted.push(piece);
        }
        let mut next_attribute = 0;
        for (index, effect) in movements.iter().enumerate() {
            match *effect {
                Effect::Move { to, .. } => {
                    let attributes = next_attribute;
                    next_attribute += rules.n_attributes;
                    let piece = log.lifted[index];
                    if piece.is_none() {
                        continue;
                    }
                    self.capture(rules, log, to);
                    self.set_occupant(rules, log, to, piece);
                    for offset in 0..rules.n_attributes {
                        let value = log.lifted_attributes[attributes + offset];
                        self.set_attribute(rules, log, to, AttributeId(offset as u16), value);
                    }
                }
                Effect::Drop { piece, to } => self.drop_piece(rules, log, piece, to),
                Effect::Copy { piece, to } => {
                    self.capture(rules, log, to);
                    self.put_new(rules, log, to, piece);
                }
                _ => {}
            }
        }
        log.lifted.clear();
        log.lifted_attributes.clear();
    }

    fn make_effect(&mut self, rules: &Rules, log: &mut UndoLog, effect: &Effect) {
        match *effect {
            Effect::Create { piece, at } => {
                // What is replaced is no capture for goals, but goes back to the stock like one: files rely on it.
                self.recycle(rules, log, self.occupant(at));
                self.put_new(rules, log, at, piece);
            }
            Effect::Capture { at } => self.capture(rules, log, at),
            Effect::SetAttribute { at, attribute, value } => {
                if self.occupant(at).is_some() {
                    self.set_attribute(rules, log, at, attribute, value);
                }
            }
            Effect::ChangeOwner { at, player } => {
                let piece = self.occupant(at);
                if piece.is_some() {
                    self.set_occupant(rules, log, at, rules.occupant(player, rules.kind(piece)));
                }
            }
            Effect::Flip { at } => {
                let piece = self.occupant(at);
                if piece.is_some() {
                    let player = rules.flipped(rules.owner(piece));
                    self.set_occupant(rules, log, at, rules.occupant(player, rules.kind(piece)));
                }
            }
            Effect::ChangeKind { at, kind } => self.change_kind(rules, log, at, kind),
            Effect::Promote { at, kind } => {
                let old = self.occupant(at);
                self.change_kind(rules, log, at, kind);
                let new = self.occupant(at);
                if rules.model.options.recycle_promotions && old != new {
                    self.change_stock(rules, log, old, self.stock(old).saturating_add(1));
                    self.change_stock(rules, log, new, self.stock(new).saturating_sub(1));
                }
            }
            Effect::IncreaseAttribute { at, attribute, by } => {
                if self.occupant(at).is_some() {
                    let value = self.attribute(rules, at, attribute).saturating_add(by);
                    self.set_attribute(rules, log, at, attribute, value);
                }
            }
            Effect::SetVariable { slot, value } => self.set_variable(log, slot, value),
            Effect::IncreaseVariable { slot, by } => {
                self.set_variable(log, slot, self.variable(slot).saturating_add(by));
            }
            Effect::Move { .. }
            | Effect::Drop { .. }
            | Effect::Copy { .. }
            | Effect::Then
            | Effect::Again
            | Effect::Label(_)
            | Effect::Rate { .. } => {}
        }
    }

    #[inline(always)]
    fn drop_piece(&mut self, rules: &Rules, log: &mut UndoLog, piece: Occupant, to: CellId) {
        self.capture(rules, log, to);
        self.put_new(rules, log, to, piece);
        self.change_stock(rules, log, piece, self.stock(piece).saturating_sub(1));
    }

    fn relocate(&mut self, rules: &Rules, log: &mut UndoLog, from: CellId, to: CellId) {
        let piece = self.occupant(from);
        if piece.is_none() {
            return;
        }
        self.capture(rules, log, to);
        self.set_occupant(rules, log, to, piece);
        for index in 0..rules.n_attributes {
            let attribute = AttributeId(index as u16);
            let value = self.attribute(rules, from, attribute);
            self.set_attribute(rules, log, to, attribute, value);
        }
        self.remove(rules, log, from);
    }

    /// Removes what stands on `cell` as a capture; nothing happens on an empty cell.
    #[inline(always)]
    fn capture(&mut self, rules: &Rules, log: &mut UndoLog, cell: CellId) {
        let piece = self.occupant(cell);
        if piece.is_some() {
            self.take(rules, log, cell, piece);
        }
    }

    fn take(&mut self, rules: &Rules, log: &mut UndoLog, cell: CellId, piece: Occupant) {
        log.captured.push((cell, piece));
        self.remove(rules, log, cell);
        self.recycle(rules, log, piece);
    }

    /// Puts a removed piece into its owner's stock, if the rules recycle captures.
    #[inline(always)]
    fn recycle(&mut self, rules: &Rules, log: &mut UndoLog, piece: Occupant) {
        if rules.model.options.recycle_captures && piece.is_some() {
            self.change_stock(rules, log, piece, self.stock(piece).saturating_add(1));
        }
    }

    #[inline(always)]
    pub(super) fn put_new(&mut self, rules: &Rules, log: &mut UndoLog, cell: CellId, piece: Occupant) {
        self.set_occupant(rules, log, cell, piece);
        for (index, &value) in rules.initial_attributes(piece).iter().enumerate() {
            self.set_attribute(rules, log, cell, AttributeId(index as u16), value);
        }
    }

    pub(super) fn remove(&mut self, rules: &Rules, log: &mut UndoLog, cell: CellId) {
        for index in 0..rules.n_attributes {
            self.set_attribute(rules, log, cell, AttributeId(index as u16), 0);
        }
        self.set_occupant(rules, log, cell, Occupant::NONE);
    }

    /// Changes the kind of the piece on `cell`.
    ///
    /// # Language
    /// `docs/language.md`: quirk promoted-attributes.
    fn change_kind(&mut self, rules: &Rules, log: &mut UndoLog, cell: CellId, kind: PieceKindId) {
        let old = self.occupant(cell);
        if old.is_none() {
            return;
        }
        let new = rules.occupant(rules.owner(old), kind);
        self.set_occupant(rules, log, cell, new);
        match rules.model.options.quirks.promoted_attributes {
            PromotedAttributes::KeepShared => {
                for &(attribute, value) in &rules.model.kinds[kind.index()].attributes {
                    if !rules.declares(rules.kind(old), attribute) {
                        self.set_attribute(rules, log, cell, attribute, value);
                    }
                }
            }
            PromotedAttributes::Keep => {}
            PromotedAttributes::Reset => {
                for (index, &value) in rules.initial_attributes(new).iter().enumerate() {
                    self.set_attribute(rules, log, cell, AttributeId(index as u16), value);
                }
            }
        }
    }

    // The mutators: nothing else writes the fields.

    #[inline(always)]
    pub(super) fn set_occupant(&mut self, rules: &Rules, log: &mut UndoLog, cell: CellId, piece: Occupant) {
        let old = self.occupant(cell);
        if old == piece {
            return;
        }
        log.changes.push(Change::Occupant { cell, old });
        let change = rules.keys.occupant(cell, old) ^ rules.keys.occupant(cell, piece);
        self.change_board_keys(change);
        self.replace(rules, cell, piece);
    }

    pub(super) fn set_attribute(
        &mut self,
        rules: &Rules,
        log: &mut UndoLog,
        cell: CellId,
        attribute: AttributeId,
        value: i32,
    ) {
        let slot = cell.index() * rules.n_attributes + attribute.index();
        let old = self.attributes[slot];
        if old == value {
            return;
        }
        log.changes.push(Change::Attribute { slot: slot as u32, old });
        self.change_board_keys(attribute_key(slot, old) ^ attribute_key(slot, value));
        self.attributes[slot] = value;
    }

    #[inline(always)]
    pub(super) fn change_stock(&mut self, rules: &Rules, log: &mut UndoLog, piece: Occupant, count: u32) {
        let old = self.stock[piece.index()];
        if old == count || piece.is_none() || old == UNLIMITED {
            return;
        }
        log.changes.push(Change::Stock { piece, old });
        self.change_keys(rules.keys.stock(piece, old) ^ rules.keys.stock(piece, count));
        self.stock[piece.index()] = count;
    }

    pub(super) fn set_variable(&mut self, log: &mut UndoLog, slot: VariableSlot, value: i32) {
        let old = self.variables[slot.index()];
        if old == value {
            return;
        }
        log.changes.push(Change::Variable { slot, old });
        self.change_keys(variable_key(slot.index(), old) ^ variable_key(slot.index(), value));
        self.variables[slot.index()] = value;
    }

    pub(super) fn change_counters(&mut self, rules: &Rules, counters: Counters) {
        let reads = &rules.program.reads;
        self.keys.search ^= counters_key(reads, self.counters) ^ counters_key(reads, counters);
        self.counters = counters;
    }

    #[inline]
    pub(super) fn change_turn(&mut self, rules: &Rules, turn: u16, chain: Option<Chain>) {
        self.change_keys(rules.keys.turn(self.turn) ^ rules.keys.turn(turn));
        if self.chain != chain {
            self.change_keys(chain_key(self.chain) ^ chain_key(chain));
        }
        self.turn = turn;
        self.chain = chain;
    }

    pub(super) fn change_last_move(&mut self, rules: &Rules, from: CellId, to: CellId) {
        if rules.program.reads.last_move {
            self.keys.search ^= last_move_key(self.last_from, self.last_to) ^ last_move_key(from, to);
        }
        self.last_from = from;
        self.last_to = to;
    }

    #[inline(always)]
    fn change_board_keys(&mut self, change: u64) {
        self.keys.board ^= change;
        self.change_keys(change);
    }

    #[inline(always)]
    fn change_keys(&mut self, change: u64) {
        self.keys.repetition ^= change;
        self.keys.search ^= change;
    }

    /// Writes what stands on a cell with all that follows from it, but neither keys nor log.
    #[inline(always)]
    fn replace(&mut self, rules: &Rules, cell: CellId, piece: Occupant) {
        let old = std::mem::replace(&mut self.occupants[cell.index()], piece);
        let words = self.words;
        if old.is_some() {
            self.counts[old.index()] -= 1;
            cellset::remove(
                &mut self.player_cells[rules.owner(old).index() * words..][..words],
                cell,
            );
            if let Some(slot) = rules.tracked_slot(old) {
                cellset::remove(&mut self.tracked_cells[slot * words..][..words], cell);
            }
        }
        if piece.is_some() {
            self.counts[piece.index()] += 1;
            cellset::insert(
                &mut self.player_cells[rules.owner(piece).index() * words..][..words],
                cell,
            );
            if let Some(slot) = rules.tracked_slot(piece) {
                cellset::insert(&mut self.tracked_cells[slot * words..][..words], cell);
            }
        }
    }
}

/// Parts the effects of a stage: the movements, with which it begins, and the others.
fn movements(effects: &[Effect]) -> (&[Effect], &[Effect]) {
    let n_movements = effects.iter().take_while(|effect| effect.is_movement()).count();
    effects.split_at(n_movements)
}
