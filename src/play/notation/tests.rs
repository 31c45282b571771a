//! Moves to text and back.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::load::load;
use crate::play::Session;
use crate::play::position::read_position;

/// Compiles the first game of a rule text.
fn game(text: &str) -> Arc<Rules> {
    Arc::new(
        load("test.zrf", text.as_bytes())
            .unwrap_or_else(|errors| panic!("{errors}"))
            .swap_remove(0),
    )
}

/// A game on the row a1 … h1 and a second row, with the given pieces and setup; further sections may follow.
fn row(pieces: &str, setup: &str, more: &str) -> Arc<Rules> {
    game(&format!(
        "(game (title \"Row\") (players White Black) (turn-order White Black)
            (board (grid (start-rectangle 0 0 9 9) (dimensions (\"a/b/c/d/e/f/g/h\" (10 0)) (\"2/1\" (0 10)))
                (directions (e 1 0) (w -1 0) (n 0 -1))))
            (board-setup {setup}) {pieces} {more})"
    ))
}

struct Position {
    session: Session,
    moves: MoveList,
}

impl Position {
    fn new(rules: &Arc<Rules>, text: &str) -> Position {
        let state = if text.is_empty() {
            State::start(rules)
        } else {
            read_position(rules, "test", text).unwrap_or_else(|errors| panic!("{errors}"))
        };
        let mut session = Session::from_state(Arc::clone(rules), state);
        let mut moves = MoveList::new();
        session.legal_moves(&mut moves).expect("the rules do not fault");
        Position { session, moves }
    }

    fn full(&self) -> Vec<String> {
        unique_texts(self.session.rules(), self.session.state(), &self.moves)
    }

    fn short(&self) -> Vec<String> {
        Notation::new(self.session.rules()).short_texts(self.session.state(), &self.moves)
    }

    /// The full text of the move that a text means, or the message.
    fn find(&self, text: &str) -> String {
        match find_move(self.session.rules(), self.session.state(), &self.moves, text) {
            Ok(index) => self.full().swap_remove(index),
            Err(error) => error.to_string(),
        }
    }
}

/// Checks the full texts of all moves of the start position.
fn check(rules: &Arc<Rules>, expected: &[&str]) {
    assert_eq!(Position::new(rules, "").full(), expected);
}

#[test]
fn a_movement_tells_whether_its_destination_was_occupied() {
    let rules = row(
        "(piece (name Man) (moves (e (verify not-friend?) add)))",
        "(White (Man a1 c1)) (Black (Man b1))",
        "",
    );
    check(&rules, &["Man a1 x b1", "Man c1 - d1"]);
}

#[test]
fn cascades_are_several_movements() {
    // The second piece leaves the cell that the first one enters, which still counts as occupied before the move.
    let rules = row(
        "(piece (name Man) (moves (e (verify friend?) cascade e add)))",
        "(White (Man a1 b1))",
        "",
    );
    check(&rules, &["Man a1 x b1 Man b1 - c1"]);
}

#[test]
fn effects_stand_in_order_then_captures_then_promotion() {
    let rules = row(
        "(piece (name Man) (attribute late true) (attribute lame false)
            (moves ((capture b2) (create Black King d2) (set-attribute lame true) (set-attribute late false) (flip e2) e
                (add King)))) (piece (name King) (attribute quick true))",
        "(White (Man a1))",
        "",
    );
    // The last piece's attributes come first, and each piece's last attribute.
    check(
        &rules,
        &["Man a1 - b1 Black King d2 @ a1 1 1 @ a1 2 0 flip e2 x b2 = King on b1"],
    );
}

#[test]
fn a_change_tells_its_cell_unless_it_follows_the_movement_there() {
    let rules = row(
        "(piece (name Man) (moves (e (change-type King) add) (n (change-owner a1) add) ((change-type King) add)
            ((change-owner b1) (change-owner c1) (change-type King b1) (change-type King c1) add)))
         (piece (name King))",
        "(White (Man a1))",
        "",
    );
    check(
        &rules,
        &[
            "Man a1 - b1 = King",
            "Man a1 - a2 = White on a1",
            "= King on a1",
            "= White on b1 c1 = King on b1 c1",
        ],
    );
}

#[test]
fn a_promotion_in_place_tells_its_cell() {
    let rules = row(
        "(piece (name Man) (moves ((add King)))) (piece (name King))",
        "(White (Man a1))",
        "",
    );
    check(&rules, &["= King on a1"]);
}

