//! What people say in games: phrases, free text where it is allowed, mutes, blocks, reports.

use serde_json::{Value, json};
use stoa_server::{Administration, TalkPolicy};

use crate::talk::people::{Person, Socket, begin, text, unlimited};
use crate::talk::world::World;
use crate::talk::{self, Server};

talk::world::scenes! {
    players_talk_to_each_other_in_phrases,
    viewers_talk_among_themselves,
    muted_and_blocked_people_are_not_read,
    messages_are_personal_data,
    reports_name_what_their_sender_could_read,
}

fn path(game: &str) -> String {
    format!("/api/games/{game}/talk")
}

fn say(person: &mut Person, game: &str, words: Value) -> (u16, Value) {
    person.post(&path(game), &words)
}

fn phrase(name: &str) -> Value {
    json!({ "phrase": name })
}

/// Whether nothing has been said up to now, as far as this socket is told.
fn hears_nothing(socket: &mut Socket) {
    socket.send(json!({ "t": "ping" }));
    loop {
        let message = socket.receive().expect("a message");
        assert_ne!(message["t"], "said", "{message}");
        if message["t"] == "pong" {
            return;
        }
    }
}

fn phrases(talk: &Value) -> Vec<String> {
    let said = talk["messages"].as_array().expect("messages").iter();
    said.map(|one| text(&one["phrase"])).collect()
}

fn players_talk_to_each_other_in_phrases(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut eve = Person::new(bob.address, "Eve");
    let mut watching = eve.socket();
    watching.watch(&game);
    let mut bobs = bob.socket();
    bobs.expect("hello");
    let (status, said) = say(&mut ann, &game, phrase("good_luck"));
    assert_eq!(status, 201, "{said}");
    assert_eq!((&said["room"], &said["by"]["name"]), (&json!("players"), &json!("Ann")));
    let heard = bobs.expect("said");
    assert_eq!((&heard["game"], &heard["message"]), (&json!(game), &said));
    assert_eq!(say(&mut bob, &game, phrase("thanks")).0, 201);
    for person in [&ann, &bob] {
        let talk = person.get(&path(&game)).1;
        assert_eq!(phrases(&talk), ["good_luck", "thanks"]);
        assert_eq!(talk["free_text"], false);
    }
    // Neither those who watch nor strangers read it.
    hears_nothing(&mut watching);
    for person in [&eve, &Person::stranger(ann.address)] {
        let talk = person.get(&path(&game)).1;
        assert_eq!((&talk["room"], &talk["messages"]), (&json!("viewers"), &json!([])));
    }
    for (words, status, code) in [
        (json!({ "text": "hello" }), 403, "no_free_text"),
        (json!({ "phrase": "you_fool" }), 400, "bad_request"),
        (json!({}), 400, "bad_request"),
        (json!({ "phrase": "hello", "text": "hello" }), 400, "bad_request"),
    ] {
        let (given, error) = say(&mut ann, &game, words.clone());
        assert_eq!((given, &error["code"]), (status, &json!(code)), "{words}: {error}");
    }
    let mut stranger = Person::stranger(ann.address);
    assert_eq!(say(&mut stranger, &game, phrase("hello")).0, 401);
    assert_eq!(say(&mut eve, "nothing", phrase("hello")).0, 404);
    assert_eq!(ann.get(&path("nothing")).0, 404);
}

fn viewers_talk_among_themselves(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut eve = Person::new(ann.address, "Eve");
    let sam = Person::new(bob.address, "Sam");
    let mut sams = sam.socket();
    sams.watch(&game);
    // Nothing is sent before the subscription has come into force.
    sams.send(json!({ "t": "ping" }));
    sams.expect("pong");
    let mut anns = ann.socket();
    anns.watch(&game);
    let (status, said) = say(&mut eve, &game, phrase("nice_move"));
    assert_eq!((status, &said["room"]), (201, &json!("viewers")));
    assert_eq!(sams.expect("said")["message"], said);
    assert_eq!(sam.get(&path(&game)).1["messages"], json!([said]));
    hears_nothing(&mut anns);
    assert_eq!(ann.get(&path(&game)).1["messages"], json!([]));
    sams.send(json!({ "t": "unwatch", "game": game }));
    sams.expect("done");
    assert_eq!(say(&mut eve, &game, phrase("oops")).0, 201);
    hears_nothing(&mut sams);
}

