//! Quick pairing: people who wait get exactly one game each, on one node and on two.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::talk;
use crate::talk::people::{Person, Socket, clock, text, unlimited};
use crate::talk::world::World;

talk::world::scenes! {
    players_who_want_the_same_game_are_paired,
    players_who_leave_are_not_paired,
    a_person_has_one_place,
    everyone_in_a_crowd_gets_one_game,
    wishes_that_cannot_be_are_refused,
    a_bot_is_paired_with_nobody,
    those_who_do_not_come_to_their_game_wait,
    those_who_leave_before_both_have_moved_wait,
}

fn wish(game: &str) -> Value {
    json!({ "t": "pair", "game": game, "control": clock(300, 5) })
}

fn players_who_want_the_same_game_are_paired(world: &World) {
    let (ann, bob) = world.two();
    let (mut a, mut b) = (ann.socket(), bob.socket());
    a.send(wish("impasse"));
    a.expect("done");
    b.send(wish("impasse"));
    let game = text(&a.expect("paired")["game"]);
    assert_eq!(text(&b.expect("paired")["game"]), game);
    let view = ann.look(&game);
    let mut players = [&view["players"][0]["id"], &view["players"][1]["id"]].map(text);
    let mut both = [ann.id.clone(), bob.id.clone()];
    players.sort();
    both.sort();
    assert_eq!(players, both);
    assert_eq!((&view["game"], &view["control"]), (&json!("impasse"), &clock(300, 5)));
    // It is a game like any other.
    let (mut first, mut second) =
        if view["players"][0]["id"] == ann.id.as_str() { (ann, bob) } else { (bob, ann) };
    assert_eq!(first.play(&game, 0, "d2-b4").0, 200);
    assert_eq!(second.act(&game, json!({ "kind": "resign" })).0, 200);
}

fn players_who_leave_are_not_paired(world: &World) {
    let (ann, bob) = world.two();
    let mut cancelled = ann.socket();
    cancelled.send(wish("columna"));
    cancelled.expect("done");
    cancelled.send(json!({ "t": "unpair" }));
    cancelled.expect("done");
    let closed = Person::new(world.address(0), "Carl");
    let mut closing = closed.socket();
    closing.send(wish("columna"));
    closing.expect("done");
    std::thread::sleep(Duration::from_millis(400));
    drop(closing);
    std::thread::sleep(Duration::from_millis(600));
    let mut b = bob.socket();
    b.send(wish("columna"));
    b.expect("done");
    std::thread::sleep(Duration::from_millis(900));
    assert_eq!(bob.get("/api/me/games").1["games"], json!([]), "somebody who had left was paired");
    let mut eve = Person::new(world.address(0), "Eve").socket();
    eve.send(wish("columna"));
    assert_eq!(eve.expect("paired")["game"], b.expect("paired")["game"]);
}

fn a_person_has_one_place(world: &World) {
    let (ann, bob) = world.two();
    let mut tab = ann.socket();
    tab.send(wish("colonnade"));
    tab.expect("done");
    // The same person, another tab, at the other node.
    let mut other_tab = ann.at(world.address(1)).socket();
    std::thread::sleep(Duration::from_millis(500));
    other_tab.send(wish("colonnade"));
    tab.expect("unpaired");
    assert_eq!(ann.get("/api/me/games").1["games"], json!([]), "nobody plays against themselves");
    let mut b = bob.socket();
    b.send(wish("colonnade"));
    assert_eq!(b.expect("paired")["game"], other_tab.expect("paired")["game"]);
    assert_eq!(ann.get("/api/me/games").1["games"].as_array().map(Vec::len), Some(1));
}

fn everyone_in_a_crowd_gets_one_game(world: &World) {
    let crowd: Vec<Person> =
        (0..40).map(|n| Person::new(world.address(n), &format!("Person {n}"))).collect();
    let mut sockets: Vec<Socket> = crowd.iter().map(Person::socket).collect();
    let began = Instant::now();
    for (n, socket) in sockets.iter_mut().enumerate() {
        socket.send(wish(if n % 4 < 2 { "palisade:7" } else { "palisade:9" }));
    }
    let mut games: HashMap<String, usize> = HashMap::new();
    for socket in &mut sockets {
        *games.entry(text(&socket.expect("paired")["game"])).or_default() += 1;
    }
    println!("40 people are paired after {:?}", began.elapsed());
    assert_eq!(games.len(), 20);
    assert!(games.values().all(|players| *players == 2), "{games:?}");
    for person in &crowd {
        let (_, mine) = person.get("/api/me/games");
        assert_eq!(mine["games"].as_array().map(Vec::len), Some(1), "{mine}");
    }
}

fn wishes_that_cannot_be_are_refused(world: &World) {
    let (ann, mut bob) = world.two();
    let mut a = ann.socket();
    let mut refused = |wish: Value| {
        a.send(wish);
        text(&a.expect("refused")["code"])
    };
    assert_eq!(refused(wish("chess")), "bad_game");
    assert_eq!(
        refused(json!({ "t": "pair", "game": "impasse", "control": unlimited() })),
        "bad_control"
    );
    assert_eq!(
        refused(json!({ "t": "pair", "game": "impasse", "control": clock(1, 0) })),
        "bad_control"
    );
    assert_eq!(refused(json!({ "t": "pair", "game": "impasse" })), "bad_request");
    let mut stranger = Person::stranger(world.address(0)).socket();
    stranger.send(wish("impasse"));
    assert_eq!(stranger.expect("refused")["code"], "no_player");
    assert_eq!(bob.post("/api/me/bot", &json!({})).0, 200);
    let mut bot = bob.socket();
    bot.send(wish("impasse"));
    assert_eq!(bot.expect("refused")["code"], "not_for_bots");
}

