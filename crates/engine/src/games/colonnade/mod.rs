//! Colonnade: a player without a move loses, so mobility is everything.

mod levels;

use stoa_rules::colonnade::{Direction, Move, Position};
use stoa_rules::{Position as _, Side};

use crate::matches::OpeningLength;
use crate::{Knowledge, LevelTable, Strategy, Term, TermSink};

const TEMPO: usize = 0;
const MOVES: usize = 1;
const TOPS: usize = 2;
const CHECKERS: usize = 3;
const BURIED: usize = 4;

/// One in each byte of a word.
const EACH: u64 = 0x0101_0101_0101_0101;

/// The sum of the bytes of a word, which must be less than 256.
#[inline]
const fn sum(bytes: u64) -> i32 {
    (bytes.wrapping_mul(EACH) >> 56) as i32
}

impl Knowledge for Position {
    const TERMS: &'static [Term] = &[
        Term {
            name: "tempo",
            words: "the move",
            meaning: "Whose turn it is: every turn must be answered with another.",
        },
        Term {
            name: "moves",
            words: "moves to choose from",
            meaning: "How many moves a player has: a player with none left loses.",
        },
        Term {
            name: "tops",
            words: "stacks topped with their colour",
            meaning: "Stacks topped with a player's colour: only these can be moved onto.",
        },
        Term {
            name: "checkers",
            words: "checkers left",
            meaning: "Checkers that a player still has: every merge costs one, so they are turns to come.",
        },
        Term {
            name: "buried",
            words: "checkers free to step down",
            meaning: "Checkers of a player above the bottom of stacks next to an empty square: each can step down.",
        },
    ];

    const HISTORY_SIZE: usize = 8 * 2 * 16;

    fn weights((): ()) -> &'static str {
        include_str!("default.weights")
    }

    fn levels((): ()) -> LevelTable {
        levels::LEVELS
    }

    const IS_SOLVED: bool = true;

    fn level_losses(_: Self::Options) -> &'static str {
        include_str!("accuracy.txt")
    }

    fn strategy((): ()) -> Strategy {
        Strategy::AlphaBeta
    }

    fn opening_length((): ()) -> OpeningLength {
        OpeningLength { plies: 3, nodes: 2_000 }
    }

    #[inline]
    fn terms(&self, sink: &mut impl TermSink) {
        sink.add(TEMPO, self.side_to_move(), 1);
        for side in Side::BOTH {
            sink.add(MOVES, side, self.mobility(side) as i32);
        }
        // All eight squares at once, a byte each.
        let word = self.word();
        let heights = (word >> 1) & (EACH * 0x7f);
        let occupied = (heights + EACH * 0x7f) >> 7 & EACH;
        let empty = occupied ^ EACH;
        let beside_empty = (empty << 8 | empty >> 8) & occupied;
        let topped = [occupied & !word, occupied & word];
        for side in Side::BOTH {
            let own = topped[side.index()];
            sink.add(TOPS, side, own.count_ones() as i32);
            // Of the checkers of a stack every second one from the top is its owner's.
            sink.add(CHECKERS, side, sum(((heights + own) >> 1) & (EACH * 0x7f)));
            // The bottom one cannot step down.
            let free = (heights - occupied + own) >> 1 & (EACH * 0x7f);
            sink.add(BURIED, side, sum(free & (beside_empty * 0xff)));
        }
    }

    #[inline]
    fn history_index(&self, mv: Move) -> usize {
        let direction = usize::from(mv.direction == Direction::Right);
        (mv.from.index() * 2 + direction) * 16 + usize::from(mv.carried.min(15))
    }

    #[inline]
    fn ordering_score(&self, mv: Move) -> i32 {
        // A step down to an empty square costs nothing; a merge costs a checker.
        let to = mv.from.neighbour(mv.direction);
        i32::from(to.is_some_and(|to| self.stack(to).is_empty())) * 10
    }
}
