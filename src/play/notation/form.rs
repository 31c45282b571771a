//! The forms in which people may write the parts of a move.
//!
//! All forms are compact: without blanks, and in lower case if case does not count.

use super::item::{Item, NewNature, Parts, owner_name};
use super::{Notation, PASS};
use crate::model::{CellId, Occupant};

/// How much the beginning of a text tells of the first movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Start and destination.
    All,
    /// The destination only.
    Destination,
    /// Just where the piece stands that makes a move without movement.
    Piece,
}

/// Makes forms for one way of comparing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forms<'n, 'a> {
    pub notation: &'n Notation<'a>,
    /// Whether case does not count.
    pub fold: bool,
}

impl Forms<'_, '_> {
    /// Removes blanks, and case if it does not count.
    pub fn compact(&self, text: &str) -> String {
        let letters = text.chars().filter(|letter| !letter.is_whitespace());
        if self.fold {
            letters.flat_map(char::to_lowercase).collect()
        } else {
            letters.collect()
        }
    }

    /// Returns the compact name of a cell.
    pub fn cell(&self, cell: CellId) -> String {
        self.compact(self.notation.rules.model.board.name(cell))
    }

    /// Returns the beginnings that a text of a move may have, each with what it tells. A move of no piece has none.
    pub fn heads(&self, parts: &Parts) -> Vec<(String, Told)> {
        let mut heads = Vec::new();
        match parts.head.map(|head| &parts.items[head]) {
            Some(Item::Movement { piece, from, to, takes }) => {
                let own = &parts.items[..parts.tail.start];
                let captures = own.iter().any(|item| matches!(item, Item::Capture { .. }));
                let separators: &[&str] = if *takes || captures {
                    &["-", "", "x"]
                } else {
                    &["-", ""]
                };
                let (from, to) = (self.cell(*from), self.cell(*to));
                for name in self.piece_names(*piece) {
                    heads.extend(
                        separators
                            .iter()
                            .map(|between| (format!("{name}{from}{between}{to}"), Told::All)),
                    );
                    heads.extend(
                        separators
                            .iter()
                            .skip(1)
                            .map(|before| (format!("{name}{before}{to}"), Told::Destination)),
                    );
                }
            }
            Some(Item::Stay { piece, at }) => {
                let cell = self.cell(*at);
                for name in self.piece_names(*piece) {
                    heads.push((format!("{name}{cell}"), Told::All));
                    heads.push((format!("{name}{cell}-{cell}"), Told::All));
                    heads.push((format!("{name}{cell}{cell}"), Told::All));
                }
                // A label alone may do.
                heads.push((String::new(), Told::Piece));
            }
            Some(Item::Lay { piece, cells }) => {
                let owner = self.compact(owner_name(self.notation.rules, *piece));
                let cells: Vec<String> = cells.iter().map(|&cell| self.cell(cell)).collect();
                for cells in [cells.concat(), cells.join(",")] {
                    for name in self.piece_names(*piece) {
                        heads.push((format!("{name}{cells}"), Told::All));
                        heads.push((format!("{name}:{cells}"), Told::All));
                        heads.push((format!("{owner}{name}{cells}"), Told::All));
                    }
                }
            }
            Some(Item::Pass) => {
                heads.push((self.compact(PASS), Told::All));
                heads.push((PASS.to_lowercase(), Told::All));
            }
            Some(Item::Drop { piece, to }) => {
                let to = self.cell(*to);
                let owner = self.compact(owner_name(self.notation.rules, *piece));
                for name in self.piece_names(*piece) {
                    heads.push((format!("{name}{to}"), Told::All));
                    heads.push((format!("{name}@{to}"), Told::All));
                    heads.push((format!("{owner}{name}{to}"), Told::All));
                }
            }
            _ => {}
        }
        heads
    }

    /// Returns the forms of a part of a move behind its beginning.
    pub fn of(&self, item: &Item) -> Vec<String> {
        let rules = self.notation.rules;
        match item {
            Item::Movement { piece, from, to, takes } => {
                let (from, to) = (self.cell(*from), self.cell(*to));
                let separators: &[&str] = if *takes { &["-", "", "x"] } else { &["-", ""] };
                (self.piece_names(*piece).iter())
                    .flat_map(|name| {
                        separators
                            .iter()
                            .map(|between| format!("{name}{from}{between}{to}"))
                            .collect::<Vec<_>>()
                    })
                    .collect()
            }
            Item::Drop { piece, to: at } | Item::Create { piece, at } => {
                let cell = self.cell(*at);
                let owner = self.compact(owner_name(rules, *piece));
                let named = self.piece_names(*piece).into_iter().filter(|name| !name.is_empty());
                let mut forms: Vec<String> = named
                    .flat_map(|name| [format!("{owner}{name}{cell}"), format!("{name}{cell}")])
                    .collect();
                if rules.program.has_stages {
                    forms.push(format!("/{cell}"));
                }
                forms
            }
            Item::Attribute { at, attribute, value } => {
                let cell = self.cell(*at);
                let name = self.compact(&rules.model.attributes[attribute.index()]);
                let mut forms = vec![self.written(item), format!("@{cell}{name}{value}")];
                forms.dedup();
                forms
            }
            Item::Become { nature, at, .. } => {
                let names = match *nature {
                    NewNature::Kind(kind) => self.kind_names(kind.index()),
                    NewNature::Owner(_) => vec![self.compact(nature.name(rules))],
                };
                let cells: String = at.iter().map(|cell| self.cell(*cell)).collect();
                let mut forms = Vec::new();
                for name in names {
                    forms.push(format!("={name}on{cells}"));
                    forms.push(format!("={name}"));
                    if item.is_main() {
                        forms.push(format!("({name})"));
                        forms.push(name);
                    }
                }
                forms
            }
            Item::Labels(labels) => {
                // The first ones will do.
                let mut told = String::new();
                let mut forms = Vec::new();
                for label in labels {
                    told.push_str(&self.compact(label));
                    forms.push(told.clone());
                    forms.push(format!(":{told}"));
                }
                forms.reverse();
                forms
            }
            // A bar between stages may stand or not.
            Item::Stage => Vec::new(),
            Item::Increase { .. } | Item::Variable { .. } | Item::Lay { .. } | Item::Stay { .. } | Item::Pass => {
                vec![self.written(item)]
            }
            Item::Flip { at } => vec![format!("flip{}", self.cell(*at))],
            Item::Capture { at } => {
                let cell = self.cell(*at);
                vec![format!("x{cell}"), format!(",{cell}"), format!("!{cell}")]
            }
        }
    }

    fn written(&self, item: &Item) -> String {
        let mut text = String::new();
        item.write(self.notation, &mut text);
        self.compact(&text)
    }

    /// Returns the names by which a movement may call its piece: none, and those of its kind.
    fn piece_names(&self, piece: Occupant) -> Vec<String> {
        let mut names = vec![String::new()];
        if piece.is_some() {
            names.extend(self.kind_names(self.notation.rules.kind(piece).index()));
        }
        names
    }

    /// Returns the name of a kind and its notation.
    fn kind_names(&self, kind: usize) -> Vec<String> {
        let kind = &self.notation.rules.model.kinds[kind];
        let mut names = vec![self.compact(&kind.name)];
        if let Some(notation) = &kind.notation {
            let notation = self.compact(notation);
            if !notation.is_empty() && notation != names[0] {
                names.push(notation);
            }
        }
        names
    }
}
