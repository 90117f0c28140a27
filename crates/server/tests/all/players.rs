//! Players: accounts, tokens, taking everything along, leaving.

use serde_json::{Value, json};

use crate::talk;
use crate::talk::people::{Person, Socket, begin, clock, text, unlimited};
use crate::talk::world::World;
use crate::talk::{JSON, Server, get, post, until};

// No two scenes use the same names for accounts.
talk::world::scenes! {
    a_guest_becomes_an_account_and_keeps_the_games,
    a_new_password_signs_other_devices_out,
    deleted_players_have_no_name,
    tokens_play_but_do_not_rule,
    a_token_changes_no_account,
}

const PASSWORD: &str = "Achilles never arrives";

fn register(person: &mut Person, name: &str) -> (u16, Value) {
    person.post("/api/account/register", &json!({ "name": name, "password": PASSWORD }))
}

fn code(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["code"].as_str().unwrap_or_default())
}

fn a_guest_becomes_an_account_and_keeps_the_games(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let (status, player) = register(&mut ann, "Zeno of Elea");
    assert_eq!((status, &player["kind"], &player["id"]), (200, &json!("account"), &json!(ann.id)));
    assert_eq!(ann.get("/api/me").1["login"], "zeno of elea");

    // Another device, another node, other capitals.
    let (status, elsewhere) = Person::sign_in(world.address(1), " ZENO  of elea ", PASSWORD);
    assert_eq!((status, &elsewhere.id), (200, &ann.id));
    let games = elsewhere.get("/api/me/games").1;
    assert_eq!(games["games"][0]["id"], json!(game));
    assert_eq!(bob.look(&game)["players"][0]["name"], "Zeno of Elea");

    // The name is taken, however it is written, and one account is enough.
    assert_eq!(code(&register(&mut bob, "ZENO OF ELEA")), (409, "name_taken"));
    assert_eq!(code(&register(&mut ann, "Parmenides")), (409, "has_account"));
    let wrong = Person::sign_in(world.address(0), "zeno of elea", "Achilles always arrives").0;
    let unknown = Person::sign_in(world.address(0), "nobody", PASSWORD).0;
    assert_eq!((wrong, unknown), (401, 401));
}

fn a_new_password_signs_other_devices_out(world: &World) {
    let mut ann = Person::stranger(world.address(0));
    assert_eq!(register(&mut ann, "Melissus").0, 200);
    let (_, mut phone) = Person::sign_in(world.address(1), "melissus", PASSWORD);
    let mut bob = Person::new(world.address(0), "Bob");
    let game = begin("impasse", unlimited(), &mut phone, &mut bob);
    let mut socket = phone.socket();
    socket.expect("hello");

    let wrong = json!({ "old": "Achilles always arrives", "new": "the arrow stands still" });
    assert_eq!(code(&ann.post("/api/account/password", &wrong)), (401, "bad_login"));
    let short = json!({ "old": PASSWORD, "new": "arrow" });
    assert_eq!(code(&ann.post("/api/account/password", &short)), (400, "bad_password"));
    let before = ann.cookie.clone();
    let change = json!({ "old": PASSWORD, "new": "the arrow stands still" });
    assert_eq!(ann.post("/api/account/password", &change).0, 204);
    assert_ne!(ann.cookie, before);

    // This device stays, others do not: neither cookie nor socket.
    assert_eq!(ann.get("/api/me").1["player"]["name"], "Melissus");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(phone.get("/api/me").1["player"], Value::Null);
    assert_eq!(code(&phone.play(&game, 0, "a1-a2")), (401, "no_player"));
    while socket.receive().is_some() {}
    assert_eq!(socket.farewell().map(|(code, _)| code), Some(1008), "it is closed");
    assert_eq!(bob.look(&game)["result"], Value::Null, "nothing was done");
    assert_eq!(Person::sign_in(world.address(0), "melissus", PASSWORD).0, 401);
    assert_eq!(Person::sign_in(world.address(1), "melissus", "the arrow stands still").0, 200);
}

