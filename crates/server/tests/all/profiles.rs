//! Players as others see them: their pages, following and blocking, what they hide, and what is left of those
//! who have deleted themselves.

use serde_json::{Value, json};

use crate::talk;
use crate::talk::people::{Person, begin, clock, text};
use crate::talk::world::World;
use crate::talk::{get, until};

// No two scenes use the same names for accounts.
talk::world::scenes! {
    profiles_are_of_accounts_and_bots,
    followers_see_who_is_online,
    blocked_players_cannot_challenge,
    blocked_players_get_no_rematch,
    a_former_player_leaves_the_games,
    everything_can_be_taken_along,
}

const PASSWORD: &str = "Achilles never arrives";

fn account(world: &World, node: usize, name: &str) -> Person {
    let mut person = Person::stranger(world.address(node));
    let wish = json!({ "name": name, "password": PASSWORD });
    let (status, player) = person.post("/api/account/register", &wish);
    assert_eq!(status, 200, "{player}");
    person.id = text(&player["id"]);
    person
}

fn code(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["code"].as_str().unwrap_or_default())
}

fn profiles_are_of_accounts_and_bots(world: &World) {
    let mut ann = account(world, 0, "Diodorus Cronus");
    let guest = Person::new(world.address(1), "Gast");
    for path in ["/api/players/diodorus%20cronus", &format!("/api/players/{}", ann.id)] {
        let (status, profile) = guest.get(path);
        assert_eq!((status, &profile["player"]["name"]), (200, &json!("Diodorus Cronus")));
        assert_eq!((&profile["ratings"], &profile["following"]), (&json!([]), &json!(false)));
    }
    for nobody in ["no-such", &guest.id, "%2e%2e", &"a".repeat(2000)] {
        for part in ["", "/games", "/results", "/history?game=impasse&pace=live"] {
            let answer = ann.get(&format!("/api/players/{nobody}{part}"));
            assert_eq!(code(&answer), (404, "not_found"), "{nobody}{part}");
        }
    }
    assert_eq!(ann.get("/api/players/diodorus%20cronus/games?limit=101").0, 400);
    assert_eq!(ann.get("/api/players/diodorus%20cronus/history?game=impasse&pace=fast").0, 400);

    // Another name is shown, and the page stays where it is.
    assert_eq!(ann.post("/api/me", &json!({ "name": "Dio" })).0, 200);
    let profile = guest.get("/api/players/diodorus%20cronus").1;
    assert_eq!(
        (&profile["player"]["name"], &profile["handle"]),
        (&json!("Dio"), &json!("diodorus cronus"))
    );

    // Hidden when they were last here.
    assert!(profile["seen"].is_i64(), "{profile}");
    assert_eq!(ann.get("/api/me/privacy").1, json!({ "show_presence": true }));
    assert_eq!(ann.post("/api/me/privacy", &json!({ "show_presence": false })).0, 200);
    let _socket = ann.socket();
    let profile = guest.get("/api/players/diodorus%20cronus").1;
    assert_eq!((&profile["seen"], &profile["here"]), (&Value::Null, &json!(false)));
}

fn followers_see_who_is_online(world: &World) {
    let mut ann = account(world, 0, "Euphantus");
    let bob = account(world, 1, "Eubulides");
    let follow = format!("/api/players/{}/follow", bob.id);
    assert_eq!(ann.post(&follow, &json!({})).0, 204);
    assert_eq!(ann.post(&follow, &json!({})).0, 204, "again");
    let following = |ann: &Person| ann.get("/api/me/acquaintances").1["following"].clone();
    assert_eq!(following(&ann)[0]["player"]["name"], "Eubulides");
    assert_eq!(following(&ann)[0]["here"], json!(false));
    let mut socket = bob.socket();
    socket.expect("hello");
    until("Bob is here, at whichever node", || following(&ann)[0]["here"] == json!(true));
    assert_eq!(ann.get("/api/players/eubulides").1["following"], json!(true));
    assert_eq!(ann.delete(&follow).0, 204);
    assert_eq!(following(&ann), json!([]));
    let own = format!("/api/players/{}/follow", ann.id);
    assert_eq!(code(&ann.post(&own, &json!({}))), (400, "bad_opponent"));
    assert_eq!(Person::stranger(world.address(0)).post(&follow, &json!({})).0, 401);
}

fn blocked_players_get_no_rematch(world: &World) {
    let (mut ann, mut bob) = world.two();
    let rematch = || json!({ "kind": "rematch" });
    let games = [0, 1].map(|_| begin("impasse", clock(300, 0), &mut ann, &mut bob));
    for game in &games {
        assert_eq!(ann.act(game, json!({ "kind": "resign" })).0, 200);
    }
    assert_eq!(bob.act(&games[0], rematch()).0, 200);
    let block = format!("/api/players/{}/block", bob.id);
    assert_eq!(ann.post(&block, &json!({})).0, 204);
    assert_eq!(code(&bob.act(&games[1], rematch())), (403, "blocked"));
    assert_eq!(code(&ann.act(&games[1], rematch())), (403, "blocked"));
    assert_eq!(code(&ann.act(&games[0], rematch())), (403, "blocked"), "nor is it accepted");
    assert_eq!(ann.act(&games[0], json!({ "kind": "decline_rematch" })).0, 200);
    assert_eq!(ann.delete(&block).0, 204);
    assert_eq!(bob.act(&games[1], rematch()).0, 200);
    assert_eq!(ann.act(&games[1], rematch()).0, 200);
}

