//! Palisade on boards of at most 7×7, with a position in one word.
//!
//! Black's and White's points are different ones, so the set of stones says whose they are. All that
//! is enclosed follows from the stones, so the stones and the side to move are the whole position,
//! and two positions with the same word are the same.

use stoa_rules::palisade::{Move, Point, Position};
use stoa_rules::{Position as _, Side};

/// From one rank to the next. There is a gap beside seven files, and so no way round the edge.
const STRIDE: u32 = 8;

/// The largest board.
pub const MAX_SIZE: u8 = 7;

/// A board of some size: which points there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// How many points a side of the board has.
    size: u32,
    /// All points.
    points: u64,
    /// The points of each colour.
    coloured: [u64; 2],
    /// The points of each colour on the edge.
    edge: [u64; 2],
}

/// A position: the stones on the board, what they enclose, and whose turn it is.
///
/// Only positions that play leads to are made, so no stone stands within a loop of the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stones {
    all: u64,
    /// Every point within each player's loops that holds no stone of that player's.
    enclosed: [u64; 2],
    side: Side,
}

/// The points orthogonally next to a set.
#[inline]
const fn beside(points: u64) -> u64 {
    points << 1 | points >> 1 | points << STRIDE | points >> STRIDE
}

impl Board {
    /// The board with this many points a side, which must be 3, 5 or 7.
    pub const fn new(size: u8) -> Option<Board> {
        if size > MAX_SIZE || size < 3 || size.is_multiple_of(2) {
            return None;
        }
        let mut board = Board { size: size as u32, points: 0, coloured: [0; 2], edge: [0; 2] };
        let mut rank = 0;
        while rank < board.size {
            let mut file = 0;
            while file < board.size {
                let bit = 1 << (rank * STRIDE + file);
                // a1 is (1, 1), an even sum, and so Black's (clause 2).
                let colour = ((rank + file) % 2) as usize;
                board.points |= bit;
                board.coloured[colour] |= bit;
                let last = board.size - 1;
                if rank == 0 || file == 0 || rank == last || file == last {
                    board.edge[colour] |= bit;
                }
                file += 1;
            }
            rank += 1;
        }
        Some(board)
    }

    /// How many points a side of the board has.
    pub const fn size(&self) -> u8 {
        self.size as u8
    }

    /// Most points of the board are more than this.
    #[inline]
    pub const fn half(&self) -> u32 {
        self.size * self.size / 2
    }

    /// The empty board, Black to move.
    pub const fn start(&self) -> Stones {
        Stones { all: 0, enclosed: [0; 2], side: Side::First }
    }

    /// What walls of a player's stones would enclose: all that cannot be reached from outside by
    /// orthogonal steps, which cross no wall. The ring stones next to the edge points of a player's
    /// colour are the opponent's and stand outside; those next to the others are walls.
    #[inline]
    fn enclosed_by(&self, stones: u64, owner: Side) -> u64 {
        let free = self.points & !stones;
        let mut outside = self.edge[owner.index()] & free;
        loop {
            let grown = outside | beside(outside) & free;
            let grown = grown | beside(grown) & free;
            if grown == outside {
                return free & !outside;
            }
            outside = grown;
        }
    }

    /// The points on and within a player's loops, given what they enclose (clause 6).
    #[inline]
    fn owned(&self, stones: u64, enclosed: u64) -> u64 {
        enclosed | stones & beside(enclosed)
    }

    /// The empty points outside all loops where the player to move may put a stone.
    #[inline]
    pub fn open(&self, position: &Stones) -> u64 {
        self.open_to(position, position.side)
    }

    #[inline]
    fn open_to(&self, position: &Stones, side: Side) -> u64 {
        let closed = position.all | position.enclosed[0] | position.enclosed[1];
        self.coloured[side.index()] & !closed
    }

    /// The position after a stone is put on an open point.
    pub fn after(&self, position: &Stones, point: u8) -> Stones {
        let (side, enemy) = (position.side, position.side.other());
        let (own, other) = (side.index(), enemy.index());
        let bit = 1u64 << point;
        let mut next = Stones { all: position.all | bit, side: enemy, ..*position };
        if self.may_close(next.all & self.coloured[own], bit, own) {
            next.enclosed[own] = self.enclosed_by(next.all & self.coloured[own], side);
            let captured = next.all & self.coloured[other] & next.enclosed[own];
            if captured != 0 {
                next.all &= !captured;
                next.enclosed[other] = self.enclosed_by(next.all & self.coloured[other], enemy);
            }
        }
        next
    }

