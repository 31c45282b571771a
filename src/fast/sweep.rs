//! What must hold around the start of a block, tested for all cells at once with bit boards.
//!
//! A block can list moves from a start only if one of a few tests near it comes out right: in reversi some neighbor must
//! be an enemy. When the same tests, at the same distances in the numbering of cells, serve many starts, each is one
//! shift of a bit board.

use super::universe::{EMPTY, Mask, Universe};
use crate::cellset;
use crate::model::{CellId, PlayerId};
use crate::rules::Rules;
use crate::state::State;

/// One test at a distance.
#[derive(Clone, Debug)]
struct Probe {
    /// The number of the tested cell less that of the start.
    distance: i32,
    board: Board,
    /// The starts that it serves, as bits.
    starts: Vec<u64>,
}

/// A set of occupants as a union of bit boards that a state keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    players: Vec<PlayerId>,
    /// Whether the cells of these players are meant or all others.
    inverted: bool,
}

/// Tests of which one must come out right.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    probes: Vec<Probe>,
    /// The starts that need no test, as bits.
    always: Vec<u64>,
    is_exact: bool,
}

const PROBE_LIMIT: usize = 12;

impl Sweep {
    /// Makes the tests from what each start needs: see `Draft::needs`.
    pub fn new(rules: &Rules, universe: &Universe<'_>, needs: &[Option<Vec<(CellId, Mask)>>]) -> Option<Sweep> {
        let words = cellset::words_for(rules.n_cells);
        let mut sweep = Sweep {
            probes: Vec::new(),
            always: vec![0; words],
            is_exact: true,
        };
        for (start, literals) in needs.iter().enumerate() {
            let start = CellId(start as u16);
            let boards = literals.as_ref().and_then(|literals| {
                let with_board = literals
                    .iter()
                    .map(|&(cell, set)| Some((cell, Board::of(rules, universe, set)?)));
                with_board.collect::<Option<Vec<_>>>()
            });
            let Some(boards) = boards else {
                sweep.is_exact &= literals.is_none();
                cellset::insert(&mut sweep.always, start);
                continue;
            };
            for (cell, board) in boards {
                let distance = i32::from(cell.0) - i32::from(start.0);
                let known = (sweep.probes.iter_mut()).find(|probe| probe.distance == distance && probe.board == board);
                match known {
                    Some(probe) => cellset::insert(&mut probe.starts, start),
                    None => {
                        let mut starts = vec![0; words];
                        cellset::insert(&mut starts, start);
                        sweep.probes.push(Probe {
                            distance,
                            board,
                            starts,
                        });
                    }
                }
                if sweep.probes.len() > PROBE_LIMIT {
                    return None;
                }
            }
        }
        Some(sweep)
    }

    /// Tells whether every test could be made with bit boards, so that nothing else needs to be tested for starts with
    /// one test.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns word `index` of the starts for which a test comes out right.
    #[inline]
    pub fn word(&self, state: &State, index: usize) -> u64 {
        let mut found = self.always[index];
        for probe in &self.probes {
            let wanted = probe.starts[index];
            if wanted & !found != 0 {
                found |= wanted & probe.board.shifted(state, index, probe.distance);
            }
        }
        found
    }
}

impl Board {
    /// Returns the union that makes up the set, if there is one.
    pub fn of(rules: &Rules, universe: &Universe<'_>, set: Mask) -> Option<Board> {
        let inverted = set & EMPTY != 0;
        let wanted = if inverted { universe.all() & !set } else { set };
        let players: Vec<PlayerId> = (rules.model.player_ids())
            .filter(|&player| universe.of_player(player) & wanted != 0)
            .collect();
        let union = players
            .iter()
            .fold(0, |union, &player| union | universe.of_player(player));
        (union == wanted).then_some(Board { players, inverted })
    }

    #[inline(always)]
    pub fn word(&self, state: &State, index: usize) -> u64 {
        let union = match self.players[..] {
            [player] => state.player_word(player, index),
            ref players => (players.iter()).fold(0, |union, &player| union | state.player_word(player, index)),
        };
        if self.inverted { !union } else { union }
    }

    /// Returns word `index` of the board, moved so that what lies at `distance` comes to each cell.
    #[inline(always)]
    fn shifted(&self, state: &State, index: usize, distance: i32) -> u64 {
        if state.n_words() == 1 && distance.unsigned_abs() < u64::BITS {
            let (word, by) = (self.word(state, 0), distance.unsigned_abs());
            return if distance < 0 { word << by } else { word >> by };
        }
        let first = index as i32 * 64 + distance;
        let (word, shift) = (first.div_euclid(64), first.rem_euclid(64));
        let at = |word: i32| match usize::try_from(word) {
            Ok(word) if word < state.n_words() => self.word(state, word),
            _ => 0,
        };
        match shift {
            0 => at(word),
            shift => at(word) >> shift | at(word + 1) << (64 - shift),
        }
    }
}
