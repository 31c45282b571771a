//! Won endings of chess, against the best defence that there is: that of a table of all positions, which the test builds
//! by going back from the mates. The table knows chess by itself and nothing of the rule file.

use std::sync::Arc;

use ludex::bridge::{Bridge, Evaluation};
use ludex::builtin::{self, BuiltInLoader};
use ludex::play::Decision;
use ludex::play::position::read_position;
use ludex::search::{Limits, Options, Searcher};
use ludex::{MoveList, RuleFile, Rules, Session};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Squares are numbered from a1 by rows.
type Square = usize;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Major {
    Queen,
    Rook,
}

fn steps(from: Square, directions: &[(i32, i32)], reach: usize, blocked: impl Fn(Square) -> bool) -> Vec<Square> {
    let mut found = Vec::new();
    for &(dx, dy) in directions {
        let (mut x, mut y) = ((from % 8) as i32, (from / 8) as i32);
        for _ in 0..reach {
            x += dx;
            y += dy;
            if !(0..8).contains(&x) || !(0..8).contains(&y) {
                break;
            }
            let square = (y * 8 + x) as usize;
            found.push(square);
            if blocked(square) {
                break;
            }
        }
    }
    found
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const ALL: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// For each position how many plies Black, to move, holds out: index by white king, major piece, black king.
struct Table {
    major: Major,
    plies: Vec<u8>,
}

const OPEN: u8 = u8::MAX;

impl Table {
    fn major_moves(&self, king: Square, major: Square) -> Vec<Square> {
        let directions: &[(i32, i32)] = match self.major {
            Major::Queen => &ALL,
            Major::Rook => &STRAIGHT,
        };
        steps(major, directions, 7, |square| square == king)
            .into_iter()
            .filter(|&square| square != king)
            .collect()
    }

    fn at(king: Square, major: Square, black: Square) -> usize {
        (king * 64 + major) * 64 + black
    }

    fn touch(a: Square, b: Square) -> bool {
        (a % 8).abs_diff(b % 8) <= 1 && (a / 8).abs_diff(b / 8) <= 1
    }

    /// Whether the major piece attacks a square; the black king itself does not stand in the way.
    fn attacks(&self, king: Square, major: Square, square: Square) -> bool {
        self.major_moves(king, major).contains(&square)
    }

    /// The squares that the black king can go to; the major piece may be taken, which no longer loses.
    fn flights(&self, king: Square, major: Square, black: Square) -> Vec<Square> {
        steps(black, &ALL, 1, |_| false)
            .into_iter()
            .filter(|&to| !Table::touch(to, king) && (to == major || !self.attacks(king, major, to)))
            .collect()
    }

    fn build(major: Major) -> Table {
        let mut table = Table {
            major,
            plies: vec![OPEN; 64 * 64 * 64],
        };
        let is_legal = |k: Square, m: Square, b: Square| k != m && k != b && m != b && !Table::touch(k, b);
        let all = || {
            (0..64)
                .flat_map(move |k| (0..64).flat_map(move |m| (0..64).map(move |b| (k, m, b))))
                .filter(move |&(k, m, b)| is_legal(k, m, b))
        };
        for (k, m, b) in all() {
            if table.flights(k, m, b).is_empty() && table.attacks(k, m, b) {
                table.plies[Table::at(k, m, b)] = 0;
            }
        }
        loop {
            // White to move: the fewest plies that Black then holds out.
            let mut changes = Vec::new();
            for (k, m, b) in all() {
                if table.plies[Table::at(k, m, b)] != OPEN {
                    continue;
                }
                let flights = table.flights(k, m, b);
                let longest = flights
                    .iter()
                    .map(|&to| if to == m { None } else { table.white_best(k, m, to) });
                if let (false, Some(longest)) = (flights.is_empty(), longest.collect::<Option<Vec<u8>>>()) {
                    let longest = longest.into_iter().max().unwrap_or(0);
                    changes.push((Table::at(k, m, b), longest + 2));
                }
            }
            if changes.is_empty() {
                return table;
            }
            for (place, plies) in changes {
                table.plies[place] = plies;
            }
        }
    }

    /// How long Black holds out after White's best move, if White wins.
    fn white_best(&self, k: Square, m: Square, b: Square) -> Option<u8> {
        let kings = steps(k, &ALL, 1, |_| false).into_iter();
        let kings = kings
            .filter(|&to| to != m && to != b && !Table::touch(to, b))
            .map(|to| (to, m));
        let majors = self.major_moves_past(k, m, b).into_iter().map(|to| (k, to));
        let least = kings.chain(majors).map(|(k, m)| self.plies[Table::at(k, m, b)]).min();
        least.filter(|&plies| plies != OPEN)
    }

    /// The moves of the major piece, which the black king stops.
    fn major_moves_past(&self, k: Square, m: Square, b: Square) -> Vec<Square> {
        let directions: &[(i32, i32)] = match self.major {
            Major::Queen => &ALL,
            Major::Rook => &STRAIGHT,
        };
        steps(m, directions, 7, |square| square == k || square == b)
            .into_iter()
            .filter(|&square| square != k && square != b)
            .collect()
    }
}

fn name(square: Square) -> String {
    format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1)
}

