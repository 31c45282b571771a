//! Shapes of pieces.

use super::{Builder, Section};
use crate::diagnostic::{Code, Severity};
use crate::keyword::{Context, Keyword};
use crate::model::piece::{Shape, Turning};

/// The most squares that a shape can have; no board is larger than what it could cover many times.
const MAX_SQUARES: usize = 400;

impl Builder<'_> {
    /// Reads `(shape "ROW/…" [turns-only|fixed])`.
    pub(super) fn build_shape(&mut self, item: &Section) -> Option<Shape> {
        let (drawing, way) = match *item.args() {
            [drawing] => (drawing, None),
            [drawing, way] => (drawing, Some(way)),
            _ => {
                self.bad_form(
                    Severity::Warning,
                    item.form,
                    "a shape takes one drawing",
                    Keyword::Shape,
                );
                return None;
            }
        };
        let mut shape = Shape::default();
        for (row, text) in (0..).zip(self.text(drawing).split('/')) {
            for (column, letter) in (0..).zip(text.trim().chars()) {
                match letter {
                    '#' => shape.squares.push((column, row)),
                    '.' => {}
                    letter => {
                        let message = format!("found `{letter}` in a shape where `#` or `.` was expected");
                        let help = "draw what is covered with `#`, what is not with `.`, and a `/` between rows";
                        self.push(Severity::Warning, Code::BadForm, drawing, message, help);
                        return None;
                    }
                }
            }
        }
        if shape.squares.is_empty() {
            self.bad_form(Severity::Warning, drawing, "the shape covers nothing", Keyword::Shape);
            return None;
        }
        if shape.squares.len() > MAX_SQUARES {
            let message = format!("the shape has more than {MAX_SQUARES} squares");
            self.push(Severity::Warning, Code::TooMany, drawing, message, "it is left out");
            return None;
        }
        if let Some(way) = way {
            shape.turning = match self.keyword(way, Context::Shape) {
                Some(Keyword::TurnsOnly) => Turning::TurnsOnly,
                Some(_) => Turning::Fixed,
                None => {
                    let message = format!("`{}` is no {}", self.shown(way), Context::Shape.description());
                    self.bad_form(Severity::Warning, way, message, Keyword::Shape);
                    Turning::Free
                }
            };
        }
        if !self.board.grids.iter().any(|grid| grid.dimensions.len() == 2) {
            let message = "a shape needs a grid of two dimensions";
            self.bad_form(Severity::Warning, item.form, message, Keyword::Grid);
        }
        Some(shape)
    }
}