#[test]
fn drops_and_copies_name_the_owner() {
    let rules = row(
        "(piece (name Man) (drops ((verify (position? b2)) add)) (moves (e add-copy) (n (add-copy King)))) (piece (name King))",
        "(White (Man a1 off 1))",
        "",
    );
    check(&rules, &["White Man b1", "White King a2", "White Man b2"]);
}

#[test]
fn a_drop_may_capture_and_be_promoted() {
    let rules = row(
        "(piece (name Man) (drops ((verify (position? b2)) (capture c2) (add King)))) (piece (name King))",
        "(White (Man off 1))",
        "",
    );
    check(&rules, &["White Man b2 x c2 = King on b2"]);
}

#[test]
fn move_types_are_numbered_by_priorities_turns_and_mention() {
    let pieces = "(piece (name Man) (moves (move-type first) (e (add-partial third)) (n (add-partial late))))
        (piece (name Last) (moves (move-type late) (w (add-partial second))))";
    let rules = row(pieces, "(White (Man a1))", "(move-priorities first second)");
    // second 1, first 2, late 3, third 4
    check(&rules, &["partial 4 Man a1 - b1", "partial 3 Man a1 - a2"]);
    let rules = row("(piece (name Man) (moves (e add-partial)))", "(White (Man a1))", "");
    check(&rules, &["partial 0 Man a1 - b1"]);
}

#[test]
fn passes_are_written_out() {
    let rules = row(
        "(piece (name Man) (moves (e add)))",
        "(White (Man a1))",
        "(option \"pass turn\" true)",
    );
    let position = Position::new(&rules, "");
    assert_eq!(position.full(), ["Man a1 - b1", "Pass"]);
    assert_eq!(position.short(), ["a1-b1", "pass"]);
    for text in ["Pass", "pass", "PASS", " 3. Pass "] {
        assert_eq!(position.find(text), "Pass");
    }
}

#[test]
fn moves_that_would_be_written_alike_get_a_number() {
    let rules = row(
        "(piece (name Man) (moves (move-type a) (e (add-partial a b)) (e (add-partial a c)) (move-type b) (n add)))",
        "(White (Man a1))",
        "",
    );
    let position = Position::new(&rules, "");
    assert_eq!(
        position.full()[..2],
        ["partial 1 Man a1 - b1", "partial 1 Man a1 - b1 (2)"]
    );
    assert_eq!(position.find("partial 1 Man a1 - b1"), "partial 1 Man a1 - b1");
    assert_eq!(position.find("partial 1 Man a1 - b1 (2)"), "partial 1 Man a1 - b1 (2)");
    assert_eq!(
        position.short(),
        ["partial 1 Man a1 - b1", "partial 1 Man a1 - b1 (2)", "a1-a2"]
    );
}

fn chess() -> Arc<Rules> {
    game(include_str!("../../../rules/chess.zrf"))
}

const CASTLING: &str = "(position (turn White) (White (King e1) (Rook a1 h1) (Pawn b7 d5)) (Black (King e8) (Rook a8) \
                        (Pawn e5)) (last e7 e5))";

#[test]
fn short_forms_of_chess_are_understood() {
    let position = Position::new(&chess(), CASTLING);
    for (text, expected) in [
        (
            "King e1 - g1 Rook h1 - f1 @ g1 0 0 @ f1 0 0",
            "King e1 - g1 Rook h1 - f1 @ g1 0 0 @ f1 0 0",
        ),
        ("e1-g1", "King e1 - g1 Rook h1 - f1 @ g1 0 0 @ f1 0 0"),
        ("e1g1", "King e1 - g1 Rook h1 - f1 @ g1 0 0 @ f1 0 0"),
        ("E1 G1", "King e1 - g1 Rook h1 - f1 @ g1 0 0 @ f1 0 0"),
        ("King e1-g1", "King e1 - g1 Rook h1 - f1 @ g1 0 0 @ f1 0 0"),
        ("12. Kg1", "King e1 - g1 Rook h1 - f1 @ g1 0 0 @ f1 0 0"),
        ("a1xa8", "Rook a1 x a8 @ a8 0 0"),
        ("a1-a8", "Rook a1 x a8 @ a8 0 0"),
        ("Rxa8", "Rook a1 x a8 @ a8 0 0"),
        ("h8", "Rook h1 - h8 @ h8 0 0"),
        ("d5-e6", "Pawn d5 - e6 x e5"),
        ("d5xe6", "Pawn d5 - e6 x e5"),
        ("d5-e6 x e5", "Pawn d5 - e6 x e5"),
        ("pawn d5 - e6 X e5", "Pawn d5 - e6 x e5"),
        ("b7-b8 = Queen", "Pawn b7 - b8 = Queen"),
        ("b7-b8=Q", "Pawn b7 - b8 = Queen"),
        ("b7b8q", "Pawn b7 - b8 = Queen"),
        ("b7b8n", "Pawn b7 - b8 = Knight"),
        ("b7xa8=N", "Pawn b7 x a8 = Knight"),
        ("b8=R", "Pawn b7 - b8 = Rook"),
        ("b7 b8 knight", "Pawn b7 - b8 = Knight"),
    ] {
        assert_eq!(position.find(text), expected, "{text}");
    }
}

