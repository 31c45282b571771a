//! Blocks run symbolically: everything but the pieces on the board is known.

use super::code::AttackTest;
use super::universe::{EMPTY, Mask, Universe, bit};
use crate::model::quirk::FromAfterCascade;
use crate::model::{CellId, Occupant};
use crate::program::{Address, Ask, At, ClassMask, Entry, Op};
use crate::rules::Rules;
use crate::state::Effect;

/// The block cannot be followed: it does something that is not known before play, or too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GivesUp;

/// Where a path stands, and what it has collected.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Situation {
    pub address: Address,
    pub current: CellId,
    pub from: CellId,
    pub to: CellId,
    pub mark: CellId,
    pub look: CellId,
    /// What the occupant of the current cell can still be.
    pub known: Mask,
    /// What is known of the cell that was looked at last.
    looked: Option<(CellId, Mask)>,
    /// What is known of the cells walked over since the last jump, current cell excluded.
    trail: Vec<(CellId, Mask)>,
    pub has_cascaded: bool,
    pub flags: u64,
    /// The flags of cells that are up, by `flag, cell`, sorted.
    pub cell_flags: Vec<(u16, CellId)>,
    /// Finished movements; from is none for a drop.
    pub movements: Vec<(CellId, CellId)>,
    pub effects: Vec<Effect>,
    pub captures: Vec<CellId>,
}

impl Situation {
    /// Returns where the current movement ends.
    pub fn destination(&self) -> CellId {
        if self.to.is_some() { self.to } else { self.current }
    }

    fn cell(&self, at: At) -> CellId {
        match at {
            At::Here => self.current,
            At::Look => self.look,
        }
    }

    /// Returns the number of its parts that are no single values: a measure of the work of copying it.
    pub fn size(&self) -> usize {
        self.trail.len() + self.cell_flags.len() + self.movements.len() + self.effects.len() + self.captures.len()
    }

    /// Jumps to a cell; what was known of others is forgotten, so that ways there come together.
    fn go(&mut self, cell: CellId, run: &Symbolic<'_>) -> bool {
        if cell.is_some() {
            self.current = cell;
            self.known = run.possible(cell);
            self.trail.clear();
            self.looked = None;
        }
        cell.is_some()
    }

    /// Walks to a cell.
    fn walk(&mut self, cell: CellId, run: &Symbolic<'_>) -> bool {
        if cell.is_none() {
            return false;
        }
        let left = (self.current, self.known);
        match self.trail.iter_mut().find(|(known, _)| *known == left.0) {
            Some(known) => *known = left,
            None if self.known != run.possible(left.0) => self.trail.push(left),
            None => {}
        }
        self.known = self.possible(cell, run);
        self.current = cell;
        self.looked = None;
        true
    }

    /// Returns what can stand on a cell as far as the path knows.
    fn possible(&self, cell: CellId, run: &Symbolic<'_>) -> Mask {
        if cell == self.current {
            return self.known;
        }
        let facts = self
            .trail
            .iter()
            .chain(&self.looked)
            .filter(|(known, _)| *known == cell);
        facts.fold(run.possible(cell), |possible, (_, set)| possible & set)
    }

    /// Collects an effect as a run does: one that comes while captures wait sends the first of these to their end.
    pub fn push_effect(&mut self, effect: Effect) {
        self.effects.push(effect);
        if self.captures.len() > 1 {
            self.captures.rotate_left(1);
        }
    }
}

/// A question whose answer is known in play only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// Whether the occupant of the cell belongs to the set.
    Occupant { cell: CellId, set: Mask },
    /// Whether the occupant of some cell that a link leads to belongs to the set.
    Neighbors { cell: CellId, set: Mask },
    /// Whether the attribute in the slot is other than 0.
    Attribute { slot: u32 },
    /// Whether the previous move started there.
    LastFrom { cell: CellId },
    /// Whether the previous move ended there.
    LastTo { cell: CellId },
    /// Whether the cell is attacked or defended.
    Attack(AttackTest),
}

/// What a path comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    End,
    /// An `add`; what follows it is reached by [`Symbolic::after_add`].
    Add(u32),
    Effect(Effect),
    Capture(CellId),
    /// The path splits: see [`Symbolic::answer`].
    Ask(Question),
}

