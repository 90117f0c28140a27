//! The values of all positions with a number of checkers.

use super::half::{Class, SQUARES};
use crate::threads;

/// What is known of a position, as a byte: the number of plies to the end if the player to move
/// loses (an even number), and 255 less that number if the player wins (an odd number). So the
/// best move leads to the position with the smallest byte for the opponent.
pub(super) type Worth = u8;

/// More than any [`Worth`]: no move has been seen yet.
pub(super) const NO_MOVE: Worth = 255;

/// The worth of a position by the smallest worth of the positions it can be moved to.
#[inline]
pub(super) fn worth_after(smallest: Worth) -> Worth {
    match smallest {
        // Clause 6: a player who cannot move has lost.
        NO_MOVE => 0,
        // A loss of the opponent in n is a win in n + 1, and the other way round.
        0..128 => 254 - smallest,
        128.. => smallest.wrapping_neg(),
    }
}

/// How many plies are left with best play: odd for a win of the player to move, even for a loss.
#[inline]
pub(super) fn plies(worth: Worth) -> u8 {
    if worth < 128 { worth } else { 255 - worth }
}

/// The worth of a position by its plies.
#[inline]
pub(super) fn worth(plies: u8) -> Worth {
    if plies.is_multiple_of(2) { plies } else { 255 - plies }
}

/// The values of all positions whose halves are of two classes. A row of values for each left half,
/// a column for each right half.
pub(super) type Block = Vec<Worth>;

/// The values of all positions with a number of checkers **in which the opponent is to move**: so a
/// player's moves lead to values as they stand here. The position with the colours exchanged, in
/// which the player is to move, is at the same place counted from the block's end.
#[derive(Debug)]
pub(super) struct Layer {
    checkers: usize,
    blocks: Vec<Block>,
}

impl Layer {
    /// A layer of which nothing is known.
    pub(super) fn new(checkers: usize) -> Layer {
        Layer {
            checkers,
            blocks: vec![Block::new(); (checkers + 1) * (SQUARES + 1) * (SQUARES + 1)],
        }
    }

    /// How many checkers its positions have.
    pub(super) fn checkers(&self) -> usize {
        self.checkers
    }

    fn place(&self, left: Class, right: Class) -> usize {
        debug_assert_eq!(usize::from(left.checkers + right.checkers), self.checkers);
        let squares = SQUARES + 1;
        (usize::from(left.checkers) * squares + usize::from(left.stacks)) * squares
            + usize::from(right.stacks)
    }

    /// The values of two classes; empty if they have not been found yet.
    #[inline]
    pub(super) fn block(&self, left: Class, right: Class) -> &[Worth] {
        &self.blocks[self.place(left, right)]
    }

    /// Keeps the values of two classes.
    fn put(&mut self, left: Class, right: Class, block: Block) {
        let place = self.place(left, right);
        self.blocks[place] = block;
    }

    /// The plies of all positions that have a place in a tablebase ([`super::index`]), with the player
    /// to move.
    pub(super) fn plies(&self, threads: usize) -> Vec<u8> {
        let mut all = vec![0; Layer::pairs(self.checkers).map(|(l, r)| kept_size(l, r)).sum()];
        let tasks = kept_parts(self.checkers, &mut all);
        threads::share(threads, tasks.into_iter(), |(left, right, part)| {
            let mut part = part.iter_mut();
            let mut worths = self.block(left, right).iter().rev();
            for row in 0..left.size() {
                let skipped = if left == right { row } else { 0 };
                let values = worths.by_ref().take(right.size()).skip(skipped);
                // The values first: they end sooner, and `zip` would take one target too many.
                values.zip(&mut part).for_each(|(value, target)| *target = plies(*value));
            }
        });
        all
    }

