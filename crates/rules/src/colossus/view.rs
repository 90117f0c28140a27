//! The hexagon.

use super::{Cell, Occupant, Position};
use crate::view::{Counted, Ground, Piece, Show, Spot, View};
use crate::{Outcome, Position as _, Reason, Side};

impl Show for Position {
    fn view(&self) -> View {
        let spots = Cell::all()
            .map(|cell| {
                let row = i16::from(cell.row());
                Spot {
                    cell: cell.index().into(),
                    name: cell.to_string(),
                    // Row d is the longest; each row from it begins half a cell further in.
                    x: 2 * i16::from(cell.place()) + 1 + (row - 3).abs(),
                    y: 2 * row + 1,
                    ground: Ground::Hex,
                    piece: self.at(cell).map(|occupant| match occupant {
                        Occupant::Stone(side) => Piece::Stone(side),
                        Occupant::Tower(owner) => Piece::Tower(owner),
                    }),
                    owner: None,
                }
            })
            .collect();
        View {
            spots,
            counts: Side::BOTH.map(|side| self.score(side)),
            counted: Counted::Score,
            supply: Some(self.supply),
            stall: Some([self.stall, super::STALL]),
            decided: self.sieges(),
        }
    }
}

impl Position {
    /// The sieges that have cost a player the last tower (clauses 4 and 6): rings of the winner's stones
    /// around towers that are the winner's now.
    fn sieges(&self) -> Vec<[u16; 2]> {
        let Some(Outcome { winner: Some(winner), reason: Reason::NoTower }) = self.outcome() else {
            return Vec::new();
        };
        let stones = self.stones[winner.index()] & !self.towers;
        let towers =
            Cell::all().filter(|cell| self.at(*cell) == Some(Occupant::Tower(Some(winner))));
        let besieged = towers.filter(|tower| tower.neighbours() & !stones == 0);
        let rings = besieged.flat_map(|tower| {
            let ring = move || Cell::all().filter(move |cell| cell.bit() & tower.neighbours() != 0);
            ring().flat_map(move |a| ring().filter(move |b| a < *b).map(move |b| [a, b]))
        });
        let beside = |[a, b]: &[Cell; 2]| a.neighbours() & b.bit() != 0;
        rings.filter(beside).map(|pair| pair.map(|cell| cell.index().into())).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::Game;

    #[test]
    fn the_siege_of_the_last_tower_is_a_ring() {
        // White's stones are all around g4, which was Black's last tower.
        let over = "t1wW/3ww/6/t5t/6/5/W2t w 3 0 9";
        let position = Game::Colossus.position(over).unwrap();
        assert!(position.outcome().is_some(), "{:?}", position.outcome());
        let view = position.view();
        let name =
            |cell: u16| view.spots.iter().find(|spot| spot.cell == cell).unwrap().name.clone();
        let lines: Vec<String> =
            view.decided.iter().map(|&[a, b]| format!("{}-{}", name(a), name(b))).collect();
        assert_eq!(lines, ["f4-f5", "f4-g3"]);
        assert!(Game::Colossus.start().view().decided.is_empty());
    }
}
