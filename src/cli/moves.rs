//! `ludex moves`

use std::io::Write;

use clap::Args;
use ludex::keyword::nearest_of;
use ludex::model::{CellId, Occupant, PlayerId};
use ludex::play::Contest;
use ludex::play::notation::{Notation, label_text};
use ludex::play::outcome::{Decision, Outcome, PlayerResult};
use ludex::play::position::print_session;
use ludex::state::Effect;
use ludex::{Fault, MoveList, Rules, Session};
use serde::Serialize;

use super::failure::{Failure, Result};
use super::options::{GameOptions, JsonOption, PositionOptions, SeedOption};
use super::output::{self, OrderedMap};

/// List the legal moves of a position.
#[derive(Debug, Args)]
#[command(after_help = "Example: ludex moves chess --play \"e2-e4; e7-e5\"")]
pub struct Command {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    position: PositionOptions,
    /// Only the moves of the piece on this position of the board
    #[arg(long, value_name = "CELL")]
    of: Option<String>,
    #[command(flatten)]
    seed: SeedOption,
    #[command(flatten)]
    json: JsonOption,
}

#[derive(Debug, Serialize)]
struct Listing {
    player: String,
    outcome: Option<Ended>,
    position: String,
    moves: Vec<Listed>,
}

/// The end of a game as JSON.
#[derive(Debug, Serialize)]
pub struct Ended {
    winners: Vec<String>,
    losers: Vec<String>,
    draw: bool,
    scores: OrderedMap<i64>,
    /// Of a match of several rounds: which one has ended, and the scores of all up to now.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<OrderedMap<i64>>,
    reason: String,
}

#[derive(Debug, Serialize)]
struct Listed {
    #[serde(rename = "move")]
    text: String,
    piece: Option<String>,
    from: Option<String>,
    to: Option<String>,
    /// What a shape covers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cells: Vec<String>,
    captures: Vec<String>,
    promotion: Option<String>,
    partial: bool,
    labels: Vec<String>,
    /// What policies go by.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<Vec<i32>>,
}

impl Command {
    pub fn run(&self) -> Result<()> {
        let opened = self.game.open_playable()?;
        let mut session = opened.session(&self.position, self.seed)?;
        let of = self
            .of
            .as_deref()
            .map(|name| find_cell(&opened.rules, name))
            .transpose()?;
        let mut list = MoveList::new();
        let outcome = session.legal_moves(&mut list).map_err(|fault| opened.fault(fault))?;
        let texts = Notation::new(&opened.rules).unique_texts(session.state(), &list);
        let shown: Vec<usize> = (0..list.len())
            .filter(|&index| of.is_none_or(|cell| list.get(index).from == cell))
            .collect();
        let player = opened.rules.model.players[session.to_move().index()].name.clone();
        if self.json.json {
            let moves = shown
                .iter()
                .map(|&index| describe(&session, &list, index, &texts[index]))
                .collect();
            let outcome = match outcome {
                Some(outcome) => Some(Ended::of_session(&mut session, &outcome).map_err(|fault| opened.fault(fault))?),
                None => None,
            };
            return output::json(&Listing {
                player,
                outcome,
                position: print_session(&session),
                moves,
            });
        }
        let mut out = output::stdout();
        match outcome {
            Some(outcome) => writeln!(out, "{}", outcome.describe(&opened.rules))?,
            None => match shown.len() {
                1 => writeln!(out, "{player}: 1 move")?,
                count => writeln!(out, "{player}: {count} moves")?,
            },
        }
        for index in shown {
            writeln!(out, "{}", texts[index])?;
        }
        Ok(())
    }
}

/// Finds a position of the board by its name.
pub fn find_cell(rules: &Rules, name: &str) -> Result<CellId> {
    rules.model.board.find(name).ok_or_else(|| {
        let near = nearest_of(name, rules.model.board.cells.iter().map(|cell| cell.name.as_str()));
        let help = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Failure::usage(format!("no position of the board is called `{name}`{help}"))
    })
}

impl Ended {
    /// Describes the end of a game.
    pub fn new(rules: &Rules, outcome: &Outcome) -> Ended {
        let names = |result| outcome.names(rules, result).into_iter().map(str::to_owned).collect();
        Ended {
            winners: names(PlayerResult::Win),
            losers: names(PlayerResult::Loss),
            draw: outcome.decision == Decision::Draw,
            scores: OrderedMap::default(),
            round: None,
            totals: None,
            reason: outcome.reason_text(rules),
        }
    }

    /// Describes the end of the game of a session, with its scores.
    pub fn of_session(session: &mut Session, outcome: &Outcome) -> std::result::Result<Ended, Fault> {
        let (scores, totals) = (session.scores()?, session.totals()?);
        let rules = session.rules();
        let name = |player: PlayerId| rules.model.players[player.index()].name.clone();
        let scores = scores.iter().map(|&(player, score)| (name(player), i64::from(score)));
        let totals = totals.iter().map(|&(player, total)| (name(player), total));
        let is_match = Contest::rule(rules).is_some();
        Ok(Ended {
            scores: OrderedMap(scores.collect()),
            round: is_match.then(|| session.contest().round()),
            totals: is_match.then(|| OrderedMap(totals.collect())),
            ..Ended::new(rules, outcome)
        })
    }
}

fn describe(session: &Session, list: &MoveList, index: usize, text: &str) -> Listed {
    let captures = session.captures(list, index);
    let rules = session.rules();
    let entry = list.get(index);
    let own = list.own_effects(entry);
    let kind_name = |piece: Occupant| rules.model.kinds[rules.kind(piece).index()].name.clone();
    let cell_name = |cell: CellId| cell.is_some().then(|| rules.model.board.name(cell).to_owned());
    let put = own.iter().find_map(|effect| match effect {
        Effect::Drop { piece, .. } | Effect::Copy { piece, .. } => Some(*piece),
        _ => None,
    });
    let piece = match own.iter().find(|effect| effect.is_movement()) {
        Some(Effect::Drop { .. } | Effect::Copy { .. }) => put,
        _ if entry.from.is_some() => Some(session.state().occupant(entry.from)),
        _ => None,
    };
    let promotion = own.iter().find_map(|effect| match effect {
        Effect::Promote { kind, .. } => Some(*kind),
        Effect::ChangeKind { at, kind } if *at == entry.to => Some(*kind),
        _ => None,
    });
    let is_shape = put.is_some_and(|piece| rules.model.kinds[rules.kind(piece).index()].shape.is_some());
    let covered = own.iter().filter_map(|effect| match effect {
        Effect::Drop { to, .. } | Effect::Copy { to, .. } if is_shape => cell_name(*to),
        _ => None,
    });
    Listed {
        text: text.to_owned(),
        piece: piece.filter(|piece| piece.is_some()).map(kind_name),
        from: cell_name(entry.from),
        to: cell_name(entry.to),
        cells: covered.collect(),
        captures: captures.into_iter().filter_map(cell_name).collect(),
        promotion: promotion.map(|kind| rules.model.kinds[kind.index()].name.clone()),
        partial: entry.is_partial(),
        labels: list.labels(entry).map(|label| label_text(rules, label)).collect(),
        rating: list.rating(entry).map(|rating| rating.numbers().collect()),
    }
}
