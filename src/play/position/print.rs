//! States to text.

use std::fmt::Write;

use crate::model::{AttributeId, CellId, PieceKindId, PlayerId};
use crate::rules::Rules;
use crate::state::State;

/// Writes a state on one line: kinds in kind order, cells in cell order, and only what is not initial.
pub fn print_position(rules: &Rules, state: &State) -> String {
    let mut text = String::from("(position");
    print_turn(rules, state, &mut text);
    for player in rules.model.player_ids() {
        print_player(rules, state, player, &mut text);
    }
    // Writing to a string cannot fail.
    if let Some(chain) = state.chain() {
        let _ = write!(text, " (continue {}", rules.model.board.name(chain.cell));
        for move_type in &rules.program.continuations[chain.continuation.index()] {
            let _ = write!(text, " {}", rules.model.move_types[move_type.index()]);
        }
        text.push(')');
    }
    let (from, to) = (state.last_from(), state.last_to());
    if rules.program.reads.last_move && (from.is_some() || to.is_some()) {
        let name = |cell: CellId| {
            if cell.is_some() {
                rules.model.board.name(cell)
            } else {
                "-"
            }
        };
        let _ = write!(text, " (last {} {})", name(from), name(to));
    }
    text.push(')');
    text
}

/// Writes whose turn it is, and which of the player's turn items if there are several.
fn print_turn(rules: &Rules, state: &State, text: &mut String) {
    let items = &rules.model.turn_order.items;
    let Some(item) = items.get(state.turn()) else { return };
    let _ = write!(text, " (turn {}", rules.model.players[item.player.index()].name);
    if items.iter().filter(|other| other.player == item.player).count() > 1 {
        let _ = write!(text, " {}", state.turn() + 1);
    }
    text.push(')');
}

fn print_player(rules: &Rules, state: &State, player: PlayerId, text: &mut String) {
    let mut kinds = String::new();
    for kind in rules.model.kind_ids() {
        print_kind(rules, state, player, kind, &mut kinds);
    }
    if !kinds.is_empty() {
        let _ = write!(text, " ({}{kinds})", rules.model.players[player.index()].name);
    }
}

fn print_kind(rules: &Rules, state: &State, player: PlayerId, kind: PieceKindId, text: &mut String) {
    let piece = rules.occupant(player, kind);
    let stock = state.stock(piece);
    if state.count(piece) == 0 && stock == 0 {
        return;
    }
    let _ = write!(text, " ({}", rules.model.kinds[kind.index()].name);
    for cell in state.cells_of(player).filter(|&cell| state.occupant(cell) == piece) {
        print_piece(rules, state, cell, text);
    }
    if stock > 0 {
        let _ = write!(text, " off {stock}");
    }
    text.push(')');
}

/// Writes a cell, with the attributes of its piece that differ from those of a new one.
fn print_piece(rules: &Rules, state: &State, cell: CellId, text: &mut String) {
    let initial = rules.initial_attributes(state.occupant(cell));
    let mut attributes = String::new();
    for (index, &initial) in initial.iter().enumerate() {
        let Some(attribute) = AttributeId::new(index) else {
            continue;
        };
        let value = state.attribute(rules, cell, attribute);
        if value != initial {
            let name = &rules.model.attributes[index];
            let _ = write!(attributes, " ({name} {})", value_text(rules, attribute, value));
        }
    }
    let name = rules.model.board.name(cell);
    let _ = if attributes.is_empty() {
        write!(text, " {name}")
    } else {
        write!(text, " ({name}{attributes})")
    };
}

/// Returns `false` or `true` for an attribute that is declared with these values only, else the number.
fn value_text(rules: &Rules, attribute: AttributeId, value: i32) -> String {
    let declared = rules
        .model
        .kinds
        .iter()
        .flat_map(|kind| &kind.attributes)
        .filter(|(id, _)| *id == attribute);
    let is_boolean = declared.into_iter().all(|&(_, initial)| (0..=1).contains(&initial));
    match value {
        0 if is_boolean => "false".to_owned(),
        1 if is_boolean => "true".to_owned(),
        number => number.to_string(),
    }
}
