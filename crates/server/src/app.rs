//! Everything a server consists of, and what it does on its own.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use axum_extra::extract::cookie::Key;
use sha2::{Digest, Sha512};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::api::Error;
use crate::audience::{Audience, Audiences};
use crate::beat::Beat;
use crate::bots::Bots;
use crate::bus::{Bus, News};
use crate::guard::{Client, Limits, Presence, Present};
use crate::hub::{Hub, Topic};
use crate::identities::Identities;
use crate::operations;
use crate::passwords::Passwords;
use crate::push::{self, Post};
use crate::rooms::{RoomError, Rooms};
use crate::settings::Settings;
use crate::site::Site;
use crate::store::{Store, StoreError};
use crate::time::Time;
use crate::wire::{GameView, Message};

/// How often clocks are looked at.
const JUDGE: Duration = Duration::from_millis(50);
/// How often the database is searched for games that no node has in memory.
const SEARCH: Duration = Duration::from_secs(2);
/// How often it is told who has come to a game or left.
const COUNT: Duration = Duration::from_secs(1);
/// How often rooms that nobody uses are given up.
const SWEEP: Duration = Duration::from_secs(30);
/// How often other nodes' moves are looked for in the database: while NATS is away, and otherwise, because
/// a node may have died between a commit and its message.
const LOOK_AROUND: Duration = Duration::from_secs(1);
const LOOK_AROUND_RARELY: Duration = Duration::from_secs(5);
/// How many sockets and event streams one address may have.
const MOST_PRESENT: usize = 200;

/// Everything a server consists of.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) rooms: Rooms,
    pub(crate) bus: Arc<Bus>,
    pub(crate) audiences: Audiences,
    pub(crate) bots: Bots,
    pub(crate) beat: Arc<Beat>,
    pub(crate) time: Time,
    pub(crate) settings: Settings,
    pub(crate) site: Site,
    pub(crate) key: Key,
    pub(crate) identities: Identities,
    pub(crate) passwords: Passwords,
    pub(crate) limits: Limits,
    pub(crate) push_key: Arc<push::Key>,
    /// Sockets and event streams.
    pub(crate) present: Presence,
    /// Becomes true when the server is asked to stop.
    pub(crate) stopping: watch::Sender<bool>,
}

/// A handler's way to the app.
#[derive(Debug, Clone)]
pub(crate) struct Handle(pub(crate) Arc<App>);

impl std::ops::Deref for Handle {
    type Target = App;
    fn deref(&self) -> &App {
        &self.0
    }
}

impl FromRef<Handle> for Key {
    fn from_ref(handle: &Handle) -> Key {
        handle.key.clone()
    }
}

/// A server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The other nodes cannot be reached.
    #[error("cannot reach NATS: {0}")]
    Nats(String),
    /// What cookies are signed with is too short.
    #[error("the secret has {0} bytes; it needs at least 32 to be safe")]
    Secret(usize),
}

impl App {
    pub(crate) async fn start(
        settings: Settings,
        site: Site,
    ) -> Result<(Handle, JoinSet<()>), StartError> {
        if settings.secret.len() < 32 {
            return Err(StartError::Secret(settings.secret.len()));
        }
        operations::start_counting();
        let store = Store::open(&settings.database).await?;
        let hub = Arc::new(Hub::new());
        let (bus, news) = match &settings.nats {
            None => (Arc::new(Bus::alone(Arc::clone(&hub))), None),
            Some(address) => {
                let connected = Bus::between_nodes(Arc::clone(&hub), address).await;
                let (bus, news) = connected.map_err(|error| StartError::Nats(error.to_string()))?;
                (bus, Some(news))
            }
        };
        let time = settings.time.clone();
        let beat = Arc::new(Beat::new(store.clone(), time.clone(), settings.longest_delay));
        // Before anything is judged: the time since the last beat was a downtime.
        beat.start(!bus.has_others()).await?;
        let rooms = Rooms::new(store.clone(), Arc::clone(&beat), Arc::clone(&bus), time.clone());
        let key = Key::from(&Sha512::digest(&settings.secret));
        let (stopping, _) = watch::channel(false);
        let audiences = Audiences::default();
        let bots = Bots::new(store.clone(), time.clone());
        let push_key = push::Key::derive(&settings.secret, settings.public_url.as_deref());
        let push_key = Arc::new(push_key);
        let post = Post::open(
            store.clone(),
            Arc::clone(&hub),
            time.clone(),
            Arc::clone(&push_key),
            settings.push,
        );
        let app = App {
            push_key,
            identities: Identities::new(store.clone(), time.clone()),
            passwords: Passwords::new(),
            limits: Limits::new(settings.rate),
            present: Presence::new(settings.rate.map(|_| MOST_PRESENT)),
            store,
            rooms,
            bus,
            audiences,
            bots,
            beat,
            time,
            settings,
            site,
            key,
            stopping,
        };
        let handle = Handle(Arc::new(app));
        let mut tasks = handle.chores(news);
        if let Some((letterbox, work)) = post {
            handle.bus.set_letterbox(letterbox);
            tasks.spawn(work);
        }
        Ok((handle, tasks))
    }

