//! Events as they happen, over plain HTTP: server-sent events whose data are the messages of the socket.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use tokio::sync::mpsc;

use super::Error;
use super::identity::{Me, credential};
use crate::app::Handle;
use crate::bots::Here;
use crate::guard::{Client, Present};
use crate::hub::{Listener, Topic};
use crate::identities::Credential;
use crate::wire::{Message, Player};

/// A line is sent at least so often, so that both ends notice when the other is gone.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// When nothing has happened for so long, it is asked whether the player has been signed out.
const CONFIRM: Duration = Duration::from_secs(25);

/// What happens in a game: first the whole game, then each update. A comment line comes every 15 seconds.
#[utoipa::path(get, path = "/api/games/{id}/events", operation_id = "game_events", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = Message, content_type = "text/event-stream"),
        (status = 404, body = Error), (status = 429, body = Error)))]
pub(crate) async fn game(
    State(app): State<Handle>,
    client: Client,
    me: Option<Me>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Error> {
    let topic = Topic::Game(id.clone());
    let present = app.enter(client)?;
    let listening = Listening::new(&app, present, me.map(|Me(row)| row.id), topic);
    // Joined before looking: nothing falls in between. Updates that are in the view already have an
    // older version than it.
    let game = Box::new(app.view(&id).await?);
    listening.say(&Message::Game { game });
    Ok(listening.stream())
}

/// What concerns you: challenges, games that begin, moves in your games. For programs and pages that
/// need no socket.
#[utoipa::path(get, path = "/api/me/events", operation_id = "my_events", tag = "players",
    responses((status = 200, body = Message, content_type = "text/event-stream"),
        (status = 401, body = Error), (status = 429, body = Error)))]
pub(crate) async fn mine(
    State(app): State<Handle>,
    client: Client,
    headers: HeaderMap,
    Me(me): Me,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Error> {
    let present = app.enter(client)?;
    let topic = Topic::Player(me.id.clone());
    let mut listening = Listening::new(&app, present, Some(me.id.clone()), topic);
    let player = Player::from(me);
    listening.who = credential(&headers, &app)?;
    listening.bot = app.bots.enter(&player).await;
    let hello = Message::Hello { player: Some(player), now: app.time.now() };
    listening.say(&hello);
    Ok(listening.stream())
}

/// A connection that hears about one topic until it is dropped.
struct Listening {
    app: Handle,
    topic: Topic,
    listener: Arc<Listener>,
    messages: mpsc::Receiver<Utf8Bytes>,
    bot: Option<Here>,
    /// How the player has said who they are, to be asked again whether it is still so.
    who: Option<Credential>,
    _present: Present,
}

impl Listening {
    fn new(app: &Handle, present: Present, player: Option<String>, topic: Topic) -> Listening {
        let (listener, messages) = app.bus.hub().listener(player);
        app.bus.hub().join(topic.clone(), &listener);
        app.audiences.changed_in(&topic);
        metrics::gauge!("stoa_streams").increment(1);
        Listening {
            app: app.clone(),
            topic,
            listener,
            messages,
            bot: None,
            who: None,
            _present: present,
        }
    }

    fn say(&self, message: &Message) {
        if let Ok(text) = serde_json::to_string(message) {
            self.listener.tell(text.into());
        }
    }

    fn stream(self) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
        let stream = futures_util::stream::unfold(self, |mut me| async {
            let app = me.app.clone();
            let text = loop {
                tokio::select! {
                    text = me.messages.recv() => break text?,
                    () = me.listener.cut_off.notified() => return None,
                    () = app.stop_asked_for() => return None,
                    () = tokio::time::sleep(CONFIRM) => {
                        if !app.identities.is_still_good(me.who.as_ref()).await {
                            return None;
                        }
                    }
                }
            };
            Some((Ok(Event::default().data(text.as_str())), me))
        });
        Sse::new(stream).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.app.bus.hub().leave(&self.topic, &self.listener);
        self.app.audiences.changed_in(&self.topic);
        metrics::gauge!("stoa_streams").decrement(1);
    }
}
