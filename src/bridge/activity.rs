//! What the moves of a side are worth by what they are, as found by play: the freedom of each kind of piece, its pressure
//! on the surroundings of the other side's royal piece, and its attacks on each kind.
//!
//! Mobility counts moves; this tells them apart. The moves have been listed for it anyway.

use std::fmt;

use super::pairs::near;
use super::sides::Sides;
use super::tables::Layout;
use super::weights::{Stage, Weights};
use crate::model::{CellId, GameModel, Occupant, PlayerId};
use crate::rules::Rules;
use crate::state::{MoveEntry, MoveList, State};

/// The most that all of it can be, in score points, so that what cannot matter need not be looked at.
pub const LIMIT: i32 = 1_000;
/// If there are more kinds than this, moves are not told apart.
const MOST_KINDS: usize = 32;
/// If there are more cells than this, no surroundings are looked at.
const MOST_CELLS: usize = 512;

/// What is counted of the moves of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A kind of piece, by its name, can move.
    Freedom(String),
    /// It can move to a cell close to the royal piece of the other side, or to its very cell.
    Pressure(String),
    /// It can move to a cell on which the other side has a piece of the second kind.
    Attack(String, String),
}

impl Action {
    /// Returns all that can be counted in a game, in the order in which actions are numbered.
    pub fn all(model: &GameModel) -> Vec<Action> {
        let names = || model.kinds.iter().map(|kind| kind.name.clone());
        let of_kind = |name: String| {
            let attacks = names().map({
                let name = name.clone();
                move |victim| Action::Attack(name.clone(), victim)
            });
            [Action::Freedom(name.clone()), Action::Pressure(name)]
                .into_iter()
                .chain(attacks)
                .collect::<Vec<_>>()
        };
        match model.kinds.len() {
            ..=MOST_KINDS => names().flat_map(of_kind).collect(),
            _ => Vec::new(),
        }
    }

    /// Reads what `Display` writes.
    pub(super) fn read(word: &str, rest: &str) -> Option<Action> {
        match word {
            "freedom" => Some(Action::Freedom(rest.to_owned())),
            "pressure" => Some(Action::Pressure(rest.to_owned())),
            "attack" => {
                let (kind, victim) = rest.split_once(" on ")?;
                Some(Action::Attack(kind.trim().to_owned(), victim.trim().to_owned()))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Freedom(kind) => write!(f, "freedom {kind}"),
            Action::Pressure(kind) => write!(f, "pressure {kind}"),
            Action::Attack(kind, victim) => write!(f, "attack {kind} on {victim}"),
        }
    }
}

/// What each action is worth to the side whose move it is, and what comes to that late.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    sides: Sides,
    surroundings: Surroundings,
    n_occupants: usize,
    /// By piece and occupant, what a move of the one onto the other is worth, pressure left aside; empty if moves are worth
    /// nothing more than their number.
    steps: Vec<(i16, i16)>,
    /// By piece, what its pressure is worth.
    pressures: Vec<(i16, i16)>,
}

/// Which cells are close to each other.
#[derive(Clone, Debug, Default)]
struct Surroundings {
    n_cells: usize,
    /// By cell and cell, whether they are close; empty if nothing is.
    are_close: Vec<bool>,
}

impl Surroundings {
    /// Finds the surroundings of each cell, if the players see the board alike.
    fn find(rules: &Rules, layout: Option<&Layout>) -> Surroundings {
        let Some(layout) = layout.filter(|_| rules.n_cells <= MOST_CELLS) else {
            return Surroundings::default();
        };
        let n_cells = rules.n_cells;
        let mut are_close = vec![false; n_cells * n_cells];
        for (cell, close) in near(layout).into_iter().enumerate() {
            are_close[cell * n_cells + cell] = true;
            for (other, _) in close {
                are_close[cell * n_cells + other.index()] = true;
            }
        }
        Surroundings { n_cells, are_close }
    }

