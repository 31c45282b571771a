//! The board, the people and the engine around a game, and what is said between them.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ludex::model::{CellId, PlayerId};
use ludex::play::contest::Contest;
use ludex::play::notation::{MoveError, Notation};
use ludex::play::playout::below;
use ludex::search::{Level, Options};
use ludex::{Fault, Rules, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::super::board::{self, Symbols};
use super::super::engine::{Engine, EngineName, Interrupt, Setup, score_text};
use super::super::failure::{Failure, Result};
use super::super::game::{Opened, draw, read_file};
use super::super::output::{self, remark};
use super::super::saved::Saved;
use super::super::search::no_choice;
use super::super::{levels, players};
use super::command::{HELP, Typed, nearest_command};
use super::game::Game;

/// The strength of hints.
const HINT_LEVEL: u8 = 8;
/// The strength of hints where the rules describe one of this name.
const HINT_NAME: &str = "Hard";
/// The time for a hint.
const HINT_TIME: Duration = Duration::from_millis(1500);
/// Moves are listed in so many columns of characters.
const LINE_WIDTH: usize = 96;

/// Everything that a game at the terminal needs.
pub struct Table {
    opened: Opened,
    rules: Arc<Rules>,
    /// The rule file as saved games name it.
    rules_file: String,
    game: Game,
    people: Vec<PlayerId>,
    opponent: Opponent,
    engine: Engine,
    /// What random players draw from.
    dice: ChaCha8Rng,
    symbols: Symbols,
    autosave: Option<PathBuf>,
    /// Whether the board is shown turned round.
    is_turned: bool,
    is_terminal: bool,
}

/// How the engine plays.
#[derive(Clone, Copy, Debug)]
pub struct Opponent {
    /// Which engine.
    pub engine: EngineName,
    /// How strong.
    pub level: Level,
    /// The time for a move in place of the level's.
    pub time: Option<Duration>,
    /// Whether sides that the rules play follow them.
    pub follows_policies: bool,
}

/// Whether the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    GoOn,
    Leave,
}

impl Table {
    /// Sets the table for a game.
    pub fn new(
        opened: Opened,
        mut session: Session,
        people: Vec<PlayerId>,
        opponent: Opponent,
        seed: u64,
    ) -> Result<Table> {
        let rules = Arc::clone(&opened.rules);
        let options = Options {
            multipv: opponent.level.multipv(),
            seed,
            ..Options::default()
        };
        let setup = Setup {
            engine: opponent.engine,
            options,
            playout: None,
        };
        let engine = Engine::new(&opened, setup, Interrupt::listen())?;
        session.set_automatic(people.is_empty());
        let game = Game::new(session).map_err(|fault| opened.fault(fault))?;
        let symbols = Symbols::new(&rules);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        dice.set_stream(1);
        let is_terminal = io::stdin().is_terminal();
        let rules_file = opened.name.clone();
        Ok(Table {
            opened,
            rules,
            rules_file,
            game,
            people,
            opponent,
            engine,
            dice,
            symbols,
            autosave: None,
            is_turned: false,
            is_terminal,
        })
    }

    /// Keeps the game in a file after every ply; a game that is in it already is continued.
    pub fn keep_in(&mut self, path: Option<PathBuf>) -> Result<()> {
        if let Some(path) = path.as_deref().filter(|path| path.exists()) {
            let game = self
                .read_saved(path)?
                .map_err(|message| Failure::wrong(format!("`{}` cannot be continued: {message}", path.display())))?;
            self.say(&format!(
                "continuing the game in {}; `new` begins another",
                path.display()
            ))?;
            self.game = game;
        }
        self.autosave = path;
        Ok(())
    }

    /// Plays until the game is left.
    pub fn play(&mut self) -> Result<()> {
        self.say(&self.rules.model.title)?;
        for line in self.symbols.legend() {
            self.say(line)?;
        }
        loop {
            self.show()?;
            if self.game.is_over() {
                self.tell_end()?;
                if self.people.is_empty() {
                    if self.begin_next_round()? {
                        continue;
                    }
                    return Ok(());
                }
            }
            let next = if !self.game.is_over() && self.game.session().is_chance() {
                self.roll()?;
                Next::GoOn
            } else if self.game.is_over() || self.people.contains(&self.game.session().to_move()) {
                self.listen()?
            } else {
                self.answer()?
            };
            if next == Next::Leave {
                return Ok(());
            }
        }
    }

