//! Files of self-played games.
//!
//! A file begins with lines of text, `stoa-games 1`, `game: ID` and how the games were played, and an
//! empty line. Games follow one after the other, little-endian:
//!
//! | bytes | what |
//! |---:|---|
//! | 4 | how many bytes follow for this game |
//! | 4 | the game's number |
//! | 1 | who won: 0 the first player, 1 the second, 2 nobody |
//! | 2 | the number of turns |
//! | 5 each | turns: the place of the move in the rules' list of legal moves (2), the score that the search gave to the position before it, for the player to move (2), flags (1): 1 the score is missing, 2 the move was random |
//! | 2 | the number of positions judged aside |
//! | 6 each | the turn (2), the place of a move in the list (2), the score of the position after it, for the player to move there (2) |
//!
//! A move is its place in the list that [`Position::generate`](stoa_rules::Position::generate)
//! makes, so a position takes no room of its own: it follows from the moves. A proven score is that
//! of [`Score::raw`](crate::Score::raw). The last turn may be one whose score is proven; its move
//! is not needed. A file that was cut off within a game is read up to the game before.

use std::io::{self, Read, Write};

use stoa_rules::Side;

const MAGIC: &str = "stoa-games 1";
const MAX_HEADER_BYTES: usize = 4096;
/// No game takes more bytes than this: 65,535 turns and as many positions aside.
const MAX_GAME_BYTES: usize = 1 << 20;

/// A game as it was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its number among the games of its seed.
    pub number: u32,
    /// Who won.
    pub winner: Option<Side>,
    /// Its turns.
    pub turns: Vec<PlayedTurn>,
    /// Positions aside from the game.
    pub asides: Vec<Aside>,
}

/// A turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedTurn {
    /// The place of the move in the list of legal moves.
    pub mv: u16,
    /// What the search thought of the position before the move, unless nothing was searched.
    pub score: Option<i16>,
    /// Whether the move was a random one.
    pub random: bool,
}

/// A position that was judged but not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aside {
    /// The number of the turn in which the move was tried, from 0.
    pub turn: u16,
    /// The place of the move in the list of legal moves.
    pub mv: u16,
    /// What the search thought of the position after it, for the player to move there.
    pub score: i16,
}

/// Why a file of games cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// It cannot be read at all.
    #[error("cannot read the games: {0}")]
    Io(#[from] io::Error),
    /// It does not begin as such a file does.
    #[error("this is not a file of self-played games: it does not begin with '{MAGIC}'")]
    NotGames,
    /// It does not begin as a file of lessons does.
    #[error("this is not a file of lessons: it does not begin with '{}'", super::lessons::MAGIC)]
    NotLessons,
    /// The games are of another game.
    #[error("these are games of {found}, not of {wanted}")]
    OtherGame {
        /// What is wanted.
        wanted: String,
        /// What the file says.
        found: String,
    },
    /// A game's bytes make no sense.
    #[error("game {0} of this file is damaged")]
    Damaged(usize),
}

/// The text that a file begins with.
pub fn header(game: &str, how: &str) -> String {
    header_of(MAGIC, game, how)
}

pub(super) fn header_of(magic: &str, game: &str, how: &str) -> String {
    format!("{magic}\ngame: {game}\nplayed: {how}\n\n")
}

/// Reads the text that a file begins with, which must be of `game`; `otherwise` says that it begins with another word.
pub(super) fn read_header(
    from: &mut impl Read,
    magic: &str,
    game: &str,
    otherwise: GameFileError,
) -> Result<String, GameFileError> {
    let mut header = Vec::new();
    while !header.ends_with(b"\n\n") {
        let mut byte = [0];
        let ended = header.len() > MAX_HEADER_BYTES || from.read(&mut byte)? == 0;
        if ended || (header.len() == magic.len() && header != magic.as_bytes()) {
            return Err(otherwise);
        }
        header.push(byte[0]);
    }
    let text = String::from_utf8_lossy(&header).into_owned();
    let found = text.lines().find_map(|line| line.strip_prefix("game: ")).unwrap_or("");
    if found != game {
        let (wanted, found) = (game.to_owned(), crate::text::excerpt(found));
        return Err(GameFileError::OtherGame { wanted, found });
    }
    Ok(text)
}

