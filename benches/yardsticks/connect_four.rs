//! Connect four on bitboards of seven bits a column, the topmost always empty.

use super::Random;

const BOTTOM: u64 = 1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42;
const CELLS: u64 = BOTTOM * 63;

/// For each set of columns the columns in it.
const COLUMNS: [[u8; 8]; 128] = {
    let mut table = [[0; 8]; 128];
    let mut set = 0;
    while set < 128 {
        let (mut column, mut n) = (0, 0);
        while column < 7 {
            if set >> column & 1 != 0 {
                table[set][n] = column;
                n += 1;
            }
            column += 1;
        }
        table[set][7] = n as u8;
        set += 1;
    }
    table
};

#[inline(always)]
fn has_four(discs: u64) -> bool {
    let line = |step: u32| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step)
    };
    line(1) | line(6) | line(7) | line(8) != 0
}

/// Plays random games; returns their plies.
pub fn playouts(games: u64, random: &mut Random) -> u64 {
    let mut plies = 0;
    for _ in 0..games {
        let (mut own, mut all, mut open) = (0u64, 0u64, 127usize);
        loop {
            let columns = &COLUMNS[open & 127];
            if columns[7] == 0 {
                break;
            }
            let column = columns[random.below(usize::from(columns[7])) & 7] & 7;
            let disc = (all + (1 << (7 * column))) & (63 << (7 * column));
            all |= disc;
            open ^= usize::from(disc & (CELLS & !(CELLS >> 1)) != 0) << column;
            plies += 1;
            if has_four(own | disc) {
                break;
            }
            own = all ^ (own | disc);
        }
    }
    plies
}

pub fn perft(depth: u32) -> u64 {
    fn count(own: u64, all: u64, depth: u32) -> u64 {
        let mut discs = (all + BOTTOM) & CELLS;
        if depth == 1 {
            return u64::from(discs.count_ones());
        }
        let mut leaves = 0;
        while discs != 0 {
            let disc = discs & discs.wrapping_neg();
            discs ^= disc;
            if !has_four(own | disc) {
                leaves += count(all ^ own, all | disc, depth - 1);
            }
        }
        leaves
    }
    count(0, 0, depth)
}
