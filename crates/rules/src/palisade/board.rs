//! The grid of points and the ring of stones around it.

use super::points::Points;
use crate::Side;

/// The length of a side of the largest board, which is also the usual one.
pub const MAX_SIZE: u8 = 19;

/// How many points each side of the board has: an odd number from 3 to 19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(u8);

impl Size {
    /// The usual board.
    pub const DEFAULT: Size = Size(MAX_SIZE);

    /// Every size, smallest first.
    pub fn all() -> impl Iterator<Item = Size> {
        (3..=MAX_SIZE).filter_map(Size::new)
    }

    /// The size of that many points, unless it is even, too small or too large.
    pub const fn new(points: u8) -> Option<Size> {
        if points >= 3 && points <= MAX_SIZE && points % 2 == 1 { Some(Size(points)) } else { None }
    }

    /// How many points each side has.
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Every point of the board, rank by rank from `a1`.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.0).flat_map(move |rank| (0..self.0).map(move |file| Point::at(file, rank)))
    }

    /// Whether the point is on a board of this size.
    pub const fn holds(self, point: Point) -> bool {
        point.file() < self.0 && point.rank() < self.0
    }

    /// The number of a point's cell in clicks and views.
    pub(super) const fn cell(self, point: Point) -> u16 {
        point.rank() as u16 * self.0 as u16 + point.file() as u16
    }

    /// The points and the ring of a board of this size.
    #[inline]
    pub(super) fn board(self) -> &'static Board {
        &BOARDS[usize::from(self.0 / 2) - 1]
    }
}

/// From one rank to the next in the numbers of the places: room for the largest board, its ring,
/// and a gap, so that the two ends of the ring's ranks are not neighbours. It is odd, so the
/// places are black and white in turn just as their numbers are even and odd.
const STRIDE: u16 = MAX_SIZE as u16 + 4;

/// How many places there are.
const PLACES: usize = (STRIDE * (MAX_SIZE as u16 + 2)) as usize;

/// A point of the grid.
///
/// Stored as the number of its place: that of the ring's corner below `a1` is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// The point on a file and a rank, both counted from zero, if the largest board has it.
    pub const fn new(file: u8, rank: u8) -> Option<Point> {
        if file < MAX_SIZE && rank < MAX_SIZE { Some(Point::at(file, rank)) } else { None }
    }

    /// The point on a file and a rank that the largest board is known to have.
    pub(super) const fn at(file: u8, rank: u8) -> Point {
        Point((rank as u16 + 1) * STRIDE + file as u16 + 1)
    }

    /// Its file, from zero.
    pub const fn file(self) -> u8 {
        (self.0 % STRIDE) as u8 - 1
    }

    /// Its rank, from zero.
    pub const fn rank(self) -> u8 {
        (self.0 / STRIDE) as u8 - 1
    }

    /// The player whose stones may stand here (clause 2).
    #[inline]
    pub const fn colour(self) -> Side {
        Side::from_bit((self.0 & 1) as u8)
    }

    /// Its number among the places of its colour.
    #[inline]
    pub(super) const fn slot(self) -> u8 {
        (self.0 / 2) as u8
    }

    /// The point of a slot that is known to be on the board.
    #[inline]
    pub(super) const fn from_slot(slot: u8, colour: Side) -> Point {
        Point(2 * slot as u16 + colour as u16)
    }

    /// Its share in the hash key of a position with a stone on it.
    #[inline]
    pub(super) fn key(self) -> u64 {
        KEYS[usize::from(self.0)]
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl std::fmt::Debug for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// A random number for each place; what stands there is known from its colour.
static KEYS: [u64; PLACES] = {
    let mut keys = [0; PLACES];
    let mut place = 0;
    while place < PLACES {
        keys[place] = crate::bits::mix(0x70a1_15ad, place as u64);
        place += 1;
    }
    keys
};

/// The places of a board of one size, by colour.
#[derive(Debug)]
pub(super) struct Board {
    /// The points where each colour's stones may stand.
    pub(super) points: [Points; 2],
    /// The stones of the ring (clause 1).
    pub(super) ring: [Points; 2],
}

/// The boards of 3, 5, 7 … points a side.
static BOARDS: [Board; 9] = {
    const EMPTY: Board = Board { points: [Points::EMPTY; 2], ring: [Points::EMPTY; 2] };
    let mut boards = [EMPTY; 9];
    let mut index = 0;
    while index < boards.len() {
        let size = 2 * index as u16 + 3;
        let end = size + 1;
        let mut y = 0;
        while y <= end {
            let mut x = 0;
            while x <= end {
                let point = Point(y * STRIDE + x);
                let colour = point.colour().index();
                let (x_in_ring, y_in_ring) = (x == 0 || x == end, y == 0 || y == end);
                let board = &mut boards[index];
                if !x_in_ring && !y_in_ring {
                    board.points[colour] = board.points[colour].with(point.slot());
                } else if x_in_ring != y_in_ring {
                    // The ring's corners hold no stone.
                    board.ring[colour] = board.ring[colour].with(point.slot());
                }
                x += 1;
            }
            y += 1;
        }
        index += 1;
    }
    boards
};

/// From a slot to that of the place diagonally above, to the left.
pub(super) const UP_LEFT: u8 = STRIDE as u8 / 2;

/// From a slot to that of the place diagonally above, to the right.
pub(super) const UP_RIGHT: u8 = UP_LEFT + 1;

/// The slots of the places diagonally next to a point, which have its colour: clockwise from the
/// upper right.
#[inline]
pub(super) const fn diagonals(slot: u8) -> [u8; 4] {
    [slot + UP_RIGHT, slot - UP_LEFT, slot - UP_RIGHT, slot + UP_LEFT]
}

/// The slots of the places orthogonally next to a point of `colour`, which have the other colour:
/// right, below, left, above. Number i lies between diagonals i and i + 1.
#[inline]
pub(super) const fn orthogonals(slot: u8, colour: Side) -> [u8; 4] {
    // A black place 2s has 2s + 1 to its right, a white place 2s + 1 has 2(s + 1).
    let right = slot + colour as u8;
    [right, right - UP_RIGHT, right - 1, right + UP_LEFT]
}

impl Points {
    /// The places orthogonally next to any of these, which are of `colour`. They have the other
    /// colour.
    #[inline]
    pub(super) fn orthogonals(self, colour: Side) -> Points {
        match colour {
            Side::First => self | self.down(1) | self.up(UP_LEFT) | self.down(UP_RIGHT),
            Side::Second => self | self.up(1) | self.up(UP_RIGHT) | self.down(UP_LEFT),
        }
    }

    /// The places diagonally next to any of these.
    #[inline]
    pub(super) fn diagonals(self) -> Points {
        self.up(UP_LEFT) | self.up(UP_RIGHT) | self.down(UP_LEFT) | self.down(UP_RIGHT)
    }
}

/// `b` for Black, who moves first, and `w` for White.
pub(super) const fn colour_letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

/// The player of a letter.
pub(super) const fn letter_colour(letter: char) -> Option<Side> {
    match letter {
        'b' => Some(Side::First),
        'w' => Some(Side::Second),
        _ => None,
    }
}
