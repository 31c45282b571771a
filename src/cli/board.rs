//! Boards drawn with characters.
//!
//! Every grid of the board is drawn by itself, its cells where the picture has them: rows by their height, columns by
//! their place in the row, so that slanted and hexagonal grids keep their form. Pieces on cells of no grid are listed.

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use ludex::model::board::Grid;
use ludex::model::{CellId, Occupant, PlayerId};
use ludex::{Rules, State};

/// The greatest width of a drawn grid in characters; wider ones are listed.
const WIDEST: i64 = 400;

/// What is marked on the board.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Where the last move began and ended: in square brackets.
    pub moved: Vec<CellId>,
    /// Where pieces were captured: in round brackets.
    pub captured: Vec<CellId>,
    /// Where a picked piece can go: in angle brackets.
    pub quiet: Vec<CellId>,
    /// Where it captures: in curly brackets.
    pub captures: Vec<CellId>,
    /// Whether the board is turned round.
    pub is_turned: bool,
}

impl Marks {
    fn around(&self, cell: CellId) -> (char, char) {
        let sorts = [
            (&self.captures, ('{', '}')),
            (&self.quiet, ('<', '>')),
            (&self.captured, ('(', ')')),
            (&self.moved, ('[', ']')),
        ];
        sorts
            .into_iter()
            .find(|(cells, _)| cells.contains(&cell))
            .map_or((' ', ' '), |(_, marks)| marks)
    }
}

/// How the pieces of a game are shown.
#[derive(Clone, Debug)]
pub struct Symbols {
    /// By occupant; the first stands for an empty cell.
    texts: Vec<String>,
    styles: Vec<Style>,
    width: usize,
    legend: Vec<String>,
}

impl Symbols {
    /// Chooses a symbol for each piece of a game: notations where they are short, else letters of the names; the first
    /// player's are capitals, the second's small letters. Where there is one kind only, its owners give the letters.
    pub fn new(rules: &Rules) -> Symbols {
        let model = &rules.model;
        let players: Vec<PlayerId> = ranked_players(rules);
        let initials: Vec<String> = players
            .iter()
            .map(|player| initial(&model.players[player.index()].name))
            .collect();
        let by_owner = model.kinds.len() == 1 && all_differ(&initials) && initials.iter().all(|text| !text.is_empty());
        let kinds = kind_symbols(rules);
        let mut texts = vec![".".to_owned(); rules.occupants.len()];
        let mut styles = vec![Style::new().dimmed(); rules.occupants.len()];
        for piece in rules.occupants.pieces() {
            let rank = players
                .iter()
                .position(|&player| player == rules.owner(piece))
                .unwrap_or(players.len());
            let kind = &kinds[rules.kind(piece).index()];
            texts[piece.index()] = if by_owner {
                initials[rank].clone()
            } else {
                owned(kind, rank)
            };
            styles[piece.index()] = style(rank);
        }
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1);
        let name = |player: &PlayerId| model.players[player.index()].name.as_str();
        let mut legend = Vec::new();
        if by_owner {
            let owners = players
                .iter()
                .zip(&initials)
                .map(|(player, initial)| match name(player) {
                    name if name == initial => name.to_owned(),
                    name => format!("{initial} {name}"),
                });
            legend.push(owners.collect::<Vec<_>>().join(", "));
        } else {
            let owners = players
                .iter()
                .enumerate()
                .filter(|(_, player)| can_have_pieces(rules, **player));
            let owners = owners.map(|(rank, player)| match rank {
                0 => format!("capitals: {}", name(player)),
                1 => format!("small letters: {}", name(player)),
                _ => format!("with {}: {}", rank + 1, name(player)),
            });
            legend.push(owners.collect::<Vec<_>>().join(", "));
            let kinds = model
                .kinds
                .iter()
                .zip(&kinds)
                .map(|(kind, symbol)| format!("{symbol} {}", kind.name));
            legend.push(kinds.collect::<Vec<_>>().join(", "));
        }
        Symbols {
            texts,
            styles,
            width,
            legend,
        }
    }

    /// Returns lines that explain the symbols.
    pub fn legend(&self) -> &[String] {
        &self.legend
    }

    fn drawn(&self, piece: Occupant, marks: (char, char)) -> String {
        let text = &self.texts[piece.index()];
        let style = self.styles[piece.index()];
        let pad = " ".repeat(self.width - text.chars().count());
        format!("{}{style}{text}{style:#}{}{pad}", marks.0, marks.1)
    }
}

/// Returns the players with those who decide first, random and neutral ones last.
fn ranked_players(rules: &Rules) -> Vec<PlayerId> {
    let model = &rules.model;
    let mut players: Vec<PlayerId> = model.player_ids().collect();
    players.sort_by_key(|player| {
        let player = &model.players[player.index()];
        (!player.takes_turns, player.random)
    });
    players
}

