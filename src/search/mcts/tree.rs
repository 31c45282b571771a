//! The tree in memory: all nodes in one list, the children of a node side by side.

use std::ops::Range;

use super::super::game::Outcome;
use super::super::report::Step;

/// A state, as reached by one move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) visits: u32,
    /// What the visits have brought to whoever made the move, added up.
    pub(super) sum: f32,
    pub(super) rave_visits: u32,
    /// What simulations have brought in which the same player made the move later.
    pub(super) rave_sum: f32,
    /// The estimate before the first visit.
    pub(super) prior: f32,
    pub(super) fingerprint: u32,
    index: u32,
    first_child: u32,
    n_children: u32,
    outcome: Option<Outcome>,
}

impl Node {
    pub(super) fn new(step: Step, prior: f32) -> Node {
        Node {
            visits: 0,
            sum: 0.0,
            rave_visits: 0,
            rave_sum: 0.0,
            prior,
            fingerprint: step.fingerprint,
            index: step.index,
            first_child: 0,
            n_children: 0,
            outcome: None,
        }
    }

    pub(super) fn step(&self) -> Step {
        Step {
            index: self.index,
            fingerprint: self.fingerprint,
        }
    }

    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    pub(super) fn settle(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }
}

#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    most: usize,
}

impl Tree {
    pub(super) fn new(megabytes: usize) -> Tree {
        let most = megabytes.saturating_mul(1 << 20) / size_of::<Node>();
        Tree {
            nodes: Vec::new(),
            // Nodes are numbered by 32 bits.
            most: most.clamp(1, 1 << 30),
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
    }

    pub(super) fn add_root(&mut self) {
        let step = Step {
            index: 0,
            fingerprint: 0,
        };
        self.nodes.push(Node::new(step, 0.5));
    }

    pub(super) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    pub(super) fn node_mut(&mut self, at: u32) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    pub(super) fn children(&self, at: u32) -> Range<u32> {
        let node = self.node(at);
        node.first_child..node.first_child + node.n_children
    }

    /// Gives a node its children. Returns false if there is no room; the children of the root always have some.
    pub(super) fn expand(&mut self, at: u32, n_children: usize, child: impl FnMut(usize) -> Node) -> bool {
        if self.nodes.len() + n_children > self.most && at != 0 {
            return false;
        }
        let first = self.nodes.len() as u32;
        self.nodes.extend((0..n_children).map(child));
        let node = self.node_mut(at);
        node.first_child = first;
        node.n_children = n_children as u32;
        true
    }
}
