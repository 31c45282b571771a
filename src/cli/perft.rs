//! `ludex perft`

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use clap::Args;
use ludex::MoveList;
use ludex::play::notation::Notation;
use ludex::play::perft::{PerftOptions, divide};
use serde::Serialize;

use super::failure::Result;
use super::options::{GameOptions, JsonOption, PositionOptions, SeedOption};
use super::output::{self, OrderedMap, Progress, grouped, rate, seconds};

/// Count the ways to play on, which shows whether moves are generated rightly.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex perft chess -d 4 --divide")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    position: PositionOptions,
    /// How many plies (or turns) to play
    #[arg(short, long, value_name = "N")]
    depth: u32,
    /// Also tell the number for each first move
    #[arg(long)]
    divide: bool,
    /// Count depth in whole turns, chains of partial moves joined
    #[arg(long)]
    turns: bool,
    /// Make also the last moves of each line, instead of just counting them
    #[arg(long)]
    no_bulk: bool,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Counted {
    depth: u32,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    divide: OrderedMap<u64>,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let opened = self.game.open_playable()?;
        let mut session = opened.session(&self.position, self.seed)?;
        let mut list = MoveList::new();
        session.legal_moves(&mut list).map_err(|fault| opened.fault(fault))?;
        let mut texts = Notation::new(&opened.rules).unique_texts(session.state(), &list);
        let options = PerftOptions {
            turns: self.turns,
            bulk: !self.no_bulk,
        };
        let mut parts = OrderedMap::default();
        // With nothing to play there is one way: not to play.
        let mut nodes = u64::from(self.depth == 0);
        let started = Instant::now();
        let mut progress = Progress::new();
        let result = divide(&mut session, self.depth, options, &mut |index, count| {
            nodes = nodes.saturating_add(count);
            if self.divide {
                parts.0.push((std::mem::take(&mut texts[index]), count));
            }
            progress.show(|| {
                format!(
                    "{} of {} first moves, {} so far",
                    index + 1,
                    texts.len(),
                    grouped(nodes)
                )
            });
            ControlFlow::Continue(())
        });
        drop(progress);
        result.map_err(|fault| opened.fault(fault))?;
        let duration = started.elapsed();
        if self.json.json {
            return output::json(&Counted {
                depth: self.depth,
                nodes,
                seconds: seconds(duration),
                nodes_per_second: rate(nodes, duration),
                divide: parts,
            });
        }
        let mut out = output::stdout();
        for (text, count) in &parts.0 {
            writeln!(out, "{text}: {count}")?;
        }
        if self.divide && !parts.0.is_empty() {
            writeln!(out)?;
        }
        let (time, speed) = (duration.as_secs_f64(), grouped(rate(nodes, duration)));
        writeln!(out, "depth {}: {nodes} in {time:.3} s ({speed} a second)", self.depth)?;
        Ok(())
    }
}
