//! Messages to browsers that are closed, with a push service on this machine that reads them as a browser
//! would.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::{PublicKey, SecretKey};
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use serde_json::{Value, json};
use stoa_server::PushPolicy;

use crate::talk::people::{Person, begin, clock, text, unlimited};
use crate::talk::{self, Server};

/// A browser that is closed, and the push service it belongs to.
struct Browser {
    address: SocketAddr,
    secret: SecretKey,
    auth: [u8; 16],
    requests: Receiver<(String, Vec<u8>)>,
}

/// How many bytes are to be derived.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

impl Browser {
    /// The service answers with these statuses in turn, then with 201.
    fn new<const N: usize>(statuses: [u16; N]) -> Browser {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let mut statuses = statuses.into_iter();
        let (send, requests) = mpsc::channel();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let request = read(&mut stream);
                let status = statuses.next().unwrap_or(201);
                let answer = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n");
                stream.write_all(answer.as_bytes()).expect("a server that reads");
                if send.send(request).is_err() {
                    return;
                }
            }
        });
        let secret = SecretKey::from_slice(&[7; 32]).expect("a key");
        Browser { address, secret, auth: [9; 16], requests }
    }

    fn subscription(&self) -> Value {
        let key = self.secret.public_key().to_sec1_bytes();
        json!({
            "endpoint": format!("http://{}/send/abc?x=1", self.address),
            "expirationTime": null,
            "keys": {
                "p256dh": URL_SAFE_NO_PAD.encode(key),
                "auth": URL_SAFE_NO_PAD.encode(self.auth),
            },
            "language": "en",
        })
    }

    /// The next message, read, and the head of the request it came with.
    fn next(&self) -> Option<(String, Value)> {
        match self.requests.recv_timeout(Duration::from_secs(10)) {
            Ok((head, body)) => Some((head, self.decrypt(body))),
            Err(RecvTimeoutError::Timeout) => None,
            Err(error) => panic!("{error}"),
        }
    }

    fn hears_nothing(&self) -> bool {
        self.requests.recv_timeout(Duration::from_millis(700)).is_err()
    }

    /// As RFC 8291 and RFC 8188 have it, from the other end.
    fn decrypt(&self, body: Vec<u8>) -> Value {
        let (head, sealed) = body.split_at(86);
        let (salt, rest) = head.split_at(16);
        assert_eq!(rest[..5], [0, 0, 16, 0, 65], "records of 4096 bytes, a key of 65");
        let servers = &rest[5..];
        let server = PublicKey::from_sec1_bytes(servers).expect("a key");
        let derive = |salt: &[u8], from: &[u8], info: &[&[u8]], length| {
            let mut key = vec![0; length];
            let seed = Salt::new(HKDF_SHA256, salt).extract(from);
            seed.expand(info, Length(length))
                .and_then(|key_of| key_of.fill(&mut key))
                .expect("a key");
            key
        };
        let shared = self.secret.diffie_hellman(&server);
        let own = self.secret.public_key().to_sec1_bytes();
        let info: [&[u8]; 3] = [b"WebPush: info\0", &own, servers];
        let secret = derive(&self.auth, shared.raw_secret_bytes(), &info, 32);
        let key = derive(salt, &secret, &[b"Content-Encoding: aes128gcm\0"], 16);
        let nonce = derive(salt, &secret, &[b"Content-Encoding: nonce\0"], 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).expect("a key"));
        let nonce = Nonce::try_assume_unique_for_key(&nonce).expect("a nonce");
        let mut sealed = sealed.to_vec();
        let plain = key.open_in_place(nonce, Aad::empty(), &mut sealed).expect("a message to us");
        let (end, message) = plain.split_last().expect("a mark of the end");
        assert_eq!(*end, 2);
        serde_json::from_slice(message).expect("JSON")
    }
}

/// A request with its body.
fn read(stream: &mut impl Read) -> (String, Vec<u8>) {
    let mut all = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let length = stream.read(&mut buffer).expect("a request");
        all.extend(&buffer[..length]);
        let Some(end) = all.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&all[..end]).to_lowercase();
        let body = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let body: usize = body.and_then(|length| length.parse().ok()).expect("a length");
        if all.len() >= end + 4 + body {
            return (head, all[end + 4..].to_vec());
        }
    }
}

fn server() -> Server {
    Server::set(talk::site(), |settings| settings.push = PushPolicy::AnyAddress)
}

