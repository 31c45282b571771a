//! A move as the pieces its text is made of.

use std::fmt::Write;

use super::Notation;
use crate::model::{AttributeId, CellId, Occupant, PieceKindId, PlayerId};
use crate::program::VariableSlot;
use crate::program::listing::variable_name;
use crate::rules::Rules;
use crate::state::{Effect, Label, State};

/// One part of the text of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `Rook a1 - a4`, or `x` in place of `-` if the destination was occupied before the move.
    Movement {
        /// What stood at the start before the move; nothing if the start was empty.
        piece: Occupant,
        /// Where it starts.
        from: CellId,
        /// Where it ends.
        to: CellId,
        /// Whether the destination was occupied before the move.
        takes: bool,
    },
    /// `White Man b2`: a piece put on a cell by a drop or `add-copy`.
    Drop {
        /// The piece.
        piece: Occupant,
        /// Where it goes.
        to: CellId,
    },
    /// `White Man b2`: a piece put on a cell by `create`.
    Create {
        /// The piece.
        piece: Occupant,
        /// Where it appears.
        at: CellId,
    },
    /// `@ g1 0 0`.
    Attribute {
        /// Where the piece stands.
        at: CellId,
        /// Which attribute.
        attribute: AttributeId,
        /// Its new value.
        value: i32,
    },
    /// `@ g1 hp +2`: added to an attribute.
    Increase {
        /// Where the piece stands.
        at: CellId,
        /// Which attribute.
        attribute: AttributeId,
        /// What is added.
        by: i32,
    },
    /// `@ charges 7`, or `@ charges -1` with a sign if it is added.
    Variable {
        /// Which variable.
        slot: VariableSlot,
        /// Its new value, or what is added.
        value: i32,
        /// Whether it is added.
        is_added: bool,
    },
    /// `/`: the next stage.
    Stage,
    /// The text of a label.
    Label(Label),
    /// `= Queen`, or `= Queen on a8 b8` if it does not directly follow the movement to its one cell.
    Become {
        /// The new kind or owner.
        nature: NewNature,
        /// The cells, in order; at least one.
        at: Vec<CellId>,
        /// Whether the cells are left out of the text.
        implied: bool,
        /// Whether it is the promotion given to `add`.
        promotion: bool,
    },
    /// `flip a1`.
    Flip {
        /// Where the piece stands.
        at: CellId,
    },
    /// `x d4`.
    Capture {
        /// The cell.
        at: CellId,
    },
}

/// What a piece becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewNature {
    /// A piece of another kind.
    Kind(PieceKindId),
    /// A piece of another owner.
    Owner(PlayerId),
}

/// Takes the effects of a move apart into the parts of its text; `state` is the state before the move.
pub(super) fn items(state: &State, effects: &[Effect]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::with_capacity(effects.len());
    for effect in effects {
        match *effect {
            Effect::Move { from, to } => {
                let takes = state.occupant(to).is_some();
                items.push(Item::Movement {
                    piece: state.occupant(from),
                    from,
                    to,
                    takes,
                });
            }
            Effect::Drop { piece, to } | Effect::Copy { piece, to } => items.push(Item::Drop { piece, to }),
            Effect::Create { piece, at } => items.push(Item::Create { piece, at }),
            Effect::SetAttribute { at, attribute, value } => items.push(Item::Attribute { at, attribute, value }),
            Effect::ChangeOwner { at, player } => push_change(&mut items, NewNature::Owner(player), at, false),
            Effect::ChangeKind { at, kind } => push_change(&mut items, NewNature::Kind(kind), at, false),
            Effect::Promote { at, kind } => push_change(&mut items, NewNature::Kind(kind), at, true),
            Effect::Flip { at } => items.push(Item::Flip { at }),
            Effect::Capture { at } => items.push(Item::Capture { at }),
            Effect::IncreaseAttribute { at, attribute, by } => items.push(Item::Increase { at, attribute, by }),
            Effect::SetVariable { slot, value } => items.push(Item::Variable {
                slot,
                value,
                is_added: false,
            }),
            Effect::IncreaseVariable { slot, by } => items.push(Item::Variable {
                slot,
                value: by,
                is_added: true,
            }),
            Effect::Then => items.push(Item::Stage),
            Effect::Label(label) => items.push(Item::Label(label)),
            Effect::Again | Effect::Rate { .. } => {}
        }
    }
    items
}

