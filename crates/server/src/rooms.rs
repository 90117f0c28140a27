//! Games in memory: what players want is decided here and becomes true when it is committed.
//!
//! A room is a game as this node knows it. Everything that changes a game goes through its lock, one after
//! the other, but the lock only spares the database work: with several nodes it is the commit that decides
//! who was first. A node that lost catches up from the database and decides again.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use stoa_rules::Game;

use crate::beat::Beat;
use crate::bus::Bus;
use crate::hub::Topic;
use crate::ids;
use crate::play::{Action, Decision, Downtimes, Event, Play, Refusal};
use crate::store::{Commit, Committed, GameRow, NewGame, Store, StoreError};
use crate::time::Time;
use crate::wire::{GameCard, GameView, Message, Situation};

/// How often a decision is made again because another node was first.
const ATTEMPTS: usize = 8;
/// How much the clocks of two nodes may differ.
const CLOCKS_DIFFER: i64 = 5000;
/// Games that are due later than this are left to the database.
const SOON: i64 = 2 * 60 * 1000;
/// How far the search for games that are due looks ahead: further than to the next search.
const AHEAD: i64 = 5000;
/// A room in which nothing has happened for so long is given up; the database has it all.
const IDLE: i64 = 5 * 60 * 1000;

/// The rooms of this node.
#[derive(Debug)]
pub(crate) struct Rooms {
    store: Store,
    beat: Arc<Beat>,
    bus: Arc<Bus>,
    time: Time,
    open: Mutex<HashMap<String, Arc<Room>>>,
    /// When rooms of this node are due, soonest first. What is no longer so is found out when it is due.
    due: Mutex<BTreeSet<(i64, String)>>,
}

#[derive(Debug)]
struct Room {
    used: AtomicI64,
    content: tokio::sync::Mutex<Option<Content>>,
}

/// What a node knows about a game.
#[derive(Debug, Clone)]
struct Content {
    row: GameRow,
    play: Play,
    /// When the last event was; time never goes backwards in a game.
    last: i64,
}

/// Why something is not done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RoomError {
    #[error("there is no such game")]
    NotFound,
    #[error("you do not play in this game")]
    NotYours,
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("too many are changing this game at once")]
    Crowded,
}

impl Rooms {
    pub(crate) fn new(store: Store, beat: Arc<Beat>, bus: Arc<Bus>, time: Time) -> Rooms {
        Rooms { store, beat, bus, time, open: Mutex::default(), due: Mutex::default() }
    }

    /// A game as it stands.
    pub(crate) async fn view(&self, id: &str) -> Result<GameView, RoomError> {
        let downtimes = self.beat.downtimes().await?;
        let room = self.room(id);
        let mut content = room.content.lock().await;
        self.catch_up(id, &mut content).await?;
        Ok(self.loaded(id, &mut content).await?.view(self.time.now(), &downtimes))
    }

    /// Looks into a room.
    async fn with<T>(&self, id: &str, look: impl FnOnce(&Content) -> T) -> Result<T, RoomError> {
        let room = self.room(id);
        let mut content = room.content.lock().await;
        Ok(look(self.loaded(id, &mut content).await?))
    }

    /// Who plays a game.
    pub(crate) async fn players(&self, id: &str) -> Result<[String; 2], RoomError> {
        self.with(id, |content| content.row.players.each_ref().map(|player| player.id.clone()))
            .await
    }

    /// A game as a record.
    pub(crate) async fn record(&self, id: &str) -> Result<String, RoomError> {
        self.with(id, |content| content.record()).await
    }

    /// The same for one of many games: it is not kept in memory for that.
    pub(crate) async fn record_once(&self, id: &str) -> Result<String, RoomError> {
        Ok(self.load(id).await?.record())
    }

    /// A player has another name, or none any more: games with them are read again when they are needed.
    pub(crate) async fn player_changed(&self, player: &str) {
        for (_, room) in self.all() {
            let mut content = room.content.lock().await;
            if content.as_ref().is_some_and(|known| known.row.seat_of(player).is_some()) {
                *content = None;
            }
        }
    }

