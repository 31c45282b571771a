//! Short forms of moves, for people.

use rustc_hash::FxHashMap;

use super::item::{self, Item, Parts};
use super::{Notation, PASS};
use crate::model::Occupant;
use crate::state::{MoveList, State};

/// How much a short form tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// The first movement or drop, captures and promotion.
    Least,
    /// That, and where pieces were created.
    Created,
    /// The least, and what moves or is dropped.
    Piece,
    /// All but attributes, as saved games have it.
    Effects,
}

impl Notation<'_> {
    /// Writes all moves of a list in the shortest form that people would use: `a6-b6`, `a1xa8`, `e8-e9 x d9 x d10`, `b2`
    /// for a drop, `e7-e8 = Queen`, `b1 wait`, `V3 d4 d5 e4`, `pass`. Where that would fit several moves more is told, at last the full text.
    /// [`Notation::find_move`] reads each of them back.
    pub fn short_texts(&self, state: &State, list: &MoveList) -> Vec<String> {
        let parts = self.parts(state, list);
        self.short_texts_of(&parts, || self.unique_texts_of(&parts, list))
    }

    pub(super) fn short_texts_of(&self, parts: &[Parts], full: impl FnOnce() -> Vec<String>) -> Vec<String> {
        let mut texts: Vec<Option<String>> = vec![None; parts.len()];
        for detail in [Detail::Least, Detail::Created, Detail::Piece, Detail::Effects] {
            if detail == Detail::Created && !self.rules.program.has_stages {
                continue;
            }
            let open: Vec<usize> = (0..parts.len()).filter(|&index| texts[index].is_none()).collect();
            let forms: Vec<String> = open
                .iter()
                .map(|&index| self.short_form(&parts[index], detail))
                .collect();
            let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
            for form in &forms {
                *counts.entry(form).or_insert(0) += 1;
            }
            for (&index, form) in open.iter().zip(&forms) {
                if counts.get(form.as_str()) == Some(&1) {
                    texts[index] = Some(form.clone());
                }
            }
        }
        if texts.iter().all(Option::is_some) {
            return texts.into_iter().flatten().collect();
        }
        texts
            .into_iter()
            .zip(full())
            .map(|(short, full)| short.unwrap_or(full))
            .collect()
    }

    /// Writes one move of a list as [`Notation::short_texts`] does, which is the better choice for many moves.
    ///
    /// # Panics
    /// When the list has no such move.
    pub fn short_text(&self, state: &State, list: &MoveList, index: usize) -> String {
        self.short_texts(state, list).swap_remove(index)
    }

    fn short_form(&self, parts: &Parts, detail: Detail) -> String {
        let rules = self.rules;
        let cell = |cell| rules.model.board.name(cell);
        let mut text = String::new();
        let add = |text: &mut String, item: &Item| {
            if !text.is_empty() {
                text.push(' ');
            }
            item.write(self, text);
        };
        let own = parts.items.iter().enumerate();
        let own = own.filter(|(index, _)| !parts.tail.contains(index) && Some(*index) != parts.head);
        let (piece, movement) = match parts.head.map(|head| &parts.items[head]) {
            Some(&Item::Movement { piece, from, to, takes }) => (
                piece,
                format!("{}{}{}", cell(from), if takes { 'x' } else { '-' }, cell(to)),
            ),
            Some(&Item::Drop { piece, to }) => (piece, cell(to).to_owned()),
            Some(&Item::Stay { piece, at }) => (piece, cell(at).to_owned()),
            Some(Item::Lay { piece, cells }) => {
                let mut laid = item::kind_name(rules, *piece).to_owned();
                for &at in cells {
                    laid.push(' ');
                    laid.push_str(cell(at));
                }
                (Occupant::NONE, laid)
            }
            Some(Item::Pass) => (Occupant::NONE, PASS.to_lowercase()),
            // A move of no piece is what it says or does.
            _ => {
                let says = |item: &Item| matches!(item, Item::Labels(_)) && detail != Detail::Effects;
                let mut told: Vec<&Item> = parts.items.iter().filter(|item| says(item)).collect();
                if told.is_empty() {
                    told = match detail {
                        Detail::Least => own.map(|(_, item)| item).collect(),
                        _ => parts.items.iter().collect(),
                    };
                }
                told.into_iter().for_each(|item| add(&mut text, item));
                return text;
            }
        };
        if detail == Detail::Effects {
            let told = parts.items.iter().filter(|item| !item.is_number());
            told.for_each(|item| add(&mut text, item));
            return text;
        }
        if detail == Detail::Piece && piece.is_some() {
            text = format!("{} ", item::kind_name(rules, piece));
        }
        text.push_str(&movement);
        for (_, item) in own {
            match item {
                Item::Create { at, .. } if detail == Detail::Created => {
                    text.push('/');
                    text.push_str(cell(*at));
                }
                item if !item.is_main() => {}
                // Which piece is promoted goes without saying.
                Item::Become { nature, .. } => text.push_str(&format!(" = {}", nature.name(rules))),
                item => add(&mut text, item),
            }
        }
        text
    }
}

impl Item {
    /// Tells whether people name this part when they write a move: captures, promotion and labels.
    pub(super) fn is_main(&self) -> bool {
        match self {
            Item::Capture { .. } | Item::Labels(_) => true,
            Item::Become { implied, promotion, .. } => *implied || *promotion,
            Item::Movement { .. }
            | Item::Drop { .. }
            | Item::Lay { .. }
            | Item::Stay { .. }
            | Item::Pass
            | Item::Create { .. }
            | Item::Attribute { .. }
            | Item::Increase { .. }
            | Item::Variable { .. }
            | Item::Stage
            | Item::Flip { .. } => false,
        }
    }

    /// Tells whether this is a number that a move sets or changes.
    pub(super) fn is_number(&self) -> bool {
        matches!(
            self,
            Item::Attribute { .. } | Item::Increase { .. } | Item::Variable { .. }
        )
    }
}
