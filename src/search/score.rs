//! Scores: what the numbers mean, and how they travel between plies.
//!
//! A score is an `i32` in *score points*, the unit of [`Game::evaluate`](super::Game::evaluate).
//! A draw is 0.
//! A win counts [`WIN`] less the plies from the root to the end of the game, so that a shorter win is better and a later
//! loss is too.
//! Evaluations are held between, so that no guess outweighs a certainty.

use super::game::Ending;

/// The longest line that is searched, in plies; beyond it the evaluation stands.
pub const MAX_PLY: usize = 128;

/// The score of a win at the root itself; a win in `n` plies scores `WIN - n`.
pub const WIN: i32 = 4_000_000;

/// Scores from here on (or from its negative down) are certain wins (or losses).
pub const DECIDED: i32 = WIN - MAX_PLY as i32;

/// What a win counts where chance may prevent it, in score points, and the most that anything counts there.
///
/// A mean of certain scores and evaluations would be settled by the certain ones alone, however unlikely: one win among
/// thirty-six rolls would outweigh all pieces on the board.
pub const CHANCE_WIN: i32 = 10_000;

/// A bound that no score reaches.
pub(crate) const INFINITE: i32 = WIN + 1;

/// Returns the number of plies to the end of the game if `score` is a certain win or loss.
pub fn plies_to_end(score: i32) -> Option<u32> {
    (score.abs() >= DECIDED).then(|| WIN.abs_diff(score.abs()))
}

/// Returns the score of `ending`, reached `ply` plies from the root, for the player it is about.
pub(crate) fn of_ending(ending: Ending, ply: usize) -> i32 {
    match ending {
        Ending::Win => WIN - ply as i32,
        Ending::Loss => ply as i32 - WIN,
        Ending::Draw => 0,
    }
}

/// Returns `evaluation` held between the certain scores.
pub(crate) fn of_evaluation(evaluation: i32) -> i32 {
    evaluation.clamp(1 - DECIDED, DECIDED - 1)
}

/// Returns `score`, counted from the root, as counted from the state at `ply`: so it is stored.
pub(crate) fn from_root(score: i32, ply: usize) -> i32 {
    shifted(score, ply as i32)
}

/// Returns `score`, counted from the state at `ply`, as counted from the root.
pub(crate) fn to_root(score: i32, ply: usize) -> i32 {
    shifted(score, -(ply as i32))
}

/// Adds up the scores of what chance may bring, for their mean.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mean {
    count: i64,
    /// The sum of the scores, each held within [`CHANCE_WIN`].
    held: i64,
    /// The sum of the scores as they are.
    whole: i64,
    wins: i64,
    losses: i64,
}

impl Mean {
    /// Adds a score.
    pub(crate) fn add(&mut self, score: i32) {
        self.count += 1;
        self.held += i64::from(held(score));
        self.whole += i64::from(score);
        self.wins += i64::from(score >= DECIDED);
        self.losses += i64::from(score <= -DECIDED);
    }

    /// Returns the sum of the scores, each held within [`CHANCE_WIN`].
    pub(crate) fn sum(self) -> i64 {
        self.held
    }

    /// Returns the mean: a certain score only if chance cannot change who wins.
    pub(crate) fn score(self) -> i32 {
        let is_certain = self.wins == self.count || self.losses == self.count;
        let sum = if is_certain { self.whole } else { self.held };
        sum.checked_div(self.count).unwrap_or(0) as i32
    }
}

/// Returns `score` as it counts where chance decides.
pub(crate) fn held(score: i32) -> i32 {
    score.clamp(-CHANCE_WIN, CHANCE_WIN)
}

fn shifted(score: i32, plies: i32) -> i32 {
    match score {
        // A win stored near the longest line stays one, even where its distance no longer fits.
        DECIDED.. => (score + plies).clamp(DECIDED, WIN),
        _ if score <= -DECIDED => (score - plies).clamp(-WIN, -DECIDED),
        _ => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_wins_and_longer_losses_are_better() {
        assert!(of_ending(Ending::Win, 1) > of_ending(Ending::Win, 3));
        assert!(of_ending(Ending::Loss, 3) > of_ending(Ending::Loss, 1));
        assert!(of_evaluation(i32::MAX) < of_ending(Ending::Win, MAX_PLY));
        assert!(of_evaluation(i32::MIN) > of_ending(Ending::Loss, MAX_PLY));
    }

    #[test]
    fn chance_cannot_spoil_what_is_won_in_any_case() {
        let mean = |scores: &[i32]| {
            let mut mean = Mean::default();
            scores.iter().for_each(|&score| mean.add(score));
            mean.score()
        };
        assert_eq!(mean(&[WIN - 3, WIN - 5]), WIN - 4);
        assert_eq!(mean(&[WIN - 3, 100]), (CHANCE_WIN + 100) / 2);
        assert_eq!(mean(&[WIN - 3, 3 - WIN]), 0);
        assert_eq!(mean(&[]), 0);
    }

    #[test]
    fn distances_survive_storing() {
        for score in [WIN - 7, 7 - WIN, 12, 0] {
            assert_eq!(to_root(from_root(score, 5), 5), score);
        }
        assert_eq!(plies_to_end(3 - WIN), Some(3));
        assert_eq!(plies_to_end(100), None);
    }
}
