//! What came of a match.

use std::io::Write;
use std::path::Path;

use ludex::Rules;
use ludex::play::Decision;
use ludex::play::playout::Ending;
use serde::Serialize;

use super::super::elo::{Bounds, Elo, Sprt};
use super::super::failure::Result;
use super::super::moves::Ended;
use super::super::output::{OrderedMap, grouped};
use super::contest::{Contest, Played, Seating};

/// What came of a match.
#[derive(Debug)]
pub struct Results {
    /// By player, in the order of the rules.
    players: Vec<Tally>,
    /// By specification, in the order in which they first stand.
    specs: Vec<Tally>,
    seating: Seating,
    counts: Counts,
}

/// How many games.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u64,
    draws: u64,
    cut: u64,
    faults: u64,
    plies: u64,
}

/// The results of one player or one way to play.
#[derive(Clone, Debug)]
struct Tally {
    name: String,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// The results as JSON.
#[derive(Debug, Serialize)]
pub struct Report {
    games: u64,
    wins: OrderedMap<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wins_by_spec: Option<OrderedMap<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elo: Option<Elo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Sprt>,
    draws: u64,
    cut: u64,
    faults: u64,
    plies: u64,
    interrupted: bool,
    seed: u64,
    records: Vec<Record>,
}

/// A game as JSON.
#[derive(Debug, Serialize)]
pub struct Record {
    /// The number of the game, from 1.
    game: u64,
    /// Who played each player.
    players: OrderedMap<String>,
    /// The end of the game, if it was reached.
    outcome: Option<Ended>,
    /// Why it ended.
    reason: String,
    plies: usize,
    /// The file with the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// The moves, if there is no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<String>>,
}

impl Tally {
    fn new(name: &str) -> Tally {
        Tally {
            name: name.to_owned(),
            wins: 0,
            draws: 0,
            losses: 0,
        }
    }

    fn add(&mut self, decision: Decision, has_won: bool) {
        match decision {
            Decision::Draw | Decision::Level(_) => self.draws += 1,
            _ if has_won => self.wins += 1,
            Decision::Win(_) | Decision::Loss(_) => self.losses += 1,
        }
    }

    /// Returns the points of each game, in percent, a draw counting half.
    fn percent(&self) -> f64 {
        let games = (self.wins + self.draws + self.losses).max(1);
        100.0 * (self.wins as f64 + self.draws as f64 / 2.0) / games as f64
    }
}

impl Results {
    /// Begins to count.
    pub fn new(contest: &Contest) -> Results {
        let mut specs: Vec<Tally> = Vec::new();
        for seat in &contest.seats {
            if specs.iter().all(|tally| tally.name != seat.spec.text()) {
                specs.push(Tally::new(seat.spec.text()));
            }
        }
        Results {
            players: contest.names().into_iter().map(Tally::new).collect(),
            specs,
            seating: contest.plan.seating,
            counts: Counts::default(),
        }
    }

    /// Counts a game.
    pub fn add(&mut self, contest: &Contest, played: &Played) {
        self.counts.games += 1;
        self.counts.plies += played.n_plies as u64;
        let outcome = match played.ending {
            Ending::Over(outcome) => outcome,
            Ending::Cut => return self.counts.cut += 1,
            Ending::Fault(_) => return self.counts.faults += 1,
        };
        self.counts.draws += u64::from(outcome.decision == Decision::Draw);
        for (tally, &has_won) in self.players.iter_mut().zip(&played.won) {
            tally.add(outcome.decision, has_won);
        }
        for (&seat, &has_won) in played.seating.iter().zip(&played.won) {
            let spec = contest.seats[seat].spec.text();
            if let Some(tally) = self.specs.iter_mut().find(|tally| tally.name == spec) {
                tally.add(outcome.decision, has_won);
            }
        }
    }

    /// Returns the results as JSON.
    pub fn report(&self, records: Vec<Record>, seed: u64, interrupted: bool, bounds: Option<Bounds>) -> Report {
        let wins = |tallies: &[Tally]| {
            let entries = tallies.iter().map(|tally| (tally.name.clone(), tally.wins));
            OrderedMap(entries.collect())
        };
        let Counts {
            games,
            draws,
            cut,
            faults,
            plies,
        } = self.counts;
        Report {
            games,
            wins: wins(&self.players),
            wins_by_spec: (self.seating == Seating::Turning).then(|| wins(&self.specs)),
            elo: self.elo(),
            sprt: bounds.and_then(|bounds| self.sprt(bounds)),
            draws,
            cut,
            faults,
            plies,
            interrupted,
            seed,
            records,
        }
    }

