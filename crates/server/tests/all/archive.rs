//! Finished games: search, records, the opening explorer; and games being played as small boards.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::talk;
use crate::talk::people::{Person, begin, clock, text, unlimited};
use crate::talk::world::World;

talk::world::scenes! {
    finished_games_are_found_by_what_they_were,
    pages_of_a_search_lose_nothing,
    games_are_found_by_a_position_however_the_board_was_turned,
    games_are_found_by_the_ratings_that_players_had,
    a_search_is_downloaded_as_records,
    the_explorer_counts_what_was_played_however_the_board_was_turned,
    deleted_players_are_former_players_without_an_explorer,
    small_boards_follow_the_games,
    bad_searches_are_refused,
}

fn ids(page: &Value) -> Vec<String> {
    page["games"].as_array().expect("a list").iter().map(|one| text(&one["id"])).collect()
}

fn search(person: &Person, query: &str) -> Vec<String> {
    let (status, page) = person.get(&format!("/api/archive?{query}"));
    assert_eq!(status, 200, "{page}");
    ids(&page)
}

/// A game of this many moves that `loser` resigns.
fn finished(
    game: &str,
    control: Value,
    first: &mut Person,
    second: &mut Person,
    moves: &[&str],
    first_loses: bool,
) -> String {
    let id = begin(game, control, first, second);
    for (ply, mv) in moves.iter().enumerate() {
        let mover = if ply % 2 == 0 { &mut *first } else { &mut *second };
        let (status, answer) = mover.play(&id, ply, mv);
        assert_eq!(status, 200, "{answer}");
    }
    let loser = if first_loses { first } else { second };
    assert_eq!(loser.act(&id, json!({ "kind": "resign" })).0, 200);
    id
}

fn finished_games_are_found_by_what_they_were(world: &World) {
    let (mut ann, mut bob) = world.two();
    let mut eve = Person::new(world.address(0), "Eve of the archive");
    let short = finished("palisade:7", clock(300, 3), &mut ann, &mut bob, &[], true);
    let moves = ["a1", "b1", "c3"];
    let long = finished("palisade:9", unlimited(), &mut bob, &mut ann, &moves, true);
    let other =
        finished("impasse", json!({"kind":"days","days":3}), &mut ann, &mut eve, &[], false);
    let running = begin("impasse", unlimited(), &mut ann, &mut bob);
    let aborted = begin("impasse", unlimited(), &mut ann, &mut bob);
    assert_eq!(ann.act(&aborted, json!({ "kind": "abort" })).0, 200);

    let of_ann = format!("player={}", ann.id);
    assert_eq!(search(&ann, &of_ann), [&*other, &*long, &*short], "the latest first");
    let found = |query: &str| search(&eve, &format!("{of_ann}&{query}"));
    assert_eq!(found("game=palisade"), [&*long, &*short]);
    assert_eq!(found("game=palisade:7"), [&*short]);
    assert_eq!(found("result=won"), [&*other, &*long]);
    assert_eq!(found("result=lost"), [&*short]);
    assert_eq!(found("result=second"), [&*long, &*short]);
    assert!(found("result=draw").is_empty());
    assert_eq!(found("pace=days"), [&*other]);
    assert_eq!(found("min_moves=1&max_moves=3"), [&*long]);
    assert_eq!(found(&format!("opponent={}", eve.id)), [&*other]);
    assert_eq!(search(&bob, "player=Eve%20of%20the%20archive"), [&*other], "by name");
    assert!(search(&bob, "player=nobody-of-that-name").is_empty());
    let (_, page) = eve.get(&format!("/api/archive?{of_ann}"));
    let ended = |n: usize| page["games"][n]["ended"].as_i64().expect("a time");
    assert_eq!(found(&format!("until={}", ended(1))), [&*short]);
    assert_eq!(found(&format!("since={}&until={}", ended(1), ended(0))), [&*long]);
    for not_there in [&running, &aborted] {
        assert!(!search(&eve, "limit=100").contains(not_there));
    }

    // What happens after the end does not move it.
    assert_eq!(ann.act(&short, json!({ "kind": "rematch" })).0, 200);
    let (_, later) = eve.get(&format!("/api/archive?{of_ann}"));
    assert_eq!(ids(&later), ids(&page));
    assert_eq!(later["games"][2]["ended"], page["games"][2]["ended"]);
}

