//! Notes, the choice of notices, and vacations, with a time that the tests turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stoa_server::Time;

use crate::talk::people::{Person, begin, clock, unlimited};
use crate::talk::world::World;
use crate::talk::{self, Server};

talk::world::scenes! {
    notes_are_private_and_clean,
    a_vacation_is_seen_by_the_opponent_on_whichever_node,
}

const HOUR: i64 = 3600 * 1000;
const DAY: i64 = 24 * HOUR;

fn days(days: u32) -> Value {
    json!({ "kind": "days", "days": days })
}

fn notes_are_private_and_clean(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let path = format!("/api/games/{game}/mine");
    assert_eq!(ann.get(&path).1, json!({ "note": "", "notices": true }));
    let note = json!({ "note": "a plan:\nthe <left> side\u{202e}", "notices": false });
    let kept = json!({ "note": "a plan:\nthe <left> side", "notices": false });
    assert_eq!(ann.post(&path, &note), (200, kept.clone()));
    assert_eq!(ann.get(&path).1, kept);
    assert_eq!(bob.get(&path).1, json!({ "note": "", "notices": true }));
    let mut eve = Person::new(ann.address, "Eve");
    assert_eq!(eve.get(&path).1["code"], "not_yours");
    assert_eq!(eve.post(&path, &note).1["code"], "not_yours");
    let long = json!({ "note": "x".repeat(2001), "notices": true });
    assert_eq!(ann.post(&path, &long).1["code"], "bad_text");
    assert_eq!(ann.get("/api/games/nothing/mine").0, 404);
    let data = ann.get("/api/me/data").1;
    assert_eq!(data["notes"][0]["note"], kept["note"]);
    assert_eq!(ann.delete("/api/me").0, 204);
}

fn a_vacation_is_seen_by_the_opponent_on_whichever_node(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", days(3), &mut ann, &mut bob);
    assert_eq!(bob.look(&game)["running"], "first");
    let mut bobs = bob.socket();
    bobs.watch(&game);
    let (status, vacation) = ann.post("/api/me/vacation", &json!({ "days": 5 }));
    assert_eq!((status, &vacation["days_left"]), (200, &json!(16)), "{vacation}");
    let told = bobs.expect("clocks");
    assert_eq!(told["vacations"], json!([vacation["until"], null]));
    assert_eq!(told["situation"]["running"], Value::Null);
    let begun = Instant::now();
    while bob.look(&game)["vacations"] != json!([vacation["until"], null]) {
        assert!(begun.elapsed() < Duration::from_secs(10), "{}", bob.look(&game));
        std::thread::sleep(Duration::from_millis(50));
    }
    let view = bob.look(&game);
    assert_eq!(view["running"], Value::Null);
    let deadline = view["deadline"].as_i64().expect("a deadline");
    assert!(deadline - view["now"].as_i64().expect("a time") > 7 * DAY, "{view}");
    assert_eq!(ann.post("/api/me/vacation", &json!({ "days": 1 })).1["code"], "on_vacation");
    assert_eq!(ann.delete("/api/me/vacation").1, json!({ "until": null, "days_left": 20 }));
    assert_eq!(bobs.expect("clocks")["situation"]["running"], "first");
    assert_eq!(ann.get("/api/me/vacation").1, json!({ "until": null, "days_left": 20 }));
    for bad in [0, -1, 21, 1_000_000] {
        let (status, error) = ann.post("/api/me/vacation", &json!({ "days": bad }));
        assert_eq!((status, &error["code"]), (400, &json!("bad_vacation")), "{bad}");
    }
    assert_eq!(ann.get("/api/me/data").1["vacations"].as_array().expect("vacations").len(), 1);
}

