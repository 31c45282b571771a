//! A move as the pieces its text is made of.

use std::fmt::Write;
use std::ops::Range;

use super::{Notation, PASS};
use crate::model::{AttributeId, CellId, Occupant, PieceKindId, PlayerId};
use crate::program::VariableSlot;
use crate::program::listing::variable_name;
use crate::rules::Rules;
use crate::state::{Effect, Label, MoveEntry, MoveList, State, own_length};

/// One part of the text of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `Rook a1 - a4`, or `x` in place of `-` if the destination was occupied before the stage.
    Movement {
        /// What stood at the start before the stage; nothing if the start was empty.
        piece: Occupant,
        /// Where it starts.
        from: CellId,
        /// Where it ends.
        to: CellId,
        /// Whether the destination was occupied before the stage.
        takes: bool,
    },
    /// `White Man b2`: a piece put on a cell by a drop or `add-copy`.
    Drop {
        /// The piece.
        piece: Occupant,
        /// Where it goes.
        to: CellId,
    },
    /// `First V3 d4 d5 e4`: a shape.
    Lay {
        /// The piece.
        piece: Occupant,
        /// The cells that it covers, in order; at least one.
        cells: Vec<CellId>,
    },
    /// `Knight b1`: what moves in place.
    Stay {
        /// The piece.
        piece: Occupant,
        /// Where it stands.
        at: CellId,
    },
    /// `Pass`.
    Pass,
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
    /// `wait`: the labels of the move, at its end.
    Labels(Vec<String>),
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

/// The parts of the text of a move.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// What the block did, then what the tail of the ply did, then the labels.
    pub items: Vec<Item>,
    /// Which items are those of the tail, which nobody needs to write.
    pub tail: Range<usize>,
    /// The item by which people call the move first of all: its first movement or drop, or the piece that stays.
    pub head: Option<usize>,
}

impl Parts {
    /// Takes a move apart; `state` is the state before it.
    pub fn new(rules: &Rules, state: &State, list: &MoveList, entry: &MoveEntry) -> Parts {
        let effects = list.effects(entry);
        let mut items: Vec<Item> = Vec::with_capacity(effects.len());
        let own = &effects[..own_length(effects)];
        if entry.is_pass() {
            items.push(Item::Pass);
        } else if entry.from.is_some() && entry.from == entry.to && !own.iter().any(Effect::is_movement) {
            items.push(Item::Stay {
                piece: state.occupant(entry.from),
                at: entry.from,
            });
        }
        let mut board = Board {
            state,
            changes: Vec::new(),
        };
        let (mut before, mut tail_start): (Option<&[Effect]>, Option<usize>) = (None, None);
        for stage in effects.split(|effect| *effect == Effect::Then) {
            if stage.iter().all(changes_nothing) {
                tail_start.get_or_insert(items.len());
                continue;
            }
            if let Some(before) = before {
                board.make(rules, before);
                items.push(Item::Stage);
            } else if tail_start.is_some() && !items.is_empty() {
                items.push(Item::Stage);
            }
            push_stage(rules, &board, stage, &mut items);
            before = Some(stage);
        }
        let tail = tail_start.unwrap_or(items.len())..items.len();
        let is_head = |item: &Item| {
            matches!(
                item,
                Item::Movement { .. } | Item::Drop { .. } | Item::Lay { .. } | Item::Stay { .. } | Item::Pass
            )
        };
        // The block's own movement comes before those of other pieces at the same time.
        let is_own =
            |item: &Item| matches!(*item, Item::Movement { from, to, .. } if (from, to) == (entry.from, entry.to));
        let own_items = &items[..tail.start];
        let head = (own_items.iter().position(is_own)).or_else(|| own_items.iter().position(is_head));
        let labels = list.labels(entry).map(|label| written_label(&label_text(rules, label)));
        let labels: Vec<String> = labels.filter(|label| !label.is_empty()).collect();
        if !labels.is_empty() {
            items.push(Item::Labels(labels));
        }
        Parts { items, tail, head }
    }
}

/// Tells whether an effect only goes with a move.
fn changes_nothing(effect: &Effect) -> bool {
    matches!(effect, Effect::Label(_) | Effect::Rate { .. })
}

