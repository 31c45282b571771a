//! Reads test lines.
//!
//! ```text
//! ;! test: NAME                                   begins a test
//! ;! variant: TITLE                               the game or variant it is about, from its start
//! ;! seed: N                                      go on from the start that this seed sets up
//! ;! position: (position …)                       go on from this position; also `fen …`
//! ;! play: MOVE; MOVE                             play these moves
//! ;! moves: exactly MOVE; MOVE                    the legal moves; also `includes`, `excludes`, `count N`
//! ;! moves of CELL: exactly MOVE; MOVE            those of the piece on a cell
//! ;! count: N                                     the number of legal moves
//! ;! turn: PLAYER                                 who is to move
//! ;! labels: MOVE; LABEL; LABEL                   the labels of a move, in order; also `captures`, `cells`, `rating`
//! ;! policy: MOVE; MOVE                           the moves that the policy of the player to move chooses among
//! ;! reached: (position …)                        the present position
//! ;! scores: PLAYER N; PLAYER N                   the scores now; also `totals`
//! ;! perft N: COUNT                               ways to play N plies; `perft-turns N` for whole turns
//! ;! outcome: none | draw | P wins | P loses      how the game stands; `; reason TEXT` may follow
//! ;! error LINE:COLUMN-COLUMN CODE                the file has this error; also `warning`
//! ```
//!
//! A `;!` line that begins with none of these words continues the one before it.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, SourceMap, Span};

/// What begins a test line.
const MARK: &str = ";!";

/// The first words of test lines.
const WORDS: [&str; 21] = [
    "test",
    "variant",
    "seed",
    "position",
    "reached",
    "labels",
    "captures",
    "cells",
    "rating",
    "policy",
    "scores",
    "totals",
    "play",
    "moves",
    "count",
    "turn",
    "perft",
    "perft-turns",
    "outcome",
    "error",
    "warning",
];

/// The test lines of a file.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The lines before the first test: carried out at the beginning of each.
    pub common: Vec<Directive>,
    /// The tests, in file order.
    pub tests: Vec<Test>,
    /// The lines that cannot be read.
    pub errors: Vec<Diagnostic>,
}

/// One test: its lines, carried out in order.
#[derive(Clone, Debug)]
pub struct Test {
    /// What it shows.
    pub name: String,
    /// Where the name is written.
    pub span: Span,
    /// Its lines.
    pub directives: Vec<Directive>,
}

/// A test line.
#[derive(Clone, Debug)]
pub struct Directive {
    /// Where it is written, continuation lines included.
    pub span: Span,
    /// What it says.
    pub kind: DirectiveKind,
}

/// A piece of a test line, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text; pieces of continued lines are joined by a blank.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

/// What a test line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectiveKind {
    /// `variant: TITLE`
    Variant(Written),
    /// `seed: N`
    Seed(u64),
    /// `position: …`
    Position(Written),
    /// `reached: …`
    Reached(Written),
    /// `labels: …` and the others that tell something of one move
    Detail {
        /// What is told.
        what: Detail,
        /// Of which move.
        of: Written,
        /// What it is.
        expected: Vec<Written>,
    },
    /// `policy: …`
    Policy(Vec<Written>),
    /// `scores: …` and `totals: …`
    Scores {
        /// Whether what the players bring from earlier rounds counts.
        in_all: bool,
        /// Players with their scores.
        expected: Vec<(Written, i64)>,
    },
    /// `play: …`
    Play(Vec<Written>),
    /// `moves: …` and `moves of CELL: …`
    Moves {
        /// Only the moves that begin on this cell.
        of: Option<Written>,
        /// What is said about them.
        claim: Claim,
    },
    /// `turn: PLAYER`
    Turn(Written),
    /// `perft N: COUNT` and `perft-turns N: COUNT`
    Perft {
        /// Plies or turns.
        depth: u32,
        /// Whether depth is in whole turns.
        turns: bool,
        /// The number of ways.
        nodes: u64,
    },
    /// `outcome: …`
    Outcome {
        /// How the game stands.
        result: Standing,
        /// A part of the reason for its end.
        reason: Option<String>,
    },
    /// `error LINE:COLUMN-COLUMN CODE` and `warning …`
    Finding(Finding),
}

/// What a test line can tell of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Its labels, in order.
    Labels,
    /// The positions whose pieces it removes.
    Captures,
    /// The positions that a shape covers.
    Cells,
    /// The numbers of its rating.
    Rating,
}

