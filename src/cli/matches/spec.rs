//! How a player of a match plays, as it is written on the command line.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use ludex::keyword::nearest_of;
use ludex::search::{self, Level, Limits};

use super::super::engine::EngineName;
use super::super::play::USUAL_LEVEL;
use super::super::search::parse_seconds;

/// How a player of a match plays.
#[derive(Clone, Debug)]
pub struct Spec {
    /// As it was written, without blanks.
    text: String,
    /// How moves are chosen.
    pub way: Way,
}

/// How moves are chosen.
#[derive(Clone, Debug)]
pub enum Way {
    /// Every legal move is equally likely.
    Random,
    /// The rules choose (`policy`).
    Policy,
    /// The engine chooses, as loosely as the level does, or the best it finds without one.
    Engine {
        /// Which engine.
        engine: EngineName,
        /// In how many threads.
        threads: usize,
        /// What the search does without.
        without: search::Parts,
        /// The time for the whole game and what is added after each move.
        clock: Option<(Duration, Duration)>,
        /// The file with the weights of its evaluation; `none` for those that the rules suggest.
        weights: Option<String>,
        /// How loosely.
        level: Option<Level>,
        /// The name that the rules give to the level, if it has no number.
        named: Option<String>,
        /// How long.
        limits: Limits,
    },
}

/// The words that can be written.
const WORDS: [&str; 11] = [
    "random", "policy", "level", "engine", "time", "nodes", "depth", "threads", "without", "weights", "clock",
];

/// What was read of a specification.
#[derive(Default)]
struct Parts {
    random: bool,
    policy: bool,
    named: Option<String>,
    engine: Option<EngineName>,
    level: Option<Level>,
    threads: Option<u16>,
    without: search::Parts,
    weights: Option<String>,
    clock: Option<(Duration, Duration)>,
    limits: Limits,
}

impl Spec {
    /// Returns the engine of a level.
    pub fn of_level(level: Level) -> Spec {
        Spec {
            text: format!("level={}", level.number()),
            way: Way::Engine {
                engine: EngineName::Auto,
                threads: 1,
                without: search::Parts::default(),
                weights: None,
                clock: None,
                level: Some(level),
                named: None,
                limits: level.limits(),
            },
        }
    }

    /// Returns the choice of the rules.
    pub fn of_policy() -> Spec {
        Spec {
            text: "policy".to_owned(),
            way: Way::Policy,
        }
    }

    /// Returns the text, which tells specifications apart.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The usual player.
impl Default for Spec {
    fn default() -> Spec {
        Spec::of_level(usual_level())
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let text: String = text.split_whitespace().collect();
        let mut parts = Parts::default();
        let mut seen = Vec::new();
        for part in text.split(',') {
            let (word, value) = match part.split_once('=') {
                Some((word, value)) => (word, Some(value)),
                None => (part, None),
            };
            if seen.contains(&word) {
                return Err(format!("`{word}` is there twice"));
            }
            seen.push(word);
            parts.read(word, value)?;
        }
        if parts.random && seen.len() > 1 {
            return Err("`random` stands alone: it does not search".to_owned());
        }
        if parts.policy && seen.len() > 1 {
            return Err("`policy` stands alone: it does not search".to_owned());
        }
        let way = parts.way();
        Ok(Spec { text, way })
    }
}

impl Parts {
    fn read(&mut self, word: &str, value: Option<&str>) -> Result<(), String> {
        match (word, value) {
            ("random", None) => self.random = true,
            ("random", Some(_)) => return Err("`random` has no value".to_owned()),
            ("policy", None) => self.policy = true,
            ("policy", Some(_)) => return Err("`policy` has no value".to_owned()),
            // A level with a name is looked for when the game is known.
            ("level", Some(value)) if value.starts_with(|c: char| c.is_alphabetic()) => {
                self.named = Some(value.to_owned());
            }
            ("level", Some(value)) => self.level = Some(parse_level(value)?),
            ("engine", Some(value)) => self.engine = Some(parse_engine(value)?),
            ("time", Some(value)) => self.limits.time = Some(parse_seconds(value)?),
            ("nodes", Some(value)) => self.limits.nodes = Some(parse_count(value)?),
            ("depth", Some(value)) => self.limits.depth = Some(parse_count(value)?),
            ("threads", Some(value)) => self.threads = Some(parse_count(value)?),
            ("without", Some(value)) => self.without = parse_parts(value)?,
            ("clock", Some(value)) => {
                let (time, increment) = value.split_once('+').unwrap_or((value, "0"));
                self.clock = Some((parse_seconds(time)?, parse_seconds(increment)?));
            }
            ("weights", Some(value)) => self.weights = Some(value.to_owned()),
            ("", _) => return Err("a word is missing".to_owned()),
            (word, None) if WORDS.contains(&word) => return Err(format!("`{word}` needs a value: `{word}=…`")),
            (word, _) => return Err(unknown_word(word)),
        }
        Ok(())
    }

