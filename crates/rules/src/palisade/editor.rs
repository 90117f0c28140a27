//! What can be changed: stones on any point.

use super::{Setup, Size};
use crate::view::{Piece, Spot};
use crate::{Edit, Side};

impl Edit for Setup {
    fn options(&self) -> Size {
        self.size
    }

    fn pieces() -> Vec<Piece> {
        Side::BOTH.map(Piece::Stone).into()
    }

    fn at(&self, spot: &Spot) -> Option<Piece> {
        let (file, rank) = spot.place();
        self.cells[rank][file].map(Piece::Stone)
    }

    fn put(&mut self, spot: &Spot, piece: Option<&Piece>) {
        let (file, rank) = spot.place();
        self.cells[rank][file] = match piece {
            Some(Piece::Stone(side)) => Some(*side),
            _ => None,
        };
    }

    fn side(&mut self) -> &mut Side {
        &mut self.side
    }

    fn clear(&mut self) {
        self.cells = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{flaws, set_up};

    #[test]
    fn stones_can_be_put_on_points_of_the_other_colour() {
        let setup = set_up("palisade:5", &[("b1", Some(0)), ("c3", Some(0))]);
        assert_eq!(
            (setup.game().to_string(), setup.text()),
            ("palisade:5".into(), "5/5/2b2/5/1b3 b".into())
        );
        assert_eq!(flaws(&setup), ["b1 can hold no stone of Black"]);
    }
}
