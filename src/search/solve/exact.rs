//! The value of a state: all lines are followed to their ends, until it is certain what can be reached against every
//! defence.
//!
//! Two questions are asked, whether the hero can win and, if not, whether it can draw. Each has yes or no for an answer:
//! where the hero acts one move has to lead to a yes, where others or chance act all have to.
//! A table keeps the answers; of those that share a place the ones stay that took most work.
//! At each state all moves are made once to see whether one of them settles it at once, or a reply to it does that the
//! game foresees. The others are followed in the order of how good the states after them seem, and of how often they have
//! settled states elsewhere before others did (*history*).
//!
//! A yes or no rests on ends of the game alone, never on a state above it on the same line: where a state comes again,
//! or lines grow too long, the search gives up.

use super::super::game::{Actor, Ending, Outcome};
use super::super::report::Step;
use super::super::table::squeeze;
use super::{End, Solvable, Work};

/// The size of the table, in units of 2^20 bytes.
const MEGABYTES: usize = 512;
/// The longest line.
const LONGEST: usize = 512;
/// How much history weighs as much as a score point.
const HISTORY_PART: i32 = 2;
/// Places of the history for the hero, and as many for the others.
const HISTORY_SLOTS: usize = 1 << 12;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Win,
    /// At least a draw.
    Draw,
}

impl Goal {
    fn is_reached(self, ending: Ending) -> bool {
        match self {
            Goal::Win => ending == Ending::Win,
            Goal::Draw => ending != Ending::Loss,
        }
    }
}

enum Stop<F> {
    Spent,
    /// A state came again, or a line is too long.
    Endless,
    Fault(F),
}

impl<F> From<F> for Stop<F> {
    fn from(fault: F) -> Stop<F> {
        Stop::Fault(fault)
    }
}

#[derive(Default)]
struct Ply<M> {
    moves: M,
    /// The moves to follow, by merit.
    order: Vec<(i32, u32)>,
}

/// What has been found out up to now; the work can be gone on with.
pub(super) struct Exact<M> {
    answers: Answers,
    /// By whether the hero acts, and the squeezed fingerprint of a move.
    history: Box<[i32]>,
    stack: Vec<Ply<M>>,
    /// The keys of the states on the present line.
    line: Vec<u64>,
    /// The moves after one that is looked at; kept for their memory.
    replies: M,
    goal: Goal,
    is_endless: bool,
}

impl<M: Default> Exact<M> {
    pub(super) fn new() -> Exact<M> {
        Exact {
            answers: Answers::new(MEGABYTES),
            history: vec![0; 2 * HISTORY_SLOTS].into(),
            stack: Vec::new(),
            line: Vec::new(),
            replies: M::default(),
            goal: Goal::Win,
            is_endless: false,
        }
    }

    /// Looks for the value of the present state.
    pub(super) fn search<G: Solvable<Moves = M>>(&mut self, work: &mut Work<'_, G>) -> (End<G::Fault>, Option<Ending>) {
        match self.run(work) {
            Ok(Ending::Win) => match self.winning_line(work) {
                Ok(line) => {
                    let is_shortest = false;
                    (End::Line { line, is_shortest }, Some(Ending::Win))
                }
                Err(fault) => (End::Fault(fault), None),
            },
            Ok(ending) => (End::Exhausted { pruned: false }, Some(ending)),
            Err(Stop::Spent) => (End::Spent, None),
            Err(Stop::Endless) => {
                self.is_endless = true;
                (End::Spent, None)
            }
            Err(Stop::Fault(fault)) => (End::Fault(fault), None),
        }
    }

    fn run<G: Solvable<Moves = M>>(&mut self, work: &mut Work<'_, G>) -> Result<Ending, Stop<G::Fault>> {
        if self.is_endless {
            return Err(Stop::Endless);
        }
        // What was settled before the work was broken off is found in the table again.
        for (goal, ending) in [(Goal::Win, Ending::Win), (Goal::Draw, Ending::Draw)] {
            self.goal = goal;
            self.line.clear();
            if self.visit(work)? {
                return Ok(ending);
            }
        }
        Ok(Ending::Loss)
    }

