//! What pieces are worth, derived from how they move.
//!
//! Each kind is set alone on cells of a board that is otherwise thinly occupied by enemies, and its moves are counted; a
//! piece is worth the more the more moves it has on the average. The unit is the most numerous piece of the setup, which
//! is worth [`ORDINARY`] points. Since inventors give both sides a chance, armies of different make-up are taken to be
//! even at the start, and the values of each side are scaled accordingly: Thud's eight trolls weigh as much as its
//! thirty-two dwarfs.

use crate::model::goal::{GoalCondition, GoalKind};
use crate::model::{CellId, Occupant, PieceKindId, PlayerId};
use crate::play::legal::Workspace;
use crate::rules::Rules;
use crate::state::State;
use crate::state::key::spread;

/// The value of the most numerous piece, in score points.
pub(super) const ORDINARY: i32 = 100;
/// What a piece that must not be lost is worth besides.
const ROYAL: i32 = 1_000;
/// How much more a piece is worth if the game is lost when too few of its kind are left.
const SCARCITY: f64 = 1.5;
/// What all pieces together are worth of which some number must be gathered to win.
const TROPHIES: f64 = 600.0;
/// The least and the greatest value of a piece.
const RANGE: (f64, f64) = (10.0, 2_500.0);
/// The greatest factor by which armies are made even.
const FACTOR: f64 = 25.0;
/// The number of cells each piece is tried on.
const SAMPLES: usize = 24;
/// One cell of so many holds an enemy.
const SPARSENESS: usize = 4;

/// Returns the value of each piece to its owner, by occupant; 0 for dummy kinds and owners who never move.
pub fn derive(rules: &Rules) -> Vec<i32> {
    let model = &rules.model;
    let mobility = mean_mobility(rules);
    let mut counts = vec![0.0; rules.occupants.len()];
    for &(_, player, kind) in &model.setup.pieces {
        counts[rules.occupant(player, kind).index()] += 1.0;
    }
    for &(player, kind, count) in &model.setup.stock {
        counts[rules.occupant(player, kind).index()] += f64::from(count);
    }
    let vital = vital_pieces(rules, &counts);
    let scarce = scarce_pieces(rules, &counts);
    let trophies = trophies(rules, &counts);
    let is_royal = |piece: Occupant| vital.contains(&piece);
    let is_ordinary = |piece: &Occupant| mobility[piece.index()].is_some() && !is_royal(*piece);
    let ordinary = (rules.occupants.pieces().filter(is_ordinary))
        // The first of the most numerous ones.
        .fold(None, |best: Option<Occupant>, piece| match best {
            Some(best) if counts[best.index()] >= counts[piece.index()] => Some(best),
            _ => Some(piece),
        });
    let unit = ordinary.and_then(|piece| mobility[piece.index()]).unwrap_or(0.0) + 1.0;
    let raw = |piece: Occupant| mobility[piece.index()].map_or(0.0, |moves| f64::from(ORDINARY) * (moves + 1.0) / unit);
    let army = |player: PlayerId| -> f64 {
        let pieces = model
            .kind_ids()
            .map(|kind| rules.occupant(player, kind))
            .filter(is_ordinary);
        pieces.map(|piece| counts[piece.index()] * raw(piece)).sum()
    };
    let full = ordinary.map_or(0.0, |piece| army(rules.owner(piece)));
    let factors: Vec<f64> = (model.player_ids())
        .map(|player| match army(player) {
            own if own > 0.0 && full > 0.0 => (full / own).clamp(1.0 / FACTOR, FACTOR),
            _ => 1.0,
        })
        .collect();
    let mut values = vec![0; rules.occupants.len()];
    for piece in rules.occupants.pieces() {
        let value = raw(piece) * factors[rules.owner(piece).index()];
        if value > 0.0 {
            let royal = if is_royal(piece) { ROYAL } else { 0 };
            let weight = if scarce.contains(&piece) { SCARCITY } else { 1.0 };
            values[piece.index()] = (value * weight).clamp(RANGE.0, RANGE.1).round() as i32 + royal;
        }
    }
    for (piece, worth) in trophies {
        values[piece.index()] += worth;
    }
    values
}

