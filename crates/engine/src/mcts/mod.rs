//! Monte Carlo tree search: a tree that grows where play is promising, evaluated by playouts.
//!
//! Beyond plain UCT it shares the results of playouts between the branches of the tree
//! (all-moves-as-first: AMAF, RAVE), starts with a prior for each move, proves wins and losses where it
//! can, and keeps its tree from one move to the next.

mod guided;
mod keep;
mod together;
mod tree;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use stoa_rules::playout::Rng;
use stoa_rules::{Outcome, Side};

use crate::alphabeta::ScoredLine;
use crate::crew::Crew;
use crate::level::Oversight;
use crate::limits::{Stop, StopOnDrop, TimeBudget, Timer};
use crate::policy::PolicyNet;
use crate::{Evaluator, Knowledge, Limits, Score, is_alone};

pub(crate) use guided::Leaf;
use tree::Summary;
pub(crate) use tree::Tree;

/// The options of a tree search. The defaults are what won matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeSearchOptions {
    /// The weight of exploration: how much moves with few visits are preferred.
    pub exploration: f32,
    /// How many visits a move needs until they count as much as the playouts in which it was made later
    /// on (RAVE's equivalence parameter); 0 for no sharing.
    pub sharing: f32,
    /// How many visits the prior of a move counts for.
    pub priors: f32,
    /// Prove wins and losses.
    pub solver: bool,
    /// Choose the moves of playouts by the game's own policy instead of uniformly at random.
    pub policy: bool,
    /// Cut playouts off after this many turns and evaluate; `None` plays to the end.
    pub cut: Option<u32>,
    /// After how many visits a leaf is expanded.
    pub expand_after: u32,
}

impl Default for TreeSearchOptions {
    fn default() -> TreeSearchOptions {
        TreeSearchOptions {
            exploration: 0.25,
            sharing: 600.0,
            priors: 10.0,
            solver: true,
            policy: true,
            cut: None,
            expand_after: 2,
        }
    }
}

impl TreeSearchOptions {
    /// For a search that a network guides.
    pub const GUIDED: TreeSearchOptions = TreeSearchOptions {
        exploration: 1.0,
        sharing: 0.0,
        priors: 0.0,
        solver: true,
        policy: false,
        cut: None,
        expand_after: 0,
    };

    /// Textbook UCT with random playouts: the baseline.
    pub const PLAIN: TreeSearchOptions = TreeSearchOptions {
        exploration: std::f32::consts::SQRT_2,
        sharing: 0.0,
        priors: 0.0,
        solver: false,
        policy: false,
        cut: None,
        expand_after: 1,
    };
}

/// Differences from the options that are best for a game. [`TreeSearchOptions`] documents them; where a network guides
/// the search, only exploration and the solver matter.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TreeSearchChanges {
    /// The weight of exploration.
    pub exploration: Option<f32>,
    /// RAVE's equivalence parameter.
    pub sharing: Option<f32>,
    /// How many visits a prior counts for.
    pub priors: Option<f32>,
    /// Prove wins and losses.
    pub solver: Option<bool>,
    /// The game's own policy in playouts.
    pub policy: Option<bool>,
    /// After how many turns playouts are cut off.
    pub cut: Option<Option<u32>>,
    /// After how many visits a leaf is expanded.
    pub expand_after: Option<u32>,
}

impl TreeSearchChanges {
    /// Options with the changes.
    pub fn apply(&self, base: TreeSearchOptions) -> TreeSearchOptions {
        TreeSearchOptions {
            exploration: self.exploration.unwrap_or(base.exploration),
            sharing: self.sharing.unwrap_or(base.sharing),
            priors: self.priors.unwrap_or(base.priors),
            solver: self.solver.unwrap_or(base.solver),
            policy: self.policy.unwrap_or(base.policy),
            cut: self.cut.unwrap_or(base.cut),
            expand_after: self.expand_after.unwrap_or(base.expand_after),
        }
    }
}

/// How many nodes of the last search's tree are kept for each millisecond that the next one has.
const KEPT_NODES_PER_MS: usize = 2_000;

/// How often a search reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// After how many playouts a thread looks whether something is to be reported. Networks take longer than a look.
const PLAYOUTS_A_TICK: u64 = 64;

/// The parts of a search.
pub(crate) struct Search<'a, P, E> {
    pub(crate) position: &'a P,
    pub(crate) evaluator: &'a E,
    /// The network that judges leaves in place of playouts.
    pub(crate) guide: Option<&'a PolicyNet>,
    pub(crate) options: TreeSearchOptions,
    pub(crate) oversight: Oversight,
    pub(crate) limits: &'a Limits,
    pub(crate) lines: usize,
    /// How many threads share a tree that a network guides; otherwise there are as many as trees.
    pub(crate) threads: usize,
    /// Engines that share no memory with this one, where a network guides the search.
    pub(crate) crew: Option<&'a Crew>,
    pub(crate) stop: &'a Stop,
    pub(crate) timer: Timer,
}

