//! The small rule files under `tests/language`, one for each group of words: their own tests hold, and none of them has
//! an error or a warning that its tests do not speak of.

mod corpus;

use std::path::Path;

use ludex::RuleFile;
use ludex::diagnostic::Severity;
use ludex::expand::FolderLoader;
use ludex::rulecheck::{self, Format, TestOptions};

#[test]
fn every_word_means_what_its_tests_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language");
    let mut results = Vec::new();
    let mut errors = Vec::new();
    for path in corpus::rule_files_in(&folder) {
        let bytes = std::fs::read(&path).expect("the rule file can be read");
        let mut file = RuleFile::read(&path.display().to_string(), &bytes, &mut FolderLoader::default());
        results.push(rulecheck::run(&mut file, &TestOptions::default()));
        let mut diagnostics = file.diagnostics().to_vec();
        for entry in 0..file.entries().len() {
            diagnostics.extend(file.compile(entry).diagnostics);
        }
        let serious = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors.extend(serious.map(|diagnostic| file.render(diagnostic)));
    }
    let report = rulecheck::write(&results, Format::Human).expect("a report can be written");
    println!("{report}");
    assert!(results.iter().all(|file| file.failed() == 0), "\n{report}");
    for file in &results {
        assert!(file.passed() > 0, "{} has no tests", file.name);
    }
    assert!(errors.is_empty(), "\n{}", errors.join("\n"));
}
