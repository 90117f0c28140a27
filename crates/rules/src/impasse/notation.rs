//! Moves as text: slide `a1-c3`, transpose `c7=b6`, removal `*e1`; a bear off adds `*`, a crown
//! adds `+from>to`.

use super::{Action, Crown, Move, Position, Setup, Square, Violation};
use crate::text::{ParseError, Scanner};

impl crate::Notation for Position {
    type Setup = Setup;
    type Violation = Violation;

    fn to_setup(&self) -> Setup {
        Setup::from(self)
    }

    fn move_text(&self, mv: Move) -> String {
        let mut text = match mv.action {
            Action::Slide { from, to } => format!("{from}-{to}"),
            Action::Transpose { from, onto } => format!("{from}={onto}"),
            Action::Remove(from) => format!("*{from}"),
        };
        if mv.bears_off {
            text.push('*');
        }
        if let Some(Crown { lifted, onto }) = mv.crown {
            text.push_str(&format!("+{lifted}>{onto}"));
        }
        text
    }

    /// The `*` of a bear off may be left out.
    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let mut scanner = Scanner::new(text);
        let action = if scanner.eat('*') {
            Action::Remove(square(&mut scanner)?)
        } else {
            let from = square(&mut scanner)?;
            if scanner.eat('=') {
                Action::Transpose { from, onto: square(&mut scanner)? }
            } else {
                scanner.expect('-', "'-' for a slide or '=' for a transpose")?;
                Action::Slide { from, to: square(&mut scanner)? }
            }
        };
        let bears_off = scanner.eat('*') || self.bears_off(action);
        let crown = if scanner.eat('+') {
            let lifted = square(&mut scanner)?;
            scanner.expect('>', "'>' and the square that is crowned")?;
            Some(Crown { lifted, onto: square(&mut scanner)? })
        } else {
            None
        };
        scanner.end()?;
        Ok(Move { action, bears_off, crown })
    }

    fn violation(&self, mv: Move) -> Option<Violation> {
        self.find_violation(mv)
    }
}

fn square(scanner: &mut Scanner<'_>) -> Result<Square, ParseError> {
    let start = scanner.offset();
    let file = scanner.one("a square", |c| file_of(c.to_ascii_lowercase()))?;
    let rank =
        scanner.one("a rank from 1 to 8", |c| c.to_digit(10).filter(|n| (1..=8).contains(n)))?;
    Square::new(file, rank as u8 - 1)
        .ok_or_else(|| scanner.error_at(start, "a dark square such as a1 or b2").spanning(2))
}

fn file_of(letter: char) -> Option<u8> {
    ('a'..='h').contains(&letter).then(|| letter as u8 - b'a')
}
