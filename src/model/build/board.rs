//! The board.

use rustc_hash::FxHashMap;

use super::{Builder, MAX_LINKS, Section, intern};
use crate::diagnostic::{Code, Severity};
use crate::expand::Form;
use crate::keyword::{Context, Keyword};
use crate::model::board::{Board, Cell, Dimension, Grid, Rectangle, Zone};
use crate::model::ids::{CellId, DirectionId, PlayerId, ZoneId};
use crate::symbol::Symbol;

/// A board under construction: cells are numbered as they are made, and may still be killed.
#[derive(Default)]
struct Draft {
    names: FxHashMap<Symbol, usize>,
    cells: Vec<DraftCell>,
    links: FxHashMap<(DirectionId, usize), usize>,
    grids: Vec<(Vec<Dimension>, Vec<usize>)>,
    images: Vec<String>,
    /// Zone entries in file order: name, players (all if not said), cells.
    zones: Vec<(ZoneId, Option<Vec<PlayerId>>, Vec<Form>)>,
    /// Pairs of direction names, resolved at the end: links may declare directions later.
    symmetries: Vec<(PlayerId, Form, Form)>,
}

struct DraftCell {
    name: Symbol,
    rectangle: Option<Rectangle>,
    is_alive: bool,
}

impl Draft {
    /// Makes a cell, or finds the one that has the name already.
    fn cell(&mut self, name: Symbol, rectangle: Option<Rectangle>) -> usize {
        match self.names.get(&name) {
            Some(&known) => {
                if rectangle.is_some() {
                    self.cells[known].rectangle = rectangle;
                }
                known
            }
            None => {
                self.cells.push(DraftCell {
                    name,
                    rectangle,
                    is_alive: true,
                });
                self.names.insert(name, self.cells.len() - 1);
                self.cells.len() - 1
            }
        }
    }
}

