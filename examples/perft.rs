//! Counts the plies from the start of a game: `cargo run --release --example perft -- rules/chess.zrf 4`.

use std::time::Instant;

use ludex::{Fault, MoveList, RuleFile, Session};

fn perft(session: &mut Session, depth: u32, lists: &mut Vec<MoveList>) -> Result<u64, Fault> {
    let mut list = lists.pop().unwrap_or_default();
    session.legal_moves(&mut list)?;
    let mut nodes = 0;
    if depth <= 1 {
        nodes = list.len() as u64;
    } else {
        for index in 0..list.len() {
            session.make(&list, index)?;
            nodes += perft(session, depth - 1, lists)?;
            session.unmake();
        }
    }
    lists.push(list);
    Ok(nodes)
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&args[1]).expect("the file can be read");
    let max: u32 = args.get(2).and_then(|d| d.parse().ok()).unwrap_or(4);
    let mut file = RuleFile::read(&args[1], &bytes, &mut ludex::expand::NoIncludes);
    for d in file.diagnostics() {
        println!("{}", file.render(d));
    }
    for entry in 0..file.entries().len() {
        let t = Instant::now();
        let compiled = file.compile(entry);
        for d in &compiled.diagnostics {
            println!("{}", file.render(d));
        }
        let Some(rules) = compiled.rules else { continue };
        println!(
            "{}: {} ops, {:?}",
            rules.model.title,
            rules.program.ops.len(),
            t.elapsed()
        );
        let mut session = Session::new(rules.into());
        for depth in 1..=max {
            let t = Instant::now();
            let n = perft(&mut session, depth, &mut Vec::new()).expect("no fault");
            println!(
                "  {depth}: {n}  {:?} {:.2} M/s",
                t.elapsed(),
                n as f64 / t.elapsed().as_secs_f64() / 1e6
            );
        }
    }
}
