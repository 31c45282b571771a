//! Options and texts of a game.

use super::quirk::Quirks;

/// When a player may pass.
///
/// # Language
/// `docs/language.md`: option "pass turn".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PassTurn {
    /// Never.
    #[default]
    Never,
    /// Always.
    Always,
    /// Only without any other legal move.
    Forced,
}

/// How chains of partial moves are compared.
///
/// # Language
/// `docs/language.md`: option "maximal captures".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MaximalCaptures {
    /// Not at all.
    #[default]
    Off,
    /// Only the longest chains are legal.
    Longest,
    /// Among the longest, those that capture the most valuable pieces.
    LongestThenValue,
}

/// The options that change the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// `pass turn`.
    pub pass_turn: PassTurn,
    /// `pass partial`: a chain of partial moves may be ended early.
    pub pass_partial: bool,
    /// `maximal captures`.
    pub maximal_captures: MaximalCaptures,
    /// `recycle captures`: a captured piece goes back to its owner's stock.
    pub recycle_captures: bool,
    /// `recycle promotions`: a promotion exchanges the piece with one from the stock.
    pub recycle_promotions: bool,
    /// `include off-pieces`: piece counts include the stock.
    pub include_off_pieces: bool,
    /// `end by agreement`: a player may offer to end the round, which is then scored.
    pub end_by_agreement: bool,
    /// `repetition draw`: where no goal speaks of repetition, the third occurrence of a position is a draw.
    pub repetition_draw: bool,
    /// The readings of disputed points.
    pub quirks: Quirks,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            pass_turn: PassTurn::default(),
            pass_partial: false,
            maximal_captures: MaximalCaptures::default(),
            recycle_captures: false,
            recycle_promotions: false,
            include_off_pieces: false,
            end_by_agreement: false,
            repetition_draw: true,
            quirks: Quirks::default(),
        }
    }
}

/// Texts, sounds and other things that have no effect on the rules; kept for user interfaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// What the game is.
    pub description: Option<String>,
    /// Where it comes from.
    pub history: Option<String>,
    /// How to play it well.
    pub strategy: Option<String>,
    /// The saved game that solves a puzzle.
    pub solution: Option<String>,
    /// Sounds and music: the word of the section and its file name, in file order.
    pub sounds: Vec<(String, String)>,
    /// Every option as written, name and value, in file order; also those that have no effect here.
    pub options: Vec<(String, String)>,
}
