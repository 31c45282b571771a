//! Setups beyond the classic language: drawn as the board looks, or made by chance.

use super::instructions::Reported;
use super::scope::Area;
use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::expand::Form;
use crate::keyword::{self, Context, Keyword};
use crate::model::Setup;
use crate::model::board::{Dimension, Grid};
use crate::model::extension::{RandomItem, RandomItemKind, RandomSetup};
use crate::model::ids::{CellId, PieceKindId, PlayerId};
use crate::model::piece::{Instruction, InstructionKind};

/// What the letters of a picture mean.
type Legend = Vec<(char, PlayerId, PieceKindId)>;

impl Builder<'_> {
    /// Adds the pieces of a `board-picture` to the setup.
    pub(super) fn build_picture(&mut self, section: &Section, setup: &mut Setup) {
        let mut legend = Legend::new();
        let mut rows = Vec::new();
        for &form in section.args() {
            if self.is_list(form) {
                self.legend_item(form, &mut legend);
            } else {
                rows.push(form);
            }
        }
        let Some(screen) = self.board.grids.first().and_then(Screen::of) else {
            let message = "a picture needs a grid of two dimensions";
            self.bad_form(Severity::Warning, section.form, message, Keyword::BoardPicture);
            return;
        };
        if rows.len() != screen.n_rows {
            let message = format!(
                "the picture has {} rows, but the grid has {}",
                rows.len(),
                screen.n_rows
            );
            let at = rows.last().copied().unwrap_or(section.form);
            let help = "draw one row of letters for each row of the board, from the top";
            self.push(Severity::Warning, Code::BadForm, at, message, help);
        }
        for (row, &form) in rows.iter().enumerate().take(screen.n_rows) {
            let text = self.text(form).to_owned();
            let width = text.chars().count();
            if width != screen.n_columns {
                let message = format!(
                    "this row has {width} letters, but the grid has {} columns",
                    screen.n_columns
                );
                let help = "draw one letter for each position, a dot for an empty one";
                self.push(Severity::Warning, Code::BadForm, form, message, help);
            }
            for (column, letter) in text.chars().enumerate().take(screen.n_columns) {
                let Some(&(_, player, kind)) = legend.iter().find(|(known, ..)| *known == letter) else {
                    continue;
                };
                match self.board.grids.first().and_then(|grid| screen.cell(grid, column, row)) {
                    Some(cell) => self.place_piece(form, cell, player, kind, setup),
                    None => {
                        let message = format!(
                            "the letter `{letter}` in column {} of this row stands where the board has no position",
                            column + 1
                        );
                        self.push(Severity::Warning, Code::UnknownName, form, message, "write a dot there");
                    }
                }
            }
        }
    }

    /// Reads `(LETTER PLAYER PIECE)`.
    fn legend_item(&mut self, form: Form, legend: &mut Legend) {
        let elements = self.elements(form);
        let &[letter, player, kind] = &elements[..] else {
            let message = "the meaning of a letter is written `(LETTER PLAYER PIECE)`";
            self.bad_form(Severity::Warning, form, message, Keyword::BoardPicture);
            return;
        };
        let mut letters = self.text(letter).chars();
        let (Some(sign), None) = (letters.next(), letters.next()) else {
            let message = format!("`{}` is not one letter", self.shown(letter));
            self.bad_form(Severity::Warning, letter, message, Keyword::BoardPicture);
            return;
        };
        let (Some(player), Some(kind)) = (self.player(player, Severity::Error), self.kind(kind, Severity::Error))
        else {
            return;
        };
        if let Some(known) = legend.iter_mut().find(|(known, ..)| *known == sign) {
            *known = (sign, player, kind);
            let message = format!("the letter `{sign}` is given twice");
            self.push(
                Severity::Warning,
                Code::DuplicateName,
                letter,
                message,
                "the last one counts",
            );
        } else {
            legend.push((sign, player, kind));
        }
    }

    /// Reads the items of a `random-setup`.
    pub(super) fn build_random_setup(&mut self, sections: &[(Keyword, Section)]) -> Option<RandomSetup> {
        self.enter(Area::RandomSetup, None);
        let mut setup = RandomSetup::default();
        for (_, section) in sections.iter().filter(|(keyword, _)| *keyword == Keyword::RandomSetup) {
            for &form in section.args() {
                // What is wrong has been reported; the item is left out.
                let _ = self.build_random_item(form, &mut setup);
            }
        }
        setup.lets = self.leave();
        (!setup.items.is_empty()).then_some(setup)
    }

    fn build_random_item(&mut self, form: Form, setup: &mut RandomSetup) -> Result<(), Reported> {
        let elements = self.elements(form);
        let Some(&head) = elements.first() else {
            let message = format!("found `{}` where a list was expected", self.shown(form));
            self.bad_form(Severity::Warning, form, message, Keyword::RandomSetup);
            return Err(Reported);
        };
        let site = self.site(form);
        let section = Section { form, elements };
        let args = section.args();
        let player = self.word(head).and_then(|symbol| self.players.get(symbol));
        let keyword = match player {
            Some(player) => {
                for &entry in args {
                    setup.items.push(RandomItem {
                        kind: self.build_random_pieces(player, entry)?,
                        site: self.site(entry),
                    });
                }
                return Ok(());
            }
            None => self.keyword(head, Context::RandomSetup),
        };
        let kind = match keyword {
            Some(Keyword::Let) => {
                self.arity(&section, Keyword::Let, 2..=2)?;
                self.build_let(args[0], args[1])?
            }
            Some(keyword) => {
                self.arity(&section, keyword, 1..=1)?;
                InstructionKind::Verify(self.build_condition(args[0])?)
            }
            None => {
                let name = self.shown(head);
                let players = self.players.symbols.iter().map(|&symbol| self.expander.text(symbol));
                let near = keyword::nearest_of(&name, players.chain(["let", "verify"]));
                let help = match near {
                    Some(near) => format!("did you mean `{near}`? The item is left out"),
                    None => "the item is left out".to_owned(),
                };
                let message = format!("`{name}` is no player and no {}", Context::RandomSetup.description());
                self.push(Severity::Warning, Code::UnknownName, head, message, help);
                return Err(Reported);
            }
        };
        setup.items.push(RandomItem {
            kind: RandomItemKind::Instruction(Instruction { kind, site }),
            site,
        });
        Ok(())
    }

    /// Reads `(PIECE N SET)`.
    fn build_random_pieces(&mut self, player: PlayerId, form: Form) -> Result<RandomItemKind, Reported> {
        let elements = self.elements(form);
        let &[kind, count, set] = &elements[..] else {
            let message = "random pieces are written `(PIECE N SET)`";
            self.bad_form(Severity::Warning, form, message, Keyword::RandomSetup);
            return Err(Reported);
        };
        let kind = self.kind(kind, Severity::Warning).ok_or(Reported);
        let (count, set) = (self.build_number(count), self.build_set(set));
        Ok(RandomItemKind::Pieces {
            player,
            kind: kind?,
            count: count?,
            set: set?,
        })
    }
}

