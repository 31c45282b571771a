//! What it is worth that a piece stands where it does.
//!
//! A piece gains by coming nearer to the cells on which a goal wants it, and to those from which it is promoted; where
//! pieces change owner, it gains on cells that are hard to enclose. How near a cell is, in moves, is found out by
//! letting the piece move alone on an empty board; a piece that cannot move alone, such as a ball, is taken to go from
//! cell to neighbour.

use super::sides::Sides;
use crate::model::goal::GoalKind;
use crate::model::{CellId, DirectionId, Occupant, PieceKindId};
use crate::play::legal::Workspace;
use crate::program::goal::{GoalTest, OccupantSet};
use crate::rules::Rules;
use crate::state::{Effect, MoveList, State};

/// What a piece gains on its way to a place that alone decides the game, in score points.
const SINGLE_GOAL: i32 = 60;
/// What it gains where several places must be taken.
const SHARED_GOAL: i32 = 60;
/// The part of the gain of a promotion that a piece gains on its way.
const PROMOTION_PART: i32 = 8;
/// How the gain grows with the way done, as a power of it, where one piece that arrives is enough: the last steps count,
/// and whoever hurries to make the first ones leaves the way open to the enemy.
const RACE_POWER: u32 = 4;
/// The same where every piece has to come along.
const MARCH_POWER: u32 = 2;
/// The part of its value that a piece gains where it has twice as many moves as on the average.
const CENTER_PART: i32 = 8;
/// The side for which it counts what pieces gain that are on none.
pub const FIRST_SIDE: u8 = 0;
/// What a cell is worth that no line runs through, where pieces change owner.
const SAFEST: i32 = 300;
/// The greatest number of pieces times cells that are tried.
const MOST_TRIALS: usize = 100_000;

/// Returns the index of a piece on a cell in the table of places.
#[inline]
pub fn slot(rules: &Rules, piece: Occupant, cell: CellId) -> usize {
    piece.index() * rules.n_cells + cell.index()
}

/// Returns what each place is worth to the side that the piece there serves, by [`slot`], or to the first for a piece that is
/// on none; empty if it is never worth anything. `values` are those of the pieces to their owners.
pub fn derive(rules: &Rules, values: &[i32], sides: &Sides, is_fickle: bool, scales: Scales) -> Vec<i32> {
    let wishes = wishes(rules, sides);
    let mut table = vec![0; rules.occupants.len() * rules.n_cells];
    if rules.occupants.len() * rules.n_cells <= MOST_TRIALS {
        let mut tried = Tried::new(rules);
        for piece in rules.occupants.pieces() {
            let wishes: Vec<&Wish> = wishes.iter().filter(|wish| wish.piece == piece).collect();
            if values[piece.index()] == 0 && wishes.is_empty() {
                continue;
            }
            tried.trace(rules, piece, values);
            let place = &mut table[slot(rules, piece, CellId(0))..][..rules.n_cells];
            let is_carried = tried.arcs.is_empty() && !is_dropped(rules, piece);
            if is_carried {
                tried.carry(rules);
            }
            wishes.into_iter().for_each(|wish| tried.approach(place, wish));
            tried.approach_promotion(place);
            place.iter_mut().for_each(|worth| *worth = *worth * scales.places / 100);
            if !is_carried {
                tried.approach_center(place, values[piece.index()] * scales.center / 100);
            }
        }
    }
    if is_fickle {
        for piece in rules.occupants.pieces() {
            for cell in rules.model.board.cell_ids() {
                let sign = values[piece.index()].signum();
                table[slot(rules, piece, cell)] += sign * SAFEST / (1 + n_axes(rules, cell)).pow(3);
            }
        }
    }
    if table.iter().all(|&worth| worth == 0) {
        table.clear();
    }
    table
}

/// Returns the moves that a piece has alone on the board: where each begins and ends.
pub fn arcs(rules: &Rules, piece: Occupant) -> Vec<(CellId, CellId)> {
    let mut tried = Tried::new(rules);
    tried.trace(rules, piece, &vec![0; rules.n_occupants]);
    tried.arcs
}

