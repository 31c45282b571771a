//! What it is worth that a piece stands where it does, as found by play: one table for each kind of piece.
//!
//! A table is laid out like the board as the first player sees it. The second player looks at the board turned or mirrored
//! such that its pieces, moves and goals are those of the first ([`Layout`]); where that cannot be done, there are no
//! tables. Cells that the rules cannot tell apart otherwise, such as the left and the right of most boards, are alike and
//! have one value.

use std::collections::BTreeSet;
use std::fmt;

use super::places;
use super::sides::Sides;
use crate::model::board::Board;
use crate::model::{CellId, DirectionId, Occupant, PieceKindId, PlayerId};
use crate::play::legal::Workspace;
use crate::rules::Rules;
use crate::state::{Effect, MoveList, State};

/// The largest picture of a board, in places.
const LARGEST: usize = 4_096;
/// The least and the greatest value in a table, in score points.
const RANGE: (i32, i32) = (-2_000, 2_000);

/// What each place of a board is worth to a kind of piece, in score points; none where the kind was never seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// From the top of the picture to its bottom, each from the left to the right.
    rows: Vec<Vec<Option<i32>>>,
}

impl Table {
    /// Makes a table of its rows.
    pub(super) fn of_rows<'a>(rows: impl Iterator<Item = &'a [Option<i32>]>) -> Table {
        let held = |value: &Option<i32>| value.map(|value| value.clamp(RANGE.0, RANGE.1));
        Table {
            rows: rows.map(|row| row.iter().map(held).collect()).collect(),
        }
    }

    /// Returns the value at a column and a row of the picture; 0 where none is known.
    pub fn get(&self, (column, row): (usize, usize)) -> i32 {
        let value = self.rows.get(row).and_then(|values| values.get(column));
        value.copied().flatten().unwrap_or(0)
    }

    /// Tells whether nothing is worth anything.
    pub fn is_zero(&self) -> bool {
        self.rows.iter().flatten().all(|value| value.unwrap_or(0) == 0)
    }

    /// Reads one more row; nothing if it is none.
    pub(super) fn read_row(&mut self, line: &str) -> Option<()> {
        let read = |word: &str| match word {
            "." => Some(None),
            number => Some(Some(number.parse::<i32>().ok()?.clamp(RANGE.0, RANGE.1))),
        };
        let row: Option<Vec<Option<i32>>> = line.split_whitespace().map(read).collect();
        self.rows.push(row?);
        Some(())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            for (index, value) in row.iter().enumerate() {
                let text = value.map_or(".".to_owned(), |value| value.to_string());
                write!(f, "{}{text:>4}", if index > 0 { " " } else { "" })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// How the two players of a game see the board, and which cells are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    players: [PlayerId; 2],
    /// By cell, its column and row in the picture; none if it is outside.
    spots: Vec<Option<(usize, usize)>>,
    n_columns: usize,
    n_rows: usize,
    /// By cell, what it is to the second player.
    second: Vec<CellId>,
    /// How the second player turns the board.
    swap: Turn,
    /// The ways to turn the board that change nothing.
    folds: Vec<Turn>,
    /// By cell of the first player: the row, the column and the set of cells that it belongs to, all numbered together.
    classes: Vec<[usize; 3]>,
    n_classes: usize,
}

impl Layout {
    /// Finds out how the players of a game see the board, if two play, each for itself, and are in like positions.
    pub fn find(rules: &Rules) -> Option<Layout> {
        let model = &rules.model;
        let sides = Sides::find(rules);
        let on_sides: Vec<PlayerId> = (model.player_ids())
            .filter(|player| sides.of(*player).is_some())
            .collect();
        let (&[one, other], 2) = (on_sides.as_slice(), sides.count()) else {
            return None;
        };
        let players = match sides.of(one) {
            Some(0) => [one, other],
            _ => [other, one],
        };
        let picture = Picture::of(&model.board)?;
        let turns: Vec<(Turn, Vec<CellId>)> = (Turn::all(picture.n_columns == picture.n_rows))
            .filter_map(|turn| Some((turn, picture.turned(turn)?)))
            .collect();
        let wishes = places::wanted_cells(rules, &sides);
        let views = players.map(|player| View::of(rules, player, &wishes));
        let zones = players.map(|player| zones(rules, player));
        // Where pieces do not walk, what matters of the board are its links.
        let links = links(&model.board);
        let walks = !views[0].arcs.is_empty();
        let keeps_links = |map: &[CellId]| walks || mapped_links(&links, map) == links;
        let is_swap = |map: &[CellId]| {
            keeps_links(map)
                && setup(rules, players[0], Some(map)) == setup(rules, players[1], None)
                && views[0].mapped(map) == views[1]
                && mapped_zones(&zones[0], map) == zones[1]
        };
        let (swap, second) = turns.iter().find(|(_, map)| is_swap(map))?;
        // Zones matter where pieces do not walk: a goal may join them. Else they often serve one piece's first move.
        let is_fold = |map: &[CellId]| {
            views[0].mapped(map) == views[0] && keeps_links(map) && (walks || mapped_zones(&zones[0], map) == zones[0])
        };
        let folds: Vec<_> = turns.iter().filter(|(_, map)| is_fold(map)).collect();
        let mut layout = Layout {
            players,
            n_columns: picture.n_columns,
            n_rows: picture.n_rows,
            second: inverse(second),
            swap: *swap,
            folds: folds.iter().map(|(turn, _)| *turn).collect(),
            classes: Vec::new(),
            n_classes: 0,
            spots: picture.spots,
        };
        layout.classify(&folds);
        Some(layout)
    }

    /// Returns what a cell is to a player: the cell that the first player sees in its place, and whether the player is the
    /// first; none where there is no place for it, or the player is neither of the two.
    pub fn seen_by(&self, player: PlayerId, cell: CellId) -> Option<(CellId, bool)> {
        let is_first = self.is_first(player)?;
        Some((self.seen_by_one(is_first, cell)?, is_first))
    }

    /// Returns what a cell is to the first player or the second; none where there is no place for it.
    pub fn seen_by_one(&self, is_first: bool, cell: CellId) -> Option<CellId> {
        let seen = if is_first { cell } else { self.second[cell.index()] };
        self.spots[seen.index()].map(|_| seen)
    }

    /// Returns the two players.
    pub(super) fn players(&self) -> [PlayerId; 2] {
        self.players
    }

    /// Tells whether a player is the first; nothing if it is neither of the two.
    pub(super) fn is_first(&self, player: PlayerId) -> Option<bool> {
        (self.players.contains(&player)).then(|| player == self.players[0])
    }

    /// Returns by cell its column and row in the picture, as the first player sees it; none if it is outside.
    pub(super) fn spots(&self) -> &[Option<(usize, usize)>] {
        &self.spots
    }

    /// Returns how the second player turns the board to see it as the first does.
    pub(super) fn swap(&self) -> Turn {
        self.swap
    }

    /// Returns the ways to turn the board that change nothing in the rules.
    pub(super) fn folds(&self) -> impl Iterator<Item = Turn> + '_ {
        self.folds.iter().copied()
    }

    /// Returns what each cell is worth to a player by a table, by cell.
    pub fn values<'a>(&'a self, table: &'a Table, player: PlayerId) -> impl Iterator<Item = i32> + 'a {
        (0..self.spots.len()).map(move |index| {
            let seen = CellId::new(index).and_then(|cell| self.seen_by(player, cell));
            let spot = seen.and_then(|(cell, _)| self.spots[cell.index()]);
            spot.map_or(0, |spot| table.get(spot))
        })
    }

    /// Returns the number of the row, that of the column, and that of the set of like cells that a cell of the first player
    /// belongs to. Lines and sets that are alike share a number.
    pub fn classes(&self, cell: CellId) -> [usize; 3] {
        self.classes[cell.index()]
    }

    /// Returns the number of different numbers of rows, columns and sets of cells.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Makes a table of the value that `value` tells of each cell, as the first player sees them, and of its place.
    pub fn table(&self, mut value: impl FnMut(CellId, (usize, usize)) -> Option<i32>) -> Table {
        let mut rows = vec![vec![None; self.n_columns]; self.n_rows];
        for (index, spot) in self.spots.iter().enumerate() {
            if let (Some(cell), &Some((column, row))) = (CellId::new(index), spot) {
                rows[row][column] = value(cell, (column, row)).map(|value| value.clamp(RANGE.0, RANGE.1));
            }
        }
        Table { rows }
    }

    /// Numbers what is alike by some ways to turn the board.
    fn classify(&mut self, folds: &[&(Turn, Vec<CellId>)]) {
        let (n_columns, n_rows) = (self.n_columns, self.n_rows);
        // Columns first, then rows, then cells; each turn is followed to the least that it leads to, as all turns are
        // there that follow from others.
        let mut least: Vec<usize> = (0..n_columns + n_rows + self.spots.len()).collect();
        for (turn, map) in folds {
            for (index, alike) in least.iter_mut().enumerate() {
                let turned = match index.checked_sub(n_columns) {
                    None => turn.line(index, true, (n_columns, n_rows)),
                    Some(row) if row < n_rows => turn.line(row, false, (n_columns, n_rows)),
                    Some(other) => n_columns + n_rows + map[other - n_rows].index(),
                };
                *alike = turned.min(*alike);
            }
        }
        let mut numbers = vec![0; least.len()];
        for (index, &alike) in least.iter().enumerate() {
            if alike == index {
                numbers[index] = self.n_classes;
                self.n_classes += 1;
            } else {
                numbers[index] = numbers[alike];
            }
        }
        let classes_of = |(index, spot): (usize, &Option<(usize, usize)>)| {
            let (column, row) = spot.unwrap_or((0, 0));
            [
                numbers[n_columns + row],
                numbers[column],
                numbers[n_columns + n_rows + index],
            ]
        };
        self.classes = self.spots.iter().enumerate().map(classes_of).collect();
    }
}

