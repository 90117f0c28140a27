//! The limit on connections of one address.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Client;

/// Counts connections of one kind by address, and limits them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConnectionLimit {
    counts: Arc<Mutex<HashMap<Client, usize>>>,
}

/// A connection, which is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    client: Client,
    limit: ConnectionLimit,
}

impl ConnectionLimit {
    fn counts(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a connection, unless its address has reached its limit; `None` means no limit.
    pub(crate) fn acquire(&self, client: Client, max: Option<usize>) -> Option<ConnectionPermit> {
        let mut counts = self.counts();
        let count = counts.get(&client).copied().unwrap_or_default();
        if max.is_some_and(|max| count >= max) {
            return None;
        }
        counts.insert(client, count + 1);
        Some(ConnectionPermit { client, limit: self.clone() })
    }

    /// Completes when all connections are closed.
    pub(crate) async fn all_closed(&self) {
        while !self.counts().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut counts = self.limit.counts();
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_has_a_limit() {
        let limit = ConnectionLimit::default();
        let client = |last| Client::from(std::net::IpAddr::from([192, 0, 2, last]));
        let mut here: Vec<ConnectionPermit> =
            (0..3).map(|_| limit.acquire(client(1), Some(3)).expect("room")).collect();
        assert!(limit.acquire(client(1), Some(3)).is_none());
        assert!(limit.acquire(client(1), Some(4)).is_some(), "it can be changed");
        assert!(limit.acquire(client(1), None).is_some());
        assert!(limit.acquire(client(2), Some(3)).is_some());
        here.pop();
        here.push(limit.acquire(client(1), Some(3)).expect("room again"));
        drop(here);
        limit.all_closed().await;
        assert!(limit.counts().is_empty());
    }
}
