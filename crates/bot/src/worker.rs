//! Reviews games for a server: one thread leases a job, makes the review, submits it, and asks for the next;
//! another renews the lease meanwhile. If anything is lost on the way, the server gives the job to another
//! worker.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_client::{
    Client, Error, ErrorCode, JudgedPosition, ReviewFailure, ReviewJob, ReviewProgress,
    ReviewResult,
};
use stoa_engine::review::{Judgement, Progress, review_with};
use stoa_engine::{Engine, Limits, Settings, Stop, Thought};
use stoa_files::tablebases;
use stoa_rules::{AnyPosition, Game, Session};

use crate::game::lower_priority;
use crate::{FIRST_RETRY_DELAY, MAX_RETRY_DELAY, STOP_INTERVAL, SearchQueue, insist, sleep};

/// How often a worker without a job asks for one.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How often a search in the background asks for a place.
const PLACE_INTERVAL: Duration = Duration::from_millis(50);
/// A lease is renewed after this part of it.
const RENEWAL_PART: u32 = 4;
/// The memory of a review's search, in MiB.
const TABLE: usize = 64;
/// The lowest priority.
const NICENESS: i32 = 19;

/// How a worker works.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Whose searches come first, if the machine is shared with a server's engine.
    pub searches: Option<SearchQueue>,
    /// Receives a line about everything it does.
    pub log: fn(&str),
}

/// A worker. It has one job at a time.
#[derive(Debug, Clone)]
pub struct Worker {
    client: Client,
    options: WorkerOptions,
    stop: Stop,
}

/// Starts a worker on the server at this address, of the same program. It works until it is stopped.
pub fn start_own_worker(address: SocketAddr, token: &str, searches: &SearchQueue, stop: &Stop) {
    let client = Client::with_token(&format!("http://{address}"), token);
    let options = WorkerOptions {
        searches: Some(searches.clone()),
        log: |message| tracing::debug!("{message}"),
    };
    let worker = Worker::new(client, options, stop.clone());
    thread::spawn(move || {
        insist("the server's own worker", &worker.stop, || worker.run());
    });
}

impl Worker {
    /// A worker for the server of a client, which has a worker's token.
    pub fn new(client: Client, options: WorkerOptions, stop: Stop) -> Worker {
        Worker { client, options, stop }
    }

