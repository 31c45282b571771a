//! The games that are learnt from, and those that show what was learnt.

use std::ops::Range;
use std::sync::Arc;

use ludex::bridge::weights::{
    Action, Activity, HandClasses, Layout, Leads, Marches, PairClasses, Part, Stage, Subject, Table, Weights,
};
use ludex::bridge::{Bridge, Evaluation, Moves};
use ludex::model::{GameModel, PieceKindId};
use ludex::play::playout::below;
use ludex::search::{Ending, Game as _, Limits, Options, Report, plies_to_end};
use ludex::{Fault, MoveList, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::super::elo::Bounds;
use super::super::engine::{Engine, EngineName, Interrupt, Setup};
use super::super::failure::{Failure, Result};
use super::super::game::Opened;
use super::super::output::Progress;
use super::fit::{N_GROUPS, Sample};
use super::team::work_off;

/// The plies that a game begins with at random: up to so many, and at least half of them.
const OPENING: usize = 8;
/// The plies after which a game is taken for a draw.
const LONGEST: usize = 240;

/// The games of a contest after which it is seen whether it goes on.
const BATCH: u64 = 20;
/// The differences of which one must be clear for a contest to end early.
const CLEAR: Bounds = Bounds { low: -50.0, high: 50.0 };

/// How games are played.
#[derive(Clone, Copy)]
pub struct Hall<'a> {
    pub opened: &'a Opened,
    /// The nodes of each move.
    pub nodes: u64,
    pub seed: u64,
    /// How many games are played at the same time; what comes of them does not depend on it.
    pub n_threads: usize,
}

/// What came of a contest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Score {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Score {
    fn add(&mut self, ending: Ending) {
        match ending {
            Ending::Win => self.wins += 1,
            Ending::Draw => self.draws += 1,
            Ending::Loss => self.losses += 1,
        }
    }

    /// Returns the number of games.
    pub fn n_games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points of a game on the average, from 0 to 1; 0 without games.
    pub fn mean(self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.n_games().max(1) as f64
    }

    /// Tells whether it is clear who is the better.
    fn is_clear(self) -> bool {
        CLEAR.test(self.wins, self.draws, self.losses).stronger.is_some()
    }
}

/// What is looked at in positions.
pub struct Lens<'a> {
    pub parts: &'a [Part],
    /// How the players see the board, if they see it alike.
    pub layout: Option<&'a Layout>,
    /// The kinds that march.
    pub marches: &'a Marches,
    /// Which pairs of pieces are alike.
    pub pairs: Option<&'a PairClasses>,
    /// What looks at moves.
    pub activity: &'a Activity,
    /// The actions that moves can be.
    pub actions: &'a [Action],
    /// Which pieces in hand are alike.
    pub hands: &'a HandClasses,
    /// Which leads are alike.
    pub leads: Option<&'a Leads>,
}

/// The evaluation as it is, and with each part counting 100 percent more.
struct Judges {
    base: Arc<Evaluation>,
    changed: Vec<Arc<Evaluation>>,
}

