//! The ways in which a block takes pieces.

use super::situation::{Event, GivesUp, Question, Situation, Symbolic};
use super::universe::Mask;
use crate::model::CellId;

/// Something that must hold for a piece to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Literal {
    /// The occupant of the cell belongs to the set.
    Occupant(CellId, Mask),
    /// The previous move started at the cell, or did not.
    LastFrom(CellId, bool),
    /// The previous move ended at the cell, or did not.
    LastTo(CellId, bool),
    /// The attribute in the slot is other than 0, or is not.
    Attribute(u32, bool),
}

/// The cell on which something is taken, and all that must hold for it.
pub(super) type Taking = (CellId, Vec<Literal>);

const FUEL: usize = 6_000;
const PATH_LIMIT: usize = 600;

/// Lists the ways in which a block takes something.
pub(super) fn takings(run: &Symbolic<'_>, found: &mut Vec<Taking>, game_fuel: &mut usize) -> Result<(), GivesUp> {
    let mut walk = Walk {
        run,
        fuel: FUEL.min(*game_fuel),
        n_paths: 0,
        found,
    };
    let before = walk.fuel;
    let followed = walk.follow(run.begin(), &mut Vec::new());
    *game_fuel -= before - walk.fuel;
    followed
}

struct Walk<'a> {
    run: &'a Symbolic<'a>,
    fuel: usize,
    n_paths: usize,
    found: &'a mut Vec<Taking>,
}

impl Walk<'_> {
    fn follow(&mut self, mut s: Situation, literals: &mut Vec<Literal>) -> Result<(), GivesUp> {
        loop {
            match self.run.follow(&mut s, &mut self.fuel)? {
                Event::End => return Ok(()),
                Event::Effect(_) => {}
                Event::Capture(cell) => s.captures.push(cell),
                Event::Add(_) => {
                    let arrives = [(s.from, s.destination())];
                    let arrives = arrives.iter().chain(&s.movements);
                    let arrived = arrives.filter(|(from, to)| from != to).map(|&(_, to)| to);
                    let mut cells: Vec<CellId> = arrived.chain(s.captures.iter().copied()).collect();
                    cells.sort_unstable();
                    cells.dedup();
                    for cell in cells.into_iter().filter(|&cell| cell != self.run.start) {
                        self.n_paths += 1;
                        self.found.push((cell, literals.clone()));
                    }
                    if self.n_paths > PATH_LIMIT {
                        return Err(GivesUp);
                    }
                    self.run.after_add(&mut s);
                }
                Event::Ask(question) => {
                    for answer in [true, false] {
                        let n_literals = literals.len();
                        if self.assume(question, answer, literals)? {
                            let mut next = s.clone();
                            self.run.answer(&mut next, question, answer);
                            self.follow(next, literals)?;
                        }
                        literals.truncate(n_literals);
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Adds the answer to what must hold; false if it cannot hold with the rest.
    fn assume(&self, question: Question, answer: bool, literals: &mut Vec<Literal>) -> Result<bool, GivesUp> {
        match question {
            Question::Occupant { cell, set } => {
                let mut set = if answer { set } else { self.run.universe.all() & !set };
                for literal in literals.iter() {
                    if let Literal::Occupant(other, known) = *literal
                        && other == cell
                    {
                        set &= known;
                    }
                }
                literals.push(Literal::Occupant(cell, set));
                return Ok(set != 0);
            }
            Question::Attribute { slot } => literals.push(Literal::Attribute(slot, answer)),
            Question::LastFrom { cell } => literals.push(Literal::LastFrom(cell, answer)),
            Question::LastTo { cell } => literals.push(Literal::LastTo(cell, answer)),
            // One of several: no conjunction says so. Attack tests are answered within an attack.
            Question::Neighbors { .. } | Question::Attack(_) => return Err(GivesUp),
        }
        Ok(true)
    }
}
