//! What administrators do beside a running server, as players see it.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stoa_server::Administration;
use stoa_testing::{Durability, Postgres, or_skip};

use crate::talk::people::{Person, begin, unlimited};
use crate::talk::{self, Server};

/// Does something to the database of a running server.
fn administer<T>(address: &str, work: impl AsyncFnOnce(&Administration) -> T) -> T {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let administration = Administration::open(address).await.expect("beside the server");
        let done = work(&administration).await;
        administration.close().await;
        done
    })
}

fn everything_is_noticed_by_a_running_server(address: &str) {
    let server = Server::with(talk::settings(Path::new(address)), talk::site());
    let mut zeno = Person::new(server.address, "Zeno");
    let sign_in = json!({ "name": "Zeno", "password": "a tortoise in front" });
    assert_eq!(zeno.post("/api/account/register", &sign_in).0, 200);
    let (status, token) = zeno.post("/api/me/tokens", &json!({ "label": "mine" }));
    assert_eq!(status, 201, "{token}");
    let mut ann = Person::new(server.address, "Ann");
    let game = begin("colonnade", unlimited(), &mut ann, &mut zeno);
    let (status, challenge) = zeno.post("/api/challenges", &challenge());
    assert_eq!(status, 201, "{challenge}");
    let mut socket = zeno.socket();
    socket.expect("hello");

    let closed = administer(address, async |all| all.close_account("zeno").await);
    assert!(closed.expect("an account"));
    let begun = Instant::now();
    while zeno.get("/api/me").1["player"] != Value::Null {
        assert!(begun.elapsed() < Duration::from_secs(10), "the session does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
    socket.send(json!({ "t": "act", "game": game, "action": { "kind": "resign" } }));
    assert_eq!(socket.expect("refused")["code"], "no_player");
    while socket.receive().is_some() {}
    assert_eq!(socket.farewell().map(|(code, _)| code), Some(1008), "it is closed");
    let (status, _) = Person::sign_in(server.address, "Zeno", "a tortoise in front");
    assert_eq!(status, 403);
    let (status, _) = Person::sign_in(server.address, "Zeno", "a wrong password");
    assert_eq!(status, 401, "a stranger is not told");
    // The game goes on, the challenge does not, and nobody can challenge or be Zeno.
    assert_eq!(ann.play(&game, 0, "1b<").0, 200);
    let id = challenge["id"].as_str().expect("an id");
    assert_eq!(ann.post(&format!("/api/challenges/{id}/accept"), &json!({})).0, 409);
    let mut other = Person::new(server.address, "Other");
    assert_eq!(other.post("/api/account/register", &sign_in).0, 409);

    let reopened = administer(address, async |all| all.reopen_account("zeno").await);
    assert!(reopened.expect("an account"));
    let (status, zeno) = Person::sign_in(server.address, "Zeno", "a tortoise in front");
    assert_eq!(status, 200);
    assert_eq!(zeno.get("/api/me").1["player"]["name"], "Zeno");

    let mut early = ann.socket();
    early.expect("hello");
    administer(address, async |all| all.set_banner(Some("Back at <six>.")).await).expect("set");
    assert_eq!(early.expect("banner")["text"], "Back at <six>.");
    // Whoever comes later is greeted first, every time.
    for _ in 0..20 {
        let mut late = ann.socket();
        assert_eq!(late.receive().expect("a message")["t"], "hello");
        assert_eq!(late.receive().expect("a message")["text"], "Back at <six>.");
    }
    let mut late = ann.socket();
    assert_eq!(late.expect("banner")["text"], "Back at <six>.");
    administer(address, async |all| all.set_banner(None).await).expect("cleared");
    for socket in [&mut early, &mut late] {
        assert_eq!(socket.expect("banner")["text"], Value::Null);
    }
}

/// Limits are changed while a server runs, and go back.
fn limits_are_taken_over(address: &str) {
    let server = Server::with(talk::settings(Path::new(address)), talk::site());
    let mut ann = Person::new(server.address, "Ann of the limits");
    let until = |ann: &mut Person, expected: u16, what: &str| {
        let begun = Instant::now();
        loop {
            let (status, answer) = ann.post("/api/challenges", &challenge());
            if status == expected {
                return answer;
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{what}: {answer}");
            // A limit is taken over within two seconds: until then, not so many that the usual one refuses.
            std::thread::sleep(Duration::from_millis(300));
        }
    };
    for bad in [("open-challenges", 0), ("open-challenges", 1001), ("lobby", 5), ("", 1)] {
        let set = administer(address, async |all| all.set_limit(bad.0, Some(bad.1)).await);
        assert!(set.is_err(), "{bad:?}");
    }
    administer(address, async |all| all.set_limit("open-challenges", Some(2)).await).expect("set");
    let refused = until(&mut ann, 409, "two are enough");
    assert_eq!(refused["code"], "too_many_challenges");
    administer(address, async |all| all.set_limit("open-challenges", Some(60)).await).expect("set");
    for _ in 0..22 {
        until(&mut ann, 201, "more than there may be by default");
    }
    let changed = administer(address, async |all| all.changed_limits().await).expect("a list");
    assert_eq!(changed, [("open-challenges".to_owned(), 60)]);
    administer(address, async |all| all.set_limit("open-challenges", None).await).expect("reset");
    until(&mut ann, 409, "as before");
}

fn challenge() -> Value {
    json!({ "game": "colonnade", "control": unlimited(), "side": "first", "listed": true })
}

#[test]
fn beside_a_server_on_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stoa.db");
    everything_is_noticed_by_a_running_server(&file.to_string_lossy());
}

#[test]
fn limits_are_changed_on_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    limits_are_taken_over(&folder.path().join("stoa.db").to_string_lossy());
}

#[test]
fn limits_are_changed_on_postgres() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    limits_are_taken_over(&postgres.database("limits").expect("a database"));
}

#[test]
fn beside_a_server_on_postgres() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    everything_is_noticed_by_a_running_server(&postgres.database("admin").expect("a database"));
}
