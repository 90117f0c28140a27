//! Positions that are being set up, piece by piece.
//!
//! What is set up may be impossible at any moment, so it is a [`Setup`] and not a position. An
//! [`AnySetup`] is one of any game; it says what is wrong with the whole.
//!
//! ```
//! use stoa_rules::Game;
//!
//! let mut setup = Game::Impasse.setup("8/8/8/8/8/8/8/8 w")?;
//! assert_eq!(setup.objections()[0].rule, "impasse clause 6");
//! let [white, black] = [0, 1]; // the first two of `setup.pieces()`: single checkers
//! setup.put(0, Some(white)); // a1
//! setup.put(63, Some(black)); // h8
//! assert_eq!(setup.text(), "7b/8/8/8/8/8/8/w7 w");
//! assert_eq!(setup.objections(), []);
//! setup.put(1, Some(white)); // b1, which is light
//! assert_eq!(setup.objections()[0].rule, "impasse clause 1");
//! # Ok::<(), stoa_rules::ParseError>(())
//! ```

use crate::view::{Piece, Spot, View};
use crate::{
    AnyPosition, Game, Objection, ParseError, Playable, Position, PositionError, Setup, Side,
    Visitor,
};

/// A setup whose parts can be changed one by one.
pub trait Edit: Setup {
    /// The options of the game that it is a setup of.
    fn options(&self) -> <Self::Position as Position>::Options;

    /// What can be put on the board.
    fn pieces() -> Vec<Piece>;

    /// What stands on a cell.
    fn at(&self, spot: &Spot) -> Option<Piece>;

    /// Puts a piece on a cell, or empties it. On a stack of checkers the piece goes on top, and
    /// emptying takes the top one away. A piece that cannot be on such a cell changes nothing.
    fn put(&mut self, spot: &Spot, piece: Option<&Piece>);

    /// Whose turn it is.
    fn side(&mut self) -> &mut Side;

    /// The counters that the game has.
    fn counters(&mut self) -> Vec<(Counter, &mut u32)> {
        Vec::new()
    }

    /// Takes everything from the board.
    fn clear(&mut self);
}

/// The rules' own counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Counter {
    /// Towers off the board.
    Supply,
    /// Turns without progress.
    Stall,
    /// The most spaces that were ever occupied.
    Peak,
}

/// A setup of any game.
pub struct AnySetup(Box<dyn Erased>);

impl Game {
    /// What a text sets up, possible or not.
    pub fn setup(self, text: &str) -> Result<AnySetup, ParseError> {
        struct Read<'a>(&'a str);
        impl Visitor for Read<'_> {
            type Output = Result<AnySetup, ParseError>;
            fn visit<P: Playable>(self, options: P::Options) -> Self::Output {
                P::Setup::parse(self.0, options).map(AnySetup::new::<P>)
            }
        }
        self.visit(Read(text))
    }
}

impl AnySetup {
    pub(crate) fn new<P: Playable>(setup: P::Setup) -> AnySetup {
        let (board, pieces) = (P::start(setup.options()).view(), P::Setup::pieces());
        AnySetup(Box::new(Editor::<P> { setup, board, pieces }))
    }

    /// The game with its options.
    pub fn game(&self) -> Game {
        self.0.game()
    }

    /// The setup in text; if it is possible, this is the text of the position.
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// The board with what stands on it, possible or not.
    pub fn view(&self) -> View {
        self.0.view()
    }

    /// What can be put on the board.
    pub fn pieces(&self) -> &[Piece] {
        self.0.pieces()
    }

    /// Whose turn it is.
    pub fn side(&mut self) -> &mut Side {
        self.0.side()
    }

    /// The counters that the game has.
    pub fn counters(&mut self) -> Vec<(Counter, &mut u32)> {
        self.0.counters()
    }

    /// Puts a piece on a cell, by its number among [`pieces`](AnySetup::pieces), or empties the
    /// cell. On a stack of checkers the piece goes on top, and emptying takes the top one away. An
    /// unknown cell or piece changes nothing.
    pub fn put(&mut self, cell: u16, piece: Option<usize>) {
        self.0.put(cell, piece);
    }

