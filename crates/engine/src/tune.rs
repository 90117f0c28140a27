//! Tuning: the weights of an evaluation, learnt from games that the engine plays against itself.
//!
//! Each position of such a game says a little about how much its terms are worth, since it is known
//! who won in the end, and what a search from there expected. The weights that make the evaluation's
//! probabilities fit these best are found by gradient descent (logistic regression). This is done in
//! rounds: the games of each are played with the weights of the one before.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use stoa_rules::playout::Rng;
use stoa_rules::{Game, Side};

use crate::alphabeta::MoveOrderings;
use crate::eval::MAX_WEIGHT;
use crate::games::{KnowledgeVisitor, visit};
use crate::limits::Stop;
use crate::mcts::share;
use crate::training_games::{best_move, play_on_threads};
use crate::transposition::TranspositionTable;
use crate::{Knowledge, Weights, WeightsError, counts};

/// The options of a tuning run.
#[derive(Debug, Clone)]
pub struct TuneOptions {
    /// How many games are played.
    pub games: u64,
    /// How many nodes the engine searches for each move.
    pub nodes: u64,
    /// How many turns at the beginning of each game are random.
    pub random_turns: u32,
    /// How many of a thousand moves are random, so that the games differ: about ten per game are
    /// enough, and with many more the better side no longer wins.
    pub explore: u32,
    /// How many games are played at a time.
    pub threads: usize,
    /// The seed of everything random.
    pub seed: u64,
    /// How strongly weights are held near where they were, in positions' worth: larger for fewer
    /// games.
    pub inertia: f64,
    /// The initial weights, as text; `None` for the game's own.
    pub weights: Option<String>,
}

/// The result of a tuning run.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// The weights, as text.
    pub weights: String,
    /// How many positions were learnt from.
    pub positions: usize,
    /// The mean error of the old weights (cross entropy, in bits).
    pub error_before: f64,
    /// The mean error of the new ones.
    pub error_after: f64,
    /// How often each player won, and how many games were drawn.
    pub results: [u64; 3],
}

/// Plays games and fits the weights to them. `progress` is called with the number of finished games.
/// When stopped it learns from the games played so far.
pub fn tune(
    game: Game,
    plan: &TuneOptions,
    stop: &Stop,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Tuned, WeightsError> {
    struct Tune<'a>(&'a TuneOptions, &'a Stop, &'a (dyn Fn(u64) + Sync));
    impl KnowledgeVisitor for Tune<'_> {
        type Output = Result<Tuned, WeightsError>;
        fn visit<P: Knowledge>(self, options: P::Options) -> Self::Output {
            let weights = match &self.0.weights {
                None => Weights::of::<P>(options),
                Some(text) => Weights::parse::<P>(text)?,
            };
            let (samples, results) = play_games::<P>(options, &weights, self.0, self.1, self.2);
            Ok(fit::<P>(&samples, &weights, self.0.inertia, results))
        }
    }
    visit(game, Tune(plan, stop, progress))
}

/// The weight of the search's score in the target of the fit, since a search sees further than the
/// evaluation; the rest is the result of the game, which depends on much that came later.
const SEARCH_SHARE: f32 = 0.6;

/// A position's terms, and the first player's share of the result that is to be expected.
struct Sample {
    counts: Vec<i16>,
    share: f32,
}

fn play_games<P: Knowledge>(
    options: P::Options,
    weights: &Weights,
    plan: &TuneOptions,
    stop: &Stop,
    progress: &(dyn Fn(u64) + Sync),
) -> (Vec<Sample>, [u64; 3]) {
    let finished = AtomicU64::new(0);
    // By number, so that the order does not depend on which thread was quicker.
    let played = Mutex::new(Vec::new());
    play_on_threads(plan.threads, 0..plan.games, stop, |number, table| {
        let game = play_game::<P>(options, weights, plan, number, table, stop);
        if let (Some(game), Ok(mut played)) = (game, played.lock()) {
            played.push((number, game));
        }
        progress(finished.fetch_add(1, Ordering::Relaxed) + 1);
    });
    let mut played = played.into_inner().unwrap_or_default();
    played.sort_by_key(|(number, _)| *number);
    let mut results = [0; 3];
    for (_, (_, share)) in &played {
        results[match share {
            s if *s > 0.75 => 0,
            s if *s < 0.25 => 1,
            _ => 2,
        }] += 1;
    }
    let samples = played.into_iter().flat_map(|(_, (positions, share))| {
        positions.into_iter().map(move |(counts, expected)| Sample {
            counts,
            share: SEARCH_SHARE * expected + (1.0 - SEARCH_SHARE) * share,
        })
    });
    (samples.collect(), results)
}

