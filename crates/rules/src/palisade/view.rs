//! The grid, and the ring around it.

use super::{Position, Size};
use crate::Side;
use crate::view::{Counted, Ground, Piece, Show, Spot, View};

impl Show for Position {
    fn view(&self) -> View {
        let points = self.size.points().map(|point| Spot {
            cell: self.size.cell(point),
            name: point.to_string(),
            x: 2 * i16::from(point.file()) + 1,
            y: 2 * i16::from(point.rank()) + 1,
            ground: Ground::Point,
            piece: self.at(point).map(Piece::Stone),
            owner: self.owner(point),
        });
        let spots = points.chain(ring(self.size)).collect();
        View { spots, counts: self.score(), counted: Counted::Points, supply: None, stall: None }
    }
}

/// The stones of the ring (clause 1): around the board in pairs that face each other.
fn ring(size: Size) -> impl Iterator<Item = Spot> {
    let end = i16::from(size.get()) + 1;
    let places =
        (1..end).flat_map(move |along| [(along, 0), (along, end), (0, along), (end, along)]);
    places.zip(u16::from(size.get()).pow(2)..).map(|((x, y), cell)| Spot {
        cell,
        name: String::new(),
        x: 2 * x - 1,
        y: 2 * y - 1,
        ground: Ground::Ring,
        piece: Some(Piece::Stone(if (x + y) % 2 == 0 { Side::First } else { Side::Second })),
        owner: None,
    })
}