    /// Sets a counter, if the game has it.
    pub fn set_counter(&mut self, counter: Counter, value: u32) {
        let found = self.counters().into_iter().find(|(known, _)| *known == counter);
        if let Some((_, count)) = found {
            *count = value;
        }
    }

    /// Takes everything from the board.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Every reason why this position is impossible.
    pub fn objections(&self) -> Vec<Objection> {
        match self.validate() {
            Err(PositionError::Impossible(objections)) => objections,
            _ => Vec::new(),
        }
    }

    /// The position, or every reason why it is impossible.
    pub fn validate(&self) -> Result<AnyPosition, PositionError> {
        self.0.validate()
    }
}

/// A setup with the board of its game and what can be put there.
struct Editor<P: Playable> {
    setup: P::Setup,
    board: View,
    pieces: Vec<Piece>,
}

/// What [`AnySetup`] needs of an editor.
trait Erased {
    fn game(&self) -> Game;
    fn text(&self) -> String;
    fn view(&self) -> View;
    fn pieces(&self) -> &[Piece];
    fn side(&mut self) -> &mut Side;
    fn counters(&mut self) -> Vec<(Counter, &mut u32)>;
    fn put(&mut self, cell: u16, piece: Option<usize>);
    fn clear(&mut self);
    fn validate(&self) -> Result<AnyPosition, PositionError>;
}

impl<P: Playable> Erased for Editor<P> {
    fn game(&self) -> Game {
        P::game(self.setup.options())
    }

    fn text(&self) -> String {
        self.setup.to_string()
    }

    fn view(&self) -> View {
        if let Ok(position) = self.setup.validate() {
            return position.view();
        }
        let mut board = self.board.clone();
        for spot in board.spots.iter_mut().filter(|spot| !spot.name.is_empty()) {
            spot.piece = self.setup.at(spot);
            spot.owner = None;
        }
        board
    }

    fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    fn side(&mut self) -> &mut Side {
        self.setup.side()
    }

    fn counters(&mut self) -> Vec<(Counter, &mut u32)> {
        self.setup.counters()
    }

    fn put(&mut self, cell: u16, piece: Option<usize>) {
        let spot = self.board.spots.iter().find(|spot| spot.cell == cell && !spot.name.is_empty());
        let known = piece.is_none_or(|index| index < self.pieces.len());
        if let (Some(spot), true) = (spot, known) {
            self.setup.put(spot, piece.and_then(|index| self.pieces.get(index)));
        }
    }

    fn clear(&mut self) {
        self.setup.clear();
    }

    fn validate(&self) -> Result<AnyPosition, PositionError> {
        let position = self.setup.validate();
        position.map(AnyPosition::new).map_err(|flaws| PositionError::impossible::<P>(&flaws))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_survives_being_set_up_again() {
        for game in Game::variants() {
            let start = game.start();
            let mut setup = game.setup(&start.text()).unwrap();
            assert_eq!((setup.game(), setup.text()), (game, start.text()));
            assert_eq!(setup.objections(), []);
            let board = setup.view();
            setup.clear();
            for spot in board.spots.iter().filter(|spot| !spot.name.is_empty()) {
                // A stack of checkers is put there one by one.
                let pieces = match &spot.piece {
                    Some(Piece::Checkers(checkers)) => {
                        checkers.iter().map(|&side| Piece::Checkers(vec![side])).collect()
                    }
                    piece => Vec::from_iter(piece.clone()),
                };
                for piece in pieces {
                    let index = setup.pieces().iter().position(|known| *known == piece);
                    setup.put(spot.cell, Some(index.expect("every piece can be put there")));
                }
            }
            assert_eq!(setup.view().spots, board.spots, "{game}");
        }
    }

    #[test]
    fn unknown_cells_and_pieces_change_nothing() {
        for game in Game::variants() {
            let start = game.start().text();
            let mut setup = game.setup(&start).unwrap();
            setup.put(999, Some(0));
            setup.put(0, Some(99));
            assert_eq!(setup.text(), start);
            for counter in [Counter::Supply, Counter::Stall, Counter::Peak] {
                let before = setup.text();
                let has = setup.counters().iter().any(|(known, _)| *known == counter);
                setup.set_counter(counter, u32::MAX);
                assert_eq!(setup.text() != before, has, "{game} {counter:?}");
                setup.objections();
            }
        }
    }
}
