//! `stoa ugi`: the engine as a server that speaks UGI, the Universal Game Interface, over its
//! standard input and output.
//!
//! One thread reads lines, one searches, and the server, which is the main thread, does all else.
//! Both tell it what happens through one queue of [`Event`]s; nobody else writes. So commands are
//! answered during a search, and no answer comes before what it must follow.

mod command;
pub(crate) mod info;
pub(crate) mod lines;
mod options;
mod search;
mod server;

use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};

use anyhow::Result;
use stoa_engine::{Engine, Settings, Thought};

use crate::{args, tables};
use lines::{Line, read_line};
use server::Server;

pub(crate) use options::{MOST_HASH, MOST_SEED, MOST_THREADS};

/// What the server hears of.
enum Event {
    /// A line of input.
    Line(Line),
    /// There will be no more input.
    EndOfInput,
    /// The search has found something.
    Progress(Thought),
    /// The search has ended, and the engine is free again.
    Finished(Box<Engine>, Thought),
    /// The search has broken down, and the engine with it.
    Failed,
}

/// How many events may wait. A flood of input waits in the pipe, not in memory.
const QUEUE: usize = 64;

/// `stoa ugi`
pub(crate) fn run(args: &args::Ugi) -> Result<()> {
    let settings = Settings {
        strategy: args.strategy,
        threads: args.threads as usize,
        table: args.hash as usize,
        seed: args.seed as u64,
        level: args.level,
        oracle: tables::oracle(args.game),
        ..Settings::default()
    };
    let (events, queue) = sync_channel(QUEUE);
    let to_server = events.clone();
    std::thread::Builder::new().name("input".to_owned()).spawn(move || read_input(&to_server))?;
    Server::new(args.game, settings, events, queue).serve()
}

/// Hands every line on to the server.
fn read_input(events: &SyncSender<Event>) {
    let mut input = io::stdin().lock();
    // Input that cannot be read has ended as well.
    while let Ok(Some(line)) = read_line(&mut input) {
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}
