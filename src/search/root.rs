//! The root: iterative deepening, aspiration windows, several lines, and what to play when time is up.
//!
//! Each iteration searches one ply deeper than the last, which makes the tree so well ordered that the repetition costs
//! little, and leaves a good move whenever the search is stopped.
//! The best move of the last iteration comes first, so an iteration that is broken off can only have found something
//! better.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::alphabeta::{Halt, Ply, REDUCTION_DEPTH, Role, Side, Spot, Tree, Window};
use super::busy::Busy;
use super::chance::Sampling;
use super::correction::Corrections;
use super::game::{Actor, Game, Outcome};
use super::horizon::Pursuit;
use super::limits::{Budget, Company, Limits, Shares, wait_for};
use super::ordering::{self, History, Killers};
use super::report::{Line, Report};
use super::score::{self, INFINITE, MAX_PLY};
use super::table::Table;

/// The first iteration that guesses its score from the one before.
const ASPIRATION_DEPTH: u32 = 4;
/// How far the score may lie from the guess at first, in score points, besides an eighth of the guess.
const ASPIRATION_MARGIN: i32 = 16;
/// By how much the margin grows where it was too small.
const ASPIRATION_GROWTH: i32 = 4;
/// The margin beyond which guessing is given up.
const ASPIRATION_WIDEST: i32 = 4096;

/// How to search, apart from when to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of the transposition table, in units of 2^20 bytes; 0 for none.
    pub table_megabytes: usize,
    /// The number of root moves to give a line and an exact score for, at least 1.
    pub multipv: usize,
    /// The largest number of moves looked at where chance decides; if there are more, so many are drawn.
    pub chance_samples: usize,
    /// What the draws follow from.
    pub seed: u64,
    /// The threads of [`Searcher::search_in_threads`], at least 1.
    pub threads: usize,
    /// Whether nothing is passed over or shortened because it does not look promising, so that what is found is certain
    /// within the depth searched.
    pub is_exact: bool,
    /// What is left out, to see what it is worth.
    pub without: Parts,
}

/// Parts of the search that it can do without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts(u16);

impl Parts {
    /// Late moves searched less deep.
    pub const REDUCTIONS: Parts = Parts(1);
    /// Passing where that is harmless.
    pub const PASSING: Parts = Parts(2);
    /// Leaving alone what is too good or too bad near the horizon.
    pub const FUTILITY: Parts = Parts(4);
    /// Looking deeper at threats and single moves.
    pub const EXTENSIONS: Parts = Parts(8);
    /// Judging states beyond the horizon without their moves.
    pub const GLANCES: Parts = Parts(16);
    /// Following tactical moves beyond the horizon.
    pub const QUIESCENCE: Parts = Parts(32);
    /// Trying first what refuted the same move elsewhere.
    pub const COUNTERS: Parts = Parts(64);
    /// Passing over late quiet moves near the horizon.
    pub const SKIPS: Parts = Parts(128);
    /// Correcting evaluations by what searches found of states of the same aspects.
    pub const CORRECTIONS: Parts = Parts(256);

    /// All parts with their names.
    pub const NAMES: [(&'static str, Parts); 9] = [
        ("reductions", Parts::REDUCTIONS),
        ("passing", Parts::PASSING),
        ("futility", Parts::FUTILITY),
        ("extensions", Parts::EXTENSIONS),
        ("glances", Parts::GLANCES),
        ("quiescence", Parts::QUIESCENCE),
        ("counters", Parts::COUNTERS),
        ("skips", Parts::SKIPS),
        ("corrections", Parts::CORRECTIONS),
    ];

    /// Returns these parts and others.
    #[must_use]
    pub fn and(self, others: Parts) -> Parts {
        Parts(self.0 | others.0)
    }

    /// Tells whether all of some parts are among these.
    pub fn has(self, part: Parts) -> bool {
        self.0 & part.0 == part.0
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            table_megabytes: 16,
            multipv: 1,
            chance_samples: 64,
            seed: 0,
            threads: 1,
            is_exact: false,
            without: Parts::default(),
        }
    }
}

/// The memory of a searcher: table, histories, and one set of buffers for each ply.
///
/// What it has learnt helps in the next search of the same game, and so changes its nodes; call [`Searcher::forget`]
/// for a search that follows from its arguments alone, and always before another game.
pub struct Searcher<G: Game> {
    options: Options,
    table: Table,
    memory: Memory<G>,
    /// Those of the further threads.
    helpers: Vec<Memory<G>>,
}