fn deleted_players_have_no_name(world: &World) {
    let (mut ann, mut bob) = world.two();
    assert_eq!(register(&mut ann, "Leucippus").0, 200);
    let over = begin("colonnade", unlimited(), &mut ann, &mut bob);
    assert_eq!(bob.act(&over, json!({ "kind": "resign" })).0, 200);
    let live = begin("impasse", clock(60, 0), &mut bob, &mut ann);
    let days = begin("impasse", json!({ "kind": "days", "days": 3 }), &mut ann, &mut bob);
    let wish = json!({ "game": "impasse", "control": unlimited(), "listed": true });
    let (_, open) = ann.post("/api/challenges", &wish);
    let (_, token) = ann.post("/api/me/tokens", &json!({ "label": "bot" }));
    let mut socket = ann.socket();
    socket.expect("hello");
    let cookie = ann.cookie.clone();

    assert_eq!(ann.delete("/api/me").0, 204);
    let again = ann.at(world.address(1));
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(again.get("/api/me").1["player"], Value::Null);
    assert_eq!(code(&again.get("/api/me/games")), (401, "no_player"));
    for (game, winner) in [(&over, "first"), (&live, "first"), (&days, "second")] {
        let view = bob.look(game);
        assert_eq!(view["result"]["winner"], winner, "{view}");
        let names: Vec<&Value> = view["players"].as_array().expect("two").iter().collect();
        assert!(names.iter().any(|player| player["name"] == "" && player["id"] == *ann.id));
    }
    let (_, challenge) = bob.get(&format!("/api/challenges/{}", text(&open["id"])));
    assert_eq!(challenge["state"], "cancelled");
    assert_eq!(bob.get("/api/challenges").1["challenges"], json!([]));
    // Neither the cookie nor the token nor the password nor the socket is good any more.
    let mut thief = Person::stranger(world.address(0));
    thief.cookie = cookie;
    assert_eq!(code(&thief.post("/api/challenges", &wish)), (401, "no_player"));
    let bearer = format!("Authorization: Bearer {}\r\n", text(&token["token"]));
    assert_eq!(world.ask(0, &get("/api/me", &bearer)).status, 401);
    assert_eq!(Person::sign_in(world.address(0), "leucippus", PASSWORD).0, 401);
    while socket.receive().is_some() {}
    assert_eq!(socket.farewell().map(|(code, _)| code), Some(1008), "it is closed");
    // The name is free again.
    assert_eq!(register(&mut Person::stranger(world.address(0)), "Leucippus").0, 200);
}

