//! Sections beyond the classic language: variables, actions, answers to moves, turns by state, scores, matches,
//! scripted sides, levels.

use super::instructions::Reported;
use super::scope::Area;
use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::Form;
use crate::keyword::{self, Context, Keyword};
use crate::model::extension::{
    Actions, Actor, AfterMove, MatchRule, NamedLevel, PlayerNumber, Policy, SkipWhen, Variable,
};
use crate::model::ids::{PlayerId, PlayerVariableId, VariableId};
use crate::model::piece::Block;

/// The most rounds of a match.
const MAX_ROUNDS: i64 = 10_000;

impl Builder<'_> {
    /// Declares the variables, which everything may use.
    pub(super) fn declare_variables(&mut self, sections: &[(Keyword, Section)]) {
        for (keyword, section) in sections {
            let is_of_players = match keyword {
                Keyword::Variable => false,
                Keyword::PlayerVariable => true,
                _ => continue,
            };
            let (name, value) = match *section.args() {
                [name] => (name, None),
                [name, value] => (name, Some(value)),
                _ => {
                    let message = format!("`{}` takes a name and a number", keyword.name());
                    self.bad_form(Severity::Warning, section.form, message, *keyword);
                    continue;
                }
            };
            let Some(symbol) = self.word(name) else {
                let message = "a list stands where a name was expected";
                self.bad_form(Severity::Warning, name, message, *keyword);
                continue;
            };
            let initial = match value {
                Some(value) => self.initial_value(value),
                None => Some(0),
            };
            let Some(initial) = initial else { continue };
            let variable = Variable {
                name: self.expander.text(symbol).to_owned(),
                initial,
            };
            self.declare_variable(name, symbol, variable, is_of_players);
        }
    }

    fn declare_variable(&mut self, form: Form, symbol: crate::symbol::Symbol, variable: Variable, is_of_players: bool) {
        let known = match is_of_players {
            false => self.variables.get(symbol).map(VariableId::index),
            true => self.player_variables.get(symbol).map(PlayerVariableId::index),
        };
        let is_other = match is_of_players {
            false => self.player_variables.get(symbol).is_some(),
            true => self.variables.get(symbol).is_some(),
        };
        let table = match is_of_players {
            false => &mut self.extensions.variables,
            true => &mut self.extensions.player_variables,
        };
        if let Some(known) = known {
            table[known] = variable;
        } else if !is_other {
            let index = table.len();
            match (is_of_players, VariableId::new(index), PlayerVariableId::new(index)) {
                (false, Some(id), _) => self.variables.insert(symbol, id),
                (true, _, Some(id)) => self.player_variables.insert(symbol, id),
                _ => {
                    self.push(Severity::Error, Code::TooMany, form, "there are too many variables", "");
                    return;
                }
            }
            table.push(variable);
            return;
        }
        let message = format!("the variable `{}` is declared twice", self.shown(form));
        let help = if is_other {
            "the first one counts"
        } else {
            "the last one counts"
        };
        self.push(Severity::Warning, Code::DuplicateName, form, message, help);
    }

    /// Reads the value that a variable or attribute has at first: a number, `true` or `false`.
    pub(super) fn initial_value(&mut self, form: Form) -> Option<i32> {
        match self.text(form) {
            "true" => return Some(1),
            "false" => return Some(0),
            _ => {}
        }
        match self.literal(form) {
            Ok(Some(number)) => Some(number),
            Ok(None) => {
                let message = format!("found `{}` where a whole number was expected", self.shown(form));
                let help = "write digits only, with a `-` before if negative";
                self.push(Severity::Warning, Code::BadNumber, form, message, help);
                None
            }
            Err(Reported) => None,
        }
    }

    /// Declares the move types of the actions, which blocks may use before they are declared.
    pub(super) fn declare_action_types(&mut self, sections: &[(Keyword, Section)]) {
        for (_, section) in sections.iter().filter(|(keyword, _)| *keyword == Keyword::Actions) {
            self.declare_move_types(section);
        }
    }

    /// Builds the sections that go beyond the classic language, but for the setup.
    pub(super) fn build_extension_sections(&mut self, sections: &[(Keyword, Section)]) {
        for (keyword, section) in sections {
            self.enter(Area::Section, None);
            // What is wrong has been reported; the section is left out.
            let _ = match keyword {
                Keyword::Actions => self.build_actions(section),
                Keyword::AfterMove => self.build_after_move(section),
                Keyword::SkipWhen => self.build_skip_when(section),
                Keyword::Actor => self.build_actor(section),
                Keyword::MaximizeTurn => self.build_maximize_turn(section),
                Keyword::Score | Keyword::Evaluate => self.build_player_number(*keyword, section),
                Keyword::Match => self.build_match(section),
                Keyword::Policy => self.build_policy(section),
                Keyword::Level => self.build_level(section),
                _ => Ok(()),
            };
        }
        self.enter(Area::default(), None);
    }

    /// Reads a player or a list of players.
    pub(super) fn player_list(&mut self, form: Form) -> Result<Vec<PlayerId>, Reported> {
        let names = if self.is_list(form) {
            self.elements(form)
        } else {
            vec![form]
        };
        let players: Option<Vec<_>> = names
            .into_iter()
            .map(|name| self.player(name, Severity::Warning))
            .collect();
        players.ok_or(Reported)
    }

    fn bad_section(&mut self, at: Form, message: impl Into<String>, keyword: Keyword) -> Reported {
        let help = format!("it is written `{}`; the section is left out", keyword.shape());
        self.push(Severity::Warning, Code::BadForm, at, message, help);
        Reported
    }

    /// Tests the number of arguments of a section.
    fn section_arity(
        &mut self,
        section: &Section,
        keyword: Keyword,
        wanted: std::ops::RangeInclusive<usize>,
    ) -> Result<(), Reported> {
        let found = section.args().len();
        if wanted.contains(&found) {
            return Ok(());
        }
        let what = if found < *wanted.start() {
            "lacks something"
        } else {
            "has too much in it"
        };
        Err(self.bad_section(section.form, format!("`{}` {what}", keyword.name()), keyword))
    }

    fn build_actions(&mut self, section: &Section) -> Result<(), Reported> {
        self.section_arity(section, Keyword::Actions, 1..=usize::MAX)?;
        let players = self.player_list(section.args()[0])?;
        let mut blocks = Vec::new();
        let rest = &section.args()[1..];
        self.each_block(rest, Keyword::Actions, |builder, move_type, form| {
            builder.enter(Area::Actions, None);
            let elements = builder.elements(form);
            let instructions = builder.build_instructions(&elements);
            if let Some(instructions) = &instructions {
                builder.look_over(instructions, form);
            }
            let lets = builder.leave();
            blocks.extend(instructions.map(|instructions| Block {
                move_type,
                instructions,
                lets,
                only_at: None,
                site: builder.site(form),
            }));
        });
        self.extensions.actions.push(Actions { players, blocks });
        Ok(())
    }

    /// Reads instructions that are no block of moves.
    fn build_consequence(&mut self, area: Area, form: Form, forms: &[Form]) -> Result<Block, Reported> {
        self.enter(area, None);
        let instructions = self.build_instructions(forms);
        if let Some(instructions) = &instructions {
            self.look_over(instructions, form);
        }
        let lets = self.leave();
        self.enter(Area::Section, None);
        Ok(Block {
            move_type: None,
            instructions: instructions.ok_or(Reported)?,
            lets,
            only_at: None,
            site: self.site(form),
        })
    }

    fn build_after_move(&mut self, section: &Section) -> Result<(), Reported> {
        self.section_arity(section, Keyword::AfterMove, 1..=usize::MAX)?;
        let players = self.player_list(section.args()[0])?;
        let block = self.build_consequence(Area::AfterMove, section.form, &section.args()[1..])?;
        self.extensions.after_moves.push(AfterMove { players, block });
        Ok(())
    }

    fn build_skip_when(&mut self, section: &Section) -> Result<(), Reported> {
        self.section_arity(section, Keyword::SkipWhen, 2..=2)?;
        let players = self.player_list(section.args()[0])?;
        let condition = self.build_condition(section.args()[1])?;
        let site = self.site(section.form);
        let skips = players.into_iter().map(|player| SkipWhen {
            player,
            condition: condition.clone(),
            site,
        });
        self.extensions.skips.extend(skips);
        Ok(())
    }

    /// Reads `(actor SET (order N …) (new-round INSTRUCTION …))`.
    fn build_actor(&mut self, section: &Section) -> Result<(), Reported> {
        self.section_arity(section, Keyword::Actor, 1..=usize::MAX)?;
        self.enter(Area::Actor, None);
        let set = self.build_set(section.args()[0])?;
        let mut order = Vec::new();
        let mut new_round = None;
        for &form in &section.args()[1..] {
            let elements = self.elements(form);
            let part = match elements.first() {
                Some(&head) => self.keyword(head, Context::Actor),
                None => None,
            };
            match part {
                Some(Keyword::Order) => {
                    order.extend(self.at_members(|builder| builder.build_numbers(&elements[1..]))?);
                }
                Some(_) => {
                    new_round = Some(self.build_consequence(Area::NewRound, form, &elements[1..])?);
                    self.enter(Area::Actor, None);
                }
                None => return Err(self.bad_part(form, Context::Actor)),
            }
        }
        let site = self.site(section.form);
        let nothing = Block {
            move_type: None,
            instructions: Vec::new(),
            lets: Vec::new(),
            only_at: None,
            site,
        };
        self.extensions.actor = Some(Actor {
            set,
            order,
            new_round: new_round.unwrap_or(nothing),
            site,
        });
        Ok(())
    }

    /// Reports a part of a section that is none.
    fn bad_part(&mut self, form: Form, context: Context) -> Reported {
        let elements = self.elements(form);
        let head = elements.first().copied().unwrap_or(form);
        let name = self.shown(head);
        let help = match keyword::nearest(&name, context) {
            Some(near) => format!("did you mean `{near}`? The section is left out"),
            None => "the section is left out".to_owned(),
        };
        let message = format!("`{name}` is no {}", context.description());
        self.push(Severity::Warning, Code::BadForm, form, message, help);
        Reported
    }

    fn build_maximize_turn(&mut self, section: &Section) -> Result<(), Reported> {
        self.section_arity(section, Keyword::MaximizeTurn, 1..=1)?;
        self.extensions.maximize_turn = Some(PlayerNumber {
            players: (0..self.player_models.len()).filter_map(PlayerId::new).collect(),
            number: self.build_number(section.args()[0])?,
            site: self.site(section.form),
        });
        Ok(())
    }

    /// Reads a `score` or `evaluate`; for each player the last one counts.
    fn build_player_number(&mut self, keyword: Keyword, section: &Section) -> Result<(), Reported> {
        self.section_arity(section, keyword, 2..=2)?;
        let players = self.player_list(section.args()[0])?;
        let number = self.build_number(section.args()[1])?;
        let site = self.site(section.form);
        let table = if keyword == Keyword::Score {
            &mut self.extensions.scores
        } else {
            &mut self.extensions.evaluations
        };
        let twice = (table.iter())
            .filter(|earlier| earlier.players.iter().any(|player| players.contains(player)))
            .map(|earlier| earlier.site)
            .collect();
        for earlier in table.iter_mut() {
            earlier.players.retain(|player| !players.contains(player));
        }
        table.retain(|earlier| !earlier.players.is_empty());
        table.push(PlayerNumber { players, number, site });
        self.note_twice(keyword, site, twice);
        Ok(())
    }

    fn build_match(&mut self, section: &Section) -> Result<(), Reported> {
        self.section_arity(section, Keyword::Match, 1..=2)?;
        let rounds = match self.number(section.args()[0]) {
            Some(rounds @ 1..=MAX_ROUNDS) => rounds as u32,
            Some(_) => {
                let message = format!("a match has from 1 to {MAX_ROUNDS} rounds");
                return Err(self.bad_section(section.args()[0], message, Keyword::Match));
            }
            None => return Err(Reported),
        };
        let swap_sides = match section.args().get(1) {
            Some(&form) => match self.keyword(form, Context::Match) {
                Some(_) => true,
                None => return Err(self.bad_part(form, Context::Match)),
            },
            None => false,
        };
        self.extensions.match_rule = Some(MatchRule { rounds, swap_sides });
        Ok(())
    }

    /// Reads `(policy (PLAYER …) [(forced CONDITION)] [(ties first|random)])`; for each player the last one counts.
    fn build_policy(&mut self, section: &Section) -> Result<(), Reported> {
        self.section_arity(section, Keyword::Policy, 1..=3)?;
        let players = self.player_list(section.args()[0])?;
        let mut policy = Policy {
            players,
            forced: None,
            random_ties: false,
            site: self.site(section.form),
        };
        for &form in &section.args()[1..] {
            let elements = self.elements(form);
            let &[head, value] = &elements[..] else {
                return Err(self.bad_part(form, Context::Policy));
            };
            match self.keyword(head, Context::Policy) {
                Some(Keyword::Forced) => policy.forced = Some(self.build_condition(value)?),
                Some(Keyword::Ties) => match self.keyword(value, Context::Policy) {
                    Some(Keyword::First) => policy.random_ties = false,
                    Some(Keyword::Random) => policy.random_ties = true,
                    _ => {
                        let message = format!("`{}` is no way to choose among equals", self.shown(value));
                        return Err(self.bad_section(value, message, Keyword::Ties));
                    }
                },
                _ => return Err(self.bad_part(form, Context::Policy)),
            }
        }
        let policies = &mut self.extensions.policies;
        let site = policy.site;
        let twice = (policies.iter())
            .filter(|earlier| earlier.players.iter().any(|player| policy.players.contains(player)))
            .map(|earlier| earlier.site)
            .collect();
        for earlier in policies.iter_mut() {
            earlier.players.retain(|player| !policy.players.contains(player));
        }
        policies.retain(|earlier| !earlier.players.is_empty());
        policies.push(policy);
        self.note_twice(Keyword::Policy, site, twice);
        Ok(())
    }

    /// Reads `(level NAME (depth N) …)`; the last of a name counts.
    fn build_level(&mut self, section: &Section) -> Result<(), Reported> {
        self.section_arity(section, Keyword::Level, 1..=usize::MAX)?;
        let name = section.args()[0];
        if self.is_list(name) {
            return Err(self.bad_section(name, "a level has no name", Keyword::Level));
        }
        let mut level = NamedLevel {
            name: self.text(name).to_owned(),
            ..NamedLevel::default()
        };
        for &form in &section.args()[1..] {
            let elements = self.elements(form);
            let &[head, value] = &elements[..] else {
                return Err(self.bad_part(form, Context::Level));
            };
            let Some(keyword) = self.keyword(head, Context::Level) else {
                return Err(self.bad_part(form, Context::Level));
            };
            let (part, most) = match keyword {
                Keyword::Depth => (&mut level.depth, 100),
                Keyword::Width => (&mut level.width, 1_000_000),
                Keyword::Milliseconds => (&mut level.milliseconds, 1_000_000_000),
                _ => (&mut level.random, 100),
            };
            match self.number(value) {
                Some(number) if 0 <= number && number <= most => *part = Some(number as u32),
                Some(_) => {
                    let message = format!("`{}` goes from 0 to {most}", keyword.name());
                    return Err(self.bad_section(value, message, keyword));
                }
                None => return Err(Reported),
            }
        }
        self.extensions.levels.retain(|known| known.name != level.name);
        self.extensions.levels.push(level);
        Ok(())
    }
}
