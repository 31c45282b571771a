//! `ludex engine`

mod desk;
mod json;
mod uci;

use std::io::BufRead;

use clap::Args;

use super::failure::{Failure, Result};
use super::options::{IncludeOptions, QuirkOptions};
use desk::Desk;

/// Speak a protocol on standard input and output: UCI, or JSON lines for any game.
///
/// A line that begins with a bracket `{` is a request in JSON, any other a command of UCI; both work on the same game.
/// `docs/protocol.md` describes them.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex engine chess")]
pub struct Command {
    /// The game to begin with: a rule file or the name of a built-in game
    #[arg(value_name = "GAME", default_value = "chess")]
    game: String,
    /// The game or variant in the file: its title, a part of it, or its number
    #[arg(long, value_name = "NAME|NUMBER")]
    variant: Option<String>,
    #[command(flatten)]
    include: IncludeOptions,
    #[command(flatten)]
    quirks: QuirkOptions,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        if self.game == "-" {
            return Err(Failure::usage(
                "commands are read from standard input, so the rules cannot be",
            ));
        }
        let mut desk = Desk::new(
            &self.game,
            self.variant.as_deref(),
            self.include.clone(),
            self.quirks.clone(),
        )?;
        let mut input = std::io::stdin().lock();
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match input.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            // What is no text is an error in that line alone.
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim();
            let next = match line.starts_with('{') {
                true => json::answer(&mut desk, line),
                false => uci::answer(&mut desk, line),
            };
            match next {
                Ok(Next::GoOn) => {}
                Ok(Next::Quit) => break,
                // Nobody reads any more.
                Err(_) => break,
            }
        }
        desk.stop();
        Ok(())
    }
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    Quit,
}
