//! Rule text to expanded games: whole inputs under `tests/data/`, the rules of macros and variants, and random text.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ludex::diagnostic::{RenderOptions, Sink, render};
use ludex::expand::{Expander, Form, FormKind, LoadError, Loader, expand};
use ludex::source::SourceMap;
use ludex::symbol::Interner;
use ludex::syntax::{parse, print};
use proptest::prelude::*;

/// Included files by name, kept in memory.
#[derive(Default)]
struct Files(HashMap<&'static str, &'static str>);

impl Loader for Files {
    fn load(&mut self, file: &str, _from: &str) -> Result<(String, Vec<u8>), LoadError> {
        match self.0.get(file) {
            Some(text) => Ok((file.to_string(), text.as_bytes().to_vec())),
            None => Err(LoadError::NotFound {
                folders: vec![".".to_string()],
            }),
        }
    }
}

struct Expanded {
    expander: Expander,
    sources: SourceMap,
    sink: Sink,
}

impl Expanded {
    fn new(text: &str, files: &[(&'static str, &'static str)]) -> Expanded {
        let mut sources = SourceMap::new();
        let root = sources.add("a.zrf", text.as_bytes());
        let mut sink = Sink::new();
        let mut files = Files(files.iter().copied().collect());
        let expander = expand(&mut sources, root, &mut files, &mut sink);
        Expanded {
            expander,
            sources,
            sink,
        }
    }

    /// Returns all sections of an entry, expanded.
    fn entry(&mut self, index: usize) -> String {
        let sections = self.expander.entries()[index].sections.clone();
        let mut text = String::new();
        for section in sections {
            self.expander.print(section, &mut text, &mut self.sink);
            text.push('\n');
        }
        text.trim_end().to_string()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.sink
            .diagnostics()
            .iter()
            .map(|diagnostic| diagnostic.code.number())
            .collect()
    }

    fn diagnostics(&self) -> String {
        let drawn = self
            .sink
            .diagnostics()
            .iter()
            .map(|d| render(&self.sources, d, RenderOptions::default()));
        drawn.collect::<Vec<String>>().join("\n\n")
    }
}

/// Expands a game with one section `(s …)` around `body`, after `defines`, and returns what the section becomes.
fn section(defines: &str, body: &str) -> String {
    let mut expanded = Expanded::new(&format!("{defines}\n(game (s {body}))"), &[]);
    let text = expanded.entry(0);
    assert_eq!(expanded.codes(), [""; 0], "{}", expanded.diagnostics());
    text
}

#[test]
fn calls_are_spliced() {
    assert_eq!(section("(define m a (b) c)", "x (m) y"), "(s x a (b) c y)");
    assert_eq!(section("(define m)", "x (m) y"), "(s x y)");
    assert_eq!(section("(define m a)", "(x (m))"), "(s (x a))");
}

#[test]
fn a_bare_name_is_no_call() {
    assert_eq!(
        section("(define m a)", "m (x m) \"m\" ((m) x)"),
        "(s m (x m) \"m\" (a x))"
    );
}

#[test]
fn arguments_are_put_in_and_surplus_ones_ignored() {
    assert_eq!(section("(define m ($2 $1))", "(m a (b c) d)"), "(s ((b c) a))");
    let letters = "a b c d e f g h i j k l m n o p q";
    assert_eq!(section("(define m $17 $1)", &format!("(m {letters})")), "(s q a)");
}

#[test]
fn arguments_are_pasted_into_words_and_strings() {
    assert_eq!(
        section("(define m p$1 $1-$2-x \"i/$1.bmp\" $1$2)", "(m a b)"),
        "(s pa a-b-x \"i/a.bmp\" ab)"
    );
    assert_eq!(
        section("(define m \"<$1>\" \"$1\" x$1)", "(m \"a b\")"),
        "(s \"<a b>\" \"a b\" xa b)"
    );
    assert_eq!(section("(define m $ $x a$ $0)", "(m a)"), "(s $ $x a$)");
}

