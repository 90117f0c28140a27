//! The tree of a Monte Carlo search.

use stoa_rules::Side;
use stoa_rules::playout::Rng;

use super::{TreeSearchOptions, playout, share};
use crate::alphabeta::ScoredLine;
use crate::level::Oversight;
use crate::{Evaluator, Knowledge, Score};

/// What has been proven about a node, for the player who moved to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeStatus {
    Open,
    Won,
    Drawn,
    Lost,
}

/// A move and its results, as shares of the player who made it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<M> {
    pub(super) mv: Option<M>,
    history_index: u32,
    pub(super) visits: u32,
    /// In `f32` nothing would be added to it any more after 16 million visits.
    sum: f64,
    /// How likely a network thinks the move is.
    pub(super) prior: f32,
    /// Playouts in which the move was made later on (AMAF), and their results.
    shared_visits: f32,
    shared_sum: f32,
    pub(super) children: u32,
    pub(super) count: u32,
    pub(super) status: NodeStatus,
    /// How many turns a proven result takes.
    pub(super) turns: u16,
    /// Visits of other threads that are not settled yet.
    pub(super) pending: u16,
    /// Whether only the likeliest of its moves are among its children.
    pub(super) is_narrow: bool,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, history_index: usize) -> Node<M> {
        Node {
            mv,
            history_index: history_index as u32,
            visits: 0,
            sum: 0.0,
            prior: 0.0,
            shared_visits: 0.0,
            shared_sum: 0.0,
            children: 0,
            count: 0,
            status: NodeStatus::Open,
            turns: 0,
            pending: 0,
            is_narrow: false,
        }
    }

    pub(super) fn children(&self) -> std::ops::Range<usize> {
        self.children as usize..(self.children + self.count) as usize
    }

    pub(super) fn mean(&self) -> f32 {
        if self.visits == 0 { 0.5 } else { (self.sum / f64::from(self.visits)) as f32 }
    }

    /// Visits, with those that are not settled yet.
    pub(super) fn tries(&self) -> u32 {
        self.visits + u32::from(self.pending)
    }

    /// The mean if all visits that are not settled yet are lost.
    pub(super) fn mean_of_tries(&self) -> f32 {
        match self.tries() {
            0 => 0.5,
            tries => (self.sum / f64::from(tries)) as f32,
        }
    }

    /// Adds a playout that began with this move, and the share that came of it.
    fn add(&mut self, share: f32) {
        self.visits += 1;
        self.sum += f64::from(share);
    }

    /// Adds a playout in which the move was made later on, until `f32` cannot count any further: by
    /// then one more changes nothing.
    fn add_shared(&mut self, share: f32) {
        const MAX_COUNT: f32 = (1 << 24) as f32;
        if self.shared_visits < MAX_COUNT {
            self.shared_visits += 1.0;
            self.shared_sum += share;
        }
    }
}

/// How many positions are compared with a new root before it counts as unknown.
const MAX_COMPARED: usize = 2_000;

/// A tree. Node 0 is its root.
pub(crate) struct Tree<P: Knowledge> {
    pub(super) nodes: Vec<Node<P::Move>>,
    /// The tree grows to at most this many nodes.
    pub(super) max_nodes: usize,
    /// Whether an expansion has found no room.
    pub(super) is_full: bool,
    /// How often nodes have been moved. Paths of older generations lead nowhere.
    pub(super) generation: u32,
    pub(super) root: Option<P>,
    /// Whether every move of the root is tried before one of them is tried again: a depth of one turn means all of
    /// them.
    pub(super) tries_all: bool,
    pub(super) options: TreeSearchOptions,
    oversight: Oversight,
    pub(super) rng: Rng,
    depth: u32,
    /// For each player and history index, the last simulation in which such a move was made.
    used: [Vec<u32>; 2],
    simulation: u32,
    pub(super) path: Vec<(usize, Side)>,
    moves: Vec<P::Move>,
}