/// What is said about a list of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// These and no others.
    Exactly(Vec<Written>),
    /// These and perhaps others.
    Includes(Vec<Written>),
    /// None of these.
    Excludes(Vec<Written>),
    /// So many.
    Count(usize),
}

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It goes on.
    Open,
    /// It is over and nobody has won.
    Draw,
    /// The player has won.
    Wins(Written),
    /// The player has lost.
    Loses(Written),
}

/// A diagnostic that the file is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is an error; else a warning.
    pub is_error: bool,
    /// The line it begins on.
    pub line: usize,
    /// The first column, if given.
    pub column: Option<usize>,
    /// The last column, itself included, if given.
    pub end_column: Option<usize>,
    /// Its code.
    pub code: Code,
}

/// Reads the test lines of a text.
pub fn read(sources: &SourceMap, source: SourceId) -> Script {
    let mut script = Script::default();
    for line in logical_lines(sources, source) {
        match parse_line(&line) {
            Ok(Parsed::Test(name)) => {
                script.tests.push(Test {
                    name: name.text,
                    span: name.span,
                    directives: Vec::new(),
                });
            }
            Ok(Parsed::Directive(kind)) => {
                let directive = Directive {
                    span: line.span(0, line.text.len()),
                    kind,
                };
                match script.tests.last_mut() {
                    Some(test) => test.directives.push(directive),
                    None => script.common.push(directive),
                }
            }
            Err(error) => script.errors.push(error),
        }
    }
    script
}

/// A test line with those that continue it.
#[derive(Debug)]
struct Line {
    source: SourceId,
    text: String,
    /// Where each stretch of the text begins: byte in the text, byte in the source.
    stretches: Vec<(usize, usize)>,
}

impl Line {
    /// Returns the place of a part of the text.
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, self.offset(start) as u32, self.offset(end) as u32)
    }

    fn offset(&self, at: usize) -> usize {
        let after = self.stretches.partition_point(|&(text, _)| text <= at);
        // The end of a stretch belongs to it, not to the blank that joins the next one.
        after.checked_sub(1).map_or(0, |index| {
            let (text, source) = self.stretches[index];
            source + (at - text)
        })
    }

    /// Returns a part of the text without blanks around it.
    fn trimmed(&self, start: usize, end: usize) -> Written {
        let part = &self.text[start..end];
        let start = start + (part.len() - part.trim_start().len());
        let part = part.trim();
        Written {
            text: part.to_owned(),
            span: self.span(start, start + part.len()),
        }
    }

    /// Splits a part of the text at `;`.
    fn split(&self, start: usize, end: usize) -> Vec<Written> {
        let mut parts = Vec::new();
        let mut from = start;
        for piece in self.text[start..end].split(';') {
            let written = self.trimmed(from, from + piece.len());
            if !written.text.is_empty() {
                parts.push(written);
            }
            from += piece.len() + 1;
        }
        parts
    }

    fn error(&self, start: usize, end: usize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Code::BadTest, message).at(self.span(start, end))
    }
}

fn logical_lines(sources: &SourceMap, source: SourceId) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut offset = 0;
    for line in sources.text(source).split('\n') {
        let indent = line.len() - line.trim_start().len();
        if let Some(rest) = line.trim_start().strip_prefix(MARK) {
            let blanks = rest.len() - rest.trim_start().len();
            let start = offset + indent + MARK.len() + blanks;
            let rest = rest.trim();
            let continues = !rest.is_empty() && !begins_line(rest);
            match lines.last_mut().filter(|_| continues) {
                Some(before) => {
                    before.text.push(' ');
                    before.stretches.push((before.text.len(), start));
                    before.text.push_str(rest);
                }
                None if rest.is_empty() => {}
                None => lines.push(Line {
                    source,
                    text: rest.to_owned(),
                    stretches: vec![(0, start)],
                }),
            }
        }
        offset += line.len() + 1;
    }
    lines
}

/// Tells whether a line says something of its own: its first word is one of test lines, or a misspelt one.
fn begins_line(text: &str) -> bool {
    let word = first_word(text);
    WORDS.contains(&word) || text[word.len()..].starts_with(':') && crate::keyword::nearest_of(word, WORDS).is_some()
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| c.is_whitespace() || c == ':').next().unwrap_or("")
}

