//! Moves as text: place `c3`, move `b2-d3`, claim `d1=b1.c1`; a new tower adds `+d4`.

use super::board::{ROW_LENGTHS, between};
use super::{Cell, Move, Position, Setup, Violation};
use crate::bits::Bits;
use crate::text::{ParseError, Scanner};

impl crate::Notation for Position {
    type Setup = Setup;
    type Violation = Violation;

    fn to_setup(&self) -> Setup {
        Setup::from(self)
    }

    fn move_text(&self, mv: Move) -> String {
        match mv {
            Move::Place(cell) => cell.to_string(),
            Move::Step { from, to } => format!("{from}-{to}"),
            Move::Claim { tower, from, new_tower } => {
                // The numbers of the cells have the order of their names.
                let links: Vec<String> = Bits(between(tower, from))
                    .map(|link| Cell::from_bit(link).to_string())
                    .collect();
                let added = new_tower.map_or(String::new(), |cell| format!("+{cell}"));
                format!("{tower}={}{added}", links.join("."))
            }
        }
    }

    /// The linking cells of a claim may come in any order.
    fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let mut scanner = Scanner::new(text);
        let first = cell(&mut scanner)?;
        let mv = if scanner.eat('-') {
            Move::Step { from: first, to: cell(&mut scanner)? }
        } else if scanner.eat('=') {
            let from = other_end(&mut scanner, first)?;
            let new_tower = scanner.eat('+').then(|| cell(&mut scanner)).transpose()?;
            Move::Claim { tower: first, from, new_tower }
        } else if scanner.rest().trim_start_matches(' ').is_empty() {
            Move::Place(first)
        } else {
            return Err(scanner.error("'-' for a move, '=' for a claim or the end"));
        };
        scanner.end()?;
        Ok(mv)
    }

    fn violation(&self, mv: Move) -> Option<Violation> {
        self.find_violation(mv)
    }
}

/// Reads the linking cells of a claim, and finds the end of the line that they are on.
fn other_end(scanner: &mut Scanner<'_>, tower: Cell) -> Result<Cell, ParseError> {
    let mut links = 0;
    loop {
        let start = scanner.offset();
        let link = cell(scanner)?;
        let fits = |end| between(tower, end) & (links | link.bit()) == links | link.bit();
        if links & link.bit() != 0 {
            return Err(scanner.error_at(start, "a linking space that was not named before"));
        }
        if !Cell::all().any(fits) {
            let expected = format!("a space inside an unbroken straight line from {tower} (R3)");
            return Err(scanner.error_at(start, expected));
        }
        links |= link.bit();
        if !scanner.eat('.') {
            break;
        }
    }
    Cell::all().find(|&end| between(tower, end) == links).ok_or_else(|| {
        let expected = format!("'.' and the rest of an unbroken straight line from {tower} (R3)");
        scanner.error(expected)
    })
}

fn cell(scanner: &mut Scanner<'_>) -> Result<Cell, ParseError> {
    let row = scanner.one("a space such as d4, in a row from a to g", |c| {
        let row = c.to_ascii_lowercase();
        ('a'..='g').contains(&row).then(|| row as u8 - b'a')
    })?;
    let length = ROW_LENGTHS[usize::from(row)];
    let expected = format!("a number from 1 to {length} in row {}", (b'a' + row) as char);
    scanner.one(&expected, |c| Cell::new(row, (c.to_digit(10)? as u8).checked_sub(1)?))
}
