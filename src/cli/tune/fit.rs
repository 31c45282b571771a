//! Which weights tell best who wins: a logistic regression, held back where positions say little.

use std::sync::Arc;

use ludex::bridge::weights::{
    HandClasses, Leads, Stage, Subject, Weights, hand_table, pair_spot, pair_table, prospects_table,
};
use ludex::model::GameModel;

use super::games::Lens;
use super::team::work_off;

/// How strongly weights are held where they were, in positions per part.
const INERTIA: f64 = 40.0;
/// The same for the values of features, in positions per value that makes a win e times as likely.
const FEATURE_INERTIA: f64 = 160.0;
/// The groups of features: tables, pairs, actions and pieces in hand.
pub const N_GROUPS: usize = 4;
/// How many times that is for each group: there are most pairs, and most of them say little.
const FEATURE_FACTORS: [f64; N_GROUPS] = [0.5, 4.0, 1.0, 0.5];
/// How many times that can be, whichever suits games best that were not learnt from.
const INERTIA_FACTORS: [f64; 6] = [0.0625, 0.25, 1.0, 4.0, 16.0, 64.0];
/// The parts of a lead that are tried: so many steps of this size.
const SHARE_STEPS: u32 = 40;
const SHARE_STEP: f64 = 0.05;
/// How strongly leads are held to count whole, in positions per class.
const SHARE_INERTIA: f64 = 100.0;
/// One game of so many is not learnt from while that is found out.
const HELD_OUT: u64 = 4;
/// By how many points a win is e times as likely, if nothing tells.
const USUAL_SCALE: f64 = 150.0;
/// The part by which less must be missed for a scale to be better than the usual one.
const LEAST_GAIN: f64 = 1e-5;
/// The least mean square, in score points, of what a part says if it is to have a weight.
const LEAST_SPREAD: f64 = 1.0;
/// How much each later move of the game counts of what the one before does, when it comes to what a position was worth.
const PATIENCE: f64 = 0.95;
/// The most steps of Newton's method, and of conjugate gradients for each.
const STEPS: (usize, usize) = (12, 40);
/// The gain of a step for each position at which the one is content, and the part of the slope at which the other is.
const PRECISION: f64 = 1e-6;
const STEP_PRECISION: f64 = 0.1;
/// The greatest part of a step that is too small to be tried.
const LEAST_STEP: f64 = 1e-6;
/// The parts into which positions are divided among threads, whatever their number.
const N_CHUNKS: usize = 64;

/// A quiet position, seen by the first side.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The number of the game.
    pub game: u64,
    /// The evaluation, in score points; all of a lead counted.
    pub whole: f64,
    /// What each part adds if it counts 100 percent more, in score points.
    pub points: Vec<f64>,
    /// What there is, by number in order: classes of cells of each kind, classes of pairs, and actions; what speaks for the
    /// first side less what speaks for the other.
    pub features: Arc<[(u32, i32)]>,
    /// How far the game has come.
    pub lateness: f64,
    /// The class of the lead, if it is late and the first side leads, or the second.
    pub leads: [Option<u8>; 2],
    /// How much of the lead counts, as far as that is known.
    pub share: f64,
    /// 1 if the first side is to move, else -1.
    pub turn: f64,
    /// What came of the game: 1 for a win.
    pub result: f64,
    /// What the search said from here to the end of the game, in score points; shared by the positions of the game.
    pub scores: Arc<[f64]>,
    /// Where in the scores that begins.
    pub ply: usize,
    /// By how many points of these scores a win is e times as likely.
    pub score_scale: f64,
    /// What the evaluation should have foretold: 1 for a win.
    pub target: f64,
}

/// What is sought, and how far it is found.
pub struct Fit {
    n_parts: usize,
    /// The change of each part, 1 for 100 percent; then for each feature its value in units of the scale, and what comes to
    /// it late; at last the advantage of going first, which has no weight, and that of being to move.
    found: Vec<f64>,
    /// By how many points a win is e times as likely.
    scale: f64,
    /// How strongly features are held back, as suited games best that were not learnt from.
    factor: f64,
    /// By part, whether it says anything.
    matters: Vec<bool>,
    /// By feature, whether it was seen.
    seen: Vec<bool>,
    /// How much of a lead of each class counts, 1 for all of it.
    shares: Vec<f64>,
    /// Where each group ends among the features.
    ends: [usize; N_GROUPS],
    n_threads: usize,
}

