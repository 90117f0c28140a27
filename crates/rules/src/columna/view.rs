//! The inner board with the ring of points around it.

use super::ring::RING;
use super::{Cell, Position, RuleSet, Stack};
use crate::Side;
use crate::view::{Counted, Ground, Piece, Show, Spot, View};

impl Show for Position {
    fn view(&self) -> View {
        let spots = Cell::all()
            .filter_map(|cell| {
                Some(Spot {
                    cell: cell.index().into(),
                    name: cell.to_string(),
                    x: 2 * i16::from(cell.file()) + 1,
                    y: 2 * i16::from(cell.rank()) + 1,
                    ground: self.ground(cell)?,
                    piece: self.piece(cell),
                    owner: None,
                })
            })
            .collect();
        View {
            spots,
            counts: self.fours(),
            counted: Counted::Fours,
            supply: None,
            stall: Some([self.stall, super::STALL]),
        }
    }
}

impl Position {
    /// What kind of cell it is, or nothing if the rule set has no such point.
    fn ground(&self, cell: Cell) -> Option<Ground> {
        match (cell.point(), self.rules) {
            (None, _) => Some(Ground::Square),
            (Some(point), RuleSet::Spaces) if point.bit() & RING == 0 => None,
            (Some(point), RuleSet::Spaces) if point.is_corner() => Some(Ground::Base),
            (Some(_), _) => Some(Ground::Track),
        }
    }

    fn piece(&self, cell: Cell) -> Option<Piece> {
        if let Some(space) = cell.space() {
            self.stack(space).map(|Stack { owner, height }| Piece::Stack { owner, height })
        } else {
            let pawn_here = |side: &Side| self.pawn(*side).cell() == cell;
            Side::BOTH.into_iter().find(pawn_here).map(Piece::Pawn)
        }
    }
}