impl<P: Knowledge> Tree<P> {
    /// An empty tree that takes at most this many bytes: two thirds for itself, the rest for copies of the nodes
    /// that it keeps when its root moves on and when it is full.
    pub(crate) fn new(max_bytes: usize) -> Tree<P> {
        Tree {
            nodes: Vec::new(),
            max_nodes: max_bytes / 3 * 2 / size_of::<Node<P::Move>>(),
            is_full: false,
            generation: 0,
            root: None,
            tries_all: false,
            options: TreeSearchOptions::default(),
            oversight: Oversight::default(),
            rng: Rng::new(0),
            depth: 0,
            used: [vec![0; P::HISTORY_SIZE], vec![0; P::HISTORY_SIZE]],
            simulation: 0,
            path: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.nodes = Vec::new();
        self.root = None;
    }

    /// Makes a position the root. If it is within two turns of the old root, its subtree is kept, but
    /// only about `max_kept` nodes, of those that were visited most.
    pub(crate) fn rebase(
        &mut self,
        position: &P,
        options: TreeSearchOptions,
        oversight: Oversight,
        number: u64,
        max_kept: usize,
    ) {
        let same = (self.options, self.oversight) == (options, oversight);
        // Without children a root has no moves to choose from, and if it is proven it gets none.
        let kept = if same { self.find(position) } else { None };
        let kept = kept.filter(|&node| self.nodes[node].count > 0);
        (self.options, self.oversight) = (options, oversight);
        self.rng = Rng::for_game(oversight.seed, number ^ position.key());
        self.depth = 0;
        match kept {
            Some(0) => {}
            Some(index) => self.keep(index, max_kept.min(self.max_copied()), || false),
            None => {
                self.nodes.clear();
                self.nodes.push(Node::new(None, 0));
            }
        }
        self.root = Some(position.clone());
    }

    /// How many visits are not settled yet, counted at every node on their paths.
    #[cfg(test)]
    pub(crate) fn pending(&self) -> usize {
        self.nodes.iter().map(|node| usize::from(node.pending)).sum()
    }

    /// How often nodes have been moved.
    #[cfg(test)]
    pub(crate) fn recyclings(&self) -> u32 {
        self.generation
    }

    /// How much memory its nodes have.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<P::Move>>()
    }

    /// Makes a position the root of an empty tree, in the memory of the last one.
    pub(crate) fn begin(&mut self, position: &P, options: TreeSearchOptions) {
        self.options = options;
        self.depth = 0;
        self.nodes.clear();
        self.nodes.push(Node::new(None, 0));
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
        // The most visited come first: there may be a hundred thousand to compare with, which would
        // take longer than the search of a quick move.
        let mut children: Vec<usize> = self.nodes[0].children().collect();
        children.sort_by_key(|&child| std::cmp::Reverse(self.nodes[child].visits));
        if let Some(&child) =
            children.iter().find(|&&child| after(root, child).as_ref() == Some(position))
        {
            return Some(child);
        }
        let mut compared = children.len();
        for child in children {
            let next = after(root, child)?;
            let mut grandchildren = self.nodes[child].children();
            compared += grandchildren.len();
            let found = grandchildren.find(|&node| after(&next, node).as_ref() == Some(position));
            if found.is_some() || compared > MAX_COMPARED {
                return found;
            }
        }
        None
    }

