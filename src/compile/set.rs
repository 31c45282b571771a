//! Sets: code that lays them out in lists and goes through them.

use super::moves::Compiler;
use crate::model::expression::{Condition, Heading, Number, Place, Pointer, Set, Test, Who};
use crate::model::{PlayerId, Site};
use crate::program::assembler::Label;
use crate::program::op::{ClassQuestion, ShapeQuestion};
use crate::program::{Address, Ask, At, CellTest, ClassMask, ListId, Op, TestId};

/// What is emitted for each member of a set: it is the current cell; the label goes on with the next member.
type Body<'b, 'a> = &'b mut dyn FnMut(&mut Compiler<'a>, ListId, Label);

impl<'a> Compiler<'a> {
    /// Takes a list that is not in use.
    pub(super) fn open_list(&mut self) -> ListId {
        let list = ListId(self.n_open_lists);
        // Deeper nesting than this is cut off while the file is read.
        self.n_open_lists = self.n_open_lists.saturating_add(1);
        self.most_lists = self.most_lists.max(self.n_open_lists);
        list
    }

    /// Gives back the list that was taken last.
    pub(super) fn close_list(&mut self, list: ListId) {
        self.n_open_lists = list.0;
    }

    /// Emits code that runs `body` at each member of a set, in order.
    pub(super) fn emit_each(&mut self, set: &Set, site: Site, body: Body<'_, 'a>) {
        // What is filtered need not be laid out first.
        let (mut base, mut conditions) = (set, Vec::new());
        while let Set::Where(inner, condition) = base {
            conditions.push(&**condition);
            base = inner;
        }
        let list = self.emit_list(base, site);
        let (next, done) = (self.assembler.label(), self.assembler.label());
        self.assembler.emit(Op::Begin { list }, site);
        self.assembler.bind(next);
        let mask = conditions.last().and_then(|condition| class_of(condition));
        let op = match mask {
            Some(mask) => Op::NextOf { list, mask, target: 0 },
            None => Op::Next { list, target: 0 },
        };
        self.assembler.emit_jump(op, done, site);
        conditions.truncate(conditions.len() - usize::from(mask.is_some()));
        for condition in conditions.into_iter().rev() {
            self.emit_jump_if(condition, false, next, site);
        }
        body(self, list, next);
        self.assembler.emit_jump(Op::Loop { target: 0 }, next, site);
        self.assembler.bind(done);
        self.close_list(list);
    }

    /// Emits code that lays out a set in a list, which the caller closes.
    pub(super) fn emit_list(&mut self, set: &Set, site: Site) -> ListId {
        let list = self.open_list();
        match set {
            Set::Board => self.assembler.emit(Op::ListBoard { list }, site),
            Set::Zone(zone) => self.assembler.emit(Op::ListZone { list, zone: *zone }, site),
            Set::Place(place) => {
                self.assembler.emit(Op::Clear { list }, site);
                self.emit_at(place, site, |at| Op::ListCell { list, at });
            }
            Set::Neighbors(headings, place) => {
                let table = self.neighborhood(headings.as_deref());
                self.emit_at(place, site, |at| Op::ListNeighbors { list, at, table });
            }
            Set::Pieces(who, kinds) => {
                let pieces = self.piece_list(*who, kinds);
                self.assembler.emit(Op::ListPieces { list, pieces }, site);
            }
            Set::Cells => self.assembler.emit(Op::ListShape { list }, site),
            Set::Ray(headings, condition, place) => self.emit_ray(list, headings, condition, place, site),
            Set::Group(seeds, condition, headings) => {
                self.emit_group(list, seeds, condition, headings.as_deref(), site);
            }
            Set::Where(..) => {
                self.assembler.emit(Op::Clear { list }, site);
                self.emit_members(list, set, site);
            }
            Set::Join(parts) => {
                self.assembler.emit(Op::Clear { list }, site);
                parts.iter().for_each(|part| self.emit_members(list, part, site));
            }
            Set::Select(condition, a, b) => {
                self.assembler.emit(Op::Clear { list }, site);
                self.emit_select(condition, site, |compiler, holds| {
                    compiler.emit_members(list, if holds { a } else { b }, site);
                });
            }
            Set::MinBy(members, numbers) => self.emit_best(list, members, numbers, site),
        }
        list
    }

