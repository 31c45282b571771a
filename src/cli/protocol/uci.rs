//! UCI, the protocol of chess engines, for every game whose moves it can write.

use std::io;
use std::time::Duration;

use ludex::search::{Clock, Level, Limits, Line, Report, Step, plies_to_end};
use ludex::{Fault, MoveList};

use super::super::engine::EngineName;
use super::Next;
use super::desk::{Desk, End, Listener, Position, Task, uci_texts, write_line};

/// Carries out a command.
pub fn answer(desk: &mut Desk, line: &str) -> io::Result<Next> {
    let mut words = line.split_whitespace();
    match words.next().unwrap_or("") {
        "uci" => introduce(desk)?,
        "isready" => {
            desk.prepare();
            write_line("readyok")?;
        }
        "ucinewgame" => desk.begin_game(),
        "position" => {
            if let Err(message) = position(desk, line) {
                complain(&message)?;
            }
        }
        "go" => go(desk, words),
        "stop" => desk.stop(),
        "ponderhit" => desk.end_pondering(),
        "setoption" => {
            if let Err(message) = set_option(desk, line) {
                complain(&message)?;
            }
        }
        "d" => write_line(&ludex::play::position::print_position(
            &desk.opened.rules,
            desk.session.state(),
        ))?,
        "quit" => return Ok(Next::Quit),
        // The protocol wants what is not known to be passed over.
        "" | "debug" | "register" => {}
        unknown => complain(&format!("unknown command `{unknown}`"))?,
    }
    Ok(Next::GoOn)
}

fn complain(message: &str) -> io::Result<()> {
    for line in message.lines() {
        write_line(&format!("info string error: {line}"))?;
    }
    Ok(())
}

fn introduce(desk: &Desk) -> io::Result<()> {
    write_line(concat!("id name Ludex ", env!("CARGO_PKG_VERSION")))?;
    write_line("id author the Ludex authors")?;
    write_line("option name Hash type spin default 64 min 1 max 65536")?;
    write_line("option name Clear Hash type button")?;
    write_line("option name Threads type spin default 1 min 1 max 256")?;
    write_line("option name MultiPV type spin default 1 min 1 max 256")?;
    write_line("option name Move Overhead type spin default 20 min 0 max 10000")?;
    write_line("option name Level type spin default 0 min 0 max 10")?;
    write_line("option name Engine type combo default auto var auto var alphabeta var mcts var maxn")?;
    write_line(&format!("option name Game type string default {}", desk.file))?;
    let names = variant_names(desk);
    let present = &names[desk.opened.entry];
    let names: Vec<String> = names.iter().map(|name| format!(" var {name}")).collect();
    write_line(&format!(
        "option name UCI_Variant type combo default {present}{}",
        names.concat()
    ))?;
    write_line("uciok")
}

/// Returns a name for each game and variant of the file, as other programs call them: its title in small letters, without
/// blanks and marks, such as `kingofthehill`; its number where that says nothing or does not tell it from others.
fn variant_names(desk: &Desk) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (index, entry) in desk.opened.file.entries().iter().enumerate() {
        let letters = entry.title.chars().filter(|letter| letter.is_alphanumeric());
        let name: String = letters.flat_map(char::to_lowercase).collect();
        let is_clear = !name.is_empty() && !names.contains(&name);
        names.push(if is_clear { name } else { (index + 1).to_string() });
    }
    names
}

/// `position [startpos | fen FEN | (position …)] [moves MOVE …]`
fn position(desk: &mut Desk, line: &str) -> Result<(), String> {
    let rest = line["position".len()..].trim();
    let (start, moves) = match rest.split_once(" moves") {
        Some((start, moves)) => (start.trim(), moves.trim()),
        None => (rest.trim_end_matches(" moves"), ""),
    };
    match start {
        "startpos" => desk.set_position(None)?,
        "" => return Err("`position` needs `startpos`, `fen` or `(position …)`".to_owned()),
        text => desk.set_position(Some(text))?,
    }
    moves.split_whitespace().try_for_each(|text| desk.make(text))
}

fn go<'t>(desk: &mut Desk, mut words: impl Iterator<Item = &'t str>) {
    let mut limits = Limits::default();
    let mut clocks = [None, None];
    let mut increments = [Duration::ZERO; 2];
    let mut moves_to_go = None;
    let mut end = End::ByItself;
    let mut is_exact = false;
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse::<i64>().ok());
        let milliseconds = |number: Option<i64>| Duration::from_millis(number.unwrap_or(0).max(1) as u64);
        match word {
            "wtime" => clocks[0] = Some(milliseconds(number())),
            "btime" => clocks[1] = Some(milliseconds(number())),
            "winc" => increments[0] = Duration::from_millis(number().unwrap_or(0).max(0) as u64),
            "binc" => increments[1] = Duration::from_millis(number().unwrap_or(0).max(0) as u64),
            "movestogo" => moves_to_go = number().map(|moves| moves.max(1) as u32),
            "movetime" => limits.time = Some(milliseconds(number())),
            "depth" => limits.depth = number().map(|depth| depth.clamp(1, 1000) as u32),
            "mate" => {
                limits.depth = number().map(|moves| (2 * moves.clamp(1, 500) - 1) as u32);
                is_exact = true;
            }
            "nodes" => limits.nodes = number().map(|nodes| nodes.max(1) as u64),
            "infinite" => end = End::WhenStopped,
            "ponder" => end = End::AfterPondering,
            // What comes after `searchmoves` is passed over too.
            _ => {}
        }
    }
    // The first player in the order of turns has White's clock.
    let model = &desk.opened.rules.model;
    let is_second = desk.session.to_move() != model.turn_order.items[0].player;
    let place = usize::from(is_second);
    let overhead = desk.settings.overhead;
    limits.time = limits.time.map(|time| time.saturating_sub(overhead).max(time / 2));
    if let Some(remaining) = clocks[place].filter(|_| limits.time.is_none()) {
        let clock = Clock {
            remaining: remaining.saturating_sub(overhead),
            increment: increments[place],
            moves_to_go,
        };
        limits.time = Some(clock.allotment());
    }
    let is_limited = limits.time.is_some() || limits.depth.is_some() || limits.nodes.is_some();
    match desk.settings.level {
        Some(level) if !is_limited => limits = level.limits(),
        Some(level) => limits.depth = limits.depth.or(level.limits().depth),
        None => {}
    }
    if end == End::ByItself && !is_limited && desk.settings.level.is_none() {
        end = End::WhenStopped;
    }
    let listener = Uci {
        multipv: desk.settings.multipv,
        told: Vec::new(),
    };
    let task = Task { limits, end, is_exact };
    desk.go(task, listener);
}

