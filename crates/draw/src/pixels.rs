//! A board as pixels, for programs that want to see it: recordings of games, networks that look at
//! pictures.

use stoa_rules::AnyPosition;

use crate::raster::{Font, PictureError, Raster};
use crate::shapes::Colour;
use crate::{Marks, diagram};

/// What a board lies on.
const PAPER: Colour = "#ffffff";

/// The largest picture, in pixels along its longer side.
pub const MAX_SIZE: u32 = 4096;

/// A picture of red, green and blue, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// How many pixels it is wide.
    pub width: u32,
    /// How many pixels it is high.
    pub height: u32,
    /// Three bytes a pixel.
    pub rgb: Vec<u8>,
}

/// Draws the board of a position, `size` pixels along its longer side.
pub fn draw(position: &AnyPosition, size: u32) -> Result<Pixels, PictureError> {
    if size > MAX_SIZE {
        return Err(PictureError::Size);
    }
    let board = diagram::draw(position.game(), &position.view(), &Marks::default());
    let scale = f64::from(size) / board.width.max(board.height);
    let [width, height] = [board.width, board.height].map(|side| (side * scale).round() as u32);
    let mut raster = Raster::new(width, height, PAPER)?;
    raster.shapes(&board.shapes, (0.0, 0.0), scale, &Font::text()?);
    Ok(Pixels { width, height, rgb: raster.rgb() })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use stoa_rules::Game;

    #[test]
    fn every_board_is_drawn_in_its_size() {
        for game in Game::variants() {
            let picture = draw(&game.start(), 200).unwrap();
            assert_eq!(picture.width.max(picture.height), 200, "{game}");
            assert_eq!(picture.rgb.len() as u32, 3 * picture.width * picture.height, "{game}");
            let colours: BTreeSet<&[u8]> = picture.rgb.chunks(3).collect();
            assert!(colours.len() > 3, "{game}");
        }
    }

    #[test]
    fn a_move_can_be_seen() {
        let start = Game::Impasse.start();
        let mut after = start.clone();
        after.play("d2-b4").unwrap();
        assert_ne!(draw(&start, 100).unwrap(), draw(&after, 100).unwrap());
    }

    #[test]
    fn sizes_without_a_picture_are_refused() {
        for size in [0, MAX_SIZE + 1, u32::MAX] {
            assert!(matches!(draw(&Game::Impasse.start(), size), Err(PictureError::Size)));
        }
    }
}