impl Fit {
    /// Begins with the weights as they are, of so many parts and of features, of which each group ends there.
    /// What is found does not depend on the number of threads that seek it.
    pub fn new(n_parts: usize, ends: [usize; N_GROUPS], n_threads: usize) -> Fit {
        let n_features = ends[N_GROUPS - 1];
        Fit {
            n_parts,
            n_threads,
            ends,
            found: vec![0.0; n_parts + 2 * n_features + 2],
            scale: 0.0,
            factor: 1.0,
            matters: vec![false; n_parts],
            seen: vec![false; n_features],
            shares: vec![1.0; Leads::N_CLASSES],
        }
    }

    /// Returns the change of a part in percent, if it says anything.
    pub fn change(&self, part: usize) -> Option<i32> {
        self.matters[part].then(|| (self.found[part] * 100.0).round() as i32)
    }

    /// Returns what is found for a feature, in score points; none if it was never there.
    fn feature(&self, index: usize, stage: Stage) -> Option<f64> {
        let late = usize::from(stage == Stage::Late);
        self.seen[index].then(|| self.found[self.n_parts + 2 * index + late] * self.scale)
    }

    /// Returns what it is worth to have the turn, in score points.
    fn turn(&self) -> i32 {
        self.found.last().map_or(0, |found| (found * self.scale).round() as i32)
    }

    /// Returns the weights that follow if `old` ones were used so far.
    pub fn weights(&self, old: &Weights, lens: &Lens, model: &GameModel) -> Weights {
        let Lens {
            parts,
            layout,
            pairs,
            actions,
            hands,
            ..
        } = *lens;
        let mut new = old.clone();
        let more: Vec<Option<i32>> = (self.shares.iter())
            .map(|share| Some((share * 100.0 - 100.0).round() as i32).filter(|more| *more != 0))
            .collect();
        new.set_table(Subject::Prospects, Stage::Late, prospects_table(&more));
        for (index, part) in parts.iter().enumerate() {
            if let Some(change) = self.change(index) {
                new.set(part.clone(), old.get(part) + change);
            }
        }
        new.turn = old.turn + self.turn();
        let [n_places, first_action, first_hand, _] = self.ends;
        for (stage, (index, action)) in Stage::ALL
            .into_iter()
            .flat_map(|stage| actions.iter().enumerate().map(move |action| (stage, action)))
        {
            if let Some(found) = self.feature(first_action + index, stage) {
                let worth = old.action(action, stage) + found.round() as i32;
                new.set_action(action.clone(), stage, worth);
            }
        }
        for (number, kind) in hands.kinds().iter().enumerate() {
            let subject = Subject::Hand(model.kinds[kind.index()].name.clone());
            for stage in Stage::ALL {
                let known = old.table(&subject, stage);
                let more: Vec<Option<i32>> = (0..HandClasses::N_ORDINALS)
                    .map(|ordinal| {
                        let class = first_hand + number * HandClasses::N_ORDINALS + ordinal;
                        let found = self.feature(class, stage).map(|value| value.round() as i32);
                        sum(known.map(|table| table.get((ordinal, 0))), found)
                    })
                    .collect();
                new.set_table(subject.clone(), stage, hand_table(&more));
            }
        }
        let Some(layout) = layout else { return new };
        for (subject, first) in lens.subjects(model) {
            for stage in Stage::ALL {
                let known = old.table(&subject, stage);
                let table = layout.table(|cell, spot| {
                    let before = known.map(|table| table.get(spot));
                    let [row, column, cell] = layout.classes(cell).map(|class| self.feature(first + class, stage));
                    let found = cell.map(|value| value + row.unwrap_or(0.0) + column.unwrap_or(0.0));
                    sum(before, found.map(|value| value.round() as i32))
                });
                new.set_table(subject.clone(), stage, table);
            }
        }
        let Some(pairs) = pairs else { return new };
        for (name, places) in pairs.tables(model) {
            let subject = Subject::Pair(name);
            for stage in Stage::ALL {
                let known = old.table(&subject, stage);
                let table = pair_table(places.iter().enumerate().map(|(index, place)| {
                    let before = known.map(|table| table.get(pair_spot(index)));
                    let found = place.and_then(|(class, is_opposite)| {
                        let value = self.feature(n_places + class, stage)?.round() as i32;
                        Some(if is_opposite { -value } else { value })
                    });
                    sum(before, found)
                }));
                new.set_table(subject.clone(), stage, table);
            }
        }
        new
    }

