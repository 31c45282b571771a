//! What the pieces in hand are worth: those that can be dropped.
//!
//! By the rules a piece in hand is worth what it is on the board, as long as the turn order has drops of it to come. Play may
//! have found more, told apart by how many of its
//! kind a player holds: the first pawn in hand can be dropped wherever one is needed, the fifth is seldom needed.

use super::tables::{Layout, Table};
use super::weights::{Stage, Subject, Weights};
use crate::model::{Occupant, PieceKindId, PlayerId, UNLIMITED};
use crate::rules::{Rules, Tier};
use crate::state::State;

/// How many pieces of a kind in hand are told apart; the last one stands for all further ones.
const ORDINALS: usize = 4;

/// The pieces in hand that are told apart.
#[derive(Clone, Debug, Default)]
pub struct HandClasses {
    /// The kinds that can be dropped.
    kinds: Vec<PieceKindId>,
}

impl HandClasses {
    /// The number of classes of each kind.
    pub const N_ORDINALS: usize = ORDINALS;

    /// Finds the kinds that can be dropped in a game.
    pub fn find(rules: &Rules) -> HandClasses {
        HandClasses {
            kinds: (rules.model.kind_ids())
                .filter(|kind| !rules.model.kinds[kind.index()].drops.is_empty())
                .collect(),
        }
    }

    /// Returns the kinds; the classes of each follow those of the one before.
    pub fn kinds(&self) -> &[PieceKindId] {
        &self.kinds
    }

    /// Returns the number of classes of all kinds.
    pub fn n_classes(&self) -> usize {
        self.kinds.len() * ORDINALS
    }

    /// Calls `visit` with each class of pieces in hand, and how many there are more of the first player than of the second.
    pub fn visit(&self, rules: &Rules, layout: &Layout, state: &State, mut visit: impl FnMut(usize, i32)) {
        for (player, sign) in layout.players().into_iter().zip([1, -1]) {
            for (number, &kind) in self.kinds.iter().enumerate() {
                for (ordinal, count) in ordinals(in_hand(state, rules.occupant(player, kind))).enumerate() {
                    if count > 0 {
                        visit(number * ORDINALS + ordinal, sign * count as i32);
                    }
                }
            }
        }
    }
}

/// What the pieces in hand are worth.
#[derive(Clone, Debug, Default)]
pub(super) struct Hands {
    kinds: Vec<Hand>,
    /// Whether play has found more than the values of kinds.
    knows_more: bool,
}

