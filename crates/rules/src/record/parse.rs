//! Text to records.

use std::collections::HashMap;

use super::{GLYPHS, MAX_DEPTH, Node, Record, RecordError, is_free_key, is_off_board, result_text};
use crate::text::ParseError;
use crate::{AnyPosition, Game, MoveError, Outcome, Reason, Side};

impl Record {
    /// Reads a record and checks every move in it. Lines may end in `\r\n`.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let text = &text.replace("\r\n", "\n");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let header = Header::parse(text)?;
        let mut record = Record::new(header.start.clone());
        record.tags = header.tags;
        record.sort_tags();
        let mut moves = Moves { text, at: header.end };
        record.comment = moves.comments()?;
        let Played { nodes, end, unplaced } = moves.line(&header.start, 0)?;
        record.line = nodes;
        join_comments(&mut record.comment, &unplaced);
        if !moves.rest().is_empty() {
            return Err(moves.error("a move or the end").into());
        }
        record.result = end.outcome();
        if let Some(said) = header.result {
            let fits = said.outcome == record.result
                || record.result.is_none() && said.outcome.is_some_and(is_off_board);
            if !fits {
                let found = result_text(record.game(), record.result);
                let said_text = result_text(record.game(), said.outcome);
                return Err(RecordError::Result { line: said.line, said: said_text, found });
            }
            record.result = said.outcome;
        }
        Ok(record)
    }
}

/// What the `key: value` lines say.
struct Header {
    start: AnyPosition,
    tags: Vec<(String, String)>,
    result: Option<SaidResult>,
    /// Where the moves begin.
    end: usize,
}

struct SaidResult {
    outcome: Option<Outcome>,
    line: usize,
}

/// A `key: value` line and where its parts are.
struct Line<'a> {
    key: &'a str,
    value: &'a str,
    value_at: usize,
    number: usize,
}

impl Header {
    fn parse(text: &str) -> Result<Header, RecordError> {
        let (lines, end) = header_lines(text)?;
        let find = |key: &str| lines.iter().find(|line| line.key == key);
        let game_line = find("game")
            .ok_or_else(|| ParseError::new(text, 0, "a line 'game: …' that names the game"))?;
        let game: Game = game_line.value.parse().map_err(|unknown| {
            ParseError::new(text, game_line.value_at, format!("a game ({unknown})"))
        })?;
        let start = match find("start") {
            None => game.start(),
            Some(line) => game
                .position(line.value)
                .map_err(|error| RecordError::Start { line: line.number, error })?,
        };
        let result = match find("result") {
            None => None,
            Some(line) => {
                let outcome = parse_result(game, line.value).ok_or_else(|| {
                    let [first, second] = Side::BOTH.map(|side| game.side_word(side));
                    let expected = format!(
                        "'{first} wins (reason)', '{second} wins (reason)', 'draw (reason)' or 'unfinished'"
                    );
                    ParseError::new(text, line.value_at, expected)
                })?;
                Some(SaidResult { outcome, line: line.number })
            }
        };
        let tags = lines
            .iter()
            .filter(|line| is_free_key(line.key) && !line.value.is_empty())
            .map(|line| (line.key.to_owned(), line.value.to_owned()))
            .collect();
        Ok(Header { start, tags, result, end })
    }
}

/// The lines of the header, and where the moves begin. The header ends at the first line that is
/// empty or does not begin with a key and a colon.
fn header_lines(text: &str) -> Result<(Vec<Line<'_>>, usize), ParseError> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let Some((key, value)) = line.split_once(':') else { break };
        if key.is_empty() || !key.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-') {
            if key.starts_with(|c: char| c.is_ascii_alphabetic()) && !key.contains(['{', '(']) {
                let expected = "a header line 'key: value' with a key of a-z, 0-9 and -";
                return Err(ParseError::new(text, at, expected));
            }
            break;
        }
        if key.bytes().any(|c| c.is_ascii_uppercase()) {
            return Err(ParseError::new(text, at, "a key in lower case"));
        }
        if let Some(earlier) = known.insert(key, index + 1) {
            let expected = format!("each key once ('{key}' is on line {earlier} too)");
            return Err(ParseError::new(text, at, expected));
        }
        let value_at = at + key.len() + 1 + (value.len() - value.trim_start().len());
        let value = value.trim();
        if let Some((bad, _)) = value.char_indices().find(|(_, c)| c.is_control()) {
            return Err(ParseError::new(
                text,
                value_at + bad,
                "a value without control characters",
            ));
        }
        lines.push(Line { key, value, value_at, number: index + 1 });
        at += line.len();
    }
    Ok((lines, at))
}

/// The result of a text such as `white wins (no-checkers)`; the outer option is whether it is one.
fn parse_result(game: Game, text: &str) -> Option<Option<Outcome>> {
    if text == "unfinished" {
        return Some(None);
    }
    let (what, reason) = text.strip_suffix(')')?.split_once(" (")?;
    let reason = Reason::from_word(reason)?;
    let winner = match what {
        "draw" => None,
        _ => Some(
            Side::BOTH
                .into_iter()
                .find(|&side| what.strip_suffix(" wins") == Some(&game.side_word(side)))?,
        ),
    };
    Some(Some(Outcome { winner, reason }))
}

