//! What stands outside games: reading a file with its includes, collecting macros, and finding the games.
//!
//! A use of a macro outside games may give a game, a variant, a `define` or an `include`. So the file is worked through
//! in rounds until nothing changes: put the text of included files in place, collect the macros, expand uses of macros.
//! Rounds end because each one goes deeper into macro uses or into includes, and both are limited.

use super::form::{Env, EnvId, Form};
use super::include::Loader;
use super::{Expander, FormKind, variant};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::source::{SourceId, SourceMap, Span};
use crate::symbol::Symbol;
use crate::syntax::{NodeId, NodeKind, parse_into};

/// The greatest number of includes in includes.
const MAX_INCLUDE_DEPTH: usize = 32;

/// The greatest number of files read for one set of rules.
const MAX_FILES: usize = 1000;

/// The words that begin a list outside games.
const TOP_LEVEL_WORDS: [&str; 7] = [
    "version",
    "include",
    "define",
    "game",
    "variant",
    "translate",
    "foreach",
];

/// Reads the rules that begin with the text `root`: collects macros, follows includes, and lists games and variants.
///
/// Included texts are added to `sources`. What is wrong is reported; the entries are those that can be made sense of.
pub fn expand(sources: &mut SourceMap, root: SourceId, loader: &mut dyn Loader, sink: &mut Sink) -> Expander {
    let mut expander = Expander::new();
    let foreach = expander.interner.intern("foreach");
    expander.macros.set_foreach(foreach);
    let mut reader = Reader {
        expander: &mut expander,
        sources,
        loader,
        sink,
        chains: Vec::new(),
        n_files: 0,
    };
    let items = reader.read_all(root);
    reader.sort(items, root);
    expander
}

/// A form that stands outside games.
#[derive(Clone, Copy, Debug)]
struct Item {
    form: Form,
    /// The file it stands in, as an index of `Reader::chains`.
    file: usize,
}

/// A file being read and the include that asked for it.
struct Chain {
    name: String,
    included_at: Option<Span>,
    parent: Option<usize>,
    depth: usize,
}

struct Reader<'a> {
    expander: &'a mut Expander,
    sources: &'a mut SourceMap,
    loader: &'a mut dyn Loader,
    sink: &'a mut Sink,
    chains: Vec<Chain>,
    n_files: usize,
}

