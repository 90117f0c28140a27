//! Moves at a given rate: how long until they are acknowledged, and until the opponent has them.
//!
//! The moves of each game are scheduled by the clock, evenly and independently of other games. A move that
//! cannot be sent in time because the one before it is not acknowledged yet is measured from when it was due: a
//! slow server cannot look faster by getting fewer requests.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::live_game::LiveGame;
use crate::stats::{Times, Usage, cores, load_average};
use crate::target::{Target, allow_connections};

/// How many games are set up at the same time.
const MAX_CONCURRENT: usize = 8;
/// The server closes a socket that sends more than 20 messages a second.
const MAX_MOVES_PER_SOCKET: f64 = 15.0;
/// Moves during this time are not measured.
const WARM_UP: Duration = Duration::from_secs(2);

/// Moves at a given rate.
#[derive(Debug, Clone, Copy)]
pub struct MoveLoad {
    /// Games at the same time.
    pub games: usize,
    /// Moves a second, all games together; 0 means as many as possible.
    pub rate: u32,
    /// The duration.
    pub seconds: u64,
}

/// The measurements.
#[derive(Debug)]
pub struct Measured {
    words: String,
    load_average: String,
    move_load: MoveLoad,
    elapsed: Duration,
    times: GameTimes,
    server: Option<f64>,
    tool: Option<f64>,
}

/// The measurements of a game.
#[derive(Debug, Default)]
struct GameTimes {
    /// From when it was due until it was acknowledged.
    acknowledged: Times,
    /// From when it was sent until the opponent had it.
    reached: Times,
    /// How late the tool was through its own fault: it was free to send, and did not.
    late: Times,
    games: usize,
}

impl MoveLoad {
    /// Measures.
    ///
    /// # Errors
    /// If the server refuses or loses something.
    pub fn measure(self, target: &Target) -> Result<Measured> {
        allow_connections(2 * self.games as u64 + 200)?;
        if f64::from(self.rate) / self.games as f64 / 2.0 > MAX_MOVES_PER_SOCKET {
            bail!(
                "too few games for so many moves: the server allows a socket 20 messages a second"
            );
        }
        let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
        runtime.block_on(self.run(target))
    }

    async fn run(self, target: &Target) -> Result<Measured> {
        let load_average = load_average();
        let live_games = start_games(target, self.games).await?;
        eprintln!("{} games; playing for {} s …", live_games.len(), self.seconds);
        let start = Instant::now() + Duration::from_millis(200);
        let counted = start + WARM_UP;
        let end = counted + Duration::from_secs(self.seconds);
        let mut players = JoinSet::new();
        for (number, live_game) in live_games.into_iter().enumerate() {
            let schedule = Schedule::new(self, number, start);
            players.spawn(keep_playing(live_game, schedule, counted, end));
        }
        tokio::time::sleep_until(counted.into()).await;
        let server = Usage::of(target.processes());
        let tool = Usage::of(vec![std::process::id()]);
        tokio::time::sleep_until(end.into()).await;
        let (server, tool) = (server.cores(), tool.cores());
        let mut times = GameTimes::default();
        let mut last = end;
        while let Some(done) = players.join_next().await {
            let (own, finished) = done??;
            times.acknowledged.append(own.acknowledged);
            times.reached.append(own.reached);
            times.late.append(own.late);
            times.games += own.games;
            last = last.max(finished);
        }
        let words = target.words().to_owned();
        Ok(Measured {
            words,
            load_average,
            move_load: self,
            elapsed: last - counted,
            times,
            server,
            tool,
        })
    }
}

/// Creates players and begins games.
pub(crate) async fn start_games(target: &Target, count: usize) -> Result<Vec<LiveGame>> {
    let urls: Arc<[String]> = target.urls().into();
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
    let begun = Arc::new(AtomicUsize::new(0));
    let mut coming = JoinSet::new();
    for number in 0..count {
        let (urls, permits, begun) = (Arc::clone(&urls), Arc::clone(&permits), Arc::clone(&begun));
        coming.spawn(async move {
            let _permit = permits.acquire().await?;
            let live_game = LiveGame::new(&urls, number).await?;
            let done = begun.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(100) {
                eprintln!("{done} of {count} games have begun");
            }
            Ok::<_, anyhow::Error>(live_game)
        });
    }
    let mut ready = Vec::with_capacity(count);
    while let Some(live_game) = coming.join_next().await {
        ready.push(live_game??);
    }
    Ok(ready)
}

/// When the moves of a game are due.
#[derive(Debug, Clone, Copy)]
struct Schedule {
    next: Instant,
    /// `None`: the next move is due when the last is done.
    every: Option<Duration>,
}

impl Schedule {
    fn new(load: MoveLoad, number: usize, start: Instant) -> Schedule {
        if load.rate == 0 {
            return Schedule { next: start, every: None };
        }
        let every = Duration::from_secs_f64(load.games as f64 / f64::from(load.rate));
        let offset = every.mul_f64(number as f64 / load.games as f64);
        Schedule { next: start + offset, every: Some(every) }
    }

    /// When the next move is due, for a game that is free from `free` on.
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

    /// Skips moves that were due while a new game was being set up.
    fn resume(&mut self, now: Instant) {
        if let Some(every) = self.every {
            while self.next < now {
                self.next += every;
            }
        }
    }
}

async fn keep_playing(
    mut live_game: LiveGame,
    mut schedule: Schedule,
    counted: Instant,
    end: Instant,
) -> Result<(GameTimes, Instant)> {
    let mut times = GameTimes::default();
    let mut free = Instant::now();
    loop {
        let due = schedule.take(free);
        if due >= end || free >= end {
            return Ok((times, free.min(end)));
        }
        live_game.rest_until(due).await?;
        let played = live_game.play().await?;
        if due >= counted {
            times.acknowledged.add(played.acknowledged - due);
            times.reached.add(played.reached.saturating_duration_since(played.sent));
            times.late.add(played.sent.saturating_duration_since(due.max(free)));
        }
        free = played.acknowledged.max(played.reached);
        if live_game.is_over() {
            live_game.begin().await?;
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
        let MoveLoad { games, rate, seconds } = self.move_load;
        let wanted = if rate == 0 {
            "as many moves as can be".to_owned()
        } else {
            format!("{rate} moves/s")
        };
        writeln!(f, "{wanted} in {games} games for {seconds} s; {}", self.words)?;
        writeln!(f, "  load average before  {}", self.load_average)?;
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
