//! What the words beyond the classic language become in the model, one snapshot for each group of words: a line of
//! rules, and below it what is kept of it.

use std::fmt::{Debug, Write};

use ludex::diagnostic::{Diagnostic, Severity, Sink};
use ludex::expand::{NoIncludes, expand};
use ludex::model::{self, GameModel};
use ludex::source::SourceMap;

const GAME: &str = r#"(define both (friend? $1) (enemy? $1))
(game (title "Try")
  (players White Black Grey)
  (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1) (e 1 0)))
    (zone (name far) (players White) (positions a2 b2)))
  (variable round 1) (variable charges 8) (player-variable stays 0)
  (board-setup (White (Man a1)))
  (piece (name Man) (attribute fresh true) (attribute hp 7) (constant rank 3) (moves @BLOCK@))
  (piece (name King) (attribute moved false) (constant rank 9)) @SECTIONS@)
"#;

fn build(block: &str, sections: &str) -> GameModel {
    let source = GAME.replace("@BLOCK@", block).replace("@SECTIONS@", sections);
    let mut sources = SourceMap::new();
    let mut sink = Sink::new();
    let root = sources.add("try.zrf", source.as_bytes());
    let mut expander = expand(&mut sources, root, &mut NoIncludes, &mut sink);
    let model = model::build(&mut expander, 0, &[], &mut sink);
    let is_note = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Note;
    let is_right = sink.diagnostics().iter().all(is_note);
    assert!(is_right, "{block}{sections}: {:?}", sink.diagnostics());
    model.expect("the game has no errors")
}

/// Returns a part of the model in one line, without the places in the text.
fn shown(part: &impl Debug) -> String {
    let mut text = format!("{part:?}");
    while let Some(start) = text.find("site: Site {") {
        let end = start + text[start..].find(") }").map_or(0, |at| at + 3);
        // The last of its fields leaves the comma before it.
        let from = text[..start].trim_end_matches([' ', ',']).len();
        let is_last = !text[end..].starts_with(',');
        let (from, end) = if is_last { (from, end) } else { (start, end + 2) };
        text.replace_range(from..end, "");
    }
    text.replace("Instruction { kind: ", "{ ")
}

fn blocks(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let model = build(&format!("({line} add)"), "");
        let block = &model.kinds[0].moves[0];
        let (_, instructions) = block.instructions.split_last().expect("the block ends with add");
        let kinds: Vec<_> = instructions.iter().map(|instruction| &instruction.kind).collect();
        writeln!(text, "{line}\n    {}", shown(&kinds)).expect("a string can be written to");
        if !block.lets.is_empty() {
            writeln!(text, "    lets {:?}", block.lets).expect("a string can be written to");
        }
    }
    text
}

fn sections<T: Debug>(lines: &[&str], part: impl Fn(&GameModel) -> T) -> String {
    let mut text = String::new();
    for line in lines {
        let model = build("(add)", line);
        writeln!(text, "{line}\n    {}", shown(&part(&model))).expect("a string can be written to");
    }
    text
}

