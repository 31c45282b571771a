//! Joins operations that often follow each other, so that the interpreter does in one step what takes two or more.
//!
//! Addresses stay: a joined operation stands where its first part stood, and what it skips stays behind it for those who
//! jump there.

use rustc_hash::FxHashMap;

use super::op::{Address, Ask, At, ClassMask, ClassQuestion, Op};
use crate::model::{AttributeId, CellId, DirectionId, PieceKindId, PositionFlagId, ZoneId};

/// Kinds of pieces that are asked about one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KindSet {
    /// By kind whether it belongs to the set; kinds past the end do not.
    pub contains: Vec<bool>,
    /// The number of operations that are joined.
    pub n_joined: usize,
}

impl KindSet {
    /// Tells whether a piece of a kind, if there is one, belongs to the set.
    #[inline(always)]
    pub fn has(&self, kind: Option<PieceKindId>) -> bool {
        kind.is_some_and(|kind| self.contains.get(kind.index()) == Some(&true))
    }
}

/// A loop that walks along the board until a test of a place says otherwise, or to the edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// The direction of each step.
    pub direction: DirectionId,
    /// Whether it steps before it tests, so that the start is not looked at.
    pub steps_first: bool,
    /// What is asked about each place.
    pub test: WalkTest,
    /// The answer on which the walk goes on.
    pub goes_on: bool,
    /// Where the run goes on when the test says otherwise.
    pub then: Address,
    /// Where it goes on at the edge; without that it ends there.
    pub edge: Option<Address>,
    /// The operation that counts the rounds.
    pub counter: Address,
}

/// What a walk asks about each place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WalkTest {
    /// Whether the class of the occupant is one of these.
    Class(ClassMask),
    /// Whether the occupant is of the kind.
    Kind(PieceKindId),
    /// Whether the kind of the occupant is in a set: see [`Joined::kind_sets`].
    Kinds(u16),
    /// Whether the attribute of the piece there is other than 0.
    Attribute(AttributeId),
    /// Whether the flag of the place is up.
    PositionFlag(PositionFlagId),
    /// Whether it is the cell.
    Cell(CellId),
    /// Whether it is in the zone of the mover.
    Zone(ZoneId),
}

/// Operations with those that follow each other joined, and the sets of kinds that they ask about.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    /// As many as there are plain operations.
    pub ops: Vec<Op>,
    /// What `if-kinds` asks about.
    pub kind_sets: Vec<KindSet>,
    /// What `walk` does.
    pub walks: Vec<Walk>,
}

impl Joined {
    /// Joins operations.
    pub fn new(plain: &[Op]) -> Joined {
        let mut joiner = Joiner {
            plain,
            joined: Joined {
                ops: plain.to_vec(),
                ..Joined::default()
            },
            known_sets: FxHashMap::default(),
        };
        let mut address = 0;
        while address < plain.len() {
            let (joined, n_joined) = joiner.at(address);
            joiner.joined.ops[address] = joined;
            address += n_joined;
        }
        joiner.joined
    }
}

struct Joiner<'a> {
    plain: &'a [Op],
    joined: Joined,
    /// By set its number.
    known_sets: FxHashMap<KindSet, u16>,
}

/// A test of the current place: what is asked, on which answer it jumps, where, and how many operations it takes.
struct Test {
    what: WalkTest,
    wanted: bool,
    target: Address,
    length: usize,
}