/// A line of play that was read.
struct Played {
    nodes: Vec<Node>,
    /// The position after the last move.
    end: AnyPosition,
    /// What was said before a first move that did not come.
    unplaced: String,
}

/// The moves being read.
struct Moves<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Moves<'a> {
    /// A line of play from `start`. Stops before `)` or at the end.
    fn line(&mut self, start: &AnyPosition, depth: usize) -> Result<Played, RecordError> {
        let mut nodes: Vec<Node> = Vec::new();
        // What is said before the first move belongs to it.
        let mut opening = String::new();
        let mut before = start.clone();
        let mut position = start.clone();
        loop {
            self.skip_space();
            match self.rest().chars().next() {
                None | Some(')') => {
                    return Ok(Played { nodes, end: position, unplaced: opening });
                }
                Some('(') => {
                    let Some(node) = nodes.last_mut() else {
                        return Err(self.error("a move before its variations").into());
                    };
                    if depth + 1 > MAX_DEPTH {
                        let expected = format!("variations nested at most {MAX_DEPTH} deep");
                        return Err(self.error(expected).into());
                    }
                    let open = self.at;
                    self.at += 1;
                    let variation = self.line(&before, depth + 1)?.nodes;
                    if !self.rest().starts_with(')') {
                        return Err(self.error("')' to close the variation").into());
                    }
                    if variation.is_empty() {
                        return Err(
                            ParseError::new(self.text, open, "a variation with moves").into()
                        );
                    }
                    self.at += 1;
                    node.variations.push(variation);
                }
                Some('{') => {
                    let comment = self.comments()?;
                    let about = nodes.last_mut().map_or(&mut opening, |node| &mut node.comment);
                    join_comments(about, &comment);
                }
                Some(_) => {
                    let Some((mv, glyph)) = self.word()? else { continue };
                    before = position.clone();
                    let text = position.play(mv).map_err(|error| self.move_error(mv, error))?;
                    let comment = std::mem::take(&mut opening);
                    nodes.push(Node { glyph, comment, ..Node::new(text) });
                }
            }
        }
    }

    /// A move and the sign after it, or nothing if the word was a move number.
    fn word(&mut self) -> Result<Option<(&'a str, &'static str)>, ParseError> {
        let rest = &self.text[self.at..];
        // `12.` and `12...` are move numbers; what follows directly is a word of its own.
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let dots = rest[digits..].bytes().take_while(|&c| c == b'.').count();
        if digits > 0 && dots > 0 {
            self.at += digits + dots;
            return Ok(None);
        }
        let ends = |c: char| c.is_whitespace() || "(){}".contains(c);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        if word.is_empty() {
            return Err(self.error("a move"));
        }
        self.at += word.len();
        let glyph = GLYPHS.into_iter().find(|glyph| word.ends_with(glyph)).unwrap_or("");
        Ok(Some((&word[..word.len() - glyph.len()], glyph)))
    }

    /// Any comments that stand here, joined.
    fn comments(&mut self) -> Result<String, ParseError> {
        let mut comments = String::new();
        loop {
            self.skip_space();
            if !self.rest().starts_with('{') {
                return Ok(comments);
            }
            let open = self.at;
            self.at += 1;
            let mut comment = String::new();
            let mut chars = self.rest().char_indices();
            loop {
                let (at, c, escaped) = match chars.next() {
                    Some((at, '\\')) => (at, chars.next().map(|(_, c)| c), true),
                    Some((at, c)) => (at, Some(c), false),
                    None => (0, None, false),
                };
                match c {
                    Some('}') if !escaped => {
                        self.at += at + 1;
                        break;
                    }
                    Some(c) if c.is_control() && !matches!(c, '\n' | '\t') => {
                        let expected = "a comment without control characters";
                        return Err(ParseError::new(self.text, self.at + at, expected));
                    }
                    Some(c) => comment.push(c),
                    None => {
                        let expected = "a comment that ends in '}'";
                        return Err(ParseError::new(self.text, open, expected));
                    }
                }
            }
            join_comments(&mut comments, comment.trim());
        }
    }

    /// What is wrong with the move that was just read, and where: it ends here, or before its glyph.
    fn move_error(&self, mv: &str, error: MoveError) -> RecordError {
        let start = self.text[..self.at].rfind(mv).unwrap_or(self.at);
        match error {
            MoveError::Parse(error) => {
                ParseError::new(self.text, start + error.offset(), error.expected()).into()
            }
            error => {
                let line = self.text[..start].matches('\n').count() + 1;
                RecordError::Move { line, error }
            }
        }
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, expected: impl Into<String>) -> ParseError {
        ParseError::new(self.text, self.at, expected)
    }
}

fn join_comments(comments: &mut String, more: &str) {
    if !comments.is_empty() && !more.is_empty() {
        comments.push(' ');
    }
    comments.push_str(more);
}
