//! Finds lines of moves that certainly reach a goal: solutions of puzzles, and forced wins against others.
//!
//! # The methods
//! - [`Method::Breadth`] looks at all states in the order of their distance; what it finds is shortest, and if it finds
//!   nothing there is nothing to find.
//! - [`Method::Deepening`] (IDA*) follows lines up to a bound that grows; it too finds the shortest, in less memory.
//! - [`Method::Depth`] follows the most promising line as far as it goes and then takes back: for puzzles whose solutions
//!   are all equally long.
//! - [`Method::Best`] goes on from the most promising state it knows.
//! - [`Method::Proof`] (df-pn) looks first where the least remains to be proved, against all defences.
//! - [`Method::Alphabeta`] searches deeper and deeper until the outcome is certain.
//! - [`Method::Exact`] follows all lines to their ends, and so tells the value of any state of a game in which none comes
//!   again.
//!
//! All know a state again that they have met before.
//! [`Method::Auto`] lets several take turns with growing shares of nodes, so that the best of them for the puzzle at hand
//! costs a small multiple of what it would alone.
//!
//! What a game knows of its goals it tells by [`Solvable::outlook`].
//! States that it takes for dead are passed over; if that leaves nothing, all is searched again without its advice.

mod best;
mod breadth;
mod depth;
mod exact;
mod proof;

use std::fmt;
use std::str::FromStr;

use super::game::{Actor, Ending, Game, Outcome};
use super::limits::{Budget, Limits};
use super::report::Step;
use super::root::{Options, Searcher};
use super::score;

/// What can be said of a state on the way to the goal of whoever wants to win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// The plies that are certainly needed.
    pub at_least: u32,
    /// How far away the goal seems: smaller is better.
    pub distance: u32,
    /// Whether the goal seems to be out of reach.
    pub is_dead: bool,
    /// A name for what matters of the state: states of one name differ in what may not matter.
    pub essence: u64,
}

/// A game whose states can be put aside and taken up again.
pub trait Solvable: Game {
    /// Appends all that makes up the present state to `bytes`; how it was reached does not matter.
    fn pack(&self, bytes: &mut Vec<u8>);

    /// Takes up a state that was packed earlier. The plies made before cannot be taken back any more.
    fn unpack(&mut self, bytes: &[u8]);

    /// Tells whether no state can come again, since every ply changes something for good.
    fn never_repeats(&self) -> bool {
        false
    }

    /// Returns how good this state seems for `player`, as far as that costs little; larger is better.
    fn promise(&mut self, player: u8) -> i32 {
        let _ = player;
        0
    }

    /// Tells how far `player` seems to be from winning.
    fn outlook(&mut self, player: u8) -> Outlook {
        let _ = player;
        Outlook::default()
    }
}

/// How to look for a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Several in turn.
    #[default]
    Auto,
    /// All states, the nearest first.
    Breadth,
    /// Lines up to a growing bound.
    Deepening,
    /// One line to its end, then the others.
    Depth,
    /// From the most promising state on.
    Best,
    /// Where the least remains to be proved.
    Proof,
    /// Until the outcome is certain.
    Alphabeta,
    /// All lines to their ends.
    Exact,
}

impl Method {
    /// All methods with their names.
    pub const NAMES: [(&'static str, Method); 8] = [
        ("auto", Method::Auto),
        ("breadth", Method::Breadth),
        ("ida", Method::Deepening),
        ("depth", Method::Depth),
        ("best", Method::Best),
        ("proof", Method::Proof),
        ("alphabeta", Method::Alphabeta),
        ("exact", Method::Exact),
    ];

    /// Tells whether the method needs that nobody acts but one player.
    pub fn is_for_one(self) -> bool {
        matches!(self, Method::Breadth | Method::Deepening | Method::Depth | Method::Best)
    }
}

impl FromStr for Method {
    type Err = ();

