//! What people are told about the state of a game.

use stoa_engine::Score;
use stoa_rules::view::{Counted, View};
use stoa_rules::{AnyPosition, Game, Outcome, Reason, Role, Side};

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

/// What the players' counts are of.
pub(crate) fn counted_words(counted: Counted) -> &'static str {
    match counted {
        Counted::Checkers => "checkers",
        Counted::Points => "points owned",
        Counted::Fours => "stacks of four",
        Counted::Score => "points",
    }
}

/// A probability as people say it: `55 %`. What is not certain is never shown as if it were.
pub(crate) fn percent(probability: f64) -> String {
    let is_certain = probability == 0.0 || probability == 1.0;
    match 100.0 * probability {
        least if least < 0.5 && !is_certain => "under 1 %".to_owned(),
        most if most >= 99.5 && !is_certain => "over 99 %".to_owned(),
        percent => format!("{percent:.0} %"),
    }
}

/// What a score of a player says: `White +35, wins 55 %`, `proven: Black wins in 9`.
pub(crate) fn score_words(game: Game, side: Side, score: Score) -> String {
    match score.turns() {
        None => {
            let chances = percent(score.win_probability());
            format!("{} {score}, wins {chances}", game.side_name(side))
        }
        Some(turns) => {
            let winner = game.side_name(if score.is_win() { side } else { side.other() });
            match turns {
                0 => format!("{winner} has won"),
                turns => format!("proven: {winner} wins in {turns}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_name_whose_they_are() {
        let words = |side, score| score_words(Game::Colonnade, side, score);
        assert_eq!(words(Side::First, Score::points(400)), "Red +400, wins 91 %");
        assert_eq!(words(Side::Second, Score::points(-400)), "Blue -400, wins 9 %");
        assert_eq!(words(Side::First, Score::win_in(9)), "proven: Red wins in 9");
        assert_eq!(words(Side::First, Score::loss_in(4)), "proven: Blue wins in 4");
        assert_eq!(words(Side::Second, Score::win_in(9)), "proven: Blue wins in 9");
        assert_eq!(words(Side::Second, Score::loss_in(0)), "Red has won");
    }

    #[test]
    fn only_what_is_certain_is_shown_as_certain() {
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.999), "over 99 %");
        assert_eq!(percent(0.001), "under 1 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.546), "55 %");
    }
}
