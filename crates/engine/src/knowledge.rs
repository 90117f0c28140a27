//! What the engine knows of a game besides its rules.

use stoa_rules::Playable;
use stoa_rules::playout::Rng;

use crate::{Recipe, Strategy, Tally, Term};

/// What the engine knows of a game: how to judge a position, which moves to look at first, and how
/// to play on quickly. One file for each game in `games/` implements it.
pub trait Knowledge: Playable {
    /// The ideas of the evaluation.
    const TERMS: &'static [Term];

    /// How many different [slots](Knowledge::slot) there are.
    const SLOTS: usize;

    /// Whether the search goes on after its last turn with [loud](Knowledge::is_loud) moves.
    const QUIESCENCE: bool = false;

    /// The weights of the terms, as text.
    fn weights(options: Self::Options) -> &'static str;

    /// The strategy that has won the comparison in matches.
    fn strategy(options: Self::Options) -> Strategy;

    /// How the tree search is done.
    fn recipe(_: Self::Options) -> Recipe {
        Recipe::default()
    }

    /// Counts the terms of a position that is not over.
    fn terms(&self, tally: &mut impl Tally);

    /// A number below [`SLOTS`](Knowledge::SLOTS) under which the search remembers how good moves
    /// like this one were: moves that resemble each other share one.
    fn slot(&self, mv: Self::Move) -> usize;

    /// How promising a move looks at first sight; 0 for an ordinary one. Loud moves get more.
    fn promise(&self, mv: Self::Move) -> i32;

    /// Whether a move changes so much at once that one should see what comes of it before judging:
    /// captures, conversions, threats.
    fn is_loud(&self, _: Self::Move) -> bool {
        false
    }

    /// Whether there may be loud moves at all: a quick look that saves listing the moves.
    fn has_loud_moves(&self) -> bool {
        true
    }

    /// A move for a playout: random, but not foolish. Nothing when the game is over.
    fn playout_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        self.nth_move(rng.below(self.count_moves()))
    }
}