fn pages_of_a_search_lose_nothing(world: &World) {
    let (mut ann, mut bob) = world.two();
    let mut games: HashSet<String> = (0..9)
        .map(|n| finished("colonnade", unlimited(), &mut ann, &mut bob, &[], n % 2 == 0))
        .collect();
    games.extend((0..8).map(|_| finished("impasse", unlimited(), &mut bob, &mut ann, &[], true)));
    let mut found = Vec::new();
    let mut path = format!("/api/archive?player={}&limit=4", ann.id);
    loop {
        let (status, page) = bob.get(&path);
        assert_eq!(status, 200, "{page}");
        found.extend(ids(&page));
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/api/archive?player={}&limit=4&cursor={next}", ann.id);
        // Games that end meanwhile are newer than what was asked for.
        finished("impasse", unlimited(), &mut bob, &mut ann, &[], true);
    }
    assert_eq!(found.len(), games.len(), "none twice");
    assert_eq!(found.into_iter().collect::<HashSet<_>>(), games, "and none missing");
}

/// The same text, as an address has it.
fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// The position of a game after some moves.
fn after(game: &str, moves: &[&str]) -> String {
    let mut position = game.parse::<stoa_rules::Game>().expect("a game").start();
    for mv in moves {
        position.play(mv).expect("a move");
    }
    escaped(&position.text())
}

