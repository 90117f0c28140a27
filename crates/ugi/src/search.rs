//! A search in a thread of its own, which reports to the server.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;

use stoa_engine::{Engine, Limits, Stop, Thought};
use stoa_rules::AnyPosition;

use crate::server::Event;

/// Recursion of the search needs no more than a program's main thread usually has.
const STACK: usize = 8 << 20;

/// A search that is under way.
#[derive(Debug)]
pub(crate) struct Search {
    stop: Stop,
    /// The last result that was reported.
    pub(crate) reported: Option<Thought>,
}

impl Search {
    /// Begins to search. The engine comes back with [`Event::Finished`].
    pub(crate) fn begin(
        mut engine: Engine,
        position: AnyPosition,
        limits: Limits,
        events: SyncSender<Event>,
    ) -> io::Result<Search> {
        let stop = Stop::new();
        let search = Search { stop: stop.clone(), reported: None };
        let think = move || {
            // Once the server has ended, nobody receives the events.
            let mut report = |thought: &Thought| {
                let _ = events.send(Event::Progress(thought.clone()));
            };
            // A flaw in a search must cost that search and not the game: the server answers with
            // some legal move. The engine is dropped, so that nobody sees it half done.
            let searched = catch_unwind(AssertUnwindSafe(|| {
                let thought = engine.think(&position, &limits, &stop, &mut report);
                (Box::new(engine), thought)
            }));
            let _ = events.send(match searched {
                Ok((engine, thought)) => Event::Finished(engine, thought),
                Err(_) => Event::Failed,
            });
        };
        std::thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(think)?;
        Ok(search)
    }

    /// Asks it to end.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }
}
