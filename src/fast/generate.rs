//! Runs specialised code.

use super::Dangers;
use super::code::{Fast, NO_CODE, Step, StepId, TierCode, Touch};
use super::universe::bit;
use crate::cellset::CellsOfWord;
use crate::model::{CellId, Occupant, PlayerId};
use crate::program::EntryId;
use crate::rules::Rules;
use crate::state::{Effect, MoveEntry, MoveList, State, UndoLog};
use crate::vm::{Fault, Frame, Merger, Spot, interpret, would_be_taken};

/// What generation works with.
pub(crate) struct Work<'a> {
    pub rules: &'a Rules,
    pub fast: &'a Fast,
    pub state: &'a mut State,
    pub frame: &'a mut Frame,
    pub attack_frame: &'a mut Frame,
    pub merger: &'a mut Merger,
    pub list: &'a mut MoveList,
}

/// Why the straight run of code stops.
enum Pause {
    End,
    /// An attack test that the tables do not answer.
    Attack(u32),
    Interpret(EntryId),
}

impl Work<'_> {
    /// Appends the candidates of `player` in a tier, as [`crate::vm::generate`] does.
    pub fn generate(&mut self, player: PlayerId, tier: usize, only: Option<CellId>) -> Result<(), Fault> {
        let fast = self.fast;
        let tier = &fast.tiers[tier];
        self.list.share(&fast.effects);
        let merges = fast.merges[player.index()];
        if merges {
            self.merger.begin(self.list.len());
        }
        if let Some(start) = only {
            return self.moves_from(tier, start, merges);
        }
        // The board is as before after each run, so the words may be read one by one in between.
        for index in 0..self.state.n_words() {
            for start in CellsOfWord::new(index, self.state.player_word(player, index)) {
                self.moves_from(tier, start, merges)?;
            }
        }
        if tier.drops.is_empty() {
            Ok(())
        } else {
            self.drops(player, tier, merges)
        }
    }

    #[inline(always)]
    fn moves_from(&mut self, tier: &TierCode, start: CellId, merges: bool) -> Result<(), Fault> {
        let piece = self.state.occupant(start);
        let (code, bound) = tier.moves[piece.index() * self.rules.n_cells + start.index()];
        if code == NO_CODE {
            return Ok(());
        }
        self.list.moves.reserve(bound as usize);
        self.run(code, start, Occupant::NONE, merges)
    }

    fn drops(&mut self, player: PlayerId, tier: &TierCode, merges: bool) -> Result<(), Fault> {
        for drop in &tier.drops {
            if self.rules.owner(drop.piece) != player || self.state.stock(drop.piece) == 0 {
                continue;
            }
            for index in 0..self.state.n_words() {
                let mut starts = drop.cells[index];
                if drop.only_empty {
                    starts &= !self.state.occupied_word(index);
                }
                if let Some(sweep) = &drop.sweep
                    && starts != 0
                {
                    starts &= sweep.word(self.state, index);
                }
                if let Some(direct) = drop.direct.as_ref().filter(|_| !merges) {
                    let moves = CellsOfWord::new(index, starts).map(|start| direct[start.index()]);
                    self.list.moves.reserve(starts.count_ones() as usize);
                    moves.for_each(|template| self.list.moves.push(self.fast.templates[template as usize]));
                    continue;
                }
                for start in CellsOfWord::new(index, starts) {
                    self.list.moves.reserve(usize::from(drop.bounds[start.index()]));
                    self.run(drop.starts[start.index()], start, drop.piece, merges)?;
                }
            }
        }
        Ok(())
    }

    /// Runs the code of one piece or drop.
    #[inline(always)]
    fn run(&mut self, mut code: StepId, start: CellId, dropped: Occupant, merges: bool) -> Result<(), Fault> {
        let mut merged = self.list.len();
        loop {
            let pause = self.run_straight(&mut code);
            if merges {
                self.merge(merged);
            }
            match pause {
                Pause::End => return Ok(()),
                Pause::Attack(index) => {
                    let is_attacked = self.ask(index)?;
                    let Step::Attack { no, .. } = self.fast.steps[code as usize] else {
                        return Ok(());
                    };
                    code = if is_attacked { code + 1 } else { no };
                }
                Pause::Interpret(entry) => {
                    let spot = Spot { entry, start, dropped };
                    let Work {
                        rules,
                        state,
                        frame,
                        attack_frame,
                        merger,
                        list,
                        ..
                    } = self;
                    interpret(rules, state, frame, attack_frame, merger, list, spot)?;
                    code += 1;
                }
            }
            merged = self.list.len();
        }
    }

    /// Runs code up to its end or to something that needs the interpreter.
    #[inline(always)]
    fn run_straight(&mut self, code: &mut StepId) -> Pause {
        let Work {
            fast,
            state,
            frame,
            list,
            ..
        } = self;
        let occupants = state.occupants();
        let (steps, sets, templates) = (&fast.steps[..], &fast.sets[..], &fast.templates[..]);
        let mut pc = *code as usize;
        let belongs = |cell: u16, set: u16| sets[set as usize] & bit(occupants[cell as usize]) != 0;
        loop {
            let step = steps[pc];
            pc += 1;
            match step {
                Step::End => return Pause::End,
                Step::Jump { target } => pc = target as usize,
                Step::Test { cell, set, no } => {
                    if !belongs(cell, set) {
                        pc = no as usize;
                    }
                }
                Step::Single { cell, set, template } => {
                    if belongs(cell, set) {
                        list.moves.push(templates[template as usize]);
                    }
                }
                Step::Slide {
                    cell,
                    emit,
                    go,
                    template,
                    no,
                } => {
                    if belongs(cell, emit) {
                        list.moves.push(templates[template as usize]);
                    }
                    if !belongs(cell, go) {
                        pc = no as usize;
                    }
                }
                Step::Emit { n, template } => {
                    let moves = &templates[template as usize..][..n as usize];
                    list.moves.extend_from_slice(moves);
                }
                Step::Attribute { slot, no } => {
                    if state.attribute_in(slot) == 0 {
                        pc = no as usize;
                    }
                }
                Step::LastFrom { cell, no } => {
                    if state.last_from() != CellId(cell) {
                        pc = no as usize;
                    }
                }
                Step::LastTo { cell, no } => {
                    if state.last_to() != CellId(cell) {
                        pc = no as usize;
                    }
                }
                Step::Attack { index, no } => {
                    let test = &fast.attacks[index as usize];
                    let answer = fast
                        .dangers
                        .as_ref()
                        .filter(|_| test.by.get().is_none())
                        .and_then(|dangers| {
                            let last = (state.last_from(), state.last_to());
                            let is_asked = dangers.attackers(test.pretended) == test.attackers(self.rules);
                            if is_asked {
                                dangers.is_attacked(state, test.pretended, test.cell, last)
                            } else {
                                None
                            }
                        });
                    match answer {
                        Some(true) => {}
                        Some(false) => pc = no as usize,
                        None => {
                            *code = pc as StepId - 1;
                            return Pause::Attack(index);
                        }
                    }
                }
                Step::Collect { n, first } => {
                    for &effect in &fast.effects[first as usize..][..n as usize] {
                        frame.push_effect(effect);
                    }
                }
                Step::Capture { cell } => frame.collected.captures.push(CellId(cell)),
                Step::Clear => frame.collected.clear_stage(),
                Step::EmitCollected { index } => {
                    let fixed = &fast.frames[index as usize];
                    let start = list.effects.len();
                    list.effects.extend_from_slice(&fixed.movements);
                    list.effects.extend_from_slice(&frame.collected.effects);
                    list.effects
                        .extend(frame.collected.captures.iter().map(|&at| Effect::Capture { at }));
                    list.effects.extend(fixed.promotion);
                    frame.collected.clear_stage();
                    if list.effects.len() > start {
                        list.moves.push(MoveEntry {
                            start: start as u32,
                            len: (list.effects.len() - start) as u32,
                            from: fixed.from,
                            to: fixed.to,
                            arrival: fixed.arrival,
                            continuation: fixed.continuation,
                        });
                    }
                }
                Step::Interpret { entry } => {
                    *code = pc as StepId - 1;
                    return Pause::Interpret(entry);
                }
            }
        }
    }

    /// Keeps of the moves from number `first` on those that are new.
    fn merge(&mut self, first: usize) {
        let mut kept = first;
        for index in first..self.list.len() {
            self.list.moves[kept] = self.list.moves[index];
            if self.merger.is_new(self.list, kept) {
                kept += 1;
            }
        }
        self.list.moves.truncate(kept);
    }

    #[cold]
    fn ask(&mut self, index: u32) -> Result<bool, Fault> {
        let test = self.fast.attacks[index as usize];
        let players = test.attackers(self.rules);
        let by = test.by.get();
        would_be_taken(
            self.rules,
            self.state,
            self.attack_frame,
            test.cell,
            test.pretended,
            players,
            by,
        )
    }
}

