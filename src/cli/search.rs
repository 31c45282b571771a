//! `ludex search`

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ludex::search::Report;
use ludex::search::{Limits, Line, Options};
use ludex::{Fault, MoveList};
use serde::Serialize;

use super::engine::{self, Engine, EngineName, Interrupt, Playout, Setup, score_text};
use super::failure::{Failure, Result};
use super::moves::Ended;
use super::options::{GameOptions, JsonOption, PositionOptions, SeedOption};
use super::output;

/// The time of a search that is not limited otherwise.
const USUAL_TIME: f64 = 5.0;
/// The size of the table of one search.
const TABLE_MEGABYTES: usize = 64;

/// Let the engine choose a move in a position.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex search chess --time 2 --play \"e2-e4\"")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    position: PositionOptions,
    /// The longest time in seconds; 5 if nothing else limits the search
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// The greatest depth in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// The greatest number of nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How to search
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    engine: EngineName,
    /// How simulations go on beyond their tree: for N plies before the evaluation judges, to the `end` of the game with
    /// wins that are seen, or to its end at `random`
    #[arg(long, value_name = "N|end|random", value_parser = parse_playout)]
    playout: Option<Playout>,
    /// How many threads search; with more than one, the same search can find something else the next time
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// How many of the best moves to tell, each with its line
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    multipv: u16,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Chosen {
    #[serde(rename = "move")]
    text: Option<String>,
    score: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_to_end: Option<u32>,
    depth: u32,
    nodes: u64,
    nodes_per_second: u64,
    #[serde(skip_serializing_if = "is_zero")]
    simulations: u64,
    seconds: f64,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Alternative>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Ended>,
}

#[derive(Debug, Serialize)]
struct Alternative {
    #[serde(rename = "move")]
    text: Option<String>,
    score: i32,
    pv: Vec<String>,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let opened = self.game.open_playable()?;
        let mut session = opened.session(&self.position, self.seed)?;
        let outcome = session
            .legal_moves(&mut MoveList::new())
            .map_err(|fault| opened.fault(fault))?;
        // The same search twice gives the same, so chance is drawn from a fixed seed unless one is given.
        let options = Options {
            multipv: usize::from(self.multipv),
            seed: self.seed.seed.unwrap_or(0),
            threads: usize::from(self.threads),
            table_megabytes: TABLE_MEGABYTES,
            ..Options::default()
        };
        let setup = Setup {
            engine: self.engine,
            options,
            playout: self.playout,
        };
        let evaluation = Arc::new(opened.evaluation()?);
        let mut engine = Engine::with_evaluation(Arc::clone(&evaluation), setup, Interrupt::listen());
        let mut failed = None;
        let report = engine.search(&session, self.limits(), &mut |line| {
            if !self.json.json && failed.is_none() {
                let texts = engine::write_line(&evaluation, &session, &line.pv, true);
                failed = self.tell(line, &texts).err();
            }
        });
        if let Some(failure) = failed {
            return Err(failure);
        }
        if let Some(fault) = report.fault {
            return Err(opened.fault(fault));
        }
        let ended = outcome.map(|outcome| outcome.describe(&opened.rules));
        let outcome = match outcome {
            Some(outcome) => Some(Ended::of_session(&mut session, &outcome).map_err(|fault| opened.fault(fault))?),
            None => None,
        };
        let chosen = self.describe(&engine, &session, &report, outcome);
        if self.json.json {
            return output::json(&chosen);
        }
        let mut out = output::stdout();
        match (&chosen.text, ended) {
            (Some(text), _) => writeln!(out, "best move: {text}")?,
            (None, Some(ended)) => writeln!(out, "the game is over: {ended}")?,
            (None, None) => writeln!(
                out,
                "chance decides; the position is worth {}",
                score_text(report.score)
            )?,
        }
        Ok(())
    }

    fn limits(&self) -> Limits {
        let is_limited = self.time.is_some() || self.depth.is_some() || self.nodes.is_some();
        let usual = (!is_limited).then(|| Duration::from_secs_f64(USUAL_TIME));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time.or(usual),
            stop: None,
            width: None,
        }
    }

    fn tell(&self, line: &Line, texts: &[String]) -> Result<()> {
        let rank = if self.multipv > 1 {
            format!(" line {}", line.rank + 1)
        } else {
            String::new()
        };
        writeln!(
            output::stdout(),
            "depth {:2}{rank}  score {:>10}  nodes {:>10}  {:7.2} s  {}",
            line.depth,
            score_text(line.score),
            line.nodes,
            line.seconds,
            texts.join("; ")
        )?;
        Ok(())
    }

    fn describe(
        &self,
        engine: &Engine,
        session: &ludex::Session,
        report: &Report<Fault>,
        outcome: Option<Ended>,
    ) -> Chosen {
        let pv = engine.write_line(session, &report.pv, false);
        let lines = if self.multipv > 1 { report.alternatives() } else { &[] };
        let alternative = |line: &Line| {
            let pv = engine.write_line(session, &line.pv, false);
            Alternative {
                text: pv.first().cloned(),
                score: line.score,
                pv,
            }
        };
        Chosen {
            text: pv.first().cloned(),
            score: report.score,
            plies_to_end: ludex::search::plies_to_end(report.score),
            depth: report.depth,
            nodes: report.nodes,
            nodes_per_second: output::rate(report.nodes, Duration::from_secs_f64(report.seconds.max(0.0))),
            simulations: report.simulations,
            seconds: (report.seconds * 1e6).round() / 1e6,
            pv,
            lines: lines.iter().map(alternative).collect(),
            outcome,
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Reads a number of seconds.
pub fn parse_seconds(text: &str) -> std::result::Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// A search that chose nothing where there was something to choose.
pub fn no_choice() -> Failure {
    Failure::wrong("the engine found no move")
}

fn parse_playout(text: &str) -> std::result::Result<Playout, String> {
    match text {
        "end" => Ok(Playout::End),
        "random" => Ok(Playout::Random),
        _ => (text.parse().map(Playout::Cut)).map_err(|_| format!("`{text}` is no number of plies, `end` or `random`")),
    }
}
