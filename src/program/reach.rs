//! Which move blocks could take a piece on which cell, found out before play.
//!
//! Every block is followed from every start cell with all pieces unknown: each test that depends on them goes both
//! ways. What the block could take in some position is thereby overestimated, never missed, and an attack test needs to
//! run only the blocks and start cells noted for its target. Known facts cut the paths: links, zones and the marked
//! cell are fixed; the taken piece is always an enemy, so a path that has found its cell empty takes nothing there.
//! Blocks that jump to the squares of the last move, go beyond the classic language, or have too many paths, are noted as reaching anywhere.

use rustc_hash::FxHashSet;

use super::{Address, At, ClassMask, Entry, EntryId, Op, Program, Role};
use crate::model::quirk::{AttackMoves, FromAfterCascade};
use crate::model::{CellId, GameModel, Occupant, Occupants, PlayerId, TurnItem};

/// A block that could take a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attacker {
    /// The piece that runs the block.
    pub piece: Occupant,
    /// Where it would have to stand.
    pub from: CellId,
    /// The block.
    pub entry: EntryId,
}

/// For each cell the blocks that could take a piece there.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    n_cells: usize,
    /// By `player * n_cells + cell` the start of its part of `attackers`; one more at the end.
    starts: Vec<u32>,
    attackers: Vec<Attacker>,
    /// For each player the blocks that could take anything anywhere, by piece.
    anywhere: Vec<Vec<(Occupant, EntryId)>>,
    /// By occupant; see [`Reach::weight`].
    weights: Vec<u64>,
}

/// The number of situations followed for one block and start cell.
const BLOCK_LIMIT: usize = 4_096;
/// The number of situations followed for a whole game; blocks left over count as reaching anywhere.
const GAME_LIMIT: usize = 6_000_000;
/// The number of attackers noted for a whole game, likewise.
const ATTACKER_LIMIT: usize = 8_000_000;

impl Reach {
    /// Follows all move blocks of a game.
    pub fn analyse(model: &GameModel, program: &Program, occupants: &Occupants) -> Reach {
        let n_cells = model.board.cells.len();
        let mut found: Vec<(u32, Attacker)> = Vec::new();
        let mut anywhere = vec![Vec::new(); model.players.len()];
        let mut tracer = Tracer::new(model, program);
        for (index, entry) in program
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| attacks(model, entry))
        {
            let piece = occupants.of(entry.player, entry.kind);
            let found_before = found.len();
            for from in model.board.cell_ids() {
                let followed = tracer.n_followed <= GAME_LIMIT
                    && found.len() <= ATTACKER_LIMIT
                    && tracer.follow(entry.player, entry.address, from);
                if !followed {
                    found.truncate(found_before);
                    anywhere[entry.player.index()].push((piece, index as EntryId));
                    break;
                }
                let attacker = Attacker {
                    piece,
                    from,
                    entry: index as EntryId,
                };
                let base = entry.player.index() * n_cells;
                found.extend(
                    tracer
                        .taken
                        .drain(..)
                        .map(|target| ((base + target.index()) as u32, attacker)),
                );
            }
        }
        found.sort_unstable();
        found.dedup();
        let mut weights = vec![0; occupants.len()];
        for (_, attacker) in &found {
            weights[attacker.piece.index()] += 1;
        }
        for (piece, _) in anywhere.iter().flatten() {
            weights[piece.index()] += (n_cells * n_cells) as u64;
        }
        let mut starts = vec![0u32; model.players.len() * n_cells + 1];
        for (slot, _) in &found {
            starts[*slot as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        Reach {
            n_cells,
            starts,
            attackers: found.into_iter().map(|(_, attacker)| attacker).collect(),
            anywhere,
            weights,
        }
    }

    /// Returns the blocks of `player` that could take a piece on `cell`, by piece and start.
    #[inline]
    pub fn attackers(&self, player: PlayerId, cell: CellId) -> &[Attacker] {
        let slot = player.index() * self.n_cells + cell.index();
        match self.starts.get(slot..slot + 2) {
            Some(&[start, end]) => &self.attackers[start as usize..end as usize],
            _ => &[],
        }
    }

    /// Returns a measure of what a piece is worth: the number of pairs of cells such that it could take from the one to
    /// the other. A promoted piece weighs more than one that goes forward only.
    pub fn weight(&self, piece: Occupant) -> u64 {
        self.weights.get(piece.index()).copied().unwrap_or(0)
    }

    /// Returns the blocks of `player` that could take a piece anywhere, with the pieces that run them.
    pub fn anywhere(&self, player: PlayerId) -> &[(Occupant, EntryId)] {
        self.anywhere.get(player.index()).map_or(&[], Vec::as_slice)
    }
}

/// Tells whether the moves of a block count as attacks.
pub(crate) fn attacks(model: &GameModel, entry: &Entry) -> bool {
    let is_open_to_it = |item: &TurnItem| {
        item.acts_as == entry.player && item.move_type.is_none_or(|only| entry.move_type == Some(only))
    };
    entry.role == Role::Move
        && match model.options.quirks.attack_moves {
            AttackMoves::All => true,
            AttackMoves::Offered => model.turn_order.items.iter().any(is_open_to_it),
        }
}

/// All classes: nothing is known of a cell's occupant.
const UNKNOWN: u8 = 0b11111;

/// Where a path stands. `*_classes` are what the occupant of a cell may still be, seen from the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Situation {
    address: Address,
    current: CellId,
    from: CellId,
    to: CellId,
    mark: CellId,
    look: CellId,
    current_classes: u8,
    to_classes: u8,
    has_cascaded: bool,
}

