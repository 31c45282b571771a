//! Conditions of move blocks.

use super::instructions::Reported;
use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::Form;
use crate::keyword::{self, Context, Keyword};
use crate::model::expression::{Condition, Test};
use crate::model::ids::MoveTypeId;
use crate::symbol::Symbol;

impl Builder<'_> {
    pub(super) fn build_conditions(&mut self, forms: &[Form]) -> Result<Vec<Condition>, Reported> {
        let built: Vec<_> = forms.iter().map(|&form| self.build_condition(form)).collect();
        built.into_iter().collect()
    }

    /// Tells whether a word begins a condition.
    pub(super) fn is_condition(&self, symbol: Symbol) -> bool {
        self.keywords.get(symbol, Context::Condition).is_some()
            || self.keywords.negated(symbol).is_some()
            || self.attributes.get(symbol).is_some()
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
            return Err(self.unknown_condition(head));
        };
        if let Some(keyword) = self.keywords.get(symbol, Context::Condition) {
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
        if let Some(keyword) = self.keywords.negated(symbol) {
            return Ok(Condition::Not(Box::new(self.build_test(keyword, section)?)));
        }
        if let Some(attribute) = self.attributes.get(symbol) {
            return Ok(Condition::Test(
                Test::Attribute(attribute),
                self.optional_place(args.first())?,
            ));
        }
        Err(self.unknown_condition(head))
    }

    fn build_test(&mut self, keyword: Keyword, section: &Section) -> Result<Condition, Reported> {
        let args = section.args();
        let mut args = args.iter();
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
                match self.word(name).and_then(|symbol| self.zones.get(symbol)) {
                    Some(zone) => Test::InZone(zone),
                    None => {
                        self.unknown_name(Severity::Warning, name, "zone", self.zones.symbols.clone());
                        return Err(Reported);
                    }
                }
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
            _ => return Err(self.unknown_condition(section.elements[0])),
        };
        let place = self.optional_place(args.next())?;
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

    fn unknown_condition(&mut self, head: Form) -> Reported {
        let name = self.shown(head);
        let attributes = self.attributes.symbols.iter().map(|&symbol| self.expander.text(symbol));
        let bare = name.strip_prefix("not-").unwrap_or(&name);
        let near = keyword::nearest(bare, Context::Condition).or_else(|| keyword::nearest_of(&name, attributes));
        let help = match near {
            Some(near) => format!("did you mean `{near}`? The block is left out"),
            None => "the block is left out".to_owned(),
        };
        let message = format!("`{name}` is no condition or attribute");
        self.push(Severity::Warning, Code::UnknownCondition, head, message, help);
        Reported
    }
}
