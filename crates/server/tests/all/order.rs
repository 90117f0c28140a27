//! The order of messages: `hello` first, then the whole game, then each update once.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::talk::people::{Person, Socket, begin, text, unlimited};
use crate::talk::{self, Server};

/// The first messages of a game's event stream.
fn stream(address: SocketAddr, game: &str, count: usize) -> Vec<Value> {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    write!(stream, "GET /api/games/{game}/events HTTP/1.1\r\nHost: x\r\n\r\n").expect("sent");
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let data = lines.filter_map(|line| line.strip_prefix("data: ").map(str::to_owned));
    data.take(count).map(|text| serde_json::from_str(&text).expect("a message")).collect()
}

/// The version that a message about a game tells.
fn version(message: &Value) -> Option<i64> {
    match message["t"].as_str() {
        Some("game") => message["game"]["version"].as_i64(),
        Some("update") => message["situation"]["version"].as_i64(),
        _ => None,
    }
}

fn check(messages: &[Value]) {
    let kinds: Vec<&str> = messages.iter().filter_map(|message| message["t"].as_str()).collect();
    let about: Vec<&str> =
        kinds.iter().copied().filter(|kind| ["game", "update"].contains(kind)).collect();
    assert_eq!(kinds.first(), Some(&"hello"), "{kinds:?}");
    assert_eq!(about.first(), Some(&"game"), "{kinds:?}");
    let versions: Vec<i64> = messages.iter().filter_map(version).collect();
    assert!(versions.windows(2).all(|two| two[1] == two[0] + 1), "{versions:?}");
}

/// Plays moves until it is told to stop, in one game after another.
fn play_without_end(game: &str, mut two: [Person; 2], stop: &AtomicBool) {
    let kind: stoa_rules::Game = text(&two[0].look(game)["game"]).parse().expect("a game");
    let mut position = kind.start();
    let mut ply = 0;
    while position.outcome().is_none() && !stop.load(Ordering::Relaxed) {
        let mv = position.legal_moves().swap_remove(0);
        let mover = &mut two[position.side_to_move().index()];
        assert_eq!(mover.play(game, ply, &mv).0, 200);
        position.play(&mv).expect("a legal move");
        ply += 1;
    }
}

#[test]
fn the_whole_game_comes_before_every_update() {
    let server = Server::start(talk::site());
    let address = server.address;
    let mut checked = 0;
    while checked < 150 {
        let mut ann = Person::new(address, "Ann");
        let mut bob = Person::new(address, "Bob");
        let game = begin("palisade:9", unlimited(), &mut ann, &mut bob);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let playing = scope.spawn(|| play_without_end(&game, [ann, bob], &stop));
            while !playing.is_finished() && checked < 150 {
                check(&stream(address, &game, 2));
                let mut socket = Socket::open(address, "", None).expect("a socket");
                socket.send(json!({ "t": "watch", "game": game }));
                let mut messages = Vec::new();
                while messages.last().and_then(version).is_none() {
                    messages.push(socket.receive().expect("a message"));
                }
                check(&messages);
                checked += 2;
            }
            stop.store(true, Ordering::Relaxed);
        });
    }
}

#[test]
fn a_socket_can_watch_all_its_games_again() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let games: Vec<String> =
        (0..50).map(|_| begin("impasse", unlimited(), &mut ann, &mut bob)).collect();
    let mut socket = ann.socket();
    for _ in 0..2 {
        for game in &games {
            assert_eq!(socket.watch(game)["id"], json!(game));
        }
    }
    assert!(socket.farewell().is_none());
}
