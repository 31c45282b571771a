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

/// A set of squares, one bit for each.
type Squares = u64;

const ALL: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The squares reached from one in these directions; `blocker` stops, and is not among them.
fn reached(from: Square, directions: &[(i32, i32)], reach: usize, blocker: Option<Square>) -> Squares {
    let mut found = 0;
    for &(dx, dy) in directions {
        let (mut x, mut y) = ((from % 8) as i32, (from / 8) as i32);
        for _ in 0..reach {
            (x, y) = (x + dx, y + dy);
            let square = (y * 8 + x) as usize;
            if !(0..8).contains(&x) || !(0..8).contains(&y) || blocker == Some(square) {
                break;
            }
            found |= 1 << square;
        }
    }
    found
}

fn members(mut squares: Squares) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let next = (squares != 0).then(|| squares.trailing_zeros() as usize);
        squares &= squares.wrapping_sub(1);
        next
    })
}

const OPEN: u8 = u8::MAX;

/// How many plies Black holds out against the best play, by white king, major piece and black king.
struct Table {
    /// What the kings reach.
    near: Vec<Squares>,
    /// What the major piece reaches, by white king and its own square; the black king does not stop it.
    attacks: Vec<Squares>,
    /// Black is to move.
    black: Vec<u8>,
    /// White is to move.
    white: Vec<u8>,
}

impl Table {
    fn at(king: Square, major: Square, black: Square) -> usize {
        (king * 64 + major) * 64 + black
    }

    fn touch(&self, a: Square, b: Square) -> bool {
        self.near[a] >> b & 1 != 0
    }

    /// Whether the major piece attacks a square.
    fn attacks(&self, king: Square, major: Square, square: Square) -> bool {
        self.attacks[king * 64 + major] >> square & 1 != 0
    }

    /// The squares that the black king can go to; the major piece may be taken, which no longer loses.
    fn flights(&self, king: Square, major: Square, black: Square) -> Squares {
        self.near[black] & !self.near[king] & !(1 << king) & (!self.attacks[king * 64 + major] | 1 << major)
    }

    fn build(major: Major) -> Table {
        let directions = match major {
            Major::Queen => &ALL[..],
            Major::Rook => &ALL[..4],
        };
        let attacks = (0..64 * 64).map(|place| reached(place % 64, directions, 7, Some(place / 64)));
        let mut table = Table {
            near: (0..64).map(|square| reached(square, &ALL, 1, None)).collect(),
            attacks: attacks.collect(),
            black: vec![OPEN; 64 * 64 * 64],
            white: vec![OPEN; 64 * 64 * 64],
        };
        let mut places = Vec::new();
        for place in 0..64 * 64 * 64 {
            let (k, m, b) = (place / 4096, place / 64 % 64, place % 64);
            if k != m && k != b && m != b && !table.touch(k, b) {
                places.push((k, m, b));
                if table.flights(k, m, b) == 0 && table.attacks(k, m, b) {
                    table.black[place] = 0;
                }
            }
        }
        // From the mates back, two plies in each round.
        for plies in (0..).step_by(2) {
            let mut changes = false;
            for &(k, m, b) in &places {
                if table.white[Table::at(k, m, b)] != OPEN || table.attacks(k, m, b) {
                    continue;
                }
                let kings = table.near[k] & !table.near[b] & !(1 << m) & !(1 << b);
                let is_won = |k, m| table.black[Table::at(k, m, b)] <= plies;
                let majors = table.attacks[k * 64 + m];
                if members(kings).any(|to| is_won(to, m)) || members(majors).any(|to| is_won(k, to)) {
                    table.white[Table::at(k, m, b)] = plies + 1;
                    changes = true;
                }
            }
            if !changes {
                break;
            }
            for &(k, m, b) in &places {
                let flights = table.flights(k, m, b);
                let is_lost = |to: Square| to != m && table.white[Table::at(k, m, to)] != OPEN;
                if table.black[Table::at(k, m, b)] == OPEN && flights != 0 && members(flights).all(is_lost) {
                    table.black[Table::at(k, m, b)] = plies + 2;
                }
            }
        }
        table
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
        if k == m || k == b || m == b || table.touch(k, b) || table.attacks(k, m, b) || table.touch(b, m) {
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
                        table.white[Table::at(k, m, to)]
                    }
                };
                let flights = table.flights(k, m, b);
                let n_flights = flights.count_ones() as usize;
                assert_eq!(n_flights, moves.len(), "{} {} {}", name(k), name(m), name(b));
                let to = members(flights).max_by_key(|&to| held(to)).expect("a move");
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
fn the_longest_wins_are_as_long_as_is_known() {
    // Ten moves with the queen and sixteen with the rook.
    for (major, moves) in [(Major::Queen, 10), (Major::Rook, 16)] {
        let table = Table::build(major);
        let longest = table.white.iter().filter(|&&plies| plies != OPEN).max();
        assert_eq!(longest.map(|plies| plies.div_ceil(2)), Some(moves));
    }
}

#[test]
fn king_and_queen_win_against_the_best_defence() {
    assert_eq!(won(Major::Queen, "Queen", 20, 1_000), 20);
}

#[test]
fn king_and_rook_win_against_the_best_defence() {
    assert_eq!(won(Major::Rook, "Rook", 20, 3_000), 20);
}
