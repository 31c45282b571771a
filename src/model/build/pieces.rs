//! Pieces: their names first, then their blocks.

use super::scope::Area;
use super::{Builder, Section, intern};
use crate::diagnostic::{Code, Severity};
use crate::expand::{Form, FormKind, display_text};
use crate::keyword::{Context, Keyword};
use crate::model::ids::{AttributeId, ConstantId, MoveTypeId, PieceKindId};
use crate::model::piece::{Block, DropLimit, PieceKind};

impl Builder<'_> {
    /// Declares the names of all pieces, attributes and move types, which blocks may use before they are declared.
    pub(super) fn declare_pieces(&mut self, sections: &[Section]) {
        for section in sections {
            let mut kind = PieceKind::default();
            let mut name = None;
            for &form in section.args() {
                let elements = self.elements(form);
                let keyword = elements.first().and_then(|&head| self.keyword(head, Context::Piece));
                let item = Section { form, elements };
                match keyword {
                    Some(Keyword::Name) => name = item.args().first().and_then(|&name| self.word(name)),
                    Some(Keyword::Help) => kind.help = self.display(&item),
                    Some(Keyword::Description) => kind.description = self.display(&item),
                    Some(Keyword::Notation) => kind.notation = self.display(&item),
                    Some(Keyword::Open) => kind.open = item.args().first().map(|&form| self.text(form).to_owned()),
                    Some(Keyword::Image) => self.declare_images(&item, &mut kind),
                    Some(Keyword::Attribute) => self.declare_attribute(&item, &mut kind),
                    Some(Keyword::Constant) => self.declare_constant(&item, &mut kind),
                    Some(Keyword::Shape) => kind.shape = self.build_shape(&item).or(kind.shape),
                    Some(Keyword::Dummy) => kind.dummy = true,
                    Some(Keyword::Moves | Keyword::Drops) => self.declare_move_types(&item),
                    _ => {
                        let head = item.elements.first().copied().filter(|&head| !self.is_list(head));
                        let name = self.shown(head.unwrap_or(form));
                        self.unknown_section(form, &name, Context::Piece);
                    }
                }
            }
            let Some(name) = name else {
                self.bad_form(
                    Severity::Warning,
                    section.form,
                    "a piece has no name and is left out",
                    Keyword::Name,
                );
                continue;
            };
            kind.name = self.expander.text(name).to_owned();
            if let Some(known) = self.kinds.get(name) {
                let message = format!("the piece `{}` is declared twice", kind.name);
                self.push(
                    Severity::Warning,
                    Code::DuplicateName,
                    section.form,
                    message,
                    "the last one counts",
                );
                self.kind_models[known.index()] = kind;
                continue;
            }
            match PieceKindId::new(self.kinds.len()) {
                Some(id) => {
                    self.kinds.insert(name, id);
                    self.kind_models.push(kind);
                }
                None => self.push(
                    Severity::Error,
                    Code::TooMany,
                    section.form,
                    "there are too many pieces",
                    "",
                ),
            }
        }
    }

    fn display(&self, item: &Section) -> Option<String> {
        item.args().first().map(|&form| display_text(self.text(form)))
    }

    /// Reads `PLAYER "FILE" …` as often as it comes.
    fn declare_images(&mut self, item: &Section, kind: &mut PieceKind) {
        let mut player = None;
        for &form in item.args() {
            let text = self.text(form).to_owned();
            match (self.expander.kind(form), player) {
                (FormKind::Atom(_), _) => {
                    let known = kind.images.iter().position(|(name, _)| *name == text);
                    player = Some(known.unwrap_or(kind.images.len()));
                    if known.is_none() {
                        kind.images.push((text, Vec::new()));
                    }
                }
                (FormKind::Str(_), Some(player)) => kind.images[player].1.push(text),
                (FormKind::Str(_), None) | (FormKind::List, _) => {}
            }
        }
    }

    /// Reads `(attribute NAME VALUE)`.
    fn declare_attribute(&mut self, item: &Section, kind: &mut PieceKind) {
        let Some(symbol) = item.args().first().and_then(|&name| self.word(name)) else {
            self.bad_form(
                Severity::Warning,
                item.form,
                "an attribute has no name",
                Keyword::Attribute,
            );
            return;
        };
        let text = item.args().get(1).map(|&form| self.text(form));
        let is_number = text.is_some_and(|text| text.parse::<i64>().is_ok());
        let value = match text {
            Some("true") => 1,
            Some("false") | None => 0,
            Some(text) => match text.parse::<i64>() {
                Ok(number @ 0..=1) => number as i32,
                Ok(number) => match i32::try_from(number) {
                    Ok(number) => {
                        self.use_extension(Keyword::Attribute.name(), item.form);
                        number
                    }
                    Err(_) => {
                        let message = format!("the number `{text}` does not fit into 32 bits");
                        self.push(Severity::Warning, Code::BadNumber, item.form, message, "it counts as 0");
                        0
                    }
                },
                Err(_) => {
                    let message = format!("found `{text}` where `true`, `false` or a number was expected");
                    self.bad_form(Severity::Warning, item.form, message, Keyword::Attribute);
                    0
                }
            },
        };
        if self.constants.get(symbol).is_some() {
            self.attribute_and_constant(item, symbol);
        }
        let Some(id) = intern(&mut self.attributes, symbol, AttributeId::new) else {
            return;
        };
        if is_number {
            self.numeric_attributes.insert(id);
        }
        match kind.attributes.iter_mut().find(|(known, _)| *known == id) {
            Some((_, known)) => *known = value,
            None => kind.attributes.push((id, value)),
        }
    }

    /// Reads `(constant NAME N)`.
    fn declare_constant(&mut self, item: &Section, kind: &mut PieceKind) {
        let (name, value) = match *item.args() {
            [name, value] if !self.is_list(name) => (name, value),
            _ => {
                let message = "a constant takes a name and a number";
                self.bad_form(Severity::Warning, item.form, message, Keyword::Constant);
                return;
            }
        };
        let (Some(symbol), Some(value)) = (self.word(name), self.initial_value(value)) else {
            return;
        };
        if self.attributes.get(symbol).is_some() {
            self.attribute_and_constant(item, symbol);
        }
        let Some(id) = intern(&mut self.constants, symbol, ConstantId::new) else {
            return;
        };
        match kind.constants.iter_mut().find(|(known, _)| *known == id) {
            Some((_, known)) => *known = value,
            None => kind.constants.push((id, value)),
        }
    }

    /// Reports a name that is both an attribute and a constant.
    fn attribute_and_constant(&mut self, item: &Section, symbol: crate::symbol::Symbol) {
        let message = format!("`{}` is both an attribute and a constant", self.expander.text(symbol));
        let help = "the attribute counts; use another name for one of them";
        self.push(Severity::Warning, Code::DuplicateName, item.form, message, help);
    }

    pub(super) fn declare_move_types(&mut self, item: &Section) {
        for &form in item.args() {
            if let Some(symbol) = self.move_type_item(form) {
                self.move_type(symbol);
            }
        }
    }

    /// Returns the type of a `(move-type T)` item.
    fn move_type_item(&mut self, form: Form) -> Option<crate::symbol::Symbol> {
        if !self.is_list(form) {
            return None;
        }
        let elements = self.elements(form);
        let head = elements.first().and_then(|&head| self.word(head))?;
        let is_move_type = self.keywords.classic(head, Context::Moves) == Some(Keyword::MoveType);
        if is_move_type {
            elements.get(1).and_then(|&name| self.word(name))
        } else {
            None
        }
    }

    /// Builds the blocks of all pieces.
    pub(super) fn build_pieces(&mut self, sections: &[Section]) {
        for section in sections {
            let (mut name, mut blocks) = (None, Vec::new());
            for &form in section.args() {
                let elements = self.elements(form);
                match elements.first().and_then(|&head| self.peek(head, Context::Piece)) {
                    Some(Keyword::Name) => name = elements.get(1).and_then(|&name| self.word(name)),
                    Some(Keyword::Moves) => blocks.push((false, Section { form, elements })),
                    Some(Keyword::Drops) => blocks.push((true, Section { form, elements })),
                    _ => {}
                }
            }
            let Some(kind) = name.and_then(|name| self.kinds.get(name)) else {
                continue;
            };
            // A piece declared twice: the last declaration counts as a whole.
            let model = &mut self.kind_models[kind.index()];
            (model.moves, model.drops) = (Vec::new(), Vec::new());
            model.mentioned_types.clear();
            for (is_drop, item) in blocks {
                self.build_blocks(kind, is_drop, &item);
            }
        }
    }

    fn build_blocks(&mut self, kind: PieceKindId, is_drop: bool, item: &Section) {
        if !is_drop && self.kind_models[kind.index()].shape.is_some() {
            let message = "a piece with a `shape` does not move";
            let help = "what a cell of it may do is said in `actions`";
            self.push(Severity::Warning, Code::NeverUsed, item.form, message, help);
            return;
        }
        let (area, keyword) = if is_drop {
            (Area::Drops, Keyword::Drops)
        } else {
            (Area::Moves, Keyword::Moves)
        };
        self.enter(area, Some(kind));
        self.each_block(item.args(), keyword, |builder, move_type, form| {
            let block = builder.build_block(kind, move_type, form, area);
            let model = &mut builder.kind_models[kind.index()];
            if is_drop {
                model.drops.extend(block)
            } else {
                model.moves.extend(block)
            }
        });
    }

    /// Calls `build` for every block of a list, with the move type in force there.
    pub(super) fn each_block(
        &mut self,
        forms: &[Form],
        keyword: Keyword,
        mut build: impl FnMut(&mut Self, Option<MoveTypeId>, Form),
    ) {
        let mut move_type = None;
        for &form in forms {
            if !self.is_list(form) {
                let message = format!("found `{}` where a move block was expected", self.shown(form));
                self.bad_form(Severity::Warning, form, message, keyword);
                continue;
            }
            if let Some(symbol) = self.move_type_item(form) {
                move_type = self.move_type(symbol);
                if let Some(move_type) = move_type {
                    self.mention(move_type);
                }
                continue;
            }
            build(self, move_type, form);
        }
    }

    fn build_block(
        &mut self,
        kind: PieceKindId,
        move_type: Option<MoveTypeId>,
        form: Form,
        area: Area,
    ) -> Option<Block> {
        self.enter(area, Some(kind));
        let elements = self.elements(form);
        let only_at = if area == Area::Drops {
            elements.first().and_then(|&first| self.drop_limit(first))
        } else {
            None
        };
        let instructions = &elements[usize::from(only_at.is_some())..];
        let instructions = self.build_instructions(instructions)?;
        self.look_over(&instructions, form);
        Some(Block {
            move_type,
            instructions,
            lets: self.leave(),
            only_at,
            site: self.site(form),
        })
    }

    /// Reads `(ZONE)` or `(POSITION)` at the head of a drop block.
    fn drop_limit(&mut self, form: Form) -> Option<DropLimit> {
        if !self.is_list(form) {
            return None;
        }
        let elements = self.elements(form);
        let &[only] = &elements[..] else { return None };
        let symbol = self.word(only)?;
        if self.peek(only, Context::Instruction).is_some() {
            return None;
        }
        let zone = self.zones.get(symbol).map(DropLimit::Zone);
        zone.or_else(|| self.cells.get(symbol).map(DropLimit::Cell))
    }

    /// Notes that the blocks of the piece that is read mention a move type.
    pub(super) fn mention(&mut self, move_type: MoveTypeId) {
        let Some(kind) = self.scope.kind else { return };
        let mentioned = &mut self.kind_models[kind.index()].mentioned_types;
        if !mentioned.contains(&move_type) {
            mentioned.push(move_type);
        }
    }
}