impl PlayedGame {
    /// Appends the game to a file.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(16 + 5 * self.turns.len() + 6 * self.asides.len());
        bytes.extend(self.number.to_le_bytes());
        bytes.push(self.winner.map_or(2, |side| side.index() as u8));
        bytes.extend((self.turns.len() as u16).to_le_bytes());
        for turn in &self.turns {
            bytes.extend(turn.mv.to_le_bytes());
            bytes.extend(turn.score.unwrap_or(0).to_le_bytes());
            bytes.push(u8::from(turn.score.is_none()) | u8::from(turn.random) << 1);
        }
        bytes.extend((self.asides.len() as u16).to_le_bytes());
        for aside in &self.asides {
            bytes.extend(aside.turn.to_le_bytes());
            bytes.extend(aside.mv.to_le_bytes());
            bytes.extend(aside.score.to_le_bytes());
        }
        to.write_all(&(bytes.len() as u32).to_le_bytes())?;
        to.write_all(&bytes)
    }

    fn parse(mut bytes: &[u8]) -> Option<PlayedGame> {
        let bytes = &mut bytes;
        let number = u32::from_le_bytes(take(bytes)?);
        let winner = match take::<1>(bytes)? {
            [0] => Some(Side::First),
            [1] => Some(Side::Second),
            [2] => None,
            _ => return None,
        };
        let turns = u16::from_le_bytes(take(bytes)?);
        let turns = (0..turns).map(|_| {
            let mv = u16::from_le_bytes(take(bytes)?);
            let score = i16::from_le_bytes(take(bytes)?);
            let [flags] = take(bytes)?;
            Some(PlayedTurn {
                mv,
                score: (flags & 1 == 0).then_some(score),
                random: flags & 2 != 0,
            })
        });
        let turns = turns.collect::<Option<Vec<_>>>()?;
        let asides = u16::from_le_bytes(take(bytes)?);
        let asides = (0..asides).map(|_| {
            let turn = u16::from_le_bytes(take(bytes)?);
            let mv = u16::from_le_bytes(take(bytes)?);
            Some(Aside { turn, mv, score: i16::from_le_bytes(take(bytes)?) })
        });
        let asides = asides.collect::<Option<Vec<_>>>()?;
        bytes.is_empty().then_some(PlayedGame { number, winner, turns, asides })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*taken)
}

/// The games of a file, one after the other.
pub struct GameReader<R> {
    from: R,
    header: String,
    read: usize,
    /// How many bytes belong to whole games and the header.
    whole: u64,
}

impl<R: Read> GameReader<R> {
    /// Reads the header of a file, which must be one of `game`.
    pub fn new(mut from: R, game: &str) -> Result<GameReader<R>, GameFileError> {
        let header = read_header(&mut from, MAGIC, game, GameFileError::NotGames)?;
        let whole = header.len() as u64;
        Ok(GameReader { from, header, read: 0, whole })
    }

    /// The text that the file begins with.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// How many bytes of the file belong to the header and to whole games read so far: where the
    /// next game is to be appended.
    pub fn whole_bytes(&self) -> u64 {
        self.whole
    }

    /// How many games were read.
    pub fn games(&self) -> usize {
        self.read
    }

    fn read_game(&mut self) -> Result<Option<PlayedGame>, GameFileError> {
        let mut length = [0; 4];
        if !fill(&mut self.from, &mut length)? {
            return Ok(None);
        }
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_GAME_BYTES {
            return Err(GameFileError::Damaged(self.read + 1));
        }
        let mut bytes = vec![0; length];
        if !fill(&mut self.from, &mut bytes)? {
            return Ok(None);
        }
        let game = PlayedGame::parse(&bytes).ok_or(GameFileError::Damaged(self.read + 1))?;
        self.read += 1;
        self.whole += 4 + length as u64;
        Ok(Some(game))
    }
}

impl<R: Read> Iterator for GameReader<R> {
    type Item = Result<PlayedGame, GameFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_game().transpose()
    }
}

/// Fills a buffer; says no where the file ends before.
pub(super) fn fill(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
