//! Solving puzzles and forced wins: what is found is played through and compared with what is known.

use std::sync::Arc;

use ludex::bridge::Bridge;
use ludex::builtin::{self, BuiltInLoader};
use ludex::play::Decision;
use ludex::play::position::read_position;
use ludex::search::solve::{Method, Solution, Solvable, Verdict, solve};
use ludex::search::{Ending, Game, Limits};
use ludex::{Fault, MoveList, RuleFile, Rules, Session};

fn file(name: &str) -> RuleFile {
    let game = builtin::find(name).expect("a built-in game");
    RuleFile::read(game.file, game.bytes, &mut BuiltInLoader)
}

fn rules(file: &mut RuleFile, variant: usize) -> Arc<Rules> {
    file.compile(variant).rules.expect("its rules compile").into()
}

fn solved(session: &Session, method: Method) -> Solution<Fault> {
    let mut bridge = Bridge::new(session.clone()).expect("few sides");
    bridge.prepare_to_solve();
    let solution = solve(&mut bridge, method, &Limits::nodes(3_000_000));
    if solution.verdict == Verdict::Solved {
        assert!(wins(session, &solution), "{:?}", solution.line);
    }
    solution
}

/// Plays a line through; tells whether it wins for whoever began.
fn wins(session: &Session, solution: &Solution<Fault>) -> bool {
    let mut session = session.clone();
    let hero = session.to_move();
    let mut moves = MoveList::new();
    for step in &solution.line {
        assert_eq!(session.legal_moves(&mut moves), Ok(None));
        session.make(&moves, step.index as usize).expect("no fault");
    }
    match session
        .legal_moves(&mut moves)
        .expect("no fault")
        .map(|outcome| outcome.decision)
    {
        Some(Decision::Win(player)) => player == hero,
        Some(Decision::Loss(player)) => player != hero,
        _ => false,
    }
}

fn at(rules: &Arc<Rules>, position: &str) -> Session {
    let state = read_position(rules, "position", position).expect("a position of the game");
    Session::from_state(Arc::clone(rules), state)
}

#[test]
fn every_puzzle_that_comes_with_the_program_is_solved() {
    for name in ["peg-solitaire", "sokoban"] {
        let mut file = file(name);
        for variant in 0..file.entries().len() {
            let session = Session::new(rules(&mut file, variant));
            let solution = solved(&session, Method::Auto);
            assert_eq!(solution.verdict, Verdict::Solved, "{name} {variant}");
            assert!(solution.nodes < 300_000, "{name} {variant}: {}", solution.nodes);
        }
    }
}

#[test]
fn the_whole_board_of_peg_solitaire_takes_31_jumps() {
    let session = Session::new(rules(&mut file("peg-solitaire"), 0));
    assert_eq!(solved(&session, Method::Depth).line.len(), 31);
}

#[test]
fn two_methods_find_the_shortest_solution() {
    let mut file = file("sokoban");
    // The numbers of steps stand in the tests of the rules.
    for (variant, steps) in [(0, 5), (1, 33), (2, 44), (3, 46), (4, 49), (5, 53), (6, 57)] {
        let session = Session::new(rules(&mut file, variant));
        for method in [Method::Breadth, Method::Deepening] {
            // Deepening goes over the same ground too often where many steps move no box.
            if method == Method::Deepening && steps > 40 {
                continue;
            }
            let solution = solved(&session, method);
            assert_eq!(solution.line.len(), steps, "{variant} {method}");
            assert!(solution.is_shortest);
        }
    }
}

#[test]
fn what_cannot_be_solved_is_said_to_be_so() {
    let rules = rules(&mut file("sokoban"), 0);
    // The box is in a corner, where the other methods would not even look; and the last one is certain all the same.
    let session = at(&rules, "(position (turn Pusher) (Pusher (Man b2) (Box a3)))");
    for method in [Method::Auto, Method::Breadth, Method::Depth, Method::Best] {
        assert_eq!(solved(&session, method).verdict, Verdict::Unsolvable, "{method}");
    }
}