fn square(name: &str) -> Square {
    let bytes = name.as_bytes();
    usize::from(bytes[0] - b'a') + 8 * usize::from(bytes[1] - b'1')
}

/// Plays random positions out, White by the engine and Black by the table; returns how many White won.
fn won(major: Major, word: &str, n_games: usize, nodes: u64) -> usize {
    let table = Table::build(major);
    let game = builtin::find("chess").expect("it is built in");
    let mut file = RuleFile::read(game.file, game.bytes, &mut BuiltInLoader);
    let rules: Arc<Rules> = file.compile(0).rules.expect("its rules compile").into();
    let evaluation = Arc::new(Evaluation::new(&rules).expect("two sides"));
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut won = 0;
    let mut played = 0;
    while played < n_games {
        let mut draw = || random.next_u32() as usize % 64;
        let (k, m, b) = (draw(), draw(), draw());
        if k == m || k == b || m == b || Table::touch(k, b) || table.attacks(k, m, b) || Table::touch(b, m) {
            continue;
        }
        played += 1;
        let position = format!(
            "(position (turn White) (White (King {}) ({word} {})) (Black (King {})))",
            name(k),
            name(m),
            name(b)
        );
        let state = read_position(&rules, "position", &position).expect("a position of chess");
        let mut session = Session::from_state(Arc::clone(&rules), state);
        let mut searcher = Searcher::new(Options {
            table_megabytes: 4,
            ..Options::default()
        });
        let mut moves = MoveList::new();
        let (mut k, mut m, mut b) = (k, m, b);
        for ply in 0..140 {
            if let Some(outcome) = session.legal_moves(&mut moves).expect("no fault") {
                let white = rules.model.find_player("White");
                won += usize::from(
                    matches!(outcome.decision, Decision::Win(player) if Some(player) == white)
                        || matches!(outcome.decision, Decision::Loss(player) if Some(player) != white),
                );
                break;
            }
            let index = if ply % 2 == 0 {
                let mut bridge = Bridge::with(session.clone(), Arc::clone(&evaluation));
                let report = searcher.search(&mut bridge, &Limits::nodes(nodes), &mut |_| {});
                report.best.expect("there is a move")
            } else {
                // The longest defence, or taking the piece.
                let held = |to: Square| {
                    if to == m {
                        OPEN
                    } else {
                        table.white_best(k, m, to).unwrap_or(OPEN)
                    }
                };
                let flights = table.flights(k, m, b);
                assert_eq!(flights.len(), moves.len(), "{} {} {}", name(k), name(m), name(b));
                let to = flights.into_iter().max_by_key(|&to| held(to)).expect("a move");
                let wanted = rules.model.board.find(&name(to)).expect("a cell");
                moves
                    .iter()
                    .position(|entry| entry.to == wanted)
                    .expect("legal in both")
            };
            let entry = *moves.get(index);
            let cell = |cell| square(rules.model.board.name(cell));
            let (from, to) = (cell(entry.from), cell(entry.to));
            if from == k {
                k = to;
            } else if from == b {
                b = to;
            } else {
                m = to;
            }
            session.make(&moves, index).expect("no fault");
            if b == m {
                break;
            }
        }
    }
    won
}

#[test]
fn king_and_queen_win_against_the_best_defence() {
    assert_eq!(won(Major::Queen, "Queen", 20, 6_000), 20);
}

#[test]
fn king_and_rook_win_against_the_best_defence() {
    assert_eq!(won(Major::Rook, "Rook", 20, 12_000), 20);
}
