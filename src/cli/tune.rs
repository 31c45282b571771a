//! `ludex tune`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use ludex::bridge::weights::{Part, Weights};
use ludex::bridge::{Bridge, Evaluation, Moves};
use ludex::play::playout::below;
use ludex::search::{Ending, Game as _, Limits, Options, Report, plies_to_end};
use ludex::{Fault, MoveList, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;

use super::engine::{Engine, EngineName, Interrupt, Setup};
use super::failure::{Failure, Result};
use super::game::Opened;
use super::options::{GameOptions, JsonOption, SeedOption};
use super::output::{self, Progress};

/// The plies that a game begins with at random: up to so many, and at least half of them.
const OPENING: usize = 8;
/// The plies after which a game is taken for a draw.
const LONGEST: usize = 240;
/// How strongly weights are held where they were, in positions per part.
const INERTIA: f64 = 40.0;
/// The least mean square, in score points, of what a part says if it is to have a weight.
const LEAST_SPREAD: f64 = 1.0;
/// The steps of the descent.
const STEPS: usize = 400;
/// How many games of the test are played for each ten games that were learnt from.
const TEST_SHARE: u64 = 4;

/// Improve the evaluation of a game by self-play.
///
/// The engine plays games against itself; then the weights of the evaluation are sought that tell best, from the quiet
/// positions of these games, who won. They are tried against the old ones, as well as simulations against alpha-beta, and
/// written to a file beside the rules, which `search`, `play` and `match` pick up.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex tune breakthrough.zrf --games 400")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    /// How many games to learn from
    #[arg(short = 'n', long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The nodes of each move
    #[arg(long, value_name = "N", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The file that gets the weights; by default one beside the rules, or in the present folder for a built-in game
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    json: JsonOption,
}

/// A quiet position.
struct Sample {
    /// What each part changes if it counts 100 percent more, and before them the whole evaluation, in score points.
    points: Vec<f64>,
    /// What came of the game: 1 for a win of whom the points are for.
    result: f64,
}

