//! Kills under load: the server or its database is killed at any moment (`kill -9`) and restarted, and then
//! everything that was acknowledged must be there and every game must continue.
//!
//! What is checked after each start, in every game: the moves are those that were acknowledged, in order,
//! followed by at most the one that was in flight; the rules can read the record, which leads to the same
//! position; the last move, sent again, is played once; the next move is accepted. Games that have ended are
//! checked again now and then. After longer downtimes the clocks must not have run meanwhile.

mod witness;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_rules::playout::Rng;

use crate::target::{Target, TargetOptions};
use crate::witnessed_game::PROGRESS_TIMEOUT;
use witness::{Seen, Witness};

/// How often, in kills, the victim stays down for longer than the maximum heartbeat gap.
const LONG_DOWNTIME_EVERY: usize = 25;
const LONG_DOWNTIME: Duration = Duration::from_millis(4500);
/// What clocks may lose beyond the time that the service was up: requests take time.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(1);
/// How many ended games are kept to be checked again.
const MAX_ENDED_GAMES: usize = 200;

/// What to kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// The server.
    Server,
    /// The database.
    Postgres,
    /// Both, one right after the other.
    Both,
}

impl Victim {
    /// Kills it; the server is one of the nodes.
    pub(crate) fn kill(self, target: &mut Target, node: usize) {
        if self != Victim::Postgres {
            target.kill_node(node);
        }
        if self != Victim::Server {
            target.crash_postgres();
        }
    }

    /// Restarts it after a while.
    ///
    /// # Errors
    /// If it does not get ready.
    pub(crate) fn restart(
        self,
        target: &mut Target,
        node: usize,
        downtime: Duration,
    ) -> Result<()> {
        sleep(downtime);
        if self != Victim::Server {
            target.restart_postgres()?;
        }
        if self != Victim::Postgres {
            target.restart_node(node)?;
        }
        Ok(())
    }
}

/// A series of kills.
#[derive(Debug, Clone)]
pub struct Crashes {
    /// The program `stoa`.
    pub stoa: PathBuf,
    /// What to kill, chosen at random each time. Unless it is the server alone, Postgres is used.
    pub victims: Vec<Victim>,
    /// The number of kills.
    pub kills: usize,
    /// Games at the same time.
    pub games: usize,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// What happened in a series of kills that lost nothing.
#[derive(Debug, Default)]
pub struct Report {
    /// Kills of each victim: server, Postgres, both.
    pub kills: [usize; 3],
    /// Moves that were acknowledged and are all there.
    pub moves: usize,
    /// Games that were played to their end.
    pub games: usize,
    /// Moves without a response that had been committed.
    pub kept: usize,
    /// Moves without a response that had not been committed, and were sent again.
    pub repeated: usize,
    /// Downtimes long enough to stop the clocks.
    pub long_downtimes: usize,
    /// The longest time from a restart until every game had continued.
    pub slowest: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [server, postgres, both] = self.kills;
        writeln!(f, "kills                {server} server, {postgres} Postgres, {both} both")?;
        writeln!(f, "acknowledged moves   {}, none lost", self.moves)?;
        writeln!(f, "games ended          {}", self.games)?;
        writeln!(f, "cut off in between   {} kept, {} not kept", self.kept, self.repeated)?;
        writeln!(f, "clocks stopped       {} times", self.long_downtimes)?;
        write!(f, "slowest to continue  {:.1} s", self.slowest.as_secs_f64())
    }
}

/// What the workers and the killer share.
#[derive(Debug, Default)]
struct Shared {
    /// Nobody may move: the games are being checked.
    paused: AtomicBool,
    finished: AtomicBool,
    failure: Mutex<Option<String>>,
    ended: Mutex<Vec<Seen>>,
    games: AtomicUsize,
}

/// A thread that plays games.
struct Worker {
    witness: Arc<Mutex<Witness>>,
    moves: Arc<AtomicUsize>,
    thread: JoinHandle<()>,
}

impl Crashes {
    /// Kills and checks, until all kills are done or something is lost.
    ///
    /// # Errors
    /// If anything is lost, stuck or cannot be started; the message says what and where.
    pub fn run(&self, progress: &mut dyn FnMut(&str)) -> Result<Report> {
        let mut target = self.start()?;
        let shared = Arc::new(Shared::default());
        let url = target.urls()[0].clone();
        let workers: Vec<Worker> =
            (0..self.games).map(|number| spawn_worker(&url, number, self.seed, &shared)).collect();
        let mut report = Report::default();
        let done = (1..=self.kills).try_for_each(|kill| {
            self.kill_and_check(&mut target, &workers, &shared, kill, &mut report)
                .with_context(|| format!("after kill {kill}"))?;
            if kill.is_multiple_of(10) || kill == self.kills {
                let moves: usize =
                    workers.iter().map(|worker| worker.moves.load(Ordering::Relaxed)).sum();
                progress(&format!("{kill} of {} kills, {moves} moves, none lost", self.kills));
            }
            Ok(())
        });
        shared.finished.store(true, Ordering::Relaxed);
        report.moves = workers.iter().map(|worker| worker.moves.load(Ordering::Relaxed)).sum();
        for worker in workers {
            // A thread that has failed has said so before.
            let _ = worker.thread.join();
        }
        let ended = lock(&shared.ended);
        let done = done.and_then(|()| ended.iter().try_for_each(|seen| seen.check(&url)));
        if let Err(error) = done {
            return Err(error.context(target.keep()));
        }
        drop(ended);
        report.games = shared.games.load(Ordering::Relaxed);
        Ok(report)
    }

