//! Palisade. Black and White have different points, so the players see the board as it is.

use stoa_rules::Side;
use stoa_rules::palisade::{Move, Point, Position, Size};

use crate::Encode;
use crate::encode::Canvas;

impl Encode for Position {
    const PLANES: &'static [&'static str] = &[
        "own stones",
        "opposing stones",
        "points of the own colour",
        "points that the player owns",
        "points that the opponent owns",
    ];

    fn board(size: Size) -> [usize; 2] {
        [usize::from(size.get()); 2]
    }

    /// The points, rank by rank from `a1`.
    fn actions(size: Size) -> usize {
        usize::from(size.get()).pow(2)
    }

    #[inline]
    fn action(&self, Move(point): Move) -> Option<usize> {
        Some(usize::from(point.rank()) * usize::from(self.size().get()) + usize::from(point.file()))
    }

    #[inline]
    fn move_of(&self, action: usize) -> Option<Move> {
        let size = usize::from(self.size().get());
        let (rank, file) = (u8::try_from(action / size).ok()?, (action % size) as u8);
        Point::new(file, rank).filter(|&point| self.size().holds(point)).map(Move)
    }

    fn observe(&self, viewer: Side, planes: &mut [f32]) {
        let mut canvas = Canvas::new(planes, Self::board(self.size()));
        let owner = self.owners();
        for point in self.size().points() {
            let (row, column) = (usize::from(point.rank()), usize::from(point.file()));
            if let Some(side) = self.at(point) {
                canvas.set(usize::from(side != viewer), row, column);
            }
            if point.colour() == viewer {
                canvas.set(2, row, column);
            }
            if let Some(owner) = owner(point) {
                canvas.set(3 + usize::from(owner != viewer), row, column);
            }
        }
    }
}
