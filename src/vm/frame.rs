//! The memory of one run of one block.

use super::list::List;
use super::memo::Memo;
use super::scratch::Scratch;
use crate::model::{CellId, FlagId, PositionFlagId};
use crate::program::ContinuationId;
use crate::rules::Rules;
use crate::state::{Effect, Keys, Label, LogMark, MoveList, State, UndoLog};

/// The pointers of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers {
    pub current: CellId,
    pub from: CellId,
    pub to: CellId,
    pub mark: CellId,
    pub look: CellId,
    pub has_cascaded: bool,
}

impl Registers {
    /// Returns the registers at the start of a run.
    pub fn at(start: CellId, from: CellId) -> Registers {
        Registers {
            current: start,
            from,
            to: CellId::NONE,
            mark: start,
            look: CellId::NONE,
            has_cascaded: false,
        }
    }

    /// Returns where the current movement ends.
    #[inline(always)]
    pub fn destination(&self) -> CellId {
        if self.to.is_some() { self.to } else { self.current }
    }
}

/// How far a move of several stages has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Where the piece that moved last arrived.
    pub arrival: CellId,
    /// Where the first movement or drop begins and ends.
    pub first: Option<(CellId, CellId)>,
    /// Whether the piece from the stock is still to be put down.
    pub is_dropping: bool,
    /// Which of the kinds of an `add` is next.
    pub next_kind: usize,
    /// Whether the block is done and the tail of the ply runs.
    pub in_tail: bool,
    /// Whether a stage of the tail has been made.
    pub has_tail: bool,
    /// What follows the move.
    pub continuation: ContinuationId,
    /// Whether the stages up to now have changed anything.
    pub has_changed: bool,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress {
            arrival: CellId::NONE,
            first: None,
            is_dropping: false,
            next_kind: 0,
            in_tail: false,
            has_tail: false,
            continuation: ContinuationId::NONE,
            has_changed: false,
        }
    }
}

/// A run as it stood at a choice, to go on from there.
#[derive(Clone, Debug, Default)]
struct Choice {
    /// Where it goes on.
    address: usize,
    registers: Option<Registers>,
    progress: Progress,
    mark: LogMark,
    keys: Keys,
    collected: Collected,
    n_staged: usize,
    lets: Vec<i32>,
    lists: Vec<List>,
    n_lists: usize,
    flags: Vec<u32>,
    position_flags: Vec<u32>,
    run: u32,
    /// Of the last list, if the run goes on from each of its cells: the index of the one that comes next.
    next: Option<usize>,
}

/// What has been collected for the present stage, and what goes with the move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collected {
    /// Finished movements, from and to; from is none for a drop.
    pub movements: Vec<(CellId, CellId)>,
    /// Movements of other pieces at the same time, from and to.
    pub further: Vec<(CellId, CellId)>,
    pub effects: Vec<Effect>,
    pub captures: Vec<CellId>,
    pub labels: Vec<Label>,
    pub rating: Vec<i32>,
}

impl Collected {
    fn copy_from(&mut self, other: &Collected) {
        self.movements.clone_from(&other.movements);
        self.further.clone_from(&other.further);
        self.effects.clone_from(&other.effects);
        self.captures.clone_from(&other.captures);
        self.labels.clone_from(&other.labels);
        self.rating.clone_from(&other.rating);
    }

    #[inline(always)]
    pub fn clear_stage(&mut self) {
        self.movements.clear();
        self.further.clear();
        self.effects.clear();
        self.captures.clear();
    }
}

