//! What to play when the game is lost: the move after which the opponent is most likely to go
//! wrong.
//!
//! Every move loses against perfect play, but not every opponent plays perfectly. For each move the
//! replies are divided into those that keep the win and those that throw it away; each is weighted by
//! how good it looks after a shallow search. The best trap is the move after which most of what looks
//! good is wrong.

use super::node::Searcher;
use super::{MAX_DEPTH, ScoredLine};
use crate::score::{INFINITE, MAX_EVALUATION, PROVEN};
use crate::{Evaluator, Knowledge, Score};

/// The depth of the shallow search that tells how good a reply looks.
const SHALLOW_DEPTH: i32 = 2;

/// The temperature with which the opponent is assumed to choose (softmax): a reply that looks this many
/// points worse is chosen e ≈ 2.7 times less often.
const TEMPERATURE: f32 = 150.0;

/// At how many of the opponent's turns a mistake is looked for.
const MAX_TURNS_AHEAD: u32 = 3;

impl<P: Knowledge, E: Evaluator<P>> Searcher<'_, P, E> {
    /// The move that is hardest to refute in a position that is lost in this many turns. `None` if no
    /// move is better than another, or time is up.
    pub(super) fn set_trap(&mut self, position: &P, turns: i32) -> Option<ScoredLine<P::Move>> {
        let depth = (turns + 2).min(MAX_DEPTH - 8);
        let mut best = None;
        // First the mistakes of the next turn, then those of later ones, while there is time.
        for ahead in 1..=MAX_TURNS_AHEAD {
            match self.best_trap(position, depth, ahead) {
                Some(found) => best = Some(found),
                None => break,
            }
        }
        let (probability, mv) = best?;
        let mv = mv.filter(|_| probability > 0.02)?;
        Some(ScoredLine { score: Score::loss_in(turns as u32), line: vec![mv] })
    }

    /// The highest probability that the opponent goes wrong in the next turns, and the move for it.
    /// `None` if time is up.
    fn best_trap(
        &mut self,
        position: &P,
        depth: i32,
        ahead: u32,
    ) -> Option<(f32, Option<P::Move>)> {
        let mut best = (0.0, None);
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if after.outcome().is_none() {
                let probability = self.error_probability(&after, depth, ahead)?;
                if probability > best.0 {
                    best = (probability, Some(mv));
                }
            }
        }
        Some(best)
    }

    /// The probability that the opponent, who is to move and winning, goes wrong. `None` if time is up.
    fn error_probability(&mut self, position: &P, depth: i32, ahead: u32) -> Option<f32> {
        let (mut wrong, mut all) = (0.0, 0.0);
        let mut replies = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            // As the opponent sees it, who has no oracle.
            self.ask_oracle = false;
            let looks = self.value(&after, SHALLOW_DEPTH, -INFINITE, INFINITE);
            self.ask_oracle = true;
            let looks = -looks?;
            replies.push((looks.clamp(-MAX_EVALUATION, MAX_EVALUATION), after));
        }
        let best = replies.iter().map(|(looks, _)| *looks).max()?;
        for (looks, after) in replies {
            let weight = ((looks - best) as f32 / TEMPERATURE).exp();
            if weight < 0.01 {
                continue;
            }
            all += weight;
            if self.value(&after, depth, PROVEN - 1, PROVEN)? >= PROVEN {
                wrong += weight;
            } else if ahead > 1 && after.outcome().is_none() {
                wrong += weight * self.best_trap(&after, depth - 2, ahead - 1)?.0;
            }
        }
        Some(wrong / all)
    }
}
