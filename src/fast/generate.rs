//! Runs specialised code.

use super::Dangers;
use super::code::{DropCode, Fast, NO_CODE, Step, StepId, TierCode, Touch};
use super::universe::{Mask, bit};
use crate::cellset::CellsOfWord;
use crate::model::{CellId, Occupant, PlayerId};
use crate::program::EntryId;
use crate::rules::{Rules, Tier};
use crate::state::{Effect, MoveEntry, MoveList, State};
use crate::vm::{Fault, Frame, Merger, Spot, interpret, merge_changes, would_be_taken};

/// What generation works with.
pub(crate) struct Work<'a> {
    pub rules: &'a Rules,
    pub fast: &'a Fast,
    pub state: &'a mut State,
    pub frame: &'a mut Frame,
    pub attack_frame: &'a mut Frame,
    pub merger: &'a mut Merger,
    pub queue: &'a mut Vec<(StepId, CellId)>,
    pub list: &'a mut MoveList,
    /// The number of moves that the interpreter has listed.
    pub n_interpreted: usize,
    /// The number of moves that is enough: the interpreter runs no more blocks then.
    pub limit: usize,
}

/// Where the run of a queue of code stands.
#[derive(Clone, Copy)]
struct Place {
    /// The next entry of the queue.
    next: usize,
    code: StepId,
}

/// Why the straight run of code stops.
enum Pause {
    /// The queue is done.
    End,
    /// There is no more room for moves.
    Full,
    /// An attack test that the tables do not answer.
    Attack(u32),
    Interpret(EntryId),
}

