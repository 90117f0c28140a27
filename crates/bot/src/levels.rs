//! The levels of Stoa's engine as players on a server of the same program. They use the server as every
//! bot does: over HTTP, with a token.

use std::fmt::Display;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

use stoa_client::Client;
use stoa_engine::{Level, Stop};
use stoa_ugi::players::PlayerSpec;

use crate::{Bot, BotEngine, BotOptions, MAX_RETRY_DELAY, SearchQueue};

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
            let spec = format!("level={},tables=on", level.number());
            let Ok(spec) = spec.parse::<PlayerSpec>() else { return };
            let client = Client::with_token(&format!("http://{address}"), &token);
            let options = || BotOptions {
                engine: BotEngine::Stoa(spec.clone()),
                games: Vec::new(),
                // The server refuses challenges that are too many, before the engine hears of them.
                max_games: usize::MAX,
                move_time: MAX_MOVE_TIME,
                first_thought: match level.number() <= HIGHEST_QUICK_LEVEL {
                    true => QUICK_THOUGHT,
                    false => MAX_MOVE_TIME,
                },
                takeover_delay: TAKEOVER_DELAY,
                searches: searches.clone(),
                keeps_engines: false,
                log: |message| tracing::debug!("{message}"),
            };
            while !stop.is_stopped() && client.me().is_err() {
                thread::sleep(STARTUP_POLL_INTERVAL);
            }
            let name = format!("level {} of the engine", level.number());
            // One bot: its games go on meanwhile.
            let mut bot = None;
            until_stopped(&name, &stop, MAX_RETRY_DELAY, || {
                if bot.is_none() {
                    bot = Some(Bot::new(client.clone(), options(), stop.clone())?);
                }
                bot.as_ref().map_or(Ok(()), Bot::run)
            });
        });
    }
}

/// Does something until it is stopped. If it fails, even by a panic, it is done again after a while: nobody would
/// notice that a part of the program is gone.
pub(crate) fn until_stopped<E: Display>(
    name: &str,
    stop: &Stop,
    delay: Duration,
    mut run: impl FnMut() -> Result<(), E>,
) {
    while !stop.is_stopped() {
        match catch_unwind(AssertUnwindSafe(&mut run)) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!("{name}: {error:#}"),
            Err(_) => tracing::error!("{name}: it has panicked"),
        }
        let failed = Instant::now();
        while !stop.is_stopped() && failed.elapsed() < delay {
            thread::sleep(STARTUP_POLL_INTERVAL.min(delay));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_is_tried_again_until_it_is_stopped() {
        let stop = Stop::new();
        let mut attempts = 0;
        until_stopped("a test", &stop, Duration::from_millis(1), || {
            attempts += 1;
            match attempts {
                1 => Err("the server does not answer"),
                2 => panic!("on purpose"),
                3 => Ok(()),
                _ => {
                    stop.stop();
                    Ok(())
                }
            }
        });
        assert_eq!(attempts, 4);
        until_stopped("a test", &stop, Duration::MAX, || Err("never tried"));
    }
}
