//! Strengths from 1 to 10: how far to look, and how often to be content with less than the best.
//!
//! A weak player looks less far and sometimes takes a move that seems about as good as the best one.
//! It does not overlook what it has seen: a certain win is taken, and a certain loss not chosen while there is a choice.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::limits::Limits;
use super::report::Report;
use super::score;

/// A strength of play: from 1 (weakest) to 10, or one that the rules of a game describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Level {
    /// The number, from 1 to 10; 0 for a strength that rules describe.
    number: u8,
    strength: Strength,
}

/// What makes a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Strength {
    depth: Option<u32>,
    milliseconds: u64,
    /// How many moves of a state are looked at.
    width: Option<u32>,
    /// How many of a hundred moves are any legal ones.
    random_percent: u32,
    /// How many of a hundred choices are made among the near-equal moves rather than for the best.
    loose_percent: u32,
    /// How much worse a near-equal move may be, in score points.
    margin: i32,
}

const fn strength(depth: Option<u32>, milliseconds: u64, loose_percent: u32, margin: i32) -> Strength {
    Strength {
        depth,
        milliseconds,
        width: None,
        random_percent: 0,
        loose_percent,
        margin,
    }
}

/// The levels, weakest first.
const STRENGTHS: [Strength; 10] = [
    strength(Some(1), 500, 70, 300),
    strength(Some(1), 500, 40, 150),
    strength(Some(2), 1000, 40, 120),
    strength(Some(2), 1000, 20, 80),
    strength(Some(3), 1500, 20, 60),
    strength(Some(4), 2000, 15, 40),
    strength(Some(5), 3000, 10, 20),
    strength(Some(7), 4000, 0, 0),
    strength(None, 3000, 0, 0),
    strength(None, 8000, 0, 0),
];

/// How many moves a loose choice is made among.
const CHOICES: usize = 4;

impl Level {
    /// The weakest level.
    pub const WEAKEST: Level = Level {
        number: 1,
        strength: STRENGTHS[0],
    };
    /// The strongest level.
    pub const STRONGEST: Level = Level {
        number: STRENGTHS.len() as u8,
        strength: STRENGTHS[STRENGTHS.len() - 1],
    };

    /// Returns level `number`, if it is from 1 to 10.
    pub fn new(number: u8) -> Option<Level> {
        let strength = *STRENGTHS.get(usize::from(number).checked_sub(1)?)?;
        Some(Level { number, strength })
    }

    /// Returns a strength that is described: how many plies and how many moves of a state it looks at, its time in
    /// milliseconds, and how many of a hundred moves are any legal ones. What is none has no limit; without a time one
    /// second is taken.
    pub fn described(depth: Option<u32>, width: Option<u32>, milliseconds: Option<u32>, random: Option<u32>) -> Level {
        Level {
            number: 0,
            strength: Strength {
                depth,
                milliseconds: milliseconds.map_or(1000, u64::from),
                width,
                random_percent: random.unwrap_or(0),
                loose_percent: 0,
                margin: 0,
            },
        }
    }

    /// Returns the number of the level, from 1 to 10; 0 for a strength that is described.
    pub fn number(self) -> u8 {
        self.number
    }

    /// Returns how far the level looks. Where it has a depth, its time matters in slow games only.
    pub fn limits(self) -> Limits {
        let Strength {
            depth,
            milliseconds,
            width,
            ..
        } = self.strength;
        Limits {
            depth,
            width,
            time: Some(Duration::from_millis(milliseconds)),
            ..Limits::default()
        }
    }

    /// Returns the number of lines that [`Level::choose`] wants to choose among; see
    /// [`Options::multipv`](super::Options::multipv).
    pub fn multipv(self) -> usize {
        if self.strength.loose_percent == 0 { 1 } else { CHOICES }
    }

    /// Returns the number of the root move to play after a search with these limits and so many lines, or `None` if the
    /// report has none. Draws from `random` twice, whatever comes of it.
    pub fn choose<F>(self, report: &Report<F>, random: &mut ChaCha8Rng) -> Option<usize> {
        let Strength {
            loose_percent, margin, ..
        } = self.strength;
        let (occasion, draw) = (random.next_u32() % 100, random.next_u32());
        if occasion >= loose_percent || score::plies_to_end(report.score).is_some() {
            return report.best;
        }
        // Sorted by score, so the near-equal moves come first; those of a broken iteration are not known.
        let near = report
            .alternatives()
            .iter()
            .take_while(|line| line.score >= report.score - margin)
            .count();
        let choice = draw
            .checked_rem(near as u32)
            .map(|place| &report.alternatives()[place as usize]);
        choice
            .and_then(|line| line.pv.first())
            .map(|step| step.index as usize)
            .or(report.best)
    }

    /// Tells whether the next move is to be any legal one, without looking. Draws from `random` only for strengths of
    /// which that is a part.
    pub fn plays_at_random(self, random: &mut ChaCha8Rng) -> bool {
        self.strength.random_percent > 0 && random.next_u32() % 100 < self.strength.random_percent
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::super::report::{Line, Step};
    use super::*;

    fn report(scores: &[i32]) -> Report<()> {
        let lines = scores.iter().zip(0..).map(|(&score, index)| {
            let pv = vec![Step {
                index,
                fingerprint: index,
            }];
            Line {
                rank: index,
                depth: 1,
                score,
                nodes: 0,
                seconds: 0.0,
                pv,
            }
        });
        Report {
            best: Some(0),
            score: scores[0],
            depth: 1,
            lines: lines.collect(),
            ..Report::empty()
        }
    }

    fn choices(level: Level, report: &Report<()>) -> Vec<usize> {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        (0..200).filter_map(|_| level.choose(report, &mut random)).collect()
    }

    #[test]
    fn weak_levels_vary_within_the_margin() {
        let chosen = choices(Level::WEAKEST, &report(&[10, 0, -280, -300]));
        assert_eq!(chosen.iter().max(), Some(&2));
        assert!(chosen.contains(&0) && chosen.contains(&1));
        assert_eq!(chosen, choices(Level::WEAKEST, &report(&[10, 0, -280, -300])));
    }

    #[test]
    fn the_strongest_level_and_certain_wins_are_exact() {
        assert!(
            choices(Level::STRONGEST, &report(&[10, 10]))
                .iter()
                .all(|&choice| choice == 0)
        );
        assert!(
            choices(Level::WEAKEST, &report(&[score::WIN - 1, score::WIN - 3]))
                .iter()
                .all(|&choice| choice == 0)
        );
    }

    #[test]
    fn numbers_outside_are_no_levels() {
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(11), None);
        assert_eq!(Level::new(10), Some(Level::STRONGEST));
    }
}
