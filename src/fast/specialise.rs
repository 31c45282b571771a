//! From bytecode to specialised code.

use rustc_hash::FxHashMap;

use super::code::{DropCode, Fast, Line, NO_CODE, Single, Step, StepId, TierCode};
use super::danger::Dangers;
use super::draft::{END, Forge, Node, NodeId};
use super::drafts::{Drafts, starts_of_drop};
use super::goals::Goals;
use super::lines::{LineSweep, StartLines};
use super::situation::Question;
use super::sweep::Sweep;
use super::universe::{Mask, Universe};
use crate::cellset;
use crate::model::{CellId, Occupant, PlayerId};
use crate::program::{ContinuationId, EntryId, Op};
use crate::rules::{Rules, Tier};
use crate::state::{Effect, MoveEntry};

impl Fast {
    /// Specialises a game; nothing if its pieces are too many, or some of them shapes.
    pub fn new(rules: &Rules) -> Option<Fast> {
        // A shape is put down as a whole: the interpreter does that.
        if rules.model.kinds.iter().any(|kind| kind.shape.is_some()) {
            return None;
        }
        let universe = &Universe::new(rules)?;
        let mut forge = Forge::default();
        let drafts = &Drafts::new(rules, universe, &mut forge);
        let mut specialiser = Specialiser {
            rules,
            universe,
            drafts,
            forge,
            steps: Vec::new(),
            singles: Vec::new(),
            lines: Vec::new(),
            line_cells: Vec::new(),
            known_lines: FxHashMap::default(),
            attacks: Vec::new(),
            merges: vec![false; rules.n_players],
            identities: vec![FxHashMap::default(); rules.n_players],
            emitters: FxHashMap::default(),
            collecting: vec![false; rules.n_players],
            straying: vec![false; rules.n_players],
        };
        if !rules.program.has_stages {
            // Nothing is known of the moves that the interpreter lists.
            for &entry in drafts.left_over() {
                specialiser.merges[rules.program.entries[entry as usize].player.index()] = true;
            }
        }
        let tiers = rules.tiers().iter().map(|tier| specialiser.tier(tier)).collect();
        for (player, merges) in specialiser.merges.iter_mut().enumerate() {
            *merges |= specialiser.collecting[player] && specialiser.straying[player];
        }
        Some(Fast {
            steps: specialiser.steps,
            templates: specialiser.forge.templates,
            touches: specialiser.forge.touches,
            effects: specialiser.forge.effects.into(),
            frames: specialiser.forge.frames,
            singles: specialiser.singles,
            lines: specialiser.lines,
            line_cells: specialiser.line_cells,
            attacks: specialiser.attacks,
            tiers,
            merges: specialiser.merges,
            dangers: dangers(rules, universe),
            goals: Goals::new(rules, universe),
        })
    }
}

/// Analyses the attacks that the check rule and the blocks ask about.
fn dangers(rules: &Rules, universe: &Universe<'_>) -> Option<Dangers> {
    let mut pieces: Vec<Occupant> = rules
        .model
        .player_ids()
        .flat_map(|player| rules.royal(player))
        .copied()
        .collect();
    if rules.program.reads.attacks {
        for entry in &rules.program.entries {
            let end = rules.program.block_end(entry.address);
            let ops = &rules.program.ops[entry.address as usize..end as usize];
            if ops.iter().any(|op| matches!(op, Op::IfAttacked { .. })) {
                pieces.push(rules.occupant(entry.player, entry.kind));
            }
            if ops.iter().any(|op| matches!(op, Op::IfDefended { .. })) {
                let enemies = rules.enemies(entry.player).iter();
                pieces.extend(enemies.map(|&enemy| rules.occupant(enemy, entry.kind)));
            }
        }
    }
    if pieces.is_empty() {
        return None;
    }
    Dangers::new(rules, universe, &pieces)
}

/// What makes moves equal, and where such a move comes from.
type Identities = FxHashMap<Identity, Vec<Origin>>;
type Identity = (Vec<Effect>, ContinuationId, CellId);
type Origin = (Occupant, CellId, EntryId);

