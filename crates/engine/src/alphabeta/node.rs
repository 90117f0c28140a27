//! One thread's search, node by node.

use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::moves::bring_noisy_to_front;
use super::order::{Candidate, MoveOrdering};
use super::team::Team;
use super::{MAX_DEPTH, ScoredLine, Search, SearchOptions, Shared, Window};
use crate::crew::RootSearch;
use crate::level::Oversight;
use crate::limits::Stop;
use crate::score::{INFINITE, PROVEN, WIN};
use crate::transposition::{Bound, Entry};
use crate::{Evaluator, Knowledge, Score};

/// How far quiescence search follows noisy moves beyond the last ply.
const MAX_QUIESCENCE_PLIES: i32 = 6;

/// Room for the deepest search and the quiescence search after it.
pub(super) const PLIES: usize = (MAX_DEPTH + MAX_QUIESCENCE_PLIES + 2) as usize;

/// The futility margin per ply of depth: by how much the static evaluation may be wrong.
const FUTILITY_MARGIN: i32 = 90;

/// How long a helper that has nothing to do waits before it looks again.
const HELPER_NAP: Duration = Duration::from_micros(50);

/// The time between two checks of the limits, about. A search ends at most this late, plus the time of
/// a node.
const CHECK_INTERVAL: Duration = Duration::from_micros(250);

/// The number of nodes between two checks, at the start of a search and at most. In between it follows
/// from [`CHECK_INTERVAL`] and how long the last nodes took.
const FIRST_CHECK: u64 = 16;
const MAX_NODES_PER_CHECK: u64 = 1024;

/// Late move reductions by depth and move number. Computed once: a weak level's search is shorter than
/// that takes.
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    let reduction = |depth: usize, number: usize| {
        (0.6 + (depth.max(1) as f64).ln() * (number.max(1) as f64).ln() / 2.2) as u8
    };
    std::array::from_fn(|depth| std::array::from_fn(|number| reduction(depth, number)))
});

/// One thread's search.
pub(super) struct Searcher<'a, P: Knowledge, E: Evaluator<P>> {
    shared: &'a Shared<'a>,
    evaluator: &'a E,
    evaluator_state: E::State,
    pub(super) options: SearchOptions,
    pub(super) oversight: Oversight,
    /// What the main thread is searching, and the number of that search if this is a helper.
    team: &'a Team<'a>,
    joined: Option<u32>,
    /// Set when the main thread is done.
    done: &'a Stop,
    pub(super) nodes: u64,
    reported: u64,
    /// At how many nodes to check the limits again.
    next_check: u64,
    /// When they were last checked, and after how many nodes.
    last_check: (Duration, u64),
    pub(super) stopped: bool,
    /// Whether to ask the oracle, if there is one.
    pub(super) ask_oracle: bool,
    /// Moves of the root that are not searched, because other lines begin with them.
    pub(super) excluded: Vec<P::Move>,
    /// The best line of a root search that was stopped after it had found one.
    pub(super) unfinished: Option<ScoredLine<P::Move>>,
    pub(super) ordering: &'a mut MoveOrdering<P>,
    /// The moves of all nodes on the path from the root, those of the deepest last.
    pub(super) candidates: Vec<Candidate<P::Move>>,
    pub(super) generated: Vec<P::Move>,
    /// The principal variation from each node on the path.
    lines: Vec<Vec<P::Move>>,
    reductions: &'static [[u8; 64]; 64],
}

/// The window, depth and ply of a node.
#[derive(Clone, Copy)]
struct NodeParams {
    alpha: i32,
    beta: i32,
    depth: i32,
    ply: usize,
    /// The history index of the move that led here.
    previous: Option<usize>,
}

