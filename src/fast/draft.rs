//! The graph of one block from one start: tests of the board, and moves at its leaves.

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Frame, Touch};
use super::situation::{Event, GivesUp, Question, Situation, Symbolic};
use super::universe::Mask;
use crate::model::{CellId, PieceKindId};
use crate::program::{AddTable, ContinuationId};
use crate::state::{Effect, MoveEntry};

pub(super) type NodeId = u32;

/// The node that ends the block.
pub(super) const END: NodeId = 0;

/// Marks a situation that the path being followed has come through: a loop that need not end.
const OPEN: NodeId = NodeId::MAX;

const NODE_LIMIT: usize = 700;
const DEPTH_LIMIT: usize = 500;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    End,
    Ask {
        question: Question,
        yes: NodeId,
        no: NodeId,
    },
    Emit {
        first: u32,
        n: u16,
        next: NodeId,
    },
    Collect {
        effect: Effect,
        next: NodeId,
    },
    Capture {
        cell: CellId,
        next: NodeId,
    },
    EmitCollected {
        frame: u32,
        next: NodeId,
    },
}

/// Prepared moves, each once.
#[derive(Debug, Default)]
pub(super) struct Forge {
    pub templates: Vec<MoveEntry>,
    pub effects: Vec<Effect>,
    pub touches: Vec<Touch>,
    pub frames: Vec<Frame>,
    known: FxHashMap<Vec<Plan>, u32>,
    known_frames: FxHashMap<Frame, u32>,
}

/// A move before it has its place in the arena.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Plan {
    effects: Vec<Effect>,
    from: CellId,
    to: CellId,
    arrival: CellId,
    continuation: ContinuationId,
    touch: Touch,
}

impl std::hash::Hash for Touch {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (*self as u8).hash(state);
    }
}

impl Forge {
    /// Returns the number of the first of these moves, which follow each other.
    fn put(&mut self, plans: Vec<Plan>) -> u32 {
        if let Some(&first) = self.known.get(&plans) {
            return first;
        }
        let first = self.templates.len() as u32;
        for plan in &plans {
            self.templates.push(MoveEntry::prepared(
                self.effects.len(),
                plan.effects.len(),
                [plan.from, plan.to, plan.arrival],
                plan.continuation,
            ));
            self.effects.extend_from_slice(&plan.effects);
            self.touches.resize(self.effects.len(), plan.touch);
        }
        self.known.insert(plans, first);
        first
    }

    fn frame(&mut self, frame: Frame) -> u32 {
        let next = self.frames.len() as u32;
        let number = *self.known_frames.entry(frame.clone()).or_insert(next);
        if number == next {
            self.frames.push(frame);
        }
        number
    }

    /// Puts effects that are no whole move into the arena; returns the number of the first.
    pub fn put_effects(&mut self, effects: &[Effect]) -> u32 {
        let first = self.effects.len() as u32;
        self.effects.extend_from_slice(effects);
        self.touches.resize(self.effects.len(), Touch::Other);
        first
    }

    /// Returns what makes a prepared move equal to others: see [`same_move`](crate::state::same_move).
    /// Beyond the classic language moves with equal movements may be equal, whatever else they do.
    pub fn identity(&self, template: u32, by_movement: bool) -> (Vec<Effect>, ContinuationId, CellId) {
        let entry = &self.templates[template as usize];
        if by_movement {
            let effects = &self.effects[entry.arena_start()..][..1.min(entry.len as usize)];
            return (effects.to_vec(), ContinuationId::NONE, CellId::NONE);
        }
        let mut effects = self.effects[entry.arena_start()..][..entry.len as usize].to_vec();
        let is_capture = |effect: &Effect| matches!(effect, Effect::Capture { .. });
        let mut captures: Vec<CellId> = (effects.iter())
            .filter_map(|effect| match *effect {
                Effect::Capture { at } => Some(at),
                _ => None,
            })
            .collect();
        captures.sort_unstable();
        captures.dedup();
        effects.retain(|effect| !is_capture(effect));
        effects.extend(captures.into_iter().map(|at| Effect::Capture { at }));
        let arrival = if entry.is_partial() {
            entry.arrival
        } else {
            CellId::NONE
        };
        (effects, entry.continuation, arrival)
    }
}

/// The graph of one block from one start.
pub(super) struct Draft<'a> {
    run: Symbolic<'a>,
    forge: &'a mut Forge,
    /// Whether effects and captures are collected while running, since there are too many combinations of them.
    pub collects: bool,
    pub nodes: Vec<Node>,
    known_nodes: FxHashMap<Node, NodeId>,
    known: FxHashMap<Situation, NodeId>,
    fuel: usize,
}

