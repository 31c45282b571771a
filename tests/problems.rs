//! Problems of chess: short mates in `tests/data/problems/chess.txt`, which tells where they come from.
//!
//! All searches are limited in depth or nodes, so that every run is the same.

use std::sync::Arc;

use ludex::bridge::{Bridge, Evaluation};
use ludex::builtin::{self, BuiltInLoader};
use ludex::play::position::read_position;
use ludex::search::{Limits, Options, Report, Searcher, plies_to_end};
use ludex::state::Effect;
use ludex::{Fault, MoveList, RuleFile, Rules, Session};

struct Problem {
    /// How many moves the mate takes.
    moves: u32,
    fen: &'static str,
    /// The only first move that mates in time.
    key: &'static str,
    is_quiet: bool,
}

fn problems() -> Vec<Problem> {
    let lines = include_str!("data/problems/chess.txt").lines();
    let problem = |line: &'static str| {
        let fields: Vec<&str> = line.split("; ").collect();
        let [moves, fen, key, kind] = fields[..] else {
            panic!("four fields: {line}")
        };
        Problem {
            moves: moves.parse().expect("a number"),
            fen,
            key,
            is_quiet: kind == "quiet",
        }
    };
    lines.filter(|line| !line.starts_with('#')).map(problem).collect()
}

struct Chess {
    rules: Arc<Rules>,
    evaluation: Arc<Evaluation>,
}

impl Chess {
    fn new() -> Chess {
        let game = builtin::find("chess").expect("it is built in");
        let mut file = RuleFile::read(game.file, game.bytes, &mut BuiltInLoader);
        let rules: Arc<Rules> = file.compile(0).rules.expect("its rules compile").into();
        let evaluation = Arc::new(Evaluation::new(&rules).expect("two sides"));
        Chess { rules, evaluation }
    }

    fn at(&self, problem: &Problem) -> Session {
        let text = format!("fen {}", problem.fen);
        let state = read_position(&self.rules, "position", &text).expect("a position of chess");
        Session::from_state(Arc::clone(&self.rules), state)
    }

    fn search(&self, problem: &Problem, options: Options, limits: &Limits) -> Report<Fault> {
        let mut bridge = Bridge::with(self.at(problem), Arc::clone(&self.evaluation));
        let table_megabytes = 8;
        Searcher::new(Options {
            table_megabytes,
            ..options
        })
        .search(&mut bridge, limits, &mut |_| {})
    }

    /// Writes the chosen move as UCI does.
    fn best(&self, problem: &Problem, report: &Report<Fault>) -> String {
        let mut moves = MoveList::new();
        let outcome = self.at(problem).legal_moves(&mut moves).expect("no fault");
        assert_eq!(outcome, None, "{}", problem.fen);
        let entry = moves.get(report.best.expect("a move"));
        let name = |cell| self.rules.model.board.name(cell);
        let promotion = moves.effects(entry).iter().find_map(|effect| match *effect {
            Effect::Promote { kind, .. } => Some(self.rules.model.kinds[kind.index()].name.as_str()),
            _ => None,
        });
        let letter = match promotion {
            Some("Knight") => "n",
            Some("Rook") => "r",
            Some("Bishop") => "b",
            Some("Queen") => "q",
            _ => "",
        };
        format!("{}{}{letter}", name(entry.from), name(entry.to))
    }

    /// Tells whether the shortest mate was found, and by the key.
    fn is_solved(&self, problem: &Problem, report: &Report<Fault>) -> bool {
        report.score > 0
            && plies_to_end(report.score) == Some(2 * problem.moves - 1)
            && self.best(problem, report) == problem.key
    }
}

#[test]
fn there_are_problems_of_all_kinds() {
    let problems = problems();
    for (moves, n_problems, n_quiet) in [(2, 50, 20), (3, 30, 12)] {
        let of_length = || problems.iter().filter(|problem| problem.moves == moves);
        assert_eq!(of_length().count(), n_problems);
        assert!(of_length().filter(|problem| problem.is_quiet).count() >= n_quiet);
        for turn in [" w ", " b "] {
            let n_of_turn = of_length().filter(|problem| problem.fen.contains(turn)).count();
            assert!(n_of_turn >= n_problems / 3, "{moves}{turn}");
        }
    }
}

/// A search that leaves nothing out finds a mate of just this length, by the key, and by no other move.
#[test]
fn every_problem_has_one_solution() {
    let chess = Chess::new();
    for problem in problems() {
        // To look at the second best takes long where the mate does.
        let multipv = if problem.moves == 2 { 2 } else { 1 };
        let options = Options {
            is_exact: true,
            multipv,
            ..Options::default()
        };
        let plies = 2 * problem.moves - 1;
        let report = chess.search(&problem, options, &Limits::depth(plies));
        assert!(chess.is_solved(&problem, &report), "{}: {}", problem.fen, report.score);
        if let Some(second) = report.alternatives().get(1) {
            let mates = second.score > 0 && plies_to_end(second.score).is_some_and(|found| found <= plies);
            assert!(!mates, "{}: {}", problem.fen, second.score);
        }
    }
}

/// The search as it plays leaves out what looks hopeless; that must hide no mate.
#[test]
fn every_problem_is_soon_solved_in_play() {
    let chess = Chess::new();
    for problem in problems() {
        // About what 1 and 3 seconds suffice for.
        let nodes = if problem.moves == 2 { 400_000 } else { 1_000_000 };
        let report = chess.search(&problem, Options::default(), &Limits::nodes(nodes));
        assert!(chess.is_solved(&problem, &report), "{}: {}", problem.fen, report.score);
    }
}