    /// Lets people type until the position changes or they leave.
    fn listen(&mut self) -> Result<Next> {
        let mut line = String::new();
        loop {
            if self.is_terminal {
                write!(
                    output::stdout(),
                    "{}> ",
                    self.player_name(self.game.session().to_move())
                )?;
                io::stdout().flush()?;
            }
            if !read_line(&mut line) {
                if self.is_terminal {
                    self.say("")?;
                }
                return Ok(Next::Leave);
            }
            let changed = match Typed::read(&line) {
                Typed::Nothing => false,
                Typed::Moves(None) => self.list_moves(None)?,
                Typed::Moves(Some(cell)) => self.list_moves(Some(cell))?,
                Typed::Undo => self.undo()?,
                Typed::Hint => self.hint()?,
                Typed::Save(file) => self.save(Path::new(file))?,
                Typed::Load(file) => self.load(Path::new(file))?,
                Typed::Resign if self.game.is_over() => self.answer_with("the game is over")?,
                Typed::Resign => {
                    self.game.resign();
                    true
                }
                Typed::Finish => self.finish()?,
                Typed::Next => match self.game.is_over() && self.begin_next_round()? {
                    true => true,
                    false => self.answer_with("there is no next round to begin")?,
                },
                Typed::Flip => {
                    self.is_turned = !self.is_turned;
                    true
                }
                Typed::Board => true,
                Typed::New => {
                    self.game.restart().map_err(|fault| self.opened.fault(fault))?;
                    true
                }
                Typed::Help => self.answer_with(HELP)?,
                Typed::Quit => return Ok(Next::Leave),
                Typed::Incomplete(message) => self.answer_with(message)?,
                Typed::Move(text) => self.try_move(text)?,
            };
            if changed {
                return Ok(Next::GoOn);
            }
        }
    }

    /// Asks something; returns the answer, none at the end of the input.
    fn ask(&self, question: &str) -> Result<Option<String>> {
        write!(output::stdout(), "{question} ")?;
        io::stdout().flush()?;
        let mut line = String::new();
        let is_answered = read_line(&mut line);
        if !self.is_terminal || !is_answered {
            self.say("")?;
        }
        Ok(is_answered.then(|| line.trim().to_lowercase()))
    }

    /// Lets the player to move offer the end of the round, if the rules allow that: a person agrees or not, the engine
    /// always does.
    fn finish(&mut self) -> Result<bool> {
        if self.game.is_over() {
            return self.answer_with("the game is over");
        }
        if !self.rules.model.options.end_by_agreement {
            return self.answer_with("the rules of this game do not let it end by agreement");
        }
        let mover = self.game.session().to_move();
        let others = players::deciders(&self.rules)
            .into_iter()
            .filter(|&player| player != mover);
        let asked: Vec<PlayerId> = others.filter(|player| self.people.contains(player)).collect();
        for player in asked {
            let name = self.player_name(player).to_owned();
            let question = format!(
                "{} offers to finish. {name}, do you agree? (yes or no)",
                self.player_name(mover)
            );
            let answer = self.ask(&question)?;
            if !answer.is_some_and(|answer| answer.starts_with('y')) {
                return self.answer_with(&format!("{name} plays on"));
            }
        }
        self.game.agree().map_err(|fault| self.opened.fault(fault))?;
        Ok(true)
    }

    /// Begins the next round of the match, if there is one: who has one side has the other then.
    fn begin_next_round(&mut self) -> Result<bool> {
        let next = self.game.next_round(&mut self.dice);
        let Some(game) = next.map_err(|fault| self.opened.fault(fault))? else {
            return Ok(false);
        };
        self.game = game;
        for person in &mut self.people {
            *person = Contest::next_side(&self.rules, *person);
        }
        self.autosave()?;
        Ok(true)
    }

