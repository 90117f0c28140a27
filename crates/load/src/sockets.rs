//! Many connections that watch games: how much memory they take, and whether all receive everything.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use stoa_client::Client;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::moves::start_games;
use crate::socket::{Received, Socket};
use crate::stats::{Usage, cores, load_average, memory};
use crate::target::{Target, allow_connections};

/// How many sockets connect at the same time.
const MAX_CONCURRENT: usize = 64;
/// How long to wait for the last messages.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(20);

/// Many connections that watch games.
#[derive(Debug, Clone, Copy)]
pub struct SocketLoad {
    /// The number of sockets, players included.
    pub sockets: usize,
    /// Games that they watch.
    pub games: usize,
    /// Moves that are played in each game, one a second, while they watch.
    pub moves: usize,
}

/// The measurements.
#[derive(Debug)]
pub struct Measured {
    words: String,
    load_average: String,
    socket_load: SocketLoad,
    before: Option<f64>,
    connected: Option<f64>,
    after: Option<f64>,
    connecting: Duration,
    received: usize,
    expected: usize,
    server: Option<f64>,
    tool: Option<f64>,
}

impl SocketLoad {
    /// Measures.
    ///
    /// # Errors
    /// If the server refuses a connection.
    pub fn measure(self, target: &Target) -> Result<Measured> {
        allow_connections(self.sockets as u64 + 200)?;
        let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
        runtime.block_on(self.run(target))
    }

    async fn run(self, target: &Target) -> Result<Measured> {
        let load_average = load_average();
        let before = memory(&target.processes());
        let mut live_games = start_games(target, self.games).await?;
        let games: Arc<[String]> =
            live_games.iter().map(|live_game| live_game.game().to_owned()).collect();
        let watchers = self.sockets.saturating_sub(2 * self.games);
        let began = Instant::now();
        let sockets = connect(target, watchers, &games).await?;
        let connecting = began.elapsed();
        let connected = memory(&target.processes());
        eprintln!("{} sockets are connected; playing …", self.sockets);

        let received = Arc::new(AtomicUsize::new(0));
        let mut listening = JoinSet::new();
        for mut socket in sockets {
            let received = Arc::clone(&received);
            listening.spawn(async move {
                loop {
                    if let Received::Update { .. } = socket.receive().await? {
                        received.fetch_add(1, Ordering::Relaxed);
                    }
                }
                #[expect(unreachable_code, reason = "it says what the task would return")]
                Ok::<(), anyhow::Error>(())
            });
        }
        let server = Usage::of(target.processes());
        let tool = Usage::of(vec![std::process::id()]);
        let mut expected = 0;
        let mut due = Instant::now();
        let mut played = vec![0; live_games.len()];
        for _ in 0..self.moves {
            due += Duration::from_secs(1);
            for (live_game, played) in live_games.iter_mut().zip(&mut played) {
                if !live_game.is_over() {
                    live_game.play().await?;
                    *played += 1;
                }
            }
            tokio::time::sleep_until(due.into()).await;
        }
        for (index, played) in played.iter().enumerate() {
            expected += played * (0..watchers).filter(|n| n % games.len() == index).count();
        }
        let (server, tool) = (server.cores(), tool.cores());
        let deadline = Instant::now() + DELIVERY_TIMEOUT;
        while received.load(Ordering::Relaxed) < expected && Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if let Some(ended) = listening.try_join_next() {
            ended?.context("a watcher was disconnected")?;
        }
        Ok(Measured {
            words: target.words().to_owned(),
            load_average,
            socket_load: self,
            before,
            connected,
            after: memory(&target.processes()),
            connecting,
            received: received.load(Ordering::Relaxed),
            expected,
            server,
            tool,
        })
    }
}

async fn connect(target: &Target, count: usize, games: &Arc<[String]>) -> Result<Vec<Socket>> {
    let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
    let clients: Vec<Client> = target.urls().iter().map(|url| Client::anonymous(url)).collect();
    let mut coming = JoinSet::new();
    for number in 0..count {
        let client = clients[number % clients.len()].clone();
        let (games, permits) = (Arc::clone(games), Arc::clone(&permits));
        coming.spawn(async move {
            let _permit = permits.acquire().await?;
            let mut socket = Socket::connect(&client).await?;
            socket.watch(&games[number % games.len()]).await?;
            Ok::<_, anyhow::Error>(socket)
        });
    }
    let mut ready = Vec::with_capacity(count);
    while let Some(socket) = coming.join_next().await {
        ready.push(socket??);
        if ready.len().is_multiple_of(1000) {
            eprintln!("{} of {count} watchers are connected", ready.len());
        }
    }
    Ok(ready)
}

impl Measured {
    /// The server's memory with all sockets connected and games being played, in MB.
    pub fn memory(&self) -> Option<f64> {
        self.after
    }

    /// Whether every watcher received every move.
    pub fn all_received(&self) -> bool {
        self.received == self.expected
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SocketLoad { sockets, games, .. } = self.socket_load;
        let megabytes = |figure: Option<f64>| {
            figure.map_or("unknown".to_owned(), |figure| format!("{figure:.0} MB"))
        };
        writeln!(f, "{sockets} sockets in {games} games; {}", self.words)?;
        writeln!(f, "  load average before  {}", self.load_average)?;
        writeln!(f, "  watchers connected   {:.1} s", self.connecting.as_secs_f64())?;
        writeln!(f, "  memory before        {}", megabytes(self.before))?;
        writeln!(f, "  all connected        {}", megabytes(self.connected))?;
        writeln!(f, "  after {} moves each   {}", self.socket_load.moves, megabytes(self.after))?;
        writeln!(f, "  messages received    {} of {}", self.received, self.expected)?;
        writeln!(f, "  servers used         {}", cores(self.server))?;
        write!(f, "  this tool used       {}", cores(self.tool))
    }
}
