//! Why clicks lead to no legal move.
//!
//! The rules explain moves, not clicks. So a game says which move the player most likely had in
//! mind ([`Explain`]), and the rules say what is wrong with it. There is no rule here: a guess that
//! turns out legal, or cannot be read, just has no explanation.

use std::fmt;

use crate::view::{Spot, View};
use crate::{Notation, Objection, Playable, Show, Step};

/// What is wrong with the move that clicks were taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Refusal {
    /// The move that the clicks were taken for.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub text: String,
    /// What is wrong with it.
    pub objection: Objection,
}

/// A click, and the cell that it was on. Its [`Display`](fmt::Display) is the cell's name.
#[derive(Debug, Clone, Copy)]
pub struct Clicked<'a> {
    /// The cell, with what stands on it.
    pub spot: &'a Spot,
    /// Which checker of the stack was clicked, as in [`Step::level`].
    pub level: u8,
}

impl fmt::Display for Clicked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spot.name)
    }
}

/// Positions that can guess what clicks were meant to be.
pub trait Explain: Notation + Show {
    /// The moves, in text, that clicks may have been meant as, the likeliest first. `view` is what
    /// the position shows.
    fn intended(&self, clicks: &[Clicked<'_>], view: &View) -> Vec<String>;
}

/// What is wrong with the likeliest move that the clicks may have been meant as and that the rules
/// forbid.
pub(crate) fn refusal<P: Playable>(position: &P, clicks: &[Step]) -> Option<Refusal> {
    if position.outcome().is_some() {
        return None;
    }
    let view = position.view();
    let clicked = |click: &Step| {
        let spot = view.spots.iter().find(|spot| spot.cell == click.cell)?;
        Some(Clicked { spot, level: click.level })
    };
    let clicks: Vec<Clicked<'_>> = clicks.iter().map(clicked).collect::<Option<_>>()?;
    position.intended(&clicks, &view).into_iter().find_map(|text| {
        let mv = position.parse_move(&text).ok()?;
        let violation = position.violation(mv)?;
        let objection = Objection::to_move::<P>(&violation);
        Some(Refusal { text: position.move_text(mv), objection })
    })
}

#[cfg(test)]
mod tests {
    use crate::{Game, Step};

    #[test]
    fn legal_clicks_and_clicks_beside_the_board_have_no_refusal() {
        for game in Game::variants() {
            let start = game.start();
            for first in start.choices(&[]).unwrap().next {
                let choices = start.choices(&[first]).unwrap();
                if choices.complete.is_some() && choices.next.is_empty() {
                    assert_eq!(start.explain_clicks(&[first]), None, "{game} {first:?}");
                }
            }
            assert_eq!(start.explain_clicks(&[Step::cell(9999)]), None, "{game}");
            assert_eq!(start.explain_clicks(&[]), None, "{game}");
        }
    }

    #[test]
    fn any_clicks_get_an_answer() {
        for game in Game::ALL {
            let start = game.start();
            let cells: Vec<u16> = start.view().spots.iter().map(|spot| spot.cell).collect();
            for &first in &cells {
                start.explain_clicks(&[Step { cell: first, level: 9 }]);
                let second = cells[usize::from(first) * 7 % cells.len()];
                start.explain_clicks(&[Step::cell(first), Step::cell(second)]);
                start.explain_clicks(&[first, second, first, second].map(Step::cell));
            }
        }
    }
}
