//! The row of squares, and what stands on one.

use crate::Side;

/// The number of squares in the row.
pub const SQUARES: usize = 8;

/// A square of the row, `a` to `h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square number `index` from the left, counted from zero.
    pub const fn new(index: u8) -> Option<Square> {
        if (index as usize) < SQUARES { Some(Square(index)) } else { None }
    }

    /// The square of a bit that is known to be on the row.
    #[inline]
    pub(super) const fn from_bit(bit: u8) -> Square {
        Square(bit)
    }

    /// Every square from the left.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..SQUARES as u8).map(Square)
    }

    /// Its number from the left, counted from zero.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its letter.
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }

    /// The square of a letter.
    pub fn from_letter(letter: char) -> Option<Square> {
        letter.is_ascii_lowercase().then(|| Square::new(letter as u8 - b'a')).flatten()
    }

    /// The neighbour in a direction, unless that is off the row.
    #[inline]
    pub fn neighbour(self, direction: Direction) -> Option<Square> {
        match direction {
            Direction::Left => self.0.checked_sub(1).map(Square),
            Direction::Right => Square::new(self.0 + 1),
        }
    }

    /// The square at the same distance from the other end.
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square(SQUARES as u8 - 1 - self.0)
    }
}

/// Along the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards `a`.
    Left,
    /// Towards `h`.
    Right,
}

impl Direction {
    /// Both directions.
    pub const BOTH: [Direction; 2] = [Direction::Left, Direction::Right];

    /// How a move writes it.
    pub const fn symbol(self) -> char {
        match self {
            Direction::Left => '<',
            Direction::Right => '>',
        }
    }

    /// The other direction.
    #[must_use]
    pub const fn mirrored(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
        }
    }
}

/// What stands on a square. Colours in a stack alternate (clause 4), so its height and the colour
/// of its top describe it fully.
///
/// Stored as twice the height plus the bit of the top's colour; 0 is the empty square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Stack(u8);

impl Stack {
    /// No checkers.
    pub const EMPTY: Stack = Stack(0);

    /// A stack by its height and the colour of its top. Without checkers the colour is ignored.
    ///
    /// # Panics
    /// When the stack is higher than 127.
    #[inline]
    pub const fn new(height: u8, top: Side) -> Stack {
        assert!(height < 128);
        if height == 0 { Stack::EMPTY } else { Stack(height << 1 | top as u8) }
    }

    /// How many checkers it has.
    #[inline]
    pub const fn height(self) -> u8 {
        self.0 >> 1
    }

    /// Whether the square is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The colour of the topmost checker.
    #[inline]
    pub const fn top(self) -> Option<Side> {
        if self.is_empty() { None } else { Some(Side::from_bit(self.0 & 1)) }
    }

    /// Whether the topmost checker has this colour.
    #[inline]
    pub fn is_topped_by(self, side: Side) -> bool {
        self.top() == Some(side)
    }

    /// The colours from the bottom up.
    pub fn colours(self) -> impl Iterator<Item = Side> {
        let top = Side::from_bit(self.0 & 1);
        (0..self.height()).rev().map(move |above| if above % 2 == 0 { top } else { top.other() })
    }

    /// The number of the stack in a table of stacks: a byte.
    #[inline]
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    /// The stack with its colours exchanged.
    #[must_use]
    pub const fn recoloured(self) -> Stack {
        if self.is_empty() { self } else { Stack(self.0 ^ 1) }
    }
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl std::fmt::Display for Stack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use std::fmt::Write;
        if self.is_empty() {
            return f.write_char('-');
        }
        self.colours().try_for_each(|colour| f.write_char(colour_letter(colour)))
    }
}

/// `r` for Red, who moves first, and `b` for Blue.
pub(super) const fn colour_letter(side: Side) -> char {
    match side {
        Side::First => 'r',
        Side::Second => 'b',
    }
}

/// The player of a letter.
pub(super) const fn letter_colour(letter: char) -> Option<Side> {
    match letter {
        'r' => Some(Side::First),
        'b' => Some(Side::Second),
        _ => None,
    }
}
