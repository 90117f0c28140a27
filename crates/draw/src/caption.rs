//! Sentences that go with a board: whose turn it is, how the game ended, what may be clicked next.
//!
//! ```
//! use stoa_draw::caption;
//! use stoa_rules::Game;
//!
//! let start = Game::Impasse.start();
//! assert_eq!(caption::turn(&start), "White to move");
//! assert_eq!(caption::counted(start.view().counted), "checkers");
//! ```

use stoa_rules::view::{Counted, View};
use stoa_rules::{AnyPosition, Game, Outcome, Reason, Role};

use crate::board::Charset;
use crate::looks;

/// How a game ended, in a sentence.
pub fn outcome(game: Game, outcome: Outcome) -> String {
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
pub fn turn(position: &AnyPosition) -> String {
    state(position, position.outcome())
}

/// Whose turn it is, or how the game ended, on the board or off it.
pub fn state(position: &AnyPosition, outcome: Option<Outcome>) -> String {
    let game = position.game();
    match outcome {
        Some(outcome) => self::outcome(game, outcome),
        None => format!("{} to move", game.side_name(position.side_to_move())),
    }
}

/// The position's text, whose turn it is and how many legal moves there are, for below a board.
pub fn status(position: &AnyPosition) -> String {
    let moves = match position.count_moves() {
        0 => String::new(),
        1 => ", 1 legal move".to_owned(),
        n => format!(", {n} legal moves"),
    };
    let counters: String =
        counters(&position.view()).into_iter().map(|line| format!("\n{line}")).collect();
    format!("{position}\n{}{moves}{counters}", turn(position))
}

/// The counters of the rules that the board does not show, a line each.
pub fn counters(view: &View) -> Vec<String> {
    let supply = view.supply.map(|towers| match towers {
        1 => "1 tower in the supply".to_owned(),
        n => format!("{n} towers in the supply"),
    });
    let stall = view.stall.filter(|[count, _]| *count > 0);
    let stall = stall.map(|[count, max]| format!("no progress: {count} of {max} turns"));
    supply.into_iter().chain(stall).collect()
}

/// What to do next, given what a click may be for.
pub fn request(roles: &[Role]) -> String {
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
pub fn legend(game: Game, charset: Charset) -> String {
    let [unicode, ascii] = looks::of(game).legend;
    let words = if charset == Charset::Ascii { ascii } else { unicode };
    format!("{words}; ' ' the last move")
}

/// What a number beside a player counts.
pub fn counted(what: Counted) -> &'static str {
    match what {
        Counted::Checkers => "checkers",
        Counted::Points => "points owned",
        Counted::Fours => "stacks of four",
        Counted::Score => "points",
    }
}
