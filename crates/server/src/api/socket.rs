//! The WebSocket: subscriptions to games and the lobby, actions, messages to the player.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use stoa_wire::{Action, ApiError, ClientMessage, ErrorCode, Player, ServerMessage, TimeControl};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error as SocketError, Message as Frame, Utf8Bytes};

use super::Error;
use super::auth::{AuthPlayer, credential};
use super::challenges::lobby_challenges;
use super::web_socket::{Bucket, WebSocket, WebSocketRequest, is_too_many};
use crate::app::AppState;
use crate::authentication::{Credential, Reauthentication};
use crate::guard::Client;
use crate::hub::{Subscriber, Topic};
use crate::pairing::Wish;

/// The largest message of a client, in bytes.
const MAX_MESSAGE_SIZE: usize = 4 * 1024;
/// The size of the read buffer; thousands of sockets each have one.
const READ_BUFFER_SIZE: usize = 2 * 1024;
/// How many bytes are collected before they are written; the messages after a move are less. The buffer grows as
///  needed.
const WRITE_BUFFER_SIZE: usize = 4 * 1024;
/// How many bytes may be buffered for a client that does not read.
const MAX_WRITE_BUFFER_SIZE: usize = 64 * 1024;
/// How many games a socket may watch.
pub(crate) const MAX_WATCHED_GAMES: usize = 50;
/// A client that does not accept a message within this time is gone.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to keep reading, without answering, after the close frame: closing while something is unread
/// would reset the connection, and the last messages would be lost.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// How often a ping is sent; a client that has sent nothing for twice as long, not even a pong, is gone.
const PING_INTERVAL: Duration = Duration::from_secs(25);
/// How many messages and pings a second a client may send on average.
pub(crate) const MESSAGE_RATE: f64 = 20.0;
/// How many messages and pings a client may send at once: enough to watch all games again, and to act.
const MESSAGE_BURST: f64 = 2.0 * MAX_WATCHED_GAMES as f64;
/// How many frames a message may have on average. They are counted as they arrive, before messages are.
const FRAMES_PER_MESSAGE: f64 = 10.0;

/// Open a WebSocket. Send `ClientMessage`s and receive `ServerMessage`s, one JSON text per frame.
#[utoipa::path(get, path = "/api/socket", operation_id = "open_socket", tag = "live",
    responses((status = 101, description = "The connection becomes a WebSocket"), (status = 403, body = ApiError),
        (status = 426, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn open(
    State(app): State<AppState>,
    client: Client,
    headers: HeaderMap,
    me: Option<AuthPlayer>,
    request: WebSocketRequest,
) -> Result<Response, Error> {
    let credential = credential(&headers, &app)?;
    let permit = app.connect(client)?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE_SIZE))
        .max_frame_size(Some(MAX_MESSAGE_SIZE))
        .read_buffer_size(READ_BUFFER_SIZE)
        .write_buffer_size(WRITE_BUFFER_SIZE)
        .max_write_buffer_size(MAX_WRITE_BUFFER_SIZE);
    let frames = Bucket::new(FRAMES_PER_MESSAGE * MESSAGE_RATE, FRAMES_PER_MESSAGE * MESSAGE_BURST);
    Ok(request.open(config, frames, move |socket| async move {
        let credential = credential.filter(|_| me.is_some());
        Connection::serve(app, client, credential, me, socket).await;
        drop(permit);
    }))
}

/// A socket and its subscriptions.
struct Connection {
    app: AppState,
    client: Client,
    /// The credential, to be checked again.
    credential: Option<Credential>,
    player: Option<Player>,
    subscriber: Arc<Subscriber>,
    topics: HashSet<Topic>,
    /// The place among those who wait to be paired.
    ticket: Option<String>,
    messages: Bucket,
}

/// Why the server closes a socket.
enum CloseReason {
    Gone,
    TooSlow,
    Restart,
    TooMany,
    NotText,
    TooLarge,
    NotUtf8,
    Malformed,
    SignedOut,
}