impl Joiner<'_> {
    /// Returns the operation for an address, and how many of those there are not to be joined with others.
    fn at(&mut self, address: usize) -> (Op, usize) {
        if let Ok(number) = u16::try_from(self.joined.walks.len())
            && let Some(walk) = self.walk(address)
        {
            self.joined.walks.push(walk);
            return (Op::Walk { walk: number }, 1);
        }
        let (set, ask, target) = kinds_in_row(&self.plain[address..], address);
        let n_joined = set.n_joined;
        if n_joined > 1
            && let Some(set) = self.set(set)
        {
            return (Op::IfKinds { ask, set, target }, n_joined);
        }
        match self.plain[address..] {
            [first, second, ..] => (pair(first, second).unwrap_or(first), 1),
            _ => (self.plain[address], 1),
        }
    }

    /// Returns the number of a set of kinds, if there is room for it.
    fn set(&mut self, set: KindSet) -> Option<u16> {
        let next = u16::try_from(self.joined.kind_sets.len()).ok()?;
        let number = *self.known_sets.entry(set.clone()).or_insert(next);
        if number == next {
            self.joined.kind_sets.push(set);
        }
        Some(number)
    }

    /// Recognizes a loop that walks along the board: `(while (on-board? next) (if friend? …) next)`,
    /// `(while (on-board? next) next (if friend? …))`, `(while (and (on-board? n) (empty? )) n)` or `(while empty? n)`.
    fn walk(&mut self, head: usize) -> Option<Walk> {
        let plain = self.plain;
        let is_loop =
            |address: usize| matches!(plain.get(address), Some(Op::Loop { target }) if *target as usize == head);
        let step_at = |address: usize| match plain.get(address) {
            Some(Op::Step { direction }) => Some(*direction),
            _ => None,
        };
        let (direction, edge, steps_first, first) = match plain[head..] {
            [
                Op::LookDirection { direction },
                Op::IfOnBoard {
                    ask: Ask::NotLook,
                    target,
                },
                ref behind @ ..,
            ] => {
                let steps_first = behind.first() == Some(&Op::Step { direction });
                (
                    Some(direction),
                    Some(target),
                    steps_first,
                    head + 2 + usize::from(steps_first),
                )
            }
            _ => (None, None, false, head),
        };
        let test = self.test(first)?;
        let behind = first + test.length;
        // Where the way back begins, if it begins there, and its direction.
        let way_back = |address: usize| {
            if steps_first {
                return is_loop(address).then_some((address, direction?));
            }
            let along = step_at(address).filter(|along| direction.is_none_or(|direction| direction == *along))?;
            is_loop(address + 1).then_some((address + 1, along))
        };
        let jumps_back = way_back(test.target as usize).filter(|_| direction.is_some());
        let (goes_on, then, (counter, direction)) = match (jumps_back, way_back(behind)) {
            (Some(back), _) => (test.wanted, behind as Address, back),
            (None, Some(back)) => (!test.wanted, test.target, back),
            (None, None) => return None,
        };
        Some(Walk {
            direction,
            steps_first,
            test: test.what,
            goes_on,
            then,
            edge,
            counter: counter as Address,
        })
    }

    /// Reads a test of the current place.
    fn test(&mut self, address: usize) -> Option<Test> {
        let (set, ask, target) = kinds_in_row(&self.plain[address..], address);
        if set.n_joined > 1 {
            let length = set.n_joined;
            return Some(Test {
                what: WalkTest::Kinds(self.set(set)?),
                wanted: ask.wanted(),
                target,
                length,
            });
        }
        let (what, ask, target) = match *self.plain.get(address)? {
            Op::IfClass { ask, mask, target } => (WalkTest::Class(mask), ask, target),
            Op::IfKind { ask, kind, target } => (WalkTest::Kind(kind), ask, target),
            Op::IfAttribute { ask, attribute, target } => (WalkTest::Attribute(attribute), ask, target),
            Op::IfPositionFlag { ask, flag, target } => (WalkTest::PositionFlag(flag), ask, target),
            Op::IfCell { ask, cell, target } => (WalkTest::Cell(cell), ask, target),
            Op::IfZone { ask, zone, target } => (WalkTest::Zone(zone), ask, target),
            _ => return None,
        };
        (ask.at() == At::Here).then_some(Test {
            what,
            wanted: ask.wanted(),
            target,
            length: 1,
        })
    }
}

/// Returns the kinds that are asked about at the start of some code, one after the other about the current place, with the
/// same consequence; on which answer it jumps, and where. The last of them may ask the other way round, if it then goes
/// on where the others jump: so an `or` is compiled.
fn kinds_in_row(ops: &[Op], start: usize) -> (KindSet, Ask, Address) {
    let mut set = KindSet::default();
    let mut common: Option<Address> = None;
    for op in ops {
        let Op::IfKind { ask, kind, target } = *op else { break };
        let is_last = ask == Ask::NotHere && common == Some((start + set.n_joined + 1) as Address);
        if !is_last && (ask != Ask::Here || common.is_some_and(|common| common != target)) {
            break;
        }
        let size = set.contains.len().max(kind.index() + 1);
        set.contains.resize(size, false);
        set.contains[kind.index()] = true;
        set.n_joined += 1;
        if is_last {
            return (set, ask, target);
        }
        common = Some(target);
    }
    (set, Ask::Here, common.unwrap_or(0))
}

