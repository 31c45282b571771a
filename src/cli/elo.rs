//! What a result says about the difference in strength.

use std::fmt;
use std::str::FromStr;

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

/// A sequential test of whether one of two is stronger: games are played until one of two hypotheses about the difference
/// is nineteen times as likely to be right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The difference, in points of Elo's scale, if it is no stronger.
    pub low: f64,
    /// The difference if it is.
    pub high: f64,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The difference if it is no stronger.
    pub elo0: f64,
    /// The difference if it is.
    pub elo1: f64,
    /// The logarithm of how many times as likely the second is.
    pub llr: f64,
    /// Where the test ends in favour of the second; of the first at the opposite.
    pub bound: f64,
    /// Whether it is stronger, if that is settled.
    pub stronger: Option<bool>,
}

impl FromStr for Bounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Bounds, String> {
        let parts = text
            .split_once(',')
            .and_then(|(low, high)| Some((low.trim().parse().ok()?, high.trim().parse().ok()?)));
        match parts {
            Some((low, high)) if f64::is_finite(low) && f64::is_finite(high) && low < high => Ok(Bounds { low, high }),
            _ => Err("two differences of Elo are written LOW,HIGH, as in `0,10`".to_owned()),
        }
    }
}

impl Bounds {
    /// Returns where the test stands after these games.
    pub fn test(self, wins: u64, draws: u64, losses: u64) -> Sprt {
        let bound = (0.95f64 / 0.05).ln();
        let games = (wins + draws + losses) as f64;
        let mean = (wins as f64 + draws as f64 / 2.0) / games.max(1.0);
        let square = (wins as f64 + draws as f64 / 4.0) / games.max(1.0);
        let variance = square - mean * mean;
        let (low, high) = (expected(self.low), expected(self.high));
        // The normal approximation of the likelihood ratio; games that are all alike say too little of the variance.
        let llr = if variance > 0.0 {
            games * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
        } else {
            0.0
        };
        let stronger = if llr >= bound {
            Some(true)
        } else if llr <= -bound {
            Some(false)
        } else {
            None
        };
        Sprt {
            elo0: self.low,
            elo1: self.high,
            llr: (llr * 100.0).round() / 100.0 + 0.0,
            bound: (bound * 100.0).round() / 100.0,
            stronger,
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt {
            elo0,
            elo1,
            llr,
            bound,
            stronger,
        } = self;
        let verdict = match stronger {
            Some(true) => "stronger",
            Some(false) => "not stronger",
            None => "not settled",
        };
        write!(
            f,
            "sequential test of {elo0} against {elo1}: {llr:+.2} of ±{bound:.2}, {verdict}"
        )
    }
}

/// Returns the points of one game that a difference lets one expect.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-difference / 400.0))
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

    #[test]
    fn a_sequential_test_ends_when_it_is_sure() {
        let bounds: Bounds = "0, 10".parse().unwrap();
        assert_eq!(bounds.test(0, 0, 0).stronger, None);
        assert_eq!(bounds.test(60, 0, 40).stronger, None);
        // A difference of 70 shows itself after a few hundred games, and so does one of -70.
        assert_eq!(bounds.test(600, 0, 400).stronger, Some(true));
        assert_eq!(bounds.test(400, 0, 600).stronger, Some(false));
        assert!((bounds.test(500, 0, 500).llr + 0.2).abs() < 0.3);
        assert!("10,0".parse::<Bounds>().is_err() && "a".parse::<Bounds>().is_err());
    }
}