/// A way to turn or mirror a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Whether rows become columns, before anything else.
    transposes: bool,
    flips_columns: bool,
    flips_rows: bool,
}

impl Turn {
    /// Returns all ways, the one that changes nothing first.
    fn all(is_square: bool) -> impl Iterator<Item = Turn> {
        (0..if is_square { 8 } else { 4 }).map(|bits| Turn {
            transposes: bits & 4 != 0,
            flips_columns: bits & 1 != 0,
            flips_rows: bits & 2 != 0,
        })
    }

    /// Returns where a place comes to be.
    fn turn(self, (column, row): (usize, usize), (n_columns, n_rows): (usize, usize)) -> (usize, usize) {
        let (column, row) = if self.transposes { (row, column) } else { (column, row) };
        let column = if self.flips_columns {
            n_columns - 1 - column
        } else {
            column
        };
        let row = if self.flips_rows { n_rows - 1 - row } else { row };
        (column, row)
    }

    /// Returns where a step leads, in columns and rows.
    pub(super) fn step(self, (columns, rows): (i32, i32)) -> (i32, i32) {
        let (columns, rows) = if self.transposes {
            (rows, columns)
        } else {
            (columns, rows)
        };
        let turned = |flips: bool, steps: i32| if flips { -steps } else { steps };
        (turned(self.flips_columns, columns), turned(self.flips_rows, rows))
    }

