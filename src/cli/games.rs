//! `ludex games`

use std::io::Write;

use clap::Args;
use ludex::RuleFile;
use ludex::builtin::{self, BuiltInLoader};
use serde::Serialize;

use super::failure::Result;
use super::options::JsonOption;
use super::output;

/// List the built-in games and their variants.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex games --json")]
pub struct Command {
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Game {
    name: &'static str,
    title: String,
    variants: Vec<String>,
    file: &'static str,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let games: Vec<Game> = builtin::games().iter().map(describe).collect();
        if self.json.json {
            return output::json(&games);
        }
        let width = games.iter().map(|game| game.name.len()).max().unwrap_or(0);
        let mut out = output::stdout();
        for game in &games {
            writeln!(out, "{:width$}  {}", game.name, game.title)?;
            for variant in &game.variants {
                writeln!(out, "{:width$}    {variant}", "")?;
            }
        }
        Ok(())
    }
}

fn describe(game: &builtin::BuiltIn) -> Game {
    let file = RuleFile::read(game.file, game.bytes, &mut BuiltInLoader);
    let mut titles = file.entries().iter().map(|entry| entry.title.clone());
    let title = titles.next().unwrap_or_else(|| game.name.to_owned());
    Game {
        name: game.name,
        title,
        variants: titles.collect(),
        file: game.file,
    }
}
