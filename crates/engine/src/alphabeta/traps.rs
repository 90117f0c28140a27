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

/// A reply that looks so many points worse is chosen e times less often.
const INDIFFERENCE: f32 = 150.0;

/// How many of the opponent's turns are looked at for mistakes, at most.
const MOST_TURNS: u32 = 3;

impl<P: Knowledge, E: Evaluator<P>> Searcher<'_, P, E> {
    /// The move that is hardest to refute in a position that is lost in so many turns. Nothing if
    /// no move is better than another, or time is up.
    pub(super) fn set_trap(&mut self, position: &P, turns: i32) -> Option<Found<P::Move>> {
        let depth = (turns + 2).min(MOST_DEPTH - 8);
        let mut best = None;
        // First the mistakes of the next turn, then those of later ones, while there is time.
        for ahead in 1..=MOST_TURNS {
            match self.most_hope(position, depth, ahead) {
                Some(found) => best = Some(found),
                None => break,
            }
        }
        let (hope, mv) = best?;
        let mv = mv.filter(|_| hope > 0.02)?;
        Some(Found { score: Score::loss_in(turns as u32), line: vec![mv] })
    }

    /// The best chance that the opponent goes wrong in the next turns, and the move that gives it.
    /// Nothing if time is up.
    fn most_hope(
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
                let hope = self.hope(&after, depth, ahead)?;
                if hope > best.0 {
                    best = (hope, Some(mv));
                }
            }
        }
        Some(best)
    }

    /// How likely the opponent, who is to move and wins, goes wrong. Nothing if time is up.
    fn hope(&mut self, position: &P, depth: i32, ahead: u32) -> Option<f32> {
        let (mut wrong, mut all) = (0.0, 0.0);
        let mut replies = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            // To the opponent, who has no oracle.
            self.asks = false;
            let looks = self.value(&after, LOOKS, -INFINITE, INFINITE);
            self.asks = true;
            let looks = -looks?;
            replies.push((looks.clamp(-MOST, MOST), after));
        }
        let most = replies.iter().map(|(looks, _)| *looks).max()?;
        for (looks, after) in replies {
            let weight = ((looks - most) as f32 / INDIFFERENCE).exp();
            if weight < 0.01 {
                continue;
            }
            all += weight;
            if self.value(&after, depth, PROVEN - 1, PROVEN)? >= PROVEN {
                wrong += weight;
            } else if ahead > 1 && after.outcome().is_none() {
                wrong += weight * self.most_hope(&after, depth - 2, ahead - 1)?.0;
            }
        }
        Some(wrong / all)
    }
}