/// Returns by occupant whether a piece can be promoted to one of greater value, from whatever cell.
pub fn promising(rules: &Rules, values: &[i32]) -> Vec<bool> {
    let mut are_promising = vec![false; rules.occupants.len()];
    if rules.occupants.len() * rules.n_cells <= MOST_TRIALS {
        let mut tried = Tried::new(rules);
        for piece in rules.occupants.pieces() {
            tried.trace(rules, piece, values);
            are_promising[piece.index()] = tried.promotions.iter().any(|&gain| gain > 0);
        }
    }
    are_promising
}

/// Returns the cells on which goals want a piece, or do not want it, each with what it gains by being there, as
/// in [`derive`].
pub fn wanted_cells(rules: &Rules, sides: &Sides) -> Vec<(Occupant, CellId, i32)> {
    let wishes = wishes(rules, sides);
    let cells = |wish: &Wish| {
        let (piece, worth) = (wish.piece, wish.worth);
        wish.cells.clone().into_iter().map(move |cell| (piece, cell, worth))
    };
    wishes.iter().flat_map(cells).collect()
}

/// How much the parts count, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Scales {
    /// Goals and promotion.
    pub places: i32,
    /// Standing where a piece has many moves.
    pub center: i32,
}

/// A piece that is wanted on some cells, or not wanted there.
struct Wish {
    piece: Occupant,
    cells: Vec<CellId>,
    /// What the piece gains by being there, for the side that it serves.
    worth: i32,
    /// Whether one piece there is enough.
    is_single: bool,
}

/// Collects the wishes of all goals that win or lose.
fn wishes(rules: &Rules, sides: &Sides) -> Vec<Wish> {
    let mut wishes = Vec::new();
    for goal in &rules.goals {
        let sign = match goal.kind {
            GoalKind::Win => 1,
            GoalKind::Loss => -1,
            GoalKind::Draw | GoalKind::Count | GoalKind::End => continue,
        };
        for (player, test) in &goal.tests {
            collect(test, 1, &mut |claim| {
                for piece in claim.pieces.iter() {
                    let served = sides.of_piece(piece).unwrap_or(FIRST_SIDE);
                    let is_own = if sides.of(*player) == Some(served) { 1 } else { -1 };
                    let worth = if claim.is_single { SINGLE_GOAL } else { SHARED_GOAL };
                    // A win needs all its parts; to escape a loss it is enough that one fails.
                    let share = if sign < 0 { claim.n_parts } else { 1 };
                    wishes.push(Wish {
                        piece,
                        cells: claim.cells.clone(),
                        worth: worth * sign * is_own / share,
                        is_single: claim.is_single,
                    });
                }
            });
        }
    }
    wishes
}

/// What a goal asks of some cells.
struct Claim<'a> {
    /// The pieces that do.
    pieces: &'a OccupantSet,
    cells: Vec<CellId>,
    /// Whether one piece there is enough.
    is_single: bool,
    /// How many things must hold together, with this one.
    n_parts: i32,
}

