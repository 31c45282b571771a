//! Goals about the board, tested only where the last ply can have brought them about.

use super::sweep::Board;
use super::universe::{Mask, Universe, bit};
use crate::cellset::CellSet;
use crate::model::goal::GoalKind;
use crate::model::{CellId, DirectionId, Occupant, PlayerId};
use crate::program::goal::{GoalTest, OccupantSet};
use crate::program::{Address, Op};
use crate::rules::Rules;
use crate::state::{State, UndoLog};
use crate::vm::goal::{self, GoalContext};
use crate::vm::{Fault, Scratch};

/// The goals about the board, one player after the other, in the order in which they are tested.
#[derive(Debug)]
pub(crate) struct Goals {
    watches: Vec<Watch>,
    /// Whether all goals ask for rows, so that it is easy to tell what a drop brings about.
    all_rows: bool,
    /// Whether some ask for rows.
    some_rows: bool,
}

/// A goal for one player.
#[derive(Debug)]
struct Watch {
    goal: usize,
    /// The number of the player's test in the goal.
    test: usize,
    player: PlayerId,
    trigger: Trigger,
    /// Whether the goal is asked only for the player who moves next.
    speaks_of_next: bool,
}

/// What must have happened in the last ply for a goal to hold now that did not hold before.
#[derive(Debug)]
enum Trigger {
    /// Something was captured.
    Captured,
    /// The number of pieces changed to this, the stock left aside.
    Count { pieces: Vec<Occupant>, equals: u32 },
    /// One of the cells changed.
    Changed(CellSet),
    /// A row came about; the set holds all that can stand in one.
    Rows(Mask, Vec<Row>),
    /// A row came about, on a board whose cells fit in a word: the cells that rows are made of, and for each direction
    /// the lowest cells of rows and the distance of a step.
    Lines {
        set: Mask,
        board: Board,
        /// See [`doublings`].
        doublings: Vec<u32>,
        starts: Vec<(u64, u32)>,
    },
    /// A piece came to a cell or left it for another such that one of these sets holds of one of the two alone.
    Exchanged(Vec<Mask>),
    /// Anything.
    Always,
}

/// Equal steps between equal sets of occupants.
#[derive(Debug)]
struct Row {
    set: Mask,
    length: u32,
    /// By cell the next one, and the one before; none where there is none.
    next: Vec<CellId>,
    before: Vec<CellId>,
}

impl Goals {
    pub(super) fn new(rules: &Rules, universe: &Universe<'_>) -> Goals {
        let goals = rules
            .goals
            .iter()
            .enumerate()
            .filter(|(_, goal)| !goal.speaks_of_the_turn);
        let watches = goals.flat_map(|(index, goal)| {
            goal.tests
                .iter()
                .enumerate()
                .map(move |(number, (player, test))| Watch {
                    goal: index,
                    test: number,
                    player: *player,
                    // What is asked only at some turns may have held before.
                    trigger: match goal.kind {
                        GoalKind::End => Trigger::Always,
                        _ => trigger(rules, universe, *player, test),
                    },
                    speaks_of_next: goal.kind == GoalKind::End,
                })
        });
        let watches: Vec<Watch> = watches.collect();
        let asks_for_row = |watch: &Watch| matches!(watch.trigger, Trigger::Rows(..) | Trigger::Lines { .. });
        Goals {
            all_rows: watches.iter().all(asks_for_row),
            some_rows: watches.iter().any(asks_for_row),
            watches,
        }
    }

    /// Returns the first goal that would hold if a piece appeared on an empty cell and nothing else changed, with its
    /// player; none holds now. The outer none where this is not told so easily.
    #[inline]
    pub fn first_after_drop(&self, state: &State, piece: Occupant, cell: CellId) -> Option<Option<(usize, PlayerId)>> {
        if !self.all_rows {
            return None;
        }
        let watch = (self.watches.iter()).find(|watch| watch.trigger.has_row_with(state, piece, cell));
        Some(watch.map(|watch| (watch.goal, watch.player)))
    }

