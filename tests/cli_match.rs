//! Matches on the command line: who plays, how games begin and end, what is counted and saved.

mod running;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use running::{Run, finish, ludex};
use serde_json::Value;

/// Two runners in two lanes, one or two steps at a time: whoever moves first can win, and a die tells how far the third goes.
const RACE: &str = r#"(game (title "Race") (players A B) (turn-order A B)
  (board (grid (dimensions ("a/b/c/d/e" (1 0)) ("2/1" (0 1))) (directions (e 1 0))))
  (board-setup (A (Man a1)) (B (Man a2)))
  (piece (name Man) (moves (e add) (e e add)))
  (win-condition (A) (absolute-config Man (e1)))
  (win-condition (B) (absolute-config Man (e2))))
(variant (title "Race With Luck") (players A B ?Luck) (turn-order A ?Luck B ?Luck)
  (board (grid (dimensions ("a/b/c/d/e" (1 0)) ("3/2/1" (0 1))) (directions (e 1 0) (w -1 0))))
  (board-setup (A (Man a1)) (B (Man a2)) (?Luck (Man a3)))
  (piece (name Man) (moves (e add) (e e add) (w add)))
  (draw-condition (A B) (absolute-config any-owner Man (e3))))
"#;

/// Runs `ludex match` with arguments parted by blanks, and with a rule file as `RACE`.
fn play(race: &Path, arguments: &str) -> Run {
    let race = race.join("race.zrf").display().to_string();
    let arguments = arguments
        .split_whitespace()
        .map(|word| if word == "RACE" { race.as_str() } else { word });
    finish(ludex().arg("match").args(arguments).output().unwrap())
}

fn race() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("race.zrf"), RACE).unwrap();
    folder
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

#[test]
fn results_have_their_shape() {
    let folder = race();
    let report = play(
        folder.path(),
        "RACE --games 3 --all depth=6 --player b=random --seed 1 --json",
    )
    .exits(0)
    .json();
    assert_eq!(
        (&report["games"], &report["draws"], &report["seed"]),
        (&3.into(), &0.into(), &1.into())
    );
    assert_eq!(
        report["wins"],
        serde_json::json!({"A": 3, "B": 0}),
        "the first to move can always win"
    );
    assert_eq!(
        (&report["cut"], &report["faults"], &report["interrupted"]),
        (&0.into(), &0.into(), &false.into())
    );
    assert!(report.get("wins_by_spec").is_none() && report.get("elo").is_none());
    let records = report["records"].as_array().unwrap();
    assert_eq!(records.len(), 3);
    let plies: u64 = records.iter().map(|record| record["plies"].as_u64().unwrap()).sum();
    assert_eq!(report["plies"], plies);
    for (record, number) in records.iter().zip(1u64..) {
        assert_eq!(record["game"], number);
        assert_eq!(record["players"], serde_json::json!({"A": "depth=6", "B": "random"}));
        assert_eq!(record["outcome"]["winners"], serde_json::json!(["A"]));
        assert_eq!(record["reason"], "A: Man on e1");
        let moves = texts(&record["moves"]);
        assert_eq!(moves.len() as u64, record["plies"].as_u64().unwrap());
        assert!(moves[0].starts_with("Man a1 - "));
    }
    play(folder.path(), "RACE -n 2 --all depth=6 --seed 1")
        .exits(0)
        .says("Race: A depth=6, B depth=6")
        .says("game 2: A won (A: Man on e1), 3 plies")
        .says("2 games of 6 plies, seed 1")
        .says("A       2       0       0  100.0%");
}

#[test]
fn matches_follow_from_their_seed() {
    let folder = race();
    for arguments in [
        "breakthrough -n 3 --all nodes=60 --openings 4 --seed 9 --json",
        "breakthrough -n 3 --all level=1,depth=1 --player White=random --swap --seed 9 --json",
        "RACE --variant luck -n 4 --all level=2,depth=2 --seed 9 --json",
    ] {
        let first = play(folder.path(), arguments).exits(0).json();
        assert_eq!(first, play(folder.path(), arguments).exits(0).json());
        let other = arguments.replace("--seed 9", "--seed 10");
        assert_ne!(
            first["records"],
            play(folder.path(), &other).exits(0).json()["records"],
            "{arguments}"
        );
    }
    // A game is the same whichever were played before.
    let some = play(folder.path(), "breakthrough -n 1 --all level=1,depth=1 --seed 9 --json").json();
    let more = play(folder.path(), "breakthrough -n 2 --all level=1,depth=1 --seed 9 --json").json();
    assert_eq!(some["records"][0], more["records"][0]);
    assert_ne!(more["records"][0]["moves"], more["records"][1]["moves"]);
}

