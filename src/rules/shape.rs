//! Where shapes can lie.

use crate::model::piece::{Shape, Turning};
use crate::model::{CellId, GameModel, PieceKind};

/// The ways in which a shape can lie on the first grid.
///
/// # Language
/// `docs/language.md`: shape.
#[derive(Clone, Debug, Default)]
pub struct Placements {
    /// The sets of cells it can cover: equal sets once, each in cell order, all ordered by their cells.
    pub all: Vec<Box<[CellId]>>,
    /// For each cell the numbers of those that cover it.
    pub of_cell: Vec<Vec<u32>>,
}

impl Placements {
    /// Finds the placements of a kind; none unless it is a shape.
    pub(super) fn of(model: &GameModel, kind: &PieceKind) -> Placements {
        let all = placements(model, kind);
        if all.is_empty() {
            return Placements::default();
        }
        let mut of_cell = vec![Vec::new(); model.board.cell_ids().count()];
        for (number, cells) in all.iter().enumerate() {
            for cell in cells {
                of_cell[cell.index()].push(number as u32);
            }
        }
        Placements { all, of_cell }
    }
}

fn placements(model: &GameModel, kind: &PieceKind) -> Vec<Box<[CellId]>> {
    let (Some(shape), Some(grid)) = (&kind.shape, model.board.grids.first()) else {
        return Vec::new();
    };
    // Rows are drawn from the top, columns from the left.
    let points = |axis: usize, step: fn((i32, i32)) -> i32| {
        let dimension = grid.dimensions.get(axis);
        if dimension.is_some_and(|dimension| step(dimension.step) < 0) {
            -1
        } else {
            1
        }
    };
    let (right, down) = (points(0, |step| step.0), points(1, |step| step.1));
    let mut placements: Vec<Box<[CellId]>> = Vec::new();
    for squares in orientations(shape) {
        for corner in 0..grid.cells.len() {
            let corner = grid.coordinates(corner);
            let cell = |&(column, row): &(i64, i64)| {
                // Squares are drawn over the first two dimensions; of others the corner's layer is used.
                let mut at: Vec<i64> = corner.iter().map(|&index| index as i64).collect();
                *at.first_mut()? += right * column;
                *at.get_mut(1)? += down * row;
                grid.cells[grid.index_of(&at)?]
            };
            let cells: Option<Vec<CellId>> = squares.iter().map(cell).collect();
            if let Some(mut cells) = cells {
                cells.sort_unstable();
                placements.push(cells.into());
            }
        }
    }
    placements.sort_unstable();
    placements.dedup();
    placements
}

/// Returns the different ways to turn and flip a shape, each moved to the corner.
fn orientations(shape: &Shape) -> Vec<Vec<(i64, i64)>> {
    let (turns, flips): (usize, &[bool]) = match shape.turning {
        Turning::Free => (4, &[false, true]),
        Turning::TurnsOnly => (4, &[false]),
        Turning::Fixed => (1, &[false]),
    };
    let mut orientations = Vec::new();
    for &is_flipped in flips {
        let mut squares: Vec<(i64, i64)> = (shape.squares.iter())
            .map(|&(column, row)| if is_flipped { (-column, row) } else { (column, row) })
            .collect();
        for _ in 0..turns {
            let left = squares.iter().map(|&(column, _)| column).min().unwrap_or(0);
            let top = squares.iter().map(|&(_, row)| row).min().unwrap_or(0);
            let mut moved: Vec<(i64, i64)> = squares
                .iter()
                .map(|&(column, row)| (column - left, row - top))
                .collect();
            moved.sort_unstable();
            if !orientations.contains(&moved) {
                orientations.push(moved);
            }
            squares = squares.into_iter().map(|(column, row)| (-row, column)).collect();
        }
    }
    orientations
}