/// What a run collects, its flags, and beyond the classic language its stages and choices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub collected: Collected,
    /// By flag; a flag is up if its entry is the number of the run, so that no run has to clear them.
    flags: Vec<u32>,
    /// By `flag * n_cells + cell`, likewise.
    position_flags: Vec<u32>,
    n_cells: usize,
    run: u32,
    /// For an attack test the attributes of the piece that another one stands in for.
    pub kept_attributes: Vec<i32>,
    /// Cells where a test holds, while they are found.
    pub kept_cells: Vec<CellId>,
    /// The stack of numbers.
    pub values: Vec<i32>,
    pub lets: Vec<i32>,
    pub lists: Vec<List>,
    pub progress: Progress,
    /// The effects of the stages that have been made, parted by [`Effect::Then`].
    pub staged: Vec<Effect>,
    /// The effects of one stage while it is made.
    pub stage: Vec<Effect>,
    /// What the stages have changed.
    pub log: UndoLog,
    /// The keys before the first stage.
    pub base_keys: Keys,
    /// The first `n_choices` are open; the others are kept for their memory.
    choices: Vec<Choice>,
    n_choices: usize,
    /// How many rounds the loops have made, and how often the run went on from a choice.
    pub rounds: u32,
    /// Whether no person is playing.
    pub is_automatic: bool,
    pub memo: Memo,
    /// For tests that are asked within a run.
    pub inner: Option<Box<Frame>>,
    /// For counting the moves of a player.
    pub counting: Option<Box<Counting>>,
}

/// The memory for counting moves.
#[derive(Clone, Debug)]
pub(crate) struct Counting {
    pub scratch: Scratch,
    pub list: MoveList,
    pub log: UndoLog,
}

impl Frame {
    pub fn new(rules: &Rules) -> Frame {
        Frame {
            flags: vec![0; rules.model.flags.len()],
            position_flags: vec![0; rules.model.position_flags.len() * rules.n_cells],
            n_cells: rules.n_cells,
            lets: vec![0; rules.program.n_lets],
            lists: vec![List::new(rules.n_cells); rules.program.n_lists],
            is_automatic: true,
            ..Frame::default()
        }
    }

    /// Begins a run: nothing collected, all flags down.
    #[inline]
    pub fn begin(&mut self, uses_flags: bool) {
        self.collected.clear_stage();
        self.rounds = 0;
        if uses_flags {
            self.lower_flags();
        }
    }

    /// Begins a run that goes beyond the classic language.
    pub fn begin_extended(&mut self, progress: Progress) {
        self.collected.labels.clear();
        self.collected.rating.clear();
        self.values.clear();
        self.lets.fill(0);
        self.staged.clear();
        self.n_choices = 0;
        self.progress = progress;
    }

    /// Puts all flags down.
    pub fn lower_flags(&mut self) {
        self.run = self.run.wrapping_add(1);
        if self.run == 0 {
            self.flags.fill(0);
            self.position_flags.fill(0);
            self.run = 1;
        }
    }

    /// Collects an effect. One that comes while captures wait sends the first of these to their end: so the original
    /// program records such moves.
    #[inline]
    pub fn push_effect(&mut self, effect: Effect) {
        self.collected.effects.push(effect);
        if self.collected.captures.len() > 1 {
            self.collected.captures.rotate_left(1);
        }
    }

    #[inline]
    pub fn flag(&self, flag: FlagId) -> bool {
        self.run != 0 && self.flags[flag.index()] == self.run
    }

    #[inline]
    pub fn set_flag(&mut self, flag: FlagId, value: bool) {
        self.flags[flag.index()] = if value { self.run } else { 0 };
    }

    #[inline]
    pub fn position_flag(&self, flag: PositionFlagId, cell: CellId) -> bool {
        self.run != 0 && cell.is_some() && self.position_flags[flag.index() * self.n_cells + cell.index()] == self.run
    }

    #[inline]
    pub fn set_position_flag(&mut self, flag: PositionFlagId, cell: CellId, value: bool) {
        if cell.is_some() {
            self.position_flags[flag.index() * self.n_cells + cell.index()] = if value { self.run } else { 0 };
        }
    }

    /// Takes the number on the stack.
    #[inline]
    pub fn pop(&mut self) -> i32 {
        self.values.pop().unwrap_or(0)
    }

    // Choices.

