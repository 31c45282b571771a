//! The checked game: names resolved to ids, nothing left that could be wrong.
//!
//! [`build()`] reads one entry of an expanded rule file and gives a [`GameModel`], or diagnostics. The model keeps names
//! for printing only; later stages work on ids. It knows nothing of bytecode, of running states or of search.
//!
//! The files follow the sections of a rule file: [`board`], [`piece`], [`turn`], [`goal`], [`option`](mod@option), each with the types
//! of its section, and [`extension`] those beyond the classic language; [`expression`] is what all of them can ask; `build/` holds the code that fills them from the text.

pub mod board;
mod build;
pub mod expression;
pub mod extension;
pub mod goal;
pub mod ids;
mod occupant;
pub mod option;
pub mod piece;
pub mod quirk;
pub mod turn;
pub mod walk;

use crate::expand::OriginId;
use crate::source::Span;

pub use board::Board;
pub use build::build;
pub(crate) use build::{makes_move, no_move};
pub use extension::Extensions;
pub use goal::Goal;
pub use ids::{
    AttributeId, CellId, ConstantId, DirectionId, FlagId, LetId, MoveTypeId, PieceKindId, PlayerId, PlayerVariableId,
    PositionFlagId, VariableId, ZoneId,
};
pub use occupant::{Occupant, Occupants};
pub use option::{Options, Texts};
pub use piece::PieceKind;
pub use quirk::Quirks;
pub use turn::{Player, TurnItem, TurnOrder};

use quirk::RandomPieces;

/// Where something is written: the text itself and the macro uses that put it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The text in the file or in the macro body.
    pub span: Span,
    /// The chain of macro uses.
    pub origin: OriginId,
}

/// The number of pieces in a stock that never runs out (`off *`).
pub const UNLIMITED: u32 = u32::MAX;

/// What stands where at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The pieces on the board; each cell at most once.
    pub pieces: Vec<(CellId, PlayerId, PieceKindId)>,
    /// The pieces in stock: player, kind, number, [`UNLIMITED`] for as many as wanted.
    pub stock: Vec<(PlayerId, PieceKindId, u32)>,
}

/// A checked game.
#[derive(Clone, Debug)]
pub struct GameModel {
    /// The title shown in menus and written in saved games.
    pub title: String,
    /// The players, in `PlayerId` order.
    pub players: Vec<Player>,
    /// Whose turn comes when.
    pub turn_order: TurnOrder,
    /// The board.
    pub board: Board,
    /// The piece kinds, in `PieceKindId` order.
    pub kinds: Vec<PieceKind>,
    /// The names of the attributes, in `AttributeId` order.
    pub attributes: Vec<String>,
    /// The names of the move types, in `MoveTypeId` order.
    pub move_types: Vec<String>,
    /// The names of the flags, in `FlagId` order.
    pub flags: Vec<String>,
    /// The names of the position flags, in `PositionFlagId` order.
    pub position_flags: Vec<String>,
    /// The listed move types, the most urgent first; empty if the game has no priorities.
    pub priorities: Vec<MoveTypeId>,
    /// The goals, in file order.
    pub goals: Vec<Goal>,
    /// The start.
    pub setup: Setup,
    /// The options that change the rules.
    pub options: Options,
    /// What has no effect on the rules.
    pub texts: Texts,
    /// What goes beyond the classic language.
    pub extensions: Extensions,
    /// The plug-in that holds the game's moves, if the file names one (`engine`).
    pub plugin: Option<String>,
}

impl GameModel {
    /// Returns the player of this name; for text from the user.
    pub fn find_player(&self, name: &str) -> Option<PlayerId> {
        self.players
            .iter()
            .position(|player| player.name == name)
            .and_then(PlayerId::new)
    }

    /// Returns the piece kind of this name; for text from the user.
    pub fn find_kind(&self, name: &str) -> Option<PieceKindId> {
        self.kinds
            .iter()
            .position(|kind| kind.name == name)
            .and_then(PieceKindId::new)
    }

    /// Returns the attribute of this name; for text from the user.
    pub fn find_attribute(&self, name: &str) -> Option<AttributeId> {
        self.attributes
            .iter()
            .position(|attribute| attribute == name)
            .and_then(AttributeId::new)
    }

    /// Returns the player on whose behalf code runs where there is no mover.
    pub fn nobody(&self) -> PlayerId {
        PlayerId(self.players.len() as u8)
    }

    /// Tells whether the game uses no word beyond the classic language.
    pub fn is_classic(&self) -> bool {
        self.extensions.words.is_empty()
    }

    /// Tells whether the pieces of a player are enemies of others rather than neutral.
    pub fn is_hostile(&self, owner: PlayerId) -> bool {
        let owner = &self.players[owner.index()];
        owner.takes_turns && !(owner.random && self.options.quirks.random_pieces == RandomPieces::Neutral)
    }

    /// Returns all players in order.
    pub fn player_ids(&self) -> impl Iterator<Item = PlayerId> + use<> {
        (0..self.players.len()).filter_map(PlayerId::new)
    }

    /// Returns all piece kinds in order.
    pub fn kind_ids(&self) -> impl Iterator<Item = PieceKindId> + use<> {
        (0..self.kinds.len()).filter_map(PieceKindId::new)
    }
}
