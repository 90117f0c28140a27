//! The levels of our engine as players on our own server. They come in by the front door, as every bot
//! does: over HTTP, with a token.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use stoa_client::Client;
use stoa_engine::{Level, Stop};

use super::{Bot, Gate, Habits, Mind};
use crate::commands::all_cores;

/// How many games each level plays at the same time.
const MOST_GAMES: usize = 50;
/// The longest time for a move: others are waiting.
const MOVE_TIME: Duration = Duration::from_secs(5);
/// Where several nodes have the engine, the one that accepted a challenge plays; another takes a game over
/// when nobody has moved for so long.
const HESITATION: Duration = Duration::from_secs(3);
/// How long the server may take to open its doors.
const OPENING: Duration = Duration::from_millis(100);

/// Starts a bot for each token, the first for the lowest level, on the server at this address. They play
/// until they are stopped, or the program ends.
pub(crate) fn open_house(address: SocketAddr, tokens: Vec<String>, stop: &Stop) {
    // One core is the server's.
    let gate = Gate::new(all_cores().saturating_sub(1));
    for (level, token) in Level::all().zip(tokens) {
        let (gate, stop) = (gate.clone(), stop.clone());
        thread::spawn(move || {
            let Ok(spec) = format!("level={},tables=on", level.number()).parse() else { return };
            let client = Client::with_token(&format!("http://{address}"), &token);
            let mut habits = Some(Habits {
                mind: Mind::Own(spec),
                games: Vec::new(),
                most_games: MOST_GAMES,
                move_time: MOVE_TIME,
                hesitation: HESITATION,
                gate,
                tell: |what| tracing::debug!("{what}"),
            });
            while !stop.is_stopped() {
                thread::sleep(OPENING);
                if client.me().is_err() {
                    continue;
                }
                let Some(habits) = habits.take() else { return };
                let done = Bot::new(client, habits, stop).and_then(|bot| bot.run());
                if let Err(error) = done {
                    tracing::error!("level {} of the engine: {error:#}", level.number());
                }
                return;
            }
        });
    }
}
