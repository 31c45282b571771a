//! Every word of the language: where it may stand, its shape, and what it means in one line.
//!
//! This table is the one place to add a word to. From it follow the lookup of words while the model is built, the
//! suggestions for misspelt ones and the list that `ludex keywords` prints. The `not-` forms of conditions are one rule
//! of the lookup and have no rows of their own.

use rustc_hash::FxHashMap;

use crate::symbol::{Interner, Symbol};

/// Where a word may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Context {
    /// Outside games.
    File,
    /// A section of `game` or `variant`.
    Game,
    /// An item of `board`.
    Board,
    /// An item of `grid`.
    Grid,
    /// An item of `zone`.
    Zone,
    /// A section of `piece`.
    Piece,
    /// An item of `moves` or `drops` that is not a block.
    Moves,
    /// An instruction of a move block.
    Instruction,
    /// A condition of a move block.
    Condition,
    /// A place or pointer within an instruction or condition.
    Place,
    /// A condition of a goal.
    Goal,
    /// An occupant in a goal.
    Occupant,
    /// The turn order.
    Turn,
    /// The setup.
    Setup,
}

impl Context {
    /// Returns the context in words, as in "no section of a piece".
    pub fn description(self) -> &'static str {
        match self {
            Context::File => "list outside games",
            Context::Game => "section of a game",
            Context::Board => "item of a board",
            Context::Grid => "item of a grid",
            Context::Zone => "item of a zone",
            Context::Piece => "section of a piece",
            Context::Moves => "item of moves",
            Context::Instruction => "instruction",
            Context::Condition => "condition",
            Context::Place => "place",
            Context::Goal => "goal",
            Context::Occupant => "occupant",
            Context::Turn => "item of the turn order",
            Context::Setup => "item of the setup",
        }
    }
}

macro_rules! keywords {
    ($($variant:ident = $name:literal in [$($context:ident),*], $shape:literal, $meaning:literal;)*) => {
        /// One word of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Keyword { $(#[doc = concat!("`", $name, "`: ", $meaning)] $variant,)* }

        impl Keyword {
            /// Every word, in the order of the table.
            pub const ALL: &[Keyword] = &[$(Keyword::$variant,)*];

            /// Returns the word.
            pub fn name(self) -> &'static str {
                match self { $(Keyword::$variant => $name,)* }
            }

            /// Returns where the word may stand.
            pub fn contexts(self) -> &'static [Context] {
                match self { $(Keyword::$variant => &[$(Context::$context),*],)* }
            }

            /// Returns how it is written: capitals stand for what the author fills in, `[…]` for what may be left out.
            pub fn shape(self) -> &'static str {
                match self { $(Keyword::$variant => $shape,)* }
            }

            /// Returns its meaning in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Keyword::$variant => $meaning,)* }
            }
        }
    };
}

