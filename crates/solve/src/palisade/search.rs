//! The tree of a small board for the proof search.

use super::{Board, Stones};
use crate::proof::Numbers;
use crate::proof::search::Space;

/// The positions of a board, and how they are searched. Whether the bounds and the symmetry are used
/// changes how long it takes, not what comes out: each can be left out to check the other.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The board.
    pub board: Board,
    /// End a game as soon as [most points](Board::max_owned) are out of reach for a player.
    pub bounds: bool,
    /// Take the images of a position for the same.
    pub symmetry: bool,
}

impl Field {
    /// The quick way.
    pub fn new(board: Board) -> Field {
        Field { board, bounds: true, symmetry: true }
    }
}

impl Space for Field {
    type State = Stones;
    type Move = u8;
    type Key = u64;

    #[inline]
    fn settled(&self, position: &Stones) -> Option<bool> {
        let winner = if self.bounds {
            self.board.sure_winner(position)
        } else {
            self.board.winner(position)
        };
        winner.map(|winner| winner == position.side_to_move())
    }

    fn moves(&self, position: &Stones, moves: &mut Vec<u8>) {
        moves.extend(bits(self.board.open(position)));
    }

    #[inline]
    fn after(&self, position: &Stones, point: u8) -> Stones {
        self.board.after(position, point)
    }

    #[inline]
    fn key(&self, position: &Stones) -> u64 {
        if self.symmetry { self.board.least_word(position) } else { self.board.word(position) }
    }

    /// A player has won when the other cannot own more than half, so what a player can own beyond that is a
    /// measure of how far the other is from winning. Of the measures tried, its square took the fewest
    /// positions: a sixth of those with the number of moves, on 5×5.
    fn guess(&self, position: &Stones) -> Numbers {
        let (mover, half) = (position.side_to_move(), self.board.half());
        let beyond = |side| self.board.max_owned(position, side).saturating_sub(half);
        let (own, other) = (beyond(mover), beyond(mover.other()));
        Numbers::guess(other * other / 4, own * own / 4)
    }
}

/// The places of the bits of a word, lowest first.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros() as u8;
        (word != 0).then(|| {
            word &= word - 1;
            lowest
        })
    })
}
