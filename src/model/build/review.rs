//! A second look at what has been read: rules that mean something, but hardly what was intended. Only what goes beyond
//! the classic language is looked at here.

use super::Builder;
use super::scope::Area;
use crate::diagnostic::{Code, Diagnostic};
use crate::expand::Form;
use crate::keyword::Keyword;
use crate::model::Site;
use crate::model::expression::{Condition, Number, Place, Test};
use crate::model::goal::{Goal, GoalKind};
use crate::model::ids::AttributeId;
use crate::model::option::Options;
use crate::model::piece::{Instruction, InstructionKind, VariableRef};
use crate::model::walk::Part;

/// How deep loops are followed a second time round.
const MAX_DEPTH: usize = 4;

/// How many changes of one stage are kept in mind.
const MAX_CHANGES: usize = 200;

impl Builder<'_> {
    /// Looks over the instructions of a block or consequence.
    pub(super) fn look_over(&mut self, instructions: &[Instruction], form: Form) {
        let area = self.scope.area;
        if !self.scope.goes_beyond && area != Area::Actions {
            return;
        }
        if area.is_block() && !makes_move(instructions) {
            let note = no_move(self.site(form));
            self.sink.push(note.labels(self.expander.labels(form)));
        }
        let mut stage = Stage::default();
        stage.follow(instructions, 0);
        for stale in stage.found {
            self.note_stale(&stale);
        }
    }

    fn note_stale(&mut self, stale: &Stale) {
        let name = |symbols: &[crate::symbol::Symbol], index: usize| {
            symbols.get(index).map_or("", |&symbol| self.expander.text(symbol))
        };
        let what = match stale.what {
            What::Attribute(id) => format!("`{}`", name(&self.attributes.symbols, id.index())),
            What::Variable(VariableRef::Game(id)) => format!("`{}`", name(&self.variables.symbols, id.index())),
            What::Variable(VariableRef::Player(id, _)) => {
                format!("`{}`", name(&self.player_variables.symbols, id.index()))
            }
            What::Piece => "what stands there".to_owned(),
        };
        let origins = self.expander.origins();
        let note = Diagnostic::note(Code::Stale, format!("{what} is read here before its change is made"))
            .at(stale.read.span)
            .label(stale.changed.span, "the change")
            .labels(origins.labels(stale.read.origin, &self.expander.interner))
            .help("write `then` between the two if the new value is meant");
        self.sink.push(note);
    }

    /// Reports a section that says something of a player anew, unless it does so in a variant.
    pub(super) fn note_twice(&mut self, keyword: Keyword, site: Site, earlier: Vec<Site>) {
        let is_own = self.is_own(site);
        let Some(&earlier) = earlier.iter().find(|&&earlier| self.is_own(earlier) == is_own) else {
            return;
        };
        let message = format!("a player is given a second `{}`", keyword.name());
        let labels = self.expander.origins().labels(site.origin, &self.expander.interner);
        self.sink.push(
            Diagnostic::warning(Code::DuplicateName, message)
                .at(site.span)
                .label(earlier.span, "the first one")
                .labels(labels)
                .help("the last one counts"),
        );
    }

    /// Notes scores that never count, and ends without scores.
    pub(super) fn review_scores(&mut self, goals: &[Goal], options: &Options) {
        let end = goals.iter().find(|goal| goal.kind == GoalKind::End);
        let counts = end.is_some() || options.end_by_agreement || self.extensions.match_rule.is_some();
        let scores = &self.extensions.scores;
        let note = match (scores.first(), end) {
            (Some(score), _) if !counts => Diagnostic::note(Code::Unscored, "nothing lets the scores decide")
                .at(score.site.span)
                .help("write `(end-condition CONDITION)` for when the game ends and is scored"),
            (None, Some(end)) => Diagnostic::note(Code::Unscored, "the game ends here, but nobody has a score")
                .at(end.site.span)
                .help("write `(score (PLAYER …) N)`; without it the game is drawn"),
            _ => return,
        };
        self.sink.push(note);
    }
}