    /// Returns where a column, or a row, comes to be; rows are numbered after the columns.
    fn line(self, line: usize, is_column: bool, size: (usize, usize)) -> usize {
        let (column, row) = self.turn(if is_column { (line, 0) } else { (0, line) }, size);
        if is_column != self.transposes {
            column
        } else {
            size.0 + row
        }
    }
}

/// Where cells lie: by the one grid of the board that holds the most cells, else as they are drawn.
struct Picture {
    /// By cell, its column and row.
    spots: Vec<Option<(usize, usize)>>,
    n_columns: usize,
    n_rows: usize,
}

impl Picture {
    fn of(board: &Board) -> Option<Picture> {
        let mut spots = vec![None; board.cells.len()];
        let flat = board.grids.iter().filter(|grid| grid.dimensions.len() == 2);
        let (n_columns, n_rows) = if let Some(grid) = flat.max_by_key(|grid| grid.cells.len()) {
            for (index, cell) in grid.cells.iter().enumerate() {
                if let (Some(cell), &[column, row]) = (cell, grid.coordinates(index).as_slice()) {
                    spots[cell.index()] = Some((column, row));
                }
            }
            (grid.dimensions[0].labels.len(), grid.dimensions[1].labels.len())
        } else {
            let drawn = || board.cells.iter().map(|cell| cell.rectangle);
            let columns: BTreeSet<i32> = drawn().flatten().map(|place| place.left).collect();
            let rows: BTreeSet<i32> = drawn().flatten().map(|place| place.top).collect();
            for (spot, place) in spots.iter_mut().zip(drawn()) {
                *spot = place.map(|place| (columns.range(..place.left).count(), rows.range(..place.top).count()));
            }
            (columns.len(), rows.len())
        };
        (1..=LARGEST).contains(&(n_columns * n_rows)).then_some(Picture {
            spots,
            n_columns,
            n_rows,
        })
    }