    fn from_str(text: &str) -> Result<Method, ()> {
        let found = Method::NAMES.iter().find(|(name, _)| *name == text);
        found.map(|&(_, method)| method).ok_or(())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Method::NAMES.iter().find(|(_, method)| method == self);
        f.write_str(found.map_or("", |(name, _)| name))
    }
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The player to move can certainly win.
    Solved,
    /// It certainly cannot.
    Unsolvable,
    /// A limit was reached.
    Unknown,
}

/// The result of solving.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<F> {
    /// What came of it.
    pub verdict: Verdict,
    /// How the game ends for the player to move if all play as well as can be, if that is known: always if it can win.
    pub value: Option<Ending>,
    /// The line that wins; against others, the one with their stubbornest replies that were looked at.
    pub line: Vec<Step>,
    /// The method that found it.
    pub method: Method,
    /// Whether no shorter line wins.
    pub is_shortest: bool,
    /// The states looked at after the root.
    pub nodes: u64,
    /// The time taken, in seconds.
    pub seconds: f64,
    /// The fault that ended the search, if one did.
    pub fault: Option<F>,
}

/// Bounds of memory, in states kept.
const MOST_STATES: usize = 60_000_000;
/// The nodes of each method's first turn.
const FIRST_SHARE: u64 = 20_000;
/// How many times as long the turns of [`Method::Exact`] are.
const EXACT_SHARE: u64 = 8;
/// By how much each share is greater than the one before.
const GROWTH: u64 = 4;

/// Why one method stopped.
pub(crate) enum End<F> {
    /// It found a line.
    Line { line: Vec<Step>, is_shortest: bool },
    /// It has seen all that there is and found nothing; `pruned` if it passed over states taken for dead.
    Exhausted { pruned: bool },
    /// Its share or a limit is used up.
    Spent,
    /// A rule faulted.
    Fault(F),
}

/// What the methods share.
pub(crate) struct Work<'a, G: Solvable> {
    pub(crate) game: &'a mut G,
    pub(crate) hero: u8,
    pub(crate) budget: &'a mut Budget,
    /// The nodes after which the method's turn ends.
    pub(crate) share_end: u64,
    /// Whether states that are taken for dead are passed over.
    pub(crate) prunes: bool,
}

/// What is found when a state is looked at.
pub(crate) enum Sight {
    /// The hero has won.
    Won,
    /// The game is over otherwise.
    Over,
    /// The game goes on, and its moves are listed.
    Open,
}

impl<G: Solvable> Work<'_, G> {
    /// Counts a node; false if the turn is over.
    pub(crate) fn spend(&mut self) -> bool {
        self.budget.nodes() < self.share_end && self.budget.spend()
    }

    /// Looks at the present state and lists its moves if it is open.
    pub(crate) fn look(&mut self, moves: &mut G::Moves) -> Result<Sight, G::Fault> {
        let outcome = match self.game.board_outcome()? {
            Some(outcome) => Some(outcome),
            None => {
                self.game.moves(moves)?;
                let outcome = self.game.outcome(moves)?;
                outcome.or((G::len(moves) == 0).then_some(Outcome::DRAW))
            }
        };
        Ok(match outcome.map(|outcome| outcome.ending(self.hero)) {
            Some(Ending::Win) => Sight::Won,
            Some(_) => Sight::Over,
            None => Sight::Open,
        })
    }

    /// Tells whether the board shows that the hero has won.
    pub(crate) fn is_won(&mut self) -> Result<bool, G::Fault> {
        let outcome = self.game.board_outcome()?;
        Ok(outcome.is_some_and(|outcome| outcome.ending(self.hero) == Ending::Win))
    }

    /// Returns the outlook of the present state; never dead if advice is not taken.
    pub(crate) fn outlook(&mut self) -> Outlook {
        let outlook = self.game.outlook(self.hero);
        Outlook {
            is_dead: outlook.is_dead && self.prunes,
            ..outlook
        }
    }
}