/// Returns for each piece of value how many moves it has on the average.
fn mean_mobility(rules: &Rules) -> Vec<Option<f64>> {
    let model = &rules.model;
    let mut mobility = vec![None; rules.occupants.len()];
    for player in model.player_ids().filter(|&player| acts(rules, player)) {
        let enemy = blocker(rules, player);
        let mut workspace = Workspace::new(rules, State::empty(rules));
        for cell in model.board.cell_ids().filter(|cell| is_blocked(*cell)) {
            put_back(rules, &mut workspace, cell, enemy);
        }
        // A rule that faults on such a made-up board says nothing of the worth of pieces.
        let mut is_sound = true;
        for kind in model.kind_ids().filter(|kind| !model.kinds[kind.index()].dummy) {
            let cells = sample(rules);
            let mut moves_on = |cell: CellId| {
                workspace.state.put(rules, cell, player, kind);
                let moves = workspace.mobility(rules, player);
                put_back(rules, &mut workspace, cell, enemy.filter(|_| is_blocked(cell)));
                moves
            };
            let total = if is_sound {
                cells.iter().try_fold(0, |sum, &cell| moves_on(cell).map(|n| sum + n))
            } else {
                Ok(0)
            };
            is_sound = total.is_ok();
            let mean = total.unwrap_or(0) as f64 / cells.len().max(1) as f64;
            mobility[rules.occupant(player, kind).index()] = Some(mean);
        }
    }
    mobility
}

/// Returns the pieces whose loss loses the game. `counts` are those of the setup, by occupant.
fn vital_pieces(rules: &Rules, counts: &[f64]) -> Vec<Occupant> {
    let mut vital: Vec<Occupant> = rules
        .model
        .player_ids()
        .flat_map(|player| rules.royal(player).iter().copied())
        .collect();
    walk_losses(rules, &mut |player, condition| match condition {
        GoalCondition::Captured(kinds) => {
            vital.extend(kinds.iter().map(|&kind| rules.occupant(player, kind)));
        }
        GoalCondition::PiecesRemaining(left, Some(kind)) => {
            let piece = rules.occupant(player, *kind);
            let is_last = counts[piece.index()] == f64::from(*left) + 1.0;
            vital.extend(is_last.then_some(piece));
        }
        _ => {}
    });
    vital
}

/// Returns the pieces of kinds of which some number must be kept.
fn scarce_pieces(rules: &Rules, counts: &[f64]) -> Vec<Occupant> {
    let mut scarce = Vec::new();
    walk_losses(rules, &mut |player, condition| {
        if let GoalCondition::PiecesRemaining(left, Some(kind)) = condition {
            let piece = rules.occupant(player, *kind);
            scarce.extend((counts[piece.index()] >= f64::from(*left)).then_some(piece));
        }
    });
    scarce
}

/// Returns the pieces of kinds of which a player wins by gathering several more than at the start, each with what it is
/// worth for that.
fn trophies(rules: &Rules, counts: &[f64]) -> Vec<(Occupant, i32)> {
    let mut trophies = Vec::new();
    walk_goals(rules, GoalKind::Win, &mut |player, condition| {
        if let GoalCondition::PiecesRemaining(wanted, Some(kind)) = condition {
            let piece = rules.occupant(player, *kind);
            let missing = f64::from(*wanted) - counts[piece.index()];
            // With the only one that is missing the game is over, which needs no value.
            trophies.extend((missing > 1.0).then_some((piece, (TROPHIES / missing).round() as i32)));
        }
    });
    trophies
}

/// Calls `visit` for each condition, whole or part, by which a player loses.
fn walk_losses(rules: &Rules, visit: &mut dyn FnMut(PlayerId, &GoalCondition)) {
    walk_goals(rules, GoalKind::Loss, visit);
}

/// Calls `visit` for each condition, whole or part, of the goals of a kind, for each player it is for.
pub(super) fn walk_goals(rules: &Rules, kind: GoalKind, visit: &mut dyn FnMut(PlayerId, &GoalCondition)) {
    for goal in rules.model.goals.iter().filter(|goal| goal.kind == kind) {
        for &player in &goal.players {
            goal.condition.walk(&mut |condition| visit(player, condition));
        }
    }
}