    /// Lets the evaluation of a position be what it was with the weights from before all learning.
    pub fn put_back(&self, sample: &mut Sample) {
        if self.scale > 0.0 {
            sample.whole -= self.scale * self.learnt(sample);
        }
    }

    /// Learns from positions; returns the mean cross-entropy of the results before and after. If it `is_last` that is learnt,
    /// it is found out first how strongly features should be held back, and whether leads should count in part.
    pub fn learn(&mut self, samples: &mut [Sample], is_last: bool) -> (f64, f64) {
        if self.scale == 0.0 {
            self.scale = self.best_scale(samples);
        }
        for sample in samples.iter_mut() {
            sample.target = self.target(sample);
            sample.share = 1.0;
        }
        self.look(samples);
        let before = self.start().loss(samples);
        let weighs_leads = !is_last || self.find_out(samples);
        self.shares.fill(1.0);
        self.descend(samples);
        if weighs_leads {
            self.shares = self.best_shares(samples);
            self.share_out(samples);
            // What is known of leads changes what all else is worth, and that changes a little what leads are.
            self.descend(samples);
            self.shares = self.best_shares(samples);
            self.share_out(samples);
        }
        (before, self.loss(samples))
    }

    /// Finds out how strongly features should be held back, by learning from some games and foretelling others; tells whether
    /// leads should count in part.
    fn find_out(&mut self, samples: &[Sample]) -> bool {
        let (mut taught, mut held) = (Vec::new(), Vec::new());
        for sample in samples.iter() {
            if sample.game % HELD_OUT == 0 {
                &mut held
            } else {
                &mut taught
            }
            .push(sample.clone());
        }
        let mut least = f64::INFINITY;
        let mut suited = (self.factor, self.found.clone());
        for factor in INERTIA_FACTORS {
            self.factor = factor;
            self.descend(&taught);
            let loss = self.missed(&held);
            if loss < least {
                (least, suited) = (loss, (factor, self.found.clone()));
            }
        }
        (self.factor, self.found) = suited;
        self.shares = self.best_shares(&taught);
        let loss = self.loss(&held);
        self.share_out(&mut held);
        self.loss(&held) < loss
    }

    /// Tells positions how much of their lead counts.
    fn share_out(&self, samples: &mut [Sample]) {
        for sample in samples {
            let class = self.lead_class(sample);
            sample.share = class.map_or(1.0, |class| self.shares[class]);
        }
    }

    /// Returns the class of the lead in a position, if leads count there in part.
    fn lead_class(&self, sample: &Sample) -> Option<usize> {
        let leader = usize::from(self.evaluation(sample) < 0.0);
        sample.leads[leader].map(usize::from)
    }

    /// Returns by class how much of a lead should count so that the results are foretold best. What the search said later does
    /// not help: for as long as a lead that cannot win lasts, the search believes in it.
    fn best_shares(&self, samples: &[Sample]) -> Vec<f64> {
        let shares = || (0..=SHARE_STEPS).map(|step| f64::from(step) * SHARE_STEP);
        let held = |share: f64| (share - 1.0).powi(2) * SHARE_INERTIA / 2.0;
        let mut missed = vec![shares().map(held).collect::<Vec<f64>>(); self.shares.len()];
        let parts = self.gather(samples, |part, _| {
            let mut missed = vec![vec![0.0; shares().count()]; self.shares.len()];
            for sample in part {
                if let Some(class) = self.lead_class(sample) {
                    let whole = self.evaluation(sample);
                    for (missed, share) in missed[class].iter_mut().zip(shares()) {
                        *missed += cross_entropy(logistic(whole * share), sample.result);
                    }
                }
            }
            missed
        });
        for part in parts {
            missed
                .iter_mut()
                .zip(&part)
                .for_each(|(missed, more)| add(missed, more));
        }
        let best = |missed: &Vec<f64>| {
            let least = shares().zip(missed).min_by(|(_, a), (_, b)| a.total_cmp(b));
            least.map_or(1.0, |(share, _)| share)
        };
        missed.iter().map(best).collect()
    }

