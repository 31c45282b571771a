//! `ludex info`

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use ludex::diagnostic::Diagnostic;
use ludex::model::{GameModel, TurnItem};
use ludex::play::position::print_session;
use ludex::{RuleFile, Rules, Session};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::failure::{Failure, Result};
use super::game::{draw, exit_of, has_errors, read_rules};
use super::options::{GameOptions, JsonOption, SeedOption};
use super::output::{self, OrderedMap};

/// Tell what is in a rule file: players, board, pieces, options, start.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex info chess --json")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Info {
    file: String,
    games: Vec<GameInfo>,
}

#[derive(Debug, Serialize)]
struct GameInfo {
    number: usize,
    title: String,
    default: bool,
    players: Vec<String>,
    turn_order: Vec<String>,
    positions: usize,
    directions: Vec<String>,
    zones: Vec<String>,
    pieces: Vec<String>,
    attributes: Vec<String>,
    options: OrderedMap<String>,
    /// The words beyond the classic language that the game uses.
    extensions: Vec<String>,
    plugin: Option<String>,
    position: String,
    /// Description, history, strategy and solution, as far as given.
    texts: OrderedMap<String>,
    /// File names by the words of the language.
    sounds: OrderedMap<String>,
    /// File names of board pictures.
    images: Vec<String>,
    piece_texts: Vec<PieceInfo>,
}

/// What people are shown of a piece.
#[derive(Debug, Serialize)]
struct PieceInfo {
    name: String,
    notation: Option<String>,
    help: Option<String>,
    description: Option<String>,
    /// File names by player.
    images: OrderedMap<Vec<String>>,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let (name, mut file) = read_rules(&self.game.game, &self.game.include.folders)?;
        self.game.quirks.apply(&mut file)?;
        let entries = match &self.game.variant {
            Some(_) => {
                let entry = self.game.choose(&file)?;
                entry..entry + 1
            }
            None => 0..file.entries().len(),
        };
        let mut games = Vec::new();
        let mut diagnostics: Vec<Diagnostic> = file.diagnostics().to_vec();
        for entry in entries {
            let compiled = file.compile(entry);
            diagnostics.extend(compiled.diagnostics);
            games.extend(
                compiled
                    .rules
                    .map(|rules| self.describe(&file, entry, &Arc::new(rules))),
            );
        }
        let info = Info { file: name, games };
        if self.json.json {
            output::json(&info)?;
        } else {
            info.write()?;
        }
        let errors: Vec<String> = (diagnostics.iter())
            .filter(|diagnostic| has_errors(std::slice::from_ref(diagnostic)))
            .map(|error| draw(&file, error))
            .collect();
        if errors.is_empty() {
            return Ok(());
        }
        Err(Failure::Drawn(exit_of(&diagnostics), errors.join("\n\n")))
    }

    fn describe(&self, file: &RuleFile, entry: usize, rules: &Arc<Rules>) -> GameInfo {
        // The same each time, also where chance sets up the board.
        let mut chance = ChaCha8Rng::seed_from_u64(self.seed.seed.unwrap_or(0));
        let start = Session::with_chance(Arc::clone(rules), &mut chance);
        describe(file, entry, rules, &print_session(&start))
    }
}

