//! Moves as ranges of effects in an arena.

use std::sync::Arc;

use crate::cellset::Bits;
use crate::model::{AttributeId, CellId, Occupant, PieceKindId, PlayerId};
use crate::program::{ContinuationId, TextId, VariableSlot};

/// One primitive change that a move makes, or something that goes with it. The order within a stage is that of the
/// language: movements (all at once), other effects, captures, promotion; [`Effect::Then`] parts the stages. An empty stage
/// parts those of the block from those of the tail that follows every ply.
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
    /// Adds to an attribute of the piece on a cell.
    IncreaseAttribute {
        /// Where the piece stands.
        at: CellId,
        /// Which attribute.
        attribute: AttributeId,
        /// What is added.
        by: i32,
    },
    /// Gives a variable a value.
    SetVariable {
        /// Which variable.
        slot: VariableSlot,
        /// Its new value.
        value: i32,
    },
    /// Adds to a variable.
    IncreaseVariable {
        /// Which variable.
        slot: VariableSlot,
        /// What is added.
        by: i32,
    },
    /// Ends a stage.
    Then,
    /// The same turn item comes once more.
    Again,
    /// Adds to the text of the move; changes nothing.
    Label(Label),
    /// One number of the rating of the move; changes nothing.
    Rate {
        /// The number.
        value: i32,
    },
}

/// What a `label` adds to the text of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// A text.
    Text(TextId),
    /// A number.
    Number(i32),
    /// The name of a cell.
    Cell(CellId),
    /// The name of a kind.
    Kind(PieceKindId),
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
    /// The number of its effects.
    pub(crate) len: u32,
    /// Where the first movement starts; none for a drop or a move of no piece.
    pub from: CellId,
    /// Where the first movement or drop ends; none for a pass or a move of no piece.
    pub to: CellId,
    /// Where the last movement ends: the piece that a chain goes on with; the start for a move of no piece.
    pub arrival: CellId,
    /// The move types that may follow if the move is partial; [`ContinuationId::PASS`] for a pass.
    pub continuation: ContinuationId,
}

/// Marks the start of effects that lie in the arena of prepared moves.
const PREPARED: u32 = 1 << 31;

impl MoveEntry {
    pub(crate) const PASS: MoveEntry = MoveEntry {
        start: 0,
        len: 0,
        from: CellId::NONE,
        to: CellId::NONE,
        arrival: CellId::NONE,
        continuation: ContinuationId::PASS,
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
        self.continuation == ContinuationId::PASS
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

    /// Appends those of the entries whose bits are set.
    #[inline(always)]
    pub fn extend_by_bits(&mut self, bits: u64, entries: &[MoveEntry; 64]) {
        let room = loop {
            match self.buffer[self.len..].first_chunk_mut::<64>() {
                Some(room) => break room,
                None => self.grow(),
            }
        };
        let mut written = 0;
        for bit in Bits(bits) {
            // Both are less than 64; said so, they need no tests.
            room[written & 63] = entries[bit & 63];
            written += 1;
        }
        self.len += written;
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

    /// Returns the effects of the block that made a move, without those of the tail that follows every ply
    /// (`after-move`): an empty stage parts them.
    pub fn own_effects(&self, entry: &MoveEntry) -> &[Effect] {
        let effects = self.effects(entry);
        &effects[..own_length(effects)]
    }

    /// Returns the labels of a move, in order.
    pub fn labels(&self, entry: &MoveEntry) -> impl Iterator<Item = Label> + '_ {
        self.effects(entry).iter().filter_map(|effect| match *effect {
            Effect::Label(label) => Some(label),
            _ => None,
        })
    }

    /// Returns the rating of a move, if it has one: numbers that count from left to right.
    pub fn rating(&self, entry: &MoveEntry) -> Option<Rating<'_>> {
        let effects = self.effects(entry);
        let n = effects
            .iter()
            .rev()
            .take_while(|effect| matches!(effect, Effect::Rate { .. }))
            .count();
        (n > 0).then(|| Rating(&effects[effects.len() - n..]))
    }

    /// Tells whether the same turn item comes once more after a move.
    pub fn comes_again(&self, entry: &MoveEntry) -> bool {
        self.effects(entry).contains(&Effect::Again)
    }

    /// Appends a pass that changes nothing.
    pub fn push_pass(&mut self) {
        self.moves.push(MoveEntry::PASS);
    }

    /// Keeps only the moves at which `keep`, called in order, is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&MoveEntry) -> bool) {
        let mut kept = 0;
        for index in 0..self.moves.len() {
            if keep(self.get(index)) {
                self.moves.copy(index, kept);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
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

/// Returns the number of effects before the first empty stage, after which the tail of the ply follows.
pub(crate) fn own_length(effects: &[Effect]) -> usize {
    if effects.first() == Some(&Effect::Then) {
        return 0;
    }
    let parted = effects.windows(2).position(|pair| pair == [Effect::Then; 2]);
    parted.unwrap_or(effects.len())
}

/// The rating of a move. Ratings compare number by number, missing numbers are 0.
#[derive(Clone, Copy, Debug)]
pub struct Rating<'a>(&'a [Effect]);

impl Rating<'_> {
    /// Returns the numbers, the more important first.
    pub fn numbers(&self) -> impl Iterator<Item = i32> + '_ {
        (0..self.0.len()).map(|index| self.number(index))
    }

    fn number(&self, index: usize) -> i32 {
        match self.0.get(index) {
            Some(&Effect::Rate { value }) => value,
            _ => 0,
        }
    }
}

impl PartialEq for Rating<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rating<'_> {}

impl PartialOrd for Rating<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rating<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let len = self.0.len().max(other.0.len());
        (0..len)
            .map(|index| self.number(index).cmp(&other.number(index)))
            .find(|order| order.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
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
