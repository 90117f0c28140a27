//! Positions as text, and which of them are possible.

use std::fmt;

use super::board::{letter_side, side_letter};
use super::notation::cell;
use super::ring::{RING, side_of, track};
use super::{Cell, FULL_HEIGHT, Point, Position, RuleSet, STALL, Space, Stack, WIDTH};
use crate::objection::{cites, player};
use crate::text::{ParseError, Scanner};
use crate::{Playable, Side};

/// A board that is not yet validated, with stacks of any height and pawns anywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The rule set that is played.
    pub rules: RuleSet,
    /// The spaces by rank and file, from `b2`.
    pub board: [[Option<Stack>; WIDTH as usize]; WIDTH as usize],
    /// Where the pawns stand, Black's first.
    pub pawns: [Cell; 2],
    /// Whose turn it is.
    pub side: Side,
    /// How many turns in a row have dropped no piece.
    pub stall: u32,
}

/// Why a setup is impossible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A stack has more than four pieces, or none.
    #[error("the stack on {space} has {height} pieces, but a stack has one to {FULL_HEIGHT}")]
    WrongHeight {
        /// Where it stands.
        space: Space,
        /// How many pieces it has.
        height: u8,
    },
    /// A pawn stands outside the ring.
    #[error("{}'s pawn stands on {cell}, which is no point of the ring", Position::INFO.side(*.side))]
    OffTheRing {
        /// Whose pawn it is.
        side: Side,
        /// Where it stands.
        cell: Cell,
    },
    /// A pawn stands outside its track.
    #[error("{}'s pawn stands on {cell}, which is not on its track", Position::INFO.side(*.side))]
    OffTheTrack {
        /// Whose pawn it is.
        side: Side,
        /// Where it stands.
        cell: Cell,
    },
    /// Both pawns stand on one point.
    #[error("both pawns stand on {0}")]
    SamePoint(Cell),
    /// Both pawns stand on one side.
    #[error("the pawns on {} and {} stand on the same side", .0[0], .0[1])]
    SameSide([Point; 2]),
    /// The game would have ended before.
    #[error("{0} turns without a drop, but the game ends after {STALL}")]
    StallTooLong(u32),
}

cites!(Flaw {
    Flaw::WrongHeight { space, height } => Clause(1) "wrong-height"
        { space, height, most = FULL_HEIGHT }
    Flaw::OffTheRing { side, cell } => Clause(6) "off-the-ring" { side = player(*side), cell }
    Flaw::OffTheTrack { side, cell } => Clause(9) "off-the-track" { side = player(*side), cell }
    Flaw::SamePoint(cell) => Clause(7) "same-point" { cell }
    Flaw::SameSide([one, other]) => Clause(7) "same-side" { one, other }
    Flaw::StallTooLong(count) => Ruling(3) "stall-too-long" { count, most = STALL }
});

impl Setup {
    /// The stacks, rank by rank from `b2`.
    fn stacks(&self) -> impl Iterator<Item = (Space, Stack)> {
        Space::all().filter_map(|space| {
            let stack = self.board[usize::from(space.rank())][usize::from(space.file())];
            stack.map(|stack| (space, stack))
        })
    }

    /// The points that the pawns stand on, if both stand where they may; what is wrong is added to
    /// `flaws`.
    fn points(&self, flaws: &mut Vec<Flaw>) -> Option<[Point; 2]> {
        let [black, white] = Side::BOTH.map(|side| {
            let cell = self.pawns[side.index()];
            let (allowed, flaw) = match self.rules {
                RuleSet::Spaces => (RING, Flaw::OffTheRing { side, cell }),
                RuleSet::Points => (track(side), Flaw::OffTheTrack { side, cell }),
            };
            let point = cell.point().filter(|point| point.bit() & allowed != 0);
            if point.is_none() {
                flaws.push(flaw);
            }
            point
        });
        if self.pawns[0] == self.pawns[1] {
            flaws.push(Flaw::SamePoint(self.pawns[0]));
            return None;
        }
        let points = [black?, white?];
        // Clause 7. A pawn that stands on a side keeps the other one from stopping there.
        if self.rules == RuleSet::Spaces && side_of(points[0]) & points[1].bit() != 0 {
            flaws.push(Flaw::SameSide(points));
        }
        Some(points)
    }
}

impl crate::Setup for Setup {
    type Position = Position;
    type Flaw = Flaw;