keywords! {
    // The file.
    Version = "version" in [File], "(version \"2.0\")", "States the version of the language that the file needs.";
    Include = "include" in [File], "(include \"FILE\")", "Reads another file in place of this list.";
    Define = "define" in [File], "(define NAME FORM …)", "Declares a macro: (NAME ARGUMENT …) stands for the forms.";
    Translate = "translate" in [File], "(translate (\"WORD\" \"SHOWN\") …)", "Shows words differently; no rule depends on it.";
    Game = "game" in [File], "(game SECTION …)", "Declares a game.";
    Variant = "variant" in [File], "(variant SECTION …)", "Declares a game by what differs from the base game.";

    // Games.
    Title = "title" in [Game], "(title \"TEXT\")", "Names the game.";
    Description = "description" in [Game, Piece], "(description \"TEXT\")", "Tells what the game or piece is.";
    History = "history" in [Game], "(history \"TEXT\")", "Tells where the game comes from.";
    Strategy = "strategy" in [Game], "(strategy \"TEXT\")", "Tells how to play well.";
    Solution = "solution" in [Game], "(solution \"FILE\")", "Names a saved game that solves a puzzle.";
    Default = "default" in [Game], "(default)", "Marks the entry to choose when a file is opened.";
    Players = "players" in [Game, Zone], "(players NAME …)", "Names the players; a name beginning with ? is a random player.";
    TurnOrder = "turn-order" in [Game], "(turn-order ITEM …)", "Says whose turn comes when.";
    Repeat = "repeat" in [Turn], "repeat", "Marks the item to which play returns after the last.";
    Board = "board" in [Game], "(board ITEM …)", "Describes the board.";
    BoardSetup = "board-setup" in [Game], "(board-setup (PLAYER (PIECE POSITION … [off N]) …) …)", "Says what stands where at the start.";
    Off = "off" in [Setup], "off N", "Puts N pieces into the stock.";
    Piece = "piece" in [Game], "(piece SECTION …)", "Declares a kind of piece.";
    MovePriorities = "move-priorities" in [Game], "(move-priorities TYPE …)", "Ranks move types: while one has a legal move, those after it have none.";
    WinCondition = "win-condition" in [Game], "(win-condition (PLAYER …) GOAL)", "Says when a player wins.";
    LossCondition = "loss-condition" in [Game], "(loss-condition (PLAYER …) GOAL)", "Says when a player loses.";
    DrawCondition = "draw-condition" in [Game], "(draw-condition (PLAYER …) GOAL)", "Says when the game is drawn.";
    CountCondition = "count-condition" in [Game], "(count-condition [(PLAYER …)] GOAL)", "Says when the player with the most pieces wins.";
    Option = "option" in [Game], "(option \"NAME\" VALUE)", "Sets an option.";
    Engine = "engine" in [Game], "(engine \"FILE\")", "Names the plug-in that holds the moves of the game.";
    Music = "music" in [Game], "(music \"FILE\")", "Names music to play.";
    OpeningSound = "opening-sound" in [Game], "(opening-sound \"FILE\")", "Names the sound of a new game.";
    WinSound = "win-sound" in [Game], "(win-sound \"FILE\")", "Names the sound of a win.";
    LossSound = "loss-sound" in [Game], "(loss-sound \"FILE\")", "Names the sound of a loss.";
    DrawSound = "draw-sound" in [Game], "(draw-sound \"FILE\")", "Names the sound of a draw.";
    ClickSound = "click-sound" in [Game], "(click-sound \"FILE\")", "Names the sound of picking a piece.";
    MoveSound = "move-sound" in [Game], "(move-sound \"FILE\")", "Names the sound of a move.";
    ReleaseSound = "release-sound" in [Game], "(release-sound \"FILE\")", "Names the sound of letting go of a piece.";
    CaptureSound = "capture-sound" in [Game], "(capture-sound \"FILE\")", "Names the sound of a capture.";
    DropSound = "drop-sound" in [Game], "(drop-sound \"FILE\")", "Names the sound of a drop.";
    ChangeSound = "change-sound" in [Game], "(change-sound \"FILE\")", "Names the sound of a change of kind.";
    PassTurn = "pass-turn" in [Game], "(pass-turn VALUE)", "Is the old form of the option \"pass turn\".";
    PassPartial = "pass-partial" in [Game], "(pass-partial VALUE)", "Is the old form of the option \"pass partial\".";
    MaximalCaptures = "maximal-captures" in [Game], "(maximal-captures VALUE)", "Is the old form of the option \"maximal captures\".";
    RecycleCaptures = "recycle-captures" in [Game], "(recycle-captures VALUE)", "Is the old form of the option \"recycle captures\".";
    RecyclePromotions = "recycle-promotions" in [Game], "(recycle-promotions VALUE)", "Is the old form of the option \"recycle promotions\".";
    IncludeOffPieces = "include-off-pieces" in [Game], "(include-off-pieces VALUE)", "Is the old form of the option \"include off-pieces\".";
    AnimateCaptures = "animate-captures" in [Game], "(animate-captures VALUE)", "Is the old form of the option \"animate captures\".";
    AnimateDrops = "animate-drops" in [Game], "(animate-drops VALUE)", "Is the old form of the option \"animate drops\".";
    AllowFlipping = "allow-flipping" in [Game], "(allow-flipping VALUE)", "Says whether the board may be shown turned round.";

    // Boards.
    Image = "image" in [Board, Piece], "(image \"FILE\" …)", "Names pictures.";
    Grid = "grid" in [Board], "(grid ITEM …)", "Makes positions in rows and columns.";
    StartRectangle = "start-rectangle" in [Grid], "(start-rectangle LEFT TOP RIGHT BOTTOM)", "Places the first position on the picture.";
    Dimensions = "dimensions" in [Grid], "(dimensions (\"LABEL/…\" (DX DY)) …)", "Labels the rows of each dimension; a position is named by one label of each.";
    Directions = "directions" in [Grid], "(directions (NAME STEP …) …)", "Links positions by steps, counted in labels.";
    Positions = "positions" in [Board, Zone], "(positions (NAME LEFT TOP RIGHT BOTTOM) …)", "Makes single positions, or lists those of a zone.";
    Dummy = "dummy" in [Board, Piece], "(dummy POSITION …)", "Makes positions that are not shown; marks a piece that is not counted.";
    Links = "links" in [Board], "(links DIRECTION (FROM TO) …)", "Links positions one way; a later link replaces an earlier one.";
    Unlink = "unlink" in [Board], "(unlink POSITION | (POSITION POSITION) | (POSITION DIRECTION) …)", "Removes links.";
    KillPositions = "kill-positions" in [Board], "(kill-positions POSITION …)", "Removes positions.";
    Symmetry = "symmetry" in [Board], "(symmetry PLAYER (DIRECTION DIRECTION) …)", "Says which direction a player means by another.";
    Zone = "zone" in [Board], "(zone (name NAME) (players PLAYER …) (positions POSITION …))", "Names a set of positions for some players.";

    // Pieces.
    Name = "name" in [Piece, Zone], "(name NAME)", "Names a piece or a zone.";
    Help = "help" in [Piece], "(help \"TEXT\")", "Gives a line of help.";
    Open = "open" in [Piece], "(open \"FILE\")", "Names a document about the piece.";
    Notation = "notation" in [Piece], "(notation \"TEXT\")", "Gives the short name of the piece in lists of moves.";
    Attribute = "attribute" in [Piece], "(attribute NAME true|false)", "Declares an attribute with its value at first.";
    Moves = "moves" in [Piece], "(moves BLOCK …)", "Says how the piece moves.";
    Drops = "drops" in [Piece], "(drops BLOCK …)", "Says where the piece may be dropped from the stock.";
    MoveType = "move-type" in [Moves], "(move-type TYPE)", "Gives the blocks after it a move type.";

    // Instructions.
    Opposite = "opposite" in [Instruction, Place], "(opposite DIRECTION)", "Steps against a direction, or is the place there.";
    From = "from" in [Instruction, Place], "from", "Starts the movement at the current position.";
    To = "to" in [Instruction, Place], "to", "Ends the movement at the current position.";
    Back = "back" in [Instruction], "back", "Goes back to the mark.";
    Mark = "mark" in [Instruction, Place], "mark | (mark PLACE)", "Marks a position.";
    Go = "go" in [Instruction], "(go from|to|mark|last-from|last-to)", "Goes to a pointer.";
    LastFrom = "last-from" in [Place], "last-from", "Is where the previous move started.";
    LastTo = "last-to" in [Place], "last-to", "Is where the previous move ended.";
    Cascade = "cascade" in [Instruction], "cascade", "Ends a movement and begins another one of the same move.";
    Add = "add" in [Instruction], "add | (add PIECE …)", "Makes a move of what has been collected; the piece may become another.";
    AddPartial = "add-partial" in [Instruction], "add-partial | (add-partial [PIECE …] [TYPE …])", "Makes a move after which the piece may move on.";
    AddCopy = "add-copy" in [Instruction], "add-copy | (add-copy PIECE …)", "Makes a move that leaves the piece and puts a new one at the destination.";
    AddCopyPartial = "add-copy-partial" in [Instruction], "add-copy-partial | (add-copy-partial [PIECE …] [TYPE …])", "Is both of add-copy and add-partial.";
    Capture = "capture" in [Instruction], "capture | (capture PLACE)", "Removes what stands at a place.";
    Flip = "flip" in [Instruction], "flip | (flip PLACE)", "Gives a piece to the next player.";
    ChangeOwner = "change-owner" in [Instruction], "change-owner | (change-owner PLACE)", "Gives a piece to the mover.";
    ChangeType = "change-type" in [Instruction], "(change-type PIECE [PLACE])", "Makes a piece one of another kind.";
    Create = "create" in [Instruction], "(create [PLAYER] [PIECE] [PLACE])", "Puts a new piece on the board.";
    SetAttribute = "set-attribute" in [Instruction], "(set-attribute ATTRIBUTE VALUE [PLACE])", "Sets an attribute of a piece; the value may be a condition.";
    SetFlag = "set-flag" in [Instruction], "(set-flag FLAG VALUE)", "Sets a flag of this run; the value may be a condition.";
    SetPositionFlag = "set-position-flag" in [Instruction], "(set-position-flag FLAG VALUE [PLACE])", "Sets a flag of a position for this run.";
    Verify = "verify" in [Instruction], "(verify CONDITION)", "Ends the run unless the condition holds.";
    If = "if" in [Instruction], "(if CONDITION INSTRUCTION … [else INSTRUCTION …])", "Runs instructions if the condition holds, others if not.";
    Else = "else" in [Instruction], "else", "Divides the instructions of an if.";
    While = "while" in [Instruction], "(while CONDITION INSTRUCTION …)", "Repeats instructions as long as the condition holds.";

    // Conditions.
    And = "and" in [Condition, Goal], "(and CONDITION …)", "Holds if all hold.";
    Or = "or" in [Condition, Goal], "(or CONDITION …)", "Holds if one holds.";
    Not = "not" in [Condition, Goal, Occupant], "(not CONDITION)", "Holds if the condition does not.";
    True = "true" in [Condition], "true", "Always holds.";
    False = "false" in [Condition], "false", "Never holds.";
    IsEmpty = "empty?" in [Condition], "empty? | (empty? PLACE)", "Holds if no piece is there.";
    IsFriend = "friend?" in [Condition], "friend? | (friend? PLACE)", "Holds if a piece of the mover is there.";
    IsEnemy = "enemy?" in [Condition], "enemy? | (enemy? PLACE)", "Holds if a piece of another player who takes turns is there.";
    IsNeutral = "neutral?" in [Condition], "neutral? | (neutral? PLACE)", "Holds if a piece of a player who takes no turns is there.";
    IsPiece = "piece?" in [Condition], "(piece? PIECE [PLACE])", "Holds if such a piece is there, whoever owns it.";
    IsOnBoard = "on-board?" in [Condition], "on-board? | (on-board? PLACE)", "Holds if the place exists.";
    IsInZone = "in-zone?" in [Condition], "(in-zone? ZONE [PLACE])", "Holds if the place is in the zone of the mover.";
    IsPosition = "position?" in [Condition], "(position? POSITION [PLACE])", "Holds if the place is this position.";
    IsMarked = "marked?" in [Condition], "marked? | (marked? PLACE)", "Holds if the place is the marked one.";
    IsLastFrom = "last-from?" in [Condition], "last-from? | (last-from? PLACE)", "Holds if the previous move started there.";
    IsLastTo = "last-to?" in [Condition], "last-to? | (last-to? PLACE)", "Holds if the previous move ended there.";
    IsFlag = "flag?" in [Condition], "(flag? FLAG)", "Holds if the flag is set.";
    IsPositionFlag = "position-flag?" in [Condition], "(position-flag? FLAG [PLACE])", "Holds if the flag of the position is set.";
    IsAttacked = "attacked?" in [Condition], "attacked? | (attacked? [TYPE] [PLACE])", "Holds if an enemy could take a piece of the mover there.";
    IsDefended = "defended?" in [Condition], "defended? | (defended? [TYPE] [PLACE])", "Holds if the mover could retake there.";
    IsAdjacentToEnemy = "adjacent-to-enemy?" in [Condition], "adjacent-to-enemy? | (adjacent-to-enemy? PLACE)", "Holds if a link leads from there to an enemy.";
    IsGoalPosition = "goal-position?" in [Condition], "goal-position? | (goal-position? PLACE)", "Holds if an absolute-config names the place.";

    // Goals.
    Stalemated = "stalemated" in [Goal], "stalemated", "Holds if the player is to move and cannot.";
    Repetition = "repetition" in [Goal], "repetition", "Holds if the position has occurred for the third time.";
    Checkmated = "checkmated" in [Goal], "(checkmated PIECE …)", "Holds if such a piece is attacked and the player cannot move; no move may leave one attacked.";
    Captured = "captured" in [Goal], "(captured PIECE …)", "Holds if such a piece of the player was captured by the last move.";
    AbsoluteConfig = "absolute-config" in [Goal], "(absolute-config OCCUPANT … (PLACE …))", "Holds if each place has one of the occupants.";
    RelativeConfig = "relative-config" in [Goal], "(relative-config OCCUPANT DIRECTION OCCUPANT …)", "Holds if somewhere the occupants stand in this pattern.";
    PiecesRemaining = "pieces-remaining" in [Goal], "(pieces-remaining N [PIECE])", "Holds if the player has exactly N pieces.";
    TotalPieceCount = "total-piece-count" in [Goal], "(total-piece-count N [PIECE])", "Holds if all players together have exactly N pieces.";
    Opponent = "opponent" in [Occupant], "(opponent PIECE)", "Is a piece of an enemy.";
    AnyOwner = "any-owner" in [Occupant], "(any-owner PIECE)", "Is a piece of anyone.";
}

