//! Columna. With the rule set `spaces` the second player sees the colours exchanged and the board as
//! it is; with `points`, where each player has a track, the board turned round as well.

use std::sync::LazyLock;

use stoa_rules::columna::{Cell, FULL_HEIGHT, Move, Point, Position, RuleSet, STALL, Space, WIDTH};
use stoa_rules::{Position as _, Side};

use crate::Encode;
use crate::encode::{Canvas, bits};

const SIDE: usize = WIDTH as usize;

/// The moves that go with one point of the pawn: drops on the spaces in its line of sight, then a
/// direction for every space with a stack.
const PER_POINT: usize = SIDE + 4 * SIDE * SIDE;

/// The directions in which a stack moves, in files and ranks: right, up, left, down.
const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Every point of the ring by its number.
static POINTS: LazyLock<Vec<Point>> = LazyLock::new(|| {
    let mut points: Vec<Point> = Cell::all().filter_map(Cell::point).collect();
    points.sort_by_key(|point| point.index());
    points
});

/// How many points a pawn can have, as its owner sees them.
#[inline]
fn points(rules: RuleSet) -> usize {
    match rules {
        RuleSet::Spaces => 32,
        RuleSet::Points => 16,
    }
}

/// Whether a player sees the board turned round.
#[inline]
fn is_turned(rules: RuleSet, viewer: Side) -> bool {
    rules == RuleSet::Points && viewer == Side::Second
}

/// File and rank of a space as a player sees them.
#[inline]
fn place(turned: bool, space: Space) -> (usize, usize) {
    turned_place(turned, usize::from(space.file()), usize::from(space.rank()))
}

/// File and rank as a player sees them; turned twice, they are as before.
#[inline]
fn turned_place(turned: bool, file: usize, rank: usize) -> (usize, usize) {
    if turned { (SIDE - 1 - file, SIDE - 1 - rank) } else { (file, rank) }
}

fn space_at(turned: bool, file: usize, rank: usize) -> Option<Space> {
    let seen = Space::new(file as u8, rank as u8)?;
    let (file, rank) = place(turned, seen);
    Space::new(file as u8, rank as u8)
}

/// The number of a point of the ring as a player sees it; turned twice, it is as before.
#[inline]
fn turned_point(turned: bool, index: usize) -> usize {
    if turned { (index + 16) % 32 } else { index }
}

/// The number of a stack's move among those that go with one point of the pawn.
#[inline]
fn stack_move(turned: bool, from: Space, to: Space) -> usize {
    let (file, rank) = place(turned, from);
    let is_upright = from.file() == to.file();
    // On a board that is turned, right is left and up is down.
    let is_backward = (to < from) != turned;
    let direction = usize::from(is_upright) + 2 * usize::from(is_backward);
    SIDE + 4 * (rank * SIDE + file) + direction
}

/// The space at a distance from a point, counted from zero, in its line of sight.
fn in_sight(point: usize, distance: usize) -> Option<(usize, usize)> {
    let (along, last) = (point % 8, SIDE - 1);
    if along == 0 {
        return None;
    }
    Some(match point / 8 {
        0 => (distance, along - 1),
        1 => (along - 1, last - distance),
        2 => (last - distance, SIDE - along),
        _ => (SIDE - along, distance),
    })
}

