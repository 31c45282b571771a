//! Conditions.

use super::instructions::Reported;
use super::scope::{Area, Kept};
use super::sorts::Sorts;
use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::Form;
use crate::keyword::{self, Context, Keyword};
use crate::model::expression::{Comparison, Condition, Test};
use crate::model::ids::MoveTypeId;

impl Builder<'_> {
    pub(super) fn build_conditions(&mut self, forms: &[Form]) -> Result<Vec<Condition>, Reported> {
        let built: Vec<_> = forms.iter().map(|&form| self.build_condition(form)).collect();
        built.into_iter().collect()
    }

    /// Tells whether a word begins a condition.
    pub(super) fn is_condition(&self, form: Form) -> bool {
        self.peek(form, Context::Condition).is_some()
            || self.negated(form).is_some()
            || self
                .word(form)
                .is_some_and(|symbol| self.attributes.get(symbol).is_some())
    }

    pub(super) fn build_condition(&mut self, form: Form) -> Result<Condition, Reported> {
        if !self.is_list(form) {
            return self.build_headed_condition(
                form,
                &Section {
                    form,
                    elements: vec![form],
                },
            );
        }
        let elements = self.elements(form);
        match elements[..] {
            // Nothing is asked: the macro that wrote it was given nothing.
            [] => Ok(Condition::Constant(true)),
            [only] if self.is_list(only) => self.build_condition(only),
            [head, ..] => self.build_headed_condition(head, &Section { form, elements }),
        }
    }

    fn build_headed_condition(&mut self, head: Form, section: &Section) -> Result<Condition, Reported> {
        let args = section.args();
        let Some(symbol) = self.word(head) else {
            return Err(self.unknown_condition(section.form, head));
        };
        if let Some(keyword) = self.keywords.classic(symbol, Context::Condition) {
            return match keyword {
                Keyword::True => Ok(Condition::Constant(true)),
                Keyword::False => Ok(Condition::Constant(false)),
                Keyword::And => Ok(Condition::And(self.build_conditions(args)?)),
                Keyword::Or => Ok(Condition::Or(self.build_conditions(args)?)),
                Keyword::Not => match *args {
                    [inner] => Ok(Condition::Not(Box::new(self.build_condition(inner)?))),
                    _ => Err(self.bad_instruction(section.form, "`not` takes one condition", keyword)),
                },
                keyword => self.build_test(keyword, section),
            };
        }
        if let Some(keyword) = self.negated(head) {
            if keyword.is_extension() {
                self.use_extension(keyword.name(), head);
            }
            return Ok(Condition::Not(Box::new(self.build_test(keyword, section)?)));
        }
        match self.kept(symbol) {
            Some(Kept::Attribute(attribute)) => {
                let place = self.optional_place(section.form, args.first())?;
                return Ok(Condition::Test(Test::Attribute(attribute), place));
            }
            Some(_) => return Err(self.wrong_sort(section.form, Sorts::CONDITION)),
            None => {}
        }
        if let Some(keyword) = self.keyword(head, Context::Condition) {
            return self.build_extended_condition(keyword, section);
        }
        Err(self.unknown_condition(section.form, head))
    }

    /// Reads a condition beyond the classic language.
    fn build_extended_condition(&mut self, keyword: Keyword, section: &Section) -> Result<Condition, Reported> {
        let args = section.args();
        let comparison = match keyword {
            Keyword::Equal => Comparison::Equal,
            Keyword::Different => Comparison::Different,
            Keyword::Less => Comparison::Less,
            Keyword::AtMost => Comparison::AtMost,
            Keyword::Greater => Comparison::Greater,
            Keyword::AtLeast => Comparison::AtLeast,
            Keyword::Some => {
                self.arity(section, keyword, 1..=2)?;
                let set = self.build_set(args[0]);
                let condition = args.get(1).map(|&form| self.member_condition(form));
                return Ok(Condition::Some(Box::new(set?), condition.transpose()?));
            }
            Keyword::Every => {
                self.arity(section, keyword, 2..=2)?;
                let set = self.build_set(args[0]);
                let condition = self.member_condition(args[1]);
                return Ok(Condition::Every(Box::new(set?), condition?));
            }
            keyword => return self.build_test(keyword, section),
        };
        self.arity(section, keyword, 2..=2)?;
        let (first, second) = (self.sorts(args[0]), self.sorts(args[1]));
        // A name that could be either is what the other one is.
        let are_numbers = first.is_number() && second.is_number();
        let are_places = first.is_place() && second.is_place();
        if are_places && !are_numbers
            || !first.is_number() && !second.is_number() && (first.is_place() || second.is_place())
        {
            let (a, b) = (self.place(args[0]), self.place(args[1]));
            return Ok(Condition::ComparePlaces(comparison, Box::new(a?), Box::new(b?)));
        }
        let (a, b) = (self.build_number(args[0]), self.build_number(args[1]));
        Ok(Condition::Compare(comparison, Box::new(a?), Box::new(b?)))
    }

    fn build_test(&mut self, keyword: Keyword, section: &Section) -> Result<Condition, Reported> {
        let head = section.elements[0];
        match keyword {
            Keyword::IsFriend | Keyword::IsEnemy | Keyword::IsAdjacentToEnemy => self.note_no_mover(head),
            Keyword::IsAttacked | Keyword::IsDefended => self.need_mover(head, "leave it out")?,
            _ => {}
        }
        let mut args = section.args().iter();
        let test = match keyword {
            Keyword::IsEmpty => Test::Empty,
            Keyword::IsFriend => Test::Friend,
            Keyword::IsEnemy => Test::Enemy,
            Keyword::IsNeutral => Test::Neutral,
            Keyword::IsOnBoard => Test::OnBoard,
            Keyword::IsMarked => Test::Marked,
            Keyword::IsLastFrom => Test::LastFrom,
            Keyword::IsLastTo => Test::LastTo,
            Keyword::IsAdjacentToEnemy => Test::AdjacentToEnemy,
            Keyword::IsGoalPosition => Test::GoalPosition,
            Keyword::IsPiece => match args.next() {
                Some(&kind) => Test::Piece(self.kind(kind, Severity::Warning).ok_or(Reported)?),
                // The macro that wrote it was given no kind, and no piece is of no kind.
                None => return Ok(Condition::Constant(false)),
            },
            Keyword::IsInZone => {
                let Some(&name) = args.next() else {
                    return Err(self.bad_instruction(section.form, "`in-zone?` names no zone", keyword));
                };
                Test::InZone(self.zone(name)?)
            }
            Keyword::IsPosition => match args.next() {
                Some(&cell) => Test::Position(self.cell(cell, Severity::Warning).ok_or(Reported)?),
                None => return Err(self.bad_instruction(section.form, "`position?` names no position", keyword)),
            },
            Keyword::IsFlag => {
                let flag = self.flag(section.form, args.next(), keyword)?;
                return Ok(Condition::Flag(flag));
            }
            Keyword::IsPositionFlag => Test::PositionFlag(self.position_flag(section.form, args.next(), keyword)?),
            Keyword::IsAttacked => Test::Attacked(self.attack_type(&mut args)),
            Keyword::IsDefended => Test::Defended(self.attack_type(&mut args)),
            Keyword::IsOwner => match args.next() {
                Some(&who) => Test::Owner(self.who(who)?),
                None => return Err(self.bad_instruction(section.form, "`owner?` names no owner", keyword)),
            },
            Keyword::IsAutomatic if self.scope.area == Area::Goal => {
                self.arity(section, keyword, 0..=0)?;
                return Ok(Condition::Automatic);
            }
            Keyword::IsAutomatic => {
                let message = "`automatic?` stands outside a goal";
                return Err(self.misplaced(section.form, message, "who plays must not change what moves there are"));
            }
            _ => return Err(self.unknown_condition(section.form, section.elements[0])),
        };
        let place = self.optional_place(section.form, args.next())?;
        Ok(Condition::Test(test, place))
    }

    /// Takes a leading move type off the arguments of an attack test.
    fn attack_type(&mut self, args: &mut std::slice::Iter<'_, Form>) -> Option<MoveTypeId> {
        let symbol = args.as_slice().first().and_then(|&form| self.word(form))?;
        let is_place = self.directions.get(symbol).is_some() || self.cells.get(symbol).is_some();
        let move_type = self.move_types.get(symbol).filter(|_| !is_place || args.len() > 1)?;
        args.next();
        Some(move_type)
    }

    fn unknown_condition(&mut self, form: Form, head: Form) -> Reported {
        if self.sorts(form) != Sorts::default() {
            return self.wrong_sort(form, Sorts::CONDITION);
        }
        let name = self.shown(head);
        let attributes = self.attributes.symbols.iter().map(|&symbol| self.expander.text(symbol));
        let bare = name.strip_prefix("not-").unwrap_or(&name);
        let near = keyword::nearest(bare, Context::Condition).or_else(|| keyword::nearest_of(&name, attributes));
        let help = match near {
            Some(near) => format!("did you mean `{near}`? {}", self.is_left_out()),
            None => self.left_out(),
        };
        let message = format!("`{name}` is no condition or attribute");
        self.push(Severity::Warning, Code::UnknownCondition, head, message, help);
        Reported
    }
}
