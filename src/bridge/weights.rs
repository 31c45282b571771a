//! How much each part of the evaluation counts, as found by play; kept in a small text file beside the rules.
//!
//! ```text
//! ; What `ludex tune` has found. In percent of what the rules alone suggest.
//! game Chess
//! mobility 140
//! places 80
//! center 60
//! piece Knight 90
//! table Pawn
//!    .    .    .
//!   60   75   60
//!    5   20    5
//!    .    .    .
//! late King
//!    1    9    1
//!    2   14    2
//!  -12    0  -12
//!  -30  -25  -30
//! ```
//!
//! A table tells what it is worth, in score points, that a piece of some kind stands somewhere ([`Table`]); the rows
//! follow one on each line, a dot being a place where the kind was never seen. A table of pairs tells what it is worth to the
//! owner of a piece, in the middle, that another one, of the same player or, `against` in place of `with`, of the other, is
//! so many columns and rows away. A table of runners tells what it is worth besides that a piece stands where nothing of its
//! kind can stop it any more. A table of pieces in hand tells what the first, the second, the third and each further one is
//! worth besides the value of its kind. A table of prospects tells how much of a lead counts late ([`Subject::Prospects`]). What
//! begins with `late` comes to it by and by, as the board empties, or fills. Having the turn is worth so many points, and so
//! is each move of a kind of piece (`freedom`), each that ends close to the royal piece of the other side (`pressure`), and
//! each onto a piece of some kind (`attack`); what comes to that late begins with `late-`. A file may hold several games,
//! each begun by its title. What is not mentioned counts as the rules suggest.

use std::fmt;

pub use super::activity::{Action, Activity};
pub use super::hands::{HandClasses, hand_table};
pub use super::pairs::{PairClasses, PairName, PairPlaces, Relation, pair_spot, pair_table};
pub use super::prospects::{Leads, prospects_table};
pub use super::runners::Marches;
pub use super::tables::{Layout, Table};
use crate::model::GameModel;

/// A part of the evaluation that can count more or less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The moves there are.
    Mobility,
    /// Where pieces stand, by goals and promotion.
    Places,
    /// Rows that a goal asks for.
    Lines,
    /// Standing where a piece of its kind has many moves.
    Center,
    /// A kind of piece, by its name.
    Piece(String),
}

/// When a table counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// From the start to the end.
    Always,
    /// The more, the more the number of pieces on the board differs from that at the start.
    Late,
}

impl Stage {
    /// Both, in order.
    pub const ALL: [Stage; 2] = [Stage::Always, Stage::Late];
}

/// What a table is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Where pieces of a kind stand, by its name; laid out like the board.
    Places(String),
    /// Where pieces of a kind stand that nothing of their kind can stop on their way; laid out like the board.
    Runners(String),
    /// How far apart the pieces of a pair are.
    Pair(PairName),
    /// What pieces of a kind in hand are worth besides its value, by its name: one row, for the first, the second, the third
    /// and each further one.
    Hand(String),
    /// How much of a lead counts late, in percent more or less: a row for 0, 1, 2, 3 and more pieces of the leader that can be
    /// promoted; a column for each lead in its other pieces, from 2 of the commonest pieces less to 9 more.
    Prospects,
}

impl Subject {
    /// Returns the word with which its tables begin in files.
    fn word(&self, stage: Stage) -> &'static str {
        match (self, stage) {
            (Subject::Places(_), Stage::Always) => "table",
            (Subject::Places(_), Stage::Late) => "late",
            (Subject::Runners(_), Stage::Always) => "runner",
            (Subject::Runners(_), Stage::Late) => "late-runner",
            (Subject::Pair(_), Stage::Always) => "pair",
            (Subject::Pair(_), Stage::Late) => "late-pair",
            (Subject::Hand(_), Stage::Always) => "hand",
            (Subject::Hand(_), Stage::Late) => "late-hand",
            (Subject::Prospects, _) => "prospects",
        }
    }

    /// Reads how a table begins; none if it is none, or nothing if it does not say what it is about.
    fn read(word: &str, rest: &str) -> Option<Option<(Subject, Stage)>> {
        let name = || Some(rest.to_owned()).filter(|name| !name.is_empty());
        let (subject, stage) = match word {
            "table" => (name().map(Subject::Places), Stage::Always),
            "late" => (name().map(Subject::Places), Stage::Late),
            "runner" => (name().map(Subject::Runners), Stage::Always),
            "late-runner" => (name().map(Subject::Runners), Stage::Late),
            "pair" => (PairName::read(rest).map(Subject::Pair), Stage::Always),
            "late-pair" => (PairName::read(rest).map(Subject::Pair), Stage::Late),
            "hand" => (name().map(Subject::Hand), Stage::Always),
            "late-hand" => (name().map(Subject::Hand), Stage::Late),
            "prospects" => (rest.is_empty().then_some(Subject::Prospects), Stage::Late),
            _ => return None,
        };
        Some(subject.map(|subject| (subject, stage)))
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Places(kind) | Subject::Runners(kind) | Subject::Hand(kind) => f.write_str(kind),
            Subject::Pair(pair) => pair.fmt(f),
            Subject::Prospects => Ok(()),
        }
    }
}

