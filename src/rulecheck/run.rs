//! Carries tests out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::directive::{self, Claim, Detail, Directive, DirectiveKind, Finding, Standing, Test, Written};
use crate::diagnostic::{Code, Diagnostic, Label, Severity};
use crate::keyword::nearest_of;
use crate::load::RuleFile;
use crate::model::CellId;
use crate::play::notation::{Finder, MoveError, Notation, label_text};
use crate::play::outcome::PlayerResult;
use crate::play::perft::{PerftOptions, perft};
use crate::play::position::{print_session, read_session};
use crate::play::{Decision, Outcome, Session};
use crate::rules::Rules;
use crate::source::Span;
use crate::state::{Effect, MoveList};
use crate::vm::Fault;

/// The most moves that a difference lists of one sort.
const LISTED: usize = 24;

/// How tests are run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestOptions {
    /// `perft` lines that expect more ways than this are left out; none are by default.
    pub node_limit: Option<u64>,
}

/// What became of the tests of one file.
#[derive(Clone, Debug)]
pub struct FileResult {
    /// The name of the file.
    pub name: String,
    /// The tests, in file order.
    pub tests: Vec<TestResult>,
}

/// What became of a test.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// What it shows.
    pub name: String,
    /// The line its name stands on.
    pub line: usize,
    /// Whether it passed.
    pub status: Status,
    /// What failed, in the order of its lines; empty unless it failed.
    pub failures: Vec<Failure>,
    /// The time it took.
    pub duration: Duration,
}

/// Whether a test passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// All its lines hold.
    Passed,
    /// A line does not hold.
    Failed,
    /// It could not be run.
    Skipped {
        /// Why.
        reason: String,
    },
}

/// A line of a test that does not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its code.
    pub code: Code,
    /// The line in the rule file.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What is wrong, in one line.
    pub message: String,
    /// The same with an excerpt of the file, the difference, and the position.
    pub text: String,
}

impl FileResult {
    /// Returns the number of tests that passed.
    pub fn passed(&self) -> usize {
        self.tests.iter().filter(|test| test.status == Status::Passed).count()
    }

    /// Returns the number of tests that failed.
    pub fn failed(&self) -> usize {
        self.tests.iter().filter(|test| test.status == Status::Failed).count()
    }

    /// Returns the number of tests that could not be run.
    pub fn skipped(&self) -> usize {
        self.tests.len() - self.passed() - self.failed()
    }
}

/// Runs the tests of a rule file, which are in the file itself, not in those it includes.
pub fn run(file: &mut RuleFile, options: &TestOptions) -> FileResult {
    let name = file.sources().name(file.root()).to_owned();
    let script = directive::read(file.sources(), file.root());
    let mut tests = Vec::new();
    if !script.errors.is_empty() {
        let started = Instant::now();
        let failures = script
            .errors
            .iter()
            .map(|error| Failure::new(file, error, &[]))
            .collect();
        tests.push(TestResult::new(
            file,
            "test lines are readable",
            None,
            started,
            Status::Failed,
            failures,
        ));
    }
    let mut games = Games::default();
    // Lines without a test above them are a test of their own if there is no other.
    let whole = Test {
        name: "whole file".to_owned(),
        span: Span::new(file.root(), 0, 0),
        directives: Vec::new(),
    };
    let of_the_file = script.tests.is_empty() && !script.common.is_empty();
    for test in script.tests.iter().chain(of_the_file.then_some(&whole)) {
        let started = Instant::now();
        let mut runner = Runner {
            file,
            games: &mut games,
            options,
            entry: None,
            session: None,
            failures: Vec::new(),
        };
        let stopped = (script.common.iter().chain(&test.directives)).find_map(|line| runner.carry_out(line).err());
        runner.compare_findings(script.common.iter().chain(&test.directives));
        let failures = runner.failures;
        let status = match stopped {
            Some(Stop::Skip(reason)) => Status::Skipped { reason },
            _ if failures.is_empty() => Status::Passed,
            _ => Status::Failed,
        };
        tests.push(TestResult::new(
            file,
            &test.name,
            Some(test.span),
            started,
            status,
            failures,
        ));
    }
    FileResult { name, tests }
}

