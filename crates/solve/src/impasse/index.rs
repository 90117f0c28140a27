//! A number for each position of a class, without gaps, such that moves lead to lower numbers.
//!
//! White's singles and Black's doubles can only go up the board, Black's singles and White's
//! doubles only down: call them *climbers* and *sinkers*. A transpose raises a single and lowers a
//! double by one row, or the other way round for Black, so it does both. Climbers stand on the
//! ranks 1 to 7: a single on rank 8 is crowned, or waits and is not counted; a double is borne off
//! there. Likewise sinkers stand on the ranks 2 to 8.
//!
//! So a number is made of the places of those that wait, the set of climbers' squares, which of
//! them are singles, the set of sinkers' squares among the free ones, and which of those are
//! singles. Sets are numbered such that whatever can be reached from them comes first. All
//! positions with the same places of waiting singles and climbers form a *row*: its values depend
//! on earlier ones of the row and on rows whose climbers are higher up, so rows of equal height can
//! be solved at the same time.

use stoa_rules::Side;
use stoa_rules::impasse::Position;

use super::class::Class;
use super::{MAX_STACKS, Packing};

const DARK: u64 = 0xaa55_aa55_aa55_aa55;
const RANK_1: u64 = DARK & 0xff;
const RANK_8: u64 = DARK & 0xff << 56;
/// Where climbers can stand, turned round, so that higher squares have lower bits.
const CLIMBERS_TURNED: u64 = DARK & !0xff;
/// Where sinkers can stand.
const SINKERS: u64 = DARK & !0xff;
/// The squares of the ranks 2 to 7.
const MIDDLE: usize = 24;