impl Connection {
    async fn serve(
        app: AppState,
        client: Client,
        credential: Option<Credential>,
        me: Option<AuthPlayer>,
        socket: WebSocket,
    ) {
        let player = me.map(|AuthPlayer(row)| Player::from(row));
        let _bot = match &player {
            Some(player) => app.bots.connect(player).await,
            None => None,
        };
        let (subscriber, mut messages) =
            app.bus.hub().subscriber(player.as_ref().map(|player| player.id.clone()));
        let mut connection = Connection {
            app,
            client,
            credential,
            player,
            subscriber,
            topics: HashSet::new(),
            ticket: None,
            messages: Bucket::new(MESSAGE_RATE, MESSAGE_BURST),
        };
        metrics::gauge!("stoa_sockets").increment(1);
        let (mut sink, mut frames) = socket.split();
        connection.greet();
        let mut banner = connection.app.banner.subscribe();
        let line = banner.borrow_and_update().clone();
        if !line.is_empty() {
            connection.subscriber.send(line);
        }
        let app = connection.app.clone();
        let mut reauthentication = Reauthentication::of(&connection.subscriber);
        let mut stopping = std::pin::pin!(app.shutdown_requested());
        let mut ping = tokio::time::interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
        let mut last_received = Instant::now();
        let reason = loop {
            tokio::select! {
                message = messages.recv() => match message {
                    Some(text) => {
                        if !send_queued(&mut sink, text, &mut messages).await {
                            break CloseReason::Gone;
                        }
                    }
                    None => break CloseReason::Gone,
                },
                frame = frames.next() => {
                    last_received = Instant::now();
                    // Pings are counted, too: each is answered.
                    if matches!(frame, Some(Ok(_))) && !connection.messages.spend(1) {
                        break CloseReason::TooMany;
                    }
                    match frame {
                        Some(Ok(Frame::Text(text))) => {
                            if !connection.handle_text(&text).await {
                                break CloseReason::SignedOut;
                            }
                        }
                        Some(Ok(Frame::Binary(_))) => break CloseReason::NotText,
                        Some(Ok(Frame::Ping(_) | Frame::Pong(_) | Frame::Frame(_))) => {}
                        Some(Ok(Frame::Close(_))) | None => break CloseReason::Gone,
                        Some(Err(error)) => break CloseReason::of(&error),
                    }
                }
                // It is queued, as `hello` may still be: that comes first.
                changed = banner.changed() => {
                    let line = banner.borrow_and_update().clone();
                    if changed.is_err() || !connection.subscriber.send(line) {
                        break CloseReason::Gone;
                    }
                }
                () = connection.subscriber.overflowed.notified() => break CloseReason::TooSlow,
                () = &mut stopping => break CloseReason::Restart,
                () = reauthentication.due() => {
                    if !connection.is_still_valid().await {
                        break CloseReason::SignedOut;
                    }
                }
                _ = ping.tick() => {
                    let silent = last_received.elapsed() > 2 * PING_INTERVAL;
                    if silent || !send(&mut sink, Frame::Ping(Default::default())).await {
                        break CloseReason::Gone;
                    }
                }
            }
        };
        if reason.flushes_queue() {
            while let Ok(text) = messages.try_recv()
                && send(&mut sink, Frame::Text(text)).await
            {}
        }
        if reason.close(&mut sink).await {
            let closed = async { while let Some(Ok(_)) = frames.next().await {} };
            let _ = timeout(CLOSE_TIMEOUT, closed).await;
        }
    }

    fn greet(&mut self) {
        let now = self.app.time.now();
        self.send(&ServerMessage::Hello { player: self.player.clone(), now });
        if let Some(player) = &self.player {
            let topic = Topic::Player(player.id.clone());
            self.app.bus.hub().subscribe(topic.clone(), &self.subscriber);
            self.topics.insert(topic);
        }
    }

    fn send(&self, message: &ServerMessage) {
        if let Ok(text) = serde_json::to_string(message) {
            self.subscriber.send(text.into());
        }
    }

    fn refuse(&self, id: u64, error: Error) {
        self.send(&ServerMessage::Refused {
            id,
            code: error.body.code,
            message: error.body.message,
        });
    }

    /// Whether the credential is still valid.
    async fn is_still_valid(&self) -> bool {
        self.app.authenticator.is_still_valid(self.credential.as_ref()).await
    }