/// A server whose time stands still until it is turned.
fn timed(folder: &tempfile::TempDir) -> (Server, Arc<AtomicI64>, Person, Person) {
    let now = Arc::new(AtomicI64::new(1_800_000_000_000));
    let mut settings = talk::settings(&folder.path().join("stoa.db"));
    settings.time = Time::Manual(Arc::clone(&now));
    settings.max_heartbeat_gap = None;
    let server = Server::with(settings, talk::site());
    let (ann, bob) = (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    (server, now, ann, bob)
}

fn until_over(person: &Person, game: &str) -> Value {
    let began = Instant::now();
    loop {
        let view = person.look(game);
        if !view["result"].is_null() {
            return view;
        }
        assert!(began.elapsed() < Duration::from_secs(10), "{view}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn clocks_stand_still_on_vacation_and_run_afterwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_server, now, mut ann, mut bob) = timed(&folder);
    let slow = begin("colonnade", days(2), &mut ann, &mut bob);
    let quick = begin("colonnade", clock(60, 0), &mut ann, &mut bob);
    for game in [&slow, &quick] {
        assert_eq!(ann.play(game, 0, "1b<").0, 200);
        assert_eq!(bob.play(game, 1, "1g>").0, 200);
    }
    now.fetch_add(10_000, Ordering::SeqCst);
    assert_eq!(ann.post("/api/me/vacation", &json!({ "days": 7 })).0, 200);
    now.fetch_add(6 * DAY, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(300));
    let view = ann.look(&slow);
    assert_eq!((&view["result"], &view["left"][0]), (&Value::Null, &json!(2 * DAY - 10_000)));
    // A clock of minutes does not care.
    assert_eq!(until_over(&ann, &quick)["result"]["reason"], "time");
    // One day of vacation is left, then the rest of the two days runs.
    now.fetch_add(2 * DAY, Ordering::SeqCst);
    assert_eq!(ann.look(&slow)["left"][0], json!(DAY - 10_000));
    assert_eq!(ann.look(&slow)["running"], "first");
    now.fetch_add(DAY, Ordering::SeqCst);
    let over = until_over(&bob, &slow);
    assert_eq!(over["result"], json!({ "winner": "second", "reason": "time" }));
}

#[test]
fn coming_back_early_makes_the_clock_run_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_server, now, mut ann, mut bob) = timed(&folder);
    let game = begin("colonnade", days(2), &mut ann, &mut bob);
    assert_eq!(ann.play(&game, 0, "1b<").0, 200);
    assert_eq!(bob.play(&game, 1, "1g>").0, 200);
    assert_eq!(ann.post("/api/me/vacation", &json!({ "days": 10 })).0, 200);
    now.fetch_add(3 * DAY, Ordering::SeqCst);
    assert_eq!(ann.delete("/api/me/vacation").1["days_left"], 18);
    now.fetch_add(2 * DAY + 1, Ordering::SeqCst);
    assert_eq!(until_over(&bob, &game)["result"]["reason"], "time");
}

#[test]
fn a_vacation_is_no_way_out_of_time_trouble_and_has_its_days() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_server, now, mut ann, mut bob) = timed(&folder);
    let game = begin("colonnade", days(1), &mut ann, &mut bob);
    now.fetch_add(19 * HOUR, Ordering::SeqCst);
    let wish = json!({ "days": 3 });
    assert_eq!(ann.post("/api/me/vacation", &wish).1["code"], "short_of_time");
    assert_eq!(bob.post("/api/me/vacation", &wish).0, 200, "it is not Bob's turn");
    assert_eq!(ann.play(&game, 0, "1b<").0, 200);
    // Bob may move all the same.
    assert_eq!(bob.play(&game, 1, "1g>").0, 200);
    assert_eq!(ann.post("/api/me/vacation", &json!({ "days": 21 })).0, 200);
    now.fetch_add(22 * DAY, Ordering::SeqCst);
    assert_eq!(ann.get("/api/me/vacation").1, json!({ "until": null, "days_left": 0 }));
    assert_eq!(ann.post("/api/me/vacation", &json!({ "days": 1 })).1["code"], "bad_vacation");
    now.fetch_add(366 * DAY, Ordering::SeqCst);
    assert_eq!(ann.get("/api/me/vacation").1["days_left"], 21);
}
