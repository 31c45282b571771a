//! Pieces that nothing of their kind can stop any more, such as passed pawns.
//!
//! A kind *marches* if on an empty board it never comes back to where it was: men and pawns on their way to the other side.
//! A piece of such a kind *runs* if no piece of that kind of the other side can ever come to stand in its way, or to
//! attack a cell of it, as far as the board alone tells.

use std::collections::BTreeSet;

use super::tables::Layout;
use super::weights::{Stage, Subject, Weights};
use crate::cellset;
use crate::model::{CellId, Occupant, PieceKindId, PlayerId};
use crate::play::legal::Workspace;
use crate::rules::Rules;
use crate::state::{Effect, MoveList, State};

/// The greatest number of cells of a board on which this is looked at.
const MOST_CELLS: usize = 256;

/// The kinds that march, and what stops them.
#[derive(Clone, Debug, Default)]
pub struct Marches {
    n_cells: usize,
    n_words: usize,
    marchers: Vec<Marcher>,
    /// By piece, the number of its kind among those that march, and whether it is the first player's.
    of: Vec<Option<(u8, bool)>>,
}

#[derive(Clone, Debug)]
struct Marcher {
    kind: PieceKindId,
    /// For the first player and the second, by cell, the cells on which a piece of the other stops one there, as bits.
    stops: [Vec<u64>; 2],
}

/// Where the pieces that march stand: by kind, player and word, as bits.
pub type Positions = Vec<u64>;

impl Marches {
    /// Finds the kinds that march in a game whose players see the board so.
    pub fn find(rules: &Rules, layout: &Layout) -> Marches {
        let n_cells = rules.n_cells;
        let mut marches = Marches {
            n_cells,
            n_words: cellset::words_for(n_cells),
            marchers: Vec::new(),
            of: vec![None; rules.occupants.len()],
        };
        if n_cells > MOST_CELLS {
            return marches;
        }
        let players = layout.players();
        for kind in rules
            .model
            .kind_ids()
            .filter(|kind| !rules.model.kinds[kind.index()].dummy)
        {
            let trails = players.map(|player| Trails::of(rules, player, kind, players));
            let [Some(first), Some(second)] = &trails else { continue };
            let stops = [(first, second), (second, first)].map(|(own, other)| {
                let mut stops = vec![0; n_cells * marches.n_words];
                for (cell, way) in own.ways.iter().enumerate() {
                    for (at, held) in other.held.iter().enumerate() {
                        if let (true, Some(at)) = (!way.is_disjoint(held), CellId::new(at)) {
                            cellset::insert(&mut stops[cell * marches.n_words..], at);
                        }
                    }
                }
                stops
            });
            for (player, is_first) in players.into_iter().zip([true, false]) {
                let number = marches.marchers.len().min(usize::from(u8::MAX)) as u8;
                marches.of[rules.occupant(player, kind).index()] = Some((number, is_first));
            }
            marches.marchers.push(Marcher { kind, stops });
        }
        marches
    }

    /// Returns the kinds that march, in the order in which they are numbered.
    pub fn kinds(&self) -> impl Iterator<Item = PieceKindId> + '_ {
        self.marchers.iter().map(|marcher| marcher.kind)
    }

    /// Returns the positions on an empty board.
    pub fn nowhere(&self) -> Positions {
        vec![0; self.marchers.len() * 2 * self.n_words]
    }

    /// Lets positions follow a cell that a piece leaves or enters; returns whether it marches.
    #[inline]
    pub fn turn(&self, positions: &mut Positions, cell: CellId, piece: Occupant) -> bool {
        let Some((number, is_first)) = self.of.get(piece.index()).copied().flatten() else {
            return false;
        };
        let row = (2 * usize::from(number) + usize::from(!is_first)) * self.n_words;
        positions[row + cell.index() / 64] ^= 1 << (cell.index() % 64);
        true
    }

    /// Calls `run` with each piece that runs: the number of its kind, whether it is the first player's, and its cell.
    #[inline]
    pub fn visit(&self, positions: &Positions, mut run: impl FnMut(usize, bool, CellId)) {
        for (number, marcher) in self.marchers.iter().enumerate() {
            for (side, stops) in marcher.stops.iter().enumerate() {
                let row = |side: usize| &positions[(2 * number + side) * self.n_words..][..self.n_words];
                let (own, other) = (row(side), row(1 - side));
                for cell in cellset::Cells::new(own) {
                    let is_free = match *other {
                        // Most boards.
                        [other] => stops[cell.index()] & other == 0,
                        _ => {
                            let stops = &stops[cell.index() * self.n_words..][..self.n_words];
                            stops.iter().zip(other).all(|(stops, other)| stops & other == 0)
                        }
                    };
                    if is_free {
                        run(number, side == 0, cell);
                    }
                }
            }
        }
    }
}

