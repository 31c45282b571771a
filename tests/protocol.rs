//! The protocols of `ludex engine`, spoken with the binary.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A running engine.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(game: &str) -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["engine", game])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Engine {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
        }
    }

    fn say(&mut self, line: &str) -> &mut Engine {
        writeln!(self.input, "{line}").unwrap();
        self
    }

    /// Reads up to the line that begins so, and returns it.
    #[track_caller]
    fn hear(&mut self, beginning: &str) -> String {
        self.hear_all(beginning).pop().unwrap()
    }

    /// Reads up to the line that begins so, and returns all lines up to it.
    #[track_caller]
    fn hear_all(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for line in self.output.by_ref().lines() {
            lines.push(line.unwrap());
            if lines[lines.len() - 1].starts_with(beginning) {
                return lines;
            }
        }
        panic!("the engine ended without `{beginning}`, after {lines:?}");
    }

    /// Sends a request and returns the first answer with one of the keys.
    #[track_caller]
    fn ask(&mut self, request: Value, key: &str) -> Value {
        self.say(&request.to_string());
        loop {
            let answer: Value = serde_json::from_str(&self.hear("{")).unwrap();
            assert!(answer["error"].is_null() || key == "error", "{answer}");
            if !answer[key].is_null() {
                assert_eq!(answer["id"], request["id"]);
                return answer[key].clone();
            }
        }
    }

    #[track_caller]
    fn quits(mut self) {
        self.say("quit");
        assert!(self.process.wait().unwrap().success());
    }
}

#[test]
fn a_game_of_chess_is_begun_in_uci() {
    let mut engine = Engine::start("chess");
    engine.say("uci").hear("uciok");
    engine.say("setoption name Hash value 4");
    engine.say("isready").hear("readyok");
    engine.say("ucinewgame");
    engine.say("position startpos moves e2e4 e7e5 g1f3");
    let info = engine.say("go nodes 2000").hear("info depth 1 ");
    assert!(info.contains(" score cp ") && info.contains(" pv "), "{info}");
    let best = engine.hear("bestmove ");
    let text = best.trim_start_matches("bestmove ");
    assert!(text.len() == 4 && text.is_ascii(), "{best}");
    // The move is legal: it can be made.
    engine.say(&format!("position startpos moves e2e4 e7e5 g1f3 {text}"));
    engine.say("go depth 1").hear("bestmove ");
    engine.quits();
}

/// Graphical programs and libraries choose `chess` by that name, in small letters, and refuse what is not listed.
#[test]
fn variants_are_listed_and_chosen_by_names_that_other_programs_know() {
    let mut engine = Engine::start("chess");
    let chess = engine.say("uci").hear("option name UCI_Variant");
    assert_eq!(chess, "option name UCI_Variant type combo default chess var chess");
    engine.say("setoption name UCI_Variant value chess");
    engine.say("position startpos moves e2e4").say("go depth 1");
    engine.hear("bestmove ");
    engine.quits();
    let mut engine = Engine::start("breakthrough");
    let variants = engine.say("uci").hear("option name UCI_Variant");
    assert!(
        variants.ends_with(" default breakthrough var breakthrough var breakthrough6x6"),
        "{variants}"
    );
    engine
        .say("setoption name UCI_Variant value breakthrough6x6")
        .say("uci");
    let variants = engine.hear("option name UCI_Variant");
    assert!(variants.contains(" default breakthrough6x6 "), "{variants}");
    engine.quits();
}