impl Keyword {
    /// Tells whether the word may stand in `context`.
    pub fn stands_in(self, context: Context) -> bool {
        self.contexts().contains(&context)
    }

    /// Returns the word with this name.
    pub fn from_name(name: &str) -> Option<Keyword> {
        Keyword::ALL.iter().copied().find(|keyword| keyword.name() == name)
    }
}

/// Finds words by their symbols.
#[derive(Debug)]
pub struct KeywordTable {
    by_symbol: FxHashMap<Symbol, Keyword>,
    /// The `not-` forms of conditions.
    negated: FxHashMap<Symbol, Keyword>,
}

impl KeywordTable {
    /// Interns all words.
    pub fn new(interner: &mut Interner) -> KeywordTable {
        let by_symbol = Keyword::ALL
            .iter()
            .map(|&keyword| (interner.intern(keyword.name()), keyword))
            .collect();
        let conditions = Keyword::ALL.iter().filter(|keyword| keyword.name().ends_with('?'));
        let negated = conditions
            .map(|&keyword| (interner.intern(&format!("not-{}", keyword.name())), keyword))
            .collect();
        KeywordTable { by_symbol, negated }
    }

    /// Returns the word, if it may stand in `context`.
    pub fn get(&self, symbol: Symbol, context: Context) -> Option<Keyword> {
        self.by_symbol
            .get(&symbol)
            .copied()
            .filter(|keyword| keyword.stands_in(context))
    }

