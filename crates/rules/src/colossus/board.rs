//! The hexagon of spaces: which are next to each other, two steps apart, or on one line.

use crate::Side;

/// How many spaces the board has.
pub const CELLS: usize = 37;

/// How many cells each row has, from row `a`.
pub(super) const ROW_LENGTHS: [u8; 7] = [4, 5, 6, 7, 6, 5, 4];

/// The number of each row's first cell.
const ROW_STARTS: [u8; 7] = [0, 4, 9, 15, 22, 28, 33];

/// Every cell, as bits.
pub(super) const BOARD: u64 = (1 << CELLS) - 1;

/// A cell of the board: what the rules call a space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell in a row, counted from the bottom, at a place, counted from the left; both from
    /// zero.
    pub const fn new(row: u8, place: u8) -> Option<Cell> {
        if row < 7 && place < ROW_LENGTHS[row as usize] {
            Some(Cell(ROW_STARTS[row as usize] + place))
        } else {
            None
        }
    }

    /// Every cell, row by row from `a1`.
    pub fn all() -> impl DoubleEndedIterator<Item = Cell> {
        (0..CELLS as u8).map(Cell)
    }

    /// The cell with a number, if the board has it.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Cell> {
        if (index as usize) < CELLS { Some(Cell(index)) } else { None }
    }

    /// The cell of a bit that is known to be on the board.
    #[inline]
    pub(super) const fn from_bit(bit: u8) -> Cell {
        Cell(bit)
    }

    /// Its number: row by row from `a1`, which is 0, to `g4`, which is 36.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its row, from zero at the bottom.
    pub const fn row(self) -> u8 {
        let mut row = 6;
        while ROW_STARTS[row as usize] > self.0 {
            row -= 1;
        }
        row
    }

    /// Its place in the row, from zero at the left.
    pub const fn place(self) -> u8 {
        self.0 - ROW_STARTS[self.row() as usize]
    }

    /// The cell of a name such as `c3`.
    pub fn from_name(name: &str) -> Option<Cell> {
        let &[row, number] = name.as_bytes() else { return None };
        Cell::new(row.wrapping_sub(b'a'), number.wrapping_sub(b'1'))
    }

    /// The cell as a set of one.
    #[inline]
    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The cells next to this one, as bits.
    #[inline]
    pub fn neighbours(self) -> u64 {
        NEIGHBOURS[usize::from(self.0)]
    }

    /// The cells exactly two steps away (R2), as bits.
    #[inline]
    pub fn two_away(self) -> u64 {
        TWO_AWAY[usize::from(self.0)]
    }

    /// The cell seen through one of the twelve symmetries of the hexagon; number 0 is the identity.
    pub(super) fn mapped(self, symmetry: usize) -> Cell {
        Cell(MAPPED[symmetry][usize::from(self.0)])
    }

    /// Three coordinates from the middle of the board that add up to zero. Along each of the
    /// board's axes one of them stays the same; to the right the first one grows, upwards the last.
    const fn coordinates(self) -> [i8; 3] {
        let up = self.row() as i8 - 3;
        let right = self.place() as i8 - 3 - if up < 0 { up } else { 0 };
        [right, -right - up, up]
    }

    /// The cell at some coordinates, unless they are off the board.
    const fn from_coordinates([right, _, up]: [i8; 3]) -> Option<Cell> {
        // What lies below or left of the board wraps round to a large number.
        let place = right + 3 + if up < 0 { up } else { 0 };
        Cell::new((up + 3) as u8, place as u8)
    }

    /// How many steps there are between two cells.
    const fn distance(self, other: Cell) -> u8 {
        let (a, b) = (self.coordinates(), other.coordinates());
        let mut most = 0;
        let mut axis = 0;
        while axis < 3 {
            let apart = a[axis].abs_diff(b[axis]);
            if apart > most {
                most = apart;
            }
            axis += 1;
        }
        most
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", (b'a' + self.row()) as char, self.place() + 1)
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// What can be on a space (clause 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Occupant {
    /// A stone.
    Stone(Side),
    /// A tower, and who has claimed it.
    Tower(Option<Side>),
}

