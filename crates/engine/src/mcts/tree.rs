//! The tree of a Monte Carlo search.

use stoa_rules::Side;
use stoa_rules::playout::Rng;

use super::{Recipe, playout, share};
use crate::alphabeta::Found;
use crate::level::Chance;
use crate::{Evaluator, Knowledge, Score};

/// What is proven of a node, for the player who moved to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Open,
    Won,
    Drawn,
    Lost,
}

/// A move, and what became of it. Shares of results are those of the player who made it.
#[derive(Debug, Clone, Copy)]
struct Node<M> {
    mv: Option<M>,
    slot: u32,
    visits: u32,
    /// In `f32` nothing would be added to it any more after 16 million visits.
    sum: f64,
    /// Playouts in which the move was made later on, and their results.
    shared_visits: f32,
    shared_sum: f32,
    children: u32,
    count: u32,
    verdict: Verdict,
    /// How many turns a proven result takes.
    turns: u16,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, slot: usize) -> Node<M> {
        Node {
            mv,
            slot: slot as u32,
            visits: 0,
            sum: 0.0,
            shared_visits: 0.0,
            shared_sum: 0.0,
            children: 0,
            count: 0,
            verdict: Verdict::Open,
            turns: 0,
        }
    }

    fn children(&self) -> std::ops::Range<usize> {
        self.children as usize..(self.children + self.count) as usize
    }

    fn mean(&self) -> f32 {
        if self.visits == 0 { 0.5 } else { (self.sum / f64::from(self.visits)) as f32 }
    }

    /// Adds a playout that began with this move, and the share that came of it.
    fn add(&mut self, share: f32) {
        self.visits += 1;
        self.sum += f64::from(share);
    }

    /// Adds a playout in which the move was made later on. After so many that `f32` cannot count
    /// further, one more says nothing new.
    fn add_shared(&mut self, share: f32) {
        const MOST: f32 = (1 << 24) as f32;
        if self.shared_visits < MOST {
            self.shared_visits += 1.0;
            self.shared_sum += share;
        }
    }
}

/// Trees do not grow beyond so many nodes; the search goes on at their leaves.
const MOST_NODES: usize = 6_000_000;

/// A tree. Node 0 is its root.
pub(crate) struct Tree<P: Knowledge> {
    nodes: Vec<Node<P::Move>>,
    root: Option<P>,
    recipe: Recipe,
    chance: Chance,
    rng: Rng,
    depth: u32,
    /// For each player and slot, the turn of this simulation in which it was first used.
    used: [Vec<u32>; 2],
    simulation: u32,
    path: Vec<(usize, Side)>,
    moves: Vec<P::Move>,
}

