//! A game at the board: the session with what is remembered of its plies for people.

use std::path::Path;
use std::sync::Arc;

use ludex::model::{CellId, PlayerId};
use ludex::play::contest::Contest;
use ludex::play::notation::Notation;
use ludex::{Fault, MoveList, Outcome, Rules, Session, State};

use rand_chacha::ChaCha8Rng;

use super::super::board::Marks;
use super::super::saved::{Saved, SavedMove};

/// A game in progress.
#[derive(Debug)]
pub struct Game {
    session: Session,
    start: State,
    plies: Vec<Ply>,
    /// The legal moves of the present state.
    moves: MoveList,
    outcome: Option<Outcome>,
    /// Who has resigned.
    resigned: Option<PlayerId>,
    /// What the players have agreed on.
    agreed: Option<Outcome>,
}

/// A ply that was made.
#[derive(Clone, Debug)]
pub struct Ply {
    /// Who made it.
    pub player: PlayerId,
    /// The number of the round.
    pub round: usize,
    /// The move in full.
    pub text: String,
    /// Where the piece stood and where it went.
    moved: Vec<CellId>,
    /// What it removed: names of pieces with their cells.
    pub captured: Vec<String>,
    captured_cells: Vec<CellId>,
}

impl Game {
    /// Begins at the state of a session.
    pub fn new(session: Session) -> Result<Game, Fault> {
        let start = session.state().clone();
        let contest = session.contest().clone();
        let mut session = Session::from_state(Arc::clone(session.rules()), start.clone());
        session.set_contest(contest);
        let mut game = Game {
            session,
            start,
            plies: Vec::new(),
            moves: MoveList::new(),
            outcome: None,
            resigned: None,
            agreed: None,
        };
        game.list()?;
        Ok(game)
    }