enum Parsed {
    Test(Written),
    Directive(DirectiveKind),
}

fn parse_line(line: &Line) -> Result<Parsed, Diagnostic> {
    let word = first_word(&line.text);
    if matches!(word, "error" | "warning") {
        return parse_finding(line, word).map(|finding| Parsed::Directive(DirectiveKind::Finding(finding)));
    }
    if !WORDS.contains(&word) {
        let help = match crate::keyword::nearest_of(word, WORDS) {
            Some(near) => format!("write `{near}`?"),
            None => format!("test lines begin with one of: {}", WORDS.join(", ")),
        };
        return Err(line
            .error(0, word.len(), format!("`{word}` is no word of test lines"))
            .help(help));
    }
    let Some(colon) = line.text.find(':') else {
        return Err(line
            .error(0, word.len(), format!("`{word}` has no colon"))
            .help("write `:` after it"));
    };
    let (start, end) = (colon + 1, line.text.len());
    let between = line.trimmed(word.len(), colon);
    let rest = line.trimmed(start, end);
    if !between.text.is_empty() && !matches!(word, "moves" | "perft" | "perft-turns") {
        let message = format!("`{}` stands where `:` was expected", between.text);
        return Err(Diagnostic::error(Code::BadTest, message).at(between.span));
    }
    if rest.text.is_empty() {
        return Err(line.error(0, end, format!("`{word}` says nothing")));
    }
    let kind = match word {
        "test" => return Ok(Parsed::Test(rest)),
        "variant" => DirectiveKind::Variant(rest),
        "seed" => DirectiveKind::Seed(parse_number(&rest)?),
        "position" => DirectiveKind::Position(rest),
        "reached" => DirectiveKind::Reached(rest),
        "labels" => parse_detail(line, start, Detail::Labels)?,
        "captures" => parse_detail(line, start, Detail::Captures)?,
        "cells" => parse_detail(line, start, Detail::Cells)?,
        "rating" => parse_detail(line, start, Detail::Rating)?,
        "policy" => DirectiveKind::Policy(line.split(start, end)),
        "scores" | "totals" => DirectiveKind::Scores {
            in_all: word == "totals",
            expected: (line.split(start, end).iter().map(parse_score)).collect::<Result<_, _>>()?,
        },
        "play" => DirectiveKind::Play(line.split(start, end)),
        "turn" => DirectiveKind::Turn(rest),
        "count" => DirectiveKind::Moves {
            of: None,
            claim: Claim::Count(parse_number(&rest)?),
        },
        "moves" => parse_moves(line, &between, start)?,
        "outcome" => parse_outcome(line, start)?,
        _ => DirectiveKind::Perft {
            depth: parse_number(&between)?,
            turns: word == "perft-turns",
            nodes: parse_number(&rest)?,
        },
    };
    Ok(Parsed::Directive(kind))
}

/// Reads the number at the beginning of a text; what follows is a comment.
fn parse_number<N: std::str::FromStr>(written: &Written) -> Result<N, Diagnostic> {
    let digits = written.text.split_whitespace().next().unwrap_or("");
    let message = || format!("`{digits}` stands where a number was expected");
    digits
        .parse()
        .map_err(|_| Diagnostic::error(Code::BadTest, message()).at(written.span))
}

/// Reads `MOVE; WHAT; WHAT`.
fn parse_detail(line: &Line, start: usize, what: Detail) -> Result<DirectiveKind, Diagnostic> {
    let mut parts = line.split(start, line.text.len()).into_iter();
    match parts.next() {
        Some(of) => Ok(DirectiveKind::Detail {
            what,
            of,
            expected: parts.collect(),
        }),
        None => Err(line.error(start, line.text.len(), "no move is named")),
    }
}

/// Reads `PLAYER NUMBER`.
fn parse_score(written: &Written) -> Result<(Written, i64), Diagnostic> {
    let parts = written.text.rsplit_once(char::is_whitespace);
    let read = parts.and_then(|(player, number)| Some((player.trim_end(), number.parse().ok()?)));
    let Some((player, number)) = read else {
        let message = format!("`{}` stands where a player and a number were expected", written.text);
        return Err(Diagnostic::error(Code::BadTest, message).at(written.span));
    };
    let span = Span::new(
        written.span.source,
        written.span.start,
        written.span.start + player.len() as u32,
    );
    let player = Written {
        text: player.to_owned(),
        span,
    };
    Ok((player, number))
}

