//! Whether scores keep their promise: how often a player who reported `+400` won.

use crate::Score;

use super::Bounded;
use super::elo::CHI_SQUARED_95;

/// The scores that a player gave in the games of a match, with their results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgements {
    games: Vec<JudgedGame>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct JudgedGame {
    /// 2 for a win of the player, 1 for a draw.
    half_points: usize,
    /// What the player thought before each of its moves, in points.
    points: Vec<i16>,
}

impl Judgements {
    /// The fewest games from which anything is concluded.
    const MIN_GAMES: usize = 10;

    /// The steepest slope that is looked for: a single point means ten to one.
    const MAX_SLOPE: f64 = std::f64::consts::LN_10;

    /// The flattest one: no score is so high that it would mean ten to one.
    const MIN_SLOPE: f64 = std::f64::consts::LN_10 / 100_000.0;

    /// Adds a game: what the player thought before its moves, and its half points. Proven scores promise
    /// nothing but what is proven, so they do not count.
    pub fn add(&mut self, scores: impl Iterator<Item = Score>, half_points: usize) {
        let opinions = scores.filter(|score| !score.is_proven());
        let points: Vec<i16> = opinions.map(|score| score.raw() as i16).collect();
        if !points.is_empty() {
            self.games.push(JudgedGame { half_points, points });
        }
    }

    /// How many points meant ten games to one, with 95 % bounds; it should be 400. Nothing if there are
    /// too few games, or if the scores say nothing about the results.
    ///
    /// The probability of winning is taken for a logistic function of the score, whose slope is fitted to
    /// the games by maximum likelihood. Positions of a game share its result, so the bounds are made from
    /// the games, not from the positions.
    pub fn ten_to_one(&self) -> Option<Bounded> {
        if self.games.len() < Judgements::MIN_GAMES {
            return None;
        }
        let mut slope = std::f64::consts::LN_10 / 400.0;
        for _ in 0..100 {
            let (gradient, curvature, _) = self.derivatives(slope);
            // Scores that are always right are no odds, even ones are none either, and where every game is
            // drawn no score means anything.
            if curvature <= 0.0 || !(Judgements::MIN_SLOPE..=Judgements::MAX_SLOPE).contains(&slope)
            {
                return None;
            }
            // Never past zero, and never a leap.
            let next = slope + (gradient / curvature).clamp(-slope / 2.0, slope);
            let is_found = (next - slope).abs() <= 1e-9 * slope;
            slope = next;
            if is_found {
                break;
            }
        }
        let (_, curvature, variance) = self.derivatives(slope);
        let error = (CHI_SQUARED_95 * variance).sqrt() / curvature;
        let points = |slope: f64| std::f64::consts::LN_10 / slope;
        let bounded = Bounded {
            value: points(slope),
            low: points(slope + error),
            high: points((slope - error).max(0.0)),
        };
        // A slope that may be zero says nothing.
        bounded.high.is_finite().then_some(bounded)
    }

    /// The first derivative of the log-likelihood, the negative of the second, and the sum of the squares
    /// of what each game adds to the first.
    fn derivatives(&self, slope: f64) -> (f64, f64, f64) {
        let (mut gradient, mut curvature, mut variance) = (0.0, 0.0, 0.0);
        for game in &self.games {
            let result = game.half_points as f64 / 2.0;
            let mut of_game = 0.0;
            for points in game.points.iter().map(|points| f64::from(*points)) {
                let probability = 1.0 / (1.0 + (-slope * points).exp());
                of_game += (result - probability) * points;
                curvature += probability * (1.0 - probability) * points * points;
            }
            gradient += of_game;
            variance += of_game * of_game;
        }
        (gradient, curvature, variance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_rules::playout::Rng;

    /// Games of four positions each, in which `ten_to_one` points mean ten games to one.
    fn games(count: usize, ten_to_one: f64) -> Judgements {
        let mut rng = Rng::new(7);
        let mut judgements = Judgements::default();
        for _ in 0..count {
            let lead = rng.below(1201) as i32 - 600;
            let probability = 1.0 / (1.0 + 10f64.powf(-f64::from(lead) / ten_to_one));
            let won = (rng.below(1_000_000) as f64) < probability * 1e6;
            judgements.add([lead; 4].map(Score::points).into_iter(), 2 * usize::from(won));
        }
        judgements
    }

    #[test]
    fn the_meaning_of_scores_is_found() {
        for truth in [150.0, 400.0, 700.0] {
            let found = games(2000, truth).ten_to_one().unwrap();
            assert!(found.low < truth && truth < found.high, "{truth}: {found:?}");
            assert!(found.high - found.low < truth / 2.0, "{truth}: {found:?}");
        }
    }

    #[test]
    fn more_positions_of_the_same_games_are_no_more_evidence() {
        let once = games(400, 400.0);
        let twice = Judgements {
            games: once
                .games
                .iter()
                .map(|game| JudgedGame {
                    half_points: game.half_points,
                    points: [&game.points[..], &game.points[..]].concat(),
                })
                .collect(),
        };
        let [once, twice] = [once, twice].map(|judgements| judgements.ten_to_one().unwrap());
        assert!((once.low - twice.low).abs() < 1e-6 * once.low, "{once:?} {twice:?}");
    }

    #[test]
    fn scores_that_say_nothing_mean_nothing() {
        assert_eq!(Judgements::default().ten_to_one(), None);
        assert_eq!(games(9, 400.0).ten_to_one(), None);
        let mut rng = Rng::new(3);
        let (mut even, mut random) = (Judgements::default(), Judgements::default());
        let (mut proven, mut right) = (Judgements::default(), Judgements::default());
        for number in 0..200 {
            even.add([Score::EVEN; 3].into_iter(), 2 * (number % 2));
            random.add([Score::points(rng.below(201) as i32 - 100)].into_iter(), 2 * (number % 2));
            proven.add([Score::win_in(3)].into_iter(), 2);
            right.add([Score::points(500)].into_iter(), 2);
        }
        let mut drawn = Judgements::default();
        for _ in 0..20 {
            drawn.add([Score::points(60), Score::points(20)].into_iter(), 1);
        }
        for judgements in [even, random, proven, right, drawn] {
            assert_eq!(judgements.ten_to_one(), None);
        }
    }
}