    /// Handles a text frame; false if the player has been signed out.
    async fn handle_text(&mut self, text: &Utf8Bytes) -> bool {
        let message: ClientMessage = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => {
                self.refuse(0, Error::new(ErrorCode::BadRequest, error.to_string()));
                return true;
            }
        };
        if let Err(error) = self.app.limits.request(&self.client) {
            self.refuse(message.id(), error);
            return true;
        }
        let acts = matches!(message, ClientMessage::Act { .. } | ClientMessage::Pair { .. });
        if acts && !self.is_still_valid().await {
            self.refuse(message.id(), Error::no_player());
            return false;
        }
        self.handle(message).await;
        true
    }

    async fn handle(&mut self, message: ClientMessage) {
        match message {
            ClientMessage::Ping { id } => {
                self.send(&ServerMessage::Pong { id, now: self.app.time.now() });
            }
            ClientMessage::Watch { id, game } => match self.watch(game).await {
                Ok(()) => self.send(&ServerMessage::Done { id, situation: None }),
                Err(error) => self.refuse(id, error),
            },
            ClientMessage::Unwatch { id, game } => {
                self.unsubscribe(&Topic::Viewers(game.clone()));
                self.unsubscribe(&Topic::Game(game));
                self.send(&ServerMessage::Done { id, situation: None });
            }
            ClientMessage::Lobby { id, on: true } => {
                self.subscribe(Topic::Lobby);
                match lobby_challenges(&self.app).await {
                    Ok(challenges) => {
                        self.send(&ServerMessage::Lobby { challenges });
                        self.send(&ServerMessage::Done { id, situation: None });
                    }
                    Err(error) => self.refuse(id, error),
                }
            }
            ClientMessage::Lobby { id, on: false } => {
                self.unsubscribe(&Topic::Lobby);
                self.send(&ServerMessage::Done { id, situation: None });
            }
            ClientMessage::Boards { id, on } => {
                if on {
                    self.subscribe(Topic::Boards)
                } else {
                    self.unsubscribe(&Topic::Boards)
                }
                self.send(&ServerMessage::Done { id, situation: None });
            }
            ClientMessage::Pair { id, game, control } => match self.pair(&game, control).await {
                Ok(()) => self.send(&ServerMessage::Done { id, situation: None }),
                Err(error) => self.refuse(id, error),
            },
            ClientMessage::Unpair { id } => {
                self.unpair();
                self.send(&ServerMessage::Done { id, situation: None });
            }
            ClientMessage::Act { id, game, action } => {
                let Some(player) = &self.player else {
                    return self.refuse(id, Error::no_player());
                };
                if action == Action::Rematch
                    && let Err(error) = self.app.limits.challenge(&player.id, &self.client)
                {
                    return self.refuse(id, error);
                }
                match self.app.rooms.act(&game, &player.id, &action).await {
                    Ok(situation) => {
                        self.send(&ServerMessage::Done {
                            id,
                            situation: Some(Box::new(situation)),
                        });
                    }
                    Err(error) => self.refuse(id, error.into()),
                }
            }
        }
    }

    async fn watch(&mut self, game: String) -> Result<(), Error> {
        let topic = Topic::Game(game.clone());
        let watched = self.topics.iter().filter(|topic| matches!(topic, Topic::Game(_))).count();
        if watched >= MAX_WATCHED_GAMES && !self.topics.contains(&topic) {
            let message = format!("a socket may watch at most {MAX_WATCHED_GAMES} games");
            return Err(Error::new(ErrorCode::TooManyGames, message));
        }
        self.subscribe(topic.clone());
        let sent = self.app.send_game(&game, &self.subscriber).await;
        if let Err(error) = sent {
            self.unsubscribe(&topic);
            return Err(error.into());
        }
        // Players do not get the viewers' messages about their game.
        let players = self.app.rooms.players(&game).await?;
        if !self.player.as_ref().is_some_and(|player| players.contains(&player.id)) {
            self.subscribe(Topic::Viewers(game));
        }
        Ok(())
    }

    /// Waits to be paired.
    async fn pair(&mut self, game: &str, control: TimeControl) -> Result<(), Error> {
        let player = self.player.clone().ok_or_else(Error::no_player)?;
        self.app.limits.challenge(&player.id, &self.client)?;
        self.unpair();
        let mut wish = Wish::new(&player, game, control)?;
        if self.app.settings.rate.is_some() {
            wish = wish.from(self.client);
        }
        self.app.pairing.check_absence(&self.app, &wish).await?;
        let ratings = self.app.store.ratings_of(&player.id).await?;
        let now = self.app.time.now();
        let (wish, max) = (wish.rated_by(&ratings), self.app.current_limits.waiting_from_network());
        let ticket = self.app.pairing.join(wish, self.client, max, now, &self.subscriber)?;
        self.ticket = Some(ticket);
        Ok(())
    }

    /// Waits no longer.
    fn unpair(&mut self) {
        if let Some(ticket) = self.ticket.take() {
            self.app.pairing.leave(&ticket);
        }
    }

    fn subscribe(&mut self, topic: Topic) {
        self.app.bus.hub().subscribe(topic.clone(), &self.subscriber);
        self.app.audiences.mark_topic_changed(&topic);
        self.topics.insert(topic);
    }

    fn unsubscribe(&mut self, topic: &Topic) {
        self.app.bus.hub().unsubscribe(topic, &self.subscriber);
        self.app.audiences.mark_topic_changed(topic);
        self.topics.remove(topic);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.unpair();
        for topic in self.topics.clone() {
            self.unsubscribe(&topic);
        }
        metrics::gauge!("stoa_sockets").decrement(1);
    }
}

