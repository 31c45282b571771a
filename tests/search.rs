//! The search on toy games: what it finds is compared with hand computation and with plain minimax.

mod counting;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use counting::n_allocations;
use ludex::search::{
    Actor, CHANCE_WIN, Ending, Game, Limits, MAX_PLY, Mcts, MctsOptions, MoveValue, Options, Outcome, Report, Searcher,
    WIN, plies_to_end, search, search_max_n,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

// --- A game given by its tree --------------------------------------------------------------------------------------

/// What happens at a node of a [`Tree`].
#[derive(Clone, Copy, Debug)]
enum Act {
    Player(u8),
    Chance,
    Over(Outcome),
    /// Over, too, but only the moves tell.
    Stuck(Outcome),
    Fault,
}

/// A node: who acts, what it is worth to the players (the last entry holds for all further ones), and what may follow,
/// each with what can be said of the move at once.
#[derive(Clone, Debug)]
struct Node {
    act: Act,
    worth: Vec<i32>,
    next: Vec<(MoveValue, Node)>,
}

const QUIET: MoveValue = MoveValue {
    gain: 0,
    tactical: false,
    promise: 0,
};
const TAKES: MoveValue = MoveValue {
    gain: 1,
    tactical: true,
    promise: 0,
};

fn inner(act: Act, worth: i32, next: Vec<Node>) -> Node {
    Node {
        act,
        worth: vec![worth, -worth],
        next: next.into_iter().map(|node| (QUIET, node)).collect(),
    }
}

fn p0(next: Vec<Node>) -> Node {
    inner(Act::Player(0), 0, next)
}

fn p1(next: Vec<Node>) -> Node {
    inner(Act::Player(1), 0, next)
}

fn chance(next: Vec<Node>) -> Node {
    inner(Act::Chance, 0, next)
}

/// A node of this worth from which the game goes on quietly for longer than any test looks, if not forever.
fn leaf(worth: i32) -> Node {
    (0..8).fold(over(Outcome::DRAW), |node, _| inner(Act::Player(0), worth, vec![node]))
}

fn over(outcome: Outcome) -> Node {
    inner(Act::Over(outcome), 0, vec![])
}

struct Tree<'a> {
    players: usize,
    path: Vec<&'a Node>,
    /// Whether all states have the same key, as if every table entry were a collision.
    collides: bool,
}

impl<'a> Tree<'a> {
    fn new(players: usize, root: &'a Node) -> Tree<'a> {
        Tree {
            players,
            path: vec![root],
            collides: false,
        }
    }

    fn here(&self) -> &'a Node {
        self.path[self.path.len() - 1]
    }
}

impl<'a> Game for Tree<'a> {
    type Moves = Vec<&'a (MoveValue, Node)>;
    type Fault = u8;

    fn players(&self) -> usize {
        self.players
    }

    fn actor(&self) -> Actor {
        match self.here().act {
            Act::Player(player) => Actor::Player(player),
            Act::Chance => Actor::Chance,
            Act::Over(_) | Act::Stuck(_) | Act::Fault => Actor::Player(0),
        }
    }

    fn key(&self) -> u64 {
        let address = std::ptr::from_ref(self.here()) as u64;
        if self.collides {
            1
        } else {
            address.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        }
    }

    fn board_outcome(&mut self) -> Result<Option<Outcome>, u8> {
        match self.here().act {
            Act::Over(outcome) => Ok(Some(outcome)),
            _ => Ok(None),
        }
    }

    fn moves(&mut self, moves: &mut Self::Moves) -> Result<(), u8> {
        moves.clear();
        match self.here().act {
            Act::Fault => Err(42),
            _ => {
                moves.extend(&self.here().next);
                Ok(())
            }
        }
    }

    fn outcome(&mut self, _: &Self::Moves) -> Result<Option<Outcome>, u8> {
        match self.here().act {
            Act::Stuck(outcome) => Ok(Some(outcome)),
            _ => Ok(None),
        }
    }

    fn len(moves: &Self::Moves) -> usize {
        moves.len()
    }

    fn fingerprint(_: &Self::Moves, index: usize) -> u32 {
        index as u32
    }

    fn value(&self, moves: &Self::Moves, index: usize) -> MoveValue {
        moves[index].0
    }

    fn make(&mut self, moves: &Self::Moves, index: usize) -> Result<(), u8> {
        self.path.push(&moves[index].1);
        Ok(())
    }

    fn unmake(&mut self) {
        self.path.pop();
    }

    fn evaluate(&mut self, player: u8, _: &Self::Moves, _: Range<i32>) -> Result<i32, u8> {
        let worth = &self.here().worth;
        Ok(worth[usize::from(player).min(worth.len() - 1)])
    }
}

/// Searches without passing over anything.
fn search_exactly<G: Game>(game: &mut G, limits: &Limits) -> Report<G::Fault> {
    let options = Options {
        is_exact: true,
        ..Options::default()
    };
    Searcher::new(options).search(game, limits, &mut |_| {})
}

fn search_tree(players: usize, root: &Node, depth: u32) -> Report<u8> {
    search_exactly(&mut Tree::new(players, root), &Limits::depth(depth))
}