    /// Begins again.
    pub fn restart(&mut self) -> Result<(), Fault> {
        let rules = Arc::clone(self.session.rules());
        let mut session = Session::from_state(rules, self.start.clone());
        session.set_contest(self.session.contest().clone());
        session.set_automatic(self.session.is_automatic());
        *self = Game::new(session)?;
        Ok(())
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    pub fn rules(&self) -> &Arc<Rules> {
        self.session.rules()
    }

    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    pub fn moves(&self) -> &MoveList {
        &self.moves
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.or(self.agreed)
    }

    pub fn resigned(&self) -> Option<PlayerId> {
        self.resigned
    }

    /// Tells whether nothing more can be played.
    pub fn is_over(&self) -> bool {
        self.outcome().is_some() || self.resigned.is_some()
    }

    /// Ends the round by agreement: it is scored.
    pub fn agree(&mut self) -> Result<(), Fault> {
        self.agreed = Some(self.session.agreed_outcome()?);
        Ok(())
    }

    /// Tells whether this is a round of a match that another one follows.
    pub fn has_next_round(&self) -> bool {
        let rule = Contest::rule(self.rules());
        rule.is_some_and(|rule| self.session.contest().round() < rule.rounds)
    }

    /// Begins the next round of the match, if there is one.
    pub fn next_round(&mut self, random: &mut ChaCha8Rng) -> Result<Option<Game>, Fault> {
        match self.session.next_round(random)? {
            Some(session) => Game::new(session).map(Some),
            None => Ok(None),
        }
    }

    /// Lets the player to move give up.
    pub fn resign(&mut self) {
        self.resigned = Some(self.session.to_move());
    }

    /// Returns the number of the round: it grows each time the turn order comes to where it repeats.
    pub fn round(&self) -> usize {
        self.plies
            .last()
            .map_or(1, |last| last.round + usize::from(self.begins_round()))
    }

    fn begins_round(&self) -> bool {
        let state = self.session.state();
        state.chain().is_none() && state.turn() == self.rules().model.turn_order.repeat_from
    }

    /// Makes move `index` of the list.
    pub fn make(&mut self, index: usize) -> Result<(), Fault> {
        let rules = Arc::clone(self.rules());
        let entry = *self.moves.get(index);
        // One that means this move only, so that the saved game is read back as it was.
        let text = Notation::new(&rules)
            .unique_texts(self.session.state(), &self.moves)
            .swap_remove(index);
        let captured_cells = self.session.captures(&self.moves, index);
        let state = self.session.state();
        let captured = captured_cells.iter().map(|&cell| {
            let piece = state.occupant(cell);
            let (owner, kind) = (rules.owner(piece), rules.kind(piece));
            let (owner, kind) = (
                &rules.model.players[owner.index()].name,
                &rules.model.kinds[kind.index()].name,
            );
            format!("{owner} {kind} {}", rules.model.board.name(cell))
        });
        let ply = Ply {
            player: self.session.to_move(),
            round: self.round(),
            text,
            moved: [entry.from, entry.to, entry.arrival]
                .into_iter()
                .filter(|cell| cell.is_some())
                .collect(),
            captured: captured.collect(),
            captured_cells: captured_cells.clone(),
        };
        self.session.make(&self.moves, index)?;
        self.plies.push(ply);
        self.list()
    }

    /// Lets the game go on after a player has resigned or both have agreed to end it. Returns false if nobody has.
    pub fn take_back_end(&mut self) -> bool {
        self.resigned.take().is_some() | self.agreed.take().is_some()
    }

    /// Takes back the last ply. Returns false if there is none.
    pub fn unmake(&mut self) -> Result<bool, Fault> {
        let was_made = self.session.unmake();
        if was_made {
            self.plies.pop();
            self.list()?;
        }
        Ok(was_made)
    }

    /// Returns what the last ply touched.
    pub fn marks(&self) -> Marks {
        let Some(last) = self.plies.last() else {
            return Marks::default();
        };
        let captured = last
            .captured_cells
            .iter()
            .copied()
            .filter(|cell| !last.moved.contains(cell))
            .collect();
        Marks {
            moved: last.moved.clone(),
            captured,
            ..Marks::default()
        }
    }

    /// Returns the game as it is saved.
    pub fn saved(&self, rules_file: &str, people: &[PlayerId]) -> Saved {
        let model = &self.rules().model;
        let letter = |player: PlayerId| if people.contains(&player) { 'H' } else { 'C' };
        let moves = self.plies.iter().map(|ply| SavedMove {
            line: 0,
            round: ply.round,
            text: ply.text.clone(),
        });
        let mut saved = Saved {
            letters: model.player_ids().map(letter).collect(),
            rules_file: rules_file.to_owned(),
            variant: model.title.clone(),
            moves: moves.collect(),
            ..Saved::default()
        };
        saved.set_start(self.rules(), &self.start);
        saved
    }

    /// Returns the game that a saved one is, if all its moves are legal.
    pub fn from_saved(rules: &Arc<Rules>, saved: &Saved) -> Result<Game, String> {
        if saved.variant != rules.model.title {
            return Err(format!(
                "it is a game of `{}`, and this is `{}`",
                saved.variant, rules.model.title
            ));
        }
        let state = saved.start(rules).map_err(|error| error.to_string())?;
        let mut game = Game::new(Session::from_state(Arc::clone(rules), state)).map_err(|fault| fault.to_string())?;
        for saved_move in &saved.moves {
            let found = Notation::new(rules).find_move(game.session.state(), &game.moves, &saved_move.text);
            let index = found.map_err(|error| format!("line {}: {error}", saved_move.line))?;
            game.make(index)
                .map_err(|fault| format!("line {}: {fault}", saved_move.line))?;
        }
        Ok(game)
    }

    /// Writes the game to a file, whole or not at all.
    pub fn write(&self, rules_file: &str, people: &[PlayerId], path: &Path) -> std::io::Result<()> {
        self.saved(rules_file, people).write(path)
    }

    fn list(&mut self) -> Result<(), Fault> {
        self.outcome = self.session.legal_moves(&mut self.moves)?;
        Ok(())
    }
}
