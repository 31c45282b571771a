//! States in which chance acts, in the search of the tree.

use super::alphabeta::{Role, Searched, Side, Spot, Tree, Window, scramble};
use super::game::Game;
use super::score::{self, CHANCE_WIN, INFINITE, Mean};

/// How chance nodes with very many moves are sampled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampling {
    pub(crate) most: usize,
    pub(crate) seed: u64,
}

impl<G: Game> Tree<'_, G> {
    /// Returns the mean of the moves of a chance node, or of an even sample if there are very many, as the hero sees it.
    ///
    /// What is still to come counts at most [`CHANCE_WIN`] either way, so that often the mean is known to lie outside the
    /// window before all moves are searched, and each move has a window of its own (*star-1* pruning).
    pub(crate) fn expectimax(&mut self, ply: usize, depth: u32, window: Window) -> Searched<G> {
        const MOST: i64 = CHANCE_WIN as i64;
        let moves = G::len(&self.stack[ply].moves) as u64;
        let samples = moves.min(self.sampling.most.max(1) as u64);
        let mut random = self.sampling.seed ^ self.game.key();
        let at = Spot {
            ply,
            depth,
            side: Side::Hero,
            role: Role::Aside,
        };
        // Only certainty in all cases would reach such a window.
        let is_open = window.alpha >= CHANCE_WIN || window.beta <= -CHANCE_WIN;
        let mut mean = Mean::default();
        for sample in 0..samples {
            // One move out of each of `samples` parts of equal size; each part is one move if all are looked at.
            let (first, end) = (sample * moves / samples, (sample + 1) * moves / samples);
            random = scramble(random);
            let index = first + random % (end - first);
            // What the sum must reach, if the rest is as good or as bad as can be.
            let rest = (samples - sample - 1) as i64 * MOST;
            let needed = |bound: i32| i64::from(bound) * samples as i64 - mean.sum();
            let (alpha, beta) = (needed(window.alpha) - rest, needed(window.beta) + rest);
            let open = Window {
                alpha: if alpha < -MOST {
                    -INFINITE
                } else {
                    alpha.min(MOST) as i32
                },
                beta: if beta > MOST { INFINITE } else { beta.max(-MOST) as i32 },
            };
            let score = self.child(at, index as u32, if is_open { Window::FULL } else { open })?;
            let held = i64::from(score::held(score));
            let is_last = sample + 1 == samples;
            let bound = |sum: i64| (sum / samples as i64) as i32;
            if !is_open && !is_last && held <= alpha {
                return Ok(bound(mean.sum() + held + rest));
            }
            if !is_open && !is_last && held >= beta {
                return Ok(bound(mean.sum() + held - rest));
            }
            mean.add(score);
        }
        Ok(mean.score())
    }
}
