//! The tree of a small board for the proof search.

use super::{Board, Stones};
use crate::proof::Numbers;
use crate::proof::search::Space;

/// How the tree is searched.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The board.
    pub board: Board,
    /// End a game as soon as a majority is out of reach for somebody.
    pub bounds: bool,
    /// Take images of a position for the same.
    pub symmetry: bool,
    #[allow(missing_docs)] pub variant: u32,
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
        let mut open = self.board.open(position);
        while open != 0 {
            moves.push(open.trailing_zeros() as u8);
            open &= open - 1;
        }
    }

    #[inline]
    fn after(&self, position: &Stones, point: u8) -> Stones {
        self.board.after(position, point)
    }

    #[inline]
    fn key(&self, position: &Stones) -> u64 {
        if self.symmetry { self.board.least_word(position) } else { self.board.word(position) }
    }

    fn guess(&self, position: &Stones) -> Numbers {
        let mover = position.side_to_move();
        let half = self.board.half();
        let own = self.board.most_owned(position, mover).saturating_sub(half);
        let other = self.board.most_owned(position, mover.other()).saturating_sub(half);
        let open = self.board.open(position).count_ones();
        match self.variant {
            0 => Numbers::guess(1, open),
            1 => Numbers::guess(1, 1),
            2 => Numbers::guess(other, own),
            3 => Numbers::guess(other, own + open),
            4 => Numbers::guess(other * other / 4, own * own / 4),
            5 => Numbers::guess(other * other / 8, own * own / 8 + open),
            _ => Numbers::guess(1 << (other / 3), 1 << (own / 3)),
        }
    }
}
