//! The text of moves.
//!
//! A move is written as Zillions of Games writes it in a saved game, without the number of the round:
//!
//! ```text
//! Dwarf f1 - f4                                    a movement
//! Rook a1 x a8                                     the destination was occupied
//! King e1 - g1 Rook h1 - f1 @ g1 0 0 @ f1 0 0      two movements, then attributes
//! Pawn e7 - e8 = Queen                             a promotion
//! partial 2 Checker c3 - e5 x d4                   the turn may go on; then a capture
//! White Man b2                                     a drop, or a piece created
//! Pass
//! Amazon d1 - d7 / White Arrow g7                  two stages
//! Rook a1 - a6 @ a6 acted 1 @ a7 hp -4 / x a7 * a7 numbers set and, with a sign, added; labels at the end
//! Knight b1 @ b1 waited 1 wait                     a piece that stays where it is
//! First V3 d4 d5 e4                                a shape
//! ```
//!
//! Every effect is written, also one that changes nothing: first the movements, then other effects in the order in which
//! the block executed them, then captures, then a promotion by `add`; so in each stage. What the tail of the ply did
//! (`after-move`) stands before the labels. In `@ cell attribute value` attributes are numbers, in games with moves beyond the
//! classic language names; in `partial` a number names the move type that may follow; [`Notation`] knows these numbers. Moves of one list that
//! would be written alike get ` (2)`, ` (3)` … appended, in list order; see [`Notation::unique_texts`].
//!
//! People write less: [`Notation::short_texts`] gives the forms they like to read, and [`Notation::find_move`] finds the
//! one legal move that a full or short form means.
//!
//! # Language
//! `docs/language.md`: saved games, notation, attribute, add-partial.

mod error;
mod find;
mod form;
mod item;
mod number;
mod short;
#[cfg(test)]
mod tests;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::rules::Rules;
use crate::state::{MoveEntry, MoveList, State};

pub use error::MoveError;
pub use find::Finder;
use item::Parts;
pub use item::label_text;

/// How a pass is written.
pub const PASS: &str = "Pass";

/// Writes and reads the moves of one game. Made once per game; holds the numbers that texts use.
#[derive(Clone, Debug)]
pub struct Notation<'a> {
    rules: &'a Rules,
    /// For each attribute its number in `@` effects; none where names are written.
    attribute_numbers: Option<Vec<usize>>,
    /// For each continuation the number written after `partial`.
    continuation_numbers: Vec<usize>,
}

impl<'a> Notation<'a> {
    /// Works out the numbers that the texts of this game use.
    pub fn new(rules: &'a Rules) -> Notation<'a> {
        Notation {
            rules,
            attribute_numbers: (!rules.program.has_stages).then(|| number::attribute_numbers(&rules.model)),
            continuation_numbers: number::continuation_numbers(&rules.model, &rules.program),
        }
    }

    /// Writes a move in full; `state` is the state before it.
    pub fn move_text(&self, state: &State, list: &MoveList, entry: &MoveEntry) -> String {
        self.full_text(&Parts::new(self.rules, state, list, entry), entry)
    }

    /// Writes all moves of a list in full, each differently: where several would be written alike, all but the first get
    /// ` (2)`, ` (3)` … appended in list order.
    pub fn unique_texts(&self, state: &State, list: &MoveList) -> Vec<String> {
        self.unique_texts_of(&self.parts(state, list), list)
    }

    /// Takes all moves of a list apart.
    fn parts(&self, state: &State, list: &MoveList) -> Vec<Parts> {
        let parts = list.iter().map(|entry| Parts::new(self.rules, state, list, entry));
        parts.collect()
    }

    fn full_text(&self, parts: &Parts, entry: &MoveEntry) -> String {
        let mut text = String::new();
        if entry.is_partial() {
            let number = self
                .continuation_numbers
                .get(entry.continuation.index())
                .copied()
                .unwrap_or(0);
            text = format!("partial {number} ");
        }
        for (index, item) in parts.items.iter().enumerate() {
            if index > 0 {
                text.push(' ');
            }
            item.write(self, &mut text);
        }
        text
    }

    fn unique_texts_of(&self, parts: &[Parts], list: &MoveList) -> Vec<String> {
        let texts = parts.iter().zip(list.iter());
        let mut texts: Vec<String> = texts.map(|(parts, entry)| self.full_text(parts, entry)).collect();
        make_unique(&mut texts);
        texts
    }
}

/// Appends ` (2)`, ` (3)` … to texts that came before.
fn make_unique(texts: &mut [String]) {
    let written: FxHashSet<String> = texts.iter().cloned().collect();
    if written.len() == texts.len() {
        return;
    }
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for text in texts {
        let count = counts.entry(text.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            // The label of another move may look like that.
            let mut numbered = format!("{text} ({count})");
            while written.contains(&numbered) {
                *count += 1;
                numbered = format!("{text} ({count})");
            }
            *text = numbered;
        }
    }
}

/// Writes a move in full; `state` is the state before it. For many moves make a [`Notation`] once.
pub fn move_text(rules: &Rules, state: &State, list: &MoveList, entry: &MoveEntry) -> String {
    Notation::new(rules).move_text(state, list, entry)
}

/// Writes a move of a list in the shortest form that people would use; see [`Notation::short_texts`].
pub fn short_text(rules: &Rules, state: &State, list: &MoveList, index: usize) -> String {
    Notation::new(rules).short_text(state, list, index)
}

/// Writes all moves of a list in full, each differently; see [`Notation::unique_texts`].
pub fn unique_texts(rules: &Rules, state: &State, list: &MoveList) -> Vec<String> {
    Notation::new(rules).unique_texts(state, list)
}

/// Finds the one move of a list that `text` means; see [`Notation::find_move`].
///
/// # Errors
/// When no move or several moves fit.
pub fn find_move(rules: &Rules, state: &State, list: &MoveList, text: &str) -> Result<usize, MoveError> {
    Notation::new(rules).find_move(state, list, text)
}

/// Splits a sequence of moves at `;` and line ends; blanks around moves and empty moves are left out.
pub fn split_moves(text: &str) -> Vec<&str> {
    text.split([';', '\n', '\r'])
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect()
}
