//! What people are told about the state of a game.

use stoa_rules::view::{Tally, View};
use stoa_rules::{AnyPosition, Game, Outcome, Reason, Role};

use crate::draw::board::Charset;

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
        Reason::Stall => "forty turns have brought no progress, so it is scored",
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

/// The counters of the rules that the board does not show, a line each.
pub(crate) fn counters(view: &View) -> Vec<String> {
    let supply = view.supply.map(|towers| match towers {
        1 => "1 tower in the supply".to_owned(),
        n => format!("{n} towers in the supply"),
    });
    let stall = view.stall.filter(|[count, _]| *count > 0);
    let stall = stall.map(|[count, most]| format!("no progress: {count} of {most} turns"));
    supply.into_iter().chain(stall).collect()
}

/// What to do next, given what a click may be for.
pub(crate) fn request(roles: &[Role]) -> String {
    let word = |role: &Role| match role {
        Role::Piece => "a piece to move",
        Role::Target => "where it goes",
        Role::Place => "a place for a stone",
        Role::Remove => "a checker to remove, for you are at an impasse",
        Role::CrownWith => "the single to crown with",
        Role::Crowned => "the single to be crowned",
        Role::Pawn => "where your pawn goes",
        Role::Drop => "a space to drop a piece on",
        Role::Stack => "a stack to move",
        Role::Pass => "your pawn to pass, for you have no valid turn",
        Role::Tower => "a tower to claim",
        Role::LineEnd => "your tower at the other end of the line",
        Role::NewTower => "a place for a new tower",
    };
    let words: Vec<&str> = roles.iter().map(word).collect();
    format!("Choose {}", words.join(", or "))
}

/// What the signs on a board without colours stand for.
pub(crate) fn legend(game: Game, charset: Charset) -> String {
    let plain = charset == Charset::Ascii;
    let words = match game {
        Game::Colonnade => "[r] red, (b) blue",
        Game::Impasse => "w b singles, W B doubles",
        Game::Palisade(_) if plain => {
            "b w stones (B W owned); . free for Black, , for White; # owned by Black, = by White"
        }
        Game::Palisade(_) => {
            "● black, ○ white (◆ ◇ owned); + free for Black, · for White; ▪ owned by Black, ▫ by White"
        }
        Game::Columna(_) if plain => "b3 a black stack of three, (b) a pawn, + track, # base tile",
        Game::Columna(_) => "b3 a black stack of three, ♟b ♙w pawns, · track, ◆ base tile",
        Game::Colossus if plain => "b w stones, [  ] empty tower, [bb] [ww] claimed towers",
        Game::Colossus => "● black, ○ white, [  ] empty tower, [bb] [ww] claimed towers",
    };
    format!("{words}; ' ' the last move")
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
