//! Goals, and the end of the game.

use ludex::model::goal::{Goal, GoalCondition, GoalKind, GoalPlace, OccupantOwner, OccupantTest};
use ludex::model::quirk::{ConfigPlaces, GoalsInChain, NoMove, Repetition};
use ludex::model::{CellId, DirectionId, GameModel, PieceKindId, PlayerId};
use ludex::play::{Decision, Outcome, Reason};

use crate::attack::is_in_check;
use crate::moves::Move;
use crate::run::Endless;
use crate::situation::{Piece, Position, Situation, is_enemy};

/// What a goal can ask about besides the situation.
pub struct Circumstances<'a> {
    pub model: &'a GameModel,
    pub situation: &'a Situation,
    /// What the last move captured.
    pub captured: &'a [Piece],
    /// Who is to move, if without a legal move.
    pub stuck: Option<PlayerId>,
    /// On whose behalf that player moves.
    pub acts_as: PlayerId,
    pub repeated: bool,
}

/// The outcome by goals about the board, which are tested after every move in file order.
pub fn board_outcome(model: &GameModel, situation: &Situation, captured: &[Piece]) -> Result<Option<Outcome>, Endless> {
    if situation.position.chain.is_some() && model.options.quirks.goals_in_chain == GoalsInChain::TurnEnd {
        return Ok(None);
    }
    let circumstances = Circumstances {
        model,
        situation,
        captured,
        stuck: None,
        acts_as: situation.turn_item(model).acts_as,
        repeated: false,
    };
    for (index, goal) in model.goals.iter().enumerate() {
        if !goal.condition.speaks_of_the_turn() {
            let outcome = circumstances.outcome(index, goal, &goal.players)?;
            if outcome.is_some() {
                return Ok(outcome);
            }
        }
    }
    Ok(None)
}

/// The outcome by goals about the turn and about earlier positions, once the legal moves are known.
pub fn turn_outcome(
    model: &GameModel,
    situation: &Situation,
    captured: &[Piece],
    history: &[Position],
    moves: &[Move],
    mover: Option<PlayerId>,
) -> Result<Option<Outcome>, Endless> {
    if situation.position.chain.is_some() {
        return Ok(None);
    }
    let item = situation.turn_item(model);
    let occurrences = history
        .iter()
        .filter(|&position| *position == situation.position)
        .count();
    let circumstances = Circumstances {
        model,
        situation,
        captured,
        stuck: moves.is_empty().then_some(item.player),
        acts_as: item.acts_as,
        repeated: occurrences >= 3,
    };
    let mut repetition_has_goal = false;
    for (index, goal) in model.goals.iter().enumerate() {
        if !goal.condition.speaks_of_the_turn() {
            continue;
        }
        let mut players = vec![item.player];
        if speaks_of_repetition(&goal.condition) {
            repetition_has_goal = true;
            // Meant for the player who brought the repetition about.
            players = mover.into_iter().collect();
            players.extend(goal.players.iter().filter(|&&player| Some(player) != mover));
        }
        players.retain(|player| goal.players.contains(player));
        let outcome = circumstances.outcome(index, goal, &players)?;
        if outcome.is_some() {
            return Ok(outcome);
        }
    }
    let outcome = |decision, reason| Ok(Some(Outcome { decision, reason }));
    match model.options.quirks.no_move {
        NoMove::Draw if moves.is_empty() => return outcome(Decision::Draw, Reason::NoMove),
        NoMove::Loss if moves.is_empty() => return outcome(Decision::Loss(item.player), Reason::NoMove),
        NoMove::Draw | NoMove::Loss => {}
    }
    let draws_by_repetition = !repetition_has_goal && model.options.quirks.repetition == Repetition::Draw;
    if occurrences >= 3 && draws_by_repetition {
        return outcome(Decision::Draw, Reason::Repetition);
    }
    Ok(None)
}

fn speaks_of_repetition(condition: &GoalCondition) -> bool {
    let mut found = false;
    condition.walk(&mut |part| found |= matches!(part, GoalCondition::Repetition));
    found
}