fn describe(file: &RuleFile, entry: usize, rules: &Rules, position: &str) -> GameInfo {
    let model = &rules.model;
    let mut options: Vec<(String, String)> = Vec::new();
    for (name, value) in &model.texts.options {
        options.retain(|(known, _)| known != name);
        options.push((name.clone(), value.clone()));
    }
    GameInfo {
        number: entry + 1,
        title: model.title.clone(),
        default: file.default_entry() == Ok(entry),
        players: model.players.iter().map(|player| player.name.clone()).collect(),
        turn_order: turn_order(model),
        positions: model.board.cells.len(),
        directions: model.board.directions.clone(),
        zones: model.board.zones.iter().map(|zone| zone.name.clone()).collect(),
        pieces: model.kinds.iter().map(|kind| kind.name.clone()).collect(),
        attributes: model.attributes.clone(),
        options: OrderedMap(options),
        extensions: model.extensions.words.iter().map(ToString::to_string).collect(),
        plugin: model.plugin.clone(),
        position: position.to_owned(),
        texts: texts(model),
        sounds: OrderedMap(model.texts.sounds.clone()),
        images: model.board.images.clone(),
        piece_texts: (model.kinds.iter())
            .map(|kind| PieceInfo {
                name: kind.name.clone(),
                notation: kind.notation.clone(),
                help: kind.help.clone(),
                description: kind.description.clone(),
                images: OrderedMap(kind.images.clone()),
            })
            .collect(),
    }
}

fn texts(model: &GameModel) -> OrderedMap<String> {
    let texts = &model.texts;
    let named = [
        ("description", &texts.description),
        ("history", &texts.history),
        ("strategy", &texts.strategy),
        ("solution", &texts.solution),
    ];
    OrderedMap(
        named
            .into_iter()
            .filter_map(|(name, text)| Some((name.to_owned(), text.clone()?)))
            .collect(),
    )
}

/// Writes the turn order as the rules do.
fn turn_order(model: &GameModel) -> Vec<String> {
    let player = |item: &TurnItem| model.players[item.player.index()].name.as_str();
    let mut texts = Vec::new();
    for (index, item) in model.turn_order.items.iter().enumerate() {
        if index == model.turn_order.repeat_from && index > 0 {
            texts.push("repeat".to_owned());
        }
        let acts_as = (item.acts_as != item.player).then(|| model.players[item.acts_as.index()].name.as_str());
        let move_type = item
            .move_type
            .map(|move_type| model.move_types[move_type.index()].as_str());
        let words: Vec<&str> = std::iter::once(player(item)).chain(acts_as).chain(move_type).collect();
        texts.push(if words.len() > 1 {
            format!("({})", words.join(" "))
        } else {
            words.concat()
        });
    }
    texts
}

impl Info {
    fn write(&self) -> Result<()> {
        let mut out = output::stdout();
        writeln!(out, "{}", self.file)?;
        for game in &self.games {
            let default = if game.default { " (default)" } else { "" };
            writeln!(out, "\n{}. {}{default}", game.number, game.title)?;
            if let Some(plugin) = &game.plugin {
                writeln!(out, "   moves:      in the plug-in {plugin}, which Ludex does not run")?;
            }
            writeln!(out, "   players:    {}", game.players.join(", "))?;
            writeln!(out, "   turns:      {}", game.turn_order.join(" "))?;
            writeln!(out, "   positions:  {}", game.positions)?;
            for (name, words) in [
                ("directions", &game.directions),
                ("zones", &game.zones),
                ("pieces", &game.pieces),
                ("attributes", &game.attributes),
            ] {
                if !words.is_empty() {
                    writeln!(out, "   {:<12}{}", format!("{name}:"), words.join(", "))?;
                }
            }
            let options: Vec<String> = game
                .options
                .0
                .iter()
                .map(|(name, value)| format!("\"{name}\" {value}"))
                .collect();
            if !options.is_empty() {
                writeln!(out, "   options:    {}", options.join(", "))?;
            }
            if !game.extensions.is_empty() {
                writeln!(out, "   extensions: {}", game.extensions.join(" "))?;
            }
            writeln!(out, "   start:      {}", game.position)?;
            if !game.images.is_empty() {
                writeln!(out, "   pictures:   {}", game.images.join(", "))?;
            }
            for (word, file) in &game.sounds.0 {
                writeln!(out, "   {:<12}{file}", format!("{word}:"))?;
            }
            if self.games.len() == 1 {
                for (_, text) in &game.texts.0 {
                    writeln!(out, "\n{text}")?;
                }
            }
        }
        Ok(())
    }
}
