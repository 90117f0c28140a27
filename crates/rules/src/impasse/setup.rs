//! Positions as text, and which of them are possible.

use std::fmt;

use super::{CHECKERS, Checkers, Position, Square};
use crate::objection::{cites, player};
use crate::ranks::{parse_rank, write_rank};
use crate::text::{ParseError, Scanner};
use crate::{Playable, Side};

/// A board that is not yet validated, light squares included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The squares by rank and file, from `a1`.
    pub board: [[Option<Checkers>; 8]; 8],
    /// Whose turn it is.
    pub side: Side,
}

/// Why a setup is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A checker stands on a light square.
    #[error("{} is a light square and must be empty", square_name(*.file, *.rank))]
    LightSquare {
        /// The file, from zero.
        file: u8,
        /// The rank, from zero.
        rank: u8,
    },
    /// A player has more checkers than the game gives.
    #[error("{} has {count} checkers, but only {CHECKERS} exist", Position::INFO.side(*.side))]
    TooManyCheckers {
        /// The player.
        side: Side,
        /// How many they have.
        count: u32,
    },
    /// Nobody has a checker, so nobody can have been the first to have none.
    #[error("neither player has a checker, but the game ends as soon as one of them has none")]
    NoCheckers,
}

fn square_name(file: u8, rank: u8) -> String {
    format!("{}{}", (b'a' + file) as char, rank + 1)
}

cites!(Flaw {
    Flaw::LightSquare { file, rank } => Clause(1) "light-square"
        { square = square_name(*file, *rank) }
    Flaw::TooManyCheckers { side, count } => Clause(1) "too-many-checkers"
        { side = player(*side), count, most = CHECKERS }
    Flaw::NoCheckers => Clause(6) "no-checkers" {}
});

/// `w` for White, who moves first, and `b` for Black.
fn side_letter(side: Side) -> char {
    Checkers::Single(side).letter()
}

impl crate::Setup for Setup {
    type Position = Position;
    type Flaw = Flaw;

    fn parse(text: &str, (): ()) -> Result<Setup, ParseError> {
        let mut scanner = Scanner::new(text);
        let mut board = [[None; 8]; 8];
        for rank in (0..8).rev() {
            let letters = "'w', 'b', 'W', 'B'";
            let cells = parse_rank(&mut scanner, 8, letters, Checkers::from_letter)?;
            board[rank].copy_from_slice(&cells);
            if rank > 0 {
                scanner.expect('/', "'/' after the 8 squares of this rank")?;
            }
        }
        scanner.gap("the side to move")?;
        let side = scanner.one("the side to move, 'w' or 'b'", |letter| {
            Side::BOTH.into_iter().find(|&side| side_letter(side) == letter)
        })?;
        scanner.end()?;
        Ok(Setup { board, side })
    }

    fn validate(&self) -> Result<Position, Vec<Flaw>> {
        let mut flaws = Vec::new();
        let mut position = Position { singles: [0; 2], doubles: [0; 2], side: self.side };
        let mut counts = [0; 2];
        for rank in 0..8 {
            for file in 0..8 {
                let Some(checkers) = self.board[usize::from(rank)][usize::from(file)] else {
                    continue;
                };
                let (set, side, count) = match checkers {
                    Checkers::Single(side) => (&mut position.singles, side, 1),
                    Checkers::Double(side) => (&mut position.doubles, side, 2),
                };
                counts[side.index()] += count;
                match Square::new(file, rank) {
                    Some(square) => set[side.index()] |= square.bit(),
                    None => flaws.push(Flaw::LightSquare { file, rank }),
                }
            }
        }
        for side in Side::BOTH {
            let count = counts[side.index()];
            if count > CHECKERS {
                flaws.push(Flaw::TooManyCheckers { side, count });
            }
        }
        if counts == [0; 2] {
            flaws.push(Flaw::NoCheckers);
        }
        if flaws.is_empty() { Ok(position) } else { Err(flaws) }
    }
}

impl Position {
    /// The position with checkers on these squares, as bits numbered like [`Square::index`]: singles
    /// and doubles of each player. Nothing if a setup like this would be impossible. For programs
    /// that go through positions by the million; others read a [`Setup`], which says what is wrong.
    #[inline]
    pub fn from_squares(singles: [u64; 2], doubles: [u64; 2], side: Side) -> Option<Position> {
        const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
        let position = Position { singles, doubles, side };
        let sets = [singles[0], singles[1], doubles[0], doubles[1]];
        let stacks: u32 = sets.iter().map(|set| set.count_ones()).sum();
        let occupied = position.occupied();
        let is_possible = occupied & LIGHT == 0
            && occupied != 0
            && occupied.count_ones() == stacks
            && Side::BOTH.into_iter().all(|side| position.checkers(side) <= CHECKERS);
        is_possible.then_some(position)
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut board = [[None; 8]; 8];
        for square in Square::all() {
            board[usize::from(square.rank())][usize::from(square.file())] = position.at(square);
        }
        Setup { board, side: position.side }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, rank) in self.board.iter().rev().enumerate() {
            if index > 0 {
                write!(f, "/")?;
            }
            write_rank(f, rank.iter().map(|cell| cell.map(Checkers::letter)))?;
        }
        write!(f, " {}", side_letter(self.side))
    }
}
