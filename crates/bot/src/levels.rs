//! The levels of Stoa's engine as players on a server of the same program. They use the server as every
//! bot does: over HTTP, with a token.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use stoa_client::Client;
use stoa_engine::{Level, Stop};

use crate::{Bot, BotEngine, BotOptions, SearchQueue, insist, sleep};

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
        let client = Client::with_token(&format!("http://{address}"), &token);
        thread::spawn(move || play(level, &client, searches, &stop));
    }
}

/// Plays one level until it is stopped.
fn play(level: Level, client: &Client, searches: SearchQueue, stop: &Stop) {
    let Ok(spec) = format!("level={},tables=on", level.number()).parse() else { return };
    let options = BotOptions {
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
    };
    while client.me().is_err() && !stop.is_stopped() {
        sleep(STARTUP_POLL_INTERVAL, stop);
    }
    let what = format!("level {} of the engine", level.number());
    let bot = || Bot::new(client.clone(), options.clone(), stop.clone());
    // One bot for good: two would play the same games.
    if let Some(bot) = insist(&what, stop, bot) {
        insist(&what, stop, || bot.run());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::game::tests::{ME, serve};

    #[test]
    fn a_level_goes_on_after_errors_that_seem_to_be_for_good() {
        let (asks, asked) = channel();
        let mut answers = [
            // It is there, then busy.
            ("/api/me", 200, ME),
            ("/api/me", 503, "{}"),
            // It knows the token again.
            ("/api/me", 200, r#"{"player":null,"login":null}"#),
            ("/api/me", 200, ME),
            ("/api/me/events", 404, "{}"),
            ("/api/me/events", 404, "{}"),
        ]
        .into_iter();
        let url = serve(move |request| {
            let Some((path, status, body)) = answers.next() else {
                let _ = asks.send(());
                return (503, "{}".to_owned());
            };
            assert!(request.starts_with(&format!("GET {path} ")), "{request}");
            (status, body.to_owned())
        });
        let client = Client::with_token(&url, "token");
        let stop = Stop::new();
        let stopped = stop.clone();
        let level = Level::all().next().expect("a level");
        let playing = thread::spawn(move || play(level, &client, SearchQueue::new(1), &stopped));
        asked.recv_timeout(Duration::from_secs(60)).expect("another attempt");
        stop.stop();
        playing.join().expect("it ends when it is stopped");
    }
}
