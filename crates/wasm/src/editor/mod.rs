//! Positions that are being set up: put a piece somewhere, and hear what is wrong with the whole.
//!
//! What is set up may be impossible at any moment, so it is a [`Setup`] and not a position. Between
//! questions it is text, as everything is. Nothing here decides what is possible; the rules do.

mod games;

use serde::{Deserialize, Serialize};
use stoa_rules::view::{Piece, Spot, View};
use stoa_rules::{Game, Objection, Position, PositionError, Setup, Side};
use stoa_rules::{colonnade, colossus, columna, impasse, palisade};

use crate::Failure;
use crate::record::Player;

/// One change.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Change {
    /// Puts a piece on a cell instead of what is there; on a column it comes to lie on top.
    Put {
        /// The number of the cell.
        cell: u16,
        /// Which one of the pieces that there are; none takes away what is there, from a column the top.
        piece: Option<usize>,
    },
    /// Whose turn it is.
    Side(Player),
    /// Sets a counter of the game.
    Count(Counter, u32),
    /// Takes everything from the board.
    Clear,
}

/// The rules' own counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counter {
    /// Towers off the board.
    Supply,
    /// Turns without progress.
    Stall,
    /// The most spaces that were ever occupied.
    Peak,
}

/// What has been set up.
#[derive(Debug, Clone, Serialize)]
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
    /// Every reason why this position cannot be.
    objections: Vec<Objection>,
}

/// What has been set up, after some changes.
pub fn edit(game: Game, setup: Option<&str>, changes: &[Change]) -> Result<Edited, Failure> {
    let start = game.start().text();
    let text = setup.unwrap_or(&start);
    match game {
        Game::Colonnade => edited::<colonnade::Setup>(text, (), changes),
        Game::Impasse => edited::<impasse::Setup>(text, (), changes),
        Game::Palisade(size) => edited::<palisade::Setup>(text, size, changes),
        Game::Columna(rules) => edited::<columna::Setup>(text, rules, changes),
        Game::Colossus => edited::<colossus::Setup>(text, (), changes),
    }
}

type Options<S> = <<S as Setup>::Position as Position>::Options;

fn edited<S: Editable>(
    text: &str,
    options: Options<S>,
    changes: &[Change],
) -> Result<Edited, Failure> {
    let parsed = S::parse(text.trim(), options);
    let mut setup = parsed.map_err(|error| Failure::from(PositionError::Parse(error)))?;
    let game = setup.game();
    let board = game.start().view();
    let pieces = S::pieces();
    for change in changes {
        match *change {
            Change::Put { cell, piece } => {
                // A cell or a piece that there is not changes nothing.
                let spot =
                    board.spots.iter().find(|spot| spot.cell == cell && !spot.name.is_empty());
                let known = piece.is_none_or(|index| index < pieces.len());
                if let (Some(spot), true) = (spot, known) {
                    setup.put(spot, piece.and_then(|index| pieces.get(index)));
                }
            }
            Change::Side(player) => *setup.side() = player.into(),
            Change::Count(wanted, value) => {
                let mut counters = setup.counters();
                if let Some((_, count)) =
                    counters.iter_mut().find(|(counter, _)| *counter == wanted)
                {
                    **count = value;
                }
            }
            Change::Clear => setup.clear(),
        }
    }
    let text = setup.to_string();
    let (view, objections) = match game.position(&text) {
        Ok(position) => (position.view(), Vec::new()),
        Err(PositionError::Impossible(objections)) => (seen(&setup, board), objections),
        Err(error) => return Err(error.into()),
    };
    let counters = setup.counters().into_iter().map(|(counter, count)| (counter, *count)).collect();
    let side = *setup.side();
    Ok(Edited { game: game.to_string(), setup: text, view, side, counters, pieces, objections })
}

/// The board with what stands on it, possible or not.
fn seen<S: Editable>(setup: &S, mut board: View) -> View {
    for spot in board.spots.iter_mut().filter(|spot| !spot.name.is_empty()) {
        spot.piece = setup.at(spot);
        spot.owner = None;
    }
    board
}