impl Reader<'_> {
    /// Returns what stands outside games, with includes put in and uses of macros expanded.
    fn read_all(&mut self, root: SourceId) -> Vec<Item> {
        let name = self.sources.name(root).to_string();
        let mut items = self.read_file(
            root,
            Chain {
                name,
                included_at: None,
                parent: None,
                depth: 0,
            },
        );
        loop {
            items = self.put_includes(items);
            self.collect_macros(&items);
            let (next, is_changed) = self.expand_uses(items);
            items = next;
            if !is_changed {
                return items;
            }
        }
    }

    fn read_file(&mut self, source: SourceId, chain: Chain) -> Vec<Item> {
        self.n_files += 1;
        let file = self.chains.len();
        self.chains.push(chain);
        let known = self.expander.tree.len();
        let expander = &mut *self.expander;
        let roots = parse_into(
            &mut expander.tree,
            self.sources,
            source,
            &mut expander.interner,
            self.sink,
        );
        expander.learn_facts(known);
        roots
            .into_iter()
            .map(|node| Item {
                form: self.root_form(node),
                file,
            })
            .collect()
    }

    /// Gives a node outside macros an environment of its own, which will know its place.
    fn root_form(&mut self, node: NodeId) -> Form {
        let expander = &mut *self.expander;
        let env = EnvId::new(expander.envs.len() as u32);
        expander.envs.push(Env::ROOT);
        expander.origins.push(None);
        match expander.tree.kind(node) {
            NodeKind::List => Form::list(node, env, 0),
            NodeKind::Atom(word) | NodeKind::Str(word) => Form::leaf(node, env, word),
        }
    }

    fn head(&mut self, form: Form) -> Option<Symbol> {
        self.expander.head_word(form.node(), form.env(), self.sink)
    }

    fn head_is(&mut self, form: Form, word: &str) -> bool {
        self.head(form)
            .is_some_and(|head| self.expander.interner.text(head) == word)
    }

    /// Puts the text of included files where the includes stand.
    fn put_includes(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut done = Vec::with_capacity(items.len());
        let mut waiting = items;
        waiting.reverse();
        while let Some(item) = waiting.pop() {
            if self.head_is(item.form, "include") {
                let included = self.include(item);
                waiting.extend(included.into_iter().rev());
            } else {
                done.push(item);
            }
        }
        done
    }

    fn include(&mut self, item: Item) -> Vec<Item> {
        let span = self.expander.span(item.form);
        let labels = self.expander.labels(item.form);
        let elements = self.expander.children(item.form, self.sink);
        let file = match elements.get(1).map(|&file| self.expander.kind(file)) {
            Some(FormKind::Str(file) | FormKind::Atom(file)) => self.expander.interner.text(file).to_string(),
            Some(FormKind::List) | None => {
                let diagnostic = Diagnostic::error(Code::BadInclude, "this `include` names no file");
                self.sink.push(
                    diagnostic
                        .at(span)
                        .labels(labels)
                        .help("write `(include \"file.zrf\")`"),
                );
                return Vec::new();
            }
        };
        let (from, depth) = (self.chains[item.file].name.clone(), self.chains[item.file].depth);
        if depth >= MAX_INCLUDE_DEPTH || self.n_files >= MAX_FILES {
            let message = if depth >= MAX_INCLUDE_DEPTH {
                format!("files include each other more than {MAX_INCLUDE_DEPTH} deep")
            } else {
                format!("more than {MAX_FILES} files are included")
            };
            self.sink
                .push(Diagnostic::error(Code::IncludeLimit, message).at(span).labels(labels));
            return Vec::new();
        }
        let (name, bytes) = match self.loader.load(&file, &from) {
            Ok(loaded) => loaded,
            Err(error) => {
                let message = format!("`{file}` is not included: {error}");
                self.sink
                    .push(Diagnostic::error(Code::IncludeFailed, message).at(span).labels(labels));
                return Vec::new();
            }
        };
        if self.is_open(&name, item.file) {
            let mut diagnostic = Diagnostic::error(
                Code::IncludeCycle,
                format!("`{name}` is included while it is being read"),
            )
            .at(span);
            if let Some(outer) = self.chains[item.file].included_at {
                diagnostic = diagnostic.label(outer, "this file is included here");
            }
            self.sink
                .push(diagnostic.labels(labels).help("remove one of the includes"));
            return Vec::new();
        }
        let source = self.sources.add(name.clone(), &bytes);
        self.read_file(
            source,
            Chain {
                name,
                included_at: Some(span),
                parent: Some(item.file),
                depth: depth + 1,
            },
        )
    }

    /// Tells whether the file `name` is `file` or one of those that include it.
    fn is_open(&self, name: &str, file: usize) -> bool {
        std::iter::successors(Some(file), |&at| self.chains[at].parent).any(|at| self.chains[at].name == name)
    }

    /// Tells every item its place, and collects the macros in the order of places.
    fn collect_macros(&mut self, items: &[Item]) {
        let mut defines = Vec::new();
        for (item, place) in items.iter().zip(0..) {
            self.expander.envs[item.form.env().index()].place = place;
            if self.head_is(item.form, "define") {
                defines.push((item.form, place));
            }
        }
        self.expander.macros.clear();
        for (form, place) in defines {
            self.expander.collect_define(form, place, self.sink);
        }
        self.expander.learn_facts(0);
    }

    /// Replaces each use of a macro, and tells whether there was any.
    fn expand_uses(&mut self, items: Vec<Item>) -> (Vec<Item>, bool) {
        let mut next = Vec::with_capacity(items.len());
        let mut is_changed = false;
        let mut forms = Vec::new();
        for item in items {
            if !self.is_use(item.form) {
                next.push(item);
                continue;
            }
            is_changed = true;
            forms.clear();
            self.expander
                .push_node(item.form.node(), item.form.env(), 0, &mut forms, self.sink);
            for &form in &forms {
                next.push(Item {
                    form: self.own_place(form),
                    file: item.file,
                });
            }
        }
        (next, is_changed)
    }

    fn is_use(&mut self, form: Form) -> bool {
        let Some(head) = self.head(form) else { return false };
        match self.expander.interner.text(head) {
            // A macro called `define` would make all later ones unreadable.
            "define" | "include" => false,
            _ if self.expander.macros.has(head) => true,
            "foreach" => self.expander.is_foreach(form.node()),
            _ => false,
        }
    }

    /// Gives a form out of a macro a copy of its environment, so that it can have a place of its own in the file.
    fn own_place(&mut self, form: Form) -> Form {
        let expander = &mut *self.expander;
        let env = EnvId::new(expander.envs.len() as u32);
        let copy = expander.envs[form.env().index()];
        expander.envs.push(copy);
        let used = expander.origins.get(expander.env_origin(form.env())).copied();
        expander.origins.push(used);
        form.with_env(env)
    }

    /// Takes the items apart by their first word, reports what has no meaning, and makes the entries.
    fn sort(&mut self, items: Vec<Item>, root: SourceId) {
        let mut games = Vec::new();
        for Item { form, .. } in items {
            if self.expander.kind(form) != FormKind::List {
                self.report_word(form);
                continue;
            }
            let head = self.head(form);
            match head.map_or("", |head| self.expander.interner.text(head)) {
                "define" => {}
                "version" => self.check_version(form),
                "translate" => self.expander.translations.push(form),
                "game" => games.push((form, false)),
                "variant" => games.push((form, true)),
                _ => self.report_unknown(form, head),
            }
        }
        let file = self.sources.name(root).to_string();
        if !games.iter().any(|&(_, is_variant)| !is_variant) {
            let message = if games.is_empty() {
                "there is no game in this file"
            } else {
                "there are variants, but no game"
            };
            let place = games
                .first()
                .map_or(Span::new(root, 0, 0), |&(form, _)| self.expander.span(form));
            self.sink.push(
                Diagnostic::error(Code::NoGame, message)
                    .at(place)
                    .help("a game is written `(game ...)`"),
            );
            return;
        }
        self.expander.entries = variant::entries(self.expander, &games, &file, self.sink);
    }

    fn check_version(&mut self, form: Form) {
        let elements = self.expander.children(form, self.sink);
        let version = match elements.get(1).map(|&version| self.expander.kind(version)) {
            Some(FormKind::Str(text) | FormKind::Atom(text)) => self.expander.interner.text(text),
            Some(FormKind::List) | None => return,
        };
        if version.trim().parse::<f64>().is_ok_and(|number| number > 2.0) {
            let message = format!("the file asks for version {version} and is read as version 2.0");
            self.sink
                .push(Diagnostic::note(Code::NewerVersion, message).at(self.expander.span(form)));
        }
    }

    fn report_word(&mut self, form: Form) {
        let text = self.sources.slice(self.expander.span(form));
        let short: String = text.chars().take(40).collect();
        let mut diagnostic = Diagnostic::warning(Code::StrayWord, format!("`{short}` stands outside any list"))
            .at(self.expander.span(form))
            .labels(self.expander.labels(form));
        if let FormKind::Atom(word) = self.expander.kind(form)
            && self.expander.macros.has(word)
        {
            diagnostic = diagnostic.help(format!("write `({short})` to use the macro"));
        }
        self.sink.push(diagnostic);
    }

    fn report_unknown(&mut self, form: Form, head: Option<Symbol>) {
        let Some(head) = head else {
            let diagnostic = Diagnostic::warning(Code::UnknownTopLevel, "this list does not begin with a word");
            self.sink.push(
                diagnostic
                    .at(self.expander.span(form))
                    .labels(self.expander.labels(form)),
            );
            return;
        };
        let word = self.expander.interner.text(head);
        let mut diagnostic = Diagnostic::warning(
            Code::UnknownTopLevel,
            format!("`{word}` is not known outside games; the list is ignored"),
        )
        .at(self.expander.span(form))
        .labels(self.expander.labels(form));
        if let Some(near) = self.near_word(word) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        }
        self.sink.push(diagnostic);
    }

    /// Returns the word or macro most like `word`, if any is near.
    fn near_word(&self, word: &str) -> Option<String> {
        let names = self
            .expander
            .macros
            .names()
            .map(|name| self.expander.interner.text(name));
        let allowed = word.chars().count() / 3;
        let near = TOP_LEVEL_WORDS.into_iter().chain(names.filter(|name| name.len() < 60));
        let distances = near.map(|name| (strsim::damerau_levenshtein(word, name), name));
        distances
            .filter(|&(distance, _)| distance <= allowed)
            .min()
            .map(|(_, name)| name.to_string())
    }
}
