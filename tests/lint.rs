//! `ludex lint`: what is doubtful in rules that are right.

use std::process::Command;

use ludex::RuleFile;
use ludex::diagnostic::Severity;
use ludex::expand::NoIncludes;

/// A game with one of each sort of doubt, and a variant that clears some of them up.
const DOUBTFUL: &str = r#"(define step ($d) ($d (verify empty?) add))
(define sum n n add)
(define forgotten (n (step n)))
(game (title "Doubtful")
  (players White Black)
  (turn-order (White early) Black)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (row 1 0)))
    (zone (name far) (players White) (positions a2 b2))
    (zone (name near) (positions a1))
    (zone (name later) (positions c1)))
  (variable round 0)
  (player-variable stays 0)
  (board-setup (White (Man a1)))
  (piece (name Man) (attribute fresh? true) (attribute ply 3) (constant rank 2)
    (moves
      (foreach $d (n row) (step $d))
      (n (capture row) (set round 1))
      ((sum) (set stays 1))
      (move-type late)
      (n (if (in-zone? near) n add))))
  (piece (name King) (moves (n add)))
  (piece (name Queen) (drops ((later) add)))
  (win-condition (White) (absolute-config Man (far)))
  (win-condition (Black) (absolute-config Man (far)))
  (loss-condition (White Black) (checkmated King))
  (loss-condition (White) (pieces-remaining 7))
  (draw-condition (White Black) (and (= 1 2) stalemated))
  (count-condition (or (= quiet-plies 300) (some (pieces any Queen)))))
(variant (title "Less So") (board-setup (White (Man a1) (Queen off 2))))
"#;

fn drawn(classic: bool) -> String {
    let mut file = RuleFile::read("try.zrf", DOUBTFUL.as_bytes(), &mut NoIncludes);
    let mut found = file.diagnostics().to_vec();
    found.extend((0..2).flat_map(|entry| file.compile(entry).diagnostics));
    assert!(found.iter().all(|found| found.severity == Severity::Note), "{found:?}");
    let doubts = file.lint(classic);
    let drawn: Vec<String> = doubts.iter().map(|doubt| file.render(doubt)).collect();
    drawn.join("\n\n")
}

#[test]
fn doubts_are_told() {
    insta::with_settings!({ snapshot_path => "data/lint", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("doubts", drawn(false));
    });
}

#[test]
fn words_beyond_the_classic_language_are_told_on_demand() {
    let words: String = drawn(true)
        .split("\n\n")
        .filter(|doubt| doubt.contains("Z0902"))
        .collect::<Vec<_>>()
        .join("\n\n");
    insta::with_settings!({ snapshot_path => "data/lint", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("classic", words);
    });
}

#[test]
fn the_command_line_has_the_shape_of_check() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("try.zrf");
    std::fs::write(&path, DOUBTFUL).expect("the file can be written");
    let lint = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
        let output = command.arg("lint").args(arguments).output().expect("ludex runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text)
    };
    let file = path.to_str().expect("the path is text");
    let (code, text) = lint(&[file]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains(": ok, 2 games"), "{text}");
    let (code, text) = lint(&[file, "--classic", "--json"]);
    assert_eq!(code, Some(1), "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).expect("the output is JSON");
    assert_eq!(json[0]["ok"], false);
    let codes: Vec<_> = json[0]["diagnostics"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|found| &found["code"])
        .collect();
    assert!(codes.iter().any(|&code| code == "Z0902") && codes.iter().any(|&code| code == "Z0903"));
    // A file of the classic language, with nothing to doubt.
    let (code, text) = lint(&["chess", "--classic"]);
    assert_eq!((code, text.trim().ends_with("ok, 1 game")), (Some(0), true), "{text}");
}
