//! The state that all handlers share, and the background tasks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::FromRef;
use axum_extra::extract::cookie::Key;
use sha2::{Digest, Sha512};
use stoa_wire::{Audience, GameView, ServerMessage};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::api::{Downloads, Error, publish_closed};
use crate::assets::Assets;
use crate::audience::Audiences;
use crate::authentication::Authenticator;
use crate::banner::Banner;
use crate::boards;
use crate::bots::Bots;
use crate::bus::{Bus, NodeMessage};
use crate::explorer;
use crate::guard::{Client, ConnectionLimit, ConnectionPermit, Limits};
use crate::heartbeat::Heartbeat;
use crate::hub::{Hub, Subscriber, Topic};
use crate::limits::{self, CurrentLimits, LimitName};
use crate::mail::{self, Mail};
use crate::monitoring::{self, RenderedMetrics, error_folded, warn_folded};
use crate::page::{Pages, Pictures};
use crate::pairing::Pairing;
use crate::passkeys::Challenges;
use crate::passwords::Passwords;
use crate::presence;
use crate::push::{self, PushWorker};
use crate::ratings::RatingCounter;
use crate::reviews;
use crate::rooms::{RoomError, Rooms};
use crate::settings::Settings;
use crate::store::{GameRow, Ownership, Store, StoreError};
use crate::tasks::{Tasks, said};
use crate::time::Time;

/// How often clocks of games in memory are checked.
const CLOCK_INTERVAL: Duration = Duration::from_millis(50);
/// How often the database is searched for overdue games that no node has in memory.
const OVERDUE_INTERVAL: Duration = Duration::from_secs(2);
/// How often changes in the audience of games are published.
const AUDIENCE_INTERVAL: Duration = Duration::from_secs(1);
/// How often it is checked whether the creators of live challenges are present.
const PRESENCE_INTERVAL: Duration = Duration::from_secs(5);
/// How often caches are swept.
const SWEEP_INTERVAL: Duration = Duration::from_secs(30);
/// How often the database is polled for changes by other nodes: while NATS is unreachable, and otherwise,
/// because a node may have died between a commit and its message.
const POLL_INTERVAL_WITHOUT_NATS: Duration = Duration::from_secs(1);
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// For how long at least the database is polled for what the process before this one still commits, and how often.
/// With SQLite it is known when that process has ended; otherwise it surely has by then.
const HANDOVER_TIME: Duration = Duration::from_secs(30);
const HANDOVER_POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The state that all handlers share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) store: Store,
    pub(crate) rooms: Rooms,
    pub(crate) ratings: Arc<RatingCounter>,
    pub(crate) bus: Arc<Bus>,
    pub(crate) audiences: Audiences,
    pub(crate) bots: Bots,
    pub(crate) pairing: Pairing,
    pub(crate) heartbeat: Arc<Heartbeat>,
    pub(crate) time: Time,
    pub(crate) settings: Settings,
    pub(crate) pages: Pages,
    pub(crate) pictures: Pictures,
    pub(crate) assets: Assets,
    pub(crate) key: Key,
    pub(crate) banner: Banner,
    pub(crate) authenticator: Authenticator,
    pub(crate) passwords: Passwords,
    pub(crate) passkey_challenges: Challenges,
    pub(crate) limits: Limits,
    pub(crate) downloads: Downloads,
    pub(crate) metrics: RenderedMetrics,
    /// Numbers that administrators may change.
    pub(crate) current_limits: Arc<CurrentLimits>,
    pub(crate) push_key: Arc<push::Key>,
    /// Where a mail server is named.
    pub(crate) mail: Option<Arc<Mail>>,
    /// Counts sockets and event streams.
    pub(crate) connections: ConnectionLimit,
    /// Becomes true when the server is asked to stop.
    pub(crate) stopping: watch::Sender<bool>,
}

/// The state as handlers extract it.
#[derive(Debug, Clone)]
pub(crate) struct AppState(pub(crate) Arc<App>);

impl std::ops::Deref for AppState {
    type Target = App;
    fn deref(&self) -> &App {
        &self.0
    }
}

impl FromRef<AppState> for Key {
    fn from_ref(state: &AppState) -> Key {
        state.key.clone()
    }
}

/// Why a server cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// NATS cannot be reached.
    #[error("cannot reach NATS: {0}")]
    Nats(String),
    /// The secret is too short.
    #[error("the secret has {0} bytes; it needs at least 32 to be safe")]
    Secret(usize),
    /// Mail cannot be sent.
    #[error("cannot send mail: {0}")]
    Mail(String),
}

