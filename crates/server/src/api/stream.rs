//! Event streams (server-sent events) with the same messages as the socket.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use stoa_wire::{ApiError, Player, ServerMessage};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::Error;
use super::auth::{AuthPlayer, credential};
use crate::app::AppState;
use crate::authentication::{Credential, Reauthentication};
use crate::bots::BotConnection;
use crate::guard::{Client, ConnectionPermit};
use crate::hub::{Subscriber, Topic};

/// How often a comment line is sent, so that both ends notice when the other is gone.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// The event stream of a game: `hello`, then the whole game, then each update in order. A comment line comes
/// every 15 seconds.
#[utoipa::path(get, path = "/api/games/{id}/events", operation_id = "game_events", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = ServerMessage, content_type = "text/event-stream"),
        (status = 404, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn game(
    State(app): State<AppState>,
    client: Client,
    me: Option<AuthPlayer>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Error> {
    let permit = app.connect(client)?;
    let player = me.map(|AuthPlayer(row)| Player::from(row));
    let stream = EventStream::new(&app, permit, player, Topic::Game(id.clone()));
    app.send_game(&id, &stream.subscriber).await?;
    Ok(stream.into_sse())
}

/// The event stream of the current player: `hello`, then challenges, games that begin, moves in your games.
/// For clients that need no socket.
#[utoipa::path(get, path = "/api/me/events", operation_id = "my_events", tag = "players",
    responses((status = 200, body = ServerMessage, content_type = "text/event-stream"),
        (status = 401, body = ApiError), (status = 429, body = ApiError)))]
pub(crate) async fn mine(
    State(app): State<AppState>,
    client: Client,
    headers: HeaderMap,
    AuthPlayer(me): AuthPlayer,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Error> {
    let permit = app.connect(client)?;
    let topic = Topic::Player(me.id.clone());
    let player = Player::from(me);
    let mut stream = EventStream::new(&app, permit, Some(player.clone()), topic);
    stream.credential = credential(&headers, &app)?;
    stream.bot = app.bots.connect(&player).await;
    Ok(stream.into_sse())
}

/// A connection that is subscribed to one topic until it is dropped.
struct EventStream {
    app: AppState,
    topic: Topic,
    subscriber: Arc<Subscriber>,
    messages: mpsc::Receiver<Utf8Bytes>,
    bot: Option<BotConnection>,
    /// The credential, to be checked again.
    credential: Option<Credential>,
    reauthentication: Reauthentication,
    _permit: ConnectionPermit,
}

impl EventStream {
    fn new(
        app: &AppState,
        permit: ConnectionPermit,
        player: Option<Player>,
        topic: Topic,
    ) -> EventStream {
        let id = player.as_ref().map(|player| player.id.clone());
        let (subscriber, messages) = app.bus.hub().subscriber(id);
        // Queued before anything else can be.
        let hello = ServerMessage::Hello { player, now: app.time.now() };
        if let Ok(text) = serde_json::to_string(&hello) {
            subscriber.send(text.into());
        }
        app.bus.hub().subscribe(topic.clone(), &subscriber);
        app.audiences.mark_topic_changed(&topic);
        metrics::gauge!("stoa_event_streams").increment(1);
        EventStream {
            app: app.clone(),
            topic,
            reauthentication: Reauthentication::of(&subscriber),
            subscriber,
            messages,
            bot: None,
            credential: None,
            _permit: permit,
        }
    }

    fn into_sse(self) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
        let stream = futures_util::stream::unfold(self, |mut me| async {
            let app = me.app.clone();
            let text = loop {
                tokio::select! {
                    text = me.messages.recv() => break text?,
                    () = me.subscriber.overflowed.notified() => return None,
                    () = app.shutdown_requested() => return None,
                    () = me.reauthentication.due() => {
                        if !app.authenticator.is_still_valid(me.credential.as_ref()).await {
                            return None;
                        }
                    }
                }
            };
            Some((Ok(Event::default().data(text.as_str())), me))
        });
        Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL))
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.app.bus.hub().unsubscribe(&self.topic, &self.subscriber);
        self.app.audiences.mark_topic_changed(&self.topic);
        metrics::gauge!("stoa_event_streams").decrement(1);
    }
}
