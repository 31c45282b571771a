//! English draughts on bitboards of 64 squares; a1 is bit 0. A step of a jump is a ply by itself.

use super::{MAX_PLIES, Random};

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const FIRST_ROW: u64 = 0xff;
const LAST_ROW: u64 = 0xff << 56;

#[derive(Clone, Copy)]
struct Board {
    own: u64,
    other: u64,
    kings: u64,
    /// Whether white, who goes up, is to move.
    up: bool,
    /// The piece that must go on jumping, or nothing.
    chain: u64,
}

#[derive(Clone, Copy, Default)]
struct Move {
    from: u8,
    to: u8,
    over: u64,
}

#[inline(always)]
fn shift<const D: usize>(bits: u64) -> u64 {
    match D {
        0 => (bits & NOT_H) << 9,
        1 => (bits & NOT_A) << 7,
        2 => (bits & NOT_H) >> 7,
        _ => (bits & NOT_A) >> 9,
    }
}

const OFFSETS: [i32; 4] = [9, 7, -7, -9];

impl Board {
    fn start() -> Board {
        let dark = 0xaa55_aa55_aa55_aa55u64;
        Board {
            own: dark & LAST_ROW >> 16 | dark & LAST_ROW >> 8 | dark & LAST_ROW,
            other: dark & 0xff_ffff,
            kings: 0,
            up: false,
            chain: 0,
        }
    }

    /// Returns those of the pieces that may go in direction `D`.
    #[inline(always)]
    fn movers<const D: usize>(&self) -> u64 {
        let pieces = if self.chain != 0 { self.chain } else { self.own };
        if (D < 2) == self.up {
            pieces
        } else {
            pieces & self.kings
        }
    }

    #[inline(always)]
    fn jumps<const D: usize>(&self) -> u64 {
        shift::<D>(shift::<D>(self.movers::<D>()) & self.other) & !(self.own | self.other)
    }

    #[inline(always)]
    fn list(&self, list: &mut [Move; 64]) -> usize {
        let mut n = 0;
        let mut add = |mut targets: u64, offset: i32, is_jump: bool| {
            while targets != 0 {
                let to = targets.trailing_zeros() as i32;
                targets &= targets - 1;
                let length = if is_jump { 2 } else { 1 };
                list[n & 63] = Move {
                    from: (to - length * offset) as u8,
                    to: to as u8,
                    over: if is_jump { 1 << (to - offset) } else { 0 },
                };
                n += 1;
            }
        };
        let jumps = [
            self.jumps::<0>(),
            self.jumps::<1>(),
            self.jumps::<2>(),
            self.jumps::<3>(),
        ];
        if jumps != [0; 4] {
            (0..4).for_each(|d| add(jumps[d], OFFSETS[d], true));
        } else if self.chain == 0 {
            let empty = !(self.own | self.other);
            add(shift::<0>(self.movers::<0>()) & empty, OFFSETS[0], false);
            add(shift::<1>(self.movers::<1>()) & empty, OFFSETS[1], false);
            add(shift::<2>(self.movers::<2>()) & empty, OFFSETS[2], false);
            add(shift::<3>(self.movers::<3>()) & empty, OFFSETS[3], false);
        }
        n
    }

    #[inline(always)]
    fn make(&self, made: Move) -> Board {
        let (from, to) = (1u64 << made.from, 1u64 << made.to);
        let mut next = *self;
        next.own ^= from | to;
        next.other &= !made.over;
        let is_king = self.kings & from != 0;
        next.kings &= !(made.over | from);
        let crowned = !is_king && to & if self.up { LAST_ROW } else { FIRST_ROW } != 0;
        if is_king || crowned {
            next.kings |= to;
        }
        if made.over != 0 && !crowned {
            next.chain = to;
            if next.jumps::<0>() | next.jumps::<1>() | next.jumps::<2>() | next.jumps::<3>() != 0 {
                return next;
            }
        }
        Board {
            own: next.other,
            other: next.own,
            kings: next.kings,
            up: !self.up,
            chain: 0,
        }
    }
}

/// Plays random games; returns their plies.
pub fn playouts(games: u64, random: &mut Random) -> u64 {
    let mut plies = 0;
    let mut list = [Move::default(); 64];
    for _ in 0..games {
        let mut board = Board::start();
        for _ in 0..MAX_PLIES {
            let n = board.list(&mut list);
            if n == 0 {
                break;
            }
            board = board.make(list[random.below(n)]);
            plies += 1;
        }
    }
    plies
}

/// Counts whole turns.
pub fn perft(depth: u32) -> u64 {
    fn count(board: &Board, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut list = [Move::default(); 64];
        let n = board.list(&mut list);
        let play = |&made: &Move| {
            let next = board.make(made);
            count(&next, depth - u32::from(next.chain == 0))
        };
        list[..n].iter().map(play).sum()
    }
    count(&Board::start(), depth)
}
