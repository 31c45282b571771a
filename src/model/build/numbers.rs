//! Numbers.

use super::instructions::Reported;
use super::scope::{Area, Kept};
use super::sorts::Sorts;
use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::{Form, FormKind};
use crate::keyword::{self, Context, Keyword};
use crate::model::expression::{Arithmetic, Number, WhichPlayer, Who};
use crate::model::ids::ConstantId;
use crate::model::piece::LetKind;

impl Builder<'_> {
    pub(super) fn build_numbers(&mut self, forms: &[Form]) -> Result<Vec<Number>, Reported> {
        let built: Vec<_> = forms.iter().map(|&form| self.build_number(form)).collect();
        built.into_iter().collect()
    }

    pub(super) fn build_number(&mut self, form: Form) -> Result<Number, Reported> {
        let elements = if self.is_list(form) {
            self.elements(form)
        } else {
            vec![form]
        };
        let head = match elements[..] {
            [] => {
                let message = "an empty list stands where a number was expected";
                let help = format!("a macro may have been given nothing; {}", self.left_out());
                self.push(Severity::Warning, Code::BadInstruction, form, message, help);
                return Err(Reported);
            }
            [only] if self.is_list(only) => return self.build_number(only),
            [head, ..] => head,
        };
        let section = Section { form, elements };
        if let Some(kept) = self.word(head).and_then(|symbol| self.kept(symbol)) {
            return self.build_kept(kept, &section);
        }
        if section.args().is_empty()
            && let Some(literal) = self.literal(head)?
        {
            return Ok(Number::Literal(literal));
        }
        match self.keyword(head, Context::Number) {
            Some(keyword) => self.build_headed_number(keyword, &section),
            None => Err(self.no_number(form, head)),
        }
    }

    /// Reads a number that is written out; none if it is not one.
    pub(super) fn literal(&mut self, form: Form) -> Result<Option<i32>, Reported> {
        let text = self.text(form);
        if let Ok(number) = text.parse::<i32>() {
            return Ok(Some(number));
        }
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        let message = format!("the number `{}` does not fit into 32 bits", self.shown(form));
        let help = format!("numbers go from {} to {}", i32::MIN, i32::MAX);
        self.push(Severity::Warning, Code::BadNumber, form, message, help);
        Err(Reported)
    }

    /// Reads a name with what it is asked of: `hp`, `(hp PLACE)`, `(rank PIECE)`, `(stays PLAYER)`.
    fn build_kept(&mut self, kept: Kept, section: &Section) -> Result<Number, Reported> {
        let form = section.form;
        let args = section.args();
        let name = self.shown(section.elements[0]);
        let most = match kept {
            Kept::Let(..) | Kept::Variable(_) => 0,
            Kept::Attribute(_) | Kept::Constant(_) | Kept::PlayerVariable(_) => 1,
        };
        if args.len() > most {
            let (what, help) = match kept {
                Kept::Let(..) | Kept::Variable(_) => ("a number of its own", format!("write `{name}`")),
                Kept::PlayerVariable(_) => ("a number of a player", format!("write `({name} PLAYER)`")),
                _ => ("a number of one piece", format!("write `({name} PLACE)`")),
            };
            let help = format!("{help}; {}", self.left_out());
            let message = format!("`{name}` is {what}, but more is written after it");
            self.push(Severity::Warning, Code::BadInstruction, form, message, help);
            return Err(Reported);
        }
        Ok(match kept {
            Kept::Let(id, LetKind::Number) => Number::Let(id),
            Kept::Let(_, LetKind::Place) => return Err(self.wrong_sort(form, Sorts::NUMBER)),
            Kept::Variable(id) => Number::Variable(id),
            Kept::PlayerVariable(id) => {
                let player = match args.first() {
                    Some(&player) => self.which_player(player)?,
                    None => {
                        self.need_mover(section.elements[0], &format!("write `({name} PLAYER)`"))?;
                        WhichPlayer::Friend
                    }
                };
                Number::PlayerVariable(id, player)
            }
            Kept::Attribute(id) => {
                if let Some(&kind) = args.first().filter(|&&form| self.is_kind_only(form)) {
                    let message = format!(
                        "`{name}` belongs to single pieces, but `{}` is a type",
                        self.shown(kind)
                    );
                    let help = format!(
                        "write `(constant {name} N)` in the piece for a number that goes with the type; {}",
                        self.left_out()
                    );
                    self.push(Severity::Warning, Code::WrongSort, kind, message, help);
                    return Err(Reported);
                }
                Number::Attribute(id, self.optional_place(form, args.first())?)
            }
            Kept::Constant(id) => match args.first().filter(|&&form| self.is_kind_only(form)) {
                Some(&kind) => Number::Literal(self.constant_of(id, kind)?),
                None => Number::Constant(id, self.optional_place(form, args.first())?),
            },
        })
    }

    /// Tells whether a form is the name of a piece and of no place.
    fn is_kind_only(&self, form: Form) -> bool {
        self.word(form).is_some_and(|symbol| {
            self.kinds.get(symbol).is_some()
                && self.directions.get(symbol).is_none()
                && self.cells.get(symbol).is_none()
                && !self.let_names().contains(&symbol)
        })
    }

    /// Returns the constant of a kind; 0 if the kind has none.
    fn constant_of(&mut self, id: ConstantId, form: Form) -> Result<i32, Reported> {
        let kind = self.kind(form, Severity::Warning).ok_or(Reported)?;
        let constants = &self.kind_models[kind.index()].constants;
        let found = constants.iter().find(|&&(known, _)| known == id);
        Ok(found.map_or(0, |&(_, value)| value))
    }

    fn build_headed_number(&mut self, keyword: Keyword, section: &Section) -> Result<Number, Reported> {
        let args = section.args();
        let (least, most) = match keyword {
            Keyword::Plus | Keyword::Multiply | Keyword::Least | Keyword::Greatest | Keyword::Subtract => {
                (1, usize::MAX)
            }
            Keyword::Divide => (2, usize::MAX),
            Keyword::Remainder | Keyword::Sum | Keyword::LeastOf | Keyword::GreatestOf => (2, 2),
            Keyword::Absolute | Keyword::Sign | Keyword::Count | Keyword::Mobility => (1, 1),
            Keyword::Select => (3, 3),
            Keyword::Column | Keyword::Row | Keyword::Owner | Keyword::Repetitions => (0, 1),
            Keyword::Coordinate => (1, 2),
            Keyword::Distance => (2, 3),
            Keyword::InHand => (1, usize::MAX),
            _ => (0, 0),
        };
        self.arity(section, keyword, least..=most)?;
        Ok(match keyword {
            Keyword::Plus => self.fold(Arithmetic::Add, args)?,
            Keyword::Subtract => match *args {
                [only] => Number::Negate(Box::new(self.build_number(only)?)),
                _ => self.fold(Arithmetic::Subtract, args)?,
            },
            Keyword::Multiply => self.fold(Arithmetic::Multiply, args)?,
            Keyword::Divide => self.fold(Arithmetic::Divide, args)?,
            Keyword::Remainder => self.fold(Arithmetic::Remainder, args)?,
            Keyword::Least => self.fold(Arithmetic::Least, args)?,
            Keyword::Greatest => self.fold(Arithmetic::Greatest, args)?,
            Keyword::Absolute => Number::Absolute(Box::new(self.build_number(args[0])?)),
            Keyword::Sign => Number::Sign(Box::new(self.build_number(args[0])?)),
            Keyword::Select => {
                let condition = self.build_condition(args[0]);
                let (yes, no) = (self.build_number(args[1]), self.build_number(args[2]));
                Number::Select(Box::new(condition?), Box::new(yes?), Box::new(no?))
            }
            Keyword::Count => Number::Count(Box::new(self.build_set(args[0])?)),
            Keyword::Sum | Keyword::LeastOf | Keyword::GreatestOf => {
                let set = self.build_set(args[0]);
                let number = self.at_members(|builder| builder.build_number(args[1]));
                let (set, number) = (Box::new(set?), Box::new(number?));
                match keyword {
                    Keyword::Sum => Number::Sum(set, number),
                    Keyword::LeastOf => Number::Least(set, number),
                    _ => Number::Greatest(set, number),
                }
            }
            Keyword::Column => Number::Coordinate(0, self.optional_place(section.form, args.first())?),
            Keyword::Row => Number::Coordinate(1, self.optional_place(section.form, args.first())?),
            Keyword::Coordinate => {
                let index = self.coordinate_index(section, args[0])?;
                Number::Coordinate(index, self.optional_place(section.form, args.get(1))?)
            }
            Keyword::Distance => {
                let (from, to) = (self.place(args[0]), self.place(args[1]));
                let headings = match args.get(2) {
                    Some(&form) => Some(self.headings(form)?),
                    None => None,
                };
                Number::Distance(from?, to?, headings)
            }
            Keyword::Owner => Number::Owner(self.optional_place(section.form, args.first())?),
            Keyword::InHand => {
                let (who, kinds) = self.who_and_kinds(args)?;
                Number::InHand(who.unwrap_or(Who::Any), kinds)
            }
            Keyword::Mobility => {
                if !matches!(self.scope.area, Area::Goal | Area::Section | Area::Actor) {
                    let message = "`mobility` stands where moves are made";
                    return Err(self.misplaced(
                        section.form,
                        message,
                        "it counts moves, so it may stand in goals, scores and the like only",
                    ));
                }
                Number::Mobility(self.which_player(args[0])?)
            }
            Keyword::Ply => Number::Ply,
            Keyword::QuietPlies => Number::QuietPlies,
            Keyword::Passes => Number::Passes,
            Keyword::Repetitions => {
                let board_only = match args.first() {
                    Some(&form) if self.text(form) == "board" => true,
                    Some(&form) => {
                        let message = format!("found `{}` where `board` was expected", self.shown(form));
                        return Err(self.bad_instruction(form, message, keyword));
                    }
                    None => false,
                };
                Number::Repetitions { board_only }
            }
            _ => return Err(self.no_number(section.form, section.elements[0])),
        })
    }

    /// Puts numbers together from left to right.
    fn fold(&mut self, arithmetic: Arithmetic, args: &[Form]) -> Result<Number, Reported> {
        let numbers = self.build_numbers(args)?;
        let folded = numbers
            .into_iter()
            .reduce(|left, right| Number::Arithmetic(arithmetic, Box::new(left), Box::new(right)));
        folded.ok_or(Reported)
    }

    fn coordinate_index(&mut self, section: &Section, form: Form) -> Result<u16, Reported> {
        let index = self.literal(form)?.and_then(|index| u16::try_from(index).ok());
        let n_dimensions = self
            .board
            .grids
            .iter()
            .map(|grid| grid.dimensions.len())
            .max()
            .unwrap_or(0);
        match index.filter(|&index| usize::from(index) < n_dimensions) {
            Some(index) => Ok(index),
            None => {
                let message = format!(
                    "`{}` is no dimension of a grid of this board, which has {n_dimensions}, counted from 0",
                    self.shown(form)
                );
                Err(self.bad_instruction(section.form, message, Keyword::Coordinate))
            }
        }
    }

    /// Reports that something is no number.
    fn no_number(&mut self, form: Form, head: Form) -> Reported {
        if self.sorts(form) != Sorts::default() {
            return self.wrong_sort(form, Sorts::NUMBER);
        }
        if self.is_list(head) {
            let help = format!("numbers are put together as in `(+ A B)`; {}", self.left_out());
            let message = "a list stands where a number was expected";
            self.push(Severity::Warning, Code::BadInstruction, form, message, help);
            return Reported;
        }
        let name = self.shown(head);
        let names = [
            self.let_names(),
            &self.attributes.symbols,
            &self.constants.symbols,
            &self.variables.symbols,
            &self.player_variables.symbols,
        ]
        .concat();
        let names = names.iter().map(|&symbol| self.expander.text(symbol));
        let near = keyword::nearest_of(&name, names).or_else(|| keyword::nearest(&name, Context::Number));
        let is_macro = matches!(self.expander.kind(head), FormKind::Atom(symbol) if self.expander.is_macro(symbol));
        let help = match near {
            _ if is_macro => format!("write `({name})` to use the macro. {}", self.is_left_out()),
            Some(near) => format!("did you mean `{near}`? {}", self.is_left_out()),
            None => format!(
                "write `(variable {name} 0)` in the game to keep a number; {}",
                self.left_out()
            ),
        };
        let message = format!("`{name}` is no number, attribute, constant or variable");
        self.push(Severity::Warning, Code::UnknownNumber, head, message, help);
        Reported
    }
}