    fn all(&self) -> Vec<(String, Arc<Room>)> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().map(|(id, room)| (id.clone(), Arc::clone(room))).collect()
    }

    /// Does what a player wants, and returns where the game then stands.
    pub(crate) async fn act(
        &self,
        id: &str,
        player: &str,
        action: &Action,
    ) -> Result<Situation, RoomError> {
        let began = Instant::now();
        let room = self.room(id);
        let mut content = room.content.lock().await;
        for _ in 0..ATTEMPTS {
            let downtimes = self.beat.downtimes().await?;
            let known = self.loaded(id, &mut content).await?;
            let seat = known.row.seat_of(player).ok_or(RoomError::NotYours)?;
            let now = self.time.now().max(known.last);
            let decided = known.play.decide(seat, action, now, &downtimes);
            // It may be refused only because this node has not heard of the latest move yet.
            if decided.is_err() && self.catch_up(id, &mut content).await? {
                continue;
            }
            let decision = decided?;
            let known = self.loaded(id, &mut content).await?;
            let mut too_late = false;
            let (event, new_game) = match decision {
                Decision::Already => return Ok(Situation::of(&known.play, now, &downtimes)),
                Decision::Happens(event) => (event, None),
                Decision::TooLate(event) => {
                    too_late = true;
                    (event, None)
                }
                Decision::Rematch => {
                    let game = known.rematch(now);
                    (Event::Rematched { game: game.id.clone() }, Some(game))
                }
            };
            let situation = self.happen(&mut content, event, new_game, now, &downtimes).await?;
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
        Err(RoomError::Crowded)
    }

    /// Ends a game whose side to move has run out of time; nothing happens if it has not.
    async fn judge(&self, id: &str) -> Result<(), RoomError> {
        let room = self.room(id);
        let mut content = room.content.lock().await;
        for _ in 0..ATTEMPTS {
            let downtimes = self.beat.downtimes().await?;
            let known = self.loaded(id, &mut content).await?;
            let now = self.time.now().max(known.last);
            let Some(event) = known.play.overdue(now, &downtimes) else {
                let deadline = known.play.deadline(&downtimes);
                // Every earlier turn has left an entry among what is due; most are out of date by now, and
                // writing costs more than looking.
                if known.row.summary.deadline != deadline {
                    self.store.set_deadline(id, known.play.version, deadline).await?;
                    if let Some(known) = content.as_mut() {
                        known.row.summary.deadline = deadline;
                    }
                }
                self.expect(id, deadline);
                return Ok(());
            };
            if self.happen(&mut content, event, None, now, &downtimes).await?.is_some() {
                return Ok(());
            }
        }
        Err(RoomError::Crowded)
    }

    /// Commits an event and tells everyone. Nothing if another was first; then the room is empty and has
    /// to be loaded again.
    async fn happen(
        &self,
        content: &mut Option<Content>,
        event: Event,
        new_game: Option<NewGame>,
        at: i64,
        downtimes: &Downtimes,
    ) -> Result<Option<Situation>, RoomError> {
        let Some(known) = content.as_ref() else { return Ok(None) };
        let mut next = known.clone();
        next.happened(&event, at)?;
        let situation = Situation::of(&next.play, at, downtimes);
        next.row.summary = situation.summary();
        let commit = Commit {
            game: known.row.id.clone(),
            version: known.play.version,
            event: event.clone(),
            at,
            summary: next.row.summary.clone(),
            new_game: new_game.clone(),
        };
        // Until it is known what became of the commit, nothing is known about the game.
        *content = None;
        if self.store.commit(commit).await? == Committed::Conflict {
            return Ok(None);
        }
        let id = next.row.id.clone();
        self.expect(&id, situation.deadline);
        self.announce(&next, &event, at, &situation);
        *content = Some(next);
        if let Some(game) = new_game {
            self.started(&game.id).await;
        }
        Ok(Some(situation))
    }

    /// Tells those who watch the game, and both players wherever they are.
    fn announce(&self, content: &Content, event: &Event, at: i64, situation: &Situation) {
        let game = content.row.id.clone();
        let update = Message::Update {
            game: game.clone(),
            event: event.clone(),
            at,
            situation: situation.clone(),
        };
        self.bus.publish(Topic::Game(game), &update);
        self.tell_players(&content.row, Some(event));
    }

    fn tell_players(&self, row: &GameRow, event: Option<&Event>) {
        let game = Box::new(GameCard::from(row.clone()));
        let message = Message::Yours { game, event: event.cloned() };
        for player in &row.players {
            self.bus.publish(Topic::Player(player.id.clone()), &message);
        }
    }

    /// Tells both players that a game has begun, and watches its clock.
    pub(crate) async fn started(&self, id: &str) {
        metrics::counter!("stoa_games_started_total").increment(1);
        let looked = self.with(id, |content| (content.row.clone(), content.play.clone())).await;
        match looked {
            Ok((row, _)) => {
                self.expect(id, row.summary.deadline);
                self.tell_players(&row, None);
            }
            Err(error) => tracing::error!(%error, game = id, "a new game cannot be read"),
        }
    }

    /// Another node has told of an event.
    pub(crate) fn heard(&self, id: &str, event: &Event, at: i64, situation: &Situation) {
        let room = self.open.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
        let Some(room) = room else { return };
        // Who holds the lock finds out by the commit, and loads the game again.
        let Ok(mut content) = room.content.try_lock() else { return };
        let Some(known) = content.as_mut() else { return };
        if known.play.version >= situation.version {
            return;
        }
        let follows = known.play.version + 1 == situation.version;
        if follows && known.happened(event, at).is_ok() {
            known.row.summary = situation.summary();
            self.expect(id, situation.deadline);
        } else {
            *content = None;
        }
    }

    /// Forgets what is in memory: messages from other nodes may have been missed. Those who watch are
    /// sent whole games.
    pub(crate) async fn refresh(&self) {
        for (id, room) in self.all() {
            *room.content.lock().await = None;
            let topic = Topic::Game(id.clone());
            if self.bus.hub().count(&topic) > 0
                && let Ok(game) = self.view(&id).await
            {
                self.bus.publish_here(&topic, &Message::Game { game: Box::new(game) });
            }
        }
    }

    /// Looks for what other nodes have done since a moment in games that are watched here, in case their
    /// messages have not arrived.
    pub(crate) async fn look_around(&self, since: i64) {
        let changed = match self.store.changed_since(since - CLOCKS_DIFFER).await {
            Ok(changed) => changed,
            Err(error) => return tracing::warn!(%error, "cannot look for other nodes' moves"),
        };
        for (id, version) in changed {
            let topic = Topic::Game(id.clone());
            if self.bus.hub().count(&topic) == 0 {
                continue;
            }
            let behind = self.with(&id, |content| content.play.version < version).await;
            if behind.is_ok_and(|behind| behind)
                && let Ok(game) = self.view(&id).await
            {
                self.bus.publish_here(&topic, &Message::Game { game: Box::new(game) });
            }
        }
    }

    /// Sees to it that games whose time has run out are ended. To be called often.
    pub(crate) async fn judge_due(&self) {
        let now = self.time.now();
        let due: Vec<String> = {
            let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
            let later = due.split_off(&(now + 1, String::new()));
            std::mem::replace(&mut *due, later).into_iter().map(|(_, id)| id).collect()
        };
        self.judge_all(due).await;
    }

    /// The same for games that no node has in memory. To be called now and then.
    pub(crate) async fn judge_forgotten(&self) {
        let now = self.time.now();
        match self.store.due(now + AHEAD, 500).await {
            Ok(due) => {
                let (due, later): (Vec<_>, Vec<_>) =
                    due.into_iter().partition(|(deadline, _)| *deadline <= now);
                later.iter().for_each(|(deadline, id)| self.expect(id, Some(*deadline)));
                self.judge_all(due.into_iter().map(|(_, id)| id).collect()).await;
            }
            Err(error) => tracing::warn!(%error, "cannot look for games that are due"),
        }
    }

    async fn judge_all(&self, games: Vec<String>) {
        for id in games {
            if let Err(error) = self.judge(&id).await {
                tracing::warn!(%error, game = id, "cannot judge a clock");
                self.expect(&id, Some(self.time.now() + 1000));
            }
        }
    }

    fn expect(&self, id: &str, deadline: Option<i64>) {
        if let Some(deadline) = deadline
            && deadline - self.time.now() < SOON
        {
            let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
            due.insert((deadline, id.to_owned()));
        }
    }

    /// Gives up rooms that nobody has used for a while.
    pub(crate) fn sweep(&self) {
        let now = self.time.now();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, room| {
            Arc::strong_count(room) > 1 || now - room.used.load(Ordering::Relaxed) < IDLE
        });
        metrics::gauge!("stoa_rooms").set(open.len() as f64);
    }

    fn room(&self, id: &str) -> Arc<Room> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let room = match open.get(id) {
            Some(room) => Arc::clone(room),
            None => {
                let content = tokio::sync::Mutex::new(None);
                let room = Arc::new(Room { used: AtomicI64::new(0), content });
                open.insert(id.to_owned(), Arc::clone(&room));
                room
            }
        };
        room.used.store(self.time.now(), Ordering::Relaxed);
        room
    }

    /// Empties a room if another node knows more about its game, and tells whether that was so.
    async fn catch_up(&self, id: &str, content: &mut Option<Content>) -> Result<bool, RoomError> {
        if !self.bus.has_others() {
            return Ok(false);
        }
        let Some(known) = content else { return Ok(false) };
        let is_behind = self.store.version(id).await? != Some(known.play.version);
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
            None => Ok(content.insert(self.load(id).await?)),
        }
    }

    async fn load(&self, id: &str) -> Result<Content, RoomError> {
        let found = if ids::is_name(id) { self.store.game(id).await? } else { None };
        let row = match found {
            Some(row) => row,
            None => {
                self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
                return Err(RoomError::NotFound);
            }
        };
        let strange = |why: String| StoreError::Strange(format!("game {id}: {why}"));
        let game: Game = row.game.parse().map_err(|_| strange(format!("no game {}", row.game)))?;
        let play = Play::new(game, row.control, row.created);
        let mut content = Content { last: row.created, row, play };
        for (at, event) in self.store.events(id, 0).await? {
            content.happened(&event, at)?;
        }
        Ok(content)
    }
}

