//! The central abstraction: a position of a two-player game without hidden information.
//!
//! ```
//! use stoa_rules::{Position, impasse};
//!
//! let start = impasse::Position::start(());
//! let moves = start.legal_moves();
//! assert_eq!(moves.len(), 22);
//!
//! let mut next = start;
//! next.play(moves[0])?;
//! assert_ne!(next.side_to_move(), start.side_to_move());
//! # Ok::<(), stoa_rules::NotLegal>(())
//! ```

use std::fmt::{self, Debug};
use std::hash::Hash;

use crate::GameOptions;

/// One of the two players, by who moves first in the game.
///
/// What the players are called differs: Red moves first in Colonnade, White in Impasse, Black
/// elsewhere. See [`Game::side_name`](crate::Game::side_name).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Side {
    /// The player who makes the first move of the game.
    First,
    /// The player who answers.
    Second,
}

impl Side {
    /// Both players, the first one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first player, 1 for the second: an index into pairs.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side of a bit: 0 is the first player, anything else the second.
    #[inline]
    pub(crate) const fn from_bit(bit: u8) -> Side {
        if bit == 0 { Side::First } else { Side::Second }
    }
}

/// How a game has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Outcome {
    /// The winner, or nobody in a draw.
    pub winner: Option<Side>,
    /// What ended the game.
    pub reason: Reason,
}

impl Outcome {
    /// `winner` wins because of `reason`.
    #[inline]
    pub const fn win(winner: Side, reason: Reason) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    /// The player with the higher score wins; equal scores are a draw.
    #[inline]
    pub fn scored(scores: [u32; 2], reason: Reason) -> Outcome {
        let winner = match scores[0].cmp(&scores[1]) {
            std::cmp::Ordering::Greater => Some(Side::First),
            std::cmp::Ordering::Less => Some(Side::Second),
            std::cmp::Ordering::Equal => None,
        };
        Outcome { winner, reason }
    }
}

/// What ended a game. Each game uses a few of these; the last four are decided by people and
/// clocks, so only records and servers use them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename_all = "kebab-case"))]
pub enum Reason {
    /// The loser could not move.
    NoMove,
    /// The winner has no checkers left.
    NoCheckers,
    /// Every point is owned.
    Territory,
    /// The winner's stacks connect the pawns.
    Path,
    /// Neither player has a turn left.
    Blocked,
    /// The loser had no tower at the end of their own turn.
    NoTower,
    /// No empty space is left.
    FullBoard,
    /// Too many turns without progress.
    Stall,
    /// The loser resigned.
    Resigned,
    /// The loser's time ran out.
    Time,
    /// The players agreed on a draw.
    Agreed,
    /// The loser left the game.
    Abandoned,
}

impl Reason {
    /// All reasons with the words that stand for them in text.
    pub const WORDS: [(Reason, &'static str); 12] = [
        (Reason::NoMove, "no-move"),
        (Reason::NoCheckers, "no-checkers"),
        (Reason::Territory, "territory"),
        (Reason::Path, "path"),
        (Reason::Blocked, "blocked"),
        (Reason::NoTower, "no-tower"),
        (Reason::FullBoard, "full-board"),
        (Reason::Stall, "stall"),
        (Reason::Resigned, "resigned"),
        (Reason::Time, "time"),
        (Reason::Agreed, "agreed"),
        (Reason::Abandoned, "abandoned"),
    ];

    /// The word that stands for this reason in records and JSON.
    pub fn word(self) -> &'static str {
        Reason::WORDS.iter().find(|(reason, _)| *reason == self).map_or("", |(_, word)| word)
    }

    /// The reason of a word.
    pub fn from_word(word: &str) -> Option<Reason> {
        Reason::WORDS.iter().find(|(_, known)| *known == word).map(|(reason, _)| *reason)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Reason {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Reason, D::Error> {
        let word = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Reason::from_word(&word)
            .ok_or_else(|| serde::de::Error::custom(format!("there is no reason '{word}'")))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The move is not among the legal moves of the position.
///
/// [`Notation::violation`](crate::Notation::violation) says why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the move is not legal in this position")]
pub struct NotLegal;

/// A position: a small plain value that is copied to make a move.
///
/// Two positions are equal when the same moves lead to the same results from them: board, side to
/// move, options and the rules' own counters are compared, and nothing else is stored. In
/// particular there is no history.
///
/// One [`Move`](Position::Move) is one whole turn, and says only what changes the board.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A whole turn.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// What players choose before the game, such as the size of the board.
    type Options: GameOptions;

    /// The position in which the game begins.
    fn start(options: Self::Options) -> Self;

    /// The options of the game being played.
    fn options(&self) -> Self::Options;

    /// Whose turn it is. In a finished game: whose turn it would be.
    fn side_to_move(&self) -> Side;

    /// The result, when the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move to `moves`, each once, always in the same order. A finished game
    /// has none; a game that is not finished has at least one.
    fn generate(&self, moves: &mut Vec<Self::Move>);

    /// The number of legal moves, without listing them.
    fn count_moves(&self) -> usize;

    /// The move at a place in the list that [`generate`](Position::generate) makes, without making
    /// the list; nothing if the list is shorter. With [`count_moves`](Position::count_moves) this
    /// is the fast way to a random move.
    fn nth_move(&self, index: usize) -> Option<Self::Move>;

    /// Plays a move that is known to be legal.
    ///
    /// # Panics
    /// It may panic, or leave a nonsensical position, when the move is not legal; it is never
    /// undefined behaviour. Use [`play`](Position::play) for moves from outside.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// A well-mixed hash of everything that [`Eq`] compares except the options. It is the same in
    /// every build and on every machine.
    fn key(&self) -> u64;

    /// No game goes on for more turns than this from here. Every turn lowers it.
    fn turns_left_at_most(&self) -> u32;

    /// How many turns must pass at least before the rules end the game for lack of progress. A
    /// search that looks less far ahead than this cannot meet that end.
    #[inline]
    fn stall_left(&self) -> u32 {
        u32::MAX
    }

    /// The [`key`](Position::key) without what counts towards that end: the same for all positions
    /// that differ in nothing else.
    #[inline]
    fn board_key(&self) -> u64 {
        self.key()
    }

    /// The same board with as little as possible counted towards that end, if the game has such a
    /// rule: one position that stands for all that differ in nothing else.
    #[inline]
    fn without_stall(&self) -> Option<Self> {
        None
    }

    /// Every legal move, in a new list.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.generate(&mut moves);
        moves
    }

    /// Whether the move is one of the legal moves.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// Plays a move if it is legal, and leaves the position as it was if not.
    fn play(&mut self, mv: Self::Move) -> Result<(), NotLegal> {
        if !self.is_legal(mv) {
            return Err(NotLegal);
        }
        self.play_unchecked(mv);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_and_their_words_go_both_ways() {
        for (reason, word) in Reason::WORDS {
            assert_eq!(reason.word(), word);
            assert_eq!(Reason::from_word(word), Some(reason));
        }
        assert_eq!(Reason::from_word("boredom"), None);
    }

    #[test]
    fn the_higher_score_wins() {
        assert_eq!(Outcome::scored([3, 2], Reason::Stall).winner, Some(Side::First));
        assert_eq!(Outcome::scored([2, 3], Reason::Stall).winner, Some(Side::Second));
        assert_eq!(Outcome::scored([2, 2], Reason::Stall).winner, None);
    }
}
