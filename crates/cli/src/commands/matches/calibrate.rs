//! `stoa ladder --calibrate`: finds levels that are the right step apart.
//!
//! One number, the strength, says how well a level plays: 0 looks at a handful of positions and overlooks most
//! moves, 1 plays like the highest level with limited positions. From the highest level down, the strength of
//! the next is tried out and corrected until the score is about right. The highest level without a network
//! starts again from the full strength: with hand-made terms it takes more positions to be as strong.

use std::ops::ControlFlow;

use anyhow::Result;
use stoa_engine::matches::{Estimate, Pentanomial, elo_of_score};
use stoa_engine::{Level, Skill, Stop};
use stoa_rules::Game;
use stoa_rules::playout::Rng;
use stoa_ugi::matches::{Match, MatchEnd, OpeningSource, report};
use stoa_ugi::players::PlayerSpec;

use super::progress;
use crate::args;
use crate::output::print;

/// How many games a try takes without --games.
const GAMES: u64 = 160;

/// After this many tries the best guess is taken.
const MAX_TRIES: usize = 6;

/// An estimate is good enough if its standard error is at most this many Elo.
const MAX_STANDARD_ERROR: f64 = 20.0;

/// What the weakest level looks at and overlooks.
const MIN_NODES: f64 = 10.0;
const MAX_OVERLOOKED: f64 = 700.0;

/// `stoa ladder --calibrate`
pub(super) fn calibrate(args: &args::Ladder) -> Result<()> {
    let (lowest, highest) = args.levels;
    let family = Family::of(args.game);
    let stop = Stop::new();
    crate::interrupt::stops(&stop)?;
    // The same games again would tell nothing new, so every try has a seed of its own.
    let mut seeds = Rng::new(args.pace.seed);
    let top = highest.skill(args.game);
    print(&format!("{}: below level {highest}, {}\n", args.game, words(top)))?;
    let mut skills = vec![top];
    let mut upper = (highest, top);
    let mut strength = family.strength(top);
    for level in Level::all().rev().filter(|level| *level >= lowest && *level < highest) {
        let target = f64::from(args.step) / 100.0;
        let mut fit = match upper.0.takes_net(args.game) != level.takes_net(args.game) {
            true => Fit::below(1.0, false, target),
            false => Fit::below(strength, upper.1.nodes.is_some() && skills.len() > 1, target),
        };
        let mut end = MatchEnd::Done;
        while end == MatchEnd::Done && !fit.is_good_enough() {
            let tried = fit.best().0;
            let skill = family.skill(tried);
            let found;
            (found, end) = attempt(args, [upper, (level, skill)], seeds.bits(), &stop)?;
            if found.pairs() > 0 {
                fit.add(tried, &found);
                let score = report::percent(Estimate::of(&found).score);
                let games = 2 * found.pairs();
                print(&format!(
                    "  level {}? {}: the level above scores {score} in {games} games\n",
                    level.number(),
                    words(skill)
                ))?;
            }
        }
        if end == MatchEnd::Interrupted {
            print(&format!("interrupted before level {} was found\n", level.number()))?;
            break;
        }
        let (found, error) = fit.best();
        strength = found;
        upper = (level, family.skill(found));
        skills.push(upper.1);
        let weakest = if found <= 0.0 { "; it cannot be weaker" } else { "" };
        print(&format!(
            "level {level}: {}, about ± {error:.0} Elo{weakest}\n",
            words(family.skill(found))
        ))?;
    }
    print(&table(args.game, highest, &skills))
}

