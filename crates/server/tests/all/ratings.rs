//! Ratings: what counts, that it counts once, and that everything can be computed again.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::Row;
use stoa_testing::{Durability, Nats, Postgres, or_skip};

use crate::talk;
use crate::talk::Server;
use crate::talk::people::{Person, begin, clock, text, unlimited};
use crate::talk::world::World;

// No two scenes use the same names for accounts.
talk::world::scenes! {
    a_rated_game_counts_and_both_are_told,
    unrated_and_aborted_games_do_not_count,
    nothing_is_taken_back_in_a_rated_game,
    a_rematch_is_rated_like_its_game,
    leaderboards_are_paged_without_loss,
}

const PASSWORD: &str = "Achilles never arrives";

/// The first moves of Colonnade.
const MOVES: [&str; 2] = ["1b<", "1g>"];

fn account(world: &World, node: usize, name: &str) -> Person {
    registered(Person::stranger(world.address(node)), name)
}

fn registered(mut person: Person, name: &str) -> Person {
    let wish = json!({ "name": name, "password": PASSWORD });
    let (status, player) = person.post("/api/account/register", &wish);
    assert_eq!(status, 200, "{player}");
    person.id = text(&player["id"]);
    person
}

/// A game in which both have moved.
fn begun(first: &mut Person, second: &mut Person, control: Value) -> String {
    let game = begin("colonnade", control, first, second);
    assert_eq!(first.play(&game, 0, MOVES[0]).0, 200);
    assert_eq!(second.play(&game, 1, MOVES[1]).0, 200);
    game
}

fn resign(person: &mut Person, game: &str) {
    let (status, answer) = person.act(game, json!({ "kind": "resign" }));
    assert_eq!(status, 200, "{answer}");
}

