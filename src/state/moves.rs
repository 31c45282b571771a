//! Moves as ranges of effects in an arena.

use std::sync::Arc;

use crate::model::{AttributeId, CellId, Occupant, PieceKindId, PlayerId};
use crate::program::ContinuationId;

/// One primitive change that a move makes. The order within a move is that of the language: movements (all at once),
/// other effects, captures, promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Moves the piece on `from` to `to`, capturing what stands there unless it leaves with the same move.
    Move {
        /// Where the piece stands.
        from: CellId,
        /// Where it goes.
        to: CellId,
    },
    /// Puts a piece from the stock on `to`.
    Drop {
        /// The piece.
        piece: Occupant,
        /// Where it goes.
        to: CellId,
    },
    /// Puts a new piece on `to`, not from the stock (`add-copy`).
    Copy {
        /// The piece.
        piece: Occupant,
        /// Where it goes.
        to: CellId,
    },
    /// Puts a new piece on a cell in place of what is there.
    Create {
        /// The piece.
        piece: Occupant,
        /// Where it appears.
        at: CellId,
    },
    /// Gives an attribute of the piece on a cell a value.
    SetAttribute {
        /// Where the piece stands.
        at: CellId,
        /// Which attribute.
        attribute: AttributeId,
        /// Its new value.
        value: i32,
    },
    /// Gives the piece on a cell to a player.
    ChangeOwner {
        /// Where the piece stands.
        at: CellId,
        /// The new owner.
        player: PlayerId,
    },
    /// Gives the piece on a cell to the player after its owner.
    Flip {
        /// Where the piece stands.
        at: CellId,
    },
    /// Makes the piece on a cell one of another kind.
    ChangeKind {
        /// Where the piece stands.
        at: CellId,
        /// The new kind.
        kind: PieceKindId,
    },
    /// Removes what is on a cell.
    Capture {
        /// The cell.
        at: CellId,
    },
    /// Makes the piece that moved last one of another kind (`add` with a kind).
    Promote {
        /// Where the piece arrived.
        at: CellId,
        /// The new kind.
        kind: PieceKindId,
    },
}

impl Effect {
    /// Tells whether this is one of the movements a move begins with.
    #[inline(always)]
    pub fn is_movement(&self) -> bool {
        matches!(self, Effect::Move { .. } | Effect::Drop { .. } | Effect::Copy { .. })
    }
}

/// One move of a [`MoveList`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveEntry {
    /// The first of its effects in the list's arena.
    pub(crate) start: u32,
    /// The number of its effects; none for a pass.
    pub(crate) len: u32,
    /// Where the first movement starts; none for a drop or a move of no piece.
    pub from: CellId,
    /// Where the first movement or drop ends; none for a pass or a move of no piece.
    pub to: CellId,
    /// Where the last movement ends: the piece that a chain goes on with; the start for a move of no piece.
    pub arrival: CellId,
    /// The move types that may follow if the move is partial.
    pub continuation: ContinuationId,
}

/// Marks the start of effects that lie in the arena of prepared moves.
const PREPARED: u32 = 1 << 31;

impl MoveEntry {
    const PASS: MoveEntry = MoveEntry {
        start: 0,
        len: 0,
        from: CellId::NONE,
        to: CellId::NONE,
        arrival: CellId::NONE,
        continuation: ContinuationId::NONE,
    };

    /// Makes the entry of a move whose effects lie in an arena shared by lists: first movement's start and end, arrival.
    pub(crate) fn prepared(start: usize, len: usize, cells: [CellId; 3], continuation: ContinuationId) -> MoveEntry {
        MoveEntry {
            start: start as u32 | PREPARED,
            len: len as u32,
            from: cells[0],
            to: cells[1],
            arrival: cells[2],
            continuation,
        }
    }

    /// Returns where its effects lie in the shared arena; only for prepared moves.
    #[inline(always)]
    pub(crate) fn arena_start(&self) -> usize {
        (self.start & !PREPARED) as usize
    }

    /// Tells whether its effects lie in the shared arena.
    #[inline(always)]
    pub(crate) fn is_prepared(&self) -> bool {
        self.start & PREPARED != 0
    }

    /// Tells whether the move is a pass.
    #[inline(always)]
    pub fn is_pass(&self) -> bool {
        self.len == 0
    }

    /// Tells whether the turn may go on after the move.
    #[inline(always)]
    pub fn is_partial(&self) -> bool {
        self.continuation.is_some()
    }
}

