//! Lists that many want to be in, and lists that are read in pages.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use serde_json::{Value, json};
use stoa_server::Time;

use crate::talk::people::{Person, begin, clock, text, unlimited};
use crate::talk::{self, Server};

fn behind_proxy() -> Server {
    Server::set(talk::site(), |settings| settings.behind_proxy = true)
}

fn ids(list: &Value) -> HashSet<String> {
    list["challenges"].as_array().expect("a list").iter().map(|one| text(&one["id"])).collect()
}

/// 240 challenges from one address, after the one from another, in a lobby that shows 200.
#[test]
fn one_address_cannot_fill_the_lobby() {
    let server = behind_proxy();
    let mut wish = json!({ "game": "impasse", "control": unlimited(), "listed": true });
    let mut ann = Person::from("192.0.2.1", server.address, "Ann");
    let real = text(&ann.post("/api/challenges", &wish).1["id"]);
    for guest in 0..12 {
        let mut guest = Person::from("192.0.2.9", server.address, &format!("Guest {guest}"));
        for _ in 0..20 {
            assert_eq!(guest.post("/api/challenges", &wish).0, 201);
        }
    }
    let (_, lobby) = ann.get("/api/challenges");
    assert_eq!(ids(&lobby).len(), 200);
    assert!(ids(&lobby).contains(&real), "the real challenge is pushed out");
    let created: Vec<i64> = lobby["challenges"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["created"].as_i64().expect("a time"))
        .collect();
    assert!(created.is_sorted_by(|a, b| a >= b), "newest first");

    // The same in somebody's own list.
    let bob = Person::from("192.0.2.2", server.address, "Bob");
    wish["opponent"] = json!(bob.id);
    let friends = text(&ann.post("/api/challenges", &wish).1["id"]);
    for guest in 0..7 {
        let mut guest = Person::from("192.0.2.9", server.address, &format!("Guest {guest}"));
        for _ in 0..20 {
            assert_eq!(guest.post("/api/challenges", &wish).0, 201);
        }
    }
    let (_, sent) = bob.get("/api/me/challenges");
    assert_eq!(ids(&sent).len(), 100);
    assert!(ids(&sent).contains(&friends), "the friend's challenge is hidden");
}

#[test]
fn open_challenges_are_limited_by_address() {
    let server = Server::set(talk::site(), |settings| {
        settings.behind_proxy = true;
        settings.rate = Some(1000);
    });
    let wish = json!({ "game": "impasse", "control": unlimited() });
    let mut made = 0;
    for guest in 0..5 {
        let mut guest = Person::from("192.0.2.9", server.address, &format!("Guest {guest}"));
        let posts = (0..20).map(|_| guest.post("/api/challenges", &wish).0);
        made += posts.filter(|status| *status == 201).count();
    }
    assert_eq!(made, 60);
    let mut ann = Person::from("192.0.2.1", server.address, "Ann");
    assert_eq!(ann.post("/api/challenges", &wish).0, 201, "others are not affected");
}

#[test]
fn a_challenge_lasts_as_long_as_its_creator_wants() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let day = 24 * 3600 * 1000;
    let mut days = |wish: Value| {
        let (status, challenge) = ann.post("/api/challenges", &wish);
        let time = |name: &str| challenge[name].as_i64();
        (status, time("expires").zip(time("created")).map(|(end, start)| (end - start) / day))
    };
    let wish = |days| json!({ "game": "impasse", "control": unlimited(), "days": days });
    assert_eq!(days(wish(json!(2))), (201, Some(2)));
    assert_eq!(days(wish(Value::Null)), (201, Some(14)));
    assert_eq!(days(wish(json!(0))).0, 400);
    assert_eq!(days(wish(json!(15))).0, 400);
    let mut listed = wish(Value::Null);
    listed["listed"] = json!(true);
    assert_eq!(days(listed), (201, Some(3)));
}

#[test]
fn a_challenge_with_a_clock_to_one_player_is_open_for_hours_not_days() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let bob = Person::new(server.address, "Bob");
    let mut hours = |opponent: Value| {
        let wish = json!({ "game": "impasse", "control": clock(300, 5), "opponent": opponent });
        let (status, challenge) = ann.post("/api/challenges", &wish);
        assert_eq!(status, 201, "{challenge}");
        let time = |name: &str| challenge[name].as_i64().expect("a time");
        (time("expires") - time("created")) / 3_600_000
    };
    assert_eq!(hours(json!(bob.id)), 2);
    assert_eq!(hours(Value::Null), 14 * 24, "a link is sent to somebody who is not here yet");
}

/// All games change at the same time, because time stands still.
#[test]
fn pages_lose_no_game_that_changed_at_the_same_time() {
    let now = Arc::new(AtomicI64::new(1_800_000_000_000));
    let server = Server::set(talk::site(), |settings| {
        settings.time = Time::Manual(Arc::clone(&now));
    });
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let games: HashSet<String> =
        (0..30).map(|_| begin("impasse", unlimited(), &mut ann, &mut bob)).collect();
    let mut found = Vec::new();
    let mut path = "/api/me/games?limit=3".to_owned();
    loop {
        let (status, page) = ann.get(&path);
        assert_eq!(status, 200, "{page}");
        found.extend(page["games"].as_array().expect("a list").iter().map(|one| text(&one["id"])));
        match page["next"].as_str() {
            Some(next) => path = format!("/api/me/games?limit=3&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(found.len(), 30, "none twice");
    assert_eq!(found.into_iter().collect::<HashSet<_>>(), games, "and none missing");
    for bad in ["cursor=yesterday", "cursor=1-../x", "limit=0", "limit=101", "after=1"] {
        assert_eq!(ann.get(&format!("/api/me/games?{bad}")).0, 400, "{bad}");
    }
}
