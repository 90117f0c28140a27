//! The full-screen terminal app: play against the engine or a second person, get hints, review games.
//!
//! `app` holds the state and says what a key or a click does, `overlay` what it does to prompts and
//! questions that lie over the board; `screen` draws it. Neither knows the terminal, so both are tested
//! without one; this module connects them to it.
//!
//! ```no_run
//! use std::time::Duration;
//! use stoa_draw::board::Charset;
//! use stoa_terminal::{Options, PlayerChoice, Start};
//!
//! stoa_terminal::run(Options {
//!     start: Start::Menu,
//!     players: PlayerChoice::default(),
//!     move_time: Duration::from_secs(1),
//!     seed: None,
//!     charset: Charset::Colour,
//! })?;
//! # Ok::<(), stoa_terminal::Error>(())
//! ```

mod app;
mod calendar;
mod engine_tasks;
mod engine_thread;
mod local_game;
mod menu;
mod overlay;
mod players;
mod review;
mod screen;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event, KeyEventKind,
};
use crossterm::execute;
use ratatui::DefaultTerminal;
use stoa_draw::board::Charset;
use stoa_rules::playout::Rng;
use stoa_rules::{AnyPosition, Session};

use app::App;
use engine_tasks::Pace;
use local_game::LocalGame;

pub use players::{Opponent, PlayerChoice, SideChoice};

/// What the app begins with.
#[derive(Debug)]
pub enum Start {
    /// A menu of all games.
    Menu,
    /// A position.
    Position(AnyPosition),
    /// The game in this file.
    Record(PathBuf),
}

/// How the app is started.
#[derive(Debug)]
pub struct Options {
    /// What it begins with.
    pub start: Start,
    /// Who plays.
    pub players: PlayerChoice,
    /// The most time that the engine takes for a move.
    pub move_time: Duration,
    /// The seed of the random numbers; a new one each time if there is none.
    pub seed: Option<u64>,
    /// What boards are drawn with.
    pub charset: Charset,
}

/// Why the app cannot run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The record to begin with cannot be read.
    #[error(transparent)]
    Record(#[from] stoa_files::records::Error),
    /// Input or output is a file or a pipe.
    #[error("stoa play needs a terminal; see stoa show, moves and apply for use in scripts")]
    NoTerminal,
    /// The terminal cannot be used.
    #[error("cannot use this terminal")]
    Terminal(#[source] io::Error),
}

/// Runs the app until the player leaves it.
pub fn run(options: Options) -> Result<(), Error> {
    let Options { start, players: choice, move_time, charset, .. } = options;
    let seed = options.seed.unwrap_or_else(calendar::seed_from_clock);
    let mut rng = Rng::new(seed);
    // Everything that can be wrong is found before the screen is taken.
    let game = match start {
        Start::Record(path) => Some(LocalGame::load(&path, choice, rng)?),
        Start::Position(position) => {
            let players = choice.players(&mut rng);
            Some(LocalGame::new(Session::new(position), players, rng))
        }
        Start::Menu => None,
    };
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Error::NoTerminal);
    }
    let mut app = App::new(game, choice, Pace::for_people(move_time), charset, seed);
    let stopped = stop_on_signals().map_err(Error::Terminal)?;
    // `init` also makes a panic give the terminal back before it is reported.
    let mut terminal = ratatui::try_init().map_err(Error::Terminal)?;
    keep_terminal_if_the_engine_fails();
    let _ = execute!(io::stdout(), EnableMouseCapture, EnableBracketedPaste);
    let result = event_loop(&mut terminal, &mut app, &stopped);
    give_terminal_back();
    result.map_err(Error::Terminal)
}

/// Sets a flag when a signal asks the program to stop or the terminal is gone. Reading from a terminal
/// that is gone may never return, so the program is ended if the flag is not heeded.
#[cfg(unix)]
fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGTERM])?;
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
fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    Ok(Arc::new(AtomicBool::new(false)))
}

/// A panic of the engine's thread is shown as a notice, and the game continues without it.
fn keep_terminal_if_the_engine_fails() {
    let give_back_and_report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().name() != Some(engine_thread::THREAD) {
            give_back_and_report(info);
        }
    }));
}

fn give_terminal_back() {
    let _ = execute!(io::stdout(), DisableMouseCapture, DisableBracketedPaste);
    ratatui::restore();
}

fn event_loop(
    terminal: &mut DefaultTerminal,
    app: &mut App,
    stopped: &AtomicBool,
) -> io::Result<()> {
    let mut changed = true;
    while !app.is_done && !stopped.load(Ordering::Relaxed) {
        changed |= app.tick(Instant::now());
        if changed {
            terminal.draw(|frame| screen::draw(app, frame))?;
        }
        let timeout = Duration::from_millis(if app.engine.is_busy() { 40 } else { 200 });
        changed = event::poll(timeout)?;
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