    /// Works until it is stopped. A server that does not answer is asked again.
    ///
    /// # Errors
    /// If the server refuses to give it work.
    pub fn run(&self) -> Result<(), Error> {
        lower_priority(NICENESS);
        let mut delay = FIRST_RETRY_DELAY;
        let mut engine = None;
        while !self.stop.is_stopped() {
            match self.client.lease_review() {
                Ok(Some(job)) => {
                    delay = FIRST_RETRY_DELAY;
                    self.work(&job, &mut engine);
                }
                Ok(None) => {
                    delay = FIRST_RETRY_DELAY;
                    // The table takes memory, and the next job may be long in coming.
                    engine = None;
                    self.sleep(POLL_INTERVAL);
                }
                Err(error) if error.is_transient() => {
                    (self.options.log)(&error.to_string());
                    self.sleep(delay);
                    delay = (delay * 2).min(MAX_RETRY_DELAY);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Does a job; what becomes of it is logged, and the server learns of it unless it is away.
    fn work(&self, job: &ReviewJob, engine: &mut Option<Engine>) {
        let ReviewJob { lease, game, moves, .. } = job;
        let judged = AtomicU32::new(0);
        let (ended, lost) = (Stop::new(), Stop::new());
        let made = thread::scope(|scope| {
            scope.spawn(|| self.renew(job, &judged, &ended, &lost));
            let made = self.review(job, engine, &judged, &lost);
            ended.stop();
            made
        });
        let done = match made {
            Ok(Some(result)) => self.retry(job, || self.client.finish_review(lease, &result)),
            // Another worker has it.
            Ok(None) if lost.is_stopped() => return self.say(job, "the job was taken away"),
            Ok(None) => self.client.return_review(lease),
            Err(error) => {
                let reason = format!("{error:#}");
                self.say(job, &reason);
                self.retry(job, || {
                    let failure = ReviewFailure { reason: reason.clone() };
                    self.client.fail_review(lease, &failure)
                })
            }
        };
        match done {
            Ok(()) if self.stop.is_stopped() => self.say(job, "given back"),
            Ok(()) => self.say(job, &format!("{game}, {} moves: reviewed", moves.len())),
            Err(error) => self.say(job, &error.to_string()),
        }
    }

    fn say(&self, job: &ReviewJob, what: &str) {
        (self.options.log)(&format!("job {}: {what}", job.lease));
    }

    /// The review of a job's game; nothing if it was stopped.
    fn review(
        &self,
        job: &ReviewJob,
        kept: &mut Option<Engine>,
        judged: &AtomicU32,
        lost: &Stop,
    ) -> Result<Option<ReviewResult>> {
        let game: Game = job.game.parse().context("this worker does not know the game")?;
        let mut session = Session::new(game.start());
        for text in &job.moves {
            session.play(text).context("the game is not legal here")?;
        }
        let mut engine = match kept.take().filter(|engine| engine.game() == game) {
            Some(engine) => engine,
            None => {
                let oracle = tablebases::oracle(game);
                Engine::new(game, Settings { table: TABLE, oracle, ..Settings::default() })?
            }
        };
        let limits = Limits::time(Duration::from_millis(job.time));
        // One stop for both reasons: the code that sees it finds out which.
        let stop = Stop::new();
        let mut search = |engine: &mut Engine, position: &AnyPosition, limits: &Limits| {
            self.search(engine, position, limits, &stop, lost)
        };
        let mut progress =
            |progress: Progress| judged.store(progress.judged as u32, Ordering::Relaxed);
        let review = review_with(&mut engine, &session, &limits, &stop, &mut search, &mut progress);
        *kept = Some(engine);
        if stop.is_stopped() {
            return Ok(None);
        }
        let Some(judgements) = review.judgements() else { bail!("the game has no moves") };
        let positions = judgements.into_iter().map(|Judgement { score, line }| {
            Ok(JudgedPosition { score: score.raw().try_into().context("an odd score")?, line })
        });
        Ok(Some(ReviewResult { positions: positions.collect::<Result<_>>()? }))
    }

    /// Searches a position, when the machine has time for it; again, if another search needed the slot.
    fn search(
        &self,
        engine: &mut Engine,
        position: &AnyPosition,
        limits: &Limits,
        stop: &Stop,
        lost: &Stop,
    ) -> Thought {
        loop {
            if self.stop.is_stopped() || lost.is_stopped() {
                stop.stop();
            }
            let Some(searches) = self.options.searches.as_ref().filter(|_| !stop.is_stopped())
            else {
                return engine.think(position, limits, stop, &mut |_| {});
            };
            let Some(permit) = searches.try_background() else {
                thread::sleep(PLACE_INTERVAL);
                continue;
            };
            let thought = engine.think(position, limits, permit.stop(), &mut |_| {});
            if !permit.stop().is_stopped() {
                return thought;
            }
        }
    }

    /// Gives signs of life until the job has ended; notes if it is no longer this worker's.
    fn renew(&self, job: &ReviewJob, judged: &AtomicU32, ended: &Stop, lost: &Stop) {
        let interval = Duration::from_millis(job.expires_in) / RENEWAL_PART;
        let mut last = Instant::now();
        while !ended.is_stopped() {
            thread::sleep(STOP_INTERVAL);
            if last.elapsed() < interval {
                continue;
            }
            last = Instant::now();
            let progress = ReviewProgress { judged: judged.load(Ordering::Relaxed) };
            match self.client.renew_review(&job.lease, progress) {
                Ok(()) => {}
                // It may answer the next time; otherwise another worker gets the job.
                Err(error) if error.is_transient() => self.say(job, &error.to_string()),
                Err(_) => return lost.stop(),
            }
        }
    }

    /// Tries again for as long as the lease lasts, if the server does not answer.
    fn retry(
        &self,
        job: &ReviewJob,
        mut attempt: impl FnMut() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let began = Instant::now();
        loop {
            match attempt() {
                Err(error)
                    if error.is_transient()
                        && error.code() != Some(ErrorCode::Internal)
                        && began.elapsed() < Duration::from_millis(job.expires_in) =>
                {
                    self.sleep(FIRST_RETRY_DELAY);
                }
                done => return done,
            }
        }
    }

    /// Waits, but only until the worker is stopped.
    fn sleep(&self, time: Duration) {
        sleep(time, &self.stop);
    }
}