/// The slow truth: the score of the present state for `hero`, without windows, tables or order.
fn minimax<G: Game<Fault = F>, F: std::fmt::Debug>(game: &mut G, hero: u8, ply: i32, depth: u32) -> i32 {
    let of = |outcome: Outcome| match outcome.ending(hero) {
        Ending::Win => WIN - ply,
        Ending::Loss => ply - WIN,
        Ending::Draw => 0,
    };
    if let Some(outcome) = game.board_outcome().unwrap() {
        return of(outcome);
    }
    let mut moves = G::Moves::default();
    game.moves(&mut moves).unwrap();
    if let Some(outcome) = game.outcome(&moves).unwrap() {
        return of(outcome);
    }
    if G::len(&moves) == 0 {
        return 0;
    }
    if depth == 0 {
        return game.evaluate(hero, &moves, -WIN..WIN).unwrap();
    }
    let actor = game.actor();
    let scores: Vec<i32> = (0..G::len(&moves))
        .map(|index| {
            game.make(&moves, index).unwrap();
            let score = minimax(game, hero, ply + 1, depth - 1);
            game.unmake();
            score
        })
        .collect();
    match actor {
        Actor::Chance => mean(&scores),
        Actor::Player(player) if player == hero => scores.into_iter().max().unwrap(),
        Actor::Player(_) => scores.into_iter().min().unwrap(),
    }
}

/// What chance makes of some scores: certain ones count more than others only if all are.
fn mean(scores: &[i32]) -> i32 {
    let is_certain = |sign: i32| scores.iter().all(|&score| score * sign >= WIN - MAX_PLY as i32);
    let counted = |&score: &i32| match is_certain(1) || is_certain(-1) {
        true => i64::from(score),
        false => i64::from(score.clamp(-CHANCE_WIN, CHANCE_WIN)),
    };
    (scores.iter().map(counted).sum::<i64>() / scores.len() as i64) as i32
}

/// Grows a random tree in which `players` players and, if wanted, chance act in any order.
fn random_tree(random: &mut ChaCha8Rng, players: u8, with_chance: bool, height: u32) -> Node {
    let mut draw = |n: u32| random.next_u32() % n;
    let worth: Vec<i32> = match players {
        1 | 2 => {
            let worth = draw(201) as i32 - 100;
            vec![worth, -worth]
        }
        _ => (0..players).map(|_| draw(201) as i32 - 100).collect(),
    };
    if height == 0 || draw(8) == 0 {
        let mut outcome = Outcome::DRAW;
        for player in 0..players {
            outcome = outcome.with(player, [Ending::Win, Ending::Loss, Ending::Draw][draw(3) as usize]);
        }
        if players == 2 {
            outcome = [Outcome::DRAW, Outcome::won_by(0, 2), Outcome::won_by(1, 2)][draw(3) as usize];
        }
        return Node {
            act: Act::Over(outcome),
            worth,
            next: vec![],
        };
    }
    let act = if with_chance && draw(4) == 0 {
        Act::Chance
    } else {
        Act::Player(draw(u32::from(players)) as u8)
    };
    let width = draw(5);
    let next = (0..width)
        .map(|_| (QUIET, random_tree(random, players, with_chance, height - 1)))
        .collect();
    Node { act, worth, next }
}

// --- Tic-tac-toe ---------------------------------------------------------------------------------------------------

#[derive(Default)]
struct TicTacToe {
    stones: [u16; 2],
    played: Vec<u16>,
}

impl TicTacToe {
    /// Reads nine letters, `x`, `o` or `.`.
    fn read(board: &str) -> TicTacToe {
        let mut game = TicTacToe::default();
        for (cell, letter) in board.chars().enumerate() {
            if let Some(player) = "xo".find(letter) {
                game.stones[player] |= 1 << cell;
            }
        }
        game
    }

    fn mover(&self) -> usize {
        (self.stones[0].count_ones() - self.stones[1].count_ones()) as usize
    }
}

impl Game for TicTacToe {
    type Moves = Vec<u16>;
    type Fault = ();

    fn players(&self) -> usize {
        2
    }

    fn actor(&self) -> Actor {
        Actor::Player(self.mover() as u8)
    }

