//! Counts the ways to play on from a position: the numbers that show whether move generation is right.
//!
//! A *ply* is one entry of the list of moves: a whole move, one step of a chain, or a pass. A *turn* is a whole move, a
//! chain of partial moves played to its end, or a pass; every different way to play a chain counts. A game that is over
//! has no further plies, so a line that ends early counts for no greater depth; a chain in which the game ends is
//! complete there.
//!
//! The walk keeps its own stack, so that no depth exhausts the one of the thread, and one list of moves per ply.

use std::ops::ControlFlow;

use super::Session;
use crate::state::MoveList;
use crate::vm::Fault;

/// How to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftOptions {
    /// Whether depth is counted in whole turns, chains of partial moves joined, rather than in plies.
    pub turns: bool,
    /// Whether the moves of the last ply are counted without being made.
    pub bulk: bool,
}

impl Default for PerftOptions {
    fn default() -> PerftOptions {
        PerftOptions {
            turns: false,
            bulk: true,
        }
    }
}

/// Returns the number of ways to play `depth` plies (or turns) from the present state of `session`; 1 for depth 0.
///
/// # Errors
/// When the rules fault while they run, or a chain of partial moves does not end; the session is left as it was.
pub fn perft(session: &mut Session, depth: u32, options: PerftOptions) -> Result<u64, Fault> {
    if depth == 0 {
        return Ok(1);
    }
    let mut total: u64 = 0;
    divide(session, depth, options, &mut |_, nodes| {
        total = total.saturating_add(nodes);
        ControlFlow::Continue(())
    })?;
    Ok(total)
}

/// Counts as [`perft`] does, for each move of the present state by itself: `tell` gets the index of the move in the list
/// of legal moves and its number, one move after the other, and can end the count.
///
/// With `options.turns` the numbers are by first step of the turn. Depth 0 has no first moves, so nothing is told.
///
/// # Errors
/// As for [`perft`].
pub fn divide(
    session: &mut Session,
    depth: u32,
    options: PerftOptions,
    tell: &mut dyn FnMut(usize, u64) -> ControlFlow<()>,
) -> Result<(), Fault> {
    if depth == 0 {
        return Ok(());
    }
    let base = session.n_plies();
    let result = Walk {
        session,
        options,
        levels: Vec::new(),
    }
    .run(depth, tell);
    while session.n_plies() > base {
        session.unmake();
    }
    result
}

/// One ply of the line being walked.
#[derive(Debug, Default)]
struct Level {
    moves: MoveList,
    /// The move to make next.
    next: usize,
    /// The plies or turns still to play here.
    left: u32,
    /// The steps of the open chain that led here.
    chain: usize,
}

struct Walk<'a> {
    session: &'a mut Session,
    options: PerftOptions,
    levels: Vec<Level>,
}

impl Walk<'_> {
    fn run(&mut self, depth: u32, tell: &mut dyn FnMut(usize, u64) -> ControlFlow<()>) -> Result<(), Fault> {
        self.enter(0, depth, 0)?;
        let mut nodes: u64 = 0;
        let mut ply = 0;
        loop {
            let level = &mut self.levels[ply];
            if level.next == level.moves.len() {
                if ply == 0 {
                    return Ok(());
                }
                ply -= 1;
                self.session.unmake();
                if ply == 0 && tell(self.levels[0].next - 1, std::mem::take(&mut nodes)).is_break() {
                    return Ok(());
                }
                continue;
            }
            let index = level.next;
            level.next += 1;
            let (left, chain) = (level.left, level.chain);
            if self.ends_at_once(ply, index) {
                nodes = nodes.saturating_add(1);
            } else {
                self.session.make(&self.levels[ply].moves, index)?;
                let is_complete = !self.options.turns || self.turn_is_complete();
                let left = left - u32::from(is_complete);
                if left > 0 {
                    ply += 1;
                    self.enter(ply, left, if is_complete { 0 } else { chain + 1 })?;
                    continue;
                }
                nodes = nodes.saturating_add(1);
                self.session.unmake();
            }
            if ply == 0 && tell(index, std::mem::take(&mut nodes)).is_break() {
                return Ok(());
            }
        }
    }

    /// Lists the moves of the present state at `ply`.
    fn enter(&mut self, ply: usize, left: u32, chain: usize) -> Result<(), Fault> {
        if chain > Fault::CHAIN_LIMIT {
            return Err(Fault::ChainLimit);
        }
        if ply == self.levels.len() {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[ply];
        (level.next, level.left, level.chain) = (0, left, chain);
        self.session.legal_moves(&mut level.moves)?;
        Ok(())
    }

    /// Tells whether a move certainly completes the last ply or turn, so that it need not be made.
    fn ends_at_once(&self, ply: usize, index: usize) -> bool {
        let level = &self.levels[ply];
        self.options.bulk && level.left == 1 && !(self.options.turns && level.moves.get(index).is_partial())
    }

    fn turn_is_complete(&self) -> bool {
        self.session.state().chain().is_none() || self.session.decided().is_some()
    }
}
