//! What a form could be by its first word: a number, a place, a set, a condition. Where several would do this decides
//! which is read, and where another was wanted it makes the message.

use super::Builder;
use super::instructions::Reported;
use super::scope::Kept;
use crate::diagnostic::{Code, Severity};
use crate::expand::{Form, FormKind};
use crate::keyword::{Context, Keyword};
use crate::model::piece::LetKind;

/// The sorts that a form could be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sorts(u8);

impl Sorts {
    pub(super) const NUMBER: Sorts = Sorts(1);
    pub(super) const PLACE: Sorts = Sorts(2);
    pub(super) const SET: Sorts = Sorts(4);
    pub(super) const CONDITION: Sorts = Sorts(8);
    pub(super) const KIND: Sorts = Sorts(16);
    pub(super) const PLAYER: Sorts = Sorts(32);
    pub(super) const TEXT: Sorts = Sorts(64);

    pub(super) fn has(self, sort: Sorts) -> bool {
        self.0 & sort.0 != 0
    }

    /// Tells whether it could stand for a place: a set is its first position.
    pub(super) fn is_place(self) -> bool {
        self.has(Sorts(Sorts::PLACE.0 | Sorts::SET.0))
    }

    pub(super) fn is_number(self) -> bool {
        self.has(Sorts::NUMBER)
    }

    fn or(self, other: Sorts) -> Sorts {
        Sorts(self.0 | other.0)
    }

    fn name(self) -> &'static str {
        if self.has(Sorts::NUMBER) {
            "number"
        } else if self.has(Sorts::CONDITION) {
            "condition"
        } else if self.has(Sorts::PLACE) {
            "place"
        } else if self.has(Sorts::SET) {
            "set"
        } else if self.has(Sorts::KIND) {
            "piece"
        } else if self.has(Sorts::PLAYER) {
            "player"
        } else {
            "text"
        }
    }
}

impl Builder<'_> {
    /// Returns what a form could be, by its first word.
    pub(super) fn sorts(&mut self, form: Form) -> Sorts {
        let elements = if self.is_list(form) {
            self.elements(form)
        } else {
            vec![form]
        };
        match elements[..] {
            [only] if self.is_list(only) => self.sorts(only),
            [head] => self.word_sorts(head),
            [head, ..] if !self.is_list(head) => self.headed_sorts(head, &elements),
            _ => Sorts::default(),
        }
    }

    fn word_sorts(&self, form: Form) -> Sorts {
        let symbol = match self.expander.kind(form) {
            FormKind::Atom(symbol) => symbol,
            FormKind::Str(_) => return Sorts::TEXT,
            FormKind::List => return Sorts::default(),
        };
        let mut sorts = match self.kept(symbol) {
            Some(Kept::Let(_, LetKind::Number)) => return Sorts::NUMBER,
            Some(Kept::Let(_, LetKind::Place)) => return Sorts::PLACE,
            Some(Kept::Attribute(_)) => Sorts::NUMBER.or(Sorts::CONDITION),
            Some(_) => Sorts::NUMBER,
            None if self.expander.text(symbol).parse::<i64>().is_ok() => Sorts::NUMBER,
            None => Sorts::default(),
        };
        if self.directions.get(symbol).is_some() || self.cells.get(symbol).is_some() {
            sorts = sorts.or(Sorts::PLACE);
        }
        if self.zones.get(symbol).is_some() {
            sorts = sorts.or(Sorts::SET);
        }
        if sorts == Sorts::default() {
            sorts = self.keyword_sorts(form);
        }
        if sorts == Sorts::default() && self.kinds.get(symbol).is_some() {
            sorts = Sorts::KIND;
        }
        if sorts == Sorts::default() && self.players.get(symbol).is_some() {
            sorts = Sorts::PLAYER;
        }
        sorts
    }

    fn headed_sorts(&mut self, head: Form, elements: &[Form]) -> Sorts {
        match self.word(head).and_then(|symbol| self.kept(symbol)) {
            Some(Kept::Attribute(_)) => Sorts::NUMBER.or(Sorts::CONDITION),
            Some(_) => Sorts::NUMBER,
            // Of `select` the alternatives decide.
            None if self.peek(head, Context::Number) == Some(Keyword::Select) => {
                elements.get(2).map(|&form| self.sorts(form)).unwrap_or_default()
            }
            None => self.keyword_sorts(head),
        }
    }

    /// Returns what a word of the language begins.
    fn keyword_sorts(&self, form: Form) -> Sorts {
        let Some(symbol) = self.word(form) else {
            return Sorts::default();
        };
        if self.keywords.classic(symbol, Context::Condition).is_some() || self.negated(form).is_some() {
            return Sorts::CONDITION;
        }
        [
            (Context::Number, Sorts::NUMBER),
            (Context::Condition, Sorts::CONDITION),
            (Context::Place, Sorts::PLACE),
            (Context::Set, Sorts::SET),
        ]
        .into_iter()
        .filter(|&(context, _)| self.peek(form, context).is_some())
        .fold(Sorts::default(), |sorts, (_, sort)| sorts.or(sort))
    }

    /// Returns the condition of which a word is the `not-` form.
    pub(super) fn negated(&self, form: Form) -> Option<Keyword> {
        let symbol = self.word(form)?;
        let keyword = self.keywords.negated(symbol)?;
        (!keyword.is_extension() || !self.is_named(symbol)).then_some(keyword)
    }

    /// Returns a form as it is named in messages, a list with its first word.
    fn shown_headed(&mut self, form: Form) -> String {
        if !self.is_list(form) {
            return self.shown(form);
        }
        match self.elements(form)[..] {
            [only] => format!("({})", self.shown(only)),
            [head, ..] if !self.is_list(head) => format!("({} …)", self.shown(head)),
            _ => self.shown(form),
        }
    }

    /// Reports a form of another sort than was wanted, with a way to make one of the other.
    pub(super) fn wrong_sort(&mut self, at: Form, wanted: Sorts) -> Reported {
        let found = self.sorts(at);
        let shown = self.shown_headed(at);
        let help = match (found.name(), wanted.name()) {
            ("condition", "number") => format!("write `(select {shown} 1 0)` to make a number of it"),
            ("set", "number") => format!("write `(count {shown})` for the number of its positions"),
            ("place", "number") => {
                "write `(row PLACE)`, `(column PLACE)` or an attribute of the piece there".to_owned()
            }
            ("piece", "number") => format!("write `(count (pieces any {shown}))` for how many there are"),
            ("player", "number") => format!("write `(count (pieces {shown}))` for how many pieces it has"),
            ("number", "condition") => format!("write `(<> {shown} 0)` to make a condition of it"),
            ("set" | "place", "condition") => {
                format!("write `(some {shown})` for a condition that holds if it has a position")
            }
            ("piece", "condition") => format!("write `(piece? {shown})` to ask what stands there"),
            ("player", "condition") => format!("write `(owner? {shown})` to ask who owns what stands there"),
            ("condition", _) => format!("write `(where board {shown})` for the positions where it holds"),
            ("number", _) => "write `(cell COLUMN ROW)` for the position with these grid indices".to_owned(),
            ("piece", _) => format!("write `(pieces any {shown})` for where such pieces stand"),
            ("player", _) => format!("write `(pieces {shown})` for where its pieces stand"),
            _ => "texts stand in `label` only".to_owned(),
        };
        let message = format!("`{shown}` is a {}, but a {} was expected", found.name(), wanted.name());
        let help = format!("{help}; {}", self.left_out());
        self.push(Severity::Warning, Code::WrongSort, at, message, help);
        Reported
    }
}
