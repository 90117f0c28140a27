//! The slow twin: loops drawn as lines on a finer grid and flooded from the outside, from scratch
//! for every position. Nothing here is taken from the code under test but its answers.

use std::collections::{BTreeSet, HashSet};

use super::{Move, Point, Position, Setup, Size, at, start_of};
use crate::playout::Rng;
use crate::{Notation, Position as _, Setup as _, Side, Symmetry};

/// A place by x and y, as the rules number them: the points from 1, the ring at 0 and n + 1.
type Place = (i32, i32);

#[derive(Debug, Clone, PartialEq)]
struct Twin {
    n: i32,
    /// Black's and White's stones, without the ring.
    stones: [BTreeSet<Place>; 2],
    side: Side,
}

impl Twin {
    fn of(position: &Position) -> Twin {
        let mut stones = [BTreeSet::new(), BTreeSet::new()];
        for point in position.size().points() {
            if let Some(side) = position.at(point) {
                stones[side.index()].insert(place_of(point));
            }
        }
        Twin { n: position.size().get().into(), stones, side: position.side_to_move() }
    }

    fn points(&self) -> impl Iterator<Item = Place> + use<> {
        let n = self.n;
        (1..=n).flat_map(move |y| (1..=n).map(move |x| (x, y)))
    }

    /// Clause 1: the ring's stones of a colour.
    fn ring(&self, side: Side) -> BTreeSet<Place> {
        let end = self.n + 1;
        (1..=self.n)
            .flat_map(|i| [(i, 0), (i, end), (0, i), (end, i)])
            .filter(|&(x, y)| colour((x, y)) == side)
            .collect()
    }

    fn with_ring(&self, side: Side) -> BTreeSet<Place> {
        &self.stones[side.index()] | &self.ring(side)
    }

    /// The places of the board that are within the loops of `walls`, and those on or within them.
    fn loops(&self, walls: &BTreeSet<Place>) -> (HashSet<Place>, HashSet<Place>) {
        // Twice as fine, a line between diagonally adjacent stones has a place of its own.
        let mut drawn: HashSet<Place> = HashSet::new();
        for &(x, y) in walls {
            drawn.insert((2 * x, 2 * y));
            for (dx, dy) in DIAGONAL {
                if walls.contains(&(x + dx, y + dy)) {
                    drawn.insert((2 * x + dx, 2 * y + dy));
                }
            }
        }
        let range = -1..=2 * self.n + 3;
        let mut outside = HashSet::from([(-1, -1)]);
        let mut todo = vec![(-1, -1)];
        while let Some((x, y)) = todo.pop() {
            for (dx, dy) in ORTHOGONAL {
                let next = (x + dx, y + dy);
                let on_grid = range.contains(&next.0) && range.contains(&next.1);
                if on_grid && !drawn.contains(&next) && outside.insert(next) {
                    todo.push(next);
                }
            }
        }
        let around = |(x, y): Place| ORTHOGONAL.map(|(dx, dy)| (2 * x + dx, 2 * y + dy));
        let within = |place: Place| around(place).iter().all(|side| !outside.contains(side));
        let owned = |place: Place| around(place).iter().any(|side| !outside.contains(side));
        (
            self.points().filter(|&place| within(place)).collect(),
            self.points().filter(|&place| owned(place)).collect(),
        )
    }

    fn legal(&self) -> BTreeSet<Place> {
        let within = Side::BOTH.map(|side| self.loops(&self.with_ring(side)).0);
        self.points()
            .filter(|place| colour(*place) == self.side)
            .filter(|place| !self.stones[self.side.index()].contains(place))
            .filter(|place| within.iter().all(|within| !within.contains(place)))
            .collect()
    }

    fn play(&mut self, place: Place) {
        self.stones[self.side.index()].insert(place);
        let stones = self.with_ring(self.side);
        let (within, _) = self.loops(&on_loops_through(place, &stones));
        self.side = self.side.other();
        self.stones[self.side.index()].retain(|enemy| !within.contains(enemy));
    }
}