#[test]
fn mates_promotions_and_castling_are_written_as_uci_does() {
    let mut engine = Engine::start("chess");
    engine.say("position fen k7/8/2K5/8/8/8/8/7R w - - 0 1");
    let info = engine.say("go mate 2").hear("info depth 3");
    assert!(info.contains("score mate 2"), "{info}");
    engine.hear("bestmove ");
    // Nothing is left out when a mate is asked for, however hopeless a quiet move looks.
    for (moves, fen, key) in [
        (2, "rn3br1/5k1p/p2p2n1/8/PPP5/3P1bq1/R7/1N2RK2 b - - 0 1", "g6e5"),
        (2, "1n6/8/3b3k/1p5p/2PpB3/p6R/P5K1/R2Q4 w - - 0 1", "d1g4"),
        (3, "1n1k1r2/4q3/8/r2P3K/P7/7N/3N4/3Q3R b - - 0 1", "f8g8"),
    ] {
        engine.say(&format!("position fen {fen}"));
        let info = engine
            .say(&format!("go mate {moves}"))
            .hear(&format!("info depth {} ", 2 * moves - 1));
        assert!(info.contains(&format!("score mate {moves} ")), "{info}");
        assert_eq!(engine.hear("bestmove "), format!("bestmove {key}"));
    }
    engine.say("position fen 8/P7/8/8/8/8/k7/2K5 w - - 0 1");
    assert_eq!(engine.say("go depth 4").hear("bestmove "), "bestmove a7a8q");
    // Both castle: king moves by two.
    engine.say("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8");
    engine.say("go depth 1").hear("bestmove ");
    engine.say("position startpos moves e2e5").hear("info string error");
    engine.quits();
}

#[test]
fn a_search_is_stopped_and_the_clock_kept() {
    let mut engine = Engine::start("chess");
    engine.say("go infinite");
    engine.hear("info depth 2");
    let start = Instant::now();
    engine.say("stop").hear("bestmove ");
    assert!(start.elapsed() < Duration::from_secs(2));
    let start = Instant::now();
    engine.say("go wtime 3000 btime 100 winc 0 binc 0").hear("bestmove ");
    assert!(start.elapsed() < Duration::from_millis(1500));
    engine
        .say("position startpos moves e2e4")
        .say("go movetime 50")
        .hear("bestmove ");
    // The input ends: so does the engine.
    engine.say("go infinite");
    let Engine { mut process, input, .. } = engine;
    drop(input);
    assert!(process.wait().unwrap().success());
}

#[test]
fn a_search_goes_on_while_it_ponders_or_answers() {
    let bests = |lines: &[String]| lines.iter().filter(|line| line.starts_with("bestmove")).count();
    let mut engine = Engine::start("chess");
    engine.say("go infinite");
    let lines = engine.say("isready").hear_all("readyok");
    assert_eq!(bests(&lines), 0);
    engine.say("stop").hear("bestmove ");
    // Nothing more is told when there is nothing to stop.
    let lines = engine.say("stop").say("ponderhit").say("isready").hear_all("readyok");
    assert_eq!(lines, ["readyok"]);
    // Whoever ponders waits at the limits until the move is made.
    engine.say("go ponder depth 2").hear("info depth 2 ");
    std::thread::sleep(Duration::from_millis(100));
    let lines = engine.say("isready").hear_all("readyok");
    assert_eq!(bests(&lines), 0);
    engine.say("ponderhit").hear("bestmove ");
    // That does not end an infinite search.
    engine.say("go infinite").say("ponderhit");
    let lines = engine.say("isready").hear_all("readyok");
    assert_eq!(bests(&lines), 0);
    let lines = engine.say("stop").say("isready").hear_all("readyok");
    assert_eq!(bests(&lines), 1);
    // Nor does a mate that is found.
    engine.say("position fen k7/8/2K5/8/8/8/8/7R w - - 0 1");
    engine.say("go infinite").hear("info depth 3 score mate 2");
    let lines = engine.say("isready").hear_all("readyok");
    assert_eq!(bests(&lines), 0);
    engine.say("stop").hear("bestmove ");
    engine.quits();
}

#[test]
fn the_move_that_is_played_is_the_last_that_was_told() {
    let mut engine = Engine::start("chess");
    engine.say("setoption name Hash value 1");
    for nodes in (1..=40).map(|step| step * 150) {
        engine.say("ucinewgame").say("position startpos moves e2e4 d7d5");
        let lines = engine.say(&format!("go nodes {nodes}")).hear_all("bestmove ");
        let best = lines[lines.len() - 1].trim_start_matches("bestmove ");
        let told = lines[lines.len() - 2].split_once(" pv ").unwrap().1;
        assert_eq!(told.split(' ').next(), Some(best), "{lines:?}");
    }
    engine.quits();
}