#[test]
fn forced_wins_are_proved() {
    let chess = rules(&mut file("chess"), 0);
    // A mate in two: the rook waits, the king must go to the edge.
    let mate = at(
        &chess,
        "(position (turn White) (White (King c6) (Rook h1)) (Black (King a8)))",
    );
    let bare = at(
        &chess,
        "(position (turn White) (White (King c6)) (Black (King a8) (Pawn h7)))",
    );
    for method in [Method::Proof, Method::Alphabeta, Method::Auto] {
        let solution = solved(&mate, method);
        assert_eq!(solution.verdict, Verdict::Solved, "{method}");
        // A proof need not be short.
        assert!(solution.line.len() == 3 || method == Method::Proof, "{method}");
    }
    let mut bridge = Bridge::new(bare).expect("two sides");
    bridge.prepare_to_solve();
    assert_eq!(
        solve(&mut bridge, Method::Auto, &Limits::nodes(20_000)).verdict,
        Verdict::Unknown
    );
    let tic_tac_toe = Session::new(rules(&mut file("tic-tac-toe"), 0));
    for method in [Method::Proof, Method::Alphabeta] {
        assert_eq!(solved(&tic_tac_toe, method).verdict, Verdict::Unsolvable, "{method}");
    }
}

#[test]
fn the_same_is_found_every_time() {
    let session = Session::new(rules(&mut file("sokoban"), 8));
    let run = || {
        let solution = solved(&session, Method::Auto);
        (solution.line, solution.nodes)
    };
    assert_eq!(run(), run());
}

/// Solves the positions of a part of the file.
fn solve_connect_four(part: usize) {
    let text = include_str!("data/connect-four.txt").replace("; slow\n", "/");
    let rules = rules(&mut file("connect-four"), 0);
    let mut n_solved = 0;
    for line in text.split('/').nth(part).expect("two parts").lines() {
        let Some((columns, value)) = line.split_once(' ').filter(|_| !line.starts_with(';')) else {
            continue;
        };
        let mut session = Session::new(Arc::clone(&rules));
        let mut moves = MoveList::new();
        for column in columns.bytes() {
            assert_eq!(session.legal_moves(&mut moves), Ok(None), "{line}");
            let is_here = |index: &usize| {
                let cell = moves.get(*index).to;
                rules.model.board.name(cell).as_bytes()[0] == column - b'1' + b'a'
            };
            let index = (0..moves.len()).find(is_here).expect("the column is not full");
            session.make(&moves, index).expect("no fault");
        }
        let mut bridge = Bridge::new(session.clone()).expect("few sides");
        bridge.prepare_to_solve();
        let solution = solve(&mut bridge, Method::Exact, &Limits::default());
        let ending = match value {
            "win" => Ending::Win,
            "draw" => Ending::Draw,
            _ => Ending::Loss,
        };
        assert_eq!(solution.value, Some(ending), "{line}");
        assert_eq!(solution.verdict == Verdict::Solved, ending == Ending::Win, "{line}");
        assert!(ending != Ending::Win || wins(&session, &solution), "{line}");
        n_solved += 1;
    }
    assert!(n_solved > 4);
}

#[test]
fn positions_of_connect_four_have_the_values_that_another_solver_gives() {
    solve_connect_four(0);
}

/// Takes minutes: `cargo test --release --test solve -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn open_positions_of_connect_four_have_the_values_that_another_solver_gives() {
    solve_connect_four(1);
}

#[test]
fn lines_to_their_ends_tell_who_wins_and_give_up_where_states_come_again() {
    let session = Session::new(rules(&mut file("tic-tac-toe"), 0));
    let solution = solved(&session, Method::Exact);
    assert_eq!(
        (solution.verdict, solution.value),
        (Verdict::Unsolvable, Some(Ending::Draw))
    );
    let session = Session::new(rules(&mut file("sokoban"), 0));
    let mut bridge = Bridge::new(session).expect("one side");
    bridge.prepare_to_solve();
    let solution = solve(&mut bridge, Method::Exact, &Limits::nodes(100_000));
    assert_ne!(solution.verdict, Verdict::Unsolvable);
}

#[test]
fn a_state_taken_up_knows_nothing_of_those_before() {
    let session = Session::new(rules(&mut file("sokoban"), 1));
    let mut bridge = Bridge::new(session).expect("one side");
    bridge.prepare_to_solve();
    let mut start = Vec::new();
    bridge.pack(&mut start);
    let mut moves = ludex::bridge::Moves::default();
    for _ in 0..3 {
        bridge.moves(&mut moves).expect("no fault");
        bridge.make(&moves, 0).expect("no fault");
    }
    bridge.unpack(&start);
    bridge.moves(&mut moves).expect("no fault");
    bridge.make(&moves, 0).expect("no fault");
    assert!(!bridge.depends_on_past());
    assert_eq!(bridge.board_outcome(), Ok(None));
}
