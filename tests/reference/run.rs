//! Runs one move block on one piece, walking its tree.

use std::collections::HashSet;

use ludex::model::expression::{Condition, Place, Pointer, Test};
use ludex::model::piece::{Add, Block, Instruction, InstructionKind, Value};
use ludex::model::quirk::{EffectOffBoard, EmptyOffBoard, FromAfterCascade, Opposite};
use ludex::model::{CellId, GameModel, PieceKindId, PlayerId};
use ludex::model::{DirectionId, FlagId, PositionFlagId};

use crate::attack;
use crate::goals::is_goal_position;
use crate::moves::{Effect, Move, Movement};
use crate::situation::{Piece, Situation, is_enemy};

/// A block whose loops have gone round so often does not end.
const MOST_ROUNDS: usize = 2_000_000;

/// What a block runs on.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    pub model: &'a GameModel,
    pub situation: &'a Situation,
    /// On whose behalf.
    pub player: PlayerId,
    /// The type that has the block.
    pub kind: PieceKindId,
    /// Whether this run is itself part of an attack test, in which further attack tests are false.
    pub in_attack_test: bool,
}

/// The rules do not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endless;

/// Why a run stops before its last instruction.
enum Stop {
    End,
    Endless,
}

type Flow = Result<(), Stop>;

/// Runs a block of a piece on its cell, or a drop block on a cell.
pub fn run(runner: Runner<'_>, block: &Block, start: CellId, is_drop: bool) -> Result<Vec<Move>, Endless> {
    let mut run = Run {
        runner,
        start,
        current: start,
        from: (!is_drop).then_some(start),
        to: None,
        mark: Some(start),
        flags: HashSet::new(),
        position_flags: HashSet::new(),
        cascaded: false,
        movements: Vec::new(),
        effects: Vec::new(),
        captures: Vec::new(),
        rounds: 0,
        moves: Vec::new(),
    };
    match run.instructions(&block.instructions) {
        Ok(()) | Err(Stop::End) => Ok(run.moves),
        Err(Stop::Endless) => Err(Endless),
    }
}

/// What is wrong when a game beyond the classic language comes here.
const CLASSIC_ONLY: &str = "only classic games are interpreted";

struct Run<'a> {
    runner: Runner<'a>,
    start: CellId,
    current: CellId,
    /// None for a piece that is being dropped.
    from: Option<CellId>,
    to: Option<CellId>,
    mark: Option<CellId>,
    flags: HashSet<FlagId>,
    position_flags: HashSet<(PositionFlagId, CellId)>,
    /// Whether a cascade has moved `from`.
    cascaded: bool,
    movements: Vec<Movement>,
    effects: Vec<Effect>,
    captures: Vec<CellId>,
    rounds: usize,
    moves: Vec<Move>,
}

