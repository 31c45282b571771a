//! JSON lines: one request on each line of the input, one or more answers on lines of the output.

use std::io;
use std::time::Duration;

use ludex::play::notation::Notation;
use ludex::play::position::print_position;
use ludex::search::{Level, Limits, Line, Report, plies_to_end};
use ludex::{Fault, MoveList, Rules};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::moves::Ended;
use super::Next;
use super::desk::{Desk, End, Listener, Position, Task, uci_texts, write_line};
use super::uci;

/// A request. What is not needed for what is to be done is passed over.
#[derive(Debug, Deserialize)]
struct Request {
    #[serde(rename = "do")]
    what: String,
    /// Comes back with each answer.
    #[serde(default)]
    id: Value,
    game: Option<String>,
    variant: Option<String>,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    plies: Option<u64>,
    time: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    level: Option<u8>,
    #[serde(default)]
    infinite: bool,
    name: Option<String>,
    value: Option<Value>,
}

/// Carries out a request.
pub fn answer(desk: &mut Desk, line: &str) -> io::Result<Next> {
    let request: Request = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => {
            tell(&Value::Null, "error", json!(error.to_string()))?;
            return Ok(Next::GoOn);
        }
    };
    let id = request.id.clone();
    match carry_out(desk, request) {
        Ok(Done::Next(next)) => return Ok(next),
        Ok(Done::State) => match state(desk) {
            Ok(state) => tell(&id, "state", state)?,
            Err(message) => tell(&id, "error", json!(message))?,
        },
        Ok(Done::Ok) => tell(&id, "ok", json!(true))?,
        Err(message) => tell(&id, "error", json!(message))?,
    }
    Ok(Next::GoOn)
}

enum Done {
    Next(Next),
    State,
    Ok,
}

fn carry_out(desk: &mut Desk, request: Request) -> Result<Done, String> {
    match request.what.as_str() {
        "new" => {
            if request.game.is_some() || request.variant.is_some() {
                let game = request.game.unwrap_or_else(|| desk.file.clone());
                let opened = desk.open(&game, request.variant.as_deref());
                opened.map_err(|failure| failure.to_string())?;
            }
            desk.begin_game();
            desk.set_position(request.position.as_deref())?;
            request.moves.iter().try_for_each(|text| desk.make(text))?;
            Ok(Done::State)
        }
        "state" => Ok(Done::State),
        "play" => {
            request.moves.iter().try_for_each(|text| desk.make(text))?;
            Ok(Done::State)
        }
        "undo" => {
            desk.stop();
            for _ in 0..request.plies.unwrap_or(1) {
                if !desk.session.unmake() {
                    return Err("there is nothing to take back".to_owned());
                }
            }
            Ok(Done::State)
        }
        "go" => {
            go(desk, request)?;
            Ok(Done::Next(Next::GoOn))
        }
        "stop" => {
            desk.stop();
            Ok(Done::Ok)
        }
        "option" => {
            let name = request.name.unwrap_or_default();
            let value = match request.value {
                Some(Value::String(text)) => text,
                Some(value) => value.to_string(),
                None => String::new(),
            };
            uci::set(desk, &name, &value)?;
            Ok(Done::Ok)
        }
        "quit" => Ok(Done::Next(Next::Quit)),
        unknown => Err(format!(
            "there is no `{unknown}`; there are new, state, play, undo, go, stop, option, quit"
        )),
    }
}

fn go(desk: &mut Desk, request: Request) -> Result<(), String> {
    if let Some(number) = request.level {
        let level = Level::new(number).ok_or_else(|| format!("{number} is no level; there are 1 to 10"))?;
        desk.set(|settings| settings.level = Some(level));
    }
    let time = match request.time {
        Some(seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?),
        None => None,
    };
    let asked = Limits {
        depth: request.depth.filter(|&depth| depth > 0),
        nodes: request.nodes,
        time,
        stop: None,
        width: None,
    };
    let is_limited = asked.depth.is_some() || asked.nodes.is_some() || asked.time.is_some();
    let limits = match desk.settings.level {
        Some(level) if !is_limited => level.limits(),
        _ => asked,
    };
    let end = match !request.infinite && (is_limited || desk.settings.level.is_some()) {
        true => End::ByItself,
        false => End::WhenStopped,
    };
    let task = Task {
        limits,
        end,
        is_exact: false,
    };
    desk.go(task, Lines { id: request.id });
    Ok(())
}

/// Describes the state of the game.
fn state(desk: &mut Desk) -> Result<Value, String> {
    let mut list = MoveList::new();
    let outcome = desk.session.legal_moves(&mut list).map_err(|fault| fault.to_string())?;
    let rules = &desk.opened.rules;
    let model = &rules.model;
    let players: Vec<&str> = model.players.iter().map(|player| player.name.as_str()).collect();
    Ok(json!({
        "game": desk.file,
        "variant": model.title,
        "players": players,
        "player": model.players[desk.session.to_move().index()].name,
        "chance": desk.session.is_chance(),
        "plies": desk.session.n_plies(),
        "position": print_position(rules, desk.session.state()),
        "outcome": outcome.map(|outcome| Ended::new(rules, &outcome)),
        "moves": moves(rules, desk, &list),
    }))
}

fn moves(rules: &Rules, desk: &Desk, list: &MoveList) -> Vec<Value> {
    let full = Notation::new(rules).unique_texts(desk.session.state(), list);
    let short = uci_texts(rules, list);
    let both = full.iter().zip(&short);
    both.map(|(full, short)| json!({ "move": full, "short": short }))
        .collect()
}

fn tell(id: &Value, what: &str, value: Value) -> io::Result<()> {
    let mut answer = Map::new();
    if !id.is_null() {
        answer.insert("id".to_owned(), id.clone());
    }
    answer.insert(what.to_owned(), value);
    write_line(&Value::Object(answer).to_string())
}

struct Lines {
    id: Value,
}

impl Listener for Lines {
    fn line(&mut self, position: &Position, line: &Line) {
        let described = json!({
            "depth": line.depth,
            "rank": line.rank + 1,
            "score": line.score,
            "plies_to_end": plies_to_end(line.score),
            "nodes": line.nodes,
            "seconds": (line.seconds * 1e6).round() / 1e6,
            "pv": position.full_line(&line.pv),
        });
        let _ = tell(&self.id, "line", described);
    }

    fn done(&mut self, position: &Position, report: &Report<Fault>, choice: Option<usize>) {
        let list = position.moves();
        let rules = position.session.rules();
        let full = Notation::new(rules).unique_texts(position.session.state(), &list);
        let short = uci_texts(rules, &list);
        let described = json!({
            "move": choice.and_then(|index| full.get(index)),
            "short": choice.and_then(|index| short.get(index)),
            "score": report.score,
            "plies_to_end": plies_to_end(report.score),
            "depth": report.depth,
            "nodes": report.nodes,
            "seconds": (report.seconds * 1e6).round() / 1e6,
            "fault": report.fault.map(|fault| fault.to_string()),
        });
        let _ = tell(&self.id, "best", described);
    }
}
