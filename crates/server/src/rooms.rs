//! Games in memory: actions of players are decided here, and happen when they are committed.
//!
//! A room is a cached game. Everything that changes a game goes through the room's lock, but the lock only saves
//! the database work: with several nodes it is the commit that decides which action came first. A node that lost
//! reads the game again and decides again.

mod beginning;
mod conditional;
mod content;
mod deadlines;
mod open;

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard as StdMutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use stoa_rules::Side;
use stoa_wire::{Action, GameEvent, GameSummary, GameView, ServerMessage, Situation};
use tokio::sync::MutexGuard;

pub(crate) use beginning::new_game;
use content::Content;
use deadlines::Deadlines;
use open::OpenRooms;

use crate::boards::Boards;
use crate::bus::Bus;
use crate::heartbeat::Heartbeat;
use crate::hub::Topic;
use crate::limits::CurrentLimits;
use crate::monitoring::warn_folded;
use crate::play::{Decision, Downtimes, Play, Refusal};
use crate::ratings::{RatingCounter, can_be_rated};
use crate::store::{Commit, Committed, EngineBusy, GameRow, NewGame, Snapshot, Store, StoreError};
use crate::time::{Time, millis};

/// How often a decision is retried because another node was first.
const MAX_ATTEMPTS: usize = 8;
/// How much the clocks of two nodes may differ.
const MAX_CLOCK_SKEW: Duration = Duration::from_secs(5);
/// How long after the decision a change may be committed at the latest: it waits for its turn, and for the disk.
const MAX_COMMIT_DELAY: Duration = Duration::from_secs(30);
/// A room that was not used for this long is dropped; the database has it all.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5 * 60);
/// The same where the game is over: it is read again and again only while people look at its end.
const FINISHED_TIMEOUT: Duration = Duration::from_secs(60);
/// The maximum number of rooms, whatever their age. A room takes 6 to 9 KB.
const MAX_ROOMS: usize = 20_000;

/// The rooms of this node.
#[derive(Debug)]
pub(crate) struct Rooms {
    store: Store,
    heartbeat: Arc<Heartbeat>,
    bus: Arc<Bus>,
    time: Time,
    ratings: Arc<RatingCounter>,
    limits: Arc<CurrentLimits>,
    open: Mutex<OpenRooms>,
    deadlines: Deadlines,
    /// The games that are shown as small boards.
    pub(crate) boards: Boards,
}

#[derive(Debug, Default)]
struct Room {
    used: AtomicI64,
    content: tokio::sync::Mutex<Option<Content>>,
    /// Who plays, once it is known; it never changes.
    players: OnceLock<[String; 2]>,
    /// Whether the content must be read again before it is used.
    stale: AtomicBool,
}

impl Room {
    async fn lock(&self) -> MutexGuard<'_, Option<Content>> {
        let mut content = self.content.lock().await;
        if self.stale.swap(false, Ordering::AcqRel) {
            *content = None;
        }
        content
    }

    /// Empties the room without waiting: if somebody holds it, it is empty for those who come after.
    fn invalidate(&self) {
        self.stale.store(true, Ordering::Release);
    }

    /// Whether a later version than this room's is known, or it cannot be told without waiting.
    fn is_behind(&self, version: i64) -> bool {
        let content = self.content.try_lock();
        content.map_or(true, |content| {
            content.as_ref().is_some_and(|known| known.play.version < version)
        })
    }

    /// Whether the game is over, as far as can be told without waiting.
    fn is_over(&self) -> bool {
        let content = self.content.try_lock();
        content.is_ok_and(|content| content.as_ref().is_some_and(|known| known.play.end.is_some()))
    }
}

/// The last use of the rooms to drop, if there are more than this many.
fn cutoff(mut used: Vec<i64>, most: usize) -> Option<i64> {
    let last = used.len().checked_sub(most)?.checked_sub(1)?;
    Some(*used.select_nth_unstable(last).1)
}

