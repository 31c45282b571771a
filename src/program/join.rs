//! Joins operations that often follow each other, so that the interpreter does in one step what takes two or more.
//!
//! Addresses stay: a joined operation stands where its first part stood, and what it skips stays behind it for those who
//! jump there.

use rustc_hash::FxHashMap;

use super::op::{Address, Ask, At, ClassQuestion, Op};
use crate::model::PieceKindId;

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

/// Operations with those that follow each other joined, and the sets of kinds that they ask about.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    /// As many as there are plain operations.
    pub ops: Vec<Op>,
    /// What `if-kinds` asks about.
    pub kind_sets: Vec<KindSet>,
}

impl Joined {
    /// Joins operations.
    pub fn new(plain: &[Op]) -> Joined {
        let mut ops = plain.to_vec();
        let (mut kind_sets, mut known) = (Vec::new(), FxHashMap::default());
        let mut address = 0;
        while address < plain.len() {
            let (set, ask, target) = kinds_in_row(&plain[address..], address);
            if set.n_joined > 1 {
                let next = kind_sets.len();
                let number = *known.entry(set.clone()).or_insert(next);
                if let Ok(number) = u16::try_from(number) {
                    let n_joined = set.n_joined;
                    if usize::from(number) == next {
                        kind_sets.push(set);
                    }
                    ops[address] = Op::IfKinds {
                        ask,
                        set: number,
                        target,
                    };
                    address += n_joined;
                    continue;
                }
            }
            if let [first, second, ..] = plain[address..] {
                ops[address] = pair(first, second).unwrap_or(first);
            }
            address += 1;
        }
        // What a search along the board asks about may be joined itself.
        for address in 0..plain.len() {
            if let Op::LookIfOnBoard { direction, target, .. } = ops[address]
                && seeks(plain, &ops, address)
            {
                ops[address] = Op::Seek { direction, target };
            }
        }
        Joined { ops, kind_sets }
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

/// Tells whether a loop begins there that walks on along the direction it looks along, to the edge, as long as a test of
/// the current place fails, or holds: `(while (on-board? next) (if friend? …) next)`.
fn seeks(plain: &[Op], ops: &[Op], head: usize) -> bool {
    let [
        Op::LookDirection { direction },
        Op::IfOnBoard { ask: Ask::NotLook, .. },
        ..,
    ] = plain[head..]
    else {
        return false;
    };
    let step =
        match ops.get(head + 2) {
            Some(
                &(Op::IfClass { ask, target, .. } | Op::IfKind { ask, target, .. } | Op::IfKinds { ask, target, .. }),
            ) if ask.at() == At::Here => target as usize,
            _ => return false,
        };
    let is_step = plain.get(step) == Some(&Op::Step { direction });
    is_step && matches!(plain.get(step + 1), Some(Op::Loop { target }) if *target as usize == head)
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
    use crate::model::DirectionId;
    use crate::program::ClassMask;

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

    #[test]
    fn what_looks_for_pieces_along_the_board_is_one_operation() {
        let step = Op::Step { direction: NORTH };
        let plain = [
            Op::LookDirection { direction: NORTH },
            Op::IfOnBoard {
                ask: Ask::NotLook,
                target: 8,
            },
            if_kind(4, Ask::Here, 4),
            if_kind(1, Ask::NotHere, 6),
            Op::SetFrom,
            Op::SetTo,
            step,
            Op::Loop { target: 0 },
            Op::End,
        ];
        let joined = Joined::new(&plain);
        assert_eq!(
            joined.ops[0],
            Op::Seek {
                direction: NORTH,
                target: 8
            }
        );
        assert_eq!(
            joined.ops[2],
            Op::IfKinds {
                ask: Ask::NotHere,
                set: 0,
                target: 6
            }
        );
        // Another way back, and nothing is sought.
        let mut other = plain;
        other[6] = Op::Step {
            direction: DirectionId(1),
        };
        assert!(!Joined::new(&other).ops.iter().any(|op| matches!(op, Op::Seek { .. })));
    }
}
