//! Everything live over one WebSocket: games, the lobby, what concerns a player.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{
    CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code,
};
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use tokio::time::{Instant, timeout};

use super::Error;
use super::challenges::open_to_all;
use super::identity::{Me, credential};
use crate::app::Handle;
use crate::guard::Client;
use crate::hub::{Listener, Topic};
use crate::identities::Credential;
use crate::wire::{Message, Player, Request};

/// No message from a client is longer.
const LONGEST_MESSAGE: usize = 4 * 1024;
/// What a socket reads and writes at once; thousands of sockets each have one.
const BUFFER: usize = 2 * 1024;
/// How many games one socket may watch.
const MOST_WATCHED: usize = 50;
/// Who does not take a message within this time is gone.
const PATIENCE: Duration = Duration::from_secs(10);
/// Who is told to go is listened to for so long, but no longer answered: closing while something waits to be
/// read would tear down the connection, and what was said last with it.
const FAREWELL: Duration = Duration::from_secs(2);
/// A ping is sent so often; who has said nothing for twice as long, not even pong, is gone.
const PING: Duration = Duration::from_secs(25);
/// Requests a second that one socket may make, and how many at once.
const REQUESTS: f64 = 20.0;
const BURST: f64 = 40.0;

/// Open a WebSocket. Send `Request`s and receive `Message`s, one JSON text a frame.
#[utoipa::path(get, path = "/api/socket", operation_id = "open_socket", tag = "live",
    responses((status = 101, description = "a WebSocket"), (status = 403, body = Error),
        (status = 429, body = Error)))]
pub(crate) async fn open(
    State(app): State<Handle>,
    client: Client,
    headers: HeaderMap,
    me: Option<Me>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Error> {
    let who = credential(&headers, &app)?;
    let present = app.enter(client)?;
    let upgrade = upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_write_buffer_size(64 * 1024);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let who = who.filter(|_| me.is_some());
        Connection::serve(app, client, who, me, socket).await;
        drop(present);
    }))
}

/// A socket and what it listens to.
struct Connection {
    app: Handle,
    client: Client,
    /// How the player has said who they are, to be asked again whether it is still so.
    who: Option<Credential>,
    player: Option<Player>,
    listener: Arc<Listener>,
    topics: HashSet<Topic>,
    budget: Budget,
}

/// Why a socket is closed by the server.
enum Farewell {
    Gone,
    TooSlow,
    Restart,
    TooMany,
    NotText,
    SignedOut,
}

impl Connection {
    async fn serve(
        app: Handle,
        client: Client,
        who: Option<Credential>,
        me: Option<Me>,
        socket: WebSocket,
    ) {
        let player = me.map(|Me(row)| Player::from(row));
        let _bot = match &player {
            Some(player) => app.bots.enter(player).await,
            None => None,
        };
        let (listener, mut messages) =
            app.bus.hub().listener(player.as_ref().map(|player| player.id.clone()));
        let mut connection = Connection {
            app,
            client,
            who,
            player,
            listener,
            topics: HashSet::new(),
            budget: Budget::new(),
        };
        metrics::gauge!("stoa_sockets").increment(1);
        let (mut sink, mut frames) = socket.split();
        connection.greet();
        let app = connection.app.clone();
        let mut stopping = std::pin::pin!(app.stop_asked_for());
        let mut ping = tokio::time::interval_at(Instant::now() + PING, PING);
        let mut heard = Instant::now();
        let farewell = loop {
            tokio::select! {
                message = messages.recv() => match message {
                    Some(text) => {
                        if !send(&mut sink, Frame::Text(text)).await {
                            break Farewell::Gone;
                        }
                    }
                    None => break Farewell::Gone,
                },
                frame = frames.next() => {
                    heard = Instant::now();
                    match frame {
                        Some(Ok(Frame::Text(text))) => {
                            if !connection.budget.spend() {
                                break Farewell::TooMany;
                            }
                            if !connection.answer(&text).await {
                                break Farewell::SignedOut;
                            }
                        }
                        Some(Ok(Frame::Binary(_))) => break Farewell::NotText,
                        Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                        Some(Ok(Frame::Close(_)) | Err(_)) | None => break Farewell::Gone,
                    }
                }
                () = connection.listener.cut_off.notified() => break Farewell::TooSlow,
                () = &mut stopping => break Farewell::Restart,
                _ = ping.tick() => {
                    let silent = heard.elapsed() > 2 * PING;
                    if !connection.is_still_good().await {
                        break Farewell::SignedOut;
                    }
                    if silent || !send(&mut sink, Frame::Ping(Default::default())).await {
                        break Farewell::Gone;
                    }
                }
            }
        };
        if farewell.comes_last() {
            while let Ok(text) = messages.try_recv()
                && send(&mut sink, Frame::Text(text)).await
            {}
        }
        if farewell.say(&mut sink).await {
            let closed = async { while let Some(Ok(_)) = frames.next().await {} };
            let _ = timeout(FAREWELL, closed).await;
        }
    }

    fn greet(&mut self) {
        if let Some(player) = &self.player {
            let topic = Topic::Player(player.id.clone());
            self.app.bus.hub().join(topic.clone(), &self.listener);
            self.topics.insert(topic);
        }
        let now = self.app.time.now();
        self.tell(&Message::Hello { player: self.player.clone(), now });
    }

    fn tell(&self, message: &Message) {
        if let Ok(text) = serde_json::to_string(message) {
            self.listener.tell(text.into());
        }
    }

    fn refuse(&self, id: u64, error: Error) {
        self.tell(&Message::Refused { id, code: error.code, message: error.message });
    }

