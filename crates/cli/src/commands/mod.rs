//! The commands that print something and are done.

mod analyse;
mod bench;
mod bot;
mod count;
mod exact;
mod look;
mod matches;
mod prove;
mod puzzles;
mod replay;
mod review;
mod serve;
mod solve;
mod tune;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Result;
use clap::CommandFactory;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Cli;

pub(crate) use analyse::analyse;
pub(crate) use bench::bench;
pub(crate) use bot::bot;
pub(crate) use count::{perft, random};
pub(crate) use exact::{certify, probe, verify};
pub(crate) use look::{apply, games, moves, picture, rules, show, status_line};
pub(crate) use matches::{ladder, openings, play_match};
pub(crate) use prove::prove;
pub(crate) use puzzles::puzzles;
pub(crate) use replay::replay;
pub(crate) use review::{Reviewing, review};
pub(crate) use serve::serve;
pub(crate) use solve::solve;
pub(crate) use tune::tune;

/// Prints the completion script of a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "stoa", &mut script);
    crate::output::print(&String::from_utf8_lossy(&script))
}

/// A bar on standard error for work that takes longer than a second; nothing where nobody looks.
fn progress(steps: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{wide_bar} {percent:>3} %  {eta_precise} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// A line on standard error that says how far work is of which nobody knows the end.
fn spinner() -> ProgressBar {
    let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

/// Does `work` for every number below `count` on some threads, and hands each thread's results on.
fn in_parallel<T: Send>(
    count: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T),
) {
    let next = AtomicUsize::new(0);
    let (sender, results) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || sender.send((index, work(index))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, result) in results {
            take(index, result);
        }
    });
}

/// All cores.
pub(crate) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
