//! Move ordering: good moves are searched first, so that they cut off the rest.

use stoa_rules::Side;

use super::node::PLIES;
use crate::Knowledge;

/// A move of a node that waits to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// The higher, the sooner.
    pub(super) rank: i32,
    /// Its index in the list of legal moves, by which the transposition table knows it.
    pub(super) index: u16,
    /// Deferred because another thread is searching it.
    pub(super) deferred: bool,
}

impl<M> Candidate<M> {
    /// What candidates are sorted by, the greatest first: the rank, then the order of the legal moves.
    #[inline]
    pub(super) fn sort_key(&self) -> i64 {
        i64::from(self.rank) << 16 | i64::from(u16::MAX - self.index)
    }
}

const KILLER: i32 = 60_000;
const COUNTER_MOVE: i32 = 50_000;
/// History scores stay within this.
const MAX_HISTORY: i32 = 16_384;
/// What one point of [`Knowledge::ordering_score`] weighs against history.
const ORDERING_SCORE_WEIGHT: i32 = 100;

/// What one thread has learnt about moves: killers, history and counter-moves.
pub(super) struct MoveOrdering<P: Knowledge> {
    /// Killers: moves that caused a cutoff at the same ply.
    killers: Vec<[Option<P::Move>; 2]>,
    /// History: how often moves of an index caused a cutoff, for each player.
    history: [Vec<i32>; 2],
    /// Counter-moves: the move that last refuted a move of an index, for each player.
    counter_moves: [Vec<Option<P::Move>>; 2],
}

/// The move ordering of all threads, allocated once: a weak level's search is shorter than that takes.
pub(crate) struct MoveOrderings<P: Knowledge> {
    main: MoveOrdering<P>,
    helpers: Vec<MoveOrdering<P>>,
}

impl<P: Knowledge> Default for MoveOrderings<P> {
    fn default() -> MoveOrderings<P> {
        MoveOrderings { main: MoveOrdering::new(), helpers: Vec::new() }
    }
}

impl<P: Knowledge> MoveOrderings<P> {
    /// Empty orderings for the main thread and for each of the others.
    pub(super) fn prepared(
        &mut self,
        threads: usize,
    ) -> (&mut MoveOrdering<P>, &mut [MoveOrdering<P>]) {
        self.helpers.resize_with(threads.saturating_sub(1), MoveOrdering::new);
        self.main.clear();
        self.helpers.iter_mut().for_each(MoveOrdering::clear);
        (&mut self.main, &mut self.helpers)
    }
}

/// What ranks the moves of a node: the history of the player to move, and the moves that are known to be good.
pub(super) struct Ranking<'a, P: Knowledge> {
    history: &'a [i32],
    known: [(Option<P::Move>, i32); 3],
}

impl<P: Knowledge> Ranking<'_, P> {
    /// The rank of a move: the higher, the sooner it is searched.
    #[inline]
    pub(super) fn rank(&self, position: &P, mv: P::Move) -> i32 {
        let rank = position.ordering_score(mv) * ORDERING_SCORE_WEIGHT
            + self.history[position.history_index(mv)];
        let known = self.known.iter().find(|(known, _)| *known == Some(mv));
        rank + known.map_or(0, |(_, more)| *more)
    }
}

impl<P: Knowledge> MoveOrdering<P> {
    pub(super) fn new() -> MoveOrdering<P> {
        MoveOrdering {
            killers: vec![[None; 2]; PLIES],
            history: [vec![0; P::HISTORY_SIZE], vec![0; P::HISTORY_SIZE]],
            counter_moves: [vec![None; P::HISTORY_SIZE], vec![None; P::HISTORY_SIZE]],
        }
    }

    fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|history| history.fill(0));
        self.counter_moves.iter_mut().for_each(|moves| moves.fill(None));
    }

    /// What ranks the moves of a node.
    #[inline]
    pub(super) fn ranking(
        &self,
        side: Side,
        ply: usize,
        previous: Option<usize>,
    ) -> Ranking<'_, P> {
        let [first, second] = self.killers[ply];
        let counter = previous.and_then(|index| self.counter_moves[side.index()][index]);
        Ranking {
            history: &self.history[side.index()],
            known: [(first, KILLER), (second, KILLER - 5_000), (counter, COUNTER_MOVE)],
        }
    }

    /// The history score of an index.
    #[inline]
    pub(super) fn history(&self, side: Side, index: usize) -> i32 {
        self.history[side.index()][index]
    }

    /// Learns from a move that caused a cutoff, and from those that were searched before it in vain.
    pub(super) fn learn(
        &mut self,
        position: &P,
        best: P::Move,
        vain: impl Iterator<Item = P::Move>,
        depth: i32,
        ply: usize,
        previous: Option<usize>,
    ) {
        let side = position.side_to_move().index();
        let bonus = (depth * depth * 8).min(1_600);
        let best_index = position.history_index(best);
        self.change(side, best_index, bonus);
        for mv in vain {
            let index = position.history_index(mv);
            if index != best_index {
                self.change(side, index, -bonus);
            }
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            killers[1] = killers[0];
            killers[0] = Some(best);
        }
        if let Some(index) = previous {
            self.counter_moves[side][index] = Some(best);
        }
    }

    /// Changes a history score: the nearer it is to its bounds, the less (history gravity).
    #[inline]
    fn change(&mut self, side: usize, index: usize, by: i32) {
        let entry = &mut self.history[side][index];
        *entry += by - *entry * by.abs() / MAX_HISTORY;
    }
}
