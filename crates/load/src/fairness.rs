//! One greedy address beside ordinary people: whether these wait longer than without it.
//!
//! Ordinary people, each at an address of their own, play at a leisurely pace. After a while a client at one
//! more address does whatever costs the server most, again and again: lists, guests, challenges, sign-ins with
//! wrong passwords, pictures. What ordinary people notice is how long their moves take.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::json;
use stoa_client::{Client, ErrorCode, NewChallenge, TimeControl};
use tokio::task::JoinSet;

use crate::live_game::LiveGame;
use crate::moves::start_games;
use crate::stats::{Times, Usage, cores, load_average};
use crate::target::{Target, allow_connections};

/// How long an ordinary person thinks about a move.
const THINKING: Duration = Duration::from_millis(1000);
/// Moves just after a beginning are not measured.
const WARM_UP: Duration = Duration::from_secs(2);
/// How many connections the greedy address uses.
const GREEDY_CONNECTIONS: usize = 16;
/// Where the greedy address is.
const GREEDY_ADDRESS: &str = "192.0.2.66";
/// A latency below this is not noticeable, whatever it is a multiple of.
const MIN_NOTICEABLE: Duration = Duration::from_millis(10);
/// How many times as long moves may take beside a greedy address.
const MAX_FACTOR: u32 = 2;

/// One greedy address beside ordinary people.
#[derive(Debug, Clone, Copy)]
pub struct FairnessLoad {
    /// Games of ordinary people, two in each.
    pub games: usize,
    /// For how long without the greedy address, and then with it.
    pub seconds: u64,
    /// Requests a second of the greedy address.
    pub greed: u32,
}

/// The measurements.
#[derive(Debug)]
pub struct Measured {
    words: String,
    load_average: String,
    fairness_load: FairnessLoad,
    alone: Times,
    beside: Times,
    asked: usize,
    refused: usize,
    server: Option<f64>,
    tool: Option<f64>,
}

impl FairnessLoad {
    /// Measures, on servers with limits that believe what a proxy says.
    ///
    /// # Errors
    /// If ordinary people are refused something.
    pub fn measure(self, target: &Target) -> Result<Measured> {
        allow_connections(2 * self.games as u64 + 200)?;
        let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
        runtime.block_on(self.run(target))
    }

    async fn run(self, target: &Target) -> Result<Measured> {
        let load_average = load_average();
        let live_games = start_games(target, self.games).await?;
        let phase = WARM_UP + Duration::from_secs(self.seconds);
        let begun = Instant::now();
        let (middle, end) = (begun + phase, begun + 2 * phase);
        let mut people = JoinSet::new();
        for (number, live_game) in live_games.into_iter().enumerate() {
            let offset = THINKING.mul_f64(number as f64 / self.games as f64);
            people.spawn(play_leisurely(live_game, begun + offset, end));
        }
        tokio::time::sleep_until(middle.into()).await;
        let server = Usage::of(target.processes());
        let tool = Usage::of(vec![std::process::id()]);
        let stop = Arc::new(AtomicBool::new(false));
        let url = target.urls()[0].clone();
        let greed = self.greed;
        let stopping = Arc::clone(&stop);
        let greedy = tokio::task::spawn_blocking(move || be_greedy(&url, greed, &stopping));
        tokio::time::sleep_until(end.into()).await;
        let (server, tool) = (server.cores(), tool.cores());
        stop.store(true, Ordering::Relaxed);
        let (asked, refused) = greedy.await?;
        let (mut alone, mut beside) = (Times::default(), Times::default());
        while let Some(moves) = people.join_next().await {
            for (sent, took) in moves?? {
                if sent >= middle + WARM_UP {
                    beside.add(took);
                } else if sent >= begun + WARM_UP && sent < middle {
                    alone.add(took);
                }
            }
        }
        let words = target.words().to_owned();
        let fairness_load = self;
        Ok(Measured {
            words,
            load_average,
            fairness_load,
            alone,
            beside,
            asked,
            refused,
            server,
            tool,
        })
    }
}