impl CloseReason {
    /// Why no more can be read.
    fn of(error: &SocketError) -> CloseReason {
        match error {
            SocketError::Io(error) if is_too_many(error) => CloseReason::TooMany,
            SocketError::Capacity(_) => CloseReason::TooLarge,
            SocketError::Utf8(_) => CloseReason::NotUtf8,
            SocketError::Protocol(ProtocolError::ResetWithoutClosingHandshake) => CloseReason::Gone,
            SocketError::Protocol(_) => CloseReason::Malformed,
            _ => CloseReason::Gone,
        }
    }

    /// Whether queued messages are sent first; one may be an answer.
    fn flushes_queue(&self) -> bool {
        !matches!(self, CloseReason::Gone | CloseReason::TooSlow)
    }

    /// Sends the close frame; false if the client is gone.
    async fn close(self, sink: &mut SplitSink<WebSocket, Frame>) -> bool {
        let (code, reason) = match self {
            CloseReason::Gone => return false,
            CloseReason::TooSlow => (CloseCode::Again, "you read too slowly"),
            CloseReason::TooMany => (CloseCode::Policy, "too many requests"),
            CloseReason::NotText => (CloseCode::Unsupported, "send text frames"),
            CloseReason::TooLarge => (CloseCode::Size, "frames have at most 4 KB"),
            CloseReason::NotUtf8 => (CloseCode::Invalid, "text is UTF-8"),
            CloseReason::Malformed => (CloseCode::Protocol, "this is no WebSocket frame"),
            CloseReason::SignedOut => (CloseCode::Policy, "you have been signed out"),
            CloseReason::Restart => {
                if let Ok(text) = serde_json::to_string(&ServerMessage::Restart) {
                    send(sink, Frame::Text(text.into())).await;
                }
                (CloseCode::Restart, "the server restarts")
            }
        };
        let frame = CloseFrame { code, reason: reason.into() };
        send(sink, Frame::Close(Some(frame))).await
    }
}

/// Sends a frame; false if the client does not accept it.
async fn send(sink: &mut SplitSink<WebSocket, Frame>, frame: Frame) -> bool {
    matches!(timeout(SEND_TIMEOUT, sink.send(frame)).await, Ok(Ok(())))
}

/// Sends a message, and those that are queued behind it with the same write; false if the client does not accept
/// them. A move leads to several messages.
async fn send_queued(
    sink: &mut SplitSink<WebSocket, Frame>,
    first: Utf8Bytes,
    queue: &mut mpsc::Receiver<Utf8Bytes>,
) -> bool {
    let sending = async {
        sink.feed(Frame::Text(first)).await?;
        for _ in 0..queue.len() {
            let Ok(text) = queue.try_recv() else { break };
            sink.feed(Frame::Text(text)).await?;
        }
        sink.flush().await
    };
    matches!(timeout(SEND_TIMEOUT, sending).await, Ok(Ok(())))
}
