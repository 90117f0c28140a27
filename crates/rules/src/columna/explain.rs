//! What clicks may have been meant as: a pawn's move and a drop, or a pawn's move and a stack's.

use super::Position;
use crate::view::{Piece, View};
use crate::{Clicked, Explain};

impl Explain for Position {
    fn intended(&self, clicks: &[Clicked<'_>], _: &View) -> Vec<String> {
        let is_own = |clicked: &Clicked<'_>| match clicked.spot.piece {
            Some(Piece::Stack { owner, .. }) => owner == self.side,
            _ => false,
        };
        match clicks {
            // Any space will do to hear what is wrong with the pawn's point.
            [pawn] => vec![format!("{pawn}@e5")],
            [pawn, on] if is_own(on) => vec![format!("{pawn}@{on}"), format!("{pawn},{on}-{on}")],
            [pawn, on] => vec![format!("{pawn}@{on}")],
            [pawn, from, to] => vec![format!("{pawn},{from}-{to}")],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Position;
    use crate::testing::{start, why_not};

    #[test]
    fn the_pawn_comes_first_then_a_drop_or_a_stack() {
        let why = |cells: &[&str]| why_not(start::<Position>(), cells);
        assert!(why(&["a1"]).unwrap().contains("must move"));
        assert!(why(&["a4", "d5"]).unwrap().contains("line of sight"));
        assert_eq!(why(&["a4", "d4"]), None, "legal");
    }
}
