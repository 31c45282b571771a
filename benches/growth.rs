//! How the speed of random play changes with the size of the board.
//!
//! `cargo bench --bench growth` prints a table; with `LUDEX_UPDATE=1` it draws the curves of `docs/growth.svg` anew. The
//! sizes of a game run in turn, round after round, and the median of the rounds' ratios to the first size counts.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ludex::play::perft::{PerftOptions, perft};
use ludex::play::playout::{Checks, PlayoutOptions, playout};
use ludex::{MoveList, Session, load};
use plotters::prelude::{
    ChartBuilder, Circle, IntoDrawingArea, IntoFont, LineSeries, RGBColor, Rectangle, SVGBackend, WHITE,
};

struct Growth {
    game: &'static str,
    rules: fn(usize) -> String,
    /// The number of first moves on a board of this size.
    first_moves: fn(usize) -> usize,
    /// The first is what the others are compared with.
    sizes: &'static [usize],
    /// Two sizes and the least ratio of the second's speed to the first's.
    wanted: (usize, usize, f64),
    color: RGBColor,
}

const GAMES: [Growth; 2] = [
    Growth {
        game: "breakthrough",
        rules: breakthrough,
        first_moves: |n| 3 * n - 2,
        sizes: &[5, 6, 8, 10, 12, 14, 16],
        wanted: (8, 12, 0.6),
        color: RGBColor(31, 119, 180),
    },
    Growth {
        game: "hex",
        rules: hex,
        first_moves: |n| n * n,
        sizes: &[5, 7, 9, 11, 13, 15, 17],
        wanted: (5, 11, 0.4),
        color: RGBColor(214, 39, 40),
    },
];

const ROUNDS: usize = 5;
const TIME: Duration = Duration::from_millis(300);

fn main() -> Result<(), Box<dyn Error>> {
    println!("| game | board | plies/s | to the first |");
    println!("| --- | --- | --- | --- |");
    let mut curves = Vec::new();
    for growth in &GAMES {
        let points = measure(growth);
        for &(size, speed, ratio) in &points {
            println!(
                "| {} | {size} x {size} | {:.3} M | {ratio:.2} |",
                growth.game,
                speed / 1e6
            );
        }
        let (small, large, least) = growth.wanted;
        let of = |wanted: usize| {
            points
                .iter()
                .find(|point| point.0 == wanted)
                .map_or(0.0, |point| point.2)
        };
        println!(
            "{}: {large} to {small} {:.2}, wanted {least}",
            growth.game,
            of(large) / of(small)
        );
        curves.push((growth, points));
    }
    if std::env::var_os("LUDEX_UPDATE").is_some() {
        draw(&curves)?;
    }
    Ok(())
}

/// Returns for each size its plies a second, and that speed to the speed on the first size.
fn measure(growth: &Growth) -> Vec<(usize, f64, f64)> {
    let mut sessions: Vec<(usize, Session)> = growth
        .sizes
        .iter()
        .map(|&size| {
            let text = (growth.rules)(size);
            let rules = load("growth.zrf", text.as_bytes())
                .expect("the rules are right")
                .remove(0);
            let mut session = Session::new(Arc::new(rules));
            let options = PerftOptions {
                turns: false,
                bulk: true,
            };
            let expected = (growth.first_moves)(size) as u64;
            assert_eq!(perft(&mut session, 1, options), Ok(expected), "{} {size}", growth.game);
            (size, session)
        })
        .collect();
    let options = PlayoutOptions {
        seed: 1,
        max_plies: 1000,
        checks: Checks::Off,
    };
    let mut list = MoveList::new();
    let mut rounds: Vec<Vec<f64>> = Vec::new();
    for _ in 0..ROUNDS {
        let speeds = sessions.iter_mut().map(|(_, session)| {
            let (started, mut plies, mut game) = (Instant::now(), 0, 0);
            while started.elapsed() < TIME {
                let played = playout(session, &mut list, game, &options).expect("no checks are made");
                plies += played.plies;
                game += 1;
            }
            plies as f64 / started.elapsed().as_secs_f64()
        });
        rounds.push(speeds.collect());
    }
    let median = |of: &dyn Fn(&Vec<f64>) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    (sessions.iter().enumerate())
        .map(|(index, &(size, _))| {
            (
                size,
                median(&|round| round[index]),
                median(&|round| round[index] / round[0]),
            )
        })
        .collect()
}

