//! Rows that a goal asks for: how many are still open, and how full they are.
//!
//! A `relative-config` goal is laid out on the board once, one line for each cell it can start from. A line counts as long
//! as each of its cells holds a wanted piece or nothing; how full each one is follows the board cell by cell.

use crate::model::goal::GoalKind;
use crate::model::{CellId, DirectionId, Occupant, PlayerId};
use crate::program::goal::{GoalTest, OccupantSet};
use crate::rules::Rules;

/// What a line is worth that lacks one piece, in score points.
const NEARLY_FULL: i32 = 48;
/// How much less it is worth for each further piece that it lacks.
const FALL: i32 = 4;
/// The shortest line that is looked at.
const SHORTEST: usize = 3;
/// If there are more lines than this, none is looked at: that would cost too much.
const MOST_LINES: usize = 8_192;

/// The lines of a game.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// What lines are worth to their sides, in score points, one kind of line after another: by the number of wanted pieces.
    worths: Vec<i32>,
    lines: Vec<Line>,
    /// The cells of all lines, and the pieces wanted there, one line after another.
    cells: Vec<(CellId, u16)>,
    /// The different sets of wanted pieces.
    wanted: Vec<OccupantSet>,
    /// By cell, where its part of `through` ends; it begins where that of the cell before ends.
    ends: Vec<u32>,
    /// The lines through each cell, one cell after another, each with the pieces it wants there.
    through: Vec<(u32, u16)>,
}

/// What stands on the cells of a line: the number of wanted pieces, and in units of [`Filling::OTHER`] that of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filling(u32);

impl Filling {
    const OTHER: u32 = 1 << 16;
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// Where its part of `worths` begins.
    worths: u32,
    /// The number of its cells.
    n_cells: u16,
    /// Who wants it full, or not.
    side: u8,
}

impl Lines {
    /// Lays out the lines of all goals that win or lose.
    ///
    /// They count `percent` of what they usually do.
    pub fn find(rules: &Rules, side_of: &dyn Fn(PlayerId) -> Option<u8>, percent: i32) -> Lines {
        let mut lines = Lines::default();
        let nearly_full = NEARLY_FULL * percent / 100;
        for goal in &rules.goals {
            let sign = match goal.kind {
                GoalKind::Win => 1,
                GoalKind::Loss => -1,
                GoalKind::Draw | GoalKind::Count | GoalKind::End => continue,
            };
            for (player, test) in &goal.tests {
                if let Some(side) = side_of(*player) {
                    lines.lay_out(rules, test, side, sign * nearly_full);
                }
            }
        }
        if lines.lines.len() > MOST_LINES {
            return Lines::default();
        }
        lines.sort_by_cell(rules.n_cells);
        lines
    }

    /// Tells whether no goal asks for a row.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Lets `fillings` tell of an empty board.
    pub fn begin(&self, fillings: &mut Vec<Filling>) {
        fillings.clear();
        fillings.resize(self.lines.len(), Filling::default());
        for (cells, filling) in self.cells_of_lines().zip(fillings) {
            let wants_none = |&&(_, wanted): &&(CellId, u16)| self.wanted[usize::from(wanted)].contains(Occupant::NONE);
            filling.0 = cells.iter().filter(wants_none).count() as u32;
        }
    }

    /// Lets `fillings` follow a cell on which `new` has taken the place of `old`; calls `add` with each side for which
    /// lines are now worth something else, and the change.
    #[inline]
    pub fn refill(
        &self,
        fillings: &mut [Filling],
        cell: CellId,
        (old, new): (Occupant, Occupant),
        mut add: impl FnMut(u8, i64),
    ) {
        let Some(&end) = self.ends.get(cell.index()) else {
            return;
        };
        let start = cell.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        // Lines that want the same mostly come one after another.
        let (mut asked, mut step) = (None, 0);
        for &(index, wanted) in &self.through[start as usize..end as usize] {
            if asked != Some(wanted) {
                let set = &self.wanted[usize::from(wanted)];
                let class = |piece: Occupant| match set.contains(piece) {
                    true => 1,
                    false => u32::from(piece.is_some()) * Filling::OTHER,
                };
                (asked, step) = (Some(wanted), class(new).wrapping_sub(class(old)));
            }
            if step == 0 {
                continue;
            }
            let (line, filling) = (self.lines[index as usize], &mut fillings[index as usize]);
            let before = self.worth(line, *filling);
            filling.0 = filling.0.wrapping_add(step);
            let change = self.worth(line, *filling) - before;
            if change != 0 {
                add(line.side, i64::from(change));
            }
        }
    }