/// Tells whether a player can have a piece: something moves for it, or it has one at the start.
fn can_have_pieces(rules: &Rules, player: PlayerId) -> bool {
    rules.model.turn_order.items.iter().any(|item| item.acts_as == player) || has_pieces(rules, player)
}

/// Tells whether a player's pieces are worth counting: it moves, or has one at the start.
fn has_pieces(rules: &Rules, player: PlayerId) -> bool {
    let model = &rules.model;
    let acts =
        model.turn_order.items.iter().any(|item| item.acts_as == player) && !model.players[player.index()].random;
    acts || model.setup.pieces.iter().any(|&(_, owner, _)| owner == player)
}

fn initial(name: &str) -> String {
    name.chars()
        .find(|c| c.is_alphanumeric())
        .map_or(String::new(), |c| c.to_uppercase().collect())
}

fn all_differ(texts: &[String]) -> bool {
    texts
        .iter()
        .enumerate()
        .all(|(index, text)| !texts[..index].contains(text))
}

/// Chooses a different capitalised symbol for each kind: its notation if that is short, else as few letters as will do.
fn kind_symbols(rules: &Rules) -> Vec<String> {
    let mut symbols: Vec<String> = Vec::new();
    for kind in &rules.model.kinds {
        let letters: Vec<char> = kind.name.chars().filter(|c| c.is_alphanumeric()).collect();
        let prefix = |count: usize| letters.iter().take(count).collect::<String>();
        let notation = kind
            .notation
            .as_deref()
            .map(str::trim)
            .filter(|text| (1..=2).contains(&text.chars().count()));
        let ends: String = letters.first().into_iter().chain(letters.last()).collect();
        let tries = [
            notation.map(str::to_owned),
            Some(prefix(1)),
            Some(prefix(2)),
            Some(ends),
            Some(prefix(3)),
        ];
        let numbered = (1..).map(|number| format!("{}{number}", prefix(1)));
        let is_free = |text: &String| {
            !text.is_empty() && text.chars().all(|c| !c.is_whitespace()) && !symbols.contains(&text.to_uppercase())
        };
        let chosen = tries.into_iter().flatten().chain(numbered).find(is_free);
        symbols.push(chosen.unwrap_or_default().to_uppercase());
    }
    // Capitals tell kinds apart; the rest of a symbol is easier to read in small letters.
    symbols.iter().map(|symbol| capitalised(symbol)).collect()
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first: String = characters.next().into_iter().collect();
    first + &characters.as_str().to_lowercase()
}

/// Returns a symbol as the player of a rank has it.
fn owned(symbol: &str, rank: usize) -> String {
    let (upper, lower) = (symbol.to_uppercase(), symbol.to_lowercase());
    match rank {
        0 => upper,
        1 if upper != lower => lower,
        1 => lower + "'",
        _ => format!("{lower}{}", rank + 1),
    }
}

fn style(rank: usize) -> Style {
    let colors = [
        AnsiColor::BrightWhite,
        AnsiColor::Yellow,
        AnsiColor::Cyan,
        AnsiColor::Magenta,
        AnsiColor::Green,
        AnsiColor::Red,
    ];
    let style = Style::new().fg_color(Some(colors[rank % colors.len()].into()));
    if rank == 0 { style.bold() } else { style }
}

/// Draws a state: its grids, then the pieces on other cells, then those in hand.
pub fn draw(rules: &Rules, state: &State, symbols: &Symbols, marks: &Marks) -> String {
    let board = &rules.model.board;
    let mut text = String::new();
    let mut is_drawn = vec![false; board.cells.len()];
    for grid in &board.grids {
        if let Some(lines) = draw_grid(rules, state, symbols, marks, grid) {
            grid.cells
                .iter()
                .flatten()
                .for_each(|cell| is_drawn[cell.index()] = true);
            lines
                .iter()
                .for_each(|line| text.push_str(&format!("{}\n", line.trim_end())));
            text.push('\n');
        }
    }
    let nothing_drawn = !is_drawn.contains(&true);
    let rest: Vec<String> = (board.cell_ids())
        .filter(|cell| !is_drawn[cell.index()] && (nothing_drawn || state.occupant(*cell).is_some()))
        .map(|cell| {
            let drawn = symbols.drawn(state.occupant(cell), marks.around(cell));
            format!("{}{}", board.name(cell), drawn.trim_end())
        })
        .collect();
    if !rest.is_empty() {
        for line in rest.chunks(8) {
            text.push_str(&format!("  {}\n", line.join("  ")));
        }
    }
    for player in rules.model.player_ids() {
        let held = model_stock(rules, state, player);
        if !held.is_empty() {
            text.push_str(&format!(
                "in hand of {}: {held}\n",
                rules.model.players[player.index()].name
            ));
        }
    }
    text
}