/// One block run symbolically from one start.
#[derive(Clone, Copy)]
pub(super) struct Symbolic<'a> {
    pub rules: &'a Rules,
    pub universe: &'a Universe<'a>,
    pub entry: &'a Entry,
    pub start: CellId,
    /// The piece dropped, or nothing for a move.
    pub dropped: Occupant,
    /// Whether only what is taken matters.
    pub is_attack: bool,
}

impl Symbolic<'_> {
    /// Returns the situation in which a run begins.
    pub fn begin(&self) -> Situation {
        Situation {
            address: self.entry.address,
            current: self.start,
            from: self.start_from(),
            to: CellId::NONE,
            mark: self.start,
            look: CellId::NONE,
            known: self.possible(self.start),
            looked: None,
            trail: Vec::new(),
            has_cascaded: false,
            flags: 0,
            cell_flags: Vec::new(),
            movements: Vec::new(),
            effects: Vec::new(),
            captures: Vec::new(),
        }
    }

    fn start_from(&self) -> CellId {
        if self.dropped.is_some() {
            CellId::NONE
        } else {
            self.start
        }
    }

    /// Returns what can stand on a cell: the board is frozen while a block runs, so the start keeps its piece.
    fn possible(&self, cell: CellId) -> Mask {
        if cell != self.start {
            self.universe.all()
        } else if self.dropped.is_none() {
            bit(self.rules.occupant(self.entry.player, self.entry.kind))
        } else if self.entry.only_empty {
            EMPTY
        } else {
            self.universe.all()
        }
    }

    /// Tells whether code runs after every ply of the player.
    fn has_tail(&self) -> bool {
        let tails = &self.rules.program.routines.after_move;
        tails.get(self.entry.player.index()).copied().flatten().is_some()
    }

    /// Follows the path to the next event; `fuel` counts the operations.
    pub fn follow(&self, s: &mut Situation, fuel: &mut usize) -> Result<Event, GivesUp> {
        loop {
            *fuel = fuel.checked_sub(1).ok_or(GivesUp)?;
            if let Some(event) = self.advance(s)? {
                return Ok(event);
            }
        }
    }

    /// Goes past the `add` that the path has come to.
    pub fn after_add(&self, s: &mut Situation) {
        let keeps_from =
            !self.entry.is_extended && self.rules.model.options.quirks.from_after_cascade == FromAfterCascade::Stays;
        if std::mem::take(&mut s.has_cascaded) && !keeps_from {
            s.from = self.start_from();
        }
        s.to = CellId::NONE;
        s.movements.clear();
        s.effects.clear();
        s.captures.clear();
        s.address += 1;
    }

    /// Goes past the question that the path has come to, with an answer.
    pub fn answer(&self, s: &mut Situation, question: Question, answer: bool) {
        if let Question::Occupant { cell, set } = question {
            let set = if answer { set } else { !set };
            if cell == s.current {
                s.known &= set;
            } else {
                s.looked = Some((cell, s.possible(cell, self) & set));
            }
        }
        if let Some((ask, target)) = jump_of(self.rules.program.ops[s.address as usize]) {
            s.address = if ask.wanted() == answer { target } else { s.address + 1 };
        }
        s.look = CellId::NONE;
    }

    fn advance(&self, s: &mut Situation) -> Result<Option<Event>, GivesUp> {
        let rules = self.rules;
        let player = self.entry.player;
        let step = |cell, direction| rules.model.board.step(cell, direction).unwrap_or(CellId::NONE);
        let op = rules.program.ops[s.address as usize];
        // Tests stay where they are until they are answered.
        let known = |s: &mut Situation, answer: bool| {
            if let Some((ask, target)) = jump_of(op) {
                s.address = if ask.wanted() == answer { target } else { s.address + 1 };
            }
            s.look = CellId::NONE;
            Ok(None)
        };
        match op {
            Op::IfClass { ask, mask, .. } => {
                let set = self.universe.of_classes(player, mask);
                return Ok(self.ask_occupant(s, s.cell(ask.at()), set));
            }
            Op::IfKind { ask, kind, .. } => {
                let set = self.universe.of_kind(kind);
                return Ok(self.ask_occupant(s, s.cell(ask.at()), set));
            }
            Op::IfOnBoard { ask, .. } => return known(s, s.cell(ask.at()).is_some()),
            Op::IfZone { ask, zone, .. } => return known(s, rules.in_zone(zone, player, s.cell(ask.at()))),
            Op::IfCell { ask, cell, .. } => return known(s, cell.is_some() && s.cell(ask.at()) == cell),
            Op::IfMarked { ask, .. } => {
                let cell = s.cell(ask.at());
                return known(s, cell.is_some() && cell == s.mark);
            }
            Op::IfGoalPosition { ask, .. } => return known(s, rules.is_goal_cell(s.cell(ask.at()))),
            Op::IfFlag { wanted, flag, target } => {
                if flag.index() >= 64 {
                    return Err(GivesUp);
                }
                let is_up = s.flags >> flag.index() & 1 != 0;
                s.address = if is_up == wanted { target } else { s.address + 1 };
                return Ok(None);
            }
            Op::IfPositionFlag { ask, flag, .. } => {
                let cell = s.cell(ask.at());
                let is_up = s.cell_flags.binary_search(&(flag.index() as u16, cell)).is_ok();
                return known(s, cell.is_some() && is_up);
            }
            Op::IfAttribute { ask, attribute, .. } => {
                let cell = s.cell(ask.at());
                if cell.is_none() {
                    return known(s, false);
                }
                let slot = (cell.index() * rules.n_attributes + attribute.index()) as u32;
                return Ok(Some(Event::Ask(Question::Attribute { slot })));
            }
            Op::IfLastFrom { ask, .. } => match s.cell(ask.at()) {
                CellId::NONE => return known(s, false),
                cell => return Ok(Some(Event::Ask(Question::LastFrom { cell }))),
            },
            Op::IfLastTo { ask, .. } => match s.cell(ask.at()) {
                CellId::NONE => return known(s, false),
                cell => return Ok(Some(Event::Ask(Question::LastTo { cell }))),
            },
            Op::IfAdjacentToEnemy { ask, .. } => match s.cell(ask.at()) {
                CellId::NONE => return known(s, false),
                cell => {
                    let set = self.universe.of_classes(player, ClassMask::ENEMY);
                    return Ok(Some(Event::Ask(Question::Neighbors { cell, set })));
                }
            },
            Op::IfAttacked { ask, by, .. } | Op::IfDefended { ask, by, .. } => {
                let cell = s.cell(ask.at());
                let is_defence = matches!(op, Op::IfDefended { .. });
                let owner = match (is_defence, rules.enemies(player).first()) {
                    (false, _) => Some(player),
                    (true, enemy) => enemy.copied(),
                };
                // Attack tests do not recurse.
                let Some(owner) = owner.filter(|_| cell.is_some() && !self.is_attack) else {
                    return known(s, false);
                };
                return Ok(Some(Event::Ask(Question::Attack(AttackTest {
                    cell,
                    pretended: rules.occupant(owner, self.entry.kind),
                    is_defence,
                    mover: player,
                    by,
                    is_answered: by.get().is_none() && (!is_defence || *rules.enemies(owner) == [player]),
                }))));
            }
            Op::Add { index } => return Ok(Some(Event::Add(index.index() as u32))),
            Op::Complete { index, .. } if self.is_attack || !self.has_tail() => {
                return Ok(Some(Event::Add(index.index() as u32)));
            }
            _ => {}
        }
        s.address += 1;
        let mut event = None;
        let mut collect = |s: &Situation, at: At, effect: &dyn Fn(CellId) -> Effect| {
            let cell = s.cell(at);
            event = (cell.is_some() && !self.is_attack).then(|| Event::Effect(effect(cell)));
        };
        match op {
            Op::End => event = Some(Event::End),
            Op::Step { direction } => {
                if !s.walk(step(s.current, direction), self) {
                    event = Some(Event::End);
                }
            }
            Op::Goto { cell } => {
                // The interpreter goes there unasked.
                if !s.go(cell, self) {
                    return Err(GivesUp);
                }
            }
            Op::GoFrom => {
                if !s.go(s.from, self) {
                    event = Some(Event::End);
                }
            }
            Op::GoTo => {
                if s.to.is_some() {
                    s.go(s.to, self);
                }
            }
            Op::GoMark => {
                if !s.go(s.mark, self) {
                    event = Some(Event::End);
                }
            }
            Op::SetFrom => s.from = s.current,
            Op::SetTo => s.to = s.current,
            Op::SetMark { at } => {
                s.mark = s.cell(at);
                s.look = CellId::NONE;
            }
            Op::LookDirection { direction } => s.look = step(s.current, direction),
            Op::LookCell { cell } => s.look = cell,
            Op::Jump { target } | Op::Loop { target } => s.address = target,
            Op::PassEffects { target } => {
                if self.is_attack {
                    s.address = target;
                }
            }
            Op::Capture { at } => {
                let cell = s.cell(at);
                if cell.is_some() {
                    event = Some(Event::Capture(cell));
                }
                s.look = CellId::NONE;
            }
            Op::Flip { at } => collect(s, at, &|at| Effect::Flip { at }),
            Op::ChangeOwner { at } => collect(s, at, &|at| Effect::ChangeOwner { at, player }),
            Op::ChangeKind { at, kind } => collect(s, at, &|at| Effect::ChangeKind { at, kind }),
            Op::Create { at, player, kind } => {
                let piece = rules.occupant(player, kind);
                collect(s, at, &|at| Effect::Create { piece, at });
            }
            Op::SetAttribute { at, attribute, value } => {
                let value = i32::from(value);
                collect(s, at, &|at| Effect::SetAttribute { at, attribute, value });
            }
            Op::SetFlag { value, flag } => {
                if flag.index() >= 64 {
                    return Err(GivesUp);
                }
                let flag = 1 << flag.index();
                s.flags = if value { s.flags | flag } else { s.flags & !flag };
            }
            Op::SetPositionFlag { at, value, flag } => {
                let key = (flag.index() as u16, s.cell(at));
                match s.cell_flags.binary_search(&key) {
                    Ok(place) if !value => {
                        s.cell_flags.remove(place);
                    }
                    Err(place) if value && key.1.is_some() => s.cell_flags.insert(place, key),
                    _ => {}
                }
                s.look = CellId::NONE;
            }
            Op::Cascade => {
                if s.from != s.destination() {
                    s.movements.push((s.from, s.destination()));
                }
                s.from = s.current;
                s.to = CellId::NONE;
                s.has_cascaded = true;
            }
            // Whatever is not known here is left to the interpreter.
            _ => return Err(GivesUp),
        }
        if matches!(event, Some(Event::Effect(_))) {
            s.look = CellId::NONE;
        }
        Ok(event)
    }

    /// Asks for the occupant of a cell, unless what is known of it says enough.
    fn ask_occupant(&self, s: &mut Situation, cell: CellId, set: Mask) -> Option<Event> {
        let possible = if cell.is_some() { s.possible(cell, self) } else { 0 };
        let answer = match (possible & set, possible & !set) {
            (0, _) => false,
            (_, 0) => true,
            (set, _) => return Some(Event::Ask(Question::Occupant { cell, set })),
        };
        if let Some((ask, target)) = jump_of(self.rules.program.ops[s.address as usize]) {
            s.address = if ask.wanted() == answer { target } else { s.address + 1 };
        }
        s.look = CellId::NONE;
        None
    }
}

/// Returns the question and target of a test of a place.
fn jump_of(op: Op) -> Option<(Ask, Address)> {
    match op {
        Op::IfClass { ask, target, .. }
        | Op::IfKind { ask, target, .. }
        | Op::IfOnBoard { ask, target }
        | Op::IfZone { ask, target, .. }
        | Op::IfCell { ask, target, .. }
        | Op::IfMarked { ask, target }
        | Op::IfLastFrom { ask, target }
        | Op::IfLastTo { ask, target }
        | Op::IfPositionFlag { ask, target, .. }
        | Op::IfAttribute { ask, target, .. }
        | Op::IfAttacked { ask, target, .. }
        | Op::IfDefended { ask, target, .. }
        | Op::IfAdjacentToEnemy { ask, target }
        | Op::IfGoalPosition { ask, target } => Some((ask, target)),
        _ => None,
    }
}
