//! `ludex keywords`

use std::io::Write;

use clap::Args;
use ludex::keyword::{Context, Keyword, nearest_of};
use serde::Serialize;

use super::failure::{Failure, Result};
use super::options::JsonOption;
use super::output;

/// List the words of the rule language, each with its meaning in one line.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex keywords add-partial")]
pub struct Command {
    /// Only this word
    word: Option<String>,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Word {
    word: &'static str,
    shape: &'static str,
    stands_in: Vec<&'static str>,
    meaning: &'static str,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let keywords: Vec<Keyword> = match &self.word {
            Some(word) => vec![find(word)?],
            None => Keyword::ALL.to_vec(),
        };
        let words: Vec<Word> = (keywords.into_iter())
            .map(|keyword| Word {
                word: keyword.name(),
                shape: keyword.shape(),
                stands_in: keyword.contexts().map(Context::description).collect(),
                meaning: keyword.meaning(),
            })
            .collect();
        if self.json.json {
            return output::json(&words);
        }
        let width = words.iter().map(|word| word.word.len()).max().unwrap_or(0);
        let mut out = output::stdout();
        for word in &words {
            writeln!(out, "{:width$}  {}", word.word, word.meaning)?;
            if self.word.is_some() {
                writeln!(out, "{:width$}  form: {}", "", word.shape)?;
                writeln!(out, "{:width$}  stands as: {}", "", word.stands_in.join(", "))?;
            }
        }
        Ok(())
    }
}

fn find(word: &str) -> Result<Keyword> {
    // A negated condition is explained by the condition.
    let known = Keyword::from_name(word).or_else(|| Keyword::from_name(word.strip_prefix("not-")?));
    known.ok_or_else(|| {
        let near = nearest_of(word, Keyword::ALL.iter().map(|keyword| keyword.name()));
        let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Failure::usage(format!("`{word}` is no word of the rule language{help}"))
    })
}