/// Returns one operation that does what two in a row do, if there is one.
fn pair(first: Op, second: Op) -> Option<Op> {
    let is_about = |ask: Ask, at: At| ask.at() == at;
    Some(match (first, second) {
        (Op::LookDirection { direction }, Op::IfOnBoard { ask, target }) if is_about(ask, At::Look) => {
            Op::LookIfOnBoard {
                direction,
                wanted: ask.wanted(),
                target,
            }
        }
        (Op::LookDirection { direction }, Op::IfClass { ask, mask, target }) if is_about(ask, At::Look) => {
            Op::LookIfClass {
                question: ClassQuestion::new(mask, ask.wanted()),
                direction,
                target,
            }
        }
        (Op::LookDirection { direction }, Op::IfKind { ask, .. }) if is_about(ask, At::Look) => {
            Op::LookIfKind { direction }
        }
        (Op::LookCell { cell }, Op::IfClass { ask, mask, target }) if is_about(ask, At::Look) => Op::LookCellIfClass {
            question: ClassQuestion::new(mask, ask.wanted()),
            cell,
            target,
        },
        (Op::Step { direction }, Op::IfClass { ask, mask, target }) if is_about(ask, At::Here) => Op::StepIfClass {
            question: ClassQuestion::new(mask, ask.wanted()),
            direction,
            target,
        },
        (Op::Step { direction }, Op::IfKind { ask, .. }) if is_about(ask, At::Here) => Op::StepIfKind { direction },
        (Op::Step { direction }, Op::Loop { target }) => Op::StepLoop { direction, target },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORTH: DirectionId = DirectionId(0);

    fn if_kind(kind: u16, ask: Ask, target: Address) -> Op {
        Op::IfKind {
            ask,
            kind: PieceKindId(kind),
            target,
        }
    }

    #[test]
    fn what_is_joined_stands_where_its_first_part_stood() {
        let look = Op::LookDirection { direction: NORTH };
        let step = Op::Step { direction: NORTH };
        let if_class = |ask| Op::IfClass {
            ask,
            mask: ClassMask::ENEMY,
            target: 7,
        };
        let plain = [
            look,
            if_class(Ask::NotLook),
            step,
            if_class(Ask::Here),
            // What is asked about the current place has nothing to do with the look before.
            look,
            if_class(Ask::Here),
            step,
            Op::Loop { target: 0 },
            Op::End,
        ];
        let joined = Joined::new(&plain);
        let question = |wanted| ClassQuestion::new(ClassMask::ENEMY, wanted);
        let expected = [
            Op::LookIfClass {
                question: question(false),
                direction: NORTH,
                target: 7,
            },
            plain[1],
            Op::StepIfClass {
                question: question(true),
                direction: NORTH,
                target: 7,
            },
            plain[3],
            look,
            plain[5],
            Op::StepLoop {
                direction: NORTH,
                target: 0,
            },
            plain[7],
            Op::End,
        ];
        assert_eq!(joined.ops, expected);
    }

    #[test]
    fn kinds_with_the_same_consequence_are_a_set() {
        let plain = [
            if_kind(4, Ask::Here, 9),
            if_kind(1, Ask::Here, 9),
            if_kind(2, Ask::Here, 8),
            if_kind(3, Ask::NotHere, 8),
            Op::End,
        ];
        let joined = Joined::new(&plain);
        assert_eq!(
            joined.ops[0],
            Op::IfKinds {
                ask: Ask::Here,
                set: 0,
                target: 9
            }
        );
        assert_eq!(joined.ops[1..], plain[1..]);
        let [set] = &joined.kind_sets[..] else {
            panic!("one set")
        };
        assert_eq!(set.n_joined, 2);
        assert_eq!(set.contains, [false, true, false, false, true]);
    }

    /// Code that looks along a direction, to the edge at address 8.
    fn walking(rest: &[Op]) -> Vec<Op> {
        let head = [
            Op::LookDirection { direction: NORTH },
            Op::IfOnBoard {
                ask: Ask::NotLook,
                target: 8,
            },
        ];
        let mut ops = [&head, rest].concat();
        ops.resize(9, Op::End);
        ops
    }

    #[test]
    fn what_looks_for_pieces_along_the_board_is_one_operation() {
        let step = Op::Step { direction: NORTH };
        let back = Op::Loop { target: 0 };
        let kinds = [if_kind(4, Ask::Here, 4), if_kind(1, Ask::NotHere, 6)];
        let plain = walking(&[kinds[0], kinds[1], Op::SetFrom, Op::SetTo, step, back]);
        let joined = Joined::new(&plain);
        assert_eq!(joined.ops[0], Op::Walk { walk: 0 });
        let expected = Walk {
            direction: NORTH,
            steps_first: false,
            test: WalkTest::Kinds(0),
            goes_on: false,
            then: 4,
            edge: Some(8),
            counter: 7,
        };
        assert_eq!(joined.walks, [expected]);
        assert_eq!(joined.ops[1], plain[1]);
        assert!(matches!(
            joined.ops[2],
            Op::IfKinds {
                ask: Ask::NotHere,
                set: 0,
                target: 6
            }
        ));

        // The test comes after the step, and jumps back at once.
        let plain = walking(&[step, if_kind(4, Ask::NotHere, 5), Op::SetFrom, back]);
        let expected = Walk {
            steps_first: true,
            test: WalkTest::Kind(PieceKindId(4)),
            goes_on: false,
            then: 4,
            counter: 5,
            ..expected
        };
        assert_eq!(Joined::new(&plain).walks, [expected]);

        // The test ends the loop.
        let plain = walking(&[if_kind(4, Ask::Here, 6), step, back]);
        let expected = Walk {
            steps_first: false,
            then: 6,
            counter: 4,
            ..expected
        };
        assert_eq!(Joined::new(&plain).walks, [expected]);

        // Nothing is asked about the edge.
        let plain = [if_kind(4, Ask::NotHere, 3), step, back, Op::End];
        let expected = Walk {
            goes_on: true,
            then: 3,
            edge: None,
            counter: 2,
            ..expected
        };
        assert_eq!(Joined::new(&plain).walks, [expected]);

        // Another way back is no walk.
        let aside = Op::Step {
            direction: DirectionId(1),
        };
        let plain = walking(&[if_kind(4, Ask::Here, 6), aside, back]);
        assert_eq!(Joined::new(&plain).walks, []);
    }
}
