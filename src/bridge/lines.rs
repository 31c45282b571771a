//! Rows that a goal asks for: how many are still open, and how full they are.
//!
//! A `relative-config` goal is laid out on the board once, one line for each cell it can start from. A line counts as long
//! as each of its cells holds a wanted piece or nothing; how full each one is follows the board cell by cell.

use crate::model::goal::GoalKind;
use crate::model::{CellId, DirectionId, Occupant, PlayerId};
use crate::program::goal::{GoalTest, OccupantSet};
use crate::rules::Rules;

/// What a line is worth that lacks one piece, in score points.
const NEARLY_FULL: i64 = 48;
/// How much less it is worth for each further piece that it lacks.
const FALL: i64 = 4;
/// The shortest line that is looked at.
const SHORTEST: usize = 3;
/// If there are more lines than this, none is looked at: that would cost too much.
const MOST_LINES: usize = 8_192;

/// The lines of a game.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// What a line is worth by the number of pieces it lacks, in score points.
    worths: Vec<i64>,
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

/// What stands on the cells of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filling {
    wanted: u16,
    others: u16,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// Where its part of the cells begins and ends.
    start: u32,
    end: u32,
    /// Who wants it full, or empty if `sign` is -1.
    side: u8,
    sign: i8,
}

impl Lines {
    /// Lays out the lines of all goals that win or lose.
    ///
    /// They count `percent` of what they usually do.
    pub fn find(rules: &Rules, side_of: &dyn Fn(PlayerId) -> Option<u8>, percent: i32) -> Lines {
        let mut lines = Lines::default();
        for goal in &rules.goals {
            let sign = match goal.kind {
                GoalKind::Win => 1,
                GoalKind::Loss => -1,
                GoalKind::Draw | GoalKind::Count | GoalKind::End => continue,
            };
            for (player, test) in &goal.tests {
                if let Some(side) = side_of(*player) {
                    lines.lay_out(rules, test, side, sign);
                }
            }
        }
        if lines.lines.len() > MOST_LINES {
            return Lines::default();
        }
        lines.sort_by_cell(rules.n_cells);
        let longest = lines.lines.iter().map(|line| line.end - line.start).max();
        let nearly_full = NEARLY_FULL * i64::from(percent) / 100;
        lines.worths = (0..=longest.unwrap_or(0))
            .map(|lacking| nearly_full / FALL.saturating_pow(lacking.saturating_sub(1)))
            .collect();
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
        for (line, filling) in self.lines.iter().zip(fillings) {
            let cells = &self.cells[line.start as usize..line.end as usize];
            let wants_none = |&&(_, wanted): &&(CellId, u16)| self.wanted[usize::from(wanted)].contains(Occupant::NONE);
            filling.wanted = cells.iter().filter(wants_none).count() as u16;
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
        // Lines that want the same come one after another, if not in one row.
        let (mut asked, mut was, mut is) = (None, (0, 0), (0, 0));
        for &(index, wanted) in &self.through[start as usize..end as usize] {
            if asked != Some(wanted) {
                let set = &self.wanted[usize::from(wanted)];
                let class = |piece: Occupant| match set.contains(piece) {
                    true => (1, 0),
                    false => (0, u16::from(piece.is_some())),
                };
                (asked, was, is) = (Some(wanted), class(old), class(new));
            }
            if was == is {
                continue;
            }
            let (line, filling) = (self.lines[index as usize], &mut fillings[index as usize]);
            let before = self.worth(line, *filling);
            filling.wanted = filling.wanted + is.0 - was.0;
            filling.others = filling.others + is.1 - was.1;
            let change = self.worth(line, *filling) - before;
            if change != 0 {
                add(line.side, change);
            }
        }
    }

    /// Returns what a line is worth: nothing if it is blocked, or has no piece at all.
    #[inline]
    fn worth(&self, line: Line, filling: Filling) -> i64 {
        if filling.others > 0 || filling.wanted == 0 {
            return 0;
        }
        let lacking = (line.end - line.start) - u32::from(filling.wanted);
        i64::from(line.sign) * self.worths[lacking as usize]
    }

    /// Finds the lines through each cell.
    fn sort_by_cell(&mut self, n_cells: usize) {
        let mut through: Vec<(CellId, u32, u16)> = Vec::with_capacity(self.cells.len());
        for (line, number) in self.lines.iter().zip(0..) {
            let cells = &self.cells[line.start as usize..line.end as usize];
            through.extend(cells.iter().map(|&(cell, wanted)| (cell, number, wanted)));
        }
        through.sort_unstable();
        self.ends = (0..n_cells)
            .map(|cell| through.partition_point(|&(other, ..)| other.index() <= cell) as u32)
            .collect();
        self.through = through.into_iter().map(|(_, line, wanted)| (line, wanted)).collect();
    }

    fn lay_out(&mut self, rules: &Rules, test: &GoalTest, side: u8, sign: i8) {
        match test {
            GoalTest::And(parts) | GoalTest::Or(parts) => {
                parts.iter().for_each(|part| self.lay_out(rules, part, side, sign));
            }
            GoalTest::RelativeConfig { first, steps, .. } if steps.len() + 1 >= SHORTEST => {
                let first = self.number(first);
                let steps: Vec<(DirectionId, u16)> = (steps
                    .iter()
                    .map(|(direction, wanted)| (*direction, self.number(wanted))))
                .collect();
                for cell in rules.model.board.cell_ids() {
                    if self.lines.len() <= MOST_LINES {
                        self.lay_out_from(rules, cell, first, &steps, side, sign);
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds the line that starts on `cell`, unless it would run over the edge.
    fn lay_out_from(
        &mut self,
        rules: &Rules,
        cell: CellId,
        first: u16,
        steps: &[(DirectionId, u16)],
        side: u8,
        sign: i8,
    ) {
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
        let end = self.cells.len();
        self.lines.push(Line {
            start: start as u32,
            end: end as u32,
            side,
            sign,
        });
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
