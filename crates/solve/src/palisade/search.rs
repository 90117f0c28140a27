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
        if self.variant & 16 != 0 {
            let children: Vec<Stones> = moves.iter().map(|&m| self.after(position, m)).collect();
            let side = position.side_to_move();
            let board = &self.board;
            let mut kept = 0;
            for i in 0..children.len() {
                let dominated = (0..children.len()).any(|j| j != i
                    && board.is_as_good(&children[j], &children[i], side)
                    && (j < i || !board.is_as_good(&children[i], &children[j], side)));
                if !dominated { moves[kept] = moves[i]; kept += 1; }
            }
            moves.truncate(kept);
        }
    }

    #[inline]
    fn after(&self, position: &Stones, point: u8) -> Stones {
        let next = self.board.after(position, point);
        if self.variant & 32 != 0 { self.board.simplified(&next) } else { next }
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
        let v = self.variant & 15;
        match v {
            4 => Numbers::guess(other * other / 4, own * own / 4),
            7 => Numbers::guess(other * other, own * own),
            8 => Numbers::guess(other.pow(3) / 16, own.pow(3) / 16),
            9 => Numbers::guess(other.pow(3) / 64, own.pow(3) / 64),
            10 => Numbers::guess(other.pow(4) / 256, own.pow(4) / 256),
            11 => Numbers::guess(other.pow(2) / 4, own.pow(2) / 4 + open / 2),
            12 => Numbers::guess(other * other * 4, own * own * 4),
            13=> Numbers::guess(other.pow(3), own.pow(3)),
            _ => Numbers::guess(1, open),
        }
    }
}
