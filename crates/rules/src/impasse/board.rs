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

/// A diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    UpLeft,
    UpRight,
    DownRight,
    DownLeft,
}

impl Direction {
    /// The two directions that are forward for a player.
    #[inline]
    pub(super) const fn forward(side: Side) -> [Direction; 2] {
        match side {
            Side::First => [Direction::UpLeft, Direction::UpRight],
            Side::Second => [Direction::DownRight, Direction::DownLeft],
        }
    }

    /// How many files and ranks a step goes.
    const fn offset(self) -> (i8, i8) {
        match self {
            Direction::UpLeft => (-1, 1),
            Direction::UpRight => (1, 1),
            Direction::DownRight => (1, -1),
            Direction::DownLeft => (-1, -1),
        }
    }

    /// What a step adds to the number of a square.
    #[inline]
    pub(super) const fn step(self) -> i8 {
        let (files, ranks) = self.offset();
        8 * ranks + files
    }

    /// The squares that a step in this direction can lead to.
    #[inline]
    const fn targets(self) -> u64 {
        const FILE_A: u64 = 0x0101_0101_0101_0101;
        const RANK_1: u64 = 0xff;
        let (files, ranks) = self.offset();
        let first_file = if files > 0 { FILE_A } else { FILE_A << 7 };
        let first_rank = if ranks > 0 { RANK_1 } else { RANK_1 << 56 };
        !(first_file | first_rank)
    }

    /// The squares one step from any of `squares`.
    #[inline]
    pub(super) const fn shift(self, squares: u64) -> u64 {
        squares.rotate_left(self.step() as u32) & self.targets()
    }

    /// The squares that slides from any of `squares` reach over empty ones. Each is reached from
    /// one square only. Doubling the length of the slides three times makes them seven long.
    #[inline]
    pub(super) const fn slides(self, squares: u64, empty: u64) -> u64 {
        let step = self.step() as u32;
        let mut free = empty & self.targets();
        let mut reached = squares;
        reached |= reached.rotate_left(step) & free;
        free &= free.rotate_left(step);
        reached |= reached.rotate_left(step.wrapping_mul(2)) & free;
        free &= free.rotate_left(step.wrapping_mul(2));
        reached |= reached.rotate_left(step.wrapping_mul(4)) & free;
        reached & !squares
    }

    /// Where the slide to a square came from: the first occupied square on the way back.
    #[inline]
    pub(super) fn origin(self, to: u8, occupied: u64) -> Square {
        let way_back = RAYS[self as usize ^ 2][usize::from(to)] & occupied;
        Square(match self {
            Direction::UpLeft | Direction::UpRight => 63 - way_back.leading_zeros() as u8,
            Direction::DownRight | Direction::DownLeft => way_back.trailing_zeros() as u8,
        })
    }
}

/// For each direction and square, the squares of the ray that starts next to it.
static RAYS: [[u64; 64]; 4] = {
    const DIRECTIONS: [Direction; 4] =
        [Direction::UpLeft, Direction::UpRight, Direction::DownRight, Direction::DownLeft];
    let mut rays = [[0; 64]; 4];
    let mut index = 0;
    while index < 4 {
        let mut from = 0;
        while from < 64 {
            let mut reached = DIRECTIONS[index].shift(1 << from);
            while reached != 0 {
                rays[index][from] |= reached;
                reached = DIRECTIONS[index].shift(reached);
            }
            from += 1;
        }
        index += 1;
    }
    rays
};
