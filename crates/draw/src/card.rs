//! A card: a board with words beside it, as other sites show a link. It is a PNG picture in the page's
//! colours and type.
//!
//! ```
//! use stoa_draw::card::{self, Card};
//!
//! let start = stoa_rules::Game::Impasse.start();
//! let card = Card { position: Some(&start), title: "Impasse", lines: &["by Mark Steere, 2003"], players: None };
//! assert!(card::draw(&card)?.starts_with(b"\x89PNG"));
//! # Ok::<(), stoa_draw::PictureError>(())
//! ```

use stoa_rules::AnyPosition;

use crate::raster::{Font, PictureError, Raster};
use crate::shapes::{Colour, Paint, Shape, polygon};
use crate::{Marks, diagram, looks};

/// The width of a card in pixels.
pub const WIDTH: u32 = 1200;
/// The height of a card in pixels.
pub const HEIGHT: u32 = 630;

/// Where the board is: a square of this size, this far from the edges.
const BOARD: f64 = 550.0;
const MARGIN: f64 = 40.0;
/// Where the words begin, and how wide they may be.
const TEXT_LEFT: f64 = MARGIN + BOARD + 50.0;
const TEXT_WIDTH: f64 = WIDTH as f64 - TEXT_LEFT - MARGIN;

// The page's colours.
const PAPER: Colour = "#faf7f1";
const CARD: Colour = "#f4ede0";
const INK: Colour = "#26221c";
const SOFT: Colour = "#5b5348";
const ACCENT: Colour = "#1f5c6b";

/// What is on a card.
#[derive(Debug, Clone, Copy)]
pub struct Card<'a> {
    /// The board.
    pub position: Option<&'a AnyPosition>,
    /// In large letters: the name of the game.
    pub title: &'a str,
    /// Lines below the title.
    pub lines: &'a [&'a str],
    /// The names of the players, first and second.
    pub players: Option<[&'a str; 2]>,
}

/// Draws a card as a PNG picture. A name in letters that the font lacks is left to the page: the card
/// names the player's side instead.
pub fn draw(card: &Card<'_>) -> Result<Vec<u8>, PictureError> {
    let (text, display) = (Font::text()?, Font::display()?);
    let mut raster = Raster::new(WIDTH, HEIGHT, PAPER)?;
    let frame = Shape::Rect {
        at: (MARGIN, MARGIN),
        size: (BOARD, BOARD),
        radius: 22.0,
        paint: Paint::fill(CARD),
    };
    raster.shapes(&[frame], (0.0, 0.0), 1.0, &text);
    if let Some(position) = card.position {
        let board = diagram::draw(position.game(), &position.view(), &Marks::default());
        let scale = (BOARD / board.width).min(BOARD / board.height);
        let at = |size: f64| MARGIN + (BOARD - size * scale) / 2.0;
        raster.shapes(&board.shapes, (at(board.width), at(board.height)), scale, &text);
    }
    let mut y = 210.0;
    for size in [84.0, 72.0, 60.0] {
        if display.width(card.title, size) <= TEXT_WIDTH || size == 60.0 {
            let title = display.fitted(card.title, size, TEXT_WIDTH);
            raster.text(&title, &display, size, (TEXT_LEFT, y), INK);
            break;
        }
    }
    y += 58.0;
    for line in card.lines {
        for part in broken(line, &text) {
            raster.text(&part, &text, LINE, (TEXT_LEFT, y), SOFT);
            y += 42.0;
        }
    }
    if let (Some(players), Some(position)) = (card.players, card.position) {
        y += 24.0;
        let info = position.game().info();
        let colours = looks::of(position.game()).colours;
        for (index, name) in players.into_iter().enumerate() {
            let (fill, stroke) = colours[index].in_pictures();
            let name = if text.has(name) { name } else { info.sides[index] };
            let paint = Paint::fill(fill).outlined(stroke, 2.5);
            let piece = Shape::Circle { centre: (TEXT_LEFT + 17.0, y - 13.0), radius: 17.0, paint };
            raster.shapes(&[piece], (0.0, 0.0), 1.0, &text);
            let name = text.fitted(name, NAME, TEXT_WIDTH - 52.0);
            raster.text(&name, &text, NAME, (TEXT_LEFT + 52.0, y), INK);
            y += 58.0;
        }
    }
    sign(&mut raster, &display);
    raster.png()
}