#[test]
fn offline_players_are_notified_of_their_turn() {
    let server = server();
    let (mut ann, mut bob) =
        (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    let browser = Browser::new([]);
    assert_eq!(ann.post("/api/push", &browser.subscription()).0, 204);
    let game = begin("colonnade", unlimited(), &mut ann, &mut bob);
    let (head, told) = browser.next().expect("a message");
    assert_eq!(
        told,
        json!({ "title": "Your move", "body": "Colonnade against Bob",
            "address": format!("#/game/{game}") })
    );
    assert!(head.starts_with("post /send/abc?x=1 http/1.1"), "{head}");
    for part in [
        "authorization: vapid t=ey",
        "content-encoding: aes128gcm",
        "ttl: 86400",
        &format!("topic: {game}"),
        &format!("host: {}", browser.address),
    ] {
        assert!(head.contains(part), "{part} is missing in {head}");
    }
    let key = text(&bob.get("/api/push").1["key"]).to_lowercase();
    assert!(head.contains(&format!(", k={key}")), "{head}");

    // Whoever sees it on a socket needs no message; and it is not Ann's turn.
    let (_, view) = ann.get(&format!("/api/games/{game}"));
    let first = first_move(&view);
    let socket = ann.socket();
    assert_eq!(ann.play(&game, 0, &first).0, 200);
    let second = first_move(&ann.look(&game));
    assert_eq!(bob.play(&game, 1, &second).0, 200);
    assert!(browser.hears_nothing());
    drop(socket);
    // Games with clocks are played by those who are there.
    begin("colonnade", clock(60, 0), &mut ann, &mut bob);
    assert!(browser.hears_nothing());
    // A browser that unsubscribes gets no more messages.
    let endpoint = json!({ "endpoint": browser.subscription()["endpoint"] });
    assert_eq!(ann.delete_with("/api/push", &endpoint).0, 204);
    begin("colonnade", unlimited(), &mut ann, &mut bob);
    assert!(browser.hears_nothing());
}

fn first_move(view: &Value) -> String {
    let game: stoa_rules::Game = text(&view["game"]).parse().expect("a game");
    let position = game.position(&text(&view["position"])).expect("a position");
    position.legal_moves().into_iter().next().expect("a move")
}

#[test]
fn offline_players_are_notified_of_challenges_in_their_language() {
    let server = server();
    let (mut ann, mut bob) =
        (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    let browser = Browser::new([]);
    let mut subscription = browser.subscription();
    subscription["language"] = json!("es-MX");
    assert_eq!(ann.post("/api/push", &subscription).0, 204);
    let wish = json!({ "game": "impasse", "control": clock(60, 0), "opponent": ann.id });
    let (_, challenge) = bob.post("/api/challenges", &wish);
    let (_, told) = browser.next().expect("a message");
    assert_eq!(told["body"], "Bob te reta a una partida de Impasse");
    assert_eq!(told["address"], format!("#/challenge/{}", text(&challenge["id"])));
    // That it is taken back is no reason to wake anyone.
    assert_eq!(bob.delete(&format!("/api/challenges/{}", text(&challenge["id"]))).0, 200);
    assert!(browser.hears_nothing());
}

#[test]
fn dead_browsers_are_given_up_and_busy_services_asked_again() {
    let server = server();
    let (mut ann, mut bob) =
        (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    let (dead, busy) = (Browser::new([410]), Browser::new([503]));
    for browser in [&dead, &busy] {
        assert_eq!(ann.post("/api/push", &browser.subscription()).0, 204);
    }
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    assert!(dead.next().is_some());
    let address = json!(format!("#/game/{game}"));
    let heard =
        [busy.next(), busy.next()].map(|told| told.map(|(_, told)| told["address"].clone()));
    assert_eq!(heard, [Some(address.clone()), Some(address)], "once more after two seconds");
    begin("impasse", unlimited(), &mut ann, &mut bob);
    assert!(busy.next().is_some());
    assert!(dead.hears_nothing());
}

/// A push service that accepts connections and never answers, at another name than that of browsers that are served.
fn silent_service() -> SocketAddr {
    let address = ("localhost", 0).to_socket_addrs().expect("a name").next().expect("an address");
    let listener = TcpListener::bind(address).expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let _connections: Vec<_> = listener.incoming().collect();
    });
    address
}

#[test]
fn nobody_waits_for_the_push_service_of_somebody_else() {
    let server = server();
    let new = |name: &str| Person::new(server.address, name);
    let (mut ann, mut bob) = (new("Ann"), new("Bob"));
    let browser = Browser::new([]);
    assert_eq!(ann.post("/api/push", &browser.subscription()).0, 204);
    let port = silent_service().port();
    // Each of these would take longer than this test waits.
    for pair in 0..5 {
        let (mut greedy, mut friend) = (new("Greedy"), new("Friend"));
        for number in 0..10 {
            let mut subscription = browser.subscription();
            subscription["endpoint"] = json!(format!("http://localhost:{port}/{pair}/{number}"));
            assert_eq!(greedy.post("/api/push", &subscription).0, 204);
        }
        for _ in 0..8 {
            begin("impasse", unlimited(), &mut greedy, &mut friend);
        }
    }
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let (_, told) = browser.next().expect("a message");
    assert_eq!(told["address"], json!(format!("#/game/{game}")));
}

#[test]
fn nothing_is_sent_to_addresses_inside() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let browser = Browser::new([]);
    let mut ask = |endpoint: &str| {
        let mut subscription = browser.subscription();
        subscription["endpoint"] = json!(endpoint);
        let (status, answer) = ann.post("/api/push", &subscription);
        (status, answer["code"].as_str().unwrap_or_default().to_owned())
    };
    let bad = (400, "bad_endpoint".to_owned());
    for endpoint in [
        &format!("http://{}/send", browser.address),
        &format!("https://{}/send", browser.address),
        "https://[::1]/send",
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/",
        "file:///etc/passwd",
        "rubbish",
    ] {
        assert_eq!(ask(endpoint), bad, "{endpoint}");
    }
    assert_eq!(ask("https://push.example/send").0, 204);
    let (status, answer) = ann.post(
        "/api/push",
        &json!({ "endpoint": "https://push.example/", "keys": { "p256dh": "x", "auth": "y" } }),
    );
    assert_eq!((status, &answer["code"]), (400, &json!("bad_keys")));
    assert!(browser.hears_nothing());
}

#[test]
fn a_server_may_send_nothing_at_all() {
    let server = Server::set(talk::site(), |settings| settings.push = PushPolicy::Disabled);
    let mut ann = Person::new(server.address, "Ann");
    assert_eq!(ann.get("/api/push").0, 404);
    assert_eq!(ann.post("/api/push", &Browser::new([]).subscription()).0, 400);
}