/// Why an action failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RoomError {
    #[error("there is no such game")]
    NotFound,
    #[error("you do not play in this game")]
    NotYours,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    EngineBusy(#[from] EngineBusy),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("too many nodes are changing this game at once")]
    Contended,
}

impl Rooms {
    pub(crate) fn new(
        store: Store,
        heartbeat: Arc<Heartbeat>,
        bus: Arc<Bus>,
        time: Time,
        ratings: Arc<RatingCounter>,
        limits: Arc<CurrentLimits>,
    ) -> Rooms {
        let deadlines = Deadlines::default();
        let (open, boards) = (Mutex::default(), Boards::default());
        Rooms { store, heartbeat, bus, time, ratings, limits, open, deadlines, boards }
    }

    /// A game by its id.
    pub(crate) async fn view(&self, id: &str) -> Result<GameView, RoomError> {
        let downtimes = self.heartbeat.last_downtimes().await?;
        let room = self.room(id);
        let mut content = room.lock().await;
        self.catch_up(id, &mut content).await?;
        if self.loaded(id, &mut content).await?.is_to_be_counted() {
            // It may have counted by now, on whichever node.
            *content = Some(self.load(id).await?);
        }
        Ok(self.loaded(id, &mut content).await?.view(self.time.now(), &downtimes))
    }

    /// A game has counted for the ratings of its players.
    pub(crate) fn counted(&self, id: &str) {
        let room = self.opened(id);
        // The holder of the lock reads it when needed.
        let Some(room) = room else { return };
        if let Ok(mut content) = room.content.try_lock() {
            *content = None;
        }
    }

    /// Reads from a room.
    async fn with<T>(&self, id: &str, read: impl FnOnce(&Content) -> T) -> Result<T, RoomError> {
        let room = self.room(id);
        let mut content = room.lock().await;
        Ok(read(self.loaded(id, &mut content).await?))
    }

    /// The ids of the players of a game.
    pub(crate) async fn players(&self, id: &str) -> Result<[String; 2], RoomError> {
        let room = self.room(id);
        if let Some(players) = room.players.get() {
            return Ok(players.clone());
        }
        self.with(id, Content::player_ids).await
    }

    /// The side of a player; others are refused.
    pub(crate) async fn side_of(&self, id: &str, player: &str) -> Result<Side, RoomError> {
        self.with(id, |content| content.row.side_of(player)).await?.ok_or(RoomError::NotYours)
    }

    /// A game as a record.
    pub(crate) async fn record(&self, id: &str) -> Result<String, RoomError> {
        let room = self.room(id);
        let mut content = room.lock().await;
        self.catch_up(id, &mut content).await?;
        Ok(self.loaded(id, &mut content).await?.record())
    }

    /// A game as a record, read from the database without a room.
    pub(crate) async fn record_uncached(&self, id: &str) -> Result<String, RoomError> {
        Ok(self.load(id).await?.record())
    }

    /// A game to be read by a client that does not play in it: as its room has it if it has ended there, and
    /// otherwise from the database, without a room.
    pub(crate) async fn read_game(&self, id: &str) -> Result<(GameRow, Play), RoomError> {
        let room = self.opened(id);
        if let Some(room) = room
            && !room.stale.load(Ordering::Acquire)
            && let Ok(content) = room.content.try_lock()
            && let Some(known) = content.as_ref()
            && known.play.end.is_some()
        {
            return Ok((known.row.clone(), known.play.clone()));
        }
        let Content { row, play, .. } = self.load(id).await?;
        Ok((row, play))
    }

    /// Drops what rooms hold about a player; their games are read again when they are needed. Waits for no room:
    /// one may be held for as long as the database takes.
    pub(crate) fn invalidate_player(&self, player: &str) {
        self.open().maybe_of(player).for_each(|room| room.invalidate());
    }

    fn open(&self) -> StdMutexGuard<'_, OpenRooms> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The room of a game, if it is in memory.
    fn opened(&self, id: &str) -> Option<Arc<Room>> {
        self.open().get(id).cloned()
    }

