//! Cells, directions, links, symmetries and zones.

use super::ids::{CellId, DirectionId, PlayerId, ZoneId};

/// A rectangle on the board picture, in pixels. For display only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rectangle {
    /// Left edge.
    pub left: i32,
    /// Top edge.
    pub top: i32,
    /// Right edge.
    pub right: i32,
    /// Bottom edge.
    pub bottom: i32,
}

/// One cell of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The name by which rules and moves call it.
    pub name: String,
    /// Where it is drawn; `None` for a `dummy` cell, which exists for the rules only.
    pub rectangle: Option<Rectangle>,
}

/// One dimension of a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The labels, joined with those of the other dimensions to name a cell.
    pub labels: Vec<String>,
    /// Pixels between neighbours along this dimension, right and down.
    pub step: (i32, i32),
}

/// A grid: a block of cells named by one label per dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The dimensions; the first is outermost in [`Grid::cells`].
    pub dimensions: Vec<Dimension>,
    /// The cell for each combination of labels, the last dimension running fastest; `None` where it was killed.
    pub cells: Vec<Option<CellId>>,
}

impl Grid {
    /// Returns the label index per dimension of an index in [`Grid::cells`].
    pub fn coordinates(&self, index: usize) -> Vec<usize> {
        let mut coordinates = vec![0; self.dimensions.len()];
        let mut rest = index;
        for (coordinate, dimension) in coordinates.iter_mut().zip(&self.dimensions).rev() {
            *coordinate = rest % dimension.labels.len();
            rest /= dimension.labels.len();
        }
        coordinates
    }

    /// Returns the index in [`Grid::cells`] of the given label index per dimension, or `None` outside the grid.
    pub fn index_of(&self, coordinates: &[i64]) -> Option<usize> {
        let mut index = 0usize;
        for (dimension, &coordinate) in self.dimensions.iter().zip(coordinates) {
            let coordinate = usize::try_from(coordinate)
                .ok()
                .filter(|&c| c < dimension.labels.len())?;
            index = index * dimension.labels.len() + coordinate;
        }
        Some(index)
    }
}

/// A named set of cells, which may differ from player to player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// The name used in conditions and goals.
    pub name: String,
    /// For each player the cells, sorted; empty for a player the zone was not declared for.
    pub cells: Vec<Vec<CellId>>,
    /// The cells that do not depend on the player, sorted: the zone where there is no mover.
    pub everyones: Vec<CellId>,
}

impl Zone {
    /// Returns the cells of the zone for a player, sorted; where there is no mover those that do not depend on one.
    pub fn of(&self, player: PlayerId) -> &[CellId] {
        self.cells.get(player.index()).unwrap_or(&self.everyones)
    }
}

/// The board: a graph of cells with named links.
///
/// # Language
/// `docs/language.md`: board, grid, positions, dummy, links, unlink, kill-positions, symmetry, zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// The cells, in `CellId` order.
    pub cells: Vec<Cell>,
    /// The names of the directions, in `DirectionId` order.
    pub directions: Vec<String>,
    /// For each direction and cell the cell one step on, [`CellId::NONE`] at the edge:
    /// entry `direction * cells.len() + cell`.
    pub links: Vec<CellId>,
    /// For each direction the one that leads back, where there is one.
    pub opposites: Vec<Option<DirectionId>>,
    /// For each player and direction the direction used in its place: entry `player * directions.len() + direction`.
    pub symmetry: Vec<DirectionId>,
    /// The zones, in `ZoneId` order.
    pub zones: Vec<Zone>,
    /// The grids, in file order.
    pub grids: Vec<Grid>,
    /// File names of the board pictures.
    pub images: Vec<String>,
}

impl Board {
    /// Returns the cell one step from `cell` along `direction`, or `None` at the edge of the board.
    ///
    /// `direction` is already mirrored for the player to move; see [`Board::mirrored`].
    pub fn step(&self, cell: CellId, direction: DirectionId) -> Option<CellId> {
        let target = self.links[direction.index() * self.cells.len() + cell.index()];
        target.is_some().then_some(target)
    }

    /// Returns by cell the one a step away along a direction, none at the edge; `direction` is already mirrored.
    #[inline]
    pub fn links_along(&self, direction: DirectionId) -> &[CellId] {
        &self.links[direction.index() * self.cells.len()..][..self.cells.len()]
    }

    /// Returns the direction that `player` means by `direction`; the same where there is no mover.
    ///
    /// # Language
    /// `docs/language.md`: symmetry.
    pub fn mirrored(&self, player: PlayerId, direction: DirectionId) -> DirectionId {
        let index = player.index() * self.directions.len() + direction.index();
        self.symmetry.get(index).copied().unwrap_or(direction)
    }

    /// Tells whether `cell` lies in `zone` for `player`.
    pub fn in_zone(&self, zone: ZoneId, player: PlayerId, cell: CellId) -> bool {
        self.zones[zone.index()].of(player).binary_search(&cell).is_ok()
    }

    /// Returns the name of `cell`.
    pub fn name(&self, cell: CellId) -> &str {
        &self.cells[cell.index()].name
    }

    /// Returns the cell with this name, searching through all; for text from the user, not for the hot path.
    pub fn find(&self, name: &str) -> Option<CellId> {
        self.cells
            .iter()
            .position(|cell| cell.name == name)
            .and_then(CellId::new)
    }

    /// Returns all cells in order.
    pub fn cell_ids(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.cells.len()).filter_map(CellId::new)
    }
}
