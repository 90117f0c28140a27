//! A crowd that asks to be paired at the same moment: how long until everyone has a game.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use stoa_client::Client;
use tokio::sync::{Barrier, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::socket::Socket;
use crate::stats::{Times, load_average};
use crate::target::{Target, allow_connections};

/// How many people come at the same time.
const MAX_CONCURRENT: usize = 32;
/// A player who waits longer is not paired at all.
const PAIRING_TIMEOUT: Duration = Duration::from_secs(60);

/// A crowd.
#[derive(Debug, Clone, Copy)]
pub struct PairLoad {
    /// How many people; an even number, or one has nobody to play.
    pub people: usize,
}

/// The measurements.
#[derive(Debug)]
pub struct Measured {
    words: String,
    load_average: String,
    people: usize,
    times: Times,
    games: usize,
}

impl PairLoad {
    /// Measures.
    ///
    /// # Errors
    /// If a player is not paired, or paired twice.
    pub fn measure(self, target: &Target) -> Result<Measured> {
        allow_connections(self.people as u64 + 200)?;
        let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
        runtime.block_on(self.run(target))
    }

    async fn run(self, target: &Target) -> Result<Measured> {
        let load_average = load_average();
        let sockets = self.come(target).await?;
        let begin = Arc::new(Barrier::new(sockets.len()));
        let mut waiting = JoinSet::new();
        for mut socket in sockets {
            let begin = Arc::clone(&begin);
            waiting.spawn(async move {
                begin.wait().await;
                let began = Instant::now();
                let game = timeout(PAIRING_TIMEOUT, socket.pair("impasse")).await;
                let game = game.context("a player was not paired")??;
                Ok::<_, anyhow::Error>((game, began.elapsed()))
            });
        }
        let mut times = Times::default();
        let mut games: HashMap<String, usize> = HashMap::new();
        while let Some(paired) = waiting.join_next().await {
            let (game, time) = paired??;
            times.add(time);
            *games.entry(game).or_default() += 1;
        }
        if let Some((game, players)) = games.iter().find(|(_, players)| **players != 2) {
            bail!("{players} people were told of game {game}");
        }
        let (words, games) = (target.words().to_owned(), games.len());
        Ok(Measured { words, load_average, people: self.people, times, games })
    }

    /// Guests with open sockets.
    async fn come(self, target: &Target) -> Result<Vec<Socket>> {
        let permits = Arc::new(Semaphore::new(MAX_CONCURRENT));
        let mut coming = JoinSet::new();
        for number in 0..self.people {
            let url = target.urls()[number % target.urls().len()].clone();
            let permits = Arc::clone(&permits);
            coming.spawn(async move {
                let _permit = permits.acquire().await?;
                let guest = move || Client::guest(&url, &format!("Guest {number}"));
                let client = tokio::task::spawn_blocking(guest).await?;
                Socket::connect(&client.context("cannot make a player")?).await
            });
        }
        let mut sockets = Vec::with_capacity(self.people);
        while let Some(socket) = coming.join_next().await {
            sockets.push(socket??);
        }
        Ok(sockets)
    }
}

impl Measured {
    /// The time after which everyone had a game.
    pub fn longest(&self) -> Duration {
        self.times.quantile(1.0)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} people want to be paired at once; {}", self.people, self.words)?;
        writeln!(f, "  load average before  {}", self.load_average)?;
        writeln!(f, "  games begun          {}", self.games)?;
        write!(f, "  paired after         {}", self.times)
    }
}
