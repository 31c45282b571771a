//! What stands around the forms that are read: in which section, for which piece, with which `let`s.

use super::instructions::Reported;
use super::{Builder, Names};
use crate::diagnostic::{Code, Severity};
use crate::expand::{Form, FormKind};
use crate::keyword::{Context, Keyword};
use crate::model::Site;
use crate::model::ids::{AttributeId, ConstantId, LetId, PieceKindId, PlayerVariableId, VariableId, ZoneId};
use crate::model::piece::LetKind;
use crate::symbol::Symbol;

/// In what part of the rules a form stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Area {
    /// A block of `moves`.
    #[default]
    Moves,
    /// A block of `drops`.
    Drops,
    /// A block of `actions`.
    Actions,
    /// `after-move`.
    AfterMove,
    /// `new-round`.
    NewRound,
    /// `random-setup`.
    RandomSetup,
    /// The set and the order of an `actor`.
    Actor,
    /// A goal.
    Goal,
    /// Another section.
    Section,
}

impl Area {
    /// Tells whether instructions stand here that make moves.
    pub(super) fn is_block(self) -> bool {
        matches!(self, Area::Moves | Area::Drops | Area::Actions)
    }

    /// Tells whether instructions stand here.
    pub(super) fn is_run(self) -> bool {
        self.is_block() || matches!(self, Area::AfterMove | Area::NewRound)
    }

    /// Returns what is left out when something here is wrong.
    pub(super) fn part(self) -> &'static str {
        match self {
            Area::Moves | Area::Drops | Area::Actions => "block",
            Area::Goal => "goal",
            Area::RandomSetup => "item",
            Area::AfterMove | Area::NewRound | Area::Actor | Area::Section => "section",
        }
    }

    /// Tells whether somebody is to move, whom `friend` means.
    fn has_mover(self) -> bool {
        !matches!(self, Area::NewRound | Area::RandomSetup | Area::Actor)
    }
}

/// What stands around the forms that are read.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The part of the rules.
    pub(super) area: Area,
    /// The piece whose block it is.
    pub(super) kind: Option<PieceKindId>,
    /// Whether there is no current cell.
    pub(super) nowhere: bool,
    /// Whether a word beyond the classic language has been met.
    pub(super) goes_beyond: bool,
    /// The `let`s, with what they hold.
    lets: Names<LetId>,
    let_kinds: Vec<LetKind>,
}

/// What a name keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Let(LetId, LetKind),
    Attribute(AttributeId),
    Constant(ConstantId),
    Variable(VariableId),
    PlayerVariable(PlayerVariableId),
}

