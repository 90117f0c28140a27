//! Requests.

use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use stoa_wire::{
    Action, ApiError, BotList, Challenge, ChallengeList, ErrorCode, GameList, GameSummary,
    GameView, Identity, NETWORK_HEADER, NewChallenge, Password, Player, PlayerName, SignIn,
    Situation,
};
use ureq::http::{Response, header};
use ureq::{Agent, Body, RequestBuilder};

use crate::events::Events;

/// How long a response may take.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);
/// The longest body of a response, in bytes.
const MAX_BODY: u64 = 4 * 1024 * 1024;

/// A client of a server, as one player or anonymously.
#[derive(Debug, Clone)]
pub struct Client {
    agent: Agent,
    url: String,
    credential: Credential,
    forwarded_for: Option<String>,
}

#[derive(Debug, Clone)]
enum Credential {
    Anonymous,
    Cookie(String),
    Token(String),
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server refused the request.
    #[error("{message}{}", in_parentheses(*code))]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The code; nothing if the response has none that this client knows.
        code: Option<ErrorCode>,
        /// A sentence.
        message: String,
        /// The number of seconds after which to retry.
        retry_after: Option<u64>,
    },
    /// The connection failed. Whether the server has carried out the request is not known.
    #[error("no response from the server: {0}")]
    NoResponse(String),
    /// The response is not what the API's description says.
    #[error("the server's response cannot be parsed: {0}")]
    BadResponse(String),
}

impl Error {
    /// The code, if the server refused the request.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Error::Refused { code, .. } => *code,
            _ => None,
        }
    }

    /// Whether it makes sense to retry the same request after a while.
    pub fn is_transient(&self) -> bool {
        match self {
            Error::NoResponse(_) => true,
            Error::Refused { status, .. } => matches!(status, 429 | 500..),
            Error::BadResponse(_) => false,
        }
    }

    /// How long the server wants clients to wait before they retry.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Error::Refused { retry_after, .. } => retry_after.map(Duration::from_secs),
            _ => None,
        }
    }
}

fn in_parentheses(code: Option<ErrorCode>) -> String {
    code.map_or(String::new(), |code| format!(" ({code})"))
}

/// The empty body `{}`.
#[derive(Serialize)]
struct Empty {}