/// The terms of a game's quiet positions, each with the first player's share that the search
/// expected, and the share that came of it.
type Played = (Vec<(Vec<i16>, f32)>, f32);

/// Plays a game. `None` if it was stopped.
fn play_game<P: Knowledge>(
    options: P::Options,
    weights: &Weights,
    plan: &TuneOptions,
    number: u64,
    table: &TranspositionTable,
    stop: &Stop,
) -> Option<Played> {
    let mut rng = Rng::for_game(plan.seed, number);
    let random_turns = rng.below(plan.random_turns as usize + 1);
    let mut position = random_start::<P>(options, random_turns, &mut rng);
    let mut positions = Vec::new();
    let mut orderings = MoveOrderings::default();
    let share = loop {
        if let Some(outcome) = position.outcome() {
            break share(outcome, Side::First);
        }
        if stop.is_stopped() {
            return None;
        }
        let (score, mv) = best_move(&position, weights, plan.nodes, table, &mut orderings, stop)?;
        if score.is_proven() {
            // The winner is known, so later positions say nothing about the weights.
            let own = score.is_win();
            let first = own == (position.side_to_move() == Side::First);
            break f32::from(u8::from(first));
        }
        // Where the best move changes a lot at once, the terms do not say who stands better.
        if !position.is_noisy(mv) {
            let own = score.win_probability() as f32;
            let expected = if position.side_to_move() == Side::First { own } else { 1.0 - own };
            let counts = counts(&position).into_iter().map(|count| count as i16).collect();
            positions.push((counts, expected));
        }
        // Now and then any move: in games of best moves only, what goes with winning cannot be told
        // from what brings it about.
        let mv = if (rng.below(1000) as u32) < plan.explore {
            position.playout_move(&mut rng).unwrap_or(mv)
        } else {
            mv
        };
        position.play_unchecked(mv);
    };
    Some((positions, share))
}

