//! Builds the model of one entry of a rule file.
//!
//! Sections may come in any order, so they are sorted by kind first and then read in the order in which they need each
//! other's names: players, board, names of pieces and their attributes and move types, then everything that uses them.
//! What is wrong is reported where it stands. Without players, turns or a board there is no game; a faulty move block or
//! goal is left out with a warning, as a tolerant reader of old files must do.

mod board;
mod conditions;
mod extended;
mod goals;
mod instructions;
mod numbers;
mod options;
mod pictures;
mod pieces;
mod places;
mod review;
mod scope;
mod sections;
mod setup;
mod shapes;
mod sorts;

use rustc_hash::{FxHashMap, FxHashSet};

use super::board::Board;
use super::goal::Goal;
use super::ids::*;
use super::option::{Options, Texts};
use super::piece::PieceKind;
use super::quirk::LeftoverPieces;
use super::turn::{Player, TurnOrder};
use super::{Extensions, GameModel, Setup, Site};
use crate::diagnostic::{Code, Diagnostic, Severity, Sink};
use crate::expand::{Entry, Expander, Form, FormKind};
use crate::keyword::{self, Context, Keyword, KeywordTable};
use crate::source::Span;
use crate::symbol::Symbol;
pub(crate) use review::{makes_move, no_move};
use scope::Scope;

/// Builds the model of entry `entry` of a rule file, or reports why there is none. `quirks` are names and values of
/// readings that count more than those of the file.
///
/// # Panics
/// When the file has no such entry.
pub fn build(expander: &mut Expander, entry: usize, quirks: &[(String, String)], sink: &mut Sink) -> Option<GameModel> {
    let game = expander.entries()[entry].clone();
    let keywords = KeywordTable::new(&mut expander.interner);
    let mut builder = Builder {
        expander,
        sink,
        keywords,
        players: Names::default(),
        kinds: Names::default(),
        cells: Names::default(),
        directions: Names::default(),
        zones: Names::default(),
        attributes: Names::default(),
        move_types: Names::default(),
        flags: Names::default(),
        position_flags: Names::default(),
        constants: Names::default(),
        variables: Names::default(),
        player_variables: Names::default(),
        numeric_attributes: FxHashSet::default(),
        board: Board::default(),
        player_models: Vec::new(),
        kind_models: Vec::new(),
        extensions: Extensions::default(),
        extension_uses: FxHashMap::default(),
        span: game.span,
        scope: Scope::default(),
    };
    builder.build(&game, quirks)
}

/// A table of names of one sort.
#[derive(Debug)]
struct Names<Id> {
    ids: FxHashMap<Symbol, Id>,
    symbols: Vec<Symbol>,
}

impl<Id> Default for Names<Id> {
    fn default() -> Names<Id> {
        Names {
            ids: FxHashMap::default(),
            symbols: Vec::new(),
        }
    }
}

impl<Id: Copy> Names<Id> {
    fn get(&self, symbol: Symbol) -> Option<Id> {
        self.ids.get(&symbol).copied()
    }

    fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Adds a name that is not in the table yet.
    fn insert(&mut self, symbol: Symbol, id: Id) {
        self.ids.insert(symbol, id);
        self.symbols.push(symbol);
    }
}

/// A list with its elements; the head is the first of them.
struct Section {
    form: Form,
    elements: Vec<Form>,
}

impl Section {
    fn args(&self) -> &[Form] {
        &self.elements[1..]
    }
}

struct Builder<'a> {
    expander: &'a mut Expander,
    sink: &'a mut Sink,
    keywords: KeywordTable,
    players: Names<PlayerId>,
    kinds: Names<PieceKindId>,
    cells: Names<CellId>,
    directions: Names<DirectionId>,
    zones: Names<ZoneId>,
    attributes: Names<AttributeId>,
    move_types: Names<MoveTypeId>,
    flags: Names<FlagId>,
    position_flags: Names<PositionFlagId>,
    constants: Names<ConstantId>,
    variables: Names<VariableId>,
    player_variables: Names<PlayerVariableId>,
    /// The attributes that some piece declares with digits.
    numeric_attributes: FxHashSet<AttributeId>,
    board: Board,
    player_models: Vec<Player>,
    kind_models: Vec<PieceKind>,
    extensions: Extensions,
    /// The extension words met so far, with the place of the first use.
    extension_uses: FxHashMap<&'static str, Site>,
    /// The text of the game or variant itself, without that of its base game.
    span: Span,
    /// What stands around the forms that are read.
    scope: Scope,
}