    fn all(&self) -> Vec<(String, Arc<Room>)> {
        self.open().iter().map(|(id, room)| (id.clone(), Arc::clone(room))).collect()
    }

    /// Carries out an action of a player, and returns how the game then stands.
    pub(crate) async fn act(
        &self,
        id: &str,
        player: &str,
        action: &Action,
    ) -> Result<Situation, RoomError> {
        let began = Instant::now();
        let room = self.room(id);
        let mut content = room.lock().await;
        for _ in 0..MAX_ATTEMPTS {
            let downtimes = self.heartbeat.downtimes().await?;
            let known = self.loaded(id, &mut content).await?;
            let side = known.row.side_of(player).ok_or(RoomError::NotYours)?;
            let now = self.time.now().max(known.last);
            let decided = known.play.decide(side, action, now, &downtimes);
            // It may be refused only because this node does not know the latest move yet.
            if decided.is_err() && self.catch_up(id, &mut content).await? {
                continue;
            }
            let decision = decided?;
            let known = self.loaded(id, &mut content).await?;
            let mut too_late = false;
            let (event, new_game) = match decision {
                Decision::Already => return Ok(known.play.situation(now, &downtimes)),
                Decision::Happens(event) => {
                    if matches!(event, GameEvent::RematchOffered { .. }) {
                        self.check_rematch(&known.rematch(now)).await?;
                    }
                    (event, None)
                }
                Decision::TooLate(event) => {
                    too_late = true;
                    (event, None)
                }
                Decision::Rematch => {
                    let mut game = known.rematch(now);
                    let kinds = self.check_rematch(&game).await?;
                    game.rated = known.row.rated && can_be_rated(kinds);
                    (GameEvent::Rematched { game: game.id.clone() }, Some(game))
                }
            };
            let situation = self.commit(&mut content, event, new_game, now, &downtimes).await?;
            match situation {
                Some(_) if too_late => return Err(Refusal::TimeUp.into()),
                Some(situation) => {
                    if matches!(action, Action::Move { .. }) {
                        metrics::histogram!("stoa_move_seconds").record(began.elapsed());
                        metrics::counter!("stoa_moves_total").increment(1);
                    }
                    return Ok(situation);
                }
                None => {
                    metrics::counter!("stoa_commit_conflicts_total").increment(1);
                }
            }
        }
        Err(RoomError::Contended)
    }

    /// Commits an event, with the answer that was prepared for it, and publishes them. Nothing if another node
    /// was first; then the room is empty and must be loaded again.
    async fn commit(
        &self,
        content: &mut Option<Content>,
        event: GameEvent,
        new_game: Option<NewGame>,
        at: i64,
        downtimes: &Downtimes,
    ) -> Result<Option<Situation>, RoomError> {
        // Until the result of the commit is known, so is nothing about the game.
        let Some(mut next) = content.take() else { return Ok(None) };
        let before = new_game.is_some().then(|| next.clone());
        let (version, revision) = (next.play.version, next.row.revision);
        next.apply(&event, at)?;
        let mut situation = next.play.situation(at, downtimes);
        let mut happened = vec![(event.clone(), situation.clone())];
        let (answer, conditional) = next.follow_conditional(&event, at, downtimes)?;
        if let Some(answer) = answer {
            situation = next.play.situation(at, downtimes);
            happened.push((answer, situation.clone()));
        }
        next.row.snapshot = Snapshot::from(&situation);
        let commit = Commit {
            game: next.row.id.clone(),
            version,
            revision,
            events: happened.iter().map(|(event, _)| event.clone()).collect(),
            at,
            snapshot: next.row.snapshot.clone(),
            family: next.play.game().info().id,
            conditional: conditional.clone(),
            new_game: new_game.clone(),
            engine_limits: self.limits.engine_games(),
        };
        match self.store.commit(commit).await? {
            Committed::Done => {}
            Committed::Conflict => return Ok(None),
            Committed::EngineBusy(why) => {
                *content = before;
                return Err(why.into());
            }
        }
        let id = next.row.id.clone();
        self.watch_deadline(&id, situation.deadline);
        self.publish(&next.row, &happened, at);
        if let Some(change) = &conditional {
            self.publish_conditional(&id, change);
        }
        if next.is_to_be_counted() {
            self.ratings.notify();
        }
        *content = Some(next);
        if let Some(game) = new_game {
            self.started(&game.id).await;
        }
        Ok(Some(situation))
    }

