//! Where included files come from.
//!
//! Expansion itself touches no files: it asks a [`Loader`]. [`FolderLoader`] is the one that reads a disk.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::syntax::MAX_LENGTH;

/// Finds and reads included files.
pub trait Loader {
    /// Returns the name and the bytes of the file that an `include` in the text named `from` calls `file`.
    ///
    /// The name is what diagnostics show, and what `from` is for includes in that file. One file has one name, however
    /// it is written in the include; includes that never end are found by it.
    ///
    /// # Errors
    /// When there is no such file or it cannot be read.
    fn load(&mut self, file: &str, from: &str) -> Result<(String, Vec<u8>), LoadError>;
}

/// Why an included file was not read.
#[derive(Debug, Error)]
pub enum LoadError {
    /// No folder has such a file.
    #[error("there is no such file in {}", folder_list(.folders))]
    NotFound {
        /// The folders that were looked through.
        folders: Vec<String>,
    },
    /// The file is there but could not be read.
    #[error("`{path}` cannot be read: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// The rules did not come from a folder.
    #[error("rules that do not come from a file cannot include others")]
    NotAllowed,
}

fn folder_list(folders: &[String]) -> String {
    folders
        .iter()
        .map(|folder| format!("`{folder}`"))
        .collect::<Vec<_>>()
        .join(" or ")
}

/// Refuses every include.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIncludes;

impl Loader for NoIncludes {
    fn load(&mut self, _file: &str, _from: &str) -> Result<(String, Vec<u8>), LoadError> {
        Err(LoadError::NotAllowed)
    }
}

/// Reads included files from the folder of the including file, then from further folders.
///
/// Names are paths with `\` or `/`; upper and lower case are the same, as on the system the rules were written on.
#[derive(Clone, Debug, Default)]
pub struct FolderLoader {
    folders: Vec<PathBuf>,
}

impl FolderLoader {
    /// Creates a loader that looks into `folders` after the including file's own folder.
    pub fn new(folders: Vec<PathBuf>) -> FolderLoader {
        FolderLoader { folders }
    }
}

impl Loader for FolderLoader {
    fn load(&mut self, file: &str, from: &str) -> Result<(String, Vec<u8>), LoadError> {
        let own = Path::new(from).parent().unwrap_or(Path::new(""));
        let folders: Vec<&Path> = std::iter::once(own)
            .chain(self.folders.iter().map(PathBuf::as_path))
            .map(or_current)
            .collect();
        match folders.iter().find_map(|folder| find_file(folder, file)) {
            Some(path) => {
                let name = path.display().to_string();
                let bytes = read_file(&path).map_err(|error| LoadError::Unreadable {
                    path: name.clone(),
                    error,
                })?;
                Ok((name, bytes))
            }
            None => Err(LoadError::NotFound {
                folders: folders.iter().map(|folder| folder.display().to_string()).collect(),
            }),
        }
    }
}

fn or_current(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

/// Follows a path from `folder`, taking names that differ in case where none is equal.
fn find_file(folder: &Path, file: &str) -> Option<PathBuf> {
    let mut path = folder.to_path_buf();
    if file.starts_with('/') {
        path = PathBuf::from("/");
    }
    for part in file
        .trim()
        .split(['/', '\\'])
        .filter(|part| !part.is_empty() && *part != ".")
    {
        let exact = path.join(part);
        path = if part == ".." || exact.exists() {
            exact
        } else {
            find_entry(&path, part)?
        };
    }
    path.is_file().then_some(path)
}

/// Returns the entry of a folder whose name differs in case only; the first by name if there are several.
fn find_entry(folder: &Path, name: &str) -> Option<PathBuf> {
    let wanted = name.to_lowercase();
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let same = entries.filter(|entry| {
        entry
            .file_name()
            .to_str()
            .is_some_and(|found| found.to_lowercase() == wanted)
    });
    same.map(|entry| entry.path()).min()
}

/// Reads a file, though not much more of it than the reader accepts.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_LENGTH as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_whatever_their_case_and_slashes() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("Games/Lib")).unwrap();
        fs::create_dir_all(folder.path().join("extra")).unwrap();
        fs::write(folder.path().join("Games/Lib/Steps.ZRF"), "a").unwrap();
        fs::write(folder.path().join("extra/More.inc"), "b").unwrap();
        let from = folder.path().join("Games/main.zrf").display().to_string();
        let mut loader = FolderLoader::new(vec![folder.path().join("extra")]);

        let (name, bytes) = loader.load("lib\\steps.zrf", &from).unwrap();
        assert_eq!(bytes, b"a");
        assert!(name.ends_with("Steps.ZRF"), "{name}");
        assert_eq!(loader.load("../EXTRA/more.INC", &from).unwrap().1, b"b");
        assert_eq!(loader.load("more.inc", &from).unwrap().1, b"b");
        assert!(matches!(loader.load("none.zrf", &from), Err(LoadError::NotFound { folders }) if folders.len() == 2));
        assert!(matches!(loader.load("lib", &from), Err(LoadError::NotFound { .. })));
    }
}