impl Client {
    /// An anonymous client, which can only read.
    pub fn anonymous(url: &str) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(RESPONSE_TIMEOUT))
            .user_agent(concat!("stoa/", env!("CARGO_PKG_VERSION")));
        Client {
            agent: config.build().into(),
            url: url.trim_end_matches('/').to_owned(),
            credential: Credential::Anonymous,
            forwarded_for: None,
        }
    }

    /// The same client with an address that a proxy in front of the server would say it has. Only a server
    /// that is told to be behind a proxy believes it; load tests play many people with it.
    pub fn forwarded_for(self, address: &str) -> Client {
        Client { forwarded_for: Some(address.to_owned()), ..self }
    }

    /// A new guest with this name.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn guest(url: &str, name: &str) -> Result<Client, Error> {
        Client::anonymous(url).become_guest(name)
    }

    /// A new guest who shares this client's connections.
    ///
    /// # Errors
    /// If the server refuses.
    pub fn become_guest(&self, name: &str) -> Result<Client, Error> {
        let mut client = Client { credential: Credential::Anonymous, ..self.clone() };
        let request = client.agent.post(client.address("/api/me")).content_type(JSON);
        let request = client.authenticated(request);
        let response = checked(request.send(to_json(&PlayerName { name: name.to_owned() })?))?;
        client.credential = cookie_in(&response)?;
        Ok(client)
    }

    /// Makes an account of this guest. The guest's cookie is worth nothing from then on: only the client that this
    /// returns is the player.
    ///
    /// # Errors
    /// If the server refuses, for example because somebody else has an account with this name.
    pub fn register(&self, name: &str, password: &str) -> Result<Client, Error> {
        let account = SignIn { name: name.to_owned(), password: Password(password.to_owned()) };
        let request = self.agent.post(self.address("/api/account/register")).content_type(JSON);
        let response = checked(self.authenticated(request).send(to_json(&account)?))?;
        Ok(Client { credential: cookie_in(&response)?, ..self.clone() })
    }

    /// The owner of a token.
    pub fn with_token(url: &str, token: &str) -> Client {
        let credential = Credential::Token(token.trim().to_owned());
        Client { credential, ..Client::anonymous(url) }
    }

    /// The same player at another node.
    pub fn at(&self, url: &str) -> Client {
        Client { url: url.trim_end_matches('/').to_owned(), ..self.clone() }
    }

    /// The URL of the server.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The header that authenticates this client: its name and its value.
    pub fn credentials(&self) -> Option<(&'static str, String)> {
        match &self.credential {
            Credential::Anonymous => None,
            Credential::Cookie(cookie) => Some(("cookie", cookie.clone())),
            Credential::Token(token) => Some(("authorization", format!("Bearer {token}"))),
        }
    }

    /// The headers of every request of this client.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let forwarded = self.forwarded_for.clone().map(|address| ("x-forwarded-for", address));
        self.credentials().into_iter().chain(forwarded).collect()
    }

    /// The player that this client is.
    ///
    /// # Errors
    /// If the server does not answer or does not know the token.
    pub fn me(&self) -> Result<Option<Player>, Error> {
        Ok(self.get::<Identity>("/api/me")?.player)
    }

    /// Creates a challenge.
    ///
    /// # Errors
    /// If the server refuses it.
    pub fn challenge(&self, new: &NewChallenge) -> Result<Challenge, Error> {
        self.post("/api/challenges", new)
    }

    /// A challenge by its id.
    ///
    /// # Errors
    /// If there is no such challenge.
    pub fn challenge_of(&self, id: &str) -> Result<Challenge, Error> {
        self.get(&format!("/api/challenges/{id}"))
    }

    /// The open challenges that this player created or was sent.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn challenges(&self) -> Result<Vec<Challenge>, Error> {
        Ok(self.get::<ChallengeList>("/api/me/challenges")?.challenges)
    }

    /// Accepts a challenge.
    ///
    /// # Errors
    /// If another player was first ([`ErrorCode::Gone`]), or it is not for this player.
    pub fn accept(&self, challenge: &str) -> Result<GameView, Error> {
        self.post(&format!("/api/challenges/{challenge}/accept"), &Empty {})
    }

    /// Declines a challenge that was sent to this player.
    ///
    /// # Errors
    /// If it is no longer open.
    pub fn decline(&self, challenge: &str) -> Result<Challenge, Error> {
        self.post(&format!("/api/challenges/{challenge}/decline"), &Empty {})
    }

    /// The games that this player is playing.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn games(&self) -> Result<Vec<GameSummary>, Error> {
        let mut games = Vec::new();
        let mut path = "/api/me/games?state=playing&limit=100".to_owned();
        loop {
            let page: GameList = self.get(&path)?;
            games.extend(page.games);
            match page.next {
                Some(next) => path = format!("/api/me/games?state=playing&limit=100&cursor={next}"),
                None => return Ok(games),
            }
        }
    }

    /// A game by its id.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn game(&self, id: &str) -> Result<GameView, Error> {
        self.get(&format!("/api/games/{id}"))
    }

    /// A game by its id and, for the server's own engine, a name for the network of its opponent.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn game_and_network(&self, id: &str) -> Result<(GameView, Option<String>), Error> {
        let path = format!("/api/games/{id}");
        let response = checked(self.authenticated(self.agent.get(self.address(&path))).call())?;
        let network = response.headers().get(NETWORK_HEADER);
        let network = network.and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok((read(response)?, network))
    }

    /// A game as a record.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn record(&self, game: &str) -> Result<String, Error> {
        self.text(&format!("/api/games/{game}/record"))
    }

    /// Sends a GET request for text.
    ///
    /// # Errors
    /// If the server does not answer, or refuses.
    pub fn text(&self, path: &str) -> Result<String, Error> {
        body(checked(self.authenticated(self.agent.get(self.address(path))).call())?)
    }

    /// Sends a GET request for bytes, such as a picture.
    ///
    /// # Errors
    /// If the server does not answer, or refuses.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, Error> {
        let mut response = checked(self.authenticated(self.agent.get(self.address(path))).call())?;
        let bytes = response.body_mut().with_config().limit(MAX_BODY).read_to_vec();
        bytes.map_err(|error| Error::NoResponse(error.to_string()))
    }

    /// Acts in a game. When this returns, the action has been committed to the database.
    ///
    /// # Errors
    /// If the server refuses the action, or it is not known whether the server has carried it out.
    pub fn act(&self, game: &str, action: &Action) -> Result<Situation, Error> {
        self.post(&format!("/api/games/{game}/actions"), action)
    }

    /// Becomes a bot: a program that others can challenge.
    ///
    /// # Errors
    /// If this player is playing a game.
    pub fn become_bot(&self) -> Result<Player, Error> {
        self.post("/api/me/bot", &Empty {})
    }

    /// The bots that can be challenged now.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn bots(&self) -> Result<Vec<Player>, Error> {
        Ok(self.get::<BotList>("/api/bots")?.bots)
    }

    /// The event stream of this player's challenges and games.
    ///
    /// # Errors
    /// If the server does not answer.
    pub fn events(&self) -> Result<Events, Error> {
        self.stream("/api/me/events")
    }

    /// The event stream of a game: first the whole game, then each update.
    ///
    /// # Errors
    /// If the server does not answer, or there is no such game.
    pub fn game_events(&self, game: &str) -> Result<Events, Error> {
        self.stream(&format!("/api/games/{game}/events"))
    }

    fn stream(&self, path: &str) -> Result<Events, Error> {
        let request = self.authenticated(self.agent.get(self.address(path)));
        let request = request.config().timeout_global(None);
        let request = request.timeout_recv_response(Some(RESPONSE_TIMEOUT));
        let request = request.timeout_per_read(Some(Events::READ_TIMEOUT)).build();
        Ok(Events::new(checked(request.call())?))
    }

    /// Sends a GET request.
    ///
    /// # Errors
    /// If the server does not answer, or its response has another type.
    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error> {
        read(checked(self.authenticated(self.agent.get(self.address(path))).call())?)
    }

    /// Sends a POST request.
    ///
    /// # Errors
    /// If the server refuses it, or its response has another type.
    pub fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, Error> {
        let request = self.authenticated(self.agent.post(self.address(path))).content_type(JSON);
        read(checked(request.send(to_json(body)?))?)
    }

    /// Sends a POST request whose response has no body.
    ///
    /// # Errors
    /// If the server does not answer, or refuses.
    pub fn send(&self, path: &str, body: &impl Serialize) -> Result<(), Error> {
        let request = self.authenticated(self.agent.post(self.address(path))).content_type(JSON);
        checked(request.send(to_json(body)?)).map(drop)
    }

    /// Sends a DELETE request.
    ///
    /// # Errors
    /// If the server does not answer, or refuses.
    pub fn delete(&self, path: &str) -> Result<(), Error> {
        checked(self.authenticated(self.agent.delete(self.address(path))).call()).map(drop)
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    fn authenticated<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        self.headers()
            .into_iter()
            .fold(request, |request, (name, value)| request.header(name, value))
    }
}