/// A setup of a game whose parts can be changed one by one.
trait Editable: Setup {
    /// The game that it is of, with options.
    fn game(&self) -> Game;
    /// What can be put on the board.
    fn pieces() -> Vec<Piece>;
    /// What stands on a cell.
    fn at(&self, spot: &Spot) -> Option<Piece>;
    /// Puts a piece on a cell, or nothing; where it cannot be written down at all, nothing changes.
    fn put(&mut self, spot: &Spot, piece: Option<&Piece>);
    /// Whose turn it is.
    fn side(&mut self) -> &mut Side;
    /// The counters there are.
    fn counters(&mut self) -> Vec<(Counter, &mut u32)> {
        Vec::new()
    }
    /// Takes everything from the board.
    fn clear(&mut self);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(game: Game, name: &str) -> u16 {
        let view = game.start().view();
        view.spots.iter().find(|spot| spot.name == name).expect("such a cell").cell
    }

    fn put(game: Game, name: &str, piece: Option<usize>) -> Change {
        Change::Put { cell: cell(game, name), piece }
    }

    #[test]
    fn every_position_survives_being_set_up_anew() {
        for game in Game::variants() {
            let edited = edit(game, None, &[]).unwrap();
            assert_eq!(edited.setup, game.start().text());
            assert_eq!(edited.objections, []);
            let board = game.start().view();
            let copied: Vec<Change> = board
                .spots
                .iter()
                .filter(|spot| !spot.name.is_empty())
                .flat_map(|spot| {
                    let of = |piece: &Piece| edited.pieces.iter().position(|known| known == piece);
                    let pieces = match &spot.piece {
                        Some(Piece::Checkers(checkers)) => {
                            checkers.iter().map(|side| of(&Piece::Checkers(vec![*side]))).collect()
                        }
                        Some(piece) => vec![of(piece)],
                        None => Vec::new(),
                    };
                    pieces.into_iter().map(|piece| Change::Put { cell: spot.cell, piece })
                })
                .collect();
            let empty = edit(game, None, &[Change::Clear]).unwrap();
            let again = edit(game, Some(&empty.setup), &copied).unwrap();
            assert_eq!(again.view.spots, board.spots, "{game}");
        }
    }

    #[test]
    fn every_reason_is_told_and_the_board_shown_all_the_same() {
        let game = Game::Colonnade;
        let changes = [put(game, "b", Some(0)), put(game, "c", Some(1))];
        let edited = edit(game, None, &changes).unwrap();
        assert_eq!(edited.objections.len(), 3, "{:?}", edited.objections);
        assert!(edited.objections[0].reason.contains("same colour"), "{:?}", edited.objections);
        assert_eq!(edited.view.spots[1].checkers().len(), 5);
        let mended = [put(game, "b", None), put(game, "c", None), Change::Side(Player::Second)];
        let edited = edit(game, Some(&edited.setup), &mended).unwrap();
        assert_eq!((edited.objections.len(), edited.side), (0, Side::Second));

        let game: Game = "palisade:5".parse().unwrap();
        let edited = edit(game, None, &[put(game, "b1", Some(0))]).unwrap();
        assert!(
            edited.objections[0].reason.contains("b1 can hold no stone of Black"),
            "{:?}",
            edited.objections
        );

        let game: Game = "columna".parse().unwrap();
        let pawn = edit(game, None, &[]).unwrap().pieces.len() - 1;
        let changes = [put(game, "a1", Some(pawn)), Change::Count(Counter::Stall, 41)];
        let edited = edit(game, None, &changes).unwrap();
        assert_eq!(edited.objections.len(), 2, "{:?}", edited.objections);

        let changes = [put(Game::Colossus, "d4", Some(2)), Change::Count(Counter::Supply, 9)];
        let edited = edit(Game::Colossus, None, &changes).unwrap();
        assert!(edited.objections[0].reason.contains("only 9 exist"), "{:?}", edited.objections);
    }

    #[test]
    fn what_is_not_there_changes_nothing_and_nonsense_is_refused() {
        let nowhere =
            [Change::Put { cell: 999, piece: Some(0) }, put(Game::Impasse, "a1", Some(9))];
        assert_eq!(
            edit(Game::Impasse, None, &nowhere).unwrap().setup,
            Game::Impasse.start().text()
        );
        assert!(edit(Game::Impasse, Some("8/8 w"), &[]).is_err());
        assert!(edit(Game::Colossus, None, &[Change::Count(Counter::Stall, u32::MAX)]).is_ok());
    }
}