impl Hall<'_> {
    /// Plays games with some weights and returns their quiet positions.
    pub fn learn(
        &self,
        games: Range<u64>,
        weights: &Weights,
        lens: &Lens,
        progress: &mut Progress,
    ) -> Result<Vec<Sample>> {
        let judge = |weights: &Weights| self.opened.evaluation_with(weights).map(Arc::new);
        let player = judge(weights)?;
        // What leads count is found by itself, when all else is known.
        let mut weights = weights.clone();
        weights.set_table(Subject::Prospects, Stage::Late, Table::default());
        let mut changed = Vec::new();
        for part in lens.parts {
            let mut more = weights.clone();
            more.set(part.clone(), weights.get(part) + 100);
            changed.push(judge(&more)?);
        }
        let judges = Judges {
            base: judge(&weights)?,
            changed,
        };
        let begin = || [self.engine(&player, EngineName::Alphabeta)];
        let played = self.play(games, progress, begin, |[engine], game| {
            let (mut samples, mut scores) = (Vec::new(), Vec::new());
            let ending = self.play_game(self.seed, game, &judges.base, |session, side| {
                let report = choose(engine, session, self.nodes, self.seed);
                if session.is_chance() {
                    return report;
                }
                let is_open = plies_to_end(report.score).is_none();
                // Positions in which the search sees the end belong to it: without them whatever wins soon would seem worth
                // little, since it would only be seen where it does not.
                if let Some(best) = report.best {
                    let sample = self.sample(session, best, &judges, lens);
                    samples.extend(sample.map(|sample| Sample {
                        game,
                        ply: scores.len(),
                        ..sample
                    }));
                }
                let score = match is_open {
                    true => f64::from(report.score),
                    false => f64::from(report.score.signum()) * f64::INFINITY,
                };
                scores.push(if side == 0 { score } else { -score });
                report
            })?;
            let (result, scores) = (points(ending.ending(0)), Arc::from(scores));
            for sample in &mut samples {
                (sample.result, sample.scores) = (result, Arc::clone(&scores));
            }
            Ok(samples)
        })?;
        Ok(played.concat())
    }

    /// Plays up to `n_games` games between two sorts of engines, which change places, until it is clear which is the better,
    /// and returns the score of the first.
    pub fn contest(
        &self,
        weights: [&Weights; 2],
        names: [EngineName; 2],
        n_games: u64,
        progress: &mut Progress,
    ) -> Result<Score> {
        let judges = [
            Arc::new(self.opened.evaluation_with(weights[0])?),
            Arc::new(self.opened.evaluation_with(weights[1])?),
        ];
        let begin = || [0, 1].map(|index| self.engine(&judges[index], names[index]));
        let mut score = Score::default();
        while score.n_games() < n_games && !score.is_clear() {
            let games = score.n_games()..n_games.min(score.n_games() + BATCH);
            let won = self.play(games, progress, begin, |engines, game| {
                let first_side = (game % 2) as u8;
                // Openings that were not learnt from; each is played twice.
                let outcome = self.play_game(!self.seed, game / 2, &judges[0], |session, side| {
                    choose(
                        &mut engines[usize::from(side != first_side)],
                        session,
                        self.nodes,
                        self.seed,
                    )
                })?;
                Ok(outcome.ending(first_side))
            })?;
            won.into_iter().for_each(|ending| score.add(ending));
        }
        Ok(score)
    }

    /// Plays games in several threads, each with its own engines; returns what came of each, in order.
    fn play<T: Send, const N: usize>(
        &self,
        games: Range<u64>,
        progress: &mut Progress,
        begin: impl Fn() -> [Engine; N] + Sync,
        play_one: impl Fn(&mut [Engine; N], u64) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let end = games.end;
        let play = |engines: &mut [Engine; N], game| {
            engines.iter_mut().for_each(|engine| engine.begin_game(game));
            play_one(engines, game)
        };
        let tell = |game| progress.show(|| format!("game {} of {end}", game + 1));
        work_off(self.n_threads, games, begin, play, tell).into_iter().collect()
    }

    /// Plays a game in which `choose` chooses for the side that it is given.
    fn play_game(
        &self,
        seed: u64,
        game: u64,
        base: &Evaluation,
        mut choose: impl FnMut(&Session, u8) -> Report<Fault>,
    ) -> Result<ludex::search::Outcome> {
        let opened = self.opened;
        let mut session = open(opened, seed, game)?;
        let mut moves = MoveList::new();
        loop {
            let outcome = session.legal_moves(&mut moves).map_err(|fault| opened.fault(fault))?;
            if let Some(outcome) = outcome {
                return Ok(base.outcome(outcome));
            }
            if session.n_plies() > LONGEST {
                return Ok(ludex::search::Outcome::DRAW);
            }
            let side = base.side(session.to_move()).unwrap_or(0);
            let best = choose(&session, side).best;
            let index = best.ok_or_else(|| Failure::wrong("the engine found no move"))?;
            session.make(&moves, index).map_err(|fault| opened.fault(fault))?;
        }
    }

    fn engine(&self, evaluation: &Arc<Evaluation>, engine: EngineName) -> Engine {
        let options = Options {
            table_megabytes: 8,
            seed: self.seed,
            ..Options::default()
        };
        let setup = Setup {
            engine,
            options,
            playout: None,
        };
        Engine::with_evaluation(Arc::clone(evaluation), setup, Interrupt::default())
    }

    /// Returns what there is to see in a position, if its best move is quiet; what came of the game is left open.
    fn sample(&self, session: &Session, best: usize, judges: &Judges, lens: &Lens) -> Option<Sample> {
        let mut bridge = Bridge::with(session.clone(), Arc::clone(&judges.base));
        let mut moves = Moves::default();
        bridge.moves(&mut moves).ok()?;
        if bridge.value(&moves, best).tactical || bridge.is_threatened().ok()? {
            return None;
        }
        let worth = |bridge: &mut Bridge| bridge.evaluate(0, &moves, i32::MIN..i32::MAX).ok();
        let whole = worth(&mut bridge)?;
        let mut points = Vec::with_capacity(judges.changed.len());
        for evaluation in &judges.changed {
            let more = worth(&mut Bridge::with(session.clone(), Arc::clone(evaluation)))?;
            points.push(f64::from(more - whole));
        }
        let mut features = Features::default();
        let [first_pair, first_action, first_hand, _] = lens.ends(&session.rules().model);
        if let Some(layout) = lens.layout {
            let (rules, state) = (session.rules(), session.state());
            features.add_places(session, layout);
            features.add_runners(session, layout, lens.marches);
            (lens.hands).visit(rules, layout, state, |class, count| {
                features.add(first_hand + class, count)
            });
        }
        if let (Some(layout), Some(pairs)) = (lens.layout, lens.pairs) {
            let (rules, state) = (session.rules(), session.state());
            pairs.visit(
                rules,
                layout,
                |cell| state.occupant(cell),
                |class, count| features.add(first_pair + class, count),
            );
        }
        if !lens.actions.is_empty() {
            let count = |action, count| features.add(first_action + action, count);
            bridge.visit_actions(lens.activity, &moves, count).ok()?;
        }
        let is_first = judges.base.side(session.to_move()) == Some(0);
        let turn = if is_first { 1.0 } else { -1.0 };
        let class = |leader| lens.leads?.class(session.state(), leader).map(|class| class as u8);
        Some(Sample {
            game: 0,
            leads: [class(0), class(1)],
            share: 1.0,
            whole: f64::from(whole),
            points,
            features: features.sums(),
            lateness: judges.base.lateness(session.rules(), session.state()),
            turn,
            result: 0.5,
            scores: Arc::from([]),
            ply: 0,
            score_scale: 1.0,
            target: 0.5,
        })
    }
}

