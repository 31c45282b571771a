//! Text to states.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::PositionErrors;
use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
use crate::keyword;
use crate::model::{AttributeId, CellId, MoveTypeId, Occupant, PieceKindId, PlayerId, UNLIMITED};
use crate::play::legal::Workspace;
use crate::play::{Contest, Session, fen};
use crate::program::{ContinuationId, VariableSlot};
use crate::rules::Rules;
use crate::source::{SourceMap, Span};
use crate::state::{Chain, MoveList, State};
use crate::symbol::Interner;
use crate::syntax::{self, NodeId, NodeKind, SyntaxTree};

/// After so many diagnostics the rest of a text is not looked at.
const ENOUGH: usize = 40;

/// The longest word for which a similar name is looked for, in bytes.
const LONGEST_NAME: usize = 60;

/// Reads a position, or a FEN after the word `fen`. `name` is what diagnostics call the text, such as `--position`.
///
/// # Errors
/// All that is wrong with the text, with [`Code::BadPosition`] or [`Code::BadFen`] or a code of the reader of brackets.
pub fn read_position(rules: &Rules, name: &str, text: &str) -> Result<State, PositionErrors> {
    read(rules, name, text).map(|(state, _)| state)
}

/// Reads a position as [`read_position`] does and begins a game there, in the round of a match that the text tells.
///
/// # Errors
/// As [`read_position`].
pub fn read_session(rules: Arc<Rules>, name: &str, text: &str) -> Result<Session, PositionErrors> {
    let (state, contest) = read(&rules, name, text)?;
    let mut session = Session::from_state(rules, state);
    session.set_contest(contest);
    Ok(session)
}

fn read(rules: &Rules, name: &str, text: &str) -> Result<(State, Contest), PositionErrors> {
    let mut sources = SourceMap::new();
    let source = sources.add(name, text.as_bytes());
    let text = sources.text(source).to_owned();
    let start = text.len() - text.trim_start().len();
    if let Some(rest) = text[start..]
        .strip_prefix("fen")
        .filter(|rest| rest.starts_with(char::is_whitespace))
    {
        let offset = text.len() - rest.len();
        let read = fen::read_fen(rules, rest).map(|state| (state, Contest::default()));
        return read.map_err(|error| {
            let span = Span::new(
                source,
                (offset + error.range.start) as u32,
                (offset + error.range.end) as u32,
            );
            let mut diagnostic = Diagnostic::error(Code::BadFen, error.message).at(span);
            diagnostic.help = error.help;
            PositionErrors {
                sources,
                diagnostics: vec![diagnostic],
            }
        });
    }
    let mut sink = Sink::new();
    let mut interner = Interner::new();
    let tree = syntax::parse(&sources, source, &mut interner, &mut sink);
    let cells = rules
        .model
        .board
        .cell_ids()
        .map(|cell| (rules.model.board.name(cell), cell))
        .collect();
    let state = State::empty(rules);
    let mut reader = Reader {
        rules,
        tree: &tree,
        interner: &interner,
        cells,
        state,
        contest: Contest::default(),
        placed: FxHashMap::default(),
        seen: FxHashMap::default(),
        sink,
    };
    reader.read_text(Span::new(source, 0, text.len() as u32));
    let Reader {
        state, contest, sink, ..
    } = reader;
    let mut diagnostics = sink.into_vec();
    if diagnostics.is_empty() {
        return Ok((state, contest));
    }
    // Rules with a bracket too few are mended and played; a position is short enough to be written right.
    diagnostics
        .iter_mut()
        .for_each(|diagnostic| diagnostic.severity = Severity::Error);
    Err(PositionErrors { sources, diagnostics })
}

/// Fills a state from the tree of a text.
struct Reader<'a> {
    rules: &'a Rules,
    tree: &'a SyntaxTree,
    interner: &'a Interner,
    cells: FxHashMap<&'a str, CellId>,
    state: State,
    contest: Contest,
    /// The cells that have a piece, and where the text says so.
    placed: FxHashMap<CellId, Span>,
    /// The sections that may stand only once.
    seen: FxHashMap<&'static str, Span>,
    sink: Sink,
}

