//! Options that several commands share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// When to colour the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// Makes all output follow the choice.
    pub fn apply(self) {
        let choice = match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Which game.
#[derive(Clone, Debug, Args)]
pub struct GameOptions {
    /// A rule file, `-` for standard input, or the name of a built-in game
    #[arg(value_name = "GAME")]
    pub game: String,
    /// The game or variant in the file: its title, a part of it, or its number
    #[arg(long, value_name = "NAME|NUMBER")]
    pub variant: Option<String>,
    #[command(flatten)]
    pub include: IncludeOptions,
    #[command(flatten)]
    pub quirks: QuirkOptions,
}

/// Readings of disputed points of the language.
#[derive(Clone, Debug, Args)]
pub struct QuirkOptions {
    /// Another reading of a disputed point, whatever the rules say; may be repeated
    #[arg(long = "quirk", value_name = "NAME=VALUE")]
    pub quirks: Vec<String>,
}

/// Where included files are.
#[derive(Clone, Debug, Args)]
pub struct IncludeOptions {
    /// A folder in which included files are looked for after the file's own; may be repeated
    #[arg(long = "include", value_name = "DIR")]
    pub folders: Vec<PathBuf>,
}

/// Which position of the game.
#[derive(Clone, Debug, Args)]
pub struct PositionOptions {
    /// Moves to make first, parted by `;`
    #[arg(long, value_name = "MOVES")]
    pub play: Option<String>,
    /// The position to start from, as `(position …)` or `fen …`
    #[arg(long, value_name = "TEXT", conflicts_with = "position_file")]
    pub position: Option<String>,
    /// A file with the position to start from
    #[arg(long, value_name = "FILE")]
    pub position_file: Option<PathBuf>,
}

impl PositionOptions {
    /// Tells whether the game begins at its start.
    pub fn is_start(&self) -> bool {
        self.play.is_none() && self.position.is_none() && self.position_file.is_none()
    }
}

/// What random choices follow from.
#[derive(Clone, Copy, Debug, Args)]
pub struct SeedOption {
    /// The number that every random choice follows from; a random one, which is told, by default
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

impl SeedOption {
    /// Returns the seed that was given, or one that nobody can foresee.
    pub fn get(self) -> u64 {
        // Short enough to be typed again.
        self.seed.unwrap_or_else(|| u64::from(rand::random::<u32>()))
    }

    /// Returns the same option with a seed, so that all that asks for it gets the same.
    pub fn settled(self) -> SeedOption {
        SeedOption { seed: Some(self.get()) }
    }
}

/// Output for other programs.
#[derive(Clone, Copy, Debug, Args)]
pub struct JsonOption {
    /// Write one JSON document on standard output
    #[arg(long)]
    pub json: bool,
}
