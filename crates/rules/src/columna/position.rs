//! The position, and what a move does to it.

use super::board::{Edge, INNER};
use super::{FULL_HEIGHT, Move, Point, RuleSet, STALL, Space, Stack, WIDTH};
use crate::bits::mix;
use crate::{Outcome, Reason, Side};

/// A position of Columna.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The spaces of each player's stacks, as bits.
    pub(super) owned: [u64; 2],
    /// The spaces of the stacks of at least two, three and four pieces, as bits.
    pub(super) higher: [u64; 3],
    pub(super) pawns: [Point; 2],
    pub(super) side: Side,
    /// How many turns in a row have dropped no piece (R3).
    pub(super) stall: u8,
    pub(super) rules: RuleSet,
}

impl Position {
    /// What stands on a space.
    #[inline]
    pub fn stack(&self, space: Space) -> Option<Stack> {
        let holds = |spaces: u64| spaces & space.bit() != 0;
        if !holds(self.occupied()) {
            return None;
        }
        let owner = if holds(self.owned[0]) { Side::First } else { Side::Second };
        let height = 1 + self.higher.map(|spaces| u8::from(holds(spaces))).iter().sum::<u8>();
        Some(Stack { owner, height })
    }

    /// Where a player's pawn stands.
    pub fn pawn(&self, side: Side) -> Point {
        self.pawns[side.index()]
    }

    /// How many turns in a row have dropped no piece (R3).
    pub fn stall(&self) -> u8 {
        self.stall
    }

    /// How many pieces are on the board.
    pub fn pieces(&self) -> u32 {
        self.at_least().into_iter().map(u64::count_ones).sum()
    }

    /// How many stacks of height four each player owns, Black first (clause 5).
    pub fn fours(&self) -> [u32; 2] {
        self.owned.map(|spaces| (spaces & self.of_height(FULL_HEIGHT)).count_ones())
    }

    /// The spaces of a player's stacks, as bits: eight to a rank, of which the last is not used,
    /// and `b2` the lowest.
    #[inline]
    pub fn owned(&self, side: Side) -> u64 {
        self.owned[side.index()]
    }

    /// The spaces on which a player could drop a piece in the next turn, as bits.
    #[inline]
    pub fn droppable(&self, side: Side) -> u64 {
        let reach = self.reach(side);
        let own = self.pawns[side.index()];
        Edge::ALL.into_iter().fold(0, |spaces, edge| {
            if reach & edge.points() == 0 {
                return spaces;
            }
            let stays = if own.edge() == edge { own.line() } else { 0 };
            spaces | self.drops(edge) & !stays
        })
    }

    /// The spaces on which a player could drop a piece from some point of the track, wherever the
    /// pawn is now, as bits.
    #[inline]
    pub fn sight(&self, side: Side) -> u64 {
        self.edges(side).iter().fold(0, |spaces, &edge| spaces | self.drops(edge))
    }

    /// The spaces lower than four that a player's track sees past no stack of four, as bits: only
    /// there can that player ever drop another piece.
    #[inline]
    pub fn open_to(&self, side: Side) -> u64 {
        let [.., four] = self.higher;
        let open = |spaces, edge: &Edge| spaces | !edge.behind(four);
        INNER & !four & self.edges(side).iter().fold(0, open)
    }

    /// How many ways a player's stacks can move, wherever the pawn goes meanwhile.
    #[inline]
    pub fn stack_move_count(&self, side: Side) -> u32 {
        self.stack_moves(side).as_flattened().iter().map(|targets| targets.count_ones()).sum()
    }

