//! Instructions of move blocks.

use rustc_hash::FxHashMap;

use super::effects;
use super::tables::Tables;
use crate::model::expression::{Condition, Place, Pointer, Set};
use crate::model::piece::{Add, Block, DropLimit, Instruction, InstructionKind, LabelItem, Range, Value};
use crate::model::quirk::{EffectOffBoard, Quirks};
use crate::model::{GameModel, LetId, MoveTypeId, Occupants, PieceKindId, PlayerId, Site};
use crate::program::assembler::{Assembler, Label};
use crate::program::join::Joined;
use crate::program::{AddId, AddTable, Address, Ask, At, ContinuationId, Entry, ListId, Op, Program, Role, TestId};

/// The kind of code that no piece runs.
pub(crate) const NO_KIND: PieceKindId = PieceKindId(u16::MAX);

/// Tells whether some move of a game goes beyond the classic language.
fn is_beyond_classic(model: &GameModel) -> bool {
    let extensions = &model.extensions;
    let blocks = model.kinds.iter().flat_map(|kind| kind.moves.iter().chain(&kind.drops));
    !extensions.after_moves.is_empty()
        || !extensions.actions.is_empty()
        || model.kinds.iter().any(|kind| kind.shape.is_some())
        || (blocks.flat_map(|block| &block.instructions)).any(effects::is_beyond_classic)
}

