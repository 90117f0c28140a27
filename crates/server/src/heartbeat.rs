//! The heartbeat of the service: its gaps are downtimes, which do not count for players' clocks.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::play::Downtimes;
use crate::store::{Store, StoreError};
use crate::time::{Time, millis};

/// How often a node writes a heartbeat.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// Without a heartbeat for this long the database counts as unreachable.
const ALIVE_TIMEOUT: Duration = Duration::from_secs(5);

/// Writes heartbeats and caches the downtimes, for no longer than the maximum gap.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    store: Store,
    time: Time,
    /// In milliseconds.
    max_gap: Option<i64>,
    cached: Mutex<Option<(i64, Arc<Downtimes>)>>,
    /// When the last heartbeat was written.
    written: Mutex<Option<Instant>>,
    /// Held while writing, so that one heartbeat serves all tasks that wait for it.
    writing: tokio::sync::Mutex<()>,
}

impl Heartbeat {
    pub(crate) fn new(store: Store, time: Time, max_gap: Option<Duration>) -> Heartbeat {
        Heartbeat {
            store,
            time,
            max_gap: max_gap.map(millis),
            cached: Mutex::new(None),
            written: Mutex::new(None),
            writing: tokio::sync::Mutex::new(()),
        }
    }

    /// The downtimes up to this moment. No clock may be judged without them: if the database was
    /// unreachable, this waits until it is back and the gap has been stored as a downtime.
    pub(crate) async fn downtimes(&self) -> Result<Arc<Downtimes>, StoreError> {
        if let Some(downtimes) = self.fresh() {
            return Ok(downtimes);
        }
        let _writing = self.writing.lock().await;
        match self.fresh() {
            Some(downtimes) => Ok(downtimes),
            None => self.write(self.max_gap).await,
        }
    }

    /// The downtimes up to this moment or, if the database cannot be written, up to the last one that is
    /// known. To show a game, not to judge its clocks.
    pub(crate) async fn last_downtimes(&self) -> Result<Arc<Downtimes>, StoreError> {
        match self.downtimes().await {
            Ok(downtimes) => Ok(downtimes),
            Err(error) => {
                let cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
                cached.as_ref().map(|(_, downtimes)| Arc::clone(downtimes)).ok_or(error)
            }
        }
    }

    /// Whether the database could be written lately.
    pub(crate) fn is_alive(&self) -> bool {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.is_some_and(|written| written.elapsed() < ALIVE_TIMEOUT)
    }

    /// The first heartbeat of a server. If there are no other nodes, the service was not up before: then
    /// even a short gap is a downtime.
    pub(crate) async fn start(&self, alone: bool) -> Result<(), StoreError> {
        let max_gap = if alone { self.max_gap.map(|_| 0) } else { self.max_gap };
        self.write(max_gap).await.map(drop)
    }

    fn fresh(&self) -> Option<Arc<Downtimes>> {
        let cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, downtimes) = cached.as_ref()?;
        // The clock may have been put back as well.
        let is_fresh = self.max_gap.is_none_or(|max_gap| (self.time.now() - at).abs() < max_gap);
        is_fresh.then(|| Arc::clone(downtimes))
    }

    async fn write(&self, max_gap: Option<i64>) -> Result<Arc<Downtimes>, StoreError> {
        let (now, downtimes) = self.store.write_heartbeat(&self.time, max_gap).await?;
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        let downtimes = Arc::new(downtimes);
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        *cached = Some((now, Arc::clone(&downtimes)));
        Ok(downtimes)
    }

    /// Writes heartbeats until the task is aborted.
    pub(crate) async fn run(&self) {
        let mut healthy = true;
        loop {
            let written = {
                let _writing = self.writing.lock().await;
                self.write(self.max_gap).await
            };
            match &written {
                Ok(_) if !healthy => tracing::info!("heartbeats can be written again"),
                Err(error) if healthy => tracing::error!(%error, "no heartbeat can be written"),
                _ => {}
            }
            healthy = written.is_ok();
            tokio::time::sleep(HEARTBEAT_INTERVAL).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[tokio::test]
    async fn downtimes_are_not_fresh_when_the_clock_is_elsewhere() {
        const BEGAN: i64 = 1_800_000_000_000;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let clock = Arc::new(AtomicI64::new(BEGAN));
        let time = Time::Manual(Arc::clone(&clock));
        let heartbeat = Heartbeat::new(store.clone(), time, Some(Duration::from_secs(3)));
        let mut known = heartbeat.downtimes().await.expect("written");
        for (passed, is_fresh) in [(0, true), (2999, true), (3000, false), (-3_600_000, false)] {
            clock.store(BEGAN + passed, Ordering::SeqCst);
            let downtimes = heartbeat.downtimes().await.expect("written");
            assert_eq!(Arc::ptr_eq(&known, &downtimes), is_fresh, "{passed}");
            known = downtimes;
        }
        store.close().await;
    }
}
