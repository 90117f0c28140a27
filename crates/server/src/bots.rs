//! Which bots are there. A bot is there while it has an event stream or a socket open on any node.
//!
//! Each node writes down every now and then which bots it has; who was written down lately is there. So
//! nodes need not know each other, and the bots of a node that has died are gone within a minute.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};

use crate::ids;
use crate::store::{PlayerRow, Store, StoreError};
use crate::time::Time;
use crate::wire::Player;

/// How often it is written down who is there.
const EVERY: Duration = Duration::from_secs(20);
/// Who was not written down for so long, in milliseconds, is gone.
const GONE: i64 = 50 * 1000;

/// The bots of this node.
#[derive(Debug, Clone)]
pub(crate) struct Bots {
    store: Store,
    time: Time,
    here: Arc<Mutex<HashMap<String, usize>>>,
    /// Hashes of the tokens of the engine's players.
    engine: Arc<Mutex<HashSet<String>>>,
}

/// A connection of a bot; it is there while this lives.
#[derive(Debug)]
pub(crate) struct Here {
    bots: Bots,
    id: String,
}

impl Bots {
    pub(crate) fn new(store: Store, time: Time) -> Bots {
        Bots { store, time, here: Arc::default(), engine: Arc::default() }
    }

    fn here(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody has connected; nothing if it is no bot.
    pub(crate) async fn enter(&self, player: &Player) -> Option<Here> {
        if player.kind != "bot" {
            return None;
        }
        let id = player.id.clone();
        let first = {
            let mut here = self.here();
            let connections = here.entry(id.clone()).or_default();
            *connections += 1;
            *connections == 1
        };
        let entered = Here { bots: self.clone(), id };
        if first {
            self.write_down(std::slice::from_ref(&entered.id)).await;
        }
        Some(entered)
    }

    /// Writes down who is there, until the task is ended.
    pub(crate) async fn run(&self) {
        loop {
            tokio::time::sleep(EVERY).await;
            let mut ids: Vec<String> = self.here().keys().cloned().collect();
            // Every node locks rows in the same order, so no two wait for each other.
            ids.sort();
            if !ids.is_empty() {
                self.write_down(&ids).await;
            }
        }
    }

    async fn write_down(&self, ids: &[String]) {
        if let Err(error) = self.store.bots_are_here(ids, self.time.now()).await {
            tracing::warn!(%error, "it cannot be written down which bots are there");
        }
    }

    /// The bots that are there, on any node.
    pub(crate) async fn list(&self) -> Result<Vec<Player>, StoreError> {
        let bots = self.store.bots(self.time.now() - GONE).await?;
        Ok(bots.into_iter().map(Player::from).collect())
    }

    /// Makes the player by whom one of the engine's levels is known, if there is none yet, and returns
    /// its token. It follows from the secret, so all nodes have the same and there is only ever one.
    pub(crate) async fn engine_player(
        &self,
        level: u8,
        secret: &[u8],
    ) -> Result<String, StoreError> {
        let id = format!("stoa-{level}");
        let now = self.time.now();
        let player = PlayerRow {
            id: id.clone(),
            name: format!("Stoa {level}"),
            kind: "bot".to_owned(),
            login: None,
            password: None,
            epoch: now,
            created: now,
            deleted: None,
        };
        self.store.add_player(&player).await?;
        let mut digest = Sha256::new_with_prefix(secret);
        digest.update(b" is not told, but the engine's player is ");
        digest.update(&id);
        let token: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        let hash = ids::hash(&token);
        self.store.keep_engine_token(&hash, &id, now).await?;
        self.engine.lock().unwrap_or_else(PoisonError::into_inner).insert(hash);
        Ok(token)
    }

    /// Whether a request comes from the server's own engine, which plays for everybody at once and is not
    /// held to the limits of one.
    pub(crate) fn is_engine(&self, headers: &HeaderMap) -> bool {
        let engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = given.and_then(|given| given.strip_prefix("Bearer "));
        !engine.is_empty() && token.is_some_and(|token| engine.contains(&ids::hash(token.trim())))
    }
}

impl Drop for Here {
    fn drop(&mut self) {
        let mut here = self.bots.here();
        if let Some(connections) = here.get_mut(&self.id) {
            *connections -= 1;
            if *connections == 0 {
                here.remove(&self.id);
            }
        }
    }
}
