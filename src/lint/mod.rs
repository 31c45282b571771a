//! Rules that are right and doubtful all the same: names that hide words, what is never used, goals that never hold.
//!
//! What is declared once counts for all games and variants of a file, so a finding is told only if it holds for every
//! one of them. What is *wrong* is told by the stages that read the rules; this one looks at what came out of them.

mod goals;
mod names;
mod usage;

use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expand::Expander;
use crate::keyword::Keyword;
use crate::model::piece::Block;
use crate::model::{self, GameModel, Site};
use crate::source::SourceId;
use usage::Usage;

/// Looks for doubtful rules in all games of a file, the text `root`; with `classic` every word beyond the classic
/// language is told.
pub fn lint(expander: &mut Expander, root: SourceId, quirks: &[(String, String)], classic: bool) -> Vec<Diagnostic> {
    let mut usage = Usage::default();
    let mut sink = Sink::new();
    let mut is_whole = true;
    let mut doubted_goals = Vec::new();
    let mut sound_goals = Vec::new();
    for entry in 0..expander.entries().len() {
        let mut found = Sink::new();
        let Some(model) = model::build(expander, entry, quirks, &mut found) else {
            is_whole = false;
            continue;
        };
        // What a plug-in uses is not known.
        is_whole &= !found.has_errors() && model.plugin.is_none();
        if classic {
            for (word, &site) in model.extensions.words.iter().zip(&model.extensions.first_uses) {
                sink.push(beyond(expander, word, site));
            }
        }
        for name in names::of_model(&model) {
            hide(expander, name, &mut sink);
        }
        for block in blocks(&model) {
            if !model::makes_move(&block.instructions) {
                sink.push(model::no_move(block.site).labels(labels(expander, block.site)));
            }
        }
        let present = usage::present_kinds(&model);
        for goal in &model.goals {
            if goals::never_holds(&model, &present, goal) {
                doubted_goals.push(goal.site);
            } else {
                sound_goals.push(goal.site.span);
            }
        }
        usage.add(&model, &present);
    }
    doubted_goals.retain(|site| !sound_goals.contains(&site.span));
    for site in doubted_goals {
        let note = Diagnostic::note(Code::NeverHolds, "this goal can never hold");
        sink.push(note.at(site.span).labels(labels(expander, site)));
    }
    if is_whole {
        usage.report(expander, &mut sink);
    }
    look_at_macros(expander, root, classic, is_whole, &mut sink);
    let mut found = sink.into_vec();
    let place = |found: &Diagnostic| found.span.map(|span| (span.source, span.start));
    found.sort_by_key(|found| (found.span.is_none(), place(found)));
    found
}

fn labels(expander: &Expander, site: Site) -> Vec<crate::diagnostic::Label> {
    expander.origins().labels(site.origin, &expander.interner)
}

/// Returns the blocks of a game that make moves.
fn blocks(model: &GameModel) -> impl Iterator<Item = &Block> {
    let of_pieces = model.kinds.iter().flat_map(|kind| kind.moves.iter().chain(&kind.drops));
    of_pieces.chain(model.extensions.actions.iter().flat_map(|actions| &actions.blocks))
}

fn beyond(expander: &Expander, word: &str, site: Site) -> Diagnostic {
    Diagnostic::warning(Code::ExtensionWord, beyond_message(word))
        .at(site.span)
        .labels(labels(expander, site))
}

fn beyond_message(word: &str) -> String {
    format!("`{word}` goes beyond the classic language")
}

/// Notes a name that is a word beyond the classic language.
fn hide(expander: &Expander, name: &str, sink: &mut Sink) {
    let hides = |keyword: &Keyword| !keyword.extension_contexts().is_empty();
    let Some(keyword) = Keyword::from_name(name).filter(hides) else {
        return;
    };
    let meaning = keyword.meaning().trim_end_matches('.');
    let (first, rest) = meaning.split_at(1);
    let (shape, first) = (keyword.shape(), first.to_lowercase());
    let message = format!("the name `{name}` hides a word of the language");
    let help = format!("the word is written `{shape}` and {first}{rest}; another name would leave it free");
    let mut note = Diagnostic::note(Code::HiddenWord, message).help(help);
    if let Some(span) = names::declaration(expander, name) {
        note = note.at(span);
    }
    sink.push(note);
}

fn look_at_macros(expander: &mut Expander, root: SourceId, classic: bool, is_whole: bool, sink: &mut Sink) {
    if classic && let Some(&first) = expander.repetitions().first() {
        sink.push(Diagnostic::warning(Code::ExtensionWord, beyond_message("foreach")).at(first));
    }
    let macros: Vec<_> = expander.macros().collect();
    if classic && let Some(named) = macros.iter().find(|known| known.has_named_arguments) {
        let message = "named arguments of a macro go beyond the classic language";
        sink.push(Diagnostic::warning(Code::ExtensionWord, message).at(named.span));
    }
    for known in &macros {
        let name = expander.text(known.name);
        hide(expander, name, sink);
        // Included files are collections of which a game uses a part.
        let is_used = || macros.iter().any(|other| other.span == known.span && other.is_used);
        if is_whole && known.span.source == root && !is_used() {
            let message = format!("nothing that counts uses the macro `{name}`");
            sink.push(Diagnostic::note(Code::Unused, message).at(known.span));
        }
    }
}