    fn key(&self) -> u64 {
        (u64::from(self.stones[0]) << 9 | u64::from(self.stones[1])).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn board_outcome(&mut self) -> Result<Option<Outcome>, ()> {
        let lines = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        let has_line = |stones: u16| lines.iter().any(|line| stones & line == *line);
        Ok((0..2)
            .find(|&player| has_line(self.stones[player]))
            .map(|player| Outcome::won_by(player as u8, 2)))
    }

    fn moves(&mut self, moves: &mut Vec<u16>) -> Result<(), ()> {
        moves.clear();
        moves.extend((0..9).filter(|cell| (self.stones[0] | self.stones[1]) >> cell & 1 == 0));
        Ok(())
    }

    fn outcome(&mut self, moves: &Vec<u16>) -> Result<Option<Outcome>, ()> {
        Ok(moves.is_empty().then_some(Outcome::DRAW))
    }

    fn len(moves: &Vec<u16>) -> usize {
        moves.len()
    }

    fn fingerprint(moves: &Vec<u16>, index: usize) -> u32 {
        moves[index].into()
    }

    fn value(&self, _: &Vec<u16>, _: usize) -> MoveValue {
        QUIET
    }

    fn make(&mut self, moves: &Vec<u16>, index: usize) -> Result<(), ()> {
        let mover = self.mover();
        self.stones[mover] |= 1 << moves[index];
        self.played.push(moves[index]);
        Ok(())
    }

    fn unmake(&mut self) {
        let cell = self.played.pop().unwrap();
        self.stones.iter_mut().for_each(|stones| *stones &= !(1 << cell));
    }

    fn evaluate(&mut self, _: u8, _: &Self::Moves, _: Range<i32>) -> Result<i32, ()> {
        Ok(0)
    }
}

// --- Taking matches, with any turn order ---------------------------------------------------------------------------

/// A heap from which the players in `order` take up to `most` in turn; who takes the last one wins. A heap without end
/// (`most` of 0) is never used up: both moves just change the turn.
#[derive(Clone)]
struct Heap {
    left: i64,
    most: i64,
    order: Vec<u8>,
    is_tactical: bool,
    taken: Vec<i64>,
}

impl Heap {
    fn new(left: i64, most: i64, order: &[u8]) -> Heap {
        Heap {
            left,
            most,
            order: order.into(),
            is_tactical: false,
            taken: Vec::with_capacity(MAX_PLY + 16),
        }
    }

    fn endless(order: &[u8]) -> Heap {
        Heap::new(1, 0, order)
    }

    fn at(&self, turn: usize) -> u8 {
        self.order[turn % self.order.len()]
    }
}

impl Game for Heap {
    type Moves = Vec<i64>;
    type Fault = ();

    fn players(&self) -> usize {
        self.order.iter().max().map_or(0, |&player| usize::from(player) + 1)
    }

    fn actor(&self) -> Actor {
        Actor::Player(self.at(self.taken.len()))
    }