/// Looks for a line by which the player to move certainly wins.
///
/// With fewer than two players there is nobody to prevent it. The same arguments give the same line, unless a time limit
/// or a stop flag ends the work. `game` is left in some state of its own.
pub fn solve<G: Solvable>(game: &mut G, method: Method, limits: &Limits) -> Solution<G::Fault> {
    let mut budget = Budget::start(limits);
    let mut root = Vec::new();
    game.pack(&mut root);
    let hero = match game.actor() {
        Actor::Player(player) => player,
        Actor::Chance => 0,
    };
    let alone = [Method::Best, Method::Depth, Method::Breadth];
    let against = [Method::Alphabeta, Method::Proof];
    let to_the_end = [Method::Alphabeta, Method::Proof, Method::Exact];
    let only = [method];
    let methods: &[Method] = match method {
        Method::Auto if game.players() == 1 => &alone,
        Method::Auto if game.never_repeats() => &to_the_end,
        Method::Auto => &against,
        _ => &only,
    };
    let mut solution = Solution {
        verdict: Verdict::Unknown,
        value: None,
        line: Vec::new(),
        method,
        is_shortest: false,
        nodes: 0,
        seconds: 0.0,
        fault: None,
    };
    let mut share = match methods.len() {
        1 => u64::MAX,
        _ => FIRST_SHARE,
    };
    let mut prunes = true;
    let mut exact = None;
    'turns: loop {
        let mut is_any_spent = false;
        for &method in methods {
            // What one turn of it has found the next one goes on with, so that long turns cost it nothing.
            let share = share.saturating_mul(if method == Method::Exact { EXACT_SHARE } else { 1 });
            let share_end = budget.nodes().saturating_add(share);
            game.unpack(&root);
            let mut work = Work {
                game: &mut *game,
                hero,
                budget: &mut budget,
                share_end,
                prunes,
            };
            let end = match method {
                Method::Breadth | Method::Auto => breadth::search(&mut work),
                Method::Deepening => depth::search(&mut work, depth::Bound::Growing),
                Method::Depth => depth::search(&mut work, depth::Bound::None),
                Method::Best => best::search(&mut work),
                Method::Proof => proof::search(&mut work),
                Method::Alphabeta => certain(&mut work, limits),
                Method::Exact => {
                    let (end, value) = exact.get_or_insert_with(exact::Exact::new).search(&mut work);
                    solution.value = value;
                    end
                }
            };
            solution.method = method;
            match end {
                End::Line { line, is_shortest } => {
                    solution.verdict = Verdict::Solved;
                    solution.value = Some(Ending::Win);
                    solution.line = line;
                    solution.is_shortest = is_shortest;
                    break 'turns;
                }
                End::Exhausted { pruned: true } => {
                    // Perhaps the advice was wrong.
                    prunes = false;
                    continue 'turns;
                }
                End::Exhausted { pruned: false } => {
                    solution.verdict = Verdict::Unsolvable;
                    break 'turns;
                }
                End::Spent => is_any_spent = true,
                End::Fault(fault) => {
                    solution.fault = Some(fault);
                    break 'turns;
                }
            }
        }
        if budget.is_over() || !is_any_spent || share == u64::MAX {
            break;
        }
        share = share.saturating_mul(GROWTH);
    }
    game.unpack(&root);
    solution.nodes = budget.nodes();
    solution.seconds = budget.seconds();
    solution
}

/// Searches with alpha-beta until the outcome is certain.
fn certain<G: Solvable>(work: &mut Work<'_, G>, limits: &Limits) -> End<G::Fault> {
    let left = work.share_end.saturating_sub(work.budget.nodes());
    let limits = Limits {
        nodes: Some(
            limits
                .nodes
                .map_or(left, |nodes| left.min(nodes.saturating_sub(work.budget.nodes()))),
        ),
        time: limits.time.map(|time| time.saturating_sub(work.budget.elapsed())),
        ..limits.clone()
    };
    let options = Options {
        table_megabytes: 256,
        is_exact: true,
        ..Options::default()
    };
    let report = Searcher::new(options).search(work.game, &limits, &mut |_| {});
    work.budget.add(report.nodes);
    if let Some(fault) = report.fault {
        return End::Fault(fault);
    }
    match score::plies_to_end(report.score) {
        Some(_) if report.score > 0 => End::Line {
            line: report.pv,
            is_shortest: true,
        },
        Some(_) => End::Exhausted { pruned: false },
        None if report.is_exhausted => End::Exhausted { pruned: false },
        None => End::Spent,
    }
}