impl<'a, P: Knowledge, E: Evaluator<P>> Searcher<'a, P, E> {
    pub(super) fn new(
        search: &Search<'a, P, E>,
        shared: &'a Shared<'a>,
        ordering: &'a mut MoveOrdering<P>,
        team: &'a Team<'a>,
        done: &'a Stop,
    ) -> Searcher<'a, P, E> {
        Searcher {
            shared,
            evaluator: search.evaluator,
            evaluator_state: search.evaluator.state(),
            options: search.options,
            oversight: search.oversight,
            team,
            joined: None,
            done,
            nodes: 0,
            reported: 0,
            next_check: FIRST_CHECK,
            last_check: (shared.timer.elapsed(), 0),
            stopped: false,
            ask_oracle: true,
            excluded: Vec::new(),
            unfinished: None,
            ordering,
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

    /// The value of a position by the evaluation alone.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &P) -> i32 {
        self.evaluator.evaluate(position, &mut self.evaluator_state)
    }

    /// Helps the main thread with a search of the root until it goes on to another. Whoever is done sooner goes
    /// deeper meanwhile.
    pub(super) fn join(&mut self, position: &P, search: RootSearch, deepest: i32) {
        let RootSearch { number, depth, alpha, beta, excluded } = search;
        self.joined = Some(number);
        let excluded = excluded.iter().filter_map(|&index| position.nth_move(index.into()));
        self.excluded = excluded.collect();
        self.candidates.clear();
        self.stopped = false;
        let params = NodeParams { alpha, beta, depth, ply: 0, previous: None };
        let mut score = self.search(position, params);
        for deeper in depth + 1..=deepest {
            if self.stopped {
                return;
            }
            match self.search_root(position, deeper, Some(score)) {
                Some(found) => score = found.score.raw(),
                None => return,
            }
        }
    }

    /// Searches the root to a depth with an aspiration window. `None` if it was stopped.
    pub(super) fn search_root(
        &mut self,
        position: &P,
        depth: i32,
        expected: Option<i32>,
    ) -> Option<ScoredLine<P::Move>> {
        let mut window = Window::around(expected, depth);
        loop {
            self.lines[0].clear();
            let Window { alpha, beta, .. } = window;
            if self.joined.is_none() {
                self.team.begin(depth, alpha, beta, self.excluded_places(position));
            }
            let params = NodeParams { alpha, beta, depth, ply: 0, previous: None };
            let score = self.search(position, params);
            if self.stopped {
                return None;
            }
            if !window.widen(score) {
                let line = self.complete_line(position);
                return Some(ScoredLine { score: Score::new(score), line });
            }
        }
    }

    /// What to answer if the search was stopped before it had searched a move: the move that comes
    /// first in the move ordering, and the static evaluation.
    pub(super) fn unsearched(&mut self, position: &P) -> ScoredLine<P::Move> {
        self.candidates.clear();
        self.generate(position, 0, None, None);
        let first = self.candidates.iter().max_by_key(|c| c.sort_key());
        let line = first.map(|first| first.mv).into_iter().collect();
        ScoredLine { score: Score::points(self.evaluate(position)), line }
    }

    /// The value of a position near the root within a window. `None` if the search was stopped.
    pub(super) fn value(&mut self, position: &P, depth: i32, alpha: i32, beta: i32) -> Option<i32> {
        let params = NodeParams { alpha, beta, depth, ply: 1, previous: None };
        let score = self.search(position, params);
        (!self.stopped).then_some(score)
    }

    /// The principal variation. Cutoffs by the transposition table make it short; the table often
    /// knows how it continues, and so does the oracle.
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

    /// The exact value of a position, if the oracle knows it.
    #[inline]
    fn exact(&self, position: &P) -> Option<i32> {
        let oracle = self.shared.oracle.filter(|_| self.ask_oracle)?;
        oracle.score(position).map(Score::raw)
    }

    /// The best move by the oracle, if it knows the position.
    fn best_by_oracle(&self, position: &P) -> Option<P::Move> {
        self.exact(position)?;
        let value = |mv: &P::Move| {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            value_of_end(&after, 0).or_else(|| self.exact(&after)).map_or(INFINITE, |score| score)
        };
        position.legal_moves().into_iter().min_by_key(value)
    }

