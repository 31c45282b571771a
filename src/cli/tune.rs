//! `ludex tune`

mod fit;
mod games;
mod team;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ludex::bridge::weights::{Action, Activity, HandClasses, Layout, Leads, Marches, PairClasses, Part, Weights};
use serde::Serialize;

use super::engine::EngineName;
use super::failure::{Failure, Result};
use super::game::Opened;
use super::options::{GameOptions, JsonOption, SeedOption};
use super::output::{self, Progress};
use fit::Fit;
use games::{Hall, Lens, Score};

/// How often the weights are sought anew, so that games are played with those found so far.
const ROUNDS: u64 = 3;
/// How many games of the test are played for each ten games that were learnt from.
const TEST_SHARE: u64 = 4;
/// The most games of the test.
const MOST_TESTS: u64 = 200;
/// How many times the nodes of the games that were learnt from both have in the test. Weights that win where little is
/// searched can lose where more is: those who use them search more.
const TEST_NODES: u64 = 4;

/// The same where simulations are tried against alpha-beta, since few simulations say little, and the most games of that.
const SIMULATION_NODES: u64 = 10;
const MOST_SIMULATION_TESTS: u64 = 20;

/// The first line of a file of weights.
const HEADER: &str =
    "; What `ludex tune` has found. In percent of what the rules alone suggest; tables in score points.";