/// What is known of the code of one block from one start.
#[derive(Debug, Default)]
struct Block {
    /// What must hold near the start, if so much is known: one of these.
    needs: Option<Vec<(CellId, Mask)>>,
    /// The one move, if there is just one and nothing else must hold.
    direct: Option<u32>,
    /// The lines of which one must enclose something, if there is nothing else.
    lines: Option<StartLines>,
}

struct Specialiser<'a> {
    rules: &'a Rules,
    universe: &'a Universe<'a>,
    drafts: &'a Drafts,
    /// The moves and effects of the drafts.
    forge: Forge,
    steps: Vec<Step>,
    singles: Vec<Single>,
    lines: Vec<Line>,
    line_cells: Vec<u16>,
    /// The numbers of lines by their cells, the occupants walked over and at the end, and their effects.
    known_lines: FxHashMap<(Vec<CellId>, Mask, Mask, Vec<Effect>), u32>,
    attacks: Vec<super::code::AttackTest>,
    merges: Vec<bool>,
    /// By player.
    identities: Vec<Identities>,
    /// By piece and start a block that lists moves, and whether it collects effects.
    emitters: FxHashMap<(Occupant, CellId), (EntryId, bool)>,
    /// By player whether some block collects effects.
    collecting: Vec<bool>,
    /// By player whether the first movement of some move does not begin at the start.
    straying: Vec<bool>,
}