/// Calls `visit` with all that a goal asks of cells. `n_parts` things must hold together around this test, with it.
fn collect(test: &GoalTest, n_parts: i32, visit: &mut dyn FnMut(&Claim<'_>)) {
    match test {
        GoalTest::And(parts) => {
            let n_parts = n_parts + parts.len() as i32 - 1;
            parts.iter().for_each(|part| collect(part, n_parts, visit));
        }
        GoalTest::Or(parts) => parts.iter().for_each(|part| collect(part, n_parts, visit)),
        GoalTest::AbsoluteConfig { tests, places, any } => {
            let is_single = *any || places.len() == 1;
            let n_further = if is_single { 0 } else { places.len() as i32 - 1 };
            for test in tests.iter().filter(|test| !test.none) {
                visit(&Claim {
                    pieces: &test.pieces,
                    cells: places.concat(),
                    is_single,
                    n_parts: n_parts + n_further,
                });
            }
        }
        _ => {}
    }
}

/// Returns the number of lines that run through a cell: into it from a neighbour, and on in the same direction.
fn n_axes(rules: &Rules, cell: CellId) -> i32 {
    let board = &rules.model.board;
    let runs_through = |from: &CellId, direction: DirectionId| {
        board.step(*from, direction) == Some(cell) && board.step(cell, direction).is_some()
    };
    let directions = || (0..board.directions.len()).filter_map(DirectionId::new);
    let entrances = rules.neighbors(cell).iter();
    let n_through = entrances.filter(|from| directions().any(|direction| runs_through(from, direction)));
    // Each line is entered at both ends.
    n_through.count() as i32 / 2
}

/// Tells whether a piece can be dropped.
fn is_dropped(rules: &Rules, piece: Occupant) -> bool {
    !rules.model.kinds[rules.kind(piece).index()].drops.is_empty()
}

/// Where a piece can go on an empty board.
struct Tried {
    workspace: Workspace,
    list: MoveList,
    /// The moves, by start.
    arcs: Vec<(CellId, CellId)>,
    /// The best promotion from a cell, by cell: what the new piece is worth more.
    promotions: Vec<i32>,
}

impl Tried {
    fn new(rules: &Rules) -> Tried {
        Tried {
            workspace: Workspace::new(rules, State::empty(rules)),
            list: MoveList::new(),
            arcs: Vec::new(),
            promotions: vec![0; rules.n_cells],
        }
    }

    /// Finds the moves of a piece from all cells. A rule that faults on a board so empty tells nothing.
    fn trace(&mut self, rules: &Rules, piece: Occupant, values: &[i32]) {
        let (player, kind) = (rules.owner(piece), rules.kind(piece));
        self.arcs.clear();
        self.promotions.fill(0);
        for cell in rules.model.board.cell_ids() {
            self.workspace.state.put(rules, cell, player, kind);
            self.list.clear();
            let listed = self.workspace.candidates(rules, player, &mut self.list);
            self.workspace.state.clear(rules, cell);
            if listed.is_err() {
                return;
            }
            for entry in self.list.iter().filter(|entry| entry.from == cell) {
                match promoted_kind(self.list.effects(entry), entry.to) {
                    Some(kind) => {
                        let gain = values[rules.occupant(player, kind).index()] - values[piece.index()];
                        let best = &mut self.promotions[cell.index()];
                        *best = gain.max(*best);
                    }
                    None => self.arcs.push((cell, entry.to)),
                }
            }
        }
    }

    /// Takes a piece to go from each cell to its neighbours.
    fn carry(&mut self, rules: &Rules) {
        let cells = rules.model.board.cell_ids();
        let links = cells.flat_map(|from| rules.neighbors(from).iter().map(move |&to| (from, to)));
        self.arcs.clear();
        self.arcs.extend(links);
    }

    /// Adds to `places` what a piece gains on its way to where it is wanted.
    fn approach(&self, places: &mut [i32], wish: &Wish) {
        let mut distances = vec![u32::MAX; places.len()];
        wish.cells.iter().for_each(|cell| distances[cell.index()] = 0);
        self.relax(&mut distances);
        let power = if wish.is_single { RACE_POWER } else { MARCH_POWER };
        add_nearness(places, &distances, wish.worth, power);
    }

    /// Adds to `places` a part of `value`, the more the more moves a piece has from there; less than nothing where it has
    /// fewer than on the average.
    fn approach_center(&self, places: &mut [i32], value: i32) {
        if value == 0 || self.arcs.is_empty() {
            return;
        }
        let mut counts = vec![0; places.len()];
        self.arcs.iter().for_each(|(from, _)| counts[from.index()] += 1);
        let (total, n_cells) = (self.arcs.len() as i32, places.len() as i32);
        for (place, count) in places.iter_mut().zip(counts) {
            let part = (value * (count * n_cells - total) / total).clamp(-value.abs(), value.abs());
            *place += part / CENTER_PART;
        }
    }

    /// Adds to `places` what a piece gains on its way to promotion.
    fn approach_promotion(&self, places: &mut [i32]) {
        let gain = self.promotions.iter().copied().max().unwrap_or(0);
        if gain <= 0 {
            return;
        }
        let distances = self.promotions.iter();
        let mut distances: Vec<u32> = distances.map(|&gain| if gain > 0 { 1 } else { u32::MAX }).collect();
        self.relax(&mut distances);
        add_nearness(places, &distances, gain / PROMOTION_PART, RACE_POWER);
    }

    /// Makes each distance the shortest that the moves allow.
    fn relax(&self, distances: &mut [u32]) {
        let mut changes = true;
        while changes {
            changes = false;
            for &(from, to) in &self.arcs {
                let through = distances[to.index()].saturating_add(1);
                if through < distances[from.index()] {
                    distances[from.index()] = through;
                    changes = true;
                }
            }
        }
    }
}

/// Adds `worth` in full at distance 0, and by a power of the part of the way that is done farther off.
fn add_nearness(places: &mut [i32], distances: &[u32], worth: i32, power: u32) {
    let known = distances.iter().filter(|&&distance| distance < u32::MAX);
    let farthest = known.max().map_or(1, |&distance| distance.max(1));
    for (place, &distance) in places.iter_mut().zip(distances) {
        if distance < u32::MAX {
            let done = f64::from(farthest - distance) / f64::from(farthest);
            // A product of few factors: the same on every machine.
            let part = (0..power).fold(1.0, |part, _| part * done);
            *place += (f64::from(worth) * part) as i32;
        }
    }
}

/// Returns what the piece that arrives on `to` becomes, if it changes.
fn promoted_kind(effects: &[Effect], to: CellId) -> Option<PieceKindId> {
    effects.iter().find_map(|effect| match *effect {
        Effect::Promote { at, kind } | Effect::ChangeKind { at, kind } if at == to => Some(kind),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use crate::model::PlayerId;

    #[test]
    fn to_escape_a_loss_it_is_enough_that_one_of_its_parts_fails() {
        let text = b"(game (title \"Court\") (players White Black) (turn-order White Black)
            (board (grid (dimensions (\"a/b/c\" (1 0)) (\"1/2\" (0 1))) (directions (e 1 0) (w -1 0))))
            (board-setup (White (Guard a1) (Queen b1)) (Black (Guard a2) (Queen b2)))
            (piece (name Guard) (moves (e add) (w add)))
            (piece (name Queen) (moves (e add) (w add)))
            (win-condition (White) (absolute-config Guard (b1 c1)))
            (loss-condition (White) (and (absolute-config Guard (a1 b1)) (absolute-config Queen (c1)))))";
        let rules: Rules = load("court.zrf", text).unwrap().remove(0);
        let player = |index: usize| PlayerId::new(index).unwrap();
        let wanted = wanted_cells(&rules, &Sides::find(&rules));
        let worth = |kind: usize, name: &str| -> i32 {
            let piece = rules.occupant(player(0), PieceKindId::new(kind).unwrap());
            let cell = rules.model.board.find(name).unwrap();
            let found = wanted.iter().filter(|wish| (wish.0, wish.1) == (piece, cell));
            found.map(|wish| wish.2).sum()
        };
        // Three things must come together for the loss.
        assert_eq!(worth(0, "a1"), -SHARED_GOAL / 3);
        assert_eq!(worth(1, "c1"), -SINGLE_GOAL / 2);
        assert_eq!(worth(0, "b1"), SHARED_GOAL - SHARED_GOAL / 3);
        assert_eq!(worth(0, "c1"), SHARED_GOAL);
    }

    #[test]
    fn a_ball_that_nobody_owns_is_wanted_in_the_goal_of_the_others() {
        let text = b"(game (title \"Ball\") (players North South Field) (turn-order North South)
            (board (grid (dimensions (\"a\" (1 0)) (\"5/4/3/2/1\" (0 1))) (directions (n 0 -1) (s 0 1))))
            (board-setup (North (Man a4)) (South (Man a2)) (Field (Ball a3)))
            (piece (name Man) (moves (n add) (s add))) (piece (name Ball))
            (win-condition (North) (absolute-config (any-owner Ball) (a1)))
            (loss-condition (North) (absolute-config (any-owner Ball) (a5))))";
        let rules: Rules = load("ball.zrf", text).unwrap().remove(0);
        let sides = Sides::find(&rules);
        let scales = Scales {
            places: 100,
            center: 100,
        };
        let places = derive(&rules, &vec![0; rules.occupants.len()], &sides, false, scales);
        let ball = rules.occupant(PlayerId::new(2).unwrap(), PieceKindId::new(1).unwrap());
        assert_eq!(sides.of_piece(ball), None);
        let worths: Vec<i32> = (["a5", "a4", "a3", "a2", "a1"].iter())
            .map(|name| places[slot(&rules, ball, rules.model.board.find(name).unwrap())])
            .collect();
        // For the first side: the nearer to its goal the better, and the farther from the other's.
        assert_eq!(worths[2], 0);
        assert!(worths.is_sorted() && worths[1] < 0 && worths[3] > 0, "{worths:?}");
        assert_eq!((worths[0], worths[4]), (-SINGLE_GOAL, SINGLE_GOAL));
    }
}