#[derive(Debug, Serialize)]
struct Tuned {
    games: u64,
    positions: usize,
    file: Option<String>,
    weights: Vec<(String, i32)>,
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
        let mut progress = Progress::new();
        let samples = self.play(&opened, &old, &parts, seed, &mut progress)?;
        let mut fit = Fit::new(&samples, parts.len());
        let before = fit.loss(&samples);
        fit.descend(&samples);
        let after = fit.loss(&samples);
        let mut new = old.clone();
        for (index, part) in parts.iter().enumerate() {
            let change = (fit.changes[index] * 100.0).round() as i32;
            if fit.matters(index) {
                new.set(part.clone(), old.get(part) + change);
            }
        }
        let n_tests = (self.games * TEST_SHARE / 10).max(2);
        let contest = |first: &Weights, second: &Weights, names: [EngineName; 2], progress: &mut Progress| {
            self.contest(&opened, [first, second], names, n_tests, seed, progress)
        };
        let alphabeta = EngineName::Alphabeta;
        let score = contest(&new, &old, [alphabeta, alphabeta], &mut progress)?;
        let kept = score >= 0.5;
        let mut best = if kept { new } else { old.clone() };
        let simulations_score = contest(&best, &best, [EngineName::Mcts, alphabeta], &mut progress)?;
        best.simulations = Some(simulations_score > 0.5);
        progress.clear();
        write(&path, &opened, &best)?;
        let tuned = Tuned {
            games: self.games,
            positions: samples.len(),
            file: Some(path.display().to_string()),
            weights: parts.iter().map(|part| (part.to_string(), best.get(part))).collect(),
            loss_before: before,
            loss_after: after,
            score,
            test_games: n_tests,
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

    /// Plays the games to learn from and returns their quiet positions.
    fn play(
        &self,
        opened: &Opened,
        weights: &Weights,
        parts: &[Part],
        seed: u64,
        progress: &mut Progress,
    ) -> Result<Vec<Sample>> {
        let base = Arc::new(opened.evaluation_with(weights)?);
        let mut changed = Vec::new();
        for part in parts {
            let mut more = weights.clone();
            more.set(part.clone(), weights.get(part) + 100);
            changed.push(Arc::new(opened.evaluation_with(&more)?));
        }
        let mut engine = self.engine(opened, weights, EngineName::Alphabeta, seed)?;
        let mut samples = Vec::new();
        for game in 0..self.games {
            progress.show(|| format!("game {} of {}", game + 1, self.games));
            engine.begin_game(game);
            let first = samples.len();
            let mut session = open(opened, seed, game)?;
            let ending = loop {
                let mut moves = MoveList::new();
                let outcome = session.legal_moves(&mut moves).map_err(|fault| opened.fault(fault))?;
                if let Some(outcome) = outcome {
                    break base.outcome(outcome).ending(0);
                }
                if session.n_plies() > LONGEST {
                    break Ending::Draw;
                }
                let report = choose(&mut engine, &session, self.nodes, seed);
                let index = report.best.ok_or_else(|| Failure::wrong("the engine found no move"))?;
                if plies_to_end(report.score).is_none() && !session.is_chance() {
                    samples.extend(sample(&session, index, &base, &changed));
                }
                session.make(&moves, index).map_err(|fault| opened.fault(fault))?;
            };
            let result = match ending {
                Ending::Win => 1.0,
                Ending::Draw => 0.5,
                Ending::Loss => 0.0,
            };
            samples[first..].iter_mut().for_each(|sample| sample.result = result);
        }
        Ok(samples)
    }

    /// Plays games between two sorts of engines, which change places, and returns the points of the first, from 0 to 1.
    fn contest(
        &self,
        opened: &Opened,
        weights: [&Weights; 2],
        names: [EngineName; 2],
        n_games: u64,
        seed: u64,
        progress: &mut Progress,
    ) -> Result<f64> {
        let base = opened.evaluation_with(weights[0])?;
        let mut engines = [
            self.engine(opened, weights[0], names[0], seed)?,
            self.engine(opened, weights[1], names[1], seed)?,
        ];
        let mut points = 0.0;
        for game in 0..n_games {
            progress.show(|| format!("test game {} of {n_games}", game + 1));
            engines.iter_mut().for_each(|engine| engine.begin_game(game));
            // Openings that were not learnt from; each is played twice.
            let mut session = open(opened, !seed, game / 2)?;
            let first_side = (game % 2) as u8;
            loop {
                let mut moves = MoveList::new();
                let outcome = session.legal_moves(&mut moves).map_err(|fault| opened.fault(fault))?;
                if let Some(outcome) = outcome {
                    points += match base.outcome(outcome).ending(first_side) {
                        Ending::Win => 1.0,
                        Ending::Draw => 0.5,
                        Ending::Loss => 0.0,
                    };
                    break;
                }
                if session.n_plies() > LONGEST {
                    points += 0.5;
                    break;
                }
                let side = base.side(session.to_move()).unwrap_or(0);
                let engine = &mut engines[usize::from(side != first_side)];
                let report = choose(engine, &session, self.nodes, seed);
                let index = report.best.ok_or_else(|| Failure::wrong("the engine found no move"))?;
                session.make(&moves, index).map_err(|fault| opened.fault(fault))?;
            }
        }
        Ok(points / n_games.max(1) as f64)
    }

    fn engine(&self, opened: &Opened, weights: &Weights, engine: EngineName, seed: u64) -> Result<Engine> {
        let options = Options {
            table_megabytes: 8,
            seed,
            ..Options::default()
        };
        let setup = Setup {
            engine,
            options,
            playout: None,
        };
        let evaluation = opened.evaluation_with(weights)?;
        Ok(Engine::with_evaluation(evaluation, setup, Interrupt::default()))
    }
}

/// Chooses a move; where chance decides, one is drawn.
fn choose(engine: &mut Engine, session: &Session, nodes: u64, seed: u64) -> Report<Fault> {
    let mut report = engine.search(session, Limits::nodes(nodes), &mut |_| {});
    if session.is_chance() {
        let mut moves = MoveList::new();
        if session.clone().legal_moves(&mut moves).is_ok() && !moves.is_empty() {
            let mut random = ChaCha8Rng::seed_from_u64(seed ^ session.keys().search ^ session.n_plies() as u64);
            report.best = Some(below(&mut random, moves.len()));
        }
    }
    report
}

/// Begins a game with some random plies; if that ends it, with fewer.
fn open(opened: &Opened, seed: u64, game: u64) -> Result<Session> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(game);
    let mut n_plies = OPENING / 2 + below(&mut random, OPENING / 2 + 1);
    loop {
        let mut session = Session::new(Arc::clone(&opened.rules));
        let mut moves = MoveList::new();
        let mut is_open = true;
        for ply in 0..=n_plies {
            let outcome = session.legal_moves(&mut moves).map_err(|fault| opened.fault(fault))?;
            is_open = outcome.is_none();
            if !is_open || ply == n_plies {
                break;
            }
            let index = below(&mut random, moves.len());
            session.make(&moves, index).map_err(|fault| opened.fault(fault))?;
        }
        if is_open || n_plies == 0 {
            return Ok(session);
        }
        n_plies -= 1;
    }
}