/// The sections of a position that are no player's.
const SECTIONS: [&str; 8] = [
    "turn",
    "continue",
    "last",
    "ply",
    "quiet-plies",
    "passes",
    "set",
    "match",
];

impl<'a> Reader<'a> {
    fn read_text(&mut self, whole: Span) {
        let tree = self.tree;
        let Some(&root) = tree.roots().first() else {
            return self.error(
                whole,
                "the position is empty",
                "write `(position (turn PLAYER) (PLAYER (PIECE CELL …) …) …)`",
            );
        };
        if let Some(&second) = tree.roots().get(1) {
            self.error(
                tree.span(second),
                "something follows the position",
                "take it out; a position is one list",
            );
        }
        let Some((&head, sections)) = tree.children(root).split_first() else {
            return self.error(
                tree.span(root),
                "found no position",
                "write `(position (turn PLAYER) (PLAYER (PIECE CELL …) …) …)`",
            );
        };
        if self.word(head) != Some("position") {
            return self.error(
                tree.span(head),
                "expected `position` here",
                "write `(position (turn PLAYER) (PLAYER (PIECE CELL …) …) …)`",
            );
        }
        // The chain speaks of the turn and of a piece, so it is read when both are known.
        let mut chain = None;
        for &section in sections {
            if self.has_enough() {
                return;
            }
            self.read_section(section, &mut chain);
        }
        if let (Some(chain), false) = (chain, self.has_any()) {
            self.read_chain(chain);
        }
    }

    fn read_section(&mut self, section: NodeId, chain: &mut Option<NodeId>) {
        let tree = self.tree;
        let Some((&head, rest)) = tree.children(section).split_first() else {
            return self.error(
                tree.span(section),
                "expected a list that begins with a player or `turn` here",
                "",
            );
        };
        let Some(word) = self.word(head) else {
            return self.error(
                tree.span(head),
                "expected a player or one of the words of positions here",
                "",
            );
        };
        let player = self.rules.model.find_player(word);
        // A player may be called like a section; the lists of players hold lists only.
        let lists = rest.first().is_none_or(|&first| tree.kind(first) == NodeKind::List);
        match (player, SECTIONS.iter().find(|&&section| section == word)) {
            (Some(player), None) => self.read_player(player, rest),
            (Some(player), Some(_)) if lists => self.read_player(player, rest),
            (_, Some(&name)) => {
                if let Some(earlier) = self.seen.insert(name, tree.span(head)).filter(|_| name != "set") {
                    let diagnostic = Diagnostic::error(Code::BadPosition, format!("`{name}` is said twice"))
                        .at(tree.span(head))
                        .label(earlier, "first said here");
                    return self.sink.push(diagnostic);
                }
                match name {
                    "turn" => self.read_turn(section, rest),
                    "last" => self.read_last(section, rest),
                    "continue" => *chain = Some(section),
                    "set" => self.read_variable(section, rest),
                    "match" => self.read_match(section, rest),
                    _ => self.read_count(section, name, rest),
                }
            }
            (None, None) => {
                let names = self
                    .rules
                    .model
                    .players
                    .iter()
                    .map(|player| player.name.as_str())
                    .chain(SECTIONS);
                let help = did_you_mean(word, names, || {
                    let players: Vec<&str> = self.rules.model.players.iter().map(|p| p.name.as_str()).collect();
                    format!("the players are {}", listed(&players))
                });
                self.error(tree.span(head), format!("`{}` is no player", clip(word)), help);
            }
        }
    }