/// Appends the parts of one stage; `board` is the board before it.
fn push_stage(rules: &Rules, board: &Board<'_>, stage: &[Effect], items: &mut Vec<Item>) {
    for effect in stage {
        match *effect {
            Effect::Move { from, to } => {
                let takes = board.occupant(to).is_some();
                items.push(Item::Movement {
                    piece: board.occupant(from),
                    from,
                    to,
                    takes,
                });
            }
            Effect::Drop { piece, to } if rules.model.kinds[rules.kind(piece).index()].shape.is_some() => {
                items.push(Item::Lay { piece, cells: vec![to] });
            }
            Effect::Drop { piece, to } => items.push(Item::Drop { piece, to }),
            Effect::Copy { piece, to } => match items.last_mut() {
                // The other cells of a shape.
                Some(Item::Lay { piece: laid, cells }) if *laid == piece => cells.push(to),
                _ => items.push(Item::Drop { piece, to }),
            },
            Effect::Create { piece, at } => items.push(Item::Create { piece, at }),
            Effect::SetAttribute { at, attribute, value } => items.push(Item::Attribute { at, attribute, value }),
            Effect::ChangeOwner { at, player } => push_change(items, NewNature::Owner(player), at, false),
            Effect::ChangeKind { at, kind } => push_change(items, NewNature::Kind(kind), at, false),
            Effect::Promote { at, kind } => push_change(items, NewNature::Kind(kind), at, true),
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
            Effect::Then | Effect::Again | Effect::Label(_) | Effect::Rate { .. } => {}
        }
    }
}

/// What stands where between the stages of a move.
struct Board<'a> {
    /// The state before the move.
    state: &'a State,
    /// The cells that have changed since, the latest last.
    changes: Vec<(CellId, Occupant)>,
}

impl Board<'_> {
    fn occupant(&self, cell: CellId) -> Occupant {
        let changed = self.changes.iter().rev().find(|(changed, _)| *changed == cell);
        changed.map_or_else(|| self.state.occupant(cell), |&(_, piece)| piece)
    }

    fn set(&mut self, cell: CellId, piece: Occupant) {
        self.changes.push((cell, piece));
    }

    /// Makes the effects of a stage.
    fn make(&mut self, rules: &Rules, stage: &[Effect]) {
        let movements = stage.iter().take_while(|effect| effect.is_movement());
        let arrivals: Vec<(CellId, Occupant)> = movements
            .clone()
            .filter_map(|effect| match *effect {
                Effect::Move { from, to } => Some((to, self.occupant(from))),
                Effect::Drop { piece, to } | Effect::Copy { piece, to } => Some((to, piece)),
                _ => None,
            })
            .collect();
        for effect in movements {
            if let Effect::Move { from, .. } = *effect {
                self.set(from, Occupant::NONE);
            }
        }
        for (to, piece) in arrivals.into_iter().filter(|(_, piece)| piece.is_some()) {
            self.set(to, piece);
        }
        for effect in stage {
            let (at, become_what): (CellId, &dyn Fn(Occupant) -> Occupant) = match effect {
                Effect::Create { piece, at } => (*at, &|_| *piece),
                Effect::Capture { at } => (*at, &|_| Occupant::NONE),
                Effect::ChangeOwner { at, player } => (*at, &|piece| rules.occupant(*player, rules.kind(piece))),
                Effect::Flip { at } => (*at, &|piece| {
                    rules.occupant(rules.flipped(rules.owner(piece)), rules.kind(piece))
                }),
                Effect::ChangeKind { at, kind } | Effect::Promote { at, kind } => {
                    (*at, &|piece| rules.occupant(rules.owner(piece), *kind))
                }
                _ => continue,
            };
            let piece = self.occupant(at);
            if piece.is_some() || matches!(effect, Effect::Create { .. }) {
                self.set(at, become_what(piece));
            }
        }
    }
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
            Item::Lay { piece, cells } => {
                let _ = write!(text, "{} {}", owner_name(rules, *piece), kind_name(rules, *piece));
                cells.iter().try_for_each(|at| write!(text, " {}", cell(at)))
            }
            Item::Stay { piece, at } => {
                if piece.is_some() {
                    let _ = write!(text, "{} ", kind_name(rules, *piece));
                }
                write!(text, "{}", cell(at))
            }
            Item::Pass => write!(text, "{PASS}"),
            Item::Attribute { at, attribute, value } => match notation.attribute_numbers {
                Some(ref numbers) => write!(text, "@ {} {} {value}", cell(at), numbers[attribute.index()]),
                None => {
                    let _ = write!(text, "@ {} {} ", cell(at), rules.model.attributes[attribute.index()]);
                    write_number(*value, text)
                }
            },
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
                let _ = write!(text, "@ {name} ");
                match is_added {
                    true => write!(text, "{value:+}"),
                    false => write_number(*value, text),
                }
            }
            Item::Stage => write!(text, "/"),
            Item::Labels(labels) => write!(text, "{}", labels.join(" ")),
            Item::Flip { at } => write!(text, "flip {}", cell(at)),
            Item::Capture { at } => write!(text, "x {}", cell(at)),
        };
    }
}

/// Writes a number that is set; a sign would say that it is added.
fn write_number(value: i32, text: &mut String) -> std::fmt::Result {
    match value < 0 {
        true => write!(text, "= {value}"),
        false => write!(text, "{value}"),
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

/// Returns a label as it stands in a move: blanks are single, and `;` parts moves.
fn written_label(label: &str) -> String {
    let words: Vec<&str> = label.split_whitespace().collect();
    words.join(" ").replace(';', ",")
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
