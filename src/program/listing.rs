//! Bytecode as text for people.
//!
//! ```text
//! White Pawn, moves, block 2
//!   0016  step               n
//!   0017  if-class           not here, empty -> 0021
//!   0018  add
//!   0021  end
//! ```

use std::fmt::Write;

use super::op::{OP_REFERENCE, Operand};
use super::{AddTable, Address, Ask, At, ClassMask, Entry, Op, PieceListId, Program, Role, SetupStep, VariableSlot};
use crate::model::{GameModel, Occupants, PieceKindId, PlayerId};

/// Which blocks are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListingFilter {
    /// Only those of this player.
    pub player: Option<PlayerId>,
    /// Only those of this kind.
    pub kind: Option<PieceKindId>,
}

/// Lists the code of move blocks, one after another, and without a filter all other code too, with the names of the rules in place of numbers. Each block has a
/// heading: player and kind, `moves` or `drops`, the number of the block there, its move type if it has one, and the
/// cells that it is limited to.
pub fn list_program(model: &GameModel, program: &Program, filter: ListingFilter) -> String {
    let mut text = String::new();
    let listed = program.entries.iter().filter(|entry| {
        filter.player.is_none_or(|player| entry.player == player) && filter.kind.is_none_or(|kind| entry.kind == kind)
    });
    for entry in listed {
        if !text.is_empty() {
            text.push('\n');
        }
        list_entry(model, program, entry, &mut text);
    }
    if filter == ListingFilter::default() {
        list_routines(model, program, &mut text);
    }
    text
}

/// Lists every operation with its meaning, in the order of the table.
pub fn op_reference() -> String {
    let width = mnemonic_width();
    OP_REFERENCE
        .iter()
        .map(|(mnemonic, meaning)| format!("{mnemonic:width$}  {}\n", meaning.trim()))
        .collect()
}

fn mnemonic_width() -> usize {
    OP_REFERENCE
        .iter()
        .map(|(mnemonic, _)| mnemonic.len())
        .max()
        .unwrap_or(0)
}

fn list_entry(model: &GameModel, program: &Program, entry: &Entry, text: &mut String) {
    // Writing to a string cannot fail.
    let player = &model.players[entry.player.index()].name;
    let kind = model.kinds.get(entry.kind.index()).map_or("", |kind| &kind.name);
    let section = match entry.role {
        Role::Move => "moves",
        Role::Drop => "drops",
        Role::Action => "actions",
    };
    let space = if kind.is_empty() { "" } else { " " };
    let _ = write!(text, "{player}{space}{kind}, {section}, block {}", entry.block + 1);
    if let Some(move_type) = entry.move_type {
        let _ = write!(text, ", type {}", model.move_types[move_type.index()]);
    }
    if let Some(cells) = &entry.only_at {
        let names: Vec<&str> = cells.iter().map(|&cell| model.board.name(cell)).collect();
        let _ = write!(text, ", only at {}", names.join(" "));
    }
    text.push('\n');
    list_code(model, program, entry.address, text);
}

/// Lists code that is no move block, each piece with a heading that tells what it serves.
fn list_routines(model: &GameModel, program: &Program, text: &mut String) {
    let routines = &program.routines;
    let player = |index: usize| model.players.get(index).map_or("nobody", |player| &player.name);
    let mut list = |heading: String, address: Address| {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&heading);
        text.push('\n');
        list_code(model, program, address, text);
    };
    let by_player = [
        ("after-move", &routines.after_move),
        ("score", &routines.scores),
        ("evaluate", &routines.evaluations),
        ("policy, forced", &routines.forced),
    ];
    for (name, addresses) in by_player {
        for (index, address) in addresses.iter().enumerate() {
            if let Some(address) = *address {
                list(format!("{}, {name}", player(index)), address);
            }
        }
    }
    for (skipped, address) in &routines.skips {
        list(format!("{}, skip-when", player(skipped.index())), *address);
    }
    for (name, address) in [("actor", routines.actor), ("new-round", routines.new_round)] {
        if let Some(address) = address {
            list(name.to_owned(), address);
        }
    }
    for (index, &address) in routines.maximize_turn.iter().enumerate() {
        list(format!("{}, maximize-turn", player(index)), address);
    }
    for step in &routines.random_setup {
        match *step {
            SetupStep::Pieces { count, set, .. } => {
                list("random-setup, number".to_owned(), count);
                list("random-setup, places".to_owned(), set);
            }
            SetupStep::Run { address, .. } => list("random-setup".to_owned(), address),
        }
    }
    for (index, test) in program.tests.iter().enumerate() {
        list(format!("{}, test {index}", player(test.player.index())), test.address);
    }
}

