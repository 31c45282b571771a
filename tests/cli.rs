//! The command line as scripts use it: names, arguments, exit codes, JSON.

mod running;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use running::{Run, finish, ludex};
use serde_json::Value;
use tempfile::TempDir;

/// A small game whose lines of play can be seen at once: one step or two to the right, and whoever comes first wins.
const RACE: &str = r#";! test: two ways to begin
;! moves: exactly  a1-b1; a1-c1
;! play: a1-c1; a2-b2; c1-d1
;! outcome: A wins; reason Man on d1
(game (title "Race") (players A B) (turn-order A B)
  (board (grid (dimensions ("a/b/c/d" (1 0)) ("2/1" (0 1))) (directions (e 1 0))))
  (board-setup (A (Man a1)) (B (Man a2)))
  (piece (name Man) (moves (e add) (e e add)))
  (win-condition (A) (absolute-config Man (d1)))
  (win-condition (B) (absolute-config Man (d2))))
(variant (title "Long Race") (option "pass turn" true))
"#;

fn run(arguments: &[&str]) -> Run {
    finish(ludex().args(arguments).output().unwrap())
}

fn run_with_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = ludex()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    finish(child.wait_with_output().unwrap())
}

fn file(folder: &TempDir, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn race() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "race.zrf", RACE);
    (folder, path)
}

#[test]
fn every_command_has_help_with_an_example() {
    let help = run(&["--help"]).exits(0).stdout;
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names: Vec<&str> = commands
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.len() > 10, "{help}");
    for name in names.into_iter().filter(|&name| name != "help") {
        run(&[name, "--help"]).exits(0).says(&format!("Example: ludex {name}"));
    }
    run(&["--version"]).exits(0).says("ludex ");
    run(&["moves"]).exits(2);
    run(&["dance"]).exits(2);
}

#[test]
fn games_are_listed() {
    let games = run(&["games", "--json"]).exits(0).json();
    let chess = games
        .as_array()
        .unwrap()
        .iter()
        .find(|game| game["name"] == "chess")
        .unwrap();
    assert_eq!(
        (&chess["title"], &chess["file"]),
        (&Value::from("Chess"), &Value::from("chess.zrf"))
    );
    assert!(chess["variants"].is_array());
    run(&["games"]).exits(0).says("thud-zrf");
}

#[test]
fn check_tells_what_is_wrong_and_where() {
    let (folder, path) = race();
    run(&["check", &path]).exits(0).says("ok, 2 games");
    let wrong = file(
        &folder,
        "wrong.zrf",
        RACE.replace("(turn-order A B)", "(turn-order A C)"),
    );
    let run_wrong = run(&["check", &wrong, "--json"]).exits(1);
    let checked = run_wrong.json();
    assert_eq!(checked[0]["ok"], false);
    let found = &checked[0]["diagnostics"][0];
    assert_eq!(
        (&found["severity"], &found["line"], &found["column"]),
        (&"error".into(), &5.into(), &50.into())
    );
    assert_eq!(found["code"], "Z0304");
    run(&["check", &wrong]).exits(1).says("not ok").complains("Z0304");
    // A folder: every file in it.
    let both = run(&["check", folder.path().to_str().unwrap(), "--json"])
        .exits(1)
        .json();
    assert_eq!(both.as_array().unwrap().len(), 2);
    run(&["check", "no-such-file.zrf"])
        .exits(3)
        .complains("no-such-file.zrf");
    run(&["moves", &wrong]).exits(1).complains("Z0304");
}

#[test]
fn games_with_plugins_are_described_but_not_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(
        &folder,
        "plugin.zrf",
        RACE.replace("(turn-order A B)", "(turn-order A B) (engine \"moves.dll\")"),
    );
    run(&["check", &path]).exits(0).says("ok");
    let info = run(&["info", &path, "--json"]).exits(0).json();
    assert_eq!(info["games"][0]["plugin"], "moves.dll");
    for command in ["moves", "play", "playout", "search", "disasm"] {
        run(&[command, &path]).exits(1).complains("plug-in moves.dll");
    }
    let report = run(&["test", &path, "--json"]).exits(0).json();
    assert_eq!((&report["passed"], &report["skipped"]), (&0.into(), &1.into()));
}

