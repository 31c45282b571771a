//! `ludex playout`

use std::io::Write;
use std::time::Instant;

use clap::Args;
use ludex::play::outcome::{Decision, Outcome, PlayerResult};
use ludex::play::playout::{Checks, Ending, PlayoutOptions, playout, playout_from_setup};
use ludex::{Fault, MoveList, Rules};
use serde::Serialize;

use super::failure::{Exit, Failure, Result};
use super::options::{GameOptions, JsonOption, PositionOptions, SeedOption};
use super::output::{self, OrderedMap, Progress, grouped, rate, seconds};

/// Play random games.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex playout thud-zrf -n 100 --seed 1 --verify")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    position: PositionOptions,
    /// How many games to play
    #[arg(short = 'n', long = "playouts", value_name = "N", default_value_t = 100)]
    playouts: u64,
    /// The plies after which a game is cut
    #[arg(long, value_name = "M", default_value_t = 1000)]
    max_plies: usize,
    /// Test at every ply that moves are taken back exactly, keys kept rightly, and texts read back
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    json: JsonOption,
}

/// What came of random games.
#[derive(Debug, Default, Serialize)]
struct Statistics {
    playouts: u64,
    plies: u64,
    seconds: f64,
    playouts_per_second: u64,
    plies_per_second: u64,
    outcomes: OrderedMap<u64>,
    cut: u64,
    faults: u64,
    longest: usize,
    mean_branching: f64,
    seed: u64,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let opened = self.game.open_playable()?;
        let seed = self.seed.settled();
        // Every game has a setup of its own where chance makes it.
        let is_drawn = opened.has_random_setup() && self.position.is_start();
        let mut session = opened.session(&self.position, seed)?;
        let checks = if self.verify { Checks::On } else { Checks::Off };
        let options = PlayoutOptions {
            seed: seed.get(),
            max_plies: self.max_plies,
            checks,
        };
        let mut statistics = Statistics {
            seed: options.seed,
            ..Statistics::default()
        };
        let (mut choices, mut states) = (0, 0);
        let mut first_fault: Option<Fault> = None;
        let mut list = MoveList::new();
        let started = Instant::now();
        let mut progress = Progress::new();
        for game in 0..self.playouts {
            let played = match is_drawn {
                true => playout_from_setup(&opened.rules, &mut list, game, &options),
                false => playout(&mut session, &mut list, game, &options),
            };
            let played = played.map_err(|error| Failure::wrong(format!("a defect of this program: {error}")))?;
            statistics.add(&opened.rules, played.ending, played.plies);
            choices += played.choices;
            states += played.plies as u64;
            if let Ending::Fault(fault) = played.ending {
                first_fault = first_fault.or(Some(fault));
            }
            progress.show(|| format!("{} of {} games", game + 1, self.playouts));
        }
        drop(progress);
        let duration = started.elapsed();
        statistics.seconds = seconds(duration);
        statistics.playouts_per_second = rate(statistics.playouts, duration);
        statistics.plies_per_second = rate(statistics.plies, duration);
        statistics.mean_branching = if states > 0 {
            choices as f64 / states as f64
        } else {
            0.0
        };
        if self.json.json {
            output::json(&statistics)?;
        } else {
            statistics.write()?;
        }
        match first_fault {
            None => Ok(()),
            Some(fault) => match opened.fault(fault) {
                Failure::Drawn(_, text) => Err(Failure::Drawn(Exit::Limit, text)),
                other => Err(other),
            },
        }
    }
}

impl Statistics {
    fn add(&mut self, rules: &Rules, ending: Ending, plies: usize) {
        self.playouts += 1;
        self.plies += plies as u64;
        self.longest = self.longest.max(plies);
        match ending {
            Ending::Cut => self.cut += 1,
            Ending::Fault(_) => self.faults += 1,
            Ending::Over(outcome) => {
                let name = name(rules, &outcome);
                match self.outcomes.0.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, count)) => *count += 1,
                    None => {
                        self.outcomes.0.push((name, 1));
                        self.outcomes.0.sort();
                    }
                }
            }
        }
    }

    fn write(&self) -> Result<()> {
        let mut out = output::stdout();
        let percent = |count: u64| 100.0 * count as f64 / self.playouts.max(1) as f64;
        writeln!(
            out,
            "{} games of {} plies, seed {}",
            self.playouts,
            grouped(self.plies),
            self.seed
        )?;
        let others = [("cut", self.cut), ("faults", self.faults)];
        let others = others.into_iter().filter(|(_, count)| *count > 0);
        for (name, count) in self
            .outcomes
            .0
            .iter()
            .map(|(name, count)| (name.as_str(), *count))
            .chain(others)
        {
            writeln!(out, "  {name}: {count} ({:.1} %)", percent(count))?;
        }
        writeln!(
            out,
            "longest game: {} plies; mean number of moves: {:.1}",
            self.longest, self.mean_branching
        )?;
        let (games, plies) = (grouped(self.playouts_per_second), grouped(self.plies_per_second));
        writeln!(out, "{:.3} s: {games} games and {plies} plies a second", self.seconds)?;
        Ok(())
    }
}

/// Returns who won, or that it is a draw.
fn name(rules: &Rules, outcome: &Outcome) -> String {
    let winners = outcome.names(rules, PlayerResult::Win);
    match outcome.decision {
        Decision::Draw => "draw".to_owned(),
        _ if winners.is_empty() => "nobody".to_owned(),
        _ => winners.join(", "),
    }
}
