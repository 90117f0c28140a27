//! Positions as text, and which of them are possible.

use std::fmt;

use super::board::{colour_letter, letter_colour};
use super::{MAX_SIZE, Point, Position, Size};
use crate::objection::{cites, player};
use crate::ranks::{parse_rank, write_rank};
use crate::text::{ParseError, Scanner};
use crate::{Playable, Side};

/// A board that is not yet validated, with stones on any points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The size of the board.
    pub size: Size,
    /// The points by rank and file, from `a1`. Those beyond the size have to be empty.
    pub cells: [[Option<Side>; MAX_SIZE as usize]; MAX_SIZE as usize],
    /// Whose turn it is.
    pub side: Side,
}

/// Why a setup is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A stone stands where only the other colour can be placed.
    #[error("{0} can hold no stone of {stones}", stones = Position::INFO.side(.0.colour().other()))]
    WrongColour(Point),
    /// A stone stands outside the board.
    #[error("{0} is not on this board")]
    OffTheBoard(Point),
}

cites!(Flaw {
    Flaw::WrongColour(point) => Clause(2) "wrong-colour"
        { point, side = player(point.colour().other()) }
    Flaw::OffTheBoard(point) => Clause(1) "off-the-board" { point }
});

impl crate::Setup for Setup {
    type Position = Position;
    type Flaw = Flaw;

    /// The size is the number of ranks in the text, whatever the options say.
    fn parse(text: &str, _: Size) -> Result<Setup, ParseError> {
        let size = parse_size(text)?;
        let width = usize::from(size.get());
        let mut scanner = Scanner::new(text);
        let mut cells = [[None; MAX_SIZE as usize]; MAX_SIZE as usize];
        for rank in (0..width).rev() {
            let stones = parse_rank(&mut scanner, width, "'b', 'w'", letter_colour)?;
            cells[rank][..width].copy_from_slice(&stones);
            if rank > 0 {
                scanner.expect('/', &format!("'/' after the {width} points of this rank"))?;
            }
        }
        scanner.gap("the side to move")?;
        let side = scanner.one("the side to move, 'b' or 'w'", letter_colour)?;
        scanner.end()?;
        Ok(Setup { size, cells, side })
    }

    fn validate(&self) -> Result<Position, Vec<Flaw>> {
        let mut flaws = Vec::new();
        let mut stones = self.size.board().ring;
        for point in Size::DEFAULT.points() {
            let Some(side) = self.at(point) else { continue };
            if !self.size.holds(point) {
                flaws.push(Flaw::OffTheBoard(point));
            } else if point.colour() != side {
                flaws.push(Flaw::WrongColour(point));
            } else {
                stones[side.index()] = stones[side.index()].with(point.slot());
            }
        }
        if !flaws.is_empty() {
            return Err(flaws);
        }
        Ok(Position::assemble(self.size, stones, self.side))
    }
}

impl Setup {
    /// What stands on a point.
    pub fn at(&self, point: Point) -> Option<Side> {
        self.cells[usize::from(point.rank())][usize::from(point.file())]
    }
}

/// Counts the ranks, which give the size.
fn parse_size(text: &str) -> Result<Size, ParseError> {
    let board = text.split(' ').next().unwrap_or("");
    let ranks = board.split('/').count();
    let size = u8::try_from(ranks).ok().and_then(Size::new);
    size.ok_or_else(|| {
        let stray = |c: char| !matches!(c, 'b' | 'w' | '/' | '0'..='9');
        if let Some(offset) = board.find(stray) {
            ParseError::new(text, offset, "'b', 'w', a number or '/'")
        } else if ranks > usize::from(MAX_SIZE) {
            let (offset, _) =
                board.match_indices('/').nth(usize::from(MAX_SIZE) - 1).unwrap_or((0, ""));
            let expected = format!("the side to move: a board has {MAX_SIZE} ranks at most");
            ParseError::new(text, offset, expected)
        } else {
            let expected = format!("'/' and another rank: 3, 5, 7 … or 19 ranks, not {ranks}");
            ParseError::new(text, board.len(), expected)
        }
    })
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut cells = [[None; MAX_SIZE as usize]; MAX_SIZE as usize];
        for point in position.size.points() {
            cells[usize::from(point.rank())][usize::from(point.file())] = position.at(point);
        }
        Setup { size: position.size, cells, side: position.side }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = usize::from(self.size.get());
        for (index, rank) in self.cells[..width].iter().rev().enumerate() {
            if index > 0 {
                write!(f, "/")?;
            }
            write_rank(f, rank[..width].iter().map(|cell| cell.map(colour_letter)))?;
        }
        write!(f, " {}", colour_letter(self.side))
    }
}