impl Specialiser<'_> {
    fn tier(&mut self, tier: &Tier) -> TierCode {
        let rules = self.rules;
        let mut code = TierCode {
            movers: vec![false; rules.n_players],
            moves: vec![NO_CODE; rules.n_occupants * rules.n_cells],
            drops: vec![Vec::new(); rules.n_players],
        };
        for piece in rules
            .occupants
            .pieces()
            .filter(|&piece| !tier.moves_of(piece).is_empty())
        {
            code.movers[rules.owner(piece).index()] = true;
            let entries = tier.moves_of(piece);
            // What is interpreted is the same from every start.
            let mut interpreted = None;
            for start in rules.model.board.cell_ids() {
                let is_interpreted = entries.iter().all(|&entry| self.drafts.get(entry, start).is_none());
                let placed = match interpreted.filter(|_| is_interpreted) {
                    Some(placed) => placed,
                    None => self.place_all(entries, start),
                };
                interpreted = interpreted.or(is_interpreted.then_some(placed));
                code.moves[piece.index() * rules.n_cells + start.index()] = placed;
            }
        }
        for &(piece, entry) in tier.drops() {
            let drop = self.drops(piece, entry);
            code.drops[rules.owner(piece).index()].push(drop);
        }
        code
    }

    /// Places the code of all blocks of a piece one after the other; returns where.
    fn place_all(&mut self, entries: &[EntryId], start: CellId) -> StepId {
        let first = self.steps.len() as StepId;
        for &entry in entries {
            self.block(entry, start, Occupant::NONE);
        }
        if self.steps.len() as StepId == first {
            return NO_CODE;
        }
        self.steps.push(Step::End);
        self.join_singles(first);
        first
    }

    /// Places the code of one block from one start, without an end.
    fn block(&mut self, entry_id: EntryId, start: CellId, dropped: Occupant) -> Block {
        let player = self.rules.program.entries[entry_id as usize].player;
        let Some(draft) = self.drafts.get(entry_id, start) else {
            self.steps.push(Step::Interpret { entry: entry_id });
            return Block::default();
        };
        let (nodes, root) = (&draft.nodes, draft.root);
        self.note_moves(nodes, player, (self.piece(entry_id), start, entry_id), draft.repeats);
        self.place(nodes, root, draft.collects);
        let has_lines = draft.collects && dropped.is_some();
        Block {
            needs: draft.needs.clone(),
            direct: direct(nodes, root, draft.needs.as_deref()),
            lines: if has_lines {
                self.enclosing_lines(nodes, root)
            } else {
                None
            },
        }
    }

    fn piece(&self, entry: EntryId) -> Occupant {
        let entry = &self.rules.program.entries[entry as usize];
        self.rules.occupant(entry.player, entry.kind)
    }

    /// Notes where moves come from, to know whether equal ones can come together.
    fn note_moves(&mut self, nodes: &[Node], player: PlayerId, origin: Origin, repeats: bool) {
        if self.merges[player.index()] {
            return;
        }
        self.merges[player.index()] |= repeats;
        let collects = nodes.iter().any(|node| matches!(node, Node::EmitCollected { .. }));
        if collects || nodes.iter().any(|node| matches!(node, Node::Emit { .. })) {
            // What is collected is not known here, so it may equal whatever another block lists for the same start.
            let known = *self
                .emitters
                .entry((origin.0, origin.1))
                .or_insert((origin.2, collects));
            self.merges[player.index()] |= known.0 != origin.2 && (known.1 || collects);
        }
        self.collecting[player.index()] |= collects;
        for node in nodes {
            match *node {
                Node::Emit { first, n, .. } => {
                    for template in first..first + u32::from(n) {
                        let identity = self.forge.identity(template, self.rules.program.has_stages);
                        let entry = &self.forge.templates[template as usize];
                        let begins_at = if entry.from.is_some() { entry.from } else { entry.to };
                        self.straying[player.index()] |= begins_at != origin.1;
                        self.note_move(player, identity, origin);
                    }
                }
                Node::EmitCollected { frame, .. } => {
                    // The first movement tells these moves from all others, if it begins at the start.
                    let frame = &self.forge.frames[frame as usize];
                    let start = if frame.from.is_some() { frame.from } else { frame.to };
                    self.merges[player.index()] |= start != origin.1;
                    let identity = (frame.movements.clone(), ContinuationId::NONE, CellId::NONE);
                    self.note_move(player, identity, origin);
                }
                _ => {}
            }
        }
    }

    fn note_move(&mut self, player: PlayerId, identity: Identity, origin: Origin) {
        let origins = self.identities[player.index()].entry(identity).or_default();
        if !origins.contains(&origin) {
            // One start has one piece: moves of different pieces from the same start never meet.
            let meets = |known: &Origin| known.1 != origin.1 || (known.0 == origin.0 && known.2 != origin.2);
            self.merges[player.index()] |= origins.iter().any(meets);
            origins.push(origin);
        }
    }

    fn drops(&mut self, piece: Occupant, entry_id: EntryId) -> DropCode {
        let rules = self.rules;
        let entry = &rules.program.entries[entry_id as usize];
        let mut code = DropCode {
            piece,
            starts: vec![NO_CODE; rules.n_cells],
            cells: vec![0; cellset::words_for(rules.n_cells)],
            only_empty: entry.only_empty,
            sweep: None,
            direct: None,
            lines: None,
        };
        let mut lines = vec![None; rules.n_cells];
        let mut needs = vec![Some(Vec::new()); rules.n_cells];
        let mut direct = vec![None; rules.n_cells];
        for start in starts_of_drop(rules, entry) {
            let first = self.steps.len() as StepId;
            let Block {
                needs: needed,
                direct: one,
                lines: enclosing,
            } = self.block(entry_id, start, piece);
            if self.steps.len() as StepId == first {
                continue;
            }
            self.steps.push(Step::End);
            self.join_singles(first);
            cellset::insert(&mut code.cells, start);
            code.starts[start.index()] = first;
            needs[start.index()] = needed;
            direct[start.index()] = one;
            lines[start.index()] = enclosing;
        }
        let has_lines = |start: CellId| !cellset::contains(&code.cells, start) || lines[start.index()].is_some();
        if lines.iter().any(Option::is_some) && rules.model.board.cell_ids().all(has_lines) {
            code.lines = LineSweep::new(rules, self.universe, &lines, &self.lines, &self.line_cells);
        }
        let has_needs = |start: CellId| needs[start.index()].is_some();
        if rules
            .model
            .board
            .cell_ids()
            .any(|start| cellset::contains(&code.cells, start) && has_needs(start))
        {
            code.sweep = Sweep::new(rules, self.universe, &needs);
        }
        let is_direct = |start: CellId| {
            let decided = code.sweep.is_some() || needs[start.index()].is_none();
            !cellset::contains(&code.cells, start) || (decided && direct[start.index()].is_some())
        };
        if rules.model.board.cell_ids().all(is_direct) && code.sweep.as_ref().is_none_or(Sweep::is_exact) {
            // Where nothing starts nothing is asked for.
            let mut words = vec![[MoveEntry::PASS; 64]; code.cells.len()];
            for (place, one) in words.as_flattened_mut().iter_mut().zip(direct) {
                *place = one.map_or(MoveEntry::PASS, |one| self.forge.templates[one as usize]);
            }
            code.direct = Some(words);
        }
        code
    }

    /// Places a graph as straight code.
    fn place(&mut self, nodes: &[Node], root: NodeId, collects: bool) {
        if root == END {
            return;
        }
        if collects {
            self.steps.push(Step::Clear);
        }
        let mut placed: Vec<Option<StepId>> = vec![None; nodes.len()];
        let mut jumps: Vec<(usize, NodeId)> = Vec::new();
        let mut open = vec![root];
        while let Some(mut node) = open.pop() {
            if node == END || placed[node as usize].is_some() {
                continue;
            }
            loop {
                let here = self.steps.len();
                if node == END || placed[node as usize].is_some() {
                    self.steps.push(Step::Jump { target: NO_CODE });
                    jumps.push((here, node));
                    break;
                }
                placed[node as usize] = Some(here as StepId);
                let (step, next, or) = self.step(nodes, node, collects);
                self.steps.push(step);
                if let Some(or) = or {
                    jumps.push((self.steps.len() - 1, or));
                    open.push(or);
                }
                node = next;
            }
        }
        // The block that comes next lies where this one ends.
        if let Some(&(last, END)) = jumps.last()
            && last + 1 == self.steps.len()
            && matches!(self.steps[last], Step::Jump { .. })
        {
            self.steps.pop();
            jumps.pop();
        }
        let end = self.steps.len() as StepId;
        for (step, node) in jumps {
            let address = placed[node as usize].filter(|_| node != END).unwrap_or(end);
            if let Some(target) = target_of(&mut self.steps[step]) {
                *target = address;
            }
        }
    }

    /// Joins the moves in a row that depend on one cell each, from step `first` on.
    fn join_singles(&mut self, first: StepId) {
        let mut steps = self.steps.split_off(first as usize);
        let mut is_target = vec![false; steps.len()];
        for step in &mut steps {
            if let Some(target) = target_of(step) {
                is_target[(*target - first) as usize] = true;
            }
        }
        let mut addresses = Vec::with_capacity(steps.len());
        let mut is_open = false;
        for (index, step) in steps.into_iter().enumerate() {
            if let Step::Single { cell, template, set } = step {
                match self.steps.last_mut() {
                    Some(Step::Singles { n, .. }) if is_open && !is_target[index] => *n += 1,
                    _ => self.steps.push(Step::Singles {
                        n: 1,
                        is_last: false,
                        first: self.singles.len() as u32,
                    }),
                }
                self.singles.push(Single { set, template, cell });
                is_open = true;
            } else {
                if let Some(Step::Singles { is_last, .. }) = self.steps.last_mut().filter(|_| is_open) {
                    *is_last = step == Step::End;
                }
                self.steps.push(step);
                is_open = false;
            }
            addresses.push(self.steps.len() as StepId - 1);
        }
        for step in &mut self.steps[first as usize..] {
            if let Some(target) = target_of(step) {
                *target = addresses[(*target - first) as usize];
            }
        }
    }

    /// Returns the step of a node, the node to go on with, and the one to jump to.
    fn step(&mut self, nodes: &[Node], node: NodeId, collects: bool) -> (Step, NodeId, Option<NodeId>) {
        match nodes[node as usize] {
            Node::End => (Step::End, END, None),
            Node::Emit { first, n, next } => (Step::Emit { n, template: first }, next, None),
            Node::EmitCollected { frame, next } => (Step::EmitCollected { index: frame }, next, None),
            Node::Capture { cell, next } => (Step::Capture { cell: cell.0 }, next, None),
            Node::Collect { effect, mut next } => {
                let mut effects = vec![effect];
                while let Node::Collect { effect, next: after } = nodes[next as usize] {
                    effects.push(effect);
                    next = after;
                }
                let first = self.forge.put_effects(&effects);
                let n = effects.len() as u16;
                (Step::Collect { n, first }, next, None)
            }
            Node::Ask { question, yes, no } => match question {
                Question::Occupant { .. } if collects && let Some((index, hit)) = self.line(nodes, node) => {
                    (Step::Line { index, no: NO_CODE }, hit, Some(no))
                }
                Question::Occupant { cell, set } => self.test(nodes, (cell, set), yes, no),
                Question::Attribute { slot } => (Step::Attribute { slot, no: NO_CODE }, yes, Some(no)),
                Question::LastFrom { cell } => (
                    Step::LastFrom {
                        cell: cell.0,
                        no: NO_CODE,
                    },
                    yes,
                    Some(no),
                ),
                Question::LastTo { cell } => (
                    Step::LastTo {
                        cell: cell.0,
                        no: NO_CODE,
                    },
                    yes,
                    Some(no),
                ),
                Question::Attack(test) => {
                    let known = self.attacks.iter().position(|known| *known == test);
                    let index = known.unwrap_or_else(|| {
                        self.attacks.push(test);
                        self.attacks.len() - 1
                    });
                    (
                        Step::Attack {
                            index: index as u32,
                            no: NO_CODE,
                        },
                        yes,
                        Some(no),
                    )
                }
                // Drafts have no such node: it is several tests there.
                Question::Neighbors { .. } => (Step::Jump { target: NO_CODE }, no, None),
            },
        }
    }

    /// Returns the step of a test, as [`Specialiser::step`] does. A step of a slide, the same move to an empty cell, which
    /// goes on, and to one taken, which does not, is a move without a branch first, placed at once.
    fn test(
        &mut self,
        nodes: &[Node],
        (cell, set): (CellId, Mask),
        yes: NodeId,
        no: NodeId,
    ) -> (Step, NodeId, Option<NodeId>) {
        let emitted = |id: NodeId| match nodes[id as usize] {
            Node::Emit { first, n: 1, next } => Some((first, next)),
            _ => None,
        };
        // A test that ends or lists a move when it fails is asked the other way round.
        let all = self.universe.all();
        let ordered = |set: Mask, yes: NodeId, no: NodeId| {
            let lists = emitted(no).is_some_and(|(_, next)| next == yes);
            if lists || (yes == END && no != END) {
                (all & !set, no, yes)
            } else {
                (set, yes, no)
            }
        };
        let (set, yes, no) = ordered(set, yes, no);
        let first_set = set;
        let single = |template: u32, set: Mask| Step::Single {
            cell: cell.0,
            template,
            set,
        };
        let test = Step::Test {
            cell: cell.0,
            no: NO_CODE,
            set,
        };
        if let Some((template, next)) = emitted(yes) {
            if next == no {
                return (single(template, set), next, None);
            }
            if let Node::Ask {
                question: Question::Occupant { cell: other, set },
                yes,
                no,
            } = nodes[no as usize]
                && other == cell
                && let (further, then, or) = ordered(set, yes, no)
                && emitted(then) == Some((template, or))
            {
                let either = single(template, first_set | further);
                if next == or {
                    return (either, next, None);
                }
                self.steps.push(either);
                return (test, next, Some(or));
            }
        }
        (test, yes, Some(no))
    }

    /// Recognizes a row of lines of which one must enclose something, and a move with all that they enclose.
    ///
    /// The code is two rows of the same lines: the one followed while nothing is enclosed, and the one after that.
    fn enclosing_lines(&mut self, nodes: &[Node], root: NodeId) -> Option<StartLines> {
        let (mut lines, mut none_yet, mut some) = (Vec::new(), root, None);
        while none_yet != END {
            let (line, closed, missed) = self.line_at(nodes, none_yet)?;
            if let Some(again) = some {
                let (same, again_closed, again_missed) = self.line_at(nodes, again)?;
                if same != line || again_closed != closed || again_missed != closed {
                    return None;
                }
            }
            lines.push(line);
            (none_yet, some) = (missed, Some(closed));
        }
        match nodes[some? as usize] {
            Node::EmitCollected { frame, next: END } => Some(StartLines { lines, frame }),
            _ => None,
        }
    }

    /// Returns the line that a node begins with, and where it leads if it is closed and if it is not.
    fn line_at(&mut self, nodes: &[Node], node: NodeId) -> Option<(u32, NodeId, NodeId)> {
        let Node::Ask { no, .. } = nodes[node as usize] else {
            return None;
        };
        let (line, closed) = self.line(nodes, node)?;
        Some((line, closed, no))
    }

    /// Recognizes a walk over some occupants up to another one, with an effect for each cell walked over. Returns the
    /// number of the line, and the node to go on with if it is there.
    fn line(&mut self, nodes: &[Node], first: NodeId) -> Option<(u32, NodeId)> {
        let ask = |id: NodeId| match nodes[id as usize] {
            Node::Ask {
                question: Question::Occupant { cell, set },
                yes,
                no,
            } => Some((cell, set, yes, no)),
            _ => None,
        };
        let (cell, over, mut node, miss) = ask(first)?;
        let mut cells = vec![cell];
        let (mut end, mut hit) = (None, None);
        let mut effects: Vec<Effect> = Vec::new();
        while node != miss {
            let (cell, set, yes, no) = ask(node)?;
            // The last cell may only be asked whether it ends the line.
            let (asked, set, then, or, further) = if set == over {
                let (asked, set, then, or) = ask(no)?;
                (asked, set, then, or, yes)
            } else {
                (cell, set, yes, no, miss)
            };
            if asked != cell || or != miss || set & over != 0 || *end.get_or_insert(set) != set {
                return None;
            }
            let (mut collected, mut next) = (Vec::new(), then);
            while let Node::Collect { effect, next: after } = nodes[next as usize] {
                collected.push(effect);
                next = after;
            }
            let is_longer = collected.len() == cells.len() && collected.ends_with(&effects);
            if !is_longer || *hit.get_or_insert(next) != next {
                return None;
            }
            effects = collected;
            cells.push(cell);
            node = further;
        }
        let (end, hit) = (end?, hit?);
        let next = self.lines.len() as u32;
        let number = *(self.known_lines)
            .entry((cells.clone(), over, end, effects.clone()))
            .or_insert(next);
        if number == next {
            let start = self.line_cells.len() as u32;
            self.line_cells.extend(cells.iter().map(|cell| cell.0));
            let effects_end = self.forge.put_effects(&effects) + effects.len() as u32;
            self.lines.push(Line {
                cells: (start, start + cells.len() as u32),
                over,
                end,
                effects_end,
            });
        }
        Some((number, hit))
    }
}

