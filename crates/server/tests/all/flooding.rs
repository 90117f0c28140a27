//! Clients that ask for more than their share.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::json;
use stoa_server::Time;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use crate::talk::people::{Person, begin, text, unlimited};
use crate::talk::{self, JSON, Server, post};

#[test]
fn pings_count_as_messages() {
    let server = Server::start(talk::site());
    let ann = Person::new(server.address, "Ann");
    let mut socket = ann.socket();
    socket.expect("hello");
    for _ in 0..1000 {
        if socket.try_send_frame(Message::Ping("x".into())).is_err() {
            break;
        }
    }
    while socket.receive().is_some() {}
    assert_eq!(socket.farewell().map(|(code, _)| code), Some(1008));
}

/// The library puts the frames of a message together; those of a message without end count all the same.
#[test]
fn frames_of_a_message_without_end_count() {
    let server = Server::start(talk::site());
    let mut socket = Person::new(server.address, "Ann").socket();
    socket.expect("hello");
    let part = |kind| Message::Frame(Frame::message("", OpCode::Data(kind), false));
    let mut sent = 0;
    let mut is_closed = socket.try_send_frame(part(Data::Text)).is_err();
    while !is_closed && sent < 2_000_000 {
        sent += 1;
        is_closed = socket.try_send_frame(part(Data::Continue)).is_err();
    }
    assert!(is_closed, "{sent} frames were taken");
}

/// A message may come in several frames, and one that is too large or no text is refused with a reason.
#[test]
fn unacceptable_frames_get_a_reason() {
    let server = Server::start(talk::site());
    let ann = Person::new(server.address, "Ann");
    let mut socket = ann.socket();
    socket.expect("hello");
    let parts = [(Data::Text, "{\"t\":\"ping\",", false), (Data::Continue, "\"id\":7}", true)];
    for (kind, text, is_last) in parts {
        let frame = Frame::message(text, OpCode::Data(kind), is_last);
        socket.try_send_frame(Message::Frame(frame)).expect("a part");
    }
    socket.expect("pong");
    let long = Message::Text("x".repeat(5000).into());
    let garbled = vec![0xff, 0xfe];
    let garbled = Message::Frame(Frame::message(garbled, OpCode::Data(Data::Text), true));
    let reserved = Frame::message("x", OpCode::Data(Data::Reserved(3)), true);
    for (message, code) in [(long, 1009), (garbled, 1007), (Message::Frame(reserved), 1002)] {
        let mut socket = ann.socket();
        socket.expect("hello");
        socket.try_send_frame(message).expect("a frame");
        while socket.receive().is_some() {}
        assert_eq!(socket.farewell().map(|(code, _)| code), Some(code));
    }
    let (status, answer) = ann.get("/api/socket");
    assert_eq!((status, &answer["code"]), (426, &json!("not_web_socket")));
}

/// Two people who agree on rematches make no more games than challenges would.
#[test]
fn rematches_count_as_challenges() {
    let server = Server::set(talk::site(), |settings| {
        settings.rate = Some(200);
        settings.behind_proxy = true;
    });
    let mut ann = Person::from("192.0.2.1", server.address, "Ann");
    let mut bob = Person::from("192.0.2.2", server.address, "Bob");
    let mut game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut rematches = 0;
    let refused = loop {
        assert_eq!(ann.act(&game, json!({ "kind": "resign" })).0, 200);
        let rematch = || json!({ "kind": "rematch" });
        let (status, answer) = ann.act(&game, rematch());
        if status != 200 {
            break (status, text(&answer["code"]));
        }
        let (status, answer) = bob.act(&game, rematch());
        if status != 200 {
            break (status, text(&answer["code"]));
        }
        game = text(&answer["next"]);
        rematches += 1;
        assert!(rematches < 100, "rematches without end");
    };
    assert_eq!(refused, (429, "too_many".to_owned()));
    assert!((15..30).contains(&rematches), "{rematches}");
}

#[test]
fn nobody_changes_their_name_all_the_time() {
    let server = Server::set(talk::site(), |settings| settings.rate = Some(200));
    let mut ann = Person::new(server.address, "Ann");
    let mut choose = || ann.post("/api/me", &json!({ "name": "Anna" }));
    let refused = (0..100).map(|_| choose()).find(|(status, _)| *status != 200);
    let (status, answer) = refused.expect("an end");
    assert_eq!((status, &answer["code"]), (429, &json!("too_many")));
    assert!(answer["retry_after"].is_u64());
    let mut bob = Person::new(server.address, "Bob");
    assert_eq!(bob.post("/api/me", &json!({ "name": "Rob" })).0, 200);
}