    /// Done when the server is asked to stop.
    pub(crate) async fn stop_asked_for(&self) {
        // The sender lives as long as this does, so it cannot be gone.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// Counts a socket or an event stream, unless its address has too many.
    pub(crate) fn enter(&self, client: Client) -> Result<Present, Error> {
        let refused = || Error::too_many_connections(MOST_PRESENT);
        self.present.enter(client).ok_or_else(refused)
    }

    /// A player has another name or password, fewer tokens, or is gone: nobody remembers the old.
    pub(crate) async fn player_changed(&self, player: &str) {
        self.bus.publish_changed(player);
        self.heard_of_change(player).await;
    }

    async fn heard_of_change(&self, player: &str) {
        self.identities.forget(player);
        self.rooms.player_changed(player).await;
    }

    /// A game and who is at it.
    pub(crate) async fn view(&self, id: &str) -> Result<GameView, RoomError> {
        let mut view = self.rooms.view(id).await?;
        let here = self.audience_here(id, view.players.each_ref().map(|player| player.id.as_str()));
        let Audience { viewers, present } = here.and(self.audiences.elsewhere(id));
        (view.viewers, view.present) = (viewers, present);
        Ok(view)
    }

    fn audience_here(&self, game: &str, players: [&str; 2]) -> Audience {
        self.bus.hub().audience(&Topic::Game(game.to_owned()), players)
    }

    /// Tells those who are at a game on this node who is there on all of them, and returns who is here.
    async fn tell_audience(&self, game: &str) -> Option<Audience> {
        let players = self.rooms.players(game).await.ok()?;
        let here = self.audience_here(game, players.each_ref().map(String::as_str));
        let Audience { viewers, present } = here.and(self.audiences.elsewhere(game));
        let message = Message::Viewers { game: game.to_owned(), viewers, present };
        self.bus.publish_here(&Topic::Game(game.to_owned()), &message);
        Some(here)
    }
}

impl Handle {
    /// What the server does without being asked; ends when the set is dropped.
    fn chores(&self, news: Option<mpsc::Receiver<News>>) -> JoinSet<()> {
        let mut tasks = JoinSet::new();
        let beat = Arc::clone(&self.beat);
        tasks.spawn(async move { beat.run().await });
        let bots = self.bots.clone();
        tasks.spawn(async move { bots.run().await });
        let app = self.clone();
        tasks.spawn(async move {
            loop {
                app.rooms.judge_due().await;
                tokio::time::sleep(JUDGE).await;
            }
        });
        let app = self.clone();
        tasks.spawn(async move {
            loop {
                app.rooms.judge_forgotten().await;
                tokio::time::sleep(SEARCH).await;
            }
        });
        let app = self.clone();
        tasks.spawn(async move {
            loop {
                tokio::time::sleep(SWEEP).await;
                app.rooms.sweep();
                app.audiences.sweep();
                app.limits.sweep();
                app.identities.sweep().await;
                if app.bus.has_others() {
                    app.bus.hub().games().iter().for_each(|game| app.audiences.changed(game));
                }
            }
        });
        let app = self.clone();
        tasks.spawn(async move {
            loop {
                tokio::time::sleep(COUNT).await;
                for game in app.audiences.take_changed() {
                    if let Some(here) = app.tell_audience(&game).await {
                        app.bus.publish_audience(&game, here);
                    }
                }
            }
        });
        if let Some(news) = news {
            let app = self.clone();
            tasks.spawn(async move { app.follow(news).await });
            let app = self.clone();
            tasks.spawn(async move {
                loop {
                    let since = app.time.now();
                    let connected = app.bus.is_connected();
                    tokio::time::sleep(if connected { LOOK_AROUND_RARELY } else { LOOK_AROUND })
                        .await;
                    app.rooms.look_around(since).await;
                }
            });
        }
        tasks
    }

    /// Keeps up with other nodes.
    async fn follow(&self, mut news: mpsc::Receiver<News>) {
        while let Some(news) = news.recv().await {
            match news {
                News::Message(message) => {
                    if let Message::Update { game, event, at, situation } = *message {
                        self.rooms.heard(&game, &event, at, &situation);
                    }
                }
                News::Audience { node, game, audience } => {
                    self.audiences.heard(&node, &game, audience);
                    if self.bus.hub().count(&Topic::Game(game.clone())) > 0 {
                        self.tell_audience(&game).await;
                    }
                }
                News::Changed { player } => self.heard_of_change(&player).await,
                News::Reconnected => self.rooms.refresh().await,
            }
        }
    }
}
