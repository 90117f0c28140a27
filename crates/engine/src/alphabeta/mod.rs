//! Alpha-beta search: iterative deepening with a principal variation search, a table shared by all
//! threads, and move ordering that learns.

mod busy;
mod moves;
mod node;
mod order;
#[cfg(test)]
mod tests;
mod traps;

use std::sync::atomic::{AtomicU64, Ordering};

use crate::level::Chance;
use crate::limits::{Stop, Timer, Times};
use crate::score::{INFINITE, PROVEN};
use crate::table::Table;
use crate::{Evaluator, Knowledge, Limits, Oracle, Score};

use busy::Busy;
use node::Searcher;

pub(crate) use order::Memories;

/// No search looks further ahead than this.
pub(crate) const MOST_DEPTH: i32 = 200;

/// How a search treats its tree. The defaults are what has won matches; the switches are there to
/// repeat those, and to search plainly in tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Search late moves less deep at first.
    pub reductions: bool,
    /// Leave out moves near the leaves that cannot reach the window by the evaluation's measure.
    pub futility: bool,
    /// Follow loud moves beyond the last turn.
    pub quiescence: bool,
    /// In a lost position, play what is hardest to refute instead of what loses last.
    pub traps: bool,
    /// Use what a deeper search has stored. Without it a search of some depth has one value.
    pub deeper: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { reductions: true, futility: true, quiescence: true, traps: true, deeper: true }
    }
}

impl Style {
    /// No pruning but alpha-beta's own: the value is that of a plain search of the same depth.
    pub const PLAIN: Style = Style {
        reductions: false,
        futility: false,
        quiescence: false,
        traps: false,
        deeper: false,
    };
}

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) stop: &'a Stop,
    pub(crate) timer: Timer,
    pub(crate) times: Option<Times>,
    /// How many nodes may be searched in all.
    pub(crate) most_nodes: u64,
    /// How many were, as the threads report it now and then.
    pub(crate) nodes: AtomicU64,
    pub(crate) busy: Option<Busy>,
    pub(crate) oracle: Option<&'a dyn Oracle>,
}

/// A line of play and its value.
#[derive(Debug, Clone)]
pub(crate) struct Found<M> {
    pub(crate) score: Score,
    pub(crate) line: Vec<M>,
}

/// What a search has found so far.
#[derive(Debug, Clone)]
pub(crate) struct Progress<'a, M> {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) found: &'a [Found<M>],
}

/// The parts of a search.
pub(crate) struct Search<'a, P, E> {
    pub(crate) position: &'a P,
    pub(crate) evaluator: &'a E,
    pub(crate) table: &'a Table,
    pub(crate) style: Style,
    pub(crate) chance: Chance,
    pub(crate) limits: &'a Limits,
    pub(crate) lines: usize,
    pub(crate) threads: usize,
    pub(crate) oracle: Option<&'a dyn Oracle>,
    pub(crate) stop: &'a Stop,
    pub(crate) timer: Timer,
}

/// How a search ended.
pub(crate) struct Ended<M> {
    pub(crate) found: Vec<Found<M>>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

impl<P: Knowledge, E: Evaluator<P>> Search<'_, P, E> {
    /// Searches a position that is not over, and reports after every depth. The
    /// memories are those of earlier searches, to be used again.
    pub(crate) fn run(
        &self,
        memories: &mut Memories<P>,
        report: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> Ended<P::Move> {
        self.table.age();
        let (own, others) = memories.prepared(self.threads);
        let shared = Shared {
            table: self.table,
            stop: self.stop,
            timer: self.timer,
            times: self.limits.times(),
            most_nodes: self.limits.nodes.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            busy: (self.threads > 1).then(Busy::new),
            oracle: self.oracle,
        };
        let done = Stop::new();
        let searcher = |memory| Searcher::new(self, &shared, memory, &done);
        let mut main = searcher(own);
        std::thread::scope(|scope| {
            for memory in others {
                let mut helper = searcher(memory);
                scope.spawn(move || self.help(&mut helper));
            }
            let ended = self.deepen(&shared, &mut main, report);
            done.stop();
            ended
        })
    }

    fn deepest(&self) -> i32 {
        let bound = self.position.turns_left_at_most().min(MOST_DEPTH as u32);
        self.limits.depth.unwrap_or(u32::MAX).clamp(1, bound.max(1)) as i32
    }

    /// The main thread's work: one depth after the other, until a limit or a proof.
    fn deepen(
        &self,
        shared: &Shared<'_>,
        searcher: &mut Searcher<'_, P, E>,
        report: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> Ended<P::Move> {
        let lines = self.lines.clamp(1, self.position.count_moves().max(1));
        let mut best: Vec<Found<P::Move>> = Vec::new();
        let mut reached = 0;
        for depth in 1..=self.deepest() {
            let mut found: Vec<Found<P::Move>> = Vec::new();
            searcher.excluded.clear();
            for number in 0..lines {
                let before = best.get(number).map(|known| known.score.raw());
                let Some(new) = searcher.aspire(self.position, depth, before) else { break };
                if let Some(&mv) = new.line.first() {
                    searcher.excluded.push(mv);
                }
                found.push(new);
            }
            let finished = found.len() == lines;
            if finished {
                found.sort_by_key(|line| std::cmp::Reverse(line.score));
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
                best.sort_by_key(|line| std::cmp::Reverse(line.score));
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
            // Stopped before anything was found: any move is better than none.
            best.push(Found {
                score: Score::EVEN,
                line: self.position.nth_move(0).into_iter().collect(),
            });
        }
        if self.sets_traps(&best) {
            let turns = best[0].score.turns().unwrap_or(0);
            if let Some(trap) = searcher.set_trap(self.position, turns as i32) {
                best[0] = trap;
                // The last thing told is what is played.
                let nodes = shared.nodes.load(Ordering::Relaxed) + searcher.unreported();
                report(Progress { depth: reached as u32, nodes, found: &best });
            }
        }
        let nodes = shared.nodes.load(Ordering::Relaxed) + searcher.unreported();
        Ended { found: best, depth: reached as u32, nodes }
    }

    /// Whether there is nothing more to find, or no time to find it.
    fn is_enough(&self, shared: &Shared<'_>, best: &[Found<P::Move>]) -> bool {
        let proven = best.iter().all(|line| line.score.raw().abs() >= PROVEN);
        // A forced move needs no thought, unless somebody wants to know its value.
        let forced = self.position.count_moves() == 1
            && !self.limits.is_infinite()
            && self.limits.depth.is_none();
        let late = shared.times.is_some_and(|times| shared.timer.elapsed() >= times.enough);
        proven || forced || late
    }

    /// Whether the game is lost, somebody plays it, and there may be time to set traps. A limit of
    /// depth says that the value and the line are wanted, not a move.
    fn sets_traps(&self, best: &[Found<P::Move>]) -> bool {
        let limited = self.limits.times().is_some() || self.limits.nodes.is_some();
        let plays = limited && self.limits.depth.is_none() && self.lines == 1;
        self.style.traps && plays && best[0].score.is_loss()
    }

    /// A helper's work: the same depths, to fill the table.
    fn help(&self, searcher: &mut Searcher<'_, P, E>) {
        let mut before = None;
        for depth in 1..=self.deepest() {
            match searcher.aspire(self.position, depth, before) {
                Some(found) => before = Some(found.score.raw()),
                None => return,
            }
        }
    }
}

/// The window around an expected score, and how it grows.
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    width: i32,
}

impl Window {
    /// A narrow window for a depth at which the score is no longer new.
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