    /// Tells whether a piece that comes to an empty cell, from another one or from the hand, may well bring a goal about,
    /// as far as that is told easily.
    #[inline]
    pub fn may_hold_after(&self, state: &State, piece: Occupant, from: CellId, to: CellId) -> bool {
        self.watches.iter().any(|watch| match &watch.trigger {
            Trigger::Changed(cells) => cells.contains(to) || from.is_some() && cells.contains(from),
            trigger => trigger.has_row_with(state, piece, to),
        })
    }

    /// Returns the first goal that holds, with its player; none held before the last ply of `log`.
    ///
    /// # Errors
    /// When the rules fault while they run.
    pub fn first(
        &self,
        rules: &Rules,
        state: &mut State,
        scratch: &mut Scratch,
        log: &UndoLog,
    ) -> Result<Option<(usize, PlayerId)>, Fault> {
        // What stands now where something has changed; only rows ask for it.
        let arrived = match self.some_rows {
            true => log.changed_cells().fold(0, |set, cell| set | bit(state.occupant(cell))),
            false => 0,
        };
        for watch in &self.watches {
            if watch.speaks_of_next && rules.model.turn_order.items[state.turn()].acts_as != watch.player {
                continue;
            }
            let holds = match watch.is_triggered(state, log, arrived) {
                Triggered::No => false,
                Triggered::Yes => true,
                Triggered::Perhaps => {
                    let context = GoalContext {
                        is_new: !watch.speaks_of_next,
                        ..GoalContext::default()
                    };
                    let (_, test) = &rules.goals[watch.goal].tests[watch.test];
                    goal::holds(rules, state, scratch, log, watch.player, test, &context)?
                }
            };
            if holds {
                return Ok(Some((watch.goal, watch.player)));
            }
        }
        Ok(None)
    }
}

impl Trigger {
    /// Tells whether a row comes about if a piece appears on an empty cell.
    #[inline]
    fn has_row_with(&self, state: &State, piece: Occupant, cell: CellId) -> bool {
        match self {
            Trigger::Rows(set, rows) => {
                let is_row = |row: &Row| row.set & bit(piece) != 0 && row.is_through(state, cell);
                set & bit(piece) != 0 && rows.iter().any(is_row)
            }
            Trigger::Lines {
                set,
                board,
                doublings,
                starts,
            } => set & bit(piece) != 0 && has_line(board.word(state, 0) | 1 << cell.index(), doublings, starts),
            Trigger::Captured
            | Trigger::Count { .. }
            | Trigger::Changed(_)
            | Trigger::Exchanged(_)
            | Trigger::Always => false,
        }
    }
}

/// What the last ply says about a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Triggered {
    /// It cannot have brought it about.
    No,
    /// It has.
    Yes,
    /// It must be tested.
    Perhaps,
}

impl Watch {
    #[inline]
    fn is_triggered(&self, state: &State, log: &UndoLog, arrived: Mask) -> Triggered {
        let decided = |holds: bool| if holds { Triggered::Yes } else { Triggered::No };
        let perhaps = |may_hold: bool| if may_hold { Triggered::Perhaps } else { Triggered::No };
        match &self.trigger {
            Trigger::Captured => perhaps(!log.captured().is_empty()),
            Trigger::Count { pieces, equals } => {
                decided(pieces.iter().map(|&piece| state.count(piece)).sum::<u32>() == *equals)
            }
            Trigger::Changed(cells) => perhaps(log.changed_cells().any(|cell| cells.contains(cell))),
            Trigger::Rows(set, rows) => decided(set & arrived != 0 && rows.iter().any(|row| row.is_there(state, log))),
            Trigger::Lines {
                set,
                board,
                doublings,
                starts,
            } => decided(set & arrived != 0 && has_line(board.word(state, 0), doublings, starts)),
            Trigger::Exchanged(sets) => {
                let matters = |(cell, old): (CellId, Occupant)| {
                    let (old, new) = (bit(old), bit(state.occupant(cell)));
                    sets.iter().any(|set| (set & old != 0) != (set & new != 0))
                };
                perhaps(log.changed_occupants().any(matters))
            }
            Trigger::Always => Triggered::Perhaps,
        }
    }
}

/// Returns by how many cells rows must be laid on themselves one after the other, so that only their starts remain: each
/// time what is known to follow is doubled, at the end no more than to `length`.
fn doublings(length: u32) -> Vec<u32> {
    let (mut known, mut doublings) = (1, Vec::new());
    while known < length {
        let more = known.min(length - known);
        doublings.push(more);
        known += more;
    }
    doublings
}