type Curve<'a> = (&'a Growth, Vec<(usize, f64, f64)>);

fn draw(curves: &[Curve<'_>]) -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/growth.svg");
    let area = SVGBackend::new(path, (720, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption("Random play by size of board", ("sans-serif", 18).into_font())
        .x_label_area_size(40)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..300.0, 0.0..1.05)?;
    chart
        .configure_mesh()
        .x_desc("cells")
        .y_desc("plies a second, to the smallest board")
        .draw()?;
    for (growth, points) in curves {
        let color = growth.color;
        let points = points.iter().map(|&(size, _, ratio)| ((size * size) as f64, ratio));
        chart
            .draw_series(LineSeries::new(points.clone(), color))?
            .label(growth.game)
            .legend(move |(x, y)| Rectangle::new([(x, y - 1), (x + 20, y + 1)], color));
        chart.draw_series(points.map(|point| Circle::new(point, 3, color)))?;
    }
    chart
        .configure_series_labels()
        .border_style(RGBColor(180, 180, 180))
        .draw()?;
    area.present()?;
    Ok(())
}

/// Returns the names of a row or column of cells, one after the other.
fn cells(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" ")
}

fn column(index: usize) -> char {
    char::from(b'a' + index as u8)
}

fn board(size: usize, directions: &str) -> String {
    let columns: Vec<String> = (0..size).map(|index| column(index).to_string()).collect();
    let rows: Vec<String> = (1..=size).rev().map(|row| row.to_string()).collect();
    format!(
        "(grid (start-rectangle 0 0 30 30) (dimensions (\"{}\" (30 0)) (\"{}\" (0 30))) (directions {directions}))",
        columns.join("/"),
        rows.join("/")
    )
}

/// Breakthrough with two rows of pawns each.
fn breakthrough(size: usize) -> String {
    let row = |row: usize| cells((0..size).map(move |index| format!("{}{row}", column(index))));
    let mut text = String::new();
    let _ = write!(
        text,
        "(game (title \"Breakthrough\") (players White Black) (turn-order White Black)
          (board {}
            (symmetry Black (n s) (s n) (nw sw) (sw nw) (ne se) (se ne))
            (zone (name far) (players White) (positions {}))
            (zone (name far) (players Black) (positions {})))
          (board-setup (White (Pawn {} {})) (Black (Pawn {} {})))
          (piece (name Pawn)
            (moves (nw (verify not-friend?) add) (n (verify empty?) add) (ne (verify not-friend?) add)))
          (win-condition (White Black) (absolute-config Pawn (far)))
          (loss-condition (White Black) (pieces-remaining 0)))",
        board(
            size,
            "(n 0 -1) (ne 1 -1) (e 1 0) (se 1 1) (s 0 1) (sw -1 1) (w -1 0) (nw -1 -1)"
        ),
        row(size),
        row(1),
        row(1),
        row(2),
        row(size),
        row(size - 1),
    );
    text
}

/// Hex without the swap of the first stone.
fn hex(size: usize) -> String {
    let row = |row: usize| cells((0..size).map(move |index| format!("{}{row}", column(index))));
    let file = |index: usize| cells((1..=size).map(move |row| format!("{}{row}", column(index))));
    let zone = |name: &str, player: &str, cells: String| {
        format!("(zone (name {name}) (players {player}) (positions {cells}))")
    };
    let mut text = String::new();
    let _ = write!(
        text,
        "(version \"2.0\")
        (game (title \"Hex\") (players Red Blue) (turn-order Red Blue)
          (board {} {} {} {} {})
          (board-setup (Red (Stone off *)) (Blue (Stone off *)))
          (piece (name Stone) (drops ((verify empty?) add)))
          (win-condition (Red Blue) (some (group (where one-edge friend?) friend?) (in-zone? other-edge))))",
        board(size, "(n 0 -1) (ne 1 -1) (e 1 0) (s 0 1) (sw -1 1) (w -1 0)"),
        zone("one-edge", "Red", row(1)),
        zone("other-edge", "Red", row(size)),
        zone("one-edge", "Blue", file(0)),
        zone("other-edge", "Blue", file(size - 1)),
    );
    text
}
