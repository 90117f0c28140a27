//! Records: whole games as text, with comments and variations.
//!
//! A record is a header of `key: value` lines, an empty line, and the moves. Reading checks every
//! move of every variation. Writing gives the canonical text, which reads back to the same record
//! and is written again byte for byte.
//!
//! ```
//! use stoa_rules::Record;
//!
//! let text = "\
//! game: colonnade
//! red: Ada
//! blue: Grace
//! result: red wins (resigned)
//!
//! 1. 1b< 1g>
//!    (1... 2f< {looser})
//! 2. 1f>!
//! ";
//! let record = Record::parse(text)?;
//! assert_eq!(record.tag("red"), Some("Ada"));
//! assert_eq!(record.main_line().count(), 3);
//! assert_eq!(record.to_string(), text);
//! # Ok::<(), stoa_rules::RecordError>(())
//! ```

mod parse;
mod write;

pub use write::result_text;

use crate::{
    AnyPosition, Game, MoveError, Outcome, ParseError, PositionError, Reason, Session, Side,
};

/// A whole game: where it began, its moves, who played, how it ended, what was said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    start: AnyPosition,
    /// Header lines other than `game`, `start` and `result`.
    tags: Vec<(String, String)>,
    result: Option<Outcome>,
    comment: String,
    line: Vec<Node>,
}

/// A move of a record with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RecordNode"))]
pub struct Node {
    /// The move in canonical text.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    text: String,
    /// How good it was: one of [`GLYPHS`], or nothing.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "str::is_empty"))]
    #[cfg_attr(feature = "ts", ts(as = "Option<String>", optional))]
    glyph: &'static str,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty"))]
    #[cfg_attr(feature = "ts", ts(as = "Option<String>", optional))]
    comment: String,
    /// Lines that might have been played instead of this move.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "ts", ts(as = "Option<Vec<Vec<Node>>>", optional))]
    variations: Vec<Vec<Node>>,
}

/// The signs that may follow a move: very good, very bad, interesting, doubtful, good, bad.
pub const GLYPHS: [&str; 6] = ["!!", "??", "!?", "?!", "!", "?"];

/// The deepest that variations may be nested.
pub const MAX_DEPTH: usize = 50;

impl Node {
    fn new(text: String) -> Node {
        Node { text, glyph: "", comment: String::new(), variations: Vec::new() }
    }

    /// The move in canonical text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How good it was, one of [`GLYPHS`], or the empty text.
    pub fn glyph(&self) -> &'static str {
        self.glyph
    }

    /// What was said about it, or the empty text.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Lines that might have been played instead of this move.
    pub fn variations(&self) -> impl Iterator<Item = &[Node]> {
        self.variations.iter().map(Vec::as_slice)
    }
}

impl Record {
    /// A record without moves.
    pub fn new(start: AnyPosition) -> Record {
        let result = start.outcome();
        Record { start, tags: Vec::new(), result, comment: String::new(), line: Vec::new() }
    }

    /// The game with its options.
    pub fn game(&self) -> Game {
        self.start.game()
    }

    /// Where the game began.
    pub fn start(&self) -> &AnyPosition {
        &self.start
    }