impl Builder<'_> {
    /// Builds the board and the names of cells, directions and zones; none if it is too large or empty.
    pub(super) fn build_board(&mut self, section: &Section) -> Option<()> {
        let mut draft = Draft::default();
        for &form in section.args() {
            let elements = self.elements(form);
            let symbol = elements.first().and_then(|&head| self.word(head));
            let item = Section { form, elements };
            let Some(keyword) = symbol.and_then(|symbol| self.keywords.classic(symbol, Context::Board)) else {
                let name = symbol.map_or_else(|| self.shown(form), |symbol| self.expander.text(symbol).to_owned());
                self.unknown_section(form, &name, Context::Board);
                continue;
            };
            match keyword {
                Keyword::Image => {
                    let names: Vec<String> = item.args().iter().map(|&form| self.text(form).to_owned()).collect();
                    draft.images.extend(names);
                }
                Keyword::Grid => self.build_grid(&mut draft, &item),
                Keyword::Positions => self.build_positions(&mut draft, &item),
                Keyword::Dummy => {
                    for &form in item.args() {
                        match self.word(form) {
                            Some(symbol) => {
                                draft.cell(symbol, None);
                            }
                            None => self.bad_form(Severity::Warning, form, "a list is no position", Keyword::Dummy),
                        }
                    }
                }
                Keyword::Links => self.build_links(&mut draft, &item),
                Keyword::Unlink => self.unlink(&mut draft, &item),
                Keyword::KillPositions => {
                    for &form in item.args() {
                        if let Some(cell) = self.draft_cell(&draft, form) {
                            draft.cells[cell].is_alive = false;
                            draft.links.retain(|&(_, from), to| from != cell && *to != cell);
                            draft.names.remove(&draft.cells[cell].name);
                        }
                    }
                }
                Keyword::Symmetry => self.build_symmetry(&mut draft, &item),
                Keyword::Zone => self.build_zone(&mut draft, &item),
                _ => self.unknown_section(form, keyword.name(), Context::Board),
            }
            if draft.cells.len() > CellId::LIMIT {
                let message = format!("the board has more than {} positions", CellId::LIMIT);
                self.push(Severity::Error, Code::TooMany, form, message, "make the grid smaller");
                return None;
            }
        }
        self.finish_board(draft, section)
    }

    fn finish_board(&mut self, draft: Draft, section: &Section) -> Option<()> {
        let mut ids = vec![None; draft.cells.len()];
        let mut board = Board {
            images: draft.images,
            ..Board::default()
        };
        for (index, cell) in draft.cells.iter().enumerate().filter(|(_, cell)| cell.is_alive) {
            let id = CellId::new(board.cells.len())?;
            ids[index] = Some(id);
            self.cells.insert(cell.name, id);
            board.cells.push(Cell {
                name: self.expander.text(cell.name).to_owned(),
                rectangle: cell.rectangle,
            });
        }
        if board.cells.is_empty() {
            self.push(
                Severity::Error,
                Code::MissingSection,
                section.form,
                "the board has no position",
                "add a `grid`",
            );
            return None;
        }
        let (n_cells, n_directions) = (board.cells.len(), self.directions.len());
        if n_cells * n_directions > MAX_LINKS {
            self.push(
                Severity::Error,
                Code::TooMany,
                section.form,
                "the board has too many directions for its size",
                "",
            );
            return None;
        }
        board.directions = self.names(&self.directions);
        board.links = vec![CellId::NONE; n_cells * n_directions];
        for (&(direction, from), &to) in &draft.links {
            if let (Some(from), Some(to)) = (ids[from], ids[to]) {
                board.links[direction.index() * n_cells + from.index()] = to;
            }
        }
        board.opposites = opposites(&board);
        let straight = (0..n_directions).filter_map(DirectionId::new);
        board.symmetry = straight.cycle().take(n_directions * self.player_models.len()).collect();
        for (player, from, to) in draft.symmetries {
            let found = (
                self.direction(from, Severity::Warning),
                self.direction(to, Severity::Warning),
            );
            let (Some(from), Some(to)) = found else { continue };
            board.symmetry[player.index() * n_directions + from.index()] = to;
        }
        board.grids = (draft.grids.into_iter())
            .map(|(dimensions, cells)| Grid {
                dimensions,
                cells: cells.into_iter().map(|cell| ids[cell]).collect(),
            })
            .collect();
        let n_players = self.player_models.len();
        board.zones = (self.names(&self.zones).into_iter())
            .map(|name| Zone {
                name,
                cells: vec![Vec::new(); n_players],
                everyones: Vec::new(),
            })
            .collect();
        for (zone, players, forms) in draft.zones {
            let cells: Vec<CellId> = forms
                .iter()
                .filter_map(|&form| self.cell(form, Severity::Warning))
                .collect();
            if players.is_none() {
                let everyones = &mut board.zones[zone.index()].everyones;
                everyones.extend_from_slice(&cells);
                everyones.sort_unstable();
                everyones.dedup();
            }
            let all = || (0..n_players).filter_map(PlayerId::new).collect();
            for player in players.unwrap_or_else(all) {
                let members = &mut board.zones[zone.index()].cells[player.index()];
                members.extend_from_slice(&cells);
                members.sort_unstable();
                members.dedup();
            }
        }
        self.board = board;
        Some(())
    }

    fn build_grid(&mut self, draft: &mut Draft, section: &Section) {
        let mut origin = Rectangle::default();
        let mut dimensions = Vec::new();
        let mut directions: Vec<(DirectionId, Vec<i64>)> = Vec::new();
        for &form in section.args() {
            let elements = self.elements(form);
            let symbol = elements.first().and_then(|&head| self.word(head));
            let item = Section { form, elements };
            match symbol.and_then(|symbol| self.keywords.classic(symbol, Context::Grid)) {
                Some(Keyword::StartRectangle) => {
                    origin = self.rectangle(item.args()).unwrap_or_default();
                }
                Some(Keyword::Dimensions) => {
                    for &form in item.args() {
                        dimensions.extend(self.build_dimension(form));
                    }
                }
                Some(Keyword::Directions) => {
                    for &form in item.args() {
                        directions.extend(self.build_direction(form));
                    }
                }
                _ => {
                    let name = symbol.map_or_else(|| self.shown(form), |symbol| self.expander.text(symbol).to_owned());
                    self.unknown_section(form, &name, Context::Grid);
                }
            }
        }
        if dimensions.is_empty() {
            self.bad_form(
                Severity::Warning,
                section.form,
                "a grid without dimensions makes no positions",
                Keyword::Grid,
            );
            return;
        }
        let sizes: Vec<usize> = dimensions
            .iter()
            .map(|dimension: &Dimension| dimension.labels.len())
            .collect();
        let n_cells = sizes
            .iter()
            .try_fold(1usize, |product, &size| product.checked_mul(size));
        let Some(n_cells) = n_cells.filter(|&n_cells| draft.cells.len() + n_cells <= CellId::LIMIT) else {
            let message = format!("the board has more than {} positions", CellId::LIMIT);
            self.push(
                Severity::Error,
                Code::TooMany,
                section.form,
                message,
                "make the grid smaller",
            );
            return;
        };
        let grid = Grid {
            dimensions,
            cells: vec![None; n_cells],
        };
        let mut cells = Vec::with_capacity(n_cells);
        let mut coordinates = vec![0i64; sizes.len()];
        for _ in 0..n_cells {
            let name: String = (grid.dimensions.iter())
                .zip(&coordinates)
                .map(|(dimension, &index)| dimension.labels[index as usize].as_str())
                .collect();
            let symbol = self.expander.interner.intern(&name);
            let rectangle = (grid.dimensions.iter())
                .zip(&coordinates)
                .fold(origin, |r, (dimension, &index)| {
                    let shift = |by: i32| by.saturating_mul(index as i32);
                    let (right, down) = (shift(dimension.step.0), shift(dimension.step.1));
                    Rectangle {
                        left: r.left.saturating_add(right),
                        top: r.top.saturating_add(down),
                        right: r.right.saturating_add(right),
                        bottom: r.bottom.saturating_add(down),
                    }
                });
            cells.push(draft.cell(symbol, Some(rectangle)));
            advance(&mut coordinates, &sizes);
        }
        let mut coordinates = vec![0i64; sizes.len()];
        let mut target = vec![0i64; sizes.len()];
        for &from in &cells {
            for (direction, steps) in &directions {
                for (index, coordinate) in target.iter_mut().enumerate() {
                    *coordinate = coordinates[index].saturating_add(steps.get(index).copied().unwrap_or(0));
                }
                if let Some(index) = grid.index_of(&target) {
                    draft.links.insert((*direction, from), cells[index]);
                }
            }
            advance(&mut coordinates, &sizes);
        }
        draft.grids.push((grid.dimensions, cells));
    }

    /// Reads `("a/b/c" (dx dy))`.
    fn build_dimension(&mut self, form: Form) -> Option<Dimension> {
        let elements = self.elements(form);
        let labels = elements
            .first()
            .and_then(|&labels| self.word(labels))
            .map(|symbol| self.expander.text(symbol));
        let Some(labels) = labels else {
            self.bad_form(
                Severity::Warning,
                form,
                "a dimension has no labels",
                Keyword::Dimensions,
            );
            return None;
        };
        let labels: Vec<String> = labels.split('/').map(|label| label.trim().to_owned()).collect();
        let step = elements.get(1).map(|&step| self.elements(step)).unwrap_or_default();
        let mut pixels = [0i32; 2];
        for (pixel, &form) in pixels.iter_mut().zip(&step) {
            *pixel = self
                .number(form)
                .map_or(0, |number| number.clamp(-100_000, 100_000) as i32);
        }
        Some(Dimension {
            labels,
            step: (pixels[0], pixels[1]),
        })
    }

    /// Reads `(name d1 d2 …)`.
    fn build_direction(&mut self, form: Form) -> Option<(DirectionId, Vec<i64>)> {
        let elements = self.elements(form);
        let Some(symbol) = elements.first().and_then(|&name| self.word(name)) else {
            self.bad_form(Severity::Warning, form, "a direction has no name", Keyword::Directions);
            return None;
        };
        let steps = elements[1..]
            .iter()
            .map(|&form| self.number(form).unwrap_or(0))
            .collect();
        Some((self.declare_direction(symbol, form)?, steps))
    }

    fn declare_direction(&mut self, symbol: Symbol, at: Form) -> Option<DirectionId> {
        let id = intern(&mut self.directions, symbol, |index| {
            DirectionId::new(index).filter(|_| index < MAX_DIRECTIONS)
        });
        if id.is_none() {
            self.push(Severity::Error, Code::TooMany, at, "there are too many directions", "");
        }
        id
    }

    fn rectangle(&mut self, forms: &[Form]) -> Option<Rectangle> {
        let mut sides = [0i32; 4];
        for (side, &form) in sides.iter_mut().zip(forms) {
            *side = self.number(form)?.clamp(-1_000_000, 1_000_000) as i32;
        }
        let [left, top, right, bottom] = sides;
        (forms.len() >= 4).then_some(Rectangle {
            left,
            top,
            right,
            bottom,
        })
    }

    fn build_positions(&mut self, draft: &mut Draft, section: &Section) {
        for &form in section.args() {
            let elements = self.elements(form);
            let Some((&name, sides)) = elements.split_first() else {
                let message = format!(
                    "found `{}` where `(NAME LEFT TOP RIGHT BOTTOM)` was expected",
                    self.shown(form)
                );
                self.bad_form(Severity::Warning, form, message, Keyword::Positions);
                continue;
            };
            let rectangle = self.rectangle(sides).unwrap_or_default();
            if let Some(symbol) = self.word(name) {
                draft.cell(symbol, Some(rectangle));
            }
        }
    }

    fn draft_cell(&mut self, draft: &Draft, form: Form) -> Option<usize> {
        let cell = self.word(form).and_then(|symbol| draft.names.get(&symbol).copied());
        if cell.is_none() {
            let known = draft.names.keys().copied().collect();
            self.unknown_name(Severity::Warning, form, "position", known);
        }
        cell
    }

    fn build_links(&mut self, draft: &mut Draft, section: &Section) {
        let Some((&name, pairs)) = section.args().split_first() else {
            self.bad_form(
                Severity::Warning,
                section.form,
                "`links` names no direction",
                Keyword::Links,
            );
            return;
        };
        let Some(direction) = self.word(name).and_then(|symbol| self.declare_direction(symbol, name)) else {
            return;
        };
        for &form in pairs {
            let pair = self.elements(form);
            let &[from, to] = &pair[..] else {
                self.bad_form(Severity::Warning, form, "a link needs two positions", Keyword::Links);
                continue;
            };
            if let (Some(from), Some(to)) = (self.draft_cell(draft, from), self.draft_cell(draft, to)) {
                draft.links.insert((direction, from), to);
            }
        }
    }

    fn unlink(&mut self, draft: &mut Draft, section: &Section) {
        for &form in section.args() {
            if !self.is_list(form) {
                if let Some(cell) = self.draft_cell(draft, form) {
                    draft.links.retain(|&(_, from), to| from != cell && *to != cell);
                }
                continue;
            }
            let pair = self.elements(form);
            let &[first, second] = &pair[..] else {
                self.bad_form(Severity::Warning, form, "`unlink` takes pairs", Keyword::Unlink);
                continue;
            };
            let Some(cell) = self.draft_cell(draft, first) else {
                continue;
            };
            let symbol = self.word(second);
            let other = symbol.and_then(|symbol| draft.names.get(&symbol).copied());
            let direction = symbol.and_then(|symbol| self.directions.get(symbol));
            match (other, direction) {
                (Some(other), _) => draft
                    .links
                    .retain(|&(_, from), to| (from, *to) != (cell, other) && (from, *to) != (other, cell)),
                (None, Some(direction)) => {
                    draft.links.remove(&(direction, cell));
                }
                (None, None) => {
                    let known = draft.names.keys().chain(&self.directions.symbols).copied().collect();
                    self.unknown_name(Severity::Warning, second, "position or direction", known);
                }
            }
        }
    }

    fn build_symmetry(&mut self, draft: &mut Draft, section: &Section) {
        let Some((&name, pairs)) = section.args().split_first() else {
            self.bad_form(
                Severity::Warning,
                section.form,
                "`symmetry` names no player",
                Keyword::Symmetry,
            );
            return;
        };
        let Some(player) = self.player(name, Severity::Warning) else {
            return;
        };
        for &form in pairs {
            let pair = self.elements(form);
            let &[from, to] = &pair[..] else {
                self.bad_form(
                    Severity::Warning,
                    form,
                    "a symmetry takes pairs of directions",
                    Keyword::Symmetry,
                );
                continue;
            };
            draft.symmetries.push((player, from, to));
        }
    }

    fn build_zone(&mut self, draft: &mut Draft, section: &Section) {
        let mut zone = None;
        let mut players: Option<Vec<PlayerId>> = None;
        let mut cells = Vec::new();
        for &form in section.args() {
            let elements = self.elements(form);
            let symbol = elements.first().and_then(|&head| self.word(head));
            match symbol.and_then(|symbol| self.keywords.classic(symbol, Context::Zone)) {
                Some(Keyword::Name) => {
                    let name = elements.get(1).and_then(|&name| self.word(name));
                    zone = name.and_then(|symbol| intern(&mut self.zones, symbol, ZoneId::new));
                }
                Some(Keyword::Players) => {
                    let named: Vec<PlayerId> = elements[1..]
                        .iter()
                        .filter_map(|&form| self.player(form, Severity::Warning))
                        .collect();
                    players.get_or_insert_default().extend(named);
                }
                Some(Keyword::Positions) => cells.extend_from_slice(&elements[1..]),
                _ => {
                    let name = symbol.map_or_else(|| self.shown(form), |symbol| self.expander.text(symbol).to_owned());
                    self.unknown_section(form, &name, Context::Zone);
                }
            }
        }
        match zone {
            Some(zone) => draft.zones.push((zone, players, cells)),
            None => self.bad_form(Severity::Warning, section.form, "a zone has no name", Keyword::Zone),
        }
    }
}