/// `CHOOSE[n][k]`: how many sets of `k` there are among `n`.
static CHOOSE: [[u64; 8]; 33] = {
    let mut choose = [[0; 8]; 33];
    let mut n = 0;
    while n < 33 {
        choose[n][0] = 1;
        let mut k = 1;
        while n > 0 && k < 8 {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// For each pattern of bits its number among those with as many bits.
static PATTERN_NUMBER: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut seen = [0; 7];
    let mut pattern = 0usize;
    while pattern < 64 {
        let ones = pattern.count_ones() as usize;
        numbers[pattern] = seen[ones];
        seen[ones] += 1;
        pattern += 1;
    }
    numbers
};

/// The number of a set among those of the same size within `free`: the order of their bits read as
/// numbers. A set with some members moved to lower bits has a lower number.
#[inline]
fn set_number(mut set: u64, free: u64) -> u64 {
    let (mut number, mut size) = (0, 0);
    while set != 0 {
        let below = (set & set.wrapping_neg()) - 1;
        size += 1;
        number += CHOOSE[(free & below).count_ones() as usize][size];
        set &= set - 1;
    }
    number
}

/// Which members of a set are chosen, as the number of that choice.
#[inline]
fn choice_number(mut set: u64, chosen: u64) -> u64 {
    let (mut pattern, mut place) = (0, 0);
    while set != 0 {
        let lowest = set & set.wrapping_neg();
        pattern |= usize::from(chosen & lowest != 0) << place;
        place += 1;
        set &= set - 1;
    }
    PATTERN_NUMBER[pattern].into()
}

/// How the positions of a class are numbered.
#[derive(Debug, Clone)]
pub(super) struct Numbering {
    class: Class,
    climbers: usize,
    sinkers: usize,
    /// Rows begin with a new byte, so that each can be written by a thread of its own.
    packing: Packing,
    /// The length of rows by how many climbers stand on rank 1, where they are in nobody's way.
    row: [u64; 5],
    /// Where the rows begin, by which squares of rank 1 are taken by climbers.
    begin: [u64; 16],
    /// How many numbers there are for one choice of the squares of the waiting checkers.
    block: u64,
    /// How many positions there are for one choice of the squares of the waiting checkers.
    positions: u64,
}

impl Numbering {
    /// The numbering for values that are packed in a certain way.
    pub(super) fn new(class: Class, packing: Packing) -> Numbering {
        let Class { white, black } = class;
        let climbers = usize::from(white.singles + black.doubles);
        let sinkers = usize::from(black.singles + white.doubles);
        let first_rank = 4 - usize::from(black.waits);
        let mut numbering = Numbering {
            class,
            climbers,
            sinkers,
            packing,
            row: [0; 5],
            begin: [0; 16],
            block: 0,
            positions: 0,
        };
        for pattern in 0..1usize << first_rank {
            let below = pattern.count_ones() as usize;
            numbering.begin[pattern] = numbering.block;
            let Some(above) = climbers.checked_sub(below) else { continue };
            let free = 28 - usize::from(white.waits) - above;
            let length = CHOOSE[climbers][usize::from(white.singles)]
                * CHOOSE[free][sinkers]
                * CHOOSE[sinkers][usize::from(black.singles)];
            numbering.row[below] = length.next_multiple_of(packing.values_a_byte());
            numbering.block += CHOOSE[MIDDLE][above] * numbering.row[below];
            numbering.positions += CHOOSE[MIDDLE][above] * length;
        }
        numbering
    }

    fn waiting_places(&self) -> u64 {
        (if self.class.white.waits { 4 } else { 1 }) * (if self.class.black.waits { 4 } else { 1 })
    }

    /// One more than the highest number.
    pub(super) fn length(&self) -> u64 {
        self.block * self.waiting_places()
    }

    /// How many positions have a number.
    pub(super) fn positions(&self) -> u64 {
        self.positions * self.waiting_places()
    }

    /// How values are packed.
    #[inline]
    pub(super) fn packing(&self) -> Packing {
        self.packing
    }

    /// The section of a file that holds the values with a player to move. The packing is part of
    /// it, so that one can never be taken for the other.
    #[inline]
    pub(super) fn section(&self, side: Side) -> u32 {
        self.class.code() << 2 | (self.packing as u32) << 1 | side as u32
    }

    /// How many bytes a tablebase of all values needs.
    pub(super) fn bytes(&self) -> usize {
        self.packing.byte_of(self.length())
    }

    /// The number of a position of this class, whichever side is to move.
    #[inline]
    pub(super) fn number(&self, position: &Position) -> u64 {
        let [white, black] = Side::BOTH.map(|side| position.singles(side));
        let waiting = [
            if self.class.white.waits { white } else { 0 },
            if self.class.black.waits { black } else { 0 },
        ];
        let (rising, falling) = (white ^ waiting[0], black ^ waiting[1]);
        let row = self.row(rising | position.doubles(Side::Second), waiting);
        let sinkers = falling | position.doubles(Side::First);
        let kinds = CHOOSE[self.sinkers][usize::from(self.class.black.singles)];
        let climbing = choice_number(row.climbers, rising);
        let sinking = choice_number(sinkers, falling);
        let places = CHOOSE[row.free.count_ones() as usize][self.sinkers];
        row.begin + (climbing * places + set_number(sinkers, row.free)) * kinds + sinking
    }

    /// The row of some climbers and waiting singles.
    #[inline]
    fn row(&self, climbers: u64, waiting: [u64; 2]) -> Row {
        let free = SINKERS & !(climbers | waiting[0]);
        Row { begin: self.row_begin(climbers, waiting), climbers, waiting, free }
    }

    /// Where a row begins.
    #[inline]
    fn row_begin(&self, climbers: u64, waiting: [u64; 2]) -> u64 {
        let turned = climbers.reverse_bits();
        let middle = turned & !RANK_8;
        let first_rank = RANK_8 & !waiting[1].reverse_bits();
        let mut pattern = 0u32;
        let mut low = turned & RANK_8;
        while low != 0 {
            let below = (low & low.wrapping_neg()) - 1;
            pattern |= 1 << (first_rank & below).count_ones();
            low &= low - 1;
        }
        let place =
            |square: u64, rank: u64| u64::from((rank & square.wrapping_sub(1)).count_ones());
        let block = match (self.class.white.waits, self.class.black.waits) {
            (false, false) => 0,
            (true, false) => place(waiting[0], RANK_8),
            (false, true) => place(waiting[1], RANK_1),
            (true, true) => 4 * place(waiting[0], RANK_8) + place(waiting[1], RANK_1),
        };
        let length = self.row[pattern.count_ones() as usize];
        block * self.block
            + self.begin[pattern as usize]
            + set_number(middle, CLIMBERS_TURNED & !RANK_8) * length
    }

    /// All rows in layers: whatever can be reached from a row of one layer by moving climbers is in
    /// the layers before.
    pub(super) fn layers(&self) -> Vec<Vec<Row>> {
        let places = |waits: bool, rank: u64| {
            if waits { Subsets::<4>::new(rank, 1).collect() } else { vec![0] }
        };
        let Class { white, black } = self.class;
        let mut layers: Vec<Vec<Row>> = Vec::new();
        for white_waits in places(white.waits, RANK_8) {
            for black_waits in places(black.waits, RANK_1) {
                let free = CLIMBERS_TURNED & !black_waits.reverse_bits();
                for turned in Subsets::<28>::new(free, self.climbers) {
                    let row = self.row(turned.reverse_bits(), [white_waits, black_waits]);
                    let layer = rows_to_go(turned);
                    if layers.len() <= layer {
                        layers.resize_with(layer + 1, Vec::new);
                    }
                    layers[layer].push(row);
                }
            }
        }
        layers.retain(|layer| !layer.is_empty());
        layers
    }

    /// Calls `visit` with every position of a row, lowest number first, as the squares of singles
    /// and of doubles.
    #[inline]
    pub(super) fn visit_row(&self, row: &Row, mut visit: impl FnMut(u64, [u64; 2], [u64; 2])) {
        let Row { begin, climbers, waiting, free } = *row;
        let rising_choices: Vec<u64> = choices(climbers, self.class.white.singles.into()).collect();
        let mut number = begin;
        for rising in rising_choices {
            for sinkers in Subsets::<28>::new(free, self.sinkers) {
                for falling in choices(sinkers, self.class.black.singles.into()) {
                    let singles = [rising | waiting[0], falling | waiting[1]];
                    visit(number, singles, [sinkers ^ falling, climbers ^ rising]);
                    number += 1;
                }
            }
        }
    }

    /// The position of a number, found the slow way.
    pub(super) fn position(&self, number: u64, side: Side) -> Option<Position> {
        let rows = self.layers().into_iter().flatten();
        let row = rows.filter(|row| row.begin <= number).max_by_key(|row| row.begin)?;
        let mut found = None;
        self.visit_row(&row, |visited, singles, doubles| {
            if visited == number {
                found = Position::from_squares(singles, doubles, side);
            }
        });
        found
    }
}

/// How many rows the climbers, seen from the other side, are away from where they cannot go on.
fn rows_to_go(mut turned: u64) -> usize {
    let mut rows = 0;
    while turned != 0 {
        rows += turned.trailing_zeros() as usize / 8;
        turned &= turned - 1;
    }
    rows
}

/// The positions with the same waiting singles and climbers' squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The lowest number.
    begin: u64,
    climbers: u64,
    waiting: [u64; 2],
    /// The squares left for sinkers.
    free: u64,
}

/// The subsets of a size of a set of at most this many, in the order of their numbers.
struct Subsets<const MAX: usize> {
    members: [u64; MAX],
    count: usize,
    /// Which members are chosen, as bits; one above `count` when there are no more.
    pattern: u64,
}

impl<const MAX: usize> Subsets<MAX> {
    fn new(mut set: u64, size: usize) -> Subsets<MAX> {
        let mut members = [0; MAX];
        let mut count = 0;
        while set != 0 {
            members[count] = set & set.wrapping_neg();
            set &= set - 1;
            count += 1;
        }
        Subsets { members, count, pattern: (1 << size) - 1 }
    }
}

impl<const MAX: usize> Iterator for Subsets<MAX> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        if self.pattern >> self.count != 0 {
            return None;
        }
        let mut set = 0;
        let mut rest = self.pattern;
        while rest != 0 {
            set |= self.members[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        // The next higher number with as many bits; the empty set has no next.
        let lowest = self.pattern & self.pattern.wrapping_neg();
        let ripple = self.pattern + lowest;
        self.pattern = if lowest == 0 {
            1 << self.count
        } else {
            ripple | ((self.pattern ^ ripple) >> 2) >> lowest.trailing_zeros()
        };
        Some(set)
    }
}

/// The ways to choose this many of a set.
#[inline]
fn choices(set: u64, size: usize) -> impl Iterator<Item = u64> {
    Subsets::<MAX_STACKS>::new(set, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_gaps_and_moves_lead_to_lower_ones() {
        use stoa_rules::Position as _;
        for class in Class::all(3) {
            let numbering = Numbering::new(class, Packing::Plies);
            let mut seen = vec![false; numbering.length() as usize];
            for row in numbering.layers().iter().flatten() {
                numbering.visit_row(row, |number, singles, doubles| {
                    let flag = &mut seen[number as usize];
                    assert!(!*flag, "{class:?}: {number} twice");
                    *flag = true;
                    for side in Side::BOTH {
                        let position = Position::from_squares(singles, doubles, side).unwrap();
                        assert_eq!(Class::of(&position), Some(class), "{position:?}");
                        assert_eq!(numbering.number(&position), number, "{position:?}");
                        for mv in position.legal_moves() {
                            let mut next = position;
                            next.play_unchecked(mv);
                            let led_to = Class::of(&next).expect("play does not lead out");
                            assert!(led_to != class || numbering.number(&next) < number);
                        }
                    }
                });
            }
            assert!(seen.iter().all(|&seen| seen), "{class:?}");
            assert_eq!(numbering.positions(), numbering.length());
        }
    }
}
