//! What it is worth that two pieces stand close to each other, as found by play: one small table for each pair of kinds.
//!
//! A pair is two pieces whose places in the picture of the board are at most two columns and two rows apart, wherever on
//! the board they stand. Pairs that the rules cannot tell apart otherwise are alike and have one value: the same pair seen
//! from its other piece, mirrored as most boards can be, or by the second player, to whom it is worth what it costs the
//! first.

use std::fmt;

use super::tables::{Layout, Table};
use super::weights::{Stage, Subject, Weights};
use crate::model::{CellId, GameModel, Occupant, PieceKindId};
use crate::rules::Rules;

/// How many columns and rows apart the pieces of a pair can be.
const REACH: i32 = 2;
/// The columns of a table, and its rows.
const WIDTH: usize = 2 * REACH as usize + 1;
/// The places of a table. The one in the middle is that of the first piece.
const N_OFFSETS: usize = WIDTH * WIDTH;
/// If there are more kinds than this, pairs are not looked at.
const MOST_KINDS: usize = 32;

/// Whose the second piece of a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// That of who owns the first.
    With,
    /// The other player's.
    Against,
}

impl Relation {
    /// Both, in order.
    pub const ALL: [Relation; 2] = [Relation::With, Relation::Against];

    /// Returns the word for it in files.
    pub(super) fn word(self) -> &'static str {
        match self {
            Relation::With => "with",
            Relation::Against => "against",
        }
    }
}

/// Which table a value of pairs stands in: that of two kinds, of which the first is the first player's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairName {
    /// The name of the first kind.
    pub first: String,
    /// Whose the second piece is.
    pub relation: Relation,
    /// The name of the second kind.
    pub second: String,
}

impl fmt::Display for PairName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.first, self.relation.word(), self.second)
    }
}

impl PairName {
    /// Reads what `Display` writes.
    pub(super) fn read(text: &str) -> Option<PairName> {
        Relation::ALL.into_iter().find_map(|relation| {
            let (first, second) = text.split_once(&format!(" {} ", relation.word()))?;
            Some(PairName {
                first: first.trim().to_owned(),
                relation,
                second: second.trim().to_owned(),
            })
        })
    }
}

/// By place of a table, row by row, the class of pairs, and whether the place is worth the opposite of it; none where pairs
/// are worth nothing.
pub type PairPlaces = Vec<Option<(usize, bool)>>;

/// A kind, and whether it is the first player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Member {
    kind: usize,
    is_first: bool,
}

/// Two pieces, and the step from the one to the other as the first player sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    one: Member,
    other: Member,
    step: (i32, i32),
}

impl Pair {
    fn swapped(self) -> Pair {
        Pair {
            one: self.other,
            other: self.one,
            step: (-self.step.0, -self.step.1),
        }
    }

    /// Returns what becomes of the pair if it is the other player's, and steps turn so.
    fn turned(self, turn: impl Fn((i32, i32)) -> (i32, i32), changes_owner: bool) -> Pair {
        let owned = |member: Member| Member {
            is_first: member.is_first != changes_owner,
            ..member
        };
        Pair {
            one: owned(self.one),
            other: owned(self.other),
            step: turn(self.step),
        }
    }
}

/// Which pairs are alike.
#[derive(Clone, Debug)]
pub struct PairClasses {
    n_kinds: usize,
    /// By [`PairClasses::index`], the class, and whether the pair is worth the opposite of it.
    of: Vec<Option<(u32, bool)>>,
    n_classes: usize,
    /// By cell, the cells close to it, each with the place in tables that it has as the first player sees them.
    near: Vec<Vec<(CellId, u8)>>,
}

impl PairClasses {
    /// Finds the pairs of a game whose players see the board so; none where there are too many kinds.
    pub fn find(rules: &Rules, layout: &Layout) -> Option<PairClasses> {
        let n_kinds = rules.model.kinds.len();
        if n_kinds > MOST_KINDS {
            return None;
        }
        let mut classes = PairClasses {
            n_kinds,
            of: vec![None; N_OFFSETS * 4 * n_kinds * n_kinds],
            n_classes: 0,
            near: near(layout),
        };
        let mut is_known = vec![false; classes.of.len()];
        let members = || (0..n_kinds).flat_map(|kind| [true, false].map(|is_first| Member { kind, is_first }));
        for offset in (0..N_OFFSETS).filter(|&offset| offset != N_OFFSETS / 2) {
            for (one, other) in members().flat_map(|one| members().map(move |other| (one, other))) {
                let step = step_of(offset);
                let pair = Pair { one, other, step };
                if !is_known[classes.index(pair)] {
                    classes.add(pair, layout, &mut is_known);
                }
            }
        }
        Some(classes)
    }

