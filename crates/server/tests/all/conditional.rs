//! Conditional moves: answers that the server plays for a person who is away.

use std::time::Duration;

use serde_json::{Value, json};

use crate::talk;
use crate::talk::people::{Person, begin, clock, text};
use crate::talk::world::World;

talk::world::scenes! {
    a_prepared_answer_is_played_once_and_at_once,
    lines_that_no_longer_fit_are_dropped_with_a_notice,
    only_lines_that_the_rules_allow_are_kept,
    a_move_and_conditional_moves_at_the_same_time_agree,
    conditional_moves_are_personal_data,
}

fn days() -> Value {
    json!({ "kind": "days", "days": 3 })
}

fn path(game: &str) -> String {
    format!("/api/games/{game}/conditional")
}

/// The first legal moves of a game, this many of them.
fn legal_line(game: &str, length: usize) -> Vec<String> {
    let game: stoa_rules::Game = game.parse().expect("a game");
    let mut position = game.start();
    let mut line = Vec::new();
    for _ in 0..length {
        let mv = position.legal_moves().swap_remove(0);
        position.play(&mv).expect("a legal move");
        line.push(mv);
    }
    line
}

/// Legal first moves.
fn first_moves(game: &str) -> Vec<String> {
    game.parse::<stoa_rules::Game>().expect("a game").start().legal_moves()
}

fn a_prepared_answer_is_played_once_and_at_once(world: &World) {
    let (mut ann, mut bob) = world.two();
    for kind in ["impasse", "columna", "palisade:7"] {
        let game = begin(kind, days(), &mut ann, &mut bob);
        let line = legal_line(kind, 5);
        let eve = Person::new(ann.address, "Eve");
        let mut watching = eve.socket();
        watching.watch(&game);
        let mut anns = ann.socket();
        anns.expect("hello");
        let mut bobs = bob.socket();
        bobs.expect("hello");
        let (status, set) = bob.post(&path(&game), &json!({ "lines": [line[..4]] }));
        assert_eq!(status, 200, "{set}");
        assert_eq!(set, json!({ "lines": [line[..4]], "dropped": null }));
        assert_eq!(bobs.expect("conditional")["lines"], json!([line[..4]]));

        let (status, after) = ann.play(&game, 0, &line[0]);
        assert_eq!((status, &after["ply"], &after["turn"]), (200, &json!(2), &json!("first")));
        assert_eq!(after["left"], json!([259_200_000, 259_200_000]));
        // Sent again, as after a lost answer: nothing more happens.
        assert_eq!(ann.play(&game, 0, &line[0]).1["ply"], 2);
        for version in [1, 2] {
            let update = watching.expect("update");
            assert_eq!(update["situation"]["version"], version);
            assert_eq!(update["event"]["move"], json!(line[version - 1]));
        }
        assert_eq!(bobs.expect("conditional")["lines"], json!([line[2..4]]));
        assert_eq!(bob.get(&path(&game)).1["lines"], json!([line[2..4]]));
        assert_eq!(ann.play(&game, 2, &line[2]).1["ply"], 4);
        let done = bobs.expect("conditional");
        assert_eq!((&done["lines"], &done["dropped"]), (&json!([]), &json!(null)));
        assert_eq!(ann.look(&game)["moves"], json!(line[..4]));
        assert_eq!(ann.play(&game, 4, &line[4]).1["ply"], 5);

        // Ann has been told of moves and of nothing else.
        assert_eq!(ann.get(&path(&game)).1["lines"], json!([]));
        anns.send(json!({ "t": "ping" }));
        loop {
            let message = anns.receive().expect("a message");
            assert_ne!(message["t"], "conditional", "{message}");
            if message["t"] == "yours" {
                assert_ne!(message["game"]["ply"], 1, "nobody is told of a turn that is over");
            }
            if message["t"] == "pong" {
                break;
            }
        }
    }
}