    /// Returns what a line is worth to its side: nothing if it is blocked, or has no piece at all.
    #[inline]
    fn worth(&self, line: Line, filling: Filling) -> i32 {
        match filling.0 {
            ..Filling::OTHER => self.worths[(line.worths + filling.0) as usize],
            _ => 0,
        }
    }

    /// Returns the cells of each line, and the pieces wanted there.
    fn cells_of_lines(&self) -> impl Iterator<Item = &[(CellId, u16)]> {
        self.lines.iter().scan(0, |start, line| {
            let cells = &self.cells[*start..][..usize::from(line.n_cells)];
            *start += cells.len();
            Some(cells)
        })
    }

    /// Finds the lines through each cell.
    fn sort_by_cell(&mut self, n_cells: usize) {
        let mut through: Vec<(CellId, u32, u16)> = Vec::with_capacity(self.cells.len());
        for (cells, number) in self.cells_of_lines().zip(0..) {
            through.extend(cells.iter().map(|&(cell, wanted)| (cell, number, wanted)));
        }
        through.sort_unstable();
        self.ends = (0..n_cells)
            .map(|cell| through.partition_point(|&(other, ..)| other.index() <= cell) as u32)
            .collect();
        self.through = through.into_iter().map(|(_, line, wanted)| (line, wanted)).collect();
    }

    /// Lays out the lines of a goal, which are worth so much to a side when they lack one piece.
    fn lay_out(&mut self, rules: &Rules, test: &GoalTest, side: u8, nearly_full: i32) {
        match test {
            GoalTest::And(parts) | GoalTest::Or(parts) => {
                parts
                    .iter()
                    .for_each(|part| self.lay_out(rules, part, side, nearly_full));
            }
            GoalTest::RelativeConfig { first, steps, .. } if steps.len() + 1 >= SHORTEST => {
                let first = self.number(first);
                let worths = self.worths.len() as u32;
                let n_cells = steps.len() + 1;
                self.worths.push(0);
                self.worths.extend((0..n_cells).rev().map(|lacking| {
                    let fall = FALL.saturating_pow(lacking.saturating_sub(1) as u32);
                    nearly_full / fall
                }));
                let line = Line {
                    worths,
                    n_cells: n_cells as u16,
                    side,
                };
                let steps: Vec<(DirectionId, u16)> = (steps
                    .iter()
                    .map(|(direction, wanted)| (*direction, self.number(wanted))))
                .collect();
                for cell in rules.model.board.cell_ids() {
                    if self.lines.len() <= MOST_LINES {
                        self.lay_out_from(rules, cell, first, &steps, line);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the line that starts on `cell`, unless it would run over the edge.
    fn lay_out_from(&mut self, rules: &Rules, cell: CellId, first: u16, steps: &[(DirectionId, u16)], line: Line) {
        let start = self.cells.len();
        self.cells.push((cell, first));
        let mut current = cell;
        for &(direction, wanted) in steps {
            let Some(next) = rules.model.board.step(current, direction) else {
                self.cells.truncate(start);
                return;
            };
            current = next;
            self.cells.push((current, wanted));
        }
        self.lines.push(line);
    }

    /// Returns the number of a set of wanted pieces.
    fn number(&mut self, set: &OccupantSet) -> u16 {
        let known = self.wanted.iter().position(|wanted| wanted == set);
        let number = known.unwrap_or_else(|| {
            self.wanted.push(set.clone());
            self.wanted.len() - 1
        });
        number.min(usize::from(u16::MAX)) as u16
    }
}
