//! Games between people.
//!
//! The same scenes are played on SQLite, on Postgres, and on two nodes with Postgres and NATS, where Ann and
//! Bob are at different nodes.

use serde_json::{Value, json};
use stoa_rules::{Game, Record};

use crate::talk::people::{Person, Socket, begin, clock, text, unlimited};
use crate::talk::world::World;
use crate::talk::{self, Server};

talk::world::scenes! {
    a_challenge_is_a_link_and_becomes_a_game,
    challenges_are_declined_cancelled_and_refused,
    a_whole_game_of_each_kind_is_played_and_its_record_replays,
    a_move_counts_once_and_only_on_turn_and_only_by_its_player,
    players_resign_abort_and_agree_on_draws,
    moves_are_taken_back_by_agreement,
    a_rematch_swaps_the_sides,
    a_rematch_needs_an_opponent,
    events_are_published_to_players_and_viewers,
    players_are_there_while_they_listen,
}

/// Plays the first legal moves until the game is over; returns how many there were.
fn play_out(game: &str, ann: &mut Person, bob: &mut Person) -> usize {
    let view = ann.look(game);
    let id: stoa_rules::Game = text(&view["game"]).parse().expect("a game");
    let mut position = id.start();
    let mut ply = 0;
    while position.outcome().is_none() {
        let mv = position.legal_moves().swap_remove(0);
        let mover =
            if position.side_to_move() == stoa_rules::Side::First { &mut *ann } else { &mut *bob };
        let (status, answer) = mover.play(game, ply, &mv);
        assert_eq!(status, 200, "{answer}");
        position.play(&mv).expect("a legal move");
        ply += 1;
        assert_eq!(answer["position"], position.text());
        assert_eq!(answer["version"], ply);
    }
    ply
}

fn a_challenge_is_a_link_and_becomes_a_game(world: &World) {
    let (mut ann, mut bob) = world.two();
    let wish = json!({
        "game": "palisade:7", "side": "second", "control": clock(300, 3), "listed": true,
    });
    let (status, challenge) = ann.post("/api/challenges", &wish);
    assert_eq!((status, &challenge["state"]), (201, &json!("open")));
    let path = format!("/api/challenges/{}", text(&challenge["id"]));
    assert_eq!(bob.get(&path).1, challenge);
    assert_eq!(bob.get("/api/challenges").1["challenges"], json!([challenge]));
    assert_eq!(ann.get("/api/me/challenges").1["challenges"], json!([challenge]));

    let (status, error) = ann.post(&format!("{path}/accept"), &json!({}));
    assert_eq!((status, &error["code"]), (403, &json!("own_challenge")));
    let (status, game) = bob.post(&format!("{path}/accept"), &json!({}));
    assert_eq!(status, 200, "{game}");
    assert_eq!(game["players"][1]["id"], ann.id);
    assert_eq!(game["players"][0]["name"], "Bob");
    let mut eve = Person::new(bob.address, "Eve");
    let (status, error) = eve.post(&format!("{path}/accept"), &json!({}));
    assert_eq!((status, &error["code"]), (409, &json!("gone")));
    let accepted = bob.get(&path).1;
    assert_eq!((&accepted["state"], &accepted["game_id"]), (&json!("accepted"), &game["id"]));
    assert_eq!(bob.get("/api/challenges").1["challenges"], json!([]));
    for person in [&ann, &bob] {
        assert_eq!(person.get("/api/me/games").1["games"][0]["id"], game["id"]);
    }
}