/// Counts up coordinates, the last running fastest.
fn advance(coordinates: &mut [i64], sizes: &[usize]) {
    for (coordinate, &size) in coordinates.iter_mut().zip(sizes).rev() {
        *coordinate += 1;
        if (*coordinate as usize) < size {
            return;
        }
        *coordinate = 0;
    }
}

/// The most directions of a board; finding opposites compares each with each.
const MAX_DIRECTIONS: usize = 4_096;
/// The number of comparisons that [`opposites`] makes, about.
const MAX_OPPOSITE_WORK: usize = 200_000_000;

/// Finds for each direction the one that takes back most of its links.
///
/// # Language
/// `docs/language.md`: opposite.
fn opposites(board: &Board) -> Vec<Option<DirectionId>> {
    let n_cells = board.cells.len();
    let links_of = |direction: usize| &board.links[direction * n_cells..][..n_cells];
    let n_directions = board.directions.len();
    // On huge boards with very many directions some of the cells decide for all.
    let stride = 1 + n_cells * n_directions * n_directions / MAX_OPPOSITE_WORK;
    (0..n_directions)
        .map(|direction| {
            let links = links_of(direction);
            let taken_back = |other: usize| {
                let back = links_of(other);
                let returns = |(from, to): (usize, &CellId)| to.is_some() && back[to.index()].index() == from;
                links
                    .iter()
                    .enumerate()
                    .step_by(stride)
                    .filter(|&link| returns(link))
                    .count()
            };
            let best = (0..n_directions)
                .map(|other| (taken_back(other), other))
                .max_by_key(|&(n, other)| {
                    // Of equals the first declared.
                    (n, std::cmp::Reverse(other))
                });
            best.filter(|&(n, _)| n > 0)
                .and_then(|(_, other)| DirectionId::new(other))
        })
        .collect()
}
