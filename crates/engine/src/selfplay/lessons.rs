//! Files of lessons: what games that a policy network played against itself teach.
//!
//! A file begins as one of self-played games does ([`mod@super::file`]): with lines of text, here `stoa-lessons 1`,
//! `game: ID` and how the games were played, and an empty line. Games follow in the order in which they ended,
//! little-endian:
//!
//! | bytes | what |
//! |---:|---|
//! | 4 | how many bytes its samples take |
//! | 4 | the game's number |
//! | 8 + 5·*n* each | its samples, for a board of *n* cells ([`mod@super::guided`]) |
//!
//! A file that was cut off within a game is read up to the game before.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};

use stoa_rules::Game;

use super::file::{GameFileError, fill, read_header};
use super::guided::{Lessons, SAMPLE_HEADER_BYTES, cells};

pub(super) const MAGIC: &str = "stoa-lessons 1";
/// No game takes more bytes than this.
const MAX_GAME_BYTES: usize = 16 << 20;

/// The text that a file begins with.
pub fn header(game: Game, how: &str) -> String {
    super::file::header_of(MAGIC, &game.to_string(), how)
}

impl Lessons {
    /// Appends the game to a file.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(8 + self.bytes.len());
        bytes.extend((self.bytes.len() as u32).to_le_bytes());
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(&self.bytes);
        to.write_all(&bytes)
    }
}

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonFile {
    /// The text that the file begins with.
    pub header: String,
    /// The numbers of the games.
    pub games: BTreeSet<u32>,
    /// How many bytes belong to the header and to whole games: where the next game is to be appended.
    pub whole_bytes: u64,
}

impl LessonFile {
    /// Reads a file, which must be of `game`.
    pub fn read(mut from: impl Read, game: Game) -> Result<LessonFile, GameFileError> {
        let header = read_header(&mut from, MAGIC, &game.to_string(), GameFileError::NotLessons)?;
        let sample = SAMPLE_HEADER_BYTES + 5 * cells(game).unwrap_or(0);
        let mut games = BTreeSet::new();
        let mut whole_bytes = header.len() as u64;
        let mut start = [0; 8];
        while fill(&mut from, &mut start)? {
            let [a, b, c, d, e, f, g, h] = start;
            let length = u32::from_le_bytes([a, b, c, d]) as usize;
            let number = u32::from_le_bytes([e, f, g, h]);
            let damaged = GameFileError::Damaged(games.len() + 1);
            if length > MAX_GAME_BYTES || !length.is_multiple_of(sample) {
                return Err(damaged);
            }
            let mut bytes = vec![0; length];
            if !fill(&mut from, &mut bytes)? {
                break;
            }
            if bytes.chunks(sample).any(|sample| !sample.starts_with(&number.to_le_bytes())) {
                return Err(damaged);
            }
            games.insert(number);
            whole_bytes += 8 + length as u64;
        }
        Ok(LessonFile { header, games, whole_bytes })
    }
}
