//! The engine's own thread: it works on one request at a time and sends updates.
//!
//! A request never blocks. A later request replaces an earlier one, whose updates are dropped.

use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;

use stoa_engine::review::{Progress, Review, review};
use stoa_engine::{Engine, Level, Limits, Settings, Stop, Thought};
use stoa_files::tablebases;
use stoa_rules::{AnyPosition, Game, Session};

/// The name of the thread; it distinguishes a panic of the engine from one of the app.
pub(super) const THREAD: &str = "engine";

/// What is to be thought about.
#[derive(Debug)]
pub(super) enum Work {
    /// A position, as a player of some strength would, or with all strength.
    Think(AnyPosition, Option<Player>),
    /// All moves played in a session; the limits are for every position.
    Review(Session),
}

impl Work {
    fn game(&self) -> Game {
        match self {
            Work::Think(position, _) => position.game(),
            Work::Review(session) => session.start().game(),
        }
    }
}

/// A player of some strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Player {
    pub(super) level: Level,
    /// The seed on which its slips depend.
    pub(super) seed: u64,
}

/// What the engine has found.
#[derive(Debug)]
pub(super) enum Update {
    /// What it has found so far.
    SoFar(Thought),
    /// What it has found in the end.
    Found(Thought),
    /// How far it has come with a review.
    Reviewing(Progress),
    /// The review.
    Reviewed(Box<Review>),
    /// Why it cannot think.
    Failed(String),
}

/// The way to the engine's thread, which begins with the first question.
#[derive(Debug)]
pub(super) struct EngineThread {
    /// How many threads search when all strength is asked for.
    threads: usize,
    worker: Option<Worker>,
    /// The number of the last question, and how to stop its search.
    current: (u64, Stop),
}

#[derive(Debug)]
struct Worker {
    jobs: Sender<Job>,
    updates: Receiver<(u64, Update)>,
}

struct Job {
    number: u64,
    work: Work,
    limits: Limits,
    stop: Stop,
}

impl Job {
    fn done_by(&self, engine: &mut Engine, send: &dyn Fn(Update) -> bool) -> Update {
        let Job { limits, stop, .. } = self;
        match &self.work {
            Work::Think(position, _) => {
                let mut report = |thought: &Thought| {
                    send(Update::SoFar(thought.clone()));
                };
                Update::Found(engine.think(position, limits, stop, &mut report))
            }
            Work::Review(session) => {
                let mut report = |progress| {
                    send(Update::Reviewing(progress));
                };
                Update::Reviewed(Box::new(review(engine, session, limits, stop, &mut report)))
            }
        }
    }
}

impl EngineThread {
    pub(super) fn new(threads: usize) -> EngineThread {
        EngineThread { threads, worker: None, current: (0, Stop::new()) }
    }

    /// Begins to think about something, instead of what there was before.
    pub(super) fn ask(&mut self, work: Work, limits: Limits) -> Result<(), String> {
        self.stop();
        let (number, stop) = (self.current.0, self.current.1.clone());
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(self.threads)
                .map_err(|error| format!("the engine cannot be started: {error}"))?,
        };
        // A thread that has ended is found out by `updates`.
        let _ = worker.jobs.send(Job { number, work, limits, stop });
        self.worker = Some(worker);
        Ok(())
    }

    /// Stops the search; its updates are dropped.
    pub(super) fn stop(&mut self) {
        self.current.1.stop();
        self.current = (self.current.0 + 1, Stop::new());
    }

    /// Stops the search, whose result is still wanted.
    pub(super) fn hurry(&self) {
        self.current.1.stop();
    }

    /// The updates since the last call.
    pub(super) fn updates(&mut self) -> Vec<Update> {
        let mut received = Vec::new();
        while let Some(worker) = &self.worker {
            match worker.updates.try_recv() {
                Ok((number, update)) if number == self.current.0 => received.push(update),
                Ok(_) => {}
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.worker = None;
                    received
                        .push(Update::Failed("the engine has failed; this is a bug".to_owned()));
                }
            }
        }
        received
    }
}

/// The thread ends by itself once its search is stopped and nobody can ask any more.
impl Drop for EngineThread {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Worker {
    fn start(threads: usize) -> std::io::Result<Worker> {
        let (jobs, asked) = mpsc::channel::<Job>();
        let (sender, updates) = mpsc::channel();
        thread::Builder::new().name(THREAD.to_owned()).spawn(move || {
            let mut engines = Engines { threads, player: None, full: None };
            for job in asked {
                // Nobody waits for this any more.
                if job.stop.is_stopped() {
                    continue;
                }
                let send = |update| sender.send((job.number, update)).is_ok();
                let player = match &job.work {
                    Work::Think(_, player) => *player,
                    Work::Review(_) => None,
                };
                let update = match engines.engine(job.work.game(), player) {
                    Ok(engine) => job.done_by(engine, &send),
                    Err(error) => Update::Failed(error),
                };
                if !send(update) {
                    return;
                }
            }
        })?;
        Ok(Worker { jobs, updates })
    }
}

/// The engines of the thread, kept with all they have learnt.
struct Engines {
    threads: usize,
    player: Option<(Game, Player, Engine)>,
    full: Option<(Game, Engine)>,
}

/// The table of a player below full strength, in MiB: it looks at few positions.
const SMALL_TABLE: usize = 8;

impl Engines {
    fn engine(&mut self, game: Game, player: Option<Player>) -> Result<&mut Engine, String> {
        let full =
            |threads| Settings { threads, oracle: tablebases::oracle(game), ..Settings::default() };
        let Some(player) = player else {
            let known = self.full.take().filter(|(known, _)| *known == game);
            let engine = match known {
                Some((_, engine)) => engine,
                None => made(game, full(self.threads))?,
            };
            return Ok(&mut self.full.insert((game, engine)).1);
        };
        let known = self.player.take().filter(|(a, b, _)| (*a, *b) == (game, player));
        let engine = match known {
            Some((_, _, engine)) => engine,
            None if player.level == Level::HIGHEST => {
                let full = full(self.threads);
                made(game, Settings { level: Some(player.level), seed: player.seed, ..full })?
            }
            None => {
                let settings = Settings::level(player.level);
                made(game, Settings { table: SMALL_TABLE, seed: player.seed, ..settings })?
            }
        };
        Ok(&mut self.player.insert((game, player, engine)).2)
    }
}

fn made(game: Game, settings: Settings) -> Result<Engine, String> {
    Engine::new(game, settings).map_err(|error| error.to_string())
}
