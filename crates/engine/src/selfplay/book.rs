//! An opening book: the moves that the engine has played against itself, and their results.
//!
//! A book is text, so that a page can read it without the engine. After a header and an empty line, each
//! line is a position: its key with symmetries folded (in hexadecimal digits), then for each move its folded
//! text and how many games the side that made it won, drew and lost:
//!
//! ```text
//! stoa-book 1
//! game: impasse
//! games: 650
//!
//! 00f3a2b8c1d4e5f6 d2-b4 31 0 27 f2-d4 12 0 9
//! ```
//!
//! Games begin with random moves, which count as well: their results are of interest, too. Positions that few
//! games have reached are left out.

use std::collections::BTreeMap;
use std::fmt;

use stoa_rules::{AnyPosition, Game, Side};

use super::file::PlayedGame;
use crate::Knowledge;
use crate::games::{KnowledgeVisitor, visit};

/// How many turns of a game are taken for an opening.
const MAX_TURNS: usize = 60;

/// How many games a side has won, drawn and lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Results([u32; 3]);

/// What was played in which positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    game: Game,
    games: usize,
    /// By the folded key, and then by the folded text of the move.
    positions: BTreeMap<u64, BTreeMap<String, Results>>,
}

/// A game has a move that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("game {0} has a move that does not exist")]
pub struct NoSuchMove(pub u32);

impl Book {
    /// A book without games.
    pub fn new(game: Game) -> Book {
        Book { game, games: 0, positions: BTreeMap::new() }
    }

    /// How many games it was made from.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Adds the opening of a game.
    pub fn add(&mut self, played: &PlayedGame) -> Result<(), NoSuchMove> {
        struct Opening<'a>(&'a PlayedGame);
        impl KnowledgeVisitor for Opening<'_> {
            type Output = Result<Vec<Turn>, NoSuchMove>;
            fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
                turns::<P>(options, self.0)
            }
        }
        for Turn { key, text, side } in visit(self.game, Opening(played))? {
            let result = match played.winner {
                Some(winner) if winner == side => 0,
                None => 1,
                Some(_) => 2,
            };
            let moves = self.positions.entry(key).or_default();
            moves.entry(text).or_default().0[result] += 1;
        }
        self.games += 1;
        Ok(())
    }

    /// Leaves out the positions that fewer games have reached.
    pub fn keep(&mut self, min_games: u32) {
        self.positions.retain(|_, moves| {
            moves.values().map(|Results(results)| results.iter().sum::<u32>()).sum::<u32>()
                >= min_games
        });
    }

    /// How many positions it has.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }
}

/// A move that was made in a position.
struct Turn {
    key: u64,
    text: String,
    side: Side,
}

fn turns<P: Knowledge>(options: P::Options, played: &PlayedGame) -> Result<Vec<Turn>, NoSuchMove> {
    let mut position = P::start(options);
    let mut turns = Vec::new();
    for turn in played.turns.iter().take(MAX_TURNS) {
        let mv = position.nth_move(turn.mv.into()).ok_or(NoSuchMove(played.number))?;
        let any = AnyPosition::new(position.clone());
        let text = any.folded_move(&position.move_text(mv)).ok_or(NoSuchMove(played.number))?;
        turns.push(Turn { key: any.folded_key(), text, side: position.side_to_move() });
        position.play_unchecked(mv);
    }
    Ok(turns)
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "stoa-book 1\ngame: {}\ngames: {}\n", self.game, self.games)?;
        for (key, moves) in &self.positions {
            write!(f, "{key:016x}")?;
            for (text, Results([won, drawn, lost])) in moves {
                write!(f, " {text} {won} {drawn} {lost}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::PlayedTurn;
    use super::*;

    fn turn(mv: u16, random: bool) -> PlayedTurn {
        PlayedTurn { mv, score: None, random }
    }

    fn game(number: u32, moves: &[(u16, bool)], winner: Option<Side>) -> PlayedGame {
        let turns = moves.iter().map(|&(mv, random)| turn(mv, random)).collect();
        PlayedGame { number, winner, turns, asides: Vec::new() }
    }

    #[test]
    fn symmetric_moves_are_one() {
        let palisade: Game = "palisade:3".parse().unwrap();
        let start = palisade.start();
        let moves = start.legal_moves();
        let at = |text: &str| moves.iter().position(|one| one == text).unwrap() as u16;
        let mut book = Book::new(palisade);
        book.add(&game(0, &[(at("a1"), false)], Some(Side::First))).unwrap();
        book.add(&game(1, &[(at("c3"), false)], Some(Side::Second))).unwrap();
        book.add(&game(2, &[(at("b2"), true), (0, false)], None)).unwrap();
        let centre = start.folded_move("b2").unwrap();
        let text = book.to_string();
        let key = format!("{:016x}", start.folded_key());
        let corner = start.folded_move("a1").unwrap();
        assert!(text.starts_with("stoa-book 1\ngame: palisade:3\ngames: 3\n\n"), "{text}");
        let line = text.lines().find(|line| line.starts_with(&key)).unwrap();
        assert!(line.contains(&format!(" {corner} 1 0 1")), "{line}");
        assert!(line.contains(&format!(" {centre} 0 1 0")), "{line}");
        assert_eq!((book.games(), book.positions()), (3, 2));
        book.keep(2);
        assert_eq!(book.positions(), 1, "the answer to the centre was played once");
    }

    #[test]
    fn a_move_that_does_not_exist_is_refused() {
        let mut book = Book::new(Game::Impasse);
        assert_eq!(book.add(&game(7, &[(999, false)], None)), Err(NoSuchMove(7)));
    }
}
