//! Halves of the row, and how they are numbered.
//!
//! The row is cut in the middle. A half is four squares, the one at the cut first. Each has a signed
//! height: positive if the player to move is on top, negative if the other is, zero if it is empty.
//! Seen so, a half on the left and its mirror image on the right are the same, and a change of
//! colours changes all signs.
//!
//! Halves with as many checkers and as many stacks make up a [`Class`]. Within it they are ordered
//! like words by their signed heights. So the halves of a class with the same square at the cut
//! stand together, in the order of what is behind it; and the half with all signs changed has the
//! same place counted from the end.

/// The most checkers there are on the row.
pub(super) const MAX_CHECKERS: usize = 24;

/// How many squares a half has.
pub(super) const SQUARES: usize = 4;

/// The signed heights of four squares, beginning at the cut.
pub(super) type Half = [i8; SQUARES];

/// How many ways there are to put this many checkers in this many stacks on the last squares of a
/// half, by the number of squares, of checkers and of stacks.
const COUNT: [[[u16; SQUARES + 1]; MAX_CHECKERS + 1]; SQUARES + 1] = {
    let mut count = [[[0; SQUARES + 1]; MAX_CHECKERS + 1]; SQUARES + 1];
    count[0][0][0] = 1;
    let mut squares = 1;
    while squares <= SQUARES {
        let mut checkers = 0;
        while checkers <= MAX_CHECKERS {
            let mut stacks = 0;
            while stacks <= squares {
                let mut ways = count[squares - 1][checkers][stacks];
                let mut height = 1;
                while stacks > 0 && height <= checkers {
                    ways += 2 * count[squares - 1][checkers - height][stacks - 1];
                    height += 1;
                }
                count[squares][checkers][stacks] = ways;
                stacks += 1;
            }
            checkers += 1;
        }
        squares += 1;
    }
    count
};

/// Signed heights, from the lowest to the highest.
const HEIGHTS: usize = 2 * MAX_CHECKERS + 1;

/// How many of the ways counted by [`COUNT`] have a smaller signed height on their first square.
static BEFORE: [[[[u16; HEIGHTS]; SQUARES + 1]; MAX_CHECKERS + 1]; SQUARES + 1] = {
    let mut before = [[[[0; HEIGHTS]; SQUARES + 1]; MAX_CHECKERS + 1]; SQUARES + 1];
    let mut squares = 1;
    while squares <= SQUARES {
        let mut checkers = 0;
        while checkers <= MAX_CHECKERS {
            let mut stacks = 0;
            while stacks <= squares {
                let mut ways = 0;
                let mut place = 0;
                while place < HEIGHTS {
                    before[squares][checkers][stacks][place] = ways;
                    let height = place.abs_diff(MAX_CHECKERS);
                    let stack = (height > 0) as usize;
                    if height <= checkers && stack <= stacks {
                        ways += COUNT[squares - 1][checkers - height][stacks - stack];
                    }
                    place += 1;
                }
                stacks += 1;
            }
            checkers += 1;
        }
        squares += 1;
    }
    before
};

/// The halves with this many checkers in this many stacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Class {
    /// How many checkers it has.
    pub(super) checkers: u8,
    /// How many squares are not empty.
    pub(super) stacks: u8,
}

impl Class {
    /// A class by its numbers. There may be no half in it.
    pub(super) const fn new(checkers: usize, stacks: usize) -> Class {
        Class { checkers: checkers as u8, stacks: stacks as u8 }
    }

    /// The class of a half.
    #[inline]
    pub(super) fn of(half: &Half) -> Class {
        let checkers = half.iter().map(|height| height.unsigned_abs()).sum();
        let stacks = half.iter().map(|&height| u8::from(height != 0)).sum();
        Class { checkers, stacks }
    }

    /// Every class with a number of checkers that has halves in it.
    pub(super) fn with(checkers: usize) -> impl Iterator<Item = Class> {
        (0..=SQUARES)
            .map(move |stacks| Class::new(checkers, stacks))
            .filter(|class| class.size() > 0)
    }

    /// How many halves it has.
    #[inline]
    pub(super) const fn size(self) -> usize {
        COUNT[SQUARES][self.checkers as usize][self.stacks as usize] as usize
    }

    /// The class if the square at the cut changes.
    #[inline]
    pub(super) fn changed(self, from: i8, to: i8) -> Class {
        Class {
            checkers: self.checkers - from.unsigned_abs() + to.unsigned_abs(),
            stacks: self.stacks - u8::from(from != 0) + u8::from(to != 0),
        }
    }

