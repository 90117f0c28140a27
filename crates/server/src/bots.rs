//! Which bots are online: those that have an event stream or a socket open on any node.
//!
//! Each node regularly stores when it last saw its bots, and a bot that was seen lately is online. So nodes
//! need not know each other, and the bots of a node that has died are offline within a minute.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, header};
use stoa_wire::{Player, PlayerKind};

use crate::ids;
use crate::monitoring::warn_folded;
use crate::store::{PlayerRow, Store, StoreError};
use crate::time::{Time, millis};

/// How often a node stores which bots it sees.
const SEEN_INTERVAL: Duration = Duration::from_secs(20);
/// A bot that was not seen for this long is offline.
const OFFLINE_AFTER: Duration = Duration::from_secs(50);

/// What the ids of the engine's players begin with; no other player's id has a hyphen.
const ENGINE_PREFIX: &str = "stoa-";

/// Whether a player is one of the engine's levels.
pub(crate) fn is_engine(id: &str) -> bool {
    id.starts_with(ENGINE_PREFIX)
}

/// The bots of this node.
#[derive(Debug, Clone)]
pub(crate) struct Bots {
    store: Store,
    time: Time,
    /// The number of connections of each bot.
    online: Arc<Mutex<HashMap<String, usize>>>,
    /// Hashes of the tokens of the server's own engine.
    engine: Arc<Mutex<HashSet<String>>>,
}

/// A connection of a bot, which is online while this lives.
#[derive(Debug)]
pub(crate) struct BotConnection {
    bots: Bots,
    id: String,
}

impl Bots {
    pub(crate) fn new(store: Store, time: Time) -> Bots {
        Bots { store, time, online: Arc::default(), engine: Arc::default() }
    }

    fn online(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.online.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a connection of a player; nothing if it is no bot.
    pub(crate) async fn connect(&self, player: &Player) -> Option<BotConnection> {
        if player.kind != PlayerKind::Bot {
            return None;
        }
        let id = player.id.clone();
        let first = {
            let mut online = self.online();
            let connections = online.entry(id.clone()).or_default();
            *connections += 1;
            *connections == 1
        };
        let connection = BotConnection { bots: self.clone(), id };
        if first {
            self.store_seen(std::slice::from_ref(&connection.id)).await;
        }
        Some(connection)
    }

    /// Stores which bots are online, until the task is aborted.
    pub(crate) async fn run(&self) {
        loop {
            tokio::time::sleep(SEEN_INTERVAL).await;
            let mut ids: Vec<String> = self.online().keys().cloned().collect();
            // Every node locks rows in the same order, to avoid deadlocks.
            ids.sort();
            if !ids.is_empty() {
                self.store_seen(&ids).await;
            }
        }
    }

    async fn store_seen(&self, ids: &[String]) {
        let stored = self.store.bots_seen(ids, self.time.now());
        if let Err(error) = self.store.in_time(stored).await {
            warn_folded!(%error, "cannot store which bots are online");
        }
    }

    /// The bots that are online, on any node.
    pub(crate) async fn list(&self) -> Result<Vec<Player>, StoreError> {
        let bots = self.store.bots(self.time.now() - millis(OFFLINE_AFTER)).await?;
        Ok(bots.into_iter().map(Player::from).collect())
    }

    /// Creates the player for one of the engine's levels, unless it exists, and returns its token. The token
    /// is derived from the secret, so all nodes have the same one.
    pub(crate) async fn engine_player(
        &self,
        level: u8,
        secret: &[u8],
    ) -> Result<String, StoreError> {
        let id = format!("{ENGINE_PREFIX}{level}");
        let now = self.time.now();
        let player = PlayerRow {
            id: id.clone(),
            name: format!("Stoa {level}"),
            kind: PlayerKind::Bot,
            login: None,
            password: None,
            epoch: now,
            created: now,
            deleted: None,
            closed: None,
        };
        self.store.add_player(&player).await?;
        let token = ids::derived(secret, "the engine's player is", &id);
        let hash = ids::hash(&token);
        self.store.set_engine_token(&hash, &id, now).await?;
        self.engine.lock().unwrap_or_else(PoisonError::into_inner).insert(hash);
        Ok(token)
    }

    /// Whether a request comes from the server's own engine, which plays against many people at once and
    /// has no rate limits.
    pub(crate) fn is_engine(&self, headers: &HeaderMap) -> bool {
        let engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = given.and_then(|given| given.strip_prefix("Bearer "));
        !engine.is_empty() && token.is_some_and(|token| engine.contains(&ids::hash(token.trim())))
    }
}

impl Drop for BotConnection {
    fn drop(&mut self) {
        let mut online = self.bots.online();
        if let Some(connections) = online.get_mut(&self.id) {
            *connections -= 1;
            if *connections == 0 {
                online.remove(&self.id);
            }
        }
    }
}
