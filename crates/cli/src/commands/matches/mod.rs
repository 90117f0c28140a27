//! `match`, `ladder` and `openings`: who is stronger, and by how much.

mod calibrate;
mod ladder;
mod report;
mod runner;
mod saved;
mod source;

use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use stoa_engine::Stop;
use stoa_engine::matches::Verdict;

use crate::args;
use crate::output::{print, print_json};
use report::Report;
use runner::{Contest, End};
use saved::Saved;
use source::Source;

pub(crate) use ladder::ladder;

/// `stoa match`
pub(crate) fn play_match(args: &args::Match) -> Result<()> {
    let pairs = args.games.div_ceil(2);
    let openings = match &args.openings {
        Some(path) => Source::read(path, args.game, pairs)?,
        None => Source::new(args.game, args.pace.seed),
    };
    let mut saved = args.records.as_deref().map(Saved::create).transpose()?;
    let contest = Contest {
        game: args.game,
        players: [&args.a, &args.b],
        pace: &args.pace,
        pairs,
        seed: args.pace.seed,
        max_plies: args.most_moves.map(|most| most as usize),
    };
    let stop = Stop::new();
    crate::interrupt::stops(&stop)?;
    let begun = Instant::now();
    let bar = progress(args.games);
    let mut mishaps = Vec::new();
    let (totals, end) = contest.run(&openings, &stop, |number, totals, pair| {
        if let Some(saved) = &mut saved {
            saved.add(number, pair)?;
        }
        report::add_mishaps(&mut mishaps, pair);
        let test = args.sprt.map(|sprt| (sprt, sprt.llr(&totals.pairs)));
        bar.set_position(totals.games());
        bar.set_message(report::line(totals, test));
        Ok(match args.sprt.map(|sprt| sprt.verdict(&totals.pairs)) {
            Some(Verdict::Accept | Verdict::Reject) => ControlFlow::Break(()),
            Some(Verdict::Continue) | None => ControlFlow::Continue(()),
        })
    })?;
    bar.finish_and_clear();
    let report = Report {
        game: args.game,
        players: [&args.a, &args.b],
        seed: args.pace.seed,
        totals: &totals,
        mishaps: &mishaps,
        sprt: args.sprt,
        interrupted: end == End::Interrupted,
        time: begun.elapsed(),
    };
    if args.json.json { print_json(&report) } else { print(&report.to_string()) }
}

/// `stoa openings`
pub(crate) fn openings(args: &args::Openings) -> Result<()> {
    let source = Source::new(args.game, args.seed);
    for number in 0..args.count {
        let opening = source.get(number)?;
        if args.positions {
            print(&format!("position {}\n", opening.position()))?;
        } else {
            print(&format!("{opening}\n"))?;
        }
    }
    Ok(())
}

/// A line on standard error with how a match stands; nothing where nobody looks.
fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{pos}/{len} {msg}  {elapsed} {wide_bar} {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(std::time::Duration::from_millis(500));
    bar
}