    /// Whether the player is still who they said they were.
    async fn is_still_good(&self) -> bool {
        self.app.identities.is_still_good(self.who.as_ref()).await
    }

    /// Answers a request; false if the player has been signed out.
    async fn answer(&mut self, text: &Utf8Bytes) -> bool {
        let request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                self.refuse(0, Error::bad("bad_request", error.to_string()));
                return true;
            }
        };
        if let Err(error) = self.app.limits.request(&self.client) {
            self.refuse(id_of(&request), error);
            return true;
        }
        if matches!(request, Request::Act { .. }) && !self.is_still_good().await {
            self.refuse(id_of(&request), Error::no_player());
            return false;
        }
        self.answer_request(request).await;
        true
    }

    async fn answer_request(&mut self, request: Request) {
        match request {
            Request::Ping { id } => {
                self.tell(&Message::Pong { id, now: self.app.time.now() });
            }
            Request::Watch { id, game } => match self.watch(game).await {
                Ok(()) => self.tell(&Message::Done { id, situation: None }),
                Err(error) => self.refuse(id, error),
            },
            Request::Unwatch { id, game } => {
                self.leave(&Topic::Game(game));
                self.tell(&Message::Done { id, situation: None });
            }
            Request::Lobby { id, on: true } => {
                self.join(Topic::Lobby);
                match open_to_all(&self.app).await {
                    Ok(challenges) => {
                        self.tell(&Message::Lobby { challenges });
                        self.tell(&Message::Done { id, situation: None });
                    }
                    Err(error) => self.refuse(id, error),
                }
            }
            Request::Lobby { id, on: false } => {
                self.leave(&Topic::Lobby);
                self.tell(&Message::Done { id, situation: None });
            }
            Request::Act { id, game, action } => {
                let Some(player) = &self.player else {
                    return self.refuse(id, Error::no_player());
                };
                match self.app.rooms.act(&game, &player.id, &action).await {
                    Ok(situation) => {
                        self.tell(&Message::Done { id, situation: Some(Box::new(situation)) });
                    }
                    Err(error) => self.refuse(id, error.into()),
                }
            }
        }
    }

    async fn watch(&mut self, game: String) -> Result<(), Error> {
        let topic = Topic::Game(game.clone());
        let watched = self.topics.iter().filter(|topic| matches!(topic, Topic::Game(_))).count();
        if watched >= MOST_WATCHED && !self.topics.contains(&topic) {
            let message = format!("a socket may watch {MOST_WATCHED} games");
            return Err(Error::conflict("too_many_games", message));
        }
        // Joined before looking: nothing falls in between.
        self.join(topic.clone());
        match self.app.view(&game).await {
            Ok(view) => {
                self.tell(&Message::Game { game: Box::new(view) });
                Ok(())
            }
            Err(error) => {
                self.leave(&topic);
                Err(error.into())
            }
        }
    }

    fn join(&mut self, topic: Topic) {
        self.app.bus.hub().join(topic.clone(), &self.listener);
        self.app.audiences.changed_in(&topic);
        self.topics.insert(topic);
    }

    fn leave(&mut self, topic: &Topic) {
        self.app.bus.hub().leave(topic, &self.listener);
        self.app.audiences.changed_in(topic);
        self.topics.remove(topic);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        for topic in self.topics.clone() {
            self.leave(&topic);
        }
        metrics::gauge!("stoa_sockets").decrement(1);
    }
}

impl Farewell {
    /// Whether what is waiting for the client is sent before; it may be an answer.
    fn comes_last(&self) -> bool {
        !matches!(self, Farewell::Gone | Farewell::TooSlow)
    }

    /// Says why the socket is closed; false if there is nobody to hear it.
    async fn say(self, sink: &mut SplitSink<WebSocket, Frame>) -> bool {
        let (code, reason) = match self {
            Farewell::Gone => return false,
            Farewell::TooSlow => (close_code::AGAIN, "you read too slowly"),
            Farewell::TooMany => (close_code::POLICY, "too many requests"),
            Farewell::NotText => (close_code::UNSUPPORTED, "send text"),
            Farewell::SignedOut => (close_code::POLICY, "you have been signed out"),
            Farewell::Restart => {
                if let Ok(text) = serde_json::to_string(&Message::Restart) {
                    send(sink, Frame::Text(text.into())).await;
                }
                (close_code::RESTART, "the server restarts")
            }
        };
        let frame = CloseFrame { code, reason: reason.into() };
        send(sink, Frame::Close(Some(frame))).await
    }
}

/// The number by which a request wants to be answered.
fn id_of(request: &Request) -> u64 {
    match request {
        Request::Watch { id, .. }
        | Request::Unwatch { id, .. }
        | Request::Lobby { id, .. }
        | Request::Act { id, .. }
        | Request::Ping { id } => *id,
    }
}

/// Sends a frame; false if the other end does not take it.
async fn send(sink: &mut SplitSink<WebSocket, Frame>, frame: Frame) -> bool {
    matches!(timeout(PATIENCE, sink.send(frame)).await, Ok(Ok(())))
}

/// How many requests a socket may still make.
struct Budget {
    left: f64,
    at: Instant,
}

impl Budget {
    fn new() -> Budget {
        Budget { left: BURST, at: Instant::now() }
    }

    fn spend(&mut self) -> bool {
        let now = Instant::now();
        let earned = now.duration_since(self.at).as_secs_f64() * REQUESTS;
        self.left = (self.left + earned).min(BURST);
        self.at = now;
        let may = self.left >= 1.0;
        if may {
            self.left -= 1.0;
        }
        may
    }
}
