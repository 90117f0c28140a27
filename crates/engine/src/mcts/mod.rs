//! Monte Carlo tree search: a tree that grows where play is promising, evaluated by playouts.
//!
//! Beyond plain UCT it shares the results of playouts between the branches of the tree
//! (all-moves-as-first: AMAF, RAVE), starts with a prior for each move, proves wins and losses where it
//! can, and keeps its tree from one move to the next.

mod guided;
mod tree;

use std::sync::atomic::{AtomicU64, Ordering};

use stoa_rules::playout::Rng;
use stoa_rules::{Outcome, Side};

use crate::alphabeta::ScoredLine;
use crate::level::Oversight;
use crate::limits::{Stop, Timer};
use crate::policy::{GRID_SYMMETRIES, PolicyNet, PolicyState};
use crate::{Evaluator, Knowledge, Limits, Score};

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

/// How many nodes of the last search's tree are kept for each millisecond that the next one has.
const KEPT_NODES_PER_MS: usize = 2_000;

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
    /// Searches a position that is not over with one tree per thread, which are kept for the next
    /// search. Returns the lines found, the depth and the number of playouts.
    pub(crate) fn run(
        &self,
        trees: &mut [Tree<P>],
        report: &mut dyn FnMut(Progress<'_, P::Move>),
    ) -> (Vec<ScoredLine<P::Move>>, u32, u64) {
        // Copying the nodes that are kept takes about a twentieth of the time.
        let max_kept = self.limits.time_budget().map_or(usize::MAX, |budget| {
            (budget.hard.as_millis() as usize).saturating_mul(KEPT_NODES_PER_MS).max(1)
        });
        for (tree, number) in trees.iter_mut().zip(0..) {
            tree.rebase(self.position, self.options, self.oversight, number, max_kept);
        }
        let played = AtomicU64::new(0);
        let done = Stop::new();
        let (first, others) = match trees.split_first_mut() {
            Some(parts) => parts,
            None => return (Vec::new(), 0, 0),
        };
        std::thread::scope(|scope| {
            for (tree, number) in others.iter_mut().zip(1..) {
                let (played, done) = (&played, &done);
                scope.spawn(move || self.grow(tree, number, played, done, &mut |_, _| {}));
            }
            let mut last_report = self.timer.elapsed();
            self.grow(first, 0, &played, &done, &mut |tree, playouts| {
                let now = self.timer.elapsed();
                if now.saturating_sub(last_report).as_millis() >= 250 {
                    last_report = now;
                    let (found, depth) = tree::summary(&[tree], self.lines);
                    report(Progress { depth, playouts, found: &found });
                }
            });
            done.stop();
        });
        let trees: Vec<&Tree<P>> = trees.iter().collect();
        let (found, depth) = tree::summary(&trees, self.lines);
        let playouts = played.load(Ordering::Relaxed);
        report(Progress { depth, playouts, found: &found });
        (found, depth, playouts)
    }

    /// Grows a tree until a limit is reached or its root is proven.
    fn grow(
        &self,
        tree: &mut Tree<P>,
        number: u64,
        played: &AtomicU64,
        done: &Stop,
        tick: &mut dyn FnMut(&Tree<P>, u64),
    ) {
        let time_budget = self.limits.time_budget();
        let limits = [self.limits.playouts, self.limits.nodes];
        let max_playouts = limits.into_iter().flatten().min().unwrap_or(u64::MAX);
        // A single move is no choice: there is no point in using up a limit of time.
        let forced = self.position.count_moves() == 1 && !self.limits.is_infinite();
        let deepest = self.limits.depth.unwrap_or(u32::MAX);
        let mut guide = self.guide.map(|net| Guide::new(net, number));
        loop {
            match &mut guide {
                None => tree.simulate(self.evaluator, self.lines),
                Some(guide) => guide.simulate(tree, self.lines),
            }
            let total = played.fetch_add(1, Ordering::Relaxed) + 1;
            let over = |limit| self.timer.elapsed() >= limit;
            if total >= max_playouts
                || self.stop.is_stopped()
                || done.is_stopped()
                || tree.is_settled(self.lines)
                || (forced && total >= 64)
                || time_budget.is_some_and(|budget| {
                    over(budget.hard) || (over(budget.soft) && tree.is_clear())
                })
                || (deepest < u32::MAX && tree.depth() >= deepest)
            {
                return;
            }
            if total.is_multiple_of(256) {
                tick(tree, total);
            }
        }
    }
}

/// A network with room to compute in, for one tree.
struct Guide<'a> {
    net: &'a PolicyNet,
    state: PolicyState,
    /// Each tree but the first sees every position through some symmetry of the board: otherwise all would be the
    /// same.
    rng: Option<Rng>,
}

impl<'a> Guide<'a> {
    fn new(net: &'a PolicyNet, number: u64) -> Guide<'a> {
        let rng = (number > 0).then(|| Rng::for_game(0x6e7, number));
        Guide { net, state: net.room(), rng }
    }

    fn simulate<P: Knowledge>(&mut self, tree: &mut Tree<P>, lines: usize) {
        let Some(position) = tree.descend(lines) else { return };
        let symmetry = self.rng.as_mut().map_or(0, |rng| rng.below(GRID_SYMMETRIES));
        tree.settle(&position, self.net.judge(&position, symmetry, &mut self.state));
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