impl Encode for Position {
    const PLANES: &'static [&'static str] = &[
        "own stacks of 1",
        "own stacks of 2",
        "own stacks of 3",
        "own stacks of 4",
        "opposing stacks of 1",
        "opposing stacks of 2",
        "opposing stacks of 3",
        "opposing stacks of 4",
        "own pawn",
        "opposing pawn",
        "turns without a drop, of 40",
    ];

    fn board(_: RuleSet) -> [usize; 2] {
        [SIDE + 2; 2]
    }

    /// Point of the pawn, then what is done; the last action is the pass.
    fn actions(rules: RuleSet) -> usize {
        points(rules) * PER_POINT + 1
    }

    #[inline]
    fn action(&self, mv: Move) -> Option<usize> {
        let rules = self.options();
        let turned = is_turned(rules, self.side_to_move());
        let (pawn, rest) = match mv {
            Move::Pass => return Some(Self::actions(rules) - 1),
            Move::Drop { pawn, on } => {
                let point = turned_point(turned, usize::from(pawn.index()));
                let (file, rank) = place(turned, on);
                // The distance from the pawn's edge.
                let distance = match point / 8 {
                    0 => file,
                    1 => SIDE - 1 - rank,
                    2 => SIDE - 1 - file,
                    _ => rank,
                };
                (point, distance)
            }
            Move::MoveStack { pawn, from, to } => {
                let point = turned_point(turned, usize::from(pawn.index()));
                (point, stack_move(turned, from, to))
            }
        };
        (pawn < points(rules)).then_some(pawn * PER_POINT + rest)
    }

    /// A stack's move goes with every point of the pawn, so there are long rows of moves of one stack.
    #[inline]
    fn actions_of(&self, moves: &[Move], mut take: impl FnMut(usize)) -> Result<(), Move> {
        let rules = self.options();
        let turned = is_turned(rules, self.side_to_move());
        let first_of: [usize; 32] =
            std::array::from_fn(|index| turned_point(turned, index) * PER_POINT);
        let end = points(rules) * PER_POINT;
        let mut left = moves;
        while let [mv, others @ ..] = left {
            let Move::MoveStack { from, to, .. } = *mv else {
                take(self.action(*mv).ok_or(*mv)?);
                left = others;
                continue;
            };
            let number = stack_move(turned, from, to);
            while let [Move::MoveStack { pawn, from: start, to: target }, others @ ..] = left
                && (*start, *target) == (from, to)
            {
                let first = first_of[usize::from(pawn.index() % 32)];
                if first >= end {
                    return Err(left[0]);
                }
                take(first + number);
                left = others;
            }
        }
        Ok(())
    }

    fn move_of(&self, action: usize) -> Option<Move> {
        let rules = self.options();
        let turned = is_turned(rules, self.side_to_move());
        if action + 1 == Self::actions(rules) {
            return Some(Move::Pass);
        }
        let (point, rest) = (action / PER_POINT, action % PER_POINT);
        let pawn = *POINTS.get(turned_point(turned, point))?;
        let Some(stack) = rest.checked_sub(SIDE) else {
            let (file, rank) = in_sight(point, rest)?;
            return Some(Move::Drop { pawn, on: space_at(turned, file, rank)? });
        };
        let (file, rank) = (stack / 4 % SIDE, stack / 4 / SIDE);
        let from = space_at(turned, file, rank)?;
        // A stack moves as far as it is high (clause 3).
        let height = self.stack(from)?.height as i8;
        let (files, ranks) = DIRECTIONS[stack % 4];
        let moved = |at: usize, by: i8| usize::try_from(at as i8 + by * height).ok();
        let to = space_at(turned, moved(file, files)?, moved(rank, ranks)?)?;
        Some(Move::MoveStack { pawn, from, to })
    }

    fn observe(&self, viewer: Side, planes: &mut [f32]) {
        let rules = self.options();
        let turned = is_turned(rules, viewer);
        let mut canvas = Canvas::new(planes, Self::board(rules));
        for (first, side) in [(0, viewer), (usize::from(FULL_HEIGHT), viewer.other())] {
            for height in 1..=FULL_HEIGHT {
                let plane = first + usize::from(height) - 1;
                for space in bits(self.owned(side) & self.of_height(height)) {
                    let (file, rank) = turned_place(turned, space % 8, space / 8);
                    canvas.set(plane, rank + 1, file + 1);
                }
            }
        }
        let pawns = 2 * usize::from(FULL_HEIGHT);
        for (plane, side) in [viewer, viewer.other()].into_iter().enumerate() {
            let index = turned_point(turned, usize::from(self.pawn(side).index()));
            let cell = POINTS[index].cell();
            canvas.set(pawns + plane, usize::from(cell.rank()), usize::from(cell.file()));
        }
        canvas.fill(pawns + 2, self.stall(), STALL);
    }
}