    fn key(&self) -> u64 {
        let turn = self.taken.len() % self.order.len();
        (self.left as u64 * 64 + turn as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn board_outcome(&mut self) -> Result<Option<Outcome>, ()> {
        let players = self.players();
        Ok((self.left == 0).then(|| Outcome::won_by(self.at(self.taken.len() - 1), players)))
    }

    fn moves(&mut self, moves: &mut Vec<i64>) -> Result<(), ()> {
        moves.clear();
        if self.most == 0 {
            moves.extend([-1, -2])
        } else {
            moves.extend(1..=self.left.min(self.most))
        }
        Ok(())
    }

    fn outcome(&mut self, _: &Vec<i64>) -> Result<Option<Outcome>, ()> {
        Ok(None)
    }

    fn len(moves: &Vec<i64>) -> usize {
        moves.len()
    }

    fn fingerprint(moves: &Vec<i64>, index: usize) -> u32 {
        moves[index] as u32
    }

    fn value(&self, _: &Vec<i64>, _: usize) -> MoveValue {
        MoveValue {
            gain: 0,
            tactical: self.is_tactical,
            promise: 0,
        }
    }

    fn make(&mut self, moves: &Vec<i64>, index: usize) -> Result<(), ()> {
        self.left -= moves[index];
        self.taken.push(moves[index]);
        Ok(())
    }

    fn unmake(&mut self) {
        self.left += self.taken.pop().unwrap();
    }

    fn evaluate(&mut self, player: u8, _: &Self::Moves, _: Range<i32>) -> Result<i32, ()> {
        let worth = (self.left.wrapping_mul(7919) % 101) as i32 - 50;
        Ok(if player == 0 { worth } else { -worth })
    }
}

// --- A puzzle ------------------------------------------------------------------------------------------------------

/// From 1, reach the goal exactly by adding one or doubling.
struct Doubling {
    numbers: Vec<u32>,
    goal: u32,
}

impl Game for Doubling {
    type Moves = Vec<u32>;
    type Fault = ();

    fn players(&self) -> usize {
        1
    }

    fn actor(&self) -> Actor {
        Actor::Player(0)
    }

    fn key(&self) -> u64 {
        u64::from(self.numbers[self.numbers.len() - 1]).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn board_outcome(&mut self) -> Result<Option<Outcome>, ()> {
        Ok(match self.numbers[self.numbers.len() - 1].cmp(&self.goal) {
            std::cmp::Ordering::Less => None,
            std::cmp::Ordering::Equal => Some(Outcome::won_by(0, 1)),
            std::cmp::Ordering::Greater => Some(Outcome::lost_by(0, 1)),
        })
    }

    fn moves(&mut self, moves: &mut Vec<u32>) -> Result<(), ()> {
        let number = self.numbers[self.numbers.len() - 1];
        moves.clear();
        moves.extend([number + 1, number * 2]);
        Ok(())
    }

    fn outcome(&mut self, _: &Vec<u32>) -> Result<Option<Outcome>, ()> {
        Ok(None)
    }

    fn len(moves: &Vec<u32>) -> usize {
        moves.len()
    }

    fn fingerprint(moves: &Vec<u32>, index: usize) -> u32 {
        moves[index]
    }

    fn value(&self, _: &Vec<u32>, _: usize) -> MoveValue {
        QUIET
    }

    fn make(&mut self, moves: &Vec<u32>, index: usize) -> Result<(), ()> {
        self.numbers.push(moves[index]);
        Ok(())
    }

    fn unmake(&mut self) {
        self.numbers.pop();
    }

    fn evaluate(&mut self, _: u8, _: &Self::Moves, _: Range<i32>) -> Result<i32, ()> {
        Ok(0)
    }
}

// --- Known values --------------------------------------------------------------------------------------------------

#[test]
fn tic_tac_toe_is_a_draw() {
    let report = search_exactly(&mut TicTacToe::default(), &Limits::depth(9));
    assert_eq!((report.score, report.depth, report.pv.len()), (0, 9, 9));
}

#[test]
fn the_principal_variation_can_be_replayed() {
    let mut game = TicTacToe::default();
    for step in search_exactly(&mut game, &Limits::depth(9)).pv {
        let mut moves = Vec::new();
        game.moves(&mut moves).unwrap();
        assert_eq!(TicTacToe::fingerprint(&moves, step.index as usize), step.fingerprint);
        game.make(&moves, step.index as usize).unwrap();
    }
    assert_eq!(
        (game.stones[0] | game.stones[1], game.board_outcome()),
        (0o777, Ok(None))
    );
}

#[test]
fn a_shorter_win_is_preferred() {
    // A corner would win too, by two threats at once; the last cell wins at once.
    let report = search(&mut TicTacToe::read("oo.x.x..."), &Limits::depth(6));
    assert_eq!((report.fingerprint, report.score, report.depth), (4, WIN - 1, 1));
}

#[test]
fn who_wins_by_being_without_moves_wins_at_once() {
    let won = Outcome::won_by(0, 2);
    let soon = p1(vec![inner(Act::Stuck(won), 0, vec![])]);
    // A win in three is known before it.
    let root = p0(vec![p1(vec![p0(vec![over(won)])]), soon]);
    let report = search(&mut Tree::new(2, &root), &Limits::depth(6));
    assert_eq!((report.best, report.score), (Some(1), WIN - 2));
}

#[test]
fn a_loss_is_put_off() {
    let lost = || over(Outcome::won_by(1, 2));
    let report = search_tree(2, &p0(vec![p1(vec![lost()]), p1(vec![p0(vec![p1(vec![lost()])])])]), 6);
    assert_eq!(
        (report.best, report.score, plies_to_end(report.score)),
        (Some(1), 4 - WIN, Some(4))
    );
}

#[test]
fn matches_are_lost_at_multiples_of_four() {
    for left in 1..=20 {
        let report = search(&mut Heap::new(left, 3, &[0, 1]), &Limits::depth(20));
        assert_eq!(report.score > 0, left % 4 != 0, "{left}");
        if left % 4 != 0 {
            assert_eq!(i64::from(report.fingerprint), left % 4);
        }
    }
}

#[test]
fn a_player_who_moves_twice_is_not_taken_for_the_enemy() {
    // With turns 0 0 1, player 0 wins a heap of 6 or less, and of 7 only by leaving one that player 1 cannot finish.
    for left in 1..=16 {
        for order in [&[0, 0, 1][..], &[0, 1, 1], &[0, 0, 1, 1], &[0, 0, 0]] {
            let mut game = Heap::new(left, 3, order);
            let truth = minimax(&mut game, 0, 0, 16);
            assert_eq!(
                search_exactly(&mut game, &Limits::depth(16)).score,
                truth,
                "{left} {order:?}"
            );
        }
    }
}

#[test]
fn the_shortest_solution_of_a_puzzle_is_found() {
    let report = search_exactly(
        &mut Doubling {
            numbers: vec![1],
            goal: 24,
        },
        &Limits::default(),
    );
    assert_eq!(report.score, WIN - 5);
    assert_eq!(
        report.pv.iter().map(|step| step.fingerprint).collect::<Vec<_>>(),
        [2, 3, 6, 12, 24]
    );
}

#[test]
fn chance_counts_as_the_mean() {
    // 10, 20 and the worse of 60 and 90 have the mean 30, which is better than a certain 29.
    let root = p0(vec![
        leaf(29),
        chance(vec![leaf(10), leaf(20), p1(vec![leaf(90), leaf(60)])]),
    ]);
    let report = search_tree(2, &root, 3);
    assert_eq!((report.best, report.score, report.pv.len()), (Some(1), 30, 1));
    let report = search_tree(2, &root.next[1].1, 2);
    assert_eq!((report.best, report.score), (None, 30));
}

#[test]
fn many_chances_are_sampled_evenly() {
    let root = p0(vec![chance((0..1000).map(leaf).collect())]);
    let report = search_tree(2, &root, 2);
    assert!((480..520).contains(&report.score), "{}", report.score);
    assert!(report.nodes < 200);
}

#[test]
fn of_three_players_both_others_are_feared() {
    let p2 = |next| inner(Act::Player(2), 0, next);
    let worth = |w: [i32; 3]| Node {
        worth: w.to_vec(),
        ..leaf(0)
    };
    // Player 2 would rather have its 50 than spoil 90 for player 0, but that is not counted on.
    let risky = p1(vec![p2(vec![worth([90, 0, 50]), worth([-90, 0, 0])])]);
    let safe = p1(vec![p2(vec![worth([5, 90, 90])])]);
    let report = search_tree(3, &p0(vec![risky, safe]), 3);
    assert_eq!((report.best, report.score), (Some(1), 5));
    let won = p0(vec![
        over(Outcome::won_by(1, 3)),
        over(Outcome::DRAW),
        over(Outcome::won_by(0, 3)),
    ]);
    assert_eq!(search_tree(3, &won, 1).score, WIN - 1);
}

#[test]
fn each_of_three_players_can_be_out_for_itself() {
    let p2 = |next| inner(Act::Player(2), 0, next);
    let worth = |w: [i32; 3]| Node {
        worth: w.to_vec(),
        ..leaf(0)
    };
    // The same tree: now player 2 is expected to take its 50.
    let risky = p1(vec![p2(vec![worth([90, 0, 50]), worth([-90, 0, 0])])]);
    let safe = p1(vec![p2(vec![worth([5, 90, 90])])]);
    let root = p0(vec![risky, safe]);
    let report = search_max_n(&mut Tree::new(3, &root), &Limits::depth(3), &mut |_| {});
    assert_eq!((report.best, report.score, report.pv.len()), (Some(0), 90, 3));
}

/// The slow truth of max^n, by player.
fn max_n(game: &mut Tree<'_>, ply: i32, depth: u32) -> [i32; 4] {
    let of = |outcome: Outcome| {
        std::array::from_fn(|player| match outcome.ending(player as u8) {
            Ending::Win => WIN - ply,
            Ending::Loss => ply - WIN,
            Ending::Draw => 0,
        })
    };
    if let Some(outcome) = game.board_outcome().unwrap() {
        return of(outcome);
    }
    let mut moves = Vec::new();
    game.moves(&mut moves).unwrap();
    if moves.is_empty() {
        return [0; 4];
    }
    if depth == 0 {
        return std::array::from_fn(|player| game.evaluate(player as u8, &moves, -WIN..WIN).unwrap());
    }
    let actor = game.actor();
    let mut all = Vec::new();
    for index in 0..moves.len() {
        game.make(&moves, index).unwrap();
        all.push(max_n(game, ply + 1, depth - 1));
        game.unmake();
    }
    match actor {
        Actor::Chance => std::array::from_fn(|player| mean(&all.iter().map(|s| s[player]).collect::<Vec<_>>())),
        Actor::Player(player) => {
            let most = all.iter().map(|scores| scores[usize::from(player)]).max();
            let mut best = all.iter().filter(|scores| Some(scores[usize::from(player)]) == most);
            *best.next().unwrap()
        }
    }
}

#[test]
fn random_trees_score_as_in_plain_max_n() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for round in 0..200u32 {
        let (players, with_chance) = (1 + (round % 4) as u8, round % 3 == 0);
        let mut root = random_tree(&mut random, players, with_chance, 6);
        if let Act::Over(_) = root.act {
            root = p0(vec![root]);
        }
        // Scores of other players can differ where a move is tried earlier that is as good for who acts, so the order
        // of the moves must not change: one iteration only.
        for depth in 1..=2 {
            let mut game = Tree::new(players.into(), &root);
            let hero = if let Actor::Player(player) = game.actor() {
                player
            } else {
                0
            };
            let truth = max_n(&mut game, 0, depth)[usize::from(hero)];
            let report = search_max_n(&mut game, &Limits::depth(depth), &mut |_| {});
            assert_eq!(report.score, truth, "round {round}, depth {depth}");
        }
    }
}

#[test]
fn chance_is_pruned() {
    let good = || chance((0..20).map(|roll| p1(vec![leaf(500 + roll), leaf(600)])).collect());
    let lost = || over(Outcome::won_by(1, 2));
    let bad = || chance((0..20).map(|_| p1(vec![lost(), leaf(0), leaf(1)])).collect());
    let root = p0(vec![good(), bad(), bad(), bad()]);
    let report = search_tree(2, &root, 3);
    assert_eq!((report.best, report.score), (Some(0), 509));
    let of_good = search_tree(2, &p0(vec![good()]), 3).nodes;
    let of_all = report.nodes;
    // Half of the rolls of a bad move settle it; without pruning it takes 103 nodes in all.
    assert!(of_all < of_good + 3 * 65, "{of_good} {of_all}");
}

#[test]
fn tactical_moves_are_followed_beyond_the_horizon() {
    let takes = |worth, next: Vec<(MoveValue, Node)>| Node {
        next,
        ..inner(Act::Player(1), worth, vec![])
    };
    // The move looks like 50, but a piece hangs.
    let hanging = takes(50, vec![(QUIET, leaf(50)), (TAKES, leaf(-30))]);
    // Only a capture is legal, and it helps player 0.
    let compulsory = takes(0, vec![(TAKES, leaf(80))]);
    // The capture is bad for the one who may leave it.
    let poisoned = takes(20, vec![(QUIET, leaf(20)), (TAKES, leaf(99))]);
    for (node, score) in [(hanging, -30), (compulsory, 80), (poisoned, 20)] {
        assert_eq!(search_tree(2, &p0(vec![node]), 1).score, score);
    }
}

#[test]
fn of_equal_moves_the_first_is_best() {
    assert_eq!(search_tree(2, &p0(vec![leaf(1), leaf(7), leaf(7)]), 1).best, Some(1));
}

#[test]
fn several_lines_have_exact_scores() {
    let root = p0(vec![
        p1(vec![leaf(3), leaf(9)]),
        p1(vec![leaf(8)]),
        p1(vec![leaf(-4), leaf(7)]),
    ]);
    let options = Options {
        multipv: 9,
        ..Options::default()
    };
    let mut heard = Vec::new();
    let report = Searcher::new(options).search(&mut Tree::new(2, &root), &Limits::depth(2), &mut |line| {
        heard.push(line.clone());
    });
    let lines: Vec<_> = report
        .alternatives()
        .iter()
        .map(|line| (line.rank, line.pv[0].index, line.score))
        .collect();
    assert_eq!(lines, [(0, 1, 8), (1, 0, 3), (2, 2, -4)]);
    assert_eq!(heard, report.lines);
}

// --- Compared with minimax -----------------------------------------------------------------------------------------

#[test]
fn random_trees_score_as_in_minimax() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let without_table = Options {
        table_megabytes: 0,
        multipv: 3,
        is_exact: true,
        ..Options::default()
    };
    let with_table = Options {
        table_megabytes: 1,
        is_exact: true,
        ..Options::default()
    };
    for round in 0..400u32 {
        let (players, with_chance) = (1 + (round % 4) as u8, round % 3 == 0);
        let mut root = random_tree(&mut random, players, with_chance, 7);
        if let Act::Over(_) = root.act {
            root = p0(vec![root]);
        }
        let mut game = Tree::new(players.into(), &root);
        let hero = if let Actor::Player(player) = game.actor() {
            player
        } else {
            0
        };
        for depth in 1..=7 {
            let truth = minimax(&mut game, hero, 0, depth);
            for options in [without_table, with_table] {
                let report = Searcher::new(options).search(&mut game, &Limits::depth(depth), &mut |_| {});
                assert_eq!(report.score, truth, "round {round}, depth {depth}, {options:?}");
            }
        }
    }
}

#[test]
fn an_exhausted_tree_ends_the_search_with_the_true_score() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for round in 0..200u32 {
        let (players, with_chance) = (1 + (round % 4) as u8, round % 3 == 0);
        let mut root = random_tree(&mut random, players, with_chance, 6);
        root.next
            .extend([(QUIET, over(Outcome::DRAW)), (QUIET, over(Outcome::DRAW))]);
        if let Act::Over(_) = root.act {
            root.act = Act::Player(0);
        }
        let mut game = Tree::new(players.into(), &root);
        let hero = if let Actor::Player(player) = game.actor() {
            player
        } else {
            0
        };
        let truth = minimax(&mut game, hero, 0, 9);
        let report = search_exactly(&mut game, &Limits::default());
        assert_eq!(report.score, truth, "round {round}");
        assert!(report.depth <= 7, "round {round}");
    }
}

#[test]
fn a_drawn_game_is_not_searched_beyond_its_end() {
    for table_megabytes in [0, 1] {
        let options = Options {
            table_megabytes,
            is_exact: true,
            ..Options::default()
        };
        let mut searcher = Searcher::new(options);
        // The second time the table knows all, which must not hide that the last iteration met no horizon.
        for _ in 0..2 {
            let report = searcher.search(&mut TicTacToe::default(), &Limits::default(), &mut |_| {});
            assert!(report.score == 0 && report.depth <= 9);
        }
    }
}

#[test]
fn an_end_that_depends_on_the_past_does_not_exhaust_the_tree() {
    /// Both moves come back to the start, which is a draw the second time.
    struct Circle(usize);
    impl Game for Circle {
        type Moves = ();
        type Fault = ();
        fn players(&self) -> usize {
            2
        }
        fn actor(&self) -> Actor {
            Actor::Player((self.0 % 2) as u8)
        }
        fn key(&self) -> u64 {
            self.0 as u64 + 1
        }
        fn board_outcome(&mut self) -> Result<Option<Outcome>, ()> {
            Ok((self.0 == 2).then_some(Outcome::DRAW))
        }
        fn depends_on_past(&self) -> bool {
            self.0 == 2
        }
        fn moves(&mut self, _: &mut ()) -> Result<(), ()> {
            Ok(())
        }
        fn outcome(&mut self, _: &()) -> Result<Option<Outcome>, ()> {
            Ok(None)
        }
        fn len(_: &()) -> usize {
            2
        }
        fn fingerprint(_: &(), index: usize) -> u32 {
            index as u32
        }
        fn value(&self, _: &(), _: usize) -> MoveValue {
            QUIET
        }
        fn make(&mut self, _: &(), _: usize) -> Result<(), ()> {
            self.0 += 1;
            Ok(())
        }
        fn unmake(&mut self) {
            self.0 -= 1;
        }
        fn evaluate(&mut self, _: u8, _: &(), _: Range<i32>) -> Result<i32, ()> {
            Ok(0)
        }
    }
    assert_eq!(search_exactly(&mut Circle(0), &Limits::depth(12)).depth, 12);
}

#[test]
fn the_table_changes_no_score() {
    let mut plain = Searcher::new(Options {
        table_megabytes: 0,
        is_exact: true,
        ..Options::default()
    });
    for depth in 1..=9 {
        let mut game = Heap::new(60, 3, &[0, 1]);
        let with = search_exactly(&mut game, &Limits::depth(depth));
        let without = plain.search(&mut game, &Limits::depth(depth), &mut |_| {});
        assert_eq!(with.score, without.score);
        assert_eq!(with.score, minimax(&mut game, 0, 0, depth));
        assert!(with.nodes <= without.nodes);
    }
}

#[test]
fn a_key_collision_never_yields_an_illegal_move() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..50 {
        let root = random_tree(&mut random, 2, true, 6);
        let mut game = Tree {
            collides: true,
            ..Tree::new(2, &root)
        };
        for step in search(&mut game, &Limits::depth(6)).pv {
            let mut moves = Vec::new();
            game.moves(&mut moves).unwrap();
            game.make(&moves, step.index as usize).unwrap();
        }
    }
}

