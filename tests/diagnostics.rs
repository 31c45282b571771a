//! What authors read when something in a game is wrong: one small rule file for each kind of finding of the model, with
//! the whole message as a snapshot. Snapshots show source and message together.

use std::collections::BTreeSet;

use ludex::RuleFile;
use ludex::diagnostic::{Code, Severity};
use ludex::expand::NoIncludes;

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
    for &(name, replaced, by, code) in CASES {
        let (_, drawn, codes) = run(replaced, by);
        assert_eq!(codes.first().map(|&(code, _)| code), Some(code), "{name}:\n{drawn}");
        insta::with_settings!({ snapshot_path => "data/diagnostics", prepend_module_to_snapshot => false, omit_expression => true }, {
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
    let shown: BTreeSet<Code> = CASES.iter().map(|&(.., code)| code).collect();
    for &code in Code::ALL {
        let of_the_model = ["Z03", "Z04", "Z05"]
            .iter()
            .any(|stage| code.number().starts_with(stage));
        assert!(!of_the_model || shown.contains(&code), "{code} has no case");
    }
}