    /// Returns by cell the one that comes in its place if the picture is turned; those outside stay. None if cells come to
    /// be where there are none, or two where there is one.
    fn turned(&self, turn: Turn) -> Option<Vec<CellId>> {
        let size = (self.n_columns, self.n_rows);
        let mut cells = vec![None; self.n_columns * self.n_rows];
        for (index, spot) in self.spots.iter().enumerate() {
            if let &Some((column, row)) = spot
                && cells[row * self.n_columns + column]
                    .replace(CellId::new(index)?)
                    .is_some()
            {
                return None;
            }
        }
        let target = |(index, spot): (usize, &Option<(usize, usize)>)| match *spot {
            None => CellId::new(index),
            Some(spot) => {
                let (column, row) = turn.turn(spot, size);
                cells[row * self.n_columns + column]
            }
        };
        self.spots.iter().enumerate().map(target).collect()
    }
}

/// What the rules tell of the cells to one player, all of it sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct View {
    /// The moves of a kind alone on the board.
    arcs: BTreeSet<(PieceKindId, CellId, CellId)>,
    /// Where a kind can be dropped on an empty board.
    drops: BTreeSet<(PieceKindId, CellId)>,
    /// Where goals want a kind, and how much.
    wishes: BTreeSet<(PieceKindId, CellId, i32)>,
}

impl View {
    fn of(rules: &Rules, player: PlayerId, wishes: &[(Occupant, CellId, i32)]) -> View {
        let model = &rules.model;
        let own_wishes = wishes.iter().filter(|(piece, ..)| rules.owner(*piece) == player);
        let mut view = View {
            arcs: BTreeSet::new(),
            drops: BTreeSet::new(),
            wishes: own_wishes
                .map(|&(piece, cell, worth)| (rules.kind(piece), cell, worth))
                .collect(),
        };
        for kind in model.kind_ids().filter(|kind| !model.kinds[kind.index()].dummy) {
            let arcs = places::arcs(rules, rules.occupant(player, kind));
            view.arcs.extend(arcs.into_iter().map(|(from, to)| (kind, from, to)));
        }
        let mut state = State::start(rules);
        model.board.cell_ids().for_each(|cell| state.clear(rules, cell));
        let mut workspace = Workspace::new(rules, state);
        let mut list = MoveList::new();
        // A rule that faults on a board so empty tells nothing.
        if workspace.candidates(rules, player, &mut list).is_ok() {
            for entry in list.iter().filter(|entry| entry.from.is_none() && entry.to.is_some()) {
                for effect in list.effects(entry) {
                    if let Effect::Drop { piece, to } | Effect::Copy { piece, to } | Effect::Create { piece, at: to } =
                        *effect
                    {
                        view.drops.insert((rules.kind(piece), to));
                    }
                }
            }
        }
        view
    }

    /// Returns the same with other cells in the place of the cells.
    fn mapped(&self, map: &[CellId]) -> View {
        let to = |cell: CellId| map[cell.index()];
        View {
            arcs: (self.arcs.iter())
                .map(|&(kind, from, target)| (kind, to(from), to(target)))
                .collect(),
            drops: self.drops.iter().map(|&(kind, cell)| (kind, to(cell))).collect(),
            wishes: (self.wishes.iter())
                .map(|&(kind, cell, worth)| (kind, to(cell), worth))
                .collect(),
        }
    }
}

/// Returns which cells are linked, whatever the direction.
fn links(board: &Board) -> BTreeSet<(CellId, CellId)> {
    let directions = (0..board.directions.len()).filter_map(DirectionId::new);
    let along = |direction: DirectionId| {
        (board.cell_ids()).filter_map(move |cell| board.step(cell, direction).map(|to| (cell.min(to), cell.max(to))))
    };
    directions.flat_map(along).collect()
}

