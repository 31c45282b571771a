//! The games of a match: who plays which player, how games begin, and how they end.

use ludex::bridge::Evaluation;
use ludex::model::PlayerId;
use ludex::play::Decision;
use ludex::play::playout::{Ending, below};
use ludex::{Fault, Outcome, Rules, Session};
use rand_chacha::ChaCha8Rng;

use super::super::engine::Interrupt;
use super::super::failure::{Exit, Failure, Result};
use super::super::game::{Opened, draw};
use super::super::output::{Progress, remark};
use super::super::play::game::Game;
use super::super::players;
use super::super::search::no_choice;
use super::seat::{Purpose, Seat};
use super::spec::Spec;

/// How often an opening is drawn until one leaves the game open.
const DRAWS: usize = 100;

/// How the games of a match are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What every choice follows from.
    pub seed: u64,
    /// The plies that each game begins with at random.
    pub openings: usize,
    /// The plies after which a game is cut.
    pub max_plies: usize,
    /// Who plays which player.
    pub seating: Seating,
}

/// Who plays which player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seating {
    /// In all games the same.
    Fixed,
    /// In each game the next; after as many games as there are players each has played all of them.
    Turning,
}

/// A match in progress.
#[derive(Debug)]
pub struct Contest {
    pub opened: Opened,
    pub plan: Plan,
    /// The players that decide, in the order of the rules.
    pub deciders: Vec<PlayerId>,
    /// Who plays them, in the same order in the first game.
    pub seats: Vec<Seat>,
    start: Session,
    evaluation: Evaluation,
    interrupt: Interrupt,
    has_told_fault: bool,
}

/// A game that was played.
#[derive(Debug)]
pub struct Played {
    /// The last round of the game.
    pub game: Game,
    /// The plies of all rounds.
    pub n_plies: usize,
    pub ending: Ending,
    /// The seat of each decider.
    pub seating: Vec<usize>,
    /// For each decider, whether it won.
    pub won: Vec<bool>,
}

impl Contest {
    /// Prepares a match from `start`; `specs` are those of the deciders.
    pub fn new(opened: Opened, start: Session, specs: Vec<Spec>, plan: Plan) -> Result<Contest> {
        let rules = &opened.rules;
        let interrupt = Interrupt::listen_throughout();
        let seat = |(number, spec)| Seat::new(&opened, spec, number, plan.seed, interrupt.clone());
        let seats = specs.into_iter().enumerate().map(seat).collect::<Result<_>>()?;
        Ok(Contest {
            plan,
            deciders: players::deciders(rules),
            seats,
            start,
            evaluation: opened.evaluation()?,
            interrupt,
            has_told_fault: false,
            opened,
        })
    }

    /// Plays game `number`, from 0; whichever games were played before, it is the same. Returns nothing if it was
    /// interrupted.
    pub fn play_game(&mut self, number: u64, progress: &mut Progress) -> Result<Option<Played>> {
        // Games in which only the seats differ begin alike.
        let round = match self.plan.seating {
            Seating::Fixed => number,
            Seating::Turning => number / self.seats.len().max(1) as u64,
        };
        let first_seating = self.seating(number);
        let mut seating = first_seating.clone();
        let (mut n_earlier, mut n_rounds) = (0, 0);
        self.seats.iter_mut().for_each(|seat| seat.begin_game(number));
        let mut dice = Purpose::Dice.random(self.plan.seed, round);
        let mut game = self.open(round)?;
        let ending = loop {
            if self.interrupt.is_pressed() {
                return Ok(None);
            }
            if let Some(outcome) = game.outcome() {
                // The rounds of one game are played one after the other, with the sides exchanged.
                match game.next_round(&mut dice).map_err(|fault| self.opened.fault(fault))? {
                    Some(next) => {
                        seating = self.exchanged(&seating);
                        n_earlier += game.plies().len();
                        n_rounds += 1;
                        game = next;
                        continue;
                    }
                    None => break Ending::Over(outcome),
                }
            }
            if n_earlier + game.plies().len() >= self.plan.max_plies {
                break Ending::Cut;
            }
            progress.show(|| format!("game {}, ply {}", number + 1, game.plies().len()));
            match self.make_ply(&mut game, &seating, &mut dice) {
                Ok(()) => {}
                Err(Stop::Fault(fault)) => break Ending::Fault(fault),
                Err(Stop::NoChoice) => return Err(no_choice()),
            }
        };
        let mut won = match ending {
            Ending::Over(outcome) => self.deciders.iter().map(|&player| self.wins(outcome, player)).collect(),
            Ending::Cut | Ending::Fault(_) => vec![false; self.deciders.len()],
        };
        // Told of the sides that each had in the first round.
        if Exchange::of(&self.opened.rules) == Exchange::Sides && !won.is_empty() {
            let turned = n_rounds % won.len();
            won.rotate_left(turned);
        }
        Ok(Some(Played {
            n_plies: n_earlier + game.plies().len(),
            game,
            ending,
            seating: first_seating,
            won,
        }))
    }

