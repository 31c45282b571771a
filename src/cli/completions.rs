//! `ludex completions`

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::failure::Result;
use super::{Cli, output};

/// Write what a shell needs to complete commands and options.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex completions bash > ~/.local/share/bash-completion/completions/ludex")]
pub struct Command {
    /// The shell
    shell: Shell,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        // Written whole at the end: the generator panics where its output cannot be written.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "ludex", &mut script);
        output::stdout().write_all(&script)?;
        Ok(())
    }
}