impl super::code::AttackTest {
    /// Returns the players whose moves are asked about.
    #[inline]
    fn attackers<'a>(&'a self, rules: &'a Rules) -> &'a [PlayerId] {
        if self.is_defence {
            std::slice::from_ref(&self.mover)
        } else {
            rules.enemies(self.mover)
        }
    }
}

impl Fast {
    /// Tells whether the piece on `cell` could be taken by an enemy of its owner, if the tables say so.
    #[inline]
    pub(crate) fn is_attacked(&self, state: &State, piece: Occupant, cell: CellId) -> Option<bool> {
        let dangers = self.dangers.as_ref().filter(|_| piece.is_some())?;
        dangers.is_attacked(state, piece, cell, (state.last_from(), state.last_to()))
    }

    /// Returns the first goal about the board that holds, with its player; none held before the last ply, which changed
    /// these cells.
    #[inline]
    pub(crate) fn first_goal(
        &self,
        rules: &Rules,
        state: &State,
        log: &UndoLog,
        changed: &[CellId],
    ) -> Option<(usize, PlayerId)> {
        self.goals.first(rules, state, log, changed)
    }

    /// Returns the attack tests, if they could be analysed.
    #[inline]
    pub(crate) fn dangers(&self) -> Option<&Dangers> {
        self.dangers.as_ref()
    }

    /// Returns what a move of a list of this game changes, if that is known.
    #[inline(always)]
    pub(crate) fn touch(&self, entry: &MoveEntry) -> Touch {
        if entry.is_prepared() && !entry.is_pass() {
            self.touches[entry.arena_start()]
        } else {
            Touch::Other
        }
    }
}