    /// Tells whether the goal can be reached from the present state, in which the board does not tell the outcome.
    fn visit<G: Solvable<Moves = M>>(&mut self, work: &mut Work<'_, G>) -> Result<bool, Stop<G::Fault>> {
        let key = work.game.key();
        if let Some(answer) = self.answers.get(key, self.goal) {
            return Ok(answer);
        }
        let ply = self.line.len();
        if ply >= LONGEST || self.line.contains(&key) {
            return Err(Stop::Endless);
        }
        if self.stack.len() <= ply {
            self.stack.push(Ply::default());
        }
        let Ply { moves, .. } = &mut self.stack[ply];
        work.game.moves(moves)?;
        let outcome = work.game.outcome(moves)?;
        if let Some(outcome) = outcome.or((G::len(moves) == 0).then_some(Outcome::DRAW)) {
            return Ok(self.goal.is_reached(outcome.ending(work.hero)));
        }
        let before = work.budget.nodes();
        let is_hero = work.game.actor() == Actor::Player(work.hero);
        let answer = match self.settle_at_once(work, ply, is_hero)? {
            true => is_hero,
            false => {
                self.line.push(key);
                let followed = self.follow(work, ply, is_hero);
                self.line.pop();
                followed?
            }
        };
        self.answers.put(key, self.goal, answer, work.budget.nodes() - before);
        Ok(answer)
    }

    /// Makes each move once: tells whether one of them settles the state, and puts those in order that have to be followed.
    fn settle_at_once<G: Solvable<Moves = M>>(
        &mut self,
        work: &mut Work<'_, G>,
        ply: usize,
        is_hero: bool,
    ) -> Result<bool, Stop<G::Fault>> {
        let (goal, hero) = (self.goal, work.hero);
        let Ply { moves, order } = &mut self.stack[ply];
        order.clear();
        if foresees(work.game, moves, |outcome| {
            goal.is_reached(outcome.ending(hero)) == is_hero
        }) {
            return Ok(true);
        }
        for index in 0..G::len(moves) {
            if !work.spend() {
                return Err(Stop::Spent);
            }
            work.game.make(moves, index)?;
            let looked = self.answers.look(work, goal, &mut self.replies);
            let promise = match looked {
                Ok(None) => work.game.promise(hero),
                _ => 0,
            };
            work.game.unmake();
            match looked? {
                Some(answer) if answer == is_hero => return Ok(true),
                Some(_) => {}
                None => {
                    let merit = self.history[slot(is_hero, G::fingerprint(moves, index))] / HISTORY_PART;
                    let promise = if is_hero { promise } else { -promise };
                    order.push((-merit.saturating_add(promise), index as u32));
                }
            }
        }
        order.sort_unstable();
        Ok(false)
    }

    /// Follows the moves in order until one settles the state.
    fn follow<G: Solvable<Moves = M>>(
        &mut self,
        work: &mut Work<'_, G>,
        ply: usize,
        is_hero: bool,
    ) -> Result<bool, Stop<G::Fault>> {
        for place in 0..self.stack[ply].order.len() {
            let (_, index) = self.stack[ply].order[place];
            work.game.make(&self.stack[ply].moves, index as usize)?;
            let visited = self.visit(work);
            work.game.unmake();
            if visited? == is_hero {
                self.reward::<G>(ply, place, is_hero);
                return Ok(is_hero);
            }
        }
        Ok(!is_hero)
    }

    /// Notes that a move has settled a state, which those tried before it did not.
    fn reward<G: Solvable<Moves = M>>(&mut self, ply: usize, place: usize, is_hero: bool) {
        let Ply { moves, order } = &self.stack[ply];
        for &(_, index) in &order[..place] {
            self.history[slot(is_hero, G::fingerprint(moves, index as usize))] -= 1;
        }
        let (_, index) = order[place];
        self.history[slot(is_hero, G::fingerprint(moves, index as usize))] += place as i32;
    }