/// What there is in a position, by number, as often as it speaks for the first player less as it speaks for the second.
#[derive(Default)]
struct Features(Vec<(u32, i32)>);

impl Features {
    fn add(&mut self, index: usize, count: i32) {
        self.0.push((index as u32, count));
    }

    /// Adds the classes of cells of each kind that are occupied.
    fn add_places(&mut self, session: &Session, layout: &Layout) {
        let (rules, state) = (session.rules(), session.state());
        for cell in rules.model.board.cell_ids() {
            let piece = state.occupant(cell);
            if piece.is_none() {
                continue;
            }
            if let Some((seen, is_first)) = layout.seen_by(rules.owner(piece), cell) {
                let first = rules.kind(piece).index() * layout.n_classes();
                let count = if is_first { 1 } else { -1 };
                for class in layout.classes(seen) {
                    self.add(first + class, count);
                }
            }
        }
    }

    /// Adds the classes of cells on which pieces of each kind that marches run.
    fn add_runners(&mut self, session: &Session, layout: &Layout, marches: &Marches) {
        let (rules, state) = (session.rules(), session.state());
        let mut positions = marches.nowhere();
        for cell in rules.model.board.cell_ids() {
            marches.turn(&mut positions, cell, state.occupant(cell));
        }
        marches.visit(&positions, |number, is_first, cell| {
            if let Some(seen) = layout.seen_by_one(is_first, cell) {
                let first = (rules.model.kinds.len() + number) * layout.n_classes();
                for class in layout.classes(seen) {
                    self.add(first + class, if is_first { 1 } else { -1 });
                }
            }
        });
    }

    /// Returns them in order, each once.
    fn sums(mut self) -> Arc<[(u32, i32)]> {
        self.0.sort_unstable_by_key(|(index, _)| *index);
        self.0.dedup_by(|(index, count), (kept, sum)| {
            let is_same = index == kept;
            if is_same {
                *sum += *count;
            }
            is_same
        });
        self.0.retain(|(_, count)| *count != 0);
        self.0.into()
    }
}

impl Lens<'_> {
    /// Returns the number of classes of places of all kinds, and of those that run. Classes of pairs are numbered after them,
    /// then actions, then classes of pieces in hand.
    pub fn n_places(&self, model: &GameModel) -> usize {
        self.layout.map_or(0, Layout::n_classes) * (model.kinds.len() + self.marches.kinds().count())
    }

    /// Returns what tables laid out like the board can be about, and where their classes begin.
    pub fn subjects(&self, model: &GameModel) -> impl Iterator<Item = (Subject, usize)> {
        let name = |kind: PieceKindId| model.kinds[kind.index()].name.clone();
        let places = model.kind_ids().map(|kind| Subject::Places(name(kind)));
        let runners = self.marches.kinds().map(|kind| Subject::Runners(name(kind)));
        let n_classes = self.layout.map_or(0, Layout::n_classes);
        let subjects: Vec<Subject> = places.chain(runners).collect();
        (subjects.into_iter().enumerate()).map(move |(index, subject)| (subject, index * n_classes))
    }

    /// Returns the number of classes of pairs.
    pub fn n_pairs(&self) -> usize {
        self.pairs.map_or(0, PairClasses::n_classes)
    }

    /// Returns where tables, pairs, actions and pieces in hand end among all that is looked at.
    pub fn ends(&self, model: &GameModel) -> [usize; N_GROUPS] {
        let mut end = 0;
        let sizes = [
            self.n_places(model),
            self.n_pairs(),
            self.actions.len(),
            self.hands.n_classes(),
        ];
        sizes.map(|size| {
            end += size;
            end
        })
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

fn points(ending: Ending) -> f64 {
    match ending {
        Ending::Win => 1.0,
        Ending::Draw => 0.5,
        Ending::Loss => 0.0,
    }
}