#[test]
fn info_prints_a_start_that_can_be_read() {
    let (_folder, path) = race();
    let info = run(&["info", &path, "--json"]).exits(0).json();
    let game = &info["games"][0];
    assert_eq!(game["players"], serde_json::json!(["A", "B"]));
    assert_eq!(game["positions"], 8);
    assert_eq!(info["games"][1]["options"]["pass turn"], "true");
    let position = game["position"].as_str().unwrap();
    let moves = run(&["moves", &path, "--position", position, "--json"]).exits(0).json();
    assert_eq!(moves["position"], position);
    run(&["info", "chess"]).exits(0).says("King");
}

#[test]
fn moves_have_their_shape() {
    let (_folder, path) = race();
    let moves = run(&["moves", &path, "--json"]).exits(0).json();
    assert_eq!((&moves["player"], &moves["outcome"]), (&"A".into(), &Value::Null));
    let expected = serde_json::json!({"move": "Man a1 - b1", "piece": "Man", "from": "a1", "to": "b1", "captures": [],
        "promotion": null, "partial": false, "labels": []});
    assert_eq!(moves["moves"][0], expected);
    let over = run(&["moves", &path, "--play", "a1-c1; a2-b2; c1-d1", "--json"])
        .exits(0)
        .json();
    assert_eq!(over["moves"], serde_json::json!([]));
    let outcome = serde_json::json!({"winners": ["A"], "losers": ["B"], "draw": false, "scores": {},
        "reason": "A: Man on d1"});
    assert_eq!(over["outcome"], outcome);
    let taken = run(&["moves", "thud-zrf", "--play", "a6-f6", "--json"]).exits(0).json();
    let taken: Vec<&Value> = taken["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|m| m["to"] == "f7")
        .collect();
    assert!(!taken.is_empty() && taken.iter().all(|m| m["captures"] == serde_json::json!(["f6"])));
    let promotions = run(&[
        "moves",
        "chess",
        "--position",
        "(position (turn White) (White (King a1) (Pawn e7)) (Black (King a8)))",
        "--of",
        "e7",
        "--json",
    ])
    .exits(0)
    .json();
    assert_eq!(promotions["moves"].as_array().unwrap().len(), 4);
    assert!(
        promotions["moves"]
            .as_array()
            .unwrap()
            .iter()
            .any(|m| m["promotion"] == "Queen")
    );
}

#[test]
fn typed_moves_and_positions_are_explained() {
    let (folder, path) = race();
    let wrong = run(&["moves", &path, "--play", "a1-b1; a2-d2"]).exits(1);
    wrong.complains("Z0603").complains("--play:1:8");
    run(&["moves", &path, "--position", "(position (turn C))"])
        .exits(1)
        .complains("--position:1:");
    run(&["moves", &path, "--position", "(((("]).exits(1).complains("Z0");
    run(&["moves", &path, "--position-file", "no-such-file"]).exits(3);
    let position = file(&folder, "end.txt", "(position (turn B)\n (B (Man b2)))");
    run(&["moves", &path, "--position-file", &position])
        .exits(0)
        .says("Man b2 - d2");
    run(&["moves", &path, "--of", "z9"]).exits(2).complains("z9");
    run(&["moves", &path, "--variant", "chess"])
        .exits(2)
        .complains("Long Race");
    run(&["moves", &path, "--variant", "2"]).exits(0).says("Pass");
    run(&["moves", &path, "--variant", "long"]).exits(0).says("Pass");
    run(&["moves", "ches"]).exits(3).complains("did you mean `chess`?");
    run(&["moves", folder.path().to_str().unwrap()]).exits(3);
}

#[test]
fn rules_come_from_standard_input_and_files_before_names() {
    run_with_input(&["moves", "-"], RACE.as_bytes())
        .exits(0)
        .says("Man a1 - c1");
    run_with_input(&["check", "-"], b"(game (title \"x\")").exits(1);
    run_with_input(&["play", "-"], b"").exits(2);
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "chess", RACE);
    let output = ludex()
        .args(["moves", "chess"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    finish(output).exits(0).says("Man a1 - c1");
}

#[test]
fn perft_counts_and_divides() {
    let (_folder, path) = race();
    let counted = run(&["perft", &path, "-d", "2", "--divide", "--json"]).exits(0).json();
    assert_eq!((&counted["depth"], &counted["nodes"]), (&2.into(), &4.into()));
    assert_eq!(
        counted["divide"],
        serde_json::json!({"Man a1 - b1": 2, "Man a1 - c1": 2})
    );
    for arguments in [&["--no-bulk"][..], &["--turns"], &[]] {
        let all = [&["perft", "chess", "-d", "3"][..], arguments].concat();
        run(&all).exits(0).says("depth 3: 8902 ");
    }
    run(&["perft", &path, "-d", "0"]).exits(0).says("depth 0: 1 ");
    // The game ends long before.
    run(&["perft", &path, "-d", "4000000000"]).exits(0).says(": 0 ");
}

#[test]
fn benches_tell_rates_by_stage() {
    let rates = run(&["bench", "connect-four", "--time", "0.01", "--json"])
        .exits(0)
        .json();
    let rates = rates.as_array().expect("a list of rates");
    for (stage, unit) in [
        ("parse", "files/s"),
        ("compile", "games/s"),
        ("movegen", "positions/s"),
        ("make and unmake", "moves/s"),
        ("playout", "plies/s"),
        ("perft", "leaves/s"),
        ("search", "nodes/s"),
    ] {
        let is_meant = |rate: &&Value| rate["stage"] == stage && rate["unit"] == unit;
        let rate = rates
            .iter()
            .find(is_meant)
            .unwrap_or_else(|| panic!("no rate of {stage}"));
        assert!(
            rate["game"] == "connect-four" && rate["rate"].as_u64() > Some(0),
            "{rate}"
        );
    }
    run(&["bench", "tic-tac-toe", "--time", "0.01"])
        .exits(0)
        .says("plies/s");
    run(&["bench", "tic-tac-toe", "--time", "-1"]).exits(2);
}

#[test]
fn playouts_follow_from_their_seed() {
    let arguments = ["playout", "reversi", "-n", "5", "--seed", "9", "--verify", "--json"];
    let (first, second) = (run(&arguments).exits(0).json(), run(&arguments).exits(0).json());
    for field in [
        "playouts",
        "plies",
        "outcomes",
        "cut",
        "faults",
        "longest",
        "mean_branching",
        "seed",
    ] {
        assert_eq!(first[field], second[field], "{field}");
    }
    assert_eq!((&first["playouts"], &first["faults"]), (&5.into(), &0.into()));
    run(&["playout", "reversi", "-n", "2"]).exits(0).says("seed ");
    let cut = run(&["playout", "chess", "-n", "1", "--max-plies", "3", "--json"])
        .exits(0)
        .json();
    assert_eq!((&cut["cut"], &cut["longest"]), (&1.into(), &3.into()));
}

#[test]
fn limits_have_their_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let endless = RACE.replace("(moves (e add)", "(moves ((while true (go from)) e add)");
    let path = file(&folder, "endless.zrf", endless);
    run(&["moves", &path])
        .exits(4)
        .complains("Z0801")
        .complains("endless.zrf:8:");
    let played = run(&["playout", &path, "-n", "1", "--json"]).exits(4);
    assert_eq!(played.json()["faults"], 1);
}

#[test]
fn the_search_finds_the_win() {
    let (_folder, path) = race();
    let found = run(&["search", &path, "--depth", "4", "--json"]).exits(0).json();
    assert_eq!(found["plies_to_end"], 3);
    assert!(found["nodes"].as_u64().unwrap() > 0 && found["nodes_per_second"].is_u64() && found["seconds"].is_f64());
    assert_eq!(
        (&found["pv"][0], found["pv"].as_array().unwrap().len()),
        (&found["move"], 3)
    );
    let mate = [
        "search",
        "chess",
        "--position",
        "(position (turn White) (White (King a1) (Rook d1)) (Black (King g8) (Pawn f7 g7 h7)))",
        "--depth",
        "2",
    ];
    run(&mate).exits(0).says("win in 1").says("best move: Rook d1 - d8");
    let lines = run(&["search", &path, "--depth", "2", "--multipv", "2", "--json"])
        .exits(0)
        .json();
    assert_eq!(lines["lines"].as_array().unwrap().len(), 2);
    let over = run(&["search", &path, "--play", "a1-c1; a2-b2; c1-d1", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&over["move"], &over["outcome"]["winners"][0]),
        (&Value::Null, &"A".into())
    );
    run(&["search", &path, "--time", "soon"]).exits(2);
}

#[test]
fn rule_tests_are_reported_in_every_format() {
    let (folder, path) = race();
    let wrong = file(&folder, "wrong.zrf", RACE.replace("a1-b1; a1-c1", "a1-b1; a1-d1"));
    run(&["test", &path]).exits(0).says("1 passed");
    let failed = run(&["test", &wrong]).exits(1);
    failed
        .says("two ways to begin")
        .says("missing: a1-d1")
        .says("unexpected: a1-c1")
        .says("position: (position");
    let report = run(&["test", &path, &wrong, "--json"]).exits(1).json();
    assert_eq!((&report["passed"], &report["failed"]), (&1.into(), &1.into()));
    let failure = &report["failures"][0];
    assert_eq!(
        (&failure["test"], &failure["line"]),
        (&"two ways to begin".into(), &2.into())
    );
    let tap = run(&["test", &wrong, "--format", "tap"]).exits(1).stdout;
    assert!(tap.starts_with("TAP version 13\n1..1\nnot ok 1 - "), "{tap}");
    run(&["test", &path, "--format", "tap"]).exits(0).says("\nok 1 - ");
    run(&["test", &wrong, "--format", "junit"])
        .exits(1)
        .says("<testcase name=\"two ways to begin\"")
        .says("<failure");
    run(&["test", "tic-tac-toe"]).exits(0).says("passed");
}

#[test]
fn tests_of_wrong_files_name_their_errors() {
    let folder = tempfile::tempdir().unwrap();
    let text = RACE.replace("(turn-order A B)", "(turn-order A C)");
    let body = text.split_once("(game").unwrap().1;
    let path = file(
        &folder,
        "wrong.zrf",
        format!(";! test: an unknown player\n;! error 3:50-50 Z0304\n(game{body}"),
    );
    run(&["test", &path]).exits(0).says("1 passed");
    let path = file(
        &folder,
        "other.zrf",
        format!(";! test: another\n;! error 3:1 Z0304\n(game{body}"),
    );
    run(&["test", &path])
        .exits(1)
        .says("no error Z0304 is found there")
        .says("error 3:50-50 Z0304");
}

#[test]
fn stages_are_shown() {
    run(&["expand", "tic-tac-toe"])
        .exits(0)
        .says("(relative-config Sign n Sign n Sign)");
    run(&["disasm", "chess", "--piece", "Rook"]).exits(0).says("Rook");
    run(&["disasm", "chess", "--piece", "Rok"])
        .exits(2)
        .complains("did you mean `Rook`?");
    run(&["explain", "z0101"]).exits(0).says("a list is not closed");
    run(&["explain", "Z9999"]).exits(2);
    run(&["keywords", "add-partial"]).exits(0).says("add-partial");
    run(&["keywords", "not-empty?"]).exits(0).says("empty?");
    run(&["keywords", "ad"]).exits(2);
    run(&["completions", "bash"]).exits(0).says("ludex");
}

#[test]
fn a_game_is_played_in_the_terminal() {
    let shown = run_with_input(&["play", "thud-zrf"], b"moves\nquit\n").exits(0);
    shown.says("Dwarfs to move").says("a6-f6").says("#");
    let input = b"a1-d1\nmoves of a1\nhlep\na1-b1\nundo\na1c1\na2-b2\nc1-d1\nmoves\nb2-c2\nquit\n";
    let (_folder, path) = race();
    let played = run_with_input(&["play", &path, "--as", "all"], input).exits(0);
    let played = played
        .says("`a1-d1` is no legal move")
        .says("did you mean `help`?")
        .says("can be reached");
    played.says("The game is over: A won").says("`undo` takes back");
    // No input at all, and input that is no text.
    run_with_input(&["play", &path], b"").exits(0);
    run_with_input(
        &["play", &path],
        b"\xff\xfe\n\0\n(\n;;;\nmoves of \xff\nsave\nload no-such-file\n",
    )
    .exits(0);
    run(&["play", &path, "--as", "none", "--level", "1", "--seed", "1"])
        .exits(0)
        .says("The game is over");
    run(&["play", &path, "--as", "C"]).exits(2).complains("A, B, all, none");
    run(&["play", &path, "--level", "11"]).exits(2);
}

#[test]
fn a_saved_game_is_continued_and_replayed() {
    let (folder, path) = race();
    let saved = folder.path().join("game.zsg").display().to_string();
    run_with_input(&["play", &path, "--as", "all", "--save", &saved], b"a1-b1\na2-c2\n").exits(0);
    let text = fs::read_to_string(&saved).unwrap();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(lines[0], "Zillions Save Game File Version 0.02 HH");
    assert_eq!(lines[2..], ["VariantName=Race", "1. Man a1 - b1", "1. Man a2 - c2", ""]);
    let continued = run_with_input(&["play", &path, "--as", "all", "--save", &saved], b"b1-d1\n").exits(0);
    continued.says("continuing the game").says("A won");
    let replayed = run(&["replay", &saved, "--json"]).exits(0).json();
    assert_eq!((&replayed["ok"], &replayed["plies"]), (&true.into(), &3.into()));
    let broken = file(
        &folder,
        "broken.zsg",
        fs::read_to_string(&saved).unwrap().replace("a2 - c2", "a2 - d2"),
    );
    let failed = run(&["replay", &broken, "--json"]).exits(1).json();
    assert_eq!(
        (&failed["ok"], &failed["plies"], &failed["failed_at"]),
        (&false.into(), &1.into(), &5.into())
    );
    run(&["replay", &path]).exits(1).complains("a saved game begins with");
    run(&["replay", "no-such-file"]).exits(3);
    // Another game in the file is not overwritten.
    run_with_input(&["play", "chess", "--save", &saved], b"e2-e4\n")
        .exits(1)
        .complains("it is a game of `Race`");
    assert!(fs::read_to_string(&saved).unwrap().contains("Man b1 - d1"));
}

#[test]
fn a_saved_game_survives_a_kill() {
    let (folder, path) = race();
    let saved = folder.path().join("game.zsg");
    let arguments = ["play", &path, "--as", "all", "--save", &saved.display().to_string()];
    let mut child = ludex()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"a1-b1\na2-c2\n").unwrap();
    let is_written = || fs::read_to_string(&saved).is_ok_and(|text| text.contains("Man a2 - c2"));
    while !is_written() {
        assert!(child.try_wait().unwrap().is_none(), "the game has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    run(&["replay", &saved.display().to_string()])
        .exits(0)
        .says("ok, 2 plies");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn games_from_other_positions_are_saved_with_them() {
    let (folder, path) = race();
    let saved = folder.path().join("game.zsg").display().to_string();
    let edits = [
        "play",
        &path,
        "--as",
        "all",
        "--save",
        &saved,
        "--position",
        "(position (turn A) (A (Man b1)) (B (Man a2)))",
    ];
    run_with_input(&edits, b"b1-c1\n").exits(0);
    let text = fs::read_to_string(&saved).unwrap();
    assert!(text.contains("(x a1)\r\n") && text.contains("(A Man b1)\r\n"), "{text}");
    run(&["replay", &saved]).exits(0).says("ok, 1 plies");
    fs::remove_file(&saved).unwrap();
    let turned = [
        "play",
        &path,
        "--as",
        "all",
        "--save",
        &saved,
        "--position",
        "(position (turn B) (B (Man b2)))",
    ];
    run_with_input(&turned, b"b2-c2\n").exits(0);
    assert!(
        fs::read_to_string(&saved)
            .unwrap()
            .contains("Position=(position (turn B)")
    );
    run(&["replay", &saved]).exits(0).says("ok, 1 plies");
}

#[test]
fn closed_pipes_and_rubbish_are_borne_quietly() {
    let mut child = ludex()
        .args(["expand", "chess"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let run_closed = finish(child.wait_with_output().unwrap());
    assert_eq!((run_closed.code, run_closed.stderr.as_str()), (0, ""));
    let folder = tempfile::tempdir().unwrap();
    for (index, text) in [
        &b"\xff\x00\x80("[..],
        b"",
        b"(((((((",
        b"(game)",
        b"(game (players))",
        b";! test: x\n;! count",
    ]
    .iter()
    .enumerate()
    {
        let path = file(&folder, &format!("{index}.zrf"), text);
        for command in [
            "check", "info", "moves", "play", "playout", "search", "test", "expand", "disasm",
        ] {
            let ended = run(&[command, &path]);
            assert!(
                (0..=4).contains(&ended.code),
                "{command} {index}: {} {}",
                ended.code,
                ended.stderr
            );
            assert!(
                !ended.stderr.contains("panicked"),
                "{command} {index}: {}",
                ended.stderr
            );
        }
        assert!(Path::new(&path).exists());
    }
}

/// A man that may go on after its first step, and must where nothing else is said.
const CHAIN: &str = r#"(game (title "Chain") (players A B) (turn-order A B)
  (board (grid (dimensions ("a/b/c/d" (1 0)) ("2/1" (0 1))) (directions (e 1 0))))
  (board-setup (A (Man a1)) (B (Man a2)))
  (piece (name Man) (moves (e (add-partial)))))
"#;

#[test]
fn a_game_played_by_other_rules_is_replayed_tolerantly() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "chain.zrf", CHAIN);
    let text = "Zillions Save Game File Version 0.02 HH\nRulesFile=chain.zrf\nVariantName=Chain\n\
                1. partial 1 Man a1 - b1\n1. partial 1 Man a2 - b2\n1. Pass\n2. partial 1 Man b1 - c1\n";
    let saved = file(&folder, "chain.zsg", text);
    let strict = run(&["replay", &saved, "--json"]).exits(1).json();
    assert_eq!((&strict["plies"], &strict["failed_at"]), (&1.into(), &5.into()));
    let tolerant = run(&["replay", &saved, "--tolerant", "--json"]).exits(0).json();
    assert_eq!((&tolerant["plies"], &tolerant["ok"]), (&4.into(), &true.into()));
    let lines: Vec<i64> = tolerant["tolerated"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["line"].as_i64().unwrap())
        .collect();
    assert_eq!(lines, [5, 6]);
    let wrong = file(&folder, "wrong.zsg", text.replace("b2\n", "d2\n"));
    assert_eq!(
        run(&["replay", &wrong, "--tolerant", "--json"]).exits(1).json()["failed_at"],
        5
    );
}

#[test]
fn quirks_are_chosen_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(
        &folder,
        "stuck.zrf",
        CHAIN.replace("(e (add-partial))", "(e e e e add)"),
    );
    let outcome = |arguments: &[&str]| {
        let command = [&["moves", &path, "--json"], arguments].concat();
        run(&command).exits(0).json()["outcome"]["draw"].clone()
    };
    assert_eq!(outcome(&[]), true);
    assert_eq!(outcome(&["--quirk", "no-move=loss"]), false);
    run(&["moves", &path, "--quirk", "no-move=win"])
        .exits(2)
        .complains("it can be draw or loss");
    run(&["moves", &path, "--quirk", "no-move"])
        .exits(2)
        .complains("--quirk NAME=VALUE");
}

#[test]
fn puzzles_are_solved_and_their_solutions_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solution.zsg");
    let file = file.to_str().unwrap();
    let solved = run(&["solve", "sokoban", "--method", "breadth", "--json", "-o", file])
        .exits(0)
        .json();
    assert_eq!(solved["solved"], true);
    assert_eq!(solved["shortest"], true);
    assert_eq!(solved["moves"].as_array().unwrap().len(), 5);
    run(&["replay", file]).exits(0);
    run(&["solve", "peg-solitaire", "--nodes", "10"])
        .exits(4)
        .says("no solution found");
    let stuck = "(position (turn Pusher) (Pusher (Man b2) (Box a3)))";
    run(&["solve", "sokoban", "--position", stuck])
        .exits(1)
        .says("there is no solution");
    run(&["solve", "chess", "--method", "ida"]).exits(2);
    let mate = "(position (turn White) (White (King c6) (Rook h1)) (Black (King a8)))";
    run(&["solve", "chess", "--position", mate])
        .exits(0)
        .says("solved in 3 plies");
}

