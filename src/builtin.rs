//! The rule files that come with the program, inside its binary.

use include_dir::{Dir, include_dir};

use crate::expand::{LoadError, Loader};

static RULES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// The ending of a rule file's name.
const EXTENSION: &str = "zrf";
/// The ending of the name of the file with the weights of a rule file.
const WEIGHTS_EXTENSION: &str = "weights";

/// A built-in rule file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// The name by which commands take it: that of its file without folder and ending.
    pub name: &'static str,
    /// The file, as a path from the folder `rules`.
    pub file: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

/// Returns all built-in rule files, by name.
pub fn games() -> Vec<BuiltIn> {
    let mut games = Vec::new();
    collect(&RULES, &mut games);
    games.sort_by_key(|game| game.name);
    games
}

/// Returns the built-in rule file of this name; case does not matter.
pub fn find(name: &str) -> Option<BuiltIn> {
    games().into_iter().find(|game| game.name.eq_ignore_ascii_case(name))
}

/// Returns the weights that come with the built-in rule file of this name, as [`Weights`](crate::bridge::Weights) reads
/// them.
pub fn weights(name: &str) -> Option<&'static str> {
    let game = find(name)?;
    let file = RULES.get_file(game.file.strip_suffix(EXTENSION)?.to_owned() + WEIGHTS_EXTENSION)?;
    file.contents_utf8()
}

/// Finds includes of built-in rule files among the built-in files.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltInLoader;

impl Loader for BuiltInLoader {
    fn load(&mut self, file: &str, from: &str) -> Result<(String, Vec<u8>), LoadError> {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let wanted = file.trim().replace('\\', "/");
        let wanted = wanted.trim_start_matches("./");
        let path = if folder.is_empty() {
            wanted.to_owned()
        } else {
            format!("{folder}/{wanted}")
        };
        match RULES.get_file(&path) {
            Some(found) => Ok((path, found.contents().to_vec())),
            None => Err(LoadError::NotFound {
                folders: vec!["the built-in rules".to_owned()],
            }),
        }
    }
}

fn collect(folder: &'static Dir<'static>, games: &mut Vec<BuiltIn>) {
    for file in folder.files() {
        let path = file.path();
        let is_rules = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION));
        if let (true, Some(name), Some(file_name)) =
            (is_rules, path.file_stem().and_then(|stem| stem.to_str()), path.to_str())
        {
            games.push(BuiltIn {
                name,
                file: file_name,
                bytes: file.contents(),
            });
        }
    }
    folder.dirs().for_each(|inner| collect(inner, games));
}

/// Returns the rules of a built-in game, for tests.
///
/// # Panics
/// When there is no such game.
#[cfg(test)]
pub(crate) fn rules(name: &str) -> crate::Rules {
    let game = find(name).expect("it is built in"); // invariant: tests name built-in games
    let games = crate::load(game.file, game.bytes);
    games.expect("its rules are right").remove(0) // invariant: built-in games load
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_games_are_found_by_name() {
        let chess = find("Chess").unwrap();
        assert_eq!((chess.name, chess.file), ("chess", "chess.zrf"));
        assert!(games().is_sorted_by_key(|game| game.name));
        assert_eq!(find("no-such-game"), None);
        assert_eq!(weights("tic-tac-toe"), None);
    }

    #[test]
    fn built_in_weights_are_of_their_games() {
        use crate::bridge::weights::{Layout, Stage, Subject, Weights};
        for game in games() {
            let Some(text) = weights(game.name) else { continue };
            let rules = crate::load(game.file, game.bytes).unwrap().remove(0);
            let read = Weights::read(text, &rules.model.title).unwrap();
            let read = read.unwrap_or_else(|| panic!("{}: no weights of `{}`", game.name, rules.model.title));
            // Tables that the rules have no place for would say nothing.
            assert!(read.has_tables() && Layout::find(&rules).is_some(), "{}", game.name);
            let mut kinds = rules.model.kinds.iter();
            let is_known = |name: &String| read.table(&Subject::Places(name.clone()), Stage::Always).is_some();
            assert!(kinds.any(|kind| is_known(&kind.name)), "{}", game.name);
        }
        assert!(weights("reversi").is_some());
    }
}
