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
    fn distances_survive_storing() {
        for score in [WIN - 7, 7 - WIN, 12, 0] {
            assert_eq!(to_root(from_root(score, 5), 5), score);
        }
        assert_eq!(plies_to_end(3 - WIN), Some(3));
        assert_eq!(plies_to_end(100), None);
    }
}
