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
        let size = self.size();
        for (plane, side) in [viewer, viewer.other()].into_iter().enumerate() {
            let mut canvas = Canvas::new(planes, Self::board(size));
            for point in self.stones(side).iter() {
                canvas.set(plane, usize::from(point.rank()), usize::from(point.file()));
            }
        }
        // The board has an odd number of columns, so the colours alternate from one rank to the next,
        // too: they are the even and the odd actions.
        let cells = Self::actions(size);
        let colours = planes[2 * cells..][..cells].iter_mut();
        colours.skip(viewer.index()).step_by(2).for_each(|cell| *cell = 1.0);
        if self.score() == [0; 2] {
            return;
        }
        let owner = self.owners();
        let mut cell = 3 * cells;
        size.points().for_each(|point| {
            if let Some(owner) = owner(point) {
                planes[cell + usize::from(owner != viewer) * cells] = 1.0;
            }
            cell += 1;
        });
    }
}
