//! Which moves are legal, and whose turn comes then.

use std::collections::HashSet;

use ludex::model::goal::GoalCondition;
use ludex::model::option::{MaximalCaptures, PassTurn};
use ludex::model::piece::{Block, DropLimit};
use ludex::model::quirk::{Priorities, UnlistedTypes};
use ludex::model::{CellId, GameModel, MoveTypeId, PieceKindId, PlayerId, TurnItem};

use crate::attack::is_in_check;
use crate::moves::{Move, apply};
use crate::run::{Endless, Runner, run};
use crate::situation::{Chain, Piece, Situation};

/// Chains of partial moves are compared no further than this many steps in all.
const MOST_CHAIN_STEPS: usize = 20_000;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A block does not end.
    Endless,
    /// There are too many chains for a slow program.
    TooManyChains,
}

impl From<Endless> for Trouble {
    fn from(Endless: Endless) -> Trouble {
        Trouble::Endless
    }
}

/// Lists the legal moves, not asking whether the game is over.
pub fn legal_moves(model: &GameModel, situation: &Situation) -> Result<Vec<Move>, Trouble> {
    let item = situation.turn_item(model);
    let chain = situation.position.chain.as_ref();
    let mut moves = unfiltered_by_length(model, situation)?;
    if model.options.maximal_captures != MaximalCaptures::Off {
        moves = keep_longest(model, situation, moves)?;
    }
    let may_pass = match (chain, model.options.pass_turn) {
        (Some(_), _) => model.options.pass_partial,
        (None, PassTurn::Never) => false,
        (None, PassTurn::Always) => true,
        (None, PassTurn::Forced) => moves.is_empty(),
    };
    if may_pass && !exposes(model, situation, item.acts_as, &Move::default())? {
        moves.push(Move::default());
    }
    Ok(moves)
}

/// Makes a legal move; returns the situation after it and what was captured.
pub fn make(model: &GameModel, situation: &Situation, made: &Move) -> Result<(Situation, Vec<Piece>), Trouble> {
    let item = situation.turn_item(model);
    let mut after = situation.clone();
    let captured = apply(model, &mut after, made);
    after.position.chain = None;
    if let (Some(move_types), Some(cell)) = (&made.continuation, made.arrival) {
        let goes_on_with = after.piece(cell).is_some_and(|piece| piece.player == item.acts_as);
        let move_types = move_types.clone();
        after.position.chain = goes_on_with.then_some(Chain { cell, move_types });
        if goes_on_with && !unfiltered_by_length(model, &after)?.is_empty() {
            return Ok((after, captured));
        }
        after.position.chain = None;
    }
    after.position.turn += 1;
    if after.position.turn == model.turn_order.items.len() {
        after.position.turn = model.turn_order.repeat_from;
    }
    Ok((after, captured))
}

/// The legal moves but for the comparison of chains and for passing.
fn unfiltered_by_length(model: &GameModel, situation: &Situation) -> Result<Vec<Move>, Trouble> {
    let item = situation.turn_item(model);
    for allowed in ranks(model, item, situation.position.chain.as_ref()) {
        let mut moves = candidates(model, situation, item.acts_as, &allowed)?;
        let is_decisive = !moves.is_empty() && model.options.quirks.priorities == Priorities::BeforeCheck;
        let mut index = 0;
        while index < moves.len() {
            if exposes(model, situation, item.acts_as, &moves[index])? {
                moves.remove(index);
            } else {
                index += 1;
            }
        }
        if is_decisive || !moves.is_empty() {
            return Ok(moves);
        }
    }
    Ok(Vec::new())
}

/// The sets of move types that are offered one after another until one has a legal move. `None` in a set stands for the
/// blocks without a type.
fn ranks(model: &GameModel, item: TurnItem, chain: Option<&Chain>) -> Vec<Vec<Option<MoveTypeId>>> {
    let all = || {
        let typed = (0..model.move_types.len()).filter_map(MoveTypeId::new).map(Some);
        typed.chain([None]).collect::<Vec<_>>()
    };
    let allowed: Vec<Option<MoveTypeId>> = match (chain, item.move_type) {
        (Some(chain), _) if !chain.move_types.is_empty() => chain.move_types.iter().copied().map(Some).collect(),
        (_, Some(only)) => return vec![vec![Some(only)]],
        (_, None) => all(),
    };
    let mut ranks: Vec<Vec<Option<MoveTypeId>>> = Vec::new();
    for &listed in &model.priorities {
        if allowed.contains(&Some(listed)) {
            ranks.push(vec![Some(listed)]);
        }
    }
    let is_listed = |move_type: &Option<MoveTypeId>| move_type.is_some_and(|listed| model.priorities.contains(&listed));
    // What is not listed comes last, or never in a turn that is open to all types.
    let is_hidden = chain.is_none() && !model.priorities.is_empty();
    if is_hidden && model.options.quirks.unlisted_types == UnlistedTypes::Never {
        return ranks;
    }
    ranks.push(allowed.into_iter().filter(|move_type| !is_listed(move_type)).collect());
    ranks
}