#[test]
fn specs_change_places() {
    let folder = race();
    let report = play(
        folder.path(),
        "breakthrough -n 4 --player White=depth=2 --player Black=random --swap --openings 3 --seed 2 --json",
    )
    .exits(0)
    .json();
    let records = report["records"].as_array().unwrap();
    for pair in records.chunks(2) {
        assert_eq!(
            pair[0]["players"],
            serde_json::json!({"White": "depth=2", "Black": "random"})
        );
        assert_eq!(
            pair[1]["players"],
            serde_json::json!({"White": "random", "Black": "depth=2"})
        );
        assert_eq!(texts(&pair[0]["moves"])[..3], texts(&pair[1]["moves"])[..3]);
    }
    assert_ne!(
        texts(&records[0]["moves"])[..3],
        texts(&records[2]["moves"])[..3],
        "each pair has its opening"
    );
    assert_eq!(report["wins"], serde_json::json!({"White": 2, "Black": 2}));
    assert_eq!(report["wins_by_spec"], serde_json::json!({"depth=2": 4, "random": 0}));
    assert_eq!(
        report["elo"],
        serde_json::json!({"spec": "depth=2", "against": "random", "difference": null, "error": null})
    );
    // One of the two has the first move and wins, whoever it is.
    let even = play(
        folder.path(),
        "RACE -n 4 --player A=depth=6 --player B=depth=5 --swap --json",
    )
    .exits(0)
    .json();
    assert_eq!(even["wins"], serde_json::json!({"A": 4, "B": 0}));
    assert_eq!(even["elo"]["difference"], 0.0);
    assert!(even["elo"]["error"].as_f64().unwrap() > 300.0);
    play(
        folder.path(),
        "RACE -n 4 --player A=depth=6 --player B=depth=5 --swap --seed 1",
    )
    .exits(0)
    .says("game 2 (A depth=5, B depth=6): A won")
    .says("Elo of depth=6 over depth=5: +0.0 ± ");
}

#[test]
fn saved_games_are_replayed() {
    let folder = race();
    let games = folder.path().join("results/first");
    for (game, n_games) in [
        ("RACE --variant luck", 10),
        ("english-draughts", 2),
        ("chess --play e2-e4", 1),
    ] {
        let _ = fs::remove_dir_all(&games);
        let arguments = format!(
            "{game} -n {n_games} --all random --seed 3 --max-plies 60 --save {} --json",
            games.display()
        );
        let report = play(folder.path(), &arguments).exits(0).json();
        for record in report["records"].as_array().unwrap() {
            assert!(record.get("moves").is_none());
            let file = record["file"].as_str().unwrap();
            let replayed = finish(ludex().args(["replay", file, "--json"]).output().unwrap())
                .exits(0)
                .json();
            assert_eq!((&replayed["ok"], &replayed["plies"]), (&true.into(), &record["plies"]));
            assert_eq!(record["outcome"].is_null(), replayed["message"].is_null());
        }
        assert_eq!(
            fs::read_dir(&games).unwrap().count(),
            n_games,
            "nothing else is left there"
        );
    }
    play(folder.path(), "RACE -n 10 --all random --seed 3")
        .exits(0)
        .says("game 10: ");
    assert!(games.join("game-1.zsg").exists());
    let in_the_way = folder.path().join("race.zrf");
    play(
        folder.path(),
        &format!("RACE -n 1 --all random --save {}", in_the_way.display()),
    )
    .exits(3)
    .complains("cannot be written");
}