impl TestResult {
    fn new(
        file: &RuleFile,
        name: &str,
        span: Option<Span>,
        started: Instant,
        status: Status,
        failures: Vec<Failure>,
    ) -> TestResult {
        let line = span.map_or(1, |span| file.sources().start(span).line);
        TestResult {
            name: name.to_owned(),
            line,
            status,
            failures,
            duration: started.elapsed(),
        }
    }
}

impl Failure {
    fn new(file: &RuleFile, diagnostic: &Diagnostic, details: &[String]) -> Failure {
        let place = diagnostic.span.map(|span| file.sources().start(span));
        let mut text = file.render(diagnostic);
        for detail in details {
            text.push('\n');
            text.push_str(detail);
        }
        Failure {
            code: diagnostic.code,
            line: place.map_or(1, |place| place.line),
            column: place.map_or(1, |place| place.column),
            message: diagnostic.message.clone(),
            text,
        }
    }
}

/// The games of a file that tests have needed, by entry.
#[derive(Default)]
struct Games(Vec<(usize, Game)>);

/// What became of a game of the file.
#[derive(Clone)]
struct Game {
    rules: Option<Arc<Rules>>,
    diagnostics: Vec<Diagnostic>,
}

impl Games {
    fn get(&mut self, file: &mut RuleFile, entry: usize) -> Game {
        if let Some((_, game)) = self.0.iter().find(|(known, _)| *known == entry) {
            return game.clone();
        }
        let compiled = file.compile(entry);
        let game = Game {
            rules: compiled.rules.map(Arc::new),
            diagnostics: compiled.diagnostics,
        };
        self.0.push((entry, game.clone()));
        game
    }
}

/// Why the rest of a test is not carried out.
enum Stop {
    /// It rests on something that failed.
    Failed,
    /// It cannot be run.
    Skip(String),
}

struct Runner<'a> {
    file: &'a mut RuleFile,
    games: &'a mut Games,
    options: &'a TestOptions,
    entry: Option<usize>,
    session: Option<Session>,
    failures: Vec<Failure>,
}

