//! What needs a device that has signed in a short while ago: an account that is found signed in is safe.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use serde_json::{Value, json};
use stoa_server::Time;

use crate::talk;
use crate::talk::people::{Person, text};
use crate::talk::{JSON, Server, get, post, run};

const PASSWORD: &str = "Achilles never arrives";
const MINUTE: i64 = 60_000;

/// A server whose time stands still until it is turned, in milliseconds.
fn server() -> (Server, Arc<AtomicI64>) {
    let now = Arc::new(AtomicI64::new(1_800_000_000_000));
    let server = Server::set(talk::site(), |settings| {
        settings.time = Time::Manual(Arc::clone(&now));
        settings.max_heartbeat_gap = None;
    });
    (server, now)
}

fn account(server: &Server, name: &str) -> Person {
    let mut person = Person::new(server.address, name);
    let sign_in = json!({ "name": name, "password": PASSWORD });
    assert_eq!(person.post("/api/account/register", &sign_in).0, 200);
    person
}

fn sign_in(person: &mut Person, name: &str) {
    let sign_in = json!({ "name": name, "password": PASSWORD });
    assert_eq!(person.post("/api/account/login", &sign_in).0, 200);
}

fn code((status, answer): (u16, Value)) -> (u16, String) {
    (status, answer["code"].as_str().unwrap_or_default().to_owned())
}

fn sign_in_again() -> (u16, String) {
    (403, "sign_in_again".to_owned())
}

#[test]
fn an_old_session_cannot_delete_the_account() {
    let (server, now) = server();
    let mut ann = account(&server, "Zeno");
    now.fetch_add(15 * MINUTE + 1, Ordering::SeqCst);
    assert_eq!(code(ann.delete("/api/me")), sign_in_again());
    assert_eq!(ann.get("/api/me").1["login"], "zeno", "nothing was done");

    // Another device is another matter, and a wrong password is none.
    let (_, phone) = Person::sign_in(server.address, "Zeno", PASSWORD);
    let wrong = json!({ "name": "Zeno", "password": "Achilles always arrives" });
    assert_eq!(ann.post("/api/account/login", &wrong).0, 401);
    assert_eq!(code(ann.delete("/api/me")), sign_in_again());

    let before = ann.cookie.clone();
    sign_in(&mut ann, "Zeno");
    assert_ne!(ann.cookie, before);
    let sessions = ann.get("/api/me/sessions").1["sessions"].as_array().map(Vec::len);
    assert_eq!(sessions, Some(2), "the new session replaces the old one");
    // A thief who has copied the cookie gains nothing.
    let mut thief = Person::stranger(server.address);
    thief.cookie = before;
    assert_eq!(code(thief.delete("/api/me")), (401, "no_player".to_owned()));
    now.fetch_add(15 * MINUTE, Ordering::SeqCst);
    assert_eq!(phone.get("/api/me").1["login"], "zeno");
    assert_eq!(ann.delete("/api/me").0, 204, "a quarter of an hour is soon enough");
    assert_eq!(phone.get("/api/me").1["player"], Value::Null);
}

#[test]
fn an_old_session_cannot_open_or_close_other_ways_in() {
    let (server, now) = server();
    let mut ann = account(&server, "Zeno");
    let label = json!({ "label": "program" });
    assert_eq!(ann.post("/api/me/tokens", &label).0, 201);
    now.fetch_add(15 * MINUTE + 1, Ordering::SeqCst);
    assert_eq!(code(ann.post("/api/me/tokens", &label)), sign_in_again());
    assert_eq!(code(ann.delete("/api/me/mail")), sign_in_again());
    assert_eq!(code(ann.delete("/api/me/passkeys/abc")), sign_in_again());
    // What the password protects, and what makes an account safer, needs no fresh session.
    let change = json!({ "old": PASSWORD, "new": "the arrow stands still" });
    assert_eq!(ann.post("/api/account/password", &change).0, 204);
    assert_eq!(code(ann.post("/api/me/tokens", &label)), sign_in_again());
    let tokens = ann.get("/api/me/tokens").1;
    assert_eq!(ann.delete(&format!("/api/me/tokens/{}", text(&tokens["tokens"][0]["id"]))).0, 204);
    assert_eq!(ann.delete_keeping("/api/me/sessions", &json!({})).0, 204);

    let again = json!({ "name": "Zeno", "password": "the arrow stands still" });
    assert_eq!(ann.post("/api/account/login", &again).0, 200);
    assert_eq!(ann.post("/api/me/tokens", &label).0, 201);
    assert_eq!(ann.delete("/api/me/mail").0, 204);
    assert_eq!(ann.delete("/api/me/passkeys/abc").0, 404);
}

/// It cannot be undone, and a bot is not paired any more.
#[test]
fn an_old_session_cannot_turn_the_account_into_a_bot() {
    let (server, now) = server();
    let mut ann = account(&server, "Zeno");
    now.fetch_add(15 * MINUTE + 1, Ordering::SeqCst);
    assert_eq!(code(ann.post("/api/me/bot", &json!({}))), sign_in_again());
    assert_eq!(ann.get("/api/me").1["player"]["kind"], "account");
    sign_in(&mut ann, "Zeno");
    assert_eq!(ann.post("/api/me/bot", &json!({})).0, 200);
    now.fetch_add(15 * MINUTE + 1, Ordering::SeqCst);
    assert_eq!(ann.post("/api/me/bot", &json!({})).0, 200, "it is one already");
}

