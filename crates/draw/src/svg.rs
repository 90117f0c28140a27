//! A view of a game as an SVG picture.

use std::fmt::Write;

use stoa_rules::view::{Ground, Piece, Spot, View};
use stoa_rules::{Game, Side};

use crate::Marks;
use crate::looks::{self, SideColours};

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

/// Draws a board.
pub fn draw(game: Game, view: &View, marks: &Marks) -> String {
    let picture = Picture::new(game, view);
    let info = game.info();
    let mut svg = String::new();
    let (width, height) = (picture.width, picture.height);
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" text-anchor=\"middle\">\n\
         <title>{} by {}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"14\" fill=\"#f4ede0\"/>\n",
        info.name, info.designer
    );
    picture.board(&mut svg, view);
    for spot in &view.spots {
        picture.ground(&mut svg, spot, marks.last.contains(&spot.cell));
    }
    for spot in &view.spots {
        picture.piece(&mut svg, spot);
    }
    picture.labels(&mut svg, view);
    svg.push_str("</svg>\n");
    svg
}

/// Where things are.
struct Picture {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    kind: Ground,
    colours: SideColours,
    /// From one unit of a view's y to the next.
    step_y: f64,
}

impl Picture {
    fn new(game: Game, view: &View) -> Picture {
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
        Picture {
            left,
            top,
            width: (right - left) * HALF + 2.0 * MARGIN,
            height: board_height + 2.0 * MARGIN,
            kind,
            colours: looks::of(game).colours,
            step_y,
        }
    }

    /// The middle of a cell; of a column, the middle of its foot.
    fn centre(&self, spot: &Spot) -> (f64, f64) {
        let x = MARGIN + (f64::from(spot.x) - self.left) * HALF;
        if self.kind == Ground::Column {
            return (x, self.height - MARGIN);
        }
        (x, MARGIN + (self.top - f64::from(spot.y)) * self.step_y)
    }

    /// Fill and outline of a player's pieces.
    fn colours(&self, side: Side) -> (&'static str, &'static str) {
        self.colours[side.index()]
    }

    /// What lies under all cells.
    fn board(&self, svg: &mut String, view: &View) {
        let points = || view.spots.iter().filter(|spot| spot.ground == Ground::Point);
        if points().next().is_none() {
            return;
        }
        let (w, h) = (self.width - 2.0 * MARGIN, self.height - 2.0 * MARGIN);
        let _ = writeln!(
            svg,
            "<rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{w}\" height=\"{h}\" rx=\"8\" fill=\"#c9a063\"/>"
        );
        let side = points().count().isqrt();
        let corner = |spot: Option<&Spot>| spot.map_or((0.0, 0.0), |spot| self.centre(spot));
        let (x0, y0) = corner(points().next());
        let (x1, y1) = corner(points().next_back());
        let _ = write!(svg, "<path stroke=\"#8a6a3a\" stroke-width=\"1.5\" d=\"");
        for line in 0..side {
            let (x, y) = (x0 + line as f64 * CELL, y0 - line as f64 * CELL);
            let _ = write!(svg, "M{x0} {y}H{x1}M{x} {y0}V{y1}");
        }
        svg.push_str("\"/>\n");
    }