/// Improve the evaluation of a game by self-play.
///
/// The engine plays games against itself; then the weights of the evaluation are sought that foretell best, from the quiet
/// positions of these games, what the search said later and who won. Later games are played with what was found so far. The
/// weights are tried against the old ones, as well as simulations against alpha-beta, and written to a file beside the
/// rules, which `search`, `play` and `match` pick up.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex tune breakthrough.zrf --games 400")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    /// How many games to learn from
    #[arg(short = 'n', long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The nodes of each move
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The file that gets the weights; by default one beside the rules, or in the present folder for a built-in game
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How many games are played at the same time; what is found does not depend on it
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Tuned {
    games: u64,
    positions: usize,
    file: Option<String>,
    weights: Vec<(String, i32)>,
    tables: bool,
    loss_before: f64,
    loss_after: f64,
    score: f64,
    test_games: u64,
    simulations_score: f64,
    engine: &'static str,
    kept: bool,
    seed: u64,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let opened = self.game.open_playable()?;
        let old = opened.weights()?;
        let evaluation = opened.evaluation_with(&old)?;
        if evaluation.n_sides() != 2 {
            return Err(Failure::wrong("only games of two players can be tuned"));
        }
        let path = match (&self.output, opened.weights_path()) {
            (Some(path), _) => path.clone(),
            (None, Some(path)) => path,
            (None, None) => PathBuf::from(format!("{}.weights", opened.name_of_built_in())),
        };
        let seed = self.seed.get();
        let parts = Part::all(&opened.rules.model);
        let layout = Layout::find(&opened.rules);
        let pairs = (layout.as_ref()).and_then(|layout| PairClasses::find(&opened.rules, layout));
        let marches = (layout.as_ref()).map_or_else(Marches::default, |layout| Marches::find(&opened.rules, layout));
        let activity = Activity::uncounted(&opened.rules, layout.as_ref());
        let actions = Action::all(&opened.rules.model);
        let hands = HandClasses::find(&opened.rules);
        let leads = Leads::find(&opened.rules);
        let hall = Hall {
            opened: &opened,
            nodes: self.nodes,
            seed,
            n_threads: usize::from(self.threads),
        };
        let lens = Lens {
            parts: &parts,
            layout: layout.as_ref(),
            marches: &marches,
            pairs: pairs.as_ref(),
            activity: &activity,
            actions: &actions,
            hands: &hands,
            leads: leads.as_ref(),
        };
        let mut progress = Progress::new();
        let mut fit = Fit::new(parts.len(), lens.ends(&opened.rules.model), hall.n_threads);
        let (mut new, mut samples, mut losses) = (old.clone(), Vec::new(), (0.0, 0.0));
        for round in 0..ROUNDS {
            let games = self.games * round / ROUNDS..self.games * (round + 1) / ROUNDS;
            let mut more = hall.learn(games, &new, &lens, &mut progress)?;
            fit.calibrate(&mut more);
            more.iter_mut().for_each(|sample| fit.put_back(sample));
            samples.extend(more);
            losses = fit.learn(&mut samples, round + 1 == ROUNDS);
            new = fit.weights(&old, &lens, &opened.rules.model);
        }
        let (before, after) = losses;
        let n_tests = (self.games * TEST_SHARE / 10).clamp(2, MOST_TESTS);
        let alphabeta = EngineName::Alphabeta;
        let features_alone = (fit.learn_features(&samples)).weights(&old, &lens, &opened.rules.model);
        let larger = |factor| Hall {
            nodes: self.nodes.saturating_mul(factor),
            ..hall
        };
        let (test_hall, simulation_hall) = (larger(TEST_NODES), larger(SIMULATION_NODES));
        let (mut best, mut test) = (old.clone(), Score::default());
        for candidate in [new, features_alone] {
            let found = test_hall.contest([&candidate, &old], [alphabeta, alphabeta], n_tests, &mut progress)?;
            if found.mean() > test.mean() || test.n_games() == 0 {
                best = if found.mean() >= 0.5 { candidate } else { old.clone() };
                test = found;
            }
        }
        let (score, kept) = (test.mean(), test.mean() >= 0.5);
        let engines = [EngineName::Mcts, alphabeta];
        let n_simulation_tests = n_tests.min(MOST_SIMULATION_TESTS);
        let simulations_score = simulation_hall
            .contest([&best, &best], engines, n_simulation_tests, &mut progress)?
            .mean();
        best.simulations = Some(simulations_score > 0.5);
        progress.clear();
        let remark = format!(
            "; {} games of {} nodes a move; {:.1} % of {} games of {} nodes against the old weights.\n",
            self.games,
            self.nodes,
            score * 100.0,
            test.n_games(),
            test_hall.nodes,
        );
        write(&path, &opened, &best, if kept { &remark } else { "" })?;
        let tuned = Tuned {
            games: self.games,
            positions: samples.len(),
            file: Some(path.display().to_string()),
            weights: parts.iter().map(|part| (part.to_string(), best.get(part))).collect(),
            tables: best.has_tables(),
            loss_before: before,
            loss_after: after,
            score,
            test_games: test.n_games(),
            simulations_score,
            engine: if best.simulations == Some(true) {
                "mcts"
            } else {
                "alphabeta"
            },
            kept,
            seed,
        };
        self.tell(&tuned)
    }

    fn tell(&self, tuned: &Tuned) -> Result<()> {
        if self.json.json {
            return output::json(tuned);
        }
        let mut out = output::stdout();
        writeln!(
            out,
            "{} games, {} quiet positions, seed {}",
            tuned.games, tuned.positions, tuned.seed
        )?;
        writeln!(
            out,
            "loss {:.4} before, {:.4} after",
            tuned.loss_before, tuned.loss_after
        )?;
        for (part, percent) in &tuned.weights {
            writeln!(out, "{part} {percent}")?;
        }
        let what = if tuned.kept { "kept" } else { "not kept" };
        let (score, games) = (tuned.score * 100.0, tuned.test_games);
        writeln!(out, "against the old weights: {score:.1} % of {games} games, {what}")?;
        let score = tuned.simulations_score * 100.0;
        writeln!(out, "simulations against alpha-beta: {score:.1} %, so {}", tuned.engine)?;
        if let Some(file) = &tuned.file {
            writeln!(out, "written to {file}")?;
        }
        Ok(())
    }
}

/// Writes weights to a file, in place of those that it has for this game, with a remark on how they were found.
fn write(path: &Path, opened: &Opened, weights: &Weights, remark: &str) -> Result<()> {
    let title = &opened.rules.model.title;
    let old = fs::read_to_string(path).unwrap_or_default();
    let mut text = format!("{HEADER}\n");
    let mut is_kept = false;
    for line in old.lines() {
        if let Some(other) = line.strip_prefix("game ") {
            is_kept = other.trim() != title;
        }
        if is_kept {
            text.push_str(line);
            text.push('\n');
        }
    }
    // A remark below the title belongs to the game.
    text.push_str(&weights.write(title).replacen('\n', &format!("\n{remark}"), 1));
    output::replace_file(path, &text)
        .map_err(|error| Failure::file(format!("`{}` cannot be written: {error}", path.display())))
}
