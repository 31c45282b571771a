//! What is declared and what is used, over all games of a file.

use rustc_hash::FxHashSet;

use super::names;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::expand::Expander;
use crate::model::expression::{Condition, Number, Set, Test};
use crate::model::extension::{PlayerNumber, RandomItemKind};
use crate::model::goal::{GoalCondition, GoalPlace};
use crate::model::piece::{Block, DropLimit, Instruction, InstructionKind};
use crate::model::walk::Part;
use crate::model::{GameModel, MoveTypeId, PieceKindId};

/// The sorts of names that are looked at, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Sort {
    Variable,
    PlayerVariable,
    Attribute,
    Constant,
    Zone,
    Piece,
    /// A move type as the turn order and the like ask for it.
    MoveType,
    /// A move type as blocks have it.
    Block,
}

impl Sort {
    /// Returns what is said of names that nothing uses.
    fn message(self, names: &str, are_many: bool) -> String {
        let s = if are_many { "s" } else { "" };
        match self {
            Sort::Variable | Sort::PlayerVariable => format!("nothing reads the variable{s} {names}"),
            Sort::Attribute => format!("nothing reads the attribute{s} {names}"),
            Sort::Constant => format!("nothing reads the constant{s} {names}"),
            Sort::Zone => format!("nothing asks for the zone{s} {names}"),
            Sort::Piece if are_many => format!("the pieces {names} never come into the game"),
            Sort::Piece => format!("the piece {names} never comes into the game"),
            Sort::MoveType => format!("nothing asks for the move type{s} {names}"),
            Sort::Block => format!("no block has the move type{s} {names}"),
        }
    }
}

/// How many names of a sort are told one by one; if there are more, they are told in one go.
const MAX_ALONE: usize = 5;
/// How many of them are named then.
const MAX_NAMED: usize = 3;

/// What the games of a file declare and use.
#[derive(Debug, Default)]
pub(super) struct Usage {
    /// In the order in which they were declared.
    declared: Vec<(Sort, String)>,
    used: FxHashSet<(Sort, String)>,
}

impl Usage {
    /// Adds a game.
    pub(super) fn add(&mut self, model: &GameModel, present: &[bool]) {
        let extensions = &model.extensions;
        self.declare(
            Sort::Variable,
            extensions.variables.iter().map(|variable| &variable.name),
        );
        let of_players = extensions.player_variables.iter().map(|variable| &variable.name);
        self.declare(Sort::PlayerVariable, of_players);
        self.declare(Sort::Attribute, &model.attributes);
        self.declare(Sort::Constant, &extensions.constants);
        self.declare(Sort::Zone, model.board.zones.iter().map(|zone| &zone.name));
        self.declare(Sort::Piece, model.kinds.iter().map(|kind| &kind.name));
        for (kind, _) in model.kinds.iter().zip(present).filter(|&(_, &present)| present) {
            self.used.insert((Sort::Piece, kind.name.clone()));
        }
        for block in super::blocks(model) {
            if let Some(DropLimit::Zone(zone)) = block.only_at {
                self.used
                    .insert((Sort::Zone, model.board.zones[zone.index()].name.clone()));
            }
        }
        each_part(model, &mut |part| self.see(model, part));
        for goal in &model.goals {
            goal.condition.walk(&mut |condition| {
                if let GoalCondition::AbsoluteConfig(_, places) = condition {
                    for place in places {
                        if let GoalPlace::Zone(zone) = place {
                            self.used
                                .insert((Sort::Zone, model.board.zones[zone.index()].name.clone()));
                        }
                    }
                }
            });
        }
        self.add_move_types(model);
    }