    /// The layer of all plies that a tablebase keeps.
    pub(super) fn from_plies(checkers: usize, mut all: Vec<u8>, threads: usize) -> Option<Layer> {
        let mut layer = Layer::new(checkers);
        if all.len() != Layer::pairs(checkers).map(|(l, r)| kept_size(l, r)).sum::<usize>() {
            return None;
        }
        let tasks = kept_parts(checkers, &mut all);
        let blocks = threads::map(threads, tasks, |(left, right, part)| {
            let width = right.size();
            let mut block = vec![0; left.size() * width];
            let mut values = part.iter().map(|plies| worth(*plies));
            for row in 0..left.size() {
                let skipped = if left == right { row } else { 0 };
                for column in skipped..width {
                    let value = values.next().unwrap_or_default();
                    block[row * width + column] = value;
                    if left == right {
                        block[column * width + row] = value;
                    }
                }
            }
            (left, right, block)
        });
        layer.put_all(blocks, threads);
        Some(layer)
    }

    /// Keeps blocks whose values are those of the player to move, and their mirror images.
    pub(super) fn put_all(&mut self, blocks: Vec<(Class, Class, Block)>, threads: usize) {
        let turned = threads::map(threads, blocks, |(left, right, mut block)| {
            // The same positions with the colours exchanged, so with the opponent to move.
            block.reverse();
            let mirrored = (left != right).then(|| transposed(&block, right.size()));
            (left, right, block, mirrored)
        });
        for (left, right, block, mirrored) in turned {
            self.put(left, right, block);
            if let Some(mirrored) = mirrored {
                self.put(right, left, mirrored);
            }
        }
    }

    /// How many positions have each number of plies, the mirror images counted too.
    pub(super) fn counts(&self, threads: usize) -> [u64; 256] {
        let blocks: Vec<&Block> = self.blocks.iter().collect();
        let counts = threads::map(threads, blocks, |block| {
            let mut counts = [0u64; 256];
            block.iter().for_each(|worth| counts[usize::from(plies(*worth))] += 1);
            counts
        });
        counts.into_iter().fold([0; 256], |mut total, counts| {
            total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
            total
        })
    }

    /// Every two classes of which one block is enough: the mirror image of a position is worth as
    /// much. The smaller class is the left one, so that rows are long.
    pub(super) fn pairs(checkers: usize) -> impl Iterator<Item = (Class, Class)> {
        (0..=checkers).flat_map(move |left| {
            Class::with(left).flat_map(move |left_class| {
                Class::with(checkers - left)
                    .map(move |right_class| (left_class, right_class))
                    .filter(|&(left, right)| is_kept(left, right))
            })
        })
    }
}

/// Whether a block is kept, rather than its mirror image.
#[inline]
pub(super) fn is_kept(left: Class, right: Class) -> bool {
    (left.size(), left) <= (right.size(), right)
}

/// How many values of a block have a place in a tablebase: of a block that is its own mirror image only
/// those from the diagonal on.
pub(super) fn kept_size(left: Class, right: Class) -> usize {
    if left == right { left.size() * (left.size() + 1) / 2 } else { left.size() * right.size() }
}

/// All that a tablebase keeps of a layer, cut into the parts of its blocks.
fn kept_parts(checkers: usize, mut all: &mut [u8]) -> Vec<(Class, Class, &mut [u8])> {
    let mut parts = Vec::new();
    for (left, right) in Layer::pairs(checkers) {
        let (part, rest) = all.split_at_mut(kept_size(left, right));
        parts.push((left, right, part));
        all = rest;
    }
    parts
}

/// A block with rows and columns exchanged.
fn transposed(block: &[Worth], width: usize) -> Block {
    const TILE: usize = 64;
    let height = block.len() / width.max(1);
    let mut turned = vec![0; block.len()];
    for top in (0..height).step_by(TILE) {
        for left in (0..width).step_by(TILE) {
            for column in left..(left + TILE).min(width) {
                let target = &mut turned[column * height + top..][..TILE.min(height - top)];
                for (row, value) in (top..).zip(target) {
                    *value = block[row * width + column];
                }
            }
        }
    }
    turned
}
