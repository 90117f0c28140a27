//! The puzzles of the page, as far as the server knows them: which there are, and which moves solve them.
//!
//! They are solved in the browser, which has their solutions; so a report shows that the player knows the moves,
//! and no more. The server checks these moves, counts each puzzle once, and knows no others.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;
use stoa_rules::Game;

/// The files of the page, embedded when the server is built.
const FILES: &[&str] = include!(concat!(env!("OUT_DIR"), "/puzzles.rs"));

/// A puzzle.
#[derive(Debug, Deserialize)]
pub(crate) struct Puzzle {
    id: String,
    game: String,
    turns: Vec<Turn>,
}

/// A turn of the solver.
#[derive(Debug, Deserialize)]
struct Turn {
    accepted: Vec<String>,
}

/// All puzzles by their ids.
static PUZZLES: LazyLock<HashMap<String, Puzzle>> = LazyLock::new(|| {
    let lists = FILES.iter().flat_map(|file| {
        let read = serde_json::from_str::<Vec<Puzzle>>(file);
        read.inspect_err(|error| tracing::error!(%error, "a file of puzzles cannot be read"))
            .unwrap_or_default()
    });
    lists.map(|puzzle| (puzzle.id.clone(), puzzle)).collect()
});

/// The puzzle with this id.
pub(crate) fn puzzle(id: &str) -> Option<&'static Puzzle> {
    PUZZLES.get(id)
}

/// How many puzzles there are of each game, by its id without options, in the order of the games.
pub(crate) fn counts() -> impl Iterator<Item = (&'static str, usize)> {
    Game::ALL.into_iter().filter_map(|game| {
        let id = game.info().id;
        let count = PUZZLES.values().filter(|puzzle| puzzle.family() == id).count();
        (count > 0).then_some((id, count))
    })
}

impl Puzzle {
    /// The game without its options.
    pub(crate) fn family(&self) -> &str {
        self.game.split(':').next().unwrap_or(&self.game)
    }

    /// Whether these moves, one for each turn, solve it.
    pub(crate) fn is_solved_by(&self, moves: &[String]) -> bool {
        moves.len() == self.turns.len()
            && moves.iter().zip(&self.turns).all(|(mv, turn)| turn.accepted.contains(mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_read_and_all_games_have_puzzles() {
        let in_files: usize = FILES.iter().map(|file| file.matches("\"id\":").count()).sum();
        assert_eq!(PUZZLES.len(), in_files, "each has an id of its own");
        let counted: usize = counts().map(|(_, count)| count).sum();
        assert_eq!(counted, in_files);
        assert_eq!(counts().count(), Game::ALL.len());
    }

    #[test]
    fn only_the_right_moves_solve_a_puzzle() {
        let puzzle = PUZZLES.values().find(|puzzle| puzzle.turns.len() > 1).expect("a long one");
        let moves: Vec<String> = puzzle.turns.iter().map(|turn| turn.accepted[0].clone()).collect();
        assert!(puzzle.is_solved_by(&moves));
        assert!(!puzzle.is_solved_by(&moves[1..]) && !puzzle.is_solved_by(&[]));
        let mut wrong = moves.clone();
        wrong[0] = "z9".to_owned();
        assert!(!puzzle.is_solved_by(&wrong));
        let more: Vec<String> = moves.iter().cloned().chain(["z9".to_owned()]).collect();
        assert!(!puzzle.is_solved_by(&more));
    }
}