#[test]
fn missing_arguments_come_from_the_calls_around() {
    assert_eq!(section("(define in $1 $2) (define out (in))", "(out a b)"), "(s a b)");
    assert_eq!(section("(define in $1 $2) (define out (in x))", "(out a b)"), "(s x b)");
    assert_eq!(
        section("(define in (x $1)) (define mid (in)) (define out (mid))", "(out a)"),
        "(s (x a))"
    );
    // An argument is read where it was written, not where it is put.
    assert_eq!(
        section("(define in $1 $2) (define out (in $2))", "(out a b)"),
        "(s b b)"
    );
    assert_eq!(
        section(
            "(define leaf [$2]) (define in ($1)) (define out (in (leaf)))",
            "(out a b)"
        ),
        "(s ([b]))"
    );
}

#[test]
fn arguments_that_nobody_gives_vanish() {
    assert_eq!(
        section("(define m (add $1) x$1 \"$1\" $1$2)", "(m)"),
        "(s (add) x \"\")"
    );
    assert_eq!(section("(define v a) (define m ($1 v b))", "(m)"), "(s a)");
}

#[test]
fn the_result_is_scanned_again() {
    assert_eq!(section("(define a b) (define m ($1 x))", "(m a)"), "(s b)");
    assert_eq!(section("(define a-b c) (define m ($1-b x))", "(m a)"), "(s c)");
    assert_eq!(
        section("(define two $1 $1) (define m (two $1))", "(m (two (x)))"),
        "(s (x) (x) (x) (x))"
    );
    assert_eq!(
        section("(define apply ($1 $2)) (define a x)", "(apply apply a)"),
        "(s x)"
    );
}

#[test]
fn macros_win_over_keywords() {
    assert_eq!(section("(define verify v $1)", "(verify x)"), "(s v x)");
}

#[test]
fn the_latest_define_above_counts_else_the_first_below() {
    let text = "(define outer (m)) (variant (s (m)) (t (outer))) (define m a) (game (s (m)) (t (outer)))
                (define m b) (variant (s (m)) (t (outer))) (define m c)";
    let mut expanded = Expanded::new(text, &[]);
    assert_eq!(expanded.entry(0), "(s a)\n(t a)");
    assert_eq!(expanded.entry(1), "(s a)\n(t a)");
    assert_eq!(expanded.entry(2), "(s b)\n(t b)");
}

#[test]
fn includes_stand_where_they_are_included() {
    let files = [
        ("lib.inc", "(define m b) (include \"more.inc\")"),
        ("more.inc", "(define n (m))"),
    ];
    let text = "(define m a) (variant (s (m))) (include \"lib.inc\") (game (s (n)))";
    let mut expanded = Expanded::new(text, &files);
    assert_eq!(
        (expanded.entry(0), expanded.entry(1)),
        ("(s a)".to_string(), "(s b)".to_string())
    );
    assert_eq!(expanded.codes(), [""; 0]);
}

#[test]
fn macros_give_games_defines_and_includes() {
    let text = "(define make (define $1 $2 $1) (game (title \"$1\") (s ($1))) (variant (title \"$3\") (s ($1))) (include \"$4\"))
                (make foo x second lib.inc)";
    let mut expanded = Expanded::new(text, &[("lib.inc", "(variant (title \"third\") (s (foo)))")]);
    assert_eq!(expanded.codes(), [""; 0], "{}", expanded.diagnostics());
    assert_eq!(expanded.entry(0), "(title \"foo\")\n(s x foo)");
    assert_eq!(expanded.entry(1), "(title \"second\")\n(s x foo)");
    assert_eq!(expanded.entry(2), "(title \"third\")\n(s x foo)");
}

