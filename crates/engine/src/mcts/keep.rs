//! What a tree keeps of its nodes: when its root moves on, and when it is full.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Tree;
use super::tree::NodeStatus;
use crate::Knowledge;

impl<P: Knowledge> Tree<P> {
    /// The most nodes that are copied. Together with the list of those that wait to be copied they fit into half of the
    /// tree's own memory.
    pub(super) fn max_copied(&self) -> usize {
        self.max_nodes / 5 * 2
    }

    /// Makes room if the last expansion found none: forgets what lies below the nodes that were visited least. What is
    /// known of these nodes themselves is kept, and below them the tree grows again. In a large tree that takes a
    /// while, so it is given up, and the tree stays as it is, when the search must end.
    pub(crate) fn recycle(&mut self, must_end: impl Fn() -> bool) {
        let at_least = 1 + self.nodes[0].children().len();
        if std::mem::take(&mut self.is_full) && self.nodes.len() > self.max_copied().max(at_least) {
            self.keep(0, self.max_copied(), must_end);
        }
    }

    /// Makes a node the root, and forgets everything outside its subtree. Of that it keeps the root's children and,
    /// beginning with the children of open nodes that were visited most, at most `max_kept` nodes. Nothing happens if
    /// it must end meanwhile.
    pub(super) fn keep(&mut self, index: usize, max_kept: usize, must_end: impl Fn() -> bool) {
        /// After how many nodes whose children were copied it looks whether it must end: a fraction of a millisecond.
        const NODES_A_CHECK: u32 = 100;
        let at_least = 1 + self.nodes[index].children().len();
        let mut kept = Vec::with_capacity(max_kept.max(at_least).min(self.nodes.len()));
        kept.push(self.nodes[index]);
        let mut waiting = BinaryHeap::from([(u32::MAX, Reverse(0))]);
        let mut has_room = true;
        let mut until_check = NODES_A_CHECK;
        while let Some((_, Reverse(number))) = waiting.pop() {
            until_check -= 1;
            if until_check == 0 {
                if must_end() {
                    return;
                }
                until_check = NODES_A_CHECK;
            }
            let start = kept.len() as u32;
            let node = &mut kept[number as usize];
            let children = node.children();
            has_room &= number == 0 || start as usize + children.len() <= max_kept;
            if !has_room {
                (node.children, node.count, node.is_narrow) = (0, 0, false);
                continue;
            }
            node.children = start;
            kept.extend_from_slice(&self.nodes[children]);
            for (child, number) in kept[start as usize..].iter_mut().zip(start..) {
                child.pending = 0;
                if child.count > 0 {
                    // Nothing is looked for below a proven node.
                    let is_open = child.status == NodeStatus::Open;
                    waiting.push((if is_open { child.visits } else { 0 }, Reverse(number)));
                }
            }
        }
        kept[0].pending = 0;
        // In the memory that is there: another allocation of this size takes longer than copying once more.
        self.nodes.clear();
        self.nodes.extend_from_slice(&kept);
        self.generation = self.generation.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use stoa_rules::Position as _;
    use stoa_rules::palisade::{Position, Size};
    use stoa_rules::playout::Rng;

    use super::super::tree::Node;
    use super::*;
    use crate::Weights;
    use crate::level::Oversight;
    use crate::mcts::TreeSearchOptions;
    use crate::policy::{Judgement, LOGIT_ONE};

    type Move = <Position as stoa_rules::Position>::Move;

    /// Likes some positions better than others, always the same ones.
    fn judged(position: &Position) -> Judgement {
        let value = Rng::new(position.key()).below(4 * LOGIT_ONE as usize) as i32 - 2 * LOGIT_ONE;
        Judgement { policy: vec![0; 25], value }
    }

    /// A tree with room for so many nodes in which the result of a position has been proven.
    fn proven(position: &Position, nodes: usize, is_guided: bool) -> Tree<Position> {
        let weights = Weights::of::<Position>(position.size());
        let options =
            if is_guided { TreeSearchOptions::GUIDED } else { TreeSearchOptions::default() };
        let max_bytes = nodes * size_of::<Node<Move>>() * 3 / 2;
        let mut tree = Tree::new(max_bytes);
        tree.rebase(position, options, Oversight::default(), 0, usize::MAX);
        let mut simulations = 0;
        while !tree.is_settled(1) {
            simulations += 1;
            tree.recycle(|| false);
            assert!(simulations < 1_000_000, "nothing is proven with {nodes} nodes");
            if !is_guided {
                tree.simulate(&weights, 1);
            } else if let Some(leaf) = tree.descend(1) {
                let judgement = judged(leaf.position());
                tree.settle(leaf, &judgement);
            }
            assert!(tree.bytes() <= max_bytes * 2 / 3, "{} bytes", tree.bytes());
        }
        tree
    }

    /// What needs many nodes to be proven is proven in a tree that has room for few of them, too.
    #[test]
    fn a_full_tree_goes_on_improving() {
        for is_guided in [false, true] {
            let position = Position::start(Size::new(3).unwrap());
            let large = proven(&position, 10_000_000, is_guided);
            for share in [2, 4, 8] {
                let small = proven(&position, large.nodes.len() / share, is_guided);
                assert_eq!(small.nodes[0].status, large.nodes[0].status);
                assert!(small.generation > 0);
            }
        }
    }

    /// Making room is given up when the search must end, and the tree is as it was.
    #[test]
    fn a_search_that_must_end_makes_no_room() {
        let position = Position::start(Size::new(5).unwrap());
        let mut tree = Tree::new(1 << 22);
        tree.rebase(&position, TreeSearchOptions::GUIDED, Oversight::default(), 0, usize::MAX);
        while !tree.is_full {
            if let Some(leaf) = tree.descend(1) {
                let judgement = judged(leaf.position());
                tree.settle(leaf, &judgement);
            }
        }
        let (nodes, visits) = (tree.nodes.len(), tree.root_visits());
        tree.recycle(|| true);
        assert_eq!((tree.nodes.len(), tree.generation), (nodes, 0));
        // It can still be searched, and room is made when there is time again.
        while !tree.is_full {
            if let Some(leaf) = tree.descend(1) {
                let judgement = judged(leaf.position());
                tree.settle(leaf, &judgement);
            }
        }
        assert!(tree.root_visits() > visits);
        tree.recycle(|| false);
        assert!(tree.nodes.len() < nodes && tree.generation == 1);
    }

    /// Nodes that were visited more keep their children rather than those that were visited less, and nothing that is
    /// known of a kept node is lost.
    #[test]
    fn the_most_visited_nodes_are_kept() {
        let position = Position::start(Size::new(5).unwrap());
        let mut tree = Tree::new(1 << 22);
        tree.rebase(&position, TreeSearchOptions::GUIDED, Oversight::default(), 0, usize::MAX);
        for _ in 0..5_000 {
            if let Some(leaf) = tree.descend(1) {
                let judgement = judged(leaf.position());
                tree.settle(leaf, &judgement);
            }
        }
        let before = tree.nodes.clone();
        let on_its_way = tree.descend(1).unwrap();
        tree.keep(0, 500, || false);
        assert!(tree.nodes.len() > 450 && tree.nodes.len() <= 500, "{} nodes", tree.nodes.len());
        let (mut least, mut most) = (u32::MAX, 0);
        let mut waiting = vec![(0, 0)];
        while let Some((old, new)) = waiting.pop() {
            let (was, is) = (&before[old], &tree.nodes[new]);
            assert_eq!((was.mv, was.visits, was.mean()), (is.mv, is.visits, is.mean()));
            assert_eq!((was.status, was.turns, was.prior), (is.status, is.turns, is.prior));
            assert!(is.count == was.count || (is.count == 0 && !is.is_narrow));
            if was.status != NodeStatus::Open {
                continue;
            }
            if is.count > 0 && old != 0 {
                least = least.min(is.visits);
            } else if was.count > 0 && old != 0 {
                most = most.max(was.visits);
            }
            waiting.extend(was.children().zip(is.children()));
        }
        assert!(most > 0 && least < u32::MAX && least >= most, "{least} kept, {most} not");
        // What was on its way when nodes were moved leaves no trace.
        assert_eq!(tree.pending(), 0);
        let visits = tree.root_visits();
        tree.settle(on_its_way, &judged(&position));
        assert_eq!((tree.pending(), tree.root_visits()), (0, visits));
    }
}
