//! Games and variants: which sections an entry of the menu has.
//!
//! A variant states how it differs from its base game, which is the nearest game above it, or the first of the file.
//! Its sections replace those of the base; how is a matter of the section's first word, and this file's one table
//! ([`RULES`]) is all that expansion knows of sections.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Expander, Form, FormKind, display_text};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::source::Span;

/// One entry of the menu: a game, or a variant merged with its base game.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The title as it is shown; the name of the file if the game has none.
    pub title: String,
    /// Whether it is a variant.
    pub is_variant: bool,
    /// Whether it is the entry to choose when none is asked for; exactly one entry of a file is.
    pub is_default: bool,
    /// The `(game …)` or `(variant …)`.
    pub span: Span,
    /// The lists of the game: those of the base game in its order, with the variant's own in the places of those that
    /// they replace or else at the end.
    pub sections: Vec<Form>,
}

/// How sections of a variant meet those of the base game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// Replaces the base's section with the same `(name …)` in it.
    ByName,
    /// Replaces the base's section whose second element is the same.
    BySecond,
    /// Any such section drops all of the base's, and its `end-condition`s with them.
    Goal,
    /// Belongs to one entry and is not inherited.
    Own,
}

/// The sections that do not simply replace all of their kind.
const RULES: [(&str, Rule); 13] = [
    ("piece", Rule::ByName),
    ("option", Rule::BySecond),
    ("win-condition", Rule::Goal),
    ("loss-condition", Rule::Goal),
    ("draw-condition", Rule::Goal),
    ("count-condition", Rule::Goal),
    ("default", Rule::Own),
    // Words beyond the classic language.
    ("variable", Rule::BySecond),
    ("player-variable", Rule::BySecond),
    ("level", Rule::BySecond),
    ("policy", Rule::BySecond),
    ("score", Rule::BySecond),
    ("evaluate", Rule::BySecond),
];

/// The goal that a variant's goals drop but that does not drop goals itself.
const END_CONDITION: &str = "end-condition";

/// What a section replaces: sections with an equal key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Kind(String),
    Named(String, String),
    Goal,
}

/// A section with its key.
struct Section {
    form: Form,
    key: Key,
}

/// One `(game …)` or `(variant …)` as written.
struct Written {
    form: Form,
    is_variant: bool,
    title: Option<String>,
    is_marked: bool,
    sections: Vec<Section>,
}

/// Makes the entries out of the games and variants (`true`) of a file.
pub(super) fn entries(expander: &mut Expander, games: &[(Form, bool)], file: &str, sink: &mut Sink) -> Vec<Entry> {
    let written: Vec<Written> = games
        .iter()
        .map(|&(form, is_variant)| read(expander, form, is_variant, sink))
        .collect();
    let fallback = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let fallback = fallback.rsplit_once('.').map_or(fallback, |(stem, _)| stem);
    let mut base = written.iter().find(|game| !game.is_variant);
    let mut entries = Vec::new();
    let mut n_marked = 0;
    for game in &written {
        let sections = match base {
            Some(base) if game.is_variant => merge(base, game),
            _ => {
                base = Some(game);
                game.sections.iter().map(|section| section.form).collect()
            }
        };
        let title = game.title.as_ref().or(base.and_then(|base| base.title.as_ref()));
        let title = title.map_or(fallback, String::as_str);
        // A line across the menu.
        if game.is_variant && title == "-" {
            continue;
        }
        let is_default = game.is_marked && n_marked == 0;
        n_marked += usize::from(game.is_marked);
        entries.push(Entry {
            title: title.to_string(),
            is_variant: game.is_variant,
            is_default,
            span: expander.span(game.form),
            sections,
        });
    }
    if n_marked == 0
        && let Some(first) = entries.iter_mut().find(|entry| !entry.is_variant)
    {
        first.is_default = true;
    }
    entries
}

