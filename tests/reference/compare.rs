//! One random game, played by the machine and by the reference at once.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Instant;

use ludex::model::{AttributeId, CellId};
use ludex::play::notation::Notation;
use ludex::play::position::{print_position, read_position};
use ludex::state::{self, key};
use ludex::{MoveEntry, MoveList, Outcome, Rules, Session, State};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::corpus::mutate::below;
use crate::goals;
use crate::legal::{self, Trouble};
use crate::moves::{Effect, Move, Movement};
use crate::situation::{Chain, Piece, Position, Situation};

/// So many moves of a list have their texts read back; reading compares a text with the whole list.
const TEXTS_PER_PLY: usize = 12;

/// What a comparison has seen.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub n_games: usize,
    pub n_plies: usize,
    pub n_moves: usize,
    /// Games that ended by a goal or without a move.
    pub n_over: usize,
    /// Games given up because the rules did not end.
    pub n_faults: usize,
    /// Games given up because the reference would take too long.
    pub n_slow: usize,
}

impl Summary {
    pub fn add(&mut self, other: &Summary) {
        self.n_games += other.n_games;
        self.n_plies += other.n_plies;
        self.n_moves += other.n_moves;
        self.n_over += other.n_over;
        self.n_faults += other.n_faults;
        self.n_slow += other.n_slow;
    }
}

/// The reference's side of a game.
struct Reference {
    situation: Situation,
    captured: Vec<Piece>,
    history: Vec<Position>,
    /// Who made the last ply.
    mover: Option<ludex::model::PlayerId>,
}

/// Plays one random game from the start of the game or from a given state; the error says what machine and reference
/// disagree on.
pub fn compare_game(
    rules: &Arc<Rules>,
    given: Option<&State>,
    seed: u64,
    max_plies: usize,
    deadline: Instant,
    summary: &mut Summary,
) -> Result<(), String> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut session, start) = match given {
        None => (Session::new(Arc::clone(rules)), Situation::start(&rules.model)),
        Some(state) => {
            let session = Session::from_state(Arc::clone(rules), state.clone());
            (session, situation_of(rules, state))
        }
    };
    let mut reference = Reference {
        history: vec![start.position.clone()],
        situation: start,
        captured: Vec::new(),
        mover: None,
    };
    summary.n_games += 1;
    let mut list = MoveList::new();
    for ply in 0..=max_plies {
        if ply == max_plies || Instant::now() >= deadline {
            return Ok(());
        }
        let context = |text: String| format!("ply {ply}, {}: {text}", print_position(rules, session.state()));
        compare_situation(rules, session.state(), &reference.situation).map_err(context)?;
        check_state(rules, session.state()).map_err(context)?;

        let Ok(outcome) = session.legal_moves(&mut list) else {
            summary.n_faults += 1;
            return Ok(());
        };
        let (expected, expected_outcome) = match expect(rules, &reference) {
            Ok(expected) => expected,
            Err(Trouble::TooManyChains) => {
                summary.n_slow += 1;
                return Ok(());
            }
            // The machine does not run blocks that could not matter to an attack test.
            Err(Trouble::Endless) => {
                summary.n_faults += 1;
                return Ok(());
            }
        };
        let context = |text: String| context_of(rules, &session, ply, text);
        if outcome != expected_outcome {
            let text = format!("outcome {outcome:?} where {expected_outcome:?} was expected");
            return Err(context(text));
        }
        if outcome.is_some() {
            summary.n_over += 1;
            return Ok(());
        }
        let moves = compare_moves(rules, session.state(), &list, &expected).map_err(context)?;
        check_texts(rules, session.state(), &list, &mut random).map_err(context)?;
        summary.n_plies += 1;
        summary.n_moves += list.len();

        let index = below(&mut random, list.len());
        let before = session.state().clone();
        if session.make(&list, index).is_err() {
            summary.n_faults += 1;
            return Ok(());
        }
        let after = session.state().clone();
        session.unmake();
        if *session.state() != before {
            let text = Notation::new(rules).move_text(&before, &list, list.get(index));
            return Err(format!(
                "ply {ply}: {text} cannot be taken back in {}",
                print_position(rules, &before)
            ));
        }
        session
            .make(&list, index)
            .map_err(|fault| format!("{fault} the second time only"))?;
        if *session.state() != after {
            return Err(format!(
                "ply {ply}: a move made twice differs from {}",
                print_position(rules, &before)
            ));
        }
        if advance(rules, &mut reference, &moves[index]).is_err() {
            summary.n_faults += 1;
            return Ok(());
        }
        let decided = goals::board_outcome(&rules.model, &reference.situation, &reference.captured);
        if decided != Ok(session.decided()) {
            let text = format!("decided {:?} where {decided:?} was expected", session.decided());
            return Err(context_of(rules, &session, ply, text));
        }
    }
    Ok(())
}

