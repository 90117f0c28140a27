//! Alpha-beta search: iterative deepening, principal variation search, a transposition table shared by
//! all threads, and move ordering by killers and history.

mod currently_searching;
mod moves;
mod node;
mod order;
mod team;
#[cfg(test)]
mod tests;
mod traps;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::crew::{self, Crew};
use crate::level::Oversight;
use crate::limits::{Stop, StopOnDrop, TimeBudget, Timer};
use crate::score::{INFINITE, PROVEN};
use crate::transposition::{Entry, TranspositionTable};
use crate::{Evaluator, Knowledge, Limits, Oracle, Score, is_alone};

use currently_searching::CurrentlySearching;
use node::Searcher;
use team::Team;

pub(crate) use order::MoveOrderings;

/// The deepest search, in turns.
pub(crate) const MAX_DEPTH: i32 = 200;

/// The options of an alpha-beta search. The defaults are what won matches; the switches are there to
/// repeat those matches, and to search without pruning in tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// Search late moves to a reduced depth first (late move reductions), and positions without a move
    /// from the transposition table one turn less deep (internal iterative reduction).
    pub reductions: bool,
    /// Skip moves near the leaves if the static evaluation is too far from the window (futility).
    pub futility: bool,
    /// Skip late moves near the leaves (late move pruning), in games that have
    /// [`MAX_MOVES_BY_DEPTH`](Knowledge::MAX_MOVES_BY_DEPTH).
    pub pruning: bool,
    /// Follow noisy moves beyond the last ply, in games that have [`QUIESCENCE`](Knowledge::QUIESCENCE).
    pub quiescence: bool,
    /// In a lost position, play the move that is hardest to refute instead of the longest defence.
    pub traps: bool,
    /// Use entries of the transposition table that a deeper search stored. Without it, a search of a
    /// given depth has exactly one value.
    pub deeper_entries: bool,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            reductions: true,
            futility: true,
            pruning: true,
            quiescence: true,
            traps: true,
            deeper_entries: true,
        }
    }
}

impl SearchOptions {
    /// No pruning but alpha-beta's own: the value is that of a plain minimax search of the same depth.
    pub const PLAIN: SearchOptions = SearchOptions {
        reductions: false,
        futility: false,
        pruning: false,
        quiescence: false,
        traps: false,
        deeper_entries: false,
    };
}

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) stop: &'a Stop,
    pub(crate) timer: Timer,
    pub(crate) time_budget: Option<TimeBudget>,
    /// How many nodes all threads may search together.
    pub(crate) max_nodes: u64,
    /// How many they have searched, which each thread reports at its checks of the limits.
    pub(crate) nodes: AtomicU64,
    pub(crate) currently_searching: Option<CurrentlySearching>,
    pub(crate) oracle: Option<&'a dyn Oracle>,
    /// Engines that share no table with this one.
    pub(crate) crew: Option<&'a Crew>,
}

impl Shared<'_> {
    /// What is known of a position that is to be searched to a depth.
    #[inline]
    pub(crate) fn known(&self, key: u64, depth: i32) -> Option<Entry> {
        let own = self.table.get(key);
        let Some(crew) = self.crew.filter(|_| depth >= crew::MIN_DEPTH) else { return own };
        let theirs = crew.get(key);
        match (own, theirs) {
            (Some(a), Some(b)) if a.depth >= b.depth => own,
            _ => theirs.or(own),
        }
    }

    /// Keeps what has been found out about a position.
    #[inline]
    pub(crate) fn keep(&self, key: u64, entry: Entry) {
        self.table.put(key, entry);
        if let Some(crew) = self.crew.filter(|_| entry.depth >= crew::MIN_DEPTH) {
            crew.put(key, entry);
        }
    }

    /// Whether others are searching moves that this thread could search.
    #[inline]
    fn has_company(&self, depth: i32) -> bool {
        (self.currently_searching.is_some() && depth >= 3)
            || (self.crew.is_some() && depth >= crew::MIN_DEPTH)
    }

    fn is_searched(&self, fingerprint: u64) -> bool {
        let by_threads = self.currently_searching.as_ref();
        by_threads.is_some_and(|searching| searching.contains(fingerprint))
            || self.crew.is_some_and(|crew| crew.is_searching(fingerprint as u32))
    }

    fn enter(&self, fingerprint: u64) {
        if let Some(searching) = &self.currently_searching {
            searching.enter(fingerprint);
        }
        if let Some(crew) = self.crew {
            crew.enter(fingerprint as u32);
        }
    }

    fn leave(&self, fingerprint: u64) {
        if let Some(searching) = &self.currently_searching {
            searching.leave(fingerprint);
        }
        if let Some(crew) = self.crew {
            crew.leave(fingerprint as u32);
        }
    }
}

