//! UGI, the Universal Game Interface: the protocol that game engines and programs that use them speak
//! over pipes. `docs/protocol.md` describes it.
//!
//! | module | what it is for |
//! |---|---|
//! | [`serve`] | Stoa's engine as a server, over any reader and writer |
//! | [`players`] | players in words (`level=5`, `ugi:./engine`): Stoa's engine, or another program |
//! | [`mod@matches`] | matches between players, on all cores |
//!
//! ```
//! use stoa_engine::Settings;
//! use stoa_rules::Game;
//! use stoa_ugi::{Charset, Connection, serve};
//!
//! let input = "position startpos moves d2-b4\nquery p1turn\n";
//! let mut output = Vec::new();
//! let connection = Connection::new(input.as_bytes(), &mut output, Charset::Ascii);
//! serve(Game::Impasse, Settings::default(), connection)?;
//! assert_eq!(output, b"response false\n");
//! # Ok::<(), std::io::Error>(())
//! ```

mod command;
mod duration;
mod info;
mod lines;
pub mod matches;
mod options;
pub mod parallel;
pub mod players;
mod search;
mod server;
#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{SyncSender, sync_channel};

use stoa_engine::Settings;
use stoa_rules::Game;

use lines::read_line;
use server::{Event, Server};

pub use duration::parse_duration;
pub use options::{MAX_HASH, MAX_SEED, MAX_THREADS};
pub use stoa_draw::board::Charset;

/// Why something that was asked for cannot be done, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
struct Refusal(String);

impl Refusal {
    /// A refusal for the same reason as an error.
    fn of(error: impl std::fmt::Display) -> Refusal {
        Refusal(error.to_string())
    }
}

/// Returns a [`Refusal`] from a function.
macro_rules! refuse {
    ($($text:tt)*) => {
        return Err(crate::Refusal(format!($($text)*)).into())
    };
}
use refuse;

/// How many events may wait. A flood of input waits in the pipe, not in memory.
const QUEUE_SIZE: usize = 64;

/// Where commands come from and answers go to.
pub struct Connection<R, W> {
    input: R,
    output: W,
    charset: Charset,
    wait_until_closed: Option<Box<dyn FnOnce() + Send>>,
}

impl<R: BufRead + Send + 'static, W: Write> Connection<R, W> {
    /// A connection; `charset` is what boards are drawn with for people.
    pub fn new(input: R, output: W, charset: Charset) -> Connection<R, W> {
        Connection { input, output, charset, wait_until_closed: None }
    }

    /// Ends the conversation when a function returns. A thread of its own calls it; it should wait
    /// until nobody reads the output any more, which writing would show only at the next answer.
    #[must_use]
    pub fn until(self, closed: impl FnOnce() + Send + 'static) -> Connection<R, W> {
        Connection { wait_until_closed: Some(Box::new(closed)), ..self }
    }
}

/// Answers commands until `quit`, or the input ends, or nobody reads the output.
///
/// One thread reads lines, one searches, and the calling thread does all else. Both send it
/// events through one queue; nobody else writes. So commands are answered during a search, and no
/// answer comes before what it must follow.
pub fn serve<R: BufRead + Send + 'static, W: Write>(
    game: Game,
    settings: Settings,
    connection: Connection<R, W>,
) -> io::Result<()> {
    let Connection { input, output, charset, wait_until_closed } = connection;
    let (events, queue) = sync_channel(QUEUE_SIZE);
    let reader = events.clone();
    spawn("input", move || read_input(input, &reader))?;
    if let Some(wait) = wait_until_closed {
        let watcher = events.clone();
        spawn("output", move || {
            wait();
            let _ = watcher.send(Event::OutputClosed);
        })?;
    }
    Server::new(game, settings, output, charset, events, queue).serve()
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(|_| ())
}

/// Hands every line on to the server.
fn read_input(mut input: impl BufRead, events: &SyncSender<Event>) {
    // Input that cannot be read has ended as well.
    while let Ok(Some(line)) = read_line(&mut input) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}

/// Waits until nobody can read what is written to a pipe, socket or terminal any more, without using
/// the processor. For anything else, such as a file, it waits forever.
#[cfg(unix)]
pub fn wait_until_closed(output: impl std::os::fd::AsFd) {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    // Errors and hang-ups are always reported; nothing else is of interest.
    let mut watched = [PollFd::new(&output, PollFlags::empty())];
    loop {
        match poll(&mut watched, None) {
            Ok(_) => return,
            Err(Errno::INTR) => {}
            // Not everything can be watched: then the next answer shows it.
            Err(_) => loop {
                std::thread::park();
            },
        }
    }
}
