//! How many connections there are, and from where.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Client;

/// Connections of one kind to a node.
#[derive(Debug, Clone)]
pub(crate) struct Presence {
    /// How many one address may have; any number, if missing.
    most: Option<usize>,
    counts: Arc<Mutex<HashMap<Client, usize>>>,
}

/// A connection; it is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Present {
    client: Client,
    presence: Presence,
}

impl Presence {
    pub(crate) fn new(most: Option<usize>) -> Presence {
        Presence { most, counts: Arc::default() }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a connection, unless its address has too many already.
    pub(crate) fn enter(&self, client: Client) -> Option<Present> {
        let mut counts = self.counts();
        let count = counts.get(&client).copied().unwrap_or_default();
        if self.most.is_some_and(|most| count >= most) {
            return None;
        }
        counts.insert(client, count + 1);
        Some(Present { client, presence: self.clone() })
    }

    /// Done when nobody is connected any more.
    pub(crate) async fn all_gone(&self) {
        while !self.counts().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        let mut counts = self.presence.counts();
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
    async fn an_address_has_so_many_and_no_more() {
        let presence = Presence::new(Some(3));
        let client = |last| Client::from(std::net::IpAddr::from([192, 0, 2, last]));
        let mut here: Vec<Present> =
            (0..3).map(|_| presence.enter(client(1)).expect("room")).collect();
        assert!(presence.enter(client(1)).is_none());
        assert!(presence.enter(client(2)).is_some());
        here.pop();
        here.push(presence.enter(client(1)).expect("room again"));
        drop(here);
        presence.all_gone().await;
        assert!(presence.counts().is_empty());
    }
}
