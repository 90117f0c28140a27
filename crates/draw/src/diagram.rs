//! A view of a game as a picture made of shapes.

use stoa_rules::view::{Ground, Piece, Spot, View};
use stoa_rules::{Game, Side};

use crate::Marks;
use crate::looks::{self, SideColour};
use crate::shapes::{Colour, Paint, Point, Segment, Shape, lines, polygon};

/// The size of a cell in the picture's units.
const CELL: f64 = 60.0;
/// Half the width of a cell: views count in half cells.
const HALF: f64 = CELL / 2.0;
/// From one row of hexagons to the next.
const HEX_ROW: f64 = CELL * 0.866;
/// Room around the board for names.
const MARGIN: f64 = 36.0;
/// The thickness of a checker seen from the side.
const CHECKER: f64 = 22.0;

/// What lies around the board.
pub(crate) const PAPER: Colour = "#f4ede0";
/// The colour of names of files and ranks.
const NAME: Colour = "#6b5d4a";

/// A board as shapes.
pub(crate) struct Picture {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) shapes: Vec<Shape>,
}

/// Draws a board.
pub(crate) fn draw(game: Game, view: &View, marks: &Marks) -> Picture {
    let mut drawing = Drawing::new(game, view);
    drawing.board(view);
    for spot in &view.spots {
        drawing.ground(spot, marks.last.contains(&spot.cell));
    }
    for spot in &view.spots {
        drawing.piece(spot);
    }
    drawing.labels(view);
    Picture { width: drawing.width, height: drawing.height, shapes: drawing.shapes }
}

/// Where things are, and what has been drawn.
struct Drawing {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    kind: Ground,
    colours: [SideColour; 2],
    /// From one unit of a view's y to the next.
    step_y: f64,
    shapes: Vec<Shape>,
}

impl Drawing {
    fn new(game: Game, view: &View) -> Drawing {
        let kind = view.spots.first().map_or(Ground::Square, |spot| spot.ground);
        let xs = || view.spots.iter().map(|spot| f64::from(spot.x));
        let ys = || view.spots.iter().map(|spot| f64::from(spot.y));
        let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let (left, right) = (least(&mut xs()) - 1.0, most(&mut xs()) + 1.0);
        let (bottom, top) = (least(&mut ys()) - 1.0, most(&mut ys()) + 1.0);
        let step_y = if kind == Ground::Hex { HEX_ROW / 2.0 } else { HALF };
        let board_height = if kind == Ground::Column {
            let levels =
                view.spots.iter().map(|spot| spot.checkers().len()).max().unwrap_or(0).max(5);
            (levels as f64 + 1.0) * CHECKER
        } else {
            (top - bottom) * step_y
        };
        Drawing {
            left,
            top,
            width: (right - left) * HALF + 2.0 * MARGIN,
            height: board_height + 2.0 * MARGIN,
            kind,
            colours: looks::of(game).colours,
            step_y,
            shapes: Vec::new(),
        }
    }

    /// The middle of a cell; of a column, the middle of its foot.
    fn centre(&self, spot: &Spot) -> Point {
        let x = MARGIN + (f64::from(spot.x) - self.left) * HALF;
        if self.kind == Ground::Column {
            return (x, self.height - MARGIN);
        }
        (x, MARGIN + (self.top - f64::from(spot.y)) * self.step_y)
    }

    /// Fill and outline of a player's pieces.
    fn colours(&self, side: Side) -> (Colour, Colour) {
        self.colours[side.index()].in_pictures()
    }

    /// What lies under all cells.
    fn board(&mut self, view: &View) {
        let points = || view.spots.iter().filter(|spot| spot.ground == Ground::Point);
        let (Some(first), Some(last)) = (points().next(), points().next_back()) else { return };
        let size = (self.width - 2.0 * MARGIN, self.height - 2.0 * MARGIN);
        self.rect((MARGIN, MARGIN), size, 8.0, Paint::fill("#c9a063"));
        let ((x0, y0), (x1, y1)) = (self.centre(first), self.centre(last));
        let grid = (0..points().count().isqrt()).flat_map(|line| {
            let (x, y) = (x0 + line as f64 * CELL, y0 - line as f64 * CELL);
            [((x0, y), (x1, y)), ((x, y0), (x, y1))]
        });
        self.shapes.push(lines(grid, Paint::stroke("#8a6a3a", 1.5)));
    }