impl App {
    pub(crate) async fn start(
        settings: Settings,
        assets: Assets,
    ) -> Result<(AppState, Tasks, Ownership), StartError> {
        if settings.secret.len() < 32 {
            return Err(StartError::Secret(settings.secret.len()));
        }
        monitoring::install_recorder();
        let ownership = Ownership::take(&settings.database, settings.takes_over)?;
        let store = Store::open(&settings.database).await?;
        let hub = Arc::new(Hub::new());
        let mut tasks = Tasks::default();
        store.take_tasks().into_iter().for_each(|task| tasks.watch(task));
        let (bus, incoming) = match &settings.nats {
            None => (Arc::new(Bus::alone(Arc::clone(&hub))), None),
            Some(address) => {
                let connected = Bus::between_nodes(Arc::clone(&hub), address).await;
                let (bus, incoming, running) =
                    connected.map_err(|error| StartError::Nats(error.to_string()))?;
                running.into_iter().for_each(|task| tasks.watch(task));
                (bus, Some(incoming))
            }
        };
        bus.set_predecessor(settings.takes_over);
        let time = settings.time.clone();
        let heartbeat = Heartbeat::new(store.clone(), time.clone(), settings.max_heartbeat_gap);
        let heartbeat = Arc::new(heartbeat);
        // Before any clock is judged: the time since the last heartbeat was a downtime.
        heartbeat.start(!bus.has_others()).await?;
        let ratings = Arc::new(RatingCounter::new(store.clone(), Arc::clone(&bus)));
        let current_limits = Arc::new(CurrentLimits::new(&settings));
        let rooms = Rooms::new(
            store.clone(),
            Arc::clone(&heartbeat),
            Arc::clone(&bus),
            time.clone(),
            Arc::clone(&ratings),
            Arc::clone(&current_limits),
        );
        let key = Key::from(&Sha512::digest(&settings.secret));
        let (stopping, _) = watch::channel(false);
        let audiences = Audiences::default();
        let bots = Bots::new(store.clone(), time.clone());
        let push_key = push::Key::derive(&settings.secret, settings.public_url.as_deref());
        let push_key = Arc::new(push_key);
        let push = PushWorker::start(
            store.clone(),
            Arc::clone(&hub),
            time.clone(),
            Arc::clone(&push_key),
            settings.push,
        );
        let mail = match (&settings.mail, settings.public_url.as_deref()) {
            (None, _) => None,
            (Some(_), None) => {
                let why = "links in it lead to the public URL, so name that, too";
                return Err(StartError::Mail(why.to_owned()));
            }
            (Some(mail), Some(url)) => {
                let hub = Arc::clone(&hub);
                let started =
                    Mail::start(mail, &settings.secret, url, store.clone(), hub, time.clone());
                Some(started.map_err(StartError::Mail)?)
            }
        };
        let (mail, mail_worker) = mail.unzip();
        let app = App {
            push_key,
            mail,
            banner: Banner::default(),
            authenticator: Authenticator::new(store.clone(), time.clone()),
            passwords: Passwords::new(),
            passkey_challenges: Challenges::new(&settings.secret),
            limits: Limits::new(settings.rate),
            downloads: Downloads::new(),
            metrics: RenderedMetrics::default(),
            current_limits,
            connections: ConnectionLimit::default(),
            store,
            rooms,
            ratings,
            bus,
            audiences,
            bots,
            pairing: Pairing::new(),
            heartbeat,
            time,
            settings,
            pages: Pages::new(&assets),
            pictures: Pictures::default(),
            assets,
            key,
            stopping,
        };
        let state = AppState(Arc::new(app));
        state.start_tasks(&mut tasks, incoming, ownership.predecessor());
        if let Some((push_queue, worker)) = push {
            state.bus.set_push_queue(push_queue);
            tasks.spawn("push", worker);
        }
        if let (Some(mail), Some(worker)) = (&state.mail, mail_worker) {
            state.bus.set_mail(Arc::clone(mail));
            tasks.spawn("mail", worker);
        }
        Ok((state, tasks, ownership))
    }

    /// How many people watch a game without playing in it, on all nodes.
    pub(crate) fn viewers(&self, game: &GameRow) -> usize {
        let players = game.players.each_ref().map(|player| player.id.as_str());
        self.audiences.everywhere(&game.id, self.audience_here(&game.id, players)).viewers
    }