#[test]
fn guests_have_nothing_to_sign_in_with() {
    let (server, now) = server();
    let mut guest = Person::new(server.address, "Guest");
    now.fetch_add(1000 * MINUTE, Ordering::SeqCst);
    assert_eq!(guest.post("/api/me/tokens", &json!({ "label": "program" })).0, 201);
    assert_eq!(guest.delete("/api/me").0, 204);
    assert_eq!(guest.get("/api/me").1["player"], Value::Null);
}

#[test]
fn tokens_delete_nobody() {
    let (server, _) = server();
    for mut person in [account(&server, "Zeno"), Person::new(server.address, "Guest")] {
        let (_, made) = person.post("/api/me/tokens", &json!({ "label": "program" }));
        let headers = format!("{JSON}Authorization: Bearer {}\r\n", text(&made["token"]));
        let request = post("/api/me", &headers, "{}").replacen("POST", "DELETE", 1);
        let answer = server.ask(&request);
        assert_eq!((answer.status, &answer.json()["code"]), (403, &json!("not_for_tokens")));
        // Nor with the cookie beside it.
        let both = format!("{headers}Cookie: {}\r\n", person.cookie);
        let request = post("/api/me", &both, "{}").replacen("POST", "DELETE", 1);
        assert_eq!(server.ask(&request).json()["code"], "not_for_tokens");
        assert_eq!(server.ask(&get("/api/me", &headers)).json()["player"]["id"], json!(person.id));
    }
}

/// A guest's cookie is all that a guest is. Once there is a password, copies of it are no longer valid.
#[test]
fn a_copy_of_a_guests_cookie_is_no_way_into_the_account() {
    let (server, _) = server();
    let mut ann = Person::new(server.address, "Guest");
    let mut thief = ann.at(server.address);
    let mut socket = thief.socket();
    socket.expect("hello");
    assert_eq!(thief.get("/api/me").1["player"]["id"], json!(ann.id));
    let sign_in = json!({ "name": "Zeno", "password": PASSWORD });
    assert_eq!(ann.post("/api/account/register", &sign_in).0, 200);
    assert_eq!(thief.get("/api/me").1["player"], Value::Null);
    assert_eq!(code(thief.post("/api/me/tokens", &json!({ "label": "program" }))).0, 401);
    while socket.receive().is_some() {}
    assert_eq!(socket.farewell().map(|(code, _)| code), Some(1008), "it is closed");
    assert_eq!(ann.get("/api/me").1["login"], "zeno");
    assert_eq!(ann.get("/api/me/sessions").1["sessions"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_browser_keeps_its_cookie_when_a_new_session_cannot_be_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stoa.db");
    let server = Server::with(talk::settings(&file), talk::site());
    let mut zeno = account(&server, "Zeno");
    let mut guest = Person::new(server.address, "Guest");
    run(
        &file,
        "CREATE TRIGGER full_disk BEFORE INSERT ON sessions \
         BEGIN SELECT RAISE(ABORT, 'no more sessions'); END",
    );
    let again = json!({ "name": "Zeno", "password": PASSWORD });
    assert_eq!(zeno.post("/api/account/login", &again).0, 503);
    assert_eq!(zeno.get("/api/me").1["login"], "zeno", "still signed in");
    let own = json!({ "name": "Chrysippus", "password": PASSWORD });
    let mut stranger = Person::stranger(server.address);
    for person in [&mut guest, &mut stranger] {
        assert_eq!(person.post("/api/account/register", &own).0, 503);
    }
    // Longer than anything is cached.
    std::thread::sleep(std::time::Duration::from_millis(3200));
    assert_eq!(zeno.get("/api/me").1["login"], "zeno");
    assert_eq!(guest.get("/api/me").1["player"]["name"], "Guest");
    run(&file, "DROP TRIGGER full_disk");
    assert_eq!(guest.post("/api/account/register", &own).0, 200, "the name is still free");
    assert_eq!(guest.get("/api/me").1["login"], "chrysippus");
    assert_eq!(zeno.post("/api/account/login", &again).0, 200);
    let (_, list) = zeno.get("/api/me/sessions");
    assert_eq!(list["sessions"].as_array().map(Vec::len), Some(1), "one was replaced: {list}");
}

/// What authenticates a request may be three seconds old.
#[test]
fn a_new_account_is_signed_in_whatever_its_guest_did_a_moment_ago() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stoa.db");
    let server = Server::with(talk::settings(&file), talk::site());
    let mut guest = Person::new(server.address, "Guest");
    assert_eq!(guest.get("/api/me").0, 200);
    run(&file, "UPDATE players SET epoch = epoch + 5 WHERE name = 'Guest'");
    let own = json!({ "name": "Chrysippus", "password": PASSWORD });
    assert_eq!(guest.post("/api/account/register", &own).0, 200);
    assert_eq!(guest.get("/api/me").1["login"], "chrysippus");
}
