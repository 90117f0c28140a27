//! Why clicks lead to no legal move.
//!
//! The rules explain moves, not clicks. So this writes down the move that someone who clicked so
//! most likely had in mind, and lets the rules say what is wrong with it. There is no rule here:
//! a guess that turns out legal, or cannot be read, just has no explanation.

use serde::Serialize;
use stoa_rules::view::{Piece, Spot, View};
use stoa_rules::{AnyPosition, Game, MoveError, Objection, Side, Step};

/// What is wrong with a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The move that the clicks were taken for.
    #[serde(rename = "move")]
    pub text: String,
    /// What is wrong with it.
    pub objection: Objection,
}

/// Why the clicks lead to no legal move.
pub fn refusal(position: &AnyPosition, clicks: &[Step]) -> Option<Refusal> {
    let view = position.view();
    let board = Board { position, view: &view };
    board.guesses(clicks)?.into_iter().find_map(|guess| match position.clone().play(&guess) {
        Err(MoveError::Illegal { text, objection, .. }) => {
            Some(Refusal { text, objection: *objection })
        }
        _ => None,
    })
}

struct Board<'a> {
    position: &'a AnyPosition,
    view: &'a View,
}

impl Board<'_> {
    /// The moves that clicks may have been meant as, the likeliest first.
    fn guesses(&self, clicks: &[Step]) -> Option<Vec<String>> {
        let spots: Vec<&Spot> =
            clicks.iter().map(|click| self.spot(click.cell)).collect::<Option<_>>()?;
        let names: Vec<&str> = spots.iter().map(|spot| spot.name.as_str()).collect();
        Some(match self.position.game() {
            Game::Colonnade => self.carry(clicks, &spots),
            Game::Impasse => self.slide(&spots, &names),
            Game::Palisade(_) => names.last().map(|point| vec![(*point).to_owned()])?,
            Game::Columna(_) => self.pawn_and_stack(&spots, &names),
            Game::Colossus => self.stone(&spots, &names),
        })
    }

    fn spot(&self, cell: u16) -> Option<&Spot> {
        self.view.spots.iter().find(|spot| spot.cell == cell)
    }

    fn carry(&self, clicks: &[Step], spots: &[&Spot]) -> Vec<String> {
        let (Some(click), Some(from)) = (clicks.first(), spots.first()) else { return Vec::new() };
        let height = from.checkers().len();
        let lowest = if click.level == 0 { height } else { usize::from(click.level) };
        let carried = (height + 1).saturating_sub(lowest).max(1);
        let towards = |sign: char| format!("{carried}{}{sign}", from.name);
        match spots.get(1).map(|to| to.x - from.x) {
            None => vec![towards('<'), towards('>')],
            Some(2) => vec![towards('>')],
            Some(-2) => vec![towards('<')],
            Some(_) => Vec::new(),
        }
    }

    fn slide(&self, spots: &[&Spot], names: &[&str]) -> Vec<String> {
        match names {
            [from] => {
                let near = |spot: &&Spot| {
                    let [dx, dy] = [spot.x - spots[0].x, spot.y - spots[0].y].map(i16::abs);
                    (dx, dy) == (2, 2)
                };
                self.view
                    .spots
                    .iter()
                    .filter(near)
                    .map(|to| format!("{from}-{}", to.name))
                    .collect()
            }
            [from, to] if spots[1].piece.is_some() => {
                vec![format!("{from}={to}"), format!("{from}-{to}")]
            }
            [from, to] => vec![format!("{from}-{to}")],
            _ => Vec::new(),
        }
    }

    fn pawn_and_stack(&self, spots: &[&Spot], names: &[&str]) -> Vec<String> {
        match names {
            // Any space will do to hear what is wrong with the pawn's point.
            [pawn] => vec![format!("{pawn}@e5")],
            [pawn, on] if self.is_own(spots[1]) => {
                vec![format!("{pawn}@{on}"), format!("{pawn},{on}-{on}")]
            }
            [pawn, on] => vec![format!("{pawn}@{on}")],
            [pawn, from, to] => vec![format!("{pawn},{from}-{to}")],
            _ => Vec::new(),
        }
    }

    fn stone(&self, spots: &[&Spot], names: &[&str]) -> Vec<String> {
        match names {
            [place] if spots[0].piece.is_none() => vec![(*place).to_owned()],
            // No stone stays where it is, so this says what keeps the stone from moving.
            [from] if matches!(spots[0].piece, Some(Piece::Stone(_))) => {
                vec![format!("{from}-{from}")]
            }
            [tower] => vec![(*tower).to_owned()],
            [from, to] => vec![format!("{from}-{to}")],
            _ => Vec::new(),
        }
    }

    fn is_own(&self, spot: &Spot) -> bool {
        let side: Side = self.position.side_to_move();
        matches!(&spot.piece, Some(Piece::Stack { owner, .. }) if *owner == side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reason for refusing clicks on the cells of these names; `b4` may be `b.4` for the
    /// fourth checker of column b.
    fn reason(game: &str, text: &str, cells: &[&str]) -> Option<String> {
        let position = game.parse::<Game>().unwrap().position(text).unwrap();
        let view = position.view();
        let step = |name: &&str| {
            let (name, level) = name.split_once('.').unwrap_or((name, "0"));
            let spot = view.spots.iter().find(|spot| spot.name == name).unwrap();
            Step { cell: spot.cell, level: level.parse().unwrap() }
        };
        let clicks: Vec<Step> = cells.iter().map(step).collect();
        refusal(&position, &clicks).map(|refusal| refusal.objection.reason)
    }

    #[test]
    fn every_game_says_why_a_click_is_refused() {
        let start = "-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- r";
        let other = reason("colonnade", start, &["b.3"]).unwrap();
        assert!(other.contains("the opponent's"), "{other}");
        let top = reason("colonnade", start, &["b.4", "c"]).unwrap();
        assert_eq!(top, "the stack on c is topped with the opponent's colour");
        assert_eq!(reason("colonnade", start, &["b.4", "h"]), None, "no text for so long a way");

        let start = "1W1b1W1b/b1W1b1W1/8/8/8/8/1B1w1B1w/w1B1w1B1 w";
        assert_eq!(reason("impasse", start, &["b2"]).unwrap(), "you have no checker on b2");
        let slide = reason("impasse", start, &["d2", "d4"]);
        assert!(slide.is_none_or(|why| why.contains("diagonally")));

        let wrong = reason("palisade:7", "7/7/7/7/7/7/7 b", &["b1"]).unwrap();
        assert_eq!(wrong, "only White may put a stone on b1");

        let start = "x7/x7/x7/x7/x7/x7/x7 a1 i9 b 0";
        assert!(reason("columna", start, &["a1"]).unwrap().contains("must move"));
        assert!(reason("columna", start, &["a4", "d5"]).unwrap().contains("line of sight"));

        let start = "t2W/5/6/t5t/6/5/B2t b 3 0 6";
        assert!(reason("colossus", start, &["d4"]).unwrap().contains("not next to"));
    }

    #[test]
    fn legal_clicks_have_no_refusal() {
        assert_eq!(reason("palisade:7", "7/7/7/7/7/7/7 b", &["a1"]), None);
    }
}
