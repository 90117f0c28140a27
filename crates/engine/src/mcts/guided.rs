//! The tree search when a policy network guides it: every leaf is judged by the network, whose priors
//! decide which moves are looked at, and no games are played out (PUCT).
//!
//! A simulation has two halves, [`Tree::descend`] and [`Tree::settle`], so that the leaves of many trees
//! can be judged at once, and so that several threads can search one tree: each judges a leaf of its own.

use stoa_rules::Side;
use stoa_rules::playout::Rng;

use super::Tree;
use super::tree::NodeStatus;
use crate::Knowledge;
use crate::policy::{Judgement, LOGIT_ONE, exp};

/// How much of the root's priors is noise in games that are learned from.
const NOISE: f32 = 0.25;

/// How much less than its parent a move promises that has not been looked at, if all others have been.
const UNVISITED_LOSS: f32 = 0.2;

/// How many children a node gets at first: its likeliest moves. Most nodes are never visited again, and all the moves of
/// a large board take a lot of memory.
const FIRST_CHILDREN: usize = 8;

/// After how many visits a node gets its other children, too.
const WIDENING_VISITS: u32 = 16;

/// After how many visits a node waits for its other children no longer: nobody goes below it until it has them.
const MAX_NARROW_VISITS: u32 = 2 * WIDENING_VISITS;

/// A selected leaf that waits to be judged.
pub(crate) struct Leaf<P> {
    position: P,
    /// That of the tree when it was selected.
    generation: u32,
    path: Vec<(usize, Side)>,
}

impl<P> Leaf<P> {
    /// What is to be judged.
    pub(crate) fn position(&self) -> &P {
        &self.position
    }
}

impl<P: Knowledge> Tree<P> {
    /// Selects a leaf. Returns it if it must be judged, and nothing if its value was known. Until it is
    /// settled its path counts as lost for those who go there, so that other threads look elsewhere.
    pub(crate) fn descend(&mut self, lines: usize) -> Option<Leaf<P>> {
        let mut position = self.root.clone()?;
        let mut path = self.new_path(&position);
        let mut node = 0;
        loop {
            let is_proven = self.nodes[node].status != NodeStatus::Open;
            if (is_proven && (node != 0 || lines <= 1))
                || self.nodes[node].count == 0
                || self.can_widen(node)
                || (self.nodes[node].visits >= MAX_NARROW_VISITS && self.is_due(node))
            {
                break;
            }
            let side = position.side_to_move();
            node = match self.untried(node) {
                Some(child) => child,
                None => self.select_guided(node, is_proven),
            };
            let Some(mv) = self.nodes[node].mv else { break };
            position.play_unchecked(mv);
            path.push((node, side));
        }
        let (last, mover) = path[path.len() - 1];
        // Where several lines are wanted, the root gets all its moves although its own value is known.
        let is_wanted = last == 0 && lines > 1 && self.nodes[0].is_narrow;
        if !is_wanted && let Some(share) = self.known_share(last, mover, &position) {
            self.back_up(&path, share);
            self.path = path;
            return None;
        }
        for &(node, _) in &path {
            self.nodes[node].pending += 1;
        }
        Some(Leaf { position, generation: self.generation, path })
    }

    /// Expands a leaf, if nobody has done so meanwhile, and backs up what the network says of it. If nodes have been
    /// moved since it was selected, it is forgotten.
    pub(crate) fn settle(&mut self, leaf: Leaf<P>, judgement: &Judgement) {
        let Leaf { position, generation, path } = leaf;
        if generation != self.generation {
            return;
        }
        for &(node, _) in &path {
            self.nodes[node].pending -= 1;
        }
        let (last, _) = path[path.len() - 1];
        if self.nodes[last].count == 0 {
            if self.expand(last, &position) {
                self.set_priors(last, &position, judgement);
                self.narrow(last);
            }
        } else if self.can_widen(last) {
            self.widen(last, &position, judgement);
        }
        let own = win_probability(judgement.value);
        let first_share = if position.side_to_move() == Side::First { own } else { 1.0 - own };
        self.back_up(&path, first_share);
        self.path = path;
    }

    /// Gives up a leaf that nobody will judge.
    pub(crate) fn abandon(&mut self, leaf: Leaf<P>) {
        if leaf.generation == self.generation {
            for (node, _) in leaf.path {
                self.nodes[node].pending -= 1;
            }
        }
    }

    /// Leaves a node its likeliest moves only. It was expanded last.
    fn narrow(&mut self, parent: usize) {
        let children = self.nodes[parent].children();
        if parent == 0 || children.len() <= FIRST_CHILDREN {
            return;
        }
        for place in children.start..children.start + FIRST_CHILDREN {
            let likeliest = (place..children.end)
                .reduce(|a, b| if self.nodes[b].prior > self.nodes[a].prior { b } else { a });
            self.nodes.swap(place, likeliest.unwrap_or(place));
        }
        self.nodes.truncate(children.start + FIRST_CHILDREN);
        self.nodes[parent].count = FIRST_CHILDREN as u32;
        self.nodes[parent].is_narrow = true;
    }