    /// Lets what was written replace what the level says: its time too if the search is limited otherwise, for a match
    /// in nodes or depth is the same on every machine.
    fn way(self) -> Way {
        if self.random {
            return Way::Random;
        }
        if self.policy {
            return Way::Policy;
        }
        let Limits { depth, nodes, time, .. } = self.limits;
        let is_limited = depth.is_some() || nodes.is_some() || time.is_some() || self.clock.is_some();
        let level = match self.level {
            None if !is_limited && self.named.is_none() => Some(usual_level()),
            level => level,
        };
        let usual = level.map_or(Limits::default(), Level::limits);
        let limits = Limits {
            depth: depth.or(usual.depth),
            nodes,
            time: if is_limited { time } else { usual.time },
            ..Limits::default()
        };
        Way::Engine {
            engine: self.engine.unwrap_or_default(),
            threads: usize::from(self.threads.unwrap_or(1)),
            without: self.without,
            weights: self.weights,
            clock: self.clock,
            level,
            named: self.named,
            limits,
        }
    }
}

fn usual_level() -> Level {
    Level::new(USUAL_LEVEL).unwrap_or(Level::WEAKEST)
}

fn parse_level(text: &str) -> Result<Level, String> {
    let level = text.parse().ok().and_then(Level::new);
    level.ok_or_else(|| {
        format!(
            "`{text}` is no level; there are {} to {}",
            Level::WEAKEST.number(),
            Level::STRONGEST.number()
        )
    })
}

fn parse_engine(text: &str) -> Result<EngineName, String> {
    EngineName::from_str(text, true).map_err(|_| {
        let names = EngineName::value_variants()
            .iter()
            .filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = names.map(|name| format!("`{}`", name.get_name())).collect();
        format!("`{text}` is no engine; there are {}", names.join(", "))
    })
}

/// Reads parts of the search, joined by `+`.
fn parse_parts(text: &str) -> Result<search::Parts, String> {
    text.split('+').try_fold(search::Parts::default(), |parts, name| {
        let found = search::Parts::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|&(_, part)| parts.and(part)).ok_or_else(|| {
            let names = search::Parts::NAMES.map(|(name, _)| name).join(", ");
            format!("`{name}` is no part of the search; there are {names}")
        })
    })
}

/// Reads a number from 1 on.
fn parse_count<N: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<N, String> {
    let count = text.parse().ok().filter(|count| *count >= N::from(1));
    count.ok_or_else(|| format!("`{text}` is no number from 1 on"))
}

fn unknown_word(word: &str) -> String {
    match nearest_of(word, WORDS) {
        Some(near) => format!("`{word}` says nothing; did you mean `{near}`?"),
        None => format!("`{word}` says nothing; there are {}", WORDS.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes what a specification means.
    fn meaning(text: &str) -> String {
        match text.parse::<Spec>().map(|spec| spec.way) {
            Ok(Way::Random) => "random".to_owned(),
            Ok(Way::Policy) => "policy".to_owned(),
            Ok(Way::Engine { level, limits, .. }) => format!(
                "{:?} {:?} {:?} {:?}",
                level.map(Level::number),
                limits.depth,
                limits.nodes,
                limits.time.map(|time| Duration::as_millis(&time))
            ),
            Err(message) => message,
        }
    }

    #[test]
    fn limits_replace_those_of_the_level() {
        assert_eq!(meaning("random"), "random");
        assert_eq!(meaning("level=3"), "Some(3) Some(2) None Some(1000)");
        assert_eq!(meaning("level=3,nodes=50"), "Some(3) Some(2) Some(50) None");
        assert_eq!(meaning("time=0.5, level=3"), "Some(3) Some(2) None Some(500)");
        assert_eq!(meaning("depth=4"), "None Some(4) None None");
        assert_eq!(meaning("engine=alphabeta"), "Some(4) Some(2) None Some(1000)");
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(meaning("nods=5"), "`nods` says nothing; did you mean `nodes`?");
        assert_eq!(meaning("depth"), "`depth` needs a value: `depth=…`");
        assert_eq!(meaning("depth=0"), "`0` is no number from 1 on");
        assert_eq!(meaning("depth=1,depth=2"), "`depth` is there twice");
        assert_eq!(meaning("random,depth=1"), "`random` stands alone: it does not search");
        assert_eq!(meaning("level=11"), "`11` is no level; there are 1 to 10");
        assert_eq!(
            meaning("engine=deep"),
            "`deep` is no engine; there are `auto`, `alphabeta`, `mcts`, `maxn`"
        );
        assert_eq!(meaning(""), "a word is missing");
    }
}
