//! Short forms of moves, for people.

use rustc_hash::FxHashMap;

use super::item::{self, Item};
use super::{Notation, PASS};
use crate::state::{MoveList, State};

/// How much a short form tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// The first movement or drop, captures and promotion.
    Least,
    /// That, and what moves or is dropped.
    Piece,
    /// All but attributes, as saved games have it.
    Effects,
}

impl Notation<'_> {
    /// Writes all moves of a list in the shortest form that people would use: `a6-b6`, `a1xa8`, `e8-e9 x d9 x d10`, `b2`
    /// for a drop, `e7-e8 = Queen`, `pass`. Where that would fit several moves more is told, at last the full text.
    /// [`Notation::find_move`] reads each of them back.
    pub fn short_texts(&self, state: &State, list: &MoveList) -> Vec<String> {
        let items: Vec<Vec<Item>> = list
            .iter()
            .map(|entry| item::items(state, list.effects(entry)))
            .collect();
        let mut texts: Vec<Option<String>> = vec![None; items.len()];
        for detail in [Detail::Least, Detail::Piece, Detail::Effects] {
            let open: Vec<usize> = (0..items.len()).filter(|&index| texts[index].is_none()).collect();
            let forms: Vec<String> = open
                .iter()
                .map(|&index| self.short_form(&items[index], detail))
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
        let full = self.unique_texts(state, list);
        texts
            .into_iter()
            .zip(full)
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

    fn short_form(&self, items: &[Item], detail: Detail) -> String {
        let rules = self.rules;
        let cell = |cell| rules.model.board.name(cell);
        let Some(first) = items.first() else {
            return PASS.to_lowercase();
        };
        let mut text = String::new();
        let add = |text: &mut String, item: &Item| {
            if !text.is_empty() {
                text.push(' ');
            }
            item.write(self, text);
        };
        let (piece, movement) = match *first {
            Item::Movement { piece, from, to, takes } => (
                piece,
                format!("{}{}{}", cell(from), if takes { 'x' } else { '-' }, cell(to)),
            ),
            Item::Drop { piece, to } => (piece, cell(to).to_owned()),
            // A move of no piece is what it does.
            _ => {
                items.iter().for_each(|item| add(&mut text, item));
                return text;
            }
        };
        if detail == Detail::Effects {
            let told = items.iter().filter(|item| !matches!(item, Item::Attribute { .. }));
            told.for_each(|item| add(&mut text, item));
            return text;
        }
        if detail == Detail::Piece && piece.is_some() {
            text = format!("{} ", item::kind_name(rules, piece));
        }
        text.push_str(&movement);
        for item in items.iter().skip(1).filter(|item| item.is_main()) {
            match item {
                // Which piece is promoted goes without saying.
                Item::Become { nature, .. } => text.push_str(&format!(" = {}", nature.name(rules))),
                item => add(&mut text, item),
            }
        }
        text
    }
}

impl Item {
    /// Tells whether people name this part when they write a move: captures and promotion.
    pub(super) fn is_main(&self) -> bool {
        match self {
            Item::Capture { .. } | Item::Label(_) => true,
            Item::Become { implied, promotion, .. } => *implied || *promotion,
            Item::Movement { .. }
            | Item::Drop { .. }
            | Item::Create { .. }
            | Item::Attribute { .. }
            | Item::Increase { .. }
            | Item::Variable { .. }
            | Item::Stage
            | Item::Flip { .. } => false,
        }
    }
}
