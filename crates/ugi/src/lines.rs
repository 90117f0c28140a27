//! Lines from a program that may send anything: of bounded length, and not always text.

use std::io::{self, BufRead};

/// The longest line that is read, in bytes. The moves of the longest games take a few thousand.
const MAX_LINE: usize = 1 << 20;

/// What was on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    /// Text, without the line break.
    Text(String),
    /// Bytes that are no text: `valid` of them could be read.
    NotText { valid: usize },
    /// Longer than any command; it was skipped.
    TooLong,
}

impl Line {
    /// The text, or a sentence about why there is none.
    pub(crate) fn text(self) -> Result<String, String> {
        match self {
            Line::Text(text) => Ok(text),
            Line::NotText { valid } => Err(format!("the line is not UTF-8 text (byte {valid})")),
            Line::TooLong => Err(format!("the line is longer than {} MiB", MAX_LINE >> 20)),
        }
    }
}

/// Reads the next line; nothing at the end of the input. A last line needs no line break.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut is_empty = true;
    let mut too_long = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if buffer.is_empty() {
            if is_empty {
                return Ok(None);
            }
            break;
        }
        is_empty = false;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        too_long = too_long || bytes.len() + part.len() > MAX_LINE;
        if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if too_long {
        return Ok(Some(Line::TooLong));
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok(Some(match String::from_utf8(bytes) {
        Ok(text) => Line::Text(text),
        Err(error) => Line::NotText { valid: error.utf8_error().valid_up_to() },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_in_every_way() {
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(all(b""), []);
        assert_eq!(all(b"\n"), [text("")]);
        assert_eq!(all(b"one\ntwo\r\n\nlast"), [text("one"), text("two"), text(""), text("last")]);
    }

    #[test]
    fn invalid_text_is_reported_and_the_next_line_is_read() {
        assert_eq!(
            all(b"ab\xff\xfe\nugi"),
            [Line::NotText { valid: 2 }, Line::Text("ugi".to_owned())]
        );
    }

    #[test]
    fn long_lines_are_skipped_not_stored() {
        let mut input = vec![b'x'; MAX_LINE];
        assert_eq!(all(&input), [Line::Text("x".repeat(MAX_LINE))]);
        input.push(b'x');
        assert_eq!(all(&input), [Line::TooLong]);
        input.extend_from_slice(b"\nugi\n");
        let mut small = io::BufReader::with_capacity(7, &input[..]);
        assert_eq!(read_line(&mut small).unwrap(), Some(Line::TooLong));
        assert_eq!(read_line(&mut small).unwrap(), Some(Line::Text("ugi".to_owned())));
        assert_eq!(read_line(&mut small).unwrap(), None);
    }
}