    /// Makes a move that was typed, or says why not.
    fn try_move(&mut self, text: &str) -> Result<bool> {
        match self.choose_captures(text)? {
            Chosen::Move(index) => return self.make(index),
            Chosen::Nothing => return self.answer_with("nothing is moved"),
            Chosen::NoQuestion => {}
        }
        let found = Notation::new(&self.rules).find_move(self.game.session().state(), self.game.moves(), text);
        match found {
            Ok(index) => return self.make(index),
            Err(_) if self.game.is_over() => {
                self.say("the game is over; `undo` takes back, `new` begins again, `quit` leaves")?;
            }
            Err(MoveError::Unknown { .. }) if self.rules.model.board.find(text).is_some() => {
                return self.list_moves(Some(text));
            }
            Err(MoveError::Unknown { suggestions, .. }) => {
                self.say(&format!("`{text}` is no legal move"))?;
                match nearest_command(text) {
                    Some(word) => self.say(&format!("did you mean `{word}`?"))?,
                    None if !suggestions.is_empty() => self.say(&format!("near it are: {}", suggestions.join("; ")))?,
                    None => self.say("`moves` lists the legal moves, `help` the commands")?,
                }
            }
            Err(error @ MoveError::Ambiguous { .. }) => self.say(&error.to_string())?,
        }
        Ok(false)
    }

    /// Lets a person choose what is captured, where the moves that a text fits differ in that alone.
    fn choose_captures(&mut self, text: &str) -> Result<Chosen> {
        let moves = self.game.moves().clone();
        let board = &self.rules.model.board;
        let is_meant = |index: &usize| {
            let entry = moves.get(*index);
            entry.from.is_some() && {
                let (from, to) = (board.name(entry.from), board.name(entry.to));
                text.replace(' ', "") == format!("{from}-{to}") || text.replace(' ', "") == format!("{from}{to}")
            }
        };
        let fitting: Vec<usize> = (0..moves.len()).filter(is_meant).collect();
        let session = self.game.session();
        let captures: Vec<Vec<CellId>> = fitting.iter().map(|&index| session.captures(&moves, index)).collect();
        let differ = captures
            .iter()
            .enumerate()
            .all(|(index, cells)| !captures[..index].contains(cells));
        let mut all: Vec<CellId> = captures.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        if fitting.len() < 2 || !differ {
            return Ok(Chosen::NoQuestion);
        }
        let names: Vec<String> = all.iter().map(|&cell| board.name(cell).to_owned()).collect();
        loop {
            let question = format!(
                "{text} can take {}: which? (positions, all, none, or cancel)",
                names.join(" ")
            );
            let answer = self.ask(&question)?;
            let chosen: Vec<CellId> = match answer.as_deref() {
                None | Some("cancel" | "") => return Ok(Chosen::Nothing),
                Some("all") => all.clone(),
                Some("none") => Vec::new(),
                Some(answer) => {
                    let words = answer
                        .split(|c: char| c.is_whitespace() || c == ',')
                        .filter(|word| !word.is_empty());
                    let found: Option<Vec<CellId>> = words
                        .map(|word| {
                            all.iter()
                                .copied()
                                .find(|&cell| board.name(cell).eq_ignore_ascii_case(word))
                        })
                        .collect();
                    let Some(mut found) = found else {
                        self.say("that is none of them")?;
                        continue;
                    };
                    found.sort_unstable();
                    found.dedup();
                    found
                }
            };
            let Some(place) = captures.iter().position(|cells| *cells == chosen) else {
                self.say("the rules do not allow just these")?;
                continue;
            };
            let taken: Vec<&str> = chosen.iter().map(|&cell| board.name(cell)).collect();
            let taken = if taken.is_empty() {
                "nothing".to_owned()
            } else {
                taken.join(" ")
            };
            match self
                .ask(&format!("take {taken}? (yes to confirm, no to choose again, cancel)"))?
                .as_deref()
            {
                Some(answer) if answer.starts_with('y') || answer == "confirm" => {
                    return Ok(Chosen::Move(fitting[place]));
                }
                Some(answer) if answer.starts_with('n') => {}
                _ => return Ok(Chosen::Nothing),
            }
        }
    }

