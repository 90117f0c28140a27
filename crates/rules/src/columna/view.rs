//! The inner board with the ring of points around it.

use super::ring::RING;
use super::{Cell, Position, RuleSet, Space, Stack};
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
            decided: self.winning_path(),
        }
    }
}

impl Position {
    /// The shortest path that has won the game (clause 8), from pawn to pawn.
    fn winning_path(&self) -> Vec<[u16; 2]> {
        let winner = self.side.other();
        if !self.has_path(winner) {
            return Vec::new();
        }
        let own = self.owned[winner.index()];
        let beside = |spaces: u64| (spaces << 1 | spaces >> 1 | spaces << 8 | spaces >> 8) & own;
        let [from, to] = self.pawns.map(|pawn| pawn.neighbour() & own);
        // The points that can be reached in this many steps, and then back along them.
        let mut reached = vec![from];
        while reached[reached.len() - 1] & to == 0 {
            let last = reached[reached.len() - 1];
            reached.push(last | beside(last));
        }
        let mut at = to & reached[reached.len() - 1];
        let mut cells = vec![self.pawns[1].cell()];
        for earlier in reached.iter().rev().skip(1).map(Some).chain([None]) {
            let space = Space::from_bit(at.trailing_zeros() as u8);
            cells.push(space.cell());
            at = earlier.map_or(0, |earlier| beside(space.bit()) & earlier);
        }
        cells.push(self.pawns[0].cell());
        cells.reverse();
        cells.windows(2).map(|pair| [pair[0], pair[1]].map(|cell| cell.index().into())).collect()
    }

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

#[cfg(test)]
mod tests {
    use crate::Game;

    fn names(position: &str) -> Vec<String> {
        let view = "columna".parse::<Game>().unwrap().position(position).unwrap().view();
        let name =
            |cell: u16| view.spots.iter().find(|spot| spot.cell == cell).unwrap().name.clone();
        view.decided.iter().map(|&[a, b]| format!("{}-{}", name(a), name(b))).collect()
    }

    #[test]
    fn the_winning_path_is_the_shortest() {
        let row = "b1,b1,b1,b1,b1,b1,b1";
        let straight = ["a4-b4", "b4-c4", "c4-d4", "d4-e4", "e4-f4", "f4-g4", "g4-h4", "h4-i4"];
        assert_eq!(names(&format!("x7/x7/x7/x7/{row}/x7/x7 a4 i4 w 0")), straight);
        // A way round does not count.
        assert_eq!(names(&format!("x7/x7/x7/{row}/{row}/x7/x7 a4 i4 w 0")), straight);
        assert_eq!(names("x7/x7/x7/x7/x7/x7/b1,x6 a2 b1 w 0"), ["a2-b2", "b2-b1"]);
        // The game goes on: White has just moved.
        assert_eq!(names(&format!("x7/x7/x7/x7/{row}/x7/x7 a4 i4 b 0")), Vec::<String>::new());
    }
}