    /// Returns by cell whether it is close to a royal piece of those that the player's side plays against.
    fn of_target(&self, rules: &Rules, state: &State, player: PlayerId, sides: &Sides) -> Option<&[bool]> {
        if self.are_close.is_empty() {
            return None;
        }
        let is_other = |other: &PlayerId| sides.of(*other).is_some() && sides.of(*other) != sides.of(player);
        let cell = (rules.model.player_ids().filter(is_other)).find_map(|other| {
            let piece = *rules.royal(other).first()?;
            match rules.tracked_slot(piece) {
                Some(slot) => state.tracked_cells(slot).next(),
                None => state.cells_of(other).find(|&cell| state.occupant(cell) == piece),
            }
        })?;
        self.are_close.get(cell.index() * self.n_cells..)?.get(..self.n_cells)
    }
}

/// The moves of one player, as they are looked at.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    activity: &'a Activity,
    /// By cell, whether it is close to a royal piece of the other side.
    close: Option<&'a [bool]>,
}

impl View<'_> {
    /// Calls `count` with the number of each action that a move is.
    #[inline]
    pub fn visit(&self, rules: &Rules, state: &State, entry: &MoveEntry, mut count: impl FnMut(usize)) {
        if entry.from.is_none() || entry.to.is_none() {
            return;
        }
        let piece = state.occupant(entry.from);
        if piece.is_none() {
            return;
        }
        count(freedom(rules, piece));
        if self.is_close(entry.to) {
            count(freedom(rules, piece) + 1);
        }
        let victim = state.occupant(entry.to);
        if self.activity.is_attack(piece, victim) {
            count(attack(rules, piece, victim));
        }
    }

    /// Adds what a move is worth, and what comes to that late.
    #[inline]
    pub fn add(&self, state: &State, entry: &MoveEntry, sum: &mut (i32, i32)) {
        if entry.from.is_none() || entry.to.is_none() {
            return;
        }
        let (piece, other) = (state.occupant(entry.from), state.occupant(entry.to));
        let Activity {
            n_occupants,
            steps,
            pressures,
            ..
        } = self.activity;
        let mut count = |(always, late): (i16, i16)| {
            sum.0 += i32::from(always);
            sum.1 += i32::from(late);
        };
        count(steps[piece.index() * n_occupants + other.index()]);
        if self.is_close(entry.to) {
            count(pressures[piece.index()]);
        }
    }

    fn is_close(&self, cell: CellId) -> bool {
        self.close.is_some_and(|close| close[cell.index()])
    }
}

impl Activity {
    /// Makes it of what play has found.
    pub(super) fn new(rules: &Rules, layout: Option<&Layout>, weights: &Weights) -> Activity {
        if !weights.has_actions() {
            return Activity::default();
        }
        let value = |action: &Action, stage| weights.action(action, stage) as i16;
        let worths: Vec<(i16, i16)> = (Action::all(&rules.model).iter())
            .map(|action| (value(action, Stage::Always), value(action, Stage::Late)))
            .collect();
        if worths.is_empty() {
            return Activity::default();
        }
        let mut activity = Activity::uncounted(rules, layout);
        let n_occupants = activity.n_occupants;
        activity.steps = vec![(0, 0); n_occupants * n_occupants];
        activity.pressures = vec![(0, 0); n_occupants];
        for piece in rules.occupants.pieces() {
            let free = worths[freedom(rules, piece)];
            let mut steps = vec![free; n_occupants];
            for victim in rules.occupants.pieces() {
                if activity.is_attack(piece, victim) {
                    let more = worths[attack(rules, piece, victim)];
                    steps[victim.index()] = (free.0 + more.0, free.1 + more.1);
                }
            }
            activity.steps[piece.index() * n_occupants..][..n_occupants].copy_from_slice(&steps);
            activity.pressures[piece.index()] = worths[freedom(rules, piece) + 1];
        }
        activity
    }

