//! The commands that print something and are done.

#[cfg(feature = "server")]
mod admin;
mod analyse;
mod bench;
#[cfg(feature = "bot")]
mod bot;
mod count;
mod exact;
mod look;
mod matches;
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

/// `stoa serve` in a program that has no server.
#[cfg(not(feature = "server"))]
pub(crate) fn serve(_: &crate::args::Serve) -> Result<()> {
    no_server()
}

/// `stoa admin` in a program that has no server.
#[cfg(not(feature = "server"))]
pub(crate) fn admin(_: &crate::args::Admin) -> Result<()> {
    no_server()
}

#[cfg(not(feature = "server"))]
fn no_server() -> Result<()> {
    anyhow::bail!(
        "this program was built without the server; `cargo xtask play` builds and starts one with \
         the web app, and `cargo install --path crates/cli` installs one"
    )
}

/// `stoa bot` in a program that has no HTTP client.
#[cfg(not(feature = "bot"))]
pub(crate) fn bot(_: &crate::args::BotArgs) -> Result<()> {
    no_bots()
}

/// `stoa worker` in a program that has no HTTP client.
#[cfg(not(feature = "bot"))]
pub(crate) fn worker(_: &crate::args::WorkerArgs) -> Result<()> {
    no_bots()
}

#[cfg(not(feature = "bot"))]
fn no_bots() -> Result<()> {
    anyhow::bail!(
        "this program was built without bots; `cargo install --path crates/cli \
         --no-default-features --features bot` installs one with them"
    )
}

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