    /// The places of the halves with a signed height on the square at the cut.
    pub(super) fn run(self, cut: i8) -> std::ops::Range<usize> {
        let (checkers, stacks) = (usize::from(self.checkers), usize::from(self.stacks));
        let (height, stack) = (usize::from(cut.unsigned_abs()), usize::from(cut != 0));
        if height > checkers || stack > stacks {
            return 0..0;
        }
        let start = usize::from(BEFORE[SQUARES][checkers][stacks][place(cut)]);
        start..start + usize::from(COUNT[SQUARES - 1][checkers - height][stacks - stack])
    }

    /// Every half of the class in its order.
    pub(super) fn halves(self) -> Vec<Half> {
        let mut halves = Vec::with_capacity(self.size());
        collect(&mut [0; SQUARES], 0, self, &mut halves);
        halves
    }
}

/// Adds the halves that begin with some squares and have this much on the others.
fn collect(half: &mut Half, done: usize, left: Class, halves: &mut Vec<Half>) {
    if COUNT[SQUARES - done][usize::from(left.checkers)][usize::from(left.stacks)] == 0 {
        return;
    }
    if done == SQUARES {
        halves.push(*half);
        return;
    }
    let most = left.checkers as i8;
    for height in -most..=most {
        let stack = u8::from(height != 0);
        if stack <= left.stacks {
            let checkers = left.checkers - height.unsigned_abs();
            half[done] = height;
            collect(half, done + 1, Class { checkers, stacks: left.stacks - stack }, halves);
        }
    }
}

/// The place of a half in its class.
#[inline]
pub(super) fn rank(half: &Half) -> usize {
    let Class { mut checkers, mut stacks } = Class::of(half);
    let mut rank = 0;
    for (done, &height) in half.iter().enumerate() {
        let row = &BEFORE[SQUARES - done][usize::from(checkers)][usize::from(stacks)];
        rank += usize::from(row[place(height)]);
        checkers -= height.unsigned_abs();
        stacks -= u8::from(height != 0);
    }
    rank
}

/// Where a signed height is among all.
#[inline]
fn place(height: i8) -> usize {
    (height as isize + MAX_CHECKERS as isize) as usize
}

/// What the player to move can make of two neighbouring squares by carrying checkers from the first
/// to the second (clauses 2 to 5).
pub(super) fn carries(from: i8, to: i8) -> impl Iterator<Item = (i8, i8)> {
    let height = from.abs();
    let sign = from.signum();
    // The player's own checkers are every other one, the first or the second from the top.
    let first = if from > 0 { 1 } else { 2 };
    (first..=height).step_by(2).filter_map(move |carried| {
        let flipped = if carried % 2 == 0 { sign } else { -sign };
        let left = flipped * (height - carried);
        if to > 0 {
            Some((left, sign * (to + carried - 1)))
        } else if to == 0 && carried < height {
            Some((left, sign * carried))
        } else {
            None
        }
    })
}

/// What the player to move can make of two neighbouring squares in either direction.
pub(super) fn exchanges(one: i8, other: i8) -> impl Iterator<Item = (i8, i8)> {
    carries(one, other).chain(carries(other, one).map(|(other, one)| (one, other)))
}

/// What the player to move can make of a half without crossing the cut.
pub(super) fn moves_within(half: Half) -> impl Iterator<Item = Half> {
    (1..SQUARES).flat_map(move |square| {
        exchanges(half[square - 1], half[square]).map(move |(one, other)| {
            let mut after = half;
            after[square - 1] = one;
            after[square] = other;
            after
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_in_order_and_know_their_places() {
        for checkers in 0..=12 {
            for class in Class::with(checkers) {
                let halves = class.halves();
                assert_eq!(halves.len(), class.size());
                assert!(halves.is_sorted());
                for (index, half) in halves.iter().enumerate() {
                    assert_eq!((Class::of(half), rank(half)), (class, index), "{half:?}");
                    assert!(class.run(half[0]).contains(&index));
                    let negated = half.map(|height| -height);
                    assert_eq!(rank(&negated), halves.len() - 1 - index);
                }
            }
        }
    }

    /// Colonnade's known answer: 872,893,441 arrangements of at most 24 checkers.
    #[test]
    fn there_are_as_many_arrangements_as_the_rules_say() {
        let sizes = |checkers| Class::with(checkers).map(Class::size).sum::<usize>();
        let rows = |checkers: usize| -> usize {
            (0..=checkers).map(|left| sizes(left) * sizes(checkers - left)).sum()
        };
        assert_eq!((0..=MAX_CHECKERS).map(rows).sum::<usize>(), 872_893_441);
    }
}