/// Returns what the parts say of a position, if its best move is quiet; the result is still open.
fn sample(session: &Session, best: usize, base: &Arc<Evaluation>, changed: &[Arc<Evaluation>]) -> Option<Sample> {
    let mut bridge = Bridge::with(session.clone(), Arc::clone(base));
    let mut moves = Moves::default();
    bridge.moves(&mut moves).ok()?;
    if bridge.value(&moves, best).tactical || bridge.is_threatened().ok()? {
        return None;
    }
    let worth = |bridge: &mut Bridge| bridge.evaluate(0, &moves, i32::MIN..i32::MAX).ok();
    let whole = worth(&mut bridge)?;
    let mut points = vec![f64::from(whole)];
    for evaluation in changed {
        let more = worth(&mut Bridge::with(session.clone(), Arc::clone(evaluation)))?;
        points.push(f64::from(more - whole));
    }
    Some(Sample { points, result: 0.5 })
}

/// A logistic regression.
struct Fit {
    /// By part: the change of its weight, 1 for 100 percent.
    changes: Vec<f64>,
    /// The mean square of what each part says, in score points.
    spreads: Vec<f64>,
    /// By how many points a win is e times as likely.
    scale: f64,
}

impl Fit {
    fn new(samples: &[Sample], n_parts: usize) -> Fit {
        let count = samples.len().max(1) as f64;
        let spread = |part: usize| {
            samples
                .iter()
                .map(|sample| sample.points[part + 1].powi(2))
                .sum::<f64>()
                / count
        };
        let mut fit = Fit {
            changes: vec![0.0; n_parts],
            spreads: (0..n_parts).map(spread).collect(),
            scale: 200.0,
        };
        // The scale that fits the old weights best.
        let scales = (1..40).map(|step| 20.0 * 1.15f64.powi(step));
        let mut best = (f64::INFINITY, fit.scale);
        for scale in scales {
            fit.scale = scale;
            let loss = fit.loss(samples);
            if loss < best.0 {
                best = (loss, scale);
            }
        }
        fit.scale = best.1;
        fit
    }

    /// Tells whether a part says anything.
    fn matters(&self, part: usize) -> bool {
        self.spreads[part] >= LEAST_SPREAD
    }

    fn likelihood(&self, sample: &Sample) -> f64 {
        let changes = self.changes.iter().zip(&sample.points[1..]);
        let points = sample.points[0] + changes.map(|(change, points)| change * points).sum::<f64>();
        1.0 / (1.0 + (-points / self.scale).exp())
    }

    /// Returns the mean cross-entropy.
    fn loss(&self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| {
            let likely = self.likelihood(sample).clamp(1e-6, 1.0 - 1e-6);
            -(sample.result * likely.ln() + (1.0 - sample.result) * (1.0 - likely).ln())
        };
        samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    /// Seeks the changes with the least loss, held back by their inertia.
    fn descend(&mut self, samples: &[Sample]) {
        let count = samples.len().max(1) as f64;
        for _ in 0..STEPS {
            let mut slopes = vec![0.0; self.changes.len()];
            for sample in samples {
                let miss = self.likelihood(sample) - sample.result;
                for (slope, points) in slopes.iter_mut().zip(&sample.points[1..]) {
                    *slope += miss * points / self.scale;
                }
            }
            let damping = 0.5 / (self.changes.len() as f64).sqrt();
            let parts = self.changes.iter_mut().zip(&self.spreads).zip(slopes);
            for ((change, spread), slope) in parts.filter(|((_, spread), _)| **spread >= LEAST_SPREAD) {
                let slope = slope / count + *change * INERTIA / count;
                // The curvature is at most a quarter of the mean square.
                let curvature = spread / self.scale.powi(2) / 4.0 + INERTIA / count;
                *change -= damping * slope / curvature;
            }
        }
    }
}

/// Writes weights to a file, in place of those that it has for this game.
fn write(path: &Path, opened: &Opened, weights: &Weights) -> Result<()> {
    let title = &opened.rules.model.title;
    let old = fs::read_to_string(path).unwrap_or_default();
    let mut text = String::from("; What `ludex tune` has found. In percent of what the rules alone suggest.\n");
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
    text.push_str(&weights.write(title));
    fs::write(path, text).map_err(|error| Failure::file(format!("`{}` cannot be written: {error}", path.display())))
}
