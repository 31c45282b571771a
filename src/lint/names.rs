//! The names of a game, and where they are declared.

use crate::expand::Expander;
use crate::model::GameModel;
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::{NodeId, NodeKind};

/// The words that begin a list whose second element is a name that it declares.
const DECLARE_SECOND: [&str; 7] = [
    "define",
    "name",
    "variable",
    "player-variable",
    "attribute",
    "constant",
    "move-type",
];

/// Returns all names that a game gives to something that words could be mistaken for.
pub(super) fn of_model(model: &GameModel) -> impl Iterator<Item = &str> {
    let players = model.players.iter().map(|player| &player.name);
    let kinds = model.kinds.iter().map(|kind| &kind.name);
    let cells = model.board.cells.iter().map(|cell| &cell.name);
    let zones = model.board.zones.iter().map(|zone| &zone.name);
    let extensions = &model.extensions;
    let variables = extensions.variables.iter().chain(&extensions.player_variables);
    players
        .chain(kinds)
        .chain(cells)
        .chain(zones)
        .chain(&model.board.directions)
        .chain(&model.attributes)
        .chain(&extensions.constants)
        .chain(variables.map(|variable| &variable.name))
        .map(String::as_str)
}

/// Finds where a name is declared, or else where it first stands; none if it is put together by a macro or a grid.
pub(super) fn declaration(expander: &Expander, name: &str) -> Option<Span> {
    let symbol = expander.interner.get(name)?;
    let tree = expander.tree();
    let declares = |node: NodeId| {
        let &[head, second, ..] = tree.children(node) else {
            return None;
        };
        let is_declared =
            DECLARE_SECOND.contains(&atom_text(expander, head)?) && atom(expander, second) == Some(symbol);
        is_declared.then(|| tree.span(node))
    };
    let declared = tree.nodes().find_map(declares);
    let first = || tree.nodes().find(|&node| atom(expander, node) == Some(symbol));
    declared.or_else(|| first().map(|node| tree.span(node)))
}

fn atom(expander: &Expander, node: NodeId) -> Option<Symbol> {
    match expander.tree().kind(node) {
        NodeKind::Atom(symbol) => Some(symbol),
        NodeKind::Str(_) | NodeKind::List => None,
    }
}

fn atom_text(expander: &Expander, node: NodeId) -> Option<&str> {
    atom(expander, node).map(|symbol| expander.text(symbol))
}