const DIAGONAL: [Place; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const ORTHOGONAL: [Place; 4] = [(1, 0), (0, -1), (-1, 0), (0, 1)];

fn place_of(point: Point) -> Place {
    (i32::from(point.file()) + 1, i32::from(point.rank()) + 1)
}

/// Clause 2.
fn colour((x, y): Place) -> Side {
    if (x + y) % 2 == 0 { Side::First } else { Side::Second }
}

/// The stones that some loop through `start` passes. A loop is two ways from one stone to the
/// other that share nothing else; by Menger's theorem there are two unless one stone, or the line
/// between the two, is on every way.
fn on_loops_through(start: Place, stones: &BTreeSet<Place>) -> BTreeSet<Place> {
    let reached = |removed: Option<Place>, cut: Option<Place>| {
        let mut reached = BTreeSet::from([start]);
        let mut todo = vec![start];
        while let Some((x, y)) = todo.pop() {
            for (dx, dy) in DIAGONAL {
                let next = (x + dx, y + dy);
                let line_is_cut = ((x, y) == start && cut == Some(next))
                    || (next == start && cut == Some((x, y)));
                if stones.contains(&next)
                    && removed != Some(next)
                    && !line_is_cut
                    && reached.insert(next)
                {
                    todo.push(next);
                }
            }
        }
        reached
    };
    let mut on_loops = reached(None, None);
    for &stone in on_loops.clone().iter().filter(|&&stone| stone != start) {
        let mut still = reached(Some(stone), None);
        still.insert(stone);
        // A stone next to `start` is reached over the line between them, whatever is removed.
        on_loops.retain(|place| still.contains(place));
    }
    for (dx, dy) in DIAGONAL {
        let next = (start.0 + dx, start.1 + dy);
        if on_loops.contains(&next) && !reached(None, Some(next)).contains(&next) {
            on_loops.remove(&next);
        }
    }
    on_loops
}

/// Compares everything the position knows with the twin and with the position read anew.
fn check(position: &Position) {
    let text = position.to_setup().to_string();
    let fresh = at(&text);
    assert_eq!(*position, fresh);
    assert_eq!(position.key(), fresh.key(), "{text}");
    assert_eq!(position.enclosed, fresh.enclosed, "{text}");
    assert_eq!(position.open, fresh.open, "{text}");

    let twin = Twin::of(position);
    let owned = Side::BOTH.map(|side| twin.loops(&twin.with_ring(side)).1);
    let latest = position.side_to_move().other();
    let mut score = [0, 0];
    for point in position.size().points() {
        let claims = |side: &Side| owned[side.index()].contains(&place_of(point));
        let owner = [latest, latest.other()].into_iter().find(claims);
        assert_eq!(position.owner(point), owner, "{text}, {point}");
        if let Some(owner) = owner {
            score[owner.index()] += 1;
        }
    }
    assert_eq!(position.score(), score, "{text}");

    let moves = position.legal_moves();
    let places: BTreeSet<Place> = moves.iter().map(|mv| place_of(mv.0)).collect();
    assert_eq!(places, twin.legal(), "{text}");
    assert_eq!([moves.len(), position.count_moves()], [places.len(); 2]);
    for point in position.size().points() {
        let mv = Move(point);
        assert_eq!(position.violation(mv).is_none(), moves.contains(&mv), "{text}, {point}");
        assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv));
    }
    // Clause 7: the game is over when every point is owned, and until then both can move.
    let all_owned = count_points(position.size()) == score[0] + score[1];
    assert_eq!(position.outcome().is_some(), all_owned, "{text}");
    assert_eq!(position.outcome().is_some(), moves.is_empty(), "{text}");
    assert!(position.outcome().is_none_or(|outcome| outcome.winner.is_some()));
    assert_eq!(position.open.map(|open| open.is_empty()), [all_owned; 2], "{text}");
}

fn count_points(size: Size) -> u32 {
    u32::from(size.get()).pow(2)
}

/// Plays to the end by random moves. Every move is checked, or on a large board, where that takes
/// long, every seventh.
fn check_game(mut position: Position, rng: &mut Rng) {
    check(&position);
    for ply in 0.. {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return check(&position);
        }
        let before = position;
        let mv = moves[rng.below(moves.len())];
        position.play_unchecked(mv);
        if position.size().get() < 13 || ply % 7 == 0 {
            check_move(&before, mv, &position);
            check_symmetry(&before, mv, &position, rng.below(8));
            check(&position);
        }
    }
}

fn check_move(before: &Position, mv: Move, after: &Position) {
    let mut twin = Twin::of(before);
    twin.play(place_of(mv.0));
    assert_eq!(Twin::of(after), twin, "{before:?}, {mv:?}");
    assert!(before.turns_left_at_most() > after.turns_left_at_most(), "{before:?}, {mv:?}");
}

fn check_symmetry(before: &Position, mv: Move, after: &Position, symmetry: usize) {
    let mut seen = before.transform(symmetry);
    seen.play(before.transform_move(mv, symmetry)).unwrap();
    assert_eq!(seen, after.transform(symmetry), "{before:?}, {mv:?}, {symmetry}");
    assert_eq!(seen.key(), after.transform(symmetry).key());
}

#[test]
fn played_games_agree_with_the_twin() {
    let mut rng = Rng::new(1);
    for (size, games) in [(3, 100), (5, 40), (7, 10), (9, 4), (13, 2), (19, 1)] {
        for _ in 0..games {
            let start = start_of(size);
            assert_eq!(start.turns_left_at_most(), count_points(start.size()));
            check_game(start, &mut rng);
        }
    }
}

#[test]
fn positions_that_play_never_reaches_agree_with_the_twin() {
    let mut rng = Rng::new(2);
    for (size, games) in [(3, 60), (5, 60), (7, 20), (9, 8), (13, 3)] {
        for _ in 0..games {
            let mut setup = Setup::from(&start_of(size));
            let stones = rng.below(count_points(setup.size) as usize);
            for _ in 0..stones {
                let (x, y) = (rng.below(size.into()), rng.below(size.into()));
                setup.cells[y][x] = Some(Side::from_bit((x + y) as u8 % 2));
            }
            setup.side = Side::from_bit(rng.below(2) as u8);
            check_game(setup.validate().unwrap(), &mut rng);
        }
    }
}

#[test]
fn the_symmetries_are_all_different() {
    let position = at("5/1b3/5/w4/5 w");
    let seen: HashSet<String> =
        (0..8).map(|symmetry| position.transform(symmetry).to_setup().to_string()).collect();
    assert_eq!(seen.len(), position.symmetries());
    assert_eq!(position.transform(0), position);
}