    /// `(turn P [ITEM])`.
    fn read_turn(&mut self, section: NodeId, rest: &[NodeId]) {
        let items = &self.rules.model.turn_order.items;
        let (player, number) = match *rest {
            [player] => (player, None),
            [player, number] => (player, Some(number)),
            _ => {
                return self.error(
                    self.tree.span(section),
                    "malformed turn",
                    "write `(turn PLAYER)` or `(turn PLAYER ITEM)`",
                );
            }
        };
        let Some(player_id) = self.player(player) else { return };
        let name = &self.rules.model.players[player_id.index()].name;
        let own: Vec<usize> = (0..items.len())
            .filter(|&index| items[index].player == player_id)
            .collect();
        let Some(&first) = own.first() else {
            return self.error(
                self.tree.span(player),
                format!("`{name}` never has a turn in these rules"),
                "",
            );
        };
        let Some(number) = number else {
            return self.state.set_turn(self.rules, first);
        };
        let given = self.word(number).and_then(|word| word.parse::<usize>().ok());
        match given
            .and_then(|given| given.checked_sub(1))
            .filter(|index| own.contains(index))
        {
            Some(index) => self.state.set_turn(self.rules, index),
            None => {
                let numbers: Vec<String> = own.iter().map(|index| (index + 1).to_string()).collect();
                let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
                self.error(
                    self.tree.span(number),
                    format!("no item of the turn order with this number is `{name}`'s"),
                    format!("the items of `{name}` are {}", listed(&numbers)),
                );
            }
        }
    }

    /// `(last FROM TO)`, `-` for no cell.
    fn read_last(&mut self, section: NodeId, rest: &[NodeId]) {
        let &[from, to] = rest else {
            return self.error(
                self.tree.span(section),
                "malformed last move",
                "write `(last FROM TO)`, or `(last - TO)` after a drop",
            );
        };
        let cell = |reader: &mut Self, node: NodeId| match reader.word(node) {
            Some("-") if !reader.cells.contains_key("-") => Some(CellId::NONE),
            _ => reader.cell(node),
        };
        if let (Some(from), Some(to)) = (cell(self, from), cell(self, to)) {
            self.state.set_last_move(self.rules, from, to);
        }
    }

    /// `(ply N)` and the other counts of plies; where the rules cannot ask for them they do not matter.
    fn read_count(&mut self, section: NodeId, name: &str, rest: &[NodeId]) {
        let number = match *rest {
            [number] => self.word(number).and_then(|word| word.parse::<u32>().ok()),
            _ => None,
        };
        let Some(number) = number else {
            return self.error(
                self.tree.span(section),
                format!("malformed `{name}`"),
                format!("write `({name} NUMBER)`"),
            );
        };
        let reads = &self.rules.program.reads;
        let mut counters = self.state.counters();
        match name {
            "ply" if reads.ply => counters.ply = number,
            "quiet-plies" if reads.quiet_plies => counters.quiet_plies = number,
            "passes" if reads.passes => counters.passes = number,
            _ => {}
        }
        self.state.set_counters(self.rules, counters);
    }

    /// `(set VARIABLE VALUE)` and `(set VARIABLE PLAYER VALUE)`.
    fn read_variable(&mut self, section: NodeId, rest: &[NodeId]) {
        let extensions = &self.rules.model.extensions;
        if self.rules.initial_variables().is_empty() {
            return self.error(self.tree.span(section), "these rules have no variables", "take it out");
        }
        let (name, player, value) = match *rest {
            [name, value] => (name, None, value),
            [name, player, value] => (name, Some(player), value),
            _ => {
                return self.error(
                    self.tree.span(section),
                    "malformed `set`",
                    "write `(set VARIABLE VALUE)` or `(set VARIABLE PLAYER VALUE)`",
                );
            }
        };
        let word = self.word(name);
        let index_of = |variables: &[crate::model::extension::Variable]| {
            variables
                .iter()
                .position(|variable| Some(variable.name.as_str()) == word)
        };
        let slot = match player {
            None => {
                let found = index_of(&extensions.variables);
                if found.is_none() && index_of(&extensions.player_variables).is_some() {
                    return self.error(
                        self.tree.span(section),
                        "every player has this variable",
                        "write `(set VARIABLE PLAYER VALUE)`",
                    );
                }
                let names = extensions.variables.iter().map(|variable| variable.name.as_str());
                self.found(found, name, "variable", names)
            }
            Some(player) => {
                let found = index_of(&extensions.player_variables);
                let names = extensions
                    .player_variables
                    .iter()
                    .map(|variable| variable.name.as_str());
                let found = self.found(found, name, "variable of a player", names);
                let Some(player) = self.player(player) else { return };
                let n_players = self.rules.model.players.len();
                found.map(|index| extensions.variables.len() + index * n_players + player.index())
            }
        };
        let Some(slot) = slot else { return };
        match self.number(value) {
            Some(value) => self.state.put_variable(VariableSlot(slot as u16), value),
            None => self.error(self.tree.span(value), "expected a whole number here", ""),
        }
    }

