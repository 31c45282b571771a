//! Drops that enclose pieces in lines, for all starts at once.
//!
//! In reversi a disc is put where on some line from there other discs lie up to one of its own. The code of such a drop is
//! a row of [`Line`](super::code::Line) steps and a move with what they collect. On a board whose cells fit in a word, the
//! starts at which a line in some direction is closed are found with a few shifts for the whole board.

use super::code::{Fast, Line};
use super::sweep::Board;
use super::universe::Universe;
use crate::cellset::CellsOfWord;
use crate::model::CellId;
use crate::rules::Rules;
use crate::state::{MoveEntry, MoveList, State};

/// What the drop at one start is made of.
#[derive(Clone, Debug)]
pub(super) struct StartLines {
    /// Numbers of lines, in the order in which they are collected.
    pub lines: Vec<u32>,
    /// The number of the frame of the move.
    pub frame: u32,
}

/// The lines of all starts.
#[derive(Clone, Debug)]
pub(super) struct LineSweep {
    directions: Vec<Direction>,
    /// By start cell the number of its frame, and its lines as a range of `lines`.
    starts: Vec<(u32, u32, u32)>,
    /// For each line its direction and its number.
    lines: Vec<(u8, u32)>,
}

/// Lines along which the numbers of cells change by the same distance.
#[derive(Clone, Debug)]
struct Direction {
    distance: i32,
    over: Board,
    end: Board,
    /// The starts that have such a line, as bits.
    starts: u64,
    /// The cells that a line leads on from.
    linked: u64,
    /// The most cells that can be walked over.
    most: u32,
}

/// More than any board has headings.
const DIRECTION_LIMIT: usize = 32;

impl LineSweep {
    /// Joins the lines of all starts; nothing if they do not fit together, or the board not in a word.
    pub fn new(
        rules: &Rules,
        universe: &Universe<'_>,
        starts: &[Option<StartLines>],
        lines: &[Line],
        line_cells: &[u16],
    ) -> Option<LineSweep> {
        if rules.n_cells > 64 {
            return None;
        }
        let mut sweep = LineSweep {
            directions: Vec::new(),
            starts: Vec::new(),
            lines: Vec::new(),
        };
        let cells_of = |line: &Line| &line_cells[line.cells.0 as usize..line.cells.1 as usize];
        for (start, at) in starts.iter().enumerate() {
            let first = sweep.lines.len() as u32;
            for &number in at.iter().flat_map(|at| &at.lines) {
                let line = &lines[number as usize];
                let direction = sweep.add(rules, universe, start, line, cells_of(line))?;
                sweep.lines.push((direction, number));
            }
            let frame = at.as_ref().map_or(0, |at| at.frame);
            sweep.starts.push((frame, first, sweep.lines.len() as u32));
        }
        // Each line must be all that its direction leads to.
        let is_whole = |start: usize, &(direction, number): &(u8, u32)| {
            let direction = &sweep.directions[usize::from(direction)];
            let cells = cells_of(&lines[number as usize]);
            let mut walked = std::iter::successors(Some(start), |&cell| {
                let next = cell as i32 + direction.distance;
                (direction.linked >> cell & 1 != 0).then_some(next as usize)
            });
            walked.next();
            walked.eq(cells.iter().map(|&cell| usize::from(cell)))
        };
        let are_whole = sweep.starts.iter().enumerate().all(|(start, &(_, first, end))| {
            let lines = &sweep.lines[first as usize..end as usize];
            lines.iter().all(|line| is_whole(start, line))
        });
        are_whole.then_some(sweep)
    }

    /// Adds a line to its direction, whose number is returned.
    fn add(&mut self, rules: &Rules, universe: &Universe<'_>, start: usize, line: &Line, cells: &[u16]) -> Option<u8> {
        let mut distance = None;
        let mut linked = 0u64;
        let mut before = start;
        for &cell in cells {
            let step = i32::from(cell) - before as i32;
            if *distance.get_or_insert(step) != step {
                return None;
            }
            linked |= 1 << before;
            before = usize::from(cell);
        }
        let distance = distance?;
        let (over, end) = (
            Board::of(rules, universe, line.over)?,
            Board::of(rules, universe, line.end)?,
        );
        let is_same = |known: &Direction| known.distance == distance && known.over == over && known.end == end;
        let number = self.directions.iter().position(is_same).unwrap_or_else(|| {
            self.directions.push(Direction {
                distance,
                over,
                end,
                starts: 0,
                linked: 0,
                most: 0,
            });
            self.directions.len() - 1
        });
        let direction = &mut self.directions[number];
        // A start has one line in each direction.
        if direction.starts >> start & 1 != 0 || number >= DIRECTION_LIMIT {
            return None;
        }
        direction.starts |= 1 << start;
        direction.linked |= linked;
        direction.most = direction.most.max(cells.len() as u32 - 1);
        Some(number as u8)
    }

    /// Appends the moves that begin at some of the starts.
    pub fn list(&self, fast: &Fast, state: &State, starts: u64, list: &mut MoveList) {
        let mut closed = [0u64; DIRECTION_LIMIT];
        let mut any = 0;
        for (closed, direction) in closed.iter_mut().zip(&self.directions) {
            *closed = starts & direction.closed(state);
            any |= *closed;
        }
        for start in CellsOfWord::new(0, any) {
            let (frame, first, end) = self.starts[start.index()];
            let fixed = &fast.frames[frame as usize];
            let begin = list.effects.len();
            list.effects.extend_from_slice(&fixed.movements);
            for &(direction, line) in &self.lines[first as usize..end as usize] {
                if closed[usize::from(direction)] >> start.index() & 1 == 0 {
                    continue;
                }
                let n_over = self.directions[usize::from(direction)].n_over(state, start);
                let end = fast.lines[line as usize].effects_end as usize;
                list.effects.extend_from_slice(&fast.effects[end - n_over..end]);
            }
            list.effects.extend(fixed.promotion);
            list.moves.push(MoveEntry {
                start: begin as u32,
                len: (list.effects.len() - begin) as u32,
                from: fixed.from,
                to: fixed.to,
                arrival: fixed.arrival,
                continuation: fixed.continuation,
            });
        }
    }
}

impl Direction {
    /// Returns the starts from which the line is closed, as bits.
    #[inline]
    fn closed(&self, state: &State) -> u64 {
        let (over, end) = (self.over.word(state, 0), self.end.word(state, 0));
        let mut enclosed = over & self.before(end);
        for _ in 1..self.most {
            enclosed |= over & self.before(enclosed);
        }
        self.starts & self.before(enclosed)
    }

    /// Returns the cells from which a step leads to one of these.
    #[inline(always)]
    fn before(&self, cells: u64) -> u64 {
        let moved = if self.distance >= 0 {
            cells >> self.distance
        } else {
            cells << -self.distance
        };
        moved & self.linked
    }

    /// Returns how many cells are walked over from a start from which the line is closed.
    #[inline]
    fn n_over(&self, state: &State, start: CellId) -> usize {
        let over = self.over.word(state, 0);
        let mut cell = start.index() as i32 + self.distance;
        let mut n = 0;
        while over >> (cell & 63) & 1 != 0 {
            n += 1;
            cell += self.distance;
        }
        n
    }
}
