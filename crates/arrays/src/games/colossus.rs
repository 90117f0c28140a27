//! Colossus. The second player sees the colours exchanged and the board as it is.
//!
//! In planes the rows are shifted so that each cell has its six neighbours in the same places: left
//! and right, above and above to the left, below and below to the right.

use std::sync::LazyLock;

use stoa_rules::Side;
use stoa_rules::colossus::{CELLS, Cell, Move, Position, STALL, TOWERS, between};

use crate::Encode;
use crate::encode::{Canvas, bits};

/// A number that stands for nothing.
const NONE: u16 = u16::MAX;

/// The rows of the board, and its widest row.
const ROWS: usize = 7;

/// The numbers of moves other than placing, which have the number of the cell.
struct Moves {
    /// What each number stands for.
    moves: Vec<Move>,
    /// The numbers of steps, by where they begin and end.
    steps: [[u16; CELLS]; CELLS],
    /// The numbers of claims without a new tower, by the tower and the other end of the line. Those
    /// with a new tower follow, in the order of the cells of the line.
    claims: [[u16; CELLS]; CELLS],
}

static MOVES: LazyLock<Moves> = LazyLock::new(|| {
    let mut table = Moves {
        moves: Cell::all().map(Move::Place).collect(),
        steps: [[NONE; CELLS]; CELLS],
        claims: [[NONE; CELLS]; CELLS],
    };
    let index = |cell: Cell| usize::from(cell.index());
    for from in Cell::all() {
        for to in Cell::all().filter(|to| from.two_away() >> to.index() & 1 != 0) {
            table.steps[index(from)][index(to)] = table.moves.len() as u16;
            table.moves.push(Move::Step { from, to });
        }
    }
    for tower in Cell::all() {
        for from in Cell::all() {
            let line = between(tower, from);
            if line == 0 {
                continue;
            }
            table.claims[index(tower)][index(from)] = table.moves.len() as u16;
            table.moves.push(Move::Claim { tower, from, new_tower: None });
            let cells = bits(line).filter_map(|cell| Cell::from_index(cell as u8));
            table.moves.extend(cells.map(|cell| Move::Claim {
                tower,
                from,
                new_tower: Some(cell),
            }));
        }
    }
    table
});

/// Row and column of a cell in a plane.
fn place(cell: Cell) -> (usize, usize) {
    let row = usize::from(cell.row());
    // Below the middle the rows begin further to the right.
    (row, usize::from(cell.place()) + 3usize.saturating_sub(row))
}

impl Encode for Position {
    const PLANES: &'static [&'static str] = &[
        "own stones",
        "opposing stones",
        "own towers",
        "opposing towers",
        "empty towers",
        "spaces of the board",
        "towers in the supply, of 9",
        "turns without progress, of 40",
        "most spaces that were ever occupied, of 37",
    ];

    fn board((): ()) -> [usize; 2] {
        [ROWS; 2]
    }

    /// Placements, then moves of stones, then claims.
    fn actions((): ()) -> usize {
        MOVES.moves.len()
    }

    #[inline]
    fn action(&self, mv: Move) -> Option<usize> {
        let index = |cell: Cell| usize::from(cell.index());
        let number = match mv {
            Move::Place(cell) => return Some(index(cell)),
            Move::Step { from, to } => MOVES.steps[index(from)][index(to)],
            Move::Claim { tower, from, new_tower } => {
                let first = MOVES.claims[index(tower)][index(from)];
                let place = new_tower.map_or(0, |cell| {
                    let before = between(tower, from) & ((1 << cell.index()) - 1);
                    before.count_ones() as u16 + 1
                });
                if first == NONE { NONE } else { first + place }
            }
        };
        (number != NONE).then_some(usize::from(number))
    }

    #[inline]
    fn move_of(&self, action: usize) -> Option<Move> {
        MOVES.moves.get(action).copied()
    }

    #[inline]
    fn observe(&self, viewer: Side, planes: &mut [f32]) {
        let mut canvas = Canvas::new(planes, Self::board(()));
        let [own, opposing] = [viewer, viewer.other()].map(|side| self.stones(side));
        let towers = self.towers();
        let boards = [
            own & !towers,
            opposing & !towers,
            own & towers,
            opposing & towers,
            towers & !own & !opposing,
            (1 << CELLS) - 1,
        ];
        for (plane, board) in boards.into_iter().enumerate() {
            for cell in bits(board).filter_map(|cell| Cell::from_index(cell as u8)) {
                let (row, column) = place(cell);
                canvas.set(plane, row, column);
            }
        }
        canvas.fill(boards.len(), self.supply(), TOWERS as u8);
        canvas.fill(boards.len() + 1, self.stall(), STALL);
        canvas.fill(boards.len() + 2, self.peak(), CELLS as u8);
    }
}
