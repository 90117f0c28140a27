//! The commands that print something and are done.

#[cfg(feature = "server")]
mod admin;
mod analyse;
mod bench;
#[cfg(feature = "bot")]
mod bot;
#[cfg(feature = "bot")]
mod connection;
mod count;
mod exact;
mod lessons;
mod look;
mod matches;
#[cfg(any(test, not(feature = "server")))]
mod missing;
mod play;
mod prove;
mod puzzles;
mod replay;
mod report;
mod review;
mod selfplay;
#[cfg(feature = "server")]
mod serve;
mod solve;
mod tune;
mod ugi;
#[cfg(feature = "bot")]
mod worker;

use std::time::Duration;

use anyhow::Result;
use clap::CommandFactory;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Cli;

#[cfg(feature = "server")]
pub(crate) use admin::admin;
pub(crate) use analyse::analyse;
pub(crate) use bench::bench;
#[cfg(feature = "bot")]
pub(crate) use bot::bot;
pub(crate) use count::{perft, random};
pub(crate) use exact::{certify, probe, verify};
pub(crate) use lessons::lessons;
pub(crate) use look::{apply, games, moves, rules, show};
pub(crate) use matches::{ladder, openings, play_match};
pub(crate) use play::play;
pub(crate) use prove::prove;
pub(crate) use puzzles::puzzles;
pub(crate) use replay::replay;
pub(crate) use report::report;
pub(crate) use review::review;
pub(crate) use selfplay::{book, samples, selfplay};
#[cfg(feature = "server")]
pub(crate) use serve::serve;
pub(crate) use solve::solve;
pub(crate) use tune::tune;
pub(crate) use ugi::ugi;
#[cfg(feature = "bot")]
pub(crate) use worker::worker;

#[cfg(not(feature = "bot"))]
pub(crate) use missing::{bots as bot, bots as worker};
#[cfg(not(feature = "server"))]
pub(crate) use missing::{server as admin, server as serve};

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