/// Returns where a step jumps to, if it does.
fn target_of(step: &mut Step) -> Option<&mut StepId> {
    match step {
        Step::Jump { target: no }
        | Step::Test { no, .. }
        | Step::Attribute { no, .. }
        | Step::LastFrom { no, .. }
        | Step::LastTo { no, .. }
        | Step::Attack { no, .. }
        | Step::Line { no, .. } => Some(no),
        Step::End
        | Step::Single { .. }
        | Step::Singles { .. }
        | Step::Emit { .. }
        | Step::Collect { .. }
        | Step::Capture { .. }
        | Step::Clear
        | Step::EmitCollected { .. }
        | Step::Interpret { .. } => None,
    }
}

/// Returns the one move of a graph that lists it whenever what it needs is there.
fn direct(nodes: &[Node], root: NodeId, needs: Option<&[(CellId, Mask)]>) -> Option<u32> {
    let one = |id: NodeId| match nodes[id as usize] {
        Node::Emit { first, n: 1, next: END } => Some(first),
        _ => None,
    };
    match (needs, nodes[root as usize]) {
        (None, _) => one(root),
        (
            Some([(cell, set)]),
            Node::Ask {
                question:
                    Question::Occupant {
                        cell: asked,
                        set: wanted,
                    },
                yes,
                no,
            },
        ) if *cell == asked => match (yes, no) {
            (yes, END) if *set == wanted => one(yes),
            (END, no) if *set & wanted == 0 => one(no),
            _ => None,
        },
        _ => None,
    }
}