/// Plays the upper skill against the lower, until it is clear or the games are used up.
fn attempt(
    args: &args::Ladder,
    skills: [(Level, Skill); 2],
    seed: u64,
    stop: &Stop,
) -> Result<(Pentanomial, MatchEnd)> {
    let games = args.games.unwrap_or(GAMES);
    let players = skills.map(|(level, skill)| PlayerSpec::skill_by_nodes(level, args.game, skill));
    let [upper, lower] = &players;
    let rules =
        Match { seed, ..args.pace.match_between(args.game, [upper, lower], games.div_ceil(2)) };
    let openings = OpeningSource::new(args.game, seed);
    let bar = progress(games);
    let (totals, end) = rules.run(&openings, stop, |_, totals, _| {
        bar.set_position(totals.games());
        bar.set_message(format!("{}: {}", words(skills[1].1), report::line(totals, None)));
        // Far off is far off: the games are better spent nearer by.
        let score = Estimate::of(&totals.pairs).score;
        let far = totals.pairs.pairs() >= 12 && (score.low > 0.8 || score.high < 0.54);
        anyhow::Ok(if far { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    bar.finish_and_clear();
    Ok((totals.pairs, end))
}

fn words(skill: Skill) -> String {
    let nodes =
        skill.nodes.map_or("any number of nodes".to_owned(), |nodes| format!("{nodes} nodes"));
    format!("{nodes}, {} of 1000 moves overlooked", skill.overlook)
}

/// The skills from the highest level down, as the engine's source has them.
fn table(game: Game, highest: Level, skills: &[Skill]) -> String {
    let rows: String = skills
        .iter()
        .rev()
        .map(|skill| format!("    ({}, {}),\n", skill.nodes.unwrap_or(0), skill.overlook))
        .collect();
    let lowest = usize::from(highest.number()) + 1 - skills.len();
    format!("\n// {game}, levels {lowest} to {}\n[\n{rows}]\n", highest.number())
}

/// The skills of a game by their strength.
struct Family {
    max_nodes: f64,
    /// Whether a network guides the search. Its first guess is stronger than beginners are, so the weaker skills
    /// judge a single position and differ in what they overlook.
    is_guided: bool,
}

/// Of the strengths of a guided search, those above this look at more than one position.
const GUESSES: f64 = 0.57;
/// What share of the moves the weakest guess sees.
const MIN_SEEN: f64 = 0.02;

impl Family {
    fn of(game: Game) -> Family {
        let limited = Level::all().rev().find_map(|level| level.skill(game).nodes);
        let is_guided = stoa_engine::selfplay::guided::cells(game).is_ok();
        Family { max_nodes: limited.unwrap_or(30_000) as f64, is_guided }
    }

    fn min_nodes(&self) -> f64 {
        if self.is_guided { 1.0 } else { MIN_NODES }
    }

    fn skill(&self, strength: f64) -> Skill {
        let growth = (self.max_nodes / self.min_nodes()).ln();
        let (of_nodes, overlook) = match self.is_guided {
            // Slips become rare sooner than positions become many: nobody likes a strong player who blunders.
            false => (strength, MAX_OVERLOOKED * (1.0 - strength).powi(2)),
            // Each step sees so many times as many moves.
            true => {
                let seen = MIN_SEEN.powf((1.0 - strength / GUESSES).max(0.0));
                (((strength - GUESSES) / (1.0 - GUESSES)).max(0.0), 1000.0 * (1.0 - seen))
            }
        };
        let nodes = self.min_nodes() * (growth * of_nodes).exp();
        // Two digits are enough.
        let digit = 10f64.powf(nodes.log10().floor() - 1.0).max(1.0);
        let nodes = (nodes / digit).round() * digit;
        Skill { nodes: Some(nodes as u64), overlook: overlook.round() as u32 }
    }

    fn strength(&self, skill: Skill) -> f64 {
        let growth = (self.max_nodes / self.min_nodes()).ln();
        let by_nodes = |nodes: u64| match growth > 0.0 {
            true => ((nodes as f64 / self.min_nodes()).ln() / growth).clamp(0.0, 1.0),
            false => 1.0,
        };
        match skill.nodes {
            None => 1.0,
            Some(1) if self.is_guided => {
                let seen = (1.0 - f64::from(skill.overlook) / 1000.0).max(MIN_SEEN);
                GUESSES * (1.0 - seen.ln() / MIN_SEEN.ln())
            }
            Some(nodes) if self.is_guided => GUESSES + (1.0 - GUESSES) * by_nodes(nodes),
            Some(nodes) => by_nodes(nodes),
        }
    }
}

/// What tries say about the strength that makes the level above score what it should. The Elo by
/// which the level above is stronger is taken to fall along a line as the strength grows; tries far
/// from the target count less, for the line is straight only nearby.
struct Fit {
    /// The strength of the level above.
    upper: f64,
    /// What the level above should score, in Elo.
    target: f64,
    tries: Vec<Try>,
}

struct Try {
    strength: f64,
    elo: f64,
    error: f64,
}

/// What one expects before anything is known: the Elo from strength 0 to 1, give or take.
const SLOPE: f64 = 1500.0;
const SLOPE_ERROR: f64 = 700.0;

impl Fit {
    /// Nothing has been tried but that the level above is as strong as itself, if its strength is
    /// known.
    fn below(upper: f64, known: bool, target: f64) -> Fit {
        let error = if known { 1.0 } else { 300.0 };
        let tries = vec![Try { strength: upper, elo: 0.0, error }];
        Fit { upper, target: elo_of_score(target), tries }
    }

    fn add(&mut self, strength: f64, results: &Pentanomial) {
        let score = Estimate::of(results).score;
        // A player that wins every game is much stronger, but not infinitely so.
        let value = score.value.clamp(0.015, 0.985);
        let elo_a_point = 400.0 / (std::f64::consts::LN_10 * value * (1.0 - value));
        let error = (score.error() / 1.96).max(0.005) * elo_a_point;
        self.tries.push(Try { strength, elo: elo_of_score(value), error });
    }

    /// The strength to try or to take, and the standard error in Elo of what it leads to.
    fn best(&self) -> (f64, f64) {
        let target = self.target;
        // Least squares for elo = height − slope · strength, with what one expects of the slope.
        let expectation = 1.0 / (SLOPE_ERROR * SLOPE_ERROR);
        let (mut w, mut ws, mut wss) = (0.0, 0.0, expectation);
        let (mut we, mut wse) = (0.0, -expectation * SLOPE);
        for Try { strength, elo, error } in &self.tries {
            let crooked = 0.3 * (elo - target);
            let weight = 1.0 / (error * error + crooked * crooked);
            w += weight;
            ws += weight * strength;
            wss += weight * strength * strength;
            we += weight * elo;
            wse += weight * strength * elo;
        }
        let determinant = w * wss - ws * ws;
        let slope = ((ws * we - w * wse) / determinant).max(SLOPE / 5.0);
        let height = (we + slope * ws) / w;
        let strength = ((height - target) / slope).clamp(0.0, self.upper);
        let variance = (wss - 2.0 * strength * ws + strength * strength * w) / determinant;
        (strength, variance.max(0.0).sqrt())
    }

    fn is_good_enough(&self) -> bool {
        let tries = self.tries.len() - 1;
        // Nothing weaker or stronger can be tried.
        let stuck = tries >= 2
            && self.tries[tries].strength == self.tries[tries - 1].strength
            && [0.0, self.upper].contains(&self.best().0);
        tries >= MAX_TRIES || stuck || (tries >= 2 && self.best().1 <= MAX_STANDARD_ERROR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stoa_engine::matches::score_of_elo;

    const TARGET: f64 = 0.67;

    #[test]
    fn strength_and_skill_go_both_ways() {
        let family = Family { max_nodes: 30_000.0, is_guided: false };
        assert_eq!(family.skill(1.0), Skill { nodes: Some(30_000), overlook: 0 });
        assert_eq!(family.skill(0.0), Skill { nodes: Some(10), overlook: 700 });
        for strength in [0.0, 0.25, 0.5, 0.9, 1.0] {
            let back = family.strength(family.skill(strength));
            assert!((back - strength).abs() < 0.01, "{strength} {back}");
        }
        assert_eq!(family.strength(Skill { nodes: None, overlook: 0 }), 1.0);
    }

    #[test]
    fn weak_players_that_a_network_guides_judge_one_position() {
        let family = Family { max_nodes: 150.0, is_guided: true };
        assert_eq!(family.skill(1.0), Skill { nodes: Some(150), overlook: 0 });
        assert_eq!(family.skill(GUESSES), Skill { nodes: Some(1), overlook: 0 });
        assert_eq!(family.skill(0.0), Skill { nodes: Some(1), overlook: 980 });
        for strength in [0.0, 0.1, 0.3, 0.5, GUESSES, 0.8, 0.9, 1.0] {
            let back = family.strength(family.skill(strength));
            assert!((back - strength).abs() < 0.03, "{strength} {back}");
        }
    }

    /// Invented players whose strength is no straight line: all steps come out right.
    #[test]
    fn a_ladder_is_found_among_invented_players() {
        let true_elo = |strength: f64| 1300.0 * strength + 900.0 * strength * strength;
        let mut off_target = Vec::new();
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut upper = 1.0;
            for _ in 0..9 {
                let mut fit = Fit::below(upper, true, TARGET);
                while !fit.is_good_enough() {
                    let tried = fit.best().0;
                    let expected = score_of_elo(true_elo(upper) - true_elo(tried));
                    let mut results = Pentanomial::default();
                    for _ in 0..GAMES / 2 {
                        let win = |rng: &mut Rng| (rng.below(10_000) as f64) < expected * 1e4;
                        results.add(2 * (usize::from(win(&mut rng)) + usize::from(win(&mut rng))));
                    }
                    fit.add(tried, &results);
                }
                let found = fit.best().0;
                off_target.push(score_of_elo(true_elo(upper) - true_elo(found)) - TARGET);
                upper = found;
            }
        }
        let worst = off_target.iter().fold(0.0f64, |worst, off| worst.max(off.abs()));
        let mean = off_target.iter().sum::<f64>() / off_target.len() as f64;
        assert!(worst < 0.07, "all steps lie between 60 and 74 %: {worst}");
        assert!(mean.abs() < 0.01, "{mean}");
    }

    #[test]
    fn the_table_reads_like_the_source() {
        let skills = [Skill { nodes: None, overlook: 0 }, Skill { nodes: Some(900), overlook: 40 }];
        assert_eq!(
            table(Game::Impasse, Level::HIGHEST, &skills),
            "\n// impasse, levels 9 to 10\n[\n    (900, 40),\n    (0, 0),\n]\n"
        );
    }
}