/// Returns the note on a block that makes no move.
pub(crate) fn no_move(block: Site) -> Diagnostic {
    Diagnostic::note(Code::NoMove, "this block makes no move: there is no `add` in it")
        .at(block.span)
        .help("write `add` where the move is complete")
}

/// Tells whether there is an `add` in a block.
pub(crate) fn makes_move(instructions: &[Instruction]) -> bool {
    let mut found = false;
    for instruction in instructions {
        Part::Instruction(instruction).walk(&mut |part, _| {
            found |= matches!(part, Part::Instruction(inner) if matches!(inner.kind, InstructionKind::Add(_)));
        });
    }
    found
}

/// What can be changed and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// An attribute of the piece on a place.
    Attribute(AttributeId),
    /// Which piece stands on a place.
    Piece,
    Variable(VariableRef),
}

/// A change that has been collected and not been made yet.
#[derive(Clone, Debug)]
struct Change {
    what: What,
    /// Where; for a variable nothing to go by.
    place: Option<Place>,
    site: Site,
}

/// Something that is read after it was changed.
#[derive(Clone, Copy, Debug)]
struct Stale {
    what: What,
    changed: Site,
    read: Site,
}

/// The changes of a stage that have been collected so far. Only conditions that decide how the run goes on count as
/// reading them: to compute with the old value of what has been set already is no mistake, `(set-attribute seeds 0)
/// (repeat seeds …)`.
#[derive(Clone, Debug, Default)]
struct Stage {
    changes: Vec<Change>,
    found: Vec<Stale>,
}

/// Tells whether a place depends on the current cell.
fn is_relative(place: &Place) -> bool {
    matches!(place, Place::Here | Place::Direction(_) | Place::Opposite(_))
}

impl Stage {
    fn follow(&mut self, instructions: &[Instruction], depth: usize) {
        for instruction in instructions {
            self.step(instruction, depth);
        }
    }

    fn step(&mut self, instruction: &Instruction, depth: usize) {
        let site = instruction.site;
        let change = |what, place: &Place| Change {
            what,
            place: Some(place.clone()),
            site,
        };
        match &instruction.kind {
            InstructionKind::If(condition, then, otherwise) => {
                self.read(Part::Condition(condition), site);
                self.branch(&[then, otherwise], depth);
                return;
            }
            InstructionKind::Choose(alternatives) => {
                let alternatives: Vec<&[Instruction]> = alternatives.iter().map(Vec::as_slice).collect();
                self.branch(&alternatives, depth);
                return;
            }
            InstructionKind::While(condition, body) => {
                self.read(Part::Condition(condition), site);
                self.go_round(body, depth, |stage| stage.read(Part::Condition(condition), site));
                return;
            }
            InstructionKind::Repeat(_, body) => {
                self.go_round(body, depth, |_| {});
                return;
            }
            InstructionKind::ForEach(_, body) | InstructionKind::PickSome(_, _, body) => {
                let before = self.changes.clone();
                self.forget(is_relative);
                self.go_round(body, depth, |stage| stage.forget(is_relative));
                self.forget(is_relative);
                merge(&mut self.changes, before);
                return;
            }
            InstructionKind::Verify(condition) => self.read(Part::Condition(condition), site),
            _ => {}
        }
        self.changes.truncate(MAX_CHANGES);
        match &instruction.kind {
            InstructionKind::Then | InstructionKind::Add(_) => self.changes.clear(),
            InstructionKind::Step(_) | InstructionKind::Go(_) | InstructionKind::Pick(_) => self.forget(is_relative),
            InstructionKind::From | InstructionKind::To | InstructionKind::Mark(_) | InstructionKind::Cascade => {
                self.forget(|place| is_relative(place) || matches!(place, Place::Pointer(_)));
            }
            InstructionKind::LetPlace(id, _) => self.forget(|place| *place == Place::Let(*id)),
            InstructionKind::SetAttribute(id, _, place) | InstructionKind::IncreaseAttribute(id, _, place) => {
                self.changes.push(change(What::Attribute(*id), place));
            }
            InstructionKind::Capture(place)
            | InstructionKind::Flip(place)
            | InstructionKind::ChangeOwner(place)
            | InstructionKind::ChangeType(_, place)
            | InstructionKind::Create(_, _, place) => self.changes.push(change(What::Piece, place)),
            InstructionKind::MovePiece(from, to) => {
                self.changes
                    .extend([change(What::Piece, from), change(What::Piece, to)]);
            }
            InstructionKind::Set(variable, _) | InstructionKind::IncreaseVariable(variable, _) => {
                let what = What::Variable(*variable);
                self.changes.push(Change {
                    what,
                    place: None,
                    site,
                });
            }
            _ => {}
        }
    }