impl Work<'_> {
    /// Appends the candidates of `player` in a tier, as [`crate::vm::generate`] does.
    #[inline]
    pub fn generate(&mut self, player: PlayerId, tier: &Tier, only: Option<CellId>) -> Result<(), Fault> {
        let fast = self.fast;
        self.list.share(&fast.effects);
        let merges = fast.merges[player.index()];
        if !self.rules.program.has_stages {
            if merges {
                self.merger.begin(self.list.len());
            }
            return self.pieces_and_drops(player, &fast.tiers[tier.number], only, merges);
        }
        // Beyond the classic language moves are compared by what they change.
        let first = self.list.len();
        self.merger.begin(first);
        self.pieces_and_drops(player, &fast.tiers[tier.number], only, false)?;
        if only.is_none() {
            for entry in tier.actions_of(player) {
                self.interpret(entry, CellId::NONE, Occupant::NONE)?;
            }
        }
        if self.n_interpreted > 0 || merges {
            self.merge_changes();
        }
        Ok(())
    }

    fn merge_changes(&mut self) {
        merge_changes(self.rules, self.state, &mut self.frame.log, self.merger, self.list);
    }

    /// Lists the moves of pieces, then the drops.
    fn pieces_and_drops(
        &mut self,
        player: PlayerId,
        tier: &TierCode,
        only: Option<CellId>,
        merges: bool,
    ) -> Result<(), Fault> {
        self.queue.clear();
        if let Some(start) = only {
            self.enqueue(tier, start);
            return self.run(Occupant::NONE, merges);
        }
        if tier.movers[player.index()] {
            for index in 0..self.state.n_words() {
                for start in CellsOfWord::new(index, self.state.player_word(player, index)) {
                    self.enqueue(tier, start);
                }
            }
            self.run(Occupant::NONE, merges)?;
        }
        let drops = &tier.drops[player.index()][..];
        if drops.is_empty() {
            return Ok(());
        }
        self.drops(drops, merges)
    }

    #[inline(always)]
    fn enqueue(&mut self, tier: &TierCode, start: CellId) {
        let piece = self.state.occupant(start);
        let code = tier.moves[piece.index() * self.rules.n_cells + start.index()];
        if code != NO_CODE {
            self.queue.push((code, start));
        }
    }

    fn drops(&mut self, drops: &[DropCode], merges: bool) -> Result<(), Fault> {
        for drop in drops {
            if self.state.stock(drop.piece) == 0 {
                continue;
            }
            self.queue.clear();
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
                if let Some(lines) = drop.lines.as_ref().filter(|_| !merges) {
                    lines.list(self.fast, self.state, starts, self.list);
                    continue;
                }
                match &drop.direct {
                    Some(direct) if !merges => self.list.moves.extend_by_bits(starts, &direct[index]),
                    _ => self
                        .queue
                        .extend(CellsOfWord::new(index, starts).map(|start| (drop.starts[start.index()], start))),
                }
            }
            if !self.queue.is_empty() {
                self.run(drop.piece, merges)?;
            }
        }
        Ok(())
    }

    /// Runs the code in the queue.
    fn run(&mut self, dropped: Occupant, merges: bool) -> Result<(), Fault> {
        let Some(&(code, _)) = self.queue.first() else {
            return Ok(());
        };
        let mut place = Place { next: 1, code };
        let mut merged = self.list.len();
        loop {
            let pause = run_straight(self.fast, self.state, self.frame, self.list, self.queue, &mut place);
            if let Pause::Full = pause {
                self.list.moves.grow();
                continue;
            }
            if merges {
                self.merge(merged);
            }
            match pause {
                Pause::End | Pause::Full => return Ok(()),
                Pause::Attack(index) => {
                    let is_attacked = self.ask(index)?;
                    let Step::Attack { no, .. } = self.fast.steps[place.code as usize] else {
                        return Ok(());
                    };
                    place.code = if is_attacked { place.code + 1 } else { no };
                }
                Pause::Interpret(entry) => {
                    let (_, start) = self.queue[place.next - 1];
                    self.interpret(entry, start, dropped)?;
                    place.code += 1;
                }
            }
            merged = self.list.len();
        }
    }

    /// Lets the interpreter list the moves of a block.
    fn interpret(&mut self, entry: EntryId, start: CellId, dropped: Occupant) -> Result<(), Fault> {
        if self.list.len() >= self.limit {
            if self.rules.program.has_stages {
                self.merge_changes();
            }
            if self.list.len() >= self.limit {
                return Ok(());
            }
        }
        let before = self.list.len();
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
        self.n_interpreted += self.list.len() - before;
        Ok(())
    }

    /// Keeps of the moves from number `first` on those that are new.
    fn merge(&mut self, first: usize) {
        let mut kept = first;
        for index in first..self.list.len() {
            self.list.moves.copy(index, kept);
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

    /// Answers an attack test of a block, if the tables say so.
    #[inline(never)]
    fn answer(&self, state: &State, index: u32) -> Option<bool> {
        let test = &self.attacks[index as usize];
        let dangers = self.dangers.as_ref().filter(|_| test.is_answered)?;
        dangers.is_attacked(state, test.pretended, test.cell, (state.last_from(), state.last_to()))
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

/// Runs code up to the end of the queue or to something that needs the interpreter.
///
/// Few steps make up nearly all that is run, and these are told apart by comparisons rather than by a table of jumps.
#[inline(never)]
fn run_straight(
    fast: &Fast,
    state: &State,
    frame: &mut Frame,
    list: &mut MoveList,
    queue: &[(StepId, CellId)],
    place: &mut Place,
) -> Pause {
    let (steps, templates, all_singles) = (&fast.steps[..], &fast.templates[..], &fast.singles[..]);
    let occupants = state.occupants();
    let MoveList { moves, effects, .. } = list;
    let (buffer, mut len) = moves.buffer();
    let mut next = place.next;
    let mut pc = place.code as usize;
    let belongs = |cell: u16, set: Mask| set & bit(occupants[cell as usize]) != 0;
    let pause = loop {
        let step = steps[pc];
        pc += 1;
        let is_last = match step {
            Step::Singles { n, is_last, first } => {
                let singles = &all_singles[first as usize..][..n as usize];
                let Some(room) = buffer[len..].get_mut(..singles.len()) else {
                    break Pause::Full;
                };
                let mut n_wanted = 0;
                for single in singles {
                    room[n_wanted] = templates[single.template as usize];
                    n_wanted += usize::from(belongs(single.cell, single.set));
                }
                len += n_wanted;
                is_last
            }
            Step::Test { cell, no, set } => {
                if !belongs(cell, set) {
                    pc = no as usize;
                }
                false
            }
            Step::End => true,
            step => {
                let mut output = Output {
                    buffer: &mut *buffer,
                    len,
                    arena: &mut *effects,
                };
                let pause = run_rare(fast, state, frame, &mut output, step, &mut pc);
                len = output.len;
                if let Some(pause) = pause {
                    break pause;
                }
                false
            }
        };
        if is_last {
            let Some(&(code, _)) = queue.get(next) else {
                break Pause::End;
            };
            next += 1;
            pc = code as usize;
        }
    };
    // What made the run stop is done again.
    *place = Place {
        next,
        code: pc as StepId - 1,
    };
    moves.set_len(len);
    pause
}

/// Where moves are written.
struct Output<'a> {
    buffer: &'a mut [MoveEntry],
    len: usize,
    arena: &'a mut Vec<Effect>,
}

/// Runs a step that is not among the commonest.
#[inline(never)]
fn run_rare(
    fast: &Fast,
    state: &State,
    frame: &mut Frame,
    output: &mut Output<'_>,
    step: Step,
    pc: &mut usize,
) -> Option<Pause> {
    let occupants = state.occupants();
    let belongs = |cell: u16, set: Mask| set & bit(occupants[cell as usize]) != 0;
    // Goes on if the answer is yes.
    let mut answer = |is_so: bool, no: StepId| {
        if !is_so {
            *pc = no as usize;
        }
        None
    };
    match step {
        Step::Line { index, no } => {
            let line = &fast.lines[index as usize];
            let cells = &fast.line_cells[line.cells.0 as usize..line.cells.1 as usize];
            let n_over = cells.iter().take_while(|&&cell| belongs(cell, line.over)).count();
            let is_closed = n_over > 0 && cells.get(n_over).is_some_and(|&cell| belongs(cell, line.end));
            if is_closed {
                let end = line.effects_end as usize;
                for &effect in &fast.effects[end - n_over..end] {
                    frame.push_effect(effect);
                }
            }
            answer(is_closed, no)
        }
        Step::Jump { target } => answer(false, target),
        Step::Emit { n, template } => {
            let Some(room) = output.buffer[output.len..].get_mut(..n as usize) else {
                return Some(Pause::Full);
            };
            room.copy_from_slice(&fast.templates[template as usize..][..n as usize]);
            output.len += n as usize;
            None
        }
        Step::Attribute { slot, no } => answer(state.attribute_in(slot) != 0, no),
        Step::LastFrom { cell, no } => answer(state.last_from() == CellId(cell), no),
        Step::LastTo { cell, no } => answer(state.last_to() == CellId(cell), no),
        Step::Attack { index, no } => match fast.answer(state, index) {
            Some(is_attacked) => answer(is_attacked, no),
            None => Some(Pause::Attack(index)),
        },
        Step::Collect { n, first } => {
            for &effect in &fast.effects[first as usize..][..n as usize] {
                frame.push_effect(effect);
            }
            None
        }
        Step::Capture { cell } => {
            frame.collected.captures.push(CellId(cell));
            None
        }
        Step::Clear => {
            frame.collected.clear_stage();
            None
        }
        Step::EmitCollected { index } => {
            let Some(entry) = output.buffer.get_mut(output.len) else {
                return Some(Pause::Full);
            };
            let fixed = &fast.frames[index as usize];
            let start = output.arena.len();
            output.arena.extend_from_slice(&fixed.movements);
            output.arena.extend_from_slice(&frame.collected.effects);
            output
                .arena
                .extend(frame.collected.captures.iter().map(|&at| Effect::Capture { at }));
            output.arena.extend(fixed.promotion);
            frame.collected.clear_stage();
            *entry = MoveEntry {
                start: start as u32,
                len: (output.arena.len() - start) as u32,
                from: fixed.from,
                to: fixed.to,
                arrival: fixed.arrival,
                continuation: fixed.continuation,
            };
            output.len += usize::from(entry.len > 0);
            None
        }
        Step::Interpret { entry } => Some(Pause::Interpret(entry)),
        // The common ones; single moves are joined when code is complete.
        Step::Singles { .. } | Step::Test { .. } | Step::End | Step::Single { .. } => None,
    }
}