/// Entries of moves, kept in a buffer that never shrinks, so that one can be written before it is known whether it counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    buffer: Vec<MoveEntry>,
    len: usize,
}

impl Entries {
    #[inline(always)]
    pub fn as_slice(&self) -> &[MoveEntry] {
        &self.buffer[..self.len]
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn push(&mut self, entry: MoveEntry) {
        if self.len == self.buffer.len() {
            self.grow();
        }
        self.buffer[self.len] = entry;
        self.len += 1;
    }

    /// Makes room.
    #[cold]
    #[inline(never)]
    pub fn grow(&mut self) {
        let len = (self.buffer.len() * 2).max(64);
        self.buffer.resize(len, MoveEntry::PASS);
    }

    /// Returns the whole buffer, of which the first `len` entries count.
    #[inline(always)]
    pub fn buffer(&mut self) -> (&mut [MoveEntry], usize) {
        (&mut self.buffer, self.len)
    }

    /// Lets the first `len` entries of the buffer count.
    #[inline(always)]
    pub fn set_len(&mut self, len: usize) {
        self.len = len.min(self.buffer.len());
    }

    /// Writes entry `from` in place of entry `to`.
    #[inline]
    pub fn copy(&mut self, from: usize, to: usize) {
        self.buffer[to] = self.buffer[from];
    }

    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

/// A reusable list of moves: one arena of effects and one entry per move.
#[derive(Clone, Debug, Default)]
pub struct MoveList {
    pub(crate) effects: Vec<Effect>,
    pub(crate) moves: Entries,
    /// The arena of prepared moves, if the list has some; lists of one game share it.
    pub(crate) prepared: Option<Arc<[Effect]>>,
}

impl MoveList {
    /// Makes an empty list.
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// Removes all moves, keeping the memory.
    pub fn clear(&mut self) {
        self.effects.clear();
        self.moves.truncate(0);
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Tells whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.moves.len() == 0
    }

    /// Returns the moves in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &MoveEntry> {
        self.moves.as_slice().iter()
    }

    /// Returns move `index`.
    ///
    /// # Panics
    /// When there is no such move.
    #[inline]
    pub fn get(&self, index: usize) -> &MoveEntry {
        &self.moves.as_slice()[index]
    }

    /// Returns the effects of a move of this list, in the order in which they are made.
    #[inline]
    pub fn effects(&self, entry: &MoveEntry) -> &[Effect] {
        match &self.prepared {
            Some(prepared) if entry.is_prepared() => &prepared[entry.arena_start()..][..entry.len as usize],
            _ => &self.effects[entry.start as usize..][..entry.len as usize],
        }
    }

    /// Lets the list hold moves prepared in an arena.
    #[inline]
    pub(crate) fn share(&mut self, arena: &Arc<[Effect]>) {
        if !self
            .prepared
            .as_ref()
            .is_some_and(|prepared| Arc::ptr_eq(prepared, arena))
        {
            self.prepared = Some(Arc::clone(arena));
        }
    }

    /// Appends a pass.
    pub fn push_pass(&mut self) {
        self.moves.push(MoveEntry::PASS);
    }

    /// Keeps only the moves at which `keep`, called with the list's effects and in order, is true.
    pub fn try_retain<E>(&mut self, mut keep: impl FnMut(&MoveList, usize) -> Result<bool, E>) -> Result<(), E> {
        let mut kept = 0;
        for index in 0..self.moves.len() {
            if keep(self, index)? {
                self.moves.copy(index, kept);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        Ok(())
    }
}

/// Tells whether two moves are the same: equal movements, other effects and promotion, in order, the same set of captured
/// cells, and equal continuations with the same piece.
///
/// # Language
/// Two moves with equal results may still differ; see `docs/language.md`, equal moves.
pub fn same_move(list: &MoveList, a: &MoveEntry, b: &MoveEntry) -> bool {
    if a.continuation != b.continuation || (a.is_partial() && a.arrival != b.arrival) {
        return false;
    }
    let (left, right) = (list.effects(a), list.effects(b));
    if left == right {
        return true;
    }
    let is_capture = |effect: &&Effect| matches!(effect, Effect::Capture { .. });
    let captures_all = |effects: &[Effect], others: &[Effect]| {
        let mut captures = others.iter().filter(is_capture);
        captures.all(|capture| effects.contains(capture))
    };
    (left.iter().filter(|effect| !is_capture(effect))).eq(right.iter().filter(|effect| !is_capture(effect)))
        && captures_all(left, right)
        && captures_all(right, left)
}