    /// Writes the results for people.
    pub fn write(&self, out: &mut impl Write, seed: u64, bounds: Option<Bounds>) -> Result<()> {
        let Counts {
            games,
            cut,
            faults,
            plies,
            ..
        } = self.counts;
        let plural = if games == 1 { "game" } else { "games" };
        writeln!(out, "\n{games} {plural} of {} plies, seed {seed}", grouped(plies))?;
        if games == 0 {
            return Ok(());
        }
        if self.seating == Seating::Turning {
            write_table(out, &self.specs)?;
            writeln!(out)?;
        }
        write_table(out, &self.players)?;
        for (what, count) in [("cut", cut), ("ended by a fault", faults)] {
            if count > 0 {
                writeln!(out, "{what}: {count}")?;
            }
        }
        if let Some(elo) = self.elo() {
            writeln!(out, "{elo}")?;
        }
        if let Some(test) = bounds.and_then(|bounds| self.sprt(bounds)) {
            writeln!(out, "{test}")?;
        }
        Ok(())
    }

    /// Tells where a sequential test of two ways to play that changed places stands.
    pub fn sprt(&self, bounds: Bounds) -> Option<Sprt> {
        match (&self.specs[..], self.players.len()) {
            ([first, _], 2) => Some(bounds.test(first.wins, first.draws, first.losses)),
            _ => None,
        }
    }

    /// Compares two ways to play that changed places.
    fn elo(&self) -> Option<Elo> {
        match (&self.specs[..], self.players.len(), self.seating) {
            ([first, second], 2, Seating::Turning) => Some(Elo::estimate(
                &first.name,
                &second.name,
                first.wins,
                first.draws,
                first.losses,
            )),
            _ => None,
        }
    }
}

impl Record {
    /// Describes game `number`, from 0: with the file that it is in, or with its moves.
    pub fn new(contest: &Contest, number: u64, played: &Played, file: Option<&Path>) -> Record {
        let rules = &contest.opened.rules;
        let outcome = match &played.ending {
            Ending::Over(outcome) => Some(Ended::new(rules, outcome)),
            Ending::Cut | Ending::Fault(_) => None,
        };
        let seats = played.seating.iter().map(|&seat| contest.seats[seat].spec.to_string());
        let names = contest.names().into_iter().map(str::to_owned);
        let plies = played.game.plies();
        let moves = || plies.iter().map(|ply| ply.text.clone()).collect();
        Record {
            game: number + 1,
            players: OrderedMap(names.zip(seats).collect()),
            outcome,
            reason: reason(rules, played),
            plies: plies.len(),
            moves: file.is_none().then(moves),
            file: file.map(|file| file.display().to_string()),
        }
    }
}

/// Writes a game in one line.
pub fn line(contest: &Contest, number: u64, played: &Played) -> String {
    let rules = &contest.opened.rules;
    let end = match &played.ending {
        Ending::Over(outcome) => outcome.describe(rules),
        Ending::Cut | Ending::Fault(_) => reason(rules, played),
    };
    let seats = match contest.plan.seating {
        Seating::Fixed => String::new(),
        Seating::Turning => format!(" ({})", contest.seating_text(&played.seating)),
    };
    format!("game {}{seats}: {end}, {} plies", number + 1, played.n_plies)
}

fn reason(rules: &Rules, played: &Played) -> String {
    match &played.ending {
        Ending::Over(outcome) => outcome.reason_text(rules),
        Ending::Cut => "cut".to_owned(),
        Ending::Fault(fault) => fault.to_string(),
    }
}

fn write_table(out: &mut impl Write, tallies: &[Tally]) -> Result<()> {
    let lengths = tallies.iter().map(|tally| tally.name.chars().count());
    let width = lengths.max().unwrap_or(0);
    writeln!(out, "{:width$}    wins   draws  losses   score", "")?;
    for tally in tallies {
        let Tally {
            name,
            wins,
            draws,
            losses,
        } = tally;
        let percent = tally.percent();
        writeln!(out, "{name:width$}  {wins:6}  {draws:6}  {losses:6}  {percent:5.1}%")?;
    }
    Ok(())
}
