//! Finds the move that a text means.

use super::form::{Forms, Told};
use super::item::{self, Item};
use super::{MoveError, Notation, PASS};
use crate::model::CellId;
use crate::state::{MoveList, State};

/// How many forms are compared with one text for one move; beyond that it is taken not to fit.
const COMPARISONS: usize = 20_000;

/// The longest text that is compared with short forms, without blanks, in bytes.
const LONGEST: usize = 2_000;

/// How many characters of a text are repeated in an error.
const REPEATED: usize = 80;

/// The most moves that are suggested.
const SUGGESTIONS: usize = 5;

impl Notation<'_> {
    /// Finds the one move of `list` that `text` means; `state` is the state before the moves.
    ///
    /// The texts of [`Notation::unique_texts`] and [`Notation::short_texts`] always mean their moves. Other texts mean a
    /// move if it is the only one that fits, or the only one that fits without further captures and changes:
    ///
    /// - the first movement as `f1-f4`, `f1f4`, `f1 f4`, `f1xf4` (if anything is captured) or just `f4`, a drop as `b2`,
    ///   each with or without the name or notation of the piece before it;
    /// - then as many of the other parts as wanted, in any order: `x d9` or `,d9` for a capture, `= Queen`, `=Q`, `Q` for
    ///   a promotion, everything else as in the full text;
    /// - `pass`; a number of the round before the move, and any number after `partial`;
    /// - blanks and, where that leaves one move, case do not count.
    ///
    /// # Errors
    /// When no move or several moves fit.
    pub fn find_move(&self, state: &State, list: &MoveList, text: &str) -> Result<usize, MoveError> {
        let text = text.trim();
        let given = || match text.char_indices().nth(REPEATED) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
        let full = self.unique_texts(state, list);
        let short = self.short_texts(state, list);
        let mut searched = self.search(state, list, [&full, &short], text);
        if let (Search::Nothing, Some(rest)) = (&searched, without_round(text)) {
            searched = self.search(state, list, [&full, &short], rest);
        }
        match searched {
            Search::Found(index) => Ok(index),
            Search::Several(fitting) => Err(MoveError::Ambiguous {
                text: given(),
                candidates: fitting.into_iter().map(|index| full[index].clone()).collect(),
            }),
            Search::Nothing => {
                let wanted = without_round(text).unwrap_or(text);
                let wanted = without_partial(wanted).unwrap_or(wanted);
                Err(MoveError::Unknown {
                    text: given(),
                    suggestions: nearest(wanted, &full, &short),
                })
            }
        }
    }

    fn search(&self, state: &State, list: &MoveList, written: [&[String]; 2], text: &str) -> Search {
        let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if spaced.is_empty() {
            return Search::Nothing;
        }
        let exact = |texts: &[String]| texts.iter().position(|known| *known == spaced);
        if let Some(index) = written.into_iter().find_map(exact) {
            return Search::Found(index);
        }
        let (text, partial_only) = match without_partial(&spaced) {
            Some(rest) => (rest, true),
            None => (spaced.as_str(), false),
        };
        if partial_only {
            let same = |(index, full): (usize, &String)| (without_partial(full) == Some(text)).then_some(index);
            let fitting: Vec<usize> = written[0].iter().enumerate().filter_map(same).collect();
            if !fitting.is_empty() {
                return Search::among(fitting);
            }
        }
        for fold in [false, true] {
            let forms = Forms { notation: self, fold };
            let compact = forms.compact(text);
            if compact.len() > LONGEST {
                return Search::Nothing;
            }
            let mut fits = Vec::new();
            for (index, entry) in list.iter().enumerate() {
                if partial_only && !entry.is_partial() {
                    continue;
                }
                if entry.is_pass() {
                    if compact == forms.compact(PASS) || compact == PASS.to_lowercase() {
                        fits.push((index, Missing::default()));
                    }
                    continue;
                }
                let items = item::items(state, list.effects(entry));
                if let Some(missing) = fit(&forms, &items, entry.arrival, &compact) {
                    fits.push((index, missing));
                }
            }
            let search = best(&fits);
            if !matches!(search, Search::Nothing) {
                return search;
            }
        }
        Search::Nothing
    }
}

/// What was found for a text.
enum Search {
    Nothing,
    Found(usize),
    Several(Vec<usize>),
}

impl Search {
    fn among(fitting: Vec<usize>) -> Search {
        match fitting[..] {
            [] => Search::Nothing,
            [only] => Search::Found(only),
            _ => Search::Several(fitting),
        }
    }
}

/// What a move does that a fitting text leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Missing {
    /// The start, captures, promotion.
    main: usize,
    /// Further movements and changes.
    side: usize,
    /// Attributes.
    attributes: usize,
}

