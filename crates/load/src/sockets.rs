//! Many connections that watch games: how much memory they take, and whether all hear everything.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use stoa_client::Client;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::figures::{Usage, cores, load_average, memory};
use crate::moves::sit_down;
use crate::place::{Place, allow_connections};
use crate::socket::{Heard, Socket};

/// How many connect at the same time.
const AT_ONCE: usize = 64;
/// How long stragglers are waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// Many connections that watch games.
#[derive(Debug, Clone, Copy)]
pub struct Crowd {
    /// How many, players included.
    pub sockets: usize,
    /// Games that they watch.
    pub tables: usize,
    /// Moves that are played at each table, one a second, while they watch.
    pub moves: usize,
}

/// What was measured.
#[derive(Debug)]
pub struct Measured {
    words: String,
    load: String,
    crowd: Crowd,
    before: Option<f64>,
    connected: Option<f64>,
    after: Option<f64>,
    connecting: Duration,
    told: usize,
    to_tell: usize,
    server: Option<f64>,
    tool: Option<f64>,
}

impl Crowd {
    /// Measures.
    ///
    /// # Errors
    /// If the server refuses somebody.
    pub fn measure(self, place: &Place) -> Result<Measured> {
        allow_connections(self.sockets as u64 + 200)?;
        let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
        runtime.block_on(self.run(place))
    }

    async fn run(self, place: &Place) -> Result<Measured> {
        let load = load_average();
        let before = memory(&place.processes());
        let mut tables = sit_down(place, self.tables).await?;
        let games: Arc<[String]> = tables.iter().map(|table| table.game().to_owned()).collect();
        let watchers = self.sockets.saturating_sub(2 * self.tables);
        let began = Instant::now();
        let sockets = connect(place, watchers, &games).await?;
        let connecting = began.elapsed();
        let connected = memory(&place.processes());
        eprintln!("{} sockets are connected; playing …", self.sockets);

        let told = Arc::new(AtomicUsize::new(0));
        let mut listening = JoinSet::new();
        for mut socket in sockets {
            let told = Arc::clone(&told);
            listening.spawn(async move {
                loop {
                    if let Heard::Update { .. } = socket.hear().await? {
                        told.fetch_add(1, Ordering::Relaxed);
                    }
                }
                #[expect(unreachable_code, reason = "it says what the task would return")]
                Ok::<(), anyhow::Error>(())
            });
        }
        let server = Usage::of(place.processes());
        let tool = Usage::of(vec![std::process::id()]);
        let mut to_tell = 0;
        let mut due = Instant::now();
        let mut played = vec![0; tables.len()];
        for _ in 0..self.moves {
            due += Duration::from_secs(1);
            for (table, played) in tables.iter_mut().zip(&mut played) {
                if !table.is_over() {
                    table.play().await?;
                    *played += 1;
                }
            }
            tokio::time::sleep_until(due.into()).await;
        }
        for (index, played) in played.iter().enumerate() {
            to_tell += played * (0..watchers).filter(|n| n % games.len() == index).count();
        }
        let (server, tool) = (server.cores(), tool.cores());
        let deadline = Instant::now() + PATIENCE;
        while told.load(Ordering::Relaxed) < to_tell && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if let Some(ended) = listening.try_join_next() {
            ended?.context("a watcher was sent away")?;
        }
        Ok(Measured {
            words: place.words().to_owned(),
            load,
            crowd: self,
            before,
            connected,
            after: memory(&place.processes()),
            connecting,
            told: told.load(Ordering::Relaxed),
            to_tell,
            server,
            tool,
        })
    }
}

async fn connect(place: &Place, count: usize, games: &Arc<[String]>) -> Result<Vec<Socket>> {
    let turns = Arc::new(Semaphore::new(AT_ONCE));
    let clients: Vec<Client> = place.urls().iter().map(|url| Client::nobody(url)).collect();
    let mut coming = JoinSet::new();
    for number in 0..count {
        let client = clients[number % clients.len()].clone();
        let (games, turns) = (Arc::clone(games), Arc::clone(&turns));
        coming.spawn(async move {
            let _turn = turns.acquire().await?;
            let mut socket = Socket::connect(&client).await?;
            socket.watch(&games[number % games.len()]).await?;
            Ok::<_, anyhow::Error>(socket)
        });
    }
    let mut ready = Vec::with_capacity(count);
    while let Some(socket) = coming.join_next().await {
        ready.push(socket??);
        if ready.len().is_multiple_of(1000) {
            eprintln!("{} of {count} watchers are there", ready.len());
        }
    }
    Ok(ready)
}

impl Measured {
    /// The server's memory with everyone there and games going on, in MB.
    pub fn memory(&self) -> Option<f64> {
        self.after
    }

    /// Whether every watcher heard of every move.
    pub fn all_heard(&self) -> bool {
        self.told == self.to_tell
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Crowd { sockets, tables, .. } = self.crowd;
        let megabytes = |figure: Option<f64>| {
            figure.map_or("unknown".to_owned(), |figure| format!("{figure:.0} MB"))
        };
        writeln!(f, "{sockets} sockets at {tables} games; {}", self.words)?;
        writeln!(f, "  load average before  {}", self.load)?;
        writeln!(f, "  watchers came in     {:.1} s", self.connecting.as_secs_f64())?;
        writeln!(f, "  memory before        {}", megabytes(self.before))?;
        writeln!(f, "  with everyone there  {}", megabytes(self.connected))?;
        writeln!(f, "  after {} moves each   {}", self.crowd.moves, megabytes(self.after))?;
        writeln!(f, "  messages heard       {} of {}", self.told, self.to_tell)?;
        writeln!(f, "  servers used         {}", cores(self.server))?;
        write!(f, "  this tool used       {}", cores(self.tool))
    }
}