fn muted_and_blocked_people_are_not_read(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    assert_eq!(say(&mut bob, &game, phrase("hello")).0, 201);
    let mut anns = ann.socket();
    anns.expect("hello");
    for (verb, list) in [("mute", "muted"), ("block", "blocked")] {
        let at = format!("/api/players/{}/{verb}", bob.id);
        assert_eq!(ann.post(&at, &json!({})).0, 204);
        let talk = ann.get(&path(&game)).1;
        assert_eq!((&talk["messages"], &talk[list]), (&json!([]), &json!([bob.id])));
        assert_eq!(say(&mut bob, &game, phrase("oops")).0, 201, "and Bob is not told");
        hears_nothing(&mut anns);
        assert_eq!(ann.delete(&at).0, 204);
    }
    assert_eq!(phrases(&ann.get(&path(&game)).1), ["hello", "oops", "oops"]);
    assert_eq!(phrases(&bob.get(&path(&game)).1), ["hello", "oops", "oops"]);
    let (status, error) = ann.post(&format!("/api/players/{}/mute", ann.id), &json!({}));
    assert_eq!((status, &error["code"]), (400, &json!("bad_opponent")));
    assert_eq!(ann.post("/api/players/nobody/mute", &json!({})).0, 404);
}

fn messages_are_personal_data(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let said = say(&mut bob, &game, phrase("hello")).1;
    assert_eq!(bob.post(&format!("/api/players/{}/mute", ann.id), &json!({})).0, 204);
    let report = json!({ "player": ann.id, "game": game, "reason": "too quick" });
    assert_eq!(bob.post("/api/reports", &report).0, 204);
    let kept = bob.get("/api/me/data").1;
    assert_eq!(
        (&kept["said"][0]["phrase"], &kept["said"][0]["at"]),
        (&json!("hello"), &said["at"])
    );
    assert_eq!(
        (&kept["muted"], &kept["reports"][0]["reason"]),
        (&json!([ann.id]), &json!("too quick"))
    );
    assert_eq!(bob.delete("/api/me").0, 204);
    assert_eq!(ann.get(&path(&game)).1["messages"], json!([]));
}

fn reports_name_what_their_sender_could_read(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let said = text(&say(&mut bob, &game, phrase("hello")).1["id"]);
    let mut eve = Person::new(ann.address, "Eve");
    let about = |message: &str| json!({ "message": message, "reason": "rude" });
    assert_eq!(ann.post("/api/reports", &about(&said)).0, 204);
    assert_eq!(ann.post("/api/reports", &about(&said)).0, 204, "and counts once");
    assert_eq!(ann.get("/api/me/data").1["reports"].as_array().expect("reports").len(), 1);
    let (status, error) = eve.post("/api/reports", &about(&said));
    assert_eq!((status, &error["code"]), (404, &json!("not_found")), "Eve could not read it");
    assert_eq!(bob.post("/api/reports", &about(&said)).1["code"], "bad_opponent");
    assert_eq!(ann.post("/api/reports", &about("nothing")).0, 404);
    assert_eq!(ann.post("/api/reports", &json!({ "reason": "rude" })).0, 400);
    let long = json!({ "player": bob.id, "reason": "x".repeat(301) });
    assert_eq!(ann.post("/api/reports", &long).1["code"], "bad_text");
    assert_eq!(Person::stranger(ann.address).post("/api/reports", &about(&said)).0, 401);
}

/// A server that allows free text, with its database.
fn free(policy: TalkPolicy) -> (Server, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut settings = talk::settings(&folder.path().join("stoa.db"));
    settings.talk = policy;
    (Server::with(settings, talk::site()), folder)
}