    fn ground(&self, svg: &mut String, spot: &Spot, is_last: bool) {
        let (x, y) = self.centre(spot);
        let square = |svg: &mut String, fill: &str, inset: f64| {
            let (left, top, size) = (x - HALF + inset, y - HALF + inset, CELL - 2.0 * inset);
            let _ = writeln!(
                svg,
                "<rect x=\"{left}\" y=\"{top}\" width=\"{size}\" height=\"{size}\" fill=\"{fill}\"/>"
            );
        };
        match spot.ground {
            Ground::Column => {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"7\" rx=\"2\" fill=\"#8d7f6c\"/>",
                    x - HALF + 2.0,
                    CELL - 4.0
                );
            }
            Ground::Dark => square(svg, "#8a7a5c", 0.0),
            Ground::Light => square(svg, "#e6d9bd", 0.0),
            Ground::Point => match spot.owner {
                Some(Side::First) => square(svg, "#00000055", 0.0),
                Some(Side::Second) => square(svg, "#ffffff88", 0.0),
                None => {}
            },
            Ground::Ring => {}
            Ground::Square => square(svg, "#6f8f72", 1.0),
            Ground::Track => disc(svg, (x, y), 9.0, "#b9a888", "none"),
            Ground::Base => disc(svg, (x, y), 17.0, "#a37442", "#6d4a24"),
            Ground::Hex => hexagon(svg, (x, y), HALF * 1.12, "#d9bd8b", "#8a6a3a"),
        }
        if is_last {
            match spot.ground {
                Ground::Hex => hexagon(svg, (x, y), HALF, "#5d86ab66", "none"),
                Ground::Column => {
                    let _ = writeln!(
                        svg,
                        "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"7\" rx=\"2\" fill=\"#2f6fae\"/>",
                        x - HALF + 2.0,
                        CELL - 4.0
                    );
                }
                _ => square(svg, "#5d86ab66", 3.0),
            }
        }
    }

    fn piece(&self, svg: &mut String, spot: &Spot) {
        let (x, y) = self.centre(spot);
        let Some(piece) = &spot.piece else { return };
        match *piece {
            Piece::Checkers(ref checkers) => {
                for (level, &side) in checkers.iter().enumerate() {
                    self.side_checker(svg, x, y - (level as f64 + 1.0) * CHECKER, side);
                }
            }
            Piece::Single(side) => {
                let (fill, stroke) = self.colours(side);
                flat_checker(svg, (x, y), fill, stroke);
            }
            Piece::Double(side) => {
                let (fill, stroke) = self.colours(side);
                flat_checker(svg, (x, y + 5.0), fill, stroke);
                flat_checker(svg, (x, y - 5.0), fill, stroke);
                crown(svg, (x, y - 5.0), stroke);
            }
            Piece::Stone(side) => {
                let (fill, stroke) = self.colours(side);
                let radius = match spot.ground {
                    Ground::Ring => 12.0,
                    Ground::Hex => 20.0,
                    _ => 25.0,
                };
                disc(svg, (x, y), radius, fill, stroke);
            }
            Piece::Stack { owner, height } => {
                let (fill, stroke) = self.colours(owner);
                let lift = 5.0;
                let foot = y + lift * (f64::from(height) - 1.0) / 2.0;
                for level in 0..height {
                    disc(svg, (x, foot - f64::from(level) * lift), 21.0, fill, stroke);
                }
                let top = foot - f64::from(height - 1) * lift;
                text(svg, (x, top + 7.0), 20, stroke, &height.to_string());
            }
            Piece::Pawn(side) => {
                let (fill, stroke) = self.colours(side);
                let _ = writeln!(
                    svg,
                    "<path d=\"M{} {}q15 -10 8 -22a9 9 0 1 1 14 0q-7 12 8 22z\" fill=\"{fill}\" \
                     stroke=\"{stroke}\" stroke-width=\"2\"/>",
                    x - 15.0,
                    y + 18.0
                );
            }
            Piece::Tower(owner) => {
                let _ = writeln!(
                    svg,
                    "<path d=\"M{} {}v-34h8v7h7v-7h8v7h7v-7h8v34z\" fill=\"#8d6f5e\" \
                     stroke=\"#4d3a30\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
                    x - 19.0,
                    y + 18.0
                );
                if let Some(side) = owner {
                    let (fill, stroke) = self.colours(side);
                    disc(svg, (x, y + 4.0), 11.0, fill, stroke);
                }
            }
        }
    }

    /// A checker seen from the side. Those of the second player carry a stripe, so that colour is not needed.
    fn side_checker(&self, svg: &mut String, x: f64, y: f64, side: Side) {
        let (fill, stroke) = self.colours(side);
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"7\" fill=\"{fill}\" \
             stroke=\"{stroke}\" stroke-width=\"1.5\"/>",
            x - HALF + 6.0,
            y + 1.0,
            CELL - 12.0,
            CHECKER - 2.0
        );
        if side == Side::Second {
            let _ = writeln!(
                svg,
                "<path d=\"M{} {}h{}\" stroke=\"#dbe7fa\" stroke-width=\"3\" stroke-linecap=\"round\"/>",
                x - HALF + 15.0,
                y + CHECKER / 2.0,
                CELL - 30.0
            );
        }
    }

    /// Names of files below and of ranks on the left.
    fn labels(&self, svg: &mut String, view: &View) {
        let named = || view.spots.iter().filter(|spot| !spot.name.is_empty());
        let mut seen = std::collections::BTreeSet::new();
        for spot in named() {
            let (x, y) = self.centre(spot);
            let (letter, number) = spot.name.split_at(1);
            if self.kind == Ground::Hex {
                if number == "1" {
                    text(svg, (x - CELL * 0.85, y + 5.0), 15, "#6b5d4a", letter);
                }
                if spot.piece.is_none() {
                    text(svg, (x, y + 5.0), 13, "#a78a58", number);
                }
                continue;
            }
            if seen.insert(letter.to_owned()) {
                text(svg, (x, self.height - 10.0), 15, "#6b5d4a", letter);
            }
            if !number.is_empty() && seen.insert(number.to_owned()) {
                text(svg, (MARGIN / 2.0, y + 5.0), 15, "#6b5d4a", number);
            }
        }
    }
}

fn disc(svg: &mut String, (x, y): (f64, f64), radius: f64, fill: &str, stroke: &str) {
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>"
    );
}

fn flat_checker(svg: &mut String, at: (f64, f64), fill: &str, stroke: &str) {
    disc(svg, at, 21.0, fill, stroke);
    disc(svg, at, 15.0, "none", stroke);
}

fn crown(svg: &mut String, (x, y): (f64, f64), stroke: &str) {
    let _ = writeln!(
        svg,
        "<path d=\"M{} {}l-2 -13l6 6l5 -9l5 9l6 -6l-2 13z\" fill=\"{stroke}\"/>",
        x - 9.0,
        y + 7.0
    );
}

fn hexagon(svg: &mut String, (x, y): (f64, f64), radius: f64, fill: &str, stroke: &str) {
    let (w, h) = (radius * 0.866, radius / 2.0);
    let _ = writeln!(
        svg,
        "<path d=\"M{x:.1} {:.1}l{w:.1} {h:.1}v{radius:.1}l-{w:.1} {h:.1}l-{w:.1} -{h:.1}v-{radius:.1}z\" \
         fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.5\"/>",
        y - radius
    );
}

fn text(svg: &mut String, (x, y): (f64, f64), size: u8, fill: &str, text: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\">{text}</text>"
    );
}