    /// Whether nothing is left to find: the root's result is proven and, where several lines are
    /// wanted, that of every move.
    pub(crate) fn is_settled(&self, lines: usize) -> bool {
        let is_open = |node: usize| self.nodes[node].status == NodeStatus::Open;
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

    /// The first move of the root that nobody tries, if all are to be tried.
    pub(super) fn untried(&self, node: usize) -> Option<usize> {
        let mut children = self.nodes[node].children();
        let is_untried = |&child: &usize| {
            self.nodes[child].tries() == 0 && self.nodes[child].status == NodeStatus::Open
        };
        (node == 0 && self.tries_all).then(|| children.find(is_untried))?
    }

    /// Whether every move of the root has been tried.
    pub(crate) fn has_tried_all(&self) -> bool {
        let children = &self.nodes[self.nodes[0].children()];
        children.iter().all(|child| child.visits > 0 || child.status != NodeStatus::Open)
    }

    /// How deep the tree is.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// One simulation: selects a leaf, plays from there to the end, and backs up the result. If several
    /// lines are asked for, moves that are still open are tried although the best one is proven.
    pub(crate) fn simulate(&mut self, evaluator: &impl Evaluator<P, State = ()>, lines: usize) {
        let Some(mut position) = self.root.clone() else { return };
        let mut path = self.new_path(&position);
        let mut node = 0;
        loop {
            let is_proven = self.nodes[node].status != NodeStatus::Open;
            if is_proven && (node != 0 || lines <= 1) {
                break;
            }
            if self.nodes[node].count == 0 {
                let visits = self.nodes[node].visits;
                if (visits < self.options.expand_after && node != 0)
                    || !self.expand(node, &position)
                {
                    break;
                }
            }
            let side = position.side_to_move();
            node = match self.untried(node) {
                Some(child) => child,
                None => self.select(node, is_proven),
            };
            let Some(mv) = self.nodes[node].mv else { break };
            self.mark_used(side, self.nodes[node].history_index as usize);
            position.play_unchecked(mv);
            path.push((node, side));
        }
        let (last, mover) = path[path.len() - 1];
        let first_share = match self.known_share(last, mover, &position) {
            Some(share) => share,
            None => self.play_out(position, evaluator),
        };
        self.back_up(&path, first_share);
        self.path = path;
    }

    /// The path of a new simulation, which begins at the root.
    pub(super) fn new_path(&mut self, root: &P) -> Vec<(usize, Side)> {
        self.simulation += 1;
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        path.push((0, root.side_to_move().other()));
        path
    }

    fn mark_used(&mut self, side: Side, history_index: usize) {
        self.used[side.index()][history_index] = self.simulation;
    }

    /// The first player's share of the result from a leaf on, if it is proven or the game is over.
    pub(super) fn known_share(&mut self, leaf: usize, mover: Side, position: &P) -> Option<f32> {
        let own = match self.nodes[leaf].status {
            NodeStatus::Open => {
                let outcome = position.outcome()?;
                if self.options.solver {
                    self.nodes[leaf].status = match outcome.winner {
                        None => NodeStatus::Drawn,
                        Some(winner) if winner == mover => NodeStatus::Won,
                        Some(_) => NodeStatus::Lost,
                    };
                }
                return Some(share(outcome, Side::First));
            }
            NodeStatus::Won => 1.0,
            NodeStatus::Lost => 0.0,
            NodeStatus::Drawn => 0.5,
        };
        Some(if mover == Side::First { own } else { 1.0 - own })
    }

    /// The first player's share of the result of a playout.
    fn play_out(&mut self, mut position: P, evaluator: &impl Evaluator<P, State = ()>) -> f32 {
        let (used, simulation) = (&mut self.used, self.simulation);
        playout(&mut position, &self.options, evaluator, &mut self.rng, |side, history_index| {
            used[side.index()][history_index] = simulation;
        })
    }

    /// Reserves memory for some children of a node, if there is room. The root always has room.
    fn make_room(&mut self, count: usize, parent: usize) -> bool {
        let start = self.nodes.len();
        let needed = start + count;
        if needed > self.max_nodes && parent != 0 {
            self.is_full = true;
            return false;
        }
        if needed > self.nodes.capacity() {
            // By doubling, but never beyond the limit.
            let capacity = (2 * self.nodes.capacity()).min(self.max_nodes).max(needed);
            self.nodes.reserve_exact(capacity - start);
        }
        true
    }

    /// Expands a leaf, if there is room. Returns whether it has children.
    pub(super) fn expand(&mut self, leaf: usize, position: &P) -> bool {
        self.moves.clear();
        position.generate(&mut self.moves);
        let start = self.nodes.len();
        if !self.make_room(self.moves.len(), leaf) {
            return false;
        }
        for index in 0..self.moves.len() {
            let mv = self.moves[index];
            let history_index = position.history_index(mv);
            let last_resort = index + 1 == self.moves.len() && self.nodes.len() == start;
            if !last_resort && self.oversight.overlooks(position, mv) {
                continue;
            }
            let mut node = Node::new(Some(mv), history_index);
            if self.options.priors > 0.0 {
                // The prior reads the ordering score as points.
                let share = Score::points(position.ordering_score(mv)).win_probability() as f32;
                node.shared_visits = self.options.priors;
                node.shared_sum = self.options.priors * share;
            }
            self.nodes.push(node);
        }
        self.nodes[leaf].children = start as u32;
        self.nodes[leaf].count = (self.nodes.len() - start) as u32;
        self.nodes.len() > start
    }

    /// The child to visit: the one with the best mean of its own and shared results, with a bonus for
    /// few visits. With `open_only`, proven children are left out.
    fn select(&self, parent: usize, open_only: bool) -> usize {
        let node = &self.nodes[parent];
        let log = ((node.visits + 1) as f32).ln();
        let TreeSearchOptions { exploration, sharing, .. } = self.options;
        let mut best = node.children as usize;
        let mut best_value = f32::NEG_INFINITY;
        for child in node.children() {
            let n = &self.nodes[child];
            if open_only && n.status != NodeStatus::Open {
                continue;
            }
            let value = match n.status {
                NodeStatus::Won => return child,
                NodeStatus::Lost => -1.0 + f32::from(n.turns) * 1e-4,
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

    /// Adds a result to all nodes on the path, and proves what can be proven from it.
    pub(super) fn back_up(&mut self, path: &[(usize, Side)], first_share: f32) {
        self.depth = self.depth.max(path.len() as u32 - 1);
        for (place, &(node, mover)) in path.iter().enumerate().rev() {
            let own = if mover == Side::First { first_share } else { 1.0 - first_share };
            self.nodes[node].add(own);
            let children = self.nodes[node].children();
            if self.options.sharing > 0.0 {
                let used = &self.used[mover.other().index()];
                let simulation = self.simulation;
                for child in &mut self.nodes[children.clone()] {
                    if used[child.history_index as usize] == simulation {
                        child.add_shared(1.0 - own);
                    }
                }
            }
            if self.options.solver && place + 1 < path.len() {
                self.prove(node, path[place + 1].0);
            }
        }
    }

    /// Proves a node if the child just visited allows it.
    fn prove(&mut self, node: usize, visited: usize) {
        if self.nodes[node].status != NodeStatus::Open {
            return;
        }
        match self.nodes[visited].status {
            NodeStatus::Open => {}
            NodeStatus::Won => {
                self.nodes[node].status = NodeStatus::Lost;
                self.nodes[node].turns = self.nodes[visited].turns + 1;
            }
            NodeStatus::Drawn | NodeStatus::Lost => {
                let children = &self.nodes[self.nodes[node].children()];
                if self.nodes[node].is_narrow
                    || children.iter().any(|child| child.status == NodeStatus::Open)
                {
                    return;
                }
                let longest = children.iter().map(|child| child.turns).max().unwrap_or(0);
                let drawn = children.iter().any(|child| child.status == NodeStatus::Drawn);
                self.nodes[node].status = if drawn { NodeStatus::Drawn } else { NodeStatus::Won };
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
        match node.status {
            NodeStatus::Won => (1_000_000 - i32::from(node.turns), node.visits),
            NodeStatus::Lost => (i32::from(node.turns) - 1_000_000, node.visits),
            _ => (0, node.visits),
        }
    }

    /// The value of a move of the root.
    fn score_of(&self, child: usize) -> Score {
        let node = &self.nodes[child];
        let turns = u32::from(node.turns) + 1;
        match node.status {
            NodeStatus::Won => Score::win_in(turns),
            NodeStatus::Lost => Score::loss_in(turns),
            NodeStatus::Drawn => Score::EVEN,
            // What is known of the root holds for a move that nobody has tried yet.
            NodeStatus::Open if node.visits == 0 => {
                Score::from_probability(1.0 - f64::from(self.nodes[0].mean()))
            }
            NodeStatus::Open => Score::from_probability(f64::from(node.mean())),
        }
    }
}

/// A move of the root, with what all trees say of it.
struct RootMove<M> {
    mv: M,
    /// As [`Tree::order`] has it, the visits added up.
    order: (i32, u32),
    sum: f64,
    prior: f32,
    /// A tree that knows most about it, and its node there.
    tree: usize,
    child: usize,
}

/// The best lines of some trees with the same root, and the greatest depth.
pub(super) type Summary<M> = (Vec<ScoredLine<M>>, u32);

/// Looks for the best lines of some trees with the same root. Visits are added up.
pub(super) fn summary<P: Knowledge>(trees: &[&Tree<P>], lines: usize) -> Summary<P::Move> {
    let mut moves: Vec<RootMove<P::Move>> = Vec::new();
    for (tree, number) in trees.iter().zip(0..) {
        for child in tree.nodes[0].children() {
            let node = &tree.nodes[child];
            let Some(mv) = node.mv else { continue };
            let order = tree.order(child);
            match moves.iter_mut().find(|known| known.mv == mv) {
                None => {
                    let (sum, prior) = (node.sum, node.prior);
                    moves.push(RootMove { mv, order, sum, prior, tree: number, child });
                }
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
    // Among moves tried equally often, the one that did better comes first, then the more likely one.
    moves.sort_by(|a, b| {
        let by_results = b.order.cmp(&a.order).then(b.sum.total_cmp(&a.sum));
        by_results.then(b.prior.total_cmp(&a.prior))
    });
    let found =
        moves.into_iter().take(lines.max(1)).map(|RootMove { order, sum, tree, child, .. }| {
            let tree = trees[tree];
            let is_open = tree.nodes[child].status == NodeStatus::Open;
            let score = if order.0 != 0 || !is_open || order.1 == 0 {
                tree.score_of(child)
            } else {
                Score::from_probability(sum / f64::from(order.1))
            };
            ScoredLine { score, line: tree.line_from(child) }
        });
    let found = found.collect();
    (found, trees.iter().map(|tree| tree.depth).max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_rules::{Position as _, palisade};

    /// A search of a few milliseconds does not spend them on taking over a large tree.
    #[test]
    fn a_kept_tree_is_bounded() {
        let size = palisade::Size::new(5).unwrap();
        let mut position = palisade::Position::start(size);
        let weights = crate::Weights::of::<palisade::Position>(size);
        let (options, oversight) = (TreeSearchOptions::default(), Oversight::default());
        let mut tree = Tree::new(64 << 20);
        tree.rebase(&position, options, oversight, 0, usize::MAX);
        for _ in 0..10_000 {
            tree.simulate(&weights, 1);
        }
        position.play_unchecked(summary(&[&tree], 1).0[0].line[0]);
        let mut bounded =
            Tree { nodes: tree.nodes.clone(), root: tree.root, ..Tree::new(64 << 20) };
        tree.rebase(&position, options, oversight, 0, usize::MAX);
        bounded.rebase(&position, options, oversight, 0, 300);
        assert!(tree.nodes.len() > 1_000, "{} nodes", tree.nodes.len());
        assert!(bounded.nodes.len() < 300 + 25, "{} nodes", bounded.nodes.len());
        assert_eq!(bounded.nodes[0].visits, tree.nodes[0].visits);
        for _ in 0..500 {
            bounded.simulate(&weights, 1);
        }
        let (found, _) = summary(&[&bounded], 1);
        assert!(position.is_legal(found[0].line[0]));
    }

    /// However little may be kept, there is a move: also where the result is proven, so that nothing is searched.
    #[test]
    fn a_kept_root_has_moves() {
        let size = palisade::Size::new(3).unwrap();
        let weights = crate::Weights::of::<palisade::Position>(size);
        let (options, oversight) = (TreeSearchOptions::default(), Oversight::default());
        for number in 0..20 {
            let mut position = palisade::Position::start(size);
            let mut tree = Tree::new(1 << 20);
            let mut is_proven = false;
            while position.outcome().is_none() {
                tree.rebase(&position, options, oversight, number, 1);
                for _ in 0..if tree.is_settled(1) { 1 } else { 300 } {
                    tree.simulate(&weights, 1);
                }
                is_proven |= tree.is_settled(1);
                let (found, _) = summary(&[&tree], 1);
                assert!(position.is_legal(found[0].line[0]), "{position:?}");
                position.play_unchecked(found[0].line[0]);
            }
            assert!(is_proven);
        }
    }

    /// The limit holds while a tree grows, when it is full and when its root moves on.
    #[test]
    fn a_tree_keeps_to_its_memory() {
        let size = palisade::Size::new(9).unwrap();
        let mut position = palisade::Position::start(size);
        let weights = crate::Weights::of::<palisade::Position>(size);
        let max_bytes = 256 << 10;
        let mut tree = Tree::new(max_bytes);
        let bytes = Tree::<palisade::Position>::bytes;
        for _ in 0..3 {
            let options = TreeSearchOptions::default();
            tree.rebase(&position, options, Oversight::default(), 0, usize::MAX);
            assert!(bytes(&tree) <= max_bytes / 3 * 2, "{} bytes kept", bytes(&tree));
            let before = tree.nodes[0].visits;
            for _ in 0..3_000 {
                tree.recycle(|| false);
                tree.simulate(&weights, 1);
            }
            assert_eq!(tree.nodes[0].visits, before + 3_000);
            assert!(tree.nodes.len() > tree.max_copied() - 81, "{} nodes", tree.nodes.len());
            assert!(tree.generation > 0, "it was never full");
            assert!(bytes(&tree) <= max_bytes / 3 * 2, "{} bytes", bytes(&tree));
            position.play_unchecked(summary(&[&tree], 1).0[0].line[0]);
        }
    }

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
