//! The grid, and the ring around it.

use super::{Point, Position, Size};
use crate::view::{Counted, Ground, Piece, Show, Spot, View};
use crate::{Position as _, Side};

impl Show for Position {
    fn view(&self) -> View {
        let points = self.size.points().map(|point| Spot {
            cell: self.size.cell(point),
            name: point.to_string(),
            x: 2 * i16::from(point.file()) + 1,
            y: 2 * i16::from(point.rank()) + 1,
            ground: Ground::Point,
            piece: self.at(point).map(Piece::Stone),
            owner: self.owner(point),
        });
        let spots = points.chain(ring(self.size)).collect();
        View {
            spots,
            counts: self.score(),
            counted: Counted::Points,
            supply: None,
            stall: None,
            decided: self.winning_wall(),
        }
    }
}

impl Position {
    /// The loops that the winner holds against the other player's points (clauses 3 and 7): stones next to
    /// those points, each joined to the next.
    fn winning_wall(&self) -> Vec<[u16; 2]> {
        let Some(winner) = self.outcome().and_then(|outcome| outcome.winner) else {
            return Vec::new();
        };
        let owner = self.owners();
        let steps: [(i16, i16); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
        let moved = |point: Point, (dx, dy): (i16, i16)| {
            let [x, y] = [(point.file(), dx), (point.rank(), dy)]
                .map(|(at, by)| u8::try_from(i16::from(at) + by).ok());
            Point::new(x?, y?).filter(|point| self.size.holds(*point))
        };
        let is_wall = |point: Point| {
            let faces = |step| moved(point, step).and_then(&owner) == Some(winner.other());
            self.at(point) == Some(winner)
                && owner(point) == Some(winner)
                && steps.into_iter().any(faces)
        };
        let pairs = self.size.points().filter(|point| is_wall(*point)).flat_map(|point| {
            let diagonals =
                [(1, 1), (-1, 1)].into_iter().filter_map(move |step| moved(point, step));
            diagonals.map(move |other| [point, other])
        });
        let walls = pairs.filter(|[_, other]| is_wall(*other));
        walls.map(|pair| pair.map(|point| self.size.cell(point))).collect()
    }
}

/// The stones of the ring (clause 1): around the board in pairs that face each other.
fn ring(size: Size) -> impl Iterator<Item = Spot> {
    let end = i16::from(size.get()) + 1;
    let places =
        (1..end).flat_map(move |along| [(along, 0), (along, end), (0, along), (end, along)]);
    places.zip(u16::from(size.get()).pow(2)..).map(|((x, y), cell)| Spot {
        cell,
        name: String::new(),
        x: 2 * x - 1,
        y: 2 * y - 1,
        ground: Ground::Ring,
        piece: Some(Piece::Stone(if (x + y) % 2 == 0 { Side::First } else { Side::Second })),
        owner: None,
    })
}

#[cfg(test)]
mod tests {
    use crate::palisade::{Position, Size};
    use crate::playout::{Rng, random_game};
    use crate::view::{Piece, Show as _};
    use crate::{Notation as _, Position as _};

    #[test]
    fn the_winning_wall_is_the_winners() {
        let start = Position::start(Size::new(7).unwrap());
        assert!(start.view().decided.is_empty());
        for seed in 0..20 {
            let mut position = start;
            let game = random_game(&mut position, &mut Rng::for_game(seed, 1));
            let winner = game.outcome.winner.unwrap();
            let (view, text) = (position.view(), position.to_setup().to_string());
            let spot = |cell: u16| view.spots.iter().find(|spot| spot.cell == cell).unwrap();
            // Unless one player owns it all, there is a wall between the two.
            assert_eq!(view.decided.is_empty(), view.counts.contains(&0), "{text}");
            for &[a, b] in &view.decided {
                for cell in [a, b] {
                    assert_eq!(spot(cell).piece, Some(Piece::Stone(winner)), "{text}");
                    assert_eq!(spot(cell).owner, Some(winner), "{text}");
                }
                let apart =
                    [(spot(a).x, spot(b).x), (spot(a).y, spot(b).y)].map(|(a, b)| (a - b).abs());
                assert_eq!(apart, [2, 2], "{text}");
            }
        }
    }
}