/// What a search has found so far.
pub(crate) struct Progress<'a, M> {
    pub(crate) depth: u32,
    pub(crate) playouts: u64,
    pub(crate) found: &'a [ScoredLine<M>],
}

impl<P: Knowledge, E: Evaluator<P, State = ()>> Search<'_, P, E> {
    /// Searches a position that is not over, with one tree per thread or, where a network guides it, with one tree
    /// that all threads share. Trees are kept for the next search. Returns the lines found, the depth and the number
    /// of playouts.
    pub(crate) fn run(
        &self,
        trees: &mut [Tree<P>],
        report: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> (Vec<ScoredLine<P::Move>>, u32, u64) {
        if let Some(crew) = self.crew.filter(|crew| !crew.leads()) {
            // Without a network there are no leaves to judge.
            return (Vec::new(), 0, self.guide.map_or(0, |net| self.help(net, crew)));
        }
        // Copying the nodes that are kept takes about a twentieth of the time.
        let max_kept = self.limits.time_budget().map_or(usize::MAX, |budget| {
            (budget.hard.as_millis() as usize).saturating_mul(KEPT_NODES_PER_MS).max(1)
        });
        for (tree, number) in trees.iter_mut().zip(0..) {
            tree.rebase(self.position, self.options, self.oversight, number, max_kept);
            // The greatest depth only says that the value is wanted.
            tree.tries_all = self.limits.depth.is_some_and(|depth| depth < u32::MAX);
        }
        let played = AtomicU64::new(0);
        let done = Stop::new();
        let mut reports =
            Reports { timer: self.timer, last: self.timer.elapsed(), lines: self.lines, report };
        match (self.guide, trees.split_first_mut()) {
            (_, None) => return (Vec::new(), 0, 0),
            (Some(net), Some((tree, _))) if let Some(crew) = self.crew => {
                self.lead(tree, (net, crew), &played, &mut reports);
            }
            (Some(net), Some((tree, _))) => {
                let shared = Mutex::new(tree);
                let mut grow =
                    || self.grow_shared(&shared, net, &played, &done, Some(&mut reports));
                if is_alone(self.threads) {
                    grow();
                } else {
                    std::thread::scope(|scope| {
                        for _ in 1..self.threads {
                            scope.spawn(|| {
                                self.grow_shared(&shared, net, &played, &done, None);
                            });
                        }
                        let _helpers = StopOnDrop(&done);
                        grow();
                    });
                }
            }
            (None, Some((first, others))) if is_alone(1 + others.len()) => {
                self.grow(first, &played, &done, Some(&mut reports));
            }
            (None, Some((first, others))) => std::thread::scope(|scope| {
                for tree in others {
                    scope.spawn(|| self.grow(tree, &played, &done, None));
                }
                let _helpers = StopOnDrop(&done);
                self.grow(first, &played, &done, Some(&mut reports));
            }),
        }
        let trees: Vec<&Tree<P>> = trees.iter().collect();
        let summary = tree::summary(&trees, self.lines);
        let playouts = played.load(Ordering::Relaxed);
        reports.send(&summary, playouts);
        let (found, depth) = summary;
        (found, depth, playouts)
    }

    /// Grows a tree by playouts until a limit is reached or its root is proven.
    fn grow(
        &self,
        tree: &mut Tree<P>,
        played: &AtomicU64,
        done: &Stop,
        mut reports: Option<&mut Reports<'_, P>>,
    ) {
        let bounds = Bounds::of(self);
        for own in 1.. {
            tree.recycle(|| bounds.are_up(done));
            tree.simulate(self.evaluator, self.lines);
            let total = played.fetch_add(1, Ordering::Relaxed) + 1;
            if bounds.are_reached(tree, total, done) {
                return;
            }
            if own % PLAYOUTS_A_TICK == 0
                && let Some(reports) = &mut reports
                && let Some(summary) = reports.due(tree)
            {
                reports.send(&summary, total);
            }
        }
    }

    /// Grows a tree together with other threads until a limit is reached or its root is proven. A thread has the
    /// tree to itself while it selects a leaf and while it backs up; judging, which takes nearly all the time, needs
    /// no tree, nor does sending a report, which may wait for its reader.
    fn grow_shared(
        &self,
        tree: &Mutex<&mut Tree<P>>,
        net: &PolicyNet,
        played: &AtomicU64,
        done: &Stop,
        mut reports: Option<&mut Reports<'_, P>>,
    ) {
        let bounds = Bounds::of(self);
        let mut room = net.room();
        // A panic of another thread is handed on by the scope.
        let locked = || tree.lock().unwrap_or_else(PoisonError::into_inner);
        let mut own = locked();
        loop {
            own.recycle(|| bounds.are_up(done));
            if let Some(leaf) = own.descend(self.lines) {
                drop(own);
                let judgement = net.judge(leaf.position(), 0, &mut room);
                own = locked();
                own.settle(leaf, judgement);
            }
            let total = played.fetch_add(1, Ordering::Relaxed) + 1;
            if bounds.are_reached(&own, total, done) {
                return;
            }
            if let Some(reports) = &mut reports
                && let Some(summary) = reports.due(&own)
            {
                drop(own);
                reports.send(&summary, total);
                own = locked();
            }
        }
    }
}