impl Occupant {
    /// Its letter in the text of a position.
    pub const fn letter(self) -> char {
        match self {
            Occupant::Stone(Side::First) => 'b',
            Occupant::Stone(Side::Second) => 'w',
            Occupant::Tower(None) => 't',
            Occupant::Tower(Some(Side::First)) => 'B',
            Occupant::Tower(Some(Side::Second)) => 'W',
        }
    }

    /// What a letter stands for.
    pub const fn from_letter(letter: char) -> Option<Occupant> {
        match letter {
            'b' => Some(Occupant::Stone(Side::First)),
            'w' => Some(Occupant::Stone(Side::Second)),
            't' => Some(Occupant::Tower(None)),
            'B' => Some(Occupant::Tower(Some(Side::First))),
            'W' => Some(Occupant::Tower(Some(Side::Second))),
            _ => None,
        }
    }
}

/// The cells at one distance from each cell, as bits.
const fn at_distance(distance: u8) -> [u64; CELLS] {
    let mut table = [0; CELLS];
    let mut from = 0;
    while from < CELLS {
        let mut to = 0;
        while to < CELLS {
            if Cell(from as u8).distance(Cell(to as u8)) == distance {
                table[from] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    table
}

const NEIGHBOURS: [u64; CELLS] = at_distance(1);

static TWO_AWAY: [u64; CELLS] = at_distance(2);

/// The differences there are between the numbers of two cells next to each other, each with the
/// lower-numbered cells of such pairs.
const STRIDES: [(usize, u64); 5] = {
    let mut strides = [(1, 0), (4, 0), (5, 0), (6, 0), (7, 0)];
    let mut i = 0;
    while i < strides.len() {
        let mut from = 0;
        while from + strides[i].0 < CELLS {
            if NEIGHBOURS[from] & 1 << (from + strides[i].0) != 0 {
                strides[i].1 |= 1 << from;
            }
            from += 1;
        }
        i += 1;
    }
    strides
};

/// The cells next to any of `cells`, both as bits numbered like [`Cell::index`].
#[inline]
pub fn next_to(cells: u64) -> u64 {
    STRIDES.iter().fold(0, |next, &(stride, lower)| {
        next | (cells & lower) << stride | cells >> stride & lower
    })
}

/// The cells strictly between two cells on one straight line (R3), as bits numbered like
/// [`Cell::index`]. There are none between neighbours and between cells that are not on one line.
#[inline]
pub fn between(from: Cell, to: Cell) -> u64 {
    BETWEEN[usize::from(from.0)][usize::from(to.0)]
}

static BETWEEN: [[u64; CELLS]; CELLS] = {
    const DIRECTIONS: [[i8; 3]; 6] =
        [[1, -1, 0], [0, -1, 1], [-1, 0, 1], [-1, 1, 0], [0, 1, -1], [1, 0, -1]];
    let mut table = [[0; CELLS]; CELLS];
    let mut from = 0;
    while from < CELLS {
        let mut direction = 0;
        while direction < 6 {
            let step = DIRECTIONS[direction];
            let mut at = Cell(from as u8).coordinates();
            let mut passed = 0;
            loop {
                at = [at[0] + step[0], at[1] + step[1], at[2] + step[2]];
                let Some(to) = Cell::from_coordinates(at) else { break };
                table[from][to.0 as usize] = passed;
                passed |= to.bit();
            }
            direction += 1;
        }
        from += 1;
    }
    table
};

/// Where each cell goes in each symmetry of the hexagon: the coordinates change places and, in the
/// second half of the table, their signs.
static MAPPED: [[u8; CELLS]; 12] = {
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut table = [[0; CELLS]; 12];
    let mut symmetry = 0;
    while symmetry < 12 {
        let [a, b, c] = ORDERS[symmetry % 6];
        let sign = if symmetry < 6 { 1 } else { -1 };
        let mut cell = 0;
        while cell < CELLS {
            let at = Cell(cell as u8).coordinates();
            if let Some(to) = Cell::from_coordinates([sign * at[a], sign * at[b], sign * at[c]]) {
                table[symmetry][cell] = to.0;
            }
            cell += 1;
        }
        symmetry += 1;
    }
    table
};
