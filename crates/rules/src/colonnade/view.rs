//! The row seen from the side.

use super::{Position, Square};
use crate::Side;
use crate::view::{Counted, Ground, Piece, Show, Spot, View};

impl Show for Position {
    fn view(&self) -> View {
        let mut counts = [0, 0];
        let spots = Square::all()
            .map(|square| {
                let colours: Vec<Side> = self.stack(square).colours().collect();
                for colour in &colours {
                    counts[colour.index()] += 1;
                }
                Spot {
                    cell: square.index() as u16,
                    name: square.letter().to_string(),
                    x: 2 * square.index() as i16 + 1,
                    y: 1,
                    ground: Ground::Column,
                    piece: (!colours.is_empty()).then_some(Piece::Checkers(colours)),
                    owner: None,
                }
            })
            .collect();
        View {
            spots,
            counts,
            counted: Counted::Checkers,
            supply: None,
            stall: None,
            decided: Vec::new(),
        }
    }
}
