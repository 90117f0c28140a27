//! Positions as text, and which of them are possible.

use std::fmt;

use super::board::{colour_letter, letter_colour};
use super::{CHECKERS, Position, SQUARES, Square, Stack};
use crate::Side;
use crate::objection::cites;
use crate::text::{ParseError, Scanner};

/// A row of stacks that is not yet validated, in any order of colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The checkers on each square, from the bottom up.
    pub stacks: [Vec<Side>; SQUARES],
    /// Whose turn it is.
    pub side: Side,
}

/// Why a setup is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// Two checkers of one colour lie on each other.
    #[error("checkers {height} and {} of {} have the same colour", .height + 1, .square.letter())]
    SameColours {
        /// The stack.
        square: Square,
        /// The lower of the two, counted from the bottom from one.
        height: usize,
    },
    /// There are more checkers than the game has.
    #[error("{0} checkers, but the game has only {CHECKERS}")]
    TooManyCheckers(usize),
}

cites!(Flaw {
    Flaw::SameColours { square, height } => Clause(4) "same-colours"
        { square = square.letter(), lower = height, upper = height + 1 }
    Flaw::TooManyCheckers(count) => Clause(1) "too-many-checkers" { count, most = CHECKERS }
});

impl crate::Setup for Setup {
    type Position = Position;
    type Flaw = Flaw;

    fn parse(text: &str, (): ()) -> Result<Setup, ParseError> {
        let mut scanner = Scanner::new(text);
        let mut stacks: [Vec<Side>; SQUARES] = Default::default();
        for square in Square::all() {
            if square.index() > 0 {
                scanner.expect('/', "'/' and the next of the eight stacks")?;
            }
            if scanner.eat('-') {
                continue;
            }
            let stack = &mut stacks[square.index()];
            stack.push(scanner.one("a stack of 'r' and 'b', or '-'", letter_colour)?);
            while !matches!(scanner.peek(), None | Some('/' | ' ')) {
                stack.push(scanner.one("'r', 'b' or '/'", letter_colour)?);
            }
        }
        scanner.gap("the side to move")?;
        let side = scanner.one("the side to move, 'r' or 'b'", letter_colour)?;
        scanner.end()?;
        Ok(Setup { stacks, side })
    }

    /// Colours must alternate, and there may be no more checkers in all than the game has. How
    /// many of them are red is not asked: the game's 872,893,441 arrangements are those of at most
    /// 24 checkers.
    fn validate(&self) -> Result<Position, Vec<Flaw>> {
        let mut flaws = Vec::new();
        for square in Square::all() {
            for (below, pair) in self.stacks[square.index()].windows(2).enumerate() {
                if pair[0] == pair[1] {
                    flaws.push(Flaw::SameColours { square, height: below + 1 });
                }
            }
        }
        let checkers: usize = self.stacks.iter().map(Vec::len).sum();
        if checkers > CHECKERS as usize {
            flaws.push(Flaw::TooManyCheckers(checkers));
        }
        if !flaws.is_empty() {
            return Err(flaws);
        }
        let stacks = std::array::from_fn(|index| {
            let colours = &self.stacks[index];
            colours.last().map_or(Stack::EMPTY, |&top| Stack::new(colours.len() as u8, top))
        });
        Ok(Position { stacks, side: self.side })
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        Setup {
            stacks: position.stacks.map(|stack| stack.colours().collect()),
            side: position.side,
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stack) in self.stacks.iter().enumerate() {
            if index > 0 {
                write!(f, "/")?;
            }
            if stack.is_empty() {
                write!(f, "-")?;
            }
            for &colour in stack {
                write!(f, "{}", colour_letter(colour))?;
            }
        }
        write!(f, " {}", colour_letter(self.side))
    }
}
