//! Going through everything that stands in a part of the rules.

use super::expression::{Condition, Number, Place, Set};
use super::goal::GoalCondition;
use super::piece::{Instruction, InstructionKind, LabelItem, Range, Value};

/// A node of the tree of the rules.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// An instruction.
    Instruction(&'a Instruction),
    /// A goal.
    Goal(&'a GoalCondition),
    /// A condition.
    Condition(&'a Condition),
    /// A number.
    Number(&'a Number),
    /// A set.
    Set(&'a Set),
    /// A place.
    Place(&'a Place),
}

impl<'a> Part<'a> {
    /// Calls `visit` for this part and all within it, outer ones first. The flag tells whether a part is asked at the
    /// members of a set, which are then the current cell.
    pub fn walk(self, visit: &mut dyn FnMut(Part<'a>, bool)) {
        self.walk_at(false, visit);
    }

    fn walk_at(self, member: bool, visit: &mut dyn FnMut(Part<'a>, bool)) {
        visit(self, member);
        match self {
            Part::Instruction(instruction) => walk_instruction(&instruction.kind, visit),
            Part::Goal(GoalCondition::Holds(condition)) => Part::Condition(condition).walk_at(member, visit),
            Part::Goal(GoalCondition::And(parts) | GoalCondition::Or(parts)) => {
                parts.iter().for_each(|part| Part::Goal(part).walk_at(member, visit));
            }
            Part::Goal(GoalCondition::Not(part)) => Part::Goal(part).walk_at(member, visit),
            Part::Goal(_) => {}
            Part::Condition(condition) => walk_condition(condition, member, visit),
            Part::Number(number) => walk_number(number, member, visit),
            Part::Set(set) => walk_set(set, member, visit),
            Part::Place(Place::Grid(numbers)) => walk_numbers(numbers, member, visit),
            Part::Place(Place::First(set)) => Part::Set(set).walk_at(member, visit),
            Part::Place(_) => {}
        }
    }
}

fn walk_numbers<'a>(numbers: &'a [Number], member: bool, visit: &mut dyn FnMut(Part<'a>, bool)) {
    numbers
        .iter()
        .for_each(|number| Part::Number(number).walk_at(member, visit));
}

fn walk_range<'a>(range: &'a Range, visit: &mut dyn FnMut(Part<'a>, bool)) {
    Part::Number(&range.low).walk_at(false, visit);
    // A number of times that is written once is kept twice.
    if let Some(high) = range.high.as_ref().filter(|&high| *high != range.low) {
        Part::Number(high).walk_at(false, visit);
    }
}

fn walk_instruction<'a>(kind: &'a InstructionKind, visit: &mut dyn FnMut(Part<'a>, bool)) {
    let mut body: &[Instruction] = &[];
    match kind {
        InstructionKind::Go(_)
        | InstructionKind::From
        | InstructionKind::To
        | InstructionKind::Cascade
        | InstructionKind::Add(_)
        | InstructionKind::Then
        | InstructionKind::Again => {}
        InstructionKind::Step(place)
        | InstructionKind::Mark(place)
        | InstructionKind::Capture(place)
        | InstructionKind::Flip(place)
        | InstructionKind::ChangeOwner(place)
        | InstructionKind::ChangeType(_, place)
        | InstructionKind::Create(_, _, place)
        | InstructionKind::LetPlace(_, place) => Part::Place(place).walk(visit),
        InstructionKind::MovePiece(from, to) => {
            Part::Place(from).walk(visit);
            Part::Place(to).walk(visit);
        }
        InstructionKind::SetAttribute(_, value, place) => {
            match value {
                Value::Condition(condition) => Part::Condition(condition).walk(visit),
                Value::Number(number) => Part::Number(number).walk(visit),
            }
            Part::Place(place).walk(visit);
        }
        InstructionKind::SetFlag(_, condition) | InstructionKind::Verify(condition) => {
            Part::Condition(condition).walk(visit);
        }
        InstructionKind::SetPositionFlag(_, condition, place) => {
            Part::Condition(condition).walk(visit);
            Part::Place(place).walk(visit);
        }
        InstructionKind::If(condition, then, otherwise) => {
            Part::Condition(condition).walk(visit);
            then.iter().for_each(|inner| Part::Instruction(inner).walk(visit));
            body = otherwise;
        }
        InstructionKind::While(condition, inner) => {
            Part::Condition(condition).walk(visit);
            body = inner;
        }
        InstructionKind::LetNumber(_, number)
        | InstructionKind::Set(_, number)
        | InstructionKind::IncreaseVariable(_, number) => Part::Number(number).walk(visit),
        InstructionKind::IncreaseAttribute(_, number, place) => {
            Part::Number(number).walk(visit);
            Part::Place(place).walk(visit);
        }
        InstructionKind::Choose(alternatives) => {
            let inner = alternatives.iter().flatten();
            inner.for_each(|inner| Part::Instruction(inner).walk(visit));
        }
        InstructionKind::Pick(set) => Part::Set(set).walk(visit),
        InstructionKind::PickSome(range, set, inner) => {
            walk_range(range, visit);
            Part::Set(set).walk(visit);
            body = inner;
        }
        InstructionKind::Repeat(range, inner) => {
            walk_range(range, visit);
            body = inner;
        }
        InstructionKind::ForEach(set, inner) => {
            Part::Set(set).walk(visit);
            body = inner;
        }
        InstructionKind::Label(items) => items.iter().for_each(|item| match item {
            LabelItem::Number(number) => Part::Number(number).walk(visit),
            LabelItem::Place(place) => Part::Place(place).walk(visit),
            LabelItem::Text(_) | LabelItem::Kind(_) => {}
        }),
        InstructionKind::Rate(numbers) => walk_numbers(numbers, false, visit),
    }
    body.iter().for_each(|inner| Part::Instruction(inner).walk(visit));
}

fn walk_condition<'a>(condition: &'a Condition, member: bool, visit: &mut dyn FnMut(Part<'a>, bool)) {
    match condition {
        Condition::Constant(_) | Condition::Flag(_) | Condition::Automatic => {}
        Condition::Test(_, place) => Part::Place(place).walk_at(member, visit),
        Condition::Not(inner) => Part::Condition(inner).walk_at(member, visit),
        Condition::And(parts) | Condition::Or(parts) => {
            parts
                .iter()
                .for_each(|part| Part::Condition(part).walk_at(member, visit));
        }
        Condition::Compare(_, a, b) => {
            Part::Number(a).walk_at(member, visit);
            Part::Number(b).walk_at(member, visit);
        }
        Condition::ComparePlaces(_, a, b) => {
            Part::Place(a).walk_at(member, visit);
            Part::Place(b).walk_at(member, visit);
        }
        Condition::Some(set, inner) => {
            Part::Set(set).walk_at(member, visit);
            if let Some(inner) = inner {
                Part::Condition(inner).walk_at(true, visit);
            }
        }
        Condition::Every(set, inner) => {
            Part::Set(set).walk_at(member, visit);
            Part::Condition(inner).walk_at(true, visit);
        }
    }
}

fn walk_number<'a>(number: &'a Number, member: bool, visit: &mut dyn FnMut(Part<'a>, bool)) {
    match number {
        Number::Literal(_)
        | Number::Variable(_)
        | Number::PlayerVariable(..)
        | Number::Let(_)
        | Number::InHand(..)
        | Number::Mobility(_)
        | Number::Ply
        | Number::QuietPlies
        | Number::Passes
        | Number::Repetitions { .. } => {}
        Number::Attribute(_, place)
        | Number::Constant(_, place)
        | Number::Coordinate(_, place)
        | Number::Owner(place) => Part::Place(place).walk_at(member, visit),
        Number::Arithmetic(_, a, b) => {
            Part::Number(a).walk_at(member, visit);
            Part::Number(b).walk_at(member, visit);
        }
        Number::Negate(inner) | Number::Absolute(inner) | Number::Sign(inner) => {
            Part::Number(inner).walk_at(member, visit);
        }
        Number::Select(condition, a, b) => {
            Part::Condition(condition).walk_at(member, visit);
            Part::Number(a).walk_at(member, visit);
            Part::Number(b).walk_at(member, visit);
        }
        Number::Count(set) => Part::Set(set).walk_at(member, visit),
        Number::Sum(set, inner) | Number::Least(set, inner) | Number::Greatest(set, inner) => {
            Part::Set(set).walk_at(member, visit);
            Part::Number(inner).walk_at(true, visit);
        }
        Number::Distance(a, b, _) => {
            Part::Place(a).walk_at(member, visit);
            Part::Place(b).walk_at(member, visit);
        }
    }
}

fn walk_set<'a>(set: &'a Set, member: bool, visit: &mut dyn FnMut(Part<'a>, bool)) {
    match set {
        Set::Board | Set::Zone(_) | Set::Pieces(..) | Set::Cells => {}
        Set::Place(place) | Set::Neighbors(_, place) => Part::Place(place).walk_at(member, visit),
        Set::Ray(_, condition, place) => {
            Part::Place(place).walk_at(member, visit);
            Part::Condition(condition).walk_at(true, visit);
        }
        Set::Group(set, condition, _) | Set::Where(set, condition) => {
            Part::Set(set).walk_at(member, visit);
            Part::Condition(condition).walk_at(true, visit);
        }
        Set::Join(sets) => sets.iter().for_each(|set| Part::Set(set).walk_at(member, visit)),
        Set::MinBy(set, numbers) => {
            Part::Set(set).walk_at(member, visit);
            walk_numbers(numbers, true, visit);
        }
        Set::Select(condition, a, b) => {
            Part::Condition(condition).walk_at(member, visit);
            Part::Set(a).walk_at(member, visit);
            Part::Set(b).walk_at(member, visit);
        }
    }
}