#[test]
fn what_does_not_fit_is_explained() {
    let position = Position::new(&chess(), CASTLING);
    insta::assert_snapshot!(
        ["b7-b8", "a1", "e1-e9", "Quen d1-d4", "e4", "", "12.", "xyzzy plugh", "partial 2 e1-g1", "x d9", "b7-b8=King"]
            .map(|text| position.find(text))
            .join("\n"),
        @r"
    `b7-b8` fits several legal moves: Pawn b7 - b8 = Queen; Pawn b7 - b8 = Rook; Pawn b7 - b8 = Bishop; Pawn b7 - b8 = Knight
    `a1` is no legal move; near it are: a1-a2; a1-a3; a1-a4; a1-a5; a1-a6
    `e1-e9` is no legal move; near it are: e1-e2; e1-f2; e1-f1; e1-d1; e1-d2
    `Quen d1-d4` is no legal move; near it are: e1-d1; d5-d6
    `e4` is no legal move
    no move is given
    `12.` is no legal move
    `xyzzy plugh` is no legal move
    `partial 2 e1-g1` is no legal move; near it are: e1-g1; e1-f1; e1-d1; e1-c1; h1-g1
    `x d9` is no legal move
    `b7-b8=King` is no legal move; near it are: b7-b8 = Knight; b7-b8 = Rook; b7-b8 = Queen; b7-b8 = Bishop; b7xa8 = Knight
    "
    );
}

fn thud() -> Arc<Rules> {
    // A step may take any of the neighbours.
    row(
        "(piece (name Troll) (moves (e add) (e (capture b2) add) (e (capture c2) add) (e (capture b2) (capture c2) add)
            (e (capture b2) (capture a2) add)))",
        "(White (Troll a1))",
        "",
    )
}

