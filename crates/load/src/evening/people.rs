//! The people and bots of an evening.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use stoa_client::{Client, Player, PlayerKind};

use super::ledger::SeenPlayer;
use crate::live_game::PASSWORD;

/// How many come at the same time: passwords take time to hash.
const CONCURRENT: usize = 4;

/// Someone who plays.
#[derive(Debug, Clone)]
pub(super) struct Person {
    pub(super) client: Client,
    pub(super) player: Player,
}

impl Person {
    pub(super) fn seen(&self) -> SeenPlayer {
        let is_guest = self.player.kind == PlayerKind::Guest;
        SeenPlayer { id: self.player.id.clone(), is_guest }
    }
}

/// Lets so many come, spread over the nodes: of ten, six accounts, three bots, and a guest, whose games are not
/// rated.
pub(super) fn welcome(urls: &[String], count: usize) -> Result<Vec<Person>> {
    let come = |from: usize| {
        (from..count).step_by(CONCURRENT).map(|number| person(urls, number)).collect::<Vec<_>>()
    };
    let mut groups: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..CONCURRENT).map(|from| scope.spawn(move || come(from))).collect();
        let groups = threads.into_iter().map(|thread| thread.join().expect("nobody panics"));
        groups.map(Vec::into_iter).collect()
    });
    // In the order of their numbers.
    (0..count)
        .map(|number| groups[number % CONCURRENT].next().context("someone is missing")?)
        .collect()
}

fn person(urls: &[String], number: usize) -> Result<Person> {
    let name = format!("Member {number}");
    let come = || {
        let client = Client::guest(&urls[number % urls.len()], &name)?;
        let account = || client.register(&name, PASSWORD);
        let client = match number % 10 {
            // A player without a password that is a bot, and an account that is one.
            3 => bot(&client)?,
            0 | 6 => bot(&account()?)?,
            9 => client,
            _ => account()?,
        };
        Ok::<_, stoa_client::Error>((client.me()?, client))
    };
    let (player, client) = come().with_context(|| format!("{name} cannot come"))?;
    Ok(Person { client, player: player.context("nobody is signed in")? })
}

/// Makes a player a bot, which has a token instead of a cookie from then on.
fn bot(client: &Client) -> Result<Client, stoa_client::Error> {
    let token: Value = client.post("/api/me/tokens", &json!({ "label": "evening" }))?;
    client.become_bot()?;
    Ok(Client::with_token(client.url(), token["token"].as_str().unwrap_or_default()))
}