    /// A header line, such as `date` or the name of a player under the name of the side.
    pub fn tag(&self, key: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// All header lines other than `game`, `start` and `result`.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Sets a header line. The key is one or more of `a-z`, `0-9` and `-`; `game`, `start` and
    /// `result` are set by what the record is. Control characters in the value become spaces, and
    /// an empty value removes the line. Returns whether the key was one.
    pub fn set_tag(&mut self, key: &str, value: &str) -> bool {
        if !is_free_key(key) {
            return false;
        }
        self.tags.retain(|(known, _)| known != key);
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        if !value.trim().is_empty() {
            self.tags.push((key.to_owned(), value.trim().to_owned()));
            self.sort_tags();
        }
        true
    }

    /// How the game ended, or nothing if it has not.
    pub fn result(&self) -> Option<Outcome> {
        self.result
    }

    /// Ends the game by a resignation, by time, by agreement, or because a player left. Nothing changes, and the
    /// answer is false, if the board or the kind of end says otherwise.
    pub fn end(&mut self, outcome: Outcome) -> bool {
        let fits = self.result.is_none() && is_off_board(outcome);
        if fits {
            self.result = Some(outcome);
        }
        fits
    }

    /// What was said before the first move.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Says something before the first move.
    pub fn set_comment(&mut self, comment: &str) {
        self.comment = cleaned(comment);
    }

    /// Judges a move of the main line, counted from zero, with one of [`GLYPHS`] or nothing, and
    /// says something about it. Returns whether there is such a move and such a glyph.
    pub fn annotate(&mut self, ply: usize, glyph: &str, comment: &str) -> bool {
        let glyph = GLYPHS.into_iter().chain([""]).find(|known| *known == glyph);
        let (Some(node), Some(glyph)) = (self.line.get_mut(ply), glyph) else { return false };
        node.glyph = glyph;
        node.comment = cleaned(comment);
        true
    }

    /// The moves played.
    pub fn main_line(&self) -> impl ExactSizeIterator<Item = &Node> {
        self.line.iter()
    }

    /// The moves played, as a session that stands at the end of them.
    pub fn session(&self) -> Session {
        let mut session = Session::new(self.start.clone());
        for node in &self.line {
            session.play(&node.text).expect("a record's moves are legal");
        }
        session
    }

    /// Takes over the moves played in a session that began where the record did. Comments and
    /// variations stay: where the session left the main line, the rest of that line becomes a
    /// variation; a session that stopped within it changes nothing. Returns whether it could be
    /// done, which is not so if the session began elsewhere or variations would nest too deep.
    pub fn follow(&mut self, session: &Session) -> bool {
        let moves = session.moves();
        let same = self.line.iter().zip(&moves).take_while(|(node, mv)| node.text == **mv).count();
        if self.start != *session.start() || depth(&self.line) >= MAX_DEPTH {
            return false;
        }
        if same == moves.len() {
            return true;
        }
        let mut rest = self.line.split_off(same);
        self.line.extend(moves[same..].iter().map(|text| Node::new((*text).to_owned())));
        if let Some(first) = rest.first_mut() {
            let others = std::mem::take(&mut first.variations);
            self.line[same].variations = std::iter::once(rest).chain(others).collect();
        }
        self.result = session.position().outcome();
        true
    }

    fn sort_tags(&mut self) {
        let sides = Side::BOTH.map(|side| self.game().side_word(side));
        self.tags.sort_by_key(|(key, _)| match key.as_str() {
            key if key == sides[0] => 0,
            key if key == sides[1] => 1,
            "date" => 2,
            _ => 3,
        });
    }
}

/// How deep the variations of a line are nested.
fn depth(line: &[Node]) -> usize {
    let below = |node: &Node| node.variations.iter().map(|line| depth(line) + 1).max();
    line.iter().filter_map(below).max().unwrap_or(0)
}

/// The record of the moves played so far, without those that were taken back.
impl From<&Session> for Record {
    fn from(session: &Session) -> Record {
        let mut record = Record::new(session.start().clone());
        record.line = session.moves().into_iter().map(|text| Node::new(text.to_owned())).collect();
        record.result = session.position().outcome();
        record
    }
}

/// A comment without the control characters that no comment may have.
fn cleaned(comment: &str) -> String {
    let kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    comment.chars().filter(kept).collect::<String>().trim().to_owned()
}

/// A key that may be set freely.
fn is_free_key(key: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !key.is_empty() && key.chars().all(allowed) && !["game", "start", "result"].contains(&key)
}

/// Ends that people and clocks decide.
fn is_off_board(outcome: Outcome) -> bool {
    match outcome.reason {
        Reason::Resigned | Reason::Time | Reason::Abandoned => outcome.winner.is_some(),
        Reason::Agreed => outcome.winner.is_none(),
        _ => false,
    }
}

/// Text that is no record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read.
    #[error("line {}: {}", .0.line(), .0)]
    Parse(ParseError),
    /// The start position is wrong.
    #[error("line {line}: {error}")]
    Start {
        /// The line it stands on.
        line: usize,
        /// What is wrong.
        error: PositionError,
    },
    /// A move is wrong.
    #[error("line {line}: {error}")]
    Move {
        /// The line it stands on.
        line: usize,
        /// What is wrong.
        error: MoveError,
    },
    /// The result in the header is not what the moves lead to.
    #[error("line {line}: the header says '{said}', but after the last move it is '{found}'")]
    Result {
        /// The line it stands on.
        line: usize,
        /// What the header says.
        said: String,
        /// What is true on the board.
        found: String,
    },
}

impl From<ParseError> for RecordError {
    fn from(error: ParseError) -> RecordError {
        RecordError::Parse(error)
    }
}

#[cfg(test)]
mod tests;
