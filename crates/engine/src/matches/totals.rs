//! What the games of a match add up to.

use stoa_rules::Side;

use super::{Estimate, Judgements, Pace, Pentanomial, Played};

/// The sums over the pairs of games of a match between two players, A and B. In the first game of a
/// pair A moves first, in the second B.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many games A won, drew and lost.
    pub results: [u64; 3],
    /// How many pairs brought A how many points.
    pub pairs: Pentanomial,
    /// How many games the first player won, drew and lost.
    pub first_player: [u64; 3],
    /// The number of moves of all games.
    pub plies: u64,
    /// The moves of the shortest and of the longest game.
    pub lengths: Option<(u64, u64)>,
    /// How much time A and B used.
    pub pace: [Pace; 2],
    /// How many games A and B forfeited.
    pub forfeits: [u64; 2],
    /// What A and B thought of their positions.
    pub judgements: [Judgements; 2],
}

impl Totals {
    /// Adds a pair.
    pub fn add(&mut self, pair: &[Played; 2]) {
        let mut half_points = 0;
        for (game, side_of_a) in pair.iter().zip(Side::BOTH) {
            let points = game.half_points(side_of_a);
            half_points += points;
            self.results[2 - points] += 1;
            self.first_player[2 - game.half_points(Side::First)] += 1;
            let plies = game.record.main_line().len() as u64;
            self.plies += plies;
            let (least, most) = self.lengths.unwrap_or((plies, plies));
            self.lengths = Some((least.min(plies), most.max(plies)));
            for (player, side) in [side_of_a, side_of_a.other()].into_iter().enumerate() {
                self.pace[player] = self.pace[player].and(game.pace[side.index()]);
                let lost = game.forfeit.as_ref().is_some_and(|(loser, _)| *loser == side);
                self.forfeits[player] += u64::from(lost);
                // A game that was not decided on the board says nothing about scores.
                if game.forfeit.is_none() {
                    let scores = game.scores[side.index()].iter().copied();
                    self.judgements[player].add(scores, game.half_points(side));
                }
            }
        }
        self.pairs.add(half_points);
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// What they say about A.
    pub fn estimate(&self) -> Estimate {
        Estimate::of(&self.pairs)
    }

    /// The share of the points that the first player scored.
    pub fn first_player_score(&self) -> f64 {
        let [won, drawn, _] = self.first_player;
        (won as f64 + drawn as f64 / 2.0) / self.games().max(1) as f64
    }

    /// The number of moves of a game on average.
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::{Forfeit, PlayerError};
    use std::time::Duration;
    use stoa_rules::{Game, Record, Session};

    fn game(winner: Option<Side>, plies: usize, loser: Option<Side>) -> Played {
        let mut session = Session::new(Game::Impasse.start());
        for _ in 0..plies {
            let mv = session.position().legal_moves().swap_remove(0);
            session.play(&mv).unwrap();
        }
        let pace = [10, 30].map(|millis| Pace {
            moves: 2,
            total: Duration::from_millis(2 * millis),
            slowest: Duration::from_millis(millis + 5),
        });
        let failed = Forfeit::Failed(PlayerError::Crashed(String::new()));
        let forfeit = loser.map(|side| (side, failed));
        Played {
            record: Record::from(&session),
            winner,
            forfeit,
            pace,
            scores: [Vec::new(), Vec::new()],
        }
    }

    #[test]
    fn pairs_are_counted_from_both_sides() {
        let mut totals = Totals::default();
        // A wins as first player and as second.
        totals.add(&[game(Some(Side::First), 4, None), game(Some(Side::Second), 8, None)]);
        // The first player wins both, the second time by B's opponent's crash.
        totals.add(&[
            game(Some(Side::First), 6, None),
            game(Some(Side::First), 2, Some(Side::Second)),
        ]);
        // A draw, and a loss of A as the second player.
        totals.add(&[game(None, 4, None), game(Some(Side::First), 4, None)]);
        assert_eq!(totals.results, [3, 1, 2]);
        assert_eq!(totals.pairs, Pentanomial([0, 1, 1, 0, 1]));
        assert_eq!(totals.first_player, [4, 1, 1]);
        assert_eq!(totals.first_player_score(), 4.5 / 6.0);
        assert_eq!(totals.lengths, Some((2, 8)));
        assert_eq!(totals.mean_plies(), 28.0 / 6.0);
        assert_eq!(totals.forfeits, [1, 0], "A was second in the second game");
        assert_eq!(totals.games(), 6);
        assert_eq!(totals.pace[0].mean(), Duration::from_millis(20));
        assert_eq!(totals.pace[0].slowest, Duration::from_millis(35));
        assert_eq!(totals.pace[0].moves, 12);
    }
}