fn read(expander: &mut Expander, form: Form, is_variant: bool, sink: &mut Sink) -> Written {
    let mut game = Written {
        form,
        is_variant,
        title: None,
        is_marked: false,
        sections: Vec::new(),
    };
    for element in expander.children(form, sink).into_iter().skip(1) {
        if expander.kind(element) != FormKind::List {
            report_word(expander, element, sink);
            continue;
        }
        let parts = expander.children(element, sink);
        let head = parts.first().map_or("", |&head| word(expander, head)).to_string();
        match head.as_str() {
            "title" => {
                game.title = parts
                    .get(1)
                    .map(|&title| display_text(word(expander, title)).replace('\n', " "))
            }
            "default" => game.is_marked = true,
            "define" => {
                sink.push(
                    Diagnostic::warning(Code::DefineInside, "a `define` inside a game is ignored")
                        .at(expander.span(element))
                        .labels(expander.labels(element))
                        .help("move it out of the game"),
                );
                continue;
            }
            _ => {}
        }
        let key = key(expander, head, &parts, sink);
        game.sections.push(Section { form: element, key });
    }
    game
}

fn key(expander: &mut Expander, head: String, parts: &[Form], sink: &mut Sink) -> Key {
    let Some(&(_, rule)) = RULES.iter().find(|(word, _)| *word == head) else {
        return Key::Kind(head);
    };
    match rule {
        Rule::Goal => Key::Goal,
        Rule::Own => Key::Kind(head),
        Rule::BySecond => {
            let mut name = String::new();
            match parts.get(1) {
                Some(&second) if expander.kind(second) == FormKind::List => expander.print(second, &mut name, sink),
                Some(&second) => name.push_str(word(expander, second)),
                None => {}
            }
            Key::Named(head, name)
        }
        Rule::ByName => {
            let mut inner = Vec::new();
            for &part in parts.iter().skip(1) {
                inner.clear();
                expander.children_into(part, &mut inner, sink);
                if let &[head_of_part, name, ..] = inner.as_slice()
                    && word(expander, head_of_part) == "name"
                {
                    return Key::Named(head, word(expander, name).to_string());
                }
            }
            Key::Named(head, String::new())
        }
    }
}

/// Returns the sections of the base game with those of the variant in their places.
fn merge(base: &Written, variant: &Written) -> Vec<Form> {
    let mut own: FxHashMap<&Key, Vec<Form>> = FxHashMap::default();
    for section in &variant.sections {
        own.entry(&section.key).or_default().push(section.form);
    }
    let has_goals = own.contains_key(&Key::Goal);
    let mut placed: FxHashSet<&Key> = FxHashSet::default();
    let mut merged = Vec::with_capacity(base.sections.len() + variant.sections.len());
    for section in &base.sections {
        let is_dropped = match &section.key {
            Key::Kind(kind) => (has_goals && kind == END_CONDITION) || is_own(kind),
            Key::Named(..) | Key::Goal => false,
        };
        match own.get(&section.key) {
            // The last one of a player counts, so the variant's own come at the end.
            Some(_) if is_by_players(&section.key) => {}
            Some(forms) => {
                if placed.insert(&section.key) {
                    merged.extend_from_slice(forms);
                }
            }
            None if is_dropped => {}
            None => merged.push(section.form),
        }
    }
    merged.extend(
        variant
            .sections
            .iter()
            .filter(|section| !placed.contains(&section.key))
            .map(|section| section.form),
    );
    merged
}

/// Tells whether a section says something of players that a later one may say of some of them anew.
fn is_by_players(key: &Key) -> bool {
    matches!(key, Key::Named(word, _) if ["policy", "score", "evaluate"].contains(&word.as_str()))
}

fn is_own(kind: &str) -> bool {
    RULES.iter().any(|&(word, rule)| word == kind && rule == Rule::Own)
}

/// Returns the text of a word or string, empty for a list.
fn word(expander: &Expander, form: Form) -> &str {
    match expander.kind(form) {
        FormKind::Atom(word) | FormKind::Str(word) => expander.text(word),
        FormKind::List => "",
    }
}

fn report_word(expander: &Expander, form: Form, sink: &mut Sink) {
    let short: String = word(expander, form).chars().take(40).collect();
    let mut diagnostic = Diagnostic::warning(
        Code::StrayWord,
        format!("`{short}` stands where a section was expected"),
    )
    .at(expander.span(form))
    .labels(expander.labels(form));
    if let FormKind::Atom(word) = expander.kind(form)
        && expander.macros.has(word)
    {
        diagnostic = diagnostic.help(format!("write `({short})` to use the macro"));
    }
    sink.push(diagnostic);
}
