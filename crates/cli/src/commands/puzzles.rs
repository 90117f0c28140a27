//! `stoa puzzles`: positions with one right move, found in games of the engine against itself.

use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use stoa_engine::Stop;
use stoa_files::write_atomically;
use stoa_solve::puzzles::{Collection, Maker, Puzzle};
use stoa_ugi::parallel::{self, all_cores};

use crate::args;
use crate::output::print;

/// This many games are played before their puzzles are looked at. It does not depend on the number of threads,
/// and so neither does the result.
const GAMES_AT_ONCE: u64 = 8;

/// `stoa puzzles`
pub(crate) fn puzzles(args: &args::Puzzles) -> Result<()> {
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let maker = Maker::new(args.game, args.seed);
    let stop = Stop::new();
    crate::interrupt::stops(&stop)?;
    let bar = progress(args.count as u64);
    let mut collection = Collection::new(args.game, args.count as usize);
    let mut played = 0;
    while played < args.games && !collection.is_full() && !stop.is_stopped() {
        let batch = GAMES_AT_ONCE.min(args.games - played);
        let mut found: Vec<Vec<Puzzle>> = vec![Vec::new(); batch as usize];
        let work = |index: usize| maker.from_game(played + index as u64, &stop);
        parallel::for_each(batch as usize, threads, work, |index, puzzles| found[index] = puzzles);
        // Games that were cut short would make what is found depend on the moment.
        if stop.is_stopped() {
            break;
        }
        found.into_iter().for_each(|puzzles| collection.add_all(puzzles));
        played += batch;
        bar.set_position(collection.len() as u64);
        bar.set_message(format!("{played} games"));
    }
    bar.finish_and_clear();
    let puzzles = collection.finish();
    if puzzles.is_empty() {
        bail!("no puzzle was found in {played} games; --games plays more of them");
    }
    let text = json_lines(&puzzles)?;
    match &args.out {
        None => print(&text),
        Some(path) => {
            write_atomically(path, &text)?;
            print(&format!("{} puzzles from {played} games\n", puzzles.len()))
        }
    }
}

/// A list with a puzzle a line, so that changes can be read.
fn json_lines(puzzles: &[Puzzle]) -> Result<String> {
    let lines: Vec<String> = puzzles.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}

/// A line on standard error with how many were found; nothing where nobody looks.
fn progress(count: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{pos}/{len} puzzles, {msg}, {elapsed} {wide_bar}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(std::time::Duration::from_millis(500));
    bar
}
