//! `stoa play`: the full-screen app.
//!
//! [`app`] holds the state and says what a key or a click does, [`overlay`] what it does to what lies
//! over the board; [`screen`] draws it. Neither
//! knows the terminal, so both are tested without one; this module connects them to it.

mod app;
mod calendar;
mod menu;
mod overlay;
mod screen;
mod table;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event, KeyEventKind,
};
use crossterm::execute;
use ratatui::DefaultTerminal;
use stoa_rules::Session;
use stoa_rules::playout::Rng;

use crate::args::{self, Opponent, SideChoice};
use app::App;
use table::{Players, Table};

/// `stoa play`
pub(crate) fn run(args: args::Play) -> Result<()> {
    use std::io::IsTerminal;
    let seed = args.seed.unwrap_or_else(calendar::seed_from_clock);
    let players = match (args.opponent, args.side) {
        (Opponent::Human, _) => Players::TwoPeople,
        (Opponent::Random, SideChoice::First) => Players::Against(stoa_rules::Side::Second),
        (Opponent::Random, SideChoice::Second) => Players::Against(stoa_rules::Side::First),
    };
    // Everything that can be wrong is found before the screen is taken.
    let table = match (&args.load, args.game) {
        (Some(path), _) => Some(Table::load(path, players, Rng::new(seed))?),
        (None, Some(game)) => {
            let start = args::Where { game, position: args.position }.position()?;
            Some(Table::new(Session::new(start), players, Rng::new(seed)))
        }
        (None, None) => None,
    };
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("stoa play needs a terminal; see stoa show, moves and apply for use in scripts");
    }
    let charset = crate::output::charset(args.plain);
    let mut app = App::new(table, charset, seed);
    let stopped = stop_on_signals()?;
    // `init` also makes a panic give the terminal back before it is reported.
    let mut terminal = ratatui::try_init().context("cannot use this terminal")?;
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

fn give_terminal_back() {
    let _ = execute!(io::stdout(), DisableMouseCapture, DisableBracketedPaste);
    ratatui::restore();
}

fn event_loop(terminal: &mut DefaultTerminal, app: &mut App, stopped: &AtomicBool) -> Result<()> {
    let mut changed = true;
    while !app.is_done && !stopped.load(Ordering::Relaxed) {
        if changed {
            terminal.draw(|frame| screen::draw(app, frame))?;
        }
        changed = event::poll(Duration::from_millis(200))?;
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
