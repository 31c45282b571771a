//! Matches of several rounds: which round is played, and what the players bring from earlier ones.

use crate::model::extension::MatchRule;
use crate::model::{GameModel, PlayerId};
use crate::rules::Rules;

/// Where a match stands. It is no part of the position, and the same all through a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contest {
    /// The number of rounds that are over.
    rounds_over: u32,
    /// By player what it brings from earlier rounds; missing numbers are 0.
    carried: Vec<i64>,
}

impl Contest {
    /// Stands at the beginning of a round, from 1, with what each player brings.
    pub fn new(round: u32, carried: Vec<i64>) -> Contest {
        Contest {
            rounds_over: round.saturating_sub(1),
            carried,
        }
    }

    /// Returns the number of the round, from 1.
    pub fn round(&self) -> u32 {
        self.rounds_over.saturating_add(1)
    }

    /// Returns what a player brings from earlier rounds.
    pub fn carried(&self, player: PlayerId) -> i64 {
        self.carried.get(player.index()).copied().unwrap_or(0)
    }

    /// Tells whether nothing but the first round has begun.
    pub fn is_fresh(&self) -> bool {
        self.rounds_over == 0 && self.carried.iter().all(|&sum| sum == 0)
    }

    /// Returns the rule by which several rounds are played, if more than one is.
    pub fn rule(rules: &Rules) -> Option<MatchRule> {
        rules.model.extensions.match_rule.filter(|rule| rule.rounds > 1)
    }

    /// Tells whether this is the last of several rounds, so that the totals decide.
    pub fn is_last_of_several(&self, rules: &Rules) -> bool {
        Contest::rule(rules).is_some_and(|rule| self.round() >= rule.rounds)
    }

    /// Returns where the match stands after a round with these scores; none if that was the last.
    ///
    /// # Language
    /// `docs/language.md`: match. After an exchange of sides a player brings what was won on the side before it.
    pub fn after(&self, rules: &Rules, scores: &[(PlayerId, i32)]) -> Option<Contest> {
        let rule = Contest::rule(rules).filter(|rule| self.round() < rule.rounds)?;
        let mut totals: Vec<i64> = rules.model.player_ids().map(|player| self.carried(player)).collect();
        for &(player, score) in scores {
            totals[player.index()] += i64::from(score);
        }
        let mut carried = totals.clone();
        if rule.swap_sides {
            let sides: Vec<usize> = sides(&rules.model).map(PlayerId::index).collect();
            for (index, &side) in sides.iter().enumerate() {
                carried[sides[(index + 1) % sides.len()]] = totals[side];
            }
        }
        Some(Contest {
            rounds_over: self.rounds_over + 1,
            carried,
        })
    }
}

/// Returns the players who exchange sides: those who take turns and are not random.
fn sides(model: &GameModel) -> impl Iterator<Item = PlayerId> + '_ {
    model.player_ids().filter(|player| {
        let player = &model.players[player.index()];
        player.takes_turns && !player.random
    })
}
