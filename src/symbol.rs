//! Interned words: every atom and string of the rule text is stored once and named by a small number.

use rustc_hash::FxHashMap;

/// An interned word; equal words have equal symbols within one [`Interner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// Returns the position of the word in its interner, counted from 0 in the order of interning.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the symbol at a position that [`Symbol::index`] gave.
    pub(crate) fn from_index(index: u32) -> Symbol {
        Symbol(index)
    }
}

/// Stores words and hands out their [`Symbol`]s.
#[derive(Debug, Default, Clone)]
pub struct Interner {
    by_text: FxHashMap<Box<str>, Symbol>,
    texts: Vec<Box<str>>,
}

impl Interner {
    /// Creates an empty interner.
    pub fn new() -> Interner {
        Interner::default()
    }

    /// Returns the symbol of `text`, storing the text when it is new.
    ///
    /// # Panics
    /// When more than `u32::MAX` different words are stored; the size limit of expansion is far below.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.by_text.get(text) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.texts.len()).expect("invariant: fewer than 2^32 words")); // invariant: sizes are limited while reading
        self.texts.push(text.into());
        self.by_text.insert(text.into(), symbol);
        symbol
    }

    /// Returns the symbol of `text` if it has been interned.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.by_text.get(text).copied()
    }

    /// Returns the text of `symbol`.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.index()]
    }
}
