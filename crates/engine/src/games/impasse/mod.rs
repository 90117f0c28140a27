//! Impasse: a race to get rid of all checkers, in which having no move may be welcome.

mod inputs;
mod levels;

use stoa_rules::impasse::{Action, Move, Position};
use stoa_rules::{Position as _, Side};

use crate::net::InputGroups;
use crate::{Knowledge, LevelTable, Strategy, TenToOne, Term, TermSink};

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

impl Knowledge for Position {
    const TERMS: &'static [Term] = &[
        Term {
            name: "tempo",
            words: "the move",
            meaning: "Whose turn it is: the race is counted in turns.",
        },
        Term {
            name: "moves",
            words: "moves to choose from",
            meaning: "Basic moves of a player: choice, and time before a removal comes.",
        },
        Term {
            name: "stuck",
            words: "an impasse",
            meaning: "A player has no basic move, and gets rid of a checker for it.",
        },
        Term {
            name: "transposes",
            words: "transposes",
            meaning: "Doubles that can hand their top to a single one row nearer home.",
        },
        Term {
            name: "waiting",
            words: "an uncrowned single",
            meaning: "A single in the furthest row that waits for another one to crown it.",
        },
        Term {
            name: "single-row-1",
            words: "singles at home",
            meaning: "Singles in the nearest row: all the way still to go.",
        },
        Term {
            name: "single-row-2",
            words: "singles on their way",
            meaning: "Singles in the second row.",
        },
        Term {
            name: "single-row-3",
            words: "singles on their way",
            meaning: "Singles in the third row.",
        },
        Term {
            name: "single-row-4",
            words: "singles on their way",
            meaning: "Singles in the fourth row.",
        },
        Term {
            name: "single-row-5",
            words: "singles on their way",
            meaning: "Singles in the fifth row.",
        },
        Term {
            name: "single-row-6",
            words: "singles on their way",
            meaning: "Singles in the sixth row.",
        },
        Term {
            name: "single-row-7",
            words: "singles about to be crowned",
            meaning: "Singles in the seventh row, one step from being crowned.",
        },
        Term {
            name: "single-row-8",
            words: "singles in the furthest row",
            meaning: "Singles in the furthest row: they cannot move.",
        },
        Term {
            name: "double-row-1",
            words: "doubles at home",
            meaning: "Doubles in the nearest row, which cannot move; play does not leave any there.",
        },
        Term {
            name: "double-row-2",
            words: "doubles about to bear off",
            meaning: "Doubles in the second row, one step from bearing off.",
        },
        Term {
            name: "double-row-3",
            words: "doubles close to home",
            meaning: "Doubles in the third row.",
        },
        Term {
            name: "double-row-4",
            words: "doubles close to home",
            meaning: "Doubles in the fourth row.",
        },
        Term {
            name: "double-row-5",
            words: "doubles on their way back",
            meaning: "Doubles in the fifth row.",
        },
        Term {
            name: "double-row-6",
            words: "doubles on their way back",
            meaning: "Doubles in the sixth row.",
        },
        Term {
            name: "double-row-7",
            words: "doubles far from home",
            meaning: "Doubles in the seventh row.",
        },
        Term {
            name: "double-row-8",
            words: "doubles far from home",
            meaning: "Doubles in the furthest row, just crowned.",
        },
    ];

    const NET_INPUTS: &'static [u8] = inputs::GROUPS;

    const NET_MAX_SET: u16 = inputs::MAX_SET;

    const NET_BUCKETS: usize = inputs::BUCKETS;

    const FIRST_LEVEL_WITH_NET: u8 = 5;

    const HISTORY_SIZE: usize = 64 * 64;

    fn weights((): ()) -> &'static str {
        include_str!("default.weights")
    }

    fn ten_to_one((): ()) -> TenToOne {
        TenToOne { net: 143, ..TenToOne::default() }
    }

    fn levels((): ()) -> LevelTable {
        levels::LEVELS
    }

    fn level_losses(_: Self::Options) -> &'static str {
        include_str!("accuracy.txt")
    }

    fn strategy((): ()) -> Strategy {
        Strategy::AlphaBeta
    }

    #[inline]
    fn terms(&self, sink: &mut impl TermSink) {
        sink.add(TEMPO, self.side_to_move(), 1);
        for side in Side::BOTH {
            let (singles, doubles) = (self.singles(side), self.doubles(side));
            let moves = self.mobility(side) as i32;
            sink.add(MOVES, side, moves.min(24));
            sink.add(STUCK, side, i32::from(moves == 0));
            // From home: turn Black's board round.
            let (singles, doubles) = match side {
                Side::First => (singles, doubles),
                Side::Second => (singles.swap_bytes(), doubles.swap_bytes()),
            };
            let left = (singles & !0x0101_0101_0101_0101) << 7;
            let right = (singles & !0x8080_8080_8080_8080) << 9;
            sink.add(
                TRANSPOSES,
                side,
                ((left & doubles).count_ones() + (right & doubles).count_ones()) as i32,
            );
            sink.add(WAITING, side, i32::from(singles & rank(7) != 0));
            for row in 0..8 {
                sink.add(SINGLES + row as usize, side, (singles & rank(row)).count_ones() as i32);
                sink.add(DOUBLES + row as usize, side, (doubles & rank(row)).count_ones() as i32);
            }
        }
    }

    fn net((): ()) -> Option<&'static [u8]> {
        shipped_net!("default.net")
    }

    #[inline]
    fn net_inputs(&self, groups: &mut InputGroups) {
        inputs::set(self, groups);
    }

    #[inline]
    fn net_bucket(&self) -> usize {
        inputs::bucket(self)
    }

    #[inline]
    fn history_index(&self, mv: Move) -> usize {
        let (from, to) = match mv.action {
            Action::Slide { from, to } | Action::Transpose { from, onto: to } => (from, to),
            Action::Remove(from) => (from, from),
        };
        usize::from(from.index()) * 64 + usize::from(to.index())
    }

    #[inline]
    fn ordering_score(&self, mv: Move) -> i32 {
        let mut ordering_score = 0;
        if mv.bears_off {
            ordering_score += 200;
        }
        if mv.crown.is_some() {
            ordering_score += 100;
        }
        if let Action::Transpose { .. } = mv.action {
            ordering_score += 30;
        }
        ordering_score
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        mv.bears_off || mv.crown.is_some()
    }
}
