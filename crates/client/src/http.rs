//! Requests.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::http::{Response, header};
use ureq::{Agent, Body, RequestBuilder};

use crate::events::Events;
use crate::wire::{Action, Challenge, GameCard, GameView, Player, Situation, Wish};

/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(20);
/// No answer is longer.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Somebody who talks to a server.
#[derive(Debug, Clone)]
pub struct Client {
    agent: Agent,
    url: String,
    identity: Identity,
}

#[derive(Debug, Clone)]
enum Identity {
    Nobody,
    Cookie(String),
    Token(String),
}

/// Why something is not done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server says no.
    #[error("{message} ({code})")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// A word that can be relied on.
        code: String,
        /// A sentence.
        message: String,
        /// After how many seconds it may be tried again.
        retry_after: Option<u64>,
    },
    /// Nobody knows whether it is done: the connection failed.
    #[error("no answer from the server: {0}")]
    NoAnswer(String),
    /// The answer is not what the description says.
    #[error("the server's answer cannot be understood: {0}")]
    Strange(String),
}

impl Error {
    /// The word for programs, if the server has answered.
    pub fn code(&self) -> Option<&str> {
        match self {
            Error::Refused { code, .. } => Some(code),
            _ => None,
        }
    }

    /// Whether it makes sense to try the same again in a while.
    pub fn is_passing(&self) -> bool {
        match self {
            Error::NoAnswer(_) => true,
            Error::Refused { status, .. } => matches!(status, 429 | 500..),
            Error::Strange(_) => false,
        }
    }

    /// How long the server wants to be left alone.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Error::Refused { retry_after, .. } => retry_after.map(Duration::from_secs),
            _ => None,
        }
    }
}

#[derive(serde::Deserialize)]
struct Refusal {
    code: String,
    message: String,
    #[serde(default)]
    retry_after: Option<u64>,
}

#[derive(serde::Deserialize)]
struct Games {
    games: Vec<GameCard>,
}

#[derive(serde::Deserialize)]
struct Challenges {
    challenges: Vec<Challenge>,
}

#[derive(serde::Deserialize)]
struct Myself {
    player: Option<Player>,
}

#[derive(Serialize)]
struct Nothing {}

#[derive(Serialize)]
struct Naming<'a> {
    name: &'a str,
}

