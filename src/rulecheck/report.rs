//! Writes what came of tests, for people and for other programs.

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use super::run::{FileResult, Status, TestResult};

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// For people: what failed, and a summary.
    #[default]
    Human,
    /// The Test Anything Protocol, version 13.
    Tap,
    /// JUnit's XML.
    JUnit,
    /// One JSON document.
    Json,
}

/// The report could not be written in this format.
#[derive(Debug, thiserror::Error)]
#[error("the report cannot be written: {0}")]
pub struct ReportError(String);

/// Writes the results of some files; the text ends with a line end.
///
/// # Errors
/// When a text of the results does not fit into the format.
pub fn write(results: &[FileResult], format: Format) -> Result<String, ReportError> {
    match format {
        Format::Human => Ok(human(results)),
        Format::Tap => Ok(tap(results)),
        Format::JUnit => junit(results),
        Format::Json => json(results),
    }
}

fn sum(results: &[FileResult], count: fn(&FileResult) -> usize) -> usize {
    results.iter().map(count).sum()
}

fn human(results: &[FileResult]) -> String {
    let mut text = String::new();
    for file in results {
        for test in file.tests.iter().filter(|test| test.status == Status::Failed) {
            text.push_str(&format!("{}:{}: FAILED: {}\n", file.name, test.line, test.name));
            for failure in &test.failures {
                text.push_str(&failure.text);
                text.push_str("\n\n");
            }
        }
        for test in &file.tests {
            if let Status::Skipped { reason } = &test.status {
                text.push_str(&format!(
                    "{}:{}: skipped: {} ({reason})\n",
                    file.name, test.line, test.name
                ));
            }
        }
    }
    for file in results {
        text.push_str(&format!(
            "{}: {}\n",
            file.name,
            counts(file.passed(), file.failed(), file.skipped())
        ));
    }
    if results.len() > 1 {
        let total = counts(
            sum(results, FileResult::passed),
            sum(results, FileResult::failed),
            sum(results, FileResult::skipped),
        );
        text.push_str(&format!("{} files: {total}\n", results.len()));
    }
    text
}

fn counts(passed: usize, failed: usize, skipped: usize) -> String {
    if passed + failed + skipped == 0 {
        return "no tests".to_owned();
    }
    let mut text = format!("{passed} passed");
    for (count, what) in [(failed, "failed"), (skipped, "skipped")] {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}

fn tap(results: &[FileResult]) -> String {
    let tests: Vec<(&FileResult, &TestResult)> = results
        .iter()
        .flat_map(|file| file.tests.iter().map(move |test| (file, test)))
        .collect();
    let mut text = format!("TAP version 13\n1..{}\n", tests.len());
    for (index, (file, test)) in tests.iter().enumerate() {
        let (word, note) = match &test.status {
            Status::Passed => ("ok", String::new()),
            Status::Failed => ("not ok", String::new()),
            Status::Skipped { reason } => ("ok", format!(" # SKIP {reason}")),
        };
        // A number sign would begin a remark.
        let name = format!("{}: {}", file.name, test.name).replace('#', "\\#");
        text.push_str(&format!("{word} {} - {name}{note}\n", index + 1));
        if !test.failures.is_empty() {
            text.push_str("  ---\n");
            for failure in &test.failures {
                text.push_str(&format!(
                    "  line: {}\n  column: {}\n  message: |\n",
                    failure.line, failure.column
                ));
                failure
                    .text
                    .lines()
                    .for_each(|line| text.push_str(&format!("    {line}\n")));
            }
            text.push_str("  ...\n");
        }
    }
    text
}

fn junit(results: &[FileResult]) -> Result<String, ReportError> {
    let mut report = quick_junit::Report::new("ludex");
    for file in results {
        let mut suite = TestSuite::new(file.name.as_str());
        for test in &file.tests {
            let status = match &test.status {
                Status::Passed => TestCaseStatus::success(),
                Status::Failed => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    let texts: Vec<&str> = test.failures.iter().map(|failure| failure.text.as_str()).collect();
                    status.set_message(test.failures.first().map_or("", |failure| &failure.message));
                    status.set_description(texts.join("\n\n"));
                    status
                }
                Status::Skipped { reason } => {
                    let mut status = TestCaseStatus::skipped();
                    status.set_message(reason.as_str());
                    status
                }
            };
            let mut case = TestCase::new(test.name.as_str(), status);
            case.set_classname(file.name.as_str()).set_time(test.duration);
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| ReportError(error.to_string()))
}

#[derive(Serialize)]
struct JsonReport<'a> {
    passed: usize,
    failed: usize,
    skipped: usize,
    failures: Vec<JsonFailure<'a>>,
}

#[derive(Serialize)]
struct JsonFailure<'a> {
    file: &'a str,
    test: &'a str,
    line: usize,
    column: usize,
    code: &'a str,
    message: &'a str,
    text: &'a str,
}

fn json(results: &[FileResult]) -> Result<String, ReportError> {
    let failures = results
        .iter()
        .flat_map(|file| file.tests.iter().map(move |test| (file, test)));
    let failures = failures.flat_map(|(file, test)| {
        test.failures.iter().map(move |failure| JsonFailure {
            file: &file.name,
            test: &test.name,
            line: failure.line,
            column: failure.column,
            code: failure.code.number(),
            message: &failure.message,
            text: &failure.text,
        })
    });
    let report = JsonReport {
        passed: sum(results, FileResult::passed),
        failed: sum(results, FileResult::failed),
        skipped: sum(results, FileResult::skipped),
        failures: failures.collect(),
    };
    let text = serde_json::to_string_pretty(&report).map_err(|error| ReportError(error.to_string()))?;
    Ok(text + "\n")
}