    /// Returns the condition of which this is the `not-` form.
    pub fn negated(&self, symbol: Symbol) -> Option<Keyword> {
        self.negated.get(&symbol).copied()
    }
}

/// Returns the words of a context nearest to a misspelt one, if any is near.
pub fn nearest(name: &str, context: Context) -> Option<&'static str> {
    let words = Keyword::ALL
        .iter()
        .filter(|keyword| keyword.stands_in(context))
        .map(|keyword| keyword.name());
    nearest_of(name, words)
}

/// Returns the candidate nearest to a misspelt name, if one is near enough to be meant.
pub fn nearest_of<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// A difference in case only counts as the smallest of all.
fn distance(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        0
    } else {
        strsim::damerau_levenshtein(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (index, keyword) in Keyword::ALL.iter().enumerate() {
            assert!(
                !Keyword::ALL[..index].iter().any(|other| other.name() == keyword.name()),
                "{}",
                keyword.name()
            );
            assert!(keyword.meaning().ends_with('.'), "{}", keyword.name());
        }
    }

    #[test]
    fn misspelt_words_find_their_like() {
        assert_eq!(nearest("descriprion", Context::Game), Some("description"));
        assert_eq!(nearest("varify", Context::Instruction), Some("verify"));
        assert_eq!(nearest("glyph", Context::Piece), None);
        assert_eq!(nearest_of("knight", ["Knight", "Night"]), Some("Knight"));
    }
}
