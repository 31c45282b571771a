//! Chess by `cozy-chess`: to mate, stalemate or the last ply.

use cozy_chess::{Board, PieceMoves};

use super::{MAX_PLIES, Random};

/// Plays random games; returns their plies. The library lists moves in groups, one per piece and kind of move.
pub fn playouts(games: u64, random: &mut Random) -> u64 {
    let mut plies = 0;
    let mut groups: Vec<PieceMoves> = Vec::with_capacity(32);
    for _ in 0..games {
        let mut board = Board::startpos();
        for _ in 0..MAX_PLIES {
            groups.clear();
            let mut n_moves = 0;
            board.generate_moves(|group| {
                n_moves += group.len();
                groups.push(group);
                false
            });
            if n_moves == 0 {
                break;
            }
            let mut index = random.below(n_moves);
            let group = groups.iter().find(|group| match index.checked_sub(group.len()) {
                Some(rest) => {
                    index = rest;
                    false
                }
                None => true,
            });
            let made = group
                .and_then(|group| group.into_iter().nth(index))
                .expect("a move of the list");
            board.play_unchecked(made);
            plies += 1;
        }
    }
    plies
}

pub fn perft(depth: u32) -> u64 {
    fn count(board: &Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|group| {
            if depth == 1 {
                leaves += group.len() as u64;
                return false;
            }
            for made in group {
                let mut next = board.clone();
                next.play_unchecked(made);
                leaves += count(&next, depth - 1);
            }
            false
        });
        leaves
    }
    count(&Board::startpos(), depth)
}