fn list_code(model: &GameModel, program: &Program, start: Address, text: &mut String) {
    let width = mnemonic_width();
    for address in start..program.block_end(start) {
        let op = &program.ops[address as usize];
        let line = format!(
            "  {address:04}  {:width$}  {}",
            op.mnemonic(),
            operands(model, program, op)
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// Writes the operands of an operation, a jump target last.
fn operands(model: &GameModel, program: &Program, op: &Op) -> String {
    let mut words = Vec::new();
    let mut target: Option<Address> = None;
    for (_, operand) in op.operands() {
        match operand {
            Operand::Target(address) => target = Some(address),
            operand => words.push(operand_text(model, program, operand)),
        }
    }
    words.retain(|word| !word.is_empty());
    let mut text = words.join(", ");
    if let Some(target) = target {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}-> {target:04}");
    }
    text
}

/// Returns the name of a variable, with the player's where every player has it.
pub fn variable_name(model: &GameModel, slot: VariableSlot) -> String {
    let extensions = &model.extensions;
    match extensions.variables.get(slot.index()) {
        Some(variable) => variable.name.clone(),
        None => {
            let index = slot.index() - extensions.variables.len();
            let (variable, player) = (index / model.players.len(), index % model.players.len());
            let name = &extensions.player_variables[variable].name;
            format!("{name} {}", model.players[player].name)
        }
    }
}

fn pieces_text(model: &GameModel, program: &Program, id: PieceListId) -> String {
    let occupants = Occupants::new(model.players.len(), model.kinds.len());
    let names = program.piece_lists[id.index()].pieces.iter().map(|&piece| {
        let (owner, kind) = (occupants.owner(piece), occupants.kind(piece));
        format!(
            "{} {}",
            model.players[owner.index()].name,
            model.kinds[kind.index()].name
        )
    });
    names.collect::<Vec<_>>().join(", ")
}

fn operand_text(model: &GameModel, program: &Program, operand: Operand) -> String {
    let name = match operand {
        Operand::At(At::Here) => "",
        Operand::At(At::Look) => "there",
        Operand::Ask(Ask::Here) => "here",
        Operand::Ask(Ask::NotHere) => "not here",
        Operand::Ask(Ask::Look) => "there",
        Operand::Ask(Ask::NotLook) => "not there",
        Operand::Wanted(true) => "true",
        Operand::Wanted(false) => "false",
        Operand::Mask(mask) => return mask_text(mask),
        Operand::Direction(direction) => &model.board.directions[direction.index()],
        Operand::Cell(cell) if cell.is_none() => "nothing",
        Operand::Cell(cell) => model.board.name(cell),
        Operand::Kind(kind) => &model.kinds[kind.index()].name,
        Operand::Player(player) => &model.players[player.index()].name,
        Operand::Zone(zone) => &model.board.zones[zone.index()].name,
        Operand::Flag(flag) => &model.flags[flag.index()],
        Operand::PositionFlag(flag) => &model.position_flags[flag.index()],
        Operand::Attribute(attribute) => &model.attributes[attribute.index()],
        Operand::Type(filter) => filter.get().map_or("any type", |id| &model.move_types[id.index()]),
        Operand::Number(number) => return number.to_string(),
        Operand::Let(slot) => return format!("let {}", slot.index()),
        Operand::Constant(constant) => &model.extensions.constants[constant.index()],
        Operand::Variable(slot) => return variable_name(model, slot),
        Operand::Neighborhood(id) => return format!("links {}", id.index()),
        Operand::Pieces(id) => return pieces_text(model, program, id),
        Operand::Text(text) => return format!("{:?}", program.texts[text.index()]),
        Operand::List(list) => return format!("list {}", list.index()),
        Operand::Counter(counter) => return format!("{counter:?}"),
        Operand::Comparison(comparison) => return format!("{comparison:?}"),
        Operand::Arithmetic(operation) => return format!("{operation:?}"),
        Operand::Pointer(pointer) => return format!("{pointer:?}"),
        Operand::Test(test) => return format!("test {}", test.0),
        Operand::Question(question) => {
            let not = if question.wanted() { "" } else { "not " };
            return format!("{not}{}", mask_text(question.mask()));
        }
        Operand::Shape(question) => return format!("{question:?}"),
        Operand::Add(id) => return add_text(model, program, &program.adds[id.index()]),
        Operand::Target(address) => return format!("{address:04}"),
    };
    name.to_owned()
}

fn mask_text(mask: ClassMask) -> String {
    let classes = [
        (ClassMask::EMPTY, "empty"),
        (ClassMask::FRIEND, "friend"),
        (ClassMask::ENEMY, "enemy"),
        (ClassMask::NEUTRAL, "neutral"),
        (ClassMask::OTHER, "other"),
    ];
    let names: Vec<&str> = classes
        .iter()
        .filter(|(class, _)| mask.meets(*class))
        .map(|&(_, name)| name)
        .collect();
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(" or ")
    }
}

/// Spells out what an `add` emits.
fn add_text(model: &GameModel, program: &Program, add: &AddTable) -> String {
    let mut parts = Vec::new();
    if add.copy {
        parts.push("copy".to_owned());
    }
    if !add.kinds.is_empty() {
        let kinds: Vec<&str> = add
            .kinds
            .iter()
            .map(|kind| model.kinds[kind.index()].name.as_str())
            .collect();
        parts.push(format!("as {}", kinds.join(" or ")));
    }
    if let Some(types) = add
        .continuation
        .and_then(|continuation| program.continuations.get(continuation.index()))
    {
        let types: Vec<&str> = types.iter().map(|id| model.move_types[id.index()].as_str()).collect();
        parts.push(match types.is_empty() {
            true => "then any type".to_owned(),
            false => format!("then {}", types.join(" or ")),
        });
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::load;
    use crate::rules::Rules;

    fn sample() -> Rules {
        load(
            "test.zrf",
            b"(game (title \"Sample\") (players White Black) (turn-order White Black)
                (board (grid (start-rectangle 0 0 9 9) (dimensions (\"a/b/c\" (10 0)) (\"2/1\" (0 10)))
                    (directions (e 1 0) (w -1 0))) (symmetry Black (e w))
                    (zone (name edge) (players White Black) (positions c1 c2)))
                (board-setup (White (Man a1)) (Black (Man c1)))
                (piece (name Man) (attribute fresh true) (drops ((verify (in-zone? edge)) add))
                    (moves (move-type jump)
                        (e (verify (enemy? e)) (capture e) (while empty? (if (flag? f) b2 else (set-flag f true)) e)
                            (set-attribute fresh false) (add-partial Man King jump))
                        (move-type walk)
                        ((verify (not-attacked? jump e)) (create Black King a2) (flip w) add-copy)))
                (piece (name King) (moves (e add-partial))))",
        )
        .unwrap_or_else(|errors| panic!("{errors}"))
        .swap_remove(0)
    }

    #[test]
    fn blocks_are_listed_with_names() {
        let rules = sample();
        let filter = ListingFilter {
            player: rules.model.find_player("Black"),
            kind: None,
        };
        insta::assert_snapshot!(list_program(&rules.model, &rules.program, filter));
    }

    #[test]
    fn filters_choose_blocks() {
        let rules = sample();
        let list = |player: Option<&str>, kind: Option<&str>| {
            let filter = ListingFilter {
                player: player.and_then(|name| rules.model.find_player(name)),
                kind: kind.and_then(|name| rules.model.find_kind(name)),
            };
            let text = list_program(&rules.model, &rules.program, filter);
            text.lines()
                .filter(|line| !line.starts_with(' ') && !line.is_empty())
                .count()
        };
        assert_eq!(list(None, None), 8);
        assert_eq!(list(Some("White"), None), 4);
        assert_eq!(list(Some("White"), Some("King")), 1);
    }

    #[test]
    fn every_operation_is_in_the_reference() {
        assert_eq!(op_reference().lines().count(), OP_REFERENCE.len());
        assert!(op_reference().starts_with("end "));
    }
}
