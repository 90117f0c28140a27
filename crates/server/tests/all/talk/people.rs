//! People who use the API, each with a cookie of their own.

use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{self, Message};
use ureq::Agent;

use super::described::assert_described;

/// A person with a browser.
pub(crate) struct Person {
    pub(crate) address: SocketAddr,
    agent: Agent,
    pub(crate) cookie: String,
    pub(crate) id: String,
    /// What a proxy in front says of where they are; empty without a proxy.
    network: String,
}

impl Person {
    /// A person who has said nothing yet.
    pub(crate) fn stranger(address: SocketAddr) -> Person {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build()
            .into();
        Person { address, agent, cookie: String::new(), id: String::new(), network: String::new() }
    }

    /// A person with a name, behind a proxy that says where they are.
    pub(crate) fn from(network: &str, address: SocketAddr, name: &str) -> Person {
        let mut person = Person::stranger(address);
        person.network = network.to_owned();
        person.introduce(name);
        person
    }

    /// A person with a name.
    pub(crate) fn new(address: SocketAddr, name: &str) -> Person {
        let mut person = Person::stranger(address);
        person.introduce(name);
        person
    }

    fn introduce(&mut self, name: &str) {
        let (status, player) = self.post("/api/me", &json!({ "name": name }));
        assert_eq!(status, 200, "{player}");
        self.id = text(&player["id"]);
    }

    /// The same person at another node.
    pub(crate) fn at(&self, address: SocketAddr) -> Person {
        let mut other = Person::stranger(address);
        other.cookie.clone_from(&self.cookie);
        other.id.clone_from(&self.id);
        other.network.clone_from(&self.network);
        other
    }

    /// The owner of an account, on a device that knows nothing of them yet.
    pub(crate) fn sign_in(address: SocketAddr, name: &str, password: &str) -> (u16, Person) {
        let mut person = Person::stranger(address);
        let wish = json!({ "name": name, "password": password });
        let (status, player) = person.post("/api/account/login", &wish);
        person.id = player["id"].as_str().unwrap_or_default().to_owned();
        (status, person)
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        let request = self.agent.get(self.url(path)).header("cookie", &self.cookie);
        let request = request.header("x-forwarded-for", &self.network);
        described("get", path, read(request.call().expect("an answer")))
    }

    /// Nothing if there is nobody who answers.
    #[allow(dead_code, reason = "the tests of faults use it")]
    pub(crate) fn try_get(&self, path: &str) -> Option<u16> {
        let answer = self.agent.get(self.url(path)).call().ok()?;
        Some(answer.status().as_u16())
    }

    pub(crate) fn get_text(&self, path: &str) -> String {
        let request = self.agent.get(self.url(path)).header("cookie", &self.cookie);
        request.call().expect("an answer").body_mut().read_to_string().expect("a text")
    }

    /// Posts, and keeps the cookie that comes back.
    pub(crate) fn post(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.agent.post(self.url(path)).header("cookie", &self.cookie);
        let request = request.header("x-forwarded-for", &self.network);
        let answer = request.send_json(body).expect("an answer");
        self.keep_cookie(&answer);
        described("post", path, read(answer))
    }

    pub(crate) fn delete(&self, path: &str) -> (u16, Value) {
        self.delete_with(path, &json!({}))
    }

    pub(crate) fn delete_with(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.agent.delete(self.url(path)).header("cookie", &self.cookie);
        let request = request.header("content-type", "application/json");
        let answer = request.force_send_body().send(body.to_string()).expect("an answer");
        described("delete", path, read(answer))
    }

    /// The same, and keeps the cookie that comes back.
    pub(crate) fn delete_keeping(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.agent.delete(self.url(path)).header("cookie", &self.cookie);
        let request = request.header("content-type", "application/json");
        let answer = request.force_send_body().send(body.to_string()).expect("an answer");
        self.keep_cookie(&answer);
        described("delete", path, read(answer))
    }

    fn keep_cookie(&mut self, answer: &ureq::http::Response<ureq::Body>) {
        if let Some(cookie) = answer.headers().get("set-cookie") {
            let cookie = cookie.to_str().expect("a cookie");
            self.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        }
    }

    /// Does something in a game.
    pub(crate) fn act(&mut self, game: &str, action: Value) -> (u16, Value) {
        self.post(&format!("/api/games/{game}/actions"), &action)
    }