const JSON: &str = "application/json";

fn to_json(body: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(body).map_err(|error| Error::BadResponse(error.to_string()))
}

/// The cookie that a response sets: who the client is from then on.
fn cookie_in(response: &Response<Body>) -> Result<Credential, Error> {
    let set = response.headers().get_all(header::SET_COOKIE).iter();
    set.filter_map(|cookie| cookie.to_str().ok()?.split(';').next())
        .find(|cookie| cookie.starts_with("stoa="))
        .map(|cookie| Credential::Cookie(cookie.to_owned()))
        .ok_or_else(|| Error::BadResponse("there is no cookie in it".to_owned()))
}

/// The response, if it is a success.
fn checked(response: Result<Response<Body>, ureq::Error>) -> Result<Response<Body>, Error> {
    let response = response.map_err(|error| Error::NoResponse(error.to_string()))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let text = body(response)?;
    let status = status.as_u16();
    Err(match serde_json::from_str(&text) {
        Ok(ApiError { code, message, retry_after }) => {
            Error::Refused { status, code: Some(code), message, retry_after }
        }
        Err(_) => {
            let message = format!("the server answered with status {status}");
            Error::Refused { status, code: None, message, retry_after: None }
        }
    })
}

fn body(mut response: Response<Body>) -> Result<String, Error> {
    let text = response.body_mut().with_config().limit(MAX_BODY).read_to_string();
    text.map_err(|error| Error::NoResponse(error.to_string()))
}

fn read<T: DeserializeOwned>(response: Response<Body>) -> Result<T, Error> {
    let text = body(response)?;
    serde_json::from_str(&text).map_err(|error| Error::BadResponse(error.to_string()))
}
