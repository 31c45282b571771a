//! Conditions of move blocks: jumps, tested from left to right and no further than needed.

use super::moves::Compiler;
use crate::model::expression::{Condition, Place, Test, Who};
use crate::model::quirk::{EmptyOffBoard, Opposite};
use crate::model::{CellId, DirectionId, Site};
use crate::program::assembler::Label;
use crate::program::{Ask, At, ClassMask, Op, TypeFilter};

impl Compiler<'_> {
    /// Emits code that jumps to `target` if the truth of `condition` is `wanted`, and goes on otherwise.
    pub(super) fn emit_jump_if(&mut self, condition: &Condition, wanted: bool, target: Label, site: Site) {
        match condition {
            Condition::Constant(value) => {
                if *value == wanted {
                    self.assembler.emit_jump(Op::Jump { target: 0 }, target, site);
                }
            }
            Condition::Not(inner) => self.emit_jump_if(inner, !wanted, target, site),
            // `and` is false as soon as one part is; `or` is true as soon as one part is.
            Condition::And(parts) => self.emit_junction(parts, false, wanted, target, site),
            Condition::Or(parts) => self.emit_junction(parts, true, wanted, target, site),
            Condition::Flag(flag) => {
                self.assembler.emit_jump(
                    Op::IfFlag {
                        wanted,
                        flag: *flag,
                        target: 0,
                    },
                    target,
                    site,
                );
            }
            Condition::Test(Test::Empty, place) if self.quirks().empty_off_board == EmptyOffBoard::True => {
                // Empty is then whatever is not occupied.
                let ask = Ask::new(self.emit_look(place, site), !wanted);
                self.assembler.emit_jump(
                    Op::IfClass {
                        ask,
                        mask: ClassMask::OCCUPIED,
                        target: 0,
                    },
                    target,
                    site,
                );
            }
            Condition::Compare(comparison, a, b) => {
                self.emit_compared(a, b, site);
                self.emit_compared(b, a, site);
                let op = Op::IfCompare {
                    comparison: *comparison,
                    wanted,
                    target: 0,
                };
                self.assembler.emit_jump(op, target, site);
            }
            Condition::ComparePlaces(comparison, a, b) => {
                self.emit_cell(a, site);
                self.emit_cell(b, site);
                let op = Op::IfCompareCells {
                    comparison: *comparison,
                    wanted,
                    target: 0,
                };
                self.assembler.emit_jump(op, target, site);
            }
            Condition::Some(set, condition) => {
                self.emit_jump_if_some(set, condition.as_deref(), wanted, target, site);
            }
            Condition::Every(set, condition) => self.emit_jump_if_every(set, condition, wanted, target, site),
            Condition::Automatic => self
                .assembler
                .emit_jump(Op::IfAutomatic { wanted, target: 0 }, target, site),
            Condition::Test(test, place) => {
                let at = self.emit_look(place, site);
                self.assembler
                    .emit_jump(test_op(*test, Ask::new(at, wanted)), target, site);
            }
        }
    }

    /// Emits the parts of an `and` or `or`; `decisive` is the truth of one part that decides the whole.
    fn emit_junction(&mut self, parts: &[Condition], decisive: bool, wanted: bool, target: Label, site: Site) {
        if wanted == decisive {
            for part in parts {
                self.emit_jump_if(part, decisive, target, site);
            }
            return;
        }
        let decided = self.assembler.label();
        match parts.split_last() {
            None => self.assembler.emit_jump(Op::Jump { target: 0 }, target, site),
            Some((last, before)) => {
                for part in before {
                    self.emit_jump_if(part, decisive, decided, site);
                }
                self.emit_jump_if(last, wanted, target, site);
            }
        }
        self.assembler.bind(decided);
    }

    /// Emits the look at a place other than the current cell.
    pub(super) fn emit_look(&mut self, place: &Place, site: Site) -> At {
        let op = match place {
            Place::Here => return At::Here,
            &Place::Cell(cell) => Op::LookCell { cell },
            Place::Direction(_) | Place::Opposite(_) => match self.direction(place) {
                Some(direction) if self.is_floating => Op::LookStep { direction },
                Some(direction) => Op::LookDirection { direction },
                None => Op::LookCell { cell: CellId::NONE },
            },
            Place::Pointer(pointer) => Op::LookPointer { pointer: *pointer },
            Place::Let(slot) => Op::LookLet { slot: *slot },
            Place::Grid(indices) => {
                indices.iter().for_each(|index| self.emit_number(index, site));
                Op::LookGrid {
                    dimensions: indices.len() as u16,
                }
            }
            Place::First(set) => return self.emit_first(set, site),
        };
        self.assembler.emit(op, site);
        At::Look
    }

    /// Returns the direction of a place as the player means it: mirrored first, then inverted.
    pub(super) fn direction(&self, place: &Place) -> Option<DirectionId> {
        let board = &self.model.board;
        match *place {
            Place::Direction(direction) => Some(board.mirrored(self.player, direction)),
            Place::Opposite(direction) => match self.quirks().opposite {
                Opposite::SymmetryFirst => board.opposites[board.mirrored(self.player, direction).index()],
                Opposite::InverseFirst => {
                    board.opposites[direction.index()].map(|opposite| board.mirrored(self.player, opposite))
                }
            },
            _ => None,
        }
    }
}

fn test_op(test: Test, ask: Ask) -> Op {
    let target = 0;
    match test {
        Test::Empty => Op::IfClass {
            ask,
            mask: ClassMask::EMPTY,
            target,
        },
        Test::Friend => Op::IfClass {
            ask,
            mask: ClassMask::FRIEND,
            target,
        },
        Test::Enemy => Op::IfClass {
            ask,
            mask: ClassMask::ENEMY,
            target,
        },
        Test::Neutral => Op::IfClass {
            ask,
            mask: ClassMask::NEUTRAL,
            target,
        },
        Test::Piece(kind) => Op::IfKind { ask, kind, target },
        Test::Owner(who) => {
            let mask = match who {
                Who::Friend => ClassMask::FRIEND,
                Who::Enemy => ClassMask::ENEMY,
                Who::Neutral => ClassMask::NEUTRAL,
                Who::Any => ClassMask::OCCUPIED,
                Who::Player(player) => return Op::IfOwner { ask, player, target },
            };
            Op::IfClass { ask, mask, target }
        }
        Test::OnBoard => Op::IfOnBoard { ask, target },
        Test::InZone(zone) => Op::IfZone { ask, zone, target },
        Test::Position(cell) => Op::IfCell { ask, cell, target },
        Test::Marked => Op::IfMarked { ask, target },
        Test::LastFrom => Op::IfLastFrom { ask, target },
        Test::LastTo => Op::IfLastTo { ask, target },
        Test::PositionFlag(flag) => Op::IfPositionFlag { ask, flag, target },
        Test::Attribute(attribute) => Op::IfAttribute { ask, attribute, target },
        Test::Attacked(by) => Op::IfAttacked {
            ask,
            by: TypeFilter::new(by),
            target,
        },
        Test::Defended(by) => Op::IfDefended {
            ask,
            by: TypeFilter::new(by),
            target,
        },
        Test::AdjacentToEnemy => Op::IfAdjacentToEnemy { ask, target },
        Test::GoalPosition => Op::IfGoalPosition { ask, target },
    }
}
