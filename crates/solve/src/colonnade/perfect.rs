//! Exact answers without a file: a small table worked out on the spot, and a proof search above it.
//!
//! The positions with few checkers are quickly solved, so a program that cannot load a table (a
//! page in a browser) makes its own. From a position with more checkers every line of play comes
//! down to that table after some carries onto stacks, and a search finds out who wins.

use std::time::Duration;

use stoa_engine::{Now, Stop, Timer};
use stoa_rules::Position as _;
use stoa_rules::colonnade::{Move, Position};

use super::index::{Index, Row};
use super::sweep::Sweep;
use crate::proof::search::{Ends, Search, Space};
use crate::proof::{Numbers, ProofTable};
use crate::{Exact, Verdict};

/// The most checkers of positions in the small table: 49 million of them, which take half a second
/// or so to solve and 49 MB to keep.
const MAX_KEPT: usize = 18;

/// The memory of the search in bytes. No search that was seen came to fill a tenth of it.
const MEMORY: usize = 16 << 20;

/// Knows who wins every position, and how soon if few checkers are left.
#[derive(Debug)]
pub struct Perfect {
    small: Small,
    /// What searches have found out.
    found: ProofTable<u64>,
    /// Looked at now and then, see [`Perfect::with_clock`].
    now: Now,
}

impl Perfect {
    /// Works out the small table. Nothing, if it was stopped.
    pub fn new(stop: &Stop) -> Option<Perfect> {
        Perfect::with_clock(no_time, stop)
    }

    /// The same with a clock that is looked at now and then. There is no limit of time; but where
    /// nobody else runs while this does, as in a page's worker, looking at the clock is how the
    /// wish to stop is heard.
    pub fn with_clock(now: Now, stop: &Stop) -> Option<Perfect> {
        Perfect::up_to(MAX_KEPT, now, stop)
    }

    /// One with a table of positions with at most this many checkers.
    pub(super) fn up_to(most: usize, now: Now, stop: &Stop) -> Option<Perfect> {
        Some(Perfect { small: Small::new(most, now, stop)?, found: ProofTable::new(MEMORY), now })
    }

    /// The value of a position: who wins, and after how many plies if few checkers are left.
    /// Nothing, if it was stopped.
    pub fn value(&mut self, position: &Position, stop: &Stop) -> Option<Exact> {
        self.value_of(&Row::of(position), stop)
    }

    fn value_of(&mut self, row: &Row, stop: &Stop) -> Option<Exact> {
        let (wins, plies) = match (self.small.plies(row), self.small.settled(row)) {
            (Some(plies), _) => (plies % 2 == 1, Some(u32::from(plies))),
            (None, Some(wins)) => (wins, Some(0)),
            (None, None) => {
                let mut search = Search::new(&self.small, &mut self.found);
                let (time, timer) = (Some(Duration::MAX), Timer::with(self.now));
                let ends = Ends { nodes: u64::MAX, time, timer, stop };
                let (numbers, _) = search.run(row, &ends);
                if !numbers.is_settled() {
                    return None;
                }
                (numbers.is_proven(), None)
            }
        };
        let verdict = if wins { Verdict::Win } else { Verdict::Loss };
        Some(Exact { verdict, plies })
    }

    /// Every legal move with its value for the player who makes it, the best first. Nothing, if it
    /// was stopped.
    pub fn moves(&mut self, position: &Position, stop: &Stop) -> Option<Vec<(Move, Exact)>> {
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let mut after = *position;
            after.play_unchecked(mv);
            moves.push((mv, self.value(&after, stop)?.before()));
        }
        moves.sort_by(|(_, one), (_, other)| other.compare(one));
        Some(moves)
    }
}

/// A clock for callers that have another way to stop.
pub(super) fn no_time() -> Duration {
    Duration::ZERO
}

/// The positions with few checkers.
#[derive(Debug)]
struct Small {
    index: Index,
    /// The plies of all positions, layer by layer.
    layers: Vec<Vec<u8>>,
}

impl Small {
    fn new(most: usize, now: Now, stop: &Stop) -> Option<Small> {
        let sweep = Sweep::new(most, 1);
        let mut layers = Vec::new();
        let mut below = None;
        for _ in 0..=most {
            now();
            let layer = sweep.layer(below.as_ref(), stop)?;
            layers.push(layer.plies(1));
            below = Some(layer);
        }
        Some(Small { index: Index::new(), layers })
    }

    /// How many plies are left, if few checkers are.
    #[inline]
    fn plies(&self, row: &Row) -> Option<u8> {
        if row.checkers() >= self.layers.len() {
            return None;
        }
        let (checkers, place) = self.index.place(row)?;
        Some(self.layers[checkers][place])
    }
}

impl Space for Small {
    type State = Row;
    /// A move is known by the position that it leads to.
    type Move = Row;
    type Key = u64;

    #[inline]
    fn settled(&self, row: &Row) -> Option<bool> {
        match self.plies(row) {
            Some(plies) => Some(plies % 2 == 1),
            None => (row.count_moves() == 0).then_some(false),
        }
    }

    fn moves(&self, row: &Row, rows: &mut Vec<Row>) {
        row.after_moves(|after| rows.push(after));
    }

    #[inline]
    fn after(&self, _: &Row, after: Row) -> Row {
        after
    }

    #[inline]
    fn key(&self, row: &Row) -> u64 {
        row.word()
    }

    /// The farther from the table the harder it is; and many moves are hard to refute. The weights
    /// need a quarter fewer positions than none at all do.
    fn guess(&self, row: &Row) -> Numbers {
        let above = (row.checkers() + 1 - self.layers.len()) as u32;
        Numbers::guess(1 + 2 * above, 2 * (row.count_moves() + above))
    }
}
