//! What a game can have beyond moves and goals: answers to moves, turns by state, scores, matches, scripted sides,
//! random setups.
//!
//! # Language
//! `docs/language.md`: the sections beyond the classic language.

use super::Site;
use super::expression::{Condition, Number, Set};
use super::ids::{CellId, PieceKindId, PlayerId};
use super::piece::Block;

/// A variable of the game or of each player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value at the start.
    pub initial: i32,
}

/// Moves that belong to no piece (`actions`).
#[derive(Clone, Debug, PartialEq)]
pub struct Actions {
    /// Whose moves they are.
    pub players: Vec<PlayerId>,
    /// The blocks, each run once with no current cell.
    pub blocks: Vec<Block>,
}

/// The common tail of every ply of some players (`after-move`).
#[derive(Clone, Debug, PartialEq)]
pub struct AfterMove {
    /// After whose plies.
    pub players: Vec<PlayerId>,
    /// What is executed.
    pub block: Block,
}

/// A turn that is passed over (`skip-when`).
#[derive(Clone, Debug, PartialEq)]
pub struct SkipWhen {
    /// Whose turn.
    pub player: PlayerId,
    /// When.
    pub condition: Condition,
    /// Where it is written.
    pub site: Site,
}

/// Turns that belong to one piece each (`actor`).
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// The pieces that can act.
    pub set: Set,
    /// By what the one that acts next is chosen, the more important first.
    pub order: Vec<Number>,
    /// What is executed when no piece can act.
    pub new_round: Block,
    /// Where it is written.
    pub site: Site,
}

/// A number that belongs to players (`score`, `evaluate`).
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerNumber {
    /// The players.
    pub players: Vec<PlayerId>,
    /// The number; `friend` is the player.
    pub number: Number,
    /// Where it is written.
    pub site: Site,
}

/// Several rounds (`match`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRule {
    /// How many.
    pub rounds: u32,
    /// Whether the players exchange sides after each.
    pub swap_sides: bool,
}

/// How a side is played that nobody else plays (`policy`).
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The sides.
    pub players: Vec<PlayerId>,
    /// When its choice is law.
    pub forced: Option<Condition>,
    /// Whether equally good moves are chosen among at random, rather than the first.
    pub random_ties: bool,
    /// Where it is written.
    pub site: Site,
}

/// A named strength of the engine (`level`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedLevel {
    /// Its name.
    pub name: String,
    /// How many plies it looks ahead.
    pub depth: Option<u32>,
    /// How many moves of a position it looks at.
    pub width: Option<u32>,
    /// How long it thinks.
    pub milliseconds: Option<u32>,
    /// How often of a hundred times it plays at random.
    pub random: Option<u32>,
}

/// One item of a `random-setup`.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomItem {
    /// What it does.
    pub kind: RandomItemKind,
    /// Where it is written.
    pub site: Site,
}

/// What an item of a `random-setup` does.
#[derive(Clone, Debug, PartialEq)]
pub enum RandomItemKind {
    /// Puts pieces on random empty cells of a set.
    Pieces {
        /// Whose.
        player: PlayerId,
        /// Of which kind.
        kind: PieceKindId,
        /// How many.
        count: Number,
        /// Where.
        set: Set,
    },
    /// A `let` or a `verify`.
    Instruction(super::piece::Instruction),
}

/// A setup by chance (`random-setup`).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RandomSetup {
    /// The items, in order.
    pub items: Vec<RandomItem>,
    /// What its `let`s hold, by `LetId`.
    pub lets: Vec<super::piece::LetKind>,
}

/// The sections beyond the classic language of one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extensions {
    /// The variables of the game, by `VariableId`.
    pub variables: Vec<Variable>,
    /// The variables that every player has, by `PlayerVariableId`.
    pub player_variables: Vec<Variable>,
    /// The names of the constants, by `ConstantId`.
    pub constants: Vec<String>,
    /// Moves of no piece, in file order.
    pub actions: Vec<Actions>,
    /// Tails of plies, in file order.
    pub after_moves: Vec<AfterMove>,
    /// Turns passed over.
    pub skips: Vec<SkipWhen>,
    /// Turns by piece.
    pub actor: Option<Actor>,
    /// What the legal ways to play a turn make greatest.
    pub maximize_turn: Option<PlayerNumber>,
    /// Scores.
    pub scores: Vec<PlayerNumber>,
    /// Leaf evaluations for search.
    pub evaluations: Vec<PlayerNumber>,
    /// The rounds of a match.
    pub match_rule: Option<MatchRule>,
    /// Scripted sides.
    pub policies: Vec<Policy>,
    /// Named strengths.
    pub levels: Vec<NamedLevel>,
    /// A setup by chance.
    pub random_setup: Option<RandomSetup>,
    /// Numbers of single pieces of the setup that differ from those of a new piece: cell, attribute, value.
    pub setup_attributes: Vec<(CellId, super::ids::AttributeId, i32)>,
    /// The extension words that the game uses, sorted.
    pub words: Vec<&'static str>,
    /// For each of these words the place of its first use.
    pub first_uses: Vec<Site>,
}