    /// Returns the number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Calls `visit` with the class of each pair of pieces, given what stands on each cell, and 1 or -1: how often it is
    /// worth that to the first player.
    pub fn visit(
        &self,
        rules: &Rules,
        layout: &Layout,
        board: impl Fn(CellId) -> Occupant,
        mut visit: impl FnMut(usize, i32),
    ) {
        for cell in rules.model.board.cell_ids() {
            let Some(one) = member(rules, layout, board(cell)) else {
                continue;
            };
            for &(near, offset) in self.near[cell.index()].iter().filter(|(near, _)| *near > cell) {
                let Some(other) = member(rules, layout, board(near)) else {
                    continue;
                };
                let step = step_of(usize::from(offset));
                if let Some((class, is_opposite)) = self.of[self.index(Pair { one, other, step })] {
                    visit(class as usize, if is_opposite { -1 } else { 1 });
                }
            }
        }
    }

    /// Returns the tables of a game, and for each the classes of its places.
    pub fn tables(&self, model: &GameModel) -> Vec<(PairName, PairPlaces)> {
        let kinds = 0..self.n_kinds;
        let mut tables = Vec::new();
        for (first, second) in kinds
            .clone()
            .flat_map(|first| (first..self.n_kinds).map(move |second| (first, second)))
        {
            for relation in Relation::ALL {
                let one = Member {
                    kind: first,
                    is_first: true,
                };
                let other = Member {
                    kind: second,
                    is_first: relation == Relation::With,
                };
                let class = |offset| {
                    let step = step_of(offset);
                    let of = self.of[self.index(Pair { one, other, step })];
                    of.map(|(class, is_opposite)| (class as usize, is_opposite))
                };
                let name = PairName {
                    first: model.kinds[first].name.clone(),
                    relation,
                    second: model.kinds[second].name.clone(),
                };
                tables.push((name, (0..N_OFFSETS).map(class).collect()));
            }
        }
        tables
    }

    fn index(&self, pair: Pair) -> usize {
        let code = |member: Member| 2 * member.kind + usize::from(member.is_first);
        let offset = (pair.step.1 + REACH) as usize * WIDTH + (pair.step.0 + REACH) as usize;
        (offset * 2 * self.n_kinds + code(pair.one)) * 2 * self.n_kinds + code(pair.other)
    }

    /// Numbers the pairs that are like a pair; those that are worth the opposite of themselves are worth nothing.
    fn add(&mut self, pair: Pair, layout: &Layout, is_known: &mut [bool]) {
        let mut alike = vec![(pair, false)];
        is_known[self.index(pair)] = true;
        let mut is_nothing = false;
        let mut next = 0;
        while let Some(&(pair, is_opposite)) = alike.get(next) {
            next += 1;
            let folds = layout
                .folds()
                .map(|turn| (pair.turned(|step| turn.step(step), false), false));
            let second = pair.turned(|step| layout.swap().step(step), true);
            let more = folds.chain([(pair.swapped(), false), (second, true)]);
            for (like, changes) in more.collect::<Vec<_>>() {
                let is_opposite = is_opposite != changes;
                let index = self.index(like);
                if !std::mem::replace(&mut is_known[index], true) {
                    alike.push((like, is_opposite));
                } else {
                    is_nothing |= alike.contains(&(like, !is_opposite));
                }
            }
        }
        if is_nothing {
            return;
        }
        for (pair, is_opposite) in alike {
            let index = self.index(pair);
            self.of[index] = Some((self.n_classes as u32, is_opposite));
        }
        self.n_classes += 1;
    }
}

/// What pairs are worth to the first player, ready to be added up.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    n_occupants: usize,
    /// By piece, place in tables and other piece: the worth, and what comes to it late. Empty if pairs are worth nothing.
    worths: Vec<(i32, i32)>,
    /// By cell, where its part of `near` ends; it begins where that of the cell before ends.
    ends: Vec<u32>,
    /// The cells close to each cell, each with the number of occupants times its place in tables.
    near: Vec<(CellId, u32)>,
}