impl Client {
    /// Somebody without a name, who can only look.
    pub fn nobody(url: &str) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(PATIENCE))
            .user_agent(concat!("stoa/", env!("CARGO_PKG_VERSION")));
        Client {
            agent: config.build().into(),
            url: url.trim_end_matches('/').to_owned(),
            identity: Identity::Nobody,
        }
    }

    /// A new guest of this name.
    ///
    /// # Errors
    /// If the server does not make one.
    pub fn guest(url: &str, name: &str) -> Result<Client, Error> {
        Client::nobody(url).become_guest(name)
    }

    /// A new guest who shares this one's connections.
    ///
    /// # Errors
    /// If the server does not make one.
    pub fn become_guest(&self, name: &str) -> Result<Client, Error> {
        let mut client = Client { identity: Identity::Nobody, ..self.clone() };
        let request = client.agent.post(client.address("/api/me")).content_type(JSON);
        let response = understood(request.send(written(&Naming { name })?))?;
        let set = response.headers().get_all(header::SET_COOKIE).iter();
        let cookie = set
            .filter_map(|cookie| cookie.to_str().ok()?.split(';').next())
            .find(|cookie| cookie.starts_with("stoa="))
            .ok_or_else(|| Error::Strange("there is no cookie in it".to_owned()))?;
        client.identity = Identity::Cookie(cookie.to_owned());
        Ok(client)
    }

    /// The owner of a token.
    pub fn with_token(url: &str, token: &str) -> Client {
        let identity = Identity::Token(token.trim().to_owned());
        Client { identity, ..Client::nobody(url) }
    }

    /// The same somebody at another node.
    pub fn at(&self, url: &str) -> Client {
        Client { url: url.trim_end_matches('/').to_owned(), ..self.clone() }
    }

    /// The server.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The header by which the server knows this client: its name and its value.
    pub fn credentials(&self) -> Option<(&'static str, String)> {
        match &self.identity {
            Identity::Nobody => None,
            Identity::Cookie(cookie) => Some(("cookie", cookie.clone())),
            Identity::Token(token) => Some(("authorization", format!("Bearer {token}"))),
        }
    }

    /// Who this is.
    ///
    /// # Errors
    /// If the server does not answer or does not know the token.
    pub fn me(&self) -> Result<Option<Player>, Error> {
        Ok(self.get::<Myself>("/api/me")?.player)
    }

    /// Makes a challenge.
    ///
    /// # Errors
    /// If the server does not want it.
    pub fn challenge(&self, wish: &Wish<'_>) -> Result<Challenge, Error> {
        self.post("/api/challenges", wish)
    }

    /// A challenge as it stands.
    ///
    /// # Errors
    /// If there is none of this id.
    pub fn challenge_of(&self, id: &str) -> Result<Challenge, Error> {
        self.get(&format!("/api/challenges/{id}"))
    }

    /// The open challenges made by this player or sent to them.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn challenges(&self) -> Result<Vec<Challenge>, Error> {
        Ok(self.get::<Challenges>("/api/me/challenges")?.challenges)
    }

    /// Accepts a challenge.
    ///
    /// # Errors
    /// If somebody was first (`gone`), or it is not for this player.
    pub fn accept(&self, challenge: &str) -> Result<GameView, Error> {
        self.post(&format!("/api/challenges/{challenge}/accept"), &Nothing {})
    }

    /// Declines a challenge that was sent to this player.
    ///
    /// # Errors
    /// If it is not open any more.
    pub fn decline(&self, challenge: &str) -> Result<Challenge, Error> {
        self.post(&format!("/api/challenges/{challenge}/decline"), &Nothing {})
    }

    /// The games that this player is playing.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn games(&self) -> Result<Vec<GameCard>, Error> {
        Ok(self.get::<Games>("/api/me/games?state=playing&limit=100")?.games)
    }

    /// A game.
    ///
    /// # Errors
    /// If there is none of this id.
    pub fn game(&self, id: &str) -> Result<GameView, Error> {
        self.get(&format!("/api/games/{id}"))
    }

    /// A game as a record.
    ///
    /// # Errors
    /// If there is none of this id.
    pub fn record(&self, game: &str) -> Result<String, Error> {
        let path = format!("/api/games/{game}/record");
        body(understood(self.named(self.agent.get(self.address(&path))).call())?)
    }

    /// Does something in a game. When this returns, it is kept for good.
    ///
    /// # Errors
    /// If it is refused, or nobody knows whether it is done.
    pub fn act(&self, game: &str, action: &Action) -> Result<Situation, Error> {
        self.post(&format!("/api/games/{game}/actions"), action)
    }

    /// Becomes a bot: a program that others can challenge.
    ///
    /// # Errors
    /// If this player has games that are still being played.
    pub fn become_bot(&self) -> Result<Player, Error> {
        self.post("/api/me/bot", &Nothing {})
    }

    /// What concerns this player, as it happens.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn events(&self) -> Result<Events, Error> {
        self.stream("/api/me/events")
    }

    /// What happens in a game: first the game, whole, then each update.
    ///
    /// # Errors
    /// If the server does not answer, or there is no such game.
    pub fn game_events(&self, game: &str) -> Result<Events, Error> {
        self.stream(&format!("/api/games/{game}/events"))
    }

    fn stream(&self, path: &str) -> Result<Events, Error> {
        let request = self.named(self.agent.get(self.address(path)));
        let request = request.config().timeout_global(None);
        let request = request.timeout_recv_response(Some(PATIENCE));
        let request = request.timeout_per_read(Some(Events::SILENCE)).build();
        Ok(Events::new(understood(request.call())?))
    }

    /// Asks for something.
    ///
    /// # Errors
    /// If the server does not answer, or not with that.
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        read(understood(self.named(self.agent.get(self.address(path))).call())?)
    }

    /// Sends something.
    ///
    /// # Errors
    /// If the server does not take it.
    pub fn post<T: DeserializeOwned>(&self, path: &str, what: &impl Serialize) -> Result<T, Error> {
        let request = self.named(self.agent.post(self.address(path))).content_type(JSON);
        read(understood(request.send(written(what)?))?)
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    fn named<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        match self.credentials() {
            Some((name, value)) => request.header(name, value),
            None => request,
        }
    }
}

const JSON: &str = "application/json";

fn written(what: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(what).map_err(|error| Error::Strange(error.to_string()))
}

/// The answer, if it is a good one.
fn understood(answered: Result<Response<Body>, ureq::Error>) -> Result<Response<Body>, Error> {
    let response = answered.map_err(|error| Error::NoAnswer(error.to_string()))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let text = body(response)?;
    let refusal = serde_json::from_str(&text).unwrap_or_else(|_| Refusal {
        code: "http".to_owned(),
        message: format!("the server answers with status {status}"),
        retry_after: None,
    });
    let Refusal { code, message, retry_after } = refusal;
    Err(Error::Refused { status: status.as_u16(), code, message, retry_after })
}

fn body(mut response: Response<Body>) -> Result<String, Error> {
    let text = response.body_mut().with_config().limit(LONGEST).read_to_string();
    text.map_err(|error| Error::NoAnswer(error.to_string()))
}

fn read<T: DeserializeOwned>(response: Response<Body>) -> Result<T, Error> {
    let text = body(response)?;
    serde_json::from_str(&text).map_err(|error| Error::Strange(error.to_string()))
}
