//! Positions as text, and which of them are possible.

use std::fmt;

use super::board::ROW_LENGTHS;
use super::{CELLS, Cell, Occupant, Position, STALL, TOWERS};
use crate::Side;
use crate::objection::cites;
use crate::ranks::{parse_rank, write_rank};
use crate::text::{ParseError, Scanner};

/// A board and its counters, not yet validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// What is on each space, row by row from `a1`.
    pub board: [Option<Occupant>; CELLS],
    /// Whose turn it is.
    pub side: Side,
    /// How many towers are off the board.
    pub supply: u32,
    /// How many turns in a row have not left the board fuller than ever before (R8).
    pub stall: u32,
    /// The most spaces that were ever occupied (R8).
    pub peak: u32,
}

/// Why a setup is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// There are more towers than the game has.
    #[error("{on_board} towers on the board and {supply} in the supply, but only {TOWERS} exist")]
    TooManyTowers {
        /// How many are on the board.
        on_board: u32,
        /// How many are off it.
        supply: u32,
    },
    /// The game would have ended before.
    #[error("the stall count is {0}, but the game ends at {STALL}")]
    StallTooHigh(u32),
    /// More spaces are occupied than ever were.
    #[error("{occupied} spaces are occupied, but the highest number so far is given as {peak}")]
    PeakTooLow {
        /// How many were occupied at the most.
        peak: u32,
        /// How many are now.
        occupied: u32,
    },
    /// More spaces were occupied than there are.
    #[error("the highest number of occupied spaces is {0}, but there are only {CELLS} spaces")]
    PeakTooHigh(u32),
}

cites!(Flaw {
    Flaw::TooManyTowers { on_board, supply } => Clause(1) "too-many-towers"
        { board = on_board, supply, most = TOWERS }
    Flaw::StallTooHigh(count) => Ruling(8) "stall-too-high" { count, most = STALL }
    Flaw::PeakTooLow { peak, occupied } => Ruling(8) "peak-too-low" { peak, occupied }
    Flaw::PeakTooHigh(peak) => Ruling(8) "peak-too-high" { peak, most = CELLS }
});

/// `b` for Black, who moves first, and `w` for White.
fn side_letter(side: Side) -> char {
    Occupant::Stone(side).letter()
}

/// The cells of each row from `a` up.
fn rows() -> impl DoubleEndedIterator<Item = std::ops::Range<usize>> {
    let mut start = 0;
    ROW_LENGTHS
        .map(|length| {
            start += usize::from(length);
            start - usize::from(length)..start
        })
        .into_iter()
}

impl crate::Setup for Setup {
    type Position = Position;
    type Flaw = Flaw;

    fn parse(text: &str, (): ()) -> Result<Setup, ParseError> {
        let mut scanner = Scanner::new(text);
        let mut board = [None; CELLS];
        for row in rows().rev() {
            let letters = "'b', 'w', 't', 'B', 'W'";
            let cells = parse_rank(&mut scanner, row.len(), letters, Occupant::from_letter)?;
            board[row.clone()].copy_from_slice(&cells);
            if row.start > 0 {
                let expected = format!("'/' after the {} spaces of this row", row.len());
                scanner.expect('/', &expected)?;
            }
        }
        scanner.gap("the side to move")?;
        let side = scanner.one("the side to move, 'b' or 'w'", |letter| {
            Side::BOTH.into_iter().find(|&side| side_letter(side) == letter)
        })?;
        scanner.gap("the towers in the supply")?;
        let supply = scanner.number(0..=TOWERS, "the towers in the supply, 0 to 9")?;
        scanner.gap("the stall count")?;
        let stall = scanner.number(0..=u32::MAX, "the stall count, 0 to 40")?;
        scanner.gap("the highest number of occupied spaces")?;
        let peak =
            scanner.number(0..=u32::MAX, "the highest number of occupied spaces, 0 to 37")?;
        scanner.end()?;
        Ok(Setup { board, side, supply, stall, peak })
    }

    /// Fewer towers than nine in all, or fewer than six on the board, cannot come about, but
    /// nothing in the rules depends on their number.
    fn validate(&self) -> Result<Position, Vec<Flaw>> {
        let mut position = Position {
            stones: [0; 2],
            towers: 0,
            side: self.side,
            supply: self.supply as u8,
            stall: self.stall as u8,
            peak: self.peak as u8,
        };
        for cell in Cell::all() {
            let stone = match self.board[usize::from(cell.index())] {
                None => continue,
                Some(Occupant::Stone(side)) => Some(side),
                Some(Occupant::Tower(stone)) => {
                    position.towers |= cell.bit();
                    stone
                }
            };
            if let Some(side) = stone {
                position.stones[side.index()] |= cell.bit();
            }
        }
        let mut flaws = Vec::new();
        let &Setup { supply, stall, peak, .. } = self;
        let on_board = position.towers.count_ones();
        if on_board.saturating_add(supply) > TOWERS {
            flaws.push(Flaw::TooManyTowers { on_board, supply });
        }
        if stall > STALL.into() {
            flaws.push(Flaw::StallTooHigh(stall));
        }
        let occupied = CELLS as u32 - position.empty().count_ones();
        if peak < occupied {
            flaws.push(Flaw::PeakTooLow { peak, occupied });
        }
        if peak > CELLS as u32 {
            flaws.push(Flaw::PeakTooHigh(peak));
        }
        if flaws.is_empty() { Ok(position) } else { Err(flaws) }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut board = [None; CELLS];
        for cell in Cell::all() {
            board[usize::from(cell.index())] = position.at(cell);
        }
        Setup {
            board,
            side: position.side,
            supply: position.supply.into(),
            stall: position.stall.into(),
            peak: position.peak.into(),
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in rows().rev() {
            let last = row.start == 0;
            write_rank(f, self.board[row].iter().map(|cell| cell.map(Occupant::letter)))?;
            if !last {
                write!(f, "/")?;
            }
        }
        write!(f, " {} {} {} {}", side_letter(self.side), self.supply, self.stall, self.peak)
    }
}
