//! Moves as text: the pawn's new point, then a drop, `a4@d4`, or the move of a stack,
//! `a4,d4-d6`; or `pass`.

use super::{Cell, Move, Point, Position, Setup, Space, Violation};
use crate::text::{ParseError, Scanner};

impl crate::Notation for Position {
    type Setup = Setup;
    type Violation = Violation;

    fn to_setup(&self) -> Setup {
        Setup::from(self)
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Pass => "pass".to_owned(),
            Move::Drop { pawn, on } => format!("{pawn}@{on}"),
            Move::MoveStack { pawn, from, to } => format!("{pawn},{from}-{to}"),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let mut scanner = Scanner::new(text);
        let mv = if matches!(scanner.peek(), Some('p' | 'P')) {
            for letter in "pass".chars() {
                scanner.one("'pass'", |c| (c.to_ascii_lowercase() == letter).then_some(()))?;
            }
            Move::Pass
        } else {
            let pawn = point(&mut scanner)?;
            if scanner.eat('@') {
                Move::Drop { pawn, on: space(&mut scanner)? }
            } else {
                scanner.expect(',', "'@' for a drop or ',' for the move of a stack")?;
                let from = space(&mut scanner)?;
                scanner.expect('-', "'-' and where the stack goes")?;
                Move::MoveStack { pawn, from, to: space(&mut scanner)? }
            }
        };
        scanner.end()?;
        Ok(mv)
    }

    fn violation(&self, mv: Move) -> Option<Violation> {
        self.find_violation(mv)
    }
}

fn point(scanner: &mut Scanner<'_>) -> Result<Point, ParseError> {
    let start = scanner.offset();
    cell(scanner, "the pawn's new point or 'pass'")?
        .point()
        .ok_or_else(|| scanner.error_at(start, "a point of the ring such as a4 or d9"))
}

fn space(scanner: &mut Scanner<'_>) -> Result<Space, ParseError> {
    let start = scanner.offset();
    let expected = "a space from b2 to h8";
    cell(scanner, expected)?.space().ok_or_else(|| scanner.error_at(start, expected))
}

/// Reads the name of any cell; `expected` says what it should be the name of.
pub(super) fn cell(scanner: &mut Scanner<'_>, expected: &str) -> Result<Cell, ParseError> {
    let file = scanner.one(expected, |c| {
        let letter = c.to_ascii_lowercase();
        ('a'..='i').contains(&letter).then(|| letter as u8 - b'a')
    })?;
    scanner.one("a rank from 1 to 9", |c| {
        c.to_digit(10).and_then(|rank| Cell::new(file, (rank as u8).wrapping_sub(1)))
    })
}
