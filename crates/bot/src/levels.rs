//! The levels of Stoa's engine as players on a server of the same program. They use the server as every
//! bot does: over HTTP, with a token.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use stoa_client::Client;
use stoa_engine::{Level, Stop};

use crate::{Bot, BotEngine, BotOptions, SearchQueue};

/// The longest time for a move: others are waiting.
const MAX_MOVE_TIME: Duration = Duration::from_secs(5);
/// Levels up to this one search so few nodes that they answer at once.
const HIGHEST_QUICK_LEVEL: u8 = 4;
const QUICK_THOUGHT: Duration = Duration::from_millis(100);
/// Where several nodes have the engine, the one that accepted a challenge plays; another takes a game over
/// when nobody has moved for so long.
const TAKEOVER_DELAY: Duration = Duration::from_secs(3);
/// How often a bot asks whether the server answers yet.
const STARTUP_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Starts a bot for each token, the first for the lowest level, on the server at this
/// address, with searches that share the machine. They play until they are stopped, or the program ends.
pub fn start_engine_levels(
    address: SocketAddr,
    tokens: Vec<String>,
    searches: &SearchQueue,
    stop: &Stop,
) {
    for (level, token) in Level::all().zip(tokens) {
        let (searches, stop) = (searches.clone(), stop.clone());
        thread::spawn(move || {
            let Ok(spec) = format!("level={},tables=on", level.number()).parse() else { return };
            let client = Client::with_token(&format!("http://{address}"), &token);
            let mut options = Some(BotOptions {
                engine: BotEngine::Stoa(spec),
                games: Vec::new(),
                // The server refuses challenges that are too many, before the engine hears of them.
                max_games: usize::MAX,
                move_time: MAX_MOVE_TIME,
                first_thought: match level.number() <= HIGHEST_QUICK_LEVEL {
                    true => QUICK_THOUGHT,
                    false => MAX_MOVE_TIME,
                },
                takeover_delay: TAKEOVER_DELAY,
                searches,
                keeps_engines: false,
                log: |message| tracing::debug!("{message}"),
            });
            while !stop.is_stopped() {
                thread::sleep(STARTUP_POLL_INTERVAL);
                if client.me().is_err() {
                    continue;
                }
                let Some(options) = options.take() else { return };
                let done = Bot::new(client, options, stop).and_then(|bot| bot.run());
                if let Err(error) = done {
                    tracing::error!("level {} of the engine: {error:#}", level.number());
                }
                return;
            }
        });
    }
}
