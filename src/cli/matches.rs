//! `ludex match`

mod contest;
mod results;
mod seat;
mod spec;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ludex::play::playout::Ending;
use ludex::{Fault, Rules};

use super::elo::Bounds;
use super::failure::{Failure, Result};
use super::options::{GameOptions, JsonOption, PositionOptions, SeedOption};
use super::output::{self, Progress};
use super::players;
use contest::{Contest, Plan, Played, Seating};
use results::{Record, Results};
use spec::Spec;

/// Let engines play against each other.
///
/// SPEC says how a player plays: `random`, or a list parted by commas of `level=L` (1 to 10), `engine=E` (auto, alphabeta,
/// mcts, maxn), `time=S` (seconds a move), `clock=S+I` (seconds for the game and after each move), `nodes=N`, `depth=N`
/// (plies), `threads=T`, `weights=FILE` (or none) and `without=PART+PART` (of the search). A limit takes the place of that of the level. Without a
/// level the best move found is played.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: ludex match chess --games 20 --player White=nodes=2000 --player Black=level=2 --swap --openings 4"
)]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    position: PositionOptions,
    /// How many games to play
    #[arg(short = 'n', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How a player plays; may be repeated
    #[arg(long = "player", value_name = "NAME=SPEC", value_parser = parse_player)]
    players: Vec<(String, Spec)>,
    /// How all other players play; `level=4` by default
    #[arg(long, value_name = "SPEC")]
    all: Option<Spec>,
    /// Let the SPECs change places from game to game, and count by SPEC too
    #[arg(long)]
    swap: bool,
    /// Draw the first K plies of each game at random; games that differ in places only begin alike
    #[arg(long, value_name = "K", default_value_t = 0)]
    openings: usize,
    /// The plies after which a game is cut
    #[arg(long, value_name = "M", default_value_t = 1000)]
    max_plies: usize,
    /// End the match as soon as it is sure whether the first SPEC is stronger by LOW or by HIGH points of Elo
    #[arg(long, value_name = "LOW,HIGH", requires = "swap")]
    sprt: Option<Bounds>,
    /// A folder that gets a saved game of every game
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    json: JsonOption,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let opened = self.game.open_playable()?;
        let seed = self.seed.settled();
        let start = opened.session(&self.position, seed)?;
        let specs = self.specs(&opened.rules)?;
        let plan = Plan {
            seed: seed.get(),
            openings: self.openings,
            max_plies: self.max_plies,
            seating: self.seating(specs.len())?,
        };
        if let Some(folder) = &self.save {
            fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
        }
        let mut contest = Contest::new(opened, start, specs, plan)?;
        if !self.json.json {
            let (title, seats) = (&contest.opened.rules.model.title, contest.seating(0));
            writeln!(output::stdout(), "{title}: {}", contest.seating_text(&seats))?;
        }
        let mut results = Results::new(&contest);
        let mut records = Vec::new();
        let ended = self.play(&mut contest, &mut results, &mut records);
        // What was played is told even if something went wrong then.
        let is_interrupted = matches!(ended, Ok(End::Interrupted));
        if self.json.json {
            output::json(&results.report(records, plan.seed, is_interrupted, self.sprt))?;
        } else {
            let mut out = output::stdout();
            if is_interrupted {
                writeln!(out, "interrupted")?;
            }
            results.write(&mut out, plan.seed, self.sprt)?;
        }
        match ended? {
            End::Fault(fault) => Err(contest.opened.fault(fault)),
            End::Done | End::Interrupted => Ok(()),
        }
    }

    /// Plays the games; records are kept for JSON only.
    fn play(&self, contest: &mut Contest, results: &mut Results, records: &mut Vec<Record>) -> Result<End> {
        let mut progress = Progress::new();
        let mut end = End::Done;
        for number in 0..self.games {
            let Some(played) = contest.play_game(number, &mut progress)? else {
                return Ok(End::Interrupted);
            };
            results.add(contest, &played);
            let file = self.save(contest, number, &played)?;
            if self.json.json {
                records.push(Record::new(contest, number, &played, file.as_deref()));
            } else {
                progress.clear();
                writeln!(output::stdout(), "{}", results::line(contest, number, &played))?;
            }
            if let (End::Done, Ending::Fault(fault)) = (end, played.ending) {
                end = End::Fault(fault);
            }
            let test = self.sprt.and_then(|bounds| results.sprt(bounds));
            if test.is_some_and(|test| test.stronger.is_some()) {
                break;
            }
        }
        Ok(end)
    }

    /// Returns how each decider plays in the first game.
    fn specs(&self, rules: &Rules) -> Result<Vec<Spec>> {
        let deciders = players::deciders(rules);
        let mut specs = vec![None; deciders.len()];
        for (wanted, spec) in &self.players {
            let found = players::find(rules, &deciders, wanted);
            let place = deciders.iter().position(|&player| Some(player) == found);
            match place.map(|place| &mut specs[place]) {
                Some(Some(_)) => return Err(Failure::usage(format!("`{wanted}` is played in two ways"))),
                Some(free) => *free = Some(spec.clone()),
                None => return Err(not_played(rules, wanted)),
            }
        }
        // A side with a policy follows it unless told otherwise.
        let usual = |player| match players::has_policy(rules, player) {
            true => Spec::of_policy(),
            false => Spec::default(),
        };
        let specs = specs.into_iter().zip(deciders);
        Ok(specs
            .map(|(spec, player)| spec.or_else(|| self.all.clone()).unwrap_or_else(|| usual(player)))
            .collect())
    }

    fn seating(&self, n_seats: usize) -> Result<Seating> {
        match (self.swap, n_seats) {
            (false, _) => Ok(Seating::Fixed),
            (true, 2..) => Ok(Seating::Turning),
            (true, _) => Err(Failure::usage("`--swap` needs a game of two players or more")),
        }
    }

    /// Writes a game to its file, if that is wanted.
    fn save(&self, contest: &Contest, number: u64, played: &Played) -> Result<Option<PathBuf>> {
        let Some(folder) = &self.save else { return Ok(None) };
        // Sorted by name they are in order.
        let width = self.games.to_string().len();
        let path = folder.join(format!("game-{:0width$}.zsg", number + 1));
        let written = played.game.write(&contest.opened.name, &[], &path);
        written.map_err(|error| unwritable(&path, &error))?;
        Ok(Some(path))
    }
}

/// How a match ended.
#[derive(Clone, Copy, Debug)]
enum End {
    /// All games were played.
    Done,
    /// The interrupt key was pressed.
    Interrupted,
    /// All games were played, but the rules faulted in one.
    Fault(Fault),
}

/// Reads a player and how it plays.
fn parse_player(text: &str) -> std::result::Result<(String, Spec), String> {
    match text.split_once('=') {
        Some((name, spec)) => Ok((name.trim().to_owned(), spec.parse()?)),
        None => Err("a player and how it plays are written NAME=SPEC".to_owned()),
    }
}

/// Tells why nobody can play a player.
fn not_played(rules: &Rules, wanted: &str) -> Failure {
    let all: Vec<_> = rules.model.player_ids().collect();
    let deciders = players::deciders(rules);
    match players::find(rules, &all, wanted) {
        Some(player) if rules.model.players[player.index()].random => {
            Failure::usage(format!("`{wanted}` is a random player, which rolls by itself"))
        }
        _ => {
            let names: Vec<&str> = deciders.iter().map(|&player| players::name(rules, player)).collect();
            players::unknown(wanted, &names)
        }
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::file(format!("`{}` cannot be written: {error}", path.display()))
}
