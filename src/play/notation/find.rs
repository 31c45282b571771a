//! Finds the move that a text means.

use super::form::{Forms, Told};
use super::item::{self, Item, Parts};
use super::{MoveError, Notation};
use crate::model::{CellId, Occupant};
use crate::state::{MoveList, State};

/// How many forms are compared with one text for one move; beyond that it is taken not to fit.
const COMPARISONS: usize = 20_000;

/// The longest text that is compared with short forms, without blanks, in bytes.
const LONGEST: usize = 2_000;

/// How many characters of a text are repeated in an error.
const REPEATED: usize = 80;

/// The most moves that are suggested.
const SUGGESTIONS: usize = 5;

impl<'a> Notation<'a> {
    /// Finds the one move of `list` that `text` means; `state` is the state before the moves. For many texts make a
    /// [`Finder`] once.
    ///
    /// The texts of [`Notation::unique_texts`] and [`Notation::short_texts`] always mean their moves. Other texts mean a
    /// move if it is the only one that fits, or the only one that fits without further captures and changes:
    ///
    /// - the first movement as `f1-f4`, `f1f4`, `f1 f4`, `f1xf4` (if anything is captured) or just `f4`, a drop as `b2`,
    ///   each with or without the name or notation of the piece before it; a piece that stays as `b1` or `b1-b1`, a shape
    ///   as `V3:d4,d5,e4`, `V3 d4 d5 e4` or just its cells;
    /// - then as many of the other parts as wanted, in any order: `x d9`, `!d9` or `,d9` for a capture, `= Queen`, `=Q`, `Q`
    ///   for a promotion, the labels as `wait` or `:wait`, everything else as in the full text;
    /// - `pass`; a number of the round before the move, and any number after `partial`;
    /// - blanks, the bars between stages and, where that leaves one move, case do not count;
    /// - what the tail of a ply did (`after-move`) may be left out.
    ///
    /// # Errors
    /// When no move or several moves fit.
    pub fn find_move(&self, state: &State, list: &MoveList, text: &str) -> Result<usize, MoveError> {
        self.finder(state, list).find(text)
    }

    /// Prepares to find moves of `list`; `state` is the state before the moves.
    pub fn finder<'f>(&'f self, state: &State, list: &'f MoveList) -> Finder<'f, 'a> {
        let parts = self.parts(state, list);
        let full = self.unique_texts_of(&parts, list);
        let short = self.short_texts_of(&parts, || full.clone());
        Finder {
            notation: self,
            list,
            parts,
            full,
            short,
        }
    }
}

/// Finds the moves of one list by their texts; see [`Notation::find_move`].
#[derive(Clone, Debug)]
pub struct Finder<'f, 'a> {
    notation: &'f Notation<'a>,
    list: &'f MoveList,
    parts: Vec<Parts>,
    full: Vec<String>,
    short: Vec<String>,
}

impl Finder<'_, '_> {
    /// Returns the full texts of all moves; see [`Notation::unique_texts`].
    pub fn full_texts(&self) -> &[String] {
        &self.full
    }

    /// Returns the short texts of all moves; see [`Notation::short_texts`].
    pub fn short_texts(&self) -> &[String] {
        &self.short
    }

