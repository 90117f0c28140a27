//! The position, and what a move does to it.

use std::hash::{Hash, Hasher};

use super::board::Board;
use super::loops::{Groups, Walls, whole_loops};
use super::points::Points;
use super::{Move, Point, Setup, Size};
use crate::bits::mix;
use crate::sink::Generator;
use crate::{Outcome, Reason, Side};

/// A position of Palisade.
///
/// The size, the stones and the side to move are what is compared and hashed. The rest could be
/// worked out from them and is kept to save time.
#[derive(Clone, Copy)]
pub struct Position {
    pub(super) size: Size,
    pub(super) side: Side,
    /// Each player's stones, the ring's included.
    pub(super) stones: [Points; 2],
    /// The points of the other colour within each player's loops.
    pub(super) enclosed: [Points; 2],
    /// The empty points of each colour outside all loops.
    pub(super) open: [Points; 2],
    /// Which of each player's stones may be connected.
    pub(super) groups: [Groups; 2],
    key: u64,
}

/// The share in the hash key of the side to move.
const SIDE_KEYS: [u64; 2] = [mix(0x51de, 0), mix(0x51de, 1)];

impl Position {
    /// The position with these stones, of which those of the ring are part.
    pub(super) fn assemble(size: Size, stones: [Points; 2], side: Side) -> Position {
        let board = size.board();
        let enclosed = Side::BOTH
            .map(|owner| Walls { owner, stones: stones[owner.index()], board }.enclosed());
        let mut key = SIDE_KEYS[side.index()];
        for colour in Side::BOTH {
            key ^= key_of(stones[colour.index()] & board.points[colour.index()], colour);
        }
        let groups = stones.map(Groups::new);
        let open = outside(board, stones, enclosed);
        Position { size, side, stones, enclosed, open, groups, key }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whose stone stands on a point.
    pub fn at(&self, point: Point) -> Option<Side> {
        let colour = point.colour();
        let stones = self.stones[colour.index()] & self.size.board().points[colour.index()];
        stones.contains(point.slot()).then_some(colour)
    }

    /// Who owns a point (clause 6). Should both players' loops claim it, which play cannot bring
    /// about, it counts for the one who moved last.
    pub fn owner(&self, point: Point) -> Option<Side> {
        self.owners()(point)
    }

    /// Tells of any point who [owns](Position::owner) it: quicker where many are asked for.
    pub fn owners(&self) -> impl Fn(Point) -> Option<Side> + use<> {
        let owned = [self.side.other(), self.side].map(|side| (side, self.owned(side)));
        move |point| {
            let holds = |(_, points): &&(Side, [Points; 2])| {
                points[point.colour().index()].contains(point.slot())
            };
            owned.iter().find(holds).map(|(side, _)| *side)
        }
    }

    /// How many points each player owns (clause 6), the first player first. Points that both claim
    /// are counted as in [`owner`](Position::owner).
    pub fn score(&self) -> [u32; 2] {
        let latest = self.side.other();
        let (claimed, rest) = (self.owned(latest), self.owned(self.side));
        let mut score = [0; 2];
        for colour in [0, 1] {
            score[latest.index()] += claimed[colour].count();
            score[self.side.index()] += (rest[colour] & !claimed[colour]).count();
        }
        score
    }

    /// The points of each colour on and within a player's loops.
    fn owned(&self, side: Side) -> [Points; 2] {
        let own = side.index();
        let mut owned = [self.enclosed[own]; 2];
        owned[own] = owned[own].orthogonals(side.other()) & self.size.board().points[own];
        owned
    }

    pub(super) fn walls(&self, owner: Side) -> Walls {
        Walls { owner, stones: self.stones[owner.index()], board: self.size.board() }
    }

    /// Clauses 4 and 6, after the player to move may have closed a loop with the stone on `slot`.
    fn close_loops(&mut self, slot: u8) {
        let enemy = self.side.other();
        let (own, other) = (self.side.index(), enemy.index());
        let fresh = self.walls(self.side).enclosed_since(slot);
        if fresh.is_empty() {
            return;
        }
        // What the new loops hold besides was enclosed before, and play leaves no enemy stones in
        // there.
        let unclean = self.enclosed[own].meets(self.stones[other]);
        self.enclosed[own] |= fresh;
        let within = if unclean { whole_loops(fresh, self.enclosed[own]) } else { fresh };
        let captured = within & self.stones[other];
        self.stones[other] &= !captured;
        self.key ^= key_of(captured, enemy);
        // A stone on or within a loop has an enclosed point next to it.
        if self.enclosed[other].orthogonals(self.side).meets(captured) {
            self.enclosed[other] = self.walls(enemy).enclosed();
        }
        self.open = outside(self.size.board(), self.stones, self.enclosed);
    }
}

/// The empty points of each colour that are outside all loops, given what each player's loops
/// enclose.
fn outside(board: &Board, stones: [Points; 2], enclosed: [Points; 2]) -> [Points; 2] {
    Side::BOTH.map(|colour| {
        let (own, other) = (colour.index(), colour.other().index());
        let closed = enclosed[other] | enclosed[own].orthogonals(colour.other());
        board.points[own] & !stones[own] & !closed
    })
}

/// The share in the hash key of stones of one colour.
fn key_of(stones: Points, colour: Side) -> u64 {
    stones.slots().fold(0, |key, slot| key ^ Point::from_slot(slot, colour).key())
}

impl crate::Position for Position {
    type Move = Move;
    type Options = Size;

    fn start(size: Size) -> Position {
        // Clause 1: nothing but the ring.
        Position::assemble(size, size.board().ring, Side::First)
    }

    fn options(&self) -> Size {
        self.size
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    /// Clause 7. When no empty point is open, every point is owned: a stone that has an empty point
    /// next to it shares that point's loop, or is part of it, and one that has none is surrounded.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        // As long as a point is open, so is one of the other colour next to it.
        if !self.open[self.side.index()].is_empty() {
            return None;
        }
        Some(Outcome::scored(self.score(), Reason::Territory))
    }

    #[inline]
    fn generate(&self, moves: &mut Vec<Move>) {
        self.generate_into(moves);
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.count()
    }

    #[inline]
    fn nth_move(&self, index: usize) -> Option<Move> {
        self.nth(index)
    }

    #[inline]
    fn play_unchecked(&mut self, Move(point): Move) {
        let own = self.side.index();
        let slot = point.slot();
        self.stones[own] = self.stones[own].with(slot);
        self.open[own] = self.open[own].without(slot);
        self.key ^= point.key();
        if self.groups[own].add(slot, self.stones[own]) {
            self.close_loops(slot);
        }
        self.key ^= SIDE_KEYS[0] ^ SIDE_KEYS[1];
        self.side = self.side.other();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    /// In a game that was played from the start: the number of open points. One is filled with
    /// every move, and none is opened again, because an enemy loop that loses a stone lies within
    /// the loop that captures it.
    ///
    /// Elsewhere an enemy loop may have been crossed by that loop. This takes stones of ours that
    /// stand within it, so the empty points of such loops are counted as though they were open.
    fn turns_left_at_most(&self) -> u32 {
        let mut settled = self.enclosed;
        for owner in Side::BOTH {
            let enclosed = self.enclosed[owner.index()];
            let strangers = enclosed & self.stones[owner.other().index()];
            settled[owner.index()] = enclosed & !whole_loops(strangers, enclosed);
        }
        outside(self.size.board(), self.stones, settled).iter().map(|points| points.count()).sum()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.size == other.size && self.side == other.side && self.stones == other.stones
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.size, self.side, self.stones).hash(state);
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({})", Setup::from(self))
    }
}
