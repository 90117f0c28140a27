//! A WebSocket to a server.

use std::borrow::Cow;

use anyhow::{Context, Result, anyhow, bail};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use stoa_client::Client;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// A connection to a server.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: WebSocketStream<TcpStream>,
    asked: u64,
}

/// What the server said, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// A game was sent whole.
    Game,
    /// A game has now had so many moves.
    Update { ply: usize },
    /// What was asked for is done; a game has now had so many moves.
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
        let place = client.url().strip_prefix("http://").context("the address is not http://…")?;
        let stream = TcpStream::connect(place).await.context("cannot connect")?;
        stream.set_nodelay(true)?;
        let mut request = format!("ws://{place}/api/socket").into_client_request()?;
        if let Some((name, value)) = client.credentials() {
            let name = HeaderName::from_static(name);
            request.headers_mut().insert(name, HeaderValue::from_str(&value)?);
        }
        // Thousands of these must fit beside the server.
        let config = WebSocketConfig::default().read_buffer_size(2 * 1024).write_buffer_size(0);
        let connected = client_async_with_config(request, stream, Some(config)).await;
        let (stream, _) = connected.context("cannot open a WebSocket")?;
        Ok(Socket { stream, asked: 0 })
    }

    /// Asks to be told about a game, and waits until it has been sent.
    pub(crate) async fn watch(&mut self, game: &str) -> Result<()> {
        self.ask(r#""t":"watch""#, game, "").await?;
        while self.hear().await? != Heard::Game {}
        Ok(())
    }

    pub(crate) async fn unwatch(&mut self, game: &str) -> Result<()> {
        self.ask(r#""t":"unwatch""#, game, "").await.map(|_| ())
    }

    /// Sends a move and tells by which number it will be answered.
    pub(crate) async fn play(&mut self, game: &str, ply: usize, text: &str) -> Result<u64> {
        let text = serde_json::to_string(text)?;
        let action = format!(r#","action":{{"kind":"move","ply":{ply},"move":{text}}}"#);
        self.ask(r#""t":"act""#, game, &action).await
    }

    async fn ask(&mut self, what: &str, game: &str, more: &str) -> Result<u64> {
        self.asked += 1;
        let id = self.asked;
        let text = format!(r#"{{{what},"id":{id},"game":"{game}"{more}}}"#);
        self.stream.send(Frame::text(text)).await.context("cannot send")?;
        Ok(id)
    }

    /// The next message. May be abandoned while waiting.
    pub(crate) async fn hear(&mut self) -> Result<Heard> {
        loop {
            let frame = self.stream.next().await.ok_or_else(|| anyhow!("the server hung up"))?;
            match frame.context("the connection failed")? {
                Frame::Text(text) => return understand(&text),
                Frame::Close(why) => bail!("the server closed the connection: {why:?}"),
                _ => {}
            }
        }
    }
}

fn understand(text: &str) -> Result<Heard> {
    let heard: Text<'_> =
        serde_json::from_str(text).with_context(|| format!("a strange message: {text}"))?;
    let ply = heard.situation.map(|situation| situation.ply);
    Ok(match heard.t.as_ref() {
        "game" => Heard::Game,
        "update" => Heard::Update { ply: ply.unwrap_or(0) },
        "done" => Heard::Done { id: heard.id, ply },
        "refused" => bail!("refused ({}): {text}", heard.code.unwrap_or_default()),
        _ => Heard::Other,
    })
}