// --- Limits --------------------------------------------------------------------------------------------------------

#[test]
fn a_node_limited_search_repeats_itself() {
    let run = || {
        let mut report = search(&mut Heap::new(500, 5, &[0, 1, 1, 0]), &Limits::nodes(20_000));
        report.seconds = 0.0;
        report.lines.iter_mut().for_each(|line| line.seconds = 0.0);
        report
    };
    assert_eq!(run(), run());
    assert_eq!(run().nodes, 20_000);
}

#[test]
fn a_forgetful_searcher_repeats_itself_too() {
    let mut searcher = Searcher::new(Options::default());
    let mut run = || {
        searcher.forget();
        let report = searcher.search(
            &mut Heap::new(500, 5, &[0, 1, 1, 0]),
            &Limits::nodes(20_000),
            &mut |_| {},
        );
        (report.best, report.score, report.depth, report.pv)
    };
    assert_eq!(run(), run());
}

#[test]
fn the_tiniest_limit_yields_a_move() {
    let raised = Arc::new(AtomicBool::new(true));
    let flagged = Limits {
        stop: Some(raised),
        ..Limits::default()
    };
    for limits in [
        Limits::nodes(0),
        Limits::nodes(1),
        Limits::time(Duration::ZERO),
        flagged,
    ] {
        let report = search(&mut TicTacToe::default(), &limits);
        assert!(report.best.is_some() && report.pv.len() == 1, "{limits:?}");
    }
}

