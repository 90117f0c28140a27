//! Every message a client can send, and what is nearly one: nothing breaks the server, and every refusal
//! says why. `fuzz/fuzz_targets/message.rs` looks for more.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use crate::talk::people::{Person, Socket, begin, unlimited};
use crate::talk::{self, Server};

/// Any JSON, mostly of words that mean something here.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        proptest::sample::select(vec![
            "t",
            "id",
            "game",
            "action",
            "kind",
            "ply",
            "move",
            "name",
            "control",
            "days",
            "watch",
            "act",
            "resign",
            "impasse",
            "palisade:9",
            "clock",
            "initial",
            "password",
            "",
        ])
        .prop_map(str::to_owned),
        ".{0,12}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// How a good message is spoilt: something in it becomes something else, goes, or comes besides.
#[derive(Debug, Clone)]
enum Spoil {
    Replace(Index, Value),
    Remove(Index),
    Add(Index, String, Value),
}

fn spoil() -> impl Strategy<Value = Spoil> {
    prop_oneof![
        3 => (any::<Index>(), any_json()).prop_map(|(at, value)| Spoil::Replace(at, value)),
        1 => any::<Index>().prop_map(Spoil::Remove),
        1 => (any::<Index>(), "[a-z]{0,8}", any_json())
            .prop_map(|(at, key, value)| Spoil::Add(at, key, value)),
    ]
}

/// The places in a message.
fn places(value: &Value, here: String, places: &mut Vec<String>) {
    places.push(here.clone());
    match value {
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(key, value)| self::places(value, format!("{here}/{key}"), places));
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, value)| self::places(value, format!("{here}/{index}"), places)),
        _ => {}
    }
}

fn spoilt(mut message: Value, spoils: &[Spoil]) -> Value {
    for spoil in spoils {
        let mut all = Vec::new();
        places(&message, String::new(), &mut all);
        let (Spoil::Replace(at, _) | Spoil::Remove(at) | Spoil::Add(at, ..)) = spoil;
        let place = at.get(&all);
        match spoil {
            Spoil::Replace(_, value) => {
                if let Some(found) = message.pointer_mut(place) {
                    *found = value.clone();
                }
            }
            Spoil::Remove(_) => {
                if let Some((parent, key)) = place.rsplit_once('/')
                    && let Some(Value::Object(fields)) = message.pointer_mut(parent)
                {
                    fields.remove(key);
                }
            }
            Spoil::Add(_, key, value) => {
                if let Some(Value::Object(fields)) = message.pointer_mut(place) {
                    fields.insert(key.clone(), value.clone());
                }
            }
        }
    }
    message
}

fn actions() -> Vec<Value> {
    let mut actions: Vec<Value> = [
        "abort",
        "draw",
        "decline_draw",
        "takeback",
        "decline_takeback",
        "add_time",
        "rematch",
        "decline_rematch",
        "resign",
    ]
    .map(|kind| json!({ "kind": kind }))
    .into();
    actions.push(json!({ "kind": "move", "ply": 0, "move": "a1-a2" }));
    actions.push(json!({ "kind": "move", "ply": u64::MAX, "move": "" }));
    actions
}

/// A refusal says why in a way that programs and people understand.
fn check(status: u16, answer: &Value, sent: &str) {
    assert!(status < 500, "{sent} is answered {status}: {answer}");
    if status >= 400 {
        let is_word = |code: &str| code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        assert!(answer["code"].as_str().is_some_and(|code| !code.is_empty() && is_word(code)));
        assert!(answer["message"].as_str().is_some_and(|m| !m.is_empty()), "{sent}: {answer}");
    }
}

fn runner(cases: u32) -> TestRunner {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
}

#[test]
fn whatever_is_posted_is_answered_properly() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut posts: Vec<(String, Value)> = actions()
        .into_iter()
        .map(|action| (format!("/api/games/{game}/actions"), action))
        .collect();
    let controls = [
        json!({ "kind": "clock", "initial": 60, "increment": 1 }),
        json!({ "kind": "days", "days": 3 }),
        unlimited(),
    ];
    for control in controls {
        let wish = json!({ "game": "palisade:9", "side": "random", "control": control,
            "listed": false, "opponent": bob.id });
        posts.push(("/api/challenges".to_owned(), wish));
    }
    for (path, body) in [
        ("/api/me", json!({ "name": "Ann" })),
        ("/api/me/tokens", json!({ "label": "bot" })),
        ("/api/account/login", json!({ "name": "Ann", "password": 12345678 })),
        ("/api/account/password", json!({ "old": "12345678", "new": "12345678" })),
        (
            "/api/push",
            json!({ "endpoint": "https://push.example/", "language": "en",
            "keys": { "p256dh": "x", "auth": "y" } }),
        ),
    ] {
        posts.push((path.to_owned(), body));
    }
    let strategy = (proptest::sample::select(posts), prop::collection::vec(spoil(), 0..4));
    let ann = std::cell::RefCell::new(ann);
    let passed = runner(600).run(&strategy, |((path, body), spoils)| {
        let body = spoilt(body, &spoils);
        let (status, answer) = ann.borrow_mut().post(&path, &body);
        check(status, &answer, &format!("{path} {body}"));
        Ok(())
    });
    passed.expect("proper answers");
    assert_eq!(bob.look(&game)["id"], json!(game), "and it goes on");
}

#[test]
fn whatever_is_said_on_a_socket_is_answered_properly() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut requests: Vec<Value> = actions()
        .into_iter()
        .map(|action| json!({ "t": "act", "id": 1, "game": game, "action": action }))
        .collect();
    requests.extend([
        json!({ "t": "watch", "id": 1, "game": game }),
        json!({ "t": "unwatch", "id": 1, "game": game }),
        json!({ "t": "lobby", "id": 1, "on": true }),
        json!({ "t": "lobby", "id": 1, "on": false }),
        json!({ "t": "ping", "id": 1 }),
        Value::Object(Map::new()),
    ]);
    let strategy = (proptest::sample::select(requests), prop::collection::vec(spoil(), 0..4));
    // A socket may ask 40 times at once, so each has a few requests.
    let socket = std::cell::RefCell::new((0, None::<Socket>));
    let passed = runner(600).run(&strategy, |(request, spoils)| {
        let text = spoilt(request, &spoils).to_string();
        let (asked, open) = &mut *socket.borrow_mut();
        if *asked % 30 == 0 {
            let mut new = ann.socket();
            new.expect("hello");
            *open = Some(new);
        }
        *asked += 1;
        let socket = open.as_mut().expect("a socket");
        socket.send_text(&text);
        loop {
            let answer = socket.receive().unwrap_or_else(|| panic!("closed after {text}"));
            match answer["t"].as_str() {
                Some("done" | "pong") => break,
                Some("refused") => {
                    check(400, &answer, &text);
                    break;
                }
                _ => {}
            }
        }
        Ok(())
    });
    passed.expect("proper answers");
    assert_eq!(bob.look(&game)["id"], json!(game), "and it goes on");
}
