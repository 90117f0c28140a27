//! A WebSocket to a server.

use std::borrow::Cow;

use anyhow::{Context, Result, anyhow, bail};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use stoa_client::Client;
use stoa_wire::{Action, ClientMessage, ServerMessage, TimeControl};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message as Frame, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// A connection to a server.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: WebSocketStream<TcpStream>,
    last_id: u64,
}

/// A message from the server, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Received {
    /// A game was sent whole.
    Game,
    /// An update; the game has had this many moves.
    Update { ply: usize },
    /// The message with this id is done; after a move, the game has had this many moves.
    Done { id: u64, ply: Option<usize> },
    /// Anything else.
    Other,
}

/// One pass over the text, nothing copied: the tool must not be slower than what it measures.
#[derive(Deserialize)]
struct Text<'a> {
    #[serde(borrow)]
    t: Cow<'a, str>,
    #[serde(default)]
    id: u64,
    #[serde(default)]
    situation: Option<Situation>,
    #[serde(default)]
    code: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Situation {
    ply: usize,
}

impl Socket {
    pub(crate) async fn connect(client: &Client) -> Result<Socket> {
        let target = client.url().strip_prefix("http://").context("the address is not http://…")?;
        let stream = TcpStream::connect(target).await.context("cannot connect")?;
        stream.set_nodelay(true)?;
        let mut request = format!("ws://{target}/api/socket").into_client_request()?;
        for (name, value) in client.headers() {
            let name = HeaderName::from_static(name);
            request.headers_mut().insert(name, HeaderValue::from_str(&value)?);
        }
        // Thousands of these must fit beside the server.
        let config = WebSocketConfig::default().read_buffer_size(2 * 1024).write_buffer_size(0);
        let connected = client_async_with_config(request, stream, Some(config)).await;
        let (stream, _) = connected.context("cannot open a WebSocket")?;
        Ok(Socket { stream, last_id: 0 })
    }

    /// Subscribes to a game, and waits until the server has sent it.
    pub(crate) async fn watch(&mut self, game: &str) -> Result<()> {
        let game = game.to_owned();
        self.send(|id| ClientMessage::Watch { id, game }).await?;
        while self.receive().await? != Received::Game {}
        Ok(())
    }

    pub(crate) async fn unwatch(&mut self, game: &str) -> Result<()> {
        let game = game.to_owned();
        self.send(|id| ClientMessage::Unwatch { id, game }).await.map(drop)
    }

    /// Sends a move, and returns the id that the answer will have.
    pub(crate) async fn play(&mut self, game: &str, ply: usize, text: &str) -> Result<u64> {
        let (game, action) = (game.to_owned(), Action::Move { ply, text: text.to_owned() });
        self.send(|id| ClientMessage::Act { id, game, action }).await
    }

    /// Waits to be paired, and returns the id of the game.
    pub(crate) async fn pair(&mut self, game: &str) -> Result<String> {
        let game = game.to_owned();
        let control = TimeControl::Clock { initial: 300, increment: 5 };
        self.send(|id| ClientMessage::Pair { id, game, control }).await?;
        loop {
            let text = self.receive_text().await?;
            match serde_json::from_str(&text) {
                Ok(ServerMessage::Paired { game }) => return Ok(game),
                Ok(ServerMessage::Refused { message, .. }) => bail!("refused: {message}"),
                Ok(_) => {}
                Err(error) => bail!("cannot parse the message {text}: {error}"),
            }
        }
    }

    /// Asks for all that a socket can receive, games as far as it is let, and receives it until the server closes the
    /// socket.
    pub(crate) async fn receive_everything(&mut self, games: &[String]) -> Result<()> {
        self.send(|id| ClientMessage::Boards { id, on: true }).await?;
        self.send(|id| ClientMessage::Lobby { id, on: true }).await?;
        for game in games {
            self.send(|id| ClientMessage::Watch { id, game: game.clone() }).await?;
        }
        loop {
            self.receive_text().await?;
        }
    }

    async fn send(&mut self, message: impl FnOnce(u64) -> ClientMessage) -> Result<u64> {
        self.last_id += 1;
        let text = serde_json::to_string(&message(self.last_id))?;
        self.stream.send(Frame::text(text)).await.context("cannot send")?;
        Ok(self.last_id)
    }

    /// The next message. May be abandoned while waiting.
    pub(crate) async fn receive(&mut self) -> Result<Received> {
        parse(&self.receive_text().await?)
    }

    async fn receive_text(&mut self) -> Result<Utf8Bytes> {
        loop {
            let frame = self.stream.next().await.ok_or_else(|| anyhow!("the server hung up"))?;
            match frame.context("the connection failed")? {
                Frame::Text(text) => return Ok(text),
                Frame::Close(why) => bail!("the server closed the connection: {why:?}"),
                _ => {}
            }
        }
    }
}

fn parse(text: &str) -> Result<Received> {
    let received: Text<'_> =
        serde_json::from_str(text).with_context(|| format!("cannot parse the message {text}"))?;
    let ply = received.situation.map(|situation| situation.ply);
    Ok(match received.t.as_ref() {
        "game" => Received::Game,
        "update" => Received::Update { ply: ply.unwrap_or(0) },
        "done" => Received::Done { id: received.id, ply },
        "refused" => bail!("refused ({}): {text}", received.code.unwrap_or_default()),
        _ => Received::Other,
    })
}