macro_rules! snapshot {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ snapshot_path => "data/model", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

#[test]
fn numbers() {
    snapshot!(
        "numbers",
        blocks(&[
            "(set round 5)",
            "(set round -5)",
            "(set round hp)",
            "(set round (hp))",
            "(set round (hp n))",
            "(set round (rank))",
            "(set round (rank a1))",
            "(set round (rank King))",
            "(set round charges)",
            "(set round stays)",
            "(set round (stays Black))",
            "(set round (+ 1 2 3))",
            "(set round (- 1))",
            "(set round (- 9 2 3))",
            "(set round (* 2 (/ 9 4) (mod 9 4)))",
            "(set round (min 1 hp (max 2 ply)))",
            "(set round (abs (sign quiet-plies)))",
            "(set round (select (empty? n) 1 (select fresh 2 0)))",
            "(set round (count board))",
            "(set round (sum (pieces friend) rank))",
            "(set round (least neighbors (greatest (neighbors n) row)))",
            "(set round (+ column (row n) (coordinate 1 a1)))",
            "(set round (distance here a1))",
            "(set round (distance from (opposite n) (n e)))",
            "(set round (+ owner (owner n) (owner (cell 1 2))))",
            "(set round (+ (in-hand friend Man) (in-hand Black) (in-hand any Man King)))",
            "(set round (+ passes repetitions (repetitions board)))",
        ])
    );
}

#[test]
fn places_and_sets() {
    snapshot!(
        "places",
        blocks(&[
            "(go (cell 0 (+ 1 1)))",
            "(go (pieces Man))",
            "(go (min-by board (distance here a1) row))",
            "(capture from) (capture to) (capture mark) (capture last-from) (capture last-to) (capture here)",
            "(go far)",
            "(let there n) (go there) (capture there) (let there (opposite n))",
        ])
    );
    snapshot!(
        "sets",
        blocks(&[
            "(pick board)",
            "(pick far)",
            "(pick (zone far))",
            "(pick a1)",
            "(pick n)",
            "(pick neighbors)",
            "(pick (neighbors n))",
            "(pick (neighbors (n (opposite e)) a1))",
            "(pick (ray n empty?))",
            "(pick (ray (n e) (and empty? (not-in-zone? far)) a1))",
            "(pick pieces)",
            "(pick (pieces enemy))",
            "(pick (pieces neutral Man King))",
            "(pick (pieces Black))",
            "(pick (pieces King))",
            "(pick (group here friend?))",
            "(pick (group (where far friend?) (or (both here)) (n e)))",
            "(pick (join a1 far (pieces any)))",
            "(pick (select fresh board far))",
        ])
    );
}

#[test]
fn conditions() {
    snapshot!(
        "conditions",
        blocks(&[
            "(verify hp)",
            "(verify (fresh n))",
            "(verify (= hp 3))",
            "(verify (<> here a1))",
            "(verify (< n (pieces King)))",
            "(verify (and (<= 1 2) (> 3 2) (>= ply 0)))",
            "(verify (= (select fresh a1 b1) here))",
            "(verify (some board))",
            "(verify (some (pieces) (and friend? (empty? n))))",
            "(verify (not (every neighbors (some neighbors))))",
            "(verify (owner? White) (not-owner? friend n) (owner? neutral a1))",
        ])
    );
}

#[test]
fn what_is_kept_and_changed() {
    snapshot!(
        "effects",
        blocks(&[
            "(set-attribute fresh false)",
            "(set-attribute fresh (empty? n))",
            "(set-attribute fresh moved)",
            "(set-attribute fresh hp)",
            "(set-attribute fresh (hp n))",
            "(set-attribute hp 3 n)",
            "(set-attribute hp (+ hp 1) (pieces King))",
            "(set stays 3)",
            "(set stays Black 3)",
            "(set stays friend (stays Black))",
            "(increase hp -1)",
            "(increase hp 2 n)",
            "(increase round 1) (increase stays 1) (increase stays 1 Black)",
            "(let a 1) (let a (+ a 1)) (let b here) (verify (= b a1))",
            "(capture (pieces King)) (flip n) (change-owner from) (change-type King to) (create Black King a1)",
        ])
    );
}

#[test]
fn choice_and_stages() {
    snapshot!(
        "choice",
        blocks(&[
            "(choose (n) (e e) ())",
            "(pick 2 neighbors capture)",
            "(pick (0 .. charges) neighbors capture (increase charges -1))",
            "(pick (1 .. *) far flip)",
            "(pick neighbors capture)",
            "(pick hp neighbors capture)",
            "(repeat 3 n)",
            "(repeat (0 .. (count board)) n (verify empty?))",
            "(repeat (foreach $n (2) $n) n)",
            "(for-each (pieces enemy) flip)",
        ])
    );
    snapshot!(
        "stages",
        blocks(&[
            "n then (capture n) then",
            "(move-piece a1 b1) (move-piece here n)",
            "(label \"to\" 3 here King far)",
            "again (again)",
            "(rate 1 (count board))",
        ])
    );
}

#[test]
fn sections_of_turns() {
    snapshot!(
        "turns",
        [
            sections(
                &["(actions (White) ((capture a1) add) (move-type late) ((choose () ((set round 2))) add))"],
                |model| { model.extensions.actions.clone() }
            ),
            sections(
                &["(after-move (White Black) (let a 1) (verify (= a round)) (set round 2))"],
                |model| model.extensions.after_moves.clone()
            ),
            sections(
                &[
                    "(skip-when White (> (stays friend) 0))",
                    "(skip-when (White Black) (= ply 3))"
                ],
                |model| model.extensions.skips.clone()
            ),
            sections(
                &[
                    "(actor (pieces Man) (order hp place-here) (new-round (for-each (pieces) (set-attribute hp 7))))"
                        .replace("place-here", "(column here)")
                        .as_str()
                ],
                |model| model.extensions.actor.clone()
            ),
            sections(&["(maximize-turn round)"], |model| model
                .extensions
                .maximize_turn
                .clone()),
            sections(&["(turn-order White (3 Black) repeat (2 White))"], |model| model
                .turn_order
                .clone()),
        ]
        .concat()
    );
}

#[test]
fn sections_of_ends_and_players() {
    snapshot!(
        "ends",
        [
            sections(
                &[
                    "(end-condition (= round 3)) (score (White Black) (count (pieces friend))) (score Grey 1)",
                    "(end-condition (or stalemated (> ply 9))) (score White 1)",
                    "(end-condition (or (= ply 4) (> ply 9))) (score White 1)",
                ],
                |model| (model.goals.clone(), model.extensions.scores.clone())
            ),
            sections(&["(match 2)", "(match 2 swap-sides)"], |model| model
                .extensions
                .match_rule),
            sections(
                &[
                    "(option \"end by agreement\" true)",
                    "(option \"repetition draw\" false)",
                ],
                |model| (model.options.end_by_agreement, model.options.repetition_draw)
            ),
            sections(
                &[
                    "(policy (White))",
                    "(policy (White Black) (forced (not (some (pieces friend King)))) (ties random))",
                    "(policy Black (ties first))",
                ],
                |model| model.extensions.policies.clone()
            ),
            sections(&["(evaluate (White Black) (mobility friend))"], |model| model
                .extensions
                .evaluations
                .clone()),
            sections(
                &["(level Easy (depth 2) (width 12)) (level \"Very Hard\" (milliseconds 500) (random 5))"],
                |model| model.extensions.levels.clone()
            ),
        ]
        .concat()
    );
}

#[test]
fn shapes_and_setups() {
    let shape = |lines: &[&str]| sections(lines, |model| model.kinds.last().map(|kind| kind.shape.clone()));
    snapshot!(
        "setups",
        [
            shape(&[
                "(piece (name V) (shape \"#./##\"))",
                "(piece (name I) (shape \"###\" fixed))",
                "(piece (name L) (shape \"#/##\" turns-only))",
            ]),
            sections(
                &[
                    "(board-setup (White (Man off *)) (Black (King a3 off 2)))",
                    "(board-setup (White (Man a1 (b1 (hp 9) (fresh false)) (c1 (hp 7)))))",
                    "(board-picture (x White Man) (o Black King) \"x.o\" \"...\" \".o.\")",
                ],
                |model| (model.setup.clone(), model.extensions.setup_attributes.clone())
            ),
            sections(
                &[
                    "(random-setup (White (Man 2 (where board (= row 0)))) (let n 3) (Black (King n (ray e true a1))))",
                    "(random-setup (verify (some board empty?)))",
                    "(random-setup)",
                ],
                |model| model.extensions.random_setup.clone()
            ),
        ]
        .concat()
    );
}

#[test]
fn words_are_used_where_no_name_of_the_file_hides_them() {
    let model = build("((pick (where neighbors (> hp 2))) add)", "(variable ply 3) (match 2)");
    assert_eq!(
        model.extensions.words,
        [
            ">",
            "attribute",
            "constant",
            "match",
            "neighbors",
            "pick",
            "player-variable",
            "variable",
            "where"
        ]
    );
    assert_eq!(model.extensions.words.len(), model.extensions.first_uses.len());
    assert!(!model.is_classic());
    // A variable of the name of a word counts as the variable.
    let model = build("((set ply ply) add)", "(variable ply 3)");
    assert!(!model.extensions.words.contains(&"ply"));
}