    /// The edges that a player's pawn can come to (clauses 6 and 9).
    #[inline]
    const fn edges(&self, side: Side) -> &'static [Edge] {
        match (self.rules, side) {
            (RuleSet::Spaces, _) => &Edge::ALL,
            (RuleSet::Points, Side::First) => &[Edge::Left, Edge::Top],
            (RuleSet::Points, Side::Second) => &[Edge::Right, Edge::Bottom],
        }
    }

    /// The occupied spaces, as bits.
    #[inline]
    pub(super) fn occupied(&self) -> u64 {
        self.owned[0] | self.owned[1]
    }

    /// The spaces of the stacks of at least one, two, three and four pieces, as bits.
    #[inline]
    pub(super) fn at_least(&self) -> [u64; 4] {
        let [two, three, four] = self.higher;
        [self.occupied(), two, three, four]
    }

    /// The spaces of the stacks of exactly this height, 1 to 4, as bits.
    #[inline]
    pub fn of_height(&self, height: u8) -> u64 {
        let [one, two, three, four] = self.at_least();
        match height {
            1 => one & !two,
            2 => two & !three,
            3 => three & !four,
            _ => four,
        }
    }

    /// Whether the game is over while there may still be turns: by a path or by the stall.
    #[inline]
    pub(super) fn is_decided(&self) -> bool {
        self.stall >= STALL || self.has_path(self.side.other())
    }

    /// Whether a player's stacks connect the pawns (clauses 8 and 10).
    #[inline]
    pub(super) fn has_path(&self, side: Side) -> bool {
        let own = self.owned[side.index()];
        let [from, to] = self.pawns.map(|pawn| pawn.neighbour() & own);
        if self.rules == RuleSet::Points || from == 0 || to == 0 {
            return false;
        }
        let mut connected = from;
        loop {
            if connected & to != 0 {
                return true;
            }
            let beside = connected << 1 | connected >> 1 | connected << 8 | connected >> 8;
            let grown = (connected | beside) & own;
            if grown == connected {
                return false;
            }
            connected = grown;
        }
    }
}

impl crate::Position for Position {
    type Move = Move;
    type Options = RuleSet;

    fn start(rules: RuleSet) -> Position {
        // Clause 2.
        Position {
            owned: [0; 2],
            higher: [0; 3],
            pawns: [Point::A1, Point::I9],
            side: Side::First,
            stall: 0,
            rules,
        }
    }

    #[inline]
    fn options(&self) -> RuleSet {
        self.rules
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    /// Only the player who has just moved can have won by a path (R2), and that comes before the
    /// score.
    fn outcome(&self) -> Option<Outcome> {
        let last = self.side.other();
        if self.has_path(last) {
            Some(Outcome::win(last, Reason::Path))
        } else if self.stall >= STALL {
            Some(Outcome::scored(self.fours(), Reason::Stall))
        } else if !Side::BOTH.into_iter().any(|side| self.has_turn(side)) {
            Some(Outcome::scored(self.fours(), Reason::Blocked))
        } else {
            None
        }
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
        let side = self.side.index();
        self.side = self.side.other();
        self.stall += 1;
        match mv {
            Move::Pass => {}
            Move::Drop { pawn, on } => {
                let space = on.bit();
                let [one, two, three, _] = self.at_least();
                for (higher, lower) in self.higher.iter_mut().zip([one, two, three]) {
                    *higher |= lower & space;
                }
                self.owned[side] |= space;
                self.owned[1 - side] &= !space;
                self.pawns[side] = pawn;
                self.stall = 0;
            }
            Move::MoveStack { pawn, from, to } => {
                let both = from.bit() | to.bit();
                self.owned[side] ^= both;
                for spaces in &mut self.higher {
                    if *spaces & from.bit() != 0 {
                        *spaces ^= both;
                    }
                }
                self.pawns[side] = pawn;
            }
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        let [two, three, four] = self.higher;
        let [black, white] = self.pawns.map(|pawn| u64::from(pawn.index()));
        let rest = black | white << 8 | u64::from(self.stall) << 16 | (self.side as u64) << 24;
        // The height less one in binary: two planes for the three.
        let heights = [two & !three | four, three];
        self.owned.into_iter().chain(heights).fold(mix(0, rest), mix)
    }

    /// A drop adds a piece for good, and between two drops there are fewer than 40 turns (R3).
    fn turns_left_at_most(&self) -> u32 {
        let room = u32::from(WIDTH * WIDTH * FULL_HEIGHT) - self.pieces();
        u32::from(STALL - self.stall) + u32::from(STALL) * room
    }

    #[inline]
    fn stall_left(&self) -> u32 {
        u32::from(STALL - self.stall)
    }

    #[inline]
    fn board_key(&self) -> u64 {
        Position { stall: 0, ..*self }.key()
    }

    #[inline]
    fn without_stall(&self) -> Option<Position> {
        Some(Position { stall: 0, ..*self })
    }
}