fn acts(rules: &Rules, player: PlayerId) -> bool {
    let is_random = |player: PlayerId| rules.model.players[player.index()].random;
    rules
        .model
        .turn_order
        .items
        .iter()
        .any(|item| item.acts_as == player && !is_random(item.player))
}

/// Returns the enemy piece that the board is occupied with: the first enemy's most numerous one.
fn blocker(rules: &Rules, player: PlayerId) -> Option<(PlayerId, PieceKindId)> {
    let model = &rules.model;
    let enemy = *rules.enemies(player).first()?;
    let count = |kind: PieceKindId| {
        model
            .setup
            .pieces
            .iter()
            .filter(|&&(_, p, k)| (p, k) == (enemy, kind))
            .count()
    };
    // Of equal numbers the last counts, so the kinds are taken from the last to the first.
    let kind = (0..model.kinds.len())
        .rev()
        .filter_map(PieceKindId::new)
        .max_by_key(|&kind| count(kind))?;
    Some((enemy, kind))
}

/// Spreads the enemies over the board without a pattern that directions could follow.
fn is_blocked(cell: CellId) -> bool {
    (spread(cell.index() as u64) >> 32).is_multiple_of(SPARSENESS as u64)
}

fn put_back(rules: &Rules, workspace: &mut Workspace, cell: CellId, piece: Option<(PlayerId, PieceKindId)>) {
    match piece {
        Some((player, kind)) => workspace.state.put(rules, cell, player, kind),
        None => workspace.state.clear(rules, cell),
    }
}

/// Returns cells spread evenly over the board.
fn sample(rules: &Rules) -> Vec<CellId> {
    let n_cells = rules.model.board.cells.len();
    let n_samples = n_cells.min(SAMPLES);
    (0..n_samples)
        .filter_map(|index| CellId::new(index * n_cells / n_samples))
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::load;

    /// Makes a game in which each of two sides has two men and a scout that move alike, and there are tokens.
    pub fn scouts(goals: &str) -> Rules {
        let text = format!(
            "(game (title \"Scouts\") (players White Black) (turn-order White Black)
            (board (grid (dimensions (\"a/b/c/d\" (1 0)) (\"1/2\" (0 1))) (directions (e 1 0) (w -1 0))))
            (board-setup (White (Man a1 b1) (Scout c1)) (Black (Man a2 b2) (Scout c2)))
            (piece (name Man) (moves (e add) (w add)))
            (piece (name Scout) (moves (e add) (w add)))
            (piece (name Token))
            {goals})"
        );
        load("scouts.zrf", text.as_bytes()).unwrap().remove(0)
    }

    /// Returns what a man, a scout and a token of the first player are worth with some goals.
    fn values(goals: &str) -> Vec<i32> {
        derive(&scouts(goals))[1..4].to_vec()
    }

    #[test]
    fn pieces_to_be_gathered_are_worth_something() {
        let plain = values("(win-condition (White Black) stalemated)");
        assert_eq!(plain[0], plain[1]);
        // Three are missing.
        let tokens = values("(win-condition (White Black) (pieces-remaining 3 Token))");
        assert_eq!(tokens[..2], plain[..2]);
        assert_eq!(tokens[2] - plain[2], TROPHIES as i32 / 3);
        let scouts = values("(win-condition (White) (pieces-remaining 3 Scout))");
        assert_eq!(scouts[1] - plain[1], TROPHIES as i32 / 2);
        // That one is there says nothing of more.
        let one = values("(win-condition (White Black) (pieces-remaining 2 Scout))");
        assert_eq!(one, plain);
    }

    #[test]
    fn pieces_to_be_kept_are_worth_more() {
        let plain = values("(win-condition (White Black) stalemated)");
        let kept = values("(loss-condition (White) (pieces-remaining 1 Man))");
        assert!(kept[0] > plain[0], "{kept:?}");
        // So many must not be gathered.
        let gathered = values("(loss-condition (White) (pieces-remaining 3 Scout))");
        assert_eq!(gathered, plain);
    }
}
