//! Moves at a given pace: how long until they are acknowledged, and until the opponent has them.
//!
//! Each table has its moves planned by the clock, evenly and apart from all others. A move that cannot be
//! sent in time because the one before it is not acknowledged yet is counted from when it was due: a slow
//! server cannot make itself look quicker by keeping the tool from asking.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::figures::{Times, Usage, cores, load_average};
use crate::place::{Place, allow_connections};
use crate::table::Table;

/// How many tables are made at the same time.
const AT_ONCE: usize = 8;
/// A socket that asks for more than 20 things a second is closed by the server.
const MOST_PER_SEAT: f64 = 15.0;
/// What comes first is not counted.
const WARM_UP: Duration = Duration::from_secs(2);

/// Moves at a given pace.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Games at the same time.
    pub tables: usize,
    /// Moves a second, all games together; 0 means as many as the server can do.
    pub rate: u32,
    /// For how long.
    pub seconds: u64,
}

/// What was measured.
#[derive(Debug)]
pub struct Measured {
    words: String,
    load: String,
    pace: Pace,
    elapsed: Duration,
    times: TableTimes,
    server: Option<f64>,
    tool: Option<f64>,
}

/// What was measured at a table.
#[derive(Debug, Default)]
struct TableTimes {
    /// From when it was due until it was acknowledged.
    acknowledged: Times,
    /// From when it was sent until the opponent had it.
    reached: Times,
    /// How late the tool was by its own fault: it was free to send, and did not.
    late: Times,
    games: usize,
}

impl Pace {
    /// Measures.
    ///
    /// # Errors
    /// If the server refuses or loses something.
    pub fn measure(self, place: &Place) -> Result<Measured> {
        allow_connections(2 * self.tables as u64 + 200)?;
        if f64::from(self.rate) / self.tables as f64 / 2.0 > MOST_PER_SEAT {
            bail!(
                "so few tables cannot have so many moves: the server allows a socket 20 a second"
            );
        }
        let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
        runtime.block_on(self.run(place))
    }

    async fn run(self, place: &Place) -> Result<Measured> {
        let load = load_average();
        let tables = sit_down(place, self.tables).await?;
        eprintln!("{} tables; playing for {} s …", tables.len(), self.seconds);
        let start = Instant::now() + Duration::from_millis(200);
        let counted = start + WARM_UP;
        let end = counted + Duration::from_secs(self.seconds);
        let mut players = JoinSet::new();
        for (number, table) in tables.into_iter().enumerate() {
            let schedule = Schedule::new(self, number, start);
            players.spawn(keep_playing(table, schedule, counted, end));
        }
        tokio::time::sleep_until(counted.into()).await;
        let server = Usage::of(place.processes());
        let tool = Usage::of(vec![std::process::id()]);
        tokio::time::sleep_until(end.into()).await;
        let (server, tool) = (server.cores(), tool.cores());
        let mut times = TableTimes::default();
        let mut last = end;
        while let Some(done) = players.join_next().await {
            let (own, finished) = done??;
            times.acknowledged.append(own.acknowledged);
            times.reached.append(own.reached);
            times.late.append(own.late);
            times.games += own.games;
            last = last.max(finished);
        }
        let words = place.words().to_owned();
        Ok(Measured { words, load, pace: self, elapsed: last - counted, times, server, tool })
    }
}

/// Makes players and games.
pub(crate) async fn sit_down(place: &Place, tables: usize) -> Result<Vec<Table>> {
    let urls: Arc<[String]> = place.urls().into();
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let seated = Arc::new(AtomicUsize::new(0));
    let mut coming = JoinSet::new();
    for number in 0..tables {
        let (urls, turns, seated) = (Arc::clone(&urls), Arc::clone(&turns), Arc::clone(&seated));
        coming.spawn(async move {
            let _turn = turns.acquire().await?;
            let table = Table::new(&urls, number).await?;
            let done = seated.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(100) {
                eprintln!("{done} of {tables} tables have sat down");
            }
            Ok::<_, anyhow::Error>(table)
        });
    }
    let mut ready = Vec::with_capacity(tables);
    while let Some(table) = coming.join_next().await {
        ready.push(table??);
    }
    Ok(ready)
}

/// When the moves of a table are due.
#[derive(Debug, Clone, Copy)]
struct Schedule {
    next: Instant,
    /// Nothing: the next is due when the last is done.
    every: Option<Duration>,
}

impl Schedule {
    fn new(pace: Pace, number: usize, start: Instant) -> Schedule {
        if pace.rate == 0 {
            return Schedule { next: start, every: None };
        }
        let every = Duration::from_secs_f64(pace.tables as f64 / f64::from(pace.rate));
        let offset = every.mul_f64(number as f64 / pace.tables as f64);
        Schedule { next: start + offset, every: Some(every) }
    }

    /// When the next move is due, for a table that is free from `free` on.
    fn take(&mut self, free: Instant) -> Instant {
        match self.every {
            Some(every) => {
                let due = self.next;
                self.next += every;
                due
            }
            None => self.next.max(free),
        }
    }

    /// Skips what would have been due while a new game was being made: no move could be.
    fn resume(&mut self, now: Instant) {
        if let Some(every) = self.every {
            while self.next < now {
                self.next += every;
            }
        }
    }
}

async fn keep_playing(
    mut table: Table,
    mut schedule: Schedule,
    counted: Instant,
    end: Instant,
) -> Result<(TableTimes, Instant)> {
    let mut times = TableTimes::default();
    let mut free = Instant::now();
    loop {
        let due = schedule.take(free);
        if due >= end || free >= end {
            return Ok((times, free.min(end)));
        }
        table.rest_until(due).await?;
        let played = table.play().await?;
        if due >= counted {
            times.acknowledged.add(played.acknowledged - due);
            times.reached.add(played.reached.saturating_duration_since(played.sent));
            times.late.add(played.sent.saturating_duration_since(due.max(free)));
        }
        free = played.acknowledged.max(played.reached);
        if table.is_over() {
            table.begin().await?;
            times.games += 1;
            free = Instant::now();
            schedule.resume(free);
        }
    }
}

impl Measured {
    /// Moves acknowledged a second.
    pub fn rate(&self) -> f64 {
        self.times.acknowledged.len() as f64 / self.elapsed.as_secs_f64()
    }

    /// The time in which this share of all moves was acknowledged.
    pub fn acknowledged(&self, share: f64) -> Duration {
        self.times.acknowledged.quantile(share)
    }

    /// The time after which this share of all moves had reached the opponent.
    pub fn reached(&self, share: f64) -> Duration {
        self.times.reached.quantile(share)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pace { tables, rate, seconds } = self.pace;
        let wanted = if rate == 0 {
            "as many moves as can be".to_owned()
        } else {
            format!("{rate} moves/s")
        };
        writeln!(f, "{wanted} at {tables} tables for {seconds} s; {}", self.words)?;
        writeln!(f, "  load average before  {}", self.load)?;
        let moves = self.times.acknowledged.len();
        writeln!(f, "  acknowledged         {moves} moves, {:.0} a second", self.rate())?;
        writeln!(f, "  new games begun      {}", self.times.games)?;
        writeln!(f, "  acknowledged after   {}", self.times.acknowledged)?;
        writeln!(f, "  opponent has it      {}", self.times.reached)?;
        writeln!(f, "  servers used         {}", cores(self.server))?;
        writeln!(f, "  this tool used       {}", cores(self.tool))?;
        write!(f, "  this tool was late   {}", self.times.late)
    }
}
