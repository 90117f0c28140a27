//! The line of a proven position: how the game goes on to its end.

use stoa_engine::{Knowledge, Stop, Timer};

use super::Prover;
use super::game::{GameSpace, Need};
use super::search::{Child, Ends, Search};
use crate::Verdict;

impl<P: Knowledge> Prover<'_, P> {
    /// A line to the end of the game, and whether it gets there.
    ///
    /// A player who can keep the value does so by the proof's quickest way. One who cannot change
    /// it for the better delays the end as long as the proof tells. Where the table has forgotten
    /// a part of the proof it is made anew.
    pub(super) fn line(&mut self, stop: &Stop) -> (Vec<P::Move>, bool) {
        let mut line = Vec::new();
        if self.least != self.most {
            return (line, false);
        }
        // What each player asks for. A player who has lost asks for a draw and does not get it.
        let own = if self.least == Verdict::Win { Need::Win } else { Need::Draw };
        let other = if self.least == Verdict::Loss { Need::Win } else { Need::Draw };
        let most = self.nodes + self.nodes / 4 + 10_000;
        let ends = Ends { nodes: most, time: None, timer: Timer::start(), stop };
        let mut position = self.position.clone();
        while position.outcome().is_none() {
            let is_own = position.side_to_move() == self.position.side_to_move();
            let need = if is_own { own } else { other };
            let Some(mv) = self.next(&position, need, &ends) else { return (line, false) };
            line.push(mv);
            position.play_unchecked(mv);
        }
        (line, true)
    }

    /// The move of a player who asks for something, whether or not they get it.
    fn next(&mut self, position: &P, need: Need, ends: &Ends<'_>) -> Option<P::Move> {
        let mut children = self.children(position, need, ends)?;
        let turns = |child: &Child<P::Move>| child.numbers.turns().unwrap_or(0);
        if children.iter().any(|child| child.numbers.is_disproven()) {
            children.retain(|child| child.numbers.is_disproven());
            children.iter().min_by_key(|child| turns(child)).map(|child| child.mv)
        } else {
            // The first of those that take longest.
            children.iter().rev().max_by_key(|child| turns(child)).map(|child| child.mv)
        }
    }

    /// What is proven of the moves of a position, if it is known whether it gives what is needed.
    fn children(
        &mut self,
        position: &P,
        need: Need,
        ends: &Ends<'_>,
    ) -> Option<Vec<Child<P::Move>>> {
        // The same symmetries as in the proof, and so the same keys.
        let root_mover = self.position.side_to_move() == position.side_to_move();
        let root_need = match (root_mover, need) {
            (true, need) => need,
            (false, Need::Win) => Need::Draw,
            (false, Need::Draw) => Need::Win,
        };
        let space = GameSpace::new(self.position, root_need);
        let mut search = Search::new(&space, &mut self.table);
        search.nodes = self.nodes;
        let (found, children) = search.run(position, ends);
        self.nodes = search.nodes;
        found.is_settled().then_some(children)
    }
}