fn model_stock(rules: &Rules, state: &State, player: PlayerId) -> String {
    let held = rules
        .model
        .kind_ids()
        .filter_map(|kind| match state.stock(rules.occupant(player, kind)) {
            0 => None,
            count => Some(format!("{count} {}", rules.model.kinds[kind.index()].name)),
        });
    held.collect::<Vec<_>>().join(", ")
}

/// Where the cells of a grid lie on the picture, row by row from the top: x in pixels, index of the cell in the grid.
type Rows = BTreeMap<i64, BTreeMap<i64, usize>>;

/// Draws a grid, unless it would be too wide or cells would lie on one another.
fn draw_grid(rules: &Rules, state: &State, symbols: &Symbols, marks: &Marks, grid: &Grid) -> Option<Vec<String>> {
    let board = &rules.model.board;
    let mut rows = place_cells(grid)?;
    let mut columns = column_labels(grid);
    let turn = if marks.is_turned { -1 } else { 1 };
    if marks.is_turned {
        let turned = |row: BTreeMap<i64, usize>| row.into_iter().map(|(x, index)| (-x, index)).collect();
        rows = rows.into_iter().map(|(y, row)| (-y, turned(row))).collect();
        columns = columns.map(|labels| labels.into_iter().map(|(x, label)| (-x, label)).collect());
    }
    let label_width = columns
        .iter()
        .flat_map(|labels| labels.values())
        .map(|label| label.chars().count())
        .max();
    let cell_width = (symbols.width + 2).max(label_width.unwrap_or(0) + 1) as i64;
    let gaps = rows
        .values()
        .flat_map(|row| row.keys().zip(row.keys().skip(1)).map(|(a, b)| b - a));
    let step = gaps.min().unwrap_or(1);
    let left = rows.values().filter_map(|row| row.keys().next()).min().copied()?;
    let at = |x: i64| (x - left) * cell_width / step;
    if rows
        .values()
        .filter_map(|row| row.keys().next_back())
        .any(|&x| at(x) > WIDEST)
    {
        return None;
    }
    let row_labels = row_labels(grid, &rows, turn);
    let margin = row_labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) + 1;
    let mut lines = Vec::new();
    for ((row, cells), label) in rows.iter().zip(&row_labels) {
        let mut line = format!("{label:>margin$} ");
        let mut width = 0;
        for (&x, &index) in cells {
            line.push_str(&" ".repeat((at(x) - width).max(0) as usize));
            let drawn = match grid.cells[index] {
                Some(cell) => symbols.drawn(state.occupant(cell), marks.around(cell)),
                None if is_inside(&rows, grid, *row, x) => format!(" #{}", " ".repeat(symbols.width)),
                None => " ".repeat(symbols.width + 2),
            };
            line.push_str(&drawn);
            width = at(x) + symbols.width as i64 + 2;
        }
        if columns.is_none() {
            let last = cells.values().rev().find_map(|&index| grid.cells[index]);
            line.push_str(&last.map_or(String::new(), |cell| format!(" {}", board.name(cell))));
        }
        lines.push(line);
    }
    if let Some(labels) = columns {
        let mut line = " ".repeat(margin + 1);
        let mut width = 0;
        for (x, label) in labels {
            line.push_str(&" ".repeat((at(x) + 1 - width).max(0) as usize));
            line.push_str(&label);
            width = at(x) + 1 + label.chars().count() as i64;
        }
        lines.push(line);
    }
    Some(lines)
}

/// Places all cells of a grid by the steps of its dimensions; nothing if two lie on one another.
fn place_cells(grid: &Grid) -> Option<Rows> {
    let mut rows = Rows::new();
    for index in 0..grid.cells.len() {
        let (mut x, mut y, mut rest) = (0i64, 0i64, index);
        for dimension in grid.dimensions.iter().rev() {
            let coordinate = (rest % dimension.labels.len()) as i64;
            rest /= dimension.labels.len();
            x += coordinate * i64::from(dimension.step.0);
            y += coordinate * i64::from(dimension.step.1);
        }
        if rows.entry(y).or_default().insert(x, index).is_some() {
            return None;
        }
    }
    // Rows without any cell are left out.
    rows.retain(|_, row| row.values().any(|&index| grid.cells[index].is_some()));
    (!rows.is_empty()).then_some(rows)
}

/// Returns the labels of upright columns by their place, if the grid has such.
fn column_labels(grid: &Grid) -> Option<BTreeMap<i64, String>> {
    let dimension = match &grid.dimensions[..] {
        [only] if only.step.1 == 0 => only,
        [a, b] if a.step.1 == 0 && b.step.0 == 0 => a,
        [a, b] if b.step.1 == 0 && a.step.0 == 0 => b,
        _ => return None,
    };
    let place = |index: usize| index as i64 * i64::from(dimension.step.0);
    Some(
        dimension
            .labels
            .iter()
            .enumerate()
            .map(|(index, label)| (place(index), label.clone()))
            .collect(),
    )
}

