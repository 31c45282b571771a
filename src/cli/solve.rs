//! `ludex solve`

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ludex::Fault;
use ludex::bridge::Bridge;
use ludex::search::solve::{Method, Solution, Verdict, solve};
use ludex::search::{Ending, Limits};
use serde::Serialize;

use super::engine::Interrupt;
use super::failure::{Exit, Failure, Result};
use super::game::Opened;
use super::options::{GameOptions, JsonOption, PositionOptions, SeedOption};
use super::output;
use super::play::game::Game;
use super::search::parse_seconds;

/// Solve a puzzle, or find a forced win in a position.
///
/// With one player, a line of moves that wins is looked for; with more, one that wins against every defence for the
/// player to move. The exit code is 0 if one is found, 1 if there certainly is none, and 4 if a limit ended the search.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex solve peg-solitaire -o solution.zsg")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    position: PositionOptions,
    /// How to search: auto, breadth, ida, depth or best for puzzles; auto, proof, alphabeta or exact against others
    #[arg(long, value_name = "NAME", default_value_t = Method::Auto, value_parser = parse_method)]
    method: Method,
    /// The longest time in seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// The greatest number of nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// A file that gets the solution as a saved game
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Solved {
    solved: bool,
    /// Whether it is certain that there is no solution.
    unsolvable: bool,
    /// How the game ends for the player to move if all play as well as can be, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
    moves: Vec<String>,
    shortest: bool,
    method: String,
    nodes: u64,
    seconds: f64,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let opened = self.game.open_playable()?;
        let session = opened.session(&self.position, self.seed)?;
        let mut game = Game::new(session.clone()).map_err(|fault| opened.fault(fault))?;
        if session.is_chance() && !game.is_over() {
            return Err(Failure::wrong("chance decides in this position"));
        }
        let mut bridge = Bridge::with(session, Arc::new(opened.evaluation()?));
        let n_sides = bridge.evaluation().n_sides();
        if n_sides > 1 && self.method.is_for_one() {
            return Err(Failure::usage(format!(
                "`{}` is for puzzles, and here {n_sides} play; there are `proof`, `alphabeta` and `exact`",
                self.method
            )));
        }
        let interrupt = Interrupt::listen_throughout();
        let limits = Limits {
            depth: None,
            nodes: self.nodes,
            time: self.time,
            stop: Some(interrupt.flag()),
            width: None,
        };
        bridge.prepare_to_solve();
        let solution = solve(&mut bridge, self.method, &limits);
        if let Some(fault) = solution.fault {
            return Err(opened.fault(fault));
        }
        for step in &solution.line {
            game.make(step.index as usize).map_err(|fault| opened.fault(fault))?;
        }
        self.tell(&opened, &game, &solution)
    }

    fn tell(&self, opened: &Opened, game: &Game, solution: &Solution<Fault>) -> Result<()> {
        let moves: Vec<String> = game.plies().iter().map(|ply| ply.text.clone()).collect();
        let is_solved = solution.verdict == Verdict::Solved;
        if let Some(path) = self.output.as_ref().filter(|_| is_solved) {
            (game.write(&opened.name, &[], path))
                .map_err(|error| Failure::file(format!("`{}` cannot be written: {error}", path.display())))?;
        }
        if self.json.json {
            output::json(&Solved {
                solved: is_solved,
                unsolvable: solution.verdict == Verdict::Unsolvable,
                value: solution.value.map(|ending| match ending {
                    Ending::Win => "win",
                    Ending::Draw => "draw",
                    Ending::Loss => "loss",
                }),
                shortest: solution.is_shortest,
                method: solution.method.to_string(),
                nodes: solution.nodes,
                seconds: (solution.seconds * 1e6).round() / 1e6,
                moves,
            })?;
        } else {
            let mut out = output::stdout();
            for ply in game.plies() {
                writeln!(out, "{}. {}", ply.round, ply.text)?;
            }
            let what = match solution.verdict {
                Verdict::Solved => format!("solved in {} plies", moves.len()),
                Verdict::Unsolvable => match solution.value {
                    Some(Ending::Draw) => "there is no win, but a draw".to_owned(),
                    Some(Ending::Loss) => "the game is lost".to_owned(),
                    Some(Ending::Win) | None => "there is no solution".to_owned(),
                },
                Verdict::Unknown => "no solution found within the limits".to_owned(),
            };
            writeln!(
                out,
                "{what}: {} nodes, {:.2} s, by {}",
                output::grouped(solution.nodes),
                solution.seconds,
                solution.method
            )?;
        }
        match solution.verdict {
            Verdict::Solved => Ok(()),
            Verdict::Unsolvable => Err(Failure::Told(Exit::Wrong)),
            Verdict::Unknown => Err(Failure::Told(Exit::Limit)),
        }
    }
}

/// Reads the name of a method.
fn parse_method(text: &str) -> std::result::Result<Method, String> {
    text.parse().map_err(|()| {
        let names: Vec<&str> = Method::NAMES.iter().map(|(name, _)| *name).collect();
        format!("`{text}` is no method; there are {}", names.join(", "))
    })
}
