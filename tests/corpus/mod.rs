//! The rule files that tests walk through, whole and damaged.

#![allow(dead_code)] // every test uses a part

pub mod mutate;

use std::path::{Path, PathBuf};

/// Returns the rule files of the project, those of the games before those of the language, each folder by name.
pub fn rule_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = rule_files_in(&root.join("rules"));
    files.extend(rule_files_in(&root.join("tests/language")));
    assert!(!files.is_empty(), "no rule files found");
    files
}

/// Returns the rule files of a folder and the folders in it, by name.
pub fn rule_files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .collect();
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(rule_files_in(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("zrf"))
        {
            files.push(path);
        }
    }
    files
}
