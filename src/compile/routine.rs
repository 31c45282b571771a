//! Code that is no move block: consequences, turns, scores, setups.

use super::moves::Compiler;
use crate::model::expression::{Number, Set};
use crate::model::extension::{PlayerNumber, RandomItemKind};
use crate::model::{Occupant, PlayerId, Site};
use crate::program::{Address, Op, Routines, SetupStep};

impl Compiler<'_> {
    /// Emits all routines of the game.
    pub(super) fn emit_routines(&mut self) -> Routines {
        let extensions = &self.model.extensions;
        let players: Vec<PlayerId> = self.model.player_ids().collect();
        let nobody = self.model.nobody();
        let mut routines = Routines {
            after_move: players.iter().map(|&player| self.emit_after_move(player)).collect(),
            ..Routines::default()
        };
        for skip in &extensions.skips {
            let address = self.emit_condition_routine(skip.player, &skip.condition, skip.site);
            routines.skips.push((skip.player, address));
        }
        if let Some(actor) = &extensions.actor {
            let site = actor.site;
            let best = Set::MinBy(Box::new(actor.set.clone()), actor.order.clone());
            routines.actor = Some(self.emit_routine(nobody, 0, site, |compiler, _| {
                let list = compiler.emit_list(&best, site);
                compiler.assembler.emit(Op::LookFirst { list }, site);
                let at = crate::program::At::Look;
                compiler.assembler.emit(Op::PushCell { at }, site);
                compiler.assembler.emit(Op::Return, site);
                compiler.close_list(list);
            }));
            let block = &actor.new_round;
            routines.new_round = Some(self.emit_routine(nobody, block.lets.len(), site, |compiler, end| {
                compiler.emit_instructions(&block.instructions, end);
                compiler.assembler.emit(Op::Finish, site);
            }));
        }
        if let Some(turn) = &extensions.maximize_turn {
            routines.maximize_turn = (players.iter())
                .map(|&player| self.emit_number_routine(player, &turn.number, turn.site))
                .collect();
        }
        let by_player = |compiler: &mut Self, numbers: &[PlayerNumber]| -> Vec<Option<Address>> {
            (players.iter())
                .map(|&player| {
                    let meant = numbers.iter().rev().find(|number| number.players.contains(&player))?;
                    Some(compiler.emit_number_routine(player, &meant.number, meant.site))
                })
                .collect()
        };
        routines.scores = by_player(self, &extensions.scores);
        routines.evaluations = by_player(self, &extensions.evaluations);
        routines.forced = (players.iter())
            .map(|&player| {
                let policy = (extensions.policies.iter().rev()).find(|policy| policy.players.contains(&player))?;
                let forced = policy.forced.as_ref()?;
                Some(self.emit_condition_routine(player, forced, policy.site))
            })
            .collect();
        if let Some(setup) = &extensions.random_setup {
            for item in &setup.items {
                let site = item.site;
                let lets = setup.lets.len();
                routines.random_setup.push(match &item.kind {
                    RandomItemKind::Pieces {
                        player,
                        kind,
                        count,
                        set,
                    } => {
                        let piece: Occupant = self.occupants.of(*player, *kind);
                        SetupStep::Pieces {
                            piece,
                            count: self.emit_setup_number(count, lets, site),
                            set: self.emit_routine(nobody, lets, site, |compiler, _| {
                                let list = compiler.emit_list(set, site);
                                compiler.assembler.emit(Op::Push { value: 0 }, site);
                                compiler.assembler.emit(Op::Return, site);
                                compiler.close_list(list);
                            }),
                            site,
                        }
                    }
                    RandomItemKind::Instruction(instruction) => SetupStep::Run {
                        address: self.emit_routine(nobody, lets, site, |compiler, end| {
                            compiler.emit_instructions(std::slice::from_ref(instruction), end);
                            compiler.assembler.emit(Op::Push { value: 1 }, site);
                            compiler.assembler.emit(Op::Return, site);
                        }),
                        site,
                    },
                });
            }
        }
        self.emit_cell_tests();
        routines
    }

    /// Emits the tail of the plies of a player: all such sections, one after the other.
    fn emit_after_move(&mut self, player: PlayerId) -> Option<Address> {
        let extensions = &self.model.extensions;
        let sections: Vec<_> = (extensions.after_moves.iter())
            .filter(|after| after.players.contains(&player))
            .collect();
        let site = sections.last()?.block.site;
        let lets = sections.iter().map(|after| after.block.lets.len()).max().unwrap_or(0);
        Some(self.emit_routine(player, lets, site, |compiler, end| {
            for after in sections {
                compiler.assembler.emit(Op::Then, after.block.site);
                compiler.assembler.emit(Op::Fresh, after.block.site);
                compiler.assembler.emit(Op::GoArrival, after.block.site);
                compiler.emit_instructions(&after.block.instructions, end);
            }
            compiler.assembler.emit(Op::Finish, site);
        }))
    }

    /// Emits code that returns a number.
    fn emit_number_routine(&mut self, player: PlayerId, number: &Number, site: Site) -> Address {
        self.emit_routine(player, 0, site, |compiler, _| {
            compiler.emit_number(number, site);
            compiler.assembler.emit(Op::Return, site);
        })
    }

    fn emit_setup_number(&mut self, number: &Number, lets: usize, site: Site) -> Address {
        self.emit_routine(self.model.nobody(), lets, site, |compiler, _| {
            compiler.emit_number(number, site);
            compiler.assembler.emit(Op::Return, site);
        })
    }
}