/// The size of the lines, and of the players' names.
const LINE: f64 = 31.0;
const NAME: f64 = 38.0;
/// How many lines one text may be broken into.
const MAX_LINES: usize = 4;

/// A text as lines that fit beside the board. What the font lacks is left out.
fn broken(text: &str, font: &Font) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace().filter(|word| font.has(word)) {
        let longer = lines.last().map(|line| format!("{line} {word}"));
        match longer.filter(|line| font.width(line, LINE) <= TEXT_WIDTH) {
            Some(line) => {
                lines.pop();
                lines.push(line);
            }
            None if lines.len() == MAX_LINES => break,
            None => lines.push(font.fitted(word, LINE, TEXT_WIDTH)),
        }
    }
    lines
}

/// The temple and the name of the page, at the bottom.
fn sign(raster: &mut Raster, font: &Font) {
    let paint = Paint::fill(ACCENT);
    let column = |x: f64| Shape::Rect { at: (x, 27.0), size: (8.0, 23.0), radius: 0.0, paint };
    let base = Shape::Rect { at: (5.0, 53.0), size: (54.0, 5.0), radius: 0.0, paint };
    let roof = [(6.0, 20.0), (32.0, 7.0), (58.0, 20.0), (58.0, 24.0), (6.0, 24.0)];
    let temple = [polygon(&roof, paint), column(11.0), column(28.0), column(45.0), base];
    let top = f64::from(HEIGHT) - MARGIN - 52.0;
    raster.shapes(&temple, (TEXT_LEFT - 4.0, top), 0.86, font);
    raster.text("Stoa", font, 46.0, (TEXT_LEFT + 62.0, top + 48.0), ACCENT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_rules::Game;

    fn png(card: &Card<'_>) -> Vec<u8> {
        let file = draw(card).expect("a card");
        let decoder = png::Decoder::new(std::io::Cursor::new(&file));
        let mut reader = decoder.read_info().expect("a PNG");
        assert_eq!((reader.info().width, reader.info().height), (WIDTH, HEIGHT));
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("all of it");
        pixels
    }

    fn card<'a>(position: &'a AnyPosition, players: [&'a str; 2]) -> Card<'a> {
        Card {
            position: Some(position),
            title: "Impasse",
            lines: &["White to move"],
            players: Some(players),
        }
    }

    #[test]
    fn every_game_has_a_card() {
        for game in Game::ALL {
            let start = game.start();
            let pixels = png(&Card {
                position: Some(&start),
                title: game.info().name,
                lines: &[],
                players: None,
            });
            let empty =
                png(&Card { position: None, title: game.info().name, lines: &[], players: None });
            let changed = pixels.chunks(3).zip(empty.chunks(3)).filter(|(a, b)| a != b).count();
            assert!(changed > 20_000, "{game}: the board is there, {changed}");
        }
    }

    #[test]
    fn names_can_be_anything() {
        let start = Game::Impasse.start();
        let usual = png(&card(&start, ["White", "Black"]));
        // Letters that the font lacks: the side is named instead.
        assert_eq!(png(&card(&start, ["Владимир", "山田太郎"])), usual);
        for name in
            ["", "<script>", "\u{202e}evil", "a\u{301}", "Zoë Łukasz", &"W".repeat(500), "\0\n"]
        {
            png(&card(&start, [name, name]));
        }
        assert_ne!(png(&card(&start, ["Zoë", "Łukasz"])), usual);
    }
}
