//! What authors read when something in a game is wrong: one small rule file for each kind of finding of the model, with
//! the whole message as a snapshot. Snapshots show source and message together.

use std::collections::BTreeSet;
use std::sync::Arc;

use ludex::diagnostic::{Code, Severity};
use ludex::expand::NoIncludes;
use ludex::{MoveList, RuleFile, Session};

/// A game that is right; cases put something in place of a part of it.
const RIGHT: &str = r#"(game (title "Try")
  (players White Black)
  (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (e 1 0)))
    (zone (name far) (players White) (positions a2 b2)))
  (board-setup (White (Man a1)))
  (piece (name Man) (attribute fresh? true) (moves (n (verify empty?) add)))
  (win-condition (White) (absolute-config Man (far))))
"#;

/// A name, the part of [`RIGHT`] that is replaced, what stands in its place, and the code that is expected first.
const CASES: &[(&str, &str, &str, Code)] = &[
    ("no-players", "(players White Black)", "", Code::MissingSection),
    ("nobody", "(players White Black)", "(players)", Code::BadForm),
    ("no-moves", "(moves (n (verify empty?) add))", "", Code::MissingSection),
    (
        "misspelt-section",
        "(turn-order White Black)",
        "(turn-ordr White Black)",
        Code::UnknownSection,
    ),
    (
        "misspelt-in-board",
        "(zone (name far)",
        "(zon (name far)",
        Code::UnknownSection,
    ),
    (
        "misspelt-in-piece",
        "(attribute fresh? true)",
        "(atribute fresh? true)",
        Code::UnknownSection,
    ),
    (
        "player-twice",
        "(players White Black)",
        "(players White Black White)",
        Code::DuplicateName,
    ),
    ("cell-twice", "(Man a1)", "(Man a1 b1 a1)", Code::DuplicateName),
    (
        "unknown-player-in-turns",
        "(turn-order White Black)",
        "(turn-order White Blak)",
        Code::UnknownName,
    ),
    (
        "unknown-piece-in-setup",
        "(White (Man a1))",
        "(White (Mann a1))",
        Code::UnknownName,
    ),
    ("unknown-cell-in-setup", "(Man a1)", "(Man a9)", Code::UnknownName),
    (
        "unknown-cell-in-zone",
        "(positions a2 b2)",
        "(positions a2 b3)",
        Code::UnknownName,
    ),
    (
        "link-of-one",
        "(board-setup",
        "(board (grid (dimensions (\"a/b\" (1 0)))) (links n (a))) (board-setup",
        Code::BadForm,
    ),
    ("number-expected", "(n 0 -1)", "(n 0 up)", Code::BadNumber),
    ("grid-too-large", "(\"2/1\" (0 9))", HUGE, Code::TooMany),
    (
        "unknown-option",
        "(board-setup",
        "(option \"pass turns\" true) (board-setup",
        Code::UnknownOption,
    ),
    (
        "unknown-option-value",
        "(board-setup",
        "(option \"pass turn\" perhaps) (board-setup",
        Code::BadOption,
    ),
    (
        "unknown-quirk",
        "(board-setup",
        "(option \"ludex:no-moves\" loss) (board-setup",
        Code::UnknownOption,
    ),
    (
        "unknown-quirk-value",
        "(board-setup",
        "(option \"ludex:no-move\" los) (board-setup",
        Code::BadOption,
    ),
    (
        "drops-without-stock",
        "(moves (n (verify empty?) add))",
        "(drops ((verify empty?) add))",
        Code::NeverUsed,
    ),
    (
        "plug-in",
        "(board-setup",
        "(engine \"try.dll\") (board-setup",
        Code::PluginGame,
    ),
    (
        "misspelt-instruction",
        "(verify empty?)",
        "(varify empty?)",
        Code::UnknownInstruction,
    ),
    ("bare-condition", "(verify empty?)", "empty?", Code::UnknownInstruction),
    (
        "misspelt-direction",
        "(n (verify empty?)",
        "(nn (verify empty?)",
        Code::UnknownInstruction,
    ),
    (
        "misspelt-condition",
        "(verify empty?)",
        "(verify emty?)",
        Code::UnknownCondition,
    ),
    (
        "misspelt-attribute",
        "(verify empty?)",
        "(verify fresh)",
        Code::UnknownCondition,
    ),
    ("if-without-condition", "(verify empty?)", "(if)", Code::BadInstruction),
    (
        "flag-without-name",
        "(verify empty?)",
        "(set-flag)",
        Code::BadInstruction,
    ),
    ("stray-else", "(verify empty?)", "else", Code::StrayElse),
    (
        "second-else",
        "(verify empty?)",
        "(if empty? add else n add else n)",
        Code::StrayElse,
    ),
    (
        "unknown-zone",
        "(verify empty?)",
        "(verify (in-zone? near))",
        Code::UnknownName,
    ),
    (
        "misspelt-goal",
        "(absolute-config Man (far))",
        "(absolut-config Man (far))",
        Code::UnknownGoal,
    ),
    (
        "goal-without-places",
        "(absolute-config Man (far))",
        "(absolute-config Man)",
        Code::BadGoal,
    ),
    (
        "goal-of-nobody",
        "(win-condition (White)",
        "(win-condition (Whyte)",
        Code::UnknownName,
    ),
    (
        "negative-count",
        "(absolute-config Man (far))",
        "(pieces-remaining -1)",
        Code::BadGoal,
    ),
    (
        "unknown-number",
        "(verify empty?)",
        "(verify (> hp 0))",
        Code::UnknownNumber,
    ),
    (
        "condition-as-number",
        "(verify empty?)",
        "(verify (= empty? 1))",
        Code::WrongSort,
    ),
    (
        "number-as-condition",
        "(verify empty?)",
        "(verify (count board))",
        Code::WrongSort,
    ),
    (
        "no-current-position",
        "(absolute-config Man (far))",
        "(empty? n)",
        Code::Misplaced,
    ),
    ("in-a-macro", "(verify empty?)", "(check n)", Code::UnknownName),
];