    /// Returns a line that wins, against the replies that took most work, as far as the limits allow.
    fn winning_line<G: Solvable<Moves = M>>(&mut self, work: &mut Work<'_, G>) -> Result<Vec<Step>, G::Fault> {
        self.goal = Goal::Win;
        let mut line = Vec::new();
        let mut moves = M::default();
        while line.len() < LONGEST && work.game.board_outcome()?.is_none() {
            work.game.moves(&mut moves)?;
            if G::len(&moves) == 0 || work.game.outcome(&moves)?.is_some() {
                break;
            }
            let is_hero = work.game.actor() == Actor::Player(work.hero);
            let chosen = if is_hero {
                self.winning_move(work, &moves)?
            } else {
                Some(self.hardest_reply(work, &moves)?)
            };
            let Some(index) = chosen else { break };
            line.push(Step {
                index: index as u32,
                fingerprint: G::fingerprint(&moves, index),
            });
            work.game.make(&moves, index)?;
        }
        line.iter().for_each(|_| work.game.unmake());
        Ok(line)
    }

    /// Returns a move of the hero that wins, one that wins at once if there is one; none if a limit is reached first.
    fn winning_move<G: Solvable<Moves = M>>(
        &mut self,
        work: &mut Work<'_, G>,
        moves: &M,
    ) -> Result<Option<usize>, G::Fault> {
        // First without looking for it, then by work that was forgotten.
        for searches in [false, true] {
            for index in 0..G::len(moves) {
                work.game.make(moves, index)?;
                let wins = match work.game.board_outcome() {
                    Ok(Some(outcome)) => Ok(outcome.ending(work.hero) == Ending::Win),
                    Ok(None) if searches => {
                        self.line.clear();
                        self.visit(work)
                    }
                    Ok(None) => Ok(self.answers.get(work.game.key(), Goal::Win) == Some(true)),
                    Err(fault) => Err(Stop::Fault(fault)),
                };
                work.game.unmake();
                match wins {
                    Ok(true) => return Ok(Some(index)),
                    Ok(false) | Err(Stop::Endless) => {}
                    Err(Stop::Spent) => return Ok(None),
                    Err(Stop::Fault(fault)) => return Err(fault),
                }
            }
        }
        Ok(None)
    }

    /// Returns the move whose refutation took most work.
    fn hardest_reply<G: Solvable<Moves = M>>(&self, work: &mut Work<'_, G>, moves: &M) -> Result<usize, G::Fault> {
        let mut hardest = (0, 0);
        for index in 0..G::len(moves) {
            work.game.make(moves, index)?;
            let effort = match work.game.board_outcome()? {
                Some(_) => 0,
                None => 1 + self.answers.effort(work.game.key()),
            };
            work.game.unmake();
            if effort > hardest.0 {
                hardest = (effort, index);
            }
        }
        Ok(hardest.1)
    }
}

/// Tells whether the game foresees an outcome of some move that is wanted.
fn foresees<G: Solvable>(game: &G, moves: &G::Moves, wants: impl Fn(Outcome) -> bool) -> bool {
    for index in 0..G::len(moves) {
        match game.foresee(moves, index) {
            Some(Some(outcome)) if wants(outcome) => return true,
            Some(_) => {}
            None => return false,
        }
    }
    false
}

fn slot(is_hero: bool, fingerprint: u32) -> usize {
    usize::from(is_hero) * HISTORY_SLOTS + squeeze(fingerprint) as usize % HISTORY_SLOTS
}

/// A table of answers. An entry is one word, from the low end: whether the hero wins 2 bits, whether it draws 2, the
/// logarithm of the work 6, and the rest of the key.
struct Answers {
    entries: Box<[u64]>,
}

impl Answers {
    /// Entries that one state may be stored in: a cache line.
    const BUCKET: usize = 8;
    const KEY_SHIFT: u32 = 10;
    const EFFORT_SHIFT: u32 = 4;
    const EFFORT_MASK: u64 = 63;

    fn new(megabytes: usize) -> Answers {
        let entries = megabytes * (1 << 20) / size_of::<u64>();
        Answers {
            entries: vec![0; entries / Answers::BUCKET * Answers::BUCKET].into(),
        }
    }