/// Tells whether one of the lines lies within the cells.
#[inline(always)]
fn has_line(cells: u64, doublings: &[u32], starts: &[(u64, u32)]) -> bool {
    let double = |found: u64, distance: u32, more: u32| found & found >> (distance * more);
    match *doublings {
        // Rows of three and four.
        [a, b] => (starts.iter()).any(|&(starts, distance)| {
            let pairs = double(cells, distance, a);
            starts & double(pairs, distance, b) != 0
        }),
        _ => (starts.iter()).any(|&(starts, distance)| {
            let found = (doublings.iter()).fold(cells, |found, &more| double(found, distance, more));
            starts & found != 0
        }),
    }
}

fn trigger(rules: &Rules, universe: &Universe<'_>, player: PlayerId, test: &GoalTest) -> Trigger {
    match test {
        GoalTest::Captured(_) => Trigger::Captured,
        GoalTest::PieceCount {
            pieces,
            equals,
            with_stock: false,
        } => Trigger::Count {
            pieces: pieces.clone(),
            equals: *equals,
        },
        GoalTest::AbsoluteConfig { places, .. } => {
            Trigger::Changed(CellSet::from_cells(rules.n_cells, places.iter().flatten().copied()))
        }
        &GoalTest::Code(address) => {
            let read = occupants_read(rules, universe, player, address);
            read.map_or(Trigger::Always, Trigger::Exchanged)
        }
        GoalTest::RelativeConfig { .. } | GoalTest::Or(_) => {
            rows(rules, universe, test).map_or(Trigger::Always, |rows| of_rows(rules, universe, rows))
        }
        _ => Trigger::Always,
    }
}