fn tokens_play_but_do_not_rule(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let (status, made) = ann.post("/api/me/tokens", &json!({ "label": " my bot " }));
    assert_eq!((status, &made["label"]), (201, &json!("my bot")));
    let (_, list) = ann.get("/api/me/tokens");
    assert_eq!(list["tokens"][0]["id"], made["id"]);
    assert!(!list.to_string().contains(&text(&made["token"])), "it is shown once");

    let bearer = format!("Authorization: Bearer {}\r\n", text(&made["token"]));
    let headers = format!("{JSON}{bearer}");
    let me = world.ask(1, &get("/api/me", &bearer)).json();
    assert_eq!(me["player"]["id"], json!(ann.id));
    let path = format!("/api/games/{game}/actions");
    let resigned = world.ask(1, &post(&path, &headers, r#"{"kind":"resign"}"#));
    assert_eq!(resigned.json()["result"]["winner"], "second");
    for (path, body) in [
        ("/api/me/tokens", json!({ "label": "another" })),
        ("/api/account/password", json!({ "old": "12345678", "new": "12345678" })),
        ("/api/account/register", json!({ "name": "Ann", "password": "12345678" })),
    ] {
        let answer = world.ask(0, &post(path, &headers, &body.to_string()));
        assert_eq!((answer.status, &answer.json()["code"]), (403, &json!("not_for_tokens")));
    }
    assert_eq!(bob.delete(&format!("/api/me/tokens/{}", text(&made["id"]))).0, 404);
    assert_eq!(ann.delete(&format!("/api/me/tokens/{}", text(&made["id"]))).0, 204);
    std::thread::sleep(std::time::Duration::from_millis(300));
    let after = world.ask(1, &get("/api/me", &bearer));
    assert_eq!((after.status, &after.json()["code"]), (401, &json!("bad_token")));
}

#[test]
fn cookies_are_neither_forged_nor_inherited() {
    let server = Server::start(talk::site());
    let (ann, bob) = (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    let who = |cookie: &str| {
        let mut person = Person::stranger(server.address);
        person.cookie = cookie.to_owned();
        person.get("/api/me").1["player"]["name"].clone()
    };
    assert_eq!(who(&ann.cookie), "Ann");
    // Another person's id with Ann's signature, a changed letter, no signature, rubbish.
    let forged = ann.cookie.replace(&ann.id, &bob.id);
    assert_ne!(forged, ann.cookie);
    let mut changed = ann.cookie.clone();
    let last = changed.pop().expect("a letter");
    changed.push(if last == 'A' { 'B' } else { 'A' });
    let bare = format!("stoa={}.1.1", ann.id);
    for cookie in [&forged, &bare, "stoa=", "stoa=%00%ff", "stoa=a.b.c", "other=1", ";;;="] {
        assert_eq!(who(cookie), Value::Null, "{cookie}");
    }
    assert_eq!(who(&ann.cookie.replacen('=', "=x", 1)), Value::Null);
    // A server with another secret does not know them.
    let other = Server::set(talk::site(), |settings| {
        settings.secret = b"another secret that is long enough".to_vec();
    });
    assert_eq!(ann.at(other.address).get("/api/me").1["player"], Value::Null);
}

#[test]
fn the_cookie_is_for_us_alone() {
    let server = Server::start(talk::site());
    let answer = server.ask(&post("/api/me", JSON, r#"{"name":"Ann"}"#));
    let cookie = answer.header("set-cookie").expect("a cookie");
    for part in ["stoa=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=34560000"] {
        assert!(cookie.contains(part), "{part} is missing in {cookie}");
    }
    assert!(!cookie.contains("Secure"));
    let safe = Server::set(talk::site(), |settings| {
        settings.public_url = Some("https://stoa.example".to_owned());
    });
    let answer = safe.ask(&post("/api/me", JSON, r#"{"name":"Ann"}"#));
    assert!(answer.header("set-cookie").is_some_and(|cookie| cookie.contains("Secure")));
    // Signing out takes it away.
    let answer = server.ask(&post("/api/account/logout", JSON, "{}"));
    assert_eq!(answer.status, 204);
    assert!(answer.header("set-cookie").is_some_and(|cookie| cookie.contains("Max-Age=0")));
}

#[test]
fn old_cookies_are_renewed_by_visits() {
    let now = std::sync::Arc::new(std::sync::atomic::AtomicI64::new(1_000_000_000_000));
    let time = stoa_server::Time::Manual(std::sync::Arc::clone(&now));
    let server = Server::set(talk::site(), |settings| settings.time = time);
    let ann = Person::new(server.address, "Ann");
    let visit = || server.ask(&get("/api/me", &format!("Cookie: {}\r\n", ann.cookie)));
    assert_eq!(visit().header("set-cookie"), None);
    now.fetch_add(31 * 24 * 3600 * 1000, std::sync::atomic::Ordering::SeqCst);
    let answer = visit();
    let renewed = answer.header("set-cookie").expect("a new cookie");
    assert!(!renewed.starts_with(&ann.cookie) && renewed.contains(&ann.id), "{renewed}");
}

#[test]
fn guessing_passwords_is_rate_limited() {
    let server = Server::start(talk::site());
    let mut ann = Person::stranger(server.address);
    assert_eq!(register(&mut ann, "Ann").0, 200);
    let statuses: Vec<u16> = (0..12)
        .map(|guess| Person::sign_in(server.address, "ANN", &format!("password {guess}")).0)
        .collect();
    assert_eq!(statuses[..9], [401; 9], "registering counted, too");
    assert_eq!(statuses[9..], [429; 3]);
    let answer = server.ask(&post(
        "/api/account/login",
        JSON,
        &json!({ "name": "ann", "password": PASSWORD }).to_string(),
    ));
    let wait: u64 = answer.header("retry-after").and_then(|s| s.parse().ok()).expect("a time");
    assert!(answer.status == 429 && (30..=60).contains(&wait), "{wait}");
    assert_eq!(answer.json()["retry_after"], json!(wait));
    // Other names from here are not concerned.
    assert_eq!(Person::sign_in(server.address, "bob", PASSWORD).0, 401);
}

#[test]
fn names_and_passwords_are_checked() {
    let server = Server::start(talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let mut ask = |name: &str, password: &str| {
        let wish = json!({ "name": name, "password": password });
        let answer = ann.post("/api/account/register", &wish);
        assert!(!answer.1.to_string().contains(password) || password.is_empty(), "{}", answer.1);
        (answer.0, answer.1["code"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(ask("Ann", "1234567"), (400, "bad_password".to_owned()));
    assert_eq!(ask("Ann", ""), (400, "bad_password".to_owned()));
    assert_eq!(ask("Ann", &"x".repeat(201)), (400, "bad_password".to_owned()));
    assert_eq!(ask("", "12345678"), (400, "bad_name".to_owned()));
    assert_eq!(ask("\u{202e}nnA", "12345678"), (400, "bad_name".to_owned()));
    assert_eq!(ask(&"x".repeat(31), "12345678"), (400, "bad_name".to_owned()));
    assert_eq!(ask("Ann", &"é".repeat(200)), (200, String::new()));
}

/// A player with the id of another person as a name would be taken for them.
#[test]
fn a_name_is_not_the_id_of_a_player() {
    let server = Server::start(talk::site());
    let bob = Person::new(server.address, "Bob");
    let mut ann = Person::new(server.address, "Ann");
    for name in [bob.id.clone(), bob.id.to_uppercase(), format!(" {} ", bob.id)] {
        assert_eq!(code(&register(&mut ann, &name)), (400, "bad_name"), "{name}");
        assert_eq!(code(&ann.post("/api/me", &json!({ "name": name }))), (400, "bad_name"));
    }
    for name in ["Antagoras", "Antagoras4Rhodes2", "Alexander Peters"] {
        assert_eq!(ann.post("/api/me", &json!({ "name": name })).0, 200, "{name}");
    }
}

/// What can be done with an account only once, or tells where its owner is, needs the owner.
fn a_token_changes_no_account(world: &World) {
    let mut ann = Person::stranger(world.address(0));
    assert_eq!(register(&mut ann, "Antipater of Tarsus").0, 200);
    let mut guest = Person::new(world.address(0), "Clockwork");
    let bearer = |person: &mut Person| {
        let (_, made) = person.post("/api/me/tokens", &json!({ "label": "program" }));
        format!("Authorization: Bearer {}\r\n", text(&made["token"]))
    };
    let (hers, its) = (bearer(&mut ann), bearer(&mut guest));
    let told = |request: String| {
        let answer = world.ask(1, &request);
        let body = serde_json::from_slice::<Value>(&answer.body).unwrap_or_default();
        (answer.status, body["code"].as_str().unwrap_or_default().to_owned())
    };
    let post_by =
        |bearer: &str, path: &str, body: &str| told(post(path, &format!("{JSON}{bearer}"), body));
    let refused = (403, "not_for_tokens".to_owned());
    assert_eq!(post_by(&hers, "/api/me/bot", "{}"), refused);
    assert_eq!(post_by(&hers, "/api/me", r#"{"name":"Somebody else"}"#), refused);
    assert_eq!(post_by(&hers, "/api/me/privacy", r#"{"show_presence":false}"#), refused);
    assert_eq!(told(get("/api/me/data", &hers)), refused);
    let forget = get("/api/me/puzzles", &hers).replacen("GET", "DELETE", 1);
    assert_eq!(told(forget), refused);
    let me = ann.get("/api/me").1;
    assert_eq!(me["player"]["name"], "Antipater of Tarsus");
    assert_eq!(me["player"]["kind"], "account");
    assert_eq!(ann.get("/api/me/privacy").1["show_presence"], true);

    // A player without a password belongs to whoever has its token.
    assert_eq!(post_by(&its, "/api/me", r#"{"name":"Clockwork 2"}"#).0, 200);
    assert_eq!(post_by(&its, "/api/me/bot", "{}").0, 200);
    assert_eq!(post_by(&its, "/api/me/bot", "{}").0, 200, "twice is once");
    assert_eq!(ann.post("/api/me/bot", &json!({})).0, 200, "by cookie");
    // The other node hears of it, or forgets what it has cached, within seconds.
    until("she is one", || post_by(&hers, "/api/me/bot", "{}").0 == 200);
}

#[test]
fn all_games_can_be_exported() {
    let server = Server::start(talk::site());
    let (mut ann, mut bob) =
        (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    assert_eq!(ann.get_text("/api/me/export"), "");
    let games: Vec<String> = ["colonnade", "impasse", "columna"]
        .map(|game| begin(game, unlimited(), &mut ann, &mut bob))
        .into();
    ann.act(&games[1], json!({ "kind": "resign" }));
    let export = ann.get_text("/api/me/export");
    let expected: Vec<String> =
        games.iter().map(|game| bob.get_text(&format!("/api/games/{game}/record"))).collect();
    assert_eq!(export, expected.join("\n"));
    assert!(export.contains("\n\ngame: "), "records are told apart: {export}");
    assert_eq!(bob.get_text("/api/me/export"), export);
    assert_eq!(Person::new(server.address, "Cyd").get_text("/api/me/export"), "");
    assert_eq!(code(&Person::stranger(server.address).get("/api/me/export")), (401, "no_player"));
}

#[test]
fn a_socket_needs_no_name_to_watch_and_one_to_play() {
    let server = Server::start(talk::site());
    let (mut ann, mut bob) =
        (Person::new(server.address, "Ann"), Person::new(server.address, "Bob"));
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut stranger = Socket::open(server.address, "", None).expect("a socket");
    assert_eq!(stranger.expect("hello")["player"], Value::Null);
    assert_eq!(stranger.watch(&game)["id"], json!(game));
    stranger.send(json!({ "t": "act", "game": game, "action": { "kind": "resign" } }));
    assert_eq!(stranger.expect("refused")["code"], "no_player");
    let mut other = Person::new(server.address, "Cyd").socket();
    other.send(json!({ "t": "act", "game": game, "action": { "kind": "resign" } }));
    assert_eq!(other.expect("refused")["code"], "not_yours");
}
