//! What a result says about the difference in strength.

use std::fmt;

use serde::Serialize;

/// Half the width of the range that holds 95 % of a normal distribution, in standard deviations.
const CONFIDENCE: f64 = 1.96;

/// How much stronger one of two is than the other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// Who.
    pub spec: String,
    /// Than whom.
    pub against: String,
    /// By how many points of Elo's scale; nothing if one has won all games.
    pub difference: Option<f64>,
    /// How far off that may be, with a confidence of 95 %; nothing if there are too few games to say.
    pub error: Option<f64>,
}

impl Elo {
    /// Estimates the difference from the games of `spec` against `against`.
    pub fn estimate(spec: &str, against: &str, wins: u64, draws: u64, losses: u64) -> Elo {
        let games = (wins + draws + losses) as f64;
        let share = |count: u64| count as f64 / games;
        let mean = share(wins) + share(draws) / 2.0;
        let variance =
            share(wins) * (1.0 - mean).powi(2) + share(draws) * (0.5 - mean).powi(2) + share(losses) * mean.powi(2);
        let margin = CONFIDENCE * (variance / games).sqrt();
        let range = points(mean - margin).zip(points(mean + margin));
        // All games drawn, or one game, do not show that the two are equal.
        let error = range
            .filter(|_| variance > 0.0)
            .map(|(low, high)| rounded((high - low) / 2.0));
        Elo {
            spec: spec.to_owned(),
            against: against.to_owned(),
            difference: points(mean).map(rounded),
            error,
        }
    }
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Elo { spec, against, .. } = self;
        write!(f, "Elo of {spec} over {against}: ")?;
        match (self.difference, self.error) {
            (Some(difference), Some(error)) => write!(f, "{difference:+.1} ± {error:.1} (95 %)"),
            (Some(difference), None) => write!(f, "{difference:+.1}, from too few games to say how surely"),
            (None, _) => f.write_str("unknown, for one has all the points or none was played out"),
        }
    }
}

/// Returns the difference that lets one expect a score, from 0 to 1, in one game.
fn points(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

fn rounded(points: f64) -> f64 {
    // Adding 0 turns -0 into it.
    (points * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(wins: u64, draws: u64, losses: u64) -> (Option<f64>, Option<f64>) {
        let elo = Elo::estimate("a", "b", wins, draws, losses);
        (elo.difference, elo.error)
    }

    #[test]
    fn scores_become_differences() {
        // The margin of the mean is 0.098, and 0.598 against 0.402 is worth 69.
        assert_eq!(estimate(50, 0, 50), (Some(0.0), Some(69.0)));
        // Three quarters of the points are worth 400 log10 3.
        assert_eq!(estimate(500, 500, 0), (Some(190.8), Some(14.4)));
        assert_eq!(estimate(0, 0, 0), (None, None));
        assert_eq!(estimate(10, 0, 0), (None, None));
        assert_eq!(estimate(0, 10, 0), (Some(0.0), None));
    }
}