/// `setoption name NAME [value VALUE]`
fn set_option(desk: &mut Desk, line: &str) -> Result<(), String> {
    let rest = line["setoption".len()..].trim();
    let rest = rest.strip_prefix("name").unwrap_or(rest).trim();
    let (name, value) = rest.split_once(" value").unwrap_or((rest, ""));
    set(desk, name.trim(), value.trim())
}

/// Sets an option by its name, whatever its case.
pub fn set(desk: &mut Desk, name: &str, value: &str) -> Result<(), String> {
    let number = |most: usize| {
        let number = value.parse::<usize>().ok().filter(|&number| number <= most);
        number.ok_or_else(|| format!("`{value}` is no number from 0 to {most}"))
    };
    match name.to_ascii_lowercase().as_str() {
        "hash" => {
            let hash = number(65_536)?;
            desk.set(|settings| settings.hash = hash);
        }
        "clear hash" => desk.set(|_| {}),
        "move overhead" => {
            let overhead = Duration::from_millis(number(10_000)? as u64);
            desk.set(|settings| settings.overhead = overhead);
        }
        "threads" => {
            let threads = number(256)?.max(1);
            desk.set(|settings| settings.threads = threads);
        }
        "multipv" => {
            let multipv = number(256)?.max(1);
            desk.set(|settings| settings.multipv = multipv);
        }
        "level" => {
            let level = Level::new(number(10)? as u8);
            desk.set(|settings| settings.level = level);
        }
        "engine" => {
            let engine = <EngineName as clap::ValueEnum>::from_str(value, true)
                .map_err(|_| format!("there is no engine `{value}`"))?;
            desk.set(|settings| settings.engine = engine);
        }
        "game" => desk.open(value, None).map_err(|failure| failure.to_string())?,
        "variant" | "uci_variant" => {
            let file = desk.file.clone();
            let number = variant_names(desk).iter().position(|name| name == value);
            let number = number.map(|index| (index + 1).to_string());
            let variant = number.as_deref().unwrap_or(value);
            desk.open(&file, Some(variant)).map_err(|failure| failure.to_string())?;
        }
        // Pondering is off whatever is asked for.
        "ponder" | "uci_chess960" | "uci_analysemode" => {}
        _ => return Err(format!("there is no option `{name}`")),
    }
    Ok(())
}

struct Uci {
    multipv: usize,
    /// The best line that was told last.
    told: Vec<Step>,
}

impl Uci {
    /// Writes a line as one among `multipv`.
    fn tell(&mut self, position: &Position, line: &Line) {
        if line.rank == 0 {
            self.told.clone_from(&line.pv);
        }
        let score = match plies_to_end(line.score) {
            Some(plies) if line.score > 0 => format!("mate {}", plies.div_ceil(2)),
            Some(plies) => format!("mate -{}", plies.div_ceil(2)),
            None => format!("cp {}", line.score),
        };
        let rank = match self.multipv {
            1 => String::new(),
            _ => format!(" multipv {}", line.rank + 1),
        };
        let nps = (line.nodes as f64 / line.seconds.max(1e-6)) as u64;
        // Nobody left to read is noticed by the next command.
        let _ = write_line(&format!(
            "info depth {}{rank} score {score} nodes {} nps {nps} time {} pv {}",
            line.depth,
            line.nodes,
            (line.seconds * 1000.0) as u64,
            position.uci_line(&line.pv).join(" ")
        ));
    }
}

impl Listener for Uci {
    fn line(&mut self, position: &Position, line: &Line) {
        if (line.rank as usize) < self.multipv {
            self.tell(position, line);
        }
    }

    fn done(&mut self, position: &Position, report: &Report<Fault>, choice: Option<usize>) {
        if let Some(fault) = report.fault {
            let _ = write_line(&format!("info string error: {fault}"));
        }
        // An iteration that was not finished may have found something better.
        if !report.pv.is_empty() && report.pv != self.told {
            let line = Line {
                rank: 0,
                depth: report.depth + 1,
                score: report.score,
                nodes: report.nodes,
                seconds: report.seconds,
                pv: report.pv.clone(),
            };
            self.tell(position, &line);
        }
        let list: MoveList = position.moves();
        let texts = uci_texts(position.session.rules(), &list);
        let best = choice
            .and_then(|index| texts.get(index))
            .map_or("(none)", String::as_str);
        let _ = write_line(&format!("bestmove {best}"));
    }
}
