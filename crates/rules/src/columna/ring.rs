//! The ring of points around the inner board, and where a pawn may go on it.

use std::fmt;

use super::board::{EDGE_SPACES, Edge};
use super::{Cell, RuleSet};
use crate::Side;

/// A point of the ring. They are numbered clockwise: `a1` is 0, `a9` 8, `i9` 16 and `i1` 24, and a
/// set of points is the bits of a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// `a1`, where Black's pawn starts (clause 2).
    pub const A1: Point = Point(0);
    /// `i9`, where White's pawn starts (clause 2).
    pub const I9: Point = Point(16);

    /// The point with a number, counted round the ring.
    #[inline]
    pub(super) const fn wrapped(index: u8) -> Point {
        Point(index % 32)
    }

    /// Its number: clockwise from `a1`, which is 0.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its cell in the grid.
    pub const fn cell(self) -> Cell {
        let along = self.0 % 8;
        let (file, rank) = match self.edge() {
            Edge::Left => (0, along),
            Edge::Top => (along, 8),
            Edge::Right => (8, 8 - along),
            Edge::Bottom => (8 - along, 0),
        };
        Cell::at(file, rank)
    }

    /// Whether it is `a1`, `a9`, `i9` or `i1`, which see nothing (clause 4).
    #[inline]
    pub const fn is_corner(self) -> bool {
        self.0.is_multiple_of(8)
    }

    /// The edge of the inner board it stands on; a corner counts as the beginning of one.
    #[inline]
    pub(super) const fn edge(self) -> Edge {
        Edge::ALL[(self.0 / 8 % 4) as usize]
    }

    /// The spaces in its line of sight, as bits (clause 4).
    #[inline]
    pub(super) const fn line(self) -> u64 {
        LINES[(self.0 % 32) as usize]
    }

    /// The space next to it as a bit, or nothing next to a corner (clause 8).
    #[inline]
    pub const fn neighbour(self) -> u64 {
        self.line() & EDGE_SPACES[self.edge() as usize]
    }

    /// The point as a set of one.
    #[inline]
    pub(super) const fn bit(self) -> u32 {
        1 << (self.0 % 32)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cell().fmt(f)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// For each point, the spaces in its line of sight, as bits.
static LINES: [u64; 32] = {
    let mut lines = [0; 32];
    let mut index = 0;
    while index < 32 {
        let point = Point(index);
        if !point.is_corner() {
            let cell = point.cell();
            lines[index as usize] = match point.edge() {
                Edge::Left | Edge::Right => 0x7f << (8 * (cell.rank() - 1)),
                Edge::Top | Edge::Bottom => EDGE_SPACES[0] << (cell.file() - 1),
            };
        }
        index += 1;
    }
    lines
};

/// The points that a pawn on `own` may move to (clauses 6, 7 and 9, R1), as bits.
#[inline]
pub(super) const fn reach(rules: RuleSet, own: Point, other: Point) -> u32 {
    match rules {
        // Clause 7: whichever point lies behind the other pawn one way round is reached the other
        // way round, so the other pawn only keeps its own point and its side to itself.
        RuleSet::Spaces => RING & !side_of(other) & !own.bit() & !other.bit(),
        RuleSet::Points => straight(own) & !own.bit(),
    }
}

/// The points of `spaces`: without `a9` and `i1` (clause 6).
pub(super) const RING: u32 = !(1 << 8 | 1 << 24);

/// The points of the side that a point of the ring lies on; base tiles lie on none (clause 6).
#[inline]
pub(super) const fn side_of(point: Point) -> u32 {
    if point.is_corner() {
        0
    } else if point.0 < 16 {
        Edge::Left.points() | Edge::Top.points()
    } else {
        Edge::Right.points() | Edge::Bottom.points()
    }
}

/// The points of a player's track (clause 9).
#[inline]
pub(super) const fn track(side: Side) -> u32 {
    match side {
        Side::First => 0x0000_ffff,
        Side::Second => 0xffff_0000,
    }
}

/// The straight line of its track that a point lies on, or both lines for the one they meet in
/// (clause 9).
#[inline]
pub(super) const fn straight(point: Point) -> u32 {
    let line = match point.0 % 16 {
        0..8 => 0x01ff,
        8 => 0xffff,
        _ => 0xff00,
    };
    line << (point.0 & 16)
}
