//! When to stop: the limits a caller sets, and the one place that reads the clock.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// How many nodes pass between two looks at the clock.
///
/// Generating moves from rules takes microseconds, so that this keeps a stop well within a millisecond.
const NODES_PER_LOOK: u64 = 16;

/// After how many nodes a thread that helps another says so.
const NODES_PER_NOTE: u64 = 256;

/// Bounds of one search; the first one reached ends it. What is `None` does not bound.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The deepest iteration, in plies; at least one is searched.
    pub depth: Option<u32>,
    /// The largest number of nodes, that is of states looked at after the root. Runs limited in nodes or depth only are the
    /// same on every machine.
    pub nodes: Option<u64>,
    /// The longest time.
    pub time: Option<Duration>,
    /// The most moves of a state that are looked at: the first in order of promise. For weak players.
    pub width: Option<u32>,
    /// A flag by which another thread ends the search; the best move so far is kept.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Returns limits of `plies` in depth alone.
    pub fn depth(plies: u32) -> Limits {
        Limits {
            depth: Some(plies),
            ..Limits::default()
        }
    }

    /// Returns limits of `nodes` alone.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// Returns limits of `time` alone.
    pub fn time(time: Duration) -> Limits {
        Limits {
            time: Some(time),
            ..Limits::default()
        }
    }
}

/// The limits of several threads that search together.
pub(crate) struct Shares {
    /// For the thread that reports.
    pub(crate) first: Limits,
    /// For each of the others: they go on until they are told to stop, or have had their share of the nodes.
    pub(crate) others: Limits,
    /// Stops the others.
    pub(crate) stop: Arc<AtomicBool>,
}

impl Limits {
    /// Divides the limits among the threads: each has its share of the nodes.
    pub(crate) fn share(&self, n_threads: usize) -> Shares {
        let stop = Arc::new(AtomicBool::new(false));
        let nodes = self.nodes.map(|nodes| nodes.div_ceil(n_threads as u64));
        Shares {
            first: Limits { nodes, ..self.clone() },
            others: Limits {
                depth: None,
                nodes,
                time: None,
                width: self.width,
                stop: Some(Arc::clone(&stop)),
            },
            stop,
        }
    }
}

/// Waits for a thread that helped; what made it panic goes on in this one.
pub(crate) fn wait_for<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// A clock that runs while a player thinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What is added after each move.
    pub increment: Duration,
    /// The moves after which more is added, if that is known.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// How many more moves a game is taken to have.
    const USUAL_MOVES: u32 = 30;
    /// What is kept for whatever lies between the engine and the clock.
    const RESERVE: Duration = Duration::from_millis(30);

    /// Returns the time to spend on the next move: an even share, and never so much that the clock could run out.
    pub fn allotment(self) -> Duration {
        let moves = self
            .moves_to_go
            .unwrap_or(Clock::USUAL_MOVES)
            .clamp(1, Clock::USUAL_MOVES);
        let share = self.remaining / moves + self.increment * 3 / 4;
        let most = (self.remaining.saturating_sub(Clock::RESERVE)).min(self.remaining / 2 + self.remaining / 4);
        share.min(most).max(Duration::from_millis(1))
    }
}

/// Counts the nodes of one running search and tells when a limit is reached.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    start: Instant,
    nodes: u64,
    company: Company,
}

/// The threads that search together with one.
#[derive(Clone, Debug, Default)]
pub(crate) enum Company {
    /// There are none.
    #[default]
    Alone,
    /// This one is helped; the others note their nodes here.
    Helped(Arc<AtomicU64>),
    /// This one helps, and notes its nodes here.
    Helping(Arc<AtomicU64>),
}

impl Budget {
    /// Starts the clock.
    pub(crate) fn start(limits: &Limits) -> Budget {
        Budget::start_in(Company::Alone, limits)
    }

    /// Starts the clock of one of several threads.
    pub(crate) fn start_in(company: Company, limits: &Limits) -> Budget {
        Budget {
            limits: limits.clone(),
            start: Instant::now(),
            nodes: 0,
            company,
        }
    }

    /// Counts one more node and returns true, or returns false if it must not be searched any more.
    pub(crate) fn spend(&mut self) -> bool {
        if self.is_spent() {
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_NOTE)
            && let Company::Helping(noted) = &self.company
        {
            noted.fetch_add(NODES_PER_NOTE, Ordering::Relaxed);
        }
        true
    }

    /// Returns the number of nodes so far, those of the threads that help added, as far as they are noted.
    pub(crate) fn nodes_of_all(&self) -> u64 {
        match &self.company {
            Company::Helped(noted) => self.nodes + noted.load(Ordering::Relaxed),
            Company::Alone | Company::Helping(_) => self.nodes,
        }
    }

    /// Returns the most moves of a state that are looked at.
    pub(crate) fn width(&self) -> usize {
        self.limits.width.map_or(usize::MAX, |width| width.max(1) as usize)
    }

    /// Returns the number of nodes so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the seconds since the start; nothing that is decided depends on it.
    pub(crate) fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    fn is_spent(&self) -> bool {
        self.limits.nodes.is_some_and(|limit| self.nodes >= limit)
            || self
                .limits
                .stop
                .as_ref()
                .is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.nodes.is_multiple_of(NODES_PER_LOOK)
                && self.limits.time.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// Counts nodes that were searched elsewhere.
    pub(crate) fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// Tells whether a limit is reached, whatever the number of nodes.
    pub(crate) fn is_over(&self) -> bool {
        self.is_spent() || self.limits.time.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_node_limit_is_exact() {
        let mut budget = Budget::start(&Limits::nodes(3));
        assert_eq!((0..10).filter(|_| budget.spend()).count(), 3);
        assert_eq!(budget.nodes(), 3);
    }

    #[test]
    fn nodes_of_helpers_are_told() {
        let noted = Arc::<AtomicU64>::default();
        let helped = Budget::start_in(Company::Helped(Arc::clone(&noted)), &Limits::default());
        let mut helping = Budget::start_in(Company::Helping(noted), &Limits::default());
        (0..2 * NODES_PER_NOTE + 1).for_each(|_| assert!(helping.spend()));
        assert_eq!(helping.nodes_of_all(), 2 * NODES_PER_NOTE + 1);
        assert_eq!(helped.nodes_of_all(), 2 * NODES_PER_NOTE);
    }

    #[test]
    fn a_clock_does_not_run_out() {
        let clock = |milliseconds, increment, moves_to_go| Clock {
            remaining: Duration::from_millis(milliseconds),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        assert_eq!(clock(60_000, 0, None).allotment(), Duration::from_millis(2_000));
        assert_eq!(clock(60_000, 1_000, Some(10)).allotment(), Duration::from_millis(6_750));
        assert_eq!(clock(1_000, 0, Some(1)).allotment(), Duration::from_millis(750));
        assert!(clock(100, 60_000, None).allotment() <= Duration::from_millis(75));
        assert_eq!(clock(0, 0, None).allotment(), Duration::from_millis(1));
    }

    #[test]
    fn no_time_is_spent_at_once() {
        assert!(!Budget::start(&Limits::time(Duration::ZERO)).spend());
    }
}
