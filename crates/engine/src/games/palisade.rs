//! Palisade: loops close off points for good.

use stoa_rules::palisade::{MAX_SIZE, Move, Position, Size};
use stoa_rules::{Position as _, Side};

use crate::{Knowledge, Strategy, Tally, Term};

const TEMPO: usize = 0;
const OWNED: usize = 1;

impl Knowledge for Position {
    const TERMS: &'static [Term] = &[
        Term { name: "tempo", words: "the move", meaning: "Whose turn it is." },
        Term {
            name: "owned",
            words: "owned points",
            meaning: "Points on and within a player's loops: they are what is counted at the end.",
        },
    ];

    const SLOTS: usize = (MAX_SIZE as usize) * (MAX_SIZE as usize);

    fn weights(_: Size) -> &'static str {
        include_str!("palisade.weights")
    }

    fn strategy(_: Size) -> Strategy {
        Strategy::Mcts
    }

    fn terms(&self, tally: &mut impl Tally) {
        tally.add(TEMPO, self.side_to_move(), 1);
        let [first, second] = self.score();
        tally.add(OWNED, Side::First, first as i32);
        tally.add(OWNED, Side::Second, second as i32);
    }

    #[inline]
    fn slot(&self, Move(point): Move) -> usize {
        usize::from(point.rank()) * usize::from(MAX_SIZE) + usize::from(point.file())
    }

    #[inline]
    fn promise(&self, _: Move) -> i32 {
        0
    }
}
