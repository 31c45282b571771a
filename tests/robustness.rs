//! Whatever the text, there are diagnostics or moves, never a panic, and soon.

mod corpus;

use std::fmt::Write;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludex::diagnostic::Severity;
use ludex::expand::{FolderLoader, Loader, NoIncludes};
use ludex::play::notation::Notation;
use ludex::play::position::{print_position, read_position};
use ludex::{MoveList, RuleFile, Rules, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use corpus::mutate::{self, below};

/// What one text may take: a second on a quiet machine, here with much room for one that is busy.
const TIME_LIMIT: Duration = Duration::from_secs(15);
/// What a text may take that expands without end. It is stopped where the largest public files are not yet, which takes
/// a few seconds.
const EXPANSION_TIME_LIMIT: Duration = Duration::from_secs(90);
/// What is told of with `--nocapture`.
const TIME_WORTH_TELLING: Duration = Duration::from_millis(500);
/// Plies of the game that is played if the rules are right.
const PLIES: usize = 4;
/// The entries of a file that are compiled.
const ENTRIES: usize = 4;

/// What became of some text.
#[derive(Default)]
struct Fate {
    /// The diagnostics, drawn.
    diagnostics: String,
    n_errors: usize,
    /// How many entries compiled.
    n_games: usize,
    n_plies: usize,
    /// The faults met while playing, drawn.
    faults: String,
}

/// Reads, compiles and plays a text as far as it goes.
fn try_rules(name: &str, bytes: &[u8], loader: &mut dyn Loader) -> Fate {
    let mut fate = Fate::default();
    let mut file = RuleFile::read(name, bytes, loader);
    let mut found = file.diagnostics().to_vec();
    for entry in 0..file.entries().len().min(ENTRIES) {
        let compiled = file.compile(entry);
        found.extend(compiled.diagnostics);
        let Some(rules) = compiled.rules.filter(|rules| rules.model.plugin.is_none()) else {
            continue;
        };
        fate.n_games += 1;
        play(&file, Arc::new(rules), &mut fate);
    }
    fate.n_errors = found
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .count();
    // All would be drawn in no reasonable time where a macro repeats its mistake.
    for diagnostic in found.iter().take(50) {
        writeln!(fate.diagnostics, "{}", file.render(diagnostic)).expect("text can be written to a string");
    }
    fate
}

fn play(file: &RuleFile, rules: Arc<Rules>, fate: &mut Fate) {
    let mut session = Session::new(Arc::clone(&rules));
    let mut list = MoveList::new();
    for ply in 0..PLIES {
        let made = session.legal_moves(&mut list).and_then(|outcome| match outcome {
            None if !list.is_empty() => session.make(&list, (ply * 7) % list.len()).map(|()| true),
            _ => Ok(false),
        });
        match made {
            Ok(true) => fate.n_plies += 1,
            Ok(false) => return,
            Err(fault) => {
                fate.faults.push_str(&file.render(&file.explain_fault(&rules, fault)));
                return;
            }
        }
    }
}

/// Tries a text; fails with what it was if it panics or takes too long.
fn survives(name: &str, bytes: &[u8]) -> Fate {
    survives_within(TIME_LIMIT, name, bytes)
}

fn survives_within(limit: Duration, name: &str, bytes: &[u8]) -> Fate {
    let start = Instant::now();
    let tried = catch_unwind(AssertUnwindSafe(|| try_rules(name, bytes, &mut NoIncludes)));
    let Ok(fate) = tried else {
        panic!("{name} panics; the text is\n{}", excerpt(bytes));
    };
    let time = start.elapsed();
    if time > TIME_WORTH_TELLING {
        println!("{name}: {time:?}");
    }
    assert!(time < limit, "{name} takes {time:?}; the text is\n{}", excerpt(bytes));
    fate
}

/// Tries a text that must be refused.
fn is_refused(name: &str, text: &str) {
    let fate = survives_within(EXPANSION_TIME_LIMIT, name, text.as_bytes());
    assert!(fate.n_errors > 0, "{name} has no error\n{}", fate.diagnostics);
}

/// Enough of a text to see what it is.
fn excerpt(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(6_000).collect()
}

fn shown(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

// Damaged files.

#[test]
fn damaged_rule_files_are_survived() {
    type Damage = fn(&[u8], &mut ChaCha8Rng) -> Vec<u8>;
    let damages: [(&str, Damage, u64); 4] = [
        ("truncated", mutate::truncate, 3),
        ("overwritten", mutate::overwrite, 3),
        ("shuffled", mutate::shuffle_tokens, 5),
        ("other words", mutate::replace_words, 5),
    ];
    let (mut n_cases, mut n_games, mut n_plies) = (0, 0, 0);
    for path in corpus::rule_files() {
        let bytes = fs::read(&path).expect("the rule file can be read");
        for (what, damage, n_seeds) in damages {
            for seed in 0..n_seeds {
                let damaged = damage(&bytes, &mut ChaCha8Rng::seed_from_u64(seed));
                let fate = survives(&format!("{} {what} {seed}", shown(&path)), &damaged);
                n_cases += 1;
                n_games += fate.n_games;
                n_plies += fate.n_plies;
            }
        }
    }
    println!("{n_cases} texts, {n_games} games compiled, {n_plies} plies");
    // Most of them still say something that can be played: the damage does not stop at the first bracket.
    assert!(n_games > n_cases / 2, "{n_games} games of {n_cases} texts");
}

#[test]
fn random_bytes_are_survived() {
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let bytes: Vec<u8> = (0..2000).map(|_| below(&mut random, 256) as u8).collect();
        survives(&format!("random bytes {seed}"), &bytes);
    }
}

#[test]
fn random_lists_of_known_words_are_survived() {
    // Every word of the language occurs in some file.
    let texts: Vec<String> = corpus::rule_files()
        .iter()
        .map(|path| String::from_utf8_lossy(&fs::read(path).expect("the rule file can be read")).into_owned())
        .collect();
    let words: Vec<&str> = texts.iter().flat_map(|text| mutate::tokens(text)).collect();
    let frame = String::from_utf8_lossy(include_bytes!("language/attacked.zrf"));
    let (head, _) = frame.split_once("  (piece").expect("the file has pieces");
    for seed in 0..120 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut soup = String::new();
        let mut depth = 0;
        for _ in 0..400 {
            let word = match below(&mut random, 4) {
                0 if depth < 8 => "(",
                1 => ")",
                _ => words[below(&mut random, words.len())],
            };
            depth += i32::from(word == "(") - i32::from(word == ")");
            // Do not leave the section.
            if depth < 0 {
                depth = 0;
                continue;
            }
            soup.push_str(word);
            soup.push(' ');
        }
        soup.push_str(&")".repeat(depth as usize));
        survives(&format!("words {seed}"), soup.as_bytes());
        survives(
            &format!("section {seed}"),
            format!("{head} (piece (name X) {soup}))").as_bytes(),
        );
        let block = format!("{head} (board-setup (White (X a1))) (piece (name X) (moves (n {soup} add))))");
        survives(&format!("block {seed}"), block.as_bytes());
    }
}

