//! The engine on the built-in games: it sees short wins and threats, and beats a player that moves at random.
//!
//! All searches are limited in nodes or depth, so that every run is the same.

use std::sync::Arc;

use ludex::bridge::{Bridge, Evaluation};
use ludex::builtin::{self, BuiltInLoader};
use ludex::model::PlayerId;
use ludex::play::Decision;
use ludex::play::notation::Notation;
use ludex::play::position::read_position;
use ludex::search::{Limits, Options, Report, Searcher, plies_to_end};
use ludex::{Fault, MoveList, RuleFile, Rules, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The rules of a built-in game, or of a variant by its number after it.
fn rules(name: &str, variant: usize) -> Arc<Rules> {
    let game = builtin::find(name).expect("a built-in game");
    let mut file = RuleFile::read(game.file, game.bytes, &mut BuiltInLoader);
    file.compile(variant).rules.expect("its rules compile").into()
}

fn at(rules: &Arc<Rules>, position: &str) -> Session {
    let read = read_position(rules, "position", position).expect("a position of the game");
    Session::from_state(Arc::clone(rules), read)
}

fn search(session: &Session, limits: &Limits) -> Report<Fault> {
    let mut bridge = Bridge::new(session.clone()).expect("few sides");
    ludex::search::search(&mut bridge, limits)
}

/// Searches and returns the text of the chosen move, and the report.
fn choose(session: &Session, limits: &Limits) -> (String, Report<Fault>) {
    let report = search(session, limits);
    let mut moves = MoveList::new();
    session.clone().legal_moves(&mut moves).expect("the rules do not fault");
    let best = report.best.expect("there is a move");
    let notation = Notation::new(session.rules());
    let text = notation.short_text(session.state(), &moves, best);
    (text, report)
}

/// Plays the moves, each given by where it ends, from the start.
fn play_to(rules: &Arc<Rules>, cells: &[&str]) -> Session {
    let mut session = Session::new(Arc::clone(rules));
    let mut moves = MoveList::new();
    for cell in cells {
        session.legal_moves(&mut moves).expect("the rules do not fault");
        let wanted = rules.model.board.find(cell).expect("a cell of the board");
        let index = moves.iter().position(|entry| entry.to == wanted).expect("a legal move");
        session.make(&moves, index).expect("the rules do not fault");
    }
    session
}

#[test]
fn a_mate_in_two_is_found() {
    let rules = rules("chess", 0);
    let session = at(
        &rules,
        "(position (turn White) (White (King c6) (Rook h1)) (Black (King a8)))",
    );
    let report = search(&session, &Limits::depth(4));
    assert_eq!(plies_to_end(report.score), Some(3));
    assert!(report.score > 0);
}

#[test]
fn a_won_race_is_won() {
    let rules = rules("breakthrough", 0);
    // White is one step ahead and nobody can stop it.
    let session = at(&rules, "(position (turn White) (White (Pawn a5)) (Black (Pawn h5 h7)))");
    let (text, report) = choose(&session, &Limits::depth(6));
    assert_eq!(plies_to_end(report.score), Some(5), "{text}");
    assert!(report.score > 0);
}

#[test]
fn a_row_of_four_is_completed_or_blocked() {
    let rules = rules("connect-four", 0);
    let threatened = play_to(&rules, &["d1", "a1", "d2", "b1", "d3"]);
    let (text, _) = choose(&threatened, &Limits::nodes(2_000));
    assert!(text.contains("d4"), "{text}");
    let winning = play_to(&rules, &["d1", "a1", "d2", "a2", "d3", "b1"]);
    let (text, report) = choose(&winning, &Limits::nodes(2_000));
    assert!(text.contains("d4"), "{text}");
    assert_eq!(plies_to_end(report.score), Some(1));
}

#[test]
fn who_makes_a_row_loses_in_the_losing_variant() {
    let rules = rules("connect-four", 1);
    let session = play_to(&rules, &["d1", "a1", "d2", "b1", "d3", "g1"]);
    let (text, _) = choose(&session, &Limits::nodes(2_000));
    assert!(!text.contains("d4"), "{text}");
}

#[test]
fn a_drawn_game_is_searched_to_its_end_only() {
    let report = search(&Session::new(rules("tic-tac-toe", 0)), &Limits::default());
    // Shortened lines end before the game does, so a few more iterations pass until none is.
    assert_eq!(report.score, 0);
    assert!(
        (9..=16).contains(&report.depth) && report.is_exhausted,
        "{}",
        report.depth
    );
}

#[test]
fn pawns_gain_by_coming_nearer_to_their_goal() {
    let rules = rules("breakthrough", 0);
    let worth = |cell: &str| {
        let session = at(
            &rules,
            &format!("(position (turn Black) (White (Pawn {cell})) (Black (Pawn h8)))"),
        );
        -search(&session, &Limits::nodes(0)).score
    };
    assert!(worth("a6") > worth("a4") && worth("a4") > worth("a2"));
}

#[test]
fn corners_are_worth_much_where_discs_change_owner() {
    let rules = rules("reversi", 0);
    let session = at(
        &rules,
        "(position (turn Black) (Black (Disc d1 c3 off 30)) (White (Disc b1 c1 d3 e3 off 30)))",
    );
    let (text, _) = choose(&session, &Limits::nodes(3_000));
    assert!(text.contains("a1"), "{text}");
}

// --- Against random play -------------------------------------------------------------------------------------------

/// The most plies of a game.
const LONGEST_GAME: usize = 400;

/// Returns the players who decide for themselves.
fn deciders(rules: &Rules) -> Vec<PlayerId> {
    let decides = |player: &PlayerId| {
        let model = &rules.model.players[player.index()];
        model.takes_turns && !model.random
    };
    rules.model.player_ids().filter(decides).collect()
}

/// Plays games from the start, the engine on each side in turn, with so many nodes for a move, and returns how many it
/// won and lost.
fn against_random(name: &str, nodes: u64, n_games: u64) -> (u32, u32) {
    let rules = rules(name, 0);
    let evaluation = Arc::new(Evaluation::new(&rules).expect("few sides"));
    let (mut won, mut lost) = (0, 0);
    for game in 0..n_games {
        let mut random = ChaCha8Rng::seed_from_u64(game);
        let mut searcher = Searcher::new(Options {
            table_megabytes: 4,
            ..Options::default()
        });
        let engine = deciders(&rules)[(game % 2) as usize];
        let mut session = Session::new(Arc::clone(&rules));
        let mut moves = MoveList::new();
        while session.n_plies() < LONGEST_GAME {
            if let Some(outcome) = session.legal_moves(&mut moves).expect("the rules do not fault") {
                let is_win = match outcome.decision {
                    Decision::Win(player) => player == engine,
                    Decision::Loss(player) => player != engine,
                    Decision::Draw | Decision::Level(_) => break,
                };
                won += u32::from(is_win);
                lost += u32::from(!is_win);
                break;
            }
            let index = if session.to_move() == engine && !session.is_chance() {
                let mut bridge = Bridge::with(session.clone(), Arc::clone(&evaluation));
                let report = searcher.search(&mut bridge, &Limits::nodes(nodes), &mut |_| {});
                report.best.expect("there is a move")
            } else {
                random.next_u32() as usize % moves.len()
            };
            session.make(&moves, index).expect("the rules do not fault");
        }
    }
    (won, lost)
}

#[test]
fn random_play_is_beaten_in_every_built_in_game() {
    // Games of one player have nobody to beat. Left out are games in which so few nodes do not even look at every move
    // once, those too long for a test, and those that luck may decide.
    let left_out = ["amazons", "hex", "thud", "go", "heroes-of-chess", "backgammon"];
    for game in builtin::games() {
        if deciders(&rules(game.name, 0)).len() != 2 || left_out.contains(&game.name) {
            continue;
        }
        let nodes = match game.name {
            // Their moves are many: a node costs as much as ten elsewhere.
            "shogi" => 500,
            "thud-zrf" => 700,
            "blokus-duo" => 300,
            _ => 1_500,
        };
        let (won, lost) = against_random(game.name, nodes, 2);
        assert_eq!((won, lost), (2, 0), "{}", game.name);
    }
}
