//! The position, and what a move does to it.

use super::board::{BOARD, between, next_to};
use super::{CELLS, Cell, Move, Occupant, STALL};
use crate::bits::mix;
use crate::sink::Generator;
use crate::{Outcome, Reason, Side};

/// A position of Colossus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The cells of each player's stones, as bits, those on top of towers included. So a tower is
    /// claimed when its cell has a stone too.
    pub(super) stones: [u64; 2],
    /// The cells of all towers, as bits.
    pub(super) towers: u64,
    pub(super) side: Side,
    /// How many towers are off the board.
    pub(super) supply: u8,
    /// How many turns in a row have not raised the peak (R8).
    pub(super) stall: u8,
    /// The most spaces that were ever occupied (R8).
    pub(super) peak: u8,
}

impl Position {
    /// What is on a space.
    pub fn at(&self, cell: Cell) -> Option<Occupant> {
        let stone = Side::BOTH.into_iter().find(|side| self.stones[side.index()] & cell.bit() != 0);
        if self.towers & cell.bit() != 0 {
            Some(Occupant::Tower(stone))
        } else {
            stone.map(Occupant::Stone)
        }
    }

    /// The points of a player: one for each stone on a space, three for each tower (clause 7). The
    /// stone on a tower does not count (R5).
    pub fn score(&self, side: Side) -> u32 {
        let stones = self.stones[side.index()];
        (stones & !self.towers).count_ones() + 3 * (stones & self.towers).count_ones()
    }

    /// How many towers are off the board.
    pub fn supply(&self) -> u8 {
        self.supply
    }

    /// How many turns in a row have not left the board fuller than ever before (R8).
    pub fn stall(&self) -> u8 {
        self.stall
    }

    /// The most spaces that were ever occupied (R8).
    pub fn peak(&self) -> u8 {
        self.peak
    }

    /// A player's stones, those on towers included, as bits numbered like [`Cell::index`].
    #[inline]
    pub fn stones(&self, side: Side) -> u64 {
        self.stones[side.index()]
    }

    /// The towers, claimed or not, as bits numbered like [`Cell::index`].
    #[inline]
    pub fn towers(&self) -> u64 {
        self.towers
    }

    /// The stones of the player to move, those on towers included.
    #[inline]
    pub(super) fn own(&self) -> u64 {
        self.stones[self.side.index()]
    }

    /// The empty spaces: a tower's is not one (clause 2).
    #[inline]
    pub(super) fn empty(&self) -> u64 {
        BOARD & !self.occupied()
    }

    /// The towers that nobody has claimed.
    #[inline]
    pub(super) fn empty_towers(&self) -> u64 {
        self.towers & !self.stones[0] & !self.stones[1]
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1] | self.towers
    }

    /// The hash key, with these numbers for the counters of R8.
    #[inline]
    fn key_with(&self, stall: u8, peak: u8) -> u64 {
        // A board takes 37 bits of a word; the counters go above it.
        let [black, white] = self.stones;
        let counters = u64::from(stall) | u64::from(peak) << 8;
        let others = u64::from(self.supply) << 1 | self.side as u64;
        mix(mix(mix(0, self.towers), black | counters << CELLS), white | others << CELLS)
    }

    /// The result, if the last turn has ended the game; in the order of R7.
    #[inline]
    pub(super) fn ended_with_last_turn(&self) -> Option<Outcome> {
        let mover = self.side.other();
        let scores = || Side::BOTH.map(|side| self.score(side));
        if self.stones[mover.index()] & self.towers == 0 {
            Some(Outcome::win(self.side, Reason::NoTower))
        } else if self.empty() == 0 {
            Some(Outcome::scored(scores(), Reason::FullBoard))
        } else if self.stall >= STALL {
            Some(Outcome::scored(scores(), Reason::Stall))
        } else {
            None
        }
    }

    /// Makes enemy stones the mover's.
    #[inline]
    fn turn(&mut self, cells: u64) {
        self.stones[self.side.index()] |= cells;
        self.stones[self.side.other().index()] &= !cells;
    }

    /// Makes the enemy stones next to a stone that has arrived the mover's; those on towers stay
    /// (clause 3).
    #[inline]
    fn turn_next_to(&mut self, cell: Cell) {
        let enemy = self.stones[self.side.other().index()];
        self.turn(enemy & !self.towers & cell.neighbours());
    }

    /// Clause 4.
    #[inline]
    fn siege(&mut self) {
        let held = self.own() & !self.towers;
        let enemy_towers = self.stones[self.side.other().index()] & self.towers;
        self.turn(enemy_towers & !next_to(BOARD & !held));
    }
}

