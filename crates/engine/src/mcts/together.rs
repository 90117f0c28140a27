//! A tree that a network guides, grown with the help of engines that share no memory with this one.
//!
//! The leader has the tree. Whenever a helper has room, it gets the board of a leaf; meanwhile the leader judges one
//! itself. Judging takes nearly all the time, so each helper makes the search about as much quicker as a thread would.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{Bounds, Leaf, Reports, Search, Tree};
use crate::crew::{Answer, Crew, MAX_LEAVES};
use crate::limits::Stop;
use crate::policy::{Judgement, MAX_CELLS, PolicyNet};
use crate::{Evaluator, Knowledge};

/// How many leaves the leader judges itself while it waits for a helper: one that takes longer was ended by the page.
/// Simulations that end at a known result do not count. They take no time.
const MAX_LEAVES_WAITED: u64 = 32;

/// A leaf that a helper was asked to judge.
struct Asked<P> {
    number: u32,
    leaf: Leaf<P>,
    /// How many leaves of its own the leader had judged.
    since: u64,
}

impl<P: Knowledge, E: Evaluator<P, State = ()>> Search<'_, P, E> {
    /// Grows a tree until a limit is reached or its root is proven.
    pub(super) fn lead(
        &self,
        tree: &mut Tree<P>,
        (net, crew): (&PolicyNet, &Crew),
        played: &AtomicU64,
        reports: &mut Reports<'_, P>,
    ) {
        let bounds = Bounds::of(self);
        let done = Stop::new();
        let mut room = net.room();
        let mut cells = [0; MAX_CELLS];
        let mut judged = Judgement { policy: Vec::new(), value: 0 };
        let mut asked: [Option<Asked<P>>; MAX_LEAVES] = std::array::from_fn(|_| None);
        let mut number = 0;
        // How many leaves the leader has judged itself.
        let mut own = 0;
        loop {
            let mut total = played.load(Ordering::Relaxed);
            tree.recycle(|| bounds.are_up(&done));
            for (place, asked) in asked.iter_mut().enumerate() {
                if let Some(waiting) = asked.take() {
                    match crew.answer(place, waiting.number, &mut judged) {
                        Answer::Pending if own - waiting.since < MAX_LEAVES_WAITED => {
                            *asked = Some(waiting)
                        }
                        Answer::Pending | Answer::Lost => tree.abandon(waiting.leaf),
                        Answer::Judged => {
                            tree.settle(waiting.leaf, &judged);
                            total += 1;
                        }
                    }
                }
                if asked.is_none() && crew.is_ready(place) {
                    match tree.descend(self.lines) {
                        None => total += 1,
                        Some(leaf) => {
                            let side = leaf.position().grid(&mut cells);
                            number += 1;
                            crew.ask(place, number, &cells[..side * side], side);
                            *asked = Some(Asked { number, leaf, since: own });
                        }
                    }
                }
            }
            if let Some(leaf) = tree.descend(self.lines) {
                let judgement = net.judge(leaf.position(), 0, &mut room);
                tree.settle(leaf, judgement);
                own += 1;
            }
            total += 1;
            played.store(total, Ordering::Relaxed);
            if bounds.are_reached(tree, total, &done) {
                break;
            }
            if let Some(summary) = reports.due(tree) {
                reports.send(&summary, total);
            }
        }
        for Asked { leaf, .. } in asked.into_iter().flatten() {
            tree.abandon(leaf);
        }
    }

    /// Judges leaves for the leader until the search is stopped.
    pub(super) fn help(&self, net: &PolicyNet, crew: &Crew) -> u64 {
        let mut room = net.room();
        let mut cells = [0; MAX_CELLS];
        let mut judged = 0;
        crew.stand_by(true);
        while !self.stop.is_stopped() {
            // A worker of a browser learns from its clock that it should stop.
            self.timer.elapsed();
            match crew.asked(&mut cells) {
                Some((place, side)) => {
                    crew.reply(place, net.judge_cells(&cells, side, &mut room));
                    judged += 1;
                }
                None => std::hint::spin_loop(),
            }
        }
        crew.stand_by(false);
        judged
    }
}
