//! Hand-written generators that the rules of the same games are measured against.
//!
//! Chess and reversi come from published libraries; breakthrough, connect four and draughts are bitboards written for
//! this purpose alone. Each plays flat random games: list all legal moves, pick one, make it, to the end.

pub mod breakthrough;
pub mod chess;
pub mod connect_four;
pub mod draughts;
pub mod reversi;

/// The ply at which games are cut on both sides of a comparison.
pub const MAX_PLIES: usize = 300;

/// A small fast random generator (Weyl sequence through a 128-bit product).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    #[inline(always)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// Draws a number below `n`.
    #[inline(always)]
    pub fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }
}
