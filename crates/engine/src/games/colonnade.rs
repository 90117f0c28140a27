//! Colonnade: who runs out of moves loses, so moves are everything.

use stoa_rules::colonnade::{Direction, Move, Position, Square};
use stoa_rules::{Position as _, Side};

use crate::{Knowledge, Strategy, Tally, Term};

const TEMPO: usize = 0;
const MOVES: usize = 1;
const TOPS: usize = 2;
const CHECKERS: usize = 3;
const BURIED: usize = 4;

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
            meaning: "How many moves a player has: who has none left loses.",
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

    const SLOTS: usize = 8 * 2 * 16;

    fn weights((): ()) -> &'static str {
        include_str!("colonnade.weights")
    }

    fn strategy((): ()) -> Strategy {
        Strategy::AlphaBeta
    }

    #[inline]
    fn terms(&self, tally: &mut impl Tally) {
        tally.add(TEMPO, self.side_to_move(), 1);
        for side in Side::BOTH {
            tally.add(MOVES, side, self.mobility(side) as i32);
        }
        let stacks: [_; 8] = std::array::from_fn(|index| {
            Square::new(index as u8).map_or(Default::default(), |square| self.stack(square))
        });
        for (index, stack) in stacks.into_iter().enumerate() {
            let Some(top) = stack.top() else { continue };
            let height = i32::from(stack.height());
            tally.add(TOPS, top, 1);
            tally.add(CHECKERS, top, (height + 1) / 2);
            tally.add(CHECKERS, top.other(), height / 2);
            let beside = [index.wrapping_sub(1), index + 1];
            if beside.iter().any(|&next| stacks.get(next).is_some_and(|next| next.is_empty())) {
                tally.add(BURIED, top, height / 2);
                tally.add(BURIED, top.other(), (height - 1) / 2);
            }
        }
    }

    #[inline]
    fn slot(&self, mv: Move) -> usize {
        let direction = usize::from(mv.direction == Direction::Right);
        (mv.from.index() * 2 + direction) * 16 + usize::from(mv.carried.min(15))
    }

    #[inline]
    fn promise(&self, mv: Move) -> i32 {
        // A step down to an empty square costs nothing; a merge costs a checker.
        let to = mv.from.neighbour(mv.direction);
        i32::from(to.is_some_and(|to| self.stack(to).is_empty())) * 10
    }
}
