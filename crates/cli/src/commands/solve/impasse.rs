//! `stoa solve impasse`: every position with few stacks.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use stoa_engine::Stop;
use stoa_rules::Notation;
use stoa_solve::impasse::{Plan, Report, STACKS_WITH_PLIES, build, positions};

use super::share;
use crate::commands::progress;
use crate::output::{grouped, print};

/// Solves the endgames and reports what was found. Returns false if it was stopped.
pub(super) fn run(path: &Path, stacks: usize, threads: usize, stop: &Stop) -> Result<bool> {
    let begun = Instant::now();
    let bar = progress(positions(stacks) as usize);
    let plan = Plan {
        stacks,
        stacks_with_plies: STACKS_WITH_PLIES,
        threads,
        stop,
        progress: &|done| bar.set_position(done),
    };
    let report = build(path, &plan);
    bar.finish_and_clear();
    let Some(report) = report? else { return Ok(false) };
    print(&summary(path, &report, begun.elapsed(), threads)?)?;
    Ok(true)
}

fn summary(path: &Path, report: &Report, taken: Duration, threads: usize) -> Result<String> {
    let mut text = String::from("stacks     positions    won by the mover  longest\n");
    let mut row = |name: &str, positions: u64, wins: u64, longest: Option<u32>| {
        let longest = longest.map_or("-".to_owned(), |plies| plies.to_string());
        let (wins, positions) = (share(wins, positions), grouped(positions));
        writeln!(text, "{name:>6} {positions:>13} {wins:>19} {longest:>8}")
    };
    for of in &report.shares {
        let longest = of.longest.map(|(plies, _)| plies);
        row(&of.stacks.to_string(), of.positions, of.wins, longest)?;
    }
    let positions = report.shares.iter().map(|of| of.positions).sum();
    let wins = report.shares.iter().map(|of| of.wins).sum();
    let longest = report.shares.iter().filter_map(|of| of.longest).max_by_key(|(plies, _)| *plies);
    row("all", positions, wins, longest.map(|(plies, _)| plies))?;
    if let Some((plies, position)) = longest {
        writeln!(text, "\nOne of the longest, {plies} moves: {}", position.to_setup())?;
    }
    let seconds = taken.as_secs_f64();
    let megabytes = std::fs::metadata(path)?.len() as f64 / 1e6;
    write!(text, "{}: {megabytes:.1} MB, written in {seconds:.1} s", path.display())?;
    if report.solved == positions {
        let speed = grouped((positions as f64 / seconds / threads as f64) as u64);
        writeln!(text, " ({speed} positions a second and thread)")?;
    } else {
        let kept = grouped(positions - report.solved);
        writeln!(text, " ({kept} positions were solved already)")?;
    }
    Ok(text)
}
