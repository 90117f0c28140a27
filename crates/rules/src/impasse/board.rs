//! The dark squares and the diagonals they lie on.

use crate::Side;

/// A dark square of the 8×8 board. The light ones are never used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The dark square on a file and a rank, both counted from zero. `a1` is dark.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 && (file + rank).is_multiple_of(2) {
            Some(Square(rank * 8 + file))
        } else {
            None
        }
    }

    /// Every dark square, rank by rank from `a1`.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).filter_map(|index| Square::new(index % 8, index / 8))
    }

    /// The square of a bit that is known to be dark.
    #[inline]
    pub(super) const fn from_bit(bit: u8) -> Square {
        Square(bit)
    }

    /// Its number: eight times the rank plus the file, both from zero.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its file, from zero.
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// Its rank, from zero.
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// The square of a name such as `c3`.
    pub fn from_name(name: &str) -> Option<Square> {
        let &[file, rank] = name.as_bytes() else { return None };
        Square::new(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'))
    }

    /// The square seen from the other side of the board.
    #[must_use]
    pub const fn turned(self) -> Square {
        Square(63 - self.0)
    }

    /// The square as a set of one.
    #[inline]
    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl std::fmt::Display for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl std::fmt::Debug for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// What can stand on a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Checkers {
    /// One checker.
    Single(Side),
    /// Two checkers of one colour.
    Double(Side),
}

impl Checkers {
    /// Its letter in the text of a position.
    pub const fn letter(self) -> char {
        match self {
            Checkers::Single(Side::First) => 'w',
            Checkers::Single(Side::Second) => 'b',
            Checkers::Double(Side::First) => 'W',
            Checkers::Double(Side::Second) => 'B',
        }
    }

    /// What a letter stands for.
    pub const fn from_letter(letter: char) -> Option<Checkers> {
        match letter {
            'w' => Some(Checkers::Single(Side::First)),
            'b' => Some(Checkers::Single(Side::Second)),
            'W' => Some(Checkers::Double(Side::First)),
            'B' => Some(Checkers::Double(Side::Second)),
            _ => None,
        }
    }
}

/// The squares of a player's nearest row, as bits.
#[inline]
pub(super) const fn nearest_row(side: Side) -> u64 {
    match side {
        Side::First => 0xff,
        Side::Second => 0xff << 56,
    }
}

/// The squares of a player's furthest row, as bits.
#[inline]
pub(super) const fn furthest_row(side: Side) -> u64 {
    nearest_row(side.other())
}

/// The two diagonal directions that lead up the board (0, 1) and the two that lead down (2, 3).
const STEPS: [(i8, i8); 4] = [(-1, 1), (1, 1), (1, -1), (-1, -1)];

/// The two directions that are forward for a player.
#[inline]
pub(super) const fn forward(side: Side) -> [usize; 2] {
    match side {
        Side::First => [0, 1],
        Side::Second => [2, 3],
    }
}

/// For each direction and square, the squares of the ray that starts next to it.
static RAYS: [[u64; 64]; 4] = {
    let mut rays = [[0; 64]; 4];
    let mut direction = 0;
    while direction < 4 {
        let (dx, dy) = STEPS[direction];
        let mut from = 0;
        while from < 64 {
            let mut x = (from % 8) as i8 + dx;
            let mut y = (from / 8) as i8 + dy;
            while x >= 0 && x < 8 && y >= 0 && y < 8 {
                rays[direction][from] |= 1 << (y * 8 + x);
                x += dx;
                y += dy;
            }
            from += 1;
        }
        direction += 1;
    }
    rays
};

/// The squares that a slide from `from` reaches: up to the first occupied square.
#[inline]
pub(super) fn slide(from: Square, direction: usize, occupied: u64) -> u64 {
    let ray = RAYS[direction][usize::from(from.0)];
    let blockers = ray & occupied;
    if blockers == 0 {
        ray
    } else if direction < 2 {
        // Up: what is below the lowest blocker.
        ray & ((1 << blockers.trailing_zeros()) - 1)
    } else {
        // Down: what is above the highest blocker.
        ray & (u64::MAX << 1 << (63 - blockers.leading_zeros()))
    }
}

/// The squares diagonally next to any of `squares`, one row forward for `side`.
#[inline]
pub(super) const fn one_forward(squares: u64, side: Side) -> [u64; 2] {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    match side {
        Side::First => [(squares & NOT_A) << 7, (squares & NOT_H) << 9],
        Side::Second => [(squares & NOT_H) >> 7, (squares & NOT_A) >> 9],
    }
}