/// A line of play and its value.
#[derive(Debug, Clone)]
pub(crate) struct ScoredLine<M> {
    pub(crate) score: Score,
    pub(crate) line: Vec<M>,
}

/// What a search has found so far.
#[derive(Debug, Clone)]
pub(crate) struct Progress<'a, M> {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) found: &'a [ScoredLine<M>],
}

/// The parts of a search.
pub(crate) struct Search<'a, P, E> {
    pub(crate) position: &'a P,
    pub(crate) evaluator: &'a E,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) options: SearchOptions,
    pub(crate) oversight: Oversight,
    pub(crate) limits: &'a Limits,
    pub(crate) lines: usize,
    pub(crate) threads: usize,
    pub(crate) oracle: Option<&'a dyn Oracle>,
    pub(crate) crew: Option<&'a Crew>,
    pub(crate) stop: &'a Stop,
    pub(crate) timer: Timer,
}

/// What a search found.
pub(crate) struct SearchResult<M> {
    pub(crate) found: Vec<ScoredLine<M>>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

impl<P: Knowledge, E: Evaluator<P>> Search<'_, P, E> {
    /// Searches a position that is not over, and reports after every depth. `orderings` keeps its
    /// memory from one search to the next, not its contents.
    pub(crate) fn run(
        &self,
        orderings: &mut MoveOrderings<P>,
        report: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> SearchResult<P::Move> {
        self.table.age();
        let (own, others) = orderings.prepared(self.threads);
        let shared = Shared {
            table: self.table,
            stop: self.stop,
            timer: self.timer,
            time_budget: self.limits.time_budget(),
            max_nodes: self.limits.nodes.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            currently_searching: (self.threads > 1).then(CurrentlySearching::new),
            oracle: self.oracle,
            crew: self.crew,
        };
        let done = Stop::new();
        let team = Team::new(self.position.key(), self.crew);
        let searcher = |ordering| Searcher::new(self, &shared, ordering, &team, &done);
        let mut main = searcher(own);
        if team.leader().is_some() {
            self.help(&mut main, &team);
            return SearchResult { found: Vec::new(), depth: 0, nodes: main.nodes };
        }
        if is_alone(self.threads) {
            return self.deepen(&shared, &mut main, report);
        }
        std::thread::scope(|scope| {
            for ordering in others {
                let mut helper = searcher(ordering);
                let team = &team;
                scope.spawn(move || self.help(&mut helper, team));
            }
            let _helpers = StopOnDrop(&done);
            self.deepen(&shared, &mut main, report)
        })
    }

    fn deepest(&self) -> i32 {
        let bound = self.position.turns_left_at_most().min(MAX_DEPTH as u32);
        self.limits.depth.unwrap_or(u32::MAX).clamp(1, bound.max(1)) as i32
    }

    /// The main thread's work: iterative deepening, until a limit or a proof.
    fn deepen(
        &self,
        shared: &Shared<'_>,
        searcher: &mut Searcher<'_, P, E>,
        report: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> SearchResult<P::Move> {
        let lines = self.lines.clamp(1, self.position.count_moves().max(1));
        let mut best: Vec<ScoredLine<P::Move>> = Vec::new();
        let mut reached = 0;
        for depth in 1..=self.deepest() {
            let mut found: Vec<ScoredLine<P::Move>> = Vec::new();
            searcher.excluded.clear();
            for number in 0..lines {
                let before = best.get(number).map(|known| known.score.raw());
                let Some(new) = searcher.search_root(self.position, depth, before) else { break };
                if let Some(&mv) = new.line.first() {
                    searcher.excluded.push(mv);
                }
                found.push(new);
            }
            let finished = found.len() == lines;
            if finished {
                sort_lines(&mut found);
                best = found;
                reached = depth;
            } else {
                // A best move of an unfinished depth is better than that of the last one: the old
                // best was searched first. Other lines are kept as they were.
                for new in found.into_iter().chain(searcher.unfinished.take()) {
                    best.retain(|old| old.line.first() != new.line.first());
                    best.push(new);
                    if lines == 1 {
                        best.drain(..best.len() - 1);
                    }
                }
                sort_lines(&mut best);
                best.truncate(lines);
            }
            let nodes = shared.nodes.load(Ordering::Relaxed) + searcher.unreported();
            if finished {
                report(Progress { depth: depth as u32, nodes, found: &best });
            }
            if !finished || self.is_enough(shared, &best) {
                break;
            }
        }
        if best.is_empty() {
            best.push(searcher.unsearched(self.position));
        }
        if self.sets_traps(&best) {
            let turns = best[0].score.turns().unwrap_or(0);
            if let Some(trap) = searcher.set_trap(self.position, turns as i32) {
                best[0] = trap;
                // The last report is what is played.
                let nodes = shared.nodes.load(Ordering::Relaxed) + searcher.unreported();
                report(Progress { depth: reached as u32, nodes, found: &best });
            }
        }
        let nodes = shared.nodes.load(Ordering::Relaxed) + searcher.unreported();
        SearchResult { found: best, depth: reached as u32, nodes }
    }

    /// Whether there is nothing more to find, or no time to find it.
    fn is_enough(&self, shared: &Shared<'_>, best: &[ScoredLine<P::Move>]) -> bool {
        let proven = best.iter().all(|line| line.score.raw().abs() >= PROVEN);
        // A forced move needs no search, unless its value is asked for.
        let forced = self.position.count_moves() == 1
            && !self.limits.is_infinite()
            && self.limits.depth.is_none();
        let late = shared.time_budget.is_some_and(|budget| shared.timer.elapsed() >= budget.soft);
        proven || forced || late
    }

    /// Whether the game is lost, the move will be played, and there may be time to set traps. A limit
    /// of depth asks for the value and the line, not for a move to play.
    fn sets_traps(&self, best: &[ScoredLine<P::Move>]) -> bool {
        let limited = self.limits.time_budget().is_some() || self.limits.nodes.is_some();
        let plays = limited && self.limits.depth.is_none() && self.lines == 1;
        self.options.traps && plays && best[0].score.is_loss()
    }

    /// A helper thread's work: what the main thread searches, to fill the transposition table.
    fn help(&self, searcher: &mut Searcher<'_, P, E>, team: &Team<'_>) {
        let mut number = 0;
        while !searcher.is_over() {
            match team.next_after(number) {
                Some(search) => {
                    number = search.number;
                    searcher.join(self.position, search, self.deepest());
                }
                None => searcher.wait(),
            }
        }
    }
}

/// Brings the best lines to the front; equal ones stay in order. There are few, and the standard library's sorting is a
/// lot of code for a browser, once for every game.
fn sort_lines<M>(lines: &mut [ScoredLine<M>]) {
    for end in 1..lines.len() {
        let mut at = end;
        while at > 0 && lines[at - 1].score < lines[at].score {
            lines.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// The aspiration window around an expected score, and how it grows.
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    width: i32,
}

impl Window {
    /// A narrow window where a shallower search has found a score; the full one before that.
    pub(crate) fn around(expected: Option<i32>, depth: i32) -> Window {
        match expected {
            Some(score) if depth >= 4 && score.abs() < PROVEN => {
                let width = 24;
                Window { alpha: score - width, beta: score + width, width }
            }
            _ => Window { alpha: -INFINITE, beta: INFINITE, width: INFINITE },
        }
    }

    /// Grows towards a score that lies outside. Returns whether it did.
    pub(crate) fn widen(&mut self, score: i32) -> bool {
        self.width = (self.width * 3).min(INFINITE);
        if score <= self.alpha && self.alpha > -INFINITE {
            self.alpha =
                if self.width > 2_000 { -INFINITE } else { (score - self.width).max(-INFINITE) };
            true
        } else if score >= self.beta && self.beta < INFINITE {
            self.beta =
                if self.width > 2_000 { INFINITE } else { (score + self.width).min(INFINITE) };
            true
        } else {
            false
        }
    }
}