    /// Makes a move of the list.
    fn make(&mut self, index: usize) -> Result<bool> {
        self.game.make(index).map_err(|fault| self.opened.fault(fault))?;
        self.autosave()?;
        Ok(true)
    }

    fn tell_fault(&self, fault: Fault) {
        let diagnostic = self.opened.file.explain_fault(&self.rules, fault);
        remark(&draw(&self.opened.file, &diagnostic));
    }

    /// Lets a random player choose.
    fn roll(&mut self) -> Result<()> {
        let index = below(&mut self.dice, self.game.moves().len().max(1));
        self.tell_choice(index)?;
        self.make(index)?;
        Ok(())
    }

    /// Lets the engine choose.
    fn answer(&mut self) -> Result<Next> {
        let policy = self.game.session().policy_moves(self.game.moves());
        if let Some(best) = policy.filter(|best| self.opponent.follows_policies && !best.is_empty()) {
            let index = best[below(&mut self.dice, best.len())];
            self.tell_choice(index)?;
            self.make(index)?;
            return Ok(Next::GoOn);
        }
        let Opponent { level, time, .. } = self.opponent;
        if let Some(index) = self.engine.plays_at_random(Some(level), self.game.moves().len()) {
            self.tell_choice(index)?;
            self.make(index)?;
            return Ok(Next::GoOn);
        }
        let (choice, report) = self.engine.choose(self.game.session(), level, time);
        let index = match (choice, report.fault) {
            (Some(index), None) => index,
            // A fault further on is no reason to end the game here.
            (Some(index), Some(fault)) => {
                self.tell_fault(fault);
                index
            }
            (None, Some(fault)) => return Err(self.opened.fault(fault)),
            (None, None) => return Err(no_choice()),
        };
        self.tell_choice(index)?;
        self.make(index)?;
        Ok(Next::GoOn)
    }

    fn tell_choice(&self, index: usize) -> Result<()> {
        let session = self.game.session();
        let text = Notation::new(&self.rules).short_text(session.state(), self.game.moves(), index);
        self.say(&format!("{} plays {text}", self.player_name(session.to_move())))
    }

    /// Proposes a move.
    fn hint(&mut self) -> Result<bool> {
        if self.game.is_over() {
            return self.answer_with("the game is over");
        }
        let mut limits = match levels::find(&self.rules, HINT_NAME) {
            Ok(level) => level.limits(),
            Err(_) => Level::new(HINT_LEVEL).unwrap_or(Level::STRONGEST).limits(),
        };
        limits.time = limits.time.min(Some(HINT_TIME));
        let report = self.engine.search(self.game.session(), limits, &mut |_| {});
        if let Some(fault) = report.fault {
            self.tell_fault(fault);
        }
        let line = self.engine.write_line(self.game.session(), &report.pv, true);
        match line.split_first() {
            Some((first, rest)) => {
                let rest = if rest.is_empty() {
                    String::new()
                } else {
                    format!(" (then {})", rest.join("; "))
                };
                self.answer_with(&format!("hint: {first}, {}{rest}", score_text(report.score)))
            }
            None => self.answer_with("there is no hint"),
        }
    }

    /// Takes back a person's own last ply with all that followed it.
    fn undo(&mut self) -> Result<bool> {
        if self.game.take_back_end() {
            return Ok(true);
        }
        let mine = self
            .game
            .plies()
            .iter()
            .rposition(|ply| self.people.contains(&ply.player));
        let Some(mine) = mine else {
            return self.answer_with("there is nothing to take back");
        };
        while self.game.plies().len() > mine {
            self.game.unmake().map_err(|fault| self.opened.fault(fault))?;
        }
        self.autosave()?;
        Ok(true)
    }

