//! Saved games in the format of Zillions of Games.
//!
//! ```text
//! Zillions Save Game File Version 0.02 HC
//! RulesFile=chess.zrf
//! VariantName=Chess
//! (White Pawn e3)
//! (x e2)
//! 1. Pawn d2 - d4
//! 1. Pawn d7 - d5
//! ```
//!
//! The letters tell for each player whether a person or the computer plays. Lines in brackets change the setup, the
//! others are the moves with the number of the round. A start that such lines cannot express, with other attributes or
//! another turn, is a line `Position=(position …)` of our own.

use std::io;
use std::path::Path;

use ludex::model::CellId;
use ludex::play::position::{print_position, read_position};
use ludex::source::SourceMap;
use ludex::{Rules, State};

use super::output;

/// What every saved game begins with.
const HEADER: &str = "Zillions Save Game File";
/// The version of the format that is written.
const VERSION: &str = "Version 0.02";

/// A saved game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// One letter per player: `H` for a person, `C` for the computer.
    pub letters: String,
    /// The rule file.
    pub rules_file: String,
    /// The title of the game.
    pub variant: String,
    /// The start, if the lines in brackets cannot express it.
    pub position: Option<String>,
    /// The changes of the setup.
    pub edits: Vec<Edit>,
    /// The plies.
    pub moves: Vec<SavedMove>,
}

/// A change of the setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The line in the file, from 1; 0 if it is not in a file.
    pub line: usize,
    /// Player and kind to put, or nothing to clear.
    pub piece: Option<(String, String)>,
    /// The position of the board.
    pub cell: String,
}

/// A ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedMove {
    /// The line in the file, from 1; 0 if it is not in a file.
    pub line: usize,
    /// The number of the round.
    pub round: usize,
    /// The move.
    pub text: String,
}