/// What one thread of a searcher remembers for itself.
struct Memory<G: Game> {
    history: History,
    corrections: Corrections,
    stack: Vec<Ply<G::Moves>>,
    trail: Vec<Option<u32>>,
}

impl<G: Game> Memory<G> {
    fn new() -> Memory<G> {
        Memory {
            history: History::new(),
            corrections: Corrections::new(),
            stack: Vec::new(),
            trail: Vec::new(),
        }
    }

    fn forget(&mut self) {
        self.history.clear();
        self.corrections.clear();
        self.stack.iter_mut().for_each(|ply| ply.killers = Killers::default());
    }

    /// Searches with what one thread has of its own and what all share.
    fn search(
        &mut self,
        game: &mut G,
        (table, options, busy): (&Table, Options, Option<&Busy>),
        company: Company,
        limits: &Limits,
        on_line: &mut dyn FnMut(&Line),
    ) -> Report<G::Fault> {
        let budget = Budget::start_in(company, limits);
        self.history.fade();
        let hero = match game.actor() {
            Actor::Player(player) => player,
            Actor::Chance => 0,
        };
        let mut tree = Tree {
            game,
            hero,
            budget,
            stack: &mut self.stack,
            history: &mut self.history,
            corrections: &mut self.corrections,
            table,
            busy,
            sampling: Sampling {
                most: options.chance_samples,
                seed: options.seed,
            },
            is_exact: options.is_exact,
            without: options.without,
            trail: &mut self.trail,
            horizon: 1,
            no_pass_until: 0,
            quiescence_end: 0,
            pursuit: Pursuit::default(),
            best_is_tactical: false,
            n_guesses: 0,
        };
        let mut report = Report::empty();
        let searched = search_root(&mut tree, options.multipv, limits, &mut report, on_line);
        if let Err(Halt::Fault(fault)) = searched {
            report.fault = Some(fault);
        }
        report.nodes = tree.budget.nodes();
        report.seconds = tree.budget.seconds();
        report
    }
}

impl<G: Game> fmt::Debug for Searcher<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<G: Game> Searcher<G> {
    /// Creates a searcher and its table.
    pub fn new(options: Options) -> Searcher<G> {
        let table = match options.threads {
            ..=1 => Table::new(options.table_megabytes),
            _ => Table::shared(options.table_megabytes),
        };
        Searcher {
            options,
            table,
            memory: Memory::new(),
            helpers: (1..options.threads.max(1)).map(|_| Memory::new()).collect(),
        }
    }

    /// Forgets all that earlier searches have learnt.
    pub fn forget(&mut self) {
        self.table.clear();
        self.memory.forget();
        self.helpers.iter_mut().for_each(Memory::forget);
    }

    /// Searches the present state of `game` within `limits` in one thread, calls `on_line` with each line as its iteration
    /// ends, and reports. `game` is left as it was.
    ///
    /// If the root has one legal move and no depth is asked for, the search ends after one iteration; it ends too when
    /// the outcome is certain, or all lines have been followed to their end.
    /// Where chance is to act, the expected score is reported, without a move.
    pub fn search(&mut self, game: &mut G, limits: &Limits, on_line: &mut dyn FnMut(&Line)) -> Report<G::Fault> {
        self.table.begin_search();
        let shared = (&self.table, self.options, None);
        (self.memory).search(game, shared, Company::Alone, limits, on_line)
    }

    /// Searches as [`Searcher::search`] does, in as many threads as the options say. They share the table, and each
    /// leaves for later what another one is at; what is found then depends on which comes first.
    ///
    /// A limit of nodes is divided among the threads; the report counts the nodes of all.
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
        self.table.begin_search();
        let Searcher {
            options,
            table,
            memory,
            helpers,
        } = self;
        let Shares { first, others, stop } = limits.share(helpers.len() + 1);
        let busy = Busy::new();
        let shared = (&*table, *options, Some(&busy));
        let noted = Arc::<AtomicU64>::default();
        std::thread::scope(|scope| {
            let mut threads = Vec::with_capacity(helpers.len());
            for helper in helpers.iter_mut() {
                let (mut game, others) = (game.clone(), &others);
                let company = Company::Helping(Arc::clone(&noted));
                threads.push(scope.spawn(move || helper.search(&mut game, shared, company, others, &mut |_| {}).nodes));
            }
            let mut report = memory.search(game, shared, Company::Helped(noted), &first, on_line);
            stop.store(true, Ordering::Relaxed);
            report.nodes += threads.into_iter().map(wait_for).sum::<u64>();
            report
        })
    }
}