#[test]
fn a_flag_or_the_clock_stops_a_search() {
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        stop: Some(stop.clone()),
        ..Limits::default()
    };
    let start = Instant::now();
    let report = std::thread::scope(|scope| {
        let searching = scope.spawn(|| search(&mut Heap::endless(&[0, 1]), &limits));
        std::thread::sleep(Duration::from_millis(30));
        stop.store(true, Ordering::Relaxed);
        searching.join().unwrap()
    });
    assert!(report.best.is_some());
    assert!(
        search(&mut Heap::endless(&[0, 1]), &Limits::time(Duration::from_millis(30)))
            .best
            .is_some()
    );
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn endless_chains_end_at_the_longest_line() {
    let mut game = Heap {
        is_tactical: true,
        ..Heap::endless(&[0])
    };
    for limits in [
        Limits {
            depth: Some(u32::MAX),
            nodes: Some(50_000),
            ..Limits::default()
        },
        Limits::nodes(50_000),
    ] {
        let report = search(&mut game, &limits);
        assert!(report.best.is_some() && report.pv.len() <= MAX_PLY);
        assert!(game.taken.is_empty());
    }
    // A line of forced moves reaches the bound itself.
    let line = (0..300).fold(leaf(5), |node, _| p0(vec![node]));
    assert_eq!(search_tree(1, &line, u32::MAX).depth, MAX_PLY as u32 - 1);
}

