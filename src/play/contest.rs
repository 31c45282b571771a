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

    /// Returns the side that who has `side` has in the next round.
    ///
    /// # Language
    /// `docs/language.md`: match, swap-sides.
    pub fn next_side(rules: &Rules, side: PlayerId) -> PlayerId {
        if !Contest::rule(rules).is_some_and(|rule| rule.swap_sides) {
            return side;
        }
        let sides: Vec<PlayerId> = sides(&rules.model).collect();
        match sides.iter().position(|&player| player == side) {
            Some(index) => sides[(index + 1) % sides.len()],
            None => side,
        }
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
            for side in sides(&rules.model) {
                carried[Contest::next_side(rules, side).index()] = totals[side.index()];
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::load::load;
    use crate::play::{Decision, Session};
    use crate::state::MoveList;

    /// A game of two rounds in which the first player has two pieces and the second one.
    fn two_rounds(rule: &str) -> Arc<Rules> {
        let text = format!(
            "(game (title \"Rounds\") (players A ?Dice B) (turn-order A B ?Dice)
                (board (positions (x 0 0 1 1) (y 1 0 2 1) (z 2 0 3 1)))
                (board-setup (A (Man x y)) (B (Man z)))
                (piece (name Man) (moves (add)))
                (score (A B) (count (pieces friend)))
                (end-condition stalemated) {rule})"
        );
        let games = load("rounds.zrf", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"));
        games.into_iter().next().map(Arc::new).expect("a game")
    }

    fn play(rule: &str) -> (Decision, Vec<i64>, Decision) {
        let rules = two_rounds(rule);
        let mut chance = ChaCha8Rng::seed_from_u64(1);
        let mut session = Session::new(Arc::clone(&rules));
        let decide = |session: &mut Session| {
            let outcome = session
                .legal_moves(&mut MoveList::new())
                .expect("the rules do not fault");
            outcome.expect("nobody can move").decision
        };
        let first = decide(&mut session);
        let mut next = session
            .next_round(&mut chance)
            .expect("the rules do not fault")
            .expect("a round");
        let carried = rules
            .model
            .player_ids()
            .map(|player| next.contest().carried(player))
            .collect();
        assert_eq!(next.next_round(&mut chance).map(|next| next.is_none()), Ok(true));
        (first, carried, decide(&mut next))
    }

    #[test]
    fn sums_go_with_the_players_when_sides_are_exchanged() {
        let (a, b) = (PlayerId(0), PlayerId(2));
        assert_eq!(
            play("(match 2 swap-sides)"),
            (Decision::Win(a), vec![1, 0, 2], Decision::Draw)
        );
        assert_eq!(play("(match 2)"), (Decision::Win(a), vec![2, 0, 1], Decision::Win(a)));
        let rules = two_rounds("");
        let mut session = Session::new(rules);
        let mut chance = ChaCha8Rng::seed_from_u64(1);
        assert_eq!(session.next_round(&mut chance).map(|next| next.is_none()), Ok(true));
        assert_eq!(session.totals(), Ok(vec![(a, 2), (b, 1)]));
    }
}