/// The game once it has counted.
fn counted(person: &Person, game: &str) -> Value {
    let began = Instant::now();
    loop {
        let view = person.look(game);
        if view["rating_changes"].is_array() {
            return view;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "it never counts: {view}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn a_rated_game_counts_and_both_are_told(world: &World) {
    let mut ann = account(world, 0, "Ariston");
    let mut bob = account(world, 1, "Boethus");
    let game = begun(&mut ann, &mut bob, clock(600, 5));
    assert_eq!(ann.look(&game)["rated"], json!(true));
    let mut socket = bob.socket();
    socket.watch(&game);
    resign(&mut bob, &game);
    let rated = socket.expect("rated");
    let changes = json!([
        { "before": 1500, "after": 1662, "provisional": true },
        { "before": 1500, "after": 1338, "provisional": true },
    ]);
    assert_eq!((&rated["game"], &rated["changes"]), (&json!(game), &changes));
    for (person, at) in [(&ann, 0), (&bob, 1)] {
        let view = counted(person, &game);
        assert_eq!(view["rating_changes"], changes, "on both nodes");
        assert_eq!(view["players"][at]["rating"], json!({ "value": 1500, "provisional": true }));
    }

    let (status, profile) = bob.get("/api/players/ARISTON");
    assert_eq!((status, &profile["handle"]), (200, &json!("ariston")), "{profile}");
    let rating = &profile["ratings"][0];
    assert_eq!((&rating["game"], &rating["pace"]), (&json!("colonnade"), &json!("live")));
    assert_eq!((&rating["value"], &rating["wins"]), (&json!(1662), &json!(1)), "{rating}");
    assert_eq!(bob.get(&format!("/api/players/{}", ann.id)).1["handle"], "ariston");
    let (_, history) = bob.get("/api/players/boethus/history?game=colonnade&pace=live");
    assert_eq!(history["points"][0]["value"], json!(1338));
    assert_eq!((&history["points"][0]["game"], &history["next"]), (&json!(game), &Value::Null));

    // The next game knows them; another pace does not.
    let next = begun(&mut bob, &mut ann, clock(600, 5));
    let ratings =
        json!([{ "value": 1338, "provisional": true }, { "value": 1662, "provisional": true }]);
    let view = ann.look(&next);
    assert_eq!(json!([view["players"][0]["rating"], view["players"][1]["rating"]]), ratings);
    let slow = begun(&mut bob, &mut ann, json!({ "kind": "days", "days": 3 }));
    let view = ann.look(&slow);
    assert_eq!((&view["rated"], &view["players"][0]["rating"]), (&json!(true), &Value::Null));
    let (_, results) = ann.get("/api/players/ariston/results");
    assert_eq!(results["opponents"][0]["opponent"]["name"], "Boethus");
    assert_eq!(
        (&results["opponents"][0]["wins"], &results["games"][0]["game"], &results["complete"]),
        (&json!(1), &json!("colonnade"), &json!(true))
    );
    let (_, games) = ann.get(&format!("/api/players/ariston/games?opponent={}", bob.id));
    assert_eq!(games["games"].as_array().map(Vec::len), Some(1), "{games}");
    assert_eq!(games["games"][0]["rating_changes"], changes);
}

fn unrated_and_aborted_games_do_not_count(world: &World) {
    let mut ann = account(world, 0, "Antipater");
    let mut bob = account(world, 1, "Bion");
    let mut guest = Person::new(world.address(0), "Gast");
    let mut games = Vec::new();
    for (control, opponent) in [(unlimited(), &mut bob), (clock(600, 0), &mut guest)] {
        let game = begun(&mut ann, opponent, control);
        assert_eq!(ann.look(&game)["rated"], json!(false));
        resign(&mut ann, &game);
        games.push(game);
    }
    let casual =
        json!({ "game": "colonnade", "side": "first", "control": clock(600, 0), "rated": false });
    let (_, challenge) = ann.post("/api/challenges", &casual);
    assert_eq!(challenge["rated"], json!(false));
    // Rated, but never begun: aborted, or resigned before both had moved.
    for action in ["abort", "resign"] {
        let game = begin("colonnade", clock(600, 0), &mut ann, &mut bob);
        assert_eq!(ann.look(&game)["rated"], json!(true));
        assert_eq!(ann.play(&game, 0, MOVES[0]).0, 200);
        assert_eq!(bob.act(&game, json!({ "kind": action })).0, 200);
        games.push(game);
    }
    // One that counts, after which the others would have, too.
    let last = begun(&mut ann, &mut bob, clock(600, 0));
    resign(&mut bob, &last);
    counted(&ann, &last);
    for game in games {
        assert!(ann.look(&game)["rating_changes"].is_null(), "{game}");
    }
    let (_, profile) = ann.get("/api/players/antipater");
    assert_eq!(profile["ratings"].as_array().map(Vec::len), Some(1));
    let rating = &profile["ratings"][0];
    assert_eq!((&rating["wins"], &rating["losses"]), (&json!(1), &json!(0)));
}

fn nothing_is_taken_back_in_a_rated_game(world: &World) {
    let mut ann = account(world, 0, "Aratus");
    let mut bob = account(world, 1, "Basilides");
    let game = begun(&mut ann, &mut bob, clock(600, 0));
    let (status, answer) = ann.act(&game, json!({ "kind": "takeback" }));
    assert_eq!((status, &answer["code"]), (409, &json!("rated_game")));
}

fn a_rematch_is_rated_like_its_game(world: &World) {
    let mut ann = account(world, 0, "Athenodorus");
    let mut bob = account(world, 1, "Cato");
    for rated in [true, false] {
        let wish = json!({
            "game": "colonnade", "side": "first", "control": clock(600, 0), "rated": rated,
            "opponent": bob.id,
        });
        let (_, challenge) = ann.post("/api/challenges", &wish);
        let path = format!("/api/challenges/{}/accept", text(&challenge["id"]));
        let (_, view) = bob.post(&path, &json!({}));
        let game = text(&view["id"]);
        resign(&mut ann, &game);
        assert_eq!(ann.act(&game, json!({ "kind": "rematch" })).0, 200);
        let (_, situation) = bob.act(&game, json!({ "kind": "rematch" }));
        let rematch = ann.look(&text(&situation["next"]));
        assert_eq!(rematch["rated"], json!(rated));
    }
}

/// Two who play often enough are no longer provisional, and are in the list.
fn leaderboards_are_paged_without_loss(world: &World) {
    let mut ann = account(world, 0, "Archedemus");
    let mut bob = account(world, 1, "Crates");
    let path = "/api/leaderboard?game=impasse&pace=live";
    assert_eq!(ann.get(path).1, json!({ "entries": [], "next": null }));
    for round in 0..28 {
        let game = begin("impasse", clock(600, 0), &mut ann, &mut bob);
        for ply in 0..2 {
            let view = ann.look(&game);
            let rules: stoa_rules::Game = "impasse".parse().expect("a game");
            let position = rules.position(&text(&view["position"])).expect("a position");
            let mover = if ply == 0 { &mut ann } else { &mut bob };
            let (status, answer) = mover.play(&game, ply, &position.legal_moves()[0]);
            assert_eq!(status, 200, "{answer}");
        }
        resign(if round % 4 == 0 { &mut ann } else { &mut bob }, &game);
        counted(&ann, &game);
    }
    let (_, board) = ann.get(path);
    let names: Vec<String> = board["entries"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| text(&entry["player"]["name"]))
        .collect();
    assert_eq!(names, ["Archedemus", "Crates"], "{board}");
    assert_eq!(
        (&board["entries"][1]["place"], &board["entries"][1]["games"]),
        (&json!(2), &json!(28))
    );
    assert_eq!(board["entries"][0]["player"]["rating"]["provisional"], json!(false));
    assert_eq!(ann.get(&format!("{path}&who=bots")).1["entries"], json!([]));
    assert_eq!(ann.get(&format!("{path}&cursor=nonsense")).0, 400);
    assert_eq!(ann.get("/api/leaderboard?game=chess&pace=live").0, 400);
}

/// Everything that is derived, to the last bit, in an order of its own.
fn derived(database: &str) -> Vec<String> {
    sqlx::any::install_default_drivers();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let pool = sqlx::AnyPool::connect(database).await.expect("a database");
        let mut lines = Vec::new();
        for row in sqlx::query("SELECT * FROM ratings ORDER BY player, category")
            .fetch_all(&pool)
            .await
            .expect("ratings")
        {
            let number = |column| row.get::<f64, _>(column).to_bits();
            let whole = |column| row.get::<i64, _>(column);
            lines.push(format!(
                "{} {} {:x} {:x} {:x} {} {} {} {} {}",
                row.get::<String, _>("player"),
                row.get::<String, _>("category"),
                number("rating"),
                number("deviation"),
                number("volatility"),
                whole("wins"),
                whole("losses"),
                whole("draws"),
                whole("at"),
                whole("sure_until"),
            ));
        }
        for row in sqlx::query("SELECT * FROM rating_changes ORDER BY counted, player")
            .fetch_all(&pool)
            .await
            .expect("changes")
        {
            let number = |column| row.get::<f64, _>(column).to_bits();
            lines.push(format!(
                "{} {} {} {:x} {:x} {:x} {}{}",
                row.get::<i64, _>("counted"),
                row.get::<String, _>("game"),
                row.get::<String, _>("player"),
                number("rating_before"),
                number("rating_after"),
                number("deviation_after"),
                row.get::<i64, _>("provisional_before"),
                row.get::<i64, _>("provisional_after"),
            ));
        }
        pool.close().await;
        lines
    })
}