/// What the pieces of a kind that a player has in hand are worth to its side.
#[derive(Clone, Copy, Debug)]
struct Hand {
    piece: Occupant,
    side: u8,
    /// What each is worth.
    value: i32,
    /// From which turn on it can no longer be dropped and is worth nothing.
    end: usize,
    /// What comes to that, by how many there are: the first, the second and so on.
    more: [Worth; ORDINALS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Worth {
    always: i32,
    /// What comes to that in the course of the game.
    late: i32,
}

impl Hands {
    /// Makes them of the value of each piece, by occupant, and what play has found.
    pub fn new(rules: &Rules, values: &[i32], weights: &Weights, side_of: impl Fn(PlayerId) -> Option<u8>) -> Hands {
        let hand_of = |piece: Occupant| {
            let kind = &rules.model.kinds[rules.kind(piece).index()];
            let value = values[piece.index()];
            if kind.drops.is_empty() || value == 0 {
                return None;
            }
            let [always, late] = Stage::ALL.map(|stage| weights.table(&Subject::Hand(kind.name.clone()), stage));
            let get = |table: Option<&Table>, ordinal| table.map_or(0, |table| table.get((ordinal, 0)));
            let more = |ordinal| Worth {
                always: get(always, ordinal),
                late: get(late, ordinal),
            };
            Some(Hand {
                piece,
                side: side_of(rules.owner(piece))?,
                value,
                end: end_of_drops(rules, piece),
                more: std::array::from_fn(more),
            })
        };
        Hands {
            kinds: rules.occupants.pieces().filter_map(hand_of).collect(),
            knows_more: weights.subjects().any(|subject| matches!(subject, Subject::Hand(_))),
        }
    }

    /// Adds to each side what its pieces in hand are worth by their kind.
    #[inline]
    pub fn add_values(&self, state: &State, sums: &mut [i64]) {
        for hand in self.kinds.iter().filter(|hand| state.turn() < hand.end) {
            sums[usize::from(hand.side)] += i64::from(in_hand(state, hand.piece)) * i64::from(hand.value);
        }
    }

    /// Adds to each side what comes to that, and of what comes to that late so many parts of so many.
    #[inline]
    pub fn add_more(&self, state: &State, (part, whole): (i64, i64), sums: &mut [i64]) {
        if !self.knows_more {
            return;
        }
        for hand in &self.kinds {
            let count = in_hand(state, hand.piece);
            for (more, n) in hand.more.iter().zip(ordinals(count)) {
                let worth = i64::from(more.always) + i64::from(more.late) * part / whole;
                sums[usize::from(hand.side)] += i64::from(n) * worth;
            }
        }
    }
}

/// Returns the index of the turn item from which on a piece is never dropped again, `usize::MAX` if there is none.
fn end_of_drops(rules: &Rules, piece: Occupant) -> usize {
    let order = &rules.model.turn_order;
    let can_drop = |&item: &usize| {
        let mut drops = rules.turn_tiers(item).flat_map(Tier::drops);
        order.items[item].acts_as == rules.owner(piece) && drops.any(|&(dropped, _)| dropped == piece)
    };
    match (0..order.items.len()).rev().find(can_drop) {
        // Turns of other games may come in another order.
        Some(last) if last >= order.repeat_from || !rules.model.is_classic() => usize::MAX,
        Some(last) => last + 1,
        None => 0,
    }
}

/// Returns how many of a piece are in hand; none of a stock that never runs out, which is worth no more than an empty one.
fn in_hand(state: &State, piece: Occupant) -> u32 {
    Some(state.stock(piece))
        .filter(|&count| count != UNLIMITED)
        .unwrap_or(0)
}

/// Returns how many of so many pieces count as the first, as the second, and so on.
fn ordinals(count: u32) -> impl Iterator<Item = u32> {
    let last = ORDINALS as u32 - 1;
    (0..=last).map(move |ordinal| match ordinal {
        ordinal if ordinal < last => u32::from(count > ordinal),
        _ => count.saturating_sub(last),
    })
}

/// Makes a table of what each piece of a kind in hand is worth besides the value of the kind, in score points.
pub fn hand_table(more: &[Option<i32>]) -> Table {
    Table::of_rows(more.chunks(ORDINALS))
}

#[cfg(test)]
mod tests {
    use super::super::tables::Layout;
    use super::super::values;
    use super::*;
    use crate::builtin;
    use crate::model::PlayerId;

    fn piece(rules: &Rules, player: usize, kind: &str) -> Occupant {
        let kind = rules
            .model
            .kind_ids()
            .find(|id| rules.model.kinds[id.index()].name == kind);
        rules.occupant(PlayerId::new(player).unwrap(), kind.unwrap())
    }

    #[test]
    fn pieces_in_hand_are_told_apart_by_their_number() {
        let rules = builtin::rules("shogi");
        let layout = Layout::find(&rules).unwrap();
        let classes = HandClasses::find(&rules);
        let name = |kind: &PieceKindId| rules.model.kinds[kind.index()].name.as_str();
        let number = |wanted: &str| classes.kinds().iter().position(|kind| name(kind) == wanted).unwrap();
        let mut state = State::start(&rules);
        let seen = |state: &State| {
            let mut seen = Vec::new();
            classes.visit(&rules, &layout, state, |class, count| seen.push((class, count)));
            seen
        };
        assert_eq!(seen(&state), []);
        let [first, second] = layout.players().map(PlayerId::index);
        state.set_stock(&rules, piece(&rules, first, "Pawn"), 6);
        state.set_stock(&rules, piece(&rules, second, "Gold"), 1);
        let (pawn, gold) = (number("Pawn") * ORDINALS, number("Gold") * ORDINALS);
        let expected = [(pawn, 1), (pawn + 1, 1), (pawn + 2, 1), (pawn + 3, 3), (gold, -1)];
        assert_eq!(seen(&state), expected);
    }

    #[test]
    fn what_is_found_comes_to_the_value_of_the_kind() {
        let rules = builtin::rules("shogi");
        let values = values::derive(&rules);
        let mut weights = Weights::default();
        let hand = || Subject::Hand("Pawn".to_owned());
        weights.set_table(hand(), Stage::Always, hand_table(&[Some(10), None, None, Some(-3)]));
        weights.set_table(hand(), Stage::Late, hand_table(&[Some(8), None, None, None]));
        let side_of = |player: PlayerId| Some(player.index() as u8);
        let mut state = State::start(&rules);
        let pawn = piece(&rules, 1, "Pawn");
        state.set_stock(&rules, pawn, 5);
        let worth = |weights: &Weights| {
            let (hands, mut sums) = (Hands::new(&rules, &values, weights, side_of), [0, 0]);
            hands.add_values(&state, &mut sums);
            hands.add_more(&state, (1, 2), &mut sums);
            sums
        };
        let plain = 5 * i64::from(values[pawn.index()]);
        assert_eq!(worth(&Weights::default()), [0, plain]);
        assert_eq!(worth(&weights), [0, plain + 10 + 4 - 2 * 3]);
    }

    #[test]
    fn what_can_no_longer_be_dropped_is_worth_nothing() {
        let game = |repeat: &str| {
            let text = format!(
                "(game (title \"Phases\") (players White Black)
                (turn-order (White put) (Black put) {repeat})
                (board (grid (dimensions (\"a/b\" (1 0)) (\"1/2\" (0 1))) (directions (e 1 0) (w -1 0))))
                (board-setup (White (Man off 3)) (Black (Man off 3)))
                (piece (name Man) (drops (move-type put) ((verify empty?) add))
                    (moves (move-type go) ((e (verify empty?) add))))
                (loss-condition (White Black) stalemated))"
            );
            crate::load("phases.zrf", text.as_bytes()).unwrap().remove(0)
        };
        let end = |rules: &Rules, player: usize| end_of_drops(rules, piece(rules, player, "Man"));
        let phased = game("repeat (White go) (Black go)");
        assert_eq!([end(&phased, 0), end(&phased, 1)], [1, 2]);
        let lasting = game("repeat (White go) (Black put)");
        assert_eq!([end(&lasting, 0), end(&lasting, 1)], [1, usize::MAX]);
    }
}