    /// Whether the search must end now.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_check || self.nodes >= self.shared.max_nodes {
            self.check_limits();
        }
        self.stopped
    }

    fn check_limits(&mut self) {
        let before = self.shared.nodes.fetch_add(self.unreported(), Ordering::Relaxed);
        let total = before + self.unreported();
        self.reported = self.nodes;
        let now = self.shared.timer.elapsed();
        self.next_check = self.nodes + self.nodes_until_check(now);
        self.last_check = (now, self.nodes);
        self.stopped = self.stopped
            || total >= self.shared.max_nodes
            || self.shared.stop.is_stopped()
            || self.done.is_stopped()
            || self.joined.is_some_and(|number| self.team.is_past(number))
            || self.shared.time_budget.is_some_and(|budget| now >= budget.hard);
    }

    /// Whether the whole search is over. A helper may be stopped only because the main thread has gone on.
    pub(super) fn is_over(&self) -> bool {
        self.shared.stop.is_stopped()
            || self.done.is_stopped()
            || self.shared.nodes.load(Ordering::Relaxed) >= self.shared.max_nodes
    }

    /// Waits a moment for something to do.
    pub(super) fn wait(&self) {
        // A worker of a browser cannot sleep, and learns from its clock that it should stop.
        self.shared.timer.elapsed();
        if cfg!(not(target_arch = "wasm32")) {
            std::thread::sleep(HELPER_NAP);
        }
    }

    /// The excluded moves, by their place in the list of legal moves.
    fn excluded_places(&self, position: &P) -> Vec<u16> {
        if self.excluded.is_empty() {
            return Vec::new();
        }
        let moves = position.legal_moves();
        let place = |mv| moves.iter().position(|other| other == mv);
        self.excluded.iter().filter_map(place).map(|place| place as u16).collect()
    }

    /// How many nodes take about as long as [`CHECK_INTERVAL`], going by those since the last check. The
    /// number at most doubles, since the next nodes may be slower.
    fn nodes_until_check(&self, now: Duration) -> u64 {
        let (last_time, last_nodes) = self.last_check;
        let nodes = (self.nodes - last_nodes).max(1);
        let micros = now.saturating_sub(last_time).as_micros().max(1) as u64;
        let wanted = nodes.saturating_mul(CHECK_INTERVAL.as_micros() as u64) / micros;
        wanted.min(2 * nodes).clamp(1, MAX_NODES_PER_CHECK)
    }

    /// The key of a position in the transposition table, and whether it leaves out the stall count: a
    /// search that cannot reach the end by stall need not distinguish counts.
    #[inline]
    fn table_key(&self, position: &P, depth: i32) -> (u64, bool) {
        let far = is_far_from_stall(position, depth);
        (if far { position.board_key() } else { position.key() }, far)
    }

    /// The value of a position within a window: principal variation search.
    fn search(&mut self, position: &P, params: NodeParams) -> i32 {
        let NodeParams { mut alpha, mut beta, depth, ply, previous } = params;
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
            return if P::QUIESCENCE && self.options.quiescence {
                self.quiesce(position, alpha, beta, ply, MAX_QUIESCENCE_PLIES)
            } else {
                self.evaluate(position)
            };
        }
        let is_root = ply == 0;
        let is_pv = beta - alpha > 1;
        if !is_root {
            // Mate distance pruning: not even the quickest win or loss from here would matter.
            alpha = alpha.max(ply as i32 - WIN);
            beta = beta.min(WIN - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        let (key, far) = self.table_key(position, depth);
        let known = self.shared.known(key, depth);
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

        let static_eval =
            (self.options.futility && !is_pv && depth <= 4).then(|| self.evaluate(position));
        if let Some(static_eval) = static_eval
            && static_eval - FUTILITY_MARGIN * depth >= beta
            && beta.abs() < PROVEN
        {
            return static_eval;
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
        // Internal iterative reduction: without a table move, a shallower search comes first.
        let depth = if first.is_none() && depth >= 5 && self.options.reductions && !is_root {
            depth - 1
        } else {
            depth
        };
        let inner = NodeParams { depth, beta, ..params };
        let mut state = Node { best: -INFINITE, best_move: None, alpha, number: 0 };
        let mut cut = false;
        if let Some(first) = first {
            self.candidates.push(first);
            cut = self.try_move(position, first, 0, inner, &mut state);
        }
        if !cut && !self.stopped {
            self.generate(position, ply, previous, first.map(|first| first.index));
            let from = base + usize::from(first.is_some());
            cut = self.try_all(position, from, inner, &mut state, static_eval, key);
        }
        if self.stopped {
            self.candidates.truncate(base);
            if is_root && state.best_move.is_some() && self.excluded.is_empty() {
                self.unfinished =
                    Some(ScoredLine { score: Score::new(state.best), line: self.lines[0].clone() });
            }
            return 0;
        }
        if cut && let Some(best) = state.best_move {
            let Searcher { ordering, candidates, .. } = self;
            let tried = candidates[base..].iter().take(state.number as usize);
            let vain = tried.filter(|other| !other.deferred && other.index != best.index);
            ordering.learn(position, best.mv, vain.map(|other| other.mv), depth, ply, previous);
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
            // The nominal depth, also after an internal iterative reduction: as with late moves, a search
            // of a depth includes its reductions. To store the reduced depth was no better in matches,
            // and costs Colonnade 16 % more nodes for the same depth (docs/strength.md).
            self.shared.keep(key, Entry { best, score, depth: params.depth, bound });
        }
        state.best
    }

    /// Searches the candidates from an index on; those that other threads are searching come last.
    fn try_all(
        &mut self,
        position: &P,
        from: usize,
        params: NodeParams,
        state: &mut Node<P::Move>,
        static_eval: Option<i32>,
        key: u64,
    ) -> bool {
        const SORTED_ONE_BY_ONE: usize = 3;
        let mut end = self.candidates.len();
        let mut sorted = from;
        let mut only_noisy = false;
        let shared = self.shared;
        let has_company = shared.has_company(params.depth);
        // A move is reduced and pruned by its number in the order, whether or not those before it are deferred:
        // otherwise each thread would search as many moves as one alone, and other ones.
        let first_number = state.number;
        let number_of = |next: usize| first_number + (next - from) as u32;
        let mut any_deferred = false;
        let mut next = from;
        while next < end {
            let number = number_of(next);
            if !only_noisy && self.skips_quiet(number, params, state, static_eval) {
                only_noisy = true;
                end = next + bring_noisy_to_front(position, &mut self.candidates[next..end]);
                continue;
            }
            if !only_noisy && next >= sorted {
                if next - from < SORTED_ONE_BY_ONE {
                    self.bring_best_to(next, end);
                } else {
                    sorted = self.sort_some(next, end);
                }
            }
            let candidate = self.candidates[next];
            next += 1;
            let fingerprint = fingerprint(key, candidate.index);
            if has_company && number > 0 {
                if shared.is_searched(fingerprint) {
                    self.candidates[next - 1].deferred = true;
                    any_deferred = true;
                    continue;
                }
                shared.enter(fingerprint);
            }
            let cut = self.try_move(position, candidate, number, params, state);
            if has_company {
                shared.leave(fingerprint);
            }
            if cut || self.stopped {
                return cut;
            }
        }
        if any_deferred {
            for next in from..end {
                let candidate = self.candidates[next];
                if candidate.deferred {
                    self.candidates[next].deferred = false;
                    let number = number_of(next);
                    if !position.is_noisy(candidate.mv)
                        && self.skips_quiet(number, params, state, static_eval)
                    {
                        continue;
                    }
                    let cut = self.try_move(position, candidate, number, params, state);
                    if cut || self.stopped {
                        return cut;
                    }
                }
            }
        }
        false
    }

    /// Whether quiet moves from this number on are not searched.
    #[inline(never)]
    fn skips_quiet(
        &self,
        number: u32,
        params: NodeParams,
        state: &mut Node<P::Move>,
        static_eval: Option<i32>,
    ) -> bool {
        let NodeParams { alpha, beta, depth, .. } = params;
        if let Some(static_eval) = static_eval
            && number > 0
            && depth <= 2
            && state.alpha.abs() < PROVEN
            && static_eval + FUTILITY_MARGIN * (depth + 1) <= state.alpha
        {
            // Not searched, so not proven lost either: fail soft with the most it could have been.
            state.best = state.best.max(static_eval + FUTILITY_MARGIN * (depth + 1));
            return true;
        }
        // Where every move so far loses, a skipped one might not: the loss would be no proof.
        self.options.pruning
            && beta - alpha == 1
            && state.best > -PROVEN
            && P::MAX_MOVES_BY_DEPTH.get(depth as usize - 1).is_some_and(|&most| number >= most)
    }

    /// Searches one move, by its number in the order. Returns whether it causes a cutoff.
    fn try_move(
        &mut self,
        position: &P,
        candidate: Candidate<P::Move>,
        number: u32,
        params: NodeParams,
        state: &mut Node<P::Move>,
    ) -> bool {
        let NodeParams { beta, depth, ply, .. } = params;
        let mv = candidate.mv;
        let is_pv = params.beta - params.alpha > 1;
        let history_index = position.history_index(mv);
        let noisy = position.is_noisy(mv);
        state.number = state.number.max(number + 1);

        let mut child = position.clone();
        child.play_unchecked(mv);
        let next = NodeParams {
            alpha: 0,
            beta: 0,
            depth: depth - 1,
            ply: ply + 1,
            previous: Some(history_index),
        };
        let full = NodeParams { alpha: -beta, beta: -state.alpha, ..next };
        let score = if number == 0 {
            -self.search(&child, full)
        } else {
            let reduction = if self.options.reductions && depth >= 3 && number >= 2 && !noisy {
                let by_table =
                    i32::from(self.reductions[depth.min(63) as usize][number.min(63) as usize]);
                let history = self.ordering.history(position.side_to_move(), history_index);
                (by_table - history / 6_000 - i32::from(is_pv)).clamp(0, depth - 2)
            } else {
                0
            };
            let null = NodeParams { alpha: -state.alpha - 1, beta: -state.alpha, ..next };
            let mut score =
                -self.search(&child, NodeParams { depth: next.depth - reduction, ..null });
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

    /// Whether an entry of the transposition table can replace a search of this depth.
    #[inline]
    fn can_use(&self, entry: &Entry, position: &P, depth: i32, far: bool) -> bool {
        let deep_enough = if self.options.deeper_entries {
            entry.depth >= depth || entry.is_proof()
        } else {
            entry.depth == depth
        };
        // A value found without the stall count holds only where the count could not matter.
        deep_enough && (!far || is_far_from_stall(position, entry.reach()))
    }
}

/// The state of a node while its moves are searched.
struct Node<M> {
    best: i32,
    best_move: Option<Candidate<M>>,
    alpha: i32,
    /// The number after that of the last move that was searched.
    number: u32,
}

/// Whether a search of this depth ends before the stall rule could end the game.
#[inline]
fn is_far_from_stall<P: Knowledge>(position: &P, depth: i32) -> bool {
    position.stall_left() > (depth.max(0) + MAX_QUIESCENCE_PLIES) as u32
}

/// The value of a finished game at a ply.
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

/// A proven score, this many turns nearer.
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