fn lines_that_no_longer_fit_are_dropped_with_a_notice(world: &World) {
    let (mut ann, mut bob) = world.two();
    let line = legal_line("impasse", 2);
    let other = first_moves("impasse").into_iter().find(|mv| *mv != line[0]).expect("another");
    let prepared = json!({ "lines": [line] });

    let game = begin("impasse", days(), &mut ann, &mut bob);
    assert_eq!(bob.post(&path(&game), &prepared).0, 200);
    assert_eq!(ann.play(&game, 0, &other).1["ply"], 1);
    let dropped = json!({ "lines": [], "dropped": "other_move" });
    assert_eq!(bob.get(&path(&game)).1, dropped);
    assert_eq!(bob.delete(&path(&game)).0, 200);
    assert_eq!(bob.get(&path(&game)).1, json!({ "lines": [], "dropped": null }));

    // Bob's own first move is taken back while he waits.
    let (status, _) = bob.play(&game, 1, &{
        let mut position = "impasse".parse::<stoa_rules::Game>().expect("a game").start();
        position.play(&other).expect("legal");
        position.legal_moves().swap_remove(0)
    });
    assert_eq!(status, 200);
    let mut position = "impasse".parse::<stoa_rules::Game>().expect("a game").start();
    for mv in ann.look(&game)["moves"].as_array().expect("moves") {
        position.play(&text(mv)).expect("legal");
    }
    let next = position.legal_moves().swap_remove(0);
    position.play(&next).expect("legal");
    let answer = position.legal_moves().swap_remove(0);
    let prepared_later = json!({ "lines": [[next, answer]] });
    assert_eq!(bob.post(&path(&game), &prepared_later).0, 200);
    assert_eq!(bob.act(&game, json!({ "kind": "takeback" })).0, 200);
    assert_eq!(bob.get(&path(&game)).1["lines"], prepared_later["lines"], "it was only asked for");
    assert_eq!(ann.act(&game, json!({ "kind": "takeback" })).0, 200);
    assert_eq!(bob.get(&path(&game)).1["dropped"], "taken_back");

    let game = begin("impasse", days(), &mut ann, &mut bob);
    assert_eq!(bob.post(&path(&game), &prepared).0, 200);
    assert_eq!(ann.act(&game, json!({ "kind": "resign" })).0, 200);
    assert_eq!(bob.get(&path(&game)).1["dropped"], "game_over");
    let (status, error) = bob.post(&path(&game), &prepared);
    assert_eq!((status, &error["code"]), (409, &json!("game_over")));
}

fn only_lines_that_the_rules_allow_are_kept(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", days(), &mut ann, &mut bob);
    let line = legal_line("impasse", 2);
    let refused = |person: &mut Person, game: &str, lines: Value, status: u16, code: &str| {
        let (given, error) = person.post(&path(game), &json!({ "lines": lines }));
        assert_eq!((given, &error["code"]), (status, &json!(code)), "{error}");
    };
    refused(&mut bob, &game, json!([[line[0], "z9-z8"]]), 409, "illegal_move");
    refused(&mut bob, &game, json!([[line[0]]]), 400, "bad_conditional");
    refused(&mut bob, &game, json!(vec![&line; 21]), 400, "bad_conditional");
    refused(&mut bob, &game, json!([vec![&line[0]; 1000]]), 400, "bad_conditional");
    refused(&mut bob, &game, json!([vec![&line[0]; 10_000]]), 413, "too_large");
    refused(&mut bob, &game, json!("everything"), 400, "bad_request");
    refused(&mut ann, &game, json!([line]), 409, "your_turn");
    let mut eve = Person::new(ann.address, "Eve");
    refused(&mut eve, &game, json!([line]), 403, "not_yours");
    assert_eq!(eve.get(&path(&game)).0, 403);
    refused(&mut Person::stranger(ann.address), &game, json!([line]), 401, "no_player");
    refused(&mut bob, "nothing", json!([line]), 404, "not_found");
    let live = begin("impasse", clock(300, 0), &mut ann, &mut bob);
    refused(&mut bob, &live, json!([line]), 409, "live_game");
    assert_eq!(bob.get(&path(&game)).1, json!({ "lines": [], "dropped": null }));
}

/// Whichever comes first: a move that Bob was told is answered is answered, and one that was answered was
/// prepared.
fn a_move_and_conditional_moves_at_the_same_time_agree(world: &World) {
    let (mut ann, mut bob) = world.two();
    let line = legal_line("impasse", 2);
    let mut answered = 0;
    for round in 0..16 {
        let game = begin("impasse", days(), &mut ann, &mut bob);
        // Both nodes know the game.
        ann.look(&game);
        bob.look(&game);
        let (moved, set) = std::thread::scope(|scope| {
            let moving = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(round % 4));
                ann.play(&game, 0, &line[0])
            });
            let preparing = scope.spawn(|| bob.post(&path(&game), &json!({ "lines": [line] })));
            (moving.join().expect("a move"), preparing.join().expect("an answer"))
        });
        assert_eq!(moved.0, 200, "{}", moved.1);
        let plies = ann.look(&game)["moves"].as_array().expect("moves").len();
        match set.0 {
            200 => assert_eq!(plies, 2, "what was taken is played"),
            _ => assert_eq!((plies, &set.1["code"]), (1, &json!("your_turn")), "{}", set.1),
        }
        answered += plies - 1;
        assert_eq!(bob.get(&path(&game)).1, json!({ "lines": [], "dropped": null }));
    }
    println!("{answered} of 16 were answered");
}

fn conditional_moves_are_personal_data(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("impasse", days(), &mut ann, &mut bob);
    let line = legal_line("impasse", 2);
    assert_eq!(bob.post(&path(&game), &json!({ "lines": [line] })).0, 200);
    let kept = json!([{ "game": game, "lines": [line] }]);
    assert_eq!(bob.get("/api/me/data").1["conditional_moves"], kept);
    assert_eq!(bob.delete("/api/me").0, 204);
    assert_eq!(ann.look(&game)["result"]["reason"], "resigned");
    assert_eq!(ann.play(&game, 0, &line[0]).1["code"], "game_over");
}