    fn start(&self) -> Result<Target> {
        Target::start(&TargetOptions {
            stoa: self.stoa.clone(),
            postgres: self.victims.iter().any(|victim| *victim != Victim::Server),
            nodes: 1,
            limited: false,
            folder: None,
            arguments: Vec::new(),
        })
    }

    fn kill_and_check(
        &self,
        target: &mut Target,
        workers: &[Worker],
        shared: &Shared,
        kill: usize,
        report: &mut Report,
    ) -> Result<()> {
        let mut rng = Rng::for_game(self.seed, kill as u64);
        let mut upto = |ms: usize| Duration::from_millis(rng.below(ms) as u64);
        sleep(upto(400));
        let long = kill.is_multiple_of(LONG_DOWNTIME_EVERY);
        let clocks = if long { Some(Clocks::read(workers, shared)?) } else { None };
        let killed = Instant::now();
        let downtime = if long { LONG_DOWNTIME } else { upto(150) };
        let victim = self.victims[rng.below(self.victims.len())];
        victim.kill(target, 0);
        // Before the restart, so that moves in flight are checked before they are sent again: a server
        // accepts connections while it is still starting, and would answer them first.
        let paused = Paused::new(shared);
        victim.restart(target, 0, downtime)?;
        report.kills[victim as usize] += 1;
        let started = Instant::now();
        let before: Vec<usize> =
            workers.iter().map(|worker| worker.moves.load(Ordering::Relaxed)).collect();
        for worker in workers {
            let outcome = lock(&worker.witness).check_after_restart()?;
            report.kept += usize::from(outcome == Some(true));
            report.repeated += usize::from(outcome == Some(false));
        }
        if let Some(seen) = pick(&lock(&shared.ended), &mut rng) {
            seen.check(&target.urls()[0])?;
        }
        drop(paused);
        if let Some(clocks) = clocks {
            clocks.compare(workers, shared, killed, started)?;
            report.long_downtimes += 1;
        }
        for (worker, before) in workers.iter().zip(before) {
            while worker.moves.load(Ordering::Relaxed) == before {
                if let Some(failure) = lock(&shared.failure).take() {
                    bail!("{failure}");
                }
                if started.elapsed() > PROGRESS_TIMEOUT {
                    bail!("game {} does not continue", lock(&worker.witness).game());
                }
                sleep(Duration::from_millis(2));
            }
        }
        report.slowest = report.slowest.max(started.elapsed());
        Ok(())
    }
}

fn pick<'a>(ended: &'a [Seen], rng: &mut Rng) -> Option<&'a Seen> {
    ended.get(rng.below(ended.len()))
}

/// Starts a thread that plays through all interruptions.
fn spawn_worker(url: &str, number: usize, seed: u64, shared: &Arc<Shared>) -> Worker {
    let witness = Arc::new(Mutex::new(Witness::new(url, number, seed)));
    let moves = Arc::new(AtomicUsize::new(0));
    let thread = {
        let (witness, moves, shared) =
            (Arc::clone(&witness), Arc::clone(&moves), Arc::clone(shared));
        thread::spawn(move || {
            while !shared.finished.load(Ordering::Relaxed) {
                if shared.paused.load(Ordering::Relaxed) {
                    sleep(Duration::from_millis(1));
                    continue;
                }
                let stepped = lock(&witness).step();
                match stepped {
                    Ok(witness::Step::Moved) => {
                        moves.fetch_add(1, Ordering::Relaxed);
                    }
                    Ok(witness::Step::Ended(seen)) => {
                        shared.games.fetch_add(1, Ordering::Relaxed);
                        let mut ended = lock(&shared.ended);
                        if ended.len() < MAX_ENDED_GAMES {
                            ended.push(seen);
                        }
                    }
                    Ok(witness::Step::NoResponse) => sleep(Duration::from_millis(10)),
                    Err(error) => {
                        *lock(&shared.failure) = Some(format!("{error:#}"));
                        return;
                    }
                }
            }
        })
    };
    Worker { witness, moves, thread }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pauses all games while it lives.
struct Paused<'a>(&'a Shared);

impl Paused<'_> {
    fn new(shared: &Shared) -> Paused<'_> {
        shared.paused.store(true, Ordering::Relaxed);
        Paused(shared)
    }
}

impl Drop for Paused<'_> {
    fn drop(&mut self) {
        self.0.paused.store(false, Ordering::Relaxed);
    }
}

/// The time left on the clocks of all games at a moment.
struct Clocks {
    at: Instant,
    left: Vec<Option<(String, i64)>>,
}

impl Clocks {
    fn read(workers: &[Worker], shared: &Shared) -> Result<Clocks> {
        let _paused = Paused::new(shared);
        let left = workers
            .iter()
            .map(|worker| lock(&worker.witness).time_left())
            .collect::<Result<_>>()?;
        Ok(Clocks { at: Instant::now(), left })
    }

    /// Between the two readings the clocks have lost at most the time that the service was up.
    fn compare(
        &self,
        workers: &[Worker],
        shared: &Shared,
        killed: Instant,
        started: Instant,
    ) -> Result<()> {
        let now = Clocks::read(workers, shared)?;
        let up = (killed - self.at) + (now.at - started);
        let allowed = i64::try_from((up + CLOCK_TOLERANCE).as_millis()).unwrap_or(i64::MAX);
        for (before, after) in self.left.iter().zip(&now.left) {
            let (Some((game, before)), Some((same, after))) = (before, after) else { continue };
            let lost = before - after;
            if game == same && lost > allowed {
                bail!(
                    "the clocks of game {game} lost {lost} ms while the service was up for {} ms",
                    up.as_millis()
                );
            }
        }
        Ok(())
    }
}
