//! `ludex play`

mod command;
pub mod game;
mod table;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ludex::Rules;
use ludex::model::PlayerId;

use super::engine::EngineName;
use super::failure::{Failure, Result};
use super::levels;
use super::options::{GameOptions, PositionOptions, SeedOption};
use super::output::remark;
use super::players;
use super::search::parse_seconds;
use table::{Opponent, Table};

/// The level of the engine unless one is given.
pub const USUAL_LEVEL: u8 = 4;

/// Play against the engine or another person in the terminal, or watch.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex play chess --as Black --level 3 --save game.zsg")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    position: PositionOptions,
    /// Whom you play: a player, `all`, or `none` to watch; the first player by default
    #[arg(long = "as", value_name = "PLAYER")]
    seat: Option<String>,
    /// The strength of the engine: from 1 to 10, or a name that the rules give; `4` by default, but a side that the
    /// rules play (`policy`) follows them unless this is given
    #[arg(long, value_name = "L")]
    level: Option<String>,
    /// The engine that plays
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    engine: EngineName,
    /// The longest time the engine takes for a move, in seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// A file that holds the game after every ply; a game in it is continued
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    seed: SeedOption,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        if self.game.game == "-" {
            return Err(Failure::usage(
                "moves are read from standard input, so the rules cannot be",
            ));
        }
        let opened = self.game.open_playable()?;
        let seed = self.seed.settled();
        let session = opened.session(&self.position, seed)?;
        if let (None, Some(seed)) = (self.seed.seed, seed.seed.filter(|_| opened.has_random_setup())) {
            remark(&format!("seed {seed}"));
        }
        let people = seats(&opened.rules, self.seat.as_deref())?;
        let usual = USUAL_LEVEL.to_string();
        let opponent = Opponent {
            engine: self.engine,
            level: levels::find(&opened.rules, self.level.as_deref().unwrap_or(&usual))?,
            time: self.time,
            follows_policies: self.level.is_none(),
        };
        let mut table = Table::new(opened, session, people, opponent, seed.get())?;
        table.keep_in(self.save.clone())?;
        table.play()
    }
}

/// Returns the players that people play.
fn seats(rules: &Rules, seat: Option<&str>) -> Result<Vec<PlayerId>> {
    let deciders = players::deciders(rules);
    match seat {
        None => {
            let order = rules.model.turn_order.items.iter().map(|item| item.player);
            let first = order.into_iter().find(|player| deciders.contains(player));
            Ok(first.into_iter().collect())
        }
        Some("all") => Ok(deciders),
        Some("none") => Ok(Vec::new()),
        Some(wanted) => match players::find(rules, &deciders, wanted) {
            Some(player) => Ok(vec![player]),
            None => {
                let names = deciders.iter().map(|&player| players::name(rules, player));
                let names: Vec<&str> = names.chain(["all", "none"]).collect();
                Err(players::unknown(wanted, &names))
            }
        },
    }
}
