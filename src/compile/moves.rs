//! Instructions of move blocks.

use rustc_hash::FxHashMap;

use super::effects;
use crate::model::expression::{Condition, Place, Pointer};
use crate::model::piece::{Add, Block, DropLimit, Instruction, InstructionKind, Value};
use crate::model::quirk::{EffectOffBoard, Quirks};
use crate::model::{GameModel, MoveTypeId, PieceKindId, PlayerId, Site};
use crate::program::assembler::{Assembler, Label};
use crate::program::{AddTable, Ask, At, ContinuationId, Entry, Op, Program};

/// Emits the blocks of one game.
pub(super) struct Compiler<'a> {
    pub(super) model: &'a GameModel,
    pub(super) assembler: Assembler,
    pub(super) player: PlayerId,
    kind: PieceKindId,
    uses_flags: bool,
    entries: Vec<Entry>,
    adds: Vec<AddTable>,
    add_indices: FxHashMap<AddTable, u32>,
    continuations: Vec<Vec<MoveTypeId>>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(model: &'a GameModel) -> Compiler<'a> {
        Compiler {
            model,
            assembler: Assembler::new(),
            player: PlayerId(0),
            kind: PieceKindId(0),
            uses_flags: false,
            entries: Vec::new(),
            adds: Vec::new(),
            add_indices: FxHashMap::default(),
            continuations: Vec::new(),
        }
    }

    pub(super) fn finish(self) -> Program {
        let (ops, sites) = self.assembler.finish();
        Program {
            ops,
            sites,
            entries: self.entries,
            adds: self.adds,
            continuations: self.continuations,
            ..Program::default()
        }
    }

    /// Emits all blocks of a kind for a player: moves, then drops.
    pub(super) fn emit_kind(&mut self, player: PlayerId, kind: PieceKindId) {
        self.player = player;
        self.kind = kind;
        let piece = &self.model.kinds[kind.index()];
        for (is_drop, blocks) in [(false, &piece.moves), (true, &piece.drops)] {
            for (index, block) in blocks.iter().enumerate() {
                self.emit_block(index as u32, block, is_drop);
            }
        }
    }

    fn emit_block(&mut self, index: u32, block: &Block, is_drop: bool) {
        let address = self.assembler.here();
        self.uses_flags = false;
        let end = self.assembler.label();
        self.emit_instructions(&block.instructions, end);
        self.assembler.bind(end);
        self.assembler.emit(Op::End, block.site);
        self.assembler.finish_block();
        let only_at = block.only_at.map(|limit| match limit {
            DropLimit::Cell(cell) => vec![cell],
            DropLimit::Zone(zone) => self.model.board.zones[zone.index()].cells[self.player.index()].clone(),
        });
        self.entries.push(Entry {
            address,
            player: self.player,
            kind: self.kind,
            block: index,
            is_drop,
            move_type: block.move_type,
            uses_flags: self.uses_flags,
            only_empty: self.assembler.begins_with_empty_check(address),
            only_at,
        });
    }

    fn emit_instructions(&mut self, instructions: &[Instruction], end: Label) {
        for (index, instruction) in instructions.iter().enumerate() {
            match instructions.get(index + 1) {
                Some(next) if effects::is_effect_loop(instruction, next) => {
                    let exit = self.assembler.label();
                    self.assembler
                        .emit_jump(Op::PassEffects { target: 0 }, exit, instruction.site);
                    self.emit_instruction(instruction, end);
                    self.assembler.bind(exit);
                }
                _ => self.emit_instruction(instruction, end),
            }
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
                self.assembler.emit(Op::Add { index }, site);
            }
            InstructionKind::Capture(place) => self.emit_effect(place, end, site, |at| Op::Capture { at }),
            InstructionKind::Flip(place) => self.emit_effect(place, end, site, |at| Op::Flip { at }),
            InstructionKind::ChangeOwner(place) => self.emit_effect(place, end, site, |at| Op::ChangeOwner { at }),
            InstructionKind::ChangeType(kind, place) => {
                self.emit_effect(place, end, site, |at| Op::ChangeKind { at, kind: *kind });
            }
            InstructionKind::Create(player, kind, place) => {
                let (player, kind) = (player.unwrap_or(self.player), kind.unwrap_or(self.kind));
                self.emit_effect(place, end, site, |at| Op::Create { at, player, kind });
            }
            InstructionKind::SetAttribute(attribute, value, place) => {
                let Value::Condition(value) = value else { return };
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
            _ => {}
        }
    }

    fn emit_step(&mut self, place: &Place, end: Label, site: Site) {
        match place {
            Place::Here => {}
            &Place::Cell(cell) => self.assembler.emit(Op::Goto { cell }, site),
            Place::Direction(_) | Place::Opposite(_) => match self.direction(place) {
                Some(direction) => self.assembler.emit(Op::Step { direction }, site),
                None => self.assembler.emit_jump(Op::Jump { target: 0 }, end, site),
            },
            _ => {}
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
    fn emit_at(&mut self, place: &Place, site: Site, op: impl FnOnce(At) -> Op) {
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

    fn add_index(&mut self, add: &Add) -> u32 {
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
            self.adds.len() as u32 - 1
        })
    }
}
