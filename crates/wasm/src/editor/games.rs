//! The parts of each game's setups.

use stoa_rules::colossus::Occupant;
use stoa_rules::columna::{Cell, Stack};
use stoa_rules::impasse::Checkers;
use stoa_rules::view::{Piece, Spot};
use stoa_rules::{Game, Side};
use stoa_rules::{colonnade, colossus, columna, impasse, palisade};

use super::{Counter, Editable};

/// File and rank of a cell, from zero.
fn place(spot: &Spot) -> (usize, usize) {
    let half_cells = |at: i16| usize::try_from(at).unwrap_or(0) / 2;
    (half_cells(spot.x), half_cells(spot.y))
}

impl Editable for colonnade::Setup {
    fn game(&self) -> Game {
        Game::Colonnade
    }

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

impl Editable for impasse::Setup {
    fn game(&self) -> Game {
        Game::Impasse
    }

    fn pieces() -> Vec<Piece> {
        let [white, black] = Side::BOTH;
        let singles = [Piece::Single(white), Piece::Single(black)];
        singles.into_iter().chain([Piece::Double(white), Piece::Double(black)]).collect()
    }

    fn at(&self, spot: &Spot) -> Option<Piece> {
        let (file, rank) = place(spot);
        self.board[rank][file].map(|checkers| match checkers {
            Checkers::Single(side) => Piece::Single(side),
            Checkers::Double(side) => Piece::Double(side),
        })
    }

    fn put(&mut self, spot: &Spot, piece: Option<&Piece>) {
        let (file, rank) = place(spot);
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

impl Editable for palisade::Setup {
    fn game(&self) -> Game {
        Game::Palisade(self.size)
    }

    fn pieces() -> Vec<Piece> {
        Side::BOTH.map(Piece::Stone).into()
    }

    fn at(&self, spot: &Spot) -> Option<Piece> {
        let (file, rank) = place(spot);
        self.cells[rank][file].map(Piece::Stone)
    }

    fn put(&mut self, spot: &Spot, piece: Option<&Piece>) {
        let (file, rank) = place(spot);
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

impl Editable for columna::Setup {
    fn game(&self) -> Game {
        Game::Columna(self.rules)
    }

    fn pieces() -> Vec<Piece> {
        let stacks = Side::BOTH
            .into_iter()
            .flat_map(|owner| (1..=4).map(move |height| Piece::Stack { owner, height }));
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
    let (file, rank) = place(spot);
    Cell::new(file as u8, rank as u8)
}

impl Editable for colossus::Setup {
    fn game(&self) -> Game {
        Game::Colossus
    }

    fn pieces() -> Vec<Piece> {
        let towers = [None, Some(Side::First), Some(Side::Second)].map(Piece::Tower);
        Side::BOTH.map(Piece::Stone).into_iter().chain(towers).collect()
    }

    fn at(&self, spot: &Spot) -> Option<Piece> {
        self.board[usize::from(spot.cell)].map(|occupant| match occupant {
            Occupant::Stone(side) => Piece::Stone(side),
            Occupant::Tower(owner) => Piece::Tower(owner),
        })
    }

    /// A fuller board raises the peak with it; it can still be set to anything afterwards.
    fn put(&mut self, spot: &Spot, piece: Option<&Piece>) {
        self.board[usize::from(spot.cell)] = match piece {
            Some(Piece::Stone(side)) => Some(Occupant::Stone(*side)),
            Some(Piece::Tower(owner)) => Some(Occupant::Tower(*owner)),
            _ => None,
        };
        let occupied = self.board.iter().flatten().count() as u32;
        self.peak = self.peak.max(occupied);
    }

    fn side(&mut self) -> &mut Side {
        &mut self.side
    }

    fn counters(&mut self) -> Vec<(Counter, &mut u32)> {
        vec![
            (Counter::Supply, &mut self.supply),
            (Counter::Stall, &mut self.stall),
            (Counter::Peak, &mut self.peak),
        ]
    }

    /// Without a supply: whoever puts nine towers on the board needs no other counter.
    fn clear(&mut self) {
        self.board = [None; colossus::CELLS];
        (self.supply, self.stall, self.peak) = (0, 0, 0);
    }
}
