//! Positions in FEN (Forsyth-Edwards notation), for every game that it can describe.
//!
//! `rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1`: the rows of the board from the top as it looks on the
//! screen, with numbers for empty cells; whose turn it is; castling rights; the square that a pawn has just passed; and
//! counts, which are not read. Only the first part is needed.
//!
//! The game must have one grid of two dimensions, one across and one up and down. A letter means the kind with this
//! notation, or else with this first letter; a capital is a piece of the first player who takes turns, a small letter
//! one of the second. `w` and `b` are the players whose names begin so, or else the first and the second.
//!
//! Two parts are translated into what rules can read. If kings (`K`) and rooks (`R`) declare an attribute that is true
//! at first, as `never-moved?`, castling rights decide who keeps it: the rooks at the ends of the king's row that have a
//! right, and kings with a right. The passed square gives the previous move: the double step of the pawn (`P`) beyond.

use std::ops::Range;

use crate::model::board::Grid;
use crate::model::{AttributeId, CellId, GameModel, PieceKindId, PlayerId};
use crate::rules::Rules;
use crate::state::State;

/// Why a FEN cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FenError {
    /// What was found and what was expected.
    pub message: String,
    /// The bytes of the text that are wrong.
    pub range: Range<usize>,
    /// One thing to try.
    pub help: Option<String>,
}

impl FenError {
    fn new(range: Range<usize>, message: impl Into<String>) -> FenError {
        FenError {
            message: message.into(),
            range,
            help: None,
        }
    }

    fn help(mut self, help: impl Into<String>) -> FenError {
        self.help = Some(help.into());
        self
    }
}

/// Reads a FEN.
///
/// # Errors
/// The first thing that is wrong, or that FEN cannot describe this game.
pub fn read_fen(rules: &Rules, text: &str) -> Result<State, FenError> {
    let table = Table::new(&rules.model).map_err(|message| FenError::new(0..text.len(), message))?;
    let mut reader = Reader {
        rules,
        table,
        state: State::empty(rules),
    };
    let mut fields = fields(text).into_iter();
    let Some(board) = fields.next() else {
        return Err(FenError::new(0..text.len(), "the FEN is empty").help("write the rows of the board, parted by `/`"));
    };
    reader.read_board(board)?;
    let mover = match fields.next() {
        Some(side) => reader.read_side(side)?,
        None => rules.model.turn_order.items[0].player,
    };
    reader.read_castling(fields.next())?;
    if let Some(passed) = fields.next().filter(|passed| passed.text != "-") {
        reader.read_passed(passed, mover)?;
    }
    Ok(reader.state)
}

/// A part of the text and where it stands.
#[derive(Clone, Copy, Debug)]
struct Field<'t> {
    text: &'t str,
    start: usize,
}

impl Field<'_> {
    fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    fn error(&self, message: impl Into<String>) -> FenError {
        FenError::new(self.range(), message)
    }

    /// The place of the character at byte `offset` of the field.
    fn letter(&self, offset: usize, letter: char) -> Range<usize> {
        self.start + offset..self.start + offset + letter.len_utf8()
    }
}

/// Splits a text at blanks.
fn fields(text: &str) -> Vec<Field<'_>> {
    parts(Field { text, start: 0 }, char::is_whitespace)
        .into_iter()
        .filter(|field| !field.text.is_empty())
        .collect()
}

/// Splits a field.
fn parts(field: Field<'_>, at: impl Fn(char) -> bool) -> Vec<Field<'_>> {
    let mut start = field.start;
    let mut parts = Vec::new();
    for part in field.text.split_inclusive(&at) {
        parts.push(Field {
            text: part.trim_end_matches(&at),
            start,
        });
        start += part.len();
    }
    parts
}

/// What FEN has to know of a game.
struct Table<'a> {
    grid: &'a Grid,
    /// The dimension that runs up and down, 0 or 1.
    vertical: usize,
    /// For each dimension whether its first label is at the bottom or right.
    reversed: [bool; 2],
    /// The letter of each kind that has one, in upper case.
    letters: Vec<(char, PieceKindId)>,
    first: PlayerId,
    second: Option<PlayerId>,
}

