//! Why a move is not allowed.

use super::{Direction, Move, Position, Square};
use crate::Side;
use crate::objection::cites;

/// The rule that a move breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// There are fewer checkers than are to be picked up.
    #[error("{}", too_few(*.from, *.height))]
    TooFewCheckers {
        /// Where they are to be picked up.
        from: Square,
        /// How many there are.
        height: u8,
    },
    /// The lowest checker picked up is the opponent's.
    #[error("{}", not_own(*.from, *.carried))]
    NotOwnChecker {
        /// Where they are to be picked up.
        from: Square,
        /// How many.
        carried: u8,
    },
    /// There is no square in that direction.
    #[error("there is no square to the {} of {}", side_word(*.direction), .from.letter())]
    OffTheRow {
        /// The last square of the row.
        from: Square,
        /// The direction that leads off it.
        direction: Direction,
    },
    /// The neighbour is topped with the opponent's colour.
    #[error("the stack on {} is topped with the opponent's colour", .0.letter())]
    TargetNotOwn(Square),
    /// The bottom checker may not go to an empty square.
    #[error("the bottom checker of {} may not go down to an empty square", .0.letter())]
    BottomToEmpty(Square),
}

fn too_few(from: Square, height: u8) -> String {
    match height {
        0 => format!("{} is empty", from.letter()),
        1 => format!("{} holds only one checker", from.letter()),
        _ => format!("{} holds only {height} checkers", from.letter()),
    }
}

fn not_own(from: Square, carried: u8) -> String {
    let from = from.letter();
    match carried {
        1 => format!("the top checker of {from} is the opponent's"),
        _ => format!("the lowest of the top {carried} checkers of {from} is the opponent's"),
    }
}

const fn side_word(direction: Direction) -> &'static str {
    match direction {
        Direction::Left => "left",
        Direction::Right => "right",
    }
}

cites!(Violation {
    Violation::TooFewCheckers { from, height } => Clause(2) "too-few-checkers"
        { from = from.letter(), height }
    Violation::NotOwnChecker { from, carried } => Clause(2) "not-own-checker"
        { from = from.letter(), carried }
    Violation::OffTheRow { from, direction } => Clause(3) "off-the-row"
        { from = from.letter(), direction = side_word(*direction) }
    Violation::TargetNotOwn(to) => Clause(3) "target-not-own" { to = to.letter() }
    Violation::BottomToEmpty(from) => Clause(5) "bottom-to-empty" { from = from.letter() }
});

impl Position {
    pub(super) fn find_violation(&self, mv: Move) -> Option<Violation> {
        let Move { from, carried, direction } = mv;
        let stack = self.stack(from);
        if carried > stack.height() {
            return Some(Violation::TooFewCheckers { from, height: stack.height() });
        }
        let lowest: Option<Side> = stack.colours().nth(usize::from(stack.height() - carried));
        if lowest != Some(self.side) {
            return Some(Violation::NotOwnChecker { from, carried });
        }
        let Some(to) = from.neighbour(direction) else {
            return Some(Violation::OffTheRow { from, direction });
        };
        match self.stack(to).top() {
            None if carried == stack.height() => Some(Violation::BottomToEmpty(from)),
            Some(top) if top != self.side => Some(Violation::TargetNotOwn(to)),
            _ => None,
        }
    }
}