impl<P: Knowledge> Tree<P> {
    pub(crate) fn new() -> Tree<P> {
        Tree {
            nodes: Vec::new(),
            root: None,
            recipe: Recipe::default(),
            chance: Chance::default(),
            rng: Rng::new(0),
            depth: 0,
            used: [vec![0; P::SLOTS], vec![0; P::SLOTS]],
            simulation: 0,
            path: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Makes a position the root. If it comes up within two turns of the old one, what the tree
    /// knows of it is kept.
    pub(crate) fn rebase(&mut self, position: &P, recipe: Recipe, chance: Chance, number: u64) {
        let same = (self.recipe, self.chance) == (recipe, chance);
        let kept = if same { self.find(position) } else { None };
        (self.recipe, self.chance) = (recipe, chance);
        self.rng = Rng::for_game(chance.seed, number ^ position.key());
        self.depth = 0;
        match kept {
            Some(0) => {}
            Some(index) => self.keep(index),
            None => {
                self.nodes.clear();
                self.nodes.push(Node::new(None, 0));
            }
        }
        self.root = Some(position.clone());
    }

    /// The node of a position that is at most two turns away from the root.
    fn find(&self, position: &P) -> Option<usize> {
        let root = self.root.as_ref()?;
        if root == position {
            return Some(0);
        }
        let after = |position: &P, node: usize| {
            let mut next = position.clone();
            next.play_unchecked(self.nodes[node].mv?);
            Some(next)
        };
        // What was expected comes first: there may be tens of thousands to compare with.
        let mut children: Vec<usize> = self.nodes[0].children().collect();
        children.sort_by_key(|&child| std::cmp::Reverse(self.nodes[child].visits));
        if let Some(&child) =
            children.iter().find(|&&child| after(root, child).as_ref() == Some(position))
        {
            return Some(child);
        }
        for child in children {
            let next = after(root, child)?;
            let mut grandchildren = self.nodes[child].children();
            let found = grandchildren.find(|&node| after(&next, node).as_ref() == Some(position));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Makes a node the root, and forgets what does not hang on it.
    fn keep(&mut self, index: usize) {
        let mut kept = Vec::with_capacity(1024);
        kept.push(self.nodes[index]);
        let mut next = 0;
        while next < kept.len() {
            let children = kept[next].children();
            kept[next].children = kept.len() as u32;
            kept.extend_from_slice(&self.nodes[children]);
            next += 1;
        }
        self.nodes = kept;
    }

    /// Whether nothing is left to find: the root's result is proven and, where several lines are
    /// wanted, that of every move.
    pub(crate) fn is_settled(&self, lines: usize) -> bool {
        let is_open = |node: usize| self.nodes[node].verdict == Verdict::Open;
        !is_open(0) && (lines <= 1 || !self.nodes[0].children().any(is_open))
    }

    /// Whether the best move has far more visits than any other.
    pub(crate) fn is_clear(&self) -> bool {
        let visits = self.nodes[0].children().map(|child| self.nodes[child].visits);
        let (mut most, mut second) = (0, 0);
        for visits in visits {
            if visits > most {
                (most, second) = (visits, most);
            } else {
                second = second.max(visits);
            }
        }
        most > 4 * second
    }

    /// How deep the tree is.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Walks down the tree, plays on from there, and learns from the result. Where several lines
    /// are wanted, the moves that are still open are tried although the best one is proven.
    pub(crate) fn simulate(&mut self, evaluator: &impl Evaluator<P>, lines: usize) {
        let Some(mut position) = self.root.clone() else { return };
        self.simulation += 1;
        self.path.clear();
        let mut node = 0;
        let mut path = std::mem::take(&mut self.path);
        path.push((0, position.side_to_move().other()));
        loop {
            let is_proven = self.nodes[node].verdict != Verdict::Open;
            if is_proven && (node != 0 || lines <= 1) {
                break;
            }
            if self.nodes[node].count == 0 {
                let visits = self.nodes[node].visits;
                if (visits < self.recipe.expand_after && node != 0)
                    || self.nodes.len() >= MOST_NODES
                    || !self.expand(node, &position)
                {
                    break;
                }
            }
            let side = position.side_to_move();
            node = self.select(node, is_proven);
            let Some(mv) = self.nodes[node].mv else { break };
            self.use_slot(side, self.nodes[node].slot as usize);
            position.play_unchecked(mv);
            path.push((node, side));
        }
        self.depth = self.depth.max(path.len() as u32 - 1);
        let (last, mover) = path[path.len() - 1];
        let first_share = match self.nodes[last].verdict {
            Verdict::Open => self.judge_leaf(last, mover, position, evaluator),
            verdict => {
                let own = match verdict {
                    Verdict::Won => 1.0,
                    Verdict::Lost => 0.0,
                    _ => 0.5,
                };
                if mover == Side::First { own } else { 1.0 - own }
            }
        };
        self.back_up(&path, first_share);
        self.path = path;
    }

    fn use_slot(&mut self, side: Side, slot: usize) {
        self.used[side.index()][slot] = self.simulation;
    }

    /// The first player's share of the result from a leaf on.
    fn judge_leaf(
        &mut self,
        leaf: usize,
        mover: Side,
        mut position: P,
        evaluator: &impl Evaluator<P>,
    ) -> f32 {
        if let Some(outcome) = position.outcome() {
            if self.recipe.solver {
                self.nodes[leaf].verdict = match outcome.winner {
                    None => Verdict::Drawn,
                    Some(winner) if winner == mover => Verdict::Won,
                    Some(_) => Verdict::Lost,
                };
            }
            return share(outcome, Side::First);
        }
        let (used, simulation) = (&mut self.used, self.simulation);
        playout(&mut position, &self.recipe, evaluator, &mut self.rng, |side, slot| {
            used[side.index()][slot] = simulation;
        })
    }

    /// Adds the children of a leaf. Returns whether there are any.
    fn expand(&mut self, leaf: usize, position: &P) -> bool {
        self.moves.clear();
        position.generate(&mut self.moves);
        let start = self.nodes.len();
        for index in 0..self.moves.len() {
            let mv = self.moves[index];
            let slot = position.slot(mv);
            let last_chance = index + 1 == self.moves.len() && self.nodes.len() == start;
            if !last_chance && self.chance.overlooks(position, mv) {
                continue;
            }
            let mut node = Node::new(Some(mv), slot);
            if self.recipe.priors > 0.0 {
                // What promises so much would be worth as many points.
                let share = Score::points(position.promise(mv)).win_probability() as f32;
                node.shared_visits = self.recipe.priors;
                node.shared_sum = self.recipe.priors * share;
            }
            self.nodes.push(node);
        }
        self.nodes[leaf].children = start as u32;
        self.nodes[leaf].count = (self.nodes.len() - start) as u32;
        self.nodes.len() > start
    }

    /// The child to go to: the one with the best mean of its own and shared results, with a bonus
    /// for those that were tried little; of those that are still open only, if so wished.
    fn select(&self, parent: usize, open_only: bool) -> usize {
        let node = &self.nodes[parent];
        let log = ((node.visits + 1) as f32).ln();
        let Recipe { exploration, sharing, .. } = self.recipe;
        let mut best = node.children as usize;
        let mut best_value = f32::NEG_INFINITY;
        for child in node.children() {
            let n = &self.nodes[child];
            if open_only && n.verdict != Verdict::Open {
                continue;
            }
            let value = match n.verdict {
                Verdict::Won => return child,
                Verdict::Lost => -1.0 + f32::from(n.turns) * 1e-4,
                _ => {
                    let visits = n.visits as f32;
                    let mean = if sharing > 0.0 || n.shared_visits > 0.0 {
                        let beta = if n.visits == 0 {
                            1.0
                        } else if sharing > 0.0 {
                            (sharing / (3.0 * visits + sharing)).sqrt()
                        } else {
                            n.shared_visits / (n.shared_visits + visits)
                        };
                        let shared = if n.shared_visits > 0.0 {
                            n.shared_sum / n.shared_visits
                        } else {
                            0.5
                        };
                        beta * shared + (1.0 - beta) * n.mean()
                    } else if n.visits == 0 {
                        // Everything is tried once, the first in the list first.
                        return child;
                    } else {
                        n.mean()
                    };
                    mean + exploration
                        * (log / (visits + if n.visits == 0 { 1.0 } else { 0.0 })).sqrt()
                }
            };
            if value > best_value {
                best_value = value;
                best = child;
            }
        }
        best
    }

    /// Adds a result to all nodes on the way, and what can be proven from it.
    fn back_up(&mut self, path: &[(usize, Side)], first_share: f32) {
        for (place, &(node, mover)) in path.iter().enumerate().rev() {
            let own = if mover == Side::First { first_share } else { 1.0 - first_share };
            self.nodes[node].add(own);
            let children = self.nodes[node].children();
            if self.recipe.sharing > 0.0 {
                let used = &self.used[mover.other().index()];
                let simulation = self.simulation;
                for child in &mut self.nodes[children.clone()] {
                    if used[child.slot as usize] == simulation {
                        child.add_shared(1.0 - own);
                    }
                }
            }
            if self.recipe.solver && place + 1 < path.len() {
                self.prove(node, path[place + 1].0);
            }
        }
    }

    /// Settles a node if the child just visited allows it.
    fn prove(&mut self, node: usize, visited: usize) {
        if self.nodes[node].verdict != Verdict::Open {
            return;
        }
        match self.nodes[visited].verdict {
            Verdict::Open => {}
            Verdict::Won => {
                self.nodes[node].verdict = Verdict::Lost;
                self.nodes[node].turns = self.nodes[visited].turns + 1;
            }
            Verdict::Drawn | Verdict::Lost => {
                let children = &self.nodes[self.nodes[node].children()];
                if children.iter().any(|child| child.verdict == Verdict::Open) {
                    return;
                }
                let longest = children.iter().map(|child| child.turns).max().unwrap_or(0);
                let drawn = children.iter().any(|child| child.verdict == Verdict::Drawn);
                self.nodes[node].verdict = if drawn { Verdict::Drawn } else { Verdict::Won };
                self.nodes[node].turns = longest + 1;
            }
        }
    }

    /// The most visited line from a node on.
    fn line_from(&self, mut node: usize) -> Vec<P::Move> {
        let mut line: Vec<P::Move> = self.nodes[node].mv.into_iter().collect();
        while line.len() < 12 {
            let children = self.nodes[node].children();
            let best = children.max_by_key(|&child| self.order(child));
            let Some(best) = best.filter(|&best| self.nodes[best].visits >= 8) else { break };
            line.extend(self.nodes[best].mv);
            node = best;
        }
        line
    }

    /// Proven wins come first, the quickest first; then what was visited most.
    fn order(&self, node: usize) -> (i32, u32) {
        let node = &self.nodes[node];
        match node.verdict {
            Verdict::Won => (1_000_000 - i32::from(node.turns), node.visits),
            Verdict::Lost => (i32::from(node.turns) - 1_000_000, node.visits),
            _ => (0, node.visits),
        }
    }

    fn score_of(&self, node: usize) -> Score {
        let node = &self.nodes[node];
        let turns = u32::from(node.turns) + 1;
        match node.verdict {
            Verdict::Won => Score::win_in(turns),
            Verdict::Lost => Score::loss_in(turns),
            Verdict::Drawn => Score::EVEN,
            Verdict::Open => Score::from_probability(f64::from(node.mean())),
        }
    }
}

/// A move of the root, with what all trees say of it.
struct RootMove<M> {
    mv: M,
    /// As [`Tree::order`] has it, the visits added up.
    order: (i32, u32),
    sum: f64,
    /// A tree that knows most about it, and its node there.
    tree: usize,
    child: usize,
}

/// The best lines of some trees with the same root, and the greatest depth. Visits are added up.
pub(super) fn summary<P: Knowledge>(
    trees: &[&Tree<P>],
    lines: usize,
) -> (Vec<Found<P::Move>>, u32) {
    let mut moves: Vec<RootMove<P::Move>> = Vec::new();
    for (tree, number) in trees.iter().zip(0..) {
        for child in tree.nodes[0].children() {
            let node = &tree.nodes[child];
            let Some(mv) = node.mv else { continue };
            let order = tree.order(child);
            match moves.iter_mut().find(|known| known.mv == mv) {
                None => moves.push(RootMove { mv, order, sum: node.sum, tree: number, child }),
                Some(known) => {
                    // What one tree has proven holds for all.
                    if order.0 != 0 && known.order.0 == 0 {
                        known.order.0 = order.0;
                        (known.tree, known.child) = (number, child);
                    }
                    known.order.1 += order.1;
                    known.sum += node.sum;
                }
            }
        }
    }
    // Among moves tried equally often, the one that did better comes first.
    moves.sort_by(|a, b| b.order.cmp(&a.order).then(b.sum.total_cmp(&a.sum)));
    let found =
        moves.into_iter().take(lines.max(1)).map(|RootMove { order, sum, tree, child, .. }| {
            let tree = trees[tree];
            let is_open = tree.nodes[child].verdict == Verdict::Open;
            let score = if order.0 != 0 || !is_open || order.1 == 0 {
                tree.score_of(child)
            } else {
                Score::from_probability(sum / f64::from(order.1))
            };
            Found { score, line: tree.line_from(child) }
        });
    let found = found.collect();
    (found, trees.iter().map(|tree| tree.depth).max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long analysis visits a node more often than `f32` can count.
    #[test]
    fn counts_do_not_stand_still() {
        let mut node = Node::<()>::new(None, 0);
        let many = 1 << 24;
        (node.visits, node.sum) = (many, f64::from(many));
        (node.shared_visits, node.shared_sum) = (many as f32, many as f32 / 2.0);
        for _ in 0..many / 4 {
            node.add(1.0);
            node.add_shared(1.0);
        }
        assert_eq!(node.mean(), 1.0);
        assert_eq!(node.shared_sum / node.shared_visits, 0.5);
    }
}