impl Runner<'_> {
    /// Carries out one line. A line that does not hold is noted; an error means that the next lines make no sense.
    fn carry_out(&mut self, directive: &Directive) -> Result<(), Stop> {
        match &directive.kind {
            DirectiveKind::Variant(title) => self.choose(title),
            DirectiveKind::Seed(seed) => self.draw(*seed),
            DirectiveKind::Position(text) => self.set_up(text),
            DirectiveKind::Reached(text) => self.compare_position(directive.span, text),
            DirectiveKind::Detail { what, of, expected } => self.compare_detail(directive.span, *what, of, expected),
            DirectiveKind::Policy(moves) => self.compare_policy(directive.span, moves),
            DirectiveKind::Scores { in_all, expected } => self.compare_scores(directive.span, *in_all, expected),
            DirectiveKind::Play(moves) => moves.iter().try_for_each(|text| self.play(text)),
            DirectiveKind::Moves { of, claim } => self.compare_moves(directive.span, of.as_ref(), claim),
            DirectiveKind::Turn(player) => self.compare_turn(player),
            DirectiveKind::Perft { depth, turns, nodes } => self.count(directive.span, *depth, *turns, *nodes),
            DirectiveKind::Outcome { result, reason } => {
                self.compare_outcome(directive.span, result, reason.as_deref())
            }
            // Compared all together at the end.
            DirectiveKind::Finding(_) => Ok(()),
        }
    }

    fn choose(&mut self, title: &Written) -> Result<(), Stop> {
        self.session = None;
        match self.file.find_entry(&title.text) {
            Ok(entry) => self.entry = Some(entry),
            Err(error) => {
                self.fail(Diagnostic::error(Code::BadTest, error.to_string()).at(title.span), &[]);
                return Err(Stop::Failed);
            }
        }
        Ok(())
    }

    fn set_up(&mut self, text: &Written) -> Result<(), Stop> {
        self.session = Some(self.read_position(text)?);
        Ok(())
    }

    fn read_position(&mut self, text: &Written) -> Result<Session, Stop> {
        let rules = self.rules()?;
        read_session(rules, "", &text.text).map_err(|errors| {
            for diagnostic in errors.diagnostics {
                self.fail(placed(diagnostic, text), &[]);
            }
            Stop::Failed
        })
    }

    fn draw(&mut self, seed: u64) -> Result<(), Stop> {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        self.session = Some(Session::with_chance(self.rules()?, &mut chance));
        Ok(())
    }

    fn compare_position(&mut self, span: Span, text: &Written) -> Result<(), Stop> {
        let expected = print_session(&self.read_position(text)?);
        let session = self.session()?;
        let found = print_session(session);
        if found != expected {
            let details = [format!("    expected: {expected}"), position_line(session)];
            let message = "another position was reached";
            self.fail(Diagnostic::error(Code::TestFailed, message).at(span), &details);
        }
        Ok(())
    }

    /// Compares labels, captures, covered positions or the rating of one move.
    fn compare_detail(&mut self, span: Span, what: Detail, of: &Written, expected: &[Written]) -> Result<(), Stop> {
        let mut list = MoveList::new();
        self.legal_moves(span, &mut list)?;
        let session = self.session()?;
        let rules = Arc::clone(session.rules());
        let notation = Notation::new(&rules);
        let index = match notation.find_move(session.state(), &list, &of.text) {
            Ok(index) => index,
            Err(error) => {
                let position = position_line(session);
                self.fail(
                    Diagnostic::error(error.code(), error.to_string()).at(of.span),
                    &[position],
                );
                return Ok(());
            }
        };
        let entry = list.get(index);
        let cell_name = |cell: CellId| rules.model.board.name(cell).to_owned();
        let name = match what {
            Detail::Labels => "labels",
            Detail::Captures => "captures",
            Detail::Cells => "cells",
            Detail::Rating => "rating",
        };
        let found: Vec<String> = match what {
            Detail::Labels => list.labels(entry).map(|label| label_text(&rules, label)).collect(),
            Detail::Captures => session.captures(&list, index).into_iter().map(cell_name).collect(),
            Detail::Cells => (list.own_effects(entry).iter())
                .filter_map(|effect| match effect {
                    Effect::Drop { to, .. } | Effect::Copy { to, .. } => Some(cell_name(*to)),
                    _ => None,
                })
                .collect(),
            Detail::Rating => (list.rating(entry))
                .map(|rating| rating.numbers().map(|number| number.to_string()).collect())
                .unwrap_or_default(),
        };
        let mut wanted: Vec<&str> = expected.iter().map(|written| written.text.as_str()).collect();
        let mut sorted = found.clone();
        if matches!(what, Detail::Captures | Detail::Cells) {
            wanted.sort_unstable();
            sorted.sort_unstable();
        }
        if sorted != wanted {
            let position = position_line(session);
            let message = match found.is_empty() {
                true => format!("the move has no {name}"),
                false => format!("the {name} of the move: {}", found.join("; ")),
            };
            self.fail(Diagnostic::error(Code::TestFailed, message).at(span), &[position]);
        }
        Ok(())
    }

    fn compare_policy(&mut self, span: Span, moves: &[Written]) -> Result<(), Stop> {
        let mut list = MoveList::new();
        self.legal_moves(span, &mut list)?;
        let session = self.session()?;
        let rules = Arc::clone(session.rules());
        let Some(chosen) = session.policy_moves(&list) else {
            let message = "the player to move has no policy";
            self.fail(Diagnostic::error(Code::TestFailed, message).at(span), &[]);
            return Ok(());
        };
        let notation = Notation::new(&rules);
        let finder = notation.finder(session.state(), &list);
        let mut difference = Difference::default();
        let found = difference.find_all(&finder, moves, |_| true);
        let short = |index: &usize| finder.short_texts()[*index].clone();
        difference
            .missing
            .extend(found.iter().filter(|index| !chosen.contains(index)).map(short));
        difference
            .unexpected
            .extend(chosen.iter().filter(|index| !found.contains(index)).map(short));
        if !difference.is_empty() {
            let mut details = difference.lines();
            details.push(position_line(session));
            let message = format!("the policy chooses others: {}", difference.summary());
            self.fail(Diagnostic::error(Code::TestFailed, message).at(span), &details);
        }
        Ok(())
    }

    fn compare_scores(&mut self, span: Span, in_all: bool, expected: &[(Written, i64)]) -> Result<(), Stop> {
        for (player, _) in expected {
            self.expect_player(player)?;
        }
        let session = self.session()?;
        let rules = Arc::clone(session.rules());
        let read = match in_all {
            true => session.totals(),
            false => session.scores().map(|scores| {
                let scores = scores.into_iter();
                scores.map(|(player, score)| (player, i64::from(score))).collect()
            }),
        };
        let scores = match read {
            Ok(scores) => scores,
            Err(fault) => return Err(self.fault(span, &rules, fault)),
        };
        let holds = |(player, wanted): &(Written, i64)| {
            let found = scores
                .iter()
                .find(|(id, _)| rules.model.players[id.index()].name == player.text);
            found.is_some_and(|(_, score)| score == wanted)
        };
        if !expected.iter().all(holds) {
            let scores = scores
                .iter()
                .map(|(player, score)| format!("{} {score}", rules.model.players[player.index()].name));
            let listed = scores.collect::<Vec<_>>().join("; ");
            let message = match listed.is_empty() {
                true => "nobody has a score".to_owned(),
                false => format!("the {} are {listed}", if in_all { "totals" } else { "scores" }),
            };
            let position = position_line(session);
            self.fail(Diagnostic::error(Code::TestFailed, message).at(span), &[position]);
        }
        Ok(())
    }

    fn play(&mut self, text: &Written) -> Result<(), Stop> {
        let mut list = MoveList::new();
        let outcome = self.legal_moves(text.span, &mut list)?;
        let session = self.session()?;
        let rules = Arc::clone(session.rules());
        match Notation::new(&rules).find_move(session.state(), &list, &text.text) {
            Ok(index) => match session.make(&list, index) {
                Ok(()) => Ok(()),
                Err(fault) => Err(self.fault(text.span, &rules, fault)),
            },
            Err(error) => {
                let position = position_line(session);
                let message = match outcome {
                    Some(outcome) => format!("`{}` cannot be played: {}", text.text, outcome.describe(&rules)),
                    None => error.to_string(),
                };
                self.fail(Diagnostic::error(error.code(), message).at(text.span), &[position]);
                Err(Stop::Failed)
            }
        }
    }

    fn compare_moves(&mut self, span: Span, of: Option<&Written>, claim: &Claim) -> Result<(), Stop> {
        let from = of.map(|cell| self.find_cell(cell)).transpose()?;
        let mut list = MoveList::new();
        let outcome = self.legal_moves(span, &mut list)?;
        let session = self.session()?;
        let rules = Arc::clone(session.rules());
        let notation = Notation::new(&rules);
        let finder = notation.finder(session.state(), &list);
        let concerns = |index: usize| from.is_none_or(|cell| list.get(index).from == cell);
        let short = |indices: &[usize]| -> Vec<String> {
            indices
                .iter()
                .map(|&index| finder.short_texts()[index].clone())
                .collect()
        };
        let mut difference = Difference::default();
        let (found, count) = match claim {
            Claim::Exactly(moves) | Claim::Includes(moves) => (difference.find_all(&finder, moves, concerns), None),
            Claim::Excludes(moves) => {
                for text in moves {
                    match finder.find(&text.text) {
                        Ok(index) if concerns(index) => difference.unexpected.push(text.text.clone()),
                        Err(MoveError::Ambiguous { candidates, .. }) => difference.unexpected.extend(candidates),
                        _ => {}
                    }
                }
                (Vec::new(), None)
            }
            Claim::Count(count) => (Vec::new(), Some(*count)),
        };
        let all: Vec<usize> = (0..list.len()).filter(|&index| concerns(index)).collect();
        if matches!(claim, Claim::Exactly(_)) {
            let others: Vec<usize> = all.iter().copied().filter(|index| !found.contains(index)).collect();
            difference.unexpected.extend(short(&others));
        }
        let message = match count {
            Some(count) if count == all.len() => return Ok(()),
            Some(count) => {
                difference.listed = short(&all);
                format!("{} legal moves where {count} were expected", all.len())
            }
            None if difference.is_empty() => return Ok(()),
            None => format!("the legal moves are others: {}", difference.summary()),
        };
        let mut details = difference.lines();
        details.extend(outcome.map(|outcome| format!("    the game is over: {}", outcome.describe(&rules))));
        details.push(position_line(session));
        self.fail(Diagnostic::error(Code::TestFailed, message).at(span), &details);
        Ok(())
    }

    fn compare_turn(&mut self, player: &Written) -> Result<(), Stop> {
        self.expect_player(player)?;
        let session = self.session()?;
        let name = session.rules().model.players[session.to_move().index()].name.clone();
        if name != player.text {
            let position = position_line(session);
            let message = format!("it is the turn of `{name}` where `{}` was expected", player.text);
            self.fail(
                Diagnostic::error(Code::TestFailed, message).at(player.span),
                &[position],
            );
        }
        Ok(())
    }

    fn count(&mut self, span: Span, depth: u32, turns: bool, nodes: u64) -> Result<(), Stop> {
        if self.options.node_limit.is_some_and(|limit| nodes > limit) {
            return Ok(());
        }
        let session = self.session()?;
        let rules = Arc::clone(session.rules());
        match perft(session, depth, PerftOptions { turns, bulk: true }) {
            Ok(counted) if counted == nodes => Ok(()),
            Ok(counted) => {
                let position = position_line(session);
                let unit = if turns { "turns" } else { "plies" };
                let message = format!("{counted} ways to play {depth} {unit} where {nodes} were expected");
                let help = "`ludex perft --divide` counts by first move";
                self.fail(
                    Diagnostic::error(Code::TestFailed, message).at(span).help(help),
                    &[position],
                );
                Ok(())
            }
            Err(fault) => Err(self.fault(span, &rules, fault)),
        }
    }

    fn compare_outcome(&mut self, span: Span, wanted: &Standing, reason: Option<&str>) -> Result<(), Stop> {
        if let Standing::Wins(player) | Standing::Loses(player) = wanted {
            self.expect_player(player)?;
        }
        let outcome = self.legal_moves(span, &mut MoveList::new())?;
        let session = self.session()?;
        let rules = Arc::clone(session.rules());
        let has = |outcome: &Outcome, player: &Written, result| {
            outcome.decision != Decision::Draw
                && rules
                    .model
                    .find_player(&player.text)
                    .is_some_and(|player| outcome.result(player) == result)
        };
        let holds = match (&outcome, wanted) {
            (None, Standing::Open) => true,
            (None, _) | (Some(_), Standing::Open) => false,
            (Some(outcome), Standing::Draw) => outcome.decision == Decision::Draw,
            (Some(outcome), Standing::Wins(player)) => has(outcome, player, PlayerResult::Win),
            (Some(outcome), Standing::Loses(player)) => has(outcome, player, PlayerResult::Loss),
        };
        let is_reason = match (&outcome, reason) {
            (Some(outcome), Some(part)) => outcome
                .reason_text(&rules)
                .to_lowercase()
                .contains(&part.to_lowercase()),
            _ => true,
        };
        if !holds || !is_reason {
            let stands = outcome.map_or("the game goes on".to_owned(), |outcome| outcome.describe(&rules));
            let expected = match wanted {
                Standing::Open => "no end".to_owned(),
                Standing::Draw => "a draw".to_owned(),
                Standing::Wins(player) => format!("`{}` to win", player.text),
                Standing::Loses(player) => format!("`{}` to lose", player.text),
            };
            let because = reason.map_or(String::new(), |reason| format!(" because of `{reason}`"));
            let position = position_line(session);
            let message = format!("{stands}, where {expected} was expected{because}");
            self.fail(Diagnostic::error(Code::TestFailed, message).at(span), &[position]);
        }
        Ok(())
    }

    /// Compares the diagnostics of the file with the lines that speak of them.
    fn compare_findings<'d>(&mut self, directives: impl Iterator<Item = &'d Directive>) {
        let wanted: Vec<(Span, &Finding)> = directives
            .filter_map(|directive| match &directive.kind {
                DirectiveKind::Finding(finding) => Some((directive.span, finding)),
                _ => None,
            })
            .collect();
        if wanted.is_empty() {
            return;
        }
        let mut diagnostics = self.file.diagnostics().to_vec();
        let entries = self
            .entry
            .map_or(0..self.file.entries().len(), |entry| entry..entry + 1);
        for entry in entries {
            for diagnostic in self.games.get(self.file, entry).diagnostics {
                if !diagnostics.contains(&diagnostic) {
                    diagnostics.push(diagnostic);
                }
            }
        }
        for (span, finding) in &wanted {
            if !diagnostics.iter().any(|diagnostic| self.is_found(finding, diagnostic)) {
                let what = if finding.is_error { "error" } else { "warning" };
                let message = format!("no {what} {} is found there", finding.code);
                let details: Vec<String> = diagnostics
                    .iter()
                    .take(LISTED)
                    .map(|found| format!("    found: {}", self.place(found)))
                    .collect();
                self.fail(Diagnostic::error(Code::TestFailed, message).at(*span), &details);
            }
        }
        if wanted.iter().any(|(_, finding)| finding.is_error) {
            for diagnostic in diagnostics
                .iter()
                .filter(|diagnostic| diagnostic.severity == Severity::Error)
            {
                if !wanted.iter().any(|(_, finding)| self.is_found(finding, diagnostic)) {
                    self.fail(
                        diagnostic.clone(),
                        &["    no line of the test expects this error".to_owned()],
                    );
                }
            }
        }
    }

    fn is_found(&self, finding: &Finding, diagnostic: &Diagnostic) -> bool {
        let severity = if finding.is_error {
            Severity::Error
        } else {
            Severity::Warning
        };
        if diagnostic.severity != severity || diagnostic.code != finding.code {
            return false;
        }
        let Some(span) = diagnostic.span.filter(|span| span.source == self.file.root()) else {
            return true;
        };
        let (start, end) = (self.file.sources().start(span), self.file.sources().end(span));
        start.line == finding.line
            && finding.column.is_none_or(|column| column == start.column)
            && finding
                .end_column
                .is_none_or(|column| (end.line, end.column) == (start.line, column + 1))
    }

    /// Writes a diagnostic as a test line would have it.
    fn place(&self, diagnostic: &Diagnostic) -> String {
        let Diagnostic {
            code,
            severity,
            message,
            ..
        } = diagnostic;
        match diagnostic.span {
            Some(span) => {
                let (start, end) = (self.file.sources().start(span), self.file.sources().end(span));
                let last = if end.line == start.line {
                    format!("-{}", end.column - 1)
                } else {
                    String::new()
                };
                format!(
                    "{} {}:{}{last} {code}   {message}",
                    severity.name(),
                    start.line,
                    start.column
                )
            }
            None => format!("{} {code}   {message}", severity.name()),
        }
    }

    /// Returns the rules of the game that is tested.
    fn rules(&mut self) -> Result<Arc<Rules>, Stop> {
        let entry = match self.entry.map_or_else(|| self.file.default_entry(), Ok) {
            Ok(entry) => entry,
            Err(error) => {
                self.fail(Diagnostic::error(Code::NoGame, error.to_string()), &[]);
                return Err(Stop::Failed);
            }
        };
        self.entry = Some(entry);
        let game = self.games.get(self.file, entry);
        let rules = game
            .rules
            .filter(|_| self.file.diagnostics().iter().all(|d| d.severity != Severity::Error));
        match rules {
            Some(rules) => match &rules.model.plugin {
                Some(plugin) => Err(Stop::Skip(format!("the moves are in the plug-in {plugin}"))),
                None => Ok(rules),
            },
            None => {
                let errors: Vec<Diagnostic> = self
                    .file
                    .diagnostics()
                    .iter()
                    .chain(&game.diagnostics)
                    .cloned()
                    .collect();
                for error in errors
                    .iter()
                    .filter(|diagnostic| diagnostic.severity == Severity::Error)
                {
                    self.fail(error.clone(), &[]);
                }
                Err(Stop::Failed)
            }
        }
    }

    fn session(&mut self) -> Result<&mut Session, Stop> {
        if self.session.is_none() {
            self.session = Some(Session::new(self.rules()?));
        }
        self.session.as_mut().ok_or(Stop::Failed)
    }

    fn legal_moves(&mut self, span: Span, list: &mut MoveList) -> Result<Option<Outcome>, Stop> {
        let session = self.session()?;
        let rules = Arc::clone(session.rules());
        session
            .legal_moves(list)
            .map_err(|fault| self.fault(span, &rules, fault))
    }

    fn find_cell(&mut self, name: &Written) -> Result<CellId, Stop> {
        let rules = Arc::clone(self.session()?.rules());
        rules.model.board.find(&name.text).ok_or_else(|| {
            let cells = rules.model.board.cells.iter().map(|cell| cell.name.as_str());
            self.unknown(name, "position", nearest_of(&name.text, cells));
            Stop::Failed
        })
    }

    fn expect_player(&mut self, name: &Written) -> Result<(), Stop> {
        let rules = Arc::clone(self.session()?.rules());
        if rules.model.find_player(&name.text).is_none() {
            let players = rules.model.players.iter().map(|player| player.name.as_str());
            self.unknown(name, "player", nearest_of(&name.text, players));
            return Err(Stop::Failed);
        }
        Ok(())
    }

    fn unknown(&mut self, name: &Written, what: &str, near: Option<&str>) {
        let message = format!("no {what} is called `{}`", name.text);
        let mut diagnostic = Diagnostic::error(Code::BadTest, message).at(name.span);
        diagnostic.help = near.map(|near| format!("did you mean `{near}`?"));
        self.fail(diagnostic, &[]);
    }

    fn fault(&mut self, span: Span, rules: &Rules, fault: Fault) -> Stop {
        let diagnostic = self
            .file
            .explain_fault(rules, fault)
            .label(span, "while this line was carried out");
        self.fail(diagnostic, &[]);
        Stop::Failed
    }

    fn fail(&mut self, diagnostic: Diagnostic, details: &[String]) {
        self.failures.push(Failure::new(self.file, &diagnostic, details));
    }
}

