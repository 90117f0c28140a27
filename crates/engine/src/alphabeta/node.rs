//! One thread's search of one node after the other.

use std::sync::LazyLock;
use std::sync::atomic::Ordering;

use super::order::{Candidate, Memory};
use super::{Found, MOST_DEPTH, Search, Shared, Style, Window};
use crate::level::Chance;
use crate::limits::Stop;
use crate::score::{INFINITE, PROVEN, WIN};
use crate::table::{Bound, Entry};
use crate::{Evaluator, Knowledge, Score};

/// How far loud moves are followed beyond the last turn.
const MOST_LOUD: i32 = 6;

/// Room for the deepest search and the loud moves after it.
pub(super) const PLIES: usize = (MOST_DEPTH + MOST_LOUD + 2) as usize;

/// What the evaluation may be wrong by, for each turn that is left.
const FUTILITY: i32 = 90;

/// How many nodes are searched between two looks at the clock: less than a millisecond's.
const NODES_A_LOOK: u64 = 1024;

/// By how much a late move is searched less deep, by depth and its number. Worked out once, since a
/// weak level's search is shorter than that.
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    let reduction = |depth: usize, number: usize| {
        (0.6 + (depth.max(1) as f64).ln() * (number.max(1) as f64).ln() / 2.2) as u8
    };
    std::array::from_fn(|depth| std::array::from_fn(|number| reduction(depth, number)))
});

/// One thread's search.
pub(super) struct Searcher<'a, P: Knowledge, E> {
    shared: &'a Shared<'a>,
    pub(super) evaluator: &'a E,
    pub(super) style: Style,
    pub(super) chance: Chance,
    /// Set when the main thread has finished.
    done: &'a Stop,
    pub(super) nodes: u64,
    reported: u64,
    /// At how many nodes to look at the clock again. Loud moves are counted without a look, so a
    /// certain number of nodes may never be met.
    next_look: u64,
    pub(super) stopped: bool,
    /// Whether the oracle is asked, if there is one.
    pub(super) asks: bool,
    /// Moves of the root that are not searched, because they lead other lines.
    pub(super) excluded: Vec<P::Move>,
    /// The best line of a root search that was stopped after it had found one.
    pub(super) unfinished: Option<Found<P::Move>>,
    pub(super) memory: &'a mut Memory<P>,
    /// The moves of all nodes on the way from the root, those of the deepest last.
    pub(super) candidates: Vec<Candidate<P::Move>>,
    pub(super) generated: Vec<P::Move>,
    /// The best line from each node on the way.
    lines: Vec<Vec<P::Move>>,
    reductions: &'static [[u8; 64]; 64],
}

/// The window, and where in the tree it is.
#[derive(Clone, Copy)]
struct Place {
    alpha: i32,
    beta: i32,
    depth: i32,
    ply: usize,
    /// The slot of the move that led here.
    previous: Option<usize>,
}

