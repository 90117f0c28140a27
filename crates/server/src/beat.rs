//! The service's pulse: when it was down, as clocks need to know it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::play::Downtimes;
use crate::store::{Store, StoreError};
use crate::time::Time;

/// How often a node says that it is up.
const EVERY: Duration = Duration::from_secs(1);

/// What is known about downtimes, never older than the longest delay.
#[derive(Debug)]
pub(crate) struct Beat {
    store: Store,
    time: Time,
    longest_delay: Option<i64>,
    known: Mutex<Option<(i64, Arc<Downtimes>)>>,
    /// Held while beating, so that many who wait are served by one beat.
    beating: tokio::sync::Mutex<()>,
}

impl Beat {
    pub(crate) fn new(store: Store, time: Time, longest_delay: Option<i64>) -> Beat {
        Beat {
            store,
            time,
            longest_delay,
            known: Mutex::new(None),
            beating: tokio::sync::Mutex::new(()),
        }
    }

    /// The downtimes up to this moment. Nobody's clock may be judged without: if the database was away,
    /// this waits until it is back and the gap is written down.
    pub(crate) async fn downtimes(&self) -> Result<Arc<Downtimes>, StoreError> {
        if let Some(downtimes) = self.fresh() {
            return Ok(downtimes);
        }
        let _beating = self.beating.lock().await;
        match self.fresh() {
            Some(downtimes) => Ok(downtimes),
            None => self.beat(self.longest_delay).await,
        }
    }

    /// The first beat of a server. If there are no other nodes, nobody was up before: then even a short
    /// gap is a downtime.
    pub(crate) async fn start(&self, alone: bool) -> Result<(), StoreError> {
        let longest_delay = if alone { self.longest_delay.map(|_| 0) } else { self.longest_delay };
        self.beat(longest_delay).await.map(drop)
    }

    fn fresh(&self) -> Option<Arc<Downtimes>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, downtimes) = known.as_ref()?;
        let is_fresh = self.longest_delay.is_none_or(|longest| self.time.now() - at < longest);
        is_fresh.then(|| Arc::clone(downtimes))
    }

    async fn beat(&self, longest_delay: Option<i64>) -> Result<Arc<Downtimes>, StoreError> {
        let (now, downtimes) = self.store.beat(&self.time, longest_delay).await?;
        let downtimes = Arc::new(downtimes);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some((now, Arc::clone(&downtimes)));
        Ok(downtimes)
    }

    /// Beats until the task is ended.
    pub(crate) async fn run(&self) {
        let mut well = true;
        loop {
            let beaten = {
                let _beating = self.beating.lock().await;
                self.beat(self.longest_delay).await
            };
            match &beaten {
                Ok(_) if !well => tracing::info!("the database is back"),
                Err(error) if well => tracing::error!(%error, "the database is away"),
                _ => {}
            }
            well = beaten.is_ok();
            tokio::time::sleep(EVERY).await;
        }
    }
}