/// The sections of a game, sorted.
#[derive(Default)]
struct Sections {
    players: Option<Section>,
    turn_order: Option<Section>,
    board: Option<Section>,
    setup: Option<Section>,
    priorities: Option<Section>,
    pieces: Vec<Section>,
    goals: Vec<(Keyword, Section)>,
    options: Vec<(Keyword, Section)>,
    texts: Vec<(Keyword, Section)>,
    /// Those beyond the classic language, but for goals.
    extended: Vec<(Keyword, Section)>,
    plugin: Option<Section>,
}

/// The most occupants, places by directions and the like that a game may have.
const MAX_OCCUPANTS: usize = 60_000;
const MAX_LINKS: usize = 20_000_000;

impl Builder<'_> {
    fn build(&mut self, game: &Entry, quirks: &[(String, String)]) -> Option<GameModel> {
        let span = game.span;
        let mut sections = self.sort(&game.sections);
        let mut texts = self.build_texts(&sections.texts);
        let options = self.build_options(&sections.options, quirks, &mut texts);
        if game.is_variant && options.quirks.leftover_pieces == LeftoverPieces::Drop {
            self.drop_leftover_pieces(&mut sections.pieces);
        }
        let missing = [
            ("players", sections.players.is_none()),
            ("turn-order", sections.turn_order.is_none()),
            ("board", sections.board.is_none()),
        ];
        for (name, _) in missing.iter().filter(|(_, is_missing)| *is_missing) {
            let shape = Keyword::from_name(name).map_or("", Keyword::shape);
            self.sink.push(
                Diagnostic::error(Code::MissingSection, format!("the game has no `{name}`"))
                    .at(span)
                    .help(format!("add `{shape}`")),
            );
        }
        let (Some(players), Some(turn_order), Some(board)) = (sections.players, sections.turn_order, sections.board)
        else {
            return None;
        };
        self.build_players(&players);
        if self.player_models.is_empty() {
            self.push(
                Severity::Error,
                Code::BadForm,
                players.form,
                "`players` names nobody",
                "name at least one player",
            );
            return None;
        }
        self.build_board(&board)?;
        self.declare_pieces(&sections.pieces);
        if self.kind_models.len() * self.player_models.len() > MAX_OCCUPANTS {
            let message = "too many pieces for so many players";
            self.sink.push(Diagnostic::error(Code::TooMany, message).at(span));
            return None;
        }
        self.declare_variables(&sections.extended);
        let priorities = sections
            .priorities
            .map(|section| self.build_priorities(&section))
            .unwrap_or_default();
        let turn_order = self.build_turn_order(&turn_order)?;
        self.declare_action_types(&sections.extended);
        self.build_pieces(&sections.pieces);
        self.build_extension_sections(&sections.extended);
        let mut setup = sections
            .setup
            .map(|section| self.build_setup(&section))
            .unwrap_or_default();
        for (keyword, section) in &sections.extended {
            if *keyword == Keyword::BoardPicture {
                self.build_picture(section, &mut setup);
            }
        }
        self.extensions.random_setup = self.build_random_setup(&sections.extended);
        if !options.recycle_captures && !options.recycle_promotions {
            self.note_idle_drops(&setup);
        }
        let goals = self.build_goals(&sections.goals);
        self.review_scores(&goals, &options);
        let plugin = sections.plugin.map(|section| self.plugin_name(&section));
        if plugin.is_none()
            && self
                .kind_models
                .iter()
                .all(|kind| kind.moves.is_empty() && kind.drops.is_empty())
            && self.extensions.actions.is_empty()
        {
            self.sink.push(
                Diagnostic::error(Code::MissingSection, "no piece has moves or drops")
                    .at(span)
                    .help("add a `(piece (name NAME) (moves …))`"),
            );
        }
        Some(self.finish(
            &game.title,
            Parts {
                priorities,
                turn_order,
                texts,
                options,
                setup,
                goals,
                plugin,
            },
        ))
    }

    fn finish(&mut self, title: &str, parts: Parts) -> GameModel {
        let (words, first_uses) = self.take_extension_uses();
        let extensions = Extensions {
            constants: self.names(&self.constants),
            words,
            first_uses,
            ..std::mem::take(&mut self.extensions)
        };
        GameModel {
            title: title.to_owned(),
            players: std::mem::take(&mut self.player_models),
            turn_order: parts.turn_order,
            board: std::mem::take(&mut self.board),
            kinds: std::mem::take(&mut self.kind_models),
            attributes: self.names(&self.attributes),
            move_types: self.names(&self.move_types),
            flags: self.names(&self.flags),
            position_flags: self.names(&self.position_flags),
            priorities: parts.priorities,
            goals: parts.goals,
            setup: parts.setup,
            options: parts.options,
            texts: parts.texts,
            extensions,
            plugin: parts.plugin,
        }
    }

    fn names<Id>(&self, names: &Names<Id>) -> Vec<String> {
        names
            .symbols
            .iter()
            .map(|&symbol| self.expander.text(symbol).to_owned())
            .collect()
    }

    /// Sorts the sections of a game by kind; where only one counts it is the last.
    fn sort(&mut self, forms: &[Form]) -> Sections {
        let mut sections = Sections::default();
        for &form in forms {
            let elements = self.elements(form);
            let Some(&head) = elements.first().filter(|&&head| self.word(head).is_some()) else {
                self.unknown_section(form, "()", Context::Game);
                continue;
            };
            let section = Section { form, elements };
            let Some(keyword) = self.keyword(head, Context::Game) else {
                let name = self.text(head).to_owned();
                self.unknown_section(form, &name, Context::Game);
                continue;
            };
            match keyword {
                Keyword::EndCondition => sections.goals.push((keyword, section)),
                keyword if keyword.is_beyond(Context::Game) => sections.extended.push((keyword, section)),
                Keyword::Players => sections.players = Some(section),
                Keyword::TurnOrder => sections.turn_order = Some(section),
                Keyword::Board => sections.board = Some(section),
                Keyword::BoardSetup => sections.setup = Some(section),
                Keyword::MovePriorities => sections.priorities = Some(section),
                Keyword::Piece => sections.pieces.push(section),
                Keyword::WinCondition | Keyword::LossCondition | Keyword::DrawCondition | Keyword::CountCondition => {
                    sections.goals.push((keyword, section))
                }
                Keyword::Engine => sections.plugin = Some(section),
                Keyword::Option
                | Keyword::PassTurn
                | Keyword::PassPartial
                | Keyword::MaximalCaptures
                | Keyword::RecycleCaptures
                | Keyword::RecyclePromotions
                | Keyword::IncludeOffPieces
                | Keyword::AnimateCaptures
                | Keyword::AnimateDrops
                | Keyword::AllowFlipping => sections.options.push((keyword, section)),
                _ => sections.texts.push((keyword, section)),
            }
        }
        sections
    }

    /// Takes away the pieces that a variant has from its base game, if it declares pieces itself.
    fn drop_leftover_pieces(&self, pieces: &mut Vec<Section>) {
        let is_own = |section: &Section| self.is_own(self.site(section.form));
        if pieces.iter().any(is_own) {
            pieces.retain(is_own);
        }
    }

    /// Tells whether something is written in the game or variant itself, rather than in its base game.
    fn is_own(&self, site: Site) -> bool {
        let own = self.span;
        let is_inside = |span: Span| span.source == own.source && own.start <= span.start && span.end <= own.end;
        let mut uses = self.expander.origins().chain(site.origin);
        is_inside(site.span) || uses.any(|used| is_inside(used.span))
    }

    /// Notes pieces that have drops but are never in stock.
    fn note_idle_drops(&mut self, setup: &Setup) {
        for (index, kind) in self.kind_models.iter().enumerate() {
            let has_stock = setup
                .stock
                .iter()
                .any(|&(_, stocked, count)| stocked.index() == index && count > 0);
            let Some(block) = kind.drops.first().filter(|_| !has_stock) else {
                continue;
            };
            let message = format!("`{}` is never dropped: no player has one in stock", kind.name);
            self.sink.push(
                Diagnostic::note(Code::NeverUsed, message)
                    .at(block.site.span)
                    .help(format!("write `({} off N)` in the setup of a player", kind.name)),
            );
        }
    }

    fn plugin_name(&mut self, section: &Section) -> String {
        let name = section.args().first().and_then(|&form| self.word(form));
        let name = name.map_or_else(|| "?".to_owned(), |symbol| self.expander.text(symbol).to_owned());
        let message = format!("the moves of this game are in the plug-in `{name}`");
        self.push(
            Severity::Note,
            Code::PluginGame,
            section.form,
            message,
            "Ludex shows the game but cannot play it",
        );
        name
    }

    // Reading forms.

    fn elements(&mut self, form: Form) -> Vec<Form> {
        if self.expander.kind(form) == FormKind::List {
            self.expander.children(form, self.sink)
        } else {
            Vec::new()
        }
    }

    fn is_list(&self, form: Form) -> bool {
        self.expander.kind(form) == FormKind::List
    }

    /// Returns the word or string that a form is; none for a list.
    fn word(&self, form: Form) -> Option<Symbol> {
        match self.expander.kind(form) {
            FormKind::Atom(symbol) | FormKind::Str(symbol) => Some(symbol),
            FormKind::List => None,
        }
    }

    fn text(&self, form: Form) -> &str {
        self.word(form).map_or("", |symbol| self.expander.text(symbol))
    }

    /// Returns a form as it is named in messages.
    fn shown(&self, form: Form) -> String {
        match self.word(form) {
            Some(symbol) => self.expander.text(symbol).chars().take(60).collect(),
            None => "(…)".to_owned(),
        }
    }

    fn site(&self, form: Form) -> Site {
        Site {
            span: self.expander.span(form),
            origin: self.expander.origin(form),
        }
    }

    /// Reads a whole number.
    fn number(&mut self, form: Form) -> Option<i64> {
        let number = self.text(form).parse::<i64>().ok();
        if number.is_none() {
            let message = format!("found `{}` where a whole number was expected", self.shown(form));
            self.push(
                Severity::Warning,
                Code::BadNumber,
                form,
                message,
                "write digits only, with a `-` before if negative",
            );
        }
        number
    }

    // Reporting.

    fn push(&mut self, severity: Severity, code: Code, at: Form, message: impl Into<String>, help: impl Into<String>) {
        let mut diagnostic = match severity {
            Severity::Error => Diagnostic::error(code, message),
            Severity::Warning => Diagnostic::warning(code, message),
            Severity::Note => Diagnostic::note(code, message),
        }
        .at(self.expander.span(at))
        .labels(self.expander.labels(at));
        let help = help.into();
        if !help.is_empty() {
            diagnostic = diagnostic.help(help);
        }
        self.sink.push(diagnostic);
    }

    fn bad_form(&mut self, severity: Severity, at: Form, message: impl Into<String>, keyword: Keyword) {
        self.push(
            severity,
            Code::BadForm,
            at,
            message,
            format!("it is written `{}`", keyword.shape()),
        );
    }

    fn unknown_section(&mut self, at: Form, name: &str, context: Context) {
        let message = format!("`{name}` is no {}", context.description());
        let help = match keyword::nearest(name, context) {
            Some(near) => format!("did you mean `{near}`? The list is ignored"),
            None => "the list is ignored".to_owned(),
        };
        self.push(Severity::Warning, Code::UnknownSection, at, message, help);
    }

    /// Reports a name that is in none of the tables it was looked up in, with the nearest of theirs.
    fn unknown_name(&mut self, severity: Severity, at: Form, sort: &str, candidates: Vec<Symbol>) {
        let name = self.shown(at);
        let near = keyword::nearest_of(&name, candidates.iter().map(|&symbol| self.expander.text(symbol)));
        let help = near.map(|near| format!("did you mean `{near}`?")).unwrap_or_default();
        let help = if help.is_empty() {
            format!("names of a {sort} are case-sensitive")
        } else {
            help
        };
        self.push(
            severity,
            Code::UnknownName,
            at,
            format!("`{name}` is no {sort} of this game"),
            help,
        );
    }

    fn player(&mut self, form: Form, severity: Severity) -> Option<PlayerId> {
        let id = self.word(form).and_then(|symbol| self.players.get(symbol));
        if id.is_none() {
            self.unknown_name(severity, form, "player", self.players.symbols.clone());
        }
        id
    }

    fn kind(&mut self, form: Form, severity: Severity) -> Option<PieceKindId> {
        let id = self.word(form).and_then(|symbol| self.kinds.get(symbol));
        if id.is_none() {
            self.unknown_name(severity, form, "piece", self.kinds.symbols.clone());
        }
        id
    }

    fn cell(&mut self, form: Form, severity: Severity) -> Option<CellId> {
        let id = self.word(form).and_then(|symbol| self.cells.get(symbol));
        if id.is_none() {
            self.unknown_name(severity, form, "position", self.cells.symbols.clone());
        }
        id
    }

    fn direction(&mut self, form: Form, severity: Severity) -> Option<DirectionId> {
        let id = self.word(form).and_then(|symbol| self.directions.get(symbol));
        if id.is_none() {
            self.unknown_name(severity, form, "direction", self.directions.symbols.clone());
        }
        id
    }

    /// Returns the move type of this name, declaring it if it is new: move types are declared by their use.
    fn move_type(&mut self, symbol: Symbol) -> Option<MoveTypeId> {
        intern(&mut self.move_types, symbol, MoveTypeId::new)
    }
}

/// Returns the id of a name, giving it the next one if it is new.
fn intern<Id: Copy>(names: &mut Names<Id>, symbol: Symbol, make: fn(usize) -> Option<Id>) -> Option<Id> {
    if let Some(id) = names.get(symbol) {
        return Some(id);
    }
    let id = make(names.len())?;
    names.insert(symbol, id);
    Some(id)
}

/// What [`Builder::finish`] puts together.
struct Parts {
    priorities: Vec<MoveTypeId>,
    turn_order: TurnOrder,
    texts: Texts,
    options: Options,
    setup: Setup,
    goals: Vec<Goal>,
    plugin: Option<String>,
}