    /// Finds the one move that `text` means; see [`Notation::find_move`].
    ///
    /// # Errors
    /// When no move or several moves fit.
    pub fn find(&self, text: &str) -> Result<usize, MoveError> {
        let text = text.trim();
        let given = || match text.char_indices().nth(REPEATED) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        };
        let mut searched = self.search(text);
        if let (Search::Nothing, Some(rest)) = (&searched, without_round(text)) {
            searched = self.search(rest);
        }
        match searched {
            Search::Found(index) => Ok(index),
            Search::Several(fitting) => Err(MoveError::Ambiguous {
                text: given(),
                candidates: fitting.into_iter().map(|index| self.full[index].clone()).collect(),
            }),
            Search::Nothing => {
                let wanted = without_round(text).unwrap_or(text);
                let wanted = without_partial(wanted).unwrap_or(wanted);
                Err(MoveError::Unknown {
                    text: given(),
                    suggestions: nearest(wanted, &self.full, &self.short),
                })
            }
        }
    }

    fn search(&self, text: &str) -> Search {
        let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if spaced.is_empty() {
            return Search::Nothing;
        }
        let exact = |texts: &[String]| texts.iter().position(|known| *known == spaced);
        if let Some(index) = [&self.full, &self.short].into_iter().find_map(|texts| exact(texts)) {
            return Search::Found(index);
        }
        let (text, partial_only) = match without_partial(&spaced) {
            Some(rest) => (rest, true),
            None => (spaced.as_str(), false),
        };
        if partial_only {
            let same = |(index, full): (usize, &String)| (without_partial(full) == Some(text)).then_some(index);
            let fitting: Vec<usize> = self.full.iter().enumerate().filter_map(same).collect();
            if !fitting.is_empty() {
                return Search::among(fitting);
            }
        }
        for fold in [false, true] {
            let forms = Forms {
                notation: self.notation,
                fold,
            };
            let compact = forms.compact(text);
            if compact.len() > LONGEST {
                return Search::Nothing;
            }
            let mut fits = Vec::new();
            for (index, (entry, parts)) in self.list.iter().zip(&self.parts).enumerate() {
                if partial_only && !entry.is_partial() {
                    continue;
                }
                if let Some(missing) = fit(&forms, parts, entry.arrival, &compact) {
                    fits.push((index, missing));
                }
            }
            // What people write is meant of the move itself first.
            if fits.iter().any(|(_, missing)| !missing.by_tail) {
                fits.retain(|(_, missing)| !missing.by_tail);
            }
            let search = match best(&fits) {
                Search::Nothing => self.search_shapes(text, fold),
                search => search,
            };
            if !matches!(search, Search::Nothing) {
                return search;
            }
        }
        Search::Nothing
    }

    /// Finds the shape that covers the cells of a text, in whatever order they stand.
    fn search_shapes(&self, text: &str, fold: bool) -> Search {
        if !self.parts.iter().any(|parts| parts.laid().is_some()) {
            return Search::Nothing;
        }
        let rules = self.notation.rules;
        let words = text.split([' ', ',', ':']).filter(|word| !word.is_empty());
        let equal = |a: &str, b: &str| a == b || fold && a.eq_ignore_ascii_case(b);
        let (mut names, mut cells) = (Vec::new(), Vec::new());
        for word in words {
            match rules
                .model
                .board
                .cell_ids()
                .find(|&cell| equal(rules.model.board.name(cell), word))
            {
                Some(cell) => cells.push(cell),
                None => names.push(word),
            }
        }
        cells.sort_unstable();
        let fits = |parts: &Parts| {
            let Some((piece, laid)) = parts.laid() else {
                return false;
            };
            let (owner, kind) = (item::owner_name(rules, piece), item::kind_name(rules, piece));
            laid == cells && (names.iter()).all(|name| equal(kind, name) || equal(owner, name))
        };
        let fitting = self.parts.iter().enumerate().filter(|(_, parts)| fits(parts));
        Search::among(fitting.map(|(index, _)| index).collect())
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
    /// Labels.
    labels: usize,
    /// Further movements and changes.
    side: usize,
    /// Attributes and variables.
    numbers: usize,
    /// What the tail of the ply did.
    tail: usize,
    /// Whether the text only fits because it tells of the tail.
    by_tail: bool,
}