/// The same for what goes beyond the classic language.
const CASES_BEYOND: &[(&str, &str, &str, Code)] = &[
    (
        "beyond-number-as-condition",
        "(verify empty?)",
        "(verify hp)",
        Code::UnknownCondition,
    ),
    (
        "beyond-sum-as-condition",
        "(verify empty?)",
        "(verify (+ 1 (count board)))",
        Code::WrongSort,
    ),
    (
        "beyond-test-as-number",
        "(verify empty?)",
        "(verify (> (empty? n) 0))",
        Code::WrongSort,
    ),
    (
        "beyond-set-as-number",
        "(verify empty?)",
        "(verify (> (pieces Man) 0))",
        Code::WrongSort,
    ),
    (
        "beyond-piece-as-number",
        "(verify empty?)",
        "(verify (> Man 0))",
        Code::WrongSort,
    ),
    (
        "beyond-player-as-set",
        "(verify empty?)",
        "(verify (some White))",
        Code::WrongSort,
    ),
    (
        "beyond-number-as-place",
        "(verify empty?)",
        "(go (count board))",
        Code::WrongSort,
    ),
    (
        "beyond-unknown-attribute",
        "(verify empty?)",
        "(set-attribute frsh? 3)",
        Code::UnknownName,
    ),
    (
        "beyond-unknown-variable",
        "(verify empty?)",
        "(set rond 3)",
        Code::UnknownName,
    ),
    (
        "beyond-let-of-both",
        "(verify empty?)",
        "(let x 1) (let x n)",
        Code::WrongSort,
    ),
    (
        "beyond-let-set",
        "(verify empty?)",
        "(let x 1) (set x 2)",
        Code::WrongSort,
    ),
    (
        "beyond-empty-choose",
        "(verify empty?)",
        "(choose)",
        Code::BadInstruction,
    ),
    (
        "beyond-choose-brackets",
        "(verify empty?)",
        "(choose (set-flag f) ())",
        Code::BadInstruction,
    ),
    (
        "beyond-range-in-one-word",
        "(verify empty?)",
        "(repeat (0..3) n)",
        Code::BadInstruction,
    ),
    (
        "beyond-range-alone",
        "(verify empty?)",
        "(repeat 0..3 n)",
        Code::BadInstruction,
    ),
    (
        "beyond-cell-indices",
        "(verify empty?)",
        "(go (cell 1))",
        Code::BadInstruction,
    ),
    (
        "beyond-huge-number",
        "(verify empty?)",
        "(verify (= ply 3000000000))",
        Code::BadNumber,
    ),
    (
        "beyond-cells",
        "(verify empty?)",
        "(verify (every cells empty?))",
        Code::Misplaced,
    ),
    (
        "beyond-mobility",
        "(verify empty?)",
        "(verify (> (mobility White) 1))",
        Code::Misplaced,
    ),
    (
        "beyond-forgotten-then",
        "(verify empty?)",
        "(pick neighbors) (capture n) (verify (empty? n))",
        Code::Stale,
    ),
    (
        "beyond-no-then-at-attribute",
        "(verify empty?)",
        "(set-attribute fresh? 2) (verify fresh?)",
        Code::Stale,
    ),
    (
        "beyond-no-add",
        "(n (verify empty?) add)",
        "(n add) ((pick neighbors) capture)",
        Code::NoMove,
    ),
    (
        "beyond-shape-letters",
        "(attribute fresh? true)",
        "(shape \"#x/##\")",
        Code::BadForm,
    ),
    (
        "beyond-shape-way",
        "(attribute fresh? true)",
        "(shape \"#./##\" flat)",
        Code::BadForm,
    ),
    (
        "beyond-shape-moves",
        "(attribute fresh? true)",
        "(shape \"#./##\")",
        Code::NeverUsed,
    ),
    (
        "beyond-picture-too-wide",
        "(board-setup (White (Man a1)))",
        "(board-picture (x White Man) \"...\" \"x..x\")",
        Code::BadForm,
    ),
    (
        "beyond-picture-too-high",
        "(board-setup (White (Man a1)))",
        "(board-picture (x White Man) \"...\" \"...\" \"x..\")",
        Code::BadForm,
    ),
    (
        "beyond-picture-letter",
        "(board-setup (White (Man a1)))",
        "(board-picture (xx White Man) (y White Man) (y Black Man) \"...\" \"y..\")",
        Code::BadForm,
    ),
    ("beyond-two-scores", "(board-setup", SCORES, Code::DuplicateName),
    (
        "beyond-two-policies",
        "(board-setup",
        "(policy (White)) (policy (Black White)) (board-setup",
        Code::DuplicateName,
    ),
    (
        "beyond-score-without-end",
        "(board-setup",
        "(score (White Black) 1) (board-setup",
        Code::Unscored,
    ),
    (
        "beyond-end-without-score",
        "(board-setup",
        "(end-condition stalemated) (board-setup",
        Code::Unscored,
    ),
    (
        "beyond-no-mover-in-random-setup",
        "(board-setup",
        "(random-setup (verify (not (some (pieces friend))))) (board-setup",
        Code::Misplaced,
    ),
    (
        "beyond-zone-of-players",
        "(board-setup",
        "(random-setup (White (Man 1 far))) (board-setup",
        Code::Misplaced,
    ),
    (
        "beyond-no-mover-in-new-round",
        "(board-setup",
        "(actor (pieces) (order ply) (new-round (create Man b1) (change-owner a1) (choose () ()) add)) (board-setup",
        Code::Misplaced,
    ),
    (
        "beyond-no-mover-for-variables",
        "(board-setup",
        "(player-variable stays 0) (actor (pieces) (order stays) (new-round (increase stays 1))) (board-setup",
        Code::Misplaced,
    ),
    (
        "beyond-actor-part",
        "(board-setup",
        "(actor (pieces) (ordre ply)) (board-setup",
        Code::BadForm,
    ),
    (
        "beyond-level",
        "(board-setup",
        "(level Easy (depht 2)) (board-setup",
        Code::BadForm,
    ),
    ("beyond-match", "(board-setup", "(match 0) (board-setup", Code::BadForm),
    (
        "beyond-variable-twice",
        "(board-setup",
        "(variable a 1) (player-variable a 2) (board-setup",
        Code::DuplicateName,
    ),
    (
        "beyond-constant-and-attribute",
        "(attribute fresh? true)",
        "(attribute a 2) (constant a 3)",
        Code::DuplicateName,
    ),
];