#[test]
fn rounds_are_played_and_end_by_agreement() {
    let input = b"a6-f6\nfinish\nno\nfinish\nyes\nnext\nflip\nquit\n";
    let played = run_with_input(&["play", "thud", "--as", "all"], input).exits(0);
    for told in [
        "round 1 of 2 of the match",
        "Dwarfs plays on",
        "The round is over: draw (by agreement)",
        "round 2 of 2 of the match; with earlier rounds: Dwarfs 64, Trolls 64",
        // The board is turned round.
        "     o  n  m  l",
    ] {
        assert!(played.stdout.contains(told), "`{told}` is missing in {}", played.stdout);
    }
    let refused = run_with_input(&["play", "chess", "--as", "all"], b"finish\nquit\n").exits(0);
    assert!(refused.stdout.contains("do not let it end by agreement"));
}

#[test]
fn what_is_captured_is_asked_and_confirmed() {
    let position = "(position (turn Trolls) (Dwarfs (Dwarf d9 d10 f10 a6)) (Trolls (Troll e8)))";
    let arguments = ["play", "thud", "--as", "all", "--position", position];
    let played = run_with_input(&arguments, b"e8-e9\nd9 f10\nno\nd10,d9\nyes\nquit\n").exits(0);
    assert!(
        played.stdout.contains("e8-e9 can take d9 d10 f10: which?"),
        "{}",
        played.stdout
    );
    assert!(
        played.stdout.contains("captured: Dwarfs Dwarf d9, Dwarfs Dwarf d10\n"),
        "{}",
        played.stdout
    );
    let cancelled = run_with_input(&arguments, b"e8-e9\ncancel\nquit\n").exits(0);
    assert!(cancelled.stdout.contains("nothing is moved"), "{}", cancelled.stdout);
}