    fn ground(&mut self, spot: &Spot, is_last: bool) {
        let (x, y) = self.centre(spot);
        match spot.ground {
            Ground::Column => self.foot((x, y), "#8d7f6c"),
            Ground::Dark => self.square((x, y), "#8a7a5c", 0.0),
            Ground::Light => self.square((x, y), "#e6d9bd", 0.0),
            Ground::Point => match spot.owner {
                Some(Side::First) => self.square((x, y), "#00000055", 0.0),
                Some(Side::Second) => self.square((x, y), "#ffffff88", 0.0),
                None => {}
            },
            Ground::Ring => {}
            Ground::Square => self.square((x, y), "#6f8f72", 1.0),
            Ground::Track => self.disc((x, y), 9.0, Paint::fill("#b9a888")),
            Ground::Base => self.disc((x, y), 17.0, outlined("#a37442", "#6d4a24")),
            Ground::Hex => self.hexagon((x, y), HALF * 1.12, outlined("#d9bd8b", "#8a6a3a")),
        }
        if is_last {
            match spot.ground {
                Ground::Hex => self.hexagon((x, y), HALF, Paint::fill("#5d86ab66")),
                Ground::Column => self.foot((x, y), "#2f6fae"),
                _ => self.square((x, y), "#5d86ab66", 3.0),
            }
        }
    }

    fn piece(&mut self, spot: &Spot) {
        let (x, y) = self.centre(spot);
        let Some(piece) = &spot.piece else { return };
        match *piece {
            Piece::Checkers(ref checkers) => {
                for (level, &side) in checkers.iter().enumerate() {
                    self.side_checker((x, y - (level as f64 + 1.0) * CHECKER), side);
                }
            }
            Piece::Single(side) => self.flat_checker((x, y), side),
            Piece::Double(side) => {
                self.flat_checker((x, y + 5.0), side);
                self.flat_checker((x, y - 5.0), side);
                self.crown((x, y - 5.0), self.colours(side).1);
            }
            Piece::Stone(side) => {
                let (fill, stroke) = self.colours(side);
                let radius = match spot.ground {
                    Ground::Ring => 12.0,
                    Ground::Hex => 20.0,
                    _ => 25.0,
                };
                self.disc((x, y), radius, outlined(fill, stroke));
            }
            Piece::Stack { owner, height } => {
                let (fill, stroke) = self.colours(owner);
                let lift = 5.0;
                let foot = y + lift * (f64::from(height) - 1.0) / 2.0;
                for level in 0..height {
                    let y = foot - f64::from(level) * lift;
                    self.disc((x, y), 21.0, outlined(fill, stroke));
                }
                let top = foot - f64::from(height - 1) * lift;
                self.text((x, top + 7.0), 20.0, stroke, height.to_string());
            }
            Piece::Pawn(side) => self.pawn((x, y), side),
            Piece::Tower(owner) => {
                self.tower((x, y));
                if let Some(side) = owner {
                    let (fill, stroke) = self.colours(side);
                    self.disc((x, y + 4.0), 11.0, outlined(fill, stroke));
                }
            }
        }
    }

    /// Names of files below and of ranks on the left.
    fn labels(&mut self, view: &View) {
        let mut seen = std::collections::BTreeSet::new();
        for spot in view.spots.iter().filter(|spot| !spot.name.is_empty()) {
            let (x, y) = self.centre(spot);
            let (letter, number) = spot.name.split_at(1);
            if self.kind == Ground::Hex {
                if number == "1" {
                    self.text((x - CELL * 0.85, y + 5.0), 15.0, NAME, letter.to_owned());
                }
                if spot.piece.is_none() {
                    self.text((x, y + 5.0), 13.0, "#a78a58", number.to_owned());
                }
                continue;
            }
            if seen.insert(letter) {
                self.text((x, self.height - 10.0), 15.0, NAME, letter.to_owned());
            }
            if !number.is_empty() && seen.insert(number) {
                self.text((MARGIN / 2.0, y + 5.0), 15.0, NAME, number.to_owned());
            }
        }
    }
}

/// The shapes that boards and pieces are made of.
impl Drawing {
    fn rect(&mut self, at: Point, size: Point, radius: f64, paint: Paint) {
        self.shapes.push(Shape::Rect { at, size, radius, paint });
    }