fn parse_moves(line: &Line, between: &Written, start: usize) -> Result<DirectiveKind, Diagnostic> {
    let of = match between.text.split_once(char::is_whitespace) {
        None if between.text.is_empty() => None,
        Some(("of", cell)) => {
            let cell = cell.trim();
            let end = between.span.end;
            let span = Span::new(between.span.source, end - cell.len() as u32, end);
            Some(Written {
                text: cell.to_owned(),
                span,
            })
        }
        _ => {
            let message = format!("`{}` stands where `of CELL` was expected", between.text);
            return Err(Diagnostic::error(Code::BadTest, message).at(between.span));
        }
    };
    let rest = line.trimmed(start, line.text.len());
    let word = rest.text.split_whitespace().next().unwrap_or("");
    let blanks = line.text[start..].len() - line.text[start..].trim_start().len();
    let after = start + blanks + word.len();
    let moves = || line.split(after, line.text.len());
    let claim = match word {
        "exactly" => Claim::Exactly(moves()),
        "includes" => Claim::Includes(moves()),
        "excludes" => Claim::Excludes(moves()),
        "count" => Claim::Count(parse_number(&line.trimmed(after, line.text.len()))?),
        _ => {
            let message = format!("`{word}` stands where `exactly`, `includes`, `excludes` or `count` was expected");
            return Err(line.error(start + blanks, after, message));
        }
    };
    if let Claim::Includes(moves) | Claim::Excludes(moves) = &claim
        && moves.is_empty()
    {
        return Err(line.error(start + blanks, after, format!("`{word}` names no move")));
    }
    Ok(DirectiveKind::Moves { of, claim })
}

fn parse_outcome(line: &Line, start: usize) -> Result<DirectiveKind, Diagnostic> {
    let end = line.text.len();
    let semicolon = line.text[start..].find(';').map_or(end, |at| start + at);
    let said = line.trimmed(start, semicolon);
    let reason = match line.text.get(semicolon + 1..).map(str::trim) {
        None | Some("") => None,
        Some(rest) => match rest.strip_prefix("reason") {
            Some(reason) if !reason.trim().is_empty() => Some(reason.trim().to_owned()),
            _ => {
                return Err(line.error(
                    semicolon + 1,
                    end,
                    format!("`{rest}` stands where `reason …` was expected"),
                ));
            }
        },
    };
    let player = |suffix: &str| {
        let name = said.text.strip_suffix(suffix)?;
        let trimmed = name.trim_end();
        if trimmed.is_empty() || trimmed.len() == name.len() {
            return None;
        }
        let span = Span::new(
            said.span.source,
            said.span.start,
            said.span.start + trimmed.len() as u32,
        );
        Some(Written {
            text: trimmed.to_owned(),
            span,
        })
    };
    let result = match said.text.as_str() {
        "none" => Standing::Open,
        "draw" => Standing::Draw,
        _ => match (player("wins"), player("loses")) {
            (Some(winner), _) => Standing::Wins(winner),
            (_, Some(loser)) => Standing::Loses(loser),
            (None, None) => {
                let message = format!(
                    "`{}` stands where `none`, `draw`, `P wins` or `P loses` was expected",
                    said.text
                );
                return Err(Diagnostic::error(Code::BadTest, message).at(said.span));
            }
        },
    };
    Ok(DirectiveKind::Outcome { result, reason })
}

