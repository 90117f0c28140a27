//! A view of a game drawn on a grid of characters.
//!
//! Where a cell is follows from its place in the view and the [`Scale`]; what stands on it is
//! drawn by the `pieces` module.

use stoa_rules::view::{Ground, Spot, View};
use stoa_rules::{Game, Step};

use crate::Marks;
use crate::canvas::{Area, Canvas, Style};
use crate::{looks, pieces};

/// What kind of characters may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// Colours and all of Unicode.
    Colour,
    /// All of Unicode, but no colours.
    Mono,
    /// Nothing but ASCII.
    Ascii,
}

/// The size of a cell in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// How many characters wide a cell is.
    pub width: usize,
    /// How many lines high it is.
    pub height: usize,
}

/// The sizes in which a game's board can be drawn, largest first.
pub fn scales(game: Game) -> &'static [Scale] {
    looks::of(game).scales
}

/// The largest scale in which the board fits into an area, or the smallest if none does.
pub fn fitting_scale(game: Game, view: &View, width: usize, height: usize) -> Scale {
    let scales = scales(game);
    let fits = |scale: &&Scale| {
        let layout = Layout::new(view, **scale);
        layout.width() <= width && layout.height() <= height
    };
    *scales.iter().find(fits).unwrap_or(&scales[scales.len() - 1])
}

/// How wide the board is.
pub fn width(view: &View, scale: Scale) -> usize {
    Layout::new(view, scale).width()
}

/// Draws a board.
pub fn draw(game: Game, view: &View, marks: &Marks, scale: Scale, charset: Charset) -> Canvas {
    let layout = Layout::new(view, scale);
    let mut canvas = Canvas::new(layout.width(), layout.height());
    for spot in &view.spots {
        let area = layout.area(spot);
        canvas.paint(area, pieces::ground(spot, charset));
        if spot.ground == Ground::Column {
            pieces::column(game, &mut canvas, area, spot, charset);
            column_clicks(&mut canvas, area, spot);
        } else {
            if spot.ground != Ground::Ring {
                canvas.set_click(area, Step::cell(spot.cell));
            }
            pieces::piece(game, &mut canvas, area, spot, charset);
        }
        mark(&mut canvas, area, spot, marks, charset);
    }
    labels(&mut canvas, view, &layout, charset);
    canvas
}

/// How high stacks of checkers can grow before the board grows with them.
const MIN_COLUMN_HEIGHT: usize = 5;

/// Where things are on the canvas.
struct Layout {
    scale: Scale,
    /// The extent of the board in half cells.
    left: i16,
    right: i16,
    bottom: i16,
    top: i16,
    /// How many checkers high a column is.
    levels: usize,
    hexes: bool,
}

/// Room for the names of the ranks.
const MARGIN: usize = 3;

impl Layout {
    fn new(view: &View, scale: Scale) -> Layout {
        let xs = || view.spots.iter().map(|spot| spot.x);
        let ys = || view.spots.iter().map(|spot| spot.y);
        let tallest = view.spots.iter().map(|spot| spot.checkers().len()).max().unwrap_or(0);
        Layout {
            scale,
            left: xs().min().unwrap_or(0) - 1,
            right: xs().max().unwrap_or(0) + 1,
            bottom: ys().min().unwrap_or(0) - 1,
            top: ys().max().unwrap_or(0) + 1,
            levels: (tallest + 1).max(MIN_COLUMN_HEIGHT),
            hexes: view.spots.iter().any(|spot| spot.ground == Ground::Hex),
        }
    }

    fn is_row_of_columns(&self) -> bool {
        self.top - self.bottom == 2
    }

    fn width(&self) -> usize {
        MARGIN + (self.right - self.left) as usize * self.scale.width / 2
    }

    fn board_height(&self) -> usize {
        if self.is_row_of_columns() {
            self.levels * self.scale.height
        } else {
            (self.top - self.bottom) as usize * self.scale.height / 2
        }
    }

    /// The board and a line for the names of the files.
    fn height(&self) -> usize {
        self.board_height() + 1
    }

    fn area(&self, spot: &Spot) -> Area {
        let x = MARGIN + (spot.x - 1 - self.left) as usize * self.scale.width / 2;
        if self.is_row_of_columns() {
            return Area { x, y: 0, width: self.scale.width, height: self.board_height() };
        }
        let y = (self.top - spot.y - 1) as usize * self.scale.height / 2;
        Area { x, y, width: self.scale.width, height: self.scale.height }
    }
}

/// A click on a checker means that checker; a click above them means the square.
fn column_clicks(canvas: &mut Canvas, area: Area, spot: &Spot) {
    canvas.set_click(area, Step::cell(spot.cell));
    for level in 1..=spot.checkers().len() {
        let y = area.y + area.height - level;
        let checker = Area { y, height: 1, ..area };
        canvas.set_click(checker, Step { cell: spot.cell, level: level as u8 });
    }
}

/// Points out what the marks say about a cell.
fn mark(canvas: &mut Canvas, area: Area, spot: &Spot, marks: &Marks, charset: Charset) {
    let area_of = |step: Step| match step.level {
        0 if spot.ground == Ground::Column => {
            // The place on top of the stack.
            let height = spot.checkers().len();
            Area { y: area.y + area.height - 1 - height.min(area.height - 1), height: 1, ..area }
        }
        0 => area,
        level => Area { y: area.y + area.height - usize::from(level), height: 1, ..area },
    };
    if marks.last.contains(&spot.cell) {
        pieces::mark_last(canvas, area_of(Step::cell(spot.cell)), charset);
    }
    for &step in marks.selected.iter().filter(|step| step.cell == spot.cell) {
        pieces::mark_selected(canvas, area_of(step), charset);
    }
    // What was chosen may be chosen again: that matters more.
    for &step in marks.targets.iter().filter(|step| step.cell == spot.cell) {
        pieces::mark_target(canvas, area_of(step), charset);
    }
    if let Some(step) = marks.cursor.filter(|step| step.cell == spot.cell) {
        pieces::mark_cursor(canvas, area_of(step), charset);
    }
    for &step in marks.advised.iter().filter(|step| step.cell == spot.cell) {
        let with_cursor = marks.cursor == Some(step);
        pieces::mark_advised(canvas, area_of(step), charset, with_cursor);
    }
}

/// Names of files below and of ranks on the left, taken from the names of the cells.
fn labels(canvas: &mut Canvas, view: &View, layout: &Layout, charset: Charset) {
    let style = if charset == Charset::Colour { Style::fg(244) } else { Style::default() };
    for spot in view.spots.iter().filter(|spot| !spot.name.is_empty()) {
        let area = layout.area(spot);
        let (letter, number) = spot.name.split_at(1);
        // On hexagons the letter names the row, elsewhere the file.
        let (below, beside) = if layout.hexes { ("", letter) } else { (letter, number) };
        canvas.text(area.x + (area.width - 1) / 2, layout.board_height(), below, style);
        let line = area.y + area.height / 2;
        if layout.hexes {
            if number == "1" {
                canvas.text(area.x.saturating_sub(2), line, beside, style);
            }
        } else if !layout.is_row_of_columns() {
            canvas.text(0, line, &format!("{beside:>2}"), style);
        }
    }
}