#[test]
fn rules_name_levels_and_play_sides() {
    run(&["play", "thud", "--as", "none", "--level", "Hrd"])
        .exits(2)
        .complains("did you mean `Hard`?");
    let greedy = run(&["match", "blokus-duo", "-n", "1", "--seed", "1", "--json"])
        .exits(0)
        .json();
    assert_eq!(greedy["wins"]["First"], 1);
    run(&[
        "match",
        "thud",
        "-n",
        "1",
        "--all",
        "level=Beginner",
        "--max-plies",
        "6",
    ])
    .exits(0);
    run(&["match", "thud", "-n", "1", "--all", "policy,depth=1"])
        .exits(2)
        .complains("`policy` stands alone");
}

/// A game with labels, moves in place, scores, rounds and a setup by chance.
const DRAWN: &str = r#"(game (title "Drawn") (players A B) (turn-order A B)
  (board (grid (dimensions ("a/b/c/d" (1 0)) ("2/1" (0 1))) (directions (e 1 0))))
  (random-setup (A (Man 1 board)) (B (Man 1 board)))
  (piece (name Man) (attribute rest 0)
    (moves ((increase rest 2) (label "rest") (rate 4) add) (e (verify empty?) add)))
  (score (A B) (sum (pieces friend) rest))
  (end-condition (>= ply 2)) (match 2 swap-sides))