    fn square(&mut self, (x, y): Point, fill: Colour, inset: f64) {
        let size = CELL - 2.0 * inset;
        self.rect((x - HALF + inset, y - HALF + inset), (size, size), 0.0, Paint::fill(fill));
    }

    /// What a column stands on.
    fn foot(&mut self, (x, y): Point, fill: Colour) {
        self.rect((x - HALF + 2.0, y), (CELL - 4.0, 7.0), 2.0, Paint::fill(fill));
    }

    fn disc(&mut self, centre: Point, radius: f64, paint: Paint) {
        self.shapes.push(Shape::Circle { centre, radius, paint });
    }

    fn text(&mut self, at: Point, size: f64, fill: Colour, text: String) {
        self.shapes.push(Shape::Text { at, size, fill, text });
    }

    fn hexagon(&mut self, (x, y): Point, radius: f64, paint: Paint) {
        let (w, h) = (radius * 0.866, radius / 2.0);
        let corners = [
            (x, y - radius),
            (x + w, y - h),
            (x + w, y + h),
            (x, y + radius),
            (x - w, y + h),
            (x - w, y - h),
        ];
        self.shapes.push(polygon(&corners, paint));
    }

    fn flat_checker(&mut self, at: Point, side: Side) {
        let (fill, stroke) = self.colours(side);
        self.disc(at, 21.0, outlined(fill, stroke));
        self.disc(at, 15.0, Paint::stroke(stroke, 1.5));
    }

    /// A checker seen from the side. Those of the second player carry a stripe, so that colour is not needed.
    fn side_checker(&mut self, (x, y): Point, side: Side) {
        let (fill, stroke) = self.colours(side);
        let size = (CELL - 12.0, CHECKER - 2.0);
        self.rect((x - HALF + 6.0, y + 1.0), size, 7.0, outlined(fill, stroke));
        if side == Side::Second {
            let stripe = (CELL - 30.0, 3.0);
            let at = (x - HALF + 15.0, y + CHECKER / 2.0 - 1.5);
            self.rect(at, stripe, 1.5, Paint::fill("#dbe7fa"));
        }
    }

    fn crown(&mut self, (x, y): Point, fill: Colour) {
        let corners = [(-9, 7), (-11, -6), (-5, 0), (0, -9), (5, 0), (11, -6), (9, 7)];
        let corners = corners.map(|(dx, dy)| (x + f64::from(dx), y + f64::from(dy)));
        self.shapes.push(polygon(&corners, Paint::fill(fill)));
    }

    fn pawn(&mut self, (x, y): Point, side: Side) {
        let (fill, stroke) = self.colours(side);
        let at = |dx: f64, dy: f64| (x + dx, y + dy);
        let segments = vec![
            Segment::Move(at(-15.0, 18.0)),
            Segment::Cubic(at(-5.0, 11.3), at(-2.7, 4.0), at(-7.0, -4.0)),
            Segment::Cubic(at(-11.0, -9.0), at(-9.0, -19.0), at(0.0, -19.0)),
            Segment::Cubic(at(9.0, -19.0), at(11.0, -9.0), at(7.0, -4.0)),
            Segment::Cubic(at(2.7, 4.0), at(5.0, 11.3), at(15.0, 18.0)),
            Segment::Close,
        ];
        let paint = Paint::fill(fill).outlined(stroke, 2.0);
        self.shapes.push(Shape::Path { segments, paint });
    }

    fn tower(&mut self, (x, y): Point) {
        let (top, gap, foot) = (y - 16.0, y - 9.0, y + 18.0);
        let corners = [
            (-19.0, foot),
            (-19.0, top),
            (-11.0, top),
            (-11.0, gap),
            (-4.0, gap),
            (-4.0, top),
            (4.0, top),
            (4.0, gap),
            (11.0, gap),
            (11.0, top),
            (19.0, top),
            (19.0, foot),
        ];
        let corners = corners.map(|(dx, y)| (x + dx, y));
        let paint = Paint::fill("#8d6f5e").outlined("#4d3a30", 2.0);
        self.shapes.push(polygon(&corners, paint));
    }
}

fn outlined(fill: Colour, stroke: Colour) -> Paint {
    Paint::fill(fill).outlined(stroke, 1.5)
}
