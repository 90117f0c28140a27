//! The position, and what a move does to it.

use super::{Move, SQUARES, Square, Stack};
use crate::bits::mix;
use crate::{Outcome, Reason, Side};

/// A position of Colonnade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) stacks: [Stack; SQUARES],
    pub(super) side: Side,
}

impl Position {
    /// What stands on a square.
    #[inline]
    pub fn stack(&self, square: Square) -> Stack {
        self.stacks[square.index()]
    }

    /// The whole row as a word: a byte for each square, the lowest for `a`, which is twice the
    /// height plus 1 if Blue is on top; 0 for an empty square.
    #[inline]
    pub fn word(&self) -> u64 {
        u64::from_le_bytes(self.stacks.map(Stack::byte))
    }

    /// How many moves a player has, or would have if it were their turn.
    #[inline]
    pub fn mobility(&self, side: Side) -> u32 {
        Position { side, ..*self }.count() as u32
    }

    /// How many checkers are left.
    pub fn checkers(&self) -> u32 {
        self.stacks.iter().map(|stack| u32::from(stack.height())).sum()
    }
}

impl crate::Position for Position {
    type Move = Move;
    type Options = ();

    fn start((): ()) -> Position {
        // Clause 1: the tops read red, blue, red, blue, red, blue from b to g.
        let red = Stack::new(4, Side::First);
        let blue = Stack::new(4, Side::Second);
        let stacks = [Stack::EMPTY, red, blue, red, blue, red, blue, Stack::EMPTY];
        Position { stacks, side: Side::First }
    }

    fn options(&self) {}

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        // Clause 6: a player who cannot move has lost.
        (self.count_moves() == 0).then(|| Outcome::win(self.side.other(), Reason::NoMove))
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
    fn play_unchecked(&mut self, mv: Move) {
        let to = mv.from.neighbour(mv.direction).expect("a legal move stays on the row");
        let stack = self.stack(mv.from);
        let target = self.stack(to);
        let top = stack.top().unwrap_or(self.side);
        // The checker under the picked-up one has the opponent's colour.
        let left = Stack::new(stack.height() - mv.carried, self.side.other());
        // Clause 4: of the two like-coloured checkers that meet, one is discarded.
        let landed = if target.is_empty() { mv.carried } else { target.height() + mv.carried - 1 };
        self.stacks[mv.from.index()] = left;
        self.stacks[to.index()] = Stack::new(landed, top);
        self.side = self.side.other();
    }

    fn key(&self) -> u64 {
        mix(mix(0, u64::from_le_bytes(self.stacks.map(Stack::byte))), self.side as u64)
    }

    /// Clauses 4 and 5: a move onto a stack removes a checker and empties at most one square; a
    /// step down to an empty square fills one. So twice the checkers plus the empty squares falls
    /// with every move.
    fn turns_left_at_most(&self) -> u32 {
        let empty = self.stacks.iter().filter(|stack| stack.is_empty()).count() as u32;
        2 * self.checkers() + empty
    }
}