    /// Publishes events, each with the state of the game after it, to the viewers of the game, and the last of
    /// them to both players: nobody is called to a turn that has already been taken for them.
    fn publish(&self, row: &GameRow, happened: &[(GameEvent, Situation)], at: i64) {
        for (event, situation) in happened {
            let (game, event, situation) = (row.id.clone(), event.clone(), situation.clone());
            self.boards.follow(&game, &situation);
            let update = ServerMessage::Update { game, event, at, situation };
            self.bus.publish(Topic::Game(row.id.clone()), &update);
        }
        self.publish_to_players(row, happened.last().map(|(event, _)| event));
    }

    fn publish_to_players(&self, row: &GameRow, event: Option<&GameEvent>) {
        let game = Box::new(GameSummary::from(row.clone()));
        let message = ServerMessage::Yours { game, event: event.cloned() };
        let topics = row.players.iter().map(|player| Topic::Player(player.id.clone()));
        self.bus.publish_to(topics, &message);
    }

    /// Applies an event that another node has published.
    pub(crate) fn follow(&self, id: &str, event: &GameEvent, at: i64, situation: &Situation) {
        self.boards.follow(id, situation);
        let room = self.opened(id);
        let Some(room) = room else { return };
        // A task that holds the lock finds out by its commit, and loads the game again.
        let Ok(mut content) = room.content.try_lock() else { return };
        let Some(known) = content.as_mut() else { return };
        if known.play.version >= situation.version {
            return;
        }
        let follows = known.play.version + 1 == situation.version;
        if follows && known.apply(event, at).is_ok() {
            known.row.snapshot = Snapshot::from(situation);
            self.watch_deadline(id, situation.deadline);
        } else {
            *content = None;
        }
    }

    /// Empties all rooms, because messages of other nodes may have been missed, and has whole games sent to those
    /// who watch them. Waits for none of them.
    pub(crate) fn refresh(&self) {
        for (id, room) in self.all() {
            room.invalidate();
            if self.is_watched(&id) {
                self.bus.mark_gap(&id);
            }
        }
    }

    /// Whether anyone on this node watches a game.
    fn is_watched(&self, id: &str) -> bool {
        self.bus.hub().count(&Topic::Game(id.to_owned())) > 0
    }

    /// Publishes a whole game to its viewers on this node.
    pub(crate) async fn publish_whole(&self, id: &str) {
        if let Ok(game) = self.view(id).await {
            let message = ServerMessage::Game { game: Box::new(game) };
            self.bus.publish_here(&Topic::Game(id.to_owned()), &message);
        }
    }

    /// The process that this one takes over from commits nothing any more. What it committed late, long after it
    /// was decided, no poll has found.
    pub(crate) fn end_handover(&self) {
        self.refresh();
        self.bus.set_predecessor(false);
    }

    /// Polls the database for changes since a moment in games that are in memory or watched here, in case messages of
    /// other nodes have not arrived. Returns the moment from which the next poll has to look.
    pub(crate) async fn poll_changes(&self, since: i64) -> i64 {
        self.poll(since, MAX_CLOCK_SKEW + MAX_COMMIT_DELAY).await
    }

    /// The same again and again: quick, and without what was decided long before it was committed.
    pub(crate) async fn poll_latest_changes(&self, since: i64) -> i64 {
        self.poll(since, MAX_CLOCK_SKEW).await
    }