    /// Remembers the run, to go on at `address` when it ends; of the lists the first `n_lists`.
    pub fn choose(&mut self, state: &State, registers: &Registers, address: usize, n_lists: usize) -> &mut Progress {
        if self.n_choices == self.choices.len() {
            self.choices.push(Choice::default());
        }
        let choice = &mut self.choices[self.n_choices];
        self.n_choices += 1;
        choice.address = address;
        choice.registers = Some(*registers);
        choice.progress = self.progress;
        choice.mark = self.log.mark();
        choice.keys = state.keys();
        choice.collected.copy_from(&self.collected);
        choice.n_staged = self.staged.len();
        choice.lets.clone_from(&self.lets);
        choice.n_lists = n_lists;
        if choice.lists.len() < n_lists {
            choice.lists.resize(n_lists, List::default());
        }
        for (kept, list) in choice.lists.iter_mut().zip(&self.lists[..n_lists]) {
            kept.copy_from(list);
        }
        choice.next = None;
        choice.run = self.run;
        choice.flags.clone_from(&self.flags);
        choice.position_flags.clone_from(&self.position_flags);
        &mut choice.progress
    }

    /// Remembers the run as [`Frame::choose`] does, but with nothing collected: as it is after an `add`.
    pub fn choose_after_add(&mut self, state: &State, registers: &Registers, address: usize, n_lists: usize) {
        let progress = self.choose(state, registers, address, n_lists);
        progress.next_kind = 0;
        let collected = &mut self.choices[self.n_choices - 1].collected;
        collected.clear_stage();
        collected.labels.clear();
        collected.rating.clear();
    }

    /// Remembers the run, to go on at `address` from each cell of a list, the first of which is taken at once; what the
    /// list holds is not needed then any more.
    pub fn choose_each(&mut self, state: &State, registers: &Registers, address: usize, list: usize) {
        self.choose(state, registers, address, list + 1);
        self.choices[self.n_choices - 1].next = Some(1);
    }

    /// Goes back to the last choice; returns where the run goes on and its registers, or none if no choice is open.
    pub fn resume(&mut self, rules: &Rules, state: &mut State) -> Option<(usize, Registers)> {
        let Some(index) = self.n_choices.checked_sub(1) else {
            self.abandon(rules, state);
            return None;
        };
        let choice = &mut self.choices[index];
        if self.log.mark() != choice.mark {
            state.roll_back(rules, &mut self.log, choice.mark, choice.keys);
        }
        self.progress = choice.progress;
        self.rounds += 1;
        if let Some(next) = choice.next {
            let n_open = choice.n_lists - 1;
            let picked = &choice.lists[n_open].cells;
            let mut registers = choice.registers?;
            registers.current = picked[next];
            if next + 1 < picked.len() {
                // The choice stays.
                choice.next = Some(next + 1);
                self.collected.copy_from(&choice.collected);
                self.staged.truncate(choice.n_staged);
                self.values.clear();
                self.lets.clone_from(&choice.lets);
                for (list, kept) in self.lists.iter_mut().zip(&choice.lists[..n_open]) {
                    list.copy_from(kept);
                }
                self.run = choice.run;
                self.flags.clone_from(&choice.flags);
                self.position_flags.clone_from(&choice.position_flags);
                return Some((choice.address, registers));
            }
            choice.registers = Some(registers);
        }
        self.n_choices = index;
        std::mem::swap(&mut self.collected, &mut choice.collected);
        self.staged.truncate(choice.n_staged);
        self.values.clear();
        std::mem::swap(&mut self.lets, &mut choice.lets);
        for (list, kept) in self.lists.iter_mut().zip(&mut choice.lists[..choice.n_lists]) {
            list.swap_with(kept);
        }
        self.run = choice.run;
        std::mem::swap(&mut self.flags, &mut choice.flags);
        std::mem::swap(&mut self.position_flags, &mut choice.position_flags);
        choice.registers.map(|registers| (choice.address, registers))
    }

    /// Keeps what the stages have changed; `log` gets the old values.
    pub fn keep(&mut self, log: &mut UndoLog) {
        self.n_choices = 0;
        self.log.append_to(log);
    }

    /// Takes back all stages and forgets all choices.
    pub fn abandon(&mut self, rules: &Rules, state: &mut State) {
        self.n_choices = 0;
        if self.log.mark() != LogMark::default() {
            let keys = self.base_keys;
            state.roll_back(rules, &mut self.log, LogMark::default(), keys);
        }
    }
}
