//! What the search has to know of a game, and nothing else.

use std::fmt::Debug;
use std::ops::Range;

/// The largest number of players that an [`Outcome`] can tell apart.
pub const MAX_PLAYERS: usize = 16;

/// How many aspects a state has.
pub const N_ASPECTS: usize = 4;

/// Tells who decides what happens next in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A player, by index from 0; whether a person or the engine moves for it is not the search's business.
    Player(u8),
    /// Chance: every legal move is equally likely.
    Chance,
}

/// Tells how the game ended for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The player has won, perhaps together with others.
    Win,
    /// The player has lost.
    Loss,
    /// Neither.
    Draw,
}

/// The result of a finished game: one [`Ending`] for each player.
///
/// Players that nothing is said about have drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Outcome {
    winners: u16,
    losers: u16,
}

impl Outcome {
    /// A draw of all players.
    pub const DRAW: Outcome = Outcome { winners: 0, losers: 0 };

    /// Returns the outcome in which `winner` has won and the rest of `players` players have lost.
    pub fn won_by(winner: u8, players: usize) -> Outcome {
        (0..players.min(MAX_PLAYERS) as u8).fold(Outcome::DRAW, |outcome, player| {
            outcome.with(player, if player == winner { Ending::Win } else { Ending::Loss })
        })
    }

    /// Returns the outcome in which `loser` has lost and the rest of `players` players have won.
    pub fn lost_by(loser: u8, players: usize) -> Outcome {
        (0..players.min(MAX_PLAYERS) as u8).fold(Outcome::DRAW, |outcome, player| {
            outcome.with(player, if player == loser { Ending::Loss } else { Ending::Win })
        })
    }

    /// Returns this outcome with the ending of `player` replaced; a player beyond [`MAX_PLAYERS`] changes nothing.
    #[must_use]
    pub fn with(self, player: u8, ending: Ending) -> Outcome {
        let bit = bit(player);
        let cleared = Outcome {
            winners: self.winners & !bit,
            losers: self.losers & !bit,
        };
        match ending {
            Ending::Win => Outcome {
                winners: cleared.winners | bit,
                ..cleared
            },
            Ending::Loss => Outcome {
                losers: cleared.losers | bit,
                ..cleared
            },
            Ending::Draw => cleared,
        }
    }

    /// Returns how the game ended for `player`.
    pub fn ending(self, player: u8) -> Ending {
        if self.winners & bit(player) != 0 {
            Ending::Win
        } else if self.losers & bit(player) != 0 {
            Ending::Loss
        } else {
            Ending::Draw
        }
    }
}

/// Returns the mask of `player`, 0 for a player that does not fit.
fn bit(player: u8) -> u16 {
    1u16.checked_shl(u32::from(player)).unwrap_or(0)
}

/// What can be said of a move without making it; it orders moves and picks those that are followed beyond the horizon.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveValue {
    /// The gain in score points that the mover expects at once: captured less given up, promotion; 0 for a quiet move.
    pub gain: i32,
    /// Whether the evaluation should not be trusted before this move has been tried, as with captures and promotions.
    pub tactical: bool,
    /// How much the rules themselves recommend the move, in any unit; it orders moves that nothing else speaks for.
    pub promise: i32,
}

/// What can be said of a state without its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gist {
    /// The evaluation, but for what the moves add.
    pub base: i32,
    /// The evaluation, if it is known already.
    pub whole: Option<i32>,
    /// Whether moves should not be looked at beyond the horizon.
    pub is_final: bool,
}

/// A game that can be searched: a state that makes and unmakes its own moves.
///
/// # Contract
/// - Everything is a function of the state and of the moves made to reach it: in the same state `moves` gives the same
///   moves in the same order, on every machine.
/// - `unmake` restores exactly the state before the last `make`, also when the game was over after it.
/// - A method that returns a fault leaves the state as it was; the search then unmakes what it made and reports it.
/// - Nothing allocates once the buffers have grown to their size.
///
/// The same player may be the actor again after `make`, as often as the rules like.
pub trait Game {
    /// A reusable buffer of legal moves, such as an arena; the search keeps one for each ply.
    type Moves: Default;
    /// Why the rules could not be carried out.
    type Fault: Copy + Debug;

    /// Returns the number of players, chance not counted: 1 to [`MAX_PLAYERS`], always the same for one game.
    fn players(&self) -> usize;

    /// Returns who decides next; in a finished game any actor will do.
    fn actor(&self) -> Actor;

    /// Returns the 64-bit hash of everything that moves, goals and evaluation can read, the actor included.
    ///
    /// Numbers of earlier occurrences may be left out, as is usual: a repetition then still counts where it happens, and
    /// stored scores of other states may be slightly off near one.
    fn key(&self) -> u64;

    /// Returns the outcome if it can be told without generating moves: by the board, a score, repetition.
    ///
    /// # Errors
    /// When a rule faults.
    fn board_outcome(&mut self) -> Result<Option<Outcome>, Self::Fault>;

    /// Tells whether an outcome of this state may follow from earlier states, as by repetition, so that the same state
    /// reached in another way can end otherwise.
    ///
    /// A tree with such an outcome never counts as searched to its end.
    fn depends_on_past(&self) -> bool {
        false
    }

    /// Replaces the content of `moves` with all legal moves of this state, without duplicates.
    ///
    /// Called only where `board_outcome` gave nothing.
    ///
    /// # Errors
    /// When a rule faults.
    fn moves(&mut self, moves: &mut Self::Moves) -> Result<(), Self::Fault>;

