//! The background task that counts games.

use std::sync::Arc;
use std::time::Duration;

use stoa_wire::ServerMessage;
use tokio::sync::Notify;

use crate::bus::Bus;
use crate::hub::Topic;
use crate::monitoring::warn_folded;
use crate::store::{CountedGame, Store, StoreError};

/// How many games one transaction counts: moves wait for it.
const MAX_BATCH: i64 = 16;
/// The pause after a transaction, so that games which end at about the same time are counted together.
const BATCH_INTERVAL: Duration = Duration::from_millis(100);
/// How often the database is searched for games that were ended by nodes which then died.
const SEARCH_INTERVAL: Duration = Duration::from_secs(2);

/// Counts games that have ended.
#[derive(Debug)]
pub(crate) struct RatingCounter {
    store: Store,
    bus: Arc<Bus>,
    game_over: Notify,
}

impl RatingCounter {
    pub(crate) fn new(store: Store, bus: Arc<Bus>) -> RatingCounter {
        RatingCounter { store, bus, game_over: Notify::new() }
    }

    /// A rated game has ended on this node.
    pub(crate) fn notify(&self) {
        self.game_over.notify_one();
    }

    /// Counts games until the task is aborted. `counted` is called after each commit, before anyone hears of it.
    pub(crate) async fn run(&self, counted: impl Fn(&str)) {
        loop {
            let _ = tokio::time::timeout(SEARCH_INTERVAL, self.game_over.notified()).await;
            match self.store.in_time(self.count()).await {
                Ok(games) => {
                    for CountedGame { id, changes } in games {
                        counted(&id);
                        let message = ServerMessage::Rated { game: id.clone(), changes };
                        self.bus.publish(Topic::Game(id), &message);
                    }
                }
                Err(error) => warn_folded!(%error, "cannot count games for ratings"),
            }
            tokio::time::sleep(BATCH_INTERVAL).await;
        }
    }

    async fn count(&self) -> Result<Vec<CountedGame>, StoreError> {
        if !self.store.has_uncounted_games().await? {
            return Ok(Vec::new());
        }
        let games = self.store.count_games(MAX_BATCH).await?;
        if i64::try_from(games.len()).is_ok_and(|count| count == MAX_BATCH) {
            // There may be more.
            self.game_over.notify_one();
        }
        Ok(games)
    }
}
