//! Moves as text: how many checkers, the square, the direction: `2c>`.

use super::{CHECKERS, Direction, Move, Position, Setup, Square, Violation};
use crate::text::{ParseError, Scanner};

impl crate::Notation for Position {
    type Setup = Setup;
    type Violation = Violation;

    fn to_setup(&self) -> Setup {
        Setup::from(self)
    }

    fn move_text(&self, mv: Move) -> String {
        format!("{}{}{}", mv.carried, mv.from.letter(), mv.direction.symbol())
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let mut scanner = Scanner::new(text);
        let carried =
            scanner.number(1..=CHECKERS, "the number of checkers carried, 1 to 24")? as u8;
        let from =
            scanner.one("a square from a to h", |c| Square::from_letter(c.to_ascii_lowercase()))?;
        let direction = scanner.one("the direction, '<' or '>'", |c| {
            Direction::BOTH.into_iter().find(|direction| direction.symbol() == c)
        })?;
        scanner.end()?;
        Ok(Move { from, carried, direction })
    }

    fn violation(&self, mv: Move) -> Option<Violation> {
        self.find_violation(mv)
    }
}