impl<'a> Table<'a> {
    fn new(model: &'a GameModel) -> Result<Table<'a>, &'static str> {
        let mut grids = model.board.grids.iter().filter(|grid| grid.dimensions.len() == 2);
        let (Some(grid), None) = (grids.next(), grids.next()) else {
            return Err("FEN needs a board that is one grid of two dimensions");
        };
        let steps = [grid.dimensions[0].step, grid.dimensions[1].step];
        let vertical = match [steps[0].1 != 0, steps[1].1 != 0] {
            [false, true] => 1,
            [true, false] => 0,
            [false, false] if steps[0].0 == 0 => 0,
            [false, false] if steps[1].0 == 0 => 1,
            _ => return Err("FEN needs a board with straight rows and columns"),
        };
        let reversed = [0, 1].map(|axis| {
            if axis == vertical {
                steps[axis].1 < 0
            } else {
                steps[axis].0 < 0
            }
        });
        let letters = letters(model);
        if letters.is_empty() {
            return Err("FEN needs pieces with one-letter notations");
        }
        let mut players = model.player_ids().filter(|player| {
            let player = &model.players[player.index()];
            player.takes_turns && !player.random
        });
        let Some(first) = players.next() else {
            return Err("FEN needs a player who takes turns");
        };
        Ok(Table {
            grid,
            vertical,
            reversed,
            letters,
            first,
            second: players.next(),
        })
    }

    fn n_rows(&self) -> usize {
        self.grid.dimensions[self.vertical].labels.len()
    }

    fn n_columns(&self) -> usize {
        self.grid.dimensions[1 - self.vertical].labels.len()
    }

    /// Returns the cell of a row from the top and a column from the left, if there is one.
    fn cell(&self, row: usize, column: usize) -> Option<CellId> {
        let along = |axis: usize, index: usize| {
            let length = self.grid.dimensions[axis].labels.len();
            let index = if self.reversed[axis] {
                length.checked_sub(index + 1)?
            } else {
                index
            };
            i64::try_from(index).ok()
        };
        let mut coordinates = [0; 2];
        coordinates[self.vertical] = along(self.vertical, row)?;
        coordinates[1 - self.vertical] = along(1 - self.vertical, column)?;
        self.grid
            .cells
            .get(self.grid.index_of(&coordinates)?)
            .copied()
            .flatten()
    }

    /// Returns row and column of a cell.
    fn place(&self, cell: CellId) -> Option<(usize, usize)> {
        let places = (0..self.n_rows()).flat_map(|row| (0..self.n_columns()).map(move |column| (row, column)));
        places
            .into_iter()
            .find(|&(row, column)| self.cell(row, column) == Some(cell))
    }

    fn kind(&self, letter: char) -> Option<PieceKindId> {
        let upper = letter.to_uppercase().next()?;
        self.letters
            .iter()
            .find(|(known, _)| *known == upper)
            .map(|&(_, kind)| kind)
    }
}

/// Returns the letters of the kinds: their notation or name of one letter, else their first letter if no other has it.
fn letters(model: &GameModel) -> Vec<(char, PieceKindId)> {
    let single = |text: &str| {
        let mut letters = text.chars();
        letters
            .next()
            .filter(|letter| letter.is_alphabetic() && letters.next().is_none())
    };
    let upper = |letter: char| letter.to_uppercase().next().unwrap_or(letter);
    let mut letters: Vec<(char, PieceKindId)> = Vec::new();
    let mut initials: Vec<(char, PieceKindId)> = Vec::new();
    for kind in model.kind_ids() {
        let PieceKindWords { name, notation } = PieceKindWords::of(model, kind);
        match notation.map_or_else(|| single(name), single) {
            Some(letter) => letters.push((upper(letter), kind)),
            None => initials.extend(
                name.chars()
                    .next()
                    .filter(|c| c.is_alphabetic())
                    .map(|c| (upper(c), kind)),
            ),
        }
    }
    let given = letters.len();
    for &(letter, kind) in &initials {
        let taken = letters[..given].iter().any(|&(other, _)| other == letter)
            || initials.iter().filter(|&&(other, _)| other == letter).count() > 1;
        if !taken {
            letters.push((letter, kind));
        }
    }
    letters
}

/// The words by which a kind is called.
struct PieceKindWords<'a> {
    name: &'a str,
    notation: Option<&'a str>,
}

impl PieceKindWords<'_> {
    fn of(model: &GameModel, kind: PieceKindId) -> PieceKindWords<'_> {
        let kind = &model.kinds[kind.index()];
        PieceKindWords {
            name: &kind.name,
            notation: kind.notation.as_deref(),
        }
    }
}

/// Fills a state.
struct Reader<'a> {
    rules: &'a Rules,
    table: Table<'a>,
    state: State,
}

