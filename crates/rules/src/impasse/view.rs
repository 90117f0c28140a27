//! The chequered board.

use super::{Checkers, Position, Square};
use crate::Side;
use crate::view::{Counted, Ground, Piece, Show, Spot, View};

impl Show for Position {
    fn view(&self) -> View {
        let spots = (0..64)
            .map(|index| {
                let (file, rank) = (index % 8, index / 8);
                let square = Square::new(file, rank);
                Spot {
                    cell: index.into(),
                    name: format!("{}{}", (b'a' + file) as char, rank + 1),
                    x: 2 * i16::from(file) + 1,
                    y: 2 * i16::from(rank) + 1,
                    ground: if square.is_some() { Ground::Dark } else { Ground::Light },
                    piece: square.and_then(|square| self.at(square)).map(
                        |checkers| match checkers {
                            Checkers::Single(side) => Piece::Single(side),
                            Checkers::Double(side) => Piece::Double(side),
                        },
                    ),
                    owner: None,
                }
            })
            .collect();
        View {
            spots,
            counts: Side::BOTH.map(|side| self.checkers(side)),
            counted: Counted::Checkers,
            supply: None,
            stall: None,
            decided: Vec::new(),
        }
    }
}