/// The engine is not there; challenges to it are counted all the same.
#[test]
fn games_against_the_engine_are_limited_by_person_and_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = talk::settings(&folder.path().join("stoa.db"));
    settings.rate = Some(1000);
    settings.behind_proxy = true;
    settings.max_engine_games = 20;
    let server = Server::with_engine(settings, talk::site(), 2);
    let wish = json!({ "game": "impasse", "control": unlimited(), "opponent": "stoa-1" });
    let made = |network: &str, name: &str| {
        let mut person = Person::from(network, server.address, name);
        for made in 0.. {
            let (status, answer) = person.post("/api/challenges", &wish);
            if status != 201 {
                assert_eq!((status, &answer["code"]), (503, &json!("engine_busy")), "{answer}");
                assert!(answer["retry_after"].is_u64());
                return made;
            }
        }
        unreachable!("there is an end")
    };
    assert_eq!(made("192.0.2.9", "Greedy"), 8);
    assert_eq!(made("192.0.2.9", "Greedier"), 8);
    assert_eq!(made("192.0.2.9", "Greediest"), 0, "the address has enough");
    assert_eq!(made("192.0.2.1", "Ann"), 4, "until the engine itself has enough");
}

/// A customer of IPv6 has many networks; together they may do twice as much as one.
#[test]
fn games_against_the_engine_are_limited_by_wider_networks_of_ipv6() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = talk::settings(&folder.path().join("stoa.db"));
    settings.rate = Some(1000);
    settings.behind_proxy = true;
    let server = Server::with_engine(settings, talk::site(), 2);
    let wish = json!({ "game": "impasse", "control": unlimited(), "opponent": "stoa-1" });
    let made = |network: String| {
        let mut person = Person::from(&network, server.address, "Greedy");
        (0..10).filter(|_| person.post("/api/challenges", &wish).0 == 201).count()
    };
    let household: Vec<usize> = (0..6).map(|n| made(format!("2001:db8:1:{n}::1"))).collect();
    assert_eq!(household, [8, 8, 8, 8, 0, 0]);
    assert_eq!(made("2001:db8:2:1::1".to_owned()), 8, "others are not affected");
}

/// People leave games without a time limit all the time, and guests lose their cookies.
#[test]
fn games_that_were_left_do_not_keep_others_from_the_engine() {
    const HOUR: i64 = 3600 * 1000;
    let now = Arc::new(AtomicI64::new(1_800_000_000_000));
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = talk::settings(&folder.path().join("stoa.db"));
    settings.time = Time::Manual(Arc::clone(&now));
    settings.max_heartbeat_gap = None;
    settings.rate = Some(1000);
    settings.behind_proxy = true;
    settings.max_engine_games = 51;
    let server = Server::with_engine(settings, talk::site(), 2);
    let wish = |level: &str| json!({ "game": "impasse", "control": unlimited(), "opponent": level, "side": "first" });
    let engine = format!("Authorization: Bearer {}\r\n{JSON}", server.engine[0]);
    let begins = |person: &mut Person| {
        let (status, challenge) = person.post("/api/challenges", &wish("stoa-1"));
        if status != 201 {
            assert_eq!((status, &challenge["code"]), (503, &json!("engine_busy")), "{challenge}");
            return None;
        }
        let path = format!("/api/challenges/{}/accept", text(&challenge["id"]));
        Some(text(&server.ask(&post(&path, &engine, "{}")).json()["id"]))
    };
    let club = |name: &str| Person::from("192.0.2.9", server.address, name);
    let others = (0..6).map(|n| Person::from(&format!("192.0.2.{n}"), server.address, "Somebody"));
    let mut people: Vec<Person> = [club("Ann"), club("Bob")].into_iter().chain(others).collect();
    let games: Vec<String> = people
        .iter_mut()
        .flat_map(|one| (0..8).map_while(|_| begins(one)).collect::<Vec<_>>())
        .collect();
    assert_eq!(games.len(), 50, "the level has no place for another");
    assert_eq!(people[7].post("/api/challenges", &wish("stoa-2")).0, 201, "another level has");

    now.fetch_add(2 * HOUR, Ordering::SeqCst);
    assert!(begins(&mut people[7]).is_some(), "nothing happens in the other games");
    assert!(begins(&mut people[0]).is_none(), "whoever has left games can finish them");
    assert_eq!(people[0].play(&games[0], 0, "d2-b4").0, 200, "and go on with them");
    let mut carl = club("Carl");
    assert!(begins(&mut carl).is_none(), "the club has begun its sixteen games today");
    now.fetch_add(24 * HOUR, Ordering::SeqCst);
    assert!(begins(&mut carl).is_some(), "and is not kept out for ever");
}