    /// Returns the seat of each decider in a game.
    pub fn seating(&self, number: u64) -> Vec<usize> {
        let n_seats = self.seats.len();
        let turned = match self.plan.seating {
            Seating::Fixed => 0,
            Seating::Turning => (number % n_seats.max(1) as u64) as usize,
        };
        (0..n_seats).map(|decider| (decider + turned) % n_seats).collect()
    }

    /// Returns who sits where after an exchange of sides.
    fn exchanged(&self, seating: &[usize]) -> Vec<usize> {
        let mut exchanged = seating.to_vec();
        if Exchange::of(&self.opened.rules) == Exchange::Sides && !exchanged.is_empty() {
            exchanged.rotate_right(1);
        }
        exchanged
    }

    /// Returns the names of the players that decide.
    pub fn names(&self) -> Vec<&str> {
        let names = self
            .deciders
            .iter()
            .map(|&player| players::name(&self.opened.rules, player));
        names.collect()
    }

    /// Writes who plays which player in a game.
    pub fn seating_text(&self, seating: &[usize]) -> String {
        let seats = seating.iter().map(|&seat| &self.seats[seat].spec);
        let texts: Vec<String> = (self.names().into_iter().zip(seats))
            .map(|(name, spec)| format!("{name} {spec}"))
            .collect();
        texts.join(", ")
    }

    /// Begins a game with an opening.
    fn open(&self, round: u64) -> Result<Game> {
        let mut random = Purpose::Opening.random(self.plan.seed, round);
        let fault = |fault| self.opened.fault(fault);
        for _ in 0..DRAWS {
            let mut game = Game::new(self.start.clone()).map_err(fault)?;
            while !game.is_over() && game.plies().len() < self.plan.openings {
                let index = below(&mut random, game.moves().len().max(1));
                game.make(index).map_err(fault)?;
            }
            if !game.is_over() || self.plan.openings == 0 {
                return Ok(game);
            }
        }
        Err(Failure::Message(
            Exit::Limit,
            format!(
                "after {} random plies the game is over, in each of {DRAWS} tries; `--openings` asks for too many",
                self.plan.openings
            ),
        ))
    }

    fn make_ply(&mut self, game: &mut Game, seating: &[usize], dice: &mut ChaCha8Rng) -> std::result::Result<(), Stop> {
        let session = game.session();
        let index = if session.is_chance() {
            below(dice, game.moves().len().max(1))
        } else {
            let mover = session.to_move();
            let decider = self.deciders.iter().position(|&player| player == mover);
            let seat = decider.and_then(|decider| self.seats.get_mut(seating[decider]));
            let choice = seat.ok_or(Stop::NoChoice)?.choose(session, game.moves())?;
            let choice = choice.ok_or(Stop::NoChoice)?;
            // A fault further on is no reason to end the game here.
            if let Some(fault) = choice
                .fault
                .filter(|_| !std::mem::replace(&mut self.has_told_fault, true))
            {
                let diagnostic = self.opened.file.explain_fault(&self.opened.rules, fault);
                remark(&draw(&self.opened.file, &diagnostic));
            }
            choice.index
        };
        Ok(game.make(index)?)
    }

    /// Tells whether a decider wins, with all players that move at its word.
    fn wins(&self, outcome: Outcome, decider: PlayerId) -> bool {
        let is_own = |player| self.evaluation.side(player) == self.evaluation.side(decider);
        match outcome.decision {
            Decision::Win(winner) => is_own(winner),
            Decision::Loss(loser) => !is_own(loser),
            Decision::Draw | Decision::Level(_) => false,
        }
    }
}

/// What is exchanged between the rounds of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exchange {
    Nothing,
    Sides,
}

impl Exchange {
    fn of(rules: &Rules) -> Exchange {
        match rules.model.extensions.match_rule {
            Some(rule) if rule.swap_sides => Exchange::Sides,
            _ => Exchange::Nothing,
        }
    }
}

/// Why a game cannot go on.
enum Stop {
    Fault(Fault),
    NoChoice,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}