/// Chooses among the moves that fit: the only one that is told in full, or in all that people tell; else the only one.
fn best(fits: &[(usize, Missing)]) -> Search {
    let told = [
        |missing: &Missing| *missing == Missing::default(),
        |missing: &Missing| (missing.main, missing.labels, missing.side, missing.numbers) == (0, 0, 0, 0),
        |missing: &Missing| (missing.main, missing.labels, missing.side) == (0, 0, 0),
        |missing: &Missing| (missing.main, missing.labels) == (0, 0),
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
fn fit(forms: &Forms<'_, '_>, parts: &Parts, arrival: CellId, text: &str) -> Option<Missing> {
    // Beginnings with what they tell, and whether they are the head.
    let mut heads: Vec<(String, Told, bool)> = Vec::new();
    match parts.destination() {
        // Every form of the movement contains its destination, and nothing comes before it.
        Some(to) if parts.head == Some(0) && !text.contains(&forms.cell(to)) => return None,
        _ => heads.extend(forms.heads(parts).into_iter().map(|(head, told)| (head, told, true))),
    }
    match parts.head {
        Some(0) => {}
        // What comes before it may be written first.
        Some(_) => heads.push((String::new(), Told::All, false)),
        None => {
            heads.push((String::new(), Told::All, false));
            if arrival.is_some() {
                heads.push((forms.cell(arrival), Told::Piece, false));
            }
        }
    }
    heads.retain(|(head, ..)| text.starts_with(head.as_str()));
    // The forms of the parts are only made if the text tells more than the movement.
    let tells_more = heads.iter().any(|(head, ..)| head.len() < text.len());
    let mut items: Vec<Vec<String>> = (parts.items.iter())
        .map(|item| if tells_more { forms.of(item) } else { Vec::new() })
        .collect();
    let tail: Vec<Vec<String>> = items[parts.tail.clone()].iter_mut().map(std::mem::take).collect();
    let least = fit_any(parts, &items, &heads, text);
    if least.is_some() || tail.is_empty() || !tells_more {
        return least;
    }
    // Nobody need write what the tail did, but it may stand.
    for (forms, of_tail) in items[parts.tail.clone()].iter_mut().zip(tail) {
        *forms = of_tail;
    }
    let least = fit_any(parts, &items, &heads, text)?;
    Some(Missing { by_tail: true, ..least })
}

/// Reads a text that has one of some beginnings; `forms` are those of each part.
fn fit_any(parts: &Parts, forms: &[Vec<String>], heads: &[(String, Told, bool)], text: &str) -> Option<Missing> {
    let mut least = None;
    for (head, told, is_head) in heads {
        let mut used = vec![false; parts.items.len()];
        if let (Some(index), true) = (parts.head, *is_head) {
            used[index] = true;
        }
        let mut reading = Reading {
            parts,
            forms,
            used,
            comparisons: COMPARISONS,
            least: None,
        };
        reading.read(&text[head.len()..]);
        let Some(mut missing) = reading.least else { continue };
        missing.main += usize::from(*told == Told::Destination);
        missing.side += usize::from(*told == Told::Piece);
        if least.is_none_or(|least| missing < least) {
            least = Some(missing);
        }
    }
    least
}

impl Parts {
    /// Returns where the first movement or drop ends.
    fn destination(&self) -> Option<CellId> {
        match self.head.map(|head| &self.items[head]) {
            Some(Item::Movement { to, .. } | Item::Drop { to, .. }) => Some(*to),
            Some(Item::Lay { cells, .. }) => cells.first().copied(),
            _ => None,
        }
    }

    /// Returns the shape that is laid and its cells.
    fn laid(&self) -> Option<(Occupant, &[CellId])> {
        match self.head.map(|head| &self.items[head]) {
            Some(Item::Lay { piece, cells }) => Some((*piece, cells)),
            _ => None,
        }
    }
}

/// Reads a text as some of the parts of a move, each at most once, in any order.
struct Reading<'a> {
    parts: &'a Parts,
    /// For each part its forms.
    forms: &'a [Vec<String>],
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
        let forms = self.forms;
        for (index, forms) in forms.iter().enumerate() {
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
        if let Some(rest) = text
            .strip_prefix('/')
            .filter(|_| self.parts.items.contains(&Item::Stage))
        {
            self.read(rest);
        }
    }

    fn missing(&self) -> Missing {
        let mut missing = Missing::default();
        for (index, item) in self.parts.items.iter().enumerate() {
            match item {
                _ if self.used[index] => {}
                Item::Stage => {}
                _ if self.parts.tail.contains(&index) => missing.tail += 1,
                Item::Labels(_) => missing.labels += 1,
                item if item.is_number() => missing.numbers += 1,
                item if item.is_main() || Some(index) == self.parts.head => missing.main += 1,
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
