//! Rows that a goal asks for: how many are still open, and how full they are.
//!
//! A `relative-config` goal is laid out on the board once, one line for each cell it can start from. At a leaf a line
//! counts as long as each of its cells holds a wanted piece or nothing.

use crate::model::goal::GoalKind;
use crate::model::{CellId, DirectionId, PlayerId};
use crate::program::goal::{GoalTest, OccupantSet};
use crate::rules::Rules;
use crate::state::State;

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
    /// What a line is worth that lacks one piece, in score points.
    nearly_full: i64,
    lines: Vec<Line>,
    /// The cells of all lines, and the pieces wanted there, one line after another.
    cells: Vec<(CellId, u16)>,
    /// The different sets of wanted pieces.
    wanted: Vec<OccupantSet>,
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
        let mut lines = Lines {
            nearly_full: NEARLY_FULL * i64::from(percent) / 100,
            ..Lines::default()
        };
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
        lines
    }

    /// Tells whether no goal asks for a row.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds to the sum of each side what its lines are worth.
    pub fn sum(&self, state: &State, sums: &mut [i64]) {
        for line in &self.lines {
            let cells = &self.cells[line.start as usize..line.end as usize];
            if let Some(lacking) = self.lacking(state, cells) {
                let worth = self.nearly_full / FALL.saturating_pow(lacking.saturating_sub(1));
                sums[usize::from(line.side)] += worth * i64::from(line.sign);
            }
        }
    }

    /// Returns how many pieces a line lacks, or `None` if it is blocked, or has no piece at all.
    #[inline]
    fn lacking(&self, state: &State, cells: &[(CellId, u16)]) -> Option<u32> {
        let mut lacking = 0;
        for &(cell, wanted) in cells {
            let occupant = state.occupant(cell);
            if !self.wanted[usize::from(wanted)].contains(occupant) {
                if occupant.is_some() {
                    return None;
                }
                lacking += 1;
            }
        }
        (lacking < cells.len() as u32).then_some(lacking)
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
