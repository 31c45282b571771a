//! Monte-Carlo tree search: a tree that grows where play is most promising, judged by games played out from its leaves.
//!
//! Each simulation goes down the tree by the moves with the best mixture of what they have brought so far and how little
//! is known of them, adds a node, plays on at random for a while, and tells all nodes on its way what came of it.
//! What is not known from visits is first taken from the moves' own worth ([`MoveValue`](super::MoveValue)) and from the
//! games in which the same move was made later (*RAVE*).
//! Games need not be played out: after [`MctsOptions::cut`] plies the evaluation says how likely each player is to win.
//!
//! A node whose outcome is certain says so, and so does its parent if that settles it (*solved nodes*): a proven win is
//! played, a proven loss avoided, and if the root is solved the search ends.
//! Where the game foresees wins, they settle nodes as soon as these are made, and are not missed in simulations
//! (*decisive moves*).
//! Each value is kept for whoever chose the move, so any number of players may take part; where chance acts, its moves
//! are drawn.
//!
//! What lies below the state that the game has reached is kept from one search to the next.
//! Several threads grow a tree each, and what they have found of the moves at the root is added up at the end.

mod run;
mod tree;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::game::{Actor, Game};
use super::limits::{Budget, Company, Limits, Shares, wait_for};
use super::report::{Line, Report};
use run::Run;
use tree::Tree;

/// How to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsOptions {
    /// The size of the tree, in units of 2^20 bytes.
    pub tree_megabytes: usize,
    /// The plies after which a simulation is judged by the evaluation; 0 judges the leaf itself. Without a number games
    /// are played out, every move being equally likely; with one, of two moves drawn the one is made that gains more.
    pub cut: Option<u32>,
    /// Whether wins at once, where the game foresees them, are made and prevented in simulations and settle nodes.
    pub decisive: bool,
    /// How much moves that little is known of are preferred.
    pub exploration: f32,
    /// How long the statistics of moves made later weigh more than those of visits, in visits; 0 to leave them out.
    pub rave: f32,
    /// The number of moves to give a line and a score for, at least 1.
    pub multipv: usize,
    /// What the draws follow from.
    pub seed: u64,
    /// The threads of [`Mcts::search_in_threads`], at least 1; they share the memory.
    pub threads: usize,
}

impl Default for MctsOptions {
    fn default() -> MctsOptions {
        MctsOptions {
            tree_megabytes: 128,
            cut: Some(4),
            decisive: true,
            exploration: 0.7,
            rave: 300.0,
            multipv: 1,
            seed: 0,
            threads: 1,
        }
    }
}

/// Searches by simulations.
///
/// What lies below the state that it is next asked about is kept; call [`Mcts::forget`] for a search that follows from
/// its arguments alone, and always before another game.
pub struct Mcts<G: Game> {
    options: MctsOptions,
    memory: Memory<G>,
    /// Those of the further threads.
    helpers: Vec<Memory<G>>,
}

/// What one thread has of its own.
struct Memory<G: Game> {
    tree: Tree,
    moves: G::Moves,
    spare: G::Moves,
    path: Vec<Visit>,
    played: Played,
}

/// A node on the way down and who acted there.
#[derive(Clone, Copy)]
struct Visit {
    node: u32,
    actor: Actor,
}

/// Which moves were made in the present simulation, by player and fingerprint.
#[derive(Default)]
struct Played {
    stamps: Vec<u32>,
    now: u32,
}

impl Played {
    const SLOTS: usize = 1 << 14;

    fn begin(&mut self) {
        if self.stamps.is_empty() {
            self.stamps.resize(Played::SLOTS, 0);
        }
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    fn slot(player: u8, fingerprint: u32) -> usize {
        let mixed = (fingerprint ^ u32::from(player).wrapping_mul(0x85EB_CA6B)).wrapping_mul(0x9E37_79B1);
        (mixed >> 18) as usize % Played::SLOTS
    }

    fn note(&mut self, player: u8, fingerprint: u32) {
        self.stamps[Played::slot(player, fingerprint)] = self.now;
    }

    fn has(&self, player: u8, fingerprint: u32) -> bool {
        self.stamps[Played::slot(player, fingerprint)] == self.now
    }
}

/// Why simulating ended.
enum Stop<F> {
    Spent,
    Fault(F),
}

impl<F> From<F> for Stop<F> {
    fn from(fault: F) -> Stop<F> {
        Stop::Fault(fault)
    }
}

impl<G: Game> fmt::Debug for Mcts<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<G: Game> Memory<G> {
    fn new(megabytes: usize) -> Memory<G> {
        Memory {
            tree: Tree::new(megabytes),
            moves: G::Moves::default(),
            spare: G::Moves::default(),
            path: Vec::new(),
            played: Played::default(),
        }
    }