    /// Emits code that adds the members of a set to a list.
    fn emit_members(&mut self, list: ListId, set: &Set, site: Site) {
        self.emit_each(set, site, &mut |compiler, _, next| {
            compiler
                .assembler
                .emit_jump(Op::ListNew { list, target: 0 }, next, site);
        });
    }

    fn emit_best(&mut self, list: ListId, members: &Set, numbers: &[Number], site: Site) {
        self.assembler.emit(Op::Clear { list }, site);
        self.emit_each(members, site, &mut |compiler, _, _| {
            numbers.iter().for_each(|number| compiler.emit_number(number, site));
            let numbers = numbers.len() as u8;
            compiler.assembler.emit(Op::Best { list, numbers }, site);
        });
    }

    fn emit_ray(&mut self, list: ListId, headings: &[Heading], condition: &Condition, place: &Place, site: Site) {
        if let Some(mask) = class_of(condition) {
            let at = self.emit_look(place, site);
            self.assembler.emit(Op::Clear { list }, site);
            let directions: Vec<_> = headings.iter().filter_map(|&heading| self.heading(heading)).collect();
            for direction in directions {
                let op = Op::ListRay {
                    list,
                    at,
                    direction,
                    mask,
                };
                self.assembler.emit(op, site);
            }
            return;
        }
        let end = self.assembler.label();
        let origin = self.new_lets(1);
        self.assembler.emit(Op::Clear { list }, site);
        self.assembler.emit(Op::Begin { list }, site);
        self.emit_cell(place, site);
        self.assembler.emit(Op::SetLet { slot: origin }, site);
        for direction in headings
            .iter()
            .filter_map(|&heading| self.heading(heading))
            .collect::<Vec<_>>()
        {
            let (on, next_heading) = (self.assembler.label(), self.assembler.label());
            self.assembler.emit(Op::LookLet { slot: origin }, site);
            let ask = Ask::new(At::Look, false);
            self.assembler.emit_jump(Op::IfOnBoard { ask, target: 0 }, end, site);
            self.assembler.emit(Op::GoLook, site);
            self.assembler.bind(on);
            self.assembler
                .emit_jump(Op::StepOr { direction, target: 0 }, next_heading, site);
            self.emit_jump_if(condition, false, next_heading, site);
            self.assembler
                .emit_jump(Op::ListNew { list, target: 0 }, next_heading, site);
            self.assembler.emit_jump(Op::Loop { target: 0 }, on, site);
            self.assembler.bind(next_heading);
        }
        self.assembler.bind(end);
        self.assembler.emit(Op::Resume { list }, site);
    }

    fn emit_group(
        &mut self,
        list: ListId,
        seeds: &Set,
        condition: &Condition,
        headings: Option<&[Heading]>,
        site: Site,
    ) {
        self.assembler.emit(Op::Clear { list }, site);
        let joined = Set::Where(Box::new(seeds.clone()), Box::new(condition.clone()));
        self.emit_members(list, &joined, site);
        // The list is at once what has been reached and what is still to be looked at.
        let table = self.neighborhood(headings);
        if let Some(mask) = class_of(condition) {
            return self.assembler.emit(Op::ListGroup { list, table, mask }, site);
        }
        let (next, done) = (self.assembler.label(), self.assembler.label());
        let around = self.open_list();
        self.assembler.emit(Op::Begin { list }, site);
        self.assembler.bind(next);
        self.assembler.emit_jump(Op::Next { list, target: 0 }, done, site);
        let at = At::Here;
        self.assembler.emit(
            Op::ListNeighbors {
                list: around,
                at,
                table,
            },
            site,
        );
        let next_around = self.assembler.label();
        self.assembler.emit(Op::Begin { list: around }, site);
        self.assembler.bind(next_around);
        let op = Op::Next {
            list: around,
            target: 0,
        };
        self.assembler.emit_jump(op, next, site);
        self.emit_jump_if(condition, false, next_around, site);
        self.assembler
            .emit_jump(Op::ListNew { list, target: 0 }, next_around, site);
        self.assembler.emit_jump(Op::Loop { target: 0 }, next_around, site);
        self.assembler.bind(done);
        self.close_list(around);
    }

