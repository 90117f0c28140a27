//! How the values of a layer are found from those of the layer below.
//!
//! A carry onto a stack takes a checker from the row, and a carry down to an empty square makes one
//! stack more. So the values of positions with some checkers and stacks follow from those with a
//! checker less, and those with as many checkers and a stack more: one sweep through the layers,
//! and in each from many stacks to few, finds them all.
//!
//! A move within the left half changes the row of a block of values and keeps the
//! column; a move within the right half is one within the left half of the mirrored block; and a
//! move over the cut keeps what is behind it. In each case the values of many positions that differ
//! only elsewhere stand side by side, before the move and after it, and are compared many at a time.

use stoa_engine::Stop;

use super::half::{Class, Half, SQUARES, exchanges, moves_within, rank};
use super::layer::{Block, Layer, NO_MOVE, Worth, worth_after};
use crate::threads;

/// How many rows are worked out together: a line of the processor's cache.
const ROWS: usize = 64;

/// Where moves lead from each half of a class without crossing the cut.
struct Within {
    halves: Vec<Half>,
    /// The moves of all halves one after the other: the class and the place of what they make.
    moves: Vec<(Class, u16)>,
    /// Where the moves of each half end.
    ends: Vec<u32>,
}

impl Within {
    fn new(class: Class) -> Within {
        let halves = class.halves();
        let mut moves = Vec::new();
        let mut ends = Vec::with_capacity(halves.len());
        for &half in &halves {
            moves.extend(moves_within(half).map(|after| (Class::of(&after), rank(&after) as u16)));
            ends.push(moves.len() as u32);
        }
        Within { halves, moves, ends }
    }

    fn of(&self, index: usize) -> &[(Class, u16)] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.moves[start..self.ends[index] as usize]
    }
}

/// Finds the values of layers.
pub(super) struct Sweep {
    /// By the number of checkers and of stacks.
    within: Vec<Vec<Within>>,
    threads: usize,
}

impl Sweep {
    /// Gets ready for layers of up to this many checkers.
    pub(super) fn new(checkers: usize, threads: usize) -> Sweep {
        let classes = |checkers| (0..=SQUARES).map(move |stacks| Class::new(checkers, stacks));
        let within = |checkers| classes(checkers).map(Within::new).collect();
        Sweep { within: (0..=checkers).map(within).collect(), threads: threads.max(1) }
    }

    fn within(&self, class: Class) -> &Within {
        &self.within[usize::from(class.checkers)][usize::from(class.stacks)]
    }

    /// Finds the values of the layer above `below`, the first one if there is none. Nothing, if it
    /// was stopped.
    pub(super) fn layer(&self, below: Option<&Layer>, stop: &Stop) -> Option<Layer> {
        let checkers = below.map_or(0, |below| below.checkers() + 1);
        let mut layer = Layer::new(checkers);
        for stacks in (0..=2 * SQUARES).rev() {
            let pairs: Vec<_> = Layer::pairs(checkers)
                .filter(|(left, right)| usize::from(left.stacks + right.stacks) == stacks)
                .collect();
            let mut blocks: Vec<Block> = pairs
                .iter()
                .map(|(left, right)| vec![NO_MOVE; left.size() * right.size()])
                .collect();
            let tasks = pairs.iter().zip(&mut blocks).flat_map(|(&(left, right), block)| {
                let rows = block.chunks_mut(ROWS * right.size()).enumerate();
                rows.map(move |(chunk, rows)| (left, right, chunk * ROWS, rows))
            });
            threads::share(self.threads, tasks, |(left, right, first, rows)| {
                if !stop.is_stopped() {
                    self.rows(&layer, below, left, right, first, rows);
                }
            });
            let found = pairs.into_iter().zip(blocks);
            let found = found.map(|((left, right), block)| (left, right, block)).collect();
            layer.put_all(found, self.threads);
        }
        (!stop.is_stopped()).then_some(layer)
    }

    /// Finds the values of some rows of a block, beginning with row `first`, with the player to
    /// move.
    fn rows(
        &self,
        layer: &Layer,
        below: Option<&Layer>,
        left: Class,
        right: Class,
        first: usize,
        rows: &mut [Worth],
    ) {
        let block = |left: Class, right: Class| {
            let checkers = usize::from(left.checkers + right.checkers);
            match below {
                Some(below) if checkers < layer.checkers() => below.block(left, right),
                _ => layer.block(left, right),
            }
        };
        let width = right.size();
        let count = rows.len() / width;
        // Moves within the right half: rows of the mirrored blocks, of which we need some columns.
        let within = self.within(right);
        let height = left.size();
        for tile in (0..width).step_by(ROWS) {
            for column in tile..(tile + ROWS).min(width) {
                let mut smallest = [NO_MOVE; ROWS];
                for &(after, place) in within.of(column) {
                    let start = usize::from(place) * height + first;
                    lower(&mut smallest[..count], &block(after, left)[start..start + count]);
                }
                for (row, smallest) in smallest[..count].iter().enumerate() {
                    rows[row * width + column] = *smallest;
                }
            }
        }
        let runs =
            || (-(right.checkers as i8)..=right.checkers as i8).map(|cut| (cut, right.run(cut)));
        let within = self.within(left);
        for (index, row) in (first..).zip(rows.chunks_mut(width)) {
            for &(after, place) in within.of(index) {
                let start = usize::from(place) * width;
                lower(row, &block(after, right)[start..start + width]);
            }
            let half = within.halves[index];
            for (cut, run) in runs().filter(|(_, run)| !run.is_empty()) {
                for (ours, theirs) in exchanges(half[0], cut) {
                    let left_after = left.changed(half[0], ours);
                    let right_after = right.changed(cut, theirs);
                    let place = rank(&[ours, half[1], half[2], half[3]]);
                    let start = place * right_after.size() + right_after.run(theirs).start;
                    let values = &block(left_after, right_after)[start..start + run.len()];
                    lower(&mut row[run.clone()], values);
                }
            }
            row.iter_mut().for_each(|worth| *worth = worth_after(*worth));
        }
    }
}

/// Keeps the smaller of two values, many times.
#[inline]
fn lower(values: &mut [Worth], others: &[Worth]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value = (*value).min(*other);
    }
}
