//! How much the moves of a state are likely to add to what is said without them.
//!
//! It could be a good deal, but nearly always is little: what was found in the states before tells how little.

/// How many times the mean of what moves added lately is all that they are taken to add. One in some hundred states is
/// beyond (with a normal distribution one in a thousand).
const MEANS: i64 = 4;
/// The share of one state in the mean.
const SHARE: i64 = 256;
/// The mean is counted in parts of a point.
const PARTS: i64 = 1 << 16;

/// The mean of what the moves of the states that were looked at lately added.
#[derive(Clone, Debug, Default)]
pub struct Leeway {
    /// In [`PARTS`] of a point; none before the first.
    mean: Option<i64>,
}

impl Leeway {
    /// Notes what the moves of a state added to its evaluation, in score points, where it can be `most`.
    #[inline]
    pub fn note(&mut self, added: i32, most: i32) {
        let mean = self.mean.get_or_insert(i64::from(most) * PARTS / MEANS);
        *mean += (i64::from(added.abs()) * PARTS - *mean) / SHARE;
    }

    /// Returns what moves are taken to add at most, where it can be `most`, in score points.
    #[inline]
    pub fn get(&self, most: i32) -> i32 {
        let likely = self.mean.map(|mean| MEANS * mean / PARTS);
        likely.map_or(most, |likely| likely.min(i64::from(most)) as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leeway_comes_down_to_what_is_seen() {
        let mut leeway = Leeway::default();
        assert_eq!(leeway.get(300), 300);
        for round in 0..10_000 {
            leeway.note(if round % 2 == 0 { 10 } else { -30 }, 300);
        }
        let found = leeway.get(300);
        assert!((76..=84).contains(&found), "{found}");
        // It can never be more than everything.
        (0..10_000).for_each(|_| leeway.note(300, 300));
        assert_eq!(leeway.get(300), 300);
    }
}