/// The ways of a kind that marches.
struct Trails {
    /// By cell, where a piece from there can come.
    ways: Vec<BTreeSet<usize>>,
    /// By cell, that, the cell itself, and what a piece can take on its way.
    held: Vec<BTreeSet<usize>>,
}

impl Trails {
    /// Follows a kind of one of two players; none if it does not march.
    fn of(rules: &Rules, player: PlayerId, kind: PieceKindId, players: [PlayerId; 2]) -> Option<Trails> {
        let other = if player == players[0] { players[1] } else { players[0] };
        let steps = reached(rules, (player, kind), None)?;
        let takes = reached(rules, (player, kind), Some(other))?;
        let mut ways: Vec<BTreeSet<usize>> = Vec::new();
        for cell in 0..rules.n_cells {
            let (mut way, mut open) = (BTreeSet::new(), vec![cell]);
            while let Some(from) = open.pop() {
                open.extend(steps[from].iter().copied().filter(|&to| way.insert(to)));
            }
            if way.contains(&cell) {
                return None;
            }
            ways.push(way);
        }
        if ways.iter().all(BTreeSet::is_empty) {
            return None;
        }
        let held = (0..rules.n_cells).map(|cell| {
            let stood = ways[cell].iter().copied().chain([cell]);
            stood
                .clone()
                .chain(stood.flat_map(|from| takes[from].iter().copied()))
                .collect()
        });
        Some(Trails {
            held: held.collect(),
            ways,
        })
    }
}

/// Returns by cell where a piece from there can go at once: on an empty board, or where all other cells are taken by pieces
/// of its kind of another player. None if a rule faults.
fn reached(
    rules: &Rules,
    (player, kind): (PlayerId, PieceKindId),
    others: Option<PlayerId>,
) -> Option<Vec<BTreeSet<usize>>> {
    let mut workspace = Workspace::new(rules, State::empty(rules));
    let mut list = MoveList::new();
    let cells = || rules.model.board.cell_ids();
    if let Some(other) = others {
        cells().for_each(|cell| workspace.state.put(rules, cell, other, kind));
    }
    let mut reached = Vec::with_capacity(rules.n_cells);
    for cell in cells() {
        workspace.state.clear(rules, cell);
        workspace.state.put(rules, cell, player, kind);
        list.clear();
        workspace.candidates(rules, player, &mut list).ok()?;
        let mut to = BTreeSet::new();
        for entry in list.iter().filter(|entry| entry.from == cell && entry.to.is_some()) {
            to.insert(entry.to.index());
            for effect in list.effects(entry) {
                if let Effect::Capture { at } = *effect {
                    to.insert(at.index());
                }
            }
        }
        reached.push(to);
        workspace.state.clear(rules, cell);
        if let Some(other) = others {
            workspace.state.put(rules, cell, other, kind);
        }
    }
    Some(reached)
}

/// What it is worth to run, ready to be added up.
#[derive(Clone, Debug, Default)]
pub struct Runners {
    marches: Marches,
    /// By kind that marches, player and cell, the worth to the first player and what comes to it late; empty if running is
    /// worth nothing.
    worths: Vec<(i16, i16)>,
}

/// How many sums are remembered.
const N_REMEMBERED: usize = 1 << 10;

/// Where the pieces that march stand, and what those that run are worth.
#[derive(Clone, Debug, Default)]
pub struct Run {
    positions: Positions,
    /// The hash of the positions.
    hash: u64,
    /// By hash, sums that were found.
    remembered: Vec<(u64, i32, i32)>,
}

impl Runners {
    /// Makes them of what play has found.
    pub fn new(rules: &Rules, layout: &Layout, weights: &Weights) -> Runners {
        if !weights.subjects().any(|subject| matches!(subject, Subject::Runners(_))) {
            return Runners::default();
        }
        let subject = |kind: PieceKindId| Subject::Runners(rules.model.kinds[kind.index()].name.clone());
        let marches = Marches::find(rules, layout);
        let mut worths = vec![(0, 0); marches.marchers.len() * 2 * rules.n_cells];
        for (number, kind) in marches.kinds().enumerate() {
            for stage in Stage::ALL {
                let Some(table) = weights.table(&subject(kind), stage) else {
                    continue;
                };
                for (side, player) in layout.players().into_iter().enumerate() {
                    let sign = if side == 0 { 1 } else { -1 };
                    let row = &mut worths[(2 * number + side) * rules.n_cells..];
                    for (worth, value) in row.iter_mut().zip(layout.values(table, player)) {
                        let worth = if stage == Stage::Always {
                            &mut worth.0
                        } else {
                            &mut worth.1
                        };
                        *worth = (sign * value) as i16;
                    }
                }
            }
        }
        Runners { marches, worths }
    }