    async fn poll(&self, since: i64, look_back: Duration) -> i64 {
        let now = self.time.now();
        let changed = self.store.changed_since(since - millis(look_back));
        let changed = match self.store.answered(changed).await {
            Ok(changed) => changed,
            Err(error) => {
                warn_folded!(%error, "cannot poll for changes by other nodes");
                return since;
            }
        };
        for (id, version) in changed {
            if self.is_watched(&id) {
                let behind = self.with(&id, |content| content.play.version < version).await;
                if behind.is_ok_and(|behind| behind) {
                    self.publish_whole(&id).await;
                }
            } else if let Some(room) = self.opened(&id)
                && room.is_behind(version)
            {
                room.invalidate();
            }
        }
        now
    }

    /// Drops idle rooms, and those that were not used for longest if there are too many.
    pub(crate) fn sweep(&self) {
        let now = self.time.now();
        let mut open = self.open();
        let used = open.iter().map(|(_, room)| room.used.load(Ordering::Relaxed)).collect();
        let cutoff = cutoff(used, MAX_ROOMS);
        open.retain(|room| {
            let used = room.used.load(Ordering::Relaxed);
            let timeout = if room.is_over() { FINISHED_TIMEOUT } else { IDLE_TIMEOUT };
            Arc::strong_count(room) > 1
                || (now - used < millis(timeout) && cutoff.is_none_or(|cutoff| used > cutoff))
        });
        metrics::gauge!("stoa_rooms").set(open.len() as f64);
    }

    fn room(&self, id: &str) -> Arc<Room> {
        let room = self.open().get_or_insert(id);
        room.used.store(self.time.now(), Ordering::Relaxed);
        room
    }

    /// Empties a room if the database is ahead of it; returns whether it was.
    async fn catch_up(&self, id: &str, content: &mut Option<Content>) -> Result<bool, RoomError> {
        if !self.bus.has_others() {
            return Ok(false);
        }
        let Some(known) = content else { return Ok(false) };
        let expected = (known.play.version, known.row.revision);
        let is_behind = self.store.answered(self.store.state(id)).await? != Some(expected);
        if is_behind {
            *content = None;
        }
        Ok(is_behind)
    }

