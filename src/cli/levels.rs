//! Strengths by number, or by a name that the rules give.

use ludex::Rules;
use ludex::keyword::nearest_of;
use ludex::search::Level;

use super::failure::{Failure, Result};

/// Finds the strength of this number, from 1 to 10, or of this name in the rules, whatever its case.
pub fn find(rules: &Rules, wanted: &str) -> Result<Level> {
    if let Some(level) = wanted.parse().ok().and_then(Level::new) {
        return Ok(level);
    }
    let named = &rules.model.extensions.levels;
    let found = named.iter().find(|level| level.name.eq_ignore_ascii_case(wanted));
    if let Some(level) = found {
        let (depth, width) = (level.depth, level.width);
        return Ok(Level::described(depth, width, level.milliseconds, level.random));
    }
    let names: Vec<&str> = named.iter().map(|level| level.name.as_str()).collect();
    let near = nearest_of(wanted, names.iter().copied());
    let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    let others = if names.is_empty() {
        String::new()
    } else {
        format!(", {}", names.join(", "))
    };
    Err(Failure::usage(format!(
        "`{wanted}` is no level; there are {} to {}{others}{help}",
        Level::WEAKEST.number(),
        Level::STRONGEST.number()
    )))
}
