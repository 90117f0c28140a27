//! Moves, and how they are found and counted.

use super::board::{Edge, INNER};
use super::ring::reach;
use super::{Point, Position, Space};
use crate::Side;
use crate::bits::Bits;
use crate::sink::Sink;

/// A whole turn: where the pawn goes, and what is done then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Nothing is done, because there is no valid turn (clause 5).
    Pass,
    /// A new piece is dropped on an empty space or a stack (clause 3).
    Drop {
        /// The pawn's new point.
        pawn: Point,
        /// Where the piece is dropped.
        on: Space,
    },
    /// A stack moves (clause 3).
    MoveStack {
        /// The pawn's new point.
        pawn: Point,
        /// Where the stack stood.
        from: Space,
        /// Where it goes.
        to: Space,
    },
}

impl Position {
    /// Every legal move.
    #[inline]
    pub(super) fn generate_into(&self, moves: &mut Vec<Move>) {
        if self.is_decided() {
            return;
        }
        let before = moves.len();
        self.turns_into(moves);
        if moves.len() == before && self.count_turns(self.side.other()) > 0 {
            moves.push(Move::Pass);
        }
    }

    /// The number of legal moves.
    #[inline]
    pub(super) fn count(&self) -> usize {
        if self.is_decided() {
            return 0;
        }
        match self.count_turns(self.side) {
            // Clause 5: a pass, unless that makes two of them.
            0 => usize::from(self.count_turns(self.side.other()) > 0),
            turns => turns,
        }
    }

    /// The move at a place in the list of [`generate_into`](Position::generate_into).
    #[inline]
    pub(super) fn nth(&self, mut index: usize) -> Option<Move> {
        if self.is_decided() {
            return None;
        }
        let first = index == 0;
        let reach = self.reach(self.side);
        for edge in Edge::ALL {
            let points = reach & edge.points();
            if points == 0 {
                continue;
            }
            let drops = self.drops(edge);
            for pawn in Bits(points.into()).map(Point::wrapped) {
                let spaces = drops & pawn.line();
                let count = spaces.count_ones() as usize;
                if index < count {
                    let on = Space::from_bit(Bits(spaces).nth(index)?);
                    return Some(Move::Drop { pawn, on });
                }
                index -= count;
            }
        }
        let points = reach.count_ones() as usize;
        for (height, targets) in (1..).zip(self.stack_moves(self.side)) {
            for (direction, targets) in Edge::ALL.into_iter().zip(targets) {
                let count = points * targets.count_ones() as usize;
                if index < count {
                    let target = Bits(targets).nth(index / points)?;
                    let pawn = Point::wrapped(Bits(reach.into()).nth(index % points)?);
                    let (from, to) = ends(target, height, direction);
                    return Some(Move::MoveStack { pawn, from, to });
                }
                index -= count;
            }
        }
        // Nothing was passed on the way: there is no turn at all.
        (first && self.count() == 1).then_some(Move::Pass)
    }

    /// Every valid turn of the player to move (clause 3).
    #[inline]
    fn turns_into(&self, moves: &mut Vec<Move>) {
        let side = self.side;
        let reach = self.reach(side);
        let mut points = [Point::A1; 32];
        let mut count = 0;
        for index in Bits(reach.into()) {
            points[count] = Point::wrapped(index);
            count += 1;
        }
        let points = &points[..count];
        for edge in Edge::ALL {
            if reach & edge.points() != 0 {
                let drops = self.drops(edge);
                for pawn in Bits((reach & edge.points()).into()).map(Point::wrapped) {
                    moves.push_each(drops & pawn.line(), |space| Move::Drop {
                        pawn,
                        on: Space::from_bit(space),
                    });
                }
            }
        }
        // A stack need not be in sight: each of its moves goes with every point.
        for (height, targets) in (1..).zip(self.stack_moves(side)) {
            for (direction, targets) in Edge::ALL.into_iter().zip(targets) {
                for target in Bits(targets) {
                    let (from, to) = ends(target, height, direction);
                    moves.extend(points.iter().map(|&pawn| Move::MoveStack { pawn, from, to }));
                }
            }
        }
    }

    /// The number of valid turns that a player has, or would have if it were their turn.
    #[inline]
    pub(super) fn count_turns(&self, side: Side) -> usize {
        let reach = self.reach(side);
        let own = self.pawns[side.index()];
        let mut turns = self.stack_move_count(side) * reach.count_ones();
        for edge in Edge::ALL {
            // The pawn may go to all points of an edge or to none, except that it must move (R1).
            if reach & edge.points() != 0 {
                let stays = if own.edge() == edge { own.line() } else { 0 };
                turns += (self.drops(edge) & !stays).count_ones();
            }
        }
        turns as usize
    }

    /// Whether a player has a valid turn, or would have one if it were their turn.
    #[inline]
    pub(super) fn has_turn(&self, side: Side) -> bool {
        // Almost always there is something to drop, which is found sooner than moves of stacks.
        self.droppable(side) != 0 || self.count_turns(side) != 0
    }

    /// The points that a player's pawn may move to, as bits.
    #[inline]
    pub(super) fn reach(&self, side: Side) -> u32 {
        reach(self.rules, self.pawns[side.index()], self.pawns[side.other().index()])
    }

    /// The spaces on which a piece may be dropped from a point of an edge, as bits, for all points
    /// of the edge together.
    #[inline]
    pub(super) fn drops(&self, edge: Edge) -> u64 {
        let [one, two, three, four] = self.at_least();
        let behind_one = edge.behind(one);
        let empty = INNER & !one & !behind_one;
        // A stack of three, say, has only lower ones before it if it is the first of at least
        // three; should that one be a four, there is no such stack of three.
        let first = one & !behind_one | two & !edge.behind(two) | three & !edge.behind(three);
        empty | first & !four
    }

    /// Where a player's stacks of one, two and three come to in each direction, as bits: as many
    /// spaces further as they are high, over empty spaces to an empty one.
    #[inline]
    pub(super) fn stack_moves(&self, side: Side) -> [[u64; 4]; 3] {
        let empty = INNER & !self.occupied();
        [1, 2, 3].map(|height| {
            let stacks = self.owned[side.index()] & self.of_height(height);
            Edge::ALL.map(|direction| {
                (0..height).fold(stacks, |spaces, _| direction.away(spaces) & empty)
            })
        })
    }
}

/// Where a stack of some height stood and where it goes, given the bit of its target.
#[inline]
fn ends(target: u8, height: u8, direction: Edge) -> (Space, Space) {
    let distance = height as i8 * direction.step();
    (Space::from_bit(target.wrapping_add_signed(-distance)), Space::from_bit(target))
}
