//! What can be changed: singles and doubles on any square.

use super::{Checkers, Setup};
use crate::view::{Piece, Spot};
use crate::{Edit, Side};

impl Edit for Setup {
    fn options(&self) {}

    fn pieces() -> Vec<Piece> {
        let [white, black] = Side::BOTH;
        let singles = [Piece::Single(white), Piece::Single(black)];
        singles.into_iter().chain([Piece::Double(white), Piece::Double(black)]).collect()
    }

    fn at(&self, spot: &Spot) -> Option<Piece> {
        let (file, rank) = spot.place();
        self.board[rank][file].map(|checkers| match checkers {
            Checkers::Single(side) => Piece::Single(side),
            Checkers::Double(side) => Piece::Double(side),
        })
    }

    fn put(&mut self, spot: &Spot, piece: Option<&Piece>) {
        let (file, rank) = spot.place();
        self.board[rank][file] = match piece {
            Some(Piece::Single(side)) => Some(Checkers::Single(*side)),
            Some(Piece::Double(side)) => Some(Checkers::Double(*side)),
            _ => None,
        };
    }

    fn side(&mut self) -> &mut Side {
        &mut self.side
    }

    fn clear(&mut self) {
        self.board = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{flaws, set_up};

    #[test]
    fn singles_and_doubles_can_be_put_anywhere() {
        let [single, double] = [0, 3];
        let setup = set_up("impasse", &[("a1", Some(double)), ("b4", Some(single)), ("d2", None)]);
        assert_eq!(setup.text(), "1W1b1W1b/b1W1b1W1/8/8/1w6/8/1B3B1w/B1B1w1B1 w");
        assert_eq!(flaws(&setup), ["Black has 14 checkers, but only 12 exist"]);
        let light = set_up("impasse", &[("d2", None), ("d3", Some(single))]);
        assert_eq!(flaws(&light), ["d3 is a light square and must be empty"]);
    }
}