/// How much the parts of the evaluation of one game count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// In percent; a part occurs once.
    parts: Vec<(Part, i32)>,
    /// Each subject occurs once for each stage.
    tables: Vec<(Subject, Stage, Table)>,
    /// What a move of a kind is worth, in score points; each occurs once for each stage.
    actions: Vec<(Action, Stage, i32)>,
    /// What it is worth to have the turn, in score points.
    pub turn: i32,
    /// Whether simulations have turned out stronger than alpha-beta, or weaker.
    pub simulations: Option<bool>,
}

/// The least and the greatest weight.
const RANGE: (i32, i32) = (-400, 1000);

/// What is wrong with a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: `{text}` says no weight, such as `piece Knight 90`")]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
}

impl Part {
    /// Returns all parts of a game that can have a weight.
    pub fn all(model: &GameModel) -> Vec<Part> {
        let kinds = model.kinds.iter().filter(|kind| !kind.dummy);
        let pieces = kinds.map(|kind| Part::Piece(kind.name.clone()));
        [Part::Mobility, Part::Places, Part::Lines, Part::Center]
            .into_iter()
            .chain(pieces)
            .collect()
    }

    /// Returns what a part counts unless something else is found: all as the rules suggest, but the center, on which they
    /// say nothing.
    fn usual(&self) -> i32 {
        if *self == Part::Center { 0 } else { 100 }
    }
}

impl Weights {
    /// Returns how much a part counts, in percent.
    pub fn get(&self, part: &Part) -> i32 {
        let found = self.parts.iter().find(|(known, _)| known == part);
        found.map_or(part.usual(), |&(_, percent)| percent)
    }

    /// Lets a part count so many percent, held within what makes sense.
    pub fn set(&mut self, part: Part, percent: i32) {
        let percent = percent.clamp(RANGE.0, RANGE.1);
        match self.parts.iter_mut().find(|(known, _)| *known == part) {
            Some((_, old)) => *old = percent,
            None => self.parts.push((part, percent)),
        }
    }

    /// Returns what has been found about a subject, if anything.
    pub fn table(&self, subject: &Subject, stage: Stage) -> Option<&Table> {
        let is_wanted = |(known, when, _): &&(Subject, Stage, Table)| known == subject && *when == stage;
        self.tables.iter().find(is_wanted).map(|(.., table)| table)
    }

    /// Tells what has been found about a subject; a table of zeros is left out.
    pub fn set_table(&mut self, subject: Subject, stage: Stage, table: Table) {
        self.tables
            .retain(|(known, when, _)| *known != subject || *when != stage);
        if !table.is_zero() {
            self.tables.push((subject, stage, table));
        }
    }

    /// Returns what there are tables about, each as often as it has stages.
    pub fn subjects(&self) -> impl Iterator<Item = &Subject> {
        self.tables.iter().map(|(subject, ..)| subject)
    }

