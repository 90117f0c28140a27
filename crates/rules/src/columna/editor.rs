//! What can be changed: stacks, pawns, and the stall count.

use super::{Cell, FULL_HEIGHT, RuleSet, Setup, Stack};
use crate::view::{Piece, Spot};
use crate::{Counter, Edit, Side};

impl Edit for Setup {
    fn options(&self) -> RuleSet {
        self.rules
    }

    fn pieces() -> Vec<Piece> {
        let stacks = Side::BOTH
            .into_iter()
            .flat_map(|owner| (1..=FULL_HEIGHT).map(move |height| Piece::Stack { owner, height }));
        stacks.chain(Side::BOTH.map(Piece::Pawn)).collect()
    }

    fn at(&self, spot: &Spot) -> Option<Piece> {
        let here = |side: &Side| u16::from(self.pawns[side.index()].index()) == spot.cell;
        let pawn = Side::BOTH.into_iter().find(here).map(Piece::Pawn);
        pawn.or_else(|| {
            let space = cell(spot)?.space()?;
            let stack = self.board[usize::from(space.rank())][usize::from(space.file())];
            stack.map(|Stack { owner, height }| Piece::Stack { owner, height })
        })
    }

    fn put(&mut self, spot: &Spot, piece: Option<&Piece>) {
        let Some(cell) = cell(spot) else { return };
        if let Some(Piece::Pawn(side)) = piece {
            self.pawns[side.index()] = cell;
        } else if let Some(space) = cell.space() {
            self.board[usize::from(space.rank())][usize::from(space.file())] = match piece {
                Some(Piece::Stack { owner, height }) => {
                    Some(Stack { owner: *owner, height: *height })
                }
                _ => None,
            };
        }
    }

    fn side(&mut self) -> &mut Side {
        &mut self.side
    }

    fn counters(&mut self) -> Vec<(Counter, &mut u32)> {
        vec![(Counter::Stall, &mut self.stall)]
    }

    /// The pawns are never off the board.
    fn clear(&mut self) {
        self.board = Default::default();
        self.stall = 0;
    }
}

fn cell(spot: &Spot) -> Option<Cell> {
    let (file, rank) = spot.place();
    Cell::new(file as u8, rank as u8)
}

#[cfg(test)]
mod tests {
    use super::Counter;
    use crate::testing::{flaws, set_up};

    #[test]
    fn pawns_move_and_never_leave_the_board() {
        for game in ["columna", "columna:points"] {
            let [black_three, white_pawn] = [2, 9];
            let mut setup = set_up(game, &[("d4", Some(black_three)), ("a4", Some(white_pawn))]);
            assert_eq!(setup.text(), "x7/x7/x7/x7/x2,b3,x4/x7/x7 a1 a4 b 0");
            setup.clear();
            assert_eq!(setup.text(), "x7/x7/x7/x7/x7/x7/x7 a1 a4 b 0");
        }
        let mut setup = set_up("columna", &[("a1", Some(9))]);
        setup.set_counter(Counter::Stall, 41);
        assert_eq!(flaws(&setup).len(), 2, "{:?}", flaws(&setup));
    }
}
