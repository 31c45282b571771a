//! How a game ended, and why.

use crate::model::PlayerId;
use crate::model::goal::GoalKind;
use crate::rules::Rules;

/// What an end means for the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The player wins, the others lose.
    Win(PlayerId),
    /// The player loses, the others win.
    Loss(PlayerId),
    /// Nobody wins.
    Draw,
    /// These players, by the bits of their numbers, are level; the others lose.
    Level(u64),
}

impl Decision {
    /// Decides for those of `n_players` who are ahead of the others.
    pub fn of_leaders(leaders: &[PlayerId], n_players: usize) -> Decision {
        match *leaders {
            [winner] => Decision::Win(winner),
            _ if leaders.len() == n_players => Decision::Draw,
            _ => Decision::Level(leaders.iter().fold(0, |bits, player| bits | bit(*player))),
        }
    }
}

/// The bit of a player; those past the sixty-fourth share the last.
fn bit(player: PlayerId) -> u64 {
    1 << player.index().min(63)
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A goal of the rules holds for a player.
    Goal {
        /// The index of the goal, in file order.
        goal: usize,
        /// The player for whom it holds.
        player: PlayerId,
    },
    /// The player to move has no legal move, and no goal says what that means.
    NoMove,
    /// The position has occurred for the third time, and no goal says what that means.
    Repetition,
    /// The players agreed to end the round, which is then scored.
    Agreement,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What it means for the players.
    pub decision: Decision,
    /// Why the game ended.
    pub reason: Reason,
}

/// The result of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerResult {
    /// It won.
    Win,
    /// It lost.
    Loss,
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// Returns the result of a player who takes turns.
    pub fn result(&self, player: PlayerId) -> PlayerResult {
        match self.decision {
            Decision::Win(winner) if winner == player => PlayerResult::Win,
            Decision::Win(_) => PlayerResult::Loss,
            Decision::Loss(loser) if loser == player => PlayerResult::Loss,
            Decision::Loss(_) => PlayerResult::Win,
            Decision::Draw => PlayerResult::Draw,
            Decision::Level(bits) if bits & bit(player) != 0 => PlayerResult::Draw,
            Decision::Level(_) => PlayerResult::Loss,
        }
    }

    /// Returns the names of the players with a result; random players and those without turns have none.
    pub fn names<'a>(&self, rules: &'a Rules, result: PlayerResult) -> Vec<&'a str> {
        let model = &rules.model;
        (model.player_ids())
            .filter(|&player| {
                let player_model = &model.players[player.index()];
                player_model.takes_turns && !player_model.random && self.result(player) == result
            })
            .map(|player| model.players[player.index()].name.as_str())
            .collect()
    }

    /// Describes why the game ended, in a few words.
    pub fn reason_text(&self, rules: &Rules) -> String {
        match self.reason {
            Reason::Goal { goal, player } => {
                let goal = &rules.model.goals[goal];
                let name = &rules.model.players[player.index()].name;
                let condition = describe::condition(&rules.model, &goal.condition);
                match goal.kind {
                    GoalKind::Count => format!("pieces counted: {condition}"),
                    GoalKind::End => condition,
                    GoalKind::Win | GoalKind::Loss | GoalKind::Draw => format!("{name}: {condition}"),
                }
            }
            Reason::NoMove => "no legal move".to_owned(),
            Reason::Agreement => "by agreement".to_owned(),
            Reason::Repetition => "third occurrence of the position".to_owned(),
        }
    }

    /// Describes the end in one line: who won or that it is a draw, and why.
    pub fn describe(&self, rules: &Rules) -> String {
        let winners = self.names(rules, PlayerResult::Win);
        let reason = self.reason_text(rules);
        match self.decision {
            Decision::Draw => format!("draw ({reason})"),
            _ if winners.is_empty() => format!("{} lost ({reason})", self.names(rules, PlayerResult::Loss).join(", ")),
            _ => format!("{} won ({reason})", winners.join(", ")),
        }
    }
}

/// Goal conditions in words.
mod describe {
    use crate::model::goal::{GoalCondition, GoalPlace, OccupantOwner, OccupantTest};
    use crate::model::{GameModel, PieceKindId};

    pub fn condition(model: &GameModel, condition: &GoalCondition) -> String {
        let join = |parts: &[GoalCondition], word: &str| {
            let mut texts: Vec<String> = Vec::new();
            for text in parts.iter().map(|part| self::condition(model, part)) {
                // The same pattern in several directions is told once.
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            texts.join(word)
        };
        match condition {
            GoalCondition::Stalemated => "no legal move".to_owned(),
            GoalCondition::Repetition => "third occurrence of the position".to_owned(),
            GoalCondition::Checkmated(kinds) => format!("{} checkmated", names(model, kinds)),
            GoalCondition::Captured(kinds) => format!("{} captured", names(model, kinds)),
            GoalCondition::AbsoluteConfig(tests, places) => {
                let places: Vec<&str> = places
                    .iter()
                    .take(4)
                    .map(|place| match place {
                        GoalPlace::Cell(cell) => model.board.name(*cell),
                        GoalPlace::Zone(zone) => model.board.zones[zone.index()].name.as_str(),
                    })
                    .collect();
                let tests: Vec<String> = tests.iter().map(|test| occupant(model, test)).collect();
                format!("{} on {}", tests.join(" or "), places.join(" "))
            }
            GoalCondition::RelativeConfig(first, steps) => {
                let (count, first_text) = (steps.len() + 1, occupant(model, first));
                if steps.iter().all(|(_, step)| step == first) {
                    format!("{count} {first_text} in a row")
                } else {
                    format!("a pattern of {count} pieces from {first_text}")
                }
            }
            GoalCondition::PiecesRemaining(count, kind) => format!("{count} {} left", pieces(model, *kind)),
            GoalCondition::TotalPieceCount(count, kind) => format!("{count} {} in all", pieces(model, *kind)),
            GoalCondition::Holds(_) => "a condition of the rules holds".to_owned(),
            GoalCondition::And(parts) => join(parts, " and "),
            GoalCondition::Or(parts) => join(parts, " or "),
            GoalCondition::Not(part) => format!("not {}", self::condition(model, part)),
        }
    }

    fn names(model: &GameModel, kinds: &[PieceKindId]) -> String {
        kinds
            .iter()
            .map(|kind| model.kinds[kind.index()].name.as_str())
            .collect::<Vec<_>>()
            .join(" or ")
    }

    fn pieces(model: &GameModel, kind: Option<PieceKindId>) -> &str {
        kind.map_or("pieces", |kind| &model.kinds[kind.index()].name)
    }

    fn occupant(model: &GameModel, test: &OccupantTest) -> String {
        let not = if test.negated { "no " } else { "" };
        let owner = match test.owner {
            OccupantOwner::Friend => "",
            OccupantOwner::Enemy => "enemy ",
            OccupantOwner::Any => "any ",
        };
        format!("{not}{owner}{}", model.kinds[test.kind.index()].name)
    }
}
