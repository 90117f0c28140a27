//! Deadlines: games whose side to move has run out of time are ended, each on its own, so that one that
//! waits for the database delays no other.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use stoa_wire::{GameView, ServerMessage};

use super::{MAX_ATTEMPTS, RoomError, Rooms};
use crate::hub::Topic;
use crate::monitoring::warn_folded;
use crate::time::millis;

/// Deadlines further ahead than this are left to the search of the database.
const DEADLINE_HORIZON: Duration = Duration::from_secs(2 * 60);
/// How far ahead the database is searched for deadlines: beyond the next search.
const SEARCH_HORIZON: Duration = Duration::from_secs(5);
/// How many overdue games one search of the database finds.
const MAX_OVERDUE: i64 = 500;
/// When to retry a game that could not be ended.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The deadlines that this node knows.
#[derive(Debug, Default)]
pub(super) struct Deadlines(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Deadlines of games, soonest first, and the same by game: of each at most one. One may be out of date,
    /// which is noticed when it is reached.
    soonest: BTreeSet<(i64, String)>,
    by_game: HashMap<String, i64>,
    /// Games that are being ended.
    ending: HashSet<String>,
}

impl Known {
    /// Replaces the deadline of a game.
    fn set(&mut self, id: &str, deadline: Option<i64>) {
        let before = match deadline {
            Some(deadline) => self.by_game.insert(id.to_owned(), deadline),
            None => self.by_game.remove(id),
        };
        if let Some(before) = before {
            self.soonest.remove(&(before, id.to_owned()));
        }
        if let Some(deadline) = deadline {
            self.soonest.insert((deadline, id.to_owned()));
        }
    }

    /// Takes the games whose deadline has passed.
    fn take_until(&mut self, now: i64) -> Vec<String> {
        let later = self.soonest.split_off(&(now + 1, String::new()));
        let passed = std::mem::replace(&mut self.soonest, later);
        let ids: Vec<String> = passed.into_iter().map(|(_, id)| id).collect();
        for id in &ids {
            self.by_game.remove(id);
        }
        ids
    }
}

impl Rooms {
    /// The games of which this node knows that the deadline has passed, and which nobody is ending yet. Each
    /// must be passed to [`Rooms::end_overdue`].
    pub(crate) fn take_overdue(&self) -> Vec<String> {
        let now = self.time.now();
        let mut known = self.known_deadlines();
        let overdue = known.take_until(now);
        overdue.into_iter().filter(|id| known.ending.insert(id.clone())).collect()
    }

    /// Ends a game that is overdue, or tries again in a moment.
    pub(crate) async fn end_overdue(&self, id: &str) {
        let mut attempt = Attempt { rooms: self, id, has_failed: true };
        match self.end_if_overdue(id).await {
            Ok(()) => attempt.has_failed = false,
            Err(error) => warn_folded!(%error, game = id, "cannot end an overdue game"),
        }
    }

    /// Stores the deadline of a game again, because a player went on vacation or came back, and publishes how
    /// the clocks stand.
    pub(crate) async fn reset_clocks(&self, id: &str) {
        self.end_overdue(id).await;
        if let Ok(GameView { vacations, situation, .. }) = self.view(id).await {
            let game = id.to_owned();
            let message = ServerMessage::Clocks { game, vacations, situation };
            self.bus.publish(Topic::Game(id.to_owned()), &message);
        }
    }

    /// Searches the database for deadlines that have passed or are near. To be called now and then.
    pub(crate) async fn find_deadlines(&self) {
        let until = self.time.now() + millis(SEARCH_HORIZON);
        match self.store.answered(self.store.overdue(until, MAX_OVERDUE)).await {
            Ok(found) => {
                let mut known = self.known_deadlines();
                for (deadline, id) in found {
                    // What this node has learned since the database was read may come sooner.
                    if known.by_game.get(&id).is_none_or(|before| deadline < *before) {
                        known.set(&id, Some(deadline));
                    }
                }
            }
            Err(error) => warn_folded!(%error, "cannot search for overdue games"),
        }
    }

