//! Options and texts.

use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::display_text;
use crate::keyword::{self, Keyword};
use crate::model::option::{MaximalCaptures, Options, PassTurn, Texts};
use crate::model::quirk::{OPTION_PREFIX, QUIRKS, QuirkError};

/// Options that change nothing in the rules: how the original program shows and animates the game.
const DISPLAY_OPTIONS: [&str; 14] = [
    "discard cascades",
    "prevent flipping",
    "animate captures",
    "animate drops",
    "highlight goals",
    "smart moves",
    "show moves list",
    "selection screen",
    "progressive levels",
    "silent ? moves",
    "selection highlight",
    "show blink",
    "show captures",
    "show hints",
];

/// Options that change the rules.
const RULE_OPTIONS: [&str; 8] = [
    "pass turn",
    "pass partial",
    "maximal captures",
    "recycle captures",
    "recycle promotions",
    "include off-pieces",
    END_BY_AGREEMENT,
    REPETITION_DRAW,
];

/// Options beyond the classic language.
const END_BY_AGREEMENT: &str = "end by agreement";
const REPETITION_DRAW: &str = "repetition draw";

impl Builder<'_> {
    pub(super) fn build_texts(&mut self, sections: &[(Keyword, Section)]) -> Texts {
        let mut texts = Texts::default();
        for (keyword, section) in sections {
            let raw = section
                .args()
                .iter()
                .map(|&form| self.text(form))
                .collect::<Vec<_>>()
                .join(" ");
            let shown = || Some(display_text(&raw));
            match keyword {
                Keyword::Description => texts.description = shown(),
                Keyword::History => texts.history = shown(),
                Keyword::Strategy => texts.strategy = shown(),
                Keyword::Solution => texts.solution = Some(raw),
                Keyword::Title | Keyword::Default => {}
                sound => {
                    texts.sounds.retain(|(word, _)| word != sound.name());
                    texts.sounds.push((sound.name().to_owned(), raw));
                }
            }
        }
        texts
    }

    /// Reads options and the old sections that say the same.
    pub(super) fn build_options(
        &mut self,
        sections: &[(Keyword, Section)],
        quirks: &[(String, String)],
        texts: &mut Texts,
    ) -> Options {
        let mut options = Options::default();
        for (keyword, section) in sections {
            let mut args = section.args().iter().copied();
            let name = match keyword {
                Keyword::Option => match args.next() {
                    Some(form) => self.text(form).trim().to_lowercase(),
                    None => {
                        self.bad_form(
                            Severity::Warning,
                            section.form,
                            "the option has no name",
                            Keyword::Option,
                        );
                        continue;
                    }
                },
                old => old
                    .name()
                    .replace("include-off-", "include off-")
                    .replace("-turn", " turn")
                    .replace("-partial", " partial")
                    .replace("-captures", " captures")
                    .replace("-promotions", " promotions")
                    .replace("-drops", " drops")
                    .replace("-flipping", " flipping"),
            };
            let value = args
                .next()
                .map_or_else(|| "true".to_owned(), |form| self.text(form).to_lowercase());
            self.set_option(&mut options, &name, &value, section);
            texts.options.push((name, value));
        }
        for (name, value) in quirks {
            // They were tested when they were given; see `RuleFile::set_quirk`.
            let _ = options.quirks.set(name, value);
        }
        options
    }

    fn set_option(&mut self, options: &mut Options, name: &str, value: &str, section: &Section) {
        if let Some(quirk) = name.strip_prefix(OPTION_PREFIX) {
            if let Err(error) = options.quirks.set(quirk, value) {
                let (code, near) = match &error {
                    QuirkError::UnknownName(name) => (
                        Code::UnknownOption,
                        keyword::nearest_of(name, QUIRKS.iter().map(|(name, ..)| *name)),
                    ),
                    QuirkError::UnknownValue { value, values, .. } => {
                        (Code::BadOption, keyword::nearest_of(value, values.iter().copied()))
                    }
                };
                let help = near.map_or_else(String::new, |near| format!("did you mean `{near}`?"));
                self.push(Severity::Warning, code, section.form, error.to_string(), help);
            }
            return;
        }
        let flag = match value {
            "true" => Some(true),
            "false" => Some(false),
            number => number.parse::<i64>().ok().map(|number| number != 0),
        };
        let known = match name {
            "pass turn" => match (value, flag) {
                ("forced" | "2", _) => set(&mut options.pass_turn, Some(PassTurn::Forced)),
                (_, flag) => {
                    let pass = flag.map(|flag| if flag { PassTurn::Always } else { PassTurn::Never });
                    set(&mut options.pass_turn, pass)
                }
            },
            "maximal captures" => match (value, flag) {
                ("2", _) => set(&mut options.maximal_captures, Some(MaximalCaptures::LongestThenValue)),
                (_, flag) => {
                    let maximal = flag.map(|flag| {
                        if flag {
                            MaximalCaptures::Longest
                        } else {
                            MaximalCaptures::Off
                        }
                    });
                    set(&mut options.maximal_captures, maximal)
                }
            },
            "pass partial" => set(&mut options.pass_partial, flag),
            "recycle captures" => set(&mut options.recycle_captures, flag),
            "recycle promotions" => set(&mut options.recycle_promotions, flag),
            "include off-pieces" => set(&mut options.include_off_pieces, flag),
            END_BY_AGREEMENT => {
                self.use_extension(END_BY_AGREEMENT, section.form);
                set(&mut options.end_by_agreement, flag)
            }
            REPETITION_DRAW => {
                self.use_extension(REPETITION_DRAW, section.form);
                set(&mut options.repetition_draw, flag)
            }
            _ => {
                if !DISPLAY_OPTIONS.contains(&name) && name != "allow flipping" {
                    let near = keyword::nearest_of(name, RULE_OPTIONS.into_iter().chain(DISPLAY_OPTIONS));
                    let help = match near {
                        Some(near) => format!("did you mean `{near}`? The option is ignored"),
                        None => "the option is ignored".to_owned(),
                    };
                    let message = format!("the option `{name}` is not known");
                    self.push(Severity::Warning, Code::UnknownOption, section.form, message, help);
                }
                true
            }
        };
        if !known {
            let message = format!("the option `{name}` cannot be `{value}`");
            self.push(
                Severity::Warning,
                Code::BadOption,
                section.form,
                message,
                "write `true` or `false`",
            );
        }
    }
}

/// Sets an option; returns false if its value was not understood.
fn set<T>(option: &mut T, value: Option<T>) -> bool {
    match value {
        Some(value) => {
            *option = value;
            true
        }
        None => false,
    }
}
