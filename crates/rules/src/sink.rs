//! Where a generator puts its moves: a list that keeps them, or a counter.
//!
//! A game writes its generator once, over any sink; counting then costs no memory traffic.

use crate::bits::Bits;

/// Takes the moves of a generator.
pub(crate) trait Sink<M> {
    /// Takes one move.
    fn push(&mut self, mv: M);

    /// Takes one move for each set bit of `targets`.
    fn push_each(&mut self, targets: u64, make: impl Fn(u8) -> M);
}

impl<M> Sink<M> for Vec<M> {
    #[inline]
    fn push(&mut self, mv: M) {
        Vec::push(self, mv);
    }

    #[inline]
    fn push_each(&mut self, targets: u64, make: impl Fn(u8) -> M) {
        self.extend(Bits(targets).map(make));
    }
}

/// Counts moves.
#[derive(Debug, Default)]
pub(crate) struct Counter(pub(crate) usize);

impl<M> Sink<M> for Counter {
    #[inline]
    fn push(&mut self, _: M) {
        self.0 += 1;
    }

    #[inline]
    fn push_each(&mut self, targets: u64, _: impl Fn(u8) -> M) {
        self.0 += targets.count_ones() as usize;
    }
}