fn challenges_are_declined_cancelled_and_refused(world: &World) {
    let (mut ann, mut bob) = world.two();
    let mut wish = json!({ "game": "impasse", "control": unlimited(), "opponent": bob.id });
    let id = text(&ann.post("/api/challenges", &wish).1["id"]);
    let mut eve = Person::new(bob.address, "Eve");
    let (status, error) = eve.post(&format!("/api/challenges/{id}/accept"), &json!({}));
    assert_eq!((status, &error["code"]), (403, &json!("not_for_you")));
    assert_eq!(eve.post(&format!("/api/challenges/{id}/decline"), &json!({})).0, 403);
    assert_eq!(eve.delete(&format!("/api/challenges/{id}")).0, 403);
    let (status, declined) = bob.post(&format!("/api/challenges/{id}/decline"), &json!({}));
    assert_eq!((status, &declined["state"]), (200, &json!("declined")));
    assert_eq!(bob.post(&format!("/api/challenges/{id}/accept"), &json!({})).0, 409);

    wish["opponent"] = Value::Null;
    let id = text(&ann.post("/api/challenges", &wish).1["id"]);
    let (status, cancelled) = ann.delete(&format!("/api/challenges/{id}"));
    assert_eq!((status, &cancelled["state"]), (200, &json!("cancelled")));
    assert_eq!(ann.delete(&format!("/api/challenges/{id}")).0, 409);

    for (key, value, code) in [
        ("game", json!("chess"), "bad_game"),
        ("control", json!({"kind": "clock", "initial": 1, "increment": 0}), "bad_control"),
        ("control", json!({"kind": "days", "days": 0}), "bad_control"),
        ("control", json!({"kind": "hourglass"}), "bad_request"),
        ("opponent", json!("nobody"), "bad_opponent"),
        ("opponent", json!(ann.id), "bad_opponent"),
        ("strange", json!(1), "bad_request"),
    ] {
        let mut wish = wish.clone();
        wish[key] = value;
        let (status, error) = ann.post("/api/challenges", &wish);
        assert!((400..500).contains(&status), "{key}: {error}");
        assert_eq!(error["code"], code, "{error}");
    }
    assert_eq!(ann.get("/api/challenges/nothing").0, 404);
    assert_eq!(ann.get("/api/challenges/..%2f..").0, 404);
    let mut stranger = Person::stranger(ann.address);
    let (status, error) = stranger.post("/api/challenges", &wish);
    assert_eq!((status, &error["code"]), (401, &json!("no_player")));
}

fn a_whole_game_of_each_kind_is_played_and_its_record_replays(world: &World) {
    let (mut ann, mut bob) = world.two();
    let is_quick = |game: &Game| !matches!(game, Game::Palisade(size) if size.get() != 5);
    let kinds: Vec<Game> = Game::variants().filter(is_quick).collect();
    for kind in &kinds {
        let game = begin(&kind.to_string(), unlimited(), &mut ann, &mut bob);
        let plies = play_out(&game, &mut ann, &mut bob);
        let view = ann.look(&game);
        assert_eq!(view["ply"], plies);
        assert!(view["result"]["reason"].is_string(), "{view}");
        assert_eq!((&view["turn"], &view["running"]), (&Value::Null, &Value::Null));
        let record = ann.get_text(&format!("/api/games/{game}/record"));
        let record = Record::parse(&record).unwrap_or_else(|error| panic!("{error}\n{record}"));
        assert_eq!(record.main_line().len(), plies);
        let reason = record.result().map(|outcome| outcome.reason.word().to_owned());
        assert_eq!(reason.as_deref(), view["result"]["reason"].as_str());
        let (status, error) = ann.act(&game, json!({ "kind": "resign" }));
        assert_eq!((status, &error["code"]), (409, &json!("game_over")));
    }
    let ended = ann.get("/api/me/games?state=ended&limit=3").1["games"].clone();
    assert_eq!(ended.as_array().map(Vec::len), Some(3));
    let (_, first) = ann.get("/api/me/games?state=ended&limit=3");
    let next = text(&first["next"]);
    let rest = ann.get(&format!("/api/me/games?state=ended&cursor={next}")).1;
    assert_eq!(rest["next"], Value::Null);
    assert_eq!(rest["games"].as_array().map(Vec::len), Some(kinds.len() - 3));
    assert_eq!(ann.get("/api/me/games").1["games"], json!([]));
    assert_eq!(ann.get("/api/me/games?state=lost").0, 400);
}

