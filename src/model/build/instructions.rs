//! Instructions of move blocks.

use super::scope::{Area, Kept};
use super::sorts::Sorts;
use super::{Builder, Section, intern};
use crate::diagnostic::{Code, Severity};
use crate::expand::{Form, FormKind};
use crate::keyword::{self, Context, Keyword};
use crate::model::expression::{Condition, Place, Pointer};
use crate::model::ids::{AttributeId, FlagId, PositionFlagId};
use crate::model::piece::{Add, Instruction, InstructionKind, Value};

/// What to do where no mover can own a new piece.
const NAME_OWNER: &str = "write `(create PLAYER PIECE PLACE)`";

impl Builder<'_> {
    /// Builds the instructions of a block, or reports why it must be left out.
    pub(super) fn build_instructions(&mut self, forms: &[Form]) -> Option<Vec<Instruction>> {
        let mut instructions = Vec::with_capacity(forms.len());
        let mut is_right = true;
        for &form in forms {
            match self.build_instruction(form) {
                Ok(Some(built)) => instructions.push(Instruction {
                    kind: built,
                    site: self.site(form),
                }),
                Ok(None) => {}
                Err(Reported) => is_right = false,
            }
        }
        is_right.then_some(instructions)
    }

    /// Builds one instruction; none if it has no effect.
    fn build_instruction(&mut self, form: Form) -> Result<Option<InstructionKind>, Reported> {
        if !self.is_list(form) {
            return self.build_word(form).map(Some);
        }
        let elements = self.elements(form);
        let Some(&head) = elements.first() else { return Ok(None) };
        let section = Section { form, elements };
        let Some(keyword) = self.keyword(head, Context::Instruction) else {
            // A step in brackets: `(n)`.
            if section.elements.len() == 1 && !self.is_list(head) {
                return self.build_word(head).map(Some);
            }
            return Err(self.unknown_instruction(head, form));
        };
        self.check_area(keyword, head)?;
        if keyword.is_beyond(Context::Instruction) {
            return self.build_extension(keyword, &section).map(Some);
        }
        let args = section.args();
        let built = match keyword {
            Keyword::Opposite => {
                let direction = self.required_direction(form, args, keyword)?;
                InstructionKind::Step(Place::Opposite(direction))
            }
            Keyword::Mark => InstructionKind::Mark(self.optional_place(form, args.first())?),
            Keyword::Go => return self.build_go(form, args).map(Some),
            Keyword::Add | Keyword::AddPartial | Keyword::AddCopy | Keyword::AddCopyPartial => {
                InstructionKind::Add(self.build_add(keyword, args)?)
            }
            Keyword::Capture => InstructionKind::Capture(self.optional_place(form, args.first())?),
            Keyword::Flip => InstructionKind::Flip(self.optional_place(form, args.first())?),
            Keyword::ChangeOwner => {
                self.need_mover(head, NAME_OWNER)?;
                InstructionKind::ChangeOwner(self.optional_place(form, args.first())?)
            }
            Keyword::ChangeType => match args.first() {
                Some(&new_kind) => {
                    let new_kind = self.kind(new_kind, Severity::Warning).ok_or(Reported)?;
                    InstructionKind::ChangeType(new_kind, self.optional_place(form, args.get(1))?)
                }
                // The macro that wrote it was given no kind.
                None => return Ok(None),
            },
            Keyword::Create => self.build_create(form, args)?,
            Keyword::SetAttribute => {
                let Some(&name) = args.first() else { return Ok(None) };
                let attribute = self.attribute(name)?;
                let value = match args.get(1) {
                    Some(&form) if self.is_number_value(form) => {
                        if !self.sorts(form).has(Sorts::CONDITION) {
                            self.use_extension(keyword.name(), head);
                        }
                        Value::Number(self.build_number(form)?.into())
                    }
                    form => Value::Condition(self.value(form)?),
                };
                InstructionKind::SetAttribute(attribute, value, self.optional_place(form, args.get(2))?)
            }
            Keyword::SetFlag => {
                let flag = self.flag(form, args.first(), keyword)?;
                InstructionKind::SetFlag(flag, self.value(args.get(1))?)
            }
            Keyword::SetPositionFlag => {
                let flag = self.position_flag(form, args.first(), keyword)?;
                let value = self.value(args.get(1))?;
                InstructionKind::SetPositionFlag(flag, value, self.optional_place(form, args.get(2))?)
            }
            Keyword::Verify => match args {
                [] => return Ok(None),
                &[condition] => InstructionKind::Verify(self.build_condition(condition)?),
                conditions => InstructionKind::Verify(Condition::And(self.build_conditions(conditions)?)),
            },
            Keyword::If => return self.build_if(form, args).map(Some),
            Keyword::While => {
                let Some((&condition, body)) = args.split_first() else {
                    return Err(self.bad_instruction(form, "`while` has no condition", keyword));
                };
                let condition = self.build_condition(condition)?;
                InstructionKind::While(condition, self.build_instructions(body).ok_or(Reported)?)
            }
            Keyword::From | Keyword::To | Keyword::Back | Keyword::Cascade if args.is_empty() => {
                return self.build_word(head).map(Some);
            }
            _ => return Err(self.bad_instruction(form, format!("`{}` takes nothing", keyword.name()), keyword)),
        };
        Ok(Some(built))
    }

    /// Tests that an instruction has a meaning in the part of the rules that is read.
    fn check_area(&mut self, keyword: Keyword, form: Form) -> Result<(), Reported> {
        let area = self.scope.area;
        let name = keyword.name();
        let makes_moves = matches!(
            keyword,
            Keyword::Add | Keyword::AddPartial | Keyword::AddCopy | Keyword::AddCopyPartial
        );
        let is_choice = matches!(keyword, Keyword::Choose | Keyword::Pick);
        let speaks_of_a_move = matches!(keyword, Keyword::Again | Keyword::Label | Keyword::Rate);
        if makes_moves && !area.is_block() {
            let message = format!("`{name}` stands where no move is made");
            let help = match area {
                Area::NewRound => "leave it out: a new round makes its changes by itself",
                _ => "leave it out: the move is made anyway",
            };
            return Err(self.misplaced(form, message, help));
        }
        if area == Area::NewRound && is_choice {
            let message = format!("`{name}` is a choice, but a new round has none");
            return Err(self.misplaced(form, message, "write `(for-each SET INSTRUCTION …)` for all of them"));
        }
        if area == Area::NewRound && speaks_of_a_move {
            let message = format!("`{name}` speaks of a move, but a new round is none");
            return Err(self.misplaced(form, message, "put it into the moves"));
        }
        Ok(())
    }

    /// Builds an instruction of one word: a keyword, a direction or a position, looked up in this order.
    fn build_word(&mut self, form: Form) -> Result<InstructionKind, Reported> {
        let Some(symbol) = self.word(form) else {
            return Err(self.unknown_instruction(form, form));
        };
        if let Some(keyword) = self.keyword(form, Context::Instruction) {
            self.check_area(keyword, form)?;
            return Ok(match keyword {
                Keyword::From => InstructionKind::From,
                Keyword::To => InstructionKind::To,
                Keyword::Back => InstructionKind::Go(Pointer::Mark),
                Keyword::Mark => InstructionKind::Mark(Place::Here),
                Keyword::Cascade => InstructionKind::Cascade,
                Keyword::Capture => InstructionKind::Capture(Place::Here),
                Keyword::Flip => InstructionKind::Flip(Place::Here),
                Keyword::ChangeOwner => {
                    self.need_mover(form, NAME_OWNER)?;
                    InstructionKind::ChangeOwner(Place::Here)
                }
                Keyword::Create => return self.build_create(form, &[]),
                Keyword::Add => InstructionKind::Add(Add::default()),
                Keyword::AddPartial => InstructionKind::Add(Add {
                    partial: true,
                    ..Add::default()
                }),
                Keyword::AddCopy => InstructionKind::Add(Add {
                    copy: true,
                    ..Add::default()
                }),
                Keyword::AddCopyPartial => InstructionKind::Add(Add {
                    copy: true,
                    partial: true,
                    ..Add::default()
                }),
                Keyword::Then => InstructionKind::Then,
                Keyword::Again => InstructionKind::Again,
                Keyword::Else => {
                    self.push(
                        Severity::Warning,
                        Code::StrayElse,
                        form,
                        "`else` stands outside an `if`",
                        "",
                    );
                    return Err(Reported);
                }
                _ => {
                    let message = format!("`{}` stands alone", keyword.name());
                    return Err(self.bad_instruction(form, message, keyword));
                }
            });
        }
        if let Some(direction) = self.directions.get(symbol) {
            return Ok(InstructionKind::Step(Place::Direction(direction)));
        }
        if let Some(cell) = self.cells.get(symbol) {
            return Ok(InstructionKind::Step(Place::Cell(cell)));
        }
        Err(self.unknown_instruction(form, form))
    }

    fn build_go(&mut self, form: Form, args: &[Form]) -> Result<InstructionKind, Reported> {
        let Some(&target) = args.first() else {
            return Err(self.bad_instruction(form, "`go` says not where", Keyword::Go));
        };
        let symbol = self.word(target);
        let pointer = match symbol.and_then(|symbol| self.keywords.classic(symbol, Context::Place)) {
            Some(Keyword::From) => Pointer::From,
            Some(Keyword::To) => Pointer::To,
            Some(Keyword::Mark) => Pointer::Mark,
            Some(Keyword::LastFrom) => Pointer::LastFrom,
            Some(Keyword::LastTo) => Pointer::LastTo,
            _ => return Ok(InstructionKind::Step(self.place(target)?)),
        };
        Ok(InstructionKind::Go(pointer))
    }

    /// Reads the arguments of the `add` family: names of pieces are what it becomes, other names are move types.
    fn build_add(&mut self, keyword: Keyword, args: &[Form]) -> Result<Add, Reported> {
        let partial = matches!(keyword, Keyword::AddPartial | Keyword::AddCopyPartial);
        let copy = matches!(keyword, Keyword::AddCopy | Keyword::AddCopyPartial);
        let mut add = Add {
            partial,
            copy,
            ..Add::default()
        };
        for &form in args {
            let Some(symbol) = self.word(form) else {
                return Err(self.bad_instruction(form, "a list stands where a piece was expected", keyword));
            };
            match self.kinds.get(symbol) {
                Some(new_kind) => add.kinds.push(new_kind),
                None if partial => {
                    if let Some(move_type) = self.move_type(symbol) {
                        add.move_types.push(move_type);
                        self.mention(move_type);
                    }
                }
                None => {
                    self.unknown_name(Severity::Warning, form, "piece", self.kinds.symbols.clone());
                    return Err(Reported);
                }
            }
        }
        Ok(add)
    }

    /// Reads the arguments of `create`, each recognised by what it names.
    fn build_create(&mut self, form: Form, args: &[Form]) -> Result<InstructionKind, Reported> {
        let (mut player, mut kind, mut place) = (None, None, Place::Here);
        for (index, &form) in args.iter().enumerate() {
            let symbol = self.word(form);
            let as_player = symbol
                .and_then(|symbol| self.players.get(symbol))
                .filter(|_| index == 0);
            let as_kind = symbol
                .and_then(|symbol| self.kinds.get(symbol))
                .filter(|_| kind.is_none());
            if let Some(named) = as_player {
                player = Some(named);
            } else if let Some(named) = as_kind {
                kind = Some(named);
            } else {
                place = self.place(form)?;
            }
        }
        if kind.is_none() && self.scope.kind.is_none() {
            let message = "`create` names no piece, and no piece runs this";
            return Err(self.misplaced(form, message, "write `(create PIECE)`"));
        }
        if player.is_none() {
            let head = self.elements(form).first().copied().unwrap_or(form);
            self.need_mover(head, NAME_OWNER)?;
        }
        Ok(InstructionKind::Create(player, kind, place))
    }

    fn build_if(&mut self, form: Form, args: &[Form]) -> Result<InstructionKind, Reported> {
        let Some((&condition, body)) = args.split_first() else {
            return Err(self.bad_instruction(form, "`if` has no condition", Keyword::If));
        };
        let condition = self.build_condition(condition);
        let is_else = |&form: &Form| self.peek(form, Context::Instruction) == Some(Keyword::Else);
        let mut parts = body.split(is_else);
        let (then, otherwise, surplus) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
            parts.next(),
        );
        if let Some(surplus) = surplus {
            let at = surplus.first().copied().unwrap_or(form);
            self.push(
                Severity::Warning,
                Code::StrayElse,
                at,
                "an `if` has a second `else`",
                "what follows it is ignored",
            );
        }
        let (then, otherwise) = (self.build_instructions(then), self.build_instructions(otherwise));
        Ok(InstructionKind::If(
            condition?,
            then.ok_or(Reported)?,
            otherwise.ok_or(Reported)?,
        ))
    }

    // Arguments.

    /// Reads the name of an attribute.
    pub(super) fn attribute(&mut self, name: Form) -> Result<AttributeId, Reported> {
        let kept = self.word(name).and_then(|symbol| self.kept(symbol));
        let shown = self.shown(name);
        let (what, help) = match kept {
            Some(Kept::Attribute(id)) => return Ok(id),
            Some(Kept::Variable(_)) => ("a variable", format!("write `(set {shown} N)`")),
            Some(Kept::PlayerVariable(_)) => ("a variable of players", format!("write `(set {shown} PLAYER N)`")),
            Some(Kept::Let(..)) => ("a `let`", format!("write `(let {shown} VALUE)`")),
            Some(Kept::Constant(_)) => (
                "a constant, which never changes",
                format!("declare `(attribute {shown} N)`"),
            ),
            None => {
                self.unknown_name(Severity::Warning, name, "attribute", self.attributes.symbols.clone());
                return Err(Reported);
            }
        };
        let message = format!("`{shown}` is {what}, but an attribute was expected");
        let help = format!("{help}; {}", self.left_out());
        self.push(Severity::Warning, Code::WrongSort, name, message, help);
        Err(Reported)
    }

    /// Tells whether the value of an attribute is a number rather than a condition. What is both, an attribute, is a
    /// condition unless it holds numbers.
    fn is_number_value(&mut self, form: Form) -> bool {
        let sorts = self.sorts(form);
        if !sorts.has(Sorts::CONDITION) {
            return sorts.is_number();
        }
        let head = if self.is_list(form) {
            self.elements(form).first().copied()
        } else {
            Some(form)
        };
        match head
            .and_then(|head| self.word(head))
            .and_then(|symbol| self.kept(symbol))
        {
            Some(Kept::Attribute(id)) => self.numeric_attributes.contains(&id),
            _ => false,
        }
    }

    /// Reads the value of a flag or attribute; true if none is written.
    fn value(&mut self, form: Option<&Form>) -> Result<Condition, Reported> {
        form.map_or(Ok(Condition::Constant(true)), |&form| self.build_condition(form))
    }

    pub(super) fn flag(&mut self, at: Form, form: Option<&Form>, keyword: Keyword) -> Result<FlagId, Reported> {
        let symbol = form.and_then(|&form| self.word(form));
        let flag = symbol.and_then(|symbol| intern(&mut self.flags, symbol, FlagId::new));
        flag.ok_or_else(|| self.bad_instruction(at, format!("`{}` names no flag", keyword.name()), keyword))
    }

    pub(super) fn position_flag(
        &mut self,
        at: Form,
        form: Option<&Form>,
        keyword: Keyword,
    ) -> Result<PositionFlagId, Reported> {
        let symbol = form.and_then(|&form| self.word(form));
        let flag = symbol.and_then(|symbol| intern(&mut self.position_flags, symbol, PositionFlagId::new));
        flag.ok_or_else(|| self.bad_instruction(at, format!("`{}` names no flag", keyword.name()), keyword))
    }

    // Reporting.

    pub(super) fn unknown_instruction(&mut self, head: Form, form: Form) -> Reported {
        let name = self.shown(head);
        let names = self
            .directions
            .symbols
            .iter()
            .chain(&self.cells.symbols)
            .map(|&symbol| self.expander.text(symbol));
        let near = keyword::nearest(&name, Context::Instruction).or_else(|| keyword::nearest_of(&name, names));
        let is_place = self.word(head).is_some_and(|symbol| self.let_names().contains(&symbol));
        let is_macro = matches!(self.expander.kind(head), FormKind::Atom(symbol) if self.expander.is_macro(symbol))
            && keyword::Keyword::from_name(&name).is_some();
        let help = match near {
            _ if self.is_condition(head) => {
                format!("write `(verify {name})` to go on only if it holds; {}", self.left_out())
            }
            _ if is_place => format!("write `(go {name})` to go there; {}", self.left_out()),
            _ if is_macro => format!("write `({name})` to use the macro of this name; {}", self.left_out()),
            Some(near) if near == name => format!("write `{name}` without brackets; {}", self.left_out()),
            Some(near) => format!("did you mean `{near}`? {}", self.is_left_out()),
            None => self.left_out(),
        };
        let message = format!("`{name}` is no instruction, direction or position");
        let at = if self.is_list(head) { form } else { head };
        self.push(Severity::Warning, Code::UnknownInstruction, at, message, help);
        Reported
    }

    pub(super) fn bad_instruction(&mut self, at: Form, message: impl Into<String>, keyword: Keyword) -> Reported {
        let help = format!("it is written `{}`; {}", keyword.shape(), self.left_out());
        self.push(Severity::Warning, Code::BadInstruction, at, message, help);
        Reported
    }

    /// Tests the number of arguments of a word.
    pub(super) fn arity(
        &mut self,
        section: &Section,
        keyword: Keyword,
        wanted: std::ops::RangeInclusive<usize>,
    ) -> Result<(), Reported> {
        let found = section.args().len();
        if wanted.contains(&found) {
            return Ok(());
        }
        let what = match (found, found < *wanted.start()) {
            (0, true) => "has nothing in it",
            (_, true) => "lacks something",
            (_, false) => "has too much in it",
        };
        Err(self.bad_instruction(section.form, format!("`{}` {what}", keyword.name()), keyword))
    }
}

/// Something was wrong and has been reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;