impl Builder<'_> {
    /// Begins to read a part of the rules.
    pub(super) fn enter(&mut self, area: Area, kind: Option<PieceKindId>) {
        let nowhere = !area.is_run();
        self.scope = Scope {
            area,
            kind,
            nowhere,
            ..Scope::default()
        };
    }

    /// Ends a part of the rules and returns what its `let`s hold.
    pub(super) fn leave(&mut self) -> Vec<LetKind> {
        std::mem::take(&mut self.scope).let_kinds
    }

    /// Reads something that is asked at each member of a set, which is then the current cell.
    pub(super) fn at_members<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let was_nowhere = std::mem::replace(&mut self.scope.nowhere, false);
        let built = read(self);
        self.scope.nowhere = was_nowhere;
        built
    }

    /// Returns the `let` of this name, declaring it if it is new; `None` if it holds something else.
    pub(super) fn declare_let(&mut self, form: Form, symbol: Symbol, kind: LetKind) -> Result<LetId, Reported> {
        if let Some(id) = self.scope.lets.get(symbol) {
            let known = self.scope.let_kinds[id.index()];
            if known == kind {
                return Ok(id);
            }
            let sort = |kind| match kind {
                LetKind::Number => "number",
                LetKind::Place => "place",
            };
            let message = format!(
                "`{}` is given a {}, but held a {} before",
                self.shown(form),
                sort(kind),
                sort(known)
            );
            let help = format!("use another name for it; {}", self.left_out());
            self.push(Severity::Warning, Code::WrongSort, form, message, help);
            return Err(Reported);
        }
        let Some(id) = LetId::new(self.scope.let_kinds.len()) else {
            self.push(
                Severity::Error,
                Code::TooMany,
                form,
                "there are too many names here",
                "",
            );
            return Err(Reported);
        };
        self.scope.lets.insert(symbol, id);
        self.scope.let_kinds.push(kind);
        Ok(id)
    }

    /// Returns the `let`s that are known here.
    pub(super) fn let_names(&self) -> &[Symbol] {
        &self.scope.lets.symbols
    }

    /// Looks a name up as `let`, attribute, constant and variable.
    pub(super) fn kept(&self, symbol: Symbol) -> Option<Kept> {
        if let Some(id) = self.scope.lets.get(symbol) {
            return Some(Kept::Let(id, self.scope.let_kinds[id.index()]));
        }
        let attribute = self.attributes.get(symbol).map(Kept::Attribute);
        attribute
            .or_else(|| self.constants.get(symbol).map(Kept::Constant))
            .or_else(|| self.variables.get(symbol).map(Kept::Variable))
            .or_else(|| self.player_variables.get(symbol).map(Kept::PlayerVariable))
    }

    /// Tells whether the file gives this name to something; then it is no extension word.
    pub(super) fn is_named(&self, symbol: Symbol) -> bool {
        self.kept(symbol).is_some()
            || self.kinds.get(symbol).is_some()
            || self.players.get(symbol).is_some()
            || self.cells.get(symbol).is_some()
            || self.directions.get(symbol).is_some()
            || self.zones.get(symbol).is_some()
            || self.expander.is_macro(symbol)
    }

    /// Returns the keyword that a form is in `context`, without using it.
    pub(super) fn peek(&self, form: Form, context: Context) -> Option<Keyword> {
        let symbol = self.word(form)?;
        let keyword = self.keywords.get(symbol, context)?;
        let is_free = || matches!(self.expander.kind(form), FormKind::Atom(_)) && !self.is_named(symbol);
        (!keyword.is_beyond(context) || is_free()).then_some(keyword)
    }

    /// Returns the keyword that a form is in `context`; an extension word counts as used.
    pub(super) fn keyword(&mut self, form: Form, context: Context) -> Option<Keyword> {
        let keyword = self.peek(form, context)?;
        if keyword.is_beyond(context) {
            self.use_extension(keyword.name(), form);
        }
        Some(keyword)
    }

    /// Notes that a form uses a word beyond the classic language.
    pub(super) fn use_extension(&mut self, word: &'static str, form: Form) {
        let site = self.site(form);
        self.extension_uses.entry(word).or_insert(site);
        self.scope.goes_beyond = true;
    }

    /// Returns the extension words that were used, sorted, with the place of the first use.
    pub(super) fn take_extension_uses(&mut self) -> (Vec<&'static str>, Vec<Site>) {
        let mut uses: Vec<_> = std::mem::take(&mut self.extension_uses).into_iter().collect();
        uses.sort_unstable_by_key(|&(word, _)| word);
        uses.into_iter().unzip()
    }

    /// Says what becomes of the part of the rules that is read, as the end of a help.
    pub(super) fn left_out(&self) -> String {
        format!("the {} is left out", self.scope.area.part())
    }

    /// Says the same as a sentence of its own.
    pub(super) fn is_left_out(&self) -> String {
        format!("The {} is left out", self.scope.area.part())
    }

    /// Reports a word that means nothing where it stands.
    pub(super) fn misplaced(&mut self, at: Form, message: impl Into<String>, help: &str) -> Reported {
        let help = format!("{help}; {}", self.left_out());
        self.push(Severity::Warning, Code::Misplaced, at, message, help);
        Reported
    }

    /// Tests that somebody is to move, whom `at` speaks of.
    pub(super) fn need_mover(&mut self, at: Form, help: &str) -> Result<(), Reported> {
        if self.scope.area.has_mover() {
            return Ok(());
        }
        let message = format!("nobody is to move here, but `{}` speaks of the mover", self.shown(at));
        Err(self.misplaced(at, message, help))
    }

    /// Notes a word that nobody is meant by where nobody is to move.
    pub(super) fn note_no_mover(&mut self, at: Form) {
        if !self.scope.area.has_mover() {
            let message = format!("nobody is to move here, so `{}` means nobody", self.shown(at));
            let help = "name a player: `(owner? PLAYER)`, `(pieces PLAYER)`";
            self.push(Severity::Note, Code::Misplaced, at, message, help);
        }
    }

    /// Notes a zone that belongs to players where nobody is to move.
    pub(super) fn note_zone_of_players(&mut self, at: Form, zone: ZoneId) {
        let is_empty = self
            .board
            .zones
            .get(zone.index())
            .is_some_and(|zone| zone.everyones.is_empty());
        if !self.scope.area.has_mover() && is_empty {
            let message = format!(
                "nobody is to move here, and the zone `{}` belongs to players",
                self.shown(at)
            );
            let help = "it has no position here; declare a zone without `players`";
            self.push(Severity::Note, Code::Misplaced, at, message, help);
        }
    }

    /// Tests that there is a current cell, which `at` speaks of.
    pub(super) fn need_here(&mut self, at: Form) -> Result<(), Reported> {
        if !self.scope.nowhere {
            return Ok(());
        }
        let message = format!(
            "there is no current position here that `{}` could speak of",
            self.shown(at)
        );
        let help = "name a position, or ask `(some SET CONDITION)`";
        Err(self.misplaced(at, message, help))
    }
}