/// Chooses among the moves that fit: the only one that is told in full, or in all that people tell; else the only one.
fn best(fits: &[(usize, Missing)]) -> Search {
    let told = [
        |missing: &Missing| *missing == Missing::default(),
        |missing: &Missing| (missing.main, missing.side) == (0, 0),
        |missing: &Missing| missing.main == 0,
        |_: &Missing| true,
    ];
    for enough in told {
        let fitting: Vec<usize> = fits
            .iter()
            .filter(|(_, missing)| enough(missing))
            .map(|&(index, _)| index)
            .collect();
        if !fitting.is_empty() {
            return Search::among(fitting);
        }
    }
    Search::Nothing
}

/// Tells whether a compact text fits a move with these parts, and what it then leaves out.
fn fit(forms: &Forms<'_, '_>, items: &[Item], arrival: CellId, text: &str) -> Option<Missing> {
    let (mut heads, destination) = (Vec::new(), destination(items));
    match destination {
        // Every form of the movement contains its destination.
        Some(to) if !text.contains(&forms.cell(to)) => return None,
        Some(_) => heads = forms.heads(items),
        None => {
            heads.push((String::new(), Told::All));
            if arrival.is_some() {
                heads.push((forms.cell(arrival), Told::Piece));
            }
        }
    }
    heads.retain(|(head, _)| text.starts_with(head.as_str()));
    let rest = &items[usize::from(destination.is_some())..];
    // The forms of the parts are only made if the text tells more than the movement.
    let tells_more = heads.iter().any(|(head, _)| head.len() < text.len());
    let parts = rest
        .iter()
        .map(|item| if tells_more { forms.of(item) } else { Vec::new() })
        .collect::<Vec<_>>();
    let mut least = None;
    for (head, told) in heads {
        let used = vec![false; rest.len()];
        let mut reading = Reading {
            items: rest,
            parts: &parts,
            used,
            comparisons: COMPARISONS,
            least: None,
        };
        reading.read(&text[head.len()..]);
        let Some(mut missing) = reading.least else { continue };
        missing.main += usize::from(told == Told::Destination);
        missing.side += usize::from(told == Told::Piece);
        if least.is_none_or(|least| missing < least) {
            least = Some(missing);
        }
    }
    least
}

/// Returns where the first movement or drop ends.
fn destination(items: &[Item]) -> Option<CellId> {
    match items.first() {
        Some(Item::Movement { to, .. } | Item::Drop { to, .. }) => Some(*to),
        _ => None,
    }
}

/// Reads a text as some of the parts of a move, each at most once, in any order.
struct Reading<'a> {
    items: &'a [Item],
    /// For each part its forms.
    parts: &'a [Vec<String>],
    used: Vec<bool>,
    comparisons: usize,
    /// The least that a reading of the whole text leaves out.
    least: Option<Missing>,
}

impl Reading<'_> {
    fn read(&mut self, text: &str) {
        if text.is_empty() {
            let missing = self.missing();
            if self.least.is_none_or(|least| missing < least) {
                self.least = Some(missing);
            }
            return;
        }
        let parts = self.parts;
        for (index, forms) in parts.iter().enumerate() {
            if self.used[index] {
                continue;
            }
            for form in forms {
                if self.comparisons == 0 {
                    return;
                }
                self.comparisons -= 1;
                if let Some(rest) = text.strip_prefix(form.as_str()) {
                    self.used[index] = true;
                    self.read(rest);
                    self.used[index] = false;
                }
            }
        }
    }

    fn missing(&self) -> Missing {
        let mut missing = Missing::default();
        for (item, used) in self.items.iter().zip(&self.used) {
            match item {
                _ if *used => {}
                Item::Attribute { .. } => missing.attributes += 1,
                item if item.is_main() => missing.main += 1,
                _ => missing.side += 1,
            }
        }
        missing
    }
}

/// Returns what follows a number of the round, `12. `, if the text begins with one.
fn without_round(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() == text.len() {
        None
    } else {
        rest.strip_prefix('.').map(str::trim_start)
    }
}

/// Returns what follows `partial` and its number, if the text begins with them; the number may be left out.
fn without_partial(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once(' ')?;
    if !first.eq_ignore_ascii_case("partial") {
        return None;
    }
    match rest.split_once(' ') {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => Some(rest),
        _ => Some(rest),
    }
}

/// Returns the short forms of the moves that look most like `text`, the nearest first.
fn nearest(text: &str, full: &[String], short: &[String]) -> Vec<String> {
    let compact = |text: &str| -> String {
        text.chars()
            .filter(|letter| !letter.is_whitespace())
            .flat_map(char::to_lowercase)
            .take(60)
            .collect()
    };
    let wanted = compact(text);
    let likeness = |text: &str| strsim::jaro_winkler(&wanted, &compact(text));
    let mut scored: Vec<(f64, usize)> = (0..full.len())
        .map(|index| (likeness(&full[index]).max(likeness(&short[index])), index))
        .filter(|&(score, _)| score > 0.6)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored
        .into_iter()
        .take(SUGGESTIONS)
        .map(|(_, index)| short[index].clone())
        .collect()
}
