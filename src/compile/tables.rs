//! Tables that code refers to by number, each entry once.

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use crate::model::expression::Condition;
use crate::model::{Board, DirectionId, Occupant, Occupants, PlayerId};
use crate::program::{CellTest, Neighborhood, NeighborhoodId, PieceList, PieceListId, TestId, TextId};

/// The tables under construction.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub neighborhoods: Vec<Neighborhood>,
    by_directions: FxHashMap<Vec<DirectionId>, NeighborhoodId>,
    pub piece_lists: Vec<PieceList>,
    by_pieces: FxHashMap<Vec<Occupant>, PieceListId>,
    pub texts: IndexSet<String>,
    pub tests: Vec<CellTest>,
    /// For each test its mover and what it tests.
    pub conditions: Vec<(PlayerId, Condition)>,
}

impl Tables {
    /// Returns the number of a text.
    pub fn text(&mut self, text: &str) -> TextId {
        TextId(index16(self.texts.insert_full(text.to_owned()).0))
    }

    /// Returns the neighbours along some directions.
    pub fn neighborhood(&mut self, board: &Board, directions: Vec<DirectionId>) -> NeighborhoodId {
        if let Some(&known) = self.by_directions.get(&directions) {
            return known;
        }
        let mut table = Neighborhood::default();
        for cell in board.cell_ids() {
            let start = table.cells.len();
            table.starts.push(start as u32);
            for next in directions.iter().filter_map(|&direction| board.step(cell, direction)) {
                if !table.cells[start..].contains(&next) {
                    table.cells.push(next);
                }
            }
        }
        table.starts.push(table.cells.len() as u32);
        self.neighborhoods.push(table);
        let id = NeighborhoodId(index16(self.neighborhoods.len() - 1));
        self.by_directions.insert(directions, id);
        id
    }

    /// Returns the list of some pieces.
    pub fn pieces(&mut self, occupants: &Occupants, pieces: Vec<Occupant>) -> PieceListId {
        if let Some(&known) = self.by_pieces.get(&pieces) {
            return known;
        }
        let mut contains = vec![false; occupants.len()];
        pieces.iter().for_each(|piece| contains[piece.index()] = true);
        let mut owners: Vec<PlayerId> = pieces.iter().map(|&piece| occupants.owner(piece)).collect();
        owners.sort_unstable();
        owners.dedup();
        let is_whole = occupants
            .pieces()
            .all(|piece| contains[piece.index()] || !owners.contains(&occupants.owner(piece)));
        self.piece_lists.push(PieceList {
            owners,
            pieces: pieces.clone(),
            contains,
            is_whole,
        });
        let id = PieceListId(index16(self.piece_lists.len() - 1));
        self.by_pieces.insert(pieces, id);
        id
    }

    /// Returns the test of a condition for a player, if it is known.
    pub fn known_test(&self, player: PlayerId, condition: &Condition) -> Option<TestId> {
        let index = (self.conditions.iter()).position(|(known, test)| *known == player && test == condition)?;
        Some(TestId(index16(index)))
    }
}

/// Numbers of entries are small: a table of more than 65 535 different entries would need a file of many megabytes, and
/// the sizes of files are limited.
fn index16(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}