struct Tracer<'a> {
    model: &'a GameModel,
    program: &'a Program,
    start: CellId,
    player: PlayerId,
    seen: FxHashSet<Situation>,
    open: Vec<Situation>,
    /// Cells on which something could be taken, possibly more than once.
    taken: Vec<CellId>,
    n_followed: usize,
}

impl<'a> Tracer<'a> {
    fn new(model: &'a GameModel, program: &'a Program) -> Tracer<'a> {
        Tracer {
            model,
            program,
            start: CellId::NONE,
            player: PlayerId(0),
            seen: FxHashSet::default(),
            open: Vec::new(),
            taken: Vec::new(),
            n_followed: 0,
        }
    }

    /// Follows all paths of a block; returns false if that is not possible.
    fn follow(&mut self, player: PlayerId, address: Address, start: CellId) -> bool {
        self.seen.clear();
        self.open.clear();
        self.taken.clear();
        (self.player, self.start) = (player, start);
        self.open.push(Situation {
            address,
            current: start,
            from: start,
            to: CellId::NONE,
            mark: start,
            look: CellId::NONE,
            current_classes: ClassMask::FRIEND.0,
            to_classes: UNKNOWN,
            has_cascaded: false,
        });
        while let Some(mut situation) = self.open.pop() {
            // Straight code needs no memory: only the situations after jumps are remembered.
            loop {
                self.n_followed += 1;
                match self.advance(&mut situation) {
                    Path::GoesOn => {}
                    Path::Ends => break,
                    Path::Unknown => return false,
                    Path::Jumps => {
                        if self.seen.len() > BLOCK_LIMIT {
                            return false;
                        }
                        if !self.seen.insert(situation) {
                            break;
                        }
                    }
                }
            }
        }
        self.taken.sort_unstable();
        self.taken.dedup();
        true
    }

    /// Carries out one operation. A second way on is put on the list of open situations.
    fn advance(&mut self, s: &mut Situation) -> Path {
        let op = self.program.ops[s.address as usize];
        s.address += 1;
        match op {
            Op::End => return Path::Ends,
            Op::Step { direction } => {
                let next = self.model.board.step(s.current, direction).unwrap_or(CellId::NONE);
                return self.go(s, next);
            }
            Op::Goto { cell } => return self.go(s, cell),
            Op::GoFrom => return self.go(s, s.from),
            Op::GoTo => {
                if s.to.is_some() {
                    (s.current, s.current_classes) = (s.to, s.to_classes);
                }
            }
            Op::GoMark => return self.go(s, s.mark),
            Op::GoLastFrom | Op::GoLastTo => return Path::Unknown,
            Op::SetFrom => s.from = s.current,
            Op::SetTo => (s.to, s.to_classes) = (s.current, s.current_classes),
            Op::SetMark { at } => s.mark = self.cell(s, at),
            Op::LookDirection { direction } => {
                s.look = self.model.board.step(s.current, direction).unwrap_or(CellId::NONE);
            }
            Op::LookCell { cell } => s.look = cell,
            Op::Jump { target } | Op::Loop { target } | Op::PassEffects { target } => {
                s.address = target;
                return Path::Jumps;
            }
            Op::IfClass { ask, mask, target } => {
                if ask.at() == At::Look {
                    return self.branch(s, s.look.is_none().then_some(false), ask.wanted(), target);
                }
                let (is, is_not) = (s.current_classes & mask.0, s.current_classes & !mask.0);
                let (jump, stay) = if ask.wanted() { (is, is_not) } else { (is_not, is) };
                return split(&mut self.open, s, jump, stay, target);
            }
            Op::IfKind { ask, target, .. } => {
                if ask.at() == At::Look {
                    return self.branch(s, s.look.is_none().then_some(false), ask.wanted(), target);
                }
                let (is, is_not) = (s.current_classes & !ClassMask::EMPTY.0, s.current_classes);
                let (jump, stay) = if ask.wanted() { (is, is_not) } else { (is_not, is) };
                return split(&mut self.open, s, jump, stay, target);
            }
            Op::IfOnBoard { ask, target } => {
                let known = self.cell(s, ask.at()).is_some();
                return self.branch(s, Some(known), ask.wanted(), target);
            }
            Op::IfZone { ask, zone, target } => {
                let cell = self.cell(s, ask.at());
                let known = cell.is_some() && self.model.board.in_zone(zone, self.player, cell);
                return self.branch(s, Some(known), ask.wanted(), target);
            }
            Op::IfCell { ask, cell, target } => {
                let known = cell.is_some() && self.cell(s, ask.at()) == cell;
                return self.branch(s, Some(known), ask.wanted(), target);
            }
            Op::IfMarked { ask, target } => {
                let cell = self.cell(s, ask.at());
                return self.branch(s, Some(cell.is_some() && cell == s.mark), ask.wanted(), target);
            }
            Op::IfLastFrom { target, .. }
            | Op::IfLastTo { target, .. }
            | Op::IfFlag { target, .. }
            | Op::IfPositionFlag { target, .. }
            | Op::IfAttribute { target, .. }
            | Op::IfAttacked { target, .. }
            | Op::IfDefended { target, .. }
            | Op::IfAdjacentToEnemy { target, .. }
            | Op::IfGoalPosition { target, .. } => return self.branch(s, None, true, target),
            Op::Capture { at } => {
                let cell = self.cell(s, at);
                if at == At::Look || s.current_classes & ClassMask::ENEMY.0 != 0 {
                    self.take(cell);
                }
            }
            Op::Cascade => {
                self.arrive(s);
                s.from = s.current;
                s.to = CellId::NONE;
                s.has_cascaded = true;
            }
            Op::Add { .. } => {
                self.arrive(s);
                s.to = CellId::NONE;
                let keeps_from = self.model.options.quirks.from_after_cascade == FromAfterCascade::Stays;
                if std::mem::take(&mut s.has_cascaded) && !keeps_from {
                    s.from = self.start;
                }
            }
            Op::Flip { .. }
            | Op::ChangeOwner { .. }
            | Op::ChangeKind { .. }
            | Op::Create { .. }
            | Op::SetAttribute { .. }
            | Op::SetFlag { .. }
            | Op::SetPositionFlag { .. } => {}
            // Beyond the classic language: a block may change the board while it runs.
            _ => return Path::Unknown,
        }
        Path::GoesOn
    }

    fn cell(&self, s: &Situation, at: At) -> CellId {
        match at {
            At::Here => s.current,
            At::Look => s.look,
        }
    }

    fn go(&self, s: &mut Situation, cell: CellId) -> Path {
        if cell.is_none() {
            return Path::Ends;
        }
        s.current = cell;
        s.current_classes = if cell == self.start {
            ClassMask::FRIEND.0
        } else {
            UNKNOWN
        };
        s.look = CellId::NONE;
        Path::GoesOn
    }

    /// Notes where the current movement ends, if it could take an enemy there.
    fn arrive(&mut self, s: &Situation) {
        let (to, classes) = if s.to.is_some() {
            (s.to, s.to_classes)
        } else {
            (s.current, s.current_classes)
        };
        if to != s.from && classes & ClassMask::ENEMY.0 != 0 {
            self.take(to);
        }
    }

    fn take(&mut self, cell: CellId) {
        if cell.is_some() && cell != self.start {
            self.taken.push(cell);
        }
    }

    /// Goes on where a test leads whose answer may be known.
    fn branch(&mut self, s: &mut Situation, known: Option<bool>, wanted: bool, target: Address) -> Path {
        let (jumps, stays) = match known {
            Some(answer) => (answer == wanted, answer != wanted),
            None => (true, true),
        };
        let classes = |goes: bool| if goes { s.current_classes } else { 0 };
        let (jump, stay) = (classes(jumps), classes(stays));
        split(&mut self.open, s, jump, stay, target)
    }
}

/// Goes on with those of the two ways on which the current cell can still have an occupant of some class.
fn split(open: &mut Vec<Situation>, s: &mut Situation, jump: u8, stay: u8, target: Address) -> Path {
    if jump != 0 {
        let jumped = Situation {
            address: target,
            current_classes: jump,
            look: CellId::NONE,
            ..*s
        };
        if stay == 0 {
            *s = jumped;
            return Path::Jumps;
        }
        open.push(jumped);
    }
    if stay == 0 {
        return Path::Ends;
    }
    s.current_classes = stay;
    s.look = CellId::NONE;
    Path::Jumps
}

enum Path {
    /// The next operation follows.
    GoesOn,
    /// The situation came about by a jump or test and may have been met before.
    Jumps,
    /// The run ends.
    Ends,
    /// What follows cannot be known before play.
    Unknown,
}