impl Pairs {
    /// Makes them of what play has found.
    pub fn new(rules: &Rules, layout: &Layout, weights: &Weights) -> Pairs {
        let is_told = weights.subjects().any(|subject| matches!(subject, Subject::Pair(_)));
        let Some(classes) = is_told.then(|| PairClasses::find(rules, layout)).flatten() else {
            return Pairs::default();
        };
        let mut of_classes = vec![(0, 0); classes.n_classes];
        for (name, places) in classes.tables(&rules.model) {
            let subject = Subject::Pair(name);
            for stage in Stage::ALL {
                let Some(table) = weights.table(&subject, stage) else {
                    continue;
                };
                for (offset, class) in places.iter().enumerate() {
                    let Some((class, is_opposite)) = *class else { continue };
                    let value = table.get(pair_spot(offset));
                    let value = if is_opposite { -value } else { value };
                    match stage {
                        Stage::Always => of_classes[class].0 = value,
                        Stage::Late => of_classes[class].1 = value,
                    }
                }
            }
        }
        let n_occupants = rules.occupants.len();
        let mut worths = vec![(0, 0); n_occupants * N_OFFSETS * n_occupants];
        let members = || {
            let pieces = rules.occupants.pieces();
            pieces.filter_map(|piece| Some((piece, member(rules, layout, piece)?)))
        };
        for (first, one) in members() {
            for (second, other) in members() {
                for offset in 0..N_OFFSETS {
                    let step = step_of(offset);
                    let of = classes.of[classes.index(Pair { one, other, step })];
                    if let Some((class, is_opposite)) = of {
                        let (always, late) = of_classes[class as usize];
                        let index = (first.index() * N_OFFSETS + offset) * n_occupants + second.index();
                        let sign = if is_opposite { -1 } else { 1 };
                        worths[index] = (sign * always, sign * late);
                    }
                }
            }
        }
        let mut pairs = Pairs {
            n_occupants,
            worths,
            ..Pairs::default()
        };
        for close in classes.near {
            let close = close.into_iter();
            (pairs.near).extend(close.map(|(cell, offset)| (cell, u32::from(offset) * n_occupants as u32)));
            pairs.ends.push(pairs.near.len() as u32);
        }
        pairs
    }

    /// Tells whether no pair is worth anything.
    pub fn is_empty(&self) -> bool {
        self.worths.is_empty()
    }

    /// Returns by how much the worth of all pairs changes, and what comes to it late, if on a cell of `board` one piece, or
    /// none, is replaced by another.
    #[inline]
    pub fn change(&self, board: &[Occupant], cell: CellId, (old, new): (Occupant, Occupant)) -> (i64, i64) {
        if self.worths.is_empty() {
            return (0, 0);
        }
        let (before, after) = (self.worth(board, cell, old), self.worth(board, cell, new));
        (i64::from(after.0 - before.0), i64::from(after.1 - before.1))
    }

    /// Returns what a piece on a cell is worth by the pieces close to it, and what comes to that late.
    #[inline]
    fn worth(&self, board: &[Occupant], cell: CellId, piece: Occupant) -> (i32, i32) {
        if piece.is_none() {
            return (0, 0);
        }
        let row = &self.worths[piece.index() * N_OFFSETS * self.n_occupants..][..N_OFFSETS * self.n_occupants];
        let start = cell.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        let close = &self.near[start as usize..self.ends[cell.index()] as usize];
        // What nobody stands on is worth nothing.
        close.iter().fold((0, 0), |(always, late), &(near, place)| {
            let worth = row[place as usize + board[near.index()].index()];
            (always + worth.0, late + worth.1)
        })
    }
}

/// Makes a table of the values of its places, in the order of [`PairClasses::tables`].
pub fn pair_table(values: impl Iterator<Item = Option<i32>>) -> Table {
    let values: Vec<Option<i32>> = values.collect();
    Table::of_rows(values.chunks(WIDTH))
}

/// Returns the column and the row of a place of a table, numbered row by row.
pub fn pair_spot(offset: usize) -> (usize, usize) {
    (offset % WIDTH, offset / WIDTH)
}

/// Returns the step to a place of a table from its middle.
fn step_of(offset: usize) -> (i32, i32) {
    ((offset % WIDTH) as i32 - REACH, (offset / WIDTH) as i32 - REACH)
}