fn a_move_counts_once_and_only_on_turn_and_only_by_its_player(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("colonnade", unlimited(), &mut ann, &mut bob);
    let mut eve = Person::new(ann.address, "Eve");
    let code = |(status, answer): (u16, Value)| (status, text(&answer["code"]));
    assert_eq!(code(bob.play(&game, 0, "1b<")), (409, "not_your_turn".into()));
    assert_eq!(code(eve.play(&game, 0, "1b<")), (403, "not_yours".into()));
    assert_eq!(code(ann.play(&game, 1, "1b<")), (409, "wrong_ply".into()));
    assert_eq!(code(ann.play(&game, 0, "1z<")), (409, "illegal_move".into()));
    assert_eq!(code(ann.play("nothing", 0, "1b<")), (404, "not_found".into()));
    let (status, first) = ann.play(&game, 0, "1b<");
    assert_eq!(status, 200);
    let (status, again) = ann.play(&game, 0, " 1b< ");
    assert_eq!((status, &again["version"]), (200, &first["version"]));
    assert_eq!(code(ann.play(&game, 0, "1f>")), (409, "wrong_ply".into()));
    assert_eq!(code(bob.play(&game, 0, "1b<")), (409, "wrong_ply".into()), "not Bob's move");
    assert_eq!(code(ann.play(&game, 1, "1f>")), (409, "not_your_turn".into()));
    assert_eq!(bob.play(&game, 1, "1g>").0, 200);
    assert_eq!(ann.look(&game)["moves"], json!(["1b<", "1g>"]));
}

fn players_resign_abort_and_agree_on_draws(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("colossus", unlimited(), &mut ann, &mut bob);
    let (_, answer) = bob.act(&game, json!({ "kind": "abort" }));
    assert_eq!(answer["result"], json!({ "winner": null, "reason": "aborted" }));

    let game = begin("colossus", unlimited(), &mut ann, &mut bob);
    assert_eq!(ann.act(&game, json!({ "kind": "decline_draw" })).1["code"], "nothing_asked");
    assert_eq!(ann.act(&game, json!({ "kind": "draw" })).1["offers"]["draw"], "first");
    assert_eq!(ann.act(&game, json!({ "kind": "draw" })).1["code"], "already_asked");
    assert_eq!(bob.act(&game, json!({ "kind": "decline_draw" })).1["offers"]["draw"], Value::Null);
    assert_eq!(bob.act(&game, json!({ "kind": "draw" })).1["offers"]["draw"], "second");
    let (_, answer) = ann.act(&game, json!({ "kind": "draw" }));
    assert_eq!(answer["result"], json!({ "winner": null, "reason": "agreed" }));

    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    assert_eq!(ann.act(&game, json!({ "kind": "draw" })).1["code"], "no_draws");
    let moves = stoa_rules::Game::Impasse.start().legal_moves();
    assert_eq!(ann.play(&game, 0, &moves[0]).0, 200);
    let (_, answer) = ann.act(&game, json!({ "kind": "resign" }));
    assert_eq!(answer["result"], json!({ "winner": "second", "reason": "resigned" }));
    assert!(ann.get_text(&format!("/api/games/{game}/record")).contains("resigned"));
}

fn moves_are_taken_back_by_agreement(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("colonnade", unlimited(), &mut ann, &mut bob);
    let takeback = || json!({ "kind": "takeback" });
    assert_eq!(ann.act(&game, takeback()).1["code"], "nothing_to_take_back");
    for (ply, mv) in ["1b<", "1g>"].iter().enumerate() {
        let mover = if ply == 0 { &mut ann } else { &mut bob };
        assert_eq!(mover.play(&game, ply, mv).0, 200);
    }
    assert_eq!(ann.act(&game, takeback()).1["offers"]["takeback"], "first");
    let declined = bob.act(&game, json!({ "kind": "decline_takeback" })).1;
    assert_eq!(declined["offers"]["takeback"], Value::Null);
    assert_eq!(ann.act(&game, takeback()).0, 200);
    let (_, after) = bob.act(&game, takeback());
    assert_eq!(
        (&after["ply"], &after["turn"]),
        (&json!(0), &json!("first")),
        "both moves are gone"
    );
    let other = stoa_rules::Game::Colonnade.start().legal_moves().swap_remove(2);
    assert_eq!(ann.play(&game, 0, &other).0, 200);
    assert_eq!(ann.act(&game, takeback()).0, 200);
    assert_eq!(
        bob.play(&game, 1, "1g>").1["offers"]["takeback"],
        Value::Null,
        "moving on declines"
    );
    assert_eq!(bob.look(&game)["moves"], json!([other, "1g>"]));
}

