//! In which order moves are searched: what looks good first, so that the rest can be cut off.

use stoa_rules::Side;

use super::node::PLIES;
use crate::Knowledge;

/// A move of a node that waits to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// The higher, the sooner.
    pub(super) rank: i32,
    /// Its place in the list of legal moves, by which the table knows it.
    pub(super) index: u16,
    /// Put off because another thread searches it.
    pub(super) deferred: bool,
}

const KILLER: i32 = 60_000;
const REPLY: i32 = 50_000;
/// History stays within this.
const MOST_HISTORY: i32 = 16_384;
/// What one point of promise weighs against history.
const PROMISE: i32 = 100;

/// What a search has learnt about moves.
pub(super) struct Memory<P: Knowledge> {
    /// Quiet moves that refuted something at the same distance from the root.
    killers: Vec<[Option<P::Move>; 2]>,
    /// How often moves of a slot were best, for each player.
    history: [Vec<i32>; 2],
    /// The move that refuted the last one of a slot, for each player.
    replies: [Vec<Option<P::Move>>; 2],
}

/// The memories of all threads. They are made once, since a weak level's search is shorter than that.
pub(crate) struct Memories<P: Knowledge> {
    main: Memory<P>,
    helpers: Vec<Memory<P>>,
}

impl<P: Knowledge> Default for Memories<P> {
    fn default() -> Memories<P> {
        Memories { main: Memory::new(), helpers: Vec::new() }
    }
}

impl<P: Knowledge> Memories<P> {
    /// An empty memory for the main thread, and for each of the others.
    pub(super) fn prepared(&mut self, threads: usize) -> (&mut Memory<P>, &mut [Memory<P>]) {
        self.helpers.resize_with(threads.saturating_sub(1), Memory::new);
        self.main.clear();
        self.helpers.iter_mut().for_each(Memory::clear);
        (&mut self.main, &mut self.helpers)
    }
}

impl<P: Knowledge> Memory<P> {
    pub(super) fn new() -> Memory<P> {
        Memory {
            killers: vec![[None; 2]; PLIES],
            history: [vec![0; P::SLOTS], vec![0; P::SLOTS]],
            replies: [vec![None; P::SLOTS], vec![None; P::SLOTS]],
        }
    }

    fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|history| history.fill(0));
        self.replies.iter_mut().for_each(|replies| replies.fill(None));
    }

    /// How soon a move is to be searched.
    #[inline]
    pub(super) fn rank(
        &self,
        position: &P,
        mv: P::Move,
        ply: usize,
        previous: Option<usize>,
    ) -> i32 {
        let side = position.side_to_move();
        let mut rank =
            position.promise(mv) * PROMISE + self.history[side.index()][position.slot(mv)];
        let killers = &self.killers[ply];
        if killers[0] == Some(mv) {
            rank += KILLER;
        } else if killers[1] == Some(mv) {
            rank += KILLER - 5_000;
        } else if previous.is_some_and(|slot| self.replies[side.index()][slot] == Some(mv)) {
            rank += REPLY;
        }
        rank
    }

    /// How good moves of a slot have been.
    #[inline]
    pub(super) fn history(&self, side: Side, slot: usize) -> i32 {
        self.history[side.index()][slot]
    }

    /// Learns from a move that was good enough to cut off the rest, and from those that were
    /// searched before it in vain.
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
        let best_slot = position.slot(best);
        self.change(side, best_slot, bonus);
        for mv in vain {
            let slot = position.slot(mv);
            if slot != best_slot {
                self.change(side, slot, -bonus);
            }
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            killers[1] = killers[0];
            killers[0] = Some(best);
        }
        if let Some(slot) = previous {
            self.replies[side][slot] = Some(best);
        }
    }

    /// The nearer to its bounds, the less an entry changes.
    #[inline]
    fn change(&mut self, side: usize, slot: usize, by: i32) {
        let entry = &mut self.history[side][slot];
        *entry += by - *entry * by.abs() / MOST_HISTORY;
    }
}