    /// `(match ROUND (PLAYER SUM) …)`.
    fn read_match(&mut self, section: NodeId, rest: &[NodeId]) {
        let tree = self.tree;
        let Some(rule) = Contest::rule(self.rules) else {
            return self.error(
                tree.span(section),
                "these rules have no matches of several rounds",
                "take it out",
            );
        };
        let form = "write `(match ROUND (PLAYER SUM) …)`";
        let Some((&round_node, sums)) = rest.split_first() else {
            return self.error(tree.span(section), "malformed `match`", form);
        };
        let round = self.word(round_node).and_then(|word| word.parse::<u32>().ok());
        let Some(round) = round.filter(|round| (1..=rule.rounds).contains(round)) else {
            let help = format!("the rounds are numbered from 1 to {}", rule.rounds);
            return self.error(tree.span(round_node), "there is no such round", help);
        };
        let mut carried = vec![0; self.rules.model.players.len()];
        for &sum in sums {
            let &[player, number] = tree.children(sum) else {
                return self.error(tree.span(sum), "expected a player with a sum here", form);
            };
            let Some(player) = self.player(player) else { return };
            match self.word(number).and_then(|word| word.parse::<i64>().ok()) {
                // Far below the limits, so that nothing that is added overflows.
                Some(value) if value.unsigned_abs() < 1 << 60 => carried[player.index()] = value,
                _ => return self.error(tree.span(number), "expected a whole number here", ""),
            }
        }
        self.contest = Contest::new(round, carried);
    }

    /// `(continue CELL TYPE …)`.
    fn read_chain(&mut self, section: NodeId) {
        let tree = self.tree;
        let [_, cell_node, type_nodes @ ..] = tree.children(section) else {
            return self.error(
                tree.span(section),
                "malformed `continue`",
                "write `(continue CELL)` or `(continue CELL MOVE-TYPE …)`",
            );
        };
        let Some(cell) = self.cell(*cell_node) else { return };
        let item = self.rules.model.turn_order.items[self.state.turn()];
        let piece = self.state.occupant(cell);
        if piece.is_none() || self.rules.owner(piece) != item.acts_as {
            let name = &self.rules.model.players[item.acts_as.index()].name;
            return self.error(
                tree.span(*cell_node),
                format!("no piece of `{name}` stands here to go on"),
                "",
            );
        }
        let mut types = Vec::new();
        for &node in type_nodes {
            match self.move_type(node) {
                Some(move_type) => types.push(move_type),
                None => return,
            }
        }
        let Some(continuation) = self.continuation(&types) else {
            let forms: Vec<String> = self
                .rules
                .program
                .continuations
                .iter()
                .map(|types| self.type_names(types))
                .collect();
            let forms: Vec<&str> = forms.iter().map(String::as_str).collect();
            let (message, help) = if forms.is_empty() {
                ("these rules have no partial moves", "take it out".to_owned())
            } else {
                (
                    "no partial move of these rules goes on like this",
                    format!("the move types that may follow are {}", listed(&forms)),
                )
            };
            return self.error(tree.span(section), message, help);
        };
        self.state.set_chain(self.rules, Some(Chain { cell, continuation }));
        let mut moves = MoveList::new();
        let mut workspace = Workspace::new(self.rules, self.state.clone());
        match workspace.legal_moves(self.rules, &mut moves) {
            Ok(()) if moves.is_empty() => {
                self.error(
                    tree.span(*cell_node),
                    "this piece cannot go on",
                    "leave `continue` out and give the turn that follows",
                );
            }
            Ok(()) => {}
            Err(fault) => self.error(tree.span(section), fault.to_string(), ""),
        }
    }

