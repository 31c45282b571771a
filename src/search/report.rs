//! What a search found, as data; printing it is the caller's business.

use super::game::Outcome;

/// One move of a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the move in the list of legal moves of the state that the steps before lead to.
    pub index: u32,
    /// The fingerprint of the move, to check that it is the one meant.
    pub fingerprint: u32,
}

/// The line that the search expects after one of the root moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The place of the line among those of its iteration: 0 for the best.
    pub rank: u32,
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The value for the player that the search plays for, in score points; see [`score`](super::score).
    pub score: i32,
    /// The nodes since the search began.
    pub nodes: u64,
    /// The seconds since the search began.
    pub seconds: f64,
    /// The moves from the root on; the line ends where the game does, where chance decides, or at the horizon.
    pub pv: Vec<Step>,
}

/// The result of a search.
///
/// `best` is `None` only where there is nothing to choose: the game is over, chance is to act, or a rule faulted before
/// the moves of the root were known.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<F> {
    /// The number of the chosen move in the list of legal moves of the root.
    pub best: Option<usize>,
    /// The fingerprint of the chosen move; 0 if there is none.
    pub fingerprint: u32,
    /// The value for the player to move, in score points; see [`score`](super::score).
    pub score: i32,
    /// The depth of the last iteration that was finished, in plies; 0 if none was.
    pub depth: u32,
    /// The states looked at after the root.
    pub nodes: u64,
    /// The simulations, where the search consists of some.
    pub simulations: u64,
    /// The time taken, in seconds.
    pub seconds: f64,
    /// The principal variation, beginning with `best`.
    pub pv: Vec<Step>,
    /// Whether all lines were followed to their end, so that a deeper search would find the same.
    pub is_exhausted: bool,
    /// The lines of all finished iterations, in the order in which they were found.
    pub lines: Vec<Line>,
    /// The outcome, if the game is over at the root.
    pub outcome: Option<Outcome>,
    /// The fault that ended the search, if one did; `best` is then the best move before it.
    pub fault: Option<F>,
}

impl<F> Report<F> {
    /// Creates the report of a search that has not begun.
    pub(crate) fn empty() -> Report<F> {
        Report {
            best: None,
            fingerprint: 0,
            score: 0,
            depth: 0,
            nodes: 0,
            simulations: 0,
            seconds: 0.0,
            pv: Vec::new(),
            is_exhausted: false,
            lines: Vec::new(),
            outcome: None,
            fault: None,
        }
    }

    /// Makes `pv` the line to play.
    pub(crate) fn settle(&mut self, pv: &[Step], score: i32) {
        self.score = score;
        self.pv.clear();
        self.pv.extend_from_slice(pv);
        self.best = pv.first().map(|step| step.index as usize);
        self.fingerprint = pv.first().map_or(0, |step| step.fingerprint);
    }

    /// Returns the lines of the last finished iteration, the best first; several if several were asked for.
    pub fn alternatives(&self) -> &[Line] {
        let first = self
            .lines
            .iter()
            .position(|line| line.depth == self.depth)
            .unwrap_or(self.lines.len());
        &self.lines[first..]
    }
}