impl Reader<'_> {
    fn read_board(&mut self, board: Field<'_>) -> Result<(), FenError> {
        let rows = parts(board, |letter| letter == '/');
        if rows.len() != self.table.n_rows() {
            return Err(board.error(format!(
                "found {} rows, the board has {}",
                rows.len(),
                self.table.n_rows()
            )));
        }
        for (index, row) in rows.into_iter().enumerate() {
            self.read_row(index, row)?;
        }
        Ok(())
    }

    fn read_row(&mut self, row: usize, field: Field<'_>) -> Result<(), FenError> {
        let n_columns = self.table.n_columns();
        let mut column = 0usize;
        let mut empty = 0usize;
        for (offset, letter) in field.text.char_indices() {
            if let Some(digit) = letter.to_digit(10) {
                empty = empty.saturating_mul(10).saturating_add(digit as usize);
                continue;
            }
            column = column.saturating_add(std::mem::take(&mut empty));
            let range = field.letter(offset, letter);
            let Some(kind) = self.table.kind(letter) else {
                let letters: Vec<String> = self
                    .table
                    .letters
                    .iter()
                    .map(|(letter, _)| format!("`{letter}`"))
                    .collect();
                return Err(FenError::new(range, format!("`{letter}` is no piece of these rules"))
                    .help(format!("the letters are {}", letters.join(", "))));
            };
            let player = if letter.is_uppercase() {
                Some(self.table.first)
            } else {
                self.table.second
            };
            let Some(player) = player else {
                return Err(FenError::new(
                    range,
                    "small letters are the second player's, and there is only one",
                ));
            };
            let Some(cell) = self.table.cell(row, column) else {
                return Err(self.wrong_length(field, n_columns));
            };
            self.state.put(self.rules, cell, player, kind);
            column += 1;
        }
        if column.saturating_add(empty) == n_columns {
            Ok(())
        } else {
            Err(self.wrong_length(field, n_columns))
        }
    }

    fn wrong_length(&self, field: Field<'_>, n_columns: usize) -> FenError {
        field.error(format!("this row does not fill the {n_columns} columns of the board"))
    }

    fn read_side(&mut self, side: Field<'_>) -> Result<PlayerId, FenError> {
        let model = &self.rules.model;
        let sides = [Some(self.table.first), self.table.second];
        let initial_is = |player: &&PlayerId| {
            let name = &model.players[player.index()].name;
            name.eq_ignore_ascii_case(side.text)
                || side.text.chars().count() == 1
                    && name
                        .chars()
                        .next()
                        .is_some_and(|first| first.to_lowercase().eq(side.text.chars().flat_map(char::to_lowercase)))
        };
        let named = sides.iter().flatten().find(initial_is).copied();
        let player = named.or(match side.text {
            "w" => sides[0],
            "b" => sides[1],
            _ => None,
        });
        let turn = player.and_then(|player| model.turn_order.items.iter().position(|item| item.player == player));
        match (player, turn) {
            (Some(player), Some(turn)) => {
                self.state.set_turn(self.rules, turn);
                Ok(player)
            }
            _ => Err(side
                .error(format!("`{}` is no player", side.text))
                .help("write `w` for the first, `b` for the second")),
        }
    }

    /// Takes the attribute that allows castling from all that have no right.
    fn read_castling(&mut self, rights: Option<Field<'_>>) -> Result<(), FenError> {
        let (Some(king), Some(rook)) = (self.table.kind('K'), self.table.kind('R')) else {
            return Ok(());
        };
        let attributes = self.castling_attributes(king, rook);
        if attributes.is_empty() {
            return Ok(());
        }
        let mut keep = Vec::new();
        if let Some(rights) = rights.filter(|rights| rights.text != "-") {
            for (offset, letter) in rights.text.char_indices() {
                let range = rights.letter(offset, letter);
                if !matches!(letter, 'K' | 'Q' | 'k' | 'q') {
                    return Err(FenError::new(range, format!("`{letter}` is no castling right"))
                        .help("write those of `KQkq` that there are, or `-`"));
                }
                let cells = self.castling_pieces(letter, king, rook);
                keep.extend(cells.ok_or_else(|| {
                    FenError::new(
                        range,
                        format!("no king and rook stand so that `{letter}` could be a right"),
                    )
                })?);
            }
        }
        for cell in self.rules.model.board.cell_ids() {
            let piece = self.state.occupant(cell);
            if piece.is_some() && [king, rook].contains(&self.rules.kind(piece)) && !keep.contains(&cell) {
                for &attribute in &attributes {
                    self.state.put_attribute(self.rules, cell, attribute, 0);
                }
            }
        }
        Ok(())
    }

    /// Returns the attributes that kings and rooks declare as true.
    fn castling_attributes(&self, king: PieceKindId, rook: PieceKindId) -> Vec<AttributeId> {
        let declared = |kind: PieceKindId| self.rules.model.kinds[kind.index()].attributes.iter();
        let true_at_first = declared(king).filter(|(_, value)| *value == 1);
        true_at_first
            .filter(|own| declared(rook).any(|other| other == *own))
            .map(|&(attribute, _)| attribute)
            .collect()
    }

    /// Returns the cells of the king and the rook that a right speaks of.
    fn castling_pieces(&self, right: char, king: PieceKindId, rook: PieceKindId) -> Option<[CellId; 2]> {
        let player = if right.is_uppercase() {
            self.table.first
        } else {
            self.table.second?
        };
        let (king, rook) = (self.rules.occupant(player, king), self.rules.occupant(player, rook));
        let column = if right.eq_ignore_ascii_case(&'k') {
            self.table.n_columns() - 1
        } else {
            0
        };
        let kings = self
            .state
            .cells_of(player)
            .filter(|&cell| self.state.occupant(cell) == king);
        kings.into_iter().find_map(|king_cell| {
            let (row, _) = self.table.place(king_cell)?;
            let corner = self.table.cell(row, column)?;
            (self.state.occupant(corner) == rook).then_some([king_cell, corner])
        })
    }

    /// Sets the double step of a pawn over a cell as the previous move.
    fn read_passed(&mut self, passed: Field<'_>, mover: PlayerId) -> Result<(), FenError> {
        let board = &self.rules.model.board;
        let cell = board
            .cell_ids()
            .find(|&cell| board.name(cell).eq_ignore_ascii_case(passed.text));
        let place = cell.and_then(|cell| self.table.place(cell));
        let Some((row, column)) = place else {
            return Err(passed
                .error(format!("`{}` is no position of these rules", passed.text))
                .help("write `-` for none"));
        };
        let other = if mover == self.table.first {
            self.table.second
        } else {
            Some(self.table.first)
        };
        let pawn = other
            .zip(self.table.kind('P'))
            .map(|(player, kind)| self.rules.occupant(player, kind));
        let n_rows = self.table.n_rows();
        let rows = [
            row.checked_sub(1).map(|before| (before, row + 1)),
            row.checked_sub(1).map(|after| (row + 1, after)),
        ];
        let steps = rows.into_iter().flatten().filter_map(|(from_row, to_row)| {
            let (from, to) = (self.table.cell(from_row, column)?, self.table.cell(to_row, column)?);
            let passes = self.state.occupant(from).is_none() && Some(self.state.occupant(to)) == pawn;
            // Pawns start near their edge of the board.
            passes.then_some((from_row.min(n_rows - 1 - from_row), from, to))
        });
        let Some((_, from, to)) = steps.min_by_key(|&(distance, ..)| distance) else {
            return Err(passed.error(format!("no pawn can just have passed `{}`", passed.text)));
        };
        if self.rules.program.reads.last_move {
            self.state.set_last_move(self.rules, from, to);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::load;
    use crate::play::position::{print_position, read_position};

    fn game(text: &str) -> Rules {
        load("test.zrf", text.as_bytes())
            .unwrap_or_else(|errors| panic!("{errors}"))
            .swap_remove(0)
    }

    fn chess() -> Rules {
        game(include_str!("../../rules/chess.zrf"))
    }

    /// Checks what a FEN reads as, or its fault and the text it points at.
    fn check(rules: &Rules, fen: &str, expected: &str) {
        let found = match read_fen(rules, fen) {
            Ok(state) => print_position(rules, &state),
            Err(error) => format!("{error}: {}", &fen[error.range.clone()]),
        };
        assert_eq!(found, expected, "{fen}");
    }

    #[test]
    fn the_start_of_chess_is_the_start() {
        let rules = chess();
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(read_fen(&rules, fen), Ok(State::start(&rules)));
        assert_eq!(
            read_position(&rules, "test", &format!(" fen  {fen} ")).ok(),
            Some(State::start(&rules))
        );
    }

    #[test]
    fn castling_rights_and_the_passed_square_are_translated() {
        let rules = chess();
        for (fen, expected) in [
            (
                "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 9",
                "(position (turn Black) (White (Rook (a1 (never-moved? false)) h1) (King e1)) \
                 (Black (Rook a8 (h8 (never-moved? false))) (King e8)))",
            ),
            (
                "4k3/8/8/8/8/8/8/R3K3",
                "(position (turn White) (White (Rook (a1 (never-moved? false))) (King (e1 (never-moved? false)))) \
                 (Black (King (e8 (never-moved? false)))))",
            ),
            (
                "8/8/8/8/4P3/8/8/8 b - e3",
                "(position (turn Black) (White (Pawn e4)) (last e2 e4))",
            ),
            (
                "8/8/8/1p6/8/8/8/8 w - b6 0 1",
                "(position (turn White) (Black (Pawn b5)) (last b7 b5))",
            ),
        ] {
            check(&rules, fen, expected);
        }
    }

    #[test]
    fn faults_are_named() {
        let rules = chess();
        for (fen, expected) in [
            ("", "the FEN is empty: "),
            ("8/8/8 w", "found 3 rows, the board has 8: 8/8/8"),
            (
                "8/8/8/9/8/8/8/8",
                "this row does not fill the 8 columns of the board: 9",
            ),
            (
                "8/8/8/4p4/8/8/8/8",
                "this row does not fill the 8 columns of the board: 4p4",
            ),
            (
                "8/8/8/99999999999999999999999p/8/8/8/8",
                "this row does not fill the 8 columns of the board: 99999999999999999999999p",
            ),
            ("8/8/8/4x3/8/8/8/8", "`x` is no piece of these rules: x"),
            ("8/8/8/8/8/8/8/8 r", "`r` is no player: r"),
            (
                "8/8/8/8/8/8/8/8 w K",
                "no king and rook stand so that `K` could be a right: K",
            ),
            (
                "8/8/8/8/8/8/8/8 w KX",
                "no king and rook stand so that `K` could be a right: K",
            ),
            ("8/8/8/8/8/8/8/8 w é", "`é` is no castling right: é"),
            ("8/8/8/8/8/8/8/8 w - e9", "`e9` is no position of these rules: e9"),
            ("8/8/8/8/8/8/8/8 w - e6", "no pawn can just have passed `e6`: e6"),
        ] {
            check(&rules, fen, expected);
        }
    }

    #[test]
    fn other_games_with_letters_are_read() {
        let rules = game(include_str!("../../rules/breakthrough.zrf"));
        check(
            &rules,
            "8/p7/8/8/8/8/8/6PP b",
            "(position (turn Black) (White (Pawn g1 h1)) (Black (Pawn a7)))",
        );
        let wide = "(game (title \"Wide\") (players Red Blue) (turn-order Red Blue)
            (board (grid (start-rectangle 0 0 9 9) (dimensions (\"1/2\" (0 -9)) (\"a/b/c/d/e/f/g/h/i/j/k/l\" (9 0)))
                (directions (e 0 1))))
            (board-setup (Red (Man 1a)))
            (piece (name Man) (moves (e add))) (piece (name Mast) (notation \"X\") (moves (e add))))";
        check(&game(wide), "12/11X b", "(position (turn Blue) (Red (Mast 1l)))");
        check(
            &game(wide),
            "M10m/12",
            "(position (turn Red) (Red (Man 2a)) (Blue (Man 2l)))",
        );
    }

    #[test]
    fn boards_that_fen_cannot_describe_are_told() {
        let rules = game(
            "(game (title \"Line\") (players A B) (turn-order A B) (board (positions (a 0 0 1 1) (b 1 0 2 1)) (links x (a b)))
                (board-setup (A (Man a))) (piece (name Man) (moves (x add))))",
        );
        check(
            &rules,
            "8/8",
            "FEN needs a board that is one grid of two dimensions: 8/8",
        );
    }

    proptest::proptest! {
        /// Whatever is typed, the answer comes soon and without a panic.
        #[test]
        fn any_text_is_answered(text in "[a-zA-Z1-9/ é-]{0,80}", board in "([prkPRK1-8]{0,8}/){7}[RK1-8]{0,8} [wb] [KQkq-]{1,4} [a-h][1-8]") {
            thread_local!(static CHESS: Rules = chess());
            CHESS.with(|rules| {
                let _ = read_fen(rules, &text);
                let _ = read_fen(rules, &board);
            });
        }
    }
}