    pub(crate) fn play(&mut self, game: &str, ply: usize, mv: &str) -> (u16, Value) {
        self.act(game, json!({ "kind": "move", "ply": ply, "move": mv }))
    }

    /// Where a game stands.
    pub(crate) fn look(&self, game: &str) -> Value {
        let (status, view) = self.get(&format!("/api/games/{game}"));
        assert_eq!(status, 200, "{view}");
        view
    }

    pub(crate) fn socket(&self) -> Socket {
        Socket::open(self.address, &self.cookie, None).expect("a socket")
    }
}

/// A game of `first` against `second`.
pub(crate) fn begin(game: &str, control: Value, first: &mut Person, second: &mut Person) -> String {
    let wish = json!({ "game": game, "side": "first", "control": control });
    let (status, challenge) = first.post("/api/challenges", &wish);
    assert_eq!(status, 201, "{challenge}");
    let path = format!("/api/challenges/{}/accept", text(&challenge["id"]));
    let (status, view) = second.post(&path, &json!({}));
    assert_eq!(status, 200, "{view}");
    text(&view["id"])
}

/// All the time in the world.
pub(crate) fn unlimited() -> Value {
    json!({ "kind": "unlimited" })
}

/// A clock, in seconds.
pub(crate) fn clock(initial: u32, increment: u32) -> Value {
    json!({ "kind": "clock", "initial": initial, "increment": increment })
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// An answer whose status the API's description names.
fn described(verb: &str, path: &str, (status, answer): (u16, Value)) -> (u16, Value) {
    assert_described(verb, path, status, &answer);
    (status, answer)
}

fn read(mut answer: ureq::http::Response<ureq::Body>) -> (u16, Value) {
    let status = answer.status().as_u16();
    let text = answer.body_mut().read_to_string().expect("a text");
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

/// A WebSocket.
pub(crate) struct Socket {
    socket: tungstenite::WebSocket<MaybeTlsStream<TcpStream>>,
    next: u64,
    farewell: Option<(u16, String)>,
}

impl Socket {
    pub(crate) fn open(
        address: SocketAddr,
        cookie: &str,
        origin: Option<&str>,
    ) -> Result<Socket, Box<tungstenite::Error>> {
        let mut request = format!("ws://{address}/api/socket").into_client_request()?;
        request.headers_mut().insert("cookie", cookie.parse().expect("a cookie"));
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().expect("an origin"));
        }
        let (socket, _) = tungstenite::connect(request)?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        }
        Ok(Socket { socket, next: 1, farewell: None })
    }

    /// Sends a request with a number of its own, which is returned.
    pub(crate) fn send(&mut self, mut request: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        request["id"] = json!(id);
        self.send_text(&request.to_string());
        id
    }

    pub(crate) fn send_text(&mut self, text: &str) {
        self.send_frame(Message::text(text));
    }

    pub(crate) fn send_frame(&mut self, frame: Message) {
        self.socket.send(frame).expect("a socket that takes it");
    }

    /// Sends a frame to a server that may have closed the socket.
    pub(crate) fn try_send_frame(&mut self, frame: Message) -> Result<(), Box<tungstenite::Error>> {
        self.socket.send(frame).map_err(Box::new)
    }

    /// The next message, or nothing if the server has closed the socket.
    pub(crate) fn receive(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    return Some(serde_json::from_str(&text).expect("a message"));
                }
                Ok(Message::Close(frame)) => {
                    self.farewell =
                        frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
                    return None;
                }
                Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// With what code and reason the server has closed the socket.
    pub(crate) fn farewell(&self) -> Option<(u16, String)> {
        self.farewell.clone()
    }

    /// The next message of a kind; others are passed over.
    pub(crate) fn expect(&mut self, kind: &str) -> Value {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(10) {
            match self.receive() {
                Some(message) if message["t"] == kind => return message,
                Some(_) => {}
                None => panic!("the socket was closed before {kind}"),
            }
        }
        panic!("no {kind} came");
    }

    /// The game as it is sent to a person who begins to watch it.
    pub(crate) fn watch(&mut self, game: &str) -> Value {
        self.send(json!({ "t": "watch", "game": game }));
        self.expect("game")["game"].clone()
    }
}
