//! `ludex expand`

use std::io::Write;

use clap::Args;
use ludex::diagnostic::Sink;

use super::failure::{Failure, Result};
use super::game::{draw, exit_of, has_errors, read_rules};
use super::options::GameOptions;
use super::output;

/// Show the rules of a game with macros, includes and variants carried out.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex expand chess")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let (_, mut file) = read_rules(&self.game.game, &self.game.include.folders)?;
        let entry = self.game.choose(&file)?;
        let sections = file.entries()[entry].sections.clone();
        let mut sink = Sink::new();
        let mut out = output::stdout();
        writeln!(out, "(game")?;
        for section in sections {
            let mut text = String::new();
            file.expander_mut().print(section, &mut text, &mut sink);
            writeln!(out, "{text}")?;
        }
        writeln!(out, ")")?;
        let diagnostics: Vec<_> = file.diagnostics().iter().chain(sink.diagnostics()).cloned().collect();
        diagnostics
            .iter()
            .for_each(|diagnostic| output::remark(&(draw(&file, diagnostic) + "\n")));
        if has_errors(&diagnostics) {
            Err(Failure::Told(exit_of(&diagnostics)))
        } else {
            Ok(())
        }
    }
}