/// Returns the sets of occupants that code asks cells about, if it depends on nothing else that can change. Any two
/// occupants that belong to the same of these sets are alike to it.
fn occupants_read(rules: &Rules, universe: &Universe<'_>, player: PlayerId, address: Address) -> Option<Vec<Mask>> {
    let end = rules.program.block_end(address);
    let mut sets = Vec::new();
    for op in &rules.program.ops[address as usize..end as usize] {
        let set = match *op {
            Op::IfClass { mask, .. }
            | Op::ListRay { mask, .. }
            | Op::ListGroup { mask, .. }
            | Op::NextOf { mask, .. } => universe.of_classes(player, mask),
            Op::IfSomeNeighbor { question, .. } => universe.of_classes(player, question.mask()),
            Op::IfKind { kind, .. } => universe.of_kind(kind),
            Op::ListPieces { pieces, .. } => {
                let list = &rules.program.piece_lists[pieces.index()];
                list.pieces.iter().fold(0, |set, &piece| set | bit(piece))
            }
            Op::End
            | Op::Step { .. }
            | Op::Goto { .. }
            | Op::LookDirection { .. }
            | Op::LookCell { .. }
            | Op::LookLet { .. }
            | Op::LookStep { .. }
            | Op::LookFirst { .. }
            | Op::GoLook
            | Op::StepOr { .. }
            | Op::Jump { .. }
            | Op::Loop { .. }
            | Op::IfOnBoard { .. }
            | Op::IfZone { .. }
            | Op::IfCell { .. }
            | Op::IfCompare { .. }
            | Op::IfCompareCells { .. }
            | Op::Push { .. }
            | Op::PushCell { .. }
            | Op::PushLet { .. }
            | Op::PushSize { .. }
            | Op::PushCoordinate { .. }
            | Op::PushDistance { .. }
            | Op::Calculate { .. }
            | Op::Increment
            | Op::SetLet { .. }
            | Op::Clear { .. }
            | Op::ListBoard { .. }
            | Op::ListZone { .. }
            | Op::ListNeighbors { .. }
            | Op::ListCell { .. }
            | Op::ListNew { .. }
            | Op::Begin { .. }
            | Op::Next { .. }
            | Op::Resume { .. }
            | Op::Return => continue,
            _ => return None,
        };
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    Some(sets)
}

fn of_rows(rules: &Rules, universe: &Universe<'_>, rows: Vec<Row>) -> Trigger {
    let set = rows.iter().fold(0, |set, row| set | row.set);
    let length = rows.first().map_or(0, |row| row.length);
    let are_alike = rules.n_cells <= 64 && rows.iter().all(|row| (row.set, row.length) == (set, length));
    let starts: Option<Vec<(u64, u32)>> = rows.iter().map(Row::bits).collect();
    match (Board::of(rules, universe, set), starts) {
        (Some(board), Some(starts)) if are_alike => Trigger::Lines {
            set,
            board,
            doublings: doublings(length),
            starts,
        },
        _ => Trigger::Rows(set, rows),
    }
}

/// Returns the rows of which a test wants one, if it is no more than that.
fn rows(rules: &Rules, universe: &Universe<'_>, test: &GoalTest) -> Option<Vec<Row>> {
    match test {
        GoalTest::Or(parts) => {
            let rows: Option<Vec<Vec<Row>>> = parts.iter().map(|part| rows(rules, universe, part)).collect();
            rows.map(|rows| rows.into_iter().flatten().collect())
        }
        GoalTest::RelativeConfig { first, steps, .. } => {
            let (direction, _) = *steps.first()?;
            let is_uniform = steps.iter().all(|(other, set)| *other == direction && set == first);
            if !is_uniform || first.contains(Occupant::NONE) {
                return None;
            }
            Row::new(rules, universe, first, direction, steps.len() as u32 + 1).map(|row| vec![row])
        }
        _ => None,
    }
}

impl Row {
    /// Makes the row; nothing if two cells lead to the same one, or round in a circle.
    fn new(
        rules: &Rules,
        universe: &Universe<'_>,
        set: &OccupantSet,
        direction: DirectionId,
        length: u32,
    ) -> Option<Row> {
        let board = &rules.model.board;
        let mut next = vec![CellId::NONE; rules.n_cells];
        let mut before = vec![CellId::NONE; rules.n_cells];
        for cell in board.cell_ids() {
            if let Some(to) = board.step(cell, direction) {
                if before[to.index()].is_some() {
                    return None;
                }
                (next[cell.index()], before[to.index()]) = (to, cell);
            }
        }
        let goes_round = |&start: &CellId| {
            let mut cell = start;
            (0..=rules.n_cells).all(|_| {
                cell = next[cell.index()];
                cell.is_some()
            })
        };
        if board.cell_ids().any(|cell| goes_round(&cell)) {
            return None;
        }
        let set = universe.filter(|occupant| set.contains(occupant));
        Some(Row {
            set,
            length,
            next,
            before,
        })
    }

    /// Returns the lowest cells of possible rows, as bits, and the distance of a step; nothing if steps differ.
    fn bits(&self) -> Option<(u64, u32)> {
        if self.next.len() > 64 {
            return None;
        }
        let (mut starts, mut distance) = (0u64, None);
        for start in 0..self.next.len() {
            let mut cell = start;
            let mut steps = Vec::new();
            while (steps.len() as u32) < self.length - 1 && self.next[cell].is_some() {
                let to = self.next[cell].index();
                steps.push(to as i32 - cell as i32);
                cell = to;
            }
            if (steps.len() as u32) < self.length - 1 {
                continue;
            }
            for step in steps {
                if *distance.get_or_insert(step) != step {
                    return None;
                }
            }
            starts |= 1 << start.min(cell);
        }
        // Longer steps would be shifted out of the word.
        let distance = distance.unwrap_or(0).unsigned_abs();
        (distance * self.length < 64).then_some((starts, distance))
    }

    #[inline]
    fn is_there(&self, state: &State, log: &UndoLog) -> bool {
        log.changed_cells()
            .any(|cell| self.set & bit(state.occupant(cell)) != 0 && self.is_through(state, cell))
    }

    /// Tells whether there is a row through a cell if what stands there belongs to it.
    #[inline]
    fn is_through(&self, state: &State, cell: CellId) -> bool {
        let belongs = |cell: CellId| self.set & bit(state.occupant(cell)) != 0;
        let run = |links: &[CellId]| {
            let (mut length, mut at) = (0, links[cell.index()]);
            while at.is_some() && belongs(at) {
                length += 1;
                at = links[at.index()];
            }
            length
        };
        1 + run(&self.next) + run(&self.before) >= self.length
    }
}