    /// Tells whether there is any table.
    pub fn has_tables(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Returns what a move of a kind is worth, in score points.
    pub fn action(&self, action: &Action, stage: Stage) -> i32 {
        let found = self
            .actions
            .iter()
            .find(|(known, when, _)| known == action && *when == stage);
        found.map_or(0, |&(.., worth)| worth)
    }

    /// Tells what a move of a kind is worth, in score points; what is worth nothing is left out.
    pub fn set_action(&mut self, action: Action, stage: Stage, worth: i32) {
        self.actions
            .retain(|(known, when, _)| *known != action || *when != stage);
        if worth != 0 {
            self.actions.push((action, stage, worth.clamp(RANGE.0, RANGE.1)));
        }
    }

    /// Tells whether moves of any kind are worth something.
    pub fn has_actions(&self) -> bool {
        !self.actions.is_empty()
    }

    /// Reads the weights of the game of a title; nothing if the file has none.
    ///
    /// # Errors
    /// The first line that says nothing, of whatever game.
    pub fn read(text: &str, title: &str) -> Result<Option<Weights>, WeightsError> {
        let mut found: Option<Weights> = None;
        let mut is_here = false;
        // The table that rows belong to.
        let mut table: Option<(Subject, Stage, Table)> = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.split(';').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let error = || WeightsError {
                line: index + 1,
                text: line.to_owned(),
            };
            if line.starts_with(['.', '-']) || line.starts_with(|first: char| first.is_ascii_digit()) {
                let (.., table) = table.as_mut().ok_or_else(error)?;
                table.read_row(line).ok_or_else(error)?;
                continue;
            }
            if let (Some((subject, stage, table)), Some(weights), true) = (table.take(), found.as_mut(), is_here) {
                weights.set_table(subject, stage, table);
            }
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            if let Some(heading) = Subject::read(word, rest) {
                let (subject, stage) = heading.ok_or_else(error)?;
                table = Some((subject, stage, Table::default()));
                continue;
            }
            if word == "game" && !rest.is_empty() {
                is_here = rest == title;
                if is_here {
                    found.get_or_insert_default();
                }
                continue;
            }
            if word == "engine" {
                let simulations = match rest {
                    "mcts" => true,
                    "alphabeta" => false,
                    _ => return Err(error()),
                };
                if let Some(weights) = found.as_mut().filter(|_| is_here) {
                    weights.simulations = Some(simulations);
                }
                continue;
            }
            let (name, percent) = rest.rsplit_once(char::is_whitespace).unwrap_or(("", rest));
            let percent: i32 = percent.parse().map_err(|_| error())?;
            if (word, name) == ("turn", "") {
                if let Some(weights) = found.as_mut().filter(|_| is_here) {
                    weights.turn = percent.clamp(RANGE.0, RANGE.1);
                }
                continue;
            }
            let (stage, action) = match word.strip_prefix("late-") {
                Some(word) => (Stage::Late, Action::read(word, name.trim())),
                None => (Stage::Always, Action::read(word, name.trim())),
            };
            if let Some(action) = action {
                if let Some(weights) = found.as_mut().filter(|_| is_here) {
                    weights.set_action(action, stage, percent);
                }
                continue;
            }
            let part = match (word, name.trim()) {
                ("mobility", "") => Part::Mobility,
                ("places", "") => Part::Places,
                ("lines", "") => Part::Lines,
                ("center", "") => Part::Center,
                ("piece", name) if !name.is_empty() => Part::Piece(name.to_owned()),
                _ => return Err(error()),
            };
            if let Some(weights) = found.as_mut().filter(|_| is_here) {
                weights.set(part, percent);
            }
        }
        if let (Some((subject, stage, table)), Some(weights), true) = (table, found.as_mut(), is_here) {
            weights.set_table(subject, stage, table);
        }
        Ok(found)
    }