    /// Emits a jump on whether the condition, or just any, holds at some member of a set.
    pub(super) fn emit_jump_if_some(
        &mut self,
        set: &Set,
        condition: Option<&Condition>,
        wanted: bool,
        target: Label,
        site: Site,
    ) {
        if let Some(condition) = condition {
            if *set == Set::Cells && self.is_cell_test(condition) {
                let question = if wanted {
                    ShapeQuestion::Some
                } else {
                    ShapeQuestion::None
                };
                return self.emit_shape_question(question, condition, target, site);
            }
            if let (Set::Neighbors(headings, place), Some(mask)) = (set, class_of(condition))
                && place.is_here()
            {
                let question = ClassQuestion::new(mask, wanted);
                let table = self.neighborhood(headings.as_deref());
                let op = Op::IfSomeNeighbor {
                    question,
                    table,
                    target: 0,
                };
                return self.assembler.emit_jump(op, target, site);
            }
        }
        let (found, done) = (self.assembler.label(), self.assembler.label());
        let mut in_use = ListId(0);
        self.emit_each(set, site, &mut |compiler, list, next| {
            in_use = list;
            if let Some(condition) = condition {
                compiler.emit_jump_if(condition, false, next, site);
            }
            compiler.assembler.emit_jump(Op::Jump { target: 0 }, found, site);
        });
        let (none, some) = if wanted { (done, target) } else { (target, done) };
        self.assembler.emit_jump(Op::Jump { target: 0 }, none, site);
        self.assembler.bind(found);
        self.assembler.emit(Op::Resume { list: in_use }, site);
        self.assembler.emit_jump(Op::Jump { target: 0 }, some, site);
        self.assembler.bind(done);
    }

    /// Emits a jump on whether the condition holds at every member of a set.
    pub(super) fn emit_jump_if_every(
        &mut self,
        set: &Set,
        condition: &Condition,
        wanted: bool,
        target: Label,
        site: Site,
    ) {
        if *set == Set::Cells && self.is_cell_test(condition) {
            let question = if wanted {
                ShapeQuestion::Every
            } else {
                ShapeQuestion::NotEvery
            };
            return self.emit_shape_question(question, condition, target, site);
        }
        let opposite = Condition::Not(Box::new(condition.clone()));
        self.emit_jump_if_some(set, Some(&opposite), !wanted, target, site);
    }

    fn emit_shape_question(&mut self, question: ShapeQuestion, condition: &Condition, target: Label, site: Site) {
        let test = self.cell_test(condition, site);
        let op = Op::IfShape {
            question,
            test,
            target: 0,
        };
        self.assembler.emit_jump(op, target, site);
    }

    /// Tells whether the truth of a condition depends on nothing but the current cell, the mover and the position, so
    /// that it can be found out once for all shapes.
    pub(super) fn is_cell_test(&self, condition: &Condition) -> bool {
        depends::condition(condition)
    }

    /// Returns the test of a condition; its code is emitted after the blocks.
    pub(super) fn cell_test(&mut self, condition: &Condition, site: Site) -> TestId {
        if let Some(known) = self.tables.known_test(self.player, condition) {
            return known;
        }
        let id = TestId(self.tables.tests.len().min(usize::from(u16::MAX)) as u16);
        self.tables.conditions.push((self.player, condition.clone()));
        self.tables.tests.push(CellTest {
            player: self.player,
            address: 0,
        });
        self.pending_tests.push((id, site));
        id
    }

    /// Emits the code of the tests that the code before asks for.
    pub(super) fn emit_cell_tests(&mut self) {
        while let Some((id, site)) = self.pending_tests.pop() {
            let (player, condition) = self.tables.conditions[usize::from(id.0)].clone();
            let address = self.emit_condition_routine(player, &condition, site);
            self.tables.tests[usize::from(id.0)].address = address;
        }
    }

    /// Emits code that returns 1 if a condition holds for a player, else 0.
    pub(super) fn emit_condition_routine(&mut self, player: PlayerId, condition: &Condition, site: Site) -> Address {
        self.emit_routine(player, 0, site, |compiler, _| {
            let fails = compiler.assembler.label();
            compiler.emit_jump_if(condition, false, fails, site);
            compiler.assembler.emit(Op::Push { value: 1 }, site);
            compiler.assembler.emit(Op::Return, site);
            compiler.assembler.bind(fails);
            compiler.assembler.emit(Op::Push { value: 0 }, site);
            compiler.assembler.emit(Op::Return, site);
        })
    }
}

