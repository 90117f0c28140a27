//! Scores and probabilities in words.
//!
//! ```
//! use stoa_draw::score;
//! use stoa_engine::Score;
//! use stoa_rules::{Game, Side};
//!
//! let words = score::sentence(Game::Impasse, Side::First, Score::points(35));
//! assert_eq!(words, "White +35, wins 55 %");
//! ```

use stoa_engine::Score;
use stoa_rules::{Game, Side};

/// A probability as people say it: `55 %`. What is not certain is never shown as if it were.
pub fn percent(probability: f64) -> String {
    let is_certain = probability == 0.0 || probability == 1.0;
    match 100.0 * probability {
        low if low < 0.5 && !is_certain => "under 1 %".to_owned(),
        high if high >= 99.5 && !is_certain => "over 99 %".to_owned(),
        percent => format!("{percent:.0} %"),
    }
}

/// What a score of a player says: `White +35, wins 55 %`, `proven: Black wins in 9`.
pub fn sentence(game: Game, side: Side, score: Score) -> String {
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
        let words = |side, score| sentence(Game::Colonnade, side, score);
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
