//! Instructions beyond the classic language: what is kept, choices, stages.

use super::instructions::Reported;
use super::scope::{Area, Kept};
use super::sorts::Sorts;
use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::{Form, FormKind};
use crate::keyword::{Context, Keyword};
use crate::model::expression::{Number, WhichPlayer};
use crate::model::piece::{Instruction, InstructionKind, LabelItem, LetKind, Range, VariableRef};

impl Builder<'_> {
    /// Builds an instruction that is an extension word with its arguments.
    pub(super) fn build_extension(&mut self, keyword: Keyword, section: &Section) -> Result<InstructionKind, Reported> {
        let form = section.form;
        let args = section.args();
        let (least, most) = match keyword {
            Keyword::Then | Keyword::Again => (0, 0),
            Keyword::Let | Keyword::MovePiece => (2, 2),
            Keyword::Set | Keyword::Increase => (2, 3),
            Keyword::Choose | Keyword::Pick | Keyword::Label | Keyword::Rate => (1, usize::MAX),
            Keyword::Repeat | Keyword::ForEach => (2, usize::MAX),
            _ => (0, usize::MAX),
        };
        self.arity(section, keyword, least..=most)?;
        Ok(match keyword {
            Keyword::Let => self.build_let(args[0], args[1])?,
            Keyword::Set => self.build_set_variable(args)?,
            Keyword::Increase => self.build_increase(args)?,
            Keyword::Choose => self.build_choose(args)?,
            Keyword::Pick => self.build_pick(args)?,
            Keyword::Repeat => {
                let range = self.build_range(args[0]);
                let body = self.build_instructions(&args[1..]);
                let range = range?;
                if self.scope.area == Area::NewRound && range.high.as_ref() != Some(&range.low) {
                    let message = "`repeat` has a range, which is a choice, but a new round has none";
                    return Err(self.misplaced(args[0], message, "write one number of times"));
                }
                InstructionKind::Repeat(range.into(), body.ok_or(Reported)?)
            }
            Keyword::ForEach => {
                let set = self.build_set(args[0]);
                let body = self.build_instructions(&args[1..]);
                InstructionKind::ForEach(set?.into(), body.ok_or(Reported)?)
            }
            Keyword::Then => InstructionKind::Then,
            Keyword::Again => InstructionKind::Again,
            Keyword::MovePiece => {
                let (from, to) = (self.place(args[0]), self.place(args[1]));
                InstructionKind::MovePiece(from?, to?)
            }
            Keyword::Label => {
                let items: Vec<_> = args.iter().map(|&form| self.build_label_item(form)).collect();
                InstructionKind::Label(items.into_iter().collect::<Result<_, _>>()?)
            }
            Keyword::Rate => InstructionKind::Rate(self.build_numbers(args)?),
            Keyword::Range => {
                let message = "`..` stands outside a range";
                return Err(self.bad_instruction(form, message, keyword));
            }
            _ => return Err(self.unknown_instruction(section.elements[0], form)),
        })
    }

    /// Reads `(let NAME VALUE)`.
    pub(super) fn build_let(&mut self, name: Form, value: Form) -> Result<InstructionKind, Reported> {
        let Some(symbol) = self.word(name) else {
            return Err(self.bad_instruction(name, "a list stands where a name was expected", Keyword::Let));
        };
        if self.literal(name)?.is_some() {
            return Err(self.bad_instruction(name, "a number stands where a name was expected", Keyword::Let));
        }
        let sorts = self.sorts(value);
        if sorts.is_number() || !sorts.is_place() && sorts != Sorts::default() {
            let number = self.build_number(value)?;
            let id = self.declare_let(name, symbol, LetKind::Number)?;
            return Ok(InstructionKind::LetNumber(id, number.into()));
        }
        if sorts == Sorts::default() {
            // Nothing that is known.
            self.build_number(value)?;
            return Err(Reported);
        }
        let place = self.place(value)?;
        let id = self.declare_let(name, symbol, LetKind::Place)?;
        Ok(InstructionKind::LetPlace(id, place))
    }

    /// Reads `VARIABLE [PLAYER] VALUE`.
    fn build_set_variable(&mut self, args: &[Form]) -> Result<InstructionKind, Reported> {
        let (&name, &value) = (&args[0], &args[args.len() - 1]);
        let player = if args.len() > 2 { Some(args[1]) } else { None };
        let variable = self.variable(name, player)?;
        Ok(InstructionKind::Set(variable, self.build_number(value)?.into()))
    }

    /// Reads the name of a variable, with the player whose it is.
    fn variable(&mut self, name: Form, player: Option<Form>) -> Result<VariableRef, Reported> {
        let kept = self.word(name).and_then(|symbol| self.kept_variable(symbol));
        let shown = self.shown(name);
        match (kept, player) {
            (Some(Kept::Variable(id)), None) => Ok(VariableRef::Game(id)),
            (Some(Kept::Variable(_)), Some(player)) => {
                let message = format!("`{shown}` belongs to the game, not to a player");
                let help = format!(
                    "write `(player-variable {shown} 0)` in the game to keep one for each; {}",
                    self.left_out()
                );
                self.push(Severity::Warning, Code::BadInstruction, player, message, help);
                Err(Reported)
            }
            (Some(Kept::PlayerVariable(id)), Some(player)) => Ok(VariableRef::Player(id, self.which_player(player)?)),
            (Some(Kept::PlayerVariable(id)), None) => {
                let help = format!("name the player: `(set {shown} PLAYER N)`, `(increase {shown} N PLAYER)`");
                self.need_mover(name, &help)?;
                Ok(VariableRef::Player(id, WhichPlayer::Friend))
            }
            (other, _) => Err(self.no_variable(name, other)),
        }
    }

    /// Looks a name up among the variables only.
    fn kept_variable(&self, symbol: crate::symbol::Symbol) -> Option<Kept> {
        let variable = self.variables.get(symbol).map(Kept::Variable);
        let variable = variable.or_else(|| self.player_variables.get(symbol).map(Kept::PlayerVariable));
        variable.or_else(|| self.kept(symbol))
    }

    fn no_variable(&mut self, name: Form, found: Option<Kept>) -> Reported {
        let shown = self.shown(name);
        let (what, help) = match found {
            Some(Kept::Let(..)) => (
                "a `let`",
                format!("write `(let {shown} VALUE)` to give it another value"),
            ),
            Some(Kept::Attribute(_)) => ("an attribute", format!("write `(set-attribute {shown} N)`")),
            Some(Kept::Constant(_)) => (
                "a constant, which never changes",
                format!("declare `(attribute {shown} N)` in the piece"),
            ),
            _ => {
                let known = [&self.variables.symbols[..], &self.player_variables.symbols].concat();
                self.unknown_name(Severity::Warning, name, "variable", known);
                return Reported;
            }
        };
        let message = format!("`{shown}` is {what}, but a variable was expected");
        let help = format!("{help}; {}", self.left_out());
        self.push(Severity::Warning, Code::WrongSort, name, message, help);
        Reported
    }

    /// Reads `NAME BY [PLACE or PLAYER]`.
    fn build_increase(&mut self, args: &[Form]) -> Result<InstructionKind, Reported> {
        let (name, by, of) = (args[0], args[1], args.get(2));
        match self.word(name).and_then(|symbol| self.kept(symbol)) {
            Some(Kept::Attribute(id)) => {
                let by = self.build_number(by);
                let place = self.optional_place(name, of);
                Ok(InstructionKind::IncreaseAttribute(id, by?.into(), place?))
            }
            Some(Kept::Let(..)) => {
                let shown = self.shown(name);
                let message = format!("`{shown}` is a `let`, but an attribute or variable was expected");
                let help = format!("write `(let {shown} (+ {shown} N))`; {}", self.left_out());
                self.push(Severity::Warning, Code::WrongSort, name, message, help);
                Err(Reported)
            }
            None => {
                let known = [
                    &self.attributes.symbols[..],
                    &self.variables.symbols,
                    &self.player_variables.symbols,
                ];
                self.unknown_name(Severity::Warning, name, "attribute or variable", known.concat());
                Err(Reported)
            }
            Some(_) => {
                let variable = self.variable(name, of.copied())?;
                Ok(InstructionKind::IncreaseVariable(
                    variable,
                    self.build_number(by)?.into(),
                ))
            }
        }
    }

    /// Reads `(INSTRUCTION …) …`.
    fn build_choose(&mut self, args: &[Form]) -> Result<InstructionKind, Reported> {
        let mut alternatives = Vec::with_capacity(args.len());
        let mut is_right = true;
        for &form in args {
            match self.build_alternative(form) {
                Ok(instructions) => alternatives.push(instructions),
                Err(Reported) => is_right = false,
            }
        }
        if is_right {
            Ok(InstructionKind::Choose(alternatives))
        } else {
            Err(Reported)
        }
    }

    fn build_alternative(&mut self, form: Form) -> Result<Vec<Instruction>, Reported> {
        if !self.is_list(form) {
            let message = format!(
                "`{}` stands where a list of instructions was expected",
                self.shown(form)
            );
            return Err(self.bad_instruction(form, message, Keyword::Choose));
        }
        let elements = self.elements(form);
        let needs_brackets = |&head: &Form| {
            let keyword = self.peek(head, Context::Instruction);
            keyword.is_some_and(|keyword| keyword.shape().starts_with('(')) && elements.len() > 1
        };
        if let Some(&head) = elements.first().filter(|head| needs_brackets(head)) {
            let name = self.shown(head);
            let message = format!("`{name}` stands where a list of instructions was expected");
            let help = format!(
                "put one more pair of brackets round it: `(choose (({name} …)) …)`; {}",
                self.left_out()
            );
            self.push(Severity::Warning, Code::BadInstruction, form, message, help);
            return Err(Reported);
        }
        self.build_instructions(&elements).ok_or(Reported)
    }

    /// Reads `SET` or `[RANGE] SET INSTRUCTION …`.
    fn build_pick(&mut self, args: &[Form]) -> Result<InstructionKind, Reported> {
        if let &[set] = args {
            return Ok(InstructionKind::Pick(self.build_set(set)?.into()));
        }
        let first = self.sorts(args[0]);
        let is_range = self.range_ends(args[0]).is_some() || (first.is_number() && !first.is_place());
        let (range, rest) = if is_range {
            (self.build_range(args[0]), &args[1..])
        } else {
            let one = Number::Literal(1);
            let range = Range {
                low: one.clone(),
                high: Some(one),
            };
            (Ok(range), args)
        };
        let set = self.build_set(rest[0]);
        let body = self.build_instructions(&rest[1..]);
        Ok(InstructionKind::PickSome(
            range?.into(),
            set?.into(),
            body.ok_or(Reported)?,
        ))
    }

    /// Takes `(LOW .. HIGH)` apart.
    fn range_ends(&mut self, form: Form) -> Option<(Form, Form)> {
        if !self.is_list(form) {
            return None;
        }
        let elements = self.elements(form);
        match elements[..] {
            [only] if self.is_list(only) => self.range_ends(only),
            [low, dots, high] if self.peek(dots, Context::Instruction) == Some(Keyword::Range) => Some((low, high)),
            _ => None,
        }
    }

    /// Reads a number or `(LOW .. HIGH)`.
    fn build_range(&mut self, form: Form) -> Result<Range, Reported> {
        let Some((low, high)) = self.range_ends(form) else {
            let word = match self.elements(form)[..] {
                [only] => only,
                _ => form,
            };
            if self.text(word).contains("..") {
                let message = format!("`{}` is one word", self.shown(word));
                let help = format!("write spaces round the dots: `(0 .. 3)`; {}", self.left_out());
                self.push(Severity::Warning, Code::BadInstruction, form, message, help);
                return Err(Reported);
            }
            let number = self.build_number(form)?;
            return Ok(Range {
                low: number.clone(),
                high: Some(number),
            });
        };
        let low = self.build_number(low);
        let high = if self.peek(high, Context::Number) == Some(Keyword::Multiply) {
            Ok(None)
        } else {
            self.build_number(high).map(Some)
        };
        Ok(Range { low: low?, high: high? })
    }

    fn build_label_item(&mut self, form: Form) -> Result<LabelItem, Reported> {
        if let FormKind::Str(text) = self.expander.kind(form) {
            return Ok(LabelItem::Text(self.expander.text(text).to_owned()));
        }
        let sorts = self.sorts(form);
        if sorts.is_number() {
            return Ok(LabelItem::Number(self.build_number(form)?));
        }
        if sorts.is_place() {
            return Ok(LabelItem::Place(self.place(form)?));
        }
        if sorts.has(Sorts::KIND)
            && let Some(kind) = self.kind(form, Severity::Warning)
        {
            return Ok(LabelItem::Kind(kind));
        }
        let shown = self.shown(form);
        let message = format!("`{shown}` is no text, number, place or piece");
        let help = format!("write a text in quotes: `(label \"{shown}\")`; {}", self.left_out());
        self.push(Severity::Warning, Code::BadInstruction, form, message, help);
        Err(Reported)
    }
}