#[test]
fn sections_come_out_of_macros() {
    let mut expanded = Expanded::new("(define men (piece (name $1)) (piece (name $2))) (game (men A B))", &[]);
    assert_eq!(expanded.entry(0), "(piece (name A))\n(piece (name B))");
}

#[test]
fn repetition() {
    assert_eq!(section("", "(foreach $x (a b) ($x p$x))"), "(s (a pa) (b pb))");
    assert_eq!(section("", "(foreach $x (2 .. 4) r$x)"), "(s r2 r3 r4)");
    assert_eq!(section("", "(foreach ($a $b) ((x 1) (y 2)) $a$b)"), "(s x1 y2)");
    assert_eq!(section("(define all (n e))", "(foreach $d (all) ($d))"), "(s (n) (e))");
    assert_eq!(
        section("(define m (foreach $x (a b) ($x $1)))", "(m z)"),
        "(s (a z) (b z))"
    );
    assert_eq!(
        section("", "(foreach $x (a b) (foreach $y (1 2) $x$y))"),
        "(s a1 a2 b1 b2)"
    );
    // Without the shape it is a list like any other.
    assert_eq!(section("", "(foreach a1 (b))"), "(s (foreach a1 (b)))");
}

#[test]
fn named_parameters() {
    assert_eq!(
        section("(define m ($d $len) ($d a$len $lend))", "(m n 3)"),
        "(s (n a3 3d))"
    );
    assert_eq!(section("(define m ($d $dir) $dir $d)", "(m x y)"), "(s y x)");
    assert_eq!(section("(define m (n n add) $1)", "(m x)"), "(s (n n add) x)");
    assert_eq!(section("(define m ($1 $2))", "(m x y)"), "(s (x y))");
}

