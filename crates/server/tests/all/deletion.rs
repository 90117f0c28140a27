//! What is deleted is gone.

use std::path::Path;

use serde_json::{Value, json};
use stoa_server::PushPolicy;

use crate::talk::people::{Person, begin, unlimited};
use crate::talk::{self, Server, run, until};

/// Which of these texts are anywhere in the files of a database, in whatever case.
fn traces<'a>(database: &Path, texts: &[&'a str]) -> Vec<&'a str> {
    let mut bytes = Vec::new();
    for suffix in ["", "-wal", "-shm"] {
        let file = format!("{}{suffix}", database.display());
        bytes.extend(std::fs::read(file).unwrap_or_default());
    }
    bytes.make_ascii_lowercase();
    let is_there = |text: &&&str| {
        let text = text.to_ascii_lowercase().into_bytes();
        bytes.windows(text.len()).any(|window| window == text)
    };
    texts.iter().filter(is_there).copied().collect()
}

const TEXTS: [&str; 4] =
    ["Xanthippe", "sewing machine", "push.example/endpoint-of-xanthippe", "Xa Na"];

/// A browser's subscription to notifications.
fn subscription(endpoint: &str) -> Value {
    json!({
        "endpoint": format!("https://push.example/{endpoint}"), "language": "en",
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
    })
}

#[test]
fn nothing_is_left_in_the_files_of_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("stoa.db");
    let mut settings = talk::settings(&database);
    settings.push = PushPolicy::AnyAddress;
    let server = Server::with(settings, talk::site());
    let mut bob = Person::new(server.address, "Bob");
    // Others before and after, so that pages are shared and split.
    for n in 0..60 {
        Person::new(server.address, &format!("Neighbour {n}"));
    }
    let mut leaves = Person::new(server.address, "Xa Na");
    let account = json!({ "name": "Xanthippe", "password": "long enough" });
    assert_eq!(leaves.post("/api/account/register", &account).0, 200);
    assert_eq!(leaves.post("/api/me/tokens", &json!({ "label": "sewing machine" })).0, 201);
    let (status, answer) = leaves.post("/api/push", &subscription("endpoint-of-xanthippe"));
    assert_eq!(status, 204, "{answer}");
    begin("impasse", unlimited(), &mut leaves, &mut bob);
    for n in 60..120 {
        Person::new(server.address, &format!("Neighbour {n}"));
    }
    until("the old name goes", || traces(&database, &TEXTS[3..]).is_empty());
    assert_eq!(traces(&database, &TEXTS), &TEXTS[..3], "what was stored is there");
    assert_eq!(leaves.delete("/api/me").0, 204);
    until("everything goes", || traces(&database, &TEXTS).is_empty());
    drop(server);
    assert!(traces(&database, &TEXTS).is_empty());
}

/// Nobody is left who could ask again.
#[test]
fn who_is_deleted_is_signed_out_even_if_a_challenge_has_got_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("stoa.db");
    let server = Server::with(talk::settings(&database), talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let wish = json!({ "game": "impasse", "control": unlimited(), "listed": true });
    assert_eq!(ann.post("/api/challenges", &wish).0, 201);
    run(
        &database,
        "CREATE TRIGGER lost AFTER UPDATE ON challenges WHEN new.state = 'cancelled' \
         BEGIN DELETE FROM challenges WHERE id = new.id; END",
    );
    let (status, answer) = ann.delete("/api/me");
    assert_eq!(status, 204, "{answer}");
    assert_eq!(ann.get("/api/me").1["player"], json!(null));
}

/// A player deletes their account while making challenges: none of them stays.
#[test]
fn deleted_players_leave_no_challenge_behind() {
    let server = Server::start(talk::site());
    let wish = json!({ "game": "impasse", "control": unlimited(), "listed": true });
    for n in 0..40 {
        let person = Person::new(server.address, &format!("Guest {n}"));
        let mut same = person.at(server.address);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..3 {
                    let (status, answer) = same.post("/api/challenges", &wish);
                    assert!([201, 401].contains(&status), "{answer}");
                }
            });
            assert_eq!(person.delete("/api/me").0, 204);
        });
    }
    let (_, lobby) = Person::stranger(server.address).get("/api/challenges");
    assert_eq!(lobby["challenges"], json!([]), "challenges of nobody");
}

/// The same with keys for programs, and with notifications.
#[test]
fn deleted_players_leave_no_token_and_no_subscription_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("stoa.db");
    let mut settings = talk::settings(&database);
    settings.push = PushPolicy::AnyAddress;
    let server = Server::with(settings, talk::site());
    for n in 0..20 {
        let person = Person::new(server.address, &format!("Guest {n}"));
        let [mut phone, mut laptop] = [person.at(server.address), person.at(server.address)];
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for _ in 0..3 {
                    let label = json!({ "label": "left behind" });
                    let (status, answer) = phone.post("/api/me/tokens", &label);
                    assert!([201, 401].contains(&status), "{answer}");
                }
            });
            scope.spawn(move || {
                for m in 0..3 {
                    let subscription = subscription(&format!("left-behind-{n}-{m}"));
                    let (status, answer) = laptop.post("/api/push", &subscription);
                    assert!([204, 401].contains(&status), "{answer}");
                }
            });
            assert_eq!(person.delete("/api/me").0, 204);
        });
    }
    until("everything goes", || traces(&database, &["left behind", "left-behind"]).is_empty());
}
