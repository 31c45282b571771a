//! States to text.

use std::fmt::Write;

use crate::model::{AttributeId, CellId, PieceKindId, PlayerId, UNLIMITED};
use crate::play::{Contest, Session};
use crate::program::{Op, VariableSlot};
use crate::rules::Rules;
use crate::state::State;

/// Writes a state on one line: kinds in kind order, cells in cell order, and only what is not initial.
pub fn print_position(rules: &Rules, state: &State) -> String {
    let mut text = position_without_end(rules, state);
    text.push(')');
    text
}

/// Writes the state of a session as [`print_position`] does, and where its match stands.
pub fn print_session(session: &Session) -> String {
    let rules = session.rules();
    let mut text = position_without_end(rules, session.state());
    print_contest(rules, session.contest(), &mut text);
    text.push(')');
    text
}

fn position_without_end(rules: &Rules, state: &State) -> String {
    let mut text = String::from("(position");
    print_turn(rules, state, &mut text);
    let printer = Printer {
        rules,
        state,
        is_number: number_attributes(rules),
    };
    for player in rules.model.player_ids() {
        printer.print_player(player, &mut text);
    }
    print_variables(rules, state, &mut text);
    // Writing to a string cannot fail.
    if let Some(chain) = state.chain() {
        let _ = write!(text, " (continue {}", rules.model.board.name(chain.cell));
        for move_type in &rules.program.continuations[chain.continuation.index()] {
            let _ = write!(text, " {}", rules.model.move_types[move_type.index()]);
        }
        text.push(')');
    }
    let (from, to) = (state.last_from(), state.last_to());
    let reads = &rules.program.reads;
    if reads.last_move && (from.is_some() || to.is_some()) {
        let name = |cell: CellId| {
            if cell.is_some() {
                rules.model.board.name(cell)
            } else {
                "-"
            }
        };
        let _ = write!(text, " (last {} {})", name(from), name(to));
    }
    let counters = state.counters();
    for (is_read, name, value) in [
        (reads.ply, "ply", counters.ply),
        (reads.quiet_plies, "quiet-plies", counters.quiet_plies),
        (reads.passes, "passes", counters.passes),
    ] {
        if is_read && value > 0 {
            let _ = write!(text, " ({name} {value})");
        }
    }
    text
}

/// Writes the variables that do not have their initial values.
fn print_variables(rules: &Rules, state: &State, text: &mut String) {
    let extensions = &rules.model.extensions;
    let value = |slot: usize| {
        let value = state.variable(VariableSlot(slot as u16));
        (value != rules.initial_variables()[slot]).then_some(value)
    };
    let n_variables = extensions.variables.len();
    for (slot, variable) in extensions.variables.iter().enumerate() {
        if let Some(value) = value(slot) {
            let _ = write!(text, " (set {} {value})", variable.name);
        }
    }
    let players = &rules.model.players;
    for (index, variable) in extensions.player_variables.iter().enumerate() {
        for (number, player) in players.iter().enumerate() {
            if let Some(value) = value(n_variables + index * players.len() + number) {
                let _ = write!(text, " (set {} {} {value})", variable.name, player.name);
            }
        }
    }
}

/// Writes the round of a match and what the players bring.
fn print_contest(rules: &Rules, contest: &Contest, text: &mut String) {
    if contest.is_fresh() {
        return;
    }
    let _ = write!(text, " (match {}", contest.round());
    for player in rules.model.player_ids() {
        let carried = contest.carried(player);
        if carried != 0 {
            let _ = write!(text, " ({} {carried})", rules.model.players[player.index()].name);
        }
    }
    text.push(')');
}

/// Writes whose turn it is, and which of the player's turn items if there are several.
fn print_turn(rules: &Rules, state: &State, text: &mut String) {
    // Where turns belong to pieces, the piece follows from the board.
    if state.actor().is_some() && state.chain().is_none() {
        return;
    }
    let items = &rules.model.turn_order.items;
    let Some(item) = items.get(state.turn()) else { return };
    let _ = write!(text, " (turn {}", rules.model.players[item.player.index()].name);
    if items.iter().filter(|other| other.player == item.player).count() > 1 {
        let _ = write!(text, " {}", state.turn() + 1);
    }
    text.push(')');
}

/// Writes the pieces of a state.
struct Printer<'a> {
    rules: &'a Rules,
    state: &'a State,
    /// By attribute, whether its value is written as a number; otherwise `true` and `false` stand for 1 and 0.
    is_number: Vec<bool>,
}

impl Printer<'_> {
    fn print_player(&self, player: PlayerId, text: &mut String) {
        let mut kinds = String::new();
        for kind in self.rules.model.kind_ids() {
            self.print_kind(player, kind, &mut kinds);
        }
        if !kinds.is_empty() {
            let _ = write!(text, " ({}{kinds})", self.rules.model.players[player.index()].name);
        }
    }

    fn print_kind(&self, player: PlayerId, kind: PieceKindId, text: &mut String) {
        let (rules, state) = (self.rules, self.state);
        let piece = rules.occupant(player, kind);
        let stock = state.stock(piece);
        if state.count(piece) == 0 && stock == 0 {
            return;
        }
        let _ = write!(text, " ({}", rules.model.kinds[kind.index()].name);
        for cell in state.cells_of(player).filter(|&cell| state.occupant(cell) == piece) {
            self.print_piece(cell, text);
        }
        let _ = match stock {
            0 => Ok(()),
            UNLIMITED => write!(text, " off *"),
            stock => write!(text, " off {stock}"),
        };
        text.push(')');
    }

    /// Writes a cell, with the attributes of its piece that differ from those of a new one.
    fn print_piece(&self, cell: CellId, text: &mut String) {
        let (rules, state) = (self.rules, self.state);
        let initial = rules.initial_attributes(state.occupant(cell));
        let mut attributes = String::new();
        for (index, &initial) in initial.iter().enumerate() {
            let Some(attribute) = AttributeId::new(index) else {
                continue;
            };
            let value = state.attribute(rules, cell, attribute);
            if value != initial {
                let name = &rules.model.attributes[index];
                let _ = match value {
                    0 if !self.is_number[index] => write!(attributes, " ({name} false)"),
                    1 if !self.is_number[index] => write!(attributes, " ({name} true)"),
                    number => write!(attributes, " ({name} {number})"),
                };
            }
        }
        let name = rules.model.board.name(cell);
        let _ = if attributes.is_empty() {
            write!(text, " {name}")
        } else {
            write!(text, " ({name}{attributes})")
        };
    }
}

/// Tells for each attribute whether it is a number rather than a mark: declared with another value than `true` or
/// `false`, or read or changed as a number by the rules.
fn number_attributes(rules: &Rules) -> Vec<bool> {
    let mut is_number = vec![false; rules.model.attributes.len()];
    let declared = rules.model.kinds.iter().flat_map(|kind| &kind.attributes);
    for (attribute, initial) in declared {
        is_number[attribute.index()] |= !(0..=1).contains(initial);
    }
    for op in &rules.program.ops {
        if let Op::PushAttribute { attribute, .. }
        | Op::SetAttributeTo { attribute, .. }
        | Op::IncreaseAttribute { attribute, .. } = op
        {
            is_number[attribute.index()] = true;
        }
    }
    is_number
}