    async fn loaded<'a>(
        &self,
        id: &str,
        content: &'a mut Option<Content>,
    ) -> Result<&'a Content, RoomError> {
        match content {
            Some(known) => Ok(known),
            None => {
                let known = content.insert(self.load(id).await?);
                self.open().set_players(id, known.player_ids());
                Ok(known)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use stoa_wire::Action;

    use super::deadlines::tests::{Club, begun};
    use super::{MAX_COMMIT_DELAY, Room, cutoff};
    use crate::time::millis;

    /// A process takes over from another, which commits its last moves. Nobody watches the games.
    #[tokio::test]
    async fn a_move_that_the_process_before_commits_is_known_at_once() {
        let old = Club::open().await;
        let new = old.successor();
        let mut position = stoa_rules::Game::Impasse.start();
        let [first, second] = [0, 1].map(|ply| {
            let text = position.legal_moves().swap_remove(0);
            position.play(&text).expect("a legal move");
            Action::Move { ply, text }
        });
        let games = [begun(&old.store, "g").await, begun(&old.store, "h").await];
        let seen = async |game: &str| new.view(game).await.expect("a game").situation.ply;
        for (game, player) in games.iter().zip(["ga", "ha"]) {
            assert_eq!(seen(game).await, 0);
            old.rooms.act(game, player, &first).await.expect("a move");
        }
        new.act(&games[0], "gb", &second).await.expect("it is their turn");
        assert_eq!(seen(&games[0]).await, 2);
        new.poll_latest_changes(0).await;
        new.bus.set_predecessor(false);
        assert_eq!(seen(&games[1]).await, 1, "nobody has asked meanwhile");
        old.store.close().await;
    }

    /// The disk is slow, and what was decided is committed long after that.
    #[tokio::test]
    async fn a_move_that_is_committed_late_is_found() {
        let old = Club::open().await;
        let new = old.successor();
        let text = stoa_rules::Game::Impasse.start().legal_moves().swap_remove(0);
        let first = Action::Move { ply: 0, text };
        // As the rooms have it, without asking the database.
        let known = async |game: &str| {
            let room = new.room(game);
            let mut content = room.lock().await;
            new.loaded(game, &mut content).await.expect("a game").play.version
        };
        let games = [begun(&old.store, "g").await, begun(&old.store, "h").await];
        for (game, (player, decided)) in games.iter().zip([("ga", 40_000), ("ha", 1_000)]) {
            assert_eq!(known(game).await, 0);
            old.clock.store(decided, Ordering::SeqCst);
            old.rooms.act(game, player, &first).await.expect("a move");
        }
        let committed = 40_000 + millis(MAX_COMMIT_DELAY);
        old.clock.store(committed, Ordering::SeqCst);
        new.poll_latest_changes(committed).await;
        assert_eq!([known(&games[0]).await, known(&games[1]).await], [0, 0]);
        new.poll_changes(committed).await;
        assert_eq!([known(&games[0]).await, known(&games[1]).await], [1, 0]);
        new.end_handover();
        assert_eq!([known(&games[0]).await, known(&games[1]).await], [1, 1]);
        assert!(!new.bus.has_others());
        old.store.close().await;
    }

    #[tokio::test]
    async fn the_next_poll_looks_for_what_a_failed_one_has_missed() {
        let Club { store, rooms, clock, folder: _folder } = Club::open().await;
        clock.store(1000, Ordering::SeqCst);
        assert_eq!(rooms.poll_changes(500).await, 1000);
        store.close().await;
        clock.store(2000, Ordering::SeqCst);
        assert_eq!(rooms.poll_changes(1000).await, 1000);
    }

    /// A commit can take as long as the database does; what other nodes say meanwhile concerns other games, too.
    #[tokio::test]
    async fn a_room_that_is_held_keeps_nobody_waiting_who_renames_a_player() {
        let Club { store, rooms, folder: _folder, .. } = Club::open().await;
        let game = begun(&store, "g").await;
        let name = async || rooms.view(&game).await.expect("a game").players[0].name.clone();
        let before = name().await;
        let room = rooms.room(&game);
        let held = room.content.lock().await;
        store.rename("ga", "Xeno").await.expect("a database");
        rooms.invalidate_player("ga");
        rooms.refresh();
        let players = rooms.players(&game);
        let players = tokio::time::timeout(std::time::Duration::from_secs(5), players).await;
        assert_eq!(players.expect("no wait").expect("players"), ["ga", "gb"]);
        drop(held);
        assert_ne!(before, "Xeno");
        assert_eq!(name().await, "Xeno");
        store.close().await;
    }

    #[tokio::test]
    async fn only_rooms_of_a_player_are_read_again_when_their_name_changes() {
        let Club { store, rooms, folder: _folder, .. } = Club::open().await;
        let games = [begun(&store, "g").await, begun(&store, "h").await];
        let unread = rooms.room("unread");
        for game in &games {
            rooms.view(game).await.expect("a game");
        }
        rooms.invalidate_player("gb");
        let is_stale = |room: &Room| room.stale.load(Ordering::Acquire);
        assert_eq!(games.each_ref().map(|game| is_stale(&rooms.room(game))), [true, false]);
        assert!(is_stale(&unread), "it may be a game of theirs");
        store.close().await;
    }

    #[test]
    fn the_least_recently_used_rooms_are_dropped() {
        assert_eq!(cutoff(vec![], 0), None);
        assert_eq!(cutoff(vec![5, 1, 3], 3), None);
        assert_eq!(cutoff(vec![5, 1, 3], 2), Some(1));
        assert_eq!(cutoff(vec![5, 1, 3, 4], 1), Some(4));
        assert_eq!(cutoff(vec![7, 7], 0), Some(7));
    }
}