    /// Watches the deadline of a game instead of an earlier one; none if it is over or has no time limit.
    pub(super) fn watch_deadline(&self, id: &str, deadline: Option<i64>) {
        let horizon = self.time.now() + millis(DEADLINE_HORIZON);
        self.known_deadlines().set(id, deadline.filter(|deadline| *deadline < horizon));
    }

    fn known_deadlines(&self) -> std::sync::MutexGuard<'_, Known> {
        self.deadlines.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a game if its side to move has run out of time.
    async fn end_if_overdue(&self, id: &str) -> Result<(), RoomError> {
        let room = self.room(id);
        let mut content = room.lock().await;
        for _ in 0..MAX_ATTEMPTS {
            let downtimes = self.heartbeat.downtimes().await?;
            let known = self.loaded(id, &mut content).await?;
            let now = self.time.now().max(known.last);
            let Some(event) = known.play.overdue(now, &downtimes) else {
                let deadline = known.play.deadline(&downtimes);
                // A write costs more than this comparison.
                if known.row.snapshot.deadline != deadline {
                    let stored = self.store.set_deadline(id, known.play.version, deadline);
                    self.store.in_time(stored).await?;
                    if let Some(known) = content.as_mut() {
                        known.row.snapshot.deadline = deadline;
                    }
                }
                self.watch_deadline(id, deadline);
                return Ok(());
            };
            if self.commit(&mut content, event, None, now, &downtimes).await?.is_some() {
                return Ok(());
            }
        }
        Err(RoomError::Contended)
    }
}