    /// Tells whether running is worth nothing.
    pub fn is_empty(&self) -> bool {
        self.worths.is_empty()
    }

    /// Begins with an empty board.
    pub fn begin(&self, run: &mut Run) {
        run.positions = self.marches.nowhere();
        run.hash = 0;
    }

    /// Lets positions follow a cell that a piece leaves or enters.
    #[inline]
    pub fn turn(&self, rules: &Rules, run: &mut Run, cell: CellId, piece: Occupant) {
        if !self.worths.is_empty() && self.marches.turn(&mut run.positions, cell, piece) {
            run.hash ^= rules.keys.occupant(cell, piece);
        }
    }

    /// Returns what the pieces that run are worth to the first player, and what comes to that late.
    #[inline]
    pub fn sum(&self, run: &mut Run) -> (i64, i64) {
        if self.worths.is_empty() {
            return (0, 0);
        }
        if run.remembered.is_empty() {
            run.remembered.resize(N_REMEMBERED, (0, 0, 0));
        }
        let slot = (run.hash >> 32) as usize % N_REMEMBERED;
        if run.remembered[slot].0 != run.hash {
            let (mut always, mut late) = (0, 0);
            self.marches.visit(&run.positions, |number, is_first, cell| {
                let row = 2 * number + usize::from(!is_first);
                let worth = self.worths[row * self.marches.n_cells + cell.index()];
                always += i32::from(worth.0);
                late += i32::from(worth.1);
            });
            run.remembered[slot] = (run.hash, always, late);
        }
        let (_, always, late) = run.remembered[slot];
        (i64::from(always), i64::from(late))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    fn rules(name: &str) -> (Rules, Marches) {
        let rules = builtin::rules(name);
        let layout = Layout::find(&rules).unwrap();
        let marches = Marches::find(&rules, &layout);
        (rules, marches)
    }

    #[test]
    fn kinds_that_never_come_back_march() {
        for (name, expected) in [
            ("chess", vec!["Pawn"]),
            ("breakthrough", vec!["Pawn"]),
            ("english-draughts", vec!["Man"]),
            ("shogi", vec!["Pawn", "Lance", "Knight"]),
            ("hex", vec![]),
            ("amazons", vec![]),
        ] {
            let (rules, marches) = rules(name);
            let mut names: Vec<&str> = (marches.kinds())
                .map(|kind| rules.model.kinds[kind.index()].name.as_str())
                .collect();
            let mut expected = expected;
            names.sort_unstable();
            expected.sort_unstable();
            assert_eq!(names, expected, "{name}");
        }
    }

    #[test]
    fn a_passed_pawn_runs() {
        let (rules, marches) = rules("chess");
        let kind = marches.kinds().next().unwrap();
        let runs = |pawns: [&[&str]; 2]| {
            let mut positions = marches.nowhere();
            for (player, cells) in rules.model.player_ids().zip(pawns) {
                for cell in cells {
                    let cell = rules.model.board.find(cell).unwrap();
                    assert!(marches.turn(&mut positions, cell, rules.occupant(player, kind)));
                }
            }
            let mut found = Vec::new();
            marches.visit(&positions, |_, is_first, cell| {
                found.push((is_first, rules.model.board.name(cell).to_owned()));
            });
            found
        };
        let white = |cell: &str| (true, cell.to_owned());
        let black = |cell: &str| (false, cell.to_owned());
        // Blocked, attacked on the way, past each other, two columns away.
        assert_eq!(runs([&["e5"], &["e7"]]), []);
        assert_eq!(runs([&["e5"], &["d7"]]), []);
        assert_eq!(runs([&["e5"], &["d4"]]), [white("e5"), black("d4")]);
        assert_eq!(runs([&["e5"], &["c7"]]), [white("e5"), black("c7")]);
        // Its own column is free, but both neighbours guard it.
        assert_eq!(runs([&["e2", "a5"], &["d7", "f7"]]), [white("a5")]);
    }
}