/// Returns the classes that a condition asks the current cell for, which there must be, if it asks just that.
fn class_of(condition: &Condition) -> Option<ClassMask> {
    match condition {
        Condition::Not(condition) => class_of(condition).map(|mask| ClassMask(ClassMask::ALL.0 & !mask.0)),
        Condition::Test(test, Place::Here) => match test {
            Test::Empty => Some(ClassMask::EMPTY),
            Test::Friend | Test::Owner(Who::Friend) => Some(ClassMask::FRIEND),
            Test::Enemy | Test::Owner(Who::Enemy) => Some(ClassMask::ENEMY),
            Test::Neutral | Test::Owner(Who::Neutral) => Some(ClassMask::NEUTRAL),
            Test::Owner(Who::Any) => Some(ClassMask::OCCUPIED),
            _ => None,
        },
        _ => None,
    }
}

/// Of what expressions depend: true if of nothing but the current cell, the mover and the position.
mod depends {
    use super::{Condition, Number, Place, Pointer, Set, Test};

    pub fn condition(asked: &Condition) -> bool {
        match asked {
            Condition::Constant(_) => true,
            Condition::Test(test, at) => {
                let is_fixed = !matches!(
                    test,
                    Test::Marked | Test::PositionFlag(_) | Test::Attacked(_) | Test::Defended(_)
                );
                is_fixed && place(at)
            }
            Condition::Flag(_) | Condition::Automatic => false,
            Condition::Not(inner) => condition(inner),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().all(condition),
            Condition::Compare(_, a, b) => number(a) && number(b),
            Condition::ComparePlaces(_, a, b) => place(a) && place(b),
            Condition::Some(members, asked) => set(members) && asked.as_deref().is_none_or(condition),
            Condition::Every(members, asked) => set(members) && condition(asked),
        }
    }

    fn place(at: &Place) -> bool {
        match at {
            Place::Here | Place::Direction(_) | Place::Opposite(_) | Place::Cell(_) => true,
            Place::Pointer(pointer) => matches!(pointer, Pointer::LastFrom | Pointer::LastTo),
            Place::Let(_) => false,
            Place::Grid(indices) => indices.iter().all(number),
            Place::First(members) => set(members),
        }
    }

    fn set(members: &Set) -> bool {
        match members {
            Set::Board | Set::Zone(_) | Set::Pieces(..) => true,
            Set::Cells => false,
            Set::Place(at) | Set::Neighbors(_, at) => place(at),
            Set::Ray(_, asked, at) => condition(asked) && place(at),
            Set::Group(seeds, asked, _) => set(seeds) && condition(asked),
            Set::Where(members, asked) => set(members) && condition(asked),
            Set::Join(parts) => parts.iter().all(set),
            Set::MinBy(members, numbers) => set(members) && numbers.iter().all(number),
            Set::Select(asked, a, b) => condition(asked) && set(a) && set(b),
        }
    }

    fn number(asked: &Number) -> bool {
        match asked {
            Number::Literal(_) | Number::Variable(_) | Number::PlayerVariable(..) | Number::InHand(..) => true,
            Number::Let(_) | Number::Mobility(_) => false,
            Number::Ply | Number::QuietPlies | Number::Passes | Number::Repetitions { .. } => false,
            Number::Attribute(_, at) | Number::Constant(_, at) | Number::Coordinate(_, at) | Number::Owner(at) => {
                place(at)
            }
            Number::Arithmetic(_, a, b) => number(a) && number(b),
            Number::Negate(inner) | Number::Absolute(inner) | Number::Sign(inner) => number(inner),
            Number::Select(asked, a, b) => condition(asked) && number(a) && number(b),
            Number::Count(members) => set(members),
            Number::Sum(members, member) | Number::Least(members, member) | Number::Greatest(members, member) => {
                set(members) && number(member)
            }
            Number::Distance(a, b, _) => place(a) && place(b),
        }
    }
}