/// Returns a label for each row, `turn` being -1 on a board that is turned round: that of the upright dimension, or the name of the row's first cell.
fn row_labels(grid: &Grid, rows: &Rows, turn: i64) -> Vec<String> {
    let upright = match &grid.dimensions[..] {
        [only] if only.step.1 == 0 => return vec![String::new(); rows.len()],
        [a, b] if a.step.1 == 0 && b.step.0 == 0 => Some(b),
        [a, b] if b.step.1 == 0 && a.step.0 == 0 => Some(a),
        _ => None,
    };
    let label = |(y, row): (&i64, &BTreeMap<i64, usize>)| match upright {
        Some(dimension) if dimension.step.1 != 0 => {
            let index = usize::try_from(turn * y / i64::from(dimension.step.1)).ok();
            index
                .and_then(|index| dimension.labels.get(index))
                .cloned()
                .unwrap_or_default()
        }
        _ => row
            .values()
            .find_map(|&index| grid.cells[index].map(|_| name_in_grid(grid, index)))
            .unwrap_or_default(),
    };
    rows.iter().map(label).collect()
}

fn name_in_grid(grid: &Grid, index: usize) -> String {
    let mut labels = Vec::new();
    let mut rest = index;
    for dimension in grid.dimensions.iter().rev() {
        labels.push(dimension.labels[rest % dimension.labels.len()].as_str());
        rest /= dimension.labels.len();
    }
    labels.reverse();
    labels.concat()
}

/// Tells whether a hole has cells on all four sides: it is something that stands on the board.
fn is_inside(rows: &Rows, grid: &Grid, y: i64, x: i64) -> bool {
    let is_cell = |index: &usize| grid.cells[*index].is_some();
    let beside = |row: &BTreeMap<i64, usize>| {
        (
            row.range(..x).any(|(_, index)| is_cell(index)),
            row.range(x + 1..).any(|(_, index)| is_cell(index)),
        )
    };
    let in_column = |row: &BTreeMap<i64, usize>| row.get(&x).is_some_and(is_cell);
    rows.get(&y).map(beside) == Some((true, true))
        && rows.range(..y).any(|(_, row)| in_column(row))
        && rows.range(y + 1..).any(|(_, row)| in_column(row))
}

/// Counts the pieces of each player who moves, as `White 16, Black 15`.
pub fn piece_counts(rules: &Rules, state: &State) -> String {
    let model = &rules.model;
    let counts = model
        .player_ids()
        .filter(|&player| has_pieces(rules, player))
        .map(|player| {
            let count: u32 = model
                .kind_ids()
                .map(|kind| state.count(rules.occupant(player, kind)))
                .sum();
            format!("{} {count}", model.players[player.index()].name)
        });
    counts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex::expand::NoIncludes;
    use ludex::{RuleFile, builtin};

    fn drawing(name: &str) -> (String, Symbols) {
        let game = builtin::find(name).unwrap();
        let mut file = RuleFile::read(game.file, game.bytes, &mut NoIncludes);
        let entry = file.default_entry().unwrap();
        let rules = file.compile(entry).rules.unwrap();
        let symbols = Symbols::new(&rules);
        let drawn = draw(&rules, &State::start(&rules), &symbols, &Marks::default());
        (anstream::adapter::strip_str(&drawn).to_string(), symbols)
    }

    #[test]
    fn chess_looks_like_chess() {
        let (drawn, symbols) = drawing("chess");
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], " 8  r  n  b  q  k  b  n  r");
        assert_eq!(lines[4], " 4  .  .  .  .  .  .  .  .");
        assert_eq!(lines[7], " 1  R  N  B  Q  K  B  N  R");
        assert_eq!(lines[8], "    a  b  c  d  e  f  g  h");
        assert!(symbols.legend()[1].contains("N Knight"), "{:?}", symbols.legend());
    }

    #[test]
    fn the_thudstone_is_seen_and_corners_are_not() {
        let (drawn, _) = drawing("thud-zrf");
        let lines: Vec<&str> = drawn.lines().collect();
        assert!(lines[0].trim_start().starts_with("15"), "{drawn}");
        assert_eq!(lines[7].matches('#').count(), 1, "{drawn}");
        assert_eq!(drawn.matches('#').count(), 1, "{drawn}");
    }

    #[test]
    fn one_kind_is_shown_by_its_owners() {
        let (_, symbols) = drawing("connect-four");
        assert_eq!(symbols.legend(), ["Y Yellow, R Red"]);
    }
}