// Texts of positions and moves.

#[test]
fn damaged_positions_and_moves_are_survived() {
    for path in corpus::rule_files() {
        let bytes = fs::read(&path).expect("the rule file can be read");
        let mut file = RuleFile::read(&shown(&path), &bytes, &mut FolderLoader::default());
        let Some(rules) = file.compile(0).rules.map(Arc::new) else {
            continue;
        };
        let mut session = Session::new(Arc::clone(&rules));
        let mut list = MoveList::new();
        let Ok(_) = session.legal_moves(&mut list) else {
            continue;
        };
        let position = print_position(&rules, session.state());
        let notation = Notation::new(&rules);
        let mut texts = notation.unique_texts(session.state(), &list);
        texts.extend(notation.short_texts(session.state(), &list));
        let text = String::from_utf8_lossy(&bytes);
        let words = mutate::tokens(&text);
        for seed in 0..12 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let start = Instant::now();
            let soup: Vec<&str> = (0..20).map(|_| words[below(&mut random, words.len())]).collect();
            for damaged in [
                mutate::truncate(position.as_bytes(), &mut random),
                mutate::overwrite(position.as_bytes(), &mut random),
                mutate::shuffle_tokens(position.as_bytes(), &mut random),
                soup.join(" ").into_bytes(),
            ] {
                let damaged = String::from_utf8_lossy(&damaged);
                match read_position(&rules, "position", &damaged) {
                    // What is read can be played.
                    Ok(state) => drop(Session::from_state(Arc::clone(&rules), state).legal_moves(&mut MoveList::new())),
                    Err(errors) => assert!(!errors.to_string().is_empty(), "{damaged}"),
                }
                drop(read_position(&rules, "position", &format!("fen {damaged}")));
            }
            let text = match texts.len() {
                0 => "a1-b1",
                n_texts => &texts[below(&mut random, n_texts)],
            };
            for damaged in [
                mutate::truncate(text.as_bytes(), &mut random),
                mutate::overwrite(text.as_bytes(), &mut random),
                mutate::shuffle_tokens(text.as_bytes(), &mut random),
                text.repeat(40).into_bytes(),
                soup.join("").into_bytes(),
            ] {
                let damaged = String::from_utf8_lossy(&damaged);
                match notation.find_move(session.state(), &list, &damaged) {
                    Ok(index) => assert!(index < list.len(), "{damaged}"),
                    Err(error) => assert!(!error.to_string().is_empty(), "{damaged}"),
                }
            }
            let time = start.elapsed();
            assert!(time < TIME_LIMIT, "{}, seed {seed}: {time:?}", shown(&path));
        }
    }
}

