//! Players, turn order, priorities and setup.

use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::Form;
use crate::keyword::{Context, Keyword};
use crate::model::ids::{CellId, MoveTypeId, PieceKindId, PlayerId};
use crate::model::turn::{Player, TurnItem, TurnOrder};
use crate::model::{Setup, UNLIMITED};

/// The most turns in a row of one item of the turn order.
const MAX_TURNS: i64 = 1_000;

impl Builder<'_> {
    pub(super) fn build_players(&mut self, section: &Section) {
        for &form in section.args() {
            let Some(symbol) = self.word(form) else {
                self.bad_form(
                    Severity::Error,
                    form,
                    "a list stands where a player's name was expected",
                    Keyword::Players,
                );
                continue;
            };
            if self.players.get(symbol).is_some() {
                let message = format!("the player `{}` is named twice", self.shown(form));
                self.push(Severity::Warning, Code::DuplicateName, form, message, "it counts once");
                continue;
            }
            let Some(id) = PlayerId::new(self.players.len()) else {
                self.push(Severity::Error, Code::TooMany, form, "there are too many players", "");
                return;
            };
            let name = self.expander.text(symbol).to_owned();
            self.players.insert(symbol, id);
            self.player_models.push(Player {
                random: name.starts_with('?'),
                name,
                takes_turns: false,
            });
        }
    }

    pub(super) fn build_priorities(&mut self, section: &Section) -> Vec<MoveTypeId> {
        let mut priorities = Vec::new();
        for &form in section.args() {
            let Some(symbol) = self.word(form) else {
                let message = "a list stands where a move type was expected";
                self.bad_form(Severity::Warning, form, message, Keyword::MovePriorities);
                continue;
            };
            if let Some(id) = self.move_type(symbol).filter(|id| !priorities.contains(id)) {
                priorities.push(id);
            }
        }
        priorities
    }

    pub(super) fn build_turn_order(&mut self, section: &Section) -> Option<TurnOrder> {
        let mut order = TurnOrder::default();
        for &form in section.args() {
            let is_repeat = self.peek(form, Context::Turn);
            if is_repeat == Some(Keyword::Repeat) && self.word(form).is_some_and(|s| self.players.get(s).is_none()) {
                order.repeat_from = order.items.len();
                continue;
            }
            let (times, item) = self.build_turn_item(form);
            order
                .items
                .extend(item.into_iter().flat_map(|item| std::iter::repeat_n(item, times)));
        }
        if order.items.is_empty() {
            self.bad_form(
                Severity::Error,
                section.form,
                "the turn order has no turn",
                Keyword::TurnOrder,
            );
            return None;
        }
        if order.repeat_from >= order.items.len() {
            order.repeat_from = 0;
        }
        for item in &order.items {
            self.player_models[item.player.index()].takes_turns = true;
            self.player_models[item.acts_as.index()].takes_turns = true;
        }
        Some(order)
    }

    /// Reads `(N P …)`: so many items in a row.
    fn build_turn_item(&mut self, form: Form) -> (usize, Option<TurnItem>) {
        let elements = if self.is_list(form) {
            self.elements(form)
        } else {
            vec![form]
        };
        let times = match elements[..] {
            [first, _, ..]
                if self
                    .word(first)
                    .is_some_and(|symbol| self.players.get(symbol).is_none()) =>
            {
                self.text(first).parse::<i64>().ok()
            }
            _ => None,
        };
        if times.is_some() {
            self.use_extension(Keyword::TurnOrder.name(), form);
        }
        match times {
            None => (1, self.build_single_turn(form, &elements)),
            Some(times @ 1..=MAX_TURNS) => (times as usize, self.build_single_turn(form, &elements[1..])),
            Some(_) => {
                let message = format!("a player can have from 1 to {MAX_TURNS} turns in a row");
                self.bad_form(Severity::Warning, form, message, Keyword::TurnOrder);
                (1, self.build_single_turn(form, &elements[1..]))
            }
        }
    }

    /// Reads `P`, `P mt`, `P Q` or `P Q mt`; a second name is looked up among the players first.
    fn build_single_turn(&mut self, form: Form, elements: &[Form]) -> Option<TurnItem> {
        let Some((&first, rest)) = elements.split_first() else {
            self.bad_form(
                Severity::Warning,
                form,
                "an item of the turn order is empty",
                Keyword::TurnOrder,
            );
            return None;
        };
        let player = self.player(first, Severity::Error)?;
        let mut item = TurnItem {
            player,
            acts_as: player,
            move_type: None,
        };
        for (index, &form) in rest.iter().enumerate() {
            let Some(symbol) = self.word(form) else {
                self.bad_form(
                    Severity::Warning,
                    form,
                    "a list stands where a name was expected",
                    Keyword::TurnOrder,
                );
                continue;
            };
            match self.players.get(symbol) {
                Some(acts_as) if index == 0 => item.acts_as = acts_as,
                _ => item.move_type = self.move_type(symbol),
            }
        }
        Some(item)
    }

    pub(super) fn build_setup(&mut self, section: &Section) -> Setup {
        let mut setup = Setup::default();
        for &form in section.args() {
            let elements = self.elements(form);
            let Some((&head, entries)) = elements.split_first() else {
                let message = format!(
                    "found `{}` where a list of a player's pieces was expected",
                    self.shown(form)
                );
                self.bad_form(Severity::Warning, form, message, Keyword::BoardSetup);
                continue;
            };
            let Some(player) = self.player(head, Severity::Error) else {
                continue;
            };
            for &entry in entries {
                self.build_setup_entry(player, entry, &mut setup);
            }
        }
        setup
    }

    /// Reads `(TYPE POSITION … [off N])`.
    fn build_setup_entry(&mut self, player: PlayerId, form: Form, setup: &mut Setup) {
        let elements = self.elements(form);
        let Some((&head, items)) = elements.split_first() else {
            let message = format!("found `{}` where a list of positions was expected", self.shown(form));
            self.bad_form(Severity::Warning, form, message, Keyword::BoardSetup);
            return;
        };
        let Some(kind) = self.kind(head, Severity::Error) else {
            return;
        };
        let mut items = items.iter();
        while let Some(&item) = items.next() {
            let is_off = self.peek(item, Context::Setup) == Some(Keyword::Off);
            let is_position = self.word(item).is_some_and(|symbol| self.cells.get(symbol).is_some());
            if is_off && !is_position {
                match items.next() {
                    Some(&form) => self.build_stock(player, kind, form, setup),
                    None => self.bad_form(Severity::Warning, item, "`off` has no number", Keyword::Off),
                }
                continue;
            }
            if self.is_list(item) {
                self.build_special_piece(item, player, kind, setup);
                continue;
            }
            if let Some(cell) = self.cell(item, Severity::Warning) {
                self.place_piece(item, cell, player, kind, setup);
            }
        }
    }

    /// Puts a piece on a cell; the last one stays.
    pub(super) fn place_piece(
        &mut self,
        form: Form,
        cell: CellId,
        player: PlayerId,
        kind: PieceKindId,
        setup: &mut Setup,
    ) {
        let Some(known) = setup.pieces.iter_mut().find(|(known, ..)| *known == cell) else {
            setup.pieces.push((cell, player, kind));
            return;
        };
        *known = (cell, player, kind);
        self.extensions.setup_attributes.retain(|&(known, ..)| known != cell);
        let message = format!("the position `{}` is filled twice", self.board.name(cell));
        self.push(
            Severity::Warning,
            Code::DuplicateName,
            form,
            message,
            "the last piece stays",
        );
    }

    /// Reads `(POSITION (ATTRIBUTE VALUE) …)`.
    fn build_special_piece(&mut self, form: Form, player: PlayerId, kind: PieceKindId, setup: &mut Setup) {
        let elements = self.elements(form);
        let Some((&head, values)) = elements.split_first() else {
            self.bad_form(
                Severity::Warning,
                form,
                "an empty list is no position",
                Keyword::BoardSetup,
            );
            return;
        };
        let Some(cell) = self.cell(head, Severity::Warning) else {
            return;
        };
        self.place_piece(head, cell, player, kind, setup);
        self.use_extension(Keyword::BoardSetup.name(), form);
        for &form in values {
            let pair = self.elements(form);
            let &[name, value] = &pair[..] else {
                let message = "what a piece has at first is written `(ATTRIBUTE VALUE)`";
                self.bad_form(Severity::Warning, form, message, Keyword::BoardSetup);
                continue;
            };
            let Some(attribute) = self.word(name).and_then(|symbol| self.attributes.get(symbol)) else {
                self.unknown_name(Severity::Warning, name, "attribute", self.attributes.symbols.clone());
                continue;
            };
            let Some(value) = self.initial_value(value) else {
                continue;
            };
            let values = &mut self.extensions.setup_attributes;
            values.retain(|&(known, other, _)| (known, other) != (cell, attribute));
            let attributes = &self.kind_models[kind.index()].attributes;
            let usual = attributes
                .iter()
                .find(|&&(known, _)| known == attribute)
                .map_or(0, |&(_, usual)| usual);
            if value != usual {
                values.push((cell, attribute, value));
            }
        }
    }

    fn build_stock(&mut self, player: PlayerId, kind: PieceKindId, form: Form, setup: &mut Setup) {
        if self.keyword(form, Context::Setup) == Some(Keyword::Multiply) {
            setup.stock.push((player, kind, UNLIMITED));
            return;
        }
        match self.number(form).map(u32::try_from) {
            Some(Ok(count)) if count != UNLIMITED => setup.stock.push((player, kind, count)),
            Some(_) => {
                self.push(
                    Severity::Warning,
                    Code::BadNumber,
                    form,
                    "a stock cannot have this many pieces",
                    "",
                );
            }
            None => {}
        }
    }
}