    /// Returns the answer in the present state if it is known, or seen at once.
    fn look<G: Solvable>(
        &self,
        work: &mut Work<'_, G>,
        goal: Goal,
        moves: &mut G::Moves,
    ) -> Result<Option<bool>, G::Fault> {
        let hero = work.hero;
        if let Some(outcome) = work.game.board_outcome()? {
            return Ok(Some(goal.is_reached(outcome.ending(hero))));
        }
        let known = self.get(work.game.key(), goal);
        if known.is_some() {
            return Ok(known);
        }
        let is_hero = work.game.actor() == Actor::Player(hero);
        work.game.moves(moves)?;
        let outcome = work.game.outcome(moves)?;
        if let Some(outcome) = outcome.or((G::len(moves) == 0).then_some(Outcome::DRAW)) {
            return Ok(Some(goal.is_reached(outcome.ending(hero))));
        }
        let settles = |outcome: Outcome| goal.is_reached(outcome.ending(hero)) == is_hero;
        Ok(foresees(work.game, moves, settles).then_some(is_hero))
    }

    /// Returns where the bucket of a key begins.
    fn place(&self, key: u64) -> usize {
        let buckets = self.entries.len() / Answers::BUCKET;
        ((u128::from(key) * buckets as u128) >> 64) as usize * Answers::BUCKET
    }

    fn find(&self, key: u64) -> Option<u64> {
        let place = self.place(key);
        let bucket = &self.entries[place..place + Answers::BUCKET];
        // The place tells the high bits of the key.
        let wanted = key << Answers::KEY_SHIFT;
        let fits = |&&entry: &&u64| (entry ^ wanted) >> Answers::KEY_SHIFT == 0 && entry != 0;
        bucket.iter().find(fits).copied()
    }

    fn get(&self, key: u64, goal: Goal) -> Option<bool> {
        let entry = self.find(key)?;
        match (goal, entry & 3, entry >> 2 & 3) {
            (Goal::Win, 1, _) | (Goal::Draw, _, 1) => Some(true),
            (Goal::Win, 2, _) | (Goal::Draw, _, 2) => Some(false),
            _ => None,
        }
    }

    /// Returns the logarithm of the work that a state took; 0 if it is not known.
    fn effort(&self, key: u64) -> u64 {
        self.find(key)
            .map_or(0, |entry| entry >> Answers::EFFORT_SHIFT & Answers::EFFORT_MASK)
    }

    /// Stores an answer in place of one that took little work.
    fn put(&mut self, key: u64, goal: Goal, answer: bool, nodes: u64) {
        let effort = u64::from(nodes.max(1).ilog2()) + 1;
        // Who can win can draw, and who cannot draw cannot win.
        let fact = match (goal, answer) {
            (Goal::Win, true) => 0b0101,
            (Goal::Win, false) => 0b0010,
            (Goal::Draw, true) => 0b0100,
            (Goal::Draw, false) => 0b1010,
        };
        let place = self.place(key);
        let bucket = &mut self.entries[place..place + Answers::BUCKET];
        let wanted = key << Answers::KEY_SHIFT;
        let fits = |entry: u64| (entry ^ wanted) >> Answers::KEY_SHIFT == 0 && entry != 0;
        let work = |entry: u64| entry >> Answers::EFFORT_SHIFT & Answers::EFFORT_MASK;
        let rank = |entry: &u64| if fits(*entry) { None } else { Some(work(*entry)) };
        if let Some(entry) = bucket.iter_mut().min_by_key(|entry| rank(entry)) {
            let (known, effort) = match fits(*entry) {
                true => (*entry & 15, effort.max(work(*entry))),
                false => (0, effort),
            };
            *entry = wanted | effort << Answers::EFFORT_SHIFT | known | fact;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_by_the_work_they_took() {
        let mut answers = Answers::new(1);
        answers.put(5, Goal::Win, false, 1_000);
        assert_eq!(answers.get(5, Goal::Win), Some(false));
        assert_eq!((answers.get(5, Goal::Draw), answers.get(6, Goal::Win)), (None, None));
        answers.put(5, Goal::Draw, false, 10);
        assert_eq!(
            (answers.get(5, Goal::Win), answers.get(5, Goal::Draw)),
            (Some(false), Some(false))
        );
        (100..200).for_each(|key| answers.put(key, Goal::Win, true, 3));
        assert_eq!(answers.effort(5), 10);
        assert_eq!(answers.get(199, Goal::Draw), Some(true));
    }
}