    /// Whether it is time for a node to get its other children: it is visited often, nothing else is left, or it has
    /// become the root.
    fn is_due(&self, node: usize) -> bool {
        let children = &self.nodes[self.nodes[node].children()];
        self.nodes[node].is_narrow
            && (node == 0
                || self.nodes[node].visits >= WIDENING_VISITS
                || children.iter().all(|child| child.status != NodeStatus::Open))
    }

    /// Whether a node gets its other children now. While others are below it its children cannot be moved, so it has to
    /// wait; as there is nearly always somebody below a node that is visited often, [`Tree::descend`] ends there in the
    /// end.
    fn can_widen(&self, node: usize) -> bool {
        self.is_due(node)
            && self.nodes[self.nodes[node].children()].iter().all(|child| child.pending == 0)
    }

    /// Gives a node all its children. Those it has keep what they know.
    fn widen(&mut self, parent: usize, position: &P, judgement: &Judgement) {
        let known: Vec<_> = self.nodes[self.nodes[parent].children()].to_vec();
        if !self.expand(parent, position) {
            return;
        }
        self.nodes[parent].is_narrow = false;
        self.set_priors(parent, position, judgement);
        let children = self.nodes[parent].children();
        for child in &mut self.nodes[children] {
            if let Some(old) = known.iter().find(|old| old.mv == child.mv) {
                let prior = child.prior;
                *child = *old;
                child.prior = prior;
            }
        }
    }

    /// How many simulations the root has had.
    pub(crate) fn root_visits(&self) -> u32 {
        self.nodes[0].visits
    }

    /// The share that the simulations gave the player who moved to the root.
    pub(crate) fn root_share(&self) -> f32 {
        self.nodes[0].mean()
    }

    /// The root's moves with their visits. Of proven moves, a winning one has all visits.
    pub(crate) fn root_moves(&self) -> Vec<(P::Move, u32)> {
        let children = &self.nodes[self.nodes[0].children()];
        let wins = children.iter().any(|child| child.status == NodeStatus::Won);
        let visits = |status, visits| match status {
            NodeStatus::Won => 1 + visits,
            NodeStatus::Lost => 0,
            _ if wins => 0,
            _ => visits,
        };
        let moves = children
            .iter()
            .filter_map(|child| child.mv.map(|mv| (mv, visits(child.status, child.visits))));
        moves.collect()
    }

    /// Mixes noise into the root's priors: a few moves get most of it.
    pub(crate) fn add_noise(&mut self, rng: &mut Rng) {
        let children = self.nodes[0].children();
        let weights: Vec<f32> = children
            .clone()
            .map(|_| {
                let uniform = (rng.below(1 << 20) + 1) as f32 / (1 << 20) as f32;
                // An exponential number to the fourth power.
                uniform.ln().powi(4)
            })
            .collect();
        let sum: f32 = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for (child, weight) in self.nodes[children].iter_mut().zip(weights) {
            child.prior = (1.0 - NOISE) * child.prior + NOISE * weight / sum;
        }
    }

    /// The priors of a node's children: the network's logits, as probabilities.
    fn set_priors(&mut self, parent: usize, position: &P, judgement: &Judgement) {
        let children = self.nodes[parent].children();
        let children = &mut self.nodes[children];
        let mut most = i32::MIN;
        for child in children.iter_mut() {
            let Some(mv) = child.mv else { continue };
            most = most.max(judgement.policy[position.grid_cell(mv)]);
        }
        let mut sum = 0.0;
        for child in children.iter_mut() {
            let Some(mv) = child.mv else { continue };
            let logit = judgement.policy[position.grid_cell(mv)];
            child.prior = exp((logit.saturating_sub(most)) as f32 / LOGIT_ONE as f32);
            sum += child.prior;
        }
        for child in children {
            child.prior /= sum;
        }
    }

    /// The child to visit: the one with the best mean, with a bonus for a high prior and few visits, in
    /// which those that are not settled yet count as lost. With `open_only`, proven children are left out.
    fn select_guided(&self, parent: usize, open_only: bool) -> usize {
        let node = &self.nodes[parent];
        let children = &self.nodes[node.children()];
        let seen: f32 =
            children.iter().filter(|child| child.tries() > 0).map(|child| child.prior).sum();
        let unvisited = 1.0 - node.mean() - UNVISITED_LOSS * seen.sqrt();
        let exploration = self.options.exploration * (node.tries() as f32).sqrt();
        let (mut best, mut best_value) = (0, f32::NEG_INFINITY);
        for (index, child) in children.iter().enumerate() {
            if open_only && child.status != NodeStatus::Open {
                continue;
            }
            let value = match child.status {
                NodeStatus::Won => {
                    best = index;
                    break;
                }
                NodeStatus::Lost => -1.0 + f32::from(child.turns) * 1e-4,
                NodeStatus::Open | NodeStatus::Drawn => {
                    let tries = child.tries();
                    let mean = if tries == 0 { unvisited } else { child.mean_of_tries() };
                    mean + exploration * child.prior / (1.0 + tries as f32)
                }
            };
            if value > best_value {
                (best, best_value) = (index, value);
            }
        }
        node.children().start + best
    }
}