    /// Finds the continuation with these types, in this order or any; without types the only one there is.
    fn continuation(&self, types: &[MoveTypeId]) -> Option<ContinuationId> {
        let all = &self.rules.program.continuations;
        let exact = all.iter().position(|known| known == types);
        let sorted = |types: &[MoveTypeId]| {
            let mut types = types.to_vec();
            types.sort_unstable();
            types
        };
        let index = exact
            .or_else(|| all.iter().position(|known| sorted(known) == sorted(types)))
            .or_else(|| (types.is_empty() && all.len() == 1).then_some(0))?;
        u16::try_from(index).ok().map(ContinuationId)
    }

    fn type_names(&self, types: &[MoveTypeId]) -> String {
        let names: Vec<&str> = types
            .iter()
            .map(|id| self.rules.model.move_types[id.index()].as_str())
            .collect();
        if names.is_empty() {
            "(none)".to_owned()
        } else {
            names.join(" ")
        }
    }

    /// `(KIND CELL … off N)` for each kind.
    fn read_player(&mut self, player: PlayerId, kinds: &[NodeId]) {
        for &node in kinds {
            if self.has_enough() {
                return;
            }
            let Some((&head, places)) = self.tree.children(node).split_first() else {
                self.error(
                    self.tree.span(node),
                    "expected a list of a piece and its positions here",
                    "write `(PIECE CELL …)`",
                );
                continue;
            };
            if let Some(kind) = self.kind(head) {
                self.read_places(player, kind, places);
            }
        }
    }

    fn read_places(&mut self, player: PlayerId, kind: PieceKindId, places: &[NodeId]) {
        let mut places = places.iter();
        while let Some(&place) = places.next() {
            if self.has_enough() {
                return;
            }
            if self.word(place) == Some("off") && !self.cells.contains_key("off") {
                let piece = self.rules.occupant(player, kind);
                self.read_stock(piece, place, places.next().copied());
                continue;
            }
            let (cell_node, attributes) = match self.tree.children(place).split_first() {
                Some((&cell, attributes)) => (cell, attributes),
                None => (place, &[][..]),
            };
            let Some(cell) = self.cell(cell_node) else { continue };
            let span = self.tree.span(cell_node);
            if let Some(&earlier) = self.placed.get(&cell) {
                let name = self.rules.model.board.name(cell);
                let diagnostic = Diagnostic::error(Code::BadPosition, format!("two pieces stand on `{name}`"))
                    .at(span)
                    .label(earlier, "the first one");
                self.sink.push(diagnostic);
                continue;
            }
            self.placed.insert(cell, span);
            self.state.put(self.rules, cell, player, kind);
            for &attribute in attributes {
                if self.has_enough() {
                    return;
                }
                self.read_attribute(cell, attribute);
            }
        }
    }

    /// `off N`.
    fn read_stock(&mut self, piece: Occupant, off: NodeId, number: Option<NodeId>) {
        let node = number.unwrap_or(off);
        let count = match number.and_then(|number| self.word(number)) {
            Some("*") => Some(UNLIMITED),
            word => word.and_then(|word| word.parse::<u32>().ok()),
        };
        match count {
            Some(count) => {
                let sum = self.state.stock(piece).saturating_add(count);
                self.state.set_stock(self.rules, piece, sum);
            }
            None => self.error(
                self.tree.span(node),
                "expected a number of pieces in hand after `off`",
                "write `off 5`, or `off *` for as many as wanted",
            ),
        }
    }

