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
use super::{AddTable, Address, Ask, At, ClassMask, Entry, Op, Program};
use crate::model::{GameModel, PieceKindId, PlayerId};

/// Which blocks are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListingFilter {
    /// Only those of this player.
    pub player: Option<PlayerId>,
    /// Only those of this kind.
    pub kind: Option<PieceKindId>,
}

/// Lists the code of move blocks, one after another, with the names of the rules in place of numbers. Each block has a
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
    let kind = &model.kinds[entry.kind.index()].name;
    let section = if entry.is_drop { "drops" } else { "moves" };
    let _ = write!(text, "{player} {kind}, {section}, block {}", entry.block + 1);
    if let Some(move_type) = entry.move_type {
        let _ = write!(text, ", type {}", model.move_types[move_type.index()]);
    }
    if let Some(cells) = &entry.only_at {
        let names: Vec<&str> = cells.iter().map(|&cell| model.board.name(cell)).collect();
        let _ = write!(text, ", only at {}", names.join(" "));
    }
    text.push('\n');
    let width = mnemonic_width();
    for address in entry.address..program.block_end(entry.address) {
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
    if let Op::Add { index } = op {
        return program
            .adds
            .get(*index as usize)
            .map_or_else(String::new, |add| add_text(model, program, add));
    }
    let mut words = Vec::new();
    let mut target: Option<Address> = None;
    for (_, operand) in op.operands() {
        match operand {
            Operand::Target(address) => target = Some(address),
            operand => words.push(operand_text(model, operand)),
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

fn operand_text(model: &GameModel, operand: Operand) -> String {
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
        Operand::Cell(cell) => model.board.name(cell),
        Operand::Kind(kind) => &model.kinds[kind.index()].name,
        Operand::Player(player) => &model.players[player.index()].name,
        Operand::Zone(zone) => &model.board.zones[zone.index()].name,
        Operand::Flag(flag) => &model.flags[flag.index()],
        Operand::PositionFlag(flag) => &model.position_flags[flag.index()],
        Operand::Attribute(attribute) => &model.attributes[attribute.index()],
        Operand::Type(filter) => filter.get().map_or("any type", |id| &model.move_types[id.index()]),
        Operand::Number(number) => return number.to_string(),
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
