//! Where a generator puts its moves: a list that keeps them, a counter, or the search for one.
//!
//! A game writes its generator once, over any sink; counting then costs no memory traffic.

use crate::bits::Bits;

/// Takes the moves of a generator.
pub(crate) trait Sink<M> {
    /// Takes one move.
    fn push(&mut self, mv: M);

    /// Takes one move for each set bit of `targets`.
    fn push_each(&mut self, targets: u64, make: impl Fn(u8) -> M);

    /// Whether the sink has what it wants, so that a generator may stop.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }
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

/// Something that lists moves into any sink, and can therefore count and pick them too.
pub(crate) trait Generator<M> {
    /// Hands every legal move to `sink`.
    fn generate_into(&self, sink: &mut impl Sink<M>);

    /// How many there are.
    #[inline]
    fn count(&self) -> usize {
        count_each(self)
    }

    /// The one at a place of the list.
    #[inline]
    fn nth(&self, index: usize) -> Option<M> {
        let mut nth = Nth { before: index, found: None };
        self.generate_into(&mut nth);
        nth.found
    }
}

/// Counts the moves of a generator as it hands them over.
#[inline]
pub(crate) fn count_each<M>(generator: &(impl Generator<M> + ?Sized)) -> usize {
    let mut counter = Counter::default();
    generator.generate_into(&mut counter);
    counter.0
}

/// Counts moves.
#[derive(Debug, Default)]
pub(crate) struct Counter(usize);

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

/// Finds one move by its place in the list, without making the list.
#[derive(Debug)]
struct Nth<M> {
    /// How many moves come before it yet.
    before: usize,
    found: Option<M>,
}

impl<M> Sink<M> for Nth<M> {
    #[inline]
    fn push(&mut self, mv: M) {
        if self.before == 0 && self.found.is_none() {
            self.found = Some(mv);
        }
        self.before = self.before.saturating_sub(1);
    }

    #[inline]
    fn push_each(&mut self, targets: u64, make: impl Fn(u8) -> M) {
        let count = targets.count_ones() as usize;
        if self.found.is_none() && self.before < count {
            self.found = Bits(targets).nth(self.before).map(make);
        }
        self.before = self.before.saturating_sub(count);
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.found.is_some()
    }
}
