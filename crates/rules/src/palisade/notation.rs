//! Moves as text: the point, `d4`.

use super::{Move, Point, Position, Setup, Violation};
use crate::text::{ParseError, Scanner};

impl crate::Notation for Position {
    type Setup = Setup;
    type Violation = Violation;

    fn to_setup(&self) -> Setup {
        Setup::from(self)
    }

    fn move_text(&self, Move(point): Move) -> String {
        point.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let mut scanner = Scanner::new(text);
        let size = self.size.get();
        let last = (b'a' + size - 1) as char;
        let file = scanner.one(&format!("a file from a to {last}"), |c| {
            let letter = c.to_ascii_lowercase();
            ('a'..=last).contains(&letter).then(|| letter as u8 - b'a')
        })?;
        let rank = scanner.number(1..=size.into(), &format!("a rank from 1 to {size}"))?;
        scanner.end()?;
        Ok(Move(Point::at(file, rank as u8 - 1)))
    }

    fn violation(&self, mv: Move) -> Option<Violation> {
        self.find_violation(mv)
    }
}