#[test]
fn of_moves_with_optional_captures_the_one_written_is_meant() {
    let position = Position::new(&thud(), "");
    let all = [
        "a1-b1",
        "a1-b1 x b2",
        "a1-b1 x c2",
        "a1-b1 x b2 x c2",
        "a1-b1 x b2 x a2",
    ];
    assert_eq!(position.short(), all);
    for (text, expected) in [
        ("a1-b1", "Troll a1 - b1"),
        ("a1b1xb2", "Troll a1 - b1 x b2"),
        ("a1-b1 x c2 x b2", "Troll a1 - b1 x b2 x c2"),
        ("a1-b1xb2,c2", "Troll a1 - b1 x b2 x c2"),
        ("a1-b1 x a2", "Troll a1 - b1 x b2 x a2"),
    ] {
        assert_eq!(position.find(text), expected, "{text}");
    }
    insta::assert_snapshot!(["b1", "a1xb1"].map(|text| position.find(text)).join("\n"), @r"
    `b1` fits several legal moves: Troll a1 - b1; Troll a1 - b1 x b2; Troll a1 - b1 x c2; Troll a1 - b1 x b2 x c2; Troll a1 - b1 x b2 x a2
    `a1xb1` fits several legal moves: Troll a1 - b1 x b2; Troll a1 - b1 x c2; Troll a1 - b1 x b2 x c2; Troll a1 - b1 x b2 x a2
    ");
}

#[test]
fn drops_are_told_apart_by_their_piece() {
    let block = "(drops ((verify (position? b2)) add))";
    let rules = row(
        &format!(
            "(piece (name Man) {block} (moves (e add))) (piece (name King) (notation \"K\") {block} (moves (n add)))"
        ),
        "(White (Man off 1) (King off 1 b1))",
        "",
    );
    let position = Position::new(&rules, "");
    assert_eq!(position.full(), ["King b1 - b2", "White Man b2", "White King b2"]);
    assert_eq!(position.short(), ["b1-b2", "Man b2", "King b2"]);
    for (text, expected) in [
        ("man b2", "White Man b2"),
        ("K@b2", "White King b2"),
        ("b1b2", "King b1 - b2"),
        ("b2", "`b2` fits several legal moves: White Man b2; White King b2"),
    ] {
        assert_eq!(position.find(text), expected, "{text}");
    }
}

#[test]
fn moves_of_no_piece_are_found_by_what_they_do() {
    let rules = row(
        "(piece (name Man) (moves ((flip a1) (capture b1) add) ((change-type King) add))) (piece (name King))",
        "(White (Man a1)) (Black (Man b1))",
        "",
    );
    let position = Position::new(&rules, "");
    assert_eq!(position.short(), ["flip a1 x b1", "= King on a1"]);
    for (text, expected) in [
        ("flip a1", "flip a1 x b1"),
        ("x b1", "flip a1 x b1"),
        ("=king", "= King on a1"),
        ("a1 = King", "= King on a1"),
    ] {
        assert_eq!(position.find(text), expected, "{text}");
    }
}

#[test]
fn case_counts_where_it_tells_moves_apart() {
    let rules = game(
        "(game (title \"Case\") (players White Black) (turn-order White Black)
            (board (positions (a 0 0 1 1) (A 1 0 2 1) (b 2 0 3 1)) (links x (a b) (A b) (b A)))
            (board-setup (White (Man a A)))
            (piece (name Man) (moves (x add))))",
    );
    let position = Position::new(&rules, "");
    assert_eq!(position.find("A-b"), "Man A - b");
    assert_eq!(position.find("a-b"), "Man a - b");
    assert_eq!(
        position.find("a-B"),
        "`a-B` fits several legal moves: Man a - b; Man A - b"
    );
}

#[test]
fn sequences_are_split_at_semicolons_and_lines() {
    assert_eq!(
        split_moves(" e2-e4; e7-e5 ;; \n Ng1 - f3;"),
        ["e2-e4", "e7-e5", "Ng1 - f3"]
    );
    assert!(split_moves("  ").is_empty());
}

/// Texts of moves are unique and read back, along random games of all rule files.
#[test]
fn every_text_reads_back() {
    for (name, text) in crate::play::position::tests::rule_files() {
        for rules in load(&name, text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}")) {
            let rules = Arc::new(rules);
            let notation = Notation::new(&rules);
            let mut random = ChaCha8Rng::seed_from_u64(7);
            for _ in 0..3 {
                let mut session = Session::new(Arc::clone(&rules));
                let mut moves = MoveList::new();
                for ply in 0..60 {
                    if session
                        .legal_moves(&mut moves)
                        .expect("the rules do not fault")
                        .is_some()
                    {
                        break;
                    }
                    let (full, short) = (
                        notation.unique_texts(session.state(), &moves),
                        notation.short_texts(session.state(), &moves),
                    );
                    for index in (0..moves.len()).step_by(1 + moves.len() / 12) {
                        for text in [&full[index], &short[index]] {
                            let found = notation.find_move(session.state(), &moves, text);
                            assert_eq!(found, Ok(index), "{name} ply {ply}: {text}");
                        }
                    }
                    session
                        .make(&moves, random.random_range(0..moves.len()))
                        .expect("the rules do not fault");
                }
            }
        }
    }
}

proptest::proptest! {
    /// Whatever is typed, the answer comes soon and without a panic.
    #[test]
    fn any_text_is_answered(text in "\\PC{0,40}", moves in "[a-hA-H1-8x=,@ -]{0,60}") {
        thread_local!(static GAME: Position = Position::new(&chess(), CASTLING));
        GAME.with(|position| {
            position.find(&text);
            position.find(&moves);
        });
    }
}