/// How a grid lies on the screen.
struct Screen {
    /// Whether the first dimension goes from left to right.
    first_is_across: bool,
    n_columns: usize,
    n_rows: usize,
    /// Whether indices grow to the left and upwards.
    leftwards: bool,
    upwards: bool,
}

impl Screen {
    /// Finds out how a grid of one or two dimensions lies; none for others.
    fn of(grid: &Grid) -> Option<Screen> {
        let single = Dimension {
            labels: vec![String::new()],
            step: (0, 0),
        };
        let (first, second) = match &grid.dimensions[..] {
            [only] => (only, &single),
            [first, second] => (first, second),
            _ => return None,
        };
        // The dimension that goes more across than down, compared with the other, is that of the columns.
        let across = |dimension: &Dimension| i64::from(dimension.step.0.abs()) - i64::from(dimension.step.1.abs());
        let first_is_across = across(first) >= across(second);
        let (columns, rows) = if first_is_across {
            (first, second)
        } else {
            (second, first)
        };
        Some(Screen {
            first_is_across,
            n_columns: columns.labels.len(),
            n_rows: rows.labels.len(),
            leftwards: columns.step.0 < 0,
            upwards: rows.step.1 < 0,
        })
    }

    /// Returns the cell at a place of the screen, counted from the top left.
    fn cell(&self, grid: &Grid, column: usize, row: usize) -> Option<CellId> {
        let column = if self.leftwards {
            self.n_columns - 1 - column
        } else {
            column
        };
        let row = if self.upwards { self.n_rows - 1 - row } else { row };
        let coordinates = if self.first_is_across {
            [column, row]
        } else {
            [row, column]
        }
        .map(|index| index as i64);
        let index = grid.index_of(&coordinates[..grid.dimensions.len()])?;
        grid.cells[index]
    }
}