/// Emits the blocks of one game.
pub(super) struct Compiler<'a> {
    pub(super) model: &'a GameModel,
    pub(super) occupants: &'a Occupants,
    pub(super) assembler: Assembler,
    pub(super) player: PlayerId,
    pub(super) kind: PieceKindId,
    uses_flags: bool,
    /// Whether moves are finished by `Complete`: the code goes beyond the classic language.
    is_extended: bool,
    /// Whether a block of the game goes beyond the classic language. Then all do, so that their moves can be compared.
    is_beyond_classic: bool,
    /// Whether there may be no current cell.
    pub(super) is_floating: bool,
    /// The number of lists that are in use where code is emitted.
    pub(super) n_open_lists: u8,
    /// The number of `let`s of the block, those that the compiler makes included.
    pub(super) n_lets: usize,
    pub(super) most_lets: usize,
    pub(super) most_lists: u8,
    pub(super) tables: Tables,
    /// Tests whose code is not emitted yet.
    pub(super) pending_tests: Vec<(TestId, Site)>,
    entries: Vec<Entry>,
    adds: Vec<AddTable>,
    add_indices: FxHashMap<AddTable, AddId>,
    continuations: Vec<Vec<MoveTypeId>>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(model: &'a GameModel, occupants: &'a Occupants) -> Compiler<'a> {
        Compiler {
            model,
            occupants,
            assembler: Assembler::new(),
            player: PlayerId(0),
            kind: PieceKindId(0),
            uses_flags: false,
            is_extended: false,
            is_beyond_classic: is_beyond_classic(model),
            is_floating: false,
            n_open_lists: 0,
            n_lets: 0,
            most_lets: 0,
            most_lists: 0,
            tables: Tables::default(),
            pending_tests: Vec::new(),
            entries: Vec::new(),
            adds: Vec::new(),
            add_indices: FxHashMap::default(),
            continuations: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> Program {
        let (ops, sites) = self.assembler.finish();
        Program {
            joined: Joined::new(&ops),
            ops,
            sites,
            entries: self.entries,
            adds: self.adds,
            continuations: self.continuations,
            neighborhoods: self.tables.neighborhoods,
            piece_lists: self.tables.piece_lists,
            texts: self.tables.texts.into_iter().collect(),
            tests: self.tables.tests,
            n_lets: self.most_lets,
            n_lists: usize::from(self.most_lists),
            ..Program::default()
        }
    }

    /// Emits all blocks of a kind for a player: moves, then drops.
    pub(super) fn emit_kind(&mut self, player: PlayerId, kind: PieceKindId) {
        self.player = player;
        self.kind = kind;
        let piece = &self.model.kinds[kind.index()];
        for (role, blocks) in [(Role::Move, &piece.moves), (Role::Drop, &piece.drops)] {
            for (index, block) in blocks.iter().enumerate() {
                self.emit_block(index as u32, block, role);
            }
        }
    }

    /// Emits all moves of a player that belong to no piece.
    pub(super) fn emit_actions(&mut self, player: PlayerId) {
        self.player = player;
        self.kind = NO_KIND;
        let sections = self
            .model
            .extensions
            .actions
            .iter()
            .filter(|actions| actions.players.contains(&player));
        for (index, block) in sections.flat_map(|actions| &actions.blocks).enumerate() {
            self.emit_block(index as u32, block, Role::Action);
        }
    }

    /// Emits code that is no move block and returns where it starts. What jumps to the label given ends the run.
    pub(super) fn emit_routine(
        &mut self,
        player: PlayerId,
        lets: usize,
        site: Site,
        emit: impl FnOnce(&mut Self, Label),
    ) -> Address {
        (self.player, self.kind) = (player, NO_KIND);
        (self.is_extended, self.is_floating) = (true, true);
        let address = self.assembler.here();
        self.begin_lets(lets);
        let end = self.assembler.label();
        emit(self, end);
        self.assembler.bind(end);
        self.assembler.emit(Op::End, site);
        self.assembler.finish_block();
        address
    }

    /// Begins code with so many `let`s of its own.
    fn begin_lets(&mut self, lets: usize) {
        self.n_lets = lets;
        self.most_lets = self.most_lets.max(lets);
    }

    fn emit_block(&mut self, index: u32, block: &Block, role: Role) {
        let address = self.assembler.here();
        self.uses_flags = false;
        self.is_extended = self.is_beyond_classic;
        self.is_floating = role == Role::Action;
        self.begin_lets(block.lets.len());
        let end = self.assembler.label();
        self.emit_instructions(&block.instructions, end);
        self.assembler.bind(end);
        self.assembler.emit(Op::End, block.site);
        self.assembler.finish_block();
        let only_at = block.only_at.map(|limit| match limit {
            DropLimit::Cell(cell) => vec![cell],
            DropLimit::Zone(zone) => self.model.board.zones[zone.index()].of(self.player).to_vec(),
        });
        self.entries.push(Entry {
            address,
            player: self.player,
            kind: self.kind,
            block: index,
            role,
            move_type: block.move_type,
            uses_flags: self.uses_flags,
            is_extended: self.is_extended,
            only_empty: self.assembler.begins_with_empty_check(address),
            shape_tests: self.assembler.shape_tests(address),
            only_at,
        });
    }

    pub(super) fn emit_instructions(&mut self, instructions: &[Instruction], end: Label) {
        for (index, instruction) in instructions.iter().enumerate() {
            let next = instructions.get(index + 1);
            let is_passed = effects::is_effect_choice(instruction)
                || next.is_some_and(|next| effects::is_effect_loop(instruction, next));
            if !is_passed {
                self.emit_instruction(instruction, end);
                continue;
            }
            let exit = self.assembler.label();
            self.assembler
                .emit_jump(Op::PassEffects { target: 0 }, exit, instruction.site);
            self.emit_instruction(instruction, end);
            self.assembler.bind(exit);
        }
    }

    fn emit_instruction(&mut self, instruction: &Instruction, end: Label) {
        let site = instruction.site;
        match &instruction.kind {
            InstructionKind::Step(place) => self.emit_step(place, end, site),
            InstructionKind::Go(pointer) => {
                let op = match pointer {
                    Pointer::From => Op::GoFrom,
                    Pointer::To => Op::GoTo,
                    Pointer::Mark => Op::GoMark,
                    Pointer::LastFrom => Op::GoLastFrom,
                    Pointer::LastTo => Op::GoLastTo,
                };
                self.assembler.emit(op, site);
            }
            InstructionKind::From => self.assembler.emit(Op::SetFrom, site),
            InstructionKind::To => self.assembler.emit(Op::SetTo, site),
            InstructionKind::Mark(place) => self.emit_at(place, site, |at| Op::SetMark { at }),
            InstructionKind::Cascade => self.assembler.emit(Op::Cascade, site),
            InstructionKind::Add(add) => {
                let index = self.add_index(add);
                let lists = self.n_open_lists;
                let op = match self.is_extended {
                    true => Op::Complete { index, lists },
                    false => Op::Add { index },
                };
                self.assembler.emit(op, site);
            }
            InstructionKind::Capture(place) => self.emit_effect(place, end, site, |at| Op::Capture { at }),
            InstructionKind::Flip(place) => self.emit_effect(place, end, site, |at| Op::Flip { at }),
            InstructionKind::ChangeOwner(_) if self.player == self.model.nobody() => {}
            InstructionKind::ChangeOwner(place) => self.emit_effect(place, end, site, |at| Op::ChangeOwner { at }),
            InstructionKind::ChangeType(kind, place) => {
                self.emit_effect(place, end, site, |at| Op::ChangeKind { at, kind: *kind });
            }
            InstructionKind::Create(player, kind, place) => {
                let (player, kind) = (player.unwrap_or(self.player), kind.unwrap_or(self.kind));
                if kind == NO_KIND || player == self.model.nobody() {
                    // Reported while the file was read: nobody and nothing is there to stand for it.
                    return;
                }
                self.emit_effect(place, end, site, |at| Op::Create { at, player, kind });
            }
            InstructionKind::SetAttribute(attribute, Value::Number(number), place) => {
                self.emit_number(number, site);
                let attribute = *attribute;
                self.emit_effect(place, end, site, |at| Op::SetAttributeTo { at, attribute });
            }
            InstructionKind::SetAttribute(attribute, Value::Condition(value), place) => {
                self.emit_set(value, site, |compiler, value| {
                    let (attribute, value) = (*attribute, i16::from(value));
                    compiler.emit_effect(place, end, site, |at| Op::SetAttribute { at, attribute, value });
                });
            }
            InstructionKind::SetFlag(flag, value) => {
                self.uses_flags = true;
                self.emit_set(value, site, |compiler, value| {
                    compiler.assembler.emit(Op::SetFlag { value, flag: *flag }, site);
                });
            }
            InstructionKind::SetPositionFlag(flag, value, place) => {
                self.uses_flags = true;
                self.emit_set(value, site, |compiler, value| {
                    compiler.emit_at(place, site, |at| Op::SetPositionFlag { at, value, flag: *flag });
                });
            }
            InstructionKind::Verify(condition) => self.emit_jump_if(condition, false, end, site),
            InstructionKind::If(condition, then, otherwise) => {
                let to_else = self.assembler.label();
                self.emit_jump_if(condition, false, to_else, site);
                self.emit_instructions(then, end);
                if otherwise.is_empty() {
                    self.assembler.bind(to_else);
                } else {
                    let done = self.assembler.label();
                    self.assembler.emit_jump(Op::Jump { target: 0 }, done, site);
                    self.assembler.bind(to_else);
                    self.emit_instructions(otherwise, end);
                    self.assembler.bind(done);
                }
            }
            InstructionKind::While(condition, body) => {
                let (head, done) = (self.assembler.label(), self.assembler.label());
                self.assembler.bind(head);
                self.emit_jump_if(condition, false, done, site);
                self.emit_instructions(body, end);
                self.assembler.emit_jump(Op::Loop { target: 0 }, head, site);
                self.assembler.bind(done);
            }
            InstructionKind::LetNumber(slot, number) => {
                self.emit_number(number, site);
                self.assembler.emit(Op::SetLet { slot: *slot }, site);
            }
            InstructionKind::LetPlace(slot, place) => {
                self.emit_at(place, site, |at| Op::PushCell { at });
                self.assembler.emit(Op::SetLet { slot: *slot }, site);
            }
            InstructionKind::Set(variable, number) => {
                self.emit_number(number, site);
                if let Some(slot) = self.variable_slot(*variable) {
                    self.assembler.emit(Op::SetVariable { slot }, site);
                }
            }
            InstructionKind::IncreaseVariable(variable, number) => {
                self.emit_number(number, site);
                if let Some(slot) = self.variable_slot(*variable) {
                    self.assembler.emit(Op::IncreaseVariable { slot }, site);
                }
            }
            InstructionKind::IncreaseAttribute(attribute, number, place) => {
                self.emit_number(number, site);
                let attribute = *attribute;
                self.emit_effect(place, end, site, |at| Op::IncreaseAttribute { at, attribute });
            }
            InstructionKind::Choose(alternatives) => self.emit_choose(alternatives, end, site),
            InstructionKind::Pick(set) => {
                let list = self.emit_list(set, site);
                self.assembler.emit(Op::Begin { list }, site);
                self.assembler.emit(Op::PickNext { list }, site);
                self.close_list(list);
            }
            InstructionKind::PickSome(range, set, body) => self.emit_pick_some(range, set, body, end, site),
            InstructionKind::Repeat(range, body) => self.emit_repeat(range, body, end, site),
            InstructionKind::ForEach(set, body) => {
                let list = self.emit_list(set, site);
                self.emit_round(list, site, |compiler| compiler.emit_instructions(body, end));
            }
            InstructionKind::Then => self.assembler.emit(Op::Then, site),
            InstructionKind::MovePiece(from, to) => {
                self.emit_at(from, site, |at| Op::PushCell { at });
                self.emit_at(to, site, |at| Op::MovePiece { at });
            }
            InstructionKind::Label(items) => items.iter().for_each(|item| self.emit_label(item, site)),
            InstructionKind::Again => self.assembler.emit(Op::Again, site),
            InstructionKind::Rate(numbers) => {
                numbers.iter().for_each(|number| self.emit_number(number, site));
                let numbers = numbers.len() as u16;
                self.assembler.emit(Op::Rate { numbers }, site);
            }
        }
    }

    fn emit_choose(&mut self, alternatives: &[Vec<Instruction>], end: Label, site: Site) {
        let done = self.assembler.label();
        let Some((last, before)) = alternatives.split_last() else {
            return self.assembler.emit_jump(Op::Jump { target: 0 }, end, site);
        };
        for alternative in before {
            let next = self.assembler.label();
            let lists = self.n_open_lists;
            self.assembler.emit_jump(Op::Choose { lists, target: 0 }, next, site);
            self.emit_instructions(alternative, end);
            self.assembler.emit_jump(Op::Jump { target: 0 }, done, site);
            self.assembler.bind(next);
        }
        self.emit_instructions(last, end);
        self.assembler.bind(done);
    }

    fn emit_pick_some(&mut self, range: &Range, set: &Set, body: &[Instruction], end: Label, site: Site) {
        let chosen = self.open_list();
        let list = self.emit_list(set, site);
        self.emit_range(range, site);
        self.assembler.emit(Op::Subsets { list }, site);
        self.assembler.emit(Op::NextSubset { list }, site);
        self.close_list(list);
        self.emit_round(chosen, site, |compiler| compiler.emit_instructions(body, end));
    }

    fn emit_repeat(&mut self, range: &Range, body: &[Instruction], end: Label, site: Site) {
        let slot = self.new_lets(3);
        let (head, done) = (self.assembler.label(), self.assembler.label());
        self.emit_range(range, site);
        self.assembler.emit(Op::BeginRepeat { slot }, site);
        self.assembler.bind(head);
        let lists = self.n_open_lists;
        let target = 0;
        self.assembler
            .emit_jump(Op::NextRepeat { slot, lists, target }, done, site);
        self.emit_instructions(body, end);
        self.assembler.emit_jump(Op::Loop { target: 0 }, head, site);
        self.assembler.bind(done);
    }

    /// Emits the least and the greatest number of a range.
    fn emit_range(&mut self, range: &Range, site: Site) {
        self.emit_number(&range.low, site);
        match &range.high {
            Some(high) => self.emit_number(high, site),
            None => self.assembler.emit(Op::Push { value: i32::MAX }, site),
        }
    }

    /// Emits code that runs `body` at each cell of a list, then comes back, and closes the list.
    fn emit_round(&mut self, list: ListId, site: Site, body: impl FnOnce(&mut Self)) {
        let (next, done) = (self.assembler.label(), self.assembler.label());
        self.assembler.emit(Op::Begin { list }, site);
        self.assembler.bind(next);
        self.assembler.emit_jump(Op::Next { list, target: 0 }, done, site);
        body(self);
        self.assembler.emit_jump(Op::Loop { target: 0 }, next, site);
        self.assembler.bind(done);
        self.close_list(list);
    }

    fn emit_label(&mut self, item: &LabelItem, site: Site) {
        match item {
            LabelItem::Text(text) => {
                let text = self.tables.text(text);
                self.assembler.emit(Op::LabelText { text }, site);
            }
            LabelItem::Number(number) => {
                self.emit_number(number, site);
                self.assembler.emit(Op::LabelNumber, site);
            }
            LabelItem::Place(place) => self.emit_at(place, site, |at| Op::LabelCell { at }),
            LabelItem::Kind(kind) => self.assembler.emit(Op::LabelKind { kind: *kind }, site),
        }
    }

    /// Makes `let`s that the rules do not name.
    pub(super) fn new_lets(&mut self, count: usize) -> LetId {
        let slot = LetId(self.n_lets as u16);
        self.n_lets += count;
        self.most_lets = self.most_lets.max(self.n_lets);
        slot
    }

    fn emit_step(&mut self, place: &Place, end: Label, site: Site) {
        match place {
            Place::Here => {}
            &Place::Cell(cell) => self.assembler.emit(Op::Goto { cell }, site),
            Place::Direction(_) | Place::Opposite(_) => match self.direction(place) {
                Some(direction) if self.is_floating => {
                    self.assembler.emit_jump(Op::StepOr { direction, target: 0 }, end, site);
                }
                Some(direction) => self.assembler.emit(Op::Step { direction }, site),
                None => self.assembler.emit_jump(Op::Jump { target: 0 }, end, site),
            },
            Place::Pointer(_) | Place::Let(_) | Place::Grid(_) | Place::First(_) => {
                self.emit_look(place, site);
                self.assembler.emit(Op::GoLook, site);
            }
        }
    }

    /// Emits an effect on a place, which ends the block off the board if the rules want it so.
    fn emit_effect(&mut self, place: &Place, end: Label, site: Site, op: impl FnOnce(At) -> Op) {
        if self.quirks().effect_off_board == EffectOffBoard::End && !place.is_here() {
            let at = self.emit_look(place, site);
            self.assembler.emit_jump(
                Op::IfOnBoard {
                    ask: Ask::new(at, false),
                    target: 0,
                },
                end,
                site,
            );
        }
        self.emit_at(place, site, op);
    }

    pub(super) fn quirks(&self) -> &Quirks {
        &self.model.options.quirks
    }

    /// Emits an operation about a place, after the look that it needs.
    pub(super) fn emit_at(&mut self, place: &Place, site: Site, op: impl FnOnce(At) -> Op) {
        let at = self.emit_look(place, site);
        self.assembler.emit(op(at), site);
    }

    /// Emits code that sets something to the truth of `value`.
    fn emit_set(&mut self, value: &Condition, site: Site, mut set: impl FnMut(&mut Self, bool)) {
        if let Condition::Constant(value) = value {
            return set(self, *value);
        }
        let (to_false, done) = (self.assembler.label(), self.assembler.label());
        self.emit_jump_if(value, false, to_false, site);
        set(self, true);
        self.assembler.emit_jump(Op::Jump { target: 0 }, done, site);
        self.assembler.bind(to_false);
        set(self, false);
        self.assembler.bind(done);
    }

    fn add_index(&mut self, add: &Add) -> AddId {
        let continuation = add.partial.then(|| {
            let known = self.continuations.iter().position(|types| *types == add.move_types);
            let index = known.unwrap_or_else(|| {
                self.continuations.push(add.move_types.clone());
                self.continuations.len() - 1
            });
            ContinuationId(index as u16)
        });
        let table = AddTable {
            kinds: add.kinds.clone(),
            copy: add.copy,
            continuation,
        };
        *self.add_indices.entry(table).or_insert_with_key(|table| {
            self.adds.push(table.clone());
            AddId(self.adds.len() as u32 - 1)
        })
    }
}