/// Adds a change, to the one before if that makes another piece the same.
fn push_change(items: &mut Vec<Item>, new: NewNature, cell: CellId, is_promotion: bool) {
    let mut implied = false;
    match items.last_mut() {
        Some(Item::Movement { to, .. } | Item::Drop { to, .. }) => implied = *to == cell,
        Some(Item::Become {
            nature,
            at,
            implied: false,
            promotion: false,
        }) if *nature == new && !is_promotion => {
            at.push(cell);
            return;
        }
        _ => {}
    }
    items.push(Item::Become {
        nature: new,
        at: vec![cell],
        implied,
        promotion: is_promotion,
    });
}

impl Item {
    /// Appends the text of the part as saved games have it.
    pub(super) fn write(&self, notation: &Notation<'_>, text: &mut String) {
        let rules = notation.rules;
        let cell = |cell: &CellId| rules.model.board.name(*cell);
        // Writing to a string cannot fail.
        let _ = match self {
            Item::Movement { piece, from, to, takes } => {
                if piece.is_some() {
                    let _ = write!(text, "{} ", kind_name(rules, *piece));
                }
                write!(text, "{} {} {}", cell(from), if *takes { 'x' } else { '-' }, cell(to))
            }
            Item::Drop { piece, to: at } | Item::Create { piece, at } => {
                write!(
                    text,
                    "{} {} {}",
                    owner_name(rules, *piece),
                    kind_name(rules, *piece),
                    cell(at)
                )
            }
            Item::Attribute { at, attribute, value } => {
                let number = notation.attribute_numbers[attribute.index()];
                write!(text, "@ {} {number} {value}", cell(at))
            }
            Item::Become {
                nature, at, implied, ..
            } => {
                let _ = write!(text, "= {}", nature.name(rules));
                if !implied {
                    text.push_str(" on");
                    for at in at {
                        let _ = write!(text, " {}", cell(at));
                    }
                }
                Ok(())
            }
            Item::Increase { at, attribute, by } => {
                write!(
                    text,
                    "@ {} {} {by:+}",
                    cell(at),
                    rules.model.attributes[attribute.index()]
                )
            }
            Item::Variable { slot, value, is_added } => {
                let name = variable_name(&rules.model, *slot);
                match is_added {
                    true => write!(text, "@ {name} {value:+}"),
                    false => write!(text, "@ {name} {value}"),
                }
            }
            Item::Stage => write!(text, "/"),
            Item::Label(label) => write!(text, "{}", label_text(rules, *label)),
            Item::Flip { at } => write!(text, "flip {}", cell(at)),
            Item::Capture { at } => write!(text, "x {}", cell(at)),
        };
    }
}

impl NewNature {
    /// Returns the name of the kind or player.
    pub fn name(self, rules: &Rules) -> &str {
        match self {
            NewNature::Kind(kind) => &rules.model.kinds[kind.index()].name,
            NewNature::Owner(player) => &rules.model.players[player.index()].name,
        }
    }
}

/// Returns what a label adds to the text of a move.
pub fn label_text(rules: &Rules, label: Label) -> String {
    match label {
        Label::Text(text) => rules.program.texts[text.index()].clone(),
        Label::Number(number) => number.to_string(),
        Label::Cell(cell) => rules.model.board.name(cell).to_owned(),
        Label::Kind(kind) => rules.model.kinds[kind.index()].name.clone(),
    }
}

/// Returns the name of the kind of a piece.
pub(super) fn kind_name(rules: &Rules, piece: Occupant) -> &str {
    &rules.model.kinds[rules.kind(piece).index()].name
}

/// Returns the name of the owner of a piece.
pub(super) fn owner_name(rules: &Rules, piece: Occupant) -> &str {
    &rules.model.players[rules.owner(piece).index()].name
}