/// Returns the same links with other cells in the place of the cells.
fn mapped_links(links: &BTreeSet<(CellId, CellId)>, map: &[CellId]) -> BTreeSet<(CellId, CellId)> {
    let mapped = |&(one, other): &(CellId, CellId)| {
        let (one, other) = (map[one.index()], map[other.index()]);
        (one.min(other), one.max(other))
    };
    links.iter().map(mapped).collect()
}

/// Returns the cells of each zone for a player.
fn zones(rules: &Rules, player: PlayerId) -> Vec<BTreeSet<CellId>> {
    let zones = rules.model.board.zones.iter();
    zones.map(|zone| zone.of(player).iter().copied().collect()).collect()
}

/// Returns the same zones with other cells in the place of the cells.
fn mapped_zones(zones: &[BTreeSet<CellId>], map: &[CellId]) -> Vec<BTreeSet<CellId>> {
    let mapped = |zone: &BTreeSet<CellId>| zone.iter().map(|cell| map[cell.index()]).collect();
    zones.iter().map(mapped).collect()
}

/// What a player has at the start on the board and in hand, sorted.
type Start = (Vec<(CellId, PieceKindId)>, Vec<(PieceKindId, u32)>);

/// Returns what a player starts with, with other cells in the place of the cells if so wanted.
fn setup(rules: &Rules, player: PlayerId, map: Option<&[CellId]>) -> Start {
    let setup = &rules.model.setup;
    let own = setup.pieces.iter().filter(|&&(_, owner, _)| owner == player);
    let mut pieces: Vec<_> = own
        .map(|&(cell, _, kind)| (map.map_or(cell, |map| map[cell.index()]), kind))
        .collect();
    let own = setup.stock.iter().filter(|&&(owner, ..)| owner == player);
    let mut stock: Vec<_> = own.map(|&(_, kind, count)| (kind, count)).collect();
    pieces.sort_unstable();
    stock.sort_unstable();
    (pieces, stock)
}