/// The probability that a logit stands for.
pub(crate) fn win_probability(logit: i32) -> f32 {
    let size = exp(-(logit.unsigned_abs() as f32) / LOGIT_ONE as f32);
    let likely = 1.0 / (1.0 + size);
    if logit >= 0 { likely } else { 1.0 - likely }
}

#[cfg(test)]
mod tests {
    use stoa_rules::Position as _;
    use stoa_rules::palisade::{Position, Size};

    use super::super::tree::Node;
    use super::*;
    use crate::mcts::TreeSearchOptions;
    use crate::policy::PolicyNet;
    use crate::policy::tests::random_file;

    /// Nodes that are visited once or twice have few children, and nothing that the others found out is lost when they
    /// get the rest.
    #[test]
    fn nodes_get_all_children_when_they_are_visited_often() {
        let size = Size::new(7).unwrap();
        let file = random_file(32, 1, &mut Rng::new(8));
        let net = PolicyNet::read::<Position>(&file, stoa_rules::Game::Palisade(size)).unwrap();
        let mut room = net.room();
        let start = Position::start(size);
        let mut tree = Tree::new(1 << 22);
        tree.begin(&start, TreeSearchOptions::GUIDED);
        for _ in 0..3_000 {
            if let Some(leaf) = tree.descend(1) {
                let judgement = net.judge(leaf.position(), 0, &mut room);
                tree.settle(leaf, judgement);
            }
        }
        let (mut narrow, mut wide) = (0, 0);
        let mut waiting = vec![(0, start)];
        while let Some((number, position)) = waiting.pop() {
            let node = &tree.nodes[number];
            let children = &tree.nodes[node.children()];
            if children.is_empty() {
                continue;
            }
            // A visit expands the node, another one widens it, and all others go on to a child.
            let below: u32 = children.iter().map(|child| child.visits).sum();
            if node.is_narrow {
                narrow += 1;
                assert_eq!(children.len(), FIRST_CHILDREN);
                assert!(node.visits <= WIDENING_VISITS, "{} visits", node.visits);
                assert_eq!(below + 1, node.visits);
            } else {
                wide += 1;
                assert_eq!(children.len(), position.count_moves());
                let own = node.visits - below;
                assert!(own == 1 || (own == 2 && node.visits > WIDENING_VISITS), "{own}");
                let priors: f32 = children.iter().map(|child| child.prior).sum();
                assert!((priors - 1.0).abs() < 1e-3, "{priors}");
            }
            for child in node.children() {
                let mut next = position;
                next.play_unchecked(tree.nodes[child].mv.unwrap());
                waiting.push((child, next));
            }
        }
        assert!(narrow > 100 && wide > 20, "{narrow} narrow, {wide} wide");
    }

    /// Below a node that is visited often there may always be somebody. It gets all its children nevertheless.
    #[test]
    fn nodes_get_all_children_also_while_others_search() {
        let start = Position::start(Size::new(7).unwrap());
        let mut tree = Tree::new(1 << 22);
        tree.begin(&start, TreeSearchOptions::GUIDED);
        let judgement = Judgement { policy: vec![0; 49], value: 0 };
        // The root's first child; one leaf below it is always on its way.
        let busy = 1;
        let mut on_its_way: Option<Leaf<Position>> = None;
        for _ in 0..10_000 {
            let Some(leaf) = tree.descend(1) else { continue };
            let is_below = leaf.path.iter().any(|&(node, _)| node == busy);
            let settled = if is_below { on_its_way.replace(leaf) } else { Some(leaf) };
            if let Some(leaf) = settled {
                tree.settle(leaf, &judgement);
            }
        }
        let Node { visits, is_narrow, .. } = tree.nodes[busy];
        assert!(visits > 2 * MAX_NARROW_VISITS && !is_narrow, "{visits} visits, {is_narrow}");
        tree.abandon(on_its_way.unwrap());
        assert_eq!(tree.pending(), 0);
    }

    /// Where several lines are wanted, a root that was proven before it had all its moves gets them.
    #[test]
    fn a_proven_root_gets_all_its_moves() {
        let size = Size::new(5).unwrap();
        let file = random_file(32, 1, &mut Rng::new(8));
        let net = PolicyNet::read::<Position>(&file, stoa_rules::Game::Palisade(size)).unwrap();
        let mut room = net.room();
        let mut tree = Tree::new(1 << 22);
        tree.begin(&Position::start(size), TreeSearchOptions::GUIDED);
        let root = tree.descend(2).unwrap();
        tree.settle(root, net.judge(&Position::start(size), 0, &mut room));
        tree.nodes[0].is_narrow = true;
        tree.nodes[0].count = FIRST_CHILDREN as u32;
        tree.nodes[0].status = NodeStatus::Lost;
        let root = tree.descend(2).expect("it is judged again");
        tree.settle(root, net.judge(&Position::start(size), 0, &mut room));
        assert_eq!(tree.nodes[0].count as usize, Position::start(size).count_moves());
        assert_eq!(tree.nodes[0].status, NodeStatus::Lost);
    }
}
