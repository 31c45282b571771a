//! Places, sets of cells, and what stands in them: directions, whose pieces, players.

use super::instructions::Reported;
use super::scope::{Area, Kept};
use super::sorts::Sorts;
use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::Form;
use crate::keyword::{Context, Keyword};
use crate::model::expression::{Condition, Heading, Place, Pointer, Set, WhichPlayer, Who};
use crate::model::ids::{PieceKindId, ZoneId};
use crate::model::piece::LetKind;

/// What a form that names cells is: one, which may be nowhere, or several.
enum Cells {
    One(Place),
    Some(Set),
}

impl Cells {
    fn into_place(self) -> Place {
        match self {
            Cells::One(place) => place,
            Cells::Some(set) => Place::First(Box::new(set)),
        }
    }

    fn into_set(self) -> Set {
        match self {
            Cells::One(place) => Set::Place(Box::new(place)),
            Cells::Some(set) => set,
        }
    }
}

impl Builder<'_> {
    /// Reads a place, or takes the current cell if none is written; `at` is what asks about it.
    pub(super) fn optional_place(&mut self, at: Form, form: Option<&Form>) -> Result<Place, Reported> {
        match form {
            Some(&form) => self.place(form),
            None => {
                self.need_here(at)?;
                Ok(Place::Here)
            }
        }
    }

    /// Reads a place.
    pub(super) fn place(&mut self, form: Form) -> Result<Place, Reported> {
        self.cells_of(form, Sorts::PLACE).map(Cells::into_place)
    }

    /// Reads a set.
    pub(super) fn build_set(&mut self, form: Form) -> Result<Set, Reported> {
        self.cells_of(form, Sorts::SET).map(Cells::into_set)
    }

    fn cells_of(&mut self, form: Form, wanted: Sorts) -> Result<Cells, Reported> {
        if !self.is_list(form) {
            return self.cells_of_word(form, wanted);
        }
        let elements = self.elements(form);
        match elements[..] {
            // The macro that wrote it was given nothing.
            [] => {
                self.need_here(form)?;
                return Ok(Cells::One(Place::Here));
            }
            [only] if self.is_list(only) => return self.cells_of(only, wanted),
            _ => {}
        }
        let head = elements[0];
        let section = Section { form, elements };
        match self.peek(head, Context::Place) {
            Some(Keyword::Opposite) => {
                let direction = self.required_direction(form, section.args(), Keyword::Opposite)?;
                self.need_here(head)?;
                return Ok(Cells::One(Place::Opposite(direction)));
            }
            Some(Keyword::GridCell) => return self.build_grid_cell(head, &section).map(Cells::One),
            _ => {}
        }
        if section.args().is_empty() {
            return self.cells_of_word(head, wanted);
        }
        if let Some(keyword) = self.keyword(head, Context::Set) {
            return self.build_headed_set(keyword, &section).map(Cells::Some);
        }
        if self.sorts(form) != Sorts::default() && !self.is_list(head) {
            return Err(self.wrong_sort(form, wanted));
        }
        Err(self.bad_instruction(form, "a list stands where a place was expected", Keyword::Opposite))
    }

    /// Reads a word: a `let`, a direction or position, a pointer, a set, in this order.
    fn cells_of_word(&mut self, form: Form, wanted: Sorts) -> Result<Cells, Reported> {
        let symbol = self.word(form).ok_or(Reported)?;
        match self.kept(symbol) {
            Some(Kept::Let(id, LetKind::Place)) => return Ok(Cells::One(Place::Let(id))),
            Some(Kept::Let(..)) => return Err(self.wrong_sort(form, wanted)),
            _ => {}
        }
        if let Some(direction) = self.directions.get(symbol) {
            self.need_here(form)?;
            return Ok(Cells::One(Place::Direction(direction)));
        }
        if let Some(cell) = self.cells.get(symbol) {
            return Ok(Cells::One(Place::Cell(cell)));
        }
        if let Some(zone) = self.zones.get(symbol) {
            self.use_extension("zone", form);
            self.note_zone_of_players(form, zone);
            return Ok(Cells::Some(Set::Zone(zone)));
        }
        if let Some(keyword) = self.peek(form, Context::Place) {
            let pointer = match keyword {
                Keyword::Here => {
                    self.need_here(form)?;
                    self.use_extension(keyword.name(), form);
                    return Ok(Cells::One(Place::Here));
                }
                Keyword::From => Some(Pointer::From),
                Keyword::To => Some(Pointer::To),
                Keyword::Mark => Some(Pointer::Mark),
                Keyword::LastFrom => Some(Pointer::LastFrom),
                Keyword::LastTo => Some(Pointer::LastTo),
                _ => None,
            };
            if let Some(pointer) = pointer {
                self.use_extension(keyword.name(), form);
                return Ok(Cells::One(Place::Pointer(pointer)));
            }
            return Err(self.bad_instruction(form, format!("`{}` stands alone", keyword.name()), keyword));
        }
        if let Some(keyword) = self.keyword(form, Context::Set) {
            let section = Section {
                form,
                elements: vec![form],
            };
            return self.build_headed_set(keyword, &section).map(Cells::Some);
        }
        if self.sorts(form) != Sorts::default() {
            return Err(self.wrong_sort(form, wanted));
        }
        let candidates = [
            self.let_names(),
            &self.directions.symbols,
            &self.cells.symbols,
            &self.zones.symbols,
        ];
        let n_sorts = if wanted == Sorts::SET { 4 } else { 3 };
        let candidates = candidates[..n_sorts].concat();
        let sort = if wanted == Sorts::SET {
            "set, zone, direction or position"
        } else {
            "direction or position"
        };
        self.unknown_name(Severity::Warning, form, sort, candidates);
        Err(Reported)
    }

    /// Reads `(cell I J …)`.
    fn build_grid_cell(&mut self, head: Form, section: &Section) -> Result<Place, Reported> {
        self.use_extension(Keyword::GridCell.name(), head);
        let n_dimensions = self.board.grids.first().map_or(0, |grid| grid.dimensions.len());
        if section.args().len() != n_dimensions || n_dimensions == 0 {
            let message = format!(
                "`cell` has {} indices, but the first grid has {n_dimensions} dimensions",
                section.args().len()
            );
            return Err(self.bad_instruction(section.form, message, Keyword::GridCell));
        }
        let indices: Vec<_> = section.args().iter().map(|&form| self.build_number(form)).collect();
        Ok(Place::Grid(indices.into_iter().collect::<Result<_, _>>()?))
    }

    fn build_headed_set(&mut self, keyword: Keyword, section: &Section) -> Result<Set, Reported> {
        let args = section.args();
        let most = match keyword {
            Keyword::Board | Keyword::Cells => 0,
            Keyword::Zone => 1,
            Keyword::Neighbors | Keyword::Where => 2,
            Keyword::Ray | Keyword::Group | Keyword::Select => 3,
            _ => usize::MAX,
        };
        let least = match keyword {
            Keyword::Zone => 1,
            Keyword::Ray | Keyword::Group | Keyword::Where | Keyword::MinBy => 2,
            Keyword::Select => 3,
            _ => 0,
        };
        self.arity(section, keyword, least..=most)?;
        Ok(match keyword {
            Keyword::Board => Set::Board,
            Keyword::Cells => {
                let is_shape = |kind: PieceKindId| self.kind_models[kind.index()].shape.is_some();
                if self.scope.area != Area::Drops || !self.scope.kind.is_some_and(is_shape) {
                    let message = "`cells` stands outside the drops of a shape";
                    return Err(self.misplaced(section.form, message, "give the piece a `(shape \"ROW/…\")`"));
                }
                Set::Cells
            }
            Keyword::Zone => Set::Zone(self.zone(args[0])?),
            Keyword::Neighbors => {
                let headings = match args.first() {
                    Some(&form) => Some(self.headings(form)?),
                    None => None,
                };
                Set::Neighbors(headings, Box::new(self.optional_place(section.form, args.get(1))?))
            }
            Keyword::Ray => {
                let headings = self.headings(args[0]);
                let condition = self.member_condition(args[1]);
                let place = self.optional_place(section.form, args.get(2));
                Set::Ray(headings?, condition?, Box::new(place?))
            }
            Keyword::Pieces => {
                let (who, kinds) = self.who_and_kinds(args)?;
                Set::Pieces(who.unwrap_or(Who::Any), kinds)
            }
            Keyword::Group => {
                let set = self.build_set(args[0]);
                let condition = self.member_condition(args[1]);
                let headings = match args.get(2) {
                    Some(&form) => Some(self.headings(form)?),
                    None => None,
                };
                Set::Group(Box::new(set?), condition?, headings)
            }
            Keyword::Where => {
                let set = self.build_set(args[0]);
                let condition = self.member_condition(args[1]);
                Set::Where(Box::new(set?), condition?)
            }
            Keyword::Join => {
                let sets: Vec<_> = args.iter().map(|&form| self.build_set(form)).collect();
                Set::Join(sets.into_iter().collect::<Result<_, _>>()?)
            }
            Keyword::MinBy => {
                let set = self.build_set(args[0]);
                let numbers = self.at_members(|builder| builder.build_numbers(&args[1..]));
                Set::MinBy(Box::new(set?), numbers?)
            }
            Keyword::Select => {
                let condition = self.build_condition(args[0]);
                let (yes, no) = (self.build_set(args[1]), self.build_set(args[2]));
                Set::Select(Box::new(condition?), Box::new(yes?), Box::new(no?))
            }
            _ => return Err(self.wrong_sort(section.form, Sorts::SET)),
        })
    }

    /// Reads a condition that is asked at each member of a set.
    pub(super) fn member_condition(&mut self, form: Form) -> Result<Box<Condition>, Reported> {
        self.at_members(|builder| builder.build_condition(form)).map(Box::new)
    }

    pub(super) fn zone(&mut self, form: Form) -> Result<ZoneId, Reported> {
        let Some(zone) = self.word(form).and_then(|symbol| self.zones.get(symbol)) else {
            self.unknown_name(Severity::Warning, form, "zone", self.zones.symbols.clone());
            return Err(Reported);
        };
        self.note_zone_of_players(form, zone);
        Ok(zone)
    }

    /// Reads a direction, `(opposite DIRECTION)`, or a list of these.
    pub(super) fn headings(&mut self, form: Form) -> Result<Vec<Heading>, Reported> {
        let mut headings = Vec::new();
        self.headings_into(form, &mut headings)?;
        if headings.is_empty() {
            let message = "an empty list stands where directions were expected";
            let help = format!("write one direction or a list `(n e …)`; {}", self.left_out());
            self.push(Severity::Warning, Code::BadInstruction, form, message, help);
            return Err(Reported);
        }
        Ok(headings)
    }

    fn headings_into(&mut self, form: Form, headings: &mut Vec<Heading>) -> Result<(), Reported> {
        if !self.is_list(form) {
            headings.push(Heading::Along(self.direction(form, Severity::Warning).ok_or(Reported)?));
            return Ok(());
        }
        let elements = self.elements(form);
        let is_opposite = elements
            .first()
            .is_some_and(|&head| self.peek(head, Context::Place) == Some(Keyword::Opposite));
        if is_opposite {
            let direction = self.required_direction(form, &elements[1..], Keyword::Opposite)?;
            headings.push(Heading::Against(direction));
            return Ok(());
        }
        elements
            .into_iter()
            .try_for_each(|form| self.headings_into(form, headings))
    }

    /// Reads `[WHO] [PIECE …]`; a name is looked up among the players before the pieces.
    pub(super) fn who_and_kinds(&mut self, args: &[Form]) -> Result<(Option<Who>, Vec<PieceKindId>), Reported> {
        let Some((&first, rest)) = args.split_first() else {
            return Ok((None, Vec::new()));
        };
        let symbol = self.word(first);
        let is_player = symbol.is_some_and(|symbol| self.players.get(symbol).is_some());
        let is_kind = symbol.is_some_and(|symbol| self.kinds.get(symbol).is_some());
        let (who, kinds) = if is_kind && !is_player {
            (None, args)
        } else {
            (Some(self.who(first)?), rest)
        };
        let kinds: Option<Vec<_>> = kinds.iter().map(|&form| self.kind(form, Severity::Warning)).collect();
        Ok((who, kinds.ok_or(Reported)?))
    }

    /// Reads `friend`, `enemy`, `neutral`, `any` or a player.
    pub(super) fn who(&mut self, form: Form) -> Result<Who, Reported> {
        if let Some(player) = self.word(form).and_then(|symbol| self.players.get(symbol)) {
            return Ok(Who::Player(player));
        }
        match self.keyword(form, Context::Who) {
            Some(Keyword::Friend) => {
                self.note_no_mover(form);
                Ok(Who::Friend)
            }
            Some(Keyword::Enemy) => {
                self.note_no_mover(form);
                Ok(Who::Enemy)
            }
            Some(Keyword::Neutral) => Ok(Who::Neutral),
            Some(_) => Ok(Who::Any),
            None => {
                let sort = "player, `friend`, `enemy`, `neutral` or `any`";
                let candidates = self.players.symbols.iter().chain(&self.kinds.symbols).copied();
                self.unknown_name(Severity::Warning, form, sort, candidates.collect());
                Err(Reported)
            }
        }
    }

    /// Reads `friend` or a player.
    pub(super) fn which_player(&mut self, form: Form) -> Result<WhichPlayer, Reported> {
        if let Some(player) = self.word(form).and_then(|symbol| self.players.get(symbol)) {
            return Ok(WhichPlayer::Player(player));
        }
        if self.peek(form, Context::Who) == Some(Keyword::Friend) {
            self.use_extension(Keyword::Friend.name(), form);
            self.need_mover(form, "name the player")?;
            return Ok(WhichPlayer::Friend);
        }
        self.unknown_name(Severity::Warning, form, "player", self.players.symbols.clone());
        Err(Reported)
    }

    pub(super) fn required_direction(
        &mut self,
        form: Form,
        args: &[Form],
        keyword: Keyword,
    ) -> Result<crate::model::DirectionId, Reported> {
        match args.first() {
            Some(&direction) => self.direction(direction, Severity::Warning).ok_or(Reported),
            None => Err(self.bad_instruction(form, format!("`{}` names no direction", keyword.name()), keyword)),
        }
    }
}