    fn list_moves(&mut self, cell: Option<&str>) -> Result<bool> {
        let found = cell.map(|name| (name, self.rules.model.board.find(name)));
        if let Some((name, None)) = found {
            return self.answer_with(&format!("no position of the board is called `{name}`"));
        }
        let from = found.and_then(|(_, cell)| cell);
        let state = self.game.session().state();
        let moves = self.game.moves();
        let shown: Vec<usize> = (0..moves.len())
            .filter(|&index| from.is_none_or(|cell| [moves.get(index).from, moves.get(index).to].contains(&cell)))
            .collect();
        if shown.is_empty() {
            let what = cell.map_or("there are no moves".to_owned(), |name| {
                format!("no move begins or ends on {name}")
            });
            return self.answer_with(&what);
        }
        let texts = Notation::new(&self.rules).short_texts(state, moves);
        let listed: Vec<&str> = shown.iter().map(|&index| texts[index].as_str()).collect();
        let mut text = in_columns(&listed);
        if let Some(cell) = from.filter(|&cell| shown.iter().any(|&index| self.game.moves().get(index).from == cell)) {
            text = self.draw_choices(cell, &shown) + &text;
        }
        self.answer_with(text.trim_end())
    }

    /// Draws where the piece on a cell can go: quiet moves apart from captures.
    fn draw_choices(&mut self, cell: ludex::model::CellId, shown: &[usize]) -> String {
        let mut marks = board::Marks {
            moved: vec![cell],
            is_turned: self.is_turned,
            ..board::Marks::default()
        };
        let moves = self.game.moves().clone();
        for &index in shown.iter().filter(|&&index| moves.get(index).from == cell) {
            let to = moves.get(index).to;
            let takes = !self.game.session_mut().captures(&moves, index).is_empty();
            if takes {
                marks.captures.push(to)
            } else {
                marks.quiet.push(to)
            }
        }
        let drawn = board::draw(&self.rules, self.game.session().state(), &self.symbols, &marks);
        let mut keys = Vec::new();
        if !marks.quiet.is_empty() {
            keys.push("< > can be reached");
        }
        if !marks.captures.is_empty() {
            keys.push("{ } by a move that captures");
        }
        format!("\n{drawn}{}\n", keys.join(", "))
    }

    fn save(&mut self, path: &Path) -> Result<bool> {
        match self.game.write(&self.rules_file, &self.people, path) {
            Ok(()) => self.answer_with(&format!("saved in {}", path.display())),
            Err(error) => self.answer_with(&format!("`{}` cannot be written: {error}", path.display())),
        }
    }

    fn load(&mut self, path: &Path) -> Result<bool> {
        let loaded = match self.read_saved(path) {
            Ok(loaded) => loaded,
            Err(Failure::Message(_, message)) => Err(message),
            Err(other) => return Err(other),
        };
        match loaded {
            Ok(game) => {
                self.game = game;
                self.autosave()?;
                Ok(true)
            }
            Err(message) => self.answer_with(&format!("`{}` is not loaded: {message}", path.display())),
        }
    }

    /// Reads a saved game of these rules; the inner error tells why it is none.
    fn read_saved(&self, path: &Path) -> Result<std::result::Result<Game, String>> {
        let bytes = read_file(path)?;
        let saved = Saved::read(&bytes).map_err(|error| error.to_string());
        Ok(saved.and_then(|saved| Game::from_saved(&self.rules, &saved)))
    }

    fn autosave(&self) -> Result<()> {
        let Some(path) = &self.autosave else { return Ok(()) };
        self.game
            .write(&self.rules_file, &self.people, path)
            .map_err(|error| Failure::file(format!("`{}` cannot be written: {error}", path.display())))
    }

    /// Draws the board and says what just happened and whose turn it is.
    fn show(&mut self) -> Result<()> {
        let standing = self.standing()?;
        let state = self.game.session().state();
        let mut text = String::from("\n");
        let marks = board::Marks {
            is_turned: self.is_turned,
            ..self.game.marks()
        };
        text.push_str(&board::draw(&self.rules, state, &self.symbols, &marks));
        if let Some(last) = self.game.plies().last() {
            text.push_str(&format!(
                "{}. {}: {}\n",
                last.round,
                self.player_name(last.player),
                last.text
            ));
            if !last.captured.is_empty() {
                text.push_str(&format!("captured: {}\n", last.captured.join(", ")));
            }
        }
        text.push_str(&format!("on the board: {}\n", board::piece_counts(&self.rules, state)));
        text.push_str(&standing);
        if !self.game.is_over() {
            let goes_on = state.chain().map_or(String::new(), |chain| {
                format!(
                    ", going on with the piece on {}",
                    self.rules.model.board.name(chain.cell)
                )
            });
            let (name, round) = (self.player_name(self.game.session().to_move()), self.game.round());
            text.push_str(&format!("{name} to move, round {round}{goes_on}\n"));
        }
        output::stdout().write_all(text.as_bytes())?;
        Ok(())
    }