"#;

#[test]
fn setups_by_chance_follow_from_the_seed() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("drawn.zrf");
    fs::write(&file, DRAWN).unwrap();
    let file = file.to_str().unwrap();
    let position = |arguments: &[&str]| {
        let ran = run(&[&["moves", file, "--json"], arguments].concat()).exits(0);
        (ran.json()["position"].clone(), ran.stderr)
    };
    let (first, told) = position(&["--seed", "0"]);
    assert_eq!(told, "");
    let info = run(&["info", file, "--json"]).exits(0).json();
    assert_eq!(info["games"][0]["position"], first);
    let (drawn, told) = position(&[]);
    let seed = told.trim().strip_prefix("seed ").expect("the seed is told").to_owned();
    assert_eq!(position(&["--seed", &seed]).0, drawn);
    let played = |seed| {
        let arguments = ["playout", file, "-n", "20", "--verify", "--json", "--seed", seed];
        run(&arguments).exits(0).json()["outcomes"].clone()
    };
    assert_eq!(played("3"), played("3"));
}

#[test]
fn moves_tell_labels_and_ends_tell_scores() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("drawn.zrf");
    fs::write(&file, DRAWN).unwrap();
    let file = file.to_str().unwrap();
    let position = "(position (turn A) (A (Man a1)) (B (Man a2)) (match 2 (A 5) (B 1)))";
    let list = |play: &str| {
        let arguments = ["moves", file, "--json", "--position", position, "--play", play];
        run(&arguments).exits(0).json()
    };
    let start = list("");
    assert_eq!(start["position"], position);
    let rest = &start["moves"][0];
    assert_eq!(rest["move"], "Man a1 @ a1 rest +2 rest");
    assert_eq!(
        (&rest["piece"], &rest["from"], &rest["to"]),
        (&"Man".into(), &"a1".into(), &"a1".into())
    );
    assert_eq!(rest["labels"], serde_json::json!(["rest"]));
    assert_eq!(rest["rating"], serde_json::json!([4]));
    assert_eq!(start["moves"][1]["labels"], serde_json::json!([]));
    let end = list("a1-b1; a2:rest");
    assert_eq!(end["outcome"]["winners"], serde_json::json!(["A"]));
    assert_eq!(end["outcome"]["scores"], serde_json::json!({"A": 0, "B": 2}));
    assert_eq!(end["outcome"]["totals"], serde_json::json!({"A": 5, "B": 3}));
    assert_eq!(end["outcome"]["round"], 2);
}

