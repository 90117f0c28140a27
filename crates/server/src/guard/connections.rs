//! The limit on connections of one address, and of the networks of IPv6 that may be one customer's.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Client;
use super::client::WIDER_NETWORKS;

/// Counts connections of one kind by address, and limits them.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConnectionLimit {
    counts: Arc<Mutex<Counts>>,
}

/// By network and the length of its prefix, which is 0 for a single client.
type Counts = HashMap<(u32, Client), usize>;

/// What a connection counts for, and how many times the limit of a client each of these has.
fn networks(client: Client) -> impl Iterator<Item = ((u32, Client), u32)> {
    let wider = WIDER_NETWORKS
        .into_iter()
        .filter_map(move |(prefix, times)| Some(((prefix, client.wider(prefix)?), times)));
    std::iter::once(((0, client), 1)).chain(wider)
}

/// A connection, which is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    client: Client,
    limit: ConnectionLimit,
}

impl ConnectionLimit {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a connection, unless its address has reached its limit; `None` means no limit.
    pub(crate) fn acquire(&self, client: Client, max: Option<usize>) -> Option<ConnectionPermit> {
        let mut counts = self.counts();
        let is_full = |(network, times): ((u32, Client), u32)| {
            let count = counts.get(&network).copied().unwrap_or_default();
            max.is_some_and(|max| count >= max.saturating_mul(times as usize))
        };
        if networks(client).any(is_full) {
            return None;
        }
        for (network, _) in networks(client) {
            *counts.entry(network).or_default() += 1;
        }
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
        for (network, _) in networks(self.client) {
            if let Some(count) = counts.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&network);
                }
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

    #[test]
    fn networks_that_may_be_one_customers_have_a_larger_limit() {
        let limit = ConnectionLimit::default();
        let opened = |addresses: &mut dyn Iterator<Item = String>| {
            let client = |address: String| {
                Client::from(address.parse::<std::net::IpAddr>().expect("an address"))
            };
            let permits = addresses.map_while(|address| limit.acquire(client(address), Some(3)));
            permits.collect::<Vec<_>>()
        };
        let household = opened(&mut (0..100).map(|n| format!("2001:db8:1:{n:x}::1")));
        assert_eq!(household.len(), 6, "a /56");
        let company = opened(&mut (1..100).map(|n| format!("2001:db8:1:{n:x}00::1")));
        assert_eq!(household.len() + company.len(), 12, "a /48");
        assert_eq!(opened(&mut (0..100).map(|n| format!("2001:db8:{n:x}:1::1"))).len(), 1);
        assert_eq!(opened(&mut (2..100).map(|n| format!("2001:db8:{n:x}:1::1"))).len(), 98);
        assert_eq!(opened(&mut (0..100).map(|n| format!("192.0.2.{n}"))).len(), 100);
        drop((household, company));
        assert!(limit.counts().is_empty());
    }
}
