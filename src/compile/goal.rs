//! Goals, resolved for each of their players.

use super::moves::Compiler;
use crate::model::goal::{Goal, GoalCondition, GoalPlace, OccupantOwner, OccupantTest};
use crate::model::quirk::ConfigPlaces;
use crate::model::{CellId, DirectionId, GameModel, Occupant, Occupants, PieceKindId, PlayerId, Site};
use crate::program::goal::{GoalProgram, GoalTest, OccupantSet, PlaceTest};

impl Compiler<'_> {
    /// Resolves all goals, in file order.
    pub(super) fn compile_goals(&mut self) -> Vec<GoalProgram> {
        let model = self.model;
        model.goals.iter().map(|goal| compile_goal(self, goal)).collect()
    }
}

fn compile_goal(compiler: &mut Compiler<'_>, goal: &Goal) -> GoalProgram {
    let mut speaks_of_repetition = false;
    goal.condition
        .walk(&mut |part| speaks_of_repetition |= matches!(part, GoalCondition::Repetition));
    GoalProgram {
        kind: goal.kind,
        tests: goal
            .players
            .iter()
            .map(|&player| {
                (
                    player,
                    Resolver {
                        model: compiler.model,
                        occupants: compiler.occupants,
                        compiler,
                        player,
                        site: goal.site,
                    }
                    .test(&goal.condition),
                )
            })
            .collect(),
        speaks_of_the_turn: goal.condition.speaks_of_the_turn(),
        speaks_of_repetition,
    }
}

struct Resolver<'c, 'a> {
    compiler: &'c mut Compiler<'a>,
    model: &'a GameModel,
    occupants: &'a Occupants,
    player: PlayerId,
    site: Site,
}

impl Resolver<'_, '_> {
    fn test(&mut self, condition: &GoalCondition) -> GoalTest {
        match condition {
            GoalCondition::Stalemated => GoalTest::Stalemated,
            GoalCondition::Repetition => GoalTest::Repetition,
            GoalCondition::Checkmated(kinds) => GoalTest::Checkmated(self.own(kinds)),
            GoalCondition::Captured(kinds) => {
                let pieces = self.own(kinds);
                GoalTest::Captured(OccupantSet::new(self.occupants.len(), |occupant| {
                    pieces.contains(&occupant)
                }))
            }
            GoalCondition::AbsoluteConfig(tests, places) => {
                let tests = tests
                    .iter()
                    .map(|test| PlaceTest {
                        pieces: self.pieces(test),
                        none: test.negated,
                    })
                    .collect();
                let places: Vec<Vec<CellId>> = places
                    .iter()
                    .map(|place| match *place {
                        GoalPlace::Cell(cell) => vec![cell],
                        GoalPlace::Zone(zone) => {
                            self.model.board.zones[zone.index()].cells[self.player.index()].clone()
                        }
                    })
                    .collect();
                GoalTest::AbsoluteConfig {
                    tests,
                    places,
                    any: self.model.options.quirks.config_places == ConfigPlaces::Any,
                }
            }
            GoalCondition::RelativeConfig(first, steps) => {
                let steps: Vec<_> = (steps.iter())
                    .map(|(direction, test)| {
                        let direction = self.model.board.mirrored(self.player, *direction);
                        (direction, self.occupants_of(test))
                    })
                    .collect();
                GoalTest::RelativeConfig {
                    starts_with: (first.owner == OccupantOwner::Friend && !first.negated).then_some(self.player),
                    first: self.occupants_of(first),
                    through: self.chains_through(&steps),
                    steps,
                }
            }
            GoalCondition::PiecesRemaining(equals, kind) => GoalTest::PieceCount {
                pieces: self
                    .counted(*kind)
                    .filter(|&piece| self.occupants.owner(piece) == self.player)
                    .collect(),
                equals: *equals,
                with_stock: self.model.options.include_off_pieces,
            },
            GoalCondition::TotalPieceCount(equals, kind) => GoalTest::PieceCount {
                pieces: self.counted(*kind).collect(),
                equals: *equals,
                with_stock: self.model.options.include_off_pieces,
            },
            GoalCondition::Holds(condition) => {
                GoalTest::Code(self.compiler.emit_condition_routine(self.player, condition, self.site))
            }
            GoalCondition::And(parts) => GoalTest::And(parts.iter().map(|part| self.test(part)).collect()),
            GoalCondition::Or(parts) => GoalTest::Or(parts.iter().map(|part| self.test(part)).collect()),
            GoalCondition::Not(part) => GoalTest::Not(Box::new(self.test(part))),
        }
    }

    /// Returns for each cell the starts of the chains of steps that lead over it without leaving the board.
    fn chains_through(&self, steps: &[(DirectionId, OccupantSet)]) -> Vec<Vec<CellId>> {
        let board = &self.model.board;
        let mut through = vec![Vec::new(); board.cells.len()];
        for start in board.cell_ids() {
            let next = |cell: &CellId, direction: DirectionId| board.step(*cell, direction);
            let mut cells = vec![start];
            for &(direction, _) in steps {
                match cells.last().and_then(|cell| next(cell, direction)) {
                    Some(cell) => cells.push(cell),
                    None => break,
                }
            }
            if cells.len() == steps.len() + 1 {
                cells.into_iter().for_each(|cell| through[cell.index()].push(start));
            }
        }
        through
    }

    fn own(&self, kinds: &[PieceKindId]) -> Vec<Occupant> {
        kinds.iter().map(|&kind| self.occupants.of(self.player, kind)).collect()
    }

    /// Returns the pieces that a count of a kind, or of all kinds, counts.
    fn counted(&self, kind: Option<PieceKindId>) -> impl Iterator<Item = Occupant> + '_ {
        self.occupants.pieces().filter(move |&piece| match kind {
            Some(kind) => self.occupants.kind(piece) == kind,
            None => !self.model.kinds[self.occupants.kind(piece).index()].dummy,
        })
    }

    /// Returns the pieces that a test looks for, its negation left aside.
    fn pieces(&self, test: &OccupantTest) -> OccupantSet {
        OccupantSet::new(self.occupants.len(), |occupant| {
            occupant.is_some() && self.is_meant(test, occupant)
        })
    }

    /// Returns the occupants of a cell, nothing included, for which a test holds.
    fn occupants_of(&self, test: &OccupantTest) -> OccupantSet {
        OccupantSet::new(self.occupants.len(), |occupant| {
            (occupant.is_some() && self.is_meant(test, occupant)) != test.negated
        })
    }

    fn is_meant(&self, test: &OccupantTest, piece: Occupant) -> bool {
        let owner = self.occupants.owner(piece);
        self.occupants.kind(piece) == test.kind
            && match test.owner {
                OccupantOwner::Friend => owner == self.player,
                OccupantOwner::Enemy => owner != self.player && self.model.players[owner.index()].takes_turns,
                OccupantOwner::Any => true,
            }
    }
}