impl<'a> Draft<'a> {
    /// Follows the block: with whole moves prepared, or with effects collected. The fuel is for operations followed, and for
    /// what is copied of the situations between.
    pub fn new(
        run: Symbolic<'a>,
        forge: &'a mut Forge,
        collects: bool,
        fuel: &mut usize,
    ) -> Result<(Draft<'a>, NodeId), GivesUp> {
        let mut draft = Draft {
            run,
            forge,
            collects,
            nodes: vec![Node::End],
            known_nodes: FxHashMap::default(),
            known: FxHashMap::default(),
            fuel: *fuel,
        };
        let root = draft.follow(draft.run.begin(), 0);
        *fuel = draft.fuel;
        Ok((draft, root?))
    }

    fn spend(&mut self, work: usize) -> Result<(), GivesUp> {
        self.fuel = self.fuel.checked_sub(work).ok_or(GivesUp)?;
        Ok(())
    }

    fn node(&mut self, node: Node) -> Result<NodeId, GivesUp> {
        if let Some(&known) = self.known_nodes.get(&node) {
            return Ok(known);
        }
        if self.nodes.len() >= NODE_LIMIT {
            return Err(GivesUp);
        }
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node);
        self.known_nodes.insert(node, id);
        Ok(id)
    }

    fn follow(&mut self, mut s: Situation, depth: usize) -> Result<NodeId, GivesUp> {
        if depth > DEPTH_LIMIT {
            return Err(GivesUp);
        }
        loop {
            match self.run.follow(&mut s, &mut self.fuel)? {
                Event::End => return Ok(END),
                Event::Effect(effect) if self.collects => {
                    let next = self.follow(s, depth + 1)?;
                    return self.node(Node::Collect { effect, next });
                }
                Event::Capture(cell) if self.collects => {
                    let next = self.follow(s, depth + 1)?;
                    return self.node(Node::Capture { cell, next });
                }
                Event::Effect(effect) => s.push_effect(effect),
                Event::Capture(cell) => s.captures.push(cell),
                Event::Add(index) => {
                    let add = &self.run.rules.program.adds[index as usize];
                    if self.collects {
                        let frames = self.frames(&s, add)?;
                        self.run.after_add(&mut s);
                        let mut next = self.follow(s, depth + 1)?;
                        for frame in frames.into_iter().rev() {
                            next = self.node(Node::EmitCollected { frame, next })?;
                        }
                        return Ok(next);
                    }
                    self.spend(8 + s.size())?;
                    let plans = self.plans(&s, add)?;
                    self.run.after_add(&mut s);
                    if plans.is_empty() {
                        continue;
                    }
                    let n = plans.len() as u16;
                    let first = self.forge.put(plans);
                    let next = self.follow(s, depth + 1)?;
                    return self.node(Node::Emit { first, n, next });
                }
                Event::Ask(question) => {
                    match self.known.get(&s) {
                        Some(&OPEN) => return Err(GivesUp),
                        Some(&known) => return Ok(known),
                        None => {}
                    }
                    self.spend(8 + 4 * s.size())?;
                    self.known.insert(s.clone(), OPEN);
                    let (mut stays, mut answered) = (s.clone(), s.clone());
                    self.run.answer(&mut answered, question, true);
                    self.run.answer(&mut stays, question, false);
                    let yes = self.follow(answered, depth + 1)?;
                    let no = self.follow(stays, depth + 1)?;
                    let node = self.ask(question, yes, no)?;
                    self.known.insert(s, node);
                    return Ok(node);
                }
            }
        }
    }

    fn ask(&mut self, question: Question, yes: NodeId, no: NodeId) -> Result<NodeId, GivesUp> {
        if yes == no {
            return Ok(yes);
        }
        match question {
            Question::Neighbors { cell, set } => {
                let mut node = no;
                for &cell in self.run.rules.neighbors(cell).iter().rev() {
                    let question = Question::Occupant { cell, set };
                    node = self.ask(question, yes, node)?;
                }
                Ok(node)
            }
            Question::Occupant { cell, set } => {
                let (mut yes, mut set) = (yes, set);
                // Two tests of one cell that lead to the same place when they fail are one.
                while let Node::Ask {
                    question:
                        Question::Occupant {
                            cell: other,
                            set: further,
                        },
                    yes: then,
                    no: or,
                } = self.nodes[yes as usize]
                    && other == cell
                    && or == no
                {
                    (yes, set) = (then, set & further);
                }
                self.node(Node::Ask {
                    question: Question::Occupant { cell, set },
                    yes,
                    no,
                })
            }
            _ => self.node(Node::Ask { question, yes, no }),
        }
    }

    /// Makes the moves of an `add`, as the interpreter would.
    fn plans(&self, s: &Situation, add: &AddTable) -> Result<Vec<Plan>, GivesUp> {
        let kinds = add.kinds.iter().copied().map(Some);
        let kinds: Vec<_> = if add.kinds.is_empty() {
            vec![None]
        } else {
            kinds.collect()
        };
        let mut plans = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let (mut effects, [from, to], promotion) = self.movements(s, add, kind)?;
            let n_movements = effects.len();
            self.check_extended(s, n_movements)?;
            effects.extend_from_slice(&s.effects);
            effects.extend(s.captures.iter().map(|&at| Effect::Capture { at }));
            effects.extend(promotion);
            if effects.is_empty() {
                continue;
            }
            let touch = self.touch(&effects, n_movements);
            plans.push(Plan {
                effects,
                from,
                to,
                arrival: s.destination(),
                continuation: add.continuation.unwrap_or(ContinuationId::NONE),
                touch,
            });
        }
        Ok(plans)
    }

    fn frames(&mut self, s: &Situation, add: &AddTable) -> Result<Vec<u32>, GivesUp> {
        let kinds = add.kinds.iter().copied().map(Some);
        let kinds: Vec<_> = if add.kinds.is_empty() {
            vec![None]
        } else {
            kinds.collect()
        };
        // What is collected is forgotten after the first.
        if kinds.len() > 1 {
            return Err(GivesUp);
        }
        let mut frames = Vec::new();
        for kind in kinds {
            let (movements, [from, to], promotion) = self.movements(s, add, kind)?;
            self.check_extended(s, movements.len())?;
            let frame = Frame {
                movements,
                promotion,
                from,
                to,
                arrival: s.destination(),
                continuation: add.continuation.unwrap_or(ContinuationId::NONE),
            };
            frames.push(self.forge.frame(frame));
        }
        Ok(frames)
    }

    /// Beyond the classic language a movement from an empty cell is left out, and moves that change nothing are, which
    /// depends on the board: only moves that begin with a movement of their own piece are the same in both.
    fn check_extended(&self, s: &Situation, n_movements: usize) -> Result<(), GivesUp> {
        let moves_itself = s.from.is_none() || (self.run.dropped.is_none() && s.from == self.run.start);
        let is_plain = n_movements == 1 && s.movements.is_empty() && moves_itself;
        if self.run.entry.is_extended && !is_plain {
            return Err(GivesUp);
        }
        Ok(())
    }

    /// Returns the movements of a move, where the first of them starts and ends, and the promotion.
    #[allow(clippy::type_complexity)] // three parts of a move
    fn movements(
        &self,
        s: &Situation,
        add: &AddTable,
        kind: Option<PieceKindId>,
    ) -> Result<(Vec<Effect>, [CellId; 2], Option<Effect>), GivesUp> {
        let run = &self.run;
        let rules = run.rules;
        let mut effects = Vec::with_capacity(1);
        for &(from, to) in &s.movements {
            effects.push(match from {
                CellId::NONE => Effect::Drop { piece: run.dropped, to },
                from => Effect::Move { from, to },
            });
        }
        let (from, to) = (s.from, s.destination());
        let mut promotion = kind;
        if from.is_none() && !add.copy {
            effects.push(Effect::Drop { piece: run.dropped, to });
        } else if from != to {
            if add.copy {
                let kind = match promotion.take() {
                    Some(kind) => kind,
                    None if from.is_none() || from == run.start && run.dropped.is_none() => run.entry.kind,
                    None => return Err(GivesUp),
                };
                effects.push(Effect::Copy {
                    piece: rules.occupant(run.entry.player, kind),
                    to,
                });
            } else {
                effects.push(Effect::Move { from, to });
            }
        }
        let first = match effects.first() {
            Some(&Effect::Move { from, to }) => [from, to],
            Some(&Effect::Drop { to, .. }) => [CellId::NONE, to],
            Some(&Effect::Copy { to, .. }) => [from, to],
            _ => [CellId::NONE; 2],
        };
        if promotion.is_some() && rules.model.options.recycle_promotions {
            return Err(GivesUp);
        }
        Ok((effects, first, promotion.map(|kind| Effect::Promote { at: to, kind })))
    }

    fn touch(&self, effects: &[Effect], n_movements: usize) -> Touch {
        let rules = self.run.rules;
        let player = self.run.entry.player;
        let is_royal = |kind| rules.royal(player).contains(&rules.occupant(player, kind));
        let mover_is_royal = is_royal(self.run.entry.kind);
        let (movements, others) = effects.split_at(n_movements);
        let touch = match *movements {
            [Effect::Move { from, .. }] if self.run.dropped.is_none() && from == self.run.start => Touch::Relocates,
            [Effect::Drop { .. }] if !mover_is_royal => Touch::Appears,
            _ => return Touch::Other,
        };
        let is_harmless = |effect: &Effect| match *effect {
            Effect::SetAttribute { .. } => true,
            Effect::Promote { kind, .. } => !mover_is_royal && !is_royal(kind),
            _ => false,
        };
        if others.iter().all(is_harmless) {
            touch
        } else {
            Touch::Other
        }
    }

    /// Tells whether some path lists two equal moves, or may.
    pub fn may_repeat(&self) -> bool {
        let mut identities = FxHashMap::default();
        let mut emitters: FxHashMap<_, Vec<NodeId>> = FxHashMap::default();
        let mut n_collected = 0;
        for (id, node) in self.nodes.iter().enumerate() {
            match *node {
                Node::Emit { first, n, .. } => {
                    for template in first..first + u32::from(n) {
                        let n_known = identities.len();
                        let identity = *identities
                            .entry(self.forge.identity(template, self.run.entry.is_extended))
                            .or_insert(n_known);
                        let emitters = emitters.entry(identity).or_default();
                        if emitters.last() == Some(&(id as NodeId)) {
                            return true;
                        }
                        emitters.push(id as NodeId);
                    }
                }
                Node::EmitCollected { .. } => n_collected += 1,
                _ => {}
            }
        }
        n_collected > 1
            || (n_collected == 1 && !emitters.is_empty())
            || emitters.values().any(|nodes| {
                let mut pairs = nodes.iter().flat_map(|a| nodes.iter().map(move |b| (*a, *b)));
                pairs.any(|(a, b)| b < a && self.leads_to(a, b))
            })
    }

    fn leads_to(&self, from: NodeId, to: NodeId) -> bool {
        let (mut open, mut seen) = (vec![from], FxHashSet::default());
        while let Some(id) = open.pop() {
            if id == to {
                return true;
            }
            if id < to || !seen.insert(id) {
                continue;
            }
            match self.nodes[id as usize] {
                Node::End => {}
                Node::Ask { yes, no, .. } => open.extend([yes, no]),
                Node::Emit { next, .. }
                | Node::Collect { next, .. }
                | Node::Capture { next, .. }
                | Node::EmitCollected { next, .. } => open.push(next),
            }
        }
        false
    }

    /// Returns literals of which one must be true for any move to be listed; nothing if there is no such condition.
    /// None of them, an empty list, means that no move is ever listed.
    pub fn needs(&self, root: NodeId) -> Option<Vec<(CellId, Mask)>> {
        const LIMIT: usize = 16;
        let all = self.run.universe.all();
        let mut needs: Vec<Option<Vec<(CellId, Mask)>>> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let need = match *node {
                Node::End => Some(Vec::new()),
                Node::Emit { .. } | Node::EmitCollected { .. } => None,
                Node::Collect { next, .. } | Node::Capture { next, .. } => needs[next as usize].clone(),
                Node::Ask { question, yes, no } => {
                    let literal = |answer: bool| match question {
                        Question::Occupant { cell, set } if answer => Some((cell, set)),
                        Question::Occupant { cell, set } => Some((cell, all & !set)),
                        _ => None,
                    };
                    let (then, or) = (&needs[yes as usize], &needs[no as usize]);
                    match (then, or) {
                        (Some(then), Some(or)) if then.is_empty() && or.is_empty() => Some(Vec::new()),
                        (Some(then), _) if then.is_empty() => {
                            literal(false).map(|literal| vec![literal]).or(or.clone())
                        }
                        (_, Some(or)) if or.is_empty() => literal(true).map(|literal| vec![literal]).or(then.clone()),
                        (_, Some(or)) => literal(true).map(|literal| join(literal, or)),
                        (Some(then), None) => literal(false).map(|literal| join(literal, then)),
                        (None, None) => None,
                    }
                }
            };
            needs.push(need.filter(|literals| literals.len() <= LIMIT));
        }
        needs[root as usize].clone()
    }
}

fn join(literal: (CellId, Mask), literals: &[(CellId, Mask)]) -> Vec<(CellId, Mask)> {
    let mut joined = vec![literal];
    joined.extend(literals.iter().copied().filter(|other| *other != literal));
    joined
}