    /// Searches with what one thread has of its own; before the end is reported, `join` may add to the tree.
    fn search(
        &mut self,
        game: &mut G,
        options: MctsOptions,
        company: Company,
        limits: &Limits,
        on_line: &mut dyn FnMut(&Line),
        join: impl FnOnce(&mut Tree) -> u64,
    ) -> Report<G::Fault> {
        let mut report = Report::empty();
        let mut run = Run {
            game,
            budget: Budget::start_in(company, limits),
            random: options.seed ^ 0x5851_F42D_4C95_7F2D,
            options,
            tree: &mut self.tree,
            moves: &mut self.moves,
            spare: &mut self.spare,
            path: &mut self.path,
            played: &mut self.played,
            simulations: 0,
        };
        match run.begin(&mut report) {
            Ok(Some(root)) => {
                let end = run.go_on(root, limits, &mut report, on_line);
                report.simulations = join(run.tree) + run.simulations;
                run.conclude(root, &mut report);
                if let Err(Stop::Fault(fault)) = end {
                    report.fault = Some(fault);
                }
            }
            Ok(None) => {}
            Err(fault) => report.fault = Some(fault),
        }
        report.nodes = run.budget.nodes();
        report.seconds = run.budget.seconds();
        report
    }
}

impl<G: Game> Mcts<G> {
    /// Creates a searcher.
    pub fn new(options: MctsOptions) -> Mcts<G> {
        let n_threads = options.threads.max(1);
        let megabytes = options.tree_megabytes.div_ceil(n_threads);
        Mcts {
            options,
            memory: Memory::new(megabytes),
            helpers: (1..n_threads).map(|_| Memory::new(megabytes)).collect(),
        }
    }

    /// Forgets all that earlier searches have found.
    pub fn forget(&mut self) {
        self.memory.tree.clear();
        self.helpers.iter_mut().for_each(|helper| helper.tree.clear());
    }

    /// Searches the present state of `game` within `limits` in one thread, calls `on_line` now and then with the best line
    /// so far, and reports. `game` is left as it was.
    ///
    /// A depth limits nothing but how many lines are told: the one of number `n` comes after 2^(n-1) simulations.
    pub fn search(&mut self, game: &mut G, limits: &Limits, on_line: &mut dyn FnMut(&Line)) -> Report<G::Fault> {
        (self.memory).search(game, self.options, Company::Alone, limits, on_line, |_| 0)
    }

    /// Searches as [`Mcts::search`] does, in as many threads as the options say, each for itself; what is found then
    /// depends on how far each comes.
    ///
    /// A limit of nodes is divided among the threads; the report counts the nodes and simulations of all.
    pub fn search_in_threads(
        &mut self,
        game: &mut G,
        limits: &Limits,
        on_line: &mut dyn FnMut(&Line),
    ) -> Report<G::Fault>
    where
        G: Clone + Send,
        G::Moves: Send,
    {
        if self.helpers.is_empty() {
            return self.search(game, limits, on_line);
        }
        let Mcts {
            options,
            memory,
            helpers,
        } = self;
        let Shares { first, others, stop } = limits.share(helpers.len() + 1);
        let noted = Arc::<AtomicU64>::default();
        let mut nodes = 0;
        let mut report = std::thread::scope(|scope| {
            let mut searches = Vec::new();
            for (number, helper) in helpers.iter_mut().enumerate() {
                let options = MctsOptions {
                    seed: options
                        .seed
                        .wrapping_add((number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
                    ..*options
                };
                let (mut game, others) = (game.clone(), &others);
                let company = Company::Helping(Arc::clone(&noted));
                searches.push(scope.spawn(move || {
                    let report = helper.search(&mut game, options, company, others, &mut |_| {}, |_| 0);
                    (&helper.tree, report.simulations, report.nodes)
                }));
            }
            memory.search(game, *options, Company::Helped(noted), &first, on_line, |tree| {
                stop.store(true, Ordering::Relaxed);
                let found = searches.into_iter().map(wait_for);
                found.fold(0, |sum, (other, simulations, of_other)| {
                    tree.join(other);
                    nodes += of_other;
                    sum + simulations
                })
            })
        });
        report.nodes += nodes;
        report
    }
}
