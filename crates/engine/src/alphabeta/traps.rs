//! What to play when the game is lost: the move after which the opponent is most likely to go
//! wrong.
//!
//! Every move loses against perfect play, but not every opponent finds it. For each move the
//! replies are sorted into those that keep the win and those that throw it away; each is weighed
//! by how good it looks after a short search. The best trap is the move after which most of what
//! looks good is wrong.

use super::node::Searcher;
use super::{Found, MOST_DEPTH};
use crate::score::{INFINITE, MOST, PROVEN};
use crate::{Evaluator, Knowledge, Score};

/// How deep a reply is judged by its looks.
const LOOKS: i32 = 2;

/// A reply that looks so many points worse is chosen half as often, roughly.
const INDIFFERENCE: f32 = 60.0;

impl<P: Knowledge, E: Evaluator<P>> Searcher<'_, P, E> {
    /// The move that is hardest to refute in a position that is lost in so many turns. Nothing if
    /// no move is better than another, or time is up.
    pub(super) fn set_trap(&mut self, position: &P, turns: i32) -> Option<Found<P::Move>> {
        let depth = (turns + 2).min(MOST_DEPTH - 4);
        let mut best: Option<(f32, P::Move)> = None;
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if after.outcome().is_some() {
                continue;
            }
            let Some(hope) = self.hope(&after, depth) else { break };
            if hope > best.map_or(0.02, |(most, _)| most) {
                best = Some((hope, mv));
            }
        }
        let (_, mv) = best?;
        let mut after = position.clone();
        after.play_unchecked(mv);
        let score = -self.value(&after, depth, -INFINITE, INFINITE)?;
        // The search may fail to repeat the proof of this one move in time; lost it is anyway.
        let score = if score <= -PROVEN { score } else { Score::loss_in(turns as u32).raw() };
        let mut line = vec![mv];
        line.extend(self.best_line().iter().copied());
        Some(Found { score: Score::new(score), line })
    }

    /// How likely the opponent, who is to move and wins, goes wrong. Nothing if time is up.
    fn hope(&mut self, position: &P, depth: i32) -> Option<f32> {
        let (mut wrong, mut all) = (0.0, 0.0);
        let mut replies = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let looks = -self.value(&after, LOOKS, -INFINITE, INFINITE)?;
            replies.push((looks.clamp(-MOST, MOST), after));
        }
        let most = replies.iter().map(|(looks, _)| *looks).max()?;
        for (looks, after) in replies {
            let weight = ((looks - most) as f32 / INDIFFERENCE).exp();
            all += weight;
            if weight > 0.01 && self.value(&after, depth, PROVEN - 1, PROVEN)? >= PROVEN {
                wrong += weight;
            }
        }
        Some(wrong / all)
    }
}
