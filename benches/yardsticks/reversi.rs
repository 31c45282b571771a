//! Reversi by `magpie`: to the position in which neither player can move.

use magpie::othello::{Board, Position, Stone};

use super::Random;

/// Plays random games; returns their plies, passes included.
pub fn playouts(games: u64, random: &mut Random) -> u64 {
    let mut plies = 0;
    for _ in 0..games {
        let (mut board, mut mover) = (Board::standard(), Stone::Black);
        let mut has_passed = false;
        loop {
            let moves = board.moves_for(mover);
            let n_moves = usize::from(moves.count_set());
            if n_moves == 0 {
                if has_passed {
                    break;
                }
                has_passed = true;
            } else {
                has_passed = false;
                // As a library of bitboards is used by hand: take off the lowest bit as often as drawn.
                let mut bits = moves.raw();
                for _ in 0..random.below(n_moves) {
                    bits &= bits - 1;
                }
                let lowest = bits & bits.wrapping_neg();
                board.play(mover, Position::try_from(lowest).expect("one bit is a position"));
            }
            mover = mover.flip();
            plies += 1;
        }
    }
    plies
}

pub fn perft(depth: u32) -> u64 {
    fn count(board: &Board, mover: Stone, depth: u32, has_passed: bool) -> u64 {
        let moves = board.moves_for(mover);
        if depth == 0 {
            return 1;
        }
        if moves.is_empty() {
            return if has_passed {
                1
            } else {
                count(board, mover.flip(), depth - 1, true)
            };
        }
        let children = moves.hot_bits().map(|position| {
            let mut next = board.clone();
            next.play(mover, position);
            count(&next, mover.flip(), depth - 1, false)
        });
        children.sum()
    }
    count(&Board::standard(), Stone::Black, depth, false)
}
