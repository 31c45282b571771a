//! Every word of the language: where it may stand, its shape, and what it means in one line.
//!
//! This table is the one place to add a word to. From it follow the lookup of words while the model is built, the
//! suggestions for misspelt ones and the list that `ludex keywords` prints. The `not-` forms of conditions are one rule
//! of the lookup and have no rows of their own.
//!
//! `in` says where a word stands in the classic language, `beyond` where it stands only here: an extension word, or a
//! classic word put to a further use. Where it stands beyond, any name of the rule file wins over it.

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
    /// A number.
    Number,
    /// A set of positions.
    Set,
    /// Whose pieces are meant.
    Who,
    /// A part of `actor`.
    Actor,
    /// A part of `policy`.
    Policy,
    /// A part of `level`.
    Level,
    /// A part of `match`.
    Match,
    /// How a shape may be laid.
    Shape,
    /// An item of `random-setup`.
    RandomSetup,
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
            Context::Number => "number",
            Context::Set => "set",
            Context::Who => "player or `friend`, `enemy`, `neutral`, `any`",
            Context::Actor => "part of an actor",
            Context::Policy => "part of a policy",
            Context::Level => "part of a level",
            Context::Match => "part of a match",
            Context::Shape => "way to lay a shape",
            Context::RandomSetup => "item of a random setup",
        }
    }
}

