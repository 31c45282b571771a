//! Builds the model of one entry of a rule file.

use super::GameModel;
use crate::diagnostic::Sink;
use crate::expand::Expander;

/// Builds the model of entry `entry` of a rule file.
pub fn build(_expander: &mut Expander, _entry: usize, _sink: &mut Sink) -> Option<GameModel> {
    None
}