/// Waits until a search finds this many games; their ids.
fn found_in_time(person: &Person, query: &str, count: usize) -> Vec<String> {
    let began = Instant::now();
    loop {
        let found = search(person, query);
        if found.len() >= count {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{query}: {found:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn games_are_found_by_a_position_however_the_board_was_turned(world: &World) {
    let (mut ann, mut bob) = world.two();
    let mut eve = Person::new(world.address(0), "Eve of the positions");
    // A board that no other scene uses. The first three come to one position, turned and by another way.
    let play = |first: &mut Person, second: &mut Person, moves: &[&str]| {
        finished("palisade:15", unlimited(), first, second, moves, true)
    };
    let ways: [&[&str]; 3] =
        [&["a1", "b1", "c3"], &["o15", "n15", "m13", "a2"], &["c3", "b1", "a1"]];
    let mut same: Vec<String> = ways.iter().map(|moves| play(&mut ann, &mut bob, moves)).collect();
    let other = play(&mut ann, &mut eve, &["a1", "b1"]);
    let none = play(&mut ann, &mut eve, &[]);
    same.reverse();

    let with =
        |moves: &[&str]| format!("game=palisade:15&position={}", after("palisade:15", moves));
    let (third, second) = (with(&["a15", "b15", "c13"]), with(&["a1", "b1"]));
    assert_eq!(found_in_time(&eve, &third, 3), same, "the latest first");
    let of_two = [&*other, &*same[1], &*same[2]];
    assert_eq!(found_in_time(&eve, &second, 3), of_two, "also as the last position");
    // Together with other conditions, and in pages.
    assert_eq!(search(&eve, &format!("{second}&player={}", eve.id)), [&*other]);
    assert_eq!(search(&eve, &format!("{third}&min_moves=4")), [&*same[1]]);
    let (_, page) = eve.get(&format!("/api/archive?{third}&limit=2"));
    assert_eq!(ids(&page), same[..2]);
    let next = text(&page["next"]);
    assert_eq!(search(&eve, &format!("{third}&limit=2&cursor={next}")), same[2..]);
    let records = eve.get_text(&format!("/api/archive/records?{third}"));
    assert_eq!(records.matches("game: palisade:15").count(), 3, "{records}");

    // Every game has the start; and a position is not one of another board.
    let start = with(&[]);
    assert!([&other, &none, &same[0]].iter().all(|game| search(&eve, &start).contains(game)));
    let nine = format!("game=palisade:9&position={}", after("palisade:9", &["a1", "b1", "c3"]));
    assert!(search(&eve, &nine).iter().all(|game| !same.contains(game)));
}

fn games_are_found_by_the_ratings_that_players_had(world: &World) {
    let account = |node, name: &str| {
        let mut person = Person::stranger(world.address(node));
        let wish = json!({ "name": name, "password": "Achilles never arrives" });
        let (status, player) = person.post("/api/account/register", &wish);
        assert_eq!(status, 200, "{player}");
        person.id = text(&player["id"]);
        person
    };
    let (mut ann, mut bob) = (account(0, "Rated Ann"), account(1, "Rated Bob"));
    let mut eve = Person::new(world.address(0), "Unrated Eve");
    let moves = ["1b<", "1g>"];
    let rated = |first: &mut Person, second: &mut Person| {
        let game = finished("colonnade", clock(600, 5), first, second, &moves, false);
        let began = Instant::now();
        while !first.look(&game)["rating_changes"].is_array() {
            assert!(began.elapsed() < Duration::from_secs(20), "it never counts");
            std::thread::sleep(Duration::from_millis(20));
        }
        game
    };
    let level = rated(&mut ann, &mut bob);
    // Now Ann has 1662 and Bob 1338.
    let apart = rated(&mut ann, &mut bob);
    let casual = finished("colonnade", clock(600, 5), &mut ann, &mut eve, &moves, true);
    let of_ann = format!("player={}", ann.id);
    assert_eq!(search(&eve, &of_ann), [&*casual, &*apart, &*level]);
    let found = |query: &str| search(&eve, &format!("{of_ann}&{query}"));
    assert_eq!(found("min_rating=1500&max_rating=1500"), [&*level]);
    assert_eq!(found("min_rating=1338&max_rating=1662"), [&*apart, &*level]);
    assert_eq!(found("min_rating=1501"), [] as [&str; 0]);
    assert_eq!(found("min_rating=1501&rating_of=either"), [&*apart]);
    assert_eq!(found("min_rating=1662&rating_of=either"), [&*apart]);
    assert_eq!(found("min_rating=1663&rating_of=either"), [] as [&str; 0]);
    assert_eq!(found("max_rating=1338&rating_of=either"), [&*apart]);
    assert_eq!(found("max_rating=1661"), [&*level]);
    assert_eq!(found("min_rating=0"), [&*apart, &*level], "casual games have no rating");
}

fn a_search_is_downloaded_as_records(world: &World) {
    let (mut ann, mut bob) = world.two();
    let old = finished("impasse", unlimited(), &mut ann, &mut bob, &["d2-b4"], true);
    let last = finished("palisade:9", unlimited(), &mut ann, &mut bob, &["a1", "b1"], false);
    let records = bob.get_text(&format!("/api/archive/records?player={}", ann.id));
    let one = |id: &str| bob.get_text(&format!("/api/games/{id}/record"));
    assert_eq!(records, format!("{}\n{}", one(&last), one(&old)));
    stoa_rules::Record::parse(&one(&last)).expect("a record");
    let none = bob.get_text(&format!("/api/archive/records?player={}&game=columna", ann.id));
    assert_eq!(none, "");
}

/// Waits until the explorer has counted what has ended.
fn explored(person: &Person, query: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let (status, answer) = person.get(&format!("/api/explorer?{query}"));
        assert_eq!(status, 200, "{answer}");
        if is_there(&answer["moves"]) {
            return answer["moves"].clone();
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{query}: {answer}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The numbers of all moves together.
fn sums(moves: &Value) -> [i64; 3] {
    ["won", "drawn", "lost"].map(|name| {
        let moves = moves.as_array().expect("a list").iter();
        moves.map(|one| one[name].as_i64().expect("a number")).sum()
    })
}

fn the_explorer_counts_what_was_played_however_the_board_was_turned(world: &World) {
    let (mut ann, mut bob) = world.two();
    // A board that no other scene uses. Four corners are one corner.
    let corners = [["a1", "b1"], ["a11", "b11"], ["k1", "j1"], ["k11", "j11"]];
    for moves in corners {
        let first_loses = moves[0] == "a1";
        finished("palisade:11", unlimited(), &mut ann, &mut bob, &moves, first_loses);
    }
    let last = finished("palisade:11", unlimited(), &mut bob, &mut ann, &["f6"], true);
    let moves = explored(&ann, "game=palisade:11", |moves| sums(moves).iter().sum::<i64>() >= 5);
    assert_eq!(moves.as_array().map(Vec::len), Some(2), "{moves}");
    assert_eq!([&moves[0]["won"], &moves[0]["lost"]], [&json!(3), &json!(1)], "{moves}");
    assert_eq!(moves[1], json!({"move":"f6","won":0,"drawn":0,"lost":1,"game":last}));
    let mine = explored(&ann, "game=palisade:11&by=me", |_| true);
    assert_eq!(sums(&mine), [3, 0, 1], "{mine}");
    let his = explored(&bob, "game=palisade:11&by=me", |_| true);
    assert_eq!(sums(&his), [0, 0, 1], "{his}");
    assert_eq!(explored(&bob, "game=palisade:11&by=bots", |_| true), json!([]));
    // After the first move, whichever corner it was; the other player answered.
    let mut position = "palisade:11".parse::<stoa_rules::Game>().expect("a game").start();
    position.play("k1").expect("a move");
    let query = format!("game=palisade:11&position={}", position.text().replace(' ', "%20"));
    let answers = explored(&ann, &query, |_| true);
    assert_eq!(
        (answers.as_array().map(Vec::len), sums(&answers)),
        (Some(1), [1, 0, 3]),
        "{answers}"
    );
    assert!(["j1", "k2"].contains(&text(&answers[0]["move"]).as_str()), "{answers}");
}

fn deleted_players_are_former_players_without_an_explorer(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = finished("palisade:13", unlimited(), &mut ann, &mut bob, &["a1"], true);
    explored(&ann, "game=palisade:13&by=me", |moves| sums(moves) == [0, 0, 1]);
    assert_eq!(ann.delete("/api/me").0, 204);
    let (_, page) = bob.get(&format!("/api/archive?player={}", bob.id));
    assert_eq!(ids(&page), [&*game]);
    assert_eq!(page["games"][0]["players"][0]["name"], "");
    let moves = explored(&bob, "game=palisade:13", |_| true);
    assert_eq!(sums(&moves), [0, 0, 1], "the game still counts");
}

fn small_boards_follow_the_games(world: &World) {
    let (mut ann, mut bob) = world.two();
    let game = begin("columna", unlimited(), &mut ann, &mut bob);
    let eve = Person::stranger(world.address(1));
    let began = Instant::now();
    // The list may be some seconds old.
    while !ids(&eve.get("/api/games/live").1).contains(&game) {
        assert!(began.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(200));
    }
    let mut socket = eve.socket();
    socket.send(json!({ "t": "boards", "on": true }));
    socket.expect("done");
    std::thread::sleep(Duration::from_millis(1500));
    let mut position = "columna".parse::<stoa_rules::Game>().expect("a game").start();
    let next = |socket: &mut talk::people::Socket| loop {
        let message = socket.expect("boards");
        let boards = message["boards"].as_array().expect("a list").clone();
        if let Some(board) = boards.into_iter().find(|board| board["game"] == game.as_str()) {
            return board;
        }
    };
    let mv = position.legal_moves().swap_remove(0);
    assert_eq!(ann.play(&game, 0, &mv).0, 200);
    position.play(&mv).expect("a move");
    let board = next(&mut socket);
    assert_eq!((&board["ply"], &board["position"]), (&json!(1), &json!(position.text())));
    assert_eq!(bob.act(&game, json!({ "kind": "resign" })).0, 200);
    let board = next(&mut socket);
    assert_eq!(board["result"], json!({ "winner": "first", "reason": "resigned" }));
    socket.send(json!({ "t": "boards", "on": false }));
    socket.expect("done");
}

fn bad_searches_are_refused(world: &World) {
    let (ann, _) = world.two();
    for bad in [
        "limit=0",
        "limit=101",
        "cursor=yesterday",
        "cursor=1-../x",
        "game=chess",
        "pace=slow",
        "result=won",
        "result=maybe",
        "min_moves=-1",
        "rating=9",
        "min_rating=-1",
        "max_rating=strong",
        "rating_of=nobody",
        "position=x",
        "game=impasse&position=x",
    ] {
        assert_eq!(ann.get(&format!("/api/archive?{bad}")).0, 400, "{bad}");
        if !bad.starts_with("limit") {
            assert_eq!(ann.get(&format!("/api/archive/records?{bad}")).0, 400, "{bad}");
        }
    }
    for bad in ["", "game=chess", "game=impasse&position=x", "game=impasse&by=you"] {
        assert_eq!(ann.get(&format!("/api/explorer?{bad}")).0, 400, "{bad}");
    }
    let long = "8".repeat(2001);
    assert_eq!(ann.get(&format!("/api/explorer?game=impasse&position={long}")).0, 400);
    let stranger = Person::stranger(world.address(0));
    assert_eq!(stranger.get("/api/explorer?game=impasse&by=me").0, 401);
}
