//! Hostile input: other sites' pages, floods, huge and broken requests, clients that stall.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stoa_server::Time;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};

use crate::talk::people::{Person, Socket, begin, clock, unlimited};
use crate::talk::{self, JSON, Server, get, post};

const NAME: &str = r#"{"name":"Ann"}"#;

#[test]
fn other_sites_pages_cannot_use_our_cookies() {
    let server = Server::start(talk::site());
    let ann = Person::new(server.address, "Ann");
    let cookie = format!("{JSON}Cookie: {}\r\n", ann.cookie);
    let refused = |headers: &str| {
        let answer = server.ask(&post("/api/me", &format!("{cookie}{headers}"), NAME));
        match answer.status {
            200 => false,
            403 => {
                assert_eq!(answer.json()["code"], "wrong_origin");
                true
            }
            other => panic!("{other}"),
        }
    };
    assert!(!refused(""));
    assert!(!refused("Origin: http://x\r\n"));
    assert!(!refused("Origin: https://x\r\nSec-Fetch-Site: same-origin\r\n"));
    for origin in ["https://evil.example", "null", "http://x.evil.example", "http://x:8080"] {
        assert!(refused(&format!("Origin: {origin}\r\n")), "{origin}");
    }
    assert!(refused("Sec-Fetch-Site: cross-site\r\n"));
    // What only looks is not concerned; other sites cannot read the answer.
    let look = server.ask(&get("/api/me", "Origin: https://evil.example\r\n"));
    assert_eq!(look.status, 200);
    assert_eq!(look.header("access-control-allow-origin"), None);
    assert_eq!(look.header("cross-origin-resource-policy"), Some("same-origin"));
    assert_eq!(look.header("cache-control"), Some("no-store"));
}

#[test]
fn other_sites_pages_cannot_open_sockets() {
    let server = Server::start(talk::site());
    let ann = Person::new(server.address, "Ann");
    let own = format!("http://{}", server.address);
    assert!(Socket::open(server.address, &ann.cookie, Some(&own)).is_ok());
    assert!(Socket::open(server.address, &ann.cookie, None).is_ok());
    for origin in ["https://evil.example", "null"] {
        let refused = Socket::open(server.address, &ann.cookie, Some(origin)).err();
        let Some(SocketError::Http(answer)) = refused.as_deref() else { panic!("{refused:?}") };
        assert_eq!(answer.status(), 403, "{origin}");
    }
}

#[test]
fn behind_a_proxy_the_public_address_is_ours() {
    let server = Server::set(talk::site(), |settings| {
        settings.public_url = Some("https://stoa.example".to_owned());
    });
    let ask = |origin: &str| {
        let headers = format!("{JSON}Origin: {origin}\r\n");
        server.ask(&post("/api/me", &headers, NAME)).status
    };
    assert_eq!(ask("https://stoa.example"), 200);
    assert_eq!(ask("http://stoa.example"), 403);
    assert_eq!(ask("https://stoa.example.evil.example"), 403);
}

#[test]
fn forms_cannot_send_what_we_read() {
    let server = Server::start(talk::site());
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        for path in ["/api/me", "/api/account/logout", "/api/challenges/abc/accept"] {
            let answer = server.ask(&post(path, &format!("Content-Type: {kind}\r\n"), NAME));
            assert_eq!((answer.status, &answer.json()["code"]), (415, &json!("not_json")));
        }
    }
    assert_eq!(server.ask(&post("/api/me", "", NAME)).status, 415);
    let kind = "Content-Type: Application/JSON; charset=utf-8\r\n";
    assert_eq!(server.ask(&post("/api/me", kind, NAME)).status, 200);
    // A request without a body needs no content type.
    assert_eq!(server.ask(&post("/api/account/logout", "", "")).status, 204);
    assert_eq!(server.ask(&post("/api/challenges/abc/accept", "", "")).status, 401);
    assert_eq!(server.ask(&post("/api/me", "", "")).json()["code"], "not_json");
}