/// An attempt to end a game. If it fails, even by a panic, there is another in a moment.
struct Attempt<'a> {
    rooms: &'a Rooms,
    id: &'a str,
    has_failed: bool,
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.rooms.known_deadlines().ending.remove(self.id);
        if self.has_failed {
            let again = self.rooms.time.now() + millis(RETRY_INTERVAL);
            self.rooms.watch_deadline(self.id, Some(again));
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    use stoa_wire::{GameStatus, TimeControl};

    use super::*;
    use crate::bus::Bus;
    use crate::heartbeat::Heartbeat;
    use crate::hub::Hub;
    use crate::limits::CurrentLimits;
    use crate::ratings::RatingCounter;
    use crate::rooms::new_game;
    use crate::settings::Settings;
    use crate::store::{Accepted, ChallengeRow, PlayerRow, Store};
    use crate::time::Time;

    /// Rooms with a database of their own, at a time that the test sets.
    pub(in crate::rooms) struct Club {
        pub(in crate::rooms) store: Store,
        pub(in crate::rooms) rooms: Arc<Rooms>,
        pub(in crate::rooms) clock: Arc<AtomicI64>,
        pub(in crate::rooms) folder: tempfile::TempDir,
    }

    impl Club {
        pub(in crate::rooms) async fn open() -> Club {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
            let store = Store::open(&file).await.expect("a database");
            let clock = Arc::new(AtomicI64::new(0));
            let rooms = Club::rooms(&store, &clock, false);
            Club { store, rooms, clock, folder }
        }

        /// The rooms of a process that takes over from this one.
        pub(in crate::rooms) fn successor(&self) -> Arc<Rooms> {
            Club::rooms(&self.store, &self.clock, true)
        }

        fn rooms(store: &Store, clock: &Arc<AtomicI64>, takes_over: bool) -> Arc<Rooms> {
            let time = Time::Manual(Arc::clone(clock));
            let heartbeat = Arc::new(Heartbeat::new(store.clone(), time.clone(), None));
            let bus = Arc::new(Bus::alone(Arc::new(Hub::new())));
            bus.set_predecessor(takes_over);
            let ratings = Arc::new(RatingCounter::new(store.clone(), Arc::clone(&bus)));
            let limits = Arc::new(CurrentLimits::new(&Settings::new("", vec![0; 32])));
            Arc::new(Rooms::new(store.clone(), heartbeat, bus, time, ratings, limits))
        }
    }

    /// A game of two new players, "…a" and "…b".
    pub(in crate::rooms) async fn begun(store: &Store, id: &str) -> String {
        let player = |side: &str| PlayerRow::for_test(&format!("{id}{side}"));
        let [first, second] = ["a", "b"].map(player);
        let control = TimeControl::Clock { initial: 60, increment: 0 };
        let players = [first.id.clone(), second.id.clone()];
        let game = new_game(stoa_rules::Game::Impasse, control, players, None, 0);
        assert!(store.add_player(&first).await.expect("a database"));
        assert!(store.add_player(&second).await.expect("a database"));
        let challenge = ChallengeRow::for_test(id, first.into(), control);
        let limits = CurrentLimits::new(&Settings::new("", Vec::new())).challenges();
        store.add_challenge(&challenge, &limits).await.expect("a database");
        let accepted = store.accept(id, &second.id, 0, &game).await.expect("a database");
        assert_eq!(accepted, Accepted::Done);
        game.id
    }

    #[test]
    fn a_game_has_one_deadline() {
        let mut known = Known::default();
        for deadline in 1..100 {
            known.set("a", Some(deadline));
        }
        known.set("b", Some(50));
        known.set("c", Some(10));
        known.set("c", None);
        assert_eq!((known.soonest.len(), known.by_game.len()), (2, 2));
        assert_eq!(known.take_until(98), ["b"]);
        assert_eq!(known.take_until(99), ["a"]);
        assert!(known.soonest.is_empty() && known.by_game.is_empty());
    }

    /// Somebody holds one game for as long as this test runs, as a commit does that waits for the disk.
    #[tokio::test]
    async fn a_game_that_waits_delays_no_other() {
        let Club { store, rooms, clock, folder: _folder } = Club::open().await;
        let (slow, quick) = (begun(&store, "s").await, begun(&store, "q").await);
        let room = rooms.room(&slow);
        let held = room.lock().await;
        clock.store(3_600_000, Ordering::SeqCst);
        rooms.find_deadlines().await;
        let mut overdue = rooms.take_overdue();
        overdue.sort_by_key(|id| *id != slow);
        assert_eq!(overdue, [slow.clone(), quick.clone()]);
        rooms.find_deadlines().await;
        assert!(rooms.take_overdue().is_empty(), "both are being ended");
        let mut tasks = tokio::task::JoinSet::new();
        for id in overdue {
            let rooms = Arc::clone(&rooms);
            tasks.spawn(async move { rooms.end_overdue(&id).await });
        }
        tasks.join_next().await.expect("a task").expect("no panic");
        let status = async |id: &str| {
            store.game(id).await.expect("a database").expect("a game").snapshot.status
        };
        assert_eq!(status(&quick).await, GameStatus::Aborted);
        assert_eq!(status(&slow).await, GameStatus::Playing);
        drop(held);
        tasks.join_next().await.expect("a task").expect("no panic");
        assert_eq!(status(&slow).await, GameStatus::Aborted);
        store.close().await;
    }

    /// As it would if it panicked.
    #[tokio::test]
    async fn a_game_whose_end_has_failed_is_ended_a_moment_later() {
        let Club { store, rooms, clock, folder: _folder } = Club::open().await;
        let game = begun(&store, "g").await;
        clock.store(3_600_000, Ordering::SeqCst);
        rooms.find_deadlines().await;
        assert_eq!(rooms.take_overdue(), [&*game]);
        let room = rooms.room(&game);
        let held = room.lock().await;
        let attempt = tokio::spawn({
            let (rooms, game) = (Arc::clone(&rooms), game.clone());
            async move { rooms.end_overdue(&game).await }
        });
        tokio::task::yield_now().await;
        attempt.abort();
        assert!(attempt.await.is_err_and(|error| error.is_cancelled()));
        drop(held);
        assert!(rooms.take_overdue().is_empty());
        clock.fetch_add(millis(RETRY_INTERVAL), Ordering::SeqCst);
        assert_eq!(rooms.take_overdue(), [&*game]);
        rooms.end_overdue(&game).await;
        let row = store.game(&game).await.expect("a database").expect("a game");
        assert_eq!(row.snapshot.status, GameStatus::Aborted);
        assert!(rooms.known_deadlines().ending.is_empty());
        store.close().await;
    }
}
