//! When to stop: the limits a caller sets, and the one place that reads the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How many nodes pass between two looks at the clock.
///
/// Generating moves from rules takes microseconds, so that this keeps a stop well within a millisecond.
const NODES_PER_LOOK: u64 = 16;

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

/// Counts the nodes of one running search and tells when a limit is reached.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    start: Instant,
    nodes: u64,
}

impl Budget {
    /// Starts the clock.
    pub(crate) fn start(limits: &Limits) -> Budget {
        Budget {
            limits: limits.clone(),
            start: Instant::now(),
            nodes: 0,
        }
    }

    /// Counts one more node and returns true, or returns false if it must not be searched any more.
    pub(crate) fn spend(&mut self) -> bool {
        if self.is_spent() {
            return false;
        }
        self.nodes += 1;
        true
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
    fn no_time_is_spent_at_once() {
        assert!(!Budget::start(&Limits::time(Duration::ZERO)).spend());
    }
}
