//! Players, turn order, priorities and setup.

use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::Form;
use crate::keyword::{Context, Keyword};
use crate::model::Setup;
use crate::model::ids::{MoveTypeId, PieceKindId, PlayerId};
use crate::model::turn::{Player, TurnItem, TurnOrder};

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
            let is_repeat = self
                .word(form)
                .and_then(|symbol| self.keywords.get(symbol, Context::Turn));
            if is_repeat == Some(Keyword::Repeat) && self.word(form).is_some_and(|s| self.players.get(s).is_none()) {
                order.repeat_from = order.items.len();
                continue;
            }
            order.items.extend(self.build_turn_item(form));
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

    /// Reads `P`, `(P mt)`, `(P Q)` or `(P Q mt)`; a second name is looked up among the players first.
    fn build_turn_item(&mut self, form: Form) -> Option<TurnItem> {
        let elements = if self.is_list(form) {
            self.elements(form)
        } else {
            vec![form]
        };
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
            let is_off = self
                .word(item)
                .and_then(|symbol| self.keywords.get(symbol, Context::Setup));
            let is_position = self.word(item).is_some_and(|symbol| self.cells.get(symbol).is_some());
            if is_off == Some(Keyword::Off) && !is_position {
                match items.next() {
                    Some(&form) => self.build_stock(player, kind, form, setup),
                    None => self.bad_form(Severity::Warning, item, "`off` has no number", Keyword::Off),
                }
                continue;
            }
            let Some(cell) = self.cell(item, Severity::Warning) else {
                continue;
            };
            if let Some(known) = setup.pieces.iter_mut().find(|(known, ..)| *known == cell) {
                *known = (cell, player, kind);
                let message = format!("the position `{}` is filled twice", self.shown(item));
                self.push(
                    Severity::Warning,
                    Code::DuplicateName,
                    item,
                    message,
                    "the last piece stays",
                );
            } else {
                setup.pieces.push((cell, player, kind));
            }
        }
    }

    fn build_stock(&mut self, player: PlayerId, kind: PieceKindId, form: Form, setup: &mut Setup) {
        match self.number(form).map(u32::try_from) {
            Some(Ok(count)) => setup.stock.push((player, kind, count)),
            Some(Err(_)) => {
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