/// Returns the way back of a mapping that leads to each cell once.
fn inverse(map: &[CellId]) -> Vec<CellId> {
    let mut back = map.to_vec();
    for (index, to) in map.iter().enumerate() {
        if let Some(cell) = CellId::new(index) {
            back[to.index()] = cell;
        }
    }
    back
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::super::weights::{PairClasses, Stage, Subject, Weights, pair_table};
    use super::super::{Bridge, Evaluation};
    use super::*;
    use crate::builtin;
    use crate::play::Session;
    use crate::play::playout::below;
    use crate::search::Game as _;

    fn layout(name: &str) -> (Arc<Rules>, Layout) {
        let rules = Arc::new(builtin::rules(name));
        let layout = Layout::find(&rules).unwrap();
        (rules, layout)
    }

    /// Returns the cell that the second player's cell is to the first.
    fn seen(rules: &Rules, layout: &Layout, cell: &str) -> String {
        let board = &rules.model.board;
        let (seen, _) = layout.seen_by(layout.players[1], board.find(cell).unwrap()).unwrap();
        board.name(seen).to_owned()
    }

    /// Tells whether two cells have one value.
    fn are_alike(rules: &Rules, layout: &Layout, one: &str, other: &str) -> bool {
        let class = |name| layout.classes(rules.model.board.find(name).unwrap())[2];
        class(one) == class(other)
    }

    #[test]
    fn the_second_player_sees_the_board_turned() {
        for (name, cell, mirrored) in [
            ("chess", "e8", "e1"),
            ("breakthrough", "a7", "a2"),
            ("english-draughts", "b8", "g1"),
            ("shogi", "5a", "5i"),
            ("connect-four", "a1", "a1"),
            ("nine-mens-morris", "a1", "a1"),
        ] {
            let (rules, layout) = layout(name);
            assert_eq!(seen(&rules, &layout, cell), mirrored, "{name}");
        }
        // The edges of one are not those of the other, but for the diagonal.
        let (rules, layout) = layout("hex");
        assert_eq!(seen(&rules, &layout, "b1"), "a2");
        // Armies that differ.
        assert_eq!(Layout::find(&builtin::rules("thud-zrf")), None);
    }

    #[test]
    fn cells_that_the_rules_do_not_tell_apart_are_alike() {
        for (name, one, other, expected) in [
            ("chess", "a1", "h1", true),
            ("chess", "a1", "a8", false),
            ("chess", "a1", "b1", false),
            ("breakthrough", "c4", "f4", true),
            ("connect-four", "c1", "e1", true),
            ("connect-four", "c1", "c6", false),
            ("reversi", "a1", "h8", true),
            ("reversi", "a1", "h1", true),
            ("nine-mens-morris", "a1", "g7", true),
            ("nine-mens-morris", "a1", "b2", false),
            // Hex cannot be mirrored: that would part neighbours.
            ("hex", "a2", "k2", false),
        ] {
            let (rules, layout) = layout(name);
            assert_eq!(are_alike(&rules, &layout, one, other), expected, "{name} {one} {other}");
        }
    }

    #[test]
    fn like_lines_share_a_number() {
        let (rules, layout) = layout("chess");
        let classes = |name| layout.classes(rules.model.board.find(name).unwrap());
        let ([row, column, _], [other_row, other_column, _]) = (classes("b3"), classes("g3"));
        assert_eq!((row, column), (other_row, other_column));
        assert_ne!(classes("b3")[0], classes("b4")[0]);
        assert_ne!(classes("b3")[1], classes("a3")[1]);
        let (rules, layout) = self::layout("reversi");
        let classes = |name| layout.classes(rules.model.board.find(name).unwrap());
        // There rows are as good as columns.
        assert_eq!(classes("c1")[1], classes("a6")[0]);
    }

    /// Returns weights with a table for every kind, no two cells being worth the same.
    fn uneven(rules: &Rules, layout: &Layout) -> Weights {
        let mut weights = Weights::default();
        for (kind, number) in rules.model.kinds.iter().zip(1..) {
            let table = layout.table(|cell, _| Some(number * (cell.index() as i32 + 1)));
            let subject = Subject::Places(kind.name.clone());
            weights.set_table(subject.clone(), Stage::Always, table.clone());
            weights.set_table(subject, Stage::Late, table.clone());
            weights.set_table(Subject::Runners(kind.name.clone()), Stage::Always, table.clone());
            weights.set_table(Subject::Runners(kind.name.clone()), Stage::Late, table);
        }
        let pairs = PairClasses::find(rules, layout).unwrap();
        for (name, places) in pairs.tables(&rules.model) {
            let value =
                |&(class, is_opposite): &(usize, bool)| (class as i32 % 50 + 1) * if is_opposite { -1 } else { 1 };
            let table = pair_table(places.iter().map(|place| place.as_ref().map(value)));
            weights.set_table(Subject::Pair(name.clone()), Stage::Always, table.clone());
            weights.set_table(Subject::Pair(name), Stage::Late, table);
        }
        weights
    }

    #[test]
    fn sums_that_follow_the_moves_are_those_counted_anew() {
        for name in ["chess", "reversi", "english-draughts", "breakthrough", "hex"] {
            let (rules, layout) = layout(name);
            let weights = uneven(&rules, &layout);
            let evaluation = Arc::new(Evaluation::with_weights(&rules, &weights).unwrap());
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let mut bridge = Bridge::with(Session::new(Arc::clone(&rules)), Arc::clone(&evaluation));
            let mut moves = super::super::Moves::default();
            // What the tables say of a fair start is even.
            let mut plain = Bridge::new(bridge.session.clone()).unwrap();
            assert_eq!(bridge.standing(0), plain.standing(0), "{name}");
            for ply in 0..60 {
                bridge.moves(&mut moves).unwrap();
                if moves.list.is_empty() || bridge.session.decided().is_some() {
                    break;
                }
                let index = below(&mut random, moves.list.len());
                bridge.make(&moves, index).unwrap();
                if ply % 3 == 0 {
                    bridge.unmake();
                    bridge.standing(0);
                    bridge.make(&moves, index).unwrap();
                }
                let mut anew = Bridge::with(bridge.session.clone(), Arc::clone(&evaluation));
                assert_eq!(bridge.standing(0), anew.standing(0), "{name} after {ply} plies");
                assert_eq!(bridge.aspects(), anew.aspects(), "{name} after {ply} plies");
            }
        }
    }
}
