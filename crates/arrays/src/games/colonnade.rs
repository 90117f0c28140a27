//! Colonnade. The second player sees the colours exchanged and the row as it is.

use stoa_rules::Side;
use stoa_rules::colonnade::{CHECKERS, Direction, Move, Position, SQUARES, Square};

use crate::Encode;
use crate::encode::Canvas;

/// How many checkers a move can carry.
const MAX_CARRIED: usize = CHECKERS as usize;

/// The planes before those of the heights.
const TOPS: usize = 2;

impl Encode for Position {
    const PLANES: &'static [&'static str] = &[
        "topped with an own checker",
        "topped with an opposing checker",
        "at least 1 checker",
        "at least 2 checkers",
        "at least 3 checkers",
        "at least 4 checkers",
        "at least 5 checkers",
        "at least 6 checkers",
        "at least 7 checkers",
        "at least 8 checkers",
        "at least 9 checkers",
        "at least 10 checkers",
        "at least 11 checkers",
        "at least 12 checkers",
        "at least 13 checkers",
        "at least 14 checkers",
        "at least 15 checkers",
        "at least 16 checkers",
        "at least 17 checkers",
        "at least 18 checkers",
        "at least 19 checkers",
        "at least 20 checkers",
        "at least 21 checkers",
        "at least 22 checkers",
        "at least 23 checkers",
        "at least 24 checkers",
    ];

    fn board((): ()) -> [usize; 2] {
        [1, SQUARES]
    }

    /// Square, direction (left, right), number of checkers carried less one.
    fn actions((): ()) -> usize {
        SQUARES * 2 * MAX_CARRIED
    }

    #[inline]
    fn action(&self, mv: Move) -> Option<usize> {
        let place = 2 * mv.from.index() + mv.direction as usize;
        Some(place * MAX_CARRIED + usize::from(mv.carried) - 1)
    }

    #[inline]
    fn move_of(&self, action: usize) -> Option<Move> {
        let (place, carried) = (action / MAX_CARRIED, action % MAX_CARRIED + 1);
        let from = Square::new(u8::try_from(place / 2).ok()?)?;
        Some(Move { from, carried: carried as u8, direction: Direction::BOTH[place % 2] })
    }

    fn observe(&self, viewer: Side, planes: &mut [f32]) {
        let mut canvas = Canvas::new(planes, Self::board(()));
        for square in Square::all() {
            let stack = self.stack(square);
            if let Some(top) = stack.top() {
                canvas.set(usize::from(top != viewer), 0, square.index());
            }
            for level in 0..usize::from(stack.height()).min(MAX_CARRIED) {
                canvas.set(TOPS + level, 0, square.index());
            }
        }
    }
}
