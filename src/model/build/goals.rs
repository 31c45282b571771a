//! Goals.

use super::scope::Area;
use super::sorts::Sorts;
use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::Form;
use crate::keyword::{self, Context, Keyword};
use crate::model::expression::Condition;
use crate::model::goal::{Goal, GoalCondition, GoalKind, GoalPlace, OccupantOwner, OccupantTest};
use crate::model::ids::PieceKindId;

impl Builder<'_> {
    pub(super) fn build_goals(&mut self, sections: &[(Keyword, Section)]) -> Vec<Goal> {
        sections
            .iter()
            .filter_map(|(keyword, section)| self.build_goal(*keyword, section))
            .collect()
    }

    /// Reads `(PLAYER …) GOAL`, or a goal alone, which is then meant for all who take turns.
    fn build_goal(&mut self, keyword: Keyword, section: &Section) -> Option<Goal> {
        let kind = match keyword {
            Keyword::WinCondition => GoalKind::Win,
            Keyword::LossCondition => GoalKind::Loss,
            Keyword::DrawCondition => GoalKind::Draw,
            Keyword::EndCondition => GoalKind::End,
            _ => GoalKind::Count,
        };
        self.enter(Area::Goal, None);
        let all = || {
            let players = self.player_models.iter().enumerate().filter(|(_, player)| {
                // An end is tested once, for who moves next.
                player.takes_turns && !(player.random && kind == GoalKind::End)
            });
            players
                .filter_map(|(index, _)| crate::model::PlayerId::new(index))
                .collect()
        };
        let (players, condition) = match *section.args() {
            [condition] => (all(), condition),
            [_, _, ..] if kind == GoalKind::End => {
                let message = "`end-condition` takes one condition and no players";
                return self.bad_goal(section.form, message, keyword);
            }
            [players, condition, ..] => {
                let names = if self.is_list(players) {
                    self.elements(players)
                } else {
                    vec![players]
                };
                let players = names
                    .into_iter()
                    .filter_map(|name| self.player(name, Severity::Error))
                    .collect();
                (players, condition)
            }
            [] => {
                self.bad_form(Severity::Warning, section.form, "the goal says nothing", keyword);
                return None;
            }
        };
        let condition = self.build_goal_condition(condition)?;
        Some(Goal {
            kind,
            players,
            condition,
            site: self.site(section.form),
        })
    }

    fn build_goal_condition(&mut self, form: Form) -> Option<GoalCondition> {
        let elements = if self.is_list(form) {
            self.elements(form)
        } else {
            vec![form]
        };
        let Some(&head) = elements.first() else {
            self.push(
                Severity::Warning,
                Code::BadGoal,
                form,
                "a goal is empty",
                "it is left out",
            );
            return None;
        };
        if self.is_list(head) && elements.len() == 1 {
            return self.build_goal_condition(head);
        }
        let Some(keyword) = self.peek(head, Context::Goal) else {
            if self.is_question(form) {
                return self.build_condition(form).ok().map(GoalCondition::Holds);
            }
            let name = self.shown(head);
            let near = keyword::nearest(&name, Context::Goal).or_else(|| keyword::nearest(&name, Context::Condition));
            let help = match near {
                Some(near) => format!("did you mean `{near}`? The goal is left out"),
                None => "the goal is left out".to_owned(),
            };
            self.push(
                Severity::Warning,
                Code::UnknownGoal,
                head,
                format!("`{name}` is no goal"),
                help,
            );
            return None;
        };
        let section = Section { form, elements };
        let args = section.args();
        match keyword {
            Keyword::Stalemated => Some(GoalCondition::Stalemated),
            Keyword::Repetition => Some(GoalCondition::Repetition),
            Keyword::Checkmated => self.goal_kinds(&section, keyword).map(GoalCondition::Checkmated),
            Keyword::Captured => self.goal_kinds(&section, keyword).map(GoalCondition::Captured),
            Keyword::AbsoluteConfig => self.build_absolute_config(&section),
            Keyword::RelativeConfig => self.build_relative_config(&section),
            Keyword::PiecesRemaining => {
                let (count, kind) = self.build_count(&section, keyword)?;
                Some(GoalCondition::PiecesRemaining(count, kind))
            }
            Keyword::TotalPieceCount => {
                let (count, kind) = self.build_count(&section, keyword)?;
                Some(GoalCondition::TotalPieceCount(count, kind))
            }
            Keyword::And => {
                let parts = self.build_goal_conditions(args)?;
                Some(joined(parts, Condition::And).unwrap_or_else(GoalCondition::And))
            }
            Keyword::Or => {
                let parts = self.build_goal_conditions(args)?;
                Some(joined(parts, Condition::Or).unwrap_or_else(GoalCondition::Or))
            }
            Keyword::Not => match *args {
                [inner] => Some(match self.build_goal_condition(inner)? {
                    GoalCondition::Holds(condition) => GoalCondition::Holds(Condition::Not(Box::new(condition))),
                    condition => GoalCondition::Not(Box::new(condition)),
                }),
                _ => self.bad_goal(form, "`not` takes one goal", keyword),
            },
            _ => self.bad_goal(form, "this is no goal", keyword),
        }
    }

    /// Tells whether a form could be a condition about the board, or something else that is known but no condition.
    fn is_question(&mut self, form: Form) -> bool {
        self.sorts(form) != Sorts::default()
    }

    fn build_goal_conditions(&mut self, forms: &[Form]) -> Option<Vec<GoalCondition>> {
        let built: Vec<_> = forms.iter().map(|&form| self.build_goal_condition(form)).collect();
        built.into_iter().collect()
    }

    fn goal_kinds(&mut self, section: &Section, keyword: Keyword) -> Option<Vec<PieceKindId>> {
        if section.args().is_empty() {
            return self.bad_goal(section.form, format!("`{}` names no piece", keyword.name()), keyword);
        }
        section
            .args()
            .iter()
            .map(|&form| self.kind(form, Severity::Warning))
            .collect()
    }

    /// Reads `N [PIECE]`.
    fn build_count(&mut self, section: &Section, keyword: Keyword) -> Option<(u32, Option<PieceKindId>)> {
        let Some(&count) = section.args().first() else {
            return self.bad_goal(section.form, format!("`{}` has no number", keyword.name()), keyword);
        };
        let number = self.number(count)?;
        let Ok(number) = u32::try_from(number) else {
            return self.bad_goal(count, "a number of pieces cannot be negative", keyword);
        };
        let kind = match section.args().get(1) {
            Some(&kind) => Some(self.kind(kind, Severity::Warning)?),
            None => None,
        };
        Some((number, kind))
    }

    /// Reads `OCCUPANT … (PLACE …)`.
    fn build_absolute_config(&mut self, section: &Section) -> Option<GoalCondition> {
        let Some((&places, occupants)) = section
            .args()
            .split_last()
            .filter(|(_, occupants)| !occupants.is_empty())
        else {
            return self.bad_goal(
                section.form,
                "the configuration lacks pieces or places",
                Keyword::AbsoluteConfig,
            );
        };
        let occupants: Option<Vec<_>> = occupants.iter().map(|&form| self.build_occupant(form)).collect();
        let places = if self.is_list(places) {
            self.elements(places)
        } else {
            vec![places]
        };
        let places: Option<Vec<_>> = places.into_iter().map(|form| self.goal_place(form)).collect();
        Some(GoalCondition::AbsoluteConfig(occupants?, places?))
    }

    fn goal_place(&mut self, form: Form) -> Option<GoalPlace> {
        let symbol = self.word(form);
        if let Some(cell) = symbol.and_then(|symbol| self.cells.get(symbol)) {
            return Some(GoalPlace::Cell(cell));
        }
        if let Some(zone) = symbol.and_then(|symbol| self.zones.get(symbol)) {
            return Some(GoalPlace::Zone(zone));
        }
        let candidates = self.cells.symbols.iter().chain(&self.zones.symbols).copied().collect();
        self.unknown_name(Severity::Warning, form, "position or zone", candidates);
        None
    }

    /// Reads `OCCUPANT DIRECTION OCCUPANT …`.
    fn build_relative_config(&mut self, section: &Section) -> Option<GoalCondition> {
        let Some((&first, rest)) = section.args().split_first() else {
            return self.bad_goal(section.form, "the configuration is empty", Keyword::RelativeConfig);
        };
        let first = self.build_occupant(first)?;
        let mut steps = Vec::new();
        for pair in rest.chunks(2) {
            let &[direction, occupant] = pair else {
                let message = "the configuration ends with a direction";
                return self.bad_goal(section.form, message, Keyword::RelativeConfig);
            };
            steps.push((
                self.direction(direction, Severity::Warning)?,
                self.build_occupant(occupant)?,
            ));
        }
        Some(GoalCondition::RelativeConfig(first, steps))
    }

    /// Reads `T`, `(opponent T)`, `(any-owner T)` or `(not OCCUPANT)`.
    fn build_occupant(&mut self, form: Form) -> Option<OccupantTest> {
        if !self.is_list(form) {
            let kind = self.kind(form, Severity::Warning)?;
            return Some(OccupantTest {
                kind,
                owner: OccupantOwner::Friend,
                negated: false,
            });
        }
        let elements = self.elements(form);
        let keyword = elements.first().and_then(|&head| self.peek(head, Context::Occupant));
        match (elements.get(1), keyword) {
            (Some(&inner), Some(keyword)) => {
                let occupant = self.build_occupant(inner)?;
                Some(match keyword {
                    Keyword::Opponent => OccupantTest {
                        owner: OccupantOwner::Enemy,
                        ..occupant
                    },
                    Keyword::AnyOwner => OccupantTest {
                        owner: OccupantOwner::Any,
                        ..occupant
                    },
                    _ => OccupantTest {
                        negated: !occupant.negated,
                        ..occupant
                    },
                })
            }
            (None, None) if elements.len() == 1 => self.build_occupant(elements[0]),
            _ => self.bad_goal(form, "the list is no occupant", Keyword::Opponent),
        }
    }

    fn bad_goal<T>(&mut self, at: Form, message: impl Into<String>, keyword: Keyword) -> Option<T> {
        let help = format!("it is written `{}`; the goal is left out", keyword.shape());
        self.push(Severity::Warning, Code::BadGoal, at, message, help);
        None
    }
}

/// Puts parts together that are all conditions about the board; gives them back if one is not.
fn joined(
    parts: Vec<GoalCondition>,
    join: fn(Vec<Condition>) -> Condition,
) -> Result<GoalCondition, Vec<GoalCondition>> {
    let is_condition = |part: &GoalCondition| matches!(part, GoalCondition::Holds(_));
    if parts.is_empty() || !parts.iter().all(is_condition) {
        return Err(parts);
    }
    let conditions = parts.into_iter().filter_map(|part| match part {
        GoalCondition::Holds(condition) => Some(condition),
        _ => None,
    });
    Ok(GoalCondition::Holds(join(conditions.collect())))
}