/// What a search reports every now and then.
struct Reports<'a, P: Knowledge> {
    timer: Timer,
    last: Duration,
    lines: usize,
    report: &'a mut dyn FnMut(Progress<'_, P::Move>),
}

impl<P: Knowledge> Reports<'_, P> {
    /// The lines and the depth to report, if it is time for that.
    fn due(&mut self, tree: &Tree<P>) -> Option<Summary<P::Move>> {
        let now = self.timer.elapsed();
        let is_due = now.saturating_sub(self.last) >= REPORT_INTERVAL;
        is_due.then(|| {
            self.last = now;
            tree::summary(&[tree], self.lines)
        })
    }

    fn send(&mut self, (found, depth): &Summary<P::Move>, playouts: u64) {
        (self.report)(Progress { depth: *depth, playouts, found });
    }
}

/// When a search ends.
struct Bounds<'a> {
    max_playouts: u64,
    max_depth: u32,
    time: Option<TimeBudget>,
    /// A single move is no choice: there is no point in using up a limit of time, unless its value is asked for.
    is_forced: bool,
    lines: usize,
    stop: &'a Stop,
    timer: Timer,
}

impl<'a> Bounds<'a> {
    fn of<P: Knowledge, E>(search: &Search<'a, P, E>) -> Bounds<'a> {
        let limits = search.limits;
        Bounds {
            max_playouts: limits.playouts.into_iter().chain(limits.nodes).min().unwrap_or(u64::MAX),
            max_depth: limits.depth.unwrap_or(u32::MAX),
            time: limits.time_budget(),
            is_forced: search.position.count_moves() == 1
                && !limits.is_infinite()
                && limits.depth.is_none(),
            lines: search.lines,
            stop: search.stop,
            timer: search.timer,
        }
    }

    /// Whether the time is up, whatever has been found, or somebody has ended the search.
    fn are_up(&self, done: &Stop) -> bool {
        self.stop.is_stopped()
            || done.is_stopped()
            || self.time.is_some_and(|time| self.timer.elapsed() >= time.hard)
    }

    /// Whether the search is over after so many playouts of all trees, or others are done.
    fn are_reached<P: Knowledge>(&self, tree: &Tree<P>, playouts: u64, done: &Stop) -> bool {
        playouts >= self.max_playouts
            || self.are_up(done)
            || tree.is_settled(self.lines)
            || (self.is_forced && playouts >= 64)
            || self.time.is_some_and(|time| self.timer.elapsed() >= time.soft && tree.is_clear())
            || (tree.depth() >= self.max_depth && tree.has_tried_all())
    }
}

/// A player's share of a result: 1 for a win, a half for a draw.
pub(crate) fn share(outcome: Outcome, side: Side) -> f32 {
    match outcome.winner {
        None => 0.5,
        Some(winner) => f32::from(u8::from(winner == side)),
    }
}

/// Plays a game from a position to its end; returns the first player's share of the result.
fn playout<P: Knowledge>(
    position: &mut P,
    options: &TreeSearchOptions,
    evaluator: &impl Evaluator<P, State = ()>,
    rng: &mut Rng,
    mut played: impl FnMut(Side, usize),
) -> f32 {
    let mut turns = 0;
    loop {
        if options.cut.is_some_and(|cut| turns >= cut) && position.outcome().is_none() {
            let share =
                Score::points(evaluator.evaluate(position, &mut ())).win_probability() as f32;
            return match position.side_to_move() {
                Side::First => share,
                Side::Second => 1.0 - share,
            };
        }
        let mv = if options.policy {
            position.playout_move(rng)
        } else {
            position.nth_move(rng.below(position.count_moves()))
        };
        let Some(mv) = mv else { break };
        played(position.side_to_move(), position.history_index(mv));
        position.play_unchecked(mv);
        turns += 1;
    }
    position.outcome().map_or(0.5, |outcome| share(outcome, Side::First))
}
