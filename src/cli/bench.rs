//! `ludex bench`

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use ludex::bridge::Bridge;
use ludex::play::perft::{PerftOptions, perft};
use ludex::play::playout::{Checks, Ending, PlayoutOptions, playout};
use ludex::search::{Limits, Options, Searcher};
use ludex::{Fault, MoveList, Rules, Session, builtin};
use serde::Serialize;

use super::failure::{Failure, Result};
use super::game::read_rules;
use super::options::{GameOptions, IncludeOptions, JsonOption, QuirkOptions};
use super::output::{self, grouped};

/// Measure how fast games are loaded, played and searched.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex bench chess reversi --json")]
pub struct Command {
    /// Rule files or names of built-in games; without any, all built-in games
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// The seconds spent on each stage
    #[arg(long, value_name = "S", default_value_t = 0.5)]
    time: f64,
    #[command(flatten)]
    include: IncludeOptions,
    #[command(flatten)]
    quirks: QuirkOptions,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Rate {
    game: String,
    stage: &'static str,
    rate: u64,
    unit: &'static str,
}

/// The plies after which a random game is cut.
const MAX_PLIES: usize = 300;

impl Command {
    pub fn run(&self) -> Result<()> {
        let time = Duration::try_from_secs_f64(self.time)
            .map_err(|_| Failure::usage(format!("`{}` is no number of seconds", self.time)))?;
        let games = match self.games.is_empty() {
            true => builtin::games().iter().map(|game| game.name.to_owned()).collect(),
            false => self.games.clone(),
        };
        let mut rates = Vec::new();
        for game in games {
            let options = GameOptions {
                game: game.clone(),
                variant: None,
                include: self.include.clone(),
                quirks: self.quirks.clone(),
            };
            let opened = options.open_playable()?;
            let first = rates.len();
            let measured = self.measure(&game, &options, &opened.rules, time, &mut rates)?;
            measured.map_err(|fault| opened.fault(fault))?;
            if !self.json.json {
                write(&rates[first..])?;
            }
        }
        if self.json.json { output::json(&rates) } else { Ok(()) }
    }

    fn measure(
        &self,
        game: &str,
        options: &GameOptions,
        rules: &Arc<Rules>,
        time: Duration,
        rates: &mut Vec<Rate>,
    ) -> Result<std::result::Result<(), Fault>> {
        let mut note = |stage, unit, rate: f64| {
            rates.push(Rate {
                game: game.to_owned(),
                stage,
                rate: rate as u64,
                unit,
            });
        };
        if game != "-" {
            let mut failed = None;
            let parsing = rate(time, || match read_rules(game, &self.include.folders) {
                Ok(_) => 1,
                Err(error) => {
                    failed = Some(error);
                    0
                }
            });
            if let Some(error) = failed {
                return Err(error);
            }
            note("parse", "files/s", parsing);
            let (_, mut file) = read_rules(game, &self.include.folders)?;
            let entry = options.choose(&file)?;
            note(
                "compile",
                "games/s",
                rate(time, || u64::from(file.compile(entry).rules.is_some())),
            );
        }
        let mut session = Session::new(Arc::clone(rules));
        Ok(play(&mut session, time, &mut note))
    }
}

/// Measures the stages that play.
fn play(
    session: &mut Session,
    time: Duration,
    note: &mut impl FnMut(&'static str, &'static str, f64),
) -> std::result::Result<(), Fault> {
    let mut list = MoveList::new();
    // What is measured is the speed of games that go on.
    session.rules().specialise();
    session.legal_moves(&mut list)?;
    note(
        "movegen",
        "positions/s",
        rate(time, || session.legal_moves(&mut list).map_or(0, |_| 1)),
    );
    let making = rate(time, || {
        let mut n_made = 0;
        for index in 0..list.len() {
            if session.make(&list, index).is_ok() {
                session.unmake();
                n_made += 1;
            }
        }
        n_made
    });
    note("make and unmake", "moves/s", making);

    let options = PlayoutOptions {
        seed: 1,
        max_plies: MAX_PLIES,
        checks: Checks::Off,
    };
    let (mut game, mut fault) = (0, None);
    let mut n_games: u64 = 0;
    let started = Instant::now();
    let plies = rate(time, || match playout(session, &mut list, game, &options) {
        Ok(played) => {
            if let Ending::Fault(met) = played.ending {
                fault = Some(met);
            }
            game += 1;
            n_games += 1;
            played.plies as u64
        }
        Err(_) => 0,
    });
    let games = n_games as f64 / started.elapsed().as_secs_f64();
    if let Some(fault) = fault {
        return Err(fault);
    }
    note("playout", "plies/s", plies);
    note("playout", "games/s", games);

    // As deep as the time allows: the depth that takes about a tenth of it.
    let mut depth = 1;
    let mut leaves = perft(session, depth, PerftOptions::default())?;
    loop {
        let started = Instant::now();
        leaves = leaves.max(perft(session, depth, PerftOptions::default())?);
        if started.elapsed() * 10 > time || leaves == 0 || depth == 20 {
            break;
        }
        depth += 1;
    }
    for (stage, bulk) in [("perft", true), ("perft, every leaf made", false)] {
        let options = PerftOptions { turns: false, bulk };
        note(
            stage,
            "leaves/s",
            rate(time, || perft(session, depth, options).unwrap_or(0)),
        );
    }
    if let Ok(bridge) = Bridge::new(session.clone()) {
        // One search for all the time: the table is made before.
        let mut searcher = Searcher::new(Options::default());
        let mut bridge = bridge;
        let nodes = rate(time, || {
            searcher.search(&mut bridge, &Limits::time(time), &mut |_| {}).nodes
        });
        note("search", "nodes/s", nodes);
    }
    Ok(())
}

/// Calls `run`, which returns how much it did, until the time is over; returns how much in a second.
fn rate(time: Duration, mut run: impl FnMut() -> u64) -> f64 {
    let started = Instant::now();
    let mut done = 0;
    loop {
        done += run();
        let elapsed = started.elapsed();
        if elapsed >= time {
            return done as f64 / elapsed.as_secs_f64().max(1e-9);
        }
    }
}

fn write(rates: &[Rate]) -> Result<()> {
    let mut out = output::stdout();
    if let Some(first) = rates.first() {
        writeln!(out, "{}", first.game)?;
    }
    for rate in rates {
        writeln!(out, "  {:24} {:>14} {}", rate.stage, grouped(rate.rate), rate.unit)?;
    }
    Ok(())
}
