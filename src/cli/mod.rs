//! The commands: one file each, with the options and the opening of games that they share.
//!
//! Commands use the public interface of the library only. Each returns what it could not do as a [`Failure`], which knows
//! its exit code; nothing here ends the process by itself.

mod bench;
mod board;
mod check;
mod completions;
mod disasm;
mod elo;
mod engine;
mod expand;
mod explain;
mod failure;
mod game;
mod games;
mod info;
mod keywords;
mod levels;
mod lint;
mod matches;
mod moves;
mod options;
mod output;
mod perft;
mod play;
mod players;
mod playout;
mod protocol;
mod replay;
mod saved;
mod search;
mod solve;
mod test;
mod tune;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Result;
use options::Color;

/// Plays any board game from a text file of rules.
#[derive(Debug, Parser)]
#[command(
    name = "ludex",
    version,
    arg_required_else_help = true,
    after_help = "Example: ludex play chess --level 3"
)]
pub struct Cli {
    /// When to colour the output.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant)] // made once
enum Command {
    Games(games::Command),
    Check(check::Command),
    Lint(lint::Command),
    Info(info::Command),
    Moves(moves::Command),
    Perft(perft::Command),
    Playout(playout::Command),
    Search(search::Command),
    Solve(solve::Command),
    Play(play::Command),
    Match(matches::Command),
    Engine(protocol::Command),
    Tune(tune::Command),
    Replay(replay::Command),
    Test(test::Command),
    Expand(expand::Command),
    Disasm(disasm::Command),
    Bench(bench::Command),
    Explain(explain::Command),
    Keywords(keywords::Command),
    Completions(completions::Command),
}

/// Reads the arguments, carries the command out, and tells what went wrong.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.apply();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Games(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Lint(command) => command.run(),
        Command::Info(command) => command.run(),
        Command::Moves(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Playout(command) => command.run(),
        Command::Search(command) => command.run(),
        Command::Solve(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Match(command) => command.run(),
        Command::Engine(command) => command.run(),
        Command::Tune(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Test(command) => command.run(),
        Command::Expand(command) => command.run(),
        Command::Disasm(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Keywords(command) => command.run(),
        Command::Completions(command) => command.run(),
    }
}