fn a_rematch_swaps_the_sides(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("colonnade", clock(60, 1), &mut ann, &mut bob);
    let rematch = || json!({ "kind": "rematch" });
    assert_eq!(ann.act(&game, rematch()).1["code"], "not_over");
    ann.act(&game, json!({ "kind": "resign" }));
    assert_eq!(ann.act(&game, rematch()).1["offers"]["rematch"], "first");
    assert_eq!(bob.act(&game, json!({ "kind": "decline_rematch" })).0, 200);
    assert_eq!(bob.act(&game, rematch()).1["offers"]["rematch"], "second");
    let (_, answer) = ann.act(&game, rematch());
    let next = text(&answer["next"]);
    assert_eq!(bob.act(&game, rematch()).1["code"], "has_rematch");
    let view = bob.look(&next);
    assert_eq!((&view["players"][0]["id"], &view["previous"]), (&json!(bob.id), &json!(game)));
    assert_eq!(view["control"], clock(60, 1));
    assert_eq!(bob.play(&next, 0, "1b<").0, 200);
}

fn a_rematch_needs_an_opponent(world: &World) {
    let (mut ann, mut bob) = world.two();
    let rematch = || json!({ "kind": "rematch" });
    let games = [0, 1].map(|_| begin("impasse", clock(60, 1), &mut ann, &mut bob));
    for game in &games {
        assert_eq!(ann.act(game, json!({ "kind": "resign" })).0, 200);
    }
    assert_eq!(ann.act(&games[0], rematch()).0, 200);
    assert_eq!(ann.delete("/api/me").0, 204);
    for game in &games {
        let (status, answer) = bob.act(game, rematch());
        assert_eq!((status, &answer["code"]), (409, &json!("gone")), "{answer}");
    }
}

fn events_are_published_to_players_and_viewers(world: &World) {
    let (mut ann, mut bob) = world.two();
    let mut to_bob = bob.socket();
    assert_eq!(to_bob.expect("hello")["player"]["name"], "Bob");
    to_bob.send(json!({ "t": "lobby", "on": true }));
    assert_eq!(to_bob.expect("lobby")["challenges"], json!([]));
    let wish =
        json!({ "game": "colonnade", "side": "first", "control": unlimited(), "listed": true });
    let id = text(&ann.post("/api/challenges", &wish).1["id"]);
    assert_eq!(to_bob.expect("challenge")["challenge"]["id"], id);
    let game = text(&bob.post(&format!("/api/challenges/{id}/accept"), &json!({})).1["id"]);
    assert_eq!(to_bob.expect("yours")["game"]["id"], game);
    assert_eq!(to_bob.expect("challenge")["challenge"]["state"], "accepted");

    let mut to_watcher = Person::stranger(ann.address).socket();
    assert_eq!(to_watcher.watch(&game)["ply"], 0);
    assert_eq!(to_bob.watch(&game)["id"], game);
    // Bob plays and is not counted. At another node he may first hear that nobody watches at his own.
    while to_bob.expect("viewers")["viewers"] != 1 {}
    ann.play(&game, 0, "1b<");
    let yours = to_bob.expect("yours");
    assert_eq!(
        (&yours["game"]["turn"], &yours["event"]["move"]),
        (&json!("second"), &json!("1b<"))
    );
    let update = to_watcher.expect("update");
    assert_eq!(
        (&update["event"]["kind"], &update["event"]["move"]),
        (&json!("moved"), &json!("1b<"))
    );
    assert_eq!((&update["game"], &update["situation"]["version"]), (&json!(game), &json!(1)));
    let id = to_bob.send(json!({ "t": "act", "game": game,
        "action": { "kind": "move", "ply": 1, "move": "1g>" } }));
    let done = to_bob.expect("done");
    assert_eq!((&done["id"], &done["situation"]["ply"]), (&json!(id), &json!(2)));
    let id = to_bob.send(json!({ "t": "act", "game": game,
        "action": { "kind": "move", "ply": 2, "move": "1f>" } }));
    let refused = to_bob.expect("refused");
    assert_eq!((&refused["id"], &refused["code"]), (&json!(id), &json!("not_your_turn")));
    let id = to_watcher.send(json!({ "t": "act", "game": game, "action": { "kind": "resign" } }));
    let refused = to_watcher.expect("refused");
    assert_eq!((&refused["id"], &refused["code"]), (&json!(id), &json!("no_player")));
    to_watcher.send(json!({ "t": "watch", "game": "nothing" }));
    assert_eq!(to_watcher.expect("refused")["code"], "not_found");
    to_watcher.send(json!({ "t": "ping" }));
    assert!(to_watcher.expect("pong")["now"].is_i64());
    to_watcher.send_text("{\"t\":\"dance\",\"id\":7}");
    assert_eq!(to_watcher.expect("refused")["code"], "bad_request");
}