    /// Returns the outcome that depends on `moves`, the legal moves of this state: stalemate, checkmate.
    ///
    /// Called after `moves`. A state without moves and without an outcome counts as a draw.
    ///
    /// # Errors
    /// When a rule faults.
    fn outcome(&mut self, moves: &Self::Moves) -> Result<Option<Outcome>, Self::Fault>;

    /// Returns the number of moves in `moves`.
    fn len(moves: &Self::Moves) -> usize;

    /// Returns a compact name of move `index`, equal for equal moves and, as far as possible, different for others.
    ///
    /// It should depend on what the move does and not on the state, so that a move that was good elsewhere is found
    /// again. Clashes cost time only: the search plays nothing that is not in `moves`.
    fn fingerprint(moves: &Self::Moves, index: usize) -> u32;

    /// Returns what can be said at once about move `index` of this state.
    fn value(&self, moves: &Self::Moves, index: usize) -> MoveValue;

    /// Returns the outcome that `board_outcome` would give after move `index` of this state, or that it would give none;
    /// the outer `None` where this costs about as much as to make the move.
    fn foresee(&self, moves: &Self::Moves, index: usize) -> Option<Option<Outcome>> {
        let _ = (moves, index);
        None
    }

    /// Makes move `index` of `moves`, which are the legal moves of this state.
    ///
    /// # Errors
    /// When a rule faults; then nothing is made and nothing will be unmade.
    fn make(&mut self, moves: &Self::Moves, index: usize) -> Result<(), Self::Fault>;

    /// Takes back the last move made.
    fn unmake(&mut self);

    /// Keeps the present state for [`Game::go_back`].
    fn keep(&mut self) {}

    /// Takes back the last `plies` moves, which are all that were made since the state was kept.
    fn go_back(&mut self, plies: u32) {
        (0..plies).for_each(|_| self.unmake());
    }

    /// Tells whether whoever acts must answer a threat, as when a king is in check; such states are looked at more closely.
    ///
    /// # Errors
    /// When a rule faults.
    fn is_threatened(&mut self) -> Result<bool, Self::Fault> {
        Ok(false)
    }

    /// Tells whether move `index` of this state, a quiet one, may well end the game, or whether whoever acts after it must
    /// answer a threat; it may say so where only making the move would tell.
    ///
    /// # Errors
    /// When a rule faults.
    fn is_forceful(&mut self, moves: &Self::Moves, index: usize) -> Result<bool, Self::Fault> {
        let _ = (moves, index);
        Ok(false)
    }

    /// Makes a pass, legal or not, if having the turn is never a burden in this game, and returns whether it did; then
    /// `unmake` takes it back.
    ///
    /// # Errors
    /// When a rule faults.
    fn pass(&mut self) -> Result<bool, Self::Fault> {
        Ok(false)
    }

    /// Returns how good this state is for `player` as far as that can be told cheaply, without its moves: the evaluation
    /// hardly ever differs from the base by more than [`Game::leeway`]. Nothing is returned where being without moves would decide
    /// the game although nothing is threatened, where quiet moves may not be allowed, and where moves say too much.
    fn gist(&mut self, player: u8) -> Option<Gist> {
        let _ = player;
        None
    }

    /// Returns by how much the evaluation is likely to differ from the gist at most, in score points.
    fn leeway(&self) -> i32 {
        0
    }

    /// Returns the aspects of this state, such as where the pieces of one kind stand: where the search finds the evaluation
    /// wrong, it takes it to be wrong in the same way in other states of the same aspect. Nothing is learnt of aspect 0.
    fn aspects(&mut self) -> [u64; N_ASPECTS] {
        [0; N_ASPECTS]
    }

    /// Tells whether it tells anything that a move is tactical; otherwise none is followed beyond the horizon.
    fn tactics_stand_out(&self) -> bool {
        true
    }

    /// Replaces `moves` by the tactical legal moves of this state, of which there is a gist, and returns true; or returns
    /// false if it is no less work to list all.
    ///
    /// # Errors
    /// When a rule faults.
    fn tactics(&mut self, moves: &mut Self::Moves) -> Result<bool, Self::Fault> {
        let _ = moves;
        Ok(false)
    }

    /// Returns how good this state, whose moves were listed in `moves`, is for `player`, in score points: 0 is balanced,
    /// larger is better.
    ///
    /// The search asks for the player it plays for, whoever is to move, and takes all others to want the opposite.
    /// The value need be exact only inside `interest`: one that is not above its start may be replaced by any other
    /// between it and the start, and one that is not below its end by any other between the end and it. Unless all
    /// numbers are of interest, it is enough that this is most likely so.
    ///
    /// # Errors
    /// When a rule faults.
    fn evaluate(&mut self, player: u8, moves: &Self::Moves, interest: Range<i32>) -> Result<i32, Self::Fault>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_keep_each_player_apart() {
        let outcome = Outcome::won_by(15, 16);
        assert_eq!(outcome.ending(15), Ending::Win);
        assert_eq!(outcome.ending(0), Ending::Loss);
        assert_eq!(outcome.with(15, Ending::Draw).ending(15), Ending::Draw);
        assert_eq!(Outcome::lost_by(1, 3).ending(2), Ending::Win);
        assert_eq!(Outcome::DRAW.with(200, Ending::Win), Outcome::DRAW);
    }
}