/// The tail of a ply stands in the full text, and nobody need write it.
#[test]
fn what_the_tail_did_need_not_be_written() {
    use crate::model::CellId;
    use crate::program::ContinuationId;
    use crate::state::{Effect, MoveEntry};
    let rules = row(
        "(piece (name Man) (moves (e then add)))",
        "(White (Man a1)) (Black (Man d1 e1 f1))",
        "",
    );
    let state = State::start(&rules);
    let cell = |name: &str| rules.model.board.find(name).expect("a cell of the row");
    let step = Effect::Move {
        from: cell("a1"),
        to: cell("b1"),
    };
    let take = |name: &str| Effect::Capture { at: cell(name) };
    let advance = Effect::Move {
        from: cell("f1"),
        to: cell("e1"),
    };
    // An empty stage parts the tail from the move itself.
    let tail = [Effect::Then, Effect::Then, take("e1"), Effect::Then, advance];
    let mut list = MoveList::new();
    let mut push = |from: &str, to: &str, effects: &[&[Effect]]| {
        let effects = effects.concat();
        list.moves.push(MoveEntry {
            start: list.effects.len() as u32,
            len: effects.len() as u32,
            from: cell(from),
            to: cell(to),
            arrival: cell(to),
            continuation: ContinuationId::NONE,
        });
        list.effects.extend(effects);
    };
    push("a1", "b1", &[&[step], &tail]);
    push("a1", "b1", &[&[step, take("d1")], &tail]);
    push("a1", "a1", &[&tail[1..]]);
    let notation = Notation::new(&rules);
    let finder = notation.finder(&state, &list);
    assert_eq!(
        finder.full_texts(),
        [
            "Man a1 - b1 / x e1 / Man f1 - e1",
            "Man a1 - b1 x d1 / x e1 / Man f1 - e1",
            "Man a1 / x e1 / Man f1 - e1"
        ]
    );
    assert_eq!(finder.short_texts(), ["a1-b1", "a1-b1 x d1", "a1"]);
    for (text, index) in [
        ("a1-b1", 0),
        ("Man a1 - b1", 0),
        ("a1b1 / x e1 / Man f1 e1", 0),
        ("a1-b1!d1", 1),
        ("a1-b1xd1/xe1", 1),
        ("Man a1", 2),
        ("a1-a1", 2),
    ] {
        assert_eq!(finder.find(text), Ok(index), "{text}");
    }
    assert_eq!(list.own_effects(list.get(2)), []);
    let session = Session::from_state(Arc::clone(&rules), state);
    assert_eq!(session.captures(&list, 1), [cell("d1")]);
    assert_eq!(session.captures(&list, 2), [] as [CellId; 0]);
}

#[test]
fn labels_do_not_make_texts_alike() {
    let mut texts = ["a", "a", "a (2)", "b", "a"].map(str::to_owned);
    make_unique(&mut texts);
    assert_eq!(texts, ["a", "a (3)", "a (2)", "b", "a (4)"]);
}

/// Long lists, as of removals by choice and of shapes, are written and read in a moment.
#[test]
fn long_lists_are_written_soon() {
    let rules = game(
        "(game (title \"Wide\") (players A B) (turn-order A B)
            (board (grid (start-rectangle 0 0 1 1) (dimensions (\"a/b/c/d/e\" (1 0)) (\"5/4/3/2/1\" (0 1)))
                (directions (n 0 -1) (ne 1 -1) (e 1 0) (se 1 1) (s 0 1) (sw -1 1) (w -1 0) (nw -1 -1))))
            (board-setup (A (Man c3)) (B (Man b2 b3 b4 c2 c4 d2 d3 d4)))
            (piece (name Man) (moves ((pick (0 .. 8) (where neighbors enemy?) capture) then
                from (pick neighbors) (verify empty?) add))))",
    );
    let position = Position::new(&rules, "");
    assert_eq!(position.moves.len(), 8 * 128);
    let started = std::time::Instant::now();
    let notation = Notation::new(&rules);
    let finder = notation.finder(position.session.state(), &position.moves);
    assert_eq!(
        position.moves.get(finder.find("c3-b2!b2,c4").expect("a legal move")).to,
        rules.model.board.find("b2").expect("a cell")
    );
    assert!(finder.find("c3-b2!c4").is_err());
    let limit = if cfg!(debug_assertions) { 2000 } else { 500 };
    assert!(started.elapsed().as_millis() < limit, "{:?}", started.elapsed());
}
