//! Each reading of each disputed point of the language: a small game, what holds by default, and what holds with the
//! other reading, chosen from outside and in the rule file.

use ludex::RuleFile;
use ludex::expand::NoIncludes;
use ludex::model::quirk::QUIRKS;
use ludex::rulecheck::{self, Format, TestOptions};

/// Three columns and two rows; cases add the rest of the game.
const BOARD: &str = r#"(board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))"#;

/// A quirk with the value asked for, the rest of the game, and test lines for each of the readings.
struct Case {
    quirk: &'static str,
    value: &'static str,
    game: &'static str,
    by_default: &'static [&'static str],
    with_quirk: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        quirk: "empty-off-board",
        value: "true",
        game: "(players A) (turn-order A) (board-setup (A (Man a2)))
            (piece (name Man) (moves ((verify (empty? n)) e add) (e e add)))",
        by_default: &["moves: exactly a2-c2"],
        with_quirk: &["moves: exactly a2-b2; a2-c2"],
    },
    Case {
        quirk: "effect-off-board",
        value: "end",
        game: "(players A) (turn-order A) (board-setup (A (Man a2)))
            (piece (name Man) (moves ((capture n) e add) (e e add)))",
        by_default: &["moves: exactly a2-b2; a2-c2"],
        with_quirk: &["moves: exactly a2-c2"],
    },
    Case {
        quirk: "config-places",
        value: "any",
        game: "(players A) (turn-order A) (board-setup (A (Man a1)))
            (piece (name Man) (moves (e add)))
            (win-condition (A) (absolute-config Man (b1 c1)))",
        by_default: &["play: a1-b1", "outcome: none"],
        with_quirk: &["play: a1-b1", "outcome: A wins"],
    },
    Case {
        quirk: "no-move",
        value: "loss",
        game: "(players A B) (turn-order A B) (board-setup (A (Man a1)))
            (piece (name Man) (moves (e add)))",
        by_default: &["play: a1-b1", "outcome: draw"],
        with_quirk: &["play: a1-b1", "outcome: A wins"],
    },
    Case {
        quirk: "goals-in-chain",
        value: "turn-end",
        game: "(players A B) (turn-order A B) (board-setup (A (Man a1)) (B (Man a2)))
            (piece (name Man) (moves (move-type first) (e (add-partial second)) (move-type second) (s add) (n add)))
            (win-condition (A) (absolute-config Man (b1)))",
        by_default: &["play: a1-b1", "outcome: A wins"],
        with_quirk: &["play: a1-b1", "outcome: none", "play: b1-b2", "outcome: none"],
    },
    Case {
        quirk: "repetition",
        value: "ignore",
        game: "(players A) (turn-order A) (board-setup (A (Man a1)))
            (piece (name Man) (moves (e add) (w add)))",
        by_default: &["play: a1-b1; b1-a1; a1-b1; b1-a1", "outcome: draw"],
        with_quirk: &["play: a1-b1; b1-a1; a1-b1; b1-a1", "outcome: none"],
    },
    Case {
        quirk: "priorities",
        value: "before-check",
        // The Man that could take is pinned.
        game: "(players A B) (turn-order A B) (board-setup (A (King a1) (Man b1)) (B (Rook c1) (Man b2)))
            (move-priorities take)
            (piece (name King) (moves (move-type walk) (n (verify empty?) add)))
            (piece (name Man) (moves (move-type take) (n (verify enemy?) add)))
            (piece (name Rook) (moves (move-type walk) (w (while empty? add w) (verify enemy?) add)))
            (loss-condition (A) (checkmated King))",
        by_default: &["moves: exactly a1-a2"],
        with_quirk: &["outcome: draw"],
    },
    Case {
        quirk: "random-pieces",
        value: "neutral",
        game: "(players A ?Dice) (turn-order A ?Dice) (board-setup (A (Man a1)) (?Dice (Man b1)))
            (piece (name Man) (moves (e (verify enemy?) add) (n add)))",
        by_default: &["moves: exactly a1xb1; a1-a2"],
        with_quirk: &["moves: exactly a1-a2"],
    },
    Case {
        quirk: "promoted-attributes",
        value: "keep",
        game: PROMOTION,
        by_default: &["play: a1-b1 = King", "moves: exactly b1-c1; b1-b2"],
        with_quirk: &["play: a1-b1 = King", "moves: exactly b1-c1"],
    },
    Case {
        quirk: "promoted-attributes",
        value: "reset",
        game: PROMOTION,
        by_default: &["play: a1-b1 = King", "moves: exactly b1-c1; b1-b2"],
        with_quirk: &["play: a1-b1 = King", "moves: exactly b1-b2"],
    },
    Case {
        quirk: "flip-order",
        value: "named",
        game: "(players A ?Dice B) (turn-order A ?Dice B) (board-setup (A (Man a1)) (?Dice (Man a2)))
            (piece (name Man) (moves (e flip add)))
            (win-condition (B) (absolute-config Man (b1)))",
        by_default: &["play: a1-b1", "outcome: B wins"],
        with_quirk: &["play: a1-b1", "outcome: none"],
    },
    Case {
        quirk: "last-move",
        value: "last",
        game: "(players A) (turn-order A) (board-setup (A (Man a1) (Stone a2)))
            (piece (name Man) (moves (e cascade a2 (verify not-empty?) from e add) ((verify last-to?) e add)))
            (piece (name Stone) (moves (e add)))",
        by_default: &["play: Man a1 - b1 Stone a2 - b2", "moves: exactly b1-c1; b2-c2"],
        with_quirk: &["play: Man a1 - b1 Stone a2 - b2", "moves: exactly b2-c2"],
    },
    Case {
        quirk: "last-after-pass",
        value: "kept",
        game: "(players A) (turn-order A) (board-setup (A (Man a1))) (option \"pass turn\" true)
            (piece (name Man) (moves ((verify last-to?) n add) (e add)))",
        by_default: &["play: a1-b1; pass", "moves of b1: exactly b1-c1"],
        with_quirk: &["play: a1-b1; pass", "moves of b1: exactly b1-c1; b1-b2"],
    },
    Case {
        quirk: "unlisted-types",
        value: "never",
        game: "(players A) (turn-order A) (board-setup (A (Man a1))) (move-priorities take)
            (piece (name Man) (moves (e add) (move-type take) (n (verify enemy?) add)))",
        by_default: &["moves: exactly a1-b1"],
        with_quirk: &["outcome: draw"],
    },
    Case {
        quirk: "opposite",
        value: "inverse-first",
        // North is south for A, but south is not north.
        game: "(players A) (turn-order A) (board-setup (A (Man b1)))
            (board (grid (dimensions (\"a/b/c\" (9 0)) (\"2/1\" (0 9))) (directions (n 0 -1) (e 1 0) (s 0 1)))
              (symmetry A (n s)))
            (piece (name Man) (moves ((opposite n) add) (e add)))",
        by_default: &["moves: exactly b1-b2; b1-c1"],
        with_quirk: &["moves: exactly b1-c1"],
    },
    Case {
        quirk: "attack-moves",
        value: "offered",
        game: "(players A B) (turn-order A (B walk)) (board-setup (A (King a1)) (B (Rook c1)))
            (piece (name King) (moves (e (verify not-attacked?) add) (n add)))
            (piece (name Rook) (moves (move-type strike) (w (while empty? w) add) (move-type walk) (n add)))",
        by_default: &["moves: exactly a1-a2"],
        with_quirk: &["moves: exactly a1-a2; a1-b1"],
    },
    Case {
        quirk: "leftover-pieces",
        value: "drop",
        // The goal of the variant speaks of a piece that only the base game declares.
        game: "(players A) (turn-order A) (board-setup (A (Man a1)))
            (piece (name Man) (moves (e add))) (piece (name Box) (moves (n add))))
            (variant (title \"Boxes\") (board-setup (A (Box a1))) (piece (name Box) (moves (e add)))
              (win-condition (A) (pieces-remaining 0 Man))",
        by_default: &["variant: Boxes", "play: a1-b1", "outcome: A wins"],
        with_quirk: &["variant: Boxes", "play: a1-b1", "outcome: none"],
    },
    Case {
        quirk: "from-after-cascade",
        value: "stays",
        game: "(players A) (turn-order A) (board-setup (A (Man a1) (Stone b1)))
            (piece (name Man) (moves (e cascade e add n add)))
            (piece (name Stone) (moves (n add)))",
        by_default: &["moves: includes a1-c2"],
        with_quirk: &["moves: excludes a1-c2", "moves: includes b1-c2"],
    },
    Case {
        quirk: "longest-chains",
        value: "length",
        game: "(players A B) (turn-order A B) (board-setup (A (Man a1 a2)) (B (Man b1) (King b2)))
            (option \"maximal captures\" 2)
            (piece (name Man) (moves (e (verify enemy?) capture e (verify empty?) (add-partial jump))))
            (piece (name King) (moves (move-type jump) (e add) (w add) (n add)))",
        by_default: &["moves: exactly a2-c2 x b2"],
        with_quirk: &["moves: exactly a2-c2 x b2; a1-c1 x b1"],
    },
];

/// Both kinds can be tired, only the King can be proud.
const PROMOTION: &str = "(players A) (turn-order A) (board-setup (A (Man a1)))
    (piece (name Man) (attribute tired? true) (moves (e (add King))))
    (piece (name King) (attribute tired? false) (attribute proud? true)
      (moves ((verify tired?) e add) ((verify proud?) n add)))";

fn check(case: &Case, lines: &[&str], option: Option<&str>, quirk: Option<(&str, &str)>) {
    let lines: String = lines.iter().map(|line| format!(";! {line}\n")).collect();
    let option = option.unwrap_or_default();
    let source = format!(
        ";! test: {}\n{lines}(game (title \"Try\") {BOARD} {option}\n{})",
        case.quirk, case.game
    );
    let mut file = RuleFile::read("try.zrf", source.as_bytes(), &mut NoIncludes);
    if let Some((name, value)) = quirk {
        file.set_quirk(name, value).unwrap();
    }
    let result = rulecheck::run(&mut file, &TestOptions::default());
    let (passed, failed) = (result.passed(), result.failed());
    let report = rulecheck::write(&[result], Format::Human).unwrap();
    assert_eq!((passed, failed), (1, 0), "{source}\n{report}");
}

#[test]
fn each_reading_is_taken() {
    for case in CASES {
        check(case, case.by_default, None, None);
        check(case, case.with_quirk, None, Some((case.quirk, case.value)));
        let option = format!("(option \"ludex:{}\" {})", case.quirk, case.value);
        check(case, case.with_quirk, Some(&option), None);
    }
}

#[test]
fn what_is_said_from_outside_counts_more() {
    for case in CASES {
        let default = QUIRKS.iter().find(|(name, ..)| *name == case.quirk).unwrap().2[0];
        let option = format!("(option \"ludex:{}\" {})", case.quirk, case.value);
        check(case, case.by_default, Some(&option), Some((case.quirk, default)));
    }
}

#[test]
fn every_value_has_a_case() {
    for (name, _, values) in QUIRKS {
        for value in &values[1..] {
            assert!(
                CASES.iter().any(|case| case.quirk == *name && case.value == *value),
                "{name}={value}"
            );
        }
    }
}