#[test]
fn weights_are_tuned_and_picked_up_from_beside_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("race.zrf");
    fs::write(&rules, RACE).unwrap();
    let rules = rules.to_str().unwrap();
    let tuned = run(&["tune", rules, "-n", "4", "--nodes", "50", "--seed", "1", "--json"])
        .exits(0)
        .json();
    assert_eq!(tuned["games"], 4);
    let weights = folder.path().join("race.weights");
    let found = fs::read_to_string(&weights).unwrap();
    assert!(found.contains("game Race"));
    let again = folder.path().join("again.weights");
    let threads = ["--threads", "2", "-o", again.to_str().unwrap()];
    let tune = ["tune", "breakthrough", "-n", "24", "--nodes", "30", "--seed", "1"];
    run(&[&tune[..], &threads].concat()).exits(0);
    let of_two_threads = fs::read_to_string(&again).unwrap();
    run(&[&tune[..], &["-o", again.to_str().unwrap()]].concat()).exits(0);
    assert_eq!(fs::read_to_string(&again).unwrap(), of_two_threads);
    assert!(of_two_threads.contains("piece Pawn"), "{of_two_threads}");
    run(&["search", rules, "--depth", "2"]).exits(0);
    fs::write(&weights, "game Race\nmobility much\n").unwrap();
    run(&["search", rules, "--depth", "2"]).exits(1).complains("line 2");
}