    /// Learns features alone and leaves parts as they are, from the positions that all was learnt from: who is behind in
    /// material by choice has something for it, so that material can seem to tell less than it does.
    pub fn learn_features(&self, samples: &[Sample]) -> Fit {
        let mut fit = self.start();
        fit.matters.fill(false);
        fit.descend(samples);
        fit
    }

    fn start(&self) -> Fit {
        Fit {
            found: vec![0.0; self.found.len()],
            matters: self.matters.clone(),
            seen: self.seen.clone(),
            shares: self.shares.clone(),
            ..*self
        }
    }

    /// Finds out what the scores of a search foretell, all of them found with the same weights. Without that weights that
    /// make scores great would teach themselves to be certain.
    pub fn calibrate(&self, samples: &mut [Sample]) {
        let missed = |scale: f64| {
            self.total(samples, |sample| match sample.scores.get(sample.ply) {
                Some(score) => cross_entropy(logistic(score / scale), sample.result),
                None => 0.0,
            })
        };
        let scale = best_scale(missed);
        samples.iter_mut().for_each(|sample| sample.score_scale = scale);
    }

    /// Returns the scale that fits the old weights best.
    fn best_scale(&self, samples: &[Sample]) -> f64 {
        best_scale(|scale| {
            self.total(samples, |sample| {
                cross_entropy(logistic(sample.whole / scale), sample.result)
            })
        })
    }

    /// Finds out what says anything.
    fn look(&mut self, samples: &[Sample]) {
        let count = samples.len().max(1) as f64;
        for part in 0..self.n_parts {
            let squares = samples.iter().map(|sample| sample.points[part].powi(2));
            self.matters[part] = squares.sum::<f64>() / count >= LEAST_SPREAD;
        }
        for sample in samples {
            for &(index, count) in &*sample.features {
                self.seen[index as usize] |= count != 0;
            }
        }
    }

    /// Calls `visit` with each thing sought that a position tells of, and how much of it there is.
    fn visit(&self, sample: &Sample, mut visit: impl FnMut(usize, f64)) {
        for (part, points) in sample.points.iter().enumerate() {
            if self.matters[part] {
                visit(part, points / self.scale);
            }
        }
        for &(index, count) in &*sample.features {
            let (index, count) = (index as usize, f64::from(count));
            visit(self.n_parts + 2 * index, count);
            visit(self.n_parts + 2 * index + 1, count * sample.lateness);
        }
        let last = self.found.len();
        visit(last - 2, 1.0);
        visit(last - 1, sample.turn);
    }

    fn product(&self, sample: &Sample, factors: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.visit(sample, |index, amount| sum += amount * factors[index]);
        sum
    }

    /// Returns by how much what was learnt changes an evaluation, in units of the scale.
    fn learnt(&self, sample: &Sample) -> f64 {
        self.product(sample, &self.found) - self.found[self.found.len() - 2]
    }

    /// Returns the evaluation in units of the scale with what was learnt, all of a lead counted.
    fn evaluation(&self, sample: &Sample) -> f64 {
        sample.whole / self.scale + self.product(sample, &self.found)
    }

    fn likelihood(&self, sample: &Sample) -> f64 {
        logistic(sample.share * self.evaluation(sample))
    }

