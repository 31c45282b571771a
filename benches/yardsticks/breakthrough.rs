//! Breakthrough on bitboards; a1 is bit 0, white goes up.

use super::Random;

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

#[derive(Clone, Copy)]
struct Board {
    own: u64,
    other: u64,
    /// Whether white is to move.
    up: bool,
}

/// From in the low byte, to in the high one.
type Move = u16;

impl Board {
    fn start() -> Board {
        Board {
            own: 0xffff,
            other: 0xffff << 48,
            up: true,
        }
    }

    #[inline(always)]
    fn list(&self, list: &mut [Move; 64]) -> usize {
        let mut n = 0;
        let mut add = |mut targets: u64, offset: i32| {
            while targets != 0 {
                let to = targets.trailing_zeros();
                list[n & 63] = ((to << 8) | (to as i32 - offset) as u32) as Move;
                n += 1;
                targets &= targets - 1;
            }
        };
        let empty = !(self.own | self.other);
        if self.up {
            add(((self.own & NOT_A) << 7) & !self.own, 7);
            add((self.own << 8) & empty, 8);
            add(((self.own & NOT_H) << 9) & !self.own, 9);
        } else {
            add(((self.own & NOT_H) >> 7) & !self.own, -7);
            add((self.own >> 8) & empty, -8);
            add(((self.own & NOT_A) >> 9) & !self.own, -9);
        }
        n
    }

    #[inline(always)]
    fn make(&self, made: Move) -> Board {
        let to = 1u64 << (made >> 8);
        Board {
            own: self.other & !to,
            other: self.own ^ (1 << (made & 0xff)) ^ to,
            up: !self.up,
        }
    }

    /// Tells whether the player who has just moved has won.
    #[inline(always)]
    fn is_won(&self) -> bool {
        let far = if self.up { 0xff } else { 0xff << 56 };
        self.other & far != 0 || self.own == 0
    }
}

/// Plays random games; returns their plies.
pub fn playouts(games: u64, random: &mut Random) -> u64 {
    let mut plies = 0;
    let mut list = [0; 64];
    for _ in 0..games {
        let mut board = Board::start();
        loop {
            let n = board.list(&mut list);
            board = board.make(list[random.below(n)]);
            plies += 1;
            if board.is_won() {
                break;
            }
        }
    }
    plies
}

pub fn perft(depth: u32) -> u64 {
    fn count(board: &Board, depth: u32) -> u64 {
        if board.is_won() {
            return 0;
        }
        let mut list = [0; 64];
        let n = board.list(&mut list);
        if depth == 1 {
            return n as u64;
        }
        list[..n].iter().map(|&made| count(&board.make(made), depth - 1)).sum()
    }
    count(&Board::start(), depth)
}
