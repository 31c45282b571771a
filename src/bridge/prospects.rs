//! How much of a lead counts late in a game, as found by play: who leads cannot always win.
//!
//! It is late when half of the pieces are gone. Leads are told apart by how many pieces the leader has left that can still
//! be promoted, and by how much more its other pieces are worth than those of the other side: a bishop more is much with
//! pawns, and nothing without.

use super::sides::Sides;
use super::tables::Table;
use super::weights::{Stage, Subject, Weights};
use super::{places, values};
use crate::model::Occupant;
use crate::rules::Rules;
use crate::state::State;

/// The numbers of pieces that are told apart, from 0; the last one stands for all greater ones.
const ROWS: usize = 4;
/// The leads that are told apart, in pieces of the commonest sort; the first and the last stand for all beyond.
const COLUMNS: usize = 12;
/// The least lead that is told apart: with more pieces to be promoted, a side can lead without having more of the others.
const FIRST_LEAD: i64 = -2;
/// The sides that have leads.
const SIDES: usize = 2;

/// Which leads are alike.
#[derive(Clone, Debug)]
pub struct Leads {
    pieces: Vec<Piece>,
    /// The pieces of value at the start.
    at_start: u32,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    piece: Occupant,
    side: usize,
    /// Whether it can be promoted.
    is_promising: bool,
    /// What it is worth by the rules alone.
    value: i64,
}

impl Leads {
    /// The number of classes of leads.
    pub const N_CLASSES: usize = ROWS * COLUMNS;

    /// Finds what leads in a game are made of, if two sides play and no pieces come back.
    pub fn find(rules: &Rules) -> Option<Leads> {
        Leads::of_values(rules, &values::derive(rules))
    }

    /// Does so, given what the pieces are worth by the rules alone.
    fn of_values(rules: &Rules, values: &[i32]) -> Option<Leads> {
        let model = &rules.model;
        let sides = Sides::find(rules);
        if sides.count() != SIDES || model.kinds.iter().any(|kind| !kind.drops.is_empty()) {
            return None;
        }
        let are_promising = places::promising(rules, values);
        let pieces: Vec<Piece> = (rules.occupants.pieces())
            .filter(|piece| values[piece.index()] != 0)
            .filter_map(|piece| {
                Some(Piece {
                    piece,
                    side: usize::from(sides.of_piece(piece)?),
                    is_promising: are_promising[piece.index()],
                    value: i64::from(values[piece.index()]),
                })
            })
            .collect();
        let at_start = State::start(rules);
        let at_start = pieces.iter().map(|of| at_start.count(of.piece)).sum();
        Some(Leads { pieces, at_start })
    }

    /// Returns the class of a lead that a side has, if it is late.
    pub fn class(&self, state: &State, leader: usize) -> Option<usize> {
        let count: u32 = self.pieces.iter().map(|of| state.count(of.piece)).sum();
        if 2 * count > self.at_start {
            return None;
        }
        let (mut n_promising, mut lead) = (0, 0);
        for of in &self.pieces {
            let count = i64::from(state.count(of.piece));
            match (of.is_promising, of.side == leader) {
                (true, true) => n_promising += count as usize,
                (true, false) => {}
                (false, true) => lead += count * of.value,
                (false, false) => lead -= count * of.value,
            }
        }
        let unit = i64::from(values::ORDINARY);
        let column = ((lead + unit / 2).div_euclid(unit) - FIRST_LEAD).clamp(0, COLUMNS as i64 - 1);
        Some(n_promising.min(ROWS - 1) * COLUMNS + column as usize)
    }
}

/// What each class of leads counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Prospects {
    leads: Option<Leads>,
    /// By class, in percent.
    percents: Vec<i32>,
}

impl Prospects {
    /// Makes them of what play has found, given what the pieces are worth by the rules alone.
    pub fn new(rules: &Rules, values: &[i32], weights: &Weights) -> Prospects {
        let Some(table) = weights.table(&Subject::Prospects, Stage::Late) else {
            return Prospects::default();
        };
        Prospects {
            leads: Leads::of_values(rules, values),
            percents: (0..Leads::N_CLASSES)
                .map(|class| (100 + table.get(spot(class))).max(0))
                .collect(),
        }
    }

    /// Returns what counts of what one of two sides, or the other, leads by.
    #[inline]
    pub fn weigh(&self, state: &State, side: usize, lead: i64) -> i64 {
        let Some(leads) = &self.leads else { return lead };
        let leader = if lead >= 0 { side } else { 1 - side };
        match leads.class(state, leader) {
            Some(class) => lead * i64::from(self.percents[class]) / 100,
            None => lead,
        }
    }
}

/// Makes a table of what each class of leads counts more than 100 percent, or less.
pub fn prospects_table(more: &[Option<i32>]) -> Table {
    Table::of_rows(more.chunks(COLUMNS))
}

/// Returns the column and the row of a class in a table.
fn spot(class: usize) -> (usize, usize) {
    (class % COLUMNS, class / COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;
    use crate::play::fen::read_fen;

    #[test]
    fn leads_are_told_apart_by_what_can_be_promoted_and_by_the_other_pieces() {
        let rules = builtin::rules("chess");
        let leads = Leads::find(&rules).unwrap();
        let class = |fen: &str, leader| leads.class(&read_fen(&rules, fen).unwrap(), leader).map(spot);
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(class(start, 0), None);
        let even = -FIRST_LEAD as usize;
        assert_eq!(class("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0), Some((even, 0)));
        assert_eq!(class("4k3/p7/8/8/8/8/PPPPP3/4K3 w - - 0 1", 0), Some((even, 3)));
        assert_eq!(class("4k3/p7/8/8/8/8/PPPPP3/4K3 w - - 0 1", 1), Some((even, 1)));
        let bishop = class("4k3/p7/8/8/8/8/8/2B1K3 w - - 0 1", 0).unwrap();
        assert!(bishop.0 > even && bishop.1 == 0, "{bishop:?}");
        let queen = class("4k3/p7/8/8/8/8/7P/3QK3 b - - 0 1", 0).unwrap();
        assert!(queen.0 > bishop.0 && queen.1 == 1, "{queen:?}");
        assert_eq!(class("4k3/p7/8/8/8/8/8/3QK3 w - - 0 1", 1), Some((0, 1)));
        // Pieces that are dropped come back.
        assert!(Leads::find(&builtin::rules("shogi")).is_none());
    }

    #[test]
    fn a_lead_counts_as_much_as_its_class() {
        let rules = builtin::rules("chess");
        let state = read_fen(&rules, "4k3/p7/8/8/8/8/8/2B1K3 w - - 0 1").unwrap();
        let class = Leads::find(&rules).unwrap().class(&state, 0).unwrap();
        let mut more = vec![None; Leads::N_CLASSES];
        more[class] = Some(-90);
        let mut weights = Weights::default();
        weights.set_table(Subject::Prospects, Stage::Late, prospects_table(&more));
        let values = values::derive(&rules);
        let prospects = Prospects::new(&rules, &values, &weights);
        assert_eq!(prospects.weigh(&state, 0, 300), 30);
        assert_eq!(prospects.weigh(&state, 1, -300), -30);
        // Black's lead is of another class.
        assert_eq!(prospects.weigh(&state, 1, 300), 300);
        assert_eq!(Prospects::default().weigh(&state, 0, 300), 300);
    }
}
