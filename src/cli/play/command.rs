//! What can be typed at the board besides moves.

use ludex::keyword::nearest_of;

/// A line that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed<'a> {
    /// Nothing.
    Nothing,
    /// `moves`, or `moves of CELL`.
    Moves(Option<&'a str>),
    /// `undo`
    Undo,
    /// `hint`
    Hint,
    /// `save FILE`
    Save(&'a str),
    /// `load FILE`
    Load(&'a str),
    /// `resign`
    Resign,
    /// `finish`
    Finish,
    /// `flip`
    Flip,
    /// `next`
    Next,
    /// `board`
    Board,
    /// `new`
    New,
    /// `help`
    Help,
    /// `quit`
    Quit,
    /// A command that lacks something, with what it lacks.
    Incomplete(&'static str),
    /// Anything else.
    Move(&'a str),
}

/// The first words of commands.
const WORDS: [&str; 15] = [
    "moves", "next", "undo", "hint", "save", "load", "resign", "finish", "board", "flip", "new", "help", "quit",
    "exit", "?",
];

/// What `help` tells.
pub const HELP: &str = "\
Type a move: `e2-e4`, `e2e4`, `b2` for a drop, `e7-e8 = Queen`, `pass`, or as `moves` shows it.
The name of a position shows the moves of its piece.
  moves            all legal moves          moves of CELL    those of one piece
  undo             take back your move      hint             ask the engine
  board            draw the board           new              begin again
  save FILE        write the game           load FILE        continue a saved game
  resign           give the game up         finish           offer to end the round, which is then scored
  flip             turn the board round     next             begin the next round of a match
  quit             leave";

impl Typed<'_> {
    /// Reads a line.
    pub fn read(line: &str) -> Typed<'_> {
        let line = line.trim();
        let (word, rest) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Typed::Nothing,
            ("moves", "") => Typed::Moves(None),
            ("moves", rest) => Typed::Moves(Some(rest.strip_prefix("of ").map_or(rest, str::trim))),
            ("undo", "") => Typed::Undo,
            ("hint", "") => Typed::Hint,
            ("save", "") => Typed::Incomplete("`save` needs the name of a file"),
            ("load", "") => Typed::Incomplete("`load` needs the name of a file"),
            ("save", file) => Typed::Save(file),
            ("load", file) => Typed::Load(file),
            ("resign", "") => Typed::Resign,
            ("finish", "") => Typed::Finish,
            ("flip", "") => Typed::Flip,
            ("next", "") => Typed::Next,
            ("board", "") => Typed::Board,
            ("new", "") => Typed::New,
            ("help" | "?", _) => Typed::Help,
            ("quit" | "exit", "") => Typed::Quit,
            _ => Typed::Move(line),
        }
    }
}

/// Returns the command that a line which is no move looks like.
pub fn nearest_command(line: &str) -> Option<&'static str> {
    let word = line.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
    let looks_like_word = word.len() > 2 && word.chars().all(|c| c.is_ascii_alphabetic());
    if looks_like_word {
        nearest_of(&word, WORDS)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_moves_are_told_apart() {
        assert_eq!(Typed::read(" moves of e2 "), Typed::Moves(Some("e2")));
        assert_eq!(Typed::read("Moves"), Typed::Moves(None));
        assert_eq!(Typed::read("save my game.zsg"), Typed::Save("my game.zsg"));
        assert_eq!(
            Typed::read("save"),
            Typed::Incomplete("`save` needs the name of a file")
        );
        assert_eq!(Typed::read("Pawn e2 - e4"), Typed::Move("Pawn e2 - e4"));
        assert_eq!(Typed::read("  "), Typed::Nothing);
        assert_eq!(nearest_command("udno"), Some("undo"));
        assert_eq!(nearest_command("e2-e5"), None);
    }
}