    /// Writes the weights as those of the game of a title.
    pub fn write(&self, title: &str) -> String {
        let mut text = format!("game {title}\n");
        if let Some(simulations) = self.simulations {
            text.push_str(if simulations {
                "engine mcts\n"
            } else {
                "engine alphabeta\n"
            });
        }
        for (part, percent) in &self.parts {
            text.push_str(&format!("{part} {percent}\n"));
        }
        if self.turn != 0 {
            text.push_str(&format!("turn {}\n", self.turn));
        }
        for (action, stage, worth) in &self.actions {
            let late = if *stage == Stage::Late { "late-" } else { "" };
            text.push_str(&format!("{late}{action} {worth}\n"));
        }
        for (subject, stage, table) in &self.tables {
            let heading = format!("{} {subject}", subject.word(*stage));
            text.push_str(&format!("{}\n{table}", heading.trim_end()));
        }
        text
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Mobility => f.write_str("mobility"),
            Part::Places => f.write_str("places"),
            Part::Lines => f.write_str("lines"),
            Part::Center => f.write_str("center"),
            Part::Piece(name) => write!(f, "piece {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(kind: &str) -> Subject {
        Subject::Places(kind.to_owned())
    }

    #[test]
    fn tables_are_read_as_they_are_written() {
        let text = "game A\nmobility 90\ntable Big Troll\n   .   -5    7\n  12    0    .\nlate Man\n   1    2    3\n";
        let weights = Weights::read(text, "A").unwrap().unwrap();
        let table = weights.table(&places("Big Troll"), Stage::Always).unwrap();
        assert_eq!(
            [(1, 0), (0, 1), (0, 0), (7, 7)].map(|spot| table.get(spot)),
            [-5, 12, 0, 0]
        );
        assert_eq!(
            weights
                .table(&places("Man"), Stage::Late)
                .map(|table| table.get((2, 0))),
            Some(3)
        );
        assert_eq!(weights.table(&places("Man"), Stage::Always), None);
        assert_eq!(weights.get(&Part::Mobility), 90);
        assert_eq!(weights.table(&places("Troll"), Stage::Always), None);
        assert_eq!(Weights::read(&weights.write("A"), "A"), Ok(Some(weights)));
        // Rows of another game are passed over, rows of no table and odd ones are wrong.
        assert_eq!(Weights::read(text, "B"), Ok(None));
        for (wrong, line) in [("game A\n1 2 3\n", 2), ("game A\ntable Man\n1 two 3\n", 3)] {
            assert_eq!(Weights::read(wrong, "A").map_err(|error| error.line), Err(line));
        }
    }

    #[test]
    fn pairs_and_moves_are_read_as_they_are_written() {
        let text = "game A\nturn 12\nfreedom Big Troll 3\nlate-pressure Man -2\nattack Man on Big Troll 15\n\
            pair Man with Man\n   1    2\n   .    4\nlate-pair Man against Big Troll\n  -7\nlate-runner Man\n   9\n\
            hand Man\n   1   -2    .    5\nprospects\n -80    .   20\n";
        let weights = Weights::read(text, "A").unwrap().unwrap();
        assert_eq!(weights.turn, 12);
        let man = || "Man".to_owned();
        let troll = || "Big Troll".to_owned();
        assert_eq!(weights.action(&Action::Freedom(troll()), Stage::Always), 3);
        assert_eq!(weights.action(&Action::Freedom(troll()), Stage::Late), 0);
        assert_eq!(weights.action(&Action::Pressure(man()), Stage::Late), -2);
        assert_eq!(weights.action(&Action::Attack(man(), troll()), Stage::Always), 15);
        let pair = |relation, second| {
            Subject::Pair(PairName {
                first: man(),
                relation,
                second,
            })
        };
        let table = weights.table(&pair(Relation::With, man()), Stage::Always).unwrap();
        assert_eq!([(1, 0), (0, 1), (1, 1)].map(|spot| table.get(spot)), [2, 0, 4]);
        let table = weights.table(&pair(Relation::Against, troll()), Stage::Late).unwrap();
        assert_eq!(table.get((0, 0)), -7);
        let table = weights.table(&Subject::Runners(man()), Stage::Late).unwrap();
        assert_eq!(table.get((0, 0)), 9);
        let table = weights.table(&Subject::Hand(man()), Stage::Always).unwrap();
        assert_eq!([(0, 0), (1, 0), (3, 0)].map(|spot| table.get(spot)), [1, -2, 5]);
        let table = weights.table(&Subject::Prospects, Stage::Late).unwrap();
        assert_eq!([(0, 0), (1, 0), (2, 0)].map(|spot| table.get(spot)), [-80, 0, 20]);
        assert_eq!(Weights::read(&weights.write("A"), "A"), Ok(Some(weights)));
        for wrong in [
            "game A\npair Man Man\n1 2\n",
            "game A\nattack Man Troll 3\n",
            "game A\nfreedom Man\n",
            "game A\nprospects of Man\n1 2\n",
            "game\n",
        ] {
            assert!(Weights::read(wrong, "A").is_err(), "{wrong}");
        }
    }

    #[test]
    fn weights_are_read_as_they_are_written() {
        let mut weights = Weights {
            simulations: Some(true),
            ..Weights::default()
        };
        weights.set(Part::Mobility, 120);
        weights.set(Part::Piece("Big Troll".to_owned()), 80);
        weights.set(Part::Mobility, 110);
        let text = format!(
            "; a remark\n{}\n{}",
            Weights::default().write("Other"),
            weights.write("A Game")
        );
        assert_eq!(Weights::read(&text, "A Game"), Ok(Some(weights.clone())));
        assert_eq!(Weights::read(&text, "Other"), Ok(Some(Weights::default())));
        assert_eq!(Weights::read(&text, "A"), Ok(None));
        assert_eq!(weights.get(&Part::Mobility), 110);
        assert_eq!((weights.get(&Part::Places), weights.get(&Part::Center)), (100, 0));
        assert_eq!(
            Weights::read("game A\nmobility much", "A").map_err(|error| error.line),
            Err(2)
        );
    }
}