impl Content {
    fn happened(&mut self, event: &Event, at: i64) -> Result<(), StoreError> {
        self.play
            .apply(event, at)
            .map_err(|misfit| StoreError::Strange(format!("game {}: {misfit}", self.row.id)))?;
        self.last = at;
        self.row.version = self.play.version;
        self.row.updated = at;
        Ok(())
    }

    fn view(&self, now: i64, downtimes: &Downtimes) -> GameView {
        let [first, second] = self.row.players.clone();
        GameView {
            id: self.row.id.clone(),
            game: self.row.game.clone(),
            control: self.row.control,
            players: [first.into(), second.into()],
            created: self.row.created,
            previous: self.row.previous.clone(),
            moves: self.play.moves.clone(),
            situation: Situation::of(&self.play, now.max(self.last), downtimes),
            viewers: 0,
            present: [false; 2],
        }
    }

    fn record(&self) -> String {
        let names = [0, 1].map(|index| self.row.players[index].name.as_str());
        self.play.record(names).to_string()
    }

    /// The same two again, with sides swapped.
    fn rematch(&self, now: i64) -> NewGame {
        let [first, second] = self.row.players.each_ref().map(|player| player.id.clone());
        new_game(self.play.game(), self.row.control, [second, first], Some(&self.row.id), now)
    }
}

/// A game that begins now.
pub(crate) fn new_game(
    game: Game,
    control: crate::play::Control,
    players: [String; 2],
    previous: Option<&str>,
    now: i64,
) -> NewGame {
    let play = Play::new(game, control, now);
    NewGame {
        id: ids::short(),
        game: game.to_string(),
        control,
        players,
        previous: previous.map(str::to_owned),
        created: now,
        summary: Situation::of(&play, now, &Downtimes::default()).summary(),
    }
}
