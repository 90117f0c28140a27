//! Where a tablebase keeps the value of a position.
//!
//! A position and its mirror image have one place. Layers are kept one by one; in a layer the
//! blocks of [`Layer::pairs`] follow each other, row by row, and of a block that is its own mirror
//! image only the part from the diagonal on is there.

use stoa_rules::colonnade::{Position, Setup, Square, Stack};
use stoa_rules::{Position as _, Setup as _, Side};

use super::half::{Class, Half, MAX_CHECKERS, SQUARES, exchanges, moves_within, rank};
use super::layer::{Layer, is_kept, kept_size};

/// A row of squares seen by the player to move, from the middle outwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) left: Half,
    pub(super) right: Half,
}

impl Row {
    /// The row of a position.
    #[inline]
    pub(super) fn of(position: &Position) -> Row {
        let ours = position.side_to_move();
        let height = |stack: Stack| {
            let height = stack.height() as i8;
            if stack.is_topped_by(ours) { height } else { -height }
        };
        let heights = Square::all().map(|square| height(position.stack(square)));
        let mut row = Row { left: [0; SQUARES], right: [0; SQUARES] };
        for (index, height) in heights.enumerate() {
            if index < SQUARES {
                row.left[SQUARES - 1 - index] = height;
            } else {
                row.right[index - SQUARES] = height;
            }
        }
        row
    }

    /// How many checkers it has.
    #[inline]
    pub(super) fn checkers(&self) -> usize {
        self.left.iter().chain(&self.right).map(|height| usize::from(height.unsigned_abs())).sum()
    }

    /// Every row that the player to move can make of it, as the opponent sees it.
    pub(super) fn after_moves(&self, mut take: impl FnMut(Row)) {
        let Row { left, right } = self.for_opponent();
        for after in moves_within(self.left) {
            take(Row { left: negated(after), right });
        }
        for after in moves_within(self.right) {
            take(Row { left, right: negated(after) });
        }
        for (ours, theirs) in exchanges(self.left[0], self.right[0]) {
            let mut after = Row { left, right };
            (after.left[0], after.right[0]) = (-ours, -theirs);
            take(after);
        }
    }

    /// How many moves the player to move has.
    pub(super) fn count_moves(&self) -> u32 {
        let mut count = 0;
        self.after_moves(|_| count += 1);
        count
    }

    /// The same row seen by the other player.
    fn for_opponent(&self) -> Row {
        Row { left: negated(self.left), right: negated(self.right) }
    }

    /// A word for the row and its mirror image, and for no other.
    #[inline]
    pub(super) fn word(&self) -> u64 {
        let half = |half: Half| u64::from(u32::from_le_bytes(half.map(|height| height as u8)));
        let (one, other) = (half(self.left), half(self.right));
        one.min(other) << 32 | one.max(other)
    }

    /// The position of the row, with Red to move.
    pub(super) fn position(&self) -> Option<Position> {
        let stack = |height: &i8| {
            let top = if *height > 0 { Side::First } else { Side::Second };
            Stack::new(height.unsigned_abs(), top).colours().collect()
        };
        let mut stacks = self.left.iter().rev().chain(&self.right).map(stack);
        let stacks = std::array::from_fn(|_| stacks.next().unwrap_or_default());
        Setup { stacks, side: Side::First }.validate().ok()
    }
}

fn negated(half: Half) -> Half {
    half.map(|height| -height)
}

/// Where the blocks of each layer begin.
#[derive(Debug)]
pub(super) struct Index {
    /// By the number of checkers, then by that of the left class and the stacks of both.
    starts: Vec<Vec<u64>>,
    sizes: Vec<u64>,
}

impl Index {
    pub(super) fn new() -> Index {
        let mut starts = Vec::new();
        let mut sizes = Vec::new();
        for checkers in 0..=MAX_CHECKERS {
            let mut layer = vec![0; (checkers + 1) * (SQUARES + 1) * (SQUARES + 1)];
            let mut size = 0;
            for (left, right) in Layer::pairs(checkers) {
                layer[place(left, right)] = size;
                size += kept_size(left, right) as u64;
            }
            starts.push(layer);
            sizes.push(size);
        }
        Index { starts, sizes }
    }

    /// How many values a layer has.
    pub(super) fn size(&self, checkers: usize) -> usize {
        self.sizes[checkers] as usize
    }

    /// The row at a place of a layer.
    pub(super) fn row(&self, checkers: usize, place: usize) -> Option<Row> {
        let mut before = place;
        for (left, right) in Layer::pairs(checkers) {
            let size = kept_size(left, right);
            if before >= size {
                before -= size;
                continue;
            }
            for (index, half) in left.halves().into_iter().enumerate() {
                let skipped = if left == right { index } else { 0 };
                let kept = right.size() - skipped;
                if before < kept {
                    let right = *right.halves().get(skipped + before)?;
                    return Some(Row { left: half, right });
                }
                before -= kept;
            }
        }
        None
    }

    /// The layer of a row and its place there; nothing if it has more checkers than there are.
    #[inline]
    pub(super) fn place(&self, row: &Row) -> Option<(usize, usize)> {
        let (left, right) = (Class::of(&row.left), Class::of(&row.right));
        let checkers = usize::from(left.checkers) + usize::from(right.checkers);
        if checkers > MAX_CHECKERS {
            return None;
        }
        let (mut left, mut right) = ((left, rank(&row.left)), (right, rank(&row.right)));
        if !is_kept(left.0, right.0) || (left.0 == right.0 && left.1 > right.1) {
            std::mem::swap(&mut left, &mut right);
        }
        let start = self.starts[checkers][place(left.0, right.0)] as usize;
        let before = left.1 * right.0.size() + right.1;
        // Of each row above and of this one, what comes before the diagonal is left out.
        let left_out = if left.0 == right.0 { left.1 * (left.1 + 1) / 2 } else { 0 };
        Some((checkers, start + before - left_out))
    }
}

fn place(left: Class, right: Class) -> usize {
    let squares = SQUARES + 1;
    (usize::from(left.checkers) * squares + usize::from(left.stacks)) * squares
        + usize::from(right.stacks)
}
