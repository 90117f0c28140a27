//! Boards as text: ranks of letters, with numbers for runs of empty cells.

use std::fmt;

use crate::text::{ParseError, Scanner};

/// Reads one rank of `width` cells. `letters` names the letters that `read` understands.
pub(crate) fn parse_rank<T>(
    scanner: &mut Scanner<'_>,
    width: usize,
    letters: &str,
    read: impl Fn(char) -> Option<T>,
) -> Result<Vec<Option<T>>, ParseError> {
    let mut cells = Vec::with_capacity(width);
    while cells.len() < width {
        let left = width - cells.len();
        match scanner.peek() {
            Some(c) if c.is_ascii_digit() => {
                let expected = format!("a number from 1 to {left}");
                let run = scanner.number(1..=left as u32, &expected)?;
                cells.extend((0..run).map(|_| None));
            }
            _ => {
                let cells_left = if left == 1 { "cell" } else { "cells" };
                let expected = format!("{left} more {cells_left} here: {letters} or a number");
                cells.push(Some(scanner.one(&expected, &read)?));
            }
        }
    }
    Ok(cells)
}

/// Writes one rank, given the letter of each cell that is not empty.
pub(crate) fn write_rank(
    f: &mut fmt::Formatter<'_>,
    letters: impl Iterator<Item = Option<char>>,
) -> fmt::Result {
    let mut empty = 0;
    for letter in letters {
        match letter {
            None => empty += 1,
            Some(letter) => {
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                write!(f, "{letter}")?;
            }
        }
    }
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}