    /// Completes when the server is asked to stop.
    pub(crate) async fn shutdown_requested(&self) {
        // The sender lives as long as this does, so the channel cannot be closed.
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// Counts a socket or an event stream, unless its address has too many.
    pub(crate) fn connect(&self, client: Client) -> Result<ConnectionPermit, Error> {
        let max = usize::try_from(self.current_limits.get(LimitName::LiveConnections));
        let max = max.unwrap_or(usize::MAX);
        let refused = || Error::too_many_connections(max);
        let is_limited = self.settings.rate.is_some();
        self.connections.acquire(client, is_limited.then_some(max)).ok_or_else(refused)
    }

    /// A player has changed their name or password, deleted a token or themselves: caches on all nodes
    /// drop what they hold about the player.
    pub(crate) async fn invalidate_player(&self, player: &str) {
        self.bus.publish_invalidation(player);
        self.invalidate_player_here(player);
    }

    /// Costs as much as the player has credentials, games and connections here: anyone can cause it.
    fn invalidate_player_here(&self, player: &str) {
        self.authenticator.invalidate(player);
        self.rooms.invalidate_player(player);
        self.bus.hub().player_changed(player);
    }

    /// A game with its audience.
    pub(crate) async fn view(&self, id: &str) -> Result<GameView, RoomError> {
        let mut view = self.rooms.view(id).await?;
        let here = self.audience_here(id, view.players.each_ref().map(|player| player.id.as_str()));
        view.audience = self.audiences.everywhere(id, here);
        Ok(view)
    }

    /// Sends the whole game to a subscriber of it, before any update.
    pub(crate) async fn send_game(
        &self,
        game: &str,
        subscriber: &Subscriber,
    ) -> Result<(), RoomError> {
        let topic = Topic::Game(game.to_owned());
        loop {
            let view = Box::new(self.view(game).await?);
            let version = view.situation.version;
            let message = ServerMessage::Game { game: view };
            let text = serde_json::to_string(&message).map_err(StoreError::from)?;
            // If something has happened since the game was read, it is read again. A game changes a few
            // times a second at most, so that is soon done.
            if self.bus.hub().send_whole(&topic, subscriber, text.into(), version) {
                return Ok(());
            }
        }
    }

    /// Ends live challenges whose creators have left.
    async fn end_abandoned_challenges(&self) {
        let renewed = presence::renew(&self.store, self.bus.hub(), self.time.now());
        let ended = self.store.in_time(renewed).await;
        match ended {
            Ok(ended) => {
                for challenge in ended {
                    publish_closed(self, &challenge).await;
                }
            }
            Err(error) => warn_folded!(%error, "cannot check who is present"),
        }
    }

    fn audience_here(&self, game: &str, players: [&str; 2]) -> Audience {
        self.bus.hub().audience(&Topic::Game(game.to_owned()), players)
    }

    /// Publishes the audience of a game on all nodes to its subscribers on this node; returns the part of
    /// it on this node.
    async fn publish_audience(&self, game: &str) -> Option<Audience> {
        let players = self.rooms.players(game).await.ok()?;
        let here = self.audience_here(game, players.each_ref().map(String::as_str));
        let audience = self.audiences.everywhere(game, here);
        let message = ServerMessage::Viewers { game: game.to_owned(), audience };
        self.bus.publish_here(&Topic::Game(game.to_owned()), &message);
        Some(here)
    }
}

impl AppState {
    /// Starts the background tasks.
    fn start_tasks(
        &self,
        tasks: &mut Tasks,
        incoming: Option<mpsc::Receiver<NodeMessage>>,
        has_predecessor: impl Fn() -> bool + Send + 'static,
    ) {
        let heartbeat = Arc::clone(&self.heartbeat);
        tasks.spawn("heartbeat", async move { heartbeat.run().await });
        tasks.spawn("metrics", monitoring::sum_up());
        let app = self.clone();
        tasks.spawn("pairing", async move { app.pairing.run(&app).await });
        let app = self.clone();
        tasks.spawn("explorer", async move { explorer::run(&app).await });
        let app = self.clone();
        tasks.spawn("boards", async move {
            loop {
                tokio::time::sleep(boards::SEND_INTERVAL).await;
                app.rooms.boards.send(&app).await;
            }
        });
        let bots = self.bots.clone();
        tasks.spawn("bots", async move { bots.run().await });
        let app = self.clone();
        tasks.spawn("reviews", async move { reviews::run(&app).await });
        let app = self.clone();
        tasks.spawn("banner", async move { app.banner.follow(&app.store).await });
        let app = self.clone();
        tasks.spawn("limits", async move { limits::follow(&app).await });
        let app = self.clone();
        tasks.spawn("ratings", async move {
            app.ratings.run(|game| app.rooms.counted(game)).await;
        });
        let app = self.clone();
        tasks.spawn("clocks", async move {
            let mut ending = JoinSet::new();
            loop {
                for game in app.rooms.take_overdue() {
                    let app = app.clone();
                    ending.spawn(async move { app.rooms.end_overdue(&game).await });
                }
                while let Some(ended) = ending.try_join_next() {
                    if let Err(failure) = ended {
                        error_folded!(error = said(failure), "an overdue game was not ended");
                    }
                }
                tokio::time::sleep(CLOCK_INTERVAL).await;
            }
        });
        let app = self.clone();
        tasks.spawn("deadlines", async move {
            loop {
                app.rooms.find_deadlines().await;
                tokio::time::sleep(OVERDUE_INTERVAL).await;
            }
        });
        let app = self.clone();
        tasks.spawn("gaps", async move {
            loop {
                for game in app.bus.gaps().await {
                    app.rooms.publish_whole(&game).await;
                }
            }
        });
        let app = self.clone();
        tasks.spawn("old mail", async move { mail::prune(&app.store, &app.time).await });
        let app = self.clone();
        tasks.spawn("old challenges", async move { presence::prune(&app.store, &app.time).await });
        let app = self.clone();
        tasks.spawn("presence", async move {
            loop {
                tokio::time::sleep(PRESENCE_INTERVAL).await;
                app.end_abandoned_challenges().await;
            }
        });
        let app = self.clone();
        tasks.spawn("caches", async move {
            loop {
                tokio::time::sleep(SWEEP_INTERVAL).await;
                app.rooms.sweep();
                app.audiences.sweep();
                app.limits.sweep();
                app.authenticator.sweep().await;
                if app.bus.has_others() {
                    app.bus.hub().games().iter().for_each(|game| app.audiences.mark_changed(game));
                }
            }
        });
        let app = self.clone();
        tasks.spawn("audiences", async move {
            loop {
                tokio::time::sleep(AUDIENCE_INTERVAL).await;
                for game in app.audiences.take_changed() {
                    if let Some(here) = app.publish_audience(&game).await {
                        app.bus.publish_audience(&game, here);
                    }
                }
            }
        });
        if self.settings.takes_over {
            let app = self.clone();
            tasks.spawn_finite("handover", async move {
                let begun = Instant::now();
                let mut since = app.time.now();
                while begun.elapsed() < HANDOVER_TIME || has_predecessor() {
                    tokio::time::sleep(HANDOVER_POLL_INTERVAL).await;
                    since = app.rooms.poll_latest_changes(since).await;
                }
                app.rooms.end_handover();
            });
        }
        if let Some(incoming) = incoming {
            let app = self.clone();
            tasks.spawn("other nodes", async move { app.follow(incoming).await });
            let app = self.clone();
            tasks.spawn("online", async move {
                loop {
                    let stored = presence::store_here(&app.store, app.bus.hub(), &app.time);
                    if let Err(error) = app.store.in_time(stored).await {
                        warn_folded!(%error, "cannot store who is online");
                    }
                    tokio::time::sleep(presence::ONLINE_INTERVAL).await;
                }
            });
            let app = self.clone();
            tasks.spawn("polls", async move {
                let mut since = app.time.now();
                loop {
                    let connected = app.bus.is_connected();
                    let interval =
                        if connected { POLL_INTERVAL } else { POLL_INTERVAL_WITHOUT_NATS };
                    tokio::time::sleep(interval).await;
                    since = app.rooms.poll_changes(since).await;
                }
            });
        }
    }

    /// Handles the messages of other nodes.
    async fn follow(&self, mut incoming: mpsc::Receiver<NodeMessage>) {
        while let Some(message) = incoming.recv().await {
            match message {
                NodeMessage::Server(message) => match *message {
                    ServerMessage::Update { game, event, at, situation } => {
                        self.rooms.follow(&game, &event, at, &situation);
                    }
                    ServerMessage::Rated { game, .. } => self.rooms.counted(&game),
                    _ => {}
                },
                NodeMessage::Audience { node, game, audience } => {
                    self.audiences.set(&node, &game, audience);
                    if self.bus.hub().count(&Topic::Game(game.clone())) > 0 {
                        self.publish_audience(&game).await;
                    }
                }
                NodeMessage::PlayerChanged { player } => self.invalidate_player_here(&player),
                NodeMessage::Reconnected => self.rooms.refresh(),
            }
        }
    }
}
