//! `ludex disasm`

use std::io::Write;

use clap::Args;
use ludex::keyword::nearest_of;
use ludex::program::listing::{ListingFilter, list_program};

use super::failure::{Failure, Result};
use super::options::GameOptions;
use super::output;

/// Show the compiled move generators of a game.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex disasm chess --piece Pawn --player White")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    /// Only the moves of this piece
    #[arg(long, value_name = "PIECE")]
    piece: Option<String>,
    /// Only the moves of this player
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let opened = self.game.open_playable()?;
        let model = &opened.rules.model;
        let unknown = |what: &str, name: &str, near: Option<&str>| {
            let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            Failure::usage(format!("no {what} is called `{name}`{help}"))
        };
        let kind = self.piece.as_deref().map(|name| {
            let near = || nearest_of(name, model.kinds.iter().map(|kind| kind.name.as_str()));
            model.find_kind(name).ok_or_else(|| unknown("piece", name, near()))
        });
        let player = self.player.as_deref().map(|name| {
            let near = || nearest_of(name, model.players.iter().map(|player| player.name.as_str()));
            model.find_player(name).ok_or_else(|| unknown("player", name, near()))
        });
        let filter = ListingFilter {
            player: player.transpose()?,
            kind: kind.transpose()?,
        };
        output::stdout().write_all(list_program(model, &opened.rules.program, filter).as_bytes())?;
        Ok(())
    }
}
