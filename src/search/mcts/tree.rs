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
    /// The number of its branch, 0 as long as it has no children.
    branch: u32,
    outcome: Option<Outcome>,
}

/// A node that has children.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// The key of its state.
    key: u64,
    node: u32,
    first_child: u32,
    n_children: u32,
}

/// Stands for all nodes without children.
const LEAF: Branch = Branch {
    key: 0,
    node: 0,
    first_child: 0,
    n_children: 0,
};

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
            branch: 0,
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

    /// Takes over what simulations elsewhere have found of the same move.
    pub(super) fn join(&mut self, other: &Node) {
        self.visits = self.visits.saturating_add(other.visits);
        self.sum += other.sum;
        self.outcome = self.outcome.or(other.outcome);
    }
}

#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    branches: Vec<Branch>,
    most: usize,
    /// What a part of the tree is moved to; kept for their memory.
    spare: (Vec<Node>, Vec<Branch>),
}

impl Tree {
    pub(super) fn new(megabytes: usize) -> Tree {
        let most = megabytes.saturating_mul(1 << 20) / size_of::<Node>();
        Tree {
            nodes: Vec::new(),
            branches: Vec::new(),
            // Nodes are numbered by 32 bits.
            most: most.clamp(1, 1 << 30),
            spare: (Vec::new(), Vec::new()),
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.branches.clear();
    }

    /// Makes the tree begin at the state of a key: with what is known of it, if it is met below the present root.
    pub(super) fn begin(&mut self, key: u64) {
        let found = self.branches.iter().skip(1).filter(|branch| branch.key == key);
        match found
            .map(|branch| branch.node)
            .max_by_key(|&node| self.node(node).visits)
        {
            Some(0) => {}
            Some(node) => self.move_root(node),
            None => {
                self.clear();
                let step = Step {
                    index: 0,
                    fingerprint: 0,
                };
                self.branches.push(LEAF);
                self.nodes.push(Node::new(step, 0.5));
            }
        }
    }

    /// Keeps only what lies below a node, which becomes the root.
    fn move_root(&mut self, root: u32) {
        let (mut nodes, mut branches) = std::mem::take(&mut self.spare);
        nodes.clear();
        branches.clear();
        branches.push(LEAF);
        nodes.push(*self.node(root));
        let mut next = 0;
        // Nodes that are moved still have the number of their old branch until it is their turn.
        while next < nodes.len() {
            let old = self.branches[nodes[next].branch as usize];
            if old.n_children > 0 {
                nodes[next].branch = branches.len() as u32;
                branches.push(Branch {
                    node: next as u32,
                    first_child: nodes.len() as u32,
                    ..old
                });
                let first = old.first_child as usize;
                nodes.extend_from_slice(&self.nodes[first..first + old.n_children as usize]);
            }
            next += 1;
        }
        self.spare = (
            std::mem::replace(&mut self.nodes, nodes),
            std::mem::replace(&mut self.branches, branches),
        );
    }

    pub(super) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    pub(super) fn node_mut(&mut self, at: u32) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    pub(super) fn children(&self, at: u32) -> Range<u32> {
        let branch = &self.branches[self.node(at).branch as usize];
        branch.first_child..branch.first_child + branch.n_children
    }

    /// Returns the children of a node.
    pub(super) fn below(&self, at: u32) -> &[Node] {
        let Range { start, end } = self.children(at);
        &self.nodes[start as usize..end as usize]
    }

    /// Returns the children of a node.
    pub(super) fn below_mut(&mut self, at: u32) -> &mut [Node] {
        let Range { start, end } = self.children(at);
        &mut self.nodes[start as usize..end as usize]
    }

    /// Adds what another tree of the same root says of the moves there.
    pub(super) fn join(&mut self, other: &Tree) {
        let (Some(root), false) = (other.nodes.first(), self.nodes.is_empty()) else {
            return;
        };
        self.nodes[0].join(root);
        for child in 0..self.below(0).len().min(other.below(0).len()) {
            let found = other.below(0)[child];
            self.below_mut(0)[child].join(&found);
        }
    }

    /// Gives a node, whose state has a key, its children. Returns false if there is no room; the children of the root
    /// always have some.
    pub(super) fn expand(&mut self, at: u32, key: u64, n_children: usize, child: impl FnMut(usize) -> Node) -> bool {
        if self.nodes.len() + n_children > self.most && at != 0 {
            return false;
        }
        let first_child = self.nodes.len() as u32;
        self.nodes.extend((0..n_children).map(child));
        self.node_mut(at).branch = self.branches.len() as u32;
        self.branches.push(Branch {
            key,
            node: at,
            first_child,
            n_children: n_children as u32,
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(tree: &mut Tree, at: u32, key: u64, indices: Range<u32>) {
        let step = |index| Step {
            index,
            fingerprint: 100 + index,
        };
        let first = indices.start;
        assert!(tree.expand(at, key, indices.len(), |n| Node::new(step(first + n as u32), 0.5)));
    }

    #[test]
    fn what_is_known_of_the_state_reached_is_kept() {
        let mut tree = Tree::new(1);
        tree.begin(7);
        expand(&mut tree, 0, 7, 0..3);
        expand(&mut tree, 2, 8, 10..12);
        expand(&mut tree, 5, 9, 20..24);
        tree.node_mut(7).visits = 4;
        tree.begin(8);
        assert_eq!((tree.nodes.len(), tree.branches.len()), (7, 3));
        assert_eq!(tree.node(0).fingerprint, 101);
        assert_eq!(tree.below(0)[1].fingerprint, 111);
        let below: Vec<u32> = tree.below(2).iter().map(|node| node.step().index).collect();
        assert_eq!(below, [20, 21, 22, 23]);
        assert_eq!(tree.below(2)[1].visits, 4);
        tree.begin(8);
        assert_eq!(tree.nodes.len(), 7);
        tree.begin(3);
        assert_eq!((tree.nodes.len(), tree.children(0).len()), (1, 0));
    }
}
