//! What one more stone would do: for players who look ahead, such as an engine.
//!
//! All four points next to a point have the other colour. So the player who puts the last of the four
//! stones around a point closes a loop there, the smallest there is, whether the point is empty or
//! holds a stone. Nothing else takes a point from a player: a loop that is about to be closed can
//! only be prevented by closing one first.

use super::board::{UP_LEFT, UP_RIGHT, orthogonals};
use super::loops::Walls;
use super::points::Points;
use super::{Point, Position};
use crate::Side;

/// A set of points of one colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet {
    colour: Side,
    points: Points,
}

impl PointSet {
    /// How many points it has.
    #[inline]
    pub fn len(self) -> usize {
        self.points.count() as usize
    }

    /// Whether it has none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.points.is_empty()
    }

    /// Whether it has the point.
    #[inline]
    pub fn contains(self, point: Point) -> bool {
        point.colour() == self.colour && self.points.contains(point.slot())
    }

    /// The point at a place in the order of [`iter`](PointSet::iter), if there are that many.
    #[inline]
    pub fn nth(self, index: usize) -> Option<Point> {
        let mut before = index;
        for (first, mut word) in self.points.words() {
            let count = word.count_ones() as usize;
            if before < count {
                for _ in 0..before {
                    word &= word - 1;
                }
                return Some(Point::from_slot(first + word.trailing_zeros() as u8, self.colour));
            }
            before -= count;
        }
        None
    }

    /// Its points, always in the same order.
    pub fn iter(self) -> impl Iterator<Item = Point> {
        self.points.slots().map(move |slot| Point::from_slot(slot, self.colour))
    }
}

/// For every place of the colour that is not `owner`'s: whether there is a stone of `owner`'s to
/// its right, below, to its left and above.
#[inline]
fn beside(stones: Points, owner: Side) -> [Points; 4] {
    // As in `orthogonals`, but from the stone to the place.
    match owner {
        Side::First => [stones.down(1), stones.up(UP_LEFT), stones, stones.down(UP_RIGHT)],
        Side::Second => [stones, stones.up(UP_RIGHT), stones.up(1), stones.down(UP_LEFT)],
    }
}

impl Position {
    /// A player's stones on the board.
    #[inline]
    pub fn stones(&self, side: Side) -> PointSet {
        let points = self.stones[side.index()] & self.size.board().points[side.index()];
        PointSet { colour: side, points }
    }

    /// How many lines there are between stones of a player, the ring's included, that are
    /// diagonally adjacent.
    pub fn links(&self, side: Side) -> u32 {
        let stones = self.stones[side.index()];
        let up = |by| (stones & stones.down(by)).count();
        let links = up(UP_LEFT) + up(UP_RIGHT);
        // The ring has a line of its own across each corner, and it is White's.
        if side == Side::Second { links - 4 } else { links }
    }

    /// The open points next to a player's stones: where the opponent must place stones to capture
    /// them.
    pub fn breaths(&self, side: Side) -> PointSet {
        let colour = side.other();
        let points = self.stones(side).points.orthogonals(side) & self.open[colour.index()];
        PointSet { colour, points }
    }

    /// The open points where a player's stone would be the last of the four around a point.
    #[inline]
    pub fn last_of_four(&self, owner: Side) -> PointSet {
        let within = self.size.board().points[owner.other().index()];
        let [right, below, left, above] = beside(self.stones[owner.index()], owner);
        let (upright, level) = (below & above & within, left & right & within);
        let missing = [
            upright & left & !right,
            level & above & !below,
            upright & right & !left,
            level & below & !above,
        ];
        // The way back from the place to where the stone is missing.
        let [right, below, left, above] = missing;
        let points = match owner {
            Side::First => right.up(1) | below.down(UP_LEFT) | left | above.up(UP_RIGHT),
            Side::Second => right | below.down(UP_RIGHT) | left.down(1) | above.up(UP_LEFT),
        };
        PointSet { colour: owner, points: points & self.open[owner.index()] }
    }

    /// How many of the opponent's stones, the ring's included, stand next to a point. It is captured
    /// with the fourth.
    #[inline]
    pub fn enemies_beside(&self, point: Point) -> usize {
        let enemies = self.stones[point.colour().other().index()];
        let places = orthogonals(point.slot(), point.colour());
        places.into_iter().filter(|&place| enemies.contains(place)).count()
    }

    /// A player's stones that the opponent has surrounded but for one open point.
    pub fn capturable(&self, side: Side) -> PointSet {
        let three = self.surrounded_thrice(side) & self.stones(side).points;
        // The fourth point may be closed to the opponent.
        let reach = self.open[side.other().index()].orthogonals(side.other());
        PointSet { colour: side, points: three & reach }
    }

    /// The open points of a player's colour with the opponent's stones on three sides: a stone put
    /// there can be captured at once.
    #[inline]
    pub fn smothered(&self, side: Side) -> PointSet {
        PointSet { colour: side, points: self.surrounded_thrice(side) & self.open[side.index()] }
    }

    /// The places of a player's colour with the opponent's stones on three sides or four.
    #[inline]
    fn surrounded_thrice(&self, side: Side) -> Points {
        let opponent = side.other();
        let [right, below, left, above] = beside(self.stones[opponent.index()], opponent);
        (right & left & (below | above)) | (below & above & (right | left))
    }

    /// The empty points of a player's colour outside all loops: where the player may place a stone.
    #[inline]
    pub fn open(&self, side: Side) -> PointSet {
        PointSet { colour: side, points: self.open[side.index()] }
    }

    /// The open points where a player's stone would close a loop, whether around one point or many.
    pub fn loop_closing(&self, side: Side) -> PointSet {
        let stones = self.stones[side.index()];
        let mut groups = self.groups[side.index()];
        let mut closing = Points::EMPTY;
        for slot in self.open[side.index()].slots() {
            let may_close = groups.connects(slot, stones);
            let walls = Walls { stones: stones.with(slot), ..self.walls(side) };
            if may_close && !walls.enclosed_since(slot).is_empty() {
                closing = closing.with(slot);
            }
        }
        PointSet { colour: side, points: closing }
    }

    /// Whether a stone of its colour on an open point would close a loop.
    pub fn closes_loop(&self, point: Point) -> bool {
        let (colour, slot) = (point.colour(), point.slot());
        let stones = self.stones[colour.index()].with(slot);
        // The groups may hold stones that were captured, so they only rule loops out.
        let mut groups = self.groups[colour.index()];
        groups.add(slot, stones) && {
            let walls = Walls { stones, ..self.walls(colour) };
            !walls.enclosed_since(slot).is_empty()
        }
    }
}