#[test]
fn free_text_is_plain_and_clean() {
    let (server, _folder) = free(TalkPolicy::Players);
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let (status, said) =
        say(&mut ann, &game, json!({ "text": " <b>Hi</b>\u{202e}\n there\u{7} " }));
    assert_eq!((status, &said["text"]), (201, &json!("<b>Hi</b> there")));
    assert_eq!(bob.get(&path(&game)).1["messages"][0]["text"], "<b>Hi</b> there");
    assert_eq!(bob.get(&path(&game)).1["free_text"], true);
    for bad in ["", " \n", "\u{200b}\u{2060}", &"x".repeat(201), "\0\u{1}\u{1b}\u{9f}"] {
        let (status, error) = say(&mut ann, &game, json!({ "text": bad }));
        assert_eq!((status, &error["code"]), (400, &json!("bad_text")), "{bad:?}");
    }
    let mut eve = Person::new(server.address, "Eve");
    assert_eq!(say(&mut eve, &game, json!({ "text": "b4!" })).1["code"], "no_free_text");
    let (server, _folder) = free(TalkPolicy::Everybody);
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut eve = Person::new(server.address, "Eve");
    assert_eq!(say(&mut eve, &game, json!({ "text": "b4!" })).0, 201);
}

#[test]
fn administrators_read_reports_and_remove_texts() {
    let (server, folder) = free(TalkPolicy::Players);
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut said = |words: &str| text(&say(&mut bob, &game, json!({ "text": words })).1["id"]);
    let (rude, _) = (said("xylophagous insult"), said("another word"));
    let reason = json!({ "message": rude, "reason": "that was rude" });
    assert_eq!(ann.post("/api/reports", &reason).0, 204);
    let about_bob = json!({ "player": bob.id, "reason": "cheats" });
    assert_eq!(ann.post("/api/reports", &about_bob).0, 204);
    let database = folder.path().join("stoa.db").to_string_lossy().into_owned();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let administration = Administration::open(&database).await.expect("a database");
        let reports = administration.reports().await.expect("reports");
        assert_eq!(reports.len(), 2);
        let report = &reports[0];
        assert_eq!(report.said.as_deref(), Some("xylophagous insult"));
        assert_eq!((report.reporter.as_str(), report.accused.as_str()), ("Ann", "Bob"));
        assert_eq!((report.reason.as_str(), &report.accused_id), ("that was rude", &bob.id));
        assert_eq!((reports[1].is_about_text, &reports[1].said), (false, &None));
        assert_eq!(administration.settle_report(&report.id, true).await.expect("removed"), 1);
        assert!(administration.settle_report(&report.id, true).await.is_err(), "once");
        assert_eq!(administration.settle_report(&reports[1].id, false).await.expect("gone"), 0);
        assert!(administration.reports().await.expect("reports").is_empty());
        let left = ann.get(&path(&game)).1;
        assert_eq!(left["messages"][0]["text"], "another word");
        assert_eq!(administration.remove_texts(&bob.id).await.expect("removed"), 1);
        assert_eq!(ann.get(&path(&game)).1["messages"], json!([]));
        assert!(administration.close_account(&bob.id).await.expect("closed"));
        administration.close().await;
    });
    let closed = |bob: &mut Person| say(bob, &game, phrase("hello")).0 == 401;
    let began = std::time::Instant::now();
    while !closed(&mut bob) {
        assert!(began.elapsed() < std::time::Duration::from_secs(20), "a closed account is silent");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}

#[test]
fn people_who_talk_too_much_are_slowed_down() {
    let server = Server::set(talk::site(), |settings| settings.rate = Some(100));
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let answers: Vec<u16> = (0..12).map(|_| say(&mut ann, &game, phrase("hello")).0).collect();
    let taken = answers.iter().filter(|status| **status == 201).count();
    assert!((6..9).contains(&taken), "{answers:?}");
    assert_eq!(answers.last(), Some(&429));
    assert_eq!(say(&mut bob, &game, phrase("hello")).0, 201);
}