    /// Returns what the evaluation should have foretold: what the search said later, the sooner the more, and at last the
    /// result. The result alone would say little of the early positions of a long game.
    fn target(&self, sample: &Sample) -> f64 {
        let (mut target, mut weight) = (0.0, 1.0);
        for score in &sample.scores[sample.ply..] {
            target += weight * (1.0 - PATIENCE) * logistic(score / sample.score_scale);
            weight *= PATIENCE;
        }
        target + weight * sample.result
    }

    /// Returns the mean cross-entropy of the results.
    fn loss(&self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| cross_entropy(self.likelihood(sample), sample.result);
        self.total(samples, loss) / samples.len().max(1) as f64
    }

    /// Returns the mean cross-entropy of the targets.
    fn missed(&self, samples: &[Sample]) -> f64 {
        let loss = |sample: &Sample| cross_entropy(self.likelihood(sample), sample.target);
        self.total(samples, loss) / samples.len().max(1) as f64
    }

    /// Adds up what each sample gives.
    fn total(&self, samples: &[Sample], of: impl Fn(&Sample) -> f64 + Sync) -> f64 {
        let sums = self.gather(samples, |part, _| part.iter().map(&of).sum::<f64>());
        sums.into_iter().sum()
    }

    /// Lets `work` look at equal parts of the samples, each with the number of the first, and returns what it makes of them
    /// in order.
    fn gather<T: Send>(&self, samples: &[Sample], work: impl Fn(&[Sample], usize) -> T + Sync) -> Vec<T> {
        let length = samples.len().div_ceil(N_CHUNKS).max(1);
        let chunks: Vec<(usize, &[Sample])> = samples.chunks(length).enumerate().collect();
        let work = |_: &mut (), number: u64| {
            let (number, chunk) = chunks[number as usize];
            work(chunk, number * length)
        };
        work_off(self.n_threads, 0..chunks.len() as u64, || (), work, |_| {})
    }

    /// Returns how strongly each thing sought is held where it was.
    fn inertia(&self) -> Vec<f64> {
        let parts = std::iter::repeat_n(INERTIA, self.n_parts);
        let features = (0..2 * self.seen.len()).map(|index| {
            let group = self.ends.iter().filter(|&&end| end <= index / 2).count();
            FEATURE_INERTIA * FEATURE_FACTORS[group] * self.factor
        });
        parts.chain(features).chain([1.0, 1.0]).collect()
    }

    /// Returns what is to be made small.
    fn cost(&self, samples: &[Sample], inertia: &[f64]) -> f64 {
        let held = self
            .found
            .iter()
            .zip(inertia)
            .map(|(found, inertia)| found * found * inertia / 2.0);
        let missed = self.total(samples, |sample| cross_entropy(self.likelihood(sample), sample.target));
        held.sum::<f64>() + missed
    }

    /// Seeks what costs least, by Newton's method.
    fn descend(&mut self, samples: &[Sample]) {
        let inertia = self.inertia();
        let mut cost = self.cost(samples, &inertia);
        for _ in 0..STEPS.0 {
            let held = self.found.iter().zip(&inertia);
            let mut slopes: Vec<f64> = held.map(|(found, inertia)| found * inertia).collect();
            let mut diagonal = inertia.clone();
            let mut curves = Vec::with_capacity(samples.len());
            let size = self.found.len();
            let parts = self.gather(samples, |part, _| {
                let (mut slopes, mut diagonal, mut curves) = (vec![0.0; size], vec![0.0; size], Vec::new());
                for sample in part {
                    let likely = self.likelihood(sample);
                    let miss = sample.share * (likely - sample.target);
                    let curve = sample.share * sample.share * likely * (1.0 - likely);
                    curves.push(curve);
                    self.visit(sample, |index, amount| {
                        slopes[index] += miss * amount;
                        diagonal[index] += curve * amount * amount;
                    });
                }
                (slopes, diagonal, curves)
            });
            for (more_slopes, more_diagonal, more_curves) in parts {
                add(&mut slopes, &more_slopes);
                add(&mut diagonal, &more_diagonal);
                curves.extend(more_curves);
            }
            let mut step = self.solve(samples, &curves, &inertia, &diagonal, &slopes);
            let start = self.found.clone();
            // Far from the goal a whole step can go too far.
            loop {
                for ((found, start), step) in self.found.iter_mut().zip(&start).zip(&step) {
                    *found = start - step;
                }
                let new = self.cost(samples, &inertia);
                if new <= cost {
                    if cost - new < PRECISION * samples.len() as f64 {
                        return;
                    }
                    cost = new;
                    break;
                }
                step.iter_mut().for_each(|step| *step /= 2.0);
                if step.iter().all(|step| step.abs() < LEAST_STEP) {
                    self.found = start;
                    return;
                }
            }
        }
    }