#[test]
fn every_error_has_the_same_form() {
    let server = Server::start(talk::site());
    for (request, status, code) in [
        (get("/api/nowhere", ""), 404, "not_found"),
        (get("/api/games/none/of/these", ""), 404, "not_found"),
        (get("/api/games/nothing", ""), 404, "not_found"),
        (get("/api/games/%ff", ""), 400, "bad_request"),
        (get("/api/games/%2e%2e%2f", ""), 404, "not_found"),
        (get(&format!("/api/games/{}", "x".repeat(8000)), ""), 404, "not_found"),
        (get("/api/me/games?limit=many", ""), 401, "no_player"),
        (get("/api/account/login", ""), 405, "wrong_method"),
        (get("/api/socket", ""), 426, "not_web_socket"),
        (post("/api/me", JSON, ""), 400, "bad_request"),
        (post("/api/me", JSON, "{"), 400, "bad_request"),
        (post("/api/me", JSON, r#"{"nom":"Ann"}"#), 400, "bad_request"),
        (post("/api/me", JSON, r#"{"name":"Ann","admin":true}"#), 400, "bad_request"),
        (post("/api/me", JSON, r#"{"name":{"a":[1]}}"#), 400, "bad_request"),
        (post("/api/me", JSON, "\u{feff}{}"), 400, "bad_request"),
        (post("/api/challenges", JSON, "{}"), 401, "no_player"),
        (post("/api/nowhere", JSON, "{}"), 404, "not_found"),
        (get("/api/me", "Authorization: Basic eDp5\r\n"), 401, "bad_token"),
        (get("/api/me", "Authorization: Bearer x\r\n"), 401, "bad_token"),
    ] {
        let line = request.lines().next().unwrap_or_default().chars().take(60).collect::<String>();
        let answer = server.ask(&request);
        let body = answer.json();
        assert_eq!((answer.status, &body["code"]), (status, &json!(code)), "{line}: {body}");
        assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()), "{line}");
        assert_eq!(answer.header("content-type"), Some("application/json"), "{line}");
    }
    let answer = server.ask(&post("/api/games", JSON, "{}"));
    assert_eq!((answer.status, answer.header("allow")), (405, Some("GET,HEAD")));
}

#[test]
fn floods_are_refused_with_retry_after() {
    let server = Server::set(talk::site(), |settings| settings.rate = Some(2));
    let statuses: Vec<u16> = (0..30).map(|_| server.ask(&get("/api/games", "")).status).collect();
    assert_eq!(statuses[..10], [200; 10]);
    assert!(statuses.iter().filter(|status| **status == 429).count() >= 10, "{statuses:?}");
    let answer = server.ask(&get("/api/games", ""));
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("1")));
    assert_eq!(answer.json()["code"], "too_many");
    // A client that claims to be another person is not believed.
    assert_eq!(server.ask(&get("/api/games", "X-Forwarded-For: 192.0.2.1\r\n")).status, 429);
    // Files, and whether the server is well, are not limited.
    assert_eq!(server.ask(&get("/icon.svg", "")).status, 200);
    assert_eq!(server.ask(&get("/healthz", "")).status, 200);
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(server.ask(&get("/api/games", "")).status, 200, "after a second");
}

#[test]
fn behind_a_proxy_clients_are_distinguished_by_the_forwarded_address() {
    let server = Server::set(talk::site(), |settings| {
        settings.rate = Some(1);
        settings.behind_proxy = true;
    });
    let ask = |address: &str| {
        let forwarded = format!("X-Forwarded-For: 198.51.100.7, {address}\r\n");
        server.ask(&get("/api/games", &forwarded)).status
    };
    assert!((0..10).any(|_| ask("192.0.2.1") == 429));
    assert_eq!(ask("192.0.2.2"), 200);
    // A household has many addresses of IPv6 and is one client.
    assert!((0..10).any(|last| ask(&format!("2001:db8::{last}")) == 429));
}

#[test]
fn a_player_is_limited_wherever_they_are() {
    let server = Server::set(talk::site(), |settings| {
        settings.rate = Some(1);
        settings.behind_proxy = true;
    });
    let new = post("/api/me", &format!("{JSON}X-Forwarded-For: 192.0.2.99\r\n"), NAME);
    let answer = server.ask(&new);
    let cookie = answer.header("set-cookie").and_then(|c| c.split(';').next()).expect("a cookie");
    let ask = |last: u32| {
        let headers = format!("Cookie: {cookie}\r\nX-Forwarded-For: 192.0.2.{last}\r\n");
        server.ask(&get("/api/me", &headers)).status
    };
    assert!((0..10).any(|last| ask(last) == 429), "each time from another address");
}

/// Nothing limits who asks for the metrics, so they are not rendered each time.
#[test]
fn metrics_are_rendered_once_a_second() {
    let server = Server::start(talk::site());
    let refuse = || {
        let answer =
            server.ask(&post("/api/me", &format!("{JSON}Origin: https://x.example\r\n"), NAME));
        assert_eq!(answer.status, 403);
    };
    let began = Instant::now();
    let first = server.ask(&get("/metrics", "")).body;
    refuse();
    let second = server.ask(&get("/metrics", "")).body;
    if began.elapsed() < Duration::from_secs(1) {
        assert!(first == second, "rendered again");
    }
    std::thread::sleep(Duration::from_millis(1100));
    assert!(server.ask(&get("/metrics", "")).body != first, "rendered anew after a second");
}

#[test]
fn creating_players_is_limited() {
    let server = Server::set(talk::site(), |settings| settings.rate = Some(4));
    let mut made = 0;
    let refused = loop {
        let answer = server.ask(&post("/api/me", JSON, NAME));
        match answer.status {
            200 => made += 1,
            429 => break answer,
            other => panic!("{other}"),
        }
        assert!(made < 100);
    };
    assert!((8..=10).contains(&made), "{made}");
    let wait = refused.header("retry-after").and_then(|wait| wait.parse::<u64>().ok());
    assert!(wait.is_some_and(|wait| wait > 10), "{wait:?}");
}

#[test]
fn sockets_are_limited_by_address() {
    let server = Server::set(talk::site(), |settings| settings.rate = Some(1000));
    let mut sockets: Vec<Socket> =
        (0..200).map(|_| Socket::open(server.address, "", None).expect("a socket")).collect();
    let refused = Socket::open(server.address, "", None).err();
    let Some(SocketError::Http(answer)) = refused.as_deref() else { panic!("{refused:?}") };
    assert_eq!(answer.status(), 429);
    drop(sockets.pop());
    let begun = Instant::now();
    while Socket::open(server.address, "", None).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(10), "there should be room again");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn huge_and_deep_requests_are_refused() {
    let server = Server::start(talk::site());
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(20_000));
    let answer = server.ask(&post("/api/me", JSON, &long));
    assert_eq!((answer.status, &answer.json()["code"]), (413, &json!("too_large")));
    // Without saying how long it will be.
    let chunk = "x".repeat(4096);
    let mut chunked = format!(
        "POST /api/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{JSON}Transfer-Encoding: chunked\r\n\r\n"
    );
    (0..5).for_each(|_| chunked += &format!("1000\r\n{chunk}\r\n"));
    chunked += "0\r\n\r\n";
    assert_eq!(server.ask(&chunked).status, 413);
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let deep = format!("{}{}", open.repeat(2500), close.repeat(2500));
        let answer = server.ask(&post("/api/me", JSON, &deep));
        assert_eq!(answer.status, 400);
        let deep = format!(r#"{{"name":{}1{}}}"#, open.repeat(1000), close.repeat(1000));
        let answer = server.ask(&post("/api/me", JSON, &deep));
        assert_eq!(answer.status, 400);
    }
    let many: String = (0..200).map(|n| format!("X-{n}: x\r\n")).collect();
    assert_eq!(server.ask(&get("/api/games", &many)).status, 431);
    let mut twice = "POST /api/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n".to_owned();
    twice += "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    assert!([400, 415].contains(&server.ask(&twice).status), "no smuggling");
    assert_eq!(server.ask(&get("/api/games", "")).status, 200, "and it goes on");
}

/// How long the server keeps a connection that sends this and then nothing.
fn kept(server: &Server, beginning: &str) -> (Duration, Vec<u8>) {
    let mut stream = TcpStream::connect(server.address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    stream.write_all(beginning.as_bytes()).expect("a server that reads");
    let begun = Instant::now();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    (begun.elapsed(), answer)
}

#[test]
fn slow_requests_are_disconnected() {
    let client_timeout = Duration::from_millis(500);
    let server = Server::set(talk::site(), |settings| settings.client_timeout = client_timeout);
    let head = "POST /api/me HTTP/1.1\r\nHost: x\r\n";
    for beginning in
        ["", "GET / HT", head, &format!("{}\r\n", head), "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"]
    {
        let (time, _) = kept(&server, beginning);
        assert!(time < Duration::from_secs(8), "{beginning:?} was kept for {time:?}");
    }
    let (time, answer) = kept(&server, &format!("{head}{JSON}Content-Length: 100\r\n\r\n{{\"na"));
    assert!(time >= client_timeout && time < Duration::from_secs(8), "{time:?}");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("too_slow"), "{answer}");
    // A byte now and then does not help.
    let mut stream = TcpStream::connect(server.address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
    let begun = Instant::now();
    let mut buffer = [0; 256];
    while begun.elapsed() < Duration::from_secs(8) {
        let sent = stream.write_all(b"G");
        if sent.is_err() || stream.read(&mut buffer).is_ok() {
            break;
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

#[test]
fn clients_that_do_not_read_the_response_are_disconnected() {
    let client_timeout = Duration::from_millis(500);
    let large = axum::body::Bytes::from(vec![b'x'; 32 << 20]);
    let site = stoa_server::Assets::new([("large.bin".to_owned(), large)]);
    let server = Server::set(site, |settings| settings.client_timeout = client_timeout);
    let mut stream = TcpStream::connect(server.address).expect("a connection");
    stream.write_all(get("/large.bin", "").as_bytes()).expect("a server that reads");
    // More than the system keeps on its own, so the server has to wait for us, and does not for long.
    std::thread::sleep(Duration::from_secs(4));
    let mut taken = 0;
    let mut buffer = vec![0; 1 << 20];
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    while let Ok(length @ 1..) = stream.read(&mut buffer) {
        taken += length;
    }
    assert!(taken > 1 << 10 && taken < 32 << 20, "{taken} bytes came");
    // A client that reads everything receives everything.
    assert_eq!(server.ask(&get("/large.bin", "")).body.len(), 32 << 20);
}

#[test]
fn bad_frames_end_a_socket_and_nothing_else() {
    let server = Server::start(talk::site());
    let (mut ann, mut bob) =
        (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut watcher = bob.socket();
    watcher.watch(&game);
    let ended_by = |frame: Message| {
        let mut socket = ann.socket();
        socket.expect("hello");
        socket.send_frame(frame);
        while let Some(message) = socket.receive() {
            assert_ne!(message["t"], "done");
        }
    };
    ended_by(Message::binary(vec![1, 2, 3]));
    ended_by(Message::text("x".repeat(5000)));
    // What is text but no request is refused, and the socket goes on.
    let mut socket = ann.socket();
    let deep = format!("{}{}", "[".repeat(1900), "]".repeat(1900));
    for text in [
        "",
        "{",
        "[]",
        "null",
        "7",
        r#"{"t":"fly","id":1}"#,
        r#"{"t":"ping"}"#,
        &deep,
        r#"{"t":"ping","id":-1}"#,
        r#"{"t":"ping","id":1e99}"#,
        r#"{"t":"ping","id":1,"x":1}"#,
        r#"{"t":"watch","id":1,"game":"../../etc"}"#,
        r#"{"t":"watch","id":1,"game":""}"#,
        r#"{"t":"act","id":1,"game":"x","action":{"kind":"move","ply":-1,"move":""}}"#,
    ] {
        socket.send_text(text);
        let refused = socket.expect("refused");
        assert!(refused["message"].as_str().is_some_and(|text| !text.is_empty()), "{refused}");
    }
    let id = socket.send(json!({ "t": "ping" }));
    assert_eq!(socket.expect("pong")["id"], json!(id));
    // Bytes that are no text: written by hand, as no client would.
    let mut raw = raw_socket(&server);
    raw.write_all(&[0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]).expect("a server that reads");
    assert!(ends(&mut raw), "bad UTF-8");
    let mut raw = raw_socket(&server);
    raw.write_all(&[0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
        .expect("a server that reads");
    assert!(ends(&mut raw), "a frame of 2^63 bytes");
    let mut raw = raw_socket(&server);
    raw.write_all(&[0x81, 0x02, b'{', b'}']).expect("a server that reads");
    assert!(ends(&mut raw), "a frame without a mask");
    assert_eq!(watcher.watch(&game)["id"], json!(game), "others do not notice");
}

fn raw_socket(server: &Server) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    stream
        .write_all(
            b"GET /api/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        )
        .expect("a server that reads");
    stream
}

/// Whether the server ends a connection.
fn ends(stream: &mut TcpStream) -> bool {
    let mut answer = Vec::new();
    let ended = stream.read_to_end(&mut answer);
    ended.is_ok() || ended.is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset)
}

#[test]
fn a_socket_that_floods_is_closed() {
    let server = Server::start(talk::site());
    let mut socket = Socket::open(server.address, "", None).expect("a socket");
    for _ in 0..200 {
        socket.send(json!({ "t": "ping" }));
    }
    // All that was answered arrives, and why no more is.
    let answers = std::iter::from_fn(|| socket.receive()).filter(|m| m["t"] == "pong").count();
    assert!((40..200).contains(&answers), "{answers}");
    assert_eq!(socket.farewell(), Some((1008, "too many requests".to_owned())));
}

#[test]
fn slow_readers_are_disconnected_and_nobody_waits() {
    // Time stands still, so that no game ends by itself.
    let time = Time::Manual(Arc::new(AtomicI64::new(1_800_000_000_000)));
    let server = Server::set(talk::site(), |settings| settings.time = time);
    let (mut ann, mut bob) =
        (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    let games: Vec<String> =
        (0..5).map(|_| begin("columna", clock(5, 0), &mut ann, &mut bob)).collect();
    let (mut slow, mut quick) = (bob.socket(), Person::stranger(server.address).socket());
    for game in &games {
        slow.watch(game);
        quick.watch(game);
    }
    // Ann gives Bob more time, again and again; the server sends each change to everyone.
    let changes = 600;
    for game in &games {
        for change in 1..=changes {
            let (status, answer) = ann.act(game, json!({ "kind": "add_time" }));
            assert_eq!((status, &answer["version"]), (200, &json!(change)), "{answer}");
            let update = quick.expect("update");
            assert_eq!(update["situation"]["version"], change);
        }
    }
    let heard = std::iter::from_fn(|| slow.receive()).filter(|m| m["t"] == "update").count();
    assert!(heard < games.len() * changes, "{heard}");
    if let Some(farewell) = slow.farewell() {
        assert_eq!(farewell, (1013, "you read too slowly".to_owned()));
    }
    // The truth is there for whoever comes back.
    assert_eq!(bob.socket().watch(&games[4])["version"], changes);
}

#[test]
fn requests_are_finished_even_if_the_client_disconnects() {
    let server = Server::start(talk::site());
    let (mut ann, mut bob) =
        (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    let mut finished = 0;
    for round in 0..30 {
        let game = begin("impasse", unlimited(), &mut ann, &mut bob);
        let mut watcher = bob.socket();
        watcher.watch(&game);
        let headers = format!("{JSON}Cookie: {}\r\n", ann.cookie);
        let body = r#"{"kind":"abort"}"#;
        let request = post(&format!("/api/games/{game}/actions"), &headers, body);
        let mut stream = TcpStream::connect(server.address).expect("a connection");
        stream.write_all(request.as_bytes()).expect("a server that reads");
        // Gone before it begins, in the middle of it, or afterwards.
        std::thread::sleep(Duration::from_micros(200 * round));
        drop(stream);
        std::thread::sleep(Duration::from_millis(50));
        if bob.look(&game)["result"] != Value::Null {
            let update = watcher.expect("update");
            assert_eq!(update["event"]["kind"], "aborted", "{update}");
            finished += 1;
        }
    }
    assert!(finished > 0, "some of them had begun");
}
