//! How cells, pieces and marks look in characters.
//!
//! With colours, a checker is a block of its colour with its letter on it. Without, letters and
//! shapes tell the sides apart: a filled disc is the first player's stone, a hollow one the
//! second's.

use stoa_rules::view::{Ground, Piece, Spot};
use stoa_rules::{Game, Side};

use crate::board::Charset;
use crate::canvas::{Area, Canvas, Style};
use crate::looks::{self, SideColour};

/// The colours of the terminal palette that boards use.
mod palette {
    pub(super) const RED: u8 = 160;
    pub(super) const BLUE: u8 = 27;
    pub(super) const BLACK: u8 = 233;
    pub(super) const WHITE: u8 = 255;
    pub(super) const DARK_SQUARE: u8 = 101;
    pub(super) const LIGHT_SQUARE: u8 = 187;
    pub(super) const WOOD: u8 = 179;
    pub(super) const WOOD_OF_FIRST: u8 = 136;
    pub(super) const WOOD_OF_SECOND: u8 = 223;
    pub(super) const WOOD_EDGE: u8 = 137;
    pub(super) const FELT: [u8; 2] = [65, 71];
    pub(super) const TRACK: u8 = 240;
    pub(super) const BASE: u8 = 94;
    pub(super) const HEX: [u8; 3] = [180, 179, 186];
    pub(super) const TOWER: u8 = 95;
    pub(super) const FAINT: u8 = 239;
    pub(super) const LAST: u8 = 67;
    pub(super) const TARGET: u8 = 46;
    pub(super) const SELECTED: u8 = 178;
    pub(super) const ADVISED: u8 = 45;
    pub(super) const CURSOR: u8 = 207;
}

/// The background of a cell.
pub(super) fn ground(spot: &Spot, charset: Charset) -> Style {
    if charset != Charset::Colour {
        return Style::default();
    }
    let colour = match (spot.ground, spot.owner) {
        (Ground::Column, _) => return Style::default(),
        (Ground::Dark, _) => palette::DARK_SQUARE,
        (Ground::Light, _) => palette::LIGHT_SQUARE,
        (Ground::Point, Some(Side::First)) => palette::WOOD_OF_FIRST,
        (Ground::Point, Some(Side::Second)) => palette::WOOD_OF_SECOND,
        (Ground::Point, None) => palette::WOOD,
        (Ground::Ring, _) => palette::WOOD_EDGE,
        (Ground::Square, _) => palette::FELT[usize::from((spot.x + spot.y) % 4 == 0)],
        (Ground::Track, _) => palette::TRACK,
        (Ground::Base, _) => palette::BASE,
        (Ground::Hex, _) => {
            // Three shades, so that no two hexagons next to each other have the same.
            let row = spot.y / 2;
            let slanted = (spot.x - row) / 2;
            palette::HEX[(slanted - row).rem_euclid(3) as usize]
        }
    };
    Style::bg(colour)
}

/// The colour and letter of a player's pieces.
fn colours(game: Game, side: Side) -> (Style, char) {
    const fn block(fg: u8, bg: u8) -> Style {
        Style { fg: Some(fg), bg: Some(bg), bold: true, underline: false, reversed: false }
    }
    match looks::of(game).colours[side.index()] {
        SideColour::Red => (block(palette::WHITE, palette::RED), 'r'),
        SideColour::Blue => (block(palette::WHITE, palette::BLUE), 'b'),
        SideColour::White => (block(palette::BLACK, palette::WHITE), 'w'),
        SideColour::Black => (block(palette::WHITE, palette::BLACK), 'b'),
    }
}

/// Draws text in the middle of a line of the area.
fn centred(canvas: &mut Canvas, area: Area, line: usize, text: &str, style: Style) {
    let width = text.chars().count();
    let x = area.x + area.width.saturating_sub(width) / 2;
    canvas.text(x, area.y + line.min(area.height - 1), text, style);
}

/// Draws a block of a player's colour, as wide as the cell allows, with text on it.
fn block(canvas: &mut Canvas, area: Area, line: usize, text: &str, style: Style, charset: Charset) {
    if charset == Charset::Colour && area.width >= 4 {
        centred(canvas, area, line, &format!("{text:^width$}", width = area.width - 2), style);
    } else {
        let plain = Style { fg: None, bg: None, ..style };
        let style = if charset == Charset::Colour { style } else { plain };
        centred(canvas, area, line, text, style);
    }
}

