//! `stoa play`: the full-screen app.
//!
//! [`app`] holds the state and says what a key or a click does, [`overlay`] what it does to what lies
//! over the board; [`screen`] draws it. Neither
//! knows the terminal, so both are tested without one; this module connects them to it.

mod app;
mod calendar;
mod menu;
mod overlay;
mod players;
mod review;
mod screen;
mod table;
#[cfg(test)]
mod tests;
mod thinker;
mod thinking;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event, KeyEventKind,
};
use crossterm::execute;
use ratatui::DefaultTerminal;
use stoa_rules::Session;
use stoa_rules::playout::Rng;

use crate::args;
use app::App;
use players::Wish;
use table::Table;
use thinking::Pace;

/// `stoa play`
pub(crate) fn run(args: args::Play) -> Result<()> {
    use std::io::IsTerminal;
    let seed = args.seed.unwrap_or_else(calendar::seed_from_clock);
    let wish = Wish::of_args(&args)?;
    let mut rng = Rng::new(seed);
    // Everything that can be wrong is found before the screen is taken.
    let table = match (&args.load, args.game) {
        (Some(path), _) => Some(Table::load(path, wish, rng)?),
        (None, Some(game)) => {
            let start = args::Where { game, position: args.position }.position()?;
            let players = wish.players(&mut rng);
            Some(Table::new(Session::new(start), players, rng))
        }
        (None, None) => None,
    };
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("stoa play needs a terminal; see stoa show, moves and apply for use in scripts");
    }
    let charset = crate::output::charset(args.plain);
    let pace = Pace::for_people(Duration::from_secs_f64(args.time));
    let mut app = App::new(table, wish, pace, charset, seed);
    let stopped = stop_on_signals()?;
    // `init` also makes a panic give the terminal back before it is reported.
    let mut terminal = ratatui::try_init().context("cannot use this terminal")?;
    keep_terminal_if_the_engine_fails();
    let _ = execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste);
    let result = event_loop(&mut terminal, &mut app, &stopped);
    give_terminal_back();
    result
}

/// Raises a flag when the program is told to stop or the terminal is gone. Reading from a terminal
/// that is gone may never return, so the program is ended if the flag is not heeded.
#[cfg(unix)]
fn stop_on_signals() -> Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    let mut signals =
        signal_hook::iterator::Signals::new([SIGHUP, SIGTERM]).context("cannot watch signals")?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            flag.store(true, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(600));
            give_terminal_back();
            std::process::exit(128 + signal);
        }
    });
    Ok(stopped)
}

#[cfg(not(unix))]
fn stop_on_signals() -> Result<Arc<AtomicBool>> {
    Ok(Arc::new(AtomicBool::new(false)))
}

/// A panic of the engine's thread is told as a notice, and the game goes on without it.
fn keep_terminal_if_the_engine_fails() {
    let give_back_and_report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().name() != Some(thinker::THREAD) {
            give_back_and_report(info);
        }
    }));
}

fn give_terminal_back() {
    let _ = execute!(io::stdout(), DisableMouseCapture, DisableBracketedPaste);
    ratatui::restore();
}

fn event_loop(terminal: &mut DefaultTerminal, app: &mut App, stopped: &AtomicBool) -> Result<()> {
    let mut changed = true;
    while !app.is_done && !stopped.load(Ordering::Relaxed) {
        changed |= app.tick(Instant::now());
        if changed {
            terminal.draw(|frame| screen::draw(app, frame))?;
        }
        let patience = Duration::from_millis(if app.thinking.is_busy() { 40 } else { 200 });
        changed = event::poll(patience)?;
        if !changed {
            continue;
        }
        match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => app.key(key),
            Event::Mouse(mouse) => app.mouse(mouse),
            Event::Paste(text) => app.paste(&text),
            _ => {}
        }
    }
    Ok(())
}
