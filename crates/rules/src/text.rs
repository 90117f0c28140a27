//! Reading text: a small scanner, and the error that says where reading stopped and why.
//!
//! ```
//! use stoa_rules::Game;
//! let error = "colonnade".parse::<Game>()?.position("-/brbr/rbxb/-/-/-/-/- r").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "expected 'r', 'b' or '/', found 'x'\n  -/brbr/rbxb/-/-/-/-/- r\n           ^"
//! );
//! # Ok::<(), stoa_rules::UnknownGame>(())
//! ```

use std::fmt;

/// Text that could not be read: where, what was expected, what stood there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ParseError {
    text: String,
    offset: usize,
    /// How many characters are shown as found there.
    length: usize,
    expected: String,
}

/// How many characters of context an error shows on each side of the place it points at.
const CONTEXT: usize = 40;

impl ParseError {
    /// An error at byte `offset` of `text`; an offset inside a character moves to its start.
    pub fn new(text: &str, offset: usize, expected: impl Into<String>) -> ParseError {
        let offset = text.floor_char_boundary(offset);
        // Of a number all digits are shown, but not without end.
        let digits = text[offset..].bytes().take(20).take_while(u8::is_ascii_digit).count();
        ParseError {
            text: text.to_owned(),
            offset,
            length: digits.max(1),
            expected: expected.into(),
        }
    }

    /// The same error about the next `length` characters.
    #[must_use]
    pub fn spanning(self, length: usize) -> ParseError {
        ParseError { length, ..self }
    }

    /// Where reading stopped, in bytes from the start of the text.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// What would have been right there.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What stood there instead, in words: `'x'` or `the end`.
    pub fn found(&self) -> String {
        match self.text[self.offset..].chars().next() {
            None => "the end".to_owned(),
            Some(c) if c.is_control() => format!("{c:?}"),
            Some(_) => {
                let found = self.text[self.offset..].chars().take(self.length);
                format!("'{}'", found.map(shown).collect::<String>())
            }
        }
    }

    /// The line of text around the place, and a caret under the place. Long lines are cut, and
    /// control characters are shown as `·`, so the caret is always under the right character.
    pub fn excerpt(&self) -> (String, String) {
        let line_start = self.text[..self.offset].rfind('\n').map_or(0, |i| i + 1);
        let before: Vec<char> = self.text[line_start..self.offset].chars().collect();
        let after = self.text[self.offset..].split('\n').next().unwrap_or("");
        let cut_before = before.len().saturating_sub(CONTEXT);
        let mut line = String::new();
        let mut indent = before.len() - cut_before;
        if cut_before > 0 {
            line.push('…');
            indent += 1;
        }
        line.extend(before[cut_before..].iter().copied().map(shown));
        line.extend(after.chars().take(CONTEXT).map(shown));
        if after.chars().nth(CONTEXT).is_some() {
            line.push('…');
        }
        (line, format!("{}^", " ".repeat(indent)))
    }

    /// The line on which reading stopped, counted from one.
    pub fn line(&self) -> usize {
        self.text[..self.offset].matches('\n').count() + 1
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, caret) = self.excerpt();
        write!(f, "expected {}, found {}\n  {line}\n  {caret}", self.expected, self.found())
    }
}

/// A character that takes one column and does nothing else to a terminal.
fn shown(c: char) -> char {
    if c.is_control() { '·' } else { c }
}

/// A cursor over a text.
#[derive(Debug, Clone)]
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    /// The byte offset of the next character.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// What has not been read yet.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads `c` if it is next.
    pub(crate) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    /// Reads `c`, or says that `expected` should stand here.
    pub(crate) fn expect(&mut self, c: char, expected: &str) -> Result<(), ParseError> {
        if self.eat(c) { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Reads a character that `read` makes something of.
    pub(crate) fn one<T>(
        &mut self,
        expected: &str,
        read: impl Fn(char) -> Option<T>,
    ) -> Result<T, ParseError> {
        match self.peek().and_then(|c| read(c).map(|value| (value, c))) {
            Some((value, c)) => {
                self.at += c.len_utf8();
                Ok(value)
            }
            None => Err(self.error(expected)),
        }
    }

    /// Reads a number without sign or leading zeros, within `range`.
    pub(crate) fn number(
        &mut self,
        range: std::ops::RangeInclusive<u32>,
        expected: &str,
    ) -> Result<u32, ParseError> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = &rest[..digits];
        match number.parse::<u32>() {
            Ok(value) if range.contains(&value) && (digits == 1 || !number.starts_with('0')) => {
                self.at += digits;
                Ok(value)
            }
            _ => Err(self.error(expected)),
        }
    }

    /// Reads one or more spaces.
    pub(crate) fn gap(&mut self, before: &str) -> Result<(), ParseError> {
        self.expect(' ', &format!("a space and {before}"))?;
        while self.eat(' ') {}
        Ok(())
    }

    /// Nothing but spaces may follow.
    pub(crate) fn end(&mut self) -> Result<(), ParseError> {
        while self.eat(' ') {}
        if self.rest().is_empty() { Ok(()) } else { Err(self.error("the end")) }
    }

    /// An error at the next character.
    pub(crate) fn error(&self, expected: impl Into<String>) -> ParseError {
        self.error_at(self.at, expected)
    }

    /// An error at a place read before.
    pub(crate) fn error_at(&self, offset: usize, expected: impl Into<String>) -> ParseError {
        ParseError::new(self.text, offset, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_place_even_when_the_line_is_cut() {
        let text = format!("{}x{}", "é".repeat(100), "y".repeat(100));
        let error = ParseError::new(&text, 200, "something else");
        let (line, caret) = error.excerpt();
        assert_eq!(line.chars().count(), 1 + CONTEXT + CONTEXT + 1);
        assert_eq!(line.chars().nth(caret.chars().count() - 1), Some('x'));
        assert_eq!(error.found(), "'x'");
    }

    #[test]
    fn control_characters_are_shown_as_one_column() {
        let error = ParseError::new("a\tb\u{1b}[31m", 3, "the end");
        assert_eq!(error.to_string(), "expected the end, found '\\u{1b}'\n  a·b·[31m\n     ^");
        assert_eq!(ParseError::new("", 0, "a move").found(), "the end");
        assert_eq!(ParseError::new("\\", 0, "a move").found(), "'\\'", "no control character");
        assert_eq!(ParseError::new("é", 1, "a move").offset(), 0);
    }

    #[test]
    fn of_a_text_of_many_lines_one_is_shown() {
        let error = ParseError::new("one\ntwo\nthree", 8, "a move");
        assert_eq!(error.line(), 3);
        assert_eq!(error.to_string(), "expected a move, found 't'\n  three\n  ^");
    }

    #[test]
    fn numbers_and_spans_are_shown_whole() {
        assert_eq!(ParseError::new("b12/", 1, "1 to 4").found(), "'12'");
        assert_eq!(ParseError::new("d2-d3", 3, "a dark square").spanning(2).found(), "'d3'");
        assert_eq!(ParseError::new(&"9".repeat(99), 0, "less").found().len(), 22);
    }

    #[test]
    fn numbers_are_plain_and_within_range() {
        let read = |text: &str| Scanner::new(text).number(0..=40, "a count").ok();
        assert_eq!(read("0"), Some(0));
        assert_eq!(read("40"), Some(40));
        assert_eq!(read("41"), None);
        assert_eq!(read("07"), None);
        assert_eq!(read("+7"), None);
        assert_eq!(read(""), None);
        assert_eq!(read("99999999999999999999"), None);
    }
}