    /// A stone closes a loop only if two stones are diagonally next to it. On the edge those of the
    /// ring always are.
    #[inline]
    fn may_close(&self, stones: u64, bit: u64, colour: usize) -> bool {
        let ranks = bit << STRIDE | bit >> STRIDE;
        let near = stones & (ranks << 1 | ranks >> 1);
        near & near.wrapping_sub(1) != 0 || self.edge[colour] & bit != 0
    }

    /// How many points a player can own at the end of the game, at most.
    ///
    /// A point that is closed is never opened again, so the player's last stones will be among those
    /// that stand now and the open points of their colour. Loops of fewer stones enclose no more
    /// than loops of more. So nothing is owned at the end that would not be if all of these were
    /// stones of theirs and none was captured.
    #[inline]
    pub fn max_owned(&self, position: &Stones, side: Side) -> u32 {
        let stones = position.all & self.coloured[side.index()] | self.open_to(position, side);
        self.owned(stones, self.enclosed_by(stones, side)).count_ones()
    }

    /// Who has won, once no point is open (clause 7).
    pub fn winner(&self, position: &Stones) -> Option<Side> {
        if self.open(position) != 0 {
            return None;
        }
        let score = Side::BOTH.map(|side| self.score(position, side));
        Some(if score[0] > score[1] { Side::First } else { Side::Second })
    }

    /// How many points a player owns.
    pub fn score(&self, position: &Stones, side: Side) -> u32 {
        let stones = position.all & self.coloured[side.index()];
        self.owned(stones, position.enclosed[side.index()]).count_ones()
    }

    /// The player who is sure to win, as far as [`max_owned`](Board::max_owned) decides it.
    pub fn sure_winner(&self, position: &Stones) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.max_owned(position, side.other()) <= self.half())
    }

    /// The position in a word.
    #[inline]
    pub fn word(&self, position: &Stones) -> u64 {
        position.all | (position.side as u64) << 63
    }

    /// The least word of the position and its seven images by turning and reflecting the board.
    #[inline]
    pub fn least_word(&self, position: &Stones) -> u64 {
        let unused = STRIDE - self.size;
        let flips = |stones: u64| {
            let upside_down = stones.swap_bytes() >> (STRIDE * unused);
            let turned = stones.reverse_bits() >> (9 * unused);
            let reflected = stones.reverse_bits().swap_bytes() >> unused;
            stones.min(upside_down).min(turned.min(reflected))
        };
        let least = flips(position.all).min(flips(transposed(position.all)));
        least | (position.side as u64) << 63
    }

    /// The position of the rules, which must have been played from the start, on a board of this
    /// size. Nothing where the rules' Palisade allows a position that play does not lead to.
    pub fn read(&self, position: &Position) -> Option<Stones> {
        if u32::from(position.size().get()) != self.size {
            return None;
        }
        let mut all = 0;
        for side in Side::BOTH {
            for point in position.stones(side).iter() {
                all |= 1u64 << self.number(point);
            }
        }
        let stones = |side: Side| all & self.coloured[side.index()];
        let enclosed = Side::BOTH.map(|owner| self.enclosed_by(stones(owner), owner));
        let clean =
            Side::BOTH.iter().all(|owner| enclosed[owner.index()] & all & !stones(*owner) == 0)
                && enclosed[0] & enclosed[1] == 0;
        clean.then_some(Stones { all, enclosed, side: position.side_to_move() })
    }

    fn number(&self, point: Point) -> u8 {
        point.rank() * STRIDE as u8 + point.file()
    }

    /// The point of a number.
    pub fn point(&self, number: u8) -> Option<Point> {
        Point::new(number % STRIDE as u8, number / STRIDE as u8)
    }

    /// The move of a point's number, as the rules have it.
    pub fn to_move(&self, number: u8) -> Option<Move> {
        self.point(number).map(Move)
    }
}

impl Stones {
    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.side
    }

    /// The stones of both players.
    #[inline]
    pub fn all(&self) -> u64 {
        self.all
    }
}

/// Bit 8y + x becomes bit 8x + y.
#[inline]
const fn transposed(stones: u64) -> u64 {
    const fn exchange(stones: u64, blocks: u64, distance: u32) -> u64 {
        let difference = (stones >> distance ^ stones) & blocks;
        stones ^ difference ^ difference << distance
    }
    let ones = exchange(stones, 0x00aa_00aa_00aa_00aa, 7);
    let twos = exchange(ones, 0x0000_cccc_0000_cccc, 14);
    exchange(twos, 0x0000_0000_f0f0_f0f0, 28)
}