#[test]
fn a_single_move_is_played_at_once() {
    let line = (0..50).fold(leaf(5), |node, _| p0(vec![node]));
    let report = search(&mut Tree::new(1, &line), &Limits::nodes(1_000_000));
    assert_eq!((report.best, report.depth), (Some(0), 1));
}

#[test]
fn a_finished_game_has_no_move() {
    let report = search_tree(2, &over(Outcome::won_by(1, 2)), 3);
    assert_eq!(
        (report.best, report.outcome, report.score),
        (None, Some(Outcome::won_by(1, 2)), -WIN)
    );
    assert_eq!(search_tree(2, &p0(vec![]), 3).outcome, Some(Outcome::DRAW));
}

#[test]
fn a_fault_ends_the_search_and_leaves_the_game_as_it_was() {
    let root = p0(vec![leaf(1), p1(vec![inner(Act::Fault, 0, vec![])])]);
    let mut game = Tree::new(2, &root);
    let report = search(&mut game, &Limits::depth(5));
    assert_eq!((report.fault, report.best, report.depth), (Some(42), Some(0), 1));
    assert_eq!(game.path.len(), 1);
    assert_eq!(search_tree(2, &inner(Act::Fault, 0, vec![]), 1).fault, Some(42));
}

#[test]
fn a_node_allocates_nothing_once_the_buffers_are_warm() {
    let mut game = Heap::new(400, 6, &[0, 0, 1]);
    let mut searcher = Searcher::new(Options::default());
    let mut run = |nodes| {
        let before = n_allocations();
        let report = searcher.search(&mut game, &Limits::nodes(nodes), &mut |_| {});
        assert_eq!(report.nodes, nodes);
        n_allocations() - before
    };
    run(200_000);
    let allocations = run(100_000);
    assert!(
        allocations < 200,
        "{allocations} allocations for iterations and the report"
    );
}