/// Draws a stack of checkers rising from the bottom of the area.
pub(super) fn column(game: Game, canvas: &mut Canvas, area: Area, spot: &Spot, charset: Charset) {
    if spot.checkers().is_empty() {
        let floor = if charset == Charset::Ascii { "__" } else { "▁▁" };
        centred(canvas, area, area.height - 1, floor, faint(charset));
    }
    for (level, &side) in spot.checkers().iter().enumerate() {
        let (style, letter) = colours(game, side);
        let line = area.height - 1 - level;
        let text = match charset {
            Charset::Colour => letter.to_string(),
            // Filled and hollow, so that the colours differ without colour.
            _ if side == Side::First => format!("[{letter}]"),
            _ => format!("({letter})"),
        };
        block(canvas, area, line, &text, style, charset);
    }
}

fn faint(charset: Charset) -> Style {
    if charset == Charset::Colour { Style::fg(palette::FAINT) } else { Style::default() }
}

/// Draws what stands on a cell, or what shows that it is empty.
pub(super) fn piece(game: Game, canvas: &mut Canvas, area: Area, spot: &Spot, charset: Charset) {
    let Some(piece) = &spot.piece else {
        return empty(canvas, area, spot, charset);
    };
    let middle = area.height / 2;
    match *piece {
        Piece::Checkers(_) => {}
        Piece::Single(side) => {
            let (style, letter) = colours(game, side);
            block(canvas, area, middle, &letter.to_string(), style, charset);
        }
        Piece::Double(side) => {
            let (style, letter) = colours(game, side);
            if area.height == 1 || charset != Charset::Colour {
                let double = letter.to_ascii_uppercase().to_string();
                block(canvas, area, middle, &double, style, charset);
            } else {
                block(canvas, area, middle - 1, &letter.to_string(), style, charset);
                let lower = Style { underline: true, ..style };
                block(canvas, area, middle, &letter.to_string(), lower, charset);
            }
        }
        Piece::Stone(side) => stone(game, canvas, area, spot, side, charset),
        Piece::Stack { owner, height } => {
            let (style, letter) = colours(game, owner);
            block(canvas, area, 0, &format!("{letter}{height}"), style, charset);
            if area.height > 1 {
                let pip = if charset == Charset::Ascii { "=" } else { "▪" };
                let pips = pip.repeat(usize::from(height));
                block(canvas, area, 1, &pips, style, charset);
            }
        }
        Piece::Pawn(side) => {
            let (style, letter) = colours(game, side);
            let pawn = match charset {
                Charset::Ascii => format!("({letter})"),
                _ if side == Side::First => format!("♟{letter}"),
                _ => format!("♙{letter}"),
            };
            block(canvas, area, middle, &pawn, style, charset);
        }
        Piece::Tower(owner) => {
            let frame = if charset == Charset::Colour {
                Style { fg: Some(palette::WHITE), bg: Some(palette::TOWER), ..Style::default() }
            } else {
                Style::default()
            };
            let frame = frame.bold();
            let width = area.width.min(4);
            centred(canvas, area, middle, &format!("[{:width$}]", "", width = width - 2), frame);
            if let Some(side) = owner {
                let (style, letter) = colours(game, side);
                let style =
                    if charset == Charset::Colour { style } else { Style::default().bold() };
                let text = letter.to_string().repeat(width - 2);
                centred(canvas, area, middle, &text, style);
            }
        }
    }
}

fn stone(game: Game, canvas: &mut Canvas, area: Area, spot: &Spot, side: Side, charset: Charset) {
    let (style, letter) = colours(game, side);
    let owned = spot.owner == Some(side);
    match charset {
        Charset::Colour if spot.ground == Ground::Hex => {
            block(canvas, area, area.height / 2, &letter.to_string(), style, charset);
        }
        Charset::Colour => {
            let disc = if spot.ground == Ground::Ring { "•" } else { "●" };
            centred(
                canvas,
                area,
                area.height / 2,
                disc,
                Style { fg: style.bg, ..Style::default() },
            );
        }
        Charset::Mono => {
            let disc = match (side, spot.ground, owned) {
                (Side::First, Ground::Ring, _) => "•",
                (Side::Second, Ground::Ring, _) => "◦",
                (Side::First, _, false) => "●",
                (Side::Second, _, false) => "○",
                (Side::First, _, true) => "◆",
                (Side::Second, _, true) => "◇",
            };
            centred(canvas, area, area.height / 2, disc, Style::default());
        }
        Charset::Ascii => {
            let letter = if owned { letter.to_ascii_uppercase() } else { letter };
            centred(canvas, area, area.height / 2, &letter.to_string(), Style::default());
        }
    }
}

