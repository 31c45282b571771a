//! The rule files shown in the documents compile, and the tests they carry hold.

use std::path::Path;

use ludex::RuleFile;
use ludex::diagnostic::Severity;
use ludex::expand::NoIncludes;
use ludex::keyword::Keyword;
use ludex::rulecheck::{self, Format, TestOptions};

/// Returns the blocks of a document that are marked as rule files.
fn rule_blocks(document: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in document.lines() {
        match &mut open {
            None if line.trim() == "```zrf" => open = Some(String::new()),
            None => {}
            Some(_) if line.trim() == "```" => blocks.extend(open.take()),
            Some(block) => {
                block.push_str(line);
                block.push('\n');
            }
        }
    }
    blocks
}

fn check_document(path: &Path) -> usize {
    let document = std::fs::read_to_string(path).unwrap();
    let blocks = rule_blocks(&document);
    for (index, block) in blocks.iter().enumerate() {
        let name = format!("{} block {}", path.display(), index + 1);
        let mut file = RuleFile::read(&name, block.as_bytes(), &mut NoIncludes);
        let mut diagnostics = file.diagnostics().to_vec();
        for entry in 0..file.entries().len() {
            diagnostics.extend(file.compile(entry).diagnostics);
        }
        let errors = diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error);
        let drawn: Vec<String> = errors.map(|diagnostic| file.render(diagnostic)).collect();
        assert!(drawn.is_empty(), "{name}:\n{}", drawn.join("\n"));
        let result = rulecheck::run(&mut file, &TestOptions::default());
        assert_eq!(
            result.failed(),
            0,
            "{name}:\n{}",
            rulecheck::write(&[result], Format::Human).unwrap()
        );
    }
    blocks.len()
}

#[test]
fn the_first_game_of_the_readme_works() {
    assert!(check_document(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")) > 0);
}

#[test]
fn the_examples_of_all_documents_work() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            check_document(&path);
        }
    }
}

#[test]
fn every_word_has_an_entry_in_the_language_document() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language.md");
    let document = std::fs::read_to_string(path).unwrap();
    let missing: Vec<&str> = (Keyword::ALL.iter())
        .map(|keyword| keyword.name())
        .filter(|name| !document.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "no entry for {missing:?}");
}

#[test]
fn every_quirk_has_an_entry_in_the_language_document() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language.md");
    let document = std::fs::read_to_string(path).unwrap();
    for (name, _, values) in ludex::model::quirk::QUIRKS {
        let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
        let row = format!("| `{name}` | {} | ", values.join(", "));
        assert!(document.contains(&row), "no row begins with {row}");
    }
}