// Excess.

/// A game on a row of five with these sections and one kind of piece with these blocks.
fn game_with(sections: &str, blocks: &str) -> String {
    format!(
        "(game (title \"G\") (players White Black) (turn-order White Black)
           (board (grid (dimensions (\"a/b/c/d/e\" (10 0)) (\"1\" (0 10))) (directions (e 1 0) (w -1 0))))
           (board-setup (White (Man a1)) (Black (Man e1)))
           {sections}
           (piece (name Man) (attribute wet false) (moves {blocks})))"
    )
}

#[test]
fn deep_nesting_is_refused() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    is_refused("opening brackets", &open);
    survives("closing brackets", close.as_bytes());
    is_refused("brackets", &format!("{open}{close}"));
    is_refused("brackets in a game", &format!("(game {open}{close})"));
    let nots = format!("{} empty? {}", "(not ".repeat(100_000), close);
    survives(
        "conditions",
        game_with("", &format!("(e (verify {nots}) add)")).as_bytes(),
    );
    let ifs = format!("{} add {}", "(if true ".repeat(100_000), close);
    survives("instructions", game_with("", &format!("(e {ifs})")).as_bytes());
    let goals = format!("(win-condition (White) {} stalemated {close})", "(not ".repeat(100_000));
    survives("goals", game_with(&goals, "(e add)").as_bytes());
    let rules = survives("position", game_with("", "(e add)").as_bytes());
    assert_eq!(rules.n_games, 1);
}

#[test]
fn as_much_nesting_as_is_read_can_be_played() {
    let nested = |n: usize| {
        let (nots, ifs) = ("(not ".repeat(n), "(if true ".repeat(n));
        let whiles = "(while (not-flag? f) ".repeat(n);
        let close = ")".repeat(n);
        game_with(
            &format!("(draw-condition (White) {nots} stalemated {close})"),
            &format!(
                "(e (verify {nots} true {close}) add) (e {ifs} add {close}) (e {whiles} (set-flag f true) {close} add)"
            ),
        )
    };
    let fate = survives("nested", nested(240).as_bytes());
    assert!(fate.n_plies > 0, "{}", fate.diagnostics);
}

#[test]
fn macros_that_explode_are_refused() {
    let doubling = |first: &str, step: &dyn Fn(usize) -> String| {
        let mut text = format!("(define m0 {first})\n");
        for level in 1..=64 {
            writeln!(text, "{}", step(level)).expect("text can be written to a string");
        }
        text
    };
    let twice = |level: usize| format!("(define m{level} (m{}) (m{}))", level - 1, level - 1);
    is_refused(
        "instructions",
        &(doubling("e w", &twice) + &game_with("", "(e (m64) add)")),
    );
    is_refused("blocks", &(doubling("(e add)", &twice) + &game_with("", "(m64)")));
    // Sections are sorted before the limit stops them, which takes longest; a small explosion will do.
    let sections = doubling("(draw-condition (White) repetition)", &twice) + &game_with("(m12)", "(e add)");
    survives("sections", sections.as_bytes());
    is_refused(
        "top level",
        &(doubling("(define x e)", &twice) + "(m64)" + &game_with("", "(e add)")),
    );
    let words = |level: usize| format!("(define m{level} (m{} $1$1))", level - 1);
    is_refused("words", &(doubling("$1", &words) + &game_with("", "(e (m64 x) add)")));
    let arguments = |level: usize| format!("(define m{level} (m{} ($1 $1)))", level - 1);
    is_refused(
        "arguments",
        &(doubling("$1", &arguments) + &game_with("", "(e (m64 e) add)")),
    );
    is_refused(
        "a use of itself",
        &format!("(define m (m)) {}", game_with("", "(e (m) add)")),
    );
    is_refused(
        "uses of each other",
        &format!("(define m (k) (k)) (define k (m) (m)) {}", game_with("", "(e (m) add)")),
    );
    is_refused(
        "growing uses of itself",
        &format!("(define m (m $1$1 ($1))) {}", game_with("", "(e (m x) add)")),
    );
    // A use that is never looked at costs nothing.
    survives(
        "unused",
        (doubling("e w", &twice) + &game_with("", "(e add)")).as_bytes(),
    );
}

#[test]
fn boards_that_are_too_large_are_refused() {
    let labels = |n: usize| (0..n).map(|label| label.to_string()).collect::<Vec<_>>().join("/");
    let board = |dimensions: &str| {
        format!(
            "(game (title \"G\") (players W) (turn-order W) (piece (name P) (moves (e add)))
               (board (grid (dimensions {dimensions}) (directions (e 1)))))"
        )
    };
    let many = labels(10_000);
    is_refused(
        "10 000 by 10 000",
        &board(&format!("(\"{many}\" (1 0)) (\"{many}\" (0 1))")),
    );
    is_refused("sixty dimensions", &board(&"(\"a/b\" (1 0)) ".repeat(60)));
    let two_grids =
        format!("(grid (dimensions (\"{many}\" (1 0)) (\"a/b/c/d/e/f\" (0 1))) (directions (e 1))) ").repeat(2);
    survives(
        "the same grid twice",
        format!("(game (title \"G\") (players W) (turn-order W) (piece (name P) (moves (e add))) (board {two_grids}))")
            .as_bytes(),
    );
}

#[test]
fn a_large_board_is_played() {
    let side = (0..200).map(|label| format!("x{label}")).collect::<Vec<_>>().join("/");
    let text = format!(
        "(game (title \"G\") (players W B) (turn-order W B)
           (board (grid (dimensions (\"{side}\" (1 0)) (\"{}\" (0 1))) (directions (e 1 0) (w -1 0) (n 0 1) (s 0 -1))))
           (board-setup (W (King x0y0) (Rook x5y7)) (B (King x199y199) (Rook x7y100)))
           (piece (name King) (moves (e add) (w add) (n add)))
           (piece (name Rook) (moves (e (while empty? add e) add) (n (while empty? add n) add)))
           (loss-condition (W B) (checkmated King)))",
        side.replace('x', "y")
    );
    let fate = survives("40 000 positions", text.as_bytes());
    assert_eq!(fate.n_plies, PLIES, "{}{}", fate.diagnostics, fate.faults);
}

#[test]
fn endless_loops_are_faults() {
    let endless = [
        "(e (while true) add)",
        "(e (while true (set-flag f true)) add)",
        "((while on-board? e w))",
        "((while true e add w))",
        "(e (while true flip))",
        "(e (while true (capture w)) add)",
        "(e (while true cascade w e) add)",
        "(e (while true (while true (if true mark))))",
        "((while (not-flag? f) (while (flag? f)) e w) add)",
    ];
    for block in endless {
        let fate = survives(block, game_with("", block).as_bytes());
        assert!(!fate.faults.is_empty(), "{block}: {}", fate.diagnostics);
    }
    let in_attack_tests = "(e (while (or empty? not-empty?)) add) (e (verify not-attacked?) add)";
    let fate = survives(in_attack_tests, game_with("", in_attack_tests).as_bytes());
    assert!(!fate.faults.is_empty(), "{}", fate.diagnostics);
    let in_drops = game_with("(board-setup (White (Man off 3)))", "(e add)")
        .replace("(moves", "(drops ((while true add))) (moves");
    assert!(!survives("drops", in_drops.as_bytes()).faults.is_empty());
}

#[test]
fn chains_without_end_can_be_played() {
    let shuttle = "(move-type hop) ((if (on-board? e) e else w) (verify empty?) (add-partial hop)) (w (verify empty?) (add-partial hop))";
    let fate = survives("shuttle", game_with("", shuttle).as_bytes());
    assert_eq!(fate.n_plies, PLIES, "{}", fate.faults);
    let longest = game_with("(option \"maximal captures\" true)", shuttle);
    survives("longest shuttle", longest.as_bytes());
    // The attribute makes every step of the chain a new position for a while.
    let painting = "(move-type hop) (e (set-attribute wet (not wet)) (add-partial hop)) (w (set-attribute wet (not (wet e))) (add-partial hop))";
    survives(
        "painting",
        game_with("(option \"maximal captures\" true)", painting).as_bytes(),
    );
}

#[test]
fn huge_numbers_are_survived() {
    for number in [
        "99999999999999999999999",
        "18446744073709551615",
        "9223372036854775807",
        "-9223372036854775808",
        "4294967296",
        "-1",
        "-0",
        "+5",
        "1e9",
    ] {
        let board = format!(
            "(board (grid (start-rectangle {number} {number} {number} {number})
               (dimensions (\"a/b/c\" ({number} {number})) (\"1/2\" ({number} {number})))
               (directions (e 1 0) (w -1 0) (far {number} {number}) (half 0 {number})))
               (positions (p {number} {number} {number} {number})))"
        );
        let sections = format!(
            "{board} (board-setup (White (Man a1 off {number} off {number})) (Black (Man c1 off {number})))
             (win-condition (White) (pieces-remaining {number})) (draw-condition (Black) (total-piece-count {number} Man))
             (option \"pass turn\" {number}) (option \"maximal captures\" {number}) (option \"recycle captures\" {number})"
        );
        let blocks = format!("(e (set-attribute wet {number}) add) (far add) (half add) (m {number})");
        let text = format!(
            "(define m (e ${number} add)) (version \"{number}\") {}",
            game_with(&sections, &blocks)
        )
        .replace("(attribute wet false)", &format!("(attribute wet {number})"));
        survives(number, text.as_bytes());
        let rules = ludex::load("g.zrf", game_with("", "(e add)").as_bytes())
            .expect("the rules are right")
            .remove(0);
        for text in [
            format!("(position (turn White {number}))"),
            format!("(position (White (Man off {number} a1 off {number})))"),
            format!("(position (White (Man (a1 (wet {number})))))"),
            format!("fen {number}/{number} w - - {number} {number}"),
        ] {
            drop(read_position(&rules, "position", &text));
        }
    }
}

#[test]
fn very_many_names_are_survived() {
    let many = |n: usize, one: &dyn Fn(usize) -> String| (0..n).map(one).collect::<Vec<_>>().join(" ");
    // More pieces than there are numbers for, one for each player and kind.
    let players = many(250, &|player| format!("P{player}"));
    let kinds = many(300, &|kind| format!("(piece (name K{kind}) (moves (e add)))"));
    let text = format!(
        "(game (title \"G\") (players {players}) (turn-order {players})
           (board (grid (dimensions (\"a/b\" (1 0)) (\"1\" (0 1))) (directions (e 1 0))))
           (board-setup (P0 (K299 a1)) (P249 (K299 b1))) {kinds})"
    );
    is_refused("players and kinds", &text);
    let players = many(1000, &|player| format!("P{player}"));
    let text = format!(
        "(game (title \"G\") (players {players}) (turn-order {players}) (piece (name K) (moves (e add)))
           (board (grid (dimensions (\"a/b\" (1 0)) (\"1\" (0 1))) (directions (e 1 0)))))"
    );
    is_refused("players", &text);
    let flags = many(70_000, &|flag| format!("(set-flag f{flag} true)"));
    survives("flags", game_with("", &format!("({flags} e add)")).as_bytes());
    let flags = many(5_000, &|flag| format!("(set-position-flag f{flag} true)"));
    survives("position flags", game_with("", &format!("({flags} e add)")).as_bytes());
    let types = many(10_000, &|move_type| format!("(move-type t{move_type})"));
    survives("move types", game_with("", &format!("{types} (e add)")).as_bytes());
    // Every direction is compared with every other to find its opposite.
    let directions = many(2_000, &|direction| format!("(d{direction} 1 0)"));
    let board = format!("(board (grid (dimensions (\"a/b\" (1 0)) (\"1\" (0 1))) (directions (e 1 0) {directions})))");
    survives("directions", game_with(&board, "(e add)").as_bytes());
}

// Includes.

#[test]
fn includes_without_end_are_refused() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("the file can be written");
    let game = game_with("", "(e add)");
    write("self.zrf", &format!("(include \"self.zrf\") {game}"));
    write(
        "one.zrf",
        &format!("(include \"two.zrf\") (include \"two.zrf\") {game}"),
    );
    write("two.zrf", "(include \"ONE.ZRF\") (include \".\\one.zrf\")");
    write(
        "odd.zrf",
        &format!("(include \"\") (include) (include \".\") (include \"..\") (include 5) (include \"/\") {game}"),
    );
    for name in ["self.zrf", "one.zrf", "odd.zrf"] {
        let path = folder.path().join(name);
        let bytes = fs::read(&path).expect("the file can be read");
        let start = Instant::now();
        let fate = try_rules(&path.display().to_string(), &bytes, &mut FolderLoader::default());
        assert!(fate.n_errors > 0, "{name}: {}", fate.diagnostics);
        assert!(start.elapsed() < TIME_LIMIT, "{name} takes {:?}", start.elapsed());
    }
}