#[test]
fn no_input_ends_the_engine() {
    let mut engine = Engine::start("chess");
    for line in [
        "go mate 9223372036854775807",
        "go mate -9223372036854775808",
        "go depth 99999999999999999999",
        "go depth -3 nodes 10",
        "go wtime 9223372036854775807 winc 9223372036854775807 movestogo 9223372036854775807 nodes 10",
        "go wtime -9223372036854775808 winc -1 movestogo 0",
        "go movetime many",
        "go movetime",
    ] {
        // It answers once, at the latest when it is stopped.
        let lines = engine.say(line).say("stop").say("isready").hear_all("readyok");
        let bests = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(bests, 1, "{line}: {lines:?}");
    }
    engine.input.write_all(b"position fen \xff\xfe w\n").unwrap();
    for line in [
        "position fen",
        "position fen 8/8",
        "position startpos moves e2e5",
        "position (position",
        "setoption name",
        "setoption name Hash value -1",
        "setoption name Move Overhead value x",
        "castle",
    ] {
        let lines = engine.say(line).say("isready").hear_all("readyok");
        assert!(lines[0].starts_with("info string error"), "{line}: {lines:?}");
    }
    engine.say("position startpos").say("go depth 1").hear("bestmove ");
    engine.quits();
}

#[test]
fn a_part_of_the_time_is_kept_back() {
    let mut engine = Engine::start("chess");
    engine.say("setoption name Move Overhead value 700");
    engine.say("setoption name Clear Hash");
    assert_eq!(engine.say("isready").hear_all("readyok").len(), 1);
    let start = Instant::now();
    engine.say("go movetime 1400").hear("bestmove ");
    let taken = start.elapsed();
    assert!(
        (Duration::from_millis(690)..Duration::from_millis(1300)).contains(&taken),
        "{taken:?}"
    );
    engine.quits();
}

#[test]
fn other_games_and_levels_are_played_in_uci() {
    let mut engine = Engine::start("breakthrough");
    assert!(engine.say("go depth 2").hear("bestmove ").len() == "bestmove a2a3".len());
    engine.say("setoption name Game value connect-four");
    assert!(engine.say("go depth 2").hear("bestmove ").contains('@'));
    engine.say("setoption name Engine value mcts");
    engine.say("setoption name Level value 2");
    engine.say("go nodes 500").hear("bestmove ");
    engine
        .say("setoption name Variant value losing")
        .say("isready")
        .hear("readyok");
    engine.say("setoption name Colour value blue").hear("info string error");
    engine.quits();
}

#[test]
fn any_game_is_played_in_json_lines() {
    let mut engine = Engine::start("tic-tac-toe");
    let state = engine.ask(json!({"do": "new", "game": "thud-zrf", "id": 1}), "state");
    assert_eq!(state["player"], "Dwarfs");
    let first = state["moves"][0].clone();
    assert!(first["move"].as_str().unwrap().starts_with("Dwarf "));
    let state = engine.ask(json!({"do": "play", "moves": [first["move"]], "id": "a"}), "state");
    assert_eq!((&state["plies"], &state["player"]), (&json!(1), &json!("Trolls")));
    let state = engine.ask(json!({"do": "undo"}), "state");
    assert_eq!(state["plies"], 0);
    engine.ask(
        json!({"do": "new", "game": "tic-tac-toe", "moves": ["a1", "b2"]}),
        "state",
    );
    let best = engine.ask(json!({"do": "go", "depth": 7, "id": 5}), "best");
    assert_eq!((&best["score"], &best["depth"]), (&json!(0), &json!(7)));
    let line = engine.ask(json!({"do": "go", "nodes": 10}), "line");
    assert_eq!(line["depth"], 1);
    engine.ask(json!({"do": "stop"}), "ok");
    let over = json!({"do": "new", "moves": ["a1", "b2", "a2", "b3", "a3"]});
    let state = engine.ask(over, "state");
    assert_eq!(
        (&state["outcome"]["winners"], &state["moves"]),
        (&json!(["X"]), &json!([]))
    );
    assert!(engine.ask(json!({"do": "play", "moves": ["c3"]}), "error").is_string());
    assert!(engine.ask(json!({"do": "dance"}), "error").is_string());
    engine.say("{\"do\":").hear("{\"error\":");
    engine.ask(json!({"do": "option", "name": "Hash", "value": 8}), "ok");
    engine.quits();
}