macro_rules! keywords {
    ($($variant:ident = $name:literal $(in [$($context:ident),*])? $(beyond [$($beyond:ident),*])?,
        $shape:literal, $meaning:literal;)*) => {
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

            /// Returns where the word may stand in the classic language.
            pub fn classic_contexts(self) -> &'static [Context] {
                match self { $(Keyword::$variant => &[$($(Context::$context),*)?],)* }
            }

            /// Returns where the word may stand besides: what goes beyond the classic language.
            pub fn extension_contexts(self) -> &'static [Context] {
                match self { $(Keyword::$variant => &[$($(Context::$beyond),*)?],)* }
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
    Foreach = "foreach" beyond [File], "(foreach $NAME (ITEM …) FORM …)", "Repeats forms once per item, in any list.";
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
    TurnOrder = "turn-order" in [Game], "(turn-order ITEM …)", "Says whose turn comes when; (N PLAYER) is N turns in a row.";
    Repeat = "repeat" in [Turn] beyond [Instruction], "(repeat RANGE INSTRUCTION …) | repeat", "Marks the item of the turn order to which play returns after the last; runs instructions so many times.";
    Board = "board" in [Game] beyond [Set], "(board ITEM …) | board", "Describes the board; is the set of all its positions.";
    BoardSetup = "board-setup" in [Game], "(board-setup (PLAYER (PIECE POSITION … [off N]) …) …)", "Says what stands where at the start.";
    Off = "off" in [Setup], "off N | off *", "Puts N pieces into the stock, or as many as wanted.";
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

    // Games beyond the classic language.
    Variable = "variable" beyond [Game], "(variable NAME [N])", "Declares a number that the game keeps, with its value at first.";
    PlayerVariable = "player-variable" beyond [Game], "(player-variable NAME [N])", "Declares a number that every player has.";
    Actions = "actions" beyond [Game], "(actions (PLAYER …) BLOCK …)", "Says what players may do without moving a piece.";
    AfterMove = "after-move" beyond [Game], "(after-move (PLAYER …) INSTRUCTION …)", "Says what follows every move of some players.";
    SkipWhen = "skip-when" beyond [Game], "(skip-when PLAYER CONDITION)", "Passes over the turn of a player while the condition holds.";
    Actor = "actor" beyond [Game], "(actor SET (order N …) (new-round INSTRUCTION …))", "Gives each turn to one piece.";
    Order = "order" beyond [Actor], "(order N …)", "Says by which numbers the piece that acts next is chosen, the least first.";
    NewRound = "new-round" beyond [Actor], "(new-round INSTRUCTION …)", "Says what happens when no piece can act.";
    MaximizeTurn = "maximize-turn" beyond [Game], "(maximize-turn N)", "Allows only the ways to play a turn that make a number greatest.";
    Score = "score" beyond [Game], "(score (PLAYER …) N)", "Says what score players have.";
    EndCondition = "end-condition" beyond [Game], "(end-condition CONDITION)", "Says when the game ends and the scores decide.";
    Match = "match" beyond [Game], "(match N [swap-sides])", "Says how many rounds are played.";
    SwapSides = "swap-sides" beyond [Match], "swap-sides", "Lets the players exchange sides after each round.";
    Policy = "policy" beyond [Game], "(policy (PLAYER …) [(forced CONDITION)] [(ties first|random)])", "Says how sides are played that nobody plays: by the ratings of their moves.";
    Forced = "forced" beyond [Policy], "(forced CONDITION)", "Says when the choice of the policy is law.";
    Ties = "ties" beyond [Policy], "(ties first|random)", "Says which of equally rated moves is chosen.";
    First = "first" beyond [Policy], "first", "Chooses the first of equals.";
    Evaluate = "evaluate" beyond [Game], "(evaluate (PLAYER …) N)", "Says how good a position is for players, for the search.";
    Level = "level" beyond [Game], "(level NAME [(depth N)] [(width N)] [(milliseconds N)] [(random PERCENT)])", "Names a strength of the computer player.";
    Depth = "depth" beyond [Level], "(depth N)", "Says how many plies are looked ahead.";
    Width = "width" beyond [Level], "(width N)", "Says how many moves of a position are looked at.";
    Milliseconds = "milliseconds" beyond [Level], "(milliseconds N)", "Says how long the computer thinks.";
    Random = "random" beyond [Level, Policy], "(random PERCENT) | random", "Says how often of a hundred times a level plays at random; chooses any of equals.";
    RandomSetup = "random-setup" beyond [Game], "(random-setup (PLAYER (PIECE N SET) …) | (let NAME VALUE) | (verify CONDITION) …)", "Puts pieces on random positions at the start.";
    BoardPicture = "board-picture" beyond [Game], "(board-picture (LETTER PLAYER PIECE) … \"ROW\" …)", "Says what stands where at the start, drawn as the board looks.";
    Constant = "constant" beyond [Piece], "(constant NAME N)", "Declares a number that goes with the kind of piece and never changes.";
    Shape = "shape" beyond [Piece], "(shape \"ROW/…\" [turns-only|fixed])", "Makes a piece that covers several positions, drawn with # and dots.";
    TurnsOnly = "turns-only" beyond [Shape], "turns-only", "Lets a shape be turned, not flipped.";
    Fixed = "fixed" beyond [Shape], "fixed", "Lets a shape lie only as it is drawn.";

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
    Zone = "zone" in [Board] beyond [Set], "(zone (name NAME) (players PLAYER …) (positions POSITION …)) | (zone ZONE)", "Names a set of positions for some players; is that set, as it is for the mover.";

    // Pieces.
    Name = "name" in [Piece, Zone], "(name NAME)", "Names a piece or a zone.";
    Help = "help" in [Piece], "(help \"TEXT\")", "Gives a line of help.";
    Open = "open" in [Piece], "(open \"FILE\")", "Names a document about the piece.";
    Notation = "notation" in [Piece], "(notation \"TEXT\")", "Gives the short name of the piece in lists of moves.";
    Attribute = "attribute" in [Piece], "(attribute NAME true|false|N)", "Declares an attribute with its value at first.";
    Moves = "moves" in [Piece], "(moves BLOCK …)", "Says how the piece moves.";
    Drops = "drops" in [Piece], "(drops BLOCK …)", "Says where the piece may be dropped from the stock.";
    MoveType = "move-type" in [Moves], "(move-type TYPE)", "Gives the blocks after it a move type.";

    // Instructions.
    Opposite = "opposite" in [Instruction, Place], "(opposite DIRECTION)", "Steps against a direction, or is the place there.";
    From = "from" in [Instruction, Place], "from", "Starts the movement at the current position.";
    To = "to" in [Instruction, Place], "to", "Ends the movement at the current position.";
    Back = "back" in [Instruction], "back", "Goes back to the mark.";
    Mark = "mark" in [Instruction, Place], "mark | (mark PLACE)", "Marks a position.";
    Go = "go" in [Instruction], "(go from|to|mark|last-from|last-to|PLACE)", "Goes to a pointer or another place.";
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
    SetAttribute = "set-attribute" in [Instruction], "(set-attribute ATTRIBUTE VALUE [PLACE])", "Sets an attribute of a piece; the value is a condition or a number.";
    SetFlag = "set-flag" in [Instruction], "(set-flag FLAG VALUE)", "Sets a flag of this run; the value may be a condition.";
    SetPositionFlag = "set-position-flag" in [Instruction], "(set-position-flag FLAG VALUE [PLACE])", "Sets a flag of a position for this run.";
    Verify = "verify" in [Instruction, RandomSetup], "(verify CONDITION)", "Ends the run unless the condition holds.";
    If = "if" in [Instruction], "(if CONDITION INSTRUCTION … [else INSTRUCTION …])", "Runs instructions if the condition holds, others if not.";
    Else = "else" in [Instruction], "else", "Divides the instructions of an if.";
    While = "while" in [Instruction], "(while CONDITION INSTRUCTION …)", "Repeats instructions as long as the condition holds.";

    // Instructions beyond the classic language.
    Let = "let" beyond [Instruction, RandomSetup], "(let NAME VALUE)", "Keeps a number or a place under a name for the rest of the run.";
    Set = "set" beyond [Instruction], "(set VARIABLE [PLAYER] N)", "Sets a variable of the game or of a player.";
    Increase = "increase" beyond [Instruction], "(increase NAME N [PLACE or PLAYER])", "Adds to an attribute or variable.";
    Choose = "choose" beyond [Instruction], "(choose (INSTRUCTION …) (INSTRUCTION …) …)", "Goes on with each of several alternatives.";
    Pick = "pick" beyond [Instruction], "(pick SET) | (pick [RANGE] SET INSTRUCTION …)", "Goes on at each position of a set; runs instructions at the positions of each sub-set.";
    ForEach = "for-each" beyond [Instruction], "(for-each SET INSTRUCTION …)", "Runs instructions at every position of a set.";
    Then = "then" beyond [Instruction], "then", "Ends a stage: what has been collected is made, and reading goes on from that board.";
    MovePiece = "move-piece" beyond [Instruction], "(move-piece FROM TO)", "Moves a further piece at the same time.";
    Label = "label" beyond [Instruction], "(label ITEM …)", "Adds words to the text of the move.";
    Again = "again" beyond [Instruction], "again", "Lets the same item of the turn order come once more.";
    Rate = "rate" beyond [Instruction], "(rate N …)", "Rates the next move that is made, for policies.";
    Range = ".." beyond [Instruction], "(LOW .. HIGH) | (LOW .. *)", "Stands between the least and the greatest number of times.";

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

    // Conditions beyond the classic language.
    Equal = "=" beyond [Condition], "(= A B)", "Holds if two numbers or places are the same.";
    Different = "<>" beyond [Condition], "(<> A B)", "Holds if two numbers or places are not the same.";
    Less = "<" beyond [Condition], "(< A B)", "Holds if the first number is less, or the first place comes before the other.";
    AtMost = "<=" beyond [Condition], "(<= A B)", "Holds if the first number or place is not greater.";
    Greater = ">" beyond [Condition], "(> A B)", "Holds if the first number or place is greater.";
    AtLeast = ">=" beyond [Condition], "(>= A B)", "Holds if the first number or place is not less.";
    Some = "some" beyond [Condition], "(some SET [CONDITION])", "Holds if a set has a position, or one where the condition holds.";
    Every = "every" beyond [Condition], "(every SET CONDITION)", "Holds if the condition holds at every position of a set.";
    IsOwner = "owner?" beyond [Condition], "(owner? WHO [PLACE])", "Holds if a piece of such a player is there.";
    IsAutomatic = "automatic?" beyond [Condition], "automatic?", "Holds if no person is playing; in goals only.";

    // Places.
    Here = "here" beyond [Place], "here", "Is the current position; in the condition of a set the member looked at.";
    GridCell = "cell" beyond [Place], "(cell I J …)", "Is the position with these grid indices, counted from 0.";

    // Sets.
    Neighbors = "neighbors" beyond [Set], "neighbors | (neighbors DIRECTIONS [PLACE])", "Is what lies one step away.";
    Ray = "ray" beyond [Set], "(ray DIRECTIONS CONDITION [PLACE])", "Is what lies in each direction, as far as the condition holds.";
    Pieces = "pieces" beyond [Set], "(pieces [WHO] [PIECE …])", "Is where such pieces stand.";
    Group = "group" beyond [Set], "(group SET CONDITION [DIRECTIONS])", "Is what is reached from a set over positions where the condition holds.";
    Where = "where" beyond [Set], "(where SET CONDITION)", "Is the members of a set where the condition holds.";
    Join = "join" beyond [Set], "(join SET …)", "Is the members of all.";
    MinBy = "min-by" beyond [Set], "(min-by SET N …)", "Is the member of a set with the least number.";
    Cells = "cells" beyond [Set], "cells", "Is what the shape covers that is dropped.";

    // Numbers.
    Select = "select" beyond [Number, Set], "(select CONDITION A B)", "Is the first of two numbers or sets if the condition holds, else the other.";
    Plus = "+" beyond [Number], "(+ N …)", "Adds numbers.";
    Subtract = "-" beyond [Number], "(- N) | (- N N …)", "Subtracts, or turns the sign round.";
    Multiply = "*" beyond [Number, Setup], "(* N …)", "Multiplies; as the upper end of a range or a number in stock it means no limit.";
    Divide = "/" beyond [Number], "(/ N N …)", "Divides and drops the fraction; by zero it is a fault.";
    Remainder = "mod" beyond [Number], "(mod N N)", "Is what a division leaves.";
    Least = "min" beyond [Number], "(min N …)", "Is the least of numbers.";
    Greatest = "max" beyond [Number], "(max N …)", "Is the greatest of numbers.";
    Absolute = "abs" beyond [Number], "(abs N)", "Is a number without its sign.";
    Sign = "sign" beyond [Number], "(sign N)", "Is -1, 0 or 1.";
    Count = "count" beyond [Number], "(count SET)", "Is the number of positions of a set.";
    Sum = "sum" beyond [Number], "(sum SET N)", "Adds up a number over the positions of a set.";
    LeastOf = "least" beyond [Number], "(least SET N)", "Is the least number over the positions of a set, 0 if it is empty.";
    GreatestOf = "greatest" beyond [Number], "(greatest SET N)", "Is the greatest number over the positions of a set, 0 if it is empty.";
    Column = "column" beyond [Number], "column | (column PLACE)", "Is the first grid index of a place, from 0.";
    Row = "row" beyond [Number], "row | (row PLACE)", "Is the second grid index of a place, from 0.";
    Coordinate = "coordinate" beyond [Number], "(coordinate K [PLACE])", "Is grid index K of a place, K counted from 0.";
    Distance = "distance" beyond [Number], "(distance FROM TO [DIRECTIONS])", "Is the fewest steps between two places.";
    Owner = "owner" beyond [Number], "owner | (owner PLACE)", "Is the number of the player who owns the piece there, 0 if there is none.";
    InHand = "in-hand" beyond [Number], "(in-hand WHO PIECE …)", "Is the number of pieces in stock.";
    Mobility = "mobility" beyond [Number], "(mobility PLAYER)", "Is the number of moves that a player has, passes not counted.";
    Ply = "ply" beyond [Number], "ply", "Is the number of plies played.";
    QuietPlies = "quiet-plies" beyond [Number], "quiet-plies", "Is the number of plies since the last capture.";
    Passes = "passes" beyond [Number], "passes", "Is the number of passes in a row, up to now.";
    Repetitions = "repetitions" beyond [Number], "repetitions | (repetitions board)", "Is how often the position, or what stands on the board, has been there before.";

    // Whose pieces.
    Friend = "friend" beyond [Who], "friend", "Means the mover, or the player a goal speaks of.";
    Enemy = "enemy" beyond [Who], "enemy", "Means the other players who take turns.";
    Neutral = "neutral" beyond [Who], "neutral", "Means the players who take no turns.";
    Any = "any" beyond [Who], "any", "Means everybody.";

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
    /// Returns where the word may stand.
    pub fn contexts(self) -> impl Iterator<Item = Context> {
        let beyond = self.extension_contexts().iter();
        self.classic_contexts().iter().chain(beyond).copied()
    }

    /// Tells whether the word may stand in `context`.
    pub fn stands_in(self, context: Context) -> bool {
        self.contexts().any(|known| known == context)
    }

    /// Tells whether the word stands in `context` only beyond the classic language.
    pub fn is_beyond(self, context: Context) -> bool {
        self.extension_contexts().contains(&context)
    }

    /// Tells whether the classic language has no such word.
    pub fn is_extension(self) -> bool {
        self.classic_contexts().is_empty()
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

    /// Returns the word, if it may stand in `context` in the classic language.
    pub fn classic(&self, symbol: Symbol, context: Context) -> Option<Keyword> {
        self.get(symbol, context).filter(|keyword| !keyword.is_beyond(context))
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