const SCORES: &str = "(end-condition stalemated) (score (White Black) 1) (score (White) 2) (board-setup";

const HUGE: &str = "(\"1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25/26/27/28/29/30\" (0 9)) \
(\"1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25/26/27/28/29/30\" (0 9)) \
(\"1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25/26/27/28/29/30\" (0 9))";

/// Returns the source of a case, its messages drawn, and their codes.
fn run(replaced: &str, by: &str) -> (String, String, Vec<(Code, Severity)>) {
    assert!(RIGHT.contains(replaced), "{replaced}");
    let source = format!(
        "(define check (verify (piece? Mna $1)))\n{}",
        RIGHT.replace(replaced, by)
    );
    let mut file = RuleFile::read("try.zrf", source.as_bytes(), &mut NoIncludes);
    let mut diagnostics = file.diagnostics().to_vec();
    diagnostics.extend(file.compile(0).diagnostics);
    let drawn: Vec<String> = diagnostics.iter().map(|diagnostic| file.render(diagnostic)).collect();
    let codes = diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.code, diagnostic.severity))
        .collect();
    (source, drawn.join("\n\n"), codes)
}

#[test]
fn the_game_is_right_before_anything_is_replaced() {
    let (_, drawn, _) = run("(title \"Try\")", "(title \"Try\")");
    assert_eq!(drawn, "");
}