fn parse_finding(line: &Line, word: &str) -> Result<Finding, Diagnostic> {
    let rest = line.trimmed(word.len(), line.text.len());
    let mut words = rest.text.split_whitespace();
    let (place, code) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let form = || {
        let message = format!("`{}` stands where a place and a code were expected", rest.text);
        Diagnostic::error(Code::BadTest, message).at(rest.span).help(format!(
            "write `{word} LINE CODE`, `{word} LINE:COLUMN CODE` or `{word} LINE:COLUMN-COLUMN CODE`"
        ))
    };
    let (line_text, columns) = match place.split_once(':') {
        Some((line, columns)) => (line, Some(columns)),
        None => (place, None),
    };
    let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number > 0);
    let line_number = number(line_text).ok_or_else(form)?;
    let (column, end_column) = match columns.map(|columns| columns.split_once('-').unwrap_or((columns, ""))) {
        None => (None, None),
        Some((first, "")) => (Some(number(first).ok_or_else(form)?), None),
        Some((first, last)) => (
            Some(number(first).ok_or_else(form)?),
            Some(number(last).ok_or_else(form)?),
        ),
    };
    let code = Code::from_number(code).ok_or_else(|| {
        let message = format!("`{code}` is no code of a diagnostic");
        Diagnostic::error(Code::BadTest, message)
            .at(rest.span)
            .help("codes look like Z0304; `ludex check` shows them")
    })?;
    Ok(Finding {
        is_error: word == "error",
        line: line_number,
        column,
        end_column,
        code,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> (SourceMap, Script) {
        let mut sources = SourceMap::new();
        let source = sources.add("a.zrf", text.as_bytes());
        let script = read(&sources, source);
        (sources, script)
    }

    fn messages(text: &str) -> Vec<String> {
        script(text).1.errors.into_iter().map(|error| error.message).collect()
    }

    #[test]
    fn lines_belong_to_the_test_above_them() {
        let (_, script) = script(";! variant: B\n;! test: one\n;! count: 3\n(game)\n  ;! test: two\n;! turn: A\n");
        assert_eq!(script.common.len(), 1);
        assert_eq!(
            script.tests.iter().map(|test| test.name.as_str()).collect::<Vec<_>>(),
            ["one", "two"]
        );
        assert_eq!(script.tests[0].directives.len(), 1);
        assert!(script.errors.is_empty());
    }

    #[test]
    fn continued_lines_keep_their_places() {
        let (sources, script) = script(";! test: x\n;! play: a1-a2;\n;!   b1-b2; c1\n;!   -c2\n");
        let DirectiveKind::Play(moves) = &script.tests[0].directives[0].kind else {
            panic!("play")
        };
        let texts: Vec<&str> = moves.iter().map(|written| written.text.as_str()).collect();
        assert_eq!(texts, ["a1-a2", "b1-b2", "c1 -c2"]);
        assert_eq!(sources.slice(moves[1].span), "b1-b2");
        assert_eq!(sources.start(moves[1].span).line, 3);
    }

    #[test]
    fn comments_after_numbers_are_free() {
        let (_, script) = script(";! test: x\n;! perft-turns 5: 7361   source: a page; another\n");
        let expected = DirectiveKind::Perft {
            depth: 5,
            turns: true,
            nodes: 7361,
        };
        assert_eq!(script.tests[0].directives[0].kind, expected);
    }

    #[test]
    fn outcomes_name_players_and_reasons() {
        let (_, script) = script(";! outcome: North Star wins; reason no legal move\n;! outcome: none");
        let DirectiveKind::Outcome {
            result: Standing::Wins(player),
            reason,
        } = &script.common[0].kind
        else {
            panic!("wins")
        };
        assert_eq!(
            (player.text.as_str(), reason.as_deref()),
            ("North Star", Some("no legal move"))
        );
    }

    #[test]
    fn findings_have_places() {
        let (_, script) = script(";! error 12:4-9 Z0203\n;! warning 3 z0308");
        let finding = |index: usize| match &script.common[index].kind {
            DirectiveKind::Finding(finding) => finding.clone(),
            _ => panic!("finding"),
        };
        assert_eq!(
            (finding(0).line, finding(0).column, finding(0).end_column),
            (12, Some(4), Some(9))
        );
        assert_eq!(
            (finding(1).is_error, finding(1).column, finding(1).code),
            (false, None, Code::UnknownOption)
        );
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        assert_eq!(messages(";! tset: x"), ["`tset` is no word of test lines"]);
        assert_eq!(
            messages(";! count: 3\n;! trun: White"),
            ["`trun` is no word of test lines"]
        );
        assert_eq!(
            messages(";! count: many"),
            ["`many` stands where a number was expected"]
        );
        assert_eq!(
            messages(";! moves: perhaps a1"),
            ["`perhaps` stands where `exactly`, `includes`, `excludes` or `count` was expected"]
        );
        assert_eq!(
            messages(";! outcome: White"),
            ["`White` stands where `none`, `draw`, `P wins` or `P loses` was expected"]
        );
        assert_eq!(
            messages(";! error here Z0101"),
            ["`here Z0101` stands where a place and a code were expected"]
        );
        assert_eq!(messages(";! test:"), ["`test` says nothing"]);
        assert_eq!(messages(";! play a1"), ["`play` has no colon"]);
    }
}