/// Returns what a piece is in a pair, if it is one of the two players'.
fn member(rules: &Rules, layout: &Layout, piece: Occupant) -> Option<Member> {
    if piece.is_none() {
        return None;
    }
    let kind: PieceKindId = rules.kind(piece);
    Some(Member {
        kind: kind.index(),
        is_first: layout.is_first(rules.owner(piece))?,
    })
}

/// Returns by cell the cells close to it, each with its place in tables as the first player sees them.
pub(super) fn near(layout: &Layout) -> Vec<Vec<(CellId, u8)>> {
    let spots = layout.spots();
    let find = |(column, row): (usize, usize)| {
        let is_near =
            |(column, row): (i32, i32)| column.abs() <= REACH && row.abs() <= REACH && (column, row) != (0, 0);
        let close = spots.iter().enumerate().filter_map(move |(index, spot)| {
            let step = spot.map(|(x, y)| (x as i32 - column as i32, y as i32 - row as i32))?;
            let offset = (step.1 + REACH) * WIDTH as i32 + step.0 + REACH;
            is_near(step).then_some((CellId::new(index)?, offset as u8))
        });
        close.collect()
    };
    spots.iter().map(|spot| spot.map(find).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    fn classes(name: &str) -> (GameModel, PairClasses) {
        let rules = builtin::rules(name);
        let layout = Layout::find(&rules).unwrap();
        let classes = PairClasses::find(&rules, &layout).unwrap();
        (rules.model, classes)
    }

    /// Returns the class of two pieces, the second of which is so far from the first, and whether they are the first
    /// player's.
    fn class(
        (model, classes): &(GameModel, PairClasses),
        [one, other]: [(&str, bool); 2],
        step: (i32, i32),
    ) -> Option<(u32, bool)> {
        let member = |(name, is_first): (&str, bool)| {
            let kind = model.kinds.iter().position(|kind| kind.name == name).unwrap();
            Member { kind, is_first }
        };
        let (one, other) = (member(one), member(other));
        classes.of[classes.index(Pair { one, other, step })]
    }

    #[test]
    fn pairs_that_the_rules_do_not_tell_apart_are_alike() {
        let chess = classes("chess");
        let white = |name| (name, true);
        let black = |name| (name, false);
        let guarded = class(&chess, [white("Pawn"), white("Knight")], (1, -1));
        assert!(guarded.is_some());
        // From the other piece, and mirrored.
        assert_eq!(class(&chess, [white("Knight"), white("Pawn")], (-1, 1)), guarded);
        assert_eq!(class(&chess, [white("Pawn"), white("Knight")], (-1, -1)), guarded);
        // A pawn does not guard what is behind it.
        assert_ne!(
            class(&chess, [white("Pawn"), white("Knight")], (1, 1)).map(|of| of.0),
            guarded.map(|of| of.0)
        );
        // To the second player it is worth what it costs the first.
        let opposite = guarded.map(|(class, is_opposite)| (class, !is_opposite));
        assert_eq!(class(&chess, [black("Pawn"), black("Knight")], (1, 1)), opposite);
        // What is the same to both is worth nothing.
        assert_eq!(class(&chess, [white("Pawn"), black("Pawn")], (0, -1)), None);
        assert!(class(&chess, [white("Pawn"), black("Knight")], (1, -1)).is_some());
        // Hex can be turned half way, but not mirrored: that would part neighbours.
        let hex = classes("hex");
        let bridge = class(&hex, [white("Stone"), white("Stone")], (2, -1));
        assert!(bridge.is_some());
        assert_eq!(class(&hex, [white("Stone"), white("Stone")], (-2, 1)), bridge);
        assert_ne!(class(&hex, [white("Stone"), white("Stone")], (2, 1)), bridge);
        // The long diagonal changes the owner.
        let opposite = bridge.map(|(class, is_opposite)| (class, !is_opposite));
        assert_eq!(class(&hex, [black("Stone"), black("Stone")], (-1, 2)), opposite);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for (first, relation, second) in [("Pawn", Relation::With, "Big Troll"), ("A", Relation::Against, "B")] {
            let name = PairName {
                first: first.to_owned(),
                relation,
                second: second.to_owned(),
            };
            assert_eq!(PairName::read(&name.to_string()), Some(name));
        }
        assert_eq!(PairName::read("Pawn Knight"), None);
    }
}
