//! Presence: live challenges end when their creators leave, and followers see who is online.
//!
//! A challenge with clocks in the lobby or to one player is for people who want to play now. While its creator has a
//! socket or an event stream on some node, that node renews it; when nobody does, it ends. One that only has a link
//! stays: its creator may leave the page to send the link.

use std::time::Duration;

use stoa_wire::TimeControl;

use crate::hub::{Hub, Topic};
use crate::monitoring::warn_folded;
use crate::store::{Seen, Store, StoreError};
use crate::time::{Time, millis};

/// How long the creator of a live challenge may be away, to reload the page or to change networks.
pub(crate) const ABSENCE_TIMEOUT: Duration = Duration::from_secs(60);

/// With several nodes: how often each stores which of the awaited players are online.
pub(crate) const ONLINE_INTERVAL: Duration = Duration::from_secs(20);
/// How long that is valid.
const ONLINE_TTL: Duration = Duration::from_secs(50);
/// How many people are looked for, and how many are stored in one transaction.
const MAX_AWAITED: i64 = 20_000;
const ONLINE_BATCH: usize = 200;

/// How long challenges are kept after they could last be accepted: links to them still lead to their games.
const CHALLENGE_RETENTION: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often old challenges are forgotten, and how many in one transaction.
const PRUNE_INTERVAL: Duration = Duration::from_secs(3600);
const PRUNE_BATCH: i64 = 200;

/// Stores who is connected to this node, of those who are followed or get mail. Without other nodes nobody
/// reads it.
pub(crate) async fn store_here(store: &Store, hub: &Hub, time: &Time) -> Result<(), StoreError> {
    let mut here = store.awaited(MAX_AWAITED).await?;
    here.retain(|player| is_connected(hub, player));
    for batch in here.chunks(ONLINE_BATCH) {
        store.set_here(batch, time.now() + millis(ONLINE_TTL)).await?;
    }
    Ok(())
}

/// Whether a player is here, as far as others may know.
pub(crate) fn is_here(hub: &Hub, player: &str, seen: &Seen, now: i64) -> bool {
    let elsewhere = seen.here_until.is_some_and(|until| until > now);
    seen.show_presence && (elsewhere || is_connected(hub, player))
}

fn is_connected(hub: &Hub, player: &str) -> bool {
    hub.count(&Topic::Player(player.to_owned())) > 0
}

/// Until when a challenge that is created now lasts without its creator; nothing if it does not end with
/// their presence.
pub(crate) fn present_until(has_only_link: bool, control: TimeControl, now: i64) -> Option<i64> {
    let is_live = !has_only_link && matches!(control, TimeControl::Clock { .. });
    is_live.then(|| now + millis(ABSENCE_TIMEOUT))
}

/// Renews the live challenges of everyone who is connected to this node, and ends those of people who are
/// connected nowhere; returns the ids of these.
pub(crate) async fn renew(store: &Store, hub: &Hub, now: i64) -> Result<Vec<String>, StoreError> {
    let live = store.live_challenges().await?;
    if live.is_empty() {
        return Ok(Vec::new());
    }
    let is_present = |(_, creator): &(String, String)| is_connected(hub, creator);
    let present: Vec<String> = live.into_iter().filter(is_present).map(|(id, _)| id).collect();
    store.renew_live_challenges(&present, now + millis(ABSENCE_TIMEOUT), now).await
}

/// Forgets old challenges again and again, until the task is aborted.
pub(crate) async fn prune(store: &Store, time: &Time) {
    loop {
        if let Err(error) = prune_all(store, time.now()).await {
            warn_folded!(%error, "cannot forget old challenges");
        }
        tokio::time::sleep(PRUNE_INTERVAL).await;
    }
}

async fn prune_all(store: &Store, now: i64) -> Result<(), StoreError> {
    let until = now - millis(CHALLENGE_RETENTION);
    while store.in_time(store.prune_challenges(until, PRUNE_BATCH)).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use stoa_wire::ChallengeState;

    use super::*;
    use crate::limits::CurrentLimits;
    use crate::settings::Settings;
    use crate::store::{ChallengeRow, PlayerRow};

    #[tokio::test]
    async fn a_live_challenge_ends_when_its_creator_leaves() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let hub = Hub::new();
        let control = TimeControl::Clock { initial: 300, increment: 0 };
        let friend = PlayerRow::for_test("friend");
        assert!(store.add_player(&friend).await.expect("a database"));
        for (id, listed) in [("stays", true), ("leaves", true), ("leaves a friend", false)] {
            let player = PlayerRow::for_test(id);
            assert!(store.add_player(&player).await.expect("a database"));
            let mut challenge = ChallengeRow::for_test(id, player.into(), control);
            challenge.listed = listed;
            challenge.opponent = (!listed).then(|| friend.clone().into());
            challenge.present_until = present_until(false, control, 0);
            let limits = CurrentLimits::new(&Settings::new("", Vec::new())).challenges();
            store.add_challenge(&challenge, &limits).await.expect("a database");
        }
        let (connection, _messages) = hub.subscriber(Some("stays".to_owned()));
        hub.subscribe(Topic::Player("stays".to_owned()), &connection);
        assert!(renew(&store, &hub, 59_000).await.expect("a database").is_empty());
        assert_eq!(store.lobby(59_000, 10).await.expect("a database").len(), 2);
        // Before anyone reads them: nobody can accept what has ended.
        assert_eq!(store.lobby(61_000, 10).await.expect("a database").len(), 1);
        let mut gone = renew(&store, &hub, 61_000).await.expect("a database");
        gone.sort();
        assert_eq!(gone, ["leaves", "leaves a friend"]);
        let ended = store.challenge("leaves").await.expect("a database").expect("a challenge");
        assert_eq!(ended.state, ChallengeState::Expired);
        assert!(renew(&store, &hub, 100_000).await.expect("a database").is_empty());
        drop(connection);
        assert_eq!(store.lobby(120_000, 10).await.expect("a database").len(), 1);
        store.close().await;
    }

    #[tokio::test]
    async fn old_challenges_are_forgotten() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
        let store = Store::open(&file).await.expect("a database");
        let player = PlayerRow::for_test("player");
        assert!(store.add_player(&player).await.expect("a database"));
        let limits = CurrentLimits::new(&Settings::new("", Vec::new())).challenges();
        let month = millis(CHALLENGE_RETENTION);
        for (id, expires) in [("old", 0), ("closed", 0), ("recent", month), ("open", 3 * month)] {
            let mut challenge =
                ChallengeRow::for_test(id, player.clone().into(), TimeControl::Unlimited);
            (challenge.created, challenge.expires) = (-1, expires);
            store.add_challenge(&challenge, &limits).await.expect("a database");
        }
        let closed = store.close_challenge("closed", ChallengeState::Declined, -1).await;
        assert!(closed.expect("a database"));
        prune_all(&store, month + 1).await.expect("a database");
        let is_there = async |id| store.challenge(id).await.expect("a database").is_some();
        assert!(!is_there("old").await && !is_there("closed").await);
        assert!(is_there("recent").await && is_there("open").await);
        store.close().await;
    }

    #[test]
    fn challenges_with_clocks_are_live_unless_they_have_only_a_link() {
        let clock = TimeControl::Clock { initial: 300, increment: 0 };
        assert_eq!(present_until(false, clock, 5), Some(60_005));
        assert_eq!(present_until(true, clock, 5), None);
        assert_eq!(present_until(false, TimeControl::Days { days: 3 }, 5), None);
        assert_eq!(present_until(false, TimeControl::Unlimited, 5), None);
    }
}