/// The candidates of these move types, each once.
fn candidates(
    model: &GameModel,
    situation: &Situation,
    player: PlayerId,
    allowed: &[Option<MoveTypeId>],
) -> Result<Vec<Move>, Endless> {
    let chain = situation.position.chain.as_ref();
    let runner = |kind: PieceKindId| Runner {
        model,
        situation,
        player,
        kind,
        in_attack_test: false,
    };
    let is_allowed = |block: &&Block| allowed.contains(&block.move_type);
    let mut moves = Vec::new();
    for (&cell, piece) in &situation.position.pieces {
        if piece.player != player || chain.is_some_and(|chain| chain.cell != cell) {
            continue;
        }
        for block in model.kinds[piece.kind.index()].moves.iter().filter(is_allowed) {
            moves.extend(run(runner(piece.kind), block, cell, false)?);
        }
    }
    if chain.is_none() {
        for kind in model.kind_ids().filter(|&kind| situation.stock(player, kind) > 0) {
            for block in model.kinds[kind.index()].drops.iter().filter(is_allowed) {
                for cell in drop_cells(model, player, block) {
                    moves.extend(run(runner(kind), block, cell, true)?);
                }
            }
        }
    }
    let mut seen = HashSet::new();
    moves.retain(|made| seen.insert(made.clone()));
    Ok(moves)
}

fn drop_cells(model: &GameModel, player: PlayerId, block: &Block) -> Vec<CellId> {
    match block.only_at {
        None => model.board.cell_ids().collect(),
        Some(DropLimit::Cell(cell)) => vec![cell],
        Some(DropLimit::Zone(zone)) => model.board.zones[zone.index()].cells[player.index()].clone(),
    }
}

/// Tells whether a move leaves a piece attacked that a `checkmated` goal speaks of.
fn exposes(model: &GameModel, situation: &Situation, player: PlayerId, made: &Move) -> Result<bool, Endless> {
    let royal = royal_kinds(model, player);
    if royal.is_empty() {
        return Ok(false);
    }
    let mut after = situation.clone();
    apply(model, &mut after, made);
    is_in_check(model, &after, player, &royal)
}

fn royal_kinds(model: &GameModel, player: PlayerId) -> Vec<PieceKindId> {
    let mut royal = Vec::new();
    for goal in model.goals.iter().filter(|goal| goal.players.contains(&player)) {
        goal.condition.walk(&mut |condition| {
            if let GoalCondition::Checkmated(kinds) = condition {
                royal.extend(kinds);
            }
        });
    }
    royal
}

/// "maximal captures": only the moves that begin a longest chain.
fn keep_longest(model: &GameModel, situation: &Situation, moves: Vec<Move>) -> Result<Vec<Move>, Trouble> {
    let mut budget = MOST_CHAIN_STEPS;
    let mut lengths = Vec::new();
    for made in &moves {
        let mut path = Vec::new();
        lengths.push(chain_length(model, situation, made, &mut path, &mut budget)?);
    }
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let kept = moves.into_iter().zip(lengths).filter(|&(_, length)| length == longest);
    Ok(kept.map(|(made, _)| made).collect())
}

/// The number of steps of the longest chain that begins with a move. A chain that comes back to a situation on its path
/// counts up to there.
fn chain_length(
    model: &GameModel,
    situation: &Situation,
    made: &Move,
    path: &mut Vec<Situation>,
    budget: &mut usize,
) -> Result<usize, Trouble> {
    *budget = budget.checked_sub(1).ok_or(Trouble::TooManyChains)?;
    if made.continuation.is_none() {
        return Ok(1);
    }
    let (after, _) = make(model, situation, made)?;
    if after.position.chain.is_none() || path.contains(&after) {
        return Ok(1);
    }
    path.push(after.clone());
    let mut longest = 0;
    for next in unfiltered_by_length(model, &after)? {
        longest = longest.max(chain_length(model, &after, &next, path, budget)?);
    }
    path.pop();
    Ok(1 + longest)
}