#[test]
fn long_games_are_cut() {
    let folder = race();
    let report = play(folder.path(), "chess -n 2 --all random --max-plies 5 --seed 1 --json")
        .exits(0)
        .json();
    assert_eq!(
        (&report["cut"], &report["draws"], &report["plies"]),
        (&2.into(), &0.into(), &10.into())
    );
    assert_eq!(report["records"][0]["outcome"], Value::Null);
    assert_eq!(report["records"][0]["reason"], "cut");
    play(folder.path(), "chess -n 2 --all random --max-plies 5")
        .exits(0)
        .says("game 1: cut, 5 plies")
        .says("cut: 2");
}

#[test]
fn random_players_roll_by_themselves() {
    let folder = race();
    let report = play(
        folder.path(),
        "RACE --variant luck -n 3 --all depth=1 --swap --seed 5 --json",
    )
    .exits(0)
    .json();
    assert_eq!(report["records"][0]["players"].as_object().unwrap().len(), 2);
    assert_eq!(report["wins"].as_object().unwrap().len(), 2);
    assert!(
        report.get("elo").is_none(),
        "a way to play has no advantage over itself"
    );
    play(folder.path(), "RACE --variant luck -n 1 --player ?Luck=random")
        .exits(2)
        .complains("`?Luck` is a random player, which rolls by itself");
}

#[test]
fn wrong_command_lines_are_explained() {
    let folder = race();
    for (arguments, message) in [
        ("chess", "--games"),
        ("chess -n 0", "--games"),
        ("chess -n 1 --player Whit=random", "did you mean `White`?"),
        ("chess -n 1 --player White", "NAME=SPEC"),
        (
            "chess -n 1 --player White=random --player white=depth=1",
            "`white` is played in two ways",
        ),
        ("chess -n 1 --player White=", "a word is missing"),
        ("chess -n 1 --all policy,depth=1", "`policy` stands alone"),
        ("chess -n 1 --all level=Hard", "`Hard` is no level; there are 1 to 10"),
        ("chess -n 1 --all depth=1,threads=0", "`0` is no number from 1 on"),
        (
            "chess -n 1 --all depth=1,without=sense",
            "`sense` is no part of the search",
        ),
        ("chess -n 1 --all dept=2", "did you mean `depth`?"),
        ("chess -n 1 --all level=0", "`0` is no level; there are 1 to 10"),
        ("chess -n 1 --all time=-1", "-1"),
    ] {
        play(folder.path(), arguments).exits(2).complains(message);
    }
    play(folder.path(), "RACE -n 1 --openings 20 --json")
        .exits(4)
        .complains("`--openings` asks for too many");
    play(folder.path(), "nowhere.zrf -n 1").exits(3);
    fs::write(folder.path().join("race.zrf"), "(game (players A)").unwrap();
    play(folder.path(), "RACE -n 1").exits(1);
}

#[test]
fn faults_end_a_game_and_are_told() {
    let folder = race();
    let endless = RACE.replacen(
        "(moves (e add)",
        "(moves (e (if (in-zone? far) (while true (go from))) add)",
        1,
    );
    let endless = endless.replacen(
        "(directions (e 1 0))))",
        "(directions (e 1 0))) (zone (name far) (players A B) (positions c1)))",
        1,
    );
    fs::write(folder.path().join("race.zrf"), endless).unwrap();
    // Who steps to b1 cannot go on.
    let run = play(folder.path(), "RACE -n 6 --all random --seed 1 --json").exits(4);
    let report = run.json();
    let faults = report["faults"].as_u64().unwrap();
    assert_eq!(report["games"], 6, "the match goes on");
    assert!((1..6).contains(&faults), "{faults}");
    let records = report["records"].as_array().unwrap();
    let is_fault = |record: &&Value| record["outcome"].is_null() && record["reason"] != "";
    assert_eq!(records.iter().filter(is_fault).count() as u64, faults);
    run.complains("Z0801");
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_tells_what_was_played() {
    use std::io::{BufRead, BufReader, Read};

    let child = ludex()
        .args([
            "match",
            "breakthrough",
            "-n",
            "1000000",
            "--all",
            "random",
            "--seed",
            "1",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("game 2:") {
        assert!(stdout.read_line(&mut text).unwrap() > 0, "{text}");
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    stdout.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(text.contains("\ninterrupted\n"), "{text}");
    let n_games = text.lines().filter(|line| line.starts_with("game ")).count();
    assert!(text.contains(&format!("\n{n_games} games of ")), "{n_games}");
}