    /// Returns the step that would take the slopes to zero if the curvature stayed as it is: conjugate gradients.
    fn solve(&self, samples: &[Sample], curves: &[f64], inertia: &[f64], diagonal: &[f64], slopes: &[f64]) -> Vec<f64> {
        let mut step = vec![0.0; slopes.len()];
        let mut rest = slopes.to_vec();
        let eased =
            |rest: &[f64]| -> Vec<f64> { rest.iter().zip(diagonal).map(|(rest, scale)| rest / scale).collect() };
        let mut direction = eased(&rest);
        let mut size = dot(&rest, &direction);
        let enough = size * STEP_PRECISION * STEP_PRECISION;
        for _ in 0..STEPS.1 {
            if size <= enough {
                break;
            }
            let mut bent: Vec<f64> = direction
                .iter()
                .zip(inertia)
                .map(|(along, inertia)| along * inertia)
                .collect();
            let parts = self.gather(samples, |part, first| {
                let mut bent = vec![0.0; direction.len()];
                for (sample, curve) in part.iter().zip(&curves[first..]) {
                    let amount = curve * self.product(sample, &direction);
                    self.visit(sample, |index, part| bent[index] += amount * part);
                }
                bent
            });
            parts.iter().for_each(|part| add(&mut bent, part));
            let length = size / dot(&direction, &bent);
            for index in 0..step.len() {
                step[index] += length * direction[index];
                rest[index] -= length * bent[index];
            }
            let next = eased(&rest);
            let new_size = dot(&rest, &next);
            for (along, next) in direction.iter_mut().zip(next) {
                *along = next + *along * new_size / size;
            }
            size = new_size;
        }
        step
    }
}

/// Returns the scale at which least is missed; the usual one if it hardly matters, as where all evaluations are 0.
fn best_scale(missed: impl Fn(f64) -> f64) -> f64 {
    let mut best = (missed(USUAL_SCALE) * (1.0 - LEAST_GAIN), USUAL_SCALE);
    for step in 1..60 {
        let scale = 20.0 * 1.15f64.powi(step);
        let missed = missed(scale);
        if missed < best.0 {
            best = (missed, scale);
        }
    }
    best.1
}

fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

fn cross_entropy(likely: f64, target: f64) -> f64 {
    let likely = likely.clamp(1e-6, 1.0 - 1e-6);
    -(target * likely.ln() + (1.0 - target) * (1.0 - likely).ln())
}

/// Adds up what was known before and what is found; none if neither is there.
fn sum(before: Option<i32>, found: Option<i32>) -> Option<i32> {
    (before.is_some() || found.is_some()).then(|| before.unwrap_or(0) + found.unwrap_or(0))
}

fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex::bridge::weights::{Activity, Layout, Marches};

    /// Makes positions of which those with a piece on the first place are won three times out of four, whatever the part
    /// says.
    fn samples() -> Vec<Sample> {
        let sample = |index: usize| {
            let sign = if index.is_multiple_of(2) { 1.0 } else { -1.0 };
            let is_won = (sign > 0.0) != (index / 16).is_multiple_of(4);
            Sample {
                game: index as u64 / 4,
                whole: f64::from((index * 37 % 101) as u32) - 50.0,
                points: vec![f64::from((index * 37 % 101) as u32) - 50.0],
                features: Arc::from([(0, sign as i32), (1, 1)]),
                lateness: 0.0,
                leads: [None; 2],
                share: 1.0,
                turn: 1.0,
                result: f64::from(u8::from(is_won)),
                scores: Arc::from([]),
                ply: 0,
                score_scale: 100.0,
                target: 0.5,
            }
        };
        (0..4_000).map(sample).collect()
    }

    #[test]
    fn what_decides_games_is_found() {
        let mut samples = samples();
        let mut fit = Fit::new(1, [3; N_GROUPS], 2);
        let (before, after) = fit.learn(&mut samples, true);
        assert!(after < before);
        // The odds are three to one.
        let odds = fit.feature(0, Stage::Always).unwrap() / fit.scale;
        assert!((odds - 3f64.ln()).abs() < 0.2, "{odds}");
        // One place was never seen.
        assert_eq!(fit.feature(2, Stage::Always), None);
        let alone = fit.learn_features(&samples);
        assert_eq!(alone.change(0), None);
        assert!(alone.feature(0, Stage::Always).unwrap() > 0.0);
    }

    #[test]
    fn what_is_found_of_hands_comes_to_be_in_their_tables() {
        let game = ludex::builtin::find("shogi").unwrap();
        let rules = ludex::load(game.name, game.bytes).unwrap().remove(0);
        let (layout, hands) = (Layout::find(&rules), HandClasses::find(&rules));
        let lens = Lens {
            parts: &[],
            layout: layout.as_ref(),
            marches: &Marches::default(),
            pairs: None,
            activity: &Activity::uncounted(&rules, layout.as_ref()),
            actions: &[],
            hands: &hands,
            leads: None,
        };
        let ends = lens.ends(&rules.model);
        let second_of_last = (ends[N_GROUPS - 1] - HandClasses::N_ORDINALS + 1) as u32;
        let mut samples = samples();
        for sample in &mut samples {
            sample.points.clear();
            sample.features = sample.features[..1]
                .iter()
                .map(|&(_, count)| (second_of_last, count))
                .collect();
        }
        let mut fit = Fit::new(0, ends, 2);
        fit.learn(&mut samples, true);
        let weights = fit.weights(&Weights::default(), &lens, &rules.model);
        let table = |number: usize| {
            let kind = &rules.model.kinds[hands.kinds()[number].index()];
            weights.table(&Subject::Hand(kind.name.clone()), Stage::Always)
        };
        let last = hands.kinds().len() - 1;
        let found = [0, 1, 2].map(|ordinal| table(last).unwrap().get((ordinal, 0)));
        assert!(found[1] > 0 && found[0] == 0 && found[2] == 0, "{found:?}");
        assert_eq!(table(0), None);
    }

    #[test]
    fn leads_that_never_win_count_little() {
        let mut samples = samples();
        for (index, sample) in samples.iter_mut().enumerate() {
            // Who leads by the part wins nine times out of ten; in one class nobody ever wins.
            let class = (index / 32) % 2;
            sample.points = vec![0.0];
            sample.features = Arc::from([]);
            sample.leads = [Some(class as u8); 2];
            let leads = sample.whole > 0.0;
            let wins = leads != (index / 4).is_multiple_of(10);
            sample.result = if class == 0 { 0.5 } else { f64::from(u8::from(wins)) };
        }
        let mut fit = Fit::new(1, [3; N_GROUPS], 2);
        fit.learn(&mut samples, true);
        // Classes are held to count whole, so it takes many games to come down to nothing.
        assert!(fit.shares[0] < 0.4, "{:?}", fit.shares);
        assert!(fit.shares[1] > 0.8, "{:?}", fit.shares);
        // A class that was never seen counts whole.
        assert_eq!(fit.shares[2], 1.0);
    }

    #[test]
    fn what_was_learnt_is_taken_off_positions_judged_with_it() {
        let mut samples = samples();
        let mut fit = Fit::new(1, [3; N_GROUPS], 2);
        fit.learn(&mut samples, true);
        let mut later = samples[0].clone();
        later.whole += f64::from(fit.change(0).unwrap()) / 100.0 * later.points[0];
        later.whole += fit.feature(0, Stage::Always).unwrap() + fit.feature(1, Stage::Always).unwrap();
        later.whole += f64::from(fit.turn()) * later.turn;
        fit.put_back(&mut later);
        assert!((later.whole - samples[0].whole).abs() < 1.0);
    }
}
