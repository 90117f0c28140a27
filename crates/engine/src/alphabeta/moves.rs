//! The moves of a node: generating them, leaving out the overlooked ones, and quiescence search.

use std::cmp::Reverse;

use super::node::{PLIES, Searcher, value_of_end};
use super::order::Candidate;
use crate::{Evaluator, Knowledge};

/// The greatest first. This is compiled once for each kind of moves, whatever judges positions.
#[inline(never)]
fn sort<M>(candidates: &mut [Candidate<M>]) {
    candidates.sort_unstable_by_key(|candidate| Reverse(candidate.sort_key()));
}

/// Brings the noisy candidates to the front, sorted; returns how many they are.
#[inline(never)]
pub(super) fn bring_noisy_to_front<P: Knowledge>(
    position: &P,
    candidates: &mut [Candidate<P::Move>],
) -> usize {
    let mut noisy = 0;
    if position.has_noisy_moves() {
        for place in 0..candidates.len() {
            if position.is_noisy(candidates[place].mv) {
                candidates.swap(noisy, place);
                noisy += 1;
            }
        }
        sort(&mut candidates[..noisy]);
    }
    noisy
}

impl<P: Knowledge, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Quiescence search: follows noisy moves only, as long as they gain something.
    pub(super) fn quiesce(
        &mut self,
        position: &P,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        left: i32,
    ) -> i32 {
        let mut best = self.evaluate(position);
        if best >= beta
            || left == 0
            || !position.has_noisy_moves()
            || ply + 1 >= PLIES
            || self.stopped
        {
            return best;
        }
        alpha = alpha.max(best);
        let base = self.candidates.len();
        self.generated.clear();
        position.generate(&mut self.generated);
        for (index, &mv) in self.generated.iter().enumerate() {
            if position.is_noisy(mv) && !self.overlooks(position, mv) {
                let (rank, index) = (position.ordering_score(mv), index as u16);
                self.candidates.push(Candidate { mv, rank, index, deferred: false });
            }
        }
        let end = self.candidates.len();
        for next in base..end {
            self.bring_best_to(next, end);
            let mut child = position.clone();
            child.play_unchecked(self.candidates[next].mv);
            self.nodes += 1;
            if self.must_stop() {
                break;
            }
            let score = match value_of_end(&child, ply + 1) {
                Some(value) => -value,
                None => -self.quiesce(&child, -beta, -alpha, ply + 1, left - 1),
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if score >= beta {
                break;
            }
        }
        self.candidates.truncate(base);
        best
    }

    /// Generates the moves of a node as candidates, without the one that was searched already.
    pub(super) fn generate(
        &mut self,
        position: &P,
        ply: usize,
        previous: Option<usize>,
        without: Option<u16>,
    ) {
        self.generated.clear();
        position.generate(&mut self.generated);
        let base = self.candidates.len();
        let ranking = self.ordering.ranking(position.side_to_move(), ply, previous);
        for (index, &mv) in self.generated.iter().enumerate() {
            let index = index as u16;
            if Some(index) == without || (ply == 0 && self.excluded.contains(&mv)) {
                continue;
            }
            let rank = ranking.rank(position, mv);
            self.candidates.push(Candidate { mv, rank, index, deferred: false });
        }
        if self.oversight.overlook > 0 {
            self.overlook_some(position, base, without.is_some());
        }
    }

    /// Leaves out the moves that this level overlooks, but never all of them.
    fn overlook_some(&mut self, position: &P, base: usize, has_one: bool) {
        let mut seen = base;
        for next in base..self.candidates.len() {
            if !self.overlooks(position, self.candidates[next].mv) {
                self.candidates.swap(seen, next);
                seen += 1;
            }
        }
        if seen == base && !has_one {
            seen += 1;
        }
        self.candidates.truncate(seen);
    }

    #[inline]
    pub(super) fn overlooks(&self, position: &P, mv: P::Move) -> bool {
        self.oversight.overlooks(position, mv)
    }

    /// Sorts the candidates from one on, as far as they are wanted soon; returns up to which one they are sorted. Most
    /// nodes are cut off before all their moves are searched.
    pub(super) fn sort_some(&mut self, next: usize, end: usize) -> usize {
        // Selecting takes so much code, for each game, that the page would load noticeably more.
        const CHUNK: usize = if cfg!(target_arch = "wasm32") { usize::MAX } else { 24 };
        let waiting = &mut self.candidates[next..end];
        if waiting.len() > CHUNK {
            waiting.select_nth_unstable_by_key(CHUNK, |candidate| Reverse(candidate.sort_key()));
        }
        let sorted = waiting.len().min(CHUNK);
        sort(&mut waiting[..sorted]);
        next + sorted
    }

    pub(super) fn bring_best_to(&mut self, next: usize, end: usize) {
        let best = (next..end).max_by_key(|&place| self.candidates[place].sort_key());
        if let Some(best) = best {
            self.candidates.swap(next, best);
        }
    }
}