fn players_are_there_while_they_listen(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", unlimited(), &mut ann, &mut bob);
    let mut to_ann = ann.socket();
    to_ann.watch(&game);
    let present = |socket: &mut Socket, wanted: [bool; 2]| {
        while socket.expect("viewers")["present"] != json!(wanted) {}
    };
    present(&mut to_ann, [true, false]);
    // Two pages of one person are one person.
    let (mut one, mut two) = (bob.socket(), bob.socket());
    one.watch(&game);
    present(&mut to_ann, [true, true]);
    two.watch(&game);
    present(&mut two, [true, true]);
    assert_eq!(ann.look(&game)["present"], json!([true, true]));
    assert_eq!(ann.look(&game)["viewers"], 0);
    drop(one);
    present(&mut two, [true, true]);
    drop(two);
    present(&mut to_ann, [true, false]);
    assert_eq!(bob.look(&game)["present"], json!([true, false]));
}

#[test]
fn games_survive_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("stoa.db");
    let mut server = Server::with(talk::settings(&database), talk::site());
    let mut ann = Person::new(server.address, "Ann");
    let mut bob = Person::new(server.address, "Bob");
    let game = begin("colonnade", unlimited(), &mut ann, &mut bob);
    assert_eq!(ann.play(&game, 0, "1b<").0, 200);
    let mut socket = bob.socket();
    socket.expect("hello");
    let before = ann.look(&game);
    server.stop();
    socket.expect("restart");
    let server = Server::with(talk::settings(&database), talk::site());
    let (ann, mut bob) = (ann.at(server.address), bob.at(server.address));
    let mut after = ann.look(&game);
    after["now"] = before["now"].clone();
    assert_eq!(after, before);
    assert_eq!(bob.play(&game, 1, "1g>").0, 200);
}

/// Nobody has asked the other node for the game since the move: it must find out by itself that it is behind.
#[test]
fn a_record_on_another_node_has_the_latest_move_without_nats() {
    let Some(mut world) = World::two_nodes() else { return };
    let (mut ann, bob) = world.two();
    let mut bob = bob.at(ann.address);
    let game = begin("colonnade", unlimited(), &mut ann, &mut bob);
    assert_eq!(ann.play(&game, 0, "1b<").0, 200);
    let elsewhere = ann.at(world.address(1));
    let record = || elsewhere.get_text(&format!("/api/games/{game}/record"));
    assert!(record().contains("1b<"), "the other node has the game in memory");
    world.kill_nats();
    assert_eq!(bob.play(&game, 1, "1g>").0, 200);
    assert!(record().contains("1g>"), "{}", record());
}