    fn parse(text: &str, rules: RuleSet) -> Result<Setup, ParseError> {
        let mut scanner = Scanner::new(text);
        let mut board = [[None; WIDTH as usize]; WIDTH as usize];
        for rank in (0..board.len()).rev() {
            parse_rank(&mut scanner, &mut board[rank])?;
            if rank > 0 {
                scanner.expect('/', "'/' after the 7 spaces of this rank")?;
            }
        }
        scanner.gap("the point of Black's pawn")?;
        let black = cell(&mut scanner, "the point of Black's pawn")?;
        scanner.gap("the point of White's pawn")?;
        let white = cell(&mut scanner, "the point of White's pawn")?;
        scanner.gap("the side to move")?;
        let side = scanner.one("the side to move, 'b' or 'w'", letter_side)?;
        scanner.gap("the stall count")?;
        let stall = scanner.number(0..=u32::MAX, "the number of turns without a drop, 0 to 40")?;
        scanner.end()?;
        Ok(Setup { rules, board, pawns: [black, white], side, stall })
    }

    fn validate(&self) -> Result<Position, Vec<Flaw>> {
        let mut flaws = Vec::new();
        let mut owned = [0; 2];
        let mut at_least = [0; FULL_HEIGHT as usize];
        for (space, Stack { owner, height }) in self.stacks() {
            owned[owner.index()] |= space.bit();
            for spaces in at_least.iter_mut().take(height.into()) {
                *spaces |= space.bit();
            }
            if !(1..=FULL_HEIGHT).contains(&height) {
                flaws.push(Flaw::WrongHeight { space, height });
            }
        }
        let pawns = self.points(&mut flaws);
        if self.stall > STALL.into() {
            flaws.push(Flaw::StallTooLong(self.stall));
        }
        match pawns {
            Some(pawns) if flaws.is_empty() => Ok(Position {
                owned,
                higher: [at_least[1], at_least[2], at_least[3]],
                pawns,
                side: self.side,
                stall: self.stall as u8,
                rules: self.rules,
            }),
            _ => Err(flaws),
        }
    }
}

/// Reads one rank: stacks such as `b3`, and runs of empty spaces such as `x` or `x4`.
fn parse_rank(
    scanner: &mut Scanner<'_>,
    rank: &mut [Option<Stack>; WIDTH as usize],
) -> Result<(), ParseError> {
    let mut filled = 0;
    while filled < rank.len() {
        let left = rank.len() - filled;
        let spaces_left = if left == 1 { "space" } else { "spaces" };
        if filled > 0 {
            let expected = format!("',' and {left} more {spaces_left} in this rank");
            scanner.expect(',', &expected)?;
        }
        if scanner.eat('x') {
            filled += match scanner.peek() {
                Some(c) if c.is_ascii_digit() => {
                    let expected = format!("a number from 1 to {left}");
                    scanner.number(1..=left as u32, &expected)? as usize
                }
                _ => 1,
            };
        } else {
            let expected =
                format!("{left} more {spaces_left} in this rank: 'x', or 'b' or 'w' and a height");
            let owner = scanner.one(&expected, letter_side)?;
            let height = scanner.number(1..=9, "the height of the stack, 1 to 4")? as u8;
            rank[filled] = Some(Stack { owner, height });
            filled += 1;
        }
    }
    Ok(())
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut board = [[None; WIDTH as usize]; WIDTH as usize];
        for space in Space::all() {
            board[usize::from(space.rank())][usize::from(space.file())] = position.stack(space);
        }
        Setup {
            rules: position.rules,
            board,
            pawns: position.pawns.map(Point::cell),
            side: position.side,
            stall: position.stall.into(),
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, rank) in self.board.iter().rev().enumerate() {
            if index > 0 {
                write!(f, "/")?;
            }
            for (index, run) in rank.chunk_by(|a, b| a.is_none() && b.is_none()).enumerate() {
                if index > 0 {
                    write!(f, ",")?;
                }
                match (run[0], run.len()) {
                    (Some(Stack { owner, height }), _) => {
                        write!(f, "{}{height}", side_letter(owner))?;
                    }
                    (None, 1) => write!(f, "x")?,
                    (None, length) => write!(f, "x{length}")?,
                }
            }
        }
        let [black, white] = self.pawns;
        write!(f, " {black} {white} {} {}", side_letter(self.side), self.stall)
    }
}