    /// Tells the scores, the round of the match and the variables of the rules, where there are such.
    fn standing(&mut self) -> Result<String> {
        let rules = Arc::clone(&self.rules);
        let name = |player: PlayerId| rules.model.players[player.index()].name.as_str();
        let list = |scores: &[(PlayerId, i64)]| {
            let parts = scores
                .iter()
                .map(|&(player, score)| format!("{} {score}", name(player)));
            parts.collect::<Vec<_>>().join(", ")
        };
        let mut text = String::new();
        let session = self.game.session_mut();
        let fault = |fault| self.opened.fault(fault);
        let scores: Vec<(PlayerId, i64)> = (session.scores().map_err(fault)?.into_iter())
            .map(|(player, score)| (player, score.into()))
            .collect();
        if !scores.is_empty() {
            text.push_str(&format!("scores: {}\n", list(&scores)));
        }
        if let Some(rule) = Contest::rule(&rules) {
            let contest = session.contest();
            text.push_str(&format!("round {} of {} of the match", contest.round(), rule.rounds));
            if !contest.is_fresh() {
                let totals = session.totals().map_err(fault)?;
                text.push_str(&format!("; with earlier rounds: {}", list(&totals)));
            }
            text.push('\n');
        }
        let variables = (rules.model.extensions.variables.iter().enumerate())
            .map(|(index, variable)| (variable, session.state().game_variable(index)));
        let shown: Vec<String> = variables
            .map(|(variable, value)| format!("{} {value}", variable.name))
            .collect();
        if !shown.is_empty() {
            text.push_str(&format!("numbers: {}\n", shown.join(", ")));
        }
        Ok(text)
    }

    fn tell_end(&self) -> Result<()> {
        let is_round = self.game.has_next_round();
        let text = match (self.game.outcome(), self.game.resigned()) {
            (Some(outcome), _) => outcome.describe(&self.rules),
            (None, Some(player)) => format!("{} resigned", self.player_name(player)),
            (None, None) => return Ok(()),
        };
        if is_round {
            let help = if self.people.is_empty() {
                ""
            } else {
                "\n`next` begins the next round"
            };
            return self.say(&format!("The round is over: {text}{help}"));
        }
        self.say(&format!("The game is over: {text}"))
    }

    fn player_name(&self, player: PlayerId) -> &str {
        &self.rules.model.players[player.index()].name
    }

    fn say(&self, text: &str) -> Result<()> {
        writeln!(output::stdout(), "{text}")?;
        Ok(())
    }

    /// Says something that leaves the position as it is.
    fn answer_with(&self, text: &str) -> Result<bool> {
        self.say(text)?;
        Ok(false)
    }
}

/// What came of asking what to capture.
enum Chosen {
    /// This move.
    Move(usize),
    /// Nothing after all.
    Nothing,
    /// There was nothing to ask.
    NoQuestion,
}

/// Reads a line; returns false at the end of the input. What is no text is read as if it were; a line that cannot be
/// read is the end.
fn read_line(line: &mut String) -> bool {
    line.clear();
    let mut bytes = Vec::new();
    let n_read = io::stdin().lock().read_until(b'\n', &mut bytes).unwrap_or(0);
    line.push_str(&String::from_utf8_lossy(&bytes));
    n_read > 0
}

/// Writes texts in columns of equal width.
fn in_columns(texts: &[&str]) -> String {
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + 2;
    let per_line = (LINE_WIDTH / width).max(1);
    let mut lines = String::new();
    for line in texts.chunks(per_line) {
        let cells: Vec<String> = line.iter().map(|text| format!("{text:width$}")).collect();
        lines.push_str(cells.concat().trim_end());
        lines.push('\n');
    }
    lines
}