impl crate::Position for Position {
    type Move = Move;
    type Options = ();

    fn start((): ()) -> Position {
        // Clause 1, with the corners of R1.
        const fn cells<const N: usize>(places: [(u8, u8); N]) -> u64 {
            let mut bits = 0;
            let mut i = 0;
            while i < N {
                let (row, number) = places[i];
                match Cell::new(row - b'a', number - 1) {
                    Some(cell) => bits |= cell.bit(),
                    None => panic!("not on the board"),
                }
                i += 1;
            }
            bits
        }
        const TOWERS: u64 =
            cells([(b'a', 1), (b'a', 4), (b'd', 1), (b'd', 7), (b'g', 1), (b'g', 4)]);
        Position {
            stones: [const { cells([(b'a', 1)]) }, const { cells([(b'g', 4)]) }],
            towers: TOWERS,
            side: Side::First,
            supply: 3,
            stall: 0,
            peak: TOWERS.count_ones() as u8,
        }
    }

    fn options(&self) {}

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended_with_last_turn().or_else(|| {
            // Clause 6, at the start of a turn.
            let stuck = !self.can_place_or_move();
            stuck.then(|| Outcome::win(self.side.other(), Reason::NoMove))
        })
    }

    #[inline]
    fn generate(&self, moves: &mut Vec<Move>) {
        self.generate_into(moves);
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.count()
    }

    #[inline]
    fn nth_move(&self, index: usize) -> Option<Move> {
        self.nth(index)
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        let own = &mut self.stones[self.side.index()];
        match mv {
            Move::Place(cell) => {
                *own |= cell.bit();
                self.turn_next_to(cell);
            }
            Move::Step { from, to } => {
                *own ^= from.bit() | to.bit();
                self.turn_next_to(to);
            }
            Move::Claim { tower, from, new_tower } => {
                *own |= tower.bit();
                *own &= !between(tower, from);
                if let Some(cell) = new_tower {
                    self.towers |= cell.bit();
                    self.supply -= 1;
                }
            }
        }
        self.siege();
        let occupied = self.occupied().count_ones() as u8;
        if occupied > self.peak {
            self.peak = occupied;
            self.stall = 0;
        } else {
            self.stall += 1;
        }
        self.side = self.side.other();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key_with(self.stall, self.peak)
    }

    /// R8: the peak can rise to the number of spaces, and between two rises fewer than 40 turns
    /// pass.
    fn turns_left_at_most(&self) -> u32 {
        let stall = u32::from(STALL);
        stall - u32::from(self.stall) + stall * (CELLS as u32 - u32::from(self.peak))
    }

    #[inline]
    fn stall_left(&self) -> u32 {
        u32::from(STALL - self.stall)
    }

    /// Both the stall count and the peak are left out (R8).
    #[inline]
    fn board_key(&self) -> u64 {
        self.key_with(0, 0)
    }

    /// The peak is the lowest that the board allows, so the next stone raises it.
    #[inline]
    fn without_stall(&self) -> Option<Position> {
        Some(Position { stall: 0, peak: self.occupied().count_ones() as u8, ..*self })
    }
}