impl Circumstances<'_> {
    fn outcome(&self, index: usize, goal: &Goal, players: &[PlayerId]) -> Result<Option<Outcome>, Endless> {
        for &player in players {
            if self.holds(&goal.condition, player)? {
                let decision = match goal.kind {
                    GoalKind::Win => Decision::Win(player),
                    GoalKind::Loss => Decision::Loss(player),
                    GoalKind::Draw => Decision::Draw,
                    GoalKind::Count => self.most_pieces(),
                    GoalKind::End => panic!("an end-condition in a classic game"),
                };
                let reason = Reason::Goal { goal: index, player };
                return Ok(Some(Outcome { decision, reason }));
            }
        }
        Ok(None)
    }

    fn holds(&self, condition: &GoalCondition, player: PlayerId) -> Result<bool, Endless> {
        let model = self.model;
        Ok(match condition {
            GoalCondition::Stalemated => self.stuck == Some(player),
            GoalCondition::Repetition => self.repeated,
            GoalCondition::Checkmated(kinds) => {
                self.stuck == Some(player) && is_in_check(model, self.situation, self.acts_as, kinds)?
            }
            GoalCondition::Holds(_) => panic!("a condition of its own in a classic game"),
            GoalCondition::Captured(kinds) => {
                let is_meant = |piece: &Piece| piece.player == player && kinds.contains(&piece.kind);
                self.captured.iter().any(is_meant)
            }
            GoalCondition::AbsoluteConfig(occupants, places) => {
                let mut held = places.iter().map(|place| match *place {
                    GoalPlace::Cell(cell) => occupants.iter().any(|occupant| self.is_on(occupant, cell, player)),
                    GoalPlace::Zone(zone) => {
                        let cells = &model.board.zones[zone.index()].cells[player.index()];
                        occupants.iter().any(|occupant| self.is_in(occupant, cells, player))
                    }
                });
                match model.options.quirks.config_places {
                    ConfigPlaces::All => held.all(|is_held| is_held),
                    ConfigPlaces::Any => held.any(|is_held| is_held),
                }
            }
            GoalCondition::RelativeConfig(first, steps) => model
                .board
                .cell_ids()
                .any(|start| self.is_chain(first, steps, start, player)),
            GoalCondition::PiecesRemaining(count, kind) => self.count(Some(player), *kind) == u64::from(*count),
            GoalCondition::TotalPieceCount(count, kind) => self.count(None, *kind) == u64::from(*count),
            GoalCondition::And(parts) => {
                for part in parts {
                    if !self.holds(part, player)? {
                        return Ok(false);
                    }
                }
                true
            }
            GoalCondition::Or(parts) => {
                for part in parts {
                    if self.holds(part, player)? {
                        return Ok(true);
                    }
                }
                false
            }
            GoalCondition::Not(part) => !self.holds(part, player)?,
        })
    }

    /// Tells whether a cell holds the occupant, not minding a `not`.
    fn has(&self, occupant: &OccupantTest, cell: CellId, player: PlayerId) -> bool {
        self.situation.piece(cell).is_some_and(|piece| {
            piece.kind == occupant.kind
                && match occupant.owner {
                    OccupantOwner::Friend => piece.player == player,
                    OccupantOwner::Enemy => is_enemy(self.model, player, piece.player),
                    OccupantOwner::Any => true,
                }
        })
    }

    fn is_on(&self, occupant: &OccupantTest, cell: CellId, player: PlayerId) -> bool {
        self.has(occupant, cell, player) != occupant.negated
    }

    /// On a zone: somewhere in it; with `not`, nowhere in it.
    fn is_in(&self, occupant: &OccupantTest, cells: &[CellId], player: PlayerId) -> bool {
        cells.iter().any(|&cell| self.has(occupant, cell, player)) != occupant.negated
    }

    fn is_chain(
        &self,
        first: &OccupantTest,
        steps: &[(DirectionId, OccupantTest)],
        start: CellId,
        player: PlayerId,
    ) -> bool {
        let board = &self.model.board;
        if !self.is_on(first, start, player) {
            return false;
        }
        let mut cell = start;
        for (direction, occupant) in steps {
            match board.step(cell, board.mirrored(player, *direction)) {
                Some(next) if self.is_on(occupant, next, player) => cell = next,
                _ => return false,
            }
        }
        true
    }

    /// Counts the pieces of a player or of all, of one type or of all that are not dummies.
    fn count(&self, player: Option<PlayerId>, kind: Option<PieceKindId>) -> u64 {
        let counts = |owner: PlayerId, of: PieceKindId| {
            player.is_none_or(|player| player == owner)
                && match kind {
                    Some(kind) => kind == of,
                    None => !self.model.kinds[of.index()].dummy,
                }
        };
        let position = &self.situation.position;
        let on_board = position
            .pieces
            .values()
            .filter(|piece| counts(piece.player, piece.kind))
            .count() as u64;
        let stock = position.stock.iter().filter(|&(&(owner, of), _)| counts(owner, of));
        let in_hand: u64 = stock.map(|(_, &count)| u64::from(count)).sum();
        on_board
            + if self.model.options.include_off_pieces {
                in_hand
            } else {
                0
            }
    }

    /// `count-condition`: the one player with the most pieces wins.
    fn most_pieces(&self) -> Decision {
        let plays = |id: &PlayerId| {
            let player = &self.model.players[id.index()];
            player.takes_turns && !player.random
        };
        let players: Vec<PlayerId> = self.model.player_ids().filter(plays).collect();
        let count = |player: &PlayerId| self.count(Some(*player), None);
        let most = players.iter().map(count).max().unwrap_or(0);
        let winners: Vec<PlayerId> = players.into_iter().filter(|player| count(player) == most).collect();
        match winners[..] {
            [winner] => Decision::Win(winner),
            _ => Decision::Draw,
        }
    }
}

/// `goal-position?`: the cell occurs in an `absolute-config` goal of any player.
pub fn is_goal_position(model: &GameModel, cell: CellId) -> bool {
    let mut found = false;
    for goal in &model.goals {
        goal.condition.walk(&mut |condition| {
            if let GoalCondition::AbsoluteConfig(_, places) = condition {
                found |= places.iter().any(|place| match *place {
                    GoalPlace::Cell(other) => other == cell,
                    GoalPlace::Zone(zone) => {
                        let cells = &model.board.zones[zone.index()].cells;
                        goal.players.iter().any(|player| cells[player.index()].contains(&cell))
                    }
                });
            }
        });
    }
    found
}
