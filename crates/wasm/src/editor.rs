//! Positions that are being set up: put a piece somewhere, and hear what is wrong with the whole.
//!
//! Between questions a setup is text, like everything else. Nothing here decides what can be set up
//! or what is possible; the rules do.

use serde::{Deserialize, Serialize};
use stoa_rules::view::{Piece, View};
use stoa_rules::{Counter, Game, Objection, PositionError, Side};

use crate::Failure;

/// One change.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Change {
    /// Puts a piece on a cell instead of what is there; on a column it goes on top.
    Put {
        /// The number of the cell.
        cell: u16,
        /// Which of the pieces that there are; none takes away what is there, from a column the
        /// top.
        piece: Option<usize>,
    },
    /// Whose turn it is.
    Side(Side),
    /// Sets a counter of the game.
    Count(Counter, u32),
    /// Takes everything from the board.
    Clear,
}

/// What has been set up.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Edited {
    /// The game with its options.
    game: String,
    /// The setup in text; if it is possible, this is the text of the position.
    setup: String,
    view: View,
    side: Side,
    counters: Vec<(Counter, u32)>,
    /// What can be put on the board.
    pieces: Vec<Piece>,
    /// Every reason why this position is impossible.
    objections: Vec<Objection>,
}

/// What has been set up, after some changes.
pub fn edit(game: Game, setup: Option<&str>, changes: &[Change]) -> Result<Edited, Failure> {
    let mut setup = match setup {
        None => game.start().to_setup(),
        Some(text) => game.setup(text.trim()).map_err(PositionError::Parse)?,
    };
    for change in changes {
        match *change {
            Change::Put { cell, piece } => setup.put(cell, piece),
            Change::Side(side) => *setup.side() = side,
            Change::Count(counter, value) => setup.set_counter(counter, value),
            Change::Clear => setup.clear(),
        }
    }
    let counters = setup.counters().into_iter().map(|(counter, count)| (counter, *count)).collect();
    Ok(Edited {
        game: setup.game().to_string(),
        setup: setup.text(),
        view: setup.view(),
        side: *setup.side(),
        counters,
        pieces: setup.pieces().to_vec(),
        objections: setup.objections(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_made_in_their_order() {
        let change = |text: &str| serde_json::from_str::<Change>(text).expect("a change");
        let changes = [
            r#""clear""#,
            r#"{"put": {"cell": 0, "piece": 0}}"#,
            r#"{"put": {"cell": 2, "piece": 1}}"#,
            r#"{"put": {"cell": 0, "piece": null}}"#,
            r#"{"side": "second"}"#,
            r#"{"count": ["stall", 3]}"#,
        ]
        .map(change);
        let edited = edit(Game::Impasse, None, &changes).unwrap();
        assert_eq!(edited.setup, "8/8/8/8/8/8/8/2b5 b");
        assert_eq!((edited.side, edited.counters), (Side::Second, Vec::new()));
        let again = edit(Game::Impasse, Some(&edited.setup), &[]).unwrap();
        assert_eq!((again.setup, again.view), (edited.setup, edited.view));
    }

    #[test]
    fn every_reason_is_given_and_nonsense_is_refused() {
        let light = [Change::Put { cell: 1, piece: Some(0) }];
        let edited = edit(Game::Impasse, None, &light).unwrap();
        assert_eq!(edited.objections.len(), 2, "{:?}", edited.objections);
        assert_eq!(edited.view.spots[1].piece, Some(Piece::Single(Side::First)));
        assert!(edit(Game::Impasse, Some("8/8 w"), &[]).is_err());
    }
}
