//! Material: what the players have, whatever the squares.

use stoa_rules::impasse::Position;
use stoa_rules::{Position as _, Side, Symmetry};

const RANK_1: u64 = 0xff;
const RANK_8: u64 = 0xff << 56;

/// What one player has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Material {
    /// Singles that can still move.
    pub(super) singles: u8,
    pub(super) doubles: u8,
    /// Whether the only single stands in the furthest row and waits for another to crown it. It
    /// cannot move, so it is counted apart.
    pub(super) waits: bool,
}

impl Material {
    /// What a player has, or nothing where play cannot lead: with a single in the furthest row
    /// beside another one, which would have been crowned (clause 4), or with a double in the
    /// nearest row, which would have been borne off (clause 3). No move leads there from elsewhere.
    #[inline]
    fn of(position: &Position, side: Side) -> Option<Material> {
        let (near, far) = match side {
            Side::First => (RANK_1, RANK_8),
            Side::Second => (RANK_8, RANK_1),
        };
        let (singles, doubles) = (position.singles(side), position.doubles(side));
        let waits = singles & far != 0;
        if doubles & near != 0 || waits && singles.count_ones() > 1 {
            return None;
        }
        Some(Material {
            singles: if waits { 0 } else { singles.count_ones() as u8 },
            doubles: doubles.count_ones() as u8,
            waits,
        })
    }

    pub(super) fn stacks(self) -> u32 {
        u32::from(self.singles) + u32::from(self.doubles) + u32::from(self.waits)
    }

    #[inline]
    pub(super) fn checkers(self) -> u32 {
        u32::from(self.singles) + 2 * u32::from(self.doubles) + u32::from(self.waits)
    }

    /// By checkers first; see [`Class::is_stored`].
    #[inline]
    fn key(self) -> (u32, u8, bool) {
        (self.checkers(), self.doubles, self.waits)
    }

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.singles) | u32::from(self.doubles) << 3 | u32::from(self.waits) << 6
    }
}

/// What both players have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Class {
    pub(super) white: Material,
    pub(super) black: Material,
}

impl Class {
    /// How many codes there are.
    pub(super) const CODES: usize = 1 << 14;

    /// The class of a position as it is, if play can lead to it.
    #[inline]
    pub(super) fn of(position: &Position) -> Option<Class> {
        Some(Class {
            white: Material::of(position, Side::First)?,
            black: Material::of(position, Side::Second)?,
        })
    }

    /// The class of a position and the position, or those of the turned one with exchanged colours:
    /// White has more checkers, or else more of them in doubles; if all is equal, White is to move.
    #[inline]
    pub(super) fn oriented(class: Class, position: &Position) -> (Class, Position) {
        let Class { white, black } = class;
        let turn = match white.key().cmp(&black.key()) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => position.side_to_move() == Side::Second,
            std::cmp::Ordering::Greater => false,
        };
        if turn {
            (Class { white: black, black: white }, position.transform(1))
        } else {
            (class, *position)
        }
    }

    pub(super) fn is_symmetric(self) -> bool {
        self.white == self.black
    }

    /// Whether the values with this player to move are kept in the file. Those of a player with
    /// fewer checkers than the other are not: each of their moves leads to a position with the
    /// other one, who has more, to move, so one move ahead all is known. This halves the file.
    #[inline]
    pub(super) fn is_stored(self, side: Side) -> bool {
        match side {
            Side::First => true,
            Side::Second => self.white.checkers() == self.black.checkers() && !self.is_symmetric(),
        }
    }

    pub(super) fn stacks(self) -> u32 {
        self.white.stacks() + self.black.stacks()
    }

    /// A number below [`CODES`](Class::CODES), if no player has more than seven singles or doubles.
    #[inline]
    pub(super) fn code(self) -> u32 {
        self.white.code() | self.black.code() << 7
    }

    /// All classes of at most this many stacks in the order in which they can be solved: a move leads
    /// to fewer stacks (a crown, the removal of a single), or to fewer checkers (a bear off, the
    /// removal of a double's top), or to a single that waits, or to the same class.
    pub(super) fn all(stacks: u32) -> Vec<Class> {
        let counts = 0..=stacks as u8;
        let materials: Vec<Material> = counts
            .clone()
            .flat_map(|singles| counts.clone().map(move |doubles| (singles, doubles)))
            .flat_map(|(singles, doubles)| {
                let waiting = (singles == 0).then_some(Material { singles, doubles, waits: true });
                [Some(Material { singles, doubles, waits: false }), waiting]
            })
            .flatten()
            .filter(|material| (1..stacks).contains(&material.stacks()))
            .collect();
        let mut classes: Vec<Class> = materials
            .iter()
            .flat_map(|&white| materials.iter().map(move |&black| Class { white, black }))
            .filter(|class| class.stacks() <= stacks && class.white.key() >= class.black.key())
            .collect();
        classes.sort_by_key(|class| {
            let Class { white, black } = *class;
            let still_going = u32::from(!white.waits) + u32::from(!black.waits);
            (class.stacks(), white.checkers() + black.checkers(), still_going, class.code())
        });
        classes
    }
}