fn context_of(rules: &Rules, session: &Session, ply: usize, text: String) -> String {
    format!("ply {ply}, {}: {text}", print_position(rules, session.state()))
}

/// What the reference lists, and how it says the game stands.
fn expect(rules: &Rules, reference: &Reference) -> Result<(Vec<Move>, Option<Outcome>), Trouble> {
    let Reference {
        situation,
        captured,
        history,
        mover,
    } = reference;
    // A position given by hand is not tested for goals about the board.
    if mover.is_some() {
        let decided = goals::board_outcome(&rules.model, situation, captured)?;
        if decided.is_some() {
            return Ok((Vec::new(), decided));
        }
    }
    let moves = legal::legal_moves(&rules.model, situation)?;
    let outcome = goals::turn_outcome(&rules.model, situation, captured, history, &moves, *mover)?;
    Ok((moves, outcome))
}

fn advance(rules: &Rules, reference: &mut Reference, made: &Move) -> Result<(), Trouble> {
    let (after, captured) = legal::make(&rules.model, &reference.situation, made)?;
    reference.mover = Some(reference.situation.turn_item(&rules.model).player);
    reference.history.push(after.position.clone());
    reference.situation = after;
    reference.captured = captured;
    Ok(())
}

/// Copies everything that the machine's state holds.
fn situation_of(rules: &Rules, state: &State) -> Situation {
    let model = &rules.model;
    let mut pieces = BTreeMap::new();
    for cell in model.board.cell_ids().filter(|&cell| state.occupant(cell).is_some()) {
        let occupant = state.occupant(cell);
        let attributes = (0..model.attributes.len()).filter_map(AttributeId::new);
        let piece = Piece {
            player: rules.owner(occupant),
            kind: rules.kind(occupant),
            attributes: attributes
                .map(|attribute| state.attribute(rules, cell, attribute))
                .collect(),
        };
        pieces.insert(cell, piece);
    }
    let in_stock = rules.occupants.pieces().filter(|&piece| state.stock(piece) > 0);
    let chain = state.chain().map(|chain| Chain {
        cell: chain.cell,
        move_types: rules.program.continuations[chain.continuation.index()].clone(),
    });
    let position = Position {
        pieces,
        stock: in_stock
            .map(|piece| ((rules.owner(piece), rules.kind(piece)), state.stock(piece)))
            .collect(),
        turn: state.turn(),
        chain,
    };
    Situation {
        position,
        last_from: some(state.last_from()),
        last_to: some(state.last_to()),
    }
}

fn some(cell: CellId) -> Option<CellId> {
    cell.is_some().then_some(cell)
}

fn compare_situation(rules: &Rules, state: &State, expected: &Situation) -> Result<(), String> {
    let found = situation_of(rules, state);
    if found == *expected {
        return Ok(());
    }
    let mut differences = Vec::new();
    let cells: BTreeSet<CellId> = found
        .position
        .pieces
        .keys()
        .chain(expected.position.pieces.keys())
        .copied()
        .collect();
    for cell in cells {
        let (found, expected) = (found.piece(cell), expected.piece(cell));
        if found != expected {
            let name = rules.model.board.name(cell);
            differences.push(format!("on {name} {found:?} where {expected:?} was expected"));
        }
    }
    if differences.is_empty() {
        let without_pieces = |situation: &Situation| {
            let mut situation = situation.clone();
            situation.position.pieces.clear();
            situation
        };
        let (found, expected) = (without_pieces(&found), without_pieces(expected));
        differences.push(format!("{found:?} where {expected:?} was expected"));
    }
    Err(differences.join("; "))
}

/// What must hold of every state by itself.
fn check_state(rules: &Rules, state: &State) -> Result<(), String> {
    let (kept, recomputed) = (state.keys(), key::recompute(rules, state));
    if kept != recomputed {
        return Err(format!("keys {kept:?} where {recomputed:?} follow from the state"));
    }
    let text = print_position(rules, state);
    let read = read_position(rules, "printed", &text).map_err(|error| format!("cannot read it back: {error}"))?;
    // The squares of the last move are written only where rules can ask for them.
    let mut state = state.clone();
    if !rules.program.reads.last_move {
        state.set_last_move(rules, CellId::NONE, CellId::NONE);
    }
    if read == state {
        Ok(())
    } else {
        Err(format!("read back it is {}", print_position(rules, &read)))
    }
}