/// Searches the present state of `game` with a new [`Searcher`] and default [`Options`].
///
/// The result depends on nothing but the arguments, as long as no time limit or stop flag ends the search.
pub fn search<G: Game>(game: &mut G, limits: &Limits) -> Report<G::Fault> {
    Searcher::new(Options::default()).search(game, limits, &mut |_| {})
}

fn search_root<G: Game>(
    tree: &mut Tree<'_, G>,
    multipv: usize,
    limits: &Limits,
    report: &mut Report<G::Fault>,
    on_line: &mut dyn FnMut(&Line),
) -> Result<(), Halt<G::Fault>> {
    tree.reach(1);
    tree.stack.iter_mut().for_each(|ply| ply.pv.clear());
    if let Some(outcome) = root_outcome(tree)? {
        report.outcome = Some(outcome);
        report.score = score::of_ending(outcome.ending(tree.hero), 0);
        return Ok(());
    }
    let deepest = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1);
    if tree.game.actor() == Actor::Chance {
        return deepen_chance(tree, deepest, report, on_line);
    }
    tree.rank(0, None, Side::Hero);
    ordering::sort(&mut tree.stack[0].order);
    let n_moves = tree.stack[0].order.len();
    // A move to play, should the limits allow nothing.
    let first = tree.stack[0].order[0].index;
    tree.note_pv(0, first);
    report.settle(&tree.stack[0].pv, 0);
    report.score = evaluate(tree)?;

    let mut score_before = None;
    for depth in 1..=deepest {
        tree.horizon = depth;
        let before = tree.n_guesses;
        let lines = iterate(tree, depth, multipv.clamp(1, n_moves), report)?;
        let is_exhausted = tree.n_guesses == before;
        let is_final = |line: &Line| score::plies_to_end(line.score).is_some_and(|plies| plies <= depth);
        // Only when a win is known, nothing that may be a shorter one is cut short: then it is looked for once more.
        let is_sure = tree.is_exact || depth < REDUCTION_DEPTH || score_before == Some(lines[0].score);
        let is_decided = is_sure && lines.iter().all(is_final);
        score_before = Some(lines[0].score);
        finish(report, depth, lines, on_line);
        report.is_exhausted = is_exhausted;
        if is_decided || is_exhausted || n_moves == 1 && limits.depth.is_none() {
            break;
        }
    }
    Ok(())
}

/// Evaluates the root, whose moves are listed.
fn evaluate<G: Game>(tree: &mut Tree<'_, G>) -> Result<i32, Halt<G::Fault>> {
    let worth = tree
        .game
        .evaluate(tree.hero, &tree.stack[0].moves, -INFINITE..INFINITE)?;
    Ok(score::of_evaluation(worth))
}

fn root_outcome<G: Game>(tree: &mut Tree<'_, G>) -> Result<Option<Outcome>, Halt<G::Fault>> {
    match tree.game.board_outcome()? {
        Some(outcome) => Ok(Some(outcome)),
        None => tree.generate(0),
    }
}

/// Searches a root where chance acts, iteration by iteration.
fn deepen_chance<G: Game>(
    tree: &mut Tree<'_, G>,
    deepest: u32,
    report: &mut Report<G::Fault>,
    on_line: &mut dyn FnMut(&Line),
) -> Result<(), Halt<G::Fault>> {
    report.score = evaluate(tree)?;
    for depth in 1..=deepest {
        tree.horizon = depth;
        let before = tree.n_guesses;
        report.score = tree.expectimax(0, depth, Window::FULL)?;
        let line = line(tree, depth, report.score);
        finish(report, depth, vec![line], on_line);
        if tree.n_guesses == before {
            break;
        }
    }
    Ok(())
}