// --- Threads -------------------------------------------------------------------------------------------------------

#[test]
fn threads_find_the_same_outcome() {
    for left in [17, 20, 30] {
        let mut searcher = Searcher::new(Options {
            threads: 2,
            ..Options::default()
        });
        let mut game = Heap::new(left, 3, &[0, 1]);
        let report = searcher.search_in_threads(&mut game, &Limits::depth(30), &mut |_| {});
        assert_eq!(report.score > 0, left % 4 != 0, "{left}");
        let report = searcher.search_in_threads(&mut Heap::endless(&[0, 1]), &Limits::nodes(10_000), &mut |_| {});
        assert!(report.best.is_some() && report.nodes <= 10_001);
    }
}

// --- Simulations ---------------------------------------------------------------------------------------------------

fn simulate<G: Game>(game: &mut G, options: MctsOptions, nodes: u64) -> Report<G::Fault> {
    Mcts::new(options).search(game, &Limits::nodes(nodes), &mut |_| {})
}

#[test]
fn simulations_solve_small_games() {
    let played_out = MctsOptions {
        cut: None,
        ..MctsOptions::default()
    };
    for options in [MctsOptions::default(), played_out] {
        let report = simulate(&mut TicTacToe::read("oo.x.x..."), options, 5_000);
        assert_eq!((report.fingerprint, report.score), (4, WIN - 1));
        for left in 1..=9 {
            let report = simulate(&mut Heap::new(left, 3, &[0, 1]), options, 60_000);
            assert_eq!(report.score >= WIN - MAX_PLY as i32, left % 4 != 0, "{left}");
            assert_eq!(report.score <= MAX_PLY as i32 - WIN, left % 4 == 0, "{left}");
            if left % 4 != 0 {
                assert_eq!(i64::from(report.fingerprint), left % 4);
            }
        }
        let report = simulate(&mut TicTacToe::default(), options, 300_000);
        assert!(report.score.abs() < 60, "{}", report.score);
    }
}

#[test]
fn simulations_let_a_player_move_twice_and_others_be_out_for_themselves() {
    for left in 1..=9 {
        for order in [&[0, 0, 1][..], &[0, 1, 1], &[0, 0, 1, 1]] {
            let mut game = Heap::new(left, 3, order);
            let truth = minimax(&mut game, 0, 0, 16);
            let report = simulate(&mut game, MctsOptions::default(), 200_000);
            assert_eq!(report.score > 0, truth > 0, "{left} {order:?}");
        }
    }
    let won = |player| over(Outcome::won_by(player, 3));
    let p2 = |next| inner(Act::Player(2), 0, next);
    // Player 2 will win if it can, not spoil it for player 0.
    let root = p0(vec![
        p2(vec![won(1), won(2)]),
        p2(vec![won(1), won(0)]),
        over(Outcome::DRAW),
    ]);
    let report = simulate(&mut Tree::new(3, &root), MctsOptions::default(), 2_000);
    assert_eq!(report.best, Some(2));
}

#[test]
fn simulations_weigh_chances_and_repeat_themselves() {
    let won = |player| over(Outcome::won_by(player, 2));
    let often = chance(vec![won(0), won(0), won(0), won(1)]);
    let seldom = chance(vec![won(0), won(1), won(1), won(1)]);
    let root = p0(vec![seldom, often, over(Outcome::DRAW)]);
    let run = || {
        let mut report = simulate(&mut Tree::new(2, &root), MctsOptions::default(), 5_000);
        report.seconds = 0.0;
        report.lines.clear();
        report
    };
    assert_eq!(run().best, Some(1));
    assert_eq!(run(), run());
    assert!(run().score > 0 && run().simulations > 1_000);
}
