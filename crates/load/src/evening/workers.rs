//! The workers that review the games of an evening, and what becomes of their jobs.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use stoa_client::ReviewState;
use stoa_testing::Worker;

use super::database::Database;
use super::ledger::AbandonedLease;
use super::table::Room;
use crate::target::Target;
use crate::witnessed_game::retry;

/// How many there are.
const COUNT: usize = 2;
/// A worker that has no job gets this long to find one before it is killed.
const MAX_IDLE: Duration = Duration::from_secs(4);
const IDLE_INTERVAL: Duration = Duration::from_millis(50);
/// How long the server has to handle what a worker sent just before it was killed.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// What a worker writes when the server has kept a review of its own.
const KEPT: &str = ": reviewed";

/// Workers, each with a token of its own.
#[derive(Debug)]
pub(super) struct Workers {
    workers: Vec<(String, Worker)>,
}

impl Workers {
    /// Starts them, each for one of the nodes.
    pub(super) fn start(target: &Target, program: &Path) -> Result<Workers> {
        let folder = target.folder().context("workers need servers that were started here")?;
        let start = |number: usize| {
            let said = target.said(&["admin", "workers", "create", &format!("attic {number}")])?;
            let said = said.context("there is no server")?;
            let word = |name: &str| {
                let line = said.lines().find(|line| line.starts_with(name));
                let word = line.and_then(|line| line.split_whitespace().nth(1));
                word.with_context(|| format!("there is no {name}in: {said}"))
            };
            let url = &target.urls()[number % target.urls().len()];
            let log = folder.join(format!("worker-{number}"));
            let worker = Worker::start(program, url, word("token ")?, &log)?;
            Ok((word("worker ")?.to_owned(), worker))
        };
        Ok(Workers { workers: (0..COUNT).map(start).collect::<Result<_>>()? })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.workers.len()
    }

    /// Kills one, if possible while it has a job, and returns the leases that it leaves behind, by game.
    pub(super) fn kill(
        &mut self,
        number: usize,
        database: &Database,
    ) -> Result<Vec<(String, AbandonedLease)>> {
        let (id, worker) = &mut self.workers[number];
        let began = Instant::now();
        while began.elapsed() < MAX_IDLE && database.leases(id)?.is_empty() {
            sleep(IDLE_INTERVAL);
        }
        worker.kill();
        let killed = SystemTime::now().duration_since(UNIX_EPOCH).context("no time")?;
        let killed = i64::try_from(killed.as_millis())?;
        sleep(LAST_WORDS);
        let leases = database.leases(id)?.into_iter();
        Ok(leases.map(|(game, attempts)| (game, AbandonedLease { attempts, killed })).collect())
    }

    /// Restarts one that was killed.
    pub(super) fn restart(&mut self, number: usize) -> Result<()> {
        Ok(self.workers[number].1.restart()?)
    }

    /// Ends all: they give their jobs back.
    pub(super) fn end(&mut self) {
        self.workers.iter_mut().for_each(|(_, worker)| worker.end());
    }

    /// How often a worker was told that its review is kept.
    pub(super) fn acknowledged(&self) -> usize {
        self.workers.iter().map(|(_, worker)| worker.output().matches(KEPT).count()).sum()
    }
}

/// Looks at one review that is not known to be done, and notes if it is; returns whether there was one.
pub(super) fn look_at_one(room: &Room, turn: usize) -> Result<bool> {
    let open: Vec<String> = {
        let ledger = room.ledger();
        let open = ledger.reviews.iter().filter(|(_, review)| review.done.is_none());
        open.map(|(game, _)| game.clone()).collect()
    };
    if open.is_empty() {
        return Ok(false);
    }
    let game = &open[turn % open.len()];
    let found = retry(|| room.people[0].client.review(game)).context("a review")?;
    if found.state == ReviewState::Done {
        let done = (found.finished.unwrap_or_default(), serde_json::to_string(&found.review)?);
        room.ledger().reviews.entry(game.clone()).or_default().done = Some(done);
    }
    Ok(true)
}