/// Plays until the end; returns when each move was sent and how long it took until it was acknowledged.
async fn play_leisurely(
    mut live_game: LiveGame,
    start: Instant,
    end: Instant,
) -> Result<Vec<(Instant, Duration)>> {
    let mut moves = Vec::new();
    let mut due = start;
    while due < end {
        live_game.rest_until(due).await?;
        let played = live_game.play().await?;
        moves.push((played.sent, played.acknowledged - played.sent));
        if live_game.is_over() {
            live_game.begin().await?;
        }
        due = Instant::now().max(due + THINKING);
    }
    Ok(moves)
}

/// Asks for too much until it is stopped; returns how often, and how often it was refused.
fn be_greedy(url: &str, rate: u32, stop: &AtomicBool) -> (usize, usize) {
    let (asked, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for worker in 0..GREEDY_CONNECTIONS {
            let (asked, refused) = (&asked, &refused);
            scope.spawn(move || {
                let anonymous = Client::anonymous(url).forwarded_for(GREEDY_ADDRESS);
                let mut client = anonymous.clone();
                while !stop.load(Ordering::Relaxed) {
                    let number = asked.fetch_add(1, Ordering::Relaxed);
                    let due =
                        begun + Duration::from_secs(1).mul_f64(number as f64 / f64::from(rate));
                    std::thread::sleep(due.saturating_duration_since(Instant::now()));
                    if !ask_something(&mut client, &anonymous, number + worker) {
                        refused.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    (asked.into_inner(), refused.into_inner())
}

/// One of the things that cost a server something; false if it was refused as too much.
fn ask_something(client: &mut Client, anonymous: &Client, number: usize) -> bool {
    let done = match number % 6 {
        0 => anonymous.become_guest("Greedy").map(|guest| *client = guest),
        1 => client.challenge(&NewChallenge::new("impasse", TimeControl::Unlimited)).map(drop),
        2 => client.text("/api/games?limit=100").map(drop),
        3 => client.text("/api/challenges").map(drop),
        4 => {
            let sign_in = json!({ "name": format!("nobody {number}"), "password": "a wrong one" });
            anonymous.post::<serde_json::Value>("/api/account/login", &sign_in).map(drop)
        }
        _ => client.text("/").map(drop),
    };
    let is_too_much = |code| {
        matches!(
            code,
            ErrorCode::TooMany | ErrorCode::TooManyChallenges | ErrorCode::TooManyConnections
        )
    };
    !done.is_err_and(|error| error.code().is_some_and(is_too_much))
}

impl Measured {
    /// Whether ordinary people wait at most twice as long as without the greedy address.
    pub fn is_fair(&self) -> bool {
        let allowed = (MAX_FACTOR * self.alone.quantile(0.99)).max(MIN_NOTICEABLE);
        !self.beside.is_empty() && self.beside.quantile(0.99) <= allowed
    }

    /// How many moves ordinary people made, without the greedy address and beside it.
    pub fn moves(&self) -> [usize; 2] {
        [self.alone.len(), self.beside.len()]
    }

    /// What the greedy address asked for, and how much of that was refused.
    pub fn greed(&self) -> (usize, usize) {
        (self.asked, self.refused)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FairnessLoad { games, seconds, greed } = self.fairness_load;
        writeln!(
            f,
            "{} people for {seconds} s, then beside a client that sends {greed} requests a second; {}",
            2 * games,
            self.words
        )?;
        writeln!(f, "  load average before  {}", self.load_average)?;
        writeln!(f, "  without greed        {} moves, {}", self.alone.len(), self.alone)?;
        writeln!(f, "  beside it            {} moves, {}", self.beside.len(), self.beside)?;
        writeln!(f, "  greedy requests      {}, of which {} refused", self.asked, self.refused)?;
        writeln!(f, "  servers used         {}", cores(self.server))?;
        writeln!(f, "  this tool used       {}", cores(self.tool))?;
        write!(
            f,
            "  verdict              {}",
            match self.is_fair() {
                true => "fair: p99 within twice of what it is without",
                false => "UNFAIR",
            }
        )
    }
}