/// What is wrong with a saved game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SavedError {
    /// The line in the file, from 1.
    pub line: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl Saved {
    /// Reads a saved game.
    pub fn read(bytes: &[u8]) -> Result<Saved, SavedError> {
        let mut sources = SourceMap::new();
        let source = sources.add("", bytes);
        let mut saved = Saved::default();
        let mut lines = sources
            .text(source)
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line.trim()));
        let (_, first) = lines.next().unwrap_or((1, ""));
        let Some(rest) = first.strip_prefix(HEADER) else {
            let message = format!("a saved game begins with `{HEADER}`");
            return Err(SavedError { line: 1, message });
        };
        saved.letters = rest.split_whitespace().last().unwrap_or("").to_owned();
        for (line, text) in lines.filter(|(_, text)| !text.is_empty()) {
            saved.read_line(line, text)?;
        }
        Ok(saved)
    }

    fn read_line(&mut self, line: usize, text: &str) -> Result<(), SavedError> {
        if let Some(file) = text.strip_prefix("RulesFile=") {
            self.rules_file = file.trim().to_owned();
        } else if let Some(title) = text.strip_prefix("VariantName=") {
            self.variant = title.trim().to_owned();
        } else if let Some(position) = text.strip_prefix("Position=") {
            self.position = Some(position.trim().to_owned());
        } else if let Some(edit) = text.strip_prefix('(') {
            let words: Vec<&str> = edit.trim_end_matches(')').split_whitespace().collect();
            let (piece, cell) = match words[..] {
                ["x", cell] => (None, cell),
                [player, kind, cell] => (Some((player.to_owned(), kind.to_owned())), cell),
                _ => {
                    let message =
                        format!("`{text}` stands where `(PLAYER PIECE POSITION)` or `(x POSITION)` was expected");
                    return Err(SavedError { line, message });
                }
            };
            self.edits.push(Edit {
                line,
                piece,
                cell: cell.to_owned(),
            });
        } else {
            let parts = text
                .split_once('.')
                .and_then(|(number, rest)| Some((number.trim().parse().ok()?, rest.trim())));
            let Some((round, text)) = parts else {
                let message = format!("`{text}` stands where the number of a round and a move were expected");
                return Err(SavedError { line, message });
            };
            self.moves.push(SavedMove {
                line,
                round,
                text: text.to_owned(),
            });
        }
        Ok(())
    }

    /// Returns the state in which the game begins.
    pub fn start(&self, rules: &Rules) -> Result<State, SavedError> {
        let mut state = match &self.position {
            Some(text) => read_position(rules, "the saved game", text).map_err(|errors| SavedError {
                line: 1,
                message: format!("its position cannot be read:\n{errors}"),
            })?,
            None => State::start(rules),
        };
        for edit in &self.edits {
            let unknown = |what: &str, name: &str| {
                let message = format!("the rules have no {what} `{name}`");
                SavedError {
                    line: edit.line,
                    message,
                }
            };
            let cell = rules
                .model
                .board
                .find(&edit.cell)
                .ok_or_else(|| unknown("position", &edit.cell))?;
            match &edit.piece {
                None => state.clear(rules, cell),
                Some((player, kind)) => {
                    let player_id = rules
                        .model
                        .find_player(player)
                        .ok_or_else(|| unknown("player", player))?;
                    let kind_id = rules.model.find_kind(kind).ok_or_else(|| unknown("piece", kind))?;
                    state.put(rules, cell, player_id, kind_id);
                }
            }
        }
        Ok(state)
    }

    /// Lets the game begin in `state`.
    pub fn set_start(&mut self, rules: &Rules, state: &State) {
        let mut reached = State::start(rules);
        self.edits.clear();
        self.position = None;
        for cell in rules
            .model
            .board
            .cell_ids()
            .filter(|&cell| !same_piece(rules, &State::start(rules), state, cell))
        {
            let piece = state.occupant(cell);
            let name = rules.model.board.name(cell).to_owned();
            if piece.is_none() {
                reached.clear(rules, cell);
                self.edits.push(Edit {
                    line: 0,
                    piece: None,
                    cell: name,
                });
            } else {
                let (player, kind) = (rules.owner(piece), rules.kind(piece));
                reached.put(rules, cell, player, kind);
                let player = rules.model.players[player.index()].name.clone();
                let kind = rules.model.kinds[kind.index()].name.clone();
                self.edits.push(Edit {
                    line: 0,
                    piece: Some((player, kind)),
                    cell: name,
                });
            }
        }
        if reached != *state {
            self.edits.clear();
            self.position = Some(print_position(rules, state));
        }
    }

    /// Writes the game as the text of a file.
    pub fn to_text(&self) -> String {
        let mut lines = vec![
            format!("{HEADER} {VERSION} {}", self.letters),
            format!("RulesFile={}", self.rules_file),
            format!("VariantName={}", self.variant),
        ];
        lines.extend(self.position.as_ref().map(|position| format!("Position={position}")));
        for Edit { piece, cell, .. } in &self.edits {
            lines.push(match piece {
                Some((player, kind)) => format!("({player} {kind} {cell})"),
                None => format!("(x {cell})"),
            });
        }
        lines.extend(
            self.moves
                .iter()
                .map(|SavedMove { round, text, .. }| format!("{round}. {text}")),
        );
        lines.join("\r\n") + "\r\n"
    }

    /// Writes the game to a file, which holds either what it held before or the whole game, whenever the program ends.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        output::replace_file(path, &self.to_text())
    }
}

/// Tells whether the same piece with the same attributes stands on a cell in two states.
fn same_piece(rules: &Rules, a: &State, b: &State, cell: CellId) -> bool {
    let attributes = (0..rules.model.attributes.len()).filter_map(ludex::model::AttributeId::new);
    a.occupant(cell) == b.occupant(cell)
        && attributes
            .into_iter()
            .all(|attribute| a.attribute(rules, cell, attribute) == b.attribute(rules, cell, attribute))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Zillions Save Game File Version 0.02 HC\r\nRulesFile=a.zrf\r\nVariantName=A (small)\r\n\
                        (White Man a1)\r\n(x b2)\r\n1. Man a1 - a2\r\n1. Pass\r\n";

    #[test]
    fn what_is_written_is_read() {
        let saved = Saved::read(TEXT.as_bytes()).unwrap();
        assert_eq!((saved.letters.as_str(), saved.variant.as_str()), ("HC", "A (small)"));
        assert_eq!(
            saved.edits[1],
            Edit {
                line: 5,
                piece: None,
                cell: "b2".to_owned()
            }
        );
        assert_eq!(
            saved.moves[1],
            SavedMove {
                line: 7,
                round: 1,
                text: "Pass".to_owned()
            }
        );
        assert_eq!(saved.to_text(), TEXT);
    }

    #[test]
    fn other_files_are_told_from_saved_games() {
        assert_eq!(Saved::read(b"(game)").unwrap_err().line, 1);
        let error = Saved::read(b"Zillions Save Game File Version 0.02 HC\nhello\n").unwrap_err();
        assert_eq!(error.line, 2);
    }
}
