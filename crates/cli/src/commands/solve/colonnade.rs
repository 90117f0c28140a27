//! `stoa solve colonnade`: every position there is.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use stoa_engine::Stop;
use stoa_rules::{Notation, Position, colonnade};
use stoa_solve::colonnade::{Content, Progress, Statistics, Tablebase, solve};

use super::share;
use crate::commands::progress;
use crate::output::{grouped, print};

/// Solves the game and reports what was found. Returns false if it was stopped.
pub(super) fn run(path: &Path, content: Content, threads: usize, stop: &Stop) -> Result<bool> {
    let begun = Instant::now();
    let bar = progress(1);
    let mut layers: Vec<Statistics> = Vec::new();
    let mut kept = 0;
    let done = solve(path, content, threads, stop, &mut |progress: &Progress| {
        bar.set_length(progress.of);
        bar.set_position(progress.done);
        layers.push(progress.layer.clone());
        kept += usize::from(progress.kept);
    });
    bar.finish_and_clear();
    if !done? {
        return Ok(false);
    }
    print(&summary(path, &layers, kept, begun.elapsed(), threads)?)?;
    Ok(true)
}

fn summary(
    path: &Path,
    layers: &[Statistics],
    kept: usize,
    taken: Duration,
    threads: usize,
) -> Result<String> {
    let mut text = String::from("checkers    positions    won by the mover  longest\n");
    for layer in layers {
        let most = layer.plies.len() - 1;
        let (positions, wins) =
            (grouped(layer.positions()), share(layer.wins(), layer.positions()));
        writeln!(text, "{:>8} {positions:>12} {wins:>18} {most:>8}", layer.checkers)?;
    }
    let positions: u64 = layers.iter().map(Statistics::positions).sum();
    let wins: u64 = layers.iter().map(Statistics::wins).sum();
    let most = layers.iter().map(|layer| layer.plies.len() - 1).max().unwrap_or(0);
    let all = grouped(positions);
    writeln!(text, "{:>8} {all:>12} {:>18} {most:>8}", "all", share(wins, positions))?;
    let longest = layers.iter().find(|layer| layer.plies.len() - 1 == most);
    if let Some(position) = longest.and_then(|layer| layer.longest) {
        writeln!(text, "\nOne of the longest, {most} moves: {}", position.to_setup())?;
    }

    let table = Tablebase::open(path)?;
    if let Some(value) = table.value(&colonnade::Position::start(()))? {
        writeln!(text, "The start of the game, for Red to move: {value}")?;
    }
    let seconds = taken.as_secs_f64();
    let speed = grouped((positions as f64 / seconds / threads as f64) as u64);
    let megabytes = table.file().length() as f64 / 1e6;
    write!(text, "{}: {megabytes:.1} MB, written in {seconds:.1} s", path.display())?;
    match kept {
        0 => writeln!(text, " ({speed} positions a second and thread)")?,
        _ => writeln!(text, " ({kept} of {} layers were there already)", layers.len())?,
    }
    Ok(text)
}
