//! `match`, `ladder` and `openings`: who is stronger, and by how much.

mod calibrate;
mod ladder;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use stoa_engine::Stop;
use stoa_engine::matches::Verdict;
use stoa_files::read_text;
use stoa_rules::Game;
use stoa_ugi::matches::{GameWriter, Match, MatchEnd, OpeningSource, Report, report};

use crate::args;
use crate::output::{print, print_json};

pub(crate) use ladder::ladder;

/// `stoa match`
pub(crate) fn play_match(args: &args::Match) -> Result<()> {
    let pairs = args.games.div_ceil(2);
    let openings = match &args.openings {
        Some(path) => read_openings(path, args.game, pairs)?,
        None => OpeningSource::new(args.game, args.pace.seed),
    };
    let mut records = args.records.as_deref().map(GameWriter::create).transpose()?;
    let rules = Match {
        max_plies: args.max_moves.map(|max| max as usize),
        ..args.pace.match_between(args.game, [&args.a, &args.b], pairs)
    };
    let stop = Stop::new();
    crate::interrupt::stops(&stop)?;
    let begun = Instant::now();
    let bar = progress(args.games);
    let mut forfeits = Vec::new();
    let (totals, end) = rules.run(&openings, &stop, |number, totals, pair| {
        if let Some(records) = &mut records {
            records.add(number, pair)?;
        }
        report::add_forfeits(&mut forfeits, pair);
        let test = args.sprt.map(|sprt| (sprt, sprt.llr(&totals.pairs)));
        bar.set_position(totals.games());
        bar.set_message(report::line(totals, test));
        anyhow::Ok(match args.sprt.map(|sprt| sprt.verdict(&totals.pairs)) {
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
        forfeits: &forfeits,
        sprt: args.sprt,
        interrupted: end == MatchEnd::Interrupted,
        time: begun.elapsed(),
    };
    if args.json.json { print_json(&report) } else { print(&report.to_string()) }
}

/// The openings of a file, of which there must be enough for this many pairs.
fn read_openings(path: &Path, game: Game, pairs: u64) -> Result<OpeningSource> {
    let name = path.display();
    let text = read_text(path).with_context(|| format!("cannot read {name}"))?;
    let openings =
        OpeningSource::parse(game, &text).with_context(|| format!("cannot use {name}"))?;
    let count = openings.count();
    if (count as u64) < pairs {
        bail!(
            "{name} has {count} openings, enough for {} games; ask for no more, or leave \
             --openings out",
            2 * count
        );
    }
    Ok(openings)
}

/// `stoa openings`
pub(crate) fn openings(args: &args::Openings) -> Result<()> {
    let source = OpeningSource::new(args.game, args.seed);
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

/// A line on standard error with the results so far; nothing if that is no terminal.
fn progress(games: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{pos}/{len} {msg}  {elapsed} {wide_bar} {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(std::time::Duration::from_millis(500));
    bar
}