    /// Makes it such that moves can be looked at, but are worth nothing yet.
    pub fn uncounted(rules: &Rules, layout: Option<&Layout>) -> Activity {
        Activity {
            sides: Sides::find(rules),
            surroundings: Surroundings::find(rules, layout),
            n_occupants: rules.occupants.len(),
            ..Activity::default()
        }
    }

    /// Tells whether moves are worth nothing more than their number.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Tells whether a piece that moves to where another stands attacks it.
    fn is_attack(&self, piece: Occupant, victim: Occupant) -> bool {
        victim.is_some() && self.sides.of_piece(piece) != self.sides.of_piece(victim)
    }

    /// Looks at the moves of a player.
    pub(super) fn view(&self, rules: &Rules, state: &State, player: PlayerId) -> View<'_> {
        View {
            activity: self,
            close: self.surroundings.of_target(rules, state, player, &self.sides),
        }
    }

    /// Returns what the moves of a list are worth to a player, and what comes to that late.
    pub(super) fn sum(&self, rules: &Rules, state: &State, list: &MoveList, player: PlayerId) -> (i32, i32) {
        let mut sum = (0, 0);
        if !self.is_empty() {
            let view = self.view(rules, state, player);
            list.iter().for_each(|entry| view.add(state, entry, &mut sum));
        }
        sum
    }
}

/// Returns the number of the freedom of a piece's kind among [`Action::all`]; its pressure comes next.
fn freedom(rules: &Rules, piece: Occupant) -> usize {
    rules.kind(piece).index() * (rules.model.kinds.len() + 2)
}

/// Returns the number of the attack of a piece's kind on that of another.
fn attack(rules: &Rules, piece: Occupant, victim: Occupant) -> usize {
    freedom(rules, piece) + 2 + rules.kind(victim).index()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::bridge::{Bridge, Evaluation, Moves};
    use crate::builtin;
    use crate::play::Session;
    use crate::play::fen::read_fen;
    use crate::search::Game as _;

    /// Returns what a position is worth to White by weights of these lines, less what it is worth by `mobility 0` alone.
    fn worth(fen: &str, lines: &str) -> i32 {
        let rules = Arc::new(builtin::rules("chess"));
        let value = |lines: &str| {
            let weights = Weights::read(&format!("game Chess\nmobility 0\n{lines}"), "Chess")
                .unwrap()
                .unwrap();
            let evaluation = Arc::new(Evaluation::with_weights(&rules, &weights).unwrap());
            let session = Session::from_state(Arc::clone(&rules), read_fen(&rules, fen).unwrap());
            let mut bridge = Bridge::with(session, evaluation);
            let mut moves = Moves::default();
            bridge.moves(&mut moves).unwrap();
            bridge.evaluate(0, &moves, i32::MIN..i32::MAX).unwrap()
        };
        value(lines) - value("")
    }

    #[test]
    fn moves_count_by_what_they_are() {
        let endgame = "4k3/8/8/3n4/8/8/8/R3K3 w - - 0 1";
        for (lines, expected) in [
            // Ten moves of the rook, eight of the knight.
            ("freedom Rook 3", 30),
            ("freedom Knight 5", -40),
            // Two of the knight's end within two columns and rows of e1, none of the rook's within those of e8.
            ("pressure Knight 10", -20),
            ("pressure Rook 10", 0),
            ("attack Rook on Knight 11", 0),
            ("freedom Rook 3\npressure Knight 10", 10),
            ("freedom Rook 300", LIMIT),
        ] {
            assert_eq!(worth(endgame, lines), expected, "{lines}");
        }
        // Now the rook can take the knight, and the knight cannot take it.
        let open_file = "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(worth(open_file, "attack Rook on Knight 11"), 11);
        assert_eq!(worth(open_file, "attack Knight on Rook 11"), 0);
        // Of all pieces that there can be most are gone.
        let late = worth(open_file, "late-freedom Rook 10");
        assert!((40..70).contains(&late), "{late}");
    }
}