    /// `(ATTRIBUTE VALUE)`.
    fn read_attribute(&mut self, cell: CellId, node: NodeId) {
        let &[name, value_node] = self.tree.children(node) else {
            return self.error(
                self.tree.span(node),
                "malformed attribute",
                "write `(CELL (ATTRIBUTE VALUE) …)`",
            );
        };
        let Some(attribute) = self.attribute(name) else { return };
        let value = match self.word(value_node) {
            Some("true") => Some(1),
            Some("false") => Some(0),
            _ => self.number(value_node),
        };
        match value {
            Some(value) => self.state.put_attribute(self.rules, cell, attribute, value),
            None => self.error(
                self.tree.span(value_node),
                "expected `true`, `false` or a whole number here",
                "",
            ),
        }
    }

    fn number(&self, node: NodeId) -> Option<i32> {
        self.word(node).and_then(|word| word.parse().ok())
    }

    // Names.

    fn player(&mut self, node: NodeId) -> Option<PlayerId> {
        let rules = self.rules;
        let found = self.word(node).and_then(|name| rules.model.find_player(name));
        let names = rules.model.players.iter().map(|player| player.name.as_str());
        self.found(found, node, "player", names)
    }

    fn kind(&mut self, node: NodeId) -> Option<PieceKindId> {
        let rules = self.rules;
        let found = self.word(node).and_then(|name| rules.model.find_kind(name));
        self.found(
            found,
            node,
            "piece",
            rules.model.kinds.iter().map(|kind| kind.name.as_str()),
        )
    }

    fn cell(&mut self, node: NodeId) -> Option<CellId> {
        let rules = self.rules;
        let found = self.word(node).and_then(|name| self.cells.get(name).copied());
        self.found(
            found,
            node,
            "position",
            rules.model.board.cells.iter().map(|cell| cell.name.as_str()),
        )
    }

    fn attribute(&mut self, node: NodeId) -> Option<AttributeId> {
        let rules = self.rules;
        let found = self.word(node).and_then(|name| rules.model.find_attribute(name));
        self.found(
            found,
            node,
            "attribute",
            rules.model.attributes.iter().map(String::as_str),
        )
    }

    fn move_type(&mut self, node: NodeId) -> Option<MoveTypeId> {
        let types = &self.rules.model.move_types;
        let word = self.word(node);
        let found = types
            .iter()
            .position(|name| Some(name.as_str()) == word)
            .and_then(MoveTypeId::new);
        self.found(found, node, "move type", types.iter().map(String::as_str))
    }

    /// Passes on what was found under a name, or reports that nothing was.
    fn found<'n, T>(
        &mut self,
        found: Option<T>,
        node: NodeId,
        what: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Option<T> {
        if found.is_none() {
            let span = self.tree.span(node);
            match self.word(node) {
                Some(word) => {
                    let help = did_you_mean(word, names, String::new);
                    self.error(span, format!("`{}` is no {what} of these rules", clip(word)), help);
                }
                None => self.error(span, format!("expected the name of a {what} here"), ""),
            }
        }
        found
    }

    fn word(&self, node: NodeId) -> Option<&'a str> {
        match self.tree.kind(node) {
            NodeKind::Atom(word) => Some(self.interner.text(word)),
            NodeKind::List | NodeKind::Str(_) => None,
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let mut diagnostic = Diagnostic::error(Code::BadPosition, message).at(span);
        diagnostic.help = Some(help.into()).filter(|help| !help.is_empty());
        self.sink.push(diagnostic);
    }

    fn has_any(&self) -> bool {
        !self.sink.diagnostics().is_empty()
    }

    fn has_enough(&self) -> bool {
        self.sink.diagnostics().len() >= ENOUGH
    }
}

/// Suggests the most similar name, or else what `otherwise` says.
fn did_you_mean<'n>(word: &str, names: impl Iterator<Item = &'n str>, otherwise: impl FnOnce() -> String) -> String {
    let near = if word.len() > LONGEST_NAME {
        None
    } else {
        keyword::nearest_of(word, names)
    };
    near.map_or_else(otherwise, |name| format!("did you mean `{name}`?"))
}

/// Shortens a word so that it can be shown in a message.
fn clip(word: &str) -> String {
    match word.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

fn listed(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
