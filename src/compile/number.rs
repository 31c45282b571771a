//! Numbers: code that leaves them on the stack.

use super::moves::Compiler;
use crate::model::expression::{Arithmetic, Condition, Heading, Number, Place, Set, WhichPlayer, Who};
use crate::model::piece::VariableRef;
use crate::model::{DirectionId, Occupant, PieceKindId, PlayerId, Site};
use crate::program::{At, Counter, NeighborhoodId, Op, PieceListId, VariableSlot};

impl Compiler<'_> {
    /// Emits code that puts a number on the stack.
    pub(super) fn emit_number(&mut self, number: &Number, site: Site) {
        let op = match number {
            Number::Literal(value) => Op::Push { value: *value },
            Number::Attribute(attribute, place) => {
                let attribute = *attribute;
                return self.emit_at(place, site, |at| Op::PushAttribute { at, attribute });
            }
            Number::Constant(constant, place) => {
                let constant = *constant;
                return self.emit_at(place, site, |at| Op::PushConstant { at, constant });
            }
            Number::Variable(id) => Op::PushVariable {
                slot: VariableSlot(id.0),
            },
            Number::PlayerVariable(id, player) => match self.variable_slot(VariableRef::Player(*id, *player)) {
                Some(slot) => Op::PushVariable { slot },
                None => Op::Push { value: 0 },
            },
            Number::Let(slot) => Op::PushLet { slot: *slot },
            Number::Arithmetic(operation, a, b) => {
                self.emit_number(a, site);
                self.emit_number(b, site);
                Op::Calculate { operation: *operation }
            }
            Number::Negate(inner) => {
                self.emit_number(inner, site);
                Op::Negate
            }
            Number::Absolute(inner) => {
                self.emit_number(inner, site);
                Op::Absolute
            }
            Number::Sign(inner) => {
                self.emit_number(inner, site);
                Op::Sign
            }
            Number::Select(condition, a, b) => {
                return self.emit_select(condition, site, |compiler, holds| {
                    compiler.emit_number(if holds { a } else { b }, site);
                });
            }
            Number::Count(set) => return self.emit_count(set, site),
            Number::Sum(set, member) => {
                self.assembler.emit(Op::Push { value: 0 }, site);
                return self.emit_each(set, site, &mut |compiler, _, _| {
                    compiler.emit_number(member, site);
                    let operation = Arithmetic::Add;
                    compiler.assembler.emit(Op::Calculate { operation }, site);
                });
            }
            Number::Least(set, member) => return self.emit_extreme(set, member, Arithmetic::Least, i32::MAX, site),
            Number::Greatest(set, member) => {
                return self.emit_extreme(set, member, Arithmetic::Greatest, i32::MIN, site);
            }
            Number::Coordinate(axis, place) => {
                let axis = *axis;
                return self.emit_at(place, site, |at| Op::PushCoordinate { at, axis });
            }
            Number::Distance(a, b, headings) => {
                self.emit_cell(a, site);
                self.emit_cell(b, site);
                Op::PushDistance {
                    table: self.neighborhood(headings.as_deref()),
                }
            }
            Number::Owner(place) => return self.emit_at(place, site, |at| Op::PushOwner { at }),
            Number::InHand(who, kinds) => Op::PushInHand {
                pieces: self.piece_list(*who, kinds),
            },
            Number::Mobility(player) => match self.which_player(*player) {
                Some(player) => Op::PushMobility {
                    player,
                    limit: u16::MAX,
                },
                None => Op::Push { value: 0 },
            },
            Number::Ply => Op::PushCounter { counter: Counter::Ply },
            Number::QuietPlies => Op::PushCounter {
                counter: Counter::QuietPlies,
            },
            Number::Passes => Op::PushCounter {
                counter: Counter::Passes,
            },
            Number::Repetitions { board_only: false } => Op::PushCounter {
                counter: Counter::Repetitions,
            },
            Number::Repetitions { board_only: true } => Op::PushCounter {
                counter: Counter::BoardRepetitions,
            },
        };
        self.assembler.emit(op, site);
    }

    /// Emits a number that is compared with a literal: a number of moves need not be counted further than that.
    pub(super) fn emit_compared(&mut self, number: &Number, with: &Number, site: Site) {
        if let (&Number::Mobility(player), &Number::Literal(value)) = (number, with)
            && let Some(player) = self.which_player(player)
        {
            let limit = value.saturating_add(1).clamp(1, i32::from(u16::MAX)) as u16;
            return self.assembler.emit(Op::PushMobility { player, limit }, site);
        }
        self.emit_number(number, site);
    }

    /// Emits code that puts the number of a cell on the stack.
    pub(super) fn emit_cell(&mut self, place: &Place, site: Site) {
        self.emit_at(place, site, |at| Op::PushCell { at });
    }

    /// Emits one of two pieces of code, by a condition.
    pub(super) fn emit_select(&mut self, condition: &Condition, site: Site, mut emit: impl FnMut(&mut Self, bool)) {
        let (otherwise, done) = (self.assembler.label(), self.assembler.label());
        self.emit_jump_if(condition, false, otherwise, site);
        emit(self, true);
        self.assembler.emit_jump(Op::Jump { target: 0 }, done, site);
        self.assembler.bind(otherwise);
        emit(self, false);
        self.assembler.bind(done);
    }

    fn emit_count(&mut self, set: &Set, site: Site) {
        match set {
            Set::Pieces(who, kinds) => {
                let pieces = self.piece_list(*who, kinds);
                self.assembler.emit(Op::PushOnBoard { pieces }, site);
            }
            Set::Where(base, condition) if **base == Set::Cells && self.is_cell_test(condition) => {
                let test = self.cell_test(condition, site);
                self.assembler.emit(Op::PushShape { test }, site);
            }
            // The members are counted where they are found.
            Set::Where(..) => {
                self.assembler.emit(Op::Push { value: 0 }, site);
                self.emit_each(set, site, &mut |compiler, _, _| {
                    compiler.assembler.emit(Op::Increment, site)
                });
            }
            _ => {
                let list = self.emit_list(set, site);
                self.assembler.emit(Op::PushSize { list }, site);
                self.close_list(list);
            }
        }
    }

    fn emit_extreme(&mut self, set: &Set, member: &Number, operation: Arithmetic, start: i32, site: Site) {
        let list = self.emit_list(set, site);
        self.assembler.emit(Op::Push { value: start }, site);
        let (next, done) = (self.assembler.label(), self.assembler.label());
        self.assembler.emit(Op::Begin { list }, site);
        self.assembler.bind(next);
        self.assembler.emit_jump(Op::Next { list, target: 0 }, done, site);
        self.emit_number(member, site);
        self.assembler.emit(Op::Calculate { operation }, site);
        self.assembler.emit_jump(Op::Loop { target: 0 }, next, site);
        self.assembler.bind(done);
        self.assembler.emit(Op::ZeroIfEmpty { list }, site);
        self.close_list(list);
    }

    // Names.

    /// Returns the player that is meant; none where there is no mover.
    pub(super) fn which_player(&self, player: WhichPlayer) -> Option<PlayerId> {
        match player {
            WhichPlayer::Player(player) => Some(player),
            WhichPlayer::Friend => (self.player.index() < self.model.players.len()).then_some(self.player),
        }
    }

    /// Returns where a variable is kept; none for that of the mover where there is none.
    pub(super) fn variable_slot(&self, variable: VariableRef) -> Option<VariableSlot> {
        match variable {
            VariableRef::Game(id) => Some(VariableSlot(id.0)),
            VariableRef::Player(id, player) => {
                let first = self.model.extensions.variables.len();
                let player = self.which_player(player)?;
                let slot = first + id.index() * self.model.players.len() + player.index();
                Some(VariableSlot(slot as u16))
            }
        }
    }

    /// Returns the pieces that are meant; of all kinds if none is given.
    pub(super) fn piece_list(&mut self, who: Who, kinds: &[PieceKindId]) -> PieceListId {
        let pieces: Vec<Occupant> = (self.occupants.pieces())
            .filter(|&piece| {
                let (owner, kind) = (self.occupants.owner(piece), self.occupants.kind(piece));
                self.is_meant(who, owner) && (kinds.is_empty() || kinds.contains(&kind))
            })
            .collect();
        self.tables.pieces(self.occupants, pieces)
    }

    /// Tells whether pieces of `owner` are meant by `who`.
    pub(super) fn is_meant(&self, who: Who, owner: PlayerId) -> bool {
        let takes_turns = self.model.is_hostile(owner);
        let has_mover = self.player.index() < self.model.players.len();
        match who {
            Who::Any => true,
            Who::Player(player) => player == owner,
            Who::Friend => owner == self.player,
            Who::Enemy => has_mover && owner != self.player && takes_turns,
            Who::Neutral => owner != self.player && !takes_turns,
        }
    }

    /// Returns the neighbours along some directions, or along any.
    pub(super) fn neighborhood(&mut self, headings: Option<&[Heading]>) -> NeighborhoodId {
        let directions = match headings {
            Some(headings) => headings.iter().filter_map(|&heading| self.heading(heading)).collect(),
            None => (0..self.model.board.directions.len())
                .filter_map(DirectionId::new)
                .filter_map(|direction| self.heading(Heading::Along(direction)))
                .collect(),
        };
        self.tables.neighborhood(&self.model.board, directions)
    }

    /// Returns the direction of a heading as the mover means it; none if there is no way back along it.
    pub(super) fn heading(&self, heading: Heading) -> Option<DirectionId> {
        self.direction(&match heading {
            Heading::Along(direction) => Place::Direction(direction),
            Heading::Against(direction) => Place::Opposite(direction),
        })
    }

    /// Emits the look at the first cell of a set.
    pub(super) fn emit_first(&mut self, set: &Set, site: Site) -> At {
        if let Set::Place(place) = set {
            return self.emit_look(place, site);
        }
        let list = self.emit_list(set, site);
        self.assembler.emit(Op::LookFirst { list }, site);
        self.close_list(list);
        At::Look
    }
}