#[test]
fn every_fault_has_its_message() {
    for &(name, replaced, by, code) in CASES.iter().chain(CASES_BEYOND) {
        let (_, drawn, codes) = run(replaced, by);
        assert_eq!(codes.first().map(|&(code, _)| code), Some(code), "{name}:\n{drawn}");
        insta::with_settings!({ snapshot_path => "data/diagnostics", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, format!("in place of `{replaced}`: `{}`\n\n{drawn}", shortened(by)));
        });
    }
}

/// Rules that are read without a word and fault when they are played.
const FAULTS: &[(&str, &str, &str, Code)] = &[
    (
        "fault-division",
        "(verify empty?)",
        "(verify (= 1 (/ 6 (count (pieces Black)))))",
        Code::DivisionByZero,
    ),
    ("fault-remainder", "(verify empty?)", "(half 0)", Code::DivisionByZero),
    (
        "fault-random-setup",
        "(board-setup",
        "(random-setup (White (Man 1 a2)) (verify (empty? b2)) (verify (piece? Man c1))) (board-setup",
        Code::RandomSetup,
    ),
    (
        "fault-no-room",
        "(board-setup",
        "(random-setup (White (Man 3 (join a2 b2)))) (board-setup",
        Code::RandomSetup,
    ),
];

#[test]
fn faults_of_play_name_their_line() {
    for &(name, replaced, by, code) in FAULTS {
        assert!(RIGHT.contains(replaced), "{replaced}");
        let source = format!(
            "(define half (verify (= 0 (mod 7 $1))))\n{}",
            RIGHT.replace(replaced, by)
        );
        let mut file = RuleFile::read("try.zrf", source.as_bytes(), &mut NoIncludes);
        let compiled = file.compile(0);
        assert!(compiled.diagnostics.is_empty(), "{name}: {:?}", compiled.diagnostics);
        let rules = Arc::new(compiled.rules.expect("the rules have no error"));
        let fault = Session::new(rules.clone())
            .legal_moves(&mut MoveList::new())
            .expect_err(name);
        let diagnostic = file.explain_fault(&rules, fault);
        assert_eq!(diagnostic.code, code, "{name}");
        insta::with_settings!({ snapshot_path => "data/diagnostics", prepend_module_to_snapshot => false, omit_expression => true }, {
            let drawn = file.render(&diagnostic);
            insta::assert_snapshot!(name, format!("in place of `{replaced}`: `{}`\n\n{drawn}", shortened(by)));
        });
    }
}

fn shortened(text: &str) -> String {
    if text.len() > 80 {
        format!("{}…", text.chars().take(80).collect::<String>())
    } else {
        text.to_owned()
    }
}

#[test]
fn every_code_of_the_model_is_shown() {
    let shown: BTreeSet<Code> = CASES.iter().chain(CASES_BEYOND).map(|&(.., code)| code).collect();
    for &code in Code::ALL {
        let of_the_model = ["Z03", "Z04", "Z05"]
            .iter()
            .any(|stage| code.number().starts_with(stage));
        assert!(!of_the_model || shown.contains(&code), "{code} has no case");
    }
}
