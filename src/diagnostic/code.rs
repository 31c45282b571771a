//! The table of diagnostic codes.
//!
//! One row here is all that a new diagnostic needs: its variant, its number, what it means in one line, and a paragraph
//! for `ludex explain`. The hundreds of a number name the stage: 01 brackets and strings, 02 macros, includes and the
//! structure of the file, 03 boards, pieces and players, 04 move blocks, 05 goals, 06 positions and moves that were
//! typed, 07 rule tests, 08 play. Numbers are never given anew.

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
