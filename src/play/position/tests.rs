//! States to text and back.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::load::load;
use crate::play::Session;
use crate::rules::Rules;
use crate::state::{MoveList, State};

/// The rule files that come with the program: name and text.
pub(in crate::play) fn rule_files() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rules");
    let mut files: Vec<(String, String)> = (std::fs::read_dir(folder).expect("the folder `rules` is there"))
        .map(|file| file.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "zrf"))
        .map(|path| {
            (
                path.display().to_string(),
                std::fs::read_to_string(&path).expect("the file can be read"),
            )
        })
        .collect();
    files.sort();
    files
}

fn games(text: &str) -> Vec<Rules> {
    load("test.zrf", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// A game with all that a position can hold.
fn sample() -> Rules {
    games(
        "(game (title \"Sample\") (players White Black ?Dice) (turn-order White (Black jump) White ?Dice)
            (board (grid (start-rectangle 0 0 9 9) (dimensions (\"a/b/c\" (10 0)) (\"2/1\" (0 10)))
                (directions (e 1 0) (w -1 0))))
            (board-setup (White (Man a1)) (Black (Man c1)))
            (piece (name Man) (attribute fresh true) (attribute tired false) (drops (add))
                (moves (move-type jump) (e (verify (not last-from?)) (set-attribute fresh false) (add-partial jump))
                       (move-type walk) (w (add-partial jump walk))))
            (piece (name King) (moves (e add))))",
    )
    .swap_remove(0)
}

fn read(rules: &Rules, text: &str) -> State {
    read_position(rules, "test", text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// What a text prints as, once read.
fn reprint(text: &str) -> String {
    let rules = sample();
    print_position(&rules, &read(&rules, text))
}

#[test]
fn only_what_is_not_initial_is_printed() {
    for (text, printed) in [
        ("(position)", "(position (turn White 1))"),
        ("(position (turn White))", "(position (turn White 1))"),
        ("(position (turn White 3))", "(position (turn White 3))"),
        ("(position (turn Black))", "(position (turn Black))"),
        (
            "(position (Black (Man b1 off 2 (a2 (tired true) (fresh true)))) (White (King c1) (Man off 1 off 1)) (ply 7))",
            "(position (turn White 1) (White (Man off 2) (King c1)) (Black (Man (a2 (tired true)) b1 off 2)))",
        ),
        (
            "(position (White (Man (a1 (fresh 0) (tired 7)))))",
            "(position (turn White 1) (White (Man (a1 (fresh false) (tired 7)))))",
        ),
        ("(position (last a1 b1))", "(position (turn White 1) (last a1 b1))"),
        ("(position (last - b1))", "(position (turn White 1) (last - b1))"),
        ("(position (last - -))", "(position (turn White 1))"),
        (
            "(position (continue b1 jump) (turn White 3) (White (Man b1)))",
            "(position (turn White 3) (White (Man b1)) (continue b1 jump))",
        ),
        (
            "(position (continue b1 walk jump) (White (Man b1)))",
            "(position (turn White 1) (White (Man b1)) (continue b1 jump walk))",
        ),
        (
            "(position (?Dice (King a1)))",
            "(position (turn White 1) (?Dice (King a1)))",
        ),
    ] {
        assert_eq!(reprint(text), printed);
        assert_eq!(reprint(printed), printed);
    }
}

#[test]
fn all_faults_of_a_position_are_reported() {
    let rules = sample();
    let texts = [
        "",
        "hello",
        "(setup)",
        "(position) (position)",
        "(position (turn White)",
        "(position (turn Whit) (Blak (Man a1)) (White (Mann a2) (Man a9 a1) (King a1)) (lst a1 b1))",
        "(position (turn White 2) (turn Black) (turn))",
        "(position (White (Man off) (Man (a1 (frsh true)) (b1 (fresh maybe)) (c1 fresh))))",
        "(position (White (Man b1)) (continue b1 fly))",
        "(position (White (Man b1)) (continue b1))",
        "(position (White (Man b1)) (continue a1 jump))",
        "(position (White (Man c1)) (continue c1 jump))",
        "(position (set round 4) (match 2) (ply x) () (\"White\") White)",
        "fen 8/8 w",
    ];
    let drawn: Vec<String> = texts
        .iter()
        .map(|text| match read_position(&rules, "--position", text) {
            Ok(state) => print_position(&rules, &state),
            Err(errors) => errors.to_string(),
        })
        .collect();
    insta::assert_snapshot!(drawn.join("\n\n"));
}

#[test]
fn a_player_may_be_called_like_a_section() {
    let rules = games(
        "(game (title \"Names\") (players turn last) (turn-order turn last)
            (board (positions (a 0 0 1 1) (b 1 0 2 1)) (links x (a b)))
            (board-setup (turn (off a)) (last (off b)))
            (piece (name off) (moves (x add))))",
    )
    .swap_remove(0);
    let state = State::start(&rules);
    let text = print_position(&rules, &state);
    assert_eq!(text, "(position (turn turn) (turn (off a)) (last (off b)))");
    assert_eq!(read(&rules, &text), state);
}

/// What is printed reads back to an equal state, along random games of all rule files.
#[test]
fn every_position_reads_back() {
    for (name, text) in rule_files() {
        for rules in load(&name, text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}")) {
            let rules = Arc::new(rules);
            let mut random = ChaCha8Rng::seed_from_u64(3);
            for _ in 0..3 {
                let mut session = Session::new(Arc::clone(&rules));
                let mut moves = MoveList::new();
                for ply in 0..80 {
                    let text = print_session(&session);
                    let read =
                        read_session(Arc::clone(&rules), "test", &text).unwrap_or_else(|errors| panic!("{errors}"));
                    let (mut found, mut expected) = (read.state().clone(), session.state().clone());
                    found.forget_untold(&rules);
                    expected.forget_untold(&rules);
                    // Where a goal has ended the game, nobody is next.
                    if session.decided().is_none() {
                        assert_eq!(found, expected, "{name} ply {ply}: {text}");
                    }
                    if session
                        .legal_moves(&mut moves)
                        .expect("the rules do not fault")
                        .is_some()
                    {
                        break;
                    }
                    session
                        .make(&moves, random.random_range(0..moves.len()))
                        .expect("the rules do not fault");
                }
            }
        }
    }
}

/// What goes beyond ZRF: numbers, variables, counts of plies, endless stocks, rounds of a match.
#[test]
fn positions_beyond_zrf_are_printed_and_read() {
    let rules = games(
        "(game (title \"Beyond\") (players White Black) (turn-order White Black)
            (variable round 1) (player-variable stays 5)
            (board (grid (start-rectangle 0 0 1 1) (dimensions (\"a/b/c\" (1 0)) (\"2/1\" (0 1))) (directions (e 1 0))))
            (board-setup (White (Man a1)))
            (piece (name Man) (attribute hp 1) (attribute tired false) (drops ((verify empty?) add))
                (moves (e (increase hp 1) (set-attribute tired true) (verify (not last-from?)) add)))
            (score (White Black) (count (pieces friend)))
            (end-condition (or (>= ply 9) (>= quiet-plies 9) (>= passes 2)))
            (match 2 swap-sides))",
    )
    .swap_remove(0);
    let rules = Arc::new(rules);
    let text = "(position (turn Black) (White (Man (a1 (hp 3) (tired true)) (b1 (hp 0)) off *)) (set round 4) \
                (set stays Black 2) (last a1 b1) (ply 31) (quiet-plies 7) (passes 1) (match 2 (White 9) (Black -12)))";
    let session = read_session(Arc::clone(&rules), "test", text).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(print_session(&session), text);
    assert_eq!((session.contest().round(), session.state().counters().ply), (2, 31));
    let start = print_session(&Session::new(Arc::clone(&rules)));
    assert_eq!(start, "(position (turn White) (White (Man a1)))");
    let faults = [
        "(position (set rond 4) (set stays 3) (set stays White) (set round White 3) (set round x) (set))",
        "(position (match 3))",
        "(position (match))",
        "(position (match 1 White))",
        "(position (match 1 (White 99999999999999999999)))",
        "(position (ply -1) (passes))",
    ];
    let drawn: Vec<String> = (faults.iter())
        .map(|text| match read_position(&rules, "--position", text) {
            Ok(_) => format!("{text} is read"),
            Err(errors) => (errors.diagnostics.iter())
                .map(|diagnostic| diagnostic.message.as_str())
                .collect::<Vec<_>>()
                .join("; "),
        })
        .collect();
    insta::assert_snapshot!(drawn.join("\n"), @r"
    `rond` is no variable of these rules; every player has this variable; every player has this variable; `round` is no variable of a player of these rules; expected a whole number here; malformed `set`
    there is no such round
    malformed `match`
    expected a player with a sum here
    expected a whole number here
    malformed `ply`; malformed `passes`
    ");
}

proptest::proptest! {
    /// Whatever is typed, the answer comes soon and without a panic, and what is read prints and reads back.
    #[test]
    fn any_text_is_answered(words in proptest::collection::vec(proptest::sample::select(&WORDS[..]), 0..40)) {
        let rules = sample();
        let text = format!("(position {}", words.join(" "));
        if let Ok(state) = read_position(&rules, "test", &text) {
            proptest::prop_assert_eq!(read(&rules, &print_position(&rules, &state)), state);
        }
    }
}

const WORDS: [&str; 26] = [
    "(",
    ")",
    "(turn",
    "White",
    "Black",
    "(White",
    "(Black",
    "(Man",
    "(King",
    "a1",
    "b1",
    "c2",
    "off",
    "2",
    "(a2",
    "(fresh",
    "(tired",
    "true",
    "(continue",
    "jump",
    "walk",
    "(last",
    "-",
    "(ply",
    "\"x\"",
    "fen",
];
