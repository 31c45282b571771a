//! Counts the ways to play on from the start of a built-in game: `cargo run --release --example perft -- chess 5`.

use std::time::Instant;

use ludex::builtin::{self, BuiltInLoader};
use ludex::play::perft::{PerftOptions, perft};
use ludex::{RuleFile, Session};

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "chess".to_owned());
    let depth: u32 = args
        .next()
        .map_or(Ok(4), |depth| depth.parse())
        .map_err(|_| "the depth is no number")?;
    let game = builtin::find(&name).ok_or(format!("no built-in game is called {name}"))?;
    let mut file = RuleFile::read(game.file, game.bytes, &mut BuiltInLoader);
    let rules = file.compile(0).rules.ok_or("the rules do not compile")?;
    let mut session = Session::new(rules.into());
    for depth in 1..=depth {
        let start = Instant::now();
        let nodes = perft(&mut session, depth, PerftOptions::default()).map_err(|fault| fault.to_string())?;
        println!("{depth:2} {nodes:12} {:8.3} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