    fn declare<'a>(&mut self, sort: Sort, names: impl IntoIterator<Item = &'a String>) {
        for name in names {
            let declared = (sort, name.clone());
            if !self.declared.contains(&declared) {
                self.declared.push(declared);
            }
        }
    }

    /// Notes what one node of the rules asks for.
    fn see(&mut self, model: &GameModel, part: Part<'_>) {
        let extensions = &model.extensions;
        let used = match part {
            Part::Condition(Condition::Test(Test::Attribute(id), _)) | Part::Number(Number::Attribute(id, _)) => {
                (Sort::Attribute, &model.attributes[id.index()])
            }
            Part::Number(Number::Constant(id, _)) => (Sort::Constant, &extensions.constants[id.index()]),
            Part::Number(Number::Variable(id)) => (Sort::Variable, &extensions.variables[id.index()].name),
            Part::Number(Number::PlayerVariable(id, _)) => {
                (Sort::PlayerVariable, &extensions.player_variables[id.index()].name)
            }
            Part::Condition(Condition::Test(Test::InZone(id), _)) | Part::Set(Set::Zone(id)) => {
                (Sort::Zone, &model.board.zones[id.index()].name)
            }
            _ => return,
        };
        self.used.insert((used.0, used.1.clone()));
    }

    /// Compares the move types that blocks have with those that are asked for.
    fn add_move_types(&mut self, model: &GameModel) {
        let mut asked: Vec<MoveTypeId> = model.priorities.clone();
        asked.extend(model.turn_order.items.iter().filter_map(|item| item.move_type));
        each_part(model, &mut |part| match part {
            Part::Instruction(Instruction {
                kind: InstructionKind::Add(add),
                ..
            }) => asked.extend(&add.move_types),
            Part::Condition(Condition::Test(Test::Attacked(Some(by)) | Test::Defended(Some(by)), _)) => asked.push(*by),
            _ => {}
        });
        let name = |id: &MoveTypeId| &model.move_types[id.index()];
        self.declare(Sort::Block, asked.iter().map(name));
        let of_blocks: Vec<MoveTypeId> = super::blocks(model).filter_map(|block| block.move_type).collect();
        self.declare(Sort::MoveType, of_blocks.iter().map(name));
        self.used
            .extend(asked.iter().map(|id| (Sort::MoveType, name(id).clone())));
        self.used
            .extend(of_blocks.iter().map(|id| (Sort::Block, name(id).clone())));
    }

    /// Reports what no game uses.
    pub(super) fn report(mut self, expander: &Expander, sink: &mut Sink) {
        self.declared.retain(|declared| !self.used.contains(declared));
        self.declared.sort_by_key(|&(sort, _)| sort);
        for group in self.declared.chunk_by(|a, b| a.0 == b.0) {
            let sort = group[0].0;
            let mut tell = |name: &str, message: String| {
                let mut note = Diagnostic::note(Code::Unused, message);
                if let Some(span) = names::declaration(expander, name) {
                    note = note.at(span);
                }
                sink.push(note);
            };
            if group.len() <= MAX_ALONE {
                for (_, name) in group {
                    tell(name, sort.message(&format!("`{name}`"), false));
                }
                continue;
            }
            let named: Vec<String> = (group.iter().take(MAX_NAMED))
                .map(|(_, name)| format!("`{name}`"))
                .collect();
            let names = format!("{} and {} more", named.join(", "), group.len() - MAX_NAMED);
            tell(&group[0].1, sort.message(&names, true));
        }
    }
}

/// Returns for each kind whether such a piece can come into the game.
pub(super) fn present_kinds(model: &GameModel) -> Vec<bool> {
    let mut present = vec![false; model.kinds.len()];
    let mut add = |kind: PieceKindId| present[kind.index()] = true;
    model.setup.pieces.iter().for_each(|&(_, _, kind)| add(kind));
    (model.setup.stock.iter())
        .filter(|&&(_, _, count)| count > 0)
        .for_each(|&(_, kind, _)| add(kind));
    for item in model.extensions.random_setup.iter().flat_map(|setup| &setup.items) {
        if let RandomItemKind::Pieces { kind, .. } = item.kind {
            add(kind);
        }
    }
    each_part(model, &mut |part| {
        let Part::Instruction(instruction) = part else { return };
        match &instruction.kind {
            InstructionKind::Add(made) => made.kinds.iter().for_each(|&kind| add(kind)),
            InstructionKind::ChangeType(kind, _) | InstructionKind::Create(_, Some(kind), _) => add(*kind),
            _ => {}
        }
    });
    present
}

/// Calls `visit` for every node of the rules of a game.
fn each_part<'a>(model: &'a GameModel, visit: &mut dyn FnMut(Part<'a>)) {
    let visit: &mut dyn FnMut(Part<'a>, bool) = &mut |part, _| visit(part);
    let extensions = &model.extensions;
    let answers = extensions.after_moves.iter().map(|answer| &answer.block);
    let new_round = extensions.actor.iter().map(|actor| &actor.new_round);
    let blocks: Vec<&'a Block> = super::blocks(model).chain(answers).chain(new_round).collect();
    for instruction in blocks.into_iter().flat_map(|block| &block.instructions) {
        Part::Instruction(instruction).walk(visit);
    }
    for goal in &model.goals {
        Part::Goal(&goal.condition).walk(visit);
    }
    for skip in &extensions.skips {
        Part::Condition(&skip.condition).walk(visit);
    }
    if let Some(actor) = &extensions.actor {
        Part::Set(&actor.set).walk(visit);
        actor.order.iter().for_each(|number| Part::Number(number).walk(visit));
    }
    let turn: Option<&PlayerNumber> = extensions.maximize_turn.as_ref();
    for number in turn
        .into_iter()
        .chain(&extensions.scores)
        .chain(&extensions.evaluations)
    {
        Part::Number(&number.number).walk(visit);
    }
    for forced in extensions.policies.iter().filter_map(|policy| policy.forced.as_ref()) {
        Part::Condition(forced).walk(visit);
    }
    for item in extensions.random_setup.iter().flat_map(|setup| &setup.items) {
        match &item.kind {
            RandomItemKind::Pieces { count, set, .. } => {
                Part::Number(count).walk(visit);
                Part::Set(set).walk(visit);
            }
            RandomItemKind::Instruction(instruction) => Part::Instruction(instruction).walk(visit),
        }
    }
}
