//! Moves, and how they are found.

use super::board::{Direction, furthest_row, nearest_row};
use super::{Position, Square};
use crate::Side;
use crate::bits::Bits;
use crate::sink::{Counter, Generator, Sink, count_each};

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

impl Generator<Move> for Position {
    /// Every legal move.
    #[inline]
    fn generate_into(&self, sink: &mut impl Sink<Move>) {
        if self.is_over() {
            return;
        }
        if !self.basic_moves(sink) {
            self.removals(sink);
        }
    }

    #[inline]
    fn count(&self) -> usize {
        match self.count_basic_moves() {
            Some(count) if count > 0 && !self.is_over() => count,
            _ => count_each(self),
        }
    }
}

impl Position {
    /// Whether the player to move has a basic move (clause 2).
    pub(super) fn has_basic_move(&self) -> bool {
        self.basic_moves(&mut Counter::default())
    }

    /// How many basic moves a player has, or would have if it were their turn. While a single of
    /// theirs waits in the furthest row, moves that differ in their crown only are counted once.
    #[inline]
    pub fn mobility(&self, side: Side) -> u32 {
        let (singles, doubles) = (self.singles[side.index()], self.doubles[side.index()]);
        let empty = !self.occupied();
        let forward = Direction::forward(side).into_iter().map(|direction| {
            direction.slides(singles, empty).count_ones()
                + (direction.shift(singles) & doubles).count_ones()
        });
        let back = Direction::forward(side.other())
            .into_iter()
            .map(|direction| direction.slides(doubles, empty).count_ones());
        forward.chain(back).sum()
    }

    /// The number of basic moves, unless a single waits in the furthest row, which is rare.
    #[inline]
    fn count_basic_moves(&self) -> Option<usize> {
        let (singles, doubles) = (self.singles[self.side.index()], self.doubles[self.side.index()]);
        let (empty, furthest) = (!self.occupied(), furthest_row(self.side));
        if singles & furthest != 0 {
            return None;
        }
        // A single that comes to the furthest row is crowned with any of the others; the number of
        // singles stays the same until then.
        let crowns = singles.count_ones().saturating_sub(1).max(1);
        let with_crowns =
            |moves: u64| moves.count_ones() + (moves & furthest).count_ones() * (crowns - 1);
        let mut count = 0;
        for direction in Direction::forward(self.side) {
            count += with_crowns(direction.slides(singles, empty));
            count += with_crowns(direction.shift(singles) & doubles);
        }
        for direction in Direction::forward(self.side.other()) {
            count += direction.slides(doubles, empty).count_ones();
        }
        Some(count as usize)
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

        for direction in Direction::forward(side) {
            if sink.is_full() {
                return true;
            }
            let targets = direction.slides(singles, !occupied);
            found |= targets != 0;
            let crowning = if waiting { targets } else { targets & furthest };
            sink.push_each(targets & !crowning, |to| slide(to, direction, occupied, 0));
            for to in Bits(crowning) {
                let from = direction.origin(to, occupied);
                let to = Square::from_bit(to);
                let left = singles ^ from.bit() ^ to.bit();
                push_crowned(sink, Action::Slide { from, to }, false, left, furthest);
            }
        }
        for direction in Direction::forward(side.other()) {
            if sink.is_full() {
                return true;
            }
            let targets = direction.slides(doubles, !occupied);
            found |= targets != 0;
            if !waiting {
                sink.push_each(targets, |to| slide(to, direction, occupied, nearest));
                continue;
            }
            for to in Bits(targets) {
                let Move { action, bears_off, .. } = slide(to, direction, occupied, nearest);
                // Clause 3: a bear off leaves a single.
                push_crowned(sink, action, bears_off, singles | 1 << to & nearest, furthest);
            }
        }
        if sink.is_full() {
            return true;
        }
        for direction in Direction::forward(side) {
            for from in Bits(direction.shift(singles) & doubles).map(Square::from_bit) {
                found = true;
                let onto = Square::from_bit(from.index().wrapping_add_signed(-direction.step()));
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

/// The slide that ends on a square, and bears off if that is one of `bears_off_on`.
#[inline]
fn slide(to: u8, direction: Direction, occupied: u64, bears_off_on: u64) -> Move {
    let from = direction.origin(to, occupied);
    let to = Square::from_bit(to);
    let bears_off = to.bit() & bears_off_on != 0;
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
