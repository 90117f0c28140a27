//! The grid of cells, and the inner board with its spaces and stacks.

use std::fmt;

use super::{Point, WIDTH};
use crate::Side;
use crate::bits::Bits;

/// Which of the designer's two descriptions is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleSet {
    /// The description with the 7×7 board: one ring for both pawns, and the path win (clauses 6
    /// to 8).
    Spaces,
    /// The description with the intersections of an 8×8 board: a track for each pawn, and no path
    /// win (clauses 9 and 10).
    Points,
}

impl RuleSet {
    /// Both rule sets.
    pub const BOTH: [RuleSet; 2] = [RuleSet::Spaces, RuleSet::Points];
}

/// A cell of the 9×9 grid from `a1` to `i9`: a point of the ring or a space of the inner board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell on a file and a rank, both counted from zero.
    pub const fn new(file: u8, rank: u8) -> Option<Cell> {
        if file < 9 && rank < 9 { Some(Cell::at(file, rank)) } else { None }
    }

    /// The cell on a file and a rank that are known to be on the grid.
    #[inline]
    pub(super) const fn at(file: u8, rank: u8) -> Cell {
        Cell(rank * 9 + file)
    }

    /// Every cell, rank by rank from `a1`.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..81).map(Cell)
    }

    /// Its number: nine times the rank plus the file, both from zero.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its file, from zero.
    pub const fn file(self) -> u8 {
        self.0 % 9
    }

    /// Its rank, from zero.
    pub const fn rank(self) -> u8 {
        self.0 / 9
    }

    /// The point of the ring that it is.
    pub const fn point(self) -> Option<Point> {
        match (self.file(), self.rank()) {
            (0, rank) => Some(Point::wrapped(rank)),
            (file, 8) => Some(Point::wrapped(8 + file)),
            (8, rank) => Some(Point::wrapped(24 - rank)),
            (file, 0) => Some(Point::wrapped(32 - file)),
            _ => None,
        }
    }

    /// The space of the inner board that it is.
    pub const fn space(self) -> Option<Space> {
        // What lies below or left of the inner board wraps round to a large number.
        Space::new(self.file().wrapping_sub(1), self.rank().wrapping_sub(1))
    }

    /// The cells between this one and another on the same file or rank, from this one on.
    pub(super) fn between(self, other: Cell) -> impl Iterator<Item = Cell> {
        let files = other.file() as i8 - self.file() as i8;
        let ranks = other.rank() as i8 - self.rank() as i8;
        let step = files.signum() + 9 * ranks.signum();
        let distance = files.abs().max(ranks.abs());
        (1..distance).map(move |steps| Cell(self.0.wrapping_add_signed(steps * step)))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The edges of the inner board, clockwise, by the points that stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    /// `a2` to `a8`.
    Left,
    /// `b9` to `h9`.
    Top,
    /// `i8` to `i2`.
    Right,
    /// `h1` to `b1`.
    Bottom,
}

impl Edge {
    pub(super) const ALL: [Edge; 4] = [Edge::Left, Edge::Top, Edge::Right, Edge::Bottom];

    /// The points that stand on the edge, without the corners, as bits.
    #[inline]
    pub(super) const fn points(self) -> u32 {
        0xfe << (8 * self as u32)
    }

    /// The spaces, each one step further from the edge. What leaves the board lands on bits that
    /// stand for no space.
    #[inline]
    pub(super) const fn away(self, spaces: u64) -> u64 {
        match self {
            Edge::Left => spaces << 1,
            Edge::Top => spaces >> 8,
            Edge::Right => spaces >> 1,
            Edge::Bottom => spaces << 8,
        }
    }

    /// What a step away from the edge adds to the number of a space.
    #[inline]
    pub(super) const fn step(self) -> i8 {
        match self {
            Edge::Left => 1,
            Edge::Top => -8,
            Edge::Right => -1,
            Edge::Bottom => 8,
        }
    }

    /// The spaces further from the edge than the nearest of `spaces` in their line.
    #[inline]
    pub(super) const fn behind(self, spaces: u64) -> u64 {
        // Each step of a fill doubles how far it reaches: 1, 2, 4 and 8 spaces.
        let next = self.away(spaces);
        match self {
            Edge::Left => {
                // A guard behind each rank lends to the subtraction, which turns the bits up to
                // and including the lowest of a rank.
                let guarded = spaces | 0x8080_8080_8080_8080;
                !(guarded ^ (guarded - 0x0101_0101_0101_0101)) & INNER
            }
            Edge::Top => {
                let two = next | next >> 8;
                let four = two | two >> 16;
                four | four >> 32
            }
            Edge::Right => {
                let one = next & 0x003f_3f3f_3f3f_3f3f;
                let two = one | one >> 1 & 0x001f_1f1f_1f1f_1f1f;
                let four = two | two >> 2 & 0x000f_0f0f_0f0f_0f0f;
                four | four >> 4 & 0x0003_0303_0303_0303
            }
            Edge::Bottom => {
                let two = next | next << 8;
                let four = two | two << 16;
                (four | four << 32) & INNER
            }
        }
    }
}

/// A space of the inner board, `b2` to `h8`. A set of spaces is the bits of a word, eight to a
/// rank: the last of each eight and the last rank stay empty, so that nothing is shifted from one
/// end of the board to the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Space(u8);

/// Every space of the inner board, as bits.
pub(super) const INNER: u64 = 0x007f_7f7f_7f7f_7f7f;

impl Space {
    /// The space on a file and a rank of the inner board, both counted from zero: `b2` is (0, 0).
    pub const fn new(file: u8, rank: u8) -> Option<Space> {
        if file < WIDTH && rank < WIDTH { Some(Space(rank * 8 + file)) } else { None }
    }

    /// Every space, rank by rank from `b2`.
    pub fn all() -> impl Iterator<Item = Space> {
        Bits(INNER).map(Space)
    }

    /// The space of a bit that is known to be inside the board.
    #[inline]
    pub(super) const fn from_bit(bit: u8) -> Space {
        Space(bit)
    }

    /// Its file on the inner board, from zero.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// Its rank on the inner board, from zero.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// Its cell in the grid.
    pub const fn cell(self) -> Cell {
        Cell::at(self.file() + 1, self.rank() + 1)
    }

    /// The space as a set of one.
    #[inline]
    pub(super) const fn bit(self) -> u64 {
        1 << (self.0 % 64)
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cell().fmt(f)
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A stack. Stacks never split, so owner and height describe it fully (clause 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stack {
    /// Whose piece is on top.
    pub owner: Side,
    /// How many pieces it has.
    pub height: u8,
}

/// The spaces of the inner board along each edge, as bits.
pub(super) const EDGE_SPACES: [u64; 4] =
    [0x0001_0101_0101_0101, 0x7f << 48, 0x0040_4040_4040_4040, 0x7f];

/// `b` for Black, who moves first, and `w` for White.
pub(super) const fn side_letter(side: Side) -> char {
    match side {
        Side::First => 'b',
        Side::Second => 'w',
    }
}

/// The player of a letter.
pub(super) const fn letter_side(letter: char) -> Option<Side> {
    match letter {
        'b' => Some(Side::First),
        'w' => Some(Side::Second),
        _ => None,
    }
}