#[test]
fn variants_replace_by_kind_and_name() {
    let base =
        "(game (title \"B\") (board a) (piece (name P) 1) (piece (name Q) 1) (option \"x\" true) (option \"y\" true)
                (win-condition a) (loss-condition b) (end-condition c) (default))";
    let text = format!(
        "{base} (variant (title \"V\") (piece (name R) 2) (piece (name P) 2) (option \"x\" false) (board b))
         (variant (title \"-\")) (variant (title \"W\") (draw-condition z)) (variant (title \"E\") (end-condition z))"
    );
    let mut expanded = Expanded::new(&text, &[]);
    let titles: Vec<String> = expanded
        .expander
        .entries()
        .iter()
        .map(|entry| entry.title.clone())
        .collect();
    assert_eq!(titles, ["B", "V", "W", "E"]);
    assert_eq!(
        expanded.entry(1).replace('\n', " "),
        "(title \"V\") (board b) (piece (name P) 2) (piece (name Q) 1) (option \"x\" false) (option \"y\" true) \
         (win-condition a) (loss-condition b) (end-condition c) (piece (name R) 2)"
    );
    let w = expanded.entry(2).replace('\n', " ");
    assert!(
        w.contains("(draw-condition z)") && !w.contains("win-condition") && !w.contains("end-condition"),
        "{w}"
    );
    let e = expanded.entry(3).replace('\n', " ");
    assert!(
        e.contains("(end-condition z)") && e.contains("(win-condition a)") && !e.contains("(end-condition c)"),
        "{e}"
    );
}

#[test]
fn variants_belong_to_the_game_above_or_else_the_first() {
    let text = "(variant (title \"0\")) (game (title \"a\") (s a)) (variant (title \"1\")) (game (title \"b\") (s b))
                (variant (title \"2\") (default))";
    let mut expanded = Expanded::new(text, &[]);
    let sections: Vec<String> = (0..5).map(|index| expanded.entry(index).replace('\n', " ")).collect();
    let expected = [
        "(s a) (title \"0\")",
        "(title \"a\") (s a)",
        "(s a) (title \"1\")",
        "",
        "(s b)",
    ];
    for (section, part) in sections.iter().zip(expected) {
        let parts = part.split_inclusive(") ");
        assert!(parts.into_iter().all(|part| section.contains(part.trim())), "{section}");
    }
    let defaults: Vec<bool> = expanded
        .expander
        .entries()
        .iter()
        .map(|entry| entry.is_default)
        .collect();
    assert_eq!(defaults, [false, false, false, false, true]);
}

#[test]
fn origins_tell_the_uses_from_the_inside_out() {
    let mut expanded = Expanded::new("(define in (x $1)) (define out (in $1))\n(game (out a))", &[]);
    let section = expanded.expander.entries()[0].sections[0];
    let labels = expanded.expander.labels(section);
    let texts: Vec<&str> = labels.iter().map(|label| expanded.sources.slice(label.span)).collect();
    assert_eq!(texts, ["(in $1)", "(out a)"]);
    assert_eq!(labels[0].message, "in this use of `in`");
    assert_eq!(expanded.sources.slice(expanded.expander.span(section)), "(x $1)");
    let children = expanded.expander.children(section, &mut expanded.sink);
    assert_eq!(expanded.sources.slice(expanded.expander.span(children[1])), "a");
    assert!(expanded.expander.labels(children[1]).is_empty());
}

#[test]
fn endless_macros_end() {
    let mut expanded = Expanded::new("(define a x (b) (b)) (define b (a) (a)) (game (s (a)))", &[]);
    expanded.entry(0);
    assert_eq!(expanded.codes(), ["Z0206"]);
    let mut expanded = Expanded::new("(define a (x (a))) (game (s (a)))", &[]);
    expanded.entry(0);
    assert_eq!(expanded.codes(), ["Z0206"]);
    let mut expanded = Expanded::new("(define a (a)) (a) (game (s))", &[]);
    expanded.entry(0);
    assert_eq!(expanded.codes(), ["Z0206"]);
    let mut expanded = Expanded::new("(define a (define b$1 (x)) (a $1$1)) (a 1) (game (s))", &[]);
    expanded.entry(0);
    assert!(expanded.codes().contains(&"Z0206"));
}

#[test]
fn huge_expansions_end() {
    let mut text = String::from("(define m0 x)");
    for n in 1..100 {
        let _ = write!(text, "(define m{n} (m{0}) (m{0}))", n - 1);
    }
    let mut expanded = Expanded::new(&format!("{text} (game (s (m99)))"), &[]);
    expanded.expander.set_limit(100_000);
    expanded.entry(0);
    assert_eq!(expanded.codes(), ["Z0207"]);
}

#[test]
fn deep_expansions_end() {
    let mut text = String::from("(define m0 x)");
    for n in 1..100 {
        let _ = write!(text, "(define m{n} (a (b (c (m{})))))", n - 1);
    }
    let mut expanded = Expanded::new(&format!("{text} (game (s (m99)))"), &[]);
    expanded.entry(0);
    assert_eq!(expanded.codes(), ["Z0104"]);
}

#[test]
fn includes_that_never_end_are_found() {
    let files = [("b.inc", "(include \"a.zrf\")"), ("a.zrf", "(include \"b.inc\")")];
    let expanded = Expanded::new("(include \"b.inc\") (game (s))", &files);
    assert_eq!(expanded.codes(), ["Z0202"]);
}

/// Every file under `tests/data/syntax/` as a tree, with its diagnostics.
#[test]
fn trees() {
    for_each_file("syntax", |text| {
        let mut sources = SourceMap::new();
        let id = sources.add("a.zrf", text);
        let (mut interner, mut sink) = (Interner::new(), Sink::new());
        let tree = parse(&sources, id, &mut interner, &mut sink);
        let drawn = sink
            .diagnostics()
            .iter()
            .map(|d| format!("\n{}\n", render(&sources, d, RenderOptions::default())));
        print(&tree, &interner) + &drawn.collect::<String>()
    });
}

/// Every file under `tests/data/expand/` as its entries, with its diagnostics.
#[test]
fn expansions() {
    for_each_file("expand", |text| {
        let mut expanded = Expanded::new(
            &String::from_utf8_lossy(text),
            &[("lib.inc", "(define lib (from lib $1))")],
        );
        let mut out = String::new();
        for index in 0..expanded.expander.entries().len() {
            let entry = expanded.expander.entries()[index].clone();
            let kind = if entry.is_variant { "variant" } else { "game" };
            let mark = if entry.is_default { ", default" } else { "" };
            let _ = write!(
                out,
                "== {kind} \"{}\"{mark}\n{}\n\n",
                entry.title,
                expanded.entry(index)
            );
        }
        out + &expanded.diagnostics()
    });
}

/// Takes a snapshot of what `show` makes of each file of a folder; it shows the file too.
fn for_each_file(folder: &str, show: impl Fn(&[u8]) -> String) {
    let folder = Path::new("tests/data").join(folder);
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path(Path::new("data").join(folder.file_name().unwrap()));
    settings.set_omit_expression(true);
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "zrf"));
    paths.sort();
    assert!(!paths.is_empty());
    settings.bind(|| {
        for path in paths {
            let text = fs::read(&path).unwrap();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let shown = format!("{}\n----\n{}", String::from_utf8_lossy(&text).trim_end(), show(&text));
            insta::assert_snapshot!(name, shown);
        }
    });
}

fn walk(expander: &mut Expander, form: Form, sink: &mut Sink) {
    if expander.kind(form) == FormKind::List {
        for child in expander.children(form, sink) {
            walk(expander, child, sink);
        }
    }
}

fn check_any(bytes: &[u8]) {
    let mut sources = SourceMap::new();
    let id = sources.add("a.zrf", bytes);
    let mut sink = Sink::new();
    let mut files = Files([("b", "(define a $1 (a)) (include \"b\")")].into_iter().collect());
    let mut expander = expand(&mut sources, id, &mut files, &mut sink);
    expander.set_limit(200_000);
    let sections: Vec<Form> = expander
        .entries()
        .iter()
        .flat_map(|entry| entry.sections.clone())
        .collect();
    for section in sections {
        walk(&mut expander, section, &mut sink);
    }
    for diagnostic in sink.diagnostics() {
        render(&sources, diagnostic, RenderOptions { color: true });
    }
}

/// Words that matter to this stage, put together at random.
fn scraps() -> impl Strategy<Value = String> {
    let scrap = prop::sample::select(vec![
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        " ",
        " ",
        "\"",
        ";",
        "\n",
        "\r",
        "define",
        "(define a ",
        "(define b ",
        "(a ",
        "(b ",
        "a",
        "b",
        "$1",
        "$2",
        "x$1",
        "$1$2",
        "$x",
        "(foreach $x ",
        "(1 .. 3)",
        "($x $y)",
        "(game ",
        "(variant ",
        "(include \"b\")",
        "(include $1)",
        "title",
        "\"-\"",
        "(version \"3.0\")",
        "(piece (name ",
        "(default)",
        "é",
    ]);
    prop::collection::vec(scrap, 0..60).prop_map(|scraps| scraps.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_harmless(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_any(&bytes);
    }

    #[test]
    fn any_scraps_are_harmless(text in scraps()) {
        check_any(text.as_bytes());
    }

    #[test]
    fn printing_and_reading_again_is_the_identity(text in scraps()) {
        let mut interner = Interner::new();
        let mut show = |text: &str, sink: &mut Sink| {
            let mut sources = SourceMap::new();
            let id = sources.add("a", text.as_bytes());
            print(&parse(&sources, id, &mut interner, sink), &interner)
        };
        let printed = show(&text, &mut Sink::new());
        let mut sink = Sink::new();
        prop_assert_eq!(&show(&printed, &mut sink), &printed);
        prop_assert!(sink.diagnostics().is_empty());
    }
}