/// A socket and a place that a player has had since before they became a bot are no way into quick pairing.
fn a_bot_is_paired_with_nobody(world: &World) {
    let place = json!({ "t": "pair", "game": "impasse", "control": clock(420, 7) });
    let mut bot = Person::new(world.address(0), "Robot");
    let (mut waiting, mut late) = (bot.socket(), bot.socket());
    waiting.send(place.clone());
    waiting.expect("done");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(bot.post("/api/me/bot", &json!({})).0, 200);
    waiting.expect("unpaired");
    late.send(place.clone());
    let ann = Person::new(world.address(1), "Ann");
    let mut person = ann.socket();
    person.send(place.clone());
    person.expect("done");
    std::thread::sleep(Duration::from_millis(1000));
    assert_eq!(ann.get("/api/me/games").1["games"], json!([]), "a bot was paired");
    let mut other = Person::new(world.address(0), "Bob").socket();
    other.send(place);
    assert_eq!(other.expect("paired")["game"], person.expect("paired")["game"]);
}

/// Two guests are paired; the one to move asks for another game instead, and later lets the time run out.
fn those_who_do_not_come_to_their_game_wait(world: &World) {
    let pair = || json!({ "t": "pair", "game": "impasse", "control": clock(540, 9) });
    let (ann, bob) = world.two();
    let (mut a, mut b) = (ann.socket(), bob.socket());
    a.send(pair());
    b.send(pair());
    let game = text(&a.expect("paired")["game"]);
    b.expect("paired");
    let view = ann.look(&game);
    let ann_moves = view["players"][0]["id"] == ann.id.as_str();
    let (mut absent, mut present) = if ann_moves { (ann, bob) } else { (bob, ann) };
    let (mut of_absent, mut of_present) = if ann_moves { (a, b) } else { (b, a) };
    of_absent.send(pair());
    let refused = of_absent.expect("refused");
    assert_eq!(refused["code"], "did_not_move", "{refused}");
    assert_eq!(absent.act(&game, json!({ "kind": "abort" })).0, 200);
    assert_eq!(present.act(&game, json!({ "kind": "rematch" })).0, 200);
    of_absent.send(pair());
    assert_eq!(of_absent.expect("refused")["code"], "did_not_move");
    of_present.send(pair());
    of_present.expect("done");
    let mut other = Person::new(world.address(0), "Carl").socket();
    other.send(pair());
    other.expect("paired");
}

/// The second player leaves before the first has moved, or the first after their own move.
fn those_who_leave_before_both_have_moved_wait(world: &World) {
    let cases = [("abort", false), ("abort", true), ("resign", false)];
    for (number, (action, has_moved)) in (0..).zip(cases) {
        let control = clock(660 + 60 * number, 4);
        let pair = || json!({ "t": "pair", "game": "impasse", "control": control });
        let (ann, bob) = world.two();
        let (mut a, mut b) = (ann.socket(), bob.socket());
        a.send(pair());
        b.send(pair());
        let game = text(&a.expect("paired")["game"]);
        b.expect("paired");
        let ann_leaves = (ann.look(&game)["players"][0]["id"] == ann.id.as_str()) == has_moved;
        let (mut leaves, mut of_leaver, mut of_other) =
            if ann_leaves { (ann, a, b) } else { (bob, b, a) };
        if has_moved {
            assert_eq!(leaves.play(&game, 0, "d2-b4").0, 200);
        }
        assert_eq!(leaves.act(&game, json!({ "kind": action })).0, 200);
        of_leaver.send(pair());
        let refused = of_leaver.expect("refused");
        assert_eq!(refused["code"], "did_not_move", "{action} {has_moved}: {refused}");
        of_other.send(pair());
        of_other.expect("done");
    }
}

/// All of them are at the same address, and Ann or Bob thinks about the first move.
#[test]
fn guests_of_an_address_do_not_wait_for_each_other() {
    let world = World::sqlite_with(|settings| settings.rate = Some(1000));
    let pair = |initial| json!({ "t": "pair", "game": "impasse", "control": clock(initial, 9) });
    let (ann, bob) = world.two();
    let (mut a, mut b) = (ann.socket(), bob.socket());
    a.send(pair(540));
    b.send(pair(540));
    a.expect("paired");
    b.expect("paired");
    let mut carl = Person::new(world.address(0), "Carl").socket();
    carl.send(pair(600));
    carl.expect("done");
}

/// Everybody wants another pace, so nobody is paired.
#[test]
fn an_address_has_a_share_of_the_places() {
    let world = World::sqlite_with(|settings| settings.rate = Some(1000));
    let wish = |n: u32| json!({ "t": "pair", "game": "impasse", "control": clock(300 + n, 5) });
    let come = |n| {
        let mut socket = Person::new(world.address(0), &format!("Person {n}")).socket();
        socket.send(wish(n));
        socket
    };
    let mut waiting: Vec<Socket> = (0..50).map(come).collect();
    waiting.iter_mut().for_each(|socket| drop(socket.expect("done")));
    let mut late = come(50);
    assert_eq!(late.expect("refused")["code"], "too_many");
    drop(waiting);
    // Their places are deleted soon.
    let codes = std::iter::repeat_with(|| {
        std::thread::sleep(Duration::from_millis(100));
        late.send(wish(50));
        late.receive().expect("an answer")
    });
    assert!(codes.take(100).any(|answer| answer["t"] == "done"));
}