fn run(database: &str, statement: &'static str) {
    sqlx::any::install_default_drivers();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let pool = sqlx::AnyPool::connect(database).await.expect("a database");
        sqlx::query(statement).execute(&pool).await.expect("done");
        pool.close().await;
    });
}

fn rebuild(database: &str) -> stoa_server::RebuildReport {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(stoa_server::rebuild_ratings(database)).expect("ratings")
}

/// Six people play a few dozen games at the same time. Both players of a game resign at once, each at another
/// node if there are two; whoever is second is refused, and the game counts once.
fn many_games(nodes: &[Server]) -> usize {
    let address = |n: usize| nodes[n % nodes.len()].address;
    let mut people: Vec<Person> = (0..6)
        .map(|n| registered(Person::stranger(address(n)), &format!("Peripatetic {n}")))
        .collect();
    let mut played = 0;
    for round in 0..4 {
        people.rotate_left(1 + round % 3);
        std::thread::scope(|scope| {
            for pair in people.chunks_mut(2) {
                let [first, second] = pair else { unreachable!("pairs") };
                scope.spawn(move || {
                    for game in 0..3 {
                        let control = if game == 1 {
                            json!({ "kind": "days", "days": 2 })
                        } else {
                            clock(300, 2)
                        };
                        let game = begun(first, second, control);
                        std::thread::scope(|both| {
                            both.spawn(|| first.act(&game, json!({ "kind": "resign" })));
                            both.spawn(|| second.act(&game, json!({ "kind": "resign" })));
                        });
                    }
                });
            }
        });
        played += 9;
    }
    let began = Instant::now();
    let total = || {
        let ratings = people.iter().map(|person| {
            let (_, profile) = person.get(&format!("/api/players/{}", person.id));
            let ratings = profile["ratings"].as_array().cloned().unwrap_or_default();
            ratings.iter().map(|one| one["wins"].as_u64().unwrap_or(0)).sum::<u64>()
        });
        ratings.sum::<u64>()
    };
    while total() < played {
        assert!(began.elapsed() < Duration::from_secs(30), "{} of {played} have counted", total());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(total(), played, "none counts twice");
    usize::try_from(played).expect("a small number")
}

/// Ratings that were computed game by game are what computing them again leads to, and so they are when all
/// of them, or one, had been lost or changed.
fn the_same_again(address: &str, url: &str, games: usize) {
    let before = derived(url);
    let changes = before.iter().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let mut by_game: HashMap<&str, usize> = HashMap::new();
    for line in before.iter().rev().take(2 * games) {
        *by_game.entry(line.split(' ').nth(1).expect("a game")).or_default() += 1;
    }
    assert_eq!(by_game.len(), games, "every game counts");
    assert!(by_game.values().all(|count| *count == 2), "once for each player");
    assert!(changes.count() >= 2 * games);
    let report = rebuild(address);
    assert_eq!((report.games, report.changed, report.newly_counted), (games, 0, 0));
    assert_eq!(derived(url), before);
    run(url, "UPDATE ratings SET rating = rating + 0.0000001 WHERE category LIKE '%live'");
    let report = rebuild(address);
    assert!(report.changed > 0 && report.changed < report.ratings, "{report:?}");
    assert_eq!(derived(url), before);
    run(url, "DELETE FROM ratings");
    run(url, "DELETE FROM rating_changes");
    let report = rebuild(address);
    assert_eq!(report.changed, report.ratings);
    assert_eq!(derived(url), before);
}

#[test]
fn games_at_the_same_time_count_once_on_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("stoa.db");
    let nodes = [Server::with(talk::settings(&file), talk::site())];
    let games = many_games(&nodes);
    drop(nodes);
    let address = file.to_string_lossy().into_owned();
    the_same_again(&address, &format!("sqlite://{address}"), games);
}

#[test]
fn games_at_the_same_time_count_once_on_two_nodes() {
    let Some(postgres) = or_skip(Postgres::start(Durability::Forgetful)) else { return };
    let Some(nats) = or_skip(Nats::start()) else { return };
    let database = postgres.database("stoa").expect("a database");
    let mut settings = talk::settings(Path::new(&database));
    settings.nats = Some(nats.address());
    let nodes = [0, 1].map(|_| Server::with(settings.clone(), talk::site()));
    let games = many_games(&nodes);
    drop(nodes);
    the_same_again(&database, &database, games);
}
