//! How loops are found, and what lies within them.
//!
//! Take the stones of one colour, the owner's, with a line between any two that are diagonally
//! adjacent. Lines of one colour never cross, so they cut the plane into regions, and a loop goes
//! around every region but the outside. Four facts make this quick to compute:
//!
//! 1. A step from a point to an orthogonal neighbour crosses no line. So two points without a
//!    stone of the owner's are in the same region exactly if such steps lead from one to the other
//!    over points like them.
//! 2. Of two orthogonal neighbours one has the owner's colour and one the other colour, and a point
//!    of the other colour never holds a stone of the owner's. So a region is known by its points
//!    of the other colour: a point of the owner's colour without a stone is in the region of all
//!    four points next to it, and one with a stone is on a loop, or within one, exactly if a point
//!    next to it is. An *enclosed* set therefore has the points of the other colour only.
//! 3. Next to the points of the edge that have the owner's colour there are ring stones of the
//!    other colour. So a region is outside exactly if it has a ring stone of the other colour.
//! 4. A stone is placed outside all loops (clause 5), so what its lines cut up is the outside.
//!    They close a loop exactly if two of its neighbours were connected before, and each piece they
//!    cut off begins next to the stone, between two lines. One piece at least is still outside.

use super::board::{Board, UP_LEFT, UP_RIGHT, diagonals, orthogonals};
use super::points::Points;
use crate::Side;

/// The groups of diagonally connected stones of one colour, the ring's included, as a forest with
/// a tree for each group.
///
/// Captured stones stay in the forest, so that a group may hold stones that are no longer
/// connected. This costs a needless look for a loop now and then, which is less than it would cost
/// to take the groups apart.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    parents: [u8; 256],
}

impl Groups {
    /// The groups of `stones`.
    pub(super) fn new(stones: Points) -> Groups {
        let mut groups = Groups { parents: std::array::from_fn(|slot| slot as u8) };
        for up in [UP_LEFT, UP_RIGHT] {
            for slot in (stones & stones.down(up)).slots() {
                let root = groups.root(slot);
                groups.join(slot + up, root);
            }
        }
        groups
    }

    /// Adds a stone next to `stones`. Returns whether it may close a loop: if not, it does not.
    #[inline]
    pub(super) fn add(&mut self, slot: u8, stones: Points) -> bool {
        let root = self.root(slot);
        let mut may_close = false;
        for neighbour in diagonals(slot) {
            if stones.contains(neighbour) {
                may_close |= self.join(neighbour, root);
            }
        }
        may_close
    }

    /// Whether a stone on a slot would be next to two stones of one group: if not, it closes no loop.
    #[inline]
    pub(super) fn connects(&mut self, slot: u8, stones: Points) -> bool {
        let mut roots = [None; 4];
        for (index, neighbour) in diagonals(slot).into_iter().enumerate() {
            if stones.contains(neighbour) {
                let root = Some(self.root(neighbour));
                if roots[..index].contains(&root) {
                    return true;
                }
                roots[index] = root;
            }
        }
        false
    }

    /// Joins the group of a stone to that of `root`. Returns whether they were one before.
    #[inline]
    fn join(&mut self, slot: u8, root: u8) -> bool {
        let other = self.root(slot);
        self.parents[usize::from(other)] = root;
        other == root
    }

    /// The stone that stands for the group of a stone. Shortens the way there.
    #[inline]
    fn root(&mut self, mut slot: u8) -> u8 {
        loop {
            let parent = self.parents[usize::from(slot)];
            if parent == slot {
                return slot;
            }
            let grandparent = self.parents[usize::from(parent)];
            self.parents[usize::from(slot)] = grandparent;
            slot = grandparent;
        }
    }
}

/// One player's stones on a board, as walls.
#[derive(Clone, Copy)]
pub(super) struct Walls {
    pub(super) owner: Side,
    /// The owner's stones, the ring's included.
    pub(super) stones: Points,
    pub(super) board: &'static Board,
}

impl Walls {
    /// Every point of the other colour within a loop.
    pub(super) fn enclosed(self) -> Points {
        let other = self.owner.other().index();
        let mut outside = self.board.ring[other];
        loop {
            let grown = self.grow(outside);
            if grown == outside {
                return self.board.points[other] & !outside;
            }
            outside = grown;
        }
    }

    /// The points of the other colour that are enclosed since a stone, which is next to another,
    /// was placed on `slot`.
    pub(super) fn enclosed_since(self, slot: u8) -> Points {
        let ring = self.board.ring[self.owner.other().index()];
        let (mut regions, mut growing) = self.regions_around(slot);
        let mut enclosed = Points::EMPTY;
        let mut outside_found = false;
        // The regions grow in turn, so that a small loop is found before the wide outside. If all
        // the others turn out to be enclosed, the last one is the outside.
        while growing > usize::from(!outside_found) {
            let mut kept = 0;
            for index in 0..growing {
                let region = regions[index];
                let grown = self.grow(region);
                if grown.meets(ring) {
                    outside_found = true;
                } else if grown == region {
                    enclosed |= region;
                } else {
                    regions[kept] = grown;
                    kept += 1;
                }
            }
            growing = kept;
        }
        enclosed
    }

    /// What lies between each two neighbouring lines of a stone that has a line: points of the
    /// other colour next to it. Returns also how many such regions there are.
    fn regions_around(self, slot: u8) -> ([Points; 4], usize) {
        let lines = diagonals(slot).map(|diagonal| self.stones.contains(diagonal));
        let first = lines.iter().position(|&line| line).unwrap_or(0);
        let mut regions = [Points::EMPTY; 4];
        let mut count = 0;
        for turn in (first..first + 4).map(|turn| turn % 4) {
            count += usize::from(lines[turn]);
            let region = &mut regions[count - 1];
            *region = region.with(orthogonals(slot, self.owner)[turn]);
        }
        (regions, count)
    }

    /// The points of a region of the other colour, and those that two orthogonal steps lead to.
    #[inline]
    fn grow(self, region: Points) -> Points {
        let free = self.board.points[self.owner.index()] & !self.stones;
        region | (region.orthogonals(self.owner.other()) & free).orthogonals(self.owner)
    }
}

/// Everything within the outermost loops that `seeds` lie within, given an enclosed set.
///
/// A line with enclosed points on both sides is itself within the outermost loop there, and one on
/// that loop has the outside on one side. So steps across lines between enclosed points lead to
/// all that the loop holds, and never out of it. A region is connected by such steps, too: the
/// four points around a point without a stone are diagonally adjacent in turn.
pub(super) fn whole_loops(seeds: Points, enclosed: Points) -> Points {
    let mut within = seeds & enclosed;
    loop {
        let grown = within | (within.diagonals() & enclosed);
        if grown == within {
            return within;
        }
        within = grown;
    }
}
