//! What people are told about the state of a game.

use stoa_rules::view::Tally;
use stoa_rules::{AnyPosition, Game, Outcome, Reason};

/// How a game ended, in a sentence.
pub(crate) fn outcome_sentence(game: Game, outcome: Outcome) -> String {
    let why = match outcome.reason {
        Reason::NoMove => "the other player cannot move",
        Reason::NoCheckers => "all checkers are gone",
        Reason::Territory => "every point is owned",
        Reason::Path => "a path connects the pawns",
        Reason::Blocked => "nobody can move any more, and the stacks of four count",
        Reason::NoTower => "the other player has no tower left",
        Reason::FullBoard => "the board is full, and the points count",
        Reason::Stall => "forty turns without progress, so the score counts",
        Reason::Resigned => "the other player resigned",
        Reason::Time => "the other player ran out of time",
        Reason::Agreed => "the players agreed",
        Reason::Abandoned => "the other player left",
    };
    match outcome.winner {
        Some(side) => format!("{} wins: {why}", game.side_name(side)),
        None => format!("Draw: {why}"),
    }
}

/// Whose turn it is, or how the game ended.
pub(crate) fn turn_sentence(position: &AnyPosition) -> String {
    state_sentence(position, position.outcome())
}

/// Whose turn it is, or how the game ended, on the board or off it.
pub(crate) fn state_sentence(position: &AnyPosition, outcome: Option<Outcome>) -> String {
    let game = position.game();
    match outcome {
        Some(outcome) => outcome_sentence(game, outcome),
        None => format!("{} to move", game.side_name(position.side_to_move())),
    }
}

/// What a tally counts.
pub(crate) fn tally_words(tally: Tally) -> &'static str {
    match tally {
        Tally::Checkers => "checkers",
        Tally::Points => "points owned",
        Tally::Fours => "stacks of four",
        Tally::Score => "points",
    }
}