impl Run<'_> {
    fn instructions(&mut self, instructions: &[Instruction]) -> Flow {
        instructions
            .iter()
            .try_for_each(|instruction| self.instruction(&instruction.kind))
    }

    fn instruction(&mut self, instruction: &InstructionKind) -> Flow {
        match instruction {
            InstructionKind::Step(place) => self.current = self.place(place).ok_or(Stop::End)?,
            InstructionKind::Go(pointer) => self.current = self.pointer(*pointer).ok_or(Stop::End)?,
            InstructionKind::From => self.from = Some(self.current),
            InstructionKind::To => self.to = Some(self.current),
            InstructionKind::Mark(place) => self.mark = self.place(place),
            InstructionKind::Cascade => self.cascade(),
            InstructionKind::Add(add) => self.add(add),
            InstructionKind::Capture(place) => {
                let at = self.place_of_effect(place)?;
                self.captures.extend(at);
            }
            InstructionKind::Flip(place) => {
                if let Some(at) = self.place_of_effect(place)? {
                    self.effects.push(Effect::Flip { at });
                }
            }
            InstructionKind::ChangeOwner(place) => {
                if let Some(at) = self.place_of_effect(place)? {
                    let player = self.runner.player;
                    self.effects.push(Effect::ChangeOwner { at, player });
                }
            }
            InstructionKind::ChangeType(kind, place) => {
                if let Some(at) = self.place_of_effect(place)? {
                    self.effects.push(Effect::ChangeType { at, kind: *kind });
                }
            }
            InstructionKind::Create(player, kind, place) => {
                if let Some(at) = self.place_of_effect(place)? {
                    self.effects.push(Effect::Create {
                        player: player.unwrap_or(self.runner.player),
                        kind: kind.unwrap_or(self.runner.kind),
                        at,
                    });
                }
            }
            InstructionKind::SetAttribute(attribute, Value::Condition(value), place) => {
                let value = i32::from(self.holds(value)?);
                if let Some(at) = self.place_of_effect(place)? {
                    self.effects.push(Effect::SetAttribute {
                        at,
                        attribute: *attribute,
                        value,
                    });
                }
            }
            InstructionKind::SetFlag(flag, value) => {
                if self.holds(value)? {
                    self.flags.insert(*flag);
                } else {
                    self.flags.remove(flag);
                }
            }
            InstructionKind::SetPositionFlag(flag, value, place) => {
                let value = self.holds(value)?;
                if let Some(at) = self.place(place) {
                    if value {
                        self.position_flags.insert((*flag, at));
                    } else {
                        self.position_flags.remove(&(*flag, at));
                    }
                }
            }
            InstructionKind::Verify(condition) => {
                if !self.holds(condition)? {
                    return Err(Stop::End);
                }
            }
            InstructionKind::If(condition, then, otherwise) => {
                let branch = if self.holds(condition)? { then } else { otherwise };
                self.instructions(branch)?;
            }
            InstructionKind::While(condition, body) => {
                while self.holds(condition)? {
                    self.count_round()?;
                    self.instructions(body)?;
                }
            }
            _ => panic!("{CLASSIC_ONLY}"),
        }
        Ok(())
    }

    fn count_round(&mut self) -> Flow {
        self.rounds += 1;
        if self.rounds > MOST_ROUNDS {
            Err(Stop::Endless)
        } else {
            Ok(())
        }
    }

    /// The movement under way, from where it began to `to` or the current cell; none if it goes nowhere.
    fn movement(&self) -> Option<Movement> {
        let to = self.to.unwrap_or(self.current);
        match self.from {
            Some(from) => (from != to).then_some(Movement::Move { from, to }),
            None => Some(Movement::Drop {
                player: self.runner.player,
                kind: self.runner.kind,
                to,
            }),
        }
    }

    fn cascade(&mut self) {
        self.movements.extend(self.movement());
        self.from = Some(self.current);
        self.to = None;
        self.cascaded = true;
    }

    fn add(&mut self, add: &Add) {
        let arrival = self.to.unwrap_or(self.current);
        let choices: Vec<Option<PieceKindId>> = match &add.kinds[..] {
            [] => vec![None],
            kinds => kinds.iter().copied().map(Some).collect(),
        };
        for kind in choices {
            let mut made = Move {
                movements: self.movements.clone(),
                effects: self.effects.clone(),
                captures: self.captures.iter().copied().collect(),
                continuation: add.partial.then(|| add.move_types.clone()),
                arrival: add.partial.then_some(arrival),
                ..Move::default()
            };
            if add.copy && self.from != Some(arrival) {
                made.movements.push(self.copy(kind));
            } else {
                made.movements.extend(self.movement());
                made.promotion = kind.map(|kind| (arrival, kind));
            }
            (made.last_from, made.last_to) = match made.movements.first() {
                None => (None, None),
                Some(&Movement::Move { from, to }) => (Some(from), Some(to)),
                Some(&Movement::Drop { to, .. }) => (None, Some(to)),
                Some(&Movement::Copy { to, .. }) => (self.from, Some(to)),
            };
            let nothing = made.movements.is_empty()
                && made.effects.is_empty()
                && made.captures.is_empty()
                && made.promotion.is_none();
            if !nothing && self.has_stock(made.promotion) {
                self.moves.push(made);
            }
        }
        self.movements.clear();
        self.effects.clear();
        self.captures.clear();
        self.to = None;
        let stays = self.runner.model.options.quirks.from_after_cascade == FromAfterCascade::Stays;
        if std::mem::replace(&mut self.cascaded, false) && !stays {
            self.from = Some(self.start);
        }
    }

    /// A copy takes the place of the movement under way: the piece stays where it began.
    fn copy(&self, kind: Option<PieceKindId>) -> Movement {
        let own = self.moving_piece().map_or(self.runner.kind, |piece| piece.kind);
        Movement::Copy {
            player: self.runner.player,
            kind: kind.unwrap_or(own),
            to: self.to.unwrap_or(self.current),
        }
    }

    /// The piece on the start of the movement under way.
    fn moving_piece(&self) -> Option<&Piece> {
        self.from.and_then(|from| self.runner.situation.piece(from))
    }

    /// With "recycle promotions" the new piece must be in stock.
    fn has_stock(&self, promotion: Option<(CellId, PieceKindId)>) -> bool {
        let Some((_, kind)) = promotion.filter(|_| self.runner.model.options.recycle_promotions) else {
            return true;
        };
        let (player, old) = match self.moving_piece() {
            Some(piece) => (piece.player, piece.kind),
            None => (self.runner.player, self.runner.kind),
        };
        kind == old || self.runner.situation.stock(player, kind) > 0
    }

    fn pointer(&self, pointer: Pointer) -> Option<CellId> {
        match pointer {
            Pointer::From => self.from,
            Pointer::To => Some(self.to.unwrap_or(self.current)),
            Pointer::Mark => self.mark,
            Pointer::LastFrom => self.runner.situation.last_from,
            Pointer::LastTo => self.runner.situation.last_to,
        }
    }

    /// Finds a place; none if it is off the board.
    fn place(&self, place: &Place) -> Option<CellId> {
        let board = &self.runner.model.board;
        let mirrored = |direction: DirectionId| board.mirrored(self.runner.player, direction);
        match *place {
            Place::Here => Some(self.current),
            Place::Cell(cell) => Some(cell),
            Place::Direction(direction) => board.step(self.current, mirrored(direction)),
            Place::Opposite(direction) => {
                let back = match self.runner.model.options.quirks.opposite {
                    Opposite::SymmetryFirst => board.opposites[mirrored(direction).index()]?,
                    Opposite::InverseFirst => mirrored(board.opposites[direction.index()]?),
                };
                board.step(self.current, back)
            }
            Place::Pointer(_) | Place::Let(_) | Place::Grid(_) | Place::First(_) => panic!("{CLASSIC_ONLY}"),
        }
    }

    /// Finds the place of an effect; one off the board is passed over.
    fn place_of_effect(&self, place: &Place) -> Result<Option<CellId>, Stop> {
        match (self.place(place), self.runner.model.options.quirks.effect_off_board) {
            (None, EffectOffBoard::End) => Err(Stop::End),
            (found, _) => Ok(found),
        }
    }

    fn holds(&mut self, condition: &Condition) -> Result<bool, Stop> {
        Ok(match condition {
            Condition::Constant(value) => *value,
            Condition::Flag(flag) => self.flags.contains(flag),
            Condition::Not(part) => !self.holds(part)?,
            Condition::And(parts) => {
                for part in parts {
                    if !self.holds(part)? {
                        return Ok(false);
                    }
                }
                true
            }
            Condition::Or(parts) => {
                for part in parts {
                    if self.holds(part)? {
                        return Ok(true);
                    }
                }
                false
            }
            Condition::Compare(..)
            | Condition::ComparePlaces(..)
            | Condition::Some(..)
            | Condition::Every(..)
            | Condition::Automatic => panic!("{CLASSIC_ONLY}"),
            // Off the board every test is false.
            Condition::Test(test, place) => match self.place(place) {
                Some(cell) => self.test(*test, cell)?,
                None => {
                    let empty_off_board = self.runner.model.options.quirks.empty_off_board;
                    *test == Test::Empty && empty_off_board == EmptyOffBoard::True
                }
            },
        })
    }

    fn test(&mut self, test: Test, cell: CellId) -> Result<bool, Stop> {
        let Runner {
            model,
            situation,
            player,
            ..
        } = self.runner;
        let piece = situation.piece(cell);
        Ok(match test {
            Test::Empty => piece.is_none(),
            Test::Friend => piece.is_some_and(|piece| piece.player == player),
            Test::Enemy => piece.is_some_and(|piece| is_enemy(model, player, piece.player)),
            Test::Neutral => {
                piece.is_some_and(|piece| piece.player != player && !is_enemy(model, player, piece.player))
            }
            Test::Piece(kind) => piece.is_some_and(|piece| piece.kind == kind),
            Test::Owner(_) => panic!("{CLASSIC_ONLY}"),
            Test::OnBoard => true,
            Test::InZone(zone) => model.board.zones[zone.index()].cells[player.index()].contains(&cell),
            Test::Position(other) => cell == other,
            Test::Marked => self.mark == Some(cell),
            Test::LastFrom => situation.last_from == Some(cell),
            Test::LastTo => situation.last_to == Some(cell),
            Test::PositionFlag(flag) => self.position_flags.contains(&(flag, cell)),
            Test::Attribute(attribute) => piece.is_some_and(|piece| piece.attributes[attribute.index()] != 0),
            Test::AdjacentToEnemy => {
                let directions = (0..model.board.directions.len()).filter_map(DirectionId::new);
                directions
                    .filter_map(|direction| model.board.step(cell, direction))
                    .filter_map(|neighbor| situation.piece(neighbor))
                    .any(|neighbor| is_enemy(model, player, neighbor.player))
            }
            Test::GoalPosition => is_goal_position(model, cell),
            Test::Attacked(move_type) => {
                !self.runner.in_attack_test
                    && attack::is_attacked(self.runner, cell, move_type).map_err(|Endless| Stop::Endless)?
            }
            Test::Defended(move_type) => {
                !self.runner.in_attack_test
                    && attack::is_defended(self.runner, cell, move_type).map_err(|Endless| Stop::Endless)?
            }
        })
    }
}