/// Compares the lists of moves as sets; returns the machine's list in terms of the reference.
fn compare_moves(rules: &Rules, state: &State, list: &MoveList, expected: &[Move]) -> Result<Vec<Move>, String> {
    let found: Vec<Move> = list.iter().map(|entry| as_reference(rules, list, entry)).collect();
    let found_set: HashSet<&Move> = found.iter().collect();
    let expected_set: HashSet<&Move> = expected.iter().collect();
    if found_set.len() < found.len() {
        let mut seen = HashSet::new();
        let twice = found
            .iter()
            .find(|made| !seen.insert(*made))
            .map(|made| describe(rules, made));
        return Err(format!("listed twice: {}", twice.unwrap_or_default()));
    }
    if found_set == expected_set {
        return Ok(found);
    }
    let texts = Notation::new(rules).unique_texts(state, list);
    let missing: Vec<&&Move> = expected_set.difference(&found_set).take(4).collect();
    let surplus = (0..found.len())
        .filter(|&index| !expected_set.contains(&found[index]))
        .take(4);
    let missing: Vec<String> = missing.iter().map(|made| describe(rules, made)).collect();
    let surplus: Vec<String> = surplus
        .map(|index| format!("{} = {}", texts[index], describe(rules, &found[index])))
        .collect();
    let (n_found, n_expected) = (found.len(), expected.len());
    Err(format!(
        "{n_found} moves where {n_expected} were expected\n  missing: {}\n  surplus: {}",
        missing.join("\n           "),
        surplus.join("\n           ")
    ))
}

/// A move in words, cells by name.
fn describe(rules: &Rules, made: &Move) -> String {
    let text = format!("{made:?}");
    // `CellId(12)` says little.
    let mut parts = text.split("CellId(");
    let mut described = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(')').unwrap_or((part, ""));
        let cell = number.parse().ok().and_then(CellId::new);
        described.push_str(cell.map_or(number, |cell| rules.model.board.name(cell)));
        described.push_str(rest);
    }
    described
}

/// Translates a move of the machine.
fn as_reference(rules: &Rules, list: &MoveList, entry: &MoveEntry) -> Move {
    let mut made = Move {
        continuation: entry
            .is_partial()
            .then(|| rules.program.continuations[entry.continuation.index()].clone()),
        arrival: some(entry.arrival).filter(|_| entry.is_partial()),
        last_from: some(entry.from),
        last_to: some(entry.to),
        ..Move::default()
    };
    for effect in list.effects(entry) {
        match *effect {
            state::Effect::Move { from, to } => made.movements.push(Movement::Move { from, to }),
            state::Effect::Drop { piece, to } => made.movements.push(Movement::Drop {
                player: rules.owner(piece),
                kind: rules.kind(piece),
                to,
            }),
            state::Effect::Copy { piece, to } => made.movements.push(Movement::Copy {
                player: rules.owner(piece),
                kind: rules.kind(piece),
                to,
            }),
            state::Effect::Create { piece, at } => made.effects.push(Effect::Create {
                player: rules.owner(piece),
                kind: rules.kind(piece),
                at,
            }),
            state::Effect::SetAttribute { at, attribute, value } => {
                made.effects.push(Effect::SetAttribute { at, attribute, value });
            }
            state::Effect::ChangeOwner { at, player } => made.effects.push(Effect::ChangeOwner { at, player }),
            state::Effect::Flip { at } => made.effects.push(Effect::Flip { at }),
            state::Effect::ChangeKind { at, kind } => made.effects.push(Effect::ChangeType { at, kind }),
            state::Effect::Capture { at } => {
                made.captures.insert(at);
            }
            state::Effect::Promote { at, kind } => made.promotion = Some((at, kind)),
            beyond => panic!("{beyond:?} in a classic game"),
        }
    }
    made
}

/// Texts of moves differ from each other and mean their moves.
fn check_texts(rules: &Rules, state: &State, list: &MoveList, random: &mut ChaCha8Rng) -> Result<(), String> {
    let notation = Notation::new(rules);
    let texts = notation.unique_texts(state, list);
    let short_texts = notation.short_texts(state, list);
    if texts.iter().collect::<HashSet<_>>().len() < texts.len() {
        return Err("two moves have the same text".to_owned());
    }
    for _ in 0..TEXTS_PER_PLY.min(list.len()) {
        let index = below(random, list.len());
        for text in [&texts[index], &short_texts[index]] {
            match notation.find_move(state, list, text) {
                Ok(found) if found == index => {}
                Ok(found) => {
                    return Err(format!(
                        "`{text}`, the text of `{}`, means `{}`",
                        texts[index], texts[found]
                    ));
                }
                Err(error) => return Err(format!("`{text}`, the text of `{}`: {error}", texts[index])),
            }
        }
    }
    Ok(())
}
