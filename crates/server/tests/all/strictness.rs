//! The server keeps to its description, and expects of clients what the description says.

use std::path::Path;

use serde_json::{Value, json};
use stoa_testing::{Durability, Postgres, or_skip};

use crate::talk::people::{Person, begin, text, unlimited};
use crate::talk::{self, Server, post};

#[test]
fn unknown_fields_are_refused_everywhere() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let wish = json!({ "game": "impasse", "control": unlimited(), "opponent": bob.id });
    let challenge = text(&ann.post("/api/challenges", &wish).1["id"]);
    let act = format!("/api/games/{game}/actions");
    let extra = json!({ "strange": 1 });
    for (path, body) in [
        (act.as_str(), json!({ "kind": "resign", "strange": 1 })),
        (&act, json!({ "kind": "draw", "ply": 3 })),
        (&act, json!({ "kind": "move", "ply": 0, "move": "d2-b4", "strange": 1 })),
        (
            "/api/challenges",
            json!({ "game": "impasse", "control": { "kind": "unlimited", "days": 3 } }),
        ),
        (&format!("/api/challenges/{challenge}/accept"), extra.clone()),
        (&format!("/api/challenges/{challenge}/decline"), extra.clone()),
        ("/api/me/bot", extra.clone()),
        ("/api/account/logout", extra.clone()),
    ] {
        let (status, answer) = bob.post(path, &body);
        assert_eq!((status, &answer["code"]), (400, &json!("bad_request")), "{path}: {answer}");
    }
    assert_eq!(bob.delete_with("/api/me", &extra).0, 400);
    assert_eq!(ann.look(&game)["version"], 0, "nothing has happened");
    let mut socket = ann.socket();
    socket.send(json!({ "t": "ping", "strange": 1 }));
    assert_eq!(socket.expect("refused")["code"], "bad_request");
    let action = json!({ "kind": "resign", "strange": 1 });
    socket.send(json!({ "t": "act", "game": game, "action": action }));
    assert_eq!(socket.expect("refused")["code"], "bad_request");
}

/// Some clients declare a body that is not there as that of a form.
#[test]
fn an_empty_body_needs_no_type() {
    let server = Server::start(talk::site());
    for kind in ["", "Content-Type: application/x-www-form-urlencoded\r\n", talk::JSON] {
        let answer = server.ask(&post("/api/account/logout", kind, ""));
        assert_eq!(answer.status, 204, "{kind}");
    }
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    assert_eq!(server.ask(&post("/api/account/logout", form, "a=b")).status, 415);
}

/// Every code has one status, and every status that a request can have is described.
#[test]
fn every_refusal_is_described() {
    let server = Server::start(talk::site());
    let (_, description) = Person::stranger(server.address).get("/api/openapi.json");
    let codes = description["components"]["schemas"]["ErrorCode"]["enum"].as_array();
    let codes: Vec<&str> = codes.expect("codes").iter().filter_map(Value::as_str).collect();
    let said = text(&description["info"]["description"]);
    for code in &codes {
        assert!(said.contains(&format!("`{code}`")), "{code} is not explained");
    }
    for (path, verbs) in description["paths"].as_object().expect("paths") {
        for (verb, operation) in verbs.as_object().expect("verbs") {
            let described = |status: &str| !operation["responses"][status].is_null();
            assert!(["429", "500", "503"].into_iter().all(described), "{verb} {path}");
            let changes = verb != "get";
            let of_bodies = ["400", "403", "408", "413", "415"].into_iter().all(described);
            assert!(!changes || of_bodies, "{verb} {path}");
        }
    }
    assert!(!said.contains("{drawn_games}") && said.contains("can be drawn"), "{said}");
}

/// Messages are for people: they name fields, and not the libraries that have read them.
#[test]
fn messages_are_in_plain_words() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let challenge = |control: Value| json!({ "game": "impasse", "control": control });
    let mut asked = vec![
        (ann.get("/api/me/games?limit=many"), "limit"),
        (ann.get("/api/archive?max_rating=70000"), "max_rating"),
        (ann.get("/api/archive?strange=1"), "strange"),
    ];
    for (path, body, field) in [
        ("/api/challenges", challenge(json!([])), "control"),
        ("/api/challenges", challenge(json!({ "kind": [] })), "control"),
        ("/api/challenges", challenge(json!({ "kind": "days", "days": "x" })), "control"),
        ("/api/challenges", json!({ "game": 7, "control": unlimited() }), "game"),
        ("/api/challenges", json!([]), ""),
        ("/api/me", json!({}), "name"),
        ("/api/me/vacation", json!({ "days": 1.5 }), "days"),
        ("/api/me/bot", json!({ "strange": 1 }), "strange"),
    ] {
        asked.push((ann.post(path, &body), field));
    }
    for ((status, answer), field) in asked {
        let message = text(&answer["message"]);
        println!("{message}");
        assert_eq!((status, &answer["code"]), (400, &json!("bad_request")), "{message}");
        assert!(message.contains(field), "{message}");
        for word in ["eserialize", "target type", "variant", "sequence", "enum", "struct", "i16"] {
            assert!(!message.contains(word), "{message}");
        }
        assert!(!message.contains("u16") && !message.contains("u32"), "{message}");
    }
    let mut bob = Person::new(server.address, "Bob");
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    assert_eq!(ann.play(&game, 0, "d2-b4").0, 200);
    let (_, answer) = bob.play(&game, 5, "d2-b4");
    assert_eq!(answer["message"], "move 5 was sent, but 1 move has been played");
}

/// SQLite takes a NUL in a text, and Postgres does not: it would look like a failure of the database, and clients
/// would try again for ever.
#[test]
fn a_nul_is_refused_on_postgres_as_on_sqlite() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stoa.db").to_string_lossy().into_owned();
    for database in [file, postgres.database("nul").expect("a database")] {
        let server = Server::with(talk::settings(Path::new(&database)), talk::site());
        let mut ann = Person::new(server.address, "Ann");
        let account = json!({ "name": "Ann", "password": "Achilles never arrives" });
        assert_eq!(ann.post("/api/account/register", &account).0, 200);
        for path in [
            "/api/archive?player=%00",
            "/api/archive?opponent=a%00b",
            "/api/archive/records?player=%00",
        ] {
            assert_eq!(ann.get(path).0, 400, "{path}");
        }
        for path in
            ["players/%00", "players/a%00b/games", "players/%00/results", "games/%00/review"]
        {
            assert_eq!(ann.get(&format!("/api/{path}")).0, 404, "{path}");
        }
        for path in ["players/%00/follow", "players/%00/mute", "me/passkeys/%00"] {
            let answer = ann.post(&format!("/api/{path}"), &json!({ "label": "phone" }));
            assert_eq!(answer.0, 404, "{path}");
        }
        for path in ["me/tokens/%00", "me/sessions/%00", "players/%00/block"] {
            assert_eq!(ann.delete(&format!("/api/{path}")).0, 404, "{path}");
        }
        let wish = json!({ "game": "impasse", "control": unlimited(), "opponent": "a\0b" });
        assert_eq!(ann.post("/api/challenges", &wish).1["code"], "bad_opponent");
        assert_eq!(ann.delete_with("/api/push", &json!({ "endpoint": "\0" })).0, 204);
        let named = ann.post("/api/me", &json!({ "name": "A\0nn" }));
        assert_eq!(named.1["code"], "bad_name");
    }
}