fn empty(canvas: &mut Canvas, area: Area, spot: &Spot, charset: Charset) {
    let number: String = spot.name.chars().skip(1).collect();
    let text = match (spot.ground, charset) {
        (Ground::Light | Ground::Ring | Ground::Column, _) => return,
        (Ground::Dark, Charset::Colour) | (Ground::Square, Charset::Colour) => return,
        (Ground::Dark | Ground::Square, _) => ".",
        (Ground::Track, Charset::Ascii) => "+",
        (Ground::Track, _) => "·",
        (Ground::Base, Charset::Ascii) => "#",
        (Ground::Base, _) => "◆",
        (Ground::Hex, _) => &number,
        // Black plays on the points marked one way, White on the others.
        (Ground::Point, charset) => match (spot.owner, (spot.x + spot.y) % 4 == 0, charset) {
            (Some(Side::First), _, Charset::Ascii) => "#",
            (Some(Side::Second), _, Charset::Ascii) => "=",
            (Some(Side::First), _, Charset::Mono) => "▪",
            (Some(Side::Second), _, Charset::Mono) => "▫",
            (_, false, Charset::Ascii) => ".",
            (_, true, Charset::Ascii) => ",",
            (_, false, _) => "+",
            (_, true, _) => "·",
        },
    };
    centred(canvas, area, area.height / 2, text, faint(charset));
}

/// A cell that the last move changed.
pub(super) fn mark_last(canvas: &mut Canvas, area: Area, charset: Charset) {
    if charset == Charset::Colour {
        edges(canvas, area, Style::bg(palette::LAST));
    } else {
        bracket(canvas, area, "'", "'");
    }
}

/// A cell that may be clicked next.
pub(super) fn mark_target(canvas: &mut Canvas, area: Area, charset: Charset) {
    if charset == Charset::Colour {
        edges(canvas, area, Style::bg(palette::TARGET));
    } else {
        bracket(canvas, area, "*", "*");
    }
}

/// A cell that has been clicked.
pub(super) fn mark_selected(canvas: &mut Canvas, area: Area, charset: Charset) {
    if charset == Charset::Colour {
        edges(canvas, area, Style::bg(palette::SELECTED));
    } else {
        bracket(canvas, area, "<", ">");
    }
}

/// The cell where the keyboard is.
pub(super) fn mark_cursor(canvas: &mut Canvas, area: Area, charset: Charset) {
    if charset == Charset::Colour {
        edges(canvas, area, Style::bg(palette::CURSOR));
    } else {
        let style = Style { reversed: true, ..Style::default() };
        canvas.paint(area, style);
    }
}

/// A cell that is clicked for a recommended move. If the keyboard is there too, both are seen.
pub(super) fn mark_advised(canvas: &mut Canvas, area: Area, charset: Charset, with_cursor: bool) {
    if charset != Charset::Colour && area.width < 4 {
        // A sign of its own beside the piece: other marks only underline here.
        canvas.text(area.x + area.width - 1, area.y + area.height / 2, "!", Style::default());
    } else if charset != Charset::Colour {
        bracket(canvas, area, "!", "!");
    } else if with_cursor {
        canvas.paint(Area { width: 1, ..area }, Style::bg(palette::ADVISED));
    } else {
        edges(canvas, area, Style::bg(palette::ADVISED));
    }
}

/// Colours the left and right edge of a cell; all of it if it is narrow.
fn edges(canvas: &mut Canvas, area: Area, style: Style) {
    if area.width < 4 {
        canvas.paint(Area { width: area.width, ..area }, style);
        return;
    }
    canvas.paint(Area { width: 1, ..area }, style);
    canvas.paint(Area { x: area.x + area.width - 1, width: 1, ..area }, style);
}

/// Puts characters at the left and right edge of a cell.
fn bracket(canvas: &mut Canvas, area: Area, left: &str, right: &str) {
    let line = area.y + area.height / 2;
    if area.width >= 4 {
        canvas.text(area.x, line, left, Style::default());
        canvas.text(area.x + area.width - 1, line, right, Style::default());
    } else {
        let style = Style { underline: true, ..Style::default() };
        canvas.paint(area, style.bold());
    }
}
