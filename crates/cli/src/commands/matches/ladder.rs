//! `stoa ladder`: how far apart the levels are.

use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;
use stoa_engine::matches::{Bounded, Estimate, Totals};
use stoa_engine::{Level, Stop};
use stoa_rules::Game;
use stoa_ugi::matches::{MatchEnd, OpeningSource, report};
use stoa_ugi::players::PlayerSpec;

use super::{calibrate, progress};
use crate::args;
use crate::output::{print, print_json};

/// The scores of a step that is neither too small nor too large.
const TARGET_SCORES: std::ops::RangeInclusive<f64> = 0.60..=0.75;

/// How many games a step takes without --games.
const GAMES: u64 = 400;

/// A level, and how it did against the one below.
#[derive(Debug, Serialize)]
struct Rung {
    level: u8,
    name: &'static str,
    /// How many positions it looks at; nothing for as many as time allows.
    nodes: Option<u64>,
    overlook: u32,
    mean_seconds: f64,
    /// Nothing for the lowest level.
    step: Option<Step>,
}

#[derive(Debug, Serialize)]
struct Step {
    games: u64,
    score: Bounded,
    elo: Bounded,
    right: bool,
}

/// `stoa ladder`
pub(crate) fn ladder(args: &args::Ladder) -> Result<()> {
    if args.calibrate {
        return calibrate::calibrate(args);
    }
    let (lowest, highest) = args.levels;
    let games = args.games.unwrap_or(GAMES).next_multiple_of(2);
    let stop = Stop::new();
    crate::interrupt::stops(&stop)?;
    let openings = OpeningSource::new(args.game, args.pace.seed);
    let mut rungs: Vec<Rung> = Vec::new();
    let mut show = |rung: Rung| -> Result<()> {
        if !args.json.json {
            let first = rungs.is_empty();
            let header = if first { header(args, games) } else { String::new() };
            print(&(header + &row(&rung, args.markdown)))?;
        }
        rungs.push(rung);
        Ok(())
    };
    for upper in Level::all().filter(|level| *level > lowest && *level <= highest) {
        let Some(lower) = Level::new(upper.number() - 1) else { continue };
        let players = [
            PlayerSpec::level_by_nodes(upper, args.game),
            PlayerSpec::level_by_nodes(lower, args.game),
        ];
        let [upper_spec, lower_spec] = &players;
        let rules = args.pace.match_between(args.game, [upper_spec, lower_spec], games.div_ceil(2));
        let bar = progress(games);
        let (totals, end) = rules.run(&openings, &stop, |_, totals, _| {
            bar.set_position(totals.games());
            bar.set_message(format!("{upper} against {lower}: {}", report::line(totals, None)));
            anyhow::Ok(ControlFlow::Continue(()))
        })?;
        bar.finish_and_clear();
        if totals.games() == 0 {
            break;
        }
        if lower == lowest {
            show(Rung::new(lower, args.game, totals.pace[1].mean(), None))?;
        }
        show(Rung::new(upper, args.game, totals.pace[0].mean(), Some(&totals)))?;
        if end == MatchEnd::Interrupted {
            break;
        }
    }
    if stop.is_stopped() {
        eprintln!("stoa: stopped; not all levels have played all their games");
    }
    if args.json.json { print_json(&rungs) } else { Ok(()) }
}

impl Rung {
    fn new(level: Level, game: Game, mean: Duration, against_lower: Option<&Totals>) -> Rung {
        let skill = level.skill(game);
        let step = against_lower.map(|totals| {
            let Estimate { score, elo, .. } = totals.estimate();
            Step { games: totals.games(), score, elo, right: TARGET_SCORES.contains(&score.value) }
        });
        Rung {
            level: level.number(),
            name: level.name(),
            nodes: skill.nodes,
            overlook: skill.overlook,
            mean_seconds: mean.as_secs_f64(),
            step,
        }
    }
}

/// The command that makes the same table again.
fn command(args: &args::Ladder, games: u64) -> String {
    let (lowest, highest) = args.levels;
    let mut command = format!("stoa ladder {}", args.game);
    if (lowest, highest) != (Level::LOWEST, Level::HIGHEST) {
        command.push_str(&format!(" --levels {}-{}", lowest.number(), highest.number()));
    }
    command.push_str(&format!(" --games {games}"));
    if let Some(time) = args.pace.time {
        command.push_str(&format!(" --time {}ms", 1000.0 * time.as_secs_f64()));
    }
    if let Some(clock) = args.pace.clock {
        let [left, increment] = [clock.left, clock.increment].map(|time| time.as_secs_f64());
        command.push_str(&format!(" --clock {left}+{increment}"));
    }
    command + &format!(" --seed {} --markdown", args.pace.seed)
}

/// The words above a table.
fn header(args: &args::Ladder, games: u64) -> String {
    if args.markdown {
        return format!(
            "`{}`\n\n\
             | level | name | nodes | overlooks | a move | against the level below | Elo |\n\
             |---:|---|---:|---:|---:|---:|---:|\n",
            command(args, games)
        );
    }
    format!(
        "{}: each level against the one below, {games} games, seed {}\n\
         {:<13} {:>8} {:>9} {:>9}  {:<16} {:<22} \n",
        args.game, args.pace.seed, "level", "nodes", "overlooks", "a move", "score", "strength"
    )
}

fn row(rung: &Rung, markdown: bool) -> String {
    let nodes = rung.nodes.map_or("any".to_owned(), |nodes| nodes.to_string());
    let overlooks = format!("{:.1} %", f64::from(rung.overlook) / 10.0);
    let time = report::time(Duration::from_secs_f64(rung.mean_seconds));
    let score = rung.step.as_ref().map_or(String::new(), |step| report::percent(step.score));
    let elo = rung.step.as_ref().map_or(String::new(), |step| report::elo(step.elo));
    let (level, name) = (rung.level, rung.name);
    if markdown {
        let elo = elo.trim_start_matches("Elo ");
        return format!(
            "| {level} | {name} | {nodes} | {overlooks} | {time} | {score} | {elo} |\n"
        );
    }
    let judged = rung.step.as_ref().map_or("", |step| match step.score.value {
        score if score < *TARGET_SCORES.start() => "too small a step",
        score if score > *TARGET_SCORES.end() => "too large a step",
        _ => "right",
    });
    let line = format!(
        "{level:>2} {name:<10} {nodes:>8} {overlooks:>9} {time:>9}  {score:<16} {elo:<22} {judged}"
    );
    format!("{}\n", line.trim_end())
}