    /// Follows several ways, any of which may be taken.
    fn branch(&mut self, ways: &[&[Instruction]], depth: usize) {
        let before = std::mem::take(&mut self.changes);
        let mut after = Vec::new();
        for way in ways {
            self.changes.clone_from(&before);
            self.follow(way, depth);
            merge(&mut after, std::mem::take(&mut self.changes));
        }
        self.changes = after;
    }

    /// Follows a loop twice, so that it can read what it changed the first time.
    fn go_round(&mut self, body: &[Instruction], depth: usize, between: impl Fn(&mut Stage)) {
        let mut before = self.changes.clone();
        let n_rounds = if depth < MAX_DEPTH { 2 } else { 1 };
        for _ in 0..n_rounds {
            self.follow(body, depth + 1);
            between(self);
        }
        before.retain(|change| !change.place.as_ref().is_some_and(is_relative));
        merge(&mut self.changes, before);
    }

    fn forget(&mut self, is_gone: impl Fn(&Place) -> bool) {
        self.changes
            .retain(|change| !change.place.as_ref().is_some_and(&is_gone));
    }

    /// Looks for changes of what a part reads.
    fn read(&mut self, part: Part<'_>, site: Site) {
        if self.changes.is_empty() {
            return;
        }
        part.walk(&mut |part, member| {
            let (what, place) = match part {
                Part::Condition(Condition::Test(test, place)) => match test {
                    Test::Attribute(id) => (What::Attribute(*id), Some(place)),
                    Test::Empty | Test::Friend | Test::Enemy | Test::Neutral | Test::Piece(_) | Test::Owner(_) => {
                        (What::Piece, Some(place))
                    }
                    _ => return,
                },
                Part::Number(Number::Attribute(id, place)) => (What::Attribute(*id), Some(place)),
                Part::Number(Number::Owner(place) | Number::Constant(_, place)) => (What::Piece, Some(place)),
                Part::Number(Number::Variable(id)) => (What::Variable(VariableRef::Game(*id)), None),
                Part::Number(Number::PlayerVariable(id, player)) => {
                    (What::Variable(VariableRef::Player(*id, *player)), None)
                }
                _ => return,
            };
            // The members of a set are elsewhere.
            if member && place.is_some_and(is_relative) {
                return;
            }
            let change = self
                .changes
                .iter()
                .find(|change| change.what == what && change.place.as_ref() == place);
            if let Some(change) = change
                && !self.found.iter().any(|found| found.changed == change.site)
            {
                self.found.push(Stale {
                    what,
                    changed: change.site,
                    read: site,
                });
            }
        });
    }
}

fn merge(changes: &mut Vec<Change>, others: Vec<Change>) {
    for other in others {
        let is_known = |known: &Change| known.site == other.site && known.place == other.place;
        if !changes.iter().any(is_known) {
            changes.push(other);
        }
    }
}