/// How a list of moves differs from what is said about it.
#[derive(Default)]
struct Difference {
    missing: Vec<String>,
    unexpected: Vec<String>,
    wrong: Vec<String>,
    /// All moves, where only their number is wrong.
    listed: Vec<String>,
}

impl Difference {
    /// Finds the moves that a test line names, and notes those that it does not name rightly.
    fn find_all(&mut self, finder: &Finder<'_, '_>, moves: &[Written], concerns: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::with_capacity(moves.len());
        for Written { text, .. } in moves {
            match finder.find(text) {
                Ok(index) if !concerns(index) => self.wrong.push(format!("{text} begins on another position")),
                Ok(index) if found.contains(&index) => self.wrong.push(format!("{text} is named twice")),
                Ok(index) => found.push(index),
                Err(MoveError::Unknown { .. }) => self.missing.push(text.clone()),
                Err(error @ MoveError::Ambiguous { .. }) => self.wrong.push(error.to_string()),
            }
        }
        found
    }

    fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.unexpected.is_empty() && self.wrong.is_empty()
    }

    fn summary(&self) -> String {
        let parts = [
            (self.missing.len(), "missing"),
            (self.unexpected.len(), "unexpected"),
            (self.wrong.len(), "wrong"),
        ];
        let parts = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"));
        parts.collect::<Vec<_>>().join(", ")
    }

    fn lines(&self) -> Vec<String> {
        let line = |what: &str, texts: &[String]| {
            let more = if texts.len() > LISTED {
                format!("; and {} more", texts.len() - LISTED)
            } else {
                String::new()
            };
            let shown: Vec<&str> = texts.iter().take(LISTED).map(String::as_str).collect();
            (!texts.is_empty()).then(|| format!("    {what}: {}{more}", shown.join("; ")))
        };
        let sorts = [
            ("missing", &self.missing),
            ("unexpected", &self.unexpected),
            ("wrong", &self.wrong),
            ("legal", &self.listed),
        ];
        sorts.iter().filter_map(|(what, texts)| line(what, texts)).collect()
    }
}

fn position_line(session: &Session) -> String {
    format!("    position: {}", print_session(session))
}

/// Moves a diagnostic about the text of a test line to the place of that line in the file.
fn placed(mut diagnostic: Diagnostic, text: &Written) -> Diagnostic {
    let moved = |span: Span| {
        let at = |offset: u32| text.span.start.saturating_add(offset).min(text.span.end);
        Span::new(text.span.source, at(span.start), at(span.end))
    };
    diagnostic.span = Some(diagnostic.span.map_or(text.span, moved));
    diagnostic.labels = diagnostic
        .labels
        .into_iter()
        .map(|label| Label {
            span: moved(label.span),
            ..label
        })
        .collect();
    diagnostic
}
