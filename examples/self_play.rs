//! Lets the search play both sides of a built-in game: `cargo run --release --example self_play -- breakthrough`.

use std::time::Duration;

use ludex::bridge::Bridge;
use ludex::builtin::{self, BuiltInLoader};
use ludex::play::notation::Notation;
use ludex::search::{Limits, search};
use ludex::{MoveList, RuleFile, Session};

fn main() -> Result<(), String> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "breakthrough".to_owned());
    let game = builtin::find(&name).ok_or(format!("no built-in game is called {name}"))?;
    let mut file = RuleFile::read(game.file, game.bytes, &mut BuiltInLoader);
    let mut session = Session::new(file.compile(0).rules.ok_or("the rules do not compile")?.into());
    let rules = session.rules().clone();
    let notation = Notation::new(&rules);
    let mut moves = MoveList::new();
    loop {
        let outcome = session.legal_moves(&mut moves).map_err(|fault| fault.to_string())?;
        if let Some(outcome) = outcome {
            println!("{}", outcome.describe(&rules));
            return Ok(());
        }
        let mut bridge = Bridge::new(session.clone()).map_err(|error| error.to_string())?;
        let report = search(&mut bridge, &Limits::time(Duration::from_millis(100)));
        let best = report.best.ok_or("the search found no move")?;
        let player = &rules.model.players[session.to_move().index()].name;
        println!(
            "{player}: {}",
            notation.move_text(session.state(), &moves, moves.get(best))
        );
        session.make(&moves, best).map_err(|fault| fault.to_string())?;
    }
}
