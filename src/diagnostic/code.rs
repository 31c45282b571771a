//! The table of diagnostic codes.
//!
//! One row here is all that a new diagnostic needs: its variant, its number, what it means in one line, and a paragraph
//! for `ludex explain`. The hundreds of a number name the stage: 01 brackets and strings, 02 macros, includes and the
//! structure of the file, 03 boards, pieces and players, 04 move blocks, 05 goals, 06 positions and moves that were
//! typed, 07 rule tests, 08 play, 09 doubtful rules. Numbers are never given anew.

use std::fmt;

macro_rules! codes {
    ($($variant:ident = $number:literal, $summary:literal, $explanation:literal;)*) => {
        /// Names one kind of diagnostic; its number is stable, so that tests and people can cite it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = concat!("`", $number, "`: ", $summary, ".")] $variant,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// Returns the number, such as `Z0101`.
            pub fn number(self) -> &'static str {
                match self { $(Code::$variant => $number,)* }
            }

            /// Returns the meaning in one line, without a final stop.
            pub fn summary(self) -> &'static str {
                match self { $(Code::$variant => $summary,)* }
            }

            /// Returns a paragraph on what happened, what is assumed and what to do.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$variant => $explanation,)* }
            }
        }
    };
}

codes! {
    // 01: brackets and strings.
    UnclosedList = "Z0101", "a list is not closed",
        "The file ends while lists are still open. They are taken to end with the file. The label points at the outermost \
         open bracket; the missing one is often far below it, just before the next list that starts in the first column.";
    SurplusBracket = "Z0102", "a closing bracket closes nothing",
        "There are more closing brackets than opening ones. The surplus bracket is ignored.";
    UnclosedString = "Z0103", "a string is not closed",
        "A string runs to the end of the file. There is no escape for a quote inside a string; write ` instead, which is \
         shown as a quote.";
    TooDeep = "Z0104", "lists are nested too deeply",
        "Lists nest deeper than any rules need. What lies deeper than the limit is left out.";
    TooLarge = "Z0105", "a file is too large",
        "The file is larger than the reader accepts. Rules are small; this is probably not a rule file.";

    // 02: macros, includes and the structure of the file.
    IncludeFailed = "Z0201", "an included file cannot be read",
        "The file named by `include` was not found or could not be read. It is looked for in the folder of the including \
         file, then in the folders given with `--include`; case does not matter.";
    IncludeCycle = "Z0202", "a file includes itself",
        "The file is already being read: including it once more, directly or through others, would never end. This \
         `include` is ignored.";
    IncludeLimit = "Z0203", "too many files are included",
        "Includes nest too deeply, or there are too many of them. The rest is ignored.";
    BadInclude = "Z0204", "an include names no file",
        "An include is written `(include \"file.zrf\")`.";
    BadDefine = "Z0205", "a define has no name",
        "A macro is written `(define name form …)`. The name is one word, and the forms are what replaces `(name …)`.";
    MacroTooDeep = "Z0206", "macros call each other too deeply",
        "A use of a macro led to a use of another and so on, beyond the limit. Almost always a macro calls itself; since \
         expansion has no conditions, that never ends. Further uses of the named macro expand to nothing.";
    ExpansionTooLarge = "Z0207", "the macros expand to too much text",
        "The text that results from the macros is larger than the limit. Uses of macros beyond it expand to nothing.";
    PastedList = "Z0208", "a list is pasted into a word",
        "An argument that is a list stands for a `$n` inside a longer word or a string. Only words, numbers and strings \
         can be joined with other text; nothing is pasted.";
    WordTooLong = "Z0209", "a word is too long",
        "Pasting arguments into words made a word longer than the limit. It is cut.";
    UnknownTopLevel = "Z0210", "an unknown list outside any game",
        "Outside games and variants only `version`, `include`, `define`, `game`, `variant`, `translate` and uses of \
         macros may stand. The list is ignored.";
    StrayWord = "Z0211", "a word stands where only lists may stand",
        "Outside lists, and directly in a game or variant, only lists have a meaning. The word is ignored. A macro is \
         used in brackets: `(name)`, not `name`.";
    DefineInside = "Z0212", "a define inside a game",
        "Macros are defined outside games and variants only. This one is ignored.";
    NoGame = "Z0213", "the file has no game",
        "Nothing can be played: there is no `(game …)`. The file may be meant to be included by another.";
    NewerVersion = "Z0214", "the file asks for a newer version",
        "The file states a version above 2.0. It is read as version 2.0; no word is known to need the newer one.";
    BadForeach = "Z0215", "a foreach is malformed",
        "A repetition is written `(foreach $x (item …) form …)`, `(foreach $x (1 .. 7) form …)` or \
         `(foreach ($a $b) ((x y) …) form …)`. The list of items may be a use of a macro.";

    // 03: players, board, pieces, options.
    MissingSection = "Z0301", "a section that every game needs is missing",
        "A game needs `players`, `turn-order`, a `board` with at least one position, and at least one `piece`.";
    UnknownSection = "Z0302", "an unknown section",
        "The list is no section of a game, board or piece. It is ignored.";
    DuplicateName = "Z0303", "a name is declared twice",
        "The name already belongs to something of the same sort. The message says which of the two counts.";
    UnknownName = "Z0304", "a name that nothing has",
        "The name was looked up among the players, pieces, positions, directions, zones, attributes or move types of this \
         game, whichever the place calls for, and is none of them. Names are case-sensitive. Declarations in another game \
         or variant of the file do not count, and a position that was removed by `kill-positions` has no name any more.";
    BadForm = "Z0305", "a section is malformed",
        "The words of the section are right, but their number or kind is not. The help shows the form that was expected.";
    BadNumber = "Z0306", "not a number, or one out of range",
        "A whole number was expected here.";
    TooMany = "Z0307", "the game is too large",
        "The game has more positions, pieces, players or names than Ludex can number, or its board would not fit into \
         memory.";
    UnknownOption = "Z0308", "an unknown option",
        "Options that Ludex does not know are ignored, as in the original program. They may ask for something that the \
         rules need.";
    BadOption = "Z0309", "an option has an unknown value",
        "The option keeps its default value.";
    PluginGame = "Z0310", "the moves are in a plug-in",
        "The section `engine` names a program library that makes the moves of this game; the rule file only describes its \
         board and pieces. Ludex reads rule files and runs no plug-ins.";
    NeverUsed = "Z0311", "something has no effect",
        "What is declared here cannot matter in this game. It is ignored.";

    // 04: move blocks.
    UnknownInstruction = "Z0401", "an unknown instruction",
        "The word is neither an instruction nor a direction or position of this board. The whole move block is left out, \
         so that the rest of the game can be played.";
    UnknownCondition = "Z0402", "an unknown condition",
        "The word is neither a condition nor an attribute of this game. The whole move block is left out.";
    BadInstruction = "Z0403", "an instruction is malformed",
        "The instruction lacks something, has too much, or has something of the wrong kind. The whole move block is left \
         out.";
    StrayElse = "Z0404", "an else without its if",
        "`else` divides the instructions of an `if`, once. This one is ignored.";

    UnknownNumber = "Z0405", "an unknown number",
        "The word is no number: neither written in digits, nor the name of a `let`, attribute, constant or variable, nor a \
         word that computes one. What it stands in is left out.";
    WrongSort = "Z0406", "something of the wrong sort",
        "Numbers, conditions, places and sets are different things: a number was found where a condition was expected, or \
         the like. The help names the word that makes one of the other. What it stands in is left out.";
    Misplaced = "Z0407", "a word that means nothing here",
        "The word is right, but what it speaks of does not exist where it stands: there is no current position in a goal, \
         no choice in a new round. What it stands in is left out, unless the message says otherwise.";
    Stale = "Z0408", "something is read before its change is made",
        "All that is read in one stage of a run is read on the board as it was when the stage began, and what is changed \
         is changed at its end: at the next `then` or with the move. The rule reads the old value. If the new one is \
         meant, write `then` between the two.";
    NoMove = "Z0409", "a block that makes no move",
        "A block makes a move where it comes to an `add`; this one has none, so it can be left out. Everything else, \
         captures and changes too, only happens with a move.";

    // 05: goals.
    UnknownGoal = "Z0501", "an unknown goal",
        "The word is none of the conditions that can end a game. The goal is left out.";
    BadGoal = "Z0502", "a goal is malformed",
        "The goal lacks something, has too much, or has something of the wrong kind. It is left out.";
    Unscored = "Z0503", "scores and ends that do not meet",
        "An `end-condition` ends the game and lets the scores decide: without any, all are equal and the game is drawn. \
         The other way round scores end no game: they count at an `end-condition`, at an end by agreement, and in a \
         `match`.";

    // 06: positions and moves that were typed.
    BadPosition = "Z0601", "a position cannot be read",
        "A position is written `(position (turn White) (White (King e1) (Man off 2)) …)`, with the names of the rules.";
    BadFen = "Z0602", "a FEN cannot be read",
        "FEN positions are read for games on one rectangular grid whose pieces have one-letter notations.";
    UnknownMove = "Z0603", "no legal move is written like this",
        "Moves are written as in saved games, `King e1 - e2`, or short, `e1-e2` or `e2`, as long as one legal move fits.";
    AmbiguousMove = "Z0604", "several legal moves are written like this",
        "The short form fits more than one legal move. Write the move in full.";

    // 07: rule tests.
    BadTest = "Z0701", "a test line cannot be read",
        "Test lines begin with `;!` and one of the words of `docs/testing.md`.";
    TestFailed = "Z0702", "a test fails",
        "The game does not do what the test line says.";

    // 08: play.
    LoopLimit = "Z0801", "a loop does not end",
        "A `while` went round so often that it will hardly ever end. The original program hangs in such a loop.";
    MoveLimit = "Z0802", "a position has too many moves",
        "The rules give more moves in one position than can be handled.";
    ChainLimit = "Z0803", "chains of partial moves do not end",
        "With `maximal captures` or `maximize-turn` all ways to play a turn are looked through; here they are endless or \
         too many.";
    DivisionByZero = "Z0804", "a number is divided by zero",
        "While the rules ran, `/` or `mod` had 0 on its right. The rule has no meaning in this position.";
    NewRound = "Z0805", "a new round cannot begin",
        "No piece of the `actor` can act, and the instructions of its `new-round` fail. They must always come to their end.";
    RandomSetup = "Z0806", "no random setup meets its conditions",
        "A `random-setup` is drawn until all its conditions hold, but not without end.";

    // 09: doubtful rules, which `ludex lint` looks for.
    HiddenWord = "Z0901", "a name hides a word of the language",
        "Any name of a rule file wins over a word beyond the classic language, so that old files keep their meaning. \
         Where the name is known the word cannot be used.";
    ExtensionWord = "Z0902", "a word beyond the classic language",
        "The original program does not know the word. `ludex lint --classic` names each with the place of its first use.";
    Unused = "Z0903", "something is declared and never used",
        "No rule of any game of the file asks for it. It can be left out, unless something else was meant to use it.";
    NeverHolds = "Z0904", "a goal that can never hold",
        "Whatever is played, the goal does not hold: it asks for pieces that never come into the game, or for something \
         that is false as it is written.";
}

impl Code {
    /// Returns the code with this number; case does not matter.
    pub fn from_number(number: &str) -> Option<Code> {
        Code::ALL
            .iter()
            .copied()
            .find(|code| code.number().eq_ignore_ascii_case(number))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_unique_and_sorted_and_found_again() {
        for pair in Code::ALL.windows(2) {
            assert!(pair[0].number() < pair[1].number(), "{} is out of order", pair[1]);
        }
        for &code in Code::ALL {
            assert_eq!(Code::from_number(&code.number().to_lowercase()), Some(code));
            assert!(!code.summary().ends_with('.'));
            assert!(code.explanation().ends_with('.'));
        }
        assert_eq!(Code::from_number("Z9999"), None);
    }
}
