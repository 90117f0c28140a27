//! Moves, and how they are found.

use super::board::{forward, furthest_row, nearest_row, one_forward, slide};
use super::{Position, Square};
use crate::Side;
use crate::bits::Bits;
use crate::sink::{Counter, Sink};

/// A whole turn: the basic move or removal, and what follows from it (R2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The basic move, or the removal when there is none.
    pub action: Action,
    /// Whether the top of a double that came to the nearest row is removed (clause 3).
    pub bears_off: bool,
    /// The crown that is due (clause 4).
    pub crown: Option<Crown>,
}

/// What a turn begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// A single moves forward, or a double backward (clause 2).
    Slide {
        /// Where it stood.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// The top of a double moves onto a single one row nearer (clause 2).
    Transpose {
        /// The double, which becomes a single.
        from: Square,
        /// The single, which becomes a double.
        onto: Square,
    },
    /// A checker is removed because there is no basic move (clause 5).
    Remove(Square),
}

/// A single is lifted and stacked on a single in the furthest row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crown {
    /// The single that is lifted.
    pub lifted: Square,
    /// The single that becomes a double.
    pub onto: Square,
}

impl Position {
    /// Every legal move.
    #[inline]
    pub(super) fn generate_into(&self, sink: &mut impl Sink<Move>) {
        if self.is_over() {
            return;
        }
        if !self.basic_moves(sink) {
            self.removals(sink);
        }
    }

    /// Whether the player to move has a basic move (clause 2).
    pub(super) fn has_basic_move(&self) -> bool {
        self.basic_moves(&mut Counter::default())
    }

    /// Clause 2. Returns whether there were any.
    #[inline]
    fn basic_moves(&self, sink: &mut impl Sink<Move>) -> bool {
        let side = self.side;
        let (singles, doubles) = (self.singles[side.index()], self.doubles[side.index()]);
        let occupied = self.occupied();
        let (nearest, furthest) = (nearest_row(side), furthest_row(side));
        // While a single waits in the furthest row, any new single may crown it.
        let waiting = singles & furthest != 0;
        let mut found = false;

        for from in Bits(singles).map(Square::from_bit) {
            for direction in forward(side) {
                let targets = slide(from, direction, occupied);
                found |= targets != 0;
                let crowning = if waiting { targets } else { targets & furthest };
                sink.push_each(targets & !crowning, |to| plain_slide(from, to, false));
                for to in Bits(crowning).map(Square::from_bit) {
                    let action = Action::Slide { from, to };
                    push_crowned(sink, action, false, singles ^ from.bit() ^ to.bit(), furthest);
                }
            }
        }
        for from in Bits(doubles).map(Square::from_bit) {
            for direction in forward(side.other()) {
                let targets = slide(from, direction, occupied);
                found |= targets != 0;
                let crowning = if waiting { targets } else { 0 };
                sink.push_each(targets & !crowning & !nearest, |to| plain_slide(from, to, false));
                sink.push_each(targets & !crowning & nearest, |to| plain_slide(from, to, true));
                for to in Bits(crowning).map(Square::from_bit) {
                    // Clause 3: a bear off leaves a single.
                    let left = to.bit() & nearest;
                    let action = Action::Slide { from, to };
                    push_crowned(sink, action, left != 0, singles | left, furthest);
                }
            }
        }
        for (ahead, distance) in one_forward(singles, side).into_iter().zip([7, 9]) {
            for from in Bits(ahead & doubles).map(Square::from_bit) {
                found = true;
                let onto = Square::from_bit(match side {
                    Side::First => from.index() - distance,
                    Side::Second => from.index() + distance,
                });
                // The double becomes a single, and the single a double unless it bears off.
                let bears_off = onto.bit() & nearest != 0;
                let left = if bears_off { singles } else { singles ^ onto.bit() };
                let action = Action::Transpose { from, onto };
                push_crowned(sink, action, bears_off, left | from.bit(), furthest);
            }
        }
        found
    }

    /// Clause 5.
    fn removals(&self, sink: &mut impl Sink<Move>) {
        let (singles, doubles) = (self.singles[self.side.index()], self.doubles[self.side.index()]);
        let furthest = furthest_row(self.side);
        for from in Bits(singles | doubles).map(Square::from_bit) {
            // A single goes; a double becomes one.
            push_crowned(sink, Action::Remove(from), false, singles ^ from.bit(), furthest);
        }
    }
}

#[inline]
fn plain_slide(from: Square, to: u8, bears_off: bool) -> Move {
    let to = Square::from_bit(to);
    Move { action: Action::Slide { from, to }, bears_off, crown: None }
}

/// Pushes the move with every crown that may follow it, given the mover's singles after the action
/// and the bear off (clause 4). At most one crown happens (R2), with any other single (R3).
#[inline]
fn push_crowned(
    sink: &mut impl Sink<Move>,
    action: Action,
    bears_off: bool,
    singles: u64,
    furthest: u64,
) {
    let to_crown = singles & furthest;
    if to_crown == 0 || singles.count_ones() < 2 {
        sink.push(Move { action, bears_off, crown: None });
        return;
    }
    for onto in Bits(to_crown).map(Square::from_bit) {
        sink.push_each(singles ^ onto.bit(), |lifted| Move {
            action,
            bears_off,
            crown: Some(Crown { lifted: Square::from_bit(lifted), onto }),
        });
    }
}
