//! Impasse: a race to get rid of all checkers, in which having no move may be welcome.

use stoa_rules::impasse::{Action, Move, Position};
use stoa_rules::{Position as _, Side};

use crate::{Knowledge, Strategy, Tally, Term};

const TEMPO: usize = 0;
const MOVES: usize = 1;
const STUCK: usize = 2;
const TRANSPOSES: usize = 3;
const WAITING: usize = 4;
const SINGLES: usize = 5;
const DOUBLES: usize = 13;

/// The squares of a rank, counted from zero.
const fn rank(number: u32) -> u64 {
    0xff << (8 * number)
}

macro_rules! row_term {
    ($name:literal, $words:literal, $meaning:literal) => {
        Term { name: $name, words: $words, meaning: $meaning }
    };
}

impl Knowledge for Position {
    const TERMS: &'static [Term] = &[
        row_term!("tempo", "the move", "Whose turn it is: the race is counted in turns."),
        row_term!(
            "moves",
            "moves to choose from",
            "Basic moves of a player: choice, and time before a removal comes."
        ),
        row_term!(
            "stuck",
            "an impasse",
            "A player without a basic move, who gets rid of a checker for it."
        ),
        row_term!(
            "transposes",
            "transposes",
            "Doubles that can hand their top to a single one row nearer home."
        ),
        row_term!(
            "waiting",
            "an uncrowned single",
            "A single in the furthest row that waits for another one to crown it."
        ),
        row_term!(
            "single-row-1",
            "singles at home",
            "Singles in the nearest row: all the way still to go."
        ),
        row_term!("single-row-2", "singles on their way", "Singles in the second row."),
        row_term!("single-row-3", "singles on their way", "Singles in the third row."),
        row_term!("single-row-4", "singles on their way", "Singles in the fourth row."),
        row_term!("single-row-5", "singles on their way", "Singles in the fifth row."),
        row_term!("single-row-6", "singles on their way", "Singles in the sixth row."),
        row_term!(
            "single-row-7",
            "singles about to be crowned",
            "Singles in the seventh row, one step from being crowned."
        ),
        row_term!(
            "single-row-8",
            "singles in the furthest row",
            "Singles in the furthest row: they cannot move."
        ),
        row_term!(
            "double-row-1",
            "doubles at home",
            "Doubles in the nearest row, which cannot move; play does not leave any there."
        ),
        row_term!(
            "double-row-2",
            "doubles about to bear off",
            "Doubles in the second row, one step from bearing off."
        ),
        row_term!("double-row-3", "doubles close to home", "Doubles in the third row."),
        row_term!("double-row-4", "doubles close to home", "Doubles in the fourth row."),
        row_term!("double-row-5", "doubles on their way back", "Doubles in the fifth row."),
        row_term!("double-row-6", "doubles on their way back", "Doubles in the sixth row."),
        row_term!("double-row-7", "doubles far from home", "Doubles in the seventh row."),
        row_term!(
            "double-row-8",
            "doubles far from home",
            "Doubles in the furthest row, just crowned."
        ),
    ];

    const SLOTS: usize = 64 * 64;

    fn weights((): ()) -> &'static str {
        include_str!("impasse.weights")
    }

    fn strategy((): ()) -> Strategy {
        Strategy::AlphaBeta
    }

    #[inline]
    fn terms(&self, tally: &mut impl Tally) {
        tally.add(TEMPO, self.side_to_move(), 1);
        for side in Side::BOTH {
            let (singles, doubles) = (self.singles(side), self.doubles(side));
            let moves = self.mobility(side) as i32;
            tally.add(MOVES, side, moves.min(24));
            tally.add(STUCK, side, i32::from(moves == 0));
            // From home: turn Black's board round.
            let (singles, doubles) = match side {
                Side::First => (singles, doubles),
                Side::Second => (singles.swap_bytes(), doubles.swap_bytes()),
            };
            let left = (singles & !0x0101_0101_0101_0101) << 7;
            let right = (singles & !0x8080_8080_8080_8080) << 9;
            tally.add(
                TRANSPOSES,
                side,
                ((left & doubles).count_ones() + (right & doubles).count_ones()) as i32,
            );
            tally.add(WAITING, side, i32::from(singles & rank(7) != 0));
            for row in 0..8 {
                tally.add(SINGLES + row as usize, side, (singles & rank(row)).count_ones() as i32);
                tally.add(DOUBLES + row as usize, side, (doubles & rank(row)).count_ones() as i32);
            }
        }
    }

    #[inline]
    fn slot(&self, mv: Move) -> usize {
        let (from, to) = match mv.action {
            Action::Slide { from, to } | Action::Transpose { from, onto: to } => (from, to),
            Action::Remove(from) => (from, from),
        };
        usize::from(from.index()) * 64 + usize::from(to.index())
    }

    #[inline]
    fn promise(&self, mv: Move) -> i32 {
        let mut promise = 0;
        if mv.bears_off {
            promise += 200;
        }
        if mv.crown.is_some() {
            promise += 100;
        }
        if let Action::Transpose { .. } = mv.action {
            promise += 30;
        }
        promise
    }

    #[inline]
    fn is_loud(&self, mv: Move) -> bool {
        mv.bears_off || mv.crown.is_some()
    }
}