/// A position after this many random turns; after fewer where games hardly ever last that long, since
/// there must be a game left to learn from.
fn random_start<P: Knowledge>(options: P::Options, turns: usize, rng: &mut Rng) -> P {
    const MAX_TRIES: usize = 50;
    let fewer = std::iter::successors(Some(turns), |&turns| (turns > 0).then_some(turns / 2));
    for turns in fewer.flat_map(|turns| std::iter::repeat_n(turns, MAX_TRIES)) {
        let mut position = P::start(options);
        for _ in 0..turns {
            let Some(mv) = position.playout_move(rng) else { break };
            position.play_unchecked(mv);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
    P::start(options)
}

/// From a score in hundredths of a point to natural log-odds.
const SCALE: f64 = std::f64::consts::LN_10 / 40_000.0;

/// The weights that fit the results best: full-batch gradient descent with a step of its own for
/// each weight (Adam).
fn fit<P: Knowledge>(
    samples: &[Sample],
    weights: &Weights,
    inertia: f64,
    results: [u64; 3],
) -> Tuned {
    let terms = P::TERMS.len();
    let start: Vec<f64> = weights.values()[..terms].iter().map(|&w| f64::from(w)).collect();
    let mut values = start.clone();
    let (mut mean, mut square) = (vec![0.0; terms], vec![0.0; terms]);
    let error_before = error(samples, &values);
    let count = samples.len().max(1) as f64;
    for step in 1..=400 {
        let mut gradient = vec![0.0; terms];
        for sample in samples {
            let off = probability(sample, &values) - f64::from(sample.share);
            for (gradient, &count) in gradient.iter_mut().zip(&sample.counts) {
                *gradient += off * f64::from(count);
            }
        }
        let rate = 300.0 * (1.0 - f64::from(step) / 401.0);
        for term in 0..terms {
            // A prior that counts as `inertia` positions' worth of certainty about the old weight.
            let pull = inertia * (values[term] - start[term]) * SCALE / count;
            let slope = gradient[term] / count + pull;
            mean[term] = 0.9 * mean[term] + 0.1 * slope;
            square[term] = 0.99 * square[term] + 0.01 * slope * slope;
            let m = mean[term] / (1.0 - 0.9f64.powi(step));
            let s = square[term] / (1.0 - 0.99f64.powi(step));
            values[term] -= rate * m / (s.sqrt() + 1e-12);
        }
    }
    // A few games may be fitted by weights without bound, which could not be parsed again.
    let rounded = |value: &f64| (value.round() as i32).clamp(-MAX_WEIGHT, MAX_WEIGHT);
    let rounded: Vec<i32> = values.iter().map(rounded).collect();
    Tuned {
        weights: Weights::from_values(&rounded).text::<P>(),
        positions: samples.len(),
        error_before,
        error_after: error(samples, &values),
        results,
    }
}

/// The probability that the first player wins, by the evaluation.
fn probability(sample: &Sample, values: &[f64]) -> f64 {
    let sum: f64 = sample.counts.iter().zip(values).map(|(&c, &v)| f64::from(c) * v).sum();
    1.0 / (1.0 + (-sum * SCALE).exp())
}

/// The mean cross entropy of results and probabilities, in bits.
fn error(samples: &[Sample], values: &[f64]) -> f64 {
    let total: f64 = samples
        .iter()
        .map(|sample| {
            let p = probability(sample, values).clamp(1e-9, 1.0 - 1e-9);
            let share = f64::from(sample.share);
            -(share * p.log2() + (1.0 - share) * (1.0 - p).log2())
        })
        .sum();
    total / samples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_rules::impasse;

    /// Results made up by known weights are explained by those weights.
    #[test]
    fn the_weights_behind_the_results_are_found() {
        let terms = <impasse::Position as Knowledge>::TERMS.len();
        let mut rng = Rng::new(5);
        let truth: Vec<f64> = (0..terms).map(|term| 1_000.0 * (term as f64 - 10.0)).collect();
        let samples: Vec<Sample> = (0..20_000)
            .map(|_| {
                let counts = (0..terms).map(|_| rng.below(3) as i16 - 1).collect();
                let mut sample = Sample { counts, share: 0.0 };
                let chance = rng.below(1_000_000) as f64 / 1e6;
                sample.share = f32::from(u8::from(chance < probability(&sample, &truth)));
                sample
            })
            .collect();
        let begin = Weights::from_values(&vec![0; terms]);
        let tuned = fit::<impasse::Position>(&samples, &begin, 0.0, [0; 3]);
        assert!(tuned.error_after < tuned.error_before);
        let found = Weights::parse::<impasse::Position>(&tuned.weights).unwrap();
        for (found, truth) in found.values().iter().zip(truth) {
            assert!((f64::from(*found) - truth).abs() < 1_500.0, "{found} for {truth}");
        }
    }

    const OPTIONS: TuneOptions = TuneOptions {
        games: 6,
        nodes: 100,
        random_turns: 4,
        explore: 50,
        threads: 2,
        seed: 1,
        inertia: 10.0,
        weights: None,
    };

    #[test]
    fn more_random_turns_than_a_game_has_leave_a_game() {
        let plan = TuneOptions { random_turns: 100_000, ..OPTIONS };
        let tuned = tune(Game::Colonnade, &plan, &Stop::new(), &|_| {}).unwrap();
        assert_eq!(tuned.results.iter().sum::<u64>(), 6);
    }

    #[test]
    fn tuning_is_repeatable_and_uses_its_games() {
        let run = || tune(Game::Colonnade, &OPTIONS, &Stop::new(), &|_| {}).unwrap();
        let tuned = run();
        assert_eq!(tuned.results.iter().sum::<u64>(), 6);
        assert!(tuned.positions > 20);
        assert_eq!(run().positions, tuned.positions);
    }
}