impl<'a, P: Knowledge, E: Evaluator<P>> Searcher<'a, P, E> {
    pub(super) fn new(
        search: &Search<'a, P, E>,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<P>,
        done: &'a Stop,
    ) -> Searcher<'a, P, E> {
        Searcher {
            shared,
            evaluator: search.evaluator,
            style: search.style,
            chance: search.chance,
            done,
            nodes: 0,
            reported: 0,
            next_look: NODES_A_LOOK,
            stopped: false,
            asks: true,
            excluded: Vec::new(),
            unfinished: None,
            memory,
            candidates: Vec::new(),
            generated: Vec::new(),
            lines: vec![Vec::new(); PLIES + 1],
            reductions: &REDUCTIONS,
        }
    }

    /// The nodes that [`Shared::nodes`] does not hold yet.
    pub(super) fn unreported(&self) -> u64 {
        self.nodes - self.reported
    }

    /// Searches the root to a depth, with a narrow window at first. Nothing if it was stopped.
    pub(super) fn aspire(
        &mut self,
        position: &P,
        depth: i32,
        expected: Option<i32>,
    ) -> Option<Found<P::Move>> {
        let mut window = Window::around(expected, depth);
        loop {
            self.lines[0].clear();
            let Window { alpha, beta, .. } = window;
            let place = Place { alpha, beta, depth, ply: 0, previous: None };
            let score = self.search(position, place);
            if self.stopped {
                return None;
            }
            if !window.widen(score) {
                let line = self.complete_line(position);
                return Some(Found { score: Score::new(score), line });
            }
        }
    }

    /// The value of a position near the root within a window. Nothing if the search was stopped.
    pub(super) fn value(&mut self, position: &P, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let place = Place { alpha, beta, depth, ply: 1, previous: None };
        let score = self.search(position, place);
        (!self.stopped).then_some(score)
    }

    /// The best line of the root. Cut-offs by the table make it short; the table often knows how
    /// it goes on, and the oracle does where it knows anything.
    fn complete_line(&self, position: &P) -> Vec<P::Move> {
        let mut line = self.lines[0].clone();
        let mut at = position.clone();
        for &mv in &line {
            at.play_unchecked(mv);
        }
        while line.len() < 24 {
            let (key, _) = self.table_key(&at, 1);
            let best = self.shared.table.get(key).and_then(|entry| entry.best);
            let known = best.and_then(|best| at.nth_move(best.into()));
            let Some(mv) = self.best_by_oracle(&at).or(known) else { break };
            line.push(mv);
            at.play_unchecked(mv);
        }
        line
    }

    /// What the oracle knows of a position.
    #[inline]
    fn exact(&self, position: &P) -> Option<i32> {
        let oracle = self.shared.oracle.filter(|_| self.asks)?;
        oracle.score(position).map(Score::raw)
    }

    /// The move that the oracle knows to be best.
    fn best_by_oracle(&self, position: &P) -> Option<P::Move> {
        self.exact(position)?;
        let value = |mv: &P::Move| {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            value_of_end(&after, 0).or_else(|| self.exact(&after)).map_or(INFINITE, |score| score)
        };
        position.legal_moves().into_iter().min_by_key(value)
    }

    /// Whether the search is to end now.
    #[inline]
    fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_look || self.nodes >= self.shared.most_nodes {
            self.look_at_the_clock();
        }
        self.stopped
    }

    fn look_at_the_clock(&mut self) {
        let before = self.shared.nodes.fetch_add(self.unreported(), Ordering::Relaxed);
        let total = before + self.unreported();
        self.reported = self.nodes;
        self.next_look = self.nodes + NODES_A_LOOK;
        self.stopped = self.stopped
            || total >= self.shared.most_nodes
            || self.shared.stop.is_stopped()
            || self.done.is_stopped()
            || self.shared.times.is_some_and(|times| self.shared.timer.elapsed() >= times.most);
    }

    /// The key under which the table knows a position, and whether it is the one without the stall
    /// count: far from the stall's end a search cannot meet it, so the count does not matter.
    #[inline]
    fn table_key(&self, position: &P, depth: i32) -> (u64, bool) {
        let far = is_far_from_stall(position, depth);
        (if far { position.board_key() } else { position.key() }, far)
    }

    /// The value of a position within a window: principal variation search.
    fn search(&mut self, position: &P, place: Place) -> i32 {
        let Place { mut alpha, mut beta, depth, ply, previous } = place;
        self.nodes += 1;
        if ply < PLIES {
            self.lines[ply].clear();
        }
        if self.must_stop() {
            return 0;
        }
        if let Some(value) = value_of_end(position, ply) {
            return value;
        }
        if ply > 0
            && let Some(score) = self.exact(position)
        {
            return from_table(score, ply);
        }
        if depth <= 0 {
            return if P::QUIESCENCE && self.style.quiescence {
                self.quiesce(position, alpha, beta, ply, MOST_LOUD)
            } else {
                self.evaluator.evaluate(position)
            };
        }
        let is_root = ply == 0;
        let is_pv = beta - alpha > 1;
        if !is_root {
            // Not even the quickest win or loss from here would change anything.
            alpha = alpha.max(ply as i32 - WIN);
            beta = beta.min(WIN - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let (key, far) = self.table_key(position, depth);
        let known = self.shared.table.get(key);
        if let Some(entry) = known
            && !is_root
            && !is_pv
            && self.can_use(&entry, position, depth, far)
        {
            let score = from_table(entry.score, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if cuts {
                return score;
            }
        }

        let judged = (self.style.futility && !is_pv && depth <= 4)
            .then(|| self.evaluator.evaluate(position));
        if let Some(judged) = judged
            && judged - FUTILITY * depth >= beta
            && beta.abs() < PROVEN
        {
            return judged;
        }

        let base = self.candidates.len();
        let first = known.and_then(|entry| entry.best).and_then(|index| {
            let mv = position.nth_move(index.into())?;
            let deferred = false;
            Some(Candidate { mv, rank: i32::MAX, index, deferred })
        });
        let first = first.filter(|first| {
            let excluded = is_root && self.excluded.contains(&first.mv);
            !excluded && !self.overlooks(position, first.mv)
        });
        // Without a move to begin with, a less deep search is the way to one.
        let depth = if first.is_none() && depth >= 5 && self.style.reductions && !is_root {
            depth - 1
        } else {
            depth
        };
        let inner = Place { depth, beta, ..place };
        let mut state = Node { best: -INFINITE, best_move: None, alpha, number: 0 };
        let mut cut = false;
        if let Some(first) = first {
            self.candidates.push(first);
            cut = self.try_move(position, first, inner, &mut state, judged);
        }
        if !cut && !self.stopped {
            self.generate(position, ply, previous, first.map(|first| first.index));
            let from = base + usize::from(first.is_some());
            cut = self.try_all(position, from, inner, &mut state, judged, key);
        }
        if self.stopped {
            self.candidates.truncate(base);
            if is_root && state.best_move.is_some() && self.excluded.is_empty() {
                self.unfinished =
                    Some(Found { score: Score::new(state.best), line: self.lines[0].clone() });
            }
            return 0;
        }
        if cut && let Some(best) = state.best_move {
            let Searcher { memory, candidates, .. } = self;
            let vain = candidates[base..].iter().take(state.number as usize).map(|tried| tried.mv);
            memory.learn(position, best.mv, vain.filter(|&mv| mv != best.mv), depth, ply, previous);
        }
        self.candidates.truncate(base);
        if !is_root || self.excluded.is_empty() {
            let bound = if state.best >= beta {
                Bound::Lower
            } else if state.alpha > alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let score = to_table(state.best, ply);
            let best = state.best_move.map(|best| best.index);
            self.shared.table.put(key, Entry { best, score, depth: place.depth, bound });
        }
        state.best
    }

    /// Searches the candidates from some place on; those that other threads are at come last.
    fn try_all(
        &mut self,
        position: &P,
        from: usize,
        place: Place,
        state: &mut Node<P::Move>,
        judged: Option<i32>,
        key: u64,
    ) -> bool {
        const SORTED_ONE_BY_ONE: usize = 3;
        let end = self.candidates.len();
        let shared = self.shared;
        let busy = shared.busy.as_ref().filter(|_| place.depth >= 3);
        let mut any_deferred = false;
        for next in from..end {
            match next - from {
                ..SORTED_ONE_BY_ONE => self.bring_best_to(next, end),
                SORTED_ONE_BY_ONE => {
                    self.candidates[next..end].sort_unstable_by_key(|c| (-c.rank, c.index));
                }
                _ => {}
            }
            let candidate = self.candidates[next];
            let fingerprint = fingerprint(key, candidate.index);
            if let Some(busy) = busy
                && state.number > 0
            {
                if busy.contains(fingerprint) {
                    self.candidates[next].deferred = true;
                    any_deferred = true;
                    continue;
                }
                busy.enter(fingerprint);
            }
            let cut = self.try_move(position, candidate, place, state, judged);
            if let Some(busy) = busy {
                busy.leave(fingerprint);
            }
            if cut || self.stopped {
                return cut;
            }
        }
        if any_deferred {
            for next in from..end {
                let candidate = self.candidates[next];
                if candidate.deferred {
                    let cut = self.try_move(position, candidate, place, state, judged);
                    if cut || self.stopped {
                        return cut;
                    }
                }
            }
        }
        false
    }

    /// Searches one move. Returns whether it makes the others superfluous.
    fn try_move(
        &mut self,
        position: &P,
        candidate: Candidate<P::Move>,
        place: Place,
        state: &mut Node<P::Move>,
        judged: Option<i32>,
    ) -> bool {
        let Place { beta, depth, ply, .. } = place;
        let mv = candidate.mv;
        let is_pv = place.beta - place.alpha > 1;
        let slot = position.slot(mv);
        let loud = position.is_loud(mv);
        let number = state.number;
        state.number += 1;

        if let Some(judged) = judged
            && number > 0
            && !loud
            && depth <= 2
            && state.alpha.abs() < PROVEN
            && judged + FUTILITY * (depth + 1) <= state.alpha
        {
            // Not searched, so not proven lost either.
            state.best = state.best.max(judged + FUTILITY * (depth + 1));
            return false;
        }

        let mut child = position.clone();
        child.play_unchecked(mv);
        let next =
            Place { alpha: 0, beta: 0, depth: depth - 1, ply: ply + 1, previous: Some(slot) };
        let full = Place { alpha: -beta, beta: -state.alpha, ..next };
        let score = if number == 0 {
            -self.search(&child, full)
        } else {
            let reduction = if self.style.reductions && depth >= 3 && number >= 2 && !loud {
                let by_table =
                    i32::from(self.reductions[depth.min(63) as usize][number.min(63) as usize]);
                let history = self.memory.history(position.side_to_move(), slot);
                (by_table - history / 6_000 - i32::from(is_pv)).clamp(0, depth - 2)
            } else {
                0
            };
            let null = Place { alpha: -state.alpha - 1, beta: -state.alpha, ..next };
            let mut score = -self.search(&child, Place { depth: next.depth - reduction, ..null });
            if reduction > 0 && score > state.alpha && !self.stopped {
                score = -self.search(&child, null);
            }
            if is_pv && score > state.alpha && score < beta && !self.stopped {
                score = -self.search(&child, full);
            }
            score
        };
        if self.stopped {
            return false;
        }
        if score > state.best {
            state.best = score;
            if score > state.alpha {
                state.alpha = score;
                state.best_move = Some(candidate);
                if is_pv {
                    let (upper, lower) = self.lines.split_at_mut(ply + 1);
                    upper[ply].clear();
                    upper[ply].push(mv);
                    upper[ply].extend_from_slice(&lower[0]);
                }
            }
        }
        score >= beta
    }

    /// Whether an entry of the table may stand for a search of this depth.
    #[inline]
    fn can_use(&self, entry: &Entry, position: &P, depth: i32, far: bool) -> bool {
        let deep_enough = if self.style.deeper {
            entry.depth >= depth || entry.is_proof()
        } else {
            entry.depth == depth
        };
        // What was found without regard to the stall count holds only where it could not matter.
        deep_enough && (!far || is_far_from_stall(position, entry.reach()))
    }
}

/// What is known of a node while its moves are searched.
struct Node<M> {
    best: i32,
    best_move: Option<Candidate<M>>,
    alpha: i32,
    /// How many moves have been searched.
    number: u32,
}

/// Whether a search of some depth ends before the stall rule could end the game.
#[inline]
fn is_far_from_stall<P: Knowledge>(position: &P, depth: i32) -> bool {
    position.stall_left() > (depth.max(0) + MOST_LOUD) as u32
}

/// The value of a finished game at some distance from the root.
#[inline]
pub(super) fn value_of_end<P: Knowledge>(position: &P, ply: usize) -> Option<i32> {
    position.outcome().map(|outcome| match outcome.winner {
        None => 0,
        Some(winner) if winner == position.side_to_move() => WIN - ply as i32,
        Some(_) => ply as i32 - WIN,
    })
}

/// Proven scores count turns from the root; in the table they count from the position itself.
#[inline]
fn to_table(score: i32, ply: usize) -> i32 {
    shifted(score, ply as i32)
}

#[inline]
fn from_table(score: i32, ply: usize) -> i32 {
    shifted(score, -(ply as i32))
}

/// A proven score that is so many turns nearer.
#[inline]
fn shifted(score: i32, turns: i32) -> i32 {
    if score >= PROVEN {
        score + turns
    } else if score <= -PROVEN {
        score - turns
    } else {
        score
    }
}

#[inline]
fn fingerprint(key: u64, index: u16) -> u64 {
    (key ^ u64::from(index).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
}
