//! What can be changed: checkers go on top of stacks.

use super::Setup;
use crate::view::{Piece, Spot};
use crate::{Edit, Side};

impl Edit for Setup {
    fn options(&self) {}

    fn pieces() -> Vec<Piece> {
        Side::BOTH.map(|side| Piece::Checkers(vec![side])).into()
    }

    fn at(&self, spot: &Spot) -> Option<Piece> {
        let stack = &self.stacks[usize::from(spot.cell)];
        (!stack.is_empty()).then(|| Piece::Checkers(stack.clone()))
    }

    fn put(&mut self, spot: &Spot, piece: Option<&Piece>) {
        let stack = &mut self.stacks[usize::from(spot.cell)];
        match piece {
            Some(Piece::Checkers(checkers)) => stack.extend(checkers),
            _ => drop(stack.pop()),
        }
    }

    fn side(&mut self) -> &mut Side {
        &mut self.side
    }

    fn clear(&mut self) {
        self.stacks.iter_mut().for_each(Vec::clear);
    }
}

#[cfg(test)]
mod tests {
    use crate::Side;
    use crate::testing::{change, flaws, set_up};

    #[test]
    fn every_flaw_is_named_and_the_board_shown_all_the_same() {
        let mut setup = set_up("colonnade", &[("b", Some(0)), ("c", Some(1))]);
        let reasons = flaws(&setup);
        assert_eq!(reasons.len(), 3, "{reasons:?}");
        assert!(reasons[0].contains("same colour"), "{reasons:?}");
        assert_eq!(setup.view().spots[1].checkers().len(), 5);
        change(&mut setup, &[("b", None), ("c", None)]);
        *setup.side() = Side::Second;
        assert_eq!(setup.text(), "-/brbr/rbrb/brbr/rbrb/brbr/rbrb/- b");
        assert_eq!(setup.validate().unwrap().side_to_move(), Side::Second);
    }
}