/// Searches one iteration: the best move, then the best of the others, and so on for `n_lines` lines.
fn iterate<G: Game>(
    tree: &mut Tree<'_, G>,
    depth: u32,
    n_lines: usize,
    report: &mut Report<G::Fault>,
) -> Result<Vec<Line>, Halt<G::Fault>> {
    let mut lines = Vec::with_capacity(n_lines);
    for rank in 0..n_lines {
        let guess = report.alternatives().get(rank).map(|line| line.score);
        let mut found = None;
        let searched = aspire(tree, depth, rank, guess, &mut found);
        if let (0, Some(score)) = (rank, found) {
            report.settle(&tree.stack[0].pv, score);
        }
        let score = searched?;
        lines.push(line(tree, depth, score));
    }
    // A later line can turn out better than an earlier one if the table has learnt something in between.
    lines.sort_by_key(|line| std::cmp::Reverse(line.score));
    Ok(lines)
}

/// Searches the root moves from place `from` on with a window around `guess`, widened until the score lies within.
fn aspire<G: Game>(
    tree: &mut Tree<'_, G>,
    depth: u32,
    from: usize,
    guess: Option<i32>,
    found: &mut Option<i32>,
) -> Result<i32, Halt<G::Fault>> {
    let (mut window, mut margin) = match guess {
        Some(guess) if depth >= ASPIRATION_DEPTH && score::plies_to_end(guess).is_none() => {
            let margin = ASPIRATION_MARGIN + guess.abs() / 8;
            (
                Window {
                    alpha: guess - margin,
                    beta: guess + margin,
                },
                margin,
            )
        }
        _ => (Window::FULL, 0),
    };
    loop {
        let score = search_moves(tree, depth, from, window, found)?;
        margin = margin.saturating_mul(ASPIRATION_GROWTH);
        let is_hopeless = margin > ASPIRATION_WIDEST || score::plies_to_end(score).is_some();
        if score <= window.alpha && window.alpha > -INFINITE {
            window.alpha = if is_hopeless { -INFINITE } else { score - margin };
        } else if score >= window.beta && window.beta < INFINITE {
            window.beta = if is_hopeless { INFINITE } else { score + margin };
        } else {
            return Ok(score);
        }
    }
}

/// Searches the root moves from place `from` on; of equal moves the first is best.
///
/// Each time a move is better than all before, its line becomes that of ply 0 and its score is `found`, so that they are
/// there when the search is broken off; in the end the best move is moved to place `from`.
fn search_moves<G: Game>(
    tree: &mut Tree<'_, G>,
    depth: u32,
    from: usize,
    window: Window,
    found: &mut Option<i32>,
) -> Result<i32, Halt<G::Fault>> {
    let mut best = -INFINITE;
    let mut best_place = from;
    let mut alpha = window.alpha;
    let root = Spot {
        ply: 0,
        depth,
        side: Side::Hero,
        role: Role::Principal,
    };
    let mut agenda = tree.agenda(0, from);
    while let Some(turn) = tree.next_turn(0, &mut agenda) {
        let place = turn.place;
        let ranked = tree.stack[0].order[place];
        let index = ranked.index;
        let less = tree.reduction(root, place - from, ranked, alpha);
        let Some(score) = tree.try_in_turn(root, turn, index, Window { alpha, ..window }, less)? else {
            continue;
        };
        best = best.max(score);
        if score > alpha {
            alpha = score;
            best_place = place;
            *found = Some(score);
            tree.note_pv(0, index);
            if score >= window.beta {
                break;
            }
        }
    }
    tree.stack[0].order[from..=best_place].rotate_right(1);
    Ok(best)
}

/// Returns the line of ply 0, which is empty where chance acts.
fn line<G: Game>(tree: &Tree<'_, G>, depth: u32, score: i32) -> Line {
    let pv = if tree.game.actor() == Actor::Chance {
        Vec::new()
    } else {
        tree.stack[0].pv.clone()
    };
    Line {
        rank: 0,
        depth,
        score,
        nodes: tree.budget.nodes_of_all(),
        seconds: tree.budget.seconds(),
        pv,
    }
}

/// Enters the lines of a finished iteration, the best first, into the report.
fn finish<F>(report: &mut Report<F>, depth: u32, lines: Vec<Line>, on_line: &mut dyn FnMut(&Line)) {
    report.depth = depth;
    for (rank, mut line) in lines.into_iter().enumerate() {
        line.rank = rank as u32;
        if rank == 0 {
            report.settle(&line.pv, line.score);
        }
        on_line(&line);
        report.lines.push(line);
    }
}
