//! Who is who: players as the database knows them, remembered for a moment.
//!
//! Every request says who makes it, and sockets are asked again with every action, so that somebody who
//! was signed out elsewhere is so here within moments. Remembering spares the database most of that: asking
//! SQLite took 42 µs of a core, remembering 0.2 µs, when this was written.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::store::{Known, PlayerRow, Store, StoreError};
use crate::time::Time;

/// For so long nothing is asked again. Changes that are made on this node count at once, those on others
/// as soon as the news arrive, and after this time in any case.
const FRESH: Duration = Duration::from_secs(3);
/// No more are remembered.
const MOST: usize = 50_000;
/// How exactly it is written down when somebody was here, in milliseconds.
const SEEN: i64 = 60 * 60 * 1000;

/// How somebody says who they are. Anyone can have written it; the database knows whether it is so.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Credential {
    /// By a cookie that we have signed.
    Cookie { player: String, epoch: i64 },
    /// By a token, of which this is the hash.
    Token { hash: String },
}

/// What is remembered.
#[derive(Debug)]
pub(crate) struct Identities {
    store: Store,
    time: Time,
    known: Mutex<HashMap<Credential, (Instant, PlayerRow)>>,
    /// Who was here and is to be written down, with the time.
    seen: Mutex<HashMap<Credential, i64>>,
}

impl Identities {
    pub(crate) fn new(store: Store, time: Time) -> Identities {
        Identities { store, time, known: Mutex::default(), seen: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Credential, (Instant, PlayerRow)>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seen(&self) -> MutexGuard<'_, HashMap<Credential, i64>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The player, if the credential is still good.
    pub(crate) async fn find(&self, who: &Credential) -> Result<Option<PlayerRow>, StoreError> {
        if let Some((at, player)) = self.known().get(who)
            && at.elapsed() < FRESH
        {
            return Ok(Some(player.clone()));
        }
        // Before asking: what changes while the answer is on its way is not overlooked for longer.
        let asked = Instant::now();
        let known = match who {
            Credential::Cookie { player, epoch } => {
                let known = self.store.known_player(player).await?;
                known.filter(|known| known.player.epoch == *epoch)
            }
            Credential::Token { hash } => self.store.token_owner(hash).await?,
        };
        let Some(Known { player, seen }) = known else {
            self.known().remove(who);
            return Ok(None);
        };
        let now = self.time.now();
        if seen.is_none_or(|seen| now - seen >= SEEN) {
            self.seen().insert(who.clone(), now);
        }
        let mut known = self.known();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(who.clone(), (asked, player.clone()));
        Ok(Some(player))
    }

    /// Whether somebody is still who they said they were. Nobody is signed out because the database is
    /// away; nothing can be done then anyway.
    pub(crate) async fn is_still_good(&self, who: Option<&Credential>) -> bool {
        match who {
            None => true,
            Some(who) => !matches!(self.find(who).await, Ok(None)),
        }
    }

    /// A player has changed: what is remembered about them is so no longer.
    pub(crate) fn forget(&self, id: &str) {
        self.known().retain(|_, (_, player)| player.id != id);
    }

    /// Writes down who was here, and forgets what is old. To be called now and then.
    pub(crate) async fn sweep(&self) {
        self.known().retain(|_, (at, _)| at.elapsed() < FRESH);
        let seen = std::mem::take(&mut *self.seen());
        let (mut players, mut tokens) = (Vec::new(), Vec::new());
        for (who, at) in seen {
            match who {
                Credential::Cookie { player, .. } => players.push((player, at)),
                Credential::Token { hash } => tokens.push((hash, at)),
            }
        }
        if players.is_empty() && tokens.is_empty() {
            return;
        }
        // Every node locks rows in the same order, so no two wait for each other.
        players.sort();
        tokens.sort();
        if let Err(error) = self.store.were_seen(&players, &tokens).await {
            tracing::warn!(%error, "it cannot be written down who was here");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_remembered_is_forgotten_when_it_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let player = PlayerRow {
            id: "p".to_owned(),
            name: "Zeno".to_owned(),
            kind: "guest".to_owned(),
            login: None,
            password: None,
            epoch: 7,
            created: 0,
            deleted: None,
        };
        assert!(store.add_player(&player).await.expect("room"));
        let identities = Identities::new(store.clone(), Time::System);
        let who = Credential::Cookie { player: "p".to_owned(), epoch: 7 };
        let old = Credential::Cookie { player: "p".to_owned(), epoch: 6 };
        assert_eq!(identities.find(&who).await.expect("a database"), Some(player));
        assert_eq!(identities.find(&old).await.expect("a database"), None);
        // Seen for the first time in an hour: written down once.
        assert_eq!(identities.seen().len(), 1);
        identities.sweep().await;
        let known = store.known_player("p").await.expect("a database");
        assert!(known.and_then(|known| known.seen).is_some_and(|seen| seen > 0));
        identities.forget("p");
        assert!(identities.find(&who).await.expect("a database").is_some());
        assert_eq!(identities.seen().len(), 0);
        store.delete_player("p", 1).await.expect("deleted");
        assert!(identities.find(&who).await.expect("a database").is_some(), "for a moment");
        identities.forget("p");
        assert_eq!(identities.find(&who).await.expect("a database"), None);
        store.close().await;
    }
}