fn blocked_players_cannot_challenge(world: &World) {
    let mut ann = account(world, 0, "Stilpo");
    let mut bob = account(world, 1, "Sphaerus");
    assert_eq!(bob.post("/api/players/stilpo/follow", &json!({})).0, 204);
    let wish = json!({ "game": "impasse", "control": clock(300, 0), "opponent": ann.id });
    let (status, before) = bob.post("/api/challenges", &wish);
    assert_eq!(status, 201);
    assert_eq!(ann.post("/api/players/sphaerus/block", &json!({})).0, 204);
    assert_eq!(ann.get("/api/me/acquaintances").1["blocked"][0]["player"]["name"], "Sphaerus");
    assert_eq!(bob.get("/api/me/acquaintances").1["following"], json!([]), "no longer");
    assert_eq!(code(&bob.post("/api/challenges", &wish)), (403, "blocked"));
    assert_eq!(code(&bob.post("/api/players/stilpo/follow", &json!({}))), (403, "blocked"));
    let accept = format!("/api/challenges/{}/accept", text(&before["id"]));
    assert_eq!(code(&ann.post(&accept, &json!({}))), (403, "blocked"));
    let open = json!({ "game": "impasse", "control": clock(300, 0) });
    let (_, open) = ann.post("/api/challenges", &open);
    let accept = format!("/api/challenges/{}/accept", text(&open["id"]));
    assert_eq!(code(&bob.post(&accept, &json!({}))), (403, "blocked"));
    assert_eq!(ann.delete("/api/players/sphaerus/block").0, 204);
    assert_eq!(bob.post(&accept, &json!({})).0, 200);
    // A guest has no page, and can be blocked all the same.
    let mut guest = Person::new(world.address(1), "Gast");
    assert_eq!(ann.post(&format!("/api/players/{}/block", guest.id), &json!({})).0, 204);
    assert_eq!(code(&guest.post("/api/challenges", &wish)), (403, "blocked"));
}

fn a_former_player_leaves_the_games(world: &World) {
    let mut ann = account(world, 0, "Herillus");
    let mut bob = account(world, 1, "Hecato");
    let game = begin("colonnade", clock(600, 0), &mut ann, &mut bob);
    assert_eq!(ann.play(&game, 0, "1b<").0, 200);
    assert_eq!(bob.play(&game, 1, "1g>").0, 200);
    assert_eq!(bob.post("/api/players/herillus/follow", &json!({})).0, 204);
    // In mid-game: it is resigned, and counts for the one who stays.
    assert_eq!(ann.delete("/api/me").0, 204);
    until("the game counts", || bob.look(&game)["rating_changes"].is_array());
    let view = bob.look(&game);
    assert_eq!((&view["players"][0]["name"], &view["moves"]), (&json!(""), &json!(["1b<", "1g>"])));
    assert_eq!(view["result"], json!({ "winner": "second", "reason": "resigned" }));
    assert_eq!(bob.get("/api/players/herillus").0, 404);
    assert_eq!(bob.get(&format!("/api/players/{}", ann.id)).0, 404);
    assert_eq!(bob.get("/api/me/acquaintances").1["following"], json!([]));
    assert_eq!(bob.get("/api/players/hecato").1["ratings"][0]["wins"], json!(1));
    let (_, games) = bob.get("/api/players/hecato/games");
    assert_eq!(games["games"][0]["id"], json!(game));
    assert!(bob.get_text(&format!("/api/games/{game}/record")).contains("1b<"));
}

fn everything_can_be_taken_along(world: &World) {
    let mut ann = account(world, 0, "Cleomedes");
    let mut bob = account(world, 1, "Musonius");
    let game = begin("colonnade", clock(600, 0), &mut ann, &mut bob);
    assert_eq!(ann.play(&game, 0, "1b<").0, 200);
    assert_eq!(bob.play(&game, 1, "1g>").0, 200);
    assert_eq!(bob.act(&game, json!({ "kind": "resign" })).0, 200);
    until("the game counts", || ann.look(&game)["rating_changes"].is_array());
    assert_eq!(ann.post("/api/players/musonius/follow", &json!({})).0, 204);
    assert_eq!(ann.post("/api/me/tokens", &json!({ "label": "sewing machine" })).0, 201);
    let (status, data) = ann.get("/api/me/data");
    assert_eq!(status, 200);
    assert_eq!(
        (&data["login"], &data["following"][0]["name"]),
        (&json!("cleomedes"), &json!("Musonius"))
    );
    assert_eq!(data["tokens"][0]["label"], "sewing machine");
    assert_eq!(
        (&data["ratings"][0]["value"], &data["show_presence"]),
        (&json!(1662), &json!(true))
    );
    let history = data["rating_history"].as_array().expect("a list");
    assert_eq!((history.len(), &history[0]["game"]), (1, &json!(game)));
    let (_, empty) = Person::new(world.address(0), "Gast").get("/api/me/data");
    assert_eq!(empty["rating_history"], json!([]));
    // The address answers, whoever asks.
    assert_eq!(world.ask(0, &get("/api/me/data", "")).status, 401);
}
